"""The package as one file: every command answers as it does from the folder, with the same exit status."""

import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from exactperm.cli import commands
from exactperm.cli import main as cli
from exactperm.files import saving

CLAIMS = Path(__file__).parent.parent / "data" / "audit" / "claims.json"
SCORES = "new,old,third\n3,1,2\n4,2,2\n5,6,1\n2,2,0\n9,3,5\n"

COMMANDS = {
    "guide": ("guide audit", 0),
    "example": ("guide real.csv", 0),
    "name": ("guide permutation_test", 0),
    "demo": ("demo", 0),
    "test": ("test scores.csv --columns new,old --json", 0),
    "distribution": ("test scores.csv --columns new,old --distribution -", 0),
    "compare": ("compare scores.csv --columns all --json", 0),
    "processes": ("compare scores.csv --columns all --processes 2", 0),
    "interval": ("test scores.csv --columns new,old --interval --confidence 0.75", 0),
    "recount": ("recount record.json --independent", 0),
    "verify": ("verify --self --run F000*", 0),
    "vectors": ("verify --show F0001", 0),
    "audit": (f"audit '{CLAIMS}'", 2),
    "without data": ("audit --n 5 --p .03", 1),
    "save": ("save program again.pyz", 0),
    "page": ("save page page.html --pyodide nothing", 2),
    "mistake": ("test nothing.csv", 2),
    "version": ("--version", 0),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a file of scores, a record of its test, and the package as exactperm.pyz."""
    folder = tmp_path_factory.mktemp("bundle")
    (folder / "scores.csv").write_text(SCORES, encoding="utf-8")
    assert cli.main(["save", "program", str(folder / "exactperm.pyz")]) == 0
    record = bundled(folder, "test", "scores.csv", "--columns", "new,old", "--json")
    (folder / "record.json").write_text(record.stdout, encoding="utf-8")
    return folder


def bundled(folder, *arguments):
    """Run the file in a Python that finds no other copy of the package."""
    command = [sys.executable, "-I", "-S", "exactperm.pyz", *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=300
    )


def test_every_command_is_here():
    assert set(commands.COMMANDS) <= {line.split()[0] for line, _status in COMMANDS.values()}


@pytest.mark.slow
@pytest.mark.parametrize(("line", "status"), COMMANDS.values(), ids=COMMANDS)
def test_every_command_answers_as_from_the_folder(folder, monkeypatch, capsys, line, status):
    words = shlex.split(line)
    done = bundled(folder, *words)
    assert done.returncode == status, done.stderr
    monkeypatch.chdir(folder)
    assert cli.main([*words, *(["--force"] if words[0] == "save" else [])]) == status
    printed, told = capsys.readouterr()
    assert without_times(done.stdout) == without_times(printed)
    assert done.stderr == told


def without_times(text):
    """The text with every time, such as "13.1 ms" and the blanks before it, replaced."""
    return re.sub(r" *\(?[\d.]+ m?s\b|(?<=\"seconds\": )[\d.e-]+", " TIME", text)


@pytest.mark.slow
def test_the_file_bundles_itself(folder):
    """So what was installed, the folder and the file hold the same bytes."""
    assert bundled(folder, "save", "program", "copy.pyz").returncode == 0
    assert (folder / "copy.pyz").read_bytes() == (folder / "exactperm.pyz").read_bytes()


@pytest.mark.slow
def test_the_file_is_a_library_too(folder):
    code = "import sys; sys.path.insert(0, 'exactperm.pyz'); import exactperm; print(exactperm.__file__)"
    words = [sys.executable, "-I", "-S", "-c", code]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
    assert "exactperm.pyz" in done.stdout


@pytest.mark.slow
def test_bytecode_of_this_python_is_used_and_that_of_others_ignored(tmp_path):
    assert cli.main(["save", "program", str(tmp_path / "a.pyz"), "--compiled"]) == 0
    with zipfile.ZipFile(tmp_path / "a.pyz") as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    other = {
        k: b"\0" * k.endswith(".pyc") + data[k.endswith(".pyc") :] for k, data in files.items()
    }
    (tmp_path / "b.pyz").write_bytes(saving.packed(other))
    code = "import exactperm.cli.main as cli, sys; print(cli.__file__); cli.main(sys.argv[1:])"
    for name, ending in (("a.pyz", ".pyc"), ("b.pyz", ".py")):
        words = f"import sys; sys.path.insert(0, {name!r}); {code}", "save", "program", f"c{name}"
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", *words],
            cwd=tmp_path, capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert done.stdout.splitlines()[0].endswith(ending)
        assert (tmp_path / f"c{name}").read_bytes() == saving.bundle()
