"""Known outputs of evaluation tools, by their structure: a function each, which returns a table with the ids.

JSON of lm-evaluation-harness (``samples_*.jsonl``), HELM (``per_instance_stats.json``), Inspect (a log as JSON),
SWE-bench (reports of resolved instances) and comet-score; lines of comet-score and trec_eval. Each table has a column
"id", columns of scores, and what must be the same in every file for one id. A new tool is a function and a line in one
of two tables; nothing else knows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from .._types import Any
from ..arithmetic.quoting import printable, short_text
from ..errors import Cure
from .jsonl import Object, cell_of, of_rows
from .listing import Ask, Table, quoted
from .reading import Reading

_GRADES = {"C": "1", "I": "0", "P": "0.5", "N": "0", "yes": "1", "no": "0"}
"""Inspect's values of grades: correct, incorrect, partial, no answer."""

_HARNESS = frozenset(
    (
        *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
        *("doc_hash", "prompt_hash", "target_hash", "scores_per_repeat"),
    )
)
"""Keys of a sample of lm-evaluation-harness that hold no metric."""

_SEGMENT = re.compile(
    r"(?P<file>\S.*?)\s+[Ss]egment\s+(?P<item>\d+)\s+score:\s*(?P<score>\S+)", re.ASCII
)
_SYSTEM = re.compile(r"(?:\S.*?\s+)?(?:system\s+)?score:\s*\S+", re.ASCII | re.IGNORECASE)


def of_json(value: Any, name: str, reading: Reading) -> Table | None:
    """Return the table of a JSON value that a known tool wrote, else None."""
    records = value if isinstance(value, list) else [value]
    if not records or not all(isinstance(record, dict) for record in records):
        return None
    return next((known(records, name, reading) for fits, known in _JSON if fits(records[0])), None)


def of_lines(text: str, name: str) -> Table | None:
    """Return the table of lines that a known tool wrote, else None."""
    reader = _comet if "score:" in text else _trec if re.search(r"\sall\s", text) else None
    return None if reader is None else reader([line.strip() for line in text.split("\n")], name)


# ---------------------------------------------------------------------------------------------- JSON


def _harness(records: Sequence[Object], name: str, reading: Reading) -> Table:
    """Return the samples of lm-evaluation-harness, a row for each repeat where they have several."""
    filters = list(dict.fromkeys(str(record["filter"]) for record in records if "filter" in record))
    if reading.filter is not None or len(filters) > 1:
        if reading.filter not in filters:
            text = f"{printable(name)} has {len(filters)} filters of answers, {quoted(filters)}; which is compared?"
            raise Ask(text, "filter", "filter")
        records = [record for record in records if str(record.get("filter")) == reading.filter]
    first = records[0]
    metrics = first.get("metrics")
    keys = metrics if isinstance(metrics, list) else [key for key in first if key not in _HARNESS]
    keys = [key for key in map(str, keys) if not isinstance(first.get(key), (list, dict))]
    repeated = any(isinstance(record.get("scores_per_repeat"), dict) for record in records)
    rows, same = [], []
    for record in records:
        cells = {key: cell_of(record.get(key)) for key in keys}
        lists = _repeats(record) if repeated else {}
        for i in range(max(map(len, lists.values()), default=1)):
            row = {"id": cell_of(record.get("doc_id")), **({"run": str(i + 1)} if repeated else {})}
            scores = {key: cell_of(part[i]) if i < len(part) else "" for key, part in lists.items()}
            rows.append({**row, **cells, **scores})
            same.append(_content(record))
    known = {"id": 0, **({"run": 1} if repeated else {})}
    return of_rows(rows, name, "lm-evaluation-harness", same, **known)


def _repeats(record: Object) -> dict[str, list[Any]]:
    """Return the scores of each repeat of a sample; a metric without any has one score for all repeats."""
    lists = record.get("scores_per_repeat")
    parts = lists.items() if isinstance(lists, dict) else ()
    return {key: part for key, part in parts if isinstance(part, list)}


def _content(record: Object) -> str:
    """Return what a record of one id has in every file: hashes of its item and target, or what they are of."""
    item = record.get(
        "doc_hash", record.get("doc", record.get("prompt_hash", record.get("arguments")))
    )
    return f"{_text(item)} {_text(record.get('target_hash', record.get('target')))}"


def _text(value: Any) -> str:
    """Return a value in any order of keys, without the ids of messages, which are new in each run."""
    if isinstance(value, list):
        return repr(list(map(_text, value)))
    if isinstance(value, dict):
        kept = {key: part for key, part in value.items() if key != "id" or "role" not in value}
        return repr(sorted((key, _text(part)) for key, part in kept.items()))
    return str(value)


def _helm(records: Sequence[Object], name: str, _reading: Reading) -> Table:
    """Return HELM's statistics per instance: the mean that it records for each metric."""
    rows = []
    for record in records:
        kind = record.get("perturbation")
        item = cell_of(record.get("instance_id"))
        item += f", {kind.get('name')}" if isinstance(kind, dict) else ""
        row = {"id": item, "run": cell_of(record.get("train_trial_index")) or "0"}
        for stat in record.get("stats") or ():
            if not isinstance(stat, dict) or not isinstance(stat.get("name"), dict):
                raise Ask(f"{printable(name)}: an instance has no list of statistics", "json")
            key = str(stat["name"].get("name"))  # a metric that occurs twice has no single value
            row[key] = "several" if key in row else cell_of(stat.get("mean"))
        rows.append(row)
    return of_rows(rows, name, "HELM", id=0, run=1)


