"""A pool of processes that ends with the command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from .._types import Any, Executor
from ..errors import ExactPermError


@contextmanager
def workers(processes: int) -> Iterator[Executor | None]:
    """Provide a pool of processes, for one process none.

    After an error or an interrupt tasks are dropped and workers ended, not awaited. An interrupt
    from the keyboard reaches the workers too; they leave it to this process, which ends them.
    """
    if processes == 1:
        yield None
        return
    import signal

    try:
        from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
        from multiprocessing import active_children

        others = set(active_children())
        pool: Any = ProcessPoolExecutor(
            processes, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)
        )
    except (ImportError, NotImplementedError, OSError) as error:  # as in browsers
        raise ExactPermError(
            f"--processes {processes}: this platform starts no processes ({error})"
        ) from None
    try:
        yield pool
        pool.shutdown()
    except BaseException as error:
        # private: else Python 3.9 waits at its exit until somebody reads large tasks
        with suppress(AttributeError):
            pool._call_queue.cancel_join_thread()
        manager = getattr(pool, "_executor_manager_thread", None)
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in set(active_children()) - others:
            worker.terminate()
        if manager is not None:  # it closes a pipe that the interpreter's exit writes to
            manager.join(5)
        if isinstance(error, BrokenExecutor):
            raise ExactPermError(
                "a worker process ended before its test: killed, or out of memory; try fewer --processes"
            ) from None
        if isinstance(error, OSError):
            raise ExactPermError(
                f"--processes {processes}: cannot start them: {error.strerror or error}"
            ) from None
        raise
