"""The report of an audit: all findings, as text, as JSON and as one HTML page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from .._types import Any
from ..arithmetic.quoting import printable
from ..arithmetic.writing import exact_text, number_text
from ..record import Record
from .findings import LEVELS, Finding
from .html import claims, page

SCHEMA = 1


class AuditReport(Record):
    """All findings of an audit, in the order of the claims; iterable."""

    findings: tuple[Finding, ...]
    alpha: Any
    name: str

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __str__(self) -> str:
        return self.text()

    @property
    def counts(self) -> dict[str, int]:
        """The number of findings of each level."""
        found = Counter(finding.level for finding in self.findings)
        return {level: found[level] for level in LEVELS}

    def text(self, *, verbose: bool = False, commands: Sequence[str | None] = ()) -> str:
        """Return plain text: one line for each claim, decision errors first, the counts last.

        ``verbose`` adds to each its sentence and its evidence, which may be sent to the author of
        the document. ``commands`` has for each finding the command that repeats it, or None.
        """
        lines = []
        pairs = zip_longest(self.findings, commands[: len(self)])
        for finding, command in sorted(pairs, key=lambda pair: LEVELS.index(pair[0].level)):
            lines.append(finding.line())
            if verbose or finding.level == "unreadable":
                told = [*finding.details(), *([f"to repeat: {command}"] if command else [])]
                lines += [f"    {detail}" for detail in told]
        counts = (
            ", ".join(f"{count} {level}" for level, count in self.counts.items() if count)
            or "no claims"
        )
        return "\n".join([*map(printable, lines), f"{claims(len(self))}: {counts}"])

    def html(self, commands: Sequence[str | None] = ()) -> str:
        """Return one self-contained HTML page: no script, no request, light and dark.

        ``commands`` has for each finding the command that repeats it, or None.
        """
        return page(self.findings, self.counts, self.name, number_text(self.alpha), commands)

    def _repr_html_(self) -> str:
        """Return the table that notebooks show, decision errors first."""
        from ..display.table import table

        ordered = sorted(self.findings, key=lambda finding: LEVELS.index(finding.level))
        rows = [finding.cells() for finding in ordered]
        return table(
            f"Audit of {self.name}", rows, ("claim", "verdict", "printed", "exact p", "reason")
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
