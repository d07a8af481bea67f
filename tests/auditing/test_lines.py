"""Lines as papers print them: no word beside a p-value is passed over."""

import pytest

from exactperm.auditing.audit import audit_claim
from exactperm.auditing.claims import Claim
from exactperm.auditing.lines import agrees, read_line, read_statistic
from exactperm.cli.demo import DARWIN_MAIZE, STUDENT_SLEEP
from exactperm.errors import ExactPermError

MAIZE, SLEEP = list(DARWIN_MAIZE), list(STUDENT_SLEEP)
ONE, TWO = {"alternative": "min"}, {"alternative": "two-sided"}
T = {"statistic": "sum"}


@pytest.mark.parametrize(
    ("text", "p", "fields"),
    [
        ("p = .053, n.s.", "p = .053", {"decision": "no"}),
        ("p = .04 (significant)", "p = .04", {"decision": "yes"}),
        ("p (one-tailed) = .026", "p = .026", ONE),
        ("p (1-sided) = .026", "p = .026", ONE),
        ("p = .026 (one-tailed)", "p = .026", ONE),
        ("p = .026, two-sided", "p = .026", TWO),
        ("p() = .026", "p = .026", {}),
        ("p (exact, two-tailed) = .05", "p = .05", {"law": "exact", **TWO}),
        ("Pr(>t) = .0263", "Pr = .0263", {"alternative": "greater", "law": "t"}),
        ("Pr(>|z|) = 0.02", "Pr = 0.02", {"law": "asymptotic", **TWO}),
        ("P(T<=t) = .0497", "P = .0497", {"law": "t"}),
        ("p(Bonferroni) = .158", "p = .158", {"adjustment": "bonferroni"}),
        ("p = .03 (Holm-adjusted)", "p = .03", {"adjustment": "holm"}),
        ("p_perm = .053", "p = .053", {"statistic": "sum"}),
        ("$p_{\\text{raw}} \\leq .05$", "p <= .05", {}),
        ("t(14) = 2.148, p = .050", "p = .050", {"printed_statistic": "t(14) = 2.148", **T}),
        (
            "N = 20; t(19) = 2.1, p = .049",
            "p = .049",
            {"n": "20", "printed_statistic": "t(19) = 2.1", **T},
        ),
        (
            "V = 96, p = .041",
            "p = .041",
            {"printed_statistic": "V = 96", "statistic": "signed-rank"},
        ),
        ("T(14) = 2.148, p = .050", "p = .050", {"printed_statistic": "T(14) = 2.148", **T}),
        ("T = 314, p = .053", "p = .053", {"printed_statistic": "T = 314"}),
        (
            "W+ = 96, p = .041",
            "p = .041",
            {"printed_statistic": "W+ = 96", "statistic": "signed-rank"},
        ),
        (
            "T- = 24, p = .041",
            "p = .041",
            {"printed_statistic": "T- = 24", "statistic": "signed-rank"},
        ),
        (
            "W = 12, Z = -1.2, p = .2",
            "p = .2",
            {"printed_statistic": "W = 12", "statistic": "signed-rank"},
        ),
        ("chi2(1) = 6.6, p = .010", "p = .010", {"printed_statistic": "chi2(1) = 6.6"}),
        (
            "\N{GREEK SMALL LETTER CHI}\N{SUPERSCRIPT TWO}(1) = 6.6, p = .01",
            "p = .01",
            {"printed_statistic": "chi^2(1) = 6.6"},
        ),
        (".05 < p < .10", ".05 < p < .10", {}),
        (".03*", ".03*", {}),
        ("n.s.", "n.s.", {}),
        ("not significant", "not significant", {}),
        ("p = 3.1 x 10^-4", "p = 3.1 x 10^-4", {}),
        ("p = 697 / 2^15", "p = 697 / 2^15", {}),
        ("p = .03, q = 0.5", "p = .03, q = 0.5", {}),  # which is refused as a number
        ("p = .03, d = 0.5, N = 15", "p = .03", {"n": "15"}),
        (
            "t(14) = 2.15, p = .050, Cohen's d = -0.55",
            "p = .050",
            {"printed_statistic": "t(14) = 2.15", **T},
        ),
        (
            "t = 2.148, df = 14, p-value = 0.0497",
            "p-value = 0.0497",
            {"printed_statistic": "t(14) = 2.148", **T},
        ),
        ("T = 2.148, df = 14, p = .050", "p = .050", {"printed_statistic": "T(14) = 2.148", **T}),
        ("N = 1,000; p = .05", "p = .05", {"n": "1000"}),
        (
            "X-squared = 7.5, df = 1, p = .006",
            "p = .006",
            {"printed_statistic": "X-squared(1) = 7.5"},
        ),
        ("9" * 500, "9" * 500, {}),
    ],
)
def test_lines(text, p, fields):
    line = read_line(text)
    assert (line.p, line.fields) == (p, fields)


