"""Findings of an audit: for each claim the verdict, the exact p-value, and the reasons."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from .._types import TYPE_CHECKING, Any, Union
from ..arithmetic.quoting import printable, short_text
from ..arithmetic.writing import decimal_string, exact_text, fraction_text
from ..record import Record

if TYPE_CHECKING:
    from .claims import Claim
    from .printed import PrintedPValue


Exactly = Union[Fraction, tuple[Fraction, Fraction]]


LEVELS = ("decision-inconsistent", "inconsistent", "undecided", "unreadable", "consistent")
"""The verdicts, in the order in which a report shows them."""


IN_BINARY = "in binary floating point"
"""Words of a convention that is computed in doubles."""

REASONS = {
    "equal": "the printed number is the p-value",
    "same-double": "the printed number is the p-value as a floating-point number",
    "float-noise": "the printed number is the p-value but for rounding errors of floating point",
    "rounds": "the p-value rounds to the printed number",
    "truncates": "the printed number is the p-value with its further digits cut off",
    "claim-true": "what is claimed of the p-value is true",
    "printed-zero": "the p-value rounds to the printed zero",
    "monte-carlo": "random assignments may well give the printed estimate",
    "bracket": "the p-value is known between bounds",
    "usual-convention": "a usual convention of the stated statistic prints this text; the claim states no other",
    "package": "a package computes the stated convention so",
    "float-ties": "the p-value where floating point loses ties of the scores",
    "rounded": "a p-value of scores that round to the given ones",
    "open-convention": "the text is that of a convention which the claim leaves open, but which is not the usual one",
    "other-order": "the text is that of the columns in the other order",
    "doubt": "the p-value prints otherwise, but the data may not be read as they were meant",
    "claim-false": "what is claimed of the p-value is false",
    "impossible": "no p-value is above 1 or below 0",
    "explained-by": "another convention than the stated one prints this text",
    "exact-asked-approximate-returned": "the text is that of an approximation, but an exact test is stated",
    "n-differs": "the data have another number of pairs than stated",
    "data-differ": "the data are not those that the line names",
    "order-differs": "the line names the same two files in the other order",
    "no-explanation": "no reading of the claim that was tried gives the printed number",
    "unreadable": "the claim or its data cannot be read",
}
"""Meaning of each reason."""


_VERDICTS = {
    "decision-inconsistent": "is inconsistent with the data, and so is its decision",
    "inconsistent": "is inconsistent with the data",
    "undecided": "is undecided",
    "unreadable": "has no verdict",
    "consistent": "is consistent with the data",
}
"""The levels as predicates of the printed text."""


_NAMES_CONVENTION = (
    *(
        "usual-convention",
        "package",
        "float-ties",
        "rounded",
        "open-convention",
        "other-order",
        "monte-carlo",
    ),
    *("explained-by", "exact-asked-approximate-returned", "n-differs"),
)
"""Reasons that need the convention on the line."""


_WRONG_NUMBER = (
    "claim-false",
    "impossible",
    "explained-by",
    "exact-asked-approximate-returned",
    "no-explanation",
)
"""Reasons that accuse the printed number, and not what is said of its data."""


_SEARCHED = ("explained-by", "exact-asked-approximate-returned", "n-differs")
"""Reasons that a search among many has found."""


class Fit(Record):
    """A convention under which the claim prints as it does: its words, its value, and the word of the reading."""

    convention: str
    value: Exactly
    reading: str

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form."""
        return {
            "convention": self.convention,
            "value": _written(self.value),
            "reading": self.reading,
        }


