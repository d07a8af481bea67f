"""Tests of a sum of differences: p-values, engines, distributions, brackets, decisions, influence, leaderboards."""

import math
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from random import Random

import exactperm
from tests.fuzz import cases, oracle
from tests.fuzz.oracle import ALTERNATIVES, Null

ENGINES = ("enumeration", "dp", "recurrence", "packed", "ntt", "meet-in-the-middle")


def _rows(rng, most):
    n = rng.randint(1, most)
    labels = cases.labels(rng, n)
    rows = [(u, v, label) for (u, v), label in zip(cases.pairs(rng, n), labels or [None] * n)]
    return {"rows": rows, "grouped": labels is not None, "salt": rng.random()}


def _columns(case, rng):
    """u, v and the options that a case passes; what they mean is in its rows."""
    u, v, labels = zip(*case["rows"])
    options = {"groups": cases.written_labels(rng, labels)} if case["grouped"] else {}
    return cases.written(rng, u), cases.written(rng, v), options


def _null(case, places=None):
    """The observed sum, the null distribution by the dictionary, and the swap units' differences."""
    rows = case["rows"]
    if places is not None:
        rows = [
            (oracle.rounded(Fraction(u), places), oracle.rounded(Fraction(v), places), x)
            for u, v, x in rows
        ]
    labels = [label for *_, label in rows] if case["grouped"] else None
    units = oracle.grouped([u - v for u, v, _ in rows], labels)
    return sum(units), Null(oracle.signed_sums(units)), units


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
        d = cases.mapping(rng, [a - b for a, b, _ in rows])
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


# ------------------------------------------------------------------------------------------ engines


def draw_engines(rng):
    if rng.random() < 0.6:
        values = cases.differences(rng, rng.randint(1, 9))
    else:
        unit, most = rng.choice((1, Fraction(1, 10), 10**20)), rng.choice((1, 3, 12))
        values = [unit * rng.randint(-most, most) for _ in range(rng.randint(1, 60))]
    return {
        "rows": [(d,) for d in values],
        "alternative": rng.choice(ALTERNATIVES),
        "salt": rng.random(),
    }


def check_engines(case, held):
    """Every engine by its name, its whole distribution, and the two convolutions, against the dictionary."""
    values, alternative = [d for (d,) in case["rows"]], case["alternative"]
    scale = cases.scale(values)
    null = Null(oracle.signed_sums([int(d * scale) for d in values]))
    observed = int(sum(values) * scale)
    for method in ("auto", *ENGINES):
        seen = []
        try:
            result = exactperm.sign_flip_test(
                cases.mapping(Random(case["salt"]), values),
                alternative=alternative,
                method=method,
                progress=lambda done, total, seen=seen: seen.append((done, total)),
            )
        except exactperm.ExactPermError as error:
            held.true(f"{method} refuses", method != "auto" and method in str(error), error)
            held.refused += 1
            continue
        held.same(f"count by {method}", result.count, null.extreme(observed, alternative))
        held.true("progress", all(0 <= done <= total for done, total in seen))
    # The distribution of a sum is that of the effects as mappings.
    effects = [Counter((int(d * scale), -int(d * scale))) for d in values]
    support = dict(sorted(null.counts.items()))
    held.same("convolve_dp", exactperm.convolve_dp(effects), support)
    if max(support) < 10**5:
        held.same("convolve_ntt", exactperm.convolve_ntt(effects), support)
    whole = exactperm.sign_flip_test([int(d * scale) for d in values]).null_distribution
    held.same("distribution", dict(whole.items()), null.counts)


def draw_convolutions(rng):
    shapes = (
        lambda: rng.randint(-3, 3),
        lambda: rng.randint(-50, 50),
        lambda: rng.randint(-(10**4), 10**4),
    )
    counts = (lambda: rng.randint(0, 3), lambda: rng.randint(0, 10 ** rng.randint(1, 40)))
    value, count = rng.choice(shapes), rng.choice(counts)
    return {
        "rows": [
            ({value(): count() for _ in range(rng.randint(0, 3))},)
            for _ in range(rng.randint(0, 5))
        ]
    }


