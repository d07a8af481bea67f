"""The test end to end: against the definition, engine against engine, and its invariants."""

import json
import math
import multiprocessing
import pickle
import random
from concurrent.futures import ProcessPoolExecutor
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
from exactperm.arithmetic.writing import exact_text
from exactperm.budget import Budget, Estimate, Options
from exactperm.counting import plan
from exactperm.counting import plane as rows
from exactperm.counting.plan import METHODS
from exactperm.errors import BudgetExceeded, ExactPermError, WrongType
from exactperm.fast import fast_permutation_test
from exactperm.null.alternative import ALTERNATIVES
from exactperm.null.joint import cheapest, engine, joint
from exactperm.null.result import PermutationTestResult
from exactperm.permutation import exact_perm_test, exact_perm_test_m, permutation_test, sign_flip_test
from exactperm.swaps import metrics
from exactperm.swaps.effects import Effects, swap_effects
from exactperm.swaps.lattice import axes, lattice
from exactperm.swaps.statistic import Statistic, exactly_ordered

scores = st.one_of(st.integers(-4, 4), st.fractions(-2, 2, max_denominator=6))
columns = st.integers(1, 7).flatmap(
    lambda n: st.tuples(st.lists(scores, min_size=n, max_size=n), st.lists(scores, min_size=n, max_size=n))
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


def complaint(kind, call):
    """The whole text of the error that a call raises."""
    with pytest.raises(kind) as caught:
        call()
    assert type(caught.value) is kind
    return str(caught.value)


LARGE = {1: 35000, -1: 35400}


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

        result = permutation_test(u, v, statistic=Statistic((lopsided,), square, "t"), alternative=alternative)
        assert result.pvalue == brute.pvalue(u, v, t, alternative)
        assert result.statistic == t(u, v)
        assert exact_perm_test(u, v, lopsided, square) == brute.pvalue(u, v, t, "greater")

    @given(columns, alternatives)
    def test_linear_but_not_antisymmetric(self, data, alternative):
        u, v = data
        result = permutation_test(u, v, statistic=Statistic((lopsided,), None, "t"), alternative=alternative)
        assert result.pvalue == brute.pvalue(u, v, lambda a, b: sum(map(lopsided, a, b)), alternative)

    @given(columns, alternatives)
    @settings(max_examples=20)
    def test_monotone_but_not_antisymmetric(self, data, alternative):
        """The two sides lie about the mean, which its promise does not tell."""
        u, v = data

        def t(a, b):
            return cube(sum(map(lopsided, a, b)))

        result = permutation_test(u, v, statistic=Statistic((lopsided,), cube, monotone=(1,)), alternative=alternative)
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
        two, twice = (sign_flip_test(d, alternative=alternative) for alternative in ("two-sided", "doubled"))
        assert two.point_probability == Fraction(point)
        assert twice.point_probability == (1 if sum(d) else 2) * Fraction(point)
        assert two.midp == two.pvalue - Fraction(point) / 2
        assert twice.midp == (two.midp if sum(d) else 1)

    def test_h_may_return_anything_that_compares_exactly(self):
        u, v = [3, 1, 2], [1, 0, 2]
        assert exact_perm_test(u, v, minus, lambda x: (x > 0, Fraction(x))) == exact_perm_test(u, v, minus, lambda x: x)


U, V = [5, 3, 8, 1, 9, 4, 7, 7], [2, 3, 9, 4, 1, 6, 2, 3]
COUNTS_U, COUNTS_V = [*zip(U, V), (1, 1)], [*((a % 3, b % 4) for a, b in zip(U, V)), (1, 1)]
plane = Statistic((lambda a, b: a[0] - b[0], lambda a, b: a[1] - b[1]), lambda x, y: x * y, "product of differences")
CALLS = {
    "columns": lambda **options: permutation_test(U, V, **options),
    "differences": lambda **options: sign_flip_test([3, -1, 4, 1, -5, 9, 2, 6], **options),
    "any h": lambda **options: permutation_test(U, V, statistic=Statistic((minus,), square), **options),
    "two dimensions": lambda **options: permutation_test(COUNTS_U, COUNTS_V, statistic=plane, **options),
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
        assert "the budget is 1e-12 s and 2 GiB. Instead: " in message

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
        assert tails.distribution(Options(progress=lambda *call: seen.append(call))) == tails.distribution()
        assert seen[-1][0] == seen[-1][1]
        message = complaint(BudgetExceeded, lambda: tails.distribution(Options(budget=NOTHING)))
        assert message.startswith("counting 30 pairs with ")

    def test_of_the_paper_functions(self):
        for call in (
            lambda: exact_perm_test(U, V, minus, square, budget=NOTHING),
            lambda: exact_perm_test_m(COUNTS_U, COUNTS_V, plane.components, plane.combine, budget=NOTHING),
        ):
            assert complaint(BudgetExceeded, call).startswith("counting ")

    def test_of_two_sums_beyond_all_floats(self):
        """2,000 effects up to 3**1000 in two dimensions: refused, where a float would overflow."""
        u = [3 ** (i // 2) for i in range(2000)]
        message = complaint(
            BudgetExceeded, lambda: exact_perm_test_m(u, [1] * 2000, (minus, lambda a, b: a * a - b), max)
        )
        assert message.startswith("counting 1998 pairs with 999 distinct effects in two dimensions would take ")

    def test_effects_in_two_dimensions_are_described(self):
        message = complaint(BudgetExceeded, lambda: CALLS["two dimensions"](budget=NOTHING))
        assert message.startswith("counting 8 pairs with 6 distinct effects in two dimensions would take about ")

    def test_the_cost_of_two_dimensions(self):
        """That of the engine, and where points on a line are unpacked, the same for each more of them."""
        few = lattice(Effects(units={((0, 0), (10**6 + k * k, k**3 - 10**5)): 1 for k in range(3)}, n=3))  # 2**3 points
        many = lattice(swap_effects(COUNTS_U, COUNTS_V, plane))

        def refused(swaps, whole, method):
            with pytest.raises(BudgetExceeded) as caught:
                engine(swaps, Options(method=method, budget=NOTHING), whole=whole)
            return Estimate(seconds=caught.value.seconds, bytes=caught.value.bytes)

        def more(swaps, whole):
            alone, cost = plan.costs(swaps.line(), None, Options(method="dp"))["dp"], refused(swaps, whole, "dp")
            assert cost.bytes == alone.bytes
            return cost.seconds - alone.seconds

        for whole in (True, False):
            assert engine(many, whole=whole) == engine(many, Options(method="auto"), whole=whole)
            assert refused(many, whole, "recurrence") == rows.estimate(many.tally, whole)
            each = more(many, whole) / rows.points(many.tally)
            assert each > 0
            assert math.isclose(more(few, whole), 2**3 * each, rel_tol=1e-6)
        assert more(many, False) > more(many, True)  # h is called, where rows would need a count only

    def test_rows_are_among_the_engines(self):
        """For so many equal effects they take a small part of what points one by one do."""
        units = {((0, 0), delta): 300 for delta in ((0, 1), (1, 0), (1, 1), (1, 2))}
        swaps = lattice(Effects(units=units, n=1200))
        for whole in (True, False):
            with pytest.raises(BudgetExceeded) as caught:
                engine(swaps, Options(budget=NOTHING), whole=whole)
            assert caught.value.seconds == rows.estimate(swaps.tally, whole).seconds

    @pytest.mark.parametrize(
        "tally",
        [
            {(8, -2): 4, (14, 1): 6, (12, -1): 1, (15, -2): 4},
            {(11, 4): 4, (20, 4): 1, (19, -5): 4, (8, 3): 2},
            {(1, -2): 1, (2, -1): 2, (1, 1): 3, (2, 0): 5, (0, 2): 4},
        ],
    )
    def test_the_cheapest_coordinates(self, tally):
        """For the whole distribution they may be others than for a count."""
        units = {((0, 0), delta): count for delta, count in tally.items()}
        swaps = lattice(Effects(units=units, n=sum(tally.values())))
        candidates = [swaps.turned(matrix) for matrix in axes(swaps.tally)]
        for whole in (True, False):
            least = min(rows.estimate(one.tally, whole).seconds for one in candidates)
            for some in (candidates, candidates[::-1]):
                assert rows.estimate(cheapest(some, whole=whole).tally, whole).seconds == least
        with pytest.raises(BudgetExceeded) as caught:
            joint(swaps, Options(method="recurrence", budget=NOTHING))
        assert caught.value.seconds == min(rows.estimate(one.tally, True).seconds for one in candidates)

    @pytest.mark.parametrize("method", ["recurrence", "dp"])
    def test_the_engine_named_is_the_one_that_counts(self, monkeypatch, method):
        """Packed rows in two dimensions, or any other on a line; progress reaches either."""
        called = []
        monkeypatch.setattr(rows, "items", lambda tally, *, progress: called.append(("rows", progress)) or ())
        monkeypatch.setattr(plan, "counts", lambda tally, options: (called.append(options), ({}, "line"))[1])
        swaps = lattice(swap_effects(COUNTS_U, COUNTS_V, plane))
        options = Options(method=method, progress=called.append)
        points, _ = joint(swaps, options)
        assert list(points) == []
        assert called == [("rows", called.append) if method == "recurrence" else options]

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
        greater, less = (permutation_test(a, b, alternative=k) for a, b, k in ((u, v, "greater"), (v, u, "less")))
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
        assert permutation_test(*data).pvalue == permutation_test(*data, alternative="doubled").pvalue

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
    draws = [rng.randint(1, 3) if rng.random() < common else rng.randint(-largest, largest) for _ in range(n)]
    return {d: draws.count(d) for d in set(draws)}


class TestEnginesAgreeBitForBit:
    """On data far beyond brute force; the engines share nothing but the tally."""

    @pytest.mark.parametrize(
        ("n", "largest", "common"),
        [(30, 9, 0.5), (35, 300, 0.0), (36, 10**6, 0.3), (60, 40, 0.8), (200, 12, 0.7), (300, 3, 1.0), (500, 50, 0.6)],
    )
    def test_pvalues(self, n, largest, common):
        rng = random.Random(n)
        for alternative in ("two-sided", "less"):
            d = random_tally(rng, n, largest, common)
            counts = {}
            for method in METHODS:
                try:
                    counts[method] = sign_flip_test(
                        d, method=method, alternative=alternative, budget=Budget(seconds=2)
                    ).count
                except ExactPermError:
                    continue  # not this engine's shape; the loop below insists on enough that remain
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
                laid_out.append(plan.counts(tally, Options(method=method, budget=Budget(seconds=2)))[0])
            except ExactPermError:
                continue
        assert len(laid_out) >= 4
        span = sum(value * count for value, count in tally.items())
        for counts in laid_out:
            assert counts == laid_out[0]
            assert list(counts) == sorted(counts)
            assert sum(counts.values()) == 1 << sum(tally.values())
            assert all(counts[span - x] == count for x, count in counts.items())


@pytest.fixture(scope="module", name="result")
def large_result():
    """A numerator of more than 20,000 digits."""
    return sign_flip_test(LARGE, alternative="greater")


@pytest.mark.parametrize(("pairs", "rate"), [(5, "0.59049"), (10, "0.3486784401"), (20, "0.12157665459056928801")])
def test_the_level_is_not_proved_for_means(pairs, rate):
    """Differences +1 (probability 0.9) and -9 (0.1) have mean 0: how often the one-sided test at 0.05 rejects."""
    rejected = Fraction(0)
    for losses in range(pairs + 1):
        p = sign_flip_test([1] * (pairs - losses) + [-9] * losses, alternative="greater").pvalue
        if p <= Fraction(1, 20):
            rejected += math.comb(pairs, losses) * Fraction(9) ** (pairs - losses) / 10**pairs
    assert rejected == Fraction(rate)
    assert f"{float(rejected):.2f}" in " ".join(permutation_test.__doc__.split())


class TestLargeResults:
    """Numerators of tens of thousands of digits, on every Python, without touching the digits limit."""

    def test_prints(self, result):
        assert result.total.bit_length() == 70401
        assert "digits" in repr(result)
        assert "digits" in str(result)

    def test_compares(self, result):
        again = sign_flip_test(LARGE, alternative="greater")
        assert (result == again) is True
        assert hash(result) == hash(again)
        assert 0 < result.pvalue < 1
        assert math.isclose(10**result.log10_pvalue, float(result.pvalue))

    def test_pickles_and_crosses_a_process_pool(self, result):
        assert (pickle.loads(pickle.dumps(result)) == result) is True
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            returned = pool.submit(sign_flip_test, LARGE, alternative="greater").result()
        assert (returned == result) is True

    def test_json(self, result):
        returned = PermutationTestResult.from_dict(json.loads(json.dumps(result.to_dict())))
        assert (returned == result) is True
        assert (returned.midp == result.midp) is True


class TestRecords:
    @given(columns, alternatives)
    def test_json_goes_both_ways(self, data, alternative):
        for statistic in (Statistic((minus,), None, "sum"), Statistic((minus,), square, "square")):
            result = permutation_test(*data, alternative=alternative, statistic=statistic)
            returned = PermutationTestResult.from_dict(json.loads(json.dumps(result.to_dict())))
            assert returned == result
            if statistic.combine is None:  # the canonical tally is there: all else can be asked again
                assert returned.null_distribution == result.null_distribution
                assert (returned.midp, returned.min_attainable) == (result.midp, result.min_attainable)

    def test_shown_as_the_call_that_would_make_it(self):
        assert repr(sign_flip_test([1, "0.5", 0], method="dp")) == (
            "PermutationTestResult(pvalue=Fraction(1, 2), count=4, statistic=Fraction(3, 2), alternative='two-sided', "
            "method='dp', n=3, n_units=3, n_nonzero=2)"
        )

    def test_json_form(self):
        data = sign_flip_test([1, "0.5", 0], alternative="greater").to_dict()
        assert data == {
            "pvalue": "1/4",
            "pvalue_decimal": "0.25000000000000000",
            "log10_pvalue": math.log10(0.25),
            "count": "2",
            "statistic": "3/2",
            "alternative": "greater",
            "method": data["method"],
            "n": 3,
            "n_units": 3,
            "n_nonzero": 2,
            "swaps": {"tally": [["1", 1], ["2", 1]], "ties": 1, "low": "-3/2", "unit": "1", "observed": "3"},
        }

    def test_a_record_without_swaps_says_so(self):
        result = permutation_test([1, 2], [3, 5], statistic=Statistic((minus,), square, "square"))
        returned = PermutationTestResult.from_dict(result.to_dict())
        assert complaint(ExactPermError, lambda: returned.null_distribution) == (
            "this result was read from a record that does not hold its swaps: run the test again"
        )

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            ({"count": "9"}, "count of the record is '9': it must be at most 2**n_units"),
            ({"count": "0"}, "count of the record is '0': it must be an integer, at least 1"),
            ({"count": "1/2"}, "count of the record is '1/2': it must be an integer, at least 1"),
            ({"count": None}, "count of the record is None: it must be an integer, at least 1"),
            ({"count": "x"}, "count of the record is 'x': it must be the text of an exact number"),
            ({"count": "3"}, "pvalue of the record is '1/4': it must be count / 2**n_units"),
            ({"n": 2}, "n_units of the record is 3: it must be an integer, between 0 and 2"),
            ({"n": True}, f"n of the record is True: it must be an integer, between 0 and {2**62}"),
            ({"n": 2**62 + 1}, f"n of the record is {2**62 + 1}: it must be an integer, between 0 and {2**62}"),
            ({"n_units": 10**12}, "n_units of the record is 1000000000000: it must be an integer, between 0 and 3"),
            ({"n": 10**12, "n_units": 10**12}, "pvalue of the record is '1/4': it must be count / 2**n_units"),
            ({"n_units": 2}, "n_nonzero of the record is 3: it must be an integer, between 0 and 2"),
            ({"pvalue": "11.5"}, "pvalue of the record is '11.5': it must be "),
            ({"pvalue": 11.5}, "pvalue of the record is "),
            ({"pvalue": "x/4"}, "pvalue of the record is 'x': it must be the text of an exact number"),
            ({"pvalue": "2/8"}, "pvalue of the record is '2/8': it must be count / 2**n_units"),
            ({"pvalue_decimal": "0.25"}, "pvalue_decimal of the record is '0.25': it must be pvalue"),
            ({"log10_pvalue": -0.5}, "log10_pvalue of the record is -0.5: it must be the logarithm of pvalue"),
            ({"log10_pvalue": None}, "log10_pvalue of the record is None: it must be the logarithm of pvalue"),
            ({"statistic": "5"}, "statistic of the record is 5: it must be low + unit * observed"),
            ({"statistic": 6}, "statistic of the record is 6: it must be the text of an exact number"),
            ({"method": "magic"}, "method is 'magic': it must be one of "),
            ({"alternative": "both"}, "alternative is 'both': it must be one of "),
            ({"swaps": {}}, "the record has no tally: it is not that of a test result"),
            ({"swaps": 3}, "the record is 3: that of a test result is a mapping"),
        ],
    )
    def test_anything_else_is_refused(self, change, told):
        data = {**sign_flip_test([1, 2, 3]).to_dict(), **change}
        assert complaint(ExactPermError, lambda: PermutationTestResult.from_dict(data)).startswith(told)

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            ({"tally": 3}, "tally of the record is 3: it must be a list"),
            (
                {"tally": [["1", 1, 2]]},
                "tally[0] of the record is ['1', 1, 2]: it must be [difference, number]",
            ),
            ({"tally": [["2", 1], ["1", 2]]}, "tally[1] of the record is '1': it must be an integer, at least 3"),
            ({"tally": [["1", 0]]}, "tally[0] of the record is 0: it must be an integer, at least 1"),
            ({"tally": [["1", 3]]}, "tally of the record is [['1', 3]]: it must have n_nonzero units"),
            ({"tally": [["2", 2]]}, "tally of the record is [['2', 2]]: its differences must have no common divisor"),
            ({"ties": 2}, "ties of the record is 2: it must be n_units - n_nonzero"),
            ({"unit": "-1"}, "unit of the record is '-1': it must be above 0"),
            ({"observed": "4"}, "observed of the record is '4': it must be at most the sum of the tally"),
            ({"observed": "2"}, "statistic of the record is Fraction(3, 2): it must be low + unit * observed"),
            ({"low": "1"}, "statistic of the record is Fraction(3, 2): it must be low + unit * observed"),
        ],
    )
    def test_other_swaps_are_refused(self, change, told):
        data = sign_flip_test([1, "0.5", 0], alternative="greater").to_dict()
        data["swaps"] = {**data["swaps"], **change}
        assert complaint(ExactPermError, lambda: PermutationTestResult.from_dict(data)) == told

    def test_a_count_that_ties_do_not_divide(self):
        data = sign_flip_test([1, 1, 0, 0], alternative="greater").to_dict()
        data.update(count="5", pvalue="5/16", pvalue_decimal="0.31250000000000000", log10_pvalue=math.log10(0.3125))
        told = "count of the record is '5': it must be a multiple of 2**ties"
        assert complaint(ExactPermError, lambda: PermutationTestResult.from_dict(data)) == told

    @pytest.mark.parametrize("name", sorted(sign_flip_test([1]).to_dict().keys() - {"swaps"}))
    def test_no_field_may_be_missing(self, name):
        data = sign_flip_test([1, 2, 3]).to_dict()
        del data[name]
        message = complaint(ExactPermError, lambda: PermutationTestResult.from_dict(data))
        assert message == f"the record has no {name}: it is not that of a test result"

    @given(columns, alternatives)
    def test_counting_again(self, data, alternative):
        for statistic in (Statistic((minus,), None, "sum"), Statistic((minus,), square, "square")):
            result = permutation_test(*data, alternative=alternative, statistic=statistic)
            assert result.recount() == result.recount(budget=Budget(seconds=9)) == result

    def test_counting_again_finds_what_a_record_cannot_show(self):
        data = sign_flip_test([1, 2, 3, 4, 5], alternative="greater").to_dict()
        data.update(count="2", pvalue="1/16", pvalue_decimal="0.062500000000000000", log10_pvalue=math.log10(0.0625))
        forged = PermutationTestResult.from_dict(data)
        told = "count is 2 in this result, but counting again gives 1"
        assert complaint(ExactPermError, forged.recount) == told

    def test_counting_again_keeps_to_a_budget(self):
        result = PermutationTestResult.from_dict(sign_flip_test([1, -2, 3, 4, -5, 7]).to_dict())
        assert complaint(BudgetExceeded, lambda: result.recount(budget=NOTHING)).startswith("counting ")

    def test_a_result_keeps_its_budget(self):
        budget = Budget(seconds=0.25, bytes=2**29)
        result = sign_flip_test([(-1) ** (i % 3) * (i * i + 2**40) for i in range(24)], budget=budget)
        message = complaint(BudgetExceeded, lambda: result.null_distribution)
        assert "the budget is 0.25 s and 512 MiB" in message
        assert result == sign_flip_test([(-1) ** (i % 3) * (i * i + 2**40) for i in range(24)])
        assert "budget" not in repr(result) + str(result.to_dict())

    @pytest.mark.parametrize(
        ("change", "shown"),
        [
            ({"n_units": 10**12}, "pvalue=1/2**1000000000000, "),
            ({"n_units": -1}, "pvalue=undefined, "),
            ({"count": None}, "pvalue=undefined, "),
            ({"n_units": "x"}, "pvalue=undefined, "),
        ],
    )
    def test_whatever_was_constructed_is_shown(self, change, shown):
        fields = {
            "count": 1,
            "statistic": 0,
            "alternative": "less",
            "method": "dp",
            "n": 1,
            "n_units": 1,
            "n_nonzero": 1,
        }
        assert repr(PermutationTestResult(**{**fields, **change})).startswith(f"PermutationTestResult({shown}")

    def test_results_pickle_with_their_swaps(self):
        result = permutation_test([1, 2], [3, 5], statistic=Statistic((minus,), square, "square"))
        assert pickle.loads(pickle.dumps(result)).null_distribution == result.null_distribution


