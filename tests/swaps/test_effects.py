"""From columns of entries to the canonical tally."""

import pickle
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import brute
from exactperm.arithmetic.rational import common_denominator
from exactperm.arithmetic.reading import exact_column
from exactperm.errors import BudgetExceeded, ExactPermError, WrongType
from exactperm.swaps.canonical import Swaps, canonical
from exactperm.swaps.effects import Effects, Flips, flip_effects, swap_effects
from exactperm.swaps.statistic import Statistic, difference

scores = st.one_of(st.integers(-9, 9), st.fractions(-3, 3, max_denominator=12), st.booleans())
columns = st.integers(1, 7).flatmap(
    lambda n: st.tuples(st.lists(scores, min_size=n, max_size=n), st.lists(scores, min_size=n, max_size=n))
)
product = Statistic((lambda a, b: a * b - b, lambda a, b: a), lambda x, y: x - y, "not antisymmetric")
SEVENTHS = [Fraction(1, 7), Fraction(2, 7)]


def lopsided(a, b):
    """A g that is not antisymmetric."""
    return a * a - 2 * b


def complaint(kind, call):
    """The whole text of the error that a call raises."""
    with pytest.raises(kind) as caught:
        call()
    assert type(caught.value) is kind
    return str(caught.value)


def attainable(swaps):
    """The multiset of all sums that a canonical form stands for."""
    sums = Counter({swaps.low: 2**swaps.ties})
    for d, count in swaps.tally.items():
        for _ in range(count):
            step = swaps.unit * d
            sums = Counter({x: sums[x] + sums[x - step] for x in {*sums, *(x + step for x in sums)}})
    return sums


class TestCanonicalForm:
    @given(columns)
    def test_stands_for_the_same_sums_as_all_swaps(self, data):
        u, v = data
        swaps = canonical(swap_effects(u, v, difference))
        every = brute.values(u, v, brute.sum_of_differences)
        assert attainable(swaps) == Counter(every)
        assert swaps.value(swaps.observed) == every[0]
        assert swaps.value(0) == min(every)
        assert swaps.value(swaps.span) == max(every)

    @given(columns, st.randoms(use_true_random=False))
    def test_does_not_depend_on_the_order_of_the_pairs(self, data, rng):
        pairs = list(zip(*data))
        rng.shuffle(pairs)
        assert canonical(swap_effects(*data, difference)) == canonical(swap_effects(*zip(*pairs), difference))

    @given(columns, st.fractions("1/50", 50))
    def test_a_scale_factor_is_the_unit(self, data, factor):
        u, v = data
        swaps = canonical(swap_effects(u, v, difference))
        larger = canonical(swap_effects([x * factor for x in u], [x * factor for x in v], difference))
        assert (larger.tally, larger.observed, larger.ties) == (swaps.tally, swaps.observed, swaps.ties)
        if swaps.tally:
            assert larger.unit == swaps.unit * factor

    @given(columns)
    def test_tally_is_ascending_positive_and_without_common_divisor(self, data):
        swaps = canonical(swap_effects(*data, difference))
        assert list(swaps.tally) == sorted(swaps.tally)
        assert all(d > 0 and count > 0 for d, count in swaps.tally.items())
        assert sum(swaps.tally.values()) + swaps.ties == len(data[0])
        if swaps.tally:
            assert all(any(d % p for d in swaps.tally) for p in (2, 3, 5, 7))

    def test_identical_columns(self):
        assert canonical(swap_effects([1, 2], [1, 2], difference)) == Swaps(tally={}, ties=2, low=0, unit=1, observed=0)

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
            "Instead: round them (decimals=), or estimate with monte_carlo_test"
        )


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
        assert effects.observed() == (4, 3)
        assert (effects.n, effects.n_units, effects.n_nonzero) == (2, 2, 2)

    def test_equal_effects_of_different_entries_are_one(self):
        effects = swap_effects([3, 4], [1, 2], difference)
        assert effects.units == {((2,), (-2,)): 2}

    def test_groups_of_ever_new_denominators_are_summed_as_integers(self):
        primes = [Fraction(1, p) for p in (2, 3, 5, 7, 11, 13)]
        effects = swap_effects(primes, primes[::-1], product, groups=[0, 0, 0, 1, 1, 1])
        assert effects.scale == 30030
        assert effects.observed() == (sum(a * b - b for a, b in zip(primes, primes[::-1])), sum(primes))

    def test_the_component_of_the_difference_may_be_used_on_raw_entries(self):
        raw = Statistic(difference.components, abs, "absolute difference of raw numbers")
        assert swap_effects([3, 4], [1, 2], raw).units == {((2,), (-2,)): 2}

    @pytest.mark.parametrize("v", [[0, 0], [0, Fraction(1, 2)], [Fraction(1, 2), Fraction(1, 3)]])
    def test_exact_numbers_under_the_difference_are_flips(self, v):
        effects = swap_effects([3, 4], v, difference)
        assert isinstance(effects, Flips)
        assert effects.observed() == (7 - sum(v),)

    def test_equal_effects_of_different_scores_add_up(self):
        larger = Statistic((max,), read=exact_column)
        effects = swap_effects(["0.5", 3, 1, 2, 1], [3, 1, 3, 2, "2"], larger)
        assert effects == Effects(units={((3,), (3,)): 3, ((2,), (2,)): 2}, n=5)

    def test_unhashable_entries_are_fine(self):
        overlap = Statistic((lambda a, b: len(a["x"]) - len(b["x"]),))
        assert swap_effects([{"x": [1]}], [{"x": []}], overlap).units == {((1,), (-1,)): 1}

    @given(columns, st.lists(st.sampled_from("abc"), min_size=7, max_size=7))
    def test_groups_swap_together(self, data, labels):
        u, v = data
        labels = labels[: len(u)]
        for statistic in (difference, Statistic((lopsided,)), Statistic((lopsided,), read=exact_column)):
            effects = swap_effects(u, v, statistic, groups=labels)
            (g,) = statistic.components
            every = brute.values(u, v, lambda a, b, g=g: sum(map(g, a, b)), labels)
            assert attainable(canonical(effects)) == Counter(every)
            assert effects.observed() == (every[0],)
            assert (effects.n, effects.n_units) == (len(u), len(set(labels)))


