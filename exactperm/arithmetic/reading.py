"""Anything a user has -> an exact number; an exact number -> decimal, hexadecimal, logarithm.

Interpreters refuse to convert integers of more than 4,300 digits to and from decimal text. Nothing here changes that
limit: long integers travel as hexadecimal text, and decimal digits are produced in pieces below it.
"""

from __future__ import annotations

import math
import numbers
import operator
import re
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from decimal import Decimal
from fractions import Fraction
from itertools import count

from ..errors import ExactPermError, WrongType
from .quoting import short_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .rational import Exact

MAX_SCORE_DIGITS = 4000
"""Longest text and largest decimal exponent of a score: below every interpreter's digits limit."""

_NUMBER = re.compile(r"[+-]?(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d+))?", re.ASCII)
_RATIO = re.compile(r"([+-]?\d+)\s*/\s*(\d+)", re.ASCII)


# ---------------------------------------------------------------------------------------------- reading


def exact(value: Any, argument: str = "value", position: int | None = None) -> Exact:
    """The exact number that ``value`` means: an int where it is integral, else a Fraction.

    int, bool, Fraction, Decimal and text such as "0.930", "3/7" or "1e-3" are exact as they stand; a float means its
    shortest decimal, also in the narrower float types of array libraries. ``argument`` and ``position`` name the place
    in the error: ``ExactPermError`` for a value without an exact finite meaning, ``WrongType`` for a foreign type.
    Source: id own-exact-numbers.

    >>> exact(0.1), exact("3/7"), exact(Decimal("2.50")), exact(True)
    (Fraction(1, 10), Fraction(3, 7), Fraction(5, 2), 1)
    """
    try:
        return _exact(value)
    except WrongType as error:
        kind: type[ExactPermError] = WrongType
        reason = str(error)
    except ExactPermError as error:
        kind = ExactPermError
        reason = str(error)
    raise kind(f"{place(argument, position)} is {short_text(value)}: {reason}")


def place(argument: str, position: int | None) -> str:
    """The name of an entry in messages: "u[3]", or "u" for the whole.

    >>> place("u", 3)
    'u[3]'
    """
    return argument if position is None else f"{argument}[{position}]"


def _exact(value: Any) -> Exact:
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return _from_float(value, float.__repr__(value))
    if isinstance(value, str):
        return _from_text(value)
    if isinstance(value, Decimal):
        return _from_decimal(value)
    if type(value) is Fraction:
        return _lowest(value)
    if isinstance(value, numbers.Rational):
        return _lowest(Fraction(int(value.numerator), int(value.denominator)))
    kind = _dtype_name(value)
    if kind is not None and getattr(value, "ndim", 0) == 0 and hasattr(value, "item"):
        return _exact(_item_reader(kind)(value.item()))
    if hasattr(value, "__index__") and getattr(value, "ndim", 0) == 0:
        return operator.index(value)
    raise WrongType("scores are int, bool, Fraction, Decimal, float or text such as '0.93' or '3/7'")


def _lowest(value: Fraction) -> Exact:
    return value.numerator if value.denominator == 1 else value


def _from_float(value: float, shortest: str) -> Exact:
    if not math.isfinite(value):
        raise ExactPermError("scores must be finite")
    return _from_text(shortest)


def _from_text(text: str) -> Exact:
    text = text.strip()
    if len(text) > MAX_SCORE_DIGITS:
        raise ExactPermError(f"a score has at most {MAX_SCORE_DIGITS} digits")
    match = _NUMBER.fullmatch(text)
    if match:
        whole, after, bare, power = match.groups()
        digits = after or bare or ""
        exponent = int(power or 0) - len(digits)
        _check_exponent(exponent)
        sign = -1 if text[0] == "-" else 1
        return _scaled(sign * int((whole or "") + digits), exponent)
    match = _RATIO.fullmatch(text)
    if match and int(match.group(2)):
        return _lowest(Fraction(int(match.group(1)), int(match.group(2))))
    if match:
        raise ExactPermError("the denominator is zero")
    raise ExactPermError("not a finite number such as '0.93', '3/7' or '1e-3'")


