"""What holds for every engine: its counts are those of the definition, and it says before what it takes."""

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.budget import Estimate, Unfit
from exactperm.counting import methods, plan
from exactperm.swaps.units import choices, degree, steps_of
from memory import peak_of
from products import same
from samples_by_definition import sums

ENGINES = {name: plan.engine(name) for name in methods.ENGINES}

# like token counts of 1,000 sentences
TOKENS = {1: 336, 2: 160, 3: 65, 4: 46, 5: 11, 6: 8, 7: 3, 8: 2, 9: 1}
SMALL = [
    *({}, {1: 1}, {7: 1}, {3: 2}, {1: 2, 3: 1}, {2: 3, 4: 1, 6: 2}, {1: 1, 5: 1, 100: 2}, {1: 9}),
    *({1: 1, 2: 1}, {1: 2, 7: 1}, {1: 5, 40: 2}, {2: 3, 3: 3}),
    *({10**25: 1, 10**25 + 1: 2}, {1: 2, 10**40: 2}),
    *({((0, 1), (1, 2)): 2}, {((0, 2), (1, 1), (5, 3)): 1, ((0, 1), (40, 3)): 2}),
    {((0, 1), (1, 2), (2, 1)): 3, ((0, 1), (3, 1)): 1},
    {((0, 3), (7, 10**20)): 1, ((0, 1), (4, 5), (8, 1)): 2},
]
"""Even and odd degrees, one difference and far ones, equal units, units that are palindromes and others."""


def convolved(steps):
    """{sum: number of choices}, ascending: one value of every {value: weight}."""
    return {x: n for x, n in sorted(sums(steps).items()) if n}


def by_definition(units):
    return convolved([dict(step) for step, c in steps_of(units).items() for _ in range(c)])


def at_most(counts, k):
    return sum([n for x, n in counts.items() if x <= k])


def counted(engine, units, k, **options):
    """The whole distribution, or the count up to k."""
    if k is None:
        return engine.counts(units, **options)
    return engine.count_at_most(units, k, **options)


def applies(name, units, k):
    """Whether the engine takes these units: some are for pairs, or for sums that are not far apart."""
    cost = ENGINES[name].estimate(units, k)
    return isinstance(cost, Estimate) and cost.bytes < 2**28 and cost.seconds < 0.5


def agree(whole, units, ends, names=ENGINES):
    """Every engine that applies has this distribution, ascending, and its counts, and changes nothing."""
    before = dict(units)
    assert same(sum(whole.values()), choices(units))
    assert max(whole) == degree(units)
    for name in names:
        if applies(name, units, None):
            assert same([*ENGINES[name].counts(units).items()], [*whole.items()]), name
        for k in ends:
            if applies(name, units, k):
                found = ENGINES[name].count_at_most(units, k)
                assert same(found, at_most(whole, k)), (name, k)
    assert units == before


@pytest.mark.parametrize("units", SMALL)
def test_counts_are_those_of_the_definition(units):
    whole = by_definition(units)
    half = [x for x in whole if 2 * x < degree(units)]
    agree(whole, units, half[:20] + [x - 1 for x in half[1:20]])


@st.composite
def pairs(draw, most=9, largest=40):
    differences = draw(st.lists(st.integers(1, largest), min_size=1, max_size=most))
    return {d: differences.count(d) for d in sorted(set(differences))}


short = st.integers(1, 12)


@st.composite
def steps(draw, values=short, items=2, types=3):
    """{step: number of items}; of weights 1 throughout, or of some others."""
    found = {}
    weights = st.integers(1, draw(st.sampled_from([1, 5, 5])))
    for _ in range(draw(st.integers(1, types))):
        terms = [0, *sorted(draw(st.sets(values, min_size=1, max_size=3)))]
        found[tuple((x, draw(weights)) for x in terms)] = draw(st.integers(1, items))
    return dict(sorted(found.items()))


