"""Read a printed p-value: its relation, its value, and the interval of numbers that it can stand for.

A printed number is a text, not a number: "0.030" says more than "0.03". With u the unit of its last
place, "= x" stands for every p in the closed interval [x - u/2, x + u/2], whatever way it was
rounded, and, as a weaker reading, for [x, x + u) if it was truncated. From 15 significant digits on
the text is that of a double. A fraction is exact. A printed zero claims p < u/2, since no p-value
of a permutation test is 0. "in [a, b]" claims a <= p <= b.
"""

from __future__ import annotations

import re
from fractions import Fraction

from .._types import Any
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact
from ..arithmetic.reading import whole_number
from ..errors import ExactPermError, WrongType
from ..record import Record

_DOUBLE_DIGITS = 15
_NOISE = Fraction(1, 10**12)
_ULPS = 16
_LARGEST = Fraction(2)
"""No p-value of any convention is above 2."""
_BARE = Fraction(1, 10)
"""Unit of a 0 or 1 without decimals: nobody prints p without any, so 0 claims p < .05 at most."""
MOST_CHARACTERS = 400
_MOST_PLACES = 6
"""Decimals that are written without an exponent."""
_MOST_EXPONENT = 400

# Signs that print as a plain ASCII character.
_PLAIN = str.maketrans(
    {
        # minus signs, hyphens, dashes
        **dict.fromkeys("\u2212\u2010\u2011\u2012\u2013\ufe63\uff0d", "-"),
        **dict.fromkeys("\u00d7\u22c5*", "x"),
        **{
            "\u2264": "<=",
            "\u2266": "<=",
            "\u2265": ">=",
            "\u2267": ">=",
            "\u2248": "=",
            "~": "=",
            ":": "=",
        },
        "\u00b7": ".",
        **{"\u03c7": "chi", "\u03a7": "chi"},
    }
)
_RAISED = str.maketrans(
    "\u207b\u207a\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "-+0123456789"
)
_LABEL = re.compile(
    r"p(?:r|rob)?[ .-]?(?:values?\s*(?=[\d.]))?(?:values?)?\s*(?=[=<>[\d.]|n|in\b)", re.IGNORECASE
)
_BETWEEN = re.compile(r"([\d.,e+-]+)\s*<=?\s*p\s*<=?\s*([\d.,e+-]+)", re.IGNORECASE)
_INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad]")
_QUOTES = "\"'$`\u201c\u201d\u2018\u2019\u00ab\u00bb\u201e\u201a "
_LATEX = {
    r"\leq": "<=",
    r"\le": "<=",
    r"\geq": ">=",
    r"\ge": ">=",
    r"\approx": "=",
    r"\lt": "<",
    r"\gt": ">",
    r"\,": " ",
}
_RELATION = re.compile(r"<=|>=|=<|=>|<|>|=+")
_DECIMAL = re.compile(r"([+-]?)(\d*)(?:[.,](\d*))?(?:e([+-]?\d+))?", re.IGNORECASE | re.ASCII)
_POWER = re.compile(
    r"(?:(.+?)\s*(?:x|\.(?=\s*10\^))\s*(?=10))?10\s*(\^|xx)?\s*[{(]?([+-]?\d+)[})]?", re.ASCII
)
_RATIO = re.compile(r"(\d+)\s*/\s*(\d+)(?:\s*(?:\^|xx)\s*(\d+))?", re.ASCII)
_BOUNDS = re.compile(r"(?:in|=)?\s*\[(?:([^];]+);([^];]+)|([^],]+),([^],]+))\]", re.IGNORECASE)
_NOT_SIGNIFICANT = frozenset(("ns", "n.s", "notsignificant", "nonsignificant"))
_SPELLED = {"=<": "<=", "=>": ">=", "==": "="}


