"""Expected values that other projects publish, held against ours; published.json names project, version and file.

A record has a call in words, the test and data that answer it here, the printed values, how near
ours must be, and a status: "agrees", "other reading" (right for doubles), "their approximation" and
"their error", with the reason. The data are facts; no code or sentence of the projects is copied.
"""

import json
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from exactperm import adjust_pvalues, sign_flip_test
from exactperm.cli.demo import DARWIN_MAIZE
from exactperm.testing import host
from tests.factory import plain

RECORDS = json.loads(
    (Path(__file__).parents[1] / "data" / "published.json").read_text(encoding="utf-8")
)
PROJECTS = Counter(record["project"] for record in RECORDS)


def answers(record):
    """Our answers: {name of a value or list: list of fractions}."""
    data = record["data"]
    if record["test"] == "adjust":
        return {"adjusted": adjust_pvalues(data["pvalues"], data["method"]).adjusted}
    found = {}
    for name in record["printed"]:
        middle, _, alternative = name.rpartition(" ")
        answer = host.tested(record["test"], data, alternative)
        found[name] = [answer.midp if middle else answer.pvalue]
    return found


def values(printed):
    return printed if isinstance(printed, list) else [printed]


def near(ours, printed, within):
    """Whether a value is the printed one: to half a unit of the last digit, or to the tolerance of the source."""
    kind, _, size = within.rpartition(" ")
    if size == "digits":
        bound = Fraction(10) ** Decimal(printed).as_tuple().exponent / 2
    else:
        bound = Fraction(size) * (Fraction(printed) if kind == "rel" else 1)
    return abs(ours - Fraction(printed)) <= bound


def agreements(record, ours):
    """One answer per printed value; "-" is a value that the source leaves out."""
    return [
        near(p, text, record["within"])
        for name, printed in record["printed"].items()
        for p, text in zip(ours[name], values(printed))
        if text != "-"
    ]


@pytest.mark.parametrize("project", PROJECTS)
def test_published_values(project):
    """What agrees agrees; where it does not, ours is the exact value that the record gives, and theirs is not."""
    for record in RECORDS:
        if record["project"] == project:
            ours = answers(record)
            assert all(agreements(record, ours)) == (record["status"] == "agrees"), (
                record["call"],
                record["printed"],
            )
            for name, exact in record.get("exact", {}).items():
                assert list(ours[name]) == [Fraction(text) for text in values(exact)]


def test_the_other_reading_explains_what_is_called_so():
    """The differences of doubles give the published values exactly."""
    (record,) = [record for record in RECORDS if record["status"] == "other reading"]
    data = {**record["data"], "zero_method": "wilcox"}
    ranks = plain.units("wilcoxon", data, "binary64")
    ours = {name: [sign_flip_test(ranks, alternative=name).pvalue] for name in record["printed"]}
    assert all(agreements(record, ours))


def test_there_are_many_of_many_projects():
    count = sum(
        text != "-"
        for record in RECORDS
        for printed in record["printed"].values()
        for text in values(printed)
    )
    assert count >= 500
    assert len(PROJECTS) >= 10
    statuses = {"agrees", "other reading", "their approximation", "their error"}
    assert {record["status"] for record in RECORDS} == statuses
    assert all(("why" in record) == (record["status"] != "agrees") for record in RECORDS)


def test_fisher_1935():
    """The Design of Experiments, section 21: 863 of 32,768 in one tail, and as many in the other."""
    assert sign_flip_test(DARWIN_MAIZE, alternative="greater").count == 863
    assert sign_flip_test(DARWIN_MAIZE).count == 1726
