"""The cost of Monte Carlo: binomial tails against their definition, bounds that hold, the sawtooth walked down."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from complaint import complaint, refused
from exactperm.budget import Budget
from exactperm.errors import BudgetExceeded, ExactPermError
from exactperm.montecarlo.binomial_tail import (
    exact_point,
    lower_tail,
    lower_tail_bounds,
    point,
    tail_at_most,
)
from exactperm.montecarlo.risk import (
    monte_carlo_estimate,
    monte_carlo_risk,
    monte_carlo_risk_bounds,
    samples_needed,
)

probabilities = st.one_of(
    st.fractions(0, 1, max_denominator=25), st.integers(0, 2**20).map(lambda k: Fraction(k, 2**20))
)
levels = st.integers(1, 19).map(lambda k: Fraction(k, 20))
flags = st.booleans()
rules = st.fixed_dictionaries({"adjusted": flags, "strict": flags})


def pmf(K, b, p):
    return comb(K, b) * p**b * (1 - p) ** (K - b)


def tail(K, c, p):
    return sum((pmf(K, b, p) for b in range(min(c, K) + 1)), Fraction(0))


def risk(p, alpha, K, adjusted=True, strict=False):
    """The definition: the probability of every count whose estimate decides otherwise than p."""

    def rejects(x):
        return x < alpha if strict else x <= alpha

    counts = range(K + 1)
    return sum(
        pmf(K, b, p) for b in counts if rejects(Fraction(b + adjusted, K + adjusted)) != rejects(p)
    )


# -------------------------------------------------------------------------------------------- tails


@pytest.mark.slow
@given(
    K=st.integers(1, 200),
    c=st.integers(-2, 202),
    p=probabilities,
    bits=st.sampled_from([4, 32, 100]),
)
@settings(max_examples=300)
def test_bounds_hold_and_are_as_narrow_as_stated(K, c, p, bits):
    truth = tail(K, c, p)
    assert lower_tail(K, c, p) == truth
    low, high = lower_tail_bounds(K, c, p, bits).ends()
    assert low <= truth <= high
    assert high - low <= (truth if c <= K * p else 1 - truth) / 2 ** (bits - 2)
    low, high = point(K, c, p, bits).ends()
    assert low <= (pmf(K, c, p) if 0 <= c <= K else 0) <= high
    assert high - low <= high / 2 ** (bits - 2)


def test_exact_tails_are_written_out_up_to_their_limit():
    """2**25 bits, as documented; what needs no digits is never too long."""
    K, half = 2**24, Fraction(1, 2)
    assert lower_tail(K, 0, half) == Fraction(1, 2**K)
    for call in (
        lambda: lower_tail(K + 1, 0, half),
        lambda: exact_point(K + 1, 0, half),
        lambda: monte_carlo_estimate(half, K + 1, adjusted=False).zero_probability,
    ):
        with pytest.raises(BudgetExceeded, match="of 16777217 trials has 33554434 bits; bounds"):
            call()
    for c, p, whole in ((0, 0, 1), (-1, 0, 0), (4 * K, 1, 1), (4 * K - 1, 1, 0)):
        assert lower_tail(4 * K, c, p) == whole


@pytest.mark.slow
@given(
    K=st.integers(1, 60),
    c=st.integers(0, 60),
    p=probabilities,
    exponent=st.sampled_from([1, 30, 90, 4000]),
)
def test_comparisons_next_to_the_tail_itself(K, c, p, exponent):
    """At the tail and a little to either side, down to where only the exact fractions differ."""
    truth, step = tail(K, c, p), Fraction(1, 2**exponent)
    assert tail_at_most(K, c, p, truth)
    assert tail_at_most(K, c, p, truth + step)
    assert not tail_at_most(K, c, p, truth - step)


# ----------------------------------------------------------------------------------------- the risk


@pytest.mark.slow
@given(K=st.integers(1, 25), p=probabilities, alpha=levels, rule=rules)
@settings(max_examples=150)
def test_risk_by_definition(K, p, alpha, rule):
    truth = risk(p, alpha, K, **rule)
    assert monte_carlo_risk(p, alpha, K, **rule) == truth
    low, high = monte_carlo_risk_bounds(p, alpha, K, **rule, bits=20)
    assert low <= truth <= high


def test_the_boundary_belongs_to_rejection():
    """p = alpha = 1/2, K = 2: rejecting is right, and b = 2 the only miss. Strictly, b = 0 is the only wrong one."""
    plain = {"adjusted": False}
    assert monte_carlo_risk("1/2", "1/2", 2, **plain) == Fraction(1, 4)
    assert monte_carlo_risk("1/2", "1/2", 2, **plain, strict=True) == Fraction(1, 4)
    assert monte_carlo_risk("1/2", "1/2", 3, **plain) == Fraction(1, 2)
    assert monte_carlo_risk("1/2", "1/2", 3) == monte_carlo_risk("1/2", "1/2", 3, adjusted=True)


def test_the_estimate_is_adjusted_unless_said_otherwise():
    """All four functions agree, as monte_carlo_test does; only monte_carlo, the paper's Alg. 1, has b / K."""
    for function, about in (
        (monte_carlo_estimate, ("0.2", 9)),
        (monte_carlo_risk, ("0.2", "0.3", 30)),
        (monte_carlo_risk_bounds, ("0.2", "0.3", 30)),
        (samples_needed, ("0.2", "0.3", "0.1")),
    ):
        assert function(*about) == function(*about, adjusted=True)
        assert function(*about) != function(*about, adjusted=False)


