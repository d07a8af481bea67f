"""Talk to another implementation: one JSON object per line, with a limit of seconds for each answer."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, Queue
from threading import Thread

from .._types import Any
from ..arithmetic.quoting import short_text
from ..errors import ExactPermError
from ..files.json_text import loaded
from .judge import Implementation

START = 60.0
"""Seconds that a program has for its first answer: it may load large libraries."""

MOST_LINE = 10**6
"""Greatest length of an answer."""

MOST_UNREAD = 8
"""Lines ahead of their questions that are kept; a program that writes more loses them, and is soon
out of step."""


PROTOCOL = (
    "a program reads one JSON object per line and answers each with one; "
    "vectors/PROTOCOL.md, beside the test vectors, has the protocol with examples"
)
"""Where the author of a program that does not answer finds what it must do."""

_REASON = re.compile(
    r"(?:thread .* panicked|panic:|fatal|[\w.:]*(?:error|exception)\b)", re.IGNORECASE
)
"""Beginnings of the lines with which interpreters say why a program died; others stand before and
after them."""

_PLACE = re.compile(
    r'^File "(?!.*(?:importlib|exactperm.testing))(?:.*[/\\])?([^/\\"<>]+)", line ([0-9]+)'
)
"""Lines of a traceback in Python that name a place; the last one is where the error was raised."""


class NoAnswer(Exception):
    """The program did not answer as it should; the message says how."""


class NotStarted(NoAnswer):
    """The system cannot start the program."""


class Late(NoAnswer):
    """The program did not answer in time."""


class Program:
    """A running implementation; it is started again after a question that it does not answer properly.

    Use it as a context manager. ``told`` is what it says of itself. ``ExactPermError`` where it
    cannot be started.
    """

    def __init__(self, command: Sequence[str], seconds: float = 10.0) -> None:
        self._command, self._seconds = list(command), seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._answered = False
        try:
            self.told = self._start()
        except NotStarted as problem:
            raise ExactPermError(f"{self._command[0]} cannot be started: {problem}") from None
        except NoAnswer as problem:
            words = f"{self._command[0]} does not answer the start message as it should: {problem}"
            raise ExactPermError(f"{words}; {PROTOCOL}") from None

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_error: object) -> None:
        self._stop()

    def ask(self, name: str, question: dict[str, Any]) -> dict[str, Any]:
        """Return the reply to a question; raise ``NoAnswer`` where there is none, or it is none to this question."""
        if self._process is None:
            self._start()
        try:
            reply = self._exchange({"cmd": "run", "id": name, **question}, self._seconds)
            if "id" not in reply:
                raise NoAnswer(
                    f"its answer {short_text(json.dumps(reply), 200)} has no id, which is {name}"
                )
            if reply["id"] != name:
                raise NoAnswer(
                    f"it answered {short_text(reply['id'])} where {name} was the question"
                )
        except NoAnswer:
            self._stop()
            raise
        return reply

    def _start(self) -> Implementation:
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise NotStarted(str(getattr(error, "strerror", None) or error)) from None
        self._lines: Queue[bytes] = Queue()
        self._errors = bytearray()
        _in_background(_feed, self._process.stdout, self._lines)
        self._listener = _in_background(_keep_last, self._process.stderr, self._errors)
        try:
            told = self._exchange({"cmd": "start", "version": 1}, max(START, self._seconds))
            if told.get("version") != 1:
                raise NoAnswer(_other_version(told))
            return _implementation(told)
        except NoAnswer:
            self._stop()
            raise

    def _exchange(self, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        assert self._process is not None and self._process.stdin is not None  # ask() starts it
        self._writer = _in_background(_write, self._process.stdin, json.dumps(message), self._lines)
        try:
            line = self._lines.get(timeout=seconds)
        except Empty:
            unread = "" if self._answered else ": does it flush its output after each line?"
            raise Late(f"no answer in {seconds:g} seconds{unread}") from None
        if not line:
            raise NoAnswer(self._last_words())
        try:
            reply = loaded(line.decode("utf-8-sig"))
        except ValueError:
            reply = None
        if not isinstance(reply, dict):
            wrote = short_text(line[:200].decode(errors="replace").strip(), 200)
            raise NoAnswer(
                f"it wrote {wrote}, no JSON object: other words belong on standard error"
            )
        self._answered = True
        return reply

    def _last_words(self) -> str:
        assert self._process is not None
        try:
            status = self._process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            return "it closed its input or output"
        self._listener.join(1.0)
        reason = why(self._errors.decode(errors="replace"))
        ended = (
            f"it ended with status {status}" if status >= 0 else f"it was ended by signal {-status}"
        )
        return (
            f"{ended}: {short_text(reason, 200)}"
            if reason
            else f"{ended} and wrote nothing to standard error"
        )

    def _stop(self) -> None:
        """End the program and what it started."""
        process, self._process = self._process, None
        if process is None:
            return
        _in_background(_say_stop, self._writer, process.stdin)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=0.5)
        _kill(process)
        process.wait()


def why(said: str) -> str:
    r"""Return the line of an error output that says why a program died: the last that begins as such lines do.

    >>> why("  throw err;\nError: Cannot find module 'x'\n    at f (x.js:1:1)\nNode.js v20.20.2\n")
    "Error: Cannot find module 'x'"
    """
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    for i in reversed(range(len(lines))):
        if _REASON.match(lines[i]):
            places = [place for line in lines[:i] for place in _PLACE.findall(line)]
            where = f" ({places[-1][0]}, line {places[-1][1]})" if places else ""
            return (" ".join(lines[i : i + 2]) if lines[i].endswith(":") else lines[i]) + where
    return lines[-1] if lines else ""


def _other_version(told: dict[str, Any]) -> str:
    """Return what is wrong with the version that the first answer states."""
    if told.get("error") is not None:
        return f"it answered with the error {short_text(told['error'], 200)}"
    if "version" not in told:
        return f'its answer {short_text(json.dumps(told), 200)} has no "version": 1'
    stated = told["version"]
    if isinstance(stated, (int, float)):
        return f"it speaks version {short_text(stated)} of the protocol, not 1"
    return f"its version is {short_text(json.dumps(stated))}, not the number 1"


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a program, and with it what it started where the system can."""
    with suppress(ProcessLookupError, PermissionError):  # nothing is left of it
        if hasattr(os, "killpg"):
            os.killpg(process.pid, 9)
        else:  # pragma: no cover (Windows)
            process.kill()


