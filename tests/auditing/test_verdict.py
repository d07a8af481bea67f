"""What a claim leaves open is never held against its author, what it states is: verdicts by the readings."""

from ast import literal_eval
from fractions import Fraction as F
from itertools import product
from operator import mul

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm import (
    adjust_pvalues,
    audit,
    audit_claim,
    decimal_string,
    sign_flip_test,
)
from exactperm.auditing import facts
from exactperm.auditing.axes import AXES, ERROR, USUAL
from exactperm.auditing.claim import Claim
from exactperm.auditing.data import sample_of as read_sample
from exactperm.auditing.readings import FORMULAS, readings, values
from exactperm.budget import Allowance
from exactperm.certified import bracket
from exactperm.classical.paired import signed_ranks
from exactperm.cli.demo import DARWIN_MAIZE, STUDENT_SLEEP
from runs_by_definition import every_pvalue

MAIZE, SLEEP = list(DARWIN_MAIZE), list(STUDENT_SLEEP)
MARKS = [[1] * 9 + [0] * 3, [0] * 8 + [1] + [1] * 2 + [0]]
ZEROS = [0, 0, 0, 1, 2, 3, 4, 5]
RANKS, RAW = {"statistic": "wilcoxon"}, {"rounded": "no"}
ALL, TWO = {"stated": "all"}, {"alternative": "two-sided", "rounded": "no"}
COUNTS = {"counts": "9,25", "statistic": "mcnemar"}
TABLE = {
    "ours": ["93.1", "90.4", "85.2", "88.8", "91.0", "79.5", "84.4", "90.9", "87.7", "82.3"],
    "baseline": ["92.4", "90.1", "84.5", "89.1", "90.3", "78.3", "84.7", "90.2", "86.5", "81.6"],
}


def judged(p, data=MAIZE, **fields):
    return audit_claim({"p": p, "data": data, **fields})


