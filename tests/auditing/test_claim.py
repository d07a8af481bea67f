"""Claims: their fields, what they refuse, and what a line of exactperm states."""

from ast import literal_eval
from fractions import Fraction

import pytest

from exactperm.auditing.claim import FIELDS, OPEN, Claim
from exactperm.errors import ExactPermError, WrongType
from exactperm.record import replaced

DATA = [[3, 1, 2], [1, 2, 0]]
LINE = (
    "exactperm 0.2.0 | Wilcoxon signed-rank, swaps of 3 pairs | sum of signed ranks, zeros by Pratt's rule, "
    "second minus first, shift 0.5, rounded to 1 decimal | greater | p = 0.250 (exact 1/4) | sha256:1a2b3c4d"
)
GROUPED = "exactperm 1 | paired permutation, swaps of 2 groups | sum of differences | two-sided | p = 1.00 (exact 1)"
PAIRS = GROUPED.replace("groups", "pairs")
WEIGHTED = PAIRS.replace("sum of differences", "difference of means, items weighted")
RUNS = PAIRS.replace("swaps of 2 pairs", "whole runs exchanged over 2 items").replace(
    "sum of differences", "difference of means"
)

TEXTS = {
    "LINE": LINE,
    "RUNS": RUNS,
    "GROUPED": GROUPED,
    "PAIRS": PAIRS,
    "WEIGHTED": WEIGHTED,
    "OTHER": LINE.replace("0.250", "0.350"),
}

# what is given | statistic, law, tail | more fields | the names that are stated
STATES = """
{"p": ".5"} | difference exact two-sided | {} |
{"p": ".5", "statistic": "wilcoxon", "zeros": "wilcox", "alternative": "two.sided"} \
| wilcoxon exact two-sided | {"zeros": "wilcox"} | statistic alternative zeros
{"p": ".5", "statistic": "F1"} | f1 exact two-sided | {} | statistic
{"p": ".5", "statistic": "T-test"} | difference t two-sided | {} | statistic law
{"p": ".5", "law": "Student"} | difference t two-sided | {} | statistic law
{"p": ".5", "statistic": "one-tailed exact Wilcoxon test"} \
| wilcoxon exact min | {} | statistic alternative law
{"p": ".5", "statistic": "permutation test"} \
| difference permutation two-sided | {} | statistic law
{"p": "p_perm = .5"} | difference permutation two-sided | {} | statistic law
{"p": ".5 (10,000 permutations)"} | difference monte-carlo two-sided | {"samples": 10000} | law
{"p": "t(14) = 2.148, p = .05"} \
| difference t two-sided | {"printed_statistic": "t(14) = 2.148"} | statistic law
{"p": "t(14) = 2.148, p = .05", "law": "exact"} | difference exact two-sided | {} | statistic law
{"p": "t(14) = 2.1, p_perm = .05"} | difference permutation two-sided | {} | statistic law
{"p": "p (one-tailed) = .1", "alternative": "less"} | difference exact less | {} | alternative
{"p": "p = .1 (less)", "alternative": "one-tailed"} | difference exact less | {} | alternative
{"p": "p = .1 (BH)", "n": "1,000"} \
| difference exact two-sided | {"adjustment": "fdr_bh", "n": 1000} |
{"p": ".5", "design": "items"} | difference exact two-sided | {"design": "items"} | design
{"p": ".5", "rounded": "0.1"} | difference exact two-sided | {"rounded": "0.1"} | rounded
{"p": "LINE", "mu": "0.5"} | wilcoxon exact greater \
| {"zeros": "pratt", "n": 3, "mu": "1/2", "orientation": "second-first"} \
| statistic alternative orientation zeros boundary law
{"p": ".1", "data": None, "counts": "9; 1", "alpha": "0.01", "tests": "4", "digits": "3"} \
| mcnemar exact two-sided | {"counts": (9, 1), "alpha": "1/100", "tests": 4, "digits": 3} \
| statistic
"""


