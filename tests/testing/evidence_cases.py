"""Put the vectors to functions in this process, for tests of what reports say: python -m tests.testing.evidence_cases

Writes the table of all mistakes, the records that reveal them, and the names that the runner gives
them.
"""

from functools import cache
from pathlib import Path

from exactperm.testing import host, runner, vectors
from exactperm.testing.judge import Implementation
from exactperm.testing.outcomes import Outcome, Report
from tests.testing import mistakes, plain
from tests.testing.mistakes import MISTAKES, Question
from tests.testing.recipes import CALLS

ALL = vectors.load()
TABLE = Path(__file__).with_name("mistakes.md")
_ASKED = dict.fromkeys(("call", "input", "alternative"))


@cache
def asked(vector, reading):
    """The question of a record, whose null distribution all mistakes share."""
    question = Question(ALL[vector].call, ALL[vector].input, reading, None)
    if question.call not in vectors.LISTS:
        _ = question.flips, question.null[0] and question.total
    return question


def right(question):
    """The right answer to a question."""
    if question.call in vectors.LISTS:
        return mistakes.listed(question)
    return mistakes.right(question)


def typical(answer):
    """A number between two, in steps where these are given."""
    low, high, *step = answer
    return high - 8 * step[0] if step else (low + high) / 2


def report(function, patterns=("*",), *, name="uncapped", numbers=None, read=None):
    """The report on a function of a question; it reads numbers as each record means them, or always in one way."""
    outcomes = []
    for vector in vectors.chosen(ALL.values(), patterns):
        for alternative in vector.questions if vector.result != "error" else ():
            reading = read or ("binary64" if vector.reading == "binary64" else "decimal")
            answer = function(asked(vector.id, reading).other(alternative))
            answer = typical(answer) if isinstance(answer, tuple) else answer
            reply = host.reply(lambda *_question, answer=answer: answer, _ASKED)
            by = Implementation(numbers=numbers or reading)
            verdict = runner.judged(vector, alternative, reply, other=ALL.get(vector.other), by=by)
            value = runner.value_of(reply)
            outcomes.append(
                Outcome(vector=vector, alternative=alternative, verdict=verdict, value=value)
            )
    by = Implementation(name=name, numbers=numbers)
    return runner.explained(Report(by=by, outcomes=tuple(outcomes)), ALL)


def named(finding, name):
    """What a finding names, in short."""
    names = [mistake.name for mistake in finding.named]
    if not names:
        return "unknown"
    if finding.least:
        return f"{names[0]} from {finding.least} units on"
    joined = (" and " if finding.together else " or ").join(
        "its own" if each == name else each for each in names
    )
    return f"{joined}, apart from rounding" if finding.rounded else joined


# ------------------------------------------------------------------------------------------- others


def exact(function):
    """A function of the right p-value."""
    return lambda question: function(right(question))


def float_cells(question):
    """A dynamic program over float sums."""
    if question.call not in ("paired-permutation", "sign-flip"):
        return right(question)
    cells, column = {0.0: 1}, mistakes.float_differences(question)
    for d in column:
        after = {}
        for x, count in cells.items():
            for y in (x + d, x - d):
                after[y] = after.get(y, 0) + count
        cells = after
        if len(cells) > 20_000:
            return None
    t = mistakes.floats_sum(column, float)
    return plain.Fraction(plain.extreme(cells, t, question.alternative), 2 ** len(column))


def strict_and_nan(question):
    """Counts > in place of >=, and answers NaN for identical systems."""
    return float("nan") if set(question.null[0]) == {0} else MISTAKES["strict"](question)


def normal_above(n):
    """The normal distribution for more than n swap units."""
    return lambda q: MISTAKES["normal-approximation"](q) if q.null[2] > n else right(q)


OTHERS = {
    "p (1 + 3e-7)": exact(lambda p: p * (1 + plain.Fraction(3, 10**7))),
    "p squared": exact(lambda p: p * p),
    "0.5 whatever the data": exact(lambda _p: plain.Fraction(1, 2)),
    "0 below 1e-12": exact(lambda p: p if p > 1e-12 else 0),
    "never below 1e-16": exact(lambda p: max(p, plain.Fraction(1, 10**16))),
    "rounded to 5 decimals": exact(lambda p: round(float(p), 5)),
    "rounded to 3 digits": exact(lambda p: plain.Fraction(f"{float(p):.3g}")),
    "twice the tail beyond the observed value": lambda q: min(
        1, 2 * (right(q) - MISTAKES["point-probability"](q) / 2)
    ),
    "normal distribution above 30": normal_above(30),
    "normal distribution above 49": normal_above(49),
    "dynamic program of float sums": float_cells,
    "> for >=, and NaN for identical systems": strict_and_nan,
}
"""Wrong programs that are not among the mistakes: they get the name of one that answers the same,
or none."""

COUNTED = [call for call in CALLS.values() if call not in vectors.LISTS]


def rows():
    """Lines of the table."""
    yield "# Mistakes, the records that reveal them, and the names that the report gives\n"
    yield "Written by `python -m tests.testing.evidence_cases`. Each cell has the number of records of the call that"
    yield "reveal the mistake, and what the report names: its own name, others that answer the same, or unknown.\n"
    yield f"| mistake | {' | '.join(CALLS.values())} |"
    yield "|---|" + "---|" * len(CALLS)
    for name, wrong in MISTAKES.items():
        yield row(name, wrong, wrong.calls)
    yield f"\n## Programs that are not on the list\n\n| program | {' | '.join(COUNTED)} |"
    yield "|---|" + "---|" * len(COUNTED)
    for name, function in OTHERS.items():
        yield row(name, function, COUNTED, COUNTED)


def row(name, function, calls, columns=None):
    """The line of a mistake: for each call, records and names."""
    told = report(function, calls)
    found = {finding.call: finding for finding in told.findings}
    records = {}
    for outcome in told.outcomes:
        if outcome.is_fault:
            records.setdefault(outcome.vector.call, set()).add(outcome.vector.id)
    cells = [
        f"{len(records[call])}: {named(found[call], name)}" if call in found else ""
        for call in columns or CALLS.values()
    ]
    return f"| {name} | {' | '.join(cells)} |"


if __name__ == "__main__":
    TABLE.write_text("\n".join(rows()) + "\n", encoding="utf-8", newline="\n")
