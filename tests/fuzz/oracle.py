"""Numbers as texts and logarithms, without the package under test."""

import decimal
from fractions import Fraction

ALTERNATIVES = ("two-sided", "greater", "less", "doubled")


def log10(p, digits=80):
    """Base-10 logarithm of a fraction in (0, 1] as a Decimal, right to about ``digits`` digits, also next to 1."""
    with decimal.localcontext() as context:
        context.prec = digits + 2 + p.denominator.bit_length() // 3
        context.Emin, context.Emax = decimal.MIN_EMIN, decimal.MAX_EMAX
        return (decimal.Decimal(p.numerator) / p.denominator).log10()


def number(text):
    """The number that a text means, read sign by sign; None where it means none."""
    text = text.strip()
    above, slash, below = (part.strip(" \t\n") for part in text.partition("/"))
    if slash:
        signed = above[1:] if above[:1] in ("+", "-") else above
        fits = _digits(signed) and _digits(below) and int(below)
        return Fraction(int(above), int(below)) if fits else None
    negative, text = text[:1] == "-", text[1:] if text[:1] in ("+", "-") else text
    mantissa, mark, power = text.replace("E", "e").partition("e")
    whole, _point, after = mantissa.partition(".")
    exponent = power[1:] if power[:1] in ("+", "-") else power
    if not (_digits(whole + after) and (_digits(exponent) if mark else True)):
        return None
    if abs(int(power or 0) - len(after)) > 4000:  # the documented limit
        return None
    value = Fraction(int(whole + after), 10 ** len(after)) * Fraction(10) ** int(power or 0)
    return -value if negative else value


def _digits(text):
    return text != "" and all(character in "0123456789" for character in text)
