"""Read results per item as evaluation tools write them, recognised by their keys.

Each tool names its items and metrics in its own way; here they become flat records with an id.
Files of several runs are held against each other: an id must mean the same item everywhere. The
forms are those of lm-evaluation-harness (``samples_*.jsonl``), HELM (``per_instance_stats.json``),
Inspect (a log as JSON) and SWE-bench (reports of resolved instances). A new one is a function that
returns :class:`Items`, and a condition of :func:`recognised` that calls it. Tools that write lines
of text are in :mod:`exactperm.files.formats`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import short_text
from ..errors import Cure, ExactPermError
from ..record import Record, replaced
from .reading import Reading
from .repeats import refusal

if TYPE_CHECKING:
    from .jsonl import Numbered


_REPEATS = "scores_per_repeat"
"""Key of the scores of each repeat in a sample of lm-evaluation-harness, lists by metric."""

_HARNESS_KEYS = frozenset(
    (
        *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
        *("doc_hash", "prompt_hash", "target_hash", _REPEATS),
    )
)
"""Keys of a sample of lm-evaluation-harness that hold no metric."""

_GRADES = {"C": "1", "I": "0", "P": "0.5", "N": "0", "yes": "1", "no": "0"}
"""Inspect's values of grades: correct, incorrect, partial, no answer."""

_SWE_LISTS = (
    *(
        "resolved_ids",
        "unresolved_ids",
        "submitted_ids",
        "completed_ids",
        "incomplete_ids",
        "empty_patch_ids",
    ),
    *(
        "error_ids",
        "resolved",
        "no_generation",
        "generated",
        "no_logs",
        "with_logs",
        "applied",
        "no_apply",
    ),
)
"""Lists of instances in the two forms of SWE-bench results."""

_SCORES = re.compile(r"match|acc|correct|score|f1|pass", re.IGNORECASE)
"""Names of metrics that are likely to be compared, before counts of tokens and the like."""

_SHOWN = 12
_LONGEST = 8


class Items(Record):
    """Results of one run: the ``tool`` that wrote them, and one flat record per item.

    ``id`` is the key of the ids, ``unit`` that of the test items: where it repeats, an item was run
    several times, and ``run`` is the key of the runs.
    ``metrics`` are the keys that may hold scores, ``same`` those that must agree between runs, and
    ``prompts`` those that must where two runs have no text or hash of the item in common.
    ``filters`` are the names of the answer filters. With ``absent`` an item that only another run
    lists has that score here. ``total`` is the stated number of items.
    """

    tool: str
    id: str
    unit: str
    metrics: tuple[str, ...]
    records: list[Numbered]
    run: str = ""
    same: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    absent: str | None = None
    total: str | None = None


def recognised(records: Sequence[Numbered], name: str) -> Items | None:
    """Return the items of a known tool's output, None for other records."""
    first = records[0][1]
    if "doc_id" in first and not first.keys().isdisjoint(("doc_hash", "filtered_resps")):
        return _harness(records)
    if "instance_id" in first and isinstance(first.get("stats"), list):
        return _helm(records, name)
    if len(records) > 1:
        return None
    results = first.get("results")
    if isinstance(results, dict) and any(
        "," in key for task in results.values() if isinstance(task, dict) for key in task
    ):
        raise ExactPermError(
            f"{name} holds totals of tasks of lm-evaluation-harness: the test needs the score of each item",
            code="totals",
            cure=Cure(words="name the files samples_*.jsonl, which its option log_samples writes"),
        )
    if isinstance(first.get("eval"), dict) and ("samples" in first or "status" in first):
        return _inspect(records[0], name)
    if isinstance(first.get("resolved_ids", first.get("resolved")), list):
        return _swe_bench(records[0])
    return None


# ---------------------------------------------------------------------------------------- the tools


