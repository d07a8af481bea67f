"""Tests of a sum of differences: columns in every spelling against the enumeration of all swaps."""

from collections import Counter
from fractions import Fraction
from random import Random

import exactperm
from tests import brute
from tests.factory import plain
from tests.fuzz import cases, oracle
from tests.fuzz.oracle import ALTERNATIVES


def _rows(rng, most):
    n = rng.randint(1, most)
    labels = cases.labels(rng, n)
    rows = [(u, v, label) for (u, v), label in zip(cases.pairs(rng, n), labels or [None] * n)]
    return {"rows": rows, "grouped": labels is not None, "salt": rng.random()}


def _columns(case, rng):
    """u, v and the options that a case passes; what they mean is in its rows."""
    u, v, labels = zip(*case["rows"])
    options = {"groups": rng.choice((list, tuple, iter))(labels)} if case["grouped"] else {}
    return cases.written(rng, u), cases.written(rng, v), options


def same_result(held, result, every, alternative):
    """Every number of a result against the statistics of all assignments, the observed one first."""
    observed = every[0]
    p, _more, midp = brute.tails(every, observed, alternative)
    size = abs if alternative == "two-sided" else Fraction
    tied = sum(size(t) == size(observed) for t in every) * (2 if alternative == "doubled" else 1)
    held.same("statistic", result.statistic, observed)
    held.same("p-value", result.pvalue, p)
    held.same("count", Fraction(result.count, result.total), p)
    held.same("total", result.total, len(every))
    held.same("point probability", result.point_probability, Fraction(tied, len(every)))
    held.same("mid-p", result.midp, midp)
    least = min(brute.tail(every, t, alternative) for t in (min(every), max(every)))
    held.same("least p", result.min_attainable, least)
    held.same("alternative", result.alternative, alternative)
    held.log10("log10 p", result.log10_pvalue, oracle.log10(p))
    held.true("repr", repr(result).startswith("PermutationTestResult("))


# ------------------------------------------------------------------------------------------ tests


def draw_tests(rng):
    most = rng.choice((2, 4, 4, 7))
    return {
        **_rows(rng, most),
        "alternative": rng.choice(ALTERNATIVES),
        "decimals": rng.randint(0, 3) if rng.random() < 0.1 else None,
        "form": rng.choice(("columns", "columns", "flips", "mapping")),
    }


def check_tests(case, held):
    """A test of two columns, or of their differences, against the enumeration of all swaps."""
    rng, alternative, places = Random(case["salt"]), case["alternative"], case["decimals"]
    rows = case["rows"]
    u, v, options = _columns(case, rng)
    if case["form"] == "columns":
        if places is not None:
            options["decimals"] = places
            rows = [(round(Fraction(a), places), round(Fraction(b), places), x) for a, b, x in rows]
        result = exactperm.permutation_test(u, v, alternative=alternative, **options)
    elif case["form"] == "flips" or case["grouped"]:
        d = cases.written(rng, [a - b for a, b, _ in rows])
        result = exactperm.sign_flip_test(d, alternative=alternative, **options)
    else:
        values = [a - b for a, b, _ in rows]
        d = {key: values.count(key) for key in rng.sample([*{*values}], len({*values}))}
        result = exactperm.sign_flip_test(d, alternative=alternative)
    u, v, labels = zip(*rows)
    labels = labels if case["grouped"] else None
    every = brute.values(u, v, brute.sum_of_differences, labels)
    same_result(held, result, every, alternative)
    units = plain.units(
        "sums", {"u": u, "v": v, **({"groups": labels} if labels else {})}, "decimal"
    )
    held.same("sizes", (result.n, result.n_units), (len(rows), len(units)))
    held.same("nonzero", result.n_nonzero, sum(d != 0 for d in units))
    held.same("distribution", dict(result.null_distribution.items()), Counter(every))
