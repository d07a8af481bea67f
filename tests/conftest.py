"""One reproducible Hypothesis profile (HYPOTHESIS_PROFILE=explore looks further), and skips in Pyodide."""

import os
import sys

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "ci", max_examples=60, derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("explore", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

LACKING = ("lacks multiprocessing.synchronize", "does not support processes", "can't start new thread")
"""What Pyodide says to a test that starts a process or a thread."""


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call():
    """Skip a test that needs a process or a thread, on the one host that has none."""
    try:
        return (yield)
    except (NotImplementedError, OSError, RuntimeError) as error:
        if sys.platform == "emscripten" and any(words in str(error) for words in LACKING):
            pytest.skip(f"Pyodide: {error}")
        raise