# p | data | what is stated | verdict | words of the line
# Fisher (1935): 863 of 32,768 one-sided, twice that two-sided, t = 2.148. statsmodels 0.15.0 takes 1
# off a difference of 0; SciPy 1.17.1 has the zeros in the variance of zsplit, and doubles one side,
# even above 1. perm.test of exactRankTests 0.8.35 takes ranks for scores that are no integers, as REALS; a
# table of WHOLE numbers may hide them. Differences of 0 had a sign before rounding, or were 0: SIGNS are six of six.
VERDICTS = """
863/32768 | MAIZE | ALL alternative=greater | fine |
p = .0527 | MAIZE | ALL | fine |
0.052673339843750000 | MAIZE | ALL | fine |
p < .06 | MAIZE | ALL | fine |
n.s. | MAIZE | ALL | fine |
p < .05 | MAIZE | ALL | WRONG at .05 | exact p = .0527
p > .06 | MAIZE | ALL | wrong | exact p = .0527
0.000 | MAIZE | ALL | WRONG at 0.05 |
1.25 | MAIZE | ALL | wrong | no p-value is above 1
p = .026 | MAIZE | TWO law=exact | WRONG at .05 | it is the one-sided p-value
p = .0497 | MAIZE | TWO law=exact | WRONG at .05 | it is the paired t-test
p = .0497 | MAIZE |  | fine | paired t-test, two-sided (.0497), as printed by R
p = .0497 | MAIZE | TWO law=permutation | question | from 10000 random
p = .035 | MAIZE | ALL | WRONG at .05 |
p = .0257 | MAIZE | ALL | WRONG at .05 |
p = .527 | MAIZE | ALL | wrong | the decimal point slipped
p = .0572 | MAIZE | ALL | wrong | two digits are swapped
p = .0427 | MAIZE | ALL | WRONG at .05 | perhaps one digit is mistyped
p = .0263 | MAIZE | ALL n=14 | WRONG at .05 | n is stated as 14, the data have 15
p = .0263 | MAIZE | RAW n=15 law=exact | question | the test was one-sided
p = .0526 | MAIZE | ALL | question | the number was cut, not rounded
p = .041 | MAIZE | RAW law=exact | question | the test was Wilcoxon's
n.s. | MAIZE | RAW statistic=Wilcoxon | WRONG at .05 | exact p = .0413
p = .027 | MAIZE | RAW samples=1000 | question | the test was one-sided
p = .0521 | MAIZE | ALL samples=10000 | fine |
p = .0671 | MAIZE | ALL samples=10000 | wrong |
p (permutation) = .054 | MAIZE | TWO | question | estimate from 10000 random
p = .055 | MAIZE | TWO | wrong |
p = .00909 | SLEEP | RANKS law=normal-cc | fine |
p = .00909 | SLEEP | RANKS law=exact | wrong | normal approximation
p = .0076 | SLEEP | RANKS law=asymptotic | fine |
1/512 | SLEEP | ALL RANKS zeros=pratt alternative=greater | fine |
p = .0039 | SLEEP | ALL statistic=sign | fine |
p = .1138 | MARKS |  | fine |
11/512 | - | ALL counts=9,1 | fine |
1 | - | ALL counts=0,0 | fine |
p = .0045 | - | COUNTS alternative=greater | question | the other order
p = .0090 | - | COUNTS law=exact | fine |
p = .7518 | - | counts=5,5 law=normal-cc | fine | statsmodels
p = .03479 | ZEROS | RANKS zeros=zsplit law=normal | fine | SciPy
1.25 | THREE | RANKS RAW | wrong | even above 1
0.2634 | MAIZE | ALL adjustment=bonferroni tests=5 | fine |
0.0263 | MAIZE | alternative=less orientation=second-first | fine |
p = .02548 | MAIZE | alternative=greater boundary=> | fine |
p = .5 | NONE | statistic=sign law=normal | question |
p = .04 | UPDOWN | statistic=sign law=asymptotic | WRONG at .05 |
p = .5 | [[5, 3], [2, 1]] | TWO samples=10 | fine |
p = .001 | MAIZE | TWO samples=100000 | WRONG at .05 |
p = .2501 | [3, 1, 2] | TWO samples=100000000 | undecided |
p = .5 | [["x", "y"], ["x", "y"], ["x", "y"]] | statistic=accuracy | question |
p = .25 | [["1/3", 2], [1, "1/7"]] |  | question |
p = .07 | [0, 0, 1, 2, 2, -3, 4, 5] | TWO statistic=wilcoxon law=exact zeros=zsplit | wrong |
p = .5 | [0, 0, 0] | TWO statistic=wilcoxon law=exact | wrong |
p = .20 | [[5.1, 3.2, 4.4, 2.2, 6.1], [5.1, 3.1, 4.2, 2.5, 6.0]] | statistic=sign alternative=two-sided | wrong |
p = .001 | MAIZE | TWO law=permutation boundary=mid | WRONG at .05 |
p = .99 | {"d": ["0.3", "0.1", "0.2"], "g": [1, 1, 2]} | groups=g | wrong |
p = .01 | [["1e999", 0], [0, 1]] | statistic=wilcoxon | WRONG at .05 |
p = .01 | [[[1, 0], [1]], [[0], [1]]] | design=systems | unreadable |
T = 5, p = .01 | [[[1, 0], [1]], [[0], [1]]] | RAW | WRONG at .05 |
p = .021 | TABLE | rounded=0.1 | fine |
p = .021 | TABLE | PRINTED | fine |
p = .21 | TABLE | ALL rounded=0.1 | WRONG at .05 |
p = .12 | TABLE | ALL rounded=0.5 | fine |
p = .021 | TABLE | ALL rounded=no | wrong |
p = .021 | TABLE | law=exact alternative=two-sided boundary=>= | question |
p = .0166 | TABLE | statistic=wilcoxon rounded=0.1 law=exact | fine |
p = .88 | TABLE | statistic=wilcoxon rounded=0.1 | WRONG at .05 |
p = .02 | TABLE | law=monte-carlo samples=10000 rounded=0.1 | fine |
0.0526444288461 | MAIZE | ALL | wrong | the observed assignment is left out of count and total
0.05270225 | MAIZE | ALL | wrong | one is added to count and total
1725/32768 | MAIZE | ALL | wrong | the observed assignment is left out of the count
0.171875 | REALS | statistic=permutation RAW alternative=two-sided | question | exactRankTests 0.8.35
0.0859375 | REALS | statistic=permutation RAW alternative=greater | question | exactRankTests 0.8.35
0.953125 | REALS | statistic=permutation RAW alternative=less | question | exactRankTests 0.8.35
0.171875 | WHOLE | statistic=permutation RAW alternative=two-sided | wrong |
0.171875 | WHOLE | statistic=permutation alternative=two-sided | question | exactRankTests
p = .17 | HALVES | statistic=permutation RAW | WRONG at .05 |
p = .031 | SIGNS | statistic=sign law=exact alternative=two-sided | question |
p = .07 | SIGNS | statistic=sign law=exact alternative=two-sided | wrong |
p = .07 | TENTHS | statistic=sign law=exact alternative=two-sided | question |
1/4 | PARTS | ALL statistic=f1 | fine |
p = .9 | PARTS | ALL statistic=f1 rounded=0.1 | wrong |
p = .37 | [[3, 2, 1, 2], [1, 0, 2, 1], [1, 2, 0, 2], [1, 2, 1, 1]] | ALL statistic=f1 | fine |
1/2 | LABELS | ALL statistic=accuracy | fine |
1/2 | LABELS | ALL statistic=accuracy columns=gold,two,one | fine |
p = .0003 | MANY | statistic=f1 | question |
p = 0.9188 | PERIODS | statistic=f1 alternative=two-sided boundary=>= | question | estimate from
p = 0.7669 | LATENCIES | statistic=t-test alternative=greater | question |
p = 0.7669 | LATENCIES | statistic=t-test alternative=greater RAW | wrong |
0.80900849532669 | DOUBLE | ALL law=t | fine |
"""
NAMED = {
    **{"MAIZE": MAIZE, "SLEEP": SLEEP, "MARKS": MARKS, "ZEROS": ZEROS, "THREE": [-1, -2, 3]},
    **{"ALL": ALL, "TWO": TWO, "RANKS": RANKS, "COUNTS": COUNTS, "RAW": RAW, "-": None},
    **{
        "NONE": [0] * 60,
        "UPDOWN": [1, -1] * 20,
        "HALVES": [1.5] * 60,
        "PRINTED": {"rounded": "as printed"},
    },
    "REALS": ["1.5", "2.5", "-0.3", "4.1", "2.2", "0.7", "-1.2", "3.3"],
    "WHOLE": [15, 25, -3, 41, 22, 7, -12, 33],
    "SIGNS": [
        ["1.1", "2.0", "3.0", "4.5", "5.1", "6.3"],
        ["1.1", "2.0", "2.0", "4.0", "4.1", "6.0"],
    ],
    "TENTHS": [["0.1"] * 14, ["0.1"] * 14],
    "PARTS": [[3, 2, 1], [1, 0, 1], [1, 2, 0], [1, 2, 3]],
    "LABELS": {"gold": ["a", "b", "a"], "one": ["a", "b", "a"], "two": ["b", "b", "b"]},
    "MANY": [[9] * 14, [1] * 14, [1, 2] * 7, [3, 4] * 7],
    "TABLE": TABLE,
    "PERIODS": [[(7 * i + j) % 9 + 1 for i in range(14)] for j in (0, 3, 5, 7)],
    # milliseconds, printed beside tenths of them
    "LATENCIES": [
        ["8339.5", "4498.5", "3925.4", "3831.8", "5070.7", "7040.8"],
        ["8398.2", "4582.8", "4140.2", "4101.4", "4953.1", "6869.3"],
    ],
    # R 4.2.2 t.test: 14 digits, and an error of floating point in the 14th
    "DOUBLE": [
        ["60.6", "23.3", "52.3", "66.1", "58.1", "65.1"],
        ["60.7", "23.2", "52.4", "66.2", "57.8", "65.1"],
    ],
}


