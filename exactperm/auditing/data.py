"""The data files and columns of claims: read once each, as claims say, into samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path, PurePath

from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact
from ..arithmetic.reading import entries, exact_column, is_missing, is_sequence
from ..errors import ExactPermError
from ..files import sources, table
from ..files.question import Question, question
from ..files.reading import FORMS
from ..files.table import Ask
from ..record import replaced
from ..swaps.columns import check_paired
from ..swaps.runs import exchange
from ..swaps.statistic import Statistic
from .sample import Sample, is_of_runs

if TYPE_CHECKING:
    from ..files.reading import Reading
    from .claim import Claim

_NUMERIC = ("difference", "wilcoxon", "sign", "mcnemar")
"""Statistics of a column of differences."""


def once(known: dict[Any, Any], key: Any, find: Callable[[], Any]) -> Any:
    """Return what ``find`` returned or raise what it raised, which neither is computed twice."""
    if key not in known:
        try:
            known[key] = find()
        except ExactPermError as error:
            known[key] = error.with_traceback(None)
    if isinstance(known[key], ExactPermError):
        raise known[key]
    return known[key]


def contents(
    folder: Path, root: Path | None, *, strict: bool = False, most: int = sources.MOST_BYTES
) -> Callable[[str], bytes]:
    """Return what reads a data file in ``folder``, of at most ``most`` bytes, inside of ``root`` unless that is None.

    With ``strict`` a claim names data below the folder of its claims file: no absolute path and no
    "..".
    """

    def read(name: str) -> bytes:
        shown, pure = short_text(name), PurePath(name)
        if "\0" in name:
            raise ExactPermError(f"cannot read {shown}: no name of a file has a null byte")
        try:
            path = (folder / name).resolve()
            outside = root is not None and root.resolve() not in path.parents
            if outside or (strict and (pure.is_absolute() or ".." in pure.parts)):
                where = f"is outside of {root}" if outside else "has an absolute path or '..'"
                told = f"the data file {shown} {where}: allow its folder as the root"
                raise ExactPermError(told, code="root")
            if path.exists() and not path.is_file():  # reading a pipe or a device may never end
                raise ExactPermError(f"cannot read {shown}: it is not a regular file")
            return sources.read_bytes(str(path), shown, most)
        except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links, on older Pythons
            reason = getattr(error, "strerror", error)
            raise ExactPermError(f"cannot read {shown}: {reason}") from None

    return read


def sample_of(
    claim: Claim, read: Callable[[str], bytes] | None = None, known: dict[Any, Any] | None = None
) -> Sample:
    """Return the sample of a claim; ``ExactPermError`` where its data cannot be read.

    ``read`` returns a file by its name; ``known`` keeps what was read for other claims.
    """
    known, read = {} if known is None else known, read or contents(Path(), None)
    # data in memory are kept, so that their identity stays their own
    source = str(claim.data) if _is_path(claim.data) else id(claim.data)
    about = claim.reading, claim.counts, claim.second, claim.orientation, claim.mu
    key = ("sample", source, _kind(claim), *about)
    return once(known, key, lambda: (_read(claim, read, known), claim.data))[0]  # type: ignore[no-any-return]


def _read(claim: Claim, read: Callable[[str], bytes], known: dict[Any, Any]) -> Sample:
    if claim.counts is not None:
        return _from_counts(claim, claim.counts)
    if not _is_path(claim.data):
        return _from_columns(claim, _chosen(claim))
    numeric, columns = claim.statistic in _NUMERIC, claim.reading.columns or ""
    if claim.design is not None or not (claim.reading.run or (numeric and "+" in columns)):
        return _from_files(claim, claim.design, read, known)
    try:  # no design is stated: all are open
        return _from_files(claim, "systems", read, known)
    except ExactPermError:  # runs without ids, or not on all items
        return _from_files(claim, "items", read, known)


def _from_files(
    claim: Claim, design: str | None, read: Callable[[str], bytes], known: dict[Any, Any]
) -> Sample:
    """Return the sample of data files, of several runs where a design is given."""
    names = [str(name) for name in (claim.data, claim.second) if name is not None]
    files = [(name, once(known, ("file", name), partial(read, name))) for name in names]
    reading = replaced(claim.reading, runs=design, decimals=None)
    key = ("question", *names, reading, _kind(claim))
    found = once(known, key, partial(_question, files, _kind(claim), reading))
    about: dict[str, Any] = {
        "sha256": "+".join(dict.fromkeys(file.sha256 for file in found.source.files)),
        "notes": tuple(
            f"{', '.join(names)}, {what}: {words}" for what, words in found.source.rows()[1:]
        ),
        "dropped": found.source.dropped,
    }
    if design is not None:
        return _of_runs(claim, found.u, found.v, whole=design == "systems", **about)
    return _of_pairs(claim, found.statistic, (found.u, found.v), found.groups, **about)


def _question(files: list[tuple[str, bytes]], kind: str, reading: Reading) -> Question:
    """Return what data files hold; a claim on one column is one on differences."""
    try:
        return question(files, kind, reading)
    except Ask as error:
        if error.code != "differences":
            raise
        return question(files, kind, replaced(reading, differences=True))


def _kind(claim: Claim) -> str:
    """Return the statistic that the data of a claim are read for."""
    return "difference" if claim.statistic in _NUMERIC[:3] else claim.statistic


def _is_path(data: Any) -> bool:
    return isinstance(data, (str, PurePath))


def _from_counts(claim: Claim, counts: tuple[int, int]) -> Sample:
    b, c = counts if claim.orientation == "first-second" else counts[::-1]
    return Sample(n=b + c, signs=(b, c))


def _chosen(claim: Claim) -> list[Any]:
    """Return the columns of data in memory."""
    data = claim.data
    if isinstance(data, Mapping):
        names = (
            [name.strip() for name in claim.reading.columns.split(",")]
            if claim.reading.columns
            else list(data)
        )
        groups = [claim.reading.groups] if claim.reading.groups else []
        names = [*(name for name in names if name != claim.reading.groups), *groups]
        missing = [name for name in names if name not in data]
        if missing:
            raise ExactPermError(f"data has no column {short_text(missing[0])}")
        return [data[name] for name in names]
    if claim.reading.columns:
        raise ExactPermError(
            f"columns is {short_text(claim.reading.columns)}: only a file or a mapping has names of columns"
        )
    found = list(data)
    # else one column of differences
    return found if found and all(map(is_sequence, found)) else [found]


def _from_columns(claim: Claim, found: list[Any]) -> Sample:
    if is_of_runs(found):
        if (
            claim.statistic not in ("difference", "wilcoxon", "sign")
            or claim.reading.groups is not None
        ):
            raise ExactPermError(
                "data has several runs of each item: they are compared by means of scores"
            )
        return _of_runs(claim, *found)
    layout = FORMS["difference" if claim.statistic in _NUMERIC else claim.statistic]
    number = len(found) - (claim.reading.groups is not None)
    allowed = (1, 2) if layout.kind == "scores" else layout.numbers
    if number not in allowed:
        need = " or ".join(map(str, allowed))
        raise ExactPermError(
            f"data has {number} columns: {claim.statistic} needs {need} ({layout.meaning})"
        )
    read = [entries(column, f"data[{i}]") for i, column in enumerate(found)]
    about: dict[str, Any] = {}
    if claim.reading.missing == "drop":
        for column in read[1:]:
            check_paired(read[0], column)
        kept = [row for row in zip(*read) if not any(map(_is_missing, row))]
        dropped = len(read[0]) - len(kept)
        read = [list(column) for column in zip(*kept)] or [[] for _ in read]
        if dropped:
            told = f"{dropped} of {dropped + len(kept)} pairs left out: a value is missing"
            about = {"dropped": dropped, "notes": (told,)}
    labels = None if claim.reading.groups is None else read.pop()
    rule, u, v = layout.entries(read)
    return _of_pairs(claim, rule, (u, v), labels, **about)


def _is_missing(cell: Any) -> bool:
    return is_missing(cell) or (isinstance(cell, str) and table.is_missing(cell.strip()))


def _of_pairs(
    claim: Claim,
    rule: Statistic,
    pairs: tuple[list[Any], list[Any]],
    labels: list[Any] | None,
    **about: Any,
) -> Sample:
    u, v = pairs
    turned = claim.orientation == "second-first"
    for column in ([u, v] if labels is None else [u, v, labels])[1:]:
        check_paired(u, column)
    if labels is not None:
        about["labels"] = tuple(labels)
    if claim.statistic not in _NUMERIC:
        first, second = (v, u) if turned else (u, v)
        n = len(u) if labels is None else len({*labels})
        return Sample(n=n, rule=rule, u=tuple(first), v=tuple(second), **about)
    first, second = (
        exact_column(u, "u", claim.reading.decimals),
        exact_column(v, "v", claim.reading.decimals),
    )
    if claim.statistic == "mcnemar" and not {*first, *second} <= {0, 1}:
        raise ExactPermError("McNemar's test needs 0/1 scores: 1 where the system is right")
    sign = -1 if turned else 1
    sums: dict[Any, Exact] = {}
    halves: dict[Any, Exact] = {}
    # a column of differences is rounded once, two columns are twice
    share = 1 if any(second) else Fraction(1, 2)
    for unit, a, b in zip(range(len(first)) if labels is None else labels, first, second):
        sums[unit] = sums.get(unit, 0) + sign * (a - b) - claim.mu
        halves[unit] = halves.get(unit, 0) + share
    raw = claim.reading.decimals is None and claim.statistic != "mcnemar"
    return Sample(
        n=len(sums),
        differences=tuple(sums.values()),
        u=tuple(first),
        v=tuple(second),
        shift=claim.mu,
        turned=turned,
        half=tuple(halves.values()) if raw else (),
        **about,
    )


def _of_runs(claim: Claim, u: Any, v: Any, *, whole: bool = True, **about: Any) -> Sample:
    """Return the sample of a claim on the runs of two systems; errors name the item and the run."""
    exchange(u, v, "items")
    first, second = [
        tuple(
            tuple(exact_column(runs, f"{name}[{i}]", claim.reading.decimals))
            for i, runs in enumerate(side)
        )
        for name, side in (("u", u), ("v", v))
    ]
    if claim.orientation == "second-first":
        first, second = second, first
    first = tuple(tuple(x - claim.mu for x in runs) for runs in first)
    means = [tuple(Fraction(sum(runs)) / len(runs) for runs in side) for side in (first, second)]
    return Sample(
        n=len(first),
        differences=tuple(a - b for a, b in zip(*means)),
        u=means[0],
        v=means[1],
        runs=(first, second),
        whole=whole,
        half=(1,) * len(first) if claim.reading.decimals is None else (),
        **about,
    )
