"""Answer the requests of the page, JSON in and JSON out; the same in a browser's worker and in CPython.

A request names what to do and its settings, whose words are those of the command line. An answer is an object, with
"error" where the request is refused. Every text that comes from the user's files is made printable.
"""

from __future__ import annotations

import csv
import io
import json
import math
import platform
import re
import time
from decimal import Decimal

from .. import __version__
from ..arithmetic.quoting import printable
from ..arithmetic.reading import level, whole_number
from ..arithmetic.writing import decimal_string, exact_text, fraction_text, number_text
from ..budget import Budget, Options
from ..errors import BudgetExceeded, Cure, ExactPermError
from ..files import answer, checks, report, selection, sources, tables
from ..files.cells import MISSING_CELLS
from ..files.columns import LAYOUTS, SHORT
from ..files.formats import widened
from ..files.parts import View, part_of
from ..files.profile import columns_of
from ..files.reading import FIELD, FIELDS, Reading
from ..multiplicity import METHODS
from ..null.alternative import ALTERNATIVES
from ..null.result import PermutationTestResult
from ..record import replaced
from ..swaps.runs import DESIGNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..arithmetic.rational import Exact
    from ..budget import Progress
    from ..compare import Leaderboard
    from ..files.columns import Layout, Question, Source
    from ..files.profile import Column
    from ..files.reading import Field
    from ..files.tables import Table
    from ..null.float_result import FloatResult

    Request = dict[str, Any]
    Answer = dict[str, Any]

