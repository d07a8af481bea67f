"""Read the fields of a record from outside, and name the field that is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import repeat

from .._types import Any
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact
from ..arithmetic.writing import exact_text, parse_exact
from ..errors import ExactPermError

MOST_DIGITS = 50
"""Digits that a bracket aims at, at most."""


class Plain(int):
    """The least integer of a field that is written as a number, not as text."""


Shape = Any
"""Of what is written: [shape] of all entries of a list, a tuple of the shapes of each entry, the least integer, or
None for an exact number."""


def written(shape: Shape, value: Any) -> Any:
    """Return what a record holds of a value: numbers as text, but for plain ones.

    >>> written([(Plain(1), None)], [(3, 2)])
    [[3, '2']]
    """
    if isinstance(shape, (list, tuple)):
        shapes = shape if isinstance(shape, tuple) else repeat(shape[0])
        return [written(*both) for both in zip(shapes, value)]
    return value if isinstance(shape, Plain) else exact_text(value)


class Fields:
    """Checked access to the fields of a mapping; ``kind`` names the expected record, such as "a test result".

    >>> Fields({"n": 3}, "a test result").integer("n", most=9)
    3
    """

    def __init__(self, data: object, kind: str) -> None:
        self._kind = kind
        if not isinstance(data, Mapping):
            raise ExactPermError(
                f"the record is {short_text(data)}: a record of {kind} is a mapping"
            )
        self._data = data

    def __contains__(self, name: str) -> bool:
        return name in self._data

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

    def take(self, name: str, check: Callable[[object], None]) -> Any:
        """Return the field after a check that raises."""
        check(self[name])
        return self[name]

    def shaped(self, name: str, shape: Shape) -> Any:
        """Return a field of this shape, with tuples for lists."""
        return self._shaped(name, shape, self[name])

    def _shaped(self, place: str, shape: Shape, value: Any) -> Any:
        if shape is None:
            return self.number(place, value)
        if isinstance(shape, int):
            return self.whole(place, value, shape)
        self.demand(place, isinstance(value, (list, tuple)), "it must be a list", value)
        if isinstance(shape, tuple):
            fits = len(value) == len(shape)
            self.demand(place, fits, f"it must have {len(shape)} entries", value)
        shapes = shape if isinstance(shape, tuple) else repeat(shape[0])
        parts = enumerate(zip(shapes, value))
        return tuple([self._shaped(f"{place}[{i}]", *both) for i, both in parts])

    def integer(self, name: str, least: int = 0, most: int | None = None) -> int:
        """Return a field that must be an integer, as number or text, between ``least`` and ``most``."""
        return self.whole(name, self[name], least, most)

    def whole(self, name: str, value: object, least: int, most: int | None = None) -> int:
        """Return a value that must be an integer, as number or text; ``name`` is for the message."""
        number: Any = self.number(name, value) if isinstance(value, str) else value
        fits = type(number) is int and number >= least and (most is None or number <= most)
        limits = f"between {least} and {short_text(most)}"
        if most is None:
            limits = f"at least {short_text(least)}"
        self.demand(name, fits, f"it must be an integer, {limits}", value)
        return int(number)

    def number(self, name: str, text: Any) -> Exact:
        """Return an exact number from its text; ``name`` is for the message."""
        try:
            return parse_exact(text)
        except (ExactPermError, AttributeError):
            raise ExactPermError(
                f"{name} of the record is {short_text(text)}: it must be the text of an exact number"
            ) from None
