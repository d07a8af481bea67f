"""Write results as text, JSON, CSV and pictures."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import count

from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import printable
from ..arithmetic.rational import Exact
from ..arithmetic.reading import exact
from ..arithmetic.writing import (
    decimal_string,
    exact_text,
    fraction_text,
    number_text,
    placed_text,
    readable,
)
from ..display.table import lines
from ..null.alternative import Alternative, centred, sides
from .listing import short

if TYPE_CHECKING:
    from ..arithmetic.enclosure import Enclosure
    from ..intervals.confidence import ConfidenceInterval
    from ..montecarlo.sampling import MonteCarloResult
    from ..null.float_result import FloatResult
    from ..null.result import PermutationTestResult
    from .question import Question


SUM = "a difference"
"""The noun of the sum of differences."""

RANKS = "a sum of ranks"
"""The noun of the one statistic whose mean under swaps is not 0."""

MEAN = "a mean difference"
"""The noun of the mean difference of runs."""

Rows = Iterable[tuple[str, str]]
"""Titles and texts."""

_MOVES = {
    "within": "exchanges of runs within items",
    "items": "swaps of the items' runs",
    "systems": "exchanges of whole runs",
}
"""What is counted under the designs of runs."""

_FRACTION = 21
"""Longest fraction that is written behind a decimal."""

_LEAST_PERCENT = Fraction(1, 10**6)
"""Least share that is written in percent."""


# ---------------------------------------------------------------------------------------------- a
# result


def elapsed(seconds: float) -> str:
    """Write a time span for people.

    >>> elapsed(0.00123), elapsed(12.345)
    ('1.2 ms', '12.35 s')
    """
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def text(
    result: PermutationTestResult | FloatResult,
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
    sentence for a text and the ``line`` that an audit reads back. ``mark`` is what a front end puts
    before a setting, ``shown`` are options of the result's rows.
    """
    first = [
        ahead(question),
        pvalue_line(result, question, shown.get("digits", 10)),
        *interval_lines(interval, question),
    ]
    tiny = _ends(result)[0] < _LEAST_PERCENT
    said = ["p-value", *([] if tiny else ["log10 p"])]
    rows = [row for row in result.rows(words=question.words, **shown) if row[0] not in said]
    last = [
        *([] if refused is None else [("exact count", refused)]),
        ("in words", sentence(result, question)),
    ]
    table = _table(result.heading, question, rows, last, seconds=seconds)
    end = [for_a_text(result, question), line]
    return "\n".join([*map(printable, filter(None, first)), table, *filter(None, end)])


def ahead(question: Question) -> str:
    """Return a sentence that says which system is ahead and by how much.

    "" where the question has no levels.
    """
    levels = question.levels
    if len(levels) == 1:
        return f"the mean of the differences is {short(levels[0][1])}"
    if not levels:
        return ""
    of = question.noun.partition("a difference of ")[2].replace("accuracies", "accuracy")
    kind = "levels" if of else "means"
    if question.ahead is None:
        (first, level), (second, _same) = levels
        return f"{first} and {second} are equal on average ({kind} {short(level)})"
    first, second, by = question.ahead
    known = dict(levels)
    how = f"by {gap(by)} {f'in {of}' if of else 'on average'}"
    both = f"{short(known[first])} and {short(known[second])}"
    return f"{first} is ahead of {second} {how} ({kind} {both})"


def gap(value: Exact) -> str:
    """Write a difference: in four decimals or, where these have fewer than two digits, in three digits.

    >>> gap(Fraction(19, 3000)), gap(Fraction(1, 6)), gap(Fraction(1, 7000)), gap(12)
    ('0.0063', '0.1667', '0.000143', '12')
    """
    rounded = round(Fraction(value) * 10**4)
    if value * 10**4 == rounded:
        return number_text(value)
    return placed_text(rounded, 4) if abs(rounded) >= 10 else decimal_string(value, 3)


