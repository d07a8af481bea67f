"""Limits and workers of all that counts: cost estimate, budget, progress, options, and tasks in any executor."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, count

from ._types import TYPE_CHECKING, Executor, Literal, TypeVar
from .arithmetic.quoting import short_text
from .errors import BudgetExceeded, Cure, ExactPermError, WrongType
from .record import Record

if TYPE_CHECKING:
    from concurrent.futures import Future


Method = Literal["auto", "recurrence", "packed", "ntt", "meet-in-the-middle", "dp", "enumeration"]
Task = TypeVar("Task")
Answer = TypeVar("Answer")


Progress = Callable[[int, int], None]
"""Called with (done, total), in work units of the engine."""

Count = Callable[..., int]
"""Called with ``progress=``, returns a number of subsets."""


class Estimate(Record):
    """Expected cost of a count: seconds on the machine that the constants were measured on, peak extra bytes.

    Zero of either is no estimate of it; where ``least``, the work takes more than this. ``_count``
    is the count itself, a function of ``progress``, where estimating it found the way to it.
    """

    seconds: float
    bytes: int
    least: bool = False
    _count: Count | None = None

    def words(self) -> str:
        """Write the estimate for messages.

        >>> Estimate(seconds=0.5, bytes=2**20).words()
        'about 0.5 s and 1 MiB'
        """
        seconds = [shown_seconds(self.seconds)] if self.seconds else []
        size = [shown_bytes(self.bytes)] if self.bytes else []
        return f"{'more than' if self.least else 'about'} {' and '.join(seconds + size)}"


class Unfit(Record):
    """Reason why an engine cannot count a tally, worded as the end of a sentence "the engine ..."."""

    reason: str


class Budget(Record):
    """Limits of time and memory: work is refused before it starts where its estimate is above either.

    ``seconds`` defaults to ten minutes, ``bytes`` to 2 GiB; ``math.inf`` is no limit.

    >>> Budget(seconds=5).bytes == 2**31
    True
    """

    seconds: float = 600.0
    bytes: float = 2**31

    def __init__(self, *, seconds: float = seconds, bytes: float = bytes) -> None:
        limits = {"seconds": seconds, "bytes": bytes}
        for name, value in limits.items():
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise WrongType(f"{name} is {short_text(value)}: it must be a number")
            if not value > 0:
                raise ExactPermError(f"{name} is {short_text(value)}: it must be above 0")
        # Beyond the greatest float a limit is none, so that estimates, which are floats, can be
        # divided by it.
        super().__init__(
            **{name: value if value < 2**1000 else math.inf for name, value in limits.items()}
        )

    @classmethod
    def of(cls, budget: Budget | None) -> Budget:
        """Return ``budget``, or the default for None; ``WrongType`` for anything else."""
        if budget is not None and not isinstance(budget, Budget):
            raise WrongType(
                f"budget is {short_text(budget)}: it must be a Budget, such as Budget(seconds=60)"
            )
        return budget or _UNSAID

    def admits(self, estimate: Estimate) -> bool:
        """Return whether work of this estimate may start."""
        return estimate.seconds <= self.seconds and estimate.bytes <= self.bytes

    def check(self, estimate: Estimate, work: str, instead: str) -> None:
        """Raise ``BudgetExceeded`` unless ``work`` of this estimate may start; the message says what to do ``instead``.

        >>> Budget(seconds=1).check(Estimate(seconds=0.5, bytes=2**20), "the test", "use fewer samples")
        """
        if not self.admits(estimate):
            raise BudgetExceeded(work, estimate, self, cure=Cure(words=instead))

    def words(self) -> str:
        """Write the limits for messages."""
        return f"{shown_seconds(self.seconds)} and {shown_bytes(self.bytes)}"


_UNSAID = Budget()
_NOTHING = 1e-9  # seconds of a budget of which nothing is left: it admits nothing


class Allowance:
    """A budget for several pieces of work, and what they have taken of it: seconds by estimates, which are constants.

    >>> allowance = Allowance(Budget(seconds=5))
    >>> allowance.spent += 4
    >>> allowance.budget.seconds
    1.0
    """

    def __init__(self, budget: Budget | None = None) -> None:
        self._whole = Budget.of(budget)
        self.spent = 0.0

    @property
    def budget(self) -> Budget:
        """What is left."""
        left = max(_NOTHING, self._whole.seconds - self.spent)
        return Budget(seconds=left, bytes=self._whole.bytes)

    def charging(self, unit: float) -> Progress:
        """Return a ``progress`` that charges the work that it is told of, in units of so many seconds."""
        before, left = self.spent, self.budget.seconds

        def charge(done: int, _total: int) -> None:
            """Charge all that is done until now."""
            self.spent = before + min(left, done * unit)

        return charge


class Options(Record):
    """Options of one count: the engine's name, the limit of its estimate, a callback for progress, and an executor.

    >>> Options(budget=Budget(seconds=5)).method
    'auto'
    """

    method: str
    budget: Budget
    progress: Progress | None
    executor: Executor | None

    def __init__(
        self,
        *,
        method: str = "auto",
        budget: Budget | None = None,
        progress: Progress | None = None,
        executor: Executor | None = None,
    ) -> None:
        if progress is not None and not callable(progress):
            raise WrongType(
                f"progress is {short_text(progress)}: it must be a function of (done, total)"
            )
        if executor is not None and not callable(getattr(executor, "submit", None)):
            raise WrongType(
                f"executor is {short_text(executor)}: it must be a concurrent.futures.Executor"
            )
        super().__init__(
            method=method, budget=Budget.of(budget), progress=progress, executor=executor
        )


DEFAULTS = Options()


def shown_seconds(seconds: float) -> str:
    """Return a time for messages, in seconds or hours."""
    return f"{seconds:.3g} s" if seconds < 7200 else f"{seconds / 3600:.3g} hours"


def shown_bytes(size: float) -> str:
    """Return a size for messages, in MiB, GiB or as a power of two."""
    if size < 2**30:
        return f"{size / 2**20:.3g} MiB"
    if size < 2**60:
        return f"{size / 2**30:.3g} GiB"
    return "unlimited memory" if size == math.inf else f"2**{int(size).bit_length() - 1} bytes"


_LOOK = 10.0
"""Seconds without an answer after which an executor is asked for its workers."""

_LOOKS = 12
"""Times in a row that it may have none: a cluster starts new ones."""

AHEAD = 256
"""Tasks that an executor holds at most: enough for its workers, and no more memory for any number
of tasks."""


def answers(
    function: Callable[[Task], Answer], tasks: Iterable[Task], executor: Executor | None = None
) -> Iterator[Answer]:
    """Yield ``function(task)`` of every task in order, computed here or by an executor.

    Tasks are taken from the iterable as their turn comes. Where the reader stops, by an error or an
    interrupt, tasks that have not started are cancelled. Raises ``ExactPermError`` where the
    executor has no workers left, instead of waiting for ever.

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
                yield _answer(waiting.popleft(), executor)
        while waiting:
            yield _answer(waiting.popleft(), executor)
    finally:
        for future in waiting:
            future.cancel()


