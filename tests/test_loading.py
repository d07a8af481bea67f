"""What a user's first steps load: modules of ours and of the standard library."""

import subprocess
import sys
from pathlib import Path

import exactperm

ROOT = Path(exactperm.__file__).parent.parent


def loaded(code):
    """Names of all modules after running some code in a fresh interpreter; those that were moved are loaded later."""
    show = "print(*sorted(name for name, module in sys.modules.items() if getattr(module, '__spec__', True)))"
    command = [sys.executable, "-S", "-c", f"{code}; import sys; {show}"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout.split())


def test_importing_the_package_loads_nothing_else():
    """Command line, reports and their libraries load when used; so do the heavy parts of the standard library."""
    modules = loaded("import exactperm")
    assert not modules & {"argparse", "json", "csv", "dataclasses", "inspect", "typing", "statistics", "random"}
    assert {name for name in modules if name.startswith("exactperm")} == {"exactperm"}
