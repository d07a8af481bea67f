"""Define the errors that the package raises on purpose, and what mends them.

An error carries data: a code, and a cure in the library's own names. Only front ends know options,
buttons or keyword arguments; they render the cure in their own words, and nobody searches the text
of an error.
"""

from __future__ import annotations

from collections.abc import Mapping

from ._types import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Protocol

    class Limit(Protocol):
        """A budget, or an estimate of work: seconds and bytes, and their text."""

        @property
        def seconds(self) -> float:
            """Seconds of work."""

        @property
        def bytes(self) -> float:
            """Bytes of memory."""

        def words(self) -> str:
            """Write both for messages."""


class Cure:
    """What mends an error: ``settings`` to change, another ``command`` that fits the data, or ``words``.

    ``settings`` maps names of the library's settings (``columns``, ``id``, ``delimiter``, ...) to
    the values that mend the error; a value that comes from a file is the name of one of its
    columns, nothing else. ``command`` names another question that the same data answer ("compare").
    ``words`` say what no setting mends. ``choose`` names a setting for the author.

    >>> Cure({"columns": "A,B"})
    Cure({'columns': 'A,B'})
    """

    __slots__ = ("choose", "command", "settings", "words")

    def __init__(
        self,
        settings: Mapping[str, str] | None = None,
        command: str = "",
        words: str = "",
        choose: str = "",
    ) -> None:
        self.settings = dict(settings or {})
        self.command = command
        self.words = words
        self.choose = choose

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cure) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash((*sorted(self.settings.items()), *self._values()[1:]))

    def __repr__(self) -> str:
        said = zip(("command", "words", "choose"), self._values()[1:])
        return f"Cure({self.settings!r}{''.join(f', {name}={value!r}' for name, value in said if value)})"

    def _values(self) -> tuple[dict[str, str], str, str, str]:
        return self.settings, self.command, self.words, self.choose


class ExactPermError(ValueError):
    """The input has no exact answer; the message says why.

    ``code`` names the kind of error for programs, "" where nothing needs to tell it from others;
    ``cure`` is what mends it, or None. Both survive pickling.
    Source: spec/09-own-theorems.md#own-errors.

    >>> ExactPermError("the file has 3 columns", code="columns", cure=Cure({"columns": "1,2"})).cure.settings
    {'columns': '1,2'}
    """

    def __init__(self, message: str = "", *, code: str = "", cure: Cure | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.cure = cure


class WrongType(ExactPermError, TypeError):
    """A value of a type that has no exact meaning here (also a ``TypeError``).

    Source: spec/09-own-theorems.md#own-errors.
    """


class BudgetExceeded(ExactPermError):
    """The estimated work is above the budget; nothing was computed.

    ``what`` names the refused work, ``needs`` is its estimate, that of the cheapest admissible
    engine, ``limit`` the budget that was too small; either is None where there is none. ``detail``
    gives reasons, ``cure`` what to do instead. ``bracket`` encloses the result as narrowly as the
    budget allowed, or is None. The text joins all of them.
    Source: spec/09-own-theorems.md#own-errors.

    >>> refused = BudgetExceeded("counting 9 pairs", cure=Cure(words="allow more"))
    >>> str(refused), refused.brief
    ('counting 9 pairs. Instead: allow more', 'counting 9 pairs')
    """

    def __init__(
        self,
        what: str,
        needs: Limit | None = None,
        limit: Limit | None = None,
        *,
        detail: str = "",
        cure: Cure | None = None,
        bracket: object = None,
    ) -> None:
        self.what, self.needs, self.limit, self.detail, self.bracket = (
            what,
            needs,
            limit,
            detail,
            bracket,
        )
        reasons = f": {detail}" if detail else ""
        instead = f". Instead: {cure.words}" if cure is not None else ""
        super().__init__(f"{self.brief}{reasons}{instead}", code="budget", cure=cure)

    @property
    def brief(self) -> str:
        """The refused work, what it would take, and the limit, without reasons and advice."""
        needs = "" if self.needs is None else f" would take {self.needs.words()}"
        limit = "" if self.limit is None else f"; the budget is {self.limit.words()}"
        return f"{self.what}{needs}{limit}"

    @property
    def seconds(self) -> float | None:
        """Estimated seconds, None where no engine fits."""
        return None if self.needs is None else self.needs.seconds or None

    @property
    def bytes(self) -> float | None:
        """Estimated bytes of memory, None where no engine fits."""
        return None if self.needs is None else self.needs.bytes or None
