"""Build the page that tests in a browser: one HTML file that opens from the disk, or a folder for any file host.

The page holds Pyodide, this package, and its own script. Binary parts are compressed by zlib; in
the one file they are written in base64. The policy of the page allows its script and its style by
their hashes, WebAssembly, and scripts and pictures that the page itself makes. It forbids every
connection; in a folder, as soon as the parts have been read. Both forms are the same bytes from
every build: Pyodide itself compiles the modules, under node.
"""

from __future__ import annotations

import json
import subprocess
import sys
import zlib
from base64 import b64encode
from contextlib import suppress
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import BadZipFile, ZipFile

from ..errors import ExactPermError
from ..files.saving import bytecode, package_files, packed

PYODIDE = "314.0.7"
"""The version of the npm package that the page is built from and tested with."""

_POLICY = (
    "default-src 'none'; script-src 'sha256-{script}' 'wasm-unsafe-eval' blob:; worker-src blob:; "
    "style-src 'sha256-{style}'; "
    "img-src blob: data:; form-action 'none'; base-uri 'none'"
)


def page(
    folder: str, examples: list[dict[str, object]], *, apart: bool = False
) -> dict[str, bytes]:
    """Return the page as files by their relative names: "index.html" alone or, ``apart``, with the parts that it reads.

    The one file opens from the disk, several need a web server. ``folder`` is a copy of the npm
    package "pyodide" of version :data:`PYODIDE`. ``examples`` are objects with a "name", the "text"
    of their data, and their "settings".
    Raises ``ExactPermError`` where the folder holds anything else, or node is missing. Cost: some
    ten seconds.
    """
    parts, files, blocks = _parts(folder), {}, []
    for name, content in parts.items():
        about, text = f'type="application/octet-stream" id="part-{name}"', ""
        if apart:
            file = f"parts/{name}.bin"
            files[file] = content
            about += f' data-file="{file}" data-sha256="{_digest(content)}"'
        else:
            text = b64encode(content).decode()
        blocks.append(f"<script {about}>{text}</script>")
    data = json.dumps(examples).replace("<", "\\u003c")  # it stands in an element
    blocks.append(f'<script type="application/json" id="examples-data">{data}</script>')
    script, style = _text("python.js") + _text("page.js"), _text("page.css")
    policy = _POLICY.format(script=_digest(script.encode()), style=_digest(style.encode()))
    html = _text("page.html").replace("{{style}}", style).replace("{{parts}}", "\n".join(blocks))
    html = html.replace("{{policy}}", policy + "; connect-src 'self'" * apart)
    return {"index.html": html.replace("{{script}}", script).encode(), **files}


def _parts(folder: str) -> dict[str, bytes]:
    """Return all parts of the page by their names, compressed."""
    path, own = Path(folder), package_files()
    modules = {name: content for name, content in own.items() if name.endswith(".py")}
    parts = {"exactperm": packed(modules), "worker": _text("worker.js").encode(), **_pyodide(path)}
    parts.update(_compiled(path, {name: parts[name] for name in ("library", "exactperm")}))
    return {name: zlib.compress(content, 9) for name, content in parts.items()}


def _compiled(folder: Path, archives: dict[str, bytes]) -> dict[str, bytes]:
    """Return archives of modules compiled in Pyodide, which starts from sources in twice the time."""
    with TemporaryDirectory() as place:
        for name, content in {**archives, "compile.mjs": _text("compile.mjs").encode()}.items():
            Path(place, name).write_bytes(content)
        command = ["node", f"{place}/compile.mjs", str(folder), place]
        try:
            done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603
        except OSError as error:
            raise ExactPermError(
                f"cannot start node, which compiles the page's modules: {error.strerror}"
            ) from None
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip()[-500:]
            raise ExactPermError(f"{folder}: its Python did not compile the page's modules: {said}")
        return {name: Path(place, name).read_bytes() for name in archives}


def compile_parts(folder: str, library: str) -> None:
    """Replace the archives "library" and "exactperm" of a folder by those that the page loads.

    All modules of this package are compiled, and those of the library that they and Pyodide import;
    other modules of the library stay as they are. ``library`` is the path that Python imports its
    library from.
    """
    own = _unpacked(Path(folder, "exactperm"))
    for name in own:
        if name.endswith(".py") and not name.endswith("__main__.py"):
            with suppress(ImportError):  # what this Python lacks is not imported in the page either
                import_module(name[:-3].replace("/", ".").removesuffix(".__init__"))
    loaded = [str(getattr(module, "__file__", "")) for module in [*sys.modules.values()]]
    started = {path[len(library) + 1 :] for path in loaded if path.startswith(library)}
    for part, wanted in (("library", started), ("exactperm", {*own})):
        path = Path(folder, part)
        files = _unpacked(path)
        sources = {name: files[name] for name in files if name in wanted and name.endswith(".py")}
        kept = {name: files[name] for name in files if name not in sources}
        path.write_bytes(packed({**kept, **bytecode(sources)}))


def _unpacked(path: Path) -> dict[str, bytes]:
    """Return the files of an archive by their names."""
    with ZipFile(path) as found:
        return {name: found.read(name) for name in found.namelist() if not name.endswith("/")}


def _pyodide(folder: Path) -> dict[str, bytes]:
    """Return the parts that come from the copy of Pyodide, by the names that the page knows."""
    try:
        about, lock = [
            json.loads((folder / f"{name}.json").read_bytes())
            for name in ("package", "pyodide-lock")
        ]
        if (about["name"], about["version"]) != ("pyodide", PYODIDE):
            raise ValueError(f"its version is {about['version']}")
        return {
            "loader": (folder / "pyodide.mjs").read_bytes(),
            "runtime": (folder / "pyodide.asm.mjs").read_bytes(),
            "wasm": (folder / "pyodide.asm.wasm").read_bytes(),
            # stored files compress better together than one by one
            "library": packed(_unpacked(folder / "python_stdlib.zip")),
            "lock": json.dumps({"info": lock["info"], "packages": {}}).encode(),
        }
    except (OSError, ValueError, LookupError, TypeError, BadZipFile) as error:
        raise ExactPermError(
            f"{folder} is no copy of Pyodide {PYODIDE}, the Python of the page "
            f"({getattr(error, 'strerror', None) or error}); "
            f"npm install pyodide@{PYODIDE} makes one in node_modules/pyodide"
        ) from None


def _text(name: str) -> str:
    """Return the text of a file beside this one, also where the package is an archive."""
    return package_files()[f"exactperm/web/{name}"].decode()


def _digest(content: bytes) -> str:
    return b64encode(sha256(content).digest()).decode()
