"""Claims whose truth is known: p-values of many programs as papers print them, and false numbers.

:func:`true_claims` runs SciPy, statsmodels, R (with coin and exactRankTests, where Rscript is
there) and plain lines of Python and NumPy on random paired data: measurements of several scales,
with ties and zeros, 0/1 scores, several runs, counts of F1; one by one and as adjusted families.
Each number is printed as papers print it. The data are given as they are, or as a table rounded to
1/10, 1 or 10; the text is that of the data as they are. Each claim is made three times: with
nothing stated, with what a methods section states (test and tail), and with all stated.

:func:`false_claims` makes wrong numbers in thirteen ways and states what is right instead.

A claim is a dict: ``fields`` is what an audit takes; ``truth``, ``way`` (the program, or the way in
which a number is wrong), ``mode``, ``form`` of the data, ``family`` (claims that are audited
together), and ``expected``, the axis that explains a wrong number ("" where nothing does).
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import tempfile
import warnings
from fractions import Fraction
from itertools import combinations, product
from math import comb, fsum, isnan
from pathlib import Path
from statistics import mean, stdev

import numpy as np
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.descriptivestats import sign_test
from statsmodels.stats.multitest import multipletests

SIDES = ("two-sided", "greater", "less")
TAILED = {"two-sided": "two-tailed", "greater": "greater", "less": "less"}
NAMES = {
    "t": "t-test",
    "difference": "permutation",
    "wilcoxon": "Wilcoxon signed-rank",
    "sign": "sign test",
    "mcnemar": "mcnemar",
    "f1": "f1",
}
MODES = ("nothing stated", "methods section", "all stated")
FORMS = {"raw": None, "1/10": 1, "1": 0, "10": -1}
SCALES = {"integers": 0, "one decimal": 1, "two decimals": 2, "doubles": 17, "ties": 1, "0/1": 0}
ADJUSTMENTS = {
    "holm": "holm",
    "bonferroni": "bonferroni",
    "holm-sidak": "holm-sidak",
    "fdr_bh": "fdr_bh",
}

R_CODE = """
out <- function(i, name, p, how = "", line = "") if (length(p) == 1 && is.finite(p))
  cat(i, name, sprintf("%.17g", p), how, line, sep = "\\t", fill = FALSE, "\\n")
has <- function(x) suppressMessages(requireNamespace(x, quietly = TRUE))
got <- function(e) tryCatch(suppressWarnings(e), error = function(e) NULL)
short <- function(x) format(x, digits = 5)
one <- function(i, x, y) {
  for (side in c("two.sided", "greater", "less")) {
    w <- got(wilcox.test(x, y, paired = TRUE, alternative = side))
    if (!is.null(w)) out(i, paste("wilcox.test", side), w$p.value, w$method, paste("V =", short(w$statistic)))
    t <- got(t.test(x, y, paired = TRUE, alternative = side))
    if (!is.null(t)) out(i, paste("t.test", side), t$p.value, "",
      paste0("t = ", short(t$statistic), ", df = ", t$parameter))
    b <- sum(x > y); n <- sum(x != y)
    if (n > 0) out(i, paste("binom.test", side), binom.test(b, n, alternative = side)$p.value) }
  w <- got(wilcox.test(x, y, paired = TRUE, exact = FALSE, correct = FALSE))
  if (!is.null(w)) out(i, "wilcox.test correct=FALSE", w$p.value, "", paste("V =", short(w$statistic)))
  if (all(c(x, y) %in% c(0, 1))) { m <- table(factor(x, 0:1), factor(y, 0:1))
    if (m[1, 2] + m[2, 1] > 0) for (correct in c(TRUE, FALSE)) { k <- mcnemar.test(m, correct = correct)
      out(i, paste0("mcnemar.test correct=", correct), k$p.value, "",
        paste0("McNemar's chi-squared = ", short(k$statistic), ", df = 1")) } }
  else if (any(x != y)) {
    if (has("coin")) { for (zero in c("Pratt", "Wilcoxon")) {
      w <- got(coin::wilcoxsign_test(x ~ y, zero.method = zero))
      if (!is.null(w)) out(i, paste("coin", zero), as.numeric(coin::pvalue(w)), "",
        paste("Z =", short(as.numeric(coin::statistic(w)))))
      w <- got(coin::wilcoxsign_test(x ~ y, zero.method = zero, distribution = coin::exact()))
      if (!is.null(w)) out(i, paste("coin exact", zero), as.numeric(coin::pvalue(w))) }
      w <- got(coin::sign_test(x ~ y)); if (!is.null(w)) out(i, "coin sign", as.numeric(coin::pvalue(w)))
      w <- got(coin::sign_test(x ~ y, distribution = coin::exact()))
      if (!is.null(w)) out(i, "coin exact sign", as.numeric(coin::pvalue(w))) }
    if (has("exactRankTests")) {
      w <- got(exactRankTests::wilcox.exact(x, y, paired = TRUE, exact = TRUE))
      if (!is.null(w)) out(i, "wilcox.exact", w$p.value)
      w <- got(exactRankTests::perm.test(x, y, paired = TRUE, exact = TRUE))
      if (!is.null(w)) out(i, if (all(c(x, y) == round(c(x, y)))) "perm.test" else "perm.test ranked",
        w$p.value) } } }
