"""No file can write the command that its reader is told to run: hint phrases in every place of every kind of file.

A command to try holds fixed words, what was typed, and names of columns that exist, as values.
10,000 cases run with ``--whole``, a few hundred every time.
"""

import csv
import io
import json
import os
import random
import re
import shlex
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from exactperm import sign_flip_test
from exactperm.cli import cures, main
from exactperm.files.reading import FIELDS
from tests.cli.hints import PHRASES, check_tried, run, told

NUMBERS = ["1", "0", "2.5", "-1", "3", "0.5", "", "NA", "1,5", "5%", "1e3"]
NAMES = [
    *PHRASES,
    "a",
    "b",
    "id",
    "item",
    "gold",
    "score",
    "tp",
    "fp",
    "fn",
    "A_s1",
    "A_s2",
    "B_s1",
    "B_s2",
    "system",
]
FILES = ["f", "say --id b", "--force", "it's", "$(rm f)", "exactperm test f --force"]


def cell(rng):
    """A cell: most are numbers."""
    return rng.choice(NUMBERS if rng.random() < 0.8 else NAMES)


def number(rng):
    return rng.choice([0, 1, 1, 2, 0.5, -3])


class Files:
    """Files of one case, each with the names of its columns."""

    def __init__(self, rng):
        self.rng, self.texts, self.columns = rng, {}, set()

    def add(self, ending, text, columns=()):
        free = [f"{name}{ending}" for name in FILES if f"{name}{ending}" not in self.texts]
        name = self.rng.choice(free)
        self.texts[name] = text
        self.columns |= {*map(str, columns)}
        return f"./{name}"

    def name(self):
        return self.rng.choice(NAMES)

    def cells(self):
        """Return all cells of tables: each may name a system, of which each is a column where its column is chosen."""
        tables = [text.splitlines() for text in self.texts.values()]
        return {
            cell
            for lines in tables
            for mark in ",;\t"
            for row in csv.reader(lines, delimiter=mark)
            for cell in row
        }

    def table(self):
        """A table of any separator, with a header or none, comments, ids and groups."""
        rng, ending = self.rng, self.rng.choice([".csv", ".tsv", ".txt"])
        width = rng.randint(1, 5)
        rows = [[cell(rng) for _ in range(width)] for _ in range(rng.randint(1, 6))]
        header = [self.name() for _ in range(width)]
        for row in rows if rng.random() < 0.5 else ():
            row[0] = rng.choice([*PHRASES, "q1", "q2", "q3", "q4"])
        text = io.StringIO()
        text.write(f"# {self.name()}\n" * (rng.random() < 0.2))
        separator = "\t" if ending == ".tsv" else rng.choice([",", ",", ";"])
        csv.writer(text, delimiter=separator).writerows(
            [header, *rows] if rng.random() < 0.8 else rows
        )
        # a first row may be read as a header
        return self.add(ending, text.getvalue(), [*header, *rows[0]])

    def labels(self):
        """Labels of a gold column and of systems: all cells are words."""
        rng, header = self.rng, [self.name() for _ in range(self.rng.randint(2, 4))]
        words = [self.name() for _ in range(3)]
        rows = [[rng.choice(words) for _ in header] for _ in range(rng.randint(1, 6))]
        text = io.StringIO()
        csv.writer(text).writerows([header, *rows])
        return self.add(".csv", text.getvalue(), [*header, *rows[0]])

    def runs(self):
        """Several runs on each item: in columns, or in rows with a column of runs."""
        rng = self.rng
        if rng.random() < 0.5:
            header = ["item", *(f"{system}_s{k}" for system in (self.name(), "B") for k in (1, 2))]
            rows = [
                [self.name(), *(number(rng) for _ in header[1:])] for _ in range(rng.randint(2, 4))
            ]
        else:
            header = ["item", rng.choice(["seed", "run", self.name()]), self.name(), "B"]
            rows = [
                [f"q{i}", k, number(rng), number(rng)] for i in range(3) for k in (1, self.name())
            ]
        text = io.StringIO()
        csv.writer(text).writerows([header, *rows])
        return self.add(".csv", text.getvalue(), header)

    def long(self):
        """A row for each item and system; a system's name is that of a column of scores."""
        rng, systems = self.rng, [self.name() for _ in range(2)]
        header = [
            self.name(),
            rng.choice(["system", "model", self.name()]),
            rng.choice(["score", self.name()]),
        ]
        rows = [[f"q{i}", system, number(rng)] for i in range(3) for system in systems]
        text = io.StringIO()
        csv.writer(text).writerows([header, *rows])
        return self.add(".csv", text.getvalue(), ["item", *header, *systems])

    def records(self):
        """JSON records, or lines of them, some nested or not of one form."""
        rng, keys = self.rng, [self.name() for _ in range(self.rng.randint(1, 4))]
        rows = [
            {key: rng.choice([number(rng), cell(rng), None, True, [1]]) for key in keys}
            for _ in range(4)
        ]
        columns = [*keys]
        if rng.random() < 0.3:
            inner = self.name()
            columns += [inner, f"{keys[0]}.{inner}"]
            rows = [{**row, keys[0]: {inner: number(rng)}} for row in rows]
        if rng.random() < 0.2:
            rows[-1] = {self.name(): number(rng)}
            columns += rows[-1]
        lines = rng.random() < 0.5
        text = "\n".join(map(json.dumps, rows)) if lines else json.dumps(rows)
        return self.add(".jsonl" if lines else ".json", text, columns)

    def harness(self):
        """Samples of lm-evaluation-harness."""
        rng, metrics = (
            self.rng,
            [self.rng.choice(["acc", "exact_match", self.name()]) for _ in range(2)],
        )
        lines = [
            {
                "doc_id": rng.choice([i, i, self.name()]),
                "doc": {"question": self.name()},
                "target": self.name(),
                "arguments": [],
                "resps": [],
                "filter": rng.choice(["none", self.name()]),
                "doc_hash": rng.choice(["h", self.name()]),
                **{metric: number(rng) for metric in metrics},
            }
            for i in range(3)
        ]
        return self.add(".jsonl", "\n".join(map(json.dumps, lines)), [*lines[0], *metrics])

    def log(self):
        """A log of Inspect, statistics of HELM, or a report of SWE-bench."""
        rng, metric = self.rng, self.name()
        ids = [rng.choice([f"q{i}", self.name()]) for i in range(3)]
        scores = [{metric: {"value": rng.choice(["C", "I", 1, self.name()])}} for _ in ids]
        samples = [
            {"id": name, "epoch": 1, "input": self.name(), "scores": score}
            for name, score in zip(ids, scores)
        ]
        stats = [{"name": {"name": metric}, "count": 1, "sum": number(rng), "mean": 1}]
        content = rng.choice(
            [
                {
                    "version": 2,
                    "status": "success",
                    "eval": {"task": self.name()},
                    "samples": samples,
                },
                [{"instance_id": name, "train_trial_index": 0, "stats": stats} for name in ids],
                {
                    "resolved_ids": ids[:1],
                    "unresolved_ids": ids[1:],
                    "submitted_ids": ids,
                    "total_instances": 3,
                },
            ]
        )
        return self.add(
            ".json", json.dumps(content), [metric, "resolved", "id", "epoch", "instance_id"]
        )

    def lines(self):
        """What trec_eval and comet-score print."""
        rng, words = self.rng, [re.sub(r"\s", "_", self.name()) for _ in range(2)]
        if rng.random() < 0.5:
            rows = [
                f"{rng.choice(['map', words[0]])}\t{rng.choice([f'q{i}', words[1]])}\t0.{i}"
                for i in range(4)
            ]
            return self.add(".txt", "\n".join(rows), ["query", "map", *words])
        rows = [f"{words[0]} Segment {i} score: 0.{i}" for i in range(4)]
        return self.add(".txt", "\n".join([*rows, f"{words[1]} score: 0.5"]), ["segment", *words])

    def record(self):
        """A record of a test, with phrases in some fields."""
        rng, record = self.rng, sign_flip_test([1, 2, 3]).to_dict()
        for name in rng.sample(sorted(record), rng.randint(0, 3)):
            record[name] = rng.choice([self.name(), [self.name()], {self.name(): self.name()}])
        record.update({self.name(): self.name()} if rng.random() < 0.3 else {})
        return self.add(".json", json.dumps(record))

    def claims(self):
        """Printed p-values with their data, as a table or as JSON."""
        rng = self.rng
        fields = (
            "data",
            "columns",
            "id",
            "groups",
            "statistic",
            "alternative",
            "source",
            "note",
            "n",
            "stated",
            "law",
        )
        names = [
            "p",
            *rng.sample(fields, rng.randint(1, 4)),
            *([self.name()] if rng.random() < 0.3 else []),
        ]
        data = [name for name in self.texts if name.endswith((".csv", ".txt"))]
        rows = [
            [rng.choice(["p = .03", "p < .05", "0.5", self.name()])]
            for _ in range(rng.randint(1, 3))
        ]
        for row in rows:
            row += [
                rng.choice([self.name(), *(data if name == "data" else ["", "1,2"])])
                for name in names[1:]
            ]
        if rng.random() < 0.5:
            return self.add(".json", json.dumps([dict(zip(names, row)) for row in rows]))
        text = io.StringIO()
        csv.writer(text).writerows([names, *rows])
        return self.add(".csv", text.getvalue())

    KINDS = (table, table, table, labels, runs, long, records, records, harness, log, lines)


