"""Write the test vectors of the package from their recipes: python -m tests.factory.generate"""

import json
import math
from decimal import Context, Decimal
from fractions import Fraction
from pathlib import Path

from exactperm import ExactPermError, decimal_string
from exactperm.files import saving
from exactperm.testing import host
from exactperm.testing.judge import FAULTS, LOST, RIGHT
from exactperm.testing.numbers import Truth
from exactperm.testing.vectors import ALTERNATIVES, Vector, contents, load
from tests.adapters.programs import FINDINGS, VERDICTS
from tests.factory import plain, schemas
from tests.factory.recipes import (
    ACCEPTABLE,
    CALLS,
    LINKS,
    LISTS,
    NOTES,
    ONE_PAIR,
    SEEN,
    VECTORS,
    table,
)

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "vectors"
ARCHIVE = ROOT / "exactperm" / "testing" / "vectors.zip"
"""The same files, as the package has them."""
VERSION = "3.2.0"
"""Of the set: the first number changes with the format, the second with records, the third with words."""

LICENSE = ROOT / "LICENSE"
SOURCE = "exactperm, vectors"
COLUMNS = {
    "sign-flip": "d",
    "mcnemar": "b c",
    "adjust": "method pvalues",
    "interval": "confidence d groups",
    "null-distribution": "test d",
    "runs": "design u v",
    "wilcoxon": "u v zero_method",
    "weighted": "u v weights tasks",
    **dict.fromkeys(("two-sample", "mann-whitney"), "u v strata_u strata_v"),
    "sum": "steps observed",
}
"""The names of the parts of a recipe; elsewhere u, v and groups."""

SINGLE = ("method", "confidence", "test", "design", "zero_method", "observed")


def column(text):
    """The entries of a column: "2*1 0" is 1 1 0, "2,1" a list, and "1..4" 1 2 3 4."""
    entries = []
    for word in text.split():
        times, star, entry = word.rpartition("*")
        first, dots, last = entry.partition("..")
        if dots:
            entries += map(str, range(int(first), int(last) + 1))
        else:
            entries += [entry.split(",") if "," in entry else entry] * (int(times) if star else 1)
    return entries


def given(call, text):
    """The input of a record."""
    if call == "mid-p":
        test, _, rest = text.partition("/")
        return {"test": test.strip(), **given(test.strip(), rest)}
    columns = [column(part) for part in text.split("/")]
    if call == "mcnemar":
        return dict(zip("bc", columns[0]))
    data = dict(zip(COLUMNS.get(call, "u v groups").split(), columns))
    if call == "wilcoxon":
        data.setdefault("zero_method", ["wilcox"])
    if call == "runs":
        data.update(
            {name: [x if isinstance(x, list) else [x] for x in data[name]] for name in "uv"}
        )
    if data.get("strata_u"):
        data["strata"] = [data.pop("strata_u"), data.pop("strata_v")]
    if call == "sum":
        data["steps"] = [
            [value.split(":") for value in (step if isinstance(step, list) else [step])]
            for step in data["steps"]
        ]
    return {
        name: entries[0] if name in SINGLE else entries
        for name, entries in data.items()
        if entries or name in "duv"
    }


def read(call, data, reading):
    """The input as the package must take it for a reading: differences that are rounded to doubles, or decimals."""
    if reading == "decimal" or call in ("f1", "ratio", "adjust", "mcnemar", "sum"):
        return data
    if call == "mid-p":
        return {
            **data,
            **read(data["test"], {k: v for k, v in data.items() if k != "test"}, reading),
        }
    if call == "runs":
        return {**data, **dict(zip("uv", plain.runs(data, reading)))}
    if call in ("two-sample", "mann-whitney"):
        return {**data, **{name: [plain.number(x, reading) for x in data[name]] for name in "uv"}}
    d = plain.differences(call, data, reading)
    return {**data, "d": d} if "d" in data else {**data, "u": d, "v": [0] * len(d)}


