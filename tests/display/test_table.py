"""Forms of results in notebooks and pages: escaped, small, alone in their styles, and readable in light and dark."""

import base64
import importlib.util
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from exactperm import (
    Claim,
    audit,
    audit_claim,
    compare_all,
    confidence_interval,
    fast_permutation_test,
    permutation_test,
    sign_flip_test,
    simultaneous_intervals,
)
from exactperm.cli.demo import DARWIN_MAIZE, paper_workload
from exactperm.display.table import table
from exactperm.null.distribution import NullDistribution
from exactperm.null.result import PermutationTestResult

DATA = Path(__file__).parent.parent / "data"
HOSTILE = "<script>alert(1)</script>&\"'\x1b[31m\n"
MOST = 50_000


def forms():
    """One object of each kind by name, and words that its form has."""
    u, v = paper_workload(2000)
    columns = {name: paper_workload(40, seed=seed)[0] for seed, name in enumerate(("a", HOSTILE, "c" * 1000))}
    result = sign_flip_test(DARWIN_MAIZE)
    return {
        "result": (result, ["863/16384", "314 (difference)", "1726 of 2^15 at least", "15, 0 tied"]),
        "large result": (permutation_test(u, v), ["2000, ", "/2^"]),
        "groups": (permutation_test(u, v, groups=[n // 2 for n in range(2000)]), ["in 1000 groups"]),
        "null distribution": (result.null_distribution, ["Null distribution", "mean 0, variance 26518"]),
        "point": (sign_flip_test([0]).null_distribution, ["mean 0, variance 0"]),
        "bracket": (fast_permutation_test(u, v), ["correctly rounded", "2000"]),
        "wide bracket": (fast_permutation_test([0.1 * n**1.5 for n in range(300)], [2.0] * 300), ["between"]),
        "leaderboard": (compare_all(columns), ["adjusted (holm)", "&lt;script&gt;"]),
        "certified leaderboard": (compare_all(columns, method="certified"), ["at most"]),
        "large leaderboard": (
            compare_all({f"system {i:03}": [i % 7, i % 5] for i in range(60)}),
            ["1770 paired-permutation tests", " more</th>"],
        ),
        "interval": (confidence_interval(DARWIN_MAIZE), ["lower end", "coverage", "20.93333333"]),
        "one-sided interval": (confidence_interval([1, 2, 6], confidence="0.75", alternative="less"), ["infinite"]),
        "simultaneous intervals": (
            simultaneous_intervals({HOSTILE: [1, 2, 6, 3, 5], "b": [0, 1, 2, 7, 1], "c": [2, 2, 2, 1, 0]}, "0.75"),
            ["3 simultaneous intervals (bonferroni, 0.75)", "&lt;script&gt;", "upper end"],
        ),
        "report": (audit(DATA / "audit" / "claims.json"), ["decision-inconsistent", "p &lt; .05"]),
        "finding": (
            audit_claim(Claim(p="p = .04970", data=[*DARWIN_MAIZE], stated="all")),
            ["863/16384", "read as: sum, exact"],
        ),
    }


FORMS = forms()


def form(shown):
    return shown._repr_html_() if hasattr(shown, "_repr_html_") else shown._repr_svg_()


@pytest.mark.parametrize(("shown", "words"), FORMS.values(), ids=FORMS)
def test_forms(shown, words):
    """Well-formed, at most 50 KB, every text escaped, every id its own, nothing fetched."""
    text = form(shown)
    assert len(text.encode()) <= MOST
    ET.fromstring(f"<div>{text}</div>")
    assert [word for word in words if word not in text] == []
    assert "<script" not in text
    assert not re.search(r"[\x00-\x09\x0b-\x1f]|(?:src|href)=", text)
    names = re.findall(r'\sid="([^"]+)"', text)
    assert len(names) == len(set(names)) > 0
    rules = [rule for block in re.findall(r"<style>(.*?)</style>", text, re.DOTALL) for rule in block.split("}")]
    assert all(re.match(r"\s*(@media \(prefers-color-scheme: dark\) \{\s*)?#(null|exactperm)-", r) or not r.strip()
               for r in rules)  # fmt: skip


def test_ids_differ_between_forms():
    names = [
        name
        for shown, _words in FORMS.values()
        for name in re.findall(r'\sid="((?:null|exactperm)[^"]+)"', form(shown))
    ]
    assert len(names) == len(set(names))


def test_the_picture_of_a_result_marks_its_tail():
    text = form(sign_flip_test(DARWIN_MAIZE, alternative="greater"))
    assert "one-sided (greater) p = 0.0263367 = 863/32768" in text
    assert "observed 314" in text
    assert 'class="tail"' not in form(sign_flip_test(DARWIN_MAIZE).null_distribution).replace("clip-path", "")[:2000]


def test_expensive_pictures_are_left_out():
    """Of a result beyond a glance, of a record without swaps, and of very many values."""
    assert "<svg" not in form(sign_flip_test([3**k for k in range(30)]))
    record = {**sign_flip_test([3, 1]).to_dict()}
    del record["swaps"], record["threshold"], record["factor"]
    record["claim"] = "claimed"
    assert "<svg" not in form(PermutationTestResult.from_dict(record))
    assert NullDistribution.of(dict.fromkeys(range(100_001), 1))._repr_svg_() is None
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

    def test_sorted_by_the_reader(self):
        """Each row has its place in the order of each column; equal values are as they were given."""
        keys = [("b", 2), ("a", 1), ("a", 2)]
        text = table("t", [("x", "1"), ("y", "2"), ("z", "3")], ("name", "value"), keys)
        places = re.findall(r'<tr style="--o0:(\d);--o1:(\d);"><th scope="row">(\w)', text)
        assert places == [("2", "1", "x"), ("0", "0", "y"), ("1", "2", "z")]
        name = re.search(r'id="([^"]+)"', text)[1]
        assert [f'<input type="radio" name="{name}" value="{i}"/>' in text for i in range(3)] == [True, True, False]
        assert f'#{name}:has(input[value="1"]:checked) tbody tr {{ order: var(--o1); }}' in text
        assert "\0" not in text

    def test_what_is_not_shown_stays_last(self):
        text = table("t", [(str(i), "x" * 290) for i in range(1000)], ("a", "b"), [(-i, i) for i in range(1000)])
        assert '<tr style="order:1000"><th scope="row">and ' in text


def test_in_a_browser(browser, tmp_path):
    """All forms in one page, light and dark, on a phone: no request, no error, letters in the colours of the page."""
    path = tmp_path / "forms.html"
    style = "<style>body { color: #111; background: #fff } @media (prefers-color-scheme: dark) " \
        "{ body { color: #eee; background: #111 } }</style>"  # fmt: skip
    body = "\n".join(form(shown) for shown, _words in FORMS.values())
    path.write_text(f'<!DOCTYPE html><meta charset="utf-8"><title>t</title>{style}{body}', encoding="utf-8")
    asked, wrong = [], []
    for scheme, colour in (("light", "rgb(17, 17, 17)"), ("dark", "rgb(238, 238, 238)")):
        page = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme=scheme)
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: wrong.append(message.text))
        page.on("dialog", lambda dialog: wrong.append(dialog.message))
        page.goto(path.as_uri())
        cells = page.evaluate("[...document.querySelectorAll('td, th')].map(e => getComputedStyle(e).color)")
        assert set(cells) == {colour}
        pictures = page.evaluate("[...document.querySelectorAll('svg')].map(e => e.getBoundingClientRect().width)")
        assert len(pictures) == body.count("<svg") and all(200 < width <= 390 for width in pictures)
        fills = page.evaluate("[...document.querySelectorAll('svg .mass')].map(e => getComputedStyle(e).fill)")
        assert len(set(fills)) == 1
        page.close()
    assert set(asked) == {path.as_uri()} and not wrong


def test_a_notebook_is_converted(tmp_path):
    """nbconvert runs the notebook of the tests' data and keeps the forms; a picture alone becomes an image."""
    for name in ("nbconvert", "ipykernel"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed")
    command = [sys.executable, "-m", "nbconvert", "--to", "html", "--execute", str(DATA / "notebook.ipynb")]
    environment = {**os.environ, "PYTHONPATH": str(DATA.parent.parent)}
    command += ["--output-dir", str(tmp_path)]
    done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "notebook.html").read_text(encoding="utf-8")
    result = sign_flip_test(DARWIN_MAIZE)
    for part in re.findall(r'\sid="[^"]+"|#[\w-]+ \.mass \{[^}]*\}|<td>[^<]*</td>|\sd="[^"]+"', form(result)):
        assert part in text
    assert text.count('<div id="exactperm-') == 4
    images = re.findall(r"data:image/svg\+xml;base64,([\w+/=]+)", text)
    drawn = form(result.null_distribution).strip()
    assert drawn in {base64.b64decode(image).decode().strip() for image in images}
