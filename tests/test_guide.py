"""The guide is true: every command is run, and its output compared byte for byte, but for times of engines."""

import ast
import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from exactperm.cli import main
from exactperm.examples import EXAMPLES
from exactperm.guide import TOPICS, markdown

PAGE = Path(__file__).resolve().parent.parent / "spec" / "guide.md"
FINDINGS = ("attainable", "audit")
"""Commands whose status says what they found."""


def without_times(text):
    return re.sub(r"^(  time +)[\d.]+ m?s$", r"\1TIME", text, flags=re.MULTILINE)


def commands(text):
    """Yield each command with the output that is shown below it."""
    for command, shown in re.findall(r"^    \$ (.*)\n((?:    (?!\$ ).*\n)*)", text, re.MULTILINE):
        yield command, re.sub("^    ", "", shown, flags=re.MULTILINE)


def printed(command):
    """Run a command of the guide in the present folder and return what a terminal shows."""
    words, _, last = command.partition(" | tail -")
    words, _, target = words.partition(" > ")
    program, *arguments = shlex.split(words)
    out, told = io.StringIO(), io.StringIO()
    if program == "head":
        out.write("".join(Path(arguments[1]).read_text().splitlines(keepends=True)[: int(arguments[0][1:])]))
    else:
        assert program == "exactperm"
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(told):
            assert main.main(arguments) in ((0, 1) if arguments[0] in FINDINGS else (0,))
    if target:
        Path(target).write_text(out.getvalue(), encoding="utf-8")
        return told.getvalue()
    lines = out.getvalue().splitlines(keepends=True)
    return "".join(lines[-int(last) :] if last else lines) + told.getvalue()


@pytest.mark.parametrize("topic", [name for name, (_title, text) in TOPICS.items() if "    $ " in text])
def test_commands_print_what_is_shown(topic, tmp_path, monkeypatch):
    """To renew what is shown: python tests/test_guide.py."""
    if topic == "test-vectors" and sys.platform == "emscripten":
        pytest.skip("emscripten does not support processes")
    monkeypatch.chdir(tmp_path)
    for command, shown in commands(TOPICS[topic][1]):
        assert without_times(printed(command)) == without_times(shown)


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_is_one_screen(topic, capsys):
    title, text = TOPICS[topic]
    assert len(text.splitlines()) <= 40
    assert all(len(line) <= 80 for line in text.splitlines() if not line.startswith("    "))
    assert main.main(["guide", topic]) == 0
    assert capsys.readouterr().out == f"{title}\n{'=' * len(title)}\n\n{text}"


def test_the_first_screen_names_all_topics(capsys):
    assert main.main(["guide"]) == 0
    named = capsys.readouterr().out.partition("The topics are ")[2]
    assert set(re.findall(r"[a-z][a-z-]+", named)) >= TOPICS.keys() - {"start"}


def test_an_unknown_topic_is_told_the_known_ones(capsys):
    assert main.main(["guide", "nonsense"]) == 2
    assert capsys.readouterr().err == (
        f"exactperm: error: the guide has no topic 'nonsense': choose from {', '.join(TOPICS)}\n"
        "exactperm: see: exactperm guide start\n"
    )


def test_the_page_is_the_guide(capsys):
    """To renew it: python tests/test_guide.py."""
    assert main.main(["guide", "--markdown"]) == 0
    assert capsys.readouterr().out == markdown() == PAGE.read_text(encoding="utf-8")


def test_the_page_has_every_line_once():
    page = markdown()
    for title, text in TOPICS.values():
        assert f"## {title} <a id=" in page
        for line in text.splitlines():
            assert f"\n{line[4:] if line.startswith('    ') else line}\n" in page
    assert page.count("```") % 2 == 0


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_the_same_everywhere(name, capsys):
    assert main.main(["example", name]) == 0
    first = capsys.readouterr().out
    assert main.main(["example", name]) == 0
    assert first == capsys.readouterr().out
    assert first.endswith("\n")


def test_unknown_examples(capsys):
    assert main.main(["example", "nonsense"]) == 2
    assert "there is no example 'nonsense': exactperm example scores > scores.csv writes one" in capsys.readouterr().err


def test_help_prints_docstrings(capsys):
    assert main.main(["help", "permutation_test"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("permutation_test(u: ")
    assert "Count" in out
    assert main.main(["help", "difference"]) == 0
    assert main.main(["help"]) == 0
    assert "permutation_test            entries of two systems" in capsys.readouterr().out
    assert main.main(["help", "nonsense"]) == 2
    assert "nothing has the name 'nonsense': exactperm help lists the names" in capsys.readouterr().err


def test_help_finds_words(capsys):
    assert main.main(["help", "wilcoxon"]) == 0
    names = [line.split()[2] for line in capsys.readouterr().out.splitlines()]
    assert names == ["fast_wilcoxon_signed_rank_test", "wilcoxon_signed_rank_test", "two-sided"]
    assert main.main(["help", "bracket"]) == 0  # in no name: in what is said of them
    assert "exactperm help fast_permutation_test " in capsys.readouterr().out
    assert main.main(["help", "footnote"]) == 0
    assert capsys.readouterr().out == f"exactperm guide {'paper':<27} In a paper\n"


def test_the_recipe_for_ter_runs(tmp_path, monkeypatch, capsys):
    """The code of the guide, where sacrebleu is installed."""
    pytest.importorskip("sacrebleu")
    code = "\n".join(line[4:] for line in TOPICS["sacrebleu"][1].splitlines() if line.startswith("    ") or not line)
    refs = ["the cat sat on the mat", "a dog barked at the moon", "we like green tea"]
    new = ["the cat sat on a mat", "a dog barked at the moon", "we like tea"]
    old = ["cat sat on mat", "the dog was barking", "we all like the green tea"]
    monkeypatch.chdir(tmp_path)
    exec(compile(ast.parse(code), "guide", "exec"), {"refs": refs, "new": new, "old": old})
    assert main.main(["test", "ter.csv", "--statistic", "ratio"]) == 0
    assert "difference of ratios of sums" in capsys.readouterr().out


def renew():
    """Write what the commands print now into the guide and its page; times stay where nothing else changed."""
    source = PAGE.parent.parent / "exactperm" / "guide.py"
    text = source.read_text(encoding="utf-8")
    home = os.getcwd()
    for _title, topic in TOPICS.values():
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            for command, shown in commands(topic):
                now = printed(command)
                if without_times(now) != without_times(shown):
                    old, new = (f"    $ {command}\n{re.sub('^(?=.)', '    ', out, flags=re.M)}" for out in (shown, now))
                    text = text.replace(old, new)
            os.chdir(home)
    source.write_text(text, encoding="utf-8")
    subprocess.run([sys.executable, "-m", "exactperm", "guide", "--markdown"], stdout=PAGE.open("w"), check=True)


if __name__ == "__main__":
    renew()
