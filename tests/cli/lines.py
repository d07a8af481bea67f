"""Files of command lines with explicit options, which are kept in answers.jsonl with their answers.

Every number of the files comes from a generator of fixed seed, so the files are the same everywhere.
"""

import itertools
import json
import random

SIZES = 4, 7, 12, 21, 40


def _score(rng, places):
    if places == "binary":
        return str(rng.randint(0, 1))
    if places == "double":
        return repr(rng.random())
    return str(rng.randint(0, 5)) if places == 0 else f"{rng.random():.{places}f}"


def _table(rows, mark=","):
    return "".join(f"{mark.join(map(str, row))}\n" for row in rows)


def _plain(seed, size, places):
    rng = random.Random(seed)
    rows = [[f"q{i}", *(_score(rng, places) for _ in "abc")] for i in range(size)]
    return [["id", "a", "b", "c"], *rows]


def files():
    """Return the text of each file by its name."""
    found = {}
    for (i, size), places in itertools.product(enumerate(SIZES), ("binary", 0, 1, 3)):
        rows = _plain(f"{size} {places}", size, places)
        found[f"plain-{size}-{places}.csv"] = _table(rows)
        comma = [[str(cell).replace(".", ",") for cell in row] for row in rows]
        if i % 2:
            found[f"comma-{size}-{places}.csv"] = _table(comma, ";")
    found["double.csv"] = _table(_plain("double", 30, "double"))
    rng = random.Random("others")
    rows = [[f"d{i // 4}", f"q{i}", *(_score(rng, 2) for _ in "ab"), 1 + i % 3] for i in range(32)]
    found["groups.tsv"] = _table([["doc", "id", "a", "b", "w"], *rows], "\t")
    rows = [[f"q{i}", *(rng.choice("NVA") for _ in range(3))] for i in range(25)]
    found["labels.csv"] = _table([["id", "gold", "a", "b"], *rows])
    rows = [[f"q{i}", *(rng.randint(0, 4) for _ in range(6))] for i in range(14)]
    found["counts.csv"] = _table([["id", "tpA", "fpA", "fnA", "tpB", "fpB", "fnB"], *rows])
    rows = [[f"q{i}", *(rng.randint(0, 3) for _ in range(6))] for i in range(8)]
    found["runs.csv"] = _table([["id", "a1", "a2", "a3", "b1", "b2", "b3"], *rows])
    scores = [(f"q{i}", name, _score(rng, 1)) for i in range(15) for name in ("old", "new", "x")]
    found["long.csv"] = _table([["item", "model", "acc"], *scores])
    found["d.txt"] = _table([[rng.randint(-9, 12)] for _ in range(18)])
    for name in ("one", "two"):
        items = [
            {"id": f"q{i}", "acc": rng.randint(0, 9) / 10, "f1": rng.random()} for i in range(16)
        ]
        rng.shuffle(items)
        found[f"{name}.jsonl"] = "".join(f"{json.dumps(item)}\n" for item in items)
        rows = [[item["id"], item["acc"]] for item in items]
        found[f"{name}.csv"] = _table([["id", "acc"], *rows])
    return found


FIELDS = "pvalue", "count", "total", "bracket", "statistic", "midp", "n", "n_units", "means"
ENDS = "lower", "upper", "estimate", "coverage"


def answer(record):
    """Return what is kept of a record: exact numbers alone."""
    kept = {name: record[name] for name in FIELDS if name in record}
    interval = record.get("interval")
    return {**kept, **({name: interval[name] for name in ENDS} if interval else {})}
