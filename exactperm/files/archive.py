"""Pack files into zip archives that are the same bytes on every machine, and the package into one that runs."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping

from .._types import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.abc import Traversable


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
            entry.create_system, entry.external_attr = 3, 0o644 << 16
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
            code = marshal.dumps(compile(source, name, "exec", dont_inherit=True))
            compiled[f"{name}c"] = MAGIC_NUMBER + b"\1\0\0\0" + source_hash(source) + code
    return compiled


def package_files() -> dict[str, bytes]:
    """Return the contents of the package by names such as "exactperm/budget.py", wherever it was loaded from."""
    from importlib.resources import files

    return {
        f"exactperm/{name}": content
        for name, content in _inside(files(__name__.rpartition(".files.")[0]))
    }


def _inside(folder: Traversable) -> Iterator[tuple[str, bytes]]:
    """Return relative names and contents of the files in a folder, without hidden and compiled ones."""
    for entry in folder.iterdir():
        if entry.name.startswith((".", "__pycache__")) or entry.name.endswith(".pyc"):
            continue
        if entry.is_dir():
            yield from ((f"{entry.name}/{name}", content) for name, content in _inside(entry))
        else:
            yield entry.name, entry.read_bytes()
