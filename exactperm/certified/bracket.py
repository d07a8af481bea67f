"""Certified brackets of P(X <= k), X = sum of a random subset of the differences: reductions, planning, rounds.

An :class:`~exactperm.certified.inversion.Inversion` encloses P(X <= k) for any number of nodes, so work buys width.
This module decides what to buy: an exact count where that is cheaper, all nodes of the lattice where the differences
share a coarse unit, and otherwise as many as the wanted width needs or the budget allows, in rounds of falling width.
Seconds become units of work by fixed constants, so the same call gives the same bits everywhere.

Source: spec/tilted-inversion.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import inf

from ..arithmetic.enclosure import HALF, ZERO, Enclosure
from ..arithmetic.quoting import short_integer
from ..budget import Budget, Estimate, Options
from ..counting import plan
from ..counting.tally import degree, reduced
from ..errors import BudgetExceeded
from .inversion import Inversion
from .parameters import choose, condensed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Union

    from ..budget import Unfit
    from ..counting.tally import Tally
    from .scan import Aim

    Enough = Callable[[Enclosure], bool]
    Costs = Mapping[str, Union[Estimate, Unfit]]

QUICK = Budget(seconds=5.0)
"""What a bracket may take by default, by estimates that count work."""

_SECONDS_PER_UNIT = 0.5e-6  # a bound of one factor at one frequency; see scan.py
_LEAST_UNITS = 25  # for each distinct difference, before and during any inversion
_INSTANT = 1e-3  # an exact count that takes less is as good as a bracket
_PATIENCE = 2.0  # times the exact count's estimate, before the bracket gives way to it
_SOON = 0.5  # seconds that a correctly rounded double may take unasked
_DOUBLE = 17  # digits that make a correctly rounded double nearly always
_UNASKED = 4  # digits of a bracket where a double would take longer
_DECISION_DIGITS = 6, 17, 50  # arithmetic of few digits is faster, and enough for most decisions
_CRUDE = 1 / 16  # relative width of the first round, which measures how many nodes a width needs
_DECISION_STEP = 1 / 8  # from one round of a decision to the next
_WIDEST = 0.1  # relative width without one certain digit


def tail_bracket(
    tally: Tally, k: int, digits: int | None = _DOUBLE, *, budget: Budget = QUICK, settled: Enough | None = None
) -> Enclosure:
    """Enclose P(X <= k), X = sum of B_n d_n with independent fair bits B_n, to a relative width of 10**-digits.

    ``tally`` is {d > 0: number of pairs with it}; ``k`` any int; ``digits`` from 1 to 50, or None: 17 where
    that is expected within half a second, otherwise 4. The bounds are guaranteed. The width is a target, met if the
    budget allows; it is 0 where an exact count is cheaper. ``settled`` makes rounds of falling width that end with the
    first bracket for which it is true; it may be false for the bracket returned.

    Raises ``BudgetExceeded``, with the bracket reached, where the budget buys no certain digit. Cost: 10 to 100
    frequencies, each of a few multiplications for each distinct difference, and a scan of about 1/width frequencies,
    or of the whole lattice, whichever is less. Source: Theorem 1 to 6; spec/tilted-inversion.md.

    >>> tail_bracket({1: 2800, 3: 200}, 1400).floats()
    (3.2791477703607665e-19, 3.279147770360767e-19)
    """
    if k < 0:
        return ZERO
    total = sum(tally.values())
    whole, kept, k = reduced(_ascending(tally), k)
    pairs = sum(kept.values())

    def outer(value: Enclosure) -> Enclosure:
        """P(X <= k) = 2**-(pairs left out) * (1 - P'), once for each time that the complement was taken."""
        known = pairs
        for before in reversed(whole):
            value = value.scaled(known - before).complement()
            known = before
        return value.scaled(known - total)

    if not kept:  # the last complement is that of P' = 0
        return outer(ZERO)
    if 2 * k == degree(kept) - 1:
        return outer(HALF)
    if settled is not None:
        until = settled
        return outer(_decided(kept, k, budget, lambda value: until(outer(value))))
    return outer(_below_middle(kept, k, digits, budget))


def _ascending(tally: Tally) -> Tally:
    """Return the tally with its differences ascending, uncopied where they already are."""
    differences = sorted(tally)
    return tally if differences == list(tally) else {d: tally[d] for d in differences}


def _below_middle(tally: Tally, k: int, digits: int | None, budget: Budget) -> Enclosure:
    """P(X <= k) for 0 < d <= k < (D - 1) / 2 and differences d, ascending, without a common divisor."""
    costs = plan.costs(tally, k, Options(budget=budget))
    exact = _exact_seconds(costs, budget)
    if exact <= _INSTANT:
        return _counted(tally, k, costs, budget)
    search = _Search(tally, k, digits or _DOUBLE, min(budget.seconds, _PATIENCE * exact))
    if digits is None and min(exact, search.seconds()) > _SOON:
        search = _Search(tally, k, _UNASKED, min(budget.seconds, _PATIENCE * exact))
    if exact <= budget.seconds and exact <= search.seconds():
        return _counted(tally, k, costs, budget)
    value = search.bracket()
    if exact <= budget.seconds and value.relative_width > search.width:
        return _counted(tally, k, costs, budget)
    if value.relative_width > _WIDEST:
        raise _too_slow(tally, search.seconds(_WIDEST), value)
    return value


def _decided(tally: Tally, k: int, budget: Budget, settled: Enough) -> Enclosure:
    """The first of the brackets of falling width that is settled, or the narrowest."""
    costs = plan.costs(tally, k, Options(budget=budget))
    exact = _exact_seconds(costs, budget)
    if exact <= _INSTANT:
        return _counted(tally, k, costs, budget)
    value = Enclosure(0, 1, -1)
    for digits in _DECISION_DIGITS:
        search = _Search(tally, k, digits, min(budget.seconds, _PATIENCE * exact))
        value = search.bracket(settled)
        if settled(value) or value.relative_width > search.width:
            break
    return value


def _counted(tally: Tally, k: int, costs: Costs, budget: Budget) -> Enclosure:
    count, _engine = plan.counted(tally, k, costs, partial(plan.described, tally), Options(budget=budget))
    return Enclosure(count, count, -sum(tally.values()))


def _exact_seconds(costs: Costs, budget: Budget) -> float:
    """Estimate of the fastest exact count that fits the memory, to two digits; infinite where there is none.

    It decides who answers, the bracket or the count. Estimates take logarithms of the C library, whose last bits differ
    between platforms, and sums of floats, which Python 3.12 rounds otherwise than 3.11; two digits rarely differ.
    """
    fits = (cost.seconds for cost in costs.values() if isinstance(cost, Estimate) and cost.bytes <= budget.bytes)
    return float(f"{min(fits, default=inf):.1e}")


class _Search:
    """Brackets of one tail from one inversion, down to a relative width of 10**-digits, within a limit of work."""

    def __init__(self, tally: Tally, k: int, digits: int, seconds: float) -> None:
        self.width = float(f"1e-{digits}")
        self._least = _LEAST_UNITS * len(tally)
        self._limit = int(min(seconds, 1e9) / _SECONDS_PER_UNIT) - self._least
        if self._limit < 0:  # before anything that takes time for each difference
            raise _too_slow(tally, self._least * _SECONDS_PER_UNIT)
        groups = list(tally.items())
        bits = digits * 10 // 3 + min(9, 2 + digits)
        self.inversion = Inversion(groups, k, bits, choose(condensed(groups), k, bits + 3))
        self._work = 0

    def seconds(self, width: float | None = None) -> float:
        """Predict the seconds that a relative width takes, the one searched for by default."""
        work = self.inversion.scan.cost(self.inversion.aim(width or self.width))
        return (work + self._least) * _SECONDS_PER_UNIT

    def bracket(self, settled: Enough | None = None) -> Enclosure:
        """The narrowest bracket of all rounds, which end once it is settled, or as narrow as it is to be.

        The first round of few nodes measures how many a width needs. A decision goes on by small steps; otherwise the
        second round is for the width itself, and further ones only mend it.
        """
        enough = settled or (lambda value: value.relative_width <= self.width)
        width = self.width if self.inversion.whole(self.width) and not settled else _CRUDE
        best = self._round(self.inversion.aim(width))
        while not enough(best) and width > self.width / 32:
            following = self._affordable(width * _DECISION_STEP if settled else min(self.width, width / 2))
            if following > 0.8 * width:
                break
            width = following
            found = self._round(self.inversion.aim(width))
            best = min(best, found, key=lambda value: value.relative_width)
        return best

    def _round(self, aim: Aim) -> Enclosure:
        settled = self.inversion.scan.settle(aim, self._limit - self._work)
        self._work += settled.work
        return self.inversion.bounds(settled)

    def _affordable(self, width: float) -> float:
        """The width, or the least greater one for which the rest of the work is expected to be enough."""
        left = self._limit - self._work
        while width < 1.0:
            cost = self.inversion.scan.cost(self.inversion.aim(width))
            if cost <= left:
                break
            width *= max(1.25, min(100.0, 0.9 * cost / max(left, 1)))
        return width


def _too_slow(tally: Tally, seconds: float, bracket: Enclosure | None = None) -> BudgetExceeded:
    pairs = sum(tally.values())
    return BudgetExceeded(
        f"a certified bracket for {short_integer(pairs)} pairs with {len(tally)} distinct differences, whose sums "
        f"reach {short_integer(degree(tally))} steps, would take about {seconds:.3g} s. Instead: allow more with "
        "budget=Budget(seconds=), or use monte_carlo_test. Rounding the scores (decimals=) asks another question, with "
        "another p-value",
        seconds,
        bracket=bracket,
    )