"""


class Data:
    """One data set: two columns as text, and as the doubles that programs read."""

    def __init__(self, kind, rng, pairs=(6, 7, 8, 9, 10, 11, 12, 12, 15, 20, 30)):
        self.kind, n = kind, rng.choice(pairs)
        scale = rng.choice((1, 1, 10, 100)) if kind in ("integers", "doubles", "one decimal") else 1
        spread, shift = rng.choice((1.0, 2.0, 4.0)), rng.choice((0.0, 0.5, 1.0, 2.0))
        base = [scale * rng.uniform(20, 90) for _ in range(n)]
        other = [x - scale * rng.gauss(shift, spread) for x in base]
        if kind == "0/1":
            n = rng.choice((12, 30, 60))
            base = [float(rng.random() < 0.7) for _ in range(n)]
            other = [x if rng.random() < 0.6 else float(rng.random() < 0.5) for x in base]
        if kind == "ties":
            base = [round(x) + rng.choice((0.1, 0.3, 0.6)) for x in base]
            other = [x + rng.choice((-0.3, -0.2, -0.1, 0, 0.1, 0.1)) for x in base]
        self.places = SCALES[kind]
        write = repr if self.places == 17 else (lambda x: f"{x:.{self.places}f}")
        self.text = [[write(x) for x in column] for column in (base, other)]
        self.u, self.v = [np.array([float(x) for x in column]) for column in self.text]
        exact = {Fraction(a) - Fraction(b) for a, b in zip(*self.text)}
        self.degenerate = len(exact - {0}) < 2

    @property
    def table(self):
        """The columns as they are."""
        return self.text

    def rounded(self, places):
        """The columns rounded to so many decimals; None where that leaves them as they are, or nothing."""
        if self.kind == "0/1" or places >= self.places:
            return None
        unit = Fraction(10) ** -places
        columns = [[round(Fraction(x) / unit) * unit for x in column] for column in self.text]
        if stdev(self.u - self.v) < unit / 2 or len({a - b for a, b in zip(*columns)}) < 3:
            return None
        return [[f"{float(x):.{max(0, places)}f}" for x in column] for column in columns]


class Output:
    """A true number of a program: p, its data, what states it fully, and the statistic that is printed before it."""

    def __init__(self, program, p, data, *, line="", family="", **stated):
        self.program, self.p, self.data, self.line, self.family = program, p, data, line, family
        self.stated = {"alternative": "two-sided", "boundary": ">=", **stated}
        if self.stated["law"] in ("t", "normal", "normal-cc"):
            del self.stated["boundary"]

    def methods(self):
        """What a methods section states: test, tail and adjustment in words."""
        law, statistic = self.stated["law"], self.stated["statistic"]
        side = self.stated["alternative"]
        words = {
            "statistic": NAMES["t" if law == "t" else statistic],
            "alternative": TAILED.get(side, side),
        }
        kept = ["adjustment", "tests", "design"]
        samples, pairs = self.stated.get("samples"), len(self.data.table[0])
        # papers say how many, unless it is the default of programs and below all assignments
        kept += ["samples"] if samples not in (9999, 10000) or 2**pairs <= samples else []
        return {**words, **{name: self.stated[name] for name in kept if name in self.stated}}


# ------------------------------------------------------------------------------------ Python


def of_scipy(data, rng):
    """Yield the outputs of SciPy and statsmodels."""
    u, v = data.u, data.v
    d = u - v
    b, n = int((d > 0).sum()), int((d != 0).sum())
    for side in SIDES:
        r = stats.ttest_rel(u, v, alternative=side)
        line = rng.choice((f"t({r.df:.0f}) = {r.statistic:.3f}", f"t = {r.statistic:.2f}"))
        yield Output(
            "ttest_rel",
            r.pvalue,
            data,
            line=line,
            statistic="difference",
            law="t",
            alternative=side,
        )
        about = {"statistic": "sign", "law": "exact", "alternative": side}
        yield Output("binomtest", stats.binomtest(b, n, alternative=side).pvalue, data, **about)
        if data.kind != "0/1":
            yield from of_wilcoxon(data, side)
        if len(u) <= 12:
            yield from of_permutation_test(data, side, np.inf, rng)
    about = {"statistic": "sign", "law": "exact"}
    yield Output("statsmodels sign_test", sign_test(d)[1], data, **about)
    yield from of_permutation_test(data, rng.choice(SIDES), rng.choice((999, 9999)), rng)
    if data.kind == "0/1":
        table = [[int(((u == i) & (v == j)).sum()) for j in (1, 0)] for i in (1, 0)]
        for law, options in (
            ("exact", {"exact": True}),
            ("normal-cc", {"exact": False}),
            ("normal", {"exact": False, "correction": False}),
        ):
            p = mcnemar(table, **options).pvalue
            yield Output(f"statsmodels mcnemar {law}", p, data, statistic="mcnemar", law=law)


def of_wilcoxon(data, side):
    """Yield the outputs of SciPy's wilcoxon for all rules for zeros, by its own choice of the law."""
    for zeros, correction in product(("wilcox", "pratt", "zsplit"), (False, True)):
        about = {"zero_method": zeros, "alternative": side, "correction": correction}
        p = stats.wilcoxon(data.u, data.v, **about).pvalue
        normal = stats.wilcoxon(data.u, data.v, method="asymptotic", **about).pvalue == p
        yield Output(
            f"wilcoxon {zeros}",
            p,
            data,
            statistic="wilcoxon",
            law=("normal-cc" if correction else "normal") if normal else "exact",
            zeros=zeros,
            alternative=side,
        )


