"""Running the tests on each mutant: a plugin for pytest, one process for each mutant."""

from __future__ import annotations

import contextlib
import functools
import gc
import hashlib
import importlib
import json
import os
import resource
import select
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import mutmut.mutation.trampoline
import pytest

from spec.mutation.mutants import WORK, Mutant
from spec.mutation.record import KILLED, NOTICED, SURVIVED, TIMEOUT, UNTESTED

READERS = (
    "architecture",
    "public_names",
    "spec_check",
    "spec_mutants",
    "spec_mutation",
    "spec_pages",
    "spec_statements",
)
"""Tests that read the source text, which is not the project's own here."""
MEMORY = 6 << 30


# --------------------------------------------------------------------------------------------------------- switching


class Switch(NamedTuple):
    """What stands in front of one function: its variants by name, and the one that is called."""

    variants: dict[str, Any]
    chosen: list[Callable[..., Any]]


SWITCHES: dict[str, Switch] = {}
REACHED: set[str] = set()


def switch(variants: dict[str, Any], is_classmethod: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Decorator in place of mutmut's own, which reads the environment at every call."""

    def stand_before(original: Callable[..., Any]) -> Callable[..., Any]:
        name, chosen = f"{original.__module__}.{original.__qualname__}", [original]
        SWITCHES[name] = Switch(variants, chosen)

        @functools.wraps(original)
        def call(*args: Any, **options: Any) -> Any:
            REACHED.add(name)
            return chosen[0](*args, **options)

        return call

    return stand_before


def put_in_place(mutant: Mutant) -> None:
    """From here on, this process and the processes that it starts run the mutant."""
    importlib.import_module(mutant.module)
    place = SWITCHES[mutant.function]
    variant = place.variants[mutant.name.rpartition(".")[2]]
    place.chosen[0] = getattr(variant, "__func__", variant)
    mutmut.mutation.trampoline.set_mutant_under_test(mutant.name)


# ----------------------------------------------------------------------------------------------------------- running


def run(mutants: Sequence[Mutant], jobs: int, limit: float) -> int:
    """Verdicts on the mutants that are not known to be noticed; returns a status as pytest does."""
    plugin = Run(mutants, jobs, limit)
    if not os.fork():  # some tests close what they write to
        mutmut.mutation.trampoline.wrap_in_trampoline = switch
        os.chdir(WORK)
        sys.path.insert(0, str(WORK))
        ignored = [f"--ignore=tests/test_{name}.py" for name in READERS]
        quiet = ("-qqs", "-r", "", "--tb=native", "-p", "no:cacheprovider")
        os._exit(pytest.main([*quiet, "tests", *ignored], plugins=[plugin]))
    return os.waitstatus_to_exitcode(os.wait()[1])


class Reach(NamedTuple):
    """What one test takes: its seconds, and the functions that it calls."""

    seconds: float
    functions: list[str]


class Run:
    """In place of running the tests once, runs them on each mutant.

    The order of the tests: first those that have noticed mutants of the function before, then those in the test file of
    its module, then the quickest; as many as fit into ``limit`` seconds, at least one.
    """

    def __init__(self, mutants: Sequence[Mutant], jobs: int, limit: float) -> None:
        self.mutants, self.jobs, self.limit = mutants, jobs, limit
        self.verdicts = Store("verdicts.json")
        self.killers: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.items: dict[str, pytest.Item] = {}
        self.reach: dict[str, Reach] = {}
        self.tests: defaultdict[str, list[str]] = defaultdict(list)

    def pytest_sessionstart(self) -> None:
        """One failing example is enough: it need not be made smaller, nor others be found."""
        from hypothesis import Phase, settings  # after pytest, whose plugin wants to be first

        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("mutation", settings(), phases=phases, report_multiple_bugs=False)
        settings.load_profile("mutation")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """All mutants, ``jobs`` at a time."""
        if session.testsfailed:
            raise session.Failed(f"{session.testsfailed} errors while collecting")
        self.items = {item.nodeid: item for item in session.items}
        self.reach = watch(session.items)
        for node, each in self.reach.items():
            for function in each.functions:
                self.tests[function].append(node)
        gc.collect()
        gc.freeze()  # so that the forks share the memory
        self._all([mutant for mutant in self.mutants if self._known(mutant) not in NOTICED])
        self._without_mutants()
        return True

    def _known(self, mutant: Mutant) -> str | None:
        """The verdict of an earlier run on the same function, by a test that there still is."""
        digest, verdict, killer = self.verdicts.get(mutant.name, (None, None, None))
        if digest != mutant.digest or (killer and killer not in self.items):
            return None
        if killer:
            self.killers[mutant.function][killer] += 1
        return str(verdict)

    def _all(self, mutants: Sequence[Mutant]) -> None:
        running: dict[int, tuple[Mutant, Child]] = {}
        queue = list(reversed(mutants))
        while queue or running:
            while queue and len(running) < self.jobs:
                mutant = queue.pop()
                child = Child(mutant, self.choose(mutant), self)
                running[child.pipe] = mutant, child
            ready, _, _ = select.select(list(running), [], [], 1)
            for pipe, (mutant, child) in list(running.items()):
                verdict = child.verdict(pipe in ready)
                if verdict is not None:
                    del running[pipe]
                    self._keep(mutant, *verdict)
            print(f"\r{len(mutants) - len(queue) - len(running)} of {len(mutants)}", end="", file=sys.stderr)
        self.verdicts.write()

    def _without_mutants(self) -> None:
        """Where there is no mutant, the tests that noticed some must pass; else they noticed something else."""
        nodes = {killer for killers in self.killers.values() for killer in killers}
        child = Child(None, [node for node in self.items if node in nodes], self)
        verdict = None
        while verdict is None:
            verdict = child.verdict(bool(select.select([child.pipe], [], [], 1)[0]))
        if verdict[0] not in (SURVIVED, UNTESTED):
            for name in [name for name, (_, _, killer) in self.verdicts.items() if killer == verdict[1]]:
                del self.verdicts[name]
            self.verdicts.write()
            raise pytest.exit.Exception(f"{verdict[1]} fails without any mutant: its verdicts are taken back")

    def _keep(self, mutant: Mutant, verdict: str, killer: str | None) -> None:
        if killer:
            self.killers[mutant.function][killer] += 1
        self.verdicts[mutant.name] = (mutant.digest, verdict, killer)
        if len(self.verdicts) % 50 == 0:
            self.verdicts.write()

    def choose(self, mutant: Mutant) -> list[str]:
        """The tests to run on a mutant, in order."""
        known, own = self.killers[mutant.function], f"tests/test_{mutant.module.rpartition('.')[2]}.py"
        order = {
            node: (-known[node], not node.startswith(own), self.reach[node]) for node in self.tests[mutant.function]
        }
        seconds, chosen = 0.0, []
        for node in sorted(order, key=order.__getitem__):
            seconds += self.reach[node].seconds
            if not chosen or seconds <= self.limit:
                chosen.append(node)
        return chosen


class Child:
    """A process that runs tests on one mutant until one fails; its word comes through a pipe."""

    def __init__(self, mutant: Mutant | None, nodes: Sequence[str], run: Run) -> None:
        seconds = int(3 * sum(run.reach[node].seconds for node in nodes) + 8)
        self.untested = not nodes
        self.deadline = time.monotonic() + 4 * seconds
        self.pipe, answer = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            _test(mutant, [run.items[node] for node in nodes], answer, seconds)
        os.close(answer)

    def verdict(self, ready: bool) -> tuple[str, str | None] | None:
        """The verdict and the test that gave it, or None while there is none."""
        late = time.monotonic() > self.deadline
        if not ready and not late:
            return None
        if late:
            os.killpg(self.pid, signal.SIGKILL)
        word = os.read(self.pipe, 1 << 16).decode()  # not to the end: processes of the tests may hold the pipe open
        os.close(self.pipe)
        os.waitpid(self.pid, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)  # processes that the tests started
        if self.untested:
            return UNTESTED, None
        if not word:  # ended by a signal: out of time
            return TIMEOUT, None
        return (SURVIVED, None) if word == SURVIVED else (KILLED, word)


def _test(mutant: Mutant | None, items: Iterable[pytest.Item], answer: int, seconds: int) -> None:
    """In a process of its own; never returns."""
    word = SURVIVED
    try:
        os.setsid()
        silent = os.open(os.devnull, os.O_RDWR)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if mutant:
            put_in_place(mutant)
        word = next((item.nodeid for item in items if not passes(item)), SURVIVED)
    except BaseException as error:  # what pytest itself does not survive
        word = f"{type(error).__name__}: {error}"
    finally:
        os.write(answer, word.encode())
        os._exit(0)


def passes(item: pytest.Item) -> bool:
    """Run one test; whether it passed or was skipped."""
    item.session.testsfailed, item.session.shouldfail = 0, False
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
    return item.session.testsfailed == 0


def watch(items: Iterable[pytest.Item]) -> dict[str, Reach]:
    """Which functions each test calls: watched once, and again when its file changes, or what functions there are."""
    kept, found = Store("reach.json"), {}
    functions = " ".join(sorted(SWITCHES)).encode()
    digests: dict[Path, str] = {}
    for item in items:
        digest = digests.setdefault(item.path, hashlib.sha256(functions + item.path.read_bytes()).hexdigest()[:12])
        if kept.get(item.nodeid, [None])[0] != digest:
            REACHED.clear()
            start = time.process_time()
            if not passes(item):
                raise pytest.exit.Exception(f"{item.nodeid} fails without any mutant")
            kept[item.nodeid] = [digest, time.process_time() - start, sorted(REACHED)]
        found[item.nodeid] = Reach(*kept[item.nodeid][1:])
    kept.write()
    return found


class Store(dict[str, Any]):
    """A dictionary kept in a file beside the mutants."""

    def __init__(self, name: str) -> None:
        self.path = WORK / name
        super().__init__(json.loads(self.path.read_text(encoding="utf-8")) if self.path.exists() else {})

    def write(self) -> None:
        """Keep it as it is now; the file is whole at any time."""
        fresh = self.path.with_suffix(".new")
        fresh.write_text(json.dumps(self), encoding="utf-8")
        fresh.replace(self.path)
