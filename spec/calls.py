"""Which functions each test calls: a pytest plugin, and the run that uses it.

The functions to watch get a small trampoline for their code. A function keeps its identity that way, so that modules
which imported it by name are watched too, and all other code runs at full speed.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import pytest

_REQUEST = "EXACTPERM_SPEC_CALLS"
_REGISTRY = "__spec_watched__"


class Run(NamedTuple):
    """Outcome of each test without parameters ("passed" if all its cases passed), what it called, and the output."""

    outcomes: dict[str, str]
    called: dict[str, set[str]]
    unwatched: dict[str, str]
    output: str


def run(root: Path, nodes: Iterable[str], names: Iterable[str]) -> Run:
    """Run the tests in ``root`` in one process of their own, watching the named functions and classes."""
    with tempfile.TemporaryDirectory() as scratch:
        request, answer = Path(scratch) / "request.json", Path(scratch) / "answer.json"
        request.write_text(json.dumps({"names": sorted(names), "answer": str(answer)}), encoding="utf-8")
        tool = str(Path(__file__).resolve().parent.parent)
        command = [sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "spec.calls", "-p", "no:cacheprovider"]
        done = subprocess.run(
            [*command, *sorted(nodes)],
            cwd=root,
            env={**os.environ, _REQUEST: str(request), "PYTHONPATH": tool},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        data = json.loads(answer.read_text(encoding="utf-8")) if answer.exists() else {}
    called = {node: set(names) for node, names in data.get("called", {}).items()}
    return Run(data.get("outcomes", {}), called, data.get("unwatched", {}), done.stdout)


# ------------------------------------------------------------------------------ inside the process of the tests


class _Watch:
    """The plugin: what the current test called, for every test."""

    def __init__(self, names: list[str], answer: str) -> None:
        self.names, self.answer = names, answer
        self.now: set[str] = set()
        self.called: dict[str, set[str]] = {}
        self.outcomes: dict[str, str] = {}
        self.unwatched: dict[str, str] = {}

    def pytest_collection_finish(self) -> None:
        """Everything is imported now, so that nothing done while importing counts as a call."""
        for name in self.names:
            try:
                watch(name, functools.partial(self.now.add, name))
            except (ImportError, AttributeError, TypeError) as error:
                self.unwatched[name] = f"{type(error).__name__}: {error}"

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """One test with its fixtures."""
        self.now.clear()
        yield
        self.called.setdefault(_plain(item.nodeid), set()).update(self.now)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Passed only if every case passed, in all of its phases."""
        node = _plain(report.nodeid)
        if report.outcome != "passed" or report.when == "call":
            before = self.outcomes.get(node, "passed")
            self.outcomes[node] = report.outcome if before == "passed" else before

    def pytest_sessionfinish(self) -> None:
        """Hand the answer over."""
        called = {node: sorted(names) for node, names in self.called.items()}
        data = {"called": called, "outcomes": self.outcomes, "unwatched": self.unwatched}
        Path(self.answer).write_text(json.dumps(data), encoding="utf-8")


def _plain(node: str) -> str:
    return node.partition("[")[0]


def pytest_configure(config: pytest.Config) -> None:
    """Start watching where a run asked for it."""
    if _REQUEST in os.environ:
        config.pluginmanager.register(_Watch(**json.loads(Path(os.environ[_REQUEST]).read_text(encoding="utf-8"))))


def watch(name: str, report: Callable[[], object]) -> None:
    """Call ``report`` whenever the named function, a method of the named class, or a part of the named value runs.

    A value is watched through its functions ``combine`` or ``components``: a statistic. Raises ``TypeError`` for
    anything without Python code of its own.
    """
    owner, thing = _find(name)
    functions = list(_functions(owner, thing))
    if not functions:
        raise TypeError(f"{name} has no Python code that a call could be seen in")
    for where, function, kind in functions:
        _instrument(where, function, functools.partial(_report, report, kind))


def _report(report: Callable[[], object], kind: type | None, arguments: tuple[Any, ...]) -> None:
    if kind is None or (arguments and isinstance(arguments[0], kind)):
        report()


def _find(name: str) -> tuple[Any, Any]:
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            owner: Any = None
            thing: Any = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            owner, thing = thing, (vars(thing)[part] if isinstance(thing, type) else getattr(thing, part))
        return owner, thing
    raise ImportError(f"no module of {name}")


def _functions(owner: Any, thing: Any) -> Iterator[tuple[Any, FunctionType, type | None]]:
    """(owner, function, class that the first argument must have) of everything that runs on a use of the thing."""
    if isinstance(thing, type):
        for value in vars(thing).values():
            yield from _functions(thing, value)
        init = thing.__init__  # type: ignore[misc]
        if isinstance(init, FunctionType):
            yield next(base for base in thing.__mro__ if "__init__" in vars(base)), init, thing
        return
    plain = getattr(thing, "__func__", None) or getattr(thing, "fget", None) or getattr(thing, "func", None) or thing
    if isinstance(plain, FunctionType):
        yield owner, plain, None
    elif getattr(thing, "combine", None) is not None:
        yield from _functions(None, thing.combine)
    else:
        for part in getattr(thing, "components", ()):
            yield from _functions(None, part)


def _instrument(owner: Any, function: FunctionType, report: Callable[[tuple[Any, ...]], None]) -> None:
    registry = _registry()
    if function in registry:
        registry[function].append(report)
        return
    reports = registry[function] = [report]
    original = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    original.__kwdefaults__ = function.__kwdefaults__

    def watched(*args: Any, **kwargs: Any) -> Any:
        for each in reports:
            each(args)
        return original(*args, **kwargs)

    if function.__closure__:  # its code cannot be exchanged; a method with super() is replaced in its class
        if not isinstance(owner, type) or vars(owner).get(function.__name__) is not function:
            raise TypeError(f"{function.__qualname__} is a closure")
        setattr(owner, function.__name__, functools.wraps(function)(watched))
        return
    number = len(registry)
    registry[number] = watched
    forward = "return (yield from" if inspect.isgeneratorfunction(function) else "return ("
    source = f"def trampoline(*args, **kwargs): {forward} {_REGISTRY}[{number}](*args, **kwargs))"
    scope: dict[str, Any] = {}
    exec(source, scope)
    function.__code__ = scope["trampoline"].__code__


def _registry() -> dict[Any, Any]:
    """What the trampolines find at run time: a builtin name, so that no watched module gets a new one."""
    import builtins

    registry: dict[Any, Any] = vars(builtins).setdefault(_REGISTRY, {})
    return registry