def of_permutation_test(data, side, samples, rng):
    """Yield the output of SciPy's permutation_test, enumerated or estimated."""
    if samples is np.inf or 2 ** len(data.u) <= samples:
        samples = np.inf
    r = stats.permutation_test(
        (data.u, data.v),
        lambda a, b, axis: np.mean(a, axis=axis) - np.mean(b, axis=axis),
        permutation_type="samples",
        n_resamples=samples,
        alternative=side,
        rng=rng.randrange(2**31),
    )
    law = {"law": "exact"}
    if samples is not np.inf:
        law = {"law": "monte-carlo", "samples": samples, "estimate": "(b+1)/(K+1)"}
    yield Output(
        "permutation_test", r.pvalue, data, statistic="difference", alternative=side, **law
    )


def of_scripts(data, rng):
    """Yield the numbers of enumerations and estimates as scripts have them."""
    d = data.u - data.v
    n, about = len(d), {"statistic": "difference", "law": "exact"}
    if n <= 12:
        signs = np.array(list(product((1, -1), repeat=n)))
        means, seen = (signs * d).mean(axis=1), d.mean()
        up, down = np.mean(means >= seen), np.mean(means <= seen)
        weak, strict = np.mean(np.abs(means) >= abs(seen)), np.mean(np.abs(means) > abs(seen))
        yield Output("numpy mean >=", weak, data, **about)
        yield Output("numpy mean >", strict, data, boundary=">", **about)
        yield Output("numpy greater", up, data, alternative="greater", **about)
        yield Output("numpy less", down, data, alternative="less", **about)
        yield Output(
            "numpy doubled", min(1.0, 2 * min(up, down)), data, alternative="doubled", **about
        )
        sums = signs @ d
        yield Output("numpy dot", np.mean(np.abs(sums) >= abs(d.sum())), data, **about)
        tidy = np.round(np.abs(means), 9), round(abs(seen), 9)
        yield Output("numpy rounded", np.mean(tidy[0] >= tidy[1]), data, **about)
        mid = (np.mean(tidy[0] > tidy[1]) + np.mean(tidy[0] >= tidy[1])) / 2
        yield Output("numpy mid", mid, data, boundary="mid", **about)
    if n <= 10:
        totals = [sum(s * x for s, x in zip(one, d)) for one in product((1, -1), repeat=n)]
        yield Output("python sum", np.mean([abs(t) >= abs(sum(d)) for t in totals]), data, **about)
        totals = [fsum(s * x for s, x in zip(one, d)) for one in product((1, -1), repeat=n)]
        yield Output(
            "python fsum", np.mean([abs(t) >= abs(fsum(d)) for t in totals]), data, **about
        )
    yield from of_estimates(data, rng)
    b, c = int((d > 0).sum()), int((d < 0).sum())
    tail = sum(comb(b + c, k) for k in range(max(b, c), b + c + 1)) / 2 ** (b + c)
    yield Output("comb", min(1.0, 2 * tail), data, statistic="sign", law="exact")


