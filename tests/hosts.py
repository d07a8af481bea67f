"""Run the same program on other interpreters.

    python3 tests/hosts.py digests [HOST ...]                   results on some or all: the digits of this Python?
    python3 tests/hosts.py suite HOST [arguments for pytest]    the test suite on one
    python3 tests/hosts.py suites [LOG [ARGUMENTS]]             on all; the log is that of pytest here, for the table

HOST is oldest (the oldest CPython in the path or in pyenv), newest (the newest one; as root that of
Debian's unstable distribution in a folder of its own), pypy (Debian's) or pyodide (the npm package,
under node). What is not here is installed where that is allowed, and otherwise skipped with the
reason. All goes to ``.venv/hosts``.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock

ROOT = Path(__file__).resolve().parent.parent
HOSTS = ROOT / ".venv" / "hosts"
SITE = HOSTS / "site"

sys.path[:0] = [str(ROOT)]

from tests.digest import line, results  # noqa: E402

PYODIDE = "314.0.7"
"""Version of the npm package, here and in the tests of the page."""

PURE = (
    "pytest==8.4.2",
    "hypothesis==6.141.1",
    "pluggy==1.6.0",
    "iniconfig==2.1.0",
    "packaging==26.3",
    "attrs==26.1.0",
    "sortedcontainers==2.4.0",
    "pygments==2.21.0",
    "exceptiongroup==1.3.1",
    "tomli==2.5.0",
    "typing_extensions==4.16.0",
)
"""Packages without compiled parts that run on Python 3.9; later versions of hypothesis are
compiled."""

HOURS = 2
"""Time that a suite has on a host."""

_VERSION = "import platform, sys; print(platform.python_implementation(), *sys.version_info[:3])"


class Missing(Exception):
    """A host is not here; the message says why."""


def run(*command, **options):
    """Run a command quietly; ``Missing`` where it fails."""
    print("+", *command, flush=True)
    done = subprocess.run(list(map(str, command)), check=False, capture_output=True, text=True,
                          errors="replace", **options)  # fmt: skip
    if done.returncode:
        raise Missing(
            f"{command[0]} failed: {' '.join((done.stderr or done.stdout).split())[-200:]}"
        )
    return done.stdout


def root_only(what):
    """``Missing`` for all who are not root."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or not shutil.which("apt-get"):
        raise Missing(f"{what} not installed, and only root may install packages of the system")


def install(*packages):
    """Install packages of the system, as root only."""
    root_only(" ".join(packages))
    words = "apt-get", "install", "-y", "-q", "--no-install-recommends", *packages
    try:
        run(*words)
    except Missing:
        run("apt-get", "update", "-q")
        run(*words)


def cpythons():
    """Return the CPythons of this machine from version 3.9 on, {(major, minor, micro): path}."""
    folders = [*os.environ.get("PATH", "").split(os.pathsep)]
    folders += Path.home().glob(".pyenv/versions/*/bin")
    found = {}
    for folder in folders:
        for path in Path(folder).glob("python3.*"):
            if re.fullmatch(r"python3\.\d+", path.name) and os.access(path, os.X_OK):
                done = subprocess.run(
                    [path, "-c", _VERSION], check=False, capture_output=True, text=True
                )
                name, *numbers = done.stdout.split() or [""]
                version = tuple(map(int, numbers))
                if name == "CPython" and version >= (3, 9):
                    found.setdefault(version, str(path))
    return found


def oldest():
    """The command of the oldest CPython."""
    version, path = min(cpythons().items(), default=(sys.version_info, ""))
    if version[:2] >= sys.version_info[:2]:
        raise Missing("there is no older CPython than this one")
    return [path]


def newest():
    """The command of the newest CPython: one of Debian unstable, where root can have it."""
    folder = HOSTS / "sid"
    try:
        if not (folder / "usr" / "bin" / "python3").exists():
            unstable(folder)
    except Missing as reason:
        print(reason)
        shutil.rmtree(folder, ignore_errors=True)
    else:
        copy(folder / "project")
        return ["chroot", str(folder), "env", "-C", "/project", "PYTHONPATH=/site", "python3"]
    version, path = max(cpythons().items(), default=(sys.version_info, ""))
    if version[:2] <= sys.version_info[:2]:
        raise Missing("there is no newer CPython than this one")
    return [path]


def unstable(folder):
    """Install Debian's unstable distribution with Python in a folder, as root only."""
    root_only("Debian unstable")
    if not shutil.which("debootstrap"):
        install("debootstrap")
    mirrors = run("apt-get", "indextargets", "--format", "$(SITE)", "Origin: Debian").split()
    if not mirrors:
        raise Missing("apt-get knows no mirror of Debian")
    folder.parent.mkdir(parents=True, exist_ok=True)
    run("debootstrap", "--variant=minbase", "--include=python3", "sid", folder, mirrors[0])


def copy(target):
    """Copy the project's files into another root folder, and the packages for tests beside it."""
    shutil.rmtree(target, ignore_errors=True)
    for name in run("git", "ls-files", "-co", "--exclude-standard", cwd=ROOT).splitlines():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target / name)
    shutil.copytree(SITE, target.parent / "site", dirs_exist_ok=True)


def pypy():
    """The command of PyPy."""
    if not shutil.which("pypy3"):
        install("pypy3")
    return ["pypy3"]


def pyodide():
    """The command that runs Pyodide in node."""
    folder = HOSTS / f"pyodide-{PYODIDE}"
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        raise Missing("node and npm are not installed")
    if not (folder / "node_modules").exists():
        folder.mkdir(parents=True, exist_ok=True)
        run(npm, "install", "--no-audit", "--no-fund", "--prefix", folder, f"pyodide@{PYODIDE}")
    program = (
        ROOT / "tests" / "pyodide.mjs",
        folder / "node_modules" / "pyodide",
        SITE if SITE.exists() else "-",
    )
    # Python, which limits its stack to 10 MB, recurses on that of node, which has 1 MB: deep JSON
    # would end all.
    return ["sh", "-c", 'ulimit -s 200000 && exec "$0" "$@"', node, "--stack-size=150000", *program]