class TestBadInput:
    @pytest.mark.parametrize(
        ("u", "v", "message"),
        [
            ([], [], "u and v are empty: a test needs at least one pair"),
            ([1, 2, 3], [1], "u has 3 entries and v has 1: they must be paired"),
            ([1, "x"], [1, 2], "u[1] is 'x': not a finite number such as '0.93', '3/7' or '1e-3'"),
            ([1, 2], [1, float("nan")], "v[1] is nan: scores must be finite"),
        ],
    )
    def test_columns(self, u, v, message):
        assert complaint(ExactPermError, lambda: swap_effects(u, v, difference)) == message

    @pytest.mark.parametrize("statistic", [difference, product])
    def test_what_is_no_column_is_named(self, statistic):
        for name, u, v in (("u", 5, [1]), ("v", [1], 5)):
            message = f"{name} is 5: it must be a sequence with one entry a pair"
            assert complaint(WrongType, lambda u=u, v=v: swap_effects(u, v, statistic)) == message

    @pytest.mark.parametrize(
        ("groups", "kind", "message"),
        [
            ("ab", WrongType, "groups is 'ab': it must be a sequence with one entry a pair"),
            (["a"], ExactPermError, "groups has 1 labels for 2 pairs"),
            (["a", []], WrongType, "groups[1] is []: labels must be hashable"),
            (["a", float("nan")], ExactPermError, "groups[1] is nan: the label is missing"),
            (["a", None], ExactPermError, "groups[1] is None: the label is missing"),
        ],
    )
    def test_groups(self, groups, kind, message):
        assert complaint(kind, lambda: swap_effects([1, 2], [3, 4], difference, groups=groups)) == message

    def test_the_statistic_must_be_one(self):
        assert complaint(WrongType, lambda: swap_effects([1], [2], 5)) == (
            "statistic is 5: it must be a Statistic; exact_perm_test takes g and h"
        )

    def test_decimals_need_a_numeric_statistic(self):
        raw = Statistic((lambda a, b: 1,), name="raw")
        assert complaint(ExactPermError, lambda: swap_effects([1], [2], raw, decimals=1)) == (
            "decimals applies to numeric scores, but 'raw' receives raw entries"
        )

    @pytest.mark.parametrize("value", [0.5, "1", None, 1j])
    def test_g_must_be_exact(self, value):
        """In both orders, and the pair is named."""
        for call, order in (("g(u, v)", (3, 4)), ("g(v, u)", (4, 3))):
            statistic = Statistic((lambda a, b, order=order: value if (a, b) == order else 0,))
            message = complaint(WrongType, lambda statistic=statistic: swap_effects([1, 3], [2, 4], statistic))
            assert message.startswith(f"{call}[1] is {value!r}: ")
            if isinstance(value, (float, str)):
                assert message.endswith(": g must return an int or an exact rational")

    def test_statistics_are_checked(self):
        component = "it must be a function of two entries"
        assert complaint(WrongType, lambda: Statistic((len, 3), max)) == f"components[1] is 3: {component}"
        assert complaint(ExactPermError, lambda: Statistic((max, min))) == (
            "combine is None, but there are 2 components to combine"
        )
        assert complaint(WrongType, lambda: Statistic((max,), 5)) == (
            "combine is 5: it must be a function of the sums, or None"
        )
        assert complaint(ExactPermError, lambda: Statistic(())) == (
            "components is empty: a statistic needs at least one function g"
        )
        sequence = "it must be a sequence with one entry a component"
        for call, told in (
            (lambda: Statistic(5), "components is 5"),
            (lambda: Statistic("ab"), "components is 'ab'"),
            (lambda: Statistic((max,), monotone=5), "monotone is 5"),
        ):
            assert complaint(WrongType, call) == f"{told}: {sequence}"

    @pytest.mark.parametrize("signs", [(1,), (1, 2), (-2, 1), (0.5, 0), (1, 0, -1)])
    def test_each_component_has_a_sign(self, signs):
        assert complaint(ExactPermError, lambda: Statistic((max, min), pow, monotone=signs)) == (
            f"monotone is {signs!r}: it needs -1, 0 or 1 for each of 2 components"
        )

    @pytest.mark.parametrize("signs", [[1, -1], (0, 0), iter((-1, 0))])
    def test_any_of_three_signs(self, signs):
        statistic = Statistic((max, min), pow, monotone=signs)
        assert isinstance(statistic.monotone, tuple)
        assert set(statistic.monotone) <= {-1, 0, 1}
        assert Statistic((max, min, len), pow, monotone=(1, 0, -1)).monotone == (1, 0, -1)

    def test_nothing_is_promised_unless_it_is_said(self):
        plain = Statistic((max,))
        assert (plain.name, plain.combine, plain.read) == ("statistic", None, None)
        assert (plain.monotone, plain.antisymmetric) == (None, False)


