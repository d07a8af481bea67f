"""Run the wrong programs of ``wrong-programs.txt``: ``python3 spec/wrong_programs.py [--folder] [words of a name]``.

Each one replaces a piece of the source, which must occur once. The tests that it names must fail;
that they pass on the right program is shown by the test suite. No clock decides: a program that
does not end is stopped after a minute of its own processor time, and counts as not noticed.

With ``--folder`` all quick tests of its folder run, too, and those that fail are kept in
``noticed.txt``, which links them to the statements that the program breaks.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "spec" / "wrong-programs.txt"
NOTICED = "noticed.txt"
# by pytest's status, or the signal
OUTCOMES = {1: "", 0: "not noticed", -9: "does not end", -24: "does not end"}


class Wrong(NamedTuple):
    """A wrong program: the statements that it breaks, by anchor, and the tests that must fail."""

    name: str
    breaks: list[str]
    file: str
    tests: list[str]
    old: str
    new: str


def load(text: str) -> list[Wrong]:
    """Read the list: blocks of a name, "breaks ... in file", "noticed by ...", then lines with - and with +."""
    found = []
    for block in filter(None, text.strip("\n").split("\n\n")):
        name, breaks, tests, *diff = block.split("\n")
        anchors, file = breaks[len("breaks ") :].split(" in ")
        old, new = ("\n".join(line[1:] for line in diff if line[0] == sign) for sign in "-+")
        nodes = [f"tests/{test}" for test in tests[len("noticed by ") :].split()]
        found.append(Wrong(name, anchors.split(), file, nodes, old, new))
    return found


def noticed(root: Path) -> dict[str, list[str]]:
    """Read which tests of its folder notice each wrong program that was run against it, by its name."""
    path = root / "spec" / NOTICED
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    blocks = (block.split("\n    ") for block in text.strip("\n").split("\n\n") if block)
    return {name: tests for name, *tests in blocks}


def keep(root: Path, found: dict[str, list[str]]) -> None:
    """Write that list."""
    blocks = ("\n    ".join([name, *sorted(tests)]) + "\n" for name, tests in sorted(found.items()))
    (root / "spec" / NOTICED).write_text("\n".join(blocks), encoding="utf-8")


def verdicts(programs: list[Wrong], kept: Path | None) -> Iterator[tuple[str, str]]:
    """Run the programs, one process each, and yield (name, "" or what happened in place of a failing test).

    Where a folder is given, the tests of a program's folder run, and a file of the program's name
    there lists those that fail.
    """
    from hypothesis import HealthCheck, Phase, settings

    # as in tests/conftest.py; a failing example need not be made smaller
    settings.register_profile(
        "wrong",
        max_examples=60,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    running: dict[int, str] = {}
    for wrong in [*programs, None]:
        while running and (wrong is None or len(running) >= (os.cpu_count() or 1)):
            process, status = os.wait()
            code = os.waitstatus_to_exitcode(status)
            yield running.pop(process), OUTCOMES.get(code, f"no verdict (status {code})")
        if wrong is not None:
            occurs = (ROOT / "exactperm" / wrong.file).read_text(encoding="utf-8").count(wrong.old)
            if occurs == 1:
                running[started(wrong, kept)] = wrong.name
            else:
                yield wrong.name, f"its text occurs {occurs} times in {wrong.file}"


class Changed(SourceFileLoader):
    """Load one file of the package with a piece of its source replaced, whatever is compiled already."""

    def __init__(self, fullname: str, path: str, wrong: Wrong) -> None:
        super().__init__(fullname, path)
        self.wrong = wrong

    def get_code(self, fullname: str) -> Any:
        """Compile the replaced source."""
        return self.source_to_code(
            Path(self.path).read_text("utf-8").replace(self.wrong.old, self.wrong.new), self.path
        )


class Finder(MetaPathFinder):
    """Find the file that a wrong program changes before Python finds it as it is."""

    def __init__(self, wrong: Wrong) -> None:
        self.wrong = wrong

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """Return the specification of the changed module; None leaves all others to Python."""
        if not fullname.startswith("exactperm"):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin != str(ROOT / "exactperm" / self.wrong.file):
            return None
        spec.loader = Changed(fullname, spec.origin, self.wrong)
        return spec


class Failed:
    """Notes the functions of tests that fail."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note a test that fails, whatever its parameters."""
        if report.failed:
            self.names.add(report.nodeid.partition("[")[0])


def of_folder(wrong: Wrong) -> list[str]:
    """The tests of the folder of a wrong program, or of the file of its name, and those that it names."""
    folder, _, file = wrong.file.rpartition("/")
    own = [
        f"tests/test_{file}",
        *([f"tests/{folder}", f"tests/test_{folder}.py"] if folder else []),
    ]
    return [*(each for each in own if (ROOT / each).exists()), *wrong.tests]


def started(wrong: Wrong, kept: Path | None) -> int:
    """Fork a process that runs the tests on the wrong program, which it alone imports, and return its number."""
    import resource

    import pytest

    process = os.fork()
    if process:
        return process
    status = 99
    try:
        seconds = 60 if kept is None else 600
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.environ["HYPOTHESIS_PROFILE"] = "wrong"
        os.chdir(ROOT)
        sys.meta_path.insert(0, Finder(wrong))
        words = ["-q", "--assert=plain", "-p", "no:cacheprovider", "--tb=no"]
        if kept is None:
            status = pytest.main([*words, "-x", "--whole", *wrong.tests])
        else:
            failed, quick = Failed(), ["-m", "not slow", "--timeout=60"]
            status = pytest.main([*words, *quick, *of_folder(wrong)], plugins=[failed])
            (kept / str(hash(wrong.name))).write_text("\n".join(failed.names), encoding="utf-8")
    finally:
        os._exit(status)


def main(words: list[str]) -> int:
    """Run all programs whose names contain the words, and report those that are not noticed."""
    folder, words = "--folder" in words, [word for word in words if word != "--folder"]
    programs = load(LIST.read_text(encoding="utf-8"))
    chosen = [wrong for wrong in programs if all(word in wrong.name for word in words)]
    with TemporaryDirectory() as place:
        kept = Path(place) if folder else None
        found = [f"{name}: {what}" for name, what in verdicts(chosen, kept) if what]
        texts = {path.name: path.read_text(encoding="utf-8") for path in Path(place).iterdir()}
    if folder:
        known = noticed(ROOT)
        known.update(
            {
                wrong.name: texts[str(hash(wrong.name))].splitlines()
                for wrong in chosen
                if str(hash(wrong.name)) in texts
            }
        )
        names = {wrong.name for wrong in programs}
        keep(ROOT, {name: tests for name, tests in known.items() if name in names})
    print(*found, f"{len(chosen)} wrong programs, {len(found)} not noticed", sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
