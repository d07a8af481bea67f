"""Monte Carlo: exhaustive bit sources turn the sample into the whole population, where the estimate must be exact."""

import multiprocessing
import random
from collections import Counter
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from itertools import product
from operator import sub as minus
from statistics import median_high

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
from complaint import check_progress, complaint, refused
from exactperm.arithmetic.reading import exact
from exactperm.budget import Budget
from exactperm.errors import BudgetExceeded, ExactPermError, WrongType
from exactperm.montecarlo.binomial_tail import lower_tail
from exactperm.montecarlo.labelings import swapped
from exactperm.montecarlo.sampling import (
    Experiment,
    MonteCarloResult,
    monte_carlo,
    monte_carlo_test,
)
from exactperm.swaps.columns import unit_numbers
from strategies import columns

scores = columns(st.integers(-4, 4))


def largest_gap(u, v):
    """Not of the form h(sum of g)."""
    return max(a - b for a, b in zip(u, v))


def median_gap(u, v):
    return abs(median_high(u) - median_high(v))


class Scripted(random.Random):
    """A source of the given draws, (width, bits)."""

    def __new__(cls, draws):
        return super().__new__(cls)

    def __init__(self, draws):
        super().__init__(0)
        self.draws = iter(draws)

    def getrandbits(self, k):
        found = reached = 0
        while reached < k:
            width, bits = next(self.draws)
            found |= bits << reached
            reached += width
        assert reached == k
        return found


def everything(widths):
    """Every combination of bits of the widths once."""
    for row in product(*(range(1 << width) for width in widths)):
        yield from zip(widths, row)


class Backwards(Executor):
    """Runs the chunks last to first, when the first answer is wanted."""

    def __init__(self):
        self.chunks = []
        self.found = {}

    def submit(self, fn, chunk):
        future = Future()
        future.result = lambda timeout: self.all()[chunk]
        self.chunks.append((fn, chunk))
        return future

    def all(self):
        self.found = self.found or {chunk: fn(chunk) for fn, chunk in reversed(self.chunks)}
        return self.found


# ------------------------------------------------------------------------------------------- Alg. 1


@pytest.mark.slow
@given(scores)
def test_every_assignment_once_gives_the_exact_pvalue(scores):
    """A wrong weight of the bits of a magnitude, or > for >=, would show."""
    u, v = scores
    counts = Counter(abs(a - b) for a, b in zip(u, v) if a != b)
    source = Scripted(everything([counts[d] for d in sorted(counts)]))
    estimate = monte_carlo(u, v, minus, abs, 1 << sum(counts.values()), rng=source)
    assert estimate == brute.pvalue(u, v, brute.sum_of_differences, "two-sided")


@pytest.mark.slow
def test_the_same_seed_gives_the_same_samples_everywhere():
    """Values of CPython 3.9 to 3.13 and PyPy: a seed in a paper must mean the same sample on each."""
    source = random.Random(1)
    u, v = [[source.randrange(0, 20) for _ in range(300)] for _ in range(2)]
    assert monte_carlo(u, v, minus, abs, 20000, rng=5) == Fraction(3187, 5000)
    for t, alternative, count in (
        (lambda a, b: abs(sum(a) - sum(b)), "two-sided", 633),
        (lambda a, b: b[0] - a[1] + b[299], "greater", 605),
    ):
        assert monte_carlo_test(u, v, t, 1000, alternative=alternative, rng=5).count == count


def test_the_paper_prints_zero_and_the_adjusted_estimate_does_not():
    """200 pairs, all +1: the exact two-sided p is 2**-199; b / K is 0, which no p-value of this test can be."""
    data = [1] * 200, [0] * 200, minus, abs, 99
    assert monte_carlo(*data, rng=1) == 0
    assert monte_carlo(*data, rng=1, adjusted=True) == Fraction(1, 100)


def test_any_exact_g_and_h():
    """g on texts with rational values, h called once for each distinct sum."""
    calls = []

    def h(x):
        calls.append(x)
        return (x > 0, x)  # any exact order will do

    p = monte_carlo(
        ["a", "bb", "ccc"],
        ["", "b", "c"],
        lambda a, b: Fraction(len(a), 3) - Fraction(len(b), 7),
        h,
        500,
        rng=3,
    )
    assert 0 < p <= 1
    assert len(calls) <= 9


@given(seed=st.integers(0, 10**6), K=st.integers(1, 300))
@settings(max_examples=20)
def test_adjusted_counts_the_observed_assignment(seed, K):
    data = [3, 1, 2, 5], [1, 0, 2, 1], minus, abs, K
    plain = monte_carlo(*data, rng=seed)
    assert monte_carlo(*data, rng=seed, adjusted=True) == (plain * K + 1) / (K + 1)


# ------------------------------------------------------------------------------------ any statistic


