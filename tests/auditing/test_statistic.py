"""Printed test statistics: beside the data, beside the printed p-value, each with the rounding of its last digit."""

from ast import literal_eval
from fractions import Fraction
from itertools import product
from math import sqrt
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm import audit_claim
from exactperm.auditing import statistic
from exactperm.certified import bracket
from exactperm.classical.paired import signed_ranks
from exactperm.cli.demo import DARWIN_MAIZE, STUDENT_SLEEP
from exactperm.errors import ExactPermError

MAIZE, SLEEP = list(DARWIN_MAIZE), list(STUDENT_SLEEP)


def check(p, data=MAIZE, **fields):
    return audit_claim({"p": p, "data": data, "rounded": "no", **fields}).statistic


GROUPS = {"u": [3, 1, 2], "v": [1, 0, 0], "g": ["a", "a", "b"]}
TENTHS = ["0.3", "0.2", "0.9"], ["0.2", "0.1", "1.4"]  # ties as decimals, and not as doubles
TABLE = ["93.1", "90.4", "85.2", "88.8", "91.0"], ["92.4", "90.1", "84.5", "89.1", "90.3"]
HUGE = [x * 10**400 for x in MAIZE]
SCORES = {"GROUPS": GROUPS, "TENTHS": [*TENTHS], "TABLE": [*TABLE], "HUGE": HUGE, "MAIZE": MAIZE}


