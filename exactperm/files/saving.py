"""Save a file without harm: never over the input, not over other files unasked, and whole or not at all."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress

from ..errors import Cure, ExactPermError


def check(path: str, source: str, *, force: bool) -> None:
    """Raise ``ExactPermError`` where saving to ``path`` would overwrite the input ``source``, or a file without force.

    ``source`` is a path, or "-" for standard input. Devices and pipes can be written to: nothing is
    lost.
    """
    if path == "-":
        raise ExactPermError(
            "cannot write -: name a file; only a picture goes to standard output", code="output"
        )
    folder = os.path.dirname(path)
    if folder and not os.path.isdir(folder):  # found out now, not after hours of work
        raise ExactPermError(f"cannot write {path}: there is no folder {folder}")
    try:
        if not os.path.isfile(path):
            return
        there = os.stat(path)
        read = os.fstat(sys.stdin.fileno()) if source == "-" else os.stat(source)
    # no such input: reading it reports that; no standard input
    except (OSError, ValueError, AttributeError):
        read = None
    if read is not None and os.path.samestat(there, read):
        raise ExactPermError(f"cannot write {path}: it is the input")
    if not force:
        raise ExactPermError(
            f"cannot write {path}: it exists",
            code="exists",
            cure=Cure(words="allow to overwrite it"),
        )


def save(path: str, content: str | bytes) -> None:
    """Write a file through a temporary one in the same folder, which then takes its name.

    An interrupted write leaves an existing file as it was. A link keeps pointing to the same file.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        # a device or a pipe cannot be replaced
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:
                file.write(data)
        else:
            _replace(os.path.realpath(path), data)
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        raise ExactPermError(
            f"cannot write {path}: {getattr(error, 'strerror', None) or error}"
        ) from None


def folder(path: str) -> None:
    """Make a folder, and those that it is in, where they are not there."""
    try:
        os.makedirs(path, exist_ok=True)
    except (OSError, ValueError) as error:
        raise ExactPermError(
            f"cannot make the folder {path}: {getattr(error, 'strerror', None) or error}"
        ) from None


def _replace(path: str, data: bytes) -> None:
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name}.{os.getpid()}.tmp")
    file = os.open(
        temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666
    )
    try:
        with os.fdopen(file, "wb") as stream:
            stream.write(data)
        with suppress(FileNotFoundError):  # the permissions of the file that is replaced
            os.chmod(temporary, stat.S_IMODE(os.stat(path).st_mode))
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
