"""The data files and columns of claims: read once each, as claims say, into samples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import partial
from pathlib import Path

from ..arithmetic.quoting import printable, short_text
from ..arithmetic.rational import Exact
from ..arithmetic.reading import entries, exact_column, is_missing, is_sequence
from ..errors import ExactPermError
from ..files import sources
from ..files.question import Question, question
from ..files.reading import Reading, joined_words
from ..files.sources import Contents
from ..files.table import Ask
from ..record import replaced
from ..swaps.columns import check_paired
from ..swaps.runs import exchange
from .axes import DIFFERENCES
from .claim import PATHS, Claim
from .sample import Asked, Found, Sample, is_of_runs

ReadFile = Callable[[str], bytes]
"""What reads a file by its name."""


def once(known: Asked, key: object, find: Callable[[], Found]) -> Found:
    """Return what ``find`` returned or raise what it raised, which neither is computed twice."""
    if key not in known:
        try:
            known[key] = find()
        except ExactPermError as error:
            known[key] = error.with_traceback(None)
    found: Found = known[key]
    if isinstance(found, ExactPermError):
        raise found
    return found


def content(folder: Path, root: Path | None, name: str, most: int = sources.MOST_BYTES) -> bytes:
    """Return a data file in ``folder``, of at most ``most`` bytes, inside of ``root`` unless that is None."""
    shown = short_text(name)
    try:
        path = (folder / name).resolve()
        odd = path.exists() and not path.is_file()
    except (OSError, ValueError, RuntimeError) as error:  # a null byte; a loop of links
        reason = getattr(error, "strerror", error)
        raise ExactPermError(f"cannot read {shown}: {reason}") from None
    if root is not None and root.resolve() not in path.parents:
        told = f"the data file {shown} is outside of {root}: allow its folder as the root"
        raise ExactPermError(told, code="root")
    if odd:  # reading a pipe or a device may never end
        raise ExactPermError(f"cannot read {shown}: it is not a regular file")
    return sources.read_bytes(str(path), shown, most)


def sample_of(claim: Claim, read: ReadFile | None = None, known: Asked | None = None) -> Sample:
    """Return the sample of a claim; ``ExactPermError`` where its data cannot be read.

    ``read`` returns a file by its name; ``known`` keeps what was read for other claims.
    """
    known = {} if known is None else known
    read = read or partial(content, Path(), None)
    # data in memory are kept, so that their identity stays their own
    source = str(claim.data) if isinstance(claim.data, PATHS) else id(claim.data)
    about = claim.reading, claim.counts, claim.second, claim.orientation, claim.mu
    key = ("sample", source, _kind(claim), *about)
    return once(known, key, lambda: (_read(claim, read, known), claim.data))[0]


def _kind(claim: Claim) -> str:
    """Return the statistic that the data of a claim are read for."""
    return "difference" if claim.statistic in DIFFERENCES else claim.statistic


def _read(claim: Claim, read: ReadFile, known: Asked) -> Sample:
    if claim.counts is not None:
        b, c = claim.counts if claim.orientation == "first-second" else claim.counts[::-1]
        return Sample(n=b + c, signs=(b, c))
    if not isinstance(claim.data, PATHS):
        return _of_memory(claim)
    names = [str(name) for name in (claim.data, claim.second) if name is not None]
    files = [(name, once(known, ("file", name), partial(read, name))) for name in names]
    runs = claim.reading.run or (
        _kind(claim) == "difference" and "+" in (claim.reading.columns or "")
    )
    if runs and claim.design is None:  # all designs are open
        with suppress(ExactPermError):  # runs without ids, or not on all items
            return _of_files(claim, files, "systems", known)
    return _of_files(claim, files, claim.design or ("items" if runs else None), known)


def _of_files(claim: Claim, files: Contents, design: str | None, known: Asked) -> Sample:
    """Return the sample of data files, of several runs where a design is given."""
    reading = replaced(claim.reading, runs=design, decimals=None)
    key = ("question", *[name for name, _ in files], reading, _kind(claim))
    found = once(known, key, partial(_question, files, _kind(claim), reading))
    source = found.source
    names = ", ".join(name for name, _ in files)
    notes = tuple([f"{names}, {what}: {words}" for what, words in source.rows()[1:]])
    sha256 = "+".join(dict.fromkeys(file.sha256 for file in source.files))
    sample = _sample(claim, found, design)
    return replaced(sample, dropped=source.dropped, sha256=sha256, notes=notes)


def _question(files: Contents, kind: str, reading: Reading) -> Question:
    """Return what data files hold; a claim on one column is one on differences."""
    try:
        return question(files, kind, reading)
    except Ask as error:
        if error.code != "differences":
            raise
        return question(files, kind, replaced(reading, differences=True))


def _of_memory(claim: Claim) -> Sample:
    """Return the sample of columns in memory, which are read as a file that has them; runs are lists."""
    data = claim.data
    reading = claim.reading
    names = isinstance(claim.data, Mapping)
    if reading.columns and not names:
        raise ExactPermError("columns: only a file or a mapping has names of columns")
    several = names or all(map(is_sequence, data))  # else one column of differences
    columns = dict(data) if names else dict(enumerate(data if several else [data], 1))
    given = list(columns.values())
    if is_of_runs(given):
        if _kind(claim) != "difference" or reading.groups is not None:
            raise ExactPermError("data has several runs of each item: they are compared by means")
        return _of_runs(claim, *given)
    read = [entries(column, f"data[{i}]") for i, column in enumerate(given)]
    for column in read[1:]:
        check_paired(read[0], column)
    cells = [list(map(_cell, row)) for row in zip(*read)]
    named = list(map(_cell, columns))
    text = "\n".join(map(joined_words, [named, *cells] if names else cells))
    compared = joined_words([name for name in named if name != reading.groups])
    reading = replaced(
        reading,
        columns=reading.columns or compared,
        header="yes" if names else "no",
        delimiter="comma",
        comments="no",
        total="keep",
    )
    found = _question([("data", text.encode())], _kind(claim), reading)
    dropped = found.source.dropped
    told = f"{dropped} of {found.source.pairs} pairs left out: a value is missing"
    sample = _sample(claim, found, None)
    return replaced(sample, dropped=dropped, notes=(told,) if dropped else ())


def _cell(value: object) -> str:
    """Return a value in memory as a cell of a file, in one line."""
    if is_missing(value):
        return ""
    try:
        return printable(str(value))
    except Exception:  # an integer of more digits than Python writes, or an object without text
        return short_text(value)


def _sample(claim: Claim, found: Question, design: str | None) -> Sample:
    """Return the sample of what was read for a claim."""
    u = found.u
    v = found.v
    if design is not None:
        return _of_runs(claim, u, v, whole=design == "systems")
    turned = claim.orientation == "second-first"
    labels = None if found.groups is None else tuple(found.groups)
    if _kind(claim) not in ("difference", "mcnemar"):
        first, second = (v, u) if turned else (u, v)
        n = len(u) if labels is None else len({*labels})
        return Sample(n=n, labels=labels, rule=found.statistic, u=tuple(first), v=tuple(second))
    first, second = [exact_column(one, "scores", claim.reading.decimals) for one in (u, v)]
    sums: dict[object, Exact] = {}
    halves: dict[object, Exact] = {}
    # a column of differences is rounded once, two columns are twice
    share = 1 if any(second) else Fraction(1, 2)
    for unit, a, b in zip(range(len(first)) if labels is None else labels, first, second):
        sums[unit] = sums.get(unit, 0) + (b - a if turned else a - b) - claim.mu
        halves[unit] = halves.get(unit, 0) + share
    raw = claim.reading.decimals is None and claim.statistic != "mcnemar"
    return Sample(
        n=len(sums),
        differences=tuple(sums.values()),
        labels=labels,
        u=tuple(first),
        v=tuple(second),
        shift=claim.mu,
        turned=turned,
        half=tuple(halves.values()) if raw else (),
    )


def _of_runs(
    claim: Claim, u: Iterable[object], v: Iterable[object], *, whole: bool = True
) -> Sample:
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
    )
