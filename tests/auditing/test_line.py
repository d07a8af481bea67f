"""Lines as papers and programs print them: every phrase states a field, and one number is left."""

from fractions import Fraction

import pytest

from exactperm.auditing.line import PHRASES, read_line, read_statistic, read_words, state
from exactperm.auditing.text import read_pvalue
from exactperm.errors import ExactPermError
from exactperm.record import replaced

# the line # what is left # the fields (v: the printed statistic)
LINES = r"""
two-tailed p = .053 # = .053 # alternative=two-sided
one-tailed p = .026 # = .026 # alternative=min
mid-p = .0518 # = .0518 # boundary=mid law=exact
exact p = .053 # = .053 # law=exact
p = .053, two-sided, exact # = .053 # law=exact alternative=two-sided
p-val 0.053 # p-val 0.053 #
p perm = 0.053 # = 0.053 # law=permutation
Pr > |t| 0.0497 # 0.0497 # alternative=two-sided law=t
Pr >= |S| 0.0413 # 0.0413 # alternative=two-sided statistic=wilcoxon
Signed-rank test: S = 36, Pr >= |S| = 0.0413 \
# = 0.0413 # v:S = 36;statistic=wilcoxon alternative=two-sided
Pr >= |M| 0.0352 # 0.0352 # alternative=two-sided statistic=sign
Pr > ChiSq 0.1456 # 0.1456 # statistic=mcnemar
Asymp. Sig. (2-tailed) .041 # .041 # law=asymptotic alternative=two-sided
Exact Sig. (1-tailed) .021 # .021 # law=exact alternative=min
Monte Carlo Sig. (2-tailed) .053 # .053 # law=permutation alternative=two-sided
Two-Sided p .053 # .053 # alternative=two-sided
p = .053 (10,000 permutations) # = .053 # samples=10,000
p = .053 (B = 10000) # = .053 # samples=10000
randomization test, p = .05, 9999 resamples # = .05 # samples=9999 law=permutation
p = .04 (two-sided permutation test) # = .04 # law=permutation alternative=two-sided
p = .053 by a two-sided exact permutation test # = .053 # law=exact alternative=two-sided
(exact paired permutation test, two-sided, p = 0.021) # = 0.021 # law=exact alternative=two-sided
t-statistic: -2.449, p-value: 0.022 # = 0.022 # v:t = -2.449;statistic=difference
Wilcoxon signed-rank test, V = 96, p = .041 # = .041 # v:V = 96;statistic=wilcoxon
p = .053, n.s. # = .053 # decision=no
p = .04 (significant) # = .04 # decision=yes
p (one-tailed) = .026 # = .026 # alternative=min
p() = .026 # = .026 #
Pr(>t) = .0263 # = .0263 # alternative=greater law=t
Pr(T < t) = 0.9751 # = 0.9751 # alternative=less law=t
Pr(|T| > |t|) = 0.0497 # = 0.0497 # alternative=two-sided law=t
Pr(>|z|) = 0.02 # = 0.02 # alternative=two-sided law=asymptotic
P(T<=t) two-tail 0.0497 # 0.0497 # law=t alternative=two-sided
p(Bonferroni) = .158 # = .158 # adjustment=bonferroni
p = .03 (Holm-adjusted) # = .03 # adjustment=holm
adjusted p (Holm) = .03 # = .03 # adjustment=holm
p_perm = .053 # = .053 # law=permutation
$p_{\text{raw}} \leq .05$ # <= .05 #
t(14) = 2.148, p = .050 # = .050 # v:t(14) = 2.148;statistic=difference
N = 20; t(19) = 2.1, p = .049 # = .049 # v:t(19) = 2.1;statistic=difference n=20
T = 314, p = .053 # = .053 # v:T = 314;
T- = 24, p = .041 # = .041 # v:T- = 24;statistic=wilcoxon
W = 12, Z = -1.2, p = .2 # = .2 # v:W = 12;statistic=wilcoxon
χ²(1, N = 45) = 6.6, p = .01 # = .01 # v:chi2(1, N = 45) = 6.6;
McNemar's chi-squared = 2.1176, df = 1, p-value = 0.1456 # = 0.1456 # v:chi2(1) = 2.1176;
t = 2.148, df = 14, p-value = 0.0497 # = 0.0497 # v:t(14) = 2.148;statistic=difference
p = .03, d = 0.5, N = 15 # = .03 # n=15
M = 20.93, SD = 37.74, t(14) = 2.15, p = .050, Cohen's d = -0.55, 95% CI [0.03, 41.83] \
# = .050 # v:t(14) = 2.15;statistic=difference
WilcoxonResult(statistic=24.0, pvalue=0.04126) # =0.04126 # v:T = 24.0;statistic=wilcoxon
TtestResult(statistic=np.float64(2.148), pvalue=np.float64(0.0497), df=np.int64(14)) \
# =0.0497 # v:t(14) = 2.148;statistic=difference law=t
Wilcoxon signed rank test with continuity correction, V = 96, p-value = 0.0427 \
# = 0.0427 # v:V = 96;statistic=wilcoxon law=normal-cc
Wilcoxon signed rank exact test: V = 96, p-value = 0.04126 \
# = 0.04126 # v:V = 96;statistic=wilcoxon law=exact
Asymptotic Wilcoxon-Pratt Signed-Rank Test, Z = 2.0448, p-value = 0.04087 \
# = 0.04087 # v:Z = 2.0448;statistic=wilcoxon zeros=pratt law=asymptotic
Paired t-test, t = 2.148, df = 14, p-value = 0.0497, alternative hypothesis: true mean difference is not equal to 0 \
# = 0.0497 # v:t(14) = 2.148;statistic=difference alternative=two-sided law=t
Paired-samples t-test, t_(14) = 2,15, p = 0,050 # = 0,050 # v:t(14) = 2,15;statistic=difference law=t
t = 2.15, 14 df, p = .050 # = .050 # v:t(14) = 2.15;statistic=difference
Related-Samples Wilcoxon Signed Rank Test, p = .041 # = .041 # statistic=wilcoxon
asymptotic permutation test, p = .0497 # = .0497 # law=asymptotic
two-tailed paired Student's t-test: p = 0.0497 \
# = 0.0497 # statistic=difference law=t alternative=two-sided
BLEU = 33.4 (p = 0.0010) # = 0.0010 #
33.8 (33.8 ± 0.6) (p = 0.0010) # = 0.0010 #
sign test p = .007 # = .007 # statistic=sign
N = 1,000; p = .05 # = .05 # n=1,000
n.s. # n.s. #
p = 697 / 2^15 # p = 697 / 2^15 #
W+ = 96, p = .041 # = .041 # v:W+ = 96;statistic=wilcoxon
T(14) = 2.148, p = .050 # = .050 # v:T(14) = 2.148;statistic=difference
T = 2.148, df = 14, p = .050 # = .050 # v:T(14) = 2.148;statistic=difference
X-squared = 7.5, df = 1, p = .006 # = .006 # v:chi2(1) = 7.5;
.05 < p < .10 # .05 < p < .10 #
p (1-sided) = .026 # = .026 # alternative=min
Signed Rank S 36 Pr >= |S| 0.0413 # 0.0413 # v:S = 36;statistic=wilcoxon alternative=two-sided
Student's t t 2.148 Pr > |t| 0.0497 \
# 0.0497 # v:t = 2.148;statistic=difference alternative=two-sided law=t
t Value 2.15, Pr > |t| 0.0497 # 0.0497 # v:t = 2.15;statistic=difference alternative=two-sided law=t
Pr > |t| <.0001 # <.0001 # alternative=two-sided law=t
Sign M 5.5 Pr >= |M| 0.0074 # 0.0074 # alternative=two-sided statistic=sign
DF 14, t Value 2.15, Pr > |t| 0.0497 \
# 0.0497 # v:t(14) = 2.15;statistic=difference alternative=two-sided law=t
McNemar's Test, chi-squared = 6.4, DF = 1, p = 0.0114 # = 0.0114 # v:chi2(1) = 6.4;statistic=mcnemar
Sig. (2-tailed) .050 # .050 # alternative=two-sided
Sig. (1-tailed) = .025 # = .025 # alternative=min
Two-Sided p <.001 # <.001 # alternative=two-sided
Exact Sig. (2-sided) .039 (Binomial distribution used) # .039 # law=exact alternative=two-sided
Z -2.045, Asymp. Sig. (2-tailed) .041 # .041 # v:Z = -2.045;law=asymptotic alternative=two-sided
Monte Carlo Sig. (2-tailed) Sig. .053 99% Confidence Interval [.047, .058] \
# .053 # law=permutation alternative=two-sided
V = 96, p-value = 0.04126, alternative hypothesis: true location shift is not equal to 0 \
# = 0.04126 # v:V = 96;statistic=wilcoxon alternative=two-sided
t = 2.148, df = 14, p-value = 0.02485, alternative hypothesis: true mean difference is greater than 0 \
# = 0.02485 # v:t(14) = 2.148;statistic=difference alternative=greater
t.test: p-value = 0.0497, paired = TRUE # = 0.0497 # statistic=difference law=t
wilcox.test, exact = FALSE, correct = FALSE: p-value = 0.0408 # = 0.0408 # statistic=wilcoxon law=normal
wilcox.test(paired = TRUE, alternative = "greater"): p-value = 0.02 \
# = 0.02 # statistic=wilcoxon alternative=greater
p-value < 2.2e-16 # p-value < 2.2e-16 #
McNemar's Chi-squared test with continuity correction: McNemar's chi-squared = 4.9, df = 1, p-value = 0.02686 \
# = 0.02686 # v:chi2(1) = 4.9;statistic=mcnemar law=normal-cc
Asymptotic Wilcoxon-Pratt Signed-Rank Test, data: y by x (pos, neg) stratified by block, Z = 2.0448, p-value = 0.04087 \
# = 0.04087 # v:Z = 2.0448;statistic=wilcoxon zeros=pratt law=asymptotic
Approximative Wilcoxon Signed-Rank Test, p-value = .041 # = .041 # statistic=wilcoxon law=permutation
1-sample Permutation Test, T = 314, p-value = 0.05267 # = 0.05267 # v:T = 314;law=permutation
Exact Sign Test, Z = 2.1, p-value = .03 # = .03 # v:Z = 2.1;statistic=sign law=exact
Ttest_relResult(statistic=2.148, pvalue=0.0497) # =0.0497 # v:t = 2.148;statistic=difference law=t
PermutationTestResult(statistic=20.93, pvalue=0.0526, null_distribution=array([1., 2.])) \
# =0.0526 # v:20.93;law=permutation
pvalue 0.0215, statistic 2.0 # 0.0215 # v:2.0;
p_value = 0.03 # = 0.03 #
t(14) = 2.15, p = .050, dz = 0.55 # = .050 # v:t(14) = 2.15;statistic=difference
Z = -2.05, p = .041, r = .53 # = .041 # v:Z = -2.05;
T = 24, z = <minus>2.05, p = .041, r = -.37 # = .041 # v:T = 24;
t(14) = 2.15, p = .050, η²p = .25, BF10 = 1.2 # = .050 # v:t(14) = 2.15;statistic=difference
M_diff = 20.93, SE = 9.7, t(14) = 2.15, p = .050 # = .050 # v:t(14) = 2.15;statistic=difference
p = .053 (two-tailed paired permutation test, 10,000 permutations, seed = 1) \
# = .053 # samples=10,000 law=permutation alternative=two-sided
p<.05, two-tailed, Wilcoxon matched-pairs signed-ranks test \
# <.05 # statistic=wilcoxon alternative=two-sided
P = 0.053 (paired, two-sided randomisation test) # = 0.053 # law=permutation alternative=two-sided
p = .0527, <alpha> = .05 # = .0527 # alpha=.05
significant at the 5% level (p = .04) # = .04 # alpha=5e-2 decision=yes
Exact Sig. (1-tailed) .021; Point Probability .003 # .021 # law=exact alternative=min
Exact McNemar significance probability = 0.0215 # = 0.0215 # statistic=mcnemar law=exact
p = 0.0253 (permutation test, 10,000 sign flips) # = 0.0253 # samples=10,000 law=permutation
significant at the .05 level, p = .04 # = .04 # alpha=.05 decision=yes
Bonferroni-corrected p = .158 (3 tests) # = .158 # tests=3 adjustment=bonferroni
FDR-adjusted p = .03 # = .03 # adjustment=fdr_bh
p (BY) = .03 # = .03 # adjustment=fdr_by
BLEU 33.8 (p = 0.0010) # = 0.0010 #
chrF2 = 59.7 (p = 0.0010) # = 0.0010 #
Paired approximate randomization test with 10000 trials, p = 0.0010 \
# = 0.0010 # samples=10000 law=permutation
mid-p McNemar test, p = .0391 # = .0391 # statistic=mcnemar boundary=mid law=exact
McNemar mid-p-value = 0.0391 # = 0.0391 # statistic=mcnemar boundary=mid law=exact
exact p-value: 0.0527 # = 0.0527 # law=exact
p_{two-tailed} = .053 # = .053 # alternative=two-sided
p_{1-tailed} = .026 # = .026 # alternative=min
P(|T| ≥ |t|) = 0.0497 # = 0.0497 # alternative=two-sided law=t
Ha: mean(diff) != 0  Pr(|T| > |t|) = 0.0497 # = 0.0497 # alternative=two-sided law=t
z = 2.045, Prob > |z| = 0.0409 # = 0.0409 # v:z = 2.045;alternative=two-sided law=asymptotic
Exact prob = 0.0413 # = 0.0413 # law=exact
t Stat 2.148, P(T<=t) two-tail 0.0497 \
# 0.0497 # v:t = 2.148;statistic=difference law=t alternative=two-sided
T-Value = 2.15, P-Value = 0.050 # = 0.050 # v:t = 2.15;statistic=difference
N for Test 15, Wilcoxon Statistic 96.00, P-Value 0.042 # 0.042 # v:96.00;n=15
p = 5.3 <times> 10⁻² (two-sided) # = 5.3 x 10^-2 # alternative=two-sided
Two-tailed probability = .041 # = .041 # alternative=two-sided
Significance = .041 # = .041 #
not sig., p = .12 # = .12 # decision=no
fail to reject H0, p = .12 # = .12 # decision=no
p = .05 (Student) # = .05 # statistic=difference law=t
the difference was significant (p < .05, paired t-test) \
# < .05 # statistic=difference law=t decision=yes
no significant difference (p > .05) # > .05 # decision=no
Wilcoxon signed-rank: W = 24, p = 0.04 (two-sided) \
# = 0.04 # v:W = 24;statistic=wilcoxon alternative=two-sided
p = .026, one-tailed exact permutation test, n = 15 # = .026 # n=15 law=exact alternative=min
p=0.049 n=15 # =0.049 # n=15
Monte Carlo permutation test (B = 9,999): p = .053 # = .053 # samples=9,999 law=permutation
p = .053 (9999 permutations, two-tailed) # = .053 # samples=9999 alternative=two-sided
sign-flip test p=.053 # =.053 # law=permutation
p = .041 (exact Wilcoxon) # = .041 # statistic=wilcoxon law=exact
paired Wilcoxon test, Holm-adjusted p = .03 (4 comparisons) \
# = .03 # tests=4 statistic=wilcoxon adjustment=holm
p = 3.1 x 10^-4 (exact) # = 3.1 x 10^-4 # law=exact
"""


