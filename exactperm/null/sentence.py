"""Write the line that reports a test in a paper: all that an audit needs to count it again, but for the data.

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
from ..arithmetic.writing import decimal_string, exact_text, number_text
from ..errors import ExactPermError
from ..record import Record
from ..swaps.statistic import Subject

PValue = Union[Fraction, tuple[Fraction, Fraction]]


_PAIRED = "paired permutation"
STATISTICS = {
    "sum": (_PAIRED, "sum of differences"),
    "accuracy": (_PAIRED, "difference of accuracies"),
    "f1": (_PAIRED, "difference of F1"),
    "precision": (_PAIRED, "difference of precision"),
    "recall": (_PAIRED, "difference of recall"),
    "ratio": (_PAIRED, "difference of ratios of sums"),
    "signed-rank": ("Wilcoxon signed-rank", "sum of signed ranks"),
    "sign": ("sign test", "number of positive differences"),
    "mcnemar": ("McNemar", "number of discordant items"),
}
"""Test and statistic in words, by the names of statistics that claims use."""

ZEROS = {"drop": "zeros dropped", "pratt": "zeros by Pratt's rule", "zsplit": "zeros split"}
"""Rules for zeros of the signed-rank test in words."""

NAMED = {
    "difference": "sum",
    "difference of means": "sum",
    "difference of accuracies": "accuracy",
    "difference of F1": "f1",
    "difference of precision": "precision",
    "difference of recall": "recall",
    "difference of ratios": "ratio",
    "signed ranks, wilcox": "signed-rank",
    "signed ranks, pratt": "signed-rank",
    "signed ranks, zsplit": "signed-rank",
    "signs": "sign",
    "discordant items": "mcnemar",
}
"""The names of the ready statistics, as results keep them, and those that claims use."""


def test_name(name: str) -> str:
    """Return the test that was made with a statistic of this name.

    >>> test_name("signed ranks, pratt"), test_name("difference of F1")
    ('Wilcoxon signed-rank test', 'paired-permutation test')
    """
    words = STATISTICS[NAMED.get(name, "sum")][0].replace(_PAIRED, "paired-permutation")
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
    """One reported test; ``str`` and ``repr`` write its line, :func:`exactperm.auditing.sentences.parse` reads it.

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
    statistic: str = "sum"
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
        words = MEAN_WORDS if (self.weights or self.design) and self.statistic == "sum" else words
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
            f"the line has no words for the statistic {short_text(name)}: only ready ones have some"
        )
    rule = {"pratt": "pratt", "zsplit": "zsplit"}.get(name.rpartition(", ")[2], "drop")
    zeros = rule if NAMED[ready] == "signed-rank" else None
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
