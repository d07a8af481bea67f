"""Answer the requests of the page, JSON in and JSON out; the same in a browser's worker and in CPython.

A request names what to do and its settings, whose words are those of the command line. An answer is an object, with
"error" where the request is refused. Every text that comes from the user's files is made printable.
"""

from __future__ import annotations

import csv
import io
import json
import platform
import re
import time
from decimal import Decimal
from fractions import Fraction

from .. import __version__
from ..arithmetic.quoting import printable
from ..arithmetic.reading import exact, level, whole_number
from ..arithmetic.writing import decimal_string, exact_text, fraction_text, number_text
from ..budget import Budget, Options
from ..errors import BudgetExceeded, Cure, ExactPermError
from ..files import answer, report, selection, sources, tables
from ..files.cells import MISSING_CELLS, numbers_items
from ..files.columns import LAYOUTS, SHORT
from ..files.reading import Reading
from ..multiplicity import METHODS
from ..null.alternative import ALTERNATIVES
from ..null.result import PermutationTestResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..arithmetic.rational import Exact
    from ..budget import Progress
    from ..compare import Leaderboard
    from ..files.columns import Layout, Question, Source
    from ..files.tables import Table
    from ..null.float_result import FloatResult

    Request = dict[str, Any]
    Answer = dict[str, Any]

