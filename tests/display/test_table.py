"""Forms of results in notebooks and pages: escaped, small, alone in their styles, and readable in light and dark."""

import base64
import importlib.util
import os
import re
import subprocess
import sys
from html import escape, unescape
from pathlib import Path

import pytest

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from exactperm import (
    adjust_pvalues,
    bootstrap_interval,
    compare_all,
    confidence_interval,
    f1_difference,
    fast_permutation_test,
    fast_wilcoxon_signed_rank_test,
    influence,
    is_significant,
    mcnemar_test,
    permutation_test,
    sign_flip_test,
    sign_test,
    simultaneous_intervals,
    wilcoxon_signed_rank_test,
)
from exactperm.cli.demo import DARWIN_MAIZE
from exactperm.display.table import lines, table
from exactperm.montecarlo.sampling import MonteCarloResult
from exactperm.null.distribution import NullDistribution
from exactperm.null.result import PermutationTestResult
from tests.display.shown import form, well_formed
from tests.workload import paper_workload

DATA = Path(__file__).parent.parent / "data"
HOSTILE = "<script>alert(1)</script>&\"'\x1b[31m\n"


GOLDEN = Path(__file__).with_name("printed.txt")
U, V = [3, 1, 2, 5, 4, 7], [1, 0, 2, 1, 5, 2]
THREE = {"a": U, "b": V, "c": [1] * 6}
ONES = [1] * 5, [0] * 5
MANY = paper_workload(2000)