ALL = {"oldest": oldest, "newest": newest, "pypy": pypy, "pyodide": pyodide}


def site():
    """Install the packages for tests, the same for all hosts."""
    if not SITE.exists():
        options = (
            "--quiet",
            "--no-deps",
            "--only-binary=:all:",
            "--implementation",
            "py",
            "--abi",
            "none",
        )
        target = ("--platform", "any", "--python-version", "3.9", "--target", SITE)
        run(sys.executable, "-m", "pip", "install", *options, *target, *PURE)


def on(command, *words, log):
    """Run a module of the project on a host, with what it prints in a log; return exit status, output and seconds."""
    words = [*map(str, command), "-m", *words]
    print("+", *words, flush=True)
    start = time.perf_counter()
    # hosts have nothing to compare with
    environment = {**os.environ, "PYTHONPATH": str(SITE), "CI": ""}
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as file:
        done = subprocess.run(words, cwd=ROOT, env=environment, check=False, timeout=HOURS * 3600,
                              stdout=file, stderr=subprocess.STDOUT)  # fmt: skip
    return (
        done.returncode,
        log.read_text(encoding="utf-8", errors="replace").rstrip(),
        time.perf_counter() - start,
    )


def digest(name, command):
    """Compare the digits of a host with those of this Python; return its cells of the table and whether they agree."""
    status, printed, seconds = on(command, "tests.digest", log=HOSTS / f"{name}-digest.log")
    found, _, version = printed.rpartition("\n")[2].partition("  ")
    same = status == 0 and found == line(results()).partition("  ")[0]
    if not same:
        print(printed[-2000:], "Compare: python3 -m tests.digest --show", sep="\n")
    said = "same digits" if same else "OTHER DIGITS" if status == 0 else "FAILED"
    return (f"{version if status == 0 else '?'} ({name})", said, lasted(seconds)), same


def suite(name, command, arguments):
    """Run the digest and the test suite on a host; return its cells of the table and whether all is well."""
    (host, digits, _), same = digest(name, command)
    status, printed, seconds = on(
        command, "pytest", "-q", "-p", "no:cacheprovider", *arguments, log=HOSTS / f"{name}.log"
    )
    reasons = Counter()
    for count, reason in re.findall(r"^SKIPPED \[(\d+)\] .*?: (.*)", printed, re.MULTILINE):
        reasons[reason] += int(count)
    print(*(f"  skipped {count}: {reason}" for reason, count in reasons.most_common()), sep="\n")
    if status:
        print(printed[-5000:])
    cells, _ = outcome(printed)
    return (host, digits, *cells, lasted(seconds)), same and not status


def outcome(printed):
    """Return what the summaries of pytest count together, passed, failed and skipped, and their seconds."""
    found, seconds = Counter(), 0.0
    summaries = re.findall(r"^=* ?(\d+ [a-z]+[^\n]*) in ([\d.]+)s", printed, re.MULTILINE)
    for words, lasting in summaries:
        found.update(
            {word.rstrip("s"): int(count) for count, word in re.findall(r"(\d+) ([a-z]+)", words)}
        )
        seconds += float(lasting)
    failed = f"{found['failed'] + found['error']:,}" if summaries else "ENDED EARLY"
    return (f"{found['passed']:,}", failed, f"{found['skipped']:,}"), seconds


def lasted(seconds):
    """Return a time as people say it."""
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.1f} min"


COLUMNS = {
    "digests": ("interpreter", "results", "time"),
    "suites": ("interpreter", "results", "tests passed", "failed", "skipped", "time"),
}


def table(columns, rows):
    """Print the rows as a table in Markdown; a row may end early."""
    print()
    for row in (columns, ("---",) * len(columns), *rows):
        print(f"| {' | '.join([*row, *'-' * (len(columns) - len(row))])} |")


INSTALLING = Lock()
"""A host is one process; installing is not for two at once."""


def row_of(what, name, arguments):
    """Return the row of a host and whether all is well; one that breaks shall not hide the others."""
    try:
        with INSTALLING:
            if what != "digests":
                site()
            command = ALL[name]()
        return digest(name, command) if what == "digests" else suite(name, command, arguments)
    except Missing as reason:
        return (name, f"skipped: {reason}"), True
    except (OSError, subprocess.SubprocessError) as error:
        return (name, f"FAILED: {error}"), False


def main(words):
    """Run what the words say on the hosts, print the table, and return the exit status."""
    what, *arguments = words
    names = {
        "digests": tuple(arguments) or ("oldest", "pypy", "pyodide"),
        "suites": tuple(ALL),
        "suite": tuple(arguments[:1]),
    }[what]
    rows = []
    if what == "suites" and arguments:
        cells, seconds = outcome(Path(arguments[0]).read_text(encoding="utf-8", errors="replace"))
        here = f"{line({}).partition('  ')[2]} (this, with all comparisons)"
        rows.append((here, "same digits", *cells, lasted(seconds)))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [*pool.map(lambda name: row_of(what, name, arguments[1:]), names)]
    table(
        COLUMNS["digests" if what == "digests" else "suites"], [*rows, *(row for row, _ in found)]
    )
    return not all(well for _, well in found)


if __name__ == "__main__":
    if sys.argv[1:2] not in (["digests"], ["suites"], ["suite"]) or (
        sys.argv[1] == "suite" and not sys.argv[2:]
    ):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
