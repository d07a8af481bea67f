"""The one table of conventions: in what ways a published p-value may be read, and what each of them costs.

What the document states of an axis costs nothing; another value of it, 4, is no reading, but may
explain a wrong number. What is left open costs 1 where it is usual, 2 where it is unusual, 3 where
it is a known error.
Source: spec/10-audit.md#audit-open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from ..record import Record, lazy

USUAL, UNUSUAL, ERROR, DENIED = 1, 2, 3, 4
"""What a value costs that the document does not state: a usual one, ..., and one whose axis is stated otherwise."""
ROUNDED = ("rounded", "tabled")
"""The scores are said to be rounded, or may have been: then errors that hardly occur are left out."""
SINGLE = ("within", "systems", "pooled")
"""Designs under which single runs are exchanged."""
RANKED = ("wilcoxon", "sign")
"""Tests of numeric differences by their ranks or signs."""
DIFFERENCES = ("difference", *RANKED)
"""Tests of numeric differences."""
RATIOS = ("f1", "precision", "recall", "ratio")
"""Tests of a metric that is no mean over items."""
ESTIMATES = {"b/K": (0,), "(b+1)/(K+1)": (1,), None: (0, 1)}
"""What a form of an estimate from K samples adds to b and K; what either may, where none is stated."""
_PLAIN_SIGN = 25  # pairs from which the sign test's normal law without correction is usual

_AXES = """\
statistic
  difference | 2 | permutation test | | the test was one of the mean
  wilcoxon | 2 | Wilcoxon signed-rank test | | the test was Wilcoxon's
  sign | 2 | sign test | | the test was the sign test
  mcnemar | 1 | McNemar test | | the test was McNemar's
  accuracy | 2 | permutation test of accuracy | | the test was one of accuracies
  f1 | 2 | permutation test of f1 | | the test was one of F1
  precision | 2 | permutation test of precision | | the test was one of precision
  recall | 2 | permutation test of recall | | the test was one of recall
  ratio | 2 | permutation test of ratio | | the test was one of ratios
zeros
  wilcox | 1 | zeros dropped | R wilcox.test, SciPy | zeros were dropped | statistic=wilcoxon
  pratt | 1 | zeros by Pratt's rule | coin | zeros were ranked by Pratt's rule | statistic=wilcoxon
  zsplit | 2 | zeros split between both sides | SciPy, zero_method='zsplit' |
    zeros were split between both sides | statistic=wilcoxon
design
  items | 1 | blocks of runs swapped within items | | blocks of runs were swapped
  within | 1 | runs exchanged within items | | runs were exchanged within items | statistic=difference
  systems | 1 | whole runs exchanged over items | | whole runs were exchanged | statistic=difference
  pooled | 2 | all runs pooled, unpaired | | all runs were pooled | statistic=difference
  epochs | 2 | run by run as pairs | | runs were taken for pairs
law
  exact | 1 | exact | | the test was exact
  t | 1 | t-test | R t.test, SciPy ttest_rel | the test was a t-test | statistic=difference design!=within
  normal-cc | 1 difference=3 | normal approximation with continuity correction | R wilcox.test |
    a normal approximation with continuity correction was used | statistic=wilcoxon,sign,mcnemar,accuracy
  normal | 1 difference=2 sign=2 | normal approximation | coin | a normal approximation was used |
    statistic!=f1,precision,recall,ratio design!=within,systems,pooled
  student | 2 | Student's t of the signed ranks | SAS proc univariate, from 21 pairs on |
    Student's t was taken of the signed ranks | zeros=wilcox
  welch | 2 | of unequal variances (Welch) | R t.test | the test was Welch's t-test of two samples |
    design=systems,pooled
tail
  two-sided | 1 | two-sided | | the test was two-sided
  greater | 2 | one-sided (greater) | | the test was one-sided
  less | 2 | one-sided (less) | | the test was one-sided
  doubled | 3 | two-sided (twice the smaller side) | SciPy, R | one side was doubled
  min | 3 | one-sided (the smaller side) | | the test was one-sided
  2min | 3 | two-sided (twice the smaller side, even above 1) | | one side was doubled, even above 1
boundary
  >= | 1 | |  | equal outcomes were counted
  mid | 2 mcnemar=1 wilcoxon=3 | mid-p | | it is a mid-p-value | law=exact
  > | 2 wilcoxon=3 sign=3 | more extreme outcomes only | sacreBLEU |
    only more extreme outcomes were counted | law=exact
order
  given | 0
  turned | 2 | of the columns in the other order | | the difference was taken in the other order | tail=greater,less
data
  given | 0
  doubles | 1 | in binary floating point | R 4.2.2 wilcox.test, SciPy 1.17.1 wilcoxon, coin 1.4.2, exactRankTests 0.8.35
  rounded | 1 | from scores before rounding
  tabled | 2 | from scores before rounding | | the scores were rounded to {unit}
