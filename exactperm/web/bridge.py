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
from ..arithmetic.writing import decimal_string
from ..budget import Budget, Progress
from ..errors import ExactPermError
from ..files import answer, question, report, scores, sources
from ..files.choice import choose
from ..files.forms import CLASSICAL, FORMS, SYSTEMS, Form
from ..files.listing import Table
from ..files.question import Question
from ..files.reading import Reading
from . import controls, results
from .controls import Answer, Request

_MOST_SYSTEMS = 60
"""A leaderboard of more has thousands of rows, which a page shows slowly."""
_MOST_DIGITS = 1000
_RECOUNTED = 600.0, 2**31
"""Least limits of a recount: those of the command line, whose brackets depend on them."""


class Session:
    """The files that the page has opened, and the last result with its question, which may be drawn."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}
        self._last: tuple[Any, Question] | None = None

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
        except ExactPermError as error:
            found = controls.refusal(error)
        return json.dumps(found)

    # ------------------------------------------------------------------------------------- requests

    def _look(self, asked: Request, _progress: Progress | None) -> Answer:
        """Return the columns of the first file with what they hold, and those that the test takes unasked.

        Of a long table whose three columns are named the systems are the columns to choose.
        """
        choice = controls.reading({**asked, "columns": []})
        form = FORMS[asked["statistic"]]
        tables = sources.tables_of(self._contents(asked), choice, labels=form.kind == "labels")
        table = controls.start(tables[0])
        fields = columns = controls.offers(table, choice)
        if choice.system and choice.score and choice.id:
            columns = [controls.offered(one) for one in choose(tables, choice, SYSTEMS)]
        return {
            "fields": fields,
            "columns": columns,
            "all": tables[0].width,
            "rows": tables[0].rows,
            "described": table.rows,
            "taken": self._taken(tables, choice, form),
        }

    def _taken(self, tables: list[Table], choice: Reading, form: Form) -> list[str]:
        """Return the columns of each file that the test takes unasked, none where it asks."""
        try:
            found = [] if choice.runs is not None else choose(tables, choice, form)
        except ExactPermError:
            return []
        if choice.system is not None:
            return [one.name for one in found]
        first = tables[0].name
        return [one.table.word(i) for one in found if one.table.name == first for i in one.columns]

    def _test(self, asked: Request, progress: Progress | None) -> Answer:
        """Return the exact p-value, or a certified bracket where the count is refused, with its report and record."""
        digits = controls.whole(asked, "digits", _MOST_DIGITS)
        budget = controls.budget(asked)
        choice = controls.reading(asked)
        statistic = asked["statistic"]
        question = self._question(asked, choice)
        if statistic in CLASSICAL:
            more = ["decimals"] if statistic == "mcnemar" else []
            what = "a classical test"
            controls.refuse_units(choice, what, "groups", "weights", "tasks", "runs", *more)
        start = time.perf_counter()
        options: Any = {"alternative": asked["alternative"], "budget": budget}
        result, refused = answer.answered(
            question, statistic, progress=progress, decimals=choice.decimals, **options
        )
        seconds = time.perf_counter() - start
        line = answer.line(result, question)
        self._last = result, question
        why = refused.get("refused", "")
        about: Any = {"seconds": seconds, "line": line}
        about.update({"refused": why} if why else {"digits": digits})
        return {
            **results.of_test(result, question, digits, why),
            "facts": results.rows(result, question, seconds, line),
            "text": report.text(result, question, **about),
            "record": report.json_text(answer.record(result, question, **refused, sentence=line)),
            "time": report.elapsed(seconds),
        }

    def _compare(self, asked: Request, progress: Progress | None) -> Answer:
        """Return the tests of all pairs of systems, exact, or certified where a count is refused."""
        from ..files import leaderboards

        budget, alpha = controls.budget(asked), level(asked["alpha"].strip())
        choice = controls.reading(asked)
        found = scores.systems(self._contents(asked), choice, most=_MOST_SYSTEMS)
        source = found.source
        start = time.perf_counter()
        names = ("alternative", "adjust")
        options: Any = {**{name: asked[name] for name in names}, "decimals": choice.decimals}
        options.update(**found.units, budget=budget, progress=progress)
        board, refused = leaderboards.compared(found.systems, **options)
        why = {"refused": refused} if refused else {}
        seconds = report.elapsed(time.perf_counter() - start)
        self._last = None
        rows = [("items", str(source.pairs - source.dropped)), *source.rows(), ("time", seconds)]
        return {
            **results.leaderboard(board, alpha, dict(found.levels)),
            "refused": printable(refused),
            "facts": list(map(results.fact, rows)),
            "record": report.json_text({**leaderboards.to_dict(board, alpha, source), **why}),
            "svg": leaderboards.picture(board, alpha, source),
            "text": "\n".join(leaderboards.text(board, alpha, source, refused)),
            "time": seconds,
        }

    def _interval(self, asked: Request, _progress: Progress | None) -> Answer:
        """Return the 95% interval of the difference, why there is none, or "" where nobody would look for one."""
        choice = controls.reading(asked)
        question = self._question(asked, choice)
        found = answer.quick_interval(question, asked["statistic"], decimals=choice.decimals)
        return {"interval": printable(" ".join(report.interval_lines(found, question)))}

    def _draw(self, asked: Request, progress: Progress | None) -> Answer:
        """Return the picture of the null distribution behind the last result."""
        if self._last is None:
            raise ExactPermError("there is no result to draw")
        from ..files import distributions

        about: Any = {"budget": controls.budget(asked), "progress": progress}
        return {"svg": distributions.found(*self._last, **about).picture()}

    def _audit(self, asked: Request, _progress: Progress | None) -> Answer:
        """Return the verdict on a published p-value."""
        from ..auditing.audit import audit_claim

        choice = controls.reading(asked)
        controls.refuse_units(choice, "a verdict", "groups", "weights", "tasks", "runs", "decimals")
        found = self._question(asked, choice)
        data: Any = {"data": found.columns} if found.counts is None else {"counts": found.counts}
        claim = {"id": "published", **data, **controls.claim(asked)}
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

    def _plan(self, asked: Request, _progress: Progress | None) -> Answer:
        """Return how many items a test of gains and losses needs for a power."""
        from ..exact_power import items_needed, power

        shares, side = (asked["gain"], asked["loss"]), asked["alternative"]
        about: Any = {"alternative": side, "budget": controls.budget(asked)}
        n = items_needed(*shares, power=asked["power"], **about)
        reached = decimal_string(power(n, *shares, **about), 3)
        words = f"{n} items: from there on the {side} test has at least this power"
        return {"words": f"{words}; with {n} it is {reached}."}

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
    "plan": Session._plan,
}
