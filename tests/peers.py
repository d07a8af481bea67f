"""Libraries that the package is compared with, skipped where they are missing, but needed under CI=true; other processes."""

import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

PEERS = ("numpy", "scipy", "pandas", "statsmodels", "distributed")
"""The extra ``peers`` of pyproject.toml, which ``tests/run.py`` installs."""


def peer(module):
    """Return the module; skip the test without it, but fail where CI=true and ``tests/run.py`` installs it."""
    if os.environ.get("CI") == "true" and module.partition(".")[0] in PEERS:
        return import_module(module)
    return pytest.importorskip(module)


def interpreter(name):
    """Return an interpreter of this name that starts, from the path or from pyenv's versions; skip without one."""
    installed = Path.home().glob(f".pyenv/versions/*/bin/{name}")
    for path in filter(None, [shutil.which(name), *map(str, sorted(installed))]):
        if subprocess.run([path, "-c", ""], check=False, capture_output=True).returncode == 0:
            return path
    return pytest.skip(f"{name} is not installed")


def python(folder, *words, **variables):
    """Run Python in a folder, with more variables of the environment; return what it prints."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
