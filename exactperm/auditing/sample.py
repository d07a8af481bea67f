"""The data behind a claim: pairs, counts, entries of another statistic, or several runs of each item, and their facts.

What a test flips depends on its statistic, and on how the data are taken: as given; in doubles,
which round differences of decimals and so break ties; rounded, when the scores were published; or
as one package replaces them. Facts are kept with the sample, and whoever needs them first pays for
them. Source: spec/10-audit.md#audit-rounding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import gcd

from .._types import Any, TypeVar
from ..arithmetic.rational import Exact
from ..arithmetic.reading import is_sequence
from ..budget import Allowance, Budget
from ..classical.paired import signed_ranks
from ..errors import BudgetExceeded
from ..record import Record, lazy, replaced
from ..swaps.canonical import Swaps
from ..swaps.effects import Flips
from ..swaps.runs import Design, exchange
from ..swaps.statistic import Statistic
from .axes import SINGLE
from .facts import (
    Facts,
    Flipping,
    TwoSamples,
    of_entries,
    of_flips,
    of_sum,
)

RunsOfSystem = tuple[tuple[Exact, ...], ...]
"""The runs of one system on all items."""
Found = TypeVar("Found")
Asked = dict[object, Any]
"""What was found, by what was asked."""

_MAKING = Budget(seconds=2.0)  # of the sums of the runs of all items
_MOST_DECIMALS = 4
"""A table with more decimals in a score is no printed one."""
_MOST_FIGURES = 10**6  # units of the last digit of a score of a printed table
_SCALE = 10, 7  # greatest score and number of scores of a scale of answers


class Sample(Record):
    """The data of one claim: ``differences`` of pairs, else ``signs`` (b and c), else entries ``u`` and ``v`` of ``rule``.

    With ``labels`` pairs of the same label are swapped together: the differences are the sums of
    groups. ``n`` pairs, or groups; ``shift`` the hypothesised difference, ``turned`` whether the
    difference is v - u; ``sha256`` of the file, None for data in memory, two joined by "+";
    ``dropped`` the number of pairs left out; ``notes`` say how the data were read. ``half`` has one
    entry for each difference: by how many units of the scores' last digit it may be off if they
    were rounded. ``runs`` are those of both systems on each item, whose means are compared;
    ``whole`` says that run j of a system is the same run on every item. ``design`` is one of single
    runs, which ``steps`` exchange.
    """

    n: int
    differences: tuple[Exact, ...] | None = None
    signs: tuple[int, int] | None = None
    labels: tuple[object, ...] | None = None
    rule: Statistic | None = None
    u: tuple[Any, ...] = ()
    v: tuple[Any, ...] = ()
    shift: Exact = 0
    turned: bool = False
    sha256: str | None = None
    dropped: int = 0
    notes: tuple[str, ...] = ()
    half: tuple[Exact, ...] = ()
    runs: tuple[RunsOfSystem, RunsOfSystem] | None = None
    whole: bool = True
    design: str = ""
    steps: Swaps | None = None

    @lazy
    def known(self) -> Asked:
        """What was found of the sample before, by what was asked."""
        return {}

    def once(self, key: object, find: Callable[[], Found]) -> Found:
        """Return what ``find`` returns, found once; what it raises is not kept."""
        if key not in self.known:
            self.known[key] = find()
        found: Found = self.known[key]
        return found

    @lazy
    def n_nonzero(self) -> int:
        """Number of pairs with a difference."""
        return self.n if self.differences is None else sum(d != 0 for d in self.differences)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of pairs, items or runs that a document may state."""
        runs = [sum(map(len, side)) for side in self.runs or ()]
        return self.n, self.n_nonzero, *runs, sum(runs)

    @property
    def units(self) -> str:
        """What is counted."""
        return "items" if self.runs else "pairs" if self.labels is None else "groups"

    @lazy
    def designs(self) -> tuple[str, ...]:
        """The designs that several runs allow, and what they are confused with; none for pairs."""
        if self.runs is None:
            return ()
        even = all(len({*map(len, side)}) == 1 for side in self.runs)
        paired = all(len(a) == len(b) for a, b in zip(*self.runs))
        whole = ["systems"] if self.whole and even else []
        return ("items", "within", *whole, "pooled", *(["epochs"] if paired else []))

    @property
    def _sides(self) -> Sequence[Sequence[Exact]]:
        """The scores of all runs of each system, or of each column."""
        return [*map(_flat, self.runs)] if self.runs else [self.u, self.v]

    @lazy
    def unit(self) -> Fraction | None:
        """Unit of the scores, of two columns the coarser one; None for other data, and where they have no few decimals."""
        if not self.half:
            return None
        units = [unit_of(side) for side in self._sides if any(side)]
        return None if None in units else max(filter(None, units), default=Fraction(1))

    @lazy
    def tabled(self) -> bool:
        """Whether the scores may be those of a printed table: of few digits, but no two of a scale of a few answers."""
        unit, scores = self.unit or Fraction(1), {x for side in self._sides for x in side}
        least, most = min(scores), max(scores)
        answers = unit.denominator == 1 and self.half[0] >= 1  # differences are none
        scale = answers and len(scores) <= _SCALE[1] and least >= 0 and most <= _SCALE[0]
        return not scale and -_MOST_FIGURES * unit < least and most < _MOST_FIGURES * unit

    @lazy
    def marks(self) -> bool:
        """Whether the scores are 0 or 1."""
        return self.runs is None and {*self.u, *self.v} <= {0, 1} and any(self.v)

    @lazy
    def itself(self) -> Fraction:
        """Probability of the observed assignment, and its tied ones; 0 where it has no opposite one."""
        if self.differences is None:
            return Fraction(int(self.steps is not None and self.steps.symmetric), self.total)
        return Fraction(1, 1 << self.n_nonzero)

    @property
    def total(self) -> int:
        """Number of all assignments."""
        return (1 << self.n) if self.steps is None else self.steps.total

    @lazy
    def may_lose_ties(self) -> bool:
        """Whether sums of the scores, or means over runs, are rounded in binary floating point, so that equal ones may differ."""
        if self.rule is not None:
            return self.rule.name not in ("accuracy", "difference of accuracies")
        runs = {len(item) for side in self.runs or () for item in side}
        bottoms = [*runs, *(Fraction(x).denominator for side in self._sides for x in side)]
        return any(bottom & (bottom - 1) for bottom in bottoms)

    @lazy
    def in_doubles(self) -> tuple[Exact, ...] | None:
        """The differences as doubles are subtracted: rounded, which breaks ties; None where they are the same."""
        if self.differences is None or self.labels is not None:
            return None
        try:
            pairs = [(float(a), float(b)) for a, b in zip(self.u, self.v)]
            shift = float(self.shift)
        except OverflowError:  # scores beyond the range of doubles
            return None
        subtracted = [b - a if self.turned else a - b for a, b in pairs]
        found = tuple([Fraction(d - shift) for d in subtracted])
        return None if found == self.differences else found

    def flips(self, statistic: str, zeros: str = "", data: str = "given") -> Flipping:
        """Return what a test flips the signs of: a column, or {sign: number of pairs}; none without differences."""
        if self.signs is not None:
            return {s: k for s, k in zip((1, -1), self.signs) if k} or {0: 1}
        column = (self.in_doubles if data == "doubles" else None) or self.differences or ()
        if statistic == "difference":
            return column
        if statistic == "wilcoxon":
            return signed_ranks(column, zeros or "wilcox")
        return Counter((d > 0) - (d < 0) for d in column)

    def facts(self, statistic: str, zeros: str, allowance: Allowance, data: str = "given") -> Facts:
        """Return the facts of one statistic."""
        key = "facts", statistic, zeros, data
        return self.paid(key, lambda: self._facts(statistic, zeros, allowance, data), allowance)

    def paid(self, key: object, find: Callable[[], Facts], allowance: Allowance) -> Facts:
        """Return the facts that ``find`` returns, found again where another allowance bought no tails."""
        found, payer = self.once(key, lambda: (find(), allowance))
        if not found.tails and payer is not allowance:
            found = find()
            self.known[key] = found, allowance
        return found

    def _facts(self, statistic: str, zeros: str, allowance: Allowance, data: str) -> Facts:
        if self.design in SINGLE:
            known = Facts(n=self.n, samples=self.t_tests)
            return known if self.steps is None else of_sum(self.steps, known, allowance)
        if self.rule is not None:
            return of_entries((self.u, self.v), self.rule, self.labels, self.n, allowance)
        flips = self.flips(statistic, zeros, data)
        # the sum of signed ranks moves by 2 where that of the positive ranks moves by 1
        return of_flips(flips, self.n, 2 if statistic == "wilcoxon" else None, allowance)

    @property
    def t_tests(self) -> Mapping[str, TwoSamples | None]:
        """The t-tests of two samples of runs."""
        if self.design == "within":
            return {}
        columns = [
            _flat(side)
            if self.design == "pooled"
            else [Fraction(sum(run)) / self.n for run in zip(*side)]
            for side in self.runs or ()
        ]
        return {law: t_of(*columns, equal=law == "t") for law in ("t", "welch")}

    def under(self, design: str) -> Sample:
        """Return the sample that a design exchanges; ``ExactPermError`` where the runs do not allow it."""
        if design in ("", "items") or self.runs is None:
            return self
        return self.once(("under", design), lambda: _exchanged(self, design))

    def without(self, i: int) -> Sample:
        """Return the sample without one pair."""
        parts: dict[str, tuple[object, ...]] = {}
        for name in ("differences", "u", "v", "half"):
            values = getattr(self, name)
            parts[name] = values[:i] + values[i + 1 :]
        return replaced(self, n=self.n - 1, **parts)


