"""How the command leaves: streams that fail, interrupts, files to save, and what a terminal may show."""

import io
import os
import re
import runpy
import signal
import subprocess
import sys
from argparse import ArgumentTypeError
from pathlib import Path

import pytest

import exactperm
from exactperm.cli import commands
from exactperm.cli import main as cli
from exactperm.cli.commands import READERS

ROOT = Path(exactperm.__file__).parent.parent
TWO = ["--columns", "new,old"]


def command(*words, **options):
    """Run the command as users do, in a process of its own."""
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "COVERAGE_PROCESS_START": ""}
    words = [sys.executable, "-m", "exactperm", *words]
    return subprocess.run(words, capture_output=True, timeout=60, check=False, env=env, **options)


class Full(io.StringIO):
    """Standard output on a full disk, or into a pipe that nobody reads any more."""

    def __init__(self, error, descriptor=None, at="write"):
        super().__init__()
        self.error, self.descriptor, self.at = error, descriptor, at

    def write(self, text):
        if self.at == "write":
            raise self.error
        return len(text)

    def flush(self):
        if self.at == "flush":
            raise self.error

    def fileno(self):
        return self.descriptor


FULL = OSError(28, "No space left on device")


@pytest.mark.parametrize(
    ("error", "at", "said"),
    [
        (FULL, "write", "cannot write to standard output: No space left on device"),
        (FULL, "flush", "cannot write to standard output: No space left on device"),
        (OSError("odd"), "write", "cannot write to standard output: odd"),
        (OSError(5, "Input/output error", "s.csv"), "write", "s.csv: Input/output error"),
    ],
)
def test_full_disk(run, scores, error, at, said):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", Full(error, at=at))
        status, _out, err = run("test", scores, *TWO)
    assert (status, err) == (2, f"exactperm: error: {said}\n")


@pytest.mark.parametrize("stream", [Full(FULL), None])
def test_standard_error_that_takes_no_messages(monkeypatch, capsys, stream):
    monkeypatch.setattr("sys.stderr", stream)
    assert cli.main(["test", "missing.csv"]) == 2
    assert capsys.readouterr().out == ""


def test_closed_pipe(scores, tmp_path, monkeypatch):
    with open(tmp_path / "out", "w") as file:
        monkeypatch.setattr("sys.stdout", Full(BrokenPipeError(), file.fileno()))
        assert cli.main(["test", scores, *TWO]) == 0
        monkeypatch.undo()
        os.write(file.fileno(), b"swallowed")
    assert (tmp_path / "out").read_bytes() == b""


