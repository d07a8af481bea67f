"""The data files and columns of claims: read once each, as claims say, into samples."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path, PurePath

from .._types import Any
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact
from ..arithmetic.reading import entries, exact_column, is_missing, is_sequence
from ..errors import ExactPermError
from ..files import numbers, sources
from ..files.forms import FORMS
from ..files.listing import Ask
from ..files.question import Question, question
from ..files.reading import FIELDS, Reading
from ..record import replaced
from ..swaps.columns import check_paired
from ..swaps.statistic import Statistic
from .claims import Claim
from .designs import is_of_runs, runs_sample
from .samples import NUMERIC, Sample, given, kept

_FORMS = ("accuracy", "f1", "precision", "recall", "ratio")
"""Statistics of claims that are no difference."""

_OF_THE_TEXT = frozenset(
    (
        *(
            "id",
            "source",
            "note",
            "p",
            "stars",
            "digits",
            "decision",
            "printed_statistic",
            "n",
            "alpha",
            "stated",
        ),
        *(
            "statistic",
            "zeros",
            "law",
            "alternative",
            "boundary",
            "samples",
            "estimate",
            "adjustment",
            "tests",
            "rounded",
        ),
    )
)
"""Fields of a claim that say nothing of how its data are read, but for the kind of the
statistic."""

_READ_BY = tuple([name for name in Claim._fields if name not in _OF_THE_TEXT and name != "data"])
"""Fields of a claim that its sample depends on, together with the data; a new field is one until it
is said not to."""

_CHOSEN_BY = tuple(
    [field.name for field in FIELDS if field.name in {"id", *_READ_BY} - {"decimals"}]
)
"""Settings of reading that a claim states, under the same names but for the id; scores are rounded
after reading."""


class Store:
    """Reads data files, each once, of at most ``most`` bytes; they must be in the folder ``root`` unless that is None.

    With ``strict`` a claim names data below the folder of its claims file: no absolute path and no
    "..".
    """

    def __init__(
        self,
        folder: Path,
        root: Path | None,
        *,
        strict: bool = False,
        most: int = sources.MOST_BYTES,
    ) -> None:
        self._folder, self._root, self._strict, self._most = folder, root, strict, most
        self._files: dict[Path, bytes | ExactPermError] = {}
        self._records: dict[Any, Question] = {}
        self._samples: dict[Any, tuple[Sample | ExactPermError, Any]] = {}

    def sample(self, claim: Claim) -> Sample:
        """Return the sample of a claim; ``ExactPermError`` where its data cannot be read."""
        kind = (
            claim.statistic if claim.statistic in _FORMS or claim.statistic == "mcnemar" else "sum"
        )
        source = str(claim.data) if isinstance(claim.data, (str, PurePath)) else id(claim.data)
        key = (source, kind, *(getattr(claim, name) for name in _READ_BY))
        if key not in self._samples:  # the data are kept, so that their identity stays their own
            self._samples[key] = kept(self._read, claim), claim.data
        return given(self._samples[key][0])  # type: ignore[no-any-return]

    def _read(self, claim: Claim) -> Sample:
        if claim.counts is not None:
            return _from_counts(claim, claim.counts)
        if isinstance(claim.data, (str, PurePath)):
            return self._from_files(claim)
        return _from_columns(claim, _chosen(claim))

    def _from_files(self, claim: Claim) -> Sample:
        """Return the sample of data files; where they have several runs and no design is stated, all are open."""
        if not (claim.design or claim.run or _blocks(claim)):
            return self._of_question(claim)
        if claim.design is not None:
            return self._of_question(claim, claim.design)
        try:
            return self._of_question(claim, "systems")
        except ExactPermError:  # runs without ids, or not on all items
            return self._of_question(claim, "items")

    def _of_question(self, claim: Claim, design: str | None = None) -> Sample:
        """Return the sample of data files, of several runs where a design is given."""
        names = [str(name) for name in (claim.data, claim.second) if name is not None]
        found = self._question(claim, names, design)
        about: dict[str, Any] = {
            "sha256": "+".join(dict.fromkeys(file.sha256 for file in found.source.files)),
            "notes": tuple(
                f"{', '.join(names)}, {what}: {words}" for what, words in found.source.rows()[1:]
            ),
            "doubts": (),
            "dropped": found.source.dropped,
        }
        if design is not None:
            return runs_sample(claim, found.u, found.v, whole=design == "systems", **about)
        return _sample(claim, found.statistic, found.u, found.v, found.groups, **about)

    def _question(self, claim: Claim, names: list[str], design: str | None) -> Question:
        """Return what data files hold, read once for each way of reading them.

        A claim on one column is one on differences.
        """
        chosen = {name: getattr(claim, "join" if name == "id" else name) for name in _CHOSEN_BY}
        reading = Reading.of({**chosen, "runs": design})
        files = [self._bytes(name) for name in names]
        statistic = claim.statistic if claim.statistic in (*_FORMS, "mcnemar") else "difference"
        keys = *(path for path, _data in files), reading, statistic
        if keys not in self._records:
            contents = [(name, data) for name, (_path, data) in zip(names, files)]
            try:
                self._records[keys] = question(contents, statistic, reading)
            except Ask as error:
                if error.code != "differences":
                    raise
                one = replaced(reading, differences=True)
                self._records[keys] = question(contents, statistic, one)
        return self._records[keys]

    def _bytes(self, name: str) -> tuple[Path, bytes]:
        """Return the real path of a data file and its bytes."""
        try:
            path = self._allowed(name)
            if path not in self._files:
                self._files[path] = kept(self._content, path, short_text(name))
        except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links, on older Pythons
            raise ExactPermError(
                f"cannot read {short_text(name)}: {getattr(error, 'strerror', error)}"
            ) from None
        return path, given(self._files[path])

    def _content(self, path: Path, name: str) -> bytes:
        if path.exists() and not path.is_file():  # reading a pipe or a device may never end
            raise ExactPermError(f"cannot read {name}: it is not a regular file")
        return sources.read_bytes(str(path), name, self._most)

    def _allowed(self, name: str) -> Path:
        """Return the real path of a data file; ``ExactPermError`` where it leads out of the folder."""
        if "\0" in name:
            raise ExactPermError(
                f"cannot read {short_text(name)}: no name of a file has a null byte"
            )
        pure = PurePath(name)
        resolved = (self._folder / name).resolve()
        outside = self._root is not None and self._root.resolve() not in resolved.parents
        if outside or (self._strict and (pure.is_absolute() or ".." in pure.parts)):
            where = f"is outside of {self._root}" if outside else "has an absolute path or '..'"
            raise ExactPermError(
                f"the data file {short_text(name)} {where}: allow its folder as the root",
                code="root",
            )
        return resolved


def _from_counts(claim: Claim, counts: tuple[int, int]) -> Sample:
    b, c = counts if claim.orientation == "first-second" else counts[::-1]
    return Sample(n=b + c, signs=(b, c))


def _chosen(claim: Claim) -> list[Any]:
    """Return the columns of data in memory."""
    data = claim.data
    if isinstance(data, Mapping):
        names = [name.strip() for name in claim.columns.split(",")] if claim.columns else list(data)
        names = [
            *(name for name in names if name != claim.groups),
            *([claim.groups] if claim.groups else []),
        ]
        missing = [name for name in names if name not in data]
        if missing:
            raise ExactPermError(f"data has no column {short_text(missing[0])}")
        return [data[name] for name in names]
    if claim.columns:
        raise ExactPermError(
            f"columns is {short_text(claim.columns)}: only a file or a mapping has names of columns"
        )
    found = list(data)
    # else one column of differences
    return found if found and all(map(is_sequence, found)) else [found]


def _blocks(claim: Claim) -> bool:
    """Whether the columns are those of the runs of two systems."""
    return claim.columns is not None and claim.statistic in NUMERIC and "+" in claim.columns


def _from_columns(claim: Claim, found: list[Any]) -> Sample:
    if is_of_runs(found):
        if claim.statistic not in ("sum", "signed-rank", "sign") or claim.groups is not None:
            raise ExactPermError(
                "data has several runs of each item: they are compared by means of scores"
            )
        return runs_sample(claim, *found)
    layout = FORMS[claim.statistic if claim.statistic in _FORMS else "difference"]
    number = len(found) - (claim.groups is not None)
    allowed = (1, 2) if layout.kind == "scores" else layout.numbers
    if number not in allowed:
        need = " or ".join(map(str, allowed))
        raise ExactPermError(
            f"data has {number} columns: {claim.statistic} needs {need} ({layout.meaning})"
        )
    read = [entries(column, f"data[{i}]") for i, column in enumerate(found)]
    dropped = 0
    notes: tuple[str, ...] = ()
    if claim.missing == "drop":
        for column in read[1:]:
            check_paired(read[0], column)
        kept = [row for row in zip(*read) if not any(map(_is_missing, row))]
        dropped = len(read[0]) - len(kept)
        read = [list(column) for column in zip(*kept)] or [[] for _ in read]
        notes = (
            (f"{dropped} of {dropped + len(kept)} pairs left out: a value is missing",)
            if dropped
            else ()
        )
    labels = None if claim.groups is None else read.pop()
    return _sample(claim, *layout.entries(read), labels, notes=notes, dropped=dropped)


def _is_missing(cell: Any) -> bool:
    return is_missing(cell) or (isinstance(cell, str) and numbers.is_missing(cell.strip()))


def _sample(
    claim: Claim,
    rule: Statistic,
    u: list[Any],
    v: list[Any],
    labels: list[Any] | None,
    **about: Any,
) -> Sample:
    turned = claim.orientation == "second-first"
    for column in ([u, v] if labels is None else [u, v, labels])[1:]:
        check_paired(u, column)
    if labels is not None:
        about["labels"] = tuple(labels)
    if claim.statistic not in NUMERIC:
        first, second = (v, u) if turned else (u, v)
        n = len(u) if labels is None else len({*labels})
        return Sample(n=n, rule=rule, u=tuple(first), v=tuple(second), **about)
    first, second = exact_column(u, "u", claim.decimals), exact_column(v, "v", claim.decimals)
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
    return Sample(
        n=len(sums),
        differences=tuple(sums.values()),
        u=tuple(first),
        v=tuple(second),
        shift=claim.mu,
        turned=turned,
        half=tuple(halves.values())
        if claim.decimals is None and claim.statistic != "mcnemar"
        else (),
        **about,
    )
