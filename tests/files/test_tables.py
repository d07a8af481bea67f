"""Reading columns: detection of delimiter, header, encoding and decimal mark; errors that name the place."""

import codecs
import io
from types import SimpleNamespace

import pytest

from exactperm.errors import ExactPermError
from exactperm.files import header, tables


def cells(text, delimiter="auto"):
    return [row for _line, row in tables.parse(text, "f.csv", delimiter).rows]


# --------------------------------------------------------------------------------------------- rows


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        pytest.param("1,2\n3,4\n", [["1", "2"], ["3", "4"]], id="commas"),
        pytest.param(
            "1, 2\n3 ,4", [["1", "2"], ["3", "4"]], id="commas and blanks, no final line end"
        ),
        pytest.param("1;2\n3;4\n", [["1", "2"], ["3", "4"]], id="semicolons"),
        pytest.param(
            "0,1;0,2\n0,3;0,4\n",
            [["0,1", "0,2"], ["0,3", "0,4"]],
            id="semicolons with decimal commas",
        ),
        pytest.param(
            "0,1\t0,2\n3\t4\n", [["0,1", "0,2"], ["3", "4"]], id="tabs with decimal commas"
        ),
        pytest.param("12 10\n 7   8 \n", [["12", "10"], ["7", "8"]], id="runs of blanks"),
        pytest.param(
            '12 "\n10 \t 7 \t\n', [["12", '"'], ["10", "7"]], id="quotes and tabs among blanks"
        ),
        pytest.param("1\n2\n3\n", [["1"], ["2"], ["3"]], id="one column"),
        pytest.param(
            "my score\n1\n2\n", [["my score"], ["1"], ["2"]], id="one column, a header with a blank"
        ),
        pytest.param(
            "a; b,1\nc,2\nd,3\n",
            [["a; b", "1"], ["c", "2"], ["d", "3"]],
            id="a semicolon inside some cells",
        ),
        pytest.param(
            '"a; b",1\n"c; d",2\n',
            [["a; b", "1"], ["c; d", "2"]],
            id="a semicolon in every quoted cell",
        ),
        pytest.param(
            '"my score"\n"1"\n"2"\n', [["my score"], ["1"], ["2"]], id="one quoted column"
        ),
        pytest.param(
            "a; b\nc; d\ne\nf\n",
            [["a; b"], ["c; d"], ["e"], ["f"]],
            id="a semicolon in half of the rows",
        ),
        pytest.param("X1\nX2\n", [["X1"], ["X2"]], id="a letter is no delimiter"),
        pytest.param(
            "u,v\n1,2,\n3,4,\n",
            [["u", "v"], ["1", "2"], ["3", "4"]],
            id="trailing delimiter below the header",
        ),
        pytest.param("1,2,\n3,4,\n", [["1", "2"], ["3", "4"]], id="trailing delimiter everywhere"),
        pytest.param("1,\n2,\n", [["1"], ["2"]], id="one column and a trailing delimiter"),
        pytest.param('""\n1\n', [[""], ["1"]], id="an empty cell is no trailing delimiter"),
        pytest.param(
            "1,,3\n4,5,6\n", [["1", "", "3"], ["4", "5", "6"]], id="an empty cell inside a row"
        ),
        pytest.param('1, "a, b"\n3, 4\n', [["1", "a, b"], ["3", "4"]], id="quotes after a blank"),
        pytest.param(
            "1,2\n3,\n", [["1", "2"], ["3", ""]], id="a missing last cell is no trailing delimiter"
        ),
        pytest.param('"1","2"\n"a ""b""",4\n', [["1", "2"], ['a "b"', "4"]], id="quotes"),
        pytest.param(
            '"a\n# b\n\nc",2\n3,4\n',
            [["a\n# b\n\nc", "2"], ["3", "4"]],
            id="line ends inside quotes",
        ),
        pytest.param(
            "# it's \"odd\n\n1,2\n  \n # x\n3,4\n\n",
            [["1", "2"], ["3", "4"]],
            id="comments and blank lines",
        ),
        pytest.param(
            "# 1 2\n\n1 2\n", [["1", "2"]], id="comments and blank lines, blanks as delimiter"
        ),
    ],
)
def test_rows(text, rows):
    assert cells(text) == rows


