"""Write values to records, read them from outside, and name the field that is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from itertools import repeat

from .._types import Any
from ..arithmetic.quoting import short_text
from ..arithmetic.writing import exact_text, parse_exact
from ..errors import ExactPermError

Shape = Any
"""Of what is written: None for an exact number and the least integer, both as text; a range of integers, which are
written as numbers; str for text; [shape] of all entries of a list, or a tuple of the shapes of each entry."""

NUMBER = range(2**62 + 1)
POSITIVE = NUMBER[1:]


def written(shape: Shape, value: Any) -> Any:
    """Return what a record holds of a value.

    >>> written([(NUMBER, None)], [(3, 2)])
    [[3, '2']]
    """
    if isinstance(shape, (list, tuple)):
        return [written(*both) for both in zip(_shapes(shape), value)]
    return exact_text(value) if shape is None or isinstance(shape, int) else value


def _shapes(shape: list[Shape] | tuple[Shape, ...]) -> Iterable[Shape]:
    """Return the shapes of the entries of a list."""
    return shape if isinstance(shape, tuple) else repeat(shape[0])


class Fields:
    """Checked access to the fields of a mapping; ``kind`` names the expected record, such as "a test result".

    >>> Fields({"n": 3}, "a test result").read("n", range(9))
    3
    """

    def __init__(self, data: object, kind: str) -> None:
        self._kind = kind
        if not isinstance(data, Mapping):
            raise ExactPermError(
                f"the record is {short_text(data)}: a record of {kind} is a mapping"
            )
        self._data = data

    def __getitem__(self, name: str) -> Any:
        if name not in self._data:
            raise ExactPermError(f"the record has no {name}: it is no record of {self._kind}")
        return self._data[name]

    def get(self, name: str) -> Any:
        """Return a field, or None where the record has none."""
        return self._data.get(name)

    def demand(self, name: str, fits: bool, rule: str, *value: object) -> None:
        """Raise ``ExactPermError`` unless the field fits; ``value`` stands for its own value in the message."""
        if not fits:
            shown = short_text(value[0] if value else self[name])
            raise ExactPermError(f"{name} of the record is {shown}: {rule}")

    def read(self, name: str, shape: Shape) -> Any:
        """Return a field of this shape, with tuples for lists; numbers may be texts."""
        return self._read(name, shape, self[name])

    def _read(self, place: str, shape: Shape, value: Any) -> Any:
        if isinstance(shape, (list, tuple)):
            self.demand(place, isinstance(value, (list, tuple)), "it must be a list", value)
            if isinstance(shape, tuple):
                fits = len(value) == len(shape)
                self.demand(place, fits, f"it must have {len(shape)} entries", value)
            parts = enumerate(zip(_shapes(shape), value))
            return tuple([self._read(f"{place}[{i}]", *both) for i, both in parts])
        if shape is str:
            self.demand(place, isinstance(value, str), "it must be text", value)
            return value
        number = value
        if isinstance(value, str):
            with suppress(ExactPermError):
                number = parse_exact(value)
        fits = type(number) is int
        if shape is None:
            fits = fits or type(number) is Fraction
            rule = "it must be the text of an exact number"
        elif isinstance(shape, range):
            fits = fits and number in shape
            rule = f"it must be an integer, between {shape[0]} and {shape[-1]}"
        else:
            fits = fits and number >= shape
            rule = f"it must be an integer, at least {short_text(shape)}"
        self.demand(place, fits, rule, value)
        return number