_SHOWN_COLUMNS = 300
_SHOWN_ROWS = 6
_SHOWN_CELLS = 8
_SHOWN_CHARACTERS = 40
_JUDGED_ROWS = 1000
_MOST_SYSTEMS = 60
"""A leaderboard of more has thousands of rows, which a page shows slowly."""
_NUMBER = re.compile(r"[+-]?[\d.,]*\d[.,]?(?:e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
_MOST_DIGITS = 1000
_PRECISION = "0.001"
"""Of the ends of an interval, in standard errors: as many digits as are shown, in a third of a second."""
_PLAIN = -5
"""The least power of ten of a number that is shown without it."""
_MOST_SECONDS = 3600
_BYTES = 2**30
"""Limit of memory: a browser gives a page two to four times as much."""
_RECOUNTED = 600.0, 2**31
"""Least limits of a recount: those of the command line, whose brackets depend on them."""

_LABELS = {
    "id": "Items joined by",
    "groups": "Swapped together",
    "runs": "Several runs of each item",
    "run": "Names of runs",
    "system": "Names of systems",
    "score": "Scores of these systems",
    "names": "Short names for results",
    "filter": "Answer filter",
    "decimal": "Decimal mark",
    "decimals": "Rounded to decimals",
}
"""Labels of settings of reading, where they are not their names."""

_COUNTS = {
    "f1_difference": [("tp", None), ("fp, or fp + fn", None), ("fn", "none: in fp")],
    "ratio_difference": [("numerator", None), ("denominator", None)],
}
"""Lists for the counts of one system, each with what it says where it is left alone, None where it must be chosen."""

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

_IN_LISTS = ("columns", "key")
"""Settings of reading for which the page has lists of columns."""

_MORE = {"signed-rank": "Wilcoxon signed-rank", "sign": "sign test"}


class Session:
    """The files that the page has opened, and the last exact result with its question, which may be drawn."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}
        self._last: tuple[PermutationTestResult, Question] | None = None

    def about(self) -> str:
        """Return, as JSON, the versions, the statistics with the columns they take, and all settings with choices."""
        forms = [_form(layout.name, layout.words, layout) for layout in LAYOUTS.values()]
        forms += [_form(name, label, LAYOUTS["difference"]) for name, label in _MORE.items()]
        python = f"{platform.python_implementation()} {platform.python_version()}"
        adjustments = [name for name in METHODS if name != "tarone"]
        offer = {"statistics": forms, "alternatives": list(ALTERNATIVES), "adjustments": adjustments}
        fields = [_field(field) for field in FIELDS if field.name not in _IN_LISTS]
        return json.dumps({"version": __version__, "python": python, **offer, "reading": fields})

    def open(self, name: str, data: Any) -> None:
        """Keep the content of a file, in place of the one that had its name; ``data`` is anything that holds bytes."""
        self._files[name] = bytes(data)

    def handle(self, request: str, progress: Progress | None = None) -> str:
        """Answer one request, given and returned as JSON; ``progress`` is called with (done, total)."""
        asked = json.loads(request)
        try:
            found = _WORK[asked["do"]](self, asked, progress)
        except BudgetExceeded as error:
            found = {"error": printable(error.brief), "refused": True, "cure": _more_time(error)}
        except ExactPermError as error:
            found = {"error": printable(str(error)), "cure": None if error.cure is None else _cure(error.cure)}
        return json.dumps(found)

    # ------------------------------------------------------------------------------------------ requests

    def _look(self, asked: Request, _progress: Progress | None) -> Answer:
        """Return the columns of the first file and its first rows, and which columns the test would take unasked."""
        first, choice = self._contents(asked)[0], _reading({**asked, "columns": []})
        kind = answer.layout_of(asked["statistic"]).kind
        keys = sources.keys(first[1], first[0], choice.delimiter)
        if keys is not None:
            columns = [_offered(key) for key in keys[:_SHOWN_COLUMNS]]
            try:
                (table,), _choice = sources.tables_of([first], Reading())
                judged = [column for column in columns_of(_short(table)) if column.name in keys]
            except ExactPermError:  # the records differ in form
                judged = []
            systems = self._run(asked) if choice.runs else _systems(judged)
            found = {"columns": columns, "fields": columns, "all": len(keys), "systems": systems}
            return {**found, **self._taken(asked, choice)}
        (plain,), _choice = sources.tables_of([first], replaced(choice, system=None), kind=kind)
        table = widened(plain, choice)
        listed = [*([list(plain.header)] if plain.header else []), *plain.rows[:_SHOWN_ROWS]][:_SHOWN_ROWS]
        return {
            "columns": _offers(table),
            "fields": _offers(plain),
            "all": table.width,
            "rows": [[_cut(cell) for cell in cells[:_SHOWN_CELLS]] for cells in listed],
            "lines": len(plain.rows),
            "header": plain.header is not None,
            "systems": self._run(asked) if choice.runs else _systems(columns_of(_short(table))[:_SHOWN_COLUMNS]),
            **self._taken(asked, choice),
        }

    def _run(self, asked: Request) -> list[Answer]:
        """Return the systems that ran several times on each item; none where they are not known yet."""
        from ..files import runs

        try:
            names = runs.chosen(*sources.tables_of(self._contents(asked), _reading(asked))).names
        except ExactPermError:
            return []
        return [{"value": name, "label": _cut(name), "chosen": True} for name in names]

    def _taken(self, asked: Request, choice: Reading) -> Answer:
        """Return the columns of each file that the test takes unasked or, where it refuses, that its cure names."""
        if choice.runs is not None:  # runs are told by the names of their columns
            return {"taken": [], "id": ""}
        layout = answer.layout_of(asked["statistic"])
        allowed = (*layout.allowed, 4) if layout.kind == "labels" and len(asked["files"]) == 2 else layout.allowed
        try:
            found, choice = sources.tables_of(self._contents(asked), choice, kind=layout.kind)
            parts = tuple([part_of(table, choice, layout.kind, allowed) for table in found])
            unchosen = any(table.keyed for table in found) and not choice.words and choice.system is None
            if len(parts) == 1 and not unchosen and len(parts[0].chosen) in allowed:
                checks.run(View(parts=parts, reading=choice, kind=layout.kind, roles=layout.roles))
                return {"taken": [found[0].word(i) for i in parts[0].chosen], "id": choice.id or ""}
            chosen = selection.select(found, allowed, layout.meaning, choice, kind=layout.kind, roles=layout.roles)
            return {"taken": [found[0].word(i) for i in chosen.parts[0].chosen], "id": choice.id or ""}
        except ExactPermError as error:
            cure = error.cure
            if cure is not None and not (cure.command or cure.words or {*cure.settings} - {"columns", "key", "id"}):
                settings = _cure(cure)["settings"]
                return {"taken": settings.get("columns", []), "id": settings.get("id", choice.id or "")}
        return {"taken": [], "id": ""}

    def _test(self, asked: Request, progress: Progress | None) -> Answer:
        """Return the exact p-value, or a certified bracket where the count is refused, with its report and record."""
        digits = _whole(asked, "digits", _MOST_DIGITS)
        budget = _budget(asked)
        sheets, choice = self._sheets(asked)
        question = answer.question(sheets, asked["statistic"], choice)
        start = time.perf_counter()
        options: Any = {"alternative": asked["alternative"], "budget": budget, "decimals": choice.decimals}
        if asked["statistic"] in answer.CLASSICAL:
            _refuse_units(choice, "a classical test", "groups", "weights", "tasks", "runs")
        result, refused = answer.answered(question, asked["statistic"], progress=progress, **options)
        seconds = time.perf_counter() - start
        line = answer.line(result, question)
        facts = [*_read(question.source), _fact("time", report.elapsed(seconds)), _fact("for a paper", line)]
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
        from ..files import leaderboards, systems

        budget, alpha = _budget(asked), level(asked["alpha"].strip())
        sheets, choice = self._sheets(asked)
        scores, units, source = systems.scores_of(sheets, choice, most=_MOST_SYSTEMS)
        start = time.perf_counter()
        options: Any = {"alternative": asked["alternative"], "adjust": asked["adjust"], "decimals": choice.decimals}
        options.update(**units, budget=budget, progress=progress)
        board, refused = leaderboards.compared(scores, **options)
        seconds = report.elapsed(time.perf_counter() - start)
        self._last = None
        return {
            **_leaderboard(board, alpha, systems.means(scores, units, choice.decimals)),
            **({"refused": printable(refused)} if refused else {}),
            "facts": [_fact("items", str(source.pairs - source.dropped)), *_read(source), _fact("time", seconds)],
            "record": report.json_text(leaderboards.to_dict(board, alpha, source)),
            "svg": leaderboards.picture(board, alpha, source),
            "text": "\n".join(leaderboards.text(board, alpha, source)),
            "time": seconds,
        }

    def _interval(self, asked: Request, _progress: Progress | None) -> Answer:
        """Return the confidence interval of the mean difference, its ends rounded outward."""
        from ..intervals.confidence import confidence_interval

        sheets, choice = self._sheets(asked)
        _refuse_units(choice, "an interval", "weights", "tasks", "runs", "decimals")
        question = answer.question(sheets, "difference", choice)
        options: Any = {"alternative": asked["alternative"], "groups": question.groups, "budget": _budget(asked)}
        interval = confidence_interval(question.u, question.v, precision=_PRECISION, **options)
        low, high = interval.decimal_ends()
        return {"interval": f"{low} to {high}, of the mean difference {report.short(interval.estimate)}"}

    def _draw(self, asked: Request, progress: Progress | None) -> Answer:
        """Return the picture of the null distribution behind the last exact result."""
        if self._last is None:
            raise ExactPermError("there is no exact result to draw")
        from ..files import distributions

        result, question = self._last
        null = result.tails.distribution(Options(budget=_budget(asked), progress=progress))
        return {"svg": distributions.picture(null, result, question)}

    def _audit(self, asked: Request, _progress: Progress | None) -> Answer:
        """Return the verdict on a published p-value."""
        from ..auditing.audit import audit_claim

        sheets, choice = self._sheets(asked)
        _refuse_units(choice, "a verdict", "groups", "weights", "tasks", "runs", "decimals")
        layout = answer.layout_of(asked["statistic"])
        chosen = selection.select(sheets, layout.allowed, layout.meaning, choice, kind=layout.kind)
        samples = _whole(asked, "samples") if asked["samples"] else None
        stated = {name: asked[name] for name in ("statistic", "alternative")}
        law = "exact" if samples is None else "monte-carlo"
        claim = {"id": "published", "p": asked["published"], "data": chosen.columns, **stated}
        claim.update({"stars": asked["stars"]} if asked["stars"].strip() else {})
        finding = audit_claim({**claim, "law": law, "samples": samples}, budget=_budget(asked))
        exact = finding.to_dict()["exact_decimal"]
        told = [finding.statistic.sentence] if finding.statistic else []
        return {
            "level": finding.level,
            "printed": printable(asked["published"].strip()),
            "exact": exact,
            "reason": _REASONS.get(finding.reason, finding.reason.replace("-", " ")),
            "details": [printable(line) for line in (*told, *finding.evidence())],
        }

    def _recount(self, asked: Request, _progress: Progress | None) -> Answer:
        """Return how a record differs from a new count, "" where it does not."""
        from ..files import records

        ((name, data),) = self._contents(asked)
        record = records.read(tables.decoded(data, name), name)
        limit = _budget(asked)
        limit = Budget(seconds=max(limit.seconds, _RECOUNTED[0]), bytes=_RECOUNTED[1])
        return {"differs": printable(records.recounted(record, budget=limit))}

    # ------------------------------------------------------------------------------------------ files

    def _contents(self, asked: Request) -> list[tuple[str, bytes]]:
        return [(name, self._files[name]) for name in asked["files"]]

    def _sheets(self, asked: Request) -> tuple[list[Table], Reading]:
        """Return the rows of the files, and which columns of them are compared."""
        choice = _reading(asked)
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


def _facts(result: PermutationTestResult | FloatResult, question: Question, engine: str) -> list[list[Any]]:
    """Return the rows of a result below the p-value, which stands above them."""
    rows = [*result.rows(words=question.words)[1:], ("engine", engine)]
    return [_fact(label, words) for label, words in rows]


def _in_words(result: PermutationTestResult | FloatResult, question: Question) -> str:
    return printable(report.sentence(result, question))


def _plain(decimal: str) -> str:
    """Return a decimal without a power of ten, where that is readable.

    >>> _plain("7.39e-02"), _plain("7.39e-60")
    ('0.0739', '7.39e-60')
    """
    return format(Decimal(decimal), "f") if Decimal(decimal).adjusted() >= _PLAIN else decimal


def _read(source: Source) -> list[list[Any]]:
    """Return how the files were read, and what may not be meant, each with its cure."""
    notes = [*source.notes(), *(replaced(note, code="note") for note in source.warnings)]
    return [_fact("data", source.columns()), *(_fact(note.code, note.text, note.cure) for note in notes)]


def _fact(title: str, text: str, cure: Cure | None = None) -> list[Any]:
    """Return one row of a result: its title, its text, and what reads the data otherwise."""
    return [f"{title[0].upper()}{title[1:]}", printable(text), None if cure is None else _cure(cure)]


# ---------------------------------------------------------------------------------------------- leaderboards


def _leaderboard(board: Leaderboard, alpha: Exact, means: dict[str, Exact]) -> Answer:
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


def _systems(columns: list[Column]) -> list[Answer]:
    """Return the columns that may be systems of a leaderboard: those of scores, and others of numbers unchosen."""
    return [
        {"value": column.word, "label": _cut(column.name or f"column {column.word}"), "chosen": column.kind == "score"}
        for column in columns
        if column.kind in ("score", "id", "count", "other") and _numeric(column.cells)
    ]


def _numeric(cells: list[str]) -> bool:
    """Whether a column holds numbers, with some cells missing or not."""
    found = [cell for cell in cells if cell.lower() not in MISSING_CELLS]
    return bool(found) and all(map(_NUMBER.fullmatch, found))


def _short(table: Table) -> Table:
    """Return the start of a table, by which its columns are judged."""
    return replaced(table, rows=table.rows[:_JUDGED_ROWS])


def _offers(table: Table) -> list[Answer]:
    heads = table.header or table.rows[0]
    return [_offered(table.word(i), cell, str(i + 1)) for i, cell in enumerate(heads[:_SHOWN_COLUMNS])]


def _offered(word: str, name: str | None = None, number: str = "") -> Answer:
    """Return a column to choose: the word that chooses it, its name or its first cell, and its number from 1."""
    name = word if name is None else name
    return {"value": word, "name": name, "number": number, "label": _cut(f"{number}: {name}" if number else name)}


# ---------------------------------------------------------------------------------------------- settings


def _form(name: str, label: str, layout: Layout) -> Answer:
    """Return a statistic with its lists of columns: for one file, for one of two files, and for one of more."""
    second = "none: differences"
    if layout.kind == "scores":
        lists: Any = [[("first system", None), ("second system", second)], [("scores", None)]]
    elif layout.kind == "labels":
        gold = ("gold labels", None)
        lists = [[gold, ("first system", None), ("second system", None)], [gold, ("labels", None)], [("labels", None)]]
    else:
        own: Any = _COUNTS.get(layout.name) or [(role, None) for role in layout.roles]
        lists = [[(f"{system} system, {count}", none) for system in ("first", "second") for count, none in own], own]
    return {"name": name, "label": label, "lists": [[{"label": of, "none": none} for of, none in one] for one in lists]}


def _field(field: Field) -> Answer:
    """Return one setting of reading as the page needs it for a control."""
    label = _LABELS.get(field.name, field.name.capitalize())
    choices = ("auto", *tables.DELIMITERS) if field.name == "delimiter" else field.choices
    kind = "column" if field.column else "choice" if choices else "text"
    about = {"name": field.name, "label": label, "help": field.help, "kind": kind, "choices": choices}
    return {**about, "default": field.default or "", "words": DESIGNS if field.name == "runs" else {}}


def _reading(asked: Request) -> Reading:
    """Return how the files are read."""
    values = {name: asked.get(name, "").strip() or None for name in FIELD if name not in _IN_LISTS}
    if values["decimals"] is not None:
        values["decimals"] = _whole(asked, "decimals", least=0)
    return Reading.of({**values, "columns": _listed(asked["columns"])})


def _listed(columns: list[str]) -> str | None:
    """Return columns as the command line takes them: one row of CSV; None for all columns."""
    if not columns:
        return None
    row = io.StringIO()
    csv.writer(row, lineterminator="").writerow(columns)
    return row.getvalue()


def _whole(asked: Request, name: str, most: int | None = None, least: int = 1) -> int:
    """Return a setting that is a whole number."""
    text = asked[name].strip()
    if not (text.isdecimal() and len(text) < 19):
        raise ExactPermError(f"{name} is {text!r}: it must be a whole number")
    return whole_number(int(text), name, least, most)


def _budget(asked: Request) -> Budget:
    try:
        seconds = float(asked["seconds"])
    except ValueError:
        raise ExactPermError(f"the limit is {asked['seconds']!r}: it must be a number of seconds") from None
    return Budget(seconds=seconds, bytes=_BYTES)


def _refuse_units(choice: Reading, what: str, *names: str) -> None:
    """Refuse columns that only the test itself takes."""
    for name in names:
        if getattr(choice, name) is not None:
            raise ExactPermError(f"{what} takes no {name}: only the exact test does")


# ---------------------------------------------------------------------------------------------- words


def _more_time(error: BudgetExceeded) -> Answer | None:
    """Return the cure of refused work: a limit that it keeps, where that is an hour at most."""
    seconds = error.seconds
    if seconds is None or seconds > _MOST_SECONDS or (error.bytes or 0) > _BYTES:
        return None
    return _cure(Cure({"seconds": str(math.ceil(seconds) + 1)}))


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
    choose = {"choose": cure.choose} if cure.choose else {}
    return {"settings": settings, "command": cure.command, "words": printable(cure.words), **choose}


def _cut(text: str) -> str:
    """Return the start of a cell that can be shown in a small space."""
    text = printable(text[: _SHOWN_CHARACTERS + 1])
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[: _SHOWN_CHARACTERS - 1]}\N{HORIZONTAL ELLIPSIS}"
