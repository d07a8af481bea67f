"""What the page shows of a result: headline, rows, tables; every text of a file made printable."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .._types import TYPE_CHECKING
from ..arithmetic.quoting import printable
from ..arithmetic.rational import Exact
from ..arithmetic.writing import exact_text, number_text
from ..display.frame import MINUS
from ..files import answer
from ..files.question import Question
from ..files.table import short
from ..null.result import PermutationTestResult
from .controls import Answer, cut

if TYPE_CHECKING:
    from ..auditing.finding import Finding
    from ..compare import Leaderboard
    from ..null.float_result import FloatResult


def of_test(
    result: PermutationTestResult | FloatResult, question: Question, digits: int, refused: str
) -> Answer:
    """Return the headline of a test, in the words of the command line: who is ahead, the p-value, and two sentences.

    ``whole`` is the exact fraction; a bracket has none, and says why the exact count was ``refused``.
    """
    whole = exact_text(result.pvalue) if isinstance(result, PermutationTestResult) else ""
    return {
        "ahead": signed(answer.ahead(question)),
        "kind": result.heading,
        "p": answer.share_text(result),
        "known": answer.pvalue_line(result, digits),
        "whole": whole,
        "words": printable(answer.sentence(result, question)),
        "sentence": answer.for_a_text(result, question),
        "refused": printable(refused),
    }


def rows(
    result: PermutationTestResult | FloatResult, question: Question, seconds: float, line: str
) -> list[list[str]]:
    """Return the rows below the p-value: what was read, what was counted, and the line that an audit reads."""
    source, counted = question.source, result.rows(words=answer.compared(result, question))
    below = [row for row in counted if row[0] not in ("p-value", "log10 p")]
    shown = [*source.rows(), *source.back(), *below, ("time", answer.elapsed(seconds))]
    return printed(shown) + [["for an audit", printable(line)]] * bool(line)


def printed(rows: Iterable[Iterable[str]]) -> list[list[str]]:
    """Return rows of texts that are fit to be shown."""
    return [list(map(signed, row)) for row in rows]


def signed(text: str) -> str:
    """Return a text that is fit to be shown, with a true minus sign before negative numbers.

    >>> signed("a - b: -0.5 to 1e-3")
    'a - b: \N{MINUS SIGN}0.5 to 1e-3'
    """
    return re.sub(r"(?<![\w.-])-(?=[\d.])", MINUS, printable(text))


def leaderboard(board: Leaderboard, alpha: Exact, means: dict[str, Exact]) -> Answer:
    """Return the headline of a leaderboard, the means of its systems, and its tests."""
    best, decided = max(means.values()), [row.significant(alpha) for row in board]
    tests = []
    for row, cells, sure in zip(board, board.rows(), decided):
        better = row.first if row.statistic > 0 else row.second
        words = {True: better, False: "no decision", None: "undecided"}[sure]
        shift = _signed(means[row.first] - means[row.second])
        tests.append(list(map(cut, [*cells[:2], shift, *cells[3:], words])))
    few, open_ones = f"{decided.count(True)} of {len(board)}", decided.count(None)
    undecided = f", {open_ones} undecided" if open_ones else ""
    ranked = sorted(means.items(), key=lambda mean: -mean[1])
    return {
        "kind": board.heading,
        "p": few,
        "words": f"{few} pairs of systems differ at level {number_text(alpha)}{undecided}; adjusted by {board.adjust}.",
        "means": [[cut(name), _signed(mean), _signed(mean - best)] for name, mean in ranked],
        "tests": tests,
    }


def _signed(value: Exact) -> str:
    return short(value).replace("-", MINUS)


def verdict(finding: Finding) -> Answer:
    """Return the verdict on a published p-value: the letter, and what it rests on."""
    letter = list(finding.letter())
    rest = map(": ".join, finding.rows()[len(letter) :])
    return {
        "heap": finding.heap,
        "differs": finding.decision_differs,
        "details": list(map(printable, [*letter, *rest])),
    }
