"""False accusations, and what stays refuted: true and wrong p-values of many programs against the audit.

    python benchmarks/audit_truth.py [--quick] [--sets 84] [--seed 3] [--show] [--save part.json]
    python benchmarks/audit_truth.py --merge part.json ...


Random paired data (integers, one and two decimals, doubles; with ties and zeros; 0/1 scores) go
through SciPy, statsmodels, pingouin, R (with coin and exactRankTests, if Rscript is there) and
plain lines as papers have them. Each p-value is printed as papers print it, and audited three
times: with all stated, with nothing stated, and with the scores rounded to one decimal less. Then
wrong p-values of the same kinds are audited in the same ways. Prints Markdown; parts of a long run,
each with its seed, are saved and merged.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, fsum
from pathlib import Path

import numpy as np
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.descriptivestats import sign_test

from exactperm import audit, read_pvalue

KINDS = ("integers", "one decimal", "two decimals", "doubles", "ties", "0/1")
RANKS = {"statistic": "signed-rank"}
SIDES = {"two-sided": "two.sided", "greater": "greater", "less": "less"}
R_CODE = """
suppressMessages({library(jsonlite, warn.conflicts = FALSE)}); has <- function(x) requireNamespace(x, quietly = TRUE)
sets <- fromJSON(commandArgs(TRUE)[1], simplifyVector = FALSE); out <- list()
add <- function(i, name, p, how = "") out[[length(out) + 1]] <<- list(set = i, name = name, p = p, how = how)
for (i in seq_along(sets)) { x <- as.numeric(sets[[i]]$u); y <- as.numeric(sets[[i]]$v)
  suppressWarnings({ for (side in c("two.sided", "greater", "less")) {
    w <- try(wilcox.test(x, y, paired = TRUE, alternative = side), TRUE)
    if (!inherits(w, "try-error")) add(i - 1, paste("wilcox.test", side), w$p.value, w$method)
    t <- try(t.test(x, y, paired = TRUE, alternative = side), TRUE)
    if (!inherits(t, "try-error")) add(i - 1, paste("t.test", side), t$p.value)
    b <- sum(x > y); n <- sum(x != y)
    if (n > 0) add(i - 1, paste("binom.test", side), binom.test(b, n, alternative = side)$p.value) }
    w <- try(wilcox.test(x, y, paired = TRUE, exact = FALSE, correct = FALSE), TRUE)
    if (!inherits(w, "try-error")) add(i - 1, "wilcox.test correct=FALSE", w$p.value)
    if (all(c(x, y) %in% c(0, 1))) { m <- table(factor(x, 0:1), factor(y, 0:1))
      if (m[1, 2] + m[2, 1] > 0) { add(i - 1, "mcnemar.test", mcnemar.test(m)$p.value)
        add(i - 1, "mcnemar.test correct=FALSE", mcnemar.test(m, correct = FALSE)$p.value) } }
    else if (any(x != y)) {
      if (has("coin")) { for (zero in c("Pratt", "Wilcoxon")) {
        w <- try(coin::wilcoxsign_test(x ~ y, zero.method = zero), TRUE)
        if (!inherits(w, "try-error")) add(i - 1, paste("coin", zero), as.numeric(coin::pvalue(w)))
        w <- try(coin::wilcoxsign_test(x ~ y, zero.method = zero, distribution = coin::exact()), TRUE)
        if (!inherits(w, "try-error")) add(i - 1, paste("coin exact", zero), as.numeric(coin::pvalue(w))) } }
      if (has("exactRankTests")) {
        w <- try(exactRankTests::wilcox.exact(x, y, paired = TRUE, exact = TRUE), TRUE)
        if (!inherits(w, "try-error")) add(i - 1, "wilcox.exact", w$p.value)
        if (all(x == round(x)) && all(y == round(y))) {
          w <- try(exactRankTests::perm.test(as.integer(x), as.integer(y), paired = TRUE, exact = TRUE), TRUE)
          if (!inherits(w, "try-error")) add(i - 1, "perm.test", w$p.value) } } } }) }