def test_interrupt(run, monkeypatch):
    def interrupted(*_words, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("exactperm.files.sources.read_files", interrupted)
    assert run("test", "f") == (130, "", "exactperm: interrupted\n")


@pytest.mark.parametrize("stream", [io.StringIO(), None])
def test_script_and_module(capsys, monkeypatch, stream):
    """The entry point leaves with the status; streams without ``reconfigure`` are left as they are."""
    monkeypatch.setattr("sys.argv", ["exactperm", "--version"])
    if stream is not None:
        monkeypatch.setattr("sys.stdout", stream)
    with pytest.raises(SystemExit) as stop:
        runpy.run_module("exactperm", run_name="__main__")
    assert stop.value.code == 0
    assert (stream.getvalue() if stream else capsys.readouterr().out).startswith("exactperm ")


def test_script_shows_what_the_terminal_cannot(write):
    write("u,v\n1,2\n1,3\n", "ü.csv")
    for name, status in (("ü.csv", 0), ("missing ü", 2)):
        streams = [io.TextIOWrapper(io.BytesIO(), encoding="ascii") for _ in range(2)]
        with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as stop:
            patch.setattr("sys.stdout", streams[0])
            patch.setattr("sys.stderr", streams[1])
            patch.setattr("sys.argv", ["exactperm", "test", name, "--columns", "1,2"])
            cli.script()
        said = b"".join(stream.detach().getvalue() for stream in streams)
        assert stop.value.code == status
        assert b"\\xfc" in said


def test_process_reads_standard_input_and_reports_mistakes():
    done = command(
        "test", "-", "--decimal", "comma", input="\ufeffu;v\r\n0,5;0,25\r\n0,75;1\r\n".encode()
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"standard input: u, v" in done.stdout
    done = command("test", "-", "--columns", "u,v", input=b"u,v\n1,x\n")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"exactperm: error: standard input, line 2" in done.stderr


def test_process_into_a_pipe_that_closes(write):
    """More output than a pipe holds; the reader takes one line and leaves."""
    name = str(Path(write("d\n" + "1\n" * 2000)).resolve())
    words = ["test", name, "--differences", "--distribution", "-"]
    with subprocess.Popen(
        [sys.executable, "-m", "exactperm", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT,
    ) as process:  # fmt: skip
        assert process.stdout.readline().startswith(b"value,")
        process.stdout.close()
        assert process.stderr.read().startswith(b"exactperm: data: ")
    assert process.returncode == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.skipif(sys.implementation.name == "pypy", reason="PyPy restarts the read")
def test_process_is_interrupted(tmp_path):
    """The named pipe opens when the command has begun to read it: the signal comes in the middle of the work."""
    fifo = tmp_path / "scores"
    os.mkfifo(fifo)
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"from exactperm.cli.main import main; sys.exit(main(['test', {str(fifo)!r}]))"
    )
    with (
        subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, cwd=ROOT) as process,
        open(fifo, "w"),
    ):
        process.send_signal(signal.SIGINT)
        err = process.stderr.read()
    assert (process.returncode, err) == (130, b"exactperm: interrupted\n")


@pytest.mark.parametrize(
    ("command", "wing"), [("audit", "auditing"), ("verify", "testing"), ("save", "web")]
)
def test_a_copy_without_a_wing_has_the_other_commands(command, wing, run, monkeypatch):
    def lost(name):
        raise ModuleNotFoundError(f"No module named {name}", name=f"exactperm.{wing}")

    monkeypatch.setattr("importlib.import_module", lost)
    status, out, err = run(command)
    assert (status, out) == (2, "")
    assert f"this copy of exactperm is without {wing}" in err
    assert commands.options_of(command) == {}
    with pytest.raises(ModuleNotFoundError):
        commands.module_of("demo")


# ------------------------------------------------------------------------------------ saved files

SAVED = [
    (("--picture", "x"), "<svg"),
    (("--distribution", "x"), "value,count"),
    (("-o", "x"), "{\n"),
    (("--certificate", "x"), "{\n"),
]


@pytest.mark.parametrize(("words", "start"), SAVED)
def test_a_file_is_overwritten_by_force_only_and_never_the_input(run, scores, write, words, start):
    asked = ["test", scores, *TWO, *words]
    assert run(*asked)[0] == 0
    assert Path("x").read_text().startswith(start)
    write("mine", "x")
    status, out, err = run(*asked)
    assert (status, out) == (2, "")
    assert "it exists; say --force to overwrite it" in err
    assert Path("x").read_text() == "mine"
    assert run(*asked, "--force")[0] == 0
    over = [scores if word == "x" else word for word in asked]
    assert run(*over, "--force")[0] == 2
    assert Path(scores).read_text().startswith("id,new")


def test_pictures_and_distributions_go_to_standard_output_alone(run, scores):
    status, out, err = run("test", scores, *TWO, "--picture", "-")
    assert (status, out[:4], out[-7:]) == (0, "<svg", "</svg>\n")
    assert "data: scores.csv" in err
    status, out, _err = run("test", scores, *TWO, "--distribution", "-")
    assert (status, out.split("\n")[0][:12]) == (0, "value,count,")
    assert run("compare", scores, *TWO, "--picture", "-")[1].startswith("<svg")


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs an endless file")
@pytest.mark.parametrize("command", ["test", "compare", "recount"])
def test_endless_files_are_left(run, command):
    status, out, err = run(command, "/dev/zero", "--max-input", "3M")
    assert (status, out) == (2, "")
    assert "/dev/zero has more than 3145728 bytes; allow more with --max-input" in err


EVIL = "\x1b]0;evil\x07\x9b31m"


@pytest.mark.parametrize(
    "words",
    [
        ("test", "f\x1b.csv"),
        ("test", "f\x1b.csv", "--method", "certified"),
        ("test", "f\x1b.csv", "--json"),
        ("test", "f\x1b.csv", "--columns", EVIL),
        ("test", "f\x1b.csv", "--columns", "x\x1b"),
        ("test", "f\x1b.csv", "--statistic", "accuracy"),
        ("test", "f\x1b.csv", "another\x1b"),
        ("test", "missing\x1b"),
        ("test", "f\x1b.csv", "--picture", "-"),
        ("compare", "f\x1b.csv", "--columns", "all"),
        ("compare", "f\x1b.csv", "--columns", "all", "--json"),
        ("recount", "f\x1b.csv"),
        ("bad\x1b",),
    ],
)
def test_control_characters_never_reach_the_terminal(run, write, words):
    write(f"{EVIL},v\n1,3\n2,5\n", "f\x1b.csv")
    _status, out, err = run(*words)
    assert out + err
    assert all(c == "\n" or c.isprintable() for c in out + err)


# ------------------------------------------------------------------------------------ values

READ = {
    ("SIZE", "2k"): 2048,
    ("SIZE", "500M"): 500 * 2**20,
    ("SIZE", "9" * 19): 10**19 - 1,
    ("SECONDS", "0.5"): 0.5,
    ("DIGITS", "000000001"): 1,
    ("COUNT", "10000000"): 10_000_000,
    ("B,C", "9, 1"): (9, 1),
    ("STATISTIC", "Wilcoxon"): "wilcoxon",
    ("METHOD", "BH"): "fdr_bh",
}
REFUSED = {
    "SIZE": ("0", "2X", "-1", "9" * 20),
    "SECONDS": ("0", "-1", "x", "nan"),
    "DIGITS": ("0", "100001", "1.5"),
    "B,C": ("9",),
    "STATISTIC": ("signed-rank", "sum"),
    "METHOD": ("none",),
    "LEVEL": ("1.5", "0", "x"),
    "SHIFT": ("x", "1/0"),
}


def test_values_are_read():
    assert {(kind, word): READERS[kind](word) for kind, word in READ} == READ


def test_other_values_are_refused():
    for kind, words in REFUSED.items():
        for word in words:
            with pytest.raises(ArgumentTypeError, match=re.escape(repr(word))):
                READERS[kind](word)
