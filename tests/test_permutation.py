"""The test end to end: against the definition, engine against engine, and its invariants."""

import math
import pickle
import random
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
from complaint import complaint
from exactperm import permutation
from exactperm.budget import Budget, Options
from exactperm.counting import plan
from exactperm.counting.methods import METHODS
from exactperm.errors import BudgetExceeded, ExactPermError, WrongType
from exactperm.fast import fast_permutation_test
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

scores = st.one_of(st.integers(-4, 4), st.fractions(-2, 2, max_denominator=6))
columns = st.integers(1, 7).flatmap(
    lambda n: st.tuples(
        st.lists(scores, min_size=n, max_size=n), st.lists(scores, min_size=n, max_size=n)
    )
)
alternatives = st.sampled_from(ALTERNATIVES)
methods = st.sampled_from(METHODS)


def lopsided(a, b):
    """A g that is not antisymmetric."""
    return a * a - 2 * b


def square(x):
    return x * x


def cube(x):
    return x * x * x


def minus(a, b):
    return a - b


def facts(result):
    """All that a result tells."""
    told = (
        result.pvalue,
        result.midp,
        result.point_probability,
        result.min_attainable,
        result.log10_pvalue,
    )
    return (
        result,
        told,
        result.tails,
        result.to_dict(),
        result.null_distribution,
        repr(result),
        result._repr_html_(),
    )


class TestShortTests:
    """Few pairs are counted as they come, all others in canonical form: the results are the same in every field."""

    @given(
        st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=12),
        st.sampled_from([1, 2, 10, 100]),
        alternatives,
        st.sampled_from(["auto", "recurrence"]),
    )
    def test_both_ways_agree(self, pairs, scale, alternative, method):
        u, v = [[Fraction(x, scale) for x in column] for column in zip(*pairs)]
        with pytest.MonkeyPatch.context() as patch:
            short = permutation_test(u, v, alternative=alternative, method=method)
            patch.setattr(permutation, "MOST_UNITS", 0)
            long = permutation_test(u, v, alternative=alternative, method=method)
        assert facts(short) == facts(long)
        assert facts(pickle.loads(pickle.dumps(short))) == facts(long)
        assert short.recount() == PermutationTestResult.from_dict(short.to_dict()) == long

    @given(st.integers(0, 10**6), st.integers(1, 256), st.sampled_from([1, 2, 5, 40]), alternatives)
    def test_both_ways_agree_for_more_pairs(self, seed, n, widest, alternative):
        rng = random.Random(seed)
        d = [rng.randint(-widest, widest) * rng.choice([1, 1, 3]) for _ in range(n)]
        groups = [rng.randrange(n) for _ in d] if seed % 3 == 0 else None
        with pytest.MonkeyPatch.context() as patch:
            short = sign_flip_test(d, alternative=alternative, groups=groups)
            patch.setattr(permutation, "MOST_UNITS", 0)
            long = sign_flip_test(d, alternative=alternative, groups=groups)
        assert short == long
        assert short.tails == long.tails

    def test_little_is_made_before_it_is_needed(self, monkeypatch):
        monkeypatch.setattr("exactperm.swaps.canonical.canonical", None)
        monkeypatch.setattr(plan, "count_at_most", None)
        assert sign_flip_test([3, 1, -2]).count == 6

    def test_a_budget_below_that_of_a_short_test_is_kept(self):
        with pytest.raises(BudgetExceeded):
            sign_flip_test([1, 2, 3, 4, -5, 6], budget=Budget(seconds=1e-9))
        expected = sign_flip_test([1, 2, 3, 4, -5, 6])
        assert sign_flip_test([1, 2, 3, 4, -5, 6], budget=Budget(seconds=1e-4)) == expected