@pytest.mark.parametrize("row", VERDICTS.strip().splitlines())
def test_verdicts(row):
    p, data, stated, verdict, words = [part.strip() for part in f"{row} ".split(" | ")]
    fields = {}
    for word in stated.split():
        name, _, value = word.partition("=")
        fields.update(NAMED.get(word) or {name: value})
    scores = NAMED[data] if data in NAMED else literal_eval(data)
    found = judged(p, scores, **fields)
    assert (found.verdict, words in found.line()) == (verdict, True), str(found)


def errors(data, **fields):
    """P-values of data by their test, and by each known error: {source: p-values}."""
    claim = Claim(p="p = .5", data=data, **fields, **ALL)
    sample = read_sample(claim)
    known = [readings(claim, sample)[0], *readings(claim, sample, ERROR)]
    ways = [way for way in known if way.doubts in ((), ("source",))]
    return {way.source: values(way, sample, Allowance()) for way in ways}


def test_errors_of_packages():
    """Each row of known errors has a value that differs from the test's, or none."""
    ties, large = [3, 3, -1, 2, 0, 5, 5, -2, 4], [1] * 1100
    for source, data, fields in (
        ("untied null", ties, {**RANKS, "law": "exact"}),
        ("untied variance", ties, {**RANKS, "law": "normal"}),
        ("trimmed", [1] * 40, {}),
        ("many pairs", large, {}),
        ("underflow", large, {"statistic": "sign"}),
    ):
        found = errors(data, **fields)
        assert found[source] not in ((), found["itself"]), source
    assert all(low for ends in errors([1, 2], **RANKS).values() for low, _ in ends)
    assert errors([0, 0], **RANKS)["untied null"] == ()


