"""The classical tests against their definitions, SciPy where it is exact, and published values."""

import random
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.budget import Budget
from exactperm.classical import paired as classical
from exactperm.classical.paired import (
    ZERO_METHODS,
    fast_wilcoxon_signed_rank_test,
    mcnemar_test,
    sign_test,
    wilcoxon_signed_rank_test,
)
from exactperm.errors import BudgetExceeded, ExactPermError, WrongType
from exactperm.null.alternative import ALTERNATIVES
from peers import peer

scores = st.lists(st.tuples(st.integers(-3, 4), st.integers(-3, 4)), min_size=1, max_size=8)
alternatives = st.sampled_from(ALTERNATIVES)


def by_definition(d, statistic, alternative):
    """The p-value of a statistic of differences by flipping all signs."""
    every = [
        statistic([s * x for s, x in zip(signs, d)]) for signs in product((1, -1), repeat=len(d))
    ]
    t, total = every[0], len(every)
    mean = Fraction(sum(every)) / total
    greater = Fraction(sum(x >= t for x in every), total)
    less = Fraction(sum(x <= t for x in every), total)
    both = Fraction(sum(abs(x - mean) >= abs(t - mean) for x in every), total)
    return {
        "greater": greater,
        "less": less,
        "two-sided": both,
        "doubled": min(Fraction(1), 2 * min(greater, less)),
    }[alternative]


def signed_ranks(zero_method):
    """W+ by counting, for each pair, the sizes below and equal: independent of any sorting."""

    def statistic(d):
        kept = [x for x in d if x or zero_method != "wilcox"]
        total = Fraction(0)
        for x in kept:
            below = sum(abs(y) < abs(x) for y in kept)
            equal = sum(abs(y) == abs(x) for y in kept)
            rank = below + Fraction(equal + 1, 2)
            total += rank if x > 0 else rank / 2 if x == 0 and zero_method == "zsplit" else 0
        return total

    return statistic


@pytest.mark.slow
@given(scores, alternatives)
def test_sign_test(pairs, alternative):
    u, v = zip(*pairs)
    d = [a - b for a, b in pairs]
    result = sign_test(u, v, alternative=alternative)
    assert result.pvalue == by_definition(
        d, lambda d: sum((x > 0) - (x < 0) for x in d), alternative
    )
    assert (result.n, result.n_nonzero) == (len(d), sum(map(bool, d)))


@pytest.mark.slow
@given(scores, alternatives, st.sampled_from(ZERO_METHODS))
def test_wilcoxon(pairs, alternative, zero_method):
    u, v = zip(*pairs)
    d = [a - b for a, b in pairs]
    result = wilcoxon_signed_rank_test(u, v, alternative=alternative, zero_method=zero_method)
    statistic = signed_ranks(zero_method)
    assert result.statistic == statistic(d)
    assert result.pvalue == by_definition(d, statistic, alternative)


@pytest.mark.slow
@given(scores)
def test_splitting_zeros_leaves_the_pvalue_of_pratt(pairs):
    u, v = zip(*pairs)
    split, pratt = (
        wilcoxon_signed_rank_test(u, v, zero_method=method).pvalue for method in ("zsplit", "pratt")
    )
    assert split == pratt


@pytest.mark.slow
@given(st.integers(0, 5), st.integers(0, 5), alternatives)
def test_mcnemar(b, c, alternative):
    result = mcnemar_test(b, c, alternative=alternative)
    assert result.pvalue == by_definition([1] * b + [-1] * c, sum, alternative)
    assert (result.n, result.statistic) == (b + c, b - c)


def test_counts_may_be_text():
    assert mcnemar_test("9.0", "2/2").pvalue == mcnemar_test(9, 1).pvalue


def test_mcnemar_without_discordant_items():
    assert mcnemar_test(0, 0).pvalue == 1


def test_wilcoxon_on_darwins_maize():
    """V = 96 for 15 pairs without ties in rank: two-sided .04126 in R's wilcox.test(exact = TRUE); here as a count."""
    d = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    result = wilcoxon_signed_rank_test(d, [0] * 15)
    assert result.statistic == 96
    assert (result.count, result.total) == (1352, 32768)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_scipy_where_it_is_exact(seed):
    """No ties, no zeros: SciPy's exact method computes the same, in floats."""
    stats = peer("scipy.stats")
    import random

    sizes = random.Random(seed).sample(range(1, 60), 14)
    d = [x if random.Random(seed * 99 + x).random() < 0.7 else -x for x in sizes]
    for alternative in ("two-sided", "greater", "less"):
        other = stats.wilcoxon(d, alternative=alternative, method="exact").pvalue
        ours = wilcoxon_signed_rank_test(d, [0] * len(d), alternative=alternative).pvalue
        assert abs(Fraction(float(other)) - ours) <= ours * Fraction(1, 10**12)


