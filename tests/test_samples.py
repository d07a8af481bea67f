"""Tests of two samples and of sums of steps equal the enumeration of all choices, R's coin and SciPy."""

import json
import random
from collections import Counter
from fractions import Fraction
from functools import partial
from math import comb, factorial, prod
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import samples_by_definition as definition
from brute import encloses
from complaint import check_refusals, complaint
from exactperm import (
    Budget,
    BudgetExceeded,
    ExactPermError,
    fast_sum_test,
    fast_two_sample_test,
    mann_whitney_test,
    permutation_test_runs,
    sum_test,
    two_sample_test,
)
from exactperm.budget import Estimate
from exactperm.counting import rows
from exactperm.null.alternative import ALTERNATIVES
from exactperm.null.float_result import FloatResult
from peers import peer
from runs_by_definition import every_data_set

WAYS = ((two_sample_test, definition.difference), (mann_whitney_test, definition.wins))
scores = st.one_of(st.integers(0, 2), st.integers(-9, 9), st.fractions(-2, 2, max_denominator=4))
alternatives = st.sampled_from(ALTERNATIVES)


# -------------------------------------------------------------------------------------- two samples


@st.composite
def stratified(draw):
    """Strata of both samples, of at most 300 labelings together, the first with both."""
    strata, total = [], 1
    for _ in range(draw(st.integers(1, 3))):
        low = 0 if strata else 1
        x = draw(st.lists(scores, min_size=low, max_size=3))
        y = draw(st.lists(scores, min_size=low, max_size=3))
        total *= comb(len(x) + len(y), len(x))
        if total > 300 or not x + y:
            break
        strata.append((x, y))
    return strata


def columns(strata):
    """The samples, and their labels."""
    x, y = [[v for pair in strata for v in pair[side]] for side in (0, 1)]
    return x, y, [[i for i, pair in enumerate(strata) for _ in pair[side]] for side in (0, 1)]


@pytest.mark.slow
@given(stratified(), alternatives, st.sampled_from(WAYS), st.sampled_from([None, "given"]))
def test_equals_the_enumeration_of_all_labelings(strata, alternative, way, weights):
    test, statistic = way
    x, y, labels = columns(strata)
    if len(strata) == 1 and weights is None:
        labels = None
    if weights:
        weights = {i: Fraction(i + 2, 3) for i in range(len(strata))}
        shares = list(weights.values())
    elif test is mann_whitney_test and len(strata) > 1:
        shares = [Fraction(1, len(a) + len(b) + 1) for a, b in strata]
    else:
        shares = [1] * len(strata)
    result = test(x, y, alternative=alternative, strata=labels, weights=weights)
    assert result.statistic == statistic(strata, shares)
    every = Counter(statistic(labeling, shares) for labeling in every_data_set(strata, "within"))
    definition.check(result, every, alternative)
    assert result.total == prod(comb(len(a) + len(b), len(a)) for a, b in strata)
    assert (result.n, result.n_units) == (len(x) + len(y), len(strata))


@pytest.mark.slow
@given(st.lists(scores, min_size=1, max_size=5), st.lists(scores, min_size=1, max_size=5))
def test_runs_of_one_item_are_two_samples(x, y):
    runs = permutation_test_runs([x], [y], design="within")
    result = two_sample_test(x, y)
    assert (result.pvalue, result.statistic) == (runs.pvalue, runs.statistic)
    assert (result.count, result.total, result.midp) == (runs.count, runs.total, runs.midp)


def test_values_of_the_literature():
    """P-values in print: Hollander and Wolfe (R's help of wilcox.test), R's help of mantelhaen.test, and coin's data."""
    term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
    early = [1.15, 0.88, 0.90, 0.74, 1.21]
    result = mann_whitney_test(term, early, alternative="greater")
    assert (result.statistic, round(float(result.pvalue), 4)) == (35, 0.1272)
    # rabbits: cured or not of two delays of penicillin, in five strata
    table = ((0, 6, 0, 5), (3, 3, 0, 6), (6, 0, 2, 4), (5, 1, 6, 0), (2, 0, 5, 0))
    strata = [([1] * a + [0] * b, [1] * c + [0] * d) for a, b, c, d in table]
    x, y, labels = columns(strata)
    assert round(float(two_sample_test(x, y, strata=labels).pvalue), 5) == 0.03994
    # times of rats on a rotating rod, of which most reached 300 s (Bergmann et al. 2000; coin 1.4.2)
    treated = [22, 300, 75, 271, 300, 18, 300, 300, 163, 300, 300, 300]
    assert mann_whitney_test([300] * 12, treated).pvalue == Fraction(6, 161)


COIN = json.loads((Path(__file__).parent / "data" / "samples_coin.json").read_text("utf-8"))
"""P-values of coin 1.4.2 (R 4.2.2), two-sided, less and greater: independence_test(v ~ group | stratum,
distribution = exact("shift")) of the scores, and of twice the ranks within strata over N + 1 (van Elteren)."""


