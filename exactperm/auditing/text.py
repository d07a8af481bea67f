r"""Read what papers and programs print: a p-value as the numbers that it can stand for.

A printed number is a text, not a number: "0.030" says more than "0.03". With u the unit of its last
place, "= x" stands for every p in the closed interval [x - u/2, x + u/2], whatever way it was
rounded, and, as a weaker reading, for [x, x + u) if it was cut. From 15 significant digits on the
text is that of a double. A fraction is exact. A printed zero claims p < u/2, since no p-value of a
permutation test is 0. "in [a, b]" claims a <= p <= b.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from .._types import TYPE_CHECKING
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact
from ..arithmetic.reading import whole_number
from ..arithmetic.writing import decimal_string, readable
from ..errors import ExactPermError, WrongType
from ..record import Record, lazy
from .axes import rows

if TYPE_CHECKING:
    from ..null.sentence import PValue

_DOUBLE_DIGITS = 15
_NOISE = Fraction(1, 10**12)
"""Relative error of floating point that numbers of so many digits may have."""
_LARGEST = Fraction(2)
"""No p-value of any convention is above 2."""
_BARE = Fraction(1, 10)
"""Unit of a 0 or 1 without decimals: nobody prints p without any, so 0 claims p < .05 at most."""
_MOST_CHARACTERS = 400
_MOST_PLACES = 6
"""Decimals up to which zeros before a number are digits that may be mistyped."""
_MOST_EXPONENT = 400
_FIGURES = range(3, 13)
"""Numbers of digits of a p-value that is written beside a printed one."""
Reach = tuple[Fraction, Fraction, bool, bool]
"""Least and greatest p that a text stands for, and whether it is beyond each of them."""
ONE_DIGIT = "perhaps one digit is mistyped"
"""The slip that would turn the most numbers into a printed one."""


class PrintedPValue(Record):
    """A printed number as :func:`read_pvalue` understands it, or a printed test statistic.

    ``text`` as printed; ``relation`` one of "=", "<", "<=", ">", ">=" and "in"; ``value`` the exact
    number after it, None for "n.s."; ``unit`` the unit of the last place, 0 for a fraction and for
    a double; ``form`` one of "decimal", "double", "fraction", "zero", "not-significant", and
    "bounds", whose value is the lower one and unit their distance.

    A test statistic has a ``name``, a ``kind`` ("t", "z" or "chi2", else "") and ``df`` degrees of
    freedom; its ``value`` is its size.
    """

    text: str
    relation: str
    value: Exact | None
    unit: Fraction
    form: str
    name: str = "p"
    kind: str = ""
    df: Fraction | None = None

    @lazy
    def interval(self) -> tuple[Fraction, Fraction]:
        """The numbers that round to the text: [value - unit/2, value + unit/2]; a point for a fraction."""
        value = self.value or 0
        if self.form == "bounds":
            return Fraction(value), Fraction(value + self.unit)
        # 13 digits or 14 are those of a double, too: its last ones may be zeros.
        double = self.form == "double" or 0 < self.unit <= value * _NOISE
        margin = value * _NOISE if double else self.unit / 2
        return Fraction(value - margin), Fraction(value + margin)

    @property
    def impossible(self) -> bool:
        """Whether no probability can be meant: the text stands for numbers above 1 or below 0 only."""
        if self.value is None:
            return False
        low, high, above, _ = self.span()
        least = high < 0 or (high == 0 and self.relation[0] == "<")
        return least or low > 1 or (above and low == 1)

    @property
    def bare_zero(self) -> bool:
        """Whether the text is a zero without decimals, which random assignments give where none is as extreme."""
        return self.form == "zero" and self.unit == _BARE

    def fit(self, p: Exact, alpha: Exact | None = None) -> str:
        """Return how the exact number p is printed so: "rounded", "cut", or "" where it is not.

        "rounded" is also the word for a true bound, for the same double and for a printed zero.
        ``alpha`` is the level that "n.s." speaks of.

        >>> read_pvalue("= .031").fit(Fraction(1, 32)), read_pvalue("= .031").fit(Fraction(1, 16))
        ('rounded', '')
        """
        if _side(p, self.span(alpha)) == 0:
            return "rounded"
        return "" if _side(p, self.span(alpha, cut=True)) else "cut"

    def span(self, alpha: Exact | None = None, cut: bool = False) -> Reach:
        """Return the least and the greatest p that the text stands for, and whether it is beyond each of them.

        ``cut`` adds those whose digits it cuts off.
        """
        if self.value is None:
            return Fraction(_LARGEST if alpha is None else alpha), _LARGEST, True, False
        value = Fraction(self.value)
        if self.relation in ("<", "<="):
            return Fraction(0), value, False, self.relation == "<"
        if self.relation in (">", ">="):
            return value, _LARGEST, self.relation == ">", False
        if self.form == "zero":
            return Fraction(0), self.unit / 2, False, True
        low, high = self.interval
        if cut and self.form != "bounds" and value + self.unit > high:
            return low, value + self.unit, False, True
        return low, high, False, False

    def hull(self, alpha: Exact | None = None) -> tuple[Fraction, Fraction]:
        """Return bounds of all p that the text stands for."""
        return self.span(alpha)[:2]

    def encloses(
        self, lower: Exact, upper: Exact, alpha: Exact | None = None, cut: bool = False
    ) -> bool | None:
        """Tell whether all numbers of [lower, upper] fit (True), none of them (False), or only some (None)."""
        span = self.span(alpha, cut)
        side = _side(lower, span)
        return side == 0 if side == _side(upper, span) else None

    # ------------------------------------------------------------------------- in its manner

    def bare(self, number: str) -> str:
        """Return a decimal without the zero before its point where the text prints none.

        >>> read_pvalue("p = .04").bare("0.05"), read_pvalue("p = 0.04").bare("0.05")
        ('.05', '0.05')
        """
        has_none = re.search(r"(?<!\d)[.,]\d", self.text) or not re.search(r"\d[.,]\d", self.text)
        return re.sub(r"\b0(?=\.)", "", number) if has_none else number

    def written(self, value: PValue) -> str:
        """Return a p-value in the manner of the text, with three digits or as many as it has.

        >>> read_pvalue("p = .0400").written(Fraction(1, 32)), read_pvalue("n.s.").written(Fraction(1, 32))
        ('.0312', '.0312')
        """
        digits = len(str(int(self.value / self.unit))) if self.value and self.unit else 0
        digits = digits if self.form == "decimal" else 0
        return self.bare(decimals(value, min(max(digits, _FIGURES[0]), _FIGURES[-1])))

    def slips(self) -> Iterator[tuple[str, Fraction, Fraction]]:
        """Yield what a writer may have meant who mistyped one thing: words for the slip, the number and its unit.

        Two adjacent digits are swapped, the decimal point is moved, or one digit of several is
        another one.

        >>> [(words, float(value)) for words, value, _ in read_pvalue("p = .50").slips()][:2]
        [('perhaps two digits are swapped', 0.05), ('perhaps the decimal point slipped', 0.05)]
        """
        if self.relation != "=" or self.form != "decimal" or not self.value or not self.unit:
            return
        unit = self.unit
        value = Fraction(self.value)
        places = len(str(unit.denominator)) - 1
        figures = f"{int(value / unit):0{places if places <= _MOST_PLACES else 1}d}"
        for i, (one, other) in enumerate(zip(figures, figures[1:])):
            if one != other:
                swapped = int(figures[:i] + other + one + figures[i + 2 :])
                yield "perhaps two digits are swapped", swapped * unit, unit
        for step in (Fraction(1, 10), 10, Fraction(1, 100), 100):
            yield "perhaps the decimal point slipped", value * step, unit * step
        for i, figure in enumerate(figures if len(figures) > 1 else ""):
            for other in "0123456789".replace(figure, ""):
                yield ONE_DIGIT, int(figures[:i] + other + figures[i + 1 :]) * unit, unit


def _side(p: Exact, span: Reach) -> int:
    """Return -1 for a number below a span, 0 inside of it, 1 above."""
    low, high, above, below = span
    if p < low or (above and p == low):
        return -1
    return int(p > high or (below and p == high))


def decimals(value: PValue, digits: int) -> str:
    """Write a p-value with so many digits, bounds as two numbers.

    >>> decimals((Fraction(1, 3), Fraction(1, 2)), 2)
    '0.33 to 0.50'
    """
    ends = value if isinstance(value, tuple) else (value,)
    return " to ".join(dict.fromkeys(decimal_string(end, digits) for end in ends))


def unit_words(unit: Exact) -> str:
    """Return what scores of a unit are rounded to.

    >>> unit_words(1), unit_words(Fraction(1, 10))
    ('whole numbers', 'multiples of 0.1')
    """
    return "whole numbers" if unit == 1 else f"multiples of {readable(unit)}"


# ------------------------------------------------------------------------------ a number alone

_SIGNS = """
- \u2212\u2010\u2011\u2012\u2013\ufe63\uff0d
x \u00d7\u22c5*
<= \u2264\u2266
>= \u2265\u2267
= \u2248~:
chi \u03c7\u03a7
eta \u03b7
alpha \u03b1
. \u00b7
' \u2019
 $\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad
