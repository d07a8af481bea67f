"""The same numbers by every road: the command, its record, and Python."""

import contextlib
import io
import json
import os
from fractions import Fraction
from itertools import zip_longest

import pytest

from exactperm import (
    confidence_interval,
    mann_whitney_test,
    permutation_test,
    read_scores,
    two_sample_test,
)
from exactperm.cli import main
from tests import workload
from tests.cli import lines


def kept():
    """Return the words of each command after "exactperm test", and its answer."""
    return map(json.loads, lines.ANSWERS.read_text(encoding="utf-8").splitlines())


def answer(words):
    """Return what a command answers, as exact numbers."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main.main(["test", *words, "--json"]) == 0
    return lines.answer(json.loads(out.getvalue()))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lines")
    for name, text in lines.FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.slow
def test_commands_with_explicit_options_have_the_answers_that_are_kept(folder, monkeypatch):
    monkeypatch.chdir(folder)
    for words, known in kept():
        assert answer(words) == known, words


PLAIN = {"--columns", "--id", "--system", "--score", "--decimal", "--alternative", "--statistic"}


def test_python_reads_and_tests_the_same(folder, monkeypatch):
    """The settings of ``read_scores`` have the names of the options."""
    monkeypatch.chdir(folder)
    compared = 0
    for words, known in kept():
        paths = [word for word in words if "." in word and os.path.exists(word)]
        rest = words[len(paths) :]
        if not {*rest[::2]} <= PLAIN or {"--differences", "--unpaired"} & {*rest}:
            continue
        settings = {name.lstrip("-"): value for name, value in zip(rest[::2], rest[1::2])}
        side = settings.pop("alternative", "two-sided")
        statistic = settings.pop("statistic", "difference")
        if statistic == "difference" and "bracket" not in known:
            u, v = read_scores(*paths, **settings).systems.values()
            result = permutation_test(u, v, alternative=side)
            assert (result.pvalue, str(result.count)) == (Fraction(known["pvalue"]), known["count"])
            compared += 1
    assert compared > 10


def test_the_interval_of_the_command_is_that_of_python(folder, monkeypatch):
    monkeypatch.chdir(folder)
    found = answer(["plain-12-1.csv", "--columns", "a,b", "--interval"])
    u, v = read_scores("plain-12-1.csv", columns="a,b").systems.values()
    ends = confidence_interval(u, v).to_dict()
    assert {name: found[name] for name in lines.ENDS} == {name: ends[name] for name in lines.ENDS}


def test_what_was_read_is_read_back(run, scores):
    """The first and the last item with their cells, the ranges, and who is ahead."""
    record = json.loads(run("test", scores, "-c", "new,old", "--json")[1])
    assert record["first"] == {"id": "a", "cells": {"new": "0.930", "old": "0.91"}}
    assert record["last"] == {"id": "d", "cells": {"new": "0.6", "old": "0.6"}}
    assert record["ranges"] == {"new": ["3/5", "93/100"], "old": ["1/2", "91/100"]}
    assert record["ahead"] == {"system": "new", "other": "old", "by": "17/400"}


X, Y = [12, 15, 11, 18], [9, 10, 12, 8, 7]


def test_two_samples_have_the_answer_of_the_library(run, write):
    """As columns, and as a long table with strata."""
    write("x,y\n" + "".join(f"{x},{y}\n" for x, y in zip_longest(X, Y, fillvalue="")), "wide.csv")
    rows = [
        f"{arm},{i % 2},{value}\n" for arm in "xy" for i, value in enumerate(X if arm == "x" else Y)
    ]
    write("".join(["arm,site,score\n", *rows]), "long.csv")
    strata = [i % 2 for i in range(4)], [i % 2 for i in range(5)]
    for words, expected in (
        ("wide.csv -c x,y", two_sample_test(X, Y)),
        ("wide.csv -c x,y -s wilcoxon", mann_whitney_test(X, Y)),
        ("long.csv --system arm --score score", two_sample_test(X, Y)),
        ("long.csv --system arm --score score --strata site", two_sample_test(X, Y, strata=strata)),
    ):
        record = json.loads(run("test", "--unpaired", *words.split(), "--json")[1])
        assert record["pvalue"] == str(expected.pvalue)


def test_paper_workload_is_the_same_everywhere():
    u, v = workload.paper_workload(1000)
    assert (sum(u), sum(v)) == (12314, 12182)
    assert (u[:8], v[:8]) == ([0, 22, 7, 8, 15, 4, 12, 16], [0, 20, 8, 8, 17, 4, 12, 15])
