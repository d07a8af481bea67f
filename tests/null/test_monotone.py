"""Tails of statistics with several components: every alternative agrees with the enumeration of all swaps."""

import math
import random
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
from exactperm.budget import Budget, Options
from exactperm.errors import BudgetExceeded, ExactPermError
from exactperm.null.alternative import ALTERNATIVES
from exactperm.null.distribution import NullDistribution
from exactperm.null.joint import JointTails, tails
from exactperm.null.region import direction, first_where
from exactperm.null.tails import LaidOutTails
from exactperm.swaps import metrics
from exactperm.swaps.effects import swap_effects
from exactperm.swaps.lattice import lattice
from exactperm.swaps.statistic import Statistic
from strategies import columns

F1, RATIO = metrics.f1_difference, metrics.ratio_difference
READY = (
    F1,
    metrics.precision_difference,
    metrics.recall_difference,
    RATIO,
    metrics.mean_difference,
)


def value(statistic, u, v):
    """The statistic by definition: the mean of the differences, or h of the sums of the g."""
    if statistic is metrics.mean_difference:
        return Fraction(sum(u) - sum(v)) / len(u)
    return statistic.combine(*(sum(g(a, b) for a, b in zip(u, v)) for g in statistic.components))


def null(statistic, u, v):
    """The null distribution by definition."""
    every = brute.values(u, v, lambda a, b: value(statistic, a, b))
    counts = {}
    for t in every:
        counts[t] = counts.get(t, 0) + 1
    return every[0], NullDistribution.of(counts)


def agrees(found, statistic, u, v, alternatives=ALTERNATIVES):
    """Compare tails with the enumeration of all swaps, and the whole distribution where all alternatives are asked."""
    observed, expected = null(statistic, u, v)
    assert found.statistic == observed
    if alternatives == ALTERNATIVES:
        assert found.distribution() == expected
    for alternative in alternatives:
        assert found.extreme_count(alternative)[0] == expected.extreme_count(observed, alternative)
        assert found.extremes(alternative) == expected.extremes(observed, alternative)
        assert found.least_count(alternative) == min(
            expected.extreme_count(t, alternative) for t in expected.support
        )


def run(statistic, u, v, alternative="two-sided", **options):
    return tails(lattice(swap_effects(u, v, statistic)), statistic, alternative, Options(**options))


def by_rows(statistic, u, v, alternative="greater"):
    """Check one-sided tails that need no mean, counted without laying anything out."""
    found = run(statistic, u, v, alternative, method="recurrence")
    assert isinstance(found, JointTails)
    agrees(found, statistic, u, v, ("greater", "less", "doubled"))


count = st.integers(0, 4)
count_pairs = columns(st.tuples(count, count))
half_pairs = columns(st.tuples(*[count.map(lambda k: Fraction(k, 2))] * 2), 6)
positive_pairs = columns(st.tuples(count, st.integers(1, 4)))
fraction_pairs = columns(
    st.tuples(st.fractions(0, 3, max_denominator=4), st.fractions("1/2", 3, max_denominator=4)), 6
)


class TestReadyStatistics:
    @pytest.mark.slow
    @pytest.mark.parametrize("statistic", READY[:3], ids=lambda statistic: statistic.name)
    @pytest.mark.parametrize("method", ["auto", "recurrence", "dp", "packed"])
    @settings(max_examples=20)
    @given(data=count_pairs)
    def test_counts(self, statistic, method, data):
        agrees(run(statistic, *data, method=method), statistic, *data)

    @pytest.mark.slow
    @given(st.one_of(positive_pairs, fraction_pairs))
    def test_ratios(self, data):
        agrees(run(RATIO, *data, method="recurrence"), RATIO, *data)

    @pytest.mark.slow
    @given(columns(st.one_of(st.integers(-3, 3), st.fractions(-1, 1, max_denominator=4))))
    def test_means(self, data):
        agrees(run(metrics.mean_difference, *data), metrics.mean_difference, *data)

    def test_a_system_that_finds_nothing(self):
        """0/0 in some assignments, here where every item of a system is (0, 0)."""
        u, v = [(0, 0), (0, 0), (2, 1)], [(1, 1), (0, 3), (0, 0)]
        for statistic in READY[:3]:
            agrees(run(statistic, u, v, method="recurrence"), statistic, u, v)

    def test_a_ratio_without_value_is_refused(self):
        """The assignment that gives u both zeros has 1 over 0: refused by every engine, not treated as infinite."""
        u, v = [(1, 0), (2, 5), (1, 1)], [(3, 4), (0, 0), (1, 0)]
        for method in ("recurrence", "dp"):
            with pytest.raises(ExactPermError, match="/ 0"):
                run(RATIO, u, v, method=method).extreme_count("two-sided")

    def test_a_shape_of_rank_one(self):
        u, v = [(3, 1), (2, 2), (5, 0), (1, 1)], [(2, 2), (4, 0), (1, 4), (1, 1)]
        found = run(F1, u, v)
        assert (found.swaps.rank, found.swaps.ties) == (1, 1)
        agrees(found, F1, u, v)


