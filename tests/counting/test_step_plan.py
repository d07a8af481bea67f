"""The planner for sums of steps: thresholds fold, the cheapest engine counts, and all refusals come first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaint import complaint
from counting.test_every_engine import DENSE, by_definition, steps
from counting.test_step_engines import REAL
from exactperm.budget import Budget, Options
from exactperm.counting import dp, plan
from exactperm.counting.tally import folded
from exactperm.errors import BudgetExceeded, ExactPermError
from exactperm.swaps.units import choices, degree, mirrored

SYMMETRIC = {((0, 1), (1, 2), (2, 1)): 3}


@given(steps(), st.data(), st.sampled_from(["auto", *plan.ENGINES]))
def test_tails_by_every_engine(types, data, method):
    whole, span = by_definition(types), degree(types)
    low, high = [data.draw(st.none() | st.integers(0, span)) for _ in range(2)]
    below, above, _name = plan.tail_counts(types, low, high, Options(method=method))
    assert below == (0 if low is None else sum(count for x, count in whole.items() if x <= low))
    assert above == (0 if high is None else sum(count for x, count in whole.items() if x >= high))


@given(steps(), st.data())
def test_folding_keeps_every_count(types, data):
    """Terms above the threshold and common divisors go; the threshold is in the lower half of what is left."""
    types = {tuple((3 * a, g) for a, g in step): c for step, c in types.items()}
    whole = by_definition(types)
    k = data.draw(st.integers(0, degree(types)))
    layers, kept, near = folded(types, k)
    found = 0
    if kept:
        assert 0 <= near < degree(kept) - near
        found = sum(count for x, count in dp.counts(kept).items() if x <= near)
    for more, times in reversed(layers):
        found = more + times * found
    assert found == sum(count for x, count in whole.items() if x <= k)
    even = folded({((0, 1), (2, 3), (4, 1)): 3, ((0, 1), (8, 1)): 3}, 9)
    assert even == ([], {((0, 1), (1, 3), (2, 1)): 3, ((0, 1), (4, 1)): 3}, 4)


def test_few_steps_of_many_terms_fold_in_few_passes():
    """Each complement drops one term of three hundred: after a few the count of what is left is cheaper."""
    dense = {tuple((i, 1 + (i + j) % 3) for i in range(0, 300, j)): 1 for j in (1, 2)}
    layers, kept, near = folded(dense, 225)
    assert len(layers) < 12
    found = sum(count for x, count in dp.counts(kept).items() if x <= near)
    for more, times in reversed(layers):
        found = more + times * found
    assert found == sum(count for x, count in dp.counts(dense).items() if x <= 225)


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


def test_tails_that_differ():
    assert plan.tail_counts({((0, 1), (1, 2)): 2}, 0, 2)[:2] == (1, 4)


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
    for count in (lambda options: plan.tail_counts(SYMMETRIC, 1, None, options), None):
        call = count or (lambda options: plan.counts(SYMMETRIC, options))
        assert "must be one of" in complaint(
            ExactPermError, lambda call=call: call(Options(method="magic"))
        )
    told = complaint(
        ExactPermError, lambda: plan.counts(SYMMETRIC, Options(method="meet-in-the-middle"))
    )
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
