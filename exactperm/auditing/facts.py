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
from math import ceil, floor, inf, log10

from .._types import TYPE_CHECKING, Any, Union
from ..arithmetic.enclosure import ONE, ZERO, Enclosure
from ..arithmetic.rational import Exact
from ..budget import Budget, Progress
from ..certified.bracket import exact_seconds, seconds_of, tail_bracket
from ..errors import BudgetExceeded, ExactPermError
from ..null.joint_tails import JointTails
from ..permutation import permutation_test, sign_flip_test
from ..record import Record, lazy, replaced
from ..swaps.canonical import Swaps, canonical
from ..swaps.effects import flip_effects, swap_effects
from ..swaps.lattice import lattice
from .laws import normal_tail, t_tail

if TYPE_CHECKING:
    from ..null.result import PermutationTestResult
    from ..swaps.statistic import Statistic

Ends = tuple[Fraction, Fraction]
Value = Union[Fraction, Ends]
"""A p-value: exact, or bounds of it."""


def ends_of(value: Value) -> Ends:
    """Return the bounds of a p-value, equal ones for an exact one."""
    return value if isinstance(value, tuple) else (value, value)


SOON = 0.5
"""Seconds up to which a test is counted at once; brackets of a longer one come first."""

_LEAST = 1e-9  # seconds of a budget of which nothing is left: it admits nothing
_SECONDS_PAIR = 5e-6  # of a pair, to be scaled for one statistic
_MOST_DIGITS = 50  # of a bracket
_STEP = 2  # digits by which a bracket grows that leaves a verdict open


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

        left = self.budget.seconds
        try:
            yield progress
        finally:
            self.charge(min(left, seconds_of(units)))


class Facts(Record):
    """Facts about one statistic of one data set, from which the p-values of all its readings follow.

    ``result`` is the two-sided test where it is counted. Else ``bounds`` has for "less" and
    "greater" the bounds of the p-value with the observed value and without it, and for
    "two-sided" where the null distribution is not symmetric; none where nothing is known.
    ``distance`` is 2x - D, ``square`` four times the variance of X, 0 without laws, ``step`` the
    continuity correction in steps of X. ``samples`` are those of t-tests of two samples.
    ``total`` is the number of assignments; ``seconds`` the work of the bounds. ``_cost``,
    ``_count`` and ``_enclose`` get more.
    """

    n: int
    total: int
    result: PermutationTestResult | None = None
    bounds: Mapping[str, tuple[Ends, Ends]] = {}
    distance: int = 0
    square: Exact = 0
    step: Exact = 1
    samples: Mapping[str, Any] = {}
    seconds: float = 0.0
    refusal: str = ""
    _cost: float = inf
    _count: Callable[[Allowance], Facts] | None = None
    _enclose: Callable[[int, Allowance], Facts] | None = None

    def value(self, law: str, tail: str, boundary: str = ">=") -> Value | None:
        """Return the p-value of one law, tail and boundary; None where the statistic has none, or it is unknown."""
        if law == "exact":
            return self._exact(tail, boundary)
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

    def _exact(self, tail: str, boundary: str) -> Value | None:
        if self.result is not None and boundary == ">=" and tail in ("two-sided", "doubled"):
            return self.result.pvalue
        tails = self.tails
        if not tails:
            return None
        if (tail, boundary) == ("two-sided", "mid") and tail not in tails:  # not 1 in the centre
            weak, strict = [ends_of(self._exact(tail, one) or Fraction(0)) for one in (">=", ">")]
            low, high = _between((weak, strict), boundary)
            return low if low == high else (low, high)
        if tail in tails:
            low, high = _between(tails[tail], boundary)
        else:
            both = [_between(tails[side], boundary) for side in ("less", "greater")]
            times = 1 if tail == "min" else 2
            low, high = times * min(both[0][0], both[1][0]), times * min(both[0][1], both[1][1])
        if tail != "2min":
            low, high = min(low, Fraction(1)), min(high, Fraction(1))
        return low if low == high else (low, high)

    @property
    def known(self) -> bool:
        """Whether anything is known of the exact p-value."""
        return self.result is not None or bool(self.bounds)

    @property
    def digits(self) -> float:
        """Number of certain digits of the bounds; 0 without any."""
        ends = [ends for both in self.bounds.values() for ends in both]
        widths = [float((high - low) / high) for low, high in ends if high]
        return -log10(max(2.0**-1000, *widths, 0.0)) if widths else 0.0

    @lazy
    def side(self) -> int:
        """1 where the statistic lies above the centre of its null distribution, -1 below, 0 at it."""
        place: Exact = self.distance
        if not self.square and self.result is not None:
            place = self.result.statistic
        return (place > 0) - (place < 0)

    @lazy
    def tails(self) -> Mapping[str, tuple[Ends, Ends]]:
        """The one-sided p-values, with the observed value and without it."""
        if self.result is None:
            return self.bounds
        tied = int(self.result.point_probability * self.total)
        if self.side:
            weak = self.result.count // 2
            strict = weak - tied // 2
        else:
            weak, strict = (self.total + tied) // 2, (self.total - tied) // 2
        ends = [(Fraction(count, self.total),) * 2 for count in (weak, strict)]
        return sided(ends[0], ends[1], self.side)

    def _student(self, tail: str) -> Enclosure | None:
        spread = self.n * self.square - self.distance**2
        if self.n < 2:
            return None
        if spread == 0:  # all differences are equal: t is infinite
            return tail_of(self.distance, 0, tail, lambda _distance: ZERO)
        square = Fraction((self.n - 1) * self.distance**2) / spread
        return tail_of(self.distance, 0, tail, lambda _distance: t_tail(square, self.n - 1))

    def finer(self, digits: float, allowance: Allowance) -> Facts | None:
        """Return narrower bounds or the count, for a verdict that needs some digits; None where that is too dear.

        One more digit of a bracket takes ten times the work. Where a count takes less it is made.
        """
        if self._count is None:
            return None
        left = allowance.budget.seconds
        wanted = max(floor(self.digits) + _STEP, digits)
        able = self._enclose is not None and self.bounds and wanted <= _MOST_DIGITS
        bracket = self.seconds * 10 ** (wanted - self.digits) if able else inf
        with suppress(BudgetExceeded):
            if self._cost <= min(left, bracket):
                return self._count(allowance)
            if bracket <= left and self._enclose is not None:
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
    """Return the one-sided p-values of a symmetric distribution from those of the smaller tail."""
    pair = ((weak, strict), (rest(strict), rest(weak)))
    less, greater = pair if side <= 0 else pair[::-1]
    return {"less": less, "greater": greater}