READABLE = "not a finite number such as '0.93', '3/7' or '1e-3'"
ALTERNATIVE = "alternative is 'x': it must be one of two-sided, greater, less, doubled"


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda: sign_test([1, 2], [1]),
            ExactPermError,
            "u has 2 entries and v has 1: they must be paired",
        ),
        (
            lambda: sign_test([], []),
            ExactPermError,
            "u and v are empty: a test needs at least one pair",
        ),
        (lambda: sign_test([1], [1], alternative="x"), ExactPermError, ALTERNATIVE),
        (
            lambda: wilcoxon_signed_rank_test([1], [2], zero_method="drop"),
            ExactPermError,
            "zero_method is 'drop': it must be one of wilcox, pratt, zsplit",
        ),
        (lambda: wilcoxon_signed_rank_test([1], [1], alternative="x"), ExactPermError, ALTERNATIVE),
        (lambda: wilcoxon_signed_rank_test(["a"], [2]), ExactPermError, f"u[0] is 'a': {READABLE}"),
        (lambda: wilcoxon_signed_rank_test([2], ["b"]), ExactPermError, f"v[0] is 'b': {READABLE}"),
        (lambda: mcnemar_test(-1, 2), ExactPermError, "b is -1: it must not be negative"),
        (lambda: mcnemar_test("x", 1), ExactPermError, f"b is 'x': {READABLE}"),
        (lambda: mcnemar_test(1, 2.5), WrongType, "c is 2.5: it must be a whole number of items"),
        (
            lambda: mcnemar_test(1, None),
            WrongType,
            "c is None: the value is missing",
        ),
        (lambda: mcnemar_test(1, 2, alternative="x"), ExactPermError, ALTERNATIVE),
    ],
)
def test_bad_input(call, kind, message):
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == message


@pytest.mark.parametrize("test", [sign_test, wilcoxon_signed_rank_test])
def test_columns_are_rounded_where_asked(test):
    """To one decimal the second pair is a tie, and in both columns there is a score that says so."""
    u, v = ["0.3", "0.18", "0.7", "0.6"], ["0.1", "0.24", "0.22", "0.2"]
    found = test(u, v, decimals=1)
    assert (
        found.pvalue
        == test(["0.3", "0.2", "0.7", "0.6"], ["0.1", "0.2", "0.2", "0.2"]).pvalue
        == Fraction(1, 4)
    )
    assert (found.n, found.n_nonzero) == (4, 3)
    assert test(u, v).n_nonzero == 4


@pytest.mark.parametrize(
    "call",
    [
        lambda budget: sign_test([1, 2, 3, 4, -9], [0] * 5, budget=budget),
        lambda budget: mcnemar_test(4, 1, budget=budget),
        lambda budget: wilcoxon_signed_rank_test([-4, 3, 2, 5, 1], [0] * 5, budget=budget),
    ],
)
def test_budgets_are_kept(call):
    assert call(Budget(seconds=60)).total == 32
    with pytest.raises(BudgetExceeded):
        call(Budget(seconds=1e-12))


@pytest.mark.slow
@pytest.mark.parametrize("zero_method", ZERO_METHODS)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_certified_signed_ranks(zero_method, alternative):
    # The exact p-value lies in the bracket, for few ranks and for 300 with ties.
    rng = random.Random(1)
    for n in (5, 300):
        u, v = ([rng.randint(0, n) for _ in range(n)] for _ in range(2))
        options = {"zero_method": zero_method, "alternative": alternative}
        exact = wilcoxon_signed_rank_test(u, v, **options)
        found = fast_wilcoxon_signed_rank_test(u, v, **options)
        assert (
            (found.lower, found.statistic)
            <= (exact.pvalue, exact.statistic)
            <= (found.upper, found.statistic)
        )
        assert found.pvalue == exact.pvalue.numerator / exact.pvalue.denominator


def test_ranks_of_fractions_without_a_bearable_common_denominator(monkeypatch):
    """They are ranked as they are: the same ranks, more slowly."""
    differences = [Fraction(1, 3), 0, Fraction(-1, 2), 2, Fraction(1, 2), Fraction(-7, 5)]
    known = [classical.signed_ranks(differences, method) for method in classical.ZERO_METHODS]
    assert known[0] == [1, 0, Fraction(-5, 2), 5, Fraction(5, 2), -4]

    def refused(*_):
        raise BudgetExceeded("numbers")

    monkeypatch.setattr(classical, "common_denominator", refused)
    assert [
        classical.signed_ranks(differences, method) for method in classical.ZERO_METHODS
    ] == known


def test_a_shift_is_taken_off_first():
    assert classical.sign_test([3, 1], [1, "0.5"], mu="1/2") == classical.sign_test(
        [1.5, 0], [0, 0]
    )


def test_a_table_of_mcnemar():
    tables = [[[80, 9], [1, 10]], ((80, 9), iter([1, 10]))]
    assert {mcnemar_test(table).statistic for table in tables} == {8}
    assert mcnemar_test(peer("numpy").array(tables[0])).statistic == 8
    with pytest.raises(ExactPermError, match="it must have two rows of two counts"):
        mcnemar_test([[80, 9, 1], [1, 10]])
