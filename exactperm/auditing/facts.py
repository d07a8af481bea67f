"""What is known of one statistic of one data set: its tails, counted or between certified bounds, and its laws.

With x the observed place, D the span and {d: c_d} the tally of the lattice of a test of sign flips,

    z**2 = (2 x - D)**2 / sum_d c_d d**2,       t**2 = (n - 1) T**2 / (n Q - T**2),

since X has the mean D / 2 and the variance sum c_d d**2 / 4; T is the sum of the differences and Q
that of their squares. The continuity correction takes half a step off the distance. Every count and
bracket of one claim is charged to one :class:`Allowance`, by its estimate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from fractions import Fraction
from functools import cache
from math import ceil, floor, inf, log10

from .._types import TYPE_CHECKING, Any
from ..arithmetic.enclosure import ONE, ZERO, Enclosure
from ..arithmetic.rational import Exact
from ..budget import Budget, Options, Progress
from ..counting import plan
from ..errors import BudgetExceeded
from ..null.sentence import PValue
from ..null.tails import thresholds
from ..permutation import permutation_test
from ..record import Record, lazy, replaced
from ..swaps.canonical import Canonical, Swaps, canonical
from ..swaps.effects import flip_effects, swap_effects
from .laws import normal_tail, t_tail

if TYPE_CHECKING:
    from ..swaps.statistic import Statistic

Ends = tuple[Fraction, Fraction]


def ends_of(value: PValue) -> Ends:
    """Return the bounds of a p-value, equal ones for an exact one."""
    return value if isinstance(value, tuple) else (value, value)


SOON = 0.5
"""Seconds up to which a test is counted at once; brackets of a longer one come first."""

_LEAST = 1e-9  # seconds of a budget of which nothing is left: it admits nothing
_SECONDS_PAIR = 5e-6  # of a pair, to be scaled for one statistic
_MOST_DIGITS = 50  # of a bracket
_STEP = 2  # digits by which a bracket grows that leaves a verdict open
_MOST_STEP_DIGITS = 17  # of a bracket of runs


class Allowance:
    """The budget of one claim, and what its readings have taken of it: seconds by estimates, which are constants.

    >>> allowance = Allowance(Budget(seconds=5))
    >>> allowance.charge(4)
    >>> allowance.budget.seconds
    1.0
    """

    def __init__(self, budget: Budget | None = None) -> None:
        self._whole = Budget.of(budget)
        self.spent = 0.0

    @property
    def budget(self) -> Budget:
        """What is left."""
        left = max(_LEAST, self._whole.seconds - self.spent)
        return Budget(seconds=left, bytes=self._whole.bytes)

    def charge(self, seconds: float) -> None:
        """Take so much from what is left."""
        self.spent += seconds

    @contextmanager
    def work(self) -> Iterator[Progress]:
        """Charge the units of work of a bracket, as it reports its progress."""
        units = 0

        def progress(done: int, _total: int) -> None:
            nonlocal units
            units = done

        from ..certified.bracket import seconds_of

        left = self.budget.seconds
        try:
            yield progress
        finally:
            self.charge(min(left, seconds_of(units)))


class Facts(Record):
    """Facts about one statistic of one data set, from which the p-values of all its readings follow.

    ``tails`` has for "less", "greater" and "two-sided" bounds of the exact p-value with the
    observed value and without it; none where nothing is known. ``distance`` is 2x - D, ``square``
    four times the variance of X, 0 without laws, ``step`` the continuity correction in steps of X.
    ``samples`` are those of t-tests of two samples. ``total`` is the number of assignments;
    ``seconds`` the work of the tails. ``_count`` and ``_enclose`` get more.
    """

    n: int
    total: int
    tails: Mapping[str, tuple[Ends, Ends]] = {}
    distance: Exact = 0
    square: Exact = 0
    step: Exact = 1
    samples: Mapping[str, Any] = {}
    seconds: float = 0.0
    refusal: str = ""
    _count: Callable[[Budget], Facts] | None = None
    _enclose: Callable[[int | None, Allowance], Facts] | None = None

    @lazy
    def _values(self) -> dict[tuple[str, str, str], PValue | None]:
        return {}

    def value(self, law: str, tail: str, boundary: str = ">=") -> PValue | None:
        """Return the p-value of one law, tail and boundary; None where the statistic has none, or it is unknown."""
        key = law, tail, boundary
        if key not in self._values:
            self._values[key] = self._value(*key)
        return self._values[key]

    def _value(self, law: str, tail: str, boundary: str) -> PValue | None:
        if law == "exact":
            return self._exact(tail, boundary) if self.tails else None
        if law in self.samples:
            return two_samples(self.samples[law], tail)
        if self.square == 0:
            return None
        if law == "t":
            found = self._student(tail)
        else:
            step = self.step if law == "normal-cc" else 0
            found = tail_of(self.distance, step, tail, self._normal)
        return None if found is None else found.ends()

    def _normal(self, distance: Exact) -> Enclosure:
        return normal_tail(distance * distance / Fraction(self.square))

    def _exact(self, tail: str, boundary: str) -> PValue:
        if tail in self.tails:
            low, high = _between(self.tails[tail], boundary)
        else:
            both = [_between(self.tails[side], boundary) for side in ("less", "greater")]
            times = 1 if tail == "min" else 2
            low, high = [times * min(ends) for ends in zip(*both)]
        if tail != "2min":
            low, high = min(low, Fraction(1)), min(high, Fraction(1))
        return low if low == high else (low, high)

    @property
    def counted(self) -> bool:
        """Whether the exact p-values are known as fractions."""
        return bool(self.tails) and self.digits == inf

    @lazy
    def digits(self) -> float:
        """Number of certain digits of the tails: infinite where they are counted, 0 where nothing is known."""
        ends = [ends for both in self.tails.values() for ends in both]
        width = max([float((high - low) / high) for low, high in ends if high], default=1.0)
        return inf if ends and not width else -log10(max(2.0**-1000, width))

    @property
    def side(self) -> int:
        """1 where the statistic lies above the centre of its null distribution, -1 below, 0 at it."""
        return (self.distance > 0) - (self.distance < 0)

    def _student(self, tail: str) -> Enclosure | None:
        spread = self.n * self.square - self.distance**2
        if self.n < 2:
            return None
        if spread == 0:  # all differences are equal: t is infinite
            return tail_of(self.distance, 0, tail, lambda _distance: ZERO)
        square = Fraction((self.n - 1) * self.distance**2) / spread
        return tail_of(self.distance, 0, tail, lambda _distance: t_tail(square, self.n - 1))

    def finer(self, digits: float, allowance: Allowance) -> Facts | None:
        """Return narrower tails or the count, for a verdict that needs some digits; None where that is too dear.

        One more digit of a bracket takes ten times the work. Where a count takes less it is made.
        """
        if self._count is None or self.digits == inf:
            return None
        left = allowance.budget
        wanted = max(floor(self.digits) + _STEP, digits)
        able = self._enclose is not None and self.tails and wanted <= _MOST_DIGITS
        bracket = self.seconds * 10 ** (wanted - self.digits) if able else inf
        with suppress(BudgetExceeded):
            return _charged(self._count, min(left.seconds, bracket), allowance)
        with suppress(BudgetExceeded):
            if self._enclose is not None and bracket <= left.seconds:
                found = self._enclose(ceil(wanted), allowance)
                return found if found.digits > self.digits else None
        return None


def _between(both: tuple[Ends, Ends], boundary: str) -> Ends:
    weak, strict = both
    if boundary == "mid":
        return (weak[0] + strict[0]) / 2, (weak[1] + strict[1]) / 2
    return weak if boundary == ">=" else strict


def rest(ends: Ends) -> Ends:
    """Return the bounds of 1 - p."""
    return 1 - ends[1], 1 - ends[0]


def sided(weak: Ends, strict: Ends, side: int) -> dict[str, tuple[Ends, Ends]]:
    """Return the p-values of a symmetric distribution from those of the smaller tail."""
    pair = ((weak, strict), (rest(strict), rest(weak)))
    less, greater = pair if side <= 0 else pair[::-1]
    one = Fraction(1)
    two = [(min(one, 2 * low), min(one, 2 * high)) for low, high in (weak, strict)]
    return {"less": less, "greater": greater, "two-sided": (two[0], two[1])}


def tail_of(
    distance: Exact, step: Exact, tail: str, upper: Callable[[Exact], Enclosure]
) -> Enclosure:
    """Return a tail of a symmetric law at ``distance`` from its centre, taken ``step`` nearer to the centre.

    ``upper(y)`` encloses the upper tail from y >= 0 on.
    """
    size = max(distance, -distance)
    if tail in ("two-sided", "doubled"):
        return ONE if distance == 0 else upper(max(size - step, step - size)).scaled(1)
    from_centre = {"greater": distance, "less": -distance}.get(tail, size) - step
    value = upper(from_centre) if from_centre >= 0 else upper(-from_centre).complement()
    return value.scaled(1) if tail == "2min" else value


def two_samples(found: Any, tail: str) -> PValue | None:
    """Return bounds of the p-value of a t-test of two samples; it falls as the degrees of freedom grow."""
    if found is None:
        return None
    sign, square, least, most = found

    def ends(n: int) -> Ends:
        return tail_of(
            sign, 0, tail, lambda _distance: ZERO if square is None else t_tail(square, n)
        ).ends()

    (a, b), (c, d) = ends(most), ends(least)
    return min(a, c), max(b, d)


# ------------------------------------------------------------------------------------------ making


def of_flips(
    flips: Mapping[Exact, int] | Iterable[Exact], n: int, step: Exact | None, allowance: Allowance
) -> Facts:
    """Return the facts of the test that flips the signs of a column, or of a tally of one.

    ``step`` is the continuity correction in the units of the column.
    """
    column = flips if isinstance(flips, Mapping) else list(flips)
    allowance.charge(_SECONDS_PAIR * len(column))
    swaps = canonical(flip_effects(column))
    return of_sum(swaps, allowance, n=n, **_places(swaps, step))


def _places(swaps: Swaps, step: Exact | None = None) -> dict[str, Any]:
    return {
        "total": swaps.total,
        "distance": 2 * swaps.observed - swaps.span,
        "square": sum(d * d * count for d, count in swaps.tally.items()),
        "step": 1 if step is None else step / Fraction(swaps.unit),
    }


def of_sum(swaps: Canonical, allowance: Allowance, **known: Any) -> Facts:
    """Return the facts of a sum of pairs or of runs, of which all but the tails are ``known``.

    A test that does not take long is counted; else bounds are certified, which leave few verdicts
    open. Source: spec/10-audit.md#audit-runs.
    """
    pairs, span = isinstance(swaps, Swaps), swaps.span
    counts = 2 if swaps.symmetric else 6

    def count(budget: Budget) -> Facts:
        options = Options(budget=budget)
        k = min(swaps.observed, span - swaps.observed) if swaps.symmetric else swaps.observed
        cost = counts * plan.expected(swaps.tally, k, options).seconds

        @cache
        def below(k: int) -> Ends:
            kept, _ = plan.count_at_most(swaps.tally, k, options)
            return (Fraction(kept * swaps.common, swaps.total),) * 2

        return Facts(tails=_tails(swaps, below), seconds=cost, **known)

    def enclose(digits: int | None, left: Allowance) -> Facts:
        before = left.spent
        ways: dict[str, Any] = {"_count": count, "_enclose": enclose}
        tails = _enclosed(
            swaps, digits if pairs else digits and min(digits, _MOST_STEP_DIGITS), left
        )
        return Facts(tails=tails, seconds=left.spent - before, **ways, **known)

    return _first(count, enclose, allowance, known)


def _enclosed(
    swaps: Canonical, digits: int | None, allowance: Allowance
) -> dict[str, tuple[Ends, Ends]]:
    """Return certified bounds of the tails of a sum."""
    from ..certified.bracket import tail_bracket
    from ..certified.steps import step_bracket

    bracket: Any = tail_bracket if isinstance(swaps, Swaps) else step_bracket

    @cache
    def below(k: int) -> Ends:
        with allowance.work() as progress:
            about: dict[str, Any] = {"budget": allowance.budget, "progress": progress}
            return bracket(swaps.tally, k, digits, **about).ends()  # type: ignore[no-any-return]

    return _tails(swaps, below)


def _tails(swaps: Canonical, below: Callable[[int], Ends]) -> dict[str, tuple[Ends, Ends]]:
    """Return the tails of a sum from bounds of P(X <= k); in the centre of a symmetric one their sum is 1."""
    x, none = swaps.observed, (Fraction(0), Fraction(0))
    if swaps.symmetric:
        distance = 2 * x - swaps.span
        k = min(x, swaps.span - x)
        strict = below(k - 1)
        weak = below(k) if distance else rest(strict)
        return sided(weak, strict, (distance > 0) - (distance < 0))
    weak, strict = below(x), below(x - 1)
    two = []
    for beyond in (False, True):
        a, b = thresholds(swaps, "two-sided", strict=beyond)[1]
        low, high = none if a is None else below(a), none if b is None else rest(below(b - 1))
        two.append((low[0] + high[0], low[1] + high[1]))
    greater = rest(strict), rest(weak)
    return {"less": (weak, strict), "greater": greater, "two-sided": (two[0], two[1])}


def _charged(count: Callable[[Budget], Facts], seconds: float, allowance: Allowance) -> Facts:
    """Return a count that takes at most so many seconds, and charge them."""
    found = count(Budget(seconds=seconds, bytes=allowance.budget.bytes))
    allowance.charge(found.seconds)
    return found


def _first(
    count: Callable[[Budget], Facts],
    enclose: Callable[[int | None, Allowance], Facts],
    allowance: Allowance,
    known: dict[str, Any],
) -> Facts:
    """Return a count that does not take long, else bounds, else what is known without either."""
    with suppress(BudgetExceeded):
        return _charged(count, min(SOON, allowance.budget.seconds), allowance)
    try:
        return enclose(None, allowance)
    except BudgetExceeded as error:
        return Facts(refusal=error.brief, _count=count, **known)


def moved(
    flips: Any, ends: Ends, n: int, step: Exact | None, allowance: Allowance, *, counted: bool
) -> list[Facts]:
    """Return the facts of a test at the first and the last place where the sum of its flips lies between two.

    None where there is no such place; ``counted``: with bounds of its exact p-value.
    """
    swaps = canonical(flip_effects(flips))
    reach = swaps.unit * swaps.span  # twice
    first, last = [(2 * end / reach + 1) * swaps.span / 2 for end in ends]
    places = max(0, ceil(first)), min(swaps.span, floor(last))
    found = []
    for x in sorted({*places}) if places[0] <= places[1] else ():
        one = replaced(swaps, observed=x)
        tails = _enclosed(one, None, allowance) if counted else {}
        found.append(Facts(n=n, tails=tails, **_places(one, step)))
    return found


def of_entries(
    pairs: tuple[Any, Any], rule: Statistic, labels: Any, n: int, allowance: Allowance
) -> Facts:
    """Return the facts of a test of F1, a ratio or accuracies: its count where it is quick, else its bounds."""
    u, v = pairs
    effects = swap_effects(u, v, rule, groups=labels)
    if rule.combine is None:
        swaps = canonical(effects)
        return of_sum(swaps, allowance, n=n, **_places(swaps))
    known: dict[str, Any] = {"n": n, "total": 1 << n}

    def count(budget: Budget) -> Facts:
        result = permutation_test(u, v, statistic=rule, groups=labels, budget=budget)
        tied, side = int(result.point_probability * result.total), _sign(result.statistic)
        weak = result.count // 2 if side else (result.total + tied) // 2
        strict = weak - (tied // 2 if side else tied)
        ends = [(Fraction(k, result.total),) * 2 for k in (weak, strict)]
        return Facts(tails=sided(ends[0], ends[1], side), distance=side, **known)

    def enclose(_digits: int | None, left: Allowance) -> Facts:
        from ..null.joint_tails import JointTails
        from ..swaps.lattice import lattice

        tails, ends = JointTails(swaps=lattice(effects), rule=rule), []
        side = _sign(tails.statistic) if rule.antisymmetric else 0
        with suppress(BudgetExceeded):
            for strict in (False, True) if side else ():
                with left.work() as progress:
                    about: dict[str, Any] = {"strict": strict, "progress": progress}
                    factor, one = tails.least("two-sided", None, left.budget, **about)
                    ends.append((one if factor == 2 else one.scaled(-1)).ends())  # of one tail
            if ends:
                bounds = sided(ends[0], ends[1], side)
                return Facts(tails=bounds, distance=side, _count=count, **known)
        return _charged(count, left.budget.seconds, left)

    return _first(count, enclose, allowance, known)


def _sign(x: Exact) -> int:
    return (x > 0) - (x < 0)
