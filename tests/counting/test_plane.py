"""Two-dimensional counting: the packed rows give every count that a dictionary gives."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaint import check_progress
from exactperm.counting import plane
from memory import peak_of


def dictionary(tally):
    """Every subset's sum, by a dictionary over points."""
    done = Counter({(0, 0): 1})
    for (a, b), count in tally.items():
        for _ in range(count):
            before, done = done, Counter(done)
            for (x, y), number in before.items():
                done[x + a, y + b] += number
    return done


deltas = st.one_of(
    st.tuples(st.integers(1, 4), st.integers(-4, 4)),
    st.tuples(st.just(0), st.integers(1, 4)),
)
tallies = st.dictionaries(deltas, st.integers(1, 3), max_size=5)


def random_tally(seed, units, widest=3):
    rng = random.Random(seed)
    tally = Counter()
    for _ in range(units):
        a = rng.choice([0, 0, 1, 1, 1, 2, widest])
        tally[a, rng.randint(-widest, widest) if a else rng.randint(1, widest)] += 1
    return dict(tally)


def inside(tally, region):
    """The number of subsets whose sums are in the region."""
    bottom = plane.box(tally).bottom
    return sum(n for (x, y), n in dictionary(tally).items() if region[x] >> (y - bottom) & 1)


def counted(tally, whole, **options):
    """All counts, or the number in a region."""
    if whole:
        return dict(plane.items(tally, **options))
    around = plane.box(tally)
    region = [1 << around.height // 2] * (around.right + 1)
    return plane.count_points(tally, region, **options)


def random_region(tally, seed):
    around = plane.box(tally)
    rng = random.Random(seed)
    return [rng.getrandbits(around.height) for _ in range(around.right + 1)]


# --------------------------------------------------------------------------------------------- rows


@pytest.mark.slow
@given(tallies)
def test_counts_are_those_of_a_dictionary(tally):
    counts = list(plane.items(tally))
    assert dict(counts) == dictionary(tally)
    assert len(dict(counts)) == len(counts)


@pytest.mark.slow
@given(tallies)
def test_attainable_points(tally):
    around = plane.box(tally)
    rows = plane.attainable(tally)
    assert len(rows) == around.right + 1
    reached = {
        (x, around.bottom + j) for x, row in enumerate(rows) for j in range(around.height) if row >> j & 1
    }  # fmt: skip
    assert reached == set(dictionary(tally))
    assert max(row.bit_length() for row in rows) <= around.height


@pytest.mark.parametrize("delta", [(0, 1), (1, -1), (7, 3)])
def test_a_slot_is_as_long_as_its_largest_number(delta):
    """The weighted sums of the recurrence are at most (A/2) 2^M, the counts at most 2^M."""
    for units in range(40):
        largest = max(1, delta[0] * units // 2) << units
        assert (
            256 ** (plane.slot_bytes({delta: units}) - 1)
            <= largest
            < 256 ** plane.slot_bytes({delta: units})
        )


# ------------------------------------------------------------------------------------- count points


@pytest.mark.slow
@given(tallies, st.integers(0, 2**32))
def test_any_region(tally, seed):
    region = random_region(tally, seed)
    assert plane.count_points(tally, region) == inside(tally, region)


@pytest.mark.parametrize("cut", range(8))
def test_every_split(cut, monkeypatch):
    """Whichever deltas R takes, none to all: 60 units make its slots grow twice."""
    tally = {(1, 0): 20, (0, 1): 18, (1, -1): 9, (3, 2): 7, (2, 2): 3, (0, 4): 2, (5, -3): 1}
    region = random_region(tally, cut)
    monkeypatch.setattr(plane, "_split_costs", lambda tally: [(0.0, 0.0, cut)])
    assert plane.count_points(tally, region) == inside(tally, region)


def test_rare_deltas_come_first():
    """Of equally rare ones those that reach farthest, up or down."""
    tally = {(0, 3): 1, (1, 0): 9, (1, -4): 1, (2, 1): 2, (3, 3): 1, (0, 1): 2, (4, 0): 1}
    order = [(3, 3), (1, -4), (4, 0), (0, 3), (2, 1), (0, 1), (1, 0)]
    assert plane._rarest_first(tally) == order
    assert plane._rarest_first(dict(reversed(tally.items())))[0] == order[0]


# ----------------------------------------------------------------------------------------- progress


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("whole", [True, False])
def test_counts_up_to_the_end(whole, seed):
    tally = random_tally(seed, 40)
    _found, told = check_progress(lambda progress: counted(tally, whole, progress=progress))
    assert told == [(done, len(told)) for done in range(1, len(told) + 1)]


# ----------------------------------------------------------------------------------------- estimate


@pytest.mark.parametrize("whole", [True, False])
def test_grows_with_the_data(whole):
    costs = [plane.estimate(random_tally(2, units), whole) for units in (10, 40, 160, 640)]
    assert (
        costs
        == sorted(costs, key=lambda cost: cost.seconds)
        == sorted(costs, key=lambda cost: cost.bytes)
    )


@pytest.mark.parametrize(
    ("tally", "whole", "seconds"),
    [
        (random_tally(1, 20), True, 3.2e-4),
        (random_tally(1, 20), False, 1.5e-4),
        (random_tally(1, 300), True, 8.8e-2),
        (random_tally(1, 300), False, 3.5e-2),
        (random_tally(2, 100, 12), True, 6.9e-2),
        (random_tally(2, 100, 12), False, 6.6e-3),
        ({(1, 0): 300, (0, 1): 300}, True, 2.8e-2),
        ({(1, 0): 300, (0, 1): 300}, False, 2.9e-2),
        ({(1, 0): 500}, True, 7.3e-4),
        ({(a, 0): 2 for a in range(1, 41)}, True, 1.0e-2),
        ({(1, 0): 500}, False, 1.3e-3),
        ({(300, 1): 3, (7, 300): 5}, False, 9.4e-3),
    ],
)
def test_seconds_are_those_that_were_measured(tally, whole, seconds):
    """CPU seconds on CPython 3.11: many deltas and few, near and far apart."""
    assert seconds / 2.5 < plane.estimate(tally, whole).seconds < seconds * 2.5


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize(
    "tally",
    [
        random_tally(1, 60),
        random_tally(2, 20, 15),
        {(1, 0): 100, (0, 1): 100},
        {(1, 0): 2000},
        {(a, b): 1 for a in range(1, 6) for b in range(-3, 4)},
    ],
)
def test_memory_stays_below_the_estimate(tally, whole):
    """And not far below it: an estimate beyond all need would keep counts from being made."""
    peak = peak_of(lambda: counted(tally, whole))
    assert peak < plane.estimate(tally, whole).bytes < 6 * peak + 20_000


@pytest.mark.parametrize("whole", [False, True])
def test_estimates_of_sums_beyond_all_floats_are_finite(whole):
    cost = plane.estimate({(10**400, -(10**500)): 3, (1, 10**600): 2}, whole)
    assert 1e60 < cost.seconds < float("inf")
    assert 1e60 < cost.bytes / 1 < float("inf")
