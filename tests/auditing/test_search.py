"""Other conventions than the stated one, and the chance of a match."""

from fractions import Fraction

import pytest

from exactperm import sign_flip_test
from exactperm.arithmetic.writing import decimal_string
from exactperm.auditing import samples
from exactperm.auditing.audit import audit, audit_claim
from exactperm.auditing.findings import Finding
from exactperm.cli.demo import DARWIN_MAIZE

MAIZE = list(DARWIN_MAIZE)
WIDE = [(7 * i * i) % 101 - 46 for i in range(60)]


def judged(p, data=MAIZE, **fields):
    return audit_claim({"p": p, "data": data, "stated": "all", **fields})


def test_others_are_listed_when_asked_for():
    claim = {"p": ".05", "data": MAIZE, "law": "t"}
    assert len(audit([claim]).findings[0].fits) == 1
    with_others = audit([claim, {"p": ".9", "data": MAIZE}], others=True)
    words = [fit.convention for fit in with_others.findings[0].fits]
    assert words[0] == "paired t-test, two-sided"
    assert len(words) > 2
    values = [fit.value for fit in with_others.findings[0].fits]
    assert len(values) == len(set(values))


def test_a_fraction_is_matched_by_chance_as_its_denominator_says():
    finding = judged("1/4", [1, 2, 3], alternative="greater")
    assert finding.reason == "no-explanation"
    assert finding.chance > Fraction(1, 100)
    exactly = judged("863/32768")
    assert exactly.reason == "explained-by"
    assert exactly.chance < Fraction(1, 100)


def test_a_unit_too_coarse_for_any_text():
    """Between p/4 and 4p no text of the unit lies: any match is worth nothing."""
    finding = judged("0.1", [1] * 10)
    assert finding.reason == "no-explanation"


@pytest.mark.usefixtures("no_counts")
def test_conventions_beyond_the_budget_are_passed_over(monkeypatch):
    """Signs can be counted, sums cannot."""
    monkeypatch.setattr(samples, "sign_flip_test", sign_flip_test)
    finding = judged("0.123", WIDE, statistic="sign")
    assert finding.level in ("inconsistent", "decision-inconsistent")


def test_statistics_of_labels_have_no_other_statistic():
    labels = [["a", "b", "a", "a", "b"], ["a", "b", "a", "a", "b"], ["b", "b", "b", "b", "a"]]
    assert judged("0.123", labels, statistic="accuracy").reason == "no-explanation"


def test_one_typo_does_not_silence_the_other_claims_of_a_source():
    """Six one-sided texts for two-sided claims; then one of them is a typo, then four are."""
    data = [[x + k for x in MAIZE] for k in range(6)]
    half = [decimal_string(sign_flip_test(d, alternative="greater").pvalue, 4) for d in data]
    claims = [{"p": p, "data": d, "source": "s", "stated": "all"} for p, d in zip(half, data)]
    assert [one.reason for one in audit(claims)] == ["explained-by"] * 6
    claims[2]["p"] = "0.7654"
    found = audit(claims).findings
    assert [one.reason for one in found] == ["explained-by"] * 2 + ["no-explanation"] + [
        "explained-by"
    ] * 3
    assert found[0].chance < Fraction(1, 100)
    for i in (0, 1, 5):
        claims[i]["p"] = "0.7654"
    assert {one.reason for one in audit(claims)} == {"no-explanation"}


def test_a_finding_without_a_place():
    bare = Finding(id="a", source="", level="consistent", reason="equal")
    assert [*bare.details()] == ["There is no claim: the printed number is the p-value."]