def _harness(records: Sequence[Numbered]) -> Items:
    """Return the samples of lm-evaluation-harness, which are flat already."""
    first = records[0][1]
    named = first.get("metrics")
    keys = named if isinstance(named, list) else [key for key in first if key not in _HARNESS_KEYS]
    repeated = any(isinstance(record.get(_REPEATS), dict) for _line, record in records)
    return Items(
        tool="lm-evaluation-harness samples",
        id="item" if repeated else "doc_id",
        unit="doc_id",
        run="repeat" if repeated else "",
        metrics=tuple(
            key
            for key in keys
            if isinstance(key, str) and not isinstance(first.get(key), (list, dict))
        ),
        records=[row for record in records for row in _repeats(*record)]
        if repeated
        else list(records),
        same=("doc_hash", "doc", "target_hash", "target"),
        prompts=("arguments",),
        filters=tuple(
            dict.fromkeys(str(record["filter"]) for _line, record in records if "filter" in record)
        ),
    )


def _repeats(line: int, record: dict[str, Any]) -> list[Numbered]:
    """Return a record for each repeat of a sample; a metric without scores of its own for each has one for all."""
    lists = record.get(_REPEATS)
    scores = (
        {key: some for key, some in lists.items() if isinstance(some, list)}
        if isinstance(lists, dict)
        else {}
    )
    number = max(map(len, scores.values()), default=1)
    doc = record.get("doc_id")
    rows: list[Numbered] = []
    for i in range(number):
        values = {key: some[i] if i < len(some) else None for key, some in scores.items()}
        rows.append(
            (line, {**record, **values, "item": f"{doc}, repeat {i + 1}", "repeat": str(i + 1)})
        )
    return rows


def _helm(records: Sequence[Numbered], name: str) -> Items:
    """Return HELM's statistics per instance: the mean that it records for each metric."""
    rows = []
    for line, record in records:
        stats, unit = record.get("stats"), record.get("instance_id")
        if not isinstance(stats, list) or not all(map(_is_stat, stats)):
            raise ExactPermError(f"{name}, line {line}: no list of statistics of a HELM instance")
        values: dict[str, Any] = {}
        for stat in stats:  # a metric that occurs twice has no single value
            key = str(stat["name"].get("name"))
            values[key] = [values[key], stat] if key in values else stat.get("mean")
        perturbed = record.get("perturbation")
        trial = record.get("train_trial_index")
        kind = perturbed.get("name") if isinstance(perturbed, dict) else None
        run = ", ".join(
            str(part) for part in (kind, None if trial in (None, "0") else f"trial {trial}") if part
        )
        item = f"{unit}, {run}" if run else unit
        rows.append((line, {"instance_id": unit, "item": item, "trial": trial or "0", **values}))
    return Items(
        tool="HELM statistics per instance",
        id="item",
        unit="instance_id",
        run="trial",
        metrics=tuple(dict.fromkeys(key for _line, row in rows for key in list(row)[3:])),
        records=rows,
    )


def _is_stat(stat: Any) -> bool:
    return isinstance(stat, dict) and isinstance(stat.get("name"), dict)


def _inspect(log: Numbered, name: str) -> Items:
    """Return the samples of an Inspect log, each score under its scorer's name."""
    line, record = log
    samples = record.get("samples")
    if (
        not isinstance(samples, list)
        or not samples
        or not all(isinstance(sample, dict) for sample in samples)
    ):
        raise ExactPermError(
            f"{name} has no samples: write the whole log with inspect log dump, not only its header"
        )
    epochs = {
        sample.get("epoch")
        for sample in samples
        if not isinstance(sample.get("epoch"), (list, dict))
    }
    rows: list[Numbered] = []
    for sample in samples:
        values: dict[str, Any] = {}
        scores = sample.get("scores")
        for scorer, score in (scores if isinstance(scores, dict) else {}).items():
            value = score.get("value") if isinstance(score, dict) else score
            parts = (
                {f"{scorer}.{key}": part for key, part in value.items()}
                if isinstance(value, dict)
                else None
            )
            values.update({scorer: value} if parts is None else parts)
        graded = {
            key: _GRADES.get(value, value) if isinstance(value, str) else value
            for key, value in values.items()
        }
        unit = sample.get("id")
        item = unit if len(epochs) < 2 else f"{unit}, epoch {sample.get('epoch')}"
        rows.append(
            (
                line,
                {
                    "item": item,
                    "id": unit,
                    "epoch": sample.get("epoch"),
                    "input": sample.get("input"),
                    "target": sample.get("target"),
                    **graded,
                },
            )
        )
    return Items(
        tool="Inspect log (C is 1, P is 0.5, I and N are 0)",
        id="item",
        unit="id",
        run="epoch",
        metrics=tuple(dict.fromkeys(key for _line, row in rows for key in list(row)[5:])),
        records=rows,
        same=("input", "target"),
    )


