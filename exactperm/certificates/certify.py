"""Certificates: records of a test that also state where its scores come from, for verify_scores.py to check.

A record (:meth:`PermutationTestResult.to_dict
<exactperm.null.result.PermutationTestResult.to_dict>`) proves its count from its tally. "data"
connects the tally to one file or two: for each its SHA-256 and every rule of reading it. Nothing is
left to guess: :func:`certify` reads the files by these rules with verify_scores.py itself and refuses
another tally.

Source: spec/12-certificates.md#own-certificate-fields.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
from collections.abc import Iterable, Sequence

from .._types import Any, Union
from ..arithmetic.quoting import short_text
from ..arithmetic.reading import exact_column
from ..arithmetic.writing import number_text
from ..errors import Cure, ExactPermError, WrongType
from ..files import sources
from ..files.choice import columns_of_numbers, place_of
from ..files.reading import FIELDS, Reading
from ..files.table import Ask, Table
from ..null.float_result import FloatResult
from ..null.result import PermutationTestResult
from ..null.sentence import is_weighted
from ..record import replaced
from ..swaps.units import steps_of
from . import verifier, verify_scores

DataFile = Union[str, os.PathLike[str], bytes]
Data = Union[DataFile, tuple[DataFile, DataFile], list[DataFile]]


CERTIFIED = tuple(field.name for field in FIELDS if field.certified)
"""Settings of reading that :func:`certify` takes."""


def certify(
    result: PermutationTestResult | FloatResult,
    data: Data | None = None,
    **settings: object,
) -> dict[str, Any]:
    r"""Return the certificate of a result, ready for JSON, which verify_scores.py checks against the scores.

    ``data`` is the CSV or TSV file of the scores, as a path or as bytes, or a list of two such
    files with one column each. ``settings`` are the options of ``exactperm test`` with which they
    were read: "columns", "id" (the column of the ids that join two files), "groups", "delimiter"
    and "header". Check it with ``python3 verify_scores.py CERTIFICATE SCORES [SCORES]``. Without
    ``data`` it is the record alone, which proves the count but not the scores: ``python3
    verifier.py CERTIFICATE``. Scores of other files (JSON, decimal commas, comments, joined or
    rounded ones) have a certificate of :func:`canonical_scores`.

    Of a result with several runs, ``data`` is one file for each system, with a row for each run,
    whose item is in the column ``id``, or with ``columns`` for the runs; or one file, and
    ``columns`` are two blocks such as "2+3,4+5".

    A result without a count of a tally (F1, a certified bracket) is only claimed, and its
    certificate says so; with ``data`` it has the SHA-256 of each file. Raises ``ExactPermError``
    where the verifier cannot read the scores by fixed rules (a cell over several lines, numbers of
    more than 600 characters) or finds another test in them, and for ``data`` of a result with
    weights or tasks, whose certificate is of the differences.
    Cost: reading the scores twice. Source: spec/12-certificates.md#own-certificate-fields.

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
    record = result.to_dict()
    if data is None:
        return record
    files = [*map(_content, data if isinstance(data, (list, tuple)) else [data])]
    if len(files) not in (1, 2):
        raise ExactPermError(
            f"data has {len(files)} files: a certificate is of one file of scores, or of two"
        )
    if record["claim"] != "counted":
        digests = [hashlib.sha256(raw).hexdigest() for raw in files]
        return {**record, "data": [{"sha256": digest} for digest in digests]}
    _check_kind(result)
    names = ["data"] if len(files) == 1 else ["data[0]", "data[1]"]
    read = [_table(sources.decoded(raw, name), name, reading) for name, raw in zip(names, files)]
    if isinstance(result, PermutationTestResult) and result.design is not None:
        rules = _rules_of_runs(read, reading)
        files = files if len(files) > 1 else files * 2
    else:
        rules = [_rules(table, len(files), reading) for table in read]
    stated = [{"sha256": hashlib.sha256(raw).hexdigest(), **one} for raw, one in zip(files, rules)]
    _check(stated, files, result)
    return {**record, "data": stated}


def _check_kind(result: PermutationTestResult | FloatResult) -> None:
    """Raise ``ExactPermError`` for a test whose data verify_scores.py cannot read."""
    unpaired = getattr(result, "design", None) in ("samples", "steps")
    if unpaired or is_weighted(result.statistic_name):
        what = "is no test of pairs or runs" if unpaired else "has weights or tasks"
        words = "leave data out: the certificate is then of the count alone"
        raise ExactPermError(
            f"result {what}, which verify_scores.py does not check by data",
            cure=Cure(words=words),
        )


