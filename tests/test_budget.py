"""Limits and options of a count: what they accept, and their words in messages; tasks in executors."""

import math
import pickle
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import combinations
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaint import Several, refused
from exactperm import budget as module
from exactperm.budget import AHEAD, Budget, Estimate, Options, answers, pairwise, shown_bytes
from exactperm.errors import BudgetExceeded, ExactPermError, WrongType
from exactperm.permutation import permutation_test, sign_flip_test
from exactperm.swaps.statistic import Statistic


@pytest.mark.parametrize("limit", [math.inf, 1e300, 2.0**60, 10**400, 2**1000], ids="abcde")
def test_limits_beyond_every_estimate(limit):
    for budget in (Budget(bytes=limit), Budget(seconds=limit), Budget(seconds=limit, bytes=limit)):
        assert budget.admits(Estimate(seconds=9.0, bytes=9))
        assert pickle.loads(pickle.dumps(budget)) == budget
        assert sign_flip_test([1, 2, 4], budget=budget).count == 2
        assert (
            permutation_test(
                [(1,), (2,)], [(0,), (0,)], statistic=SQUARE, alternative="greater", budget=budget
            ).count
            == 2
        )


SQUARE = Statistic((lambda a, b: a[0] - b[0],), lambda x: x * x)


def test_a_limit_that_no_float_reaches_is_none():
    unlimited = Budget(seconds=math.inf, bytes=math.inf)
    assert Budget(seconds=10**400, bytes=2**1000) == unlimited
    assert (Budget(bytes=2**999).bytes, shown_bytes(2.0**61)) == (2**999, "2**61 bytes")
    with pytest.raises(BudgetExceeded, match=r"2\*\*80 bytes; the budget is 1 s and unlimited"):
        Budget(seconds=1, bytes=math.inf).check(Estimate(seconds=5.0, bytes=2**80), "it", "rest")


def test_options_are_checked_when_they_are_made():
    assert Options() == Options(method="auto", budget=Budget(), progress=None)
    test, flip = partial(permutation_test, [1], [2]), partial(sign_flip_test, [1])
    for wrong in (Several(), None, 5, ["auto"]):
        for call in (test, flip):
            refused(WrongType, {f"method is {wrong!r}": partial(call, method=wrong)})
        refused(WrongType, {f"alternative is {wrong!r}": partial(test, alternative=wrong)})
    for name in ("progress", "budget", "executor"):
        for call in (test, Options) if name != "executor" else (test, flip):
            refused(WrongType, {f"{name} is 5": partial(call, **{name: 5})})


class Patient:
    """An executor that works on a task when its answer is wanted, and notes what happens."""

    def __init__(self):
        self.submitted = []

    def submit(self, function, task):
        future = Future()

        def result(_seconds=None):
            future.done = lambda: True
            return function(task)

        future.result = result
        self.submitted.append(future)
        return future


@pytest.mark.slow
@given(st.lists(st.integers(), max_size=20))
def test_answers_come_in_order(tasks):
    with ThreadPoolExecutor(3) as executor:
        assert (
            list(answers(str, tasks, executor))
            == list(answers(str, tasks))
            == list(map(str, tasks))
        )


@pytest.mark.slow
def test_few_tasks_wait_at_a_time():
    executor = Patient()
    read = answers(abs, iter(range(10 * AHEAD)), executor)
    for done in range(1, 2 * AHEAD):
        assert next(read) == done - 1
        assert len(executor.submitted) == done - 1 + AHEAD
    assert list(read) == list(range(2 * AHEAD - 1, 10 * AHEAD))


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_tasks_of_a_reader_that_stops_are_cancelled(error):
    def fails(task):
        if task == 3:
            raise error
        return task

    executor = Patient()
    read = answers(fails, range(10), executor)
    with pytest.raises(error):
        list(read)
    assert [future.cancelled() for future in executor.submitted] == [False] * 4 + [True] * 6


def processes(*lives):
    return {i: SimpleNamespace(is_alive=lambda life=life: life) for i, life in enumerate(lives)}


def cluster(**workers):
    return lambda: {"workers": workers}


@pytest.mark.parametrize(
    "lost",
    [
        {"_processes": processes(False, False)},
        {"scheduler_info": cluster()},
        {"_client": SimpleNamespace(scheduler_info=cluster())},
        {"scheduler_info": lambda: {}["lost"]},
    ],
)
def test_work_without_workers_ends(lost, monkeypatch):
    """A pool whose processes died without a word, a cluster without workers, one without its scheduler."""
    monkeypatch.setattr(module, "_LOOK", 1e-4)
    executor = SimpleNamespace(submit=lambda *_: Future(), **lost)
    with pytest.raises(ExactPermError, match="no workers left"):
        list(answers(abs, [1], executor))


@pytest.mark.parametrize(
    "busy", [{}, {"_processes": processes(False, True)}, {"scheduler_info": cluster(tcp=1)}]
)
def test_slow_work_is_waited_for(busy, monkeypatch):
    """As long as a worker lives; the future is done after more looks than a dead executor is given."""
    monkeypatch.setattr(module, "_LOOK", 1e-4)
    monkeypatch.setattr(module, "_LOOKS", 2)
    future, waits = Future(), []
    whole = future.result

    def result(seconds=None):
        waits.append(seconds)
        if len(waits) == 9:
            future.set_result(5)
            raise TimeoutError  # done between the end of the wait and the look
        return whole(seconds)

    future.result = result
    assert list(answers(abs, [1], SimpleNamespace(submit=lambda *_: future, **busy))) == [5]
    assert waits == [*[1e-4] * 9, None]


def test_another_error_of_an_executor_is_its_own():
    def result(_seconds):
        raise OSError

    future = SimpleNamespace(result=result, done=lambda: False, cancel=lambda: None)
    with pytest.raises(OSError):
        list(answers(abs, [1], SimpleNamespace(submit=lambda *_: future)))


def test_a_reader_may_leave():
    executor = Patient()
    read = answers(abs, range(10), executor)
    next(read)
    read.close()
    assert [future.cancelled() for future in executor.submitted] == [False] + [True] * 9


class Scattering(Patient):
    """An executor that holds the items, as the workers of a cluster do, and resolves its handle."""

    def scatter(self, data, broadcast):
        assert broadcast
        (self.items,) = data
        return ["handle"]

    def submit(self, function, task):
        handle, block = task
        assert handle == "handle"
        return super().submit(function, (self.items, block))


@pytest.mark.slow
@given(st.lists(st.integers(), max_size=30), st.sampled_from([None, Patient, Scattering]))
def test_all_pairs_in_order(items, kind):
    told = []
    executor = None if kind is None else kind()
    found = pairwise(
        lambda a, b: (a, b), items, executor, lambda done, total: told.append((done, total))
    )
    assert found == list(combinations(items, 2))
    assert told == [(i + 1, len(found)) for i in range(len(found))]


@pytest.mark.parametrize(("n", "tasks", "largest"), [(5, 10, 2), (60, 45, 14), (300, 465, 20)])
def test_blocks_of_pairs_carry_few_items(n, tasks, largest):
    """Each pair once, in squares: 44,850 pairs are no 44,850 tasks, and a task has at most 20 of 300 items."""
    carried = []

    class Counting(Patient):
        def submit(self, function, task):
            carried.append(len(task[0]))
            return super().submit(function, task)

    assert pairwise(lambda a, b: (a, b), range(n), Counting()) == list(combinations(range(n), 2))
    assert (len(carried), max(carried)) == (tasks, largest)
