"""Turn text and tables of known forms into one row per item: outputs of trec_eval and comet-score, long tables.

Tools that write JSON are in :mod:`exactperm.files.evaluations`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from .._types import TYPE_CHECKING
from ..arithmetic.quoting import short_text
from ..errors import Cure, ExactPermError
from ..record import replaced
from .cells import names_ids, names_runs
from .parts import place_of
from .profile import Column, columns_of, of_kind
from .repeats import CHOOSE, refusal
from .tables import Table

if TYPE_CHECKING:
    from .reading import Reading


_MOST_SYSTEMS = 1000
_COMET = re.compile(
    r"(?P<file>.+?)\s+[Ss]egment\s+(?P<item>\d+)\s+score:\s*(?P<score>\S+)", re.ASCII
)
_COMET_TOTAL = r"(?:.+?\s+)?(?:system\s+)?score:\s*\S+"
_TREC = re.compile(
    r"(?P<measure>\w[\w.@-]*)[ \t]+(?P<item>\S+)[ \t]+(?P<score>[+-]?\d[\w.+-]*)", re.ASCII
)
_TREC_MEASURES = (
    "map",
    "ndcg",
    "P_",
    "recall",
    "recip_rank",
    "Rprec",
    "num_",
    "bpref",
    "gm_",
    "iprec",
    "success",
    "RR",
    "AP",
)


def written_by_a_tool(lines: Sequence[str], name: str) -> Table | None:
    """Return the table of a tool's output by its lines, None for other texts."""
    for tool, read in _TOOLS.items():
        found = read(lines, name)
        if found is not None:
            return replaced(found, tool=tool)
    return None


def _comet(lines: Sequence[str], name: str) -> Table | None:
    """Return the segment scores of comet-score: one column per scored file; the lines of means are left out."""
    found = [
        (number, _COMET.fullmatch(line.strip()), line)
        for number, line in enumerate(lines, 1)
        if line.strip()
    ]
    rest = [line for _number, match, line in found if match is None]
    segments = [(number, match) for number, match, _line in found if match is not None]
    if not segments or not all(
        re.fullmatch(_COMET_TOTAL, line.strip(), re.ASCII | re.IGNORECASE) for line in rest
    ):
        return None
    return _pivoted(
        name, [(number, m["item"], m["file"], m["score"]) for number, m in segments], "segment"
    )


def _trec(lines: Sequence[str], name: str) -> Table | None:
    """Return the values of trec_eval per query: one column per measure; the rows "all" are left out."""
    found = [
        (number, _TREC.fullmatch(line.strip()))
        for number, line in enumerate(lines, 1)
        if line.strip()
    ]
    if len(found) < 2:
        return None
    matches = [(number, match) for number, match in found if match is not None]
    texts = {"runid", "relstring"}
    rest = [lines[number - 1].split() for number, match in found if match is None]
    if any(len(cells) != 3 or cells[0] not in texts for cells in rest):
        return None
    if not all(match["measure"].startswith(_TREC_MEASURES) for _number, match in matches):
        return None
    rows = [
        (number, m["item"], m["measure"], m["score"]) for number, m in matches if m["item"] != "all"
    ]
    if not rows:
        cure = Cure(words="write the values of each query, too: trec_eval -q")
        raise ExactPermError(
            f"{name} holds totals of trec_eval, not values of queries", code="totals", cure=cure
        )
    return _pivoted(name, rows, "query")


def _pivoted(name: str, rows: Sequence[tuple[int, str, str, str]], item: str) -> Table:
    """Return one row per item and one column per system or measure, of (line, item, column, value)."""
    names = list(dict.fromkeys(column for _line, _item, column, _value in rows))
    found: dict[str, tuple[int, dict[str, str]]] = {}
    for line, key, column, value in rows:
        cells = found.setdefault(key, (line, {}))[1]
        if column in cells:
            raise ExactPermError(
                f"{name}, line {line}: {item} {short_text(key)} has a second value of {short_text(column)}",
                code="repeated",
            )
        cells[column] = value
    return Table(
        name=name,
        rows=[
            [key, *(cells.get(column, "") for column in names)]
            for key, (_line, cells) in found.items()
        ],
        lines=[line for line, _cells in found.values()],
        header=(item, *names),
        decimal="point",
        keyed=True,
    )


_TOOLS: dict[str, Callable[[Sequence[str], str], Table | None]] = {
    "comet-score, one row per segment": _comet,
    "trec_eval, one row per query": _trec,
}
"""What reads the output of each tool that writes lines of text; a new one is a function and a line
here."""


# -------------------------------------------------------------------------------------- long tables


def widened(found: Sequence[Table], reading: Reading) -> tuple[list[Table], Reading]:
    """Return long tables, a row for each item and system, as a row for each item and a column for each system.

    The reading that is returned has the names of the columns that it chooses by number, since those
    of a long table are not those of a wide one. Where it names no column of systems, all is
    returned as it is.

    Raises ``ExactPermError`` where the systems, the items or the scores are not known, or an item
    repeats.
    """
    if reading.system is None or reading.runs is not None:  # runs.py reads the rows as they are
        return list(found), reading
    wide, readings = zip(*(_wide(table, reading) for table in found))
    for table, other in zip(found, readings):
        if other != readings[0]:
            cure = Cure(words="choose columns by the names that they have in every file")
            text = f"{table.name}: its columns are others than in {found[0].name}"
            raise ExactPermError(text, code="long-columns", cure=cure)
    return list(wide), readings[0]