@pytest.mark.slow
@pytest.mark.parametrize("t", [largest_gap, median_gap, brute.sum_of_differences])
@given(scores=scores, data=st.data())
@settings(max_examples=30)
def test_every_assignment_once_for_a_statistic_that_does_not_decompose(t, scores, data):
    u, v = scores
    groups = data.draw(
        st.one_of(st.none(), st.lists(st.sampled_from("xyz"), min_size=len(u), max_size=len(u)))
    )
    signed = t is brute.sum_of_differences  # only then "two-sided" is by the distance from the mean
    alternative = data.draw(st.sampled_from(("greater", "less", "two-sided")[: 2 + signed]))
    units = unit_numbers(groups, len(u))
    experiment = Experiment.of((u, v), partial(swapped, units), t, alternative, False)
    source = Scripted(everything([max(units) + 1]))
    flags = [experiment.sample(source) for _ in range(2 << max(units))]
    assert Fraction(sum(flags), len(flags)) == brute.pvalue(u, v, t, alternative, groups)


U, V = [5, 7, 9, 8, 6, 7, 4, 9, 9, 8], [4, 5, 9, 5, 7, 3, 6, 8, 9, 5]


@pytest.mark.slow
def test_executors_do_not_change_the_result():
    K = 1000  # four chunks, the last one short
    expected = monte_carlo_test(U, V, median_gap, K, rng=11)
    backwards = Backwards()
    assert expected == monte_carlo_test(U, V, median_gap, K, rng=11, executor=backwards)
    assert len(backwards.chunks) == 4, "the executor does the work"
    with ThreadPoolExecutor(2) as threads:
        assert expected == monte_carlo_test(U, V, median_gap, K, rng=11, executor=threads)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as processes:
        assert expected == monte_carlo_test(U, V, median_gap, K, rng=11, executor=processes)
    assert expected != monte_carlo_test(U, V, median_gap, K, rng=12)


def test_t_may_spoil_its_lists():
    """Each call gets new lists, so that sorting in place changes no input and no later sample."""
    u, v = list(U), list(V)

    def sorting(a, b):
        a.sort()
        b.sort()
        value = a[-2] - b[-2]
        a.clear()
        return value

    found = monte_carlo_test(u, v, sorting, 300, rng=1)
    assert found == monte_carlo_test(u, v, lambda a, b: sorted(a)[-2] - sorted(b)[-2], 300, rng=1)
    assert (u, v) == (U, V)


def test_sources_of_randomness():
    before = random.getstate()
    shared = random.Random(9)
    first = monte_carlo_test(U, V, median_gap, 50, rng=shared)
    second = monte_carlo_test(U, V, median_gap, 50, rng=shared)
    assert first == monte_carlo_test(U, V, median_gap, 50, rng=9)
    assert first != second, "a Random is advanced"
    assert monte_carlo_test(U, V, median_gap, 5).samples == 5
    assert monte_carlo(U, V, minus, abs, 5, rng=random.Random(3)) == monte_carlo(
        U, V, minus, abs, 5, rng=3
    )
    assert random.getstate() == before, "the global generator is left alone"


# ------------------------------------------------------------------------------------------- errors


def mean_gap(u, v):
    return sum(a - b for a, b in zip(u, v)) / len(u)


def test_floats_must_be_asked_for():
    """scipy's lost tie: the exact p is 1; in floats some ties come out smaller than the observed value."""
    u, v = [0.2, 0.2, 0.7, 0.6], [0.5, 0.4, 0.4, 0.4]

    def t(a, b):
        return abs(mean_gap(a, b))

    told = complaint(WrongType, lambda: monte_carlo_test([1], [2], mean_gap, 10))
    assert told == (
        "t returned -1.0: rounded numbers break ties; return int or Fraction, or set allow_floats=True"
    )
    lossy = monte_carlo_test(u, v, t, 1000, rng=1, allow_floats=True)
    whole = monte_carlo_test(*([round(10 * x) for x in column] for column in (u, v)),
                             lambda a, b: abs(sum(a) - sum(b)), 1000, rng=1)  # fmt: skip
    assert whole.pvalue == 1
    assert lossy.pvalue < 1


def test_a_value_without_order_is_refused():
    """For the observed assignment, and for one that is drawn later."""
    for odd in ([[1], [2]], [[2], [1]]):

        def t(a, b, odd=odd):
            return float("nan") if [a, b] == odd else 1.0

        with pytest.raises(ExactPermError, match="which has no order"):
            monte_carlo_test([1], [2], t, 10, rng=1, allow_floats=True)


@pytest.mark.parametrize("sum_with_value", [-1, 1])
def test_h_must_be_exact(sum_with_value):
    """Of the observed sum, and of one that is drawn."""
    with pytest.raises(WrongType, match=r"^h returned 0\.5: rounded numbers break ties"):
        monte_carlo([1], [2], minus, lambda x: 0.5 if x == sum_with_value else x, 10, rng=1)


