"""Quote values in messages: short texts that never fail."""

from __future__ import annotations

import math
from decimal import MAX_EMAX, ROUND_FLOOR, Context, Decimal, localcontext
from fractions import Fraction

_LONG = 100
"""Number of entries above which only the first entry of a container is shown."""


def short_text(value: object, most: int = 60) -> str:
    """Return a ``repr`` in one short line for messages and records; it never fails.

    The middle of a huge number or of a long text is left out, and all but the first entry of a long
    container.

    >>> short_text(Fraction(1, 2**200)), short_text([0] * 1000)
    ('Fraction(1, 160693...301376 (61 digits))', '<list of 1000 entries, the first is 0>')
    """
    try:
        text = _text(value, most)
    except Exception as error:  # a message must not fail on the value that it reports
        text = f"<{type(value).__name__} whose repr raises {type(error).__name__}>"
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def _text(value: object, most: int) -> str:
    if isinstance(value, Fraction):
        return f"Fraction({short_text(value.numerator)}, {short_text(value.denominator)})"
    if isinstance(value, int) and not isinstance(value, bool):
        return short_integer(int.__int__(value), most)
    if isinstance(value, (list, tuple, set, frozenset, dict)) and len(value) > _LONG:
        kind, first = type(value).__name__, next(iter(value))
        return f"<{kind} of {len(value)} entries, the first is {short_text(first, most)}>"
    text = repr(value)
    return (
        text
        if len(text) <= most
        else f"{text[: most - 20]}...{text[-12:]} ({len(text)} characters)"
    )


def printable(text: str) -> str:
    r"""Return text with backslash escapes for control characters and line ends, which a terminal would obey.

    >>> printable("a\x1b[31m")
    'a\\x1b[31m'
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text
    )


def short_integer(n: int, most: int = 40) -> str:
    """Return the decimal digits of n, without the middle where there are more than ``most``.

    >>> short_integer(2**200)
    '160693...301376 (61 digits)'
    """
    if n < 0:
        return "-" + short_integer(-n, most)
    if n.bit_length() * 0.30103 < most:
        return str(n)
    head, exponent = _leading_digits(n)
    return f"{head}...{n % 10**6:06d} ({exponent + 1} digits)"


def _leading_digits(n: int) -> tuple[int, int]:
    """Return the first six digits of n >= 10**6 and floor(log10 n).

    They are those of the leading 256 bits, in decimals of 40 digits widened by 1e-30 to either
    side: far more than the rounding. Where both ends do not agree, division decides.
    """
    shift = max(0, n.bit_length() - 256)
    with localcontext(Context(prec=40, Emax=MAX_EMAX)):
        about = Decimal(n >> shift) * Decimal(2) ** shift
        ends = [about * (1 + side * Decimal("1e-30")) for side in (-1, 1)]
        found = {
            (int(end.scaleb(5 - end.adjusted()).to_integral_value(ROUND_FLOOR)), end.adjusted())
            for end in ends
        }
    if len(found) == 1:
        return found.pop()
    exponent = math.floor((n.bit_length() - 1) * 0.30102999566398120)
    head = n // 10 ** (exponent - 5)
    return (head, exponent) if head < 10**6 else (head // 10, exponent + 1)
