"""Compile the modules of the page, in the Python that will run them: starting it from sources takes twice as long."""

from __future__ import annotations

import sys
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
    own = unpacked(Path(folder, "exactperm"))
    for name in own:
        if name.endswith(".py") and not name.endswith("__main__.py"):
            with suppress(ImportError):  # what this Python lacks is not imported in the page either
                import_module(name[:-3].replace("/", ".").removesuffix(".__init__"))
    loaded = [str(getattr(module, "__file__", "")) for module in [*sys.modules.values()]]
    started = {path[len(library) + 1 :] for path in loaded if path.startswith(library)}
    for part, wanted in (("library", started), ("exactperm", {*own})):
        path = Path(folder, part)
        files = unpacked(path)
        sources = {name: files[name] for name in files if name in wanted and name.endswith(".py")}
        kept = {name: files[name] for name in files if name not in sources}
        path.write_bytes(packed({**kept, **bytecode(sources)}))


def unpacked(path: Path) -> dict[str, bytes]:
    """Return the files of an archive by their names."""
    from zipfile import ZipFile

    with ZipFile(path) as found:
        return {name: found.read(name) for name in found.namelist() if not name.endswith("/")}
