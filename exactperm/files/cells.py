"""Split a line into cells."""

from __future__ import annotations

import re

_BETWEEN_BLANKS = r"[^ \t\v\f]+"
"""Cells between blanks. Other white space is no delimiter: a no-break space may separate thousands."""

_QUOTED = re.compile(r'[^\S\t]*"([^"]*(?:""[^"]*)*)"[^\S\t]*')
"""A quoted cell, with the blanks around it."""

Row = list[str]


def cells(line: str, mark: str) -> Row | None:
    """Return the cells of a line between marks, without blanks around them; None where a quoted cell has no end.

    A blank stands for any run of blanks and tabs, "" for no mark. A quoted cell may hold marks and doubled quotes.

    >>> cells('a, "b,""c"" d"', ","), cells('"a,b', ",")
    (['a', 'b,"c" d'], None)
    """
    if mark == " ":
        return re.findall(_BETWEEN_BLANKS, line)
    if '"' not in line:
        return list(map(str.strip, line.split(mark))) if mark else [line.strip()]
    found, at = [], 0
    while True:
        match = _QUOTED.match(line, at)
        if match is not None:
            cell, stop = match[1].replace('""', '"'), match.end()
        elif line[at:].lstrip()[:1] == '"':
            return None
        else:
            stop = line.find(mark, at) if mark else -1
            stop = len(line) if stop < 0 else stop
            cell = line[at:stop]
        found.append(cell.strip())
        if stop == len(line):
            return found
        if not mark or line[stop] != mark:
            return None
        at = stop + 1
