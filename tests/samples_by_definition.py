"""Exact tests of two samples and of sums by their definition: every choice is written down, and its statistic computed."""

import json
import pickle
from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod

import brute
from exactperm import PermutationTestResult


def sums(steps):
    """All choices of one value of each step: {sum: product of the weights}."""
    found = Counter()
    for chosen in product(*(step.items() for step in steps)):
        found[sum(value for value, _ in chosen)] += prod(weight for _, weight in chosen)
    return found


def difference(strata, weights):
    """Mean of the differences of means, with the weights times m n / (m + n)."""
    shares = [Fraction(w * len(x) * len(y), len(x) + len(y)) for w, (x, y) in zip(weights, strata)]
    means = [
        Fraction(sum(x), len(x)) - Fraction(sum(y), len(y)) if x and y else 0 for x, y in strata
    ]
    return sum(share * mean for share, mean in zip(shares, means)) / sum(shares)


def wins(strata, weights):
    """Weighted number of pairs with the first above the second, ties as one half."""
    return sum(
        w * sum(Fraction((a > b) + (a >= b), 2) for a in x for b in y)
        for w, (x, y) in zip(weights, strata)
    )


def check(result, weights, alternative):
    """Compare a result with all choices {t: weight}, and with the record that is made of it."""
    observed, total = result.statistic, sum(weights.values())
    for p, boundary in ((result.pvalue, 1), (result.midp, Fraction(1, 2))):
        assert p == Fraction(brute.extreme(weights, observed, alternative, boundary)) / total
    assert result.total % total == 0
    least = min(brute.extreme(weights, t, alternative) for t in weights)
    assert result.min_attainable == Fraction(least, total)
    null = result.null_distribution
    assert {t: Fraction(n, null.total) for t, n in null.items()} == {
        t: Fraction(n, total) for t, n in weights.items()
    }
    assert null.mean == sum(t * weight for t, weight in weights.items()) / Fraction(total)
    if alternative != "two-sided":
        assert null.pvalue(observed, alternative) == result.pvalue
    record = json.loads(json.dumps(result.to_dict()))
    again = PermutationTestResult.from_dict(record)
    assert again == result == pickle.loads(pickle.dumps(result))
    assert again.to_dict() == record
    assert again.recount() == result
    assert (again.midp, again.total) == (result.midp, result.total)


SIDES = ("two-sided", "less", "greater")


def agrees(test, printed):
    """Compare a test with what another program prints of each of these sides, by doubles."""
    for alternative, p in zip(SIDES, printed):
        assert abs(float(p) / float(test(alternative=alternative).pvalue) - 1) < 1e-12
