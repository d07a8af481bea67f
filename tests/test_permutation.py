"""The test end to end: against the definition, engine against engine, and its invariants."""

import functools
import pickle
import random
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
import strategies
from complaint import check_progress, complaint, refused
from exactperm import permutation
from exactperm.budget import Budget, Options
from exactperm.counting import plan
from exactperm.counting.methods import METHODS
from exactperm.errors import BudgetExceeded, ExactPermError, WrongType
from exactperm.null.alternative import ALTERNATIVES
from exactperm.null.result import PermutationTestResult
from exactperm.permutation import (
    exact_perm_test,
    exact_perm_test_m,
    permutation_test,
    sign_flip_test,
)
from exactperm.swaps import metrics
from exactperm.swaps.statistic import Statistic, exactly_ordered
from joint_cases import COUNTS_U, COUNTS_V, PLANE, U, V

scores = st.one_of(st.integers(-4, 4), st.fractions(-2, 2, max_denominator=6))
columns = strategies.columns(scores)
alternatives = st.sampled_from(ALTERNATIVES)
methods = st.sampled_from(METHODS)
labels = st.lists(st.sampled_from("xyz"), min_size=7, max_size=7)


def lopsided(a, b):
    """A g that is not antisymmetric."""
    return a * a - 2 * b


def square(x):
    return x * x


def cube(x):
    return x * x * x


def minus(a, b):
    return a - b


def of(h):
    """The statistic with the lopsided g and this h, None for the sum itself."""

    def t(a, b):
        total = sum(map(lopsided, a, b))
        return h(total) if h else total

    return t


def facts(result):
    """All that a result tells."""
    told = ("pvalue", "midp", "point_probability", "min_attainable", "log10_pvalue")
    told += ("tails", "null_distribution")
    shown = result.to_dict(), repr(result), result._repr_html_()
    return (result, *(getattr(result, name) for name in told), *shown)


