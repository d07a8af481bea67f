"""Claims: their fields, what they refuse, and the files that hold them."""

from fractions import Fraction

import pytest

from exactperm.auditing.claims import Claim
from exactperm.errors import ExactPermError, WrongType

DATA = [[3, 1], [1, 2]]


def test_defaults_and_aliases():
    claim = Claim(
        p="p = .5", data=DATA, statistic="wilcoxon", zeros="wilcox", alternative="two.sided", id=""
    )
    assert (claim.statistic, claim.zeros, claim.alternative, claim.law, claim.mu) == (
        "signed-rank",
        "drop",
        "two-sided",
        "exact",
        0,
    )
    assert Claim(p="1", data=DATA, statistic="f1_difference").statistic == "f1"


def test_texts_of_a_table_are_read():
    claim = Claim(
        p="1",
        counts="9; 1",
        statistic="sign",
        n="10",
        digits="3",
        alpha="0.01",
        mu="1/2",
        tests="4",
    )
    assert (claim.counts, claim.n, claim.digits, claim.alpha, claim.mu, claim.tests) == (
        (9, 1),
        10,
        3,
        Fraction(1, 100),
        Fraction(1, 2),
        4,
    )
    assert Claim(p="1", counts=[[5, 9], [1, 7]], statistic="mcnemar").counts == (9, 1)
    assert Claim(p="1", data=DATA, columns=["u", "v"]).columns == "u,v"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"p": 0.5}, "p is 0.5: it must be the printed text"),
        ({}, "the claim has no p: it must be the printed text"),
        ({"p": "1", "statistic": "median"}, "statistic is 'median'"),
        ({"p": "1", "law": "monte-carlo"}, "needs its samples"),
        ({"p": "1", "samples": 10, "law": "exact"}, "needs its samples"),
        ({"p": "1", "stated": "some"}, "stated is 'some': it must be 'all'"),
        ({"p": "1", "rounded": "-1"}, "rounded is '-1'"),
        ({"p": "1", "law": "t", "statistic": "sign"}, "the t-test is one of sums"),
        ({"p": "1", "counts": "1,2", "statistic": "sum"}, "counts are those of McNemar's test"),
        ({"p": "1", "counts": "1,2,3", "statistic": "mcnemar"}, "it must be b and c"),
        ({"p": "1", "counts": 3, "statistic": "mcnemar"}, "it must be b and c"),
        ({"p": "1", "counts": "1,x", "statistic": "mcnemar"}, r"counts\[1\] is 'x'"),
        ({"p": "1", "n": 0}, "n is 0"),
        ({"p": "1", "n": "many"}, "n is 'many'"),
        ({"p": "1", "alpha": 0}, "alpha is 0"),
        ({"p": "1", "mu": "x"}, "mu is 'x'"),
        ({"p": "1", "columns": 3}, "columns is 3"),
        ({"p": "1", "id": 3}, "id is 3"),
        ({"p": "1", "source": ["a"]}, "source is"),
        ({"p": "1", "printed_statistic": 3}, "printed_statistic is 3: it must be text"),
        ({"p": "1", "encoding": 3}, "encoding is 3: it must be text"),
        ({"p": "1", "delimiter": 3}, "delimiter is 3: it must be text"),
        ({"p": "1", "orientation": "up"}, "orientation is 'up'"),
        ({"p": "1", "estimate": "b"}, "estimate is 'b'"),
        ({"p": "1", "estimate": "b/K"}, "it belongs to Monte Carlo"),
    ],
)
def test_what_a_claim_refuses(values, message):
    with pytest.raises((ExactPermError, WrongType), match=message):
        Claim(**{"data": None if "counts" in values else DATA, **values})


def test_a_claim_needs_data():
    with pytest.raises(ExactPermError, match="has no data"):
        Claim(p="1")


def test_to_dict_is_json_ready_and_leaves_columns_out():
    record = Claim(p="1", data=DATA, mu="1/2", alpha="0.05", id="a").to_dict()
    assert (record["data"], record["mu"], record["alpha"], record["id"]) == (
        None,
        "1/2",
        "1/20",
        "a",
    )
    assert Claim(p="1", data="scores.csv").to_dict()["data"] == "scores.csv"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"adjustment": "tarone"}, "least p-value that each test can give"),
        ({"statistic": "sign", "groups": "g"}, "it swaps pairs only"),
        ({"statistic": "f1", "decimals": 2}, "it has no scores"),
        ({"adjustment": "magic"}, "adjustment is 'magic'"),
        ({"statistic": "mcnemar", "mu": 1}, "only a difference has a shift"),
        ({"statistic": "mcnemar", "counts": ["1", None]}, "one of them is missing"),
        ({"statistic": "mcnemar", "counts": [[1, 2], [3]]}, "two rows of two counts"),
    ],
)
def test_more_that_claims_refuse(values, message):
    with pytest.raises(ExactPermError, match=message):
        Claim(p="1", data=DATA, **values)


