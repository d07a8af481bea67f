"""Standard error: messages, and a progress bar for the terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from .._types import TYPE_CHECKING
from ..arithmetic.quoting import printable

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
