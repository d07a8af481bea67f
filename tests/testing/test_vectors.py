"""The vectors: made from their recipes, checked by the definition and by engines, and each there for a reason."""

import io
import json
import math
import re
import zipfile
from collections import Counter
from fractions import Fraction

import pytest

from exactperm import ExactPermError, sign_flip_test
from exactperm.testing import vectors
from tests.testing import generate, plain
from tests.testing.mistakes import MISTAKES

ALL = vectors.load()
VALID = [vector for vector in ALL.values() if vector.result != "error"]
COUNTED = [vector for vector in VALID if vector.call != "adjust"]
SCHEMA = json.loads((generate.FOLDER / "schema.json").read_text(encoding="utf-8"))


def reading(vector):
    return "binary64" if vector.reading == "binary64" else "decimal"


def test_files_are_those_of_the_recipes_byte_for_byte():
    for name, text in {**generate.files(), "README.md": generate.page()}.items():
        assert (generate.FOLDER / name).read_bytes() == text.encode(), f"run python -m tests.testing.generate: {name}"


def test_there_are_about_300_with_ids_of_their_own():
    assert 300 <= len(ALL) <= 400
    assert all(generate.CALLS[name[0]] == vector.call for name, vector in ALL.items())


def check(schema, value, where="file"):
    """Validate the part of JSON Schema that the schema uses."""
    if "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        schema = schema["anyOf"][isinstance(value, list)]
    kinds = {"object": dict, "array": list, "string": str, "integer": int}
    assert isinstance(value, kinds[schema.get("type", "string")]), where
    assert value == schema.get("const", value), where
    assert value in schema.get("enum", [value]), where
    if isinstance(value, str):
        assert re.search(schema.get("pattern", ""), value), where
    if isinstance(value, list):
        for i, item in enumerate(value):
            check(schema.get("items", {}), item, f"{where}[{i}]")
    if isinstance(value, dict):
        assert set(schema.get("required", ())) <= set(value), where
        others = schema.get("additionalProperties", True)
        for name, item in value.items():
            if name in schema.get("properties", {}):
                check(schema["properties"][name], item, f"{where}.{name}")
            elif isinstance(others, dict):
                check(others, item, f"{where}.{name}")
            else:
                assert others, f"{where}.{name}"


@pytest.mark.parametrize("call", generate.CALLS.values())
def test_files_follow_the_schema(call):
    data = json.loads((generate.FOLDER / f"{call}.json").read_text(encoding="utf-8"))
    check(SCHEMA, data)
    assert data["numberOfTests"] == len(data["tests"])


@pytest.mark.parametrize("vector", COUNTED, ids=lambda vector: vector.id)
def test_counts_are_those_of_plain_code(vector):
    """Plain Python code that shares nothing with the package counts the same assignments."""
    counts, t, bits = plain.null(vector.call, vector.input, reading(vector))
    for alternative, expect in vector.expect.items():
        assert expect["bits"] == bits
        assert int(expect["count"]) == plain.extreme(counts, t, alternative)
        tied = [count for x, count in counts.items() if (abs(x) == abs(t) if alternative == "two-sided" else x == t)]
        assert int(expect["atom"]) == sum(tied)


@pytest.mark.parametrize("vector", [v for v in COUNTED if v.call not in ("f1", "ratio")], ids=lambda vector: vector.id)
def test_small_counts_are_those_of_enumeration(vector):
    flips = plain.units(vector.call, vector.input, reading(vector))
    if len(flips) <= 10:
        sums = [0]
        for d in flips:
            sums = [x + s for x in sums for s in (d, -d)]
        for alternative, expect in vector.expect.items():
            assert int(expect["count"]) == plain.extreme(Counter(sums), sum(flips), alternative)


@pytest.mark.parametrize("vector", [v for v in COUNTED if v.call not in ("f1", "ratio")], ids=lambda vector: vector.id)
def test_engines_agree(vector):
    flips = plain.units(vector.call, vector.input, reading(vector))
    if not flips or sum(map(abs, flips)) * math.lcm(*(d.denominator for d in flips)) > 10**5:
        return  # more steps than these engines are made for
    for method in ("recurrence", "packed", "ntt"):
        for alternative, expect in vector.expect.items():
            assert str(sign_flip_test(flips, alternative=alternative, method=method).count) == expect["count"]


@pytest.mark.parametrize("vector", VALID, ids=lambda vector: vector.id)
def test_roundings_are_those_of_the_fraction(vector):
    for answer in vector.expect.get("adjusted") or vector.expect.values():
        p = Fraction(answer["p"]) if "p" in answer else Fraction(int(answer["count"]), 2 ** answer["bits"])
        assert float.fromhex(answer["p64"]) == float(p)
        assert answer["log10"] == generate.log10(p)


def test_every_mistake_is_killed_at_least_twice():
    kills = Counter(name for vector in ALL.values() for name in vector.kills or ())
    assert set(kills) == set(MISTAKES)
    assert len(MISTAKES) == 38
    assert min(kills.values()) >= 2


def test_every_vector_kills_something_or_says_why_not():
    for vector in VALID:
        assert bool(vector.kills) != ("Coverage" in vector.flags), vector.id


def test_two_readings_name_each_other():
    for vector in VALID:
        if vector.call != "adjust":
            assert (vector.reading == "any") == (vector.other is None)
        if vector.other:
            other = ALL[vector.other]
            assert other.other == vector.id
            assert other.input == vector.input
            assert {vector.reading, other.reading} == {"decimal", "binary64"}
            assert vector.expect != other.expect


def test_choosing_by_id_call_or_flag():
    def names(*patterns):
        return [vector.id for vector in vectors.chosen(ALL.values(), patterns)]

    assert names("M000[12]", "R0001") == ["M0001", "M0002", "R0001"]
    assert set(names("Invalid")) == {"A0023", "M0015", "P0351", "P0352", "P0353", "P0354", "S0052", "S0053"}
    assert names("ratio") == [name for name in ALL if name[0] == "R"]


def test_a_vector_explains_its_flags_and_what_it_kills():
    vector = ALL["P0091"]
    assert vector.notes["Centre"]["effect"] == "doubles the tail at the centre without capping"
    assert vector.mistakes["uncapped"] == "Doubles the smaller tail without capping at 1."
    assert ALL["A0023"].mistakes == {}


def test_the_archive_is_reproducible_and_holds_all_files():
    data = vectors.packed()
    assert data == vectors.packed()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        assert archive.read(names[0]) == (generate.FOLDER / "README.md").read_bytes()
    assert {name.rpartition("/")[2] for name in names} == {path.name for path in generate.FOLDER.iterdir()}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot read"),
        ({}, "holds no test vectors"),
        ({"a.json": "[1"}, "a.json is no file of test vectors"),
        ({"a.json": '{"schema": "v2"}'}, "has the schema 'v2'"),
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


def test_an_id_in_two_files_is_refused(tmp_path):
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text((generate.FOLDER / "sign.json").read_text())
    with pytest.raises(ExactPermError, match="id G0001 is used twice"):
        vectors.load(str(tmp_path))
