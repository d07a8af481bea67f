"""What the page shows of a result: headline, rows, tables; every text of a file made printable."""

from __future__ import annotations

from decimal import Decimal

from .._types import TYPE_CHECKING
from ..arithmetic.quoting import printable
from ..arithmetic.rational import Exact
from ..arithmetic.writing import decimal_string, exact_text, fraction_text, number_text
from ..files import report
from ..files.listing import short
from ..files.question import Question
from ..null.result import PermutationTestResult
from .controls import Answer, cut

if TYPE_CHECKING:
    from ..auditing.findings import Finding
    from ..compare import Leaderboard
    from ..null.float_result import FloatResult


_PLAIN = -5
"""The least power of ten of a number that is shown without it."""


def of_test(
    result: PermutationTestResult | FloatResult, question: Question, digits: int, refused: str
) -> Answer:
    """Return the headline of a test: who is ahead, the p-value in three digits and in more, and a sentence.

    A bracket has no fraction, and says why the exact count was ``refused``.
    """
    found: Answer = {
        "ahead": printable(report.ahead(question)),
        "words": printable(report.sentence(result, question)),
        "sentence": report.for_a_text(result, question),
        "refused": printable(refused),
    }
    if isinstance(result, PermutationTestResult):
        p = result.pvalue
        kind, ends = "Exact p-value", (p, p)
        shown = [decimal_string(p, digits)]
        found.update(fraction=fraction_text(p), whole=exact_text(p))
    else:
        kind, ends = "Certified bracket of the p-value", result.bracket.ends()
        shown = [_plain(end) for end in dict.fromkeys(result.decimal_bracket())]
    short = dict.fromkeys(decimal_string(end, 3) for end in ends)
    return {
        **found,
        "kind": f"{kind}, {result.alternative}",
        "p": list(map(_plain, short)),
        "digits": " to ".join(shown),
    }


def rows(
    result: PermutationTestResult | FloatResult, question: Question, seconds: float, line: str
) -> list[tuple[str, str]]:
    """Return the rows below the p-value: what was read, what was counted, and the line that an audit reads."""
    back = question.back.rows() if question.back else []
    counted = [row for row in result.rows(words=question.words) if row[0] != "p-value"]
    engine = getattr(result, "method", "certified floats")
    last = [("engine", engine), ("time", report.elapsed(seconds)), ("for an audit", line)]
    return list(map(fact, [*back, *question.source.rows(), *counted, *last]))


def fact(row: tuple[str, str]) -> tuple[str, str]:
    """Return one row of a result for the page: its title and its text."""
    title, text = row
    return f"{title[0].upper()}{title[1:]}", printable(text)


def _plain(decimal: str) -> str:
    """Return a decimal without a power of ten, where that is readable.

    >>> _plain("7.39e-02"), _plain("7.39e-60")
    ('0.0739', '7.39e-60')
    """
    return format(Decimal(decimal), "f") if Decimal(decimal).adjusted() >= _PLAIN else decimal


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