def of_estimates(data, rng):
    """Yield estimates from random signs."""
    d = data.u - data.v
    gen = np.random.default_rng(rng.randrange(2**32))
    for samples, estimate in ((1000, "b/K"), (10000, "b/K"), (9999, "(b+1)/(K+1)")):
        signs = gen.choice((1, -1), size=(samples, len(d)))
        means, seen = (signs * d).mean(axis=1), d.mean()
        for side, hits in (("two-sided", np.abs(means) >= abs(seen)), ("greater", means >= seen)):
            b = int(hits.sum())
            p = b / samples if estimate == "b/K" else (b + 1) / (samples + 1)
            law = {"law": "monte-carlo", "samples": samples, "estimate": estimate}
            yield Output(
                f"random signs {estimate}", p, data, statistic="difference", alternative=side, **law
            )


class Counts:
    """True positives and wrong ones of two systems, for each item."""

    kind = "F1"

    def __init__(self, rng):
        n = rng.choice((6, 8, 9))
        self.columns = [[rng.randint(0, 6) for _ in range(n)] for _ in range(4)]

    @property
    def table(self):
        """Four columns as text."""
        return [[str(x) for x in column] for column in self.columns]

    def rounded(self, places):
        """Counts are never rounded."""
        return None


def of_f1(rng):
    """Yield exact p-values and estimates of a difference of F1."""
    data = Counts(rng)
    rows = list(zip(*data.columns))

    def difference(swaps):
        sums = [0, 0, 0, 0]
        for swap, (a, b, c, d) in zip(swaps, rows):
            for i, x in enumerate((c, d, a, b) if swap else (a, b, c, d)):
                sums[i] += x
        first, second = [2 * t + w for t, w in (sums[:2], sums[2:])]
        return Fraction(2 * sums[0], first or 1) - Fraction(2 * sums[2], second or 1)

    seen = abs(difference([0] * len(rows)))
    p = np.mean([abs(difference(one)) >= seen for one in product((0, 1), repeat=len(rows))])
    yield Output("F1 enumerated", float(p), data, statistic="f1", law="exact")
    draws = [[rng.random() < 0.5 for _ in rows] for _ in range(1000)]
    b = sum(abs(difference(one)) >= seen for one in draws)
    law = {"law": "monte-carlo", "samples": 1000, "estimate": "(b+1)/(K+1)"}
    yield Output("F1 estimated", (b + 1) / 1001, data, statistic="f1", **law)


