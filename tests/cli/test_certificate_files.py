"""A stranger's two commands, ``exactperm test FILE --certificate`` and ``verifier.py``, on many kinds of files."""

import codecs
import io
import re
from pathlib import Path

import pytest

from exactperm.certificates import verify_scores

TABLE = "u,v,topic\n0.91,0.85,x\n0.80,0.825,x\n0.7,0.7,y\n1e-1,0.2,z\n0.5,-3.25,w\n"
PAIRS = re.sub(",[a-z]+$", "", TABLE, flags=re.MULTILINE)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("header.csv", PAIRS.encode(), []),
        ("none.csv", PAIRS.partition("\n")[2].encode(), ["--header", "no"]),
        ("semicolon.csv", PAIRS.replace(",", ";").encode(), []),
        ("bom.csv", codecs.BOM_UTF8 + PAIRS.encode(), []),
        ("crlf.csv", PAIRS.replace("\n", "\r\n").encode(), []),
        ("cr.csv", PAIRS.replace("\n", "\r").encode(), []),
        (
            "quotes.csv",
            PAIRS.replace(",", '","').replace("\n", '"\n"').join('"\n').encode()[:-2],
            [],
        ),
        ("groups.csv", TABLE.encode(), ["--columns", "u,v", "--groups", "topic"]),
        ("tabs.tsv", PAIRS.replace(",", "\t").encode(), []),
        ("bars.csv", PAIRS.replace(",", "|").encode(), ["--delimiter", "|"]),
    ],
)
def test_the_file_itself_is_certified(run, name, content, words):
    Path(name).write_bytes(content)
    status, _out, err = run("test", name, "--certificate", "c.json", *words)
    assert status == 0
    assert err.endswith(f"exactperm: check it with: exactperm recount c.json {name}\n")
    assert verify_scores.main(["c.json", name]) == 0
    assert run("recount", "c.json", "--independent")[0] == 0


MISSING = PAIRS.replace("0.2", "NA")
GROUPED = TABLE.replace("0.2", "NA")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"d": true, "e": 0.5}\n{"d": false, "e": 2}\n', ["--columns", "d,e"]),
        ('{"d": 1.26, "e": 1}\n{"d": 3, "e": 2}\n', ["--columns", "d,e", "--decimals", "1"]),
        (MISSING, ["--missing", "drop"]),
        (PAIRS, ["--mu", "1"]),
        (GROUPED, ["--missing", "drop", "--columns", "u,v", "--groups", "topic"]),
        (PAIRS.replace(",", ";").replace(".", ","), ["--decimal", "comma"]),
        (PAIRS.replace(",", "  "), ["--delimiter", "space"]),
        (PAIRS.encode("utf-16"), []),
        (f"# of May\n{PAIRS}# end\n", ["--comments", "yes"]),
        (PAIRS, ["--decimals", "2"]),
    ],
)
def test_what_was_compared_is_certified_where_the_files_cannot_be(run, content, words):
    """It is saved beside the certificate, as a file that anybody can read."""
    raw = content if isinstance(content, bytes) else content.encode()
    name = "s.jsonl" if raw[:1] == b"{" else "s.csv"
    Path(name).write_bytes(raw)
    status, _out, err = run("test", name, "--certificate", "c.json", *words)
    assert (status, "certified without the files: " in err) == (0, True)
    assert err.endswith("exactperm: check it with: exactperm recount c.json c-scores.csv\n")
    assert verify_scores.main(["c.json", "c-scores.csv"]) == 0
    assert run("recount", "c.json", "--independent")[0] == 0
    scores = Path("c-scores.csv").read_text(encoding="utf-8")
    assert scores.startswith("u,v")
    Path("c-scores.csv").write_text(scores.replace("0.5", "0.6"), encoding="utf-8")
    Path("c.json").unlink()
    assert "say --force" in run("test", name, "--certificate", "c.json", *words)[2]
    assert run("test", name, "--certificate", "c.json", *words, "--force")[0] == 0
    assert Path("c-scores.csv").read_text(encoding="utf-8") == scores


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (TABLE, ["--columns", "u,v", "--tasks", "topic"]),
        ("u,v\n1,1\n-2,3\n", ["--columns", "u", "--differences", "--weights", "v"]),
        (
            "gold,a,b\nx,x,y\ny,y,y\n",
            ["--statistic", "accuracy", "--columns", "1,2,3", "--header", "yes"],
        ),
    ],
)
def test_the_differences_are_certified_where_no_two_columns_are_compared(run, content, words):
    Path("s.csv").write_text(content, encoding="utf-8")
    status, _out, err = run("test", "s.csv", "--certificate", "c.json", *words)
    assert (status, "certified without the files: " in err) == (0, True)
    assert err.endswith("exactperm: check it with: exactperm recount c.json\n")
    assert verify_scores.main(["c.json"]) == 0
    assert run("recount", "c.json")[0] == 0
    assert verify_scores.main(["c.json", "s.csv"]) == 3


