"""The recipes of the specification, each extracted from its page and run."""

import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path
from types import SimpleNamespace

import pytest

from exactperm import (
    PermutationTestResult,
    __version__,
    permutation_test,
    sign_flip_test,
)
from exactperm.cli import main
from exactperm.cli.demo import DARWIN_MAIZE
from exactperm.null.float_result import FloatResult
from tests.workload import paper_workload

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "spec" / "guides" / "recipes.md").read_text(encoding="utf-8")
RECIPES = dict(re.findall(r"^```\w+\n# (\S+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE))
NEW = [0.930, 0.871, 0.902, 0.915, 0.884, 0.893]
OLD = [0.921, 0.866, 0.902, 0.901, 0.887, 0.880]


def executed(name):
    """The names that a recipe in Python defines."""
    names: dict = {}
    exec(RECIPES[name], names)
    return names


def run(folder, *command):
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]),
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
    }
    command = list(map(str, command))
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )


class TestService:
    @pytest.fixture
    def ask(self):
        handler = executed("handler.py")["handler"]

        def asked(question):
            status, text = handler(
                question if isinstance(question, bytes) else json.dumps(question).encode()
            )
            return status, json.loads(text)

        return asked

    def test_an_exact_answer(self, ask):
        """Decimals mean what is written: 0.1 is not 0.10000000000000000001."""
        status, answer = ask({"u": NEW, "v": OLD})
        assert (status, answer["pvalue"]) == (200, "1/8")
        assert PermutationTestResult.from_dict(answer) == permutation_test(NEW, OLD)
        status, answer = ask(
            b'{"u": [0.10000000000000000001, 2], "v": [0.1, 1], "alternative": "greater"}'
        )
        assert (status, answer["statistic"]) == (200, "100000000000000000001/100000000000000000000")

    def test_bad_questions(self, ask):
        deep = b"[" * 10**5 if sys.platform != "emscripten" else b""
        for words, question in {
            "more than 1000000 bytes": b" " * (10**6 + 1),
            "no question: JSONDecodeError": b"{",
            "no question: TypeError": b"[1]",
            "no question: KeyError('v')": {"u": [1]},
            "u has 1 entries": {"u": [1], "v": [1, 2]},
            "u is 1": {"u": 1, "v": [1, 2]},
            "alternative is 'bigger'": {"u": [1], "v": [2], "alternative": "bigger"},
            "u[0] is '1e9999999'": b'{"u": [1e9999999], "v": [1]}',
            "no question": deep,
        }.items():
            status, answer = ask(question)
            assert words in answer["error"]
            assert status == (413 if "bytes" in words else 400)

    @pytest.mark.slow
    def test_a_certified_answer_where_the_exact_one_is_refused(self, ask):
        u, v = [0.1 * n**1.5 for n in range(300)], [0.1 * n**1.6 for n in range(299, -1, -1)]
        status, answer = ask({"u": u, "v": v})
        assert status == 200
        result = FloatResult.from_dict(answer)
        assert result.lower <= result.pvalue <= result.upper


def test_sums():
    """Against the definitions: all outcomes of events, all orders of items, all deals to groups."""
    recipe = executed("sums.py")
    assert recipe["events"](["0.5", "0.1", "1/3"], [2, 3, 5], 7) == Fraction(1, 6) + Fraction(1, 60)
    x, y = [1, 2, 3, 4, 5], [2, 1, 3, 5, 4]
    agreeing = [sum(a < b for a, b in combinations(order, 2)) for order in permutations(range(5))]
    far = sum(abs(pairs - 5) >= 3 for pairs in agreeing)
    assert recipe["kendall"](x, y) == Fraction(far, len(agreeing))
    groups = [[1, 5], [2, 6, 3], [4, 7]]
    found = Counter()
    for deal in permutations([v for group in groups for v in group]):
        parts = deal[:2], deal[2:5], deal[5:]
        found[sum(a < b for one, other in combinations(parts, 2) for a in one for b in other)] += 1
    observed = sum(a < b for one, other in combinations(groups, 2) for a in one for b in other)
    above = sum(number for value, number in found.items() if value >= observed)
    assert recipe["jonckheere"](groups) == Fraction(above, sum(found.values()))


@pytest.mark.slow
def test_r(tmp_path):
    if not shutil.which("Rscript"):
        pytest.skip("R is not installed")
    (tmp_path / "recipe.R").write_text(RECIPES["exactperm.R"], encoding="utf-8")
    (tmp_path / "exactperm").write_text(
        f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m exactperm "$@"\n'
    )
    (tmp_path / "exactperm").chmod(0o755)
    if run(tmp_path, "Rscript", "-e", 'stopifnot(requireNamespace("jsonlite"))').returncode:
        pytest.skip("R with the package jsonlite is not installed")
    done = run(tmp_path, "Rscript", "recipe.R")
    assert done.stdout == "1/8 0.125 \n", done.stderr
    assert "It prints `1/8 0.125`." in PAGE


