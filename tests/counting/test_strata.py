"""Strata become a pool or steps, and their weights are those of the difference of means and of ranks."""

from fractions import Fraction

from complaint import complaint
from exactperm import Budget, BudgetExceeded
from exactperm.budget import Options
from exactperm.counting.strata import canonical_samples, scaled_means, scaled_ranks
from exactperm.swaps.unpaired import Stratum

TWO = [Stratum(x=[4], y=[2, 0]), Stratum(x=[1], y=[2])]


def test_forms():
    """One stratum is a pool, several are a step each; one whose sample is empty has a single labeling."""
    assert list(canonical_samples(TWO[:1], [1], 0).tally) == [(1, (0, 1, 2))]
    steps = canonical_samples([*TWO, Stratum(x=[5], y=[])], [1, 1, 1], Fraction(1, 2))
    assert steps.tally == {((0, 1), (1, 1)): 1, ((0, 1), (2, 1), (4, 1)): 1}
    assert (steps.value(0), steps.observed, steps.ties) == (Fraction(13, 2), 4, 1)
    refused = complaint(
        BudgetExceeded,
        lambda: canonical_samples(TWO, [1, 1], 0, Options(budget=Budget(seconds=1e-9))),
    )
    assert "the sums of 2 strata" in refused


def test_weights():
    """By hand: m n / (m + n), 1 / (N + 1), or those that are given; a single stratum has the plain statistic."""
    _strata, factors, offset = scaled_means(TWO, 1)
    assert (factors, offset) == ([Fraction(6, 7), Fraction(6, 7)], -3)
    ranks, factors, offset = scaled_ranks(TWO)
    assert [(one.x, one.y) for one in ranks] == [([6], [4, 2]), ([2], [4])]
    assert (factors, offset) == ([Fraction(1, 8), Fraction(1, 6)], Fraction(-7, 12))
    assert scaled_ranks(TWO[:1])[1:] == ([Fraction(1, 2)], -1)
