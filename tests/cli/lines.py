"""Files and command lines with explicit options, whose answers are kept in answers.jsonl.

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


SIDES = "two-sided", "greater", "less", "doubled"


def _of_two(files_and_columns):
    """Yield the options of a test of two columns of scores."""
    for side in SIDES:
        for statistic in ("difference", "mean", "wilcoxon", "sign"):
            yield [*files_and_columns, "--statistic", statistic, "--alternative", side]
    for more in (
        "--midp", "--method certified --digits 6", "--mu 1/3",
        "--decimals 1", "--statistic wilcoxon --zeros pratt", "--statistic wilcoxon --zeros zsplit",
        "--interval", "--interval --confidence 0.8 --alternative greater", "--statistic sign --mu 0.1",
        "--interval --confidence 0.9", "--method exact --alternative less",
    ):  # fmt: skip
        yield [*files_and_columns, *more.split()]


def lines():
    """Yield the words of each command after "exactperm test"."""
    for name in files():
        comma = ["--decimal", "comma"] if name.startswith("comma") else []
        if name.startswith(("plain", "comma")):
            for columns in ("a,b", "b,c", "3,2"):
                yield from _of_two([name, "--columns", columns, *comma])
            if "binary" in name:
                for side in SIDES:
                    words = [name, "--columns", "a,b", "--alternative", side]
                    yield [*words, "--statistic", "mcnemar"]
    yield ["double.csv", "--columns", "a,b"]
    yield ["double.csv", "--columns", "a,c", "--alternative", "less", "--digits", "8"]
    yield from _of_two(["two.csv", "one.csv", "--columns", "acc", "--id", "id"])
    yield from _of_two(["one.jsonl", "two.jsonl", "--columns", "acc", "--id", "id"])
    yield from _of_two(["d.txt", "--differences"])
    long = ["long.csv", "--system", "model", "--score", "acc", "--id", "item"]
    for columns in ("old,new", "x,old", "new,x"):
        yield from _of_two([*long, "--columns", columns])
    for side in SIDES:
        about = ["--alternative", side]
        yield ["groups.tsv", "--columns", "a,b", "--groups", "doc", *about]
        yield ["groups.tsv", "--columns", "a,b", "--weights", "w", *about]
        yield ["groups.tsv", "--columns", "b,a", "--tasks", "doc", *about]
        yield ["groups.tsv", "--columns", "a,b", "--groups", "doc", "--interval"]
        yield ["labels.csv", "--columns", "gold,a,b", "--statistic", "accuracy", *about]
        six = "tpA,fpA,fnA,tpB,fpB,fnB"
        yield ["counts.csv", "--columns", six, "--statistic", "f1", *about]
        for statistic in ("precision", "recall", "ratio"):
            columns = "tpA,fnA,tpB,fnB" if statistic == "recall" else "tpA,fpA,tpB,fpB"
            yield ["counts.csv", "--columns", columns, "--statistic", statistic, *about]
        for design in ("within", "items", "systems"):
            yield ["runs.csv", "--columns", "a1+a2+a3,b1+b2+b3", "--runs", design, *about]
        for statistic in ("difference", "wilcoxon"):
            unpaired = [
                "plain-21-1.csv",
                "--columns",
                "a,b",
                "--unpaired",
                "--statistic",
                statistic,
            ]
            yield [*unpaired, *about]
        yield ["--counts", "9,2", "--statistic", "mcnemar", *about]


FIELDS = "pvalue", "count", "total", "bracket", "statistic", "midp", "n", "n_units", "means"
ENDS = "lower", "upper", "estimate", "coverage"


def answer(record):
    """Return what is kept of a record: exact numbers alone."""
    kept = {name: record[name] for name in FIELDS if name in record}
    interval = record.get("interval")
    return {**kept, **({name: interval[name] for name in ENDS} if interval else {})}