class StatisticCheck(Record):
    """A printed statistic: whether it is ``of_data``, and whether the printed p-value is ``of_statistic``.

    Each is None where it cannot be told. ``data`` says what the data give, or which of their
    statistics the text is; ``pvalue`` in words whether the printed p-value agrees with it.
    """

    text: str
    of_data: bool | None = None
    of_statistic: bool | None = None
    data: str = ""
    pvalue: str = ""

    @property
    def sentence(self) -> str:
        """Both answers in a sentence."""
        word = {True: "agrees with", False: "disagrees with", None: "cannot be compared with"}[
            self.of_data
        ]
        beside = f" ({self.data})" if self.data else ""
        more = f"; the printed p-value {self.pvalue}" if self.of_statistic is not None else ""
        return f"The printed statistic {short_text(self.text)} {word} the data{beside}{more}."

    @property
    def flag(self) -> str:
        """What disagrees, in a few words; "" where nothing does."""
        told = ["statistic disagrees with the data"] if self.of_data is False else []
        told += ["p disagrees with the printed statistic"] if self.of_statistic is False else []
        return "; ".join(told)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form."""
        return {
            "printed": self.text,
            "agrees_with_data": self.of_data,
            "pvalue_agrees": self.of_statistic,
            "sentence": self.sentence,
        }


class Finding(Record):
    """The verdict on one claim.

    ``level``: consistent, inconsistent, decision-inconsistent, undecided or unreadable; ``reason``
        one word for it.
    ``exact``: the exact p-value under the stated tail and boundary, or a pair of bounds, None where
        there is none.
    ``fits``: the conventions that print the same text, the stated one first. ``chance``: the
    probability that a wrong text of the same unit would be explained as well. ``decision``:
    (printed, exact) decisions at alpha, None where the text, or what the claim does not state,
    leaves it open. ``attainable``: whether the printed p-value is possible at all for this many
    pairs. ``stated``: the convention that the claim is read by, in words; ``assumed``: its defaults
    that the claim does not state. ``n``: the number of ``units``: pairs, groups, or items of
    several runs;
    ``dropped``: that of units left out for a missing value. ``doubt``: what may be read wrongly in
    the data, which keeps an accusation undecided. ``statistic``:
    whether the printed test statistic, where there is one, agrees with the data, and the printed
    p-value with it.
    ``given``: the p-value of the data under the stated convention with its law; ``tried``: the
    readings of the claim that do not give the printed number, where it is inconsistent.
    """

    id: str
    source: str
    level: str
    reason: str
    claim: Claim | None = None
    printed: PrintedPValue | None = None
    exact: Exactly | None = None
    given: Exactly | None = None
    fits: tuple[Fit, ...] = ()
    tried: tuple[Fit, ...] = ()
    chance: Fraction | None = None
    decision: tuple[bool | None, bool | None] = (None, None)
    attainable: bool | None = None
    notes: tuple[str, ...] = ()
    sha256: str | None = None
    stated: str = ""
    assumed: tuple[str, ...] = ()
    n: int | None = None
    units: str = "pairs"
    dropped: int = 0
    doubt: str = ""
    statistic: StatisticCheck | None = None
    seconds: float = 0.0
    place: str = ""

    @property
    def decides_otherwise(self) -> bool:
        """Whether the printed and the exact p-value fall on different sides of alpha."""
        printed, exact = self.decision
        return None not in (printed, exact) and printed != exact

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form: fractions as text, two for a bracket."""
        return {
            "id": self.id,
            "source": self.source,
            "level": self.level,
            "reason": self.reason,
            "sentence": self.sentence,
            "printed": None if self.claim is None else self.claim.p,
            "exact": None if self.exact is None else _written(self.exact),
            "exact_decimal": None if self.exact is None else _decimals(self.exact, 6),
            "decision": list(self.decision),
            "given": None if self.given is None else _decimals(self.given, 6),
            "tried": [fit.to_dict() for fit in self.tried],
            "fits": [fit.to_dict() for fit in self.fits],
            "chance": None if self.chance is None else decimal_string(self.chance, 3),
            "attainable": self.attainable,
            "notes": list(self.notes),
            "sha256": self.sha256,
            "stated": self.stated,
            "assumed": list(self.assumed),
            "doubt": self.doubt,
            "statistic": None if self.statistic is None else self.statistic.to_dict(),
            "n": self.n,
            "dropped_pairs": self.dropped,
            "claim": None if self.claim is None else self.claim.to_dict(),
            "place": self.place,
        }

    @property
    def heading(self) -> str:
        """The verdict in a short sentence, with the name of the claim where it has one."""
        printed = "the claim" if self.claim is None else short_text(self.claim.p)
        name = f"{self.id}: " if self.id else ""
        return f"{name}{printed} {_VERDICTS[self.level]}: {REASONS[self.reason]}"

    @property
    def sentence(self) -> str:
        """The verdict as a sentence that its author may be shown: what is printed, what the data give, and why."""
        if self.level == "unreadable":
            return f"The claim cannot be read: {'; '.join(self.notes)}."
        if self.claim is None:
            return f"There is no claim: {REASONS[self.reason]}."
        why = REASONS[self.reason]
        if self.reason in _NAMES_CONVENTION and self.fits:
            why = f"{why}: {self.fits[0].convention}, {_decimals(self.fits[0].value, 6)}"
        why = f"{why} ({self.doubt})" if self.doubt else why
        sides = ("at most", "above") if self.decision[0] else ("above", "at most")
        ends = f"The printed number is {sides[0]} the level of significance, that of the exact test {sides[1]} it."
        told = [f"{self._given(self.claim)}: {why}.", *([ends] if self.decides_otherwise else [])]
        return " ".join([*told, *([self.statistic.sentence] if self.statistic else [])])

    def _given(self, claim: Claim) -> str:
        """Return what the document prints, and what the data give by the stated test."""
        printed = f"The document prints {short_text(claim.p)}"
        if self.exact is None:
            return printed
        exact, pairs = _decimals(self.exact, 6), f"{self.n} {self.units}"
        if claim.law == "exact" or self.given is None:
            how = (
                f"of which an estimate is stated, {self.stated}"
                if claim.law == "monte-carlo"
                else self.stated
            )
            return f"{printed}; the exact p-value of these {pairs} is {exact} ({how})"
        given = f"{_decimals(self.given, 6)} ({self.stated})"
        return f"{printed}; these {pairs} give {given}, and {exact} by the exact test"

    def letter(self) -> Iterator[str]:
        """Yield the verdict as sentences for its author: what is printed, what is right, what was tried."""
        yield self.sentence
        accused = self.level.endswith("inconsistent")
        text = self._right() if accused and self.reason in _WRONG_NUMBER else None
        if text is not None:
            yield f"With as many decimals as are printed, the p-value of the data is {text}."
        if self.tried:
            yield "Other readings that were tried give other numbers:"
            yield from _listed(self.tried)
        assumed = [
            f"the {name} ({word})" for name, _, word in (one.partition(" ") for one in self.assumed)
        ]
        told = (
            f"Not stated in the document, and assumed here: {', '.join(assumed)}. "
            if assumed
            else ""
        )
        told += "If another test or other data were meant, please say which." if accused else ""
        if told:
            yield told.strip()

    def _right(self) -> str | None:
        """Return the p-value of the data by the stated test as the document would print it; None where that is open."""
        right = self.exact if self.given is None else self.given
        if self.printed is None or right is None:
            return None
        texts = {
            self.printed.alike(end) for end in (right if isinstance(right, tuple) else (right,))
        }
        return texts.pop() if len(texts) == 1 else None

    def cells(self) -> tuple[str, str, str, str, str]:
        """Return id, verdict, printed text, exact p-value, and the reason in words, before its code."""
        printed = "" if self.claim is None else str(self.claim.p)
        exact = "" if self.exact is None else _decimals(self.exact, 6)
        return self.id, self.level, printed, exact, f"{REASONS[self.reason]} [{self.reason}]"

    def __str__(self) -> str:
        return "\n".join(
            map(printable, [self.heading, *(f"  {detail}" for detail in self.details())])
        )

    def _repr_html_(self) -> str:
        """Return the table that notebooks show."""
        from textwrap import wrap

        from ..display.table import MOST_LETTERS, table

        names = ("verdict", "printed", "exact p", "reason")
        details = [part for detail in self.details() for part in wrap(detail, MOST_LETTERS)]
        rows = [*zip(names, self.cells()[1:]), *(("", detail) for detail in details)]
        return table(self.heading, [row for row in rows if row[1]])

    def line(self) -> str:
        """Return the finding in one line of text."""
        printed = "" if self.claim is None else f"  printed {self.claim.p!r}"
        exact = "" if self.exact is None else f"  exact p = {_decimals(self.exact, 4)}"
        flag = " (decides otherwise)" if self.decides_otherwise else ""
        dropped = f" ({self.dropped} pairs left out)" if self.dropped else ""
        doubt = f"; doubt: {self.doubt}" if self.doubt else ""
        n = (
            f": n stated as {self.claim.n}, the data have {self.n}"
            if self.claim and self.reason == "n-differs"
            else ""
        )
        statistic = f" ({self.statistic.flag})" if self.statistic and self.statistic.flag else ""
        more = f"{n}{self._convention()}{flag}{statistic}{dropped}{doubt}"
        return f"{self.level:<22} {self.id}{printed}{exact}  {REASONS[self.reason]}{more} [{self.reason}]"

    def _convention(self) -> str:
        """Return the convention that explains the text, or a stated one other than the exact test; "" for others."""
        if self.reason in _NAMES_CONVENTION and self.fits:
            return f": {self.fits[0].convention}"
        return (
            ""
            if self.claim is None or self.claim.law == "exact" or not self.stated
            else f"; stated: {self.stated}"
        )

    def details(self) -> Iterator[str]:
        """Yield more lines: the verdict as a letter, then the exact p-value, the evidence and where they come from."""
        if self.level != "unreadable":
            yield from self.letter()
        if isinstance(self.exact, Fraction):
            yield f"exact p-value: {_decimals(self.exact, 6)} = {fraction_text(self.exact)}"
        elif self.exact is not None:
            yield f"exact p-value: between {' and '.join(decimal_string(end, 6) for end in self.exact)}"
        yield from self.evidence()
        if self.sha256 is not None:
            yield f"data: SHA-256 {self.sha256}"
        if self.place:
            yield f"claim: {self.place}"
        if self.claim is not None and self.claim.note is not None:
            yield f"note of the claim: {self.claim.note}"

    def evidence(self) -> Iterator[str]:
        """Yield the conventions that print the text, the chance of that, and the notes."""
        for fit in self.fits:
            yield f"printed by: {fit.convention}: {_decimals(fit.value, 6)} ({REASONS.get(fit.reading, fit.reading)})"
        if self.reason in _SEARCHED and self.chance is not None:
            yield f"chance that a wrong text is explained as well: {decimal_string(self.chance, 2)}"
        yield from self.notes


def _listed(tried: tuple[Fit, ...]) -> Iterator[str]:
    """Yield a line for each test: its readings, each with its number to three digits.

    Those of one side and number are named once, and floating point only where it changes the
    number.
    """
    found: dict[str, list[str]] = {}
    known: set[tuple[str, str]] = set()
    for one in tried:
        test, _, axes = one.convention.partition(", ")
        number = _decimals(one.value, 3) if one.value else "0"
        said = axes.partition(f", {IN_BINARY}")[0], number
        if said not in known:
            known.add(said)
            found.setdefault(test, []).append(f"{axes}: {number}")
    for test, numbers in found.items():
        yield f"- {test}: {'; '.join(numbers)}"


def _written(value: Exactly) -> Any:
    return exact_text(value) if isinstance(value, Fraction) else [exact_text(end) for end in value]


def _decimals(value: Exactly, digits: int) -> str:
    if isinstance(value, Fraction):
        return decimal_string(value, digits)
    low, high = [decimal_string(end, digits) for end in value]
    return low if low == high else f"{low} to {high}"
