"""Float results and decisions: always on the right side of the exact p-value, on all alternatives and roads in."""

from __future__ import annotations

import functools
import itertools
import json
import math
import pickle
import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import brute
import strategies
from complaint import check_progress, check_refusals
from exactperm.arithmetic.enclosure import Enclosure
from exactperm.arithmetic.rational import log10
from exactperm.budget import Budget, Options
from exactperm.classical.paired import fast_wilcoxon_signed_rank_test
from exactperm.errors import BudgetExceeded, WrongType
from exactperm.fast import (
    Decision,
    fast_permutation_test,
    fast_sign_flip_test,
    is_significant,
)
from exactperm.null.float_result import FloatResult, bracketed
from exactperm.null.tails import SumTails
from exactperm.permutation import permutation_test
from exactperm.swaps.canonical import Swaps
from tests.workload import paper_workload

SWAPS = Swaps(tally={1: 3}, ties=0, low=-3, unit=2, observed=2)
ALTERNATIVES = ["two-sided", "greater", "less", "doubled"]
columns = strategies.columns(st.integers(0, 9))


def hard_scores(n=300, distinct=10**9, seed=1):
    """Differences without a small common step: neither a bracket nor a count keeps to a small budget."""
    rng = random.Random(seed)
    return [rng.randint(1, distinct) for _ in range(n)], [
        rng.randint(1, distinct) for _ in range(n)
    ]


@pytest.fixture
def never_counting(monkeypatch):
    """The inversion runs however quick the exact engines are."""
    monkeypatch.setattr("exactperm.certified.bracket.least_seconds", lambda *_: math.inf)


