"""Audits of files and lists: what is read, what is refused, what depends on the company of a claim."""

import hashlib
import json
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

from exactperm.auditing import audit as auditing
from exactperm.auditing.audit import audit, audit_claim
from exactperm.cli.demo import DARWIN_MAIZE, STUDENT_SLEEP
from exactperm.errors import ExactPermError, WrongType

MAIZE = list(DARWIN_MAIZE)
SLEEP = list(STUDENT_SLEEP)
ALL = {"stated": "all"}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "data").mkdir()
    text = "\n".join(map(str, MAIZE))
    (tmp_path / "data" / "maize.txt").write_text(text, encoding="utf-8")
    rows = "".join(f"{x},0\n" for x in SLEEP)
    (tmp_path / "sleep.csv").write_text(f"u,v\n{rows}", encoding="utf-8")
    return tmp_path


def test_claims_files_of_all_kinds_give_the_same_findings(folder):
    rows = [
        {"id": "a", "p": ".0527", "data": "data/maize.txt"},
        {"id": "b", "p": ".004", "data": "sleep.csv", "columns": "u,v"},
    ]
    table = [["id", "p", "data", "columns"], *([*row.values(), ""][:4] for row in rows)]
    (folder / "c.json").write_text(json.dumps(rows), encoding="utf-8")
    (folder / "c.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (folder / "c.tsv").write_text("\n".join(map("\t".join, table)), encoding="utf-8")
    for name in ("c.json", "c.jsonl", "c.tsv"):
        report = audit(folder / name)
        assert [(one.id, one.heap) for one in report] == [("a", "fine"), ("b", "fine")], name
        assert all(len(one.sha256) == 64 for one in report)
    assert "c.tsv, line 3" in report.findings[1].place


def test_data_outside_the_folder_are_refused(folder):
    (folder / "claims").mkdir()
    path = folder / "claims" / "c.json"
    rows = [{"p": "1", "data": one} for one in ("../sleep.csv", str(folder / "sleep.csv"))]
    path.write_text(json.dumps(rows), encoding="utf-8")
    assert all("as the root" in one.notes[0] for one in audit(path))
    assert [one.heap for one in audit(path, root=folder, strict=True)] == ["wrong"] * 2
    with pytest.raises(ExactPermError, match="cannot read"):
        audit(folder / "missing.json")


def test_arguments():
    """The level of a claim overrules that of the audit; an executor and progress change no finding."""
    for wrong in (3, {"p": "1"}, b"x"):
        with pytest.raises(WrongType, match="must be a path, or an iterable"):
            audit(wrong)
    with pytest.raises(WrongType, match="must be a Claim or a dict"):
        audit_claim("p = .05")
    for about, message in (({"root": 1.5}, r"root is 1\.5"), ({"alpha": 2}, "alpha is 2")):
        with pytest.raises(ExactPermError, match=message):
            audit([], **about)
    assert len(audit([])) == 0
    for more, heap in (({}, "wrong"), ({"alpha": "0.01"}, "fine")):
        assert audit_claim({"p": "n.s.", "data": MAIZE, **ALL, **more}, alpha="0.1").heap == heap
    claims = [{"p": ".0527", "data": MAIZE, "id": str(i)} for i in range(3)]
    seen = []
    with ThreadPoolExecutor(2) as pool:
        parallel = audit(claims, executor=pool, progress=lambda *done: seen.append(done))
    assert [one.line() for one in parallel] == [one.line() for one in audit(claims)]
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_what_cannot_be_read_or_judged_is_a_finding(folder, refuse):
    fine, none = audit([{"p": ".0527", "data": MAIZE}, "no claim"]).findings
    assert (fine.heap, none.heap, "no claim" in str(none.error)) == ("fine", "unreadable", True)
    again = pickle.loads(pickle.dumps(none))
    assert (again, str(again.error)) == (none, str(none.error))
    claim = {"p": "p = .5", "data": str(folder / "sleep.csv")}
    assert audit([claim], max_input=9).findings[0].heap == "unreadable"
    refuse(auditing, "judge")
    (finding,) = audit([{"p": "1", "data": MAIZE}])
    assert (finding.heap, finding.notes) == ("unreadable", ("too dear",))


def test_a_line_of_exactperm_is_checked_against_its_data(folder):
    """The line of a test states it; other data are found by their hash, and two files in the other order."""
    digest = hashlib.sha256((folder / "data" / "maize.txt").read_bytes()).hexdigest()[:8]
    test = "paired permutation, swaps of 15 pairs | sum of differences | two-sided"
    line = f"exactperm 0.2.0 | {test} | {{}} | sha256:{digest}"
    right = line.format("p = 0.0527 (exact 863/16384)")
    maize = str(folder / "data" / "maize.txt")
    sleep = str(folder / "sleep.csv")
    for p, data, told in (
        (right, maize, ("fine", "prints")),
        (line.format("p = 0.0425 (exact 697/16384)"), maize, ("wrong", "unexplained")),
        (line.format("p in [0.0526, 0.0527]"), maize, ("fine", "prints")),
        (right, sleep, ("wrong", "data")),
    ):
        found = audit_claim({"p": p, "data": data})
        assert (found.heap, found.reason) == told, found.line()
    assert any(f"the SHA-256 {digest} of its data; these data have" in one for one in found.notes)
    memory = audit_claim({"p": right, "data": MAIZE})
    assert memory.heap == "fine" and memory.notes[0].endswith("these data come from no file")
    texts = {"a.txt": b"3\n1\n2\n", "b.txt": b"1\n2\n5\n"}
    for name, text in texts.items():
        (folder / name).write_bytes(text)
    digests = "+".join(hashlib.sha256(text).hexdigest()[:8] for text in texts.values())
    test = "paired permutation, swaps of 3 pairs | sum of differences | less"
    claim = {"p": f"exactperm 0.2.0 | {test} | p = 0.375 (exact 3/8) | sha256:{digests}"}
    first, second = [str(folder / name) for name in texts]
    assert audit_claim({**claim, "data": first, "second": second}).heap == "fine"
    other = audit_claim({**claim, "data": second, "second": first})
    assert "name the two files in the order of the line: the first system first" in other.notes


def test_wrong_claims_of_one_source_try_every_adjustment():
    claims = [{"p": "p = .5", "data": [1, 2, 3, 4, 5 + i], "source": "one"} for i in range(2)]
    assert audit(claims).counts["wrong"] == 2
