"""Audit published p-values: read the claims, judge each by its data, explain what does not fit, report."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path, PurePath

from .._types import Any, Executor
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact
from ..arithmetic.reading import flag, level, whole_number
from ..budget import Budget, Progress
from ..errors import ExactPermError, WrongType
from ..files.sources import MOST_BYTES
from ..record import replaced
from .case import Case
from .claims import Claim
from .claims_file import Entry, entries_in, entries_of
from .findings import Finding
from .judge import judge
from .left_out import with_left_out
from .report import AuditReport
from .samples import Counted
from .search import explain
from .store import Store


def audit_claim(claim: Any, alpha: Any = "0.05", budget: Budget | None = None) -> Finding:
    """Judge one published p-value against its data.

    - ``claim``: a :class:`Claim`, or a mapping of its fields; paths of data are relative to the
      current folder.
    - ``alpha``: level of the decision. ``budget``: limit of all counts and brackets of one claim
      together.

    Returns a :class:`Finding`; a claim that cannot be read gives one of level "unreadable". Raises
    ``WrongType`` where ``claim`` is neither. Cost: that of one test; of some more where the stated
    convention does not fit.
    Source: spec/10-audit.md.

    >>> maize = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    >>> said = {"alternative": "greater", "law": "exact", "rounded": "no"}
    >>> finding = audit_claim(Claim(p="p = .0277", data=maize, **said))
    >>> finding.level, finding.reason, finding.exact
    ('inconsistent', 'no-explanation', Fraction(863, 32768))
    """
    if not isinstance(claim, (Claim, dict)):
        raise WrongType(f"claim is {short_text(claim)}: it must be a Claim or a dict of its fields")
    return audit([claim], alpha=alpha, budget=budget).findings[0]


def audit(
    claims: Any,
    *,
    alpha: Any = "0.05",
    budget: Budget | None = None,
    root: Any = None,
    strict: bool = False,
    others: bool = False,
    max_input: Any = MOST_BYTES,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> AuditReport:
    """Judge published p-values against their data: a claims file, or an iterable of Claims or mappings.

    - ``claims``: a path (.csv, .tsv, .json, .jsonl), or an iterable. A file names data inside its
      own folder only, unless ``root`` names another folder.
    - ``alpha``: level of the decisions. ``budget``: limit of all counts and brackets of one claim
      together.
    - ``strict``: whether fields that a claim does not state take their defaults; else every usual
      convention that the claim leaves open makes it consistent. A claim says so for itself by
      ``stated="all"``.
    - ``others``: whether findings list the other conventions that print a consistent claim too.
    - ``max_input``: limit of the bytes that are read from one file.
    - ``executor``: any ``concurrent.futures.Executor``; the findings do not depend on it.
      ``progress``: called with (steps done, steps), at most three for each claim.

    Claims of one source with the same stated statistic, law and tail are explained by one
    convention, or not at all. Raises ``ExactPermError`` where the claims file itself cannot be
    read; a claim that cannot be read is a finding.
    Source: spec/10-audit.md.
    """
    limit = level(alpha)
    budget = Budget.of(budget)
    if not (root is None or isinstance(root, (str, PurePath))):
        raise WrongType(f"root is {short_text(root)}: it must be a path")
    most = whole_number(max_input, "max_input", 1)
    if isinstance(claims, (str, PurePath)):
        name, folder = str(claims), Path(claims).parent
        entries = list(entries_in(Path(claims), most))
        store = Store(
            folder, folder if root is None else Path(root), strict=root is None, most=most
        )
    else:
        if not isinstance(claims, Iterable) or isinstance(claims, (bytes, dict)):
            raise WrongType(
                f"claims is {short_text(claims)}: it must be a path, or an iterable of claims"
            )
        name, entries = "claims", list(entries_of(claims))
        store = Store(Path(), None if root is None else Path(root), most=most)
    steps = _Steps(progress, 3 * len(entries))
    if flag(strict, "strict"):
        entries = [_closed(entry) for entry in entries]
    cases, findings = _judged(
        entries, limit, store, budget=budget, executor=executor, progress=steps
    )
    for group in _groups(cases):
        explained = explain([cases[i] for i in group], [findings[i] for i in group], others=others)
        findings.update(
            {i: with_left_out(cases[i], finding) for i, finding in zip(group, explained)}
        )
        steps(len(group))
    _note_repeats(entries, findings)
    ordered = tuple([findings[i] for i in range(len(entries))])
    return AuditReport(findings=ordered, alpha=limit, name=name)


class _Steps:
    """Reports the steps of all claims: the count that is stated, the verdict, the search for an explanation."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def __call__(self, steps: int = 1) -> None:
        self._done += steps
        if self._progress is not None:
            self._progress(self._done, self._total)


