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

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, islice, product
from math import comb

from ..arithmetic.quoting import short_text
from ..arithmetic.reading import choice, is_sequence, whole_number
from ..arithmetic.writing import decimal_string, value_text
from ..counting.binomial import count_at_most
from ..errors import ExactPermError, WrongType
from ..montecarlo.sampling import least_where
from ..record import Result, replaced
from ..swaps.runs import check_design
from ..swaps.units import binomials
from .axes import AXES, DIFFERENCES, ESTIMATES
from .facts import Facts, hull, symmetric
from .text import PrintedPValue, read_pvalue

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
        return f"P-values that an {_NAMES[self.test]} can give, {self._tail}"

    @property
    def _tail(self) -> str:
        return AXES["tail"][self.alternative].words

    def rows(self) -> tuple[tuple[str, str], ...]:
        """Return what is assumed, and the p-values, as rows (label, text)."""
        pairs = self.test in DIFFERENCES
        units = "pairs" if pairs else "items" if self.n else "labelings"
        told = [
            f"multiples of {value_text(step)} from {value_text(a)} to {value_text(b)}"
            for step, a, b in self.steps
        ]
        if self.values is not None:
            least, most = [value_text(p) for p in (self.values[0], self.values[-1])]
            told = [f"{len(self.values)}, from {least} to {most}"]
        elif self.test == "mcnemar":
            told = [self._range]
        return (units, self._assumed), *(("p-values", text) for text in told)

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
        return hull(ends) if ends else None

    def _of_walk(self, difference: int, m: int) -> Fraction:
        """Return the p-value of b - c = difference and b + c = m."""
        b, c = (m + difference) // 2, (m - difference) // 2
        less, greater = [[count_at_most(m, k - beyond) for beyond in (0, 1)] for k in (b, c)]
        return _pvalue(less, greater, 1 << m, self.alternative, self.boundary)

    def around(self, printed: str | PrintedPValue) -> tuple[Fraction, ...]:
        """Return the possible p-values around the printed one: the last below it and the next two.

        >>> [str(p) for p in attainable(5).around("p = .03")]
        ['1/16', '1/8']
        """
        low, _high = _text(printed).hull()
        found = set[Fraction]()
        for length, value in self._ascending():
            i = least_where(lambda j, value=value: value(j) >= low, length)  # type: ignore[misc]
            found.update(map(value, range(max(0, i - 1), min(length, i + 2))))
        return tuple(sorted(found))

    def contains(self, printed: str | PrintedPValue) -> bool:
        """Return whether some attainable p-value prints so; ``printed`` is text or a result of ``read_pvalue``.

        >>> attainable(5).contains("p = .03"), attainable(5, alternative="greater").contains("p = .03")
        (False, True)
        """
        text = _text(printed)
        return text.value is None or any(text.fit(p) for p in self.around(text))

    def verdict(self, printed: str | PrintedPValue) -> str:
        """Return a sentence that says whether the printed p-value is possible, under which assumption, and what is near."""
        text = _text(printed)
        possible, near = self.contains(text), self.around(text)[:2]
        told = ""
        if self.test == "mcnemar":
            told = f"{', so p lies' if self.walks else ':'} {self._range}"
        if near and not possible:
            beside = " and ".join(decimal_string(p, 4) for p in near)
            told += f"; the nearest possible values are {beside}"
        boundary = "" if self.boundary == ">=" else f", boundary {self.boundary}"
        return (
            f"{short_text(text.text)} {'can' if possible else 'cannot'} be the p-value: "
            f"{_NAMES[self.test]}, {self._tail}{boundary}; {self._assumed}{told}"
        )

    @property
    def _range(self) -> str:
        ends = self.bounds
        if ends is None:
            return "no data have them"
        return "between {} and {}".format(*[decimal_string(end, 3) for end in ends])


def _text(printed: str | PrintedPValue) -> PrintedPValue:
    return printed if isinstance(printed, PrintedPValue) else read_pvalue(printed)


