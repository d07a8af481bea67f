"""What ``save page`` hands to the builder of the page."""

from hashlib import sha256
from pathlib import Path

import pytest

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
    assert out == f"p.HTML: 6 bytes, SHA-256 {sha256(b'folder').hexdigest()}\n"


def test_a_page_for_a_server_is_a_folder(run, made):
    """The folder is made, and what is in it is overwritten by force only."""
    words = "save", "page", "site", "--pyodide", "folder"
    status, out, _err = run(*words)
    assert (status, len(out.splitlines())) == (0, 2)
    assert Path("site/parts/a.bin").read_bytes() == b"2"
    assert (run(*words)[0], run(*words, "--force")[0]) == (2, 0)
