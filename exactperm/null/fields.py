"""Read the fields of a record from outside, and name the field that is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .._types import Any
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact
from ..arithmetic.reading import parse_exact
from ..errors import ExactPermError

MOST_DIGITS = 50
"""Digits that a bracket aims at, at most."""


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

    def __getitem__(self, name: str) -> Any:
        if name not in self._data:
            raise ExactPermError(f"the record has no {name}: it is no record of {self._kind}")
        return self._data[name]

    def demand(self, name: str, fits: bool, rule: str, *value: object) -> None:
        """Raise ``ExactPermError`` unless the field fits; ``value`` stands for its own value in the message."""
        if not fits:
            shown = short_text(value[0] if value else self[name])
            raise ExactPermError(f"{name} of the record is {shown}: {rule}")

    def take(self, name: str, check: Callable[[Any], None]) -> Any:
        """Return the field after a check that raises."""
        check(self[name])
        return self[name]

    def listed(self, name: str) -> list[Any]:
        """Return a field that must be a list."""
        self.demand(name, isinstance(self[name], (list, tuple)), "it must be a list")
        return list(self[name])

    def integer(self, name: str, least: int = 0, most: int | None = None) -> int:
        """Return a field that must be an integer, as number or text, between ``least`` and ``most``."""
        return self.whole(name, self[name], least, most)

    def whole(self, name: str, value: Any, least: int, most: int | None = None) -> int:
        """Return a value that must be an integer, as number or text; ``name`` is for the message."""
        number: Any = self.number(name, value) if isinstance(value, str) else value
        fits = type(number) is int and number >= least and (most is None or number <= most)
        limits = (
            f"at least {short_text(least)}"
            if most is None
            else f"between {least} and {short_text(most)}"
        )
        self.demand(name, fits, f"it must be an integer, {limits}", value)
        return int(number)

    def exact(self, name: str) -> Exact:
        """Return a field that must be the text of an exact number."""
        return self.number(name, self[name])

    def number(self, name: str, text: Any) -> Exact:
        """Return an exact number from its text; ``name`` is for the message."""
        try:
            return parse_exact(text)
        except (ExactPermError, AttributeError):
            raise ExactPermError(
                f"{name} of the record is {short_text(text)}: it must be the text of an exact number"
            ) from None