def canonical_scores(
    u: Iterable[object],
    v: Iterable[object],
    groups: Iterable[object] | None = None,
    decimals: int | None = None,
) -> bytes:
    r"""Return two columns of scores as the CSV file that :func:`certify` takes where theirs cannot be certified.

    It has a row for each pair, in order: exact numbers, and the group in a third column, which is
    named "group"; ``decimals=k`` rounds each score to k decimals. So scores of JSON records, of
    joined files, or without the pairs that were left out, have a certificate, too. Raises
    ``ExactPermError`` as :func:`exactperm.permutation_test` does. Cost: linear.
    Source: spec/12-certificates.md#own-certificates.

    >>> canonical_scores([True, "0.50"], [0.25, 0])
    b'u,v\n1,0.25\n0.5,0\n'
    """
    first, second = exact_column(u, "u", decimals), exact_column(v, "v", decimals)
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


def _content(data: object) -> bytes:
    """Return the bytes of a file, or those given."""
    if isinstance(data, bytes):
        return data
    if not isinstance(data, (str, os.PathLike)):
        raise WrongType(
            f"data is {short_text(data)}: it must be the path or the bytes of a file of scores, or two"
        )
    return sources.read_bytes(os.fsdecode(data), f"data ({os.fsdecode(data)})")


def _table(text: str, name: str, reading: Reading) -> Table:
    """Return the rows of a text; the tally decides whether a first row of numbers is an item."""
    try:
        return sources.delimited(text, name, reading)
    except Ask as error:
        if error.argument != "header":
            raise ExactPermError(f"verify_scores.py cannot read data: {error}") from None
        return sources.delimited(text, name, replaced(reading, header="no"))


def _rules(table: Table, files: int, reading: Reading) -> dict[str, object]:
    """Return the rules by which one file is read."""
    try:
        columns = [place_of(table, word, "columns") for word in reading.words]
        columns = columns or [*columns_of_numbers(table, reading)[0]]
    except ExactPermError as error:
        raise ExactPermError(f"columns, id, groups and header do not fit: {error}") from None
    if not 0 < len(columns) < (3 if files == 1 else 2):
        raise ExactPermError(f"columns, id, groups and header do not fit: {len(columns)} columns")
    return _stated(table, reading, columns, ids=files > 1)


def _rules_of_runs(read: list[Table], reading: Reading) -> list[dict[str, object]]:
    """Return the rules of the two systems: their files, or two blocks of columns of one file."""
    blocks = [word.split("+") for word in reading.words]
    blocks = blocks * 2 if len(blocks) == 1 and len(read) > 1 else blocks
    if len(blocks) != 2:
        raise ExactPermError(
            "columns of one file must be two blocks of runs, such as 2+3+4,5+6+7", code="columns"
        )
    rules = []
    for table, block in zip(read if len(read) > 1 else read * 2, blocks):
        try:
            columns = [place_of(table, word.strip(), "columns") for word in block]
            rules.append(_stated(table, reading, columns, ids=True))
        except ExactPermError as error:
            raise ExactPermError(f"columns, id and header do not fit: {error}") from None
    return rules


def _stated(table: Table, reading: Reading, columns: Sequence[int], *, ids: bool) -> dict[str, Any]:
    """Return the rules by which columns of one file are read."""
    known = {"ids": reading.id if ids else None, "groups": reading.groups}
    places = {
        name: None if word is None else place_of(table, word, name) + 1
        for name, word in known.items()
    }
    return {
        "columns": [i + 1 for i in columns],
        "header": table.header or None,
        **places,
        "delimiter": table.delimiter or ",",
    }


def _check(rules: list[dict[str, object]], files: list[bytes], result: Any) -> None:
    """Read the scores as verify_scores.py does and compare."""
    swaps = result.tails.swaps
    stated = verifier.Units(
        pairs=result.n,
        ties=swaps.ties,
        types=tuple(sorted(steps_of(swaps.tally).items())),
        common=swaps.common,
        low=swaps.low,
        unit=swaps.unit,
        x=swaps.observed,
    )
    claim = {"data": json.loads(json.dumps(rules), parse_int=str), "design": result.design}
    claim["statistic_name"] = result.statistic_name
    given = {rule["sha256"]: raw for rule, raw in zip(rules, files)}
    try:
        found, _facts = verify_scores.of_data(claim, given)  # type: ignore[no-untyped-call]
    except verifier.Ended as verdict:
        reason = f"verify_scores.py cannot read data: {verdict.args[1]}"
    except Exception as error:  # of the CSV reader, or a missing cell
        reason = f"verify_scores.py cannot read data: {short_text(error)}"
    else:
        if found == stated:
            return
        reason = "data holds another test than result: check columns, id, groups and decimals"
    raise ExactPermError(reason)
