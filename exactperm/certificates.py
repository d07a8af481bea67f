"""Certificates: records of a test that also state where its scores come from, for verifier.py to check.

A record (:meth:`PermutationTestResult.to_dict
<exactperm.null.result.PermutationTestResult.to_dict>`) proves its count from its tally. "data"
connects the tally to one file or two: for each its SHA-256 and every rule of reading it. Nothing is
left to guess: :func:`certify` reads the files by these rules with verifier.py itself and refuses
another tally.

Source: spec/12-certificates.md.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
from collections.abc import Iterable, Sequence

from . import verifier
from ._types import Any, Union
from .arithmetic.quoting import short_text
from .arithmetic.reading import exact_column
from .arithmetic.writing import number_text
from .errors import Cure, ExactPermError, WrongType
from .files import tables
from .files.numbers import decimal_mark
from .files.parts import part_of
from .files.reading import FIELDS, Reading
from .files.selection import select
from .files.sources import delimited
from .files.tables import Table
from .null.float_result import FloatResult
from .null.result import PermutationTestResult
from .null.sentence import is_weighted
from .record import replaced

File = Union[str, os.PathLike[str], bytes]
Data = Union[File, tuple[File, File], list[File]]


CERTIFIED = tuple(field.name for field in FIELDS if field.certified)
"""Settings of reading that :func:`certify` takes."""

_PAIRED = (None, "items")  # designs that swap the two scores, or the two blocks of runs, of an item


def certify(
    result: PermutationTestResult | FloatResult,
    data: Data | None = None,
    **settings: Any,
) -> dict[str, Any]:
    r"""Return the certificate of a result, ready for JSON, which verifier.py checks against the scores.

    ``data`` is the CSV or TSV file of the scores, as a path or as bytes, or a list of two such
    files with one column each. ``settings`` are the options of ``exactperm test`` with which they
    were read: "columns", "id" (the column of the ids that join two files), "groups", "delimiter",
    "decimal", "header", "comments" and "decimals". Check it with ``python3 verifier.py CERTIFICATE
    [SCORES [SCORES]]``. Without ``data`` it is the record alone, which proves the count but not the
    scores. Scores of other files, such as JSON, or of joined ones, have a certificate of
    :func:`canonical_scores`.

    Of a result with several runs, ``data`` is one file for each system, with a row for each run,
    whose item is in the column ``id``, or with ``columns`` for the runs; or one file, and
    ``columns`` are two blocks such as "2-4,5-7".

    A result without a count of a tally (F1, a certified bracket) is only claimed, and its
    certificate says so; with ``data`` it has the SHA-256 of each file. Raises ``ExactPermError``
    where the verifier cannot read the scores by fixed rules (a cell over several lines, numbers of
    more than 600 characters) or finds another test in them, and for ``data`` of a result with
    weights or tasks, whose certificate is of the differences.
    Cost: reading the scores twice. Source: spec/12-certificates.md.

    >>> from exactperm import sign_flip_test
    >>> certify(sign_flip_test([3, 1, -2]), b"d\n3\n1\n-2\n")["data"][0]["columns"]
    [1]
    """
    if not isinstance(result, (PermutationTestResult, FloatResult)):
        raise WrongType(
            f"result is {short_text(result)}: certify takes the result of an exact or a certified test"
        )
    for name in settings:
        if name not in CERTIFIED:
            raise WrongType(
                f"certify has no setting {short_text(name)}: choose from {', '.join(CERTIFIED)}"
            )
    reading = Reading.of(settings)
    files = (
        []
        if data is None
        else [*map(_content, data if isinstance(data, (list, tuple)) else [data])]
    )
    if data is not None and len(files) not in (1, 2):
        raise ExactPermError(
            f"data has {len(files)} files: a certificate is of one file of scores, or of two"
        )
    record = result.to_dict()
    if record["claim"] != "counted":
        return (
            {**record, "data": [{"sha256": hashlib.sha256(raw).hexdigest()} for raw in files]}
            if files
            else record
        )
    if not files:
        return record
    if is_weighted(result.statistic_name):
        words = "leave data out: the certificate is then of the tally alone"
        raise ExactPermError(
            "result has weights or tasks, which verifier.py does not read in data",
            cure=Cure(words=words),
        )
    names = ["data"] if len(files) == 1 else ["data[0]", "data[1]"]
    read = [delimited(tables.decoded(raw, name), name, reading) for name, raw in zip(names, files)]
    if isinstance(result, PermutationTestResult) and result.design is not None:
        rules = _rules_of_runs(read, reading)
        files = files if len(files) > 1 else files * 2
    else:
        rules = [_rules(table, len(files), reading) for table in read]
    stated = [{"sha256": hashlib.sha256(raw).hexdigest(), **one} for raw, one in zip(files, rules)]
    _check(stated, files, result)
    return {**record, "data": stated}


def canonical_scores(
    u: Iterable[Any], v: Iterable[Any], groups: Iterable[Any] | None = None
) -> bytes:
    r"""Return two columns of scores as the CSV file that :func:`certify` takes where theirs cannot be certified.

    It has a row for each pair, in order: exact numbers, and the group in a third column, which is
    named "group". So scores of JSON records, of joined files, or without the pairs that were left
    out, have a certificate, too. Raises ``ExactPermError`` as :func:`exactperm.permutation_test`
    does. Cost: linear. Source: spec/12-certificates.md.

    >>> canonical_scores([True, "0.50"], [0.25, 0])
    b'u,v\n1,0.25\n0.5,0\n'
    """
    first, second = exact_column(u, "u"), exact_column(v, "v")
    labels = None if groups is None else [str(label) for label in groups]
    columns: list[Any] = [first, second] if labels is None else [first, second, labels]
    if len({len(column) for column in columns}) > 1:
        raise ExactPermError(
            f"u, v and groups have {', '.join(str(len(column)) for column in columns)} entries"
        )
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["u", "v"] if labels is None else ["u", "v", "group"])
    for scores in zip(*columns):
        rows.writerow([cell if isinstance(cell, str) else number_text(cell) for cell in scores])
    return text.getvalue().encode()


def _content(data: Any) -> bytes:
    """Return the bytes of a file, or those given."""
    if isinstance(data, bytes):
        return data
    if not isinstance(data, (str, os.PathLike)):
        raise WrongType(
            f"data is {short_text(data)}: it must be the path or the bytes of a file of scores, or two"
        )
    return tables.read_bytes(os.fsdecode(data), f"data ({os.fsdecode(data)})")


def _rules(table: Table, files: int, reading: Reading) -> dict[str, Any]:
    """Return the rules by which one file is read."""
    try:
        chosen = select([table], (1, 2) if files == 1 else (1,), "scores of A, B", reading)
    except ExactPermError as error:
        raise ExactPermError(f"columns, id, groups and header do not fit: {error}") from None
    (part,) = chosen.parts
    ids = part.id if files > 1 and reading.id is not None else -1
    return _stated(
        table, reading, columns=part.chosen, ids=ids, groups=part.label, comma=chosen.comma
    )


def _rules_of_runs(read: list[Table], reading: Reading) -> list[dict[str, Any]]:
    """Return the rules of the two systems: their files, or two blocks of columns of one file."""
    words = [reading.words] * 2 if len(read) > 1 else reading.blocks
    if len(words) != 2:
        raise ExactPermError(
            "columns of one file must be two blocks of runs, such as 2-4,5-7", code="columns"
        )
    rules = []
    for table, block in zip(read if len(read) > 1 else read * 2, words):
        try:
            part = part_of(
                table,
                replaced(reading, columns=",".join(block) or None),
                "scores",
                range(1, table.width + 1),
            )
            comma = decimal_mark(table, part.chosen, range(len(table.rows)))
        except ExactPermError as error:
            raise ExactPermError(f"columns, id and header do not fit: {error}") from None
        rules.append(
            _stated(table, reading, columns=part.chosen, ids=part.id, groups=-1, comma=comma)
        )
    return rules


def _stated(
    table: Table, reading: Reading, *, columns: Sequence[int], ids: int, groups: int, comma: bool
) -> dict[str, Any]:
    """Return the rules by which columns of one file are read; -1 stands for no column of ids or groups."""
    return {
        "columns": [i + 1 for i in columns],
        "header": table.header_line,
        "ids": ids + 1 or None,
        "groups": groups + 1 or None,
        "decimals": reading.decimals,
        "delimiter": table.delimiter,
        "decimal": "," if comma else ".",
        "comments": reading.comments != "no",
    }


def _check(rules: list[dict[str, Any]], files: list[bytes], result: Any) -> None:
    """Read the scores as verifier.py does and compare."""
    swaps = result.tails.swaps
    types = (
        [(((0, 1), (d, 1)), count) for d, count in swaps.tally.items()]
        if result.design in _PAIRED
        else None
    )
    types = [*swaps.types.items()] if types is None else types
    stated = (swaps.ties, types, result.total, swaps.unit, swaps.observed, result.n, swaps.low)
    read = json.loads(json.dumps(rules), parse_int=str)
    given = files, read, result.design, result.statistic_name != "difference"
    try:
        found, _how = verifier.said_by(*given)  # type: ignore[no-untyped-call]
    except verifier.Verdict as verdict:
        reason = f"data cannot be read by fixed rules: {verdict.args[1]}"
    except Exception as error:  # of the CSV reader, or a missing cell
        reason = f"data cannot be read by fixed rules: {short_text(error)}"
    else:
        if found == stated:
            return
        reason = "data holds another test than result: check columns, id, groups and decimals"
    raise ExactPermError(reason)
