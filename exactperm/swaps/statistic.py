"""Define test statistics in the paper's form: additive components g, and h that combines their sums (Eq. 3 and 12)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from operator import sub

from .._types import Any, Literal
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact
from ..arithmetic.reading import entries, exact_column, flag, is_rational
from ..errors import ExactPermError, WrongType
from ..record import Record

Randomness = Literal["within", "items", "systems", "samples", "steps"]
"""What is random under the null hypothesis, where that is not the swap of each pair."""

UNPAIRED = {
    "samples": "all observations of a stratum are exchangeable between two samples",
    "steps": "every step draws one of its values, independently of the others",
}
"""What is random in tests without pairs, in a line each."""

Component = Callable[[Any, Any], Exact]
Combine = Callable[..., Any]
Reader = Callable[[Any, str, "int | None"], list[Any]]


class Statistic(Record):
    """A test statistic t(u, v) = h(sum of g_1(u_n, v_n), ..., sum of g_m(u_n, v_n)).

    - ``components``: the functions g_1, ..., g_m of two entries; each returns an int or another
      exact rational.
    - ``combine``: h, a function of the m exact sums that returns an exact number; None for the sum
      itself (m = 1).
    - ``name``: a description for messages.
    - ``read``: a function (column, argument, decimals) that turns a column of raw entries into
      those that g receives; without it g receives the raw entries.
    - ``monotone``: one sign per component. 1 promises that h never falls as that sum grows and the
      others are fixed, -1 that it never rises, 0 promises nothing. Extreme regions are then found
      by bisection, and h must accept every point between attainable sums.
    - ``antisymmetric``: True promises t(v, u) = -t(u, v), so that the mean under the null is 0.

    The two promises make counting faster. They cannot be checked, and a false one gives wrong
    p-values. A statistic is picklable when its functions are module-level. Raises ``WrongType`` and
    ``ExactPermError`` for malformed arguments.
    Source: Eq. 3 (one component), Eq. 12 (several); spec/02-structured-statistics.md#eq-3.

    >>> longer = Statistic((lambda a, b: len(a) - len(b),), abs, "absolute difference in length")
    >>> longer.name
    'absolute difference in length'
    """

    components: tuple[Component, ...]
    combine: Combine | None
    name: str
    read: Reader | None
    monotone: tuple[int, ...] | None
    antisymmetric: bool

    def __init__(
        self,
        components: object,
        combine: Combine | None = None,
        name: str = "statistic",
        *,
        read: Reader | None = None,
        monotone: Iterable[int] | None = None,
        antisymmetric: bool = False,
    ) -> None:
        functions = tuple(entries(components, "components", "component"))
        if not functions:
            raise ExactPermError("components is empty: a statistic needs at least one function g")
        if combine is None and len(functions) > 1:
            raise ExactPermError(
                f"combine is None, but there are {len(functions)} components to combine"
            )
        needed = [(f"components[{i}]", g, "two entries") for i, g in enumerate(functions)]
        optional = [
            ("combine", combine, "the sums, or None"),
            ("read", read, "(column, argument, decimals), or None"),
        ]
        for argument, function, of in needed + [one for one in optional if one[1] is not None]:
            if not callable(function):
                raise WrongType(
                    f"{argument} is {short_text(function)}: it must be a function of {of}"
                )
        signs = None if monotone is None else tuple(entries(monotone, "monotone", "component"))
        if signs is not None and (
            len(signs) != len(functions)
            or not all(is_rational(sign) and sign in (-1, 0, 1) for sign in signs)
        ):
            raise ExactPermError(
                f"monotone is {short_text(signs)}: it needs -1, 0 or 1 for each of {len(functions)} components"
            )
        super().__init__(
            components=functions,
            combine=combine,
            name=name,
            read=read,
            monotone=signs,
            antisymmetric=flag(antisymmetric, "antisymmetric"),
        )


class Subject(Record):
    """What was said of a test, for the rows and records of its result.

    ``name`` is that of the statistic; ``design`` says what is random, None where pairs are swapped.
    """

    name: str = "difference"
    design: Randomness | None = None


PLAIN = Subject()
"""A paired test of the difference."""


def exactly_ordered(value: Any, function: str, advice: str = "; return int or Fraction") -> Any:
    """Return ``value`` if it is an exact rational or a tuple or list of these; else raise ``WrongType``.

    Floats of any library and Decimals, whose arithmetic rounds silently, would break ties. Text,
    None, sets and NaN have no numeric order.

    >>> exactly_ordered((1, -2), "h")
    (1, -2)
    """
    if type(value) in (tuple, list):
        for entry in value:
            exactly_ordered(entry, function, advice)
    elif not is_rational(value):
        told = f"{function} returned {short_text(value)}"
        if isinstance(value, (float, complex, Decimal)) or "float" in str(
            getattr(value, "dtype", "")
        ):
            raise WrongType(f"{told}: rounded numbers break ties{advice}")
        raise WrongType(f"{told}: it has no exact order{advice}")
    return value


def value_of(combine: Callable[..., object] | None, sums: Sequence[Exact]) -> Any:
    """Return the value of h on the m exact sums; ``WrongType`` for a float, whose rounding would break ties."""
    return exactly_ordered(combine(*sums) if combine else sums[0], "h")


def at_least(value: Any, observed: Any, function: str) -> bool:
    """Return whether ``value >= observed`` of two results of a function; ``WrongType`` where they do not compare."""
    try:
        return bool(value >= observed)
    except (TypeError, ValueError):  # the latter for arrays, which have no single truth value
        told = f"{function} returned {short_text(value)} and {short_text(observed)}"
        raise WrongType(f"{told}: values of different types have no order") from None


difference: Statistic = Statistic((sub,), None, "difference", read=exact_column)
vars(difference)["__doc__"] = """Sum of the differences u - v over the pairs, the default statistic.

Its p-value is that of the difference of means, and for 0/1 scores that of the difference of accuracies: both are the
sum divided by the number of pairs, which no swap changes. Source: draft Eq. 3; spec/07-draft.md.
"""
