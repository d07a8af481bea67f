"""Compile the modules of the page, in the Python that will run them: starting it from sources takes twice as long."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from ..files.archive import bytecode, packed


def compile_parts(folder: str, library: str) -> None:
    """Replace the archives "library" and "exactperm" of a folder by those that the page loads.

    All modules of this package are compiled, and those of the library that they and Pyodide import;
    other modules of the library stay as they are. ``library`` is the path that Python imports its
    library from.
    """
    parts = {name: Path(folder, name) for name in ("library", "exactperm")}
    own = unpacked(parts["exactperm"])
    for name in own:
        if name.endswith(".py") and not name.endswith("__main__.py"):
            with suppress(ImportError):  # what this Python lacks is not imported in the page either
                import_module(name[:-3].replace("/", ".").removesuffix(".__init__"))
    started = {origin[len(library) + 1 :] for origin in map(_origin, list(sys.modules.values()))}
    for part, files, names in (
        (parts["library"], unpacked(parts["library"]), started),
        (parts["exactperm"], own, own),
    ):
        part.write_bytes(packed(with_bytecode(files, {*names})))


def unpacked(path: Path) -> dict[str, bytes]:
    """Return the files of an archive by their names."""
    from zipfile import ZipFile

    with ZipFile(path) as found:
        return {name: found.read(name) for name in found.namelist() if not name.endswith("/")}


def with_bytecode(files: Mapping[str, bytes], names: set[str]) -> dict[str, bytes]:
    """Return files with the bytecode of this Python in place of the modules of these names."""
    kept = {
        name: content
        for name, content in files.items()
        if name not in names or not name.endswith(".py")
    }
    return {
        **kept,
        **bytecode({name: content for name, content in files.items() if name not in kept}),
    }


def _origin(module: object) -> str:
    return str(getattr(getattr(module, "__spec__", None), "origin", None))
