"""The guide is true: every command is run, and its output compared byte for byte, but for times of engines."""

import contextlib
import doctest
import io
import os
import re
import shlex
import tempfile
from pathlib import Path

import pytest

from exactperm.cli import guide, main
from tests.cli.lines import without_times

TOPICS = guide.topics()
PAGE = Path(guide.__file__).with_suffix(".md")
FINDINGS = ("audit",)
"""Commands whose status says what they found."""
NEEDED = {"audit": ("auditing",), "test-vectors": ("testing",)}
"""Wings that topics show."""


def commands(text):
    """Yield each command with the output that is shown below it."""
    for command, shown in re.findall(r"^    \$ (.*)\n((?:    (?!\$ ).*\n)*)", text, re.MULTILINE):
        yield command, re.sub("^    ", "", shown, flags=re.MULTILINE)


def printed(command):
    """Run a command of the guide in the present folder and return what a terminal shows."""
    words, _, last = command.partition(" | tail -")
    words, _, few = words.partition(" | head -")
    words, _, target = words.partition(" > ")
    program, *arguments = shlex.split(words)
    out, told = io.StringIO(), io.StringIO()
    if program == "head":
        out.write(
            "".join(
                Path(arguments[1]).read_text().splitlines(keepends=True)[: int(arguments[0][1:])]
            )
        )
    else:
        assert program == "exactperm"
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(told):
            status = main.main(arguments)
        assert status in ((0, 1) if arguments[0] in FINDINGS else (0,)) or told.getvalue()
    if target:
        Path(target).write_text(out.getvalue(), encoding="utf-8")
        return told.getvalue()
    lines = out.getvalue().splitlines(keepends=True)
    lines = lines[: int(few)] if few else lines[-int(last) :] if last else lines
    return "".join(lines) + told.getvalue()


@pytest.mark.parametrize(
    "topic",
    [
        pytest.param(name, marks=pytest.mark.wing(*NEEDED.get(name, ())))
        for name, (_title, text) in TOPICS.items()
        if "    $ " in text
    ],
)
def test_commands_print_what_is_shown(topic, tmp_path, monkeypatch):
    """To renew what is shown: python tests/cli/test_guide.py."""
    monkeypatch.chdir(tmp_path)
    for command, shown in commands(TOPICS[topic][1]):
        assert without_times(printed(command)) == without_times(shown)


@pytest.mark.slow
def test_the_lines_of_python_are_true():
    """As a terminal shows them."""
    text = TOPICS["power"][1]
    test = doctest.DocTestParser().get_doctest(text, {}, "power", None, None)
    assert doctest.DocTestRunner().run(test) == (0, 2)


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_is_one_screen(topic, capsys):
    title, text = TOPICS[topic]
    assert len(text.splitlines()) <= 48
    assert all(len(line) <= 80 for line in text.splitlines() if not line.startswith("    "))
    assert main.main(["guide", topic]) == 0
    assert capsys.readouterr().out == f"{title}\n{'=' * len(title)}\n\n{text}"


def test_the_first_screen_names_all_topics(capsys):
    assert main.main(["guide"]) == 0
    named = capsys.readouterr().out.partition("The topics are ")[2]
    assert set(re.findall(r"[a-z][a-z-]+", named)) >= TOPICS.keys() - {"start"}


def test_the_page_is_in_the_package_and_has_no_other_sections():
    assert list(TOPICS) == re.findall(
        '^## .* <a id="(.*)"></a>$', PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(TOPICS) >= 11
    assert not any("```" in text or "\n\n\n" in text for _title, text in TOPICS.values())


@pytest.mark.parametrize("name", guide.EXAMPLES_OF_FILES)
def test_examples_are_the_files_of_the_package(name, capsys):
    assert main.main(["guide", name]) == 0
    assert capsys.readouterr().out == (PAGE.parent / "examples" / name).read_text(encoding="utf-8")


WORDS = {
    "permutation_test": [
        "permutation_test(u: ",
        "statistic: 'Statistic' = difference",
        "Test exact",
    ],
    "difference": ["difference\n\n"],
    "names": ["permutation_test            entries of two systems"],
    "signed_rank": ["exactperm guide wilcoxon_signed_rank_test"],
    "bracket": ["exactperm guide fast_permutation_test "],
    "majority": ["exactperm guide runs   "],
}


@pytest.mark.parametrize("word", WORDS)
def test_names_of_the_library_and_words_are_found(word, capsys):
    assert main.main(["guide", word]) == 0
    out = capsys.readouterr().out
    assert all(text in out for text in WORDS[word])
    assert "at 0x" not in out
    assert "built-in" not in out


def renew():
    """Write what the commands print now into the guide; times stay where nothing else changed."""
    text = PAGE.read_text(encoding="utf-8")
    home = os.getcwd()
    for _title, topic in TOPICS.values():
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            for command, shown in commands(topic):
                now = printed(command)
                if without_times(now) != without_times(shown):
                    text = text.replace(f"$ {command}\n{shown}", f"$ {command}\n{now}")
            os.chdir(home)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    renew()
