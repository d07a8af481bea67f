"""Write and read the line that reports a test in a paper: all that counts it again, but for the data.

    exactperm 0.2.0 | paired permutation, swaps of 60 pairs | sum of differences | two-sided
    | p = 0.0213 (exact 697/32768) | sha256:1a2b3c4d

in one line, the fields separated by " | ". Where the fraction is too long for a paper, ten digits
take its place: "p = 0.2002360555". A p-value that is known between bounds only is written as
"p in [LOWER, UPPER]" with decimals rounded outward.
"""

from __future__ import annotations

import re
from fractions import Fraction

from .._types import Any, Union
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact
from ..arithmetic.reading import exact
from ..arithmetic.writing import decimal_string, exact_text, number_text
from ..errors import ExactPermError
from ..record import Record
from ..swaps.statistic import Subject
from .alternative import check_alternative

PValue = Union[Fraction, tuple[Fraction, Fraction]]


_PAIRED = "paired permutation"
STATISTICS = {
    "difference": (_PAIRED, "sum of differences"),
    "accuracy": (_PAIRED, "difference of accuracies"),
    "f1": (_PAIRED, "difference of F1"),
    "precision": (_PAIRED, "difference of precision"),
    "recall": (_PAIRED, "difference of recall"),
    "ratio": (_PAIRED, "difference of ratios of sums"),
    "wilcoxon": ("Wilcoxon signed-rank", "sum of signed ranks"),
    "sign": ("sign test", "number of positive differences"),
    "mcnemar": ("McNemar", "number of discordant items"),
}
"""Test and statistic in words, by the names of statistics that claims use."""

ZEROS = {"wilcox": "zeros dropped", "pratt": "zeros by Pratt's rule", "zsplit": "zeros split"}
"""Rules for zeros of the signed-rank test in words."""

NAMED = {
    "difference": "difference",
    "difference of means": "difference",
    "difference of accuracies": "accuracy",
    "difference of F1": "f1",
    "difference of precision": "precision",
    "difference of recall": "recall",
    "difference of ratios": "ratio",
    "signed ranks, wilcox": "wilcoxon",
    "signed ranks, pratt": "wilcoxon",
    "signed ranks, zsplit": "wilcoxon",
    "signs": "sign",
    "discordant items": "mcnemar",
}
"""The names of the ready statistics, as results keep them, and those that claims use."""


def test_name(name: str) -> str:
    """Return the test that was made with a statistic of this name.

    >>> test_name("signed ranks, pratt"), test_name("difference of F1")
    ('Wilcoxon signed-rank test', 'paired-permutation test')
    """
    words = STATISTICS[NAMED.get(name, "difference")][0].replace(_PAIRED, "paired-permutation")
    return words if words.endswith(" test") else f"{words} test"


def test_of(about: Subject) -> str:
    """Return the test that was made.

    >>> test_of(Subject(name="sum of steps", design="steps")), test_of(Subject(name="signs"))
    ('test of a sum of steps', 'sign test')
    """
    if about.design is None:
        return test_name(about.name)
    if about.design == "steps":
        return "test of a sum of steps"
    if about.design == "samples":
        ranks = about.name.startswith("Mann-Whitney")
        return f"{'Mann-Whitney' if ranks else 'two-sample permutation'} test"
    return "permutation test of several runs"


SWAPPED_ORDER = "second minus first"
SHIFT = "shift "
_ROUNDED = "rounded to "
_WEIGHTED = "items weighted"
_MEAN = r"mean over \d{1,18} tasks? of the (?:weighted )?means over items"
MEAN_WORDS = "difference of means"
_LONGEST = 24  # characters of a fraction
_DIGITS = 10  # significant digits in place of a longer one
_PLACES = 17  # significant digits of a bound at most: two more than are certain
_BITS = 128

_MOVES = {"pairs": "swaps", "groups": "swaps", "differences": "sign flips"}
EXCHANGES = {
    "within": "runs exchanged within",
    "items": "blocks of runs swapped within",
    "systems": "whole runs exchanged over",
}
"""What a test of several runs does, by its design."""


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
        words = (
            MEAN_WORDS
            if (self.weights or self.design) and self.statistic == "difference"
            else words
        )
        details = [
            *([self.weights] if self.weights else []),
            *([ZEROS[self.zeros]] if self.zeros else []),
            *([SWAPPED_ORDER] if self.swapped_order else []),
            *([SHIFT + number_text(self.mu)] if self.mu else []),
            *(
                []
                if self.decimals is None
                else [f"{_ROUNDED}{self.decimals} decimal{'s' * (self.decimals != 1)}"]
            ),
        ]
        move, units = (
            (f"{_MOVES[self.units]} of", self.units)
            if self.design is None
            else (
                EXCHANGES[self.design],
                "items",
            )
        )
        units = units[:-1] if self.n == 1 else units
        return " | ".join(
            [
                f"exactperm {self.version}",
                f"{test}, {move} {self.n} {units}",
                ", ".join([words, *details]),
                self.alternative,
                _written(self.p, rounded=self.rounded),
                *(["sha256:" + "+".join(one[:8] for one in self.sha256)] if self.sha256 else []),
            ]
        )


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
    try:
        found = _read(fields)
        written = str(found).split(" | ")
    except (ValueError, KeyError, IndexError, ExactPermError):
        written = []
    if fields[4:5] and fields[4].startswith("p in"):
        written[4:5] = fields[4:5] if written else []
    if not is_sentence(text) or written != fields:
        told = next((ours for ours, theirs in zip(fields, written) if ours != theirs), text)
        raise ExactPermError(
            f"{short_text(told)} is no line of exactperm: copy it whole, in its five or six fields",
            code="sentence",
        )
    return found