class Runs:
    """Scores of several runs of two systems on each item."""

    kind = "runs"

    def __init__(self, rng):
        n, runs = rng.choice((2, 3, 4)), rng.choice((2, 3))
        shift = rng.choice((0, 1, 2))
        self.sides = [
            [[rng.randint(0, 5) + shift * first for _ in range(runs)] for _ in range(n)]
            for first in (1, 0)
        ]

    @property
    def table(self):
        """The runs of each item."""
        return self.sides

    def rounded(self, places):
        """Runs are given as they are."""
        return None


def of_runs(rng):
    """Yield exact p-values of the three designs, by enumeration."""
    data = Runs(rng)
    u, v = data.sides

    def dealt(a, b):
        runs = [Fraction(x) for x in (*a, *b)]
        for chosen in combinations(range(len(runs)), len(a)):
            rest = [x for i, x in enumerate(runs) if i not in chosen]
            yield mean(runs[i] for i in chosen) - mean(rest)

    means = [(mean(map(Fraction, a)), mean(map(Fraction, b))) for a, b in zip(u, v)]
    every = {
        "within": [sum(one) for one in product(*(list(dealt(a, b)) for a, b in zip(u, v)))],
        "items": [sum(one) for one in product(*((a - b, b - a) for a, b in means))],
        "systems": [
            x * len(u)
            for x in dealt(*[[mean(map(Fraction, run)) for run in zip(*w)] for w in (u, v)])
        ],
    }
    seen = sum(a - b for a, b in means)
    for design, found in every.items():
        about = {"statistic": "difference", "law": "exact", "design": design}
        for side in SIDES:
            hits = {
                "two-sided": [abs(x) >= abs(seen) for x in found],
                "greater": [x >= seen for x in found],
                "less": [x <= seen for x in found],
            }[side]
            p = float(mean(map(Fraction, map(int, hits))))
            yield Output(f"runs {design}", p, data, alternative=side, **about)


# ----------------------------------------------------------------------------------------- R


def of_r(sets):
    """Yield the outputs of R on all sets; nothing without Rscript."""
    program = shutil.which("Rscript")
    if program is None:
        return
    written = [
        f"one({i}, c({','.join(data.text[0])}), c({','.join(data.text[1])}))"
        for i, data in enumerate(sets)
    ]
    with tempfile.TemporaryDirectory() as folder:
        code = Path(folder) / "code.R"
        code.write_text("\n".join([R_CODE, *written]), encoding="utf-8")
        ran = subprocess.run([program, str(code)], capture_output=True, text=True, check=True)
    for row in ran.stdout.splitlines():
        number, name, p, how, line = row.split("\t")[:5]
        yield Output(
            f"R {name}", float(p), sets[int(number)], line=line.strip(), **r_states(name, how)
        )


def r_states(name, how):
    """Return what states an output of R fully."""
    test = name.split()[0]
    side = next((side for side in ("greater", "less") if side in name.split()), "two-sided")
    about = {
        "t.test": {"statistic": "difference", "law": "t"},
        "binom.test": {"statistic": "sign", "law": "exact"},
        "wilcox.exact": {"statistic": "wilcoxon", "law": "exact", "zeros": "wilcox"},
        "perm.test": {"statistic": "difference", "law": "exact"},
    }.get(test, {})
    if test == "wilcox.test":
        law = "normal" if "FALSE" in name else "exact" if "exact" in how else "normal-cc"
        about = {"statistic": "wilcoxon", "law": law, "zeros": "wilcox"}
    elif test == "mcnemar.test":
        about = {"statistic": "mcnemar", "law": "normal" if "FALSE" in name else "normal-cc"}
    elif test == "coin":
        law = "exact" if "exact" in name else "normal"
        about = {"statistic": "sign", "law": law}
        if "sign" not in name:
            zeros = "pratt" if "Pratt" in name else "wilcox"
            about = {"statistic": "wilcoxon", "law": law, "zeros": zeros}
    return {**about, "alternative": side}


