"""The command ``python3 -m spec.mutation``."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections import Counter
from collections.abc import Sequence
from fnmatch import fnmatch
from importlib.metadata import version

from spec.mutation import __doc__ as about
from spec.mutation import record
from spec.mutation.mutants import Mutant, generate
from spec.mutation.run import Store, run


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tests on the mutants; show what no test notices and nobody explains."""
    parser = argparse.ArgumentParser(prog="python3 -m spec.mutation", description=(about or "").split("\n\n")[1])
    parser.add_argument(
        "patterns", nargs="*", default=["*"], metavar="PATTERN", help="functions: 'exactperm.swaps.effects.*'"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time")
    parser.add_argument("--limit", type=float, default=5, help="seconds of tests for each mutant (5)")
    parser.add_argument("--argued", action="store_true", help="also run what is argued: a test may notice it after all")
    parser.add_argument("--show", action="store_true", help="run nothing: show what the last run left over")
    parser.add_argument("--record", action="store_true", help="run nothing: write the score into README.md")
    options = parser.parse_args(arguments)
    mutants = [each for each in generate() if any(fnmatch(each.function, pattern) for pattern in options.patterns)]
    kinds = record.kinds(record.explanations())
    tried = [mutant for mutant in mutants if options.argued or mutant.change not in kinds]
    if not (options.show or options.record) and run(tried, options.jobs, options.limit):
        return 1
    outcomes = _outcomes(mutants, kinds)
    if options.record:
        with_what = f"mutmut {version('mutmut')}, CPython {platform.python_version()}."
        record.write(record.table(((mutant.module, result) for mutant, result in outcomes), with_what))
    for mutant, result in outcomes:
        if result == "left over":
            print(f"{mutant.function}\n  - {mutant.old}\n  + {mutant.new}")
    print(", ".join(f"{count} {result}" for result, count in Counter(result for _, result in outcomes).items()))
    return 0


def _outcomes(mutants: Sequence[Mutant], kinds: dict[tuple[str, str, str], str]) -> list[tuple[Mutant, str]]:
    """Each mutant with what became of it."""
    verdicts = Store("verdicts.json")
    found = []
    for mutant in mutants:
        digest, verdict, _ = verdicts.get(mutant.name, (None, None, None))
        verdict = verdict if digest == mutant.digest else None
        found.append((mutant, record.outcome(verdict, kinds.get(mutant.change))))
    return found


if __name__ == "__main__":
    sys.exit(main())
