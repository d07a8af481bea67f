"""Extreme regions row by row: the zonotope, the first point of each row, complements, and values over 0."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm import f1_difference, ratio_difference
from exactperm.errors import ExactPermError
from exactperm.null.joint import JointTails
from exactperm.null.region import Hull, region
from exactperm.swaps.statistic import value_of
from joint_cases import distribution, random_lattice, tails_of

DELTAS = st.one_of(
    st.tuples(st.integers(1, 3), st.integers(-3, 3)),
    st.tuples(st.just(0), st.integers(1, 3)),
)


@given(st.dictionaries(DELTAS, st.integers(1, 3), min_size=1, max_size=4))
def test_the_hull_holds_all_points_and_its_corners_are_attained(tally):
    hull, points = Hull(tally), distribution(tally)
    assert set(hull.corners) <= set(points)
    rows = {}
    for x, y in points:
        rows.setdefault(x, []).append(y)
    assert hull.right == max(rows)
    for x in range(hull.right + 1):
        low, high = hull.row(x)
        for y in rows.get(x, []):
            assert low <= y <= high
    for x, y in hull.corners:
        assert y in hull.row(x)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_a_point_is_in_the_region_from_the_first_on(seed):
    # T >= t, T > t, T <= t and T < t, and their complements, at every attainable point.
    rng = random.Random(seed)
    swaps, statistic = random_lattice(rng, 12)
    tails = JointTails(swaps=swaps, rule=statistic)
    t = rng.choice([tails.statistic, Fraction(rng.randint(-9, 9), 10)])
    for one in tails.coordinates:
        points = {z: value_of(statistic.combine, one.sums(z)) for z in distribution(one.tally)}
        for upper, strict in ((True, False), (True, True), (False, False), (False, True)):
            found = region(one, statistic, (t, upper, strict))
            outside = found.outside()
            assert outside.flipped != found.flipped
            assert found.right == outside.right == max(x for x, _ in points)
            for (x, y), value in points.items():
                holds = (value > t if upper else value < t) or (value == t and not strict)
                for side, wanted in ((found, holds), (outside, not holds)):
                    own = -y if side.flipped else y
                    low, high = side.row(x)
                    assert low <= own <= high
                    first = side.first(x, rng.randint(low - 3, high + 3))
                    assert low <= first <= high + 1
                    assert (own >= first) == wanted
            assert found.deltas == {
                (a, -b if found.flipped else b): c for (a, b), c in one.tally.items()
            }
            assert found.rows == (found.right // 2, one.observed[0], found.right - one.observed[0])


def test_entries_with_a_common_denominator():
    u = [(Fraction(1, 2), 1), (Fraction(1, 3), 2), (1, Fraction(1, 2))]
    swaps = tails_of(u, [(1, 1), (0, 1), (Fraction(1, 6), 2)]).swaps
    assert swaps.scale > 1
    found = region(swaps, f1_difference, (0, True, False))
    for x, y in distribution(swaps.tally):
        own = -y if found.flipped else y
        assert (own >= found.first(x)) == (value_of(f1_difference.combine, swaps.sums((x, y))) >= 0)


def test_a_value_over_0_is_refused_wherever_it_is():
    # One assignment gives 6 over 0, far from the region that is asked for: only the corners meet
    # it.
    u, v = [(0, 0), (2, 0), (0, 2), (0, 3)], [(1, 2), (2, 2), (1, 0), (3, 0)]
    tails = tails_of(u, v, ratio_difference)
    for one in tails.coordinates:
        with pytest.raises(ExactPermError, match="the ratio 6 / 0"):
            region(one, ratio_difference, (tails.statistic, True, False))
