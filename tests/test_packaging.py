"""The wheel and the source archive: the same bytes on every machine, and whole."""

import os
import re
import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest

from exactperm.files import saving
from peers import python

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent
IGNORED = shutil.ignore_patterns(".*", "__pycache__", "dist", "node_modules")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """What the documented command makes of two copies, the second with other dates and permissions."""
    for name in ("build", "flit_core"):
        pytest.importorskip(name)
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    date, words = re.search(r"`SOURCE_DATE_EPOCH=(\d+) \S+python (-m build [^`]*)`", text).groups()
    folders = []
    for changed in (False, True):
        folder = tmp_path_factory.mktemp("build") / f"copy{changed}"
        shutil.copytree(ROOT, folder, ignore=IGNORED)
        for path in folder.rglob("*") if changed else ():
            os.utime(path, (10**9, 10**9))
            path.chmod(path.stat().st_mode & 0o700)  # as with another umask
        python(folder, *words.split(), SOURCE_DATE_EPOCH=date)
        folders.append(folder / "dist")
    return folders


def test_two_copies_give_the_same_bytes(built):
    first, second = [
        {path.name: path.read_bytes() for path in folder.iterdir()} for folder in built
    ]
    assert len(first) == 2
    assert first == second


def test_both_hold_the_whole_package(built):
    wheel, source = built[0].glob("*.whl"), built[0].glob("*.tar.gz")
    with zipfile.ZipFile(next(wheel)) as packed:
        inside = {
            name: packed.read(name) for name in packed.namelist() if name.startswith("exactperm/")
        }
    assert inside == saving.package_files()
    with tarfile.open(next(source)) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert {
        *inside,
        "tests/conftest.py",
        "spec/README.md",
        "CHANGELOG.md",
        "LICENSE",
        "pyproject.toml",
    } <= names
