"""Tables of known forms: long tables, trec_eval, comet-score; what is refused of them."""

import pytest

from exactperm.errors import ExactPermError
from exactperm.files import answer, formats
from exactperm.files.reading import Reading
from exactperm.files.sources import tables_of

LONG = "q,sys,f1,bleu,doc\nq1,A,0.5,1,d\nq1,B,0.6,2,d\nq2,A,0.7,3,e\nq2,B,0.1,4,e\n"


def asked(*texts, **reading):
    contents = [(f"{name}.txt", text.encode()) for name, text in zip("ab", texts)]
    tables, found = tables_of(contents, Reading.of(reading))
    return answer.question(tables, "difference", found)


def refusal(*texts, **reading):
    with pytest.raises(ExactPermError) as caught:
        asked(*texts, **reading)
    cure = caught.value.cure
    return caught.value.code, {} if cure is None else cure.settings


def test_a_long_table_becomes_one_row_per_item():
    found = asked(LONG, system="sys", score="f1", columns="A,B", groups="doc")
    assert (found.u, found.v, found.groups) == (["0.5", "0.7"], ["0.6", "0.1"], ["d", "e"])
    assert asked(LONG, system="2", score="4", id="1", columns="B,A").u == ["2", "4"]


@pytest.mark.parametrize(
    ("text", "reading", "code", "settings"),
    [
        (LONG, {}, "long-table", {"system": "sys", "id": "q", "score": "f1"}),
        (LONG, {"system": "sys"}, "long-columns", {"score": "f1"}),
        (LONG, {"system": "nobody"}, "column", {}),
        (LONG.replace(",A,", ",,"), {"system": "sys", "score": "f1"}, "long-columns", {}),
        ("a,sys\nx,A\nx,B\n", {"system": "sys"}, "long-columns", {}),
        ("t,sys,f1\n1,A,0.5\n1,A,0.6\n", {"system": "sys"}, "long-columns", {}),
        ("t,sys,f1\n1,A,0.5\n1,A,0.6\n", {"system": "sys", "id": "t"}, "repeated", {}),
        ("sys,f1\nA,0.5\nA,0.25\nB,0.6\nB,0.1\n", {}, "long-table", {"system": "sys"}),
    ],
)
def test_what_is_no_long_table(text, reading, code, settings):
    assert refusal(text, **reading) == (code, settings)


ROWS = "A,17,.5,d\nB,17,.6,d\nA,3,.7,e\nB,3,.1,e\n"


def test_a_number_is_a_column_of_the_file_and_never_of_the_wide_table():
    chosen = {"system": "1", "id": "2", "score": "3", "groups": "4"}
    found = asked(ROWS, **chosen)
    assert (found.u, found.v, found.groups) == ([".5", ".7"], [".6", ".1"], ["d", "e"])
    assert len(found.source.files[0].sha256) == 64
    assert refusal(ROWS, **chosen, columns="2,3") == ("column", {})
    assert refusal(ROWS.replace(",e\nB", ",d\nB"), **chosen) == ("long-columns", {})
    assert refusal(ROWS, **{**chosen, "groups": "1"}) == ("long-columns", {})
    assert asked(ROWS.replace("A,", "1,").replace("B,", "2,"), **chosen, columns="2,1").u == [
        ".6",
        ".1",
    ]


def test_two_long_files_have_the_same_columns():
    texts = "sys,q,f\nA,1,.5\nA,2,.6\n", "q,sys,f\n1,B,.5\n2,B,.7\n"
    assert asked(*texts, system="sys", id="q", score="f").v == [".5", ".7"]
    assert refusal(texts[0], texts[0].replace("A", "B").replace("q", "k"), system="1", id="2") == (
        "long-columns",
        {},
    )


def test_records_of_a_long_form_stay_records():
    text = "".join(f'{{"q": {q}, "sys": "{name}", "f1": 0.{q}}}\n' for q in (1, 2) for name in "AB")
    found = asked(text, system="sys", id="q")
    assert (found.source.files[0].records, found.u) == (True, ["0.1", "0.2"])


def test_tables_of_other_shapes_are_not_long():
    for text in (
        "id,A\nq1,1\nq2,2\n",
        "sys,A\nx,1\ny,2\n",
        "sys,text\nA,a\nA,b\nB,c\nB,d\n",
        "sys,f1\nA,1\nA,2\nA,3\nB,4\n",
    ):
        (table,), _reading = tables_of([("f", text.encode())], Reading())
        assert formats.is_long(table) is None


TREC = "runid\tall\tx\nmap\tq1\t0.5\nP_10\tq1\t0.1\nmap\tq2\t0.25\nP_10\tq2\t0.3\nmap\tall\t0.375\nP_10\tall\t0.2\n"


def test_values_of_queries():
    found = asked(TREC, TREC.replace("0.5", "0.75"), key="map", id="query")
    assert (found.u, found.v, found.source.files[0].tool) == (
        ["0.5", "0.25"],
        ["0.75", "0.25"],
        "trec_eval, one row per query",
    )
    assert refusal("map\tall\t0.5\nP_10\tall\t0.1\n") == ("totals", {})
    assert refusal(TREC, TREC)[0] == "columns"
    with pytest.raises(ExactPermError, match="query 'q1' has a second value of 'map'"):
        asked(TREC + "map\tq1\t0.1\n")


def test_other_texts_are_no_tool():
    lines = ["Segment", "a b c", ""]
    assert formats.written_by_a_tool(lines, "f") is None
    assert formats.written_by_a_tool(["map q1 0.5", "words of a text that", "go on"], "f") is None
    assert formats.written_by_a_tool(["A q1 0.5", "B q1 0.25"], "f") is None
    assert formats.written_by_a_tool(["map q1 0.5"], "f") is None
    assert formats.written_by_a_tool(["x\tSegment 1\tscore: 0.5", "x"], "f") is None
