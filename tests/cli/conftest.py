"""Run commands in this process, in a fresh folder."""

import pytest

from exactperm.cli import main

SCORES = "id,new,old,doc\na,0.930,0.91,x\nb,0.8,0.85,x\nc,0.7,0.5,y\nd,0.6,0.6,z\n"


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a file of the given text or bytes in a fresh working directory."""
    monkeypatch.chdir(tmp_path)

    def written(content, name="f.csv"):
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return written


@pytest.fixture
def scores(write):
    """Write scores.csv, a file of four items of two systems."""
    return write(SCORES, "scores.csv")


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run a command in that folder: (status, standard output, standard error)."""
    monkeypatch.chdir(tmp_path)

    def ran(*words):
        status = main.main([*words])
        return (status, *capsys.readouterr())

    return ran
