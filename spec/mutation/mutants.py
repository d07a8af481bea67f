"""Making the mutants: a copy of the project in which every function lies in all its variants."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from mutmut.mutation.file_mutation import MutatedFile, mutate_file_contents

ROOT = Path(__file__).resolve().parent.parent.parent
WORK = ROOT / "mutants"
PACKAGE = "exactperm"
COPIED = (
    "tests", "spec", "benchmarks", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff", "LICENSE",
    "pyproject.toml",
)  # fmt: skip


class Mutant(NamedTuple):
    """One change of one function, a dotted name; ``digest`` tells whether the function is still the same."""

    name: str
    function: str
    digest: str
    old: str
    new: str

    @property
    def module(self) -> str:
        """Where the function is."""
        return self.name.rpartition(".")[0]

    @property
    def change(self) -> tuple[str, str, str]:
        """The function with its line before and after."""
        return self.function, self.old, self.new


def generate() -> list[Mutant]:
    """All mutants of the package, after making or renewing the copy."""
    os.chdir(ROOT)  # where mutmut looks for its settings
    WORK.mkdir(exist_ok=True)
    for name in COPIED:
        source, target = ROOT / name, WORK / name
        if source.is_dir():
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    return [mutant for source in sorted((ROOT / PACKAGE).rglob("*.py*")) for mutant in _mutate(source)]


def _mutate(source: Path) -> list[Mutant]:
    """The mutants of one module: made anew if it has changed."""
    target = WORK / source.relative_to(ROOT)
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.suffix == ".pyc":
        return []
    if source.suffix != ".py":
        shutil.copy(source, target)
        return []
    text, kept = source.read_text(encoding="utf-8"), target.with_suffix(".json")
    if kept.exists() and (old := json.loads(kept.read_text(encoding="utf-8")))["source"] == text:
        return [Mutant(*fields) for fields in old["mutants"]]
    file = str(source.relative_to(ROOT))
    made = mutate_file_contents(file, text)
    target.write_text(made.code, encoding="utf-8")
    mutants = list(_mutants(file[:-3].replace(os.sep, ".").removesuffix(".__init__"), made))
    kept.write_text(json.dumps({"source": text, "mutants": mutants}), encoding="utf-8")
    return mutants


def _mutants(module: str, made: MutatedFile) -> Iterator[Mutant]:
    """A variant is named x_function__mutmut_3 or xǁClassǁmethod__mutmut_3; __mutmut_orig is the function as it is."""
    lines = made.code.splitlines()
    for name in made.mutant_names:
        base = name.rpartition("__mutmut_")[0]
        spans = (made.line_span_by_function_name[each] for each in (f"{base}__mutmut_orig", name))
        old, new = changed(*(lines[span.start - 1 : span.end] for span in spans))
        function = f"{module}.{base[2:].replace('ǁ', '.')}"
        yield Mutant(f"{module}.{name}", function, made.hash_by_function_name[base], old, new)


def changed(old: list[str], new: list[str]) -> tuple[str, str]:
    """The lines in which two variants of a function differ, each version in one line; their names do not count."""
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    pairs = zip_longest(old, new)
    same = next((i for i, (a, b) in enumerate(pairs) if a != b and not _names(a, b)), 0)
    first, second = (" ".join(line.strip() for line in each[same:]) for each in (old, new))
    return first, second


def _names(old: str | None, new: str | None) -> bool:
    """Whether two lines are the two names of the function, and the same else."""
    return old is not None and new is not None and "__mutmut_orig" in old and "__mutmut_" in new