def test_what_is_stated():
    for row in STATES.replace("\\\n", "").strip().splitlines():
        text, test, more, stated = [part.strip() for part in f"{row} ".split(" | ")]
        given = literal_eval(text)
        given["p"] = TEXTS.get(given["p"], given["p"])
        claim = Claim(**{"data": DATA, **given})
        record = claim.to_dict()
        assert f"{claim.statistic} {claim.law} {claim.alternative}" == test
        assert literal_eval(more).items() <= record.items()
        assert claim.stated == tuple(stated.split()), row
        assert [name for name in OPEN if not claim.leaves_open(name)] == stated.split()
        again = replaced(replaced(claim, note="x"), note=None)
        assert again == claim and again.printed == claim.printed
        assert replaced(claim, stated="all").stated == OPEN
        if "design" not in given:
            assert Claim(**{**record, "data": given.get("data", DATA)}) == claim


def test_the_fields_are_those_of_the_table():
    read = Claim(p="1", data=DATA, columns=["u", "v"], decimals="2", join="item").reading
    assert (read.columns, read.decimals, read.id) == ("u,v", 2, "item")
    assert {*Claim._fields} - {*FIELDS} == {"reading", "stated", "printed", "marks", "digests"}
    assert {*Claim(p="1", data=DATA).to_dict()} == {*FIELDS, "stated"}
    record = Claim(p="1", data="scores.csv", mu="1/2", alpha="0.05", id="a").to_dict()
    told = ["scores.csv", "1/2", "1/20", "a"]
    assert [record[name] for name in ("data", "mu", "alpha", "id")] == told
    assert Claim(p="1", counts=[[5, 9], [1, 7]]).counts == (9, 1)
    with pytest.raises(TypeError):
        Claim(p="1", data=DATA, magic=1)
    assert Claim(p="1", data="a.txt", second="b.txt").to_dict()["second"] == "b.txt"


# what is given, and words of the message
REFUSED = """
{"p": 0.5} | p is 0.5
{"p": None} | no p
{"statistic": "median"} | statistic is 'median'
{"statistic": 3} | statistic is 3
{"statistic": "rank-sum test"} | two unpaired samples
{"law": "monte-carlo"} | samples is None
{"samples": 10, "law": "exact"} | samples is 10
{"stated": "some"} | stated is 'some'
{"stated": ["p"]} | stated is
{"rounded": "-1"} | rounded is '-1'
{"law": "t", "statistic": "sign"} | law is 't'
{"counts": "1,2", "statistic": "difference"} | counts is given
{"counts": "1,2,3"} | counts is
{"counts": 3} | counts is 3
{"counts": "1,x"} | counts[1] is 'x'
{"counts": ["1", None]} | counts is
{"counts": [[1, 2], [3]]} | two rows of two counts
{"n": 0} | n is 0
{"n": "many"} | n is 'many'
{"alpha": 0} | alpha is 0
{"mu": "x"} | mu is 'x'
{"columns": 3} | columns is 3
{"id": 3} | id is 3
{"delimiter": 3} | delimiter is 3
{"data": 3} | data is 3
{"orientation": "up"} | orientation is 'up'
{"estimate": "b"} | estimate is 'b'
{"estimate": "b/K"} | estimate
{"data": None} | no data
{"second": "b.txt"} | second
{"adjustment": "tarone"} | tarone
{"adjustment": "magic"} | adjustment is 'magic'
{"groups": "g"} | groups
{"data": "a.csv", "statistic": "sign", "groups": "g"} | groups is given
{"data": "a.csv", "design": "items", "groups": "g"} | exclude each other
{"data": "a.csv", "run": "r", "groups": "g"} | runs of an item
{"statistic": "f1", "decimals": 2} | decimals is given
{"statistic": "mcnemar", "mu": 1} | mu is given
{"statistic": "f1", "design": "items"} | runs is given
{"statistic": "sign", "design": "within"} | design of single runs is given
{"p": "p (one-tailed) = .1", "alternative": "two-sided"} | alternative is stated as
{"p": "p (t-test) = .1", "law": "exact"} | law is stated as
{"p": "p = .1, n.s.", "decision": "yes"} | decision is stated as
{"p": "LINE", "alternative": "less"} | alternative is stated as
{"p": "LINE", "n": "4"} | n is stated as
{"p": "RUNS", "design": "items"} | design is stated as
{"p": "GROUPED"} | swaps groups
{"p": "PAIRS", "data": "a.csv", "groups": "g"} | swaps pairs
{"p": "OTHER"} | p = 0.350
{"p": "WEIGHTED"} | items weighted
"""


