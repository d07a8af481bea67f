"""Single stages of the way from a file to an answer: what no table of files reaches."""

import io
import json
import pickle
from fractions import Fraction
from types import SimpleNamespace

import pytest

from exactperm import fast_permutation_test, sign_flip_test
from exactperm.budget import Budget
from exactperm.errors import BudgetExceeded, ExactPermError, WrongType
from exactperm.files import (
    answer,
    leaderboards,
    saving,
    sources,
    table,
)
from exactperm.files.question import question, systems
from exactperm.files.reading import Reading
from exactperm.files.table import Ask


def asked(text, statistic="difference", **settings):
    return question([("f", text.encode())], statistic, Reading.of(settings))


def refused(function, *words, **more):
    with pytest.raises(ExactPermError) as caught:
        function(*words, **more)
    return caught.value


def test_what_is_asked_survives_a_process():
    error = refused(asked, "i,w,u,v\na,1,2,3\n")
    copy = pickle.loads(pickle.dumps(error))
    assert isinstance(copy, Ask)
    assert (str(copy), copy.code, copy.listing) == (str(error), error.code, error.listing)


def test_many_different_numbers_with_missing_ones_and_words():
    cells = [f"{i}.5" for i in range(1200)]
    read = table.read([*cells, "NA", "", "null"])
    assert read == [*cells, "", "", ""]
    odd = table.read([*cells, "true", "x"])
    assert odd[1200:] == ["1", None]


@pytest.mark.parametrize(
    "settings",
    [{"id": "a", "by": "row"}, {"runs": "items", "groups": "g"}, {"columns": "a,,b"}],
)
def test_settings_that_cannot_be(settings):
    error = refused(lambda: Reading.of(settings).words)
    assert error.code == "settings"


