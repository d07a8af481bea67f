"""The check of columns that are computed from others: a difference, a sum or a mean of systems is no system."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import combinations

from ..arithmetic.quoting import short_text
from .numbers import as_float
from .parts import Part

_FEWEST = 4
"""Least number of different rows that must agree, since fewer may by chance."""
_MOST = 30
"""Most columns that are looked at: each is compared with all pairs of others."""
_NEAR = 1e-9
"""Relative difference of equal numbers that were computed in floats."""


def computed(part: Part) -> Iterator[tuple[int, str]]:
    """Yield the place of a chosen column that other chosen ones give in every row, and how it follows from them.

    It is looked for among 3 to 30 columns of numbers. In at least 4 different rows its value must
    be none of those which it is computed from: systems that are nearly equal, or right and wrong
    together, agree by chance.
    """
    columns = dict(_numbers(part))
    if not 3 <= len(columns) <= _MOST:
        return
    for place, column in reversed(columns.items()):
        others = [other for other in columns if other != place]
        for inputs in (*combinations(others, 2), others):
            rows = [*zip(column, *map(columns.__getitem__, inputs))]
            if len({(found, *given) for found, *given in rows if found not in given}) >= _FEWEST:
                for how, value in _WAYS if len(inputs) == 2 else _WAYS[-1:]:
                    if all(_near(found, value(*given)) for found, *given in rows):
                        yield place, how.format(*[short_text(part.table.title(i)) for i in inputs])
                        return


def _numbers(part: Part) -> Iterator[tuple[int, list[float]]]:
    """Yield the places of the chosen columns that hold numbers alone, and these."""
    for place in part.chosen:
        try:
            yield place, [*map(as_float, part.table.column(place))]
        except ValueError:  # a missing cell, a fraction, a word
            continue


_WAYS: tuple[tuple[str, Callable[..., float]], ...] = (
    ("{0} minus {1}", lambda a, b: a - b),
    ("{1} minus {0}", lambda a, b: b - a),
    ("the sum of {0} and {1}", lambda a, b: a + b),
    ("the mean of others", lambda *values: math.fsum(value / len(values) for value in values)),
)


def _near(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=_NEAR, abs_tol=_NEAR**2)