def pvalue_line(
    result: PermutationTestResult | FloatResult, question: Question, digits: int
) -> str:
    """Return the p-value in three digits, then in more, with its fraction where that is short.

    Bounds take the place of digits that are not certain.
    """
    from ..null.result import PermutationTestResult

    side = result.alternative
    if isinstance(result, PermutationTestResult):
        p = result.pvalue
        fraction = fraction_text(p)
        known = f" = {fraction}" if len(fraction) <= _FRACTION and p.denominator > 1 else ""
        return f"p = {decimal_string(p, 3)}, {side} ({decimal_string(p, digits)}{known}, counted exactly)"
    from ..null.float_result import between

    certain = between(result.decimal_bracket())
    return f"p = {share_text(result)}, {side} ({certain}, certified)"


def share_text(result: PermutationTestResult | FloatResult) -> str:
    """Return the p-value in three digits, or its bounds where they are not certain."""
    low, high = _ends(result)
    texts = decimal_string(low, 3), decimal_string(high, 3)
    return texts[0] if texts[0] == texts[1] else f"{texts[0]} to {texts[1]}"


def interval_lines(interval: ConfidenceInterval | str, question: Question) -> list[str]:
    """Return the interval of the difference in one line, or why there is none.

    Where it has two ends, the system that is ahead comes first.
    """
    if isinstance(interval, str):
        return [f"no interval: {interval}"] if interval else []
    percent = f"{readable(exact(100 * Fraction(interval.confidence)))}%"
    if interval.lower is None and interval.upper is None:
        rejected = 1 - Fraction(interval.confidence)
        least = next(n for n in count(1) if Fraction(2, 2**n) <= rejected)
        units = "pairs" if interval.n == interval.n_units else "groups"
        few = f"no interval: {interval.n_units} {units} cannot exclude any difference"
        return [f"{few} at {percent}; {least} can"]
    low, high = interval.decimal_ends()
    names = [name for name, _level in question.levels]
    if len(names) == 2 and "- " + names[0] in question.words:
        names.reverse()
    one_sided = interval.lower is None or interval.upper is None
    if interval.estimate < 0 and len(names) == 2 and not one_sided:
        low, high = [_negative(end) for end in (high, low)]
        names.reverse()
    of = " - ".join(names) if len(names) == 2 else "the differences"
    ends = f"{low} to {high}"
    if one_sided:
        ends = f"at least {low}" if interval.upper is None else f"at most {high}"
    return [f"{percent} interval of {of}: {ends} ({'exact' if interval.exact else 'certified'})"]


def _negative(end: str) -> str:
    """Return a decimal with the other sign."""
    return end[1:] if end.startswith("-") else end if not end.strip("0.") else f"-{end}"


def for_a_text(result: PermutationTestResult | FloatResult, question: Question) -> str:
    """Return the sentence for a text: who is ahead, by how much, the test and its p-value; "" without levels."""
    said = ahead(question)
    if not said:
        return ""
    from ..null.sentence import test_name

    said = said.partition(" (")[0]
    kind = (
        "exact permutation test of several runs"
        if question.design
        else f"exact {test_name(result.statistic_name)}"
    )
    if result.pvalue.__class__ is float:
        kind = kind.replace("exact", "certified", 1)
    n = f"N = {question.source.items}"
    p = share_text(result)
    p = p[1:] if p.startswith("0.") else p
    return printable(f"{said} ({n}, {kind}, {result.alternative}, p = {p})")


def sentence(result: PermutationTestResult | FloatResult, question: Question) -> str:
    """Return a p-value as one plain sentence."""
    about = (share(result), result.statistic, result.alternative, question.noun, len(question.u))
    return in_words(*about, moves=_MOVES.get(question.design, "swaps"))


def share(result: PermutationTestResult | FloatResult) -> str:
    """Write the p-value in percent, once where its bounds agree to three digits."""
    low, high = map(percent, _ends(result))
    return low if low == high else f"{low} to {high}"


def _ends(result: PermutationTestResult | FloatResult) -> tuple[Fraction, Fraction]:
    """Return the exact p-value twice, or its bounds."""
    from ..null.result import PermutationTestResult

    if isinstance(result, PermutationTestResult):
        return result.pvalue, result.pvalue
    return result.bracket.ends()


