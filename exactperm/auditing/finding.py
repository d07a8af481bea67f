"""Findings of an audit: for each claim the verdict, the exact p-value, and what to write to the author."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact
from ..arithmetic.writing import exact_text, fraction_text, number_text
from ..record import Record, Result
from .text import decimals

if TYPE_CHECKING:
    from ..errors import ExactPermError
    from ..null.sentence import PValue
    from .claim import Claim
    from .text import PrintedPValue

HEAPS = {
    "wrong": "wrong",
    "question": "to ask the author about",
    "undecided": "not decided by the work allowed",
    "unreadable": "not read",
    "fine": "fine",
}
"""The verdicts in the order in which a report shows them, decision errors first in each, and their words in its sum."""

_VERDICTS = {
    "wrong": "That cannot be right",
    "question": "That may be right",
    "undecided": "Whether that is right is open",
    "fine": "That is right",
}
"""The verdicts in a letter."""

REASONS = {
    "prints": "a usual test that the claim leaves open gives this number",
    "condition": "only a less usual test that the claim leaves open gives this number",
    "explained": "no test that the claim leaves open gives this number, but something near to it does",
    "unexplained": "no test that the claim leaves open gives this number",
    "data": "the data are not those that the claim states",
    "impossible": "no p-value is above 1 or below 0",
    "budget": "the work allowed ends before all tests are tried",
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
        more = "" if self.of_statistic is None else f"; the printed p-value {self.pvalue}"
        told = f"The printed statistic {short_text(self.text)} {agrees[self.of_data]}"
        return f"{told} the data{beside}{more}."

    @property
    def flag(self) -> str:
        """What disagrees, in a few words; "" where nothing does."""
        told = ["statistic disagrees with the data"] if self.of_data is False else []
        told += ["p disagrees with the printed statistic"] if self.of_statistic is False else []
        return "; ".join(told)


class Finding(Result):
    """The verdict on one claim.

    - ``heap``: "fine", "question" (true only if its author answers yes), "wrong", "undecided" (by
      the budget alone) or "unreadable", with the ``error`` that says why; ``reason``: a key of
      :data:`REASONS`.
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
      out for a missing value. ``sha256``: that of the data files. ``seconds``: the work it took;
      ``command``: what repeats it, where a front end says so.
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
    command: str | None = None
    _error: ExactPermError | None = None

    @property
    def error(self) -> ExactPermError | None:
        """Why the claim is not read; None for one that is."""
        return self._error

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
        return "  ".join(filter(None, (self.verdict, self.id, self.sentence)))

    heading = property(line)

    @property
    def sentence(self) -> str:
        """What is printed, the exact p-value, and in a clause what follows."""
        if self.printed is None:
            return "; ".join(self.notes)
        exact = "" if self.exact is None else f", exact p = {self._short(self.exact)}"
        other = self.decision_differs and self.heap != "wrong"
        left_out = f"{self.dropped} {self.units[: -1 if self.dropped == 1 else None]} left out"
        clauses = [
            self._because(),
            self.statistic.flag if self.statistic else "",
            f"the exact test decides otherwise at {self._level}" if other else "",
            left_out if self.dropped else "",
        ]
        told = "; ".join(filter(None, clauses))
        return f"printed {self.printed.text.strip()}{exact}{': ' if told else ''}{told}"

    def _because(self, *, whole: bool = False) -> str:
        """Return what follows from the readings, in a clause; "" where the two numbers say it, unless it is the ``whole``."""
        near, fit = self.nearest, self.fit
        if self.reason == "data" and self.claim and self.claim.n not in (None, self.n):
            told = f"n is stated as {self.claim.n}, the data have {self.n}"
            return f"{told}, {near.told}" if near else told
        if self.understated:
            return f"consistent, understated (the legend allows {self.understated})"
        if fit is not None:
            told = f"{fit.words} ({self._short(fit.value)})" if fit.value != self.exact else ""
            return ", ".join(filter(None, [told, fit.by and f"as printed by {fit.by}"]))
        if self.conditions:
            return f"true only if {', or if '.join(one.only_if for one in self.conditions)}"
        number = self.printed is not None and self.printed.relation == "="
        if near is not None and (whole or number):
            return f"{near.told} ({self._short(near.value)})"
        if self.reason == "unexplained" and self.given not in (None, self.exact):
            return f"{self.taken} gives {self._short(self.given)}"
        silent = self.reason in ("explained", "unexplained") and not whole
        return "" if silent else REASONS[self.reason]

    def letter(self) -> Iterator[str]:
        """Yield the verdict in paragraphs for its author: the numbers, the test, what is near, what was assumed."""
        if self.printed is None:
            yield from self.notes
            return
        yield f"The document prints {short_text(self.printed.text)}. {self._of_data()}"
        because = "" if self.conditions else self._because(whole=True)
        yield f"{_VERDICTS[self.heap]}{': ' if because else ''}{because}."
        for one in self.conditions:
            yield f"{one.question} Then it is right: {self._short(one.value)}."
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
        data = f"of these {self.n} {self.units}"
        if self.exact is None:
            return f"No p-value {data} is known."
        exact, given = self._short(self.exact), self._short(self.given)
        if self.given in (None, self.exact):
            return f"The exact p-value {data} is {exact} ({self.taken})."
        return f"The {self.taken} {data} gives {given}, the exact test {exact}."

    def rows(self) -> tuple[tuple[str, str], ...]:
        """Return the finding as rows (label, text): the letter, then what it rests on."""
        known = [("" if i else "letter", told) for i, told in enumerate(self.letter())]
        exact = "" if self.exact is None else decimals(self.exact, 6)
        exact += f" = {fraction_text(self.exact)}" if isinstance(self.exact, Fraction) else ""
        share = f"{decimals(self.share or Fraction(0), 2)} of all wrong numbers lie as near to some test"
        notes = () if self.printed is None else self.notes
        evidence = (
            ("exact", exact),
            ("by chance", "" if self.share is None else share),
            *(("note", told) for told in notes),
            ("data", f"SHA-256 {self.sha256}" if self.sha256 else ""),
            ("claim", self.place),
            ("its note", (self.claim and self.claim.note) or ""),
            ("to repeat", self.command or ""),
        )
        return (*known, *(row for row in evidence if row[1]))

    def _short(self, value: PValue | None) -> str:
        """Write a p-value in the manner of the printed one."""
        return self.printed.written(value) if self.printed is not None and value is not None else ""

    @property
    def _level(self) -> str:
        return self.printed.bare(number_text(self.alpha)) if self.printed is not None else ""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form: fractions as text, two for bounds."""
        apart = ("claim", "printed", "significant", "seconds", "_error")
        claim = self.claim
        return {
            **{name: _plain(getattr(self, name)) for name in self._fields if name not in apart},
            "claim": claim and claim.to_dict(),
            "printed": claim and claim.p,
            "exact_decimal": None if self.exact is None else decimals(self.exact, 6),
            "significant": dict(zip(("as_printed", "by_data"), self.significant)),
            "decision_differs": self.decision_differs,
            "sentence": self.sentence,
            "letter": list(self.letter()),
        }


def _plain(value: object) -> object:
    """Return a value of a finding as JSON has it."""
    if isinstance(value, Fraction):
        return exact_text(value)
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, Record):
        return {name: _plain(getattr(value, name)) for name in value._fields}
    return value