# line | data | fields | whether the statistic is that of the data, and the p-value that of the statistic; None where
# nothing can be said. Fisher (1935): t = 2.148 with 14 degrees of freedom, p = .0497. T = 10 is the sum of 1, ..., 4,
# whose p-value is 1/8; the normal law of the sign test gives .134.
ANSWERS = """
t(14) = 2.148, p = .050 | MAIZE | {} | (True, True)
t(14) = -2.15, p = .050 | MAIZE | {} | (True, True)
t(14) = 2.15, p < .05 | MAIZE | {} | (True, True)
t(14) = 2.1, p = .05 | MAIZE | {} | (True, True)
t(14) = 2.148, p = .040 | MAIZE | {} | (True, False)
t(14) = 2.48, p = .026 | MAIZE | {} | (False, True)
t(14) = 2.48, p = .050 | MAIZE | {} | (False, False)
t(14) = 2.48, p > .05 | MAIZE | {} | (False, False)
t(28) = 2.148, p = .040 | MAIZE | {} | (False, True)  # as of an unpaired test
t(13) = 2.148, p = .051 | MAIZE | {} | (False, True)
t(13.7) = 2.148, p = .050 | MAIZE | {} | (False, None)
t = 2.148, p = .050 | MAIZE | {} | (True, True)
V = 96, p = .041 | MAIZE | {} | (True, None)  # R 4.2.2: wilcox.test(maize), exact
W = 24, p = .041 | MAIZE | {} | (True, None)
V = 90, p = .041 | MAIZE | {} | (False, False)  # one-sided
V = 80, p = .041 | MAIZE | {} | (False, False)
V = 96, p = .31 | MAIZE | {} | (True, False)
V = 500, p = .041 | MAIZE | {} | (False, None)
V = 60.3, p = .9 | MAIZE | {} | (False, None)
Z = 2.04, p = .041 | MAIZE | {} | (True, True)  # (96 - 60) / sqrt(310)
z = 2.02, p = .044 | MAIZE | {} | (True, True)  # with continuity correction
Z = 2.30, p = .021 | MAIZE | {} | (False, True)
Z = 2.30, p = .041 | MAIZE | {} | (False, False)
Z = 0, p = 1 | MAIZE | {} | (False, True)
T = 314, p = .053 | MAIZE | {} | (True, None)  # the sum, not Student's t
T = 96, p = .053 | MAIZE | {} | (True, None)  # the one of ranks, the other of sums
T = 2.148, p = .050 | MAIZE | {} | (True, True)
T = 2.48, p = .050 | MAIZE | {} | (False, False)
T+ = 96, p = .31 | MAIZE | {} | (True, False)
chi2(1) = 7.53, p = .006 | None | {"counts": "25,9", "statistic": "mcnemar"} | (True, True)  # (25 - 9)**2 / 34
chi2(1) = 7.53, p = .006 | None | {"counts": "25,9", "statistic": "mcnemar", "alternative": "greater"} | (True, True)
chi2(1, N = 34) = 6.62, p = .010 | None | {"counts": "25,9", "statistic": "mcnemar"} | (True, True)  # Edwards' correction: 15**2 / 34
chi2(1, N = 34) = 6.62, p = .010 | None | {"counts": "25,9", "statistic": "mcnemar", "alternative": "greater"} | (True, True)
X-squared = 6.6176, p = .0101 | None | {"counts": "25,9", "statistic": "mcnemar"} | (True, True)
X-squared = 6.6176, p = .0101 | None | {"counts": "25,9", "statistic": "mcnemar", "alternative": "greater"} | (True, True)
chi2(1) = 7.53, p = .010 | None | {"counts": "25,9", "statistic": "mcnemar"} | (True, None)  # p with a correction, chi-squared without
chi2(1) = 7.53, p = .010 | None | {"counts": "25,9", "statistic": "mcnemar", "alternative": "greater"} | (True, False)
chi2(1) = 7.53, p = .060 | None | {"counts": "25,9", "statistic": "mcnemar"} | (True, False)
chi2(1) = 7.53, p = .060 | None | {"counts": "25,9", "statistic": "mcnemar", "alternative": "greater"} | (True, False)
chi2(1) = 7.35, p = .007 | None | {"counts": "25,9", "statistic": "mcnemar"} | (False, True)
chi2(1) = 7.35, p = .007 | None | {"counts": "25,9", "statistic": "mcnemar", "alternative": "greater"} | (False, True)
chi2(2) = 7.53, p = .023 | None | {"counts": "25,9", "statistic": "mcnemar"} | (False, None)
chi2(2) = 7.53, p = .023 | None | {"counts": "25,9", "statistic": "mcnemar", "alternative": "greater"} | (False, None)
T = 5, p = .5 | GROUPS | {"groups": "g"} | (True, None)
T = 1, p = .5 | GROUPS | {"groups": "g"} | (False, True)
T = 5.1, p = .5 | {"u": ["3.1", "1", "2"], "v": [1, 0, 0], "g": ["a", "a", "b"]} | {"groups": "g"} | (True, None)
T = 320, p = .05 | MAIZE | {"rounded": "1"} | (True, None)
T = 500, p = .05 | MAIZE | {"rounded": "1"} | (False, None)
V = 3, p = 1 | TENTHS | {"statistic": "wilcoxon"} | (True, None)
t(4) = 2.17, p = .10 | TABLE | {"rounded": None} | (True, True)
t(4) = 2.5, p = .07 | TABLE | {"rounded": None} | (True, True)
t(4) = 40, p = .001 | TABLE | {"rounded": None} | (False, False)
t(4) = 2.5, p = .07 | TABLE | {} | (False, True)
t(2) = 5.0, p = .04 | [2, 2, 2] | {} | (None, True)  # t is infinite
t(2) = 5.0, p = .04 | [0, 0, 0] | {} | (None, True)
t(14) = 2.148, p = .05 | HUGE | {} | (True, True)
T = 3, p = .05 | MAIZE | {} | (False, True)
T = 3, p = .05 | MAIZE | {"mu": "2"} | (None, True)  # before the shift, or after it
T = 10, p = 0.134 | [1, 2, 3, 4] | {} | (True, None)
T = 314, p = .25 | MAIZE | {"adjustment": "bonferroni", "tests": 5} | (True, None)
T = 314, p = .25 | MAIZE | {"law": "monte-carlo", "samples": 1000} | (True, None)
T = 5, p = .01 | [5] | {"statistic": "difference"} | (True, False)  # and no t-test
z = 3, p = 1 | [["a", "b"], ["a", "b"], ["b", "b"]] | {"statistic": "accuracy"} | (None, None)
t(0) = 5.0, p = .04 | [1] | {} | (None, None)
V = 0, p = 1 | [0, 0, 0] | {} | (True, None)
t(100001) = 2.148, p = .03 | MAIZE | {} | (False, None)
"""


@pytest.mark.parametrize("row", ANSWERS.strip().splitlines())
def test_three_answers(row):
    line, data, fields, answers = row.partition("  #")[0].split(" | ")
    found = check(line, SCORES.get(data) or literal_eval(data), **literal_eval(fields))
    assert (found.of_data, found.of_statistic) == literal_eval(answers), found.sentence


