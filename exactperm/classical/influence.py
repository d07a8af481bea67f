"""Influence of single pairs: the exact p-value with each pair left out, for all pairs in one pass.

One prefix of the counts of the whole data serves every pair
(:func:`exactperm.counting.recurrence.leave_one_out_counts`), and pairs with the same u - v have the
same p-value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property

from ..arithmetic.rational import Exact, dyadic
from ..arithmetic.reading import exact, flag, level
from ..arithmetic.writing import probability_text, readable
from ..budget import Budget, Estimate, Options
from ..counting import plan, recurrence
from ..counting.tally import folded
from ..errors import BudgetExceeded, ExactPermError
from ..null.alternative import Alternative, check_alternative, fold
from ..permutation import sign_flip_test
from ..record import Result
from ..swaps.canonical import Swaps, canonical
from ..swaps.columns import score_differences
from ..swaps.effects import flip_effects
from ..swaps.units import Tally


class Influence(Result):
    """Leave-one-out p-values of a test of paired differences; made by :func:`influence`."""

    differences: tuple[Exact, ...]
    alternative: Alternative
    _budget: Budget

    @cached_property
    def pvalues(self) -> tuple[Fraction, ...]:
        """Exact p-values, one for each position: that of the test without this pair."""
        without = _leave_one_out(Counter(self.differences), self.alternative, self._budget)
        return tuple(without[d] for d in self.differences)

    @property
    def heading(self) -> str:
        """What was computed."""
        return f"Paired-permutation test with single pairs left out, {self.alternative}"

    def rows(self) -> tuple[tuple[str, str], ...]:
        """Return the result as rows (label, text): the least and the greatest p-value, and the pair of each."""
        all_pairs = sign_flip_test(
            self.differences, alternative=self.alternative, budget=self._budget
        ).pvalue
        ends = []
        for label, p in (("least", min(self.pvalues)), ("greatest", max(self.pvalues))):
            first = self.pvalues.index(p)
            more = f" and {self.pvalues.count(p) - 1} more" * (self.pvalues.count(p) > 1)
            left_out = (
                f"without pair {first + 1}{more} (difference {readable(self.differences[first])})"
            )
            ends.append((label, f"{probability_text(p, 6)}, {left_out}"))
        return (
            ("all pairs", probability_text(all_pairs, 6)),
            *ends,
            ("pairs", str(len(self.differences))),
        )

    def greedy_removals(self, alpha: object, *, strict: bool = False) -> tuple[int, ...] | None:
        """Return the positions of pairs whose removal, chosen greedily one by one, moves the p-value across ``alpha``.

        Each step leaves out the pair that brings the p-value nearest to the other side (of equals
        the first), until the decision p <= alpha (< where ``strict``) changes; ``None`` where it
        does not before one pair is left. The search is greedy: fewer pairs may do. Cost: one pass
        for each removal.
        """
        limit, below = level(alpha), flag(strict, "strict")
        remaining = dict(enumerate(self.differences))
        removed: list[int] = []
        pvalue = sign_flip_test(
            self.differences, alternative=self.alternative, budget=self._budget
        ).pvalue
        significant = pvalue < limit if below else pvalue <= limit
        while len(remaining) > 1:
            without = _leave_one_out(Counter(remaining.values()), self.alternative, self._budget)
            pvalue = (max if significant else min)(without.values())
            removed.append(next(i for i, d in remaining.items() if without[d] == pvalue))
            del remaining[removed[-1]]
            if (pvalue < limit if below else pvalue <= limit) != significant:
                return tuple(removed)
        return None


def influence(
    u: object,
    v: object,
    *,
    alternative: Alternative = "two-sided",
    decimals: int | None = None,
    budget: Budget | None = None,
) -> Influence:
    """Return the p-values of the test of the sum of u - v with each single pair left out.

    The result has ``.pvalues``, one exact fraction for each pair, and ``.greedy_removals(alpha)``,
    the pairs whose removal takes the p-value across ``alpha``. Arguments as in
    :func:`~exactperm.permutation.permutation_test`; at least two pairs. Cost: the lower half of the
    distribution by the recurrence, for all pairs together; where that is above the budget, one test
    for each distinct difference.
    Source: the leave-one-out polynomials; spec/09-own-theorems.md#own-influence.

    >>> influence([3, 5, 4, 7], [1, 2, 4, 9]).pvalues
    (Fraction(1, 1), Fraction(1, 1), Fraction(3, 4), Fraction(1, 2))
    """
    check_alternative(alternative)
    differences, scale = score_differences(u, v, decimals)
    if len(differences) == 1:
        raise ExactPermError("u and v have one pair: without it no test is left")
    scores = tuple(exact(Fraction(d, scale)) for d in differences)
    return Influence(differences=scores, alternative=alternative, _budget=Budget.of(budget))


def _leave_one_out(
    tally: Mapping[Exact, int], alternative: Alternative, budget: Budget
) -> dict[Exact, Fraction]:
    """Return the p-value without one pair, for each distinct difference."""
    swaps = canonical(flip_effects(tally))
    tails = {d: _tail(swaps, d, alternative) for d in tally}
    counts = _counts(
        swaps.tally,
        [(step, near) for step, near, _times, _whole in tails.values()],
        budget,
    )
    power = sum(tally.values()) - 1
    pvalues = {}
    for (d, (step, _near, times, whole)), at_most in zip(tails.items(), counts):
        ties = swaps.ties - (step == 0)
        pvalues[d] = dyadic((whole << power) + (times * at_most << ties), power)
    return pvalues


def _counts(tally: Tally, questions: list[tuple[int, int]], budget: Budget) -> list[int]:
    """Return #{X <= k} without one pair of difference d, for each question (d, k), within one budget for all."""
    try:
        plan.choose(tally, None, Options(method="recurrence", budget=budget))
    except ExactPermError as refusal:
        # One test for each difference, by whatever engine is the fastest: few pairs over a wide
        # support.
        share = Options(budget=Budget(seconds=budget.seconds / len(questions), bytes=budget.bytes))
        try:
            seconds = 2e-7 * len(questions) * len(tally)
            budget.check(
                Estimate(seconds=seconds, bytes=0), "removing a pair from each tally", plan.WAYS_OUT
            )
            for one, k in _removed(tally, questions):
                _layers, kept, near = folded(one, k)
                if kept:
                    plan.choose(kept, near, share)
        except BudgetExceeded as other:
            why = f"one test for each of {len(questions)} differences is no way out: {other.brief}"
            known = refusal if isinstance(refusal, BudgetExceeded) else BudgetExceeded(str(refusal))
            raise BudgetExceeded(
                known.what, known.needs, known.limit, detail=why, cure=other.cure
            ) from None
        return [plan.count_at_most(one, k, share)[0] for one, k in _removed(tally, questions)]
    return recurrence.leave_one_out_counts(tally, questions)


def _removed(tally: Tally, questions: list[tuple[int, int]]) -> Iterator[tuple[Tally, int]]:
    """Yield the tally without one pair of difference d, with k, for each question (d, k)."""
    return (({e: c - (e == d) for e, c in tally.items() if c > (e == d)}, k) for d, k in questions)


def _tail(swaps: Swaps, d: Exact, alternative: Alternative) -> tuple[int, int, int, int]:
    """Return (step, near, times, whole): without a pair of difference d, times * #{X <= near} + whole * all count."""
    step = int(2 * max(d, -d) / Fraction(swaps.unit))
    span, x = swaps.span - step, swaps.observed - (step if d > 0 else 0)
    k, factor = fold(alternative, x, span)
    if 2 * k < span:
        return step, k, factor, 0
    # Past the middle the complement is shorter; at the end of the support nothing is left of it.
    return (step, span - k - 1, -1, 1) if k < span else (step, 0, 0, 1)
