"""The joint null distribution, its engines and what they are expected to cost."""

import pytest

from exactperm.budget import Budget, Options
from exactperm.counting import plan
from exactperm.counting import plane as rows
from exactperm.errors import BudgetExceeded
from exactperm.null.joint import cheapest, joint
from exactperm.swaps.effects import Effects, swap_effects
from exactperm.swaps.lattice import axes, lattice
from exactperm.swaps.metrics import f1_difference
from joint_cases import COUNTS_U, COUNTS_V, PLANE

NOTHING = Budget(seconds=1e-12)


@pytest.mark.parametrize(
    "tally",
    [
        {(8, -2): 4, (14, 1): 6, (12, -1): 1, (15, -2): 4},
        {(11, 4): 4, (20, 4): 1, (19, -5): 4, (8, 3): 2},
        {(1, -2): 1, (2, -1): 2, (1, 1): 3, (2, 0): 5, (0, 2): 4},
    ],
)
def test_the_cheapest_coordinates(tally):
    """For the whole distribution they may be others than for a count."""
    units = {((0, 0), delta): count for delta, count in tally.items()}
    swaps = lattice(Effects(units=units, n=sum(tally.values())))
    candidates = [swaps.turned(matrix) for matrix in axes(swaps.tally)]
    for whole in (True, False):
        least = min(rows.estimate(one.tally, whole).seconds for one in candidates)
        for some in (candidates, candidates[::-1]):
            assert rows.estimate(cheapest(some, whole=whole).tally, whole).seconds == least
    with pytest.raises(BudgetExceeded) as caught:
        joint(swaps, Options(method="recurrence", budget=NOTHING))
    assert caught.value.seconds == min(rows.estimate(one.tally, True).seconds for one in candidates)


@pytest.mark.parametrize("method", ["recurrence", "dp"])
def test_the_engine_named_is_the_one_that_counts(monkeypatch, method):
    """Packed rows in two dimensions, or any other on a line; progress reaches either."""
    called = []
    monkeypatch.setattr(
        rows, "items", lambda tally, *, progress: called.append(("rows", progress)) or ()
    )
    monkeypatch.setattr(
        plan, "counts", lambda tally, options: (called.append(options), ({}, "line"))[1]
    )
    swaps = lattice(swap_effects(COUNTS_U, COUNTS_V, PLANE))
    options = Options(method=method, progress=called.append)
    points, _ = joint(swaps, options)
    assert list(points) == []
    assert called == [("rows", called.append) if method == "recurrence" else options]


def test_joint_distribution():
    u, v = [(2, 1), (0, 1)], [(1, 1), (3, 0)]
    for method in ("recurrence", "dp"):
        sums, name = joint(lattice(swap_effects(u, v, f1_difference)), Options(method=method))
        assert name == method
        assert dict(sums) == {(2, 2, 4, 1): 1, (1, 2, 5, 1): 1, (5, 1, 1, 2): 1, (4, 1, 2, 2): 1}
