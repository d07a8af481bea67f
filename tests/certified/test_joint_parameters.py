"""Parameters of an inversion in two dimensions: near the best ones, and the floats that they come from."""

from __future__ import annotations

import pytest

from exactperm.certified.joint_parameters import (
    Border,
    _normal,
    _toward,
    choose,
    line,
)
from joint_cases import Slab, regions_of


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 4, 6, 7, 8])
def test_the_tilted_mean_lies_on_the_border(seed):
    border = Border(regions_of(300, 0.1, seed=seed)[0])
    window = choose(border, 20)
    mean = [line(border.groups, window.tilt, v)(0.0)[1] for v in ((1.0, 0.0), (0.0, 1.0))]
    across, up = window.deviations
    row = int(mean[0] + 0.5)
    if window.tilt[1]:
        assert abs(mean[1] - border(row)) < 0.3 * up
        slope = (border(row + 20) - border(row - 20)) / 40
        assert abs(-window.tilt[0] / window.tilt[1] - slope) < 0.3
    first, last = window.rows
    assert (last - first) % 2 == 0 == window.period % 2 - 1
    assert first < mean[0] - 4 * across
    assert last > mean[0] + 4 * across
    assert window.period > 4 * up
    assert window.outer[0] <= first
    assert window.outer[1] >= last - 1


def test_tails_next_to_the_end_keep_a_finite_tilt():
    groups = [(1.0, 1.0, 5.0), (1.0, -1.0, 5.0)]
    length = _toward(groups, (0.0, 1.0), 1e9)
    assert 0 < length < 20
    assert line(groups, (0.0, length), (0.0, 1.0))(0.0)[1] < 5


class TestBorder:
    def test_rows_are_evaluated_once(self):
        calls = []

        class Watched(Slab):
            def first(self, x, guess=0):
                calls.append((x, guess))
                return self._firsts[x]

        border = Border(Watched({(1, 0): 4, (0, 1): 4}, {0: 9, 1: 2, 2: 2, 3: 3, 4: 9}))
        assert [border(x) for x in (1, 2, 1, 0)] == [2, 2, 2, 9]
        assert calls == [(1, 0), (2, 2), (0, 2)]
        assert [border.holds(x) for x in (-1, 0, 1, 5)] == [False, False, True, False]
        assert border.start() == 2
        assert border.slope(2, 2.0) == 0.5
        assert border.slope(1, 2.0) == 0.0

    def test_a_region_in_a_corner_is_found(self):
        firsts = dict.fromkeys(range(33), 99)
        assert Border(Slab({(1, 0): 32, (0, 1): 4}, {**firsts, 30: 2})).start() == 30
        assert Border(Slab({(1, 0): 32, (0, 1): 4}, {**firsts, 0: 2})).start() == 0
        assert Border(Slab({(1, 0): 32, (0, 1): 4}, firsts)).start() == 16


def test_rows_without_points_of_the_region_stay_out():
    firsts = {x: 99 if x < 12 else 14 for x in range(17)}
    window = choose(Border(Slab({(1, 0): 16, (0, 1): 16}, firsts)), 10)
    assert window.tilt[1] > 0
    nothing = choose(Border(Slab({(1, 0): 16, (0, 1): 16}, dict.fromkeys(range(17), 99))), 10)
    assert 1 <= nothing.height <= 17


def test_a_border_whose_slope_jumps_ends_the_search():
    """Steps of five rows up and down: no row is the saddle of its own slope."""
    firsts = {x: 28 if x // 5 % 2 else 24 for x in range(33)}
    border = Border(Slab({(1, 0): 16, (1, 1): 16, (0, 1): 16}, firsts))
    (_, length), (_, up) = _normal(border)
    assert length > 0
    assert up == 1.0
