"""Claims files: every row is a claim or an error with its place, whatever the rows around it are."""

import pytest

from exactperm.auditing.claims import Claim
from exactperm.auditing.claims_file import (
    entries_in,
    entries_of,
    entry_of,
    parse_json,
    parse_lines,
    parse_table,
)
from exactperm.errors import ExactPermError


def test_entries_are_never_lost():
    rows = [
        Claim(p="1", data=[[3, 1, 2], [1, 0, 2]], id="a"),
        {"p": "1", "data": [[3, 1, 2], [1, 0, 2]]},
        {"p": 3, "data": [[3, 1, 2], [1, 0, 2]]},
        "no claim",
        {"q": 1},
    ]
    found = list(entries_of(rows))
    assert [entry.id for entry in found] == ["a", "2", "3", "4", "5"]
    assert [entry.claim is None for entry in found] == [False, False, True, True, True]
    assert str(found[2].error).startswith("p is 3")
    assert str(found[3].error) == "'no claim' is no claim: it needs fields"
    assert (
        str(found[4].error) == "the claim has no p: it must be the printed text, such as 'p < .001'"
    )
    assert (
        entry_of(
            {"id": "x", "p": "1", "counts": "1,2", "statistic": "mcnemar", "note": ""}, "here", 1
        ).claim.note
        is None
    )


def test_json_files():
    assert list(parse_json('[{"p": "1"}, 3]', "f")) == [
        ("f, claim 1", {"p": "1"}),
        ("f, claim 2", 3),
    ]
    both = '{"source": "paper", "claims": [{"p": "1"}, {"p": "2", "source": "other"}]}'
    assert [row for _place, row in parse_json(both, "f")] == [
        {"source": "paper", "p": "1"},
        {"source": "other", "p": "2"},
    ]
    for text, message in (
        ("{", "not JSON"),
        ('{"a": 1}', "must hold a list"),
        ("[" * 10**5, "not JSON"),
    ):
        with pytest.raises(ExactPermError, match=message):
            list(parse_json(text, "f"))


def test_json_lines():
    (first, row), (second, broken) = parse_lines('{"p": "1"}\n\n{broken\n', "f")
    assert (first, row, second) == ("f, line 1", {"p": "1"}, "f, line 3")
    assert str(broken).startswith(
        "not JSON (Expecting property name enclosed in double quotes: column 2"
    )
    (_place, repeated), (_, number) = parse_lines('{"p": "1", "p": "2"}\n3', "f")
    assert "the key 'p' is repeated" in str(repeated)
    assert number == 3


def test_decimals_of_json_keep_their_digits():
    ((_place, row),) = parse_json('[{"p": 1, "data": [0.10000000000000000001]}]', "c.json")
    assert row == {"p": "1", "data": ["0.10000000000000000001"]}


def test_a_legend_holds_for_all_claims_of_a_json_file():
    text = '{"stars": {"*": "p < .05"}, "claims": [{"p": "*", "data": [[1]]}, {"p": "1", "stars": "* p < .1"}, 3]}'
    first, second, third = [row for _place, row in parse_json(text, "c.json")]
    assert (first["stars"], second["stars"], third) == ({"*": "p < .05"}, "* p < .1", 3)


HEADER = "id,p,data,note"
GOOD = {"id": "a", "p": ".03", "data": "d.csv"}


def rows(*lines, header=HEADER):
    """The rows of a file: cells, or the text of an error."""
    found = parse_table("\n".join((header, *lines)), "c.csv")
    return [(place, str(row) if isinstance(row, ExactPermError) else row) for place, row in found]


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ('b,"p < .05,d.csv,', "column 2: the quote is not closed on this line: '\"p < .05,d.csv,'"),
        ('b,.05,d.csv,"see p. 3', "column 4: the quote is not closed"),
        ('"b,.05,d.csv,', "column 1: the quote is not closed"),
        ('b,"p" < .05,d.csv,', "column 2: text follows the closing quote"),
        ('b,  "p" < .05,d.csv,', "column 2: text follows the closing quote"),
        ("b,p = 0,05,d.csv,x", "5 cells, but line 1 has 4"),
        ("b", "1 cell, but line 1 has 4"),
        (f"b,{'x' * 200_000},d.csv,", "not a row of a table (field larger than field limit"),
    ],
)
@pytest.mark.parametrize(
    "after", [["a,.03,d.csv,"], ['a,".03",d.csv,', 'a,".03","d.csv",""'], ['a,.03,d.csv,""']]
)
def test_a_broken_row_hides_no_other(broken, message, after):
    found = rows("a,.03,d.csv,", broken, *after)
    assert [place for place, _row in found] == [
        f"c.csv, line {i}" for i in range(2, 4 + len(after))
    ]
    assert message in found.pop(1)[1]
    assert all(row == GOOD for _place, row in found)


def test_two_broken_rows_that_make_one_hide_nothing():
    """As CSV both lines are one row of four cells; but for its quote the second is one alone."""
    found = rows('b,.04,d.csv,"see', 'a,.03,d.csv,"')
    assert ["column 4: the quote is not closed" in row for _place, row in found] == [True, True]


def test_a_line_of_a_row_may_be_too_long_for_a_cell():
    """By itself the second line is one open cell of 200,000 characters."""
    found = rows('b,.04,d.csv,"see', '"' + ",x" * 100_000, "a,.03,d.csv,")
    assert ["column 4: the quote is not closed" in row for _place, row in found] == [
        True,
        False,
        False,
    ]
    assert "not a row of a table" not in found[1][1]
    assert found[2][1] == GOOD


