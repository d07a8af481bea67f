"""Building the page: the same bytes each time, scripts only by their hashes, and mistakes that are named."""

import base64
import hashlib
import io
import json
import os
import re
import sys
import zipfile
import zlib

import pytest

import hosts
from exactperm.cli import main as cli
from exactperm.cli import save
from exactperm.errors import ExactPermError
from exactperm.files.saving import packed
from exactperm.web import build


@pytest.fixture
def pyodide(tmp_path, monkeypatch):
    """A folder like the npm package, with other contents; its Python compiles nothing."""
    monkeypatch.setattr(build, "_compiled", lambda _folder, archives: archives)
    folder = tmp_path / "pyodide"
    folder.mkdir()
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"):
        (folder / name).write_bytes(name.encode() * 5000)
    (folder / "package.json").write_text(
        json.dumps({"name": "pyodide", "version": build.PYODIDE}), encoding="utf-8"
    )
    lock = {"info": {"abi_version": "1"}, "packages": {"numpy": {}}}
    (folder / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    with zipfile.ZipFile(folder / "python_stdlib.zip", "w", zipfile.ZIP_DEFLATED) as library:
        library.writestr("folder/", b"")
        library.writestr("folder/module.py", b"x = 1\n" * 1000)
    return folder


def test_one_version_of_pyodide_everywhere():
    assert hosts.PYODIDE == build.PYODIDE


def only(folder, examples):
    """Return the page as one file."""
    (page,) = build.page(str(folder), examples).values()
    return page.decode()


def part(page, name):
    found = re.search(
        rf'<script type="application/octet-stream" id="part-{name}">([^<]*)</script>', page
    )
    return zlib.decompress(base64.b64decode(found[1]))


def names(archive):
    return zipfile.ZipFile(io.BytesIO(archive)).namelist()


@pytest.mark.slow
def test_the_parts_come_back(pyodide):
    page = only(pyodide, [])
    assert part(page, "wasm") == (pyodide / "pyodide.asm.wasm").read_bytes()
    assert names(part(page, "library")) == ["folder/module.py"]
    assert json.loads(part(page, "lock")) == {"info": {"abi_version": "1"}, "packages": {}}
    modules = names(part(page, "exactperm"))
    assert {"exactperm/__init__.py", "exactperm/web/bridge.py", "exactperm/permutation.py"} <= set(
        modules
    )
    assert not [name for name in modules if not name.endswith(".py")]
    assert "{{" not in page.partition("<script type")[0]


@pytest.mark.slow
def test_the_page_is_the_same_each_time(pyodide):
    assert build.page(str(pyodide), save.examples()) == build.page(str(pyodide), save.examples())


@pytest.mark.slow
def test_a_folder_holds_the_same_parts(pyodide):
    """With links to files beside it, their hashes, and connections to nothing but the place where it came from."""
    files = build.page(str(pyodide), [], apart=True)
    html = files.pop("index.html").decode()
    blocks = re.findall(
        r'id="part-(\w+)" data-file="([^"]*)" data-sha256="([^"]*)"></script>', html
    )
    page = only(pyodide, [])
    for name, file, digest in blocks:
        content = files.pop(file)
        assert base64.b64decode(digest) == hashlib.sha256(content).digest()
        assert zlib.decompress(content) == part(page, name)
        assert not file.startswith(("/", "."))
    assert files == {}
    assert "; connect-src 'self'\"" in html
    assert "connect-src" not in page.partition("<style>")[0]


@pytest.mark.slow
def test_scripts_and_styles_run_by_their_hashes_only(pyodide):
    """And the policy allows no connection: neither fetch, nor pictures, fonts or forms elsewhere."""
    page = only(pyodide, [])
    policy = dict(
        rule.split(" ", 1) for rule in re.search('Policy" content="([^"]*)"', page)[1].split("; ")
    )
    assert policy.pop("default-src") == "'none'"
    for kind, element in (("script-src", "script"), ("style-src", "style")):
        (content,) = re.findall(rf"<{element}>(.*?)</{element}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert policy.pop(kind).split()[0] == f"'sha256-{digest}'"
    assert policy == {
        "worker-src": "blob:",
        "img-src": "blob: data:",
        "form-action": "'none'",
        "base-uri": "'none'",
    }
    assert "unsafe-inline" not in page.partition("<script type")[0]
    assert not re.findall(r"<[^>]* (?:on\w+|style)=", page)


def test_text_is_never_read_as_html(pyodide):
    """So no name in a file can become an element; the worker alone makes modules, of the parts that it is sent."""
    script = only(pyodide, []).rpartition("<script>")[2]
    assert not re.findall(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|Function\(|srcdoc", script
    )


@pytest.mark.slow
def test_examples_end_no_element(pyodide):
    page = only(pyodide, [{"name": "</script><b>", "text": "", "settings": {}}])
    assert "</script><b>" not in page
    assert "\\u003c/script>\\u003cb>" in page


def test_the_command_makes_a_folder(pyodide, tmp_path, capsys):
    out = tmp_path / "site"
    for force in ([], ["--force"]):
        assert cli.main(["save", "page", str(out), "--pyodide", str(pyodide), *force]) == 0
        *files, then = capsys.readouterr().out.splitlines()
        told = [line.partition(": ")[0] for line in files]
        assert then == f"Put the folder {out} on a web server: index.html is the page."
        assert {*told} == {str(path) for path in out.rglob("*") if path.is_file()}
    assert cli.main(["save", "page", str(out), "--pyodide", str(pyodide)]) == 2
    assert "index.html: it exists; say --force to overwrite it" in capsys.readouterr().err
    (tmp_path / "file").touch()
    assert (
        cli.main(["save", "page", str(tmp_path / "file"), "--pyodide", str(pyodide), "--force"])
        == 2
    )
    assert "cannot make the folder" in capsys.readouterr().err


def test_modules_are_compiled(tmp_path):
    """All of the package, and what it imports of the library; the others stay sources, data stay data."""
    library, data = (
        os.path.dirname(os.__file__),
        {"exactperm/errors.py": b"x = 1\n", "exactperm/py.typed": b""},
    )
    named = {"fractions.py": b"y = 2\n", "never_imported.py": b"z = 3\n"}
    for name, files in (
        ("exactperm", {**data, "exactperm/absent.py": b"", "exactperm/__main__.py": b""}),
        ("library", named),
    ):
        (tmp_path / name).write_bytes(packed(files))
    build.compile_parts(str(tmp_path), library)
    assert {*build._unpacked(tmp_path / "library")} == {"fractions.pyc", "never_imported.py"}
    own = build._unpacked(tmp_path / "exactperm")
    assert {*own} == {
        "exactperm/absent.pyc",
        "exactperm/errors.pyc",
        "exactperm/__main__.pyc",
        "exactperm/py.typed",
    }
    (tmp_path / "alone.pyc").write_bytes(own["exactperm/errors.pyc"])
    sys.path.insert(0, str(tmp_path))
    try:
        assert __import__("alone").x == 1
    finally:
        sys.path.remove(str(tmp_path))


@pytest.mark.skipif(os.name != "posix", reason="needs programs that are scripts")
@pytest.mark.parametrize(
    ("node", "error"),
    [
        (None, "cannot start node, which compiles the page's modules: "),
        (
            "#!/bin/sh\necho no memory >&2\nexit 3\n",
            "its Python did not compile the page's modules: no memory",
        ),
    ],
)
def test_modules_that_are_not_compiled(tmp_path, monkeypatch, node, error):
    if node:
        (tmp_path / "node").write_text(node, encoding="utf-8")
        (tmp_path / "node").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ExactPermError) as refused:
        build._compiled(tmp_path, {"library": b""})
    assert error in str(refused.value)


def test_what_node_compiled_is_taken(tmp_path, monkeypatch):
    (tmp_path / "node").write_text('#!/bin/sh\necho "$2" > "$3/library"\n', encoding="utf-8")
    (tmp_path / "node").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert build._compiled(tmp_path, {"library": b""}) == {"library": f"{tmp_path}\n".encode()}


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
def test_another_folder_is_refused(pyodide, name, content):
    (pyodide / name).unlink()
    if content is not None:
        (pyodide / name).write_bytes(content)
    for folder in (str(pyodide), "a\0b"):
        with pytest.raises(ExactPermError) as refused:
            build.page(folder, [])
        assert f"npm install pyodide@{build.PYODIDE}" in str(refused.value)