def test_ranks_without_ties_are_those_of_a_table():
    """By brute force: the null distribution of the ranks 1, ..., n, two of which are tied in the data."""
    sums = [sum(k for k, up in zip(range(1, 6), s) if up) for s in product((0, 1), repeat=5)]
    p = every_pvalue([F(x) - F(15, 2) for x in sums], 2 * F(3, 2) + 4 + 5 - F(15, 2))
    found = errors([1, 1, -2, 4, 5], law="exact", **RANKS)["untied null"]
    assert found == ((p["doubled", ">="],) * 2,)


def test_strictness_is_the_auditors():
    claim = {"p": "p = .0497", "data": MAIZE}
    assert audit([claim]).findings[0].heap == "fine"
    (found,) = audit([claim], strict=True)
    assert found.heap == "wrong"
    assert found.assumed == ("two-sided", "permutation test", "exact")
    assert any("We take it for the exact paired permutation test" in one for one in found.letter())


def test_an_open_law_is_no_decision_error():
    """The t-test of these data decides as printed; only the exact test does not."""
    assert judged("p = .0011", **TWO).significant == (True, None)
    assert judged("p = .0011", law="exact", **TWO).significant == (True, False)


def test_decisions_as_printed():
    told = [judged(p, **ALL).significant[0] for p in ("p < .06", "p > .04", "p = .05", "p = .051")]
    assert told == [None, None, True, False]
    assert judged("p = .053", decision="yes", **ALL).significant[0] is True


def test_families_are_adjusted_together():
    about = {"source": "one", "adjustment": "holm", **ALL}
    claims = [{"p": "0.0078", "data": SLEEP}, {"p": "0.0527", "data": MAIZE}]
    assert [one.heap for one in audit([{**about, **one} for one in claims])] == ["fine"] * 2
    # only two of three tests are known
    some = audit([{**about, "tests": 3, **one} for one in claims])
    assert "only 2 of the 3 tests known" in some.findings[0].notes[-1]
    assert {one.heap for one in some} <= {"fine", "question"}


def test_a_family_keeps_the_members_that_doubles_do_not_change():
    """Doubles break ties of the first data alone: p is 5/16, not 1/4; Holm makes 5/8 of it, for both."""
    tenths = ["1.9", "3.6", "1.7", "4.6", "3.1", "2.1"], ["0.7", "1.4", "4.2", "2.1", "0.3", "0.2"]
    whole = [1, 2, 3, 4, 5, 9, 9], [0, 12, 4, 11, 9, 5, 7]
    about = {"source": "one", "adjustment": "holm", **RANKS, **ALL}
    for text, heap in (("5/8", "fine"), ("1/2", "fine"), ("3/4", "wrong")):
        claims = [{"p": text, "data": [*data], **about} for data in (tenths, whole)]
        assert [one.heap for one in audit(claims)] == [heap] * 2


def test_an_adjustment_that_is_not_stated_is_open_for_claims_of_one_source():
    claims = [{"p": "p = .0078", "data": SLEEP, "source": "s"}, {"p": "p = .1", "data": MAIZE}]
    found = audit([{**claims[0], **TWO}, {**claims[1], "source": "s", **TWO}]).findings[0]
    assert any("bonferroni" in one.only_if for one in found.conditions)
    estimates = {"samples": 1000, "adjustment": "bonferroni", "source": "s"}
    assert audit([{**one, **estimates} for one in claims]).findings[0].heap in ("fine", "wrong")
    # twice the smaller side may be above 1, which no estimate is
    centre = {"p": "p = .2", "data": [-1, -2, 3], "alternative": "2min", **estimates}
    assert audit([centre, centre]).counts["wrong"] == 2