def log10(p):
    """The decimal logarithm to 17 digits, the same on every machine."""
    if not p:
        return "-Infinity"
    if p == 1:
        return "0"
    cancelled = len(
        str(p.denominator // (p.denominator - p.numerator))
    )  # digits that p = 0.99... costs
    exact = Context(prec=60 + cancelled, Emin=-9999, Emax=9999)
    value = exact.log10(exact.divide(Decimal(p.numerator), Decimal(p.denominator)))
    return f"{Context(prec=17).plus(value).normalize():f}"


def written(p):
    """The two roundings of a p-value."""
    return {"p64": float(p).hex(), "log10": log10(p)}


def expected(call, data, reading):
    """All answers of a record, those of the package."""
    data = read(call, data, reading)
    if call == "adjust":
        return {"adjusted": [{"p": str(p), **written(p)} for p in host.answer(call, data, None)]}
    if call == "null-distribution":
        return {"rows": [[*map(exact_end, row)] for row in host.answer(call, data, None)]}
    answers = {}
    for side in ALTERNATIVES:
        if call == "interval":
            answers[side] = [*map(exact_end, host.answer(call, data, side))]
        elif call == "mid-p":
            p = host.answer(call, data, side)
            answers[side] = {"p": str(p), **written(p)}
        else:
            found = host.tested(call, data, side)
            total = (
                {"total": str(found.total)} if call in schemas.TOTALS else {"bits": found.n_units}
            )
            atom = str(found.point_probability * found.total)
            answers[side] = {
                "count": str(found.count),
                **total,
                **written(found.pvalue),
                "atom": atom,
            }
    return answers


def exact_end(x):
    """A number of a list, as text: an integer, a fraction, or an infinite end."""
    return {math.inf: "Infinity", -math.inf: "-Infinity"}.get(x) or str(x)


def records():
    """(call, record) of all recipes."""
    for head, text, comment in table(VECTORS):
        ids, flags = head.split()
        call = CALLS[ids[0]]
        yield from (
            (call, record)
            for record in from_recipe(call, ids.split("+"), flags.split(","), text, comment)
        )


def from_recipe(call, ids, flags, text, comment):
    """The record of a recipe, or its two readings."""
    data = given(call, text)
    if "Invalid" in flags:
        yield record(
            ids[0], comment, flags, data, {"reading": "any", "result": "error", "expect": {}}
        )
        return
    readings = {reading: expected(call, data, reading) for reading in ("decimal", "binary64")}
    if call == "adjust":
        del readings["binary64"]
    elif readings["decimal"] == readings["binary64"]:
        readings = {"any": readings["decimal"]}
    if len(readings) != len(ids):
        raise ExactPermError(f"{ids}: it has {len(readings)} readings")
    for name, (reading, expect) in zip(ids, readings.items()):
        other = {"other": ids[name == ids[0]]} if len(ids) > 1 else {}
        more = {"reading": reading, "result": "valid", "expect": expect, **other}
        yield record(name, comment, flags, data, more)


def record(name, comment, flags, data, more):
    """A record as it is written."""
    written = {"id": name, "comment": comment, "flags": flags, "input": data, **more}
    known = [each for names, each in ACCEPTABLE if name in names]
    if accepted := [*known, *conventions(name, flags, data, more)]:
        written["acceptable"] = accepted
        written["result"] = "acceptable" if more["expect"] else "error"
    if links := LINKS.get(name) or [
        link for flag in flags for link in LINKS.get(f"{name[0]}:{flag}", ())
    ]:
        written["links"] = [*links]
    if seen := [row for record, *row in SEEN if record == name]:
        written["seen"] = [dict(zip(("peer", "version", "answer"), row)) for row in seen]
    return written


def conventions(name, flags, data, more):
    """Documented refusals, and the central mid-p value: twice the smaller one-sided one, at most 1."""
    if not more["expect"]:
        return
    if name[0] in "PSW" and "Trivial" in flags:
        yield ONE_PAIR
    if name[0] == "H":
        sides = [Fraction(more["expect"][side]["p"]) for side in ("greater", "less")]
        central = min(Fraction(1), 2 * min(sides))
        if central != Fraction(more["expect"]["two-sided"]["p"]):
            yield {
                "two-sided": str(central),
                "convention": "central: twice the smaller mid-p value, at most 1",
            }


def files():
    """{file name: text} of all vectors and their schemas."""
    calls = {call: [] for call in CALLS.values()}
    for call, vector in records():
        calls[call].append(vector)
    return rendered(calls)


def rendered(calls):
    """{file name: text} of the records of each call."""
    texts = {f"{call}.json": text(call, vectors) for call, vectors in calls.items()}
    letters = {call: letter for letter, call in CALLS.items()}
    for call in calls:
        schema = schemas.schema(call, letters[call], json.loads(texts[f"{call}.json"]))
        texts[f"schemas/{call}.schema.json"] = json.dumps(schema, separators=(",", ":")) + "\n"
    return {**texts, "LICENSE": LICENSE.read_text("utf-8")}


def text(call, vectors):
    """One file, with a line for each record."""
    flags = dict.fromkeys(flag for vector in vectors for flag in vector["flags"])
    notes = {flag: dict(zip(("bugType", "description", "effect"), NOTES[flag])) for flag in flags}
    about = {"schema": "v1", "version": VERSION, "license": "MIT", "source": SOURCE, "call": call}
    head = "".join(f"{json.dumps(name)}: {json.dumps(value)},\n" for name, value in about.items())
    tests = ",\n".join(json.dumps(vector, separators=(",", ":")) for vector in vectors)
    return (
        "{\n"
        + head
        + f'"numberOfTests": {len(vectors)},\n"notes": {json.dumps(notes, indent=1)},\n'
        f'"tests": [\n{tests}\n]}}\n'
    )


def page():
    """The description of the vectors, with the published faults as the last part."""
    head = (FOLDER / "README.md").read_text(encoding="utf-8").partition(TABLES)[0]
    rows = ["| record | program, version | answer | exact |", "|---|---|---|---|"]
    for vector in load(str(FOLDER)).values():
        for peer in vector.seen or ():
            exact = ", ".join(answers(vector))
            rows.append(
                f"| {vector.id} | {peer['peer']} {peer['version']} | {peer['answer']} | {exact} |"
            )
    return head + TABLES + "\n".join([*rows, "", *runs()]) + "\n"


def runs():
    """The table of the recorded runs of all vectors."""
    yield "## Runs of all vectors\n"
    yield "`python -m tests.adapters.programs` in a clone repeats them; each fault was checked by hand.\n"
    yield "| program, version | answers | right | other reading | acceptable | faults | which |"
    yield "|---|---|---|---|---|---|---|"
    for name, record in json.loads(VERDICTS.read_text(encoding="utf-8")).items():
        count = {**dict.fromkeys((*RIGHT, *FAULTS, LOST), 0), **record["verdicts"]}
        faults = sum(map(count.pop, (*FAULTS, LOST)))
        _skipped, reading, acceptable = (
            count.pop(kind) for kind in ("skipped", "other reading", "acceptable")
        )
        right = sum(count.values())
        total = right + reading + acceptable + faults
        head = f"| {record['name']} {record['version']} | {total} | {right} | {reading} | {acceptable} | {faults} |"
        yield f"{head} {FINDINGS[name]} |"


def answers(vector: Vector):
    """The exact answers of a record, in short."""
    if vector.call in LISTS:
        return [answer["p"] for answer in vector.expect["adjusted"]]
    values = {side: Truth.of(answer).p for side, answer in vector.expect.items()}
    return [
        f"{side} {p if p.denominator < 10**9 else decimal_string(p, 6)}"
        for side, p in values.items()
    ]


TABLES = "## Published programs that answered otherwise\n\n"


def main():
    """Write the folder, and the archive of the package from it."""
    for name, content in files().items():
        (FOLDER / name).write_text(content, encoding="utf-8", newline="\n")
    (FOLDER / "README.md").write_text(page(), encoding="utf-8", newline="\n")
    ARCHIVE.write_bytes(saving.packed(contents(str(FOLDER)), compressed=True))


if __name__ == "__main__":
    main()
