"""Answer the question that files ask, write the answer, and count a recorded one again.

An answer is the exact count, or a certified bracket where that is refused. A record is a result as JSON, not an item of
a JSON file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial

from .._types import TYPE_CHECKING, Any, Executor, TypeVar, Union
from ..arithmetic.quoting import printable, short_text
from ..arithmetic.rational import Exact
from ..arithmetic.reading import exact, exact_column
from ..arithmetic.writing import (
    decimal_string,
    exact_text,
    fraction_text,
    number_text,
    parse_exact,
    placed_text,
    readable,
)
from ..budget import Budget, Progress
from ..display.table import lines
from ..errors import BudgetExceeded, Cure, ExactPermError
from ..null.alternative import centred, sides
from ..null.result import PermutationTestResult
from ..permutation import permutation_test
from ..record import replaced
from ..swaps.statistic import Subject
from .question import Question
from .reading import CLASSICAL, DIFFERENCE, FORMS, MEANS
from .table import short

if TYPE_CHECKING:
    from ..arithmetic.enclosure import Enclosure
    from ..intervals.confidence import ConfidenceInterval
    from ..null.float_result import FloatResult

    Tested = Union[PermutationTestResult, FloatResult]

Counted = TypeVar("Counted")
Enclosed = TypeVar("Enclosed")

RANKS = FORMS["wilcoxon"].noun, "a number of pairs won"
"""The nouns of the two statistics whose mean under swaps is not 0."""

_OF_ORDER = {*RANKS, *[FORMS[name].noun for name in CLASSICAL]}
"""The nouns of statistics whose sign is not that of the difference of means."""

_MOVES = {
    "within": "exchanges of runs within items",
    "items": "swaps of the items' runs",
    "systems": "exchanges of whole runs",
    "samples": "ways to deal the values to the samples",
}
"""What is counted under the designs of runs, and of two samples."""

_FRACTION = 21
"""Longest fraction that is written behind a decimal."""

_LEAST_PERCENT = Fraction(1, 10**6)
"""Least share that is written in percent."""


def counted(
    question: Question,
    statistic: str,
    *,
    zeros: str = "wilcox",
    progress: Progress | None = None,
    executor: Executor | None = None,
    **options: Any,
) -> PermutationTestResult:
    """Return the exact result of a question; ``BudgetExceeded`` where the count is refused.

    ``options`` are those that every test takes: the alternative, decimals and the budget.
    """
    u, v = question.u, question.v
    engine: Any = {"progress": progress, **question.about, **options}
    if question.design:
        from .. import samples

        if question.design != "samples":
            return samples.permutation_test_runs(u, v, **engine)
        if statistic == "wilcoxon":
            return samples.mann_whitney_test(u, v, **engine)
        return samples.two_sample_test(u, v, **engine)
    if statistic not in CLASSICAL:
        return permutation_test(u, v, executor=executor, **engine)
    from ..classical import paired

    if question.counts:
        side, budget = options["alternative"], options["budget"]
        return paired.mcnemar_test(u[0], v[0], alternative=side, budget=budget)
    if statistic == "wilcoxon":
        return paired.wilcoxon_signed_rank_test(u, v, zero_method=zeros, **options)
    result = paired.sign_test(u, v, **options)
    named = Subject(name="discordant items")
    return replaced(result, _about=named) if statistic == "mcnemar" else result


def enclosed(
    question: Question, statistic: str = "difference", *, zeros: str = "wilcox", **options: Any
) -> FloatResult:
    """Return the certified bracket of a question, or of its signed ranks; ``options`` as of that test.

    Ranks of two samples have none.
    """
    from .. import fast, samples
    from ..classical import paired

    u, v = question.u, question.v
    if statistic == "wilcoxon":
        return paired.fast_wilcoxon_signed_rank_test(u, v, zero_method=zeros, **options)
    test: Any = fast.fast_permutation_test
    if question.design:
        unpaired = question.design == "samples"
        test = samples.fast_two_sample_test if unpaired else samples.fast_permutation_test_runs
    found: FloatResult = test(u, v, **question.about, **options)
    return found


def answered(
    question: Question,
    statistic: str,
    *,
    method: str = "auto",
    digits: int | None = None,
    executor: Executor | None = None,
    **options: Any,
) -> tuple[Tested, str]:
    """Return the result of a question, and why the exact count was refused, "" where it was not.

    ``method`` is one of :func:`by_method`; ranks and signs have brackets only by name.
    """
    count = partial(counted, question, statistic, executor=executor, **options)
    enclose = partial(enclosed, question, statistic, digits=digits, **options)
    known = "exact" if method == "auto" and statistic in CLASSICAL else method
    return by_method(known, count, enclose)


def by_method(
    method: str, count: Callable[[], Counted], enclose: Callable[[], Enclosed]
) -> tuple[Counted | Enclosed, str]:
    """Return what is counted and "" or, where ``method`` is "certified", what has brackets.

    Of "auto" that is where counting is refused, and the text says why; the refusal is raised where there is no
    bracket, or that is too much work as well.
    """
    if method == "certified":
        return enclose(), ""
    try:
        return count(), ""
    except BudgetExceeded as refusal:
        if method != "auto":
            raise
        try:
            return enclose(), refusal.brief
        except ExactPermError:
            raise refusal from None


def interval(
    question: Question, *, confidence: object = "0.95", **options: Any
) -> ConfidenceInterval:
    """Return the confidence interval of the difference of means; ``options`` are those of the library."""
    from ..intervals.confidence import confidence_interval

    groups = question.groups
    return confidence_interval(question.u, question.v, confidence, groups=groups, **options)


def quick_interval(
    question: Question, statistic: str, *, decimals: int | None = None
) -> ConfidenceInterval | str:
    """Return the two-sided 95% interval, or why there is none; "" where no reader would look for one.

    Scores of 0 and 1 have no shift. An interval that is expected to take a second or more is left
    out.
    """
    if question.design == "samples":
        return "two samples have none here"
    about = question.design, question.weights, question.tasks, question.counts
    if statistic not in MEANS or any(about):
        return ""
    ends = {end for _name, *both in question.source.ranges for end in both}
    if ends == {0, 1} and {*exact_column([*question.u, *question.v], "scores")} == ends:
        return "scores of 0 and 1 have one only on request"
    try:
        return interval(question, decimals=decimals, budget=Budget(seconds=1))
    except ExactPermError:
        return ""


# ---------------------------------------------------------------------------------------------- text


def elapsed(seconds: float) -> str:
    """Write a time span for people.

    >>> elapsed(0.00123), elapsed(12.345)
    ('1.2 ms', '12.35 s')
    """
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def compared(result: Tested, question: Question) -> str:
    """Return what the statistic compares and, where it is negative, which system is ahead."""
    if result.statistic >= 0 or not question.ahead or question.noun in _OF_ORDER:
        return question.words
    system = question.ahead[0]
    return question.words + f", so {system} is ahead" * (system == question.levels[1][0])


def text(
    result: Tested,
    question: Question,
    *,
    seconds: float,
    line: str = "",
    interval: ConfidenceInterval | str = "",
    refused: str = "",
    digits: int = 10,
    midp: bool = False,
) -> str:
    """Write the answer to a question: who is ahead, the p-value, the interval; then what was read and counted.

    ``question`` says what was tested, ``seconds`` is the time taken, ``interval`` that of the
    difference or why there is none, ``refused`` why an exact count was not made. Last come a
    sentence for a text and the ``line`` that an audit reads back; ``digits`` and ``midp`` are
    options of the result's rows.
    """
    tiny = _ends(result)[0] < _LEAST_PERCENT
    said = ["p-value", *([] if tiny else ["log10 p"])]
    shown = result.rows(words=compared(result, question), digits=digits, midp=midp)
    rows = [
        *question.source.rows(),
        *question.source.back(),
        *[row for row in shown if row[0] not in said],
        ("time", elapsed(seconds)),
        *([("exact count", refused)] if refused else []),
        ("in words", sentence(result, question)),
    ]
    top = [ahead(question), pvalue_line(result, digits), *interval_lines(interval, question)]
    end = [for_a_text(result, question), line]
    told = [*map(printable, top), *lines(result.heading, rows), *end]
    return "\n".join(filter(None, told))


def ahead(question: Question, *, levels: bool = True) -> str:
    """Return a sentence that says which system is ahead and by how much; "" where the question has no levels.

    In brackets follow the ``levels`` of both.
    """
    if len(question.levels) < 2:
        return "".join(f"the mean of the differences is {short(d)}" for _, d in question.levels)
    of = question.level
    known = dict(question.levels)
    kind, how = ("", f"in {of}") if of else ("means ", "on average")
    if question.ahead is None:
        said = f"{' and '.join([name for name, _level in question.levels])} are equal {how}"
        both = short(question.levels[0][1])
    else:
        first, second, by = question.ahead
        said = f"{first} is ahead of {second} by {gap(by)} {how}"
        both = f"{short(known[first])} and {short(known[second])}"
    return f"{said} ({kind}{both})" if levels else said


def gap(value: Exact) -> str:
    """Write a difference: in four decimals or, where these have fewer than two digits, in three digits.

    >>> gap(Fraction(19, 3000)), gap(Fraction(1, 6)), gap(Fraction(1, 7000)), gap(12)
    ('0.0063', '0.1667', '0.000143', '12')
    """
    rounded = round(Fraction(value) * 10**4)
    if value * 10**4 == rounded:
        return number_text(value)
    return placed_text(rounded, 4) if abs(rounded) >= 10 else decimal_string(value, 3)


def pvalue_line(result: Tested, digits: int) -> str:
    """Return the p-value in three digits, then in more, with its fraction where that is short.

    Bounds take the place of digits that are not certain.
    """
    if isinstance(result, PermutationTestResult):
        p, fraction = result.pvalue, fraction_text(result.pvalue)
        short_one = f" = {fraction}" if len(fraction) <= _FRACTION and p.denominator > 1 else ""
        known = f"{decimal_string(p, digits)}{short_one}, counted exactly"
    else:
        from ..null.float_result import between

        known = f"{between(result.decimal_bracket())}, certified"
    return f"p = {share_text(result)}, {result.alternative} ({known})"


def _ends(result: Tested) -> tuple[Fraction, Fraction]:
    """Return the exact p-value twice, or its bounds."""
    if isinstance(result, PermutationTestResult):
        return result.pvalue, result.pvalue
    return result.bracket.ends()


def share_text(
    result: Tested, write: Callable[[Fraction], str] = lambda p: decimal_string(p, 3)
) -> str:
    """Return the p-value in three digits or as it is to be written, or its bounds where they are not certain."""
    return " to ".join(dict.fromkeys(map(write, _ends(result))))


def interval_lines(interval: ConfidenceInterval | str, question: Question) -> list[str]:
    """Return the interval of the difference in one line, or why there is none.

    Where it has two ends, the system that is ahead comes first.
    """
    none = interval if isinstance(interval, str) else interval.none
    if isinstance(interval, str) or none:
        return [f"no interval: {none}"] if none else []
    lower = interval.lower
    upper = interval.upper
    low, high = interval.decimal_ends()
    names = [name for name, _level in question.levels]
    if interval.estimate < 0 and len(names) == 2 and lower is not None and upper is not None:
        low, high = [
            f"-{end}".replace("--", "") if end.strip("-0.") else end for end in (high, low)
        ]
        names.reverse()
    of = " - ".join(names) if len(names) == 2 else "the differences"
    ends = f"at least {low}" if upper is None else f"{low} to {high}"
    ends = f"at most {high}" if lower is None else ends
    percents = f"{readable(exact(100 * Fraction(interval.confidence)))}%"
    return [f"{percents} interval of {of}: {ends} ({'exact' if interval.exact else 'certified'})"]


def for_a_text(result: Tested, question: Question) -> str:
    """Return the sentence for a text: who is ahead, by how much, the test and its p-value; "" without levels."""
    said = ahead(question, levels=False)
    if not said:
        return ""
    from ..null.sentence import test_of

    kind = "exact" if result.exact else "certified"
    random: Any = question.design or None
    test = test_of(Subject(name=result.statistic_name, design=random))
    if question.strata is not None:
        test += f" within strata of {question.source.reading.groups}"
    p = share_text(result).removeprefix("0")
    about = f"N = {question.source.items}, {kind} {test}, {result.alternative}, p = {p}"
    return printable(f"{said} ({about})")


def sentence(result: Tested, question: Question) -> str:
    """Return a p-value as one plain sentence: which share of all moves gives such a value, and what that is."""
    share = share_text(result, percent)
    noun = question.noun
    alternative = result.alternative
    moves = _MOVES.get(question.design, "swaps")
    t = result.statistic
    n = len(question.u)
    low, high = sides(alternative)
    both = low and high
    value = short(t)
    if both and not centred(alternative):
        return f"{share} is twice the share of {moves} at least as far on the side of {value}, or 100%."
    if both and noun in RANKS:  # its mean under swaps is not 0
        return f"{share} of all {moves} give {noun} as far from its mean as {value}, or farther."
    size = max(t, -t) if both else t
    mean = ""
    if noun == DIFFERENCE.noun and n > 1:
        mean = f" (mean {short(Fraction(decimal_string(Fraction(size) / n, 3)))})"
    more = f"{'more' if high else 'less'}{mean}{' in either direction' if both else ''}"
    return f"{share} of all {moves} give {noun} of {short(size)} or {more}."


def percent(p: Fraction) -> str:
    """Write a share of 1 in percent, to three digits; below a millionth as it is.

    >>> percent(Fraction(697, 32768)), percent(Fraction(1)), percent(Fraction(1, 2**39))
    ('2.13%', '100%', '1.82e-12')
    """
    return f"{decimal_string(100 * p, 3)}%" if p >= _LEAST_PERCENT else decimal_string(p, 3)


# ---------------------------------------------------------------------------------------------- lines and records

_TOLD = """files columns id missing dropped_pairs groups weights tasks by encoding runs samples systems last_row
decimals version first last ranges ahead mu counts exact refused interval midp sentence data note"""
"""Fields that tests write beside those of their result: what was read, and what depends on it."""


def line(result: Tested, question: Question, mu: Exact = 0) -> str:
    """Return the line that reports a result in a paper, with the shift ``mu``; "" of two samples, which no audit reads."""
    if question.design == "samples":
        return ""
    source, digests = question.source, [file.sha256 for file in question.source.files]
    return _line(result, digests, source.names, decimals=source.reading.decimals, mu=mu)


def _line(
    result: Tested,
    digests: Iterable[str],
    columns: Sequence[str],
    *,
    decimals: int | None,
    mu: Exact,
    version: str = "",
) -> str:
    """Return the line of a result of files with these digests and columns, as this version writes it, or another."""
    found = result.sentence(sha256=tuple(dict.fromkeys(digests)), decimals=decimals, mu=mu)
    differences = len(columns) == 1 and found.units == "pairs"
    units = "differences" if differences else found.units
    return str(replaced(found, units=units, version=version or found.version))


def record(
    result: Tested, question: Question, refused: str = "", **stated: object
) -> dict[str, object]:
    """Return the record of a result: its fields, where its data come from, and what is ``stated`` of it.

    The same files and options give the same record.
    """
    why = {"exact": False, "refused": refused} if refused else {}
    back = {}
    if question.ahead is not None:
        system, other, by = question.ahead
        back["ahead"] = {"system": system, "other": other, "by": exact_text(by)}
    return {**result.to_dict(), **question.source.to_dict(), **back, **why, **stated}


def probability(p: Fraction | Enclosure) -> object:
    """Return a p-value as records hold it; of a bracket its ends and their power of two."""
    if isinstance(p, Fraction):
        return exact_text(p)
    lower, upper, exponent = p
    return [exact_text(lower), exact_text(upper), exponent]


def read_record(text: str, name: str) -> dict[str, object]:
    """Return the record in a JSON text; ``ExactPermError`` with the file's ``name`` where there is none."""
    from .json_text import loaded

    why = "is not the record of a test"
    cure = Cure(command="test", words="writes records, as JSON")
    try:
        record = loaded(text)
    except ValueError as error:
        record = None
        why = f"is not JSON: {str(error)[:100]}"
    if isinstance(record, dict):
        if record.get("claim") in ("counted", "enclosed"):
            return record
        if record.get("claim") == "claimed":
            why = "holds no proof, only a claim"
            cure = Cure(words="run its test again on the scores")
    raise ExactPermError(f"{name} {why}", code="record", cure=cure)


