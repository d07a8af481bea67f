"""Cases with known probabilities for the certified bracket: (name, tally, k, P(X <= k)), by the kind of data.

Every k is folded, max d <= k < (D - 1) / 2, so that an inversion takes it as it is. Needs nothing
but the package: ``python3 tests/bracket_cases.py`` prints the digest of 60 brackets, which is the
same on every interpreter.
"""

from __future__ import annotations

import copy
import hashlib
import math
import random
from bisect import bisect_right
from collections import Counter
from fractions import Fraction
from itertools import accumulate, combinations

from exactperm.budget import Budget, Options
from exactperm.certified.bracket import tail_bracket
from exactperm.certified.damping import strength_of
from exactperm.certified.factors import PairFactors
from exactperm.certified.inversion import Bracket, Inversion
from exactperm.certified.parameters import choose
from exactperm.certified.sums import Characteristic
from exactperm.counting import dp, plan
from exactperm.counting.tally import folded as reduced
from exactperm.record import replaced
from exactperm.swaps.draws import canonical_items


def drawn(rng, kind, n):
    """n positive differences: like doubles of 16 digits, heavy tails, two scales, powers, or small integers."""
    if kind == "gauss":
        return [int(abs(rng.gauss(0, 1)) * 10**16) + 1 for _ in range(n)]
    if kind == "cauchy":
        return [
            int(abs(rng.gauss(0, 1) / (abs(rng.gauss(0, 1)) + 1e-3)) * 10**16) + 1 for _ in range(n)
        ]
    if kind == "mixed":
        return [
            rng.randint(1, 900) * 10**13 if rng.random() < 0.5 else int(rng.random() * 9e15) + 1
            for _ in range(n)
        ]
    if kind == "powers":
        return [int(1.7**i * 10 ** rng.randint(0, 2)) + 1 for i in range(n)]
    largest = rng.choice([3, 30, 3000])
    return [rng.randint(1, largest) for _ in range(n)]


KINDS = ("gauss", "cauchy", "mixed", "powers", "integers")


def folded(differences, k):
    """The tally and the threshold that are left to count, or None where nothing is."""
    _, kept, k = reduced(dict(sorted(Counter(differences).items())), max(0, k))
    span = sum(d * count for d, count in kept.items())
    return (kept, k) if kept and 2 * k < span - 1 else None


