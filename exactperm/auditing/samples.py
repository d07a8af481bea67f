"""The data behind a claim: read once for each file, then one count for each statistic that a claim needs."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath

from ..arithmetic.quoting import short_text
from ..arithmetic.reading import exact_column
from ..classical import wilcoxon_signed_rank_test
from ..errors import ExactPermError
from ..files import columns, sources, tables
from ..files.selection import Choice
from ..permutation import permutation_test, sign_flip_test
from ..record import Record
from ..swaps.columns import check_paired
from .conventions import ZEROS, facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import Executor
    from typing import Any

    from ..arithmetic.rational import Exact
    from ..budget import Budget, Progress
    from ..swaps.statistic import Statistic
    from .claims import Claim
    from .conventions import Facts

_LAYOUTS = {
    "accuracy": "accuracy",
    "f1": "f1_difference",
    "precision": "precision_difference",
    "recall": "recall_difference",
    "ratio": "ratio_difference",
}
NUMERIC = ("sum", "signed-rank", "sign", "mcnemar")
"""Statistics of a column of differences."""


class Sample(Record):
    """The pairs of one claim: ``differences`` for a numeric statistic, else entries ``u`` and ``v`` of ``rule``.

    ``n`` pairs; ``sha256`` of the file, None for data in memory; ``notes`` say what reading decided.
    """

    n: int
    differences: tuple[Exact, ...] | None = None
    rule: Statistic | None = None
    u: tuple[Any, ...] = ()
    v: tuple[Any, ...] = ()
    sha256: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def n_nonzero(self) -> int:
        """Number of pairs with a difference."""
        return self.n if self.differences is None else sum(d != 0 for d in self.differences)

    def count(self, statistic: str, zeros: str | None, budget: Budget | None = None) -> Facts:
        """Count the two-sided test of one statistic. Raises as the test does."""
        if self.differences is None:
            return facts(permutation_test(self.u, self.v, statistic=self.rule, budget=budget))  # type: ignore[arg-type]
        if statistic == "sum":
            return facts(sign_flip_test(self.differences, budget=budget))
        if statistic == "signed-rank":
            method: Any = ZEROS[zeros or "drop"][0]
            flat = [0] * self.n
            return facts(wilcoxon_signed_rank_test(self.differences, flat, zero_method=method, budget=budget), step=1)
        return facts(sign_flip_test(Counter((d > 0) - (d < 0) for d in self.differences), budget=budget))


class Counted:
    """Counts each statistic of each sample once, however many claims and conventions need it."""

    def __init__(self, budget: Budget | None) -> None:
        self._budget = budget
        self._found: dict[tuple[int, str, str | None], Facts | ExactPermError] = {}
        self._samples: list[Sample] = []  # kept, so that their identities stay theirs

    def facts(self, sample: Sample, statistic: str, zeros: str | None) -> Facts:
        """The facts of one statistic; raises again what the count raised."""
        self.prepare([(sample, statistic, zeros)])
        found = self._found[id(sample), statistic, zeros]
        if isinstance(found, ExactPermError):
            raise found
        return found

    def prepare(
        self,
        wanted: list[tuple[Sample, str, str | None]],
        executor: Executor | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Count what is not known yet, in the tasks of an executor if there is one."""
        new = {(id(one[0]), one[1], one[2]): one for one in wanted}
        tasks = [(*one, self._budget) for key, one in new.items() if key not in self._found]
        self._samples += [task[0] for task in tasks]
        for task, found in zip(tasks, map(_counted, tasks) if executor is None else executor.map(_counted, tasks)):
            self._found[id(task[0]), task[1], task[2]] = found
            if progress is not None:
                progress(len(self._found), len(tasks))


def _counted(task: tuple[Sample, str, str | None, Budget | None]) -> Facts | ExactPermError:
    sample, statistic, zeros, budget = task
    try:
        return sample.count(statistic, zeros, budget)
    except ExactPermError as error:
        return error


