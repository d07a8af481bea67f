"""Read the floats of array libraries, narrow ones as their shortest decimals.

A narrow float means the shortest decimal that reads back as itself in its own type, as the library
itself prints it.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from itertools import count

from ..errors import WrongType

_KIND = r"bfloat16|float16|halffloat|float32|float64|double|float96|float128|float(?=\[pyarrow)|float\w*"


def reader_of(kind: str) -> Callable[[object], object]:
    """Return the function that makes a score of an entry of this type; ``WrongType`` for types that are no numbers."""
    found = re.search(_KIND, kind)
    name = found.group() if found else "no float"
    if name in ("float32", "float"):
        return lambda x: _shortest(x, lambda number: _packed(number, "f"))
    if name in ("float16", "halffloat"):
        return lambda x: _shortest(x, lambda number: _packed(number, "e"))
    if name == "bfloat16":
        return lambda x: _shortest(x, _bfloat16)
    if name in ("float96", "float128"):
        return str
    if (
        name in ("no float", "float64", "double")
        and "datetime" not in kind
        and "timedelta" not in kind
    ):
        return lambda x: x
    raise WrongType(f"values of the type {kind} are no scores: convert them to float64 or text")


def _shortest(value: object, narrowed: Callable[[float], object]) -> object:
    """Return the text of the shortest decimal that a narrower type stores as a finite float; all else as it is."""
    if not isinstance(value, float) or not math.isfinite(value):
        return value
    stored = narrowed(value)
    return next(
        text for text in (f"{value:.{k}g}" for k in count(1)) if narrowed(float(text)) == stored
    )


def _packed(value: float, code: str) -> bytes | None:
    try:
        return struct.pack(code, value)
    except OverflowError:  # rounded up beyond the type's largest number
        return None


def _bfloat16(value: float) -> float:
    """Round to the nearest bfloat16, ties to even: 8 significant bits, in steps of 2**-133 at least."""
    step = max(math.frexp(value)[1] - 8, -133)
    return math.ldexp(round(math.ldexp(value, -step)), step)
