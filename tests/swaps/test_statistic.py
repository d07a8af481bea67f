"""The parts of a statistic are checked."""

from decimal import Decimal
from fractions import Fraction

import pytest

from complaint import complaint
from exactperm.errors import ExactPermError, WrongType
from exactperm.swaps.statistic import Statistic, at_least, exactly_ordered


def test_statistics_are_checked():
    component = "it must be a function of two entries"
    assert (
        complaint(WrongType, lambda: Statistic((len, 3), max)) == f"components[1] is 3: {component}"
    )
    assert complaint(ExactPermError, lambda: Statistic((max, min))) == (
        "combine is None, but there are 2 components to combine"
    )
    assert complaint(WrongType, lambda: Statistic((max,), 5)) == (
        "combine is 5: it must be a function of the sums, or None"
    )
    assert complaint(ExactPermError, lambda: Statistic(())) == (
        "components is empty: a statistic needs at least one function g"
    )
    sequence = "it must be a sequence with one entry per component"
    for call, told in (
        (lambda: Statistic(5), "components is 5"),
        (lambda: Statistic("ab"), "components is 'ab'"),
        (lambda: Statistic((max,), monotone=5), "monotone is 5"),
    ):
        assert complaint(WrongType, call) == f"{told}: {sequence}"


@pytest.mark.parametrize("signs", [(1,), (1, 2), (-2, 1), (0.5, 0), (1, 0, -1)])
def test_each_component_has_a_sign(signs):
    assert complaint(ExactPermError, lambda: Statistic((max, min), pow, monotone=signs)) == (
        f"monotone is {signs!r}: it needs -1, 0 or 1 for each of 2 components"
    )


@pytest.mark.parametrize("signs", [[1, -1], (0, 0), iter((-1, 0))])
def test_any_of_three_signs(signs):
    statistic = Statistic((max, min), pow, monotone=signs)
    assert isinstance(statistic.monotone, tuple)
    assert set(statistic.monotone) <= {-1, 0, 1}
    assert Statistic((max, min, len), pow, monotone=(1, 0, -1)).monotone == (1, 0, -1)


def test_nothing_is_promised_unless_it_is_said():
    plain = Statistic((max,))
    assert (plain.name, plain.combine, plain.read) == ("statistic", None, None)
    assert (plain.monotone, plain.antisymmetric) == (None, False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"read": 5}, "read is 5: it must be a function of (column, argument, decimals), or None"),
        ({"antisymmetric": 5}, "antisymmetric is 5: it must be True or False"),
        ({"monotone": {1}}, "monotone is {1}: it must be a sequence with one entry per component"),
    ],
)
def test_options_of_a_wrong_type(options, message):
    assert complaint(WrongType, lambda: Statistic((max,), **options)) == message


def test_signs_are_integers():
    for signs in ([[]], [Decimal(1)], []):
        told = f"monotone is {tuple(signs)!r}: it needs -1, 0 or 1 for each of 1 components"
        assert (
            complaint(ExactPermError, lambda signs=signs: Statistic((max,), monotone=signs)) == told
        )


@pytest.mark.parametrize("value", [0, True, Fraction(1, 3), (1, Fraction(1, 2)), [1, (2, 3)], ()])
def test_exactly_ordered(value):
    assert exactly_ordered(value, "h") is value


@pytest.mark.parametrize("value", [0.5, 1j, Decimal(1), float("nan"), (1, 0.5), [[0.5]]])
def test_rounded_numbers_have_no_exact_order(value):
    message = complaint(WrongType, lambda: exactly_ordered(value, "h", "; try again"))
    assert message.endswith(": rounded numbers break ties; try again")


@pytest.mark.parametrize(
    "value", [None, "0.5", b"1", {0.5}, {1}, frozenset(), {}, object, (1, None), range(3)]
)
def test_no_numbers_have_no_exact_order(value):
    message = complaint(WrongType, lambda: exactly_ordered(value, "h"))
    assert message.endswith(": it has no exact order; return int or Fraction")


def test_at_least():
    assert [at_least(x, (1, 2), "h") for x in ((1, 1), (1, 2), (2,))] == [False, True, True]
    told = "h returned (1,) and 2: values of different types have no order"
    assert complaint(WrongType, lambda: at_least((1,), 2, "h")) == told

    class Array:
        """Its comparison has no single truth value."""

        def __ge__(self, other):
            raise ValueError

        def __repr__(self):
            return "Array()"

    told = "t returned Array() and 2: values of different types have no order"
    assert complaint(WrongType, lambda: at_least(Array(), 2, "t")) == told
