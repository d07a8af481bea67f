"""Cases with known probabilities for brackets in two dimensions, and regions of any shape for their parts."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import brute
from exactperm import f1_difference, precision_difference, ratio_difference, recall_difference
from exactperm.certified.joint_parameters import Border, Window
from exactperm.null.joint import JointTails
from exactperm.null.region import region
from exactperm.swaps.effects import swap_effects
from exactperm.swaps.lattice import lattice
from exactperm.swaps.statistic import Statistic, value_of

U, V = [5, 3, 8, 1, 9, 4, 7, 7], [2, 3, 9, 4, 1, 6, 2, 3]
COUNTS_U, COUNTS_V = [*zip(U, V), (1, 1)], [*((a % 3, b % 4) for a, b in zip(U, V)), (1, 1)]


def first(a, b):
    return a[0] - b[0]


def second(a, b):
    return a[1] - b[1]


PLANE = Statistic((first, second), lambda x, y: x * y, "product of differences")
STATISTICS = (f1_difference, precision_difference, recall_difference, ratio_difference)


def distribution(tally):
    """{(x, y): number of subsets} of a tally {(a, b): count}."""
    return brute.distribution({((0, 0), z): count for z, count in tally.items()}, (0, 0))


def columns(rng, statistic, n, better=0.0, most=None):
    """Two columns of counts, small unless said; the first system is perfect with probability ``better``."""
    most = most or rng.choice([1, 2, 3, 6])

    def entry(perfect):
        right = rng.randint(0, most)
        wrong = rng.randint(0, most)
        if rng.random() < perfect:
            right = most
            wrong = 0
        return (right, right + wrong + 1) if statistic is ratio_difference else (right, wrong)

    return [entry(better) for _ in range(n)], [entry(0.0) for _ in range(n)]


def tails_of(u, v, statistic=f1_difference, groups=None):
    return JointTails(swaps=lattice(swap_effects(u, v, statistic, groups=groups)), rule=statistic)


def regions_of(n, better, t=None, seed=1, most=None):
    """The right tail of F1, or of another value, in all coordinates, for n random items."""
    tails = tails_of(*columns(random.Random(seed), f1_difference, n, better, most))
    t = tails.statistic if t is None else t
    return [region(one, f1_difference, (t, True, False)) for one in tails.coordinates]


def random_lattice(rng, most=25):
    """(lattice of rank 2, statistic) of random columns, sometimes in groups."""
    while True:
        statistic = rng.choice(STATISTICS)
        n = rng.randint(4, most)
        u, v = columns(rng, statistic, n, rng.choice([0.0, 0.0, 0.3, 0.7]))
        groups = [rng.randint(0, n // 2) for _ in range(n)] if rng.random() < 0.3 else None
        swaps = lattice(swap_effects(u, v, statistic, groups=groups))
        if swaps.rank == 2:
            return swaps, statistic


def random_regions(rng, most=25):
    """Yield (region, its exact probability) for one random tail in all coordinates, or for its complement."""
    swaps, statistic = random_lattice(rng, most)
    tails = JointTails(swaps=swaps, rule=statistic)
    upper = rng.random() < 0.5
    strict = rng.random() < 0.5
    t = tails.statistic if rng.random() < 0.7 else Fraction(rng.randint(-9, 9), 10)

    def holds(value):
        if upper:
            return value > t if strict else value >= t
        return value < t if strict else value <= t

    for one in tails.coordinates:
        points = distribution(one.tally)
        extreme = sum(
            number
            for z, number in points.items()
            if holds(value_of(statistic.combine, one.sums(z)))
        )
        p = Fraction(extreme, sum(points.values()))
        found = region(one, statistic, (t, upper, strict))
        yield (found.outside(), 1 - p) if rng.random() < 0.5 else (found, p)


def random_window(rng, right):
    """Parameters of any quality for a region whose greatest x is ``right``."""
    first = rng.randint(0, right)
    last = rng.randint(first, right + 5)
    height = rng.randint(1, 12)
    period = height + rng.randint(0, 12)

    def pair():
        return rng.uniform(-1.5, 1.5), rng.uniform(-1.5, 1.5)

    return Window(
        tilt=pair(),
        changes=(pair(), pair(), pair(), pair()),
        far=pair(),
        rows=(first, last + (last - first) % 2),
        outer=(rng.randint(-2, first + 2), rng.randint(0, right + 2)),
        height=height,
        period=period + 1 - period % 2,
        scarcity=rng.choice([1.0, 100.0]),
        deviations=(rng.uniform(0.3, 5), rng.uniform(0.3, 5)),
    )


class Slab:
    """A region given by its tally and by the first y of each row, for parts that know nothing of statistics."""

    def __init__(self, deltas, firsts, bottom=None, top=None):
        self.deltas = deltas
        self.right = sum(a * count for (a, _), count in deltas.items())
        self._firsts = firsts
        self._ends = (
            sum(min(0, b) * count for (_, b), count in deltas.items())
            if bottom is None
            else bottom,
            sum(max(0, b) * count for (_, b), count in deltas.items()) if top is None else top,
        )

    @property
    def rows(self):
        return self.right // 2, 0, self.right

    def row(self, _x):
        return self._ends

    def first(self, x, _guess=0):
        return self._firsts[x]


def slab(rng, most=9):
    """A random :class:`Slab` and its border."""
    deltas = {}
    while len({a for a, _ in deltas}) < 2:
        deltas = {
            (a, rng.randint(-2, 3) if a else rng.randint(1, 3)): rng.randint(1, most)
            for a in (0, 1, 1, 2)
        }
    found = Slab(deltas, {})
    low, high = found.row(0)
    start = rng.uniform(low, high)
    slope = rng.uniform(-1, 1)
    for x in range(found.right + 1):
        found._firsts[x] = max(low, min(high + 1, int(start + slope * x) + rng.randint(-1, 1)))
    return found, Border(found)


def tilted(points, slope):
    """{point: float} of the distribution under the weights exp(slope point), and log M."""
    weights = {
        z: number * math.exp(slope[0] * z[0] + slope[1] * z[1]) for z, number in points.items()
    }
    total = sum(weights.values())
    return {z: weight / total for z, weight in weights.items()}, math.log(
        total / sum(points.values())
    )
