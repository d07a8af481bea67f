"""Mappings as dictionaries of plain integers; the errors are those of the convolutions in test_dp.py."""

from exactperm.counting.pmfs import checked_pmfs


def test_zero_counts_are_left_out():
    assert checked_pmfs(({1: 1, 2: 0}, {3: 0})) == [{1: 1}, {}]


def test_mappings_are_copied():
    pmf = {3: 1, -3: 1}
    (copy,) = checked_pmfs([pmf])
    assert copy == pmf
    assert copy is not pmf
