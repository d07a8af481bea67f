"""The exact paired-permutation test.

Source: the test as a whole, in every source; ids def-null, claim-distinguish, eq-3, eq-5, thm-1, eq-12, draft-eq-1,
draft-eq-2, draft-eq-4, draft-eq-6, draft-prop-1, draft-fig-2, course-null, lecture-p-value, lecture-two-sided-abs,
lecture-model-comparison, lecture-permutation-test, own-groups.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from exactperm.compat import dyadic
from exactperm.counting import plan
from exactperm.distribution import NullDistribution, check_alternative
from exactperm.errors import WrongType
from exactperm.exact import exact, short_text
from exactperm.result import PermutationTestResult
from exactperm.statistic import Statistic, difference
from exactperm.swaps import Effects, canonical, flip_effects, swap_effects
from exactperm.tails import LaidOutTails, LinearTails

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from exactperm.counting.cost import Budget, Progress
    from exactperm.exact import Exact
    from exactperm.result import Tails
    from exactperm.statistic import Component


def permutation_test(
    u: Any,
    v: Any,
    *,
    statistic: Statistic = difference,
    alternative: str = "two-sided",
    method: str = "auto",
    groups: Any = None,
    decimals: int | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> PermutationTestResult:
    """Exact paired-permutation test of two systems' entries u and v, one entry a pair.

    Counts the swap assignments whose statistic is at least as extreme as the observed one. Scores are int, bool,
    Fraction, Decimal, text or float (which means its shortest decimal); see :func:`exactperm.exact.exact`.

    - ``statistic``: by default the sum of u - v, whose p-value is that of the difference of means.
    - ``alternative``: "two-sided" P(|T - c| >= |t - c|) with c the mean of T under the null, "greater" P(T >= t),
      "less" P(T <= t), or "doubled", twice the smaller one-sided p-value but at most 1.
    - ``method``: "auto" takes the engine with the least estimated time; all engines are exact.
    - ``groups``: labels; pairs with one label are swapped together. ``decimals``: round scores first, half to even.
    - ``budget``: a :class:`Budget` for the estimated time and memory. ``progress``: called with (done, total).

    Raises ``ExactPermError`` for bad input, ``WrongType`` (also a ``TypeError``) for values of a foreign type, and
    ``BudgetExceeded``, before any work, where the estimate is above the budget. Cost: see
    :mod:`exactperm.counting.plan`. Source: Alg. 2, Eq. 2; ids alg-2, eq-2.

    >>> permutation_test(["0.9", "0.7", "0.8"], ["0.6", "0.5", "0.9"], alternative="greater").pvalue
    Fraction(1, 4)
    """
    if not isinstance(statistic, Statistic):
        raise WrongType(f"statistic is {short_text(statistic)}: it must be a Statistic; exact_perm_test takes g and h")
    check_alternative(alternative)
    effects = swap_effects(u, v, statistic, groups=groups, decimals=decimals)
    return result_of(effects, statistic, alternative, method=method, budget=budget, progress=progress)


def sign_flip_test(
    d: Any,
    *,
    alternative: str = "two-sided",
    method: str = "auto",
    groups: Any = None,
    decimals: int | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> PermutationTestResult:
    """Exact test of paired differences: the distribution of their sum when every sign is flipped at random.

    ``d`` is a column of differences, or a mapping {difference: how many pairs have it}. Swapping u and v flips the sign
    of u - v, so this is :func:`permutation_test` for the differences; all else as there.
    Source: the procedure of the course page; ids own-sign-flips, course-procedure, lecture-test-kinds.

    >>> sign_flip_test({1: 28, -1: 2}).pvalue == Fraction(233, 2**28)
    True
    """
    check_alternative(alternative)
    effects = flip_effects(d, groups=groups, decimals=decimals)
    return result_of(effects, difference, alternative, method=method, budget=budget, progress=progress)


def exact_perm_test(u: Any, v: Any, g: Component, h: Callable[[Any], Any]) -> Fraction:
    """The exact p-value P(h(S) >= h(observed sum)) of the paper's Alg. 2, for any g and h.

    ``g(u_n, v_n)`` receives raw entries and returns an int or an exact rational; ``h`` receives the exact sum and
    returns anything exactly comparable (a float is refused: rounding would break ties).
    Cost: the whole distribution of S. Source: Alg. 2, Thm. 2, Cor. 1; ids alg-2, thm-2, cor-1, eq-7, ex-accuracy.

    >>> exact_perm_test([3, 1, 2], [1, 0, 2], lambda a, b: a - b, abs)
    Fraction(1, 2)
    """
    effects = swap_effects(u, v, Statistic((g,), h, "h(sum of g)"))
    values, counts, observed, _method = _combined(effects, h)
    extreme = sum(count for value, count in zip(values, counts) if value >= observed)
    return dyadic(extreme, effects.n_units)


def result_of(effects: Effects, statistic: Statistic, alternative: str, **options: Any) -> PermutationTestResult:
    """The test of swap effects that are already known; ``options`` are method, budget and progress."""
    tails = _tails(effects, statistic, **options)
    count, method = tails.extreme_count(alternative, **options)
    return PermutationTestResult(
        count=count,
        statistic=tails.statistic,
        alternative=alternative,
        method=method,
        n=effects.n,
        n_units=effects.n_units,
        n_nonzero=effects.n_nonzero,
        _tails=tails,
    )


def _tails(effects: Effects, statistic: Statistic, **options: Any) -> Tails:
    if statistic.combine is None:
        return LinearTails(swaps=canonical(effects))
    values, counts, observed, method = _combined(effects, statistic.combine, **options)
    merged: dict[Exact, int] = {}
    for value, count in zip(values, counts):
        merged[exact(value, "h")] = merged.get(exact(value, "h"), 0) + count
    return LaidOutTails(statistic=exact(observed, "h"), null=NullDistribution.of(merged), method=method)


def _combined(effects: Effects, h: Callable[..., Any], **options: Any) -> tuple[list[Any], list[int], Any, str]:
    """The values of h on every attainable sum, their counts, the observed value, and the engine that counted."""
    swaps = canonical(effects)
    counts, method = plan.counts(swaps.tally, **options)
    values = [_exact_order(h(swaps.value(x))) for x in counts]
    return (
        values,
        [count << swaps.ties for count in counts.values()],
        values[list(counts).index(swaps.observed)],
        method,
    )


def _exact_order(value: Any) -> Any:
    if isinstance(value, (float, complex)) or "float" in str(getattr(value, "dtype", "")):
        raise WrongType(f"h returned {short_text(value)}: a float breaks ties by rounding; return int or Fraction")
    return value
