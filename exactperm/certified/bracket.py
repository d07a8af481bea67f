"""Certified brackets of P(X <= k), X = a sum of independent units: reductions, planning, rounds.

An :class:`~exactperm.certified.inversion.Inversion` encloses P(X <= k) for any number of nodes, so
work buys width. This module decides what to buy: an exact count where that is cheaper, all nodes of
the lattice where the values share a coarse unit, and otherwise as many as the wanted width needs or
the budget allows, in rounds of falling width. Seconds become units of work by fixed constants, so
the same call gives the same bits everywhere.

A sum of pairs is symmetric, any other need not be, so each of its tails is enclosed for itself.
Only thresholds at most E X are inverted: for others the tail above is that of the mirrored units,
P(X <= k) = 1 - P(D - X <= D - k - 1).

Source: spec/note.md#note-thresholds, spec/note-appendix.md#own-step-brackets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partial
from math import frexp

from ..arithmetic.enclosure import HALF, ONE, ZERO, Enclosure, enclosed
from ..arithmetic.quoting import short_integer
from ..budget import Budget, Estimate, Options, Progress
from ..counting import plan
from ..counting.plan import least_seconds
from ..counting.tally import divided, reach
from ..record import replaced
from ..swaps.draws import normal
from ..swaps.units import (
    Alike,
    Draws,
    Step,
    Tally,
    Units,
    choices,
    degree,
    mean,
    mirrored,
    pairs_of,
    steps_of,
)
from .factors import LEAST_UNITS, PairFactors, UnitFactors
from .lattice import compressed, conditioned, giants, off_lattice
from .powers import power_of
from .search import (
    DOUBLE,
    NO_COUNT,
    SECONDS_LEAST,
    SECONDS_PER_UNIT,
    SOON,
    Counting,
    Enough,
    Meter,
    SumSearch,
    Tail,
    narrowed,
    refusing,
    sum_tail,
)

Layer = tuple[Enclosure, bool]
"""(share of the weight that is kept, whether the complement is taken)."""


QUICK = Budget(seconds=5.0)
"""What a bracket may take by default, by estimates that count work."""

_OPTIONS = Options(budget=QUICK)

# so is one that takes less for each difference than most brackets of 17 digits do
_SECONDS_DIFFERENCE = 6e-5
_WITH_COUNT = 1.3  # times the budget, for the brackets of a decision and the count that is left
_DECISION_DIGITS = 6, 17, 50  # arithmetic of few digits is faster, and enough for most decisions
_EASY = 5e-3  # seconds of a bracket that is not worth a look for pairs to condition on
_TOO_MANY = "too many distinct differences for any bracket"
_FINEST = 30  # bits of the period of a lattice that is worth a look
_GUARD = 80  # bits of the share of weight that is kept, beyond those of the digits
_EXACT_BITS = 256  # of a count over a number of labelings that is no power of two


def tail_bracket(
    units: Units,
    k: int,
    digits: int | None = DOUBLE,
    *,
    budget: Budget = QUICK,
    settled: Enough | None = None,
    progress: Progress | None = None,
) -> Enclosure:
    """Enclose P(X <= k), X = the sum of independent units, to a relative width of 10**-digits.

    ``units`` is {d > 0: number of pairs with it}, each pair adding d or 0 with even chances, or
    {step: number of units with it}; ``k`` any int; ``digits`` from 1 to 50, or None: 17 where that
    is expected within half a second, otherwise 4. The bounds are guaranteed. The width is a target,
    met if the budget allows; it is 0 where an exact count of pairs is cheaper. ``settled`` makes
    rounds of falling width, for pairs, that end with the first bracket for which it is true; it may
    be false for the bracket returned. ``progress`` is called with (done, total); the total is a prediction
    that may grow.

    Raises ``BudgetExceeded``, with the bracket reached, where the budget buys no certain digit.
    Cost: 10 to 100 frequencies, each of a few multiplications for each distinct difference or term
    of a step, and a scan of about 1/width frequencies, or of the whole lattice, whichever is less.
    Source: Theorem 4, Theorem 14, Proposition 5; spec/note.md#note-conditioning,
    spec/note-appendix.md#own-step-brackets.

    >>> tail_bracket({1: 2800, 3: 200}, 1400).floats()
    (3.2791477703607665e-19, 3.279147770360767e-19)
    >>> tail_bracket({((0, 2), (1, 1)): 3000, ((0, 1), (1, 1), (2, 1)): 100}, 980).floats()
    (4.285441737658429e-06, 4.28544173765843e-06)
    """
    if k < 0:
        return ZERO
    bits = (digits or DOUBLE) * 10 // 3 + _GUARD
    layers, units, k = _folded(_ascending(units), k, bits)

    def outer(value: Enclosure) -> Enclosure:
        """Return P(X <= k) from that of the units that are left."""
        for share, above in reversed(layers):
            value = value.complement() if above else value
            exact = share.lower == share.upper == 1
            value = value.scaled(share.exponent) if exact else value.times(share, bits)
        return value

    def until(value: Enclosure) -> bool:
        return settled is not None and settled(outer(value))

    if not units:
        return outer(ONE)
    within = None if settled is None else until
    with refusing(outer):
        return outer(_inner(units, k, digits, Meter(budget, progress), within))


def _inner(
    units: Units, k: int, digits: int | None, meter: Meter, settled: Enough | None
) -> Enclosure:
    """Enclose P(X <= k) for units without a common divisor and k below E X."""
    tally = pairs_of(units)
    if tally is None:
        return narrowed(_step_tail(steps_of(units), k, meter), digits)
    if 2 * k == degree(tally) - 1:
        return HALF
    narrow = compressed(tally, k)
    if narrow is not None:
        budget, progress = meter.budget, meter.progress
        return tail_bracket(*narrow, digits, budget=budget, settled=settled, progress=progress)
    if settled is None:
        return narrowed(_pair_tail(tally, k, meter), digits)
    return _decided(tally, k, meter, settled)


def _folded(units: Units, k: int, bits: int) -> tuple[list[Layer], Units, int]:
    """Return what is left of units: without a common divisor, for k below E X; no units where P(X <= k) = 1."""
    layers: list[Layer] = []
    while True:
        units, share = _kept(units, k, bits)
        if k >= degree(units):
            return [*layers, (share, False)], {}, k
        units, k = divided(units, k)
        above = k >= mean(units)
        layers.append((share, above))
        if not above:
            return layers, units, k
        units, k = mirrored(units), degree(units) - k - 1


def _kept(units: Units, k: int, bits: int) -> tuple[Units, Enclosure]:
    """Drop the terms above k, which no sum up to k has, and steps of one term: (the rest, the weight that it keeps).

    The rest of a unit keeps its share of the weight: P(X <= k) = prod (kept / whole)**c P(X' <= k).
    """
    tally = pairs_of(units)
    greatest = max(map(reach, units) if tally is None else tally, default=0)
    if greatest <= k:
        return units, ONE
    if tally is not None:
        kept = {d: c for d, c in tally.items() if d <= k}
        return kept, ONE.scaled(sum(kept.values()) - sum(tally.values()))
    rest: dict[Step, int] = {}
    shares: list[Enclosure] = []
    counts: list[int] = []
    for step, count in steps_of(units).items():
        terms = tuple([term for term in step if term[0] <= k])
        if len(terms) < len(step):
            share = Fraction(sum(g for _, g in terms), sum(g for _, g in step))
            shares.append(enclosed(share, bits))
            counts.append(count)
        if len(terms) > 1:
            rest[terms] = rest.get(terms, 0) + count
    return rest, power_of(counts, shares.__getitem__, bits)


def draw_bracket(
    draws: Draws,
    k: int,
    digits: int | None = None,
    *,
    budget: Budget = QUICK,
    progress: Progress | None = None,
    count: Counting = NO_COUNT,
) -> Enclosure:
    """Enclose P(X <= k) of a sum of draws to a relative width of 10**-digits, without listing a sum.

    ``draws`` is {(m, n ascending integers): number of units}: X is the sum over all units of m of
    the n values, all C(n, m) choices equally likely, less the least such sum. ``k`` is any int;
    ``digits`` and all else as in :func:`tail_bracket`. An exact ``count`` of the same probability
    answers where it is quicker. P(X >= k) is P(X <= D - k) of the mirrored draws, D the greatest X.
    Cost: for each frequency two microseconds for each value, more for hundreds of them.
    Source: Theorem 4; spec/note-appendix.md#own-draw-brackets.

    >>> low, high = draw_bracket({(2, (0, 1, 3, 5)): 1}, 3, 6).floats()
    >>> 0 < 0.5 - low < 1e-6, 0 < high - 0.5 < 1e-6
    (True, True)
    """
    whole = degree(draws)
    if k < 0 or k >= whole:
        return ONE if k >= whole else ZERO
    draws, step = normal(draws)
    k //= step
    above = k > mean(draws)
    if above:
        draws, k = mirrored(draws), degree(draws) - k - 1
        count = replaced(count, made=lambda made=count.made: made().complement())
    law = UnitFactors(draws)

    def what() -> str:
        values = max(len(values) for _, values in draws)
        sums = short_integer(degree(draws))
        return f"{sum(draws.values())} choices of up to {values} values and sums up to {sums} steps"

    tail = sum_tail(lambda: law, k + law.base, count, what, Meter(budget, progress))

    def outer(value: Enclosure) -> Enclosure:
        """Return P(X <= k) from the tail that is enclosed."""
        return value.complement() if above else value

    with refusing(outer):
        return outer(narrowed(tail, digits))


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
        tally = _ascending(tally)
        self._span = degree(tally)
        law = PairFactors(tally.items())
        meter = Meter(budget)
        k = max(0, self._folded(k))
        tail = sum_tail(lambda: law, k, NO_COUNT, partial(_of_tally, tally), meter)
        least = law.least * SECONDS_PER_UNIT
        if least > budget.seconds:
            raise tail.refused(Estimate(seconds=least, bytes=0), _TOO_MANY)
        digits = 1 + max(1, frexp(1 / width)[1] * 3 // 10)
        search = SumSearch(law, k, meter, digits, budget.seconds, width=width)
        search.bracket()
        self._inversion = search.inversion
        self._settled = search.settled
        self.seconds = meter.seconds
        self.frequencies = len(search.settled.found)

    def __call__(self, k: int) -> Enclosure:
        """Enclose P(X <= k)."""
        if k < 0 or k >= self._span:
            return ZERO if k < 0 else ONE
        value = self._inversion.at(self._folded(k)).bounds(self._settled)
        return value if 2 * k < self._span else value.complement()

    def _folded(self, k: int) -> int:
        """Return the threshold below the middle whose tail is that of k, or its complement."""
        return min(k, self._span - 1 - k)


def _ascending(units: Alike) -> Alike:
    """Return the units in ascending order, uncopied where they already are."""
    ascends = sorted(units) == list(units)
    return units if ascends else dict(sorted(units.items()))  # type: ignore[return-value]


def _pair_tail(tally: Tally, k: int, meter: Meter) -> Tail:
    """Return the tail P(X <= k) for 0 < d <= k < (D - 1) / 2 and differences d, ascending, without a common divisor.

    A bracket conditions on the pairs, few at most, that would make it slow.
    """
    default = meter.budget is QUICK and meter.progress is None
    options = _OPTIONS if default else Options(budget=meter.budget, progress=meter.progress)
    costs = plan.costs(tally, k, options)

    def made() -> Enclosure:
        count, _ = plan.counted(tally, k, costs, partial(plan.described, tally), options)
        return Enclosure(count, count, -sum(tally.values()))

    return Tail(
        count=Counting(seconds=least_seconds(costs, meter.budget), made=made),
        what=partial(_of_tally, tally),
        least=lambda: LEAST_UNITS * len(tally),  # known without a step for each difference
        begun=partial(_begun, tally, k, meter),
        meter=meter,
        quick=max(SECONDS_LEAST, _SECONDS_DIFFERENCE * len(tally)),
        too_many=_TOO_MANY,
    )


def _begun(tally: Tally, k: int, meter: Meter, digits: int, seconds: float) -> SumSearch:
    """Return the search for a bracket, of the sum itself or with some pairs set apart.

    Giants hold the tilted sum's frequencies up. Pairs off an otherwise coarse lattice hide it from
    the inversion; their 2**u thresholds cost little beside the frequencies of a fine one, which also
    damps them badly.
    """
    found = apart(tally, k, giants(tally), meter)(digits, seconds)
    off = off_lattice(tally, found.inversion.period >> _FINEST)
    if off and found.predicted() > _EASY:
        other = apart(tally, k, off, meter)(digits, seconds)
        soon = max(SOON, found.predicted())
        if other.inversion.whole(other.width) and other.predicted() <= soon:
            return other
    return found


def apart(
    tally: Tally, k: int, pairs: tuple[int, ...], meter: Meter
) -> Callable[[int, float], SumSearch]:
    """Return the searches, for so many digits and seconds, that condition on some pairs.

    P(X <= k) is the mean of P(X' <= k - s) over the sums s of their subsets, X' being the sum of the
    others, whose common divisor is divided out.
    """
    groups: Iterable[tuple[int, int]] = tally.items()
    thresholds = None
    if pairs:
        groups, k, thresholds = conditioned(tally, k, pairs)
    return partial(SumSearch, PairFactors(groups), k, meter, thresholds=thresholds)


def _step_tail(types: Mapping[Step, int], k: int, meter: Meter) -> Tail:
    """Return the tail P(X <= k) of steps, for 0 <= k <= E X."""

    def what() -> str:
        return f"{plan.described(types)} and sums up to {short_integer(degree(types))} steps"

    count = step_counting(types, k, Options(budget=meter.budget, progress=meter.progress))
    return sum_tail(lambda: UnitFactors(types), k, count, what, meter)


def step_counting(types: Mapping[Step, int], k: int, options: Options) -> Counting:
    """Return the exact count of P(X <= k) of steps, rounded where it is no binary fraction."""

    def made() -> Enclosure:
        count, _ = plan.count_at_most(types, k, options)
        return rational(Fraction(count, choices(types)))

    costs = plan.costs(types, k, replaced(options, progress=None))
    return Counting(seconds=least_seconds(costs, options.budget), made=made)


def rational(p: Fraction) -> Enclosure:
    """Return a rational number 0..1 as an enclosure: itself where its denominator is a power of two, else 256 bits.

    >>> rational(Fraction(3, 8)), rational(Fraction(1, 3)).relative_width < 1e-70
    (Enclosure(lower=3, upper=3, exponent=-3), True)
    """
    if p.denominator & (p.denominator - 1) == 0:
        return Enclosure(p.numerator, p.numerator, 1 - p.denominator.bit_length())
    return enclosed(p, _EXACT_BITS)


def _decided(tally: Tally, k: int, meter: Meter, settled: Enough) -> Enclosure:
    """Return the first of the brackets of falling width that is settled, or the narrowest."""
    tail = _pair_tail(tally, k, meter)
    exact = tail.count.seconds
    allowed = meter.budget.seconds
    if exact <= plan.INSTANT:
        return tail.count.made()
    seconds = min(allowed, exact)
    if exact <= allowed:
        seconds = min(seconds, _WITH_COUNT * allowed - exact)
    value = Enclosure(0, 1, 0)
    for digits in _DECISION_DIGITS:
        left = seconds - meter.seconds
        if left < tail.least() * SECONDS_PER_UNIT:
            break
        search = _begun(tally, k, meter, digits, left)
        value = search.bracket(settled)
        if settled(value) or value.relative_width > search.width:
            break
    return value


def _of_tally(tally: Tally) -> str:
    pairs = short_integer(sum(tally.values()))
    span = short_integer(degree(tally))
    return f"{pairs} pairs with {len(tally)} distinct differences and sums up to {span} steps"
