"""Answer the question that files ask: the exact count, or a certified bracket where that is refused."""

from __future__ import annotations

from fractions import Fraction

from ..arithmetic.reading import exact, exact_column
from ..errors import BudgetExceeded, Cure, ExactPermError
from ..permutation import permutation_test
from ..record import replaced
from ..swaps.statistic import difference
from . import checks
from .checks import Asked
from .columns import LAYOUTS, File, Question, Source, altered, ask
from .reading import Reading
from .report import MEAN, RANKS
from .selection import select

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from concurrent.futures import Executor
    from typing import Any

    from ..arithmetic.rational import Exact
    from ..budget import Progress
    from ..compare import Leaderboard
    from ..montecarlo.sampling import MonteCarloResult
    from ..null.float_result import FloatResult
    from ..null.result import PermutationTestResult
    from .columns import Layout
    from .runs import Runs
    from .tables import Table

CLASSICAL = ("signed-rank", "sign", "mcnemar")
"""Statistics of the classical tests, of columns as for the difference; McNemar's has scores 0 and 1."""


SAMPLES = 9999
"""Random swaps of an estimate, unless more are wanted."""


def layout_of(statistic: str) -> Layout:
    """Return the columns that a statistic takes."""
    return LAYOUTS["difference" if statistic in CLASSICAL else statistic]


def question(tables: Sequence[Table], statistic: str, reading: Reading | None = None, **options: Any) -> Question:
    """Return what the test of a statistic compares; see :func:`exactperm.files.columns.ask`.

    Where the reading says what is exchanged, that are the runs of two systems; ``statistic`` is a difference of means.
    """
    if reading is not None and reading.runs is not None:
        return _question_of_runs(tables, statistic, reading, **options)
    found = ask(tables, layout_of(statistic), reading, **options)
    if statistic not in CLASSICAL:
        return found
    words = found.words.replace("sum of the differences", f"{statistic} of the differences")
    noun = RANKS if statistic == "signed-rank" else "a difference in wins"
    return replaced(found, words=words, noun=noun)


MEANS = ("difference", "mean_difference")
"""Statistics that runs have: the difference of the means over items of the means of runs."""


def _question_of_runs(
    tables: Sequence[Table], statistic: str, reading: Reading, *, swapped: bool = False, mu: Exact = 0
) -> Question:
    """Return what is compared of two systems that ran several times on each item."""
    from . import runs

    if statistic not in MEANS:
        name = layout_of(statistic).short if statistic not in CLASSICAL else statistic
        words = "write the mean of its runs as the score of an item, a column for each system"
        if statistic not in CLASSICAL:
            words = "write a row for each run, with the counts of both systems, and choose the items as groups"
        raise ExactPermError(
            f"runs are compared by means of scores, not by the statistic {name}",
            code="runs-statistic",
            cure=Cure(words=words),
        )
    if mu:
        raise ExactPermError(
            "mu and runs exclude each other: subtract it from the scores in the file", code="runs-options"
        )
    found = runs.chosen(tables, reading, most=2)
    source, levels = _source_of_runs(found)
    systems = zip([name for name, _level in levels], found.scores.values())
    (first, u), (second, v) = reversed([*systems]) if swapped else systems
    return Question(
        statistic=difference,
        u=u,
        v=v,
        groups=None,
        words=f"mean over items of the difference of means of runs, {first} - {second}",
        source=source,
        noun=MEAN,
        levels=levels,
        weights=found.weights,
        design=reading.runs or "",
    )


