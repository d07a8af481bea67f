"""How often an audit accuses true numbers, and refutes and explains false ones.

    python benchmarks/audit_truth.py [--seed 1] [--outputs 5000] [--each 64] [--quick] [--show]
    python benchmarks/audit_truth.py --make claims.jsonl
    python benchmarks/audit_truth.py --judge claims.jsonl verdicts.jsonl
    python benchmarks/audit_truth.py --tables claims.jsonl verdicts.jsonl
    python benchmarks/audit_truth.py --compare claims.jsonl old.jsonl new.jsonl

Makes the claims of ``audit_claims.py``, audits each, and prints Markdown: accusations of true
numbers by mode and form of the data; the share of false numbers that are refuted, and of these the
share whose right explanation stands on the line. ``--show`` lists the accusations of true numbers.
The other forms do one step each, and compare the verdicts of two versions.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from pathlib import Path

from audit_claims import FORMS, MODES, WAYS, all_claims
from exactperm import audit

HEAPS = ("fine", "question", "undecided", "unreadable", "wrong")
OLD = {"consistent": "fine", "undecided": "question"}
FALSE_MODES = (
    "all stated",
    "methods section, raw",
    "methods section",
    "methods section, table",
    "test named",
    "nothing stated",
)
TOLD = {
    "alternative": ("one-sided",),
    "statistic": ("test", "t-test"),
    "n": ("n is stated",),
    "swapped digits": ("swapped",),
    "decimal point": ("decimal point",),
    "digit": ("digit is mistyped",),
}
"""Words of the right explanation on the line."""


def verdict(finding):
    """Return what is kept of a finding."""
    if hasattr(finding, "level"):
        fit = finding.fits[0].convention if finding.fits else ""
        heap = OLD.get(finding.level, "unreadable" if finding.level == "unreadable" else "wrong")
        told = fit if finding.reason in ("explained-by", "n-differs") else ""
        differs = finding.decides_otherwise
    else:
        heap, differs = finding.heap, finding.decision_differs
        told = finding.nearest.told if finding.nearest else ""
    kept = {"heap": heap, "reason": finding.reason, "differs": differs, "told": told}
    return {**kept, "line": finding.line()}


def judged(claims):
    """Yield the verdicts of claims in their order; those of a family are audited together."""
    families = {}
    for i, one in enumerate(claims):
        families.setdefault(one["fields"].get("source") or i, []).append(i)
    found = {}
    for members in families.values():
        for i, finding in zip(members, audit([claims[i]["fields"] for i in members])):
            found[i] = verdict(finding)
    return [found[i] for i in range(len(claims))]


def mode_of(one):
    """Return the mode of a claim; a false number beside a rounded table has one of its own."""
    table = not one["truth"] and one["form"] != "raw"
    return f"{one['mode']}, table" if table else one["mode"]


def share(part, whole):
    """Write a share as a number and a percentage."""
    return f"{part} of {whole} ({100 * part / whole:.1f}%)" if whole else "-"


def explained(one, said):
    """Tell whether the line says what explains a wrong number."""
    told = said["told"] or said["line"]
    return any(word in told for word in TOLD[one["expected"]])


def table(title, columns, rows):
    """Print a table in Markdown."""
    print(f"\n| {title} | {' | '.join(columns)} |\n|---|{'--:|' * len(columns)}")
    for name, *cells in rows:
        print(f"| {name} | {' | '.join(map(str, cells))} |")


def show(claims, verdicts, listed):
    """Print the tables of one version."""
    pairs = list(zip(claims, verdicts))
    true = [pair for pair in pairs if pair[0]["truth"]]
    false = [pair for pair in pairs if not pair[0]["truth"]]
    rows = []
    for mode in MODES:
        for form in FORMS:
            found = [said for one, said in true if (one["mode"], one["form"]) == (mode, form)]
            counts = Counter(said["heap"] for said in found)
            wrong = sum(said["heap"] == "wrong" and bool(said["differs"]) for said in found)
            cells = [f"{counts[heap]:,}" for heap in HEAPS]
            rows.append((f"{mode}, {form}", f"{len(found):,}", *cells, wrong))
    table("true numbers", ["claims", *HEAPS, "of a decision"], rows)
    rows = []
    for mode in FALSE_MODES:
        found = [pair for pair in false if mode_of(pair[0]) == mode]
        refuted = [pair for pair in found if pair[1]["heap"] == "wrong"]
        known = [pair for pair in refuted if pair[0]["expected"]]
        right = sum(explained(*pair) for pair in known)
        rows.append((mode, share(len(refuted), len(found)), share(right, len(known))))
    table("false numbers", ["refuted", "of these, explained rightly where something does"], rows)
    rows = []
    for way in WAYS:
        cells = []
        for mode in FALSE_MODES[:4]:
            found = [pair for pair in false if pair[0]["way"] == way and mode_of(pair[0]) == mode]
            refuted = [pair for pair in found if pair[1]["heap"] == "wrong"]
            right = sum(explained(*pair) for pair in refuted if pair[0]["expected"])
            told = f", {right} explained" if WAYS[way] else ""
            cells.append(f"{len(refuted)} of {len(found)}{told}")
        rows.append((way, *cells))
    table("by way", FALSE_MODES[:4], rows)
    for one, said in true if listed else ():
        if said["heap"] in ("wrong", "unreadable"):
            print(
                one["way"],
                mode_of(one),
                one["form"],
                said["line"],
                json.dumps(one["fields"]),
                sep=" | ",
            )


def compare(claims, old, new):
    """Print the number of claims by old verdict, new verdict and kind, where these differ."""
    kinds = {}
    for one, before, after in zip(claims, old, new):
        if before["heap"] != after["heap"]:
            kind = "true" if one["truth"] else "false"
            states = (
                f"{before['heap']} [{before['reason']}]",
                f"{after['heap']} [{after['reason']}]",
            )
            kinds.setdefault((kind, mode_of(one), *states), []).append((one, before, after))
    rows = []
    for key, found in sorted(kinds.items(), key=lambda item: (item[0][0], -len(item[1]))):
        ways = Counter(one["way"] for one, _, _ in found).most_common(3)
        rows.append((" | ".join(key), len(found), ", ".join(f"{way} {k}" for way, k in ways)))
    table("kind | mode | old | new", ["claims", "of these"], rows)


def read(path):
    """Return the rows of a file of JSON lines."""
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def write(path, rows):
    """Write rows as JSON lines."""
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def main(words):
    """Run one step, or all."""

    def option(name, default):
        return int(words[words.index(name) + 1]) if name in words else default

    paths = [word for word in words if word.endswith(".jsonl")]
    if words[:1] in (["--tables"], ["--compare"]):
        claims, *verdicts = map(read, paths)
        if words[0] == "--compare":
            compare(claims, *verdicts)
        else:
            show(claims, *verdicts, "--show" in words)
        return
    if words[:1] == ["--judge"]:
        claims = read(paths[0])
    else:
        many = (500, 8) if "--quick" in words else (5000, 64)
        about = option("--outputs", many[0]), option("--each", many[1])
        claims = all_claims(option("--seed", 1), *about)
    if words[:1] == ["--make"]:
        write(paths[0], claims)
        return
    before = time.process_time()
    verdicts = judged(claims)
    if words[:1] == ["--judge"]:
        write(paths[1], verdicts)
    show(claims, verdicts, "--show" in words)
    print(f"\n{len(claims):,} audits in {time.process_time() - before:.0f} s of CPU time.")


if __name__ == "__main__":
    main(sys.argv[1:])
