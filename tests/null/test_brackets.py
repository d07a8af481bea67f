"""Certified tests of several runs contain the exact test, for every alternative and with both parts of a p-value."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bracket_cases import contains
from exactperm import (
    Budget,
    fast_permutation_test,
    fast_permutation_test_runs,
    fast_two_sample_test,
    permutation_test_runs,
)
from exactperm.arithmetic.enclosure import Enclosure
from exactperm.errors import BudgetExceeded
from exactperm.null import joint_brackets
from exactperm.null.alternative import ALTERNATIVES
from exactperm.null.brackets import pvalue_bracket, tail_pair
from exactperm.null.float_result import FloatResult
from exactperm.swaps.runs import DESIGNS, exchange
from exactperm.swaps.units import draws_of
from strategies import columns, matrices

alternatives = st.sampled_from(ALTERNATIVES)
scores = st.one_of(st.integers(0, 1), st.integers(-3, 3), st.floats(0, 1))
runs = st.lists(scores, min_size=1, max_size=3)


def check(u, v, design, alternative, **options):
    """Compare a certified test with the exact one."""
    found = fast_permutation_test_runs(u, v, design=design, alternative=alternative, **options)
    exact = permutation_test_runs(u, v, design=design, alternative=alternative)
    assert contains(found.bracket, exact.pvalue)
    assert contains(found.midp, exact.midp)
    assert contains(found.point_probability, exact.point_probability)
    assert (found.statistic, found.design, found.n) == (exact.statistic, exact.design, exact.n)
    return found, exact


def random_runs(rng, items, m, k, top):
    return [[[rng.randint(0, top) for _ in range(size)] for _ in range(items)] for size in (m, k)]


def refuse(*_):
    """Stop at a bracket of one tail."""
    raise BudgetExceeded("a tail", bracket=Enclosure(1, 3, -4))


@pytest.fixture
def never_counted(monkeypatch):
    """All brackets by inversion."""
    monkeypatch.setattr("exactperm.certified.bracket.least_seconds", lambda *_: math.inf)


class TestItContainsTheExactTest:
    @pytest.mark.slow
    @given(columns(runs, 5), st.sampled_from(["within", "items"]), alternatives)
    def test_items(self, data, design, alternative):
        found, exact = check(*data, design, alternative)
        assert found.correctly_rounded
        assert found.pvalue == float(exact.pvalue)

    @given(matrices(scores), alternatives)
    def test_whole_runs(self, items, alternative):
        assert check(*zip(*items), "systems", alternative)[0].correctly_rounded

    @pytest.mark.slow
    @pytest.mark.usefixtures("never_counted")
    @pytest.mark.parametrize("alternative", ALTERNATIVES)
    @pytest.mark.parametrize("sizes", [(2, 2), (3, 1), (1, 4)])
    def test_by_inversion(self, alternative, sizes):
        # Both tails of a statistic that is not symmetric, observed values on either side of 0 and
        # at it.
        rng = random.Random(str(sizes))
        for shift in (-0.4, 0.0, 0.3):
            u = [[int(4 * (rng.random() + shift)) for _ in range(sizes[0])] for _ in range(30)]
            v = [[int(4 * rng.random()) for _ in range(sizes[1])] for _ in range(30)]
            found, _ = check(u, v, "within", alternative, digits=12)
            assert found.width <= 2e-12
            wide, _ = check(u, v, "within", alternative, digits=1)
            assert wide.bracket.relative_width <= 0.1

    @pytest.mark.slow
    @pytest.mark.parametrize("alternative", ["two-sided", "less", "doubled"])
    def test_sums_that_are_not_listed(self, alternative):
        """Beside the count that lists them."""
        rng = random.Random(3)
        forms = set()
        for _ in range(6):
            u, v = random_runs(rng, rng.choice([2, 3]), rng.choice([5, 6]), 6, 10**5)
            found, _ = check(u, v, "within", alternative, digits=2)
            forms.add(draws_of(found._swaps.tally) is None)
        assert forms == {True, False}

    @pytest.mark.usefixtures("never_counted")
    def test_tails_that_are_not_told_apart(self):
        # At T = 0 the smaller tail is unknown to brackets of one digit: the values more extreme are
        # those of either.
        u, v = [[1, 0, 1], [0, 1, 0]] * 15, [[1, 0], [0, 1]] * 15
        swaps = exchange(u, v, "within").swaps
        exact = permutation_test_runs(u, v, design="within", alternative="doubled")
        for digits in (1, 2, 17):
            pair = tail_pair(swaps, "doubled", digits, Budget(seconds=5), None)
            assert contains(pair.weak.at_most(0), exact.pvalue)
            assert contains(pair.strict, exact._extremes.more / Fraction(exact.total))
        assert contains(pvalue_bracket(swaps, "doubled", 2, Budget(seconds=5)), exact.pvalue)

    def test_two_tails_that_meet_in_the_centre(self):
        """Where the observed sum of pairs is its mean, each part of the p-value follows from the other."""
        for alternative in ALTERNATIVES:
            check([[1], [0], [2], [0]], [[0], [1], [0], [2]], "items", alternative)

    @pytest.mark.parametrize(
        ("alternative", "bracket"),
        [("greater", (1, 3)), ("less", (13, 15)), ("two-sided", (2, 6)), ("doubled", None)],
    )
    def test_a_refusal_encloses_the_pvalue(self, alternative, bracket, monkeypatch):
        """What was reached of one tail is said of the p-value; nothing is where two tails are needed."""
        monkeypatch.setattr("exactperm.certified.bracket.narrowed", refuse)
        x, y = [3, 71, 20, 99, 47, 310], [50, 0, 8, 41, 5, 77]
        with pytest.raises(BudgetExceeded) as caught:
            fast_two_sample_test(x, y, alternative=alternative)
        found = caught.value.bracket
        assert (found and found.fixed(4)) == bracket

    @pytest.mark.parametrize(("alternative", "bracket"), [("less", (0, 1)), ("doubled", (0, 2))])
    def test_a_refusal_of_pairs(self, alternative, bracket, monkeypatch):
        """Two of five differences are above the sum, so a quarter of a tail is left."""
        monkeypatch.setattr("exactperm.certified.bracket.narrowed", refuse)
        with pytest.raises(BudgetExceeded) as caught:
            fast_permutation_test([0, 0, 0, 5, 50], [71, 20, 99, 47, 3], alternative=alternative)
        assert caught.value.bracket.fixed(4) == bracket

    @pytest.mark.parametrize(("sides", "bracket"), [([1], (2, 6)), ([1, 2], (0, 6))])
    def test_a_refusal_of_joint_tails(self, sides, bracket, monkeypatch):
        monkeypatch.setattr(joint_brackets, "_bracket", refuse)
        source = SimpleNamespace(known=bool, statistic=0, sides=lambda *_, strict: (2, sides))
        with pytest.raises(BudgetExceeded) as caught:
            pvalue_bracket(source, "two-sided", 2, Budget(seconds=5))
        assert caught.value.bracket.fixed(4) == bracket

    def test_all_tied(self):
        found, _ = check([[1, 1], [2, 2]], [[1], [2]], "within", "two-sided")
        assert found.pvalue == found.lower == found.upper == 1.0


class TestTheResult:
    @pytest.mark.parametrize("alternative", ALTERNATIVES)
    @pytest.mark.parametrize("design", DESIGNS)
    def test_records(self, design, alternative):
        u, v = random_runs(random.Random(design), 6, 3, 2, 5)
        result = fast_permutation_test_runs(u, v, design=design, alternative=alternative, digits=9)
        again = FloatResult.from_dict(json.loads(json.dumps(result.to_dict())))
        assert again == result
        assert again.recount() == result
        assert again.to_dict()["claim"] == "enclosed"
        assert (again.design, again.to_dict()["design"]) == (design, design)

    @pytest.mark.slow
    @pytest.mark.usefixtures("never_counted")
    @pytest.mark.parametrize("runs", [(60, 2, 2), (40, 5, 5), (15, 8, 7)])
    def test_a_record_confirms_its_bracket(self, runs):
        u, v = random_runs(random.Random(2), *runs, 2**53)
        v[0] = u[0] = [5] * runs[1]
        result = fast_permutation_test_runs(u, v, design="within", digits=1, alternative="less")
        again = FloatResult.from_dict(json.loads(json.dumps(result.to_dict())))
        assert again == result == again.recount()
        assert again.width > 1e-9
        assert again.point_probability.ends()[0] == 0
        assert result._swaps.n_units == runs[0] == result.n

    @pytest.mark.usefixtures("never_counted")
    @pytest.mark.parametrize("seconds", [1e-3, 8e-3, 0.012])
    def test_the_estimate_is_that_of_both_tails(self, seconds):
        """Each tail may use half of the budget: what one of them would take can be below the whole."""
        u, v = random_runs(random.Random(1), 40, 2, 3, 2**53)
        with pytest.raises(BudgetExceeded) as caught:
            fast_permutation_test_runs(
                u, v, design="within", digits=9, budget=Budget(seconds=seconds)
            )
        assert caught.value.seconds > seconds

    @pytest.mark.usefixtures("never_counted")
    @pytest.mark.parametrize("alternative", ["less", "greater"])
    def test_one_tail_may_use_the_whole_budget(self, alternative):
        u, v = [[[i * i + j * k for k in range(2)] for i in range(9)] for j in (1, 2)]
        ask = {"design": "within", "digits": 9, "alternative": alternative}
        with pytest.raises(BudgetExceeded) as caught:
            fast_permutation_test_runs(u, v, **ask, budget=Budget(seconds=1e-5))
        assert caught.value.limit == Budget(seconds=1e-5)
