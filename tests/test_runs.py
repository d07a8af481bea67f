"""Tests of several runs on each item equal the enumeration of all labelings."""

import json
from collections import Counter
from fractions import Fraction
from functools import partial
from math import comb, prod
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import runs_by_definition as definition
from exactperm import permutation_test_runs
from exactperm.null.alternative import ALTERNATIVES
from exactperm.swaps.runs import DESIGNS
from samples_by_definition import agrees
from samples_by_definition import check as compare
from strategies import matrices

scores = st.one_of(st.integers(0, 1), st.integers(-3, 3), st.fractions(-2, 2, max_denominator=6))


@st.composite
def unequal(draw):
    """Items with one to three runs of each system, of at most 300 labelings together."""
    items = draw(
        st.lists(
            st.tuples(
                st.lists(scores, min_size=1, max_size=3), st.lists(scores, min_size=1, max_size=3)
            ),
            min_size=1,
        )
    )
    kept, total = [], 1
    for a, b in items:
        total *= comb(len(a) + len(b), len(a))
        if total > 300:
            break
        kept.append((a, b))
    return kept


def outcome(items, design, alternative, **options):
    u, v = [list(side) for side in zip(*items)]
    return permutation_test_runs(u, v, design=design, alternative=alternative, **options)


def check(items, design, alternative, weights=None):
    result = outcome(items, design, alternative, weights=weights)
    assert result.statistic == definition.statistic(items, weights)
    compare(result, Counter(definition.values(items, design, weights)), alternative)
    assert result.null_distribution.mean == 0
    return result


class TestDefinition:
    @pytest.mark.slow
    @given(unequal(), st.sampled_from(ALTERNATIVES), st.sampled_from(["within", "items"]))
    def test_equals_the_enumeration_of_all_labelings(self, items, alternative, design):
        check(items, design, alternative)

    @pytest.mark.slow
    @given(matrices(scores), st.sampled_from(ALTERNATIVES))
    def test_whole_runs_over_all_items(self, items, alternative):
        result = check(items, "systems", alternative)
        assert result.total == comb(len(items[0][0]) + len(items[0][1]), len(items[0][0]))

    @pytest.mark.slow
    @given(matrices(scores), st.sampled_from(sorted(DESIGNS)), st.data())
    def test_weights_of_items(self, items, design, data):
        assume(prod(comb(len(a) + len(b), len(a)) for a, b in items) <= 300)
        weights = data.draw(
            st.lists(
                st.sampled_from([1, 2, Fraction(1, 3)]), min_size=len(items), max_size=len(items)
            )
        )
        check(items, design, "two-sided", weights)


class TestProperties:
    @pytest.mark.parametrize("alternative", ALTERNATIVES)
    def test_all_tied_items_and_one_item(self, alternative):
        tied = check([([2, 2], [2]), ([0], [0, 0])], "within", alternative)
        assert (tied.pvalue, tied.total, tied.n_nonzero) == (1, 9, 0)
        check([([3, 1, 0], [2, 0])], "within", alternative)
        check([([3, 1, 0], [2, 0])], "systems", alternative)


# ----------------------------------------------------------------------------------------- R's coin

COIN = Path(__file__).parent / "data" / "runs_coin.json"
"""P-values of coin 1.4.2 (R): independence_test(score ~ system | item, distribution = exact("shift")), by the shift
algorithm in doubles. Its statistic is the sum over all runs of the first system, which for items
with the same numbers of runs is a rising function of the mean of means."""


@pytest.mark.slow
def test_coin_with_blocks():
    cases = json.loads(COIN.read_text(encoding="utf-8"))
    assert len(cases) == 50
    for case in cases:
        agrees(partial(permutation_test_runs, case["u"], case["v"], design="within"), case["coin"])
