"""The reductions that engines share, against the definition by all subsets."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counting.test_every_engine import pairs, steps
from exactperm.counting import dp
from exactperm.counting.tally import (
    distribution,
    expanded,
    folded,
    kept_logarithms,
)
from exactperm.swaps.units import binomials, degree, pairs_of

# ----------------------------------------------------------------------------- the folded threshold


def unfolded(layers, kept, near):
    count = dp.count_at_most(kept, near) if kept else 0
    for whole, times in reversed(layers):
        count = whole + times * count
    return count


thirds = steps().map(
    lambda units: {tuple((3 * x, n) for x, n in step): c for step, c in units.items()}
)


@pytest.mark.parametrize("any_units", [pairs(10, 60), thirds])
@given(st.data())
def test_the_folded_count_is_the_count(any_units, data):
    """What is above the threshold goes, as do common divisors; the threshold is in the lower half of the rest."""
    units = data.draw(any_units)
    k = data.draw(st.integers(0, degree(units) + 5))
    form = _layers, kept, near = folded(units, k)
    assert unfolded(*form) == dp.count_at_most(units, k)
    if kept:
        assert 0 <= near < degree(kept) - near
        if pairs_of(kept):
            assert math.gcd(*kept) == 1
            assert max(kept) <= near


def test_few_steps_of_many_terms_fold_in_few_passes():
    """Each complement drops one term of three hundred: after a few the count of what is left is cheaper."""
    dense = {tuple((i, 1 + (i + j) % 3) for i in range(0, 300, j)): 1 for j in (1, 2)}
    form = folded(dense, 225)
    assert len(form[0]) < 12
    assert unfolded(*form) == dp.count_at_most(dense, 225)


@pytest.mark.parametrize(
    ("tally", "k", "expected"),
    [
        ({1: 3, 100: 3}, 99, ([(8, 0)], {}, 0)),  # beyond all that is left
        ({5: 4, 7: 9}, 3, ([(1, 0)], {}, 0)),
        ({1: 3, 100: 3}, 2, ([(8, -1), (1, 0)], {}, 0)),  # 8 - #{X <= 0}
        ({3: 1, 7: 2}, 4, ([(2, 0)], {}, 0)),
        ({4: 2, 6: 2}, 9, ([], {2: 2, 3: 2}, 4)),
        ({2: 2, 3: 2}, 4, ([], {2: 2, 3: 2}, 4)),
        (
            {((0, 1), (2, 3), (4, 1)): 3, ((0, 1), (8, 1)): 3},
            9,
            ([], {((0, 1), (1, 3), (2, 1)): 3, ((0, 1), (4, 1)): 3}, 4),
        ),
    ],
)
def test_folded_to_the_lower_half(tally, k, expected):
    assert folded(tally, k) == expected


# ------------------------------------------------------------------------------------- closed forms


@pytest.mark.slow
@given(pairs(12, 9))
def test_expanded_coefficients_are_the_counts(tally):
    counts = dp.counts(tally)
    assert expanded(tally) == [counts.get(x, 0) for x in range(degree(tally) + 1)]
    assert distribution(expanded(tally)[: degree(tally) // 2 + 1], degree(tally)) == counts


@pytest.mark.parametrize("pairs", [0, 1, 7, 8, 9, 63, 64, 65, 300])
def test_expanded_slots_hold_the_largest_counts(pairs):
    """Of M equal pairs, C(M, M/2): within a bit of 2**M for few pairs, where a slot of fewer bytes would overflow."""
    assert (
        expanded({1: pairs} if pairs else {})
        == binomials(pairs, pairs)
        == [math.comb(pairs, j) for j in range(pairs + 1)]
    )


# ------------------------------------------------------------------------------ about how many sums


def numbers_of_multiples(tally, k):
    """After each group, how many choices of one multiple for every difference so far sum to at most k."""
    numbers, found = {0: 1}, []
    for d, c in tally.items():
        before, numbers = numbers, {}
        for x, n in before.items():
            for y in range(x, min(x + d * c, k) + 1, d):
                numbers[y] = numbers.get(y, 0) + n
        found.append(sum(numbers.values()))
    return found


@pytest.mark.parametrize("most", [1, 2, 4])
@pytest.mark.parametrize(
    ("share", "tolerance"), [(0.25, 0.03), (0.35, 0.003), (0.5, 0.001), (1, 1e-9)]
)
def test_sums_are_kept_by_the_normal_law(most, share, tolerance):
    tally = {d: 1 + d % most for d in range(20, 60)}
    k = int(share * sum(d * c for d, c in tally.items()))
    for about, number in zip(kept_logarithms(tally, k), numbers_of_multiples(tally, k)):
        assert about == pytest.approx(math.log(number), rel=tolerance, abs=0.05)


def test_the_tail_of_the_normal_law_goes_on():
    # Beyond x = 5 stands the first term of the asymptotic series of erfc, too large by less than
    # one part in 2 x**2.
    tally = dict.fromkeys(range(100, 300), 1)
    total, deviation = sum(tally), math.sqrt(sum(d * d for d in tally)) / 2
    for k in range(0, 20_000, 500):
        x = (total / 2 - k) / deviation / math.sqrt(2)
        *_before, about = kept_logarithms(tally, k)
        assert about == pytest.approx(max(0.0, math.log(2**200 * math.erfc(x) / 2)), abs=0.021)
    # Further out erfc is nothing in floats, and its logarithm is still a number.
    *_before, about = kept_logarithms(dict.fromkeys(range(100, 5000), 1), 0)
    assert 0 < about < 4900 * math.log(2)
