"""Claims files: every row is a claim or an error with its place, whatever the rows around it are."""

import pytest

from exactperm.auditing.claim import Claim
from exactperm.auditing.claims_file import (
    claims_in,
    claims_of,
    parse_json,
    parse_lines,
    parse_table,
)
from exactperm.errors import ExactPermError

HEADER = "id,p,data,note"
GOOD = {"id": "a", "p": ".03", "data": "d.csv"}
DATA = [[3, 1, 2], [1, 0, 2]]
COMMON = {"stars": "* p < .05", "rounded": "no"}


def rows(*lines, header=HEADER):
    """The places of a file, and its rows: cells, or None for an error."""
    found = list(parse_table("\n".join((header, *lines)), "c.csv"))
    return [(place, None if isinstance(row, ExactPermError) else row) for place, row in found]


def test_no_row_is_lost():
    given = [
        Claim(p="1", data=DATA, id="a"),
        {"p": "1", "data": DATA},
        {"p": 3, "data": DATA},
        "no",
        {"q": 1},
    ]
    found = claims_of(given)
    assert [name for _, name, _ in found] == ["a", "2", "3", "4", "5"]
    assert [isinstance(claim, Claim) for *_, claim in found] == [True, True, False, False, False]
    assert [place for place, *_ in found] == [f"claims[{i}]" for i in range(5)]
    ((place, name, claim),) = claims_of([{"id": "x", "p": "1", "counts": "1,2", "note": ""}])
    assert (place, name, claim.note) == ("", "x", None)


def test_json_files():
    both = '{"source": "paper", "rounded": "no", "claims": [{"p": "1"}, {"p": "2", "source": "other"}, 3]}'
    assert list(parse_json(both, "f")) == [
        ("f, claim 1", {"source": "paper", "rounded": "no", "p": "1"}),
        ("f, claim 2", {"source": "other", "rounded": "no", "p": "2"}),
        ("f, claim 3", 3),
    ]
    for text in ("{", '{"a": 1}', "[" * 10**5):
        with pytest.raises(ExactPermError):
            list(parse_json(text, "f"))
    ((_, row),) = parse_json('[{"p": 0.10, "data": [0.10000000000000000001]}]', "c.json")
    assert row == {"p": "0.10", "data": ["0.10000000000000000001"]}  # digits are kept


def test_json_lines():
    found = list(parse_lines('{"p": "1"}\n\n{broken\n{"p": "1", "p": "2"}\n3', "f"))
    assert [place for place, _ in found] == [f"f, line {i}" for i in (1, 3, 4, 5)]
    assert found[0][1] == {"p": "1"} and found[3][1] == 3
    assert [isinstance(row, ExactPermError) for _, row in found] == [False, True, True, False]


BROKEN = """
b,"p < .05,d.csv,
b,.05,d.csv,"see p. 3
"b,.05,d.csv,
b,"p" < .05,d.csv,
b,  "p" < .05,d.csv,
b,p = 0,05,d.csv,x
b
"""


def test_a_broken_row_hides_no_other():
    for broken in BROKEN.strip().splitlines():
        for after in (
            ["a,.03,d.csv,"],
            ['a,".03",d.csv,', 'a,".03","d.csv",""'],
            ['a,.03,d.csv,""'],
        ):
            found = rows("a,.03,d.csv,", broken, *after)
            places = [f"c.csv, line {i}" for i in range(2, 4 + len(after))]
            assert found == [*zip(places, [GOOD, None, *[GOOD] * len(after)])], broken


def test_comments_and_blank_rows():
    """A quote that its line does not close breaks that line alone."""
    for text, expected in (
        ('b,.04,d.csv,"see\na,.03,d.csv,"\na,.03,d.csv,', [None, None, GOOD]),
        ("# see p. 3\n\na,.03,d.csv,\n#b,.04,d.csv,", [GOOD, None]),
        ('"#a",.03,d.csv,', [{**GOOD, "id": "#a"}]),
        ("# Stars: * p < .05\n#rounded: no\na,.03,d.csv,", [{**GOOD, **COMMON}]),
        (",,,\n ,  , \na,.03,d.csv,", [GOOD]),
    ):
        assert [row for _, row in rows(*text.split("\n"))] == expected, text


def test_separators_are_those_of_the_header():
    for mark in ",;\t":
        note = "one; two, three" if mark == "\t" else '"one; two, three"'
        header = HEADER.replace(",", mark)
        row = mark.join(["a", ".03", "d.csv", note, ""])
        assert rows(row, header=header)[0][1] == {**GOOD, "note": "one; two, three"}
    assert rows("a;0,03;d.csv;", header="id;p;data;note")[0][1]["p"] == "0,03"


def test_headers_that_are_refused():
    for text, code in (
        ("", ""),
        ("\n# only a comment\n", ""),
        ("id,p,dta\n", "claim-field"),
        ("id,p,data,weights\n", "claim-field"),
        ("item,new,old\n", "claim-field"),
        ("id,P-value,p\n", ""),
        ("id,p,p\n", ""),
        ('\nid,"p,data\n1,2,3\n', "claim-field"),
        ("exactperm 0.2.0 | test\n", "sentence"),
    ):
        with pytest.raises(ExactPermError) as caught:
            list(parse_table(text, "c.csv"))
        assert caught.value.code == code, text


def test_a_file_of_lines_as_printed(tmp_path):
    """Line as printed, test, tail, data; rounding once; other columns are notes, and blank rows are none."""
    path = tmp_path / "c.csv"
    path.write_bytes(
        b"\xef\xbb\xbf# rounded: no\r\nStudy,Line as printed,Test,Tail,File,page\r\n"
        b'Smith,"V = 3, p = .5",Wilcoxon,two-tailed,d.csv,12\r\n,,,,,\r\nb,"x,d.csv\n'
    )
    (place, name, claim), (other, last, error) = claims_in(path)
    assert (place, name, other, last) == (f"{path}, line 3", "1", f"{path}, line 5", "2")
    record = claim.to_dict()
    names = ("source", "statistic", "alternative", "data", "printed_statistic", "rounded", "note")
    told = ["Smith", "wilcoxon", "two-sided", "d.csv", "V = 3", "no", "page: 12"]
    assert [record[name] for name in names] == told
    assert isinstance(error, ExactPermError)


def test_names_that_people_use_are_fields():
    for given, told in (
        ({"P.value": ".5", "page": 12, "note": "first", "remark": ""}, "first; page: 12"),
        ({"p": ".5", "page": 12}, "page: 12"),
        ({"p": ".5", "alternativ": "less"}, "claim-field"),
        ({"p": ".5", "Tasks": "t"}, "claim-field"),
        ({"p": ".5", "P value": ".6"}, ""),
        ({"p": ".5", "Tails": "2"}, ""),
    ):
        ((_, _, found),) = claims_of([{"data": [1], **given}])
        assert (found.note if isinstance(found, Claim) else found.code) == told, given
