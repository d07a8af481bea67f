"""Tests of several runs on each item equal the enumeration of all labelings."""

from collections import Counter
from fractions import Fraction
from math import comb, prod

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import runs_by_definition as definition
from exactperm import permutation_test_runs
from exactperm.null.alternative import ALTERNATIVES
from exactperm.swaps.runs import DESIGNS

scores = st.one_of(st.integers(0, 1), st.integers(-3, 3), st.fractions(-2, 2, max_denominator=6))


@st.composite
def unequal(draw):
    """Items with one to three runs of each system, of at most 300 labelings together."""
    items = draw(
        st.lists(
            st.tuples(st.lists(scores, min_size=1, max_size=3), st.lists(scores, min_size=1, max_size=3)), min_size=1
        )
    )
    kept, total = [], 1
    for a, b in items:
        total *= comb(len(a) + len(b), len(a))
        if total > 300:
            break
        kept.append((a, b))
    return kept


@st.composite
def matrices(draw):
    """Items with the same runs: whole runs may be exchanged."""
    n, m, k = draw(st.integers(1, 4)), draw(st.integers(1, 3)), draw(st.integers(1, 3))
    row = lambda size: st.lists(scores, min_size=size, max_size=size)  # noqa: E731
    return [(draw(row(m)), draw(row(k))) for _ in range(n)]


def outcome(items, design, alternative, **options):
    u, v = [list(side) for side in zip(*items)]
    return permutation_test_runs(u, v, design=design, alternative=alternative, **options)


def check(items, design, alternative, weights=None):
    every, observed = definition.values(items, design, weights), definition.statistic(items, weights)
    result = outcome(items, design, alternative, weights=weights)
    total = len(every)
    assert result.statistic == observed
    assert result.pvalue == Fraction(definition.count(every, observed, alternative), total)
    assert result.midp == Fraction(definition.halves(every, observed, alternative), 2 * total)
    assert result.min_attainable == Fraction(min(definition.count(every, t, alternative) for t in set(every)), total)
    null = result.null_distribution
    scale = Fraction(result.total, total)
    assert dict(null.items()) == {t: n * scale for t, n in Counter(every).items()}
    assert null.pvalue(observed, alternative) == result.pvalue
    return result


class TestDefinition:
    @given(unequal(), st.sampled_from(ALTERNATIVES), st.sampled_from(["within", "items"]))
    def test_equals_the_enumeration_of_all_labelings(self, items, alternative, design):
        check(items, design, alternative)

    @given(matrices(), st.sampled_from(ALTERNATIVES))
    def test_whole_runs_over_all_items(self, items, alternative):
        result = check(items, "systems", alternative)
        assert result.total == comb(len(items[0][0]) + len(items[0][1]), len(items[0][0]))

    @given(matrices(), st.sampled_from(sorted(DESIGNS)), st.data())
    def test_weights_of_items(self, items, design, data):
        assume(prod(comb(len(a) + len(b), len(a)) for a, b in items) <= 300)
        weights = data.draw(st.lists(st.sampled_from([1, 2, Fraction(1, 3)]), min_size=len(items), max_size=len(items)))
        check(items, design, "two-sided", weights)

    @pytest.mark.parametrize("design", DESIGNS)
    def test_the_mean_under_the_null_is_zero(self, design):
        u, v = [[1, 5, 2], [3, 3, 3]], [[4], [0]]
        null = permutation_test_runs(u, v, design=design).null_distribution
        assert null.mean == 0
