"""Sums of binomial numbers against math.comb, and their identities."""

import math
from functools import cache
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaint import check_progress
from exactperm.counting import binomial
from exactperm.swaps.units import binomials
from memory import peak_of


@cache
def comb_sums(pairs):
    half = [math.comb(pairs, j) for j in range(pairs // 2 + 1)]
    return list(accumulate(half + half[: (pairs + 1) // 2][::-1]))


@pytest.mark.parametrize("pairs", [*range(40), 300, 301])
def test_row_and_sums_agree_with_comb(pairs):
    """Also on either side of the support."""
    found = [binomial.count_at_most(pairs, k) for k in range(-1, pairs + 2)]
    assert found == [0, *comb_sums(pairs), 2**pairs]


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [4499, 4500])
@pytest.mark.parametrize("share", [0.0, 0.05, 0.2999, 0.3, 0.3001, 0.45, 0.4999, 0.5, 0.6])
def test_long_sums_agree_with_comb(pairs, share):
    # Both sides of every change of method: the sum itself, the part up to the middle, the
    # complement.
    k = int(pairs * share)
    assert hex(binomial.count_at_most(pairs, k)) == hex(comb_sums(pairs)[k])


@pytest.mark.slow
@given(st.integers(0, 3000), st.data())
def test_both_tails_make_the_whole(pairs, data):
    k = data.draw(st.integers(-1, pairs))
    below, above = binomial.count_at_most(pairs, k), binomial.count_at_most(pairs, pairs - k - 1)
    assert hex(below + above) == hex(1 << pairs), "the tails do not add up to 2^M"


# 2^12, 67^2, a prime, 3^8: where carries are many or none
@pytest.mark.parametrize("pairs", [4096, 4489, 5003, 6561])
def test_binomial_by_prime_factors(pairs):
    for k in (
        0,
        1,
        pairs // 20,
        pairs // 20 + 1,
        pairs // 3,
        pairs // 2,
        pairs - pairs // 7,
        pairs,
    ):
        assert hex(binomial.binomial(pairs, k)) == hex(math.comb(pairs, k))


def test_few_of_a_huge_number_of_pairs():
    # No table of primes up to M may be made here.
    pairs = 10**30
    assert binomial.count_at_most(pairs, 2) == 1 + pairs + pairs * (pairs - 1) // 2
    assert (
        binomial.binomial(pairs, 2)
        == binomial.binomial(pairs, pairs - 2)
        == pairs * (pairs - 1) // 2
    )


@pytest.mark.parametrize(("k", "terms"), [(1000, 1000), (2000, 500), (2999, 500), (3999, 1000)])
def test_progress_ends_at_the_total(k, terms):
    """In terms, those of the sum itself or those up to the middle; past it, those of the complement."""
    _count, told = check_progress(
        lambda progress: binomial.count_at_most(5000, k, progress=progress)
    )
    done, totals = zip((0, terms), *told)
    assert {*totals} == {done[-1]} == {terms}
    assert all(0 < after - before <= 100 for before, after in zip(done, done[1:]))


MEASURED = [
    (50, 10, 4.0e-6),
    (50, 20, 2.8e-6),
    (50, None, 5.8e-6),
    (1000, 100, 2.1e-5),
    (1000, 400, 5.0e-5),
    (1000, 499, 3.0e-5),
    (100_000, 10, 4.0e-6),
    (100_000, 100, 2.5e-5),
    (30_000, 8_900, 6.6e-3),
    (30_000, 9_100, 7.5e-3),
    (30_000, 14_900, 1.47e-3),
    (10**9 - 1, 50, 1.5e-5),
    (1000, None, 1.0e-4),
    (3000, None, 1.35e-3),
]
LONG = [
    (100_000, 10_000, 1.1e-2),
    (100_000, 29_000, 5.2e-2),
    (100_000, 31_000, 6.0e-2),
    (100_000, 49_000, 1.24e-2),
    (400_000, 150_000, 0.54),
    (1_000_000, 499_990, 0.109),
    (5000, None, 1.7e-3),
    (20_000, None, 3.7e-2),
]


@pytest.mark.parametrize(("pairs", "k", "seconds"), MEASURED + LONG)
def test_estimated_seconds_are_those_that_were_measured(pairs, k, seconds):
    """CPU seconds on CPython 3.11: the sum itself, the part up to the middle, the whole row."""
    assert seconds / 3 < binomial.estimate(pairs, k).seconds < seconds * 3


@pytest.mark.parametrize(("pairs", "k"), [case[:2] for case in MEASURED])
def test_memory_stays_below_the_estimate(pairs, k):
    peak = peak_of(
        lambda: binomials(pairs, pairs) if k is None else binomial.count_at_most(pairs, k)
    )
    assert peak < binomial.estimate(pairs, k).bytes < 10 * peak + 3000


@pytest.mark.parametrize("p", [0.1, 0.3, 0.5])
def test_mean_entropy_is_the_mean_length_of_binomial_numbers(p):
    """log2 C(M, j) is M H(j / M) less up to log2(M + 1) bits; summing steps of H, which grows up to 1, errs by 1."""
    pairs, last = 1500, int(1500 * p)
    bits = sum(math.log2(math.comb(pairs, j)) for j in range(last)) / pairs
    error = last * math.log2(pairs + 1) / pairs + 1
    assert abs(bits - last * binomial.mean_entropy(p)) < error