def test_what_a_claim_refuses():
    for row in REFUSED.strip().splitlines():
        text, _, words = row.partition(" | ")
        given = literal_eval(text)
        given["p"] = TEXTS.get(given.get("p", "1"), given.get("p", "1"))
        with pytest.raises(ExactPermError) as caught:
            Claim(**{"data": None if "counts" in given else DATA, **given})
        assert words in str(caught.value), row


# legend, text -> marks, relation, value
STARS = [
    ("* p < .05, ** p < .01, *** p < .001.", "**", "**", "<", "0.01"),
    ("*p<0,05; **p<0,01", " * ", "*", "<", "0.05"),
    ("\u2020 p \u2264 .10; * p \u2264 .05", "\u2020", "\u2020", "<=", "0.1"),
    ("*: < .05 | **: < .01", "\u2217\u2217", "**", "<", "0.01"),
    ({"*": "p < .05"}, "*", "*", "<", "0.05"),
    ("* p < .05", "p = .03*", "*", "=", "0.03"),
    ("* p < .05", "t(2) = 4.1, p = .03*", "*", "=", "0.03"),
    ("* p < .05", "(p = 0.0010)*", "*", "=", "0.001"),
    ("\u2020 p < .10", "< .09 \u2020", "\u2020", "<", "0.09"),
    ("* p < .05", "3 * 10^-4", "", "=", "0.0003"),
]


def test_stars_are_read_by_their_legend():
    for stars, p, *read in STARS:
        claim = Claim(p=p, data=DATA, stars=stars)
        printed = claim.printed
        assert [claim.marks, printed.relation, str(float(printed.value))] == read
        assert printed.text == p


def test_stars_without_a_meaning_are_refused():
    for stars, p in (
        *((None, "*"), (None, ".03*"), ("* p < .05", "**"), ("* p < .05", ".003**"), (3, "*")),
        *(("* p = .05", "*"), ("* .05", "*"), ("* p < .05, * p < .01", "*"), ("significant", "*")),
        *(("* see text", "*"), ({"*": 0.05}, "*")),
    ):
        with pytest.raises((ExactPermError, WrongType)):
            Claim(p=p, data=DATA, stars=stars)


def test_a_line_of_exactperm_states_its_test_and_data():
    claim = Claim(p=LINE, data=DATA)
    assert (claim.digests, claim.reading.decimals, claim.marks) == (("1a2b3c4d",), 1, "")
    assert (claim.printed.value, claim.printed.form) == (Fraction(1, 4), "fraction")
    bounds = LINE.replace("= 0.250 (exact 1/4)", "in [1.5e-301, 1.6e-301]")
    assert Claim(p=bounds, data=DATA).printed.interval == (
        Fraction("1.5e-301"),
        Fraction("1.6e-301"),
    )
    assert Claim(p=GROUPED, data="a.csv", groups="g").reading.groups == "g"
    assert Claim(p=RUNS, data=DATA).design == "systems"
    assert Claim(p="V = 3, p = .5", data=DATA).test_statistic.value == 3
    assert (
        Claim(p=".5", data=DATA).test_statistic is None and Claim(p=".5", data=DATA).digests == ()
    )
