"""Check that the pages, the code and the tests agree: ``python3 spec/check.py [--write] [--reach [--slow]]``.

A statement is a heading or a list item of a page with an anchor. ``spec/links.txt`` names the
functions that realise it and the tests that fail without it:

    alg-3
        counting.dp.convolve_dp
        tests/counting/test_dp.py::test_convolution_by_definition

``--write`` follows what has moved under the same name, and writes the table of all statements,
``spec/statements.md``, and the page from calls to statements, ``spec/calls.md``. ``--reach`` also
reads what the linked tests reached when the suite last ran under coverage: each must reach a
function of its statement, and each function must be reached. Slow tests (with this mark) are left
out, and functions that only they reach, unless ``--slow`` says otherwise; that needs ``pytest
--linked --whole --cov=exactperm`` before it.
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

TABLE, CALLS = "statements.md", "calls.md"
TABLE_TEXT = """# All statements

Made by `python3 spec/check.py --write` from the pages and from [the list of links](links.txt), which
names the tests. A wrong program is one that the tests of the statement must notice; [those of its folder
that do](noticed.txt) count as tests of the statement, too.

"""
SLOW = "pytest.mark.slow"
CITED = re.compile(r"\bspec/([\w/-]+\.md)(?:#([\w-]+))?")
PROVED = re.compile(
    r"^(#+|- ) .*\b(Alg\.|Thm\.|Lemma|Cor\.|Prop\.)|\*\*(Theorem|Lemma|Proposition)|\*Proof",
    re.MULTILINE,
)


class Definition(NamedTuple):
    """A module, class, function, value or test; ``body`` are the lines that run on a call, None for a value."""

    file: str
    line: int
    docstring: str
    body: object
    slow: bool = False


class Statement(NamedTuple):
    """A block of a page: its anchors, and the names of its functions and tests."""

    page: str
    text: str
    anchors: list
    code: list
    tests: list

    @property
    def title(self):
        """The heading, or the first words of the list item, without its anchors."""
        first = re.sub(r"<a id=.*?</a>", "", self.text.split("\n", 1)[0]).strip("#- ").strip()
        bold = re.match(r"\*\*(.+?)\*\*", first)
        return (bold[1] if bold else first).rstrip(".:")


def load_links(root):
    """Read ``spec/links.txt``: the names of functions and tests by anchor."""
    found, names = {}, []
    for line in (root / "spec" / "links.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            names.append(line.strip())
        else:
            found[line] = names = []
    return found


def definitions(root):
    """Read all definitions of the package and the tests from their source, by name."""
    found = {}
    for path in sorted([*(root / "exactperm").rglob("*.py"), *(root / "tests").rglob("test_*.py")]):
        file, tree = path.relative_to(root).as_posix(), ast.parse(path.read_text(encoding="utf-8"))
        ours = file.startswith("exactperm/")
        module = ".".join(Path(file).with_suffix("").parts[1:]) if ours else file
        found[module] = Definition(file, 1, ast.get_docstring(tree) or "", range(0))
        slow = any(ast.unparse(node) == f"pytestmark = {SLOW}" for node in tree.body)
        found.update(_inside(tree.body, module, "." if ours else "::", file, slow))
    return found


def _inside(body, prefix, dot, file, slow):
    for node in body:
        if isinstance(node, ast.If):
            yield from _inside(node.body + node.orelse, prefix, dot, file, slow)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            full = f"{prefix}{dot}{node.name}"
            runs = any(isinstance(inner, ast.FunctionDef) for inner in ast.walk(node))
            lines = range(node.body[0].lineno, node.end_lineno + 1) if runs else range(0)
            marked = slow or SLOW in map(ast.unparse, node.decorator_list)
            yield full, Definition(file, node.lineno, ast.get_docstring(node) or "", lines, marked)
            if isinstance(node, ast.ClassDef):
                yield from _inside(node.body, full, dot, file, marked)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                yield (
                    f"{prefix}{dot}{getattr(target, 'id', '')}",
                    Definition(file, node.lineno, "", None),
                )


def statements(root):
    """Cut the pages into blocks; a block begins with a heading or a list item."""
    links = load_links(root)
    for page in pages(root):
        text = re.sub(
            r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
        )
        for block in re.split(r"^(?=#|- )|(?<=\n\n)(?=<a id)", text, flags=re.MULTILINE):
            anchors = re.findall(r'<a id="([^"]+)">', block)
            linked = (
                [] if page.name == "errata.md" else anchors
            )  # whose anchors are those of the sources
            names = [each for anchor in linked for each in links.get(anchor, ())]
            tests = [each for each in names if each.startswith("tests/")]
            code = [each for each in names if not each.startswith("tests/")]
            yield Statement(page.relative_to(root / "spec").as_posix(), block, anchors, code, tests)


def pages(root):
    """All pages that are written by hand."""
    found = sorted((root / "spec").rglob("*.md"))
    return [page for page in found if page.name not in (TABLE, CALLS)]


def problems(root=ROOT):
    """List everything that can be found without running anything."""
    defined, blocks = definitions(root), list(statements(root))
    programs = wrong_programs.load(
        (root / "spec" / "wrong-programs.txt").read_text(encoding="utf-8")
    )
    found = [*link_problems(root, defined, blocks), *public_problems(root, blocks)]
    found += [
        f"{wrong_programs.NOTICED}: {test} does not exist; --write follows what has moved"
        for name, tests in wrong_programs.noticed(root).items()
        for test in tests
        if test not in defined
    ]
    return [*found, *citation_problems(defined, blocks), *proof_problems(blocks, programs)]


def link_problems(root, defined, blocks):
    """Links to files, anchors, functions and tests that do not exist."""
    known = {anchor for block in blocks for anchor in block.anchors}
    for anchor, names in load_links(root).items():
        if anchor not in known:
            yield f"links.txt: no page has the anchor {anchor}"
        yield from (
            f"links.txt: {anchor} links {each}, which does not exist; --write follows what has moved"
            for each in names
            if each not in defined
        )
    for page in pages(root):
        text = page.read_text(encoding="utf-8")
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
    if (root / "spec" / TABLE).read_text(encoding="utf-8") != table(root, defined, blocks):
        yield f"{TABLE} is not what --write makes of the pages"


def public_problems(root, blocks):
    """Public names and engines that no page links."""
    linked = {each for block in blocks for each in block.code}
    yield from (f"no page links {each}" for each in public_names(root) if each not in linked)
    for path in sorted((root / "exactperm" / "counting").glob("[a-z]*.py")):
        if not any(each.startswith(f"counting.{path.stem}.") for each in linked):
            yield f"no page links a function of counting/{path.name}"


def public_names(root):
    """Return the dotted names that the package exports."""
    tree = ast.parse((root / "exactperm" / "__init__.pyi").read_text(encoding="utf-8"))
    found = (node for node in tree.body if isinstance(node, ast.ImportFrom))
    return [f"{node.module}.{alias.name}" for node in found for alias in node.names]


def citation_problems(defined, blocks):
    """Code and pages that do not name each other.

    A linked function cites a page that links it, itself or by its class or module. A cited statement
    links what cites it, or a part.
    """
    places = {}
    for block in blocks:
        for each in block.code:
            places.setdefault(each, set()).update((block.page, anchor) for anchor in block.anchors)
    for each, linking in sorted(places.items()):
        parts = each.split(".")
        owners = [defined.get(".".join(parts[:n])) for n in range(1, len(parts) + 1)]
        cited = {place for owner in owners if owner for place in cited_by(owner)}
        ours = parts[-1][0].islower() and each in defined and defined[each].body is not None
        sides = {page for page, _ in linking}
        if ours and not sides & {page for page, _ in cited}:
            yield f"{each} cites none of {', '.join(sorted(sides))}"
    for each, definition in defined.items():
        inside = [
            linking for other, linking in places.items() if f"{other}.".startswith(f"{each}.")
        ]
        for place in sorted(cited_by(definition) - set().union(*inside), key=str):
            yield f"{each} cites {'#'.join(filter(None, place))}, which does not link it"


def cited_by(definition):
    """The statements, as (page, anchor or None), that a docstring cites."""
    return {(page, anchor or None) for page, anchor in CITED.findall(definition.docstring)}


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
    """Follow what has moved to another file under the same name, and write the table of statements."""
    defined, lines = definitions(root), []
    for anchor, names in load_links(root).items():
        lines += [anchor, *(f"    {_moved(each, defined)}" for each in names)]
    (root / "spec" / "links.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    kept = {
        name: [moved for moved in (_moved(test, defined) for test in tests) if moved in defined]
        for name, tests in wrong_programs.noticed(root).items()
    }
    wrong_programs.keep(root, kept)
    made = table(root, defined, list(statements(root)))
    (root / "spec" / TABLE).write_text(made, encoding="utf-8")


def _moved(each, defined):
    """Where a name is gone, the only one of its kind that ends like it."""
    if each in defined:
        return each
    test = each.startswith("tests/")
    last = each[each.index("::") :] if test else f".{each.rpartition('.')[2]}"
    ends = [
        other for other in defined if other.endswith(last) and other.startswith("tests/") == test
    ]
    return ends[0] if len(ends) == 1 else each


def table(root, defined, blocks):
    """Make the table of all statements: their functions, tests, wrong programs, and whether a proof is given."""
    listed = (root / "spec" / "wrong-programs.txt").read_text(encoding="utf-8")
    programs, noticed = wrong_programs.load(listed), wrong_programs.noticed(root)
    broken = [anchor for wrong in programs for anchor in wrong.breaks]
    rows = []
    for block in (block for block in blocks if block.code or block.tests):
        shown = (f"[`{each}`](../{defined[each].file})" for each in block.code if each in defined)
        where = f"{block.page}#{block.anchors[0]}"
        wrong = sum(broken.count(anchor) for anchor in block.anchors)
        tests = {*block.tests}.union(
            *(noticed.get(w.name, ()) for w in programs if {*w.breaks} & {*block.anchors})
        )
        proof = "proof" if "*Proof" in block.text else ""
        counts = f"{len(tests)} | {wrong or ''}"
        rows.append(f"| [{block.title}]({where}) | {proof} | {', '.join(shown)} | {counts} |")
    head = "| statement | proof | functions | tests | wrong programs |\n|---|---|---|--:|--:|\n"
    return f"{TABLE_TEXT}{head}" + "\n".join(rows) + "\n"


def slow_tests(defined):
    """Return the tests that run without coverage."""
    return {name for name in defined if defined[name].slow}


def traced(defined, blocks, *, slow=False):
    """Return the linked tests that run under coverage; the slow ones with ``pytest --linked`` only."""
    linked = {test for block in blocks for test in block.tests}
    kept = linked - (set() if slow else slow_tests(defined))
    return {test for test in kept if not _measures_memory(ROOT, defined[test])}


def unreached(*, slow=False):
    """List functions and tests that never met in the last run of pytest under coverage; its contexts are the tests."""
    import coverage

    data = coverage.CoverageData(str(ROOT / ".coverage"))
    data.read()
    defined, blocks = definitions(ROOT), list(statements(ROOT))
    listed, found = traced(defined, blocks, slow=slow), []
    left_out = set() if slow else slow_tests(defined)
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
    from spec import calls

    if "--write" in arguments:
        write()
    found, made, kept = problems(), calls.page(), ROOT / "spec" / CALLS
    if "--write" in arguments:
        kept.write_text(made, encoding="utf-8")
    if kept.read_text(encoding="utf-8") != made:
        found.append(f"{CALLS} is not what --write makes of the links")
    for page in pages(ROOT):
        found += failed_examples(page)
    if "--reach" in arguments:
        found += unreached(slow="--slow" in arguments)
    print(*found, f"{len(found)} problems", sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
