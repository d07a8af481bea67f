"""From columns of entries to the canonical tally, which has the sums of all swaps."""

import pickle
from collections import Counter
from fractions import Fraction
from math import gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

import brute
import strategies
from complaint import check_refusals, complaint
from exactperm.arithmetic.rational import common_denominator
from exactperm.arithmetic.reading import exact_column
from exactperm.errors import BudgetExceeded, ExactPermError, WrongType
from exactperm.swaps.canonical import Swaps, canonical
from exactperm.swaps.effects import Effects, Flips, flip_effects, swap_effects
from exactperm.swaps.lattice import lattice
from exactperm.swaps.statistic import Statistic, difference

scores = st.one_of(st.integers(-9, 9), st.fractions(-3, 3, max_denominator=12), st.booleans())
columns = strategies.columns(scores)
product = Statistic(
    (lambda a, b: a * b - b, lambda a, b: a), lambda x, y: x - y, "not antisymmetric"
)
SEVENTHS = [Fraction(1, 7), Fraction(2, 7)]
SIX = Effects(units={((SEVENTHS[0], 1, 2), (0, 0, 0)): 1, ((1, 2, 3), (0, 0, 0)): 5}, n=6)


def lopsided(a, b):
    """A g that is not antisymmetric."""
    return a * a - 2 * b


class TestEffects:
    def test_user_functions_receive_raw_entries_in_both_orders(self):
        calls = []

        def g(a, b):
            calls.append((a, b))
            return len(a) - len(b)

        effects = swap_effects(["one", "three"], ["a", "b"], Statistic((g,)))
        assert calls == [("one", "a"), ("a", "one"), ("three", "b"), ("b", "three")]
        assert effects.units == {((2,), (-2,)): 1, ((4,), (-4,)): 1}

    def test_several_components(self):
        effects = swap_effects([1, 2], [3, 4], product)
        assert effects.units == {((0, 1), (2, 3)): 1, ((4, 2), (6, 4)): 1}
        assert brute.observed(effects) == (4, 3)
        assert (effects.n, effects.n_units, effects.n_nonzero) == (2, 2, 2)

    def test_equal_effects_of_different_entries_add_up(self):
        raw = Statistic(difference.components, abs, "absolute difference of raw numbers")
        for statistic in (difference, raw):
            assert swap_effects([3, 4], [1, 2], statistic).units == {((2,), (-2,)): 2}
        larger = Statistic((max,), read=exact_column)
        effects = swap_effects(["0.5", 3, 1, 2, 1], [3, 1, 3, 2, "2"], larger)
        assert effects == Effects(units={((3,), (3,)): 3, ((2,), (2,)): 2}, n=5)

    def test_groups_of_ever_new_denominators_are_summed_as_integers(self):
        primes = [Fraction(1, p) for p in (2, 3, 5, 7, 11, 13)]
        effects = swap_effects(primes, primes[::-1], product, groups=[0, 0, 0, 1, 1, 1])
        assert effects.scale == 30030
        assert brute.observed(effects) == (
            sum(a * b - b for a, b in zip(primes, primes[::-1])),
            sum(primes),
        )

    @pytest.mark.parametrize("v", [[0, 0], [0, Fraction(1, 2)], [Fraction(1, 2), Fraction(1, 3)]])
    def test_exact_numbers_under_the_difference_are_flips(self, v):
        effects = swap_effects([3, 4], v, difference)
        assert isinstance(effects, Flips)
        assert brute.observed(effects) == (7 - sum(v),)

    def test_numbers_under_a_raw_difference_are_flips_where_all_are_exact(self):
        raw = Statistic(difference.components)
        assert isinstance(swap_effects([1, Fraction(1, 2)], [0, 0], raw), Flips)
        told = "g(u, v)[0] is 0.5: g must return an int or an exact rational"
        assert complaint(WrongType, lambda: swap_effects([0.5], [0], raw)) == told

    @pytest.mark.slow
    @given(columns, st.lists(st.sampled_from("abc"), min_size=7, max_size=7))
    def test_groups_swap_together(self, data, labels):
        u, v = data
        labels = labels[: len(u)]
        for statistic in (
            difference,
            Statistic((lopsided,)),
            Statistic((lopsided,), read=exact_column),
        ):
            effects = swap_effects(u, v, statistic, groups=labels)
            (g,) = statistic.components
            every = brute.values(u, v, lambda a, b, g=g: sum(map(g, a, b)), labels)
            assert brute.attainable(canonical(effects)) == Counter(every)
            assert brute.observed(effects) == (every[0],)
            assert (effects.n, effects.n_units) == (len(u), len(set(labels)))


@pytest.mark.parametrize("value", [0.5, "1", None])
def test_g_must_be_exact(value):
    """In both orders, and the pair is named."""
    for call, order in (("g(u, v)", (3, 4)), ("g(v, u)", (4, 3))):
        odd = Statistic((lambda a, b, order=order: value if (a, b) == order else 0,))
        told = complaint(WrongType, lambda odd=odd: swap_effects([1, 3], [2, 4], odd))
        assert told.startswith(f"{call}[1] is {value!r}: ")
        assert (": g must return an int or an exact" in told) == (value is not None)


DIFFERENCES = """
[[]] | d is empty: a test needs
[{}] | d is empty: a test needs
[{1: 0}] | d is empty: a test needs
[{1: -1}] | the number of pairs with d = 1 is -1: it must be at least 0
[{"x": 1}] | the differences of d[0] is 'x': not a finite number such
[{1: True}] | the number of pairs with d = 1 is True: it must be an int | WrongType
[[1, None]] | d[1] is None: the value is missing | WrongType
"""


class TestSignFlips:
    def test_list_and_mapping_agree(self):
        listed = flip_effects([1, 1, -1, "0.5"])
        mapped = flip_effects({1: 2, -1: 1, "0.5": 1, 7: 0})
        assert canonical(listed) == canonical(mapped)
        assert flip_effects({0.5: 2, "0.5": 3, "1/2": 4}) == Flips(column={1: 9}, n=9, scale=2)
        assert flip_effects({"0.24": 2, "0.18": 3}, decimals=1) == Flips(
            column={1: 5}, n=5, scale=5
        )
        assert (mapped.n, mapped.n_units, mapped.n_nonzero) == (4, 4, 4)

    def test_groups_and_decimals(self):
        effects = flip_effects(["0.24", "0.26", "1"], groups=[0, 0, 1], decimals=1)
        assert effects == Flips(column=[5, 10], n=3, scale=10)

    def test_bad_differences(self):
        check_refusals(flip_effects, DIFFERENCES)

    def test_mapping_has_no_groups(self):
        told = complaint(ExactPermError, lambda: flip_effects({1: 2}, groups=[0, 1]))
        assert told.startswith("groups needs a column of differences, but d is a mapping")


def test_effects_pickle_and_compare():
    assert pickle.loads(pickle.dumps(flip_effects([1]))) == Flips(column=[1], n=1)


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
            (12, lambda: lattice(SIX)),
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
