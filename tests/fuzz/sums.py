"""Tests of a sum of differences: columns in every spelling against the enumeration of all swaps."""

from fractions import Fraction
from random import Random

import exactperm
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


def same_result(held, result, observed, null, alternative):
    """Every number of a result against the distribution by definition."""
    p = null.pvalue(observed, alternative)
    held.same("statistic", result.statistic, observed)
    held.same("p-value", result.pvalue, p)
    held.same("count", Fraction(result.count, result.total), p)
    held.same("total", result.total, null.total)
    held.same(
        "point probability",
        result.point_probability,
        Fraction(null.tied(observed, alternative), null.total),
    )
    held.same("mid-p", result.midp, null.midp(observed, alternative))
    held.same("least p", result.min_attainable, null.least(alternative))
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
            rows = [
                (oracle.rounded(Fraction(a), places), oracle.rounded(Fraction(b), places), x)
                for a, b, x in rows
            ]
        result = exactperm.permutation_test(u, v, alternative=alternative, **options)
    elif case["form"] == "flips" or case["grouped"]:
        d = cases.written(rng, [a - b for a, b, _ in rows])
        result = exactperm.sign_flip_test(d, alternative=alternative, **options)
    else:
        values = [a - b for a, b, _ in rows]
        d = {key: values.count(key) for key in rng.sample([*{*values}], len({*values}))}
        result = exactperm.sign_flip_test(d, alternative=alternative)
    labels = [label for *_, label in rows] if case["grouped"] else None
    units = oracle.grouped([a - b for a, b, _ in rows], labels)
    observed, null = oracle.enumerated(
        [(a, b) for a, b, _ in rows], oracle.total_difference, labels
    )
    same_result(held, result, observed, null, alternative)
    held.same("sizes", (result.n, result.n_units), (len(rows), len(units)))
    held.same("nonzero", result.n_nonzero, sum(d != 0 for d in units))
    held.same("distribution", dict(result.null_distribution.items()), null.counts)