@pytest.mark.parametrize(
    ("stars", "p", "relation", "value"),
    [
        ("* p < .05, ** p < .01, *** p < .001.", "**", "<", Fraction(1, 100)),
        ("*p<0,05; **p<0,01", " * ", "<", Fraction(1, 20)),
        ("\u2020 p \u2264 .10; * p \u2264 .05", "\u2020", "<=", Fraction(1, 10)),
        ("*: < .05 | **: < .01", "\u2217\u2217", "<", Fraction(1, 100)),
        ({"*": "p < .05"}, "*", "<", Fraction(1, 20)),
        ("* p < .05", "p = .03*", "=", Fraction(3, 100)),
        ("\u2020 p < .10", "< .09 \u2020", "<", Fraction(9, 100)),
        ("* p < .05", "2.*", "=", 2),
    ],
)
def test_stars_are_read_by_their_legend(stars, p, relation, value):
    claim = Claim(p=p, data=DATA, stars=stars)
    assert (claim.printed().relation, claim.printed().value) == (relation, value)
    assert Claim(**{**claim.to_dict(), "data": DATA}).printed() == claim.printed()


@pytest.mark.parametrize(
    ("stars", "p", "message"),
    [
        (None, "*", "needs a legend: a field stars"),
        ("* p < .05", "**", r"the legend has no \*\*; it has \*"),
        ("* p < .05", ".003**", r"the legend has no \*\*; it has \*"),
        (None, ".03*", "needs a legend: a field stars"),
        ("* p = .05", "*", r"the legend of \* is 'p = .05': it must be a bound"),
        ("* .05", "*", "must be a bound"),
        ("* p < .05, * p < .01", "*", "one meaning"),
        ("significant", "*", "one meaning"),
        ("* see text", "*", "'see text' cannot be read"),
        (3, "*", "stars is 3: it must be text"),
        ({"*": 0.05}, "*", "or map stars to p-values"),
    ],
)
def test_stars_without_a_meaning_are_refused(stars, p, message):
    with pytest.raises((ExactPermError, WrongType), match=message):
        Claim(p=p, data=DATA, stars=stars).printed()


def test_numbers_are_not_starred():
    assert Claim(p="3 * 10^-4", data=DATA, stars="* p < .05").printed().value == Fraction(3, 10**4)


LINE = "exactperm 0.2.0 | Wilcoxon signed-rank, swaps of 2 pairs | sum of signed ranks{} | greater | {} | {}"
LINE = LINE.format(
    ", zeros by Pratt's rule, second minus first, shift 1/2, rounded to 1 decimal",
    "p = 0.250 (exact 1/4)",
    "sha256:1a2b3c4d",
)


GROUPED = "exactperm 1 | paired permutation, swaps of 2 groups | sum of differences | two-sided | p = 1.00 (exact 1)"


def test_a_line_of_exactperm_states_its_test():
    claim = Claim(p=LINE, data=DATA, mu="0.5")
    assert (claim.statistic, claim.zeros, claim.alternative) == ("signed-rank", "pratt", "greater")
    assert (claim.orientation, claim.mu, claim.n, claim.decimals) == (
        "second-first",
        Fraction(1, 2),
        2,
        1,
    )
    assert claim.digests == ("1a2b3c4d",)
    assert (claim.printed().value, claim.printed().form) == (Fraction(1, 4), "fraction")
    bounds = Claim(
        p=LINE.replace("= 0.250 (exact 1/4)", "in [1.5e-301, 1.6e-301]"), data=DATA
    ).printed()
    assert bounds.interval == (Fraction("1.5e-301"), Fraction("1.6e-301"))


@pytest.mark.parametrize(
    ("line", "fields", "message"),
    [
        (
            LINE,
            {"alternative": "less"},
            "alternative is 'less', but the printed text states 'greater'",
        ),
        (LINE, {"n": "3"}, "n is '3', but the printed text states 2"),
        (GROUPED, {}, "swaps groups: name the column of their labels as groups"),
        (
            GROUPED.replace("groups", "pairs"),
            {"groups": "g"},
            "swaps pairs, but the claim has groups",
        ),
        (GROUPED, {"groups": "g"}, "only a file or a mapping has names"),
        (LINE.replace("0.250", "0.350"), {}, "do not agree"),
        (
            GROUPED.replace("groups", "pairs").replace(
                "sum of differences", "difference of means, items weighted"
            ),
            {},
            "states 'items weighted': a claim has no weights or tasks",
        ),
        (
            GROUPED.replace(
                "swaps of 2 groups | sum of differences",
                "whole runs exchanged over 2 items | difference of means",
            ),
            {"design": "items"},
            "design is 'items', but the printed text states 'systems'",
        ),
    ],
)
def test_lines_that_contradict_the_claim(line, fields, message):
    with pytest.raises(ExactPermError, match=message):
        Claim(p=line, data=DATA, **fields)


def test_a_second_file_needs_a_first():
    assert Claim(p="1", data="a.txt", second="b.txt").to_dict()["second"] == "b.txt"
    with pytest.raises(ExactPermError, match="needs the path of the first file"):
        Claim(p="1", data=DATA, second="b.txt")
