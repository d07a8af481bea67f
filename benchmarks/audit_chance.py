"""What a match is worth: how often a wrong p-value is explained by another convention.

    python benchmarks/audit_chance.py [--quick] [--overhead]

Wrong p-values near the truth, p times 4**x with x uniform on [-1, 1], are printed with 2 decimals
and with 3 and 4 significant digits for data with known sources, and audited as claims of the exact
two-sided sum test. Those that the stated convention prints are no wrong claims. Then "fits" counts
claims that some convention tried prints, "explained" those that the audit reports as such: its
limit is 1%. Also measures what the audit adds to the tests of claims that fit, from a claims file
to the findings; --overhead measures only this. Prints Markdown.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

from exactperm import audit, permutation_test
from exactperm.arithmetic.writing import decimal_string
from exactperm.cli.demo import DARWIN_MAIZE, STUDENT_SLEEP
from tests.workload import paper_workload

SEED = 14
DATA = {
    "maize": [list(DARWIN_MAIZE)],
    "sleep": [list(STUDENT_SLEEP)],
    **{
        f"sentences {n}": [list(column) for column in paper_workload(n, factor=0.97)]
        for n in (20, 50, 200)
    },
}


def printed(p: Fraction, digits: str) -> str:
    """Print p as "2 decimals", "3 digits" or "4 digits"."""
    number, kind = digits.split()
    return f"{float(p):.{number}f}" if kind == "decimals" else decimal_string(p, int(number))


def wrong_claims(digits: str, count: int, rng: random.Random) -> list[dict[str, object]]:
    """Claims on each data set with wrong p-values near the truth."""
    claims = []
    for data in DATA.values():
        exact = permutation_test(data[0], data[1] if len(data) > 1 else [0] * len(data[0])).pvalue
        for _ in range(count):
            p = min(Fraction(1), exact * Fraction(4 ** rng.uniform(-1, 1)))
            claims.append({"p": printed(p, digits), "data": data})
    return claims


def simulate(count: int) -> None:
    """Print the shares for each way of printing."""
    print("| printed with | wrong claims | fit something | explained |\n|---|---|---|---|")
    for digits in ("2 decimals", "3 digits", "4 digits"):
        report = audit(wrong_claims(digits, count, random.Random(SEED)))
        wrong = [finding for finding in report if finding.level != "consistent"]
        fit = sum(finding.chance is not None for finding in wrong)
        explained = sum(
            finding.reason in ("explained-by", "exact-asked-approximate-returned")
            for finding in wrong
        )
        shares = " | ".join(f"{100 * part / max(1, len(wrong)):.1f}%" for part in (fit, explained))
        print(f"| {digits} | {len(wrong)} | {shares} |")


def overhead(files: int, claims: int) -> None:
    """Print the time of an audit of claims that fit, over that of the tests alone."""
    rng = random.Random(SEED)
    columns = [[[rng.randint(0, 100) for _ in range(1000)] for _ in "uv"] for _ in range(files)]
    start = time.process_time()
    texts = [decimal_string(permutation_test(u, v).pvalue, 3) for u, v in columns]
    tests = time.process_time() - start
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for i, pairs in enumerate(columns):
            (folder / f"{i}.csv").write_text(
                "u,v\n" + "".join(f"{u},{v}\n" for u, v in zip(*pairs)), encoding="utf-8"
            )
        rows = "".join(f"p = {texts[i % files]},{i % files}.csv\n" for i in range(claims))
        (folder / "claims.csv").write_text(f"p,data\n{rows}", encoding="utf-8")
        start = time.process_time()
        report = audit(folder / "claims.csv")
        audited = time.process_time() - start
    fits = report.counts["consistent"]
    print(
        f"\n{claims:,} claims on {files} files of 1,000 pairs: {fits:,} fit; {audited:.1f} CPU seconds with reading, "
        f"{audited / tests:.2f} times the {tests:.1f} s of the tests alone"
    )


if __name__ == "__main__":
    quick = "--quick" in sys.argv
    if "--overhead" not in sys.argv:
        simulate(20 if quick else 200)
    overhead(10 if quick else 100, 100 if quick else 1000)
