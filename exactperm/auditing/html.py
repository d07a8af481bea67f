"""An audit report as one HTML file: no script, no request, readable on a phone and in the dark."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from html import escape
from itertools import zip_longest

from ..arithmetic.rational import log10
from ..arithmetic.writing import decimal_string
from .findings import LEVELS, Finding

_SIGNS = {
    "decision-inconsistent": "!",
    "inconsistent": "\N{MULTIPLICATION SIGN}",
    "undecided": "?",
    "unreadable": "\N{EM DASH}",
    "consistent": "\N{CHECK MARK}",
}
_STYLE = """
:root { color-scheme: light dark; --ink: #1e293b; --dim: #64748b; --paper: #ffffff; --line: #e2e8f0;
  --bad: #b91c1c; --mild: #b45309; --open: #a16207; --good: #15803d; --none: #475569; }
@media (prefers-color-scheme: dark) { :root { --ink: #e2e8f0; --dim: #94a3b8; --paper: #0f172a; --line: #334155;
  --bad: #fca5a5; --mild: #fdba74; --open: #fde047; --good: #86efac; --none: #cbd5e1; } }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; color: var(--ink); background: var(--paper);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.3rem; overflow-wrap: anywhere; } h2 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
article { border-top: 1px solid var(--line); padding: .8rem 0; }
.level { font-weight: 600; } .decision-inconsistent { color: var(--bad); } .inconsistent { color: var(--mild); }
.undecided { color: var(--open); } .consistent { color: var(--good); } .unreadable { color: var(--none); }
p, ul { margin: .2rem 0; overflow-wrap: anywhere; } ul { padding-left: 1.2rem; color: var(--dim); }
footer { border-top: 1px solid var(--line); padding-top: .8rem; color: var(--dim); }
svg { display: block; width: 100%; max-width: 30rem; height: auto; }
svg line { stroke: var(--dim); } svg .said { stroke: var(--mild); stroke-width: 18; opacity: .75; }
svg .exact { fill: var(--ink); } svg text { fill: var(--dim); font: 11px system-ui, sans-serif; }
"""
_LEGEND = "The bar has the numbers that the printed text stands for, the dot is the exact p-value; two dots are its bounds."
_WIDTH = 320
_MARGIN = 40  # half of the longest mark, and more
_DECADES = 12
_NEAR = 3
"""The greatest number over the least up to which the axis is linear."""


def page(
    findings: Sequence[Finding],
    levels: Mapping[str, int],
    name: str,
    alpha: str,
    commands: Sequence[str | None] = (),
) -> str:
    """Return a report as the text of an HTML page; every text of the claims is escaped."""
    from .. import __version__

    pairs = zip_longest(findings, commands[: len(findings)])
    ordered = sorted(pairs, key=lambda pair: LEVELS.index(pair[0].level))
    counts = (
        ", ".join(f"{count} {level}" for level, count in levels.items() if count) or "no claims"
    )
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
            f"<title>Audit of {_safe(name)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>",
            f"<h1>Audit of {_safe(name)}</h1>\n<p>{claims(len(findings))}: {counts}.</p>",
            f"<p>Decisions at alpha = {_safe(alpha)}. {_LEGEND}</p>",
            *[_article(finding, command) for finding, command in ordered],
            f"</main>\n<footer>exactperm {__version__}</footer>\n</body>\n</html>\n",
        ]
    )


def _article(finding: Finding, command: str | None) -> str:
    printed = "" if finding.claim is None else f"<p>Printed: {_safe(finding.claim.p)}</p>"
    letter = [*finding.letter()] if finding.level != "unreadable" else []
    told = [*finding.details()][len(letter) :] + ([f"to repeat: {command}"] if command else [])
    told += [] if finding.level == finding.reason else [f"reason: {finding.reason}"]
    details = "".join(f"<li>{_safe(detail)}</li>" for detail in told)
    paragraphs = "".join(f"<p>{_safe(paragraph)}</p>\n" for paragraph in letter)
    name = (finding.id or finding.heading) + (f" ({finding.source})" if finding.source else "")
    return (
        f"<article>\n<h2>{_safe(name)}</h2>\n"
        f'<p><span class="level {finding.level}">{_SIGNS[finding.level]} {finding.level}</span></p>'
        f"\n{printed}{paragraphs}{_drawing(finding)}<ul>{details}</ul>\n</article>"
    )


def claims(number: int) -> str:
    """Write a number of claims."""
    return "1 claim" if number == 1 else f"{number} claims"


def _safe(text: str) -> str:
    """Return text for HTML: escaped, control characters replaced."""
    return escape(
        "".join(c if c.isprintable() or c == " " else "\N{REPLACEMENT CHARACTER}" for c in text)
    )


def _drawing(finding: Finding) -> str:
    """Draw the printed interval as a bar and the exact p-value as a dot.

    The axis is logarithmic, from 1 down; where all lies within half a decade it is linear, so that
    a gap shows.
    """
    said = _said(finding)
    if finding.exact is None or said is None:
        return ""
    ends = finding.exact if isinstance(finding.exact, tuple) else (finding.exact, finding.exact)
    place, marks = _axis((*said, *ends))
    left, right = [place(x) for x in said]
    dots = "".join(f'<circle class="exact" cx="{place(x):.1f}" cy="16" r="4"/>' for x in set(ends))
    ticks = "".join(
        f'<line x1="{place(x):.1f}" y1="28" x2="{place(x):.1f}" y2="33"/>'
        f'<text x="{place(x):.1f}" y="46" text-anchor="middle">{name}</text>'
        for x, name in marks
    )
    return (
        f'<svg viewBox="0 0 {_WIDTH + 2 * _MARGIN} 52" role="img" aria-label="printed interval and exact p-value">'
        f'<line x1="{_MARGIN}" y1="28" x2="{_MARGIN + _WIDTH}" y2="28"/>{ticks}'
        f'<line class="said" x1="{left:.1f}" y1="16" x2="{max(right, left + 3):.1f}" y2="16"/>{dots}</svg>'
    )


def _axis(
    points: Sequence[Fraction],
) -> tuple[Callable[[Fraction], float], list[tuple[Fraction, str]]]:
    """Return the place of a p-value on the axis, and the marks of the axis."""
    low, high = min(points), max(points)
    if 0 < low < high <= _NEAR * low:
        middle, reach = (low + high) / 2, high - low
        start, end = max(Fraction(0), middle - reach), middle + reach
        marks = [(x, decimal_string(x, 3)) for x in (start, middle, end)]
        return lambda p: _MARGIN + float((p - start) / (end - start)) * _WIDTH, marks
    smallest = min((x for x in points if x > 0), default=Fraction(1))
    decades = max(2, min(_DECADES, 1 - int(log10(smallest))))
    powers = range(0, decades + 1, 1 + decades // 6)
    return lambda p: _place(p, decades), [
        (Fraction(1, 10**k), "1" if k == 0 else f"1e-{k}") for k in powers
    ]


def _said(finding: Finding) -> tuple[Fraction, Fraction] | None:
    """Return the interval of p-values that the printed text stands for."""
    printed = finding.printed
    if printed is None or printed.value is None:
        return None
    if printed.relation in ("<", "<="):
        return Fraction(0), Fraction(printed.value)
    if printed.relation in (">", ">="):
        return Fraction(printed.value), Fraction(1)
    low, high = printed.interval
    return max(Fraction(0), low), min(Fraction(1), high)


def _place(p: Fraction, decades: int) -> float:
    """Return the place of p on the axis: 1 at the right end, 10**-decades and below at the left end."""
    share = 0.0 if p <= 0 else max(0.0, 1 + log10(p) / decades)
    return _MARGIN + min(1.0, share) * _WIDTH
