"""Write a null distribution as CSV and JSON, and draw it; of sums that cannot be counted, draw certified bins."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import isqrt

from .._types import TYPE_CHECKING, Any
from ..arithmetic.enclosure import Enclosure
from ..arithmetic.writing import decimal_string, exact_text, number_text
from ..budget import Budget, Estimate, Options, Progress
from ..display.distribution import Column, binned
from ..display.frame import MINUS
from ..errors import BudgetExceeded
from ..null.alternative import TailEnds, centred, sides, tail_words
from ..null.distribution import tail_picture
from ..record import Record
from ..swaps.canonical import Swaps
from .answer import share_text

if TYPE_CHECKING:
    from ..null.distribution import NullDistribution
    from ..null.float_result import FloatResult
    from ..null.result import PermutationTestResult
    from .question import Question


_SECONDS_VALUE = 1.5e-5
_SECONDS_BITS = 7.5e-11
"""Of writing a value, and numbers of M bits beside it for each M**1.6, as Python multiplies
them."""

_STEPS = 4
"""Bins in a standard deviation."""

_REACH = 5
"""Standard deviations of the picture on either side of the mean."""

_DIGITS = 2
"""Certain digits of the probability at the edge of a bin: more than a picture shows."""


class Drawing(Record):
    """A null distribution to write or to draw, with the result and the question that it is of.

    ``null`` is None where the sums cannot be counted; ``columns`` are then the bins of the
    picture, each certain to ``error``.
    """

    null: NullDistribution | None
    columns: list[Column]
    error: Fraction
    region: TailEnds
    result: PermutationTestResult | FloatResult
    question: Question
    budget: Budget

    def picture(self) -> str:
        """Draw the distribution as SVG: the observed value marked, the tail behind the p-value shaded."""
        source = self.question.source
        result = self.result
        low, high = self.region
        names = source.systems or source.names
        label = self.question.words
        compared = [" - ".join(name for name, _ in self.question.levels), " - ".join(names[-2:])]
        if not any(each and label.endswith(each) for each in compared):
            label = f"{label}: {', '.join(names)}"
        label = label.replace(" - ", f" {MINUS} ")
        units = "items" if self.question.design else "pairs"
        of = f" of {source.title()}" if source.files else ""
        title = f"Null distribution, {result.n:,} {units}{of}"
        p = result.pvalue
        side = result.alternative
        if self.null is not None and isinstance(p, Fraction):
            about = result.statistic, side, p
            return tail_picture(self.null, *about, title=title, label=label)
        certain = f", certain to {decimal_string(self.error, 1)}" if self.error else ""
        return binned(
            self.columns,
            title=title,
            label=label,
            note=f"{tail_words(side)} p = {share_text(result)}",
            height=f"probability of a bin{certain}",
            observed=result.statistic,
            low=low,
            high=high,
        )

    def csv(self) -> str:
        """Write all values as CSV.

        Raises ``BudgetExceeded`` where there are too many to count, or to write in time.
        """
        if self.null is None:
            raise BudgetExceeded("listing all sums of the differences")
        check_size(self.null, self.budget)
        return "".join(f"{line}\n" for line in csv_lines(self.null))


def check_size(null: NullDistribution, budget: Budget) -> None:
    """Raise ``BudgetExceeded`` where writing the values of a distribution takes too long."""
    each = _SECONDS_VALUE + _SECONDS_BITS * float(null.total.bit_length()) ** 1.6
    budget.check(
        Estimate(seconds=len(null.support) * each, bytes=0),
        f"writing {len(null.support)} values",
        "allow more with budget=Budget(seconds=), or draw them",
    )


def found(
    result: PermutationTestResult | FloatResult,
    question: Question,
    *,
    budget: Budget,
    progress: Progress | None = None,
) -> Drawing:
    """Return the null distribution of a result: laid out, or in bins where the result is a certified bracket.

    Raises ``BudgetExceeded`` where neither is possible within the budget.
    Cost: that of counting all sums, or of some 40 brackets.
    """
    null = None
    tails: Any = getattr(result, "tails", None)
    swaps = getattr(result, "_swaps", None) if tails is None else getattr(tails, "swaps", None)
    try:
        if tails is not None:
            null = tails.distribution(Options(budget=budget, progress=progress))
            region = null.extreme_region(result.statistic, result.alternative)
    except BudgetExceeded:  # one tail was counted, all sums are too many
        if not isinstance(swaps, Swaps) or swaps.tied is not None:
            raise
    columns: list[Column] = []
    error = Fraction(0)
    if null is None:
        columns, region, error = _bins(result, swaps, budget)
    return Drawing(
        null=null,
        columns=columns,
        error=error,
        region=region,
        result=result,
        question=question,
        budget=budget,
    )


def _bins(
    result: PermutationTestResult | FloatResult, swaps: object, budget: Budget
) -> tuple[list[Column], TailEnds, Fraction]:
    """Return the bins of a sum over swap units, the values at least as extreme as the observed one, and the error.

    X is symmetric about D/2, so the edges below it are enough. A bin's height is the difference of
    the middles of two brackets of two certain digits. The first begins at the least value where that is in reach.
    """
    if not isinstance(swaps, Swaps) or swaps.tied is not None:
        raise BudgetExceeded("a picture of runs or ratios that cannot be counted")
    from ..certified.bracket import tail_bracket

    span = swaps.span
    tally = swaps.tally
    deviation = isqrt(sum(d * d * n for d, n in tally.items())) / Fraction(2)
    edges = [Fraction(span, 2) - deviation * i / _STEPS for i in range(_REACH * _STEPS, -1, -1)]
    inside = [edge for edge in edges if edge > 0]
    edges = inside if len(inside) == len(edges) else [Fraction(0), *inside]
    below = [tail_bracket(tally, -(-edge // 1) - 1, _DIGITS, budget=budget) for edge in edges[:-1]]
    shares = [sum(bracket.ends(), Fraction(0)) / 2 for bracket in below]
    masses = [b - a for a, b in zip(shares, [*shares[1:], Fraction(1, 2)])]
    places = [
        swaps.low + swaps.unit * edge for edge in [*edges, *(span - edge for edge in edges[-2::-1])]
    ]
    heights = [max(mass, Fraction(0)) for mass in [*masses, *masses[::-1]]]
    columns: list[Column] = list(zip(places, places[1:], heights))
    t = result.statistic
    mirror = swaps.low + swaps.value(span) - result.statistic
    low, high = sides(result.alternative)
    ends: TailEnds = t if low else None, t if high else None
    if centred(result.alternative):
        ends = min(t, mirror), max(t, mirror)
    elif low and high:
        ends = (None, t) if t >= mirror else (t, None)
    error = max(high - low for low, high in map(Enclosure.ends, below))
    return columns, ends, error


def csv_lines(null: NullDistribution) -> Iterator[str]:
    """Write a distribution as CSV: value, number of assignments and probability, exact, and two decimals to 17 digits.

    The exact numbers are text that :func:`exactperm.arithmetic.reading.exact` or, beyond 600
    digits, ``parse_exact`` reads back.
    """
    yield "value,count,probability,value_decimal,probability_decimal"
    for value, count in null.items():
        p = Fraction(count, null.total)
        exactly = f"{number_text(value)},{exact_text(count)},{exact_text(p)}"
        yield f"{exactly},{decimal_string(value, 17)},{decimal_string(p, 17)}"
