"""What an audit returns for each claim: its verdict, the exact p-value, and the reasons."""

from __future__ import annotations

from fractions import Fraction

from ..arithmetic.writing import decimal_string, exact_text, fraction_text
from ..record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Union

    from .claims import Claim
    from .printed import PrintedPValue

    Exactly = Union[Fraction, tuple[Fraction, Fraction]]

LEVELS = ("decision-inconsistent", "inconsistent", "undecided", "unreadable", "consistent")
"""The verdicts, in the order in which a report shows them."""


class Fit(Record):
    """A convention under which the claim prints as it does: its words, its value, and the word of the reading."""

    convention: str
    value: Exactly
    reading: str

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form."""
        return {"convention": self.convention, "value": _written(self.value), "reading": self.reading}


class Finding(Record):
    """The verdict on one claim.

    ``level``: consistent, inconsistent, decision-inconsistent, undecided or unreadable; ``reason`` one word for it.
    ``exact``: the exact p-value under the stated tail and boundary, or a pair of bounds, None where there is none.
    ``fits``: the conventions that print the same text, the stated one first. ``chance``: the probability that a wrong
    text of the same unit would be explained as well. ``decision``: (printed, exact) decisions at alpha, None where
    the text leaves it open. ``attainable``: whether the printed p-value is possible at all for this many pairs.
    ``dropped``: the number of pairs left out for a missing value.
    """

    id: str
    source: str
    level: str
    reason: str
    claim: Claim | None = None
    printed: PrintedPValue | None = None
    exact: Exactly | None = None
    fits: tuple[Fit, ...] = ()
    chance: Fraction | None = None
    decision: tuple[bool | None, bool | None] = (None, None)
    attainable: bool | None = None
    notes: tuple[str, ...] = ()
    sha256: str | None = None
    dropped: int = 0
    seconds: float = 0.0
    place: str = ""

    @property
    def decides_otherwise(self) -> bool:
        """Whether the printed and the exact p-value fall on different sides of alpha."""
        printed, exact = self.decision
        return None not in (printed, exact) and printed != exact

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form: fractions as text, two for a bracket."""
        return {
            "id": self.id,
            "source": self.source,
            "level": self.level,
            "reason": self.reason,
            "printed": None if self.claim is None else self.claim.p,
            "exact": None if self.exact is None else _written(self.exact),
            "exact_decimal": None if self.exact is None else _decimals(self.exact, 6),
            "decision": list(self.decision),
            "fits": [fit.to_dict() for fit in self.fits],
            "chance": None if self.chance is None else decimal_string(self.chance, 3),
            "attainable": self.attainable,
            "notes": list(self.notes),
            "sha256": self.sha256,
            "dropped_pairs": self.dropped,
            "claim": None if self.claim is None else self.claim.to_dict(),
            "place": self.place,
        }

    def cells(self) -> tuple[str, str, str, str, str]:
        """Return id, level, reason, printed text and exact p-value."""
        printed = "" if self.claim is None else str(self.claim.p)
        return self.id, self.level, self.reason, printed, "" if self.exact is None else _decimals(self.exact, 6)

    def _repr_html_(self) -> str:
        """Return the table that notebooks show."""
        from ..display.table import table

        names = ("verdict", "reason", "printed", "exact p")
        rows = [*zip(names, self.cells()[1:]), *(("", detail) for detail in self.details())]
        return table(self.id, [row for row in rows if row[1]])

    def line(self) -> str:
        """The finding in one line of text."""
        printed = "" if self.claim is None else f"  printed {self.claim.p!r}"
        exact = "" if self.exact is None else f"  exact p = {_decimals(self.exact, 4)}"
        flag = "  (decides otherwise)" if self.decides_otherwise else ""
        dropped = f"  ({self.dropped} pairs left out)" if self.dropped else ""
        return f"{self.level:<22} {self.reason:<36} {self.id}{printed}{exact}{flag}{dropped}"

    def details(self) -> Iterator[str]:
        """More lines: the fraction, fits, chance and notes."""
        if isinstance(self.exact, Fraction):
            yield f"exactly {fraction_text(self.exact)}"
        for fit in self.fits:
            yield f"fits {fit.convention}: {_decimals(fit.value, 6)} ({fit.reading})"
        if self.chance is not None and self.level != "consistent":
            yield f"chance that a wrong text fits as well: {decimal_string(self.chance, 2)}"
        yield from self.notes


def _written(value: Exactly) -> Any:
    return exact_text(value) if isinstance(value, Fraction) else [exact_text(end) for end in value]


def _decimals(value: Exactly, digits: int) -> str:
    if isinstance(value, Fraction):
        return decimal_string(value, digits)
    low, high = [decimal_string(end, digits) for end in value]
    return low if low == high else f"{low} to {high}"
