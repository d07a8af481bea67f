"""The vectors find the known bugs of published programs again, and blame no right answer.

Each program is tested where it is installed; ``programs.py`` says how.
"""

import json

import pytest

from exactperm.testing import vectors
from tests.adapters import programs
from tests.peers import PEERS, peer

ALL = vectors.load()
KNOWN = json.loads(programs.VERDICTS.read_text(encoding="utf-8"))

FOUND = {
    "scipy": ["M0008:two-sided impossible", "W0025:two-sided wrong", "P0273:two-sided wrong"]
    + [f"W00{n}:greater impossible" for n in (64, 66, 67, 68, 70, 72, 73)],
    "statsmodels": ["M0008:two-sided impossible"],
    "mlxtend": [
        "M0008:two-sided impossible",
        "P0249:two-sided wrong",
        "P0250:two-sided wrong",
        "P0273:two-sided wrong",
    ],
    "pingouin": ["A0011 impossible"],
    "coin": ["P0203:two-sided impossible", "P0237:two-sided impossible"],
    "exactRankTests": ["P0048:two-sided impossible", "P0031:two-sided impossible"],
    "stdlib": ["W0007:two-sided impossible", "W0022:two-sided wrong", "A0005 wrong"],
}
"""Faults that stay in any version until their authors repair them."""

READINGS = {
    "scipy": ["W0016:two-sided", "P0201:greater", "P0205:two-sided"],
    "coin": ["W0016:two-sided"],
    "exactRankTests": ["W0016:two-sided"],
}
"""Differences that hinge on the reading of the numbers: they are no faults."""

RIGHT = {
    "scipy": ["W000[1-8]", "A00*", "G000*", "M000[1-7]"],
    "statsmodels": ["A00*", "G000*", "M000[1-7]"],
    "base": ["A*", "W*", "G*"],
    "coin": ["W*"],
    "stdlib": ["A0001", "A0003", "A0008"],
}
"""Vectors without any fault: Wilcoxon's tests without ties, adjusted p-values, sign tests and small
McNemar tests."""


PATIENT = ("base", "coin", "exactRankTests", "pingouin", "scipy")
"""Programs that take many seconds, those in R tens of them."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.whole if name in PATIENT else ())
        for name in programs.FINDINGS
    ],
)
def test_published_programs(name, monkeypatch):
    """All vectors: the same faults as recorded for this version, and in any version the faults and readings above."""
    if name in PEERS:
        peer(name)
    words = programs.command(name)
    if words is None:
        pytest.skip(f"{name} is not installed: see tests/adapters/install.sh")
    monkeypatch.chdir(programs.ROOT)
    report = programs.verdicts(words)
    found = programs.summary(report)
    faults = [f"{name} {kind}" for kind, names in found["faults"].items() for name in names]
    assert set(FOUND.get(name, [])) <= set(faults)
    kinds = {outcome.id: outcome.kind for outcome in report.outcomes}
    assert {kinds[question] for question in READINGS.get(name, [])} <= {"other reading"}
    blamed = {vector.id for vector in (vectors.picked(RIGHT[name]) if name in RIGHT else [])}
    assert not blamed & {fault.partition(":")[0].partition(" ")[0] for fault in faults}
    if found["version"] == KNOWN[name]["version"]:
        assert found["faults"] == KNOWN[name]["faults"]


@pytest.mark.slow
def test_every_recorded_fault_is_explained():
    """The page names a record for every kind of fault; nothing is blamed in the programs above that are right."""
    assert list(KNOWN) == list(programs.FINDINGS)
    for name, record in KNOWN.items():
        assert record["faults"] or "nothing" in programs.FINDINGS[name]
        assert all(
            question.partition(":")[0] in ALL
            for names in record["faults"].values()
            for question in names
        )
