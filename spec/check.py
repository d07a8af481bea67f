"""Check that the pages, the code and the tests agree: ``python3 spec/check.py [--write] [--reach [--slow]]``.

A statement is a heading or a list item with an anchor. It ends with links to its functions and
tests:

    Code: [`counting.dp.convolve_dp`](../exactperm/counting/dp.py#L45)
    Tests: [`test_convolution_by_definition`](../tests/counting/test_dp.py#L30)

``--write`` first renews the numbers of lines and follows what has moved. ``--reach`` also reads
what the linked tests reached when the suite last ran under coverage: each must reach a function of
its statement, and each function must be reached. Slow tests (tests/slow.txt) are left out, and
functions that only they reach, unless ``--slow`` says otherwise; that needs ``pytest --linked
--whole --cov=exactperm`` before it.
"""

import ast
import doctest
import re
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
if not __package__:  # run as a script: import from the project, not from this folder
    sys.path[0] = str(ROOT)

from spec import wrong_programs  # noqa: E402

SLACK = 20  # a link may be so many lines off: the definition is still on the screen
LINK = re.compile(r"\[`([\w.:]+)`\]\(\.\./([\w/]+\.py)#L(\d+)\)")
PROVED = re.compile(
    r"^(#+|-) .*\b(Alg\.|Thm\.|Lemma|Cor\.|Prop\.)|\*\*(Theorem|Lemma|Proposition)", re.MULTILINE
)


class Definition(NamedTuple):
    """A module, class, function, value or test; ``body`` are the lines that run on a call, None for a value."""

    file: str
    line: int
    docstring: str
    body: object


class Statement:
    """A block of a page: its anchors, and the names of its functions and tests."""

    def __init__(self, page, text):
        self.page, self.text, self.anchors = page, text, re.findall(r'<a id="([^"]+)">', text)
        lines = text.replace("\\\n", "\n").splitlines()
        self.code, self.tests = (
            [
                name(*link[:2])
                for line in lines
                if line.strip().startswith(kind)
                for link in LINK.findall(line)
            ]
            for kind in ("Code:", "Tests:")
        )


def name(label, file):
    """Return the dotted name of a definition in the package, or pytest's name of a test."""
    return f"{file}::{label}" if file.startswith("tests/") else label


def definitions(root):
    """Read all definitions of the package and the tests from their source, by name."""
    found = {}
    for path in sorted([*(root / "exactperm").rglob("*.py"), *(root / "tests").rglob("test_*.py")]):
        file, tree = path.relative_to(root).as_posix(), ast.parse(path.read_text(encoding="utf-8"))
        ours = file.startswith("exactperm/")
        module = ".".join(Path(file).with_suffix("").parts[1:]) if ours else file
        found[module] = Definition(file, 1, ast.get_docstring(tree) or "", range(0))
        found.update(_inside(tree.body, module, "." if ours else "::", file))
    return found


def _inside(body, prefix, dot, file):
    for node in body:
        if isinstance(node, ast.If):
            yield from _inside(node.body + node.orelse, prefix, dot, file)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            full = f"{prefix}{dot}{node.name}"
            runs = any(isinstance(inner, ast.FunctionDef) for inner in ast.walk(node))
            lines = range(node.body[0].lineno, node.end_lineno + 1) if runs else range(0)
            yield full, Definition(file, node.lineno, ast.get_docstring(node) or "", lines)
            if isinstance(node, ast.ClassDef):
                yield from _inside(node.body, full, dot, file)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                yield (
                    f"{prefix}{dot}{getattr(target, 'id', '')}",
                    Definition(file, node.lineno, "", None),
                )


def statements(root):
    """Cut the pages into blocks; a block begins with a heading or a list item."""
    for page in sorted((root / "spec").glob("*.md")):
        text = re.sub(
            r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
        )
        yield from (
            Statement(page.name, block)
            for block in re.split(r"^(?=#|- )", text, flags=re.MULTILINE)
        )


def problems(root=ROOT):
    """List everything that can be found without running anything."""
    defined, blocks = definitions(root), list(statements(root))
    programs = wrong_programs.load(
        (root / "spec" / "wrong-programs.txt").read_text(encoding="utf-8")
    )
    found = [*link_problems(root, defined), *public_problems(root, blocks)]
    return [*found, *citation_problems(defined, blocks), *proof_problems(blocks, programs)]


