"""The browser and the packages of npm that the tests of the page need: found, or installed.

    python3 tests/web/browser.py [arguments for pytest]     install what is missing, and test the page in Chromium
    python3 tests/web/browser.py --firefox [arguments]      the same in Firefox
    python3 tests/web/browser.py --install                  install it, and test nothing
    python3 tests/web/browser.py --page DIST                only make the page: one file, and a folder; needs npm

Playwright goes into the environment of the Python that runs this, packages of npm into
``.venv/hosts``, Debian's browsers into the system, where only root may put them.
``PAGE_BROWSER=firefox`` chooses the browser for pytest.
"""

import importlib.metadata
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from exactperm.cli import main as cli  # noqa: E402
from exactperm.web.build import PYODIDE  # noqa: E402
from hosts import HOSTS, Missing, install, run  # noqa: E402

AXE = "4.14.1"
PLAYWRIGHT = "1.57.0"
"""Later versions ask of Debian's Firefox what it does not know; any version drives Chromium."""
DRIVER = f"playwright=={PLAYWRIGHT}"
FIREFOX = os.environ.get("PAGE_BROWSER") == "firefox"
PROGRAM = "firefox-esr" if FIREFOX else "chromium"
PACKAGES = {"pyodide": PYODIDE, "axe-core": AXE, "iframe-worker": "1.0.4"}


def folder_of(package):
    """Return where a package of npm is, or would be installed; the environment may name Pyodide's folder."""
    if package == "pyodide" and os.environ.get("PYODIDE_DIR"):
        return Path(os.environ["PYODIDE_DIR"])
    return HOSTS / f"{package}-{PACKAGES[package]}" / "node_modules" / package


def missing():
    """Return what is not here, each with the command that installs it."""
    found = {
        "playwright": (
            _has_playwright(),
            f"{shlex.quote(sys.executable)} -m pip install -q {DRIVER}",
        ),
        PROGRAM: (shutil.which(PROGRAM), f"apt-get install {PROGRAM}"),
        "node": (shutil.which("node"), "apt-get install nodejs"),
    }
    for package in PACKAGES:
        here = (folder_of(package) / "package.json").is_file()
        found[package] = here, installing(package)
    return {name: command for name, (here, command) in found.items() if not here}


def installing(package):
    """Return the command that installs a package of npm."""
    version = PACKAGES[package]
    prefix = shlex.quote(str(HOSTS / f"{package}-{version}"))
    return f"npm install --no-audit --no-fund --prefix {prefix} {package}@{version}"


def _has_playwright():
    try:
        return importlib.metadata.version("playwright") == PLAYWRIGHT or not FIREFOX
    except importlib.metadata.PackageNotFoundError:
        return False


def launched(playwright, downloads):
    """Start the browser; Firefox saves what is downloaded in a folder, as Playwright does not hear of it there."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if not FIREFOX:
        return playwright.chromium.launch(
            executable_path=shutil.which(PROGRAM), args=["--no-sandbox"] if root else []
        )
    # a panel would take the keys
    saving = {"folderList": 2, "dir": str(downloads), "alwaysOpenPanel": False}
    return playwright.firefox.launch(
        channel="moz-firefox",
        executable_path=shutil.which(PROGRAM),
        firefox_user_prefs={f"browser.download.{name}": value for name, value in saving.items()},
    )


def made(dist):
    """Save the page in a folder, as one file and as files for a web server."""
    if not folder_of("pyodide").is_dir():
        run(*shlex.split(installing("pyodide")))
    os.makedirs(dist, exist_ok=True)
    for name in ("exactperm-page.html", "exactperm-page"):
        known = ["--pyodide", str(folder_of("pyodide")), "--force"]
        cli.main(["save", "page", str(Path(dist, name)), *known])


def prepare():
    """Install what is missing; ``Missing`` where that fails or is not allowed."""
    for command in missing().values():
        if command.startswith("apt-get"):
            install(command.split()[-1])
        elif command.startswith("npm") and not shutil.which("npm"):
            raise Missing("npm is not installed")
        else:
            run(*shlex.split(command))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--firefox"] and not FIREFOX:
        command = [sys.executable, __file__, *sys.argv[2:]]
        sys.exit(subprocess.call(command, env={**os.environ, "PAGE_BROWSER": "firefox"}))
    if sys.argv[1:2] == ["--page"]:
        made(sys.argv[2])
        sys.exit(0)
    try:
        prepare()
    except Missing as reason:
        print(f"SKIPPED: the tests of the page in a browser: {reason}")
        sys.exit(0)
    if sys.argv[1:] == ["--install"]:
        sys.exit(0)
    sys.exit(
        subprocess.call([sys.executable, "-m", "pytest", "tests/web", *sys.argv[1:]], cwd=ROOT)
    )