def _swe_bench(report: Numbered) -> Items:
    """Return the instances of a SWE-bench report: 1 where it is resolved, else 0."""
    line, record = report
    lists = {key: record[key] for key in _SWE_LISTS if isinstance(record.get(key), list)}
    resolved = set(map(str, lists.get("resolved_ids", lists.get("resolved", []))))
    listed = sorted({str(instance) for instances in lists.values() for instance in instances})
    total = record.get("total_instances")
    return Items(
        tool="SWE-bench results (an instance that is not resolved is 0)",
        id="instance_id",
        unit="instance_id",
        metrics=("resolved",),
        records=[
            (line, {"instance_id": name, "resolved": str(int(name in resolved))}) for name in listed
        ],
        absent="0",
        total=None if total is None else str(total),
    )


# ------------------------------------------------------------------------------------- several runs


def matched(
    runs: Sequence[Items | None], names: Sequence[str], reading: Reading
) -> tuple[list[list[Numbered]], Reading]:
    """Return the records of all runs, and the reading with the key of the ids and the only metric filled in.

    Raises ``ExactPermError`` where the runs do not come from one tool, where a metric or a filter
    must be chosen, where an item was run several times and no groups hold its runs together, and
    where an id means different items.
    """
    first = runs[0]
    for run, name in zip(runs, names):
        if run is None or first is None or run.tool != first.tool:
            kinds = [
                f"{name} holds {'other records' if run is None else run.tool}"
                for run, name in zip(runs, names)
            ]
            raise ExactPermError(
                f"files of one kind are compared, but {', '.join(kinds)}", code="tools"
            )
        if run.total is not None and first.total is not None and run.total != first.total:
            raise ExactPermError(
                f"{names[0]} is about {first.total} instances and {name} about {run.total}: they are not of one dataset"
            )
    if len(runs) == 1 and len(reading.words) < 2:  # one column would be taken for differences
        cure = Cure(words="name the file of the other run, too")
        raise ExactPermError(
            f"{names[0]} holds the scores of one run", code="one-system", cure=cure
        )
    found = [_reduced(run, reading) for run in runs if run is not None]
    repeat = next((run.run for run in found if run.run), "")
    completed = _completed(found[0], names[0], reading, repeat)
    common = [
        answers for answers in found[0].filters if all(answers in run.filters for run in found)
    ]
    if not common and all(run.filters for run in found):
        has = "; ".join(f"{name} has {_shown_filters(run)}" for run, name in zip(found, names))
        raise ExactPermError(
            f"the files have no filter of answers in common: {has}; are they runs of different tasks?",
            code="filter",
        )
    records = [_filtered(run, name, reading, common) for run, name in zip(found, names)]
    for one, rows, name in zip(found, records, names):
        _check_units(one, rows, name, reading)
    if found[0].absent is not None:
        records = _united(found[0], records, names[0])
    _check_same(found[0], records, names)
    if reading.runs is not None and repeat:  # a file without repeats has one run
        records = [[(line, {repeat: "1", **record}) for line, record in rows] for rows in records]
    return records, completed


def _reduced(run: Items, reading: Reading) -> Items:
    """Return the run with one record for each item where the metrics that are compared are one number of all repeats.

    Where only some of them are, the scores of the others stay those of each repeat.
    """
    lists = [record.get(_REPEATS) for _line, record in run.records] if run.run == "repeat" else []
    single = {
        key
        for some in lists
        if isinstance(some, dict)
        for key, scores in some.items()
        if isinstance(scores, list)
    }
    if not lists or single & {*(reading.words or run.metrics)}:
        return run
    firsts = [(line, record) for line, record in run.records if record["repeat"] == "1"]
    return replaced(run, id=run.unit, run="", records=firsts)


