"""Brackets of tails: the reductions, the choice between count and inversion, the rounds, budgets and refusals."""

from __future__ import annotations

import math
import random
import sys
from collections import Counter
from fractions import Fraction
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bracket_cases
from bracket_cases import (
    check_spoiled,
    contains,
    distribution,
    inverted,
    probability,
    random_case,
    real_steps,
)
from exactperm.arithmetic.enclosure import HALF, ONE, ZERO, Enclosure
from exactperm.budget import Budget, Estimate, Options
from exactperm.certified.bracket import (
    QUICK,
    Tails,
    _begun,
    _pair_tail,
    apart,
    draw_bracket,
    tail_bracket,
)
from exactperm.certified.factors import PairFactors
from exactperm.certified.lattice import giants, off_lattice
from exactperm.certified.search import Counting, Meter, SumSearch, narrowed
from exactperm.counting import plan
from exactperm.counting.plan import exact_seconds, least_seconds
from exactperm.errors import BudgetExceeded
from exactperm.record import replaced

tallies = st.dictionaries(st.integers(1, 25), st.integers(1, 12), max_size=5)


OFF = 123456789012


def tail_of(tally, k, budget=QUICK):
    """The tail of pairs that a bracket searches for."""
    return _pair_tail(tally, k, Meter(budget))


def search_of(tally, k, pairs=(), digits=17, seconds=5.0):
    """The search that conditions on these pairs."""
    return apart(tally, k, pairs, Meter(QUICK))(digits, seconds)


def real(n=120, seed=1, distance=1.6):
    """A tally of n differences of 16 digits, and a threshold so many standard deviations below the middle."""
    rng = random.Random(seed)
    tally = dict.fromkeys(sorted(int(abs(rng.gauss(0, 1)) * 10**16) + 1 for _ in range(n)), 1)
    deviation = math.isqrt(sum(d * d for d in tally)) // 2
    return tally, sum(tally) // 2 - int(distance * deviation)


class TestTheBracketHolds:
    @pytest.mark.slow
    @given(tallies, st.data(), st.sampled_from([1, 17, 50, None]))
    def test_any_tally_and_threshold(self, tally, data, digits):
        counts = distribution(tally)
        k = data.draw(st.integers(-2, len(counts) + 1))
        assert contains(
            tail_bracket(dict(sorted(tally.items())), k, digits), probability(counts, k)
        )

    def test_more_digits_lie_inside(self):
        tally = {1: 4000, 2: 900, 7: 20}
        wide = tail_bracket(tally, 2500, 17)
        narrow = tail_bracket(tally, 2500, 50)
        a, d = wide.ends()
        b, c = narrow.ends()
        assert a <= b <= c <= d
        assert c - b < b / 10**50
        assert tail_bracket(tally, 2500) == wide


class TestTails:
    @pytest.mark.slow
    def test_any_threshold_from_one_inversion(self):
        rng = random.Random(31)
        for _ in range(40):
            tally = {
                rng.randint(1, 40) * rng.choice([1, 1, 4]): rng.randint(1, 9)
                for _ in range(rng.randint(1, 6))
            }
            tally.update({900: 1} if rng.random() < 0.3 else {})
            counts = distribution(tally)
            middle = rng.randint(0, len(counts))
            tails = Tails(tally, middle, 1e-6, Budget(seconds=1))
            for k in (
                -1,
                0,
                middle,
                len(counts) // 2,
                len(counts) + 1,
                *(rng.randint(0, len(counts)) for _ in range(5)),
            ):
                assert contains(tails(k), probability(counts, k)), (tally, middle, k)
            assert tails(middle).relative_width <= 1e-5

    def test_thresholds_without_an_inversion(self):
        tails = Tails({5: 1}, 3, 1e-6, Budget(seconds=1))
        assert [tails(-1), tails(5)] == [ZERO, ONE]
        assert contains(tails(3), Fraction(1, 2))


