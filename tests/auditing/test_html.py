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
        bar, dot = (page.locator(f"svg {name}").first.bounding_box() for name in (".said", ".exact"))
        assert bar["height"] > dot["height"]
        page.close()
    assert len(colours) == 2
    assert set(asked) == {path.as_uri()}


LONG = "x" * 300
HOSTILE = [
    {"id": LONG, "source": f"{LONG} {LONG}", "p": "p < .05", "data": [1, 2, 3], "printed_statistic": LONG},
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
        context = browser.new_context(java_script_enabled=scripts, viewport={"width": width, "height": 800})
        page = context.new_page()
        page.goto(path.as_uri())
        assert page.title() == "Audit of claims"
        assert page.locator("article").count() == len(HOSTILE)
        for element in page.locator("h1, h2, p, li, svg").all():
            box = element.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
        context.close()
