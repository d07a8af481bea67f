"""Tell which p-values exist at all, without the data: a check of the printed number against the number of pairs.

With n units of non-zero effect a p-value counts assignments of 2**n, so it lies on a lattice:

    sum           one-sided (>=): m / 2**n, and some data attain every m = 1, ..., 2**n; two-sided: 2 m / 2**n
    several runs  the same with the number of labelings in place of 2**n; two-sided steps of 1 where
    runs are unequal signed-rank   without ties the distribution of the rank sum is known: cumulative counts only
    sign          sums of binomial coefficients: n // 2 + 1 two-sided values
    Monte Carlo   b / K, or (b + 1) / (K + 1)
    McNemar       from two accuracies of N items: b - c is known up to rounding, b + c between bounds

Rows with a difference of 0 leave a subset of the same lattice. The boundary ">" moves the lattice
by one step and lets it begin at 0; mid-p values lie on the lattice of half the step. So every
impossibility is one "as stated": it names its tail, its boundary and what it assumes. Source:
spec/10-audit.md#audit-lattice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import accumulate, islice
from math import comb

from .._types import Any
from ..arithmetic.quoting import short_text
from ..arithmetic.reading import choice, is_sequence, whole_number
from ..arithmetic.writing import decimal_string, value_text
from ..counting.binomial import count_at_most
from ..errors import ExactPermError, WrongType
from ..montecarlo.sampling import least_where
from ..record import Result
from ..swaps.runs import check_design
from .axes import AXES
from .readings import rank_sums
from .text import PrintedPValue, read_pvalue

TESTS = ("difference", "wilcoxon", "sign", "mcnemar")
ESTIMATES = ("b/K", "(b+1)/(K+1)")

_NAMES = {
    "difference": "exact paired permutation test",
    "wilcoxon": "exact signed-rank test",
    "sign": "exact sign test",
    "mcnemar": "exact McNemar's test (the permutation test of 0/1 scores)",
    "within": "exact permutation test, runs exchanged within items",
    "items": "exact permutation test, blocks of runs swapped within items",
    "systems": "exact permutation test, whole runs exchanged over items",
    "labelings": "exact permutation test",
}
_MOST_PAIRS = 100_000
_MOST_RUNS = 1000
_MOST_BITS = 4 * 10**6  # of a number of labelings
_MOST_SAMPLES = 10**18
# pairs up to which the values of rank and sign tests are listed; 80,000 rank sums
_MOST_LISTED = 400


class Attainable(Result):
    """The p-values that a test of n pairs can give; made by :func:`attainable`.

    ``steps`` are lattices (step, least, most), ``values`` a list, ``walks`` of McNemar's test from
    two accuracies (b - c, greatest b + c): what is not used is empty.
    """

    n: int
    test: str
    alternative: str
    boundary: str
    assumption: str
    steps: tuple[tuple[Fraction, Fraction, Fraction], ...] = ()
    values: tuple[Fraction, ...] | None = None
    walks: tuple[tuple[int, int], ...] = ()

    @property
    def heading(self) -> str:
        """What it is, in one line."""
        return f"P-values that an {_NAMES[self.test]} can give, {AXES['tail'][self.alternative][0]}"

    def rows(self) -> tuple[tuple[str, str], ...]:
        """Return what is assumed, and the p-values, as rows (label, text)."""
        items = self.test not in ("difference", "wilcoxon", "sign")
        assumed = ("labelings" if not self.n else "items" if items else "pairs", self._assumed)
        told = [
            f"multiples of {value_text(step)} from {value_text(a)} to {value_text(b)}"
            for step, a, b in self.steps
        ]
        if self.values is not None:
            least, most = [value_text(p) for p in (self.values[0], self.values[-1])]
            told = [f"{len(self.values)}, from {least} to {most}"]
        elif self.test == "mcnemar":
            told = [self._range]
        return assumed, *(("p-values", text) for text in told)

    @property
    def _assumed(self) -> str:
        return f"{self.n} {self.assumption}" if self.n else self.assumption

    def _ascending(self) -> Iterator[tuple[int, Callable[[int], Fraction]]]:
        """Yield (length, value at each place) of ascending sequences that have all p-values."""
        if self.values is not None:
            yield len(self.values), self.values.__getitem__
        for step, start, end in self.steps:
            yield int((end - start) // step) + 1, lambda i, a=start, by=step: a + i * by  # type: ignore[misc]
        for difference, most in self.walks:  # p rises or falls along all of a walk
            ends = self._of_walk(difference, abs(difference)), self._of_walk(difference, most)
            first, turn = (abs(difference), 2) if ends[0] <= ends[1] else (most, -2)
            yield (
                (most - abs(difference)) // 2 + 1,
                lambda i, d=difference, a=first, by=turn: self._of_walk(d, a + by * i),  # type: ignore[misc]
            )

    @property
    def bounds(self) -> tuple[Fraction, Fraction] | None:
        """The least and the greatest p-value; None where no data have them."""
        ends = [(value(0), value(length - 1)) for length, value in self._ascending()]
        return (min(low for low, _ in ends), max(high for _, high in ends)) if ends else None

    def _of_walk(self, difference: int, m: int) -> Fraction:
        """Return the p-value of b - c = difference and b + c = m."""
        b, c = (m + difference) // 2, (m - difference) // 2
        less, greater = [[count_at_most(m, k - beyond) for beyond in (0, 1)] for k in (b, c)]
        return _pvalue(less, greater, 1 << m, self.alternative, self.boundary)

    def around(self, printed: Any) -> tuple[Fraction, ...]:
        """Return the possible p-values around the printed one: the last below it and the next two.

        >>> [str(p) for p in attainable(5).around("p = .03")]
        ['1/16', '1/8']
        """
        low, _high = _text(printed).hull()
        found = []
        for length, value in self._ascending():
            if value(length - 1) < low:
                i = length
            else:
                i = least_where(lambda j, value=value: value(j) >= low, length - 1)  # type: ignore[misc]
            found += [value(j) for j in range(max(0, i - 1), min(length, i + 2))]
        return tuple(sorted({*found}))

    def contains(self, printed: Any) -> bool:
        """Return whether some attainable p-value prints so; ``printed`` is text or a result of ``read_pvalue``.

        >>> attainable(5).contains("p = .03"), attainable(5, alternative="greater").contains("p = .03")
        (False, True)
        """
        text = _text(printed)
        return text.value is None or any(text.fit(p) for p in self.around(text))

    def verdict(self, printed: Any) -> str:
        """Return a sentence that says whether the printed p-value is possible, under which assumption, and what is near."""
        text = _text(printed)
        possible, near = self.contains(text), self.around(text)[:2]
        told = f", so p lies {self._range}" if self.walks else ""
        told = f": {self._range}" if self.test == "mcnemar" and not self.walks else told
        if near and not possible:
            beside = " and ".join(decimal_string(p, 4) for p in near)
            told += f"; the nearest possible values are {beside}"
        boundary = "" if self.boundary == ">=" else f", boundary {self.boundary}"
        return (
            f"{short_text(text.text)} {'can' if possible else 'cannot'} be the p-value: "
            f"{_NAMES[self.test]}, {AXES['tail'][self.alternative][0]}{boundary}; {self._assumed}{told}"
        )

    @property
    def _range(self) -> str:
        ends = self.bounds
        if ends is None:
            return "no data have them"
        return "between {} and {}".format(*[decimal_string(end, 3) for end in ends])


def _text(printed: Any) -> PrintedPValue:
    return printed if isinstance(printed, PrintedPValue) else read_pvalue(printed)


def attainable(
    n: Any = None,
    test: str = "difference",
    *,
    alternative: str = "two-sided",
    boundary: str = ">=",
    samples: Any = None,
    estimate: str | None = None,
    accuracies: Any = None,
    runs: Any = None,
    design: Any = None,
    total: Any = None,
) -> Attainable:
    """Return the p-values that a paired test can give, whatever the data; ``.contains("p = .03")`` looks one up.

    - ``n``: number of pairs (units) with a non-zero difference, 1 to 100,000.
    - ``test``: "difference" (any scores), "wilcoxon" (ranks without ties), "sign" (also McNemar's; n
      discordant items), "mcnemar" (n items, with ``accuracies``).
    - ``accuracies``: two printed accuracies such as ("93.1%", "92.2%"), as text; they mean test
      "mcnemar".
    - ``alternative``: "two-sided", "greater", "less", "doubled", "min" or "2min"; ``boundary``:
      ">=", ">" or "mid".
    - ``samples``: K of a Monte Carlo test; ``estimate``: "b/K" or "(b+1)/(K+1)", None for either.
    - ``runs``: the numbers of runs of either system on each of n items, such as (3, 3), under a
      ``design`` of :func:`exactperm.permutation_test_runs`; items whose runs are all equal do not
      count. Or ``total``: the number of all labelings, for items with different numbers of runs,
      whatever n.

    Raises ``ExactPermError`` for bad input. Cost: nothing for "difference"; for ranks n**3 additions, up
    to n = 400; for accuracies some tests of up to n discordant items. Source: spec/10-audit.md#audit-lattice.

    >>> print(attainable(5).verdict("p = .03").partition(": ")[0])
    'p = .03' cannot be the p-value
    >>> attainable(1000, accuracies=("93.1%", "92.2%")).contains("p = .001")
    False
    >>> [attainable(5, runs=(3, 3), design=design).contains("p = .03") for design in ("within", "items", "systems")]
    [True, False, False]
    """
    pairs = 0 if n is None and total is not None else whole_number(n, "n", 1, _MOST_PAIRS)
    choice(test, "test", TESTS)
    choice(alternative, "alternative", tuple(AXES["tail"]))
    choice(boundary, "boundary", tuple(AXES["boundary"]))
    if (accuracies is None) != (test != "mcnemar"):
        if accuracies is None or test != "difference":
            raise ExactPermError(
                f"test is {test!r} and accuracies is {short_text(accuracies)}: McNemar's test needs both"
            )
        test = "mcnemar"
    if test == "mcnemar" and samples is not None:
        raise ExactPermError(
            f"samples is {short_text(samples)} and accuracies are given: McNemar's test is exact here"
        )
    base: dict[str, Any] = {
        "n": pairs,
        "test": test,
        "alternative": alternative,
        "boundary": boundary,
    }
    if runs is not None or design is not None or total is not None:
        if test != "difference" or samples is not None or estimate is not None:
            raise ExactPermError(
                "runs are exchanged by the exact test of their means: it has no other test or samples"
            )
        return _of_labelings(base, runs, design, total)
    if samples is not None:
        return _sampled(base, whole_number(samples, "samples", 1, _MOST_SAMPLES), estimate)
    if estimate is not None:
        raise ExactPermError(
            f"estimate is {short_text(estimate)}, but samples is None: it belongs to Monte Carlo"
        )
    if test == "mcnemar":
        return _of_accuracies(base, accuracies)
    if test == "difference":
        steps = _lattice(1 << pairs, alternative, boundary)
        return Attainable(**base, assumption="pairs have a difference", steps=steps)
    if pairs > _MOST_LISTED:
        raise ExactPermError(
            f"n is {pairs}: the values of the {test} test are listed up to {_MOST_LISTED} pairs"
        )
    counts = [comb(pairs, k) for k in range(pairs + 1)] if test == "sign" else rank_sums(pairs)
    what = (
        "items that one system alone has right"
        if test == "sign"
        else "pairs have a difference, no two of the same size"
    )
    return Attainable(**base, assumption=what, values=_listed(counts, alternative, boundary))


def _of_accuracies(base: dict[str, Any], accuracies: Any) -> Attainable:
    """Return the p-values that two accuracies of N items allow.

    With k and l right answers b - c = k - l. Both systems are right on k - b items and neither on N
    - l - b, so b is at most k and N - l, and any b from max(0, k - l) on occurs.
    """
    # an iterator need not end
    texts = list(islice(accuracies, 3)) if is_sequence(accuracies) else []
    if len(texts) != 2:
        raise ExactPermError(
            f"accuracies is {short_text(accuracies)}: it must be two texts such as ('93.1%', '92.2%')"
        )
    N = base["n"]
    first, second = [_right_answers(text, N) for text in texts]
    most: dict[int, int] = {}
    for k in first:
        for right in second:
            most[k - right] = max(most.get(k - right, 0), 2 * min(k, N - right) - (k - right))
    assumption = f"items, accuracies {texts[0]} and {texts[1]}"
    return Attainable(**base, assumption=assumption, walks=tuple(sorted(most.items())))


def _right_answers(text: Any, n: int) -> range:
    """Return the numbers of right answers of n that print as an accuracy."""
    if not isinstance(text, str):
        raise WrongType(
            f"an accuracy is {short_text(text)}: it must be text, since trailing zeros count"
        )
    percent = text.strip().endswith("%")
    read = read_pvalue(text.strip().rstrip("% "))
    low, high = read.interval
    scale = 100 if percent else 1
    if read.relation != "=" or high < 0 or low > scale:
        raise ExactPermError(
            f"an accuracy is {short_text(text)}: it must be a share such as '93.1%' or '.931'"
        )
    return range(max(0, -(-n * low // scale)), min(n, n * high // scale) + 1)


def _of_labelings(base: dict[str, Any], runs: Any, design: Any, total: Any) -> Attainable:
    """Return the p-values of a test of several runs, by the number of its labelings."""
    if total is not None:
        if runs is not None or design is not None:
            raise ExactPermError(
                "total is given, and runs or a design: one of both tells the number of labelings"
            )
        number, symmetric = whole_number(total, "total", 1), False
        return Attainable(
            **{**base, "n": 0, "test": "labelings"},
            assumption=f"{short_text(number)} labelings",
            steps=_lattice(number, base["alternative"], base["boundary"], symmetric=symmetric),
        )
    check_design(design)
    sizes = list(islice(runs, 3)) if is_sequence(runs) else []
    if len(sizes) != 2:
        raise ExactPermError(
            f"runs is {short_text(runs)}: it must be two numbers of runs on each item, such as (3, 3)"
        )
    m, k = [whole_number(size, f"runs[{i}]", 1, _MOST_RUNS) for i, size in enumerate(sizes)]
    n = base["n"]
    choices = comb(m + k, m)
    if design == "within" and n * choices.bit_length() > _MOST_BITS:
        raise ExactPermError(
            f"n is {n} and runs are {m} and {k}: the number of labelings has too many digits"
        )
    number = 1 << n if design == "items" else choices ** (n if design == "within" else 1)
    which = {
        "within": ", not all of whose runs are equal,",
        "items": ", whose means differ,",
        "systems": "",
    }[design]
    return Attainable(
        **{**base, "test": design},
        assumption=f"items{which} have {m} and {k} runs",
        steps=_lattice(
            number, base["alternative"], base["boundary"], symmetric=design == "items" or m == k
        ),
    )


def _lattice(
    total: int, tail: str, boundary: str, *, symmetric: bool = True
) -> tuple[tuple[Fraction, Fraction, Fraction], ...]:
    """Return (step, least, most) of the p-values of ``total`` labelings, of which the observed one is counted.

    ``symmetric`` says that labelings come in pairs of opposite statistics. Where the smaller tail
    of an odd number is doubled, 1 is a value besides.
    """
    doubled = tail in ("doubled", "2min")
    step = Fraction(2 if doubled or (symmetric and tail == "two-sided") else 1, total)
    most = Fraction(2 if tail == "2min" else 1)
    if boundary == "mid":
        return ((step / 2, step / 2, most),)
    if boundary == ">":
        return ((step, Fraction(0), most - Fraction(1, total)),)
    capped = ((Fraction(1), Fraction(1), Fraction(1)),) if tail == "doubled" and total % 2 else ()
    return ((step, step, most), *capped)


def _listed(counts: list[int], tail: str, boundary: str) -> tuple[Fraction, ...]:
    """Return all p-values of a symmetric distribution with these counts, ascending."""
    total = sum(counts)
    found = set()
    for below, here in zip(accumulate(counts, initial=0), counts):
        less, greater = [below + here, below], [total - below, total - below - here]
        found.add(_pvalue(less, greater, total, tail, boundary))
    return tuple(sorted(found))


def _pvalue(less: list[int], greater: list[int], total: int, tail: str, boundary: str) -> Fraction:
    """Return the p-value of two tails of a symmetric distribution, each with the observed value and without it."""
    least = min(less, greater)
    both = [min(total, 2 * count) for count in least]
    weak, strict = {"less": less, "greater": greater, "two-sided": both}.get(tail, least)
    p = Fraction({">=": 2 * weak, ">": 2 * strict, "mid": weak + strict}[boundary], 2 * total)
    p *= 2 if tail in ("doubled", "2min") else 1
    return p if tail == "2min" else min(p, Fraction(1))


def _sampled(base: dict[str, Any], K: int, estimate: str | None) -> Attainable:
    if estimate is not None:
        choice(estimate, "estimate", ESTIMATES)
    formulas = {
        "b/K": (Fraction(1, K), Fraction(0), Fraction(1)),
        "(b+1)/(K+1)": (Fraction(1, K + 1), Fraction(1, K + 1), Fraction(1)),
    }
    which = estimate or "either estimate"
    return Attainable(
        **base,
        assumption=f"pairs have a difference, K = {K} random assignments, {which}",
        steps=tuple(step for name, step in formulas.items() if estimate in (None, name)),
    )
