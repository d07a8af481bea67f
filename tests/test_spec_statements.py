"""Statements of the sources that no other test covers: each test carries out one of them, or shows that it fails.

The names in the comments are anchors of the pages in ``spec/``.
"""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import brute
from exactperm.budget import Budget, Estimate, Options
from exactperm.classical.paired import mcnemar_test
from exactperm.counting import dp, plan
from exactperm.errors import BudgetExceeded
from exactperm.multiplicity import adjust_pvalues
from exactperm.null.distribution import NullDistribution
from exactperm.permutation import (
    exact_perm_test,
    exact_perm_test_m,
    permutation_test,
    sign_flip_test,
)

small = st.integers(-5, 5)
two_valued = st.lists(st.tuples(small, small), min_size=1, max_size=7)


def pmf(stay, swap):
    """The two swap counts of one pair (Eq. 4)."""
    return {stay: 2} if stay == swap else {stay: 1, swap: 1}


# --------------------------------------------------------------------------------- sections 2 and 3


def test_support_is_bounded_by_width_not_by_number_of_values():
    # claim-support: N pairs whose effect is 0 or 2**n take two values each, and their sums all 2**N
    # values.
    n = 12
    assert list(dp.counts({2**i: 1 for i in range(n)})) == list(range(2**n))
    # With effects in a range of width G there are at most G N + 1 sums.
    assert len(dp.counts({3: 5, 7: 6})) <= 7 * 11 + 1


def test_accuracy_example():
    # ex-accuracy, draft-eq-3: correct labels of 3, 2 and 4 in three sentences, one- and two-sided.
    for h, p in ((lambda s: s, Fraction(1, 4)), (abs, Fraction(1, 2))):
        assert exact_perm_test([3, 2, 3], [2, 0, 3], lambda a, b: a - b, h) == p


# -------------------------------------------------------------------------------- section 4, App. A


def test_inductive_step_has_a_minus():
    # eq-11: F_1 = {5: 1, 7: 1} and f_2 = {1: 1, 2: 1}; the printed step takes F_1(5 + 2), so that
    # there is mass at 5, where there is none.
    first, second = {5: 1, 7: 1}, {1: 1, 2: 1}
    assert dp.convolve_dp([first, second]) == {6: 1, 7: 1, 8: 1, 9: 1}
    assert sum(first.get(5 + z, 0) * times for z, times in second.items()) == 1


# ------------------------------------------------------------------------------- several components

counts = st.tuples(st.integers(0, 3), st.integers(0, 3))


@pytest.mark.slow
@given(st.lists(st.tuples(counts, counts), min_size=1, max_size=5))
def test_m_components_by_definition(rows):
    # alg-5, eq-12, fn-1, draft-fig-5, draft-thm-2, draft-eq-8, -9, -11: any components, any h, all
    # swaps.
    u, v = zip(*rows)
    gs = (lambda a, b: a[0] * b[1], lambda a, b: a[1] - b[0], lambda a, b: b[0])

    def h(x, y, z):
        return x * y + z

    def t(a, b):
        return h(*(sum(map(g, a, b)) for g in gs))

    assert exact_perm_test_m(u, v, gs, h) == brute.pvalue(u, v, t, "greater")


# ---------------------------------------------------------------------------------------- the draft


def test_opposite_tail_of_the_draft():
    # draft-eq-2: the more the systems differ, the larger the printed p; at least as large is meant.
    u, v = [1] * 6, [0] * 6
    every = brute.values(u, v, brute.sum_of_differences)
    printed = Fraction(sum(abs(t) <= abs(every[0]) for t in every), len(every))
    assert printed == 1
    assert permutation_test(u, v).pvalue == Fraction(1, 32)


def test_accuracy_program_of_the_draft():
    # draft-fig-2: with rows that read the row before, and the tail put right, the program is the
    # test.
    u, v = [3, 0, 2, 2, 1], [1, 1, 0, 2, 0]
    row = dp.convolve_dp([pmf(a - b, b - a) for a, b in zip(u, v)])
    observed = abs(sum(u) - sum(v))
    extreme = sum(n for x, n in row.items() if abs(x) >= observed)
    assert permutation_test(u, v).pvalue == Fraction(extreme, 2 ** len(u))
    # As printed, row n is read while it is still empty, so that nothing is ever added.
    printed = [{0: Fraction(1)}] + [{} for _ in u]
    for n, (a, b) in enumerate(zip(u, v), 1):
        for x in list(printed[n]):
            for y in (a - b, b - a):
                printed[n][x + y] = printed[n].get(x + y, 0) + printed[n - 1][x] / 2
    assert printed[-1] == {}


