"""Reading JSON records: lines, keys, numbers as written, and what is refused."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.errors import ExactPermError
from exactperm.files import jsonl


def rows(text, *keys):
    """Return the lines and the cells under some keys."""
    table = jsonl.parse(text, "f.json")
    places = [table.header.index(key) for key in keys]
    return [(line, [cells[i] for i in places]) for line, cells in zip(table.lines, table.rows)]


def refusal(text, *keys):
    with pytest.raises(ExactPermError) as caught:
        rows(text, *keys)
    return str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        '{"u": 0.10, "v": 2}\n\n{"u": 1e2, "v": "x"}\n',
        '[{"u": 0.10, "v": 2},\n\n{"u": 1e2, "v": "x"}]\n',
        '  [\n{"u": 0.10,\n "v": 2}, {"u": 1e2, "v": "x"} ] ',
        '{"u": 0.10, "v": 2}{"v": "x", "u": 1e2}',
    ],
    ids=["lines", "a list", "a list over several lines", "no space between"],
)
def test_records_of_lists_and_lines(text):
    assert [cells for _line, cells in rows(text, "u", "v")] == [["0.10", "2"], ["1e2", "x"]]


def test_records_have_the_lines_where_they_start():
    assert [line for line, _cells in rows('\n{"u": 1}\n\n{"u":\n2} {"u": 3}\n{"u": 4}', "u")] == [
        2,
        4,
        5,
        6,
    ]
    assert [line for line, _cells in rows('[\n\n{"u": 1},\n{"u": 2}]', "u")] == [3, 4]


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("0.10", "0.10"),
        ("-1E-5", "-1E-5"),
        ("1" * 5000, "1" * 5000),
        ("0." + "1" * 400, "0." + "1" * 400),
        ("1e999999999", "1e999999999"),
        ("true", "true"),
        ("false", "false"),
        ("null", ""),
        ("NaN", "NaN"),
        ("-Infinity", "-Infinity"),
        ('"a\\nb"', "a\nb"),
        ('""', ""),
    ],
)
def test_cells_are_texts(value, cell):
    """No number passes through a binary float, and no long one meets the digits limit of integers."""
    assert rows(f'{{"u": {value}}}', "u") == [(1, [cell])]


def test_dotted_keys():
    text = '{"a": {"b": {"c": 1}, "x": 3}, "a.b": {"d": 4}}'
    assert rows(text, "a.x", "a.b.c", "a.b.d") == [(1, ["3", "1", "4"])]
    assert rows('{"u": 1, "a": 2}{"a": {"b": 3}}', "a.b") == [(1, [""]), (1, ["3"])]
    assert rows('{"a..b": 1, ".": {"": 2}, "l": [1, "x"]}', "a..b", "..", "l") == [
        (1, ["1", "2", '["1", "x"]'])
    ]
    for twice in ('{"a": {"b.c": 2, "b": {"c": 1}}}', '{"a.b.c": 2, "a": {"b": {"c": 1}}}'):
        assert refusal(twice) == "f.json, line 1: several values have the key 'a.b.c': rename one"


def test_an_absent_key_is_an_empty_cell():
    assert rows('{"u": 1}{"v": 2}', "u", "v") == [(1, ["1", ""]), (1, ["", "2"])]
    assert refusal("{}") == "f.json: the records have no keys"


@pytest.mark.parametrize(
    ("text", "header", "cells"),
    [
        ('{"a": [1, 0], "b": [0.5, true]}', ("a", "b"), [["1", "0.5"], ["0", "true"]]),
        (
            '{"a": {"x": 1, "y": 0}, "b": {"x": 2, "y": 3}}',
            ("index", "a", "b"),
            [["x", "1", "2"], ["y", "0", "3"]],
        ),
        (
            '{"columns": ["a"], "index": [7, 8], "data": [[1], [2]]}',
            ("index", "a"),
            [["7", "1"], ["8", "2"]],
        ),
        ('{"columns": ["a", "b"], "data": [[1, 2]]}', ("a", "b"), [["1", "2"]]),
    ],
)
def test_columns_as_data_frames_write_them(text, header, cells):
    table = jsonl.parse(text, "f")
    assert (table.header, table.rows) == (header, cells)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [1, 0], "b": [1]}',
        '{"a": [1, 0], "b": [[1], 2]}',
        '{"a": {"x": 1, "y": 0}, "b": {"y": 2, "x": 3}}',
        '{"a": {"x": 1, "y": [0]}, "b": {"x": 2, "y": 3}}',
        '{"a": {"x": 1}, "b": {"x": 2}}',
        '{"columns": ["a", "b"], "data": [[1]]}',
        '{"a": {"x": 1}, "b": 2}',
    ],
)
def test_one_record_that_is_no_columns(text):
    assert len(jsonl.parse(text, "f").rows) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f.json is empty: it has no records"),
        ("[ ]", "f.json is empty: it has no records"),
        ('{"u": 1}\n{"u": }\n', "f.json, line 2: not JSON: Expecting value"),
        (
            '{"u": 1}\n\n{"u": 1, "v": 2, "u": 3}',
            "f.json, line 3: not JSON: the key 'u' is repeated in one object",
        ),
        (
            '[{"u": 1} {"u": 2}]',
            "f.json, line 1: not JSON: a comma is missing between two records of a list",
        ),
        ('[{"u": 1},\n', "f.json: not JSON: the list of records has no end"),
        ('[{"u": 1}]\n[]', "f.json: not JSON: text follows the list of records"),
        (
            "[1, 2]",
            "f.json, line 1: '1' is no record: a record is an object such as "
            '{"id": 1, "acc": 0.5}; plain numbers are written one per line',
        ),
    ],
)
def test_what_is_no_record(text, message):
    assert refusal(text, "u") == message


@pytest.mark.parametrize("deep", [99, 100, 100_000])
@pytest.mark.parametrize("brackets", ["[]", '{"a": }'])
def test_deep_nesting_is_refused(deep, brackets):
    """Counted before parsing: some interpreters end where others raise an error."""
    text = (
        '{"u": "[[[\\\\"}\n{"u": "\\"", "x": '
        + brackets[:-1] * deep
        + "1"
        + brackets[-1] * deep
        + "}"
    )
    if deep < 100:
        assert rows(text, "u") == [(1, ["[[[\\"]), (2, ['"'])]
    else:
        assert refusal(text, "u") == "f.json: not JSON: more than 100 lists and objects are nested"
    quoted = json.dumps({"u": 1, "x": text})
    assert rows(quoted, "u") == [(1, ["1"])]


def test_many_keys():
    record = {f"k{i}": i for i in range(100_000)}
    assert rows(json.dumps(record), "k99999") == [(1, ["99999"])]
    text = json.dumps(record)[:-1] + ', "k5": 1}'
    assert refusal(text, "k5") == "f.json, line 1: not JSON: the key 'k5' is repeated in one object"


KEYS = st.text(st.characters(codec="utf-8", exclude_characters="."), min_size=1, max_size=3)
NUMBERS = st.decimals(allow_nan=False, allow_infinity=False)


@given(st.lists(NUMBERS, min_size=1), KEYS, KEYS, st.booleans(), st.sampled_from([None, 2]))
def test_every_number_reads_back(numbers, outer, inner, listed, indent):
    places = [f"<{i}>" for i in range(len(numbers))]
    records = [{"filler": [0.5, {}], outer: {inner: place}} for place in places]
    text = (
        json.dumps(records, indent=indent)
        if listed
        else "\n".join(json.dumps(r, indent=indent) for r in records)
    )
    for place, number in zip(places, numbers):
        text = text.replace(f'"{place}"', str(number).lower())
    read = rows(text, f"{outer}.{inner}")
    assert [Decimal(cell) for _line, (cell,) in read] == numbers
