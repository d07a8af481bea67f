"""Reproducible Hypothesis profiles (HYPOTHESIS_PROFILE=explore looks further); slow tests; skips on other hosts.

Tests that take more than a tenth of a second have the mark "slow": coverage pauses. Of those with
many parameters, and of long campaigns, ``.ci/run`` takes a fixed sample; with ``--whole``, as in
``.ci/run-all``, they run whole.
"""

import functools
import gc
import importlib
import json
import os
import pkgutil
import shutil
import sys

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import engine

import exactperm
from exactperm.certificates import verify_scores
from exactperm.cli import main
from tests import wings

for profile, examples in (("ci", 20), ("whole", 200)):  # of .ci/run, of .ci/run-all
    settings.register_profile(
        profile,
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.register_profile(
    "explore", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
engine.MAX_SHRINKING_SECONDS = 20  # a failing example need not be the smallest
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture(scope="session")
def playwright():
    """Playwright, which can be started once in a process."""
    reason = "Playwright is missing: pip install playwright"
    with pytest.importorskip("playwright.sync_api", reason=reason).sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright):
    """A headless Chromium of the system, driven by Playwright; skips where one of them is missing."""
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("there is no chromium here: install the package chromium of the system")
    chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
    yield chromium
    chromium.close()


SCORES = "id,new,old,doc\na,0.930,0.91,x\nb,0.8,0.85,x\nc,0.7,0.5,y\nd,0.6,0.6,z\n"


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a file of the given text or bytes in a fresh working directory."""
    monkeypatch.chdir(tmp_path)

    def written(content, name="f.csv"):
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return written


@pytest.fixture
def scores(write):
    """Write scores.csv, a file of four items of two systems."""
    return write(SCORES, "scores.csv")


@pytest.fixture
def verify(tmp_path):
    """Verify a record and its scores; return the exit status."""

    def verified(record, *scores):
        names = [tmp_path / name for name in ("record.json", "first", "second")[: 1 + len(scores)]]
        for name, content in zip(names, (json.dumps(record).encode(), *scores)):
            name.write_bytes(content)
        return verify_scores.main([*map(str, names)])

    return verified


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run a command in that folder: (status, standard output, standard error)."""
    monkeypatch.chdir(tmp_path)

    def ran(*words):
        status = main.main([*words])
        return (status, *capsys.readouterr())

    return ran


@pytest.hookimpl(wrapper=True)
def pytest_collection(session):
    """Keep the collector of garbage from looking through all tests again and again."""
    gc.disable()
    found = yield
    gc.freeze()
    gc.enable()
    return found


collect_ignore = [*wings.left_out(wings.ABSENT)]


def pytest_addoption(parser):
    """Add the options that run more, or less, than .ci/run."""
    parser.addoption("--whole", action="store_true", help="also what .ci/run-all alone runs")
    parser.addoption(
        "--linked",
        action="store_true",
        help="only tests that spec/ links, slow ones under coverage, too",
    )
    parser.addoption(
        "--fuzz-cases",
        type=int,
        help="cases of tests/fuzz, of all kinds together; 8000 with --whole",
    )


def function_of(item):
    """Return the name of a test: its file below tests/, and its function, whatever its parameters."""
    return item.nodeid.partition("[")[0].removeprefix("tests/")


KEPT = 2
"""Parameters of a slow test that run every time, spread over all."""
SHARE = 8
"""Cases of a campaign for each that runs every time."""


@pytest.fixture
def sampled(request):
    """Return the function that gives the number of cases of a campaign: all with --whole, else a share."""
    return lambda cases, share=SHARE: cases if request.config.getoption("whole") else cases // share


def mark_samples(slow):
    """Mark a sample of the parameters of each slow test, and the campaigns, whose cases are sampled."""
    parameters = {}
    for item in slow:
        parameters.setdefault(function_of(item), []).append(item)
    for found in parameters.values():
        kept = (
            {len(found) * i // KEPT for i in range(KEPT)}
            if len(found) > KEPT
            else range(len(found))
        )
        for i, item in enumerate(found):
            if "sampled" in item.fixturenames:
                item.add_marker("whole")
                item.add_marker("sample")
            elif i not in kept:
                item.add_marker("whole")


def pytest_collection_modifyitems(config, items):
    """Mark what needs a wing or a browser; without --whole, keep only samples of what is marked "whole"."""
    for item in items:
        for wing in wings.of_folder(item.path.parent.name):
            item.add_marker(pytest.mark.wing(wing))
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
    keep(config, items, [item for item in items if not lacking(item)])
    # one worker starts the browser and the page
    items.sort(key=lambda item: not item.get_closest_marker("browser"))
    if config.getoption("linked"):
        keep(
            config,
            items,
            [item for item in items if f"tests/{function_of(item)}" in Contexts.linked(slow=True)],
        )
    mark_samples([item for item in items if item.get_closest_marker("slow")])
    if not config.getoption("whole"):
        keep(
            config,
            items,
            [
                i
                for i in items
                if not i.get_closest_marker("whole") or i.get_closest_marker("sample")
            ],
        )


def lacking(item):
    """Whether a test needs a wing that this copy is without."""
    return any({*mark.args} & {*wings.ABSENT} for mark in item.iter_markers("wing"))


def keep(config, items, kept):
    """Deselect all other tests."""
    config.hook.pytest_deselected(items=list({*items} - {*kept}))
    items[:] = kept


class Contexts:
    """Coverage remembers which of the tests that spec/ links reached a line; spec/check.py --reach reads that."""

    def __init__(self, controller):
        self.controller, self.current = controller, ""

    @staticmethod
    @functools.lru_cache(None)
    def linked(*, slow):
        """Return the names of the linked tests; a test that measures memory is none of them."""
        from spec import check

        return check.traced(check.definitions(check.ROOT), check.statements(check.ROOT), slow=slow)

    def name(self, item):
        """Return the name of a linked test; "" for others."""
        name = f"tests/{function_of(item)}"
        return name if name in self.linked(slow=item.config.getoption("linked")) else ""

    def enter(self, name):
        """Switch only where the name is another, since each switch costs milliseconds."""
        if name != self.current and self.controller.started:
            self.controller.cov.switch_context(name)
            self.current = name

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        """Pause for a slow test and its fixtures, unless it is asked what they reach."""
        pause = item.get_closest_marker("slow") and not item.config.getoption("linked")
        if pause:
            self.controller.pause()
        found = yield
        if pause:
            self.controller.resume()
        return found

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item):
        """Leave the test before this one, unless it has other parameters only."""
        if self.name(item) != self.current:
            self.enter("")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self, item):
        """What the test itself reaches is of its name, not what its fixtures reach."""
        self.enter(self.name(item))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionstart(session):
    """Name the linked tests in the data of coverage, where it runs in this process."""
    plugin = session.config.pluginmanager.getplugin("_cov")
    if hasattr(session.config, "workerinput") and getattr(plugin, "cov_controller", None):
        # made as for the main process; it would go on where that of the worker pauses
        plugin.cov_controller.pause()
    found = yield
    if getattr(plugin, "cov_controller", None):
        # now, while coverage does not pause
        for module in pkgutil.walk_packages(exactperm.__path__, "exactperm."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
        session.config.pluginmanager.register(Contexts(plugin.cov_controller))
    return found


LACKING = {
    "emscripten": (
        "lacks multiprocessing.synchronize",
        "does not support processes",
        "can't start new thread",
    ),
    # spawned pools of 7.3.11
    "pypy": ("'ProcessPoolExecutor' object has no attribute '_adjust_process_count'",),
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
