"""The sixty results that are compared between interpreters; tests/hosts.py compares them."""

from pathlib import Path

import pytest

from tests import digest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent


def test_there_are_sixty_and_all_engines_agree():
    found = digest.results()
    assert len(found) == 60
    assert all(found.values())
    assert len({value for name, value in found.items() if name.startswith("engine ")}) == 1
