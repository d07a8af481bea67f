"""Tails of the binomial distribution, exact or between certified bounds.

B counts the successes among K independent trials of probability p. With p = a / d and b = d - a,

    P(B <= c) = (b / d)**(K - c) * sum_{j=0}^{c} C(K, j) a**j b**(c - j) / d**c,

a number of K times the digits of p. A comparison with a limit rarely needs all of them. Bounds of
64 bits usually decide it, bounds of more bits where the first contain the limit. The exact fraction
is needed only where tail and limit agree to its last digits. With K = 4, c = 1 and p = 1/2 the tail
is (1 + 4) / 16.

Source: spec/09-own-theorems.md#own-samples-needed.
"""

from __future__ import annotations

import math
from fractions import Fraction

from ..arithmetic.enclosure import ONE, ZERO, Enclosure, enclosed
from ..arithmetic.quoting import short_integer
from ..arithmetic.rational import Exact, dyadic
from ..budget import Budget, Estimate
from ..errors import BudgetExceeded

_MOST_BITS = 2**25
"""Bits of the denominator up to which an exact tail is written out: about 20 s."""

_FIRST_BITS = 64


def lower_tail(K: int, c: int, p: Exact) -> Fraction:
    """Return P(B <= c), exact; ``BudgetExceeded`` where K times the bits of p are more than 2**25.

    Cost: some products of that many bits; the sum is split into halves.

    >>> lower_tail(4, 1, Fraction(1, 2))
    Fraction(5, 16)
    """
    if c < 0 or c >= K or p in (0, 1):
        return Fraction(c >= K or (c >= 0 and p == 0))
    a, d = p.numerator, p.denominator
    check_written(K, p)
    # the p-value of a permutation test: no greatest common divisors of millions of bits
    if d & (d - 1) == 0:
        return dyadic(_dyadic_tail(K, c, a, d), K * (d.bit_length() - 1))
    if 2 * c >= K:
        return 1 - lower_tail(K, K - c - 1, 1 - p)
    # Each factor is reduced by itself: its divisors have c times the digits of p, not K times.
    return Fraction(d - a, d) ** (K - c) * Fraction(_sum(K, c, a, d - a), d**c)


def exact_point(K: int, c: int, p: Exact) -> Fraction:
    """Return P(B = c), exact. Cost and limit as for :func:`lower_tail`."""
    if not 0 <= c <= K:
        return Fraction(0)
    check_written(K, p)
    a, d = p.numerator, p.denominator
    if 0 < a < d and d & (d - 1) == 0:
        return dyadic(math.comb(K, c) * a**c * (d - a) ** (K - c), K * (d.bit_length() - 1))
    return Fraction(p) ** c * (Fraction(1 - p) ** (K - c) * math.comb(K, c))


def check_written(K: int, p: Exact) -> None:
    """Raise ``BudgetExceeded`` where an exact probability of K trials has more than 2**25 bits."""
    bits = K * p.denominator.bit_length()
    if p not in (0, 1) and bits > _MOST_BITS:
        raise BudgetExceeded(
            f"an exact probability of {short_integer(K)} trials has {short_integer(bits)} bits; bounds, such as those "
            "of monte_carlo_risk_bounds, do not need them"
        )


def _dyadic_tail(K: int, c: int, a: int, d: int) -> int:
    """Return d**K P(B <= c) for a power of two d, summed from the nearer end."""
    if 2 * c >= K:
        return (1 << K * (d.bit_length() - 1)) - _dyadic_tail(K, K - c - 1, d - a, d)
    return int((d - a) ** (K - c)) * _sum(K, c, a, d - a)


def _sum(K: int, c: int, a: int, b: int) -> int:
    """Return the sum over j <= c of C(K, j) a**j b**(c - j): b**c (1 + T / Q) of :func:`_ratios`, with Q = c! b**c."""
    _product, _common, tail = _ratios(K, 0, c, a, b)
    return int(b**c) + tail // math.factorial(c)


def _ratios(K: int, low: int, high: int, a: int, b: int) -> tuple[int, int, int]:
    """Return (P, Q, T) over low < j <= high.

    P is the product of (K - j + 1) a, Q that of j b, and T / Q the sum of the partial products of P
    / Q.
    """
    if high == low:
        return 1, 1, 0
    if high == low + 1:
        p = (K - low) * a
        return p, high * b, p
    middle = (low + high) // 2
    p1, q1, t1 = _ratios(K, low, middle, a, b)
    p2, q2, t2 = _ratios(K, middle, high, a, b)
    return p1 * p2, q1 * q2, t1 * q2 + p1 * t2


