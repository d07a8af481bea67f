"""Write a null distribution as CSV and JSON, and draw it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from .._types import TYPE_CHECKING, Any
from ..arithmetic.writing import decimal_string, exact_text, number_text
from ..budget import Budget, Estimate, Options
from .report import file_names

if TYPE_CHECKING:
    from ..null.distribution import NullDistribution
    from ..null.result import PermutationTestResult
    from .columns import Question


_SECONDS_VALUE = 1.5e-5
_SECONDS_BITS = 7.5e-11
"""Of writing a value, and numbers of M bits beside it for each M**1.6, as Python multiplies
them."""


def check_size(null: NullDistribution, result: PermutationTestResult, budget: Budget) -> None:
    """Raise ``BudgetExceeded`` where counting a distribution and writing all its values take too long together."""
    from ..counting import plan
    from ..swaps.canonical import Swaps

    swaps = getattr(result.tails, "swaps", None)
    before = (
        plan.expected(swaps.tally, None, Options(budget=budget)).seconds
        if isinstance(swaps, Swaps)
        else 0.0
    )
    seconds = len(null.support) * (
        _SECONDS_VALUE + _SECONDS_BITS * float(null.total.bit_length()) ** 1.6
    )
    budget.check(
        Estimate(seconds=before + seconds, bytes=0),
        f"counting and writing {len(null.support)} values",
        "allow more with budget=Budget(seconds=), or draw them",
    )


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


def to_dict(null: NullDistribution) -> dict[str, Any]:
    """Return a distribution as JSON-ready lists; ``NullDistribution.from_dict`` reads it back."""
    return {
        **null.to_dict(),
        "probabilities": [exact_text(Fraction(count, null.total)) for count in null.counts],
        "mean": exact_text(null.mean),
        "variance": exact_text(null.variance),
    }


def picture(null: NullDistribution, result: PermutationTestResult, question: Question) -> str:
    """Draw a distribution as SVG: the observed value marked, the tail behind the p-value shaded."""
    from ..null.picture import tail_picture

    source = question.source
    names = ", ".join(source.systems or source.names)
    of = f"{file_names(source)}: {names}" if len(source.files) == 1 else names
    title = f"Null distribution, {result.n} {'items' if question.design else 'pairs'} of {of}"
    drawn = result.statistic, result.alternative, result.pvalue
    return tail_picture(null, *drawn, title=title, label=question.words)
