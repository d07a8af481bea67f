"""The planner for sums of steps: thresholds fold, the cheapest engine counts, and all refusals come first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaint import complaint
from counting.test_every_engine import DENSE, REAL, at_most, by_definition, steps
from exactperm.budget import Budget, Options
from exactperm.counting import plan
from exactperm.errors import BudgetExceeded, ExactPermError
from exactperm.swaps.units import choices, degree, mirrored

SYMMETRIC = {((0, 1), (1, 2), (2, 1)): 3}


@given(steps(), st.data(), st.sampled_from(["auto", *plan.ENGINES]))
def test_tails_by_every_engine(types, data, method):
    whole, span = by_definition(types), degree(types)
    low, high = [data.draw(st.none() | st.integers(0, span)) for _ in range(2)]
    below, above, _name = plan.tail_counts(types, low, high, Options(method=method))
    assert below == (0 if low is None else at_most(whole, low))
    assert above == (0 if high is None else choices(types) - at_most(whole, high - 1))


def test_equal_tails_are_counted_once(monkeypatch):
    options = Options(method="recurrence")
    assert plan.tail_counts(SYMMETRIC, 1, 5, options) == (1 + 6, 1 + 6, "recurrence")
    calls = []
    engine = plan.engine("recurrence")
    count = engine.count_at_most
    monkeypatch.setattr(
        engine, "count_at_most", lambda *given, **more: calls.append(given) or count(*given, **more)
    )
    plan.tail_counts(SYMMETRIC, 1, 5, options)
    assert len(calls) == 1
    plan.tail_counts(SYMMETRIC, 1, 4, options)
    assert len(calls) == 3
    assert plan.tail_counts({((0, 1), (1, 2)): 2}, 0, 2, options)[:2] == (1, 4)


def test_beyond_the_span_nothing_is_counted():
    assert plan.tail_counts(SYMMETRIC, degree(SYMMETRIC), None)[:2] == (choices(SYMMETRIC), 0)
    assert plan.tail_counts({}, 0, 0)[:2] == (1, 1)


def test_the_engine_fits_the_shape():
    assert plan.tail_counts({((0, 1), (1, 3), (2, 1)): 300}, 200, None)[2] == "recurrence"
    mixed = {((0, 1), (7 * i + 1, 3), (9 * i + 5, 2), (11 * i + 6, 1)): 2 for i in range(1, 40)}
    assert plan.tail_counts(mixed, degree(mixed) // 3, None)[2] == "packed"
    assert plan.tail_counts(DENSE, degree(DENSE) // 3, None)[2] == "ntt"
    real = {((0, 1), (10**17 + i, 1), (10**18 + i * i, 1)): 1 for i in range(12)}
    assert plan.tail_counts(real, 5 * 10**18, None)[2] == "meet-in-the-middle"
    assert plan.tail_counts({tuple((10**9 * i, 1) for i in range(300)): 1}, 10**11, None)[1:] == (
        0,
        "recurrence",
    )


def test_refusals_come_before_any_work():
    refused = complaint(BudgetExceeded, lambda: plan.tail_counts(REAL, 10**18, None))
    assert refused.startswith(
        "100 items with 100 different steps, of up to 3 values have too many sums for an exact count: recurrence"
    )
    assert "fast_permutation_test_runs" in refused
    with pytest.raises(BudgetExceeded) as caught:
        plan.tail_counts(SYMMETRIC, 1, None, Options(budget=Budget(seconds=1e-9)))
    assert caught.value.needs.seconds > 1e-9
    assert plan.described(SYMMETRIC) == "3 items with 1 different steps, of up to 3 values"


def test_engines_of_pairs_and_unknown_ones_are_refused():
    magic, meet = Options(method="magic"), Options(method="meet-in-the-middle")
    told = complaint(ExactPermError, lambda: plan.tail_counts(SYMMETRIC, 1, None, magic))
    assert "must be one of" in told
    told = complaint(ExactPermError, lambda: plan.counts(SYMMETRIC, meet))
    assert "has no whole distribution" in told


def test_both_tails_share_the_budget():
    types = {((0, 1), (1, 3), (2, 7)): 900, ((0, 1), (5, 2)): 300}
    below, above = [
        plan.tail_counts(types, *ends, OPEN)[:2] for ends in ((900, None), (None, 2500))
    ]
    assert plan.tail_counts(types, 900, 2500, OPEN)[:2] == (below[0], above[1])
    dearest = max(plan.expected(types, 900).seconds, plan.expected(mirrored(types), 800).seconds)
    tight = Options(method="recurrence", budget=Budget(seconds=dearest * 1.01))
    with pytest.raises(BudgetExceeded):
        plan.tail_counts(types, 900, 2500, tight)


OPEN = Options(method="recurrence")