def tail_at_most(K: int, c: int, p: Exact, limit: Exact) -> bool:
    """Return whether P(B <= c) <= limit: decided by certified bounds, else by the exact tail."""
    written = K * p.denominator.bit_length()
    bits = _FIRST_BITS
    while bits < 2 * written:
        low, high = lower_tail_bounds(K, c, p, bits).ends()
        if high <= limit or low > limit:
            return high <= limit
        bits *= 8
    return lower_tail(K, c, p) <= limit


def lower_tail_bounds(
    K: int, c: int, p: Exact, bits: int, budget: Budget | None = None
) -> Enclosure:
    """Return bounds of P(B <= c), of relative width about 2**-bits (of 1 - P where c is above the mean).

    Cost: about 2 sqrt(bits K p (1 - p)) terms and one point probability; ``BudgetExceeded`` above
        the budget.
    """
    if c < 0 or c >= K or p in (0, 1):
        return ONE if c >= K or (c >= 0 and p == 0) else ZERO
    check_bounds(K, c, p, bits, budget)
    if c > K * p:
        return _falling_tail(K, K - c - 1, 1 - p, bits).complement()
    return _falling_tail(K, c, p, bits)


def _falling_tail(K: int, c: int, p: Exact, bits: int) -> Enclosure:
    """Return bounds of P(B <= c) for c <= K p, by summing its terms t_c, t_(c-1), ... downwards.

    t_(j-1) = t_j * j q / ((K - j + 1) p), and these ratios fall with j. So where the next ratio is
    r, the terms after t sum to at most t r / (1 - r). Every ratio is clearly below 1, as K - j + 1
    - j q / p >= 1 for j <= K p.
    """
    first = point(K, c, p, bits + 8)
    # Relative to the first term, in fixed point: one unit is 2**-work, and each term adds a unit of
    # rounding.
    work = bits + 2 * K.bit_length() + 16
    odds_low, odds_high = enclosed(1 - p, work).over(enclosed(p, work), work).fixed(work)
    low = high = total_low = total_high = 1 << work
    j = c
    while j > 0:
        low = low * j * odds_low // (K - j + 1) >> work
        high = -(-high * j * odds_high // (K - j + 1) >> work)
        total_low += low
        total_high += high
        j -= 1
        # rest <= high * r / (1 - r), r = j odds / (K - j + 1)
        above, below = j * odds_high, (K - j + 1 << work) - j * odds_high
        if high << bits < total_low:
            total_high += -(-high * above // below)
            break
    return first.times(Enclosure(total_low, total_high, -work), bits + 8)


def check_bounds(
    K: int, c: int, p: Exact, bits: int, budget: Budget | None, *, times: int = 1
) -> None:
    """Raise ``BudgetExceeded`` where ``times`` bounds of P(B <= c) with ``bits`` bits take too much.

    The binomial coefficient takes min(c, K - c) short products; powers and terms take long ones,
    one quotient is quadratic in the bits.
    """
    width = bits + K.bit_length()
    few = min(abs(c), abs(K - c))
    if max(few, width) < 2**60:
        product = 100 + 4.5 * (width / 30) ** 1.585
        terms = min(few, 2 * math.sqrt(bits * float(K * min(p, 1 - p))))
        nanoseconds = (
            few * (300 + 0.4 * width) + product * (3 * K.bit_length() + terms) + width**2 / 345
        )
    else:
        nanoseconds = math.inf
    Budget.of(budget).check(
        Estimate(seconds=times * nanoseconds / 1e9, bytes=2 * width),
        f"bounds of {short_integer(bits)} bits for {short_integer(K)} trials",
        "use fewer samples or bits, or allow more with budget=Budget(seconds=, bytes=) where it is an option",
    )


def point(K: int, c: int, p: Exact, bits: int) -> Enclosure:
    """Return bounds of P(B = c) = C(K, c) p**c (1 - p)**(K - c), of relative width about 2**-bits.

    Cost: min(c, K - c) products; see :func:`check_bounds`.
    """
    if not 0 <= c <= K:
        return ZERO
    work = bits + K.bit_length() + 8
    powers = enclosed(p, work).power(c, work).times(enclosed(1 - p, work).power(K - c, work), work)
    return _binomial(K, c, work).times(powers, work)


def _binomial(K: int, c: int, bits: int) -> Enclosure:
    """Return bounds of C(K, c). Each factor is at least 1, so a rounding weighs ever less, down to 2**(1 - 2 bits)."""
    few = min(c, K - c)
    low, high, exponent = 1 << bits, 1 << bits, -bits
    for i in range(1, few + 1):
        low = low * (K - few + i) // i
        high = -(-high * (K - few + i) // i)
        if (excess := high.bit_length() - 2 * bits) > 0:
            low, high, exponent = low >> excess, -(-high >> excess), exponent + excess
    return Enclosure(low, high, exponent)