def test_draft_equation_10_is_no_probability():
    # draft-eq-10: two pairs (1, 0) against (0, 0), an effect that all permutations reach: Eq. 9
    # adds up to 1.
    a, b = [(1, 0), (1, 0)], [(0, 0), (0, 0)]
    cells = [
        tuple(map(sum, zip(*ours))) + tuple(map(sum, zip(*theirs)))
        for ours, theirs in brute.swapped(a, b)
    ]
    probability = {cell: Fraction(cells.count(cell), len(cells)) for cell in cells}
    assert sum(probability.values()) == 1
    assert sum(probability[cell] for cell in cells) == Fraction(3, 2)
    components = (lambda x, y: x[0], lambda x, y: x[1], lambda x, y: y[0], lambda x, y: y[1])
    assert exact_perm_test_m(a, b, components, lambda *sums: 0) == 1


# ------------------------------------------------------------------ the course page and the lecture


@pytest.mark.slow
@given(
    two_valued,
    st.fractions(0, 1, max_denominator=40),
    st.sampled_from(["two-sided", "greater", "less", "doubled"]),
)
def test_level_bounds_the_rate_of_type_one_errors(pairs, alpha, alternative):
    # lecture-errors: under the null, the rate of rejections with p <= alpha is at most alpha, and
    # so with p < alpha.
    null = NullDistribution.of(dp.convolve_dp([pmf(*pair) for pair in pairs]))
    rejected = [t for t in null.support if null.pvalue(t, alternative) <= alpha]
    assert sum(map(null.pmf, rejected)) <= alpha


def test_the_level_needs_exchangeable_pairs():
    # own-warning: +1 with probability 9/10 and -9 with 1/10 has the mean 0; the .05 test rejects
    # far too often, as README says.
    def rate(n):
        tests = (
            (k, sign_flip_test({1: n - k, -9: k}, alternative="greater")) for k in range(n + 1)
        )
        small = [k for k, test in tests if test.pvalue <= Fraction(1, 20)]
        return sum(math.comb(n, k) * Fraction(9 ** (n - k), 10**n) for k in small)

    assert [round(1000 * rate(n)) for n in (5, 10, 20)] == [590, 349, 122]


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [6, 20, 50])
def test_the_size_of_a_test_of_binary_scores(pairs):
    # own-levels: whatever the rate q of discordant items, p rejects at most as often as it says;
    # mid-p does not.
    level, size = Fraction(1, 20), {}
    for name in ("pvalue", "midp"):
        rejected = [
            sum(
                Fraction(math.comb(n, wins), 2**n)
                for wins in range(n + 1)
                if n and getattr(mcnemar_test(wins, n - wins), name) <= level
            )
            for n in range(pairs + 1)
        ]
        size[name] = max(
            sum(
                math.comb(pairs, n) * q**n * (1 - q) ** (pairs - n) * r
                for n, r in enumerate(rejected)
            )
            for q in (Fraction(i, 20) for i in range(21))
        )
    assert size["pvalue"] <= level
    assert size["midp"] > size["pvalue"]
    assert (size["midp"] > level) is (pairs > 6)


# ------------------------------------------------------------------------------------- own theorems


@pytest.mark.slow
@given(
    st.dictionaries(
        st.sampled_from("abcd"), st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1
    ),
    st.integers(1, 9),
    st.integers(1, 9),
)
def test_the_least_estimate_within_the_budget_is_chosen(estimates, seconds, size):
    # own-plan: the planner's choice, for any estimates.
    costs = {name: Estimate(seconds=s, bytes=b) for name, (s, b) in estimates.items()}
    budget = Budget(seconds=seconds, bytes=size)
    fits = [s for s, b in estimates.values() if s <= seconds and b <= size]
    if fits:
        assert plan.pick(costs, lambda: "pairs", Options(budget=budget))[1].seconds == min(fits)
    else:
        with pytest.raises(BudgetExceeded):
            plan.pick(costs, lambda: "pairs", Options(budget=budget))


def test_tarone_needs_minima_that_are_constants():
    # own-tarone: each test is valid given its own minimum, and still 2/65 > 1/64 true hypotheses
    # are rejected.
    alpha = least = Fraction(1, 64)
    cases = [(1, (least, 1), (least, 1)), (1, (1, least), (1, least)), (63, (1, 1), (least, least))]
    assert sum(weight for weight, *_ in cases) == 65
    # P(p_j <= 1/64 given that its minimum is 1/64) is 1/64, and nothing is below 1/64
    for j in range(2):
        possible = sum(weight for weight, _p, minima in cases if minima[j] == least)
        attained = sum(
            weight for weight, p, minima in cases if minima[j] == least and p[j] == least
        )
        assert Fraction(attained, possible) == least
        assert all(p[j] >= minima[j] for _weight, p, minima in cases)
    rejects = [
        min(adjust_pvalues(p, "tarone", min_attainable=minima).adjusted) <= alpha
        for _weight, p, minima in cases
    ]
    assert sum(weight for (weight, *_), rejected in zip(cases, rejects) if rejected) == 2