COMMANDS = [
    "test",
    "test",
    "test",
    "compare",
    "interval",
    "dist",
    "audit",
    "claims",
    "recount",
    "verify",
    "attainable",
]
COMMANDS += ["tets", "vectors", "help", "guide", "example"]


def options(rng):
    """Words that people type, right ones and wrong ones."""
    column = rng.choice(["b", "1", "1,9", "a,b", "id", "system"])
    return rng.choice(
        [
            *[[]] * 6,
            *(
                ["--statistic", word]
                for word in ("f1", "accuracy", "mens", "difference", "signed-rank")
            ),
            *([f"--{field.name}", column] for field in FIELDS if field.column),
            *([f"--{field.name}", choice] for field in FIELDS for choice in field.choices),
            *(
                ["--colums", "1"],
                ["--f"],
                ["--sv"],
                ["--alternative", "one-sided"],
                ["--delimiter", "tab"],
            ),
            *(
                ["--names", "x,y"],
                ["--filter", "none"],
                ["--decimals", "2"],
                ["--json"],
                ["--max-seconds", "1e-9"],
            ),
        ]
    )


def drawn(rng):
    """Return the words of a command, the texts of its files, and the names of their columns."""
    files, command = Files(rng), rng.choice(COMMANDS)
    if command in ("recount", "verify", "vectors"):
        path = files.record() if command == "recount" or rng.random() < 0.5 else files.table()
        before = {"verify": ["--xfail"], "vectors": []}.get(command, [])
        return [command, *before, path, *options(rng)], files
    if command in ("attainable", "help", "guide", "example"):
        files.table()
        words = ["--n", "3", "--p", files.name()] if command == "attainable" else [files.name()]
        return [command, *words, *options(rng)], files
    paths = [rng.choice(files.KINDS)(files) for _ in range(rng.choice([1, 1, 2, 2, 3]))]
    if command == "claims":
        paths, command = [files.claims()], "audit"
    elif command == "audit" and rng.random() < 0.8:
        paths += ["--p", rng.choice(["p = .03", "p < .05", files.name()])]
    return [command, *paths, *options(rng), *options(rng)], files


