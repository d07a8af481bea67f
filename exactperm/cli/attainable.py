"""The command ``attainable``: which p-values exist without any data, and whether a printed one is among them."""

from __future__ import annotations

from .._types import TYPE_CHECKING, Namespace
from ..arithmetic.quoting import printable
from ..auditing.attainable import ESTIMATES, TESTS, attainable
from ..auditing.conventions import BOUNDARIES, TAILS
from ..auditing.printed import read_pvalue
from ..swaps.runs import DESIGNS
from . import values

if TYPE_CHECKING:
    from .options import Groups


def add_options(group: Groups) -> None:
    """Add the options of the command."""
    claim = group("claim")
    claim.add_argument(
        "--n", type=values.pairs, metavar="N", help="number of pairs with a difference"
    )
    claim.add_argument(
        "--p", metavar="TEXT", help='printed text, such as "p = .03"; without it, all p-values'
    )
    claim.add_argument(
        "--test", choices=TESTS, default="sum", help="default: sum; signed-rank: ranks without ties"
    )
    claim.add_argument(
        "--alternative", choices=tuple(TAILS), default="two-sided", help="default: two-sided"
    )
    claim.add_argument(
        "--boundary",
        choices=tuple(BOUNDARIES),
        default=">=",
        help="whether equal differences count; mid: half (>=)",
    )
    claim.add_argument(
        "--samples", type=values.pairs, metavar="K", help="number of Monte Carlo samples"
    )
    claim.add_argument(
        "--estimate", choices=ESTIMATES, help="of a Monte Carlo test; default: either"
    )
    claim.add_argument(
        "--accuracies",
        metavar="A,B",
        help="two printed accuracies of N items, such as 93.1%%,92.2%%",
    )
    claim.add_argument(
        "--runs", metavar="M,K", help="runs of either system on each of N items, such as 3,3"
    )
    claim.add_argument(
        "--design", metavar="WORD", help=f"what is exchanged of them: {', '.join(DESIGNS)}"
    )
    claim.add_argument(
        "--total",
        type=int,
        metavar="L",
        help="number of all labelings, in place of runs and design",
    )
    claim.add_argument(
        "--digits", type=values.digits, metavar="D", help="decimals that the source prints"
    )


def run(args: Namespace) -> int:
    """Print whether a p-value is attainable at all, or which are; 1 where it is impossible as stated, else 0."""
    options = {
        name: getattr(args, name) for name in ("alternative", "boundary", "samples", "estimate")
    }
    accuracies = None if args.accuracies is None else args.accuracies.split(",")
    runs = (
        None if args.runs is None else [values.pairs(word.strip()) for word in args.runs.split(",")]
    )
    about = {"accuracies": accuracies, "runs": runs, "design": args.design, "total": args.total}
    attained = attainable(args.n, args.test, **about, **options)
    if args.p is None:
        print("\n".join(map(printable, str(attained).splitlines())))
        return 0
    printed = read_pvalue(args.p, args.digits)
    print(printable(attained.verdict(printed)))
    return 0 if attained.contains(printed) else 1