def attainable(
    n: object = None,
    test: str = "difference",
    *,
    alternative: str = "two-sided",
    boundary: str = ">=",
    samples: object = None,
    estimate: str | None = None,
    accuracies: object = None,
    runs: object = None,
    design: str | None = None,
    total: object = None,
) -> Attainable:
    """Return the p-values that a paired test can give, whatever the data; ``.contains("p = .03")`` looks one up.

    - ``n``: number of pairs (units) with a non-zero difference, 1 to 100,000.
    - ``test``: "difference" (any scores), "wilcoxon" (ranks without ties), "sign" (n discordant items),
      "mcnemar" (n items, with ``accuracies`` such as ("93.1%", "92.2%"), as text).
    - ``alternative``: a tail of a claim; ``boundary``: ">=", ">" or "mid".
    - ``samples``: K of a Monte Carlo test; ``estimate``: "b/K" or "(b+1)/(K+1)", None for either.
    - ``runs``: numbers of runs of either system on each item, such as (3, 3), under a ``design`` of
      :func:`exactperm.permutation_test_runs`; items whose runs are all equal do not count. Or
      ``total``: the number of all labelings, whatever n.

    Raises ``ExactPermError``. Cost: n**3 additions for ranks, up to n = 400; some tests of up to n items for
    accuracies; else none. Source: spec/10-audit.md#audit-lattice.

    >>> attainable(5).contains("p = .03"), attainable(1000, accuracies=("93.1%", "92.2%")).contains("p = .001")
    (False, False)
    """
    choice(alternative, "alternative", tuple(AXES["tail"]))
    choice(boundary, "boundary", tuple(AXES["boundary"]))
    exchanged = design if runs is None else runs
    said = {"accuracies": accuracies, "samples": samples, "runs": exchanged, "total": total}
    given = [name for name, value in said.items() if value is not None]
    test = "mcnemar" if accuracies is not None and test == "difference" else test
    _check(test, given, estimate)
    pairs = 0 if n is None and total is not None else whole_number(n, "n", 1, _MOST_PAIRS)
    bare = Attainable(
        n=pairs,
        test=test,
        alternative=alternative,
        boundary=boundary,
        assumption="pairs have a difference",
    )
    if accuracies is not None:
        return _of_accuracies(bare, accuracies)
    if samples is not None:
        return _sampled(bare, whole_number(samples, "samples", 1, _MOST_SAMPLES), estimate)
    return _labelings(bare, runs, design, total) if test == "difference" else _listed(bare)


def _check(test: str, given: Sequence[str], estimate: str | None) -> None:
    """Check that what is said belongs together."""
    choice(test, "test", (*DIFFERENCES, "mcnemar"))
    if len(given) > 1:
        raise ExactPermError(f"{given[0]} and {given[1]} are given: one of them tells the p-values")
    if (test == "mcnemar") != (given == ["accuracies"]):
        raise ExactPermError(f"test is {test!r}: McNemar's test, and no other, needs accuracies")
    if test != "difference" and given in (["runs"], ["total"]):
        raise ExactPermError(
            f"test is {test!r}: runs are exchanged by the exact test of their means"
        )
    if estimate is not None and given != ["samples"]:
        told = f"estimate is {short_text(estimate)}, but samples is None"
        raise ExactPermError(f"{told}: it belongs to Monte Carlo")


def _of_accuracies(bare: Attainable, accuracies: object) -> Attainable:
    """Return the p-values that two accuracies of n items allow.

    With k and l right answers b - c = k - l. Both systems are right on k - b items and neither on n
    - l - b, so b is at most k and n - l, and any b from max(0, k - l) on occurs.
    """
    # an iterator need not end
    texts = list(islice(accuracies, 3)) if is_sequence(accuracies) else []
    if len(texts) != 2:
        told = "it must be two texts such as ('93.1%', '92.2%')"
        raise ExactPermError(f"accuracies is {short_text(accuracies)}: {told}")
    n = bare.n
    most: dict[int, int] = {}
    for k, right in product(*[_right_answers(text, n) for text in texts]):
        most[k - right] = max(most.get(k - right, 0), 2 * min(k, n - right) - (k - right))
    assumption = f"items, accuracies {texts[0]} and {texts[1]}"
    return replaced(bare, assumption=assumption, walks=tuple(sorted(most.items())))


