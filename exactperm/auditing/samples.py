"""The data behind a claim: read once for each file, then one count for each statistic that a claim needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cached_property, partial
from math import ceil, floor, fsum, inf

from .._types import TYPE_CHECKING, Any, Executor
from ..arithmetic.rational import Exact
from ..budget import Budget, answers
from ..certified.bracket import exact_seconds
from ..classical import ZERO_METHODS, mcnemar_test, signed_ranks, wilcoxon_signed_rank_test
from ..errors import BudgetExceeded, ExactPermError
from ..null.joint_tails import JointTails
from ..permutation import permutation_test, sign_flip_test
from ..record import Record, replaced
from ..swaps.canonical import Swaps, canonical
from ..swaps.effects import flip_effects, swap_effects
from ..swaps.lattice import lattice
from ..swaps.statistic import Statistic, difference
from .allowance import Allowance
from .conventions import ZEROS, Facts, bounded, facts, joint_bounds, narrowed
from .rounding import Box, box_of, unit_of

if TYPE_CHECKING:
    from .rounding import Ranges


SOON = 0.5
"""Seconds up to which a test is counted at once; brackets of a longer one come first."""

_SECONDS_PAIR = 5e-6
"""Of a pair, to be ranked and scaled for one statistic."""

_MOST_DIGITS = 50
"""Digits of a bracket at most."""

_STEP = 2
"""Digits by which a bracket grows that leaves a verdict open."""

NUMERIC = ("sum", "signed-rank", "sign", "mcnemar")
"""Statistics of a column of differences."""


class Sample(Record):
    """The pairs of one claim: ``differences`` for a numeric statistic, else entries ``u`` and ``v`` of ``rule``.

    ``signs`` are McNemar's b and c in place of both. With ``labels`` pairs of the same label are
    swapped together: the differences are the sums of groups. ``n`` pairs, or groups; ``shift`` the
    hypothesised difference, ``turned`` whether the difference is v - u; ``sha256`` of the file,
    None for data in memory, two joined by "+"; ``dropped`` the number of pairs left out; ``notes``
    say how the data were read, ``doubts`` what may be read wrongly. ``half`` has one entry for each
    difference: by how many units of the scores' last digit it may be off if they were rounded.
    """

    n: int
    differences: tuple[Exact, ...] | None = None
    signs: tuple[int, int] | None = None
    labels: tuple[Any, ...] | None = None
    rule: Statistic | None = None
    u: tuple[Any, ...] = ()
    v: tuple[Any, ...] = ()
    shift: Exact = 0
    turned: bool = False
    sha256: str | None = None
    dropped: int = 0
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    half: tuple[Exact, ...] = ()

    @property
    def total(self) -> int:
        """Number of all assignments."""
        return 1 << self.n

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of pairs that a document may state."""
        return self.n, self.n_nonzero

    @property
    def itself(self) -> Fraction:
        """Probability of the observed assignment, and its tied ones: those that swap pairs without a difference."""
        return Fraction(0) if self.differences is None else Fraction(1, 1 << self.n_nonzero)

    @property
    def units(self) -> str:
        """What is counted."""
        return "pairs" if self.labels is None else "groups"

    @property
    def designs(self) -> tuple[str, ...]:
        """The designs that the data of several runs on each item allow, and what they are confused with; else none."""
        return ()

    def under(self, _design: str) -> Sample:
        """Return the sample that a design exchanges; a paired one has no other."""
        return self

    @property
    def n_nonzero(self) -> int:
        """Number of pairs with a difference."""
        return self.n if self.differences is None else sum(d != 0 for d in self.differences)

    @cached_property
    def binary_differences(self) -> tuple[Exact, ...]:
        """The differences as binary floating point subtracts the scores: rounded, which breaks ties."""
        pairs = [(float(a), float(b)) for a, b in zip(self.u, self.v)]
        subtracted = [b - a if self.turned else a - b for a, b in pairs]
        return tuple([Fraction(d - float(self.shift)) for d in subtracted])

    def count(self, statistic: str, zeros: str | None, allowance: Allowance | None = None) -> Facts:
        """Count the two-sided test of one statistic, or enclose its p-values where that takes long."""
        allowance = allowance or Allowance()
        flips = self._flips(statistic, zeros)
        if not flips:
            return self._of_entries(allowance) or self.counted(statistic, zeros, allowance)
        allowance.charge(_SECONDS_PAIR * len(flips))
        # The sum of signed ranks moves by 2 where that of the positive ranks moves by 1.
        step = 2 if statistic == "signed-rank" else None
        return _first(partial(self.counted, statistic, zeros), flips, self.n, step, allowance)

    def _of_entries(self, allowance: Allowance) -> Facts | None:
        """Return the count of a test of F1 or a ratio where it is quick, else its brackets; None for other tests."""
        rule = self.rule
        if self.differences is not None or rule is None or rule.combine is None:
            return None
        left = allowance.budget
        about: Any = {"statistic": rule, "groups": self.labels}
        with suppress(BudgetExceeded):
            soon = Budget(seconds=min(SOON, left.seconds), bytes=left.bytes)
            return facts(permutation_test(self.u, self.v, budget=soon, **about))
        with suppress(ExactPermError):
            effects = swap_effects(self.u, self.v, rule, groups=self.labels)
            return joint_bounds(JointTails(swaps=lattice(effects), rule=rule), self.n, allowance)
        return None

    def narrowed(
        self, known: Facts, statistic: str, zeros: str | None, digits: float, allowance: Allowance
    ) -> Facts:
        """Return narrower bounds of a test, or its count, for a verdict that needs some digits; the same if too dear.

        One more digit of a bracket takes ten times the work. Where a count takes less it is made.
        """
        if known.result is not None:
            return known
        if known.swaps is None:  # of F1 or a ratio
            with suppress(BudgetExceeded):
                return self.counted(statistic, zeros, allowance)
            return known
        left = allowance.budget.seconds
        wanted = max(floor(known.digits) + _STEP, digits)
        bracket = (
            known.seconds * 10 ** (wanted - known.digits)
            if known.bounds and wanted <= _MOST_DIGITS
            else inf
        )
        count = _seconds_of(known.swaps, allowance)
        with suppress(BudgetExceeded):
            if count <= min(left, bracket):
                return self.counted(statistic, zeros, allowance, count)
            if bracket <= left:
                finer = narrowed(known, known.swaps, ceil(wanted), allowance)
                return finer if finer.digits > known.digits else known
        return known

    @property
    def scores(self) -> list[Exact]:
        """The scores of both systems."""
        return [*self.u, *self.v]

    @property
    def unit(self) -> Fraction | None:
        """Unit of the last digit of the scores; None for other data, and where they have no few decimals."""
        return unit_of(self.scores) if self.half else None

    @cached_property
    def may_lose_ties(self) -> bool:
        """Whether sums of the scores in binary floating point are rounded, so that equal ones may differ."""
        if self.differences is None:
            return self.rule is not None and self.rule.name not in (
                "accuracy",
                "difference of accuracies",
            )
        return any(
            (Fraction(x).denominator & (Fraction(x).denominator - 1)) for x in (*self.u, *self.v)
        )

    @cached_property
    def sums_differ(self) -> bool:
        """Whether the sum of the differences in binary floating point depends on the order in which it is added."""
        if self.differences is None or self.labels is not None:
            return False
        try:
            found = [float(d) for d in self.binary_differences]
        except OverflowError:  # scores beyond the range of doubles
            return False
        lanes = [sum(found[i::4]) for i in range(4)]  # as processors add four numbers at once
        return (
            len(
                {
                    fsum(found),
                    sum(found),
                    sum(reversed(found)),
                    sum(lanes),
                    lanes[0] + lanes[2] + (lanes[1] + lanes[3]),
                }
            )
            > 1
        )

    def in_doubles(self) -> Sample | None:
        """Return the sample with the differences of doubles, as R and SciPy get them; None where they are the same."""
        if self.differences is None or self.labels is not None:
            return None
        try:
            found = self.binary_differences
        except OverflowError:  # scores beyond the range of doubles
            return None
        return None if found == self.differences else replaced(self, differences=found)

    def in_binary(self, statistic: str, zeros: str | None, allowance: Allowance) -> Facts | None:
        """Count the test of ranks or signs of the differences of doubles; None where they are the same."""
        sample = self.in_doubles() if statistic in ("signed-rank", "sign") else None
        return None if sample is None else sample.count(statistic, zeros, allowance)

    def tally(self, statistic: str, zeros: str | None) -> Mapping[Exact, int] | None:
        """Return what a test flips the signs of, with the number of pairs of each; None where the data have none."""
        found = (
            None
            if self.signs is not None and statistic != "sign"
            else self._flips(statistic, zeros)
        )
        return None if found is None else found if isinstance(found, dict) else Counter(found)

    def box(
        self, statistic: str, unit: Fraction, allowance: Allowance | None = None
    ) -> Ranges | None:
        """Return what the test of scores that round to these may flip; None where there are no such scores."""
        if (
            self.differences is None
            or not self.half
            or statistic not in ("sum", "signed-rank", "sign")
        ):
            return None
        low, high = box_of(statistic, self.differences, [unit * half for half in self.half])
        return Box(
            low=tuple(low),
            high=tuple(high),
            n=self.n,
            count=partial(flip_facts, n=self.n, allowance=allowance or Allowance()),
        )

    def counted(
        self, statistic: str, zeros: str | None, allowance: Allowance, seconds: float = 0.0
    ) -> Facts:
        """Count the two-sided test of one statistic, whose estimate is ``seconds``."""
        budget = allowance.budget
        allowance.charge(seconds)
        if self.signs is not None:
            return facts(mcnemar_test(*self.signs, budget=budget))
        if self.differences is None:
            about: Any = {"statistic": self.rule or difference, "groups": self.labels}
            return facts(permutation_test(self.u, self.v, budget=budget, **about))
        if statistic == "sum":
            return facts(sign_flip_test(self.differences, budget=budget))
        if statistic == "signed-rank":
            ranks = wilcoxon_signed_rank_test(
                list(self.differences), zero_method=_zero_method(zeros), budget=budget
            )
            return facts(ranks, step=1)
        return facts(sign_flip_test(self._flips(statistic, zeros), budget=budget))

    def _flips(self, statistic: str, zeros: str | None) -> Any:
        """Return what the test flips the signs of, or {sign: number of pairs}; None without differences."""
        if self.signs is not None:
            return {sign: count for sign, count in zip((1, -1), self.signs) if count}
        if self.differences is None or statistic == "sum":
            return self.differences
        if statistic == "signed-rank":
            return signed_ranks(self.differences, _zero_method(zeros))
        return Counter((d > 0) - (d < 0) for d in self.differences)


