"""A result in words, as JSON and CSV; the picture is in :mod:`exactperm.svg`."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ..arithmetic.quoting import short_integer
from ..arithmetic.writing import READABLE, decimal_string, exact_text, fraction_text, number_text, readable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..arithmetic.rational import Exact
    from ..compare import Leaderboard
    from ..fast import FloatResult
    from ..null.distribution import NullDistribution
    from ..null.result import PermutationTestResult


# ---------------------------------------------------------------------------------------------- numbers


def elapsed(seconds: float) -> str:
    """A time span for people.

    >>> elapsed(0.00123), elapsed(12.345)
    ('1.2 ms', '12.35 s')
    """
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


# ---------------------------------------------------------------------------------------------- a result


def text(result: PermutationTestResult, *, source: str, statistic: str, seconds: float, digits: int = 10) -> str:
    """The result in a few lines of plain text.

    ``source`` says what was tested, ``statistic`` names it, ``seconds`` is the time taken, ``digits`` the significant
    digits of the decimal p-value, which is correctly rounded.
    """
    p = result.pvalue
    units = f" in {result.n_units} groups" if result.n_units != result.n else ""
    ties = result.n_units - result.n_nonzero
    return _table(
        f"Exact paired-permutation test, {result.alternative}",
        ("data", source),
        ("pairs", f"{result.n}{units}, {ties} tied"),
        ("statistic", f"{_value(result.statistic)} ({statistic})"),
        ("p-value", decimal_string(p, digits)),
        ("exactly", fraction_text(p)),
        ("assignments", f"{short_integer(result.count, 24)} of 2^{result.n_units} at least as extreme"),
        ("log10 p", f"{result.log10_pvalue:.10g}"),
        ("engine", f"{result.method}, {elapsed(seconds)}"),
    )


def float_text(result: FloatResult, *, source: str, statistic: str, seconds: float) -> str:
    """A result of the float path in a few lines of plain text; arguments as for :func:`text`."""
    lower, upper = result.decimal_bracket()
    nearest = f"{result.pvalue!r}{', correctly rounded' if result.correctly_rounded else ''}"
    return _table(
        f"Paired-permutation test with a certified bracket, {result.alternative}",
        ("data", source),
        ("pairs", str(result.n)),
        ("statistic", f"{_value(result.statistic)} ({statistic})"),
        ("p-value", lower if lower == upper else f"between {lower} and {upper}"),
        ("as a float", nearest if result.pvalue else "too small for one"),
        ("log10 p", f"{result.log10_pvalue:.10g}"),
        ("engine", f"float, {elapsed(seconds)}"),
    )


def _value(value: Exact) -> str:
    text = number_text(value)
    return f"{readable(value)} = {text}" if "/" in text and len(text) <= READABLE else readable(value)


def _table(title: str, *rows: tuple[str, str]) -> str:
    return "\n".join([title, *(f"  {name:<12} {value}" for name, value in rows)])


def json_text(data: dict[str, Any]) -> str:
    """JSON with one line for each entry of ``data``, however long its lists are."""
    import json

    inside = ",\n".join(f"  {json.dumps(name)}: {json.dumps(value, allow_nan=False)}" for name, value in data.items())
    return f"{{\n{inside}\n}}"


# ---------------------------------------------------------------------------------------------- a distribution


def csv_lines(null: NullDistribution) -> Iterator[str]:
    """The distribution as CSV: value, number of assignments and probability, exact, and two decimals to 17 digits.

    The exact numbers are text that :func:`exactperm.arithmetic.reading.exact` or, beyond 4,000 digits,
    ``parse_exact`` reads back.
    """
    yield "value,count,probability,value_decimal,probability_decimal"
    for value, count in null.items():
        p = Fraction(count, null.total)
        exactly = f"{number_text(value)},{exact_text(count)},{exact_text(p)}"
        yield f"{exactly},{decimal_string(value, 17)},{decimal_string(p, 17)}"


def distribution_dict(null: NullDistribution) -> dict[str, Any]:
    """The distribution as JSON-ready lists; ``NullDistribution.from_dict`` reads it back."""
    return {
        **null.to_dict(),
        "probabilities": [exact_text(Fraction(count, null.total)) for count in null.counts],
        "mean": exact_text(null.mean),
        "variance": exact_text(null.variance),
    }


# ---------------------------------------------------------------------------------------------- a leaderboard


def leaderboard_text(board: Leaderboard, alpha: Exact, source: str) -> list[str]:
    """The comparisons as a table in plain text; a star marks rows whose adjusted p-value is at most ``alpha``."""
    header = ("first", "second", "difference", "p", f"adjusted ({board.adjust})", "")
    rows = [
        (
            row.first,
            row.second,
            readable(row.statistic),
            decimal_string(row.pvalue, 4),
            decimal_string(row.adjusted, 4),
            "*" if row.adjusted <= alpha else "",
        )
        for row in board
    ]
    widths = [max(map(len, column)) for column in zip(header, *rows)]
    lines = ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths)).rstrip() for row in (header, *rows)]
    tests = f"{len(board)} exact paired-permutation tests, {board.alternative}"
    return [f"{source}: {tests}; * adjusted p <= {number_text(alpha)}", *lines]


def leaderboard_rows(board: Leaderboard, alpha: Exact) -> list[dict[str, Any]]:
    """The comparisons as JSON-ready rows, each with its decision at the level ``alpha``."""
    return [{**row.to_dict(), "significant": row.adjusted <= alpha} for row in board]


def leaderboard_csv(board: Leaderboard, alpha: Exact) -> Iterator[str]:
    """The same as CSV: the exact numbers, their decimals, and the decision."""
    import csv
    import io

    rows = leaderboard_rows(board, alpha)
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return iter(buffer.getvalue()[:-1].split("\n"))  # a name may hold the other characters that end lines
