"""Lines as papers print them: no word beside a p-value is passed over."""

import pytest

from exactperm.auditing.audit import audit_claim
from exactperm.auditing.claims import Claim
from exactperm.auditing.lines import agrees, read_line, read_statistic
from exactperm.auditing.printed import read_pvalue
from exactperm.cli.demo import DARWIN_MAIZE, STUDENT_SLEEP
from exactperm.errors import ExactPermError

MAIZE, SLEEP = list(DARWIN_MAIZE), list(STUDENT_SLEEP)
ONE, TWO = {"alternative": "min"}, {"alternative": "two-sided"}
T = {"statistic": "sum"}


# the line # what is left # the fields (v: the printed statistic) # the law of the statistic
LINES = r"""
two-tailed p = .053 # = .053 # alternative=two-sided #
one-tailed p = .026 # = .026 # alternative=min #
mid-p = .0518 # = .0518 # boundary=mid law=exact #
exact p = .053 # = .053 # law=exact #
p = .053, two-sided, exact # = .053 # law=exact alternative=two-sided #
p-val 0.053 # 0.053 #  #
p perm = 0.053 # = 0.053 # statistic=sum #
Pr > |t| 0.0497 # 0.0497 # alternative=two-sided law=t #
Pr >= |S| 0.0413 # 0.0413 # alternative=two-sided statistic=signed-rank #
Signed-rank test: S = 36, Pr >= |S| = 0.0413 \
# = 0.0413 # v:S = 36;statistic=signed-rank alternative=two-sided #
Pr >= |M| 0.0352 # 0.0352 # alternative=two-sided statistic=sign #
Pr > ChiSq 0.1456 # 0.1456 # statistic=mcnemar #
Asymp. Sig. (2-tailed) .041 # .041 # law=asymptotic alternative=two-sided #
Exact Sig. (1-tailed) .021 # .021 # law=exact alternative=min #
Monte Carlo Sig. (2-tailed) .053 # .053 # alternative=two-sided statistic=sum #
Two-Sided p .053 # .053 # alternative=two-sided #
p = .053 (10,000 permutations) # = .053 # samples=10000 law=monte-carlo #
p = .053 (B = 10000) # = .053 # samples=10000 law=monte-carlo #
randomization test, p = .05, 9999 resamples # = .05 # samples=9999 statistic=sum law=monte-carlo #
p = .04 (two-sided permutation test) # = .04 # alternative=two-sided statistic=sum #
p = .053 by a two-sided exact permutation test # = .053 # law=exact alternative=two-sided #
(exact paired permutation test, two-sided, p = 0.021) \
# = 0.021 # law=exact alternative=two-sided #
t-statistic: -2.449, p-value: 0.022 # = 0.022 # v:t = -2.449;statistic=sum # t
Wilcoxon signed-rank test, V = 96, p = .041 # = .041 # v:V = 96;statistic=signed-rank #
p = .053, n.s. # = .053 # decision=no #
p = .04 (significant) # = .04 # decision=yes #
p (one-tailed) = .026 # = .026 # alternative=min #
p() = .026 # = .026 #  #
Pr(>t) = .0263 # = .0263 # alternative=greater law=t #
Pr(T < t) = 0.9751 # = 0.9751 # alternative=less law=t #
Pr(|T| > |t|) = 0.0497 # = 0.0497 # alternative=two-sided law=t #
Pr(>|z|) = 0.02 # = 0.02 # alternative=two-sided law=asymptotic #
P(T<=t) two-tail 0.0497 # 0.0497 # law=t alternative=two-sided #
p(Bonferroni) = .158 # = .158 # adjustment=bonferroni #
p = .03 (Holm-adjusted) # = .03 # adjustment=holm #
adjusted p (Holm) = .03 # = .03 # adjustment=holm #
p_perm = .053 # = .053 # statistic=sum #
$p_{\text{raw}} \leq .05$ # <= .05 #  #
t(14) = 2.148, p = .050 # = .050 # v:t(14) = 2.148;statistic=sum # t
N = 20; t(19) = 2.1, p = .049 # = .049 # v:t(19) = 2.1;statistic=sum n=20 # t
T = 314, p = .053 # = .053 # v:T = 314; #
T- = 24, p = .041 # = .041 # v:T- = 24;statistic=signed-rank #
W = 12, Z = -1.2, p = .2 # = .2 # v:W = 12;statistic=signed-rank #
χ²(1, N = 45) = 6.6, p = .01 # = .01 # v:chi^2(1, N = 45) = 6.6; #
McNemar's chi-squared = 2.1176, df = 1, p-value = 0.1456 \
# = 0.1456 # v:McNemar's chi-squared(1) = 2.1176; #
t = 2.148, df = 14, p-value = 0.0497 # = 0.0497 # v:t(14) = 2.148;statistic=sum # t
p = .03, d = 0.5, N = 15 # = .03 # n=15 #
M = 20.93, SD = 37.74, t(14) = 2.15, p = .050, Cohen's d = -0.55, 95% CI [0.03, 41.83] \
# = .050 # v:t(14) = 2.15;statistic=sum # t
WilcoxonResult(statistic=24.0, pvalue=0.04126) # =0.04126 # v:T = 24.0;statistic=signed-rank #
TtestResult(statistic=np.float64(2.148), pvalue=np.float64(0.0497), df=np.int64(14)) \
# =0.0497 # v:t(14) = 2.148;statistic=sum law=t # t
Wilcoxon signed rank test with continuity correction, V = 96, p-value = 0.0427 \
# = 0.0427 # v:V = 96;statistic=signed-rank law=normal-cc #
Wilcoxon signed rank exact test: V = 96, p-value = 0.04126 \
# = 0.04126 # v:V = 96;statistic=signed-rank law=exact #
Asymptotic Wilcoxon-Pratt Signed-Rank Test, Z = 2.0448, p-value = 0.04087 \
# = 0.04087 # v:Z = 2.0448;statistic=signed-rank zeros=pratt law=asymptotic #
Paired t-test, t = 2.148, df = 14, p-value = 0.0497, alternative hypothesis: true mean difference is not equal to 0 \
# = 0.0497 # v:t(14) = 2.148;statistic=sum alternative=two-sided law=t # t
two-tailed paired Student's t-test: p = 0.0497 \
# = 0.0497 # statistic=sum law=t alternative=two-sided #
BLEU = 33.4 (p = 0.0010) # = 0.0010 #  #
33.8 (33.8 ± 0.6) (p = 0.0010) # = 0.0010 #  #
sign test p = .007 # = .007 # statistic=sign #
N = 1,000; p = .05 # = .05 # n=1000 #
n.s. # n.s. #  #
p = 697 / 2^15 # p = 697 / 2^15 #  #
W+ = 96, p = .041 # = .041 # v:W+ = 96;statistic=signed-rank #
T(14) = 2.148, p = .050 # = .050 # v:T(14) = 2.148;statistic=sum # t
T = 2.148, df = 14, p = .050 # = .050 # v:T(14) = 2.148;statistic=sum # t
X-squared = 7.5, df = 1, p = .006 # = .006 # v:X-squared(1) = 7.5; #
.05 < p < .10 # .05 < p < .10 #  #
.03* # .03* #  #
p (1-sided) = .026 # = .026 # alternative=min #
"""


