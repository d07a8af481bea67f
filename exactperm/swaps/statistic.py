"""Test statistics in the paper's form: additive components g, and h that combines their sums (Eq. 3 and 12)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from operator import sub

from ..arithmetic.quoting import short_text
from ..arithmetic.reading import exact_column
from ..errors import ExactPermError, WrongType
from ..record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..arithmetic.rational import Exact

    Component = Callable[[Any, Any], Exact]
    Combine = Callable[..., Any]
    Reader = Callable[[Any, str, "int | None"], list[Any]]


class Statistic(Record):
    """A test statistic t(u, v) = h(sum of g_1(u_n, v_n), ..., sum of g_m(u_n, v_n)).

    ``components`` are the functions g of one pair of entries; each returns an int or another exact rational.
    ``combine`` is h: it takes the m exact sums and returns an exact number; ``None`` means the sum itself (m = 1).
    ``name`` is for people. ``read`` turns a column of raw entries into what g receives (``read(column, argument,
    decimals)``); without it g receives the raw entries. Picklable when its functions are module-level.

    Two promises make counting faster; neither can be checked, and a false one gives wrong p-values. ``monotone`` has
    one sign for each component: 1 where h never falls as that sum grows and the others stay, -1 where it never rises,
    0 for no promise; extreme regions are then found by bisection, and h must take every point between attainable sums.
    ``antisymmetric`` says that t(v, u) = -t(u, v), so that the mean under the null is 0.
    Source: Eq. 3 (one component), Eq. 12 (several); ids eq-3, eq-12, lecture-test-statistic, own-monotone.

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
        components: Any,
        combine: Combine | None = None,
        name: str = "statistic",
        *,
        read: Reader | None = None,
        monotone: Iterable[int] | None = None,
        antisymmetric: bool = False,
    ) -> None:
        functions = tuple(_listed(components, "components"))
        for i, g in enumerate(functions):
            if not callable(g):
                raise WrongType(f"components[{i}] is {short_text(g)}: it must be a function of two entries")
        if not functions:
            raise ExactPermError("components is empty: a statistic needs at least one function g")
        if combine is None and len(functions) > 1:
            raise ExactPermError(f"combine is None, but there are {len(functions)} components to combine")
        if combine is not None and not callable(combine):
            raise WrongType(f"combine is {short_text(combine)}: it must be a function of the sums, or None")
        signs = None if monotone is None else tuple(_listed(monotone, "monotone"))
        if signs is not None and (len(signs) != len(functions) or not set(signs) <= {-1, 0, 1}):
            raise ExactPermError(
                f"monotone is {short_text(signs)}: it needs -1, 0 or 1 for each of {len(functions)} components"
            )
        super().__init__(
            components=functions, combine=combine, name=name, read=read, monotone=signs, antisymmetric=antisymmetric
        )


def _listed(values: Any, argument: str) -> Iterable[Any]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise WrongType(f"{argument} is {short_text(values)}: it must be a sequence with one entry a component")
    return values


def exactly_ordered(value: Any, function: str, advice: str = "; return int or Fraction") -> Any:
    """``value``, unless it is or holds a float of any library or a Decimal (``WrongType``): rounding breaks ties.

    Arithmetic of Decimals rounds to the digits of its context, silently.
    """
    if isinstance(value, (float, complex, Decimal)) or "float" in str(getattr(value, "dtype", "")):
        raise WrongType(f"{function} returned {short_text(value)}: rounded numbers break ties{advice}")
    if isinstance(value, (tuple, list)):
        for entry in value:
            exactly_ordered(entry, function, advice)
    return value


difference = Statistic((sub,), None, "difference", read=exact_column)
"""Sum of u - v over the pairs, the default statistic.

Its p-value is that of the difference of means, and for 0/1 scores that of the difference of accuracies: both are the
sum divided by the number of pairs, which no swap changes. Source: ids ex-accuracy, draft-eq-3.
"""