def test_lines():
    for row in LINES.replace("\\\n", "").strip().splitlines():
        text, left, stated = [part.strip() for part in f"{row} ".split("# ")]
        for name, sign in (("minus", "\u2212"), ("alpha", "\u03b1"), ("times", "\u00d7")):
            text = text.replace(f"<{name}>", sign)
        printed, semicolon, rest = stated.rpartition(";")
        fields = dict(word.split("=") for word in rest.split())
        if semicolon:
            fields["printed_statistic"] = printed[len("v:") :]
        expected = replaced(read_pvalue(left), text=text)
        assert read_line(text) == (expected, fields), row


@pytest.mark.parametrize(
    "text",
    [
        *("p (bird) = .1", "p = .1 (bird)", "F(1, 14) = 4.6, p = .05", "p(>F) = .1", "q = .03"),
        *("p (one-sided, two-sided) = .1", "p = .03, p = .04", "p = .03, .04", "p = .03, q = 0.5"),
        *("p adj = .03", "Mann-Whitney U = 30, p = .04", "Wilcoxon rank-sum test, p = .04"),
        *("V = 96", "t(14) = 2.148", "Z = -2.045b, p = .041", "p = 5.3%", ".03*", "df = 3, p = .1"),
        *("exact asymptotic p = .1", "p = .1 (Holm, BH)", "9" * 500),
        *("ps < .05", "p = .04 < .05", "p = .03 adjusted", "Pr > S 0.0114", "p = .05 / .06"),
        *("U = 30, p = .04", "independent t-test, p = .04", "p = .04 (chi-squared test)"),
        *("t(14) = 2.148, t(14) = 2.2", "Asymp. Sig. (2-tailed) .041a", "p = .053 [.048, .058]"),
        *("Two-Sided p .053 One-Sided p .026", "p = 0,053 (zweiseitig)", "p = .03 (interaction)"),
        *("p = .04 (Friedman test)", "p = .12 (Welch)", "median test p = .1", "no p = .03"),
    ],
)
def test_what_is_not_understood_is_refused(text):
    with pytest.raises(ExactPermError) as caught:
        read_line(text)
    assert caught.value.code in ("printed", "contradiction", "unpaired")


