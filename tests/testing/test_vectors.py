"""The vectors: made from their recipes, checked by the definition and by engines, and each there for a reason."""

import io
import json
import math
import zipfile
from collections import Counter
from fractions import Fraction

import pytest

from exactperm import ExactPermError, sign_flip_test
from exactperm.testing import vectors
from exactperm.testing.numbers import Truth, right_answer
from tests.loops import each
from tests.testing import generate, plain
from tests.testing.mistakes import MISTAKES, SIGNED

ALL = vectors.load()
VALID = [vector for vector in ALL.values() if vector.result != "error"]
COUNTED = [vector for vector in VALID if vector.call not in (*vectors.LISTS, "mid-p")]
FLIPPED = [vector for vector in VALID if vector.call in SIGNED.split()]


def reading(vector):
    return "binary64" if vector.reading == "binary64" else "decimal"


def test_records_are_those_of_their_recipes(sampled):
    """A record, and what each mistake answers to it, computed again; the answers are those that it lists as killed."""
    wrong = json.loads((generate.FOLDER / generate.WRONG_FILE).read_text(encoding="utf-8"))[
        "mistakes"
    ]
    stored = {
        call: {record["id"]: record for record in content(call)["tests"]}
        for call in generate.CALLS.values()
    }
    for call, record in generate.records(every=20 // sampled(20, share=20)):
        name = record["id"]
        assert json.loads(json.dumps(record)) == stored[call][name], (
            f"run python -m tests.testing.generate: {name}"
        )
        for mistake, entry in wrong[call].items():
            answers = generate.WRONG.get(name, {}).get(mistake, ())
            assert (name in entry["unknown"]) == (answers is None), (name, mistake)
            assert entry["answers"].get(name, []) == json.loads(json.dumps(answers or [])), (
                name,
                mistake,
            )


def test_files_are_written_from_their_records():
    texts = generate.rendered({call: content(call)["tests"] for call in generate.CALLS.values()})
    for name, text in {**texts, "README.md": generate.page()}.items():
        assert (generate.FOLDER / name).read_bytes() == text.encode(), (
            f"run python -m tests.testing.generate: {name}"
        )


@pytest.mark.whole
def test_files_are_those_of_the_recipes_byte_for_byte():
    for name, text in {**generate.files(), "README.md": generate.page()}.items():
        assert (generate.FOLDER / name).read_bytes() == text.encode(), (
            f"run python -m tests.testing.generate: {name}"
        )


def test_ids_are_those_of_their_calls():
    assert 550 <= len(ALL) <= 700
    assert all(generate.CALLS[name[0]] == vector.call for name, vector in ALL.items())


def test_every_record_says_what_it_is_about():
    assert all(len(vector.comment) > 2 for vector in ALL.values())
    assert len([vector for vector in ALL.values() if vector.links]) >= 10


def content(call):
    return json.loads((generate.FOLDER / f"{call}.json").read_text(encoding="utf-8"))


def validator(call):
    fastjsonschema = pytest.importorskip("fastjsonschema")
    return fastjsonschema.compile(
        json.loads((generate.FOLDER / "schemas" / f"{call}.schema.json").read_text("utf-8"))
    )


@pytest.mark.parametrize("call", generate.CALLS.values())
def test_files_follow_their_schemas(call):
    validator(call)(content(call))


def broken(data):
    """Files with one fault each: what a reader could trip over."""
    first = data["tests"][0]
    lists = {name: answer for name, answer in first["expect"].items() if isinstance(answer, list)}
    for change in (
        {"expect": {}},
        {"input": {}},
        {"input": {"b": "1", "c": "2"}},
        {"input": {**first["input"], "x": "1"}},
        {"comment": ""},
        {"flags": []},
        {"result": "error"},
        {"id": "X0001"},
        {"acceptable": [{"convention": "other", "p": "1"}]},
        {"seen": [{"peer": "it", "version": "1"}]},
        {"unknown": 1},
        {"expect": {**first["expect"], "two-sided": {"count": "1", "bits": 2}}},
        {"expect": {name: [entry[:1] for entry in answer] for name, answer in lists.items()}},
    ):
        yield {**data, "tests": [{**first, **change}, *data["tests"][1:]]}
    for change in (
        {"call": "mcnemar"},
        {"numberOfTests": 3},
        {"license": ""},
        {"version": "0"},
        {"tests": []},
        {"x": 1},
    ):
        yield {**data, **change}
    yield {**data, "tests": data["tests"][1:]}
    columns = first["input"]
    for name in columns if isinstance(columns.get("d", columns.get("u")), list) else ():
        yield {**data, "tests": [{**first, "input": {**columns, name: []}}, *data["tests"][1:]]}


@pytest.mark.parametrize(
    "call",
    [
        "paired-permutation",
        "sign-flip",
        "wilcoxon",
        "f1",
        "runs",
        "mid-p",
        "interval",
        "null-distribution",
    ],
)
def test_schemas_refuse_broken_records(call):
    valid, data = validator(call), content(call)
    for wrong in broken(data):
        with pytest.raises(ValueError, match="data"):
            valid(wrong)


def test_every_file_has_version_license_and_source():
    for path in generate.FOLDER.glob("*.json"):
        data = json.loads(path.read_text(encoding="utf-8"))
        assert (data["version"], data["license"], data["source"]) == (
            generate.VERSION,
            "MIT",
            generate.SOURCE,
        )


@each("vector", COUNTED)
def test_counts_are_those_of_plain_code(vector):
    """Plain Python code that shares nothing with the package counts the same assignments."""
    counts, t, units = plain.null(vector.call, vector.input, reading(vector))
    for alternative, expect in vector.expect.items():
        assert expect.get("bits", units) == units
        assert Truth.of(expect).total == sum(counts.values())
        assert int(expect["count"]) == plain.extreme(counts, t, alternative)
        tied = [
            count
            for x, count in counts.items()
            if (abs(x) == abs(t) if alternative == "two-sided" else x == t)
        ]
        assert int(expect["atom"]) == sum(tied)


def test_mid_p_values_are_those_of_plain_code():
    for vector in VALID:
        if vector.call == "mid-p":
            counts, t, _units = plain.null(vector.call, vector.input, reading(vector))
            for alternative, expect in vector.expect.items():
                beyond, total = plain.extreme(counts, t, alternative), sum(counts.values())
                size = {"two-sided": abs, "less": lambda x: -x, "greater": lambda x: x}[alternative]
                strict = sum(count for x, count in counts.items() if size(x) > size(t))
                assert Fraction(expect["p"]) == Fraction(beyond + strict, 2 * total), vector.id


def test_lists_are_those_of_plain_code():
    for vector in VALID:
        for alternative in vector.questions if vector.call in vectors.LISTS else ():
            found = plain.listed(vector.call, vector.input, reading(vector), alternative)
            assert right_answer(vector.answer(alternative)) == found, vector.id


@each("vector", FLIPPED)
def test_small_counts_are_those_of_enumeration(vector):
    flips = plain.units(vector.call, vector.input, reading(vector))
    if len(flips) <= 10:
        sums = [0]
        for d in flips:
            sums = [x + s for x in sums for s in (d, -d)]
        for alternative, expect in vector.expect.items():
            assert int(expect["count"]) == plain.extreme(Counter(sums), sum(flips), alternative)


@each("vector", FLIPPED)
def test_engines_agree(vector):
    flips = plain.units(vector.call, vector.input, reading(vector))
    if not flips or sum(map(abs, flips)) * math.lcm(*(d.denominator for d in flips)) > 10**5:
        return  # more steps than these engines are made for
    for method in ("recurrence", "packed", "ntt"):
        for alternative, expect in vector.expect.items():
            assert (
                str(sign_flip_test(flips, alternative=alternative, method=method).count)
                == expect["count"]
            )


@each("vector", VALID)
def test_roundings_are_those_of_the_fraction(vector):
    if vector.call in ("interval", "null-distribution"):
        return  # their answers are fractions and integers only
    for answer in vector.expect.get("adjusted") or vector.expect.values():
        p = Truth.of(answer).p
        assert float.fromhex(answer["p64"]) == float(p)
        assert answer["log10"] == generate.log10(p)


@pytest.mark.parametrize("call", generate.CALLS.values())
def test_each_mistake_of_a_call_is_caught_by_three_records(call):
    """The mutation test of the set: a survivor, or a mistake that few records catch, needs new records."""
    possible = {name for name, wrong in MISTAKES.items() if call in wrong.calls}
    kills = Counter(
        name for vector in ALL.values() if vector.call == call for name in vector.kills or ()
    )
    assert len(possible) >= 15
    assert {name: kills[name] for name in possible if kills[name] < 3} == {}
    assert set(kills) == possible


def test_known_mistakes_have_their_answers():
    known = {(mistake.call, mistake.name): mistake for mistake in vectors.mistakes()}
    assert set(known) == {
        (call, name) for name, wrong in MISTAKES.items() for call in wrong.calls if not wrong.random
    }
    for vector in VALID:
        for name in vector.kills:
            assert MISTAKES[name].random or vector.id in known[vector.call, name].answers
    assert known["wilcoxon", "wilcox-for-pratt"].answers["W0035"][0] == 0.875


def test_every_vector_kills_something_or_says_why_not():
    for vector in VALID:
        assert bool(vector.kills) != ("Coverage" in vector.flags), vector.id


def test_two_readings_name_each_other():
    for vector in VALID:
        if vector.call != "adjust":  # p-values are read as decimals
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
    invalid = (
        "A0023 C0029 C0030 E0043 E0044 E0045 M0015 N0030 N0031 P0351 P0352 P0353 P0354 S0052 S0053"
    )
    assert set(names("Invalid")) == set(invalid.split())
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
        assert (
            archive.read("exactperm-vectors/README.md")
            == (generate.FOLDER / "README.md").read_bytes()
        )
        files = [path for path in generate.FOLDER.rglob("*") if path.is_file()]
        assert {*names} == {
            f"exactperm-vectors/{path.relative_to(generate.FOLDER).as_posix()}" for path in files
        }


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


def test_other_answers_of_mistakes_are_refused(tmp_path):
    assert vectors.mistakes(str(tmp_path)) == []
    (tmp_path / "wrong-answers.json").write_text('{"mistakes": {"sign": {"strict": {}}}}')
    with pytest.raises(
        ExactPermError, match=r"wrong-answers\.json does not hold answers of mistakes"
    ):
        vectors.mistakes(str(tmp_path))


def test_an_id_in_two_files_is_refused(tmp_path):
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text((generate.FOLDER / "sign.json").read_text())
    with pytest.raises(ExactPermError, match="id G0001 is used twice"):
        vectors.load(str(tmp_path))
