"""The reference: its two forms agree, and every engine counts what it counts."""

import ast
from fractions import Fraction
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm import permutation_test, reference
from exactperm.budget import Options
from exactperm.counting import methods, plan
from exactperm.errors import ExactPermError

scores = st.integers(-6, 6) | st.sampled_from([0.1, 0.2, 0.3, "0.30", "1e-1", Fraction(1, 3)])
columns = st.lists(st.tuples(scores, scores), min_size=1, max_size=8).map(lambda pairs: list(zip(*pairs)))
tallies = st.dictionaries(st.integers(1, 9), st.integers(1, 4), min_size=1, max_size=3).map(
    lambda tally: dict(sorted(tally.items()))  # canonical
)


def distance_of_sums(u, v):
    exact = [[Fraction(str(x)) for x in column] for column in (u, v)]
    return abs(sum(exact[0]) - sum(exact[1]))


@given(columns)
def test_the_recurrence_gives_the_value_of_the_definition(data):
    u, v = data
    assert reference.pvalue_by_recurrence(u, v) == reference.pvalue_by_definition(u, v, distance_of_sums)


@given(columns)
def test_the_package_gives_the_value_of_the_reference(data):
    u, v = data
    assert permutation_test(u, v).pvalue == reference.pvalue_by_recurrence(u, v)


@pytest.mark.parametrize("method", methods.ENGINES)
@given(tally=tallies)
def test_every_engine_counts_what_the_recurrence_counts(method, tally):
    span = sum(d * c for d, c in tally.items())
    P = reference.counts_of_subset_sums(tally, span)
    if method != "meet-in-the-middle":  # it counts single thresholds only
        assert plan.counts(tally, Options(method=method))[0] == {n: count for n, count in enumerate(P) if count}
    prefixes = list(accumulate(P))
    assert [plan.count_at_most(tally, k, Options(method=method))[0] for k in range(span + 1)] == prefixes


def test_the_observed_value_comes_first():
    assert reference.values_under_the_null("ab", "cd", lambda u, v: "".join(u + v)) == ["abcd", "adcb", "cbad", "cdab"]


@pytest.mark.parametrize(("u", "v"), [([], []), ([1], []), ([1, 2], [1])])
def test_columns_that_do_not_pair_up(u, v):
    message = f"u has {len(u)} entries and v has {len(v)}"
    with pytest.raises(ExactPermError, match=message):
        reference.pvalue_by_definition(u, v, distance_of_sums)
    with pytest.raises(ExactPermError, match=message):
        reference.pvalue_by_recurrence(u, v)


def test_it_is_short_and_stands_alone():
    """25 lines of code, docstrings and imports apart; of ours it imports the errors only."""
    tree = ast.parse(Path(reference.__file__).read_text(encoding="utf-8"))
    lines = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            lines.add(node.lineno)
            lines.update(line for part in node.body[1:] for line in range(part.lineno, part.end_lineno + 1))
    assert len(lines) == 25
    ours = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level]
    assert ours == ["errors"]


def test_the_definition_counts_every_swap():
    assert reference.pvalue_by_definition([3, 1], [1, 0], lambda u, v: sum(u) - sum(v)) == Fraction(1, 4)
    assert reference.pvalue_by_definition([3, 1], [1, 0], lambda u, v: max(u)) == Fraction(1, 2)
