"""Write results as text, JSON, CSV and pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from ..arithmetic.quoting import printable, short_integer
from ..arithmetic.writing import READABLE, decimal_string, exact_text, fraction_text, number_text, readable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..arithmetic.rational import Exact
    from ..compare import Leaderboard
    from ..fast import FloatResult
    from ..null.distribution import NullDistribution
    from ..null.result import PermutationTestResult
    from .columns import Question, Source


_NUMBER = r"[+-]?\d*\.?\d+"


# ---------------------------------------------------------------------------------------------- a result


def elapsed(seconds: float) -> str:
    """Write a time span for people.

    >>> elapsed(0.00123), elapsed(12.345)
    ('1.2 ms', '12.35 s')
    """
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def text(
    result: PermutationTestResult, question: Question, *, seconds: float, digits: int = 10, midp: Fraction | None = None
) -> str:
    """Write a result in a few lines of plain text.

    ``question`` says what was tested, ``seconds`` is the time taken, ``digits`` the number of significant digits of the
    decimal p-value, which is correctly rounded. ``midp`` is the mid-p value where it is wanted.
    """
    p = result.pvalue
    units = f" in {result.n_units} groups" if result.n_units != result.n else ""
    ties = result.n_units - result.n_nonzero
    return _table(
        f"Exact paired-permutation test, {result.alternative}",
        *_data(question.source),
        ("pairs", f"{result.n}{units}, {ties} tied"),
        ("statistic", f"{_value(result.statistic)} ({question.words})"),
        ("p-value", decimal_string(p, digits)),
        ("exactly", fraction_text(p)),
        *([] if midp is None else [("mid-p value", f"{decimal_string(midp, digits)} = {fraction_text(midp)}")]),
        ("assignments", f"{short_integer(result.count, 24)} of 2^{result.n_units} at least as extreme"),
        ("log10 p", f"{result.log10_pvalue:.10g}"),
        ("engine", f"{result.method}, {elapsed(seconds)}"),
    )


def float_text(result: FloatResult, question: Question, *, seconds: float, refused: str | None = None) -> str:
    """Write a result of the certified float path in a few lines of plain text; see :func:`text`.

    ``refused`` says why the exact count was not made, where it was wanted.
    """
    instead = "" if refused is None else ": the exact count was refused"
    lower, upper = result.decimal_bracket()
    nearest = f"{result.pvalue!r}{', correctly rounded' if result.correctly_rounded else ''}"
    return _table(
        f"Paired-permutation test with a certified bracket, {result.alternative}{instead}",
        *_data(question.source),
        ("pairs", str(result.n)),
        ("statistic", f"{_value(result.statistic)} ({question.words})"),
        ("p-value", lower if lower == upper else f"between {lower} and {upper}"),
        ("as a float", nearest if result.pvalue else "too small for one"),
        ("log10 p", f"{result.log10_pvalue:.10g}"),
        ("engine", f"certified floats, {elapsed(seconds)}"),
        *([] if refused is None else [("exact count", refused)]),
    )


def _data(source: Source) -> list[tuple[str, str]]:
    return [("data", source.columns()), *source.notes()]


def _value(value: Exact) -> str:
    text = number_text(value)
    return f"{readable(value)} = {text}" if "/" in text and len(text) <= READABLE else readable(value)


def _table(title: str, *rows: tuple[str, str]) -> str:
    return "\n".join([title, *(f"  {name:<12} {printable(value)}" for name, value in rows)])


def json_text(data: dict[str, Any]) -> str:
    """Write JSON with one line for each entry of ``data``, however long its lists are."""
    import json

    inside = ",\n".join(f"  {json.dumps(name)}: {json.dumps(value, allow_nan=False)}" for name, value in data.items())
    return f"{{\n{inside}\n}}"


# ---------------------------------------------------------------------------------------------- a distribution


def csv_lines(null: NullDistribution) -> Iterator[str]:
    """Write a distribution as CSV: value, number of assignments and probability, exact, and two decimals to 17 digits.

    The exact numbers are text that :func:`exactperm.arithmetic.reading.exact` or, beyond 600 digits,
    ``parse_exact`` reads back.
    """
    yield "value,count,probability,value_decimal,probability_decimal"
    for value, count in null.items():
        p = Fraction(count, null.total)
        exactly = f"{number_text(value)},{exact_text(count)},{exact_text(p)}"
        yield f"{exactly},{decimal_string(value, 17)},{decimal_string(p, 17)}"


def distribution_dict(null: NullDistribution) -> dict[str, Any]:
    """Return a distribution as JSON-ready lists; ``NullDistribution.from_dict`` reads it back."""
    return {
        **null.to_dict(),
        "probabilities": [exact_text(Fraction(count, null.total)) for count in null.counts],
        "mean": exact_text(null.mean),
        "variance": exact_text(null.variance),
    }


def picture(null: NullDistribution, result: PermutationTestResult, question: Question) -> str:
    """Draw a distribution as SVG: the observed value marked, the tail behind the p-value shaded."""
    from ..null.picture import tail_picture

    title = f"Null distribution, {result.n} pairs of {question.source.columns()}"
    return tail_picture(null, result, title, question.words)


# ---------------------------------------------------------------------------------------------- a leaderboard


def leaderboard_text(board: Leaderboard, alpha: Exact, source: Source) -> Iterator[str]:
    """Write the comparisons as a table in plain text; a star marks adjusted p-values of at most ``alpha``."""
    header = ("first", "second", "difference", "p", f"adjusted ({board.adjust})", "")
    rows = [
        (
            printable(row.first),
            printable(row.second),
            readable(row.statistic),
            decimal_string(row.pvalue, 4),
            decimal_string(row.adjusted, 4),
            {True: "*", False: "", None: "?"}[row.significant(alpha)],
        )
        for row in board
    ]
    widths = [max(map(len, column)) for column in zip(header, *rows)]
    exact = all(row.adjusted_lower is None for row in board)
    tests = f"{len(board)} {'exact' if exact else 'certified'} paired-permutation tests, {board.alternative}"
    bounds = "" if exact else ", ? undecided; adjusted: upper bounds"
    yield f"{printable(source.name)}: {tests}; * adjusted p <= {number_text(alpha)}{bounds}"
    yield printable("; ".join(f"{name}: {said}" for name, said in source.notes()))
    for row in (header, *rows):
        yield "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths)).rstrip()


def leaderboard_dict(board: Leaderboard, alpha: Exact, source: Source) -> dict[str, Any]:
    """Return the comparisons as a JSON-ready table, each row with its decision at the level ``alpha``."""
    return {**board.to_dict(), "rows": _rows(board, alpha), "alpha": exact_text(alpha), **source.to_dict()}


def _rows(board: Leaderboard, alpha: Exact) -> list[dict[str, Any]]:
    return [{**row.to_dict(), "significant": row.significant(alpha)} for row in board]


def leaderboard_csv(board: Leaderboard, alpha: Exact, _source: Source) -> Iterator[str]:
    """Write the same as CSV: the exact numbers, their decimals, and the decision.

    A name that a spreadsheet would run as a formula gets an apostrophe in front.
    """
    rows = _rows(board, alpha)
    yield ",".join(rows[0])
    for row in rows:
        yield ",".join([_cell(row.pop("first")), _cell(row.pop("second")), *map(str, row.values())])


def _cell(name: str) -> str:
    """Write a name as a CSV cell: printable, quoted where necessary, and no formula.

    >>> _cell("=cmd()|x"), _cell("-1.5"), _cell("a,b")
    ("'=cmd()|x", '-1.5', '"a,b"')
    """
    name = printable(name)
    if name.startswith(("=", "+", "-", "@")) and not re.fullmatch(_NUMBER, name, re.ASCII):
        name = f"'{name}"
    if any(mark in name for mark in ',"'):
        name = '"{}"'.format(name.replace('"', '""'))
    return name
