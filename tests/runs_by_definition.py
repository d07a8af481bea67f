"""Exact tests of several runs by their definition: every labeling is written down, and its statistic computed."""

from fractions import Fraction
from itertools import combinations, product

import brute


def mean(values):
    return Fraction(sum(map(Fraction, values))) / len(values)


def statistic(items, weights=None):
    """Weighted mean over the items of (mean of the first system's runs - mean of the second's)."""
    weights = [1] * len(items) if weights is None else weights
    return sum(w * (mean(a) - mean(b)) for w, (a, b) in zip(weights, items)) / Fraction(
        sum(map(Fraction, weights))
    )


def labelings(a, b):
    """All choices of the runs that carry the first label."""
    runs = [*a, *b]
    for chosen in combinations(range(len(runs)), len(a)):
        yield [runs[i] for i in chosen], [x for i, x in enumerate(runs) if i not in chosen]


def every_data_set(items, design):
    """All data sets that the null hypothesis of a design makes equally likely, each labeling once."""
    if design == "within":
        yield from product(*(labelings(a, b) for a, b in items))
    elif design == "items":
        yield from product(*(((a, b), (b, a)) for a, b in items))
    else:
        # columns: whole runs
        first, second = [list(zip(*(item[side] for item in items))) for side in (0, 1)]
        for left, right in labelings(first, second):
            yield list(zip(zip(*left), zip(*right)))


def values(items, design, weights=None):
    """The statistic of every labeling, the observed one among them."""
    return [statistic(labeled, weights) for labeled in every_data_set(items, design)]


def every_pvalue(every, observed):
    """P-values of the observed value among those of all labelings: {(tail, boundary): p}."""
    found = {}
    for boundary, tied in ((">=", 1), ("mid", Fraction(1, 2)), (">", 0)):
        for tail in ("less", "greater", "two-sided", "doubled"):
            found[tail, boundary] = brute.tail(every, observed, tail, tied)
        least = min(found["less", boundary], found["greater", boundary])
        found["min", boundary], found["2min", boundary] = least, 2 * least
    return found
