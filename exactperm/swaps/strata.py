"""Read two unpaired samples, by strata where there are some, and turn them into ranks.

Observations of one stratum are exchangeable with each other only. A test of two samples has one
stratum with all of them.

Source: spec/16-two-samples-and-power.md#own-two-samples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from .._types import Any
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact
from ..arithmetic.reading import exact, scaled_columns
from ..errors import ExactPermError, WrongType
from ..record import Record
from .columns import check_alignment, check_same, read_labels


class Stratum(Record):
    """Observations of both samples in one stratum, as integers in a unit of all strata, and its weight.

    ``weight`` is None where the user gave none.
    """

    x: list[int]
    y: list[int]
    weight: Exact | None = None

    @property
    def n(self) -> int:
        """Number of observations."""
        return len(self.x) + len(self.y)

    def ranked(self) -> Stratum:
        """Return twice the ranks of the observations, 2 for the least; equal ones share the mean of their ranks.

        >>> Stratum(x=[5, 9], y=[7, 5]).ranked()
        Stratum(x=[3, 8], y=[6, 3], weight=None)
        """
        ranks, below = {}, 0
        for value, count in sorted(Counter([*self.x, *self.y]).items()):
            ranks[value] = 2 * below + count + 1
            below += count
        x, y = [[ranks[value] for value in side] for side in (self.x, self.y)]
        return Stratum(x=x, y=y, weight=self.weight)


def read_samples(
    x: Any, y: Any, strata: Any = None, weights: object = None, decimals: int | None = None
) -> tuple[list[Stratum], int]:
    """Return (strata, scale): two samples as integers in units of 1/scale.

    ``strata`` is None for a single one, or two columns of labels, of x and of y; ``weights`` are
    None or {label: weight above 0}. Raises ``ExactPermError`` and ``WrongType`` with argument,
    position and value.

    >>> read_samples([1, 2, "0.5"], [3, 0], (["a", "b", "a"], ["b", "a"]))
    ([Stratum(x=[2, 1], y=[0], weight=None), Stratum(x=[4], y=[6], weight=None)], 2)
    """
    (first, second), scale = scaled_columns((x, y), ("x", "y"), decimals)
    for name, sample in (("x", first), ("y", second)):
        if not sample:
            raise ExactPermError(f"{name} is empty: a test needs an observation of each sample")
    if strata is None:
        if weights is not None:
            raise ExactPermError("weights are of strata: give strata, too")
        return [Stratum(x=first, y=second)], scale
    if not isinstance(strata, (tuple, list)) or len(strata) != 2:
        raise WrongType(
            f"strata is {short_text(strata)}: it must be two columns of labels, of x and of y"
        )
    for side, (name, sample) in enumerate((("x", x), ("y", y))):
        check_alignment((sample, strata[side]), (name, f"strata[{side}]"))
    found: dict[object, tuple[list[int], list[int]]] = {}
    for side, (sample, labels) in enumerate(zip((first, second), strata)):
        of = f"observations of {'xy'[side]}"
        known = read_labels(labels, f"strata[{side}]", len(sample), "observation", of)
        for label, value in zip(known, sample):
            found.setdefault(label, ([], []))[side].append(value)
    if not any(mine and other for mine, other in found.values()):
        raise ExactPermError("strata: none has observations of both samples")
    shares = _weights(weights, found)
    return [
        Stratum(x=mine, y=other, weight=shares.get(label)) for label, (mine, other) in found.items()
    ], scale


def _weights(weights: object, labels: Mapping[object, object]) -> dict[object, Exact]:
    """Return the weight of each label, none where there are no weights."""
    if weights is None:
        return {}
    if not isinstance(weights, Mapping):
        raise WrongType(f"weights is {short_text(weights)}: it must be {{stratum: weight}}")
    check_same(labels, weights, ("strata", "weights"))
    found = {label: exact(weights[label], f"weights[{short_text(label)}]") for label in labels}
    for label, weight in found.items():
        if weight <= 0:
            raise ExactPermError(
                f"weights[{short_text(label)}] is {short_text(weights[label])}: it must be above 0"
            )
    return found
