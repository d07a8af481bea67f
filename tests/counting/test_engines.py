"""Each engine is self-contained: without its file, and its row in the table, the others count as before."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import exactperm
from exactperm.counting import methods

pytestmark = pytest.mark.slow

PACKAGE = Path(exactperm.__file__).parent
PARTS = {"recurrence": ["recurrence", "split", "terms", "binomial"]}
TALLIES = [{1: 2, 3: 1}, {1: 12, 5: 2}, {1: 3, 2: 4, 3: 5, 4: 2, 30: 6}]
LONG = {1: 300, 2: 200, 3: 100, 4: 90, 7: 30}
REPORT = f"""
from exactperm.budget import Options
from exactperm.counting import methods, plan
for method in methods.METHODS:
    for tally in {TALLIES}:
        print(plan.count_at_most(tally, sum(tally) * 2 - 1, Options(method=method))[0])
        if method != "meet-in-the-middle":
            print(*plan.counts(tally, Options(method=method))[0].items())
    if method not in ("dp", "enumeration"):
        print(plan.count_at_most({LONG}, 800, Options(method=method))[0])
"""


def report(folder):
    """What every engine of a copy of the package counts, with the names of the engines."""
    script = REPORT + "    print(method)\n"
    command = [sys.executable, "-c", script]
    said = subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=folder
    ).stdout.splitlines()
    engines, lines = {}, []
    for line in said:
        lines.append(line)
        if line in methods.METHODS:
            engines[line], lines = lines[:-1], []
    return engines


@pytest.fixture(name="whole", scope="module")
def _whole():
    return report(PACKAGE.parent)


@pytest.mark.parametrize("name", methods.ENGINES)
def test_the_others_count_without_it(name, whole, tmp_path):
    counting = tmp_path / "exactperm" / "counting"
    shutil.copytree(PACKAGE, tmp_path / "exactperm", ignore=shutil.ignore_patterns("__pycache__"))
    module = methods.ENGINES[name][0]
    for part in PARTS.get(module, [module]):
        (counting / f"{part}.py").unlink()
    table = counting / "methods.py"
    text, rows = re.subn(rf'    "{name}": \(.*\),\n', "", table.read_text(encoding="utf-8"))
    table.write_text(text, encoding="utf-8")
    assert rows == 1
    assert report(tmp_path) == {
        method: counts for method, counts in whole.items() if method != name
    }
