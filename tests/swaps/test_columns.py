"""Columns are read, paired and grouped."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaint import complaint
from exactperm.arithmetic.reading import exact
from exactperm.errors import ExactPermError, WrongType
from exactperm.swaps.columns import labels_of, score_differences, unit_numbers
from exactperm.swaps.effects import swap_effects
from exactperm.swaps.statistic import Statistic, difference

RAW = Statistic((lambda a, b: 1,), name="raw")
NAN = float("nan")
SEQUENCE = "it must be a sequence with one entry per pair"


@pytest.mark.parametrize(
    ("u", "v", "about", "kind", "message"),
    [
        ([], [], {}, ExactPermError, "u and v are empty: a test needs at least one pair"),
        ([1, 2, 3], [1], {}, ExactPermError, "u has 3 entries and v has 1: they must be paired"),
        ([1, "x"], [1, 2], {}, ExactPermError, "u[1] is 'x': not a finite number such as"),
        ([1, 2], [1, NAN], {}, ExactPermError, "v[1] is nan: the value is missing"),
        (5, [1], {}, WrongType, f"u is 5: {SEQUENCE}"),
        ([1], 5, {"statistic": RAW}, WrongType, f"v is 5: {SEQUENCE}"),
        ([1], [2], {"statistic": 5}, WrongType, "statistic is 5: it must be a Statistic"),
        (
            [1],
            [2],
            {"statistic": RAW, "decimals": 1},
            ExactPermError,
            "decimals applies to numeric",
        ),
    ],
)
def test_columns_that_are_refused(u, v, about, kind, message):
    call = {"statistic": difference, **about}
    assert complaint(kind, lambda: swap_effects(u, v, **call)).startswith(message)


@pytest.mark.parametrize(
    ("groups", "kind", "message"),
    [
        ("ab", WrongType, f"groups is 'ab': {SEQUENCE}"),
        (["a"], ExactPermError, "groups has 1 labels for 2 pairs"),
        (["a", []], WrongType, "groups[1] is []: labels must be hashable"),
        (["a", NAN], ExactPermError, "groups[1] is nan: the label is missing"),
        (
            [Decimal("sNaN"), 1],
            ExactPermError,
            "groups[0] is Decimal('sNaN'): the label is missing",
        ),
        ([1, (1, NAN)], ExactPermError, "groups[1] is (1, nan): the label is missing"),
    ],
)
def test_groups_that_are_refused(groups, kind, message):
    assert complaint(kind, lambda: unit_numbers(groups, 2)) == message


scores = st.one_of(st.integers(-9, 9), st.floats(-9, 9), st.sampled_from(["1/3", "0.25", "-2e-2"]))


@pytest.mark.slow
@given(st.lists(st.tuples(scores, scores), min_size=1, max_size=6))
def test_differences_of_scores(pairs):
    u, v = zip(*pairs)
    numbers, scale = score_differences(u, v)
    assert [Fraction(x, scale) for x in numbers] == [exact(a) - exact(b) for a, b in pairs]


def test_differences_of_rounded_scores():
    assert score_differences(["0.24", 1], [0.06, "1/3"], decimals=1) == ([1, 7], 10)


def test_each_pair_is_a_unit_without_groups():
    assert unit_numbers(None, 3) == [0, 1, 2]
    assert unit_numbers(iter("aba"), 3) == [0, 1, 0]
    labels = ["", 0, [None], ("a",)]
    assert labels_of(labels, "gold") == labels