def test_stars_and_their_number_must_both_be_true():
    legend = {"stars": "* p < .05, ** p < .01, *** p < .001", **ALL}
    for p, heap, understated in (
        ("*", "fine", "**"),
        ("**", "fine", ""),
        ("***", "wrong", ""),
        (".0039**", "fine", ""),
        (".0039*", "fine", "**"),
        (".0039***", "wrong", ""),
    ):
        found = judged(p, SLEEP, **legend)
        assert (found.heap, found.understated) == (heap, understated), found.line()
    assert judged(".0527*", **legend).heap == "wrong"
    # a reading that prints the number need not be the one that earns the stars
    assert judged(".05*", stars="* p < .05").fit.words == "paired t-test, two-sided"
    assert judged(".052*", stars="* p < .0525", samples=1000, **TWO).heap == "fine"


@given(st.lists(st.integers(-30, 30), min_size=21, max_size=40))
def test_signed_ranks_by_students_t(d):
    """SAS takes Student's t of the signed ranks of more than 20 differences, without those of 0."""
    found = judged("1", signed_ranks([x for x in d if x] or [0], "wilcox"), law="t", **TWO)
    if isinstance(found.given, tuple):
        text = decimal_string(found.given[0], 6)
        for stated in (RAW, {}):
            told = judged(f"Pr >= |S| {text}", d, **stated)
            assert told.heap in ("fine", "question"), told.line()
        assert judged(text, d, law="asymptotic", **RANKS, **TWO).heap == "fine"


@pytest.mark.parametrize("boundary", [">=", ">"])
def test_sums_that_lose_ties_are_adjusted_as_others_are(boundary):
    """An adjusted p-value is no multiple of 1/512, though that of each test is one."""
    u = ["46.6", "29.3", "31.1", "70.6", "75.1", "38.3", "26.1", "65.3", "63.6"]
    v = ["46.5", "29.4", "31.2", "70.5", "75.2", "38.1", "26.2", "65.4", "63.4"]
    for count in range(318, 512, 16):  # 512 sums are at least as great, 316 are greater
        text = decimal_string(1 - (1 - F(count, 512)) ** 2, 6)
        about = {"adjustment": "sidak", "tests": 2, "law": "exact", "boundary": boundary, **TWO}
        assert judged(text, [u, v], **about).heap == "fine", count


def test_a_sum_that_is_not_equal_to_itself():
    """One that is added in another way is less or greater than itself, by an ulp."""
    d = [0.1, 0.2, -0.3, 0.7, 0.9]
    for boundary, other in ((">=", ">"), (">", ">=")):
        p = judged("1", d, **{**ALL, "boundary": other}).given
        assert judged(decimal_string(p, 12), d, **{**ALL, "boundary": boundary}).heap == "question"


def test_a_family_of_several_tests_keeps_what_is_open_in_each():
    """Its members were rounded, all but one, and are tests of their own: each is adjusted with the others as they were."""
    raw = [3.31, 0.9, 2.47, -0.38, 4.2, 1.33, 0.2, 2.84, -1.1, 3.66]
    doubles = [x + 1e-7 for x in raw]
    alone = [
        judged("1", raw, law="t", **TWO),
        judged("1", raw, statistic="sign", **TWO),
        judged("1", doubles, law="t", **TWO),
    ]
    data = ([*map(round, raw)], [*map(round, raw)], doubles)
    words = ("t-test", "sign test", "t-test")
    claims = [
        {"p": text, "data": column, "statistic": test, "adjustment": "fdr_bh", "source": "one"}
        for text, column, test in zip(adjusted(alone), data, words)
    ]
    found = audit([{**one, "alternative": "two-sided"} for one in claims])
    assert {one.heap for one in found} <= {"fine", "question"}, [one.line() for one in found]


def adjusted(found):
    """The texts of some p-values, adjusted together."""
    ends = [one.given if isinstance(one.given, tuple) else (one.given,) for one in found]
    return [
        decimal_string(p, 5) for p in adjust_pvalues([low for low, *_ in ends], "fdr_bh").adjusted
    ]


@pytest.mark.parametrize("i", [1, 2, 15])
def test_a_missing_pair_is_named(i):
    p = sign_flip_test(MAIZE[: i - 1] + MAIZE[i:]).pvalue
    for fields in ({"n": 14}, {}):
        found = judged(f"p = {float(p):.6f}", **fields, **ALL)
        assert f"one pair is missing: pair {i} (difference {MAIZE[i - 1]})" in found.line()
    assert found.share < F(1, 20)


