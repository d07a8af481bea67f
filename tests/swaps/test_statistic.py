"""The parts of a statistic are checked."""

import pytest

from complaint import complaint
from exactperm.errors import ExactPermError, WrongType
from exactperm.swaps.statistic import Statistic


def test_statistics_are_checked():
    component = "it must be a function of two entries"
    assert complaint(WrongType, lambda: Statistic((len, 3), max)) == f"components[1] is 3: {component}"
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
