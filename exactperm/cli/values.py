"""Read the values of options; argparse calls these and shows what they refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from .._types import TYPE_CHECKING
from ..errors import ExactPermError

if TYPE_CHECKING:
    from ..arithmetic.rational import Exact


_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def _refusal(message: str) -> Exception:
    from argparse import ArgumentTypeError

    return ArgumentTypeError(message)


def seconds(word: str) -> float:
    """Read a number of seconds above 0."""
    try:
        seconds = float(word)
    except ValueError:
        seconds = 0.0
    if not seconds > 0:
        raise _refusal(f"{word!r} is not a number of seconds above 0")
    return seconds


def size(word: str) -> int:
    """Read a number of bytes, such as 500M."""
    unit = word[-1:].upper() if word[-1:].upper() in _UNITS else ""
    digits = word[: len(word) - len(unit)]
    if not (digits.isdecimal() and len(digits) < 20 and int(digits)):
        raise _refusal(f"{word!r} is not a size such as 500M or 2G")
    return int(digits) * _UNITS[unit]


def whole(least: int, most: int) -> Callable[[str], int]:
    """Return the reader of whole numbers from ``least`` to ``most``."""

    def read(word: str) -> int:
        if not (word.isdecimal() and len(word) < 10 and least <= int(word) <= most):
            raise _refusal(f"{word!r} is not a whole number from {least} to {most}")
        return int(word)

    return read


def _named(word: str, known: Mapping[str, str]) -> str:
    """Return the library's word for a name, with "-" or "_" and in any case."""
    plain = word.lower().replace("_", "-")
    if plain not in known:
        raise _refusal(f"invalid choice: {word!r} (choose from {', '.join(known)})")
    return known[plain]


def statistics() -> dict[str, str]:
    """Return the names of statistics."""
    from ..files.question import FORMS

    return {name: name for name in FORMS}


def statistic(word: str) -> str:
    """Read the name of a statistic."""
    return _named(word, statistics())


def adjustments() -> dict[str, str]:
    """Return the methods that adjust p-values by the names that papers and other programs give them."""
    from ..multiplicity import NAMES

    return {name.replace("_", "-"): method for name, method in NAMES.items()}


def adjustment(word: str) -> str:
    """Read the name of a method that adjusts p-values."""
    return _named(word, adjustments())


def designs() -> dict[str, str]:
    """Return the designs of runs."""
    from ..swaps.runs import DESIGNS

    return {name: name for name in DESIGNS}


def design(word: str) -> str:
    """Read what is exchanged of several runs; a design without an exact test is refused with those to use instead."""
    from ..swaps.runs import check_design

    try:
        check_design(word)
    except ExactPermError as error:
        if error.code == "no-exact-test":
            raise _refusal(str(error)) from None
    return _named(word, designs())


def known(reader: object) -> Iterable[str]:
    """Return the names that a reader knows."""
    names = {statistic: statistics, adjustment: adjustments, design: designs}
    return next((listed() for read, listed in names.items() if read == reader), ())


def discordant(word: str) -> tuple[int, int]:
    """Read two counts, such as 9,1."""
    count = whole(0, 999_999_999)
    b, comma, c = word.partition(",")
    if not comma:
        raise _refusal(f"{word!r} is not two counts such as 9,1")
    return count(b.strip()), count(c.strip())


def mu(word: str) -> Exact:
    """Read an exact number."""
    from ..arithmetic.reading import exact

    try:
        return exact(word, "mu")
    except ExactPermError as error:
        raise _refusal(str(error)) from None


def alpha(word: str) -> Exact:
    """Read a level between 0 and 1."""
    from ..arithmetic.reading import level

    try:
        return level(word)
    except ExactPermError as error:
        raise _refusal(str(error)) from None