cat(toJSON(out, auto_unbox = TRUE, digits = NA))
"""


class Data:
    """One data set: two columns as text, and as the doubles that programs read."""

    def __init__(self, kind: str, rng: random.Random) -> None:
        self.kind, n = kind, rng.choice((6, 7, 8, 9, 10, 11, 12, 12))
        shift, spread = rng.choice((0.0, 0.5, 1.0, 2.0)), rng.choice((1.0, 2.0, 4.0))
        base = [rng.uniform(20, 90) for _ in range(n)]
        other = [x - rng.gauss(shift, spread) for x in base]
        if kind == "0/1":
            n = rng.choice((12, 30, 60))
            base = [rng.random() < 0.7 for _ in range(n)]
            other = [x if rng.random() < 0.6 else rng.random() < 0.5 for x in base]
        places = {
            "integers": 0,
            "one decimal": 1,
            "two decimals": 2,
            "doubles": 17,
            "0/1": 0,
            "ties": 1,
        }[kind]
        if kind == "ties":
            base = [round(x) + rng.choice((0.1, 0.3, 0.6)) for x in base]
            other = [x + rng.choice((-0.3, -0.2, -0.1, 0, 0.1, 0.1)) for x in base]
        self.places = places
        write = repr if places == 17 else (lambda x: f"{float(x):.{places}f}")
        self.text = [[write(x) for x in column] for column in (base, other)]
        self.u, self.v = [np.array([float(x) for x in column]) for column in self.text]
        exact = [Fraction(a) - Fraction(b) for a, b in zip(*self.text)]
        self.degenerate = not any(exact) or len(set(exact)) == 1

    def rounded(self) -> tuple[list[list[str]], str] | None:
        """The columns with a decimal less, and the unit."""
        if self.kind in ("integers", "0/1"):
            return None
        places = max(0, min(self.places, 3) - 1)
        return [[f"{x:.{places}f}" for x in column] for column in (self.u, self.v)], str(
            Fraction(1, 10**places)
        )


def plain_lines(data: Data, rng: random.Random):
    """Yield (name, p, stated) of enumerations and estimates as scripts have them."""
    u, v = data.u, data.v
    d = u - v
    n = len(d)
    exact = {"statistic": "sum", "law": "exact"}
    if n <= 12:
        S = np.array(list(product((1, -1), repeat=n)))
        m, o = (S * d).mean(axis=1), d.mean()
        yield "numpy mean >=", np.mean(np.abs(m) >= abs(o)), exact
        yield "numpy mean >", np.mean(np.abs(m) > abs(o)), {**exact, "boundary": ">"}
        yield "numpy greater", np.mean(m >= o), {**exact, "alternative": "greater"}
        yield "numpy less", np.mean(m <= o), {**exact, "alternative": "less"}
        both = min(np.mean(m >= o), np.mean(m <= o))
        yield "numpy doubled", min(1.0, 2 * both), {**exact, "alternative": "doubled"}
        sums = S @ d
        yield "numpy dot", np.mean(np.abs(sums) >= abs(d.sum())), exact
        masks = (S > 0).astype(float)
        swapped = (masks * u + (1 - masks) * v).mean(axis=1) - (masks * v + (1 - masks) * u).mean(
            axis=1
        )
        yield "numpy swapped means", np.mean(np.abs(swapped) >= abs(u.mean() - v.mean())), exact
        yield "numpy rounded", np.mean(np.round(np.abs(m), 9) >= round(abs(o), 9)), exact
        lists = list(product((1, -1), repeat=n)) if n <= 10 else []
        if lists:
            totals = [sum(s * x for s, x in zip(one, d)) for one in lists]
            yield "python sum", sum(abs(t) >= abs(sum(d)) for t in totals) / len(totals), exact
            totals = [fsum(s * x for s, x in zip(one, d)) for one in lists]
            yield "python fsum", sum(abs(t) >= abs(fsum(d)) for t in totals) / len(totals), exact
        mid = (
            np.mean(np.round(np.abs(m), 9) > round(abs(o), 9)) / 2
            + np.mean(np.round(np.abs(m), 9) >= round(abs(o), 9)) / 2
        )
        yield "numpy mid", mid, {**exact, "boundary": "mid"}
    gen = np.random.default_rng(rng.randrange(2**32))
    for K, formula in ((1000, "b/K"), (9999, "(b+1)/(K+1)")):
        s = gen.choice((1, -1), size=(K, n))
        b = int(np.sum(np.abs((s * d).mean(axis=1)) >= abs(d.mean())))
        law = {"statistic": "sum", "law": "monte-carlo", "samples": K, "estimate": formula}
        yield f"monte carlo {formula}", b / K if formula == "b/K" else (b + 1) / (K + 1), law
        b = int(np.sum((s * d).mean(axis=1) >= d.mean()))
        p = b / K if formula == "b/K" else (b + 1) / (K + 1)
        yield f"monte carlo one side {formula}", p, {**law, "alternative": "greater"}
    b, c = int((d > 0).sum()), int((d < 0).sum())
    tail = sum(comb(b + c, k) for k in range(max(b, c), b + c + 1)) / 2 ** (b + c)
    yield "comb", min(1.0, 2 * tail), {"statistic": "sign", "law": "exact"}


def packages(data: Data, rng: random.Random):
    """Yield (name, p, stated) of SciPy and statsmodels."""
    u, v = data.u, data.v
    d = u - v
    for side in SIDES:
        stated = {"alternative": side}
        yield (
            f"ttest_rel {side}",
            stats.ttest_rel(u, v, alternative=side).pvalue,
            {"statistic": "sum", "law": "t", **stated},
        )
        if d.any() and data.kind != "0/1":
            for zeros in ("wilcox", "pratt", "zsplit"):
                for correction in (False, True):
                    r = stats.wilcoxon(
                        u, v, zero_method=zeros, alternative=side, correction=correction
                    )
                    normal = "normal-cc" if correction else "normal"
                    law = normal if hasattr(r, "zstatistic") else "exact"
                    about = {
                        **RANKS,
                        "zeros": "drop" if zeros == "wilcox" else zeros,
                        "law": law,
                        **stated,
                    }
                    yield f"wilcoxon {zeros} {side}", r.pvalue, about
        b, n = int((d > 0).sum()), int((d != 0).sum())
        if n:
            yield (
                f"binomtest {side}",
                stats.binomtest(b, n, alternative=side).pvalue,
                {"statistic": "sign", "law": "exact", **stated},
            )
    if d.any():
        yield "statsmodels sign_test", sign_test(d)[1], {"statistic": "sign", "law": "exact"}
    if len(d) <= 12:
        for side in SIDES:
            r = stats.permutation_test(
                (u, v),
                lambda a, b: (a - b).mean(),
                permutation_type="samples",
                n_resamples=np.inf,
                alternative=side,
            )
            yield (
                f"permutation_test {side}",
                r.pvalue,
                {"statistic": "sum", "law": "exact", "alternative": side},
            )
    r = stats.permutation_test(
        (u, v),
        lambda a, b: np.mean(a) - np.mean(b),
        permutation_type="samples",
        n_resamples=999,
        rng=rng.randrange(2**31),
    )
    if 2 ** len(d) > 999:
        yield (
            "permutation_test estimate",
            r.pvalue,
            {"statistic": "sum", "law": "monte-carlo", "samples": 999},
        )
    if data.kind == "0/1":
        table = [[int(((u == i) & (v == j)).sum()) for j in (1, 0)] for i in (1, 0)]
        if table[0][1] + table[1][0]:
            for law, about in (
                ("exact", {"exact": True}),
                ("normal-cc", {"exact": False}),
                ("normal", {"exact": False, "correction": False}),
            ):
                yield (
                    f"mcnemar {law}",
                    mcnemar(table, **about).pvalue,
                    {"statistic": "mcnemar", "law": law},
                )


def of_pingouin(data: Data):
    """Yield (name, p, stated) of pingouin."""
    import pingouin

    for side in SIDES:
        tests = [("ttest", {"statistic": "sum", "law": "t"}, {"paired": True})]
        if (data.u != data.v).any() and data.kind != "0/1":
            normal = hasattr(stats.wilcoxon(data.u, data.v, alternative=side), "zstatistic")
            tests.append(("wilcoxon", {**RANKS, "law": "normal" if normal else "exact"}, {}))
        for name, stated, options in tests:
            row = getattr(pingouin, name)(data.u, data.v, alternative=side, **options).iloc[0]
            p = row[next(column for column in row.index if column.startswith("p"))]
            yield f"pingouin {name} {side}", p, {**stated, "alternative": side}


def from_r(sets: list[Data]):
    """Yield (set, name, p, stated) of R; nothing without it."""
    if not shutil.which("Rscript"):
        return
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "code.R").write_text(R_CODE, encoding="utf-8")
        (Path(folder) / "sets.json").write_text(
            json.dumps([{"u": d.text[0], "v": d.text[1]} for d in sets])
        )
        words = ["Rscript", f"{folder}/code.R", f"{folder}/sets.json"]
        found = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    for row in found:
        name = row["name"]
        side = next((ours for ours, theirs in SIDES.items() if theirs in name), "two-sided")
        stated = {"alternative": side}
        if name.startswith("wilcox.test"):
            law = "normal" if "FALSE" in name else "exact" if "exact" in row["how"] else "normal-cc"
            stated.update(RANKS, law=law)
        elif name.startswith("coin"):
            law = "exact" if "exact" in name else "normal"
            stated.update(RANKS, law=law, zeros="pratt" if "Pratt" in name else "drop")
        elif name.startswith("mcnemar"):
            stated.update(statistic="mcnemar", law="normal" if "FALSE" in name else "normal-cc")
        else:
            known = {
                "t.test": ("sum", "t"),
                "binom.test": ("sign", "exact"),
                "wilcox.exact": ("signed-rank", "exact"),
                "perm.test": ("sum", "exact"),
            }
            stated.update(zip(("statistic", "law"), known[name.split()[0]]))
        if isinstance(row["p"], (int, float)):
            yield row["set"], "R " + name, row["p"], stated


def printed(p: float, rng: random.Random) -> str:
    """Print a p-value as papers do."""
    p = min(max(float(p), 0.0), 1.0)
    style = rng.choice((".3f", ".4f", ".2f", ".3f", ".4f", "digits", "bound", "double"))
    if style == "double":
        return repr(p)
    if style == "digits":
        return f"p = {p:.3g}"
    if style == "bound":
        return next((f"p < {a}" for a in (".001", ".01", ".05") if p < float(a)), "n.s.")
    text = f"{p:{style}}"
    if float(text) == 0:
        return f"p < 0.{'0' * (int(style[1]) - 1)}1"
    return f"p = {text}"


def true_outputs(sets: list[Data], rng: random.Random):
    """Yield (data, name, p, stated) of all programs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for data in sets:
            for name, p, stated in (
                *packages(data, rng),
                *of_pingouin(data),
                *plain_lines(data, rng),
            ):
                yield data, name, p, stated
    for number, name, p, stated in from_r(sets):
        yield sets[number], name, p, stated