class TestFloatResult:
    @pytest.mark.slow
    @given(columns, st.sampled_from(ALTERNATIVES), st.integers(1, 50))
    def test_against_the_definition(self, data, alternative, digits):
        u, v = data
        exact = brute.pvalue(u, v, brute.sum_of_differences, alternative)
        result = fast_permutation_test(u, v, alternative=alternative, digits=digits)
        assert Fraction(result.lower) <= exact <= Fraction(result.upper)
        assert result.lower <= result.pvalue <= result.upper
        assert result.log10_lower <= result.log10_pvalue <= result.log10_upper
        assert result.correctly_rounded
        assert result.pvalue == exact.numerator / exact.denominator
        assert (result.statistic, result.alternative, result.n) == (
            sum(u) - sum(v),
            alternative,
            len(u),
        )

    @pytest.mark.parametrize("alternative", ALTERNATIVES)
    @pytest.mark.parametrize("factor", [1.0, 0.98, 0.9])
    @pytest.mark.usefixtures("never_counting")
    def test_against_the_exact_count(self, alternative, factor):
        # By the inversion, for p from near 1 down to 1e-40.
        u, v = paper_workload(1500, seed=3, factor=factor)
        whole = permutation_test(u, v, alternative=alternative)
        exact, result = whole.pvalue, fast_permutation_test(u, v, alternative=alternative)
        assert Fraction(result.lower) <= exact <= Fraction(result.upper)
        assert result.correctly_rounded
        assert result.pvalue == exact.numerator / exact.denominator
        for name in ("midp", "point_probability"):
            lower, upper = getattr(result, name).ends()
            assert lower <= getattr(whole, name) <= upper
            assert (upper - lower) * 10**12 < getattr(whole, name)
        assert result.upper <= math.nextafter(result.lower, 1.0)
        low, high = map(Fraction, result.decimal_bracket())
        assert low <= exact <= high
        assert (high - low) * 10**15 < exact

    @pytest.mark.slow
    @given(st.lists(st.integers(-9, 9), min_size=1, max_size=7), st.sampled_from(ALTERNATIVES))
    def test_sign_flips_are_swaps(self, d, alternative):
        # A column of differences, and the same as a mapping, is the test of the column against
        # zeros.
        expected = fast_permutation_test(d, [0] * len(d), alternative=alternative, digits=3)
        assert fast_sign_flip_test(d, alternative=alternative, digits=3) == expected
        assert fast_sign_flip_test(Counter(d), alternative=alternative, digits=3) == expected
        assert fast_sign_flip_test(d, groups=[0] * len(d)).pvalue == 1.0

    @pytest.mark.parametrize(
        ("bracket", "digits", "width"),
        [
            (Enclosure(1000, 1001, -12), 3, 1e-3),
            (Enclosure(1000, 1002, -12), 2, 2e-3),
            (Enclosure(10, 12, -12), 0, 0.2),
            (Enclosure(0, 1, -12), 0, math.inf),
            (Enclosure(7, 7, -12), 50, 0.0),
        ],
    )
    def test_certain_digits(self, bracket, digits, width):
        result = enclosed(bracket, digits=None, n=3)
        assert (result.digits_certain, result.width) == (digits, width)
        assert {
            len(text.split("e")[0].replace(".", ""))
            for text in result.decimal_bracket()
            if text != "0"
        } == {min(17, digits + 2)}
        assert FloatResult.from_dict(result.to_dict()) == result
        assert result.to_dict()["width"] == (width if width < math.inf else None)

    def test_groups_and_decimals(self):
        """Four different p-values: catches either option that is not handed on, here and in the decision."""
        u = ["0.40", "0.48", "0.23", "0.60", "0.71", "0.29"]
        v = ["0.21", "0.18", "0.12", "0.61", "0.80", "0.47"]
        found = set()
        for decimals, groups in itertools.product((1, None), ([0, 0, 1, 2, 2, 3], None)):
            options = {"decimals": decimals, "groups": groups}
            p = permutation_test(u, v, **options).pvalue
            found.add(p)
            assert Fraction(fast_permutation_test(u, v, **options).pvalue) == p
            assert is_significant(u, v, p, **options)
            assert not is_significant(u, v, p, **options, strict=True)
        assert len(found) == 4

    @pytest.mark.parametrize("alternative", ALTERNATIVES)
    @pytest.mark.parametrize("digits", [1, 17, 30, 50])
    @pytest.mark.usefixtures("never_counting")
    def test_digits_are_those_asked_for(self, alternative, digits):
        # An inversion is as wide as it may be, within a factor of 10**8.
        u, v = paper_workload(1500, seed=3)
        result = fast_permutation_test(u, v, alternative=alternative, digits=digits)
        lower, upper = result.bracket.ends()
        assert Fraction(1, 10 ** (digits + 8)) < (upper - lower) / upper < Fraction(1, 10**digits)
        assert result.digits == digits
        assert fast_permutation_test(u, v, alternative=alternative).bracket == (
            fast_permutation_test(u, v, alternative=alternative, digits=17).bracket
        )
        assert [len(text.split("e")[0].replace(".", "")) for text in result.decimal_bracket()] == [
            digits
        ] * 2

    def test_far_below_the_smallest_float(self):
        # One-sided p of all wins is 2**-N exactly; as a float it lies between 0 and the smallest
        # one.
        n = 5000
        result = fast_permutation_test([1] * n, [0] * n, alternative="greater")
        assert (result.lower, result.pvalue, result.upper) == (0.0, 0.0, 5e-324)
        assert result.correctly_rounded
        assert result.log10_pvalue == log10(Fraction(1, 2**n))
        assert Fraction(result.log10_lower) < Fraction(result.log10_upper)
        assert result.decimal_bracket(3) == ("7.07e-1506", "7.08e-1506")

    def test_next_to_one(self):
        n = 5000
        result = fast_permutation_test([1] * n, [0] * n, alternative="less")
        assert (result.lower, result.pvalue, result.upper) == (1.0, 1.0, 1.0)
        result = fast_permutation_test([1] * (n - 1) + [0], [0] * (n - 1) + [1], alternative="less")
        assert (result.lower, result.pvalue, result.upper) == (math.nextafter(1.0, 0.0), 1.0, 1.0)
        assert result.log10_lower == -5e-324

    @pytest.mark.slow
    def test_refuses_what_buys_no_digit(self):
        u, v = hard_scores()
        with pytest.raises(BudgetExceeded, match="certified bracket for 300 pairs"):
            fast_permutation_test(u, v, budget=Budget(seconds=1e-3))
        with pytest.raises(BudgetExceeded, match="certified bracket for 300 pairs") as caught:
            fast_permutation_test(u, v, budget=Budget(seconds=0.0045))
        assert caught.value.bracket.relative_width > 0.1
        assert fast_permutation_test(u, v, digits=3, budget=Budget(seconds=0.5)).width < 1e-3

    @pytest.mark.parametrize("alternative", ALTERNATIVES)
    def test_the_budget_is_handed_on(self, alternative, monkeypatch):
        # Neither a bracket nor a count of 1,500 pairs is expected within a ten-thousandth of a
        # second.
        u, v = paper_workload(1500, seed=3)
        with pytest.raises(BudgetExceeded):
            fast_permutation_test(u, v, alternative=alternative, budget=Budget(seconds=1e-4))
        with pytest.raises(BudgetExceeded):
            is_significant(u, v, "0.5", alternative=alternative, budget=Budget(seconds=1e-4))
        for call in (fast_permutation_test, functools.partial(is_significant, alpha=1)):
            with pytest.raises(WrongType, match=r"budget is 5: it must be a Budget"):
                call(u, v, alternative=alternative, budget=5)
        monkeypatch.setattr("exactperm.fast.QUICK", Budget(seconds=1e-4))
        with pytest.raises(BudgetExceeded):  # what a bracket may take by default
            fast_permutation_test(u, v, alternative=alternative)
        assert is_significant(u, v, "0.5", alternative=alternative).method == "exact"


