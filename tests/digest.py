"""Sixty results in one SHA-256, the same on every interpreter and machine: ``python3 -m tests.digest [--show]``.

Needs nothing but the package. ``--show`` prints the results, so that two hosts can be compared line
by line. ``python3 tests/hosts.py digests`` does that for the interpreters that it finds.
"""

import hashlib
import io
import os
import random
import re
import sys
import tempfile
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from fractions import Fraction
from pathlib import Path

import exactperm as ep
from exactperm import reference
from exactperm.cli import main as cli
from exactperm.cli.demo import DARWIN_MAIZE, STUDENT_SLEEP
from exactperm.counting.methods import METHODS
from exactperm.files import saving
from tests.workload import paper_workload

ROOT = Path(__file__).resolve().parent.parent
U, V = paper_workload(300)
SLEEP = "new,old\n0.7,1.9\n-1.6,0.8\n-0.2,1.1\n-1.2,0.1\n-0.1,-0.1\n3.4,4.4\n3.7,5.5\n0.8,1.6\n0,4.6\n2.0,3.4\n"
CLAIMS = (ROOT / "tests" / "data" / "audit" / "claims.json").read_text(encoding="utf-8")
OTHERWISE = ("method", "version", "seconds", "log10_pvalue")
"""Fields that may change without a change of the result; a logarithm ends in a digit of the C
library."""


def numbers(n, *, seed, digits=None):
    """Return n numbers from -0.4 to 0.6: doubles, or rounded to so many digits."""
    rng = random.Random(seed)
    scores = [rng.random() - 0.4 for _ in range(n)]
    return scores if digits is None else [round(x, digits) for x in scores]


def counts(n):
    """Return two columns of (true positives, incorrect)."""
    rng = random.Random(n)
    return [[tuple(int(rng.random() * 4) for _ in range(2)) for _ in range(n)] for _ in range(2)]


@contextmanager
def folder():
    """A folder with files, in which commands run."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as there:
        os.chdir(there)
        try:
            Path("sleep.csv").write_text(SLEEP, encoding="utf-8")
            Path("claims.json").write_text(CLAIMS, encoding="utf-8")
            for name in ("darwin.csv", "sleep.csv"):
                data = (ROOT / "tests" / "data" / "audit" / name).read_text(encoding="utf-8")
                Path(name if name == "darwin.csv" else "sleep2.csv").write_text(
                    data, encoding="utf-8"
                )
            yield
        finally:
            os.chdir(before)


def command(*words):
    """Return exit status and output of a command, without its times."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = cli.main(words)
    text = f"{status}\n{out.getvalue()}{err.getvalue()}"
    return re.sub(r"[\d.]+ m?s\b|\"log10_pvalue\": [^,]*|\"seconds\": [\d.e-]+", "", text)


