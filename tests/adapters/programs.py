"""The published programs that the vectors are put to: python -m tests.adapters.programs [--write]

Runs every program that is installed on all vectors, prints the verdicts, and with --write saves
them in verdicts.json, which the tests compare with and the page of the vectors shows. SciPy and
statsmodels come with the extra ``peers``; ``tests/adapters/install.sh`` installs the others.
"""

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from exactperm.testing import program, runner

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent.parent
VERDICTS = FOLDER / "verdicts.json"
SECONDS = 60.0
NODE_PACKAGES = os.environ.get("NODE_PACKAGES") or ROOT / ".venv" / "node"
"""The folder whose node_modules hold @stdlib/stats-wilcoxon and @stdlib/stats-padjust."""

FINDINGS = {
    "scipy": "permutation_test: sums of floats and a relative tolerance (P0257, P0271 to P0286); a number for NaN and "
    "infinity (P0351, P0352, S0053). wilcoxon, exact with zsplit: documented as not exact with zeros (W0025, W0028, "
    "W0031, W0036); without ties it is 0 or negative for tiny p from 54 pairs on (W0064 to W0073, "
    "scipy#26026). binomtest: 0 for 2^-1074 (M0008, G0016)",
    "statsmodels": "mcnemar and sign test: 0 for 2^-1074 (M0008, G0016); a number for a negative count (M0015)",
    "mlxtend": "permutation_test: an absolute and a relative tolerance make false ties (P0006, P0243 to P0287, P0365); "
    "a number for NaN and for no pairs (P0351, P0354). mcnemar: as statsmodels (M0008, M0015)",
    "pingouin": "multicomp, sidak: 1 - (1 - p)^m in floats (A0011, A0012, A0020, A0051)",
    "sacrebleu": "nothing: it counts > on purpose (P0016)",
    "base": "binom.test: 0 for 2^-1074 (M0008); nothing in p.adjust and wilcox.test",
    "coin": "symmetry_test: doubles the tail without capping where ties of decimals are lost (P0201, P0237, S0019); "
    "NaN or an error for identical systems (P0011, S0004, S0066); 0 and false ties below 1e-8 (P0250, S0033); errors "
    "from 2^31 (P0271 to P0288)",
    "exactRankTests": "perm.test: loses ties of real values, up to p = 0 for three equal differences (P0048, P0201, "
    "S0019); 0 for N >= 1024 (P0031, P0296, S0063); errors from 2^31 (P0271); R aborts (P0282)",
    "stdlib": "wilcoxon: 1.25 at the centre (W0007); silently asymptotic with ties or zeros in spite of exact: true "
    "(W0009, W0022, W0034), above 1 there (W0051); a relative error of 8e-6 (W0008). padjust, hommel: too small "
    "(A0005, A0007)",
}
"""Every fault that the vectors find, by program: each was checked by hand and is none of another
reading."""


def command(name):
    """The command that starts an adapter, or None where its program is not installed."""
    if name == "stdlib":
        there = shutil.which("node") and (Path(NODE_PACKAGES) / "node_modules" / "@stdlib").is_dir()
        return ["node", str(FOLDER / "stdlib.js"), str(NODE_PACKAGES)] if there else None
    if name in ("base", "coin", "exactRankTests"):
        call = [shutil.which("Rscript") or "false", "-e", f"library({name})"]
        there = not subprocess.run(call, check=False, capture_output=True).returncode
        return ["Rscript", str(FOLDER / "adapter.R"), name] if there else None
    return program.python(f"tests.adapters.{name}_adapter:answer") if find_spec(name) else None


def verdicts(words):
    """The report on an adapter; Python adapters are found from the project's folder."""
    return runner.verify(words, seconds=SECONDS)


def summary(report):
    """What is kept of a report: the version, the number of verdicts of each kind, and the ids of each kind of fault."""
    kinds = {}
    for outcome in sorted(report.faults, key=lambda outcome: outcome.id):
        kinds.setdefault(outcome.kind, []).append(outcome.id)
    counts = report.kinds
    return {
        "name": report.by.name,
        "version": report.by.version,
        "verdicts": counts,
        "faults": kinds,
    }


def main():
    os.chdir(ROOT)
    known = json.loads(VERDICTS.read_text(encoding="utf-8")) if VERDICTS.exists() else {}
    for name in FINDINGS:
        words = command(name)
        found = words and summary(verdicts(words))
        print(
            name,
            found["version"] if found else "is not installed",
            found["verdicts"] if found else "",
            flush=True,
        )
        if found:
            known[name] = found
    if "--write" in sys.argv:
        lines = [
            f"{json.dumps(name)}: {json.dumps(known[name])}" for name in FINDINGS if name in known
        ]
        VERDICTS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
