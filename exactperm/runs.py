"""Exact permutation tests of several runs of two systems on the same items: epochs, repeats, raters, seeds.

Source: spec/15-runs.md.
"""

from __future__ import annotations

from .null.alternative import check_alternative
from .null.result import PermutationTestResult
from .null.step_tails import StepTails
from .permutation import checked, result_of
from .swaps.effects import Flips
from .swaps.metrics import mean_difference
from .swaps.runs import exchange

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .budget import Budget, Method, Progress
    from .null.alternative import Alternative
    from .swaps.runs import Design


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
    """Test exactly whether two systems differ that ran several times on each item.

    ``u[i]`` and ``v[i]`` are the scores of the runs of either system on item i, any numbers of them from 1 on. The
    statistic is the mean over the items of (mean of the runs of u - mean of the runs of v). Also matrices with a row
    for each item, and mappings {item: runs}, where runs may be a mapping {run: score}.

    ``design`` says what is exchangeable under the null hypothesis, and has no default:

    - "within": all runs of an item, for independent samples of two fixed systems, such as epochs or raters.
    - "items": the two blocks of runs of an item, for a claim about further items.
    - "systems": whole runs over all items, for trained models and seeds. Every run must be on every item.

    Where every item has one run of each system, "within" and "items" are :func:`exactperm.permutation_test`.

    >>> u, v = [[1, 1, 0], [1, 1, 1], [0, 1, 1]], [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    >>> [permutation_test_runs(u, v, design=design).pvalue for design in ("within", "items", "systems")]
    [Fraction(2, 125), Fraction(1, 4), Fraction(1, 10)]
    """
    check_alternative(alternative)
    options = checked(method, budget, progress)
    exchanged = exchange(u, v, design, weights=weights, decimals=decimals, budget=options.budget)
    swaps = exchanged.swaps
    if isinstance(swaps, Flips):
        return result_of(swaps, mean_difference, alternative, options, name=exchanged.name, design=exchanged.design)
    tails = StepTails(swaps=swaps)
    count, method_used = tails.extreme_count(alternative, options)
    return PermutationTestResult(
        count=count,
        statistic=tails.statistic,
        alternative=alternative,
        method=method_used,
        n=exchanged.n,
        n_units=swaps.n_units,
        n_nonzero=swaps.n_units - swaps.ties,
        design=exchanged.design,
        _tails=tails,
        _budget=options.budget,
        _name=exchanged.name,
    )
