"""What ``save`` and ``verify`` hand to the kit, and what they print of its answer."""

import json
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace

import pytest

from exactperm.files import saving
from exactperm.testing import program, report, runner, vectors


@pytest.fixture
def made(tmp_path, monkeypatch):
    """Replace what makes files by notes of its arguments, in a fresh folder."""
    monkeypatch.chdir(tmp_path)

    def noted(*words, **options):
        return repr((words[:1], options)).encode()

    monkeypatch.setattr(saving, "bundle", noted)
    monkeypatch.setattr(vectors, "packed", noted)
    return noted


def test_save_hands_its_options_on(run, made):
    every = {"vectors": True, "compiled": True}
    for words, given, options in (
        (("program", "b.pyz", "--compiled", "--with-vectors"), (), every),
        (("vectors", "w.zip", "--vectors", "mine"), ("mine",), {}),
    ):
        content = made(*given, **options)
        status, out, err = run("save", *words)
        assert (status, err, Path(words[1]).read_bytes()) == (0, "", content)
        digest = sha256(content).hexdigest()
        assert out == f"{words[1]}: {len(content)} bytes, SHA-256 {digest}\n"


def test_verify_hands_its_options_on(run, write, monkeypatch):
    found = SimpleNamespace(status=1, told="text")
    asked = []

    def noted(command, **options):
        asked.append((command, options))
        return found

    monkeypatch.setattr(runner, "verify", noted)
    monkeypatch.setattr(report, "text", lambda each: each.told)
    monkeypatch.setattr(report, "json_dict", lambda each: {"told": each.told})
    write("F0001  # known\n\n  S00*  \n", "known.txt")
    assert run("verify", "--self") == (1, "text\n", "")
    options = "--run A,B --calls x,y --xfail known.txt --timeout 2 --json"
    status, out, _err = run("verify", *options.split(), "--", "node", "a.js")
    assert (status, json.loads(out)) == (1, {"told": "text"})
    run("verify", "--python", "module:function")
    (own, first), (script, second), (python, _third) = asked
    expected = program.own(), ["node", "a.js"], program.python("module:function")
    assert (own, script, python) == expected
    assert (first["only"], first["calls"], first["known"]) == ((), None, ())
    assert (second["only"], second["calls"], second["seconds"]) == (["A", "B"], ["x", "y"], 2)
    assert second["known"] == ["F0001", "S00*"]


def test_vectors_are_listed(run):
    some = run("verify", "--list", "--run", "M0001,F0001")[1].splitlines()
    assert sum(int(line.split()[0]) for line in some) == 2
    assert json.loads(run("verify", "--show", "M0001")[1])["id"] == "M0001"
