"""Save files without harm, and pack the package into one that runs.

A file is never written over the input, not over other files unasked, and whole or not at all. An archive is the same
bytes on every machine.
"""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress

from .._types import TYPE_CHECKING
from ..errors import Cure, ExactPermError

if TYPE_CHECKING:
    from importlib.abc import Traversable


def check(path: str, source: str, *, force: bool) -> None:
    """Raise ``ExactPermError`` where saving to ``path`` would overwrite the input ``source``, or a file without force.

    ``source`` is a path, or "-" for standard input. Devices and pipes can be written to: nothing is
    lost.
    """
    if path == "-":
        text = "cannot write -: name a file; only a picture goes to standard output"
        raise ExactPermError(text, code="output")
    folder = os.path.dirname(path)
    if folder and not os.path.isdir(folder):  # found out now, not after hours of work
        raise ExactPermError(f"cannot write {path}: there is no folder {folder}")
    if not os.path.isfile(path):
        return
    read = None
    with suppress(OSError, ValueError, AttributeError):  # no such input: reading it reports that
        read = os.fstat(sys.stdin.fileno()) if source == "-" else os.stat(source)
    if read is not None and os.path.samestat(os.stat(path), read):
        raise ExactPermError(f"cannot write {path}: it is the input")
    if not force:
        cure = Cure(words="allow to overwrite it")
        raise ExactPermError(f"cannot write {path}: it exists", code="exists", cure=cure)


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
        why = getattr(error, "strerror", None) or error
        raise ExactPermError(f"cannot write {path}: {why}") from None


def _replace(path: str, data: bytes) -> None:
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name}.{os.getpid()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    file = os.open(temporary, flags, 0o666)
    try:
        with os.fdopen(file, "wb") as stream:
            stream.write(data)
        with suppress(FileNotFoundError):  # the permissions of the file that is replaced
            os.chmod(temporary, stat.S_IMODE(os.stat(path).st_mode))
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def folder(path: str) -> None:
    """Make a folder, and those that it is in, where they are not there."""
    try:
        os.makedirs(path, exist_ok=True)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise ExactPermError(f"cannot make the folder {path}: {why}") from None


# ---------------------------------------------------------------------------------------------- archives

_START = b"from exactperm.cli.main import script\n\nscript()\n"


def packed(files: Mapping[str, bytes], *, compressed: bool = False) -> bytes:
    """Return a zip archive of files by name.

    Names are in order, dates 1980-01-01, permissions 644. Without compression the bytes are the
    same on every machine; the output of zlib may change.

    >>> packed({"a.txt": b"1", "b.txt": b"2"}) == packed({"b.txt": b"2", "a.txt": b"1"})
    True
    """
    from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

    archive = io.BytesIO()
    with ZipFile(archive, "w") as target:
        for name, content in sorted(files.items()):
            entry = ZipInfo(name)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            target.writestr(entry, content, ZIP_DEFLATED if compressed else ZIP_STORED, 9)
    return archive.getvalue()


def bundle(*, vectors: bool = False, compiled: bool = False) -> bytes:
    """Return the package as one file that Python runs, ``python3 exactperm.pyz test scores.csv``.

    The archive holds the sources and the data, compressed; imported as a path it is a library.
    With ``vectors`` it holds the test vectors, too. With ``compiled`` it also holds the bytecode of
    this Python, which another version ignores.
    """
    files = package_files()
    if not vectors:
        files = {
            name: content for name, content in files.items() if not name.endswith("/vectors.zip")
        }
    compiled_files = bytecode(files) if compiled else {}
    return packed({"__main__.py": _START, **files, **compiled_files}, compressed=True)


def bytecode(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the compiled modules of this Python by file name, each with the hash of its source (PEP 552)."""
    import marshal
    from importlib.util import MAGIC_NUMBER, source_hash

    compiled = {}
    for name, source in files.items():
        if name.endswith(".py"):
            head = MAGIC_NUMBER + b"\1\0\0\0" + source_hash(source)
            code = compile(source, name, "exec", dont_inherit=True)
            compiled[f"{name}c"] = head + marshal.dumps(code)
    return compiled


def package_files() -> dict[str, bytes]:
    """Return the contents of the package by names such as "exactperm/budget.py", wherever it was loaded from."""
    from importlib.resources import files

    root = files(__name__.rpartition(".files.")[0])
    return {f"exactperm/{name}": content for name, content in _inside(root)}


def _inside(folder: Traversable) -> Iterator[tuple[str, bytes]]:
    """Return relative names and contents of the files in a folder, without hidden and compiled ones."""
    for entry in folder.iterdir():
        name = entry.name
        if entry.is_dir() and name[0] != "." and name != "__pycache__":
            yield from ((f"{name}/{inner}", content) for inner, content in _inside(entry))
        elif entry.is_file() and name[0] != "." and not name.endswith(".pyc"):
            yield name, entry.read_bytes()
