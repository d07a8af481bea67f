"""Read scores, columns of scores and options as exact numbers.

Types without rounding keep their value. A float means its shortest decimal, so that scores which
are printed alike are equal. Interpreters limit the length of integers in decimal text, to 640
digits at the least: long ones are read in pieces.
"""

from __future__ import annotations

import math
import numbers
import operator
import re
from collections.abc import Iterable, Mapping, Sequence, Set, Sized
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate, chain, islice
from operator import countOf

from .._types import TYPE_CHECKING, Any
from ..errors import ExactPermError, WrongType
from .quoting import short_text
from .rational import Exact, common_denominator, common_multiple, lowest, ratio, rescaled, scaled

if TYPE_CHECKING:
    from typing import TypeGuard

MAX_SCORE_DIGITS = 4000
"""Greatest number of digits and largest decimal exponent of a score."""

MOST_ENTRIES = 10**7
"""Greatest number of entries that are taken from an iterator, which may not end."""

_PIECE = 512  # digits, below the limit of every interpreter
_FEW = 12  # decimals of a float that arithmetic finds sooner than its text
_BLOCK = 4096  # scores whose texts are read at a time
# decimals of scores that are scaled together; those of floats have at most 324 + 17
_MOST_PLACES = 400

_NUMBER = re.compile(r"([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d+))?", re.ASCII)
_PLAIN = re.compile(r"^[+-]?(?:\d+\.?\d*|\.\d+)$", re.ASCII | re.MULTILINE)
# Rarer forms are texts, which re compiles where they are first met, and keeps.
_RATIO = r"([+-]?\d+)\s*/\s*(\d+)"


# ------------------------------------------------------------------------------------------- scores


def exact(value: object, argument: str = "value", position: int | None = None) -> Exact:
    """Return the exact number that ``value`` means: an int where it is integral, else a Fraction.

    int, bool, Fraction, Decimal and text such as "0.930", "3/7" or "1e-3" keep their value. A float
    means its shortest decimal, also in the narrower float types of array libraries. ``argument``
    and ``position`` name the place in the error: ``ExactPermError`` for a value without an exact
    finite meaning, ``WrongType`` for a foreign type.
    Cost: about a microsecond. Source: spec/09-own-theorems.md#own-exact-numbers.

    >>> exact(0.1), exact("3/7"), exact(Decimal("2.50")), exact(True)
    (Fraction(1, 10), Fraction(3, 7), Fraction(5, 2), 1)
    """
    try:
        return number(value)
    except ExactPermError as error:
        reason = "the value is missing" if is_missing(value) else str(error)
        raise type(error)(f"{place(argument, position)} is {short_text(value)}: {reason}") from None


def place(argument: str, position: int | None) -> str:
    """Return the name of an entry in messages: "u[3]", or "u" for the whole.

    >>> place("u", 3)
    'u[3]'
    """
    return argument if position is None else f"{argument}[{position}]"


def is_missing(value: object) -> bool:
    """Return whether ``value`` marks a missing entry: None, any NaN or NaT, NA, a masked entry, or a tuple with one.

    No library is imported: NaN and NaT differ from themselves, and the other two are known by the
    names of their types.

    >>> [is_missing(x) for x in (None, float("nan"), Decimal("sNaN"), ("a", None), "", 0)]
    [True, True, True, True, False, False]
    """
    kind = type(value)
    if kind is str or kind is int:
        return False
    if value is None or kind.__name__ in ("NAType", "MaskedConstant"):
        return True
    if isinstance(value, tuple):
        return any(map(is_missing, value))
    if isinstance(value, Decimal):
        return value.is_nan()
    try:
        return bool(value != value)  # noqa: PLR0124 - NaN, of whatever type
    except Exception:  # an array, for example, has no single truth value
        return False


def is_rational(value: object) -> bool:
    """Return whether ``value`` is an exact rational number, of Python or of an array library.

    >>> [is_rational(x) for x in (True, 3, Fraction(1, 2), 0.5, "3")]
    [True, True, True, False, False]
    """
    if isinstance(value, (int, numbers.Rational)):
        return True
    return getattr(value, "ndim", 0) == 0 and (_index(value) is not None or _kind(value) == "bool")


