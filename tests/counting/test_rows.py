"""The engine of rows counts the choices of m of N values as writing them all down does."""

import math
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaint import check_progress, complaint
from counting.test_every_engine import at_most
from exactperm import Budget, BudgetExceeded
from exactperm.budget import Options
from exactperm.counting import rows
from exactperm.counting.strata import canonical_samples
from exactperm.swaps.unpaired import Stratum

values = st.sampled_from([1, 2, 5, 40, 10**15, 10**80]).flatmap(
    lambda most: st.lists(st.integers(0, most), min_size=2, max_size=9)
)


@pytest.mark.slow
@given(values, st.data(), st.booleans())
def test_every_choice_is_counted(values, data, packed):
    ascending = tuple(sorted(x - min(values) for x in values))
    m = data.draw(st.integers(1, len(values) - 1))
    least = sum(ascending[:m])
    sums = Counter(sum(chosen) - least for chosen in combinations(ascending, m))
    ends = data.draw(st.lists(st.integers(-1, max(sums) + 2), max_size=3))
    listed = rows._SECONDS_LISTED
    try:
        if packed and ascending[-1] < 100:
            rows._SECONDS_LISTED = 1e9  # so that listing is never cheaper
        found = rows.count_at_most(ascending, m, ends)
        assert found == [at_most(sums, k) for k in ends]
        assert rows.counts(ascending, m) == dict(sorted(sums.items()))
        assert list(rows.counts(ascending, m)) == sorted(sums)
    finally:
        rows._SECONDS_LISTED = listed


def test_large_samples_in_slots_that_are_just_wide_enough():
    """All values equal but for one: C(N, m) itself is in one slot of every row."""
    for n in (8, 15, 16, 31, 64, 65):
        for m in (1, n // 2, n - 1):
            ascending = (0,) * (n - 1) + (1,)
            found = rows.count_at_most(ascending, m, (0, 1))
            assert found == [math.comb(n - 1, m), math.comb(n, m)]
            distinct = tuple(range(n))
            assert rows.count_at_most(distinct, m, (m * (n - m),)) == [math.comb(n, m)]
            assert sum(rows.counts(distinct, m).values()) == math.comb(n, m)


def test_ranks_of_gauss():
    """The number of choices of m of 1..N by their sum is a Gaussian binomial coefficient."""
    n, m = 12, 5
    gauss = [1]
    for i in range(1, m + 1):  # times (1 - x^(n - m + i)) / (1 - x^i)
        gauss = [a - b for a, b in zip([*gauss, *[0] * (n - m + i)], [*[0] * (n - m + i), *gauss])]
        for k in range(i, len(gauss)):
            gauss[k] += gauss[k - i]
        gauss = gauss[: m * (n - m) + 1]
    assert rows.counts(tuple(range(n)), m) == dict(enumerate(gauss))


def pooled(x, y):
    return canonical_samples([Stratum(x=x, y=y)], [1], 0)


def test_both_tails_and_their_budget():
    pool = pooled([9, 7, 12], [5, 0, 1, 3])
    sums = rows.distribution(pool.tally)
    for low in (None, 0, 4):
        for high in (None, pool.span, 7):
            below, above, method = rows.tail_counts(pool.tally, low, high)
            assert below == (0 if low is None else at_most(sums, low))
            assert above == (0 if high is None else pool.total - at_most(sums, high - 1))
            assert method == "rows"
    real = pooled([10**9, 3, 7 * 10**8], [10**7, 0])
    for tally, steps in ((pool.tally, 7), (real.tally, 3)):
        _found, told = check_progress(
            lambda progress, tally=tally: rows.tail_counts(tally, 1, 2, Options(progress=progress))
        )
        assert told[-1] == (steps, steps)
    wide = pooled([2 ** (99 * i) for i in range(40)], list(range(40)))
    for ask in (
        lambda: rows.tail_counts(wide.tally, 5, None),
        lambda: rows.distribution(wide.tally),
    ):
        assert "40 of 80 observations" in complaint(BudgetExceeded, ask)
    small = Options(budget=Budget(seconds=1e-6))
    assert "3 of 7 observations" in complaint(
        BudgetExceeded, lambda: rows.tail_counts(pool.tally, 5, None, small)
    )


def test_mirror_images_are_counted_once():
    pool = pooled([1, 4], [2, 3])
    assert pool.symmetric
    assert rows.tail_counts(pool.tally, 0, pool.span)[:2] == (1, 1)
