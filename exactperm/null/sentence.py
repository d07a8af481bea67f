"""Write and read the line that reports a test in a paper: all that counts it again, but for the data.

    exactperm 0.2.0 | paired permutation, swaps of 60 pairs | sum of differences | two-sided
    | p = 0.0213 (exact 697/32768) | sha256:1a2b3c4d

in one line, the fields separated by " | ". Where the fraction is too long for a paper, ten digits
take its place: "p = 0.2002360555". A p-value that is known between bounds only is written as
"p in [LOWER, UPPER]" with decimals rounded outward.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

from .._types import Any, Union
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact
from ..arithmetic.reading import exact, probability
from ..arithmetic.writing import decimal_string, exact_text, number_text
from ..errors import ExactPermError
from ..record import Record
from ..swaps.statistic import Subject
from .alternative import ALTERNATIVES

PValue = Union[Fraction, tuple[Fraction, Fraction]]

_PAIRED = "paired permutation"
_MEANS = "difference of means"
_RANKS = "signed ranks"
_ROWS = (
    ("difference", _PAIRED, "sum of differences", ("difference", _MEANS)),
    ("accuracy", _PAIRED, "difference of accuracies", ("difference of accuracies",)),
    ("f1", _PAIRED, "difference of F1", ("difference of F1",)),
    ("precision", _PAIRED, "difference of precision", ("difference of precision",)),
    ("recall", _PAIRED, "difference of recall", ("difference of recall",)),
    ("ratio", _PAIRED, "difference of ratios of sums", ("difference of ratios",)),
    ("wilcoxon", "Wilcoxon signed-rank", "sum of signed ranks", (_RANKS,)),
    ("sign", "sign test", "number of positive differences", ("signs",)),
    ("mcnemar", "McNemar", "number of discordant items", ("discordant items",)),
)
"""Names of statistics in claims, the test and the statistic in words, and the names that results keep."""

STATISTICS = {name: (test, words) for name, test, words, _ in _ROWS}
_NAMED = {kept: name for name, _test, _words, names in _ROWS for kept in names}

ZEROS = {"wilcox": "zeros dropped", "pratt": "zeros by Pratt's rule", "zsplit": "zeros split"}
"""Rules for zeros of the signed-rank test in words."""

_MOVES = {"pairs": "swaps of", "groups": "swaps of", "differences": "sign flips of"}
_EXCHANGES = {
    "within": "runs exchanged within",
    "items": "blocks of runs swapped within",
    "systems": "whole runs exchanged over",
}
"""What a test of several runs does, by its design."""

_SWAPPED = "second minus first"
_WEIGHTS = r"items weighted|mean over \d{1,18} tasks? of the (?:weighted )?means over items"
_WEIGHED = ("difference", "accuracy")
_LONGEST = 24  # characters of a fraction
_DIGITS = 10  # significant digits in place of a longer one
_PLACES = 17  # significant digits of a bound at most: two more than are certain
_BITS = 128


_FIELDS = (
    r"exactperm\s+(?P<version>\S+)",
    rf"(?P<test>[^,]+), (?P<move>{'|'.join([*_MOVES.values(), *_EXCHANGES.values()])}) "
    r"(?P<n>\d+) (?P<units>\w+?)s?",
    rf"(?P<words>[^,]+)(?:, (?P<weights>{_WEIGHTS}))?(?:, (?P<zeros>{'|'.join(ZEROS.values())}))?"
    rf"(?P<swapped_order>, {_SWAPPED})?(?:, shift (?P<mu>\S+))?"
    r"(?:, rounded to (?P<decimals>\d+) decimals?)?",
    rf"(?P<alternative>{'|'.join(ALTERNATIVES)})",
    r"p = (?P<shown>[\d.e+-]+)(?: \(exact (?P<exact>[\d/]+)\))?"
    r"|p in \[(?P<lower>[\d.e+-]+), (?P<upper>[\d.e+-]+)\]",
    r"sha256:(?P<sha256>[0-9a-f]{8}(?:\+[0-9a-f]{8})*)",
)
"""Patterns of the fields of a line, which :class:`Sentence` writes; the last one may be absent."""


def test_of(about: Subject) -> str:
    """Return the test that was made.

    >>> test_of(Subject(name="sum of steps", design="steps")), test_of(Subject(name="signed ranks, pratt"))
    ('test of a sum of steps', 'Wilcoxon signed-rank test')
    """
    if about.design == "steps":
        return "test of a sum of steps"
    if about.design == "samples":
        ranks = about.name.startswith("Mann-Whitney")
        return f"{'Mann-Whitney' if ranks else 'two-sample permutation'} test"
    if about.design:
        return "permutation test of several runs"
    known = _NAMED.get(about.name.partition(", ")[0], "difference")
    test = STATISTICS[known][0].replace(_PAIRED, "paired-permutation")
    return test if test.endswith(" test") else f"{test} test"


class Sentence(Record):
    """One reported test; ``str`` and ``repr`` write its line, :func:`read_sentence` reads it.

    ``statistic`` is a key of :data:`STATISTICS`, ``zeros`` one of :data:`ZEROS` for signed ranks;
    ``n`` the number of ``units``, "pairs" or "groups" that are swapped, or "differences" of one
    column whose signs are flipped. ``p`` is a Fraction, or a pair of them that bound the p-value;
    ``rounded`` says that these are what rounds to its ten digits. ``sha256`` has the first 8 hexadecimal
    digits of each data file. ``swapped_order`` says that the difference is the second column minus
    the first, ``mu`` is the hypothesised shift, ``decimals`` those that scores were rounded to.
    ``weights`` are the words of :class:`exactperm.swaps.weights.ItemWeights`, "" without weights
    and tasks. ``design`` is that of a test of several runs on each of ``n`` items, None for a
    paired test.

    >>> print(Sentence(version="0.2.0", n=15, p=Fraction(863, 16384), sha256=("1a2b3c4d",)))
    exactperm 0.2.0 | paired permutation, swaps of 15 pairs | sum of differences | two-sided | p = 0.0527 (exact 863/16384) | sha256:1a2b3c4d
    """

    version: str
    statistic: str = "difference"
    zeros: str | None = None
    alternative: str = "two-sided"
    n: int
    units: str = "pairs"
    p: PValue
    rounded: bool = False
    sha256: tuple[str, ...] = ()
    swapped_order: bool = False
    mu: Exact = 0
    decimals: int | None = None
    weights: str = ""
    design: str | None = None

    def __repr__(self) -> str:
        return str(self)  # a notebook or a prompt shows the line to copy

    def __str__(self) -> str:
        test, words = STATISTICS[self.statistic]
        if self.statistic == "difference" and (self.weights or self.design):
            words = _MEANS
        rounding = f"rounded to {self.decimals} decimal{'s' * (self.decimals != 1)}"
        details = [
            words,
            self.weights if self.statistic in _WEIGHED else "",
            ZEROS[self.zeros] if self.zeros and self.statistic == "wilcoxon" else "",
            _SWAPPED * self.swapped_order,
            f"shift {number_text(self.mu)}" if self.mu else "",
            rounding if self.decimals is not None else "",
        ]
        move, units = _MOVES[self.units], self.units
        if self.design:
            move, units = _EXCHANGES[self.design], "items"
        fields = [
            f"exactperm {self.version}",
            f"{test}, {move} {self.n} {units[:-1] if self.n == 1 else units}",
            ", ".join(filter(None, details)),
            self.alternative,
            _written(self.p, rounded=self.rounded),
        ]
        if self.sha256:
            fields.append("sha256:" + "+".join(one[:8] for one in self.sha256))
        return " | ".join(fields)


def is_sentence(text: str) -> bool:
    """Tell whether a text is meant to be such a line.

    >>> is_sentence("exactperm 0.2.0 | ..."), is_sentence("p = .03")
    (True, False)
    """
    return re.match(r"\s*exactperm\s+\S+\s*\|", text) is not None


def read_sentence(text: str) -> Sentence:
    """Return the reported test that a line states; the inverse of ``str``.

    Raises ``ExactPermError`` for any text that is not written so: what is read is written again,
    and must be the same but for the digits of bounds.

    >>> read_sentence("exactperm 0.2.0 | McNemar, swaps of 10 pairs | number of discordant items | two-sided | p = 0.0215 (exact 11/512)").p
    Fraction(11, 512)
    """
    fields = [field.strip() for field in text.split("|")]
    found = [re.fullmatch(*both, re.ASCII) for both in zip(_FIELDS, fields)]
    told: dict[str, Any] = {}
    for match in found:
        told.update(match.groupdict() if match else {})
    try:
        sentence = _made(told)
        written = str(sentence).split(" | ")
    except (KeyError, ValueError):  # a field or a word that no line has, or no number
        written = []
    if written and told["lower"]:
        written[4] = fields[4]
    if written != fields:
        wrong = next((ours for ours, theirs in zip(fields, written) if ours != theirs), text)
        raise ExactPermError(
            f"{short_text(wrong)} is no line of exactperm: copy it whole, in its five or six fields",
            code="sentence",
        )
    return sentence


def _made(told: Mapping[str, Any]) -> Sentence:
    """Return the sentence of the groups of all fields; any error, or another line, for what is none."""
    statistics = {both: name for name, both in STATISTICS.items()}
    statistics[_PAIRED, _MEANS] = "difference"
    designs = {words: design for design, words in _EXCHANGES.items()}
    rules = {words: rule for rule, words in ZEROS.items()}
    design = designs.get(told["move"])
    sha256 = told.get("sha256")
    p = _bounds(told)
    return Sentence(
        version=told["version"],
        statistic=statistics[told["test"], told["words"]],
        zeros=rules.get(told["zeros"]),
        alternative=told["alternative"],
        n=int(told["n"]),
        units="pairs" if design else f"{told['units']}s",
        p=p[0] if p[0] == p[1] else p,
        rounded=not (told["exact"] or told["lower"]),
        sha256=tuple(sha256.split("+")) if sha256 else (),
        swapped_order=bool(told["swapped_order"]),
        mu=exact(told["mu"] or 0),
        decimals=int(told["decimals"]) if told["decimals"] else None,
        weights=told["weights"] or "",
        design=design,
    )


def _bounds(told: Mapping[str, Any]) -> tuple[Fraction, Fraction]:
    """Return the least and the greatest p-value that the fifth field may mean."""
    low, high = [
        Fraction(probability(told[end] or told["exact"] or told["shown"], "p"))
        for end in ("lower", "upper")
    ]
    if not (told["exact"] or told["lower"]):
        place: Any = Decimal(told["shown"]).as_tuple().exponent
        half = Fraction(10) ** place / 2
        return max(low - half, Fraction(0)), high + half
    if not 0 < high >= low:
        raise ExactPermError(f"{short_text(told)} has no p-value")
    return low, high


def _written(p: PValue, *, rounded: bool) -> str:
    low, high = p if isinstance(p, tuple) else (p, p)
    if low == high and len(exact_text(low)) <= _LONGEST:
        return f"p = {decimal_string(low, 3)} (exact {exact_text(low)})"
    if low == high or rounded:
        return f"p = {decimal_string((low + high) / 2, _DIGITS)}"
    from ..arithmetic.enclosure import enclosed

    certain = next((d for d in range(_PLACES - 2, 0, -1) if (high - low) * 10**d <= low), 0)
    lower, upper = [enclosed(end, _BITS).decimals(certain + 2) for end in (low, high)]
    return f"p in [{lower[0]}, {upper[1]}]"


def reported(about: Subject, n: int, n_units: int, **fields: Any) -> Sentence:
    """Return the line of a test of ``n`` pairs, in ``n_units`` swap units, or of the items of several runs.

    See :data:`NAMED` and :class:`Sentence`. Raises ``ExactPermError`` for a statistic of the user: its name does not say what
    was tested.
    """
    from .. import __version__

    known, _, detail = about.name.partition(", ")
    ranked = known == _RANKS
    if known not in _NAMED or not (ranked or not detail or is_weighted(about.name)):
        told = short_text(about.name)
        raise ExactPermError(
            f"the line cannot name the statistic {told}: only built-in ones have names"
        )
    return Sentence(
        version=__version__,
        statistic=_NAMED[known],
        zeros=detail if ranked else None,
        weights="" if ranked else detail,
        design=about.design,
        n=n if about.design else n_units,
        units="pairs" if about.design or n_units == n else "groups",
        **fields,
    )


def is_weighted(name: str) -> bool:
    """Tell whether the statistic of this name is a mean of items with weights, or over tasks.

    >>> is_weighted("difference of means, items weighted"), is_weighted("difference")
    (True, False)
    """
    return re.fullmatch(_WEIGHTS, name.partition(", ")[2], re.ASCII) is not None
