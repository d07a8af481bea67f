"""Named wrong variants of the algorithms, on which the covering tests must fail: ``python3 spec/mutants.py``.

``mutants.json`` holds one entry for each: a name, the identifiers of the statements it breaks, the module, the text to
replace and what to put there, and the tests that must notice. A variant is put in place by an import hook in a process
of its own; no file is changed. Where the text to replace no longer stands in the module exactly once, that is an error.
"""

from __future__ import annotations

import argparse
import importlib.machinery
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import CodeType, ModuleType
from typing import NamedTuple

import pytest

if not __package__ and __name__ == "__main__":  # run as a script: import from the project, not from this folder
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from spec.model import DONE, Item
from spec.model import load as load_list

ROOT = Path(__file__).resolve().parent.parent
_REQUEST = "EXACTPERM_SPEC_MUTANT"
KILLED, SURVIVED = "killed", "survived"
_FAILED = 1  # the exit status of pytest where tests ran and failed; anything else is no verdict on the tests
_SECONDS = 120


class Mutant(NamedTuple):
    """A wrong variant: ``old`` replaced by ``new`` in ``module`` (dotted), which ``tests`` must notice."""

    name: str
    ids: list[str]
    module: str
    old: str
    new: str
    tests: list[str]

    @property
    def file(self) -> str:
        """Where the module is, from the root."""
        return self.module.replace(".", "/") + ".py"


def load(root: Path) -> list[Mutant]:
    """The variants of the project at ``root``."""
    entries = json.loads((root / "spec" / "mutants.json").read_text(encoding="utf-8"))
    return [Mutant(**entry) for entry in entries]


def problems(mutants: Sequence[Mutant], items: Sequence[Item], root: Path) -> list[str]:
    """Variants that cannot be put in place, and statements that none of them breaks."""
    return _misplaced(mutants, root) + _untried(mutants, items)


def _untried(mutants: Iterable[Mutant], items: Iterable[Item]) -> list[str]:
    """Every algorithm and theorem has a variant, and every variant breaks statements that there are."""
    tried = {name for mutant in mutants for name in mutant.ids}
    done = {item.id: item for item in items if item.status in DONE}
    found = [f"{item.id}: no mutant breaks it" for item in done.values() if _provable(item) and item.id not in tried]
    known = set(done) | {item.id for item in items if item.status == "planned"}
    return found + [f"{name}: a mutant breaks it, but it is not implemented" for name in sorted(tried - known)]


def _provable(item: Item) -> bool:
    return item.source == "own" or item.number.split()[0] in ("Alg.", "Thm.", "Cor.", "Lemma", "Prop.")


def _misplaced(mutants: Iterable[Mutant], root: Path) -> list[str]:
    found = []
    names: set[str] = set()
    for mutant in mutants:
        path = root / mutant.file
        times = path.read_text(encoding="utf-8").count(mutant.old) if path.exists() else 0
        if times != 1:
            found.append(f"mutant {mutant.name}: its text stands {times} times in {mutant.file}")
        if mutant.name in names:
            found.append(f"mutant {mutant.name}: the name occurs twice")
        if not mutant.tests or not mutant.ids:
            found.append(f"mutant {mutant.name}: it needs tests and ids")
        names.add(mutant.name)
    return found


def verdict(mutant: Mutant, root: Path) -> str:
    """What becomes of the variant: "killed" where the tests fail on it."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "--tb=no", "-p", "spec.mutants"]
    variables = {
        _REQUEST: json.dumps(mutant._asdict()),
        "HYPOTHESIS_PROFILE": "mutants",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # starting takes a third of the time without
        "PYTHONPATH": str(ROOT),
    }
    try:
        done = subprocess.run(
            [*command, "-p", "no:cacheprovider", *mutant.tests],
            cwd=root,
            env={**os.environ, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return f"no verdict within {_SECONDS} s"
    if done.returncode == _FAILED:
        return KILLED
    return SURVIVED if done.returncode == 0 else f"no verdict: {done.stdout.strip()[-2000:]}"


def verdicts(mutants: Sequence[Mutant], root: Path, workers: int) -> dict[str, str]:
    """The verdicts by name, several processes at a time."""
    with ThreadPoolExecutor(workers) as pool:
        return dict(zip((mutant.name for mutant in mutants), pool.map(lambda each: verdict(each, root), mutants)))


def unchanged(mutants: Iterable[Mutant]) -> Mutant:
    """The control: no change at all, under the tests of all variants. It must survive."""
    tests = sorted({test for mutant in mutants for test in mutant.tests})
    return Mutant("no change", [], "exactperm.errors", "", "", tests)


# ------------------------------------------------------------------------------ inside the process of the tests


class _Finder(importlib.machinery.PathFinder):
    """Finds the module of the variant like every other, and has it loaded with the replacement."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(  # type: ignore[override]
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The variant, or nothing for all other modules."""
        if fullname != self.mutant.module:
            return None
        found = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if found is not None and found.origin:
            found.loader = _Loader(self.mutant, fullname, found.origin)
        return found


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, mutant: Mutant, fullname: str, path: str) -> None:
        super().__init__(fullname, path)
        self.mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        """The code of the variant; compiled files are neither read nor written."""
        source = importlib.util.decode_source(self.get_data(self.path))
        return compile(source.replace(self.mutant.old, self.mutant.new), self.path, "exec", dont_inherit=True)


def pytest_configure() -> None:
    """Put the variant in place before the tests import it, and let Hypothesis stop at the first failure."""
    if _REQUEST not in os.environ:
        return
    mutant = Mutant(**json.loads(os.environ[_REQUEST]))
    if mutant.module in sys.modules:
        raise pytest.UsageError(f"{mutant.module} was imported too early")
    sys.meta_path.insert(0, _Finder(mutant))


if _REQUEST in os.environ:  # before tests/conftest.py loads the profile
    import hypothesis

    hypothesis.settings.register_profile(
        "mutants",
        max_examples=60,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )


# -------------------------------------------------------------------------------------------------- the command


def main(arguments: list[str] | None = None) -> int:
    """0 where the tests fail on every variant."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="only these (default: all)")
    parser.add_argument("--workers", type=int, default=2, help="processes at a time (default: 2)")
    options = parser.parse_args(arguments)
    mutants = [each for each in load(ROOT) if not options.names or each.name in options.names]
    found = [] if options.names else problems(mutants, load_list(ROOT / "spec" / "items.json").items, ROOT)
    if not found:
        judged = verdicts([unchanged(mutants), *mutants], ROOT, options.workers)
        wanted = dict.fromkeys(judged, KILLED) | {unchanged(mutants).name: SURVIVED}
        found = [f"mutant {name}: {what}" for name, what in judged.items() if what != wanted[name]]
    print("\n".join(found) if found else f"The tests fail on all {len(mutants)} wrong variants.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
