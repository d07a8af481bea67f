"""The canonical tally has the sums of all swaps."""

from collections import Counter
from fractions import Fraction
from math import gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

import brute
from complaint import complaint
from exactperm.arithmetic.rational import common_denominator
from exactperm.errors import BudgetExceeded
from exactperm.swaps.canonical import Swaps, canonical
from exactperm.swaps.effects import Effects, flip_effects, swap_effects
from exactperm.swaps.statistic import Statistic, difference

scores = st.one_of(st.integers(-9, 9), st.fractions(-3, 3, max_denominator=12), st.booleans())
columns = st.integers(1, 7).flatmap(
    lambda n: st.tuples(
        st.lists(scores, min_size=n, max_size=n), st.lists(scores, min_size=n, max_size=n)
    )
)
product = Statistic(
    (lambda a, b: a * b - b, lambda a, b: a), lambda x, y: x - y, "not antisymmetric"
)
SEVENTHS = [Fraction(1, 7), Fraction(2, 7)]


class TestCanonicalForm:
    @pytest.mark.slow
    @given(columns)
    def test_stands_for_the_same_sums_as_all_swaps(self, data):
        u, v = data
        swaps = canonical(swap_effects(u, v, difference))
        every = brute.values(u, v, brute.sum_of_differences)
        assert brute.attainable(swaps) == Counter(every)
        assert swaps.value(swaps.observed) == every[0]
        assert swaps.value(0) == min(every)
        assert swaps.value(swaps.span) == max(every)

    @pytest.mark.slow
    @given(columns, st.fractions("1/50", 50))
    def test_a_scale_factor_is_the_unit(self, data, factor):
        """The order of pairs changes nothing."""
        swaps = canonical(swap_effects(*data, difference))
        scaled = [[x * factor for x in reversed(column)] for column in data]
        larger = canonical(swap_effects(*scaled, difference))
        places = [(x.tally, x.observed, x.ties) for x in (swaps, larger)]
        assert places[0] == places[1]
        if swaps.tally:
            assert larger.unit == swaps.unit * factor

    @pytest.mark.slow
    @given(columns)
    def test_tally_is_ascending_positive_and_without_common_divisor(self, data):
        swaps = canonical(swap_effects(*data, difference))
        assert list(swaps.tally) == sorted(swaps.tally)
        assert all(d > 0 and count > 0 for d, count in swaps.tally.items())
        assert sum(swaps.tally.values()) + swaps.ties == len(data[0])
        assert gcd(*swaps.tally) < 2

    def test_identical_columns(self):
        for u in ([1, 2], [0.5, "1/3"]):
            assert canonical(swap_effects(u, u, difference)) == Swaps(
                tally={}, ties=2, low=0, unit=1, observed=0
            )

    def test_ties_away_from_zero(self):
        """g(u, v) = g(v, u) = 1/3 for both pairs: every sum is 2/3, whatever the unit."""
        third = Statistic((lambda a, b: Fraction(1, 3),))
        swaps = canonical(swap_effects([1, 2], [1, 2], third))
        assert swaps == Swaps(tally={}, ties=2, low=Fraction(2, 3), unit=1, observed=0)

    @pytest.mark.slow
    @given(columns)
    def test_flips_and_effects_agree(self, data):
        """The short way of differences against the general one."""
        flips = swap_effects(*data, difference)
        assert canonical(flips) == canonical(
            Effects(units=flips.units, n=flips.n, scale=flips.scale)
        )

    def test_no_bearable_common_denominator(self):
        # Distinct prime powers as denominators: the scaled effects would need gigabytes.
        effects = flip_effects([Fraction(1, p**2000) for p in (2, 3, 5, 7, 11, 13)] * 2)
        canonical(effects)
        with pytest.raises(BudgetExceeded, match="no common denominator"):
            common_denominator((Fraction(1, 3**k) for k in (1, 2000)), 10**7)

    @pytest.mark.parametrize(
        ("numbers", "count"),
        [
            (4, lambda: flip_effects(["1/7", "2/7", "3/7", "1/7"])),
            (4, lambda: swap_effects(["1/7", "2/7"], [0, 0], difference)),
            (8, lambda: swap_effects(SEVENTHS, [0, 0], product, groups=["x", "y"])),
            (4, lambda: canonical(swap_effects(SEVENTHS, [0, 0], Statistic((lambda a, b: a,))))),
        ],
    )
    def test_every_number_that_is_scaled_counts(self, monkeypatch, numbers, count):
        """Each number times three bits, those of 7, in either order of u and v, for each component."""
        monkeypatch.setattr("exactperm.arithmetic.rational._MOST_SCALED_BITS", numbers * 3)
        count()
        monkeypatch.setattr("exactperm.arithmetic.rational._MOST_SCALED_BITS", numbers * 3 - 1)
        assert complaint(BudgetExceeded, count) == (
            f"{numbers} numbers have no common denominator below 2**3. "
            "Instead: estimate with monte_carlo_test, or round them (decimals=), which changes the question"
        )
