"""Verdicts where the stated convention is not enough: brackets, families, other conventions and their chance."""

from fractions import Fraction

import pytest

from exactperm import (
    BudgetExceeded,
    mcnemar_test,
    permutation_test,
    sign_flip_test,
    sign_test,
    wilcoxon_signed_rank_test,
)
from exactperm.arithmetic.writing import decimal_string
from exactperm.auditing import conventions, samples, store
from exactperm.auditing.audit import audit, audit_claim
from exactperm.auditing.claims import Claim
from exactperm.auditing.conventions import BOUNDARIES, TAILS, facts
from exactperm.cli.demo import DARWIN_MAIZE, STUDENT_SLEEP

F = Fraction
MAIZE, SLEEP = list(DARWIN_MAIZE), list(STUDENT_SLEEP)
WIDE = [(7 * i * i) % 101 - 46 for i in range(60)]


def judged(p, data=MAIZE, **fields):
    return audit_claim({"p": p, "data": data, "stated": "all", **fields})


@pytest.mark.usefixtures("no_counts")
class TestBrackets:
    """Counts beyond the budget: a certified bracket decides where it can."""

    def test_inside_the_reading(self):
        finding = judged("< .9999", WIDE)
        low, high = finding.exact
        assert low <= sign_flip_test(WIDE).pvalue <= high
        assert (finding.level, finding.reason) == ("consistent", "bracket")
        assert len(finding.to_dict()["exact"]) == 2
        assert "2e9 s" in finding.notes[0]

    def test_disjoint(self):
        assert judged("p = .9999999", WIDE).reason == "no-explanation"
        assert judged("p > .9999999", WIDE).reason == "claim-false"

    def test_straddling(self):
        long = [(7 * i * i) % 10007 - 4000 for i in range(400)]
        low, high = judged("n.s.", long).exact
        finding = judged(f"<= {(low * 3 + high) / 4}", long)
        assert (finding.level, finding.reason) == ("undecided", "bracket")
        assert "a bracket narrower than" in finding.notes[-1]
        middle = judged(f"<= {(low + high) / 2}", long)
        assert (
            "only the exact p-value, not a bracket around their middle decides" in middle.notes[-1]
        )

    @pytest.mark.parametrize("tail", ["greater", "less", "doubled", "min", "2min"])
    def test_other_tails(self, tail):
        low, high = judged("n.s.", WIDE, alternative=tail).exact
        counted = facts(sign_flip_test(WIDE)).value("exact", tail)
        assert low <= counted <= high < low * (1 + F(1, 10**12))

    def test_normal_laws_need_no_count(self):
        law = facts(sign_flip_test(WIDE)).value("normal", "two-sided")
        finding = judged(decimal_string(law[0], 5), WIDE, law="normal")
        assert (finding.level, finding.fits[0].value) == ("consistent", law)

    def test_ranks(self):
        finding = judged("n.s.", WIDE, statistic="signed-rank")
        low, high = finding.exact
        assert low <= wilcoxon_signed_rank_test(WIDE).pvalue <= high
        corrected = facts(wilcoxon_signed_rank_test(WIDE), 1).value("normal-cc", "two-sided")
        assert counted_by(WIDE, "signed-rank").value("normal-cc", "two-sided") == corrected

    @pytest.mark.parametrize("tail", TAILS)
    @pytest.mark.parametrize("boundary", BOUNDARIES)
    @pytest.mark.parametrize("statistic", ["sum", "signed-rank", "sign"])
    def test_every_tail_and_boundary(self, tail, boundary, statistic):
        """The exact value is between the bounds, on either side, and at the centre."""
        count = {
            "sum": sign_flip_test,
            "signed-rank": wilcoxon_signed_rank_test,
            "sign": sign_test,
        }[statistic]
        for data in (WIDE, [-x for x in WIDE], [1, -1, 2, -2] * 20):
            finding = judged("n.s.", data, alternative=tail, boundary=boundary, statistic=statistic)
            low, high = finding.exact
            counted = facts(count(data)).value("exact", tail, boundary)
            assert low <= counted <= high <= low * (1 + F(1, 10**9))

    def test_discordant_items(self):
        finding = judged("n.s.", None, statistic="mcnemar", counts=(900, 1000), boundary="mid")
        low, high = finding.exact
        assert low <= mcnemar_test(900, 1000).midp <= high < low * (1 + F(1, 10**9))

    def test_conventions_that_print_a_bracketed_claim(self):
        """A bracket narrower than 0.1% is as good as the exact p-value for the window of wrong texts."""
        one_sided = facts(sign_flip_test(WIDE)).value("exact", "min")
        finding = judged(decimal_string(one_sided, 5), WIDE)
        assert (finding.reason, finding.fits[0].convention) == (
            "explained-by",
            "exact paired permutation test, one-sided (greater)",
        )
        assert judged("0.12345", WIDE).reason == "no-explanation"

    def test_no_search_around_a_wide_bracket(self):
        claim = {"p": ".99", "data": MAIZE, "adjustment": "holm", "tests": 4}
        assert judged(**claim).fits == ()

    def test_other_statistics_that_cannot_be_counted_are_passed_over(self, monkeypatch):
        """Sums and signs are counted, ranks are refused without any bracket, and defects too."""
        monkeypatch.setattr(samples, "sign_flip_test", sign_flip_test)
        monkeypatch.setattr(samples, "bounded", samples.wilcoxon_signed_rank_test)
        assert judged("0.1234", WIDE).reason == "no-explanation"

    def test_nothing_to_go_by(self, monkeypatch):
        monkeypatch.setattr(samples, "permutation_test", samples.sign_flip_test)
        monkeypatch.setattr(samples, "joint_bounds", samples.sign_flip_test)
        columns = [[3, 2], [1, 0], [1, 2], [1, 2]]
        open_ = judged(".05", columns, statistic="f1", boundary="mid")
        assert (open_.level, open_.exact) == ("undecided", None)
        assert open_.notes == (
            "the count needs 2e9 s",
            "nothing is known of the p-value; the text stands for numbers from 0.045 to 0.06",
        )
        estimate = judged(
            ".05", columns, statistic="f1", boundary=">", law="monte-carlo", samples=100
        )
        assert estimate.level == "undecided"
        assert judged("1.5", columns, statistic="f1").reason == "impossible"

    def test_no_bracket_either(self, monkeypatch):
        monkeypatch.setattr(conventions, "tail_bracket", samples.sign_flip_test)
        finding = judged(".05", WIDE)
        assert (finding.level, finding.exact) == ("undecided", None)
        assert judged("0.05", WIDE, law="normal").level == "inconsistent"
        assert judged(".05", WIDE, law="monte-carlo", samples=100).level == "undecided"

    def test_monte_carlo_against_a_bracket(self):
        p = sign_flip_test(WIDE).pvalue
        assert (
            judged(decimal_string(p, 2), WIDE, law="monte-carlo", samples=1000).reason
            == "monte-carlo"
        )

    def test_facts_without_a_count_have_no_total(self):
        with pytest.raises(BudgetExceeded, match="2e9"):
            _ = counted_by(WIDE, "sum").total

    def test_no_search_without_the_exact_p(self):
        finding = judged("1.5", WIDE)
        assert (finding.reason, finding.fits) == ("impossible", ())


