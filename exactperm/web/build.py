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
import zlib
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import BadZipFile

from .._types import Any
from ..errors import ExactPermError
from ..files.archive import package_files, packed
from .compile import unpacked

PYODIDE = "314.0.7"
"""The version of the npm package that the page is built from and tested with."""

_POLICY = (
    "default-src 'none'; script-src {script} 'wasm-unsafe-eval' blob:; worker-src blob:; style-src {style}; "
    "img-src blob: data:; form-action 'none'; base-uri 'none'"
)
_LINE = 2**16
_SOURCES = (".py", "/py.typed")


def page(folder: str, examples: list[dict[str, Any]]) -> bytes:
    """Return the page as one HTML file.

    ``folder`` is a copy of the npm package "pyodide" of version :data:`PYODIDE`. ``examples`` are
    objects with a "name", the "text" of their data, and their "settings".
    Raises ``ExactPermError`` where the folder holds anything else, or node is missing. Cost: some
    ten seconds.
    """
    blocks = [_block(name, _encoded(content)) for name, content in _parts(folder).items()]
    return _html(blocks, examples, _POLICY)


def site(folder: str, examples: list[dict[str, Any]]) -> dict[str, bytes]:
    """Return the page as files for a web server, by their relative names; "index.html" reads the others.

    Arguments, errors and cost are those of :func:`page`.
    """
    files = {name: (f"parts/{name}.bin", content) for name, content in _parts(folder).items()}
    blocks = [
        _block(name, "", f' data-file="{file}" data-sha256="{_digest(content)}"')
        for name, (file, content) in files.items()
    ]
    return {
        "index.html": _html(blocks, examples, f"{_POLICY}; connect-src 'self'"),
        **dict(files.values()),
    }


def _html(blocks: list[str], examples: list[dict[str, Any]], rules: str) -> bytes:
    """Return the page with these parts, under a policy."""
    blocks = [
        *blocks,
        f'<script type="application/json" id="examples-data">{_safe_json(examples)}</script>',
    ]
    script, style = _text("python.js") + _text("page.js"), _text("page.css")
    policy = rules.format(script=_source(script), style=_source(style))
    html = _text("page.html").replace("{{policy}}", policy).replace("{{style}}", style)
    return html.replace("{{parts}}", "\n".join(blocks)).replace("{{script}}", script).encode()


def _parts(folder: str) -> dict[str, bytes]:
    """Return all parts of the page by their names, compressed."""
    path = Path(folder)
    parts = {**_pyodide(path), **_own()}
    parts.update(_compiled(path, {name: parts[name] for name in ("library", "exactperm")}))
    return {name: zlib.compress(content, 9) for name, content in parts.items()}


def _compiled(folder: Path, archives: dict[str, bytes]) -> dict[str, bytes]:
    """Return archives of modules as :func:`exactperm.web.compile.compile_parts` leaves them."""
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


def _pyodide(folder: Path) -> dict[str, bytes]:
    """Return the parts that come from the copy of Pyodide, by the names that the page knows."""
    version = _version(folder)
    if version != PYODIDE:
        raise ExactPermError(
            f"{folder} holds Pyodide {version}: the page needs {PYODIDE}; {_advice()}"
        )
    lock = json.loads(_read(folder, "pyodide-lock.json"))
    return {
        "loader": _read(folder, "pyodide.mjs"),
        "runtime": _read(folder, "pyodide.asm.mjs"),
        "wasm": _read(folder, "pyodide.asm.wasm"),
        "library": _stored(folder),
        "lock": json.dumps({"info": lock["info"], "packages": {}}).encode(),
    }


def _version(folder: Path) -> str:
    content = _read(folder, "package.json")
    try:
        about = json.loads(content)
    except ValueError:
        about = None
    if not isinstance(about, dict) or about.get("name") != "pyodide":
        raise ExactPermError(f"{folder} is no copy of the npm package pyodide; {_advice()}")
    return str(about.get("version"))


def _advice() -> str:
    return f"npm install pyodide@{PYODIDE} makes one in node_modules/pyodide"


def _read(folder: Path, name: str) -> bytes:
    try:
        return (folder / name).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ExactPermError(f"cannot read {folder / name}: {reason}; {_advice()}") from None


def _stored(folder: Path) -> bytes:
    """Return Python's library with its files stored: together they compress better than one by one."""
    path = folder / "python_stdlib.zip"
    _read(folder, path.name)
    try:
        return packed(unpacked(path))
    except (BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error) as error:
        raise ExactPermError(f"{path} is damaged: {error}") from None


def _own() -> dict[str, bytes]:
    """Return the parts that come from this package: its modules, and the script of the worker."""
    modules = {
        name: content for name, content in package_files().items() if name.endswith(_SOURCES)
    }
    return {"exactperm": packed(modules), "worker": _text("worker.js").encode()}


def _text(name: str) -> str:
    """Return the text of a file beside this one, also where the package is an archive."""
    return package_files()[f"exactperm/web/{name}"].decode()


def _block(name: str, content: str, where: str = "") -> str:
    """Return a part as an element that no browser runs."""
    return f'<script type="application/octet-stream" id="part-{name}"{where}>{content}</script>'


def _encoded(content: bytes) -> str:
    text = b64encode(content).decode()
    return "\n".join(text[i : i + _LINE] for i in range(0, len(text), _LINE))


def _safe_json(value: Any) -> str:
    """Return JSON that can stand in an HTML element."""
    return json.dumps(value).replace("<", "\\u003c")


def _source(text: str) -> str:
    """Return a script or a style as the policy names it."""
    return f"'sha256-{_digest(text.encode())}'"


def _digest(content: bytes) -> str:
    return b64encode(sha256(content).digest()).decode()
