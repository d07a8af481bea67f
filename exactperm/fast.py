"""The test and its decision in certified floats: brackets of the p-value in milliseconds, for any number of pairs.

The p-value of the difference of means is a tail of the swap sum X, so
:func:`exactperm.certified.bracket.tail_bracket` encloses it.
A decision p <= alpha needs no more than a bracket on one side of alpha; more digits, and at last the exact count,
are left for brackets that straddle it.

Source: spec/09-own-theorems.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property

from .arithmetic.enclosure import Enclosure, compare, log10_bounds, rounded
from .arithmetic.quoting import short_text
from .arithmetic.reading import flag, level, parse_exact, whole_number
from .arithmetic.writing import exact_text
from .budget import Budget, Options
from .certified.bracket import QUICK, tail_bracket
from .errors import BudgetExceeded, ExactPermError
from .null.alternative import check_alternative, fold
from .null.tails import LinearTails
from .record import Record
from .swaps.canonical import canonical
from .swaps.effects import swap_effects
from .swaps.statistic import difference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .arithmetic.rational import Exact
    from .null.alternative import Alternative
    from .swaps.canonical import Swaps

_MOST_DIGITS = 50


class FloatResult(Record):
    """A certified bracket of an exact p-value, read as floats or as decimals.

    ``bracket`` is the enclosure itself, exact at any size; ``digits`` the decimal digits it aimed at; ``statistic`` the
    observed value (exact), ``alternative`` as asked, ``n`` the number of pairs.
    """

    bracket: Enclosure
    digits: int
    statistic: Exact
    alternative: Alternative
    n: int

    @cached_property
    def pvalue(self) -> float:
        """The float nearest to the middle of the bracket; see :attr:`correctly_rounded`."""
        return rounded(*self.bracket.middle, 0)

    @property
    def lower(self) -> float:
        """The greatest float that is certainly not above the exact p-value; 0.0 below the smallest float."""
        return self.bracket.floats()[0]

    @property
    def upper(self) -> float:
        """The least float that is certainly not below the exact p-value; never 0."""
        return self.bracket.floats()[1]

    @cached_property
    def correctly_rounded(self) -> bool:
        """Whether ``pvalue`` is certainly the float nearest to the exact p-value: both ends round to it."""
        lower, upper, exponent = self.bracket
        return rounded(lower, exponent, 0) == rounded(upper, exponent, 0)

    @cached_property
    def log10_pvalue(self) -> float:
        """Base-10 logarithm of the bracket's middle: right far below the smallest float and right next to 1."""
        low, _, scale = log10_bounds(*self.bracket.middle)
        return rounded(low, -scale, 0)

    @property
    def log10_lower(self) -> float:
        """A float not above the logarithm of the exact p-value."""
        return self.bracket.log10_floats()[0]

    @property
    def log10_upper(self) -> float:
        """A float not below the logarithm of the exact p-value."""
        return self.bracket.log10_floats()[1]

    def decimal_bracket(self, digits: int | None = None) -> tuple[str, str]:
        """Decimals around the exact p-value, rounded down and up to ``digits`` significant digits.

        ``digits`` defaults to those the bracket aimed at. Digits that both texts share are digits of the p-value.

        >>> fast_permutation_test([3, 1, 2, 5], [1, 0, 2, 1]).decimal_bracket(3)
        ('2.50e-01', '2.50e-01')
        """
        return self.bracket.decimals(self.digits if digits is None else _checked_digits(digits))

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form; :meth:`from_dict` reads it back. The bracket is (lower, upper, power of two), exact.

        A logarithm that is minus infinity, of a lower end 0, is None.
        """
        lower, upper, exponent = self.bracket
        names = ("pvalue", "lower", "upper", "correctly_rounded", "log10_pvalue", "log10_lower", "log10_upper")
        floats = {name: getattr(self, name) for name in names}
        return {
            **{name: None if value == -math.inf else value for name, value in floats.items()},
            "decimal_bracket": list(self.decimal_bracket()),
            "bracket": [exact_text(lower), exact_text(upper), exponent],
            "digits": self.digits,
            "statistic": exact_text(self.statistic),
            "alternative": self.alternative,
            "method": "float",
            "n": self.n,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> FloatResult:
        """The result that :meth:`to_dict` wrote; ``ExactPermError`` for anything else."""
        try:
            lower, upper, exponent = data["bracket"]
            return cls(
                bracket=Enclosure(int(parse_exact(lower)), int(parse_exact(upper)), int(exponent)),
                statistic=parse_exact(data["statistic"]),
                **{name: data[name] for name in ("digits", "alternative", "n")},
            )
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise ExactPermError(f"the data is not that of a float result: {short_text(error)}") from None

    def __repr__(self) -> str:
        names = ("pvalue", "lower", "upper", "log10_pvalue", "correctly_rounded", "statistic", "alternative", "n")
        return f"FloatResult({', '.join(f'{name}={short_text(getattr(self, name))}' for name in names)})"


def fast_permutation_test(
    u: Any,
    v: Any,
    *,
    alternative: Alternative = "two-sided",
    groups: Any = None,
    decimals: int | None = None,
    digits: int = 17,
    budget: Budget | None = None,
) -> FloatResult:
    """Paired-permutation test of the difference of means: a certified bracket of the exact p-value, fast at any N.

    Scores, ``alternative``, ``groups`` and ``decimals`` as in :func:`exactperm.permutation_test`. ``digits``, 1 to 50,
    is the relative precision to aim at: 17 makes ``pvalue`` the correctly rounded float nearly always. The bracket is
    certain in any case. ``budget`` limits the bracket, by default to five seconds.

    Raises ``ExactPermError`` and ``WrongType`` for bad input, and ``BudgetExceeded`` where too few pairs share too long
    a support. Cost: reading the scores, then some milliseconds; see :func:`exactperm.certified.bracket.tail_bracket`.
    Source: Eq. 2; spec/01-null-distribution.md.

    >>> result = fast_permutation_test(["0.9", "0.7", "0.8"], ["0.6", "0.5", "0.9"], alternative="greater")
    >>> result.pvalue, result.lower, result.upper, result.correctly_rounded
    (0.25, 0.25, 0.25, True)
    """
    check_alternative(alternative)
    digits = _checked_digits(digits)
    effects = swap_effects(u, v, difference, groups=groups, decimals=decimals)
    swaps = canonical(effects)
    return FloatResult(
        bracket=pvalue_bracket(swaps, alternative, digits, budget),
        digits=digits,
        statistic=swaps.value(swaps.observed),
        alternative=alternative,
        n=effects.n,
    )


def pvalue_bracket(swaps: Swaps, alternative: Alternative, digits: int, budget: Budget | None) -> Enclosure:
    """An enclosure of the p-value of swaps in canonical form; each alternative is a tail of X, symmetric about D/2."""
    k, factor = fold(alternative, swaps.observed, swaps.span)
    limit = QUICK if budget is None else Budget.of(budget)
    return tail_bracket(swaps.tally, k, digits=digits, budget=limit).scaled(factor - 1)


class Decision(Record):
    """Whether the exact p-value is at most alpha (below it, if ``strict``): true or false in a condition.

    ``method`` is "bracket" where an enclosure of the p-value decided, "exact" where only the count could; ``bracket``
    is that enclosure, or the exact p-value itself.

    >>> decision = is_significant([3, 1, 2, 5], [1, 0, 2, 1], "0.25")
    >>> bool(decision), decision.method
    (True, 'bracket')
    """

    significant: bool
    alpha: Exact
    strict: bool
    method: str
    bracket: Enclosure

    def __bool__(self) -> bool:
        return self.significant


def is_significant(
    u: Any,
    v: Any,
    alpha: Any,
    *,
    alternative: Alternative = "two-sided",
    groups: Any = None,
    decimals: int | None = None,
    strict: bool = False,
    budget: Budget | None = None,
) -> Decision:
    """Whether the exact p-value of the difference of means is at most alpha: never wrong, and seldom a count.

    ``alpha`` in (0, 1] is any exact number: 0.05 means 1/20, as does "0.05". ``strict=True`` asks p < alpha instead. A
    bracket that straddles alpha is made narrower once; where it still does (p equal to alpha), the count decides.
    ``budget`` limits the bracket (five seconds by default) and the count. Raises as :func:`fast_permutation_test`, and
    ``BudgetExceeded`` where neither can be had. Source: spec/01-null-distribution.md.

    >>> bool(is_significant([1] * 5, [0] * 5, 0.0625)), bool(is_significant([1] * 5, [0] * 5, 0.0625, strict=True))
    (True, False)
    """
    check_alternative(alternative)
    limit, strict = level(alpha), flag(strict, "strict")
    swaps = canonical(swap_effects(u, v, difference, groups=groups, decimals=decimals))
    method, bracket = "bracket", Enclosure(0, 1, 0)
    for digits in (17, _MOST_DIGITS):
        try:
            bracket = pvalue_bracket(swaps, alternative, digits, budget)
        except BudgetExceeded:
            break
        if _verdict(bracket, limit, strict) is not None:
            break
    if _verdict(bracket, limit, strict) is None:
        count, _ = LinearTails(swaps=swaps).extreme_count(alternative, Options(budget=budget))
        method, bracket = "exact", Enclosure(count, count, -sum(swaps.tally.values()) - swaps.ties)
    return Decision(
        significant=bool(_verdict(bracket, limit, strict)), alpha=limit, strict=strict, method=method, bracket=bracket
    )


def _verdict(bracket: Enclosure, alpha: Exact, strict: bool) -> bool | None:
    """Whether every number of the bracket is at most alpha (below it, if strict); None where only some are."""
    lower, upper, exponent = bracket
    border = 0 if strict else 1
    if compare(upper, exponent, alpha) < border:
        return True
    return False if compare(lower, exponent, alpha) >= border else None


def _checked_digits(digits: Any) -> int:
    return whole_number(digits, "digits", 1, _MOST_DIGITS)
