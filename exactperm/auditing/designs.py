"""Several runs of each system on each item: what a published p-value may be of, and what it is confused with.

A document that does not state its design leaves three open: runs exchanged within items, blocks of
runs swapped within items (the test of item means), and whole runs over all items. Two further tests
take the runs for independent items: all runs pooled, and run e against run e as pairs. They are no
designs, but what many programs compute.

The null distribution of labelings need not be symmetric: with X the canonical sum of steps and x
its observed value, all tails follow from P(X <= k) at four places. Source: spec/10-audit.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache, cached_property
from math import ceil, floor, log10

from .._types import TYPE_CHECKING, Any, Union
from ..arithmetic.enclosure import ZERO, Enclosure
from ..arithmetic.rational import Exact
from ..arithmetic.reading import exact_column, is_sequence
from ..budget import Budget, Options
from ..certified.bracket import least_seconds
from ..certified.steps import step_bracket
from ..counting import plan
from ..errors import BudgetExceeded
from ..null.tails import thresholds
from ..record import Record, replaced
from ..swaps.canonical import Steps
from ..swaps.effects import Flips
from ..swaps.runs import Design, Exchanges, exchange
from ..swaps.units import degree, mirrored
from .allowance import Allowance
from .conventions import Facts, Value, tail_of
from .laws import t_tail
from .rounding import range_of
from .samples import SOON, Sample

if TYPE_CHECKING:
    from .claims import Claim


Ends = tuple[Fraction, Fraction]
TwoSample = tuple[int, Union[Fraction, None], int, int]
Below = Callable[[int], Ends]
Runs = tuple[tuple[Exact, ...], ...]


_DIGITS = 4
_COUNTS = 6  # below the observed value, at it, and on both sides of the centre
_MOST_DIGITS = 17
_MAKING = Budget(seconds=2.0)
"""What the sums of the runs of all items may take; a claim is read under three designs and one test
of all runs."""

_SIDES = ("less", "greater")


UNCOUNTED = Steps(tally={}, ties=0, low=0, unit=1, observed=0, common=1)
"""Stands for labelings of so many sums that nobody counts them: pooled runs of real scores."""


class StepFacts(Facts):
    """Facts about several runs under one design.

    ``tails`` has bounds of the p-value with the observed value and without it, by the tail; they
    are equal where they are counted. ``welch`` and ``student`` are (sign, t**2, least and greatest
    degrees of freedom) of the two samples of runs, None where runs are no independent samples or
    have no variance.
    """

    steps: Steps
    tails: Mapping[str, tuple[Ends, Ends]] = {}
    student: TwoSample | None = None
    welch: TwoSample | None = None

    @property
    def total(self) -> int:
        """Number of all labelings."""
        return self.steps.total

    @property
    def refused(self) -> bool:
        """Whether nothing is known of the exact p-value: more than was allowed."""
        return not self.tails

    @property
    def digits(self) -> float:
        """Number of certain digits of the bounds; 0 without any."""
        ends = [ends for pair in self.tails.values() for ends in pair]
        widths = [float((high - low) / high) for low, high in ends if high]
        return -log10(max(2.0**-1000, *widths, 0.0)) if widths else 0.0

    def value(self, law: str, tail: str, boundary: str = ">=") -> Value | None:
        """Return the p-value of one convention, or None where runs have no such law."""
        if law == "t":
            return None if self.student is None else two_sample(self.student, tail)
        if law not in ("exact", "monte-carlo") or not self.tails:
            return None
        if tail in self.tails:
            low, high = self._bounds(tail, boundary)
        else:
            both = [self._bounds(side, boundary) for side in _SIDES]
            times = 1 if tail == "min" else 2
            low, high = [times * min(ends) for ends in zip(*both)]
        if tail != "2min":
            low, high = min(low, Fraction(1)), min(high, Fraction(1))
        return low if low == high else (low, high)

    def _bounds(self, tail: str, boundary: str) -> Ends:
        weak, strict = self.tails[tail]
        if boundary == "mid":
            return (weak[0] + strict[0]) / 2, (weak[1] + strict[1]) / 2
        return weak if boundary == ">=" else strict


def two_sample(found: TwoSample, tail: str) -> Value:
    """Return bounds of the p-value of a t-test of two samples; it falls as the degrees of freedom grow."""
    sign, square, least, most = found

    def ends(n: int) -> Ends:
        def upper(_distance: Exact) -> Enclosure:
            return ZERO if square is None else t_tail(square, n)

        low, high = tail_of(sign, 0, tail, upper).ends()
        return Fraction(low), Fraction(high)

    (a, b), (c, d) = ends(most), ends(least)
    return min(a, c), max(b, d)


def t_of(first: Sequence[Exact], second: Sequence[Exact], *, equal: bool) -> TwoSample | None:
    """Return (sign, t**2, least and greatest degrees of freedom) of two samples; None where there is no variance.

    ``equal`` takes one variance for both, as Student; else each has its own, as Welch has it, whose
    degrees of freedom are no whole number. t is infinite, None here, where the scores of each
    sample are all equal, but differ.
    Source: spec/10-audit.md.

    >>> t_of([1, 2, 3], [4, 5, 6], equal=True)
    (-1, Fraction(27, 2), 4, 4)
    """
    m, k = len(first), len(second)
    if (m + k < 3) if equal else (min(m, k) < 2):
        return None
    means = [Fraction(sum(column)) / len(column) for column in (first, second)]
    squares = [sum((x - mean) ** 2 for x in column) for column, mean in zip((first, second), means)]
    difference = means[0] - means[1]
    sign = (difference > 0) - (difference < 0)
    if equal:
        least = most = m + k - 2
        variance = Fraction(sum(squares)) / least * (Fraction(1, m) + Fraction(1, k))
    else:
        a, b = [Fraction(square) / (n - 1) / n for square, n in zip(squares, (m, k))]
        variance = a + b
        freedom = (
            variance**2 / (a**2 / (m - 1) + b**2 / (k - 1)) if variance else Fraction(m + k - 2)
        )
        least, most = floor(freedom), ceil(freedom)
    if not variance:
        return (sign, None, least, most) if sign else None
    return sign, difference**2 / variance, least, most


def _facts_of(swaps: Steps, n: int, below: Below, **more: Any) -> StepFacts:
    """Return the facts of labelings, from bounds of P(X <= k)."""
    x = swaps.observed
    weak, strict = below(x), below(x - 1)

    def both(ends: tuple[int | None, int | None]) -> Ends:
        a, b = ends
        low = (Fraction(0), Fraction(0)) if a is None else below(a)
        same = swaps.symmetric and None not in (a, b)
        high = low if same else (Fraction(0), Fraction(0)) if b is None else _rest(below(b - 1))
        return low[0] + high[0], low[1] + high[1]

    two = (
        both(thresholds(swaps, "two-sided")[1]),
        both(thresholds(swaps, "two-sided", strict=True)[1]),
    )
    tails = {"less": (weak, strict), "greater": (_rest(strict), _rest(weak)), "two-sided": two}
    return StepFacts(result=None, swaps=None, n=n, steps=swaps, tails=tails, **more)


def _rest(ends: Ends) -> Ends:
    return 1 - ends[1], 1 - ends[0]


class Labelings(Sample):
    """The runs of two systems as one design exchanges them: the canonical ``steps`` of ``runs`` under ``exchanged``.

    ``samples`` are two samples for t-tests, none where runs are no independent samples.
    """

    steps: Steps
    runs: tuple[Runs, Runs]
    exchanged: Design
    samples: tuple[tuple[Exact, ...], ...] = ()

    @property
    def total(self) -> int:
        """Number of all labelings."""
        return self.steps.total

    @property
    def itself(self) -> Fraction:
        """Probability of the observed labeling; 0 where it has no opposite one, whose sum is negated exactly."""
        return Fraction(int(self.steps.symmetric), self.total)

    @cached_property
    def may_lose_ties(self) -> bool:
        """Whether means of the scores in binary floating point are rounded, so that equal ones may differ."""
        return any(map(_is_rounded, self.runs))

    @property
    def sums_differ(self) -> bool:
        """Whether the observed mean may depend on the order in which it is added."""
        return self.may_lose_ties

    def count(
        self, statistic: str, zeros: str | None, allowance: Allowance | None = None
    ) -> StepFacts:
        """Count the labelings of all tails, or enclose their p-values where that takes long."""
        allowance = allowance or Allowance()
        if self.steps is UNCOUNTED:
            return StepFacts(result=None, swaps=None, n=self.n, steps=self.steps, **self._laws)
        seconds = _seconds_of(self.steps, allowance)
        if seconds <= min(SOON, allowance.budget.seconds):
            return self.counted(statistic, zeros, allowance, seconds)
        try:
            return self._enclosed(_DIGITS, allowance)
        except BudgetExceeded as error:
            return StepFacts(
                result=None,
                swaps=None,
                n=self.n,
                steps=self.steps,
                refusal=error.brief,
                **self._laws,
            )

    def counted(
        self, statistic: str, zeros: str | None, allowance: Allowance, seconds: float = 0.0
    ) -> StepFacts:
        """Count the labelings of all tails, whose estimate is ``seconds``."""
        allowance.charge(seconds)
        swaps, options = self.steps, Options(budget=allowance.budget)

        @cache
        def below(k: int) -> Ends:
            kept, _ = plan.count_at_most(swaps.tally, k, options)
            return (Fraction(kept * swaps.common, swaps.total),) * 2

        return _facts_of(swaps, self.n, below, **self._laws)

    def narrowed(
        self, known: Facts, statistic: str, zeros: str | None, digits: float, allowance: Allowance
    ) -> Facts:
        """Return narrower bounds, or the count, for a verdict that needs some digits; the same if too dear."""
        value = known.value("exact", "less")
        if value is None or isinstance(value, Fraction):
            return known
        seconds = _seconds_of(self.steps, allowance)
        if seconds <= allowance.budget.seconds:
            return self.counted(statistic, zeros, allowance, seconds)
        wanted = min(_MOST_DIGITS, max(floor(known.digits) + 2, ceil(min(digits, _MOST_DIGITS))))
        with suppress(BudgetExceeded):
            finer = self._enclosed(wanted, allowance)
            return finer if finer.digits > known.digits else known
        return known

    def _enclosed(self, digits: int, allowance: Allowance) -> StepFacts:
        @cache
        def below(k: int) -> Ends:
            with allowance.work() as progress:
                about: Any = {"budget": allowance.budget, "progress": progress}
                low, high = step_bracket(self.steps.tally, k, digits, **about).ends()
            return Fraction(low), Fraction(high)

        return _facts_of(self.steps, self.n, below, **self._laws)

    @property
    def _laws(self) -> dict[str, Any]:
        if not self.samples:
            return {}
        return {name: t_of(*self.samples, equal=name == "student") for name in ("student", "welch")}

    def box(
        self, statistic: str, unit: Fraction, allowance: Allowance | None = None
    ) -> RoundedRuns | None:
        """Return the labelings of all runs that round to these; None where scores were rounded for the test."""
        return (
            RoundedRuns(sample=self, unit=unit, allowance=allowance or Allowance())
            if self.half
            else None
        )


class RoundedRuns(Record):
    """The labelings of all runs that round to those of a sample, whose scores may be off by half of a ``unit``.

    A labeling moves a run of the first system or leaves it: as its score grows, T' - T falls or
    stays, and as one of the second system's grows it rises or stays. So one-sided p-values lie
    between those of two corners.
    """

    sample: Labelings
    unit: Fraction
    allowance: Allowance

    @property
    def refused(self) -> bool:
        """Whether a corner is not counted, or was more than was allowed."""
        return "_corners" not in self.__dict__ or any(facts.refused for facts in self._corners)

    @cached_property
    def _corners(self) -> tuple[StepFacts, StepFacts]:
        """The facts where the scores of the first system are least and the others greatest; and the reverse."""
        sample, half = self.sample, self.unit / 2
        found = []
        for shift in (-half, half):
            u, v = [
                [[x + by for x in runs] for runs in side]
                for side, by in zip(sample.runs, (shift, -shift))
            ]
            swaps = exchange(u, v, sample.exchanged, budget=self.allowance.budget).swaps
            found.append(replaced(sample, steps=swaps).count("sum", None, self.allowance))
        return found[0], found[1]

    def value(self, law: str, tail: str, boundary: str) -> Value | None:
        """Return bounds of the p-value of a convention; None without any.

        Raises ``BudgetExceeded`` for what has no proved bounds: t-tests, and two tails that differ.
        """
        if law not in ("exact", "monte-carlo"):
            if self.sample.samples:
                raise BudgetExceeded("t-tests of rounded runs")
            return None
        if tail == "two-sided" and not self.sample.steps.symmetric:
            raise BudgetExceeded("two-sided p-values of rounded runs whose numbers differ")
        itself = Fraction({">=": 2, "mid": 1, ">": 0}[boundary], 2 * self.sample.total)
        above = "mid" if boundary == "mid" else ">="
        first, last = self._corners
        ends = [
            *(_end(last, "greater", ">", 0), _end(first, "greater", above, 1)),
            *(_end(first, "less", ">", 0), _end(last, "less", above, 1)),
        ]
        return range_of(tail, ends[0] + itself, ends[1], ends[2] + itself, ends[3])


def _end(facts: StepFacts, tail: str, boundary: str, i: int) -> Fraction:
    value = facts.value("exact", tail, boundary)
    if value is None:
        raise BudgetExceeded(facts.refusal)
    return value[i] if isinstance(value, tuple) else value


class RunsSample(Sample):
    """The means of the runs of two systems on each item, and the ``runs`` themselves, as other designs exchange them.

    ``whole`` says that run j of a system is the same run on every item.
    """

    runs: tuple[Runs, Runs]
    whole: bool = True

    @cached_property
    def designs(self) -> tuple[str, ...]:
        """The designs that these runs allow, and what they are confused with."""
        sizes = [{len(runs) for runs in side} for side in self.runs]
        whole = self.whole and all(len(some) == 1 for some in sizes)
        equal = all(len(a) == len(b) for a, b in zip(*self.runs))
        return (
            "items",
            "within",
            *(["systems"] if whole else []),
            "pooled",
            *(["epochs"] if equal else []),
        )

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of items or runs that a document may state."""
        runs = [sum(map(len, side)) for side in self.runs]
        return self.n, self.n_nonzero, *runs, sum(runs)

    @property
    def units(self) -> str:
        """What is counted."""
        return "items"

    @property
    def scores(self) -> list[Exact]:
        """The scores of all runs."""
        return [x for side in self.runs for runs in side for x in runs]

    @cached_property
    def may_lose_ties(self) -> bool:
        """Whether means of the scores in binary floating point are rounded, so that equal ones may differ."""
        return any(map(_is_rounded, self.runs))

    def under(self, design: str) -> Sample:
        """Return the runs as a design exchanges them; ``ExactPermError`` where they do not allow it."""
        if design in ("", "items"):
            return self
        if design not in self._made:
            self._made[design] = self._under(design)
        return self._made[design]

    @cached_property
    def _made(self) -> dict[str, Sample]:
        return {}

    def _under(self, design: str) -> Sample:
        u, v = self.runs
        about: dict[str, Any] = {
            "n": self.n,
            "half": (1,) if self.half else (),
            "sha256": self.sha256,
        }
        if design == "epochs":
            first, second = [tuple(x for runs in side for x in runs) for side in self.runs]
            about.update(n=len(first), half=(1,) * len(first) if self.half else ())
            differences = tuple(a - b for a, b in zip(first, second))
            return Sample(differences=differences, u=first, v=second, **about)
        exchanged: Design = "systems" if design == "systems" else "within"
        samples: tuple[tuple[Exact, ...], ...] = ()
        if design == "pooled":
            u, v = [(tuple(x for runs in side for x in runs),) for side in self.runs]
            samples = u[0], v[0]
        swaps = (
            _pooled(u, v) if design == "pooled" else exchange(u, v, exchanged, budget=_MAKING).swaps
        )
        if isinstance(swaps, Flips):  # one run each: the paired test
            return self
        if design == "systems":
            samples = tuple(
                tuple(Fraction(sum(run)) / self.n for run in zip(*side)) for side in self.runs
            )
        found: Any = swaps  # steps, since their sums are listed
        return Labelings(steps=found, runs=(u, v), exchanged=exchanged, samples=samples, **about)


