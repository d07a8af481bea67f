"""Read, choose and pack the test vectors."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from io import BytesIO

from ..errors import ExactPermError
from ..record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

FOLDER = os.path.join(os.path.dirname(__file__), "vectors")
"""The vectors that the package ships."""

ALTERNATIVES = ("two-sided", "greater", "less")

_SCHEMA = "schema.json"


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
    seen: list[dict[str, str]] | None = None
    _notes: dict[str, Any]
    _mistakes: dict[str, str]

    @property
    def questions(self) -> tuple[str | None, ...]:
        """Alternatives that the vector is about; None where the call has none."""
        return (None,) if self.call == "adjust" else ALTERNATIVES

    @property
    def notes(self) -> dict[str, Any]:
        """What each flag means: bugType, description and effect."""
        return {flag: self._notes[flag] for flag in self.flags}

    @property
    def mistakes(self) -> dict[str, str]:
        """What each wrong implementation does that the vector tells from the truth."""
        return {name: self._mistakes[name] for name in self.kills or ()}


def load(folder: str | None = None) -> dict[str, Vector]:
    """Return the vectors in all files of a folder, by id; by default those of the package.

    ``ExactPermError`` names the file and what is wrong with it. Cost: about 10 ms.

    >>> load()["M0001"].input
    {'b': '9', 'c': '1'}
    """
    folder = FOLDER if folder is None else folder
    vectors: dict[str, Vector] = {}
    for name in _names(folder):
        for vector in _read(os.path.join(folder, name)):
            if vector.id in vectors:
                raise ExactPermError(f"{name}: the id {vector.id} is used twice")
            vectors[vector.id] = vector
    if not vectors:
        raise ExactPermError(f"{folder} holds no test vectors")
    return vectors


def _names(folder: str) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith(".json") and name != _SCHEMA)
    except OSError as error:
        raise ExactPermError(f"cannot read {folder}: {error.strerror}") from None


def _read(path: str) -> list[Vector]:
    import json

    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        if data["schema"] != "v1":
            raise ExactPermError(f"{path} has the schema {data['schema']!r}: this version reads 'v1'")
        common = {"call": data["call"], "_notes": data["notes"], "_mistakes": data["mistakes"]}
        return [Vector(**test, **common) for test in data["tests"]]
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


def packed(folder: str | None = None) -> bytes:
    """Return a zip archive of the vectors, their schema and their description: the same bytes on every machine."""
    from zipfile import ZipFile, ZipInfo

    folder = FOLDER if folder is None else folder
    archive = BytesIO()
    with ZipFile(archive, "w") as target:
        for name in sorted([*_names(folder), _SCHEMA, "README.md"]):
            with open(os.path.join(folder, name), "rb") as file:
                entry = ZipInfo(f"exactperm-vectors/{name}")  # 1980-01-01, not compressed: zlib's output may change
                entry.create_system, entry.external_attr = 3, 0o644 << 16
                target.writestr(entry, file.read())
    return archive.getvalue()
