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
from ..files import answer, checks, report, selection, sources, tables
from ..files.columns import Question
from ..files.formats import widened
from ..files.parts import View, part_of
from ..files.profile import columns_of
from ..files.reading import Reading
from ..files.tables import Table
from ..null.result import PermutationTestResult
from ..record import replaced
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
        first, choice = self._contents(asked)[0], controls.reading({**asked, "columns": []})
        kind = answer.layout_of(asked["statistic"]).kind
        keys = sources.keys(first[1], first[0], choice.delimiter)
        if keys is not None:
            columns = [controls.offered(key) for key in keys[: controls.MOST_COLUMNS]]
            try:
                (table,), _choice = sources.tables_of([first], Reading())
                judged = [
                    column for column in columns_of(controls.start(table)) if column.name in keys
                ]
            except ExactPermError:  # the records differ in form
                judged = []
            systems = self._run(asked) if choice.runs else controls.systems(judged)
            found = {"columns": columns, "fields": columns, "all": len(keys), "systems": systems}
            return {**found, **self._taken(asked, choice)}
        (plain,), _choice = sources.tables_of([first], replaced(choice, system=None), kind=kind)
        (table,), _choice = widened([plain], choice)
        listed = [*([list(plain.header)] if plain.header else []), *plain.rows[:_SHOWN_ROWS]][
            :_SHOWN_ROWS
        ]
        return {
            "columns": controls.offers(table),
            "fields": controls.offers(plain),
            "all": table.width,
            "rows": [[controls.cut(cell) for cell in cells[:_SHOWN_CELLS]] for cells in listed],
            "lines": len(plain.rows),
            "header": plain.header is not None,
            "systems": self._run(asked)
            if choice.runs
            else controls.systems(columns_of(controls.start(table))),
            **self._taken(asked, choice),
        }

    def _run(self, asked: Request) -> list[Answer]:
        """Return the systems that ran several times on each item; none where they are not known yet."""
        from ..files import runs

        try:
            names = runs.chosen(
                *sources.tables_of(self._contents(asked), controls.reading(asked))
            ).names
        except ExactPermError:
            return []
        return [{"value": name, "label": controls.cut(name), "chosen": True} for name in names]

    def _taken(self, asked: Request, choice: Reading) -> Answer:
        """Return the columns of each file that the test takes unasked or, where it refuses, that its cure names."""
        if choice.runs is not None:  # runs are told by the names of their columns
            return {"taken": [], "id": ""}
        layout = answer.layout_of(asked["statistic"])
        allowed = (
            (*layout.allowed, 4)
            if layout.kind == "labels" and len(asked["files"]) == 2
            else layout.allowed
        )
        try:
            found, choice = sources.tables_of(self._contents(asked), choice, kind=layout.kind)
            parts = tuple([part_of(table, choice, layout.kind, allowed) for table in found])
            unchosen = (
                any(table.keyed for table in found) and not choice.words and choice.system is None
            )
            if len(parts) == 1 and not unchosen and len(parts[0].chosen) in allowed:
                checks.run(View(parts=parts, reading=choice, kind=layout.kind, roles=layout.roles))
                return {"taken": [found[0].word(i) for i in parts[0].chosen], "id": choice.id or ""}
            chosen = selection.select(
                found, allowed, layout.meaning, choice, kind=layout.kind, roles=layout.roles
            )
            return {
                "taken": [found[0].word(i) for i in chosen.parts[0].chosen],
                "id": choice.id or "",
            }
        except ExactPermError as error:
            cure = error.cure
            if cure is not None and not (
                cure.command or cure.words or {*cure.settings} - {"columns", "key", "id"}
            ):
                settings = controls.cured(cure)["settings"]
                return {
                    "taken": settings.get("columns", []),
                    "id": settings.get("id", choice.id or ""),
                }
        return {"taken": [], "id": ""}

    def _test(self, asked: Request, progress: Progress | None) -> Answer:
        """Return the exact p-value, or a certified bracket where the count is refused, with its report and record."""
        digits = controls.whole(asked, "digits", _MOST_DIGITS)
        budget = controls.budget(asked)
        sheets, choice = self._sheets(asked)
        question = answer.question(sheets, asked["statistic"], choice)
        start = time.perf_counter()
        options: Any = {
            "alternative": asked["alternative"],
            "budget": budget,
            "decimals": choice.decimals,
        }
        if asked["statistic"] in answer.CLASSICAL:
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
        from ..files import leaderboards, systems

        budget, alpha = controls.budget(asked), level(asked["alpha"].strip())
        sheets, choice = self._sheets(asked)
        scores, units, source = systems.scores_of(sheets, choice, most=_MOST_SYSTEMS)
        start = time.perf_counter()
        options: Any = {
            "alternative": asked["alternative"],
            "adjust": asked["adjust"],
            "decimals": choice.decimals,
        }
        options.update(**units, budget=budget, progress=progress)
        board, refused = leaderboards.compared(scores, **options)
        why = {"refused": refused} if refused else {}
        seconds = report.elapsed(time.perf_counter() - start)
        self._last = None
        return {
            **results.leaderboard(board, alpha, systems.means(scores, units, choice.decimals)),
            **({"refused": printable(refused)} if refused else {}),
            "facts": [
                results.fact("items", str(source.pairs - source.dropped)),
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

        sheets, choice = self._sheets(asked)
        controls.refuse_units(choice, "an interval", "weights", "tasks", "runs", "decimals")
        question = answer.question(sheets, "difference", choice)
        options: Any = {
            "alternative": asked["alternative"],
            "groups": question.groups,
            "budget": controls.budget(asked),
        }
        interval = confidence_interval(question.u, question.v, precision=_PRECISION, **options)
        low, high = interval.decimal_ends()
        return {
            "interval": f"{low} to {high}, of the mean difference {report.short(interval.estimate)}"
        }

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

        sheets, choice = self._sheets(asked)
        controls.refuse_units(choice, "a verdict", "groups", "weights", "tasks", "runs", "decimals")
        layout = answer.layout_of(asked["statistic"])
        # with all checks of what is compared
        counts = answer.question(sheets, asked["statistic"], choice).counts
        chosen = selection.select(sheets, layout.allowed, layout.meaning, choice, kind=layout.kind)
        data = {"data": chosen.columns} if counts is None else {"counts": counts}
        claim = {"id": "published", **data, **controls.claim(asked)}
        finding = audit_claim(claim, budget=controls.budget(asked))
        return results.verdict(finding, asked["published"].strip())

    def _recount(self, asked: Request, _progress: Progress | None) -> Answer:
        """Return how a record differs from a new count, "" where it does not."""
        from ..files import records

        ((name, data),) = self._contents(asked)
        record = records.read(tables.decoded(data, name), name)
        limit = controls.budget(asked)
        limit = Budget(seconds=max(limit.seconds, _RECOUNTED[0]), bytes=_RECOUNTED[1])
        return {"differs": printable(records.recounted(record, budget=limit))}

    # ---------------------------------------------------------------------------------------- files

    def _contents(self, asked: Request) -> list[tuple[str, bytes]]:
        return [(name, self._files[name]) for name in asked["files"]]

    def _sheets(self, asked: Request) -> tuple[list[Table], Reading]:
        """Return the rows of the files, and which columns of them are compared."""
        choice = controls.reading(asked)
        return sources.tables_of(
            self._contents(asked), choice, kind=answer.layout_of(asked["statistic"]).kind
        )


_WORK = {
    "look": Session._look,
    "test": Session._test,
    "compare": Session._compare,
    "interval": Session._interval,
    "draw": Session._draw,
    "audit": Session._audit,
    "recount": Session._recount,
}
