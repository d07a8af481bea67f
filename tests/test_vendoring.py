"""A copy of the package inside another package works as it is, beside an installed one."""

import shutil
from pathlib import Path

import pytest

import exactperm
from peers import python

pytestmark = pytest.mark.slow

PACKAGE = Path(exactperm.__file__).parent
SAMPLE = "conftest.py", "wings.py", "complaint.py", "test_leave_one_out.py", "test_record.py"


@pytest.fixture
def app(tmp_path):
    """A project with a copy of the package as app/vendor/exactperm."""
    vendor = tmp_path / "app" / "vendor"
    shutil.copytree(PACKAGE, vendor / "exactperm", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in (vendor, vendor.parent):
        (folder / "__init__.py").touch()
    return tmp_path


def test_every_module_is_the_copy(app):
    """No module of the copy reaches for a package called exactperm."""
    code = """
import importlib, pathlib, sys
for path in sorted(pathlib.Path("app/vendor/exactperm").rglob("*.py")):
    name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    if not name.endswith("__main__"):
        importlib.import_module(name)
package = sys.modules["app.vendor.exactperm"]
assert all(getattr(package, name).__module__.startswith("app.vendor.") for name in package.__all__
           if hasattr(getattr(package, name), "__module__"))
assert "exactperm" not in sys.modules
"""
    python(app, "-S", "-c", code)


def test_a_sample_of_the_tests_passes(app):
    """The tests themselves, with the copy in place of the package."""
    tests = Path(__file__).parent
    copied = app / "tests"
    for name in SAMPLE:
        target = copied / name
        target.parent.mkdir(parents=True, exist_ok=True)
        text = (tests / name).read_text(encoding="utf-8")
        target.write_text(text.replace("exactperm", "app.vendor.exactperm"), encoding="utf-8")
    options = "-m pytest -q -p no:cacheprovider --import-mode=importlib -c /dev/null --rootdir"
    paths = f"pythonpath={app} {copied}"
    python(app, *options.split(), str(app), "-o", paths, str(copied))
