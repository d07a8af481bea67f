"""Certificates: what they state about a file is what verifier.py reads, and nothing else is certified."""

import hashlib
import json
import random
import re
from fractions import Fraction
from itertools import islice
from pathlib import Path

import pytest

from complaint import check_refusals, complaint, refused
from exactperm import (
    PermutationTestResult,
    certify,
    f1_difference,
    fast_permutation_test,
    mann_whitney_test,
    permutation_test,
    permutation_test_runs,
    sign_flip_test,
)
from exactperm.certificates import verify_scores
from exactperm.certificates.certify import CERTIFIED, canonical_scores
from exactperm.errors import ExactPermError, WrongType
from tests.factory import forgeries

U, V = ["0.91", "0.80", "0.7"], ["0.85", "0.825", "0.7"]
RESULT = permutation_test(U, V)
RUNS = permutation_test_runs([[1, 1], [0, 1]], [[0], [1]], design="within")
SPEC = Path(__file__).parents[1] / "spec"
SCHEMA = json.loads((SPEC / "certificate.schema.json").read_text(encoding="utf-8"))
TABLE = b"u,v\n0.91,0.85\n0.80,0.825\n0.7,0.7\n"


class TestScores:
    @pytest.mark.parametrize(
        ("scores", "stated"),
        [
            (TABLE, {"delimiter": ",", "header": 1}),
            (b"\xef\xbb\xbf\n" + TABLE, {"columns": [1, 2], "header": 2}),
            (TABLE.replace(b",", b"\t").replace(b"\n", b"\r"), {"delimiter": "\t"}),
            (TABLE.replace(b",", b" ; ").replace(b"\n", b"\r\n"), {"delimiter": ";"}),
            (b"0.91,0.85\n'0.80'".replace(b"'", b'"') + b",0.825\n0.7,0.7", {"header": None}),
        ],
    )
    def test_the_rules_of_reading(self, scores, stated, verify):
        record = certify(RESULT, scores)
        assert stated.items() <= record["data"][0].items()
        assert record == {**RESULT.to_dict(), "data": record["data"]}
        assert verify(record, scores) == 0

    def test_groups_columns_and_rounding(self, verify, tmp_path):
        """Rounded scores have a file of their own."""
        scores = b"topic;a;b\nx;0.126;0.5\nx;0.135;0.25\ny;1/3;1e-1\n"
        u, v = ["0.126", "0.135", "1/3"], ["0.5", "0.25", "0.1"]
        path = tmp_path / "scores"
        for decimals, content in ((None, scores), (2, canonical_scores(u, v, [*"xxy"], 2))):
            path.write_bytes(content)
            result = permutation_test(u, v, groups=[*"xxy"], decimals=decimals)
            names = ("a,b", "topic") if decimals is None else ("u,v", "group")
            record = certify(result, path, columns=names[0], groups=names[1])
            assert verify(record, content) == 0
        assert content.splitlines()[1] == b"0.13,0.5,x"

    def test_whatever_ends_the_reading_is_told(self, monkeypatch):
        def fails(*_given):
            raise IndexError("a missing cell")

        monkeypatch.setattr(verify_scores, "units_of", fails)
        told = complaint(ExactPermError, lambda: certify(RESULT, TABLE))
        assert told.startswith("verify_scores.py cannot read data: IndexError")

    def test_settings_are_those_of_reading_that_rules_state(self):
        """A setting that decides a rule of reading is one that certify takes, and the docstring names each."""
        assert {*CERTIFIED} == {"id", *verify_scores.RULES} - {"ids"}
        assert all(f'"{name}"' in str(certify.__doc__) for name in CERTIFIED)