def exact():
    """Exact tests: alternatives, scores of all kinds, statistics and engines."""
    alternatives = ("two-sided", "greater", "less", "doubled")
    yield from (
        (f"darwin {word}", ep.sign_flip_test(DARWIN_MAIZE, alternative=word))
        for word in alternatives
    )
    yield "student", ep.sign_flip_test(STUDENT_SLEEP)
    yield "paper", ep.permutation_test(U, V)
    yield (
        "decimals",
        ep.permutation_test(numbers(40, seed=1, digits=2), numbers(40, seed=2, digits=2)),
    )
    yield "rationals", ep.sign_flip_test([Fraction(n * n % 7 - 3, n) for n in range(1, 15)])
    yield "groups", ep.permutation_test(U, V, groups=[n // 3 for n in range(300)])
    yield (
        "float ties",
        ep.permutation_test([0.3, 0.1, 0.2, 0.7], [0.2, 0, 0.3, 0.1], alternative="greater"),
    )
    yield "long", ep.sign_flip_test({1: 4000, -1: 3700, 3: 200})
    yield "f1", ep.permutation_test(*counts(25), statistic=ep.f1_difference)
    yield "mean", ep.permutation_test(U[:90], V[:90], statistic=ep.mean_difference)
    yield from (
        (f"engine {word}", ep.sign_flip_test([3, -1, 4, 1, -5, 9, 2, 6], method=word))
        for word in METHODS[1:]
    )
    null = ep.sign_flip_test(DARWIN_MAIZE).null_distribution
    yield "null", [null.mean, null.variance, null.quantile("0.9"), *null.critical_value("0.05")]
    yield (
        "mid-p and least",
        [ep.sign_flip_test(DARWIN_MAIZE).midp, ep.sign_flip_test(DARWIN_MAIZE).min_attainable],
    )
    yield "transform", sorted(ep.convolve_ntt([{d: 1, -d: 1} for d in (1, 2, 4, 4, 9)]).items())
    yield "paper's algorithm", ep.exact_perm_test(U[:50], V[:50], lambda u, v: u - v, abs)
    sums = (lambda u, v: u - v, lambda u, v: u + 2 * v)
    yield "its two sums", ep.exact_perm_test_m(U[:12], V[:12], sums, lambda x, y: abs(x) + y)
    yield "reference", reference.paired([3, 1, 4, 1, 5], [2, 7, 1, 8, 2])


def others():
    """Certified and classical tests, intervals, multiplicity, Monte Carlo, audits."""
    for n in (30, 200, 1000):
        yield f"certified {n}", ep.fast_sign_flip_test(numbers(n, seed=n))
    yield "certified 20 digits", ep.fast_permutation_test(U, V, digits=20, alternative="greater")
    yield "certified signed ranks", ep.fast_wilcoxon_signed_rank_test(numbers(60, seed=4))
    yield "decision", ep.is_significant(numbers(100, seed=5), [0] * 100, "0.01").significant
    yield "sign test", ep.sign_test(U, V)
    yield "McNemar", ep.mcnemar_test(40, 19)
    for zeros in ("wilcox", "pratt", "zsplit"):
        yield (
            f"signed ranks {zeros}",
            ep.wilcoxon_signed_rank_test([0, 0, 1, -1, 2, 3, 3, -4, 5], zero_method=zeros),
        )
    yield "interval", ep.confidence_interval(STUDENT_SLEEP)
    yield "interval greater", ep.confidence_interval(U[:40], V[:40], "0.9", alternative="greater")
    yield "holm", list(ep.adjust_pvalues(["0.01", "0.04", "0.03", "1/3"], "holm").adjusted)
    yield "hommel", list(ep.adjust_pvalues(["0.01", "0.04", "0.03", "1/3"], "hommel").adjusted)
    yield "leaderboard", ep.compare_all({"a": U[:30], "b": V[:30], "c": U[30:60]})
    yield "influence", list(ep.influence(U[:20], V[:20]).pvalues)
    yield "risk", ep.monte_carlo_risk("0.0526733", "0.05", 1000)
    yield "samples", ep.samples_needed("0.04", "0.05", "0.01")
    yield "bootstrap", ep.bootstrap_interval(U[:50], 500, rng=3)
    yield "certificate", ep.certify(ep.sign_flip_test([3, 1, -2]))
    yield "attainable", ep.attainable(5).verdict(ep.read_pvalue("p = .03"))


COMMANDS = (
    "test sleep.csv",
    "test sleep.csv --json",
    "test sleep.csv --statistic wilcoxon --midp",
    "test sleep.csv --distribution -",
    "test sleep.csv --picture -",
    "compare sleep.csv --csv",
    "test sleep.csv --interval --json",
    "audit claims.json -v",
    "audit darwin.csv --json --p p<.05",
    "attainable --n 5 --p .03",
    "vectors --show F0001",
    "test nothing.csv",
)


def results():
    """All results by name, as text."""
    found = {name: text(value) for cases in (exact, others) for name, value in cases()}
    with folder():
        found.update({f"exactperm {line}": command(*line.split()) for line in COMMANDS})
    found["bundle"] = hashlib.sha256(saving.packed(saving.package_files())).hexdigest()
    return found


def text(value):
    """Write a result with every digit, integers in hexadecimal."""
    if hasattr(value, "to_dict"):
        return text(value.to_dict())
    if isinstance(value, dict):
        parts = (f"{name}: {text(part)}" for name, part in value.items() if name not in OTHERWISE)
        return f"{{{', '.join(parts)}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(text, value))}]"
    if isinstance(value, Fraction):
        return f"{value.numerator:#x}/{value.denominator:#x}"
    if isinstance(value, float):
        return value.hex()
    return f"{value:#x}" if type(value) is int else str(value)


def line():
    """Return the digest and the interpreter, in one line."""
    import platform

    digest = hashlib.sha256(repr(sorted(results().items())).encode()).hexdigest()
    where = f" on {sys.platform}" if sys.platform != "linux" else ""
    return f"{digest}  {platform.python_implementation()} {platform.python_version()}{where}"


def main(words):
    """Print the digest and the interpreter, and before it the results with --show."""
    for name, value in results().items() if "--show" in words else ():
        print(f"{name}: {hashlib.sha256(value.encode()).hexdigest()[:8]} {value!r}"[:1000])
    print(line())


if __name__ == "__main__":
    main(sys.argv[1:])
