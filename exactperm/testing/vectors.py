"""Read, choose and pack the test vectors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from .._types import TYPE_CHECKING, Any
from ..errors import ExactPermError
from ..files import archive
from ..files.json_text import loaded
from ..record import Record

if TYPE_CHECKING:
    from importlib.abc import Traversable


ALTERNATIVES = ("two-sided", "greater", "less")

LISTS = ("adjust", "interval", "null-distribution")
"""Calls whose answers are lists of numbers, or of rows of numbers."""

WRONG = "wrong-answers.json"
"""The file of what known mistakes answer; it stands beside the vectors."""


class Vector(Record):
    """One test vector; the fields are those of the files, described in vectors/README.md, and the notes of its file."""

    id: str
    call: str
    comment: str
    flags: list[str]
    input: dict[str, Any]
    reading: str
    result: str
    expect: dict[str, Any]
    other: str | None = None
    kills: list[str] | None = None
    acceptable: list[dict[str, Any]] | None = None
    links: list[str] | None = None
    seen: list[dict[str, str]] | None = None
    _notes: dict[str, Any]
    _mistakes: dict[str, str]

    @property
    def questions(self) -> tuple[str | None, ...]:
        """Alternatives that the vector is about; None where the call has none."""
        return (None,) if self.call in ("adjust", "null-distribution") else ALTERNATIVES

    def answer(self, alternative: str | None) -> Any:
        """Return what is expected for an alternative, or for the only question of the vector."""
        return self.expect[alternative] if alternative else next(iter(self.expect.values()))

    @property
    def notes(self) -> dict[str, Any]:
        """Meaning of each flag: bugType, description and effect."""
        return {flag: self._notes[flag] for flag in self.flags}

    @property
    def mistakes(self) -> dict[str, str]:
        """Descriptions of the wrong implementations that the vector tells from the truth."""
        return {name: self._mistakes[name] for name in self.kills or ()}


class Mistake(Record):
    """A known wrong implementation of a call: its answers by record, each None where it is right.

    It is not simulated on the records of ``unknown``. With ``may`` its answers depend on more than
    the question, such as the order of additions, and may be right, too.
    """

    name: str
    call: str
    words: str
    answers: Mapping[str, Sequence[Any]]
    unknown: frozenset[str]
    may: bool = False


def load(folder: str | None = None) -> dict[str, Vector]:
    """Return the vectors in all files of a folder, by id; by default those of the package.

    ``ExactPermError`` names the file and what is wrong with it. Cost: about 10 ms.

    >>> load()["M0001"].input
    {'b': '9', 'c': '1'}
    """
    vectors: dict[str, Vector] = {}
    for file in _files(folder):
        for vector in _read(file):
            if vector.id in vectors:
                raise ExactPermError(f"{file.name}: the id {vector.id} is used twice")
            vectors[vector.id] = vector
    if not vectors:
        raise ExactPermError(f"{folder} holds no test vectors")
    return vectors


def _folder(folder: str | None) -> Traversable:
    """Return a folder of vectors; that of the package may be inside a zip archive."""
    from importlib.resources import files
    from pathlib import Path

    return files(__package__) / "vectors" if folder is None else Path(folder)


def _files(folder: str | None) -> list[Traversable]:
    try:
        entries = [
            file
            for file in _folder(folder).iterdir()
            if file.name.endswith(".json") and file.name != WRONG
        ]
    except OSError as error:
        raise ExactPermError(f"cannot read {folder}: {error.strerror}") from None
    return sorted(entries, key=lambda file: file.name)


def _read(path: Traversable) -> list[Vector]:
    try:
        data = loaded(path.read_text(encoding="utf-8"))
        if data["schema"] != "v1":
            raise ExactPermError(
                f"{path} has the schema {data['schema']!r}: this version reads 'v1'"
            )
        common = {"call": data["call"], "_notes": data["notes"], "_mistakes": data["mistakes"]}
        return [Vector(**test, **common) for test in data["tests"]]
    except ExactPermError:
        raise
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ExactPermError(f"{path} is no file of test vectors: {error!r:.100}") from None


def mistakes(folder: str | None = None) -> list[Mistake]:
    """Return the known mistakes with what they answer to the vectors of a folder; none where they are not recorded.

    Cost: about 20 ms.

    >>> next(mistake.words for mistake in mistakes() if mistake.name == "strict")
    'Counts T > t in place of T >= t.'
    """
    path = _folder(folder) / WRONG
    if not path.is_file():
        return []
    try:
        data = loaded(path.read_text(encoding="utf-8"))
        return [
            Mistake(**{**entry, "name": name, "call": call, "unknown": frozenset(entry["unknown"])})
            for call, entries in data["mistakes"].items()
            for name, entry in entries.items()
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ExactPermError(f"{path} does not hold answers of mistakes: {error!r:.100}") from None


def chosen(vectors: Iterable[Vector], patterns: Iterable[str]) -> list[Vector]:
    """Return the vectors whose id, call or flag matches one of the patterns, such as "P01*", "f1" or "Centre".

    >>> [vector.id for vector in chosen(load().values(), ["F000[12]"])]
    ['F0001', 'F0002']
    """
    wanted = list(patterns)

    def fits(vector: Vector) -> bool:
        words = (vector.id, vector.call, *vector.flags)
        return any(fnmatchcase(word, pattern) for word in words for pattern in wanted)

    return [vector for vector in vectors if fits(vector)]


def packed(folder: str | None = None) -> bytes:
    """Return a zip archive of the vectors with schemas, protocol and description: the same bytes on every machine."""
    return archive.packed(
        {f"exactperm-vectors/{name}": content for name, content in _contents(_folder(folder))}
    )


def _contents(folder: Traversable) -> Iterator[tuple[str, bytes]]:
    """Yield relative name and content of each file, also in folders."""
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from ((f"{entry.name}/{name}", content) for name, content in _contents(entry))
        else:
            yield entry.name, entry.read_bytes()
