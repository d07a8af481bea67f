"""Talk to another implementation: one JSON object per line, with a limit of seconds for each answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from queue import Empty, Queue
from threading import Thread

from ..arithmetic.quoting import short_text
from ..errors import ExactPermError
from ..files.json_text import loaded
from .judge import Implementation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

START = 60.0
"""Seconds that a program has for its first answer: it may load large libraries."""

MOST_LINE = 10**6
"""Greatest length of an answer."""


class NoAnswer(Exception):
    """The program did not answer as it should; the message says how."""


class Program:
    """A running implementation; it is started again after a question that it does not answer properly.

    Use it as a context manager. ``told`` is what it says of itself. ``ExactPermError`` where it cannot be started.
    """

    def __init__(self, command: Sequence[str], seconds: float = 10.0) -> None:
        self._command, self._seconds = list(command), seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: Queue[bytes] = Queue()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed by __exit__)
        try:
            self.told = self._start()
        except NoAnswer as problem:
            self.__exit__()
            raise ExactPermError(f"{self._command[0]} does not start: {problem}") from None

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_error: object) -> None:
        self._stop()
        self._errors.close()

    def ask(self, name: str, question: dict[str, Any]) -> dict[str, Any]:
        """Return the reply to a question; raise ``NoAnswer`` where there is none, or it is none to this question."""
        if self._process is None:
            self._start()
        try:
            reply = self._exchange({"cmd": "run", "id": name, **question}, self._seconds)
            if reply.get("id") != name:
                raise NoAnswer(f"it answered {short_text(reply.get('id'))} where {name} was the question")
        except NoAnswer:
            self._stop()
            raise
        return reply

    def _start(self) -> Implementation:
        self._errors.seek(0)
        self._errors.truncate()
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise NoAnswer(str(getattr(error, "strerror", None) or error)) from None
        self._lines = Queue()
        Thread(target=_feed, args=(self._process.stdout, self._lines), daemon=True).start()
        try:
            told = self._exchange({"cmd": "start", "version": 1}, max(START, self._seconds))
            if told.get("version") != 1:
                raise NoAnswer(f"it speaks version {short_text(told.get('version'))} of the protocol, not 1")
            return _implementation(told)
        except NoAnswer:
            self._stop()
            raise

    def _exchange(self, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        assert self._process is not None and self._process.stdin is not None  # ask() starts it
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
            line = self._lines.get(timeout=seconds)
        except OSError:  # a closed pipe: the end of the program says more
            line = b""
        except Empty:
            raise NoAnswer(f"no answer in {seconds:g} seconds") from None
        if not line:
            raise NoAnswer(self._last_words())
        try:
            reply = loaded(line.decode("utf-8-sig"))
        except ValueError:
            reply = None
        if not isinstance(reply, dict):
            raise NoAnswer(f"it wrote {short_text(line[:200].decode(errors='replace').strip())}, no JSON object")
        return reply

    def _last_words(self) -> str:
        assert self._process is not None
        try:
            status = str(self._process.wait(timeout=1.0))
        except subprocess.TimeoutExpired:
            return "it closed its output"
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return f"it ended with status {status}" + (f": {short_text(lines[-1], 200)}" if lines else "")

    def _stop(self) -> None:
        """End the program and what it started."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(OSError, ValueError):
            process.stdin.write(b'{"cmd": "stop"}\n')  # type: ignore[union-attr]
            process.stdin.close()  # type: ignore[union-attr]
        try:
            process.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            _kill(process)
            process.wait()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a running program, and with it what it started where the system can."""
    if hasattr(os, "killpg"):
        os.killpg(process.pid, 9)
    else:  # pragma: no cover (Windows)
        process.kill()


def _feed(stream: Any, lines: Queue[bytes]) -> None:
    """Put each line into the queue, and an empty one at the end."""
    with stream:
        line = b"."
        while line:
            line = stream.readline(MOST_LINE)
            lines.put(line)


def _implementation(told: dict[str, Any]) -> Implementation:
    about = told.get("implementation")
    about = about if isinstance(about, dict) else {}
    words: dict[str, Any] = {name: str(about[name]) for name in ("name", "version", "language") if name in about}
    lists: dict[str, Any] = {
        name: tuple(map(str, told[name]))
        for name in ("calls", "alternatives", "conventions")
        if isinstance(told.get(name), list)
    }
    numbers = told["numbers"] if told.get("numbers") in ("decimal", "binary64") else None
    return Implementation(**words, **lists, numbers=numbers)


def python(function: str) -> list[str]:
    """Return the command that serves a Python function, named "module:function"."""
    module, _, name = function.partition(":")
    if not (module and name):
        raise ExactPermError(f"{short_text(function)} is no function: write module:function")
    root = os.path.abspath(__file__)
    for _level in range(__name__.count(".") + 1):
        root = os.path.dirname(root)
    path = f"import sys; sys.path.insert(1, {root!r})"  # behind the current folder: the same package, wherever it is
    return [sys.executable, "-c", f"{path}; from {__package__}.host import main; main({module!r}, {name!r})"]