def link_problems(root, defined):
    """Links to files, anchors, functions and tests that do not exist, and to lines that have moved far."""
    for page in sorted((root / "spec").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for label, file, line in LINK.findall(text):
            target = defined.get(name(label, file))
            if target is None or target.file != file:
                yield f"{page.name}: {file} has no {label}"
            elif abs(target.line - int(line)) > SLACK:
                yield f"{page.name}: {label} is now in line {target.line} of {file}; --write renews the numbers"
        for file, anchor in re.findall(r"\]\(([\w./-]*)(?:#([\w-]+))?\)", text):
            other = page.parent / file if file else page
            if not other.exists():
                yield f"{page.name}: no file {file}"
            elif (
                anchor
                and other.suffix == ".md"
                and f'<a id="{anchor}">' not in other.read_text(encoding="utf-8")
            ):
                yield f"{page.name}: {other.name} has no anchor {anchor}"


def public_problems(root, blocks):
    """Public names and engines that no page links."""
    linked = {each for block in blocks for each in block.code}
    for node in ast.parse((root / "exactperm" / "__init__.pyi").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            public = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (f"no page links {each}" for each in public if each not in linked)
    for path in sorted((root / "exactperm" / "counting").glob("[a-z]*.py")):
        if not any(each.startswith(f"counting.{path.stem}.") for each in linked):
            yield f"no page links a function of counting/{path.name}"


def citation_problems(defined, blocks):
    """Code and pages that do not name each other.

    A linked function cites a page that links it, itself or by its class or module. A cited page
    links what cites it, or a part.
    """
    pages = {
        each: {block.page for block in blocks if each in block.code}
        for block in blocks
        for each in block.code
    }
    for each, linking in sorted(pages.items()):
        parts = each.split(".")
        owners = [defined.get(".".join(parts[:n])) for n in range(1, len(parts) + 1)]
        cited = any(
            f"spec/{page}" in owner.docstring for page in linking for owner in owners if owner
        )
        if (
            not cited
            and parts[-1][0].islower()
            and each in defined
            and defined[each].body is not None
        ):
            yield f"{each} cites none of {', '.join(sorted(linking))}"
    for each, definition in defined.items():
        for page in re.findall(r"\bspec/([\w-]+\.md)", definition.docstring):
            if not any(
                page in linking
                for other, linking in pages.items()
                if f"{other}.".startswith(f"{each}.")
            ):
                yield f"{each} cites {page}, which does not link it"


def proof_problems(blocks, programs):
    """Algorithms and theorems without a wrong program that one of their tests notices, and the other way round."""
    broken = {anchor for wrong in programs for anchor in wrong.breaks}
    for wrong in programs:
        for anchor in wrong.breaks:
            if not any(
                anchor in block.anchors and {*block.tests} & {*wrong.tests} for block in blocks
            ):
                yield f'the wrong program "{wrong.name}" is noticed by no test of {anchor}'
    for block in blocks:
        if PROVED.search(block.text) and block.code and not broken.intersection(block.anchors):
            yield f"{block.page}: no wrong program breaks {block.anchors}"


def failed_examples(page):
    """Run the examples of a page and return the reports of those that fail."""
    text = re.sub(r"^```.*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    runner, report = doctest.DocTestRunner(verbose=False), []
    runner.run(
        doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0), out=report.append
    )
    return report if runner.failures else []


def write(root=ROOT):
    """Renew the numbers of lines in all links, and follow what has moved to another file under the same name."""
    defined = definitions(root)

    def renewed(match):
        label, file, _line = match.groups()
        full, test = name(label, file), file.startswith("tests/")
        if full not in defined:
            last = f"::{label}" if test else f".{label.rpartition('.')[2]}"
            moved = [
                each
                for each in defined
                if each.endswith(last) and each.startswith("tests/") == test
            ]
            if len(moved) != 1:
                return match[0]
            full = moved[0]
        return f"[`{full.rpartition('.py::')[2]}`](../{defined[full].file}#L{defined[full].line})"

    for page in (root / "spec").glob("*.md"):
        page.write_text(LINK.sub(renewed, page.read_text(encoding="utf-8")), encoding="utf-8")


def slow_tests():
    """Return the tests that run without coverage."""
    return {
        f"tests/{test}"
        for test in (ROOT / "tests" / "slow.txt").read_text(encoding="utf-8").split()
    }


def traced(defined, blocks, *, slow=False):
    """Return the linked tests that run under coverage; the slow ones with ``pytest --linked`` only."""
    linked = {test for block in blocks for test in block.tests}
    return {
        test
        for test in linked - (set() if slow else slow_tests())
        if not _measures_memory(ROOT, defined[test])
    }


def unreached(*, slow=False):
    """List functions and tests that never met in the last run of pytest under coverage; its contexts are the tests."""
    import coverage

    data = coverage.CoverageData(str(ROOT / ".coverage"))
    data.read()
    defined, blocks = definitions(ROOT), list(statements(ROOT))
    listed, left_out, found = (
        traced(defined, blocks, slow=slow),
        set() if slow else slow_tests(),
        [],
    )
    lines = {file: data.contexts_by_lineno(file) for file in data.measured_files()}
    for block in blocks:
        reached, tests = set(), listed.intersection(block.tests)
        for each in block.code:
            where, body = lines.get(str(ROOT / defined[each].file), {}), defined[each].body or ()
            by = {test for line in body for test in where.get(line, ())} & tests
            reached |= by
            if tests and body and not by and not left_out.intersection(block.tests):
                found.append(f"{block.page}: no test of {block.anchors} reaches {each}")
        # a ready statistic may be passed on, not called
        if all(defined[each].body is not None for each in block.code):
            found += [
                f"{block.page}: {test} reaches no function of {block.anchors}"
                for test in sorted(tests - reached)
            ]
    return found


def _measures_memory(root, test):
    """Tracing for coverage would disturb what such a test measures."""
    lines = (root / test.file).read_text(encoding="utf-8").splitlines()
    return any(re.search("peak_of|tracemalloc", lines[number - 1]) for number in test.body)


def main(arguments):
    """Report what is wrong and return the status of the process."""
    if "--write" in arguments:
        write()
    found = problems()
    for page in sorted((ROOT / "spec").glob("*.md")):
        found += failed_examples(page)
    if "--reach" in arguments:
        found += unreached(slow="--slow" in arguments)
    print(*found, f"{len(found)} problems", sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
