"""The product tree: agrees with brute force and with dynamic programming whatever the shape of the tree."""

import pytest

from complaint import complaint
from counting.test_every_engine import SMALL, agree, by_definition, counted
from exactperm.budget import Estimate, Unfit
from exactperm.counting import dp, ntt
from exactperm.counting.dp import convolve_dp
from exactperm.counting.ntt import convolve_ntt
from exactperm.errors import BudgetExceeded
from exactperm.swaps.units import degree
from memory import peak_of


@pytest.mark.parametrize("units", SMALL)
@pytest.mark.parametrize("group", [1, 2, 1000])
def test_counts_agree_with_all_subsets(monkeypatch, units, group):
    """With groups of one pair every pair of a difference that is not alone is a leaf of its own."""
    monkeypatch.setattr(ntt, "_GROUP", group)
    ends = range(min(50, (degree(units) + 1) // 2))
    agree(by_definition(units), units, ends, ["ntt"])


@pytest.mark.slow
@pytest.mark.parametrize("group", [10, 80])
def test_counts_agree_with_dynamic_programming(monkeypatch, group):
    """1,200 pairs in groups of few: products that are packed, transformed, squared, and spread by their step."""
    monkeypatch.setattr(ntt, "_GROUP", group)
    tally = {d: 40 + 7 * d for d in (2, 4, 6, 9, 12, 14, 15, 18)}
    agree(dp.counts(tally), tally, [2000], ["ntt"])


def test_the_tree_is_balanced(monkeypatch):
    """64 leaves in six levels, each as long in all as the last product, not one product that grows leaf by leaf."""
    monkeypatch.setattr(ntt, "_GROUP", 1)
    lengths = []
    convolve = ntt.convolve
    monkeypatch.setattr(
        ntt, "convolve", lambda a, b: lengths.append(len(a) + len(b) - 1) or convolve(a, b)
    )
    tally = dict.fromkeys(range(100, 164), 1)
    assert sum(ntt.counts(tally).values()) == 2**64
    assert len(lengths) == 63
    assert sum(lengths) < 7 * max(lengths)


# ----------------------------------------------------------------------------------------- mappings


@pytest.mark.parametrize("far", [10**12, 10**400])
def test_sums_too_far_apart_are_refused_before_anything_is_allocated(far):
    pmfs = [{0: 1, far: 1}, {0: 1, 1: 1}]
    with pytest.raises(BudgetExceeded, match="convolve_dp") as caught:
        convolve_ntt(pmfs)
    error = caught.value
    assert peak_of(lambda: complaint(BudgetExceeded, lambda: convolve_ntt(pmfs))) < 2**20
    assert error.what == "convolving 2 mappings"
    assert error.needs is None, "2**36 bits are not multiplied out, whatever the budget"
    assert convolve_dp(pmfs) == {0: 1, 1: 1, far: 1, far + 1: 1}


def test_the_memory_of_mappings_may_fill_the_budget():
    """56 mappings of 2 ways each: 300 bytes in each slot, and 10,000 besides."""
    far = (2**31 - 10_000) // 285
    pmfs = [{0: 1, 1: 1}] * 55
    with pytest.raises(BudgetExceeded, match="convolve_dp") as caught:
        convolve_ntt([*pmfs, {0: 1, far - 55: 1}])
    assert caught.value.bytes == 10_000 + (far + 1) * 285
    assert convolve_ntt([*pmfs, {0: 1, 3: 1}])[1] == 55


# ----------------------------------------------------------------------------------------- estimate


def test_the_largest_distribution():
    """2**36 bits: 2**18 sums of 2**18 bits."""
    assert isinstance(ntt.estimate({1: 2**18 - 3, 2: 1}, None), Estimate)
    assert isinstance(ntt.estimate({1: 2**18}, None), Unfit)


@pytest.mark.slow
@pytest.mark.parametrize(
    "tally",
    [
        {1: 3000},
        {1: 1500, 2: 1200, 3: 1},
        dict.fromkeys(range(1, 50), 8),
        dict.fromkeys(range(90, 110), 3),
    ],
)
@pytest.mark.parametrize("k", [None, 1000, 150, 5])
def test_memory_stays_below_the_estimate(tally, k):
    peak = peak_of(lambda: counted(ntt, tally, k))
    assert peak < 1.5 * ntt.estimate(tally, k).bytes
