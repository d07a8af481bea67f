"""Compare the answer of another implementation with a result, in a test."""

from __future__ import annotations

from fractions import Fraction

from .._types import Any
from ..arithmetic.reading import exact
from ..errors import ExactPermError
from .judge import compared
from .numbers import Tolerance, fault, number


def assert_matches(got: Any, result: Any, *, ulp: int | None = None, rel: Any = None) -> None:
    """Raise ``AssertionError`` unless ``got`` is the p-value of ``result``, exactly or within a tolerance.

    ``got`` is a number or text such as "3/8", "1/2^199" or "0x1.0p-3". ``result`` is a PermutationTestResult or an
    exact p-value. Without a tolerance the fraction itself or the double nearest to it is right; ``ulp=1`` admits so
    many units in the last place, ``rel="1e-9"`` a relative error. The message names the exact fraction, the distance
    and the likely mistake.

    >>> from exactperm import sign_flip_test
    >>> assert_matches(0.75, sign_flip_test([3, 1, -2]))
    """
    if ulp is not None and rel is not None:
        raise ExactPermError("give ulp= or rel=, not both")
    tolerance = Tolerance.read(f"ulp={ulp or 0}" if rel is None else f"rel={rel}")
    right = Fraction(exact(getattr(result, "pvalue", result)))
    value = number(got)
    if isinstance(value, Fraction) and compared(value, right, tolerance):
        return
    raise AssertionError(fault(value, right))
