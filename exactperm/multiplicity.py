"""Adjust the p-values of several tests: family-wise error rate or false discovery rate.

An adjusted p-value is the least level at which the procedure rejects that hypothesis. So one exact
fraction for each hypothesis answers for every level. For m p-values in ascending order p_(1) <= ...
<= p_(m), among n >= m tests:

    method       adjusted p-value of p_(i)                 assumption on the tests
    bonferroni   n p_(i)                                   none
    holm         max over j <= i of (n - j + 1) p_(j)      none; never above bonferroni
    sidak        1 - (1 - p_(i))**n                        independent
    holm-sidak   max over j <= i of
                 1 - (1 - p_(j))**(n - j + 1)              independent
    hochberg     min over j >= i of (n - j + 1) p_(j)      independent or positively dependent
    hommel       closed test with Simes' local test        independent or positively dependent
    fdr_bh       min over j >= i of n p_(j) / j            independent or positively dependent
    fdr_by       fdr_bh times 1 + 1/2 + ... + 1/n          none
    tarone       p_(i) times the number of tests that      least attainable p-values are constants
                 can attain a p-value as small

Each is capped at 1. The two fdr methods control the false discovery rate, the others the
family-wise error rate. For discrete p-values, such as those of permutation tests, that rate is at
most the level; "exact" Sidak is so for continuous ones only. The n - m p-values that are not given
count as 1.

"tarone" gives no share of the level to a test that cannot reach p. Its form here needs no
level: f(p) = p * #{j : p*_j <= p}, with p*_j the least attainable p-values. f increases. Let x
be the supremum of {p : f(p) <= alpha}. A true hypothesis is rejected with probability at most
the sum over {j : p*_j <= x} of P(p_j <= x), at most f(x) <= alpha (and where f jumps past alpha
at x, the same with < for <=). It rejects what Tarone's procedure rejects at some level up to
alpha. That procedure takes the least K with #{j : p*_j <= alpha / K} <= K and rejects p <=
alpha / K, but may take back at a larger level what it rejected at a smaller one (Hommel and
Krummenauer 1998).

"tarone" holds only where the p*_j are constants under the null hypothesis, as for tests on
different data. Where they depend on the data it is false: two tests on the same data, each
valid given its p*, can reject a true hypothesis with probability 2/65 at level 1/64. Tests of
several systems on one test set are of this kind.

Sources: Bonferroni, Holm 1979, Sidak 1967, Hochberg 1988, Hommel 1988, Benjamini and Hochberg 1995,
Benjamini and Yekutieli 2001, Tarone 1990. The lecture names the first three.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

from ._types import Entry, Literal
from .arithmetic.enclosure import enclosed
from .arithmetic.quoting import short_text
from .arithmetic.rational import Exact
from .arithmetic.reading import exact_column, flag, probability, whole_number
from .arithmetic.writing import decimal_string
from .budget import Budget, Estimate
from .errors import ExactPermError
from .record import Result

Adjustment = Literal[
    "bonferroni",
    "holm",
    "sidak",
    "holm-sidak",
    "hochberg",
    "hommel",
    "fdr_bh",
    "fdr_by",
    "tarone",
    "bonf",
    "holm-bonferroni",
    "BH",
    "BY",
    "fdr",
]
Power = tuple[Exact, int]
"""(q, k): the number q**k, not multiplied out."""
Term = tuple[Exact, Exact, Exact]
"""(key, factor, p): the number factor * p; keys, on a common denominator, are compared in its
place."""


_FIRST_BITS = 128
"""Precision of the first intervals around two powers: enough for all but deliberate near-ties."""


class AdjustedPValues(Result):
    """Adjusted p-values, as :func:`adjust_pvalues` returns them.

    ``pvalues`` are the p-values in the order given, ``method`` the adjustment and ``n`` the number
    of tests. Iterating gives the adjusted p-values.

    >>> [float(p) for p in adjust_pvalues([0.01, 0.04], "holm")]
    [0.02, 0.04]
    """

    pvalues: tuple[Exact, ...]
    method: str
    min_attainable: tuple[Exact, ...] | None = None
    n: int
    _budget: Budget | None = None

    def __init__(
        self, *, pvalues: tuple[Exact, ...], n: int | None = None, **values: object
    ) -> None:
        super().__init__(pvalues=pvalues, n=len(pvalues) if n is None else n, **values)

    @cached_property
    def adjusted(self) -> tuple[Fraction, ...]:
        """The adjusted p-values, exact, in the order of the p-values.

        ``BudgetExceeded`` for the Sidak methods where the powers are too long to write out.
        """
        if self.method in _SIDAK:
            self._check_powers(
                self.n * max((p.denominator.bit_length() for p in self.pvalues), default=0), 2
            )
            return tuple(Fraction(1 - q**k) for q, k in self._powers)
        return _linear(self.pvalues, self.method, self.n, self.min_attainable or ())

    def __iter__(self) -> Iterator[Fraction]:
        return iter(self.adjusted)

    def __len__(self) -> int:
        return len(self.pvalues)

    @property
    def heading(self) -> str:
        """The number of tests and the adjustment."""
        return f"{self.n} p-values, adjusted by {self.method}"

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns."""
        return "p-value", "adjusted"

    def rows(self) -> tuple[tuple[str, str], ...]:
        """Return each p-value with its adjusted one, to four digits."""
        return tuple(
            (decimal_string(p, 4), decimal_string(adjusted, 4))
            for p, adjusted in zip(self.pvalues, self.adjusted)
        )

    def reject(self, alpha: object, *, strict: bool = False) -> tuple[bool, ...]:
        """Return for each hypothesis whether the procedure rejects it: adjusted p <= alpha, or < where ``strict``.

        The decision is exact. For the Sidak methods 1 - q**k <= alpha means q**k >= 1 - alpha.
        Certified intervals around the power decide that without writing it out, unless the two
        sides agree to thousands of bits.
        """
        level, below = probability(alpha, "alpha"), flag(strict, "strict")
        if self.method in _SIDAK:
            least = 1 if below else 0
            return tuple(_compare(power, (1 - level, 1)) >= least for power in self._powers)
        return tuple(p < level if below else p <= level for p in self.adjusted)

    @cached_property
    def _powers(self) -> list[Power]:
        """(q, k) of each hypothesis, whose adjusted p-value is 1 - q**k."""
        n = self.n
        if self.method == "sidak":
            return [(1 - p, n) for p in self.pvalues]
        # Powers of numbers close to 1 differ beyond the leading zeros of p; the precision grows by
        # factors of 8.
        zeros = max(
            (p.denominator.bit_length() - p.numerator.bit_length() for p in self.pvalues), default=0
        )
        self._check_powers(8 * zeros, 20 * n.bit_length())
        order = sorted(range(len(self.pvalues)), key=self.pvalues.__getitem__)
        ranked = [(1 - self.pvalues[i], n - j) for j, i in enumerate(order)]
        return _restored(order, accumulate(ranked, lambda a, b: a if _compare(a, b) <= 0 else b))

    def _check_powers(self, bits: int, cost: int) -> None:
        """Raise ``BudgetExceeded`` where a power of ``bits`` bits for each p-value takes too much."""
        m = len(self.pvalues)
        nanoseconds = m * cost * (bits // 30) ** 1.585 if bits < 2**60 else math.inf
        Budget.of(self._budget).check(
            Estimate(seconds=nanoseconds / 1e9, bytes=m * bits // 4),
            f"{self.method} of {m} p-values, with powers of {short_text(bits)} bits,",
            "use holm, or reject(alpha), which does not write the powers out",
        )


def adjust_pvalues(
    pvalues: object,
    method: Adjustment = "holm",
    *,
    n: int | None = None,
    min_attainable: object = None,
    budget: Budget | None = None,
) -> AdjustedPValues:
    """Adjust p-values for the number of tests.

    The result has ``.adjusted``, the adjusted p-values as exact Fractions, and ``.reject(alpha)``.

    - ``pvalues``: one for each test, in [0, 1]; read exactly, a float as its shortest decimal.
    - ``method``: "bonferroni", "holm", "sidak", "holm-sidak", "hochberg", "hommel", "fdr_bh",
      "fdr_by" or "tarone". The table at the top of this module says what each computes and assumes.
      Names that R and statsmodels use, such as "BH", "fdr" or "bonf", are understood in any case.
    - ``n``: the number of tests, where p-values are given for some of them only (default: as many
      as p-values). The others count as 1, as in R's ``p.adjust``.
    - ``min_attainable``: for "tarone" only: the least p-value that each test can give, as in
      :attr:`PermutationTestResult.min_attainable`.
    - ``budget``: limit on the estimated work, a :class:`~exactperm.Budget`.

    Raises ``ExactPermError`` naming the position and the value, and ``BudgetExceeded`` where the
    estimate is above the budget. Cost: m log m comparisons ("hommel" some n more) on the common
    denominator of the p-values. ``adjusted`` of the Sidak methods has n times the digits of p.

    Source: Bonferroni, Holm and Sidak as in the lecture, spec/08-lecture-and-course-page.md#lecture-bonferroni; the
    others, and what the levels rest on, spec/11-many-tests.md#own-closed.

    >>> adjust_pvalues(["0.01", "0.04", "0.03"], "holm").adjusted
    (Fraction(3, 100), Fraction(3, 50), Fraction(3, 50))
    """
    name = adjustment(method)
    values = _probabilities(pvalues, "pvalues")
    tests = len(values) if n is None else whole_number(n, "n", len(values))
    if (min_attainable is None) == (name == "tarone"):
        raise ExactPermError("min_attainable is for the method 'tarone', which needs it")
    least = None if min_attainable is None else _probabilities(min_attainable, "min_attainable")
    if least is not None and len(least) != tests:
        raise ExactPermError(f"min_attainable has {len(least)} entries for {tests} tests")
    for i, (floor, p) in enumerate(zip(least or (), values)):
        if p < floor:
            raise ExactPermError(
                f"pvalues[{i}] is {short_text(p)}, below min_attainable[{i}], {short_text(floor)}"
            )
    if name not in _SIDAK:
        _check_linear((*values, *(least or ())), name, tests, Budget.of(budget))
    return AdjustedPValues(
        pvalues=values, method=name, min_attainable=least, n=tests, _budget=budget
    )


def adjustment(name: object, argument: str = "method") -> str:
    """Return the method that ``name`` means, in any case and with "-", "_" or a space between words.

    >>> adjustment("BH"), adjustment("Holm-Bonferroni")
    ('fdr_bh', 'holm')
    """
    plain = name.lower().replace("_", "-").replace(" ", "-") if isinstance(name, str) else ""
    method = NAMES.get(plain)
    if method is None:
        raise ExactPermError(
            f"{argument} is {short_text(name)}: it must be one of {', '.join(METHODS)}"
        )
    return method


def _probabilities(column: object, argument: str) -> tuple[Exact, ...]:
    values = tuple(exact_column(column, argument))
    for i, p in enumerate(values):
        if not 0 <= p <= 1:
            raise ExactPermError(f"{argument}[{i}] is {short_text(p)}: it must lie between 0 and 1")
    return values


# ------------------------------------------------- multiples of p, compared on a common denominator


def _check_linear(values: Sequence[Exact], method: str, n: int, budget: Budget) -> None:
    """Raise ``BudgetExceeded`` where the numerators on a common denominator are too long or too many.

    The length of that denominator is at most that of the longest power of two plus those of all
    others.
    """
    denominators = {p.denominator for p in values}
    powers = {d for d in denominators if d & (d - 1) == 0}
    bits = max((d.bit_length() for d in powers), default=0) + sum(
        d.bit_length() for d in denominators - powers
    )
    m = len(values)
    nanoseconds = m * (8000 + 5 * bits // 2)
    size = (n if method == "hommel" else m) * (300 + bits // 2)
    if method == "hommel":
        nanoseconds += n * (4000 + bits)
    if method == "fdr_by":  # the harmonic number, reduced, and its products, of 3 n bits
        nanoseconds += (n * n.bit_length()) ** 2 // 3300 + 3 * m * n
        size += 3 * m * n // 8
    budget.check(
        Estimate(seconds=min(nanoseconds, 10**30) / 1e9, bytes=size),
        f"{method} of {m} p-values, with a common denominator of {short_text(bits)} bits,",
        "use bonferroni or holm with rounded p-values, or allow more with budget=Budget(seconds=, bytes=)",
    )


def _linear(
    pvalues: tuple[Exact, ...], method: str, n: int, least: tuple[Exact, ...]
) -> tuple[Fraction, ...]:
    """Return adjusted p-values that are a small multiple of one of the p-values each."""
    scale = math.lcm(*(p.denominator for p in (*pvalues, *least)))
    numerators = [p.numerator * (scale // p.denominator) for p in pvalues]
    order = sorted(range(len(pvalues)), key=numerators.__getitem__)
    ranked = [(numerators[i], pvalues[i]) for i in order]
    if method == "hommel":
        terms: Iterable[Term] = _hommel([*ranked, *[(scale, 1)] * (n - len(ranked))])
    elif method == "tarone":
        attainable = sorted(p.numerator * (scale // p.denominator) for p in least)
        terms = _terms(ranked, [bisect_right(attainable, x) for x, _p in ranked])
    else:
        factor, running = _STEPS[method]
        terms = running(_terms(ranked, [factor(n, j) for j in range(1, len(ranked) + 1)]))
    once = _harmonic(n) if method == "fdr_by" else 1
    return tuple(
        _restored(
            order, (min(Fraction(1), Fraction(p) * factor * once) for _key, factor, p in terms)
        )
    )


def _terms(ranked: list[tuple[int, Exact]], factors: Sequence[Exact]) -> list[Term]:
    return [(x * factor, factor, p) for (x, p), factor in zip(ranked, factors)]


def _greatest_from_below(terms: list[Term]) -> Iterable[Term]:
    return accumulate(terms, max)


def _least_from_above(terms: list[Term]) -> Iterable[Term]:
    return list(accumulate(reversed(terms), min))[::-1]


def _harmonic(n: int) -> Fraction:
    """Return 1 + 1/2 + ... + 1/n, by halves."""

    def part(low: int, high: int) -> tuple[int, int]:
        if high - low == 1:
            return 1, high
        (a, b), (c, d) = part(low, (low + high) // 2), part((low + high) // 2, high)
        return a * d + b * c, b * d

    return Fraction(*part(0, n)) if n else Fraction(0)


def _hommel(ranked: list[tuple[int, Exact]]) -> list[Term]:
    """Return the terms of closed testing with Simes' test: maxima over the sizes s of the least favourable set with i.

    That set is i with the s - 1 largest others. With r the s largest in ascending order, Simes
    gives min(s p_i, c_s), c_s = min over k >= 2 of s r_k / k, for an i below them, which takes the
    place of r_1. For an i above r_1 the term s p_i drops out: c_s is at most min over k >= 2 of (s
    - 1) r_k / (k - 1), what the set without r_1 gives. s p_i rises with s and c_s falls, as k <= s
    means (s + 1) / (k + 1) <= s / k. So the maximum is s p_i for the last s with s p_i <= c_s, or
    the next c; that s falls as p_i rises.
    """
    least, s = _simes(ranked), len(ranked)
    adjusted = []
    for x, p in ranked:
        while s > 1 and s * x > least[s - 2][0]:
            s -= 1
        adjusted.append(max([(s * x, s, p), *least[s - 1 : s]]))
    return adjusted


def _simes(ranked: list[tuple[int, Exact]]) -> list[Term]:
    """Return c_2, ..., c_n of :func:`_hommel`: c_s is s times the least slope from (n - s, 0) to later points (j, x_j).

    The points are j >= n - s + 2, and only those on the lower convex hull matter. As the origin
    moves to the left, the slope to the nearer of two points falls by the larger factor: a point no
    better than one before it stays so.
    """
    x = [key for key, _p in ranked]
    hull: deque[int] = deque()
    terms: list[Term] = []
    for s in range(2, len(x) + 1):
        new, origin = len(x) - s + 1, len(x) - s - 1  # counted from 0
        while len(hull) > 1 and (x[hull[0]] - x[new]) * (hull[1] - new) >= (x[hull[1]] - x[new]) * (
            hull[0] - new
        ):
            hull.popleft()
        hull.appendleft(new)
        while len(hull) > 1 and x[hull[-2]] * (hull[-1] - origin) <= x[hull[-1]] * (
            hull[-2] - origin
        ):
            hull.pop()
        factor = Fraction(s, hull[-1] - origin)
        terms.append((x[hull[-1]] * factor, factor, ranked[hull[-1]][1]))
    return terms


def _restored(order: list[int], ranked: Iterable[Entry]) -> list[Entry]:
    """Return the values of the ranks, put back in the order of the input."""
    known = list(ranked)
    values = known[: len(order)]
    for i, value in zip(order, known):
        values[i] = value
    return values


_STEPS: dict[str, tuple[Callable[[int, int], Exact], Callable[[list[Term]], Iterable[Term]]]] = {
    "bonferroni": (lambda n, j: n, list),
    "holm": (lambda n, j: n - j + 1, _greatest_from_below),
    "hochberg": (lambda n, j: n - j + 1, _least_from_above),
    "fdr_bh": (Fraction, _least_from_above),
    "fdr_by": (Fraction, _least_from_above),  # and then times the harmonic number
}
"""The factor of p_(j) among n tests, and the running extreme of the products."""

_SIDAK = ("sidak", "holm-sidak")
METHODS = ("bonferroni", "holm", "hochberg", "hommel", "fdr_bh", "fdr_by", *_SIDAK, "tarone")

NAMES = {
    **{method.replace("_", "-"): method for method in METHODS},
    "bonf": "bonferroni",
    "holm-bonferroni": "holm",
    "simes-hochberg": "hochberg",
    "bh": "fdr_bh",
    "fdr": "fdr_bh",
    "benjamini-hochberg": "fdr_bh",
    "by": "fdr_by",
    "benjamini-yekutieli": "fdr_by",
}
"""Other names of the methods, as R, statsmodels and papers write them."""


# ----------------------------------------------------------------------- powers, compared unwritten


def _compare(a: Power, b: Power) -> int:
    """Return the sign of a - b for powers of numbers in [0, 1].

    Certified intervals of growing precision decide it. Where they overlap up to the full length,
    the powers themselves are compared.
    """
    (q, k), (r, n) = a, b
    written = max(k * q.denominator.bit_length(), n * r.denominator.bit_length())
    bits = _FIRST_BITS
    while bits < written:
        (low_a, high_a), (low_b, high_b) = [
            enclosed(p, bits).power(j, bits).ends() for p, j in (a, b)
        ]
        if low_a > high_b or high_a < low_b:
            return 1 if low_a > high_b else -1
        bits *= 8
    x, y = q**k, r**n
    return (x > y) - (x < y)
