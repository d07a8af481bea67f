"""Permutation tests of several runs of two systems on the same items: epochs, repeats, raters, seeds.

Source: spec/15-runs.md.
"""

from __future__ import annotations

from ._types import TYPE_CHECKING, Any
from .budget import Budget, Method, Options, Progress
from .null.alternative import Alternative, check_alternative
from .null.result import PermutationTestResult
from .null.step_tails import StepTails
from .permutation import checked, counted, result_of
from .swaps.effects import Flips
from .swaps.metrics import mean_difference
from .swaps.runs import Design, exchange

if TYPE_CHECKING:
    from .null.float_result import FloatResult


def permutation_test_runs(
    u: Any,
    v: Any,
    *,
    design: Design,
    alternative: Alternative = "two-sided",
    weights: Any = None,
    method: Method = "auto",
    decimals: int | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> PermutationTestResult:
    """Test exactly whether two systems differ that ran several times on each item: epochs, repeats, raters, seeds.

    ``u[i]`` and ``v[i]`` are the scores of the runs of either system on item i, any numbers of them
    from 1 on: lists, the rows of a matrix, or mappings {item: runs}, where runs may be a mapping
    {run: score}. The statistic is the mean over the items of (mean of the runs of u - mean of the
    runs of v), with ``weights`` of the items the weighted mean: {item: weight} where u and v are
    mappings, or one for each item in the order of u. Its mean under the null is 0, so "two-sided"
    is P(|T| >= |t|), also where the two tails differ.

    ``design`` says what is exchangeable under the null hypothesis. It has no default, since no data
    tell it:

    - "within": all runs of an item, for independent samples of two fixed systems, such as epochs or
      raters. It claims that the systems differ on these items.
    - "items": the two blocks of runs of an item, whose means are swapped. It claims a difference on
      further items like these. Five items have 32 assignments, whatever their number of runs: no
      two-sided p-value is below 1/16.
    - "systems": whole runs over all items, for trained models and seeds. It claims a difference of
      further runs. Every run must be on every item. Three runs of each system have 20 labelings: no
      two-sided p-value is below 1/10.

    With seeds whose luck is common to all items, only "systems" keeps its level. Where 5 + 5 seeds
    have a standard deviation of 2 points of accuracy, true null hypotheses are rejected at .05 with
    probability .13 ("within"), .14 ("items") and .04 ("systems") for 300 items, and .25, .25 and
    .06 for 1,000. Where one system is better by 20 points on half of 300 items and worse on the
    others, with 10 + 10 runs the rates are .15, .05 and .14: the systems do differ on these items.
    A difference of 20 points on 5 items is found with probability .52 by "within" and never by
    "items" (benchmarks/results/run-levels.md). Runs and items that are both random have no exact
    permutation test.

    Where every item has one run of each system, "within" and "items" are
    :func:`exactperm.permutation_test`. All other arguments are as there. Raises ``ExactPermError``
    and ``WrongType`` with the item and the run of what cannot be read, and ``BudgetExceeded``,
    before any work, where the estimate is above the budget. Cost: 0.25 s for 10,000 items of 3 + 3
    binary runs; see :mod:`exactperm.counting.step_plan`. Source: spec/15-runs.md.

    >>> u, v = [[1, 1, 0], [1, 1, 1], [0, 1, 1]], [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    >>> [permutation_test_runs(u, v, design=design).pvalue for design in ("within", "items", "systems")]
    [Fraction(2, 125), Fraction(1, 4), Fraction(1, 10)]
    """
    check_alternative(alternative)
    options = checked(method, budget, progress)
    exchanged = exchange(u, v, design, weights=weights, decimals=decimals, budget=options.budget)
    swaps = exchanged.swaps
    if isinstance(swaps, Flips):
        return result_of(
            swaps,
            mean_difference,
            alternative,
            options,
            name=exchanged.name,
            design=exchanged.design,
        )
    units = {"n": exchanged.n, "n_units": swaps.n_units, "n_nonzero": swaps.n_units - swaps.ties}
    about: Any = {**units, "design": exchanged.design, "_name": exchanged.name}
    return counted(StepTails(swaps=swaps), alternative, options, **about)


def fast_permutation_test_runs(
    u: Any,
    v: Any,
    *,
    design: Design,
    alternative: Alternative = "two-sided",
    weights: Any = None,
    decimals: int | None = None,
    digits: int | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> FloatResult:
    """Test whether two systems differ that ran several times on each item, with a certified bracket of the p-value.

    Runs, ``design``, ``alternative``, ``weights`` and ``decimals`` as in
    :func:`permutation_test_runs`; ``digits``, ``budget`` and ``progress`` as in
    :func:`exactperm.fast_permutation_test`. Where whole blocks of runs are exchanged, or every item
    has one run of each system, it is that function's bracket, bit for bit.

    The bracket contains the exact p-value in any case. Tails that are not symmetric are enclosed
    one by one, each to ``digits``. Raises ``ExactPermError`` and ``WrongType`` for bad input, and
    ``BudgetExceeded`` where the budget buys no certain digit. Cost: some 0.03 s for 10,000 items of
    3 + 3 binary runs, 0.1 s for 1,000 items of scores 0 to 10; real scores take seconds. Source:
    Theorem 4; spec/tilted-inversion.md, spec/15-runs.md.

    >>> u, v = [[1, 1, 0], [1, 1, 1], [0, 1, 1]], [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    >>> result = fast_permutation_test_runs(u, v, design="within")
    >>> result.pvalue, result.correctly_rounded
    (0.016, True)
    """
    from .certified.bracket import QUICK
    from .fast import float_result
    from .null.float_result import bracketed, checked_digits

    check_alternative(alternative)
    limit = QUICK if budget is None else Budget.of(budget)
    digits = None if digits is None else checked_digits(digits)
    if progress is not None:
        Options(progress=progress)  # raises where it cannot be called
    exchanged = exchange(u, v, design, weights=weights, decimals=decimals, budget=limit)
    about: Any = {"name": exchanged.name, "design": exchanged.design}
    if isinstance(exchanged.swaps, Flips):
        return float_result(exchanged.swaps, alternative, digits, limit, progress, **about)
    return bracketed(
        exchanged.swaps, exchanged.n, alternative, digits, limit, progress=progress, **about
    )
