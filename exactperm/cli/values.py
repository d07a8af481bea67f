"""Read the values of options; argparse calls these and shows what they refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from .._types import TYPE_CHECKING, Any
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


class Names:
    """Read one of some names, with "-" or "_" and in any case, as the library's word for it."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = names

    def known(self) -> Mapping[str, str]:
        """Return the library's words by the names that a user may type."""
        return dict(zip(self._names, self._names))

    def __call__(self, word: str) -> str:
        """Return the library's word for a name."""
        known = self.known()
        plain = word if word in known else word.lower().replace("_", "-")
        if plain not in known:
            raise _refusal(f"invalid choice: {word!r} (choose from {', '.join(known)})")
        return known[plain]


class Adjustments(Names):
    """Read a method that adjusts p-values, by the names that papers and other programs give it."""

    def known(self) -> Mapping[str, str]:
        """Return the library's words by the names that a user may type."""
        from ..multiplicity import NAMES

        return {name.replace("_", "-"): method for name, method in NAMES.items()}


def discordant(word: str) -> tuple[int, int]:
    """Read two counts, such as 9,1."""
    count = whole(0, 999_999_999)
    b, comma, c = word.partition(",")
    if not comma:
        raise _refusal(f"{word!r} is not two counts such as 9,1")
    return count(b.strip()), count(c.strip())


def _exactly(read: Callable[..., Exact], *words: str) -> Exact:
    try:
        return read(*words)
    except ExactPermError as error:
        raise _refusal(str(error)) from None


def shift(word: str) -> Exact:
    """Read an exact number."""
    from ..arithmetic.reading import exact

    return _exactly(exact, word, "mu")


def level(word: str) -> Exact:
    """Read a level between 0 and 1."""
    from ..arithmetic.reading import level

    return _exactly(level, word)


_STATISTICS = "difference mean accuracy f1 precision recall ratio wilcoxon sign mcnemar"

READERS: Mapping[str, Callable[[str], Any]] = {
    "SECONDS": seconds,
    "SIZE": size,
    "PROCESSES": whole(1, 1024),
    "DIGITS": whole(1, 100_000),
    "COUNT": whole(1, 10_000_000),
    "SEED": whole(0, 999_999_999),
    "LEVEL": level,
    "SHIFT": shift,
    "B,C": discordant,
    "SHARE": float,
    "STATISTIC": Names(_STATISTICS.split()),
    "METHOD": Adjustments(()),
}
"""What reads a value, by the word that stands for it in help; other words are kept as they are."""