@pytest.mark.slow
@given(st.one_of(pairs(), pairs(8, 10**25), steps()), st.data())
def test_any_units(units, data):
    k = data.draw(st.integers(0, max(0, (degree(units) - 1) // 2)))
    agree(by_definition(units), units, [k])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("units", "ends"),
    [
        (TOKENS, (0, 7, 400, 591)),
        ({d: 1 + d % 3 for d in range(1, 30)}, (3, 200, 420)),
        ({1: 300, 2: 200, 7: 30}, (100, 454)),
        ({((0, 2), (1, 3), (3, 1)): 200}, (0, 250, 299)),
        ({((0, 1), (1, 20), (2, 1)): 60, ((0, 1), (7, 9), (9, 1)): 20}, (30, 149)),
    ],
)
def test_long_counts_agree(units, ends):
    """Counts of hundreds of bits, above what a machine word or a float holds, by every way there is."""
    names = ["dp", "recurrence", "packed", "ntt"]
    agree(ENGINES["dp"].counts(units), units, ends, names)


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("units", [{1: 9, 5: 4}, {1: 4000}, TOKENS, {((0, 1), (1, 2)): 600}])
@pytest.mark.parametrize("share", [0.2, 0.49, None])
def test_progress_ends_at_its_total(name, units, share):
    k = None if share is None else int(degree(units) * share)
    cost = ENGINES[name].estimate(units, k)
    if not isinstance(cost, Estimate) or cost.seconds > 0.1:
        return
    calls = []
    counted(ENGINES[name], units, k, progress=lambda *call: calls.append(call))
    if calls:  # short counts have none
        done, totals = zip(*calls)
        assert len({*totals}) == 1
        assert list(done) == sorted(done)
        assert done[-1] == totals[0]
        assert len(calls) < 5000


# ------------------------------------------------------------------------------------------ estimates

REAL = {((0, 1), (10**17 + i, 1), (10**18 + i * i, 1)): 1 for i in range(100)}
HOSTILE = [
    ({1: 10**400}, 10**399),
    ({1: 10**400}, None),
    ({1: 10**400, 10**30: 1}, 10**100),
    ({10**100_000: 5, 10**99_999: 10**5000}, 10**100_000),
    (dict.fromkeys(range(1, 20_000), 1), 10**8),
    ({10**400 + 3**i: 1 for i in range(90)}, 40 * 10**400),
    ({((0, 1), (7, 2)): 10**12}, 10**12),
    (REAL, 10**18),
    ({((0, 1), *((10**6 * i + j, 1) for i in range(1, 400))): 1 for j in range(12)}, 10**9),
]


@pytest.mark.parametrize("name", ENGINES)
def test_what_cannot_be_counted_is_refused_with_a_reason(name):
    """No estimate takes long, overflows, or promises what cannot be done."""
    for units, k in HOSTILE:
        cost = ENGINES[name].estimate(units, k)
        if isinstance(cost, Unfit):
            assert cost.reason.startswith(("would ", "is for ", "counts "))
        else:
            assert cost.bytes > 2**32, (name, cost)


MIXED = {1: 1, 2: 1, 3: 4}
LIMITS = [
    # up to k terms, or D/2 of a distribution, each of as many steps as there are differences
    ("recurrence", "_MOST_TERMS", 30, {1: 90, 2: 90}, 30, "would count more than 1e+08 sums"),
    ("recurrence", "_MOST_TERMS", 30, {1: 20, 2: 20}, None, "would count more than 1e+08 sums"),
    ("recurrence", "_MOST_STEPS", 60, {1: 90, 2: 90}, 30, "would count more than 1e+08 sums"),
    ("recurrence", "_MOST_STEPS", 60, {1: 20, 2: 20}, None, "would count more than 1e+08 sums"),
    # the longest half's slots, and the pairs: D/2 = 15, min(k, 11 // 2) = 5 and 10, 15 and 60
    ("packed", "_MOST_SLOTS", 30, {1: 30}, None, "would pack more than 1e+11 counts"),
    ("packed", "_MOST_SLOTS", 10, {1: 8, 7: 2}, 10, "would pack more than 1e+11 counts"),
    ("packed", "_MOST_SLOTS", 60, {1: 60}, 29, "would pack more than 1e+11 counts"),
    ("meet-in-the-middle", "_MOST_GROUPS", 3, MIXED, 9, "is for at most 2 different differences"),
    (
        "meet-in-the-middle",
        "_MOST_PAIRS",
        6,
        MIXED,
        9,
        "is for at most 200 different differences and 5",
    ),
    ("meet-in-the-middle", "_MOST_STEPS", 8, MIXED, 9, "would take more than 7e+00 steps"),
    ("meet-in-the-middle", "_MOST_ITEMS", 64, {((0, 1), (7, 2)): 64}, 9, "is for at most 63 items"),
    ("enumeration", "MAX_PAIRS", 22, {1: 20, 7: 2}, 3, "would visit 2**22 swap assignments"),
]


def test_estimates_refuse_above_their_limits():
    for name, limit, most, units, k, reason in LIMITS:
        engine = ENGINES[name]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(engine, limit, most)
            assert isinstance(engine.estimate(units, k), Estimate)
            patch.setattr(engine, limit, most - 1)
            assert engine.estimate(units, k).reason.startswith(reason)


@pytest.mark.slow
@given(st.one_of(pairs(30, 60), steps(items=9)), st.data())
def test_estimates_grow_with_what_is_asked(units, data):
    half = (degree(units) - 1) // 2
    low = data.draw(st.integers(0, max(0, half)))
    for name, engine in ENGINES.items():
        some, more = engine.estimate(units, low), engine.estimate(units, max(low, half))
        if isinstance(some, Estimate) and isinstance(more, Estimate):
            assert some.bytes > 0
            assert 0 < some.seconds < 1.5 * more.seconds + 1e-3, name
            whole = engine.estimate(units, None)
            if isinstance(whole, Estimate):
                assert more.seconds < 3 * whole.seconds + 1e-3, name


def spread(pairs, largest):
    return dict.fromkeys(range(largest // pairs, largest + 1, largest // pairs), 1)


RATINGS = {tuple((j, comb(6, j) * (1 + i)) for j in range(6 + i)[:7]): 100 for i in range(4)}
DENSE = {tuple((j, 1 + i * j % 7) for j in range(300)): 1 for i in range(1, 20)}
MEASURED = [
    ("recurrence", {1: 9, 3: 9}, 17, 4.6e-6),
    ("recurrence", TOKENS, 500, 4.5e-4),
    ("recurrence", {d: 10 * c for d, c in TOKENS.items()}, 5_000, 1.9e-2),
    ("recurrence", {d: 100 * c for d, c in TOKENS.items()}, 54_000, 1.6),
    ("recurrence", {d: 10 * c for d, c in TOKENS.items()}, None, 4.5e-2),
    ("recurrence", RATINGS, 1000, 7e-3),
    ("packed", spread(100, 100), 2000, 5.9e-4),
    ("packed", spread(100, 10_000), 200_000, 4.8e-2),
    ("packed", dict.fromkeys(range(1, 101), 10), 23_000, 0.16),
    ("packed", RATINGS, 1000, 0.14),
    ("packed", spread(100, 100), None, 1.9e-3),
    ("ntt", DENSE, 1800, 1e-3),
    ("ntt", dict.fromkeys(DENSE, 10), 18_000, 0.19),
    ("meet-in-the-middle", {10**15 + i**5: 1 for i in range(20)}, 9 * 10**15, 2.8e-4),
    ("meet-in-the-middle", {10**15 + i**5: 1 for i in range(36)}, 16 * 10**15, 3.6e-2),
    ("meet-in-the-middle", {10**15 + i**5: 3 for i in range(12)}, 16 * 10**15, 2.7e-3),
    ("dp", spread(40, 40), None, 1.4e-3),
    ("dp", {10**9: 30, 1: 30}, None, 3e-3),
    ("dp", RATINGS, 1000, 0.55),
]


@pytest.mark.parametrize(("name", "units", "k", "seconds"), MEASURED)
def test_estimated_seconds_are_those_that_were_measured(name, units, k, seconds):
    """CPU seconds on CPython 3.11."""
    assert seconds / 3 < ENGINES[name].estimate(units, k).seconds < 3 * seconds


@pytest.mark.parametrize(("name", "units", "k"), [case[:3] for case in MEASURED if case[3] < 8e-3])
def test_memory_is_that_of_the_estimate(name, units, k):
    engine = ENGINES[name]
    peak = peak_of(lambda: counted(engine, units, k))
    assert peak / 2 - 12_000 < engine.estimate(units, k).bytes < 6 * peak + 10_000


@pytest.mark.slow
@pytest.mark.parametrize("name", ["recurrence", "packed", "dp"])
def test_long_weights_are_estimated(name):
    """Many runs of an item have weights of many digits: a product with one takes as many times as long."""
    step = tuple((i, comb(2000, i + 400)) for i in range(1000))
    short = ((0, sum(weight for _value, weight in step)), *((i, 1) for i in range(1, 1000)))
    long, plain = [ENGINES[name].estimate({one: 5}, 2400).seconds for one in (step, short)]
    assert long > 4 * plain
