"""The page of an audit in a real browser: it fits a phone, has dark colours, asks for nothing, and shows the bar."""

import re
from pathlib import Path

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