def printed():
    """Yield results of each kind, small and large."""
    yield sign_flip_test(DARWIN_MAIZE)
    yield permutation_test([(3, 1)] * 4, [(1, 2)] * 4, statistic=f1_difference)
    yield from (wilcoxon_signed_rank_test(U, V), fast_wilcoxon_signed_rank_test(U, V))
    yield from (sign_test(U, V), mcnemar_test(9, 1), is_significant(U, V, "0.05"))
    yield from (is_significant(*ONES, "0.07", strict=True), is_significant(*ONES, "1/16"))
    yield MonteCarloResult(count=210, samples=9999, statistic=10, adjusted=True)
    yield MonteCarloResult(count=0, samples=9, statistic="few", adjusted=False)
    yield confidence_interval(DARWIN_MAIZE, groups=[n // 2 for n in range(15)])
    yield confidence_interval([1, 2, 6], confidence="0.75", alternative="less")
    yield from (compare_all({"a": U, "b": V}), compare_all(THREE, method="certified"))
    yield from (simultaneous_intervals(THREE, "0.7"), adjust_pvalues(["0.01", "1/3"]))
    yield from (bootstrap_interval(U, 50, rng=1), influence([1, 2], [0, 5]))
    yield from (permutation_test(*MANY), fast_permutation_test(*MANY))
    yield permutation_test(*MANY, groups=[n // 2 for n in range(2000)])
    yield fast_permutation_test([0.1 * n * n for n in range(300)], [2.0] * 300)


def forms():
    """Yield these, pictures alone, hostile names and many rows, with words that their forms have."""
    yield from ((result, [escape(result.heading)]) for result in printed())
    for d, words in ((DARWIN_MAIZE, "mean 0, variance 26518"), ([0], "mean 0, variance 0")):
        yield sign_flip_test(d).null_distribution, ["Null distribution", words]
    names = ("a", HOSTILE, "c" * 1000)
    columns = {name: paper_workload(40, seed=seed)[0] for seed, name in enumerate(names)}
    yield compare_all(columns), ["adjusted (holm)", "&lt;script&gt;"]
    yield simultaneous_intervals(columns, "0.75"), ["75% simultaneous", "&lt;script&gt;"]
    large = {f"system {i:03}": [i % 7, i % 5] for i in range(60)}
    yield compare_all(large), ["1770 exact paired-permutation tests", " more</th>"]


FORMS = [*forms()]


@pytest.mark.parametrize(("shown", "words"), FORMS)
def test_forms(shown, words):
    well_formed(shown, words)


@pytest.mark.slow
def test_ids_differ_between_forms():
    names = [
        name
        for shown, _words in FORMS
        for name in re.findall(r'\sid="((?:null|exactperm)[^"]+)"', form(shown))
    ]
    assert len(names) == len(set(names))


def test_the_picture_of_a_result_marks_its_tail():
    text = form(sign_flip_test(DARWIN_MAIZE, alternative="greater"))
    assert "one-sided (greater) p = 0.0263 (863/32768)" in text
    assert "observed 314" in text
    assert (
        'class="tail"'
        not in form(sign_flip_test(DARWIN_MAIZE).null_distribution).replace("clip-path", "")[:2000]
    )


def test_expensive_pictures_are_left_out():
    """Of a result beyond a glance, of a record without swaps, and of very many values."""
    assert "<svg" not in form(sign_flip_test([3**k for k in range(30)]))
    record = {**sign_flip_test([3, 1]).to_dict()}
    del record["swaps"]
    record["claim"] = "claimed"
    assert "<svg" not in form(PermutationTestResult.from_dict(record))
    large = NullDistribution.of(dict.fromkeys(range(100_001), 1))
    assert large._repr_svg_() is None
    assert "from 0 to 100000" in large._repr_html_()
    assert "mean" not in large._repr_html_()
    assert sign_flip_test({1: 10**7, 0: 1})._repr_html_() is None


class TestTable:
    def test_in_full(self):
        text = table("a < b", [("x & y", "1")], ("name", "value"))
        assert re.sub(r"exactperm-[0-9a-f]{12}", "ID", text).partition("</style>")[2] == (
            '<table><caption>a &lt; b</caption><thead><tr><th scope="col">name</th><th scope="col">value</th></tr>'
            '</thead><tbody><tr><th scope="row">x &amp; y</th><td>1</td></tr></tbody></table></div>'
        )

    def test_hostile_and_long_texts(self):
        text = table(HOSTILE, [(HOSTILE, "y" * 301)])
        assert "<script" not in text and "\x1b" not in text
        assert f"<td>{'y' * 300}\N{HORIZONTAL ELLIPSIS}</td>" in text

    def test_rows_beyond_the_limit_are_counted(self):
        text = table("t", [(str(i), "x" * 290) for i in range(1000)])
        assert len(text.encode()) < 26_000
        shown = text.count("<td>")
        assert f"and {1000 - shown} more</th>" in text


@pytest.mark.slow
def test_in_a_browser(browser, tmp_path):
    """All forms in one page, light and dark, on a phone: no request, no error, letters in the colours of the page."""
    path = tmp_path / "forms.html"
    style = "<style>body { color: #111; background: #fff } @media (prefers-color-scheme: dark) " \
        "{ body { color: #eee; background: #111 } }</style>"  # fmt: skip
    body = "\n".join(form(shown) for shown, _words in FORMS)
    path.write_text(
        f'<!DOCTYPE html><meta charset="utf-8"><title>t</title>{style}{body}', encoding="utf-8"
    )
    asked, wrong = [], []
    for scheme, colour in (("light", "rgb(17, 17, 17)"), ("dark", "rgb(238, 238, 238)")):
        page = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme=scheme)
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: wrong.append(message.text))
        page.on("dialog", lambda dialog: wrong.append(dialog.message))
        page.goto(path.as_uri())
        cells = page.evaluate(
            "[...document.querySelectorAll('td, th')].map(e => getComputedStyle(e).color)"
        )
        assert set(cells) == {colour}
        pictures = page.evaluate(
            "[...document.querySelectorAll('svg')].map(e => e.getBoundingClientRect().width)"
        )
        assert len(pictures) == body.count("<svg") and all(200 < width <= 390 for width in pictures)
        fills = page.evaluate(
            "[...document.querySelectorAll('svg .mass')].map(e => getComputedStyle(e).fill)"
        )
        assert len(set(fills)) == 1
        page.close()
    assert set(asked) == {path.as_uri()} and not wrong


def test_a_notebook_is_converted(tmp_path):
    """nbconvert runs the notebook of the tests' data and keeps the forms; a picture alone becomes an image."""
    for name in ("nbconvert", "ipykernel"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed")
    words = [
        "--to",
        "html",
        "--execute",
        str(DATA / "notebook.ipynb"),
        "--output-dir",
        str(tmp_path),
    ]
    command = [sys.executable, "-m", "nbconvert", *words]
    environment = {**os.environ, "PYTHONPATH": str(DATA.parent.parent)}
    done = subprocess.run(
        command, env=environment, check=False, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "notebook.html").read_text(encoding="utf-8")
    result = sign_flip_test(DARWIN_MAIZE)
    for part in re.findall(
        r'\sid="[^"]+"|#[\w-]+ \.mass \{[^}]*\}|<td>[^<]*</td>|\sd="[^"]+"', form(result)
    ):
        assert part in text
    assert text.count('<div id="exactperm-') == 4
    images = re.findall(r"data:image/svg\+xml;base64,([\w+/=]+)", text)
    drawn = form(result.null_distribution).strip()
    assert drawn in {base64.b64decode(image).decode().strip() for image in images}


def test_a_printed_result_and_a_notebook_show_the_same_rows():
    """The heading, then each row: as a line of text, and as cells in HTML. To renew: python tests/display/test_table.py."""
    assert written() == GOLDEN.read_text(encoding="utf-8")
    for result in printed():
        first, *shown = str(result).splitlines()
        assert result.heading == first
        rows = [list(row) for row in result.rows()]
        said = [" ".join(line.split()) for line in shown[bool(result.header) :]]
        assert said == [" ".join(" ".join(row).split()) for row in rows]
        html = map(unescape, re.findall(r"<t[hd][^>]*>([^<]*)</t[hd]>", result._repr_html_()))
        assert {text for row in rows for text in row} <= {*html} | {""}


def written():
    return "\n\n".join(map(str, printed())) + "\n"


def test_huge_results_print_as_their_repr():
    result = sign_flip_test({1: 10**7, 0: 1})
    assert str(result) == repr(result)


def test_lines_are_safe_for_a_terminal():
    assert list(lines("a\x1b", [("b", "c\x1b")])) == ["a\\x1b", "  b            c\\x1b"]
    assert list(lines("t", [("b", "c\x1b")], ("x", "y"))) == ["t", "x  y", "b  c\\x1b"]


if __name__ == "__main__":
    GOLDEN.write_text(written(), encoding="utf-8")
