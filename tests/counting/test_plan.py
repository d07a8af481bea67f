"""The front door: which engine is chosen, what it is asked, and what is said where none may count."""

from __future__ import annotations

import inspect
from concurrent.futures import ThreadPoolExecutor

import pytest

from complaint import check_refusals, complaint
from counting.test_every_engine import at_most
from exactperm.budget import Budget, Estimate, Options, Unfit, shown_bytes, shown_seconds
from exactperm.counting import dp, methods, plan, recurrence
from exactperm.errors import BudgetExceeded, ExactPermError, WrongType
from exactperm.swaps.units import degree

WAYS_OUT = (
    "Instead: fast_permutation_test for certified digits (of a plain difference), monte_carlo_test for an estimate, or "
    "more with budget=Budget(seconds=, bytes=). Rounding the scores (decimals=) is cheaper but asks another question, "
    "with another p-value: .0549 in place of .0566, or 1 in place of 1/16"
)
TALLY = {1: 2, 3: 1, 4: 2}  # D = 13
ROOM = Budget(seconds=10, bytes=1000)


class Engine:
    """Counts by the definition, at a known cost, and remembers what it was asked."""

    def __init__(self, cost):
        self.cost, self.estimated, self.counted = cost, [], []

    def estimate(self, tally, k):
        self.estimated.append((tally, k))
        return self.cost

    def count_at_most(self, tally, k, *, progress=None):
        self.counted.append((tally, k, progress))
        return dp.count_at_most(tally, k)

    def counts(self, tally, *, progress=None):
        self.counted.append((tally, None, progress))
        return dp.counts(tally)


@pytest.fixture(name="engines")
def _engines(monkeypatch):
    """Three engines in the place of the real ones: one quick, one small, one that does not apply."""
    engines = {
        "quick": Engine(Estimate(seconds=10, bytes=1000)),
        "small": Engine(Estimate(seconds=20.5, bytes=999)),
        "unfit": Engine(Unfit(reason="says no")),
    }
    for module in (plan, methods):
        monkeypatch.setattr(module, "ENGINES", {name: (name, True, True, True) for name in engines})
    monkeypatch.setattr(methods, "METHODS", ("auto", *engines))
    monkeypatch.setattr(plan, "engine", engines.__getitem__)
    return engines


# ------------------------------------------------------------------------- what the engine is asked


def test_every_threshold_is_folded_into_the_lower_half(engines):
    counts = dp.counts(TALLY)
    for k in range(-2, 16):
        count, name = plan.count_at_most(TALLY, k)
        assert count == at_most(counts, k)
        assert name == "quick"
    asked = [case[:2] for case in engines["quick"].counted]
    assert all(max(tally) <= k < degree(tally) - k for tally, k in asked)
    assert engines["quick"].estimated == asked
    assert not engines["small"].counted


@pytest.mark.parametrize("method", ["small", "quick"])
@pytest.mark.parametrize("k", [4, 8])
def test_method_and_progress_are_handed_on(engines, method, k):
    options = Options(method=method, progress=print)
    assert plan.count_at_most(TALLY, k, options) == (dp.count_at_most(TALLY, k), method)
    assert plan.counts(TALLY, options) == (dp.counts(TALLY), method)
    assert engines[method].counted == [(TALLY, 4, print), (TALLY, None, print)]
    assert engines[method].estimated == [(TALLY, 4), (TALLY, None)]
    others = [engine for name, engine in engines.items() if name != method]
    assert not any(engine.estimated for engine in others), (
        "engines that were not asked for are not estimated"
    )


def test_an_executor_shares_long_counts_of_engines_that_can(engines, monkeypatch):
    executor, given = ThreadPoolExecutor(1), []

    def count(_tally, _k, *, progress, **shared):
        given.append(shared)
        return 1

    for engine in engines.values():
        monkeypatch.setattr(engine, "count_at_most", count)
    monkeypatch.setattr(plan, "_SHARED", {"quick": 9.5})
    plan.count_at_most(TALLY, 4, Options(executor=executor))
    plan.count_at_most(TALLY, 4, Options(executor=executor, method="small"))
    plan.count_at_most(TALLY, 4)
    monkeypatch.setattr(plan, "_SHARED", {"quick": 10})
    plan.count_at_most(TALLY, 4, Options(executor=executor))
    assert given == [{"executor": executor}, {}, {}, {}]


def test_the_engines_that_share_are_those_that_take_an_executor():
    for name in methods.ENGINES:
        parameters = inspect.signature(plan.engine(name).count_at_most).parameters
        assert ("executor" in parameters) == (name in plan._SHARED)


