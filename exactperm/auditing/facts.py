"""What is known of one statistic of one data set: its tails, counted or between certified bounds, and its laws.

With x the observed place, D the span and {d: c_d} the tally of the lattice of a test of sign flips,

    z**2 = (2 x - D)**2 / sum_d c_d d**2,       t**2 / (n - 1 + t**2) = T**2 / (n Q),

since X has the mean D / 2 and the variance sum c_d d**2 / 4; T is the sum of the differences and Q
that of their squares. The continuity correction takes half a step off the distance. Every count and
bracket of one claim is charged to one :class:`~exactperm.budget.Allowance`, by its estimate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import ceil, floor, inf, log10

from .._types import TYPE_CHECKING, Union
from ..arithmetic.rational import Exact
from ..budget import Allowance, Budget, Options, Progress
from ..counting import plan
from ..errors import BudgetExceeded
from ..null.sentence import PValue
from ..null.tails import thresholds
from ..record import Record, lazy, replaced
from ..swaps.canonical import Swaps, canonical
from ..swaps.effects import flip_effects, swap_effects
from ..swaps.units import steps_of
from .laws import normal_tail, t_tail

if TYPE_CHECKING:
    from ..swaps.statistic import Statistic

Ends = tuple[Fraction, Fraction]
"""Bounds of a p-value."""
TwoSamples = tuple[Exact, Fraction, Fraction]
"""Difference of means, the estimate of its variance, and the degrees of freedom."""
Flipping = Union[Mapping[Exact, int], Sequence[Exact]]
"""What is flipped: {flip: how often}, or one flip after the other."""
Sides = Mapping[str, tuple[Ends, Ends]]
"""For "less", "greater" and "two-sided" bounds of the exact p-value with the observed value and without it."""
Find = Callable[[Union[float, None], Budget, Allowance], Sides]
"""What finds tails to some digits: counted for infinitely many, those of a quick bracket for None."""


def ends_of(value: PValue) -> Ends:
    """Return the bounds of a p-value, equal ones for an exact one."""
    return value if isinstance(value, tuple) else (value, value)


def hull(found: Sequence[Ends]) -> Ends:
    """Return bounds of some p-values."""
    return min(low for low, _ in found), max(high for _, high in found)


def shown(found: Sequence[Ends]) -> PValue | None:
    """Return a p-value, or the bounds of several, as findings have it."""
    if not found:
        return None
    low, high = hull(found)
    return low if low == high else (low, high)


SOON = 0.5
"""Seconds up to which a test is counted at once; brackets of a longer one come first."""

_NONE = Fraction(0), Fraction(0)
_SECONDS_PAIR = 5e-6  # of a pair, to be scaled for one statistic
_MOST_DIGITS = 50  # of a bracket
_STEP = 2  # digits by which a bracket grows that leaves a verdict open
_MOST_STEP_DIGITS = 17  # of a bracket of runs


class Facts(Record):
    """Facts about one statistic of one data set, from which the p-values of all its readings follow.

    ``tails`` are empty where nothing is known. ``distance`` is 2x - D, ``square`` four times the
    variance of X, 0 without laws, ``step`` the continuity correction in steps of X. ``samples`` are
    those of t-tests of two samples. ``seconds`` is the work of the tails, ``_find`` what finds
    them.
    """

    n: int
    tails: Mapping[str, tuple[Ends, Ends]] = {}
    distance: Exact = 0
    square: Exact = 0
    step: Exact = 1
    samples: Mapping[str, TwoSamples | None] = {}
    seconds: float = 0.0
    refusal: str = ""
    _find: Find | None = None

    def value(self, law: str, tail: str, boundary: str = ">=") -> Ends | None:
        """Return bounds of the p-value of one law, tail and boundary; None where there is none, or it is unknown."""
        if law == "exact":
            known = {side: _between(both, boundary) for side, both in self.tails.items()}
            if tail in known or not known:
                return known.get(tail)
            return tail_of(tail, known["less"], known["greater"])
        if law in self.samples:
            return two_samples(self.samples[law], tail)
        if self.square == 0 or (law in ("t", "student") and self.n < 2):
            return None
        step = self.step if law == "normal-cc" else 0
        distances = -self.distance - step, self.distance - step
        below, above = [Fraction(x * max(x, -x)) / self.square for x in distances]
        return by_law(law, self.n, (below, below), (above, above), tail)

    @lazy
    def digits(self) -> float:
        """Number of certain digits of the tails: infinite where they are counted, 0 where nothing is known."""
        ends = [ends for both in self.tails.values() for ends in both]
        width = max([float((high - low) / high) for low, high in ends if high], default=1.0)
        return inf if ends and not width else -log10(max(2.0**-1000, width))

    @property
    def side(self) -> int:
        """1 where the statistic lies above the centre of its null distribution, -1 below, 0 at it."""
        return _sign(self.distance)

    def finer(self, digits: float, allowance: Allowance) -> Facts | None:
        """Return narrower tails or the count, for a verdict that needs some digits; None where that is too dear.

        One more digit of a bracket takes ten times the work. Where a count takes less it is made.
        """
        if self._find is None or self.digits == inf:
            return None
        wanted = max(floor(self.digits) + _STEP, digits)
        able = self.tails and wanted <= _MOST_DIGITS
        bracket = self.seconds * 10 ** (wanted - self.digits) if able else inf
        tries = [(inf, bracket), (wanted, inf)]
        affordable = bracket <= allowance.budget.seconds
        found = self.with_tails(self._find, allowance, tries[: 1 + affordable])
        return found if found.digits > self.digits else None

    def with_tails(
        self,
        find: Find,
        allowance: Allowance,
        tries: Sequence[tuple[float | None, float]] = (),
    ) -> Facts:
        """Return these facts with the first tails of so many digits that are found in so many seconds, if any.

        By default those of a count that does not take long, else bounds.
        """
        refusal = ""
        for digits, seconds in tries or [(inf, SOON), (None, inf)]:
            left, before = allowance.budget, allowance.spent
            budget = Budget(seconds=min(seconds, left.seconds), bytes=left.bytes)
            try:
                tails = find(digits, budget, allowance)
            except BudgetExceeded as error:
                refusal = error.brief
            else:
                return replaced(self, tails=tails, seconds=allowance.spent - before, _find=find)
        return replaced(self, refusal=refusal, _find=find)


def _between(both: tuple[Ends, Ends], boundary: str) -> Ends:
    weak, strict = both
    if boundary == "mid":
        return (weak[0] + strict[0]) / 2, (weak[1] + strict[1]) / 2
    return weak if boundary == ">=" else strict


def rest(ends: Ends) -> Ends:
    """Return the bounds of 1 - p."""
    return 1 - ends[1], 1 - ends[0]


def tail_of(tail: str, less: Ends, greater: Ends) -> Ends:
    """Return bounds of a tail from those of the two one-sided p-values: the smaller one is twice the two-sided."""
    if tail in ("less", "greater"):
        return less if tail == "less" else greater
    times = 1 if tail == "min" else 2
    low, high = times * min(less[0], greater[0]), times * min(less[1], greater[1])
    return (low, high) if tail == "2min" else (min(low, Fraction(1)), min(high, Fraction(1)))


def by_law(law: str, n: int, below: Ends, above: Ends, tail: str) -> Ends:
    """Return bounds of a tail from those of (T - s)**2 / Q on either side, with the signs of T - s.

    That is z**2 of the normal law, and n t**2 / (n - 1 + t**2) of Student's with n - 1 degrees of freedom.
    """
    normal = law in ("normal", "normal-cc")

    def upper(ratio: Fraction) -> Ends:
        """Return bounds of the upper tail, of the other side where the ratio is negative."""
        size = abs(ratio)
        one = normal_tail(size) if normal else t_tail(min(size / n, Fraction(1)), n - 1)
        return (one if ratio >= 0 else one.complement()).ends()

    less, greater = [(upper(most)[0], upper(least)[1]) for least, most in (below, above)]
    return tail_of(tail, less, greater)


def two_samples(found: TwoSamples | None, tail: str) -> Ends | None:
    """Return bounds of the p-value of a t-test of two samples; it falls as the degrees of freedom grow."""
    if found is None:
        return None
    difference, variance, freedom = found
    square, ends = Fraction(difference * max(difference, -difference)), []
    for df in {ceil(freedom), floor(freedom)}:
        ratio = (df + 1) * square / (abs(square) + df * variance)
        ends.append(by_law("t", df + 1, (-ratio, -ratio), (ratio, ratio), tail))
    return hull(ends)


# ------------------------------------------------------------------------------------------ making


def of_flips(flips: Flipping, n: int, step: Exact | None, allowance: Allowance) -> Facts:
    """Return the facts of the test that flips the signs of a column, or of a tally of one.

    ``step`` is the continuity correction in the units of the column.
    """
    allowance.spent += _SECONDS_PAIR * len(flips)
    swaps = canonical(flip_effects(flips if isinstance(flips, Mapping) else list(flips)))
    return of_sum(swaps, _placed(swaps, n, step), allowance)


def _placed(swaps: Swaps, n: int, step: Exact | None = None) -> Facts:
    """Return the facts of a sum of pairs without its tails; Student's t of ranks leaves out those of zeros."""
    return Facts(
        n=n if step is None else sum(swaps.tally.values()),
        distance=2 * swaps.observed - swaps.span,
        square=sum(d * d * count for d, count in swaps.tally.items()),
        step=1 if step is None else step / Fraction(swaps.unit),
    )


