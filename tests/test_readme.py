"""README.md and CONTRIBUTING.md are true: commands, picture, algorithm and links. (The examples run as doctests.)"""

import re
import shlex
from pathlib import Path

import pytest

from exactperm.cli import demo, main

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(language):
    """The first code block of a language."""
    return re.search(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE).group(1)


def without_times(text):
    return re.sub(r"[\d.]+ m?s$", "TIME", text, flags=re.MULTILINE)


def test_the_commands_do_what_is_shown(tmp_path, monkeypatch, capsys):
    (tmp_path / "scores.csv").write_text(block("csv"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    commands = re.split(r"^\$ exactperm ", block("console"), flags=re.MULTILINE)[1:]
    for command, _, shown in (text.partition("\n") for text in commands):
        arguments, _, target = command.partition(" > ")
        assert main.main(shlex.split(arguments)) == 0
        printed, told = capsys.readouterr()
        if target:
            Path(target).write_text(printed, encoding="utf-8")
            printed = ""
        assert without_times(printed) + told == without_times(shown)
    assert Path("null.svg").read_text(encoding="utf-8").startswith("<svg")


def test_the_picture_is_what_the_command_draws(tmp_path, monkeypatch, capsys):
    """To renew it, save what this command draws as benchmarks/results/null-distribution.svg."""
    monkeypatch.chdir(tmp_path)
    Path("maize.csv").write_text("\n".join(["difference", *map(str, demo.DARWIN_MAIZE)]), encoding="utf-8")
    assert main.main(["dist", "maize.csv", "--alternative", "greater", "--svg", "drawn.svg"]) == 0
    capsys.readouterr()
    assert Path("drawn.svg").read_bytes() == (ROOT / "benchmarks" / "results" / "null-distribution.svg").read_bytes()


def test_the_algorithm_is_that_of_the_reference():
    reference = (ROOT / "exactperm" / "reference.py").read_text(encoding="utf-8").splitlines()
    code = [
        text for text in re.findall(r"^```python\n(.*?)^```$", README, re.DOTALL | re.MULTILINE) if ">>>" not in text
    ]
    lines = [line.strip() for text in code for line in text.splitlines()]
    assert len(lines) == 5
    assert set(lines) <= {line.strip() for line in reference}


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_to_files(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text) if "://" not in link]
    assert [link for link in links if not (ROOT / link).exists()] == []