def test_lines_are_those_of_the_file():
    sheet = tables.parse('# comment\n\n1,"a\nb"\n\n2,c\n')
    assert [line for line, _row in sheet.rows] == [3, 6]


def test_a_thousand_columns():
    row = ",".join(map(str, range(5000)))
    assert len(tables.parse(f"{row}\n{row}\n").rows[0][1]) == 5000


@pytest.mark.parametrize(
    ("name", "mark"),
    [("|", "|"), ("X", "X"), ("comma", ","), ("semicolon", ";"), ("tab", "\t"), ("space", " ")],
)
def test_given_delimiter(name, mark):
    assert cells(f"1{mark}2\n", name) == [["1", "2"]]


@pytest.mark.parametrize("delimiter", ["", "ab", '"', "#", "\n"])
def test_bad_delimiter(delimiter):
    with pytest.raises(ExactPermError) as caught:
        tables.parse("1,2\n", delimiter=delimiter)
    assert str(caught.value) == (
        f"the delimiter is {delimiter!r}: it must be one character or one of comma, semicolon, tab, space"
    )


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "  \n"])
def test_empty(text):
    with pytest.raises(ExactPermError, match=r"^f\.csv is empty: it has no rows of data$"):
        tables.parse(text, "f.csv")
    with pytest.raises(ExactPermError, match=r"^the text is empty: "):
        tables.parse(text)


@pytest.mark.parametrize(
    ("text", "message", "delimiter"),
    [
        ("1,2\n3,4\n5,6,7\n", "f.csv, line 3: 3 cells, but line 1 has 2: '5 | 6 | 7'", "comma"),
        ("1,2\n3,,5\n", "f.csv, line 2: 3 cells, but line 1 has 2: '3 |  | 5'", "comma"),
        ("1,2\n3,4,,\n", "f.csv, line 2: 4 cells, but line 1 has 2: '3 | 4 |  | '", "comma"),
        ("\n1 2\n3 4\n5\n", "f.csv, line 4: 1 cell, but line 2 has 2: '5'", "space"),
    ],
)
def test_ragged_rows(text, message, delimiter):
    """Where the delimiter was detected, the message says so: one decimal comma in a column is enough to be wrong."""
    with pytest.raises(ExactPermError) as caught:
        tables.parse(text, "f.csv")
    more = "; a text with a comma needs quotes, decimal commas need semicolons between cells"
    more = more if delimiter == "comma" else ""
    detected = f"; cells are separated by {delimiter} here"
    assert str(caught.value) == f"{message}{detected}{more}"
    with pytest.raises(ExactPermError) as caught:
        tables.parse(text, "f.csv", delimiter)
    assert str(caught.value) == f"{message}{more}"


@pytest.mark.parametrize("delimiter", ["comma", "|"])
def test_bad_quotes(delimiter):
    with pytest.raises(ExactPermError, match=r"f\.csv, line 2: not ('\|'|comma)-separated text \("):
        tables.parse('1,2\n"3"x,4\n', "f.csv", delimiter)


# -------------------------------------------------------------------------------------------- bytes


@pytest.mark.parametrize(
    "data",
    [
        "ü,v\r\n1,2\r\n".encode(),
        codecs.BOM_UTF8 + "ü,v\n1,2\n".encode(),
        codecs.BOM_UTF16_LE + "ü,v\r1,2\r".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "ü,v\r\n1,2".encode("utf-16-be"),
    ],
    ids=["windows line ends", "utf-8 mark", "utf-16-le, old mac line ends", "utf-16-be"],
)
def test_encodings(data):
    assert [row for _line, row in tables.parse(tables.decoded(data, "f")).rows] == [
        ["ü", "v"],
        ["1", "2"],
    ]


