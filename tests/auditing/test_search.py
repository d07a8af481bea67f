"""Other conventions than the stated one, and the chance of a match."""

from fractions import Fraction

import pytest

from exactperm import sign_flip_test
from exactperm.auditing import samples
from exactperm.auditing.audit import audit, audit_claim
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
    assert words[0] == "sum, t, two-sided"
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
