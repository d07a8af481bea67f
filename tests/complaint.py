"""What a call says: the text of its error, what it tells of its progress; and records with another value."""

import copy
import json
import math
from ast import literal_eval
from fractions import Fraction

import pytest

from exactperm.arithmetic.writing import decimal_string
from exactperm.errors import ExactPermError, WrongType
from exactperm.null.result import PermutationTestResult


def changed(record, place, value):
    """The record with another value, both as JSON, at a path of keys with dots between."""
    record = copy.deepcopy(record)
    *path, last = [int(key) if key.isdigit() else key for key in place.split(".")]
    inner = record
    for key in path:
        inner = inner[key]
    inner[last] = json.loads(value)
    return record


def forged(record, count, total):
    """The result of a record with another count, of p = count / total."""
    p = Fraction(count, total)
    other = {"count": str(count), "pvalue": str(p), "pvalue_decimal": decimal_string(p, 17)}
    log = {"log10_pvalue": math.log10(p)}
    return PermutationTestResult.from_dict({**record, **other, **log})


def complaint(kind, call):
    """Return the whole message; the error must be of exactly that kind."""
    with pytest.raises(kind) as caught:
        call()
    assert type(caught.value) is kind
    return str(caught.value)


def refused(kind, calls):
    """Every call of {how its message begins: call} raises an error of exactly that kind."""
    for words, call in calls.items():
        assert complaint(kind, call).startswith(words), words


def check_refusals(call, rows):
    """Each row: arguments | how the message begins | WrongType, where it is one."""
    for row in rows.strip().splitlines():
        given, told, *wrong = row.split(" | ")
        kind = WrongType if wrong else ExactPermError
        assert complaint(kind, lambda given=given: call(*literal_eval(given))).startswith(told), row


def check_progress(call):
    """What is told of work grows up to its end, and changes nothing."""
    told = []
    found = call(lambda done, total: told.append((done, total)))
    assert found == call(None)
    assert all(0 < done <= total for done, total in told)
    assert told == sorted(told, key=lambda report: report[0])
    assert told[-1][0] == told[-1][1]
    return found, told


class Several:
    """Compares as an array or a missing value does, with no truth of its own."""

    __hash__ = None

    def __eq__(self, other):
        return self

    def __bool__(self):
        raise ValueError("the truth of several values is ambiguous")

    def __repr__(self):
        return "several"