class TestMidP:
    @pytest.mark.slow
    @given(
        st.lists(st.integers(1, 4), max_size=6),
        st.data(),
        st.sampled_from(ALTERNATIVES),
        st.integers(0, 1 << 20),
    )
    def test_brackets_of_any_width(self, differences, data, alternative, room):
        # Both tails widened outward by any amount; every observed value, the centre with them.
        # Catches the ends of two brackets that are paired the wrong way, a centre taken for a tail,
        # and twice the atom for once.
        tally = dict(sorted(Counter(differences).items()))
        observed = data.draw(st.integers(0, sum(differences)))
        swaps = Swaps(
            tally=tally, ties=data.draw(st.integers(0, 2)), low=0, unit=1, observed=observed
        )
        exact = SumTails(swaps=swaps).extremes(alternative, Options())

        def widened(tally, k, *_digits, **_options):
            pairs = sum(tally.values())
            subsets = itertools.product(*((0, d) for d in Counter(tally).elements()))
            low = high = sum(sum(subset) <= k for subset in subsets) << 24
            if low == 0 or low == 1 << 24 + pairs:
                return Enclosure(low, high, -24 - pairs)
            return Enclosure(max(0, low - room), min(high + room, 1 << 24 + pairs), -24 - pairs)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("exactperm.null.brackets.tail_bracket", widened)
            result = bracketed(swaps, 9, alternative, 3, Budget())
            found = [
                (result.midp.ends(), exact.halves / Fraction(2)),
                (result.point_probability.ends(), exact.tied),
            ]
        for (lower, upper), value in found:
            truth = Fraction(value) / exact.total
            assert 0 <= lower <= truth <= upper
            assert (lower == upper) or room
            assert upper - lower <= 4 * Fraction(room, 1 << 24)

    @pytest.mark.slow
    def test_the_atom_of_real_numbers_has_an_upper_bound(self):
        u, v = hard_scores()
        result = fast_permutation_test(u, v, digits=3)
        assert result.point_probability.lower == 0
        assert result.point_probability.relative_width > 0
        assert result.point_probability.floats()[1] < 2e-3 * result.pvalue
        assert result.midp.floats()[0] < result.pvalue < result.midp.floats()[1] * 1.001


class TestProgress:
    @pytest.mark.slow
    @pytest.mark.parametrize("digits", [None, 3, 5])
    def test_it_is_told_and_changes_nothing(self, digits):
        test = functools.partial(fast_permutation_test, *hard_scores(120), digits=digits)
        assert len(check_progress(lambda told: test(progress=told))[1]) > 3

    @pytest.mark.slow
    def test_an_exact_count_tells_its_own(self):
        """Behind what was told of brackets."""
        rng, told = random.Random(3), []
        column = [rng.randint(-1600, 1700) for _ in range(120)]
        assert fast_sign_flip_test(column).width == 0
        for test, d in (
            (fast_sign_flip_test, column),
            (fast_wilcoxon_signed_rank_test, range(-300, 311)),
        ):
            test(d, progress=lambda *report: told.append(report))
            assert told[-1][0] == told[-1][1]

    def test_an_interruption_ends_it(self):
        def interrupted(_done, _total):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            fast_permutation_test(*hard_scores(120), progress=interrupted)