def first(a, _b):
    return a[0]


def second(a, _b):
    return a[1]


def third(a, b):
    return a[0] * b[1] - a[1]


def fourth(a, b):
    return a[1] * b[1] * 2 - b[0]


class TestAnyCombine:
    """h without promises: laid out point by point, in any rank."""

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "statistic",
        [
            Statistic((first,), lambda x: x * x, "one component"),
            Statistic((first, second), lambda x, y: x * x - 3 * y, "two"),
            Statistic((first, second, third), lambda x, y, z: Fraction(x - z, 1 + y * y), "three"),
            Statistic(
                (first, second, third, fourth), lambda w, x, y, z: (w - x) ** 2 - y * z, "four"
            ),
        ],
        ids=lambda statistic: statistic.name,
    )
    @pytest.mark.parametrize("method", ["auto", "recurrence", "dp", "packed"])
    @settings(max_examples=30)
    @given(data=count_pairs)
    def test_agrees(self, statistic, method, data):
        agrees(run(statistic, *data, method=method), statistic, *data)

    def test_the_method_asked_for_lays_out(self):
        rng = random.Random(5)
        u, v = ([(rng.randint(0, 5), rng.randint(0, 5)) for _ in range(11)] for _ in range(2))
        statistic = Statistic((first, second), lambda x, y: x * y)
        methods = ["recurrence", "dp", "packed"]
        assert [run(statistic, u, v, method=method).method for method in methods] == methods


class TestMonotoneStatistic:
    """A user's own promises."""

    lopsided = Statistic(
        (first, second),
        lambda x, y: x * x * x - 2 * y,
        "neither symmetric nor centred",
        monotone=(1, -1),
    )
    silent = Statistic((first, second), lambda x, y: x - (y - 4) ** 2, monotone=(1, 0))

    @pytest.mark.slow
    @pytest.mark.parametrize("method", ["recurrence", "dp"])
    @settings(max_examples=30)
    @given(data=count_pairs)
    def test_without_symmetry_the_mean_is_computed(self, method, data):
        agrees(run(self.lopsided, *data, method=method), self.lopsided, *data)

    @pytest.mark.slow
    @pytest.mark.parametrize("alternative", ["greater", "less", "doubled"])
    @settings(max_examples=30)
    @given(data=st.one_of(count_pairs, half_pairs))
    def test_one_sided_tails_need_no_mean(self, alternative, data):
        found = run(self.lopsided, *data, alternative, method="recurrence")
        agrees(found, self.lopsided, *data, (alternative,))

    @pytest.mark.parametrize("scale", [1, 2, 3])
    def test_sums_are_those_of_the_scores(self, scale):
        """x**3 - 2 y of halves or thirds is no multiple of that of integers, on a line and in the plane."""
        u, v = [(1, 3), (4, 1), (0, 2), (3, 3)], [(2, 1), (1, 1), (5, 0), (3, 1)]
        for keep in (1, 0):
            data = [
                [(Fraction(x, scale), Fraction(y * keep, scale)) for x, y in column]
                for column in (u, v)
            ]
            by_rows(self.lopsided, *data)

    def test_sums_of_integers_are_integers(self):
        """h may ask for ints, which a Fraction of denominator 1 is not."""
        choose = Statistic((first, second), lambda x, y: math.comb(x, 2) + y, monotone=(1, 1))
        by_rows(choose, [(1, 2), (3, 0), (0, 1)], [(0, 0), (1, 3), (2, 4)])

    def test_direction(self):
        for monotone, steps in (
            ((1, -1), {(1, 0): 1, (0, 1): -1, (2, -3): 1, (-2, 3): -1, (1, 1): None}),
            ((1, 0), {(1, 0): 1, (-1, 0): -1, (1, 1): None}),
            (None, {(1, 0): None}),
        ):
            rule = Statistic((first, second), lambda x, y: x, monotone=monotone)
            assert {step: direction(rule, step) for step in steps} == steps

    def test_coordinates_are_chosen_in_which_the_promise_holds(self):
        """Nothing is promised about y, so rows must run along x; the first coordinates found run along y."""
        silent = self.silent
        u, v = [(1, 2), (3, 1), (0, 1), (2, 2), (4, 1)], [(0, 2), (1, 1), (0, 0), (2, 1), (4, 3)]
        swaps = lattice(swap_effects(u, v, silent))
        assert direction(silent, swaps.basis[-1]) is None
        by_rows(silent, u, v)

    def test_rows_without_promise_are_laid_out(self):
        """0 promises nothing about y, so no row along which y changes can be cut by bisection."""
        silent = self.silent
        u, v = [(1, 2), (3, 0), (0, 1), (2, 2)], [(0, 0), (1, 3), (2, 4), (2, 1)]
        assert direction(silent, (0, 1)) is None
        agrees(run(silent, u, v, method="recurrence"), silent, u, v)

    def test_no_coordinates_with_monotone_rows(self):
        silent = Statistic((first, second), lambda x, y: x * y, monotone=(0, 0))
        u, v = [(1, 2), (3, 0), (0, 1)], [(0, 0), (1, 3), (2, 4)]
        found = run(silent, u, v, method="recurrence")
        assert isinstance(found, LaidOutTails)
        agrees(found, silent, u, v)
        one = [(x, 0) for x, _ in u], [(x, 0) for x, _ in v]
        assert isinstance(run(silent, *one), LaidOutTails)

    def test_rank_three(self):
        rule = Statistic((first, second, third), lambda x, y, z: x - y + z, monotone=(1, -1, 1))
        u, v = [(1, 2), (3, 0), (0, 1)], [(0, 0), (1, 3), (2, 4)]
        agrees(run(rule, u, v), rule, u, v)
        assert lattice(swap_effects(u, v, rule)).rank == 3
        for alternative in ("greater", "less"):
            agrees(run(rule, u, v, alternative), rule, u, v, (alternative,))
        with pytest.raises(BudgetExceeded):
            run(rule, u, v, budget=Budget(seconds=1e-12))


