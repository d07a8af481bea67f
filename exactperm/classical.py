"""The classical exact tests of paired data, which are paired-permutation tests of other scores.

The sign test scores a pair by the sign of its difference, McNemar's test by which of two binary outputs is right,
Wilcoxon's test by the signed rank of its difference. Ties and zeros are exact: the ranks of the data themselves are
counted, not those of a table.

Source: spec/09-own-theorems.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from .arithmetic.quoting import short_text
from .arithmetic.reading import choice, exact
from .budget import Options
from .errors import ExactPermError, WrongType
from .null.alternative import check_alternative
from .permutation import result_of
from .swaps.columns import score_differences
from .swaps.effects import Effects, Flips
from .swaps.statistic import difference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .arithmetic.rational import Exact
    from .budget import Budget
    from .fast import FloatResult
    from .null.alternative import Alternative
    from .null.result import PermutationTestResult
    from .swaps.effects import Effect

ZERO_METHODS = ("wilcox", "pratt", "zsplit")


def sign_test(
    u: Any, v: Any, *, alternative: Alternative = "two-sided", decimals: int | None = None, budget: Budget | None = None
) -> PermutationTestResult:
    """Test two columns of scores, one entry for each pair, by the signs of their differences: the exact sign test.

    The statistic is the number of pairs with u > v minus the number with u < v. Equal pairs do not
    change the p-value. Errors as in :func:`~exactperm.permutation.permutation_test`.
    Source: the two-valued case of Eq. 3; spec/09-own-theorems.md.

    >>> sign_test([3, 5, 4, 7], [1, 2, 4, 6]).pvalue
    Fraction(1, 4)
    """
    check_alternative(alternative)
    pairs = _differences(u, v, decimals)
    signs = Counter((d > 0) - (d < 0) for d in pairs)
    return result_of(Flips(differences=signs, n=len(pairs)), difference, alternative, Options(budget=budget))


def mcnemar_test(
    b: int, c: int, *, alternative: Alternative = "two-sided", budget: Budget | None = None
) -> PermutationTestResult:
    """Test two binary classifiers on the same items by their two discordant counts: the exact McNemar test.

    ``b`` is the number of items that only the first has right, ``c`` that only the second has right. The statistic is
    b - c; items on which both agree change nothing, so without discordant ones p = 1.
    Source: the sign test on the discordant items; spec/09-own-theorems.md.

    >>> mcnemar_test(9, 1).pvalue
    Fraction(11, 512)
    """
    check_alternative(alternative)
    counts = {1: _items(b, "b"), -1: _items(c, "c")}
    flips = Flips(differences={sign: count for sign, count in counts.items() if count}, n=sum(counts.values()))
    return result_of(flips, difference, alternative, Options(budget=budget))


def _items(count: Any, name: str) -> int:
    value = exact(count, name)
    if not isinstance(value, int):
        raise WrongType(f"{name} is {short_text(count)}: it must be a whole number of items")
    if value < 0:
        raise ExactPermError(f"{name} is {short_text(count)}: it must not be negative")
    return value


def wilcoxon_signed_rank_test(
    u: Any,
    v: Any,
    *,
    zero_method: str = "wilcox",
    alternative: Alternative = "two-sided",
    decimals: int | None = None,
    budget: Budget | None = None,
) -> PermutationTestResult:
    """Test two columns of scores by signed ranks, with ties and zeros: the exact Wilcoxon test.

    The statistic is the sum of the ranks of |u - v| over the pairs with u > v; equal |u - v| share the mean of their
    ranks. ``zero_method`` says what pairs with u = v do: "wilcox" leaves them out before ranking, "pratt" ranks them
    and then drops their ranks, "zsplit" gives half of their ranks to either side (the p-value of "pratt", with another
    statistic). Source: Wilcoxon 1945, Pratt 1959; spec/09-own-theorems.md.

    >>> result = wilcoxon_signed_rank_test([3, 5, 4, 7, 2], [1, 2, 4, 6, 3])
    >>> result.statistic, result.pvalue
    (Fraction(17, 2), Fraction(3, 8))
    """
    check_alternative(alternative)
    effects = _signed_ranks(u, v, zero_method, decimals)
    return result_of(effects, difference, alternative, Options(budget=budget))


def fast_wilcoxon_signed_rank_test(
    u: Any,
    v: Any,
    *,
    zero_method: str = "wilcox",
    alternative: Alternative = "two-sided",
    decimals: int | None = None,
    digits: int | None = None,
    budget: Budget | None = None,
) -> FloatResult:
    """Test two columns of scores by signed ranks: a certified bracket of the p-value of the exact Wilcoxon test.

    For many distinct ranks: the correctly rounded float for 1,000 pairs takes a tenth of a second. Scores and
    ``zero_method`` as in :func:`wilcoxon_signed_rank_test`, ``digits`` and ``budget`` as in
    :func:`~exactperm.fast.fast_permutation_test`. Source: Wilcoxon 1945; spec/tilted-inversion.md.

    >>> fast_wilcoxon_signed_rank_test([3, 5, 4, 7, 2], [1, 2, 4, 6, 3]).pvalue
    0.375
    """
    from .fast import float_result  # the other tests do without it

    return float_result(_signed_ranks(u, v, zero_method, decimals), alternative, digits, budget)


def _signed_ranks(u: Any, v: Any, zero_method: str, decimals: int | None) -> Effects:
    choice(zero_method, "zero_method", ZERO_METHODS)
    pairs = _differences(u, v, decimals)
    ranks = _mid_ranks(max(d, -d) for d in pairs if d or zero_method != "wilcox")
    return Effects(units=Counter(_rank_effect(d, ranks, zero_method) for d in pairs), n=len(pairs))


def _differences(u: Any, v: Any, decimals: int | None) -> list[int]:
    differences, _scale = score_differences(u, v, decimals)  # signs and ranks are those of the scaled differences
    return differences


def _mid_ranks(sizes: Iterable[Exact]) -> dict[Exact, Exact]:
    """The rank of each size, 1 for the least; equal sizes have the mean of the ranks they take up."""
    counts = Counter(sizes)
    ranks: dict[Exact, Exact] = {}
    below = 0
    for size in sorted(counts):
        ranks[size] = exact(below + Fraction(counts[size] + 1, 2))
        below += counts[size]
    return ranks


def _rank_effect(d: Exact, ranks: dict[Exact, Exact], zero_method: str) -> tuple[Effect, Effect]:
    if d > 0:
        return (ranks[d],), (0,)
    if d < 0:
        return (0,), (ranks[-d],)
    share = exact(Fraction(ranks[d]) / 2) if zero_method == "zsplit" else 0
    return (share,), (share,)
