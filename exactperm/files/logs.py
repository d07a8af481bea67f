"""Read the known outputs of tools by their structure, a function each; any other JSON is a table of its records.

JSON of lm-evaluation-harness (``samples_*.jsonl``), HELM (``per_instance_stats.json``), Inspect (a log as JSON),
SWE-bench (reports of resolved instances) and comet-score; lines of comet-score and trec_eval. Each row has an "id",
perhaps a "run", scores, and what must be the same in every file for one id. A new tool
is a function and a row of ``_JSON``; one of lines is a branch of :func:`of_lines`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest

from .._types import Any
from ..arithmetic.quoting import printable, short_text
from ..errors import Cure
from ..record import replaced
from .json_text import Cells, Object, cell_of, flat, of_rows, table_of, value_of
from .reading import Reading
from .table import Ask, Table, quoted

LogRows = Iterable[tuple[Cells, str]]
"""The cells of each row, and what a row of its id has in every file."""

_GRADES = {"C": "1", "I": "0", "P": "0.5", "N": "0", "yes": "1", "no": "0"}
"""Inspect's values of grades: correct, incorrect, partial, no answer."""

_HARNESS = """
doc_id doc target arguments resps filtered_resps filter metrics doc_hash prompt_hash target_hash scores_per_repeat
"""
"""Keys of a sample of lm-evaluation-harness that hold no metric."""

_SEGMENT = re.compile(r"(\S.*?)\s+[Ss]egment\s+(\d+)\s+score:\s*(\S+)", re.ASCII)
_SYSTEM = re.compile(r"(?:\S.*?\s+)?(?:system\s+)?score:\s*\S+", re.ASCII | re.IGNORECASE)


def of_json(text: str, name: str, reading: Reading) -> Table:
    """Return the table of a JSON text, whose form is that of a known tool or the records of any other."""
    value = value_of(text, name)
    records = value if isinstance(value, list) else [value]
    if not records or reading.records or not all(isinstance(one, dict) for one in records):
        return table_of(value, name, reading)
    for form, fits, read in _JSON:
        if fits(records[0]):
            try:
                table = _table(read(records, name, reading), name, form)
            except (AttributeError, TypeError):  # text in place of an object, for example
                raise Ask(f"{printable(name)} is not as {form} writes it", "json") from None
            return replaced(table, absent="0") if read is _swe_bench else table
    return table_of(value, name, reading)


def of_lines(text: str, name: str) -> Table | None:
    """Return the table of lines that a known tool wrote, else None."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    form = "comet-score"
    found = _comet(lines) if "score:" in text else None
    if found is None and re.search(r"\sall\s", text):
        form = "trec_eval"
        found = _trec(lines, name)
    return None if found is None else _table(_pivoted(found, name), name, form)


def _table(rows: LogRows, name: str, form: str) -> Table:
    cells, same = zip(*rows)
    return of_rows(cells, name, form, same)


# ---------------------------------------------------------------------------------------------- tools


def _harness(records: Sequence[Object], name: str, reading: Reading) -> LogRows:
    """Yield the samples of lm-evaluation-harness, a row for each repeat where they have several."""
    filters = [*dict.fromkeys(str(one["filter"]) for one in records if "filter" in one)]
    known = reading.filter
    if known not in filters and (known is not None or len(filters) > 1):
        there = f"{len(filters)} filters of answers, {quoted(filters)}"
        raise Ask(f"{printable(name)} has {there}; which is compared?", "filter", "filter")
    if known is not None:
        records = [one for one in records if str(one.get("filter")) == known]
    first = records[0]
    keys = first.get("metrics")
    if not isinstance(keys, list):
        keys = [key for key in first if key not in _HARNESS.split()]
    keys = [key for key in map(str, keys) if not isinstance(first.get(key), (list, dict))]
    for one in records:
        cells = {key: cell_of(one.get(key)) for key in keys}
        cells["id"] = cell_of(one.get("doc_id"))
        repeats = one.get("scores_per_repeat") or {}
        lists = {key: part for key, part in repeats.items() if isinstance(part, list)}
        item = one.get("doc_hash", one.get("doc", one.get("prompt_hash", one.get("arguments"))))
        same = f"{_text(item)} {_text(one.get('target_hash', one.get('target')))}"
        for run, scores in enumerate([*zip_longest(*lists.values())] or [()], 1):
            repeat = dict(zip(lists, map(cell_of, scores)))
            yield {**cells, "run": str(run), **repeat}, same


def _text(value: object) -> str:
    """Return a value in any order of keys, without the ids of messages, which are new in each run."""
    if isinstance(value, list):
        return repr(list(map(_text, value)))
    if isinstance(value, dict):
        kept = {key: part for key, part in value.items() if key != "id" or "role" not in value}
        return repr(sorted((key, _text(part)) for key, part in kept.items()))
    return str(value)


def _helm(records: Sequence[Object], _name: str, _reading: Reading) -> LogRows:
    """Yield HELM's statistics per instance: the mean that it records for each metric."""
    for one in records:
        item = cell_of(one.get("instance_id"))
        kind = one.get("perturbation")
        if kind:
            item = f"{item}, {kind.get('name')}"
        row = {"id": item, "run": cell_of(one.get("train_trial_index")) or "0"}
        for stat in one.get("stats") or ():
            key = str(stat.get("name").get("name"))
            # a metric that occurs twice has no single value
            row[key] = "several" if key in row else cell_of(stat.get("mean"))
        yield row, ""