def runs_sample(claim: Claim, u: Any, v: Any, *, whole: bool = True, **about: Any) -> RunsSample:
    """Return the sample of a claim on the runs of two systems; errors name the item and the run."""
    exchange(u, v, "items")
    first, second = [
        tuple(
            tuple(exact_column(runs, f"{name}[{i}]", claim.decimals)) for i, runs in enumerate(side)
        )
        for name, side in (("u", u), ("v", v))
    ]
    turned = claim.orientation == "second-first"
    if turned:
        first, second = second, first
    first = tuple(tuple(x - claim.mu for x in runs) for runs in first)
    means = [tuple(Fraction(sum(runs)) / len(runs) for runs in side) for side in (first, second)]
    return RunsSample(
        n=len(first),
        differences=tuple(a - b for a, b in zip(*means)),
        u=means[0],
        v=means[1],
        runs=(first, second),
        whole=whole,
        half=(1,) * len(first) if claim.decimals is None else (),
        **about,
    )


def is_of_runs(columns: Sequence[Any]) -> bool:
    """Whether the entries of columns are the runs of items.

    >>> is_of_runs([[[1, 0], [1]], [[0], [1, 1]]]), is_of_runs([[1, 0], [0, 1]])
    (True, False)
    """
    return len(columns) == 2 and all(
        is_sequence(column) and any(map(is_sequence, column)) for column in columns
    )


def _pooled(u: Runs, v: Runs) -> Exchanges:
    """Return the exchanges of all runs; of one value alone where they have so many sums that nobody counts them."""
    try:
        return exchange(u, v, "within", budget=_MAKING).swaps
    except BudgetExceeded:
        return UNCOUNTED


def _is_rounded(side: Runs) -> bool:
    """Whether scores, or their means over so many runs, are no binary fractions."""
    sizes = {len(runs) for runs in side}
    return any(size & (size - 1) for size in sizes) or any(
        (bottom := Fraction(x).denominator) & (bottom - 1) for runs in side for x in runs
    )


def _seconds_of(swaps: Steps, allowance: Allowance) -> float:
    """Return the estimate of all counts of a test of runs."""
    types, span, k = swaps.tally, degree(swaps.tally), swaps.observed
    if 2 * k >= span:
        types, k = mirrored(types), span - k - 1
    if k < 0:
        return 0.0
    costs = plan.costs(types, k, Options(budget=allowance.budget))
    return _COUNTS * least_seconds(costs, allowance.budget)
