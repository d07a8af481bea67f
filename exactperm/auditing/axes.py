"""The one table of conventions: in what ways a published p-value may be read, and what each of them costs.

What the document states of an axis costs nothing, and no other value of it is a reading. What it
leaves open costs 1 where it is usual, 2 where it is unusual, 3 where it is a known error.
Source: spec/10-audit.md#audit-open.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from .._types import Any
from ..record import Record, lazy

USUAL, UNUSUAL, ERROR = 1, 2, 3
ROUNDED = ("rounded", "tabled")
"""The scores are said to be rounded, or may have been: then errors that hardly occur are left out."""
SINGLE = ("within", "systems", "pooled")
"""Designs under which single runs are exchanged."""
RANKED = ("wilcoxon", "sign")
_PLAIN_SIGN = 25  # pairs from which the sign test's normal law without correction is usual
RATIOS = ("f1", "precision", "recall", "ratio")

AXES: Mapping[str, Mapping[str, tuple[str, Any, str, str]]] = {
    "statistic": {
        "difference": ("permutation test", 2, "", "the test was one of the mean"),
        "wilcoxon": ("Wilcoxon signed-rank test", 2, "", "the test was Wilcoxon's"),
        "sign": ("sign test", 2, "", "the test was the sign test"),
        "mcnemar": ("McNemar test", 1, "", "the test was McNemar's"),
        "accuracy": ("permutation test of accuracy", 2, "", "the test was one of accuracies"),
        "f1": ("permutation test of f1", 2, "", "the test was one of F1"),
        "precision": ("permutation test of precision", 2, "", "the test was one of precision"),
        "recall": ("permutation test of recall", 2, "", "the test was one of recall"),
        "ratio": ("permutation test of ratio", 2, "", "the test was one of ratios"),
    },
    "zeros": {
        "wilcox": ("zeros dropped", 1, "R wilcox.test, SciPy", "zeros were dropped"),
        "pratt": ("zeros by Pratt's rule", 1, "coin", "zeros were ranked by Pratt's rule"),
        "zsplit": (
            "zeros split between both sides",
            2,
            "SciPy, zero_method='zsplit'",
            "zeros were split between both sides",
        ),
    },
    "design": {
        "items": ("blocks of runs swapped within items", 1, "", "blocks of runs were swapped"),
        "within": ("runs exchanged within items", 1, "", "runs were exchanged within items"),
        "systems": ("whole runs exchanged over items", 1, "", "whole runs were exchanged"),
        "pooled": ("all runs pooled, unpaired", 2, "", "all runs were pooled"),
        "epochs": ("run by run as pairs", 2, "", "runs were taken for pairs"),
    },
    "law": {
        "exact": ("exact", 1, "", "the test was exact"),
        "t": ("t-test", 1, "R t.test, SciPy ttest_rel", "the test was a t-test"),
        "normal-cc": (
            "normal approximation with continuity correction",
            {"difference": 3, "": 1},
            "R wilcox.test",
            "a normal approximation with continuity correction was used",
        ),
        "normal": (
            "normal approximation",
            {"difference": 2, "sign": 2, "": 1},
            "coin",
            "a normal approximation was used",
        ),
        "welch": (
            "of unequal variances (Welch)",
            2,
            "R t.test",
            "the test was Welch's t-test of two samples",
        ),
    },
    "tail": {
        "two-sided": ("two-sided", 1, "", "the test was two-sided"),
        "greater": ("one-sided (greater)", 2, "", "the test was one-sided"),
        "less": ("one-sided (less)", 2, "", "the test was one-sided"),
        "doubled": ("two-sided (twice the smaller side)", 3, "SciPy, R", "one side was doubled"),
        "min": ("one-sided (the smaller side)", 3, "", "the test was one-sided"),
        "2min": (
            "two-sided (twice the smaller side, even above 1)",
            3,
            "",
            "one side was doubled, even above 1",
        ),
    },
    "boundary": {
        ">=": ("", 1, "", "equal outcomes were counted"),
        "mid": ("mid-p", {"mcnemar": 1, "wilcoxon": 3, "": 2}, "", "it is a mid-p-value"),
        ">": (
            "more extreme outcomes only",
            {"wilcoxon": 3, "sign": 3, "": 2},
            "sacreBLEU",
            "only more extreme outcomes were counted",
        ),
    },
    "order": {
        "given": ("", 0, "", ""),
        "turned": (
            "of the columns in the other order",
            2,
            "",
            "the difference was taken in the other order",
        ),
    },
    "data": {
        "given": ("", 0, "", ""),
        "doubles": (
            "in binary floating point",
            1,
            "R 4.2.2 wilcox.test, SciPy 1.17.1 wilcoxon, coin 1.4.2, exactRankTests 0.8.35",
            "",
        ),
        "rounded": ("from scores before rounding", 1, "", ""),
        "tabled": ("from scores before rounding", 2, "", "the scores were rounded to {unit}"),
    },
    "source": {
        "itself": ("", 0, "", ""),
        "zsplit variance": (
            "zeros in the variance",
            1,
            "SciPy 1.17.1 wilcoxon, zero_method='zsplit'",
            "",
        ),
        "centre": (
            "continuity correction at the centre",
            1,
            "statsmodels 0.15.0 mcnemar",
            "",
        ),
        "other sum": (
            "in binary floating point, the observed sum added in another way",
            2,
            "",
            "the observed sum was added in another way than the others",
        ),
        "ranked scores": (
            "scores replaced by ranks",
            2,
            "exactRankTests 0.8.35 perm.test",
            "it was computed by perm.test of exactRankTests 0.8.35, which replaces scores "
            "that are no integers by ranks",
        ),
        "untied null": (
            "null distribution of ranks without ties and zeros",
            3,
            "SciPy 1.17.1 wilcoxon, method='exact'",
            "",
        ),
        "untied variance": ("variance without tie term", 3, "own scripts", ""),
        "trimmed": (
            "probability below 1e-8 is dropped",
            3,
            "paired-perm-test at 55fb5e3",
            "",
        ),
        "underflow": (
            "underflow to 0",
            3,
            "statsmodels 0.15.0 mcnemar, mlxtend 0.25.0 mcnemar",
            "",
        ),
        "many pairs": ("0 from 1,024 pairs on", 3, "R exactRankTests 0.8.35 perm.test", ""),
        "less one": (
            "the observed assignment is left out of the count",
            3,
            "own scripts that enumerate",
            "",
        ),
        "both less one": (
            "the observed assignment is left out of count and total",
            3,
            "own scripts that enumerate",
            "",
        ),
        "both plus one": (
            "one is added to count and total of a full enumeration",
            3,
            "own scripts that enumerate",
            "",
        ),
    },
}
"""Axis, value: words, cost where the document does not state it (by the statistic), who prints it, and the condition."""


def cost(axis: str, value: str, known: Mapping[str, Any], n: int = 0) -> int:
    """Return what the value of an axis costs where the document does not state it, by the statistic."""
    told, statistic = AXES[axis][value][1], known.get("statistic", "")
    if isinstance(told, int):
        return told
    if (axis, value, statistic) == ("law", "normal", "sign") and n >= _PLAIN_SIGN:
        return USUAL
    return int(told.get(statistic, told[""]))


class Way(Record):
    """One way to read a claim: a value on each axis of :data:`AXES`; ``doubts`` are the axes on which it is unusual."""

    statistic: str
    zeros: str | None
    law: str
    tail: str
    boundary: str = ">="
    design: str = ""
    order: str = "given"
    data: str = "given"
    source: str = "itself"
    unit: Fraction | None = None
    doubts: tuple[str, ...] = ()

    @lazy
    def key(self) -> tuple[Any, ...]:
        """All axes, for what is known by the reading."""
        return tuple([getattr(self, name) for name in self._fields[:-1]])

    @property
    def words(self) -> str:
        """The reading in words: "exact Wilcoxon signed-rank test (zeros dropped), one-sided (greater)"."""
        alone = self.design in SINGLE  # single runs, not pairs of numbers
        test = AXES["statistic"][self.statistic][0]
        if self.law in ("t", "welch"):
            test = "t-test of two samples" if alone else "paired t-test"
        elif self.statistic == "difference" and not alone:
            test = f"paired {test}"
        zeros = "" if self.zeros is None else f" ({AXES['zeros'][self.zeros][0]})"
        more = [
            *([AXES["law"][self.law][0]] if self.law not in ("exact", "t") else []),
            AXES["tail"][self.tail][0],
            *(AXES[axis][getattr(self, axis)][0] for axis in ("boundary", "design") if self.design),
        ]
        if not self.design:
            more.append(AXES["boundary"][self.boundary][0])
        more += [AXES[axis][getattr(self, axis)][0] for axis in ("order", "data", "source")]
        exactly = "exact " if self.law == "exact" else ""
        return ", ".join(filter(None, [f"{exactly}{test}{zeros}", *more]))

    @property
    def side(self) -> str:
        """The tail of the columns in the given order."""
        turned = {"greater": "less", "less": "greater"} if self.order == "turned" else {}
        return turned.get(self.tail, self.tail)

    @property
    def free(self) -> bool:
        """Whether any number between the bounds of its value is the p-value of some data."""
        return self.data in ROUNDED or self.law == "welch" or self.floating

    @property
    def floating(self) -> bool:
        """Whether sums in doubles are compared, any of which may lose its equality with the observed one."""
        return self.data == "doubles" and self.statistic not in RANKED

    @property
    def column(self) -> str:
        """How the data are taken for what is flipped: in doubles only where they are ranked."""
        return "doubles" if self.data == "doubles" and not self.floating else "given"
