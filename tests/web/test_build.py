"""Building the page: the same bytes each time, scripts only by their hashes, and mistakes that are named."""

import base64
import io
import json
import os
import re
import sys
import zipfile
import zlib
from functools import partial
from hashlib import sha256

import pytest

import hosts
from complaint import complaint
from exactperm.cli import save
from exactperm.errors import ExactPermError
from exactperm.files.saving import packed
from exactperm.web import build

EXAMPLES = [{"name": "</script><b>", "text": "", "settings": {}}]


@pytest.fixture(scope="module")
def pyodide(tmp_path_factory):
    """A folder like the npm package, with other contents."""
    folder = tmp_path_factory.mktemp("pyodide")
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"):
        (folder / name).write_bytes(name.encode() * 5000)
    about = {"name": "pyodide", "version": build.PYODIDE}
    lock = {"info": {"abi_version": "1"}, "packages": {"numpy": {}}}
    for name, content in (("package", about), ("pyodide-lock", lock)):
        (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    with zipfile.ZipFile(folder / "python_stdlib.zip", "w", zipfile.ZIP_DEFLATED) as library:
        library.writestr("folder/", b"")
        library.writestr("folder/module.py", b"x = 1\n" * 1000)
    return folder


@pytest.fixture
def uncompiled(monkeypatch):
    """Python compiles nothing."""
    monkeypatch.setattr(build, "_compiled", lambda _folder, archives: archives)


@pytest.fixture(scope="module")
def page(pyodide):
    """The page as one file."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(build, "_compiled", lambda _folder, archives: archives)
        return build.page(str(pyodide), EXAMPLES)["index.html"].decode()


def part(page, name):
    block = rf'<script type="application/octet-stream" id="part-{name}">([^<]*)</script>'
    return zlib.decompress(base64.b64decode(re.search(block, page)[1]))


def digest(content):
    return base64.b64encode(sha256(content).digest()).decode()


@pytest.mark.slow
def test_the_parts_come_back(page, pyodide):
    names = {
        name: zipfile.ZipFile(io.BytesIO(part(page, name))).namelist()
        for name in ("library", "exactperm")
    }
    assert part(page, "wasm") == (pyodide / "pyodide.asm.wasm").read_bytes()
    assert json.loads(part(page, "lock")) == {"info": {"abi_version": "1"}, "packages": {}}
    assert names["library"] == ["folder/module.py"]
    assert {"exactperm/__init__.py", "exactperm/web/bridge.py"} <= {*names["exactperm"]}
    assert all(name.endswith(".py") for name in names["exactperm"])
    assert "{{" not in page.partition("<script type")[0]
    assert EXAMPLES[0]["name"] not in page
    assert "\\u003c/script>\\u003cb>" in page


@pytest.mark.slow
def test_a_folder_holds_the_same_parts(page, pyodide, uncompiled):
    """With links to files beside it, their hashes, and connections to nothing but the place where it came from."""
    assert build.page(str(pyodide), EXAMPLES)["index.html"].decode() == page
    files = build.page(str(pyodide), EXAMPLES, apart=True)
    html = files.pop("index.html").decode()
    block = r'id="part-(\w+)" data-file="([^"]*)" data-sha256="([^"]*)"></script>'
    for name, file, hashed in re.findall(block, html):
        content = files.pop(file)
        assert (digest(content), zlib.decompress(content)) == (hashed, part(page, name))
        assert not file.startswith(("/", "."))
    assert files == {}
    assert "; connect-src 'self'\"" in html
    assert "connect-src" not in page.partition("<style>")[0]


@pytest.mark.slow
def test_scripts_and_styles_run_by_their_hashes_only(page):
    """The policy allows no connection, neither fetch, nor pictures, fonts or forms elsewhere; no text is read as HTML."""
    rules = re.search('Policy" content="([^"]*)"', page)[1].split("; ")
    policy = dict(rule.split(" ", 1) for rule in rules)
    for kind, element in (("script-src", "script"), ("style-src", "style")):
        (content,) = re.findall(rf"<{element}>(.*?)</{element}>", page, re.DOTALL)
        assert policy.pop(kind).split()[0] == f"'sha256-{digest(content.encode())}'"
    assert policy == {
        **dict.fromkeys(("default-src", "form-action", "base-uri"), "'none'"),
        **{"worker-src": "blob:", "img-src": "blob: data:"},
    }
    assert not re.findall(r"<[^>]* (?:on\w+|style)=", page)
    writers = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|Function\(|srcdoc"
    assert not re.findall(writers, page.rpartition("<script>")[2])


# --------------------------------------------------------------------------------------- the command


@pytest.fixture
def saved(run):
    """A function that saves the page by the command; it returns its status and its lines."""

    def saved(*words):
        status, out, err = run("save", "page", *map(str, words))
        return status, (out + err).splitlines()

    return saved


def test_the_command_makes_one_file(pyodide, uncompiled, tmp_path, saved):
    path = tmp_path / "p.HTML"
    status, (said, then) = saved(path, "--pyodide", pyodide)
    content = path.read_bytes()
    assert status == 0
    assert said == f"{path}: {len(content)} bytes, SHA-256 {sha256(content).hexdigest()}"
    assert then == f"Open {path} in a browser: it needs no network, and sends nothing."


def test_the_command_makes_a_folder(pyodide, uncompiled, tmp_path, saved):
    """What is in it is overwritten by force only."""
    out, known = tmp_path / "site", ("--pyodide", pyodide)
    for force in ([], ["--force"]):
        status, (*files, then) = saved(out, *known, *force)
        assert (status, then) == (
            0,
            f"Put the folder {out} on a web server: index.html is the page.",
        )
        told = {line.partition(": ")[0] for line in files}
        assert told == {str(path) for path in out.rglob("*") if path.is_file()}
    assert "index.html: it exists" in saved(out, *known)[1][0]
    (tmp_path / "file").touch()
    refused = saved(tmp_path / "file", *known, "--force")
    assert (refused[0], "cannot make the folder" in refused[1][0]) == (2, True)


def test_pyodide_is_sought_where_npm_puts_it(saved):
    """The help has the version that the error asks for."""
    status, (said, *_more) = saved("p.html")
    assert (status, f"node_modules{os.sep}pyodide" in said) == (2, True)
    assert f"npm install pyodide@{build.PYODIDE}" in said
    assert f'"npm install pyodide@{build.PYODIDE}"' in save.OPTIONS
    assert hosts.PYODIDE == build.PYODIDE


# ------------------------------------------------------------------------------------ what it is made of


def test_modules_are_compiled(tmp_path):
    """All of the package, and what it imports of the library; the others stay sources, data stay data."""
    own = "errors.py", "py.typed", "absent.py", "__main__.py"
    for name, files in (
        ("exactperm", {f"exactperm/{file}": b"x = 1\n" for file in own}),
        ("library", {"fractions.py": b"y = 2\n", "never_imported.py": b"z = 3\n"}),
    ):
        (tmp_path / name).write_bytes(packed(files))
    build.compile_parts(str(tmp_path), os.path.dirname(os.__file__))
    assert {*build._unpacked(tmp_path / "library")} == {"fractions.pyc", "never_imported.py"}
    made = build._unpacked(tmp_path / "exactperm")
    assert {*made} == {
        f"exactperm/{name}" for name in ("errors.pyc", "py.typed", "absent.pyc", "__main__.pyc")
    }
    (tmp_path / "alone.pyc").write_bytes(made["exactperm/errors.pyc"])
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "path", [str(tmp_path), *sys.path])
        assert __import__("alone").x == 1


@pytest.mark.skipif(os.name != "posix", reason="needs programs that are scripts")
@pytest.mark.parametrize(
    ("node", "said"),
    [
        (None, "cannot start node, which compiles the page's modules: "),
        (
            "echo no memory >&2\nexit 3\n",
            "its Python did not compile the page's modules: no memory",
        ),
        ('echo "$2" > "$3/library"\n', ""),
    ],
)
def test_node_compiles_or_is_named(tmp_path, monkeypatch, node, said):
    if node:
        (tmp_path / "node").write_text(f"#!/bin/sh\n{node}", encoding="utf-8")
        (tmp_path / "node").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    if not said:
        assert build._compiled(tmp_path, {"library": b""}) == {"library": f"{tmp_path}\n".encode()}
        return
    assert said in complaint(ExactPermError, lambda: build._compiled(tmp_path, {}))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("package.json", b"no JSON"),
        ("package.json", b"[]"),
        ("package.json", b'{"name": "numpy"}'),
        ("package.json", b'{"name": "pyodide", "version": "0.1.0"}'),
        ("python_stdlib.zip", b"no archive"),
        ("pyodide.mjs", None),
    ],
)
def test_another_folder_is_refused(pyodide, tmp_path, name, content):
    for path in pyodide.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / name).unlink()
    if content is not None:
        (tmp_path / name).write_bytes(content)
    for folder in (str(tmp_path), "a\0b"):
        told = complaint(ExactPermError, partial(build.page, folder, []))
        assert f"npm install pyodide@{build.PYODIDE}" in told
