"""The null distribution laid out value by value, against its definition on a list of all values."""

import pickle
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import brute
from complaint import complaint
from exactperm.errors import ExactPermError
from exactperm.null.alternative import ALTERNATIVES
from exactperm.null.distribution import NullDistribution
from exactperm.null.tails import LaidOutTails

samples = st.lists(
    st.one_of(st.integers(-5, 5), st.fractions(-3, 3, max_denominator=4)), min_size=1, max_size=12
)
points = st.one_of(st.integers(-6, 6), st.fractions(-4, 4, max_denominator=8))


@pytest.mark.slow
@given(samples, points, st.fractions(0, 1, max_denominator=24))
@example([0, 1, 1, 3], 0, Fraction(0))  # mirrored numbers of values that are not
def test_probabilities(sample, x, q):
    null = NullDistribution.of(Counter(sample))
    total = len(sample)
    assert null.total == total
    assert null.pmf(x) == Fraction(sample.count(x), total)
    assert null.cdf(x) == Fraction(sum(t <= x for t in sample), total)
    assert null.sf(x) == Fraction(sum(t > x for t in sample), total)
    assert dict(null.items()) == Counter(sample)
    assert list(null.support) == sorted(set(sample))
    assert null.quantile(q) == min(x for x in null.support if null.cdf(x) >= q)
    mean = Fraction(sum(sample)) / total
    assert null.mean == mean
    assert null.variance == Fraction(sum((t - mean) ** 2 for t in sample)) / total


@pytest.mark.slow
@given(samples, points, st.sampled_from(ALTERNATIVES))
@example([0, 0, 1], 0, "doubled")  # twice 2/3
def test_pvalue(sample, x, alternative):
    null = NullDistribution.of(Counter(sample))
    assert null.pvalue(x, alternative) == brute.tail(sample, x, alternative)
    found = null.extremes(x, alternative)
    assert brute.shares(found) == brute.tails(sample, x, alternative)
    low, high = null.extreme_region(x, alternative)
    mass = sum((low is not None and t <= low) or (high is not None and t >= high) for t in sample)
    assert found.count == (min(len(sample), 2 * mass) if alternative == "doubled" else mass)


@pytest.mark.slow
@given(samples, st.fractions(0, 1, max_denominator=24), st.sampled_from(ALTERNATIVES))
def test_critical_value(sample, alpha, alternative):
    """They reject the values whose p-value is at most alpha, and each is one of them."""
    null = NullDistribution.of(Counter(sample))
    rejected = [t for t in null.support if null.pvalue(t, alternative) <= alpha]
    critical = null.critical_value(alpha, alternative)
    one_sided = {"less": (critical, None), "greater": (None, critical)}
    lower, upper = one_sided.get(alternative, critical)
    beyond = [
        t
        for t in null.support
        if (lower is not None and t <= lower) or (upper is not None and t >= upper)
    ]
    assert beyond == rejected
    assert {lower, upper} <= {None, *rejected}


@pytest.mark.slow
@given(samples, st.sampled_from(ALTERNATIVES))
def test_least_count(sample, alternative):
    null = NullDistribution.of(Counter(sample))
    tails = LaidOutTails(statistic=0, null=null, method="dp")
    assert tails.least_count(alternative) == min(
        null.extreme_count(t, alternative) for t in null.support
    )


def test_pickle_beyond_the_digits_limit():
    null = NullDistribution.of({Fraction(1, 3**9500): 7**6000, 2: 1, 5: 0})
    assert (pickle.loads(pickle.dumps(null)) == null) is True
    assert repr(null).startswith("NullDistribution(support=")
    assert len(null.support) == 2, "values without assignments are left out"


def test_arguments_are_checked():
    null = NullDistribution.of({0: 1})
    for name in ("pmf", "cdf", "sf", "pvalue", "quantile", "critical_value"):
        argument = {"quantile": "q", "critical_value": "alpha"}.get(name, "x")
        told = complaint(ExactPermError, lambda name=name: getattr(null, name)("x"))
        assert told.startswith(f"{argument} is 'x': ")
    for name in ("quantile", "critical_value"):
        told = complaint(ExactPermError, lambda name=name: getattr(null, name)(2))
        assert "must lie between 0 and 1" in told
    for name in ("pvalue", "extreme_count", "extremes"):
        told = complaint(ExactPermError, lambda name=name: getattr(null, name)(0, "bigger"))
        assert told.startswith("alternative is 'bigger': ")


def test_two_sided_is_the_default():
    skew = NullDistribution.of({0: 5, 1: 2, 9: 1})
    assert (skew.pvalue(0), skew.pmf(0), skew.sf(0)) == (
        Fraction(6, 8),
        Fraction(5, 8),
        Fraction(3, 8),
    )
    assert [skew.extreme_region(x, "doubled") for x in (0, 9)] == [(0, None), (None, 9)]
    assert skew.extremes(0, "doubled").tied == 10, "also where 2 * 5/8 is capped at 1"
    assert skew.pvalue(9) == Fraction(1, 8)
    assert skew.critical_value("1/8") == (None, 9)
    assert (skew.critical_value("1/8", "greater"), skew.critical_value("1/8", "less")) == (9, None)


def test_what_people_see():
    found = NullDistribution.of({-6: 1, -4: 1, -2: 1, 0: 2, 2: 1, 4: 1, 6: 1})
    assert str(found).splitlines() == [
        "Null distribution of the statistic, exact",
        "  values       7, from -6 to 6",
        "  assignments  8",
        "  mean         0",
        "  variance     14",
    ]
    assert "<caption>Null distribution of the statistic, exact</caption>" in found._repr_html_()
    assert "values       1, from 0\n" in str(NullDistribution.of({0: 1}))


def test_quantiles_and_the_picture_of_a_notebook():
    null = NullDistribution(support=(0, 1, 2), counts=(1, 2, 1))
    assert [null.quantile(q) for q in (0, "1/4", "0.26", "3/4", 1)] == [0, 0, 1, 1, 2]
    assert null._repr_svg_().startswith("<svg")


def test_many_values_have_no_moments_and_no_picture():
    null = NullDistribution(support=tuple(range(10**5 + 1)), counts=(1,) * (10**5 + 1))
    assert [label for label, _ in null.rows()] == ["values", "assignments"]
    assert null._repr_svg_() is None
