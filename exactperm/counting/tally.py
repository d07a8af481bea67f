"""The units that every engine counts, and the reductions that engines share.

A unit adds one of finitely many values, each with a weight: it is a step ((0, g0), (a1, g1), ...).
A pair is the step ((0, 1), (d, 1)), and pairs alone have the short form of a tally.

The tally {1: 2, 3: 1} stands for the polynomial (1 + x)^2 (1 + x^3) of degree 5 with the
coefficients 1, 2, 1, 1, 2, 1: the numbers of subsets of its three pairs with the sums 0, 1, ..., 5.

Source: spec/09-own-theorems.md#own-symmetry, spec/15-runs.md#own-steps.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import mul

from ..budget import Progress
from ..swaps.units import (
    Step,
    Tally,
    Units,
    choices,
    compact,
    degree,
    mirrored,
    pairs_of,
    steps_of,
)

_SECONDS_PRODUCT = 1e-9  # a digit of 30 bits times a digit
_MOST_LAYERS = 8  # times that steps are folded: each may drop no more than a term of many


def distribution(low: Sequence[int], top: int) -> dict[int, int]:
    """Return {sum: number of choices}, ascending, zeros left out, from P[0], P[1], ... and ``top`` = D.

    Where ``low`` ends in the middle, at D // 2, it is the lower half of a palindrome: P[D-x] = P[x],
    and both share one integer.

    >>> distribution([1, 2, 1], 5), distribution([1, 4, 4], 2)
    ({0: 1, 1: 2, 2: 1, 3: 1, 4: 2, 5: 1}, {0: 1, 1: 4, 2: 4})
    """
    found = {x: n for x, n in enumerate(low) if n}
    if len(low) <= top:
        found.update((top - x, found[x]) for x in reversed(list(found)))
    return found


def reach(unit: int | Step) -> int:
    """Return the greatest value of a unit: the difference of a pair, the last value of a step.

    >>> reach(3), reach(((0, 1), (2, 5)))
    (3, 2)
    """
    return unit if isinstance(unit, int) else unit[-1][0]


def with_unit(
    before: Mapping[int, int], terms: Collection[tuple[int, int]], most: float = math.inf
) -> dict[int, int]:
    """Return {sum: number of choices} up to ``most`` with one unit more, of these terms (value, weight).

    >>> with_unit({0: 1, 1: 2}, ((0, 1), (1, 2)))
    {0: 1, 1: 4, 2: 4}
    """
    done: dict[int, int] = {}
    for value, weight in terms:
        if not value and weight == 1 and not done:
            done = dict(before)
            continue
        get = done.get
        for x, n in before.items():
            x += value
            if x <= most:
                done[x] = get(x, 0) + n * weight
    return done


def weighted(first: list[int], upto: list[int], rest: int) -> int:
    """Return the sum of first[a] * upto[rest - a], where ``upto`` stays at its last entry.

    >>> weighted([1, 2, 1], [1, 1, 1, 2], 1)
    3
    """
    # for the first of them all of the second is below the rest
    whole = max(0, rest + 1 - len(upto))
    facing = upto[max(0, rest + 1 - len(first)) : rest + 1 - whole]
    products: Iterable[int] = map(mul, first[whole : rest + 1], reversed(facing))
    return sum(first[:whole]) * upto[-1] + sum(products)


def ticker(progress: Progress | None, total: int) -> Callable[[int], None]:
    """Return ``tick(n)``: add n finished units and call ``progress(done, total)``.

    >>> tick = ticker(print, 3)
    >>> tick(1), tick(2)
    1 3
    3 3
    (None, None)
    """
    if progress is None:
        return lambda _units: None
    report, done = progress, 0

    def tick(units: int) -> None:
        nonlocal done
        done += units
        report(done, total)

    return tick


def folded(units: Units, k: int) -> tuple[list[tuple[int, int]], Units, int]:
    """Fold a threshold k >= 0: return ([(a0, b0), ...], units2, k2), #{X <= k} = a0 + b0 (a1 + b1 (... #{X2 <= k2})).

    No value of units2 is above k2, their greatest common divisor is 1, and of pairs k2 < D2 - k2.
    Where nothing is left, #{X2 <= k2} stands for 0. A choice with a sum up to k has no value above
    k; without these k may lie past the middle, where the complement is counted: #{X <= k} = (all
    choices) - #{D - X <= D - k - 1}. Of steps with many terms each complement may drop one of them,
    so that a few complements are enough; of pairs each drops a difference above half of D.
    ``units`` ascend. Cost: a pass over them for each complement.

    >>> folded({2: 4, 6: 1, 100: 5}, 9), folded({((0, 1), (1, 2)): 2}, 1)
    (([(32, -1), (16, -1)], {1: 4}, 1), ([(9, -1), (0, 4), (1, 0)], {}, 0))
    """
    layers: list[tuple[int, int]] = []
    while True:
        units, share = compact(units), 1
        tally = pairs_of(units)
        if tally is None:
            units, share = _within(steps_of(units), k)
        elif max(tally, default=0) > k:
            units = {d: c for d, c in tally.items() if d <= k}
        if share > 1:
            layers.append((0, share))
        span = degree(units)
        if k >= span:
            return [*layers, (choices(units), 0)], {}, 0
        if 2 * k < span or (len(layers) > _MOST_LAYERS and pairs_of(units) is None):
            return layers, *divided(units, k)
        layers.append((choices(units), -1))
        units, k = mirrored(units), span - k - 1


def _within(steps: Mapping[Step, int], k: int) -> tuple[Units, int]:
    """Drop the terms above k, which no sum up to k has: (the rest, the choices of the units that have one term left)."""
    rest: dict[Step, int] = {}
    share = 1
    for step, c in steps.items():
        terms = step if reach(step) <= k else tuple([term for term in step if term[0] <= k])
        if len(terms) > 1:
            rest[terms] = rest.get(terms, 0) + c
        else:
            share *= step[0][1] ** c
    return compact(dict(sorted(rest.items()))), share


def divided(units: Units, k: int) -> tuple[Units, int]:
    """Divide all values, and k, by the common divisor of the values.

    >>> divided({4: 2, 6: 1}, 9), divided({((0, 1), (3, 1)): 2}, 5)
    (({2: 2, 3: 1}, 4), ({((0, 1), (1, 1)): 2}, 1))
    """
    tally = pairs_of(units)
    values = [value for step in steps_of(units) for value, _ in step] if tally is None else tally
    unit = math.gcd(*values)
    if unit == 1:
        return units, k
    if tally is not None:
        return {d // unit: c for d, c in tally.items()}, k // unit
    steps = steps_of(units).items()
    return {tuple([(a // unit, g) for a, g in step]): c for step, c in steps}, k // unit


def expanded(tally: Tally) -> list[int]:
    """Return all coefficients of prod (1 + x**d)**c_d, for few pairs: 1 + x**d is a shift and an addition of slots.

    Counts of M pairs are below 2**M, or 1 where M = 0.

    >>> expanded({1: 2, 3: 1})
    [1, 2, 1, 1, 2, 1]
    """
    from ..arithmetic.slots import byte_length, unpacked  # loaded where it is used

    width = max(1, byte_length(sum(tally.values())))
    packed = 1
    for d, c in tally.items():
        for _ in range(c):
            packed += packed << 8 * width * d
    return unpacked(packed, width)


def sums_up_to(units: Units, k: int) -> float:
    """Estimate the number of choices of one sum of every type of units with a sum up to k; at least 1.

    >>> round(sums_up_to({1: 2, 3: 1}, 5))
    6
    """
    return math.exp(min(99.0, max(kept_logarithms(units, k), default=0.0)))


def kept_logarithms(units: Units, k: int | None) -> Iterator[float]:
    """Estimate, after each type of units, the logarithm of the number of its sums up to k so far.

    c units of s values reach C(c + s - 1, c) times the sums before them: c pairs reach c + 1 times
    as many. With each of these equally likely, the sums of a type have c times the mean of the
    values, and c (c + s) / (s + 1) times their variance. By the normal law a share of erfc(x) / 2 is
    at most k: x = (mean - k) / sqrt(2 variance), and erfc(x) is about exp(-x**2) / (x sqrt(pi)) for
    large x. Lengths are floats in units of a power of two, so that squares stay finite.
    """
    total = degree(units)
    shift = max(0, total.bit_length() - 400)
    limit = math.inf if k is None or k >= total else float(k >> shift)
    logarithm = mean = variance = 0.0
    for more, far, spread in _types(units, shift):
        logarithm, mean, variance = logarithm + more, mean + far, variance + spread
        x = (mean - limit) / math.sqrt(2 * variance or 1.0)
        share = (
            math.log(math.erfc(x) / 2) if x < 5 else -x * x - math.log(2 * x * math.sqrt(math.pi))
        )
        yield max(0.0, logarithm + share)


def _types(units: Units, shift: int) -> Iterator[tuple[float, float, float]]:
    """Yield of each type the logarithm of the number of its sums, their mean and their variance."""
    tally = pairs_of(units)
    if tally is not None:
        for d, c in tally.items():
            length = float(d >> shift)
            yield math.log(c + 1), c * length / 2, length * length * c * (c + 2) / 12
        return
    for step, c in steps_of(units).items():
        values, s = [float(value >> shift) for value, _weight in step], len(step)
        mean = sum(values) / s
        spread = sum([(value - mean) ** 2 for value in values]) / s
        logarithm = math.lgamma(c + s) - math.lgamma(c + 1) - math.lgamma(s)
        yield logarithm, c * mean, spread * c * (c + s) / (s + 1)


def bits_of(units: Units) -> float:
    """Return about the length in bits of the number of all choices.

    >>> bits_of({((0, 1), (1, 3)): 5})
    10.0
    """
    if pairs_of(units) is not None:
        return sum(units.values())
    return sum(
        count * math.log2(sum([weight for _value, weight in step]))
        for step, count in steps_of(units).items()
    )


def seconds_of_weights(units: Units) -> float:
    """Return the seconds that products with weights of several digits take, for each bit of a number and each term.

    >>> seconds_of_weights({((0, 1), (1, 3)): 5})
    0.0
    """
    # digits beyond the first
    lengths = [weight.bit_length() // 30 for step in steps_of(units) for _value, weight in step]
    return sum(lengths) / len(lengths) / 30 * _SECONDS_PRODUCT if lengths else 0.0
