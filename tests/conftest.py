"""One reproducible Hypothesis profile (HYPOTHESIS_PROFILE=explore looks further); skips on other hosts."""

import os
import shutil
import sys

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "ci", max_examples=60, derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("explore", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture
def browser():
    """A headless Chromium of the system, driven by Playwright; skips where one of them is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is missing: pip install playwright")
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("there is no chromium here: install the package chromium of the system")
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        chromium.close()


def pytest_collection_modifyitems(items):
    """Mark what needs a browser: ``pytest -m browser`` runs it, ``-m "not browser"`` all else."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")


LACKING = {
    "emscripten": ("lacks multiprocessing.synchronize", "does not support processes", "can't start new thread"),
    "pypy": ("'ProcessPoolExecutor' object has no attribute '_adjust_process_count'",),  # spawned pools of 7.3.11
}
"""What a host says to a test that starts a process or a thread that it cannot start."""


def skipped_where_lacking():
    """Skip what needs something that its host lacks."""
    try:
        return (yield)
    except (AttributeError, NotImplementedError, OSError, RuntimeError) as error:
        for host in (sys.platform, sys.implementation.name):
            if any(words in str(error) for words in LACKING.get(host, ())):
                pytest.skip(f"{host}: {error}")
        raise


pytest_pyfunc_call = pytest.hookimpl(wrapper=True)(skipped_where_lacking)
pytest_runtest_setup = pytest.hookimpl(wrapper=True)(skipped_where_lacking)
