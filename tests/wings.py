"""Copies of the project without a wing pass the tests that are left: ``python tests/wings.py [--whole]``.

The tests of a wing are those of its folders in ``TESTS``, and those with the mark ``wing`` elsewhere.
With ``--whole``, as in ``.ci/run-all``, tests of engines run, too, and copies without one wing.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "exactperm"
TESTS = {"auditing": ("auditing",), "testing": ("testing", "adapters"), "web": ("web",)}
ABSENT = [wing for wing in TESTS if not (PACKAGE / wing / "__init__.py").exists()]
"""The wings that this copy is without."""
ENGINES = (
    *("arithmetic", "certified", "counting", "fuzz", "intervals", "montecarlo", "null", "swaps"),
    *("test_architecture.py", "test_classical.py", "test_compare.py", "test_exact_power.py"),
    *("test_fast.py", "test_leave_one_out.py", "test_multiplicity.py", "test_permutation.py"),
    *("test_runs.py", "test_samples.py", "test_verifier.py"),
)
"""Tests of what stands below all wings, which no import can reach."""


def here(name):
    """Whether a module of the package, by its dotted name, is in this copy."""
    return name.partition(".")[0] not in ABSENT


def of_folder(name):
    """The wings that a folder of tests is of."""
    return [wing for wing, folders in TESTS.items() if name in folders]


def left_out(wings):
    """Names of folders of tests that fall off with wings."""
    return {folder for wing in wings for folder in TESTS[wing]}


def passes(wings, folder, tests):
    """Copy the project without the wings and their tests, and run quick tests of the rest there."""
    ignored = shutil.ignore_patterns(
        ".*_cache", ".git", ".venv", ".coverage", "__pycache__", "dist"
    )
    copy = Path(folder) / "-".join(wings)
    shutil.copytree(ROOT, copy, ignore=ignored)
    for gone in (
        *(f"exactperm/{wing}" for wing in wings),
        *(f"tests/{e}" for e in left_out(wings)),
    ):
        shutil.rmtree(copy / gone)
    words = ["-q", "-n2", "-p", "no:cacheprovider", "--no-header", *tests]
    done = subprocess.run([sys.executable, "-m", "pytest", *words], cwd=copy, check=False)
    print(f"without {', '.join(wings)}: {'failed' if done.returncode else 'passed'}", flush=True)
    return not done.returncode


def main(whole):
    """Without all wings, all other tests; on the whole also without each, those that need another."""
    quick = "not slow and not browser"
    engines = [f"--ignore=tests/{name}" for name in ENGINES]
    with tempfile.TemporaryDirectory() as place:
        passed = passes([*TESTS], place, ["-m", quick, *([] if whole else engines)])
        for wing in TESTS if whole else ():
            passed &= passes([wing], place, ["-m", f"wing and {quick}", *engines])
    return not passed


if __name__ == "__main__":
    sys.exit(main("--whole" in sys.argv))
