"""Conventions that a printed p-value may follow, as axes of one table.

A convention is a statistic (with its rule for zeros), a law, a tail and a boundary. On every axis
the table names the formula and who uses it. With x the observed place, D the span and {d: c_d} the
tally of the lattice of the test,

    z**2 = (2 x - D)**2 / sum_d c_d d**2,

since X has the mean D / 2 and the variance sum c_d d**2 / 4. The continuity correction takes half a
step off the distance: (|2 x - D| - step)**2 in place of (2 x - D)**2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property
from math import log10

from .._types import TYPE_CHECKING, Any, Union
from ..arithmetic.enclosure import ONE, ZERO, Enclosure
from ..arithmetic.rational import Exact
from ..certified.bracket import tail_bracket
from ..errors import BudgetExceeded
from ..null.alternative import extremes
from ..record import Record, replaced
from ..swaps.canonical import Swaps
from .allowance import Allowance
from .laws import normal_tail, t_tail

if TYPE_CHECKING:
    from ..null.joint_tails import JointTails
    from ..null.result import PermutationTestResult


Value = Union[Fraction, tuple[Fraction, Fraction]]
"""A p-value: exact, or certified bounds of it."""


STATISTICS = {
    "sum": "sum of the differences (the paired permutation test of means; Fisher 1935)",
    "signed-rank": "sum of the ranks of positive differences (Wilcoxon 1945)",
    "sign": "number of positive differences (sign test)",
    "mcnemar": "number of discordant items that the first system has right (McNemar 1947)",
    "accuracy": "difference of accuracies; gold, u, v are labels",
    "f1": "difference of F1; true positives and incorrect of u, of v",
    "precision": "difference of precision; true and false positives of u, of v",
    "recall": "difference of recall; true positives and false negatives of u, of v",
    "ratio": "difference of ratios of sums; numerator and denominator of u, of v",
}
"""Statistics by the names that claims use."""

ZEROS = {
    "drop": (
        "wilcox",
        "zero differences are left out before ranking (Wilcoxon; the default of R and SciPy)",
    ),
    "pratt": ("pratt", "zero differences are ranked, then their ranks are dropped (Pratt 1959)"),
    "zsplit": ("zsplit", "half of the ranks of zeros goes to either side (SciPy's zsplit)"),
}
"""Rules for zeros of the signed-rank test: the library's ``zero_method``, and who uses it."""

TAILS = {
    "two-sided": "P(|T - c| >= |t - c|), c the mean under the null hypothesis",
    "greater": "P(T >= t)",
    "less": "P(T <= t)",
    "doubled": "min(1, 2 x the smaller one-sided p-value) (SciPy, R)",
    "min": "the smaller one-sided p-value, whatever its side",
    "2min": "2 x the smaller one-sided p-value, not capped at 1",
}

BOUNDARIES = {
    ">=": "as extreme as observed, or more: a valid p-value",
    ">": "more extreme than observed only (sacreBLEU)",
    "mid": "half of the probability of the observed value (mid-p; Lancaster 1961)",
}

DESIGNS = {
    "items": "blocks of runs swapped within items",
    "within": "runs exchanged within items",
    "systems": "whole runs exchanged over items",
    "pooled": "all runs pooled, unpaired",
    "epochs": "run by run as pairs",
}
"""What a test of several runs exchanges: the three designs, then two tests that take runs for
independent items."""

LAWS = {
    "exact": "the counted null distribution",
    "normal": "normal law with the mean and the variance of the null distribution",
    "normal-cc": "the same with continuity correction (R's wilcox.test, McNemar with Edwards' correction)",
    "asymptotic": "normal law, with or without continuity correction",
    "t": "Student's t-test of the differences (statistic sum only)",
    "monte-carlo": "an estimate from K random assignments",
}


