"""What a notebook shows of an object."""

import re
import xml.etree.ElementTree as ET

MOST = 50_000


def form(shown):
    return shown._repr_html_() if hasattr(shown, "_repr_html_") else shown._repr_svg_()


def well_formed(shown, words):
    """Well-formed, at most 50 KB, every text escaped, every id its own, nothing fetched."""
    text = form(shown)
    assert len(text.encode()) <= MOST
    ET.fromstring(f"<div>{text}</div>")
    assert [word for word in words if word not in text] == []
    assert "<script" not in text
    assert not re.search(r"[\x00-\x09\x0b-\x1f]|(?:src|href)=", text)
    names = re.findall(r'\sid="([^"]+)"', text)
    assert len(names) == len(set(names)) > 0
    rules = [
        rule
        for block in re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
        for rule in block.split("}")
    ]
    ours = re.compile(r"\s*(@media \(prefers-color-scheme: dark\) \{\s*)?#(null|exactperm)-")
    assert all(ours.match(rule) for rule in rules if rule.strip())