class PrintedPValue(Record):
    """A printed p-value as :func:`read_pvalue` understands it.

    ``text`` as printed; ``relation`` one of "=", "<", "<=", ">", ">=" and "in"; ``value`` the exact
    number after it, None for "n.s."; ``unit`` the unit of the last place, 0 for a fraction and for
    a double; ``form`` one of "decimal", "double", "fraction", "zero", "not-significant", and
    "bounds", whose value is the lower one and unit their distance.
    """

    text: str
    relation: str
    value: Exact | None
    unit: Fraction
    form: str

    @property
    def interval(self) -> tuple[Fraction, Fraction]:
        """The numbers that round to the text: [value - unit/2, value + unit/2]; a point for a fraction."""
        value = self._known()
        if self.form == "bounds":
            return Fraction(value), Fraction(value + self.unit)
        # 13 digits or 14 are those of a double, too: its last ones may be zeros.
        margin = (
            value * _NOISE
            if self.form == "double" or 0 < self.unit <= value * _NOISE
            else self.unit / 2
        )
        return Fraction(value - margin), Fraction(value + margin)

    def _known(self) -> Exact:
        if self.value is None:
            raise ExactPermError(
                f"{short_text(self.text)} has no number: it only says that p is above alpha"
            )
        return self.value

    @property
    def impossible(self) -> bool:
        """Whether no probability can be meant: the text stands for numbers above 1 or below 0 only."""
        if self.value is None:
            return False
        low, high = self.interval
        if self.relation in ("<", "<="):
            return self.value <= 0
        return low > 1 or high < 0 or (self.relation == ">" and self.value >= 1)

    def fit(self, p: Exact, alpha: Exact | None = None) -> str | None:
        """Return how the exact number p is printed so: the word of the reading, or None where it is not.

        The words: "equal", "same-double", "float-noise", "rounds", "truncates", "claim-true" (for
        an inequality), "printed-zero". ``alpha`` is the level that "n.s." speaks of.

        >>> read_pvalue("= .031").fit(Fraction(1, 32)), read_pvalue("= .031").fit(Fraction(1, 16))
        ('rounds', None)
        """
        if self.form == "not-significant":
            return "claim-true" if alpha is not None and p > alpha else None
        value = self._known()
        if self.form == "bounds":
            return "claim-true" if value <= p <= value + self.unit else None
        if self.relation != "=":
            return "claim-true" if _compares(p, self.relation, value) else None
        if self.form == "zero":
            return "printed-zero" if 0 <= p < self.unit / 2 else None
        if p == value:
            return "equal"
        if self.form == "double":
            return _as_double(p, value)
        low, high = self.interval
        if low <= p <= high and self.unit:
            return "rounds"
        return "truncates" if value <= p < value + self.unit else None

    def alike(self, p: Exact) -> str | None:
        """Return p as text with as many decimals; None for texts other than "=" and a number of some decimals.

        >>> read_pvalue("p = .04").alike(Fraction(1, 16)), read_pvalue("p = 0.040").alike(Fraction(1, 10**6))
        ('.06', '< 0.001')
        """
        places = len(str(self.unit.denominator)) - 1
        if (
            self.relation != "="
            or not self.unit
            or self.unit != Fraction(1, 10**places)
            or places > _MOST_PLACES
        ):
            return None
        figures = round(p * 10**places)
        text = f"{max(1, figures):0{places + 1}d}"
        bare = re.search(r"(?<!\d)[.,]\d", self.text)
        whole = text[:-places].lstrip("0") if bare else text[:-places]
        return f"{'' if figures else '< '}{whole}.{text[-places:]}"

    @property
    def least(self) -> Fraction:
        """A number below which nothing fits, and from which on, for "=", the nearest p fits if any does."""
        return self.hull()[0]

    @property
    def bare_zero(self) -> bool:
        """Whether the text is a zero without decimals, which random assignments give where none is as extreme."""
        return self.form == "zero" and self.unit == _BARE

    def hull(self, alpha: Exact | None = None, *, cut: bool = True) -> tuple[Fraction, Fraction]:
        """Return bounds of all p that the text stands for: rounded, with ``cut`` truncated too, beside a relation."""
        if self.form == "not-significant":
            return Fraction(alpha or 0), _LARGEST
        value = self._known()
        if self.relation in ("<", "<="):
            return Fraction(0), Fraction(value)
        if self.relation in (">", ">="):
            return Fraction(value), _LARGEST
        if self.form == "zero":
            return Fraction(0), self.unit / 2
        low, high = self.interval
        return low, high if self.form == "bounds" or not cut else max(
            high, Fraction(value + self.unit)
        )

    def encloses(self, lower: Exact, upper: Exact, alpha: Exact | None = None) -> bool | None:
        """Tell whether all numbers of [lower, upper] fit (True), none of them (False), or only some (None)."""
        if self.form == "not-significant" or self.relation not in ("=", "in"):
            ends = {self.fit(lower, alpha) is not None, self.fit(upper, alpha) is not None}
            return ends.pop() if len(ends) == 1 else None
        low, high = self.hull()
        if low <= lower and (upper < high or (upper == high and self.form == "bounds")):
            return True
        return False if upper < low or lower > high else None