def _from_decimal(value: Decimal) -> Exact:
    sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        raise ExactPermError("scores must be finite")
    _check_exponent(exponent)
    if len(digits) > MAX_SCORE_DIGITS:
        raise ExactPermError(f"a score has at most {MAX_SCORE_DIGITS} digits")
    return _scaled((-1 if sign else 1) * int("".join(map(str, digits))), exponent)


def _check_exponent(exponent: int) -> None:
    if abs(exponent) > MAX_SCORE_DIGITS:
        raise ExactPermError(f"the decimal exponent is beyond {MAX_SCORE_DIGITS}")


def _scaled(digits: int, exponent: int) -> Exact:
    return digits * 10**exponent if exponent >= 0 else _lowest(Fraction(digits, 10**-exponent))


# Array libraries are known by their "dtype" alone; none is imported. A narrow float means the shortest decimal that
# reads back as itself in its own type, as the library itself prints it.


_FLOAT_KIND = re.compile(
    r"bfloat16|float16|halffloat|float32|float64|double|float96|float128|float(?=\[pyarrow)|float\w*"
)


def _dtype_name(value: Any) -> str | None:
    dtype = getattr(value, "dtype", None)
    return None if dtype is None else str(dtype).lower()


def _item_reader(dtype: str) -> Callable[[Any], Any]:
    found = _FLOAT_KIND.search(dtype)
    kind = found.group() if found else "no float"
    if kind in ("float32", "float"):
        return lambda x: _shortest(x, lambda number: _packed(number, "f"))
    if kind in ("float16", "halffloat"):
        return lambda x: _shortest(x, lambda number: _packed(number, "e"))
    if kind == "bfloat16":
        return lambda x: _shortest(x, _bfloat16)
    if kind in ("float96", "float128"):
        return str
    if kind in ("no float", "float64", "double") and "datetime" not in dtype and "timedelta" not in dtype:
        return lambda x: x
    raise WrongType(f"values of the type {dtype} are no scores: convert them to float64 or text")


def _shortest(value: Any, narrowed: Callable[[float], Any]) -> Any:
    """The text of the shortest decimal that a narrower type stores as it stores a finite float; all else as it is."""
    if not isinstance(value, float) or not math.isfinite(value):
        return value
    stored = narrowed(value)
    return next(text for text in (f"{value:.{k}g}" for k in count(1)) if narrowed(float(text)) == stored)


def _packed(value: float, code: str) -> bytes | None:
    try:
        return struct.pack(code, value)
    except OverflowError:  # rounded up beyond the type's largest number
        return None


def _bfloat16(value: float) -> float:
    """Round to the nearest bfloat16, ties to even: 8 significant bits, in steps of 2**-133 at least."""
    step = max(math.frexp(value)[1] - 8, -133)
    return math.ldexp(round(math.ldexp(value, -step)), step)


def exact_column(column: Any, argument: str, decimals: int | None = None) -> list[Exact]:
    """The exact numbers of a column of scores: any iterable, Series, array or tensor of one dimension.

    ``decimals=k`` rounds each to k decimals first, half to even.

    >>> exact_column([0.25, "1/3", 2], "u", decimals=1)
    [Fraction(1, 5), Fraction(3, 10), 2]
    """
    values = entries(column, argument)
    kind = _dtype_name(column)
    if kind is not None:
        values = list(map(_item_reader(kind), values))
    if decimals is not None:
        decimals = whole_number(decimals, "decimals", 0, MAX_SCORE_DIGITS)
    types = set(map(type, values))
    if types <= {int, bool}:
        return list(map(int, values)) if bool in types else values
    if len(types) == 1 and types <= {float, str, Decimal, Fraction}:
        # Equal values of one of these types mean the same number, and real scores repeat: read each one once.
        # (Across types they need not: the float 0.1 is one tenth, an equal Fraction is not.)
        try:
            meaning = {value: _rounded(_exact(value), decimals) for value in set(values)}
            return [meaning[value] for value in values]
        except (ExactPermError, TypeError):  # a signalling NaN cannot be hashed
            pass  # the loop below finds the place
    return [_rounded(exact(value, argument, i), decimals) for i, value in enumerate(values)]


