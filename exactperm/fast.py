"""Certified p-values and decisions: brackets in milliseconds, for any scores and any number of pairs.

The p-value of a difference of means is a tail of the swap sum X, so
:func:`exactperm.certified.bracket.tail_bracket` encloses it. A decision p <= alpha needs a bracket on one side of alpha
only; narrower ones, and at last the exact count, are left for p-values next to alpha.

Source: spec/09-own-theorems.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property

from .arithmetic.enclosure import Enclosure, compare, log10_bounds, rounded
from .arithmetic.quoting import short_text
from .arithmetic.reading import flag, level, whole_number
from .arithmetic.writing import exact_text
from .budget import Budget, Estimate, Options
from .certified.bracket import QUICK, check_differences, tail_bracket
from .errors import BudgetExceeded, ExactPermError
from .null.alternative import check_alternative, extremes, fold
from .null.tails import LinearTails
from .record import Record
from .swaps.canonical import canonical, outline
from .swaps.effects import flip_effects, swap_effects
from .swaps.statistic import difference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .arithmetic.rational import Exact
    from .budget import Progress
    from .null.alternative import Alternative, Extremes
    from .null.fields import Fields
    from .null.sentence import Sentence
    from .swaps.canonical import Swaps
    from .swaps.effects import SwapUnits

_MOST_DIGITS = 50

_ROUNDED = ("log10_pvalue", "log10_lower", "log10_upper", "width")
_NEW = ("width", "digits_certain")  # not in records of version 0.1.0
_DERIVED = (*_ROUNDED, "pvalue", "lower", "upper", "correctly_rounded", "digits_certain", "decimal_bracket", "method")
"""Fields of a record that its bracket decides, or that are always the same."""


class FloatResult(Record):
    """A certified bracket of an exact p-value, read as floats or as decimals.

    ``bracket`` is the enclosure itself, exact at any size; ``digits`` the decimal digits aimed at, or None where the
    test chose them; ``statistic`` the observed value (exact); ``n`` the number of pairs. The result keeps its swaps for
    :attr:`midp`, :attr:`point_probability` and :meth:`recount`.
    """

    bracket: Enclosure
    digits: int | None
    statistic: Exact
    alternative: Alternative
    n: int
    _swaps: Swaps | None = None
    _budget: Budget = QUICK
    _name: str = "difference"

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

    @property
    def width(self) -> float:
        """(upper - lower) / lower of the bracket: 0 for a p-value known exactly, infinite for a lower end of 0."""
        return self.bracket.relative_width

    @property
    def digits_certain(self) -> int:
        """The greatest number of digits d <= 50 with ``width`` <= 10**-d; 0 where no digit is certain."""
        lower, upper, _ = self.bracket
        return next((d for d in range(_MOST_DIGITS, 0, -1) if (upper - lower) * 10**d <= lower), 0)

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

    @cached_property
    def midp(self) -> Enclosure:
        """Certified bracket of the mid-p value; see :attr:`PermutationTestResult.midp
        <exactperm.null.result.PermutationTestResult.midp>`.

        Computed at the first use, at the cost of the test. Source: Proposition 6; spec/tilted-inversion.md.

        >>> fast_permutation_test([3, 1, 2, 5], [1, 0, 2, 1]).midp.floats()
        (0.125, 0.125)
        """
        level, crossed, scale, centre = self._parts
        low, high = sorted(part.halves for part in (crossed if centre else level))
        return Enclosure(low, high, -scale - 1)

    @cached_property
    def point_probability(self) -> Enclosure:
        """Certified bracket of the probability of being exactly as extreme as observed; for "doubled" twice P(T = t).

        "doubled" counts every assignment twice, so its value is a weight: 2 where all pairs are tied. The lower end is
        0 where the brackets of P(T >= t) and P(T > t) overlap. Computed as :attr:`midp`.
        Source: Proposition 6; spec/tilted-inversion.md.
        """
        _, crossed, scale, _ = self._parts
        low, high = [part.tied for part in crossed]
        return Enclosure(max(0, low), high, -scale)

    @cached_property
    def _parts(self) -> tuple[list[Extremes], list[Extremes], int, bool]:
        """The two parts of the p-value at the ends of both tails, in units of 2**-scale.

        First at both lower and both upper ends of P(X <= k) and P(X < k), then at a lower with an upper one and the
        other way round. At the centre, k = D/2, P(X <= k) is 1 - P(X < k).
        """
        swaps = self._known
        k, factor = fold(self.alternative, swaps.observed, swaps.span, strict=True)
        strict = tail_bracket(swaps.tally, k, self.digits, budget=self._budget)
        centre = 2 * (k + 1) == swaps.span
        weak = strict.complement() if centre else self.bracket.scaled(1 - factor)
        scale = max(-weak.exponent, -strict.exponent)
        (a, b), (c, d) = weak.fixed(scale), strict.fixed(scale)
        ends = (a, c), (b, d), (a, d), (b, c)
        parts = [extremes(self.alternative, 1 << scale, factor, at_most, below) for at_most, below in ends]
        return parts[:2], parts[2:], scale, centre

    @property
    def _known(self) -> Swaps:
        if self._swaps is None:
            raise ExactPermError("this result was read from a record that does not hold its swaps: run the test again")
        return self._swaps

    def recount(self, *, budget: Budget | None = None) -> FloatResult:
        """Compute the bracket again from the swaps of this result, and return the new result, which equals this one.

        For results that were read from a record. The same version of the package gives the same bits on every
        platform. ``ExactPermError`` where another bracket is found, or where the record holds no swaps;
        ``BudgetExceeded`` where the budget of the test is above ``budget``, ten minutes by default. Cost: that of the
        test. Source: spec/12-certificates.md.

        >>> result = FloatResult.from_dict(fast_sign_flip_test([3, 1, -2]).to_dict())
        >>> result.recount() == result
        True
        """
        cost = Estimate(seconds=self._budget.seconds, bytes=self._budget.bytes)  # type: ignore[arg-type]  # or infinite
        instead = "allow as much with budget=Budget(seconds=, bytes=)"
        Budget.of(budget).check(cost, "computing this bracket again", instead)
        found = float_of(self._known, self.n, self.alternative, self.digits, self._budget, name=self._name)
        if found.bracket != self.bracket:
            told, again = short_text(tuple(self.bracket)), short_text(tuple(found.bracket))
            (a, b), (c, d) = self.bracket.ends(), found.bracket.ends()
            overlap = "they overlap, as those of two versions may" if a <= d and c <= b else "one of them is wrong"
            raise ExactPermError(f"bracket is {told} in this result, but computing it again gives {again}: {overlap}")
        return found

    def decimal_bracket(self, digits: int | None = None) -> tuple[str, str]:
        """Decimals around the exact p-value, rounded down and up to ``digits`` significant digits.

        ``digits`` defaults to those the bracket aimed at, or else to two more than are certain, at most 17. Digits that
        both texts share are digits of the p-value.

        >>> fast_permutation_test([3, 1, 2, 5], [1, 0, 2, 1]).decimal_bracket(3)
        ('2.50e-01', '2.50e-01')
        """
        if digits is None:
            return self.bracket.decimals(self.digits or min(17, self.digits_certain + 2))
        return self.bracket.decimals(_checked_digits(digits))

    def _repr_html_(self) -> str:
        """Return the table that notebooks show."""
        from .arithmetic.writing import readable
        from .display.table import table

        lower, upper = self.decimal_bracket()
        rows = (
            ("p-value", lower if lower == upper else f"between {lower} and {upper}"),
            ("as a float", f"{self.pvalue!r}{', correctly rounded' * self.correctly_rounded}"),
            ("statistic", readable(self.statistic)),
            ("pairs", str(self.n)),
        )
        return table(f"Paired-permutation test with a certified bracket, {self.alternative}", rows)

    def sentence(self, **details: Any) -> Sentence:
        """Return the line that reports this test in a paper, with certain bounds of the p-value.

        ``details`` are those of :meth:`PermutationTestResult.sentence
        <exactperm.null.result.PermutationTestResult.sentence>`. A result that was read from a record of version 0.1.0
        does not know its groups: its line counts pairs.

        >>> print(fast_permutation_test([3, 1, 2, 5], [1, 0, 2, 1]).sentence())
        exactperm 0.2.0 | paired permutation, swaps of 4 pairs | sum of differences | two-sided | p = 1/4 (0.250)
        """
        from .null.sentence import reported

        n = self.n if self._swaps is None else sum(self._swaps.tally.values()) + self._swaps.ties
        low, high = self.bracket.ends()
        p = low if low == high else (low, high)
        units = "pairs" if n == self.n else "groups"
        return reported(self._name, alternative=self.alternative, n=n, units=units, p=p, **details)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form; :meth:`from_dict` reads it back. The bracket is (lower, upper, power of two).

        A logarithm that is minus infinity, of a lower end 0, is None, as is a budget without limit. "swaps" holds the
        canonical tally, from which :meth:`recount` computes the same bracket. Source: spec/12-certificates.md.
        """
        lower, upper, exponent = self.bracket
        names = ("pvalue", "lower", "upper", "correctly_rounded", "log10_pvalue", "log10_lower", "log10_upper")
        floats = {name: getattr(self, name) for name in names}
        return {
            **{name: None if value == -math.inf else value for name, value in floats.items()},
            "width": None if self.width == math.inf else self.width,
            "digits_certain": self.digits_certain,
            "decimal_bracket": list(self.decimal_bracket()),
            "bracket": [exact_text(lower), exact_text(upper), exponent],
            "digits": self.digits,
            "statistic": exact_text(self.statistic),
            "statistic_name": self._name,
            "alternative": self.alternative,
            "method": "float",
            "n": self.n,
            **self._claims(),
        }

    def _claims(self) -> dict[str, Any]:
        """Return the fields that tell how to compute the bracket again."""
        if self._swaps is None:
            return {}
        from . import __version__
        from .null.result import ENCLOSED, FORMAT, swaps_fields

        units = sum(self._swaps.tally.values())
        limits = {name: getattr(self._budget, name) for name in ("seconds", "bytes")}
        return {
            "format": FORMAT,
            "version": __version__,
            "statement": ENCLOSED,
            "total": f"2^{units + self._swaps.ties}",
            "n_units": units + self._swaps.ties,
            "n_nonzero": units,
            "budget": {name: None if limit == math.inf else limit for name, limit in limits.items()},
            **swaps_fields(self._swaps, self.alternative),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> FloatResult:
        """Return the result that :meth:`to_dict` wrote; ``ExactPermError`` for anything else, with the field named.

        Cost: linear in the length of the data.
        """
        from .null.fields import Fields

        record = Fields(data, "a float result")
        fields: dict[str, Any] = {
            "bracket": _read_bracket(record),
            "digits": None if record["digits"] is None else record.integer("digits", 1, _MOST_DIGITS),
            "statistic": record.exact("statistic"),
            "alternative": record.take("alternative", check_alternative),
            "n": record.integer("n", 1, 1 << 62),
        }
        name = data.get("statistic_name", "difference")  # records of version 0.1.0 have none
        record.demand("statistic_name", isinstance(name, str), "it must be text")
        result = cls(**fields, _name=name, **({} if data.get("swaps") is None else _read_claims(record, **fields)))
        written = result.to_dict()
        for name in _DERIVED:
            told = data.get(name, written[name] if name in _NEW else None)
            if not _same(told, written[name], name in _ROUNDED):
                shown = short_text(written[name])
                raise ExactPermError(f"{name} of the record is {short_text(told)}: its bracket gives {shown}")
        return result

    def __repr__(self) -> str:
        names = ("pvalue", "lower", "upper", "log10_pvalue", "correctly_rounded", "statistic", "alternative", "n")
        return f"FloatResult({', '.join(f'{name}={short_text(getattr(self, name))}' for name in names)})"


def _read_claims(
    record: Fields, *, n: int, statistic: Exact, alternative: Alternative, **_others: Any
) -> dict[str, Any]:
    """Return the swaps and the budget of a record, checked against its other fields."""
    from .null.result import ENCLOSED, check_claims, check_threshold, read_swaps

    n_units = record.integer("n_units", most=n)
    n_nonzero = record.integer("n_nonzero", most=n_units)
    check_claims(record, n_units, ENCLOSED)
    swaps = read_swaps(record["swaps"], n_units, n_nonzero, statistic)
    check_threshold(record, swaps, alternative)
    limits = record["budget"]
    fits = isinstance(limits, Mapping) and limits.keys() == {"seconds", "bytes"}
    record.demand("budget", fits, "it must be seconds and bytes")
    budget = Budget(**{name: math.inf if limit is None else limit for name, limit in limits.items()})
    return {"_swaps": swaps, "_budget": budget}


def _same(told: Any, value: Any, rounded: bool) -> bool:
    """Whether a field is as it should be; of a ``rounded`` one 13 digits are enough."""
    if told == value:
        return isinstance(told, bool) == isinstance(value, bool)
    return rounded and isinstance(told, float) and value is not None and math.isclose(told, value, rel_tol=1e-13)


def _read_bracket(record: Fields) -> Enclosure:
    """Return the enclosure [lower, upper] * 2**exponent of a record, checked to lie in 0..1 and not to be 0."""
    parts = record.listed("bracket")
    record.demand("bracket", len(parts) == 3, "it must be [lower, upper, power of two]")
    lower = record.whole("bracket[0]", parts[0], 0)
    upper = record.whole("bracket[1]", parts[1], max(1, lower))
    exponent = record.whole("bracket[2]", parts[2], -(1 << 62), 0)
    # upper <= 2**-exponent, a power that may be too long to write down
    record.demand("bracket", (upper - 1).bit_length() <= -exponent, "it must be at most 1")
    return Enclosure(lower, upper, exponent)


def fast_permutation_test(
    u: Any,
    v: Any,
    *,
    alternative: Alternative = "two-sided",
    groups: Any = None,
    decimals: int | None = None,
    digits: int | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> FloatResult:
    """Paired-permutation test of the difference of means: a certified bracket of the exact p-value, for any scores.

    Scores, ``alternative``, ``groups`` and ``decimals`` as in :func:`exactperm.permutation_test`; no score is rounded
    unless ``decimals`` says so. The bracket contains the exact p-value in any case. Its relative width is a target of
    10**-``digits``, 1 to 50, met if the budget allows. None means the correctly rounded float, where that is expected
    within half a second, and otherwise 4 digits. ``budget`` limits the work, by default to five seconds; seconds become
    units of work by fixed constants, so that the same call gives the same bits everywhere. ``progress`` is called with
    (done, total) in units of work; the total is a prediction that may grow.

    Raises ``ExactPermError`` and ``WrongType`` for bad input, and ``BudgetExceeded`` where the budget buys no certain
    digit. Cost: reading the scores, and some 0.05 s for 1,000 pairs of real numbers and 4 digits; see
    :func:`exactperm.certified.bracket.tail_bracket`. Source: Eq. 2; spec/tilted-inversion.md.

    >>> result = fast_permutation_test(["0.9", "0.7", "0.8"], ["0.6", "0.5", "0.9"], alternative="greater")
    >>> result.pvalue, result.lower, result.upper, result.correctly_rounded
    (0.25, 0.25, 0.25, True)
    """
    check_alternative(alternative)
    effects = swap_effects(u, v, difference, groups=groups, decimals=decimals)
    return float_result(effects, alternative, digits, budget, progress)


def fast_sign_flip_test(
    d: Any,
    *,
    alternative: Alternative = "two-sided",
    groups: Any = None,
    decimals: int | None = None,
    digits: int | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> FloatResult:
    """Test paired differences by random signs: a certified bracket of the p-value of :func:`exactperm.sign_flip_test`.

    ``d`` is a column of differences, or a mapping {difference: number of pairs}; all else as in
    :func:`fast_permutation_test`. Source: Eq. 2; spec/tilted-inversion.md.

    >>> fast_sign_flip_test({1: 28, -1: 2}).pvalue == 233 / 2**28
    True
    """
    check_alternative(alternative)
    return float_result(flip_effects(d, groups=groups, decimals=decimals), alternative, digits, budget, progress)


def float_result(
    effects: SwapUnits,
    alternative: Alternative,
    digits: int | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
    *,
    name: str = "difference",
) -> FloatResult:
    """Return the certified test of one-component swap effects that are already known; ``name`` is the statistic's."""
    check_alternative(alternative)
    digits = None if digits is None else _checked_digits(digits)
    limit = QUICK if budget is None else Budget.of(budget)
    if progress is not None:
        Options(progress=progress)  # raises where it cannot be called
    check_differences(outline(effects), limit)
    return float_of(canonical(effects), effects.n, alternative, digits, limit, progress=progress, name=name)


def float_of(
    swaps: Swaps,
    n: int,
    alternative: Alternative,
    digits: int | None,
    budget: Budget,
    *,
    progress: Progress | None = None,
    name: str = "difference",
) -> FloatResult:
    """Return the certified test of ``n`` pairs whose swaps are in canonical form."""
    k, factor = fold(alternative, swaps.observed, swaps.span)
    tail = tail_bracket(swaps.tally, k, digits, budget=budget, progress=progress)
    return FloatResult(
        bracket=tail.scaled(factor - 1),
        digits=digits,
        statistic=swaps.value(swaps.observed),
        alternative=alternative,
        n=n,
        _swaps=swaps,
        _budget=budget,
        _name=name,
    )


def pvalue_bracket(
    swaps: Swaps,
    alternative: Alternative,
    digits: int | None = None,
    budget: Budget | None = None,
    *,
    settled: Callable[[Enclosure], bool] | None = None,
) -> Enclosure:
    """Enclose the p-value of swaps in canonical form, to ``digits`` or until a bracket is ``settled``.

    Every alternative is a multiple of one tail of X; see :func:`exactperm.null.alternative.fold` and
    :func:`exactperm.certified.bracket.tail_bracket`.
    """
    k, factor = fold(alternative, swaps.observed, swaps.span)
    limit = QUICK if budget is None else Budget.of(budget)
    until = None if settled is None else (lambda tail: settled(tail.scaled(factor - 1)))
    return tail_bracket(swaps.tally, k, digits, budget=limit, settled=until).scaled(factor - 1)


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
    """Return whether the exact p-value of the difference of means is at most alpha; the answer is never wrong.

    ``alpha`` in (0, 1] is any exact number: 0.05 means 1/20, as does "0.05". ``strict=True`` means p < alpha instead.
    Brackets of falling width decide as soon as one is off alpha; where none is (p equal to alpha), the count decides.
    ``budget`` limits the brackets (five seconds by default) and the count. Raises as :func:`fast_permutation_test`, and
    ``BudgetExceeded``, with the bracket reached, where neither decides. Source: the decision rule of section 2;
    spec/01-null-distribution.md.

    >>> bool(is_significant([1] * 5, [0] * 5, 0.0625)), bool(is_significant([1] * 5, [0] * 5, 0.0625, strict=True))
    (True, False)
    """
    check_alternative(alternative)
    limit, strict = level(alpha), flag(strict, "strict")
    swaps = canonical(swap_effects(u, v, difference, groups=groups, decimals=decimals))
    return decision(swaps, limit, alternative, strict=strict, budget=budget)


def decision(
    swaps: Swaps, alpha: Exact, alternative: Alternative, *, strict: bool = False, budget: Budget | None = None
) -> Decision:
    """Return the decision p <= alpha for swaps in canonical form; see :func:`is_significant`."""

    def settled(bracket: Enclosure) -> bool:
        return _verdict(bracket, alpha, strict) is not None

    Budget.of(budget)
    method, bracket = "bracket", Enclosure(0, 1, 0)
    if not settled(bracket):
        with suppress(BudgetExceeded):
            bracket = pvalue_bracket(swaps, alternative, budget=budget, settled=settled)
    if not settled(bracket):
        try:
            count, _ = LinearTails(swaps=swaps).extreme_count(alternative, Options(budget=budget))
        except BudgetExceeded as refusal:
            refusal.bracket = bracket
            raise
        method, bracket = "exact", Enclosure(count, count, -sum(swaps.tally.values()) - swaps.ties)
    significant = bool(_verdict(bracket, alpha, strict))
    return Decision(significant=significant, alpha=alpha, strict=strict, method=method, bracket=bracket)


def _verdict(bracket: Enclosure, alpha: Exact, strict: bool) -> bool | None:
    """Whether every number of the bracket is at most alpha (below it, if strict); None where only some are."""
    lower, upper, exponent = bracket
    border = 0 if strict else 1
    if compare(upper, exponent, alpha) < border:
        return True
    return False if compare(lower, exponent, alpha) >= border else None


def _checked_digits(digits: Any) -> int:
    return whole_number(digits, "digits", 1, _MOST_DIGITS)