def test_sentences_and_flags():
    both = audit_claim({"p": "t(28) = 2.148, p = .050", "data": MAIZE})
    assert both.statistic.sentence == (
        "The printed statistic 't(28) = 2.148' disagrees with the data (t(14) = 2.14799; 28 degrees of freedom are "
        "printed, as of an unpaired test, the data have 14); the printed p-value disagrees with that statistic, which "
        "gives p from 0.0405 to 0.0406."
    )
    flag = "statistic disagrees with the data; p disagrees with the printed statistic"
    assert both.statistic.flag == flag
    assert flag in both.line()
    assert both.to_dict()["statistic"]["of_data"] is False
    fine = check("t(14) = 2.148, p = .025")
    assert fine.pvalue == "agrees with that statistic if it is one-sided"
    assert fine.flag == ""
    two = check("t(14) = 2.148, p = .025", alternative="two-sided")
    assert two.of_statistic is False
    stated = check("t(14) = 2.148, p = .025", alternative="greater")
    assert stated.pvalue == "agrees with that statistic"


NAMED = """
V = 45 | agrees with the data (V = W+ or W+ - W-).
45 | agrees with the data (V = W+ or W+ - W-)
W = 0 | agrees with the data (W- or the sum of the negative ones or c)
mean = 1.58 | agrees with the data (the mean)
S = -22.5 | agrees with the data (S = (W+ - W-)/2)
z = 2.7 | agrees with the data (z = 2.66791)
effect = 2.7 | cannot be compared with the data (V = W+ = 45, W- = 0
V = 44 | disagrees with the data (V = W+ = 45, W- = 0, W+ - W- = 45, S = (W+ - W-)/2 = 22.5000)
large | cannot be compared with the data (it is no number)
V < 44 | cannot be compared with the data (it is no number)
V = 4 = 5 | cannot be compared with the data (it is no number)
n.s. | cannot be compared with the data (it is no number)
"""


@pytest.mark.parametrize("row", NAMED.strip().splitlines())
def test_what_a_printed_statistic_is(row):
    printed, words = row.split(" | ")
    about = {"statistic": "wilcoxon", "printed_statistic": printed, "rounded": "no"}
    found = audit_claim({"p": ".004", "data": SLEEP, **about})
    assert found.heap == "fine"
    assert words in found.statistic.sentence


def test_what_is_said_of_other_data():
    counts = check("11/512", None, statistic="mcnemar", counts="9,1", printed_statistic="b = 9")
    assert counts.data == "b or the sum of the positive differences or V = W+"
    told = check("t(4) = 2.5, p = .07", [*TABLE], rounded=None).data
    assert "if the scores were rounded to multiples of 0.1" in told
    wide = (
        "t(4) = 2.14330, t(4) = 1.63299 to 2.65361 if the scores were rounded to multiples of 0.1"
    )
    assert check("t(4) = 40, p = .001", [*TABLE], rounded="0.1").data == wide
    assert check("T = 5, p = .5", GROUPS, groups="g").data == "the sum or t(1)"
    assert check("T = 1, p = .5", GROUPS, groups="g").data == "the sum = 5, t(1) = 5"


def test_a_design_that_the_runs_do_not_allow_says_nothing_of_the_statistic():
    def under(_design):
        raise ExactPermError("no such design")

    case, way = SimpleNamespace(sample=SimpleNamespace(under=under)), SimpleNamespace(design="")
    assert not list(statistic._by_places(case, None, [way]))


def test_what_the_budget_leaves_open_is_no_answer(refuse):
    refuse(bracket, "tail_bracket")
    found = check("V = 96, p = .31", law="exact")
    assert (found.of_data, found.of_statistic) == (True, None)


scores = st.lists(st.integers(-9, 9), min_size=3, max_size=7).filter(
    lambda d: any(d) and len({*d}) > 1
)


@pytest.mark.slow
@given(scores, st.integers(0, 4))
def test_the_t_of_the_data_agrees_and_its_pvalue_with_it(d, digits):
    """The definition in floats, printed with some digits; two units further it agrees no more."""
    n, mean = len(d), sum(d) / len(d)
    t = mean / sqrt(sum((x - mean) ** 2 for x in d) / (n - 1) / n)
    p = audit_claim({"p": "p = 1", "data": d, "law": "t"})
    assert p.taken == "paired t-test, two-sided"
    found = check(f"t({n - 1}) = {t:.{digits}f}, p = .5", d)
    assert found.of_data is True
    far = abs(t) + 2 / 10**digits
    assert check(f"t({n - 1}) = {far:.{digits}f}, p = .5", d).of_data is False


