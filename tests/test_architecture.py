"""The house plan, read from the imports: down only, no cycle, nothing outside the standard library."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "exactperm"

# From the bottom up; a module may import from the lines above its own, and within a line nothing.
LAYERS = [
    ["errors", "compat", "bar"],
    ["exact"],
    ["record", "enclosure", "fixedpoint"],
    ["statistic", "tilt", "binomial_tail"],
    ["swaps", "multiplicity"],
    ["lattice", "metrics"],
    ["counting.cost"],
    [
        "counting.binomial",
        "counting.dp",
        "counting.enumeration",
        "counting.terms",
        "counting.transform",
    ],
    ["counting.split", "counting.ring"],
    ["counting.kronecker", "counting.plane"],
    ["counting.recurrence", "counting.packed", "counting.subsets"],
    ["counting.tree"],
    ["counting.plan"],
    ["damping"],
    ["bracket"],
    ["distribution"],
    ["tails"],
    ["joint"],
    ["regions"],
    ["result"],
    ["permutation"],
    ["fast", "classical", "leave_one_out", "montecarlo", "compare"],
    ["risk"],
    ["bootstrap", "sequential"],
    ["report", "tables"],
    ["picture", "demo", "layouts"],
    ["cli"],
    ["__main__"],
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
ALLOWED_FOREIGN = {"__future__"}


def modules():
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        if path.name != "__init__.py":
            yield name, path


def imports(path):
    """(line, absolute module name) of every import, also inside functions; blocks for type checkers are passed over."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and getattr(block.test, "id", "") == "TYPE_CHECKING"
        for statement in block.body
        for node in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path.name}:{node.lineno}: imports are absolute here"
            base = node.module or ""
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                is_module = base.split(".")[0] == "exactperm" and (
                    (PACKAGE.parent / (inner.replace(".", "/") + ".py")).exists()
                )
                yield node.lineno, inner if is_module else base


def test_every_module_has_its_place_in_the_plan():
    assert {name for name, _ in modules()} == set(LEVEL)


@pytest.mark.parametrize(("name", "path"), [pytest.param(*pair, id=pair[0]) for pair in modules()])
def test_imports_point_down_and_stay_in_the_standard_library(name, path):
    standard = getattr(sys, "stdlib_module_names", None)
    for line, imported in imports(path):
        root, _, inner = imported.partition(".")
        if root == "exactperm":
            if inner:  # the package itself only offers its version
                assert LEVEL[inner] < LEVEL[name], f"{path.name}:{line} imports {imported} upward"
        elif standard is not None:  # Python 3.10 and later know the names
            assert root in standard | ALLOWED_FOREIGN, f"{path.name}:{line} imports {imported}"


def test_importing_the_package_loads_no_more_than_it_needs():
    """Command line, reports and their libraries load when used; so do the heavy parts of the standard library."""
    code = "import sys, exactperm; print(*sorted(sys.modules))"
    loaded = set(subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True,
                                cwd=PACKAGE.parent).stdout.split())  # fmt: skip
    assert not loaded & {"argparse", "json", "csv", "dataclasses", "inspect", "typing", "statistics", "random"}
    assert not loaded & {
        f"exactperm.{name}" for name in ("cli", "bar", "report", "tables", "demo", "picture", "layouts")
    }
