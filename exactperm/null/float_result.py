"""The result of a certified test: a bracket of the exact p-value, and its form as a record."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from .._types import TYPE_CHECKING, Any
from ..arithmetic.enclosure import Enclosure, log10_bounds, rounded
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact
from ..arithmetic.reading import whole_number
from ..arithmetic.writing import plain, value_text
from ..budget import Budget, Estimate, Progress
from ..certified.bracket import QUICK, tail_bracket
from ..errors import ExactPermError
from ..record import Record, Result
from ..swaps.canonical import Swaps
from .alternative import Alternative, Extremes, extremes, fold
from .records import MOST_DIGITS
from .result import units_rows
from .step_tails import SUMS

if TYPE_CHECKING:
    from ..swaps.steps import Randomness
    from .joint_tails import JointTails
    from .sentence import Sentence
    from .step_tails import Sums


class TailPair(Record):
    """Ends of the brackets of P(X <= k) and P(X < k), lower and upper in units of 2**-scale.

    ``factor`` is that of the p-value, ``at_centre`` whether k = D/2, where P(X <= k) is 1 - P(X <
    k).
    """

    weak: tuple[int, int]
    strict: tuple[int, int]
    scale: int
    at_centre: bool
    alternative: Alternative
    factor: int

    @property
    def parallel(self) -> tuple[Extremes, Extremes]:
        """The two parts of the p-value at both lower and at both upper ends."""
        return self._at(0, 0), self._at(1, 1)

    @property
    def crossed(self) -> tuple[Extremes, Extremes]:
        """The two parts of the p-value at a lower with an upper end, and the other way round."""
        return self._at(0, 1), self._at(1, 0)

    def _at(self, weak: int, strict: int) -> Extremes:
        return extremes(
            self.alternative, 1 << self.scale, self.factor, self.weak[weak], self.strict[strict]
        )


class FloatResult(Result):
    """A certified bracket of an exact p-value, read as floats or as decimals.

    ``bracket`` is the enclosure itself, exact at any size; ``digits`` the decimal digits aimed at,
    or None where the test chose them; ``statistic`` the observed value (exact); ``n`` the number of
    pairs, or of items of several runs, of which ``design`` says what was exchanged. The result
    keeps its swaps for :attr:`midp`, :attr:`point_probability` and :meth:`recount`.
    """

    bracket: Enclosure
    digits: int | None
    statistic: Exact
    alternative: Alternative
    n: int
    _swaps: Swaps | Sums | JointTails
    design: Randomness | None = None
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
        return next((d for d in range(MOST_DIGITS, 0, -1) if (upper - lower) * 10**d <= lower), 0)

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

        Computed at the first use, at the cost of the test. Source: Proposition 6;
        spec/tilted-inversion.md.

        >>> from exactperm import fast_permutation_test
        >>> fast_permutation_test([3, 1, 2, 5], [1, 0, 2, 1]).midp.floats()
        (0.125, 0.125)
        """
        tails = self._tails
        low, high = sorted(
            part.halves for part in (tails.crossed if tails.at_centre else tails.parallel)
        )
        return Enclosure(low, high, -tails.scale - 1)

    @cached_property
    def point_probability(self) -> Enclosure:
        """Certified bracket of the probability of being exactly as extreme as observed; for "doubled" twice P(T = t).

        "doubled" counts every assignment twice, so its value is a weight: 2 where all pairs are
        tied. The lower end is 0 where the brackets of P(T >= t) and P(T > t) overlap. Computed as
        :attr:`midp`.
        Source: Proposition 6; spec/tilted-inversion.md.
        """
        low, high = [part.tied for part in self._tails.crossed]
        return Enclosure(max(0, low), high, -self._tails.scale)

    @cached_property
    def _tails(self) -> TailPair:
        return _tail_pair(self)

    def recount(self, *, budget: Budget | None = None) -> FloatResult:
        """Compute the bracket again from the swaps of this result, and return the new result, which equals this one.

        For results that were read from a record. The same version of the package gives the same
        bits on every platform. ``ExactPermError`` where another bracket is found;
        ``BudgetExceeded`` where the budget of the test is above ``budget``, ten minutes by default.
        Cost: that of the test. Source: spec/12-certificates.md.

        >>> from exactperm import fast_sign_flip_test
        >>> result = FloatResult.from_dict(fast_sign_flip_test([3, 1, -2]).to_dict())
        >>> result.recount() == result
        True
        """
        cost = Estimate(seconds=self._budget.seconds, bytes=self._budget.bytes)  # type: ignore[arg-type]  # or infinite
        instead = "allow as much with budget=Budget(seconds=, bytes=)"
        Budget.of(budget).check(cost, "computing this bracket again", instead)
        about: Any = {"name": self._name, "design": self.design}
        found = bracketed(self._swaps, self.n, self.alternative, self.digits, self._budget, **about)
        _check_same(self.bracket, found.bracket)
        return found

    def decimal_bracket(self, digits: int | None = None) -> tuple[str, str]:
        """Decimals around the exact p-value, rounded down and up to ``digits`` significant digits.

        ``digits`` defaults to those the bracket aimed at, or else to two more than are certain, at
        most 17. Digits that both texts share are digits of the p-value.

        >>> from exactperm import fast_permutation_test
        >>> fast_permutation_test([3, 1, 2, 5], [1, 0, 2, 1]).decimal_bracket(3)
        ('2.50e-01', '2.50e-01')
        """
        return self.bracket.decimals(self._digits if digits is None else checked_digits(digits))

    @property
    def _digits(self) -> int:
        return self.digits or min(17, self.digits_certain + 2)

    @property
    def statistic_name(self) -> str:
        """The name of the statistic."""
        return self._name

    @property
    def heading(self) -> str:
        """The test that was made."""
        from .sentence import test_of

        test = test_of(self._name, self.design)
        return f"{test[0].upper()}{test[1:]}, {self.alternative}: the exact p-value is between two certain bounds"

    def rows(self, *, words: str = "", midp: bool = False) -> tuple[tuple[str, str], ...]:
        """Return the result as rows (label, text); ``midp`` adds the mid-p value.

        ``words`` say what the statistic is, by default its name.
        """
        return (
            ("p-value", between(self.decimal_bracket())),
            *([("mid-p value", between(self.midp.decimals(self._digits)))] if midp else []),
            ("as a float", _nearest(self)),
            ("log10 p", f"{self.log10_pvalue:.10g}"),
            ("statistic", f"{value_text(self.statistic)} ({words or self._name})"),
            *units_rows(self.n, self._swaps.n_units, self.design),
        )

    def sentence(self, **details: Any) -> Sentence:
        """Return the line that reports this test in a paper, with certain bounds of the p-value.

        ``details`` are those of :meth:`PermutationTestResult.sentence
        <exactperm.null.result.PermutationTestResult.sentence>`.

        >>> from exactperm import fast_permutation_test
        >>> print(fast_permutation_test([3, 1, 2, 5], [1, 0, 2, 1]).sentence())
        exactperm 0.2.0 | paired permutation, swaps of 4 pairs | sum of differences | two-sided | p = 0.250 (exact 1/4)
        """
        from .sentence import reported

        low, high = self.bracket.ends()
        p = low if low == high else (low, high)
        known = self._name, self.n, self._swaps.n_units, self.design
        return reported(*known, alternative=self.alternative, p=p, **details)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form; :meth:`from_dict` reads it back. The bracket is (lower, upper, power of two).

        A logarithm that is minus infinity, of a lower end 0, is None, as is a budget without limit.
        "swaps" holds the canonical tally, from which :meth:`recount` computes the same bracket.
        Source: spec/12-certificates.md.
        """
        from .float_records import written_float

        return written_float(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> FloatResult:
        """Return the result that :meth:`to_dict` wrote; ``ExactPermError`` for anything else, with the field named.

        The result is rebuilt from its bracket and its swaps and written again; all fields are
        compared.
        Cost: linear in the length of the data.
        """
        from .float_records import read_float

        result: FloatResult = read_float(cls, data)
        return result

    def __repr__(self) -> str:
        names = [
            "pvalue",
            "lower",
            "upper",
            "log10_pvalue",
            "correctly_rounded",
            "statistic",
            "alternative",
            "n",
        ]
        names += ["design"] * (self.design is not None)
        return f"FloatResult({', '.join(f'{name}={short_text(getattr(self, name))}' for name in names)})"


def _nearest(result: FloatResult) -> str:
    return (
        f"{result.pvalue!r}{', correctly rounded' * result.correctly_rounded}"
        if result.pvalue
        else "too small for one"
    )


def _check_same(here: Enclosure, again: Enclosure) -> None:
    """Raise ``ExactPermError`` where a bracket that was computed again is another one."""
    if here != again:
        (a, b), (c, d) = here.ends(), again.ends()
        overlap = (
            "they overlap, as those of two versions may"
            if a <= d and c <= b
            else "one of them is wrong"
        )
        both = short_text(tuple(here)), short_text(tuple(again))
        raise ExactPermError(
            f"bracket is {both[0]} in this result, but computing it again gives {both[1]}: {overlap}"
        )


def _tail_pair(result: FloatResult) -> TailPair:
    """Enclose both tails of a result, with its observed value and without."""
    swaps, at_centre = result._swaps, False
    if isinstance(swaps, SUMS):
        from .step_brackets import step_tails

        factor, weak, strict = step_tails(swaps, result.alternative, result.digits, result._budget)
    elif isinstance(swaps, Swaps):
        k, factor = fold(result.alternative, swaps.observed, swaps.span, strict=True)
        strict = tail_bracket(swaps.tally, k, result.digits, budget=result._budget)
        at_centre = 2 * (k + 1) == swaps.span
        weak = strict.complement() if at_centre else result.bracket.scaled(1 - factor)
    else:
        factor, weak = swaps.least(result.alternative, result.digits, result._budget)
        _, strict = swaps.least(result.alternative, result.digits, result._budget, strict=True)
    scale = max(-weak.exponent, -strict.exponent)
    return TailPair(
        weak=weak.fixed(scale),
        strict=strict.fixed(scale),
        scale=scale,
        at_centre=at_centre,
        alternative=result.alternative,
        factor=factor,
    )


def bracketed(
    swaps: Swaps | Sums | JointTails,
    n: int,
    alternative: Alternative,
    digits: int | None,
    budget: Budget,
    *,
    progress: Progress | None = None,
    name: str = "difference",
    design: Randomness | None = None,
) -> FloatResult:
    """Compute the bracket of the p-value of ``n`` pairs from swaps in canonical form, from steps or joint tails."""
    if isinstance(swaps, SUMS):
        from .step_brackets import step_pvalue

        bracket = step_pvalue(swaps, alternative, digits, budget, progress)
        statistic = swaps.value(swaps.observed)
    elif isinstance(swaps, Swaps):
        k, factor = fold(alternative, swaps.observed, swaps.span)
        bracket = tail_bracket(swaps.tally, k, digits, budget=budget, progress=progress).scaled(
            factor - 1
        )
        statistic = swaps.value(swaps.observed)
    else:
        factor, tail = swaps.least(alternative, digits, budget, progress=progress)
        bracket, statistic = tail.scaled(factor - 1).at_most(0), swaps.statistic
    return FloatResult(
        bracket=bracket,
        digits=digits,
        statistic=statistic,
        alternative=alternative,
        n=n,
        design=design,
        _swaps=swaps,
        _budget=budget,
        _name=name,
    )


def between(ends: tuple[str, str]) -> str:
    """Write two bounds of a number, once where they are equal.

    >>> between(("2.5e-01", "2.6e-01"))
    'between 0.25 and 0.26'
    """
    low, high = map(plain, ends)
    return low if low == high else f"between {low} and {high}"


def checked_digits(digits: Any) -> int:
    """Return a number of decimal digits after a check that it is from 1 to 50."""
    return whole_number(digits, "digits", 1, MOST_DIGITS)
