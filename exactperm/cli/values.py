"""Read the values of options; argparse calls these and shows what they refuse."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

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


def _counted(word: str, least: int, most: int) -> int:
    if not (word.isdecimal() and len(word) < 10 and least <= int(word) <= most):
        raise _refusal(f"{word!r} is not a whole number from {least} to {most}")
    return int(word)


def digits(word: str) -> int:
    """Read a number of digits."""
    return _counted(word, 1, 100_000)


def decimals(word: str) -> int:
    """Read a number of decimals."""
    return _counted(word, 0, 4000)


def pairs(word: str) -> int:
    """Read a number of pairs."""
    return _counted(word, 1, 10_000_000)


class Names:
    """Read one of some names, with "-" or "_" and in any case, as the library's word for it.

    ``known`` has the words by all names; ``listed`` are those that a message lists.
    """

    def __init__(self, known: Mapping[str, str], listed: Iterable[str]) -> None:
        self.known = {name.replace("_", "-"): word for name, word in known.items()}
        self._listed = ", ".join(listed)

    def __call__(self, word: str) -> str:
        """Return the library's word for a name."""
        plain = word.lower().replace("_", "-")
        if plain not in self.known:
            raise _refusal(f"invalid choice: {word!r} (choose from {self._listed})")
        return self.known[plain]


class Designs(Names):
    """Read what is exchanged of several runs; a design without an exact test is refused with those to use instead."""

    def __call__(self, word: str) -> str:
        """Return the library's word for a design."""
        from ..errors import ExactPermError
        from ..swaps.runs import check_design

        try:
            check_design(word)
        except ExactPermError as error:
            if error.code == "no-exact-test":
                raise _refusal(str(error)) from None
        return super().__call__(word)


def statistic(more: tuple[str, ...]) -> Names:
    """Return the reader of a statistic's name, short or as in the library; ``more`` are further ones."""
    from ..files.columns import LAYOUTS, SHORT

    known = {**SHORT, **dict(zip(LAYOUTS, LAYOUTS)), **dict(zip(more, more))}
    return Names(known, (*SHORT, *more))


def adjustment() -> Names:
    """Return the reader of a method that adjusts p-values, with the names that papers and other programs give it."""
    from ..multiplicity import METHODS, NAMES

    return Names(NAMES, METHODS)


def seed(word: str) -> int:
    """Read a seed of random numbers."""
    return _counted(word, 0, 999_999_999)


def processes(word: str) -> int:
    """Read a number of processes."""
    return _counted(word, 1, 1024)


def discordant(word: str) -> tuple[int, int]:
    """Read two counts, such as 9,1."""
    b, comma, c = word.partition(",")
    if not comma:
        raise _refusal(f"{word!r} is not two counts such as 9,1")
    return _counted(b.strip(), 0, 999_999_999), _counted(c.strip(), 0, 999_999_999)


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