class TestDecision:
    @pytest.mark.slow
    @given(
        columns, st.sampled_from(ALTERNATIVES), st.booleans(), st.fractions(Fraction(1, 1000), 1)
    )
    def test_against_the_definition(self, data, alternative, strict, alpha):
        u, v = data
        exact = brute.pvalue(u, v, brute.sum_of_differences, alternative)
        for level in {alpha, exact}:
            decision = is_significant(u, v, level, alternative=alternative, strict=strict)
            assert bool(decision) == (exact < level if strict else exact <= level)
            assert decision.alpha == level

    @pytest.mark.slow
    @pytest.mark.usefixtures("never_counting")
    def test_more_digits_then_the_count(self):
        # 1e-30 away from p takes the bracket of 50 digits; p itself only the count can tell from
        # its neighbours.
        u, v = paper_workload(1500, seed=3)
        exact = permutation_test(u, v).pvalue
        for strict in (False, True):
            for factor, method in (
                (Fraction(2), "bracket"),
                (1 + Fraction(1, 10**30), "bracket"),
                (1, "exact"),
            ):
                above = is_significant(u, v, exact * factor, strict=strict)
                assert (bool(above), above.method) == (factor != 1 or not strict, method)
            below = is_significant(u, v, exact * (1 - Fraction(1, 10**30)), strict=strict)
            assert (bool(below), below.method) == (False, "bracket")
        assert above.bracket.ends() == (exact, exact)

    def test_a_float_alpha_is_its_decimal(self):
        # p = 2/16 exactly. Catches an alpha read as its binary expansion, and > in place of >=.
        assert is_significant([1] * 4, [0] * 4, 0.125)
        assert not is_significant([1] * 4, [0] * 4, 0.125, strict=True)
        assert is_significant([1] * 4, [0] * 4, "1/8").alpha == Fraction(1, 8)
        assert is_significant([1], [0], 0.05).alpha == Fraction(1, 20)

    def test_a_refused_bracket_leaves_it_to_the_count(self):
        u, v = paper_workload(1500, seed=3)
        exact = permutation_test(u, v).pvalue
        decision = is_significant(u, v, "0.5", budget=Budget(seconds=0.05))
        assert bool(decision) == (exact <= Fraction(1, 2))
        u, v = hard_scores(26)
        decision = is_significant(u, v, "1e-9", budget=Budget(seconds=600))
        assert not decision

    @pytest.mark.parametrize("strict", [False, True])
    def test_a_bracket_that_ends_at_alpha(self, strict, monkeypatch):
        # p = 1/16. A bracket up to 1/8 proves p <= 1/8 but not p < 1/8, one from 1/8 on not the
        # opposite of either.
        asked = []

        def bracket(_swaps, _alternative, _digits, _budget, *, decided, progress):
            asked.append(decided(Enclosure(1, 2, -4)))
            return Enclosure(1, 2, -4)

        monkeypatch.setattr("exactperm.fast.pvalue_bracket", bracket)
        decision = is_significant([1] * 5, [0] * 5, "1/8", strict=strict)
        assert decision == Decision(
            significant=True,
            alpha=Fraction(1, 8),
            strict=strict,
            method="exact" if strict else "bracket",
            bracket=Enclosure(2, 2, -5) if strict else Enclosure(1, 2, -4),
        )
        assert decision.strict is strict
        assert asked == [not strict]

    @pytest.mark.slow
    def test_real_numbers(self):
        # 300 differences of nine digits: no count is possible, but a bracket on one side of alpha.
        # At p itself, to nine digits, none is; the refusal carries the narrowest.
        u, v = hard_scores()
        near = fast_permutation_test(u, v, digits=5)
        for factor, expected in ((1.3, True), (1.01, True), (0.99, False), (0.5, False)):
            decision = is_significant(u, v, near.pvalue * factor)
            assert (bool(decision), decision.method) == (expected, "bracket")
        with pytest.raises(BudgetExceeded) as caught:
            is_significant(
                u, v, fast_permutation_test(u, v, digits=6).pvalue, budget=Budget(seconds=0.1)
            )
        assert 0 < caught.value.bracket.relative_width < 0.01
        with pytest.raises(BudgetExceeded) as caught:
            is_significant(u, v, "0.05", budget=Budget(seconds=1e-5))
        assert caught.value.bracket == Enclosure(0, 1, 0)
        assert is_significant(u, v, 1, budget=Budget(seconds=0.1))  # every p-value is at most 1

    def test_record(self):
        decision = is_significant([1] * 4, [0] * 4, 0.05)
        assert pickle.loads(pickle.dumps(decision)) == decision
        assert "method='bracket'" in repr(decision)


