"""The result of a certified test: a bracket of the exact p-value, and its form as a record."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from ..arithmetic.enclosure import Enclosure, log10_bounds, rounded
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact
from ..arithmetic.reading import whole_number
from ..arithmetic.writing import plain
from ..budget import Budget, Estimate, Progress
from ..certified.bracket import QUICK
from ..swaps.statistic import PLAIN, Subject
from .alternative import Alternative
from .brackets import Enclosable, TailPair, pvalue_bracket, tail_pair
from .result import Tested

MOST_DIGITS = 50
"""Digits that a bracket aims at, at most."""
_SHOWN = "pvalue lower upper log10_pvalue correctly_rounded statistic alternative n"


class FloatResult(Tested):
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
    _swaps: Enclosable
    _budget: Budget = QUICK
    _about: Subject = PLAIN

    exact = False
    method = "certified"

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
        spec/note.md#note-midp.

        >>> from exactperm import fast_permutation_test
        >>> fast_permutation_test([3, 1, 2, 5], [1, 0, 2, 1]).midp.floats()
        (0.125, 0.125)
        """
        return self._tails.midp

    @cached_property
    def point_probability(self) -> Enclosure:
        """Certified bracket of the probability of being exactly as extreme as observed; for "doubled" twice P(T = t).

        "doubled" counts every assignment twice, so its value is a weight: 2 where all pairs are
        tied. The lower end is 0 where the brackets of P(T >= t) and P(T > t) overlap. Computed as
        :attr:`midp`.
        Source: Proposition 6; spec/note.md#note-midp.
        """
        return self._tails.point

    @cached_property
    def _tails(self) -> TailPair:
        asked = self.alternative, self.digits, self._budget
        return tail_pair(self._swaps, *asked, self.bracket)

    def recount(self, *, budget: Budget | None = None) -> FloatResult:
        """Compute the bracket again from the swaps of this result, and return the new result, which equals this one.

        For results that were read from a record. The same version of the package gives the same
        bits on every platform. ``ExactPermError`` where another bracket is found;
        ``BudgetExceeded`` where the budget of the test is above ``budget``, ten minutes by default.
        Cost: that of the test. Source: spec/12-certificates.md#own-certificates.

        >>> from exactperm import fast_sign_flip_test
        >>> result = FloatResult.from_dict(fast_sign_flip_test([3, 1, -2]).to_dict())
        >>> result.recount() == result
        True
        """
        cost = Estimate(seconds=self._budget.seconds, bytes=self._budget.bytes)  # type: ignore[arg-type]  # or infinite
        instead = "allow as much with budget=Budget(seconds=, bytes=)"
        Budget.of(budget).check(cost, "computing this bracket again", instead)
        asked = self.n, self.alternative, self.digits, self._budget
        found = bracketed(self._swaps, *asked, about=self._about)
        self._check_again("bracket", found.bracket)
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
    def _bounds(self) -> Fraction | tuple[Fraction, Fraction]:
        low, high = self.bracket.ends()
        return low if low == high else (low, high)

    @property
    def n_units(self) -> int:
        """Number of swap units."""
        return self._swaps.n_units

    @property
    def n_nonzero(self) -> int:
        """Number of units whose swap changes the statistic."""
        return self.n_units - self._swaps.ties

    @property
    def _evidence(self) -> tuple[str, str]:
        rounding = ", correctly rounded" * self.correctly_rounded
        return "as a float", f"{self.pvalue!r}{rounding}" if self.pvalue else "too small for one"

    def _text(self, name: str, digits: int) -> str:
        bracket = self.midp if name == "midp" else self.bracket
        return between(bracket.decimals(self._digits))

    def __repr__(self) -> str:
        names = _SHOWN.split() + ["design"] * (self.design is not None)
        shown = [f"{name}={short_text(getattr(self, name))}" for name in names]
        return f"FloatResult({', '.join(shown)})"


def bracketed(
    swaps: Enclosable,
    n: int,
    alternative: Alternative,
    digits: int | None,
    budget: Budget,
    *,
    progress: Progress | None = None,
    about: Subject = PLAIN,
) -> FloatResult:
    """Compute the bracket of the p-value of ``n`` pairs from swaps in canonical form, or from joint tails."""
    return FloatResult(
        bracket=pvalue_bracket(swaps, alternative, digits, budget, progress=progress),
        digits=digits,
        statistic=swaps.statistic,
        alternative=alternative,
        n=n,
        _swaps=swaps,
        _budget=budget,
        _about=about,
    )


def between(ends: tuple[str, str]) -> str:
    """Write two bounds of a number, once where they are equal.

    >>> between(("2.5e-01", "2.6e-01"))
    'between 0.25 and 0.26'
    """
    low, high = map(plain, ends)
    return low if low == high else f"between {low} and {high}"


def checked_digits(digits: object) -> int:
    """Return a number of decimal digits after a check that it is from 1 to 50."""
    return whole_number(digits, "digits", 1, MOST_DIGITS)
