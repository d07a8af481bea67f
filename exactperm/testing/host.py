"""Serve a Python function over JSON lines."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module

from .._types import Any
from ..arithmetic.writing import exact_text
from ..files.json_text import loaded


def reply(answer: Callable[..., Any], message: dict[str, Any]) -> dict[str, Any]:
    """Return the reply of a function to one question; its exceptions become messages, None means skipped."""
    try:
        p = answer(message["call"], message["input"], message["alternative"])
        if p is None:
            return {"skipped": "not supported"}
        told = p if isinstance(p, dict) else {"p": _plain(p)}
        json.dumps(told)
        return told
    except NotImplementedError as error:
        return {"skipped": str(error)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def _plain(x: Any) -> Any:
    """Return a number, or a list, as JSON can hold it."""
    if isinstance(x, (list, tuple)) or getattr(x, "shape", False):
        return [_plain(each) for each in x]
    if isinstance(x, (int, Fraction)) and not isinstance(x, bool):
        return exact_text(x)
    return x if isinstance(x, (str, bool, float)) else float(x)  # numbers of array libraries


def main(module: str, function: str) -> None:
    """Answer questions until the input ends; what the function prints goes to standard error."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    home = import_module(module)
    answer = getattr(home, function)
    about = {"name": module, "language": "Python"}
    for line in sys.stdin:
        message = loaded(line)
        if message["cmd"] == "stop":
            return
        if message["cmd"] == "start":
            told = {"version": 1, "implementation": about, **getattr(home, "ABOUT", {})}
        else:
            told = {"id": message["id"], **reply(answer, message)}
        out.write(json.dumps(told) + "\n")
        out.flush()