def _flat(side: RunsOfSystem) -> tuple[Exact, ...]:
    """Return the runs of one system on all items, one after the other."""
    return tuple([x for item in side for x in item])


def unit_of(scores: Sequence[Exact]) -> Fraction | None:
    """Return the greatest unit of which scores in decimals are multiples; None where one has no few decimals.

    >>> unit_of([Fraction(931, 10), 92, Fraction(9225, 100)]), unit_of([70, 85, 120])
    (Fraction(1, 20), Fraction(5, 1))
    """
    figures = [score * 10**_MOST_DECIMALS for score in scores]
    if any(Fraction(one).denominator > 1 for one in figures):
        return None
    return Fraction(gcd(*map(int, figures)) or 10**_MOST_DECIMALS, 10**_MOST_DECIMALS)


# ------------------------------------------------------------------------------------ several runs


def _exchanged(sample: Sample, design: str) -> Sample:
    """Return the sample of the runs that a design exchanges."""
    u, v = sample.runs or ((), ())
    half = (1,) if sample.half else ()
    if design in ("epochs", "pooled"):
        u, v = (_flat(u),), (_flat(v),)
    if design == "epochs":
        n = len(u[0])
        differences = tuple([a - b for a, b in zip(u[0], v[0])])
        return Sample(n=n, differences=differences, u=u[0], v=v[0], half=half * n)
    exchanged: Design = "systems" if design == "systems" else "within"
    steps = None
    try:
        swaps = exchange(u, v, exchanged, budget=_MAKING).swaps  # their sums are listed
        if isinstance(swaps, Flips):  # one run each: the paired test
            return sample
        steps = swaps
    except BudgetExceeded:  # nobody counts so many sums of pooled runs
        if design != "pooled":
            raise
    return Sample(n=sample.n, runs=(u, v), design=design, steps=steps, half=half)