@pytest.mark.parametrize("row", LINES.replace("\\\n", "").strip().splitlines())
def test_lines(row):
    text, left, stated, law = [part.strip() for part in f"{row} # ".split("# ")][:4]
    printed, semicolon, rest = stated.rpartition(";")
    fields = dict(word.split("=") for word in rest.split())
    if semicolon:
        fields["printed_statistic"] = printed[len("v:") :]
    line = read_line(text)
    assert (line.p, line.fields, line.law) == (left, fields, law)


@pytest.mark.parametrize(
    "text",
    [
        *("p (bird) = .1", "p = .1 (bird)", "F(1, 14) = 4.6, p = .05", "p(>F) = .1", "q = .03"),
        *("p (one-sided, two-sided) = .1", "p = .03, p = .04", "p = .03, .04", "p = .03, q = 0.5"),
        *("p adj = .03", "Mann-Whitney U = 30, p = .04", "Wilcoxon rank-sum test, p = .04"),
        *("V = 96", "t(14) = 2.148", "Z = -2.045b, p = .041", "p = 5.3%", "df = 3, p = .1"),
        *("exact asymptotic p = .1", "p = .1 (Holm, BH)"),
    ],
)
def test_what_is_not_understood_is_refused(text):
    with pytest.raises(ExactPermError, match="the printed"):
        read_pvalue(read_line(text).p)


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
        ("p = .052 (10,000 permutations)", {}, "consistent"),
        ("p = .31 (10,000 permutations)", {}, "inconsistent"),
        ("WilcoxonResult(statistic=24.0, pvalue=0.04126)", {}, "consistent"),
        ("TtestResult(statistic=2.148, pvalue=0.0497, df=14)", {}, "consistent"),
        ("Asymp. Sig. (2-tailed) .041", {"statistic": "Wilcoxon"}, "consistent"),
        ("Pr >= |S| 0.0413", {}, "consistent"),
        ("mid-p = .0518", {}, "consistent"),
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
