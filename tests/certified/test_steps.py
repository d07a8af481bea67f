"""Brackets of sums of steps: the exact probability lies inside for any parameters, and on either side of the mean."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bracket_cases import check_spoiled, contains, exactly, random_draws, random_types, real_steps
from exactperm.budget import Budget
from exactperm.certified import bracket as module
from exactperm.certified.bracket import _step_tail, tail_bracket
from exactperm.certified.factors import UnitFactors
from exactperm.certified.inversion import Inversion
from exactperm.certified.parameters import choose
from exactperm.certified.scan import Settled
from exactperm.certified.search import Meter, narrowed
from exactperm.errors import BudgetExceeded
from exactperm.record import replaced
from exactperm.samples import fast_permutation_test_runs
from exactperm.swaps.draws import normal
from exactperm.swaps.units import degree, mean, mirrored


class TestTheBracketHolds:
    @pytest.mark.parametrize(
        "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 11))]
    )
    @pytest.mark.parametrize(
        "drawn", [random_types, lambda rng: normal({**random_draws(rng), (1, (4, 4)): 1})[0]]
    )
    def test_random_parameters(self, drawn, seed, sampled):
        # Thresholds on both sides of the mean, slopes of the wrong sign, no window: parameters only
        # widen.
        rng = random.Random(seed)
        for _ in range(sampled(200) if seed else 8):
            units = drawn(rng)
            law = UnitFactors(units)
            truth = exactly(units)
            for _ in range(5):
                near = int(mean(units)) + rng.randint(-3, 3)
                k = rng.choice([rng.randrange(degree(units)), near])
                k = max(0, min(degree(units) - 1, k))
                check_spoiled(rng, law, k, truth[k], base=law.base)

    @pytest.mark.slow
    @given(st.integers(0, 10**6), st.sampled_from([1, 3, 6, 17]))
    def test_any_steps_and_any_threshold(self, seed, digits):
        # By inversion alone: thresholds above the mean, near both ends, with a common divisor, and
        # dropped terms.
        rng = random.Random(seed)
        types = random_types(rng)
        factor = rng.choice([1, 1, 7])
        scaled = {tuple((a * factor, g) for a, g in step): count for step, count in types.items()}
        truth = exactly(types)
        span = degree(types)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "least_seconds", lambda *_: 1e9)
            for k in {rng.randint(0, span - 1), rng.randint(0, span - 1), 0, span - 1}:
                found = tail_bracket(scaled, k * factor + rng.randrange(factor), digits)
                assert contains(found, truth[k]), (types, k)
                assert found.relative_width <= 10.0**-digits

    @pytest.mark.slow
    def test_the_width_of_real_numbers(self):
        types = real_steps(100, 2, 2)
        found = tail_bracket(types, degree(types) * 47 // 100, 3)
        assert 1e-6 < found.relative_width <= 1e-3


class TestEnds:
    def test_next_to_the_ends(self):
        types = {((0, 2), (3, 1)): 4}
        assert contains(tail_bracket(types, 2), Fraction(16, 81))
        assert contains(tail_bracket(types, 11), 1 - Fraction(1, 81))
        far = {((0, 1), (1, 1)): 3, ((0, 1), (9, 1)): 2}  # of a step only 0 is within the threshold
        assert contains(tail_bracket(far, 1), Fraction(4, 32))

    def test_ends_in_the_wrong_order_are_an_error(self):
        law = UnitFactors({((0, 2), (1, 1), (4, 1)): 30})
        inversion = Inversion(law, 20, 30, choose(law, 20, 30))
        inversion.bracket.sums.bounds = lambda _n, _frequencies: (9 << inversion.width, 1)
        with pytest.raises(ArithmeticError, match="wrong order"):
            inversion.bounds(Settled(found=[], reached=3, skipped=0, work=0))

    @pytest.mark.parametrize("counted", [True, False])
    def test_a_probability_above_one_half(self, counted, monkeypatch):
        # Below the mean, and yet more likely than not: a cap at 1/2 would be wrong.
        if not counted:
            monkeypatch.setattr(module, "least_seconds", lambda *_: 1e9)
        types = {((0, 9), (1, 1)): 4}
        assert tail_bracket(mirrored(types), 3, 17).floats()[1] < 0.35
        assert tail_bracket(types, 0, 17).floats()[0] > 0.65
        near_the_mean = tail_bracket({((0, 9), (1, 1)): 11}, 1, 17)
        assert contains(near_the_mean, Fraction(9**11 + 11 * 9**10, 10**11))
        assert near_the_mean.floats()[0] > 0.69


class TestRefused:
    @pytest.mark.slow
    def test_no_certain_digit(self):
        types = real_steps(40, 3, 3)
        with pytest.raises(BudgetExceeded) as caught:
            tail_bracket(types, degree(types) * 45 // 100, 3, budget=Budget(seconds=0.03, bytes=1))
        assert caught.value.bracket.relative_width > 0.1


class TestCountOrBracket:
    """One of both ways answers, after at most twice the work of the cheaper one, by their estimates."""

    @given(
        st.integers(0, 10**6),
        st.sampled_from([None, 1, 4, 17]),
        st.floats(-5, 0.7).map(lambda x: 10.0**x),
    )
    def test_what_can_be_counted_is_never_refused(self, seed, digits, seconds):
        rng = random.Random(seed)
        types = rng.choice([random_types(rng), real_steps(rng.randint(2, 6), 2, 2, seed)])
        budget = Budget(seconds=seconds)
        k = rng.randint(0, int(mean(types)))
        spent = Meter(budget)
        counted = []
        tail = _step_tail(types, k, spent)
        exact = tail.count
        made = lambda: counted.append(exact.seconds) or exact.made()  # noqa: E731
        tail = replaced(tail, count=replaced(exact, made=made))
        try:
            assert narrowed(tail, digits).relative_width <= 0.1
        except BudgetExceeded as refusal:
            assert exact.seconds > seconds
            assert refusal.detail
            assert refusal.seconds is None or refusal.seconds > seconds
        allowed = min(exact.seconds, seconds)
        assert spent.seconds + sum(counted) <= 2 * allowed + 0.02

    @pytest.mark.slow
    @pytest.mark.parametrize("shift", [0.05, 0.15, 0.5])
    def test_ratings_that_differ_have_a_narrow_bracket(self, shift):
        """Hundreds of items of 3 + 3 bell-shaped ratings, at p = .5, .1 and 1e-10."""
        rng = random.Random(1)
        u, v = (
            [[min(10, max(0, round(rng.gauss(5 + s, 2)))) for _ in range(3)] for _ in range(400)]
            for s in (shift, 0)
        )
        found = fast_permutation_test_runs(u, v, design="within")
        assert found.width < 1e-16

    def test_items_of_many_choices_with_one_that_matters(self):
        """Hundreds of runs, clearly separated: the value 0 of a step has a probability of 2**-196."""
        rng = random.Random(1)
        u = [[int(rng.random() >= 0.01) for _ in range(300)] for _ in range(20)]
        v = [[int(rng.random() < 0.01) for _ in range(300)] for _ in range(20)]
        found = fast_permutation_test_runs(u, v, design="within", alternative="greater")
        assert found.log10_pvalue < -3000
        assert found.width < 1e-15

    @pytest.mark.parametrize("seed", [25, 110, 270, pytest.param(None, marks=pytest.mark.slow)])
    def test_weights_of_any_size(self, seed, monkeypatch, sampled):
        """Far tails of weights up to 1e40 apart, by inversion alone: more bits make up for a small sum."""
        monkeypatch.setattr(module, "least_seconds", lambda *_: 1e9)
        for each in range(1000, 1000 + sampled(300)) if seed is None else [seed]:
            rng = random.Random(each)
            types = {
                tuple((a, 1 + int(10.0 ** (40 * rng.random()))) for a, _ in step): count
                for step, count in random_types(rng, 6).items()
            }
            k = rng.randint(0, degree(types) - 1)
            found = tail_bracket(types, k, 6)
            assert contains(found, exactly(types)[k]), (types, k)
            assert found.relative_width <= 0.1


class TestChoices:
    def test_a_step_too_far_is_halved(self):
        # A far term that is unlikely: Newton's step from 0 leads beyond all sums.
        for step, count, k in (
            (((0, 1), (1000, 10**6), (1001, 1)), 3, 2500),
            (((0, 1), (1, 10**9), (100, 1)), 2, 1),
        ):
            assert choose(UnitFactors({step: count}), k, 20).tilt > 0


def test_draws_in_normal_form():
    """Tied values and draws without a choice are left out; of many values, those that stay are drawn."""
    draws = {(2, (1, 3, 7)): 3, (1, (4, 4)): 1, (0, (0, 1)): 1}
    assert normal(draws) == ({(1, (0, 2, 3)): 3}, 2)
