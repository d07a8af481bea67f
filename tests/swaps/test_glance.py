"""Bounds of columns that are not read: below or above what the canonical form has, and never instead of an error."""

import random
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm import (
    Budget,
    BudgetExceeded,
    ExactPermError,
    fast_permutation_test,
    is_significant,
    permutation_test,
)
from exactperm.counting import plan
from exactperm.swaps import glance as module
from exactperm.swaps.canonical import canonical, outline
from exactperm.swaps.effects import swap_effects
from exactperm.swaps.glance import glance
from exactperm.swaps.statistic import difference

LAWS = {
    "floats": lambda rng: rng.gauss(0, 1),
    "skewed": lambda rng: rng.gauss(0, 1) ** 9,
    "shifted": lambda rng: 1e6 + rng.random(),
    "texts": lambda rng: f"{rng.gauss(0, 1):.12f}",
    "integers": lambda rng: rng.randint(-(10**12), 10**12),
    "few": lambda rng: float(rng.choice((1e-9, 1e9, -3.5e8))),
    "decimals": lambda rng: rng.randint(0, 99) / 100,
    "tiny": lambda rng: rng.gauss(0, 1e-200),
}


def seen(law, n, monkeypatch, seed=1):
    """Two columns of n scores, and their bounds before they are read; few of them are read for that."""
    rng = random.Random(seed)
    u, v = [[LAWS[law](rng) for _ in range(n)] for _ in range(2)]
    monkeypatch.setattr(module, "MANY", 2)
    monkeypatch.setattr(module, "_SAMPLE", 200)
    monkeypatch.setattr(module, "_WORTHWHILE", 1)
    return u, v, glance(u, v)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("n", [5, 40, 3000])
def test_they_are_bounds(law, n, monkeypatch):
    u, v, bounds = seen(law, n, monkeypatch)
    swaps = canonical(swap_effects(u, v, difference))
    assert bounds.distinct <= len(swaps.tally) + bool(swaps.ties)
    if n <= 200:  # all are read for the step
        assert max(swaps.tally) <= bounds.largest
    assert bounds.near <= min(swaps.observed, swaps.span - swaps.observed)


@pytest.mark.parametrize("law", ["floats", "texts", "integers"])
def test_they_are_near_those_of_columns_that_were_read(law, monkeypatch):
    u, v, bounds = seen(law, 3000, monkeypatch)
    monkeypatch.setattr("exactperm.swaps.canonical.MANY", 2)
    read = outline(swap_effects(u, v, difference))
    assert bounds.distinct > 0.99 * read.distinct
    assert 0.99 < bounds.near / read.near < 1.01
    assert 0.99 < bounds.largest / read.largest < 1.01


@given(st.lists(st.tuples(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9)), min_size=2, max_size=30))
def test_any_floats(rows):
    u, v = [list(column) for column in zip(*rows)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MANY", 2)
        patch.setattr(module, "_WORTHWHILE", 0)
        bounds = glance(u, v)
    swaps = canonical(swap_effects(u, v, difference))
    if bounds is not None:
        assert bounds.distinct <= len(swaps.tally) + bool(swaps.ties)
        assert bounds.near <= min(swaps.observed, swaps.span - swaps.observed)
        assert max(swaps.tally) <= bounds.largest


@pytest.mark.parametrize(
    "column",
    [
        [1.5, float("nan")],
        [1.5, float("inf")],
        [1.5, 10**400],
        ["1.5", "3/7"],
        ["1.5", "1_0"],
        ["1.5", "\u0661"],
        ["1.5", "1e999"],
        [1.5, "2"],
        [1.5, Decimal(2)],
    ],
)
def test_what_floats_do_not_tell_is_left_to_the_reader(column, monkeypatch):
    monkeypatch.setattr(module, "MANY", 2)
    monkeypatch.setattr(module, "_SAMPLE", 1)
    monkeypatch.setattr(module, "_WORTHWHILE", 0)
    other = [type(column[0])(7)] * 2
    assert glance(column, other) is glance(other, column) is None


def test_tiny_numbers_are_left_to_the_reader(monkeypatch):
    monkeypatch.setattr(module, "MANY", 2)
    monkeypatch.setattr(module, "_WORTHWHILE", 0)
    assert glance([1e-300, 3e-300], [2e-300, 0.0]) is None


def test_which_columns_are_looked_at(monkeypatch):
    monkeypatch.setattr(module, "MANY", 3)
    monkeypatch.setattr(module, "_WORTHWHILE", 0)
    u, v = [0.25, 0.5, 7.125], [1.0, 2.0, 3.0]
    assert glance(u, v) is not None
    assert (
        glance(u[:2], v[:2])
        is glance(u, v[:2])
        is glance(tuple(u), tuple(v))
        is glance(u, u)
        is None
    )
    monkeypatch.setattr(module, "_WORTHWHILE", 10**8)
    assert glance(u, v) is None


REFUSED = [
    permutation_test,
    lambda u, v: fast_permutation_test(u, v, budget=Budget(seconds=0.1)),
    lambda u, v: is_significant(u, v, 0.05, budget=Budget(seconds=0.1)),
]


@pytest.mark.parametrize("call", REFUSED)
def test_the_hopeless_is_refused_unread(call, monkeypatch):
    """A value that is no score, behind the first hundreds, is never reached; columns of few steps are read."""
    rng = random.Random(1)
    u, v = [[rng.random() for _ in range(100_000)] for _ in range(2)]
    with monkeypatch.context() as patch:
        patch.setattr(
            "exactperm.swaps.effects.score_differences", lambda *_: pytest.fail("was read")
        )
        with pytest.raises(BudgetExceeded, match="distinct differences"):
            call(u, v)
    few = [round(x, 1) for x in u]
    few[-1] = None
    with pytest.raises(ExactPermError, match=r"u\[99999\] is None"):
        call(few, v)


@pytest.mark.slow
def test_the_same_refusal_once_they_are_read(monkeypatch):
    rng = random.Random(1)
    u, v = [[rng.random() for _ in range(100_000)] for _ in range(2)]
    early = glance(u, v)
    read = outline(swap_effects(u, v, difference))
    budget = Budget(seconds=0.1)
    assert plan.hopeless(early, budget)
    assert plan.hopeless(read, budget)
    monkeypatch.setattr("exactperm.fast.glance", lambda _u, _v: None)
    with pytest.raises(BudgetExceeded, match="distinct differences"):
        is_significant(u, v, 0.05, budget=budget)
