"""Opening files: which are tables, which JSON records, and their hashes."""

import hashlib

import pytest

from exactperm.errors import ExactPermError
from exactperm.files import sources
from exactperm.files.reading import Reading


def sheet(text, name="f.csv", choice=None):
    (found,), _choice = sources.tables_of(
        [(name, text.encode())], Reading() if choice is None else choice
    )
    return found


RECORDS = '{"u": 1, "v": 2, "g": "x"}\n'


@pytest.mark.parametrize(
    ("text", "name"),
    [(RECORDS, "standard input"), (f"\n [ {RECORDS}]", "f.txt"), (f" {RECORDS}", "F.JSON")],
)
def test_records(text, name):
    found = sheet(text, name)
    assert (found.header, found.rows, found.keyed) == (("u", "v", "g"), [["1", "2", "x"]], True)


def test_an_ending_says_records_and_a_delimiter_a_table():
    for ending in ("json", "jsonl", "ndjson"):
        with pytest.raises(ExactPermError, match=r"line 1: 'u' is no record|not JSON"):
            sheet("u,v\n1,2\n", f"f.{ending}")
    assert sheet("u,v\n1,2\n", "f.json", Reading(delimiter="comma")).keyed is False
    assert sheet("{a,b\n1,2\n", "f.txt").keyed is False


def test_files_are_read_as_their_texts(tmp_path):
    path = tmp_path / "f.csv"
    path.write_bytes(b"# 1|2\n")
    (found,), choice = sources.read_tables([str(path)], Reading(delimiter="|", comments="no"))
    assert choice == Reading(delimiter="|", comments="no")
    assert found.rows == [["# 1", "2"]]
    assert (found.name, found.sha256) == (str(path), hashlib.sha256(b"# 1|2\n").hexdigest())
    with pytest.raises(ExactPermError) as caught:
        sources.read_tables([str(path)], Reading())
    assert str(caught.value) == f"{path} is empty: it has no rows of data"
    with pytest.raises(ExactPermError, match="has more than 5 bytes"):
        sources.read_tables([str(path)], Reading(), most=5)


def test_records_have_decimal_points():
    decimals = [
        sheet(RECORDS, choice=Reading(key="u", decimal=decimal)).decimal
        for decimal in ("auto", "comma")
    ]
    assert decimals == ["point", "comma"]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"u,v\n1,2\n", None),
        (b'{"id": 1, "m": {"acc": 0.5}, "all": []}\n', ["id", "all", "m.acc"]),
        (b'{"doc_id": 3, "doc_hash": "x", "acc": 1.0, "metrics": ["acc"]}\n', ["acc", "doc_id"]),
    ],
)
def test_keys_that_may_hold_scores(content, found):
    assert sources.keys(content, "f") == found


def test_contents_are_read_like_files(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_bytes(b"u,v\n1,2\n")
    assert sources.tables_of([(str(path), path.read_bytes())], Reading()) == sources.read_tables(
        [str(path)], Reading()
    )