class TestBadInput:
    def test_no_pairs(self):
        message = "u and v are empty: a test needs at least one pair"
        assert complaint(ExactPermError, lambda: permutation_test([], [])) == message
        assert complaint(ExactPermError, lambda: exact_perm_test([], [], minus, square)) == message

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"alternative": "both"}, "alternative is 'both': it must be one of two-sided, greater, less, doubled"),
            ({"method": "fft"}, f"method is 'fft': it must be one of {', '.join(METHODS)}"),
            ({"decimals": -1}, "decimals is -1: it must be between 0 and 4000"),
        ],
    )
    def test_options(self, options, message):
        assert complaint(ExactPermError, lambda: permutation_test([1, 2], [2, 4], **options)) == message
        assert complaint(ExactPermError, lambda: sign_flip_test([1, 2], **options)) == message

    def test_statistic_must_be_one(self):
        assert complaint(WrongType, lambda: permutation_test([1], [2], statistic=5)) == (
            "statistic is 5: it must be a Statistic; exact_perm_test takes g and h"
        )

    def test_h_may_return_no_text(self):
        half = Statistic((minus,), lambda s: "0.5" if s > 0 else "1/2", "always a half")
        assert complaint(WrongType, lambda: permutation_test([1, 2, 3], [0, 0, 0], statistic=half)) == (
            "h returned '0.5': it has no exact order; return int or Fraction"
        )

    def test_decimal_arithmetic_rounds_and_is_refused(self):
        """h is exactly 0 for every sum, so p = 1; in the 28 digits of the decimal context it would be 1/4."""
        with pytest.raises(WrongType, match="h returned"):
            exact_perm_test([1, 2, 4], [0, 0, 0], minus, lambda s: s - (Decimal(s) / 3) * 3)
        with pytest.raises(WrongType, match=r"g\(u, v\)\[0\] is"):
            exact_perm_test([1, 2], [0, 0], lambda a, b: Decimal(a) / 3, abs)

    @pytest.mark.parametrize("value", [0.5, 1j, math.nan, (1, 0.5), [(0.5,)], Decimal("0.5")])
    def test_a_float_from_h_is_refused(self, value):
        message = complaint(WrongType, lambda: exact_perm_test([1, 2], [2, 4], minus, lambda x: value))
        while isinstance(value, (tuple, list)):  # the float inside is named
            value = value[-1]
        assert message == f"h returned {value!r}: rounded numbers break ties; return int or Fraction"

    def test_the_advice_is_the_callers(self):
        message = complaint(WrongType, lambda: exactly_ordered([1, (2, 0.5)], "t", "; try again"))
        assert message == "t returned 0.5: rounded numbers break ties; try again"

    def test_a_float_of_an_array_library_from_h_is_refused(self):
        class Float32:
            dtype = "float32"

            def __repr__(self):
                return "float32(0.5)"

        assert complaint(WrongType, lambda: exact_perm_test([1, 2], [2, 4], minus, lambda x: Float32())) == (
            "h returned float32(0.5): rounded numbers break ties; return int or Fraction"
        )

    @pytest.mark.parametrize("bad", [3, -3, 1])
    def test_h_of_permutation_test_must_return_a_number(self, bad):
        """At the observed sum 3 as at any other."""
        statistic = Statistic((minus,), lambda x: (x, 0) if x == bad else x, "tuple")
        assert complaint(WrongType, lambda: permutation_test([3, 4], [2, 2], statistic=statistic)) == (
            f"h is ({bad}, 0): scores are int, bool, Fraction, Decimal, float or text such as '0.93' or '3/7'"
        )

    def test_an_engine_that_cannot_do_it_says_why(self):
        with pytest.raises(ExactPermError, match=r"no exact count of 45 pairs.*enumeration"):
            sign_flip_test({1: 30, 2: 10, -1: 5}, method="enumeration")

    def test_budget(self):
        rng = random.Random(5)
        d = [rng.getrandbits(60) - 2**59 for _ in range(300)]
        with pytest.raises(BudgetExceeded, match=r"300 pairs with 300 distinct differences.*decimals="):
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
            with pytest.raises(BudgetExceeded, match="to write down"):
                sign_flip_test(d, alternative=alternative)
        tiny = Budget(bytes=50)
        for call in (
            lambda: exact_perm_test([1] * 200, [0] * 200, minus, abs, budget=tiny),
            lambda: sign_flip_test({1: 200}, budget=tiny),
        ):
            message = complaint(BudgetExceeded, call)
            assert message.startswith(
                "the 2**200 assignments would take 9.54e-05 MiB to write down; the budget is 4.77e"
            )

    def test_progress_is_reported(self):
        seen = []
        sign_flip_test(
            {1: 3000, -2: 1400, 5: 40, -7: 30}, method="recurrence", progress=lambda a, b: seen.append((a, b))
        )
        assert seen
        assert all(0 <= done <= total for done, total in seen)


def test_count_text_of_a_small_result():
    assert exact_text(sign_flip_test([1, 2, 3]).count) == "2"