@pytest.mark.parametrize("k", [4, 8])
def test_the_budget_is_handed_on(engines, k):
    scarce = Budget(bytes=999)
    assert plan.count_at_most(TALLY, k, Options(budget=scarce))[1] == "small"
    assert plan.counts(TALLY, Options(budget=scarce))[1] == "small"
    assert plan.choose(TALLY, k, Options(budget=scarce))[0] == "small"
    with pytest.raises(BudgetExceeded):
        plan.choose(TALLY, k, Options(method="quick", budget=scarce))


def test_outside_the_support_no_engine_is_asked(engines):
    for method, name in (("auto", "quick"), ("small", "small"), ("unfit", "unfit")):
        assert plan.count_at_most(TALLY, -1, Options(method=method)) == (0, name)
        assert plan.count_at_most(TALLY, 13, Options(method=method)) == (2**5, name)
        assert plan.count_at_most({}, 0, Options(method=method)) == (1, name)
        assert plan.count_at_most({5: 2, 7: 3}, 4, Options(method=method)) == (1, name), (
            "every difference is above k"
        )
    assert not any(engine.estimated or engine.counted for engine in engines.values())


@pytest.mark.slow
@pytest.mark.parametrize("signs", [1, 3])
def test_differences_that_double_are_reduced_in_linear_time(signs):
    """3,000 doubling differences: every threshold excludes the larger half of what is left, 3,000 times."""
    tally = {2**i: 1 for i in range(3000)}
    k = sum(2**i for i in range(0, 3000, signs))
    assert plan.count_at_most(tally, k, Options(budget=Budget(seconds=1e-9))) == (
        min(k + 1, 2**3000),
        "recurrence",
    )


# --------------------------------------------------------------------------- which engine is chosen


def test_the_quickest_within_the_budget(engines):
    assert plan.choose(TALLY, 3)[0] == "quick"
    assert plan.choose(TALLY, 3, Options(budget=ROOM))[0] == "quick", (
        "an estimate may use up the budget"
    )


FAR = {10**6 + 7**i: 9 for i in range(6)}


def test_costs_are_those_of_the_engines_for_one_count_or_for_a_distribution():
    assert list(plan.costs(FAR, 10**7)) == ["recurrence", "packed", "meet-in-the-middle"]
    assert list(plan.costs(FAR, None)) == ["recurrence", "packed", "dp"]
    assert plan.costs(FAR, None)["dp"] == dp.estimate(FAR, None)
    assert plan.costs(FAR, 10**7, Options(method="recurrence")) == {
        "recurrence": recurrence.estimate(FAR, 10**7)
    }


def test_a_quick_engine_ends_the_search():
    assert list(plan.costs(TALLY, 4)) == list(plan.costs(TALLY, None)) == ["recurrence"]
    assert len(plan.costs(TALLY, 4, Options(budget=Budget(bytes=1)))) > 1, (
        "what the budget excludes ends nothing"
    )


# ----------------------------------------------------------------------------------------- messages


def test_a_method_that_does_not_exist():
    names = "auto, recurrence, packed, ntt, meet-in-the-middle, dp, enumeration"
    for call in (plan.counts, lambda tally, options: plan.count_at_most(tally, -1, options)):
        told = complaint(ExactPermError, lambda call=call: call({1: 1}, Options(method="magic")))
        assert told == f"method is 'magic': it must be one of {names}"
    assert tuple(names.split(", ")) == methods.METHODS


def test_work_above_the_budget_is_refused_with_the_estimate(engines):
    # Neither fits: 10 s and 1000 bytes are 100 times this room, 20.5 s and 999 bytes only 99.9
    # times.
    with pytest.raises(BudgetExceeded) as raised:
        plan.count_at_most({1: 2, 10**30: 3}, 10**30, Options(budget=Budget(seconds=10, bytes=10)))
    assert str(raised.value) == (
        "counting 5 pairs with 2 distinct differences would take about 20.5 s and 0.000953 MiB; "
        f"the budget is 10 s and 9.54e-06 MiB: the best engine is small. {WAYS_OUT}"
    )
    assert (raised.value.seconds, raised.value.bytes) == (20.5, 999)


