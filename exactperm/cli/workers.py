"""Workers that end with the command: processes of this machine, or those of a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress

from .. import __version__
from .._types import Any, Executor
from ..errors import ExactPermError

PATIENCE = 10
"""Seconds in which a Dask scheduler must answer."""


@contextmanager
def workers(processes: int, dask: str | None = None) -> Iterator[Executor | None]:
    """Provide an executor: the cluster of a Dask scheduler, a pool of processes, or for one process none."""
    if dask is not None and processes != 1:
        raise ExactPermError(
            "--dask and --processes exclude each other: the cluster has its own workers"
        )
    if dask is not None:
        with _cluster(dask) as executor:
            yield executor
    elif processes != 1:
        with _pool(processes) as executor:
            yield executor
    else:
        yield None


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    """Connect to a Dask cluster whose workers have this version of the package, so that results are the same bytes.

    The scheduler gives a task of a worker that died to another one, three times.
    """
    if not address.rpartition(":")[2].isdecimal():
        raise ExactPermError(
            f"--dask {address}: an address has a port, such as tcp://10.0.0.1:8786"
        )
    from importlib import import_module

    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise ExactPermError("--dask needs Dask: pip install distributed") from None
    try:
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ExactPermError(f"--dask {address}: cannot connect to a scheduler ({error})") from None
    with client:
        try:
            versions = client.run(_version)
        except Exception as error:  # of whatever type: most often a worker that lacks the package
            raise ExactPermError(
                f"--dask {address}: its workers cannot run exactperm {__version__}: {error}"
            ) from None
        _check_versions(versions, address)
        try:
            yield client
        except distributed.KilledWorker as error:
            raise ExactPermError(
                f"--dask {address}: {error.last_worker.address} and others died while they counted the same test: "
                "killed, or out of memory; give the workers more memory"
            ) from None
        except CancelledError:
            raise ExactPermError(
                f"--dask {address}: its scheduler is gone, and with it what was not collected yet; start it, and the "
                "command, again"
            ) from None


def _version() -> str:
    return __version__


def _check_versions(versions: dict[str, str], address: str) -> None:
    if not versions:
        raise ExactPermError(f"--dask {address}: the cluster has no workers")
    for worker, version in sorted(versions.items()):
        if version != __version__:
            raise ExactPermError(
                f"--dask {address}: {worker} has exactperm {version}, and this command is {__version__}: install the "
                "same version"
            )


@contextmanager
def _pool(processes: int) -> Iterator[Executor]:
    """Provide a pool of processes. After an error or an interrupt tasks are dropped and workers ended, not awaited.

    An interrupt from the keyboard reaches the workers too; they leave it to this process, which
    ends them.
    """
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