def _completed(run: Items, name: str, reading: Reading, repeat: str) -> Reading:
    values = {}
    if reading.id is None:
        values["id"] = run.id if reading.runs is None else run.unit
    if reading.runs is not None and reading.run is None and repeat:
        values["run"] = repeat
    if not reading.words:
        if len(run.metrics) != 1:
            shown = ", ".join(map(short_text, run.metrics[:_SHOWN])) or "none"
            example = next(
                filter(_SCORES.search, run.metrics), run.metrics[0] if run.metrics else ""
            )
            cure = Cure({"key": example}) if example else None
            raise ExactPermError(
                f"{name}: which metric is compared? It has {shown}", code="metric", cure=cure
            )
        values["key"] = run.metrics[0]
    return replaced(reading, **values)


def _filtered(run: Items, name: str, reading: Reading, common: list[str]) -> list[Numbered]:
    """Return the records of the chosen filter; ``common`` are the filters that all runs have."""
    if reading.filter is None and len(run.filters) < 2:
        return run.records
    if reading.filter not in run.filters:
        cure = Cure({"filter": common[0]}) if common else Cure(words="choose no filter")
        raise ExactPermError(
            f"{name}: which answers are compared? It has {_shown_filters(run)}",
            code="filter",
            cure=cure,
        )
    return [
        (line, record)
        for line, record in run.records
        if str(record.get("filter")) == reading.filter
    ]


def _shown_filters(run: Items) -> str:
    return ", ".join(map(short_text, run.filters[:_SHOWN])) or "no filters"


def _check_units(run: Items, rows: list[Numbered], name: str, reading: Reading) -> None:
    units = {str(record.get(run.unit)) for _line, record in rows}
    if (
        run.id != run.unit
        and len(units) < len(rows)
        and reading.groups is None
        and reading.runs is None
    ):
        raise refusal(f"{name}: {len(rows)} results of {len(units)} items")


def _united(run: Items, records: list[list[Numbered]], name: str) -> list[list[Numbered]]:
    """Add to each run the items that only other runs list, and those of a known total that none lists."""
    ids = {record[run.id] for rows in records for _line, record in rows}
    if run.total is not None and run.total.isdecimal() and len(run.total) < _LONGEST:
        unlisted = int(run.total) - len(ids)
        if unlisted < 0:
            raise ExactPermError(
                f"{name} is about {run.total} instances, but {len(ids)} are listed", code="totals"
            )
        ids.update(f"~ not listed {i}" for i in range(1, unlisted + 1))
    united = []
    for rows in records:
        there = {record[run.id]: (line, record) for line, record in rows}
        united.append(
            [there.get(key, (1, {run.id: key, run.metrics[0]: run.absent})) for key in sorted(ids)]
        )
    return united


def _check_same(run: Items, records: list[list[Numbered]], names: Sequence[str]) -> None:
    """Raise ``ExactPermError`` where one id names different items in two runs."""
    known = {str(record.get(run.unit)): (line, record) for line, record in records[0]}
    for rows, name in zip(records[1:], names[1:]):
        for line, record in rows:
            item = str(record.get(run.id))
            place, there = known.get(str(record.get(run.unit)), (0, record))
            shared = [key for key in run.same if key in record and key in there]
            # few items have a target of their own
            if all(key.startswith("target") for key in shared):
                shared += [key for key in run.prompts if key in record and key in there]
            for key in shared:
                if _text(record[key]) != _text(there[key]):
                    raise ExactPermError(
                        f"{name}, line {line}: {run.id} {short_text(item)} has another {key} than in {names[0]}, "
                        f"line {place}: the runs saw different items",
                        code="other-items",
                    )


def _text(value: Any) -> str:
    """Return what a key must agree on, in any order of keys; messages have ids that are new in each run."""
    if isinstance(value, list):
        return repr(list(map(_text, value)))
    if isinstance(value, dict):
        kept = {
            key: _text(part) for key, part in value.items() if not (key == "id" and "role" in value)
        }
        return repr(sorted(kept.items()))
    return value if isinstance(value, str) else repr(value)
