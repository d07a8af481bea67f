"""Results of tests: what exact and certified ones share, and the exact one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property

from .._types import TYPE_CHECKING, Any, TypeVar, Union
from ..arithmetic.quoting import short_integer, short_text
from ..arithmetic.rational import Exact, dyadic, log10
from ..budget import Budget, Options
from ..errors import ExactPermError
from ..record import Result, lazy, replaced
from ..swaps.effects import Effects, Flips, SwapUnits
from ..swaps.statistic import PLAIN, UNPAIRED, Subject

if TYPE_CHECKING:
    from ..swaps.canonical import Swaps
    from ..swaps.statistic import Randomness
    from .alternative import Alternative, Extremes
    from .distribution import NullDistribution
    from .joint import JointTails
    from .sentence import Sentence
    from .tails import ExactTails

    Source = Union[ExactTails, SwapUnits, Callable[[], SwapUnits]]


_MOST_SHOWN = 10**7
"""Units up to which ``repr`` writes the p-value out."""
_GLANCE = Budget(seconds=0.2, bytes=2**26)
"""Limit of the distribution that a notebook draws by itself."""

Same = TypeVar("Same", bound="Tested")


class Tested(Result):
    """What the results of all tests share: the observed ``statistic``, the ``alternative``, and what was said.

    ``n`` is the number of pairs, or of items of several runs, of which :attr:`design` says what was
    exchanged.
    """

    if TYPE_CHECKING:
        statistic: Exact
        alternative: Alternative
        n: int
        _about: Subject

        @property
        def _swaps(self) -> Swaps | JointTails | None:
            """The swaps in canonical form, None where they are not known."""

        @property
        def n_units(self) -> int:
            """Number of swap units."""

        @property
        def pvalue(self) -> Fraction | float:
            """The p-value."""

        @property
        def _bounds(self) -> Fraction | tuple[Fraction, Fraction]:
            """Certain bounds of a p-value that is not exact."""

        @property
        def exact(self) -> bool:
            """Whether the p-value is a fraction, not a bracket."""

        @property
        def _evidence(self) -> tuple[str, str]:
            """The row beside the p-value."""

        @property
        def log10_pvalue(self) -> float:
            """Base-10 logarithm of the p-value."""

        def _text(self, name: str, digits: int) -> str:
            """Write the p-value or the mid-p value."""

    @property
    def _ties(self) -> str:
        """Words for the tied units, where their number is known without the swaps."""
        return ""

    @property
    def design(self) -> Randomness | None:
        """What was exchanged of several runs, or drawn; None where pairs were swapped."""
        return self._about.design

    @property
    def statistic_name(self) -> str:
        """The name of the statistic."""
        return self._about.name

    def _shown(self) -> dict[str, object]:
        shown = super()._shown()
        about = vars(self).get("_about", PLAIN)
        return shown if about.design is None else {**shown, "design": about.design}

    def sentence(self, **details: Any) -> Sentence:
        """Return the line that reports this test in a paper; ``str`` writes it, and an audit reads it back.

        ``details`` are those of :class:`exactperm.null.sentence.Sentence` that a result does not
        know: ``sha256`` of the data files, ``swapped_order``, ``mu`` and ``decimals``. Without a
        file the line has no digest. Where only bounds of the p-value are certain it has these.
        Raises ``ExactPermError`` for a statistic that is not one of the ready ones.

        >>> from exactperm import fast_permutation_test, sign_flip_test
        >>> print(sign_flip_test([3, 1, 2]).sentence())
        exactperm 0.2.0 | paired permutation, swaps of 3 pairs | sum of differences | two-sided | p = 0.250 (exact 1/4)
        >>> str(fast_permutation_test([3, 1, 2], [0, 0, 0]).sentence()) == str(sign_flip_test([3, 1, 2]).sentence())
        True
        """
        from .sentence import reported

        p = self.pvalue if self.exact else self._bounds
        about = self._about, self.n, self.n_units
        return reported(*about, alternative=self.alternative, p=p, **details)

    @property
    def heading(self) -> str:
        """The test that was made."""
        from .sentence import test_of

        test = test_of(self._about)
        if self.exact:
            return f"Exact {test}, {self.alternative}"
        rest = "the exact p-value is between two certain bounds"
        return f"{test[0].upper()}{test[1:]}, {self.alternative}: {rest}"

    def rows(
        self, *, digits: int = 10, words: str = "", midp: bool = False
    ) -> tuple[tuple[str, str], ...]:
        """Return the result as rows (label, text); exact p-values have so many ``digits``, ``midp`` adds the mid-p value.

        ``words`` say what the statistic is, by default its name.
        """
        from ..arithmetic.writing import value_text

        return (
            ("p-value", self._text("pvalue", digits)),
            *([("mid-p value", self._text("midp", digits))] if midp else []),
            self._evidence,
            ("log10 p", f"{self.log10_pvalue:.10g}"),
            ("statistic", f"{value_text(self.statistic)} ({words or self._about.name})"),
            *units_rows(self.n, self.n_units, self.design, self._ties),
        )

    def _check_again(self, name: str, found: object) -> None:
        """Raise ``ExactPermError`` where another value is found for a field."""
        known = getattr(self, name)
        if known != found:
            both = f"{short_text(known)} in this result, but computing it again gives"
            raise ExactPermError(f"{name} is {both} {short_text(found)}")

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form; :meth:`from_dict` reads it back on every Python, however long the integers are.

        A fraction is its text, "863/32768", in hexadecimal beyond 600 digits; a bracket is (lower,
        upper, power of two). A logarithm that is minus infinity, of a lower end 0, is None, as is a
        budget without limit. Where the statistic is the sum itself, "swaps" holds the canonical
        tally: all that is needed to count again, and to check the count without this package. Such a
        record is a certificate; :func:`exactperm.certify` adds where its scores come from.
        Source: spec/12-certificates.md#own-certificate-fields.
        """
        from .records import record_of_result

        return record_of_result(self)

    @classmethod
    def from_dict(cls: type[Same], data: Mapping[str, object]) -> Same:
        """Return the result that :meth:`to_dict` wrote; ``ExactPermError`` for anything else, with the field named.

        The result is rebuilt and written again, and all fields are compared, in time linear in the
        length of the record; :meth:`recount` counts again. An exact result has the default budget.
        """
        from .records import read

        found: Same = read(cls, data)
        return found