def claims_of(data: Data, text: str, stated: dict, n: int | None = None):
    """Yield (mode, claim) of one printed text: all stated, nothing stated, rounded scores."""
    rest = {} if n is None else {"n": n}
    yield "all stated", {"p": text, "data": data.text, **stated, "stated": "all", **rest}
    yield "nothing stated", {"p": text, "data": data.text, **rest}
    table = data.rounded()
    if table is not None:
        yield (
            "rounded",
            {"p": text, "data": table[0], **stated, "stated": "all", "rounded": table[1], **rest},
        )


def wrong_texts(outputs, rng: random.Random):
    """Yield (kind, data, text, stated, n) of wrong claims made from true outputs."""
    for data, name, p, stated in outputs:
        p = float(p)
        two = (
            stated.get("alternative", "two-sided") == "two-sided" and stated["law"] != "monte-carlo"
        )
        if two and p < 0.9:
            yield "one side sold as two", data, f"p = {p / 2:.4f}", stated, None
        if 0.001 < p < 0.98:
            yield (
                "last digit wrong (3 decimals)",
                data,
                f"p = {p + rng.choice((-1, 1)) * rng.choice((0.002, 0.003, 0.005)):.3f}",
                stated,
                None,
            )
            yield (
                "a digit wrong (4 decimals)",
                data,
                f"p = {p * rng.choice((0.7, 0.85, 1.2, 1.5)):.4f}",
                stated,
                None,
            )
        if stated["law"] != "monte-carlo":
            yield "wrong n", data, f"p = {p:.4f}", stated, len(data.u) + rng.choice((-2, 2, 5))
        if name == "numpy mean >=" and len(data.u) <= 12:
            N = 2 ** len(data.u)
            yield "dropped extreme term", data, f"p = {max(0.0, p - 2 / N):.5f}", stated, None
        if stated.get("samples") == 9999 and p > 0.002:
            yield "K too small", data, f"p = {rng.choice((0.4, 0.5, 1.9)) * p:.4f}", stated, None


