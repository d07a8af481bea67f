"""Run the test suite on another host: ``python3 tests/hosts.py pypy|pyodide [arguments for pytest]``.

pypy       needs pypy3 with venv (Debian: pypy3 pypy3-venv)
pyodide    needs node and npm; runs under node, without processes, threads and terminal

What each host lacks is skipped with its reason. Everything that is installed goes to ``.venv/hosts``.
"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOSTS = ROOT / ".venv" / "hosts"
PYODIDE = "314.0.7"
"""Version of the npm package, here and in the tests of the page."""

PURE = ("pytest", "hypothesis==6.141.1", "pluggy", "iniconfig", "packaging", "attrs", "sortedcontainers", "pygments")
"""Pure wheels for Pyodide: later versions of hypothesis are compiled."""


def run(*command, folder=ROOT):
    """Run a command and exit with its status where it fails."""
    print("+", *command, flush=True)
    status = subprocess.run(list(map(str, command)), cwd=folder, check=False).returncode
    if status:
        sys.exit(status)


def pypy(arguments):
    """Test in a virtual environment of pypy3."""
    environment = HOSTS / "pypy"
    if not environment.exists():
        run("pypy3", "-m", "venv", environment)
    python = environment / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--only-binary=:all:", "pytest>=8.4", "hypothesis==6.141.1")
    run(python, "-m", "pytest", *arguments)


def pyodide(arguments):
    """Test in the npm package "pyodide" under node."""
    folder, wheels = HOSTS / "pyodide", HOSTS / "wheels"
    if not wheels.exists():
        folder.mkdir(parents=True, exist_ok=True)
        run("npm", "install", "--no-audit", "--no-fund", "--prefix", folder, f"pyodide@{PYODIDE}")
        options = ("--quiet", "--no-deps", "--only-binary=:all:", "--implementation", "py", "--abi", "none")
        run(sys.executable, "-m", "pip", "download", *options, "--platform", "any", "--dest", wheels, *PURE)
    node = shutil.which("node") or "node"
    run(node, ROOT / "tests" / "pyodide.mjs", folder / "node_modules" / "pyodide", wheels, *arguments)


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in ("pypy", "pyodide"):
        sys.exit(__doc__)
    {"pypy": pypy, "pyodide": pyodide}[sys.argv[1]](sys.argv[2:])