def check_convolutions(case, held):
    """Sums of independent integers with any counts, big ones too, against every choice."""
    pmfs = [pmf for (pmf,) in case["rows"]]
    want = dict(sorted(oracle.convolved(pmfs).items()))
    held.same("convolve_dp", list(exactperm.convolve_dp(pmfs).items()), list(want.items()))
    held.same("convolve_ntt", list(exactperm.convolve_ntt(pmfs).items()), list(want.items()))


# ------------------------------------------------------------------------------------ distributions


def draw_distributions(rng):
    rows = [(d,) for d in cases.differences(rng, rng.randint(1, 6))]
    ready = rng.random() < 0.7
    return {
        "rows": rows,
        "ready": ready,
        "salt": rng.random(),
        "counts": [rng.randint(0, 9) for _ in rows],
    }


def check_distributions(case, held):
    """Probabilities, quantiles and critical values against walks over the whole distribution."""
    rng, values = Random(case["salt"]), [Fraction(d) for (d,) in case["rows"]]
    if case["ready"]:
        null = Null(oracle.signed_sums(values))
        ours = exactperm.sign_flip_test(values).null_distribution
    else:
        counts = {**dict(zip(values, case["counts"])), values[0]: 1 + case["counts"][0]}
        null, ours = Null(counts), exactperm.NullDistribution.of(counts)
    held.same("support", list(ours.support), null.support)
    held.same(
        "mean and variance",
        (ours.mean, ours.variance, ours.total),
        (null.mean, null.variance, null.total),
    )
    near = rng.choice(null.support)
    for x in (near, near + Fraction(1, 10**20), rng.choice(null.support) * 2 + 1):
        spelled = cases.spelled(rng, x)
        held.same("pmf", ours.pmf(spelled), Fraction(null.counts.get(x, 0), null.total))
        held.same("cdf", ours.cdf(spelled), null.pvalue(x, "less"))
        held.same("sf", ours.sf(spelled), 1 - null.pvalue(x, "less"))
        for alternative in ALTERNATIVES:
            held.same(
                f"p-value, {alternative}",
                ours.pvalue(spelled, alternative),
                null.pvalue(x, alternative),
            )
    for q in (cases.probability(rng), null.pvalue(near, "less")):
        held.same("quantile", ours.quantile(cases.spelled(rng, q)), null.quantile(q))
    for alternative in ALTERNATIVES:
        for alpha in (cases.probability(rng), null.pvalue(near, alternative)):
            got = ours.critical_value(cases.spelled(rng, alpha), alternative)
            low, high = (
                got
                if isinstance(got, tuple)
                else (None, got)
                if alternative == "greater"
                else (got, None)
            )
            region = [
                x
                for x in null.support
                if (low is not None and x <= low) or (high is not None and x >= high)
            ]
            held.same(f"critical values, {alternative}", region, null.rejected(alpha, alternative))
            held.true("attainable", {low, high} <= {None, *null.support}, got)


# ----------------------------------------------------------------------------------------- brackets


def draw_brackets(rng):
    case = _rows(rng, rng.choice((3, 8, 12)))
    if rng.random() < 0.1:
        case["rows"] = [(rng.randint(-1, 4), 0, None) for _ in range(rng.randint(30, 90))]
        case["grouped"] = False
    return {
        **case,
        "alternative": rng.choice(ALTERNATIVES),
        "digits": rng.choice((1, 2, 5, 17, 17, 17, 30, 50)),
    }


