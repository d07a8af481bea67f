"""Certified brackets of P(X <= k), X = sum of a random subset of the differences: reductions, planning, rounds.

An :class:`~exactperm.certified.inversion.Inversion` encloses P(X <= k) for any number of nodes, so
work buys width. This module decides what to buy: an exact count where that is cheaper, all nodes of
the lattice where the differences share a coarse unit, and otherwise as many as the wanted width
needs or the budget allows, in rounds of falling width. Seconds become units of work by fixed
constants, so the same call gives the same bits everywhere.

Source: spec/note.md#note-thresholds.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from math import frexp, gcd, inf
from operator import mul

from .._types import Union
from ..arithmetic.enclosure import HALF, ONE, ZERO, Enclosure
from ..arithmetic.quoting import short_integer
from ..budget import Budget, Estimate, Options, Progress, Unfit
from ..counting import plan
from ..counting.tally import reduced
from ..swaps.units import Tally, degree
from .factors import LEAST_UNITS, PairFactors
from .lattice import compressed
from .search import (
    DOUBLE,
    NO_COUNT,
    SECONDS_LEAST,
    SECONDS_PER_UNIT,
    SOON,
    About,
    Counting,
    Enough,
    Meter,
    SumSearch,
    SumTail,
    narrowed,
    searched,
)

Costs = Mapping[str, Union[Estimate, Unfit]]


QUICK = Budget(seconds=5.0)
"""What a bracket may take by default, by estimates that count work."""

_OPTIONS = Options(budget=QUICK)

_INSTANT = 1e-3  # an exact count that takes less is as good as a decision by brackets
# so is one that takes less for each difference than most brackets of 17 digits do
_SECONDS_DIFFERENCE = 6e-5
_WITH_COUNT = 1.3  # times the budget, for the brackets of a decision and the count that is left
_DECISION_DIGITS = 6, 17, 50  # arithmetic of few digits is faster, and enough for most decisions
_EASY = 5e-3  # seconds of a bracket that is not worth a look for pairs to condition on
_MOST_APART = 10  # pairs that are conditioned on
_FINEST = 30  # bits of the period of a lattice that is worth a look
_COARSER = 12  # bits by which the divisor of some differences may exceed that of all on the lattice


def tail_bracket(
    tally: Tally,
    k: int,
    digits: int | None = DOUBLE,
    *,
    budget: Budget = QUICK,
    settled: Enough | None = None,
    progress: Progress | None = None,
) -> Enclosure:
    """Enclose P(X <= k), X = sum of B_n d_n with independent fair bits B_n, to a relative width of 10**-digits.

    ``tally`` is {d > 0: number of pairs with it}; ``k`` any int; ``digits`` from 1 to 50, or None:
    17 where that is expected within half a second, otherwise 4. The bounds are guaranteed. The
    width is a target, met if the budget allows; it is 0 where an exact count is cheaper.
    ``settled`` makes rounds of falling width that end with the first bracket for which it is true;
    it may be false for the bracket returned. ``progress`` is called with (done, total); the total
    is a prediction that may grow.

    Raises ``BudgetExceeded``, with the bracket reached, where the budget buys no certain digit.
    Cost: 10 to 100 frequencies, each of a few multiplications for each distinct difference, and a
    scan of about 1/width frequencies, or of the whole lattice, whichever is less. Source: Theorem
    4, Proposition 5; spec/note.md#note-conditioning.

    >>> tail_bracket({1: 2800, 3: 200}, 1400).floats()
    (3.2791477703607665e-19, 3.279147770360767e-19)
    """
    if k < 0:
        return ZERO
    total = sum(tally.values())
    whole, kept, k = reduced(_ascending(tally), k)
    pairs = sum(kept.values())

    def outer(value: Enclosure) -> Enclosure:
        """Return P(X <= k) = 2**-(pairs left out) * (1 - P'), once for each time that the complement was taken."""
        known = pairs
        for before in reversed(whole):
            value = value.scaled(known - before).complement()
            known = before
        return value.scaled(known - total)

    if not kept:  # the last complement is that of P' = 0
        return outer(ZERO)
    if 2 * k == degree(kept) - 1:
        return outer(HALF)
    narrow = compressed(kept, k)
    if narrow is not None:
        within = None if settled is None else (lambda value, until=settled: until(outer(value)))
        return outer(
            tail_bracket(*narrow, digits, budget=budget, settled=within, progress=progress)
        )
    meter = Meter(progress)
    if settled is not None:
        until = settled
        return outer(_decided(kept, k, budget, lambda value: until(outer(value)), meter))
    return outer(narrowed(_PairTail(kept, k, (budget, meter)), digits, budget))


class Tails:
    """Brackets of P(X <= k) for all k near one threshold, from one inversion.

    ``tally`` is {d > 0: number of pairs with it}; ``k`` any threshold >= 0. The brackets aim at a
    relative ``width`` at k; elsewhere they are true, and nearly as narrow within a few standard
    deviations. ``seconds`` is the work done. ``frequencies`` is how many were evaluated. Raises
    ``BudgetExceeded`` where the budget allows no inversion. Cost: that of one :func:`tail_bracket`;
    each further threshold takes some milliseconds.
    Source: Theorem 4; spec/note.md#note-thresholds.

    >>> tails = Tails({1: 2800, 3: 200}, 1400, 1e-9, QUICK)
    >>> tails(1400).floats()[0] < tails(1401).floats()[0]
    True
    """

    def __init__(self, tally: Tally, k: int, width: float, budget: Budget) -> None:
        kept = {d: count for d, count in _ascending(tally).items() if d <= k}
        self._apart = min(
            (d for d in tally if d > k), default=k + 1 + sum(map(mul, tally, tally.values()))
        )
        self._left_out = sum(tally.values()) - sum(kept.values())
        self._step = gcd(*kept) or 1
        kept = {d // self._step: count for d, count in kept.items()}
        self._span = degree(kept)
        self.seconds, self.frequencies = 0.0, 0
        if kept:
            x = max(0, min(k // self._step, self._span - 1 - k // self._step))
            digits = 1 + max(1, frexp(1 / width)[1] * 3 // 10)
            meter = Meter(None)
            tail = SumTail(
                lambda: PairFactors(list(kept.items())),
                x,
                NO_COUNT,
                partial(_of_tally, kept),
                (budget, meter),
            )
            tail.check(budget.seconds)
            search = tail.begun(digits, budget.seconds, width)
            search.bracket()
            self.seconds, self._inversion, self._settled = (
                meter.seconds,
                search.inversion,
                search.settled,
            )
            self.frequencies = len(search.settled.found)

    def __call__(self, k: int) -> Enclosure:
        """Enclose P(X <= k)."""
        x = k // self._step
        if k < 0:
            return ZERO
        if k >= self._apart:
            return Enclosure(0, 1, 0)
        if x >= self._span:
            return ONE.scaled(-self._left_out)
        value = self._inversion.at(min(x, self._span - 1 - x)).bounds(self._settled)
        return (value if 2 * x < self._span else value.complement()).scaled(-self._left_out)


def exact_seconds(tally: Tally, k: int, budget: Budget) -> float:
    """Estimate the seconds of the exact count #{X <= k}; infinite where its memory exceeds the budget."""
    _, kept, k = reduced(_ascending(tally), k)
    return (
        least_seconds(plan.costs(kept, k, Options(budget=budget)), budget)
        if kept and k >= 0
        else 0.0
    )


def seconds_of(work: int) -> float:
    """Return the seconds of units of work, by the constants."""
    return work * SECONDS_PER_UNIT


def _ascending(tally: Tally) -> Tally:
    """Return the tally with its differences ascending, uncopied where they already are."""
    differences = sorted(tally)
    return tally if differences == list(tally) else {d: tally[d] for d in differences}


class _PairTail(SumTail):
    """P(X <= k) for 0 < d <= k < (D - 1) / 2 and differences d, ascending, without a common divisor.

    A bracket conditions on the pairs, few at most, that would make it slow. Giants hold the tilted
    sum's frequencies up. Pairs off an otherwise coarse lattice hide it from the inversion; their
    2**u thresholds cost little beside the frequencies of a fine one, which also damps them badly.
    """

    too_many = "too many distinct differences for any bracket"

    def __init__(self, tally: Tally, k: int, about: About) -> None:
        self._tally = tally
        budget, meter = about
        default = budget is QUICK and meter.progress is None
        options = _OPTIONS if default else Options(budget=budget, progress=meter.progress)
        costs = plan.costs(tally, k, options)
        count = Counting(
            seconds=least_seconds(costs, budget), made=lambda: _counted(tally, k, costs, options)
        )
        super().__init__(
            lambda: PairFactors(list(tally.items())), k, count, partial(_of_tally, tally), about
        )
        self.quick = max(SECONDS_LEAST, _SECONDS_DIFFERENCE * len(tally))

    @property
    def least(self) -> int:
        """Units of work before any inversion, known without a step for each difference."""
        return LEAST_UNITS * len(self._tally)

    def begun(self, digits: int, seconds: float, width: float = 0.0) -> SumSearch:
        """Return the search for a bracket, of the sum itself or with some pairs set apart."""
        found = self._apart(_giants(self._tally), digits, seconds, width)
        off = _off_lattice(self._tally, found.inversion.period >> _FINEST)
        if off and found.predicted() > _EASY:
            other = self._apart(off, digits, seconds, width)
            soon = max(SOON, found.predicted())
            if other.inversion.whole(other.width) and other.predicted() <= soon:
                return other
        return found

    def _apart(
        self, pairs: tuple[int, ...], digits: int, seconds: float, width: float
    ) -> SumSearch:
        """Return the search that conditions on some pairs.

        P(X <= k) is the mean of P(X' <= k - s) over the sums s of their subsets, X' being the sum
        of the others, whose common divisor is divided out.
        """
        if not pairs:
            return super().begun(digits, seconds, width)
        groups, k, thresholds = _conditioned(self._tally, self._k, pairs)
        return searched(PairFactors(groups), k, digits, seconds, self.meter, thresholds=thresholds)


def _decided(tally: Tally, k: int, budget: Budget, settled: Enough, meter: Meter) -> Enclosure:
    """Return the first of the brackets of falling width that is settled, or the narrowest."""
    tail = _PairTail(tally, k, (budget, meter))
    exact = tail.exact
    if exact <= _INSTANT:
        return tail.counted()
    seconds = min(budget.seconds, exact)
    if exact <= budget.seconds:
        seconds = min(seconds, _WITH_COUNT * budget.seconds - exact)
    value = Enclosure(0, 1, -1)
    for digits in _DECISION_DIGITS:
        left = seconds - meter.seconds
        if left < tail.least * SECONDS_PER_UNIT:
            break
        search = tail.begun(digits, left)
        value = search.bracket(settled)
        if settled(value) or value.relative_width > search.width:
            break
    return value


def _counted(tally: Tally, k: int, costs: Costs, options: Options) -> Enclosure:
    count, _engine = plan.counted(tally, k, costs, partial(plan.described, tally), options)
    return Enclosure(count, count, -sum(tally.values()))


def least_seconds(costs: Costs, budget: Budget) -> float:
    """Estimate the fastest exact count that fits the memory, to two digits, not below; infinite for none.

    It decides who answers, the bracket or the count. Estimates take logarithms of the C library,
    whose last bits differ between platforms, and sums of floats, which Python 3.12 rounds otherwise
    than 3.11; two digits rarely differ.
    """
    fits = [
        cost.seconds
        for cost in costs.values()
        if isinstance(cost, Estimate) and cost.bytes <= budget.bytes
    ]
    least = min(fits or [inf])
    return least if least < _INSTANT / 2 else float(f"{1.06 * least:.1e}")


def _giants(tally: Tally) -> tuple[int, ...]:
    """Return the largest pairs, at most ten, each at least eight standard deviations of the sum of those below it."""
    squares = sum(map(mul, map(mul, tally, tally), tally.values()))
    apart, found = list[int](), tuple[int, ...]()
    for d in list(tally)[:0:-1]:
        squares -= d * d * tally[d]
        apart += [d] * min(tally[d], _MOST_APART + 1)
        if len(apart) > _MOST_APART:
            break
        if d * d >= 16 * squares:
            found = tuple(apart)
    return found


def _off_lattice(tally: Tally, least: int = 1) -> tuple[int, ...]:
    """Return the pairs, at most ten, without which the differences share a divisor above ``least``; () for more.

    Of eleven parts of the differences, at least one holds none of these pairs, and its divisor is a
    multiple of the common one. The other differences lower it by little, or are off the lattice.
    """
    differences, best, apart = list(tally), max(1, least), tuple[int, ...]()
    for i in range(_MOST_APART + 1):
        step, off = 0, list[int]()
        for d in differences[i :: _MOST_APART + 1]:
            step = gcd(step, d)
            if step <= best:
                break
        for d in differences if step > best else ():
            common = gcd(step, d)
            if common > best and common << _COARSER >= step:
                step = common
            else:
                off += [d] * min(tally[d], _MOST_APART + 1)
                if len(off) > _MOST_APART:
                    break
        if off and len(off) <= _MOST_APART and step > best:
            best, apart = step, tuple(off)
    return apart


def _conditioned(
    tally: Tally, k: int, apart: tuple[int, ...]
) -> tuple[list[tuple[int, int]], int, dict[int, int]]:
    """Return (groups of the other pairs over their divisor, a threshold below their middle, {threshold: number})."""
    rest = dict(tally)
    sums = [0]
    for d in apart:
        sums += [s + d for s in sums]
        rest[d] -= 1
    step = 0
    for d, count in rest.items():
        step = gcd(step, d) if count else step
    groups = [(d // step, count) for d, count in rest.items() if count]
    middle = (sum(d * count for d, count in groups) - 1) // 2
    thresholds: dict[int, int] = {}
    for s in sums:
        x = (k - s) // step
        thresholds[x] = thresholds.get(x, 0) + 1
    return groups, min(k // step, middle), thresholds


def _of_tally(tally: Tally) -> str:
    pairs, span = short_integer(sum(tally.values())), short_integer(degree(tally))
    return f"{pairs} pairs with {len(tally)} distinct differences and sums up to {span} steps"
