"""Simultaneous intervals: each is the interval of its pair at the common level."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest

from complaint import check_progress, check_refusals
from exactperm import adjust_pvalues, confidence_interval, permutation_test, simultaneous_intervals

SCORES = {"a": [3, 4, 6, 8, 9, 2], "b": [1, 1, 2, 3, 3, 1], "c": [3, 4, 6, 8, 8, 3]}
PAIRS = [("a", "b"), ("a", "c"), ("b", "c")]


def test_bonferroni():
    found = simultaneous_intervals(SCORES, "0.7", groups=[1, 2, 3, 4, 5, 5])
    assert [(row.first, row.second) for row in found] == PAIRS
    for row in found:
        u, v = SCORES[row.first], SCORES[row.second]
        alone = confidence_interval(u, v, Fraction(9, 10), groups=[1, 2, 3, 4, 5, 5])
        assert row.interval == alone
        assert row.to_dict() == {"first": row.first, "second": row.second, **alone.to_dict()}
    assert (found.confidence, found.adjust, len(found), found.exact) == (
        Fraction(7, 10),
        "bonferroni",
        3,
        True,
    )


@pytest.mark.parametrize("alternative", ["two-sided", "less"])
def test_zero_is_outside_where_the_adjusted_test_rejects(alternative):
    tests = [
        permutation_test(SCORES[a], SCORES[b], alternative=alternative).pvalue for a, b in PAIRS
    ]
    for adjust in ("bonferroni", "sidak"):
        adjusted = adjust_pvalues(tests, adjust).adjusted
        for alpha in (*adjusted, Fraction(1, 7)):
            if alpha < 1:
                intervals = simultaneous_intervals(
                    SCORES, 1 - alpha, adjust=adjust, alternative=alternative
                )
                for p, row in zip(adjusted, intervals):
                    lower, upper = row.interval.lower or (-9, -9), row.interval.upper or (9, 9)
                    inside = lower[0] <= 0 <= upper[1]
                    # its level is rounded up
                    assert inside == (p > alpha) or (adjust, p) == ("sidak", alpha)


def test_sidak_is_the_least_level_that_holds():
    for m, names in ((1, "ab"), (3, "abc")):
        scores = {name: SCORES[name] for name in names}
        each = (
            simultaneous_intervals(scores, "0.9", adjust="sidak").intervals[0].interval.confidence
        )
        assert each**m >= Fraction(9, 10) > (each - Fraction(1, 2**64)) ** m


def test_any_executor_and_progress():
    with ThreadPoolExecutor(2) as executor:
        found, told = check_progress(
            lambda progress: simultaneous_intervals(SCORES, executor=executor, progress=progress)
        )
    assert found == simultaneous_intervals(SCORES)
    assert told == [(1, 3), (2, 3), (3, 3)]


BAD = """
[1], {} | scores is [1]: it must map names of systems to columns of scores | WrongType
{"a": [1]}, {} | scores has 1 systems: a comparison needs at least two
{"a": [1], "b": [2]}, {"adjust": "holm"} | adjust is 'holm': it must be one of bonferroni, sidak
{"a": [1], "b": [1, 2]}, {} | scores['a'] has 1 entries and scores['b'] has 2
{"a": [1], "b": [2]}, {"precision": 0} | precision is 0: it must be above 0
"""


def test_bad_input():
    check_refusals(lambda scores, about: simultaneous_intervals(scores, **about), BAD)


def test_rows():
    found = simultaneous_intervals({"a": [3, 4, 6], "b": [1, 1, 2]}, "0.7")
    assert len(found) == 1
    assert found.exact
    assert found.header[:2] == ("first", "second")
    assert found.heading.startswith("70% simultaneous intervals (bonferroni, two-sided)")
    assert found.rows() == (("a", "b", "3", "2", "4"),)
    assert simultaneous_intervals({"a": [3, 4], "b": [1, 1]}, "0.9").rows()[0][3] == "infinite"