def enumerated(rng, most=13):
    """All subset sums listed; often a tie at the threshold."""
    while True:
        kind = rng.choice(KINDS)
        differences = drawn(rng, kind, rng.randint(3, most))
        case = folded(differences, rng.randint(min(differences), sum(differences) // 2))
        if case is None:
            continue
        tally, k = case
        sums = [0]
        for d, count in tally.items():
            for _ in range(count):
                sums += [x + d for x in sums]
        sums.sort()
        if rng.random() < 0.4:
            k = next((x for x in reversed(sums[: bisect_right(sums, k)]) if x >= max(tally)), k)
        return f"enumerated, {kind}", tally, k, Fraction(bisect_right(sums, k), len(sums))


def counted(name, tally, k):
    """A case by an exact count, or None where nothing is left to count."""
    case = folded([d for d, count in tally.items() for _ in range(count)], k)
    if case is None:
        return None
    tally, k = case
    count, _ = plan.count_at_most(tally, k, Options(budget=Budget(seconds=60)))
    return name, tally, k, Fraction(count, 2 ** sum(tally.values()))


def below(rng, differences, low, high):
    """A threshold so many standard deviations below the middle; sometimes the sum of a subset."""
    if rng.random() < 0.3:
        return sum(d for d in differences if rng.random() < 0.42)
    deviation = math.isqrt(sum(d * d for d in differences)) // 2
    return max(0, sum(differences) // 2 - int(deviation * rng.uniform(low, high)))


def lattice(rng):
    """Integers up to 3,000, from 5 to 80 pairs: three and four decimals."""
    while True:
        largest = rng.choice([1, 2, 5, 30, 300, 3000])
        differences = [rng.randint(1, largest) for _ in range(rng.randint(5, 80))]
        case = counted("lattice", Counter(differences), below(rng, differences, -0.5, 3))
        if case:
            return case


def far_tail(rng):
    """Four to thirteen standard deviations below the middle, down to 1e-60."""
    while True:
        largest = rng.choice([1, 3, 20, 60])
        differences = [rng.randint(1, largest) for _ in range(rng.randint(60, 300))]
        deviation = math.isqrt(sum(d * d for d in differences)) / 2
        case = counted(
            "far tail",
            Counter(differences),
            int(sum(differences) / 2 - rng.uniform(4, 17) * deviation),
        )
        if case:
            return case


def perturbed(rng):
    """A lattice on a lattice 1e13 times finer, with noise that changes no order and no count."""
    while True:
        n = rng.randint(15, 60)
        largest = rng.choice([50, 500])
        differences = [rng.randint(1, largest) for _ in range(n)]
        case = counted("perturbed", Counter(differences), below(rng, differences, -0.5, 4))
        if case is None:
            continue
        name, tally, k, p = case
        unit = 10**13
        fine = Counter(
            d * unit + rng.randint(0, unit // (2 * n) - 1) for d in Counter(tally).elements()
        )
        threshold = k * unit + unit // 2
        if max(fine) <= threshold < (sum(d * c for d, c in fine.items()) - 1) // 2:
            return name, dict(sorted(fine.items())), threshold, p


def met(rng, low=28, high=34):
    """Doubles of 16 digits, counted by a meet in the middle."""
    while True:
        differences = drawn(rng, rng.choice(KINDS[:3]), rng.randint(low, high))
        case = counted("meet in the middle", Counter(differences), below(rng, differences, -0.5, 4))
        if case:
            return case


def distribution(tally):
    """All counts, by multiplying out prod (1 + x**d)**c one factor at a time."""
    counts = [1]
    for d, pairs in tally.items():
        for _ in range(pairs):
            counts = [a + b for a, b in zip(counts + [0] * d, [0] * d + counts)]
    return counts


def probability(counts, k):
    return Fraction(sum(counts[: max(0, k + 1)]), sum(counts))


def contains(bracket, value):
    lower, upper = bracket.ends()
    return lower <= value <= upper


def with_width(inversion, width):
    """The inversion with so many places of the sums, at most those of the exponentials, so that their errors show."""
    tilted = inversion.tilted
    other = copy.copy(inversion)
    other.width = width
    other.phi = Characteristic(tilted.factors, tilted.law.counts, inversion.period, width)
    other.bracket = Bracket(tilted, inversion.place, other.phi, inversion.precision)
    return other


def dampers_of(groups, powers):
    """The dampers of pairs, from the enclosures of exp(-lambda d)."""
    return [(d, count, strength_of(power)) for (d, count), power in zip(groups, powers)]


def chosen(tally, k, bits, spare=0):
    """The inversion of pairs {d: count} or [(d, count)] with the parameters that are chosen for it."""
    law = PairFactors(sorted(dict(tally).items()))
    return Inversion(law, k, bits, choose(law, k, bits + spare))


def inverted(tally, k, digits=17):
    """The inversion itself, also where an exact count would be quicker; for 0 < d <= k < (D - 1) / 2."""
    return enclosed(chosen(tally, k, digits * 10 // 3 + 9, 3), 10.0**-digits)


def enclosed(inversion, width, limit=10**8):
    """The bracket of an inversion, to a relative width if so many units of work allow."""
    return inversion.bounds(inversion.scan.settle(inversion.aim(width), limit))


def random_case(rng):
    """A tally, its distribution, and thresholds below the middle that no pair exceeds."""
    while True:
        largest = rng.choice([1, 2, 3, 5, 12, 40])
        tally = {}
        for _ in range(rng.choice([1, 2, 2, 3, 5])):
            d = rng.randint(1, largest)
            tally[d] = tally.get(d, 0) + rng.choice([1, 1, 2, 3, 10, rng.randint(1, 40)])
        span = sum(d * c for d, c in tally.items())
        largest = max(tally)
        if 2 * largest + 1 < span:
            last = (span - 2) // 2
            ks = {
                largest,
                last,
                rng.randint(largest, last),
                rng.randint(largest, min(last, largest + 9)),
            }
            return dict(sorted(tally.items())), distribution(tally), sorted(ks)


def random_types(rng, most=40):
    """Few different steps of two to six values, mostly not symmetric, some of them often."""
    largest = rng.choice([1, 2, 6, 30])
    found = {}
    for _ in range(rng.randint(1, 4)):
        values = {0, *(rng.randint(1, largest) for _ in range(rng.randint(1, 5)))}
        step = tuple((a, rng.choice([1, 1, 2, 9, rng.randint(1, 300)])) for a in sorted(values))
        found[step] = rng.choice([1, 2, 5, rng.randint(1, most)])
    return dict(sorted(found.items()))


def random_draws(rng):
    """One to three different draws, some of them often, most with ties."""
    found = {}
    for _ in range(rng.randint(1, 3)):
        n = rng.randint(2, 8)
        top = rng.choice([1, 3, 10, 40])
        values = tuple(sorted([0, top, *(rng.randint(0, top) for _ in range(n - 2))]))
        found[rng.randint(1, n - 1), values] = rng.choice([1, 1, 2, 4])
    return found


def exactly(units):
    """P(X <= k) for all k of steps, or of draws, of which every choice is listed."""
    steps = Counter()
    for unit, count in units.items():
        if isinstance(unit[0], int):
            m, values = unit
            sums = Counter(sum(chosen) - sum(values[:m]) for chosen in combinations(values, m))
            unit = tuple(sorted(sums.items()))
        steps[unit] += count
    sums = dp.counts(steps)
    whole = sum(sums.values())
    return [
        Fraction(below, whole) for below in accumulate(sums.get(x, 0) for x in range(max(sums) + 1))
    ]


def real_steps(n, m, k, seed=1):
    """Steps of n items with m and k runs of doubles."""
    rng = random.Random(seed)
    return canonical_items(
        {
            (m, 1, tuple(sorted(int(rng.random() * 2**53) for _ in range(m + k)))): 1
            for _ in range(n)
        },
        0,
        1,
    ).tally


def spoiled(rng, choice, span):
    """The choice with slopes of any size and sign, and with windows and reaches of any length."""
    slopes = {name: getattr(choice, name) for name in ("tilt", "above", "below")}
    factors = [1, 1, 3 * rng.random(), 0, -1, 40]
    return replaced(
        choice,
        **{name: slope * rng.choice(factors) for name, slope in slopes.items()},
        window=rng.choice([choice.window, 1 + int(2 * rng.random() * span), 0, -5]),
        reach=rng.choice([choice.reach, int(rng.random() * span), -3]),
        scarcity=choice.scarcity * rng.choice([1, 100, 0.01, 0, -1]),
    )


def check_spoiled(rng, law, k, truth, *, base=0, thresholds=None):
    """Fail where a bracket of P(X <= k), or of the mean over thresholds, with parameters that are spoiled misses the truth."""
    bits = rng.choice([6, 12, 30, 60])
    choice = spoiled(rng, choose(law, k + base, bits), law.span - base)
    inversion = Inversion(law, k + base, bits, choice, thresholds)
    width, limit = rng.choice([0.5, 1e-2, 1e-6, 1e-15]), rng.choice([10, 500, 5000, 10**5])
    assert contains(enclosed(inversion, width, limit), truth), (k, choice, thresholds)


def brackets():
    """60 brackets of fixed seeds: 50 inversions, half of them of numbers like doubles, and ten with pairs set apart."""
    rng = random.Random(7)
    for i in range(50):
        if i % 2:
            tally = {
                rng.randint(1, 30): rng.randint(1, rng.choice([50, 5000]))
                for _ in range(rng.randint(1, 6))
            }
            digits = rng.choice([17, 40])
        else:
            tally = {rng.randint(1, 10**16): 1 for _ in range(rng.choice([20, 60, 300]))}
            digits = rng.choice([2, 3])
        span = sum(d * c for d, c in tally.items())
        k = int(span * rng.choice([0.3, 0.45, 0.49]))
        inversion = chosen(tally, k, digits * 10 // 3 + 9)
        width = float(f"1e-{digits}")  # a power of floats is the C library's
        yield enclosed(inversion, width, rng.choice([10**6, 20_000]))
    for u in range(1, 11):
        off = {rng.randint(1, 10**12) for _ in range(u)}
        tally = dict.fromkeys(sorted({rng.randint(1, 300) * 10**9 for _ in range(150)} | off), 1)
        k = int(sum(tally) * rng.choice([0.35, 0.45]))
        yield tail_bracket(tally, k, rng.choice([4, 17]), budget=Budget(seconds=60, bytes=1))


def digest():
    """The SHA-256 of all ends of :func:`brackets`, its first half."""
    text = "\n".join(" ".join(map(hex, bracket)) for bracket in brackets())
    return hashlib.sha256(text.encode()).hexdigest()[:32]


if __name__ == "__main__":
    print(digest())
