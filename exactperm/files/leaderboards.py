"""Compare all systems of files, and write the table of all pairs as text, JSON, CSV and pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial

from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import printable
from ..arithmetic.rational import Exact
from ..arithmetic.writing import exact_text, number_text, readable
from ..display.frame import MINUS
from ..display.table import lines
from .answer import by_method
from .reading import joined_words
from .table import text_of

if TYPE_CHECKING:
    from ..compare import Comparison, Leaderboard
    from ..intervals.simultaneous import SimultaneousIntervals
    from .sources import Source


_LETTERS = 28
"""Letters of a system's name in a picture of pairs."""


def compared(
    scores: Mapping[str, object], *, method: str = "auto", **options: Any
) -> tuple[Leaderboard, str]:
    """Return the tests of all pairs of systems, and why they are brackets where the exact count is refused.

    ``method`` is "auto" (exact, or certified where that is refused), "exact" (refused where it is
    too much work) or "certified".
    """
    from ..compare import compare_all

    compare = partial(compare_all, scores, **options)
    return by_method(method, compare, partial(compare, method="certified"))


def text(
    board: Leaderboard,
    alpha: Exact,
    source: Source,
    refused: str = "",
) -> Iterator[str]:
    """Write the comparisons as a table in plain text; a star marks adjusted p-values of at most ``alpha``.

    ``refused`` says why the counts were refused whose brackets stand in their place.
    """
    stars = [{True: "*", False: "", None: "?"}[row.significant(alpha)] for row in board]
    undecided = "; ? undecided" * any(row.adjusted_lower is not None for row in board)
    files = "" if source.systems and len(source.files) > 1 else f"{source.name}: "
    title = f"{files}{board.heading}; * adjusted p <= {number_text(alpha)}{undecided}"
    rows = [(*row, star) for row, star in zip(board.rows(), stars)]
    heading, *table = lines(title, rows, (*board.header, ""))
    yield heading
    yield printable(
        "; ".join(f"{name}: {said}" for name, said in source.rows()[not source.systems :])
    )
    yield from (printable(f"{name}: {said}") for name, said in source.back())
    if refused:
        yield printable(f"certified brackets, since the exact counts are refused: {refused}")
    yield from table


def to_dict(board: Leaderboard, alpha: Exact, source: Source) -> dict[str, object]:
    """Return the comparisons as a JSON-ready table, each row with its decision at the level ``alpha``."""
    return {
        **board.to_dict(),
        "rows": _rows(board, alpha),
        "alpha": exact_text(alpha),
        **source.to_dict(),
    }


def _rows(board: Leaderboard, alpha: Exact) -> list[dict[str, Any]]:
    return [{**row.to_dict(), "significant": row.significant(alpha)} for row in board]


def picture(
    board: Leaderboard, alpha: Exact, source: Source, intervals: SimultaneousIntervals | None = None
) -> str:
    """Draw the decisions at the level ``alpha`` as SVG, or the intervals, the largest first."""
    if intervals is not None:
        return _forest(intervals, source)
    from ..compare import bounded_text
    from ..display.matrix import matrix

    first = board.comparisons[0].first
    ahead: dict[str, Exact] = {first: 0}
    ahead.update((row.second, -row.statistic) for row in board if row.first == first)
    names = sorted(ahead, key=lambda name: -ahead[name])
    places = {name: place for place, name in enumerate(names)}
    cells = {}
    for row in board:
        decided = row.significant(alpha)
        kinds = ["same" if decided is False else "open"] * 2
        if decided:
            kinds = ["better", "worse"] if row.statistic > 0 else ["worse", "better"]
        words = f"{row.first} against {row.second}: {board.header[2]} {readable(row.statistic)}"
        words += f", adjusted p {bounded_text(row)}"
        i = places[row.first]
        j = places[row.second]
        cells[i, j], cells[j, i] = [(kind, _thousandths(row), words) for kind in kinds]
    tests = "tests" if len(board) > 1 else "test"
    result = board.comparisons[0].result
    items = result.n if result.statistic_name == "difference" else 1  # any other is a mean already
    return matrix(
        names,
        [Fraction(ahead[name] - ahead[names[0]]) / items for name in names],
        cells,
        title=f"{len(board)} paired-permutation {tests} of {len(names)} systems, {source.title()}",
        note=f"{board.alternative}, adjusted by {board.adjust}, level {number_text(alpha)}; row against column, "
        "with its adjusted p-value",
        label="mean minus the best",
    )


