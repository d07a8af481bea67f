"""The report of an audit: all findings in three heaps, as text, as JSON and as one HTML page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from .._types import Any
from ..arithmetic.rational import Exact, log10
from ..arithmetic.writing import exact_text, number_text
from ..display.frame import escaped
from ..display.table import lines
from ..record import Result
from .facts import ends_of
from .finding import HEAPS, Finding

SCHEMA = 2
"""Version of the JSON form."""

_STYLE = """
:root { color-scheme: light dark; --ink: #1e293b; --dim: #64748b; --paper: #fff; --line: #e2e8f0;
  --wrong: #b91c1c; --question: #a16207; --fine: #15803d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e2e8f0; --dim: #94a3b8; --paper: #0f172a;
  --line: #334155; --wrong: #fca5a5; --question: #fde047; --fine: #86efac; } }
body { margin: 0 auto; padding: 1rem; max-width: 70rem; color: var(--ink); background: var(--paper);
  font: .95rem/1.4 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.2rem; margin: 0; } p { margin: .2rem 0; }
details { border-top: 1px solid var(--line); padding: .3rem 0; }
summary { cursor: pointer; } summary svg { float: right; margin-left: 1rem; }
b { color: var(--dim); } b.wrong { color: var(--wrong); } b.fine { color: var(--fine); }
b.question { color: var(--question); }
svg line { stroke: var(--dim); } svg .said { stroke: var(--question); stroke-width: 9; }
svg circle { fill: var(--ink); }
"""
_PICTURE = (
    "Bar: the numbers that the printed text stands for; dot: the exact p-value, two its bounds."
)
_WIDTH = 120
_MARGIN = 5


class AuditReport(Result):
    """All findings of an audit, in the order of the claims; iterable."""

    findings: tuple[Finding, ...]
    alpha: Exact
    name: str

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __str__(self) -> str:
        return self.text()

    @property
    def heading(self) -> str:
        """The name of the claims file."""
        return f"Audit of {self.name}"

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns of the rows."""
        return "claim", "verdict", "because"

    @property
    def _ordered(self) -> list[Finding]:
        return sorted(self.findings, key=lambda finding: finding.order)

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """Return the claims as rows, decision errors first."""
        return tuple([(one.id, one.verdict, one.sentence) for one in self._ordered])

    @property
    def counts(self) -> dict[str, int]:
        """The number of findings of each verdict."""
        found = Counter(finding.heap for finding in self.findings)
        return {heap: found[heap] for heap in HEAPS}

    @property
    def summary(self) -> str:
        """The number of claims of each heap, in words."""
        decisions = sum(one.heap == "wrong" and one.decision_differs for one in self.findings)
        told = [f"{count} {HEAPS[heap]}" for heap, count in self.counts.items() if count]
        if decisions:
            told[0] += f" ({decisions} of a decision at {number_text(self.alpha)})"
        claims = f"{len(self)} claim{'s' * (len(self) != 1)}"
        return f"{claims}: {', '.join(told)}" if told else claims

    def text(self, *, verbose: bool = False) -> str:
        """Return plain text: one line for each claim, decision errors first, the counts last.

        ``verbose`` adds to each the letter to its author, and the evidence.
        """
        told: list[str] = []
        for finding in self._ordered:
            told += lines(finding.line(), finding.rows() if verbose else ())
        return "\n".join([*told, self.summary])

    def html(self) -> str:
        """Return one self-contained HTML page: no script, no request, light and dark.

        A claim is one line and a picture; its letter and the evidence unfold.
        """
        from .. import __version__

        policy = "default-src 'none'; style-src 'unsafe-inline'"
        title = escaped(self.heading)
        return "\n".join(
            [
                '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
                '<meta name="viewport" content="width=device-width, initial-scale=1">',
                f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
                f"<title>{title}</title>\n<style>{_STYLE}</style>",
                f"</head>\n<body>\n<main>\n<h1>{title}</h1>",
                f"<p>{escaped(self.summary)}. {_PICTURE}</p>",
                *map(_folded, self._ordered),
                f"</main>\n<footer>exactperm {__version__}</footer>\n</body>\n</html>\n",
            ]
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form with the version of its schema."""
        from .. import __version__

        return {
            "schema": SCHEMA,
            "version": __version__,
            "claims": self.name,
            "alpha": exact_text(self.alpha),
            "counts": self.counts,
            "findings": [finding.to_dict() for finding in self.findings],
        }


def _folded(finding: Finding) -> str:
    """Return a claim as its line and picture, with the rest behind them."""
    name = finding.id + (f" ({finding.source})" if finding.source else "")
    rows = [f"<p><b>{label}</b> {escaped(text)}</p>\n" for label, text in finding.rows()]
    return (
        f'<details>\n<summary>{_picture(finding)}<b class="{finding.heap}">{finding.verdict}</b> '
        f"{escaped(name)} {escaped(finding.sentence)}</summary>\n{''.join(rows)}</details>"
    )


def _picture(finding: Finding) -> str:
    """Draw the numbers of the text as a bar and the exact p-value as dots, on a logarithmic axis.

    It reaches as far again on either side of them, so that a gap shows.
    """
    if finding.exact is None or finding.printed is None:
        return ""
    points = (*finding.printed.hull(finding.alpha), *{*ends_of(finding.exact)})
    least = min((x for x in points if x > 0), default=Fraction(1)) / 2
    logs = [log10(max(least, min(x, Fraction(1)))) for x in points]
    low, reach = min(logs), max(logs) - min(logs) or 1.0
    left, right, *dots = [_MARGIN + _WIDTH * ((x - low) / reach + 1) / 3 for x in logs]
    drawn = "".join(f'<circle cx="{x:.1f}" cy="8" r="3"/>' for x in dots)
    end = _MARGIN + _WIDTH
    return (
        f'<svg width="{end + _MARGIN}" height="16" role="img" aria-label="printed and exact p-value">'
        f'<line x1="{_MARGIN}" y1="14" x2="{end}" y2="14"/>'
        f'<line class="said" x1="{left:.1f}" y1="8" x2="{max(right, left + 2):.1f}" y2="8"/>{drawn}</svg>'
    )