# ------------------------------------------------------------------------------------ claims


def families(outputs, rng, number):
    """Yield outputs whose p-values are adjusted together: three to five tests of one kind."""
    kinds = {}
    for one in outputs:
        law = one.stated["law"]
        if law != "monte-carlo" and one.stated["statistic"] != "f1" and one.data.kind != "runs":
            kinds.setdefault((one.program, *sorted(one.stated.items())), []).append(one)
    usable = [group for _, group in sorted(kinds.items()) if len(group) > 5]
    for i in range(number if usable else 0):
        group = rng.choice(usable)
        members = rng.sample(group, rng.randint(3, 5))
        method = rng.choice(sorted(ADJUSTMENTS))
        adjusted = multipletests([one.p for one in members], method=ADJUSTMENTS[method])[1]
        for one, p in zip(members, adjusted):
            about = {**one.stated, "adjustment": method, "tests": len(members)}
            yield Output(f"{one.program}, {method}", p, one.data, family=f"family {i}", **about)


def printed(p, rng):
    """Print a p-value as papers and programs do."""
    p = min(max(float(p), 0.0), 1.0)
    style = rng.choice((".3f", ".4f", ".2f", ".3f", ".4f", "digits", "bound", "double"))
    if style == "double":
        return repr(p)
    if style == "digits":
        return f"p = {p:.3g}"
    if style == "bound" and abs(p - 0.05) > 1e-9:
        return next((f"p < {a}" for a in (".001", ".01", ".05") if p < float(a)), "n.s.")
    text = f"{p:{'.4f' if style == 'bound' else style}}"
    return f"p = {text}" if float(text) else f"p < 0.{'0' * (len(text) - 3)}1"


def claim(output, text, mode, form, table):
    """Return the fields of one claim."""
    stated = {"nothing stated": {}, "methods section": output.methods()}.get(mode, output.stated)
    if mode == "nothing stated":
        # an estimate is supposed only where something speaks of permutations, and says how many;
        # a tail against the direction of the data opens nothing for p > .05, unless it is said
        side = output.stated["alternative"]
        samples = output.stated.get("samples")
        words = [f"{samples:,} permutations"] if samples else []
        words += [side] if text == "n.s." and side in ("greater", "less") else []
        text = f"{'p > .05' if text == 'n.s.' else text} ({', '.join(words)})" if words else text
    fields = {"p": text, "data": table, **stated}
    if output.stated["statistic"] not in ("mcnemar", "f1") and mode == "all stated":
        unit = FORMS[form]
        fields["rounded"] = "no" if unit is None else str(Fraction(10) ** -unit)
    if output.family:
        fields["source"] = f"{output.family}, {mode}, {form}"
    return fields


