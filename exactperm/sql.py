"""SQL aggregates: exact p-values of groups of rows, in the database connections of the standard library.

    connection = sqlite3.connect("scores.db")
    register(connection)
    connection.execute("SELECT task, perm_pvalue(new, old), perm_error(new, old) FROM scores GROUP
    BY task")

| aggregate | value of a group |
|---|---|
| perm_pvalue(u, v) | exact p-value as text, such as '1/8', of the test of u against v |
| sign_flip_pvalue(d) | the same for a column of differences |
| perm_pvalue_float(u, v), sign_flip_pvalue_float(d) | middle of the certified bracket, a REAL |
| perm_error(u, v), sign_flip_error(d) | why perm_pvalue or sign_flip_pvalue is NULL, as text; NULL if it is not |

SQLite hides the message of an error in an aggregate. So the p-value of a group that cannot be
tested is NULL, and the reason is a value of its own. Integers are exact; a REAL means its shortest
decimal, as a float does everywhere; text is read as an exact number, so '0.930', '3/7' and integers
of any length are scores. A NULL is a missing score, hence an error, as is a BLOB: leave such rows
out with WHERE.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ._types import Any
from .arithmetic.quoting import short_text
from .arithmetic.writing import exact_text
from .budget import Budget
from .errors import ExactPermError, WrongType
from .fast import fast_permutation_test, fast_sign_flip_test
from .null.alternative import Alternative, check_alternative
from .permutation import permutation_test, sign_flip_test


def register(
    connection: object, *, alternative: Alternative = "two-sided", budget: Budget | None = None
) -> None:
    """Add the aggregates of this module to a connection of :mod:`sqlite3`.

    ``alternative`` and ``budget``, which limits each group, are those of
    :func:`exactperm.permutation_test`; registering again changes them. The text of an exact p-value
    is hexadecimal beyond 600 digits, as in records. Where exact counting is refused, as for many
    real-valued scores, perm_pvalue is NULL and perm_pvalue_float has the certified value. Raises
    ``WrongType`` for anything but a connection. Cost per group: its values in memory, and one test
    per aggregate. Source: Eq. 2; spec/guides/recipes.md#sql.

    >>> import sqlite3
    >>> connection = sqlite3.connect(":memory:")
    >>> register(connection)
    >>> connection.execute("SELECT perm_pvalue(column1, column2) FROM (VALUES (4, 1), (2.5, 1), ('2', 1))").fetchone()
    ('1/4',)
    >>> connection.close()
    """
    check_alternative(alternative)
    if not hasattr(connection, "create_aggregate"):
        raise WrongType(
            f"connection is {short_text(connection)}: it must be a connection of sqlite3"
        )
    for prefix, columns, exact_test, float_test in (
        ("perm", 2, permutation_test, fast_permutation_test),
        ("sign_flip", 1, sign_flip_test, fast_sign_flip_test),
    ):
        exactly: Any = partial(exact_test, alternative=alternative, budget=budget)
        certified: Any = partial(float_test, alternative=alternative, budget=budget)
        for name, answer in (
            ("pvalue", partial(_pvalue, exactly, exact_text)),
            ("pvalue_float", partial(_pvalue, certified, float)),
            ("error", partial(_reason, exactly)),
        ):
            connection.create_aggregate(
                f"{prefix}_{name}", columns, partial(_Aggregate, answer, columns)
            )


class _Aggregate:
    """Collect the rows of a group, then answer."""

    def __init__(self, answer: Callable[..., object], columns: int) -> None:
        self._answer = answer
        self._columns: list[list[object]] = [[] for _ in range(columns)]

    def step(self, *row: object) -> None:
        """Add one row."""
        for column, value in zip(self._columns, row):
            column.append(value)

    def finalize(self) -> object:
        """Return the value of the group."""
        return self._answer(*self._columns)


def _pvalue(
    test: Callable[..., Any], form: Callable[[Any], object], *columns: list[object]
) -> object:
    try:
        return form(test(*columns).pvalue)
    except ExactPermError:
        return None


def _reason(test: Callable[..., object], *columns: list[object]) -> str | None:
    try:
        test(*columns)
    except ExactPermError as error:
        return str(error)
    return None