class TestHardShapes:
    @pytest.mark.parametrize(
        ("tally", "ks"),
        [
            pytest.param({4: 30, 8: 9, 20: 2}, (60, 99, 120), id="common divisor"),
            pytest.param({2: 60, 4: 30, 6: 10, 7: 1}, (60, 99, 153), id="all even but one"),
            pytest.param(
                {6: 40, 12: 20, 9: 1, 10: 1}, (100, 200, 240), id="multiples of six but two"
            ),
            pytest.param({1: 200, 2: 30, 1000: 1}, (90, 130, 1100), id="one giant"),
            pytest.param({1: 30, 2: 30, 900: 3, 901: 2}, (2000, 2250), id="bimodal"),
            pytest.param({7: 1}, (-1, 0, 6, 7), id="one pair"),
        ],
    )
    def test_against_the_distribution(self, tally, ks):
        counts = distribution(tally)
        for k in ks:
            exact = probability(counts, k)
            assert contains(tail_bracket(tally, k), exact)
            kept = {d: c for d, c in tally.items() if d <= k}
            span = sum(d * c for d, c in kept.items())
            # the inversion by itself, with pairs beyond the threshold left out
            if kept and 2 * k + 1 < span:
                left_out = sum(tally.values()) - sum(kept.values())
                assert contains(inverted(kept, k).scaled(-left_out), exact)

    @pytest.mark.parametrize(
        ("search", "units", "span"),
        [
            (tail_bracket, {}, 0),
            (tail_bracket, {1: 5001}, 5001),
            (tail_bracket, {((0, 2), (3, 1)): 4}, 12),
            (draw_bracket, {(2, (0, 1, 5)): 1}, 5),
            (draw_bracket, {(1, (4, 4)): 3}, 0),
        ],
    )
    def test_outside_of_the_support(self, search, units, span):
        assert [search(units, k) for k in (-1, span)] == [ZERO, ONE]

    def test_ends_and_middle_are_exact(self):
        assert tail_bracket({1: 5001}, 2500).ends() == HALF.ends()
        # without a sum: no count is as quick as a bracket
        assert tail_bracket({1: 30_001, 2: 3000}, 18_000) == HALF
        assert tail_bracket({1: 5000}, 0).ends() == (Fraction(1, 2**5000),) * 2
        lower, upper = tail_bracket({1: 5000}, 4999).ends()
        assert lower == upper
        assert 1 - lower == Fraction(1, 2**5000)

    @pytest.mark.parametrize("seconds", [1.0e-3, 0.123, 4.44e4])
    def test_last_digits_of_an_estimate_decide_nothing(self, seconds):
        # Logarithms and sums of floats differ between platforms by some 1e-15: all of these are one
        # estimate.
        seen = set()
        for factor in (1.0, 1 - 1e-12, 1 + 1e-12, 1 + 1e-3):
            costs = {n: Estimate(seconds=n * seconds * factor, bytes=2) for n in (1, 7)}
            seen.add(least_seconds(costs, Budget()))
        assert len(seen) == 1
        assert seen == {least_seconds(costs, Budget(bytes=2))}
        assert least_seconds(costs, Budget(bytes=1)) == math.inf


@pytest.mark.slow
class TestRealNumbers:
    @pytest.mark.parametrize(
        ("digits", "width"), [(1, 1e-1), (2, 1e-2), (3, 1e-3), (4, 1e-4), (None, 1e-4)]
    )
    @pytest.mark.parametrize("distance", [-0.3, 0.2, 1.6, 6.0])
    def test_the_width_is_met(self, digits, width, distance):
        tally, k = real(distance=distance)
        found = tail_bracket(tally, k, digits)
        assert width / 1000 < found.relative_width <= width
        assert tail_bracket(tally, k, digits) == found  # the same bits each time

    def test_the_budget_buys_the_width(self):
        # Ten times the work makes it some ten times narrower, and what is less than the first round
        # is refused.
        tally, k = real(300)
        widths = [
            tail_bracket(tally, k, 12, budget=Budget(seconds=s)).relative_width
            for s in (0.03, 0.1, 0.4)
        ]
        assert widths[0] > 3 * widths[1] > 9 * widths[2]
        with pytest.raises(BudgetExceeded) as caught:
            tail_bracket(tally, k, 12, budget=Budget(seconds=0.0098))
        assert caught.value.bracket.relative_width > 0.1
        assert caught.value.seconds > 0.005

    @pytest.mark.parametrize("exponent", [250, 3000])
    def test_sums_beyond_every_float(self, exponent):
        # 150 differences that have nothing in common, of any length: P(X <= k) is that of 150 equal
        # ones.
        tally = {2**exponent + 3**i: 1 for i in range(40)}
        bracket = tail_bracket(tally, 15 * 2**exponent + 3**41, 2, budget=Budget(seconds=20))
        assert contains(bracket, Fraction(sum(math.comb(40, i) for i in range(16)), 2**40))


