"""The list of statements, ``items.json``: what an entry holds, and whether the list is well formed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

SOURCES = {
    "paper": "The paper (NAACL 2022)",
    "draft": "The earlier draft (2021)",
    "course": "The course page (CS478)",
    "lecture": "The lecture (NPFL129, lecture 12)",
    "own": "Theorems of this project",
}
DONE = ("implemented", "improved", "corrected")
STATUSES = (*DONE, "out of scope", "planned")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")
_TEXTS = ("id", "number", "source", "place", "statement", "status", "note", "page")
_LISTS = ("functions", "tests")


class Item(NamedTuple):
    """One statement of a source.

    ``functions`` are dotted names of what realises it, ``tests`` pytest node ids, ``page`` the file in ``spec/`` that
    derives it. ``note`` says what was improved or corrected, or why the statement is out of scope.
    """

    id: str
    number: str
    source: str
    place: str
    statement: str
    functions: list[str]
    tests: list[str]
    status: str
    note: str
    page: str


class Spec(NamedTuple):
    """The whole list, and the public names that realise no statement, each with the reason."""

    items: list[Item]
    exempt: dict[str, str]


def load(path: Path) -> Spec:
    """The list in the file; ``ValueError`` where it does not have the shape of one."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return Spec([_item(entry) for entry in data["items"]], dict(data["exempt"]))


def _item(entry: dict[str, Any]) -> Item:
    keys = set(_TEXTS) | set(_LISTS)
    name = entry.get("id", "an entry without id")
    if set(entry) - keys or keys - set(entry) - {"note"}:
        raise ValueError(f"{name}: its keys must be {', '.join(sorted(keys))} (note may be left out)")
    entry = {"note": "", **entry}
    if not all(isinstance(entry[key], str) for key in _TEXTS):
        raise ValueError(f"{name}: {', '.join(_TEXTS)} must be text")
    if not all(isinstance(entry[key], list) and all(isinstance(x, str) for x in entry[key]) for key in _LISTS):
        raise ValueError(f"{name}: {' and '.join(_LISTS)} must be lists of text")
    return Item(**entry)


def problems(spec: Spec) -> list[str]:
    """What is wrong with the list by itself, without looking at the code."""
    found = []
    seen: set[str] = set()
    for item in spec.items:
        found += [f"{item.id}: {wrong}" for wrong in _wrong(item)]
        if item.id in seen:
            found.append(f"{item.id}: the id occurs twice")
        seen.add(item.id)
    return found


def _wrong(item: Item) -> list[str]:
    rules = {
        "the id must be words of a-z and 0-9 joined by hyphens": not _ID.fullmatch(item.id),
        f"the source must be one of {', '.join(SOURCES)}": item.source not in SOURCES,
        "the id must begin with its source": item.source != "paper" and not item.id.startswith(f"{item.source}-"),
        f"the status must be one of {', '.join(STATUSES)}": item.status not in STATUSES,
        "number, place, statement and page must not be empty": not all(
            (item.number, item.place, item.statement, item.page)
        ),
        f"{item.status}, so it needs a function": item.status in DONE and not item.functions,
        f"{item.status}, so it needs a test": item.status in DONE and not item.tests,
        f"{item.status}, so it needs a note": item.status in ("improved", "corrected", "out of scope")
        and not item.note,
        "out of scope, so it must not name functions": item.status == "out of scope" and bool(item.functions),
        "a function or test is named twice": any(len(set(x)) < len(x) for x in (item.functions, item.tests)),
    }
    return [rule for rule, broken in rules.items() if broken]
