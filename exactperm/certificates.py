"""Certificates: records of a test that also state where its scores come from, for verifier.py to check.

A record (:meth:`PermutationTestResult.to_dict <exactperm.null.result.PermutationTestResult.to_dict>`) proves its count
from its tally. "data" connects the tally to a file: its SHA-256 and every rule of reading it. Nothing is left to guess:
:func:`certify` reads the file by these rules with verifier.py itself and refuses where it finds another tally.

Source: spec/12-certificates.md.
"""

from __future__ import annotations

import codecs
import hashlib
import json
import os
from collections.abc import Iterator
from fractions import Fraction

from . import __version__, verifier
from .arithmetic.quoting import short_text
from .arithmetic.reading import choice, flag, whole_number
from .arithmetic.writing import number_text
from .errors import ExactPermError, WrongType
from .fast import FloatResult
from .files import tables
from .files.selection import HEADERS, Choice, select
from .null.result import FORMAT, ONLY_RECOMPUTED, PermutationTestResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Union

    from .swaps.canonical import Swaps

    Data = Union[str, os.PathLike[str], bytes]

_MOST_CHARACTERS = 600  # of a number that the verifier reads
_LINES = 10_000  # of the canonical text, hashed at a time


def certify(
    result: PermutationTestResult | FloatResult,
    data: Data | None = None,
    *,
    columns: str | None = None,
    groups: str | None = None,
    decimals: int | None = None,
    delimiter: str = "auto",
    decimal: str = "auto",
    header: str = "auto",
    comments: bool = True,
) -> dict[str, Any]:
    r"""Return the certificate of a result, ready for JSON: its record, and the origin of its tally as "data".

    ``data`` is the CSV or TSV file of the scores, as a path or as bytes; ``columns``, ``groups`` and so on are the
    options of ``exactperm test`` with which it was read. Without ``data``, the certificate has the SHA-256 of
    :func:`canonical_text`. Check it with ``python3 verifier.py CERTIFICATE [SCORES]``.

    A result without a count of a tally (F1, a certified bracket) is only claimed, and its certificate says so; with
    ``data`` it has the SHA-256 of the file. Raises ``ExactPermError`` where the verifier cannot read the scores by
    fixed rules (a cell over several lines, numbers of more than 600 characters) or finds another test in them.
    Cost: reading the scores twice. Source: spec/12-certificates.md.

    >>> from exactperm import sign_flip_test
    >>> certify(sign_flip_test([3, 1, -2]), b"d\n3\n1\n-2\n")["data"]["columns"]
    [1]
    """
    if not isinstance(result, (PermutationTestResult, FloatResult)):
        raise WrongType(f"result is {short_text(result)}: certify takes the result of an exact or a certified test")
    for name, word in (("columns", columns), ("groups", groups), ("delimiter", delimiter)):
        if not isinstance(word, str) and (word is not None or name == "delimiter"):
            raise WrongType(f"{name} is {short_text(word)}: it must be text")
    choice(decimal, "decimal", tables.DECIMALS)
    choice(header, "header", HEADERS)
    flag(comments, "comments")
    if decimals is not None:
        whole_number(decimals, "decimals", 0, _MOST_CHARACTERS)
    raw = None if data is None else _content(data)
    record = result.to_dict()
    if "count" not in record or "swaps" not in record:
        claim: dict[str, Any] = {"format": FORMAT, "version": __version__, "statement": ONLY_RECOMPUTED, **record}
        return claim if raw is None else {**claim, "data": {"sha256": hashlib.sha256(raw).hexdigest()}}
    if raw is None:
        return {**record, "data": _canonical_rules(result)}
    sheet = tables.parse(tables.decoded(raw, "data"), "data", delimiter, decimal=decimal, comments=comments)
    wanted = Choice(columns=columns, groups=groups, header=header)
    try:
        chosen = select([sheet], (1, 2), "scores of A, B", wanted)
    except ExactPermError as error:
        raise ExactPermError(f"columns, groups and header do not fit: {error}") from None
    ((_sheet, header_line),) = chosen.sheets
    rules = {
        "sha256": hashlib.sha256(raw).hexdigest(),
        "encoding": "utf-16" if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig",
        "delimiter": sheet.delimiter,
        "decimal": "," if chosen.comma else ".",
        "skipped": sorted((*sheet.comments, *([] if header_line is None else [header_line]))),
        "columns": [i + 1 for i in chosen.positions],
        "groups": None if groups is None else chosen.label + 1,
        "decimals": decimals,
        "signed": True,
    }
    _check(rules, raw, result)
    return {**record, "data": rules}


def _content(data: Any) -> bytes:
    """Return the bytes of a file, or those given."""
    if isinstance(data, bytes):
        return data
    if not isinstance(data, (str, os.PathLike)):
        raise WrongType(f"data is {short_text(data)}: it must be the path or the bytes of a file of scores")
    return tables.read_bytes(os.fsdecode(data), f"data ({os.fsdecode(data)})")


def _check(rules: dict[str, Any], raw: bytes, result: Any) -> None:
    """Read the scores as verifier.py does and compare."""
    swaps: Swaps = result.tails.swaps
    stated = (swaps.ties, swaps.tally, swaps.unit, swaps.observed, result.n, swaps.low)
    try:
        found, _how = verifier.read(raw, json.loads(json.dumps(rules), parse_int=str))  # type: ignore[no-untyped-call]
    except verifier.Verdict as verdict:
        reason = f"data cannot be read by fixed rules: {verdict.args[1]}"
    except Exception as error:  # of the CSV reader, or a missing cell
        reason = f"data cannot be read by fixed rules: {short_text(error)}"
    else:
        if found == stated:
            return
        reason = "data holds another test than result: check columns, groups and decimals"
    raise ExactPermError(reason)


def canonical_text(result: PermutationTestResult) -> Iterator[str]:
    r"""Yield pieces of the text that stands for the scores where there is no file.

    It has one line for each swap unit, ascending: half of what its swap changes the statistic by, without the sign,
    as decimal or fraction. Whoever has the scores can write it.

    >>> from exactperm import sign_flip_test
    >>> "".join(canonical_text(sign_flip_test(["0.5", 0, -2, "0.5"])))
    '0\n0.5\n0.5\n2\n'
    """
    swaps: Swaps = result.tails.swaps  # type: ignore[attr-defined]
    for d, count in {0: swaps.ties, **swaps.tally}.items():
        line = f"{number_text(Fraction(swaps.unit) * d / 2)}\n"
        if len(line) > _MOST_CHARACTERS or "x" in line:
            raise ExactPermError(f"a difference has more than {_MOST_CHARACTERS} characters: verifier.py reads no more")
        for start in range(0, count, _LINES):
            yield line * min(_LINES, count - start)


def _canonical_rules(result: Any) -> dict[str, Any]:
    digest = hashlib.sha256()
    for piece in canonical_text(result):
        digest.update(piece.encode())
    rules = {"encoding": "utf-8-sig", "delimiter": ",", "decimal": ".", "skipped": [], "columns": [1]}
    return {"sha256": digest.hexdigest(), **rules, "groups": None, "decimals": None, "signed": False}
