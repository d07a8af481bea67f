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

product = Statistic(
    (lambda a, b: a * b - b, lambda a, b: a), lambda x, y: x - y, "not antisymmetric"
)


@pytest.mark.parametrize(
    ("u", "v", "message"),
    [
        ([], [], "u and v are empty: a test needs at least one pair"),
        ([1, 2, 3], [1], "u has 3 entries and v has 1: they must be paired"),
        ([1, "x"], [1, 2], "u[1] is 'x': not a finite number such as '0.93', '3/7' or '1e-3'"),
        ([1, 2], [1, float("nan")], "v[1] is nan: the value is missing"),
    ],
)
def test_columns(u, v, message):
    assert complaint(ExactPermError, lambda: swap_effects(u, v, difference)) == message


@pytest.mark.parametrize("statistic", [difference, product])
def test_what_is_no_column_is_named(statistic):
    for name, u, v in (("u", 5, [1]), ("v", [1], 5)):
        message = f"{name} is 5: it must be a sequence with one entry per pair"
        assert complaint(WrongType, lambda u=u, v=v: swap_effects(u, v, statistic)) == message


@pytest.mark.parametrize(
    ("groups", "kind", "message"),
    [
        ("ab", WrongType, "groups is 'ab': it must be a sequence with one entry per pair"),
        (["a"], ExactPermError, "groups has 1 labels for 2 pairs"),
        (["a", []], WrongType, "groups[1] is []: labels must be hashable"),
        (["a", float("nan")], ExactPermError, "groups[1] is nan: the label is missing"),
        (["a", None], ExactPermError, "groups[1] is None: the label is missing"),
        (
            [Decimal("sNaN"), 1],
            ExactPermError,
            "groups[0] is Decimal('sNaN'): the label is missing",
        ),
        ([1, (1, float("nan"))], ExactPermError, "groups[1] is (1, nan): the label is missing"),
    ],
)
def test_groups(groups, kind, message):
    assert (
        complaint(kind, lambda: swap_effects([1, 2], [3, 4], difference, groups=groups)) == message
    )


def test_the_statistic_must_be_one():
    assert complaint(WrongType, lambda: swap_effects([1], [2], 5)) == (
        "statistic is 5: it must be a Statistic; exact_perm_test takes g and h"
    )


def test_decimals_need_a_numeric_statistic():
    raw = Statistic((lambda a, b: 1,), name="raw")
    assert complaint(ExactPermError, lambda: swap_effects([1], [2], raw, decimals=1)) == (
        "decimals applies to numeric scores, but 'raw' receives raw entries"
    )


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


def test_labels_that_are_there():
    labels = ["", 0, [None], ("a",)]
    assert labels_of(labels, "gold") == labels
