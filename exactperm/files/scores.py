"""Read scores from files for programs: the reader of the command line as one public function."""

from __future__ import annotations

from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact
from ..arithmetic.reading import exact_column
from ..errors import ExactPermError, WrongType
from ..record import Result, replaced
from .question import found
from .reading import SYSTEMS, Reading
from .sources import Contents, Source, read_files
from .table import Ask, short

if TYPE_CHECKING:
    from os import PathLike


class Scores(Result):
    """Scores of systems on the same items, as :func:`read_scores` returns them.

    ``systems`` has the exact scores of each system by its name, in the order of ``ids``, which is None where no column
    has the ids of the items. With several runs the entries are lists, the runs of each item. ``units`` are the groups,
    weights, tasks or the design of runs, as keyword arguments of the tests; ``levels`` are the means of the systems,
    ``source`` says how the files were read, and has the first and the last item and the ranges.
    """

    systems: dict[str, list[Any]]
    ids: tuple[str, ...] | None
    units: dict[str, Any]
    levels: tuple[tuple[str, Exact], ...]
    source: Source

    def rows(self) -> tuple[tuple[str, str], ...]:
        """Return what was read, and the mean of each system, as rows of texts."""
        means = ", ".join(f"{name} {short(mean)}" for name, mean in self.levels)
        return (*self.source.rows(), *self.source.back(), ("means", means))

    def __repr__(self) -> str:
        means = ", ".join(f"{name}: mean {short(mean)}" for name, mean in self.levels)
        return f"Scores({means}; {self.source.items} items)"


def read_scores(*paths: str | PathLike[str], **settings: object) -> Scores:
    r"""Return the scores of two systems or more from files, as exact numbers.

    Each path is one file of all systems, or one of each system: CSV, TSV, JSON, JSON Lines, or the output of a known
    evaluation tool; a folder is one that lm-evaluation-harness wrote with its option log_samples. ``settings`` are those of
    the command line: "columns", "id", "by", "system", "score", "runs", "run", "groups", "weights", "tasks", "missing",
    "header", "decimal" and the others of ``exactperm.files.reading.FIELDS``. Nothing is guessed: where a file has no
    single reading, the error says what to choose from.

    Raises ``ExactPermError`` with a code for what cannot be read, and ``WrongType`` for a setting that there is not.
    Cost: about 3 microseconds per cell. Source: spec/09-own-theorems.md#own-exact-numbers.

    >>> import os, tempfile
    >>> from exactperm import permutation_test, read_scores
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "scores.csv")
    ...     with open(path, "w") as file:
    ...         _ = file.write("item,level,old,new\nq1,2,0.5,0.75\nq2,1,0.25,1\n")
    ...     scores = read_scores(path, columns="old,new")
    >>> scores.systems, permutation_test(*scores.systems.values(), **scores.units).pvalue
    ({'old': [Fraction(1, 2), Fraction(1, 4)], 'new': [Fraction(3, 4), 1]}, Fraction(1, 2))
    """
    import os

    reading = Reading.of(settings)
    if not paths:
        raise ExactPermError("paths is empty: name one file of all systems, or one of each")
    for i, path in enumerate(paths):
        if not isinstance(path, (str, os.PathLike)):
            raise WrongType(f"paths[{i}] is {short_text(path)}: it must be the path of a file")
    scores = systems(read_files([os.fspath(path) for path in paths]), reading)
    read = {name: _exact(column, reading) for name, column in scores.systems.items()}
    return replaced(scores, systems=read)


def _exact(column: list[Any], reading: Reading) -> list[Any]:
    if reading.runs is None:
        return exact_column(column, "scores", reading.decimals)
    return [exact_column(runs, "scores", reading.decimals) for runs in column]


def systems(contents: Contents, reading: Reading, *, most: int | None = None) -> Scores:
    """Return the scores of each system in files as texts; ``Ask`` for fewer than two, or more than ``most``."""
    if reading.differences:
        text = "differences: systems are compared in pairs of items"
        raise Ask(text, "settings", "differences")
    read: Any = found(contents, reading, SYSTEMS)
    names = read.names
    if len({*names}) < len(names) or (most is not None and len(names) > most):
        what = f"their names must differ, and at most {most} are compared"
        raise Ask(f"{len(names)} systems: {what}", "systems", "columns")
    units = read.about
    units.pop("statistic", None)
    return Scores(
        systems=dict(zip(names, map(list, read.columns))),
        ids=None if read.ids is None else tuple(read.ids),
        units=units,
        levels=read.levels,
        source=read.source,
    )