@pytest.mark.slow
def test_coin_with_and_without_strata():
    assert len(COIN) == 100
    for case in COIN:
        for name, test in (("score", two_sample_test), ("rank", mann_whitney_test)):
            compared = partial(test, case["x"], case["y"], strata=case["strata"])
            definition.agrees(compared, case[name])


@pytest.mark.slow
def test_scipy_has_the_same_p_values():
    stats, numpy = peer("scipy.stats"), peer("numpy")
    rng = random.Random(9)
    for _ in range(8):
        x, y = [[rng.randint(0, 9) for _ in range(rng.randint(2, 4))] for _ in "xy"]
        for alternative, ours in (("two-sided", "doubled"), ("less", "less")):
            found = stats.permutation_test(
                (x, y),
                lambda a, b, axis: numpy.mean(a, axis) - numpy.mean(b, axis),
                permutation_type="independent",
                vectorized=True,
                n_resamples=10**5,
                alternative=alternative,
            )
            exact = two_sample_test(x, y, alternative=ours).pvalue
            assert abs(float(exact) - found.pvalue) < 1e-12
        without_ties = rng.sample(range(40), len(x) + len(y))
        x, y = without_ties[: len(x)], without_ties[len(x) :]
        for alternative in definition.SIDES:
            found = stats.mannwhitneyu(x, y, alternative=alternative, method="exact")
            exact = mann_whitney_test(x, y, alternative=alternative)
            assert abs(float(exact.pvalue) - found.pvalue) < 1e-12
            assert exact.statistic == found.statistic


NO_SAMPLES = """
[], [1], {} | x is empty
[1], [], {} | y is empty
[1], [2, 'a'], {} | y[1] is 'a'
[1], [2], {'weights': {'a': 1}} | weights
[1], [2], {'strata': (['a'], ['b'])} | strata: none has
[1], [2], {'strata': (['a'], ['a', 'a'])} | strata[1] has 2 labels
[1], [2], {'strata': (['a'], [None])} | strata[1][0]
[1], [2], {'strata': (['a'], ['a']), 'weights': {}} | strata has 'a' and
[1], [2], {'strata': (['a'], ['a']), 'weights': {'a': 1, 'b': 1}} | weights has 'b'
[1], [2], {'strata': (['a'], ['a']), 'weights': {'a': 0}} | weights['a'] is 0
[1, None], [2], {} | x[1] | WrongType
[1], [2], {'strata': ['a']} | strata is | WrongType
[1], [2], {'strata': ([[]], ['a'])} | strata[0][0] | WrongType
[1], [2], {'strata': (['a'], ['a']), 'weights': [1]} | weights is | WrongType
"""


def test_what_is_no_sample_names_its_place():
    for test, _ in WAYS:
        check_refusals(lambda x, y, about, test=test: test(x, y, **about), NO_SAMPLES)


def test_what_the_results_print():
    labels, small = (["a", "b"], ["a", "b", "c"]), Budget(seconds=0.01)
    alone = mann_whitney_test([1, 2], [3, 4, 5])
    many = two_sample_test([1, 2], [3, 2, 4], strata=labels, weights=dict.fromkeys("abc", 2))
    assert ("observations", "5") in alone.rows()
    assert ("observations", "5 in 3 strata, 2 tied") in many.rows()
    x, y = list(range(300)), [v * v for v in range(300)]
    halves = [[v % 2 for v in side] for side in (x, y)]
    for told, strata in (("300 of 600 observations", None), ("2 strata", halves)):
        with pytest.raises(BudgetExceeded, match=told):
            two_sample_test(x, y, strata=strata, budget=small)
    result = sum_test([{0: 1, 1: 1}] * 2, 1)
    assert ("steps", "2, 0 tied") in result.rows()
    assert result.heading == "Exact test of a sum of steps, two-sided"
    for result in (alone, many):
        assert "observations" in result._repr_html_()
        assert "cannot name the statistic" in complaint(ExactPermError, result.sentence)


# ------------------------------------------------------------------------------------ sums of steps

values = st.one_of(st.integers(-3, 5), st.fractions(-1, 1, max_denominator=4))
weights = st.one_of(st.integers(1, 4), st.fractions(Fraction(1, 4), 2, max_denominator=4))
steps = st.lists(st.dictionaries(values, weights, min_size=1, max_size=4), min_size=1, max_size=4)


@pytest.mark.slow
@given(steps, st.data(), alternatives)
def test_a_sum_equals_the_enumeration_of_all_choices(steps, data, alternative):
    chosen = [data.draw(st.sampled_from(sorted(step))) for step in steps]
    result = sum_test(steps, sum(chosen), alternative=alternative)
    assert result.statistic == sum(chosen)
    definition.check(result, definition.sums(steps), alternative)
    assert (result.n, result.n_units) == (len(steps), len(steps))
    bracket = fast_sum_test(steps, sum(chosen), alternative=alternative)
    encloses(bracket, result)
    assert FloatResult.from_dict(bracket.to_dict()).recount() == bracket


