"""Draw a null distribution, with the tail behind a p-value."""

from __future__ import annotations

from ..arithmetic.writing import decimal_string, fraction_text, readable
from ..display.distribution import svg
from .alternative import sides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .distribution import NullDistribution
    from .result import PermutationTestResult


def picture(null: NullDistribution, title: str = "Null distribution", label: str = "statistic") -> str:
    """Return a distribution as the text of an SVG file."""
    note = f"mean {readable(null.mean)}, variance {readable(null.variance)}"
    return svg(null.support, null.counts, title=title, label=label, note=note)


def tail_picture(null: NullDistribution, result: PermutationTestResult, title: str, label: str) -> str:
    """Return a distribution as SVG: the observed value marked, the tail behind the p-value shaded."""
    low, high = null.extreme_region(result.statistic, result.alternative)
    both = len(set(sides(result.alternative))) == 1
    kind = result.alternative if both else f"one-sided ({result.alternative})"
    p = result.pvalue
    return svg(
        null.support,
        null.counts,
        observed=result.statistic,
        low=low,
        high=high,
        title=title,
        label=label,
        note=f"{kind} p = {decimal_string(p, 6)}" + (f" = {fraction_text(p)}" if p < 1 else ""),
    )