def _inspect(records: Sequence[Object], name: str, _reading: Reading) -> LogRows:
    """Yield the samples of an Inspect log, each score under its scorer's name."""
    samples = records[0].get("samples")
    if not samples:
        cure = Cure(words="write it with inspect log dump")
        text = f"{printable(name)} has no samples: a test needs the whole log, not only its header"
        raise Ask(text, "totals", answers=[cure])
    for one in samples:
        scores = one.get("scores") or {}
        values = {
            scorer: score.get("value") if isinstance(score, dict) else score
            for scorer, score in scores.items()
        }
        row = {"id": cell_of(one.get("id")), "run": cell_of(one.get("epoch")) or "1"}
        for key, cell in flat(values, name).items():
            row[key] = _GRADES.get(cell, cell)
        yield row, f"{_text(one.get('input'))} {_text(one.get('target'))}"


def _swe_bench(records: Sequence[Object], _name: str, _reading: Reading) -> LogRows:
    """Yield the instances of a SWE-bench report: 1 where it is resolved, else 0."""
    resolved = {*map(str, _resolved(records[0]))}
    listed = {*resolved}
    for part in records[0].values():
        if isinstance(part, list):
            listed.update([one for one in part if isinstance(one, str)])
    for one in sorted(listed):
        yield {"id": one, "resolved": str(int(one in resolved))}, ""


def _resolved(report: Object) -> Any:
    return report.get("resolved_ids", report.get("resolved"))


def _comet_json(records: Sequence[Object], name: str, _reading: Reading) -> LogRows:
    """Yield the segments of comet-score as JSON: a column for each scored file."""
    values = []
    for file, segments in records[0].items():
        for i, segment in enumerate(segments):
            values.append((str(i), file, cell_of(segment.get("COMET"))))
    return _pivoted(values, name)


def _of_comet(part: object) -> bool:
    first = part[0] if isinstance(part, list) and part else None
    return isinstance(first, dict) and "COMET" in first


_JSON: tuple[
    tuple[str, Callable[[Object], bool], Callable[[Sequence[Object], str, Reading], LogRows]], ...
] = (
    (
        "lm-evaluation-harness",
        lambda one: "doc_id" in one and ("doc_hash" in one or "filtered_resps" in one),
        _harness,
    ),
    ("HELM", lambda one: "instance_id" in one and isinstance(one.get("stats"), list), _helm),
    (
        "Inspect (C is 1, P is 0.5, I and N are 0)",
        lambda one: isinstance(one.get("eval"), dict) and ("samples" in one or "status" in one),
        _inspect,
    ),
    (
        "SWE-bench (an instance that is not resolved is 0)",
        lambda one: isinstance(_resolved(one), list),
        _swe_bench,
    ),
    ("comet-score", lambda one: bool(one) and all(map(_of_comet, one.values())), _comet_json),
)
"""The form of each tool, how its first record is known, and what reads its records."""


# ---------------------------------------------------------------------------------------------- lines

Values = Sequence[tuple[str, str, str]]
"""Item, column and cell of each."""


def _comet(lines: Sequence[str]) -> Values | None:
    """Return the segment scores of comet-score: a column for each scored file, without the lines of means."""
    found = [(line, _SEGMENT.fullmatch(line)) for line in lines]
    if not all(match or _SYSTEM.fullmatch(line) for line, match in found):
        return None
    return [(match[2], match[1], match[3]) for _line, match in found if match] or None


def _trec(lines: Sequence[str], name: str) -> Values | None:
    """Return the values of trec_eval for each query: a column for each measure, without the rows "all".

    Each line has a measure, a query and a value, and each measure one line for all queries.
    """
    rows = [line.split() for line in lines]
    if {*map(len, rows)} != {3}:
        return None
    totals = [measure for measure, query, _value in rows if query == "all"]
    if sorted({measure for measure, *_ in rows}) != sorted(totals):
        return None
    values = [(query, measure, value) for measure, query, value in rows if query != "all"]
    if not values:
        words = "write the values of each query, too: trec_eval -q"
        text = f"{printable(name)} holds totals of trec_eval, not values of queries"
        raise Ask(text, "totals", answers=(Cure(words=words),))
    return values


def _pivoted(values: Values, name: str) -> Iterator[tuple[Cells, str]]:
    """Yield a row for each item, with a cell for each system or measure."""
    rows: dict[str, Cells] = {}
    for item, column, value in values:
        row = rows.setdefault(item, {"id": item})
        if column in row:
            text = f"{printable(name)}: {short_text(item)} has two values of {short_text(column)}"
            raise Ask(text, "id-repeated")
        row[column] = value
    yield from ((row, "") for row in rows.values())