def check_brackets(case, held):
    """The certified float path: bounds around the exact p-value in every form that they are given in."""
    rng, alternative, digits = Random(case["salt"]), case["alternative"], case["digits"]
    u, v, options = _columns(case, rng)
    observed, null, _units = _null(case)
    p = null.pvalue(observed, alternative)
    try:
        result = exactperm.fast_permutation_test(
            u, v, alternative=alternative, digits=digits, **options
        )
    except exactperm.BudgetExceeded:
        held.refused += 1
        return
    bracket = result.bracket
    held.between(
        "bracket",
        bracket.lower * Fraction(2) ** bracket.exponent,
        p,
        bracket.upper * Fraction(2) ** bracket.exponent,
    )
    held.between("floats", Fraction(result.lower), p, Fraction(result.upper))
    held.between("p-value", result.lower, result.pvalue, result.upper)
    held.true("upper is positive", result.upper > 0)
    nearest = p.numerator / p.denominator
    held.true("correctly rounded", not result.correctly_rounded or result.pvalue == nearest)
    held.same(
        "statistic",
        (result.statistic, result.n, result.alternative),
        (observed, len(case["rows"]), alternative),
    )
    for k in (None, rng.randint(1, 50)):
        low, high = result.decimal_bracket(k)
        held.between("decimal bracket", Fraction(low), p, Fraction(high))
    exact_log = oracle.log10(p)
    held.between("logarithm", Decimal(result.log10_lower), exact_log, Decimal(result.log10_upper))
    held.between("middle logarithm", result.log10_lower, result.log10_pvalue, result.log10_upper)
    held.true("repr", repr(result).startswith("FloatResult("))


def draw_decisions(rng):
    return {
        **_rows(rng, rng.choice((3, 8, 14))),
        "alternative": rng.choice(ALTERNATIVES),
        "strict": rng.random() < 0.5,
    }


def check_decisions(case, held):
    """Decisions at alpha = p exactly, next to it, and anywhere."""
    rng, alternative = Random(case["salt"]), case["alternative"]
    observed, null, _units = _null(case)
    p = null.pvalue(observed, alternative)
    nearest = Fraction(p.numerator / p.denominator)
    neighbours = [
        p - Fraction(1, 2**200),
        p + Fraction(1, 2**200),
        nearest,
        Fraction(math.nextafter(nearest, 0.0)),
    ]
    levels = [p, *neighbours, cases.probability(rng)]
    for alpha in (x for x in levels if 0 < x <= 1):
        u, v, options = _columns(case, rng)
        strict = {"strict": True} if case["strict"] else {}
        try:
            decision = exactperm.is_significant(
                u, v, alpha, alternative=alternative, **strict, **options
            )
        except exactperm.BudgetExceeded:
            held.refused += 1
            continue
        held.same("decision", bool(decision), p < alpha if case["strict"] else p <= alpha)
        held.same("alpha", (decision.alpha, decision.strict), (alpha, case["strict"]))


# ------------------------------------------------------------------------------------ several tests


def draw_influence(rng):
    rows = [(u, v, None) for u, v in cases.pairs(rng, rng.randint(2, 7))]
    return {
        "rows": rows,
        "grouped": False,
        "alternative": rng.choice(ALTERNATIVES),
        "salt": rng.random(),
    }


def check_influence(case, held):
    """Leave-one-out p-values, and the greedy search, one test after the other."""
    rng, alternative = Random(case["salt"]), case["alternative"]
    values = [u - v for u, v, _ in case["rows"]]
    if len(values) < 2:
        return
    u, v, _options = _columns(case, rng)
    result = exactperm.influence(u, v, alternative=alternative)

    def test(kept):
        return Null(oracle.signed_sums(kept)).pvalue(sum(kept), alternative)

    held.same(
        "leave one out",
        list(result.pvalues),
        [test(values[:i] + values[i + 1 :]) for i in range(len(values))],
    )
    alpha, strict = (
        rng.choice((Fraction(1, 20), Fraction(1, 4), Fraction(1, 2))),
        rng.random() < 0.5,
    )
    held.same(
        "greedy", result.greedy_removals(alpha, strict=strict), _greedy(values, test, alpha, strict)
    )


