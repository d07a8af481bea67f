"""What it costs to start: CPU time of whole processes. ``python benchmarks/startup.py [--before DIR]``.

With another checkout in DIR its command line is measured beside this one, in turn. A first start
compiles modules, of which there is no bytecode yet; every later one reads the bytecode.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import measure

TEST = "from exactperm import permutation_test as t; t([3, 1, 2] * 300, [1, 1, 2] * 300).pvalue"
CODES = {
    "nothing": "pass",
    "import fractions": "import fractions",
    "import exactperm": "import exactperm",
    "a first exact test of 900 pairs": TEST,
    "import numpy": "import numpy",
    "import scipy.stats": "import scipy.stats",
}
FILE = "a,b\n3,1\n2,2\n5,1\n2,3\n"


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    rounds = 5 if "--quick" in arguments else 31
    before = arguments[arguments.index("--before") + 1] if "--before" in arguments else None
    with tempfile.TemporaryDirectory() as folder:
        processes = {
            name: (["-c", code], environment(measure.ROOT, folder)) for name, code in CODES.items()
        }
        file = Path(folder) / "scores.csv"
        file.write_text(FILE, encoding="utf-8")
        for which, root in (
            ("", measure.ROOT),
            *([] if before is None else [(" before", Path(before).resolve())]),
        ):
            for how, kept in (("", folder), (", no bytecode", None)):
                processes[f"exactperm test FILE{which}{how}"] = (
                    ["-m", "exactperm", "test", str(file)],
                    environment(root, kept),
                )
        times: dict[str, list[float]] = {name: [] for name in processes}
        for command, variables in processes.values():  # the first run writes the bytecode
            spent(command, variables)
        for _ in range(rounds):
            for name, (command, variables) in processes.items():
                times[name].append(spent(command, variables))
    base = statistics.median(times["import fractions"])
    print("## Starting\n")
    print(
        measure.environment("numpy", "scipy")
        + f"; CPU time, medians of {rounds} processes each, interleaved. "
        "The command tests four pairs of a file; without bytecode all modules are compiled, also "
        "those of the standard library.\n"
    )
    rows = []
    for name, values in times.items():
        middle = statistics.median(values)
        rows.append([name, measure.shown_seconds(middle), f"{middle / base:.2f}"])
    print(measure.table(["process", "time", "ratio to import fractions"], rows), end="\n\n")


def environment(root: Path, bytecode: str | None) -> Mapping[str, str]:
    """Return the variables of a process that imports the package of ``root``, and keeps its bytecode in a folder."""
    found = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    found.update(
        PYTHONPATH=str(root),
        PYTHONPYCACHEPREFIX=f"{bytecode}/{root.name}" if bytecode else "/nowhere",
    )
    return found if bytecode else {**found, "PYTHONDONTWRITEBYTECODE": "1"}


def spent(command: Sequence[str], variables: Mapping[str, str]) -> float:
    """Return the CPU seconds of a process."""
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *command], env=variables, capture_output=True, check=True)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return end.ru_utime - start.ru_utime + end.ru_stime - start.ru_stime


if __name__ == "__main__":
    main(sys.argv[1:])