def lost_in_binary(data: Data, claim: dict, rng: random.Random) -> str:
    """Return whether a plain line of code, run on these data, prints a text that is taken for lost ties."""
    if claim.get("statistic") != "sum":
        return "float-ties, computed"
    reading = read_pvalue(claim["p"])
    side = claim.get("alternative", "two-sided")
    for _name, p, stated in plain_lines(data, rng):
        same = stated["law"] == "exact" and stated.get("alternative", "two-sided") == side
        if same and stated["statistic"] == "sum" and reading.fit(Fraction(float(p))) is not None:
            return "float-ties, computed"
    return "float-ties, possible"


def tally(groups, show: bool):
    """Audit claims one by one; return the number of each level, and of lost ties, by (kind, mode)."""
    found: dict = {}
    rng = random.Random(1)
    for kind, mode, name, claim, data in groups:
        (finding,) = audit([claim])
        counts = found.setdefault((kind, mode), Counter())
        counts[finding.level] += 1
        if mode == "all stated" and kind != "true" and finding.reason == "float-ties":
            counts[lost_in_binary(data, claim, rng)] += 1
        wrong = finding.level.endswith("inconsistent") or finding.level == "unreadable"
        if show and wrong:
            print(
                mode,
                "|",
                name,
                "|",
                finding.line(),
                "|",
                *finding.notes,
                "|",
                json.dumps(claim),
                file=sys.stderr,
                flush=True,
            )
    return found