def test_sql(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with closing(sqlite3.connect("scores.db")) as connection, connection:
        connection.execute("CREATE TABLE scores (language TEXT, new, old)")
        rows = [*(("de", *pair) for pair in zip(NEW, OLD)), ("fr", 1, None)]
        connection.executemany("INSERT INTO scores VALUES (?, ?, ?)", rows)
    assert executed("with_sql.py")["rows"] == [
        ("de", 6, "1/8", 0.125, None),
        ("fr", 1, None, None, "v[0] is None: the value is missing"),
    ]


@pytest.mark.slow
def test_a_copy(tmp_path):
    release = tmp_path / f"exactperm-{__version__}"
    shutil.copytree(
        ROOT / "exactperm", release / "exactperm", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copy(ROOT / "LICENSE", release)
    (tmp_path / "python3").write_text(
        f'#!/bin/sh\nexec env -u PYTHONPATH {shlex.quote(sys.executable)} -S "$@"\n'
    )
    (tmp_path / "python3").chmod(0o755)
    (tmp_path / "vendor.sh").write_text(RECIPES["vendor.sh"], encoding="utf-8")
    done = run(tmp_path, "sh", "-e", "vendor.sh")
    assert (done.stdout, done.stderr) == ("1/4\n", "")
    assert "It prints `1/4`." in PAGE
    assert (tmp_path / "app" / "vendor" / "exactperm" / "LICENSE").exists()


def test_pandas():
    pytest.importorskip("pandas")
    names = executed("with_pandas.py")
    assert names["whole"] == permutation_test(NEW, OLD)
    assert names["documents"] == permutation_test(NEW, OLD, groups=list("aabcdd"))
    assert names["languages"] == {
        "de": permutation_test(NEW[:3], OLD[:3]).pvalue,
        "fr": permutation_test(NEW[3:], OLD[3:]).pvalue,
    }
    assert names["leaderboard"].comparisons[0].result == permutation_test(OLD, NEW)


def test_polars():
    pytest.importorskip("polars")
    names = executed("with_polars.py")
    assert names["whole"] == permutation_test(NEW, OLD)
    assert names["languages"] == {
        "de": Fraction(1, 2),
        "fr": permutation_test(NEW[3:], OLD[3:]).pvalue,
    }


def test_the_assertion(write):
    """Passes for the same systems in their order, fails in the other, and says by which p-value."""
    check = executed("test_evaluation.py")["test_the_new_system_is_not_worse"]
    files, columns = ("new.csv", "old.csv"), paper_workload(4000)
    for order in (1, -1):
        for name, column in zip(files, columns[::order]):
            write("\n".join(["score", *map(str, column)]), name)
        if order == 1:
            check()
    with pytest.raises(AssertionError, match="Significant"):
        check()


@pytest.fixture
def logs(tmp_path):
    """Samples of lm-evaluation-harness 0.4.13 and of Inspect 0.3.285, shortened."""
    stored = json.loads((ROOT / "tests" / "data" / "logs.json").read_text(encoding="utf-8"))
    for name, text in stored.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_two_runs_of_the_harness(logs):
    result = executed("harness_runs.py")["compare"](logs / "base", logs / "new")
    assert (result.n, result.statistic, result.pvalue) == (6, -3, Fraction(1, 4))


def test_two_logs_of_inspect(logs, monkeypatch):
    """As its own reader and writer would hand on these logs, which are JSON already."""
    inspect = SimpleNamespace(
        read_eval_log=lambda path: path,
        write_eval_log=lambda log, path, format: shutil.copy(log, path),
    )
    monkeypatch.setitem(sys.modules, "inspect_ai", SimpleNamespace(log=inspect))
    monkeypatch.setitem(sys.modules, "inspect_ai.log", inspect)
    result = executed("inspect_logs.py")["compare"](logs / "base.json", logs / "new.json")
    assert (result.n, result.statistic, result.pvalue) == (8, -3, Fraction(3, 8))


def test_the_columns_of_ter(tmp_path, capsys):
    pytest.importorskip("sacrebleu")
    references = ["the cat sat on the mat", "a dog barked at the moon", "we like green tea"]
    new = ["the cat sat on a mat", "a dog barked at the moon", "we like tea"]
    old = ["cat sat on mat", "the dog was barking", "we all like the green tea"]
    executed("ter.py")["write"](tmp_path / "ter.csv", new, old, references)
    assert main.main(["test", str(tmp_path / "ter.csv"), "--statistic", "ratio"]) == 0
    assert "difference of ratios of sums" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize(("printed", "status"), [("p = .053", 0), ("p = .052", 0), ("p = .049", 1)])
def test_the_gate(tmp_path, printed, status):
    """A wrong digit passes this gate; a wrong decision does not."""
    *installs, audit = re.findall(r"- run: python3 (.*)", RECIPES[".github/workflows/audit.yml"])
    assert len(installs) == 1 and installs[0].startswith("-m pip install ./exactperm ")
    paper = tmp_path / "paper"
    paper.mkdir()
    (paper / "maize.csv").write_text(
        "\n".join(["difference", *map(str, DARWIN_MAIZE)]), encoding="utf-8"
    )
    (paper / "claims.csv").write_text(f"id,p,data\nmaize,{printed},maize.csv\n", encoding="utf-8")
    done = run(tmp_path, sys.executable, *shlex.split(audit))
    assert done.returncode == status, done.stdout + done.stderr
    assert (tmp_path / "audit.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert sign_flip_test(DARWIN_MAIZE).pvalue == Fraction(863, 16384)


def test_every_recipe_of_the_page_is_run():
    text = Path(__file__).read_text(encoding="utf-8")
    assert [name for name in RECIPES if f'"{name}"' not in text] == []
    assert len(RECIPES) == PAGE.count("```") / 2
