"""What the page shows of a result: headline, rows, tables; every text of a file made printable."""

from __future__ import annotations

from decimal import Decimal

from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import printable
from ..arithmetic.rational import Exact
from ..arithmetic.writing import decimal_string, exact_text, fraction_text, number_text
from ..errors import Cure
from ..files import report
from ..files.listing import short
from ..files.question import Question
from ..files.source import Source
from .controls import Answer, cured, cut

if TYPE_CHECKING:
    from ..auditing.findings import Finding
    from ..compare import Leaderboard
    from ..null.float_result import FloatResult
    from ..null.result import PermutationTestResult


_PLAIN = -5
"""The least power of ten of a number that is shown without it."""


def exact(result: PermutationTestResult, question: Question, digits: int) -> Answer:
    """Return an exact p-value, with its fraction, what it says, and the rows below it."""
    return {
        "kind": f"Exact p-value, {result.alternative}",
        "p": [decimal_string(result.pvalue, digits)],
        "fraction": fraction_text(result.pvalue),
        "whole": exact_text(result.pvalue),
        "words": _in_words(result, question),
        "facts": _facts(result, question, result.method),
    }


def certified(result: FloatResult, question: Question, refusal: str) -> Answer:
    """Return a certified bracket, why it is no count, what it says, and the rows below it."""
    lower, upper = result.decimal_bracket()
    return {
        "kind": f"Certified bracket of the p-value, {result.alternative}",
        "p": [_plain(lower)] if lower == upper else [_plain(lower), _plain(upper)],
        "refused": printable(refusal),
        "words": _in_words(result, question),
        "facts": _facts(result, question, "certified floats"),
    }


def _facts(
    result: PermutationTestResult | FloatResult, question: Question, engine: str
) -> list[list[Any]]:
    """Return the rows of a result below the p-value, which stands above them."""
    rows = [*result.rows(words=question.words)[1:], ("engine", engine)]
    return [fact(label, words) for label, words in rows]


def _in_words(result: PermutationTestResult | FloatResult, question: Question) -> str:
    return printable(report.sentence(result, question))


def _plain(decimal: str) -> str:
    """Return a decimal without a power of ten, where that is readable.

    >>> _plain("7.39e-02"), _plain("7.39e-60")
    ('0.0739', '7.39e-60')
    """
    return format(Decimal(decimal), "f") if Decimal(decimal).adjusted() >= _PLAIN else decimal


def how_read(source: Source) -> list[list[Any]]:
    """Return how the files were read, and what may not be meant, each with its cure."""
    return [fact(title, text) for title, text in source.rows()]


def fact(title: str, text: str, cure: Cure | None = None) -> list[Any]:
    """Return one row of a result: its title, its text, and what reads the data otherwise."""
    return [
        f"{title[0].upper()}{title[1:]}",
        printable(text),
        None if cure is None else cured(cure),
    ]


def leaderboard(board: Leaderboard, alpha: Exact, means: dict[str, Exact]) -> Answer:
    """Return the headline of a leaderboard, the means of its systems, and its tests with the places that sort them."""
    from ..compare import upper_text
    from ..display.table import places

    ranked = sorted(means, key=lambda name: -means[name])
    decided = [row.significant(alpha) for row in board]
    counted = all(row.adjusted_lower is None for row in board)
    bound, open_ones = "" if counted else "at most ", decided.count(None)
    rows = []
    for row, sure in zip(board, decided):
        p, adjusted = decimal_string(row.pvalue, 4), f"{bound}{_plain(upper_text(row))}"
        better = row.first if row.statistic > 0 else row.second
        decision = {True: cut(better), False: "no decision", None: "undecided"}[sure]
        shift = _signed(means[row.first] - means[row.second])
        rows.append([cut(row.first), cut(row.second), shift, p, adjusted, decision])
    keys = [
        (row.first, row.second, row.statistic, row.pvalue, row.adjusted, cells[-1])
        for row, cells in zip(board, rows)
    ]
    few = f"{decided.count(True)} of {len(board)}"
    undecided = f", {open_ones} undecided" if open_ones else ""
    return {
        "kind": f"{len(board)} {'exact' if counted else 'certified'} tests, {board.alternative}",
        "p": [few],
        "words": f"{few} pairs of systems differ at level {number_text(alpha)}{undecided}; adjusted by {board.adjust}.",
        "means": [
            [cut(name), _signed(means[name]), _signed(means[name] - means[ranked[0]])]
            for name in ranked
        ],
        "tests": rows,
        "order": list(zip(*map(places, zip(*keys)))),
    }


def _signed(value: Exact) -> str:
    return short(value).replace("-", "\N{MINUS SIGN}")


def verdict(finding: Finding, printed: str) -> Answer:
    """Return the verdict on a ``printed`` p-value."""
    from ..auditing.findings import REASONS

    told = [finding.statistic.sentence] if finding.statistic else []
    return {
        "level": finding.level,
        "printed": printable(printed),
        "exact": finding.to_dict()["exact_decimal"],
        "reason": REASONS[finding.reason],
        "details": [printable(line) for line in (*told, *finding.evidence())],
    }