LEVELS = ("consistent", "undecided", "inconsistent", "decision-inconsistent")
MODES = ("all stated", "nothing stated", "rounded")


def run(words: list[str]) -> tuple[dict, dict]:
    """Return the tallies of true output and of wrong claims."""
    number = (
        int(words[words.index("--sets") + 1])
        if "--sets" in words
        else 12
        if "--quick" in words
        else 84
    )
    rng = random.Random(int(words[words.index("--seed") + 1]) if "--seed" in words else 3)
    sets = [
        data
        for data in (Data(KINDS[i % len(KINDS)], rng) for i in range(number))
        if not data.degenerate
    ]
    outputs = [one for one in true_outputs(sets, rng) if one[2] == one[2]]
    texts = [(data, name, printed(p, rng), stated) for data, name, p, stated in outputs]
    true = tally(
        (
            ("true", mode, name, claim, data)
            for data, name, text, stated in texts
            for mode, claim in claims_of(data, text, stated)
        ),
        "--show" in words,
    )
    sample = rng.sample(outputs, min(len(outputs), 8 * number))
    wrong = tally(
        (
            (kind, mode, kind, claim, data)
            for kind, data, text, stated, n in wrong_texts(sample, rng)
            for mode, claim in claims_of(data, text, stated, n)
        ),
        False,
    )
    return true, wrong


def show(true: dict, wrong: dict) -> None:
    """Print both tables."""
    print(
        "| true output | claims | consistent | undecided | inconsistent | of a decision |\n|---|--:|--:|--:|--:|--:|"
    )
    for (_, mode), counts in true.items():
        total = sum(counts[level] for level in LEVELS)
        print(
            f"| {mode} | {total:,} | " + " | ".join(f"{counts[level]:,}" for level in LEVELS) + " |"
        )
    print(
        "\n| wrong claims, refuted | all stated | of the rest, lost ties | nothing stated | rounded |"
    )
    print("|---|--:|--:|--:|--:|")
    for kind in dict.fromkeys(kind for kind, _ in wrong):
        cells = []
        for mode in MODES:
            counts = wrong.get((kind, mode), Counter())
            refuted = counts["inconsistent"] + counts["decision-inconsistent"]
            cells.append(f"{refuted} of {sum(counts[level] for level in LEVELS)}")
            if mode == MODES[0]:
                computed, possible = counts["float-ties, computed"], counts["float-ties, possible"]
                cells.append(f"{computed + possible} ({computed} computed)")
        print(f"| {kind} | {' | '.join(cells)} |")


def main(words: list[str]) -> None:
    """Run and print the tables, or merge parts that were saved."""
    if "--merge" in words:
        merged: tuple[dict, dict] = {}, {}
        for path in words[words.index("--merge") + 1 :]:
            for tables, part in zip(merged, json.loads(Path(path).read_text(encoding="utf-8"))):
                for kind, mode, counts in part:
                    tables.setdefault((kind, mode), Counter()).update(counts)
    else:
        merged = run(words)
    if "--save" in words:
        parts = [[[*key, counts] for key, counts in part.items()] for part in merged]
        Path(words[words.index("--save") + 1]).write_text(json.dumps(parts), encoding="utf-8")
    show(*merged)


if __name__ == "__main__":
    main(sys.argv[1:])