def _right_answers(text: object, n: int) -> range:
    """Return the numbers of right answers of n that print as an accuracy."""
    shown = f"an accuracy is {short_text(text)}"
    if not isinstance(text, str):
        raise WrongType(f"{shown}: it must be text, since trailing zeros count")
    read = read_pvalue(text.strip().rstrip("% "))
    low, high = read.interval
    scale = 100 if text.strip().endswith("%") else 1
    if read.relation != "=" or high < 0 or low > scale:
        raise ExactPermError(f"{shown}: it must be a share such as '93.1%' or '.931'")
    return range(max(0, -(-n * low // scale)), min(n, n * high // scale) + 1)


def _labelings(bare: Attainable, runs: object, design: str | None, total: object) -> Attainable:
    """Return the p-values of all labelings of pairs, or of several runs."""
    n = bare.n
    if total is not None:
        number = whole_number(total, "total", 1)
        assumption = f"{short_text(number)} labelings"
        bare = replaced(bare, n=0, test="labelings", assumption=assumption)
        return _on_lattice(bare, number, symmetric=False)
    if runs is design is None:
        return _on_lattice(bare, 1 << n, symmetric=True)
    check_design(design)
    sizes = list(islice(runs, 3)) if is_sequence(runs) else []
    if len(sizes) != 2:
        told = "it must be two numbers of runs on each item, such as (3, 3)"
        raise ExactPermError(f"runs is {short_text(runs)}: {told}")
    m, k = [whole_number(size, f"runs[{i}]", 1, _MOST_RUNS) for i, size in enumerate(sizes)]
    choices = comb(m + k, m)
    if design == "within" and n * choices.bit_length() > _MOST_BITS:
        told = "the number of labelings has too many digits"
        raise ExactPermError(f"n is {n} and runs are {m} and {k}: {told}")
    number = 1 << n if design == "items" else choices ** (n if design == "within" else 1)
    which = {"within": ", not all of whose runs are equal,", "items": ", whose means differ,"}
    assumption = f"items{which.get(str(design), '')} have {m} and {k} runs"
    bare = replaced(bare, test=design, assumption=assumption)
    return _on_lattice(bare, number, symmetric=design == "items" or m == k)


def _on_lattice(bare: Attainable, total: int, *, symmetric: bool) -> Attainable:
    """Return the p-values of ``total`` labelings, of which the observed one is counted.

    ``symmetric`` says that labelings come in pairs of opposite statistics. Where the smaller tail
    of an odd number is doubled, 1 is a value besides.
    """
    tail, boundary = bare.alternative, bare.boundary
    doubled = tail in ("doubled", "2min")
    step = Fraction(2 if doubled or (symmetric and tail == "two-sided") else 1, total)
    most = Fraction(2 if tail == "2min" else 1)
    steps: tuple[tuple[Fraction, Fraction, Fraction], ...] = ((step, step, most),)
    if boundary == "mid":
        steps = ((step / 2, step / 2, most),)
    elif boundary == ">":
        steps = ((step, Fraction(0), most - Fraction(1, total)),)
    elif tail == "doubled" and total % 2:
        steps += ((Fraction(1), Fraction(1), Fraction(1)),)
    return replaced(bare, steps=steps)


def _listed(bare: Attainable) -> Attainable:
    """Return all p-values of ranks without ties, or of signs."""
    n, test = bare.n, bare.test
    if n > _MOST_LISTED:
        told = f"the values of the {test} test are listed up to {_MOST_LISTED} pairs"
        raise ExactPermError(f"n is {n}: {told}")
    if test == "sign":
        counts, what = binomials(n, n), "items that one system alone has right"
    else:
        counts, what = _rank_sums(n), "pairs have a difference, no two of the same size"
    total, found = 1 << n, set[Fraction]()
    for below, here in zip(accumulate(counts, initial=0), counts):
        less, greater = [below + here, below], [total - below, total - below - here]
        found.add(_pvalue(less, greater, total, bare.alternative, bare.boundary))
    return replaced(bare, assumption=what, values=tuple(sorted(found)))


def _rank_sums(n: int) -> list[int]:
    """Return the numbers of subsets of 1, ..., n with the sums 0, 1, 2, ...

    >>> _rank_sums(3)
    [1, 1, 1, 2, 1, 1, 1]
    """
    counts = [1]
    for rank in range(1, n + 1):
        counts = [a + b for a, b in zip(counts + [0] * rank, [0] * rank + counts)]
    return counts


def _pvalue(less: list[int], greater: list[int], total: int, tail: str, boundary: str) -> Fraction:
    """Return the p-value of two tails of a symmetric distribution, each with the observed value and without it."""
    smaller = [(Fraction(k, total),) * 2 for k in min(less, greater)]
    tails = symmetric(lambda strict: smaller[strict], (less > greater) - (less < greater))
    low, _high = Facts(n=0, tails=tails).value("exact", tail, boundary) or (Fraction(0), None)
    return low


def _sampled(bare: Attainable, K: int, estimate: str | None) -> Attainable:
    """Return the values of either estimate, or of one."""
    choice(estimate or "b/K", "estimate", tuple(filter(None, ESTIMATES)))
    steps = [
        (Fraction(1, K + more), Fraction(more, K + more), Fraction(1))
        for more in ESTIMATES[estimate]
    ]
    which = estimate or "either estimate"
    told = f"pairs have a difference, K = {K} random assignments, {which}"
    return replaced(bare, assumption=told, steps=tuple(steps))
