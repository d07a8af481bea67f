"""Check that the pages, the code and the tests agree: ``python3 spec/check.py [--write] [--reach]``.

A statement is a heading or a list item with an anchor. Below it stand links to its functions and tests:

    Code: [`counting.dp.convolve_dp`](../exactperm/counting/dp.py#L45)
    Tests: [`test_convolution_by_definition`](../tests/counting/test_dp.py#L30)

``--write`` renews the numbers of lines first. ``--reach`` also runs the linked tests and finds out, with coverage,
whether each one reaches a function of its statement, and each function is reached.
"""

from __future__ import annotations

import ast
import doctest
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
if not __package__:  # run as a script: import from the project, not from this folder
    sys.path[0] = str(ROOT)

from spec import wrong_programs  # noqa: E402

SLACK = 20  # a link may be so many lines off: the definition is still on the screen
LINK = re.compile(r"\[`([\w.:]+)`\]\(\.\./([\w/]+\.py)#L(\d+)\)")
PROVED = re.compile(r"^(#+|-) .*\b(Alg\.|Thm\.|Lemma|Cor\.|Prop\.)|\*\*(Theorem|Lemma|Proposition)", re.MULTILINE)


class Definition(NamedTuple):
    """A module, class, function, value or test; ``body`` are the lines that run on a call, None for a value."""

    file: str
    line: int
    docstring: str
    body: range | None


class Statement(NamedTuple):
    """A block of a page with its anchors and the names of its functions and tests."""

    page: str
    anchors: list[str]
    text: str

    def names(self, kind: str) -> list[str]:
        """Return the full names behind the links of the line that begins with ``kind``."""
        lines = [line for line in self.text.splitlines() if line.strip().startswith(kind)]
        return [full_name(label, file) for line in lines for label, file, _ in LINK.findall(line)]


def full_name(label: str, file: str) -> str:
    """Return the name of a definition in our code, or pytest's name of a test."""
    return f"{file}::{label}" if file.startswith("tests/") else label


def definitions(root: Path) -> dict[str, Definition]:
    """Read all definitions of the package and the tests from their source."""
    found: dict[str, Definition] = {}
    for path in sorted([*(root / "exactperm").rglob("*.py"), *(root / "tests").rglob("test_*.py")]):
        file = path.relative_to(root).as_posix()
        tree = ast.parse(path.read_text(encoding="utf-8"))
        module = file if file.startswith("tests/") else ".".join(Path(file).with_suffix("").parts[1:])
        found[module] = Definition(file, 1, ast.get_docstring(tree) or "", range(0))
        found.update(_inside(tree.body, module, "::" if file.startswith("tests/") else ".", file))
    return found


def _inside(body: list[ast.stmt], prefix: str, dot: str, file: str) -> Iterator[tuple[str, Definition]]:
    for node in body:
        if isinstance(node, ast.If):
            yield from _inside(node.body + node.orelse, prefix, dot, file)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            name, last = f"{prefix}{dot}{node.name}", node.end_lineno or node.lineno
            runs = any(isinstance(inner, ast.FunctionDef) for inner in ast.walk(node))
            body = range(node.body[0].lineno, last + 1) if runs else range(0)
            yield name, Definition(file, node.lineno, ast.get_docstring(node) or "", body)
            if isinstance(node, ast.ClassDef):
                yield from _inside(node.body, name, dot, file)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    yield f"{prefix}{dot}{target.id}", Definition(file, node.lineno, "", None)


def statements(root: Path) -> list[Statement]:
    """Cut the pages into blocks; a block begins with a heading or a list item."""
    blocks = []
    for page in sorted((root / "spec").glob("*.md")):
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for block in re.split(r"^(?=#|- )", text, flags=re.MULTILINE):
            blocks.append(Statement(page.name, re.findall(r'<a id="([^"]+)">', block), block))
    return blocks


def problems(root: Path = ROOT) -> list[str]:
    """List everything that can be found without running anything."""
    defined, blocks = definitions(root), statements(root)
    programs = wrong_programs.load((root / "spec" / "wrong-programs.txt").read_text(encoding="utf-8"))
    return [
        *link_problems(root, defined),
        *public_problems(root, blocks),
        *citation_problems(defined, blocks),
        *proof_problems(blocks, programs),
    ]