class TestAgainstTheDefinition:
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

    @given(columns, alternatives, st.lists(st.sampled_from("xyz"), min_size=7, max_size=7))
    def test_groups(self, data, alternative, labels):
        u, v = data
        labels = labels[: len(u)]
        result = permutation_test(u, v, alternative=alternative, groups=labels)
        assert result.pvalue == brute.pvalue(u, v, brute.sum_of_differences, alternative, labels)
        assert (result.n, result.n_units) == (len(u), len(set(labels)))

    @given(columns, alternatives, st.lists(st.sampled_from("xyz"), min_size=7, max_size=7))
    def test_groups_under_any_g_and_h(self, data, alternative, labels):
        u, v = data
        labels = labels[: len(u)]

        def t(a, b):
            return square(sum(map(lopsided, a, b)))

        result = permutation_test(
            u, v, statistic=Statistic((lopsided,), square), alternative=alternative, groups=labels
        )
        assert result.pvalue == brute.pvalue(u, v, t, alternative, labels)

    @given(columns, alternatives)
    def test_any_g_and_h(self, data, alternative):
        u, v = data

        def t(a, b):
            return square(sum(map(lopsided, a, b)))

        result = permutation_test(
            u, v, statistic=Statistic((lopsided,), square, "t"), alternative=alternative
        )
        assert result.pvalue == brute.pvalue(u, v, t, alternative)
        assert result.statistic == t(u, v)
        assert exact_perm_test(u, v, lopsided, square) == brute.pvalue(u, v, t, "greater")

    @given(columns, alternatives)
    def test_linear_but_not_antisymmetric(self, data, alternative):
        u, v = data
        result = permutation_test(
            u, v, statistic=Statistic((lopsided,), None, "t"), alternative=alternative
        )
        assert result.pvalue == brute.pvalue(
            u, v, lambda a, b: sum(map(lopsided, a, b)), alternative
        )

    @given(columns, alternatives)
    @settings(max_examples=20)
    def test_monotone_but_not_antisymmetric(self, data, alternative):
        """The two sides lie about the mean, which its promise does not tell."""
        u, v = data

        def t(a, b):
            return cube(sum(map(lopsided, a, b)))

        result = permutation_test(
            u, v, statistic=Statistic((lopsided,), cube, monotone=(1,)), alternative=alternative
        )
        assert result.pvalue == brute.pvalue(u, v, t, alternative)

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

    @pytest.mark.parametrize(
        ("d", "point"),
        [
            ([1, -1], "1/2"),
            ([1, -1, -1], "3/4"),
            ([1, 1], "1/2"),
            ([0, 0], 1),
            ([3, -1, -1], "1/4"),
            ([2, -1, -1], "1/4"),
        ],
    )
    def test_point_probability_beside_the_centre_and_at_it(self, d, point):
        """By hand: at the centre the two sides are one, beside it they are two; "doubled" counts each side there."""
        two, twice = (
            sign_flip_test(d, alternative=alternative) for alternative in ("two-sided", "doubled")
        )
        assert two.point_probability == Fraction(point)
        assert twice.point_probability == (1 if sum(d) else 2) * Fraction(point)
        assert two.midp == two.pvalue - Fraction(point) / 2
        assert twice.midp == (two.midp if sum(d) else 1)

    def test_h_may_return_anything_that_compares_exactly(self):
        u, v = [3, 1, 2], [1, 0, 2]
        assert exact_perm_test(u, v, minus, lambda x: (x > 0, Fraction(x))) == exact_perm_test(
            u, v, minus, lambda x: x
        )


