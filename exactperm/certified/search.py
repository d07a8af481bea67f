"""Brackets of one tail from one inversion: rounds of falling width, within a limit of work, or a count instead.

Seconds become units of work by fixed constants, so the same call gives the same bits everywhere.

Source: spec/note-appendix.md#own-draw-brackets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, lru_cache, partial
from math import inf

from .._types import TYPE_CHECKING
from ..arithmetic.enclosure import ONE, Enclosure
from ..budget import Budget, Estimate, Progress
from ..errors import BudgetExceeded, Cure
from ..record import Record, replaced
from .inversion import Inversion
from .parameters import choose
from .scan import Settled

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from .inversion import Factors

    class Bracketing(Protocol):
        """Brackets of one probability, down to a relative ``width``, within a limit of work."""

        width: float

        def predicted(self) -> float:
            """Predict the seconds that the width takes."""

        def bracket(self) -> Enclosure:
            """Return the narrowest bracket of all rounds."""

        def short(self, width: float) -> tuple[str, Estimate]:
            """Say why a bracket of this ``width`` was all, and estimate what one certain digit takes."""

        def finer(self, seconds: float) -> Bracketing | None:
            """Return a search with twice the digits where only roundings were in the way, else None."""


Enough = Callable[[Enclosure], bool]


SECONDS_PER_UNIT = 0.5e-6  # a bound of one factor at one frequency; see scan.py
# bits of the numbers for which it is one; a product of wider ones takes more, in proportion
_WIDTH = 103
# one that takes less is as good as a bracket, the quickest of which takes 1.9 ms
SECONDS_LEAST = 2.2e-3
SOON = 0.5  # seconds that a correctly rounded double may take by default
DOUBLE = 17  # digits that make a correctly rounded double nearly always
DEFAULT_DIGITS = 4  # digits of a bracket where a double would take longer
_LEAST_WIDTH = 1e-4  # that a bracket has by default
_CRUDE = 1 / 16  # relative width of the first round, which measures how many nodes a width needs
_LONG = 4e6  # units of work above which a round is approached in steps
_STEP = 1 / 8  # from one round to the next, of decisions and long work
WIDEST = 0.1  # relative width without one certain digit
_LONGER = 2.0  # times the work so far, at least, that a digit which it did not buy would take
_REPORT = 2000  # units of work between two reports of progress


class Counting(Record):
    """The exact count of a probability: the seconds that it is estimated to take, infinite for none, and how to make it."""

    seconds: float
    made: Callable[[], Enclosure]


NO_COUNT = Counting(seconds=inf, made=lambda: ONE)
"""No count: it would take for ever."""


class Tail(Record):
    """A probability that is counted or bracketed.

    ``what`` describes it in refusals, ``least`` is the work before any inversion, in units, and
    ``begun`` starts the search for a bracket of the relative width 10**-digits, within some seconds.
    A count of at most ``quick`` seconds is as good as a bracket.
    """

    count: Counting
    what: Callable[[], str]
    least: Callable[[], int]
    begun: Callable[[int, float], Bracketing]
    meter: Meter
    quick: float = SECONDS_LEAST
    too_many: str = "too many different terms for any bracket"

    def refused(
        self, cost: Estimate, reason: str, bracket: Enclosure | None = None
    ) -> BudgetExceeded:
        """Return the refusal of a bracket with this cost: with the estimate where it is above the budget."""
        budget = self.meter.budget
        above = cost.least or not budget.admits(cost)
        more = "allow more with budget=Budget(seconds=), or " if above else ""
        return BudgetExceeded(
            f"a certified bracket for {self.what()}",
            cost if above else None,
            budget if above else None,
            detail=reason,
            cure=Cure(
                words=f"{more}use a Monte Carlo test. Rounding the scores (decimals=) asks another question, with another "
                "p-value"
            ),
            bracket=bracket,
        )


def sum_tail(
    law: Callable[[], Factors], k: int, count: Counting, what: Callable[[], str], meter: Meter
) -> Tail:
    """Return the tail P(X <= k) of one law, for k from 0 to E X; a count does without the law."""
    made = lru_cache(None)(law)
    return Tail(
        count=count,
        what=what,
        least=lambda: made().least,
        begun=lambda digits, seconds: SumSearch(made(), k, meter, digits, seconds),
        meter=meter,
    )


@contextmanager
def refusing(outer: Callable[[Enclosure], Enclosure]) -> Iterator[None]:
    """Let a refusal say what is known of the result that was asked for: ``outer`` of the bracket that was reached."""
    try:
        yield
    except BudgetExceeded as refusal:
        if isinstance(refusal.bracket, Enclosure):
            refusal.bracket = outer(refusal.bracket)
        raise


def narrowed(tail: Tail, digits: int | None) -> Enclosure:
    """Enclose a tail by its count or by brackets, whichever is expected to be quicker.

    The brackets have at most the seconds of the count where that fits the budget. So both together
    take no more than twice the count, and no more than twice the brackets where a count follows
    them unasked.
    """
    count, meter = tail.count, tail.meter
    exact = count.seconds
    counts = exact <= meter.budget.seconds
    if counts and exact <= tail.quick:
        return count.made()
    seconds = min(meter.budget.seconds, exact)
    least = tail.least() * SECONDS_PER_UNIT
    if least > seconds:  # before anything that takes time for each term
        if counts:
            return count.made()
        raise tail.refused(Estimate(seconds=least, bytes=0), tail.too_many)
    search = tail.begun(digits or DOUBLE, seconds)
    if digits is None and min(exact, search.predicted()) > SOON:
        search = tail.begun(DEFAULT_DIGITS, seconds)
    if counts:
        predicted = search.predicted()
        if exact <= predicted:
            return count.made()
        meter.predict(predicted / SECONDS_PER_UNIT)
    value = search.bracket()
    while value.relative_width > WIDEST:
        finer = search.finer(seconds - meter.seconds)
        if finer is None:
            break
        value = finer.bracket()
        search = finer
    width = value.relative_width
    spent = meter.seconds
    wanted = _LEAST_WIDTH if digits is None and exact > spent else search.width
    if counts and width > wanted:
        return count.made()
    # after all the work that was allowed, whatever was predicted
    if width > WIDEST:
        reason, cost = search.short(width)
        cost = replaced(cost, seconds=max(cost.seconds, _LONGER * spent))
        raise tail.refused(cost, reason, value)
    return value


class Meter:
    """What a bracket may take, and what it has taken: reports units of work, every millisecond or so.

    ``total`` is what is predicted, at least what is done.
    """

    total = _done = _told = 0

    def __init__(self, budget: Budget, progress: Progress | None = None) -> None:
        self.budget = budget
        self.progress = progress

    def __call__(self, units: int) -> None:
        """Counting units of work."""
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
        return self._done * SECONDS_PER_UNIT

    def finish(self) -> None:
        """Report that all is done."""
        if self.progress is not None:
            self.progress(self._done, self._done)


class SumSearch:
    """Brackets of P(X <= k), or of its mean over 2**u ``thresholds`` {x: number}, from one inversion.

    The relative ``width`` aimed at is 10**-``digits`` unless another one is given. ``limit`` are the
    units of work that it may take, ``least`` those that were spent before.
    """

    def __init__(
        self,
        law: Factors,
        k: int,
        meter: Meter,
        digits: int,
        seconds: float,
        *,
        thresholds: Mapping[int, int] | None = None,
        width: float = 0.0,
    ) -> None:
        halvings = sum((thresholds or {k: 1}).values()).bit_length() - 1
        bits = digits * 10 // 3 + min(9, 2 + digits) + halvings
        choice = choose(law, k, bits + 3)
        self.inversion = Inversion(law, k, bits, choice, thresholds, tick=meter)
        self.width = width or float(f"1e-{digits}")
        self._again = partial(SumSearch, law, k, meter, 2 * digits, thresholds=thresholds)
        slower = max(1.0, self.inversion.width / _WIDTH)
        self.least = law.least
        self.limit = max(0, int(min(seconds, 1e9) / SECONDS_PER_UNIT / slower) - self.least)
        self._meter = meter
        self._work = 0
        self.settled = Settled(found=[], reached=0, skipped=0, work=0)  # of the narrowest bracket
        # of the round, and by how much the last one exceeded it
        self._expected = 0.0
        self._excess = 1.0
        meter(self.least)

    def _cost(self, width: float) -> float:
        return self.inversion.scan.cost(self.inversion.aim(width))

    @cached_property
    def _whole(self) -> float:
        return self._cost(self.width)

    def predicted(self) -> float:
        """Predict the seconds that the width takes."""
        return (self._whole + self.least) * SECONDS_PER_UNIT

    def short(self, width: float) -> tuple[str, Estimate]:
        """Say what the work bought, and estimate what a certain digit takes."""
        number = len(self.settled.found)
        reason = (
            f"{number} frequencies were summed, and the bracket's relative width is {width:.2g}, "
            "without a certain digit"
        )
        seconds = (self._cost(WIDEST) + self.least) * SECONDS_PER_UNIT
        return reason, Estimate(seconds=seconds, bytes=0)

    def finer(self, seconds: float) -> SumSearch | None:
        """Return the search with twice the digits where the whole lattice was summed, and that was not enough.

        Weights that are far apart leave S much smaller than a normal model has it, and the errors
        are relative to S.
        """
        whole = self.settled.reached >= self.inversion.period // 2
        return self._again(seconds, width=self.width) if whole and self.limit else None

    def bracket(self, settled: Enough | None = None) -> Enclosure:
        """Return the narrowest bracket of all rounds, which end once it is settled, or as narrow as it is to be.

        The first round of few nodes measures how many a width needs. A decision goes on by small
        steps; otherwise the second round is for the width itself, and further ones only mend it.
        """
        enough = settled or (lambda value: value.relative_width <= self.width)
        width = self.width if self.inversion.whole(self.width) and not settled else _CRUDE
        best, self.settled = self._round(width)
        while not enough(best) and width > self.width / 32:
            wanted = width * _STEP if settled else min(self.width, width / 2)
            following = self._affordable(width, wanted)
            if following > 0.8 * width:
                break
            width = following
            rounds = (best, self.settled), self._round(width)
            best, self.settled = min(rounds, key=lambda each: each[0].relative_width)
        self._meter.finish()
        return best

    def _round(self, width: float) -> tuple[Enclosure, Settled]:
        settled = self.inversion.scan.settle(self.inversion.aim(width), self.limit - self._work)
        self._work += settled.work
        self._excess = max(1.0, settled.work / self._expected) if self._expected else 1.0
        return self.inversion.bounds(settled), settled

    def _affordable(self, width: float, wanted: float) -> float:
        """Return the wanted width, or the least greater one for which the rest of the work should be enough.

        Predictions are too low where few pairs leave much to be evaluated. So long work is
        approached in steps, and the excess of one round over its prediction is expected of the
        next.
        """
        left = self.limit - self._work
        while wanted < 1.0:
            self._expected = self._excess * self._cost(wanted)
            if self._expected > _LONG and wanted < width * _STEP:
                wanted = width * _STEP
            elif self._expected <= left:
                self._meter.predict(self._expected)
                break
            else:
                wanted *= max(1.25, min(100.0, 0.9 * self._expected / max(left, 1)))
        return wanted