def counted_by(d, statistic):
    return store.Store(None, None).sample(Claim(p="1", data=d)).count(statistic, None)


def test_estimates_from_more_samples_than_can_be_judged():
    """Far from the p-value a bound of the tail decides, whatever the number; next to it nothing does."""
    far = judged(".06", law="monte-carlo", samples=10**18)
    assert far.reason == "no-explanation"
    near = judged(".0526734", law="monte-carlo", samples=10**9)
    assert (near.level, near.exact) == ("undecided", sign_flip_test(MAIZE).pvalue)
    assert near.notes == (
        "whether 1000000000 random assignments may print so takes too long to count",
    )


@pytest.mark.parametrize(
    ("adjustment", "tests"), [("hommel", 10**9), ("fdr_by", 10**12), ("sidak", 10**9)]
)
def test_adjustments_beyond_all_bounds_are_undecided(adjustment, tests):
    finding = judged(".05", adjustment=adjustment, tests=tests)
    assert (finding.level, finding.reason, finding.exact) == ("undecided", "bracket", None)
    assert finding.notes[-2].startswith(f"{adjustment} of 1 p-values")


def test_claims_of_groups():
    data = {"d": [3, 1, 2, -1, 4], "g": [1, 1, 2, 3, 4]}
    right = permutation_test(data["d"], [0] * 5, groups=data["g"]).pvalue
    finding = judged(f"p = {right}", data, groups="g", n=3, printed_statistic="T = 9")
    assert (finding.level, finding.reason, finding.exact) == ("inconsistent", "n-differs", right)
    assert (
        "of these 4 groups is 0.250000 (exact paired permutation test, two-sided, groups of g)"
        in finding.sentence
    )
    assert finding.notes == ("n is stated as 3; the data have 4 groups, 4 with a difference",)
    assert finding.statistic.data == "the sum"
    test = "paired permutation, swaps of 4 groups | sum of differences | two-sided"
    line = f"exactperm 0.2.0 | {test} | p = 0.250 (exact 1/4)"
    assert judged(line, data, groups="g").level == "consistent"
    assert judged("0.12345", data, groups="g").reason == "no-explanation"


