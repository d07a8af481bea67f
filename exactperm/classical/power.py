"""Power of the exact sign and McNemar tests, and the number of items that a power needs.

Each of n items is a gain with the probability p_gain, a loss with p_loss, else a tie. The test is
that of the d gains and losses alone: it rejects where the gains are at least r(d), the least number
whose tail of fair coins is at most alpha; "two-sided" has alpha / 2 on either side. So the power is
the mean of s(d) = P(reject | d) over the binomial distribution of d. Because r(d) jumps, s(d) is a
sawtooth, and the power need not rise with n.

With p_gain = 1 and alpha = 1/20, five items are the least that can be significant one-sided: r(5) =
5, and the power jumps from 0 to 1.

Source: spec/16-two-samples-and-power.md#own-power.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, islice

from ..arithmetic.rational import Exact
from ..arithmetic.reading import inside, probability, whole_number
from ..arithmetic.writing import decimal_string
from ..budget import Budget, Estimate
from ..errors import ExactPermError
from ..null.alternative import Alternative, sides, tail_words

_BITS = 128
_DRAWN = 80
"""Numbers of items that a picture shows below the one that is enough, and half as many above."""
_SECONDS = 4e-12
"""Of a bit of one of the n products, and a bit of the other factor."""


def power(
    n: int,
    p_gain: object,
    p_loss: object,
    *,
    alpha: object = "0.05",
    alternative: Alternative = "two-sided",
    budget: Budget | None = None,
) -> Fraction:
    """Return the exact probability that the sign or McNemar test of n items rejects at ``alpha``.

    ``p_gain`` and ``p_loss`` are the exact probabilities that the first system wins an item and
    that it loses it; 0.1 means 1/10. ``alpha`` is the level: the test rejects for p <= alpha, with
    ``alternative`` as in :func:`exactperm.mcnemar_test`. Raises ``ExactPermError`` for what is no
    probability, and ``BudgetExceeded`` before any work. Cost: n products of numbers of n times the
    digits of the probabilities: some 20 ms for n = 1,000. Source: spec/16-two-samples-and-power.md#own-power.

    >>> power(5, 1, 0, alternative="greater"), power(10, "0.6", "0.1")
    (Fraction(1, 1), Fraction(1648974191, 5000000000))
    """
    n = whole_number(n, "n", 0)
    rates = _rates(p_gain, p_loss)
    whole = sum(rates)
    size = n * whole.bit_length()
    cost = Estimate(seconds=n * size * (1e-10 + size * _SECONDS / 30), bytes=n * size // 4)
    Budget.of(budget).check(cost, f"the power of {n} items", "use probabilities of fewer digits")
    levels = list(islice(_levels(rates, inside(alpha, "alpha"), alternative), n + 1))
    return Fraction(sum(_weighted(n, rates, levels)), whole**n)


def items_needed(
    p_gain: object,
    p_loss: object,
    *,
    alpha: object = "0.05",
    power: object = "0.8",
    alternative: Alternative = "two-sided",
    budget: Budget | None = None,
) -> int:
    """Return the least n from which on the sign or McNemar test has at least this ``power`` with every number of items.

    "Every" matters, since the power is a sawtooth of n; see :func:`power`, which has the
    other arguments. Raises ``ExactPermError`` also where no number of items is enough, since gains
    are not more probable than losses in the direction of the ``alternative``.

    Method: s(d) is at least 1 - e for all d above a bound (Hoeffding), and so e(d) = the least s of
    d and more is known. The mean of e(d) rises with n: where it reaches the power, all greater n
    have it. From there n falls to the last one without. Cost: some 0.1 s for n = 1,000. Source:
    spec/16-two-samples-and-power.md#own-power.

    >>> items_needed("0.25", "0.1", power="0.8")
    129
    """
    rates, level = _rates(p_gain, p_loss), inside(alpha, "alpha")
    target = inside(power, "power")
    a, b, _ = rates
    low, high = sides(alternative)
    lead = {(True, True): abs(a - b), (False, True): a - b}.get((low, high), b - a)
    if lead <= 0:
        raise ExactPermError(
            "no number of items is enough: p_gain and p_loss do not favour the alternative"
        )
    spare = (1 - target) / Fraction(4)
    last = _bound(Fraction(lead, 2 * (a + b)), level / Fraction(low + high), spare)
    reach = last * sum(rates) // (a + b) * 2
    cost = Estimate(seconds=reach * reach * sum(rates).bit_length() * 1e-9, bytes=last * last)
    Budget.of(budget).check(cost, f"the power of up to {reach} items", "ask for a greater lead")
    least = math.floor((1 - spare) * 2**_BITS)
    falling = _falling(rates, islice(_levels(rates, level, alternative), last + 1), least)

    def enough(n: int) -> bool:
        """Whether this many items and more have the power, by the least s."""
        values = [*falling[: n + 1], *[least] * (n + 1 - len(falling))]
        return _mean(n, rates, values) >= target

    top = _first(enough)
    while top and _power_reaches(top - 1, rates, level, alternative, target):
        top -= 1
    return top


def picture(
    n: int,
    p_gain: object,
    p_loss: object,
    *,
    alternative: Alternative,
    budget: Budget | None = None,
) -> str:
    """Draw the power at the level 0.05 for numbers of items around n as SVG; those from n on are shaded.

    Arguments and errors are those of :func:`power`. Cost: that of 120 powers.
    """
    from ..display.distribution import binned

    half, side = Fraction(1, 2), alternative
    columns: list[tuple[Exact, Exact, Fraction]] = []
    reached = ""
    for m in range(max(1, n - _DRAWN), n + _DRAWN // 2):
        height = power(m, p_gain, p_loss, alternative=side, budget=budget)
        columns.append((m - half, m + half, height))
        if m == n:
            reached = decimal_string(height, 3)
    return binned(
        columns,
        title=f"Power of the exact sign and McNemar tests, {tail_words(side)}, gains {p_gain}, losses {p_loss}",
        label="items",
        note=f"enough: {reached} with {n} items",
        height="power",
        high=n - half,
    )


def _first(enough: Callable[[int], bool]) -> int:
    """Return the least n >= 1 from which on ``enough`` holds."""
    top = 1
    while not enough(top):
        top *= 2
    n = top // 2
    while top - n > 1:
        middle = (top + n) // 2
        n, top = (n, middle) if enough(middle) else (middle, top)
    return top


def _falling(rates: Sequence[int], levels: Iterable[int], least: int) -> list[int]:
    """Return the least s of d and more, for d = 0, 1, ..., in units of 2**-128; ``least`` holds beyond."""
    both = rates[0] + rates[1]
    shares = [(level << _BITS) // both**d for d, level in enumerate(levels)]
    return list(accumulate([least, *reversed(shares)], min))[::-1]


def _power_reaches(
    n: int, rates: Sequence[int], level: Exact, alternative: Alternative, target: Exact
) -> bool:
    """Return whether n items have the power."""
    levels = islice(_levels(rates, level, alternative), n + 1)
    found: Fraction = Fraction(sum(_weighted(n, rates, list(levels))), sum(rates) ** n)
    return found >= target


def _rates(p_gain: object, p_loss: object) -> tuple[int, int, int]:
    """Return the probabilities of gain, loss and tie, as integers in their ratio."""
    gain, loss = probability(p_gain, "p_gain"), probability(p_loss, "p_loss")
    if gain + loss > 1:
        raise ExactPermError("p_gain and p_loss have a sum above 1")
    if not gain + loss:
        raise ExactPermError("p_gain and p_loss are 0: all items are ties")
    scale = math.lcm(gain.denominator, loss.denominator)
    a, b = int(gain * scale), int(loss * scale)
    return a, b, scale - a - b


def _levels(rates: Sequence[int], alpha: Exact, alternative: Alternative) -> Iterator[int]:
    """Yield s(d) * (gain + loss)**d for d = 0, 1, ...: the weight of the numbers of gains that reject.

    With N = the choices of at least r of d, N(d + 1) = 2 N(d) + C(d, r - 1), and S, in which each
    gain weighs a and each loss b, is (a + b) S(d) + a C(d, r - 1) a**(r - 1) b**(d - r + 1). One more
    than r takes C(d, r) off N, and its weight off S.
    """
    a, b, _ = rates
    low, high = sides(alternative)
    both = [(a, b)] * high + [(b, a)] * low
    limit = alpha / Fraction(len(both))
    sums = [0] * len(both)
    d, r, tail, ways = 0, 1, 0, 1  # ways = C(d, r - 1)
    while True:
        yield sum(sums)
        tail = 2 * tail + ways
        sums = [
            (x + y) * found + x * ways * x ** (r - 1) * y ** (d - r + 1)
            for (x, y), found in zip(both, sums)
        ]
        ways = ways * (d + 1) // (d + 2 - r)
        d += 1
        if tail > limit * 2**d:  # r is no longer enough
            ways = ways * (d - r + 1) // r
            tail -= ways
            sums = [found - ways * x**r * y ** (d - r) for (x, y), found in zip(both, sums)]
            r += 1


def _weighted(n: int, rates: Sequence[int], levels: Sequence[int]) -> Iterator[int]:
    """Yield C(n, d) ties**(n - d) * levels[d]."""
    ways, ties = 1, rates[2]
    for d in range(n + 1):
        yield ways * ties ** (n - d) * levels[d]
        ways = ways * (n - d) // (d + 1)


def _mean(n: int, rates: Sequence[int], values: Sequence[int]) -> Fraction:
    """Return the mean of values[d] / 2**128 over the number d of gains and losses."""
    both = rates[0] + rates[1]
    scaled = [value * both**d for d, value in enumerate(values)]
    return Fraction(sum(_weighted(n, rates, scaled)), sum(rates) ** n << _BITS)


def _bound(lead: Fraction, alpha: Exact, spare: Exact) -> int:
    """Return a number from which on s(d) is at least 1 - spare; a gain has the probability 1/2 + lead.

    r(d) <= d / 2 + sqrt(d log(1 / alpha) / 2) + 1, and fewer than r gains have a probability of at
    most exp(-2 (sqrt(d) lead - sqrt(log(1 / alpha) / 2))**2), which falls with d (Hoeffding).
    """
    root = math.sqrt(-math.log(alpha) / 2) + math.sqrt(-math.log(spare) / 2)
    return math.ceil((root / float(lead)) ** 2 * (1 + 1e-9)) + 1