@pytest.mark.slow
@given(scores, st.sampled_from([("two-sided", 2), ("greater", 1)]), st.integers(1, 3))
def test_the_pvalue_of_any_rank_sum_agrees_with_it(d, tail, digits):
    """Each W+ that the signs of these ranks give, and the exact p-value by enumeration."""
    ranks = [abs(r) for r in signed_ranks(d, "wilcox") if r]
    sums = [
        sum(r for r, up in zip(ranks, signs) if up) for signs in product((0, 1), repeat=len(ranks))
    ]
    for w in sorted({*sums})[:3]:
        least = sum(x <= w for x in sums), sum(x >= w for x in sums)
        p = min(Fraction(1), Fraction(tail[1] * min(least), len(sums)))
        found = check(
            f"p = {float(p):.{digits}f}",
            d,
            statistic="wilcoxon",
            zeros="wilcox",
            law="exact",
            alternative=tail[0],
            boundary=">=",
            printed_statistic=f"V = {float(w):.1f}",
        )
        assert found.of_statistic is not False, found.sentence


@pytest.mark.slow
@given(st.data())
def test_true_lines_of_r_and_scipy_are_never_accused(data):
    """Statistic and p-value by their formulas in floats, of scores with 0 to 2 decimals, printed with 2 to 4 digits."""
    places, digits = data.draw(st.integers(0, 2)), data.draw(st.integers(2, 4))
    pairs = data.draw(
        st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), min_size=3, max_size=9)
    )
    u, v = [[f"{x / 10**places:.{places}f}" for x in column] for column in zip(*pairs)]
    d = [float(a) - float(b) for a, b in zip(u, v)]
    for line, fields in _true_lines(d, digits):
        for more in ({}, {"rounded": "no", **fields}):
            found = audit_claim({"p": line, "data": [u, v], **more})
            told = f"{line}: {found.line()}: {found.sentence}"
            assert found.heap != "wrong", told
            assert found.statistic.of_data is not False, told
            assert found.statistic.of_statistic is not False, told


def _true_lines(d, digits):
    n, mean = len(d), sum(d) / len(d)
    stats = pytest.importorskip("scipy.stats")
    deviation = sqrt(sum((x - mean) ** 2 for x in d) / (n - 1))
    if deviation > 1e-9:
        t = mean / deviation * sqrt(n)
        p = stats.t.sf(abs(t), n - 1) * 2
        yield (
            f"t({n - 1}) = {t:.{digits}f}, p = {p:.{digits}f}",
            {"law": "t", "alternative": "two-sided"},
        )
    moved = [x for x in d if x]
    if not moved:
        return
    ranks = stats.rankdata([abs(x) for x in moved])
    up, down = [sum(r for r, x in zip(ranks, moved) if sign * x > 0) for sign in (1, -1)]
    root = sqrt(sum(r * r for r in ranks) / 4)
    middle = (up + down) / 2
    fields = {"statistic": "wilcoxon", "zeros": "wilcox", "alternative": "two-sided"}
    if len({*ranks}) == len(moved) == n:  # as R without ties and zeros
        sums = [
            sum(r for r, kept in zip(ranks, signs) if kept) for signs in product((0, 1), repeat=n)
        ]
        p = min(1, 2 * min(sum(s >= up for s in sums), sum(s <= up for s in sums)) / 2**n)
        law = "exact"
    else:
        z = (up - middle - (0.5 if up > middle else -0.5 if up < middle else 0)) / root
        p, law = 2 * stats.norm.sf(abs(z)), "normal-cc"
    yield f"V = {up:g}, p = {p:.{digits}f}", {**fields, "law": law}
    yield f"W = {min(up, down):g}, p = {p:.{digits}f}", {**fields, "law": law}
    z = (min(up, down) - middle) / root
    p = 2 * stats.norm.sf(abs(z))
    yield f"Z = {z:.{digits}f}, p = {p:.{digits}f}", {**fields, "law": "normal"}
    yield f"T = {min(up, down):g}, z = {z:.2f}, p = {p:.{digits}f}", {**fields, "law": "normal"}