class TestConditioned:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("kind", "cases"),
        [("enumerated", 150), ("lattice", 40), ("far_tail", 15), ("perturbed", 25)],
    )
    def test_any_pairs_apart(self, kind, cases):
        # Any pairs, or the largest, are conditioned on, with widths and budgets at random. Catches
        # a threshold that is forgotten or rounded up, a weight or an error that is not counted, a
        # far one taken for exactly 0 or 1.
        rng = random.Random(f"{kind} apart")
        for _ in range(cases):
            _, tally, k, exact = getattr(bracket_cases, kind)(rng)
            pairs = list(Counter(tally).elements())
            u = rng.randint(1, min(7, len(pairs) - 2))
            chosen = tuple(rng.sample(pairs, u)) if rng.random() < 0.5 else tuple(pairs[-u:])
            digits = rng.choice([1, 2, 4, 17])
            seconds = 10 ** rng.uniform(-3, -1)
            search = search_of(tally, k, chosen, digits, seconds)
            assert contains(search.bracket(), exact), (tally, k, chosen)

    @pytest.mark.parametrize("seed", range(20))
    def test_whatever_the_parameters(self, seed):
        # The mean of P(X <= x) over any thresholds. Catches a far threshold that is taken for
        # exactly 0 or 1, and a weight that is forgotten.
        rng = random.Random(seed)
        for _ in range(10):
            tally, counts, ks = random_case(rng)
            k = ks[0]
            drawn = [rng.choice([rng.randint(-3, k), rng.randint(k - 2, k + 3)]) for _ in range(4)]
            exact = sum(probability(counts, x) for x in drawn) / 4
            law = PairFactors(sorted(tally.items()))
            if exact <= Fraction(1, 2):
                check_spoiled(rng, law, k, exact, thresholds=Counter(drawn))

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("share", "where"), [(0.3, 0.2), (0.3, 0.4), (0.6, 0.38), (0.9, 0.475), (0.6, 0.49)]
    )
    def test_one_giant(self, share, where):
        # Two clusters of sums, far apart: one tail, or both, or nearly all and nearly nothing.
        small = {1: 1200, 2: 500, 3: 30}
        span = sum(d * c for d, c in small.items())
        giant = int(share * span)
        k = int((span + giant) * where)
        counts = distribution(small)
        exact = (probability(counts, k) + probability(counts, k - giant)) / 2
        search = search_of({**small, giant: 1}, k, (giant,))
        found = search.bracket()
        assert contains(found, exact)
        assert found.relative_width < 1e-17
        assert len(search.inversion.place.thresholds) == 2
        assert giants({**small, giant: 1}) == (giant,)
        assert contains(tail_bracket({**small, giant: 1}, k, 17), exact)

    def test_which_pairs(self):
        rng = random.Random(5)
        lattice = {rng.randint(1, 10**4) * 10**9 for _ in range(200)}
        for u in range(1, 11):
            off = {rng.randint(1, 10**13) for _ in range(u)}
            found = off_lattice(dict.fromkeys(sorted(lattice | off), 1))
            assert found == tuple(sorted(off))
        assert off_lattice({4: 30, 6: 20, 7: 3}) == (7, 7, 7)
        assert off_lattice({4: 30, 6: 20, 7: 11}) == ()
        assert off_lattice(real()[0]) == ()
        assert giants({1: 90, 100: 2, 10**4: 3}) == (10**4,) * 3 + (100,) * 2
        assert giants({1: 90, 100: 2, 10**4: 30}) == ()
        assert giants({7: 3}) == giants(real()[0]) == ()

    @pytest.mark.parametrize(
        ("decimals", "off", "apart"), [(3, (OFF,), True), (7, (OFF,), False), (12, (), False)]
    )
    def test_a_lattice_that_helps_and_one_that_does_not(self, decimals, off, apart):
        # Of a lattice that is fine itself, the inversion of all pairs needs fewer frequencies for
        # five digits.
        rng = random.Random(6)
        unit = 10 ** (14 - decimals)
        on = {rng.randint(1, 10**decimals) * unit for _ in range(100)}
        tally = dict.fromkeys(sorted({*on, OFF}), 1)
        k = int(sum(tally) * 0.4)
        search = _begun(tally, k, Meter(QUICK), 5, 5.0)
        place = search.inversion.place
        assert place.thresholds == ({k // unit: 1, (k - OFF) // unit: 1} if apart else {place.k: 1})
        assert search.predicted() > 0.005 or apart
        assert off_lattice(tally, search.inversion.period >> 30) == off


class TestRounds:
    @pytest.mark.slow
    def test_a_decision_ends_with_the_first_bracket(self):
        tally, k = real(300)
        seen = []
        for border in (2.0, 1.1, 1.0003):
            p = Fraction(tail_bracket(tally, k, 6).floats()[0]) / Fraction(border)
            brackets = []

            def settled(value, p=p, brackets=brackets):
                brackets.append(value)
                return value.ends()[0] > p

            found = tail_bracket(tally, k, settled=settled)
            assert found.ends()[0] > p
            seen.append(len(set(brackets)))
        assert seen == sorted(seen)
        assert seen[0] == 1
        assert seen[2] > 2

    def test_the_complement_is_what_is_settled(self):
        tally, k = real(300)
        seen = []
        found = tail_bracket(
            tally, sum(tally) - k, settled=lambda value: seen.append(value) or True
        )
        assert {found} == set(seen)
        assert found.floats()[0] > 0.9

    def test_never_settled(self):
        # On a coarse lattice the last of a decision's brackets has 50 digits.
        tally = {1: 40_000, 2: 9000, 7: 20}
        assert tail_bracket(tally, 28_000, settled=lambda _value: False).relative_width < 1e-50

    def test_too_little_for_any_decision(self):
        tally, k = real(300)
        value = tail_bracket(tally, k, settled=lambda _value: False, budget=Budget(seconds=1e-4))
        assert value.ends() == (0, 1)
        assert exact_seconds(tally, k, Budget()) > 1 > exact_seconds({1: 50}, 10, Budget()) > 0
        assert exact_seconds({5: 3}, 2, Budget()) == exact_seconds({5: 3, 1: 90}, -1, Budget()) == 0

    @pytest.mark.slow
    def test_the_budget_ends_what_is_never_settled(self):
        tally, k = real(100)
        value = tail_bracket(tally, k, settled=lambda _value: False, budget=Budget(seconds=0.1))
        assert 1e-8 < value.relative_width < 1e-3

    def test_a_wide_bracket_gives_way_to_the_count(self):
        """Where the work ends before the width that was predicted, an affordable count answers, or a refusal."""
        wide = SimpleNamespace(width=1e-3, predicted=lambda: 0.2, finer=lambda _seconds: None)
        wide.short = lambda width: (f"width {width}", Estimate(seconds=0.2, bytes=0))
        wide.bracket = lambda: Enclosure(1, 9, -4)
        count = Counting(seconds=1.0, made=lambda: HALF)
        tail = tail_of({1: 40, 2: 30}, 30, Budget(seconds=2))
        tail = replaced(tail, quick=0.1, count=count, begun=lambda *_: wide)
        assert narrowed(tail, 3) == HALF
        # So does a count where the work before any bracket is above the seconds.
        assert narrowed(replaced(tail, least=lambda: 10**9), 3) == HALF
        tail = replaced(tail, meter=Meter(Budget(seconds=0.5)))
        with pytest.raises(BudgetExceeded, match="70 pairs with 2 distinct differences") as caught:
            narrowed(tail, 3)
        assert caught.value.bracket == wide.bracket()
        # It took less than the budget and is no narrower: more seconds are not the cure.
        assert caught.value.needs is None
        assert caught.value.detail == "width 8.0"
        assert "allow more" not in caught.value.cure.words

    def test_a_quick_count_settles_everything(self):
        assert tail_bracket({1: 20, 2: 5}, 9, settled=lambda _value: False).relative_width == 0

    @pytest.mark.parametrize("digits", [4, 17, 50])
    def test_a_second_is_fewer_units_of_wide_numbers(self, digits):
        search = search_of(*real(), digits=digits, seconds=1.0)
        slower = max(1, search.inversion.width / 103)
        assert search.limit == int(2e6 / slower) - search.least
        assert SumSearch(PairFactors([(5, 9)]), 9, Meter(QUICK), digits, 1e-9).limit == 0


class TestRefusals:
    @pytest.mark.parametrize(
        ("search", "case", "seconds", "what"),
        [
            (tail_bracket, ({1: 30_000, 2: 3000}, 17_500), 2e-5, "33000 pairs with 2 distinct"),
            (tail_bracket, ({1: 30_000, 2: 3000}, 17_500), 1e-6, "33000 pairs with 2 distinct"),
            (tail_bracket, ({1: 30_000, 2: 3001}, 17_500), 2e-5, "33001 pairs with 2 distinct"),
            (tail_bracket, (real_steps(300, 3, 3), 10**17), 1e-3, "300 items with 300 different"),
            (draw_bracket, ({(30, tuple(range(60))): 10**5}, 10**6), 1e-3, "of up to 60 values"),
            (Tails, (dict.fromkeys(range(1, 300), 1), 10**4, 1e-9), 1e-9, "299 pairs with 299"),
        ],
    )
    def test_before_any_work_where_the_least_is_too_long(self, search, case, seconds, what):
        with pytest.raises(BudgetExceeded, match=what) as caught:
            search(*case, budget=Budget(seconds=seconds))
        assert seconds < caught.value.seconds
        assert caught.value.limit.seconds == seconds
        assert "too many" in caught.value.detail
        assert caught.value.bracket is None

    def test_takes_no_step_for_each_difference(self):
        # Sums in C only: a generator over the groups, or a choice of parameters, would be seen once
        # for each of them.
        tally = dict.fromkeys(range(10**12, 10**12 + 10**4), 1)
        steps = []
        before = sys.getprofile()
        sys.setprofile(lambda _frame, event, _arg: steps.append(event) if event == "call" else None)
        try:
            with pytest.raises(BudgetExceeded, match="10000 distinct differences"):
                tail_bracket(tally, 4 * 10**15, budget=Budget(seconds=0.01))
        finally:
            sys.setprofile(before)
        assert len(steps) < 1000

    @pytest.mark.parametrize("seconds", [1e-6, 0.18])
    def test_the_count_is_given_the_budget(self, seconds, monkeypatch):
        # An engine that is instant, and one that takes the whole budget where a bracket would take
        # more.
        asked = []
        counted = []
        budget = Budget(seconds=0.2, bytes=10**8)

        def costs(*case):
            asked.append(case)
            return costs_found

        def count(tally, k, costs, what, options):
            assert (costs, what()) == (costs_found, plan.described(tally))
            counted.append((tally, k, options))
            return 22, "any"

        costs_found = {"any": Estimate(seconds=seconds, bytes=10**8)}
        monkeypatch.setattr(plan, "costs", costs)
        monkeypatch.setattr(plan, "counted", count)
        rng = random.Random(1)
        tally = dict(sorted({rng.randint(1, 10**7): 1 for _ in range(400)}.items()))
        assert tail_bracket(tally, 8 * 10**8, budget=budget) == Enclosure(22, 22, -400)
        assert asked == counted == [(tally, 8 * 10**8, Options(budget=budget))]