def number(value: object) -> Exact:
    """Return the exact number that ``value`` means, as :func:`exact` does; errors have the reason alone.

    >>> number("3/7")
    Fraction(3, 7)
    """
    if not isinstance(value, (int, float, str, Decimal, Fraction)):
        value = _unwrapped(value)
    if isinstance(value, int):
        return int.__add__(value, 0)  # int.__int__ of PyPy calls what a subclass defines
    if isinstance(value, float):
        return _scaled(*_from_float(value))
    if isinstance(value, str):
        return _from_text(str.strip(value))
    if isinstance(value, Decimal):
        return _from_decimal(value)
    if type(value) is Fraction:
        return lowest(value)
    if isinstance(value, numbers.Rational):
        return _ratio(
            *[_index(getattr(value, name, None)) for name in ("numerator", "denominator")]
        )
    number = _index(value)
    if number is None:
        raise WrongType(
            "scores are int, bool, Fraction, Decimal, float or text such as '0.93' or '3/7'"
        )
    return number


def _index(value: Any) -> int | None:
    """Return the int that an integer scalar of any library means, else None."""
    try:
        return int(operator.index(value)) if getattr(value, "ndim", 0) == 0 else None
    except Exception:  # whatever a foreign type raises, it is no integer
        return None


def _ratio(numerator: int | None, denominator: int | None) -> Exact:
    if numerator is None or denominator is None:
        raise WrongType("a rational number needs an integer numerator and denominator")
    if denominator == 0:
        raise ExactPermError("the denominator is zero")
    return ratio(numerator, denominator)


def _from_text(text: str) -> Exact:
    _check_length(len(text))
    match = re.fullmatch(_RATIO, text, re.ASCII) if "/" in text else None
    return _ratio(*map(long_integer, match.groups())) if match else _scaled(*_from_digits(text))


def _from_float(value: float) -> tuple[int, int]:
    """Return (m, e) with m * 10**e the shortest decimal of a float."""
    text = float.__repr__(value)
    whole, _, after = text.partition(".")
    try:
        return int(whole + after), -len(after)
    except ValueError:  # 1e-05, inf, nan
        if not math.isfinite(value):
            raise ExactPermError("scores must be finite") from None
        return _from_digits(text)


def _from_digits(text: str) -> tuple[int, int]:
    """Return (m, e) with m * 10**e the number of a decimal text of at most ``MAX_SCORE_DIGITS`` characters."""
    match = _NUMBER.fullmatch(text)
    if not match:
        raise ExactPermError("not a finite number such as '0.93', '3/7' or '1e-3'")
    sign, whole, after, bare, power = match.groups()
    digits = after or bare or ""
    exponent = long_integer(power or "0") - len(digits)
    _check_exponent(exponent)
    return long_integer(f"{sign}{whole or ''}{digits}"), exponent


def _from_decimal(value: Decimal) -> Exact:
    sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        raise ExactPermError("scores must be finite")
    _check_exponent(exponent)
    _check_length(len(digits))
    return _scaled((-1 if sign else 1) * long_integer("".join(map(str, digits))), exponent)


def _check_length(digits: int) -> None:
    if digits > MAX_SCORE_DIGITS:
        raise ExactPermError(f"a score has at most {MAX_SCORE_DIGITS} digits")


def _check_exponent(exponent: int) -> None:
    if abs(exponent) > MAX_SCORE_DIGITS:
        raise ExactPermError(f"the decimal exponent is beyond {MAX_SCORE_DIGITS}")


def _scaled(digits: int, exponent: int) -> Exact:
    return digits * 10**exponent if exponent >= 0 else ratio(digits, 10**-exponent)


def long_integer(text: str) -> int:
    """Return the integer of a decimal text of any length, read in pieces that every interpreter accepts."""
    if len(text) <= _PIECE:
        return int(text)
    value = 0
    digits = text.lstrip("+-")
    for start in range(0, len(digits), _PIECE):
        piece = digits[start : start + _PIECE]
        value = value * 10 ** len(piece) + int(piece)
    return -value if text[0] == "-" else value


# Array libraries are known by their attributes; none is imported.


_BUFFER_KIND = {"f": "float32", "e": "float16"}
"""Narrow floats among the formats of ``array.array`` and ``memoryview``."""


def _kind(value: object) -> str | None:
    """Return the name of the type that an array or a scalar of a library declares for its numbers."""
    declared = getattr(value, "dtype", None)
    # of pandas' categories
    declared = getattr(getattr(declared, "categories", None), "dtype", declared)
    # NumPy's name is "float32" in either byte order, where its text is ">f4" in one of them.
    return None if declared is None else str(getattr(declared, "name", declared)).lower()


