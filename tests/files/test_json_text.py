"""JSON of any origin: keys once, shallow, and numbers as they are written."""

import pytest

from exactperm.files.json_text import loaded


def test_numbers_keep_their_text_where_it_is_wanted():
    assert loaded('{"p": 0.0500, "n": 3, "q": 1e-3}', str) == {"p": "0.0500", "n": 3, "q": "1e-3"}
    assert loaded("[0.5]") == [0.5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "line 1 column 2"),
        ('{"p": 1, "p": 2}', "the key 'p' is repeated"),
        ("[" * 101 + "]" * 101, "more than 100 lists and objects are nested"),
        ('{"a":' * 10**5, "more than 100"),
    ],
)
def test_what_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        loaded(text)


def test_brackets_inside_of_strings_do_not_count():
    assert loaded('["' + "[" * 200 + '\\"[\\\\"]') == ["[" * 200 + '"[\\']
