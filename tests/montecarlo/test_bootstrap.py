"""The bootstrap: a source that runs through every resample once must give the exact bootstrap distribution."""

import random
from fractions import Fraction
from functools import partial
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from complaint import complaint, refused
from exactperm.budget import Budget
from exactperm.errors import BudgetExceeded, ExactPermError, WrongType
from exactperm.montecarlo.bootstrap import (
    PairedBootstrap,
    bootstrap_interval,
    paired_bootstrap,
)
from montecarlo.test_sampling import Scripted
from strategies import columns

small = st.lists(st.integers(-3, 3), min_size=1, max_size=4)


def every_resample(n):
    """32-bit words that name each of the n**n resamples once, with some that must be dropped in between."""
    dropped = [2**32 - 1] if 2**32 % n else []
    rows = [*product(range(n), repeat=n)]
    return Scripted((32, word) for row in [*rows, [0] * 4 * n] for word in (*row, *dropped))


def resamples(column):
    return [list(choice) for choice in product(column, repeat=len(column))]


def percentile_ends(values, confidence):
    """The stated convention: y_k and y_(K+1-k) with k = floor(q K) + 1, counted from 1."""
    values, K = sorted(values), len(values)
    k = (1 - Fraction(confidence)) / 2 * K // 1 + 1
    return values[k - 1], values[K - k]


@pytest.mark.slow
@given(column=small, confidence=st.sampled_from(["0.5", "0.8", "0.95"]))
def test_interval_over_all_resamples(column, confidence):
    n = len(column)
    interval = bootstrap_interval(column, n**n, rng=every_resample(n), confidence=confidence)
    means = [Fraction(sum(x), n) for x in resamples(column)]
    assert (interval.lower, interval.upper) == percentile_ends(means, confidence)
    within = sum(interval.lower <= x <= interval.upper for x in means)
    assert within >= Fraction(confidence) * len(means)
    assert interval.statistic == Fraction(sum(column), n)


@pytest.mark.slow
@given(columns(st.integers(0, 2), 4))
def test_proportion_over_all_resamples(scores):
    """At most 0, not below 0: a tie counts against u, as in the lecture."""
    u, v = scores
    n = len(u)
    result = paired_bootstrap(u, v, n**n, rng=every_resample(n))
    assert result.proportion == Fraction(
        sum(sum(x) <= 0 for x in resamples([a - b for a, b in zip(u, v)])), n**n
    )
    assert result.difference == Fraction(sum(u) - sum(v), n)


@given(column=small, seed=st.integers(0, 99))
@settings(max_examples=30)
def test_the_mean_is_the_statistic_it_is_said_to_be(column, seed):
    """The short way over integer sums and the general way see the same resamples."""

    def mean(x):
        return Fraction(sum(x), len(x))

    assert bootstrap_interval(column, 50, rng=seed) == bootstrap_interval(
        column, 50, rng=seed, statistic=mean
    )


def test_any_entries_and_statistics():
    """Texts as entries; a float result means its shortest decimal; a statistic may spoil its list."""

    def share_of_long(words):
        share = sum(len(w) > 1 for w in words) / 10
        words.clear()
        return share

    words = ["a", "bb", "ccc", "d"]
    interval = bootstrap_interval(words, 200, rng=2, statistic=share_of_long)
    assert interval.statistic == Fraction(1, 5)
    assert {interval.lower, interval.upper} <= {Fraction(i, 10) for i in range(5)}
    assert words == ["a", "bb", "ccc", "d"]
    assert type(interval.lower) is Fraction


def test_the_same_seed_gives_the_same_resamples_everywhere():
    """Values of CPython 3.9 to 3.13 and PyPy; and a Random is advanced where a seed starts anew."""
    scores = [x * x % 17 for x in range(100)]
    interval = bootstrap_interval(scores, 500, rng=7)
    assert (interval.lower, interval.upper) == (Fraction("7.09"), Fraction("9.18"))
    source = random.Random(7)
    assert bootstrap_interval(scores, 500, rng=source) == interval
    assert bootstrap_interval(scores, 500, rng=source) != interval


def test_a_run_takes_no_more_random_words_than_it_needs():
    """Four entries, so that no word is dropped: two runs of one source see the resamples of one run of both lengths."""

    def resamples_of(*lengths):
        seen, source = [], random.Random(3)
        for K in lengths:
            bootstrap_interval([1, 2, 3, 4], K, rng=source, statistic=lambda x: seen.append(x) or 0)
            seen.remove([1, 2, 3, 4])  # the observed entries
        return seen

    assert resamples_of(5, 3) == resamples_of(8)


def test_the_result_says_that_it_is_no_pvalue():
    """Two entries, both better by 1: every resample is better, a share of 0, while the exact one-sided p is 1/4."""
    result = paired_bootstrap([1, 1], [0, 0], 100, rng=1)
    assert result.proportion == 0
    assert not hasattr(result, "pvalue")
    assert "NOT a p-value" in PairedBootstrap.__doc__


def test_too_many_resamples_are_refused_before_they_are_drawn():
    column, raw = [1, 2, 3] * 30, [object()] * 10**4
    refused(
        BudgetExceeded,
        {
            "100000000 samples would take about 1.05e+03 s and": lambda: bootstrap_interval(
                column, 10**8
            ),
            "100000...000000 (401 digits) samples would take": lambda: bootstrap_interval(
                column, 10**400, statistic=len
            ),
            "100000000 samples would take about 1.05e+03 s;": lambda: paired_bootstrap(
                column, column, 10**8
            ),
            # little time, much memory
            "100000000 samples would take about 160 s and 13 GiB;": lambda: bootstrap_interval(
                [1], 10**8
            ),
            # by the length alone: no entry is a score
            "1000000000 samples would take about 278 hours and": lambda: bootstrap_interval(
                raw, 10**9
            ),
            "1000000000 samples would take about 278 hours;": lambda: paired_bootstrap(
                raw, [], 10**9
            ),
            "10 samples would take about 1.6e-05 s; the budget is 1e-06 s": lambda: (
                paired_bootstrap([1], [2], 10, budget=Budget(seconds=1e-6))
            ),
        },
    )


def test_errors_name_what_is_no_number():
    def missing(x):
        return None

    def sometimes(x):
        return 1 if x == [1, 2] else None

    told = complaint(ExactPermError, lambda: bootstrap_interval([], 10))
    assert told == "scores: at least one entry is needed"
    for statistic, words in ((missing, "statistic(scores)"), (sometimes, "statistic")):
        call = partial(bootstrap_interval, [1, 2], 10, rng=1, statistic=statistic)
        assert complaint(WrongType, call) == f"{words} is None: the value is missing"


def test_what_people_see():
    assert str(bootstrap_interval([1, 2, 3, 4], 99, rng=1)).splitlines()[0] == (
        "95% bootstrap interval of percentiles, from random resamples"
    )
    shown = str(paired_bootstrap([1, 1, 0, 1, 1], [0, 1, 0, 0, 1], 1000, rng=1))
    assert (
        shown.splitlines()[0] == "Paired bootstrap from random resamples; its share is no p-value"
    )
    assert (
        "resamples    0.07800, 78 of 1000 on which u is not better than v\n  difference   0.4 (mean of u - v)"
        in shown
    )
