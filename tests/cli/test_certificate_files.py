"""A stranger's two commands, ``exactperm test FILE --certificate`` and ``verifier.py``, on many kinds of files."""

import codecs
import io
import re
from pathlib import Path

import pytest

from exactperm.certificates import verify_scores

TABLE = "u,v,topic\n0.91,0.85,x\n0.80,0.825,x\n0.7,0.7,y\n1e-1,0.2,z\n0.5,-3.25,w\n"
PAIRS = re.sub(",[a-z]+$", "", TABLE, flags=re.MULTILINE)
GROUPS = "--columns u,v --groups topic"
JSON = '{"d": true, "e": 0.5}\n{"d": 1.26, "e": 2}\n'
ITSELF = [
    (PAIRS, ""),
    (PAIRS.partition("\n")[2], "--header no"),
    (PAIRS.replace(",", ";"), ""),
    (codecs.BOM_UTF8 + PAIRS.encode(), ""),
    (PAIRS.replace("\n", "\r\n"), ""),
    (PAIRS.replace("\n", "\r"), ""),
    (re.sub("[^,\n]+", r'"\g<0>"', PAIRS), ""),
    (TABLE, GROUPS),
    (PAIRS.replace(",", "\t"), ""),
    (PAIRS.replace(",", "|"), "--delimiter |"),
]
"""Files that are certified themselves, and options."""
SCORES = [
    (JSON, "--columns d,e"),
    (JSON, "--columns d,e --decimals 1"),
    (PAIRS.replace("0.2", "NA"), "--missing drop"),
    (PAIRS, "--mu 1"),
    (TABLE.replace("0.2", "NA"), f"--missing drop {GROUPS}"),
    (PAIRS.replace(",", ";").replace(".", ","), "--decimal comma"),
    (PAIRS.replace(",", "  "), "--delimiter space"),
    (PAIRS.encode("utf-16"), ""),
    (f"# of May\n{PAIRS}# end\n", "--comments yes"),
    (PAIRS, "--decimals 2"),
]
"""Files that the verifier does not read: what was compared is saved beside the certificate, for anybody to read."""
DIFFERENCES = [
    (TABLE, "--columns u,v --tasks topic"),
    ("u,v\n1,1\n-2,3\n", "--columns u --differences --weights v"),
    ("gold,a,b\nx,x,y\ny,y,y\n", "--statistic accuracy --columns 1,2,3 --header yes"),
]
"""Files of which no two columns are compared: their differences are certified."""


@pytest.fixture
def certified(run, write):
    """A function that certifies a file, and checks the certificate; it returns what the command tells."""

    def certified(content, words, *scores):
        raw = content if isinstance(content, bytes) else content.encode()
        name = write(content, "s.jsonl" if raw[:1] == b"{" else "s.csv")
        asked = ["test", name, "--certificate", "c.json", "--force", *words.split()]
        status, _out, err = run(*asked)
        told = " ".join(["exactperm: check it with: exactperm recount c.json", *scores])
        assert (status, err.endswith(f"{told}\n")) == (0, True), err
        assert verify_scores.main(["c.json", *scores]) == 0
        assert run("recount", "c.json", "--independent")[0] == 0
        return err, asked

    return certified


def test_the_file_itself_is_certified(certified):
    for content, words in ITSELF:
        assert "without the files" not in certified(content, words, "s.csv")[0]


def test_what_was_compared_is_certified_where_the_files_cannot_be(run, certified):
    for content, words in SCORES:
        err, asked = certified(content, words, "c-scores.csv")
        assert "certified without the files: " in err
        assert Path("c-scores.csv").read_text(encoding="utf-8").startswith("u,v")
    Path("c.json").unlink()
    asked.remove("--force")
    assert "say --force" in run(*asked)[2]


def test_the_differences_are_certified_where_no_two_columns_are_compared(certified):
    for content, words in DIFFERENCES:
        assert "certified without the files: " in certified(content, words)[0]
        assert verify_scores.main(["c.json", "s.csv"]) == 3


def test_claims_that_can_only_be_recomputed(run, write, capsys):
    """A ratio has no proof, a bracket no count."""
    write("u,v,r,s\n1,2,2,2\n2,3,4,5\n", "s.csv")
    words = ["--statistic", "ratio", "--columns", "u,v,r,s", "--certificate", "c.json"]
    assert "c.json proves nothing: the p-value has no proof" in run("test", "s.csv", *words)[2]
    assert "holds no proof, only a claim; run its test again" in run("recount", "c.json")[2]
    assert verify_scores.main(["c.json", "s.csv"]) == 3
    write(PAIRS, "s.csv")
    assert verify_scores.main(["c.json", "s.csv"]) == 1
    words = ["--method", "certified", "--certificate", "c.json", "--force"]
    told = run("test", "s.csv", *words)[2]
    assert "c.json proves nothing: the p-value lies in the bracket" in told
    assert verify_scores.main(["c.json", "s.csv"]) == 3
    assert "no count is claimed: 'enclosed'" in capsys.readouterr().out
    status, out, _err = run("recount", "c.json", "--independent")
    same = "c.json: confirmed: the same bracket, bit for bit\nnot checked: no count is claimed"
    assert (status, out.startswith(same)) == (3, True)
    assert "a second time" in run("recount", "-", "--independent")[2]


def test_two_files_are_certified(run, write, capsys):
    for first, second, words in (
        ("0.91\n0.8\n0.7\n", "0.85\n0.825\n0.7\n", ""),
        ("id,s\nx,3\ny,1\nz,2\n", "id,s\nz,5\ny,7\nx,2\n", "--id id --columns s"),
        ("id,s,t\nx,3,1\ny,1,1\n", "id,s,t\nx,4,2\ny,7,1\n", "--columns s --by row"),
        ("g;s\nx;3.5\ny;1\nx;2\n", "g;s\nx;5\ny;7\nx;2\n", "--groups g --columns s --by row"),
    ):
        files = write(first, "a.txt"), write(second, "b.txt")
        asked = ["test", *files, "--certificate", "c.json", "--force", *words.split()]
        told = "exactperm: check it with: exactperm recount c.json a.txt b.txt\n"
        assert run(*asked)[2].endswith(told)
        assert verify_scores.main(["c.json", *files]) == 0
        write(second.replace("7", "6"), "b.txt")
        assert verify_scores.main(["c.json", *files]) == 1
        assert "not the certified scores: another SHA-256" in capsys.readouterr().out


def test_standard_input_has_no_name(run, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"u,v\n3,1\n-2,2\n")))
    told = run("test", "-", "-c", "u,v", "--certificate", "c.json")[2]
    assert "they cannot be read a second time" in told
    assert told.endswith("recount c.json c-scores.csv\n")