def test_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"1 2\n")))
    assert tables.read_text("-") == ("standard input", "1 2\n")
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(ExactPermError, match=r"^cannot read standard input: it is closed$"):
        tables.read_text("-")


ZERO = "not text (a zero byte); UTF-16 needs its byte-order mark"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"1,2\n3,\xff\n\xff", "f, line 2: not utf-8 text"),
        (codecs.BOM_UTF8 + b"\n\n\xff", "f, line 3: not utf-8 text"),
        (b"1\r2\r\n\xff", "f, line 3: not utf-8 text"),
        (codecs.BOM_UTF16_LE + b"1", "f, line 1: not utf-16-le text"),
        (
            codecs.BOM_UTF16_BE + "\u0a0a\n1\n".encode("utf-16-be") + b"1",
            "f, line 3: not utf-16-be text",
        ),
        (b"\n\n1,2\n\0,3\n\0", f"f, line 4: {ZERO}"),
        (b"1\r\0", f"f, line 2: {ZERO}"),
        (b"PK\3\4\0", "f is no text but a spreadsheet or an archive: save its table as CSV"),
    ],
)
def test_not_text(data, message):
    """Decoders add their reason in words of their own."""
    with pytest.raises(ExactPermError) as caught:
        tables.decoded(data, "f")
    text = str(caught.value)
    assert text == message or (text.startswith(f"{message} (") and not message.endswith(ZERO))


@pytest.mark.parametrize(
    ("path", "message"),
    [("missing", "cannot read .*missing: No such file"), ("", "cannot read"), ("a\0b", "null")],
)
def test_unreadable(tmp_path, path, message):
    with pytest.raises(ExactPermError, match=message):
        tables.read_text(str(tmp_path / path))


def test_comments_count_only_where_they_may_be():
    assert cells("# a\nb\n") == [["b"]]
    assert tables.parse("# a\nb\n", delimiter="tab", comments=False).rows == [
        (1, ["# a"]),
        (2, ["b"]),
    ]


def test_lines_left_out_are_kept_in_mind():
    sheet = tables.parse('\n# a\n1,"x\n\n# no comment"\n\n #b\n2,y\n\n')
    assert ([line for line, _text in sheet.left_out], sheet.blanks) == ([2, 7], (6,))
    sheet = tables.parse("# a\n\nb c\n", delimiter="space", comments=False)
    assert ([line for line, _text in sheet.left_out], sheet.blanks) == ([], (2,))


# ------------------------------------------------------------------------------------------- limits


@pytest.mark.parametrize("size", [1, 2**20 - 1, 2**20, 2**20 + 1])
def test_no_more_is_read_than_allowed(tmp_path, monkeypatch, size):
    path = tmp_path / "f"
    path.write_bytes(b"1" * size)
    assert tables.read_text(str(path), size) == (str(path), "1" * size)
    with pytest.raises(ExactPermError) as caught:
        tables.read_text(str(path), size - 1)
    assert str(caught.value) == (f"{path} has more than {size - 1} bytes")


def test_endless_input_is_left(monkeypatch):
    pieces = []

    def read(size):
        pieces.append(size)
        return b"1" * size

    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=SimpleNamespace(read=read)))
    with pytest.raises(ExactPermError, match=r"^standard input has more than 5000000 bytes"):
        tables.read_text("-", 5_000_000)
    assert sum(pieces) == 5_000_001
    assert max(pieces) == 2**20


@pytest.mark.parametrize(
    ("below", "outside"), [(["1", "2.5"], True), (["1990", "3000"], False), (["1", "n/a"], False)]
)
def test_a_first_row_of_numbers_is_outside_of_those_below(below, outside):
    assert header._outside([2019, 2020], below) is outside