def _inspect(records: Sequence[Object], name: str, _reading: Reading) -> Table:
    """Return the samples of an Inspect log, each score under its scorer's name."""
    samples = records[0].get("samples") or ()
    if not samples or not all(isinstance(sample, dict) for sample in samples):
        text = f"{printable(name)} has no samples: a test needs the whole log, not only its header"
        raise Ask(text, "totals", answers=(Cure(words="write it with inspect log dump"),))
    rows, same = [], []
    for sample in samples:
        row = {"id": cell_of(sample.get("id")), "run": cell_of(sample.get("epoch")) or "1"}
        scores = sample.get("scores")
        for scorer, score in (scores if isinstance(scores, dict) else {}).items():
            value = score.get("value") if isinstance(score, dict) else score
            parts = (
                {f"{scorer}.{key}": part for key, part in value.items()}
                if isinstance(value, dict)
                else {}
            )
            for key, part in (parts or {scorer: value}).items():
                row[key] = _GRADES.get(part, part) if isinstance(part, str) else cell_of(part)
        rows.append(row)
        same.append(f"{_text(sample.get('input'))} {_text(sample.get('target'))}")
    form = "Inspect (C is 1, P is 0.5, I and N are 0)"
    return of_rows(rows, name, form, same, id=0, run=1)


def _swe_bench(records: Sequence[Object], name: str, _reading: Reading) -> Table:
    """Return the instances of a SWE-bench report: 1 where it is resolved, else 0."""
    report = records[0]
    resolved = {*map(str, report.get("resolved_ids", report.get("resolved")) or ())}
    lists = [part for part in report.values() if isinstance(part, list)]
    listed = {one for part in lists for one in part if isinstance(one, str)} | resolved
    rows = [{"id": one, "resolved": str(int(one in resolved))} for one in sorted(listed)]
    form = "SWE-bench (an instance that is not resolved is 0)"
    return of_rows(rows, name, form, id=0, absent="0")


def _comet_json(records: Sequence[Object], name: str, _reading: Reading) -> Table:
    """Return the segments of comet-score as JSON: a column for each scored file."""
    values = [
        (str(i), file, cell_of(segment.get("COMET")))
        for file, segments in records[0].items()
        for i, segment in enumerate(segments)
    ]
    return _pivoted(values, name, "comet-score")


_JSON: tuple[
    tuple[Callable[[Object], bool], Callable[[Sequence[Object], str, Reading], Table]], ...
] = (
    (lambda one: "doc_id" in one and ("doc_hash" in one or "filtered_resps" in one), _harness),
    (lambda one: "instance_id" in one and isinstance(one.get("stats"), list), _helm),
    (
        lambda one: isinstance(one.get("eval"), dict) and ("samples" in one or "status" in one),
        _inspect,
    ),
    (lambda one: isinstance(one.get("resolved_ids", one.get("resolved")), list), _swe_bench),
    (lambda one: bool(one) and all(map(_are_segments, one.values())), _comet_json),
)
"""How the first record of each tool is known, and what reads its records."""


def _are_segments(part: object) -> bool:
    found = isinstance(part, list) and part
    return bool(found) and all(isinstance(one, dict) and "COMET" in one for one in found or ())


# ---------------------------------------------------------------------------------------------- lines


def _comet(lines: Sequence[str], name: str) -> Table | None:
    """Return the segment scores of comet-score: a column for each scored file, without the lines of means."""
    found = [_SEGMENT.fullmatch(line) for line in lines]
    rest = [line for line, match in zip(lines, found) if match is None and line]
    if not any(found) or not all(map(_SYSTEM.fullmatch, rest)):
        return None
    values = [
        (match["item"], match["file"], match["score"]) for match in found if match is not None
    ]
    return _pivoted(values, name, "comet-score")


def _trec(lines: Sequence[str], name: str) -> Table | None:
    """Return the values of trec_eval for each query: a column for each measure, without the rows "all".

    Each line has a measure, a query and a value, and each measure one line for all queries.
    """
    rows = [line.split() for line in lines if line]
    totals = [row[0] for row in rows if row[1:2] == ["all"]]
    if any(len(row) != 3 for row in rows) or sorted({row[0] for row in rows}) != sorted(totals):
        return None
    values = [(row[1], row[0], row[2]) for row in rows if row[1] != "all"]
    if not values:
        words = "write the values of each query, too: trec_eval -q"
        text = f"{printable(name)} holds totals of trec_eval, not values of queries"
        raise Ask(text, "totals", answers=(Cure(words=words),))
    return _pivoted(values, name, "trec_eval")


def _pivoted(values: Sequence[tuple[str, str, str]], name: str, form: str) -> Table:
    """Return a row for each item and a column for each system or measure, of (item, column, value)."""
    rows: dict[str, dict[str, str]] = {}
    for item, column, value in values:
        row = rows.setdefault(item, {"id": item})
        if column in row:
            text = f"{printable(name)}: {short_text(item)} has two values of {short_text(column)}"
            raise Ask(text, "id-repeated")
        row[column] = value
    return of_rows(list(rows.values()), name, form, id=0)