def enclosed(bracket, digits=3, n=7):
    """A result with this bracket."""
    return FloatResult(
        bracket=bracket, digits=digits, statistic=1, alternative="less", n=n, _swaps=SWAPS
    )


class TestRecords:
    def test_json_goes_both_ways(self):
        """Also of a forged record, far below every p-value, which prints in no time."""
        tallies = {1: 5, -1: 2}, {1: 1200}, {0: 3}, {1: 900, -1: 100, 3: 50}
        far = [enclosed(Enclosure(1, 2, n)) for n in (-4, -(10**9), -(1 << 62))]
        for result in (*map(fast_sign_flip_test, tallies), *far):
            written = json.loads(json.dumps(result.to_dict(), allow_nan=False))
            assert FloatResult.from_dict(written) == result
            assert repr(result).startswith("FloatResult(pvalue=")
        assert enclosed(Enclosure(0, 1, -3)).to_dict()["log10_lower"] is None


class TestRecount:
    @pytest.mark.slow
    @pytest.mark.parametrize("alternative", ALTERNATIVES)
    @pytest.mark.parametrize("digits", [None, 3, 20])
    def test_the_same_bits(self, alternative, digits):
        u, v = hard_scores(60, distinct=10**5 if digits == 20 else 10**9)
        result = fast_permutation_test(
            u, v, alternative=alternative, digits=digits, budget=Budget(seconds=1)
        )
        read = FloatResult.from_dict(json.loads(json.dumps(result.to_dict(), allow_nan=False)))
        assert read == result == read.recount() == result.recount(budget=Budget(seconds=1))
        assert read._swaps == result._swaps
        assert read.to_dict() == result.to_dict()
        assert pickle.loads(pickle.dumps(read)).recount() == result

    def test_a_budget_without_limit_takes_one(self):
        result = fast_sign_flip_test([3, 1, 2], budget=Budget(seconds=math.inf, bytes=math.inf))
        read = FloatResult.from_dict(json.loads(json.dumps(result.to_dict())))
        assert result.to_dict()["budget"] == {"seconds": None, "bytes": None}
        with pytest.raises(
            BudgetExceeded, match="computing this bracket again would take about inf"
        ):
            read.recount()
        assert read.recount(budget=Budget(seconds=math.inf, bytes=math.inf)) == result


DIGITS = """
0, | digits is 0
51, | digits is 51
17.0, | digits is 17.0 | WrongType
True, | digits is True | WrongType
"""
LEVELS = """
0, | alpha is 0
-0.05, | alpha is -0.05
1.5, | alpha is 1.5
'2', | alpha is '2'
1e999, | alpha is inf
'five percent', | alpha is 'five percent'
None, | alpha is None | WrongType
'0.5', 'yes' | strict is 'yes' | WrongType
"""


def test_bad_options():
    u, v = [1, 2], [2, 1]
    check_refusals(lambda digits: fast_permutation_test(u, v, digits=digits), DIGITS)
    check_refusals(lambda alpha, strict=False: is_significant(u, v, alpha, strict=strict), LEVELS)
    # every p-value is at most 1
    assert is_significant(u, v, 1)
    assert not is_significant(u, v, 1, strict=True)
