"""Audit published p-values: read the claims and their data, judge each, and report."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path, PurePath

from .._types import Executor
from ..arithmetic.quoting import short_text
from ..arithmetic.reading import flag, level, whole_number
from ..budget import Budget, Progress, answers
from ..errors import ExactPermError, WrongType
from ..files.sources import MOST_BYTES
from .case import Case
from .claim import Claim
from .claims_file import Placed, claims_in, claims_of
from .data import content, sample_of
from .finding import Finding
from .report import AuditReport
from .sample import Asked
from .verdict import judge


def audit_claim(claim: object, alpha: object = "0.05", budget: Budget | None = None) -> Finding:
    """Judge one published p-value against its data.

    - ``claim``: a :class:`Claim`, or a mapping of its fields; paths of data are relative to the
      current folder.
    - ``alpha``: level of the decision. ``budget``: limit of all counts and brackets of one claim
      together.

    Returns a :class:`Finding`; a claim that cannot be read gives one of the heap "unreadable".
    Raises ``WrongType`` where ``claim`` is neither. Cost: that of one test; of some more where the
    stated one does not print the text.
    Source: spec/10-audit.md#audit-chance.

    >>> maize = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    >>> finding = audit_claim(Claim(p="p = .026", data=maize, alternative="two-sided", law="exact"))
    >>> finding.heap, finding.nearest.told, finding.exact
    ('wrong', 'it is the one-sided p-value', Fraction(863, 16384))
    """
    if not isinstance(claim, (Claim, dict)):
        raise WrongType(f"claim is {short_text(claim)}: it must be a Claim or a dict of its fields")
    return audit([claim], alpha=alpha, budget=budget).findings[0]


def audit(
    claims: object,
    *,
    alpha: object = "0.05",
    budget: Budget | None = None,
    root: object = None,
    strict: bool = False,
    max_input: object = MOST_BYTES,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> AuditReport:
    """Judge published p-values against their data: a claims file, or an iterable of Claims or mappings.

    - ``claims``: a path (.csv, .tsv, .json, .jsonl), or an iterable. A file names data inside its
      own folder only, unless ``root`` names another folder.
    - ``alpha``: level of the decisions. ``budget``: limit of all counts and brackets of one claim
      together.
    - ``strict``: whether fields that a claim does not state take their defaults; else every value
      that the claim leaves open is tried. It is the auditor's policy, and findings say what was
      assumed.
    - ``max_input``: limit of the bytes that are read from one file.
    - ``executor``: any ``concurrent.futures.Executor``; the findings do not depend on it.
      ``progress``: called with (claims done, claims).

    Claims of one source with one adjustment are adjusted together. Raises ``ExactPermError`` where
    the claims file itself cannot be read; a claim that cannot be read is a finding.
    Source: spec/10-audit.md#audit-chance.
    """
    limit = level(alpha)
    budget = Budget.of(budget)
    closed = flag(strict, "strict")
    if not (root is None or isinstance(root, (str, PurePath))):
        raise WrongType(f"root is {short_text(root)}: it must be a path")
    most = whole_number(max_input, "max_input", 1)
    inside = root
    if isinstance(claims, (str, PurePath)):
        name, folder, rows = str(claims), Path(claims).parent, claims_in(Path(claims), most)
        inside = folder if root is None else root
    elif not isinstance(claims, Iterable) or isinstance(claims, (bytes, dict)):
        told = "it must be a path, or an iterable of claims"
        raise WrongType(f"claims is {short_text(claims)}: {told}")
    else:
        name, folder, rows = "claims", Path(), claims_of(claims)
    read = partial(content, folder, None if inside is None else Path(inside), most=most)
    found = dict[int, Finding]()
    cases = dict[int, Case]()
    known: Asked = {}
    for i, row in enumerate(rows):
        claim = row[2]
        try:
            if isinstance(claim, ExactPermError):
                raise claim
            cases[i] = Case(claim, sample_of(claim, read, known), limit, budget, strict=closed)
        except ExactPermError as error:
            found[i] = _unreadable(row, error)
    families = list(_families(cases))
    tasks = [[(rows[i], cases[i]) for i in family] for family in families]
    for family, findings in zip(families, answers(_judged, tasks, executor)):
        found.update(zip(family, findings))
        if progress is not None:
            progress(len(found), len(rows))
    return AuditReport(findings=tuple([found[i] for i in range(len(rows))]), alpha=limit, name=name)


def _families(cases: dict[int, Case]) -> Iterable[list[int]]:
    """Join the claims of one source with one adjustment, which are adjusted together; return all families."""
    families: dict[object, list[int]] = {}
    for i, case in cases.items():
        claim = case.claim
        key = (claim.source, claim.adjustment) if claim.source else i
        families.setdefault(key, []).append(i)
    estimates = max(1, sum(case.claim.law == "monte-carlo" for case in cases.values()))
    for family in families.values():
        for i in family:
            cases[i].family = [cases[j] for j in family]
            cases[i].estimates = estimates
    return families.values()


def _judged(family: list[tuple[Placed, Case]]) -> list[Finding]:
    """Return the verdicts on the claims of one family."""
    found = []
    for row, case in family:
        try:
            found.append(judge(case, row[0]))
        except ExactPermError as error:
            found.append(_unreadable(row, error))
    return found


def _unreadable(row: Placed, error: ExactPermError) -> Finding:
    place, name, claim = row
    known = claim if isinstance(claim, Claim) else None
    return Finding(
        id=name,
        source=known.source if known else "",
        place=place,
        heap="unreadable",
        reason="unreadable",
        claim=known,
        notes=(f"{place}: {error}" if place else str(error),),
        _error=error.with_traceback(None),
    )
