"""The oracle: every assignment, with groups and all alternatives."""

from collections import Counter
from fractions import Fraction
from itertools import product

from exactperm.arithmetic.rational import lowest


def swapped(u, v, groups=None):
    """Every pair of columns (u', v') that swapping pairs, or groups of pairs, produces; the observed one first."""
    labels = list(range(len(u))) if groups is None else list(groups)
    units = list(dict.fromkeys(labels))
    for choice in product((False, True), repeat=len(units)):
        swap = dict(zip(units, choice))
        pairs = [(b, a) if swap[label] else (a, b) for a, b, label in zip(u, v, labels)]
        yield [a for a, _ in pairs], [b for _, b in pairs]


def values(u, v, statistic, groups=None):
    """The statistic of every assignment; the observed one first."""
    return [statistic(a, b) for a, b in swapped(u, v, groups)]


def pvalue(u, v, statistic, alternative="two-sided", groups=None):
    """The exact p-value by definition."""
    every = values(u, v, statistic, groups)
    return tail(every, every[0], alternative)


def extreme(weights, observed, alternative, boundary=1):
    """Weight of the values {t: weight} that are more extreme than the observed one; of those as extreme, this share."""
    total = sum(weights.values())
    if alternative == "doubled":
        sides = [extreme(weights, observed, side, boundary) for side in ("less", "greater")]
        return min(total, 2 * min(sides))
    centre = sum(t * weight for t, weight in weights.items()) / Fraction(total)
    size = {"greater": lambda t: t, "less": lambda t: -t, "two-sided": lambda t: abs(t - centre)}
    beyond = size[alternative]
    least = beyond(observed)
    return sum(
        weight * ((beyond(t) > least) + boundary * (beyond(t) == least))
        for t, weight in weights.items()
    )


def tail(every, observed, alternative, boundary=1):
    """The p-value of a list of all values, which counts those exactly as extreme with the weight ``boundary``."""
    return Fraction(extreme(Counter(every), observed, alternative, boundary)) / len(every)


def tails(every, observed, alternative):
    """The p-values with the boundary, without it, and with half of it."""
    return [tail(every, observed, alternative, weight) for weight in (1, 0, Fraction(1, 2))]


def shares(extremes):
    """The same three of counted parts of a p-value."""
    mid = Fraction(extremes.halves, 2 * extremes.total)
    return [Fraction(count, extremes.total) for count in (extremes.count, extremes.more)] + [mid]


def sum_of_differences(u, v):
    """The default statistic."""
    return sum(u) - sum(v)


def distribution(units, start):
    """{sums: number of assignments} of units {(stay, swap): number}: the paper's Alg. 5, line 7, unit after unit."""
    done = Counter({start: 1})
    for effects, count in units.items():
        for _ in range(count):
            before, done = done, Counter()
            for sums, number in before.items():
                for effect in effects:
                    done[tuple([s + e for s, e in zip(sums, effect)])] += number
    return done


def attainable(swaps):
    """The multiset of all sums that a canonical form stands for."""
    units = {((0,), (swaps.unit * d,)): count for d, count in swaps.tally.items()}
    found = distribution(units, (swaps.low,))
    return Counter({x: count << swaps.ties for (x,), count in found.items()})


def observed(effects):
    """The sums of the assignment in which every unit stays."""
    parts = [[x * n for x in stay] for (stay, _swap), n in effects.units.items()]
    return tuple(lowest(Fraction(sum(part)) / effects.scale) for part in zip(*parts))


def encloses(found, exact):
    """Compare certified brackets with the exact p-value and mid-p-value."""
    for bracket, value in ((found.bracket, exact.pvalue), (found.midp, exact.midp)):
        low, high = bracket.ends()
        assert low <= value <= high
