"""Make a virtual environment in .venv, install the test tools into it, and run the whole test suite with coverage.

    python3 tests/run.py [arguments for pytest]

With arguments, pytest gets them and the coverage threshold is left out: part of the suite covers part of the package.
"""

import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def run(*command: object) -> None:
    """Run a command in the project's folder; leave with its status where it fails."""
    print("+", *command, flush=True)
    status = subprocess.run(list(map(str, command)), cwd=ROOT, check=False).returncode
    if status:
        sys.exit(status)


def main(arguments: list) -> None:
    """Set up once, then test."""
    if not PYTHON.exists():
        venv.create(ENVIRONMENT, with_pip=True)
    run(PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--editable", ".[test]")
    if arguments:
        run(PYTHON, "-m", "pytest", *arguments)
        return
    run(PYTHON, "-m", "coverage", "run", "-m", "pytest")
    run(PYTHON, "-m", "coverage", "report")


if __name__ == "__main__":
    main(sys.argv[1:])
