"""What ``save page`` hands to the builder of the page."""

import os
from hashlib import sha256
from pathlib import Path

import pytest

from exactperm.cli import save
from exactperm.web import build


@pytest.fixture
def made(monkeypatch):
    """Replace the builder by one that tells of its folder."""

    def page(folder, _examples, apart):
        parts = {"parts/a.bin": b"2"} if apart else {}
        return {"index.html": folder.encode(), **parts}

    monkeypatch.setattr(build, "page", page)


def test_a_page_is_one_file(run, made):
    status, out, err = run("save", "page", "p.HTML", "--pyodide", "folder")
    assert (status, err, Path("p.HTML").read_bytes()) == (0, "", b"folder")
    said, then = out.splitlines()
    assert said == f"p.HTML: 6 bytes, SHA-256 {sha256(b'folder').hexdigest()}"
    assert then == "Open p.HTML in a browser: it needs no network, and sends nothing."


def test_a_page_for_a_server_is_a_folder(run, made):
    """The folder is made, and what is in it is overwritten by force only."""
    words = "save", "page", "site", "--pyodide", "folder"
    status, out, _err = run(*words)
    assert (status, len(out.splitlines())) == (0, 3)
    assert Path("site/parts/a.bin").read_bytes() == b"2"
    assert (run(*words)[0], run(*words, "--force")[0]) == (2, 0)


def test_pyodide_is_sought_where_npm_puts_it(run):
    """The help has the version that the error asks for."""
    status, _out, err = run("save", "page", "p.html")
    assert (status, f"node_modules{os.sep}pyodide" in err) == (2, True)
    assert f"npm install pyodide@{build.PYODIDE}" in err
    assert f'"npm install pyodide@{build.PYODIDE}"' in save.OPTIONS
