"""Answer the requests of the page, JSON in and JSON out; the same in a browser's worker and in CPython.

A request names what to do and its settings, whose words are those of the command line. An answer is
an object, with "error" where the request is refused. Every text that comes from the user's files is
made printable.
"""

from __future__ import annotations

import json
import platform
import re
import time
from collections.abc import Iterable
from contextlib import suppress

from .. import __version__
from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import printable
from ..arithmetic.rational import Exact
from ..arithmetic.reading import level
from ..arithmetic.writing import exact_text, number_text
from ..budget import Budget, Progress
from ..display.frame import MINUS
from ..errors import ExactPermError
from ..files import answer, question, sources
from ..files.choice import Series, choose
from ..files.json_text import dumped
from ..files.question import Question
from ..files.reading import FORMS, SYSTEMS
from ..files.table import short
from ..null.result import PermutationTestResult
from ..record import replaced
from . import controls
from .controls import Answer, Request

if TYPE_CHECKING:
    from ..auditing.finding import Finding
    from ..compare import Leaderboard
    from ..null.float_result import FloatResult

_MOST_SYSTEMS = 60
"""A leaderboard of more has thousands of rows, which a page shows slowly."""
_MOST_DIGITS = 1000
_RECOUNTED = Budget(seconds=600, bytes=2**31)
"""Least limits of a recount: those of the command line, whose brackets depend on them."""


