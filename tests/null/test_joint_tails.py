"""Certified tails of several components: each alternative holds the exact p-value; other statistics are counted."""

import random
from fractions import Fraction

import pytest

from exactperm import Budget, Statistic, f1_difference, permutation_test
from exactperm.arithmetic.enclosure import Enclosure
from exactperm.certified import joint_bracket
from exactperm.certified.joint_bracket import JointSearch
from exactperm.errors import BudgetExceeded
from exactperm.null.alternative import ALTERNATIVES
from exactperm.null.brackets import least_bracket
from joint_cases import STATISTICS, columns, first, second, tails_of

AMPLE = Budget(seconds=60)


def sum_of(x, y):
    return 2 * x + y


SUM = Statistic((first, second), sum_of, "weighted sum", monotone=(1, 1), antisymmetric=True)
ONE_SIDED = Statistic((first, second), sum_of, "one-sided sum", monotone=(1, 1))


def parts(exact):
    """Whether the boundary is left out, and the p-value."""
    return (False, exact.pvalue), (True, exact.midp - exact.point_probability / 2)


def check_exact(u, v, statistic, alternative, digits=4):
    """Both ends are the p-value of the exact test, which is returned."""
    exact = permutation_test(u, v, statistic=statistic, alternative=alternative)
    for strict, p in parts(exact):
        factor, bracket = least_bracket(
            tails_of(u, v, statistic), alternative, digits, AMPLE, strict=strict
        )
        assert {min(1, factor * end) for end in bracket.ends()} == {p}
    return exact


@pytest.fixture(params=[0.0, 1e9], ids=["inverted", "counted"])
def instant(request, monkeypatch):
    """Every tail is inverted, or every one is counted."""
    monkeypatch.setattr(joint_bracket, "_QUICK", request.param)
    if not request.param:
        monkeypatch.setattr(
            "exactperm.null.joint_brackets._quickest", lambda *_: ("recurrence", 1e12)
        )


@pytest.mark.parametrize("statistic", [*STATISTICS, SUM], ids=lambda one: one.name)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_every_alternative_with_and_without_the_boundary(statistic, alternative, instant):
    rng = random.Random(3)
    source = STATISTICS[0] if statistic is SUM else statistic
    for n in (12, 40):
        u, v = columns(rng, source, n, 0.2)
        groups = [i // 2 for i in range(n)]
        exact = permutation_test(u, v, statistic=statistic, alternative=alternative, groups=groups)
        tails = tails_of(u, v, statistic, groups)
        assert tails.statistic == exact.statistic
        for strict, p in parts(exact):
            factor, bracket = least_bracket(tails, alternative, 4, AMPLE, strict=strict)
            low, high = bracket.ends()
            assert min(1, factor * low) <= p <= min(1, factor * high)
            assert high - low <= max(low, Fraction(1, 10**4)) / 10**3


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(
    ("u", "v"), [([(1, 2)] * 6, [(2, 1)] * 6), ([(2, 1), (3, 0)], [(1, 1), (0, 0)])]
)
def test_sums_on_a_line(u, v, alternative):
    # Ranks 0 and 1: one tail of the swap sum, from either end.
    for a, b in ((u, v), (v, u), (u, u)):
        if tails_of(a, b).swaps.rank < 2:
            check_exact(a, b, f1_difference, alternative, 17)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_few_items_of_large_counts_are_counted_on_a_line(alternative):
    rng = random.Random(4)
    u, v = [[(rng.randint(0, 10**4), rng.randint(0, 10**4)) for _ in range(6)] for _ in "uv"]
    assert check_exact(u, v, f1_difference, alternative).method != "recurrence"


class TestChoices:
    def found(self, monkeypatch, seconds, digits=4, budget=AMPLE):
        """The bracket where a count takes so many seconds."""
        monkeypatch.setattr(joint_bracket, "_QUICK", 0.0)
        monkeypatch.setattr(
            "exactperm.null.joint_brackets._quickest", lambda *_: ("recurrence", seconds)
        )
        tails = tails_of(*columns(random.Random(1), f1_difference, 120, 0.05))
        return least_bracket(tails, "greater", digits, budget)[1]

    def test_a_bracket_where_the_count_is_above_the_budget(self, monkeypatch):
        assert 0 < self.found(monkeypatch, 100.0, 6).relative_width <= 1e-6

    def test_a_count_where_no_bracket_is_had(self, monkeypatch):
        monkeypatch.setattr(JointSearch, "bracket", lambda *_: Enclosure(0, 1, 0))
        bracket = self.found(monkeypatch, 50.0)
        assert bracket.lower == bracket.upper
        with pytest.raises(BudgetExceeded):
            self.found(monkeypatch, 50.0, budget=Budget(seconds=40))


NINE = columns(random.Random(2), f1_difference, 9)
THREE = Statistic(
    (first, second, lambda a, b: a[0] * a[1] - b[0] * b[1]),
    lambda x, y, z: x + y + z,
    "three sums",
    monotone=(1, 1, 1),
    antisymmetric=True,
)


@pytest.mark.parametrize(
    ("statistic", "u", "v", "alternative"),
    [
        (Statistic((first, second), sum_of, "plain"), *NINE, "greater"),
        (ONE_SIDED, *NINE, "two-sided"),
        (Statistic((first, second), sum_of, "free", monotone=(0, 0)), *NINE, "greater"),
        (THREE, [(1, 0), (0, 1), (2, 3)], [(0, 0), (0, 0), (0, 0)], "greater"),
        # on a line without a direction
        (SUM, [(1, 0)], [(0, 1)], "two-sided"),
    ],
)
def test_statistics_without_a_bracket_are_counted(statistic, u, v, alternative):
    """The count is the answer; where it is refused, the refusal says why no bracket is an answer, either."""
    tails = tails_of(u, v, statistic)
    exact = permutation_test(u, v, statistic=statistic, alternative=alternative)
    for strict, p in parts(exact):
        found = least_bracket(tails, alternative, 4, AMPLE, strict=strict)
        assert (found[0], found[1].ends()) == (1, (p, p))
    with pytest.raises(BudgetExceeded, match="has no certified bracket") as caught:
        least_bracket(tails, alternative, 4, Budget(seconds=1e-9))
    assert caught.value.seconds > 1e-9


@pytest.mark.parametrize("alternative", ["greater", "less", "doubled"])
def test_one_sided_brackets_need_no_mean(alternative):
    check_exact(*NINE, ONE_SIDED, alternative)


def test_f1_along_one_line():
    """As many errors as hits in every entry: F1 along (1, 1), where no promise tells how it changes."""
    u, v = ([(x, x) for x in column] for column in ([5, 3, 9, 2, 7], [1, 4, 2, 2, 3]))
    check_exact(u, v, f1_difference, "two-sided")
