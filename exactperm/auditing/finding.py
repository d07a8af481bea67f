"""Findings of an audit: for each claim the verdict, the exact p-value, and what to write to the author."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import printable, short_text
from ..arithmetic.rational import Exact
from ..arithmetic.writing import decimal_string, exact_text, fraction_text, number_text
from ..record import Record

if TYPE_CHECKING:
    from ..null.sentence import PValue
    from .claim import Claim
    from .text import PrintedPValue

HEAPS = {
    "wrong": "cannot be",
    "question": "true only if the author answers yes",
    "undecided": "not decided by the work allowed",
    "unreadable": "not read",
    "fine": "fine",
}
"""The verdicts in the order in which a report shows them, decision errors first in each, and their meaning."""

REASONS = {
    "prints": "a usual reading of the claim prints this",
    "condition": "only a less usual reading of the claim prints this",
    "explained": "no reading of the claim prints this, but something near to it does",
    "unexplained": "no reading of the claim prints this",
    "data": "the data are not those that the claim states",
    "impossible": "no p-value is above 1 or below 0",
    "budget": "the work allowed ends before the readings do",
    "unreadable": "the claim or its data cannot be read",
}
"""Meaning of each reason."""


class Match(Record):
    """One reading that prints a text: its ``words`` and ``value``, and ``by`` whom it is printed so.

    ``only_if`` says what must have been meant for the claim to be true, ``question`` asks its
    author for it. ``told`` says what a wrong number is instead.
    """

    words: str
    value: PValue
    by: str = ""
    only_if: str = ""
    question: str = ""
    told: str = ""


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
        agrees = {True: "agrees with", False: "disagrees with", None: "cannot be compared with"}
        beside = f" ({self.data})" if self.data else ""
        more = f"; the printed p-value {self.pvalue}" if self.of_statistic is not None else ""
        told = f"The printed statistic {short_text(self.text)} {agrees[self.of_data]} the data"
        return f"{told}{beside}{more}."

    @property
    def flag(self) -> str:
        """What disagrees, in a few words; "" where nothing does."""
        told = ["statistic disagrees with the data"] if self.of_data is False else []
        told += ["p disagrees with the printed statistic"] if self.of_statistic is False else []
        return "; ".join(told)


class Finding(Record):
    """The verdict on one claim.

    - ``heap``: "fine", "question" (true only if its author answers yes), "wrong", "undecided" (by
      the budget alone) or "unreadable"; ``reason``: a key of :data:`REASONS`.
    - ``taken``: the test that the claim is taken for, in words; ``assumed`` what of it the document
      does not state.
    - ``exact``: the exact p-value of that test, or a pair of bounds, None where there is none;
      ``given``: that by its law.
    - ``fit``: the usual reading that prints the text; ``conditions``: at most three readings that
      print it, the nearest first; ``nearest``: what a wrong number is instead, and ``share`` the
      share of wrong texts of the same unit to which something as near could be said.
    - ``significant``: whether p is at most ``alpha`` as printed, and by the data; None where the
      text, or what the claim does not state, leaves it open.
    - ``understated``: the stars of the legend that the p-value has earned instead.
    - ``n``: the number of ``units``, "pairs", "groups" or "items"; ``dropped``: that of units left
      out for a missing value. ``sha256``: that of the data files. ``seconds``: the work it took.
    """

    id: str
    source: str = ""
    place: str = ""
    heap: str
    reason: str
    claim: Claim | None = None
    printed: PrintedPValue | None = None
    exact: PValue | None = None
    given: PValue | None = None
    taken: str = ""
    assumed: tuple[str, ...] = ()
    fit: Match | None = None
    conditions: tuple[Match, ...] = ()
    nearest: Match | None = None
    share: Fraction | None = None
    significant: tuple[bool | None, bool | None] = (None, None)
    understated: str = ""
    statistic: StatisticCheck | None = None
    notes: tuple[str, ...] = ()
    sha256: str | None = None
    n: int | None = None
    units: str = "pairs"
    dropped: int = 0
    alpha: Exact = Fraction(1, 20)
    seconds: float = 0.0

    @property
    def decision_differs(self) -> bool:
        """Whether the printed p-value and that of the data fall on different sides of alpha."""
        printed, found = self.significant
        return None not in (printed, found) and printed != found

    @property
    def order(self) -> tuple[int, bool]:
        """The place in a report: by verdict, decision errors first."""
        return [*HEAPS].index(self.heap), not self.decision_differs

    @property
    def verdict(self) -> str:
        """The verdict in a word; WRONG for a decision error, with its level."""
        differs = self.decision_differs and self.heap == "wrong"
        return f"WRONG at {self._level}" if differs else self.heap

    def line(self) -> str:
        """Return the finding in one line of text.

        >>> from exactperm import audit_claim
        >>> maize = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
        >>> audit_claim({"p": "p = .0497", "data": maize, "law": "exact", "rounded": "no"}).line()
        'WRONG at .05  printed p = .0497, exact p = .0527: it is the paired t-test, two-sided (.0497)'
        """
        return "  ".join(part for part in (self.verdict, self.id, self.sentence) if part)

    @property
    def sentence(self) -> str:
        """What is printed, the exact p-value, and in a clause what follows."""
        if self.claim is None or self.heap == "unreadable":
            return "; ".join(self.notes)
        exact = "" if self.exact is None else f", exact p = {self._short(self.exact)}"
        clauses = [self._because(), self.statistic.flag if self.statistic else ""]
        if self.decision_differs and self.heap != "wrong":
            clauses.append(f"the exact test decides otherwise at {self._level}")
        units = self.units[:-1] if self.dropped == 1 else self.units
        clauses += [f"{self.dropped} {units} left out"] if self.dropped else []
        told = "; ".join(filter(None, clauses))
        return f"printed {self.claim.p.strip()}{exact}{': ' if told else ''}{told}"

    def _because(self) -> str:
        """Return what follows from the readings, in a clause; "" where the two numbers say it."""
        if self.reason == "data" and self.claim and self.claim.n not in (None, self.n):
            near = f", {self.nearest.told}" if self.nearest else ""
            return f"n is stated as {self.claim.n}, the data have {self.n}{near}"
        if self.understated:
            return f"consistent, understated (the legend allows {self.understated})"
        if self.fit is not None:
            other = self.fit.value != self.exact
            told = f"{self.fit.words} ({self._short(self.fit.value)})" if other else ""
            return ", ".join(
                filter(None, [told, f"as printed by {self.fit.by}" * bool(self.fit.by)])
            )
        if self.conditions:
            return f"true only if {', or if '.join(one.only_if for one in self.conditions)}"
        exactly = self.printed is not None and self.printed.relation == "="
        if self.nearest is not None and exactly:
            return f"{self.nearest.told} ({self._short(self.nearest.value)})"
        if self.reason == "unexplained" and self.given not in (None, self.exact):
            return f"{self.taken} gives {self._short(self.given)}"
        return "" if self.reason in ("explained", "unexplained") else REASONS[self.reason]

    def letter(self) -> Iterator[str]:
        """Yield the verdict in paragraphs for its author: the numbers, the test, what was assumed, what is near."""
        if self.claim is None or self.heap == "unreadable":
            yield from self.notes
            return
        yield f"The document prints {short_text(self.claim.p)}. {self._of_data()}"
        yield from self._verdicts()
        if self.decision_differs:
            sides = ("significant", "not significant")
            first, second = sides if self.significant[0] else sides[::-1]
            yield f"At the level {self._level} it is {first} as printed, and {second} by the exact test."
        if self.statistic is not None:
            yield self.statistic.sentence
        if self.assumed and self.heap != "fine":
            told = f"We take it for the {self.taken}; the document does not state: "
            yield f"{told}{', '.join(self.assumed)}. If another test was meant, please say which."

    def _of_data(self) -> str:
        """Return what the data give by the test that the claim is taken for."""
        if self.exact is None:
            return f"No p-value of these {self.n} {self.units} is known."
        data, exact = f"these {self.n} {self.units}", self._short(self.exact)
        if self.given in (None, self.exact):
            return f"The exact p-value of {data} is {exact} ({self.taken})."
        given = self._short(self.given)
        return f"The {self.taken} of {data} gives {given}, the exact test {exact}."

    def _verdicts(self) -> Iterator[str]:
        if self.fit is not None:
            by = f", as printed by {self.fit.by}" if self.fit.by else ""
            told = f": {self.fit.words}, {self._short(self.fit.value)}{by}"
            yield f"That is right{'' if self.fit.value == self.exact and not by else told}."
        for i, one in enumerate(self.conditions):
            told = f"{'Or' if i else 'It is true only'} if {one.only_if}: {self._short(one.value)}."
            yield f"{told} {one.question}"
        if self.heap == "wrong":
            told = f"{REASONS[self.reason][0].upper()}{REASONS[self.reason][1:]}."
            right = self._right() if self.reason != "data" else None
            yield f"{told} With as many decimals it would be {right}." if right else told
        if self.nearest is not None:
            near = self.nearest
            yield f"{near.told[0].upper()}{near.told[1:]}: {near.words}, {self._short(near.value)}."
        if self.heap == "undecided":
            yield "The work allowed does not decide whether that is right."

    def _right(self) -> str | None:
        """Return the p-value of the data as the document would print it; None where that is open."""
        right = self.exact if self.given is None else self.given
        if self.printed is None or right is None:
            return None
        ends = right if isinstance(right, tuple) else (right, right)
        texts = {self.printed.alike(end) for end in ends}
        return texts.pop() if len(texts) == 1 else None

    def evidence(self) -> Iterator[str]:
        """Yield the exact fraction, the chance of an explanation, notes, and where the data are from."""
        if isinstance(self.exact, Fraction):
            yield f"exact p-value: {decimals(self.exact, 6)} = {fraction_text(self.exact)}"
        elif self.exact is not None:
            low, high = [decimal_string(end, 6) for end in self.exact]
            yield f"exact p-value: between {low} and {high}"
        if self.nearest is not None and self.share is not None:
            told = decimal_string(self.share, 2) if self.share else "0"
            yield f"share of wrong numbers that would get a hint as near by chance: {told}"
        yield from self.notes if self.heap != "unreadable" else ()
        yield from [f"data: SHA-256 {self.sha256}"] if self.sha256 else []
        yield from [f"claim: {self.place}"] if self.place else []
        note = None if self.claim is None else self.claim.note
        yield from [f"note of the claim: {note}"] if note else []

    def _short(self, value: PValue) -> str:
        """Write a p-value in the manner of the printed one, with three digits or as many as it has."""
        printed = self.printed
        figures = 3
        if printed is not None and printed.value and printed.unit and printed.form == "decimal":
            figures = max(3, min(12, len(str(int(printed.value / printed.unit)))))
        return self._bare(decimals(value, figures))

    @property
    def _level(self) -> str:
        return self._bare(number_text(self.alpha))

    def _bare(self, text: str) -> str:
        """Return a number without the zero before its point where the document prints none."""
        has_zero = self.claim is not None and "0." in self.claim.p
        return text if has_zero else text.replace("0.", ".") if text.startswith("0.") else text

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form: fractions as text, two for bounds."""
        found = {name: _plain(getattr(self, name)) for name in self._fields if name != "seconds"}
        return {
            **found,
            "printed": None if self.claim is None else self.claim.p,
            "exact_decimal": None if self.exact is None else decimals(self.exact, 6),
            "significant": dict(zip(("as_printed", "by_data"), self.significant)),
            "decision_differs": self.decision_differs,
            "sentence": self.sentence,
            "letter": list(self.letter()),
        }

    def __str__(self) -> str:
        told = [self.line(), *(f"  {one}" for one in (*self.letter(), *self.evidence()))]
        return "\n".join(map(printable, told))

    def _repr_html_(self) -> str:
        """Return the table that notebooks show."""
        from textwrap import wrap

        from ..display.table import MOST_LETTERS, table

        told = [
            part for one in (*self.letter(), *self.evidence()) for part in wrap(one, MOST_LETTERS)
        ]
        return table(self.verdict, [(self.id, self.sentence), *(("", part) for part in told)])


def _plain(value: Any) -> Any:
    """Return a value of a finding as JSON has it."""
    if isinstance(value, Fraction):
        return exact_text(value)
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if not isinstance(value, Record):
        return value
    own = getattr(value, "to_dict", None)
    return own() if own else {name: _plain(getattr(value, name)) for name in value._fields}


def decimals(value: PValue, digits: int) -> str:
    """Write a p-value with so many digits, bounds as two numbers.

    >>> decimals((Fraction(1, 3), Fraction(1, 2)), 2)
    '0.33 to 0.50'
    """
    if isinstance(value, Fraction):
        return decimal_string(value, digits)
    low, high = [decimal_string(end, digits) for end in value]
    return low if low == high else f"{low} to {high}"
