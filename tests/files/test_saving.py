"""Saved files: never over the input, over others only by force, whole or not at all."""

import io
import os
import stat
from pathlib import Path
from types import SimpleNamespace

import pytest

from exactperm.errors import ExactPermError
from exactperm.files import saving


@pytest.fixture
def there(tmp_path):
    path = tmp_path / "there.svg"
    path.write_text("old")
    return str(path)


@pytest.mark.parametrize("force", [False, True])
def test_the_input_is_never_overwritten(there, tmp_path, monkeypatch, force):
    """Nor through another name, nor where it is standard input."""
    link = tmp_path / "link"
    link.symlink_to(there)
    monkeypatch.chdir(tmp_path)
    for path in (there, "there.svg", "./there.svg", str(link)):
        with pytest.raises(ExactPermError, match=r"^cannot write .*: it is the input$"):
            saving.check(path, there, force=force)
    with open(there, "rb") as file:
        monkeypatch.setattr("sys.stdin", file)
        with pytest.raises(ExactPermError, match="it is the input"):
            saving.check(there, "-", force=force)


@pytest.mark.parametrize("stdin", [None, io.StringIO(), SimpleNamespace(fileno=lambda: 10**6)])
def test_other_files_only_by_force(there, tmp_path, monkeypatch, stdin):
    monkeypatch.setattr("sys.stdin", stdin)
    for source in (str(tmp_path), str(tmp_path / "missing"), "a\0b", "-"):
        saving.check(there, source, force=True)
        with pytest.raises(ExactPermError, match=r"^cannot write .*there\.svg: it exists$"):
            saving.check(there, source, force=False)
    for new in (str(tmp_path / "new"), "new", os.devnull, str(tmp_path), "a\0b"):
        saving.check(new, there, force=False)
    with pytest.raises(ExactPermError, match=r"^cannot write no/new: there is no folder no$"):
        saving.check("no/new", there, force=True)


def test_saved_as_a_whole_under_its_permissions(there, tmp_path):
    os.chmod(there, 0o640)
    saving.save(there, "n\u00fc\n")
    assert Path(there).read_bytes() == "n\u00fc\n".encode()
    assert os.name == "nt" or stat.S_IMODE(os.stat(there).st_mode) == 0o640
    saving.save(str(tmp_path / "new"), "x")
    assert sorted(os.listdir(tmp_path)) == ["new", "there.svg"]


def test_a_link_keeps_pointing_to_its_file(there, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(there)
    saving.save(str(link), "new")
    assert link.is_symlink()
    assert Path(there).read_text() == "new"


def test_devices_are_written_to_and_other_places_named():
    saving.save(os.devnull, "lost")
    assert not os.path.isfile(os.devnull)
    for path, reason in (("no/x", "No such file or directory"), ("a\0b", ".*embedded null")):
        with pytest.raises(ExactPermError, match=f"^cannot write {path}: {reason}"):
            saving.save(path, "")
    with pytest.raises(ExactPermError, match=r"^cannot write -: name a file"):
        saving.check("-", "scores.csv", force=True)


def test_an_interrupted_write_leaves_the_old_file(there, tmp_path, monkeypatch):
    def full(*_paths):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(saving.os, "replace", full)
    with pytest.raises(
        ExactPermError, match=r"^cannot write .*there\.svg: No space left on device$"
    ):
        saving.save(there, "new")
    assert os.listdir(tmp_path) == ["there.svg"]
    assert Path(there).read_text() == "old"
