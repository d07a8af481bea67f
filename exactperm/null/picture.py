"""Draw a null distribution, with the tail behind a p-value."""

from __future__ import annotations

from fractions import Fraction

from .._types import TYPE_CHECKING
from ..arithmetic.rational import Exact
from ..arithmetic.writing import decimal_string, fraction_text
from ..display.distribution import svg
from .alternative import Alternative, sides

if TYPE_CHECKING:
    from .distribution import NullDistribution


_LONG = 2**48
"""Least denominator of a fraction that is too long for a picture."""


def tail_picture(
    null: NullDistribution,
    statistic: Exact,
    alternative: Alternative,
    p: Fraction,
    *,
    title: str,
    label: str,
) -> str:
    """Return a distribution as SVG: the observed value marked, the tail behind the p-value shaded."""
    low, high = null.extreme_region(statistic, alternative)
    exact = f" ({fraction_text(p)})" if 1 < p.denominator < _LONG else ""
    return svg(
        null.support,
        null.counts,
        observed=statistic,
        low=low,
        high=high,
        title=title,
        label=label.replace(" - ", " \N{MINUS SIGN} "),
        note=f"{tail_words(alternative)} p = {decimal_string(p, 3)}{exact}",
    )


def tail_words(alternative: Alternative) -> str:
    """Return the words of a picture for the tail that is shaded.

    >>> tail_words("two-sided"), tail_words("less")
    ('two-sided', 'one-sided (less)')
    """
    return alternative if len({*sides(alternative)}) == 1 else f"one-sided ({alternative})"