def of_sum(swaps: Swaps, facts: Facts, allowance: Allowance) -> Facts:
    """Return the facts of a sum of pairs or of runs with its tails.

    A test that does not take long is counted; else bounds are certified, which leave few verdicts
    open. Source: spec/10-audit.md#audit-runs.
    """

    def find(digits: float | None, budget: Budget, allowance: Allowance) -> Sides:
        """Count the tails, or enclose them."""
        if digits != inf:
            return _enclosed(swaps, digits, allowance)
        options = Options(budget=budget)
        k = swaps.observed
        k, counts = (min(k, swaps.span - k), 2) if swaps.symmetric else (k, 6)
        seconds = counts * plan.expected(swaps.tally, k, options).seconds

        def below(k: int) -> Ends:
            """Return P(X <= k) as bounds that are equal."""
            kept, _ = plan.count_at_most(swaps.tally, k, options)
            return (Fraction(kept * swaps.common, swaps.total),) * 2

        tails = _tails(swaps, below)
        allowance.spent += seconds
        return tails

    return facts.with_tails(find, allowance)


def _enclosed(swaps: Swaps, digits: float | None, allowance: Allowance) -> Sides:
    """Return certified bounds of the tails of a sum."""
    from ..certified.bracket import tail_bracket

    most = _MOST_DIGITS if swaps.tied is None else _MOST_STEP_DIGITS
    wanted = None if digits is None else min(ceil(digits), most)

    def below(k: int) -> Ends:
        """Return bounds of P(X <= k)."""
        units = swaps.tally if swaps.tied is None else steps_of(swaps.tally)
        budget, progress = allowance.budget, _charging(allowance)
        return tail_bracket(units, k, wanted, budget=budget, progress=progress).ends()

    return _tails(swaps, below)


