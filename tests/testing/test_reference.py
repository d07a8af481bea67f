"""The reference in one file answers the records of the kit."""

from fractions import Fraction
from math import lcm

import pytest

from exactperm import reference
from exactperm.testing import judge, vectors

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("call", ["sign-flip", "paired-permutation", "mcnemar"])
def test_the_kit_proves_it(call):
    """Every valid record of these calls, but groups, that needs at most a million additions, in its own reading."""
    answered = 0
    for vector in vectors.load().values():
        if vector.call != call or "groups" in vector.input or vector.reading == "binary64":
            continue
        for alternative in vector.questions:
            try:
                p = answer(vector.input, alternative)
            except ValueError as error:
                verdict = judge.judged(vector, alternative, {"error": str(error)})
            else:
                verdict = judge.judged(vector, alternative, {"p": p}) if p is not None else None
            assert verdict is None or verdict.kind in ("exact", "refused"), (vector.id, alternative)
            answered += verdict is not None
    assert answered >= 60


def answer(given, alternative):
    """The answer of the reference to a record, or None where its lattice is too fine for a test."""
    if "b" in given:
        return reference.mcnemar(int(given["b"]), int(given["c"]), alternative)
    columns = [given[name] for name in given]
    exact = [[Fraction(x) for x in column] for column in columns]
    unit = lcm(*(x.denominator for column in exact for x in column))
    if sum(abs(x) * unit for column in exact for x in column) > 10**5:
        return None
    return (reference.sign_flip if "d" in given else reference.paired)(*columns, alternative)