def _answer(future: Future[Answer], executor: Executor) -> Answer:
    """Return the result of a future, or raise its error or that of an executor without workers."""
    looks = 0
    while looks < _LOOKS:
        try:
            return future.result(_LOOK)
        except Exception as error:  # that of the time that is over has a type of each library
            if future.done():
                return future.result()
            if type(error).__name__ != "TimeoutError":
                raise
        looks = 0 if _has_workers(executor) else looks + 1
    raise ExactPermError(
        "the executor has no workers left, and its work is lost: they were killed, ran out of memory, or their "
        "scheduler is gone. Start it again, with fewer workers or more memory"
    )


def _has_workers(executor: object) -> bool:
    """Return whether a worker is known to live: a process of a pool, or a worker of a Dask cluster; True for others."""
    client = getattr(executor, "_client", executor)  # an executor of Dask holds its client
    if hasattr(client, "scheduler_info"):
        try:
            return bool(client.scheduler_info()["workers"])
        except Exception:  # no scheduler, no workers
            return False
    processes = getattr(executor, "_processes", None)  # private, and the only way to know
    return not processes or any(process.is_alive() for process in processes.values())


def pairwise(
    function: Callable[[Task, Task], Answer],
    items: Sequence[Task],
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> list[Answer]:
    """Return ``function(a, b)`` of all pairs of items, a before b, in the order of ``itertools.combinations``.

    An executor works on blocks of pairs, each of a few rows and columns of the table of pairs, so
    that a task carries few items. One with a method ``scatter``, such as the client of a Dask
    cluster, gets all items once. Errors as raised by the function. ``progress`` is called with
    (pairs done, pairs).

    >>> pairwise(max, [3, 1, 2])
    [3, 3, 2]
    """
    pairs = len(items) * (len(items) - 1) // 2
    tick = _counter(progress, pairs)
    if executor is None:
        return [tick(function(a, b)) for a, b in combinations(items, 2)]
    scatter = getattr(executor, "scatter", None)
    shared = None if scatter is None else scatter([items], broadcast=True)[0]
    blocks = list(_blocks(len(items), min(_BLOCK, pairs // _BLOCKS)))
    tasks = (
        # a handle of Dask becomes the items
        (shared or {i: items[i] for pair in block for i in pair}, block)
        for block in blocks
    )
    found: dict[tuple[int, int], Answer] = {}
    for block, answered in zip(blocks, answers(partial(_block, function), tasks, executor)):
        found.update(zip(block, map(tick, answered)))
    return [found[pair] for pair in combinations(range(len(items)), 2)]


_BLOCK = 100
"""Pairs of a block at most: a minute of tests that take half a second each."""

_BLOCKS = 32
"""Blocks that are wanted at least, so that all workers have some."""


def _counter(progress: Progress | None, total: int) -> Callable[[Answer], Answer]:
    """Return a function that returns its argument, and reports the number of calls."""
    calls = count(1)

    def tick(answer: Answer) -> Answer:
        if progress is not None:
            progress(next(calls), total)
        return answer

    return tick


def _blocks(n: int, most: int) -> Iterator[list[tuple[int, int]]]:
    """Yield the pairs i < j below n in squares of at most ``most`` pairs, but at least one."""
    size = max(1, math.isqrt(most))
    for top in range(0, n, size):
        for left in range(top, n, size):
            rows, columns = range(top, min(top + size, n)), range(left, min(left + size, n))
            block = [(i, j) for i in rows for j in columns if i < j]
            if block:
                yield block


def _block(
    function: Callable[[Task, Task], Answer], task: tuple[Mapping[int, Task], list[tuple[int, int]]]
) -> list[Answer]:
    items, pairs = task
    return [function(items[i], items[j]) for i, j in pairs]
