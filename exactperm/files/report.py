"""Write results as text, JSON, CSV and pictures."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import printable
from ..arithmetic.rational import Exact
from ..arithmetic.reading import exact
from ..arithmetic.writing import (
    decimal_string,
    fraction_text,
    number_text,
    placed_text,
    readable,
)
from ..display.table import lines
from ..null.alternative import centred, sides
from .reading import CLASSICAL, DIFFERENCE, FORMS
from .table import short

if TYPE_CHECKING:
    from ..intervals.confidence import ConfidenceInterval
    from .answer import Tested
    from .question import Question

RANKS = FORMS["wilcoxon"].noun, "a number of pairs won"
"""The nouns of the two statistics whose mean under swaps is not 0."""

_OF_ORDER = {*RANKS, *[FORMS[name].noun for name in CLASSICAL]}
"""The nouns of statistics whose sign is not that of the difference of means."""

_MOVES = {
    "within": "exchanges of runs within items",
    "items": "swaps of the items' runs",
    "systems": "exchanges of whole runs",
    "samples": "ways to deal the values to the samples",
}
"""What is counted under the designs of runs, and of two samples."""

_FRACTION = 21
"""Longest fraction that is written behind a decimal."""

_LEAST_PERCENT = Fraction(1, 10**6)
"""Least share that is written in percent."""


def elapsed(seconds: float) -> str:
    """Write a time span for people.

    >>> elapsed(0.00123), elapsed(12.345)
    ('1.2 ms', '12.35 s')
    """
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def text(
    result: Tested,
    question: Question,
    *,
    seconds: float,
    line: str = "",
    interval: ConfidenceInterval | str = "",
    refused: str | None = None,
    **shown: Any,
) -> str:
    """Write the answer to a question: who is ahead, the p-value, the interval; then what was read and counted.

    ``question`` says what was tested, ``seconds`` is the time taken, ``interval`` that of the
    difference or why there is none, ``refused`` why an exact count was not made. Last come a
    sentence for a text and the ``line`` that an audit reads back; ``shown`` are options of the
    result's rows.
    """
    words, tiny = question.words, _ends(result)[0] < _LEAST_PERCENT
    said = ["p-value", *([] if tiny else ["log10 p"])]
    if result.statistic < 0 and question.ahead and question.noun not in _OF_ORDER:
        system = question.ahead[0]
        words += f", so {system} is ahead" * (system == question.levels[1][0])
    rows = [
        *question.source.rows(),
        *question.source.back(),
        *[row for row in result.rows(words=words, **shown) if row[0] not in said],
        ("time", elapsed(seconds)),
        *([] if refused is None else [("exact count", refused)]),
        ("in words", sentence(result, question)),
    ]
    first = [ahead(question), pvalue_line(result, question, shown.get("digits", 10))]
    top = map(printable, filter(None, [*first, *interval_lines(interval, question)]))
    end = filter(None, [for_a_text(result, question), line])
    return "\n".join([*top, *lines(result.heading, rows), *end])


def ahead(question: Question, *, levels: bool = True) -> str:
    """Return a sentence that says which system is ahead and by how much; "" where the question has no levels.

    In brackets follow the ``levels`` of both.
    """
    if len(question.levels) < 2:
        return "".join(f"the mean of the differences is {short(d)}" for _, d in question.levels)
    of, known = question.level, dict(question.levels)
    kind, how = ("", f"in {of}") if of else ("means ", "on average")
    if question.ahead is None:
        said = f"{' and '.join([name for name, _level in question.levels])} are equal {how}"
        both = short(question.levels[0][1])
    else:
        first, second, by = question.ahead
        said = f"{first} is ahead of {second} by {gap(by)} {how}"
        both = f"{short(known[first])} and {short(known[second])}"
    return f"{said} ({kind}{both})" if levels else said


def gap(value: Exact) -> str:
    """Write a difference: in four decimals or, where these have fewer than two digits, in three digits.

    >>> gap(Fraction(19, 3000)), gap(Fraction(1, 6)), gap(Fraction(1, 7000)), gap(12)
    ('0.0063', '0.1667', '0.000143', '12')
    """
    rounded = round(Fraction(value) * 10**4)
    if value * 10**4 == rounded:
        return number_text(value)
    return placed_text(rounded, 4) if abs(rounded) >= 10 else decimal_string(value, 3)


def pvalue_line(result: Tested, question: Question, digits: int) -> str:
    """Return the p-value in three digits, then in more, with its fraction where that is short.

    Bounds take the place of digits that are not certain.
    """
    if result.pvalue.__class__ is float:
        from ..null.float_result import between

        known = f"{between(result.decimal_bracket())}, certified"
    else:
        p: Any = result.pvalue
        fraction = fraction_text(p)
        short_one = f" = {fraction}" if len(fraction) <= _FRACTION and p.denominator > 1 else ""
        known = f"{decimal_string(p, digits)}{short_one}, counted exactly"
    return f"p = {share_text(result)}, {result.alternative} ({known})"


def _ends(result: Tested) -> tuple[Fraction, Fraction]:
    """Return the exact p-value twice, or its bounds."""
    bracket: Any = getattr(result, "bracket", None)
    ends: tuple[Any, Any] = (result.pvalue,) * 2 if bracket is None else bracket.ends()
    return ends


def share_text(
    result: Tested, write: Callable[[Fraction], str] = lambda p: decimal_string(p, 3)
) -> str:
    """Return the p-value in three digits or as it is to be written, or its bounds where they are not certain."""
    return " to ".join(dict.fromkeys(map(write, _ends(result))))


def interval_lines(interval: ConfidenceInterval | str, question: Question) -> list[str]:
    """Return the interval of the difference in one line, or why there is none.

    Where it has two ends, the system that is ahead comes first.
    """
    none = interval if isinstance(interval, str) else interval.none
    if isinstance(interval, str) or none:
        return [f"no interval: {none}"] if none else []
    lower, upper, (low, high) = interval.lower, interval.upper, interval.decimal_ends()
    names = [name for name, _level in question.levels]
    if interval.estimate < 0 and len(names) == 2 and lower is not None and upper is not None:
        low, high = _negative(high), _negative(low)
        names.reverse()
    of = " - ".join(names) if len(names) == 2 else "the differences"
    ends = f"at least {low}" if upper is None else f"{low} to {high}"
    ends = f"at most {high}" if lower is None else ends
    percents = f"{readable(exact(100 * Fraction(interval.confidence)))}%"
    return [f"{percents} interval of {of}: {ends} ({'exact' if interval.exact else 'certified'})"]


def _negative(end: str) -> str:
    """Return a decimal with the other sign."""
    return end[1:] if end.startswith("-") else f"-{end}" if end.strip("0.") else end


def for_a_text(result: Tested, question: Question) -> str:
    """Return the sentence for a text: who is ahead, by how much, the test and its p-value; "" without levels."""
    said = ahead(question, levels=False)
    if not said:
        return ""
    from ..null.sentence import test_of
    from ..swaps.statistic import Subject

    kind = "certified" if result.pvalue.__class__ is float else "exact"
    random: Any = question.design or None
    test = test_of(Subject(name=result.statistic_name, design=random))
    p = share_text(result)
    p = p[1:] if p.startswith("0.") else p
    about = f"N = {question.source.items}, {kind} {test}, {result.alternative}, p = {p}"
    return printable(f"{said} ({about})")


def sentence(result: Tested, question: Question) -> str:
    """Return a p-value as one plain sentence: which share of all moves gives such a value, and what that is."""
    share, noun, alternative = share_text(result, percent), question.noun, result.alternative
    moves = _MOVES.get(question.design, "swaps")
    t, n, (low, high) = result.statistic, len(question.u), sides(alternative)
    both, value = low and high, short(t)
    if both and not centred(alternative):
        return f"{share} is twice the share of {moves} at least as far on the side of {value}, or 100%."
    if both and noun in RANKS:  # its mean under swaps is not 0
        return f"{share} of all {moves} give {noun} as far from its mean as {value}, or farther."
    size = max(t, -t) if both else t
    mean = ""
    if noun == DIFFERENCE.noun and n > 1:
        mean = f" (mean {short(Fraction(decimal_string(Fraction(size) / n, 3)))})"
    more = f"{'more' if high else 'less'}{mean}{' in either direction' if both else ''}"
    return f"{share} of all {moves} give {noun} of {short(size)} or {more}."


def percent(p: Fraction) -> str:
    """Write a share of 1 in percent, to three digits; below a millionth as it is.

    >>> percent(Fraction(697, 32768)), percent(Fraction(1)), percent(Fraction(1, 2**39))
    ('2.13%', '100%', '1.82e-12')
    """
    return f"{decimal_string(100 * p, 3)}%" if p >= _LEAST_PERCENT else decimal_string(p, 3)


def json_text(data: dict[str, Any]) -> str:
    """Write JSON with one line for each entry of ``data``, however long its lists are."""
    import json

    inside = ",\n".join(
        f"  {json.dumps(name)}: {json.dumps(value, allow_nan=False)}"
        for name, value in data.items()
    )
    return f"{{\n{inside}\n}}"
