"""Certified brackets of P(X <= k), X = sum of a random subset of the differences: reductions, planning, rounds.

An :class:`~exactperm.certified.inversion.Inversion` encloses P(X <= k) for any number of nodes, so
work buys width. This module decides what to buy: an exact count where that is cheaper, all nodes of
the lattice where the differences share a coarse unit, and otherwise as many as the wanted width
needs or the budget allows, in rounds of falling width. Seconds become units of work by fixed
constants, so the same call gives the same bits everywhere.

Source: spec/tilted-inversion.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import frexp, gcd, inf
from operator import itemgetter, mul

from .._types import TYPE_CHECKING, Union
from ..arithmetic.enclosure import HALF, ONE, ZERO, Enclosure
from ..arithmetic.quoting import short_integer
from ..budget import Budget, Estimate, Options, Progress, Unfit
from ..counting import plan
from ..counting.tally import reduced
from ..errors import BudgetExceeded, Cure
from ..swaps.units import Tally, degree
from .factors import PairFactors
from .inversion import Inversion
from .lattice import compressed
from .parameters import choose
from .scan import Aim, Settled

if TYPE_CHECKING:
    from typing import Protocol

    from ..swaps.canonical import Outline

    class SearchedTail(Protocol):
        """A tail that is counted or bracketed: the seconds of its count, and those that are as good as any bracket."""

        exact: float
        quick: float

        def counted(self) -> Enclosure:
            """Return the exact probability."""

        def search(self, digits: int, seconds: float) -> Search:
            """Return the search for a bracket."""

        def refused(
            self, seconds: float, reason: str, bracket: Enclosure | None = None
        ) -> BudgetExceeded:
            """Return the refusal of a bracket that would take these seconds, and why."""


Enough = Callable[[Enclosure], bool]
Costs = Mapping[str, Union[Estimate, Unfit]]


QUICK = Budget(seconds=5.0)
"""What a bracket may take by default, by estimates that count work."""

_OPTIONS = Options(budget=QUICK)

SECONDS_PER_UNIT = 0.5e-6  # a bound of one factor at one frequency; see scan.py
# bits of the numbers for which it is one; a product of wider ones takes more, in proportion
_WIDTH = 103
LEAST_UNITS = 25  # for each distinct difference, before and during any inversion
_INSTANT = 1e-3  # an exact count that takes less is as good as a decision by brackets
# one that takes less is as good as a bracket, the quickest of which takes 1.9 ms
SECONDS_LEAST = 2.2e-3
# so is one that takes less for each difference than most brackets of 17 digits do
_SECONDS_DIFFERENCE = 6e-5
_WITH_COUNT = 1.3  # times the budget, for the brackets of a decision and the count that is left
_SOON = 0.5  # seconds that a correctly rounded double may take by default
_DOUBLE = 17  # digits that make a correctly rounded double nearly always
_DEFAULT_DIGITS = 4  # digits of a bracket where a double would take longer
_LEAST_WIDTH = 1e-4  # that a bracket has by default
_DECISION_DIGITS = 6, 17, 50  # arithmetic of few digits is faster, and enough for most decisions
_CRUDE = 1 / 16  # relative width of the first round, which measures how many nodes a width needs
_LONG = 4e6  # units of work above which a round is approached in steps
_STEP = 1 / 8  # from one round to the next, of decisions and long work
_WIDEST = 0.1  # relative width without one certain digit
_LONGER = 2.0  # times the work so far, at least, that a digit which it did not buy would take
_EASY = 5e-3  # seconds of a bracket that is not worth a look for pairs to condition on
_MOST_APART = 10  # pairs that are conditioned on
_FINEST = 30  # bits of the period of a lattice that is worth a look
_COARSER = 12  # bits by which the divisor of some differences may exceed that of all on the lattice
_TOO_MANY = "too many distinct differences for any bracket"
_REPORT = 2000  # units of work between two reports of progress


def tail_bracket(
    tally: Tally,
    k: int,
    digits: int | None = _DOUBLE,
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
    4, Proposition 5; spec/tilted-inversion.md.

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
    return outer(narrowed(_PairTail(kept, k, budget, meter), digits, budget))


def check_differences(outline: Outline | None, budget: Budget) -> None:
    """Raise ``BudgetExceeded`` where the differences are too many for any bracket, by bounds that need no sorting."""
    if outline is not None and plan.hopeless(outline, budget):
        least = LEAST_UNITS * outline.distinct * SECONDS_PER_UNIT
        if least > budget.seconds:
            what = _described(outline.pairs, f"{outline.distinct} or more", 2 * outline.near)
            raise refusal(what, Estimate(seconds=least, bytes=0), budget, _TOO_MANY)


class Tails:
    """Brackets of P(X <= k) for all k near one threshold, from one inversion.

    ``tally`` is {d > 0: number of pairs with it}; ``k`` any threshold >= 0. The brackets aim at a
    relative ``width`` at k; elsewhere they are true, and nearly as narrow within a few standard
    deviations. ``seconds`` is the work done. ``frequencies`` is how many were evaluated. Raises
    ``BudgetExceeded`` where the budget allows no inversion. Cost: that of one :func:`tail_bracket`;
    each further threshold takes some milliseconds.
    Source: Theorem 4; spec/tilted-inversion.md.

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
            x = k // self._step
            least = LEAST_UNITS * len(kept) * SECONDS_PER_UNIT
            if least > budget.seconds:
                raise _refused(kept, budget, least, _TOO_MANY)
            digits = 1 + max(1, frexp(1 / width)[1] * 3 // 10)
            meter = Meter(None)
            search = _searched(
                kept, max(0, min(x, self._span - 1 - x)), digits, budget.seconds, meter, width=width
            )
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


class Meter:
    """Reports units of work, every millisecond or so; ``total`` is what is predicted, at least what is done."""

    total = _done = _told = 0

    def __init__(self, progress: Progress | None) -> None:
        self.progress = progress

    def __call__(self, units: int) -> None:
        """Count units of work."""
        self._done += units
        if self.progress is not None and self._done >= self._told + _REPORT:
            self._told = self._done
            self.progress(self._done, max(self._done, self.total))

    def predict(self, units: float) -> None:
        """Expect so many more units from here on."""
        self.total = self._done + int(min(units, 1e18))

    @property
    def seconds(self) -> float:
        """The work done, in seconds by the constants."""
        return seconds_of(self._done)

    def finish(self) -> None:
        """Report that all is done."""
        if self.progress is not None:
            self.progress(self._done, self._done)


class _PairTail:
    """P(X <= k) for 0 < d <= k < (D - 1) / 2 and differences d, ascending, without a common divisor."""

    def __init__(self, tally: Tally, k: int, budget: Budget, meter: Meter) -> None:
        default = budget is QUICK and meter.progress is None
        self.options = _OPTIONS if default else Options(budget=budget, progress=meter.progress)
        self._tally, self._k, self._meter = tally, k, meter
        self._costs = plan.costs(tally, k, self.options)
        self.exact = least_seconds(self._costs, budget)
        self.quick = max(SECONDS_LEAST, _SECONDS_DIFFERENCE * len(tally))

    def counted(self) -> Enclosure:
        """Return the exact probability."""
        return _counted(self._tally, self._k, self._costs, self.options)

    def search(self, digits: int, seconds: float) -> Search:
        """Return the search for a bracket; ``BudgetExceeded`` where the seconds are too few for any."""
        return _search(self._tally, self._k, digits, seconds, self._meter)

    def refused(
        self, seconds: float, reason: str, bracket: Enclosure | None = None
    ) -> BudgetExceeded:
        """Return the refusal of a bracket that would take these seconds, and why."""
        return _refused(self._tally, self.options.budget, seconds, reason, bracket)


def narrowed(tail: SearchedTail, digits: int | None, budget: Budget) -> Enclosure:
    """Enclose a tail by its count or by brackets, whichever is expected to be quicker.

    The brackets have at most the seconds of the count where that fits the budget. So both together
    take no more than twice the count, and no more than twice the brackets where a count follows
    them unasked.
    """
    exact = tail.exact
    counts = exact <= budget.seconds
    if counts and exact <= tail.quick:
        return tail.counted()
    seconds = min(budget.seconds, exact)
    try:
        search = tail.search(digits or _DOUBLE, seconds)
        if digits is None and min(exact, search.predicted()) > _SOON:
            search = tail.search(_DEFAULT_DIGITS, seconds)
    except BudgetExceeded:
        if counts:
            return tail.counted()
        raise
    if counts and exact <= search.predicted():
        return tail.counted()
    search.announce()
    value = search.bracket()
    width = value.relative_width
    wanted = _LEAST_WIDTH if digits is None and exact > search.spent else search.width
    if counts and width > wanted:
        return tail.counted()
    # after all the work that was allowed, whatever was predicted
    if width > _WIDEST:
        seconds = max(search.predicted(_WIDEST), _LONGER * search.spent)
        raise tail.refused(seconds, search.reached(width), value)
    return value


def _decided(tally: Tally, k: int, budget: Budget, settled: Enough, meter: Meter) -> Enclosure:
    """Return the first of the brackets of falling width that is settled, or the narrowest."""
    options = Options(budget=budget)
    costs = plan.costs(tally, k, options)
    exact = least_seconds(costs, budget)
    if exact <= _INSTANT:
        return _counted(tally, k, costs, options)
    seconds = min(budget.seconds, exact)
    if exact <= budget.seconds:
        seconds = min(seconds, _WITH_COUNT * budget.seconds - exact)
    value = Enclosure(0, 1, -1)
    for digits in _DECISION_DIGITS:
        left = seconds - meter.seconds
        if left < LEAST_UNITS * len(tally) * SECONDS_PER_UNIT:
            break
        search = _search(tally, k, digits, left, meter)
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


def _search(tally: Tally, k: int, digits: int, seconds: float, meter: Meter) -> Search:
    """Return the search for a bracket that conditions on the pairs, few at most, that would make it slow.

    Giants hold the tilted sum's frequencies up. Pairs off an otherwise coarse lattice hide it from
    the inversion; their 2**u thresholds cost little beside the frequencies of a fine one, which
    also damps them badly.
    """
    least = LEAST_UNITS * len(tally) * SECONDS_PER_UNIT
    if least > seconds:  # before anything that takes time for each difference
        raise _refused(tally, Budget(seconds=seconds), least, _TOO_MANY)
    search = _searched(tally, k, digits, seconds, meter, apart=_giants(tally))
    apart = _off_lattice(tally, search.inversion.period >> _FINEST)
    if apart and search.predicted() > _EASY:
        other = _searched(tally, k, digits, seconds, meter, apart=apart)
        if other.inversion.whole(other.width) and other.predicted() <= max(
            _SOON, search.predicted()
        ):
            return other
    return search


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


class Search:
    """Brackets of one tail from one inversion, down to a relative ``width``, within a limit of ``seconds``.

    ``least`` are the units of work that were spent before.
    """

    def __init__(
        self, inversion: Inversion, width: float, seconds: float, least: int, meter: Meter
    ) -> None:
        self.inversion, self.width, self._least = inversion, width, least
        slower = max(1.0, inversion.width / _WIDTH)
        self._limit = max(0, int(min(seconds, 1e9) / SECONDS_PER_UNIT / slower) - least)
        self._meter, self._work = meter, 0
        self._predicted: float | None = None
        self.settled = Settled(found=[], reached=0, skipped=0, work=0)  # of the narrowest bracket
        self._narrowest = inf
        # of the round, and by how much the last one exceeded it
        self._expected, self._excess = 0.0, 1.0
        meter(least)

    def predicted(self, width: float | None = None) -> float:
        """Predict the seconds that a relative width takes, the one searched for by default."""
        if width is not None:
            units = self.inversion.scan.cost(self.inversion.aim(width))
        else:
            if self._predicted is None:
                self._predicted = self.inversion.scan.cost(self.inversion.aim(self.width))
            units = self._predicted
        return (units + self._least) * SECONDS_PER_UNIT

    @property
    def spent(self) -> float:
        """The seconds of all work so far, by the constants."""
        return self._meter.seconds

    def reached(self, width: float) -> str:
        """Say what the work bought, as the reason of a refusal."""
        return (
            f"{len(self.settled.found)} frequencies were summed, and the bracket's relative width is {width:.2g}, "
            "without a certain digit"
        )

    def announce(self) -> None:
        """Expect the work that was predicted, in reports of progress."""
        if self._predicted is not None:
            self._meter.predict(self._predicted)

    def bracket(self, settled: Enough | None = None) -> Enclosure:
        """Return the narrowest bracket of all rounds, which end once it is settled, or as narrow as it is to be.

        The first round of few nodes measures how many a width needs. A decision goes on by small
        steps; otherwise the second round is for the width itself, and further ones only mend it.
        """
        enough = settled or (lambda value: value.relative_width <= self.width)
        width = self.width if self.inversion.whole(self.width) and not settled else _CRUDE
        best = self._round(self.inversion.aim(width))
        while not enough(best) and width > self.width / 32:
            following = self._affordable(
                width, width * _STEP if settled else min(self.width, width / 2)
            )
            if following > 0.8 * width:
                break
            width = following
            found = self._round(self.inversion.aim(width))
            best = min(best, found, key=lambda value: value.relative_width)
        self._meter.finish()
        return best

    def _round(self, aim: Aim) -> Enclosure:
        settled = self.inversion.scan.settle(aim, self._limit - self._work)
        self._work += settled.work
        self._excess = max(1.0, settled.work / self._expected) if self._expected else 1.0
        value = self.inversion.bounds(settled)
        narrowest = min(
            (value.relative_width, settled), (self._narrowest, self.settled), key=itemgetter(0)
        )
        self._narrowest, self.settled = narrowest
        return value

    def _affordable(self, width: float, wanted: float) -> float:
        """Return the wanted width, or the least greater one for which the rest of the work should be enough.

        Predictions are too low where few pairs leave much to be evaluated. So long work is
        approached in steps, and the excess of one round over its prediction is expected of the
        next.
        """
        left = self._limit - self._work
        while wanted < 1.0:
            self._expected = self._excess * self.inversion.scan.cost(self.inversion.aim(wanted))
            if self._expected > _LONG and wanted < width * _STEP:
                wanted = width * _STEP
            elif self._expected <= left:
                self._meter.predict(self._expected)
                break
            else:
                wanted *= max(1.25, min(100.0, 0.9 * self._expected / max(left, 1)))
        return wanted


def _searched(
    tally: Tally,
    k: int,
    digits: int,
    seconds: float,
    meter: Meter,
    *,
    apart: tuple[int, ...] = (),
    width: float = 0.0,
) -> Search:
    """Return the search for a bracket of pairs, of which those ``apart`` are conditioned on.

    P(X <= k) is the mean of P(X' <= k - s) over the sums s of their subsets, X' being the sum of
    the others, whose common divisor is divided out.
    """
    groups, k, thresholds = (
        _conditioned(tally, k, apart) if apart else (list(tally.items()), k, {k: 1})
    )
    bits = digits * 10 // 3 + min(9, 2 + digits) + len(apart)
    law = PairFactors(groups)
    inversion = Inversion(law, k, bits, choose(law, k, bits + 3), thresholds, tick=meter)
    return Search(
        inversion, width or float(f"1e-{digits}"), seconds, LEAST_UNITS * len(tally), meter
    )


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


def _refused(
    tally: Tally, budget: Budget, seconds: float, reason: str, bracket: Enclosure | None = None
) -> BudgetExceeded:
    what = _described(sum(tally.values()), len(tally), degree(tally))
    return refusal(what, Estimate(seconds=seconds, bytes=0), budget, reason, bracket)


def _described(pairs: int, distinct: int | str, span: int) -> str:
    return (
        f"a certified bracket for {short_integer(pairs)} pairs with {distinct} distinct differences and sums up to "
        f"{short_integer(span)} steps"
    )


def refusal(
    what: str, cost: Estimate, budget: Budget, reason: str, bracket: Enclosure | None = None
) -> BudgetExceeded:
    """Return the refusal of a bracket: with its estimate where that is above the budget, and always with the reason."""
    above = cost.least or not budget.admits(cost)
    more = "allow more with budget=Budget(seconds=), or " if above else ""
    return BudgetExceeded(
        what,
        cost if above else None,
        budget if above else None,
        detail=reason,
        cure=Cure(
            words=f"{more}use a Monte Carlo test. Rounding the scores (decimals=) asks another question, with another "
            "p-value"
        ),
        bracket=bracket,
    )
