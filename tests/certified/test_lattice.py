"""The gap between a lattice and its remainders, closed: counts stay what they are."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactperm import fast_sign_flip_test, sign_flip_test
from exactperm.budget import Budget
from exactperm.certified import lattice
from exactperm.certified.lattice import compressed, with_step
from exactperm.counting.dp import counts


def count_at_most(tally, k):
    return sum(n for x, n in counts(tally).items() if x <= k)


@st.composite
def noisy(draw):
    """A tally next to multiples of a step, with remainders of either sign, some of them differences of their own."""
    step = draw(st.integers(64 * 24, 10**6))
    reach = step // (64 * 24)
    drawn = draw(
        st.lists(st.tuples(st.integers(0, 3), st.integers(-reach, reach)), min_size=1, max_size=10)
    )
    found = Counter(a * step + r if a or r > 0 else 1 for a, r in drawn)
    return dict(sorted(found.items())), step


class TestCompressed:
    @pytest.mark.slow
    @given(noisy(), st.data())
    @settings(max_examples=200, deadline=None)
    def test_every_count_stays(self, example, data):
        tally, step = example
        sums = list(counts(tally))
        near = [x + e for x in sums for e in (-1, 0, 1)] + [a * step for a in range(40)]
        k = data.draw(st.sampled_from(near))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(lattice, "_FEWEST", 0)
            narrow, x = with_step(tally, k, step)
        assert list(narrow) == sorted(narrow)
        assert min(narrow) > 0
        assert list(narrow.values()) == list(tally.values())
        assert count_at_most(narrow, x) == count_at_most(tally, k)

    def test_the_least_step_that_tells_the_sums_apart(self):
        # With one less, 2 L + R has the same value for (1, -1) and (0, 1).
        tally = {3: 1, 10**6 - 4: 1, 3 * 10**6 + 2: 2}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(lattice, "_FEWEST", 0)
            narrow, _ = with_step(tally, 0, 10**6)
            assert narrow == {3: 1, 12 - 4: 1, 36 + 2: 2}
            # between the remainders of one multiple and the next no sum lies
            for k in (10**6 - 5, 5 * 10**5, 8, 7):
                assert with_step(tally, k, 10**6)[1] == 7
        assert list(counts(tally).values()) == list(counts(narrow).values())

    def test_a_step_is_found(self):
        rng = random.Random(1)
        for reach in (10**12, 10**8):
            tally = dict.fromkeys(
                sorted({reach * rng.randint(0, 5) + rng.randint(1, 10**4) for _ in range(60)}), 1
            )
            narrow, _ = compressed(tally, sum(tally) // 3)
            assert sum(narrow) < 200 * 60 * 10**4

    def test_none_where_there_is_none(self):
        rng = random.Random(2)
        for n in (5, 30, 300):
            for reach in (100, 10**16):
                tally = dict.fromkeys(sorted({rng.randint(1, reach) for _ in range(n)}), 1)
                assert compressed(tally, sum(tally) // 3) is None
        # nothing is off the lattice
        assert compressed({10**6 * a: 1 for a in range(1, 20)}, 10**6) is None
        giants = {**dict.fromkeys(range(1, 20), 1), 10**9: 1}
        assert compressed(giants, 10**6) is None  # only one is on it
        uneven = {10**9 * a + 10**7 * (a == 19): 1 for a in range(1, 20)} | {10**9 * 20 + 1: 1}
        assert with_step(dict(sorted(uneven.items())), 10**6, 10**7 * 3) is None
        assert compressed(dict.fromkeys(range(10**30, 10**30 + 40), 1), 10**31) is not None

    def test_a_search_for_a_step_ends(self, monkeypatch):
        monkeypatch.setattr(lattice, "_MOST_STEPS", 2)
        rng = random.Random(3)
        tally = dict.fromkeys(sorted({rng.randint(1, 10**60) for _ in range(20)}), 1)
        assert compressed(tally, 10**59) is None


class TestBrackets:
    @pytest.mark.slow
    @pytest.mark.parametrize("noise", [1, 10**3, 10**6])
    def test_near_integers(self, noise):
        rng = random.Random(noise)
        d = [
            f"{rng.choice((1, -1)) * rng.randint(1, 5)}.{rng.randint(0, noise):012d}"
            for _ in range(100)
        ]
        for alternative in ("greater", "two-sided"):
            result = fast_sign_flip_test(d, alternative=alternative, budget=Budget(seconds=2))
            assert 0 < result.lower <= result.upper < 1.0002 * result.lower

    def test_against_counts(self):
        rng = random.Random(4)
        for n in (24, 30):
            d = {
                rng.choice((1, -1)) * (10**12 * rng.randint(0, 3) + rng.randint(-99, 99)): 1
                for _ in range(n)
            }
            exact = sign_flip_test(d).pvalue
            result = fast_sign_flip_test(d)
            assert result.lower <= exact <= result.upper