def tail_of(
    distance: int, step: Exact, tail: str, upper: Callable[[Exact], Enclosure]
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


def two_samples(found: Any, tail: str) -> Value | None:
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

    A test that does not take long is counted; else bounds are certified, which leave few verdicts
    open. ``step`` is the continuity correction in the units of the column.
    """
    column = flips if isinstance(flips, Mapping) else list(flips)
    allowance.charge(_SECONDS_PAIR * len(column))
    swaps = canonical(flip_effects(column))
    cost = exact_seconds(
        swaps.tally, min(swaps.observed, swaps.span - swaps.observed), allowance.budget
    )
    known = {"n": n, **_places(swaps, step)}

    def count(left: Allowance) -> Facts:
        left.charge(cost)
        return Facts(result=sign_flip_test(column, budget=left.budget), **known)

    def enclose(digits: int | None, left: Allowance) -> Facts:
        before = left.spent
        bounds = _bounds(swaps, digits, left)
        about: dict[str, Any] = {"_cost": cost, "_count": count, "_enclose": enclose}
        return Facts(bounds=bounds, seconds=left.spent - before, **about, **known)

    return _first(cost, count, enclose, allowance, known)


def _places(swaps: Swaps, step: Exact | None = None) -> dict[str, Any]:
    return {
        "total": 1 << sum(swaps.tally.values()) + swaps.ties,
        "distance": 2 * swaps.observed - swaps.span,
        "square": sum(d * d * count for d, count in swaps.tally.items()),
        "step": 1 if step is None else step / Fraction(swaps.unit),
    }


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
        bounds = _bounds(one, None, allowance) if counted else {}
        found.append(Facts(n=n, bounds=bounds, **_places(one, step)))
    return found


def _first(
    cost: float,
    count: Callable[[Allowance], Facts],
    enclose: Callable[[int | None, Allowance], Facts],
    allowance: Allowance,
    known: dict[str, Any],
) -> Facts:
    """Return a count that does not take long, else bounds, else what is known without either."""
    refusal = ""
    if cost <= min(SOON, allowance.budget.seconds):
        try:
            return count(allowance)
        except BudgetExceeded as error:
            refusal = error.brief
    try:
        return enclose(None, allowance)
    except BudgetExceeded as error:
        refusal = refusal or error.brief
        return Facts(refusal=refusal, _cost=cost, _count=count, **known)


def _bounds(swaps: Swaps, digits: int | None, allowance: Allowance) -> Mapping[str, Any]:
    """Return bounds of P(X <= k) and P(X < k), k on the smaller side; in the centre their sum is 1."""

    def enclosed(k: int) -> Enclosure:
        with allowance.work() as progress:
            return tail_bracket(swaps.tally, k, digits, budget=allowance.budget, progress=progress)

    distance = 2 * swaps.observed - swaps.span
    k = min(swaps.observed, swaps.span - swaps.observed)
    strict = enclosed(k - 1)
    weak = enclosed(k) if distance else strict.complement()
    return sided(weak.ends(), strict.ends(), (distance > 0) - (distance < 0))


def of_entries(
    pairs: tuple[Any, Any], rule: Statistic, labels: Any, n: int, allowance: Allowance
) -> Facts:
    """Return the facts of a test of F1, a ratio or accuracies: its count where it is quick, else its bounds."""
    u, v = pairs

    def count(left: Allowance) -> Facts:
        result = permutation_test(u, v, statistic=rule, groups=labels, budget=left.budget)
        swaps = getattr(result.tails, "swaps", None)
        if not isinstance(swaps, Swaps):  # ratios have no lattice of one dimension
            return Facts(n=result.n, total=result.total, result=result)
        return Facts(n=result.n, result=result, **{**_places(swaps), "total": result.total})

    left = allowance.budget
    if rule.combine is None:
        return count(allowance)
    with suppress(BudgetExceeded):
        return count(Allowance(Budget(seconds=min(SOON, left.seconds), bytes=left.bytes)))
    with suppress(ExactPermError):
        tails = JointTails(swaps=lattice(swap_effects(u, v, rule, groups=labels)), rule=rule)
        if tails.rule.antisymmetric and tails.statistic:
            ends = []
            for strict in (False, True):
                with allowance.work() as progress:
                    about: dict[str, Any] = {"strict": strict, "progress": progress}
                    factor, one = tails.least("two-sided", None, allowance.budget, **about)
                    ends.append((one if factor == 2 else one.scaled(-1)).ends())  # of one tail
            bounds = sided(ends[0], ends[1], 1 if tails.statistic > 0 else -1)
            return Facts(n=n, total=1 << n, bounds=bounds, _cost=0.0, _count=count)
    return count(allowance)