def percent(p: Fraction) -> str:
    """Write a share of 1 in percent, to three digits; below a millionth as it is.

    >>> percent(Fraction(697, 32768)), percent(Fraction(1)), percent(Fraction(1, 2**39))
    ('2.13%', '100%', '1.82e-12')
    """
    return f"{decimal_string(100 * p, 3)}%" if p >= _LEAST_PERCENT else decimal_string(p, 3)


def in_words(
    share: str,
    statistic: Exact,
    alternative: Alternative,
    noun: str,
    n: int = 1,
    *,
    moves: str = "swaps",
) -> str:
    """Write a p-value as one plain sentence.

    ``share`` is its percentage, ``noun`` what a value of the statistic is, ``n`` the number of
    pairs of a sum; ``moves`` says what is exchanged.

    >>> in_words("2.13%", -10, "two-sided", "a difference", 60)
    '2.13% of all swaps give a difference of 10 or more (mean 0.167) in either direction.'
    """
    low, high = sides(alternative)
    value = readable(statistic)
    if low and high and not centred(alternative):
        return f"{share} is twice the share of {moves} at least as far on the side of {value}, or 100%."
    if low and high and noun == RANKS:  # its mean under swaps is not 0
        return f"{share} of all {moves} give {noun} as far from its mean as {value}, or farther."
    size = max(statistic, -statistic) if low and high else statistic
    mean = (
        f" (mean {short(Fraction(decimal_string(Fraction(size) / n, 3)))})"
        if noun == SUM and n > 1
        else ""
    )
    either = " in either direction" if low and high else ""
    return f"{share} of all {moves} give {noun} of {readable(size)} or {'more' if high else 'less'}{mean}{either}."


def estimate_text(
    result: MonteCarloResult,
    question: Question,
    *,
    alternative: Alternative,
    seed: int,
    seconds: float,
) -> str:
    """Write a Monte Carlo estimate in a few lines of plain text; see :func:`text`."""
    rows = [
        *result.rows(words=question.words, seed=seed),
        (
            "items" if question.design else "pairs",
            str(question.source.items),
        ),
        *([("design", question.design)] if question.design else []),
    ]
    table = _table(f"{result.heading}, {alternative}", question, rows, [], seconds=seconds)
    return "\n".join([*map(printable, filter(None, [ahead(question)])), table])


def estimate_dict(result: MonteCarloResult, *, alternative: str, seed: int) -> dict[str, Any]:
    """Return a Monte Carlo estimate in a JSON-ready form."""
    return {
        "method": "monte-carlo",
        "exact": False,
        "estimate": exact_text(result.pvalue),
        "interval": [exact_text(end) for end in result.interval()],
        "confidence": "0.95",
        "count": result.count,
        "samples": result.samples,
        "seed": seed,
        "statistic": exact_text(result.statistic),
        "alternative": alternative,
    }


def probability(p: Fraction | Enclosure) -> Any:
    """Return a p-value, or the bracket of one, as records hold it."""
    return exact_text(p) if isinstance(p, Fraction) else bracket_text(p)


def bracket_text(bracket: Enclosure) -> list[Any]:
    """Return [lower, upper, power of two] of a bracket as records hold it."""
    lower, upper, exponent = bracket
    return [exact_text(lower), exact_text(upper), exponent]


def _table(title: str, question: Question, rows: Rows, last: Rows, *, seconds: float) -> str:
    """Write a table: what was read, the ``rows`` of a result, the time and the ``last`` ones."""
    read = [*question.source.rows(), *(question.back.rows() if question.back else [])]
    return "\n".join(lines(title, [*read, *rows, ("time", elapsed(seconds)), *last]))


def json_text(data: dict[str, Any]) -> str:
    """Write JSON with one line for each entry of ``data``, however long its lists are."""
    import json

    inside = ",\n".join(
        f"  {json.dumps(name)}: {json.dumps(value, allow_nan=False)}"
        for name, value in data.items()
    )
    return f"{{\n{inside}\n}}"
