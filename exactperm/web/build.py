"""Build the offline page: one HTML file that holds Pyodide, this package, and the page's script, and needs no network.

Binary parts are compressed by zlib and written in base64. The policy of the page allows its script and its style by
their hashes, WebAssembly, and scripts and pictures that the page itself makes; it forbids every connection.
"""

from __future__ import annotations

import io
import json
import zlib
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from ..errors import ExactPermError
from ..files.archive import package_files, packed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PYODIDE = "314.0.7"
"""The version of the npm package that the page is built from and tested with."""

_POLICY = (
    "default-src 'none'; script-src {script} 'wasm-unsafe-eval' blob:; worker-src blob:; style-src {style}; "
    "img-src blob: data:; form-action 'none'; base-uri 'none'"
)
_LINE = 2**16
_SOURCES = (".py", "/py.typed")


def page(folder: str, examples: list[dict[str, Any]]) -> bytes:
    """Return the page as an HTML file.

    ``folder`` is a copy of the npm package "pyodide" of version :data:`PYODIDE`. ``examples`` are objects with a
    "name", the "text" of their data, and their "settings".
    Raises ``ExactPermError`` where the folder holds anything else. Cost: some two seconds.
    """
    parts = {**_pyodide(Path(folder)), **_own()}
    blocks = [_block(name, content) for name, content in parts.items()]
    blocks.append(f'<script type="application/json" id="examples-data">{_safe_json(examples)}</script>')
    script, style = _text("page.js"), _text("page.css")
    policy = _POLICY.format(script=_hash(script), style=_hash(style))
    html = _text("page.html").replace("{{policy}}", policy).replace("{{style}}", style)
    html = html.replace("{{parts}}", "\n".join(blocks)).replace("{{script}}", script)
    return html.encode()


def _pyodide(folder: Path) -> dict[str, bytes]:
    """Return the parts that come from the copy of Pyodide, by the names that the page knows."""
    version = _version(folder)
    if version != PYODIDE:
        raise ExactPermError(f"{folder} holds Pyodide {version}: the page needs {PYODIDE}; {_advice()}")
    lock = json.loads(_read(folder, "pyodide-lock.json"))
    return {
        "loader": _read(folder, "pyodide.mjs"),
        "runtime": _read(folder, "pyodide.asm.mjs"),
        "wasm": _read(folder, "pyodide.asm.wasm"),
        "library": _stored(_read(folder, "python_stdlib.zip"), folder),
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


def _stored(archive: bytes, folder: Path) -> bytes:
    """Return a zip archive with its files stored: together they compress better than one by one."""
    try:
        with ZipFile(io.BytesIO(archive)) as found:
            return packed({name: found.read(name) for name in found.namelist() if not name.endswith("/")})
    except (BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error) as error:
        raise ExactPermError(f"{folder}/python_stdlib.zip is damaged: {error}") from None


def _own() -> dict[str, bytes]:
    """Return the parts that come from this package: its modules, and the script of the worker."""
    modules = {name: content for name, content in package_files().items() if name.endswith(_SOURCES)}
    return {"exactperm": packed(modules), "worker": _text("worker.js").encode()}


def _text(name: str) -> str:
    """Return the text of a file beside this one, also where the package is an archive."""
    return package_files()[f"exactperm/web/{name}"].decode()


def _block(name: str, content: bytes) -> str:
    """Return a part as an element that no browser runs."""
    encoded = b64encode(zlib.compress(content, 9)).decode()
    lines = [encoded[i : i + _LINE] for i in range(0, len(encoded), _LINE)]
    return f'<script type="application/octet-stream" id="part-{name}">' + "\n".join(lines) + "</script>"


def _safe_json(value: Any) -> str:
    """Return JSON that can stand in an HTML element."""
    return json.dumps(value).replace("<", "\\u003c")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
