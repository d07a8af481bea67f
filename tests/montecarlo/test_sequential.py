"""The sequential test: boundaries against their definition in fractions, and the promised risk computed exactly."""

import random
from fractions import Fraction
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
from exactperm.montecarlo import sequential
from exactperm.montecarlo.sequential import boundaries, sequential_monte_carlo


def moved(alive, p):
    """The walk one sample later: {S_n: probability}."""
    after = {}
    for s, weight in alive.items():
        after[s] = after.get(s, 0) + weight * (1 - p)
        after[s + 1] = after.get(s + 1, 0) + weight * p
    return after


def defined(alpha, epsilon, k, steps):
    """(L_n, U_n) from the definition, with the whole distribution in fractions at every step."""
    alive, above, below = {0: Fraction(1)}, Fraction(0), Fraction(0)
    for n in range(1, steps + 1):
        walk = moved(alive, alpha)
        spend = epsilon * n / (n + k)
        high = {j: above + sum(w for s, w in walk.items() if s >= j) for j in range(n + 2)}
        low = {j: below + sum(w for s, w in walk.items() if s <= j) for j in range(-1, n + 1)}
        upper = min(j for j, spent in high.items() if spent <= spend)
        lower = max(j for j, spent in low.items() if spent <= spend)
        above, below = high[upper], low[lower]
        alive = {s: w for s, w in walk.items() if lower < s < upper}
        yield lower, upper


def crossing(p, steps, limits):
    """Exact probabilities of having stopped above and below after each step, for a walk with probability p."""
    alive, above, below = {0: Fraction(1)}, Fraction(0), Fraction(0)
    for _n, (lower, upper) in zip(range(steps), limits):
        walk = moved(alive, p)
        above += sum(w for s, w in walk.items() if s >= upper)
        below += sum(w for s, w in walk.items() if s <= lower)
        alive = {s: w for s, w in walk.items() if lower < s < upper}
        yield above, below


HAIR = Fraction(1, 2**140)  # below the fixed point of the boundaries


@pytest.mark.slow
@pytest.mark.parametrize(
    ("alpha", "epsilon", "k"),
    [
        ("1/20", "1/1000", 1000),
        ("1/2", "1/10", 5),
        ("0.3", "0.49", 1),
        ("1/3", Fraction(1, 6) - HAIR, 1),
    ],
)
def test_boundaries_are_those_of_the_definition(alpha, epsilon, k):
    """An index off by one would show, the more so where both sides are spent early.

    In the last case P(S_2 = 2) = 1/9 is a hair above its allowance: rounding it down would spend
    what is not there.
    """
    alpha, epsilon, steps = Fraction(alpha), Fraction(epsilon), 50
    assert list(islice(boundaries(alpha, epsilon, k), steps)) == list(
        defined(alpha, epsilon, k, steps)
    )


def test_an_allowance_that_is_met_exactly_is_spent():
    """P(S_2 = 0) = P(S_2 = 2) = 1/4 at alpha = 1/2, rounded up by one unit; k = 1 makes e_2 two thirds of epsilon."""
    unit = Fraction(1, 2**sequential._BITS)
    met = Fraction(3, 2) * (Fraction(1, 4) + unit)
    assert list(islice(boundaries(Fraction(1, 2), met, 1), 2)) == [(-1, 2), (0, 2)]
    assert list(islice(boundaries(Fraction(1, 2), met - unit, 1), 2)) == [(-1, 2), (-1, 3)]


@pytest.mark.slow
@given(
    alpha=st.integers(1, 49).map(lambda a: Fraction(a, 50)),
    epsilon=st.sampled_from(["0.001", "0.05", "0.4"]),
)
@settings(max_examples=15)
def test_the_spent_probability_never_exceeds_its_allowance(alpha, epsilon):
    """At p = alpha, computed exactly at every step; so the rounding went the safe way."""
    k, steps = 20, 50
    epsilon = Fraction(epsilon)
    for n, spent in enumerate(crossing(alpha, steps, boundaries(alpha, epsilon, k)), 1):
        assert max(spent) <= epsilon * n / (n + k)