source
  itself | 0
  zsplit variance | 1 | zeros in the variance | SciPy 1.17.1 wilcoxon, zero_method='zsplit' | |
    statistic=wilcoxon law!=exact data!=rounded,tabled
  centre | 1 | continuity correction at the centre | statsmodels 0.15.0 mcnemar | | statistic=mcnemar law=normal-cc
  other sum | 2 | in binary floating point, the observed sum added in another way | |
    the observed sum was added in another way than the others |
    statistic=difference,accuracy,f1,precision,recall,ratio law=exact data!=rounded,tabled
  ranked scores | 2 | scores replaced by ranks | exactRankTests 0.8.35 perm.test |
    it was computed by perm.test of exactRankTests 0.8.35, which replaces scores that are no integers by ranks |
    statistic=difference law=exact
  untied null | 3 | null distribution of ranks without ties and zeros | SciPy 1.17.1 wilcoxon, method='exact' | |
    statistic=wilcoxon law=exact data!=rounded,tabled
  untied variance | 3 | variance without tie term | own scripts | | statistic=wilcoxon data!=rounded,tabled
  trimmed | 3 | probability below 1e-8 is dropped | paired-perm-test at 55fb5e3 | |
    statistic=difference,accuracy,f1 law=exact data!=rounded,tabled
  underflow | 3 | underflow to 0 | statsmodels 0.15.0 mcnemar, mlxtend 0.25.0 mcnemar | |
    statistic=mcnemar,sign law=exact data!=rounded,tabled
  many pairs | 3 | 0 from 1,024 pairs on | R exactRankTests 0.8.35 perm.test | |
    statistic=difference,wilcoxon law=exact data!=rounded,tabled
  less one | 3 | the observed assignment is left out of the count | own scripts that enumerate | |
    law=exact data!=rounded,tabled
  both less one | 3 | the observed assignment is left out of count and total | own scripts that enumerate | |
    law=exact data!=rounded,tabled
  both plus one | 3 | one is added to count and total of a full enumeration | own scripts that enumerate | |
    law=exact data!=rounded,tabled
"""
"""Axis, and below it: value | cost, which a statistic may have of its own | words | who prints it | what must have been
meant | on which values of other axes it has a meaning."""


def rows(table: str, mark: str = "|") -> Iterator[list[str]]:
    """Yield the cells of the rows of a table; a line that is indented by four blanks continues its row."""
    for row in table.strip().replace("\n    ", "").splitlines():
        yield [cell.strip() for cell in row.split(mark)]


class Convention(Record):
    """One value of an axis: its words, ``costs`` by the statistic, ``by`` whom it is printed, ``condition`` for it.

    The condition is what must have been meant. ``where`` has (axis, values, whether it has one of
    them) for each axis that must have certain values.
    """

    words: str = ""
    costs: Mapping[str, int]
    by: str = ""
    condition: str = ""
    where: tuple[tuple[str, tuple[str, ...], bool], ...] = ()

    def fits(self, known: Mapping[str, str]) -> bool:
        """Return whether it has a meaning where other axes have these values."""
        for axis, values, is_one in self.where:  # noqa: SIM110 (asked often: a generator takes twice the time)
            if (known[axis] in values) != is_one:
                return False
        return True


def _read(table: str) -> Mapping[str, Mapping[str, Convention]]:
    axes: dict[str, dict[str, Convention]] = {}
    for value, *told in rows(table):
        if not told:
            values = axes[value] = {}
            continue
        costs, words, by, condition, where = (*told, "", "", "", "")[:5]
        prices = [cost.rpartition("=")[::2] for cost in costs.split()]
        needs = [one.partition("=")[::2] for one in where.split()]
        values[value] = Convention(
            words=words,
            costs={name: int(price) for name, price in prices},
            by=by,
            condition=condition,
            where=tuple([(n.rstrip("!"), tuple(v.split(",")), n[-1:] != "!") for n, v in needs]),
        )
    return axes


AXES = _read(_AXES)
"""All conventions, by axis and value."""


def cost(axis: str, value: str, statistic: str = "", n: int = 0) -> int:
    """Return what the value of an axis costs where the document does not state it, by the statistic."""
    if (axis, value, statistic) == ("law", "normal", "sign") and n >= _PLAIN_SIGN:
        return USUAL
    prices = AXES[axis][value].costs
    return prices.get(statistic, prices[""])


class Way(Record):
    """One way to read a claim: a value on each axis of :data:`AXES`.

    ``doubts`` are the axes on which it is unusual, ``cost`` what the dearest value costs.
    """

    statistic: str
    zeros: str = ""
    law: str
    tail: str
    boundary: str = ">="
    design: str = ""
    order: str = "given"
    data: str = "given"
    source: str = "itself"
    unit: Fraction | None = None
    doubts: tuple[str, ...] = ()
    cost: int = 0

    @lazy
    def key(self) -> tuple[object, ...]:
        """All axes, for what is known by the reading."""
        return tuple([getattr(self, name) for name in self._fields[:-2]])

    @property
    def words(self) -> str:
        """The reading in words: "exact Wilcoxon signed-rank test (zeros dropped), one-sided (greater)"."""
        test = AXES["statistic"][self.statistic].words
        alone = self.design in SINGLE  # single runs, not pairs of numbers
        if self.law in ("t", "welch"):
            test = "t-test of two samples" if alone else "paired t-test"
        elif self.statistic == "difference" and not alone:
            test = f"paired {test}"
        exactly = "exact " * (self.law == "exact")
        zeros = f" ({AXES['zeros'][self.zeros].words})" if self.zeros else ""
        more = [(axis, getattr(self, axis)) for axis in [*AXES][2:]]
        told = [AXES[axis][value].words for axis, value in more if value not in ("", "exact", "t")]
        return ", ".join(filter(None, [f"{exactly}{test}{zeros}", *told]))

    @property
    def side(self) -> str:
        """The tail of the columns in the given order."""
        turned = {"greater": "less", "less": "greater"} if self.order == "turned" else {}
        return turned.get(self.tail, self.tail)

    @property
    def free(self) -> bool:
        """Whether any number between the bounds of its value may be meant."""
        return self.data in ROUNDED or self.law != "exact" or self.floating

    @property
    def floating(self) -> bool:
        """Whether sums in doubles are compared, any of which may lose its equality with the observed one."""
        return self.data == "doubles" and self.statistic not in RANKED

    @property
    def column(self) -> str:
        """How the data are taken for what is flipped: in doubles only where they are ranked."""
        return "doubles" if self.data == "doubles" and not self.floating else "given"
