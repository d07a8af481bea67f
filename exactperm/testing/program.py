"""Talk to another implementation: one JSON object per line, with a limit of seconds for each answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import BufferedReader, BufferedWriter
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

from .._types import Any
from ..arithmetic.quoting import short_text
from ..errors import ExactPermError
from ..files.json_text import loaded
from .judge import Implementation, Message

START = 60.0
"""Seconds that a program has for its first answer: it may load large libraries."""

MOST_LINE = 10**6
"""Greatest length of an answer."""

MOST_UNREAD = 8
"""Lines ahead of their questions that are kept; a program that writes more loses them, and is soon
out of step."""

PROTOCOL = (
    "a program reads one JSON object per line and answers each with one; "
    "PROTOCOL.md, beside the test vectors, has the protocol with examples"
)
"""Where the author of a program that does not answer finds what it must do."""


class NoAnswer(Exception):
    """The program did not answer as it should; the message says how."""


class Program:
    """A running implementation; it is started again after a question that it does not answer properly.

    ``told`` is what it says of itself, ``seconds`` the limit for each answer. ``ExactPermError``
    where it cannot be started.
    """

    def __init__(self, command: Sequence[str], seconds: float = 10.0) -> None:
        self._command, self.seconds = list(command), seconds
        self._process: Any = None
        try:
            self.told = self._start()
        except NoAnswer as problem:
            name = self._command[0]
            raise ExactPermError(
                f"{name} does not start as it should: {problem}; {PROTOCOL}"
            ) from None

    def ask(self, name: str, question: Message) -> Message:
        """Return the reply to a question; raise ``NoAnswer`` where there is none, or it is none to this question."""
        if self._process is None:
            self._start()
        reply = self._exchange({"cmd": "run", "id": name, **question}, self.seconds)
        if reply.get("id") != name:
            told = short_text(json.dumps(reply), 200)
            raise self._refused(f"the answer {told} has another id than {name}, its question")
        return reply

    def _start(self) -> Implementation:
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                self._command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise NoAnswer(str(getattr(error, "strerror", None) or error)) from None
        self._lines: Queue[bytes] = Queue()
        self._errors = bytearray()
        _in_background(_feed, self._process.stdout, self._lines)
        self._listener = _in_background(_keep_last, self._process.stderr, self._errors)
        told = self._exchange({"cmd": "start", "version": 1}, max(START, self.seconds))
        if told.get("version") != 1:
            raise self._refused(
                f'its answer {short_text(json.dumps(told), 200)} has no "version": 1'
            )
        return _implementation(told)

    def _exchange(self, message: Message, seconds: float) -> Message:
        line = json.dumps(message).encode() + b"\n"
        self._writer = _in_background(_write, self._process.stdin, line, self._lines)
        line = b"late"
        with suppress(Empty):
            line = self._lines.get(timeout=seconds)
        if line == b"late":
            words = f"no answer in {seconds:g} seconds: does it flush its output after each line?"
            raise self._refused(words)
        if not line:
            raise self._refused(self._last_words())
        reply = None
        with suppress(ValueError):
            reply = loaded(line.decode("utf-8-sig"))
        if not isinstance(reply, dict):
            wrote = short_text(line[:200].decode(errors="replace").strip(), 200)
            raise self._refused(
                f"it wrote {wrote}, no JSON object: other words belong on standard error"
            )
        return reply

    def _refused(self, words: str) -> NoAnswer:
        """End the program, which is out of step, and return why."""
        self.close()
        return NoAnswer(words)

    def _last_words(self) -> str:
        try:
            status = self._process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            return "it closed its input or output"
        self._listener.join(1.0)
        said = self._errors.decode(errors="replace").strip()[-600:]
        return f"it ended with status {status} and wrote {short_text(said, 600)} to standard error"

    def close(self) -> None:
        """End the program and what it started."""
        process, self._process = self._process, None
        if process is None:
            return
        _in_background(_say_stop, self._writer, process.stdin)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=0.5)
        with suppress(ProcessLookupError, PermissionError):  # nothing is left of it
            getattr(os, "killpg", os.kill)(process.pid, 9)
        process.wait()


def _in_background(work: Callable[..., None], *args: object) -> Thread:
    """Start a thread that does not keep this program from ending."""
    thread = Thread(target=work, args=args, daemon=True)
    thread.start()
    return thread


def _write(stream: BufferedWriter, line: bytes, lines: Queue[bytes]) -> None:
    """Write a line; where the pipe is closed, put an empty line into the queue, as at the end of the output."""
    try:
        stream.write(line)
        stream.flush()
    except (OSError, ValueError):
        lines.put(b"")


def _say_stop(writer: Thread, stream: BufferedWriter) -> None:
    """Ask a program to end, after a question that it may not have read, and close its input."""
    writer.join()
    _write(stream, b'{"cmd": "stop"}\n', Queue())
    with suppress(OSError):
        stream.close()


def _feed(stream: BufferedReader, lines: Queue[bytes]) -> None:
    """Put each line into the queue, and an empty one at the end; lines that nobody reads are lost."""
    with stream:
        line = b"."
        while line:
            line = stream.readline(MOST_LINE)
            if lines.qsize() < MOST_UNREAD or not line:
                lines.put(line)


def _keep_last(stream: BufferedReader, said: bytearray) -> None:
    """Keep the last part of what a program writes."""
    with stream:
        chunk = b"."
        while chunk:
            chunk = stream.read1(1 << 16)
            said += chunk
            del said[:-4000]


def _implementation(told: Message) -> Implementation:
    """Return what the first answer says; what has no proper form is left out."""
    about = told.get("implementation")
    texts = about if isinstance(about, dict) else {}

    def listed(name: str) -> tuple[str, ...]:
        return tuple(map(str, told[name])) if isinstance(told.get(name), list) else ()

    return Implementation(
        name=str(texts.get("name", "unnamed")),
        version=str(texts.get("version", "")),
        language=str(texts.get("language", "")),
        calls=listed("calls"),
        alternatives=listed("alternatives"),
        numbers=told.get("numbers"),
        conventions=listed("conventions"),
    )


def own() -> list[str]:
    """Return the command that serves this package."""
    return python(f"{__package__}.host:answer")


def python(function: str) -> list[str]:
    """Return the command that serves a Python function, named "module:function"."""
    module, _, name = function.partition(":")
    if not (module and name):
        raise ExactPermError(f"{short_text(function)} is no function: write module:function")
    root = str(Path(__file__).absolute().parents[__name__.count(".")])
    # behind the current folder: the same package, wherever it is
    path = f"import sys; sys.path.insert(1, {root!r})"
    serve = f"from {__package__}.host import main; main({module!r}, {name!r})"
    return [sys.executable, "-c", f"{path}; {serve}"]
