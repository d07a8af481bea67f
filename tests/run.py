"""Make a virtual environment in .venv, install the test tools and the compared libraries, and run the whole suite.

The quick tests run under coverage, must reach 99.9% of lines and branches; for slow ones it pauses
(those with this mark).

    python3 tests/run.py [--install | --test | arguments for pytest]

The suite compares results with NumPy, SciPy, pandas, statsmodels and distributed. Where pip has no
wheels of them, as on PyPy, a message says so and these comparisons are skipped; under CI=true it is
an error. With arguments, pytest gets them and the coverage threshold is left out: part of the suite
covers part of the package. ``--install`` runs no test, ``--test`` all, without installing.
"""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
PIP = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile")
SKIPPED = "THE COMPARISONS WITH NUMPY, SCIPY, PANDAS, STATSMODELS AND DISTRIBUTED WILL BE SKIPPED: no wheels for "


def status_of(*command: object) -> int:
    """Run a command in the project's folder and return its exit status."""
    print("+", *command, flush=True)
    return subprocess.run(list(map(str, command)), cwd=ROOT, check=False).returncode


def run(*command: object) -> None:
    """Run a command in the project's folder; exit with its status where it fails."""
    status = status_of(*command)
    if status:
        sys.exit(status)


def create() -> None:
    """Make the virtual environment; one without pip would be of no use to the next run."""
    try:
        venv.create(ENVIRONMENT, with_pip=True)
    except subprocess.CalledProcessError:
        shutil.rmtree(ENVIRONMENT, ignore_errors=True)
        sys.exit("this Python cannot install pip (on Debian: apt-get install python3-venv)")


def install() -> None:
    """Install the test tools, and the compared libraries where there are wheels of them."""
    status = status_of(PYTHON, *PIP, "--only-binary=:all:", "--editable", ".[test,peers]")
    if status and os.environ.get("CI") == "true":
        sys.exit(status)
    if status:
        run(PYTHON, *PIP, "--editable", ".[test]")
        print("*" * 100, SKIPPED + sys.version, "*" * 100, sep="\n", flush=True)


def main(arguments: list) -> None:
    """Set up once, then test."""
    if arguments != ["--test"]:
        if not PYTHON.exists():
            create()
        install()
    if arguments not in ([], ["--install"], ["--test"]):
        run(PYTHON, "-m", "pytest", *arguments)
    elif arguments != ["--install"]:
        run(PYTHON, "-m", "pytest", "--numprocesses=auto", "--dist=worksteal", "--cov=exactperm")


if __name__ == "__main__":
    main(sys.argv[1:])