def test_forms_of_steps():
    plain = sum_test([{0: 2, 1: 4}, {5: 3}], 6)
    pairs = sum_test([[("0", 1), (0.0, "1"), (1, 4), (9, 0)], ((5, 3),)], "6.0")
    assert plain == pairs
    assert (plain.total, plain.count, plain.n_nonzero) == (18, 18, 1)
    assert sum_test([{3: 1}], 3).pvalue == 1
    assert fast_sum_test([{0: 1, 1: 1}] * 9, 9, digits=3, progress=lambda *_: None).digits == 3


NO_SUMS = """
[], 0 | steps is empty
[{}], 0 | steps[0] is {}
[{0: 1}, {1: -1}], 0 | the weight in steps[1][0] is -1
[{0: 1}, {1: 0}], 0 | steps[1] is {1: 0}
[{0: 1, 1: 'x'}], 0 | the weight in steps[0][1]
[{0: 1, 2: 1}], 1 | observed is 1
[{0: 1, 2: 1}], 4 | observed is 4
[{0: 1, 2: 1}], -2 | observed is -2
[{0: 1}, {None: 1}], 0 | steps[1][0] | WrongType
[[1, 2]], 0 | steps[0][0] is 1 | WrongType
[3], 0 | steps[0] is 3 | WrongType
[{0: 1, 2: 1}], None | observed is None | WrongType
"""


def test_what_is_no_sum_names_its_place():
    for test in (sum_test, fast_sum_test):
        check_refusals(test, NO_SUMS)


def concordant(n):
    """Kendall: the j-th of n items is concordant with 0 to j - 1 of those before it."""
    return [dict.fromkeys(range(j), 1) for j in range(2, n + 1)]


@pytest.mark.slow
def test_kendall_and_binomial_as_scipy_has_them():
    stats = peer("scipy.stats")
    rng = random.Random(2)
    for n in (2, 5, 12, 60):
        order = rng.sample(range(n), n)
        pairs = sum(order[i] < order[j] for j in range(n) for i in range(j))
        result = sum_test(concordant(n), pairs)
        assert result.total == factorial(n)
        found = stats.kendalltau(range(n), order, method="exact").pvalue
        assert abs(found / float(result.pvalue) - 1) < 1e-9
    for alternative in ("less", "greater"):
        found = stats.binomtest(7, 30, 0.4, alternative=alternative).pvalue
        exact = sum_test([{0: "0.6", 1: "0.4"}] * 30, 7, alternative=alternative).pvalue
        assert abs(found / float(exact) - 1) < 1e-9


class TestCertifiedSamples:
    @pytest.mark.slow
    @pytest.mark.parametrize("alternative", ALTERNATIVES)
    @pytest.mark.parametrize("inverted", [True, False])
    def test_the_bracket_holds_the_exact_value(self, alternative, inverted, monkeypatch):
        """By inversion alone, and by the count where it is quicker; of both orders of the samples."""
        rng, cases = random.Random(5), []
        for m, n in ((3, 5), (6, 2), (4, 4)):
            x, y = ([rng.randint(0, 9) for _ in range(size)] for size in (m, n))
            cases.append((x, y, two_sample_test(x, y, alternative=alternative)))
            assert cases[-1][2].midp > 0
        if inverted:
            cost = Estimate(seconds=1e9, bytes=0)
            monkeypatch.setattr(rows, "estimate", lambda *_: cost)
        for x, y, exact in cases:
            found = fast_two_sample_test(x, y, alternative=alternative, digits=6)
            encloses(found, exact)
            assert found.width <= 1e-5
            assert FloatResult.from_dict(found.to_dict()) == found
            assert found.recount() == found

    def test_real_numbers_that_no_count_takes(self):
        rng = random.Random(1)
        x, y = ([rng.random() for _ in range(30)] for _ in range(2))
        with pytest.raises(BudgetExceeded):
            two_sample_test(x, y, budget=Budget(seconds=5))
        found = fast_two_sample_test(x, y, digits=1)
        assert found.width <= 0.1

    def test_strata_are_steps(self):
        x, y, labels = [1, 2, 5], [3, 4, 4], (["a", "a", "b"], ["a", "b", "b"])
        exact = two_sample_test(x, y, strata=labels)
        encloses(fast_two_sample_test(x, y, strata=labels), exact)

    def test_strata_of_real_numbers_are_draws(self):
        rng = random.Random(7)
        x, y = [[rng.random() for _ in range(16)] for _ in "xy"]
        said = {"strata": ([0] * 9 + [1] * 7, [0] * 7 + [1] * 9), "weights": {0: 1, 1: 2}}
        exact = two_sample_test(x, y, **said, alternative="greater")
        found = fast_two_sample_test(x, y, **said, alternative="greater", digits=1)
        encloses(found, exact)
        assert found.width < 0.1
        assert FloatResult.from_dict(found.to_dict()) == found
