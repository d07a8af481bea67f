"""Answer the requests of the page, JSON in and JSON out; the same in a browser's worker and in CPython.

A request names what to do and its settings, whose words are those of the command line. An answer is
an object, with "error" where the request is refused. Every text that comes from the user's files is
made printable.
"""

from __future__ import annotations

import json
import platform
import time

from .. import __version__
from .._types import Any
from ..arithmetic.quoting import printable
from ..arithmetic.reading import level
from ..budget import Budget, Progress
from ..errors import BudgetExceeded, ExactPermError
from ..files import answer, question, report, scores, sources
from ..files.choice import choose
from ..files.forms import CLASSICAL, FORMS
from ..files.listing import Table, short
from ..files.question import Question
from ..files.reading import Reading
from ..null.result import PermutationTestResult
from . import controls, results
from .controls import Answer, Request

_SHOWN_ROWS = 6
_SHOWN_CELLS = 8
_MOST_SYSTEMS = 60
"""A leaderboard of more has thousands of rows, which a page shows slowly."""
_MOST_DIGITS = 1000
_PRECISION = "0.001"
"""Of the ends of an interval, in standard errors: as many digits as are shown, in a third of a
second."""
_RECOUNTED = 600.0, 2**31
"""Least limits of a recount: those of the command line, whose brackets depend on them."""