def _source_of_runs(found: Runs) -> tuple[Source, tuple[tuple[str, Exact], ...]]:
    """Return where runs come from, and what each system reaches."""
    from . import runs

    reading = found.reading
    about = reading.decimals, found.weights
    levels = tuple((name, runs.mean(items, *about)) for name, items in found.scores.items())
    columns = [[text for item in items for text in item] for items in found.scores.values()]
    notes = checks.run(Asked(kind="scores", names=found.names, columns=columns, levels=levels))
    source = Source(
        files=tuple(map(File.of, found.parts)),
        names=found.names,
        pairs=found.items,
        id=reading.id,
        missing=reading.missing,
        dropped=found.dropped,
        weights=reading.weights,
        decimals=reading.decimals,
        rounded=0 if reading.decimals is None else altered(columns, reading.decimals),
        warnings=(*found.notes, *notes),
        runs=found.told,
        spans=found.spans,
    )
    if reading.names is not None:
        from .names import named

        source = replaced(source, systems=named(reading.names, found.names))
        levels = tuple(zip(source.systems, [level for _name, level in levels]))
    return source, levels


def systems(
    tables: Sequence[Table], reading: Reading | None = None, *, most: int | None = None
) -> tuple[dict[str, list[Any]], dict[str, Any], Source]:
    """Return the scores of each system by its name, the groups, weights and tasks, and where the data come from.

    Where the reading says what is exchanged, the scores of a system are lists, the runs of each item.

    Raises ``ExactPermError`` for fewer than two systems, for more than ``most``, and for two of the same name.
    """
    reading = Reading() if reading is None else reading
    if reading.runs is not None:
        from . import runs

        found = runs.chosen(tables, reading, most=most)
        source = _source_of_runs(found)[0]
        runs_of = dict(zip(source.systems or found.names, found.scores.values()))
        return dict(runs_of), {"design": reading.runs, "weights": found.weights}, source
    most = max(2, sum(table.width for table in tables)) if most is None else most
    chosen = select(tables, range(2, most + 1), "one per system", reading)
    means = [exact(Fraction(sum(exact_column(column, "scores")), len(column))) for column in chosen.columns]
    levels = tuple(zip(chosen.names, means))
    notes = checks.run(Asked(kind="scores", names=chosen.names, columns=chosen.columns, levels=levels))
    source = Source.of(chosen, reading, more=notes)
    if reading.names is not None:
        from .names import named

        source = replaced(source, systems=named(reading.names, chosen.names))
    scores = dict(zip(source.systems or chosen.names, chosen.columns))
    if len(scores) < len(chosen.names):
        raise ExactPermError(f"{source.name}: two columns have the same name: {', '.join(chosen.names)}", code="names")
    return scores, {"groups": chosen.labels, "weights": chosen.weights, "tasks": chosen.tasks}, source


def counted(
    question: Question,
    statistic: str,
    *,
    method: str = "auto",
    zeros: str = "wilcox",
    progress: Progress | None = None,
    executor: Executor | None = None,
    **options: Any,
) -> PermutationTestResult:
    """Return the exact result of a question; ``BudgetExceeded`` where the count is refused.

    ``options`` are those that every test takes: the alternative, decimals and the budget.
    """
    if question.design:
        from ..runs import permutation_test_runs

        known: Any = {"design": question.design, "weights": question.weights, "method": method, "progress": progress}
        return permutation_test_runs(question.u, question.v, **known, **options)
    if statistic not in CLASSICAL:
        about: Any = {"statistic": question.statistic, **question.units, "method": method}
        return permutation_test(question.u, question.v, progress=progress, executor=executor, **about, **options)
    from ..classical import sign_test, wilcoxon_signed_rank_test

    if statistic == "signed-rank":
        return wilcoxon_signed_rank_test(question.u, question.v, zero_method=zeros, **options)
    result = sign_test(question.u, question.v, **options)
    if statistic == "sign":
        return result
    return replaced(result, _name="discordant items")


def enclosed(
    question: Question, statistic: str = "difference", *, zeros: str = "wilcox", **options: Any
) -> FloatResult:
    """Return the certified bracket of a question, or of its signed ranks; ``options`` as of that test."""
    if statistic == "signed-rank":
        from ..classical import fast_wilcoxon_signed_rank_test

        return fast_wilcoxon_signed_rank_test(question.u, question.v, zero_method=zeros, **options)
    if question.design:
        from ..runs import fast_permutation_test_runs

        known: Any = {"design": question.design, "weights": question.weights}
        return fast_permutation_test_runs(question.u, question.v, **known, **options)
    from ..fast import fast_permutation_test

    about: Any = {"statistic": question.statistic, **question.units}
    return fast_permutation_test(question.u, question.v, **about, **options)


