"""A claim costs no more than its budget: brackets come first, and all of its readings share one allowance."""

import itertools
import math
import random
from fractions import Fraction

import pytest

from exactperm import Budget, audit, audit_claim, sign_flip_test
from exactperm.auditing import facts, verdict
from exactperm.auditing.case import Case
from exactperm.auditing.claim import Claim
from exactperm.auditing.data import sample_of as read_sample
from exactperm.auditing.facts import Allowance, ends_of, of_flips
from exactperm.certified import bracket
from exactperm.record import replaced


def doubles(n, seed=1):
    rng = random.Random(seed)
    u = [rng.gauss(50, 10) for _ in range(n)]
    return [[repr(x) for x in u], [repr(x - rng.gauss(1, 5)) for x in u]]


def sample_of(data):
    return read_sample(Claim(p="1", data=data))


def case_of(p, data, seconds, **fields):
    claim = Claim(p=p, data=data, **fields)
    sample = read_sample(claim)
    return Case(claim, sample, Fraction(1, 20), Budget(seconds=seconds), strict=False)


@pytest.mark.slow
def test_brackets_judge_where_a_count_is_long(no_counts):
    """60 doubles: a count takes hours; neither a right claim nor a wrong one needs it."""
    data = doubles(60)
    low, high = audit_claim({"p": "n.s.", "data": data, "law": "exact"}).exact
    assert 0 < high - low < high / 1000
    middle = low + (high - low) / 3
    for p, heap in (
        (f"p = {float(low):.3f}", "fine"),
        (f"{middle.numerator}/{middle.denominator}", "undecided"),
    ):
        assert audit_claim({"p": p, "data": data, "stated": "all"}).heap == heap


@pytest.mark.parametrize("n", [24, 200])
def test_a_wrong_claim_takes_no_more_than_its_budget(n):
    case = case_of("p = .43", doubles(n), 2.0)
    assert verdict.judge(case).heap in ("wrong", "undecided")
    assert case.allowance.spent <= 2.1


def test_what_the_budget_leaves_open_is_no_accusation():
    """Nothing is known of the exact p-value; a law costs nothing, and is known all the same."""
    for law, heap in (("exact", "undecided"), ("t", "wrong")):
        case = case_of("p = .43", doubles(30), 1e-6, law=law, rounded="no")
        assert verdict.judge(case).heap == heap


def test_a_bracket_is_narrowed_until_it_tells(monkeypatch):
    """More digits are bought where a text is next to the p-value, and a count where these would cost more."""
    monkeypatch.setattr(facts, "SOON", 1e-9)
    whole = Allowance(Budget(seconds=60))
    column = sample_of(doubles(24)).differences
    counted = of_flips(column, 24, None, whole)
    p = sign_flip_test(column).pvalue
    assert counted.value("exact", "two-sided") == (p, p)
    assert counted.finer(9, whole) is None
    wide = {side: [(low, 2 * high) for low, high in both] for side, both in counted.tails.items()}
    known = replaced(counted, tails=wide, seconds=1e-9)
    finer = known.finer(1, whole)
    assert finer.digits > known.digits
    low, high = finer.value("exact", "two-sided")
    assert low <= p <= high
    assert known.finer(40, Allowance(Budget(seconds=1e-9))) is None
    assert whole.spent > 0


def test_a_count_that_is_refused_leaves_bounds_and_bounds_that_are_refused_leave_laws(refuse):
    column = sample_of(doubles(12)).differences
    refuse(facts.plan, "expected")
    known = of_flips(column, 12, None, Allowance())
    assert known.tails
    refuse(bracket, "tail_bracket")
    assert known.finer(math.inf, Allowance()) is None
    nothing = of_flips(column, 12, None, Allowance())
    assert (nothing.tails, nothing.refusal) == ({}, "too dear")
    assert nothing.value("exact", "less") is None
    assert nothing.value("normal", "less") == known.value("normal", "less")


def test_laws_at_the_centre_and_beyond_all_data():
    for column, tail, value in (([1, -1], "two-sided", 1), ([2, 2, 2], "greater", 0)):
        known = of_flips(column, len(column), 2, Allowance())
        assert known.value("t", tail) == (value, value)
        laws = [known.value(law, tail)[0] for law in ("normal", "normal-cc")]
        assert (laws == [1, 1]) == bool(value)
    for column, law in (([0, 0], "normal"), ([1], "t")):
        assert of_flips(column, len(column), None, Allowance()).value(law, "less") is None


@pytest.mark.slow
@pytest.mark.parametrize("soon", [0.5, 1e-9])
def test_a_fraction_needs_the_count(soon, monkeypatch):
    monkeypatch.setattr(facts, "SOON", soon)
    data = doubles(22, 3)
    p = sign_flip_test([Fraction(a) - Fraction(b) for a, b in zip(*data)]).pvalue
    about = {"data": data, "stated": "all"}
    assert audit_claim({"p": f"{p.numerator}/{p.denominator}", **about}).heap == "fine"
    assert audit_claim({"p": f"{p.numerator + 2}/{p.denominator}", **about}).heap == "wrong"


def test_brackets_are_narrowed_to_the_digits_of_the_text(monkeypatch):
    """No digit more for an inequality, those of a number for "=", a count for a fraction."""
    asked = []
    monkeypatch.setattr(facts, "SOON", 1e-9)
    monkeypatch.setattr(facts.Facts, "finer", lambda _facts, digits, _left: asked.append(digits))
    known = case_of("p < .05", doubles(60), 5.0)
    low, high = known.plain(known.taken)[0]
    middle = (low + high) / 2
    for text in (f"p < {float(middle):.17f}", f"{middle.numerator}/{middle.denominator}"):
        case = case_of(text, doubles(60), 5.0)
        assert case.tried(case.taken, None)[1] == "open"
    assert asked == [0.0, math.inf]


def test_what_one_claim_cannot_pay_is_found_for_the_next():
    """A refusal is that of an allowance, not of the data: claims on the same data do not depend on their order."""
    sample = sample_of(doubles(24))
    first, second = Allowance(Budget(seconds=1e-8)), Allowance(Budget(seconds=60))
    refused = sample.facts("difference", "", first)
    assert not refused.tails
    assert sample.facts("difference", "", first) is refused
    found = sample.facts("difference", "", second)
    assert found.tails
    assert second.spent > 0
    assert sample.facts("difference", "", first) is found


def test_no_claim_ends_worse_in_company_than_alone():
    """What one claim could not pay for is no loss of the other, whichever comes first."""
    budget, data = Budget(seconds=0.03), doubles(40, seed=7)
    texts = ["p = .0123", "p < .05", "p = .4"]
    claims = [{"id": text, "p": text, "data": data, "law": "exact"} for text in texts]
    alone = {claim["id"]: audit_claim(claim, budget=budget) for claim in claims}
    for some in itertools.permutations(claims, 2):
        for finding in audit(some, budget=budget):
            assert alone[finding.id].heap in (finding.heap, "undecided")
            assert width_of(finding.exact) <= width_of(alone[finding.id].exact)


def width_of(exact):
    """Relative width of what is known of a p-value."""
    if exact is None:
        return math.inf
    low, high = ends_of(exact)
    return (high - low) / high
