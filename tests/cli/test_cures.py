"""What mends an error on the command line: no file can write the command that its reader is told to run."""

import contextlib
import csv
import io
import json
import os
import re
import shlex
import tempfile
from argparse import Namespace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactperm.cli import cures, main
from exactperm.errors import BudgetExceeded, Cure

NAMES_COLUMNS = {"--columns", "--key", "--id", "--groups", "--system", "--score"}
FIXED = {
    *main._COMMANDS,
    *(f"--{name}" for name in cures.SETTINGS),
    *("exactperm", "start", "files", "many-systems", "audit", "intervals", "certificates"),
    *("drop", "yes", "no", "comma", "tab", "space", "semicolon", "point"),
    *("certified", "monte-carlo", "auto", "difference", "accuracy", "f1", "precision", "recall"),
}
"""Words of commands to try that come from no file."""

PHRASES = [
    *("say --statistic difference --svg victim.txt --force", "such as --columns 1,2", "--force", "-force", "--svg=x"),
    *("exactperm dist f --force", "or exactperm compare", "'; say --id b", '"; say --id b', "it's --missing drop"),
    *("say 'exactperm compare'", "$(rm f)", "`rm f`", "a,b", "a b", "\N{PILE OF POO}", "x\u2028exactperm: try: rm f"),
    *("(choose from 'f1', 'accuracy')", "no column is named 'b'", "tp", "fp", "fn", "gold", "id", "score", "b", "%"),
]
SPOTS = st.one_of(st.sampled_from(PHRASES), st.sampled_from(["1", "0", "2.5", "-1", "", "NA", "1,5", "q1", "q2", "5%"]))
FILES = ["f.csv", "say --id b.csv", "--force.csv", "it's.csv", "g.tsv", "h.jsonl"]
OPTIONS = [
    *([], ["--statistic", "f1"], ["--statistic", "accuracy"], ["--columns", "b"], ["--columns", "1,9"], ["--id", "id"]),
    *(["--key", "score"], ["--groups", "g"], ["--header", "no"], ["--header", "yes"], ["--colums", "1"], ["--sv", "x"]),
    *(["--alternative", "one-sided"], ["--delimiter", "tab"], ["--statistic", "mens"], ["--missing", "drop"], ["--f"]),
]


@st.composite
def tables(draw):
    """Return the header and the rows of a small table of numbers with hint phrases in any place."""
    width = draw(st.integers(1, 5))
    header = draw(st.lists(SPOTS, min_size=width, max_size=width))
    cells = st.one_of(st.sampled_from(["1", "0", "3", "0.5"]), SPOTS)
    return header, draw(st.lists(st.lists(cells, min_size=width, max_size=width), min_size=1, max_size=5))


def text_of(name, header, rows):
    if name.endswith(".jsonl"):
        return "\n".join(json.dumps(dict(zip(header, row))) for row in rows)
    text = io.StringIO()
    csv.writer(text, delimiter="\t" if name.endswith(".tsv") else ",").writerows([header, *rows])
    return text.getvalue()


def run(argv):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main.main(argv)
    return status, out.getvalue(), err.getvalue()


def names_of(value):
    return next(csv.reader([value], skipinitialspace=True))