def test_a_row_over_other_rows_is_read_line_by_line():
    """As CSV the three lines are one row of four cells."""
    broken, *others = rows('b,.04,d.csv,"see', "a,.03,d.csv,", 'a,.03,d.csv,", p. 3"')
    assert "column 4: the quote is not closed" in broken[1]
    assert [row for _place, row in others] == [GOOD, {**GOOD, "note": ", p. 3"}]


def test_quoted_cells_may_hold_line_ends_commas_and_quotes():
    (place, row), (_, last) = rows(
        'a,.03,d.csv,"first line', "", 'second ""line"", and more"', "a,.03,d.csv,"
    )
    assert place == "c.csv, line 2"
    assert row == {**GOOD, "note": 'first line\n\nsecond "line", and more'}
    assert last == GOOD


def test_a_row_of_several_lines_needs_the_cells_of_the_header():
    found = rows('a,.03,"d', 'csv"', "a,.03,d.csv,")
    assert ["column 3" in found[0][1], "1 cell" in found[1][1], found[2][1]] == [True, True, GOOD]


def test_separators_are_those_of_the_header():
    for mark in ",;\t":
        header, row = (
            HEADER.replace(",", mark),
            mark.join(["a", ".03", "d.csv", "one; two, three", ""]),
        )
        row = row if mark == "\t" else row.replace("one; two, three", '"one; two, three"')
        assert rows(row, header=header) == [("c.csv, line 2", {**GOOD, "note": "one; two, three"})]
    assert rows("a;0,03;d.csv;", header="id;p;data;note")[0][1]["p"] == "0,03"


def test_comments_blank_lines_and_legends():
    found = rows(
        "# see the appendix, p. 3",
        "",
        "a,.03,d.csv,",
        "#b,.04,d.csv,",
        '"#b",.04,d.csv,',
        header=f"# x\n{HEADER}",
    )
    assert [row if isinstance(row, dict) else row[:30] for _place, row in found] == [
        GOOD,
        "a line that starts with # is a",
        {**GOOD, "id": "#b", "p": ".04"},
    ]
    legend = "# Stars: * p < .05, ** p < .01, *** p < .001, x"
    assert rows(legend, "a,*,d.csv,") == [
        ("c.csv, line 3", {**GOOD, "p": "*", "stars": legend[9:]})
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "c.csv is empty"),
        ("\n# only a comment\n", "c.csv is empty"),
        ("id,p,dta\n", "line 1, column 3: 'dta' looks like a misspelt 'data': call it so"),
        (
            "id,p,data,weights\n",
            "line 1, column 4: claims have no weights: their p-values are of plain means",
        ),
        (
            "item,new,old\n",
            "line 1: no column holds the printed p-values: .* called p; this one has item, new, old",
        ),
        ("id,P-value,p\n", "line 1, column 3: the field 'p' is there twice"),
        ("id,p,p\n", "line 1, column 3: the field 'p' is there twice"),
        ('\nid,"p,data\n1,2,3\n', "line 2, column 2: the quote is not closed"),
    ],
)
def test_headers_that_are_refused(text, message):
    with pytest.raises(ExactPermError, match=message):
        list(parse_table(text, "c.csv"))


def test_entries_of_a_file(tmp_path):
    path = tmp_path / "c.csv"
    path.write_bytes(b'\xef\xbb\xbfid,p,data\r\na,.03,d.csv\rb,"x,d.csv\n')
    first, second = entries_in(path)
    assert (first.id, first.claim.p, first.place) == ("a", ".03", f"{path}, line 2")
    assert (second.id, second.claim, second.place) == ("2", None, f"{path}, line 3")


def test_columns_of_ones_own_are_notes_and_blank_rows_are_none(tmp_path):
    """Spreadsheets write rows of commas, and people keep pages and remarks beside their claims."""
    (tmp_path / "c.csv").write_text(
        "id,p,page,note\na,.5,12,first\n,,,\n , ,\nb,.6,,\n", encoding="utf-8"
    )
    found = [*entries_in(tmp_path / "c.csv")]
    assert [(entry.id, str(entry.error)) for entry in found if entry.claim is None] == [
        ("a", "the claim has no data: it needs a path, columns, or counts of McNemar's test"),
        ("b", "the claim has no data: it needs a path, columns, or counts of McNemar's test"),
    ]
    (kept,) = entries_of([{"p": ".5", "data": [1], "page": 12, "note": "first", "remark": ""}])
    assert kept.claim.note == "first; page: 12"
    (kept,) = entries_of([{"p": ".5", "data": [1], "page": 12}])
    assert kept.claim.note == "page: 12"
    (refused,) = entries_of([{"p": ".5", "data": [1], "alternativ": "less"}])
    assert str(refused.error).startswith(
        "'alternativ' looks like a misspelt 'alternative': call it so"
    )
    (refused,) = entries_of([{"p": ".5", "data": [1], "Tasks": "t"}])
    assert str(refused.error).startswith("claims have no tasks: ")
    (refused,) = entries_of([{"p": ".5", "P value": ".6", "data": [1]}])
    assert str(refused.error) == "the field 'p' is there twice, once as 'P value'"


def test_names_that_people_use_are_fields(tmp_path):
    text = "Study,P-value,File,Tail,Dataset\nSmith,.5,d.csv,two-tailed,news\n"
    (tmp_path / "c.csv").write_text(text, encoding="utf-8")
    (found,) = entries_in(tmp_path / "c.csv")
    claim = found.claim
    assert (claim.source, claim.p, claim.data, claim.alternative) == (
        "Smith",
        ".5",
        "d.csv",
        "two-sided",
    )
    assert claim.note == "Dataset: news"
    (found,) = entries_of([{"P.value": ".5", "data": [1], "test": "Wilcoxon"}])
    assert (found.claim.p, found.claim.statistic) == (".5", "signed-rank")
