"""Read, choose and pack the test vectors."""

from __future__ import annotations

import json
from collections.abc import Iterable
from fnmatch import fnmatchcase
from fractions import Fraction

from .._types import Any
from ..errors import ExactPermError
from ..files import saving
from ..files.json_text import loaded
from ..record import Record
from .numbers import Truth

ALTERNATIVES = ("two-sided", "greater", "less")


class Vector(Record):
    """One test vector; the fields are those of the files, described in the README.md of the set.

    ``notes`` has the meaning of each flag of its file: bugType, description and effect.
    """

    id: str
    call: str
    comment: str
    flags: list[str]
    input: dict[str, Any]
    reading: str
    result: str
    expect: dict[str, object]
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

    def answer(self, alternative: str | None) -> object:
        """Return what is expected for an alternative, or for the only question of the vector."""
        return self.expect[alternative] if alternative else next(iter(self.expect.values()))

    @property
    def size(self) -> int:
        """Number of pairs of scores, of scores, of discordant items, or of p-values."""
        if "b" in self.input:
            return abs(int(self.input["b"])) + abs(int(self.input["c"]))
        sizes = [len(column) for column in self.input.values() if isinstance(column, list)]
        return sum(sizes[:2]) if self.call in ("two-sample", "mann-whitney") else max(sizes)

    @property
    def truths(self) -> dict[str, Truth]:
        """The exact values by alternative; none where the answers are lists or an error."""
        known = self.expect.items()
        return {side: Truth.of(each) for side, each in known if isinstance(each, dict)}

    @property
    def least(self) -> Fraction:
        """The least p-value of its answers; 1 where they are lists or an error."""
        return min((truth.p for truth in self.truths.values()), default=Fraction(1))


def load(folder: str | None = None) -> dict[str, Vector]:
    """Return the vectors in all files of a folder, by id; by default those of the package.

    ``ExactPermError`` names the file and what is wrong with it. Cost: about 20 ms.

    >>> load()["M0001"].input
    {'b': '9', 'c': '1'}
    """
    vectors: dict[str, Vector] = {}
    place = folder or "this copy"
    try:
        for name, content in contents(folder).items():
            if "/" in name or not name.endswith(".json"):
                continue
            place = name
            data = loaded(content.decode())
            about = {"call": data["call"], "notes": data["notes"]}
            found = {test["id"]: Vector(**test, **about) for test in data["tests"]}
            if data["schema"] != "v1" or vectors.keys() & found.keys():
                raise ValueError("another schema than v1, or an id that is used twice")
            vectors.update(found)
    except FileNotFoundError:
        raise ExactPermError(f"{place} has no test vectors") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ExactPermError(f"{place} has no proper test vectors: {error!r:.200}") from None
    if not vectors:
        raise ExactPermError(f"{place} has no test vectors")
    return vectors


def contents(folder: str | None = None) -> dict[str, bytes]:
    """Return the files of a set by name, in order; that of the package is an archive, vectors.zip."""
    from importlib.resources import files
    from io import BytesIO
    from pathlib import Path
    from zipfile import ZipFile

    if folder is None:
        with ZipFile(BytesIO((files(__package__) / "vectors.zip").read_bytes())) as archived:
            return {name: archived.read(name) for name in archived.namelist()}
    paths = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


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
    """Return a zip archive of vectors, schemas, pages and examples: the same bytes on every machine."""
    files = contents(folder).items()
    return saving.packed({f"exactperm-vectors/{name}": content for name, content in files})
