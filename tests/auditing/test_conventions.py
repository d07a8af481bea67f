"""Values of the conventions against enumeration, and the approximations against their formulas."""

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm import (
    f1_difference,
    mcnemar_test,
    permutation_test,
    sign_flip_test,
    wilcoxon_signed_rank_test,
)
from exactperm.auditing.conventions import Convention, conventions, facts

F = Fraction
differences = st.lists(st.integers(-6, 6), min_size=1, max_size=7)


def defined(d):
    """All exact conventions of the sum, from the definition."""
    sums = [sum(signs_d) for signs_d in product(*[(x, -x) for x in d])]
    t, total = sum(d), len(sums)

    def share(holds):
        return F(sum(map(holds, sums)), total)

    up, down = (
        (share(lambda s: s >= t), share(lambda s: s > t)),
        (share(lambda s: s <= t), share(lambda s: s < t)),
    )
    two = share(lambda s: abs(s) >= abs(t)), share(lambda s: abs(s) > abs(t))
    low = min(up, down)
    middle = {
        tail: (weak + strict) / 2
        for tail, (weak, strict) in {"greater": up, "less": down, "two-sided": two}.items()
    }
    return {
        **{
            (tail, ">="): weak
            for tail, (weak, _strict) in {"greater": up, "less": down, "two-sided": two}.items()
        },
        **{
            (tail, ">"): strict
            for tail, (_weak, strict) in {"greater": up, "less": down, "two-sided": two}.items()
        },
        **{(tail, "mid"): value for tail, value in middle.items()},
        ("doubled", ">="): min(F(1), 2 * low[0]),
        ("doubled", ">"): 2 * low[1],
        ("doubled", "mid"): 2 * min(middle["greater"], middle["less"]),
        ("min", ">="): low[0],
        ("min", ">"): low[1],
        ("min", "mid"): sum(low) / 2,
        ("2min", ">="): 2 * low[0],
        ("2min", ">"): 2 * low[1],
        ("2min", "mid"): sum(low),
    }


@given(differences)
def test_exact_conventions_are_those_of_the_definition(d):
    known = facts(sign_flip_test(d))
    for (tail, boundary), p in defined(d).items():
        assert known.value("exact", tail, boundary) == p, (tail, boundary)


def two_sided_normal(z):
    return math.erfc(abs(z) / math.sqrt(2))


def close(value, about):
    low, high = value
    assert float(low) == pytest.approx(about, rel=1e-9, abs=1e-300)
    assert (high - low) * 2**50 <= high


@given(differences.filter(any))
def test_normal_law_of_a_sum(d):
    known = facts(sign_flip_test(d))
    z = sum(d) / math.sqrt(sum(x * x for x in d))
    close(known.value("normal", "two-sided"), two_sided_normal(z))
    close(known.value("normal", "greater"), math.erfc(z / math.sqrt(2)) / 2)
    close(known.value("normal", "less"), math.erfc(-z / math.sqrt(2)) / 2)
    close(known.value("normal", "min"), math.erfc(abs(z) / math.sqrt(2)) / 2)
    close(known.value("normal", "2min"), two_sided_normal(z))


@given(differences.filter(any))
def test_signed_ranks_with_continuity_correction_are_those_of_r(d):
    """R's wilcox.test(correct=TRUE): z = (V - mean -+ 1/2) / sd, variance with the term for ties, zeros dropped."""
    kept = [x for x in d if x]
    sizes = sorted(map(abs, kept))
    rank = {s: sizes.index(s) + (sizes.count(s) + 1) / 2 for s in sizes}
    v, n = sum(rank[abs(x)] for x in kept if x > 0), len(kept)
    ties = sum(sizes.count(s) ** 3 - sizes.count(s) for s in set(sizes))
    sd = math.sqrt(n * (n + 1) * (2 * n + 1) / 24 - ties / 48)
    z = v - n * (n + 1) / 4
    known = facts(wilcoxon_signed_rank_test(d, [0] * len(d)), 1)
    close(known.value("normal", "two-sided"), two_sided_normal(z / sd))
    expected = two_sided_normal((abs(z) - 0.5) / sd) if z else 1.0
    close(known.value("normal-cc", "two-sided"), expected)
    close(known.value("normal-cc", "greater"), math.erfc((z - 0.5) / sd / math.sqrt(2)) / 2)
    close(known.value("normal-cc", "less"), math.erfc(-(z + 0.5) / sd / math.sqrt(2)) / 2)


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_with_edwards_correction(b, c):
    known = facts(mcnemar_test(b, c))
    if b + c == 0:
        assert known.value("normal", "two-sided") is None
        return
    close(known.value("normal", "two-sided"), two_sided_normal((b - c) / math.sqrt(b + c)))
    expected = two_sided_normal((abs(b - c) - 1) / math.sqrt(b + c)) if b != c else 1.0
    close(known.value("normal-cc", "two-sided"), expected)


def test_the_t_test_of_students_sleep_data():
    """Student 1908, as every textbook has it: t = 4.0621 with 9 degrees of freedom, two-sided p = 0.002833."""
    d = ["1.2", "2.4", "1.3", "1.3", "0", "1", "1.8", "0.8", "4.6", "1.4"]
    known = facts(sign_flip_test(d))
    low, high = known.value("t", "two-sided")
    assert F("0.0028328") < low < high < F("0.0028330")
    assert known.value("t", "less")[0] > F(99, 100)


def test_laws_that_do_not_apply():
    one = facts(sign_flip_test([3]))
    assert one.value("t", "two-sided") is None
    equal = facts(sign_flip_test([2, 2]))
    assert equal.value("t", "two-sided") == (0, 0)
    assert equal.value("t", "less") == (1, 1)
    f1 = facts(permutation_test([(1, 0), (2, 1)], [(0, 1), (1, 1)], statistic=f1_difference))
    assert f1.value("normal", "two-sided") is f1.value("t", "two-sided") is None
    assert (
        f1.value("exact", "two-sided")
        == permutation_test([(1, 0), (2, 1)], [(0, 1), (1, 1)], statistic=f1_difference).pvalue
    )


@pytest.mark.parametrize(
    ("statistic", "zeros", "laws", "test"),
    [
        ("sum", None, 4, "paired permutation test"),
        ("signed-rank", "pratt", 3, "Wilcoxon signed-rank test (zeros by Pratt's rule)"),
    ],
)
def test_the_list_of_conventions(statistic, zeros, laws, test):
    found = list(conventions(statistic, zeros))
    assert len(found) == len(set(found)) == 18 + 6 * (laws - 1)
    assert found[0].words == f"exact {test}, two-sided"


def test_at_most_36_distinct_values_for_a_statistic():
    known = facts(sign_flip_test([3, -1, 4, 1, 5, 9, -2, 6]))
    values = {known.value(c.law, c.tail, c.boundary) for c in conventions("sum", None)}
    assert len(values - {None}) <= 36


def test_words():
    words = Convention(
        statistic="signed-rank", zeros="drop", law="exact", tail="greater", boundary="mid"
    ).words
    assert words == "exact Wilcoxon signed-rank test (zeros dropped), one-sided (greater), mid-p"