"""
"""What signs are in ASCII: minus, hyphens and dashes are one, invisible ones and markup are nothing."""
_PLAIN = str.maketrans({sign: plain for plain, signs in rows(_SIGNS, " ") for sign in signs})
_HIGH = "\u207b\u207a\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
_RAISED = str.maketrans(_HIGH, "-+0123456789")
_QUOTES = "\"'`\u201c\u201d\u2018\u2019\u00ab\u00bb\u201e\u201a "
_LATEX = (
    (r"\\text\{(\w*)\}", r" \1 "),
    (r"\\leq?(?![A-Za-z])", "<="),
    (r"\\geq?(?![A-Za-z])", ">="),
    (r"\\approx(?![A-Za-z])", "="),
    (r"\\lt(?![A-Za-z])", "<"),
    (r"\\gt(?![A-Za-z])", ">"),
    (r"\\,", " "),
)
LABEL = re.compile(r"(?<!\w)p(?:r|rob)?(?:[ .-]?val(?:ue)?s?)?[ .]?(?![a-z])", re.IGNORECASE)
"""The name of a p-value before its number."""
_RELATION = re.compile(r"(<=|>=|=<|=>|<|>|=*)\s*(.*?)[ .;,]*")
_SPELLED = {"=<": "<=", "=>": ">=", "==": "=", "": "="}
_DECIMAL = re.compile(
    r"([+-]?)(?=[.,]?\d)(\d*)(?:[.,](\d*))?(?:e([+-]?\d+))?", re.IGNORECASE | re.ASCII
)
_POWER = re.compile(
    r"(?:(.+?)\s*(?:x|\.(?=\s*10\^))\s*(?=10))?10\s*(\^|xx)?\s*[{(]?([+-]?\d+)[})]?", re.ASCII
)
_RATIO = re.compile(r"(\d+)\s*/\s*(\d+)(?:\s*(?:\^|xx)\s*(\d+))?", re.ASCII)
_BETWEEN = re.compile(r"([\d.,e+-]+)\s*<=?\s*p\s*<=?\s*([\d.,e+-]+)", re.IGNORECASE)
_BOUNDS = re.compile(
    r"(?:in|=)?\s*\[(?:([^];]+);([^];]+)|([^],]+),([^],]+))\][ .;,]*", re.IGNORECASE
)
_NOT_SIGNIFICANT = re.compile(
    r"=*\s*(n\.?\s?s\.?|(not (statistically )?|non-?)significant)", re.IGNORECASE
)


def read_pvalue(text: str, digits: int | None = None) -> PrintedPValue:
    """Read a printed p-value such as "p < .001", "= 0.031", "3.1e-4", "0,031", "1/32" or "n.s.".

    - ``text``: what was printed; numbers are given as text, since trailing zeros count.
    - ``digits``: the decimals that the source prints where the text is a shortest form: with
      ``digits=3``, "0.5" means 0.500. It never makes the unit coarser than the text shows.

    Raises ``WrongType`` where ``text`` is not a str, and ``ExactPermError``, which quotes the text,
    for anything else than a relation (= < <= > >= and their signs) with a number, "in [0.01, 0.02]"
    or "n.s.": stars, for example, say nothing without a legend.
    Source: spec/10-audit.md#audit-reading.

    >>> read_pvalue("p < .001").hull()
    (Fraction(0, 1), Fraction(1, 1000))
    >>> read_pvalue("0.50").interval
    (Fraction(99, 200), Fraction(101, 200))
    """
    places = None if digits is None else whole_number(digits, "digits", 1, _MOST_EXPONENT)
    body = plain(text)
    label = LABEL.match(body)
    rest = body[label.end() :].lstrip() if label else body
    value: Exact | None
    bounds = _BETWEEN.fullmatch(body) or _BOUNDS.fullmatch(rest)
    if bounds:
        low, high = [_number(text, end.strip())[0] for end in bounds.groups() if end]
        if low > high:
            raise unreadable(text, "its bounds are not in ascending order")
        relation, form = "in", "bounds"
        value, unit = low, Fraction(high - low)
    elif _NOT_SIGNIFICANT.fullmatch(rest):
        relation, form = ">", "not-significant"
        value, unit = None, Fraction(0)
    else:
        sign, number = _RELATION.fullmatch(rest).groups()  # type: ignore[union-attr]  # of any text
        relation = _SPELLED.get(sign, sign)
        value, unit, form = _number(text, number, places)
        if relation != "=" and form != "fraction":
            form = "decimal"
    return PrintedPValue(text=text, relation=relation, value=value, unit=unit, form=form)


def plain(text: str) -> str:
    """Return the text in ASCII characters where it can be, without quotes, markup and invisible characters around it.

    >>> plain("\ufeff\u201c$p \u2264 .05$\u201d")
    'p <= .05'
    """
    if not isinstance(text, str):
        told = f"the printed p-value is {short_text(text)}: it must be text"
        raise WrongType(f"{told}, since trailing zeros count")
    if len(text) > _MOST_CHARACTERS:
        raise unreadable(text, f"it has more than {_MOST_CHARACTERS} characters")
    body = re.sub(f"[{_HIGH}]+", lambda found: "^" + found[0].translate(_RAISED), text)
    body = body.translate(_PLAIN).strip(_QUOTES)
    for command, sign in _LATEX:
        body = re.sub(command, sign, body)
    return " ".join(body.split())


def _number(text: str, number: str, places: int | None = None) -> tuple[Exact, Fraction, str]:
    """Return value, unit of the last place and form of a number such as "0.031", "3.1 x 10^-2" or "697 / 2^15".

    A decimal has at least so many ``places``.
    """
    ratio = _RATIO.fullmatch(number)
    if ratio:
        above, below, times = [int(part or 1) for part in ratio.groups()]
        if times > _MOST_EXPONENT * 10 or below == 0:
            raise unreadable(text, "its denominator is zero, or too large")
        return Fraction(above, below**times), Fraction(0), "fraction"
    power = _POWER.fullmatch(number)
    if power and (power[2] or (power[1] and power[3][0] in "+-")):
        number = f"{power[1] or 1}e{power[3]}"
    match = _DECIMAL.fullmatch(number)
    if match is None:
        raise unreadable(text, "it is not a relation and a number, such as '< .001' or '1/32'")
    sign, whole, after, exponent = match.groups("")
    figures = whole + after
    last = int(exponent or 0) - len(after)
    if abs(last) > _MOST_EXPONENT:
        raise unreadable(text, f"the exponent is beyond {_MOST_EXPONENT}")
    more = 0 if places is None else max(0, last + places)
    figures = figures + "0" * more
    unit = Fraction(10) ** (last - more)
    value = int(f"{sign}{figures}") * unit
    if len(figures.lstrip("0")) >= _DOUBLE_DIGITS:
        return value, Fraction(0), "double"
    return value, min(unit, _BARE) if value in (0, 1) else unit, "decimal" if value else "zero"


def unreadable(text: str, reason: str) -> ExactPermError:
    """Return the error of a printed text that cannot be read."""
    told = f"the printed p-value {short_text(text)} cannot be read: {reason}"
    return ExactPermError(told, code="printed")