def test_a_ratio_has_no_proof(run):
    Path("s.csv").write_text("u,v,r,s\n1,2,2,2\n2,3,4,5\n", encoding="utf-8")
    words = ["--statistic", "ratio", "--columns", "u,v,r,s", "--certificate", "c.json"]
    assert "c.json proves nothing: the p-value has no proof" in run("test", "s.csv", *words)[2]
    assert "holds no proof, only a claim; run its test again" in run("recount", "c.json")[2]
    assert verify_scores.main(["c.json", "s.csv"]) == 3
    Path("s.csv").write_text("other", encoding="utf-8")
    assert verify_scores.main(["c.json", "s.csv"]) == 1


def test_claims_that_can_only_be_recomputed(run, capsys):
    Path("s.csv").write_text(PAIRS, encoding="utf-8")
    status, _out, err = run("test", "s.csv", "--method", "certified", "--certificate", "c.json")
    assert (status, "c.json proves nothing: the p-value lies in the bracket" in err) == (0, True)
    assert verify_scores.main(["c.json", "s.csv"]) == 3
    assert "no count is claimed: 'enclosed'" in capsys.readouterr().out
    status, out, _err = run("recount", "c.json", "--independent")
    assert status == 3
    assert out.startswith(
        "c.json: confirmed: the same bracket, bit for bit\nnot checked: no count is claimed"
    )
    assert "a second time" in run("recount", "-", "--independent")[2]


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("0.91\n0.8\n0.7\n", "0.85\n0.825\n0.7\n", []),
        (
            "id,score\nx,3\ny,1\nz,2\n",
            "id,score\nz,5\ny,7\nx,2\n",
            ["--id", "id", "--columns", "score"],
        ),
        ("id,s,t\nx,3,1\ny,1,1\n", "id,s,t\nx,4,2\ny,7,1\n", ["--columns", "s", "--by", "row"]),
        (
            "g;s\nx;3.5\ny;1\nx;2\n",
            "g;s\nx;5\ny;7\nx;2\n",
            ["--groups", "g", "--columns", "s", "--by", "row"],
        ),
    ],
)
def test_two_files_are_certified(run, capsys, first, second, words):
    Path("a.txt").write_text(first, encoding="utf-8")
    Path("b.txt").write_text(second, encoding="utf-8")
    status, _out, err = run("test", "a.txt", "b.txt", "--certificate", "c.json", *words)
    assert status == 0
    assert err.endswith("exactperm: check it with: exactperm recount c.json a.txt b.txt\n"), err
    assert verify_scores.main(["c.json", "a.txt", "b.txt"]) == 0
    Path("b.txt").write_text(second.replace("7", "6"), encoding="utf-8")
    assert verify_scores.main(["c.json", "a.txt", "b.txt"]) == 1
    assert "not the certified scores: another SHA-256" in capsys.readouterr().out


def test_standard_input_has_no_name(run, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"u,v\n3,1\n-2,2\n")))
    told = run("test", "-", "-c", "u,v", "--certificate", "c.json")[2]
    assert "they cannot be read a second time" in told
    assert told.endswith("recount c.json c-scores.csv\n")