class PermutationTestResult(Tested):
    """Result of an exact test: ``count`` of ``total`` swap assignments are at least as extreme as the observed one.

    ``statistic`` is the observed value (exact), ``alternative`` that of the test, ``method`` the
    engine that ran, ``n`` the number of pairs, ``n_units`` the number of swap units (groups, or
    pairs), ``n_nonzero`` the number of units whose swap changes the statistic. Of several runs,
    ``design`` says what was exchanged, ``n`` is the number of items, and labelings take the place
    of assignments. Of two samples ``n`` is the number of observations, ``n_units`` that of strata;
    of a sum of steps both are the number of steps. Compares by these; pickles and serialises at any
    length of its integers.
    Source: Alg. 2; spec/01-null-distribution.md#alg-2.
    """

    count: int
    statistic: Exact
    alternative: Alternative
    method: str
    n: int
    n_units: int
    n_nonzero: int
    _tails: Source | None = None
    _budget: Budget = Budget()
    _about: Subject = PLAIN

    exact = True

    @property
    def total(self) -> int:
        """Number of equally likely assignments: 2**n_units, or the number of labelings where runs are exchanged."""
        return 1 << self.n_units if self._swapped else self.tails.total

    @property
    def _swapped(self) -> bool:
        """Whether units are swapped, so that the total is 2**n_units."""
        return self.design in (None, "items")

    def _over_total(self, numerator: int, halves: int = 0) -> Fraction:
        """Return numerator / (total * 2**halves) in lowest terms."""
        if self._swapped:
            return dyadic(numerator, self.n_units + halves)
        return Fraction(numerator, self.total << halves)

    @lazy
    def pvalue(self) -> Fraction:
        """Exact p-value, count / total; never 0, since the observed assignment counts."""
        return self._over_total(self.count)

    @cached_property
    def log10_pvalue(self) -> float:
        """Base-10 logarithm of the p-value: right far below the smallest float and right next to 1."""
        return log10(self.pvalue)

    @cached_property
    def null_distribution(self) -> NullDistribution:
        """Exact distribution of the statistic over all assignments, computed at the first use."""
        return self.tails.distribution(self._options)

    @cached_property
    def point_probability(self) -> Fraction:
        """Probability of being exactly as extreme as observed; for "doubled" twice P(T = t).

        "doubled" counts every assignment twice, so its value is a weight: 2 where all pairs are
        tied.
        """
        return self._over_total(self._extremes.tied)

    @cached_property
    def midp(self) -> Fraction:
        """Mid-p value: the probability of being more extreme plus half of :attr:`point_probability`.

        For "doubled" that is twice the smaller one-sided mid-p value. Where the p-value is not
        capped at 1, the mid-p value is the p-value minus half of :attr:`point_probability`.
        """
        return self._over_total(self._extremes.halves, 1)

    @cached_property
    def _extremes(self) -> Extremes:
        return self.tails.extremes(self.alternative, self._options)

    @cached_property
    def min_attainable(self) -> Fraction:
        """Least p-value that any assignment of these data attains."""
        return self._over_total(self.tails.least_count(self.alternative, self._options))

    @property
    def _options(self) -> Options:
        return Options(budget=self._budget)

    @cached_property
    def tails(self) -> ExactTails:
        """The counted swaps, for further counts within a budget."""
        if self._tails is None:
            raise ExactPermError(
                "this result was read from a record that does not hold its swaps: run the test again"
            )
        tails = self._tails() if callable(self._tails) else self._tails
        if not isinstance(tails, (Flips, Effects)):
            return tails
        from ..swaps.canonical import canonical
        from .tails import SumTails

        return SumTails(swaps=canonical(tails))

    @property
    def _swaps(self) -> Swaps | None:
        """Canonical swaps where the statistic is the sum itself; those of a short test are made here."""
        from .tails import SumTails

        tails = self._tails and self.tails
        return tails.swaps if isinstance(tails, SumTails) else None

    def recount(self, *, budget: Budget | None = None) -> PermutationTestResult:
        """Count again from the swaps of this result, and return the new result, which agrees with this one.

        For results that were read from a record. ``ExactPermError`` where the count or the statistic
        is another, where no assignment has the observed value, or where the record holds no swaps;
        ``BudgetExceeded`` as in the test. Cost: twice that of the test.

        >>> from exactperm import sign_flip_test
        >>> result = PermutationTestResult.from_dict(sign_flip_test([3, 1, -2]).to_dict())
        >>> result.recount() == result
        True
        """
        tails, options = self.tails, Options(budget=self._budget if budget is None else budget)
        count, method = tails.extreme_count(self.alternative, options)
        self._check_again("count", count)
        self._check_again("statistic", tails.statistic)
        counted = replaced(self, method=method, _budget=options.budget)
        if not counted._extremes.tied:
            here = short_text(tails.statistic)
            raise ExactPermError(
                f"the statistic is {here} in this result, but no units have this sum"
            )
        return counted

    def __repr__(self) -> str:
        from ..arithmetic.writing import decimal_string

        try:
            pvalue = f"pvalue={short_text(self.count)}/2**{short_text(self.n_units)}"
            if self.n_units <= _MOST_SHOWN:
                pvalue = f"p={decimal_string(self.pvalue, 4)}, pvalue={short_text(self.pvalue)}"
        except Exception:  # of fields that no test gives
            pvalue = "pvalue=undefined"
        shown = ", ".join(f"{name}={short_text(value)}" for name, value in self._shown().items())
        return f"PermutationTestResult({pvalue}, {shown})"

    @property
    def _ties(self) -> str:
        return f", {self.n_units - self.n_nonzero} tied"

    @property
    def _evidence(self) -> tuple[str, str]:
        total = f"2^{self.n_units}" if self._swapped else short_integer(self.total, 24)
        return "assignments", f"{short_integer(self.count, 24)} of {total} at least as extreme"

    def _text(self, name: str, digits: int) -> str:
        from ..arithmetic.writing import probability_text

        return probability_text(getattr(self, name), digits)

    def __str__(self) -> str:
        return repr(self) if self.n_units > _MOST_SHOWN else super().__str__()

    def _repr_html_(self) -> str | None:
        """Return the table that notebooks show, with a picture if that is cheap; None for too many units."""
        if self.n_units > _MOST_SHOWN:
            return None
        return f"{super()._repr_html_()}{_drawn(self)}"


