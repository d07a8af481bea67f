"""Files of scores in many dialects, clean and damaged, through the command line; a reader of its own confirms them."""

import atexit
import csv
import io
import json
import re
import shutil
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from fractions import Fraction
from itertools import chain, combinations
from pathlib import Path
from random import Random

from exactperm.cli.main import main
from tests.brute import extreme
from tests.factory import plain, right
from tests.fuzz import cases, oracle
from tests.fuzz.oracle import ALTERNATIVES

NAMES = {",": "comma", ";": "semicolon", "\t": "tab", " ": "space", "|": "|"}
NOISE = [
    *('",;\t \n\r#-+.e/%\0\ufeff\u00a0\u2028\x0b\x1c019x\\\u0663'),
    *('""', "\r\n", "\n#", "\n\n", "E9", "nan", "NA", "''", "1/0", "=1"),
]
LINELESS = (
    "binary file",
    "is empty: it has no rows",
    "no row follows the names",
    "no column is named",
    "columns are named",
    "one column: differences",
    "is named twice",
)
"""Errors about a file as a whole: no line is to blame."""

_folder = []


def draw_files(rng):
    n = rng.randint(1, 6)
    grouped, header = rng.random() < 0.25, rng.random() < 0.6
    delimiter = rng.choice(",,;;\t |")
    base = cases.SHAPES[rng.choice(("small", "tenths", "binary", "powers", "tenths"))]
    columns = 1 if rng.random() < 0.2 else 2
    commands = ("test", "test", "test", "certified", "compare", "distribution")
    return {
        "rows": [
            (tuple(base(rng) for _ in range(columns)), f"g{rng.randrange(n)}" if grouped else None)
            for _ in range(n)
        ],
        "grouped": grouped,
        "header": header,
        "delimiter": delimiter,
        "named": delimiter in " |" or columns + grouped == 1 or rng.random() < 0.3,
        "bare": rng.random() < 0.2,
        "decimal": "," if delimiter != "," and rng.random() < 0.4 else ".",
        "quoted": rng.choice((0, 0, 0.3, 1)) if delimiter != " " else 0,
        "line end": rng.choice(("\n", "\n", "\r\n", "\r")),
        "encoding": rng.choice(("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16")),
        "blank": rng.choice((0, 0, 0.3)),
        "damage": rng.choice((0, 0, 1, 1, 2, 4)),
        "command": rng.choice(commands[: 4 if columns == 1 else 6]),
        "alternative": rng.choice(ALTERNATIVES),
        "salt": rng.random(),
    }


def check_files(case, held):
    """A file is read as it was meant, or by a reading that another reader makes too, or refused with its line.

    Of a clean file whose options are said nothing is refused.
    """
    rng = Random(case["salt"])
    data = _written(rng, case)
    clean = case["damage"] == 0
    for _ in range(case["damage"]):
        data = _damaged(rng, data)
    status, out, err = _run(_arguments(case), data)
    if status:
        held.refused += 1
        held.same("status", status, 2)
        first, *_more, hint = err.splitlines()
        held.true("one error", first.startswith("exactperm: error: "), err)
        held.true("one hint", hint.startswith(("exactperm: try: ", "exactperm: see: ")), err)
        held.true("file", "table.csv" in err, err)
        known = case["bare"] or re.search(r"line \d", err) or any(word in err for word in LINELESS)
        held.true("line", known, err)
        held.true("a clean file", not clean or case["bare"], err)
        return
    csv_rows = [line.split(",") for line in out.splitlines()[1:]]
    answer = _answer(case, csv_rows if case["command"] == "distribution" else json.loads(out))
    if clean:
        held.same("answer", answer, _meant(case))
    if case["command"] == "test":
        status, told, err = _run(["recount"], out.encode())
        held.true("recount", (status, err, told[-12:]) == (0, "", ": confirmed\n"), told + err)
    readings = list(_readings(data, case))
    held.true("another reader", answer in readings, f"{answer} is not in {readings}")


# ------------------------------------------------------------------------------------------ writing


def _written(rng, case):
    """The bytes of a file that holds the rows."""
    mark, end = case["delimiter"], case["line end"]
    names = ["group"] * case["grouped"] + ["u", "v"][: len(case["rows"][0][0])]
    lines = [names] * case["header"] + [
        _cells(case, values, label) for values, label in case["rows"]
    ]
    text = ""
    for cells in lines:
        if rng.random() < case["blank"]:
            text += rng.choice(("", "  ", "# a comment, with; marks", "#")) + end
        text += (
            mark.join(f'"{cell}"' if rng.random() < case["quoted"] else cell for cell in cells)
            + end
        )
    return text[: len(text) - rng.choice((0, len(end)))].encode(case["encoding"])


def _cells(case, values, label):
    numbers = [cases.decimal_text(Fraction(x)).replace(".", case["decimal"]) for x in values]
    return [label] * case["grouped"] + numbers