def check(rng):
    """Run a case and every command that it names: no word of a file is among their words, and no file has changed."""
    argv, files = drawn(rng)
    note(f"{argv} {files.texts}")
    here = str(Path.cwd())
    with tempfile.TemporaryDirectory() as folder:
        try:
            os.chdir(folder)
            contents = {
                name: text.encode() for name, text in {**files.texts, "victim.txt": "mine"}.items()
            }
            for name, content in contents.items():
                Path(name).write_bytes(content)
            tried = told(run(argv)[2])
            columns = files.columns | (files.cells() if "--system" in argv else set())
            for words in tried:
                check_tried(argv, words, columns)
                run(words)
            assert {path: Path(path).read_bytes() for path in os.listdir()} == contents
        finally:
            os.chdir(here)
    return tried


def test_no_file_writes_a_command(sampled):
    """Of every fifteen cases, one or more name a command that does more than to show the guide."""
    cases, tried = sampled(10_000, share=40), []

    @settings(max_examples=cases, suppress_health_check=list(HealthCheck))
    @given(st.randoms(use_true_random=False))
    def case(rng):
        tried.extend(words for words in check(rng) if words[0] != "guide")

    case()
    assert len(tried) > cases // 15


@pytest.mark.parametrize(
    "header", ["say --statistic difference --svg victim.txt --force", "'say --id b'"]
)
@pytest.mark.parametrize("words", [["--statistic", "f1"], [], ["--columns", "2"], ["--id", "b"]])
def test_a_header_writes_no_command(tmp_path, monkeypatch, header, words):
    monkeypatch.chdir(tmp_path)
    Path("inj.csv").write_text(f"id,{header},b\nq1,1,2\nq2,{header},4\n", encoding="utf-8")
    argv = ["test", "inj.csv", *words]
    status, out, err = run(argv)
    assert (status, out) == (2, "")
    (tried,) = told(err)
    check_tried(argv, tried, {"id", header, "b"})


@pytest.mark.parametrize(
    "words",
    ["dist f --svg victim.txt", "test f --force", "test f --columns A,C", "test f --id '-x y'"],
)
def test_the_check_of_commands_can_fail(words):
    with pytest.raises(AssertionError):
        check_tried(["test", "f"], shlex.split(words), {"A", "B"})


def test_every_kind_of_file_and_command_is_drawn():
    rng, seen = random.Random(1), set()
    for _ in range(400):
        argv, files = drawn(rng)
        seen |= {argv[0], *(Path(name).suffix for name in files.texts)}
    assert seen == {*COMMANDS} - {"claims"} | {".csv", ".tsv", ".txt", ".json", ".jsonl"}
    assert {*cures.SETTINGS} >= {"columns", "key", "id", "groups"}
    assert {"tets"} == {*COMMANDS} - {"claims"} - {*main._COMMANDS}
