"""What mends an error on the command line."""

from argparse import Namespace
from pathlib import Path

import pytest

from exactperm.cli import cures, main
from exactperm.errors import BudgetExceeded, Cure


@pytest.mark.parametrize(
    ("cure", "said", "tried"),
    [
        (Cure({"columns": "A,B"}), "say --columns A,B", ["test", "f", "--columns", "A,B"]),
        (
            Cure({"columns": '"it\'s",B'}),
            "say --columns '\"it'\"'\"'s\",B'",
            ["test", "f", "--columns", '"it\'s",B'],
        ),
        (Cure({"columns": "-a"}), "say --columns=-a", ["test", "f", "--columns=-a"]),
        (
            Cure({"id": "q"}, command="compare"),
            "say exactperm compare --id q",
            ["compare", "f", "--id", "q"],
        ),
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
    assert (
        cures.render(Cure(words="allow to overwrite it"), "exists") == "say --force to overwrite it"
    )
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
    assert cures.mended(argv, cure, main._options) == [
        "compare",
        "f",
        "--key",
        "a",
        "--columns",
        "A,B",
    ]
    assert cures.mended(argv, None, main._options) is None


def test_only_commands_that_parse_and_can_be_shown_are_tried():
    def line(change):
        return cures.line(["test", "f"], change, main._fits)

    assert line(["test", "f", "--columns", "A"]) == "try: exactperm test f --columns A"
    for words in (
        None,
        [],
        ["test", "f"],
        ["test", "f", "--nothing"],
        ["test", "f", "--help"],
        ["test", "a\nb"],
    ):
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
    assert cures.respelled(["f.csv", "-h"], main._COMMANDS, main._options) == [
        "test",
        "f.csv",
        "-h",
    ]
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
    ("options", "settings", "words"),
    [
        ({}, {}, "allow more with --max-seconds and --max-memory"),
        ({"decimals": 2}, {}, "allow more with --max-seconds and --max-memory"),
        (
            {"decimals": None, "method": "exact"},
            {"method": "certified"},
            "another question, with another p-value",
        ),
        (
            {"decimals": 2, "method": "exact", "statistic": "f1_difference"},
            {"method": "certified"},
            "--max-memory",
        ),
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