def _thousandths(row: Comparison) -> str:
    """Write an adjusted p-value in three decimals, as a cell of a picture holds it; of a bracket its upper end.

    >>> from types import SimpleNamespace as row
    >>> [_thousandths(row(adjusted=Fraction(p))) for p in ("0.0311", "1/3000", "1")]
    ['.031', '<.001', '1']
    """
    text = f"{float(row.adjusted):.3f}"
    if row.adjusted < Fraction(1, 1000):
        return "<.001"
    return "1" if text == "1.000" else text[1:]


def csv_lines(
    board: Leaderboard, alpha: Exact, intervals: SimultaneousIntervals | None = None
) -> Iterator[str]:
    """Write the same as CSV: the exact numbers, their decimals, the decision, and the outer bounds of intervals.

    A name that a spreadsheet would run as a formula gets an apostrophe in front.
    """
    rows = _rows(board, alpha)
    for row, pair in zip(rows, intervals or ()):
        low = pair.interval.lower
        high = pair.interval.upper
        row["lower"] = "" if low is None else exact_text(low[0])
        row["upper"] = "" if high is None else exact_text(high[1])
    yield ",".join(rows[0])
    for row in rows:
        yield ",".join([_cell(row.pop("first")), _cell(row.pop("second")), *map(str, row.values())])


def _cell(name: str) -> str:
    """Write a name as a CSV cell: printable, quoted where necessary, and no formula.

    >>> _cell("=cmd()|x"), _cell("-1.5"), _cell("a,b")
    ("'=cmd()|x", '-1.5', '"a,b"')
    """
    name = printable(name)
    if name[:1] in "=+-@" and not text_of(name):
        name = f"'{name}"
    return joined_words([name])


def intervals_text(intervals: SimultaneousIntervals, stars: str) -> Iterator[str]:
    """Write simultaneous intervals as a table in plain text; ``stars`` is the adjustment of the p-values."""
    heading, *table = lines(intervals.heading, intervals.rows(), intervals.header)
    yield heading
    if stars != intervals.adjust:
        yield f"stars are by {stars}, intervals by {intervals.adjust}: a pair with a star may have 0 in its interval"
    yield from table
    few = dict.fromkeys(row.interval.none for row in intervals)
    yield from (f"no interval: {none}" for none in few if none)


def _forest(intervals: SimultaneousIntervals, source: Source) -> str:
    """Draw simultaneous intervals as SVG, the largest difference first, each as the better system minus the other."""
    from ..display.forest import Span, forest
    from ..display.frame import clipped

    spans = []
    for row in intervals:
        low = row.interval.lower
        high = row.interval.upper
        ends = None if low is None else low[0], None if high is None else high[1]
        sharp = row.interval.widths[0] == 0, row.interval.widths[1] == 0
        span = Span(name="", estimate=row.interval.estimate, low=ends[0], high=ends[1], sharp=sharp)
        names = row.first, row.second
        if span.estimate < 0:
            span = span.mirrored()
            names = names[::-1]
        named = f" {MINUS} ".join(clipped(name, _LETTERS) for name in names)
        spans.append(span._replace(name=printable(named)))
    ends_are = (
        "tall ends are exact" if intervals.exact else "tall ends are exact, short ones certified"
    )
    return forest(
        sorted(spans, key=lambda span: span.estimate, reverse=True),
        title=f"Differences of means, {printable(source.title())}",
        label="difference of means",
        note=f"{intervals.heading.partition(';')[0]}; {ends_are}",
        legend="zero is outside",
    )
