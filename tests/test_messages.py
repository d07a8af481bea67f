"""Every refusal that the package can make: where, kind, code, argument, sentence. To renew: python tests/test_messages.py.

The sentences stand in ``messages.txt``, once; tests elsewhere ask for kinds, codes and arguments.
"""

import ast
import re
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import pytest

from tests.wings import ABSENT, PACKAGE

GOLDEN = Path(__file__).with_name("messages.txt")
ROOT_OF_ERRORS = "ExactPermError"


def kinds(trees):
    """Names of the classes of errors, in any module."""
    found, known = {ROOT_OF_ERRORS}, 0
    classes = [n for tree in trees for n in ast.walk(tree) if isinstance(n, ast.ClassDef)]
    while len(found) > known:
        known = len(found)
        found |= {n.name for n in classes if {getattr(base, "id", "") for base in n.bases} & found}
    return found


def sentence(node):
    """The text of an expression, values in braces."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(map(sentence, node.values))
    if isinstance(node, ast.FormattedValue):
        return f"{{{ast.unparse(node.value)}}}"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return sentence(node.left) + sentence(node.right)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
        texts = iter([*map(sentence, values)])
        return re.sub("%[a-z]", lambda _: next(texts, "0"), sentence(node.left))
    return f"{{{ast.unparse(node)}}}"


def raised(node, names, place):
    """Lines for the errors that are made in a part of a module."""
    for inner in ast.iter_child_nodes(node):
        named = isinstance(inner, (ast.FunctionDef, ast.ClassDef))
        yield from raised(inner, names, f"{place}.{inner.name}" if named else place)
        if isinstance(inner, ast.Call) and getattr(inner.func, "id", "") in names:
            about = {each.arg: sentence(each.value) for each in inner.keywords}
            words = " ".join(f"[{about[name]}]" for name in ("code", "argument") if name in about)
            told = sentence(inner.args[0]) if inner.args else ""
            yield f"{place}: {inner.func.id} {words} {told}".replace("\n", "\\n")


def refusals():
    """All errors of the package, in the order of its files."""
    paths = [path for path in sorted(PACKAGE.rglob("*.py")) if path.name != "verifier.py"]
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}
    names = kinds(trees.values())
    for path, tree in trees.items():
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        yield from raised(tree, names, module)


@pytest.mark.slow
def test_what_is_said_is_what_is_kept():
    """Python's versions put other quotes and brackets around values."""
    kept = GOLDEN.read_text(encoding="utf-8").splitlines()
    here = [line for line in kept if line.partition(".")[0] not in ABSENT]
    plain = str.maketrans("", "", "'\"()\\ ")
    assert [line.translate(plain) for line in refusals()] == [x.translate(plain) for x in here]
    assert len(kept) > 250


if __name__ == "__main__":
    GOLDEN.write_text("".join(f"{line}\n" for line in refusals()), encoding="utf-8")