def _in_background(work: Callable[..., None], *args: Any) -> Thread:
    """Start a thread that does not keep this program from ending."""
    thread = Thread(target=work, args=args, daemon=True)
    thread.start()
    return thread


def _write(stream: Any, message: str, lines: Queue[bytes]) -> None:
    """Write a line; where the pipe is closed, put an empty line into the queue, as at the end of the output."""
    try:
        stream.write(message.encode() + b"\n")
        stream.flush()
    except (OSError, ValueError):
        lines.put(b"")


def _say_stop(writer: Thread, stream: Any) -> None:
    """Ask a program to end, after a question that it may not have read, and close its input."""
    writer.join()
    _write(stream, '{"cmd": "stop"}', Queue())
    with suppress(OSError):
        stream.close()


def _feed(stream: Any, lines: Queue[bytes]) -> None:
    """Put each line into the queue, and an empty one at the end; lines that nobody reads are lost."""
    with stream:
        line = b"."
        while line:
            line = stream.readline(MOST_LINE)
            if lines.qsize() < MOST_UNREAD or not line:
                lines.put(line)


def _keep_last(stream: Any, said: bytearray) -> None:
    """Keep the last part of what a program writes."""
    with stream:
        chunk = b"."
        while chunk:
            chunk = stream.read1(1 << 16)
            said += chunk
            del said[:-4000]


def _implementation(told: dict[str, Any]) -> Implementation:
    about = told.get("implementation")
    about = about if isinstance(about, dict) else {}
    words: dict[str, Any] = {
        name: str(about[name]) for name in ("name", "version", "language") if name in about
    }
    lists: dict[str, Any] = {
        name: tuple(map(str, told[name]))
        for name in ("calls", "alternatives", "conventions")
        if isinstance(told.get(name), list)
    }
    numbers = told["numbers"] if told.get("numbers") in ("decimal", "binary64") else None
    return Implementation(**words, **lists, numbers=numbers)


def own() -> list[str]:
    """Return the command that serves this package."""
    return python(f"{__package__}.own:answer")


def python(function: str) -> list[str]:
    """Return the command that serves a Python function, named "module:function"."""
    module, _, name = function.partition(":")
    if not (module and name):
        raise ExactPermError(f"{short_text(function)} is no function: write module:function")
    root = os.path.abspath(__file__)
    for _level in range(__name__.count(".") + 1):
        root = os.path.dirname(root)
    # behind the current folder: the same package, wherever it is
    path = f"import sys; sys.path.insert(1, {root!r})"
    return [
        sys.executable,
        "-c",
        f"{path}; from {__package__}.host import main; main({module!r}, {name!r})",
    ]