def _read(fields: list[str]) -> Sentence:
    """Return a sentence from its fields; any error, or another text, for what is none."""
    check_alternative(fields[3])
    digests = fields[5].removeprefix("sha256:").split("+") if fields[5:] else []
    if not all(re.fullmatch("[0-9a-f]{8}", one) for one in digests):
        raise ExactPermError(f"{short_text(fields[5])} has no digests of eight digits")
    test, about = fields[1].split(", ")
    move, number, units = about.rsplit(" ", 2)
    words, *details = fields[2].split(", ")
    designs = {said: name for name, said in EXCHANGES.items()}
    rules = {said: name for name, said in ZEROS.items()}
    said = {
        **{both: name for name, both in STATISTICS.items()},
        (_PAIRED, MEAN_WORDS): "difference",
    }
    known: dict[str, Any] = {}
    for detail in details:
        name, value = _detail(detail, rules)
        known[name] = value
    statistic = said[test, words]
    weighed = words in (MEAN_WORDS, STATISTICS["accuracy"][1])
    if ("zeros" in known and statistic != "wilcoxon") or ("weights" in known and not weighed):
        raise ExactPermError(f"{short_text(fields[2])} is no statistic of a test")
    return Sentence(
        version=fields[0].split()[1],
        statistic=statistic,
        alternative=fields[3],
        n=int(number),
        units="pairs" if move in designs else f"{units.rstrip('s')}s",
        design=designs.get(move),
        sha256=tuple(digests),
        **known,
        **_read_pvalue(fields[4]),
    )


def _detail(words: str, rules: dict[str, str]) -> tuple[str, Any]:
    """Return the field that a detail of the statistic states, and its value."""
    if words in rules:
        return "zeros", rules[words]
    if words == SWAPPED_ORDER:
        return "swapped_order", True
    if words.startswith(SHIFT):
        return "mu", exact(words[len(SHIFT) :])
    if words.startswith(_ROUNDED):
        return "decimals", int(words.split()[2])
    if not is_weights(words):
        raise ExactPermError(f"{short_text(words)} is no detail of a statistic")
    return "weights", words


def _read_pvalue(field: str) -> dict[str, Any]:
    """Return ``p`` and ``rounded`` of the fourth field."""
    fraction = re.fullmatch(r"p = \S+ \(exact (\d+(?:/\d+)?)\)", field, re.ASCII)
    bounds = re.fullmatch(r"p in \[([\d.e+-]+), ([\d.e+-]+)\]", field, re.ASCII)
    if bounds:
        low, high = [Fraction(exact(end)) for end in bounds.groups()]
        p: PValue = (low, high)
    elif fraction:
        p = low = high = Fraction(exact(fraction[1]))
    else:
        middle, _, power = field.removeprefix("p = ").partition("e")
        half = Fraction(5, 10 ** (len(middle.partition(".")[2]) + 1)) * Fraction(10) ** int(
            power or 0
        )
        number = Fraction(exact(field.removeprefix("p = ")))
        low, high = max(number - half, Fraction(0)), number + half
        p = (low, high)
    if not 0 <= low <= high or low > 1 or high == 0 or (bounds and high > 1):
        raise ExactPermError(f"{short_text(field)} is no p-value")
    return {"p": p, "rounded": not (fraction or bounds)}


def _written(p: PValue, *, rounded: bool) -> str:
    low, high = p if isinstance(p, tuple) else (p, p)
    if low == high and len(exact_text(low)) <= _LONGEST:
        return f"p = {decimal_string(low, 3)} (exact {exact_text(low)})"
    if low == high or rounded:
        return f"p = {decimal_string((low + high) / 2, _DIGITS)}"
    from ..arithmetic.enclosure import enclosed

    certain = next((d for d in range(_PLACES - 2, 0, -1) if (high - low) * 10**d <= low), 0)
    places = certain + 2
    return f"p in [{enclosed(low, _BITS).decimals(places)[0]}, {enclosed(high, _BITS).decimals(places)[1]}]"


def reported(about: Subject, n: int, n_units: int, **fields: Any) -> Sentence:
    """Return the line of a test of ``n`` pairs, in ``n_units`` swap units, or of the items of several runs.

    See :data:`NAMED` and :class:`Sentence`. Raises ``ExactPermError`` for a statistic of the user: its name does not say what
    was tested.
    """
    from .. import __version__

    name = about.name
    ready, _, weights = (name, "", "") if name in NAMED else name.partition(", ")
    if ready not in NAMED or (weights and not is_weights(weights)):
        raise ExactPermError(
            f"the line cannot name the statistic {short_text(name)}: only built-in ones have names"
        )
    zeros = name.rpartition(", ")[2] if NAMED[ready] == "wilcoxon" else None
    counted: Any = (
        {"n": n_units, "units": "pairs" if n_units == n else "groups"}
        if about.design is None
        else {"n": n}
    )
    return Sentence(
        version=__version__,
        statistic=NAMED[ready],
        zeros=zeros,
        weights=weights,
        design=about.design,
        **counted,
        **fields,
    )


def is_weighted(name: str) -> bool:
    """Tell whether the statistic of this name is a mean of items with weights, or over tasks.

    >>> is_weighted("difference of means, items weighted"), is_weighted("difference")
    (True, False)
    """
    return is_weights(name.partition(", ")[2])


def is_weights(words: str) -> bool:
    """Tell whether these are the words for items with weights, or for a mean over tasks."""
    return words == _WEIGHTED or re.fullmatch(_MEAN, words, re.ASCII) is not None
