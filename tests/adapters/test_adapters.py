"""The vectors find the known bugs of published programs again, and blame no right answer.

Each program is tested where it is installed: SciPy and statsmodels with the extra ``peers``, mlxtend, pingouin and
sacreBLEU by hand, R with coin and exactRankTests, and node with @stdlib in the folder that NODE_PACKAGES names.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from exactperm.testing import program, runner, vectors
from tests.peers import peer

FOLDER = Path(__file__).parent
ALL = vectors.load()

FOUND = {
    "scipy": {
        "M0008": "impossible",
        "W0016": "other reading",
        "W0025": "wrong",
        "P0201": "other reading",
        "P0205": "other reading",
    },
    "statsmodels": {"M0008": "impossible"},
    "mlxtend": {"M0008": "impossible", "P0249": "wrong", "P0250": "wrong", "P0273": "wrong"},
    "pingouin": {"A0011": "impossible"},
    "sacrebleu": {"P0016": "acceptable"},
    "coin": {"P0203": "impossible", "W0016": "other reading"},
    "exactRankTests": {"W0016": "other reading", "P0048": "wrong"},
    "stdlib": {"W0007": "impossible", "W0022": "wrong", "A0005": "wrong"},
}
"""Verdicts on the first faulty alternative; those of the list of published programs in vectors/README.md."""

RIGHT = {
    "scipy": "W000[1-6] A00* G00* M00*",
    "statsmodels": "A00* G00*",
    "base": "A00* W00* G00*",
    "coin": "W00*",
    "stdlib": "A0001 A0003 A0008",
}
"""Vectors that the programs answer rightly, or by another reading or convention."""


def report(command, names):
    wanted = vectors.chosen(ALL.values(), names)
    with program.Program(command, 60.0) as other:
        return runner.run(ALL, wanted, other, seconds=60.0)


def check(name, command):
    expected = FOUND.get(name, {})
    found = report(command, [*expected, *RIGHT.get(name, "").split()])
    kinds = {}
    for outcome in found.outcomes:
        kinds.setdefault(outcome.vector.id, set()).add(outcome.verdict.kind)
    for vector, kind in expected.items():
        assert kind in kinds[vector], (vector, kinds[vector])
    blamed = {outcome.vector.id for outcome in found.outcomes if outcome.is_fault} - set(expected)
    assert not blamed


@pytest.mark.slow
@pytest.mark.parametrize("name", ["scipy", "statsmodels", "mlxtend", "pingouin", "sacrebleu"])
def test_python(name, monkeypatch):
    peer(name)
    monkeypatch.chdir(FOLDER.parent.parent)
    check(name, program.python(f"tests.adapters.{name}_adapter:answer"))


@pytest.mark.slow
@pytest.mark.parametrize("package", ["base", "coin", "exactRankTests"])
def test_r(package):
    program_r = shutil.which("Rscript") or "false"
    if subprocess.run([program_r, "-e", f"library({package})"], check=False, capture_output=True).returncode:
        pytest.skip(f"R with the package {package} is not installed")
    check(package, [program_r, str(FOLDER / "adapter.R"), package])


@pytest.mark.slow
def test_node(monkeypatch):
    folder = os.environ.get("NODE_PACKAGES")
    if not (folder and shutil.which("node")):
        pytest.skip("needs node, and its packages in the folder NODE_PACKAGES")
    monkeypatch.chdir(folder)
    check("stdlib", ["node", str(FOLDER / "stdlib.js")])
