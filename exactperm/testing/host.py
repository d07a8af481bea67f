"""Serve a Python function over JSON lines."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module

from .._types import Any
from ..files.json_text import loaded


def reply(answer: Callable[..., Any], message: dict[str, Any]) -> dict[str, Any]:
    """Return the reply of a function to one question; its exceptions become messages, None means skipped."""
    try:
        p = answer(message["call"], message["input"], message["alternative"])
        if p is None:
            return {"skipped": "not supported"}
        return p if isinstance(p, dict) else {"p": _plain(p)}
    except NotImplementedError as error:
        return {"skipped": str(error)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def _plain(x: Any) -> Any:
    """Return a number, or a list, as JSON can hold it."""
    if isinstance(x, (list, tuple)) or getattr(x, "shape", False):
        return [_plain(each) for each in x]
    if isinstance(x, (int, Fraction)) and not isinstance(x, bool):
        return (
            f"{x.numerator:#x}/{x.denominator:#x}"
            if max(abs(x.numerator), x.denominator) > 10**600
            else str(x)
        )
    if isinstance(x, (str, bool, float)):
        return x
    return float(x)  # numbers of array libraries


def _line(told: dict[str, Any]) -> str:
    """Return a reply as a line of JSON; what JSON cannot hold becomes an error."""
    try:
        return json.dumps(told) + "\n"
    except (TypeError, ValueError) as error:
        return json.dumps({"id": told.get("id"), "error": f"no JSON: {error}"}) + "\n"


def about(module: Any) -> dict[str, Any]:
    """Return the first answer: what the module's ABOUT says of the implementation."""
    name = {"name": module.__name__, "language": "Python"}
    return {"version": 1, "implementation": name, **getattr(module, "ABOUT", {})}


def main(module: str, function: str) -> None:
    """Answer questions until the input ends; what the function prints goes to standard error."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    home = import_module(module)
    answer = getattr(home, function)
    for line in sys.stdin:
        message = loaded(line)
        if message["cmd"] == "stop":
            return
        known = message["cmd"] == "start"
        told = about(home) if known else {"id": message["id"], **reply(answer, message)}
        out.write(_line(told))
        out.flush()
