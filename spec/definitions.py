"""What the package and its tests define, read from their source without importing them."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import NamedTuple, Union

_CITED = re.compile(r"\bids?\s+([a-z0-9]+(?:-[a-z0-9]+)+(?:,\s+[a-z0-9]+(?:-[a-z0-9]+)+)*)")
_Function = (ast.FunctionDef, ast.AsyncFunctionDef)
_Body = Union[ast.Module, ast.ClassDef]


class Definition(NamedTuple):
    """A function, class or documented value of the package; ``cites`` are the ids in its docstring.

    ``text`` of a function is its source in one line, without indentation.
    """

    name: str
    kind: str
    cites: frozenset[str]
    text: str = ""


def definitions(root: Path, package: str) -> dict[str, Definition]:
    """All definitions by dotted name: modules, classes, their methods, functions, and module-level values."""
    found: dict[str, Definition] = {}
    for path in sorted((root / package).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        tree, lines = ast.parse(text), [line.strip() for line in text.splitlines()]
        module = module_name(path.relative_to(root))
        found[module] = Definition(module, "module", cited(ast.get_docstring(tree)))
        for definition in _inside(tree, module, lines):
            found[definition.name] = definition
    return found


def module_name(path: Path) -> str:
    """The dotted name of a module file, relative to the root."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _inside(body: _Body, prefix: str, lines: list[str]) -> list[Definition]:
    found: list[Definition] = []
    for position, node in enumerate(body.body):
        if isinstance(node, ast.If):
            if getattr(node.test, "id", "") != "TYPE_CHECKING":  # one definition for each Python version
                found += _inside(ast.Module(node.body + node.orelse, []), prefix, lines)
            continue
        if isinstance(node, _Function):
            source = " ".join(lines[node.lineno - 1 : node.end_lineno])
            found.append(Definition(f"{prefix}.{node.name}", "function", cited(ast.get_docstring(node)), source))
        elif isinstance(node, ast.ClassDef):
            found.append(Definition(f"{prefix}.{node.name}", "class", cited(ast.get_docstring(node))))
            found += _inside(node, f"{prefix}.{node.name}", lines)
        else:
            docstring = _text_after(body, position)
            found += [Definition(f"{prefix}.{name}", "value", cited(docstring)) for name in _assigned(node)]
    return found


def _assigned(node: ast.stmt) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _text_after(body: _Body, position: int) -> str | None:
    """The string that follows an assignment: its docstring by convention."""
    if position + 1 < len(body.body):
        node = body.body[position + 1]
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return node.value.value
    return None


def cited(docstring: str | None) -> frozenset[str]:
    """The identifiers that a docstring cites: "id eq-2" or "ids alg-2, eq-2"."""
    matches = _CITED.findall(docstring or "")
    return frozenset(name for match in matches for name in re.split(r",\s+", match))


def exported(root: Path, package: str) -> dict[str, str]:
    """The public names, as the stub of the package lists them, with the dotted names of what they stand for."""
    stub = ast.parse((root / package / "__init__.pyi").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    return {alias.asname or alias.name: f"{node.module}.{alias.name}" for node in imports for alias in node.names}


def tests(root: Path) -> set[str]:
    """Node ids, without parameters, of all test functions."""
    found: set[str] = set()
    for path in sorted((root / "tests").rglob("test_*.py")):
        file = path.relative_to(root).as_posix()
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, _Function):
                found.add(f"{file}::{node.name}")
            elif isinstance(node, ast.ClassDef):
                found |= {f"{file}::{node.name}::{inner.name}" for inner in node.body if isinstance(inner, _Function)}
    return found
