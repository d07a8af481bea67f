"""Options that several commands share."""

from __future__ import annotations

from ..budget import Budget
from ..files import selection, tables
from . import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import _ArgumentGroup
    from collections.abc import Callable

    Groups = Callable[[str], _ArgumentGroup]
    """Returns the group of a command's options that has this title."""


def add_input(group: _ArgumentGroup, number: str = "+") -> None:
    """Add the options of the files and what is read from them."""
    group.add_argument(
        "files", nargs=number, metavar="FILE", help="one row per pair, or one file per system; - reads standard input"
    )
    group.add_argument(
        "--columns", metavar="LIST", help="names or numbers (from 1), such as 2,3 or baseline,new; default: all"
    )
    group.add_argument("--key", metavar="NAME", help="one column, or key of JSON records, of every file")
    group.add_argument("--id", metavar="NAME", help="column or key of the items' ids, which join several files")
    group.add_argument("--filter", metavar="NAME", help="answer filter of lm-evaluation-harness")
    group.add_argument(
        "--missing",
        choices=selection.MISSING,
        default="refuse",
        help="drop: leave out pairs with an empty, NA, NaN or null score, in all columns",
    )
    group.add_argument("--groups", metavar="COLUMN", help="names of groups: pairs of one group are swapped together")
    group.add_argument(
        "--delimiter", default="auto", metavar="D", help="comma, semicolon, tab, space or a character; default: detect"
    )
    group.add_argument(
        "--decimal",
        choices=tables.DECIMALS,
        default="auto",
        help="decimal mark; auto reads a comma as one where it is not the delimiter",
    )
    group.add_argument("--header", choices=selection.HEADERS, default="auto", help="whether the first row is a header")
    group.add_argument(
        "--comments",
        choices=tables.COMMENTS,
        default="auto",
        help="whether lines that start with # are left out; auto: yes, except in files of labels",
    )
    group.add_argument(
        "--decimals",
        type=values.decimals,
        metavar="K",
        help="round the scores to K decimals first: a different question",
    )
    add_size(group)


def add_size(group: _ArgumentGroup) -> None:
    """Add the limit of what is read."""
    group.add_argument(
        "--max-input",
        type=values.size,
        default=tables.MOST_BYTES,
        metavar="SIZE",
        help="refuse to read more (256M)",
    )


def add_test(group: _ArgumentGroup, more: tuple[str, ...] = ()) -> None:
    """Add the options of a test, with the names of more statistics than the difference."""
    from ..files.columns import LAYOUTS

    columns = "; ".join(f"{layout.short}: {layout.meaning}" for layout in LAYOUTS.values())
    others = f"; {', '.join(more)}: as for difference" if more else ""
    group.add_argument(
        "--statistic",
        type=values.statistic(more),
        default="difference",
        metavar="NAME",
        help=f"default: difference; columns of systems A, B: {columns}{others}",
    )
    add_alternative(group)
    add_limits(group)


def add_alternative(group: _ArgumentGroup) -> None:
    """Add the option of the alternative."""
    from ..null.alternative import ALTERNATIVES

    group.add_argument("--alternative", choices=ALTERNATIVES, default="two-sided", help="default: two-sided")


def add_workers(group: _ArgumentGroup) -> None:
    """Add the options that say who does the work."""
    group.add_argument("--processes", type=values.processes, default=1, metavar="P", help="number of processes (1)")
    group.add_argument("--dask", metavar="ADDRESS", help="scheduler of a Dask cluster, such as tcp://10.0.0.1:8786")


def add_orientation(group: _ArgumentGroup) -> None:
    """Add the option of the sign of differences."""
    orders = ("first-second", "second-first")
    group.add_argument("--orientation", choices=orders, default=orders[0], help="sign of differences (first-second)")


def add_shift(group: _ArgumentGroup) -> None:
    """Add the options of the hypothesised difference and of zero differences."""
    group.add_argument(
        "--mu", type=values.mu, metavar="M", help="hypothesised difference of difference, signed-rank, sign (0)"
    )
    zeros = "zero differences of signed-rank (wilcox: left out)"
    group.add_argument("--zeros", choices=("wilcox", "pratt", "zsplit"), help=zeros)


def add_limits(group: _ArgumentGroup, seconds: float = Budget.seconds) -> None:
    """Add the limits of time, with their default, and memory."""
    group.add_argument(
        "--max-seconds",
        type=values.seconds,
        default=seconds,
        metavar="S",
        help=f"refuse work of more than S seconds ({seconds:g})",
    )
    group.add_argument(
        "--max-memory",
        type=values.size,
        default=Budget.bytes,
        metavar="SIZE",
        help="refuse work that needs more (2G)",
    )
