"""Many p-values at once: adjusted p-values that control the family-wise error rate or the false discovery rate.

An adjusted p-value is the least level at which the procedure rejects that hypothesis, so one exact fraction for each
hypothesis answers for every level. Written for p-values p_(1) <= ... <= p_(m) in ascending order:

    bonferroni   m p                                   any dependence
    holm         max over j <= i of (m - j + 1) p_(j)  any dependence; never above bonferroni
    sidak        1 - (1 - p)**m                        independent tests
    holm-sidak   max over j <= i of 1 - (1 - p_(j))**(m - j + 1)
    hochberg     min over j >= i of (m - j + 1) p_(j)  independent or positively dependent tests
    hommel       max over sets I with i in I of min over k of |I| p_(k:I) / k   (closed test with Simes; as hochberg)
    fdr_bh       min over j >= i of m p_(j) / j        false discovery rate, as hochberg
    fdr_by       fdr_bh times 1 + 1/2 + ... + 1/m      false discovery rate, any dependence
    tarone       p times the number of tests that can attain a p-value as small as p

each capped at 1. Sources: Bonferroni, Holm 1979, Sidak 1967, Hochberg 1988, Hommel 1988, Benjamini and Hochberg 1995,
Benjamini and Yekutieli 2001, Tarone 1990; the lecture names the first three; ids lecture-multiple-comparisons,
lecture-fwer, lecture-bonferroni, lecture-holm, lecture-sidak, own-tarone.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

from .arithmetic.enclosure import enclosed
from .arithmetic.quoting import short_text
from .arithmetic.reading import exact_column, probability
from .errors import ExactPermError
from .record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from .arithmetic.rational import Exact

    Power = tuple[Exact, int]
    """(q, k): the number q**k, not multiplied out."""

_FIRST_BITS = 128
"""Mantissa of the first enclosure of a power: decides all but deliberate near-ties."""


class AdjustedPValues(Record):
    """``pvalues`` in the order given, with the ``method`` that adjusts them; see :func:`adjust_pvalues`."""

    pvalues: tuple[Exact, ...]
    method: str
    min_attainable: tuple[Exact, ...] | None = None

    @cached_property
    def adjusted(self) -> tuple[Fraction, ...]:
        """The adjusted p-values, exact, in the order of the p-values."""
        if self.method in _SIDAK:
            return tuple(Fraction(1 - q**k) for q, k in self._powers)
        return _linear(self.pvalues, self.method, self.min_attainable or ())

    def reject(self, alpha: Any, *, strict: bool = False) -> tuple[bool, ...]:
        """Which hypotheses the procedure rejects at level ``alpha``: adjusted p <= alpha, or < where ``strict``.

        Decided exactly. For the Sidak methods 1 - q**k <= alpha is q**k >= 1 - alpha: enclosures of the power decide
        that without writing it out (m times the digits of p), unless the two agree to thousands of bits.
        """
        level = probability(alpha, "alpha")
        if self.method in _SIDAK:
            least = 1 if strict else 0
            return tuple(_compare(power, (1 - level, 1)) >= least for power in self._powers)
        return tuple(p < level if strict else p <= level for p in self.adjusted)

    @cached_property
    def _powers(self) -> list[Power]:
        """(q, k) of each hypothesis, whose adjusted p-value is 1 - q**k."""
        m = len(self.pvalues)
        if self.method == "sidak":
            return [(1 - p, m) for p in self.pvalues]
        order = sorted(range(m), key=self.pvalues.__getitem__)
        ranked = [(1 - self.pvalues[i], m - j) for j, i in enumerate(order)]
        return _restored(order, accumulate(ranked, lambda a, b: a if _compare(a, b) <= 0 else b))


def adjust_pvalues(pvalues: Any, method: str = "holm", *, min_attainable: Any = None) -> AdjustedPValues:
    """Adjust p-values for the number of tests; the result has ``.adjusted`` (exact Fractions) and ``.reject(alpha)``.

    - ``pvalues``: one for each test, in [0, 1]; read exactly, a float as its shortest decimal.
    - ``method``: "bonferroni", "holm", "sidak", "holm-sidak", "hochberg", "hommel", "fdr_bh", "fdr_by" or "tarone";
      the table at the top of this module says what each computes and assumes.
    - ``min_attainable``: for "tarone" only: the least p-value that each test can give, as in
      :attr:`PermutationTestResult.min_attainable`.

    Raises ``ExactPermError`` naming the position and the value. Cost: m log m comparisons ("hommel" m**2), on the
    common denominator of the p-values, which for permutation tests is the largest one: for 190 p-values of 300 digits
    7 ms ("hommel" 0.1 s), of 20,000 digits 2 s. ``adjusted`` of the Sidak methods has m times the digits of p (0.7 s at
    300 digits); ``reject`` does not write them out (20 ms; 1 s at 20,000 digits).

    "tarone" is Tarone's idea that a test which cannot reach p needs no share of the level, in a form without a level:
    f(p) = p * #{j : p*_j <= p}, with p*_j the least attainable p-values. f increases, so with x the supremum of
    {p : f(p) <= alpha} a true hypothesis is rejected with probability at most the sum over {j : p*_j <= x} of
    P(p_j <= x), at most f(x) <= alpha (and where f jumps past alpha at x, the same with < for <=). It rejects exactly
    what Tarone's own procedure rejects at some level up to alpha: that one takes the least K with
    #{j : p*_j <= alpha / K} <= K and rejects p <= alpha / K, but may take back at a larger level what it rejected at a
    smaller one (Hommel and Krummenauer 1998). The p*_j must be constants under the null hypothesis, as for tests on
    different data: between systems on the same test set p*_j of one pair can move with the swaps of another, and the
    bound is then not proven. Source: ids lecture-fwer, lecture-bonferroni, lecture-holm, lecture-sidak.

    >>> result = adjust_pvalues(["0.01", "0.04", "0.03"], "holm")
    >>> result.adjusted
    (Fraction(3, 100), Fraction(3, 50), Fraction(3, 50))
    >>> result.reject("0.05")
    (True, False, False)
    """
    if method not in METHODS:
        raise ExactPermError(f"method is {short_text(method)}: it must be one of {', '.join(METHODS)}")
    values = _probabilities(pvalues, "pvalues")
    if (min_attainable is None) == (method == "tarone"):
        raise ExactPermError("min_attainable is for the method 'tarone', which needs it")
    least = None if min_attainable is None else _probabilities(min_attainable, "min_attainable")
    if least is not None and len(least) != len(values):
        raise ExactPermError(f"min_attainable has {len(least)} entries for {len(values)} p-values")
    for i, (floor, p) in enumerate(zip(least or (), values)):
        if p < floor:
            raise ExactPermError(f"pvalues[{i}] is {short_text(p)}, below min_attainable[{i}], {short_text(floor)}")
    return AdjustedPValues(pvalues=values, method=method, min_attainable=least)


def _probabilities(column: Any, argument: str) -> tuple[Exact, ...]:
    values = tuple(exact_column(column, argument))
    for i, p in enumerate(values):
        if not 0 <= p <= 1:
            raise ExactPermError(f"{argument}[{i}] is {short_text(p)}: it must lie between 0 and 1")
    return values


# ------------------------------------------------------------------- multiples of p, on one common denominator


def _linear(pvalues: tuple[Exact, ...], method: str, least: tuple[Exact, ...]) -> tuple[Fraction, ...]:
    scale = math.lcm(*(p.denominator for p in (*pvalues, *least)))
    numerators = [p.numerator * (scale // p.denominator) for p in pvalues]
    order = sorted(range(len(pvalues)), key=numerators.__getitem__)
    ranked = [numerators[i] for i in order]
    if method == "tarone":
        attainable = sorted(p.numerator * (scale // p.denominator) for p in least)
        adjusted: Iterable[Exact] = (p * bisect_right(attainable, p) for p in ranked)
    else:
        adjusted = _RANKED[method](ranked)
    return tuple(_restored(order, (Fraction(min(p, scale)) / scale for p in adjusted)))


def _bonferroni(ranked: list[int]) -> Iterable[Exact]:
    return [len(ranked) * p for p in ranked]


def _holm(ranked: list[int]) -> Iterable[Exact]:
    return accumulate(((len(ranked) - j) * p for j, p in enumerate(ranked)), max)


def _hochberg(ranked: list[int]) -> Iterable[Exact]:
    return _least_from_above([(len(ranked) - j) * p for j, p in enumerate(ranked)])


def _fdr_bh(ranked: list[int]) -> Iterable[Exact]:
    return _least_from_above([Fraction(len(ranked) * p, j) for j, p in enumerate(ranked, 1)])


def _fdr_by(ranked: list[int]) -> Iterable[Exact]:
    harmonic = sum(Fraction(1, j) for j in range(1, len(ranked) + 1))
    return [harmonic * p for p in _fdr_bh(ranked)]


def _hommel(ranked: list[int]) -> list[Exact]:
    """Closed testing with Simes' test: the maximum over the sizes s of the least favourable set that holds i.

    That set is i with the s - 1 largest others. With r the s largest in ascending order, Simes gives
    min over k >= 1 of s r_k / k; an i below them takes the place of r_1 and leaves the other terms as they are. For an
    i above r_1 the first term may as well be s p_i, which drops out: min over k >= 2 of s r_k / k is at most
    min over k >= 2 of (s - 1) r_k / (k - 1), what the set without r_1 gives.
    """
    m = len(ranked)
    adjusted: list[Exact] = list(ranked)
    for size in range(2, m + 1):
        others = min(Fraction(size * p, k) for k, p in enumerate(ranked[m - size + 1 :], 2))
        simes = [min(Fraction(size * p), others) for p in ranked]
        adjusted = list(map(max, adjusted, simes))
    return adjusted


def _least_from_above(values: list[Exact]) -> list[Exact]:
    return list(accumulate(reversed(values), min))[::-1]


def _restored(order: list[int], ranked: Iterable[Any]) -> list[Any]:
    """The values of the ranks, put back in the order of the input."""
    values: list[Any] = [None] * len(order)
    for i, value in zip(order, ranked):
        values[i] = value
    return values


_RANKED: dict[str, Callable[[list[int]], Iterable[Exact]]] = {
    "bonferroni": _bonferroni,
    "holm": _holm,
    "hochberg": _hochberg,
    "hommel": _hommel,
    "fdr_bh": _fdr_bh,
    "fdr_by": _fdr_by,
}
_SIDAK = ("sidak", "holm-sidak")
METHODS = (*_RANKED, *_SIDAK, "tarone")


# ------------------------------------------------------------------------------- powers, compared unwritten


def _compare(a: Power, b: Power) -> int:
    """Sign of a - b for powers of numbers in [0, 1]; by enclosures of growing precision, exactly where they meet."""
    (q, k), (r, n) = a, b
    written = max(k * q.denominator.bit_length(), n * r.denominator.bit_length())
    bits = _FIRST_BITS
    while bits < written:
        (low_a, high_a), (low_b, high_b) = [enclosed(p, bits).power(j, bits).ends() for p, j in (a, b)]
        if low_a > high_b or high_a < low_b:
            return 1 if low_a > high_b else -1
        bits *= 8
    x, y = q**k, r**n
    return (x > y) - (x < y)