def _column_kind(column: Any) -> str | None:
    """Return what :func:`_kind` returns, also for pyarrow, which calls it ``type``, and for buffers."""
    if type(column) in (list, tuple):
        return None
    kind = _kind(column)
    if kind is not None:
        return kind
    if hasattr(column, "type"):
        return str(column.type).lower()
    try:
        return _BUFFER_KIND.get(memoryview(column).format.lstrip("@=<>!"))
    except TypeError:
        return None


def _unwrapped(value: object) -> object:
    """Return the Python number in a scalar of an array library; any other value as it is."""
    kind = _kind(value)
    if kind is None or getattr(value, "ndim", 0) != 0 or not hasattr(value, "item"):
        return value
    from .narrow import reader_of

    # A masked entry has a number below its mask, which item() returns; tolist() returns None.
    return reader_of(kind)(value.tolist() if hasattr(value, "tolist") else value.item())


# ------------------------------------------------------------------------------------------ columns


def exact_column(column: object, argument: str, decimals: int | None = None) -> list[Exact]:
    """Return the exact numbers of a column of scores: an iterable, Series, array or tensor of one dimension.

    ``decimals=k`` rounds each to k decimals first, half to even. Errors as for :func:`exact`.
    Cost: about a microsecond per distinct value.

    >>> exact_column([0.25, "1/3", 2], "u", decimals=1)
    [Fraction(1, 5), Fraction(3, 10), 2]
    """
    places = _places(decimals)
    return _exact_values(_values(column, argument), argument, places)


def scaled_column(
    column: object, argument: str, decimals: int | None = None
) -> tuple[list[int], int]:
    """Return (integers, scale): the scores that :func:`exact_column` returns, times their least common denominator.

    Errors and cost as for :func:`scaled_columns`.

    >>> scaled_column([0.25, 3, 0.5], "u")
    ([1, 12, 2], 4)
    """
    (numbers,), scale = scaled_columns((column,), (argument,), decimals)
    return (list(numbers) if numbers is column else numbers), scale