def t_of(first: Sequence[Exact], second: Sequence[Exact], *, equal: bool) -> TwoSamples | None:
    """Return the difference of the means of two samples, its variance and the degrees of freedom; None without a spread.

    ``equal`` takes one variance for both, as Student; else each has its own, as Welch has it, whose
    degrees of freedom are no whole number. Source: spec/10-audit.md#audit-runs.

    >>> t_of([1, 2, 3], [4, 5, 6], equal=True)
    (Fraction(-3, 1), Fraction(2, 3), Fraction(4, 1))
    """
    sizes = m, k = len(first), len(second)
    if (m + k < 3) if equal else (min(sizes) < 2):
        return None
    means = [Fraction(sum(column)) / len(column) for column in (first, second)]
    squares = [sum((x - mean) ** 2 for x in column) for column, mean in zip((first, second), means)]
    freedom = Fraction(m + k - 2)
    if equal:
        variance = sum(squares) / freedom * (Fraction(1, m) + Fraction(1, k))
    else:
        parts = [Fraction(square) / (n - 1) / n for square, n in zip(squares, sizes)]
        variance = sum(parts, Fraction(0))
        if variance:
            freedom = variance**2 / sum(part**2 / (n - 1) for part, n in zip(parts, sizes))
    difference = means[0] - means[1]
    return (difference, variance, freedom) if variance or difference else None


def is_of_runs(columns: Sequence[Any]) -> bool:
    """Whether the entries of columns are the runs of items.

    >>> is_of_runs([[[1, 0], [1]], [[0], [1, 1]]]), is_of_runs([[1, 0], [0, 1]])
    (True, False)
    """
    return len(columns) == 2 and all(
        is_sequence(column) and any(map(is_sequence, column)) for column in columns
    )
