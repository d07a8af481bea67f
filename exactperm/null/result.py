"""What a test returns."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property

from ..arithmetic.compat import dyadic
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import log10
from ..arithmetic.reading import parse_exact
from ..arithmetic.writing import decimal_string, exact_text
from ..budget import Budget, Options
from ..errors import ExactPermError
from ..record import Record
from ..swaps.canonical import Swaps
from .alternative import check_alternative
from .tails import LinearTails

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..arithmetic.rational import Exact
    from .alternative import Alternative, Extremes
    from .distribution import NullDistribution
    from .tails import Tails


class PermutationTestResult(Record):
    """Outcome of an exact test: ``count`` of the ``total`` swap assignments are as extreme as the observed one or more.

    ``statistic`` is the observed value (exact), ``alternative`` as asked, ``method`` the engine that ran, ``n`` the
    number of pairs, ``n_units`` the number of swap units (groups, or pairs), ``n_nonzero`` the number of units whose
    swap changes the statistic. Compares by these; pickles and serialises at any length of its integers.
    Source: what Alg. 2 returns; id alg-2.
    """

    count: int
    statistic: Exact
    alternative: Alternative
    method: str
    n: int
    n_units: int
    n_nonzero: int
    _tails: Tails | None = None
    _budget: Budget = Budget()

    @property
    def total(self) -> int:
        """Number of swap assignments, 2**n_units."""
        return 1 << self.n_units

    @cached_property
    def pvalue(self) -> Fraction:
        """The exact p-value, count / total; never 0, since the observed assignment counts."""
        return dyadic(self.count, self.n_units)

    @cached_property
    def log10_pvalue(self) -> float:
        """Base-10 logarithm of the p-value: right far below the smallest float and right next to 1."""
        return log10(self.pvalue)

    @cached_property
    def null_distribution(self) -> NullDistribution:
        """The exact distribution of the statistic over all assignments; laid out when first asked for."""
        return self.tails.distribution(self._options)

    @cached_property
    def point_probability(self) -> Fraction:
        """Probability of being exactly as extreme as observed; "doubled" has twice P(T = t)."""
        return dyadic(self._extremes.tied, self.n_units)

    @cached_property
    def midp(self) -> Fraction:
        """Mid-p value: the probability of being more extreme plus half of :attr:`point_probability`.

        For "doubled" that is twice the smaller one-sided mid-p value. Where the p-value is not capped at 1, the mid-p
        value is the p-value minus half of :attr:`point_probability`.
        """
        return dyadic(self._extremes.halves, self.n_units + 1)

    @cached_property
    def _extremes(self) -> Extremes:
        return self.tails.extremes(self.alternative, self._options)

    @cached_property
    def min_attainable(self) -> Fraction:
        """The least p-value that any swap of these data attains."""
        return dyadic(self.tails.least_count(self.alternative, self._options), self.n_units)

    @property
    def _options(self) -> Options:
        return Options(budget=self._budget)

    @property
    def tails(self) -> Tails:
        """The counted swaps themselves, for what else is to be asked of them under a budget."""
        if self._tails is None:
            raise ExactPermError("this result was read from a record that does not hold its swaps: run the test again")
        return self._tails

    def __repr__(self) -> str:
        shown = {"pvalue": self.pvalue, **self._shown()}
        return f"PermutationTestResult({', '.join(f'{name}={short_text(value)}' for name, value in shown.items())})"

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form; :meth:`from_dict` reads it back on every Python, however long the integers are.

        A fraction is its text, "863/32768", in hexadecimal beyond 4,000 digits. Where the statistic is the sum itself,
        "swaps" holds the canonical tally: all that is needed to count again.
        """
        data = {
            "pvalue": exact_text(self.pvalue),
            "pvalue_decimal": decimal_string(self.pvalue, 17),
            "log10_pvalue": self.log10_pvalue,
            "count": exact_text(self.count),
            "statistic": exact_text(self.statistic),
            "alternative": self.alternative,
            "method": self.method,
            "n": self.n,
            "n_units": self.n_units,
            "n_nonzero": self.n_nonzero,
        }
        if isinstance(self._tails, LinearTails):
            swaps = self._tails.swaps
            data["swaps"] = {
                "tally": [[exact_text(d), count] for d, count in swaps.tally.items()],
                "ties": swaps.ties,
                "low": exact_text(swaps.low),
                "unit": exact_text(swaps.unit),
                "observed": exact_text(swaps.observed),
            }
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> PermutationTestResult:
        """The result that :meth:`to_dict` wrote; ``ExactPermError`` for anything else."""
        try:
            check_alternative(data["alternative"])
            plain = {name: data[name] for name in ("alternative", "method", "n", "n_units", "n_nonzero")}
            count, statistic = parse_exact(data["count"]), parse_exact(data["statistic"])
            swaps = data.get("swaps")
            tails = None if swaps is None else LinearTails(swaps=_read_swaps(swaps))
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise ExactPermError(f"the data is not that of a test result: {short_text(error)}") from None
        units = plain["n_units"]
        if not isinstance(count, int) or type(units) is not int:
            raise ExactPermError("the data is not that of a test result: count and n_units must be whole numbers")
        if count <= 0 or (count - 1).bit_length() > units:  # count > 2**units, which may be too long to write down
            raise ExactPermError("the data is not that of a test result: count does not fit n_units")
        return cls(count=count, statistic=statistic, _tails=tails, **plain)


def _read_swaps(data: Mapping[str, Any]) -> Swaps:
    return Swaps(
        tally={int(parse_exact(d)): count for d, count in data["tally"]},
        ties=data["ties"],
        low=parse_exact(data["low"]),
        unit=parse_exact(data["unit"]),
        observed=int(parse_exact(data["observed"])),
    )
