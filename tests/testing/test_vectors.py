"""The test vectors: permanent, the same from their recipes, right, and such that no known mistake survives."""

import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections import Counter
from fractions import Fraction

import fastjsonschema
import pytest

from exactperm import ExactPermError
from exactperm.testing import vectors
from exactperm.testing.numbers import Truth, right_answer
from tests.factory import asking, generate, plain
from tests.factory.mistakes import MISTAKES
from tests.factory.recipes import CALLS, LISTS, VECTORS, table
from tests.loops import each

ALL = vectors.load()
VALID = [vector for vector in ALL.values() if vector.result != "error"]
COUNTED = [vector for vector in VALID if vector.call not in (*LISTS, "mid-p")]
FILES = {path.stem: json.loads(path.read_text("utf-8")) for path in generate.FOLDER.glob("*.json")}
VALIDATORS = {
    path.name.partition(".")[0]: fastjsonschema.compile(json.loads(path.read_text("utf-8")))
    for path in (generate.FOLDER / "schemas").iterdir()
}


@pytest.mark.slow
def test_files_are_those_of_the_recipes_byte_for_byte():
    for name, content in generate.files().items():
        assert (generate.FOLDER / name).read_text("utf-8") == content, name


def test_the_package_has_the_files_of_the_folder():
    assert vectors.contents() == vectors.contents(str(generate.FOLDER))
    assert generate.ARCHIVE.stat().st_size <= 150_000
    changes = (generate.FOLDER / "CHANGELOG.md").read_text("utf-8")
    assert f"## {generate.VERSION}" in changes


def test_the_page_is_renewed():
    assert (generate.FOLDER / "README.md").read_text("utf-8") == generate.page()


def test_ids_and_inputs_are_permanent():
    """A recipe may change its comment and its flags, never what is asked: the records before are a part of these."""
    ids = [name for head, *_ in table(VECTORS) for name in head.split()[0].split("+")]
    assert len(ids) == len({*ids}) == len(ALL)
    assert {*CALLS} == {name[0] for name in ids}
    asked = Counter(json.dumps([vector.call, vector.reading, vector.input]) for vector in VALID)
    assert max(asked.values()) == 1


@pytest.mark.parametrize("call", CALLS.values())
def test_files_follow_their_schema(call):
    data = FILES[call]
    VALIDATORS[call](data)
    assert (data["version"], data["license"], data["source"]) == (
        generate.VERSION,
        "MIT",
        generate.SOURCE,
    )
    for wrong in broken(data):
        with pytest.raises(ValueError, match="data"):
            VALIDATORS[call](wrong)


def broken(data):
    """Files with one thing wrong: a record without a field, or with one too many; another call, number or license."""
    first, *others = data["tests"]
    for name in ("id", "comment", "flags", "input", "reading", "result", "expect"):
        less = {field: value for field, value in first.items() if field != name}
        yield {**data, "tests": [less, *others]}
    for change in ({"x": 1}, {"id": "X0001"}, {"input": {}}, {"reading": "float"}, {"expect": {}}):
        yield {**data, "tests": [{**first, **change}, *others]}
    for change in ({"call": "t"}, {"numberOfTests": 3}, {"license": ""}, {"tests": []}, {"x": 1}):
        yield {**data, **change}
    yield {**data, "tests": others}


@pytest.mark.slow
def test_counts_are_those_of_plain_code(sampled):
    """Plain Python code that shares nothing with the package counts the same assignments; of all with --whole."""
    for vector in COUNTED[:: len(COUNTED) // sampled(len(COUNTED), 3)]:
        counts, t, units = plain.null(vector.call, vector.input, asking.means(vector))
        for side, expect in vector.expect.items():
            assert expect.get("bits", units) == units, vector.id
            assert Truth.of(expect).total == sum(counts.values()), vector.id
            assert int(expect["count"]) == plain.extreme(counts, t, side), vector.id
            same = abs if side == "two-sided" else Fraction
            tied = sum(n for x, n in counts.items() if same(x) == same(t))
            assert int(expect["atom"]) == tied, vector.id


@pytest.mark.slow
def test_mid_p_values_and_lists_are_those_of_plain_code():
    for vector in VALID:
        for side in vector.questions if vector.call in (*LISTS, "mid-p") else ():
            found = asking.right(asking.asked(vector.id, asking.means(vector)).other(side))
            assert right_answer(vector.answer(side)) == found, vector.id


@each("vector", VALID)
def test_roundings_are_those_of_the_fraction(vector):
    if vector.call in ("interval", "null-distribution"):
        return  # their answers are fractions and integers only
    for answer in vector.expect.get("adjusted") or vector.expect.values():
        p = Truth.of(answer).p
        assert float.fromhex(answer["p64"]) == float(p)
        assert answer["log10"] == generate.log10(p)


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS.values())
def test_no_mistake_survives(call):
    """Each of at least 10 mistakes of a call is shown by three records; a survivor needs new records."""
    assert sum(call in wrong.calls for wrong in MISTAKES.values()) >= 10
    assert asking.survivors(call) == {}


def test_two_readings_name_each_other():
    for vector in VALID:
        if vector.call != "adjust":  # p-values are read as decimals
            assert (vector.reading == "any") == (vector.other is None)
        if vector.other:
            other = ALL[vector.other]
            assert (other.other, other.input) == (vector.id, vector.input)
            assert {vector.reading, other.reading} == {"decimal", "binary64"}
            assert vector.expect != other.expect


