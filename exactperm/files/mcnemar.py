"""The 2 x 2 table of McNemar's test in a file, or scores 0 and 1 in its place."""

from __future__ import annotations

from .._types import TYPE_CHECKING
from ..arithmetic.reading import exact_column
from ..classical import discordant
from ..errors import Cure, ExactPermError

if TYPE_CHECKING:
    from .columns import Question


def two_by_two(question: Question, *, swapped: bool = False) -> tuple[int, int] | None:
    """Return b and c where one file is a 2 x 2 table of McNemar's test, None for scores 0 and 1; else refuse it.

    ``swapped`` says that the question compares the second column with the first.
    """
    first, second = (question.v, question.u) if swapped else (question.u, question.v)
    source, rows = question.source, list(zip(first, second))
    binary = {*exact_column(first, "u"), *exact_column(second, "v")} <= {0, 1}
    square = len(source.names) == 2 and len(source.files) == 1 and len(rows) == 2
    if binary and square:
        raise ExactPermError(
            f"{source.name} may be a 2 x 2 table or two pairs",
            code="two-by-two",
            cure=Cure({"statistic": "sign"}, words="for pairs; give the counts b and c of a table"),
        )
    if square:
        return discordant(rows, source.name)
    if binary and len(source.names) == 2:
        return None
    raise ExactPermError(
        "McNemar's test needs scores 0 and 1 in two columns, 1 where a system is right, or one file with a 2 x 2 "
        f"table of counts; {source.name} is neither",
        code="mcnemar",
    )