def _compares(p: Exact, relation: str, value: Exact) -> bool:
    return {"<": p < value, "<=": p <= value, ">": p > value, ">=": p >= value}[relation]


def _as_double(p: Exact, value: Exact) -> str | None:
    """Return the word for p within 16 units in the last place of value, or within a relative 1e-12; else None."""
    gap = abs(Fraction(p) - value)
    if value > 0 and gap * 2**52 <= _ULPS * _power_of_two(value):
        return "same-double"
    return "float-noise" if gap <= _NOISE * value else None


def _power_of_two(x: Exact) -> Fraction:
    """Return the greatest power of two that is at most x > 0."""
    exponent = x.numerator.bit_length() - x.denominator.bit_length()
    power = Fraction(1 << max(0, exponent), 1 << max(0, -exponent))
    return power if power <= x else power / 2


def read_pvalue(text: Any, digits: int | None = None) -> PrintedPValue:
    """Read a printed p-value such as "p < .001", "= 0.031", "3.1e-4", "0,031", "1/32" or "n.s.".

    - ``text``: what was printed; numbers are given as text, since trailing zeros count.
    - ``digits``: the decimals that the source prints where the text is a shortest form: with
      ``digits=3``, "0.5" means 0.500. It never makes the unit coarser than the text shows.

    Raises ``WrongType`` where ``text`` is not a str, and ``ExactPermError``, which quotes the text,
    for anything else than a relation (= < <= > >= and their signs) with a number, "in [0.01, 0.02]"
    or "n.s.": stars, for example, say nothing without a legend.
    Source: spec/10-audit.md.

    >>> read_pvalue("p < .001")
    PrintedPValue(text='p < .001', relation='<', value=Fraction(1, 1000), unit=Fraction(1, 1000), form='decimal')
    >>> read_pvalue("0.50").interval
    (Fraction(99, 200), Fraction(101, 200))
    """
    if not isinstance(text, str):
        raise WrongType(
            f"the printed p-value is {short_text(text)}: it must be text, since trailing zeros count"
        )
    if len(text) > MOST_CHARACTERS:
        raise _unreadable(text, f"it has more than {MOST_CHARACTERS} characters")
    places = None if digits is None else whole_number(digits, "digits", 1, 400)
    body = plain(text)
    between = _BETWEEN.fullmatch(body)
    if between:
        return _between(text, *between.groups())
    label = _LABEL.match(body)
    body = body[label.end() :].lstrip() if label else body
    bounds = _BOUNDS.fullmatch(body.rstrip(" .;,"))
    if bounds:
        return _between(text, *filter(None, bounds.groups()))
    match = _RELATION.match(body)
    relation = "=" if match is None else _SPELLED.get(match.group(), match.group())
    rest = (body if match is None else body[match.end() :]).strip().rstrip(" .;,")
    if rest.lower().replace(" ", "") in _NOT_SIGNIFICANT and relation == "=":
        return PrintedPValue(
            text=text, relation=">", value=None, unit=Fraction(0), form="not-significant"
        )
    ratio = _RATIO.fullmatch(rest)
    if ratio:
        return _fraction(text, relation, ratio)
    sign, figures, exponent = _scientific(text, rest)
    if places is not None:
        exponent, figures = _finer(figures, exponent, places)
    value = _scaled(sign * int(figures), exponent)
    significant = len(figures.lstrip("0"))
    if relation == "=" and significant >= _DOUBLE_DIGITS:
        return PrintedPValue(
            text=text, relation=relation, value=value, unit=Fraction(0), form="double"
        )
    form = "zero" if relation == "=" and value == 0 else "decimal"
    unit = min(Fraction(10) ** exponent, _BARE) if value in (0, 1) else Fraction(10) ** exponent
    return PrintedPValue(text=text, relation=relation, value=value, unit=unit, form=form)


