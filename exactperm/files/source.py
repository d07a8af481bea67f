"""Where the data of a test come from, how they were read, and what was read: for results, records and pictures."""

from __future__ import annotations

from collections.abc import Sequence

from .. import __version__
from .._types import Any
from ..arithmetic.rational import Exact
from ..arithmetic.writing import exact_text
from ..record import Record
from .listing import Table, short
from .reading import Reading


class File(Record):
    """One file of a test and how it was read; ``header`` is the line of its names, 0 for none."""

    name: str
    sha256: str
    form: str
    header: int = 0
    comments: tuple[int, ...] = ()
    blanks: tuple[int, ...] = ()

    @classmethod
    def of(cls, table: Table) -> File:
        """Return how the file of a table was read."""
        fields = {name: getattr(table, name) for name in cls._fields}
        return cls(**fields)

    def rows(self) -> list[tuple[str, str]]:
        """Return how the file was read, as titles and texts."""
        if self.form != "table":
            return [("format", "JSON" if self.form == "json" else self.form)]
        rows = [("header", f"line {self.header}" if self.header else "none")]
        left = [("comments", self.comments), ("blank lines", self.blanks)]
        return rows + [(title, f"{len(lines)} left out") for title, lines in left if lines]

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        return {
            "name": self.name,
            "sha256": self.sha256,
            "format": self.form,
            "header_line": self.header or None,
            "comment_lines": list(self.comments),
            "blank_lines": list(self.blanks),
        }


_SAID = (
    ("missing", {"drop": "{0} of {1} items left out"}),
    ("total", {"drop": "the last row is left out", "keep": "the last row is an item"}),
    ("groups", "{2}: pairs of one group are swapped together"),
    ("weights", "{2}: of each item in the means"),
    ("tasks", "{2}: the means of all tasks count alike"),
    ("decimals", "{3} values altered by decimals {2}"),
)
"""What rows say of settings: for each value, or of any with the numbers of items left out and of all."""


class Source(Record):
    """Where the data of a test come from, and how they were read.

    ``names`` are those of the columns, ``pairs`` counts the items before the ``dropped`` ones were left out,
    ``rounded`` the values that ``reading.decimals`` altered. ``runs`` says how many there are of each item, ``joined``
    by which ids files are, ``samples`` the sizes of two that are unpaired; ``systems`` are the names that were given.
    """

    files: tuple[File, ...]
    names: tuple[str, ...]
    pairs: int
    reading: Reading = Reading()
    dropped: int = 0
    rounded: int = 0
    runs: str = ""
    joined: str = ""
    samples: str = ""
    systems: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The names of all files."""
        return ", ".join(file.name for file in self.files)

    @property
    def items(self) -> int:
        """The number of items that are compared."""
        return self.pairs - self.dropped

    def title(self) -> str:
        """Return the names of the files without their folders, as the title of a picture has room for them."""
        paths = [file.name.replace("\\", "/") for file in self.files]
        return ", ".join(path.rpartition("/")[2] for path in paths)

    def rows(self) -> list[tuple[str, str]]:
        """Return what was read and how, as titles and texts."""
        names = ", ".join(self.names)
        rows = [("data", f"{self.name}: {names}" if len(self.files) == 1 else names)]
        alike = all(file.rows() == self.files[0].rows() for file in self.files)
        for file in self.files[: 1 if alike else None]:
            before = "" if alike else f"{file.name}: "
            rows += [(title, f"{before}{text}") for title, text in file.rows()]
        if self.samples:
            rows.append(("samples", self.samples))
        elif len(self.files) > 1:
            by = f"{self.joined}, all ids in every file" if self.joined else "row"
            rows.append(("joined by", by))
        if self.runs:
            rows.append(("runs", self.runs))
        for name, words in _SAID:
            said = getattr(self.reading, name)
            text = words.get(said, "") if isinstance(words, dict) else words
            if said is not None and text:
                title = "rounded" if name == "decimals" else name
                rows.append((title, text.format(self.dropped, self.pairs, said, self.rounded)))
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form, with the version of this package."""
        said = self.reading
        names = ("weights", "tasks", "by", "encoding")
        more = {name: getattr(said, name) for name in names}
        more.update(
            runs=self.runs, samples=self.samples, systems=list(self.systems), last_row=said.total
        )
        return {
            "files": [file.to_dict() for file in self.files],
            "columns": list(self.names),
            "id": said.id,
            "missing": said.missing or "refuse",
            "dropped_pairs": self.dropped,
            "groups": said.groups,
            **{name: value for name, value in more.items() if value},
            "decimals": said.decimals,
            "rounded": self.rounded,
            "version": __version__,
        }


_WIDEST = 60
"""Characters of an id or a cell in rows."""


class ReadItem(Record):
    """One item that was read: its ``id`` (or its line), and its ``cells`` by the names of columns, as written."""

    id: str
    cells: tuple[tuple[str, str], ...]


class ReadBack(Record):
    """What was read: the first and the last item, and the least and the greatest number of each column."""

    first: ReadItem
    last: ReadItem
    ranges: tuple[tuple[str, Exact, Exact], ...] = ()

    def rows(self) -> list[tuple[str, str]]:
        """Return what was read, as titles and texts."""
        rows = []
        for title, item in (("first", self.first), ("last", self.last)):
            cells = ", ".join(f"{name} {_cut(cell)}" for name, cell in item.cells)
            rows.append((title, f"{_cut(item.id)}: {cells}"))
        ranges = [f"{name} {short(least)} to {short(most)}" for name, least, most in self.ranges]
        return [*rows, ("ranges", ", ".join(ranges))] if ranges else rows

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        found: dict[str, Any] = {
            title: {"id": item.id, "cells": dict(item.cells)}
            for title, item in (("first", self.first), ("last", self.last))
        }
        ranges = {name: [exact_text(least), exact_text(most)] for name, least, most in self.ranges}
        return {**found, "ranges": ranges}


def _cut(text: str) -> str:
    """Return a text for people, the beginning of a long one."""
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]}..."


def files_of(tables: Sequence[Table]) -> tuple[File, ...]:
    """Return how the files of tables were read."""
    return tuple(map(File.of, tables))