class TestAdjustments:
    def test_a_family_of_step_methods_is_adjusted_with_each_stated_tail(self):
        claims = [
            {
                "id": "a",
                "source": "s",
                "p": "0.0039",
                "data": SLEEP,
                "alternative": "greater",
                "adjustment": "holm",
            },
            {"id": "b", "source": "s", "p": "0.0527", "data": MAIZE, "adjustment": "Holm"},
        ]
        first, second = audit(claims)
        assert first.exact == 2 * sign_flip_test(SLEEP, alternative="greater").pvalue
        assert second.exact == sign_flip_test(MAIZE).pvalue
        assert {first.level, second.level} == {"consistent"}

    def test_missing_tests_of_a_step_method_leave_a_bracket(self):
        p = sign_flip_test(MAIZE).pvalue
        finding = judged(".10", adjustment="holm", tests=4)
        assert finding.exact == (p, 4 * p)
        assert (finding.level, finding.reason) == ("undecided", "bracket")
        assert judged(".05", adjustment="holm", tests=4).level == "undecided"
        assert judged(".5", adjustment="holm", tests=4).level == "inconsistent"
        assert judged("< .3", adjustment="holm", tests=4).level == "consistent"

    def test_single_steps_need_the_number_only(self):
        p = sign_flip_test(MAIZE).pvalue
        assert judged(".1", adjustment="bonferroni", tests=4).exact == 4 * p
        assert judged(".1", adjustment="sidak", tests=4).exact == 1 - (1 - p) ** 4

    def test_a_law_without_a_value(self):
        finding = judged(".5", [0, 0], law="normal", adjustment="bonferroni", tests=2)
        assert (finding.level, finding.reason) == (
            "decision-inconsistent",
            "no-explanation",
        ) or not finding.fits


def test_impossible_as_stated_is_noted():
    finding = judged(".03", [1, 2, 3, 4, 5])
    assert finding.attainable is False
    assert any("impossible as stated" in note for note in finding.notes)
    one_sided = judged(".031", [1, 2, 3, 4, 5], alternative="greater")
    assert (one_sided.level, one_sided.attainable) == ("consistent", True)


def test_n_of_counts_is_a_lower_bound():
    assert judged("11/512", None, statistic="mcnemar", counts="9,1", n=1000).level == "consistent"
    assert judged(".7", None, statistic="mcnemar", counts="9,1", n=1000).reason == "no-explanation"
    assert judged(".7", None, statistic="mcnemar", counts="9,1", n=9).reason == "n-differs"


class TestMonteCarlo:
    def test_a_double_must_be_a_multiple(self):
        p = 527 / 10_000
        assert (
            judged(f"{527 / 10_000:.15f}", law="monte-carlo", samples=10_000).level == "consistent"
        ), p
        odd = judged("0.0527123456789012", law="monte-carlo", samples=10_000)
        assert (odd.level, odd.attainable) == ("inconsistent", False)
        assert "impossible as stated" in " ".join(odd.notes)

    def test_twice_the_smaller_estimate(self):
        """SciPy prints 2 (b + 1) / (K + 1): b = 262 of 9999."""
        text = repr(2 * 263 / 10_000)
        assert (
            judged(f"{2 * 263 / 10_000:.16f}", law="monte-carlo", samples=9999).reason
            == "monte-carlo"
        ), text
        assert (
            judged("1.0", [1, -1], law="monte-carlo", samples=99, alternative="doubled").level
            == "consistent"
        )
        assert (
            judged("1.5", [1, -1], law="monte-carlo", samples=99, alternative="2min").reason
            == "impossible"
        )

    @pytest.mark.parametrize(
        ("p", "samples", "level"),
        [
            ("p < .001", 1000, "decision-inconsistent"),
            ("p < .05", 1000, "consistent"),
            ("p > .05", 1000, "consistent"),
            ("n.s.", 1000, "consistent"),
            ("p > .9", 1000, "inconsistent"),
            ("0.000", 10, "consistent"),
            ("0.000", 10_000, "decision-inconsistent"),
            ("0.05", 10_000, "consistent"),
            ("0.02", 10_000, "decision-inconsistent"),
            ("0.09", 10_000, "inconsistent"),
        ],
    )
    def test_texts(self, p, samples, level):
        assert judged(p, law="monte-carlo", samples=samples).level == level

    def test_adjusted_estimates(self):
        fields = {"law": "monte-carlo", "samples": 10_000, "adjustment": "bonferroni", "tests": 5}
        assert judged("0.2635", **fields).level == "consistent"
        assert judged("0.0527", **fields).level == "inconsistent"
        step = {**fields, "adjustment": "holm"}
        assert judged("0.0527", **step).level in ("undecided", "consistent", "inconsistent")


def test_whoever_prints_the_level_claims_to_reach_it():
    """The exact p-value is 0.0527: the text prints it well, but on the other side of 0.05."""
    finding = judged("p = .05")
    assert (finding.level, finding.reason, finding.decision) == (
        "consistent",
        "rounds",
        (True, False),
    )
    assert finding.line().endswith("(decides otherwise) [rounds]")
    assert judged("p = .05", alpha=".06").decision == (True, True)
    assert judged("p = .05", alpha=".051").decision == (None, False)
