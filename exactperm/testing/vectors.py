"""Read, choose and pack the test vectors."""

from __future__ import annotations

import json
from collections.abc import Iterable
from fnmatch import fnmatchcase
from fractions import Fraction

from .._types import TYPE_CHECKING, Any
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
    """One test vector; the fields are those of the files, described in vectors/README.md.

    ``notes`` has the meaning of each flag of its file: bugType, description and effect.
    """

    id: str
    call: str
    comment: str
    flags: list[str]
    input: dict[str, Any]
    reading: str
    result: str
    expect: dict[str, Any]
    notes: dict[str, Any]
    other: str | None = None
    acceptable: list[dict[str, Any]] | None = None
    links: list[str] | None = None
    seen: list[dict[str, str]] | None = None

    @property
    def questions(self) -> tuple[str | None, ...]:
        """Alternatives that the vector is about; None where the call has none."""
        return (None,) if self.call in ("adjust", "null-distribution") else ALTERNATIVES

    def question_id(self, alternative: str | None) -> str:
        """Return the id of a question: that of the vector and the alternative."""
        return self.id if alternative is None else f"{self.id}:{alternative}"

    def answer(self, alternative: str | None) -> Any:
        """Return what is expected for an alternative, or for the only question of the vector."""
        return self.expect[alternative] if alternative else next(iter(self.expect.values()))

    @property
    def size(self) -> int:
        """Number of pairs of scores, of scores, of discordant items, or of p-values."""
        if "b" in self.input:
            return abs(int(self.input["b"])) + abs(int(self.input["c"]))
        sizes = [len(column) for column in self.input.values() if isinstance(column, list)]
        return sum(sizes[:2]) if self.call == "two-sample" else max(sizes)

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
    place = folder or "this copy"
    try:
        for file in sorted(_folder(folder).iterdir(), key=lambda file: file.name):
            if not file.name.endswith(".json"):
                continue
            place = file.name
            data = loaded(file.read_text(encoding="utf-8"))
            about = {"call": data["call"], "notes": data["notes"]}
            found = {test["id"]: Vector(**test, **about) for test in data["tests"]}
            if data["schema"] != "v1" or vectors.keys() & found.keys():
                raise ValueError("another schema than v1, or an id that is used twice")
            vectors.update(found)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ExactPermError(f"{place} has no proper test vectors: {error!r:.200}") from None
    if not vectors:
        raise ExactPermError(f"{place} has no test vectors")
    return vectors


def _folder(folder: str | None) -> Traversable:
    """Return a folder of vectors; that of the package may be inside a zip archive."""
    from importlib.resources import files
    from pathlib import Path

    return files(__package__) / "vectors" if folder is None else Path(folder)


def picked(only: Iterable[str] = (), folder: str | None = None) -> list[Vector]:
    """Return the vectors of a folder whose id, call or flag is like one of some patterns; all without patterns.

    >>> [vector.id for vector in picked(["F000[12]"])]
    ['F0001', 'F0002']
    """
    patterns = [*only] or ["*"]
    found = [
        vector
        for vector in load(folder).values()
        for words in [(vector.id, vector.call, *vector.flags)]
        if any(fnmatchcase(word, pattern) for word in words for pattern in patterns)
    ]
    if not found:
        raise ExactPermError(f"no vector has an id, a call or a flag like {', '.join(patterns)}")
    return found


def shown(name: str, folder: str | None = None) -> str:
    """Return a vector as JSON, with the notes on its flags; ``ExactPermError`` where there is none of that id."""
    (vector, *_) = picked([name], folder)
    fields = {key: value for key, value in vars(vector).items() if value is not None}
    return json.dumps(
        {**fields, "notes": {flag: vector.notes[flag] for flag in vector.flags}}, indent=2
    )


def packed(folder: str | None = None) -> bytes:
    """Return a zip archive of vectors, schemas, pages and examples: the same bytes on every machine.

    In the package the example for pytest ends in .py.txt, since it is no module of it.
    """
    contents, folders = {}, [(_folder(folder), "exactperm-vectors/")]
    for place, above in folders:
        for entry in place.iterdir():
            if entry.is_dir():
                folders.append((entry, f"{above}{entry.name}/"))
            else:
                contents[above + entry.name.replace(".py.txt", ".py")] = entry.read_bytes()
    return archive.packed(contents)