class Session:
    """The files that the page has opened, and the last result with its question: to be drawn, or judged."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}
        self._last: Any = None
        self._progress: Progress | None = None

    def about(self) -> str:
        """Return, as JSON, the versions, the statistics with the columns they take, and all settings with choices."""
        python = f"{platform.python_implementation()} {platform.python_version()}"
        return json.dumps({"version": __version__, "python": python, **controls.offer()})

    def open(self, name: str, data: Any) -> None:
        """Keep the content of a file, in place of the one that had its name; ``data`` is anything that holds bytes."""
        self._files[name] = bytes(data)

    def handle(self, request: str, progress: Progress | None = None) -> str:
        """Answer one request, given and returned as JSON; ``progress`` is called with (done, total)."""
        asked = json.loads(request)
        self._progress = progress
        try:
            found = _WORK[asked["do"]](self, asked)
        except ExactPermError as error:
            found = controls.refusal(error)
        return json.dumps(found)

    def _look(self, asked: Request) -> Answer:
        """Return the columns of the first file with what they hold, and those that the test takes unasked.

        Of a long table whose three columns are named the systems are the columns to choose.
        """
        choice = controls.reading({**asked, "columns": []})
        form = FORMS[asked["statistic"]]
        tables = sources.tables_of(self._contents(asked), choice, labels=form.kind == "labels")
        table = controls.start(tables[0])
        fields = columns = controls.offers(table)
        if asked["unpaired"]:  # no ids are needed
            choice = replaced(choice, id=choice.system, by="row" if tables[1:] else None)
        found: list[Series] = []
        with suppress(ExactPermError):
            if choice.runs is None:
                found = choose(tables, choice, SYSTEMS if choice.system else form)
        if choice.system:
            columns = list(map(controls.offered, found)) or fields
            taken = [one.name for one in found if len(found) in form.numbers]
        else:
            first = [one for one in found if one.table.name == table.name]
            taken = [one.table.word(i) for one in first for i, _rows in one.parts]
        return {
            "fields": fields,
            "columns": columns,
            "all": table.width,
            "rows": tables[0].rows,
            "described": table.rows,
            "taken": taken,
        }

    def _test(self, asked: Request) -> Answer:
        """Return the exact p-value, or a certified bracket where the count is refused, with its report and record."""
        self._last = None
        digits = controls.whole(asked, "digits", _MOST_DIGITS)
        choice = controls.reading(asked)
        statistic, contents, side = asked["statistic"], self._contents(asked), asked["alternative"]
        if asked["unpaired"]:
            strata = asked["strata"] or None
            posed = question.two_samples(contents, statistic, choice, strata=strata)
        else:
            posed = question.question(contents, statistic, choice)
        start = time.perf_counter()
        result, why = answer.answered(
            posed,
            statistic,
            alternative=side,
            decimals=choice.decimals,
            budget=controls.budget(asked),
            progress=self._progress,
        )
        seconds = time.perf_counter() - start
        line = answer.line(result, posed)
        interval = (
            answer.quick_interval(posed, statistic, decimals=choice.decimals)
            if side == "two-sided"
            else ""
        )
        self._last = result, posed
        return {
            **_of_test(result, posed, digits, why),
            "interval": _signs(" ".join(answer.interval_lines(interval, posed))),
            "facts": _rows(result, posed, seconds, line),
            "text": answer.text(
                result,
                posed,
                seconds=seconds,
                line=line,
                interval=interval,
                refused=why,
                digits=10 if why else digits,
            ),
            "record": dumped(
                answer.record(result, posed, why, **({"sentence": line} if line else {}))
            ),
            "time": answer.elapsed(seconds),
        }

    def _compare(self, asked: Request) -> Answer:
        """Return the tests of all pairs of systems, exact, or certified where a count is refused."""
        from ..files import leaderboards

        self._last = None
        alpha, choice = level(asked["alpha"].strip()), controls.reading(asked)
        found = question.systems(self._contents(asked), choice, most=_MOST_SYSTEMS)
        start = time.perf_counter()
        board, refused = leaderboards.compared(
            found.systems,
            alternative=asked["alternative"],
            adjust=asked["adjust"],
            decimals=choice.decimals,
            budget=controls.budget(asked),
            progress=self._progress,
            **found.units,
        )
        seconds, source = answer.elapsed(time.perf_counter() - start), found.source
        why = {"refused": refused} if refused else {}
        rows = [("items", str(source.items)), *source.rows(), ("time", seconds)]
        return {
            **_leaderboard(board, alpha, dict(found.levels)),
            "refused": printable(refused),
            "facts": _printed(rows),
            "record": dumped({**leaderboards.to_dict(board, alpha, source), **why}),
            "svg": leaderboards.picture(board, alpha, source),
            "text": "\n".join(leaderboards.text(board, alpha, source, refused)),
            "time": seconds,
        }

    def _draw(self, asked: Request) -> Answer:
        """Return the picture of the null distribution behind the last result."""
        from ..files import distributions

        result, posed = self._last
        budget = controls.budget(asked)
        found = distributions.found(result, posed, budget=budget, progress=self._progress)
        return {"svg": found.picture()}

    def _audit(self, asked: Request) -> Answer:
        """Return the verdict on a published p-value, from the data of the last result."""
        claim = {"id": "published", **controls.claim(asked, self._last[1])}
        try:
            from ..auditing.audit import audit_claim
        except ModuleNotFoundError:
            raise ExactPermError("this copy of exactperm is without auditing") from None
        return _verdict(audit_claim(claim, budget=controls.budget(asked)))

    def _recount(self, asked: Request) -> Answer:
        """Return how a record differs from a new count, "" where it does not."""
        ((name, data),) = self._contents(asked)
        record = answer.read_record(sources.decoded(data, name), name)
        limit = max(controls.budget(asked), _RECOUNTED, key=lambda budget: budget.seconds)
        return {"differs": printable(answer.recounted(record, budget=limit))}

    def _plan(self, asked: Request) -> Answer:
        """Return how many items a test of gains and losses needs for a power, and its picture."""
        from ..classical.power import items_needed, picture

        shares, side = (asked["gain"], asked["loss"]), asked["alternative"]
        budget = controls.budget(asked)
        n = items_needed(*shares, power=asked["power"], alternative=side, budget=budget)
        words = f"{n} items: from there on the {side} test has at least this power."
        return {"words": words, "svg": picture(n, *shares, alternative=side, budget=budget)}

    def _contents(self, asked: Request) -> list[tuple[str, bytes]]:
        return [(name, self._files[name]) for name in asked["files"]]


_WORK = {
    "look": Session._look,
    "test": Session._test,
    "compare": Session._compare,
    "draw": Session._draw,
    "audit": Session._audit,
    "recount": Session._recount,
    "plan": Session._plan,
}


# ---------------------------------------------------------------------------------------------- what is shown


def _of_test(
    result: PermutationTestResult | FloatResult, question: Question, digits: int, refused: str
) -> Answer:
    """Return the headline of a test, in the words of the command line: who is ahead, the p-value, and two sentences.

    ``whole`` is the exact fraction; a bracket has none, and says why the exact count was ``refused``.
    """
    whole = exact_text(result.pvalue) if isinstance(result, PermutationTestResult) else ""
    return {
        "ahead": _signs(answer.ahead(question)),
        "kind": result.heading,
        "p": answer.share_text(result),
        "known": answer.pvalue_line(result, digits),
        "whole": whole,
        "words": printable(answer.sentence(result, question)),
        "sentence": answer.for_a_text(result, question),
        "refused": printable(refused),
    }


def _rows(
    result: PermutationTestResult | FloatResult, question: Question, seconds: float, line: str
) -> list[list[str]]:
    """Return the rows below the p-value: what was read, what was counted, and the line that an audit reads."""
    source, counted = question.source, result.rows(words=answer.compared(result, question))
    below = [row for row in counted if row[0] not in ("p-value", "log10 p")]
    shown = [*source.rows(), *source.back(), *below, ("time", answer.elapsed(seconds))]
    return _printed(shown) + [["for an audit", printable(line)]] * bool(line)


def _printed(rows: Iterable[Iterable[str]]) -> list[list[str]]:
    """Return rows of texts that are fit to be shown."""
    return [list(map(_signs, row)) for row in rows]


def _signs(text: str) -> str:
    """Return a text that is fit to be shown, with a true minus sign before negative numbers.

    >>> _signs("a - b: -0.5 to 1e-3")
    'a - b: \N{MINUS SIGN}0.5 to 1e-3'
    """
    return re.sub(r"(?<![\w.-])-(?=[\d.])", MINUS, printable(text))


def _leaderboard(board: Leaderboard, alpha: Exact, means: dict[str, Exact]) -> Answer:
    """Return the headline of a leaderboard, the means of its systems, and its tests."""
    best, decided = max(means.values()), [row.significant(alpha) for row in board]
    tests = []
    for row, cells, sure in zip(board, board.rows(), decided):
        better = row.first if row.statistic > 0 else row.second
        words = {True: better, False: "no decision", None: "undecided"}[sure]
        shift = _signed(means[row.first] - means[row.second])
        tests.append(list(map(controls.cut, [*cells[:2], shift, *cells[3:], words])))
    few, open_ones = f"{decided.count(True)} of {len(board)}", decided.count(None)
    undecided = f", {open_ones} undecided" if open_ones else ""
    ranked = sorted(means.items(), key=lambda mean: -mean[1])
    return {
        "kind": board.heading,
        "p": few,
        "words": f"{few} pairs of systems differ at level {number_text(alpha)}{undecided}; adjusted by {board.adjust}.",
        "means": [
            [controls.cut(name), _signed(mean), _signed(mean - best)] for name, mean in ranked
        ],
        "tests": tests,
    }


def _signed(value: Exact) -> str:
    return short(value).replace("-", MINUS)


def _verdict(finding: Finding) -> Answer:
    """Return the verdict on a published p-value: the letter, and what it rests on."""
    letter = list(finding.letter())
    rest = map(": ".join, finding.rows()[len(letter) :])
    return {
        "heap": finding.heap,
        "differs": finding.decision_differs,
        "details": list(map(printable, [*letter, *rest])),
    }