def test_words_of_a_test_and_a_tail():
    for words, fields in (
        ("Wilcoxon", "statistic=wilcoxon"),
        ("exact two-sided sign test", "statistic=sign law=exact alternative=two-sided"),
        ("paired t-test", "statistic=difference law=t"),
        ("two.sided", "alternative=two-sided"),
        ("1-tailed", "alternative=min"),
        ("median test of Mood", ""),
        ("permutation test of F1", ""),
    ):
        assert read_words(words) == dict(word.split("=") for word in fields.split())


def test_the_more_exact_word_stays():
    fields = {}
    for name, value in (("law", "permutation"), ("law", "exact"), ("law", "permutation")):
        state(fields, name, value)
    assert fields == {"law": "exact"}
    with pytest.raises(ExactPermError):
        state(fields, "law", "t")


def test_every_phrase_states_fields_of_claims():
    from exactperm.auditing.claim import FIELDS

    names = {name for _, fields in PHRASES for name in fields}
    assert names <= {*FIELDS, "df", "adjusted", "unpaired"}


STATISTICS = """
t(14) = -2.15 # t # t # 14 # 2.15 # 1/100
t = 2.148, df = 14 # t # t # 14 # 2.148 # 1/1000
T(14) = 2.1 # T # t # 14 # 2.1 # 1/10
t-statistic= -2.449 # t-statistic # t # None # 2.449 # 1/1000
T = 314 # T # # None # 314 # 1
V = 1 # V # # None # 1 # 1
Z = -1.2 # Z # z # None # 1.2 # 1/10
chi^2(1, N = 45) = 6.6 # chi^2 # chi2 # 1 # 6.6 # 1/10
McNemar's chi-squared = 2.1, df = 1 # McNemar's chi-squared # chi2 # 1 # 2.1 # 1/10
statistic=24.0 # statistic # # None # 24 # 1/10
"""


def test_printed_statistics():
    for row in STATISTICS.strip().splitlines():
        text, name, kind, df, value, unit = [part.strip() for part in row.split("#")]
        found = read_statistic(text)
        assert (found.name, found.kind, str(found.df)) == (name, kind, df)
        assert (found.value, found.unit) == (Fraction(value), Fraction(unit))


def test_what_is_no_printed_statistic():
    for text in ("V = < .5", "<.5", "n.s.", "V = many", "V < 44", "1 = 2 = 3"):
        assert read_statistic(text) is None, text