class Convention(Record):
    """One entry of each axis; ``zeros`` is None but for signed ranks, ``design`` one of :data:`DESIGNS` for runs."""

    statistic: str
    zeros: str | None
    law: str
    tail: str
    boundary: str
    design: str = ""

    @property
    def words(self) -> str:
        """The convention in words: "exact Wilcoxon signed-rank test (zeros dropped), one-sided (greater)"."""
        alone = self.design in ("within", "systems", "pooled")  # single runs, not pairs of numbers
        test = _TESTS.get(self.statistic, f"permutation test of {self.statistic}")
        test = (
            "t-test of two samples"
            if self.law == "t" and alone
            else "paired t-test"
            if self.law == "t"
            else test
        )
        test = test.replace("paired ", "") if alone else test
        design = f", {DESIGNS[self.design]}" if self.design else ""
        zeros = "" if self.zeros is None else f" ({_ZEROS[self.zeros]})"
        law = "" if self.law in ("exact", "t") else f", {_LAWS[self.law]}"
        boundary = _BOUNDARIES[self.boundary] if self.law in ("exact", "monte-carlo") else ""
        return f"{'exact ' * (self.law == 'exact')}{test}{zeros}{law}, {_TAILS[self.tail]}{boundary}{design}"


_TESTS = {
    "sum": "paired permutation test",
    "signed-rank": "Wilcoxon signed-rank test",
    "sign": "sign test",
    "mcnemar": "McNemar test",
}
_ZEROS = {
    "drop": "zeros dropped",
    "pratt": "zeros by Pratt's rule",
    "zsplit": "zeros split between both sides",
}
_LAWS = {
    "normal": "normal approximation",
    "normal-cc": "normal approximation with continuity correction",
    "asymptotic": "asymptotic",
    "monte-carlo": "estimated",
}
_TAILS = {
    "two-sided": "two-sided",
    "greater": "one-sided (greater)",
    "less": "one-sided (less)",
    "doubled": "two-sided (twice the smaller side)",
    "min": "one-sided (the smaller side)",
    "2min": "two-sided (twice the smaller side, even above 1)",
}
_BOUNDARIES = {">=": "", ">": ", more extreme outcomes only", "mid": ", mid-p"}


