"""Read JSON text of any origin: no key twice in one object, and no nesting that could end the interpreter."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from itertools import accumulate

from .._types import Any
from ..arithmetic.quoting import short_text

_DEEPEST = 100
"""Levels of nested lists and objects; some thousands end the interpreter itself in a browser."""
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


def loaded(text: str, decimals: Callable[[str], object] | None = None) -> Any:
    """Return the value of a JSON text; ``decimals`` reads numbers with a point or an exponent (``float``).

    Raises ``ValueError`` for text that is not JSON, that repeats a key in one object, or that nests
    too deep.

    >>> loaded('{"p": 0.050}', str)
    {'p': '0.050'}
    """
    return json.loads(shallow(text), object_pairs_hook=without_repeats, parse_float=decimals)


def shallow(text: str) -> str:
    """Return JSON text as it is; ``ValueError`` where it nests more than 100 lists and objects.

    Looks at the brackets outside of strings, in a small part of the time that parsing takes.

    >>> shallow('{"[[": []}')
    '{"[[": []}'
    """
    if text.count("[") + text.count("{") > _DEEPEST:
        unescaped = text.replace("\\\\", "").replace('\\"', "")
        brackets = re.findall(r"[][{}]", re.sub(r'"[^"]*"', "", unescaped))
        if max(accumulate(map(_STEPS.__getitem__, brackets)), default=0) > _DEEPEST:
            raise ValueError(f"more than {_DEEPEST} lists and objects are nested")
    return text


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of these pairs; ``ValueError`` where a key is repeated."""
    record = dict(pairs)
    if len(record) < len(pairs):
        repeated = Counter(key for key, _value in pairs).most_common(1)[0][0]
        raise ValueError(f"the key {short_text(repeated)} is repeated in one object")
    return record


def fault(error: ValueError) -> str:
    """Return what is wrong with a JSON text of one line.

    >>> try:
    ...     loaded('{"p": }')
    ... except ValueError as error:
    ...     print(fault(error))
    Expecting value: column 7
    """
    return (
        f"{error.msg}: column {error.colno}"
        if isinstance(error, json.JSONDecodeError)
        else str(error)
    )
