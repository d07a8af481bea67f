"""Calls with explicit settings, whose p-values are those that the reader before this one gave."""

import json
from pathlib import Path

import pytest

from exactperm.files import answer
from exactperm.files.question import question
from exactperm.files.reading import Reading

DATA = Path(__file__).resolve().parent.parent / "data" / "golden.jsonl"
CASES = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]


def answers(case):
    contents = [(name, text.encode()) for name, text in case["files"].items()]
    for statistic, alternative, settings, p, n in case["calls"]:
        reading = Reading.of(settings)
        asked = question(contents, statistic, reading)
        known = {"alternative": alternative, "decimals": reading.decimals, "budget": None}
        result = answer.counted(asked, statistic, **known)
        yield (str(result.pvalue), result.n), (p, n), settings


@pytest.mark.slow
def test_a_rightly_stated_question_keeps_its_digits(request):
    """All files with --whole, else every third."""
    wrong = [
        (case["files"], settings, found, told)
        for case in CASES[:: 1 if request.config.getoption("whole") else 3]
        for found, told, settings in answers(case)
        if found != told
    ]
    assert not wrong
    assert sum(len(case["calls"]) for case in CASES) == 2000
