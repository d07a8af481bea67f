"""Choosing columns: header, decimal mark, several files, ids, missing cells; errors that name the place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.errors import ExactPermError
from exactperm.files import tables
from exactperm.files.cells import is_name
from exactperm.files.selection import select
from tests.files import tabled


def cells(text, delimiter="auto"):
    return [row for _line, row in tables.parse(text, "f.csv", delimiter).rows]


def chosen(text, allowed=(1, 2), kind="scores", **choice):
    return tabled.chosen(text, allowed, kind, **choice)


def refusal(text, **choice):
    with pytest.raises(ExactPermError) as caught:
        chosen(text, **choice)
    return str(caught.value)


# ------------------------------------------------------------------------------------------ columns


def test_header_and_names():
    data = chosen("id,u,v,doc\na,1,2,x\nb,3,4,x\n", columns="v,u", groups="doc")
    assert (data.names, data.columns, data.labels, data.parts[0].table.header_line) == (
        ("v", "u"),
        [["2", "4"], ["1", "3"]],
        ["x", "x"],
        1,
    )


def test_numbers_of_columns_need_no_header():
    data = chosen("a,1,2\nb,3,4\n", columns="3,2")
    assert (data.names, data.columns, data.parts[0].table.header_line) == (
        ("column 3", "column 2"),
        [["2", "4"], ["1", "3"]],
        None,
    )


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


@pytest.mark.parametrize("cell", ["\N{MINUS SIGN}1", "50%"])
def test_a_number_in_other_signs_is_never_lost_as_a_header(cell):
    message = refusal(f"{cell}\n1\n2\n")
    assert "f.csv, line 1, column 1: " in message
    assert "header" not in message


def test_a_decimal_comma_in_the_first_row_is_a_number():
    assert chosen("0,5;0,6\n").parts[0].table.header_line is None


def test_decimal_commas():
    assert chosen("u;v\n0,930;1\n-,5;1,5e2\n").columns == [["0.930", "-.5"], ["1", "1.5e2"]]


@pytest.mark.parametrize("text", ["0,5;1\n0.5;1\n", "0.5;1\n1;0,5\n", "1.234,5;1\n"])
def test_two_decimal_marks_in_one_file(text):
    """Else a thousands separator would silently be read as a decimal mark."""
    assert "decimal points and decimal commas in one file" in refusal(text)


def test_the_other_mark_in_a_column_that_is_not_read_does_no_harm():
    assert chosen("0,5;1.5\n", columns="1").columns == [["0.5"]]


NO_NUMBER = "not a finite number such as '0.93', '3/7' or '1e-3'"


def test_counts_and_numbered_items_are_not_doubted():
    counts = "3,1,2,4\n5,2,1,1\n"
    assert len(chosen(counts, kind="counts", allowed=(4,)).columns) == 4
    assert "'column 1' seems to number the items" in refusal(
        "".join(f"{i},{i % 2}\n" for i in range(6))
    )


@pytest.mark.parametrize(
    "text",
    [
        "u,v\n1,2\n",
        "1, 2\n3, 4\n",
        "1,2\n3,-4\n",
        "0.5,0.6\n",
        "1,2\n0.5,3\n",
        '"1","2"\n',
        "0,930.5\n",
    ],
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
    sheet = tabled.table(text, "f.csv", decimal="comma")
    assert select([sheet], (1, 2), "u, v").columns == columns


def test_one_fraction_shows_that_the_comma_is_decimal():
    assert chosen("1,234;0,5\n").columns == [["1.234"], ["0.5"]]
    sheet = tabled.table("1,234;1\n", decimal="comma")
    assert select([sheet], (2,), "u, v").columns == [["1.234"], ["1"]]


def test_other_white_space_is_no_delimiter():
    """1 234 with a no-break space is one number with a separator of thousands: no score, but not two columns."""
    assert "is no score" in refusal("1\u00a0234\n2\u202f345\n")
    assert cells("1 2\t3\n") == [["1 2", "3"]]


@pytest.mark.parametrize("word", ["NA", "nan", "NULL", "None", "n/a", "<NA>", "NaT"])
def test_missing_labels_make_no_group(word):
    assert (
        refusal(f"1;x\n2;{word}\n", groups="2")
        == f"f.csv, line 2, column 2: the group is missing ({word})"
    )
    assert chosen(f"x;{word}\n", kind="labels").columns == [["x"], [word]]


@pytest.mark.parametrize(
    "word", ["#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"]
)
def test_errors_of_spreadsheets_are_no_comments(word):
    what = "marks a missing score" if word == "#N/A" else "is no score"
    assert f"f.csv, line 2, column 1: '{word}' {what}" in refusal(f"1;2\n{word};3\n4;5\n")


# --------------------------------------------------------------------------------------- round trip

NUMBERS = st.decimals(
    allow_nan=False, allow_infinity=False, places=4, min_value=-(10**6), max_value=10**6
).map(str)


# ------------------------------------------------------------------------------------ several files


def joined(*texts, allowed=(2,), kind="scores", **choice):
    return tabled.joined(texts, allowed, kind, **choice)


def join_refusal(*texts, **choice):
    with pytest.raises(ExactPermError) as caught:
        joined(*texts, **choice)
    return str(caught.value)


A = '{"id": 1, "acc": 0.5}\n{"id": "q", "acc": true}\n'
B = '{"id": "q", "acc": 0}\n{"id": "1", "acc": null}\n'


def test_blank_lines_in_the_same_places_do_no_harm():
    data = joined("1\n\n\n2\n#\n\n3\n", "\nu\n\n4\n\n5\n\n6\n\n")
    assert data.columns == [["1", "2", "3"], ["4", "5", "6"]]


def test_files_are_joined_by_ids():
    """Each file has its own delimiter and decimal mark."""
    data = joined("i;u\nx;1\ny;2,5\n", "u,i\n3.5,y\n4,x\n", id="i")
    assert (data.names, data.columns) == (("a: u", "b: u"), [["1", "2.5"], ["4", "3.5"]])


def test_groups_of_several_files_must_agree():
    first, second = "i,u,g\nx,1,d\ny,2,e\n", "i,u,g\ny,3,e\nx,4,d\n"
    assert joined(first, second, id="i", groups="g").labels == ["d", "e"]
    assert join_refusal(first, second.replace("4,d", "4,e"), id="i", groups="g") == (
        "b, line 3, column 3 (g), id 'x': the group is not 'd', as in a, line 2"
    )


# ------------------------------------------------------------------------------------ missing cells


def test_only_empty_labels_are_missing():
    text = "NA;a;b\n;a;b\nb;a;a\n"
    data = chosen(text, allowed=(3,), kind="labels", missing="drop")
    assert (data.columns, data.dropped) == ([["NA", "b"], ["a", "a"], ["b", "a"]], 1)


def test_groups_are_never_left_out():
    text = "u;g\n1;a\n;b\n3;\n"
    assert (
        refusal(text, groups="g", missing="drop")
        == "f.csv, line 4, column 2 (g): the group is missing"
    )
    assert chosen(text.replace("3;", "3;c"), groups="g", missing="drop").labels == ["a", "c"]


# ---------------------------------------------------------------------------------- words as scores


# -------------------------------------------------------------------------------- headers of labels


def test_a_row_of_names_that_never_recur_is_a_header():
    text = "gold,u,v\nN,N,V\nV,N,V\n"
    for choice in ({}, {"header": "yes"}):
        data = chosen(text, allowed=(3,), kind="labels", **choice)
        assert (data.names, data.columns[0], data.parts[0].table.header_line) == (
            ("gold", "u", "v"),
            ["N", "V"],
            1,
        )
    assert chosen(text, allowed=(3,), kind="labels", header="no").columns[0] == ["gold", "N", "V"]


@pytest.mark.parametrize(
    "text", ["N,N,V\nV,V,V\n", "N,V,D\nN,V,D\n", "17,3,5\n2,2,2\n1,2,1\n", "N,N,N\nV,V,V\n"]
)
def test_rows_of_labels_that_recur_or_are_numbers_are_data(text):
    data = chosen(text, allowed=(3,), kind="labels")
    assert (len(data.columns[0]), data.parts[0].table.header_line) == (text.count("\n"), None)


# --------------------------------------------------------------------------------- joins round trip


@given(
    st.permutations(range(6)), st.lists(NUMBERS, min_size=12, max_size=12), st.booleans(), st.data()
)
def test_every_join_reads_back(order, scores, records, data):
    """The order of the second file, its format and the dropped pairs change nothing else."""
    u, v = scores[:6], scores[6:]
    gone = data.draw(st.sets(st.sampled_from(range(6)), max_size=5))
    u = ["NA" if i in gone and i % 2 else x for i, x in enumerate(u)]
    v = ["NA" if i in gone and not i % 2 else x for i, x in enumerate(v)]
    first = "id\tacc\n" + "".join(f"q{i}\t{x}\n" for i, x in enumerate(u))
    if records:
        second = "".join(
            f'{{"id": "q{i}", "acc": {v[i] if v[i] != "NA" else "null"}}}\n' for i in order
        )
    else:
        second = "acc,id\n" + "".join(f"{v[i]},q{i}\n" for i in order)
    found = joined(first, second, id="id", key="acc", missing="drop")
    kept = [i for i in range(6) if i not in gone]
    assert (found.columns, found.dropped) == (
        [[u[i] for i in kept], [v[i] for i in kept]],
        len(gone),
    )
