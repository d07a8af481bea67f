"""How the benchmarks measure: medians of interleaved runs in one process, peak memory in a process of its own.

Times are CPU seconds of the process, so that other work on the machine does not count, but where
processes share the work: there wall time is measured.
"""

from __future__ import annotations

import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
sys.path.insert(0, str(ROOT))  # where nothing is installed


def median_seconds(
    tasks: Mapping[str, Callable[[], object]], *, seconds: float = 2.0, most: int = 25
) -> dict[str, float]:
    """The median CPU time of each task; rounds of one run each, so that a slow minute of the machine hits all alike.

    Rounds go on for ``seconds`` times the number of tasks, or until ``most`` of them; a task that
    alone takes longer than its share runs once or twice. A round repeats a short task for 20 ms, as
    programs do that make many tests: a single run among others finds its code and data out of the
    processor's caches, and may take half as long again.
    """
    first = {name: cpu_seconds(task) for name, task in tasks.items()}  # which may import a library
    times = {
        name: [seconds_once if seconds_once > 4 * seconds else cpu_seconds(tasks[name])]
        for name, seconds_once in first.items()
    }
    repeats = {
        name: max(1, int(0.02 / alone)) for name, (alone,) in times.items() if alone < seconds / 2
    }
    end = time.perf_counter() + seconds * len(repeats)
    rounds = 0
    while repeats and time.perf_counter() < end and rounds < most:
        rounds += 1
        for name, runs in repeats.items():
            times[name].append(cpu_seconds(tasks[name], runs))
    return {name: statistics.median(values) for name, values in times.items()}


def cpu_seconds(task: Callable[[], object], runs: int = 1) -> float:
    """Mean CPU seconds of some runs, of all threads of this process."""
    start = time.process_time()
    for _ in range(runs):
        task()
    return (time.process_time() - start) / runs


def pace() -> float:
    """CPU seconds of a loop that always does the same."""
    return cpu_seconds(lambda: sum(i * i for i in range(60_000)))


def quiet_clock() -> Callable[[Callable[[], T]], tuple[float, T]]:
    """Return a function that runs a task: its CPU seconds on a quiet machine, about, and what it returns.

    A short loop before and after the task tells how much slower the machine is than in its quietest
    moment so far.
    """
    quiet = min(pace() for _ in range(50))

    def timed(task: Callable[[], T]) -> tuple[float, T]:
        before, start = pace(), time.process_time()
        answer = task()
        seconds = time.process_time() - start
        return seconds / max(1.0, (before + pace()) / 2 / quiet), answer

    return timed


def wall_seconds(task: Callable[[], object]) -> float:
    """Seconds of one run on the clock."""
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


def peak_mib(setup: str, statement: str) -> float | None:
    """Extra memory at the peak of a statement beyond what its setup holds, in MiB, in a fresh process.

    The kernel's high-water mark of the resident set, so memory that C libraries take counts too;
    None where the kernel offers none.
    """
    code = (
        "import re, sys\n"
        f"sys.path[:0] = [{str(ROOT / 'benchmarks')!r}, {str(ROOT)!r}]\n"
        "def kib(key):\n"
        "    return int(re.search(key + r':\\s*(\\d+) kB', open('/proc/self/status').read()).group(1))\n"
        f"{setup}\n"
        # the mark starts again from what is held now
        "open('/proc/self/clear_refs', 'w').write('5')\n"
        "before = kib('VmRSS')\n"
        f"{statement}\n"
        "print((kib('VmHWM') - before) / 1024)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return max(0.0, float(done.stdout.split()[-1])) if done.returncode == 0 else None


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def shown_seconds(seconds: float | None) -> str:
    """A time with three significant digits and a unit."""
    if seconds is None:
        return "-"
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e6:.2g} µs"


def environment(*packages: str) -> str:
    """One line that says what ran: interpreter, machine, versions of the packages that are installed."""
    versions = []
    for package in packages:
        try:
            versions.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            versions.append(f"{package} not installed")
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return ", ".join([python, f"{platform.system()} {platform.machine()}", *versions])