def _wide(table: Table, reading: Reading) -> tuple[Table, Reading]:
    """Return a long table as a wide one, and the reading with the names of its columns."""
    columns = columns_of(table)
    system = place_of(table, reading.system or "", reading)
    rest = [column for column in columns if column.place != system]
    _check_runs(table, system, rest, reading)
    systems = table.column(system)
    items = [
        column for column in rest if column.kind != "score" and _is_item(column.cells, systems)
    ]
    items = [column for column in items if names_ids(column.name)] or items
    item = (
        place_of(table, reading.id, reading)
        if reading.id
        else items[0].place
        if len(items) == 1
        else -1
    )
    if item < 0:
        message = f"{table.name}: which column names the items of the systems?"
        ids = [column for column in rest if column.kind not in ("score", "system")]
        cure = Cure({"id": ids[0].word}) if ids else Cure(words="choose the column of the ids")
        raise ExactPermError(message, code="long-columns", cure=cure)
    scores = [column for column in of_kind(rest, "score", "count") if column.place != item]
    score = (
        place_of(table, reading.score, reading)
        if reading.score
        else scores[0].place
        if len(scores) == 1
        else -1
    )
    if score < 0:
        message = f"{table.name}: which column holds the scores of the systems? {table.listed()}"
        best = Cure({"score": scores[0].word}) if scores else None
        raise ExactPermError(message, code="long-columns", cure=best)
    rows = [
        (line, cells[item], cells[system], cells[score])
        for line, cells in zip(table.lines, table.rows)
    ]
    if "" in {row[2] for row in rows} or len({row[2] for row in rows}) > _MOST_SYSTEMS:
        raise ExactPermError(f"{table.column_text(system)} names no systems", code="long-columns")
    wide = _pivoted(table.name, rows, table.heading(item) or "item")
    words = {name: getattr(reading, name) for name in ("groups", "weights", "tasks")}
    chosen = {
        name: place_of(table, word, reading) for name, word in words.items() if word is not None
    }
    beside = _fixed(
        table,
        item,
        [i for i in range(table.width) if i not in (item, system, score)],
        {*chosen.values()},
    )
    header = (*(wide.header or ()), *map(table.title, beside))
    names = {item: header[0], **{place: table.title(place) for place in beside}}
    found = {name: names[place] for name, place in chosen.items()}
    if reading.id is not None:
        found["id"] = header[0]
    cells = [[*cells, *(known[cells[0]] for known in beside.values())] for cells in wide.rows]
    return replaced(table, rows=cells, lines=wide.lines, header=header, widened=True), replaced(
        reading, **found
    )


def _check_runs(table: Table, system: int, columns: Sequence[Column], reading: Reading) -> None:
    """Raise ``ExactPermError`` where a column names several runs of each system and item, by its name and its cells."""
    run = next(
        (column for column in columns if names_runs(column.name) and len({*column.cells}) > 1), None
    )
    if run is None or run.word in (reading.id, reading.score):
        return
    if len({*zip(table.column(system), run.cells)}) < len(run.cells):  # else runs are the items
        raise refusal(f"{table.name} has several runs of each system, by {short_text(run.name)}")


def _fixed(
    table: Table, item: int, places: Sequence[int], chosen: set[int]
) -> dict[int, dict[str, str]]:
    """Return the columns that are the same in all rows of an item, such as documents: their cells by the items.

    They have names, or are ``chosen``; ``ExactPermError`` where a chosen one differs.
    """
    fixed = {}
    for i in (*places, *(place for place in chosen if place not in (item, *places))):
        known: dict[str, str] = {}
        if i in chosen or table.heading(i):
            odd = [
                row
                for row, cells in enumerate(table.rows)
                if known.setdefault(cells[item], cells[i]) != cells[i]
            ]
            if odd and i in chosen:
                where = table.place(odd[0], i, item)
                what = f"{where}: it is {short_text(table.rows[odd[0]][i])}, in another row of the item"
                raise ExactPermError(
                    f"{what} {short_text(known[table.rows[odd[0]][item]])}", code="long-columns"
                )
            if not odd:
                fixed[i] = known
    return fixed


def is_long(table: Table) -> Cure | None:
    """Return the settings that read a table of one row for each item and system, None for other tables."""
    columns = columns_of(table)
    run = next(
        (c for c in columns if names_runs(c.name) and 1 < len({*c.cells}) < len(c.cells)), None
    )
    systems = of_kind(columns, "system")
    repeated = [column for column in systems if 1 < len({*column.cells}) <= len(column.cells) / 2]
    if len(repeated) > 1:
        repeated = [column for column in repeated if column is not run]
    run = run if run not in repeated else None
    scores = [column for column in of_kind(columns, "score", "count") if column is not run]
    if len(repeated) != 1 or not scores:
        return None
    column = repeated[0]
    counts = {*Counter(column.cells).values()}
    items = [
        c
        for c in columns
        if c not in (column, run)
        and c.kind in ("id", "label", "other")
        and _is_item(c.cells, column.cells, run)
    ]
    if len(counts) > 1 and not items:
        return None
    settings = {"system": column.word}
    if items:
        settings["id"] = items[0].word
    if len(scores) > 1:
        settings["score"] = scores[0].word
    if run is not None and items:
        return Cure({**settings, "run": run.word}, words=f"and {CHOOSE}", choose="runs")
    return Cure(settings, words="" if items else "where the items have names, too")


def _is_item(cells: Sequence[str], systems: Sequence[str], run: Column | None = None) -> bool:
    """Whether a column names the items: once for each system, or for each of its runs."""
    keys = (cells, systems) if run is None else (cells, systems, run.cells)
    return len({*zip(*keys)}) == len(cells) > len({*cells})