def test_standard_input_folders_and_sizes(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    (tmp_path / "big").write_text("12345")
    (tmp_path / "empty").mkdir()
    for path, most, code in (
        ("-", 9, "unreadable"),
        (str(tmp_path / "big"), 4, "size"),
        ("a\0b", 9, "unreadable"),
        (str(tmp_path / "none"), 9, "unreadable"),
        (str(tmp_path / "empty"), 9, "unreadable"),
        (str(tmp_path), 9, "unreadable"),
    ):
        assert refused(sources.read_files, [path], most).code == code
    assert sources.read_files([str(tmp_path / "big")])[0][1] == b"12345"


@pytest.mark.parametrize(
    ("data", "encoding", "code"),
    [(b"\xe9", None, "encoding"), (b"a", "none", "encoding"), (b"a", "a\0", "encoding")],
)
def test_bytes_of_no_text(data, encoding, code):
    error = refused(sources.decoded, data, "f", encoding)
    assert (error.code, error.argument) == (code, "encoding")
    assert sources.decoded(b"\xe9\r\r\n", "f", "cp1252") == "\u00e9\n\n"
    assert sources.decoded("\u00e9".encode("utf-16"), "f") == "\u00e9"


def test_runs_without_ids_in_a_known_log():
    log = '{"eval":{},"samples":[{"id":%d,"epoch":1,"scores":{"m":{"value":%d}}}]}'
    contents = [(name, (log % (1, i)).encode()) for i, name in enumerate("ab")]
    reading = Reading.of({"runs": "within", "columns": "m", "by": "row"})
    assert refused(question, contents, "mean", reading).code == "id"


def test_a_bundle_with_vectors_and_without(monkeypatch):
    files = {"exactperm/a.py": b"1", "exactperm/testing/vectors.zip": b"2"}
    monkeypatch.setattr(saving, "package_files", lambda: files)
    assert len(saving.bundle()) < len(saving.bundle(vectors=True))


def test_records_that_are_none():
    for text in (
        "{",
        "3",
        "{}",
        '{"claim": "claimed"}',
    ):
        assert refused(answer.read_record, text, "f").code == "record"
    record = sign_flip_test({1: 40, 3: 1}).to_dict()
    assert answer.read_record(json.dumps(record), "f") == record
    assert "pvalue_decimal" in answer.recounted({**record, "pvalue_decimal": "0.1"}, budget=None)
    assert answer.recounted({**record, "pvalue_decimal": 3}, budget=None)
    assert answer.recounted({**record, "pvalue": "x"}, budget=None)
    half = fast_permutation_test(["0.5", 1], [0, 0])
    assert answer.recounted({**half.to_dict(), "midp": "1"}, budget=None).startswith("midp is ")


def test_a_refused_recount_is_no_contradiction(monkeypatch):
    def refuse(budget):
        raise BudgetExceeded("counting")

    monkeypatch.setattr(answer, "recorded", lambda _record: SimpleNamespace(recount=refuse))
    with pytest.raises(BudgetExceeded):
        answer.recounted({}, budget=Budget())


def test_binary_files_are_no_text_in_any_encoding():
    png = b"\x89PNG\r\n\x1a\n\x00\x01"
    for data in (png, b"PK\x03\x04", b"\x1f\x8b\x08\x00", b"u,v\n1,\x00\n", b"PAR1\x15\x04"):
        for encoding in (None, "cp1252"):
            error = refused(sources.decoded, data, "f", encoding)
            assert (error.code, error.argument, error.cure.settings) == ("encoding", "", {})


def test_long_cells_are_cut_where_they_are_read_back():
    back = asked("i,u,v\n" + "x" * 10**5 + ",1,2\ny,1,3\n", columns="u,v").source
    assert back.ends[0].id == "x" * 10**5
    assert max(len(text) for _title, text in back.back()) < 100


def test_files_of_two_forms_say_how_each_was_read():
    files = [("f.csv", b"q,s\na,1\nb,2\n"), ("g.jsonl", b'{"q":"b","s":3}\n{"q":"a","s":4}')]
    said = question(files, "difference", Reading.of({"columns": "s", "id": "q"})).source.rows()
    assert [row for row in said if ": " in row[1]] == [
        ("header", "f.csv: line 1"),
        ("format", "g.jsonl: JSON"),
    ]


def test_runs_that_lack_an_item_are_no_total():
    rows = "".join(f"{q},{s},1\n" for q in "abcdefg" for s in "AB") + "a,A,2\n"
    known = {"system": "s", "score": "x", "id": "q", "runs": "within"}
    assert asked(f"q,s,x\n{rows}", "mean", **known).u[:2] == [["1", "2"], ["1"]]


def test_values_of_settings_names_of_systems_and_input(monkeypatch, tmp_path):
    with pytest.raises(WrongType, match="id is 3"):
        Reading.of({"id": 3})
    contents = [("f", b"u,v\n1,2\n1,2\n")]
    assert refused(systems, contents, Reading(), most=1).code == "systems"
    text = SimpleNamespace(buffer=io.BytesIO(b"u,v"))
    monkeypatch.setattr("sys.stdin", text)
    assert sources.read_files(["-"]) == [("standard input", b"u,v")]
    saving.folder(str(tmp_path / "a" / "b"))
    assert (tmp_path / "a" / "b").is_dir()
    refused(saving.folder, "a\0b")


def test_an_item_has_one_label_in_all_files():
    files = [("f", b"id,doc,s\nq,d,1\nr,d,2\n"), ("g", b"id,doc,s\nq,d,3\nr,e,1\n")]
    settings = Reading.of({"columns": "s", "id": "id", "groups": "doc"})
    error = refused(question, files, "difference", settings)
    assert (error.code, "it is 'd' in another row" in str(error)) == ("groups", True)


def test_one_column_of_each_file_and_lines_that_no_tool_wrote():
    contents = [("f", b"i,u\na,1\nb,2\n"), ("g", b"i,v\nb,1\na,3\n")]
    assert question(contents, "difference", Reading.of({"columns": "u,v", "id": "i"})).v == [
        "3",
        "1",
    ]
    assert refused(asked, "map\tall\t0.5\nmap\tq1\t0.5\nndcg\tq1\t1\n").code == "header"


def test_a_small_share_in_a_cell_of_a_picture():
    row = SimpleNamespace(adjusted=Fraction(1, 3000))
    assert leaderboards._thousandths(row) == "<.001"
