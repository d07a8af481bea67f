"""A claim costs no more than its budget: brackets come first, and all of its readings share one allowance."""

import itertools
import math
import random
from fractions import Fraction

import pytest

from exactperm import Budget, audit, audit_claim, sign_flip_test
from exactperm.auditing import judge as judging
from exactperm.auditing import samples, store
from exactperm.auditing.allowance import Allowance
from exactperm.auditing.case import Case
from exactperm.auditing.claims import Claim
from exactperm.auditing.conventions import narrowed


def doubles(n, seed=1):
    rng = random.Random(seed)
    u = [rng.gauss(50, 10) for _ in range(n)]
    return [[repr(x) for x in u], [repr(x - rng.gauss(1, 5)) for x in u]]


def case_of(p, data, seconds, **fields):
    claim = Claim(p=p, data=data, **fields)
    sample = store.Store(None, None).sample(claim)
    return Case(claim, sample, Fraction(1, 20), samples.Counted(), Budget(seconds=seconds))


def test_brackets_judge_where_a_count_is_long(monkeypatch):
    """50 doubles: a count takes 20 s, a bracket a tenth of one; neither a right claim nor a wrong one needs a count."""
    data = doubles(50)
    low, high = audit_claim({"p": "n.s.", "data": data, "law": "exact"}).exact
    assert 0 < high - low < high / 1000

    def signs_only(flips, **options):
        assert {abs(x) for x in flips} <= {0, 1}, "an exact count of the scores"
        return sign_flip_test(flips, **options)

    monkeypatch.setattr(samples, "sign_flip_test", signs_only)
    right = audit_claim({"p": f"p = {float(low):.3f}", "data": data, "stated": "all"})
    assert (right.level, right.reason) == ("consistent", "bracket")
    wrong = audit_claim(
        {"p": f"p = {float(low) * 0.7:.3f}", "data": data, "stated": "all", "statistic": "sum"}
    )
    assert wrong.level.endswith("inconsistent")


@pytest.mark.parametrize("n", [50, 800])
def test_a_wrong_claim_takes_no_more_than_its_budget(n):
    case = case_of("p = .43", doubles(n), 3.0)
    finding = judging.judge(case)
    assert finding.level in ("decision-inconsistent", "inconsistent", "undecided")
    assert case.allowance.spent <= 3.0


def test_what_the_budget_leaves_open_is_no_accusation():
    """The stated bracket uses the allowance up; other statistics may print the text."""
    data = doubles(300)
    whole = case_of("p = .43", data, 600.0)
    judging.judge(whole)
    first = case_of("p = .43", data, 600.0)
    first.plain(first.stated)
    assert 0 < first.allowance.spent < whole.allowance.spent
    finding = judging.judge(case_of("p = .43", data, 1.01 * first.allowance.spent))
    assert (finding.level, finding.reason) == ("undecided", "bracket")
    assert "the budget leaves open whether" in finding.notes[-1]


def test_a_bracket_is_narrowed_until_it_tells():
    """More digits are bought where a text is next to the p-value, and a count where these would cost more."""
    data = doubles(24)  # counted within half a second, but not at once where that is forbidden
    sample = store.Store(None, None).sample(Claim(p="1", data=data))
    exact = sample.count("sum", None).value("exact", "two-sided")
    case = case_of("n.s.", data, 600.0)
    wide = samples.bounded(canonical_of(case.sample), 24, None, Allowance())
    finer = case.sample.narrowed(wide, "sum", None, 6, Allowance())
    counted = case.sample.narrowed(wide, "sum", None, float("inf"), Allowance())
    assert counted.value("exact", "two-sided") == exact
    assert finer.result is not None or finer.digits > wide.digits
    low, high = wide.value("exact", "two-sided")
    assert low <= exact <= high
    assert case.sample.narrowed(counted, "sum", None, 9, Allowance()) is counted
    assert case.sample.narrowed(wide, "sum", None, 40, Allowance(Budget(seconds=1e-6))) is wide


def canonical_of(sample):
    from exactperm.swaps.canonical import canonical
    from exactperm.swaps.effects import flip_effects

    return canonical(flip_effects(sample.differences))