class Store:
    """Reads data files, each once, inside one folder; ``root`` None allows any path."""

    def __init__(self, folder: Path, root: Path | None) -> None:
        self._folder, self._root = folder, root
        self._files: dict[Path, tuple[bytes, str]] = {}
        self._samples: dict[Any, tuple[Sample, Any]] = {}

    def sample(self, claim: Claim) -> Sample:
        """The sample of a claim; ``ExactPermError`` where its data cannot be read."""
        kind = claim.statistic if claim.statistic in _LAYOUTS or claim.statistic == "mcnemar" else "sum"
        source = str(claim.data) if isinstance(claim.data, (str, PurePath)) else id(claim.data)
        key = (source, claim.counts, claim.columns, claim.orientation, claim.mu, claim.missing, kind)
        if key not in self._samples:
            self._samples[key] = self._read(claim), claim.data  # kept, so that its identity stays its own
        return self._samples[key][0]

    def _read(self, claim: Claim) -> Sample:
        if claim.counts is not None:
            b, c = claim.counts if claim.orientation == "first-second" else claim.counts[::-1]
            return Sample(n=b + c, differences=(1,) * b + (-1,) * c)
        if isinstance(claim.data, (str, PurePath)):
            return self._from_file(claim)
        return _from_columns(claim, *_chosen(claim))

    def _from_file(self, claim: Claim) -> Sample:
        data, digest = self._bytes(str(claim.data))
        name = str(claim.data)
        layout = columns.LAYOUTS[_LAYOUTS.get(claim.statistic, "difference")]
        choice = Choice(columns=claim.columns, missing=claim.missing)
        sheet = sources.sheet(data, name, choice, comments=layout.kind != "labels")
        question = columns.ask([sheet], layout, choice)
        notes = tuple(f"{name}, {what}: {words}" for what, words in question.source.notes())
        sample = _sample(claim, question.statistic, list(question.u), list(question.v))
        return Sample(**{**_fields(sample), "sha256": digest, "notes": notes})

    def _bytes(self, name: str) -> tuple[bytes, str]:
        path = _inside(self._folder / name, self._folder if self._root is None else self._root, name)
        if path not in self._files:
            data = tables.read_bytes(str(path), name)
            self._files[path] = data, hashlib.sha256(data).hexdigest()
        return self._files[path]


def _fields(sample: Sample) -> dict[str, Any]:
    return {name: getattr(sample, name) for name in sample._fields}


def _inside(path: Path, root: Path, name: str) -> Path:
    """The real path of a data file; refused where it leads out of the folder."""
    try:
        resolved = path.resolve()
    except (OSError, ValueError, RuntimeError) as error:  # ValueError: a null byte; RuntimeError: a loop of links
        raise ExactPermError(f"cannot read {short_text(name)}: {error}") from None
    if root.resolve() not in resolved.parents:
        raise ExactPermError(f"the data file {short_text(name)} is outside of {root}: allow its folder with --root DIR")
    return resolved


def _chosen(claim: Claim) -> list[Any]:
    """The columns of data in memory."""
    data = claim.data
    if isinstance(data, Mapping):
        names = [name.strip() for name in claim.columns.split(",")] if claim.columns else list(data)
        missing = [name for name in names if name not in data]
        if missing:
            raise ExactPermError(f"data has no column {short_text(missing[0])}")
        return [data[name] for name in names]
    found = list(data)
    if not all(isinstance(column, Iterable) and not isinstance(column, (str, bytes)) for column in found):
        return [found]  # one column of differences
    return found


def _from_columns(claim: Claim, *found: Any) -> Sample:
    layout = columns.LAYOUTS[_LAYOUTS.get(claim.statistic, "difference")]
    if len(found) not in layout.allowed:
        need = " or ".join(map(str, layout.allowed))
        raise ExactPermError(f"data has {len(found)} columns: {claim.statistic} needs {need} ({layout.meaning})")
    rule, u, v = layout.entries([list(column) for column in found])
    return _sample(claim, rule, u, v)


def _sample(claim: Claim, rule: Statistic, u: list[Any], v: list[Any]) -> Sample:
    if claim.statistic not in NUMERIC:
        first, second = (u, v) if claim.orientation == "first-second" else (v, u)
        return Sample(n=len(u), rule=rule, u=tuple(first), v=tuple(second))
    first, second = exact_column(u, "u"), exact_column(v, "v")
    check_paired(first, second)
    if claim.statistic == "mcnemar" and not {*first, *second} <= {0, 1}:
        raise ExactPermError("McNemar's test needs 0/1 scores: 1 where the system is right")
    sign = 1 if claim.orientation == "first-second" else -1
    return Sample(n=len(first), differences=tuple(sign * (a - b - claim.mu) for a, b in zip(first, second)))
