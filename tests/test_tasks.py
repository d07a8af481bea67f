"""Tasks in executors: in order, few at a time, cancelled when their reader stops."""

from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.tasks import AHEAD, answers


class Patient:
    """An executor that works on a task when its answer is wanted, and notes what happens."""

    def __init__(self):
        self.submitted = []

    def submit(self, function, task):
        future = Future()
        future.result = lambda: function(task)
        self.submitted.append(future)
        return future


@given(st.lists(st.integers(), max_size=20))
def test_answers_come_in_order(tasks):
    with ThreadPoolExecutor(3) as executor:
        assert list(answers(str, tasks, executor)) == list(answers(str, tasks)) == list(map(str, tasks))


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


def test_a_reader_may_leave():
    executor = Patient()
    read = answers(abs, range(10), executor)
    next(read)
    read.close()
    assert [future.cancelled() for future in executor.submitted] == [False] + [True] * 9