def recorded(record: dict[str, object]) -> Tested:
    """Return the result that a record states."""
    from ..null.float_result import FloatResult

    enclosed = record["claim"] == "enclosed"
    return FloatResult.from_dict(record) if enclosed else PermutationTestResult.from_dict(record)


def unconfirmed(record: dict[str, Any]) -> list[str]:
    """Return the fields of a recounted record that no test writes, which nothing confirms."""
    again = recorded(record).to_dict()
    inner = set(record["swaps"]) - set(again["swaps"])
    outer = set(record) - {*again, *_TOLD.split()}
    return sorted(outer) + [f"swaps.{name}" for name in sorted(inner)]


def recounted(record: dict[str, Any], *, budget: Budget) -> str:
    """Return how a record differs from a new count, naming the field; "" where nothing differs.

    Fields that say how the data were read are those of the record, which only the scores can
    confirm. Raises ``BudgetExceeded`` as the test itself.
    """
    try:
        result = recorded(record).recount(budget=budget)
        again = {}
        if "midp" in record:
            again["midp"] = probability(result.midp)
        if "sentence" in record:
            files, columns = record.get("files"), record.get("columns")
            files = files if isinstance(files, list) else []
            again["sentence"] = _line(
                result,
                [str(file.get("sha256")) for file in files if isinstance(file, dict)],
                columns if isinstance(columns, list) else [],
                decimals=record.get("decimals"),
                mu=parse_exact(record.get("mu", "0")),
                version=record.get("version", ""),
            )
    except BudgetExceeded:
        raise
    except ExactPermError as error:
        return str(error)
    for name, value in again.items():
        if record[name] != value:
            both = f"{short_text(record[name])}, but counting again gives {short_text(value)}"
            return f"{name} is {both}"
    return ""