def flip_facts(flips: Iterable[Exact], n: int, allowance: Allowance) -> Facts:
    """Count the two-sided test that flips the signs of a column, or enclose its p-values."""
    column = list(flips)

    def count(left: Allowance, seconds: float) -> Facts:
        left.charge(seconds)
        return facts(sign_flip_test(column, budget=left.budget))

    return _first(count, column, n, None, allowance)


def _first(
    count: Callable[[Allowance, float], Facts],
    flips: Any,
    n: int,
    step: Exact | None,
    allowance: Allowance,
) -> Facts:
    """Return the count of a test that does not take long; else certified brackets, which leave few verdicts open."""
    swaps = canonical(flip_effects(flips))
    seconds = _seconds_of(swaps, allowance)
    refusal = ""
    if seconds <= min(SOON, allowance.budget.seconds):
        try:
            return count(allowance, seconds)
        except BudgetExceeded as error:
            refusal = error.brief
    return bounded(swaps, n, step, allowance, refusal=refusal)


def _seconds_of(swaps: Swaps, allowance: Allowance) -> float:
    return exact_seconds(
        swaps.tally, min(swaps.observed, swaps.span - swaps.observed), allowance.budget
    )


def _zero_method(zeros: str | None) -> str:
    return ZEROS[zeros][0] if zeros else ZERO_METHODS[0]


