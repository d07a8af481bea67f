"""The reference: its two forms agree, and every engine counts what it counts."""

from fractions import Fraction
from itertools import accumulate, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import brute
import strategies
from exactperm import permutation_test, reference
from exactperm.budget import Options
from exactperm.counting import methods, plan
from peers import python
from tests.sizes import code_size

ALTERNATIVES = ("two-sided", "greater", "less")

scores = st.integers(-6, 6) | st.sampled_from([0.1, 0.2, 0.3, "0.30", "1e-1", Fraction(1, 3)])
columns = strategies.columns(scores, 8)
tallies = st.dictionaries(st.integers(1, 9), st.integers(1, 4), min_size=1, max_size=3).map(
    lambda tally: dict(sorted(tally.items()))  # canonical
)


def rationals(column):
    return [Fraction(str(x)) for x in column]


@pytest.mark.slow
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(columns)
def test_the_recurrence_gives_the_value_of_the_definition(alternative, data):
    every = brute.pvalue(*map(rationals, data), brute.sum_of_differences, alternative)
    assert reference.paired(*data, alternative) == every


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(columns)
def test_the_package_gives_the_value_of_the_reference(alternative, data):
    found = permutation_test(*data, alternative=alternative).pvalue
    assert found == reference.paired(*data, alternative)


def test_it_is_short_and_may_be_copied_alone():
    """At most 42 lines of code with its imports, none of 89 columns; a copy runs without the package."""
    path = Path(reference.__file__)
    text = path.read_text(encoding="utf-8")
    assert code_size(text)[0] <= 42
    assert max(map(len, text.splitlines())) <= 88
    python(path.parent.parent, "-I", "-S", str(path))


@given(tallies)
def test_the_table_and_the_recurrence_agree(tally):
    sizes = [d for d, count in tally.items() for _ in range(count)]
    for k in range(sum(sizes) + 1):
        assert reference.counts_by_table(sizes, k) == reference.counts_of_subset_sums(tally, k)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_mcnemar_is_the_sign_flip_test_of_ones(alternative):
    for b, c in product(range(6), repeat=2):
        if b + c:
            assert reference.mcnemar(b, c, alternative) == reference.sign_flip(
                [1] * b + [-1] * c, alternative
            )
    assert reference.mcnemar(0, 0, alternative) == 1


@pytest.mark.slow
@pytest.mark.parametrize("method", methods.ENGINES)
@given(tally=tallies)
def test_every_engine_counts_what_the_recurrence_counts(method, tally):
    span = sum(d * c for d, c in tally.items())
    P = reference.counts_of_subset_sums(tally, span)
    if method != "meet-in-the-middle":  # it counts single thresholds only
        assert plan.counts(tally, Options(method=method))[0] == {
            n: count for n, count in enumerate(P) if count
        }
    prefixes = list(accumulate(P))
    assert [
        plan.count_at_most(tally, k, Options(method=method))[0] for k in range(span + 1)
    ] == prefixes


def test_questions_without_an_answer():
    for u, v in (([], []), ([1], []), ([1, 2], [1])):
        with pytest.raises(ValueError, match=r"no differences|and \d scores"):
            reference.paired(u, v)
    for wrong in ([], ["x"], [float("nan")]):
        with pytest.raises(ValueError, match=r"no differences|Invalid literal"):
            reference.sign_flip(wrong)
    with pytest.raises(ValueError, match="negative"):
        reference.mcnemar(-1, 3)
    with pytest.raises(KeyError):
        reference.mcnemar(1, 3, "both")