def scaled_columns(
    columns: Sequence[Any], arguments: Sequence[str], decimals: int | None = None
) -> tuple[Sequence[list[int]], int]:
    """Return (lists of integers, scale): columns of scores, times the least common denominator of all of them.

    Lists of ints are returned as they are, not copied. Decimals are scaled by a power of ten,
    without a Fraction per value. Errors as for :func:`exact`; ``BudgetExceeded`` where no common
    denominator of bearable size exists.
    Cost: 30 ns per int, 0.2 microseconds per float of few decimals, a microsecond per other value.
    Source: spec/09-own-theorems.md#own-exact-numbers.

    >>> scaled_columns(([0.25, 3], ["0.5", 1]), ("u", "v"))
    ([[1, 12], [2, 4]], 4)
    """
    places = None if decimals is None else _places(decimals)
    for column in columns:
        if type(column) is not list or countOf(map(type, column), int) != len(column):
            break
    else:
        return columns, 1
    lists = [_values(column, name) for column, name in zip(columns, arguments)]
    kinds = set(map(type, chain.from_iterable(lists)))
    if places is None and _are_decimals(kinds):
        flat = list(chain.from_iterable(lists))
        found = _scaled_decimals(flat)
        if found is not None:
            ends = accumulate(map(len, lists))
            return [found[0][end - len(values) : end] for values, end in zip(lists, ends)], found[1]
    parts = [_scaled_alone(values, name, places, kinds) for values, name in zip(lists, arguments)]
    scale = common_multiple({own for _numbers, own in parts}, sum(map(len, lists)))
    return [rescaled(numbers, scale // own) for numbers, own in parts], scale


def _scaled_alone(
    values: list[Any], argument: str, places: int | None, tried: set[type]
) -> tuple[list[int], int]:
    """Return one column as integers over its least common denominator; decimals of the types ``tried`` are no more."""
    kinds = set(map(type, values))
    if kinds == _INTEGERS:
        return values, 1
    if places is None and kinds != tried and _are_decimals(kinds):
        found = _scaled_decimals(values)
        if found is not None:
            return found
    numbers = _exact_values(values, argument, places)
    scale = common_denominator(numbers, len(numbers))
    return [scaled(x, scale) for x in numbers], scale


def _places(decimals: object) -> int | None:
    return None if decimals is None else whole_number(decimals, "decimals", 0, MAX_SCORE_DIGITS)


_INTEGERS: set[type] = {int}
_FLOATS: set[type] = {float, int}
_TEXTS: set[type] = {str}


def _are_decimals(kinds: set[type]) -> bool:
    """Return whether numbers of these types are decimals, but for exceptions, and equal ones have one meaning."""
    return kinds == _TEXTS or (float in kinds and kinds <= _FLOATS)


def _values(column: object, argument: str) -> list[object]:
    kind = _column_kind(column)
    values = entries(column, argument)
    if kind is None:
        return values
    from .narrow import reader_of

    try:
        read = reader_of(kind)
    except WrongType as error:
        raise WrongType(f"{argument}: {error}") from None
    return list(map(read, values))


def _scaled_decimals(values: list[object]) -> tuple[list[int], int] | None:
    """Return decimals of bearable length over their least common denominator, or None where some value is none."""
    # Equal values mean the same number. Where they repeat, each one is read once.
    few = values[:1000]
    distinct = list(set(values)) if 2 * len(set(few)) < len(few) else values
    found = None if isinstance(distinct[0], str) else _from_few_digits(distinct)
    found = found or _from_texts(distinct)
    if found is None:
        return None
    whole, places = found
    scale = 10**places
    shared = math.gcd(scale, *whole[:100])
    shared = shared if shared == 1 else math.gcd(shared, *whole)
    if shared > 1:
        whole = [x // shared for x in whole]
    if distinct is not values:
        meaning = dict(zip(distinct, whole))
        whole = list(map(meaning.__getitem__, values))
    return whole, scale // shared


def _from_few_digits(values: list[object]) -> tuple[list[int], int] | None:
    """Return (m of each value, k) with values m / 10**k, or None: floats and ints of at most 15 digits.

    Division rounds correctly, so m / 10**k == x says that x is the float nearest to that decimal.
    No two decimals of at most 15 digits have the same nearest float, and the shortest decimal of x
    has no more digits: it is this one. k is that of the first few values; others may have more
    decimals, and then all are read as text.
    """
    places = max([len(repr(x).partition(".")[2]) for x in values[:5]])
    if places > _FEW:
        return None
    scale = 10**places
    try:
        whole = [round(x * scale) for x in values]
    except (OverflowError, ValueError):  # inf, nan, and an int beyond all floats beside a float
        return None
    if max(whole) >= 10**15 or min(whole) <= -(10**15) or [m / scale for m in whole] != values:
        return None
    return whole, places


def _plain_texts(values: list[Any]) -> list[str]:
    """Return texts without space around them if all are decimals, or those of floats and ints, without exponents."""
    if isinstance(values[0], str):
        texts = list(map(str.strip, values))
        return texts if len(_PLAIN.findall("\n".join(texts))) == len(texts) else ["no decimals"]
    texts = list(map(repr, values))
    if "e" not in "".join(texts):
        return texts
    return [f"{Decimal(x):f}" if "e" in x else x for x in texts]


def _from_texts(values: list[object]) -> tuple[list[int], int] | None:
    """Return (m of each value, k) for decimals m / 10**k of at most k places; None where one is too long, or none.

    The digits without the point are m, filled up with zeros to k places. Texts of the wrong form
    are no integers without the point, if not all of them are decimals; a text of two lines passes
    for two, but is none here. The texts of a block are dropped before the next one is read.
    """
    whole: list[int] = []
    places: list[int] = []
    blocks = [slice(start, start + _BLOCK) for start in range(0, len(values), _BLOCK)]
    for block in blocks:
        texts = _plain_texts(values[block])
        try:
            whole += [int(text.replace(".", "")) for text in texts]
        except ValueError:  # inf, nan, and more digits than an interpreter may read at once
            return None
        places += [len(text) - 1 - point if (point := text.find(".")) >= 0 else 0 for text in texts]
    most = max(places)
    if most > _MOST_PLACES:
        return None
    if min(places) < most:
        powers = [10**i for i in range(most + 1)]
        for block in blocks:
            pairs = zip(whole[block], places[block])
            whole[block] = [m * powers[most - k] for m, k in pairs]
    return whole, most


def _exact_values(values: list[Any], argument: str, places: int | None) -> list[Exact]:
    types = set(map(type, values))
    if types <= {int, bool}:
        return list(map(int, values)) if bool in types else values
    if len(types) == 1 and types <= {float, str, Decimal, Fraction}:
        # Equal values of one of these types mean the same number, and real scores repeat: read each
        # one once. (Across types they need not: the float 0.1 is one tenth, an equal Fraction is
        # not.)
        try:
            meaning = {value: _rounded(number(value), places) for value in set(values)}
            return [meaning[value] for value in values]
        except (ExactPermError, TypeError):  # a signalling NaN cannot be hashed
            pass  # the loop below finds the place
    return [_rounded(exact(value, argument, i), places) for i, value in enumerate(values)]


def _rounded(value: Exact, places: int | None) -> Exact:
    return value if places is None or isinstance(value, int) else lowest(round(value, places))


def is_sequence(value: object) -> TypeGuard[Iterable[object]]:
    """Return whether the entries of ``value`` have an order: an iterable, but no text, set or mapping."""
    if isinstance(value, (list, tuple)):
        return True
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping, Set))


def entries(column: object, argument: str, each: str = "pair") -> list[Any]:
    """Return the entries of an argument that must be a column, as a list.

    Raises ``WrongType`` for text, mappings, sets and what cannot be iterated, ``ExactPermError``
    for tables, arrays of another dimension and iterators that do not end within their length, or
    else within ``MOST_ENTRIES``. ``each`` names the meaning of an entry in the message.
    """
    if not is_sequence(column):
        raise WrongType(
            f"{argument} is {short_text(column)}: it must be a sequence with one entry per {each}"
        )
    dimensions = getattr(column, "ndim", 2 if hasattr(column, "columns") else 1)
    if dimensions != 1:
        raise ExactPermError(
            f"{argument} has {dimensions} dimensions: it must have one entry per {each}"
        )
    if type(column) in (list, tuple):
        return list(column)
    if hasattr(column, "tolist"):
        try:
            return list(column.tolist())
        except NotImplementedError as error:  # a memoryview of an unusual format
            raise WrongType(f"{argument} is {short_text(column)}: {error}") from None
    most = len(column) if isinstance(column, Sized) else MOST_ENTRIES
    values = list(islice(column, most + 1))
    if len(values) > most:
        raise ExactPermError(
            f"{argument} yields more than {most} entries: give a longer column as a list"
        )
    return values


# ------------------------------------------------------------------------------------------ options


def whole_number(value: object, argument: str, least: int = 0, most: int | None = None) -> int:
    """Return an int option within its range: an int or an integer scalar of any library, but no bool and no float.

    >>> whole_number(3, "digits", 1)
    3
    """
    number = None if isinstance(value, bool) else _index(value)
    if number is None:
        raise WrongType(f"{argument} is {short_text(value)}: it must be an int")
    if number < least or (most is not None and number > most):
        limits = f"at least {least}" if most is None else f"between {least} and {most}"
        raise ExactPermError(f"{argument} is {short_text(number)}: it must be {limits}")
    return number


def flag(value: object, argument: str) -> bool:
    """Read an option that is True or False; ``WrongType`` for anything but a bool, of Python or an array library.

    >>> flag(True, "strict")
    True
    """
    if isinstance(value, bool) or (_kind(value) == "bool" and getattr(value, "ndim", 0) == 0):
        return bool(value)
    raise WrongType(f"{argument} is {short_text(value)}: it must be True or False")


def choice(value: object, argument: str, names: Sequence[str]) -> None:
    """Raise ``ExactPermError`` unless ``value`` is one of the names; ``WrongType`` where it is no text at all.

    >>> choice("greater", "alternative", ("greater", "less"))
    """
    if not isinstance(value, str) or value not in names:
        kind = ExactPermError if isinstance(value, str) else WrongType
        raise kind(f"{argument} is {short_text(value)}: it must be one of {', '.join(names)}")


def probability(value: object, argument: str) -> Exact:
    """Return the exact number between 0 and 1 that ``value`` means, read as by :func:`exact`."""
    number = exact(value, argument)
    if not 0 <= number <= 1:
        raise ExactPermError(f"{argument} is {short_text(value)}: it must lie between 0 and 1")
    return number


def inside(value: object, argument: str, most: Exact = 1) -> Exact:
    """Return the exact number that ``value`` means, strictly between 0 and ``most`` <= 1.

    >>> inside("0.05", "alpha")
    Fraction(1, 20)
    """
    number = probability(value, argument)
    if not 0 < number < most:
        raise ExactPermError(
            f"{argument} is {short_text(value)}: it must lie strictly between 0 and {most}"
        )
    return number


def level(value: object, argument: str = "alpha") -> Exact:
    """Return the exact significance level that ``value`` means, above 0 and at most 1."""
    number = probability(value, argument)
    if number == 0:
        raise ExactPermError(f"{argument} is {short_text(value)}: it must be above 0")
    return number