class Counted:
    """Counts each statistic of each sample once, however many claims and conventions need it.

    Who needs a count first pays for it, out of the allowance of one claim. What that allowance
    refused is tried again for another claim.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[Any, ...], tuple[Any, Allowance]] = {}
        self._samples: list[Sample] = []  # kept, so that their identities stay theirs

    def facts(
        self, sample: Sample, statistic: str, zeros: str | None, allowance: Allowance
    ) -> Facts:
        """Return the facts of one statistic; raise again what the count raised."""
        key = "facts", id(sample), statistic, zeros
        return self._known(key, sample, allowance, sample.count, statistic, zeros)  # type: ignore[no-any-return]

    def narrowed(
        self, sample: Sample, statistic: str, zeros: str | None, digits: float, allowance: Allowance
    ) -> Facts | None:
        """Return narrower facts than those known, for a verdict that needs some digits; None if too dear."""
        known = self.facts(sample, statistic, zeros, allowance)
        finer = sample.narrowed(known, statistic, zeros, digits, allowance)
        self._found["facts", id(sample), statistic, zeros] = finer, allowance
        return None if finer is known else finer

    def binary(
        self, sample: Sample, statistic: str, zeros: str | None, allowance: Allowance
    ) -> Facts | None:
        """Return the facts by differences of doubles; None where they are those of the decimals."""
        key = "binary", id(sample), statistic, zeros
        return self._known(key, sample, allowance, sample.in_binary, statistic, zeros)  # type: ignore[no-any-return]

    def box(
        self, sample: Sample, statistic: str, unit: Fraction, allowance: Allowance
    ) -> Ranges | None:
        """Return the box of the flips of scores that were rounded to a unit."""
        key = "box", id(sample), statistic, unit
        return self._known(key, sample, allowance, sample.box, statistic, unit)  # type: ignore[no-any-return]

    def _known(
        self, key: tuple[Any, ...], sample: Sample, allowance: Allowance, read: Any, *about: Any
    ) -> Any:
        """Return what is known, or find it out of the allowance."""
        found, payer = self._found.get(key, (None, None))
        if payer is None or (payer is not allowance and _is_refused(found)):
            self._samples.append(sample)
            found = kept(read, *about, allowance)
            self._found[key] = found, allowance
        return given(found)

    def prepare(
        self,
        wanted: list[tuple[Sample, str, str | None, Allowance]],
        executor: Executor | None = None,
        progress: Callable[[], None] = lambda: None,
    ) -> None:
        """Count what is not known yet, in the tasks of an executor if there is one."""
        new = {("facts", id(one[0]), one[1], one[2]): one for one in reversed(wanted)}
        tasks = [(key, one) for key, one in reversed(new.items()) if key not in self._found]
        self._samples += [task[0] for _key, task in tasks]
        found = answers(_counted, [task for _key, task in tasks], executor)
        for (key, (*_test, allowance)), answer in zip(tasks, found):
            facts, allowance.spent = answer
            self._found[key] = facts, allowance
            progress()


def _is_refused(found: Any) -> bool:
    """Whether something was not found since an allowance was used up, which another one may have."""
    return isinstance(found, BudgetExceeded) or getattr(found, "refused", False)


def _counted(
    task: tuple[Sample, str, str | None, Allowance],
) -> tuple[Facts | ExactPermError, float]:
    """Return the facts of a test, and what is spent of the allowance: a task of another process has a copy of it."""
    sample, *test, allowance = task
    return kept(sample.count, *test, allowance), allowance.spent


def kept(read: Callable[..., Any], *arguments: Any) -> Any:
    """Return what a function returns, or the error that it raises, so that neither is computed twice."""
    try:
        return read(*arguments)
    except ExactPermError as error:
        return error.with_traceback(None)


def given(kept: Any) -> Any:
    """Return what :func:`kept` returned, or raise its error."""
    if isinstance(kept, ExactPermError):
        raise kept
    return kept
