"""The site: made strictly, opened from the disk without a network, searched, and followed."""

import importlib.util

import pytest

from web import browser, pages

needs = pytest.mark.skipif(
    importlib.util.find_spec("material") is None or bool(browser.missing()),
    reason='needs the extra "site", and what tests/web/browser.py installs',
)


@needs
@pytest.mark.whole
@pytest.mark.browser
def test_a_reader_searches_and_follows_a_link(tmp_path, playwright):
    """A word leads to its function, in both schemes, on a phone, too; nothing is asked of any server."""
    pages.made(tmp_path / "site")
    assert (tmp_path / "site" / pages.VECTORS).stat().st_size > 10**5
    running = browser.launched(playwright, tmp_path)
    for scheme, width in (("light", 1400), ("dark", 360)):
        context = running.new_context(
            color_scheme=scheme, viewport={"width": width, "height": 800}, offline=True
        )
        tab = context.new_page()
        asked = []
        tab.on("request", lambda request, urls=asked: urls.append(request.url))
        tab.goto((tmp_path / "site" / "index.html").as_uri())
        assert tab.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
        if width < 500:
            tab.click('label[for="__search"]')
        field = tab.locator("input.md-search__input")
        field.click()
        field.press_sequentially("mann_whitney_test", delay=20)
        tab.click('a.md-search-result__link[href*="samples.html#mann_whitney_test"]')
        tab.wait_for_selector("#mann_whitney_test")
        assert not [url for url in asked if not url.startswith(("file:", "data:", "blob:"))]
    running.close()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ('<a href="lost.html">x</a>', "index.html: lost.html"),
        ('<a href="#lost">x</a>', "index.html: #lost"),
        ('<a href="other.html#lost">x</a>', "index.html: other.html#lost"),
        ('<script src="https://x.invalid/a.js"></script>', "loads https://x.invalid/a.js"),
    ],
)
def test_a_link_that_leads_nowhere_is_found(tmp_path, text, wrong):
    (tmp_path / "other.html").write_text('<p id="here">x</p>', encoding="utf-8")
    page = tmp_path / "index.html"
    page.write_text('<a href="other.html#here">x</a> <a href="https://x.invalid">y</a>')
    pages.check(tmp_path)
    page.write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit, match=wrong.replace(".", r"\.")):
        pages.check(tmp_path)


def test_docstrings_become_markdown():
    text = pages.plain("Return ``x`` of :func:`~a.b`.\n\n>>> 1 + 1\n2\n\nMore.")
    assert text == "Return `x` of `a.b`.\n\n```python\n>>> 1 + 1\n2\n\n```\n\nMore."
    pytest.importorskip("latex2mathml")
    assert "<msup>" in pages.MATH.sub(pages.math, "so $2^N$ ways")