def _greedy(values, test, alpha, strict):
    def rejects(p):
        return p < alpha if strict else p <= alpha

    first, removed, kept = rejects(test(values)), [], list(range(len(values)))
    while len(kept) > 1:
        after = {i: test([values[j] for j in kept if j != i]) for i in kept}
        best = (max if first else min)(after.values())
        removed.append(next(i for i in kept if after[i] == best))
        kept.remove(removed[-1])
        if rejects(best) != first:
            return tuple(removed)
    return None


def draw_leaderboards(rng):
    systems, n = rng.randint(2, 4), rng.randint(1, 5)
    base = cases.SHAPES[rng.choice(list(cases.SHAPES))]
    labels = cases.labels(rng, n)
    return {
        "rows": [
            (tuple(base(rng) for _ in range(systems)), label) for label in labels or [None] * n
        ],
        "grouped": labels is not None,
        "adjust": rng.choice(
            ("bonferroni", "holm", "sidak", "holm-sidak", "hochberg", "hommel", "fdr_bh", "fdr_by")
        ),
        "alternative": rng.choice(ALTERNATIVES),
        "salt": rng.random(),
    }


def check_leaderboards(case, held):
    """All pairs of systems: each test against its distribution, the adjusted p-values against closed testing."""
    rng, adjust, alternative = Random(case["salt"]), case["adjust"], case["alternative"]
    entries, labels = zip(*case["rows"])
    columns = {f"system {i}": column for i, column in enumerate(zip(*entries))}
    options = {"groups": cases.written_labels(rng, labels)} if case["grouped"] else {}
    scores = {name: cases.written(rng, column) for name, column in columns.items()}
    board = exactperm.compare_all(scores, adjust=adjust, alternative=alternative, **options)
    tests = []
    for a, b in combinations(columns, 2):
        pairs = [(x, y, label) for x, y, label in zip(columns[a], columns[b], labels)]
        tests.append((a, b, *_null({"rows": pairs, "grouped": case["grouped"]})[:2]))
    held.same("rows", [(row.first, row.second) for row in board], [(a, b) for a, b, *_ in tests])
    for row, (_a, _b, observed, null) in zip(board, tests):
        same_result(held, row.result, observed, null, alternative)
    pvalues = [null.pvalue(observed, alternative) for *_, observed, null in tests]
    held.same("adjusted", [row.adjusted for row in board], oracle.adjusted(pvalues, adjust))


# ------------------------------------------------------------------------------------------ numbers


def draw_numbers(rng):
    shape = cases.SHAPES[rng.choice(list(cases.SHAPES))]
    text = list(cases.decimal_text(Fraction(rng.randint(-(10**6), 10**6), 10 ** rng.randint(0, 8))))
    for _ in range(rng.randint(0, 3)):
        text.insert(
            rng.randint(0, len(text)), rng.choice("0123456789.,-+eE/ _xinfa\u0663\u2212\u00a0\t\n'")
        )
    return {
        "value": shape(rng),
        "digits": rng.randint(1, 40),
        "text": "".join(text),
        "salt": rng.random(),
    }


def check_numbers(case, held):
    """Numbers in all their spellings, damaged texts, and decimals of fractions."""
    rng, x, digits = Random(case["salt"]), Fraction(case["value"]), case["digits"]
    held.same("statistic", exactperm.sign_flip_test([cases.spelled(rng, x)]).statistic, x)
    text = exactperm.decimal_string(cases.spelled(rng, x), digits)
    held.same("decimal", Decimal(text), oracle.significant(x, digits))
    held.same(
        "digits", sum(map(str.isdecimal, text.lstrip("-0.").partition("e")[0])), digits if x else 0
    )
    want = oracle.number(case["text"])
    try:
        got = exactperm.sign_flip_test([case["text"]]).statistic
    except exactperm.ExactPermError as error:
        held.same("refused text", want, None)
        held.true("place", "d[0] is" in str(error))
    else:
        held.same("text", got, want)
