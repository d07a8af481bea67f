"""Exact tests of two samples and of sums by their definition: every choice is written down, and its statistic computed."""

from fractions import Fraction
from itertools import product
from math import prod


def count(every, observed, alternative):
    """Weight of the choices (t, weight) at least as extreme as the observed value, by the mean of them all."""
    total = sum(weight for _, weight in every)
    if alternative == "doubled":
        sides = [count(every, observed, side) for side in ("less", "greater")]
        return min(total, 2 * min(sides))
    mean = sum(t * weight for t, weight in every) / Fraction(total)
    extreme = {
        "greater": lambda t: t >= observed,
        "less": lambda t: t <= observed,
        "two-sided": lambda t: abs(t - mean) >= abs(observed - mean),
    }[alternative]
    return sum(weight for t, weight in every if extreme(t))


def sums(steps):
    """All choices of one value of each step: (sum, product of the weights)."""
    return [
        (sum(value for value, _ in chosen), prod(weight for _, weight in chosen))
        for chosen in product(*(step.items() for step in steps))
    ]


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
