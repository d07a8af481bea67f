"""Tasks for any executor: answers in order, few tasks at a time, none left behind."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import Executor, Future
    from typing import TypeVar

    Task = TypeVar("Task")
    Answer = TypeVar("Answer")

AHEAD = 256
"""Tasks that an executor holds at most: enough for its workers, and no more memory for any number of tasks."""


def answers(
    function: Callable[[Task], Answer], tasks: Iterable[Task], executor: Executor | None = None
) -> Iterator[Answer]:
    """Yield ``function(task)`` of every task in order, computed here or by an executor.

    Tasks are taken from the iterable as their turn comes. Where the reader stops, by an error or an interrupt, tasks
    that have not started are cancelled.

    >>> list(answers(abs, [-1, 2]))
    [1, 2]
    """
    if executor is None:
        yield from map(function, tasks)
        return
    waiting: deque[Future[Answer]] = deque()
    try:
        for task in tasks:
            waiting.append(executor.submit(function, task))
            if len(waiting) == AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