def test_more_digits(monkeypatch):
    sample = store.Store(None, None).sample(Claim(p="1", data=doubles(200)))
    known = sample.count("sum", None)
    assert known.result is None
    monkeypatch.setattr(samples, "_STEP", 1)
    finer = sample.narrowed(known, "sum", None, 0, Allowance())
    assert finer.digits > known.digits
    low, high = known.value("exact", "two-sided")
    assert (
        low <= finer.value("exact", "two-sided")[0] <= finer.value("exact", "two-sided")[1] <= high
    )
    assert narrowed(known, known.swaps, 4, Allowance()).digits >= 4


@pytest.mark.parametrize("soon", [0.5, 0.0])
def test_a_fraction_needs_the_count(soon, monkeypatch):
    monkeypatch.setattr(samples, "SOON", soon)
    data = doubles(26, 3)
    p = sign_flip_test([Fraction(a) - Fraction(b) for a, b in zip(*data)]).pvalue
    assert audit_claim({"p": str(p), "data": data, "stated": "all"}).reason == "equal"
    other = Fraction(p.numerator + 2, p.denominator)
    assert audit_claim({"p": str(other), "data": data, "stated": "all"}).level.endswith(
        "inconsistent"
    )


@pytest.mark.parametrize(
    ("printed", "digits"), [("p < .05", 0.0), ("p = 1/4", float("inf")), ("p = .25", 1.24)]
)
def test_digits_of_a_bracket_that_fits_into_the_text(printed, digits):
    case = case_of(printed, [["3", "1"], ["1", "2"]], 5.0)
    assert case._digits == pytest.approx(digits, abs=0.01)


@pytest.mark.parametrize("poor", [1e-8, 1e-5])
def test_what_one_claim_cannot_pay_is_found_for_the_next(poor):
    """A refusal is that of an allowance, not of the data: claims on the same data do not depend on their order."""
    data = doubles(24)
    sample = store.Store(None, None).sample(Claim(p="p = .5", data=data))
    counted = samples.Counted()
    first, second = Allowance(Budget(seconds=poor)), Allowance(Budget(seconds=60))
    unit = Fraction(1, 10)
    poor_box = counted.box(sample, "sum", unit, first)
    poor_box.value("exact", "two-sided", ">=")
    refused = counted.facts(sample, "sum", None, first)
    assert refused.value("exact", "two-sided") is None
    assert counted.facts(sample, "sum", None, first) is refused
    found = counted.facts(sample, "sum", None, second)
    assert found.value("exact", "two-sided") is not None
    spent = second.spent
    assert counted.box(sample, "sum", unit, second).value("exact", "two-sided", ">=") is not None
    assert second.spent > spent > 0
    assert counted.facts(sample, "sum", None, first) is found


def test_what_is_known_is_shared():
    """Another claim neither counts nor pays again for corners that are counted."""
    sample = store.Store(None, None).sample(
        Claim(p="p = .5", data=[["1.5", "2.5", "3.0"], ["1.0", "2.0", "2.0"]])
    )
    counted, first, second = samples.Counted(), Allowance(), Allowance()
    box = counted.box(sample, "sum", Fraction(1, 10), first)
    # not counted yet, so not paid
    assert counted.box(sample, "sum", Fraction(1, 10), second) is not box
    box = counted.box(sample, "sum", Fraction(1, 10), second)
    box.value("exact", "less", ">=")
    assert counted.box(sample, "sum", Fraction(1, 10), first) is box


def test_preparing_the_pairs_is_charged():
    """5 microseconds for each pair, though the count itself takes next to nothing."""
    sample = samples.Sample(n=2000, differences=(1,) * 2000)
    allowance = Allowance(Budget(seconds=1))
    assert sample.count("signed-rank", "drop", allowance).result.count == 2
    assert 0.01 <= allowance.spent < 0.02


def test_no_claim_ends_worse_in_company_than_alone():
    """What one claim could not pay for is no loss of the other, whichever comes first."""
    budget, data = Budget(seconds=0.03), doubles(200, seed=7)
    texts = ["p = .0123", "p < .05", "p = .4"]
    claims = [{"id": text, "p": text, "data": data, "law": "exact"} for text in texts]
    alone = {claim["id"]: audit_claim(claim, budget=budget) for claim in claims}
    for some in itertools.permutations(claims, 2):
        for finding in audit(some, budget=budget):
            assert alone[finding.id].level in (finding.level, "undecided")
            assert width_of(finding.exact) <= width_of(alone[finding.id].exact)


def width_of(exact):
    """Relative width of what is known of a p-value."""
    if exact is None:
        return math.inf
    low, high = exact if isinstance(exact, tuple) else (exact, exact)
    return (high - low) / high