def _drawn(result: PermutationTestResult) -> str:
    """Return the picture of the null distribution where it costs little, else nothing."""
    from .distribution import tail_picture

    try:
        null = result.tails.distribution(Options(budget=_GLANCE))
    except ExactPermError:  # beyond the budget, or a record without swaps
        return ""
    kind = {None: "pairs", "samples": "observations", "steps": "steps"}.get(result.design, "items")
    words = {"title": f"Null distribution, {result.n} {kind}", "label": result.statistic_name}
    return tail_picture(null, result.statistic, result.alternative, result.pvalue, **words)


def units_rows(
    n: int, n_units: int, random: Randomness | None, ties: str
) -> tuple[tuple[str, str], ...]:
    """Return the rows (label, text) of what is exchanged; ``ties`` are words for the tied units."""
    if random is None:
        return (("pairs", f"{units_text(n, n_units)}{ties}"),)
    from ..swaps.runs import DESIGNS

    if random in UNPAIRED:
        kind, within = "steps", ""
        if random == "samples":
            kind, within = "observations", f" in {n_units} strata"
        units = f"{n}{within}{ties}" if n_units > 1 else str(n)
        return (kind, units), ("random", UNPAIRED[random])
    words = DESIGNS[random].partition(":")[0]
    return ("items", f"{n}{'' if random == 'systems' else ties}"), ("design", f"{random}: {words}")


def units_text(n: int, n_units: int) -> str:
    """Write the number of pairs, and that of their groups where pairs are grouped."""
    return f"{n} in {n_units} groups" if n_units != n else str(n)