class Session:
    """The files that the page has opened, and the last exact result with its question, which may be drawn."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}
        self._last: tuple[PermutationTestResult, Question] | None = None

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
        try:
            found = _WORK[asked["do"]](self, asked, progress)
        except BudgetExceeded as error:
            found = {
                "error": printable(error.brief),
                "refused": True,
                "cure": controls.more_time(error),
            }
        except ExactPermError as error:
            found = {
                "error": printable(str(error)),
                "cure": None if error.cure is None else controls.cured(error.cure),
            }
        return json.dumps(found)

    # ------------------------------------------------------------------------------------- requests

    def _look(self, asked: Request, _progress: Progress | None) -> Answer:
        """Return the columns of the first file and its first rows, and which columns the test would take unasked."""
        choice = controls.reading({**asked, "columns": []})
        tables = sources.tables_of(self._contents(asked), choice, labels=False)
        table, start = tables[0], controls.start(tables[0])
        columns = controls.offers(table)
        rows = [list(map(controls.cut, cells)) for cells in zip(*start.columns[:_SHOWN_CELLS])]
        names = [controls.cut(name) for name in table.names[:_SHOWN_CELLS]]
        shown = {
            "rows": [*([names] if table.header else []), *rows][:_SHOWN_ROWS],
            "lines": table.rows,
            "header": bool(table.header),
        }
        return {
            "columns": columns,
            "fields": columns,
            "all": table.width,
            **(shown if table.form == "table" else {}),
            "systems": [] if choice.runs else controls.systems(start),
            **self._taken(tables, asked, choice),
        }

    def _taken(self, tables: list[Table], asked: Request, choice: Reading) -> Answer:
        """Return the columns of each file that the test takes unasked; none where it asks."""
        if choice.runs is None and choice.system is None:
            try:
                chosen = choose(tables, choice, FORMS[asked["statistic"]])
                return {
                    "taken": [
                        one.table.word(i)
                        for one in chosen
                        if one.table.name == tables[0].name
                        for i in one.columns
                    ],
                    "id": choice.id or "",
                }
            except ExactPermError:
                pass
        return {"taken": [], "id": choice.id or ""}

    def _test(self, asked: Request, progress: Progress | None) -> Answer:
        """Return the exact p-value, or a certified bracket where the count is refused, with its report and record."""
        digits = controls.whole(asked, "digits", _MOST_DIGITS)
        budget = controls.budget(asked)
        choice = controls.reading(asked)
        question = self._question(asked, choice)
        start = time.perf_counter()
        options: Any = {
            "alternative": asked["alternative"],
            "budget": budget,
            "decimals": choice.decimals,
        }
        if asked["statistic"] in CLASSICAL:
            more = ["decimals"] if asked["statistic"] == "mcnemar" else []
            controls.refuse_units(
                choice, "a classical test", "groups", "weights", "tasks", "runs", *more
            )
        result, refused = answer.answered(
            question, asked["statistic"], progress=progress, **options
        )
        seconds = time.perf_counter() - start
        line = answer.line(result, question)
        facts = [
            *results.how_read(question.source),
            results.fact("time", report.elapsed(seconds)),
            results.fact("for a paper", line),
        ]
        record = report.json_text(answer.record(result, question, **refused, sentence=line))
        written = {"record": record, "time": report.elapsed(seconds)}
        about: Any = {"seconds": seconds, "line": line}
        if isinstance(result, PermutationTestResult):
            self._last = result, question
            found = results.exact(result, question, digits)
            text = report.text(result, question, digits=digits, **about)
        else:
            self._last = None
            found = results.certified(result, question, refused["refused"])
            text = report.text(result, question, refused=refused["refused"], **about)
        return {**written, **found, "facts": [*found["facts"], *facts], "text": text}

    def _compare(self, asked: Request, progress: Progress | None) -> Answer:
        """Return the tests of all pairs of systems, exact, or certified where a count is refused."""
        from ..files import leaderboards

        budget, alpha = controls.budget(asked), level(asked["alpha"].strip())
        choice = controls.reading(asked)
        found = scores.systems(self._contents(asked), choice, most=_MOST_SYSTEMS)
        source, units = found.source, found.units
        start = time.perf_counter()
        options: Any = {
            "alternative": asked["alternative"],
            "adjust": asked["adjust"],
            "decimals": choice.decimals,
        }
        options.update(**units, budget=budget, progress=progress)
        board, refused = leaderboards.compared(found.systems, **options)
        why = {"refused": refused} if refused else {}
        seconds = report.elapsed(time.perf_counter() - start)
        self._last = None
        return {
            **results.leaderboard(board, alpha, dict(found.levels)),
            **({"refused": printable(refused)} if refused else {}),
            "facts": [
                results.fact("items", str(source.items)),
                *results.how_read(source),
                results.fact("time", seconds),
            ],
            "record": report.json_text({**leaderboards.to_dict(board, alpha, source), **why}),
            "svg": leaderboards.picture(board, alpha, source),
            "text": "\n".join(leaderboards.text(board, alpha, source, refused)),
            "time": seconds,
        }

    def _interval(self, asked: Request, _progress: Progress | None) -> Answer:
        """Return the confidence interval of the mean difference, its ends rounded outward."""
        from ..intervals.confidence import confidence_interval

        choice = controls.reading(asked)
        controls.refuse_units(choice, "an interval", "weights", "tasks", "runs", "decimals")
        question = self._question({**asked, "statistic": "difference"}, choice)
        options: Any = {
            "alternative": asked["alternative"],
            "groups": question.groups,
            "budget": controls.budget(asked),
        }
        interval = confidence_interval(question.u, question.v, precision=_PRECISION, **options)
        low, high = interval.decimal_ends()
        return {"interval": f"{low} to {high}, of the mean difference {short(interval.estimate)}"}

    def _draw(self, asked: Request, progress: Progress | None) -> Answer:
        """Return the picture of the null distribution behind the last exact result."""
        if self._last is None:
            raise ExactPermError("there is no exact result to draw")
        from ..files import distributions

        result, question = self._last
        about: Any = {"budget": controls.budget(asked), "progress": progress}
        return {"svg": distributions.found(result, question, **about).picture()}

    def _audit(self, asked: Request, _progress: Progress | None) -> Answer:
        """Return the verdict on a published p-value."""
        from ..auditing.audit import audit_claim

        choice = controls.reading(asked)
        controls.refuse_units(choice, "a verdict", "groups", "weights", "tasks", "runs", "decimals")
        found = self._question(asked, choice)
        claim = {"id": "published", "data": found.columns, **controls.claim(asked)}
        finding = audit_claim(claim, budget=controls.budget(asked))
        return results.verdict(finding, asked["published"].strip())

    def _recount(self, asked: Request, _progress: Progress | None) -> Answer:
        """Return how a record differs from a new count, "" where it does not."""
        from ..files import records

        ((name, data),) = self._contents(asked)
        record = records.read(sources.decoded(data, name), name)
        limit = controls.budget(asked)
        limit = Budget(seconds=max(limit.seconds, _RECOUNTED[0]), bytes=_RECOUNTED[1])
        return {"differs": printable(records.recounted(record, budget=limit))}

    # ---------------------------------------------------------------------------------------- files

    def _contents(self, asked: Request) -> list[tuple[str, bytes]]:
        return [(name, self._files[name]) for name in asked["files"]]

    def _question(self, asked: Request, choice: Reading) -> Question:
        """Return what the files ask."""
        return question.question(self._contents(asked), asked["statistic"], choice)


_WORK = {
    "look": Session._look,
    "test": Session._test,
    "compare": Session._compare,
    "interval": Session._interval,
    "draw": Session._draw,
    "audit": Session._audit,
    "recount": Session._recount,
}