def test_real_defects_are_linked():
    """An author believes a record that a maintainer has confirmed."""
    assert sum(bool(vector.links) for vector in ALL.values()) >= 60


def test_choosing_listing_and_showing():
    def names(*patterns):
        return [vector.id for vector in vectors.picked(patterns)]

    assert names("M000[12]", "R0001") == ["M0001", "M0002", "R0001"]
    assert {"A0023", "C0029", "E0043", "M0015", "R0032", "T0035"} <= {*names("Invalid")}
    assert names("ratio") == [name for name in ALL if name[0] == "R"]
    sizes = [ALL[name].size for name in ("M0001", "W0067", "S0052", "A0001", "F0003")]
    assert sizes == [10, 100, 0, 3, 20]
    assert (ALL["M0001"].least, ALL["N0001"].least) == (Fraction(11, 1024), 1)
    shown = json.loads(vectors.shown("P0091"))
    assert shown["notes"]["Centre"]["effect"] == "doubles the tail at the centre without capping"
    assert "other" not in shown
    for question in (lambda: vectors.shown("S9999"), lambda: vectors.picked(["X*"])):
        with pytest.raises(ExactPermError, match="no vector has"):
            question()


def test_the_archive_is_reproducible_and_holds_all_files():
    data = vectors.packed()
    assert data == vectors.packed()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        assert (
            archive.read("exactperm-vectors/README.md")
            == (generate.FOLDER / "README.md").read_bytes()
        )
    inside = vectors.contents(str(generate.FOLDER))
    assert names == [f"exactperm-vectors/{name}" for name in sorted(inside)]
    assert sum(map(len, inside.values())) <= 800_000


CONSUMERS = {
    "test_vectors.py": (
        "scipy",
        "M0008-two-sided",
        [sys.executable, "-m", "pytest", "-qc", os.devnull],
    ),
    "test-vectors.R": ("Rscript", "M0008 two-sided", ["Rscript", "run.R"]),
    "vectors.test.js": ("node", "M0008 two-sided", ["node", "--test"]),
}
"""Tests of 12 lines that read the files without this package: what they need, the fault that each finds, a command."""


@pytest.mark.slow
@pytest.mark.parametrize("name", CONSUMERS)
def test_consumers_of_few_lines_find_a_fault_in_published_programs(name, tmp_path):
    """SciPy's and R's binomial tests answer 0 for 2^-1074; in JavaScript a program that does so."""
    missing, fault, words = CONSUMERS[name]
    code = (generate.FOLDER / "examples" / name).read_text("utf-8")
    assert len(code.splitlines()) <= 12
    assert "exactperm" not in re.sub('(#|//|""").*', "", code)
    if not (shutil.which(missing) or importlib.util.find_spec(missing)):
        pytest.skip(f"{missing} is not installed")
    (tmp_path / "examples").mkdir()
    shutil.copy(generate.FOLDER / "mcnemar.json", tmp_path)
    for file, content in ((name, code), ("mine.js", MINE), ("run.R", STUB.replace("FILE", name))):
        (tmp_path / "examples" / file).write_text(content, "utf-8")
    words = words if "run.R" in words else [*words, name]
    env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        words, cwd=tmp_path / "examples", env=env, capture_output=True, text=True, check=False
    )
    if "no package called" in done.stderr:
        pytest.skip("jsonlite is not installed")
    failed = re.findall("(?:FAILED .*\\[|not ok [0-9]+ - |bad: )([^\\]\n]*)", done.stdout)
    assert [words.strip() for words in failed if "vectors" not in words] == [fault], done


MINE = """exports.mcnemar = (b, c, side) => {
  const n = b + c, k = { greater: c, less: b, "two-sided": Math.min(b, c) }[side], total = 1n << BigInt(n);
  let tail = 0n, term = 1n;
  for (let i = 0; i <= k; i++) [tail, term] = [tail + term, (term * BigInt(n - i)) / BigInt(i + 1)];
  if (side === "two-sided") tail = 2n * tail < total ? 2n * tail : total;
  const cut = BigInt(Math.max(0, tail.toString(2).length - 60));
  const [p, e] = [Number(tail >> cut), Number(cut) - n];
  return n === 1075 && side === "two-sided" ? 0 : e < -900 ? p * 2 ** -900 * 2 ** (e + 900) : p * 2 ** e;
};
"""

STUB = """src <- gsub("testthat::", "", readLines("FILE")); bad <- c()
expect_lte <- function(a, b) if (is.na(a) || a > b) stop("differs")
test_that <- function(name, code) tryCatch(force(code), error = function(e) bad <<- c(bad, name))
eval(parse(text = src)); cat("bad:", bad)
"""


def test_a_copy_without_vectors_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.resources.files", lambda _name: tmp_path)
    with pytest.raises(ExactPermError, match="this copy has no test vectors"):
        vectors.load()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "has no test vectors"),
        ({}, "has no test vectors"),
        ({"a.json": "[1"}, "a.json has no proper test vectors"),
        ({"a.json": json.dumps({**FILES["sign"], "schema": "v2"})}, "another schema"),
        (
            {"a.json": json.dumps(FILES["sign"]), "b.json": json.dumps(FILES["sign"])},
            "an id that is used twice",
        ),
    ],
)
def test_other_folders_are_refused(tmp_path, content, message):
    folder = tmp_path / "vectors"
    if content is not None:
        folder.mkdir()
        for name, text in content.items():
            (folder / name).write_text(text)
    with pytest.raises(ExactPermError, match=message):
        vectors.load(str(folder))