def _closed(entry: Entry) -> Entry:
    """Return an entry whose claim leaves nothing open."""
    return (
        entry if entry.claim is None else replaced(entry, claim=replaced(entry.claim, stated="all"))
    )


def _note_repeats(entries: list[Entry], findings: dict[int, Finding]) -> None:
    """Note where an id is also that of an earlier claim."""
    first: dict[str, str] = {}
    for i, entry in enumerate(entries):
        place = first.setdefault(entry.id, entry.place)
        if place != entry.place:
            note = entry.placed(f"the id {short_text(entry.id)} is also that of {place}")
            findings[i] = replaced(findings[i], notes=(*findings[i].notes, note))


def _judged(
    entries: list[Entry],
    alpha: Exact,
    store: Store,
    *,
    budget: Budget,
    executor: Executor | None,
    progress: Callable[..., None],
) -> tuple[dict[int, Case], dict[int, Finding]]:
    """Return the readable claims, and the findings of all by their stated conventions."""
    cases: dict[int, Case] = {}
    counted = Counted()
    findings: dict[int, Finding] = {}
    for i, entry in enumerate(entries):
        try:
            cases[i] = _case(entry, alpha, counted, store, budget)
        except ExactPermError as error:
            findings[i] = _unreadable(entry, error)
    _join_families(cases.values())
    wanted = []
    for case in cases.values():
        with suppress(ExactPermError):  # the verdict on the claim says it
            wanted.append(
                (case.exchanged, case.stated.statistic, case.stated.zeros, case.allowance)
            )
    counted.prepare(wanted, executor, progress)
    sampled = sum(case.claim.law == "monte-carlo" for case in cases.values())
    for i, case in list(cases.items()):
        try:
            findings[i] = judge(case, entries[i].place, max(1, sampled))
        except ExactPermError as error:
            findings[i] = _unreadable(entries[i], error)
            del cases[i]
        progress()
    return cases, findings


def _case(entry: Entry, alpha: Exact, counted: Counted, store: Store, budget: Budget) -> Case:
    if entry.claim is None:
        raise entry.error or ExactPermError()
    return Case(entry.claim, store.sample(entry.claim), alpha, counted, budget)


def _unreadable(entry: Entry, error: ExactPermError) -> Finding:
    return Finding(
        id=entry.id,
        source=entry.claim.source if entry.claim else "",
        claim=entry.claim,
        level="unreadable",
        reason="unreadable",
        notes=(entry.placed(error),),
        place=entry.place,
    )


def _join_families(cases: Iterable[Case]) -> None:
    """Join the claims of one source with one adjustment: they are adjusted together."""
    families: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        if case.claim.adjustment is not None and case.claim.source:
            families.setdefault((case.claim.source, case.claim.adjustment), []).append(case)
    for family in families.values():
        for case in family:
            case.family = family


def _groups(cases: dict[int, Case]) -> Iterable[list[int]]:
    groups: dict[tuple[str, ...], list[int]] = {}
    for i, case in cases.items():
        groups.setdefault(case.group, []).append(i)
    return groups.values()