def sentences(n):
    rng = random.Random(7)
    return ([(rng.randint(0, 9), rng.randint(0, 4)) for _ in range(n)] for _ in range(2))


def right_or_wrong(n):
    """Every item is a true positive or an incorrect prediction, so that the points lie on a line."""
    rng = random.Random(8)
    return ([(k, 40 - k) for k in rng.choices(range(41), k=n)] for _ in range(2))


class TestEngines:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        "data", [tuple(right_or_wrong(100)), tuple(sentences(30))], ids=["a line", "a plane"]
    )
    def test_options_are_handed_on(self, data):
        """Progress of a long count ends at its total; a budget of nothing is refused, in either rank."""
        found = run(F1, *data, method="recurrence")
        assert isinstance(found, JointTails)
        for ask, method in (
            (partial(found.extreme_count, "two-sided"), "recurrence"),
            (found.distribution, "auto"),
        ):
            seen = []
            ask(Options(method=method, progress=lambda *call: seen.append(call)))  # noqa: B023
            assert seen and seen[-1][0] == seen[-1][1]
        with pytest.raises(BudgetExceeded):
            found.distribution(Options(budget=Budget(seconds=1e-12)))
        seen = []
        run(F1, *data, method="dp", progress=lambda *call: seen.append(call))
        assert (seen == []) == (found.swaps.rank == 1), (
            "points are laid out at once, a line waits for the question"
        )

    def test_a_line_is_counted_within_the_budget_by_the_method_asked_for(self):
        found = run(F1, *right_or_wrong(9))
        assert {found.extreme_count(a, Options(method="packed"))[1] for a in ALTERNATIVES} == {
            "packed"
        }
        with pytest.raises(BudgetExceeded):
            found.extreme_count("less", Options(budget=Budget(seconds=1e-12)))

    def test_refused_before_any_work(self):
        u, v = sentences(60)
        for options in ({}, {"method": "recurrence"}):
            with pytest.raises(BudgetExceeded, match=r"60 pairs|5\d pairs") as caught:
                run(F1, u, v, budget=Budget(seconds=1e-7), **options)
            assert caught.value.seconds > 1e-7
            assert caught.value.bytes > 0

    def test_a_dictionary_where_rows_would_be_too_long(self):
        """Coordinates in millions: the rectangle of all sums is out of reach, the few attainable points are not."""
        rng = random.Random(3)
        u, v = (
            [(rng.randint(0, 10**7), rng.randint(0, 10**7)) for _ in range(8)] for _ in range(2)
        )
        found = run(F1, u, v)
        assert isinstance(found, LaidOutTails)
        agrees(found, F1, u, v)


near_and_far = st.one_of(st.integers(0, 40), st.integers(0, 10**9))


@given(near_and_far, near_and_far, near_and_far, st.one_of(st.integers(-5, 50), near_and_far))
def test_first_where(start, length, switch, guess):
    """Steps double until they have gone too far, and the rest is halved: two logarithms of the distance."""
    calls = []

    def holds(k):
        calls.append(k)
        return k >= switch

    stop = start + length
    assert first_where(holds, start, stop, guess) == min(max(switch, start), stop)
    assert all(start <= k < stop for k in calls)
    assert len(calls) <= 2 * length.bit_length() + 4
