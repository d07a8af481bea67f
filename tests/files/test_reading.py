"""The settings of reading: one table, one value, and what it refuses."""

import pickle

import pytest

from exactperm.errors import ExactPermError, WrongType
from exactperm.files.reading import FIELDS, Reading


def test_the_table_lists_every_field_once_with_its_default():
    assert sorted(field.name for field in FIELDS) == sorted(Reading._fields)
    assert {field.name: field.default for field in FIELDS} == Reading()._shown()
    assert all(field.help and bool(field.metavar) != bool(field.choices) for field in FIELDS)


def test_a_reading_is_a_key():
    reading = Reading.of({"columns": "a,b", "id": None, "decimals": 2})
    assert (reading, hash(reading)) == (
        Reading(columns="a,b", decimals=2),
        hash(Reading(columns="a,b", decimals=2)),
    )
    assert pickle.loads(pickle.dumps(reading)) == reading
    assert (reading.words, Reading(id="i", groups="g").others) == (["a", "b"], ["i", "g"])


@pytest.mark.parametrize(
    ("values", "kind", "message"),
    [
        ({"header": "maybe"}, ExactPermError, "header is 'maybe': it must be one of auto, yes, no"),
        ({"columns": 3}, WrongType, "columns is 3: it must be text"),
        ({"decimals": -1}, ExactPermError, "decimals is -1: it must be between 0 and 100"),
        ({"decimals": "2"}, WrongType, "decimals is '2': it must be an int"),
    ],
)
def test_values_that_are_no_reading(values, kind, message):
    with pytest.raises(kind) as caught:
        Reading.of(values)
    assert str(caught.value) == message


def test_columns_or_a_key():
    with pytest.raises(
        ExactPermError,
        match=r"^key and columns exclude each other: columns lists one column or more$",
    ):
        Reading(key="a", columns="b").words  # noqa: B018
    with pytest.raises(ExactPermError, match="'\"' is not a list of columns"):
        Reading(columns='"').words  # noqa: B018


def test_labels_may_start_with_the_sign_of_comments():
    kinds = ("scores", "labels")
    found = {
        choice: [Reading(comments=choice).leaves_out_comments(kind) for kind in kinds]
        for choice in ("auto", "yes", "no")
    }
    assert found == {"auto": [True, False], "yes": [True, True], "no": [False, False]}