class TestShortTests:
    """Few pairs are counted as they come, all others in canonical form: the results are the same in every field."""

    @pytest.mark.slow
    @given(
        st.lists(st.integers(-9, 9), min_size=1, max_size=12) | st.integers(13, 256),
        st.sampled_from([1, 2, 10, 100]),
        alternatives,
        st.booleans(),
    )
    def test_both_ways_agree(self, d, scale, alternative, grouped):
        if isinstance(d, int):
            rng = random.Random(d)
            d = [rng.randint(-scale, scale) * rng.choice([1, 1, 3]) for _ in range(d)]
        labels = [i // 2 for i in range(len(d))] if grouped else None
        test = functools.partial(
            sign_flip_test, [Fraction(x, scale) for x in d], groups=labels, alternative=alternative
        )
        short = test()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(permutation, "MOST_UNITS", 0)
            long = test()
        assert facts(short) == facts(long) == facts(pickle.loads(pickle.dumps(short)))
        assert short.recount() == PermutationTestResult.from_dict(short.to_dict()) == long

    def test_little_is_made_before_it_is_needed(self, monkeypatch):
        monkeypatch.setattr("exactperm.swaps.canonical.canonical", None)
        monkeypatch.setattr(plan, "count_at_most", None)
        assert sign_flip_test([3, 1, -2]).count == 6


class TestAgainstTheDefinition:
    @pytest.mark.slow
    @given(columns, alternatives, methods)
    @settings(max_examples=150)
    def test_difference(self, data, alternative, method):
        u, v = data
        result = permutation_test(u, v, alternative=alternative, method=method)
        assert result.pvalue == brute.pvalue(u, v, brute.sum_of_differences, alternative)
        assert result.statistic == sum(u) - sum(v)
        assert (result.n, result.n_units, result.total) == (len(u), len(u), 2 ** len(u))
        assert result.n_nonzero == sum(a != b for a, b in zip(u, v))
        assert method in (result.method, "auto")
        assert result.alternative == alternative

    @pytest.mark.slow
    @given(columns, alternatives, labels)
    def test_groups(self, data, alternative, labels):
        """Under any g and h, too."""
        u, v = data
        labels = labels[: len(u)]
        plain = permutation_test(u, v, alternative=alternative, groups=labels)
        assert plain.pvalue == brute.pvalue(u, v, brute.sum_of_differences, alternative, labels)
        assert (plain.n, plain.n_units) == (len(u), len(set(labels)))
        statistic = Statistic((lopsided,), square)
        result = permutation_test(u, v, statistic=statistic, alternative=alternative, groups=labels)
        assert result.pvalue == brute.pvalue(u, v, of(square), alternative, labels)

    @pytest.mark.slow
    @given(columns, alternatives)
    def test_any_g_and_h(self, data, alternative):
        """No g, none that is antisymmetric; h monotone or not: the two sides of its sums lie about the mean."""
        u, v = data
        for h, promise in ((square, None), (None, None), (cube, (1,))):
            statistic, t = Statistic((lopsided,), h, "t", monotone=promise), of(h)
            result = permutation_test(u, v, statistic=statistic, alternative=alternative)
            assert result.pvalue == brute.pvalue(u, v, t, alternative)
            assert result.statistic == t(u, v)
        expected = brute.pvalue(u, v, of(square), "greater")
        assert exact_perm_test(u, v, lopsided, square) == expected

    @pytest.mark.slow
    @given(columns, alternatives)
    def test_null_distribution_and_what_follows_from_it(self, data, alternative):
        u, v = data
        for statistic in (Statistic((minus,), None, "sum"), Statistic((minus,), square, "square")):
            result = permutation_test(u, v, statistic=statistic, alternative=alternative)
            null = result.null_distribution
            h = statistic.combine or (lambda x: x)
            every = brute.values(u, v, lambda a, b, h=h: h(sum(a) - sum(b)))
            assert sorted(every) == sorted(x for x, count in null.items() for _ in range(count))
            assert null.pvalue(result.statistic, alternative) == result.pvalue
            parts = null.extremes(result.statistic, alternative)
            assert result.point_probability == Fraction(parts.tied, null.total)
            assert result.midp == Fraction(parts.halves, 2 * null.total)
            if parts.more + parts.tied <= parts.total:
                assert result.midp == result.pvalue - result.point_probability / 2
            assert result.min_attainable == min(null.pvalue(x, alternative) for x in null.support)


CALLS = {
    "columns": lambda **options: permutation_test(U, V, **options),
    "differences": lambda **options: sign_flip_test([3, -1, 4, 1, -5, 9, 2, 6], **options),
    "any h": lambda **options: permutation_test(
        U, V, statistic=Statistic((minus,), square), **options
    ),
    "two dimensions": lambda **options: permutation_test(
        COUNTS_U, COUNTS_V, statistic=PLANE, **options
    ),
    "monotone": lambda **options: permutation_test(
        COUNTS_U, COUNTS_V, statistic=metrics.f1_difference, **{"method": "recurrence", **options}
    ),
}
NOTHING = Budget(seconds=1e-12)


class TestOptionsAreHandedOn:
    """To whatever counts, on every way there."""

    @pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
    def test_engine(self, call):
        counts = set()
        for method in METHODS[1:]:
            try:
                result = call(method=method)
            except ExactPermError as error:
                assert str(error).startswith("no exact count of ")
                assert (type(error), method) == (ExactPermError, "meet-in-the-middle")
            else:
                assert result.method == method
                counts.add(result.count)
        assert len(counts) == 1

    def test_budget(self):
        """By every call, whole distributions and the functions of the paper; the refusal says what was to be counted."""
        tails = sign_flip_test([k * k % 97 + 1 for k in range(30)]).tails
        calls = {
            **{name: functools.partial(call, budget=NOTHING) for name, call in CALLS.items()},
            "distribution": lambda: tails.distribution(Options(budget=NOTHING)),
            "paper": lambda: exact_perm_test(U, V, minus, square, budget=NOTHING),
            "paper, two": lambda: exact_perm_test_m(
                COUNTS_U, COUNTS_V, PLANE.components, PLANE.combine, budget=NOTHING
            ),
        }
        for name, call in calls.items():
            with pytest.raises(BudgetExceeded) as caught:
                call()
            assert caught.value.what.startswith("counting "), name
            assert caught.value.seconds > NOTHING.seconds
            flat = name in ("columns", "differences", "any h", "distribution", "paper")
            assert ("in two dimensions" in caught.value.what) != flat, name

    @pytest.mark.slow
    def test_two_sums_beyond_all_floats(self):
        """2,000 effects up to 3**1000 in two dimensions: refused, where a float would overflow."""
        u = [3 ** (i // 2) for i in range(2000)]
        call = functools.partial(exact_perm_test_m, u, [1] * 2000, (minus, lopsided), max)
        told = complaint(BudgetExceeded, call)
        assert told.startswith("counting 1998 pairs with 999 distinct effects")

    @pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
    @pytest.mark.parametrize("method", ["dp", "packed"])
    def test_progress(self, call, method):
        check_progress(lambda progress: call(method=method, progress=progress))

    def test_progress_of_other_work(self):
        tails = sign_flip_test([k * k % 97 + 1 for k in range(30)]).tails
        check_progress(lambda progress: tails.distribution(Options(progress=progress)))
        tally = {1: 3000, -2: 1400, 5: 40, -7: 30}
        check_progress(lambda told: sign_flip_test(tally, method="recurrence", progress=told))

    def test_decimals_and_groups(self):
        u, v = ["0.14", "0.26", "0.31"], ["0.11", "0.34", "0.29"]
        result = permutation_test(u, v, decimals=1, groups=["a", "b", "a"])
        assert (result.statistic, result.n_units, result.n_nonzero) == (0, 2, 0)
        result = sign_flip_test(["0.14", "0.26", "0.31"], decimals=1, groups=["a", "b", "a"])
        assert (result.statistic, result.n_units, result.n_nonzero) == (Fraction(7, 10), 2, 2)


class TestInvariants:
    @pytest.mark.slow
    @given(columns, st.fractions("1/9", 9), scores)
    def test_scaling_and_shifting_do_not_matter(self, data, factor, shift):
        u, v = data
        moved = permutation_test([factor * a + shift for a in u], [factor * b + shift for b in v])
        assert moved.pvalue == permutation_test(u, v).pvalue

    @pytest.mark.slow
    @given(columns)
    def test_sign_flips_are_swaps(self, data):
        u, v = data
        assert sign_flip_test([a - b for a, b in zip(u, v)]) == permutation_test(u, v)


class Float32:
    """As a scalar of an array library."""

    dtype = "float32"

    def __repr__(self):
        return "float32(0.5)"


def returning(value):
    """The test of a statistic that is always that value."""
    return lambda: exact_perm_test([1, 2], [2, 4], minus, lambda _: value)


def tuple_at(bad):
    """The test of a statistic that is a pair of numbers at one sum, and a number elsewhere."""
    pair = Statistic((minus,), lambda x: (x, 0) if x == bad else x, "tuple")
    return lambda: permutation_test([3, 4], [2, 2], statistic=pair)


def test_what_is_no_input_is_refused():
    wide = [2**60, 2**60 + 1, -(2**60) - 5]
    calls = {
        "alternative is 'both':": lambda: sign_flip_test([1], alternative="both"),
        "method is 'fft'": lambda: permutation_test([1], [2], method="fft"),
        "decimals is -1": lambda: sign_flip_test([1], decimals=-1),
        "no exact count of 3 pairs": lambda: sign_flip_test(wide, method="ntt"),
    }
    refused(ExactPermError, calls)
    third = Decimal(1) / 3
    calls = {
        # at the observed sum 3 as at any other
        **{f"h is ({bad}, 0)": tuple_at(bad) for bad in (3, -3, 1)},
        "statistic is 5": lambda: permutation_test([1], [2], statistic=5),
        # in the 28 digits of the decimal context ties would be lost
        "h returned Decimal": returning(third),
        "g(u, v)[0] is Decimal": lambda: exact_perm_test([1], [0], lambda a, b: third, abs),
        "t returned 0.5: rounded numbers break ties; try": lambda: exactly_ordered(
            [1, (2, 0.5)], "t", "; try again"
        ),
        "h returned '0.5'": returning("0.5"),
        "h returned 0.25": returning((1, 0.25)),  # what is inside is named
        "h returned 0.75": returning([(0.75,)]),
        "h returned 1j": returning(1j),
        "h returned float32(0.5)": returning(Float32()),
    }
    refused(WrongType, calls)


class TestBudget:
    def test_it_is_said_what_would_help(self):
        rng = random.Random(5)
        d = [rng.getrandbits(60) - 2**59 for _ in range(300)]
        told = complaint(BudgetExceeded, lambda: sign_flip_test(d))
        assert "300 pairs with 300 distinct differences" in told
        with pytest.raises(BudgetExceeded):
            sign_flip_test([1, 2, 3, 4, -5, 6], budget=NOTHING)

    @pytest.mark.parametrize("d", [{1: 10**12}, {0: 10**12}, {1: 10**12, -1: 10**12}, {1: 10**100}])
    def test_more_assignments_than_can_be_written_down(self, d):
        tiny = Budget(bytes=50)
        for call in (
            lambda: sign_flip_test(d, alternative="greater"),
            lambda: sign_flip_test(d),
            lambda: exact_perm_test([1] * 200, [0] * 200, minus, abs, budget=tiny),
            lambda: sign_flip_test({1: 200}, budget=tiny),
        ):
            told = complaint(BudgetExceeded, call)
            assert told.startswith("writing down the number of the ")
