"""README.md and CONTRIBUTING.md are true: commands, picture, algorithm and links. (The examples run as doctests.)"""

import re
import shlex
from pathlib import Path

import pytest

from exactperm.cli.commands import WINGS
from exactperm.cli.guide import example
from tests.cli.lines import without_times
from tests.sizes import PACKAGE, code_size
from tests.wings import here

ROOT = Path(__file__).resolve().parent.parent
README, CONTRIBUTING = (
    (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "CONTRIBUTING.md")
)


def blocks(language):
    """Return the code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def needing(text):
    """A block of commands, which needs the wings of its commands."""
    needed = [
        wing for name, found in WINGS.items() if f"exactperm {name}" in text for wing in found
    ]
    return pytest.param(text, marks=pytest.mark.wing(*needed))


@pytest.fixture
def reader(write, tmp_path):
    """What a reader has: the file of scores, and the tests."""
    write(blocks("csv")[0], "scores.csv")
    (tmp_path / "tests").symlink_to(ROOT / "tests")


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("text", [*map(needing, blocks("console"))])
def test_the_commands_do_what_is_shown(run, text):
    for command, _, shown in (
        part.partition("\n") for part in re.split(r"^\$ exactperm ", text, flags=re.MULTILINE)[1:]
    ):
        status, printed, told = run(*shlex.split(command))
        # audits find something
        assert (status == 0) == command.startswith("test")
        assert not shown or without_times(printed) + told == without_times(shown)


@pytest.mark.usefixtures("reader")
def test_the_commands_in_the_text_run_as_typed(write, run):
    """In the order of the text; words in capitals and R stand for what a reader has."""
    records = [f'{{"doc_id": {i}, "acc": {i % 2}}}\n' for i in range(4)]
    write(example("systems.csv"), "systems.csv")
    write("".join(records), "new.jsonl")
    write("".join([*records[1:], '{"doc_id": 0, "acc": 1}\n']), "old.jsonl")
    typed = re.findall(r"`exactperm ([^`]*)`", README.replace("\n", " "))
    typed = [line for line in typed if not re.search(r"[A-Z]{4}|Rscript", line)]
    assert len(typed) >= 8
    for line in (line for line in typed if all(map(here, WINGS.get(line.split()[0], ())))):
        _status, printed, told = run(*shlex.split(line))
        assert (printed + "\n").strip() or "--output" in line, line
        assert "error" not in told, line


def test_the_size_of_the_reference():
    told = re.search(r"reference.py\), (\d+) lines of code", README)
    assert int(told[1]) == code_size((PACKAGE / "reference.py").read_text(encoding="utf-8"))[0]


def test_the_picture_is_what_the_command_draws(tmp_path, run):
    """To renew it, save what this command draws as benchmarks/results/null-distribution.svg."""
    maize, drawn = ROOT / "tests" / "data" / "audit" / "darwin.csv", tmp_path / "drawn.svg"
    words = ["test", str(maize), "--columns", "1,2"]
    assert run(*words, "--picture", str(drawn))[0] == 0
    assert (
        drawn.read_bytes()
        == (ROOT / "benchmarks" / "results" / "null-distribution.svg").read_bytes()
    )


def test_the_algorithm_is_that_of_the_reference():
    reference = (ROOT / "exactperm" / "reference.py").read_text(encoding="utf-8").splitlines()
    code = [
        text
        for text in re.findall(r"^```python\n(.*?)^```$", CONTRIBUTING, re.DOTALL | re.MULTILINE)
        if ">>>" not in text
    ]
    lines = [line.strip() for text in code for line in text.splitlines()]
    assert len(lines) == 5
    assert set(lines) <= {line.strip() for line in reference}


@pytest.mark.parametrize(
    "name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "benchmarks/README.md"]
)
def test_links_lead_to_files(name):
    path = ROOT / name
    links = [
        link
        for link in re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text(encoding="utf-8"))
        if "://" not in link
    ]
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_the_readme_is_read_to_the_end():
    assert len(README.encode()) <= 9 * 1024
    for page in (
        README,
        *(path.read_text(encoding="utf-8") for path in (ROOT / "spec").glob("*.md")),
    ):
        assert "pip install exactperm" not in page  # no index has it
