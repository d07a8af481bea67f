"""The parts of a statistic are checked."""

from decimal import Decimal
from fractions import Fraction

import pytest

from complaint import complaint
from exactperm.errors import ExactPermError, WrongType
from exactperm.swaps.statistic import Statistic, at_least, exactly_ordered

SEQUENCE = "it must be a sequence with one entry per component"


@pytest.mark.parametrize(
    ("components", "about", "kind", "told"),
    [
        ((len, 3), {"combine": max}, WrongType, "components[1] is 3: it must be a function of two"),
        ((max, min), {}, ExactPermError, "combine is None, but there are 2 components to combine"),
        ((max,), {"combine": 5}, WrongType, "combine is 5: it must be a function of the sums, or"),
        (
            (max,),
            {"read": 5},
            WrongType,
            "read is 5: it must be a function of (column, argument, d",
        ),
        ((), {}, ExactPermError, "components is empty: a statistic needs at least one function g"),
        (5, {}, WrongType, f"components is 5: {SEQUENCE}"),
        ((max,), {"monotone": {1}}, WrongType, f"monotone is {{1}}: {SEQUENCE}"),
        ((max,), {"antisymmetric": 5}, WrongType, "antisymmetric is 5: it must be True or False"),
        *[
            (
                (max, min),
                {"combine": pow, "monotone": signs},
                ExactPermError,
                f"monotone is {signs!r}",
            )
            for signs in ((1,), (1, 2), (-2, 1), (0.5, 0), (1, 0, -1), ([], 1), (Decimal(1), 1))
        ],
    ],
)
def test_statistics_are_checked(components, about, kind, told):
    assert complaint(kind, lambda: Statistic(components, **about)).startswith(told)


def test_signs_and_defaults():
    """Nothing is promised unless it is said."""
    for signs in ([1, -1], (0, 0), iter((-1, 0))):
        found = Statistic((max, min), pow, monotone=signs).monotone
        assert isinstance(found, tuple) and {*found} <= {-1, 0, 1}
    plain = Statistic((max,))
    assert (plain.name, plain.combine, plain.read) == ("statistic", None, None)
    assert (plain.monotone, plain.antisymmetric) == (None, False)


@pytest.mark.parametrize("value", [0, True, Fraction(1, 3), (1, Fraction(1, 2)), [1, (2, 3)], ()])
def test_exactly_ordered(value):
    assert exactly_ordered(value, "h") is value


CURE = "; try again"
ROUNDED = "rounded numbers break ties; try again"
NO_ORDER = "it has no exact order; return int or Fraction"


@pytest.mark.parametrize(
    ("values", "cure", "why"),
    [
        ((0.5, 1j, Decimal(1), float("nan"), (1, 0.5), [[0.5]]), [CURE], ROUNDED),
        (
            (None, "0.5", b"1", {0.5}, {1}, frozenset(), {}, object, (1, None), range(3)),
            [],
            NO_ORDER,
        ),
    ],
)
def test_values_without_an_exact_order(values, cure, why):
    for value in values:
        told = complaint(WrongType, lambda value=value: exactly_ordered(value, "h", *cure))
        assert told.endswith(f": {why}")


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
