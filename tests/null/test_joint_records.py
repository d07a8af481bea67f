"""Certified results of F1 and its kind: mid-p values, records, counts again, and forged records."""

import json
import random

import pytest

from bracket_cases import contains
from complaint import changed
from exactperm import (
    FloatResult,
    Statistic,
    f1_difference,
    fast_permutation_test,
    permutation_test,
)
from exactperm.certified import joint_bracket
from exactperm.errors import ExactPermError
from exactperm.null.alternative import ALTERNATIVES
from exactperm.record import replaced
from joint_cases import STATISTICS, columns


@pytest.fixture(autouse=True)
def inverted(monkeypatch):
    """Every tail is inverted, however quick a count is."""
    monkeypatch.setattr(joint_bracket, "_QUICK", 0.0)
    monkeypatch.setattr("exactperm.null.joint_brackets._quickest", lambda *_: ("recurrence", 1e12))


def result_of(seed=1, n=30, statistic=f1_difference, digits=6, **options):
    u, v = columns(
        random.Random(seed), statistic if statistic in STATISTICS else f1_difference, n, 0.1
    )
    return (
        fast_permutation_test(u, v, statistic=statistic, digits=digits, **options),
        permutation_test(u, v, statistic=statistic, **options),
    )


@pytest.mark.slow
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("statistic", STATISTICS, ids=lambda one: one.name)
@pytest.mark.parametrize("seed", range(3))
def test_against_the_exact_test(statistic, alternative, seed):
    result, exact = result_of(seed, 20 + 10 * seed, statistic, alternative=alternative)
    assert contains(result.bracket, exact.pvalue)
    assert contains(result.midp, exact.midp)
    assert contains(result.point_probability, exact.point_probability)
    assert (result.statistic, result.n) == (exact.statistic, exact.n)
    assert result.width <= 1e-6


def test_groups_and_tied_units():
    groups = [i // 3 for i in range(30)]
    result, _ = result_of(groups=groups)
    assert result.sentence().units == "groups"
    u = [(1, 2), (3, 0), (2, 2), (0, 1)] * 4
    assert fast_permutation_test(u, u, statistic=f1_difference).bracket.ends() == (1, 1)


def test_a_p_value_of_one_half_and_more():
    # factor * P is above 1 where the observed value is at the centre.
    u = [(1, 2), (2, 1), (2, 0), (1, 1)]
    v = [(2, 1), (1, 2), (1, 1), (2, 0)]
    for alternative in ALTERNATIVES:
        result = fast_permutation_test(u, v, statistic=f1_difference, alternative=alternative)
        exact = permutation_test(u, v, statistic=f1_difference, alternative=alternative)
        assert contains(result.bracket, exact.pvalue)
        assert result.upper <= 1.0


FORGERIES = """
swaps.effects.0.1 | 0
swaps.effects.0.0 | ["0", "0"]
swaps.effects.0.0 | ["1"]
swaps.effects.0.0.0 | "1/2"
swaps.effects.0 | 7
swaps.effects | 7
swaps.effects | []
swaps.basis | [["1", "0", "-1", "0"], ["1", "0", "-1", "0"], ["1", "0", "-1", "0"]]
swaps.basis.0 | ["1"]
swaps.low | ["1", "0"]
swaps.scale | "0"
swaps.ties | 1000000000
swaps.observed | ["1"]
swaps.observed.0 | "999"
statistic | "1/7"
statistic_name | "difference"
alternative | "sideways"
n_units | 5
"""


class TestRecords:
    @pytest.mark.slow
    @pytest.mark.parametrize("statistic", STATISTICS, ids=lambda one: one.name)
    def test_there_and_back_again(self, statistic):
        result, _ = result_of(statistic=statistic)
        record = json.loads(json.dumps(result.to_dict()))
        assert (record["claim"], record["statistic_name"]) == ("enclosed", statistic.name)
        again = FloatResult.from_dict(record)
        assert again == result
        assert again.recount() == result
        assert again.midp == result.midp
        assert again.to_dict() == record

    def test_lines_and_points(self):
        for u, v in (([(1, 2)] * 6, [(2, 1)] * 6), ([(1, 2)], [(1, 2)])):
            result = fast_permutation_test(u, v, statistic=f1_difference)
            assert FloatResult.from_dict(result.to_dict()).recount() == result

    def test_another_bracket_is_noticed(self):
        result, _ = result_of()
        moved = replaced(result, bracket=result.bracket._replace(lower=result.bracket.lower - 1))
        with pytest.raises(ExactPermError, match="bracket is"):
            FloatResult.from_dict(moved.to_dict()).recount()

    def test_a_statistic_of_ones_own_is_only_claimed(self):
        own = Statistic(
            f1_difference.components,
            f1_difference.combine,
            "own",
            read=f1_difference.read,
            monotone=f1_difference.monotone,
            antisymmetric=True,
        )
        record = result_of(statistic=own)[0].to_dict()
        assert record["claim"] == "claimed"
        with pytest.raises(ExactPermError, match="cannot be computed again"):
            FloatResult.from_dict(record)

    @pytest.mark.parametrize("row", FORGERIES.strip().splitlines())
    def test_forgeries(self, row):
        record = changed(result_of()[0].to_dict(), *row.split(" | "))
        with pytest.raises(ExactPermError):
            FloatResult.from_dict(record)
