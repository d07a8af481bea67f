"""What a command has beside its work: messages and a progress bar on standard error, and a pool of processes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from .._types import TYPE_CHECKING, Executor
from ..arithmetic.quoting import printable
from ..errors import ExactPermError

if TYPE_CHECKING:
    from typing import TextIO


class Bar:
    """A progress bar on a terminal, silent elsewhere; shown once the work has taken half a second, then wiped."""

    def __init__(self, stream: TextIO | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream if stream is not None and stream.isatty() else None
        self._clock = clock
        self._due = clock() + 0.5
        self._shown = False

    def __enter__(self) -> Bar:
        return self

    def __call__(self, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` units of work are done, at most ten times a second."""
        if self._stream is None or self._clock() < self._due:
            return
        self._due = self._clock() + 0.1
        self._shown = True
        full = 40 * done // max(1, total)
        self._stream.write(f"\r[{'#' * full:<40}] {100 * done // max(1, total):3d}%")
        self._stream.flush()

    def __exit__(self, *_error: object) -> None:
        if self._stream is not None and self._shown:
            self._stream.write(f"\r{'':48}\r")
            self._stream.flush()


def tell(message: str, start: str = "exactperm") -> None:
    """Write a line to standard error, if that can be written, after the name of who says it, if any."""
    if sys.stderr is None:  # closed: print would write to standard output
        return
    try:  # noqa: SIM105 (contextlib takes longer to import than most commands have work for it)
        print(f"{start}{': ' if start else ''}{printable(message)}", file=sys.stderr)
    except OSError:  # of an error the status still says it
        pass


class Workers:
    """A pool of processes that ends with the command; for one process none.

    After an error or an interrupt tasks are dropped and workers ended, not awaited. An interrupt
    from the keyboard reaches the workers too; they leave it to this process, which ends them.
    """

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._pool: Executor | None = None
        self._others: set[object] = set()

    def __enter__(self) -> Executor | None:
        if self._processes == 1:
            return None
        try:  # few tests are shared: not loaded for the others
            import signal
            from concurrent.futures import ProcessPoolExecutor
            from multiprocessing import active_children

            self._others = {*active_children()}
            ignored = signal.SIGINT, signal.SIG_IGN
            self._pool = ProcessPoolExecutor(
                self._processes, initializer=signal.signal, initargs=ignored
            )
        except (ImportError, NotImplementedError, OSError) as error:  # as in browsers
            raise self._refused(f"this platform starts no processes ({error})") from None
        return self._pool

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if self._pool is None:
            return
        if error is None:
            self._pool.shutdown()
            return
        from concurrent.futures import BrokenExecutor
        from multiprocessing import active_children

        # private: else Python 3.9 waits at its exit until somebody reads large tasks
        queue = getattr(self._pool, "_call_queue", None)
        if queue is not None:
            queue.cancel_join_thread()
        manager = getattr(self._pool, "_executor_manager_thread", None)
        self._pool.shutdown(wait=False, cancel_futures=True)
        for worker in {*active_children()} - self._others:
            worker.terminate()
        if manager is not None:  # it closes a pipe that the interpreter's exit writes to
            manager.join(5)
        if isinstance(error, BrokenExecutor):
            raise ExactPermError(
                "a worker process ended before its test: killed, or out of memory; try fewer --processes"
            ) from None
        if isinstance(error, OSError):
            raise self._refused(f"cannot start them: {error.strerror or error}") from None

    def _refused(self, why: str) -> ExactPermError:
        return ExactPermError(f"--processes {self._processes}: {why}")
