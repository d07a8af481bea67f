"""Libraries that the package is compared with: skipped where they are missing, but needed under CI=true."""

import os
from importlib import import_module

import pytest

PEERS = ("numpy", "scipy", "pandas", "statsmodels", "distributed")
"""The extra ``peers`` of pyproject.toml, which ``tests/run.py`` installs."""


def peer(module):
    """Return the module; skip the test without it, but fail where CI=true and ``tests/run.py`` installs it."""
    if os.environ.get("CI") == "true" and module.partition(".")[0] in PEERS:
        return import_module(module)
    return pytest.importorskip(module)
