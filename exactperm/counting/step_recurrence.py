"""The leave-one-out recurrence for items whose values have weights.

With c_t items of the step G_t(x) = sum_a g_ta x^a, g_t0 > 0, the numbers of choices are the
coefficients of P = prod G_t^c_t. Leaving out one item of type t gives Q_t = P / G_t, again numbers
of choices: every division by g_t0 is exact, nothing cancels and nothing grows. Comparing
coefficients in P = G_t Q_t and in x P' = sum_t c_t (x G_t') Q_t:

    n P[n] = sum_t c_t sum_a a g_ta Q_t[n-a],        Q_t[n] = (P[n] - sum_(a>0) g_ta Q_t[n-a]) / g_t0.

For two items of 1 + 2x, P[0] = Q[0] = 1; 1 P[1] = 2 * 2 Q[0] = 4, so Q[1] = 4 - 2 = 2; 2 P[2] = 2 *
2 Q[1] = 8, so P[2] = 4: P = 1, 4, 4 is (1 + 2x)^2.

The pair is the step ((0, 1), (d, 1)), and this is then :mod:`exactperm.counting.recurrence`.
Source: spec/15-runs.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from ..budget import Estimate, Progress, Unfit
from ..swaps.units import Step, degree

_REPORT = 256  # sums between two reports of progress
_MOST_STEPS = 10**11
_TRIMMED = 512  # sums after which what no item reaches any more is dropped

# Measured on CPython 3.11.
_SECONDS_START, _SECONDS_SUM, _SECONDS_TYPE = 2e-5, 1.5e-7, 1.5e-7
_SECONDS_TERM = 1.6e-7
_SECONDS_BIT = 6.5e-11  # of a term
_SECONDS_PRODUCT = 1e-9  # a digit of 30 bits times a digit
_BYTES_START, _BYTES_NUMBER = 2_000, 40


def estimate(types: Mapping[Step, int], k: int | None) -> Estimate | Unfit:
    """Estimate seconds and bytes: sums times terms, each of a few operations on numbers below the count."""
    span = degree(types)
    last = span if k is None else k
    terms = sum(sum(value <= last for value, _weight in step) - 1 for step in types)
    if (terms + 1) * (last + 1) > _MOST_STEPS:
        return Unfit(reason=f"would take more than {_MOST_STEPS:.0e} steps")
    bits = bits_of(types)
    sums = _SECONDS_SUM + len(types) * (_SECONDS_TYPE + bits * _SECONDS_BIT)
    seconds = _SECONDS_START + (last + 1) * (
        sums + terms * (_SECONDS_TERM + bits * (_SECONDS_BIT + seconds_of_weights(types)))
    )
    kept = sum(min(step[-1][0], last) + _TRIMMED for step in types) + (span if k is None else 0)
    return Estimate(seconds=seconds, bytes=int(_BYTES_START + kept * (_BYTES_NUMBER + bits / 8)))


def bits_of(types: Mapping[Step, int]) -> float:
    """Return about the length in bits of the number of all choices.

    >>> bits_of({((0, 1), (1, 3)): 5})
    10.0
    """
    return sum(
        count * math.log2(sum(weight for _value, weight in step)) for step, count in types.items()
    )


def seconds_of_weights(types: Mapping[Step, int]) -> float:
    """Return the seconds that products with weights of several digits take, for each bit of a number and each term.

    >>> seconds_of_weights({((0, 1), (1, 3)): 5})
    0.0
    """
    # digits beyond the first
    lengths = [weight.bit_length() // 30 for step in types for _value, weight in step]
    return sum(lengths) / len(lengths) / 30 * _SECONDS_PRODUCT if lengths else 0.0


def count_at_most(types: Mapping[Step, int], k: int, *, progress: Progress | None = None) -> int:
    """Count the choices whose values sum to at most k.

    >>> count_at_most({((0, 1), (1, 2)): 2}, 1)
    5
    """
    return sum(_coefficients(types, k, progress))


def counts(types: Mapping[Step, int], *, progress: Progress | None = None) -> dict[int, int]:
    """Return the whole distribution {sum: number of choices}, ascending, zeros left out.

    >>> counts({((0, 1), (1, 2)): 2})
    {0: 1, 1: 4, 2: 4}
    """
    return {
        n: count for n, count in enumerate(_coefficients(types, degree(types), progress)) if count
    }


def _coefficients(types: Mapping[Step, int], k: int, progress: Progress | None) -> Iterator[int]:
    """Yield P[0], ..., P[k]."""
    first = math.prod(step[0][1] ** count for step, count in types.items())
    yield first
    # Of each type its terms, the number of its items, and Q_t[n-1], Q_t[n-2], ... as the last
    # entries of a list.
    left_out = []
    for step, number in types.items():
        terms = [(value, weight) for value, weight in step[1:] if value <= k]
        if terms:
            least, reach = step[0][1], terms[-1][0]
            left_out.append((terms, number, least, reach, [0] * reach + [first // least]))
    for n in range(1, k + 1):
        # 1. n P[n] = sum_t c_t sum_a a g_ta Q_t[n-a]
        total, lower = 0, []
        for terms, number, _least, _reach, known in left_out:
            weighted = plain = 0
            for value, weight in terms:
                part = known[-value] if weight == 1 else weight * known[-value]
                plain += part
                weighted += part if value == 1 else value * part
            total += number * weighted
            lower.append(plain)
        count = total // n
        # 2. Q_t[n] = (P[n] - sum_(a>0) g_ta Q_t[n-a]) / g_t0
        for (_terms, _number, least, _reach, known), plain in zip(left_out, lower):
            known.append(count - plain if least == 1 else (count - plain) // least)
        yield count
        if n % _TRIMMED == 0:
            for _terms, _number, _least, reach, known in left_out:
                del known[:-reach]
        if progress and n % _REPORT == 0:
            progress(n, k)