class Facts(Record):
    """Facts about one statistic of one data set, from which all its conventions are computed: its two-sided exact test.

    ``step`` is the continuity correction in steps of X, the lattice of the test, and ``square`` the
    sum of c_d d**2, four times the variance of X. The number of assignments exactly as extreme as
    the observed one takes two more counts, and is made where a convention needs it. Where it is not
    counted, ``result`` is None, ``refusal`` the reason if a count was refused, and ``bounds`` the
    lower and the upper ends of certified brackets: (total, weak, strict), where the smaller tail
    has weak / total of the assignments, and strict / total without the observed value. ``seconds``
    is the work that the brackets took. ``statistic`` is the observed one where the test has
    brackets, but no lattice of one dimension.
    """

    result: PermutationTestResult | None
    swaps: Swaps | None
    n: int
    step: Exact = 1
    refusal: str = ""
    bounds: tuple[tuple[int, int, int], ...] = ()
    square: Exact = 0
    seconds: float = 0.0
    statistic: Exact = 0

    def value(self, law: str, tail: str, boundary: str = ">=") -> Value | None:
        """Return the p-value of one convention, or None where the statistic has no such law."""
        if law in ("exact", "monte-carlo"):
            return (
                self._bracket(tail, boundary)
                if self.result is None
                else self._exact(tail, boundary)
            )
        if self.swaps is None or self.square == 0:
            return None
        found = (
            self._student(tail)
            if law == "t"
            else self._normal(tail, self.step if law == "normal-cc" else 0)
        )
        return None if found is None else found.ends()

    @property
    def refused(self) -> bool:
        """Whether nothing is known of the exact p-value: more than was allowed."""
        return self.result is None and not self.bounds

    @property
    def digits(self) -> float:
        """Number of certain digits of the bounds; 0 without any."""
        ends = zip(*(ends[1:] for ends in self.bounds))
        widths = [(high - low) / high if high else 0.0 for low, high in ends]
        return -log10(max(2.0**-1000, *widths)) if widths else 0.0

    def _bracket(self, tail: str, boundary: str) -> Value | None:
        """Return bounds of a p-value, which rises or falls with both tails at once."""
        if not self.bounds:
            return None
        low, high = sorted(self._tail(tail, boundary, *ends) for ends in self.bounds)
        return low, high

    @property
    def total(self) -> int:
        """Number of all assignments."""
        return self._counted.total

    @property
    def _counted(self) -> PermutationTestResult:
        if self.result is None:
            raise BudgetExceeded(self.refusal)
        return self.result

    @cached_property
    def side(self) -> int:
        """1 where the statistic lies above the centre of its null distribution, -1 below, 0 at it."""
        known = self.statistic if self.result is None and self.bounds else None
        place: Exact = (
            self._distance if self.swaps else self._counted.statistic if known is None else known
        )
        return (place > 0) - (place < 0)

    @cached_property
    def tied(self) -> int:
        """Number of assignments with the observed value of the statistic."""
        both = int(self._counted.point_probability * self.total)
        return both // 2 if self.side else both

    def _smaller(self) -> tuple[int, int]:
        """Return the counts of the smaller tail, with the observed value and without it."""
        if self.side == 0:
            return (self.total + self.tied) // 2, (self.total - self.tied) // 2
        return self._counted.count // 2, self._counted.count // 2 - self.tied

    def _exact(self, tail: str, boundary: str) -> Fraction:
        if boundary == ">=" and tail in ("two-sided", "doubled"):
            return self._counted.pvalue
        return self._tail(tail, boundary, self.total, *self._smaller())

    def _tail(self, tail: str, boundary: str, total: int, weak: int, strict: int) -> Fraction:
        """Return the p-value from counts of the smaller tail, with the observed value and without it."""
        if {"greater": -1, "less": 1}.get(tail) == (self.side or None):  # the larger tail
            weak, strict = total - strict, total - weak
        return Fraction(halves(tail, boundary, total, weak, strict), 2 * total)

    @cached_property
    def _distance(self) -> int:
        """2x - D: twice the distance of the observed X from the centre, above it if positive."""
        return 2 * self.swaps.observed - self.swaps.span if self.swaps else 0

    def _normal(self, tail: str, step: Exact) -> Enclosure:
        return tail_of(
            self._distance,
            step,
            tail,
            lambda distance: normal_tail(distance**2 / Fraction(self.square)),
        )

    def _student(self, tail: str) -> Enclosure | None:
        """Enclose a tail by t**2 = T**2 (n - 1) / (n Q - T**2), T the sum of differences, Q that of their squares."""
        n = self.n
        rest = n * self.square - self._distance**2
        if n < 2:
            return None
        if rest == 0:  # all differences are equal: t is infinite
            return tail_of(self._distance, 0, tail, lambda _distance: ZERO)
        square = Fraction((n - 1) * self._distance**2, rest)
        return tail_of(self._distance, 0, tail, lambda _distance: t_tail(square, n - 1))


def halves(tail: str, boundary: str, total: int, weak: int, strict: int) -> int:
    """Return twice the number of assignments of ``total`` that a tail of a symmetric distribution counts.

    ``weak`` and ``strict`` are those of the one-sided tail, or else of the smaller one, with the
    observed value and without it.

    >>> [halves("doubled", boundary, 8, 3, 1) for boundary in BOUNDARIES]
    [12, 4, 8]
    """
    if tail in ("two-sided", "doubled"):
        parts = extremes(tail, total, 2, weak, strict)  # type: ignore[arg-type]
        return {">=": 2 * parts.count, ">": 2 * parts.more, "mid": parts.halves}[boundary]
    times = 2 if tail == "2min" else 1
    return times * {">=": 2 * weak, ">": 2 * strict, "mid": weak + strict}[boundary]


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


def facts(result: PermutationTestResult, step: Exact | None = None) -> Facts:
    """Return the facts of a two-sided test; ``step`` is its continuity correction in the units of the statistic.

    >>> from exactperm import mcnemar_test
    >>> facts(mcnemar_test(9, 1)).value("exact", "greater")
    Fraction(11, 1024)
    """
    swaps = getattr(result.tails, "swaps", None)
    linear = swaps if isinstance(swaps, Swaps) else None  # ratios have no lattice of one dimension
    return Facts(
        result=result,
        swaps=linear,
        n=result.n,
        step=_in_steps(step, linear),
        square=_square(linear),
    )