_SHOWN_COLUMNS = 300
_SHOWN_ROWS = 6
_SHOWN_CELLS = 8
_SHOWN_CHARACTERS = 40
_JUDGED_ROWS = 20
_MOST_SYSTEMS = 60
"""A leaderboard of more has thousands of rows, which a page shows slowly."""
_NUMBER = re.compile(r"[+-]?[\d.,]*\d[.,]?(?:e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
_MOST_DIGITS = 1000
_PRECISION = "0.001"
"""Of the ends of an interval, in standard errors: as many digits as are shown, in a third of a second."""
_PLAIN = -5
"""The least power of ten of a number that is shown without it."""
_BYTES = 2**30
"""Limit of memory: a browser gives a page two to four times as much."""

_ROLES = {4: ("numerator", "denominator"), 6: ("tp", "fp", "fn")}
"""Counts of one system, where a layout has no names for them."""

_REASONS = {
    "equal": "the two are equal",
    "same-double": "both are the same floating-point number",
    "float-noise": "they differ by floating-point noise",
    "rounds": "it rounds to the printed number",
    "truncates": "cut off, it is the printed number",
    "claim-true": "the printed statement is true",
    "claim-false": "the printed statement is false",
    "no-explanation": "no usual convention prints this number",
    "impossible": "no test of so many pairs gives this number",
    "explained-by": "another convention prints this number",
    "exact-asked-approximate-returned": "an approximation prints this number",
    "monte-carlo": "as many random samples can give this number",
    "bracket": "decided by the certified bracket",
    "unreadable": "the claim cannot be read",
}
"""Reasons of verdicts in words; the others are words already."""

_MORE = {"signed-rank": "Wilcoxon signed-rank", "sign": "sign test"}


class Session:
    """The files that the page has opened, and the last exact result with its question, which may be drawn."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}
        self._last: tuple[PermutationTestResult, Question] | None = None

    def about(self) -> str:
        """Return, as JSON, the versions, the statistics with the columns they take, and the alternatives."""
        forms = [form for layout in LAYOUTS.values() for form in _forms(layout)]
        pair = _roles(LAYOUTS["difference"], 2)
        forms += [{"name": name, "label": label, "roles": pair, "least": 1} for name, label in _MORE.items()]
        python = f"{platform.python_implementation()} {platform.python_version()}"
        adjustments = [name for name in METHODS if name != "tarone"]
        offer = {"statistics": forms, "alternatives": list(ALTERNATIVES), "adjustments": adjustments}
        return json.dumps({"version": __version__, "python": python, **offer})

    def open(self, name: str, data: Any) -> None:
        """Keep the content of a file, in place of the one that had its name; ``data`` is anything that holds bytes."""
        self._files[name] = bytes(data)

    def handle(self, request: str, progress: Progress | None = None) -> str:
        """Answer one request, given and returned as JSON; ``progress`` is called with (done, total)."""
        asked = json.loads(request)
        try:
            found = _WORK[asked["do"]](self, asked, progress)
        except BudgetExceeded as error:
            found = {"error": printable(error.brief), "refused": True, "seconds": error.seconds}
        except ExactPermError as error:
            found = {"error": printable(str(error)), "cure": None if error.cure is None else _cure(error.cure)}
        return json.dumps(found)

    # ------------------------------------------------------------------------------------------ requests

    def _look(self, asked: Request, _progress: Progress | None) -> Answer:
        """Return the columns of the first file and its first rows."""
        name, data = self._contents(asked)[0]
        keys = sources.keys(data, name, asked["delimiter"])
        if keys is not None:
            names = keys[:_SHOWN_COLUMNS]
            columns = [{"value": key, "name": key, "label": _cut(key)} for key in names]
            return {"columns": columns, "all": len(keys), "systems": self._keyed_systems(asked, columns, names)}
        (table,), _reading = sources.tables_of(
            [(name, data)], Reading(delimiter=asked["delimiter"], decimal=asked["decimal"], header=asked["header"])
        )
        names = [table.title(i) for i in range(min(table.width, _SHOWN_COLUMNS))]
        first = [*([list(table.header)] if table.header else []), *table.rows[:_SHOWN_ROWS]][:_SHOWN_ROWS]
        heads = first[0][:_SHOWN_COLUMNS]
        columns = [{"value": str(i), "name": cell, "label": f"{i}: {_cut(cell)}"} for i, cell in enumerate(heads, 1)]
        rows = [[_cut(cell) for cell in cells[:_SHOWN_CELLS]] for cells in first]
        shape = {"lines": len(table.rows), "header": table.header is not None}
        systems = _systems(columns, names, table.rows)
        return {"columns": columns, "all": table.width, "rows": rows, **shape, "systems": systems}

    def _test(self, asked: Request, progress: Progress | None) -> Answer:
        """Return the exact p-value, or a certified bracket where the count is refused, with its report and record."""
        digits = _whole(asked, "digits", _MOST_DIGITS)
        budget = _budget(asked)
        sheets, choice = self._sheets(asked)
        question = answer.question(sheets, asked["statistic"], choice)
        start = time.perf_counter()
        options: Any = {"alternative": asked["alternative"], "budget": budget}
        if asked["statistic"] in answer.CLASSICAL:
            _refuse_groups(choice)
        result, refused = answer.answered(question, asked["statistic"], progress=progress, **options)
        seconds = time.perf_counter() - start
        line = answer.line(result, question)
        facts = [*_read(question.source), ["Time", report.elapsed(seconds)], ["For a paper", line]]
        record = report.json_text(answer.record(result, question, **refused, sentence=line))
        written = {"record": record, "time": report.elapsed(seconds)}
        about: Any = {"seconds": seconds, "line": line}
        if isinstance(result, PermutationTestResult):
            self._last = result, question
            found = _exact(result, question, digits)
            text = report.text(result, question, digits=digits, **about)
        else:
            self._last = None
            found = _certified(result, question, refused["refused"])
            text = report.text(result, question, refused=refused["refused"], **about)
        return {**written, **found, "facts": [*found["facts"], *facts], "text": text}

    def _compare(self, asked: Request, progress: Progress | None) -> Answer:
        """Return the tests of all pairs of systems, exact, or certified where a count is refused."""
        from ..compare import compare_all

        budget, alpha = _budget(asked), level(asked["alpha"].strip())
        sheets, choice = self._sheets(asked)
        scores, units, source = answer.systems(sheets, choice, most=_MOST_SYSTEMS)
        start = time.perf_counter()
        options: Any = {name: asked[name] for name in ("alternative", "adjust")}
        options.update(**units, budget=budget, progress=progress)
        refused: Answer = {}
        try:
            board = compare_all(scores, **options)
        except BudgetExceeded as refusal:
            board = compare_all(scores, method="certified", **options)
            refused = {"refused": printable(refusal.brief)}
        seconds = report.elapsed(time.perf_counter() - start)
        self._last = None
        return {
            **_leaderboard(board, alpha, scores),
            **refused,
            "facts": [["Items", str(source.pairs - source.dropped)], *_read(source), ["Time", seconds]],
            "record": report.json_text(report.leaderboard_dict(board, alpha, source)),
            "svg": report.leaderboard_picture(board, alpha, source),
            "text": "\n".join(report.leaderboard_text(board, alpha, source)),
            "time": seconds,
        }

    def _interval(self, asked: Request, _progress: Progress | None) -> Answer:
        """Return the confidence interval of the mean difference, its ends rounded outward."""
        from ..intervals.confidence import confidence_interval

        sheets, choice = self._sheets(asked)
        question = answer.question(sheets, "difference", choice)
        options: Any = {"alternative": asked["alternative"], "groups": question.groups, "budget": _budget(asked)}
        interval = confidence_interval(question.u, question.v, precision=_PRECISION, **options)
        low, high = interval.decimal_ends()
        return {"interval": f"{low} to {high}, of the mean difference {report.short(interval.estimate)}"}

    def _draw(self, asked: Request, progress: Progress | None) -> Answer:
        """Return the picture of the null distribution behind the last exact result."""
        if self._last is None:
            raise ExactPermError("there is no exact result to draw")
        result, question = self._last
        null = result.tails.distribution(Options(budget=_budget(asked), progress=progress))
        return {"svg": report.picture(null, result, question)}

    def _audit(self, asked: Request, _progress: Progress | None) -> Answer:
        """Return the verdict on a published p-value."""
        from ..auditing.audit import audit_claim

        sheets, choice = self._sheets(asked)
        _refuse_groups(choice)
        layout = answer.layout_of(asked["statistic"])
        chosen = selection.select(sheets, layout.allowed, layout.meaning, choice, kind=layout.kind)
        samples = _whole(asked, "samples") if asked["samples"] else None
        stated = {name: asked[name] for name in ("statistic", "alternative")}
        law = "exact" if samples is None else "monte-carlo"
        claim = {"id": "published", "p": asked["published"], "data": chosen.columns, **stated}
        finding = audit_claim({**claim, "law": law, "samples": samples}, budget=_budget(asked))
        exact = finding.to_dict()["exact_decimal"]
        return {
            "level": finding.level,
            "printed": printable(asked["published"].strip()),
            "exact": exact,
            "reason": _REASONS.get(finding.reason, finding.reason.replace("-", " ")),
            "details": [printable(line.replace("claims[0]: ", "", 1)) for line in finding.evidence()],
        }

    def _recount(self, asked: Request, _progress: Progress | None) -> Answer:
        """Return how a record differs from a new count, "" where it does not."""
        from ..files import records

        ((name, data),) = self._contents(asked)
        record = records.read(tables.decoded(data, name), name)
        return {"differs": printable(records.recounted(record, budget=_budget(asked)))}

    # ------------------------------------------------------------------------------------------ files

    def _keyed_systems(self, asked: Request, columns: list[dict[str, str]], keys: list[str]) -> list[Answer]:
        """Return the keys of JSON records that hold numbers; none where the records differ in form."""
        try:
            (table,), _reading = sources.tables_of(self._contents(asked)[:1], Reading())
        except ExactPermError:
            return []
        places = [(table.header or ()).index(key) for key in keys if key in (table.header or ())]
        return _systems(columns, keys, [[cells[i] for i in places] for cells in table.rows])

    def _contents(self, asked: Request) -> list[tuple[str, bytes]]:
        return [(name, self._files[name]) for name in asked["files"]]

    def _sheets(self, asked: Request) -> tuple[list[Table], Reading]:
        """Return the rows of the files, and which columns of them are compared."""
        choice = Reading(
            columns=_listed(asked["columns"]),
            id=asked["id"] or None,
            groups=asked["groups"] or None,
            header=asked["header"],
            missing=asked["missing"],
            delimiter=asked["delimiter"],
            decimal=asked["decimal"],
        )
        return sources.tables_of(self._contents(asked), choice, kind=answer.layout_of(asked["statistic"]).kind)


_WORK = {
    "look": Session._look,
    "test": Session._test,
    "compare": Session._compare,
    "interval": Session._interval,
    "draw": Session._draw,
    "audit": Session._audit,
    "recount": Session._recount,
}


# ---------------------------------------------------------------------------------------------- results


def _exact(result: PermutationTestResult, question: Question, digits: int) -> Answer:
    return {
        "kind": f"Exact p-value, {result.alternative}",
        "p": [decimal_string(result.pvalue, digits)],
        "fraction": fraction_text(result.pvalue),
        "whole": exact_text(result.pvalue),
        "words": _in_words(result, question),
        "facts": _facts(result, question, result.method),
    }


def _certified(result: FloatResult, question: Question, refusal: str) -> Answer:
    lower, upper = result.decimal_bracket()
    return {
        "kind": f"Certified bracket of the p-value, {result.alternative}",
        "p": [_plain(lower)] if lower == upper else [_plain(lower), _plain(upper)],
        "refused": printable(refusal),
        "words": _in_words(result, question),
        "facts": _facts(result, question, "certified floats"),
    }


def _facts(result: PermutationTestResult | FloatResult, question: Question, engine: str) -> list[list[str]]:
    """Return the rows of a result below the p-value, which stands above them."""
    rows = [*result.rows(words=question.words)[1:], ("engine", engine)]
    return [[label.capitalize(), printable(words)] for label, words in rows]


def _in_words(result: PermutationTestResult | FloatResult, question: Question) -> str:
    return printable(
        report.in_words(report.share(result), result.statistic, result.alternative, question.noun, len(question.u))
    )


def _plain(decimal: str) -> str:
    """Return a decimal without a power of ten, where that is readable.

    >>> _plain("7.39e-02"), _plain("7.39e-60")
    ('0.0739', '7.39e-60')
    """
    return format(Decimal(decimal), "f") if Decimal(decimal).adjusted() >= _PLAIN else decimal


def _read(source: Source) -> list[list[str]]:
    """Return how the file was read."""
    rows = [*source.rows(), *(("note", doubt) for doubt in source.doubts)]
    return [[title.capitalize(), printable(words)] for title, words in rows]


# ---------------------------------------------------------------------------------------------- leaderboards


def _leaderboard(board: Leaderboard, alpha: Exact, columns: dict[str, list[str]]) -> Answer:
    """Return the headline of a leaderboard, the means of its systems, and its tests with the places that sort them."""
    from ..compare import upper_text
    from ..display.table import places

    means = {name: Fraction(sum(map(exact, column)), len(column)) for name, column in columns.items()}
    ranked = sorted(means, key=lambda name: -means[name])
    decided = [row.significant(alpha) for row in board]
    counted = all(row.adjusted_lower is None for row in board)
    bound, open_ones = "" if counted else "at most ", decided.count(None)
    rows = []
    for row, sure in zip(board, decided):
        p, adjusted = decimal_string(row.pvalue, 4), f"{bound}{_plain(upper_text(row))}"
        better = row.first if row.statistic > 0 else row.second
        decision = {True: _cut(better), False: "no decision", None: "undecided"}[sure]
        shift = _signed(means[row.first] - means[row.second])
        rows.append([_cut(row.first), _cut(row.second), shift, p, adjusted, decision])
    keys = [
        (row.first, row.second, row.statistic, row.pvalue, row.adjusted, cells[-1]) for row, cells in zip(board, rows)
    ]
    few = f"{decided.count(True)} of {len(board)}"
    undecided = f", {open_ones} undecided" if open_ones else ""
    return {
        "kind": f"{len(board)} {'exact' if counted else 'certified'} tests, {board.alternative}",
        "p": [few],
        "words": f"{few} pairs of systems differ at level {number_text(alpha)}{undecided}; adjusted by {board.adjust}.",
        "means": [[_cut(name), _signed(means[name]), _signed(means[name] - means[ranked[0]])] for name in ranked],
        "tests": rows,
        "order": list(zip(*map(places, zip(*keys)))),
    }


def _signed(value: Exact) -> str:
    return report.short(value).replace("-", "\N{MINUS SIGN}")


def _systems(columns: list[dict[str, str]], names: list[str], rows: list[list[str]]) -> list[Answer]:
    """Return the columns that may be systems of a leaderboard: those of numbers. Ids are not chosen at first."""
    judged = rows[:_JUDGED_ROWS]
    return [
        {"value": column["value"], "label": _cut(name), "chosen": not numbers_items(name, cells)}
        for column, name, cells in zip(columns, names, map(list, zip(*judged)))
        if _numeric(cells)
    ]


def _numeric(cells: list[str]) -> bool:
    """Whether a column holds numbers, with some cells missing or not."""
    found = [cell for cell in cells if cell.lower() not in MISSING_CELLS]
    return bool(found) and all(map(_NUMBER.fullmatch, found))


# ---------------------------------------------------------------------------------------------- settings


def _forms(layout: Layout) -> list[dict[str, Any]]:
    """Return the forms of one statistic: its columns by their roles, and the least number of them."""
    numbers = [number for number in layout.allowed if number > 1]
    return [
        {
            "name": layout.name,
            "label": layout.words if len(numbers) == 1 else f"{layout.words} ({', '.join(_counts(layout, number))})",
            "roles": _roles(layout, number),
            "least": min(layout.allowed) if layout.kind == "scores" else number,
        }
        for number in numbers
    ]


def _roles(layout: Layout, number: int) -> list[str]:
    if layout.kind != "counts":
        return ["gold labels", "first system", "second system"][-number:]
    return [f"{system} system, {count}" for system in ("first", "second") for count in _counts(layout, number)]


def _counts(layout: Layout, number: int) -> tuple[str, ...]:
    return layout.roles if layout.roles and number == 4 else _ROLES[number]


def _listed(columns: list[str]) -> str | None:
    """Return columns as the command line takes them: one row of CSV; None for all columns."""
    if not columns:
        return None
    row = io.StringIO()
    csv.writer(row, lineterminator="").writerow(columns)
    return row.getvalue()


def _whole(asked: Request, name: str, most: int | None = None) -> int:
    """Return a setting that is a whole number from 1."""
    text = asked[name].strip()
    if not (text.isdecimal() and len(text) < 19):
        raise ExactPermError(f"{name} is {text!r}: it must be a whole number")
    return whole_number(int(text), name, 1, most)


def _budget(asked: Request) -> Budget:
    try:
        seconds = float(asked["seconds"])
    except ValueError:
        raise ExactPermError(f"the limit is {asked['seconds']!r}: it must be a number of seconds") from None
    return Budget(seconds=seconds, bytes=_BYTES)


def _refuse_groups(choice: Reading) -> None:
    if choice.groups is not None:
        raise ExactPermError("only the exact test knows groups: no audit, and no classical test")


# ---------------------------------------------------------------------------------------------- words


def _cure(cure: Cure) -> Answer:
    """Return a cure with the values of the page's controls: lists of columns, and the library's name of a statistic.

    >>> _cure(Cure({"key": "acc", "statistic": "f1"}))["settings"]
    {'columns': ['acc'], 'statistic': 'f1_difference'}
    """
    settings: Answer = {name: value for name, value in cure.settings.items() if name not in {"columns", "key"}}
    words = Reading.of({name: cure.settings.get(name) for name in ("columns", "key")}).words
    if words:
        settings = {"columns": words, **settings}
    if "statistic" in settings:
        settings["statistic"] = SHORT.get(settings["statistic"], settings["statistic"])
    return {"settings": settings, "command": cure.command, "words": printable(cure.words)}


def _cut(text: str) -> str:
    """Return the start of a cell that can be shown in a small space."""
    text = printable(text[: _SHOWN_CHARACTERS + 1])
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[: _SHOWN_CHARACTERS - 1]}\N{HORIZONTAL ELLIPSIS}"
