"""Python 3.8 and older get one clear message: the files that it reaches first must parse there."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import exactperm
from peers import interpreter

PACKAGE = Path(exactperm.__file__).parent


@pytest.mark.parametrize("name", ["__init__.py", "__main__.py"])
def test_the_first_files_parse_on_python_3_8(name):
    ast.parse((PACKAGE / name).read_text(encoding="utf-8"), feature_version=(3, 8))


def test_the_message(monkeypatch):
    path = PACKAGE / "__init__.py"
    code = compile(path.read_text(encoding="utf-8"), str(path), "exec")
    monkeypatch.setattr(sys, "version_info", (3, 8, 18))
    with pytest.raises(
        ImportError, match=r"^exactperm needs Python 3\.9 or later; this is Python 3\.\d+\.\d+"
    ):
        exec(code, {"__name__": "exactperm_on_an_old_python"})


@pytest.mark.slow
def test_on_python_3_8_itself():
    command = [interpreter("python3.8"), "-m", "exactperm", "demo"]
    done = subprocess.run(command, cwd=PACKAGE.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "exactperm needs Python 3.9 or later; this is Python 3.8" in done.stderr