def test_the_source_must_be_one():
    refused(WrongType, {"rng is 1.5: ": lambda: monte_carlo_test([1], [2], rng=1.5)})


def test_too_many_samples_are_refused_before_they_are_drawn():
    unread = iter([object()] * 3)
    with pytest.raises(BudgetExceeded, match="1000000000 samples"):  # by the lengths alone
        monte_carlo_test([object()] * 10**4, unread, K=10**9)
    assert len(list(unread)) == 3
    told = r"^1.*0.* samples would take about .*; the budget is .*\. Instead: use fewer samples"
    data = [3, 1, 2], [1, 0, 2]
    for call in (partial(monte_carlo, *data, minus, abs), partial(monte_carlo_test, *data)):
        for K, budget in ((10**12, None), (10**400, None), (10, Budget(seconds=1e-6))):
            with pytest.raises(BudgetExceeded, match=told):
                call(K=K, budget=budget)


@pytest.mark.parametrize(
    ("count", "samples"), [(0, 9), (1, 9), (5, 9), (9, 9), (210, 9999), (1, 1)]
)
def test_the_interval_of_clopper_and_pearson(count, samples):
    """Both ends leave at most 1/40 beyond the count, and the next grid point inside of either leaves more."""
    low, high = MonteCarloResult(
        count=count, samples=samples, statistic=0, adjusted=True
    ).interval()
    step, beyond = Fraction(1, 1 << samples.bit_length() + 16), Fraction(1, 40)

    def at_most(p):
        return lower_tail(samples, count, p)

    def at_least(p):
        return 1 - lower_tail(samples, count - 1, p)

    assert (low == 0) == (count == 0)
    assert (high == 1) == (count == samples)
    if count:
        assert at_least(low) <= beyond < at_least(low + step)
    if count < samples:
        assert at_most(high) <= beyond < at_most(high - step)


def test_the_two_sides_of_a_statistic():
    """A sign that turns, or a value that stays, where all pairs are swapped; anything else has no two sides."""
    t = brute.sum_of_differences
    found = {
        words: monte_carlo_test(U, V, t, 500, alternative=words, rng=3)
        for words in ("two-sided", "greater", "less")
    }
    assert found["two-sided"] == monte_carlo_test(U, V, t, 500, rng=3)
    size = monte_carlo_test(U, V, lambda a, b: abs(t(a, b)), 500, rng=3)
    assert (size.count, size.statistic) == (found["two-sided"].count, abs(t(U, V)))
    assert monte_carlo_test(V, U, t, 500, rng=3).count == found["two-sided"].count
    assert found["greater"].count + found["less"].count >= 500
    assert repr(found["greater"]).startswith(
        f"MonteCarloResult(pvalue={found['greater'].pvalue!r}, count="
    )
    for odd in (largest_gap, lambda a, b: (a[0], b[0])):
        with pytest.raises(ExactPermError, match="needs a statistic that stays") as caught:
            monte_carlo_test([5, 1], [4, 9], odd, 9)
        assert caught.value.code == "alternative"
    doubled = partial(monte_carlo_test, U, V, alternative="doubled")
    refused(ExactPermError, {"alternative is 'doubled'": doubled})


def test_the_default_statistic_reads_the_columns_once():
    """Columns of any exact numbers give what the same t gives that reads them for each sample."""

    def slow(first, second):
        return sum(map(exact, first)) - sum(map(exact, second))

    for u, v in (
        (["0.5", 2, Fraction(1, 3), -1], [0.25, "1/7", 0, 3]),
        ([3, 1, 4], [1, 5, 0]),
        ([1e-300, 1e300], ["2.5", 0]),
    ):
        assert monte_carlo_test(u, v, K=60, rng=1) == monte_carlo_test(u, v, slow, 60, rng=1)
    _found, told = check_progress(
        lambda progress: monte_carlo_test([1], [0], K=300, rng=1, progress=progress)
    )
    assert told == [(256, 300), (300, 300)]


def test_rows():
    """The estimate with its fraction, its interval, where samples come from, and what the statistic is."""
    result = MonteCarloResult(count=210, samples=9999, statistic=Fraction(1, 2), adjusted=True)
    rows = dict(result.rows(words="gap", seed=3))
    assert result.heading.startswith("Monte Carlo ESTIMATE")
    assert rows["estimate"] == "0.02110 = (210 + 1) / (9999 + 1)"
    assert "from seed 3, 210 at" in rows["samples"]
    assert rows["statistic"].endswith("(gap)")
    none = MonteCarloResult(count=0, samples=9, statistic="a", adjusted=False)
    assert dict(none.rows())["estimate"] == "0 = 0 / 9"
    assert dict(none.rows())["statistic"] == "'a'"
