"""python3 -m tests.fuzz [--cases N] [--seed S] [--only KIND,...] [--index I]"""

import argparse
import sys
from pathlib import Path

if __package__ in (None, ""):  # run as a file
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.fuzz import campaign

MOST_BYTES = 3 * 2**30


def main():
    """Run the cases that the command line chooses; the exit status is 1 where one failed."""
    parser = argparse.ArgumentParser(prog="python3 -m tests.fuzz", description="Differential fuzz of exactperm.")
    parser.add_argument("--cases", type=int, default=10_000, help="of all kinds together; default: 10000")
    parser.add_argument("--seed", default="1", help="any text; default: 1")
    parser.add_argument("--only", default=",".join(campaign.KINDS), metavar="KIND,...", help="default: %(default)s")
    parser.add_argument("--index", type=int, help="run this one case of the kind of --only again")
    parser.add_argument("--seconds", type=float, default=20, help="CPU time that a case may take; default: 20")
    parser.add_argument("--failures", type=int, default=1, help="failed cases after which a kind stops; default: 1")
    args = parser.parse_args()
    kinds = args.only.split(",")
    unknown = set(kinds) - set(campaign.KINDS)
    if unknown:
        parser.error(f"no such kind: {', '.join(sorted(unknown))}")
    _limit_memory()
    if args.index is None:
        failed = campaign.run(args.cases, args.seed, kinds, seconds=args.seconds, most_failures=args.failures)
    else:
        case = campaign.case_of(kinds[0], args.seed, args.index)
        failed = campaign.failure(kinds[0], case, campaign.Held(), args.seconds)
        print(case if failed is None else campaign.shrunk(kinds[0], case, args.seconds), failed or "holds", sep="\n")
    return bool(failed)


def _limit_memory():
    """A forged size must end in an error of this process, not in a machine without memory."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    except (ImportError, ValueError, OSError):
        print("no limit of memory on this system", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