def test_pairs_alike_and_groups_are_named_so():
    groups = {"d": [3, 1, 2, 5, -1, 2, 4], "g": [*"abcdefh"]}
    for data, rest, told, fields in (
        ([5, 5, 5, -2, 3, 1, 7, 4], [5, 5, -2, 3, 1, 7, 4], "pair 1 (difference 5) (or", {}),
        (
            groups,
            [3, 1, 2, 5, 2, 4],
            "group 5 (difference -1)",
            {"columns": "d", "groups": "g", "n": 6},
        ),
    ):
        p = float(sign_flip_test(rest).pvalue)
        assert told in judged(f"{p:.6f}", data, **fields, **ALL).line()
    for fields in ({"n": 12}, {"n": 14, "samples": 100}, {"n": 14, "adjustment": "sidak"}):
        assert judged("p = .02", **fields, **ALL).nearest is None
    assert judged("p < .02", n=14, **ALL).reason == "data"


def test_the_share_of_wrong_texts():
    for p, share in (("0.0263366699218750", 0), ("863/32768", F(1, 20))):
        found = judged(p, law="exact", **TWO)
        assert "one-sided" in found.line()
        assert found.share <= share
    assert judged("p < .01", law="exact", **TWO).share is None
    assert judged("0.5", [1, 2], boundary=">", law="exact", **TWO).share in (None, 1, F(1))


def test_a_printed_zero_is_noted():
    assert "no permutation test gives 0" in judged("p = 0.000", **ALL).notes[0]


def test_what_fails_is_undecided_by_the_budget_alone(refuse):
    refuse(facts.plan, "expected")
    refuse(bracket, "tail_bracket")
    found = judged("p = .9999", **TWO)
    assert (found.heap, found.exact) == ("undecided", None)
    assert "is open" in " ".join(found.letter())
    for law in ("normal", "t"):
        assert judged("p = .2", law=law, **ALL).heap == "wrong"
    assert judged("p = .9", samples=100).heap == "undecided"
    assert judged("p = .9", rounded="1").heap == "undecided"


@pytest.mark.slow
@given(
    st.lists(st.integers(-6, 6), min_size=2, max_size=6),
    st.sampled_from(["difference", "wilcoxon", "sign"]),
    st.sampled_from(["two-sided", "greater", "less"]),
    st.sampled_from([">=", ">", "mid"]),
    st.integers(2, 5),
)
def test_true_claims_are_fine(d, statistic, tail, boundary, digits):
    """Exact p-values by enumeration, with all stated."""
    about = {"data": d, "statistic": statistic, "alternative": tail, "boundary": boundary, **ALL}
    flips = [(x > 0) - (x < 0) for x in d] if statistic == "sign" else d
    flips = signed_ranks(d) if statistic == "wilcoxon" else flips
    every = [sum(map(mul, s, flips)) for s in product((1, -1), repeat=len(flips))]
    p = every_pvalue(every, sum(flips))[tail, boundary]
    for text in {f"{p.numerator}/{p.denominator}", f"p = {decimal_string(p, digits)}"}:
        found = audit_claim({"p": text, **about})
        assert found.heap == "fine", found.line()


def test_the_table_of_readings():
    """Every value has words or is plain, a cost, and a condition where it is unusual."""
    for axis, rows in AXES.items():
        for value, one in rows.items():
            prices = {*one.costs.values()}
            assert prices <= {0, 1, 2, 3}, (axis, value)
            assert one.condition or 2 not in prices, (axis, value)
            assert one.words or value in (">=", "given", "itself")
            for other, values_there, _ in one.where:
                assert {*values_there} <= {*AXES[other]}, (axis, value)
    assert {*FORMULAS} == {*AXES["source"]} - {"itself"}
    claim = Claim(p="1", data=[["0.1", "0.3"], ["0.2", "0.5"]])
    sample = read_sample(claim)
    found = readings(claim, sample)
    assert [way.cost for way in found] == sorted(way.cost for way in found)
    assert len({way.key for way in found}) == len(found)
    usual = [way for way in found if way.cost <= USUAL]
    assert readings(claim, sample, most=USUAL) == usual
    assert all(values(way, sample, Allowance()) for way in usual)