class TestTwoFiles:
    FIRST, SECOND = b"0.91\n0.80\n0.7\n", b"\nscore\n0.85\n0.825\n0.7\n"

    def test_by_position(self, verify, capsys):
        record = certify(RESULT, [self.FIRST, self.SECOND])
        assert [rules["header"] for rules in record["data"]] == [None, 2]
        second = hashlib.sha256(self.SECOND).hexdigest()[:8]
        for files in ((self.FIRST, self.SECOND), (self.SECOND, self.FIRST)):
            assert verify(record, *files) == 0
        told = f"  file {second} without 0 columns and the header 'score'; read by\n"
        assert told in capsys.readouterr().out
        assert verify(record, self.FIRST) == 3
        assert "made from 2 files: name all, or none" in capsys.readouterr().out
        assert verify(record, self.FIRST, self.FIRST + b"\n") == 1
        assert verify(record) == 0

    def test_by_ids_and_groups(self, verify, tmp_path, capsys):
        first = b"id,topic,a\nx,1,0.91\ny#2,1,0.80\nz,2,0.7\n"
        second = b"id;topic;b\nz;2;0.7\nx;1;0.85\ny#2;1;0.825\n"
        result = permutation_test(U, V, groups=[1, 1, 2])
        paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
        for path, content in zip(paths, (first, second)):
            path.write_bytes(content)
        record = certify(result, paths, columns="3", id="id", groups="2")
        assert [(rules["ids"], rules["groups"], rules["columns"]) for rules in record["data"]] == [
            (1, 2, [3])
        ] * 2
        assert verify(record, first, second) == 0
        for old, new in ((b"x;1", b"x;2"), (b"z;", b"w;"), (b"y#2;", b"x;")):
            changed = second.replace(old, new)
            record["data"][1]["sha256"] = hashlib.sha256(changed).hexdigest()
            assert verify(record, first, changed) in (1, 2)
        out = capsys.readouterr().out
        assert "the two files have other pairs or groups" in out
        assert "line 4: another id, label or width" in out


class TestWithoutScores:
    @pytest.mark.slow
    def test_a_record_alone(self, verify):
        result = sign_flip_test({"-0.5": 2, 0: 1, Fraction(1, 3): 3_000}, alternative="greater")
        assert certify(result) == result.to_dict()
        assert verify(certify(result)) == 0
        assert verify(certify(result), b"0\n") == 3

    def test_statistics_without_a_tally(self, verify, capsys):
        for result in (
            permutation_test([(3, 1)], [(1, 2)], statistic=f1_difference),
            fast_permutation_test(U, V),
        ):
            record = certify(result)
            assert record["claim"] == ("enclosed" if "swaps" in record else "claimed")
            assert "data" not in record
            assert certify(result, b"x")["data"] == [{"sha256": hashlib.sha256(b"x").hexdigest()}]
            assert verify(record) == 3
            assert (
                f"not checked: no count is claimed: {record['claim']!a}\n"
                in capsys.readouterr().out
            )
            assert verify(record, b"x") == 3
            assert verify(certify(result, b"x"), b"x") == 3
            assert verify(certify(result, b"y"), b"x") == 1


class TestForm:
    def test_schema_page_and_certificate_agree(self):
        """The schema has every field in its place, and requires all but the origin of the scores and the note."""
        record, runs = certify(RESULT, TABLE), RUNS.to_dict()
        rules, swaps = SCHEMA["properties"]["data"]["items"], SCHEMA["properties"]["swaps"]
        page = (SPEC / "12-certificates.md").read_text(encoding="utf-8")
        table = page.partition("| field | JSON |")[2].partition("\n\n")[0]
        fields = {*SCHEMA["properties"], *rules["properties"], *swaps["properties"]}
        assert fields - {"note"} <= {*re.findall(r"`([a-z0-9_]+)`", table)}
        assert {*SCHEMA["properties"]} == {*record, *runs, "note"}
        assert {*SCHEMA["required"]} == {*record} & {*runs}
        assert {*rules["properties"]} == {*rules["required"]} == {*record["data"][0]}
        assert {*verify_scores.RULES} == {*rules["properties"]} - {"sha256"}
        pool = mann_whitney_test([1, 2, 5], [3, 4]).to_dict()["swaps"]
        assert {*swaps["properties"]} == {*record["swaps"], *runs["swaps"], *pool}
        assert {*swaps["required"]} == {*record["swaps"]} & {*runs["swaps"]}

    def test_every_certificate_is_valid(self):
        valid = pytest.importorskip("fastjsonschema").compile(SCHEMA)
        honest, extreme = forgeries.certificates(random.Random(2)), [10**600, 1, Fraction(-1, 7)]
        records = [record for record, *_ in islice(honest, 90)]
        records += [certify(sign_flip_test(d)) for d in ([0], [1] * 3000, extreme)]
        records.append(certify(RESULT, [TestTwoFiles.FIRST, TestTwoFiles.SECOND]))
        for record in records:
            valid(json.loads(json.dumps(record)))
        record = json.loads(json.dumps(certify(RESULT, TABLE)))
        for name in record:
            word = 3 if name in ("version", "method", "statistic_name") else "x y"
            less = {key: value for key, value in record.items() if key != name}
            for wrong in ({**record, name: word}, *([less] if name != "data" else ())):
                with pytest.raises(ValueError, match="data"):
                    valid(wrong)

    @pytest.mark.slow
    def test_size(self):
        """At most 10 KB beyond the tally and the count."""
        rng = random.Random(5)
        d = [rng.randint(-3, 3) for _ in range(10_000)]
        record = certify(sign_flip_test(d), "".join(f"{x}\n" for x in d).encode())
        tally, count = record["swaps"].pop("tally"), record.pop("count")
        assert tally
        assert count
        assert len(json.dumps(record)) < 10_000

    @pytest.mark.parametrize(
        "change",
        [
            {"format": 3},
            {"total": "2^7"},
            {"claim": "p"},
            {"version": 2},
        ],
    )
    def test_claims_are_checked(self, change):
        told = complaint(
            ExactPermError, lambda: PermutationTestResult.from_dict({**RESULT.to_dict(), **change})
        )
        assert " of the record is " in told


