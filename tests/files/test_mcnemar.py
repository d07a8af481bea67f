"""The 2 x 2 table of McNemar's test: read, told from pairs, or refused."""

import pytest

from exactperm.errors import ExactPermError
from exactperm.files import answer
from exactperm.files.reading import Reading
from exactperm.files.sources import tables_of


def counts(text, **options):
    tables, reading = tables_of([("t.csv", text.encode())], Reading())
    return answer.question(tables, "mcnemar", reading, **options).counts


def test_a_table_and_scores():
    assert counts("10,5\n15,70\n") == (5, 15)
    assert counts("a,b\n1,0\n0,1\n1,1\n") is None


def test_the_order_of_systems_does_not_turn_the_table():
    assert counts("10,5\n15,70\n", swapped=True) == (5, 15)


@pytest.mark.parametrize(
    ("text", "code"),
    [("1,0\n0,1\n", "two-by-two"), ("a,b\n1,2\n3,4\n5,6\n", "mcnemar"), ("1\n0\n1\n", "mcnemar")],
)
def test_what_is_neither(text, code):
    with pytest.raises(ExactPermError) as caught:
        counts(text)
    assert caught.value.code == code