@pytest.mark.parametrize(
    "text",
    [
        "p (bird) = .1",
        "p = .1 (bird)",
        "F(1, 14) = 4.6, p = .05",
        "p (one-sided, two-sided) = .1",
        "p(>F) = .1",
    ],
)
def test_words_that_state_nothing_known_are_refused(text):
    with pytest.raises(ExactPermError, match="the printed"):
        read_line(text)


@pytest.mark.parametrize(
    ("p", "fields", "level"),
    [
        ("p (one-tailed) = .026", {}, "consistent"),
        ("p (one-tailed) = .026", {"alternative": "greater"}, "consistent"),
        ("p (one-tailed) = .053", {"law": "exact"}, "inconsistent"),
        ("Pr(>t) = .0249", {}, "consistent"),
        ("p(Bonferroni) = .158", {"tests": 3}, "consistent"),
        ("p(Bonferroni) = .158", {}, "undecided"),
        ("t(14) = 2.148, p = .050", {}, "consistent"),
        ("T = 314, p = .053", {}, "consistent"),  # the sum of the differences
        ("T = 2.148, p = .050", {}, "consistent"),  # Student's t
        ("T = 24, p = .041", {}, "consistent"),  # Wilcoxon's lesser sum of ranks
        ("t(14) = 2.148, p = .053", {}, "inconsistent"),
        # the permutation test with the statistic t
        ("t(14) = 2.148, p_perm = .053", {}, "consistent"),
        ("t(14) = 2.148, p = .053", {"law": "exact"}, "consistent"),
        ("Z = 2.04, p = .041", {}, "consistent"),
        ("Z = 2.045, p (exact) = .04126", {}, "consistent"),
        ("Z = 2.04, p = .31", {}, "inconsistent"),
        ("T = 314, p = .63", {}, "inconsistent"),
        ("p = .053, n.s.", {}, "consistent"),
        ("p = .053, significant", {"stated": "all"}, "consistent"),
        (".05 < p < .10", {"law": "exact"}, "consistent"),
    ],
)
def test_the_words_of_a_line_state_open_fields(p, fields, level):
    finding = audit_claim({"p": p, "data": MAIZE, "rounded": "no", **fields})
    assert finding.level.replace("decision-", "") == level, finding.line()
    assert finding.printed.text == p


def test_a_printed_decision_is_a_fact():
    """p = .053 is right, but 'significant' at .05 is not what it says."""
    finding = audit_claim({"p": "p = .053, significant", "data": MAIZE, "stated": "all"})
    assert finding.decision == (True, False)
    assert finding.decides_otherwise
    assert audit_claim({"p": "p = .05, n.s.", "data": MAIZE}).decision == (False, False)


@pytest.mark.parametrize(
    ("p", "fields", "message"),
    [
        (
            "p (one-tailed) = .026",
            {"alternative": "two-sided"},
            "alternative is 'two-sided', but the printed text states 'min'",
        ),
        ("p (t-test) = .05", {"law": "exact"}, "law is 'exact', but the printed text states 't'"),
        ("p = .05, n.s.", {"decision": "yes"}, "decision is 'yes', but"),
    ],
)
def test_a_claim_that_says_otherwise_is_unreadable(p, fields, message):
    finding = audit_claim({"p": p, "data": MAIZE, **fields})
    assert finding.level == "unreadable"
    assert message in finding.notes[0]


def test_agreement():
    assert agrees("law", "normal-cc", "asymptotic")
    assert not agrees("law", "exact", "asymptotic")
    assert Claim(p="V = 45, p = .004", data=SLEEP).printed_statistic == "V = 45"
    assert Claim(p="p = .05", counts="9,1").statistic == "mcnemar"


@pytest.mark.parametrize("text", ["V = < .5", "<.5", "n.s.", "V = many", "V < 44", "1 = 2 = 3"])
def test_what_is_no_printed_statistic(text):
    assert read_statistic(text) is None