U, V = [5, 3, 8, 1, 9, 4, 7, 7], [2, 3, 9, 4, 1, 6, 2, 3]
COUNTS_U, COUNTS_V = [*zip(U, V), (1, 1)], [*((a % 3, b % 4) for a, b in zip(U, V)), (1, 1)]
plane = Statistic(
    (lambda a, b: a[0] - b[0], lambda a, b: a[1] - b[1]),
    lambda x, y: x * y,
    "product of differences",
)
CALLS = {
    "columns": lambda **options: permutation_test(U, V, **options),
    "differences": lambda **options: sign_flip_test([3, -1, 4, 1, -5, 9, 2, 6], **options),
    "any h": lambda **options: permutation_test(
        U, V, statistic=Statistic((minus,), square), **options
    ),
    "two dimensions": lambda **options: permutation_test(
        COUNTS_U, COUNTS_V, statistic=plane, **options
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

    @pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
    def test_budget(self, call):
        message = complaint(BudgetExceeded, lambda: call(budget=NOTHING))
        assert message.startswith("counting ")
        assert "the budget is 1e-12 s and 2 GiB: the best engine is " in message

    @pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
    @pytest.mark.parametrize("method", ["dp", "packed"])
    def test_progress(self, call, method):
        seen = []
        call(method=method, progress=lambda done, total: seen.append((done, total)))
        assert seen == sorted(seen)
        assert seen[-1][0] == seen[-1][1]

    def test_to_the_whole_distribution(self):
        tails = sign_flip_test([k * k % 97 + 1 for k in range(30)]).tails
        seen = []
        assert (
            tails.distribution(Options(progress=lambda *call: seen.append(call)))
            == tails.distribution()
        )
        assert seen[-1][0] == seen[-1][1]
        message = complaint(BudgetExceeded, lambda: tails.distribution(Options(budget=NOTHING)))
        assert message.startswith("counting 30 pairs with ")

    def test_of_the_paper_functions(self):
        for call in (
            lambda: exact_perm_test(U, V, minus, square, budget=NOTHING),
            lambda: exact_perm_test_m(
                COUNTS_U, COUNTS_V, plane.components, plane.combine, budget=NOTHING
            ),
        ):
            assert complaint(BudgetExceeded, call).startswith("counting ")

    def test_of_two_sums_beyond_all_floats(self):
        """2,000 effects up to 3**1000 in two dimensions: refused, where a float would overflow."""
        u = [3 ** (i // 2) for i in range(2000)]
        message = complaint(
            BudgetExceeded,
            lambda: exact_perm_test_m(u, [1] * 2000, (minus, lambda a, b: a * a - b), max),
        )
        assert message.startswith(
            "counting 1998 pairs with 999 distinct effects in two dimensions would take "
        )

    def test_effects_in_two_dimensions_are_described(self):
        message = complaint(BudgetExceeded, lambda: CALLS["two dimensions"](budget=NOTHING))
        assert message.startswith(
            "counting 8 pairs with 6 distinct effects in two dimensions would take about "
        )

    def test_decimals_and_groups(self):
        u, v = ["0.14", "0.26", "0.31"], ["0.11", "0.34", "0.29"]
        result = permutation_test(u, v, decimals=1, groups=["a", "b", "a"])
        assert (result.statistic, result.n_units, result.n_nonzero) == (0, 2, 0)
        result = sign_flip_test(["0.14", "0.26", "0.31"], decimals=1, groups=["a", "b", "a"])
        assert (result.statistic, result.n_units, result.n_nonzero) == (Fraction(7, 10), 2, 2)


class TestInvariants:
    @given(columns, st.randoms(use_true_random=False))
    def test_order_of_the_pairs_does_not_matter(self, data, rng):
        pairs = list(zip(*data))
        rng.shuffle(pairs)
        assert permutation_test(*data) == permutation_test(*zip(*pairs))

    @given(columns)
    def test_swapping_the_systems_exchanges_the_sides(self, data):
        u, v = data
        assert permutation_test(u, v).pvalue == permutation_test(v, u).pvalue
        greater, less = (
            permutation_test(a, b, alternative=k) for a, b, k in ((u, v, "greater"), (v, u, "less"))
        )
        assert greater.pvalue == less.pvalue

    @given(columns, st.fractions("1/9", 9), scores)
    def test_scaling_and_shifting_do_not_matter(self, data, factor, shift):
        u, v = data
        moved = permutation_test([factor * a + shift for a in u], [factor * b + shift for b in v])
        assert moved.pvalue == permutation_test(u, v).pvalue

    @given(columns, scores)
    def test_a_tied_pair_does_not_matter(self, data, score):
        u, v = data
        assert permutation_test([*u, score], [*v, score]).pvalue == permutation_test(u, v).pvalue

    @given(columns)
    def test_the_two_one_sided_tests_overlap_in_the_point(self, data):
        less, greater = (permutation_test(*data, alternative=k) for k in ("less", "greater"))
        assert less.pvalue + greater.pvalue == 1 + less.point_probability

    @given(columns)
    def test_two_sided_is_doubled_for_a_symmetric_statistic(self, data):
        assert (
            permutation_test(*data).pvalue == permutation_test(*data, alternative="doubled").pvalue
        )

    @given(columns)
    def test_sign_flips_are_swaps(self, data):
        u, v = data
        assert sign_flip_test([a - b for a, b in zip(u, v)]) == permutation_test(u, v)

    def test_one_pair(self):
        assert permutation_test([1], [0]).pvalue == 1
        assert permutation_test([1], [0], alternative="greater").pvalue == Fraction(1, 2)

    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize("alternative", ALTERNATIVES)
    def test_identical_systems(self, alternative, method):
        if method != "enumeration":
            result = permutation_test([5] * 40, [5] * 40, alternative=alternative, method=method)
            assert (result.pvalue, result.n_nonzero) == (1, 0)


def random_tally(rng, n, largest, common):
    """Differences of n pairs, a share of them drawn from a few common small values."""
    draws = [
        rng.randint(1, 3) if rng.random() < common else rng.randint(-largest, largest)
        for _ in range(n)
    ]
    return {d: draws.count(d) for d in set(draws)}


class TestEnginesAgreeBitForBit:
    """On data far beyond brute force; the engines share nothing but the tally."""

    @pytest.mark.parametrize(
        ("n", "largest", "common"),
        [
            (30, 9, 0.5),
            (35, 300, 0.0),
            (36, 10**6, 0.3),
            (60, 40, 0.8),
            (200, 12, 0.7),
            (300, 3, 1.0),
            (500, 50, 0.6),
        ],
    )
    def test_pvalues(self, n, largest, common):
        rng = random.Random(n)
        for alternative in ("two-sided", "less"):
            d = random_tally(rng, n, largest, common)
            counts = {}
            for method in METHODS:
                try:
                    counts[method] = sign_flip_test(
                        d, method=method, alternative=alternative, budget=Budget(seconds=1)
                    ).count
                except ExactPermError:
                    # not this engine's shape; the loop below insists on enough that remain
                    continue
            assert len(counts) >= 3  # the planner's choice and two engines
            assert len(set(counts.values())) == 1

    @pytest.mark.parametrize(("n", "largest"), [(20, 50), (120, 9), (400, 4)])
    def test_distributions(self, n, largest):
        d = random_tally(random.Random(n), n, largest, 0.5)
        tally = {}
        for value, count in d.items():
            tally[abs(value)] = tally.get(abs(value), 0) + count
        tally = {value: tally[value] for value in sorted(tally) if value}
        laid_out = []
        for method in METHODS:
            try:
                laid_out.append(
                    plan.counts(tally, Options(method=method, budget=Budget(seconds=2)))[0]
                )
            except ExactPermError:
                continue
        assert len(laid_out) >= 4
        span = sum(value * count for value, count in tally.items())
        for counts in laid_out:
            assert counts == laid_out[0]
            assert list(counts) == sorted(counts)
            assert sum(counts.values()) == 1 << sum(tally.values())
            assert all(counts[span - x] == count for x, count in counts.items())


@pytest.mark.parametrize(
    ("pairs", "rate"), [(5, "0.59049"), (10, "0.3486784401"), (20, "0.12157665459056928801")]
)
def test_the_level_is_not_proved_for_means(pairs, rate):
    """Differences +1 (probability 0.9) and -9 (0.1) have mean 0: how often the one-sided test at 0.05 rejects."""
    rejected = Fraction(0)
    for losses in range(pairs + 1):
        p = sign_flip_test([1] * (pairs - losses) + [-9] * losses, alternative="greater").pvalue
        if p <= Fraction(1, 20):
            rejected += math.comb(pairs, losses) * Fraction(9) ** (pairs - losses) / 10**pairs
    assert rejected == Fraction(rate)
    assert f"{float(rejected):.2f}" in " ".join(permutation_test.__doc__.split())


class TestBadInput:
    def test_no_pairs(self):
        message = "u and v are empty: a test needs at least one pair"
        assert complaint(ExactPermError, lambda: permutation_test([], [])) == message
        assert complaint(ExactPermError, lambda: exact_perm_test([], [], minus, square)) == message

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (
                {"alternative": "both"},
                "alternative is 'both': it must be one of two-sided, greater, less, doubled",
            ),
            ({"method": "fft"}, f"method is 'fft': it must be one of {', '.join(METHODS)}"),
            ({"decimals": -1}, "decimals is -1: it must be between 0 and 4000"),
        ],
    )
    def test_options(self, options, message):
        assert (
            complaint(ExactPermError, lambda: permutation_test([1, 2], [2, 4], **options))
            == message
        )
        assert complaint(ExactPermError, lambda: sign_flip_test([1, 2], **options)) == message

    def test_statistic_must_be_one(self):
        assert complaint(WrongType, lambda: permutation_test([1], [2], statistic=5)) == (
            "statistic is 5: it must be a Statistic; exact_perm_test takes g and h"
        )

    def test_h_may_return_no_text(self):
        half = Statistic((minus,), lambda s: "0.5" if s > 0 else "1/2", "always a half")
        assert complaint(
            WrongType, lambda: permutation_test([1, 2, 3], [0, 0, 0], statistic=half)
        ) == ("h returned '0.5': it has no exact order; return int or Fraction")

    def test_decimal_arithmetic_rounds_and_is_refused(self):
        """h is exactly 0 for every sum, so p = 1; in the 28 digits of the decimal context it would be 1/4."""
        with pytest.raises(WrongType, match="h returned"):
            exact_perm_test([1, 2, 4], [0, 0, 0], minus, lambda s: s - (Decimal(s) / 3) * 3)
        with pytest.raises(WrongType, match=r"g\(u, v\)\[0\] is"):
            exact_perm_test([1, 2], [0, 0], lambda a, b: Decimal(a) / 3, abs)

    @pytest.mark.parametrize("value", [0.5, 1j, math.nan, (1, 0.5), [(0.5,)], Decimal("0.5")])
    def test_a_float_from_h_is_refused(self, value):
        message = complaint(
            WrongType, lambda: exact_perm_test([1, 2], [2, 4], minus, lambda x: value)
        )
        while isinstance(value, (tuple, list)):  # the float inside is named
            value = value[-1]
        assert (
            message == f"h returned {value!r}: rounded numbers break ties; return int or Fraction"
        )

    def test_the_advice_is_the_callers(self):
        message = complaint(WrongType, lambda: exactly_ordered([1, (2, 0.5)], "t", "; try again"))
        assert message == "t returned 0.5: rounded numbers break ties; try again"

    def test_a_float_of_an_array_library_from_h_is_refused(self):
        class Float32:
            dtype = "float32"

            def __repr__(self):
                return "float32(0.5)"

        assert complaint(
            WrongType, lambda: exact_perm_test([1, 2], [2, 4], minus, lambda x: Float32())
        ) == ("h returned float32(0.5): rounded numbers break ties; return int or Fraction")

    @pytest.mark.parametrize("bad", [3, -3, 1])
    def test_h_of_permutation_test_must_return_a_number(self, bad):
        """At the observed sum 3 as at any other."""
        statistic = Statistic((minus,), lambda x: (x, 0) if x == bad else x, "tuple")
        assert complaint(
            WrongType, lambda: permutation_test([3, 4], [2, 2], statistic=statistic)
        ) == (
            f"h is ({bad}, 0): scores are int, bool, Fraction, Decimal, float or text such as '0.93' or '3/7'"
        )

    def test_an_engine_that_cannot_do_it_says_why(self):
        with pytest.raises(ExactPermError, match=r"no exact count of 45 pairs.*enumeration"):
            sign_flip_test({1: 30, 2: 10, -1: 5}, method="enumeration")

    def test_budget(self):
        rng = random.Random(5)
        d = [rng.getrandbits(60) - 2**59 for _ in range(300)]
        with pytest.raises(
            BudgetExceeded, match=r"300 pairs with 300 distinct differences.*decimals="
        ):
            sign_flip_test(d)
        with pytest.raises(BudgetExceeded) as caught:
            sign_flip_test({1: 5000, -2: 5000, 3: 9}, budget=Budget(seconds=1e-9))
        assert caught.value.seconds > 0
        assert caught.value.bytes > 0

    @pytest.mark.parametrize(
        ("make", "kind"),
        [
            (lambda: Budget(seconds=0), ExactPermError),
            (lambda: Budget(bytes=-1), ExactPermError),
            (lambda: Budget(seconds="5"), WrongType),
            (lambda: Budget(bytes=True), WrongType),
            (lambda: Budget(seconds=math.nan), ExactPermError),
        ],
    )
    def test_budgets_are_checked(self, make, kind):
        with pytest.raises(kind, match=r"(seconds|bytes) is"):
            make()

    def test_a_budget_must_be_one(self):
        for call in (permutation_test, fast_permutation_test):
            with pytest.raises(WrongType, match="budget is 5"):
                call([1, 2, 9], [2, 4, 3], budget=5)

    def test_the_paper_functions_take_a_budget(self):
        with pytest.raises(BudgetExceeded):
            exact_perm_test([1, 2, 9], [2, 4, 3], minus, abs, budget=Budget(seconds=1e-12))

    @pytest.mark.parametrize("d", [{1: 10**12}, {0: 10**12}, {1: 10**12, -1: 10**12}, {1: 10**100}])
    def test_more_assignments_than_can_be_written_down(self, d):
        for alternative in ("greater", "two-sided"):
            with pytest.raises(BudgetExceeded, match="writing down"):
                sign_flip_test(d, alternative=alternative)
        tiny = Budget(bytes=50)
        for call in (
            lambda: exact_perm_test([1] * 200, [0] * 200, minus, abs, budget=tiny),
            lambda: sign_flip_test({1: 200}, budget=tiny),
        ):
            message = complaint(BudgetExceeded, call)
            start = "writing down the number of the 2**200 assignments would take about 9.54e-05 MiB; the budget is "
            assert message.startswith(start)

    def test_progress_is_reported(self):
        seen = []
        sign_flip_test(
            {1: 3000, -2: 1400, 5: 40, -7: 30},
            method="recurrence",
            progress=lambda a, b: seen.append((a, b)),
        )
        assert seen
        assert all(0 <= done <= total for done, total in seen)