def estimated(
    question: Question,
    samples: int,
    seed: int,
    *,
    decimals: int | None = None,
    **options: Any,
) -> MonteCarloResult:
    """Return a Monte Carlo estimate from random swaps, for comparison and where no count is possible.

    Every statistic of a file changes its sign where all pairs are swapped. Raises ``ExactPermError`` for twice a
    one-sided p-value, which is no probability.
    """
    from ..montecarlo.sampling import monte_carlo_test

    if question.design:
        first, second = [[exact_column(x, "scores", decimals) for x in runs] for runs in (question.u, question.v)]
        known: Any = {"K": samples, "rng": seed, "design": question.design}
        return monte_carlo_test(first, second, **known, **options)
    statistic = question.statistic
    read: Any = statistic.read

    def t(first: list[Any], second: list[Any]) -> Exact:
        sums = [sum(map(g, first, second)) for g in statistic.components]
        value: Exact = sums[0] if statistic.combine is None else statistic.combine(*sums)
        return value

    u, v = read(question.u, "u", decimals), read(question.v, "v", decimals)
    return monte_carlo_test(u, v, t, samples, rng=seed, groups=question.groups, **options)


def answered(
    question: Question,
    statistic: str,
    *,
    digits: int | None = None,
    progress: Progress | None = None,
    executor: Executor | None = None,
    **options: Any,
) -> tuple[PermutationTestResult | FloatResult, dict[str, Any]]:
    """Return the exact result, or a certified bracket where that is refused, and what a record says of the refusal."""
    try:
        return counted(question, statistic, progress=progress, executor=executor, **options), {}
    except BudgetExceeded as refusal:
        if statistic in CLASSICAL:
            raise
        try:
            result = enclosed(question, digits=digits, progress=progress, **options)
        except ExactPermError:  # too much work as well, or no bracket is known for the statistic
            raise refusal from None
        return result, {"exact": False, "refused": refusal.brief}


def compared(scores: Mapping[str, Any], *, method: str = "auto", **options: Any) -> tuple[Leaderboard, str]:
    """Return the tests of all pairs of systems, and why they are brackets where the exact count is refused.

    ``method`` is "auto" (exact, or certified where that is refused), "exact" (refused where it is too much work) or
    "certified".
    """
    from ..compare import compare_all

    if method == "certified":
        return compare_all(scores, method="certified", **options), ""
    try:
        return compare_all(scores, **options), ""
    except BudgetExceeded as refusal:
        if method == "exact":
            raise
        try:
            return compare_all(scores, method="certified", **options), refusal.brief
        except ExactPermError:  # too much work as well, or no bracket is known for the statistic
            raise refusal from None


def line(result: PermutationTestResult | FloatResult, question: Question, **details: Any) -> str:
    """Return the line that reports a result in a paper; ``details`` are those of the question that it names."""
    source = question.source
    digests = tuple(dict.fromkeys(file.sha256 for file in source.files))
    sentence = result.sentence(**{"sha256": digests, "decimals": source.decimals, **details})
    if len(source.names) == 1 and sentence.units == "pairs":
        sentence = replaced(sentence, units="differences")
    return str(sentence)


def record(result: Any, question: Question, *, seconds: float | None = None, **stated: Any) -> dict[str, Any]:
    """Return the record of a result: its fields, where its data come from, and what is ``stated`` of it.

    Without the time in ``seconds``, the same files and options give the same record.
    """
    timing = {} if seconds is None else {"seconds": round(seconds, 6)}
    return {**result.to_dict(), **question.source.to_dict(), **stated, **timing}