def _charging(allowance: Allowance) -> Progress:
    """Return the progress of a bracket that charges its work."""
    from ..certified.search import SECONDS_PER_UNIT

    return allowance.charging(SECONDS_PER_UNIT)


def _tails(swaps: Swaps, find: Callable[[int], Ends]) -> Sides:
    """Return the tails of a sum from bounds of P(X <= k)."""
    below, x = cache(find), swaps.observed
    if swaps.symmetric:
        k = min(x, swaps.span - x)
        return symmetric(lambda strict: below(k - strict), _sign(2 * x - swaps.span))
    weak, strict = below(x), below(x - 1)
    both = []
    for beyond in (False, True):
        a, b = thresholds(swaps, "two-sided", strict=beyond)[1]
        low = _NONE if a is None else below(a)
        high = _NONE if b is None else rest(below(b - 1))
        both.append((low[0] + high[0], low[1] + high[1]))
    greater = rest(strict), rest(weak)
    return {"less": (weak, strict), "greater": greater, "two-sided": (both[0], both[1])}


def symmetric(smaller: Callable[[bool], Ends], side: int) -> Sides:
    """Return the tails of a symmetric distribution from the smaller one, strict or not: in the centre their sum is 1."""
    strict = smaller(True)
    weak = smaller(False) if side else rest(strict)
    pair = ((weak, strict), (rest(strict), rest(weak)))
    less, greater = pair if side <= 0 else pair[::-1]
    two = [tail_of("two-sided", ends, ends) for ends in (weak, strict)]
    return {"less": less, "greater": greater, "two-sided": (two[0], two[1])}


def moved(
    flips: Flipping, ends: Ends, n: int, step: Exact | None, allowance: Allowance, *, counted: bool
) -> list[Facts]:
    """Return the facts of a test at the first and the last place where the sum of its flips lies between two.

    None where there is no such place; ``counted``: with bounds of its exact p-value.
    """
    swaps = canonical(flip_effects(flips))
    first, last = [end / swaps.unit + Fraction(swaps.span, 2) for end in ends]
    places = max(0, ceil(first)), min(swaps.span, floor(last))
    found = []
    for x in sorted({*places}) if places[0] <= places[1] else ():
        one = replaced(swaps, observed=x)
        tails = _enclosed(one, None, allowance) if counted else {}
        found.append(replaced(_placed(one, n, step), tails=tails))
    return found


def of_entries(
    pairs: tuple[object, object], rule: Statistic, labels: object, n: int, allowance: Allowance
) -> Facts:
    """Return the facts of a test of F1, a ratio or accuracies: its count where it is quick, else its bounds."""
    effects = swap_effects(*pairs, rule, groups=labels)
    if rule.combine is None:
        swaps = canonical(effects)
        return of_sum(swaps, _placed(swaps, n), allowance)
    from ..null.brackets import least_bracket
    from ..null.joint import JointTails
    from ..swaps.lattice import lattice

    tails = JointTails(swaps=lattice(effects), rule=rule)
    side = _sign(tails.statistic)

    def find(digits: float | None, budget: Budget, allowance: Allowance) -> Sides:
        """Enclose the tails, to so many digits where that is possible."""
        wanted = None if digits is None else ceil(min(digits, _MOST_DIGITS))

        def smaller(strict: bool) -> Ends:
            """Return bounds of the smaller tail."""
            progress = _charging(allowance)
            factor, one = least_bracket(
                tails, "two-sided", wanted, budget, strict=strict, progress=progress
            )
            return (one if factor == 2 else one.scaled(-1)).ends()

        return symmetric(smaller, side)

    return Facts(n=n, distance=side).with_tails(find, allowance)


def _sign(x: Exact) -> int:
    return (x > 0) - (x < 0)
