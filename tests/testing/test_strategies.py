"""Strategies make data that the oracle answers at once, and reach the hard places."""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import find, given, settings

from exactperm import adjust_pvalues, mcnemar_test, permutation_test, sign_flip_test
from exactperm.testing import strategies
from tests import brute

ROOT = Path(strategies.__file__).parent.parent.parent


def test_importing_the_strategies_does_not_import_hypothesis():
    code = "import sys, exactperm.testing.strategies; sys.exit('hypothesis' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, cwd=ROOT).returncode == 0


@given(strategies.scores(8))
def test_scores_are_those_of_the_definition(columns):
    u, v = ([Fraction(x) for x in column] for column in columns)
    assert permutation_test(*columns).pvalue == brute.pvalue(u, v, brute.sum_of_differences)


@given(strategies.grouped(8))
def test_groups_are_answered(data):
    u, v, labels = data
    assert permutation_test(u, v, groups=labels).n_units == len(set(labels))


@given(strategies.counts())
def test_tables_are_answered(table):
    assert 0 < mcnemar_test(*table).pvalue <= 1


@given(strategies.pvalues())
def test_p_values_are_adjusted(pvalues):
    assert all(0 <= p <= 1 for p in adjust_pvalues(pvalues).adjusted)


HARD = {
    "one pair": lambda d: len(d) == 1,
    "all zero": lambda d: len(d) > 2 and not any(map(Fraction, d)),
    "all equal": lambda d: len(d) > 2 and len(set(d)) == 1 and Fraction(d[0]) > 0,
    "the centre": lambda d: any(map(Fraction, d)) and sum(map(Fraction, d)) == 0,
    "a tie that doubles lose": lambda d: sum(map(Fraction, d)) == 0 != sum(map(float, d)),
    "a near tie": lambda d: (
        0 < abs(sum(map(Fraction, d))) < max(abs(Fraction(x)) for x in d) / 10**8
    ),
}


@pytest.mark.parametrize("place", HARD)
def test_hard_places_are_reached(place):
    found = find(
        strategies.differences(6), HARD[place], settings=settings(max_examples=5000, database=None)
    )
    assert sign_flip_test(found).pvalue > 0


@settings(max_examples=5)
@given(strategies.differences(6), strategies.scores(6), strategies.grouped(6))
def test_columns_are_texts_of_numbers(d, columns, groups):
    assert [Fraction(x) for x in (*d, *columns[0], *columns[1])]
    assert 1 <= len(d) <= 6
    assert len(columns[0]) == len(columns[1]) <= 6
    assert len(groups[0]) == len(groups[1]) == len(groups[2]) <= 6