def bounded(
    swaps: Swaps, n: int, step: Exact | None, allowance: Allowance, *, refusal: str = ""
) -> Facts:
    """Return the facts of a test that is not counted: its lattice, and brackets where the allowance buys them."""
    known: dict[str, Any] = {
        "swaps": swaps,
        "n": n,
        "step": _in_steps(step, swaps),
        "square": _square(swaps),
    }
    found = Facts(result=None, refusal=refusal, **known)
    try:
        return narrowed(found, swaps, None, allowance)
    except BudgetExceeded as error:
        return replaced(found, refusal=refusal or error.brief)


def narrowed(known: Facts, swaps: Swaps, digits: int | None, allowance: Allowance) -> Facts:
    """Return the facts with bounds of so many digits; None as :func:`~exactperm.certified.bracket.tail_bracket` has it.

    Raises ``BudgetExceeded`` where the allowance buys no certain digit.
    """
    before = allowance.spent
    bounds = _bounds(swaps, digits, allowance)
    return replaced(known, bounds=bounds, seconds=allowance.spent - before)


def _bounds(
    swaps: Swaps, digits: int | None, allowance: Allowance
) -> tuple[tuple[int, int, int], ...]:
    """Return bounds of P(X <= k) and P(X < k), k on the smaller side; in the centre their sum is 1."""

    def enclosed(k: int) -> Enclosure:
        with allowance.work() as progress:
            return tail_bracket(swaps.tally, k, digits, budget=allowance.budget, progress=progress)

    k = min(swaps.observed, swaps.span - swaps.observed)
    strict = enclosed(k - 1)
    centre = 2 * k == swaps.span
    weak = strict.complement() if centre else enclosed(k)
    scale = max(0, -weak.exponent, -strict.exponent)
    below = strict.fixed(scale)
    ends = zip(weak.fixed(scale), reversed(below) if centre else below)
    return tuple([(1 << scale, *both) for both in ends])


def joint_bounds(tails: JointTails, n: int, allowance: Allowance) -> Facts | None:
    """Return the facts of a test of F1 or of a ratio between bounds; None where its two sides are not alike.

    Raises ``BudgetExceeded`` where the allowance buys no certain digit.
    """
    if not (tails.rule.antisymmetric and tails.statistic):
        return None
    before, found = allowance.spent, []
    for strict in (False, True):
        with allowance.work() as progress:
            about: dict[str, Any] = {"strict": strict, "progress": progress}
            factor, one = tails.least("two-sided", None, allowance.budget, **about)
            found.append(one if factor == 2 else one.scaled(-1))  # of one tail
    scale = max(0, *(-one.exponent for one in found))
    ends = zip(*(one.fixed(scale) for one in found))
    return Facts(
        result=None,
        swaps=None,
        n=n,
        bounds=tuple([(1 << scale, *both) for both in ends]),
        statistic=tails.statistic,
        seconds=allowance.spent - before,
    )


def _square(swaps: Swaps | None) -> int:
    return sum(d * d * count for d, count in swaps.tally.items()) if swaps else 0


def _in_steps(step: Exact | None, swaps: Swaps | None) -> Exact:
    return 1 if step is None or swaps is None else step / Fraction(swaps.unit)


def conventions(statistic: str, zeros: str | None, design: str = "") -> Iterator[Convention]:
    """Yield all conventions of one statistic, of runs under a design, the most usual first."""
    for law in ("exact", "normal", "normal-cc", "t"):
        if law == "t" and statistic != "sum":
            continue
        for boundary in BOUNDARIES if law == "exact" else (">=",):
            for tail in TAILS:
                axes: dict[str, Any] = {
                    "law": law,
                    "tail": tail,
                    "boundary": boundary,
                    "design": design,
                }
                yield Convention(statistic=statistic, zeros=zeros, **axes)