def link_problems(root: Path, defined: dict[str, Definition]) -> Iterator[str]:
    """Links to files, anchors, functions and tests that do not exist, and to lines that have moved far."""
    for page in sorted((root / "spec").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for label, file, line in LINK.findall(text):
            target = defined.get(full_name(label, file))
            if target is None or target.file != file:
                yield f"{page.name}: {file} has no {label}"
            elif abs(target.line - int(line)) > SLACK:
                yield f"{page.name}: {label} is now in line {target.line} of {file}; --write renews the numbers"
        for file, anchor in re.findall(r"\]\(([\w./-]*)(?:#([\w-]+))?\)", text):
            target_file = page.parent / file if file else page
            if not target_file.exists():
                yield f"{page.name}: no file {file}"
            elif anchor and target_file.suffix == ".md" and f'<a id="{anchor}">' not in target_file.read_text("utf-8"):
                yield f"{page.name}: {target_file.name} has no anchor {anchor}"


def public_problems(root: Path, blocks: list[Statement]) -> Iterator[str]:
    """Public names and engines that no page links."""
    linked = {name for block in blocks for name in block.names("Code:")}
    stub = ast.parse((root / "exactperm" / "__init__.pyi").read_text(encoding="utf-8"))
    for node in stub.body:
        if isinstance(node, ast.ImportFrom):
            public = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (f"no page links {name}" for name in public if name not in linked)
    for path in sorted((root / "exactperm" / "counting").glob("[a-z]*.py")):
        if not any(name.startswith(f"counting.{path.stem}.") for name in linked):
            yield f"no page links a function of counting/{path.name}"


def citation_problems(defined: dict[str, Definition], blocks: list[Statement]) -> Iterator[str]:
    """Code and pages that do not name each other.

    What a page links cites one of the pages that link it, itself or by its class or module. A cited page links what
    cites it, or something in it.
    """
    pages: dict[str, set[str]] = {}
    for block in blocks:
        for name in block.names("Code:"):
            pages.setdefault(name, set()).add(block.page)
    for name, linking in sorted(pages.items()):
        parts = name.split(".")
        docstrings = [
            defined[".".join(parts[:n])].docstring for n in range(1, len(parts) + 1) if ".".join(parts[:n]) in defined
        ]
        if not any(f"spec/{page}" in docstring for page in linking for docstring in docstrings):
            yield f"{name} cites none of {', '.join(sorted(linking))}"
    for name, definition in defined.items():
        for page in re.findall(r"\bspec/([\w-]+\.md)", definition.docstring):
            if not any(page in linking for other, linking in pages.items() if f"{other}.".startswith(f"{name}.")):
                yield f"{name} cites {page}, which does not link it"


def proof_problems(blocks: list[Statement], programs: list[wrong_programs.Wrong]) -> Iterator[str]:
    """Algorithms and theorems without a wrong program that one of their tests notices, and the other way round."""
    tests: dict[str, set[str]] = {}
    for block in blocks:
        for anchor in block.anchors:
            tests.setdefault(anchor, set()).update(block.names("Tests:"))
    for wrong in programs:
        for anchor in wrong.breaks:
            if not tests.get(anchor, set()).intersection(wrong.tests):
                yield f'the wrong program "{wrong.name}" is noticed by no test of {anchor}'
    broken = {anchor for wrong in programs for anchor in wrong.breaks}
    for block in blocks:
        if PROVED.search(block.text) and block.names("Code:") and not broken.intersection(block.anchors):
            yield f"{block.page}: no wrong program breaks {block.anchors}"


def failed_examples(page: Path) -> list[str]:
    """Run the examples of a page and return the reports of those that fail."""
    text = re.sub(r"^```.*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    report: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0), out=report.append)
    return report if runner.failures else []


def write(root: Path) -> None:
    """Renew the numbers of lines in all links."""
    defined = definitions(root)

    def renewed(match: re.Match[str]) -> str:
        label, file, line = match.groups()
        target = defined.get(full_name(label, file))
        return f"[`{label}`](../{file}#L{target.line if target else line})"

    for page in (root / "spec").glob("*.md"):
        page.write_text(LINK.sub(renewed, page.read_text(encoding="utf-8")), encoding="utf-8")


def unreached(root: Path = ROOT) -> list[str]:
    """Run the linked tests, each in a coverage context of its own, and list links between what never meets."""
    import coverage
    import pytest

    class Contexts:
        """A plugin of pytest: the name of the running test is the context."""

        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
            cov.switch_context(item.nodeid.partition("[")[0])
            yield
            cov.switch_context("")

    defined, blocks = definitions(root), statements(root)
    listed = sorted({test for block in blocks for test in block.names("Tests:")})
    listed = [test for test in listed if not measures_memory(root, defined[test])]
    cov = coverage.Coverage(data_file=None, source=[str(root / "exactperm")], config_file=False)
    os.chdir(root)
    with cov.collect():
        status = pytest.main(["-q", "-p", "no:cacheprovider", *listed], plugins=[Contexts()])
    lines = {file: cov.get_data().contexts_by_lineno(file) for file in cov.get_data().measured_files()}
    found = [] if status == 0 else ["a linked test fails"]
    for block in blocks:
        tests, names = set(block.names("Tests:")) & set(listed), block.names("Code:")
        reached: set[str] = set()
        for name in names:
            where = lines.get(str(root / defined[name].file), {})
            by = {test for line in defined[name].body or () for test in where.get(line, ())} & tests
            reached |= by
            if tests and defined[name].body and not by:
                found.append(f"{block.page}: no test of {block.anchors} reaches {name}")
        if all(defined[name].body is not None for name in names):  # a ready statistic may be passed on, not called
            found += [
                f"{block.page}: {test} reaches no function of {block.anchors}" for test in sorted(tests - reached)
            ]
    return found


def measures_memory(root: Path, test: Definition) -> bool:
    """Whether a test measures memory: tracing it for coverage would disturb the measurement."""
    lines = (root / test.file).read_text(encoding="utf-8").splitlines()
    return any("peak_of" in lines[number - 1] or "tracemalloc" in lines[number - 1] for number in test.body or ())


def main(arguments: list[str]) -> int:
    """Report what is wrong and return the status of the process."""
    if "--write" in arguments:
        write(ROOT)
    found = problems()
    for page in sorted((ROOT / "spec").glob("*.md")):
        found += failed_examples(page)
    if "--reach" in arguments:
        found += unreached()
    print(*found, f"{len(found)} problems", sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