def true_outputs(rng, number, with_r=True):
    """Return about so many true outputs of all programs."""
    sets = [
        data
        for data in (
            Data(sorted(SCALES)[i % len(SCALES)], rng) for i in range(max(8, number // 45))
        )
        if not data.degenerate
    ]
    outputs = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for data in sets:
            outputs += [*of_scipy(data, rng), *of_scripts(data, rng)]
        outputs += of_r(sets) if with_r else ()
        outputs = [one for one in outputs if not isnan(one.p)]
        several = [*families(outputs, rng, number // 25)]
        for _ in range(number // 45):
            outputs += [*of_runs(rng), *of_f1(rng)]
    outputs = rng.sample(outputs, min(len(outputs), max(0, number - len(several))))
    return [*outputs, *several]


def true_claims(rng, number, with_r=True):
    """Yield the claims of about ``number`` true outputs in all modes."""
    forms: dict = {}
    for output in true_outputs(rng, number, with_r):
        key = output.family or id(output)
        fits = [
            form for form, unit in FORMS.items() if unit is not None and output.data.rounded(unit)
        ]
        form = forms.setdefault(key, rng.choice(["raw", *fits] if rng.random() < 0.7 else ["raw"]))
        table = output.data.table
        if form != "raw":
            table = output.data.rounded(FORMS[form]) or table
        text = printed(output.p, rng)
        if output.line and rng.random() < 0.4 and not text[0].isdigit() and text != "n.s.":
            text = f"{output.line}, {text}"
        for mode in MODES:
            bare = output.family or output.stated["statistic"] == "f1"
            if not (mode == "nothing stated" and bare):
                fields = claim(output, text, mode, form, table)
                family = fields.get("source", "")
                yield record(True, output.program, mode, form, fields, family=family)


def record(truth, way, mode, form, fields, *, family="", expected=""):
    """Return a claim with what is known of it."""
    return {
        "truth": truth,
        "way": way,
        "mode": mode,
        "form": form,
        "family": family,
        "expected": expected,
        "fields": fields,
    }


# ------------------------------------------------------------------------------ false numbers


TESTS = {
    "t": {"statistic": "difference", "law": "t"},
    "Wilcoxon": {"statistic": "wilcoxon", "law": "normal-cc", "zeros": "wilcox"},
    "sign": {"statistic": "sign", "law": "exact"},
    "permutation": {"statistic": "difference", "law": "exact"},
}
WAYS = {
    "transposed digits": "swapped digits",
    "last digit": "digit",
    "off by .005 to .02": "",
    "off by .02 to .1": "",
    "two decimals, off by .02 to .1": "",
    "one tail sold as two": "alternative",
    "wrong test named": "statistic",
    "wrong n stated": "n",
    "decimal slip": "decimal point",
    "sold as significant": "",
    "p < .01 of .012 to .05": "",
    "n.s. of p < .045": "",
    "two pairs left out": "",
}


def value(test, d):
    """Return the two-sided p-value of a test of differences, as exact decimals."""
    doubles = np.array([float(x) for x in d])
    if test == "t":
        return float(stats.ttest_1samp(doubles, 0).pvalue)
    if test == "Wilcoxon":
        tidy = np.round(doubles, 9)
        return float(stats.wilcoxon(tidy, correction=True, method="asymptotic").pvalue)
    signs = [x for x in d if x]
    if test == "sign":
        return float(stats.binomtest(sum(x > 0 for x in signs), len(signs)).pvalue)
    unit = 100
    found = {0: 1}
    for x in (int(x * unit) for x in signs):
        step = {}
        for place, count in found.items():
            for y in (place + x, place - x):
                step[y] = step.get(y, 0) + count
        found = step
    seen = abs(sum(signs)) * unit
    return sum(count for place, count in found.items() if abs(place) >= seen) / 2 ** len(signs)


def differences(data):
    """Return the differences as exact numbers."""
    return [Fraction(a) - Fraction(b) for a, b in zip(*data.text)]


def stands_for(text, p):
    """Tell whether a text is a true one for p, rounded or cut."""
    if text == "n.s.":
        return p > 0.05
    relation, number = re.fullmatch(r"p ([=<]) ([\d.]+)", text).groups()
    if relation == "<":
        return p < float(number)
    unit = 10 ** -len(number.partition(".")[2])
    return float(number) - unit / 2 <= p * (1 + 1e-9) and p * (1 - 1e-9) < float(number) + unit


def wrong_text(way, p, test, d, rng):
    """Return a wrong text for a test of p on the differences d, or None where this way gives none."""
    places, off = rng.choice((3, 3, 4)), rng.choice((-1, 1))
    text = f"{p:.{places}f}"
    if way == "transposed digits":
        i = rng.randrange(2, len(text) - 1)
        text = text[:i] + text[i + 1] + text[i] + text[i + 2 :]
    elif way == "last digit":
        text = text[:-1] + rng.choice([x for x in "0123456789" if x != text[-1]])
    elif way == "off by .005 to .02":
        text = f"{p + off * rng.uniform(0.005, 0.02):.{places}f}"
    elif way == "off by .02 to .1":
        text = f"{p + off * rng.uniform(0.02, 0.1):.{places}f}"
    elif way == "two decimals, off by .02 to .1":
        text = f"{p + off * rng.uniform(0.02, 0.1):.2f}"
    elif way == "one tail sold as two":
        text = f"{p / 2:.{places}f}" if p < 0.95 else "-"
    elif way == "wrong test named":
        text = f"{value(rng.choice([one for one in TESTS if one != test]), d):.{places}f}"
    elif way == "decimal slip":
        text = f"{p / 10 if off > 0 or p > 0.09 else p * 10:.{places}f}"
    elif way == "two pairs left out":
        left = set(rng.sample(range(len(d)), 2))
        text = f"{value(test, [x for i, x in enumerate(d) if i not in left]):.{places}f}"
    bounds = {
        "sold as significant": ("p < .05", 0.055, 0.2),
        "p < .01 of .012 to .05": ("p < .01", 0.012, 0.05),
        "n.s. of p < .045": ("n.s.", 0.001, 0.045),
    }
    if way in bounds:
        bound, low, high = bounds[way]
        return bound if low < p < high else None
    if "-" in text or not 0 < float(text) <= 1:
        return None
    return f"p = {text}" if way == "wrong n stated" or not stands_for(f"p = {text}", p) else None


def false_data(rng):
    """Yield data of 8 to 30 pairs with p-values of all four tests between .001 and .8."""
    while True:
        kind = rng.choice(("integers", "one decimal", "two decimals"))
        data = Data(kind, rng, range(8, 31))
        d = differences(data)
        if not data.degenerate and sum(x != 0 for x in d) > 5:
            yield data, d


def false_claims(rng, each):
    """Yield ``each`` wrong numbers of every way, in all modes."""
    source = false_data(rng)
    for way, expected in WAYS.items():
        made = 0
        while made < each:
            data, d = next(source)
            test = rng.choice(sorted(TESTS))
            p = value(test, d)
            text = wrong_text(way, p, test, d, rng) if 0.001 < p < 0.8 else None
            if text is not None:
                made += 1
                others = [k for k in (-2, 2, 5) if len(d) + k != sum(x != 0 for x in d)]
                n = len(d) + rng.choice(others) if way == "wrong n stated" else None
                n = len(d) if way == "two pairs left out" else n
                yield from in_modes(data, test, text, way=way, n=n, expected=expected)


def in_modes(data, test, text, *, way, n, expected):
    """Yield a wrong number with all stated, and with less and less."""
    output = Output(way, 0.0, data, **TESTS[test])
    more = {} if n is None else {"n": n}
    words = {"statistic": output.methods()["statistic"]}
    stated = {
        "all stated": {**output.stated, "rounded": "no"},
        "methods section, raw": {**output.methods(), "rounded": "no"},
        "methods section": output.methods(),
        "test named": words,
        "nothing stated": {},
    }
    for mode, fields in stated.items():
        given = {"p": text, "data": data.text, **fields, **more}
        yield record(False, way, mode, "raw", given, expected=expected)
    for form in ("1/10", "1"):
        table = data.rounded(FORMS[form])
        if table is not None:
            given = {"p": text, "data": table, **output.methods(), **more}
            yield record(False, way, "methods section", form, given, expected=expected)
            break


def all_claims(seed, outputs=5000, each=64, with_r=True):
    """Return all claims of a seed: the true ones, then the false ones."""
    return [
        *true_claims(random.Random(f"true {seed}"), outputs, with_r),
        *false_claims(random.Random(f"false {seed}"), each),
    ]