@pytest.mark.parametrize(
    ("seconds", "size", "nearest"),
    [(1, 10**6, "quick"), (100, 10, "small"), (1, 980, "quick"), (5, 500, "quick")],
)
def test_the_refusal_names_the_engine_that_lacks_least(engines, seconds, size, nearest):
    # (10 s, 1000 bytes) and (20.5 s, 999 bytes) as multiples of the budget: 10 and 20.5, 100 and
    # 99.9, 10 and 20.5, 2 and 4.1.
    with pytest.raises(BudgetExceeded) as raised:
        plan.choose(TALLY, 3, Options(budget=Budget(seconds=seconds, bytes=size)))
    assert raised.value.detail == f"the best engine is {nearest}"


@pytest.mark.parametrize(("method", "kind"), [("auto", BudgetExceeded), ("unfit", ExactPermError)])
def test_reasons_where_no_engine_applies(engines, method, kind):
    for name in ("quick", "small"):
        engines[name].cost = Unfit(reason=f"is not {name}")
    with pytest.raises(ExactPermError) as raised:
        plan.counts(TALLY, Options(method=method))
    reasons = (
        "unfit says no"
        if method == "unfit"
        else "quick is not quick; small is not small; unfit says no"
    )
    what = "5 pairs with 3 distinct differences of up to 4 steps"
    expected = f"no exact count of {what}: {reasons}"
    if method == "auto":
        expected = f"{what} have too many sums for an exact count: {reasons}. {WAYS_OUT}"
    assert str(raised.value) == expected
    assert (type(raised.value), raised.value.cure.words) == (kind, plan.WAYS_OUT)


SECONDS = {0.01234: "0.0123 s", 7199: "7.2e+03 s", 7200: "2 hours", 9018.5: "2.51 hours"}
SIZES = {
    2**18: "0.25 MiB",
    2**30 - 2**20: "1.02e+03 MiB",
    5 * 2**33: "40 GiB",
    2**60 - 2**40: "1.07e+09 GiB",
    2**1000 - 1: "2**999 bytes",
}


def test_costs_in_words():
    assert {seconds: shown_seconds(seconds) for seconds in SECONDS} == SECONDS
    assert {size: shown_bytes(size) for size in SIZES} == SIZES
    words = Estimate(seconds=7200, bytes=2**60).words()
    assert words == "about 2 hours and 2**60 bytes"


def test_assignments_that_cannot_be_written_down():
    # 8 * 1000 units: four numbers of 1,000 bytes each.
    plan.check_size(8000, Budget(bytes=4000))
    with pytest.raises(BudgetExceeded) as raised:
        plan.check_size(8000, Budget(bytes=3999))
    assert str(raised.value) == (
        "writing down the number of the 2**8000 assignments would take about 0.00381 MiB; "
        f"the budget is 600 s and 0.00381 MiB. {WAYS_OUT}"
    )
    assert (raised.value.seconds, raised.value.bytes) == (None, 4000)
    plan.check_size(8 * 2**29)
    with pytest.raises(BudgetExceeded):
        plan.check_size(8 * 2**29 + 8)


# ------------------------------------------------------------------------------ budget and progress


BAD = """
"seconds", "5" | seconds is '5': it must be a number | WrongType
"bytes", True | bytes is True: it must be a number | WrongType
"bytes", -1 | bytes is -1: it must be above 0
"seconds", 0 | seconds is 0: it must be above 0
"""


def test_budgets_are_positive_numbers():
    check_refusals(lambda name, limit: Budget(**{name: limit}), BAD)
    told = complaint(ExactPermError, lambda: Budget(seconds=float("nan")))
    assert told == "seconds is nan: it must be above 0"


def test_a_budget_keeps_its_limits():
    assert (Budget().seconds, Budget().bytes) == (Budget.seconds, Budget.bytes) == (600, 2**31)
    assert (Budget(seconds=1e-9).seconds, Budget(bytes=0.5).bytes) == (1e-9, 0.5)
    assert Budget.of(None) == Budget()
    assert Budget.of(ROOM) is ROOM
    told = complaint(WrongType, lambda: Budget.of(60))
    assert told == "budget is 60: it must be a Budget, such as Budget(seconds=60)"


def test_nothing_is_expected_where_nothing_is_counted():
    assert plan.expected({1: 2, 3: 1}, 0).seconds == 0
    assert plan.expected({1: 4, 2: 4}, 4).seconds > 0
    assert 0 < plan.expected({1: 2, 3: 1}, None).seconds < 1e-3


def test_results_name_an_engine_or_rows():
    for name in ("rows", "recurrence", "ntt"):
        methods.check_reported(name)
    with pytest.raises(ExactPermError):
        methods.check_reported("magic")