class TestSignFlips:
    def test_list_and_mapping_agree(self):
        listed = flip_effects([1, 1, -1, "0.5"])
        mapped = flip_effects({1: 2, -1: 1, "0.5": 1, 7: 0})
        assert canonical(listed) == canonical(mapped)
        assert flip_effects({0.5: 2, "0.5": 3, "1/2": 4}) == Flips(differences={1: 9}, n=9, scale=2)
        assert flip_effects({"0.24": 2, "0.18": 3}, decimals=1) == Flips(differences={1: 5}, n=5, scale=5)
        assert (mapped.n, mapped.n_units, mapped.n_nonzero) == (4, 4, 4)

    def test_groups_and_decimals(self):
        effects = flip_effects(["0.24", "0.26", "1"], groups=[0, 0, 1], decimals=1)
        assert effects == Flips(differences={5: 1, 10: 1}, n=3, scale=10)
        assert effects.units == {((5,), (-5,)): 1, ((10,), (-10,)): 1}
        assert effects.observed() == (Fraction(3, 2),)

    @pytest.mark.parametrize(
        ("d", "message"),
        [
            ([], "d is empty: a test needs at least one pair"),
            ({}, "d is empty: a test needs at least one pair"),
            ({1: 0}, "d is empty: a test needs at least one pair"),
            ({1: -1}, "how many have d = 1 is -1: it must be at least 0"),
            ({"x": 1}, "the differences of d[0] is 'x': not a finite number such as '0.93', '3/7' or '1e-3'"),
        ],
    )
    def test_bad_differences(self, d, message):
        assert complaint(ExactPermError, lambda: flip_effects(d)) == message

    @pytest.mark.parametrize(
        ("d", "message"),
        [
            ({1: 2.0}, "how many have d = 1 is 2.0: it must be an int"),
            ({1: True}, "how many have d = 1 is True: it must be an int"),
            ([1, None], "d[1] is None: scores are int, bool, Fraction, Decimal, float or text such as '0.93' or '3/7'"),
            (5, "d is 5: it must be a sequence with one entry a pair"),
        ],
    )
    def test_differences_of_a_foreign_type(self, d, message):
        assert complaint(WrongType, lambda: flip_effects(d)) == message

    def test_mapping_has_no_groups(self):
        assert complaint(ExactPermError, lambda: flip_effects({1: 2}, groups=[0, 1])) == (
            "groups needs a column of differences, but d is a mapping {difference: how many}"
        )


def test_effects_pickle_and_compare():
    assert pickle.loads(pickle.dumps(flip_effects([1]))) == Flips(differences={1: 1}, n=1)
