"""The notebooks run cell by cell, and show what is stored in them; no Jupyter is needed.

To renew what is stored: python tests/test_notebooks.py
"""

import ast
import contextlib
import io
import json
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def outputs(source, names):
    """What a cell shows: the text that it prints, and the forms of its last expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        code = "None" if last is None else compile(ast.Expression(last.value), "cell", "eval")
        value = eval(code, names)  # noqa: S307
    shown = []
    if printed.getvalue():
        shown.append({"output_type": "stream", "name": "stdout", "text": lines(printed.getvalue())})
    if value is not None:
        forms = {"text/plain": lines(repr(value))}
        for kind, method in (("text/html", "_repr_html_"), ("image/svg+xml", "_repr_svg_")):
            form = getattr(value, method, lambda: None)()
            forms.update({kind: lines(form)} if form else {})
        shown.append(
            {
                "output_type": "execute_result",
                "execution_count": None,
                "data": forms,
                "metadata": {},
            }
        )
    return shown


def lines(text):
    """Text as notebooks store it."""
    return text.splitlines(keepends=True)


def run(path):
    """The notebook with what its cells show now."""
    notebook, names = json.loads(path.read_text(encoding="utf-8")), {}
    for number, cell in enumerate(
        (cell for cell in notebook["cells"] if cell["cell_type"] == "code"), 1
    ):
        cell["execution_count"] = number
        cell["outputs"] = outputs("".join(cell["source"]), names)
        for shown in cell["outputs"]:
            shown.update({"execution_count": number} if "execution_count" in shown else {})
    return notebook


def timeless(notebook):
    """A notebook without the times that its results took."""
    return re.sub(r"\bseconds=[\d.e-]+", "seconds", json.dumps(notebook))


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_show_what_is_stored(path):
    stored = json.loads(path.read_text(encoding="utf-8"))
    assert timeless(run(path)) == timeless(stored)
    assert len({cell["id"] for cell in stored["cells"]}) == len(stored["cells"]) == 13
    assert "<svg" in path.read_text(encoding="utf-8")


def test_both_notebooks_are_here():
    assert [path.stem for path in NOTEBOOKS] == ["reviewing", "teaching"]


if __name__ == "__main__":
    for path in NOTEBOOKS:
        path.write_text(
            json.dumps(run(path), indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
        )
