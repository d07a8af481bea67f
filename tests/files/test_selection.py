"""Choosing columns: header, decimal mark, several files, ids, missing cells; errors that name the place."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.errors import ExactPermError
from exactperm.files import jsonl, tables
from exactperm.files.reading import Reading
from exactperm.files.selection import is_name, select


def cells(text, delimiter="auto"):
    return [row for _line, row in tables.parse(text, "f.csv", delimiter).rows]


def chosen(text, allowed=(1, 2), delimiter="auto", kind="scores", **choice):
    return select([tables.parse(text, "f.csv", delimiter)], allowed, "u, v", Reading(**choice), kind=kind)


def refusal(text, **choice):
    with pytest.raises(ExactPermError) as caught:
        chosen(text, **choice)
    return str(caught.value)


# ---------------------------------------------------------------------------------------------- columns


def test_header_and_names():
    data = chosen("id,u,v,doc\na,1,2,x\nb,3,4,x\n", columns="v,u", groups="doc")
    assert (data.names, data.columns, data.labels, data.sheets[0][1]) == (
        ("v", "u"),
        [["2", "4"], ["1", "3"]],
        ["x", "x"],
        1,
    )


def test_numbers_of_columns_need_no_header():
    data = chosen("a,1,2\nb,3,4\n", columns="3,2")
    assert (data.names, data.columns, data.sheets[0][1]) == (("column 3", "column 2"), [["2", "4"], ["1", "3"]], None)


def test_all_columns_but_the_labels():
    assert chosen("1,x,2\n3,y,4\n", groups="2").columns == [["1", "3"], ["2", "4"]]


def test_quoted_names_and_names_without_text():
    assert chosen('"a, b",,c\n1,2,3\n', columns='"a, b",2').names == ("a, b", "column 2")
    assert chosen('"a, b",,c\n1,2,3\n', columns='c, "a, b"').columns == [["3"], ["1"]]
    assert chosen("1,2\n", columns="000000002").columns == [["2"]]


@pytest.mark.parametrize(
    ("first", "header"),
    [
        ("u,v", True),
        ("2nd run,1st run", True),
        ("0.5,0.6", False),
        ("1/2,-3", False),
        ("+.5,1e-3", False),
        ("1e999999,1", False),
        ("u,0.5", False),
        ("True,false", False),
        ("nan,nan", False),
        ("NA,n/a", False),
        ("inf,-Infinity", False),
        (",,", False),
        ("1//2,-", False),
        ("\N{MINUS SIGN}1,\N{EN DASH}2", False),
        ("1e\N{MINUS SIGN}3,1e-3%", False),
        ("50%,$5", False),
        ("1'000,(5)", False),
        ("u %,v (%)", True),
        ("\N{GREEK SMALL LETTER ALPHA},\N{CJK UNIFIED IDEOGRAPH-65B0}", True),
    ],
)
def test_header_detection(first, header):
    """Only a row without any number is a header; a slip in the first row of data is an error, never skipped."""
    assert all(map(is_name, first.split(","))) is header


def test_header_by_order():
    assert chosen("2020,2021\n1,2\n", header="yes").columns == [["1"], ["2"]]
    assert "line 1, column 1: 'u' is no score" in refusal("u\n1\n", header="no")
    message = refusal("0.5,O.6\n1,2\n")
    assert "f.csv, line 1, column 2: 'O.6' is no score: not a finite number" in message
    assert message.endswith("if line 1 is a header, say --header yes")


@pytest.mark.parametrize("cell", ["\N{MINUS SIGN}1", "50%"])
def test_a_number_in_other_signs_is_never_lost_as_a_header(cell):
    message = refusal(f"{cell}\n1\n2\n")
    assert "f.csv, line 1, column 1: " in message
    assert "header" not in message


def test_labels_stand_as_they_are():
    text = "gold,u\n1,1.0\n"
    assert chosen(text, kind="labels", header="no").columns == [["gold", "1"], ["u", "1.0"]]
    assert chosen(text, kind="labels", header="yes").columns == [["1"], ["1.0"]]
    assert chosen(text, kind="labels", columns="u").columns == [["1.0"]]
    assert "f.csv, line 2, column 2 (b): the label is missing" in refusal("a,b\nc,\n", kind="labels")


def test_a_decimal_comma_in_the_first_row_is_a_number():
    assert chosen("0,5;0,6\n").sheets[0][1] is None


def test_decimal_commas():
    assert chosen("u;v\n0,930;1\n-,5;1,5e2\n").columns == [["0.930", "-.5"], ["1", "1.5e2"]]


@pytest.mark.parametrize("text", ["0,5;1\n0.5;1\n", "0.5;1\n1;0,5\n", "1.234,5;1\n"])
def test_two_decimal_marks_in_one_file(text):
    """Else a thousands separator would silently be read as a decimal mark."""
    assert "decimal points and decimal commas in one file" in refusal(text)


def test_the_other_mark_in_a_column_that_is_not_read_does_no_harm():
    assert chosen("0,5;1.5\n", columns="1").columns == [["0.5"]]


NO_NUMBER = "not a finite number such as '0.93', '3/7' or '1e-3'"
DROP = " (--missing drop leaves such pairs out)"
QUOTED = "for decimal commas in quotes say --delimiter comma --decimal comma"
HINT = "; if line 1 is a header, say --header yes"
MARKS = "decimal points and decimal commas in one file:"
NEEDS = "f.csv: the test needs 1 or 2 columns (u, v), not 3: "
PAIR = "choose with --columns, such as --columns 1,2"
THREE = "there are 3 systems: say exactperm compare for all pairs, or --columns 1,2 for one pair"


@pytest.mark.parametrize(
    ("text", "choice", "message"),
    [
        ("u,v\n1,2\n3,abc\n", {}, f"f.csv, line 3, column 2 (v): 'abc' is no score: {NO_NUMBER}"),
        ("1,2\n3,nan\n", {}, f"f.csv, line 2, column 2: 'nan' marks a missing score{DROP}"),
        ("1,2\n3,5: 6\n", {}, f"f.csv, line 2, column 2: '5: 6' is no score: {NO_NUMBER}"),
        ("u;v\n1;2\n3;X,5\n", {}, f"f.csv, line 3, column 2 (v): 'X,5' is no score: {NO_NUMBER}"),
        ("u;v\n1;2\n3;X.5\n", {}, f"f.csv, line 3, column 2 (v): 'X.5' is no score: {NO_NUMBER}"),
        ('"0,5",1\n', {}, f"f.csv, line 1, column 1: '0,5' is no score: {QUOTED}"),
        ('1.5,1\n"0,5",1\n', {}, f"f.csv, line 2, column 1: '0,5' is no score: {QUOTED}"),
        ("x,1\n2,3\n", {"header": "no"}, f"f.csv, line 1, column 1: 'x' is no score: {NO_NUMBER}{HINT}"),
        ("1,2\n3,1/0\n", {}, "f.csv, line 2, column 2: '1/0' is no score: the denominator is zero"),
        (
            "+1,+2\n3,1e99999\n",
            {},
            "f.csv, line 2, column 2: '1e99999' is no score: the decimal exponent is beyond 4000",
        ),
        ("0,5;1\n0.5;1\n", {}, f"f.csv, line 2, column 1: {MARKS} '0,5' in line 1 and '0.5' in line 2"),
        ("0.5;1\n1;0,5\n", {}, f"f.csv, line 2, column 2: {MARKS} '0.5' in line 1 and '0,5' in line 2"),
        ("u,v\n1,2\n3,\n", {}, f"f.csv, line 3, column 2 (v): the cell is empty{DROP}"),
        ("u,v,g\n1,2,a\n3,4,\n", {"groups": "g"}, "f.csv, line 3, column 3 (g): the group is missing"),
        ("a\n\n,\n", {"kind": "labels"}, f"f.csv, line 3, column 1 (a): the label is missing{DROP}"),
        ("# c\nu,v\n", {}, "f.csv: line 2 is a header, and no data follow"),
        ("1,2,3\n", {}, f"{NEEDS}{THREE}; line 1 has 3 cells: '1', '2', '3'"),
        ("1,2\n3,4\n", {"columns": "1,2,1"}, f"{NEEDS}{PAIR}; line 1 has 2 cells: '1', '2'"),
        ("1\n", {"columns": "1,1,1"}, f"{NEEDS}choose with --columns; line 1 has 1 cell: '1'"),
        ("1,2\n", {"columns": "0"}, f"f.csv has no column 0: line 1 has 2 cells: '1', '2'; {PAIR}"),
        ("\n1,2\n", {"columns": "3"}, f"f.csv has no column 3: line 2 has 2 cells: '1', '2'; {PAIR}"),
        ("1,2\n", {"columns": "9" * 5000}, f"f.csv has no column {'9' * 20}: line 1 has 2 cells: '1', '2'; {PAIR}"),
        ("1,2\n", {"columns": "0000000001"}, f"f.csv has no column 0000000001: line 1 has 2 cells: '1', '2'; {PAIR}"),
        (
            "u,v\n1,2\n",
            {"columns": "w"},
            "f.csv, line 1: no column is named 'w': line 1 has 2 cells: 'u', 'v'; "
            "choose with --columns, such as --columns u,v",
        ),
        ("\nu,v\n", {"groups": "w"}, "f.csv, line 2: no column is named 'w': line 2 has 2 cells: 'u', 'v'"),
        ("u,u\n1,2\n", {"columns": "u"}, "f.csv, line 1: 2 columns are named 'u': choose by number"),
        ("1,2\n", {"columns": ""}, "'' is not a list of columns such as 2,3 or baseline,new"),
        ("1,2\n", {"columns": '"a"b'}, "'\"a\"b' is not a list of columns such as 2,3 or baseline,new"),
        ("1,2\n3,-4\n", {"kind": "counts"}, "f.csv, line 2, column 2: '-4' is negative, but these are counts"),
        ("-4\n", {"kind": "counts"}, "f.csv, line 1, column 1: '-4' is negative, but these are counts"),
    ],
)
def test_refusals(text, choice, message):
    assert refusal(text, **choice) == message


def test_many_columns_are_not_all_listed():
    twelve = ", ".join(f"'{i}'" for i in range(7, 19))
    for cells, rows, shown in [(12, 12, f"12 cells: {twelve}"), (5000, 501, f"5000 cells: {twelve}, ...")]:
        message = refusal((",".join(map(str, range(7, cells + 7))) + "\n") * rows)
        words = "compare for all pairs, or --columns 1,2"
        assert message.endswith(f"say exactperm {words} for one pair; line 1 has {shown}")
    wide = ",".join(["q", "text", *"1" * 40])
    assert "exactperm compare --columns 3-42 for all pairs" in refusal(f"{wide}\n" * 6)


# ---------------------------------------------------------------------------------------------- two meanings


def doubt(example, cells=2, how="--decimal comma reads them"):
    return (
        f"f.csv: the commas of every row may be decimal marks, as in {example!r} in line 1. If they are, "
        f"{how}; if not, --delimiter comma reads {cells} columns; separators of thousands must be removed"
    )


@pytest.mark.parametrize(
    "text",
    [
        "0,93\n0,85\n",
        "1,234\n12,345\n",
        "-1,5\n+0,25\n",
        "1,5e-3\n2,5E4\n",
        "1.234,5\n12.345.678,25\n",
        "1,234.5\n1,000\n",
        "1,2\n3,4\n",
        "2019,2020\n1,2\n",
    ],
)
def test_rows_of_one_comma_may_be_one_number(text):
    """Decimal commas and separators of thousands look like two columns: 0 and 93, 1 and 234."""
    example = text.partition("\n")[0]
    for choice in ({}, {"columns": "1"}, {"header": "no"}):
        assert refusal(text, **choice) == doubt(example)
    assert len(chosen(text, columns="1,2", kind="labels", allowed=(2,)).columns) == 2
    assert len(chosen(text, delimiter="comma", kind="labels", allowed=(2,)).columns) == 2
    assert len(chosen(text, header="yes", kind="labels", allowed=(2,)).columns) == 2


@pytest.mark.parametrize(("text", "example"), [("g0 0,1\ng2 -0,7\n", "g0 0,1"), ("1 2,5\n3 4,5\n", "1 2,5")])
def test_decimal_commas_between_blanks(text, example):
    """Labels and numbers with a blank between them are no labels "g0 0" of the numbers 1 and 7."""
    assert refusal(text, groups="1", allowed=(1,)) == doubt(example)
    sheet = tables.parse(text, "f.csv", decimal="comma")
    found = select([sheet], (1,), "d", choice=Reading(groups="1"))
    assert found.labels == [row.split()[0] for row in text.splitlines()]
    assert chosen(text.replace(",", ", "), kind="labels", allowed=(2,)).columns


def test_rows_of_several_commas_may_be_one_number():
    assert refusal("1,234,567\n2,345,678\n", allowed=(3,)) == doubt("1,234,567", 3)


@pytest.mark.parametrize(
    ("text", "cells"), [("0,60,0,59\n0,61,0,5\n", 4), ("28,6,26,5,1,0\n" * 6, 6), ("-1,5,+2,5\n1,0,0,0\n", 4)]
)
def test_rows_of_an_even_number_of_cells_may_be_numbers_with_decimal_commas(text, cells):
    words = "write semicolons or tabs between the cells"
    assert refusal(text, allowed=range(2, 9)) == doubt(text.partition("\n")[0], cells, words)
    assert len(chosen(text, delimiter="comma", allowed=(cells,)).columns) == cells


@pytest.mark.parametrize("text", ["0,1,1,0\n1,1,0,1\n", "1,2,3,4,5\n", "1,2,3,-4\n", "1,0,2,3\nu,1,2,3\n"])
def test_other_rows_of_several_cells_are_not_doubted(text):
    assert not tables.parse(text).doubtful


def test_counts_and_numbered_items_are_not_doubted():
    counts = "3,1,2,4\n5,2,1,1\n"
    assert len(chosen(counts, kind="counts", allowed=(4,)).columns) == 4
    assert "'column 1' seems to number the items" in refusal("".join(f"{i},{i % 2}\n" for i in range(6)))


@pytest.mark.parametrize(
    "text",
    ["u,v\n1,2\n", "1, 2\n3, 4\n", "1,2\n3,-4\n", "0.5,0.6\n", "1,2\n0.5,3\n", '"1","2"\n', "0,930.5\n"],
)
def test_rows_that_are_no_single_number(text):
    assert chosen(text, allowed=(2,)).columns


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("0,93\n0,85\n", [["0.93", "0.85"]]),
        ("0,93 1\n0,85 -2\n", [["0.93", "0.85"], ["1", "-2"]]),
        ("0,5;1,234\n", [["0.5"], ["1.234"]]),
        ('"0,5";"1"\n', [["0.5"], ["1"]]),
        ("5\n0,5\n7\n", [["5", "0.5", "7"]]),
    ],
)
def test_decimal_comma_by_order(text, columns):
    sheet = tables.parse(text, "f.csv", decimal="comma")
    assert select([sheet], (1, 2), "u, v").columns == columns


def test_decimal_comma_between_commas_needs_quotes():
    sheet = tables.parse('"0,5","1,25"\n', "f.csv", "comma", decimal="comma")
    assert select([sheet], (2,), "u, v").columns == [["0.5"], ["1.25"]]


@pytest.mark.parametrize(
    ("text", "decimal", "message"),
    [
        ("0,5;1\n2.5;1\n", "comma", "decimal points and decimal commas in one file"),
        ("1.234;1\n", "comma", "f.csv, line 1, column 1: '1.234' has a point, but --decimal comma was chosen"),
        ("1,5;1\n", "point", "f.csv, line 1, column 1: '1,5' is no score"),
        (
            "7;1,234\n",
            "auto",
            "f.csv, line 1, column 2: '1,234' has two meanings: say --decimal comma if the comma is a decimal one, or "
            "remove separators of thousands",
        ),
    ],
)
def test_decimal_marks_that_are_refused(text, decimal, message):
    with pytest.raises(ExactPermError) as caught:
        select([tables.parse(text, "f.csv", decimal=decimal)], (2,), "u, v")
    assert message in str(caught.value)


def test_one_fraction_shows_that_the_comma_is_decimal():
    assert chosen("1,234;0,5\n").columns == [["1.234"], ["0.5"]]
    sheet = tables.parse("1,234;1\n", decimal="comma")
    assert select([sheet], (2,), "u, v").columns == [["1.234"], ["1"]]


def test_other_white_space_is_no_delimiter():
    """1 234 with a no-break space is one number with a separator of thousands: no score, but not two columns."""
    assert "is no score" in refusal("1\u00a0234\n2\u202f345\n")
    assert cells("1 2\t3\n") == [["1 2", "3"]]


@pytest.mark.parametrize("word", ["NA", "nan", "NULL", "None", "n/a", "<NA>", "NaT"])
def test_missing_labels_make_no_group(word):
    assert refusal(f"1;x\n2;{word}\n", groups="2") == f"f.csv, line 2, column 2: the group is missing ({word})"
    assert chosen(f"x;{word}\n", kind="labels").columns == [["x"], [word]]


@pytest.mark.parametrize("word", ["#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"])
def test_errors_of_spreadsheets_are_no_comments(word):
    what = "marks a missing score" if word == "#N/A" else "is no score"
    assert f"f.csv, line 2, column 1: '{word}' {what}" in refusal(f"1;2\n{word};3\n4;5\n")


# ---------------------------------------------------------------------------------------------- round trip

NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-(10**6), max_value=10**6).map(str)


@given(
    st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=8),
    st.sampled_from([",", ";", "\t", " "]),
    st.tuples(st.booleans(), st.booleans(), st.booleans()),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_every_way_to_write_a_table_reads_back(pairs, mark, style, end, encoding):
    header, quoted, decimal_commas = style
    decimal_commas = decimal_commas and mark != ","
    quoted = quoted and mark != " "
    lines = ["# a comment; with, marks", *(["u" + mark + "v"] if header else []), ""]
    for pair in pairs:
        written = [text.replace(".", ",") if decimal_commas else text for text in pair]
        written = [f'"{text}"' for text in written] if quoted else written
        lines.append(mark.join(written) + (mark if header and mark not in " " else ""))
    data = (end.join(lines) + end).encode(encoding)
    # White space between numbers with decimal commas looks like commas between numbers: there it must be said.
    # Numbers that all may have separators of thousands, such as 1,000, are no evidence of a decimal comma either.
    thousands = decimal_commas and all(re.fullmatch(r"-?[1-9]\d{0,2}\.\d{3}", text) for pair in pairs for text in pair)
    delimiter, decimal = "space" if mark == " " else "auto", "comma" if thousands else "auto"
    sheet = tables.parse(tables.decoded(data, "f"), "f", delimiter, decimal=decimal)
    assert select([sheet], (2,), "u, v").columns == [list(column) for column in zip(*pairs)]


# ---------------------------------------------------------------------------------------------- several files


def sheets(*texts):
    """Sheets named a, b, c, ...; records where the text begins with a brace."""
    return [
        jsonl.parse(text, name, ["acc"], ["id"]) if text.startswith("{") else tables.parse(text, name)
        for name, text in zip("abcdef", texts)
    ]


def joined(*texts, allowed=(2,), kind="scores", **choice):
    return select(sheets(*texts), allowed, "u, v", Reading(**choice), kind=kind)


def join_refusal(*texts, **choice):
    with pytest.raises(ExactPermError) as caught:
        joined(*texts, **choice)
    return str(caught.value)


A = '{"id": 1, "acc": 0.5}\n{"id": "q", "acc": true}\n'
B = '{"id": "q", "acc": 0}\n{"id": "1", "acc": null}\n'


def test_files_of_one_column_are_joined_by_position():
    """Each file has a header or none."""
    data = joined("u\n1\n2\n", "0.5\n7\n")
    assert (data.names, data.columns) == (("a: u", "b"), [["1", "2"], ["0.5", "7"]])
    assert [line for _sheet, line in data.sheets] == [1, None]
    assert join_refusal("1\n2\n", "u\n1\n2\n3\n") == (
        "files without --id are joined by position, but they have different numbers of rows: a has 2, b has 3"
    )


@pytest.mark.parametrize(
    ("first", "second", "line"),
    [("1\n\n2\n3\n", "4\n5\n\n6\n", "a, line 2"), ("1\n2\n3\n", "u\n4\n\n\n5\n6\n", "b, line 4")],
)
def test_a_blank_line_in_one_file_may_be_a_missing_score(first, second, line):
    """Else the rows that follow would be joined with those of other items."""
    assert join_refusal(first, second) == (
        f"{line}: the line is blank, in one of a and b only: write NA for a missing score, or remove the line"
    )


def test_blank_lines_in_the_same_places_do_no_harm():
    data = joined("1\n\n\n2\n#\n\n3\n", "\nu\n\n4\n\n5\n\n6\n\n")
    assert data.columns == [["1", "2", "3"], ["4", "5", "6"]]


def test_the_same_columns_of_every_file():
    data = joined("i,u\nx,1\n", "u,w,i\n2,3,x\n", key="u")
    assert (data.names, data.short, data.columns) == (("a: u", "b: u"), ("u", "u"), [["1"], ["2"]])
    assert joined("1;2\n", "3;4\n", columns="2,1", allowed=(4,)).columns == [["2"], ["1"], ["4"], ["3"]]
    assert joined("a,b\n1,2\n", key="a", allowed=(1,)).columns == [["1"]]
    assert joined('"a,b";c\n1;2\n', key="a,b", allowed=(1,)).columns == [["1"]]
    message = "key and columns exclude each other: columns lists one column or more"
    assert join_refusal("1\n", "2\n", key="1", columns="1") == message
    assert join_refusal("1\n", "1 2\n") == (
        "a, b: the test needs 2 columns (u, v), not 3: say --key 1; line 1 has 2 cells: '1', '2'"
    )


def test_records_list_their_keys():
    sheet = jsonl.parse('{"id": 1, "u": 1, "v": 2, "m": {"acc": 3}}', "f", ["u", "v", "m.acc"])
    with pytest.raises(ExactPermError) as caught:
        select([sheet], (1, 2), "u, v", Reading(columns="u,v,m.acc"))
    assert str(caught.value) == (
        "f: the test needs 1 or 2 columns (u, v), not 3: there are 3 systems: say exactperm compare for all pairs, "
        "or --columns u,v for one pair; "
        "line 1 has the keys: 'u', 'v', 'm.acc'"
    )


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("id,u,v", "u,v"),
        ("id,u_1,v", "u_1,v"),
        ("i,u,u", "2,3"),
        ("i,u x,v", "2,v"),
        ('i,"u,v",w', "2,w"),
        ("id,2,3", "2,3"),
    ],
)
def test_what_to_type_where_there_are_too_many_columns(header, words):
    text = f"{header}\n1,2,3.5\n"
    assert f"choose with --columns, such as --columns {words}; line 1 has 3 cells: " in refusal(text)
    assert chosen(text, columns=words).columns


def test_files_are_joined_by_ids():
    """Each file has its own delimiter and decimal mark."""
    data = joined("i;u\nx;1\ny;2,5\n", "u,i\n3.5,y\n4,x\n", id="i")
    assert (data.names, data.columns) == (("a: u", "b: u"), [["1", "2.5"], ["4", "3.5"]])


def test_records_are_joined_by_ids_as_text():
    """The number 1 and the text "1" are one id: in one file that is a repeated one."""
    assert joined(A, B.replace("null", "0.25"), id="id").columns == [["0.5", "1"], ["0.25", "0"]]
    assert join_refusal(A, A + '{"id": "1", "acc": 0}', id="id") == (
        "b, line 3, key 'id': the id '1' is also in line 1"
    )


@pytest.mark.parametrize("missing", ["refuse", "drop"])
def test_no_id_is_lost(missing):
    """Missing and repeated ids are named with their files, whatever is chosen for missing scores."""
    three = A + '{"id": "z", "acc": null}'
    how = ": remove such items, or add them with NA as score, which --missing drop then leaves out"
    assert join_refusal(three, B, id="id", missing=missing) == f"a and b must have the same ids, but b lacks 'z'{how}"
    assert join_refusal(B, three, id="id", missing=missing) == f"a and b must have the same ids, but a lacks 'z'{how}"
    both = join_refusal("id,u\nx,1\n", "id,u\ny,1\n", id="id", missing=missing)
    assert both == f"a and b must have the same ids, but b lacks 'x'; a lacks 'y'{how}"
    assert join_refusal(A, '{"acc": 1}{"id": null, "acc": 2}{"id": "q"}', id="id", missing=missing) == (
        "b, line 1, key 'id': the id is missing"
    )
    many = "id,u\n" + "".join(f"x{i},1\n" for i in range(9))
    assert join_refusal(many, "id,u\nx0,1\n", id="id", missing=missing).endswith(
        f"b lacks 'x1', 'x2', 'x3', 'x4', 'x5', ... (8 in all){how}"
    )


def test_groups_of_several_files_must_agree():
    first, second = "i,u,g\nx,1,d\ny,2,e\n", "i,u,g\ny,3,e\nx,4,d\n"
    assert joined(first, second, id="i", groups="g").labels == ["d", "e"]
    assert join_refusal(first, second.replace("4,d", "4,e"), id="i", groups="g") == (
        "b, line 3, column 3 (g), id 'x': the group is not 'd', as in a, line 2"
    )


@pytest.mark.parametrize(("name", "order"), [("question", "yx"), ("uid", "21")])
def test_texts_and_ids_tell_that_items_moved(name, order):
    """Numbers name items only where their column says so: two systems may have the same scores in another order."""
    first, second = [f"{name},u\n{''.join(f'{i},1{chr(10)}' for i in items)}" for items in (sorted(order), order)]
    assert join_refusal(first, second, key="u").endswith(f"are different items. Say --id {name}")
    assert joined(first, second, id=name, key="u").columns == [["1", "1"], ["1", "1"]]
    assert joined(first, second.replace(name, "other"), key="u").columns
    if order.isdecimal():
        assert joined(first.replace(name, "rank"), second.replace(name, "rank"), key="u").columns


# ---------------------------------------------------------------------------------------------- missing cells


@pytest.mark.parametrize("cell", ["", "NA", "N/A", "NaN", "null", "None", "<NA>", "nat", "#N/A"])
def test_missing_cells(cell):
    text = f"u,v\n1,2\n3,{cell}\n{cell},4\n5,6\n"
    assert refusal(text).startswith("f.csv, line 4, column 1 (u): ")
    assert refusal(text).endswith(DROP)
    data = chosen(text, missing="drop")
    assert (data.columns, data.dropped) == ([["1", "5"], ["2", "6"]], 2)
    assert chosen(text, columns="u", missing="drop").dropped == 1
    assert refusal(f"u,v\n1,{cell}\n", missing="drop") == ("f.csv: no pair is left: in every one a score is missing")


def test_pairs_are_left_out_of_all_files():
    data = joined(A + '{"id": 3, "acc": 1}', B + '{"id": 3, "acc": 9}', id="id", missing="drop")
    assert (data.columns, data.dropped) == ([["1", "1"], ["0", "9"]], 1)
    assert join_refusal(A, B, id="id") == f"b, line 2, key 'acc', id '1': the value is missing or null{DROP}"


def test_only_empty_labels_are_missing():
    text = "NA;a;b\n;a;b\nb;a;a\n"
    data = chosen(text, allowed=(3,), kind="labels", missing="drop")
    assert (data.columns, data.dropped) == ([["NA", "b"], ["a", "a"], ["b", "a"]], 1)


def test_groups_are_never_left_out():
    text = "u;g\n1;a\n;b\n3;\n"
    assert refusal(text, groups="g", missing="drop") == "f.csv, line 4, column 2 (g): the group is missing"
    assert chosen(text.replace("3;", "3;c"), groups="g", missing="drop").labels == ["a", "c"]


# ---------------------------------------------------------------------------------------------- words as scores


def test_booleans_are_scores():
    data = chosen("True,false\nTRUE,0\nfalse,true\n")
    assert (data.columns, data.sheets[0][1]) == ([["1", "1", "0"], ["0", "0", "1"]], None)
    assert chosen("True\nTrue\n", kind="labels", allowed=(1,)).columns == [["True", "True"]]
    assert "'yes' is no score" in refusal("u\n1\nyes\n")


def test_percentages_are_refused_with_what_to_do():
    assert refusal("u\n93%\n") == (
        "f.csv, line 2, column 1 (u): '93%' is no score: remove the % sign from every row: all scores in percent have "
        "the same p-value as shares of 1"
    )


def test_columns_of_two_scales():
    assert "different scales: a is in percent, b is not. Write both as shares of 1" in refusal("a,b\n93%,0.91\n")


def test_labels_are_no_scores():
    text = "u,v\nN,V\nN,N\nN,N\nV,V\n"
    assert "'N' is no score: these are class labels: --statistic accuracy needs the right ones first" in refusal(text)
    words = "these are class labels: say --statistic accuracy --columns gold,u,v"
    both = "".join(f"{line},{gold}\n" for line, gold in zip(text.splitlines(), ["gold", *"NNVV"]))
    assert words in refusal(both, columns="u,v")
    assert refusal("u,v\nN,V\nD,A\n", columns="1,2", header="no").startswith("f.csv, line 1, column 1: 'u' is no score")


@pytest.mark.parametrize(
    ("text", "column", "word"),
    [
        ("id,a,b\nq1,1,2\nq2,3,4\n", "column 1 (id)", "id"),
        ("q1,1,2\nq2,3,4\n", "column 1", "1"),
        ("my item,a,b\nq1,1,2\nq2,3,4\n", "column 1 (my item)", '"my item"'),
    ],
)
def test_names_of_items_are_no_scores(text, column, word):
    message = refusal(text, allowed=(2, 3))
    assert f"{column}: 'q1' is no score: if the column names the items, say --id {word}" in message
    assert chosen(text, allowed=(2,), id=word.strip('"')).columns == [["1", "3"], ["2", "4"]]
    twice = "f.csv, line 3, column 1 (i): the id 'x' is also in line 2"
    assert refusal("i,u\nx,1\nx,2\n", id="i") == f"{twice}; where these are rows of one item, say --groups i"


# ---------------------------------------------------------------------------------------------- headers of labels


def test_a_row_of_names_that_never_recur_is_a_header():
    text = "gold,u,v\nN,N,V\nV,N,V\n"
    for choice in ({}, {"header": "yes"}):
        data = chosen(text, allowed=(3,), kind="labels", **choice)
        assert (data.names, data.columns[0], data.sheets[0][1]) == (("gold", "u", "v"), ["N", "V"], 1)
    assert chosen(text, allowed=(3,), kind="labels", header="no").columns[0] == ["gold", "N", "V"]


@pytest.mark.parametrize("text", ["N,N,V\nV,V,V\n", "N,V,D\nN,V,D\n", "17,3,5\n2,2,2\n1,2,1\n", "N,N,N\nV,V,V\n"])
def test_rows_of_labels_that_recur_or_are_numbers_are_data(text):
    data = chosen(text, allowed=(3,), kind="labels")
    assert (len(data.columns[0]), data.sheets[0][1]) == (text.count("\n"), None)


@pytest.mark.parametrize(
    "text", ["gold,u,v\nN,V,D\nA,A,A\n", "Paris,Rome,London\nBonn,Bonn,Bonn\nOslo,Riga,Vaduz\n", "gold,u,v\n"]
)
def test_a_header_that_may_be_labels_is_refused(text):
    """In an open vocabulary the first row may be three answers that occur once."""
    message = refusal(text, allowed=(3,), kind="labels")
    assert message == "f.csv, line 1: labels or a header? Say --header no or --header yes"


# ---------------------------------------------------------------------------------------------- joins round trip


@given(st.permutations(range(6)), st.lists(NUMBERS, min_size=12, max_size=12), st.booleans(), st.data())
def test_every_join_reads_back(order, scores, records, data):
    """The order of the second file, its format and the dropped pairs change nothing else."""
    u, v = scores[:6], scores[6:]
    gone = data.draw(st.sets(st.sampled_from(range(6)), max_size=5))
    u = ["NA" if i in gone and i % 2 else x for i, x in enumerate(u)]
    v = ["NA" if i in gone and not i % 2 else x for i, x in enumerate(v)]
    first = "id\tacc\n" + "".join(f"q{i}\t{x}\n" for i, x in enumerate(u))
    if records:
        second = "".join(f'{{"id": "q{i}", "acc": {v[i] if v[i] != "NA" else "null"}}}\n' for i in order)
    else:
        second = "acc,id\n" + "".join(f"{v[i]},q{i}\n" for i in order)
    found = joined(first, second, id="id", key="acc", missing="drop")
    kept = [i for i in range(6) if i not in gone]
    assert (found.columns, found.dropped) == ([[u[i] for i in kept], [v[i] for i in kept]], len(gone))


@pytest.mark.parametrize(
    ("first", "second", "refused"),
    [
        # other columns tell the systems apart, not the items
        ("id,rater_id,a\nq1,r1,1\nq2,r1,2\nq3,r1,3\n", "id,rater_id,a\nq1,r2,1\nq2,r2,2\nq3,r2,3\n", False),
        ("id,answer,a\nq1,red,1\nq2,sea blue,2\nq3,tan,3\n", "id,answer,a\nq1,red,1\nq2,sea,2\nq3,tan,3\n", False),
        (*(f"row,request_id,a\n{''.join(f'{i},{s}{i},{i}{chr(10)}' for i in range(6))}" for s in "xy"), False),
        ("hybrid,a\n0.15,1\n0.25,2\n0.5,3\n", "hybrid,a\n0.35,1\n0.25,2\n0.75,3\n", False),
        ("id,user_id,a\nq1,x1,1\nq2,x2,2\n", "id,user_id,a\nq1,x2,1\nq2,x1,2\n", False),
        ("id,a\nq1,1\nq2,2\n", "name,a\nq2,1\nq1,2\n", False),
        ("answer,a\nred,1\nsea blue,2\ntan,3\n", "answer,a\nred,1\nsea,2\ntan,3\n", False),
        # ids that no two files share, with nothing else to go by
        ("id,a\nx1,1\nx2,2\nx3,3\n", "id,a\ny1,1\ny2,2\ny3,3\n", True),
        # the index of rows agrees in any files
        ("row,id,a\n1,x,1\n2,y,2\n3,z,3\n4,u,4\n5,v,5\n", "row,id,a\n1,y,1\n2,x,2\n3,z,3\n4,u,4\n5,v,5\n", True),
        ("text,a\nan owl,1\na cat,2\na dog,3\n", "text,a\na cat,1\nan owl,2\na cow,3\n", True),
        ("code,a\nx1,1\nx2,2\nx3,3\n", "code,a\nx1,1\nx2,2\nx9,3\n", True),
    ],
)
def test_files_whose_items_differ_are_not_joined_by_position(first, second, refused):
    choice = Reading(key="a")
    parts = [tables.parse(text, name) for text, name in ((first, "A"), (second, "B"))]
    if refused:
        with pytest.raises(ExactPermError, match="rows in the same position are different items"):
            select(parts, (2,), "scores", choice)
    else:
        assert select(parts, (2,), "scores", choice).names == ("A: a", "B: a")