class TestCanonicalScores:
    def test_scores_of_no_table_have_a_certificate(self, verify):
        """Booleans, fractions, groups with commas."""
        u, v, groups = [True, "1/3", 0.1, "2.50"], [False, 1, 2, "-1e-3"], ["x, y", "x, y", "z", 3]
        scores = canonical_scores(u, v, groups)
        assert scores.decode().splitlines()[:3] == ["u,v,group", '1,0,"x, y"', '1/3,1,"x, y"']
        result = permutation_test(u, v, groups=groups)
        record = certify(result, scores, columns="u,v", groups="group")
        assert verify(record, scores) == 0
        scores = canonical_scores(u, v)
        assert verify(certify(permutation_test(u, v), scores), scores) == 0


REFUSED = r"""
b'1 / 3,0\n', {'columns': '1,2'} | verify_scores.py cannot read data: no number: '1 / 3'
b'u,v\n0_9,0\n', {'columns': '1,2'} | verify_scores.py cannot read data: no number:
b'\xff\xfe1\x00,\x002\x00', {'columns': '1,2'} | verify_scores.py cannot read data: Unicode
b'# in May\n0.9,0.8\n', {'columns': '1,2'} | verify_scores.py cannot read data:
b'0.91,0.85\n', {'columns': '1,2'} | data holds another test than result
[b'1', b'2', b'3'], {} | data has 3 files
[b'u,v\n1,2\n', b'u,v\n1,2\n'], {} | columns, id, groups and header do not fit: 2
b'u,v\n1,2\n', {'columns': 'x'} | columns, id, groups and header do not fit: data: no
3, {} | data is 3 | WrongType
b'u,v\n', {'runs': 'within'} | certify has no setting 'runs' | WrongType
b'u,v\n', {'columns': 3} | columns is 3 | WrongType
b'u,v\n', {'id': 3} | id is 3 | WrongType
b'u,v\n', {'groups': 3} | groups is 3 | WrongType
b'u,v\n', {'delimiter': 3} | delimiter is 3 | WrongType
"""
COLUMNS = """
'2+3+4', | columns of one file must be two blocks
'2+3,x', | columns, id and header do not fit
'2,3', | data holds another test
"""


def test_what_cannot_be_certified(verify):
    weighed = permutation_test(U, V, weights=[1, 2, 4], tasks=["x", "x", "y"])
    assert verify(certify(weighed)) == 0
    wide = b"item,a1,a2,b1\np,1,1,0\nq,0,1,1\n"
    check_refusals(lambda data, about: certify(RESULT, data, **about), REFUSED)
    check_refusals(lambda columns: certify(RUNS, wide, columns=columns), COLUMNS)
    calls = {
        "result has weights or tasks": lambda: certify(weighed, TABLE),
        "u, v and groups have 2, 1, 2": lambda: canonical_scores([1, 2], [1], [1, 2]),
    }
    refused(ExactPermError, calls)
    refused(WrongType, {"result is 3": lambda: certify(3)})
