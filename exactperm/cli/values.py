"""Read the values of options; argparse calls these and shows what they refuse."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .._types import Any
from ..errors import ExactPermError
from ..files.forms import FORMS

_UNITS = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def _read(read: Callable[[str], Any], what: str) -> Callable[[str], Any]:
    """Return a reader of values whose error says ``what`` they are."""

    def value(word: str) -> Any:
        try:
            return read(word)
        except (ValueError, KeyError, ExactPermError):
            from argparse import ArgumentTypeError

            raise ArgumentTypeError(f"{word!r} is not {what}") from None

    return value


def _seconds(word: str) -> float:
    if not (seconds := float(word)) > 0:
        raise ValueError
    return seconds


def _size(word: str) -> int:
    unit = _UNITS.get(word[-1:].upper(), 0)
    return _whole(word[:-1] if unit else word, 1, 10**19) * (unit or 1)


def _whole(word: str, least: int, most: int) -> int:
    if not (word.isdecimal() and len(word) < 20 and least <= int(word) <= most):
        raise ValueError
    return int(word)


def whole(least: int, most: int) -> Callable[[str], int]:
    """Return the reader of whole numbers from ``least`` to ``most``."""
    return _read(lambda word: _whole(word, least, most), f"a whole number from {least} to {most}")


def _counts(word: str) -> tuple[int, int]:
    b, c = word.split(",")
    return _whole(b.strip(), 0, 10**9), _whole(c.strip(), 0, 10**9)


def _shift(word: str) -> Any:
    from ..arithmetic.reading import exact

    return exact(word, "mu")


def _level(word: str) -> Any:
    from ..arithmetic.reading import level

    return level(word)


def names(known: Mapping[str, str]) -> Callable[[str], str]:
    """Return the reader of one of some names, with "-" or "_" and in any case, as the library's word for it."""
    return _read(
        lambda word: known[word if word in known else word.lower().replace("_", "-")],
        f"one of {', '.join(known)}",
    )


def _adjustment(word: str) -> str:
    from ..multiplicity import NAMES

    known = {name.replace("_", "-"): method for name, method in NAMES.items()}
    return names(known)(word)


READERS: Mapping[str, Callable[[str], Any]] = {
    "SECONDS": _read(_seconds, "a number of seconds above 0"),
    "SIZE": _read(_size, "a size such as 500M or 2G"),
    "PROCESSES": whole(1, 1024),
    "DIGITS": whole(1, 100_000),
    "COUNT": whole(1, 10_000_000),
    "SEED": whole(0, 999_999_999),
    "LEVEL": _read(_level, "a level between 0 and 1"),
    "SHIFT": _read(_shift, "a number"),
    "B,C": _read(_counts, "two counts such as 9,1"),
    "SHARE": float,
    "STATISTIC": names({name: name for name in FORMS}),
    "METHOD": _adjustment,
}
"""What reads a value, by the word that stands for it in help; other words are kept as they are."""
