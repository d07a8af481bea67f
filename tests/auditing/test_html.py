"""The page of an audit in a real browser: it fits a phone, has dark colours, asks for nothing, and shows the bar."""

import re
from pathlib import Path

import pytest

from exactperm import audit

CLAIMS = Path(__file__).parent.parent / "data" / "audit" / "claims.json"


def test_every_claim_is_drawn_or_has_no_interval():
    page = audit(CLAIMS).html()
    assert page.count("<article>") == 14
    assert page.count("<svg") == page.count('class="said"') == 13
    assert not re.findall(r"(?:src|href)=", page)


def test_every_verdict_has_its_evidence():
    """The hash of the data, the row of the claims file, its note, and the command that repeats it."""
    report = audit(CLAIMS)
    page = report.html(["exactperm audit <1>", *[None] * 13])
    assert "data: SHA-256 " in page
    assert "claims.json, claim 1" in page
    assert "note of the claim: 1,726 of 32,768 assignments" in page
    assert page.count("to repeat: exactperm audit &lt;1&gt;") == 1
    assert "note of the claim: 1,726" in report.text(verbose=True)


def test_a_small_gap_is_seen():
    """.04970 beside .05267: the axis is linear there, and the dot does not cover the bar."""
    maize = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    page = audit([{"p": "p = .04970", "data": maize, "stated": "all"}]).html()
    bar, dot = (
        re.search(r'class="said" x1="[\d.]+" y1="16" x2="([\d.]+)"', page),
        re.search(r'cx="([\d.]+)"', page),
    )
    assert float(dot[1]) - float(bar[1]) > 40
    assert ">0.0497<" in page or ">0.0512<" in page


def test_in_a_browser(browser, tmp_path):
    path = tmp_path / "audit.html"
    path.write_text(audit(CLAIMS).html(), encoding="utf-8")
    asked, colours = [], set()
    for scheme in ("light", "dark"):
        page = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme=scheme)
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert page.locator("article").count() == 14
        colours.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        bar, dot = (
            page.locator(f"svg {name}").first.bounding_box() for name in (".said", ".exact")
        )
        assert bar["height"] > dot["height"]
        drawings = page.locator("svg").evaluate_all(
            "all => all.map((svg) => [svg, ...svg.querySelectorAll('text')].map((one) => one.getBoundingClientRect()))"
            ".map(([svg, ...marks]) => marks.every((mark) => svg.left <= mark.left && mark.right <= svg.right))"
        )
        assert len(drawings) > 10
        assert all(drawings), "a mark of an axis is cut"
        page.close()
    assert len(colours) == 2
    assert set(asked) == {path.as_uri()}


LONG = "x" * 300
HOSTILE = [
    {
        "id": LONG,
        "source": f"{LONG} {LONG}",
        "p": "p < .05",
        "data": [1, 2, 3],
        "printed_statistic": LONG,
    },
    {"id": "<script>document.title = 1</script>", "p": LONG, "data": [1, 2, 3]},
    {"id": "bracket", "p": ".1", "data": [1, 2, 3], "adjustment": "holm", "tests": 4},
    {"id": "zero", "p": "0.000", "counts": "0,5000", "statistic": "mcnemar"},
    {"id": "bounds", "p": "p in [1e-9, .3]", "data": [1, 2, 3]},
]


@pytest.mark.parametrize("width", [320, 1280])
def test_long_words_and_scripts_break_nothing(browser, tmp_path, width):
    """Without scripts nothing is missing; nothing overflows; what claims say is never run."""
    path = tmp_path / "audit.html"
    path.write_text(audit(HOSTILE).html(), encoding="utf-8")
    for scripts in (True, False):
        context = browser.new_context(
            java_script_enabled=scripts, viewport={"width": width, "height": 800}
        )
        page = context.new_page()
        page.goto(path.as_uri())
        assert page.title() == "Audit of claims"
        assert page.locator("article").count() == len(HOSTILE)
        sides = page.locator("h1, h2, p, li, svg").evaluate_all(
            "all => all.map((each) => each.getBoundingClientRect()).map((box) => [box.left, box.right])"
        )
        assert len(sides) > len(HOSTILE)
        assert all(0 <= left <= right <= width for left, right in sides)
        context.close()
