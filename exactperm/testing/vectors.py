"""Read, choose and pack the test vectors."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from fractions import Fraction

from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import printable, short_text
from ..errors import ExactPermError
from ..files import archive
from ..files.json_text import loaded
from ..record import Record
from .numbers import Truth

if TYPE_CHECKING:
    from importlib.abc import Traversable


ALTERNATIVES = ("two-sided", "greater", "less")

LISTS = ("adjust", "interval", "null-distribution")
"""Calls whose answers are lists of numbers, or of rows of numbers."""


class Vector(Record):
    """One test vector; the fields are those of the files, described in vectors/README.md."""

    id: str
    call: str
    comment: str
    flags: list[str]
    input: dict[str, Any]
    reading: str
    result: str
    expect: dict[str, Any]
    other: str | None = None
    acceptable: list[dict[str, Any]] | None = None
    links: list[str] | None = None
    seen: list[dict[str, str]] | None = None
    _notes: dict[str, Any]

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
    def size(self) -> int:
        """Number of pairs of scores, of scores, of discordant items, or of p-values."""
        if "b" in self.input:
            return abs(int(self.input["b"])) + abs(int(self.input["c"]))
        columns = [self.input.get(name, ()) for name in ("u", "v")]
        size = sum(map(len, columns)) if self.call == "two-sample" else len(columns[0])
        return size or max(
            len(column) for column in self.input.values() if isinstance(column, list)
        )

    @property
    def least(self) -> Fraction:
        """The least p-value of its answers; 1 where they are lists or an error."""
        answers = (Truth.of(each).p for each in self.expect.values() if isinstance(each, dict))
        return min(answers, default=Fraction(1))


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
        entries = [each for each in _folder(folder).iterdir() if each.name.endswith(".json")]
    except (OSError, ValueError) as error:  # ValueError: no such folder in a zip archive
        if folder is None:
            raise ExactPermError("this copy has no test vectors: name a folder of them") from None
        raise ExactPermError(f"cannot read {folder}: {error}") from None
    return sorted(entries, key=lambda file: file.name)


def _read(path: Traversable) -> list[Vector]:
    try:
        data = loaded(path.read_text(encoding="utf-8"))
        if data["schema"] != "v1":
            raise ExactPermError(
                f"{path} has the schema {data['schema']!r}: this version reads 'v1'"
            )
        return [Vector(**test, call=data["call"], _notes=data["notes"]) for test in data["tests"]]
    except ExactPermError:
        raise
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ExactPermError(f"{path} is no file of test vectors: {error!r:.100}") from None


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


def picked(only: Iterable[str] = (), folder: str | None = None) -> list[Vector]:
    """Return the vectors of a folder that the patterns choose, all without patterns; at least one."""
    patterns = [*only]
    found = chosen(load(folder).values(), patterns or ["*"])
    if not found:
        raise ExactPermError(f"no vector has an id, a call or a flag like {', '.join(patterns)}")
    return found


def listing(only: Iterable[str] = (), folder: str | None = None) -> list[str]:
    """Return a line for each chosen vector: id, call, reading, flags, comment."""
    rows = [
        (each.id, each.call, each.reading, ",".join(each.flags), each.comment)
        for each in picked(only, folder)
    ]
    return [
        printable("  ".join((row[0], f"{row[1]:<18}", f"{row[2]:<8}", *row[3:]))) for row in rows
    ]


def shown(name: str, folder: str | None = None) -> str:
    """Return a vector as JSON, with the notes on its flags; ``ExactPermError`` where there is none of that id."""
    every = load(folder)
    if name not in every:
        raise ExactPermError(f"there is no vector {short_text(name)}")
    fields = {
        key: value
        for key, value in vars(every[name]).items()
        if value is not None and key[0] != "_"
    }
    return json.dumps({**fields, "notes": every[name].notes}, indent=2)


def packed(folder: str | None = None) -> bytes:
    """Return a zip archive of vectors, schemas, pages and examples: the same bytes on every machine.

    In the package the example for pytest ends in .py.txt, since it is no module of it.
    """
    files = _contents(_folder(folder), "exactperm-vectors/")
    return archive.packed({name.replace(".py.txt", ".py"): content for name, content in files})


def _contents(folder: Traversable, above: str) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each file, also in folders."""
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _contents(entry, f"{above}{entry.name}/")
        else:
            yield above + entry.name, entry.read_bytes()