@pytest.mark.slow
def test_risk_of_a_long_pvalue():
    """K = 40,000 with p of 2,900 digits: bounds at once, and a refusal of the fraction of 380 million bits."""
    p = Fraction(494 * 2**9600 // 10000 | 1, 2**9600)  # about 0.0494
    low, high = monte_carlo_risk_bounds(p, "0.05", 40000)
    assert Fraction("0.27") < low <= high < Fraction("0.30")
    assert high - low < Fraction(1, 2**60)
    with pytest.raises(BudgetExceeded, match="monte_carlo_risk_bounds"):
        monte_carlo_risk(p, "0.05", 40000)
    estimate = monte_carlo_estimate(p, 40000)
    low, high = estimate.interval()  # decided by bounds alone
    assert low < p < high < low + Fraction(1, 200)


# ----------------------------------------------------------------- the distribution of the estimate


@given(
    K=st.integers(1, 20),
    p=probabilities,
    adjusted=flags,
    coverage=st.sampled_from(["0.5", "0.9", "0.99", 1]),
)
def test_distribution_of_the_estimate(K, p, adjusted, coverage):
    estimate = monte_carlo_estimate(p, K, adjusted=adjusted)
    outcomes = [(estimate.value(b), estimate.pmf(b)) for b in range(K + 1)]
    mean = sum(x * weight for x, weight in outcomes)
    assert sum(weight for _, weight in outcomes) == 1
    assert (estimate.mean, estimate.variance) == (
        mean,
        sum((x - mean) ** 2 * weight for x, weight in outcomes),
    )
    assert estimate.zero_probability == sum(weight for x, weight in outcomes if x == 0)
    assert estimate.cdf(K // 2) == sum(weight for _, weight in outcomes[: K // 2 + 1])
    assert estimate.pmf(-1) == estimate.pmf(K + 1) == 0

    if adjusted:
        with pytest.raises(ExactPermError, match="adjusted=False"):
            estimate.mean_error_bounds()
    else:
        low, high = estimate.mean_error_bounds(40)
        assert low <= sum(abs(x - p) * weight for x, weight in outcomes) <= high
        assert high - low <= high / 2**38

    low, high = estimate.interval(coverage)
    beyond = (1 - Fraction(coverage)) / 2
    below = [sum(w for x, w in outcomes if x < low), sum(w for x, w in outcomes if x <= low)]
    above = [sum(w for x, w in outcomes if x > high), sum(w for x, w in outcomes if x >= high)]
    assert below[0] <= beyond and (below[1] > beyond or low == estimate.value(K))
    assert above[0] <= beyond and (above[1] > beyond or high == estimate.value(0))


def test_a_small_pvalue_prints_zero():
    """p = 1e-5, K = 20,000: the paper's estimate prints 0 with probability (1 - p)**K, more than 4 times in 5."""
    estimate = monte_carlo_estimate("1e-5", 20000, adjusted=False)
    assert Fraction("0.8187") < estimate.zero_probability < Fraction("0.8188")
    assert estimate.interval() == (0, Fraction(1, 20000))


# --------------------------------------------------------------------------------- how many samples


@pytest.mark.slow
@given(
    p=probabilities,
    alpha=levels,
    limit=st.sampled_from(["0.01", "0.1", "0.25", "0.49"]),
    rule=rules,
)
@settings(max_examples=60)
def test_samples_needed_by_definition(p, alpha, limit, rule):
    """The risk at K0 - 1 is above the limit, and no later one is, up to three times K0."""
    assume(abs(p - alpha) > Fraction(1, 20))  # nearer ones need too many samples for the definition
    needed = samples_needed(p, alpha, limit, **rule)
    risks = {
        K: risk(p, alpha, K, **rule)
        for K in range(max(1, needed - 1), min(3 * needed, needed + 60))
    }
    assert needed == 1 or risks[needed - 1] > Fraction(limit)
    assert all(value <= Fraction(limit) for K, value in risks.items() if needed <= K)


@pytest.mark.parametrize("strict", [False, True])
def test_no_number_of_samples_decides_a_tie(strict):
    """p = alpha: the risk stays about 1/2."""
    assert samples_needed("0.05", "0.05", "0.49", strict=strict) is None
    for K in (2000, 200_000):
        assert monte_carlo_risk_bounds("0.05", "0.05", K, strict=strict)[0] > Fraction("0.45")


def test_the_sawtooth_is_not_mistaken_for_its_end():
    """p = 0.04, alpha = 0.05, risk 1%: 2,240 already satisfies it and 2,279 does not; from 2,280 on all do."""
    assert samples_needed("0.04", "0.05", "0.01", adjusted=False) == 2280
    assert monte_carlo_risk("0.04", "0.05", 2240, adjusted=False) <= Fraction("0.01")
    assert monte_carlo_risk("0.04", "0.05", 2279, adjusted=False) > Fraction("0.01")
    assert all(
        monte_carlo_risk_bounds("0.04", "0.05", K, adjusted=False)[1] <= Fraction("0.01")
        for K in range(2280, 2420)
    )


def test_limits_that_equal_a_risk():
    """A limit equal to the risk at a peak is met there; a little less is not: only exact comparison can tell."""
    last = samples_needed("0.3", "0.4", "0.2") - 1
    at_peak = monte_carlo_risk("0.3", "0.4", last)
    assert samples_needed("0.3", "0.4", at_peak) <= last
    assert samples_needed("0.3", "0.4", at_peak - Fraction(1, 10**60)) == last + 1


def test_degenerate_pvalues():
    """p = 0 rejects as soon as 1 / (K + 1) can reach alpha; p = 1 never errs."""
    tiny = Fraction(1, 2**4000)
    for p, alpha, about, needed in (
        (0, "0.05", {"adjusted": False}, 1),
        (1, "0.05", {}, 1),
        (0, "0.05", {}, 19),
        (0, "0.05", {"strict": True}, 20),
        (0, "0.9", {}, 1),
        (tiny, "0.05", {}, 19),
        (1 - tiny, "0.05", {}, 1),
    ):
        assert samples_needed(p, alpha, "1e-9", **about) == needed


def test_too_close_to_call():
    """The least number is refused, but the number that the refusal names is enough."""
    told = complaint(BudgetExceeded, lambda: samples_needed("0.000093", "0.0001", "0.01"))
    number, _, text = told.partition(" ")
    assert text == "samples are enough, but finding the least number would take that many steps"
    assert 10**7 < int(number) < 10**8
    assert monte_carlo_risk_bounds("0.000093", "0.0001", int(number))[1] <= Fraction("0.01")


@pytest.mark.parametrize(
    "call",
    [
        lambda: monte_carlo_risk_bounds("0.04", "0.05", 10**400, bits=10**400),
        lambda: monte_carlo_risk_bounds("0.04", "0.05", 1000, budget=Budget(seconds=1e-6)),
        lambda: monte_carlo_estimate("0.04", 10**9).interval(),
        lambda: monte_carlo_estimate("0.04", 100, adjusted=False).mean_error_bounds(10**9),
    ],
)
def test_long_bounds_are_refused_before_they_start(call):
    with pytest.raises(BudgetExceeded, match=r"^bounds of .* bits for .* trials would take about "):
        call()


# ------------------------------------------------------------------------------------------- errors


def test_what_no_number_of_samples_decides():
    near = Fraction(1, 20) + Fraction(1, 10**20)
    told = complaint(BudgetExceeded, lambda: samples_needed(near, "0.05", "0.01"))
    assert " is too close to alpha = " in told
    assert " more than 10**15 samples" in told
    refused(ExactPermError, {"risk is '0.5'": lambda: samples_needed("0.5", "0.05", "0.5")})


@pytest.mark.parametrize(("adjusted", "words"), [(True, "(b + 1) / (K + 1)"), (False, "b / K")])
def test_what_people_see_of_an_estimate(adjusted, words):
    shown = str(monte_carlo_estimate(Fraction(1, 20), 100, adjusted=adjusted))
    assert shown.startswith(
        "Distribution of a Monte Carlo estimate of a p-value, computed exactly\n  exact p      0.05\n"
    )
    assert f"  estimate     {words}\n" in shown
