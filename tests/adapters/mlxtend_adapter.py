"""mlxtend: permutation_test and mcnemar."""

import mlxtend
import numpy
from mlxtend.evaluate import mcnemar, permutation_test

ABOUT = {
    "implementation": {"name": "mlxtend", "version": mlxtend.__version__, "language": "Python"},
    "calls": ["paired-permutation", "mcnemar"],
    "numbers": "binary64",
}
MOST = 10
"""Pairs up to which all swaps are enumerated."""

FUNCTIONS = {
    "two-sided": "x_mean != y_mean",
    "greater": "x_mean > y_mean",
    "less": "x_mean < y_mean",
}


def answer(call, given, alternative):
    if call == "mcnemar":
        if alternative != "two-sided":
            raise NotImplementedError("two-sided only")
        b, c = int(given["b"]), int(given["c"])
        return mcnemar(numpy.array([[0, b], [c, 0]]), exact=True)[1]
    if "groups" in given or len(given["u"]) > MOST:
        raise NotImplementedError("no groups, and at most 2^10 swaps")
    u, v = ([float(x) for x in given[name]] for name in "uv")
    return permutation_test(u, v, func=FUNCTIONS[alternative], method="exact", paired=True)
