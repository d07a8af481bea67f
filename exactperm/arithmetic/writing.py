"""Write exact numbers as decimals, fractions and hexadecimal text of any length."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from .._types import Any
from ..errors import ExactPermError, WrongType
from .quoting import short_integer, short_text
from .rational import Exact, ratio
from .reading import exact, long_integer, whole_number

_LEAF_DIGITS = 512  # below the limit of every interpreter, which is 640 at the least
_LEAF_BITS = 1700  # and of what Python writes at once
_EXACT = r"(-?(?:0x[0-9a-f]+|\d{1,4000}))(?:/(0x[0-9a-f]+|\d{1,4000}))?"
_TEXT_DIGITS = 600  # the longest decimal text of an integer in records: every interpreter reads it

MOST_DIGITS = 10**6
"""Greatest number of digits of :func:`decimal_string`: some seconds."""


def integer_text(n: int) -> str:
    """Return the decimal digits of an integer of any length, on every interpreter.

    Halves the number by a power of ten until the pieces are short (as CPython's own ``_pylong``
    does).
    Cost: that of the divisions, 0.1 ms at 3,000 digits, some 10 ms at 30,000.

    >>> integer_text(-(10**20))
    '-100000000000000000000'
    """
    if n.bit_length() < _LEAF_BITS:
        return str(n)
    if n < 0:
        return "-" + integer_text(-n)
    powers: list[int] = []  # each the square of the one before
    power = 10**_LEAF_DIGITS
    while power <= n:
        powers.append(power)
        power *= power
    pieces = [n]
    for power in reversed(powers):
        pieces = [half for piece in pieces for half in divmod(piece, power)]
    digits = [str(pieces[0]), *(f"{piece:0{_LEAF_DIGITS}d}" for piece in pieces[1:])]
    return "".join(digits).lstrip("0") or "0"


def exact_text(value: Exact) -> str:
    """Return ``value`` as text that :func:`parse_exact` reads on every interpreter.

    Decimal up to 600 digits, hexadecimal beyond: "314", "863/32768", "0x35f/0x8000".

    >>> exact_text(Fraction(863, 32768)), exact_text(-3)
    ('863/32768', '-3')
    """
    numerator, denominator = value.numerator, value.denominator
    short = max(abs(numerator), denominator).bit_length() * 0.30103 < _TEXT_DIGITS
    write = integer_text if short else hex
    return write(numerator) if denominator == 1 else f"{write(numerator)}/{write(denominator)}"


def parse_exact(text: str) -> Exact:
    """Return the number that :func:`exact_text` wrote.

    It is an int where it is integral, else a Fraction. Decimal parts have at most
    4,000 digits.

    >>> parse_exact("0x35f/0x8000"), parse_exact("-3")
    (Fraction(863, 32768), -3)
    """
    told = f"{short_text(text)} is not the text of an exact number"
    if not isinstance(text, str):
        raise WrongType(told)
    match = re.fullmatch(_EXACT, text, re.ASCII)
    if not match:
        raise ExactPermError(told)
    numerator, denominator = [
        int(part, 16) if "x" in part else long_integer(part) for part in match.groups("1")
    ]
    if denominator == 0:
        raise ExactPermError(told)
    return ratio(numerator, denominator)


def decimal_string(value: Any, digits: int) -> str:
    """Return ``value`` as a decimal with ``digits`` significant digits, correctly rounded (half to even).

    Plain notation from 1e-5 up to ``digits`` digits before the point, scientific beyond. ``value``
    is any score: a number or text. Raises ``ExactPermError`` unless 1 <= digits <= 10**6, and for a
    value that is no number.
    Cost: one division of integers of the value's size. Source: spec/09-own-theorems.md#own-decimal.

    >>> decimal_string(Fraction(863, 32768), 6), decimal_string(Fraction(1, 2**199), 6)
    ('0.0263367', '1.24460e-60')
    """
    value = value if type(value) is Fraction else exact(value)
    if type(digits) is not int or not 1 <= digits <= MOST_DIGITS:
        digits = whole_number(digits, "digits", 1, MOST_DIGITS)
    sign = "-" if value < 0 else ""
    mantissa, exponent = _decimal_parts(abs(value), digits)
    text = integer_text(mantissa).zfill(digits)
    if not -5 <= exponent < digits:
        return f"{sign}{text[0]}{'.' if digits > 1 else ''}{text[1:]}e{exponent:+03d}"
    if exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{text}"
    whole, after = text[: exponent + 1], text[exponent + 1 :]
    return f"{sign}{whole}{'.' if after else ''}{after}"


def _decimal_parts(value: Exact, digits: int) -> tuple[int, int]:
    """Return (m, e): value = m * 10**(e - digits + 1), correctly rounded, and m has exactly ``digits`` digits."""
    if value == 0:
        return 0, 0
    numerator, denominator = value.numerator, value.denominator
    # Bit lengths give the decimal exponent to within one; the loop settles which.
    exponent = math.floor(
        (numerator.bit_length() - denominator.bit_length() - 1) * 0.30102999566398120
    )
    while True:
        shift = digits - 1 - exponent
        up, down = (10**shift, 1) if shift >= 0 else (1, 10**-shift)
        mantissa, rest = divmod(numerator * up, denominator * down)
        if mantissa >= 10**digits:
            exponent += 1
            continue
        twice = 2 * rest - denominator * down
        mantissa += twice > 0 or (twice == 0 and mantissa % 2 == 1)
        return (mantissa, exponent) if mantissa < 10**digits else (mantissa // 10, exponent + 1)


_PLAIN_PLACES = 30
_PLAIN_BITS = 200

_MOST_BESIDE = 40
"""Characters of a fraction at most that stands beside its decimal."""
_PLAIN = -5
"""The least power of ten of a number that is shown without it."""

READABLE = 24
"""Greatest length of a decimal that :func:`readable` writes in full."""


def number_text(value: Exact) -> str:
    """Return an exact number as its decimal where that is short, else as its fraction; ``exact`` reads both.

    >>> number_text(Fraction(157, 50)), number_text(Fraction(1, 3)), number_text(-7)
    ('3.14', '1/3', '-7')
    """
    places = next((k for k in range(_PLAIN_PLACES + 1) if 10**k % value.denominator == 0), None)
    if places is None or value.numerator.bit_length() > _PLAIN_BITS:
        return exact_text(value)
    return placed_text(value.numerator * 10**places // value.denominator, places)


def placed_text(n: int, places: int) -> str:
    """Return n / 10**places as a decimal with so many digits after the point.

    >>> placed_text(-1540, 3), placed_text(7, 0)
    ('-1.540', '7')
    """
    digits = integer_text(abs(n)).rjust(places + 1, "0")
    whole, after = digits[: len(digits) - places], digits[len(digits) - places :]
    return f"{'-' if n < 0 else ''}{whole}{'.' if after else ''}{after}"


def readable(value: Exact) -> str:
    """Return the decimal of an exact number, in full where it is short, else ten digits of it.

    >>> readable(Fraction(157, 50)), readable(Fraction(1, 3))
    ('3.14', '0.3333333333')
    """
    text = number_text(value)
    return text if len(text) <= READABLE and "/" not in text else decimal_string(value, 10)


def value_text(value: Exact) -> str:
    """Return the decimal of an exact number, and its fraction where no decimal is exact and the fraction is short.

    >>> value_text(Fraction(157, 50)), value_text(Fraction(1, 3))
    ('3.14', '0.3333333333 = 1/3')
    """
    text = number_text(value)
    return (
        f"{readable(value)} = {text}" if "/" in text and len(text) <= READABLE else readable(value)
    )


def probability_text(p: Fraction, digits: int = 10) -> str:
    """Return the decimal of a probability, correctly rounded, and its fraction where that is short.

    >>> probability_text(Fraction(697, 32768), 4), probability_text(Fraction(3**90, 2**150), 4)
    ('0.02127, exactly 697/32768', '0.006115')
    """
    fraction = fraction_text(p)
    short = len(fraction) <= _MOST_BESIDE and "..." not in fraction
    return decimal_string(p, digits) + (f", exactly {fraction}" if short else "")


def plain(decimal: str) -> str:
    """Return a decimal text without a power of ten, where that is readable.

    >>> plain("7.39e-02"), plain("7.39e-60")
    ('0.0739', '7.39e-60')
    """
    digits, _, power = decimal.partition("e")
    places = -int(power or 0)
    if not 0 < places <= -_PLAIN:
        return decimal
    return f"0.{'0' * (places - 1)}{digits.replace('.', '')}"


def fraction_text(p: Fraction) -> str:
    """Return a fraction without the middle of long integers; a long denominator that is a power of two is written so.

    >>> fraction_text(Fraction(863, 32768)), fraction_text(Fraction(10701, 2**39)), fraction_text(Fraction(1, 10**9))
    ('863/32768', '10701/2^39', '1/1000000000')
    """
    denominator = p.denominator
    if denominator < 10**9:
        return exact_text(p)
    power = denominator & (denominator - 1) == 0
    below = f"2^{denominator.bit_length() - 1}" if power else short_integer(denominator, 24)
    return f"{short_integer(p.numerator, 24)}/{below}"
