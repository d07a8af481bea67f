"""Options that several commands share."""

from __future__ import annotations

from argparse import SUPPRESS
from collections.abc import Callable

from .._types import TYPE_CHECKING, Any
from ..budget import Budget
from ..files import tables
from ..files.reading import FIELDS
from . import values

if TYPE_CHECKING:
    from argparse import _ArgumentGroup

    Groups = Callable[[str], _ArgumentGroup]
    """Returns the group of a command's options that has this title."""


def add_input(group: _ArgumentGroup, number: str = "+", hidden: tuple[str, ...] = ()) -> None:
    """Add the options of the files and what is read from them; ``hidden`` are those that a command refuses by name."""
    group.add_argument(
        "files",
        nargs=number,
        metavar="FILE",
        help="one row per pair, or one file per system; - reads standard input",
    )
    for field in FIELDS:
        about: dict[str, Any] = (
            {"choices": field.choices} if field.choices else {"metavar": field.metavar}
        )
        if field.whole:
            about["type"] = values.decimals
        elif field.name == "runs":
            known = about.pop("choices")
            about.update(
                type=values.Designs({name: name for name in known}, known),
                metavar=f"{{{','.join(known)}}}",
            )
        group.add_argument(
            f"--{field.name}",
            default=field.default,
            help=SUPPRESS if field.name in hidden else field.help,
            **about,
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

    words = (
        "two-sided (default): as far from 0, in either direction; greater, less: of first - second; doubled: twice the "
        "smaller of these two p-values, which is the two-sided one for differences of scores"
    )
    group.add_argument("--alternative", choices=ALTERNATIVES, default="two-sided", help=words)


def add_workers(group: _ArgumentGroup) -> None:
    """Add the options that say who does the work."""
    group.add_argument(
        "--processes", type=values.processes, default=1, metavar="P", help="number of processes (1)"
    )
    group.add_argument(
        "--dask", metavar="ADDRESS", help="scheduler of a Dask cluster, such as tcp://10.0.0.1:8786"
    )


def add_orientation(group: _ArgumentGroup) -> None:
    """Add the option of the sign of differences."""
    orders = ("first-second", "second-first")
    group.add_argument(
        "--orientation",
        choices=orders,
        default=orders[0],
        help="which system is subtracted from which (first-second)",
    )


def add_shift(group: _ArgumentGroup) -> None:
    """Add the options of the hypothesised difference and of zero differences."""
    group.add_argument(
        "--mu",
        type=values.mu,
        metavar="M",
        help="difference under the null hypothesis, of difference, signed-rank and sign (0)",
    )
    zeros = "what signed-rank does with differences of 0; wilcox (default): leave them out"
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