def _damaged(rng, data):
    """Data with a piece inserted, taken out, repeated or replaced."""
    i, j = sorted(rng.randint(0, len(data)) for _ in range(2))
    piece = rng.choice(NOISE).encode() if rng.random() < 0.9 else bytes([rng.randrange(256)])
    kind = rng.randrange(6)
    if kind <= 1:
        return data[:i] + piece + data[i:]
    if kind == 2:
        return data[:i] + piece + data[i + 1 :]
    if kind == 3:
        return data[:i] + data[i + 1 :]
    if kind == 4:
        return data[:i] + data[j:]
    return data[:j] + data[i:j] + data[j:]


def _arguments(case):
    command, width = case["command"], len(case["rows"][0][0])
    found = ["compare" if command == "compare" else "test", "--alternative", case["alternative"]]
    found += ["--distribution", "-"] if command == "distribution" else ["--json"]
    if command == "certified":
        found += ["--method", "certified"]
    if case["grouped"]:
        found += ["--groups", "group" if case["header"] else "1"]
    if case["named"]:
        found += ["--delimiter", NAMES[case["delimiter"]]]
    if not case["bare"]:
        places = ",".join(str(i + 1 + case["grouped"]) for i in range(width))
        header, decimal = (
            "yes" if case["header"] else "no",
            "comma" if case["decimal"] == "," else "point",
        )
        found += f"--columns {places} --header {header} --decimal {decimal}".split()
        found += [*["--comments", "yes", "--total", "keep"], *["--differences"] * (width == 1)]
    return found


def _run(arguments, data):
    """Status, output and errors of the command on a file with the data."""
    if not _folder:
        _folder.append(Path(tempfile.mkdtemp(prefix="exactperm-fuzz-")))
        atexit.register(shutil.rmtree, _folder[0], ignore_errors=True)
    path = _folder[0] / "table.csv"
    path.write_bytes(data)
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        status = main([arguments[0], str(path), *arguments[1:]])
    return status, out.getvalue(), err.getvalue()


# ------------------------------------------------------------------------------------------ reading


def _answer(case, answer):
    """What the command said, as exact numbers."""
    if case["command"] == "compare":
        return tuple(
            (Fraction(row["statistic"]), Fraction(row["pvalue"])) for row in answer["rows"]
        )
    if case["command"] == "distribution":
        return tuple(sorted((Fraction(x), int(c)) for x, c, *_ in answer))
    p = Fraction(answer["pvalue"]) if case["command"] == "test" else None
    return Fraction(answer["statistic"]), p


def _meant(case):
    return _computed(case, *zip(*case["rows"]))


def _computed(case, rows, labels):
    """The answer to rows of numbers, by the definition."""
    groups = {"groups": labels} if case["grouped"] else {}
    columns = [*zip(*rows)] if len(rows[0]) > 1 else [*zip(*rows), [0] * len(rows)]
    answers = []
    for u, v in combinations(columns, 2):
        units = plain.units("sums", {"u": u, "v": v, **groups}, "decimal")
        counts = right.signed_sums(units)
        if case["command"] == "distribution":
            return tuple(sorted(counts.items()))
        p = Fraction(extreme(counts, sum(units), case["alternative"]), 2 ** len(units))
        answers.append((sum(units), p if case["command"] != "certified" else None))
    return tuple(answers) if case["command"] == "compare" else answers[0]


def _readings(data, case):
    """The answers of every plain reading of a file."""
    text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    for mark in (case["delimiter"],) if case["named"] else ",;\t ":
        rows = [cells for cells in _rows(text, mark) if any(cells)]
        for some in (rows, rows[1:]):
            try:
                yield _reading(case, some, mark)
            except (ValueError, IndexError):
                continue


def _reading(case, rows, mark):
    rows = [cells[:-1] if len(cells) > 1 and cells[-1] == "" else cells for cells in rows]
    first = int(case["grouped"])
    last = None if case["bare"] else first + len(case["rows"][0][0])
    values = [
        tuple(oracle.number(cell if mark == "," else cell.replace(",", ".")) for cell in cells)
        for cells in (row[first:last] for row in rows)
    ]
    if len({*map(len, rows)}) != 1 or None in chain(*values):
        raise ValueError("no table of numbers")
    if case["command"] != "compare" and len(values[0]) > 2:
        raise ValueError("more than two systems")
    return _computed(case, values, [cells[0] for cells in rows])


def _rows(text, mark):
    """The cells of each line, as the reader of Python's own module has them; of blanks any number is one."""
    for line in text.split("\n"):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if mark == " ":
            yield re.findall(r"[^ \t\v\f]+", line)  # other white space is no delimiter
            continue
        line = re.sub(r"[^\S\t]", " ", line)  # any may stand before a quotation mark
        (found,) = csv.reader([line], delimiter=mark, skipinitialspace=True)
        yield [cell.strip() for cell in found]
