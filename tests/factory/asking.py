"""Put the vectors to functions in this process: which mistakes show, and what a report says of them."""

import math
from collections import Counter
from fractions import Fraction
from functools import cache

from exactperm.testing import host, judge, runner, vectors
from exactperm.testing.judge import Implementation
from exactperm.testing.numbers import right_answer
from exactperm.testing.report import Outcome, Report
from tests.factory import mistakes
from tests.factory.mistakes import MISTAKES, Question
from tests.factory.recipes import LISTS

ALL = vectors.load()
ENOUGH = 3
"""Records that must tell a mistake from the truth."""


def means(vector):
    """The reading of a record, or decimal."""
    return "binary64" if vector.reading == "binary64" else "decimal"


@cache
def asked(vector, reading):
    """The question of a record, whose null distribution all mistakes share."""
    return Question(ALL[vector].call, ALL[vector].input, reading, None)


def right(question):
    """The right answer to a question."""
    return mistakes.listed(question) if question.call in LISTS else mistakes.right(question)


def differs(answer, truth):
    """Whether an answer is more than 1e-9 off, or is a list with such an entry."""
    if isinstance(truth, list):
        alike = isinstance(answer, list) and len(answer) == len(truth)
        return not alike or any(map(differs, answer, truth))
    if not (math.isfinite(answer) and math.isfinite(truth)):
        return bool(answer != truth)
    return abs(Fraction(answer) - truth) > abs(truth) * Fraction(1, 10**9)


def shows(wrong, vector):
    """Whether a mistake answers some question of a record wrongly, by more than a tolerance."""
    for alternative in vector.questions:
        question = asked(vector.id, means(vector)).other(alternative)
        answer = wrong(question)
        if answer is not None and differs(answer, right_answer(vector.answer(alternative))):
            return True
    return False


def survivors(call):
    """{mistake of a call: number of records that show it} of those that fewer than three show."""
    valid = [vector for vector in ALL.values() if vector.call == call and vector.result != "error"]
    shown = Counter()
    for vector in sorted(valid, key=lambda vector: vector.size):
        for name, wrong in MISTAKES.items():
            if call in wrong.calls and shown[name] < ENOUGH:
                shown[name] += shows(wrong, vector)
    possible = [name for name, wrong in MISTAKES.items() if call in wrong.calls]
    return {name: shown[name] for name in possible if shown[name] < ENOUGH}


def report(function, patterns=("*",), *, name="program", numbers=None, read=None):
    """The report on a function of a question; it reads numbers as each record means them, or in one way."""
    outcomes = []
    for vector in vectors.picked(patterns):
        for alternative in vector.questions if vector.result != "error" else ():
            reading = read or means(vector)
            answer = function(asked(vector.id, reading).other(alternative))
            reply = host.reply(
                lambda *_, answer=answer: answer, dict.fromkeys(("call", "input", "alternative"))
            )
            by = Implementation(numbers=numbers or reading)
            verdict = judge.judged(vector, alternative, reply, other=ALL.get(vector.other), by=by)
            value = None if verdict.kind == "error" else judge.value_of(reply)
            asked_as = vector.question_id(alternative)
            outcomes.append(Outcome(asked_as, vector, alternative, *verdict, value=value))
    by = Implementation(name=name, numbers=numbers)
    return Report(by=by, outcomes=tuple(outcomes), named=runner.explained(outcomes, ALL))