def _rounded(value: Exact, decimals: int | None) -> Exact:
    return value if decimals is None or isinstance(value, int) else _lowest(round(value, decimals))


def whole_number(value: Any, argument: str, least: int = 0, most: int | None = None) -> int:
    """An int option within its range: a plain int, or the integer scalar of any library, but no bool and no float.

    >>> whole_number(3, "digits", 1)
    3
    """
    if isinstance(value, bool) or not hasattr(value, "__index__") or getattr(value, "ndim", 0) != 0:
        raise WrongType(f"{argument} is {short_text(value)}: it must be an int")
    number = operator.index(value)
    if number < least or (most is not None and number > most):
        limits = f"at least {least}" if most is None else f"between {least} and {most}"
        raise ExactPermError(f"{argument} is {short_text(number)}: it must be {limits}")
    return number


def flag(value: Any, argument: str) -> bool:
    """Read an option that is True or False; ``WrongType`` for anything but a bool, of Python or an array library.

    >>> flag(True, "strict")
    True
    """
    if isinstance(value, bool) or (_dtype_name(value) == "bool" and getattr(value, "ndim", 0) == 0):
        return bool(value)
    raise WrongType(f"{argument} is {short_text(value)}: it must be True or False")


def choice(value: object, argument: str, names: Sequence[str]) -> None:
    """Raise ``ExactPermError`` unless ``value`` is one of the names; ``WrongType`` where it is no text at all.

    >>> choice("greater", "alternative", ("greater", "less"))
    """
    if not isinstance(value, str) or value not in names:
        kind = ExactPermError if isinstance(value, str) else WrongType
        raise kind(f"{argument} is {short_text(value)}: it must be one of {', '.join(names)}")


def probability(value: Any, argument: str) -> Exact:
    """The exact number between 0 and 1 that ``value`` means, read as by :func:`exact`."""
    number = exact(value, argument)
    if not 0 <= number <= 1:
        raise ExactPermError(f"{argument} is {short_text(value)}: it must lie between 0 and 1")
    return number


def level(value: Any, argument: str = "alpha") -> Exact:
    """The exact significance level that ``value`` means, above 0 and at most 1."""
    number = probability(value, argument)
    if number == 0:
        raise ExactPermError(f"{argument} is {short_text(value)}: it must be above 0")
    return number


def entries(column: Any, argument: str) -> list[Any]:
    """The entries of an argument that must be a column, as a list; ``WrongType`` where it is none."""
    if isinstance(column, (str, bytes, Mapping, Set)) or not isinstance(column, Iterable):
        raise WrongType(f"{argument} is {short_text(column)}: it must be a sequence with one entry a pair")
    dimensions = getattr(column, "ndim", 1)
    if dimensions != 1:
        raise ExactPermError(f"{argument} has {dimensions} dimensions: it must have one entry a pair")
    return list(column.tolist() if hasattr(column, "tolist") else column)


# ---------------------------------------------------------------------------------------------- writing


def parse_exact(text: str) -> Exact:
    """The number that :func:`exact_text` wrote: an int where it is integral, else a Fraction.

    >>> parse_exact("0x35f/0x8000"), parse_exact("-3")
    (Fraction(863, 32768), -3)
    """
    numerator, slash, denominator = text.partition("/")
    try:
        return _lowest(Fraction(int(numerator, 0), int(denominator, 0) if slash else 1))
    except (ValueError, ZeroDivisionError):
        raise ExactPermError(f"{short_text(text)} is not the text of an exact number") from None
