"""Classical exact tests of paired data: paired-permutation tests of signs, discordant pairs or signed ranks.

The sign test scores a pair by the sign of its difference, McNemar's test by which of two binary
outputs is right, Wilcoxon's test by the signed rank of its difference. Ties and zeros are exact:
the ranks of the data themselves are counted, not those of a table.

Source: spec/09-own-theorems.md#own-classical.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from fractions import Fraction

from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact, common_denominator, common_multiple, ratio, scaled
from ..arithmetic.reading import choice, entries, exact, is_sequence, scaled_column
from ..budget import Budget, Options, Progress
from ..errors import BudgetExceeded, ExactPermError, WrongType
from ..null.alternative import Alternative, check_alternative
from ..null.result import PermutationTestResult
from ..permutation import result_of
from ..swaps.columns import check_paired, score_differences
from ..swaps.effects import Effect, Effects, Flips
from ..swaps.statistic import Subject, difference

if TYPE_CHECKING:
    from ..null.float_result import FloatResult


ZERO_METHODS = ("wilcox", "pratt", "zsplit")


def sign_test(
    u: object,
    v: object = None,
    *,
    mu: object = 0,
    alternative: Alternative = "two-sided",
    decimals: int | None = None,
    budget: Budget | None = None,
) -> PermutationTestResult:
    """Test two columns of scores, one entry for each pair, by the signs of their differences: the exact sign test.

    Without ``v`` the entries of ``u`` are the differences. The statistic is the number of pairs
    with u - v > ``mu`` minus the number with u - v < mu. Pairs with u - v = mu do not change the
    p-value. Errors as in :func:`~exactperm.permutation.permutation_test`.
    Source: the two-valued case of Eq. 3; spec/09-own-theorems.md#own-classical.

    >>> sign_test([3, 5, 4, 7], [1, 2, 4, 6]).pvalue
    Fraction(1, 4)
    """
    check_alternative(alternative)
    pairs = _differences(u, v, mu, decimals)
    signs = Counter((d > 0) - (d < 0) for d in pairs)
    flips = Flips(column=signs, n=len(pairs))
    return result_of(flips, difference, alternative, Options(budget=budget), Subject(name="signs"))


def mcnemar_test(
    b: object,
    c: object = None,
    *,
    alternative: Alternative = "two-sided",
    budget: Budget | None = None,
) -> PermutationTestResult:
    """Test two binary classifiers on the same items by their two discordant counts: the exact McNemar test.

    ``b`` is the number of items that only the first has right, ``c`` that only the second has
    right. Without ``c``, ``b`` is the 2 x 2 table of all items: the first system in the rows, the
    second in the columns, right before wrong or wrong before right in both. The statistic is b - c,
    with b in row 1, column 2; items on which both agree change nothing, so without discordant ones
    p = 1.
    Source: the sign test on the discordant items; spec/09-own-theorems.md#own-classical.

    >>> mcnemar_test(9, 1).pvalue
    Fraction(11, 512)
    >>> mcnemar_test([[80, 9], [1, 10]]).statistic
    8
    """
    check_alternative(alternative)
    b, c = discordant(b) if c is None and is_sequence(b) else (b, c)
    counts = {1: _items(b, "b"), -1: _items(c, "c")}
    flips = Flips(
        column={sign: count for sign, count in counts.items() if count}, n=sum(counts.values())
    )
    about = Subject(name="discordant items")
    return result_of(flips, difference, alternative, Options(budget=budget), about)


def discordant(table: object, name: str = "table") -> tuple[int, int]:
    """Return (b, c) of a 2 x 2 table of counts: row 1, column 2 and row 2, column 1.

    >>> discordant([[80, 9], [1, 10]])
    (9, 1)
    """
    rows = [entries(row, f"{name}[{i}]", "column") for i, row in enumerate(_rows(table, name))]
    if [len(row) for row in rows] != [2, 2]:
        raise ExactPermError(f"{name} is {short_text(table)}: it must have two rows of two counts")
    (_a, b), (c, _d) = [
        [_items(count, f"{name}[{i}][{j}]") for j, count in enumerate(row)]
        for i, row in enumerate(rows)
    ]
    return b, c


def _rows(table: Any, name: str) -> list[object]:
    return table.tolist() if getattr(table, "ndim", 1) == 2 else entries(table, name, "row")


def _items(count: object, name: str) -> int:
    value = exact(count, name)
    if not isinstance(value, int):
        raise WrongType(f"{name} is {short_text(count)}: it must be a whole number of items")
    if value < 0:
        raise ExactPermError(f"{name} is {short_text(count)}: it must not be negative")
    return value


def wilcoxon_signed_rank_test(
    u: object,
    v: object = None,
    *,
    mu: object = 0,
    zero_method: str = "wilcox",
    alternative: Alternative = "two-sided",
    decimals: int | None = None,
    budget: Budget | None = None,
) -> PermutationTestResult:
    """Test two columns of scores by signed ranks, with ties and zeros: the exact Wilcoxon test.

    With d = u - v - ``mu`` (d = u - mu without ``v``) the statistic is the sum of the ranks of |d|
    over the pairs with d > 0; equal |d| share the mean of their ranks. ``zero_method`` says what
    pairs with d = 0 do: "wilcox" leaves them out before ranking, "pratt" ranks them and then drops
    their ranks, "zsplit" gives half of their ranks to either side (the p-value of "pratt", with
    another statistic). Source: Wilcoxon 1945, Pratt 1959; spec/09-own-theorems.md#own-classical.

    >>> result = wilcoxon_signed_rank_test([3, 5, 4, 7, 2], [1, 2, 4, 6, 3])
    >>> result.statistic, result.pvalue
    (Fraction(17, 2), Fraction(3, 8))
    """
    check_alternative(alternative)
    effects = _signed_ranks(u, v, mu, zero_method, decimals)
    about = Subject(name=f"signed ranks, {zero_method}")
    return result_of(effects, difference, alternative, Options(budget=budget), about)


def fast_wilcoxon_signed_rank_test(
    u: object,
    v: object = None,
    *,
    mu: object = 0,
    zero_method: str = "wilcox",
    alternative: Alternative = "two-sided",
    decimals: int | None = None,
    digits: int | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> FloatResult:
    """Test two columns of scores by signed ranks: a certified bracket of the p-value of the exact Wilcoxon test.

    For many distinct ranks: the correctly rounded float for 1,000 pairs takes a tenth of a second.
    Scores, ``mu`` and ``zero_method`` as in :func:`wilcoxon_signed_rank_test`, ``digits``,
    ``budget`` and ``progress`` as in :func:`~exactperm.fast.fast_permutation_test`. Source:
    Wilcoxon 1945; spec/note.md#note-bracket.

    >>> fast_wilcoxon_signed_rank_test([3, 5, 4, 7, 2], [1, 2, 4, 6, 3]).pvalue
    0.375
    """
    from ..fast import float_result  # the other tests do without it

    ranks = _signed_ranks(u, v, mu, zero_method, decimals)
    about = Subject(name=f"signed ranks, {zero_method}")
    return float_result(ranks, alternative, digits, budget, progress, about=about)


def _signed_ranks(
    u: object, v: object, mu: object, zero_method: str, decimals: int | None
) -> Effects:
    choice(zero_method, "zero_method", ZERO_METHODS)
    pairs = _differences(u, v, mu, decimals)
    ranks = _mid_ranks(pairs, zero_method)
    return Effects(units=Counter(_rank_effect(d, ranks, zero_method) for d in pairs), n=len(pairs))


def signed_ranks(differences: Iterable[Exact], zero_method: str = "wilcox") -> list[Exact]:
    """Return the rank of each |d| with the sign of d, 0 for d = 0: their sum has the p-value of Wilcoxon's test.

    >>> signed_ranks([5, 0, -2, 2])
    [3, 0, Fraction(-3, 2), Fraction(3, 2)]
    """
    pairs = list(differences)
    with suppress(BudgetExceeded):  # integers are compared in a tenth of the time of fractions
        scale = common_denominator(pairs, len(pairs))
        pairs = [scaled(d, scale) for d in pairs]
    ranks = _mid_ranks(pairs, zero_method)
    signed = {**{-size: -rank for size, rank in ranks.items()}, **ranks, 0: 0}
    return [signed[d] for d in pairs]


def _differences(u: object, v: object, mu: object, decimals: int | None) -> list[int]:
    """Return u - v - mu, scaled to integers: signs and ranks are those of the scaled differences."""
    shift = exact(mu, "mu")
    if v is None:
        differences, scale = scaled_column(u, "d", decimals)
        check_paired(differences, differences, ("d", "0"))
    else:
        differences, scale = score_differences(u, v, decimals)
    if not shift:
        return differences
    common = common_multiple({scale, shift.denominator}, len(differences))
    offset = shift.numerator * (common // shift.denominator)
    return [d * (common // scale) - offset for d in differences]


def _mid_ranks(differences: Iterable[Exact], zero_method: str) -> dict[Exact, Exact]:
    """Return the rank of each |d|, 1 for the least; equal ones have the mean of the ranks they take up."""
    counts = Counter(max(d, -d) for d in differences if d or zero_method != "wilcox")
    ranks: dict[Exact, Exact] = {}
    below = 0
    for size in sorted(counts):
        ranks[size] = ratio(2 * below + counts[size] + 1, 2)
        below += counts[size]
    return ranks


def _rank_effect(d: Exact, ranks: dict[Exact, Exact], zero_method: str) -> tuple[Effect, Effect]:
    if d > 0:
        return (ranks[d],), (0,)
    if d < 0:
        return (0,), (ranks[-d],)
    share = exact(Fraction(ranks[d]) / 2) if zero_method == "zsplit" else 0
    return (share,), (share,)