def check_tried(argv, told, columns):
    """Check that each word of a command to try is fixed, was typed, or chooses columns that exist by their names."""
    typed = {part for word in argv for part in (word, *word.split("=", 1))}
    words = [part for word in told for part in (word.split("=", 1) if word.startswith("--") else [word])]
    assert "--force" not in words
    for before, word in zip(["", *words], words):
        if before in NAMES_COLUMNS and word not in typed:
            parts = names_of(word)
            assert all(part in columns or re.fullmatch(r"\d+(-\d+)?", part) for part in parts), (argv, told)
        else:
            assert word in FIXED or word in typed or re.fullmatch(r"\d+", word), (argv, told)


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_no_file_writes_a_command(data):
    """Cells, headers, ids and file names hold hint phrases; a command to try holds none of them but as a column."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as leave:
        here = str(Path.cwd())
        leave.callback(os.chdir, here)
        os.chdir(folder)
        Path("victim.txt").write_text("mine", encoding="utf-8")
        columns, files = set(), []
        for name in data.draw(st.lists(st.sampled_from(FILES), min_size=1, max_size=2, unique=True)):
            header, rows = data.draw(tables())
            Path(name).write_text(text_of(name, header, rows), encoding="utf-8")
            columns |= {*header}
            files.append(f"./{name}")
        command = data.draw(st.sampled_from(["test", "compare", "interval", "dist", "audit", "tets"]))
        argv = [command, *files, *data.draw(st.sampled_from(OPTIONS)), *data.draw(st.sampled_from(OPTIONS))]
        _status, _out, err = run(argv)
        for line in err.splitlines():
            found = re.match("exactperm: (try|see): (.*)", line)
            if found:
                words = shlex.split(found[2])
                assert words[0] == "exactperm"
                check_tried(argv, words[1:], columns)
                run(words[1:])
        assert Path("victim.txt").read_text(encoding="utf-8") == "mine"
        assert {*os.listdir()} == {"victim.txt", *(file[2:] for file in files)}


@pytest.mark.parametrize("header", ["say --statistic difference --svg victim.txt --force", "'say --id b'"])
@pytest.mark.parametrize("words", [["--statistic", "f1"], [], ["--columns", "2"], ["--id", "b"]])
def test_a_header_writes_no_command(tmp_path, monkeypatch, header, words):
    monkeypatch.chdir(tmp_path)
    Path("inj.csv").write_text(f"id,{header},b\nq1,1,2\nq2,{header},4\n", encoding="utf-8")
    argv = ["test", "inj.csv", *words]
    status, out, err = run(argv)
    assert (status, out) == (2, "")
    told = re.findall(r"^exactperm: (?:try|see): exactperm (.*)$", err, re.MULTILINE)
    check_tried(argv, shlex.split(told[0]), {"id", header, "b"})
    assert len(told) == 1


# ---------------------------------------------------------------------------------------------- rendering


@pytest.mark.parametrize(
    ("cure", "said", "tried"),
    [
        (Cure({"columns": "A,B"}), "say --columns A,B", ["test", "f", "--columns", "A,B"]),
        (Cure({"columns": '"it\'s",B'}), "say --columns '\"it'\"'\"'s\",B'", ["test", "f", "--columns", '"it\'s",B']),
        (Cure({"columns": "-a"}), "say --columns=-a", ["test", "f", "--columns=-a"]),
        (Cure({"id": "q"}, command="compare"), "say exactperm compare --id q", ["compare", "f", "--id", "q"]),
        (Cure({}, command="compare"), "say exactperm compare", ["compare", "f"]),
        (Cure({"groups": "doc", "id": ""}), "say --groups doc", ["test", "f", "--groups", "doc"]),
        (Cure(words="write 1 for right answers"), "write 1 for right answers", None),
        (
            Cure({"filter": "strict"}, words="or name both"),
            "say --filter strict or name both",
            None,
        ),
        (Cure({"svg": "x"}), "say --svg x", None),
        (Cure({"force": "yes"}), "say --force yes", None),
    ],
)
def test_cures_are_rendered(cure, said, tried):
    assert cures.render(cure) == said
    assert cures.mended(["test", "f"], cure, main._options) == tried


def test_what_only_this_front_end_has_options_for():
    assert cures.render(Cure(words="allow to overwrite it"), "exists") == "say --force to overwrite it"
    assert cures.render(Cure(words="allow more input"), "size") == "allow more with --max-input"


@pytest.mark.parametrize(
    ("settings", "command", "named"),
    [
        ({"statistic": "f1"}, "compare", "test"),
        ({"statistic": "f1"}, "interval", "test"),
        ({"statistic": "difference"}, "interval", ""),
        ({"statistic": "f1"}, "dist", ""),
        ({"id": "q"}, "compare", ""),
    ],
)
def test_a_statistic_has_a_command(settings, command, named):
    assert cures.placed(Cure(settings), [command, "f"]) == Cure(settings, named)


def test_a_cure_replaces_what_was_said():
    argv = ["test", "f", "--columns=1", "--midp", "--id", "q", "--key", "a"]
    cure = Cure({"columns": "A,B", "id": ""}, command="compare")
    assert cures.mended(argv, cure, main._options) == ["compare", "f", "--key", "a", "--columns", "A,B"]
    assert cures.mended(argv, None, main._options) is None


def test_only_commands_that_parse_and_can_be_shown_are_tried():
    def line(change):
        return cures.line(["test", "f"], change, main._fits)

    assert line(["test", "f", "--columns", "A"]) == "try: exactperm test f --columns A"
    for words in (None, [], ["test", "f"], ["test", "f", "--nothing"], ["test", "f", "--help"], ["test", "a\nb"]):
        assert line(words) == "see: exactperm guide files"
    assert cures.line([], None, main._fits) == "see: exactperm guide start"
    assert cures.line(["verify"], None, main._fits) == "see: exactperm guide test-vectors"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("test f --colums 2,3", "test f --columns 2,3"),
        ("test f --colums=2,3", "test f --columns=2,3"),
        ("test f --col 2,3", "test f --columns 2,3"),
        ("test f --alternative twosided", "test f --alternative two-sided"),
        ("test f --alternative=two_sided", "test f --alternative=two-sided"),
        ("test f --statistic means", "test f --statistic mean"),
        ("test f --statistic acuracy --midpp", "test f --statistic accuracy --midp"),
        ("compare f --adjust bonferonni", "compare f --adjust bonferroni"),
        ("tset f", "test f"),
        # words that would change the question, and those that overwrite files
        ("compare f --adjust none", "compare f --adjust none"),
        ("test f --alternative one-sided", "test f --alternative one-sided"),
        ("test f --alternative worse", "test f --alternative worse"),
        ("test f --missing zero", "test f --missing zero"),
        ("test f --statistic f2", "test f --statistic f2"),
        ("dist f --forc --s", "dist f --forc --s"),
    ],
)
def test_misspelt_words(typed, meant):
    assert cures.respelled(typed.split(), main._COMMANDS, main._options) == meant.split()


def test_unknown_commands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("f.csv").touch()
    assert cures.respelled(["f.csv", "-h"], main._COMMANDS, main._options) == ["test", "f.csv", "-h"]
    assert cures.respelled(["bootstrap", "f.csv"], main._COMMANDS, main._options) is None
    assert cures.respelled([], main._COMMANDS, main._options) == [""]


@pytest.mark.parametrize(
    ("word", "known", "near"),
    [
        ("run_3", ["run_2"], ""),
        ("run-3", ["run_3"], "run_3"),
        ("Base", ["baseline", "base_2"], ""),
        ("baselin", ["baseline", "other"], "baseline"),
        ("--", ["--id"], ""),
        ("", ["id"], ""),
    ],
)
def test_near_names(word, known, near):
    assert cures.near(word, known) == near


@pytest.mark.parametrize(
    "told", ["dist f --svg victim.txt", "test f --force", "test f --columns A,C", "test f --id '-x y'"]
)
def test_the_check_of_commands_can_fail(told):
    with pytest.raises(AssertionError):
        check_tried(["test", "f"], shlex.split(told), {"A", "B"})


@pytest.mark.parametrize(
    ("options", "settings", "words"),
    [
        ({}, {}, "allow more with --max-seconds and --max-memory"),
        ({"decimals": 2}, {}, "allow more with --max-seconds and --max-memory"),
        ({"decimals": None, "method": "exact"}, {"method": "certified"}, "another question, with another p-value"),
        ({"decimals": 2, "method": "exact", "statistic": "f1_difference"}, {"method": "certified"}, "--max-memory"),
        ({"decimals": 2, "method": "exact", "statistic": "sign"}, {}, "allow more with"),
        ({"decimals": 2, "method": "certified"}, {}, "allow more with"),
    ],
)
def test_refused_work_is_rendered_from_its_fields(options, settings, words):
    error = BudgetExceeded("counting 9 pairs", cure=Cure(words="method=..."))
    message, cure = cures.of_budget(error, Namespace(**options))
    assert message.endswith(": counting 9 pairs")
    assert cure.settings == settings
    assert words in cure.words
