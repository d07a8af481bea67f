"""The browser and the packages of npm that the tests of the page need: found, or installed.

    python3 tests/web/browser.py [arguments for pytest]     install what is missing, and test the page
    python3 tests/web/browser.py --install                  install it, and test nothing

Playwright goes into the environment of the Python that runs this, packages of npm into ``.venv/hosts``, Debian's
chromium into the system, where only root may put it.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from exactperm.web.build import PYODIDE  # noqa: E402
from hosts import HOSTS, Missing, install, run  # noqa: E402

AXE = "4.14.1"
PACKAGES = {"pyodide": PYODIDE, "axe-core": AXE}


def folder_of(package):
    """Return where a package of npm is, or would be installed; the environment may name Pyodide's folder."""
    if package == "pyodide" and os.environ.get("PYODIDE_DIR"):
        return Path(os.environ["PYODIDE_DIR"])
    return HOSTS / f"{package}-{PACKAGES[package]}" / "node_modules" / package


def missing():
    """Return what is not here, each with the command that installs it."""
    found = {
        "playwright": (importlib.util.find_spec("playwright"), "pip install playwright"),
        "chromium": (shutil.which("chromium"), "apt-get install chromium"),
    }
    for package, version in PACKAGES.items():
        prefix = HOSTS / f"{package}-{version}"
        here = (folder_of(package) / "package.json").is_file()
        found[package] = here, f"npm install --prefix {prefix} {package}@{version}"
    return {name: command for name, (here, command) in found.items() if not here}


def prepare():
    """Install what is missing; ``Missing`` where that fails or is not allowed."""
    lacking = missing()
    if "playwright" in lacking:
        run(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "playwright")
    if "chromium" in lacking:
        install("chromium")
    for package in PACKAGES.keys() & lacking.keys():
        if not shutil.which("npm"):
            raise Missing("npm is not installed")
        prefix = HOSTS / f"{package}-{PACKAGES[package]}"
        run("npm", "install", "--no-audit", "--no-fund", "--prefix", prefix, f"{package}@{PACKAGES[package]}")


if __name__ == "__main__":
    try:
        prepare()
    except Missing as reason:
        print(f"SKIPPED: the tests of the page in a browser: {reason}")
        sys.exit(0)
    if sys.argv[1:] == ["--install"]:
        sys.exit(0)
    sys.exit(subprocess.call([sys.executable, "-m", "pytest", "tests/web", *sys.argv[1:]], cwd=ROOT))