@pytest.mark.parametrize("p", ["0.05", "0.049", "0.04", "0.01", "0.051", "0.07", "0.2"])
def test_the_wrong_decision_has_the_promised_probability_at_every_p(p):
    p, alpha, epsilon = Fraction(p), Fraction(1, 20), Fraction(1, 100)
    *_, (above, below) = crossing(p, 120, boundaries(alpha, epsilon, 30))
    if p <= alpha:
        assert above <= epsilon
    if p >= alpha:
        assert below <= epsilon


# ---------------------------------------------------------------------------------- the test itself


def absolute_difference(u, v):
    return abs(sum(u) - sum(v))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_decisions_agree_with_exact_pvalues(seed):
    """Statistics that do decompose, whose exact p is known; 24 seeded tests, each wrong with probability <= 0.001."""
    source = random.Random(seed)
    u = [source.randrange(0, 9) for _ in range(9)]
    for shift in (0, 3):
        v = [x - source.randrange(0, 2 + shift) for x in u]
        p = brute.pvalue(u, v, absolute_difference, "greater")
        result = sequential_monte_carlo(u, v, absolute_difference, rng=seed, max_samples=4000)
        assert result.significant in (p <= Fraction(1, 20), None)
        assert result.statistic == absolute_difference(u, v)
        assert result.estimate == Fraction(result.count, result.samples)


def test_a_clear_case_stops_early_and_a_tie_never_does():
    clear = sequential_monte_carlo([1] * 30, [0] * 30, absolute_difference, rng=1)
    assert (clear.significant, clear.count) == (True, 0)
    assert clear.samples < 200
    assert (clear.alpha, clear.epsilon) == (Fraction(1, 20), Fraction(1, 1000))
    nothing = sequential_monte_carlo([1, 2], [1, 2], absolute_difference, rng=1)
    assert (nothing.significant, nothing.estimate) == (False, 1)
    calls = []
    tie = sequential_monte_carlo(
        [1, 1], [0, 0], absolute_difference, alpha="1/2", rng=1, max_samples=250,
        progress=lambda *at: calls.append(at),
    )  # fmt: skip
    assert (tie.significant, tie.samples) == (None, 250)
    assert calls == [(100, 250), (200, 250), (250, 250)]


def test_a_walk_stops_where_it_meets_a_boundary():
    """All samples extreme, or none: the walk along either edge ends at the first n at which U_n = n, or L_n = 0."""
    limits = list(islice(boundaries(Fraction(1, 20), Fraction(1, 1000), 1000), 300))
    up = next(n for n, (_, upper) in enumerate(limits, 1) if upper == n)
    down = next(n for n, (lower, _) in enumerate(limits, 1) if lower == 0)
    always = sequential_monte_carlo([1], [0], lambda u, v: 0, rng=1)
    assert (always.samples, always.count, always.significant) == (up, up, False)
    never = sequential_monte_carlo([1] * 60, [0] * 60, absolute_difference, rng=1)
    assert (never.samples, never.count, never.significant) == (down, 0, True)


def test_groups_and_seeds():
    data = ([5, 7, 9, 8], [4, 5, 9, 5], absolute_difference)
    assert sequential_monte_carlo(*data, rng=3) == sequential_monte_carlo(
        *data, rng=random.Random(3)
    )
    together = sequential_monte_carlo(*data, rng=3, groups=list("aaaa"))
    assert together.estimate == 1


@pytest.mark.parametrize(
    ("significant", "statistic", "decision", "shown"),
    [
        (True, Fraction(1, 2), "p <= 0.05", "0.5"),
        (False, "text", "p > 0.05", "'text'"),
        (None, 7, "undecided whether p <= 0.05", "7"),
    ],
)
def test_a_result_is_shown_as_its_decision(significant, statistic, decision, shown):
    result = sequential.SequentialResult(
        significant=significant,
        count=2,
        samples=9,
        statistic=statistic,
        alpha=Fraction(1, 20),
        epsilon=Fraction(1, 1000),
    )
    assert str(result).splitlines() == [
        f"Sequential Monte Carlo test, not exact: {decision}",
        "  samples      9 random swaps, 2 at least as extreme",
        f"  statistic    {shown}",
        "  error        before sampling, a wrong decision has probability at most 0.001",
    ]
