"""Claims: their fields, what they refuse, and the files that hold them."""

from fractions import Fraction

import pytest

from exactperm.auditing.claims import Claim, entries_of, entry_of, parse_json, parse_lines
from exactperm.errors import ExactPermError, WrongType

DATA = [[3, 1], [1, 2]]


def test_defaults_and_aliases():
    claim = Claim(p="p = .5", data=DATA, statistic="wilcoxon", zeros="wilcox", alternative="two.sided", id="")
    assert (claim.statistic, claim.zeros, claim.alternative, claim.law, claim.mu) == (
        "signed-rank",
        "drop",
        "two-sided",
        "exact",
        0,
    )
    assert Claim(p="1", data=DATA, statistic="f1_difference").statistic == "f1"


def test_texts_of_a_table_are_read():
    claim = Claim(p="1", counts="9; 1", statistic="sign", n="10", digits="3", alpha="0.01", mu="1/2", tests="4")
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
        ({}, "p is None"),
        ({"p": "1", "statistic": "median"}, "statistic is 'median'"),
        ({"p": "1", "law": "monte-carlo"}, "needs its samples"),
        ({"p": "1", "samples": 10}, "needs its samples"),
        ({"p": "1", "law": "t", "statistic": "sign"}, "the t-test is one of sums"),
        ({"p": "1", "counts": "1,2"}, "counts are those of McNemar's test"),
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
        ({"p": "1", "orientation": "up"}, "orientation is 'up'"),
        ({"p": "1", "estimate": "b"}, "estimate is 'b'"),
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
    assert (record["data"], record["mu"], record["alpha"], record["id"]) == (None, "1/2", "1/20", "a")
    assert Claim(p="1", data="scores.csv").to_dict()["data"] == "scores.csv"


def test_entries_are_never_lost():
    rows = [Claim(p="1", data=DATA, id="a"), {"p": "1", "data": DATA}, {"p": 3, "data": DATA}, "no claim", {"q": 1}]
    found = list(entries_of(rows))
    assert [entry.id for entry in found] == ["a", "2", "3", "4", "5"]
    assert [entry.claim is None for entry in found] == [False, False, True, True, True]
    assert found[2].error.startswith("p is 3")
    assert found[3].error == "'no claim' is no claim: it needs fields"
    assert found[4].error == "a claim has no field 'q'"
    assert (
        entry_of({"id": "x", "p": "1", "counts": "1,2", "statistic": "mcnemar", "note": ""}, "here", 1).claim.note
        is None
    )


def test_json_files():
    assert list(parse_json('[{"p": "1"}, 3]', "f")) == [("f, claim 1", {"p": "1"}), ("f, claim 2", 3)]
    both = '{"source": "paper", "claims": [{"p": "1"}, {"p": "2", "source": "other"}]}'
    assert [row for _place, row in parse_json(both, "f")] == [
        {"source": "paper", "p": "1"},
        {"source": "other", "p": "2"},
    ]
    for text, message in (("{", "not JSON"), ('{"a": 1}', "must hold a list"), ("[" * 10**5, "not JSON")):
        with pytest.raises(ExactPermError, match=message):
            list(parse_json(text, "f"))


def test_json_lines():
    found = list(parse_lines('{"p": "1"}\n\n{broken\n', "f"))
    assert found == [("f, line 1", {"p": "1"}), ("f, line 3", "{broken")]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"adjustment": "tarone"}, "least p-value that each test can give"),
        ({"adjustment": "magic"}, "adjustment is 'magic'"),
        ({"statistic": "mcnemar", "mu": 1}, "only a difference has a shift"),
        ({"statistic": "mcnemar", "counts": ["1", None]}, "one of them is missing"),
        ({"statistic": "mcnemar", "counts": [[1, 2], [3]]}, "two rows of two counts"),
    ],
)
def test_more_that_claims_refuse(values, message):
    with pytest.raises(ExactPermError, match=message):
        Claim(p="1", data=DATA, **values)


def test_stars_need_a_legend():
    text = '{"stars": {"*": "p < .05"}, "claims": [{"p": "*", "data": [[1]]}, {"p": "**", "data": [[1]]}, 3]}'
    first, second, third = [row for _place, row in parse_json(text, "c.json")]
    assert (first["p"], second["p"], third) == ("p < .05", "**", 3)
    with pytest.raises(ExactPermError, match="must map stars"):
        list(parse_json('{"stars": 3, "claims": []}', "c.json"))


def test_decimals_of_json_keep_their_digits():
    ((_place, row),) = parse_json('[{"p": "1", "data": [0.10000000000000000001]}]', "c.json")
    assert row["data"] == ["0.10000000000000000001"]
