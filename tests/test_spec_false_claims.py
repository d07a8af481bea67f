"""Sentences that the specification once had, or that come to mind, and that are false: each counterexample runs.

The names in the comments are anchors of the pages in ``spec/``.
"""

import itertools
import random
from collections import Counter
from fractions import Fraction as F

import pytest

from exactperm.certified.bracket import tail_bracket
from exactperm.counting import dp, packed, plane
from exactperm.fast import fast_permutation_test
from exactperm.montecarlo.risk import monte_carlo_risk, samples_needed
from exactperm.permutation import permutation_test, sign_flip_test
from exactperm.swaps.statistic import Statistic


def test_no_unit_with_a_difference():
    # audit-lattice: the theorem needs n >= 1; without such a unit there is one p-value, 1, and
    # 2/2**0 = 2 is none.
    assert {
        sign_flip_test([0, 0], alternative=name).pvalue for name in ("greater", "two-sided")
    } == {1}


def test_the_risk_at_the_level_does_not_vanish():
    # lecture-risk: for p = alpha an estimate is on the wrong side about every second time, however
    # many samples.
    risks = [
        monte_carlo_risk("0.05", "0.05", samples, adjusted=False) for samples in (100, 1000, 10_000)
    ]
    assert [f"{float(risk):.3f}" for risk in risks] == ["0.384", "0.462", "0.488"]
    assert samples_needed("0.05", "0.05", "0.1") is None


def test_below_the_middle_a_tail_can_be_one_half():
    # tilted-inversion, section 2: {3, 4, 5} and k = 5 has k < (D - 1) / 2 = 5.5 and no sum between
    # 5 and 7.
    counts = dp.counts({3: 1, 4: 1, 5: 1})
    assert F(sum(count for x, count in counts.items() if x <= 5), 8) == F(1, 2)
    assert tail_bracket({3: 1, 4: 1, 5: 1}, 5).ends() == (F(1, 2), F(1, 2))


def test_what_lies_between_the_tails():
    # own-split: 2 F(k) = 2**M - #{k < X < D - k} for 2 k < D only.
    for tally in ({1: 2}, {1: 3, 4: 2}, {2: 1, 3: 3}):
        counts, span = dp.counts(tally), sum(d * c for d, c in tally.items())
        total = sum(counts.values())
        for k in range(span + 1):
            at_most = packed.count_at_most(tally, k)
            between = sum(count for x, count in counts.items() if k < x < span - k)
            assert (2 * at_most == total - between) is (2 * k < span)


def test_the_weight_of_the_observed_value():
    # Proposition 6: one-sided tests at the centre, 2 k = D, have f (A - B) and f (A + B) / 2;
    # "doubled" counts each assignment twice: 2 P(T = t), which is 2 where all pairs are tied.
    centre, ties = ([1, 0, 2, 0], [0, 1, 0, 2]), ([0, 0], [0, 0])
    for columns, alternative, point, midp in (
        *((centre, side, F(1, 4), F(1, 2)) for side in ("greater", "less")),
        (centre, "two-sided", F(1, 4), F(7, 8)),
        (ties, "doubled", 2, 1),
    ):
        result = permutation_test(*columns, alternative=alternative)
        certified = fast_permutation_test(*columns, alternative=alternative)
        assert (result.point_probability, certified.point_probability.ends()) == (
            point,
            (point,) * 2,
        )
        assert (result.midp, certified.midp.ends()) == (midp, (midp, midp))
    # One difference that is not 0 makes the largest P(T = t) of a sum one half; other statistics
    # may have more.
    for differences in itertools.product(range(3), repeat=4):
        if any(differences):
            counts = dp.counts({d: n for d, n in sorted(Counter(differences).items()) if d})
            assert 2 * max(counts.values()) <= sum(counts.values())
    even = Statistic((lambda a, b: a - b,), lambda x: x % 2, "parity")
    result = permutation_test([1, 3], [0, 0], statistic=even, alternative="doubled")
    assert result.point_probability == 2


def test_the_first_row_is_not_empty():
    # own-plane: row 0 counts the subsets of the units without a first coordinate, so 0 * 2**M is no
    # bound for it.
    counts = dict(plane.items({(0, 1): 2}))
    assert counts == {(0, 0): 1, (0, 1): 2, (0, 2): 1}
    assert max(counts.values()) > 0 * 2**2


@pytest.mark.slow
def test_off_the_lattice_more_than_a_hundred_frequencies():
    # tilted-inversion: 10 to 100 values of phi are enough where differences share a coarse unit.
    # Else about 1 / width further frequencies must be shown to be small, and with few pairs not all
    # of them are.
    found = evaluated(random.Random(5), 40, 1e-4)
    assert found > 100


def evaluated(rng, pairs, width):
    """Number of frequencies whose phi is computed, for differences of 12 digits."""
    from exactperm.certified.factors import PairFactors
    from exactperm.certified.inversion import Inversion
    from exactperm.certified.parameters import choose

    groups = [(d, 1) for d in sorted(rng.randint(1, 10**12) for _ in range(pairs))]
    k = sum(d for d, _ in groups) * 3 // 10
    inversion = Inversion(PairFactors(groups), k, 20, choose(PairFactors(groups), k, 20))
    return len(inversion.scan.settle(inversion.aim(width), 10**8).found)