def _between(text: str, low: str, high: str) -> PrintedPValue:
    read = [_scientific(text, end.strip()) for end in (low, high)]
    ends = [_scaled(sign * int(figures), power) for sign, figures, power in read]
    if ends[0] > ends[1]:
        raise _unreadable(text, "its bounds are not in ascending order")
    return PrintedPValue(
        text=text, relation="in", value=ends[0], unit=Fraction(ends[1] - ends[0]), form="bounds"
    )


def plain(text: str) -> str:
    """Return the text in ASCII characters where it can be, without quotes, markup and invisible characters around it.

    >>> plain("\ufeff\u201c$p \u2264 .05$\u201d")
    'p <= .05'
    """
    visible = _INVISIBLE.sub("", text)
    raised = re.sub(
        "[\u207b\u207a\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+",
        lambda m: "^" + m.group().translate(_RAISED),
        visible,
    )
    body = raised.translate(_PLAIN).replace("$", "")
    for command, sign in _LATEX.items():
        body = re.sub(re.escape(command) + r"(?![A-Za-z])", sign, body)
    return " ".join(body.strip(_QUOTES).split())


def _fraction(text: str, relation: str, match: re.Match[str]) -> PrintedPValue:
    above, below, power = match.groups()
    if power is not None and int(power) > _MOST_EXPONENT * 10:
        raise _unreadable(text, "the power is too large")
    denominator = int(below) ** int(power or 1)
    if denominator == 0:
        raise _unreadable(text, "the denominator is zero")
    value = Fraction(int(above), denominator)
    return PrintedPValue(
        text=text, relation=relation, value=value, unit=Fraction(0), form="fraction"
    )


def _scientific(text: str, number: str) -> tuple[int, str, int]:
    """Return (sign, figures, e) of a number: sign * int(figures) * 10**e."""
    power = 0
    match = _POWER.fullmatch(number)
    if match and (match.group(2) or (match.group(1) and match.group(3)[0] in "+-")):
        number, power = match.group(1) or "1", int(match.group(3))
    match = _DECIMAL.fullmatch(number.strip())
    sign, whole, after, exponent = match.groups() if match else ("", "", "", None)
    figures = (whole or "") + (after or "")
    if not figures:
        raise _unreadable(
            text,
            "it is not a relation and a number such as '< .001', '0.031', '3.1e-4' or '1/32'",
        )
    power += int(exponent or 0) - len(after or "")
    if abs(power) > _MOST_EXPONENT:
        raise _unreadable(text, f"the exponent is beyond {_MOST_EXPONENT}")
    return (-1 if sign == "-" else 1), figures, power


def _finer(figures: str, exponent: int, places: int) -> tuple[int, str]:
    """Return (exponent, figures) of the same number with at least so many decimals."""
    missing = max(0, exponent + places)
    return exponent - missing, figures + "0" * missing


def _scaled(number: int, exponent: int) -> Exact:
    return number * 10**exponent if exponent >= 0 else Fraction(number, 10**-exponent)


def _unreadable(text: str, reason: str) -> ExactPermError:
    return ExactPermError(f"the printed p-value {short_text(text)} cannot be read: {reason}")
