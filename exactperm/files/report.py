"""Write results as text, JSON, CSV and pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import printable
from ..arithmetic.rational import Exact
from ..arithmetic.reading import exact
from ..arithmetic.writing import decimal_string, exact_text, number_text, readable
from ..display.table import lines
from ..null.alternative import Alternative, centred, sides

if TYPE_CHECKING:
    from ..arithmetic.enclosure import Enclosure
    from ..intervals.confidence import ConfidenceInterval
    from ..montecarlo.sampling import MonteCarloResult
    from ..null.float_result import FloatResult
    from ..null.result import PermutationTestResult
    from .columns import Question, Source


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

_SHORT = 8
"""Longest level that is written in full."""

_LEAST_PERCENT = Fraction(1, 10**6)
"""Least share that is written in percent."""


# ----------------------------------------------------------------------------------------- a result


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
    refused: str | None = None,
    mark: str = "",
    **shown: Any,
) -> str:
    """Write a result in a few lines of plain text.

    ``question`` says what was tested, ``seconds`` is the time taken, ``line`` reports the test,
    ``refused`` says why an exact count was not made. ``mark`` is what a front end puts before a
    setting, ``shown`` are options of the result's rows.
    """
    last = [
        *([] if refused is None else [("exact count", refused)]),
        ("in words", sentence(result, question)),
    ]
    rows = result.rows(words=question.words, **shown)
    return _table(result.heading, question, rows, last, seconds=seconds, line=line, mark=mark)


def sentence(result: PermutationTestResult | FloatResult, question: Question) -> str:
    """Return a p-value as one plain sentence."""
    about = (share(result), result.statistic, result.alternative, question.noun, len(question.u))
    return in_words(*about, moves=_MOVES.get(question.design, "swaps"))


def share(result: PermutationTestResult | FloatResult) -> str:
    """Write the p-value in percent, once where its bounds agree to three digits."""
    from ..null.result import PermutationTestResult

    ends = (
        [result.pvalue] * 2 if isinstance(result, PermutationTestResult) else result.bracket.ends()
    )
    low, high = map(percent, ends)
    return low if low == high else f"{low} to {high}"


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
    mark: str = "",
) -> str:
    """Write a Monte Carlo estimate in a few lines of plain text; see :func:`text`."""
    rows = [
        *result.rows(words=question.words, seed=seed),
        (
            "items" if question.design else "pairs",
            str(question.source.pairs - question.source.dropped),
        ),
        *([("design", question.design)] if question.design else []),
    ]
    return _table(
        f"{result.heading}, {alternative}", question, rows, [], seconds=seconds, mark=mark
    )


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


def _levels(question: Question) -> list[tuple[str, str]]:
    """Return the row of what each system reaches."""
    if len(question.levels) < 2:
        return [("mean", short(value)) for _name, value in question.levels]
    title = "systems" if question.noun.startswith("a difference of") else "means"
    return [(title, ", ".join(f"{name} {short(value)}" for name, value in question.levels))]


def short(value: Exact) -> str:
    """Write a level: in full where it is short, else with six digits."""
    text = number_text(value)
    return text if len(text) <= _SHORT and "/" not in text else decimal_string(value, 6)


def bracket_text(bracket: Enclosure) -> list[Any]:
    """Return [lower, upper, power of two] of a bracket as records hold it."""
    lower, upper, exponent = bracket
    return [exact_text(lower), exact_text(upper), exponent]


def _table(
    title: str,
    question: Question,
    rows: Rows,
    last: Rows,
    *,
    seconds: float,
    line: str = "",
    mark: str = "",
) -> str:
    """Write a table, the line for a paper, and last what the reader should doubt.

    Its rows say what was read, the ``rows`` of a result, the time and the ``last`` ones.
    """
    read = [*question.source.rows(mark), *_levels(question)]
    table = lines(title, [*read, *rows, ("time", elapsed(seconds)), *last])
    return "\n".join([*table, *([line] if line else []), *doubts_of(question.source, mark)])


def doubts_of(source: Source, mark: str = "") -> list[str]:
    """Return lines that tell what may make the answer another than was meant."""
    return [printable(f"note: {note.said(mark)}") for note in source.warnings]


def json_text(data: dict[str, Any]) -> str:
    """Write JSON with one line for each entry of ``data``, however long its lists are."""
    import json

    inside = ",\n".join(
        f"  {json.dumps(name)}: {json.dumps(value, allow_nan=False)}"
        for name, value in data.items()
    )
    return f"{{\n{inside}\n}}"


def file_names(source: Source) -> str:
    """Return the names of the files without their folders, as the title of a picture has room for them."""
    return ", ".join(re.split(r"[/\\]", file.name)[-1] for file in source.files)


def interval_text(
    interval: ConfidenceInterval, question: Question, *, seconds: float, mark: str = ""
) -> str:
    """Write an interval in a few lines of plain text, with the sentence for a paper; see :func:`text`."""
    rejected = number_text(exact(1 - Fraction(interval.confidence)))
    words = f"At the level {rejected} the test rejects that the difference is any number outside, and none inside."
    rows = interval.rows(words=question.words.replace("sum of", "mean of"))
    line = interval.sentence(decimals=question.source.decimals)
    return _table(
        interval.heading,
        question,
        rows,
        [("in words", words)],
        seconds=seconds,
        line=line,
        mark=mark,
    )
