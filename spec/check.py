"""Check that the list of statements, the code, the tests and the pages agree: ``python3 spec/check.py``.

``--write`` renews the table in ``README.md`` first; ``--quick`` leaves the tests out; ``--strict`` fails on statements
that are only planned.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if not __package__:  # run as a script: import from the project, not from this folder
    sys.path[0] = str(ROOT)

from spec import calls, mutants, table  # noqa: E402
from spec.definitions import Definition, definitions, exported, tests  # noqa: E402
from spec.model import DONE, Item, Spec, load  # noqa: E402
from spec.model import problems as list_problems  # noqa: E402
from spec.mutation import record  # noqa: E402

PACKAGE = "exactperm"
ENGINES = f"{PACKAGE}.counting"
ERRATA = "errata.md"
_ANCHOR = re.compile(r'<a id="([^"]+)"></a>')


# ------------------------------------------------------------------------------- what can be read without running


def code_problems(spec: Spec, defined: dict[str, Definition], public: dict[str, str], known: set[str]) -> list[str]:
    """Names that do not exist, public names in no entry, and citations that do not go both ways."""
    found = []
    for item in _done(spec.items):
        found += [f"{item.id}: no function {name}" for name in item.functions if name not in defined]
        found += [f"{item.id}: no test {node}" for node in item.tests if node not in known]
    found += _uncovered(spec, defined, public)
    return found + _one_way_citations(spec.items, defined)


def _uncovered(spec: Spec, defined: dict[str, Definition], public: dict[str, str]) -> list[str]:
    """A public name is in an entry, or exempt with a reason; not both."""
    mapped = {name for item in spec.items for name in item.functions}
    mapped |= {owner for name in mapped for owner in _owners(name, defined)}
    engines = {name for name, each in defined.items() if each.kind in ("function", "class") and _in_engine(name)}
    names = set(public.values()) | engines
    found = [f"{name} is public, but in no entry" for name in sorted(names - mapped - set(spec.exempt))]
    found += [f"{home} is public, but nowhere defined" for home in sorted(set(public.values()) - set(defined))]
    found += [f"{name} is exempt, but also in an entry" for name in sorted(set(spec.exempt) & mapped)]
    found += [f"{name} is exempt, but not public" for name in sorted(set(spec.exempt) - names)]
    return found


def _in_engine(name: str) -> bool:
    parts = name[len(ENGINES) + 1 :].split(".")
    return name.startswith(f"{ENGINES}.") and len(parts) == 2 and not parts[1].startswith("_")


def _owners(name: str, defined: dict[str, Definition]) -> list[str]:
    """The class around a method and the module around everything, innermost first."""
    owners = []
    while "." in name:
        name = name.rpartition(".")[0]
        if name in defined:
            owners.append(name)
        if name in defined and defined[name].kind == "module":
            break
    return owners


def _one_way_citations(items: list[Item], defined: dict[str, Definition]) -> list[str]:
    """Each function of an entry cites its id (or its class or module does), and each citation has such an entry."""
    entries = {item.id: item for item in items}
    found = []
    for item in _done(items):
        for name in item.functions:
            if name in defined and not any(item.id in defined[x].cites for x in (name, *_owners(name, defined))):
                found.append(f"{item.id}: the docstring of {name} does not cite it")
    for definition in defined.values():
        for cited in sorted(definition.cites):
            if cited not in entries:
                found.append(f"{definition.name} cites {cited}, which is no id")
            elif entries[cited].status in DONE and not any(
                _within(name, definition, defined) for name in entries[cited].functions
            ):
                found.append(f"{definition.name} cites {cited}, whose entry does not name it")
    return found


def _within(name: str, definition: Definition, defined: dict[str, Definition]) -> bool:
    """Whether ``name`` is the definition or stands inside it."""
    return name == definition.name or definition.name in _owners(name, defined)


def page_problems(items: list[Item], folder: Path) -> list[str]:
    """Every entry has its anchor in its page, and every anchor its entry; so has a note that names the errata."""
    found = []
    anchors = {
        name: set(_ANCHOR.findall((folder / name).read_text(encoding="utf-8")))
        for name in {item.page for item in items}
        if (folder / name).exists()
    }
    for item in items:
        if item.page not in anchors:
            found.append(f"{item.id}: no page {item.page}")
        elif item.id not in anchors[item.page]:
            found.append(f'{item.id}: {item.page} has no <a id="{item.id}"></a>')
    errata = folder / ERRATA
    listed = set(_ANCHOR.findall(errata.read_text(encoding="utf-8"))) if errata.exists() else set()
    found += [f"{item.id}: not in {ERRATA}" for item in items if ERRATA in item.note and item.id not in listed]
    pages = {item.id: item.page for item in items}
    for page, names in sorted(anchors.items()):
        found += [f"{page} has an anchor {name}, no entry of it" for name in sorted(names) if pages.get(name) != page]
    return found


def table_problems(items: list[Item], readme: Path) -> list[str]:
    """The generated table is up to date."""
    text = readme.read_text(encoding="utf-8")
    try:
        same = table.replaced(text, table.render(items)) == text
    except ValueError as error:
        return [f"{readme.name}: {error}"]
    return [] if same else [f"{readme.name}: the table differs from the list; python3 spec/check.py --write renews it"]


# -------------------------------------------------------------------------------------------- what must be run


def test_problems(items: list[Item], ran: calls.Run, values: set[str]) -> list[str]:
    """Each covering test passes and calls a function of its entry; each function is called by a covering test.

    ``values`` are not functions and need not be called: a statistic may be passed on without running.
    """
    found = [f"{name} cannot be watched: {why}" for name, why in ran.unwatched.items() if name not in values]
    for item in _done(items):
        functions = set(item.functions)
        for node in item.tests:
            outcome = ran.outcomes.get(node, "not run")
            if outcome != "passed":
                found.append(f"{item.id}: {node}: {outcome}")
            elif not functions & ran.called.get(node, set()):
                found.append(f"{item.id}: {node} calls none of {', '.join(item.functions)}")
        called = values.union(*(ran.called.get(node, set()) for node in item.tests))
        found += [f"{item.id}: no covering test calls {name}" for name in item.functions if name not in called]
    return found


def run_tests(items: list[Item], root: Path, defined: dict[str, Definition]) -> list[str]:
    """Run all covering tests, and the examples of the pages, in one go."""
    nodes = {node for item in _done(items) for node in item.tests}
    pages = root / "tests" / "test_spec_pages.py"
    ran = calls.run(
        root, nodes | ({pages.relative_to(root).as_posix()} if pages.exists() else set()), _names(_done(items))
    )
    values = {name for name, each in defined.items() if each.kind == "value"}
    found = test_problems(items, ran, values)
    failed = [node for node, outcome in ran.outcomes.items() if outcome == "failed" and node not in nodes]
    found += [f"{node}: failed" for node in failed]
    return found + ([f"the output of the tests:\n{ran.output}"] if found else [])


def _done(items: Iterable[Item]) -> list[Item]:
    return [item for item in items if item.status in DONE]


def _names(items: Iterable[Item]) -> set[str]:
    return {name for item in items for name in item.functions}


# ------------------------------------------------------------------------------------------------- all together


def problems(root: Path, *, strict: bool = False, quick: bool = False) -> list[str]:
    """Everything that is wrong in the project at ``root``; the tests run only where nothing else is."""
    folder = root / "spec"
    spec = load(folder / "items.json")
    found = list_problems(spec)
    defined = definitions(root, PACKAGE)
    found += code_problems(spec, defined, exported(root, PACKAGE), tests(root))
    found += page_problems(spec.items, folder)
    found += table_problems(spec.items, folder / "README.md")
    if (folder / "mutants.json").exists():
        found += mutants.problems(mutants.load(root), spec.items, root)
    found += record.problems(defined, record.explanations(folder / "mutation" / "equivalent"))
    if strict:
        found += [f"{item.id}: only planned" for item in spec.items if item.status == "planned"]
    return found if found or quick else run_tests(spec.items, root, defined)


def write(root: Path) -> None:
    """Renew the table."""
    readme = root / "spec" / "README.md"
    items = load(root / "spec" / "items.json").items
    readme.write_text(table.replaced(readme.read_text(encoding="utf-8"), table.render(items)), encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """The command: 0 where everything agrees, else 1 and what does not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=ROOT, help="the project (default: this one)")
    parser.add_argument("--write", action="store_true", help="renew the table in README.md first")
    parser.add_argument("--quick", action="store_true", help="read only, run no tests")
    parser.add_argument("--strict", action="store_true", help="fail on statements that are only planned")
    options = parser.parse_args(arguments)
    if options.write:
        write(options.root)
    found = problems(options.root, strict=options.strict, quick=options.quick)
    items = load(options.root / "spec" / "items.json").items
    planned = [item.id for item in items if item.status == "planned"]
    print("\n".join(found) if found else f"{len(items)} statements agree with the code, the tests and the pages.")
    if planned:
        print(f"{len(planned)} are only planned: {', '.join(planned)}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
