"""The exact paired-permutation test: of two columns, of differences, and as the paper's Alg. 2 and Alg. 5.

The null hypothesis is that the two entries of each pair are exchangeable. For "the first system is
the same or worse on average" the level is not proved: differences of +1 with probability 0.9 and -9
with 0.1 have mean 0, but the one-sided test at level 0.05 rejects with probability 0.59, 0.35 and
0.12 for 5, 10 and 20 pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from ._types import TYPE_CHECKING, Any, Executor
from .arithmetic.rational import dyadic, ratio
from .budget import DEFAULTS, Budget, Estimate, Method, Options, Progress
from .counting.methods import check_method
from .counting.short import MOST_UNITS, allows_short, short_count_at_most
from .null.alternative import Alternative, check_alternative, fold
from .null.result import PermutationTestResult
from .record import record_of
from .swaps.effects import Flips, SwapUnits, flip_effects, swap_effects
from .swaps.statistic import PLAIN, Component, Statistic, Subject, at_least, difference, value_of

if TYPE_CHECKING:
    from .null.tails import ExactTails


_are_signs = frozenset({-1, 0, 1}).issuperset


def permutation_test(
    u: object,
    v: object,
    *,
    statistic: Statistic = difference,
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    groups: object = None,
    weights: object = None,
    tasks: object = None,
    decimals: int | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> PermutationTestResult:
    """Test exactly whether two systems differ: paired-permutation test of their entries u and v, one for each pair.

    Scores are exact numbers; see :func:`exactperm.arithmetic.reading.exact`.

    - ``statistic``: by default the sum of u - v, whose p-value is that of the difference of means.
    - ``alternative``: "two-sided" P(|T - c| >= |t - c|) with c the mean of T under the null,
      "greater" P(T >= t), "less" P(T <= t), or "doubled", twice the smaller one-sided p-value but
      at most 1 (the "two-sided" of SciPy and R). See :mod:`exactperm.null.alternative`.
    - ``method``: "auto" takes the engine with the least estimated time; all engines are exact.
    - ``groups``: labels; pairs with one label are swapped together. ``decimals``: round first.
    - ``weights``: a number above 0 for each pair, for the weighted mean of the differences.
      ``tasks``: labels, for the mean over tasks of the (weighted) means over their pairs. Both take
      the difference, ``mean_difference`` and ``accuracy``; see :mod:`exactperm.swaps.weights`.
    - ``budget``: a :class:`Budget` for the estimated time and memory. ``progress``: called with
      (done, total). ``executor``: any ``concurrent.futures.Executor``, whose workers share one long
      count.

    The level is proved where the two entries of each pair are exchangeable under the null
    hypothesis; see the module. Raises ``ExactPermError`` for bad input, ``WrongType`` (also a
    ``TypeError``) for foreign types, and ``BudgetExceeded``, before any work. Cost: that of the engine; see
    :mod:`exactperm.counting.plan`. Source: Alg. 2, Eq. 2; spec/01-null-distribution.md#alg-2.

    >>> permutation_test(["0.9", "0.7", "0.8"], ["0.6", "0.5", "0.9"], alternative="greater").pvalue
    Fraction(1, 4)
    """
    check_alternative(alternative)
    options = checked(method, budget, progress, executor)
    if weights is None and tasks is None:
        effects = swap_effects(u, v, statistic, groups, decimals)
    else:
        from .swaps.weights import weighted_effects

        effects, statistic = weighted_effects(
            u, v, statistic, weights=weights, tasks=tasks, groups=groups, decimals=decimals
        )
    return result_of(effects, statistic, alternative, options)


def sign_flip_test(
    d: object,
    *,
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    groups: object = None,
    decimals: int | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> PermutationTestResult:
    """Test paired differences exactly: the distribution of their sum when every sign is flipped at random.

    ``d`` is a column of differences, or a mapping {difference: number of pairs}. Swapping u and v
    flips the sign of u - v, so this is :func:`permutation_test` for the differences; all else as
    there.
    Source: the procedure of the course page; spec/08-lecture-and-course-page.md#course-null.

    >>> sign_flip_test({1: 28, -1: 2}).pvalue == Fraction(233, 2**28)
    True
    """
    check_alternative(alternative)
    options = checked(method, budget, progress, executor)
    effects = flip_effects(d, groups=groups, decimals=decimals)
    return result_of(effects, difference, alternative, options)


def exact_perm_test(
    u: object, v: object, g: Component, h: Callable[[Any], object], *, budget: Budget | None = None
) -> Fraction:
    """Return the exact p-value P(h(S) >= h(observed sum)) of the paper's Alg. 2, for any g and h.

    ``g(u_n, v_n)`` receives raw entries and returns an int or an exact rational; ``h`` receives the
    exact sum and returns anything exactly comparable. A float or a Decimal from either is refused
    (``WrongType``): rounding would break ties. ``BudgetExceeded`` as in :func:`permutation_test`.
    Cost: the whole distribution of S. Source: Alg. 2, Thm. 2, Cor. 1; spec/01-null-distribution.md#thm-2.

    >>> exact_perm_test([3, 1, 2], [1, 0, 2], lambda a, b: a - b, abs)
    Fraction(1, 2)
    """
    return exact_perm_test_m(u, v, (g,), h, budget=budget)


def exact_perm_test_m(
    u: object,
    v: object,
    gs: Iterable[Component],
    h: Callable[..., object],
    *,
    budget: Budget | None = None,
) -> Fraction:
    """Return the exact p-value P(h(S_1, ..., S_m) >= h(observed sums)) of the paper's Alg. 5, for any m, gs and h.

    ``gs`` are m functions as in :func:`exact_perm_test`; ``h`` receives the m exact sums and
    returns anything exactly comparable. Only the lattice that the swap effects span is counted, in
    as many dimensions as it has.
    Cost: one call of h for each attainable point. Source: Alg. 5, Thm. 5; spec/05-higher-order.md#thm-5.

    >>> found, wrong = (lambda a, b: a[0] - b[0]), (lambda a, b: b[1] - a[1])
    >>> exact_perm_test_m([(3, 1), (2, 0)], [(1, 1), (2, 2)], (found, wrong), lambda x, y: x * y)
    Fraction(1, 2)
    """
    from .counting.plan import check_size
    from .null.joint import joint
    from .swaps.lattice import lattice

    effects = swap_effects(u, v, Statistic(gs, h))
    options = Options(budget=budget)
    check_size(effects.n_units, options.budget)
    swaps = lattice(effects)
    observed = value_of(h, swaps.sums(swaps.observed))
    points, _method = joint(swaps, options)
    extreme = sum(count for sums, count in points if at_least(value_of(h, sums), observed, "h"))
    return dyadic(extreme, effects.n_units)


def checked(
    method: Method,
    budget: Budget | None,
    progress: Progress | None,
    executor: Executor | None = None,
) -> Options:
    """Return the options of a count, each checked."""
    if (
        budget is None
        and progress is None
        and executor is None
        and type(method) is str
        and method == "auto"
    ):
        return DEFAULTS
    check_method(method)
    return Options(method=method, budget=budget, progress=progress, executor=executor)


def result_of(
    effects: SwapUnits,
    statistic: Statistic,
    alternative: Alternative,
    options: Options,
    about: Subject | None = None,
) -> PermutationTestResult:
    """Return the test of swap effects that are already known; ``about`` says what was tested."""
    if about is None:
        about = PLAIN if statistic is difference else Subject(name=str(statistic.name))
    if statistic.combine is None and type(effects) is Flips:
        short = _short_result(effects, alternative, options, about)
        if short is not None:
            return short
    from .counting import plan  # a short count needs none of these
    from .null.tails import SumTails
    from .swaps.canonical import canonical

    n_units = effects.n_units
    plan.check_size(n_units, options.budget)
    if statistic.combine is None:
        tails: ExactTails = SumTails(swaps=canonical(effects))
    else:
        from .null.joint import tails as tails_of
        from .swaps.lattice import lattice

        tails = tails_of(lattice(effects), statistic, alternative, options)
    sizes = effects.n, n_units, effects.n_nonzero
    return counted(tails, sizes, alternative, options, about)


def counted(
    tails: ExactTails,
    sizes: tuple[int, int, int],
    alternative: Alternative,
    options: Options,
    about: Subject,
) -> PermutationTestResult:
    """Return the test whose observed value has these tails; ``sizes`` are n, n_units and n_nonzero of the result."""
    n, n_units, n_nonzero = sizes
    count, method = tails.extreme_count(alternative, options)
    return PermutationTestResult(
        count=count,
        statistic=tails.statistic,
        alternative=alternative,
        method=method,
        n=n,
        n_units=n_units,
        n_nonzero=n_nonzero,
        _tails=tails,
        _budget=options.budget,
        _about=about,
    )


def expected(effects: SwapUnits, alternative: Alternative, options: Options) -> Estimate:
    """Return the estimate of the count of a sum; ``BudgetExceeded`` as the test itself raises it.

    >>> expected(flip_effects([1, 2, 3, 4, -5]), "two-sided", DEFAULTS).seconds < 1e-3
    True
    """
    from .counting import plan
    from .swaps.canonical import canonical

    swaps = canonical(effects)
    k, _factor = fold(alternative, swaps.observed, swaps.span)
    return plan.expected(swaps.tally, k, options)


def _short_result(
    flips: Flips, alternative: Alternative, options: Options, about: Subject
) -> PermutationTestResult | None:
    """Return the test of few sign flips, counted as they come, without a tally; None where that is not short.

    The canonical form is made where the result is asked for more than its count.
    """
    column, n = flips.column, flips.n
    if not isinstance(column, list):
        from .swaps.units import one_by_one

        column = one_by_one(column) if n <= MOST_UNITS else []
    n_units = len(column)
    if not 0 < n_units <= MOST_UNITS or not (options is DEFAULTS or allows_short(options)):
        return None
    pairs, total, scale = n_units - column.count(0), sum(column), flips.scale
    if _are_signs(column):  # of 0/1 scores: their number is all that counts
        sizes, reach = column, pairs
    else:
        sizes = list(map(abs, column))
        reach = sum(sizes)
    k, factor = fold(alternative, (reach + total) // 2, reach)
    count = short_count_at_most(sizes, pairs, reach, k)
    if count is None:
        return None
    count *= factor
    return record_of(
        PermutationTestResult,
        {
            "count": count << n_units - pairs,
            "statistic": total if scale == 1 else ratio(total, scale),
            "alternative": alternative,
            "method": "recurrence",
            "n": n,
            "n_units": n_units,
            "n_nonzero": pairs,
            "_tails": flips,
            "_budget": options.budget,
            "_about": about,
            "pvalue": dyadic(count, pairs),
        },
    )
