"""Strata become a pool or steps, and their weights are those of the difference of means and of ranks."""

from fractions import Fraction
from math import comb

from complaint import complaint
from exactperm import Budget, BudgetExceeded
from exactperm.budget import DEFAULTS, Options
from exactperm.counting.strata import canonical_samples, listed, scaled_means, scaled_ranks
from exactperm.swaps.unpaired import Stratum

TWO = [Stratum(x=[4], y=[2, 0]), Stratum(x=[1], y=[2])]


def test_forms():
    """One stratum is a pool, several are a step each; one whose sample is empty has a single labeling."""
    assert list(canonical_samples(TWO[:1], [1], 0).tally) == [(1, (0, 1, 2))]
    steps = canonical_samples([*TWO, Stratum(x=[5], y=[])], [1, 1, 1], Fraction(1, 2))
    assert steps.tally == {((0, 1), (1, 1)): 1, ((0, 1), (2, 1), (4, 1)): 1}
    assert (steps.value(0), steps.observed, steps.ties) == (-2, 4, 1)


def test_weights():
    """By hand: m n / (m + n), 1 / (N + 1), or those that are given; a single stratum has the plain statistic."""
    _strata, factors, mean = scaled_means(TWO, 1)
    assert (factors, mean) == ([Fraction(6, 7), Fraction(6, 7)], 0)
    ranks, factors, mean = scaled_ranks(TWO)
    assert [(one.x, one.y) for one in ranks] == [([6], [4, 2]), ([2], [4])]
    assert (factors, mean) == ([Fraction(1, 8), Fraction(1, 6)], Fraction(5, 12))
    assert scaled_ranks(TWO[:1])[1:] == ([Fraction(1, 2)], 1)


def test_strata_of_many_sums_are_draws():
    """Sums of the same strata are listed for a count; where they are few, they always are."""
    powers = [3**i for i in range(18)]
    many = [Stratum(x=powers[::2], y=powers[1::2]), Stratum(x=powers[9:], y=powers[:9])]
    draws = canonical_samples(many, [1, 2], 5, listed=False)
    values = [tuple((times * (value - 1) // 2) for value in powers) for times in (1, 2)]
    assert (draws.tally, draws.tied) == ({(9, one): 1 for one in values}, 1)
    steps = canonical_samples(many, [1, 2], 5)
    assert steps.total == draws.total == comb(18, 9) ** 2
    assert (steps.statistic, steps.expected) == (draws.statistic, draws.expected)
    assert canonical_samples(TWO, [1, 1], 7, listed=False) == canonical_samples(TWO, [1, 1], 7)
    apart = Stratum(x=[], y=[0, 2])
    assert canonical_samples([*many, apart], [1, 2, 5], 5, listed=False).tally == draws.tally
    small = Options(budget=Budget(seconds=1e-3))
    refused = complaint(BudgetExceeded, lambda: canonical_samples(many, [1, 1], 0, small))
    assert "the sums of 2 strata" in refused
    assert listed(draws.tally, DEFAULTS) is None
    assert listed({(3, values[0]): 1}, small) is None
    assert listed({(1, values[0]): 2}, small) == {tuple((x, 1) for x in values[0]): 2}
