"""All benchmarks, or those named: ``python3 benchmarks/run.py [--quick] [PART ...]``.

Makes a virtual environment in .venv and installs the libraries that results are compared with;
where pip has no wheels of them, those that are there already are taken. Prints Markdown and keeps
it, with the pictures, in ``benchmarks/results/``. A full run takes about an hour, a quick one some
minutes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
PARTS = (
    "map",
    "startup",
    "headline",
    "recurrence",
    "few_pairs",
    "multiplication",
    "planner",
    "estimates",
    "budgets",
    "bracket",
    "real_scores",
    "f1",
    "f1_brackets",
    "tasks",
    "runs",
    "by_p",
    "two_samples",
    "leaderboard",
    "cluster",
    "small",
    "audit_truth",
    "monte_carlo_error",
    "intervals",
    "coverage",
    "levels",
    "run_levels",
    "note",
)


def install() -> None:
    """Make the environment, with the package itself and the libraries of the extra "bench"."""
    if not PYTHON.exists():
        venv.create(ENVIRONMENT, with_pip=True)
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--editable", "."], check=True, cwd=ROOT)
    if subprocess.run(
        [*pip, "--only-binary=:all:", "--editable", ".[bench]"], check=False, cwd=ROOT
    ).returncode:
        print("no wheels of some libraries for this Python: without them", file=sys.stderr)


def main(arguments: Sequence[str]) -> None:
    """Run every part in a process of its own, one after the other."""
    options = [word for word in arguments if word.startswith("-")]
    named = [word for word in arguments if word not in options]
    if not set(named) <= set(PARTS):
        sys.exit(f"parts are {', '.join(PARTS)}")
    install()
    RESULTS.mkdir(exist_ok=True)
    for name in named or PARTS:
        command = [PYTHON, ROOT / "benchmarks" / f"{name}.py", *options]
        done = subprocess.run(
            command, stdout=subprocess.PIPE, text=True, check=False, cwd=ROOT / "benchmarks"
        )
        if done.returncode:
            sys.exit(f"{name} failed with status {done.returncode}")
        print(done.stdout, flush=True)
        (RESULTS / f"{name.replace('_', '-')}.md").write_text(done.stdout, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
