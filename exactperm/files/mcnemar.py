"""The 2 x 2 table of McNemar's test in a file, or scores 0 and 1 in its place."""

from __future__ import annotations

from ..arithmetic.reading import exact_column
from ..classical import discordant
from ..errors import Cure
from ..swaps.statistic import difference
from .listing import Ask
from .question import Question, Source


def question_of(
    counts: tuple[int, int], source: Source | None = None, *, swapped: bool = False
) -> Question:
    """Return the question of McNemar's counts b and c, which are those of a 2 x 2 table where there is a source."""
    b, c = counts
    words, pair = ("c - b", (c, b)) if swapped else ("b - c", (b, c))
    names = f"b = {b}", f"c = {c}"
    return Question(
        statistic=difference,
        u=[pair[0]],
        v=[pair[1]],
        words=words if source is None else f"{words} of the 2 x 2 table, {', '.join(names)}",
        source=Source(files=(), names=names, pairs=b + c) if source is None else source,
        counts=counts,
    )


def with_counts(question: Question, *, swapped: bool = False) -> Question:
    """Return the question of the counts where one file is a 2 x 2 table, the same for scores 0 and 1; else refuse it.

    ``swapped`` says that the question compares the second column with the first.
    """
    first, second = (question.v, question.u) if swapped else (question.u, question.v)
    source, rows = question.source, list(zip(first, second))
    binary = {*exact_column(first, "u"), *exact_column(second, "v")} <= {0, 1}
    square = len(source.names) == 2 and len(source.files) == 1 and len(rows) == 2
    if binary and square:
        raise Ask(
            f"{source.name} may be a 2 x 2 table or two pairs",
            code="two-by-two",
            answers=(
                Cure({"statistic": "sign"}, words="for pairs"),
                Cure(words="give the counts b and c of a table"),
            ),
        )
    if square:
        return question_of(discordant(rows, source.name), source, swapped=swapped)
    if binary and len(source.names) == 2:
        return question
    raise Ask(
        "McNemar's test needs scores 0 and 1 in two columns, 1 where a system is right, or one file with a 2 x 2 "
        f"table of counts; {source.name} is neither",
        code="mcnemar",
    )
