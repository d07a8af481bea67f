"""Make the terms of the leave-one-out recurrence in pieces, for sums that need not keep them all.

For {1: 2, 3: 1} the first two pieces of three terms are 1, 2, 1 and 1, 2, 1; only the last four
terms, as many as the sum of the differences, are kept between them. The terms of steps come from
the recurrence, or, where that is shorter, from one linear equation in neighbouring terms.

Source: spec/09-own-theorems.md#own-split, spec/15-runs.md#own-step-recurrence.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from operator import mul, sub

from ..swaps.units import Step, Tally, Units, pairs_of, steps_of
from .tally import bits_of, seconds_of_weights

Equation = list[tuple[int, int]]

PIECE = 256  # terms made at a time
_MOST_NEIGHBOURS = 100  # terms of an equation

# Measured on CPython 3.11: of steps, a type, a term, a bit of them; of the equation a term, a bit
# of it times a digit.
_SECONDS_TYPE, _SECONDS_TYPE_BIT = 1.5e-7, 2.5e-11
_SECONDS_VALUE, _SECONDS_VALUE_BIT = 1.4e-7, 5e-11
_SECONDS_NEIGHBOUR, _SECONDS_NEIGHBOUR_BIT = 8e-8, 4e-11


Pieces = Generator[list[int], int, None]
"""Sent a size, it yields as many further terms: P[0], P[1], ... and zeros without end; at first nothing."""


class Terms:
    """The numbers of choices with sum 0, 1, 2, ... (zeros beyond D), in pieces: what lies behind is dropped."""

    def __init__(self, units: Units, tick: Callable[[int], None]) -> None:
        self.made: int = 0
        self._tick = tick
        self._terms = _shortest(units)
        self._kept: deque[int] = deque(maxlen=sum([step[-1][0] for step in steps_of(units)]))
        next(self._terms)

    @property
    def last(self) -> Iterator[int]:
        """The counts made last, newest first, as many as the sum of the different reaches."""
        return reversed(self._kept)

    def pieces(self, length: int) -> Iterator[list[int]]:
        """Yield the next ``length`` counts in lists of at most PIECE."""
        for done in range(0, length, PIECE):
            yield self.take(min(PIECE, length - done))

    def take(self, size: int) -> list[int]:
        """Return the next ``size`` counts."""
        new = self._terms.send(size)
        self._kept.extend(new)
        self.made += size
        self._tick(size)
        return new


def _shortest(units: Units) -> Pieces:
    """Return the terms by the shortest way."""
    tally = pairs_of(units)
    if tally is not None:
        return _first_four(tally) if list(tally) == [1, 2, 3, 4] else _left_out_of_pairs(tally)
    steps = steps_of(units)
    _seconds, by_equation = seconds_of_step(steps)
    return _neighbours(steps) if by_equation else _left_out(steps)


def _left_out_of_pairs(tally: Tally) -> Pieces:
    """Yield the counts of pairs: Q_d[n-d] = P[n-d] - Q_d[n-2d] where n P[n] = sum_d c_d d Q_d[n-d] needs it."""
    left_out: list[tuple[int, int, list[int]]] = []  # d, d c_d, and Q_d[n-2d] in slot n % d
    counts: list[int] = []
    reach = max(tally, default=1)
    made, size = 0, (yield [])
    while True:
        for n in range(made, made + size):
            if n in tally:
                left_out.append((n, n * tally[n], [0] * n))
            total = 0
            for d, weight, last in left_out:
                slot = n % d
                last[slot] = value = counts[-d] - last[slot]
                total += weight * value
            counts.append(total // n if n else 1)
        made += size
        new = counts[len(counts) - size :]
        del counts[:-reach]
        size = yield new


def _first_four(tally: Tally) -> Pieces:
    """Yield the same counts for the differences 1, 2, 3 and 4, frequent among token counts: the loop written out.

    Measured on the paper's workload, a whole count takes a third longer without it for 1,000 pairs,
    a tenth longer for 10,000, and the same from 30,000 on (benchmarks/recurrence.py).
    """
    c1, c2, c3, c4 = [d * c for d, c in tally.items()]
    # The last four counts p, and of each Q_d the last d values, oldest first.
    p1 = p2 = p3 = p4 = q1 = r2 = r1 = s3 = s2 = s1 = t4 = t3 = t2 = t1 = 0
    made, size = 0, (yield [])
    while True:
        new: list[int] = []
        append = new.append
        for n in range(made, made + size):
            q1 = p1 - q1
            r2, r1 = r1, p2 - r2
            s3, s2, s1 = s2, s1, p3 - s3
            t4, t3, t2, t1 = t3, t2, t1, p4 - t4
            p4, p3, p2 = p3, p2, p1
            p1 = (c1 * q1 + c2 * r1 + c3 * s1 + c4 * t1) // n if n else 1
            append(p1)
        made += size
        size = yield new


def _left_out(steps: Mapping[Step, int]) -> Pieces:
    """Yield the counts of steps, for each type with the choices of all units but one of it."""
    first = math.prod([step[0][1] ** c for step, c in steps.items()])
    # Of each type c, g_t0, the terms (a, g, a less the value below it) from the greatest value down,
    # and Q_t[n-1], Q_t[n-2], ... from the end of a list.
    types = []
    for step, c in steps.items():
        terms = [(a, g, a - below) for (below, _), (a, g) in zip(step, step[1:])]
        types.append((c, step[0][1], terms[::-1], [0] * step[-1][0]))
    made, size = 0, (yield [])
    while True:
        new = []
        for n in range(made, made + size):
            total, lower = 0, []
            for c, _least, terms, known in types:
                # sum_a a y_a adds up y_a + y_(a+1) + ... for each a
                plain = weighted = 0
                for a, g, gap in terms:
                    plain += known[-a] if g == 1 else g * known[-a]
                    weighted += plain if gap == 1 else gap * plain
                total += c * weighted
                lower.append(plain)
            count = total // n if n else first
            for (_c, least, _terms, known), plain in zip(types, lower):
                known.append(count - plain if least == 1 else (count - plain) // least)
            new.append(count)
        for _c, _least, terms, known in types:
            del known[: -terms[0][0]]
        made += size
        size = yield new


def _neighbours(steps: Mapping[Step, int]) -> Pieces:
    """Yield the counts of steps, each from as many before it as all different steps reach together."""
    first = math.prod([step[0][1] ** c for step, c in steps.items()])
    lead = math.prod([step[0][1] for step in steps])
    law = equation(steps)
    factors, falls = [u for u, _v in law], [v for _u, v in law]
    last = deque([0] * len(law), maxlen=len(law))
    made, size = 0, (yield [])
    while True:
        new = []
        for n in range(made, made + size):
            count = sum(map(mul, factors, last)) // (n * lead) if n else first
            factors = list(map(sub, factors, falls))
            last.appendleft(count)
            new.append(count)
        made += size
        size = yield new


def seconds_of_step(steps: Mapping[Step, int]) -> tuple[float, bool]:
    """Estimate the seconds of a term of steps; return also whether the equation makes it."""
    bits = bits_of(steps)
    values = sum(map(len, steps)) - len(steps)
    by_type = len(steps) * (_SECONDS_TYPE + bits * _SECONDS_TYPE_BIT)
    by_type += values * (_SECONDS_VALUE + bits * (_SECONDS_VALUE_BIT + seconds_of_weights(steps)))
    order = sum([step[-1][0] for step in steps])
    # its coefficients count choices of one unit of each type
    digits = 1 + bits_of(dict.fromkeys(steps, 1)) // 30
    by_equation = order * (_SECONDS_NEIGHBOUR + bits * digits * _SECONDS_NEIGHBOUR_BIT)
    if order <= _MOST_NEIGHBOURS and by_equation < by_type:
        return by_equation, True
    return by_type, False


def equation(units: Units) -> Equation:
    """Return the recurrence of W as [(u_1, v_1), ..., (u_r, v_r)]: n v_0 W[n] = sum_j (u_j - v_j n) W[n-j] for n > 0.

    W[n] = 0 for n < 0. With V = prod G_t over the distinct units, of degree r, and U = sum_t c_t x
    G_t' V / G_t: x V W' = U W. Comparing coefficients, sum_j V_j (n-j) W[n-j] = sum_j U_j W[n-j]; so
    v_j = V_j and u_j = U_j + j V_j. Of pairs G_d = 1 + x^d, and v_0 = 1.
    """
    steps = steps_of(units)
    product = [1]
    for step in steps:
        factor, product = product, [0] * (len(product) + step[-1][0])
        for a, g in step:
            for i, x in enumerate(factor, a):
                product[i] += g * x
    weighted = [0] * len(product)
    for step, c in steps.items():
        quotient = product[: len(product) - step[-1][0]]
        for i in range(len(quotient)):
            lower = sum([g * quotient[i - a] for a, g in step[1:] if a <= i])
            quotient[i] = (quotient[i] - lower) // step[0][1]
        for a, g in step[1:]:
            for i, x in enumerate(quotient, a):
                weighted[i] += c * a * g * x
    return [(weighted[j] + j * product[j], product[j]) for j in range(1, len(product))]
