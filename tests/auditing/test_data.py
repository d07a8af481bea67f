"""Data of claims: columns, files, missing values, orientation and shift."""

import os
import random
from ast import literal_eval
from contextlib import suppress
from fractions import Fraction
from functools import partial
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm import f1_difference, permutation_test
from exactperm.auditing import facts
from exactperm.auditing.audit import audit_claim
from exactperm.auditing.axes import AXES
from exactperm.auditing.claim import Claim
from exactperm.auditing.data import content
from exactperm.auditing.data import sample_of as read_sample
from exactperm.auditing.facts import Allowance
from exactperm.errors import BudgetExceeded, ExactPermError
from exactperm.files import question, sources
from exactperm.null import brackets, joint


def sample(**fields):
    return read_sample(Claim(p="1", **fields))


MISSING = [["1", None, "3", float("nan")], ["0", "1", "NA", "2"]]
TURNED = {"orientation": "second-first"}


# fields | differences
MEMORY = """
{"data": [[5, 7], [1, 2]], "mu": "1"} | 3 4
{"data": [[5, 7], [1, 2]], "mu": "1", "orientation": "second-first"} | -5 -6
{"data": [[5, 7], [1, 2]], "mu": "-3", "orientation": "second-first"} | -1 -2
{"data": (5, "1/2", True)} | 5 1/2 1
{"data": {"a": [1], "b, c": [4]}, "columns": '"b, c",a'} | 3
{"data": [["0.35", "1"], ["0.25", "0.04"]], "decimals": 1} | 1/5 1
{"data": [["1", None, "3"], ["0", "1", "NA"]], "missing": "drop"} | 1
{"data": [[1], [0]], "missing": "drop"} | 1
{"data": {"g": ["x", "y", "x"], "u": [3, 1, 2], "v": [1, 2, 0]}, "groups": "g", "mu": "1/2", "orientation": "second-first"} | -5 1/2
{"data": [[3, 1, 4], [1, 1, 2]]} | 2 0 2
"""


def test_columns_in_memory():
    """H0 is: the difference in the stated orientation is mu. A last row is no total."""
    for row in MEMORY.strip().splitlines():
        fields, _, differences = row.partition(" | ")
        found = sample(**literal_eval(fields)).differences
        assert found == tuple(map(Fraction, differences.split())), row
    dropped = sample(data=MISSING, missing="drop")
    assert dropped.notes == ("3 of 4 pairs left out: a value is missing",)
    assert (dropped.dropped, sample(data=[[1], [0]], missing="drop").notes) == (3, ())


# fields | words of the message
UNREADABLE = """
{"data": [["1", None], ["0", "1"]]} | line 2, column column 1: a value is missing
{"data": [[None], [0]], "missing": "drop"} | no item is left
{"data": [[1, 2], [0]], "missing": "drop"} | paired
{"data": [["a", "b"], ["a", "b"], ["a"]], "statistic": "accuracy"} | paired
{"data": {"u": [1, 2], "v": [1, 2], "g": ["x"]}, "groups": "g"} | paired
{"data": {"u": [1], "g": ["x"]}, "groups": "g", "statistic": "f1"} | which hold tp
{"counts": (10000000000, 1)} | counts[0] is
{"data": [[1], [2]], "columns": "u,v"} | only a file or a mapping has names
{"data": 5} | data is
{"data": True} | data is
{"data": b"x"} | data is
{"data": {1, 2}} | data is
{"data": {"a": [1]}, "columns": "a,b"} | no column is named 'b'
{"data": [[1, 2], [0, 1]], "statistic": "mcnemar"} | McNemar's test needs
{"data": [[1], [2], [3]]} | but a test compares two
{"data": [[[1, 0], [1]], [[0], [1]]], "statistic": "mcnemar"} | data has several runs of each item
{"data": [[[1, 0], []], [[0], [1]]]} | the item has runs of one system only
{"data": [[[1, 0], ["x"]], [[0], [1]]]} | u[1][0]
"""


def test_data_that_cannot_be_read():
    for row in UNREADABLE.strip().splitlines():
        fields, _, message = row.partition(" | ")
        with pytest.raises(ExactPermError) as caught:
            sample(**literal_eval(fields))
        assert message in str(caught.value), row
    empty = ([], [[]], [[1], 2], {}, {"a": 3}, [[[1]], [2, [3]]], {"u": "abc"}, [None], [{}])
    for odd in (*empty, ["1\n2", 3], ["\ud800"], [10**5000], [object()]):
        assert audit_claim({"p": "1", "data": odd}).heap == "unreadable", odd


def test_other_statistics_are_turned_and_counts_are_never_written_out():
    columns = [[3, 2], [1, 0], [1, 2], [1, 2]]
    first, turned = [sample(data=columns, statistic="f1", **more) for more in ({}, TURNED)]
    assert (first.u, first.v) == (turned.v, turned.u)
    many = sample(counts=(10**7, 1), statistic="mcnemar", orientation="second-first")
    assert (many.signs, many.n, many.n_nonzero) == ((1, 10**7), 10**7 + 1, 10**7 + 1)


# name | text
FILES = r"""
d.txt | 1\n-2\n3\n
e.txt | 1\nNA\n1\n
broken.txt | 1,x\n2\n
r.jsonl | {"id": 1, "u": 1, "v": 0}\n{"id": 2, "u": 0, "v": 3}\n
a.jsonl | {"id": "x", "m": {"acc": 1}}\n{"id": "y", "m": {"acc": 0.5}}\n
b.jsonl | {"id": "y", "m": {"acc": 1}}\n{"id": "x", "m": {"acc": 0}}\n
comma.csv | u;v\n0,5;0,25\n
one.csv | 1,5\n2,5\n
bar.csv | 1%5\n2%5\n
header.csv | 1\n2\n
comment.csv | # 1\n2\n
labels.csv | g,u,v\n#,#,a\nb,b,a\n
table.csv | approved,not\n794,150\n86,570\n
scores.csv | u,v\n1,0\n1,1\n0,1\n
groups.csv | g,u,v\nx,3,1\ny,1,2\nx,2,0\n
"""
# name | fields | differences, or the number of items, or words of the message
READ = """
d.txt | {} | 1 -2 3
d.txt | {"mu": "1"} | 0 -3 2
d.txt | {"second": "e.txt", "missing": "drop"} | 0 2
a.jsonl | {"second": "b.jsonl", "columns": "m.acc", "join": "id"} | 1 -1/2
comma.csv | {"decimal": "comma"} | 1/4
one.csv | {"decimal": "comma"} | 3/2 5/2
bar.csv | {"delimiter": "%", "header": "no", "columns": "1,2"} | -4 -3
header.csv | {"header": "yes"} | 2
comment.csv | {"comments": "yes"} | 2
scores.csv | {"statistic": "mcnemar"} | 1 0 -1
groups.csv | {"columns": "u,v", "groups": "g", "mu": "1/2", "orientation": "second-first"} | -5 1/2
labels.csv | {"statistic": "accuracy", "columns": "g,u,v", "comments": "yes"} | n = 1
labels.csv | {"statistic": "accuracy", "columns": "g,u,v", "comments": "no"} | n = 2
table.csv | {"statistic": "mcnemar", "columns": "approved,not"} | McNemar's test needs
d.txt | {"second": "e.txt"} | e.txt, line 2
"""


@pytest.fixture
def folder(tmp_path):
    for row in FILES.strip().splitlines():
        name, _, text = row.partition(" | ")
        (tmp_path / name).write_text(text.replace(r"\n", "\n"), encoding="utf-8")
    return tmp_path


def test_files_are_read_as_the_claim_says(folder):
    store = partial(read_sample, read=partial(content, folder, folder), known={})
    for row in READ.strip().splitlines():
        name, fields, expected = row.split(" | ")
        try:
            found = store(Claim(p="1", data=name, **literal_eval(fields)))
        except ExactPermError as error:
            assert expected in str(error)
            continue
        told = " ".join(map(str, found.differences or ())) or f"n = {found.n}"
        assert told == expected, row
    both = store(Claim(p="1", data="d.txt", second="e.txt", missing="drop"))
    assert (both.dropped, len(both.sha256)) == (1, 2 * 64 + 1)
    assert "d.txt, e.txt, missing: 1 of 3 items left out" in both.notes


def test_files_are_read_once_for_all_claims(folder, monkeypatch):
    """Neither a file nor an error is worked out again; other columns are another question."""
    store = partial(read_sample, read=partial(content, folder, folder), known={})
    calls = []
    for where, name in ((sources, "read_bytes"), (question, "tables_of")):
        real = getattr(where, name)

        def noted(*words, f=real, n=name, **more):
            calls.append(n)
            return f(*words, **more)

        monkeypatch.setattr(where, name, noted)
    for name, fields, new in (
        ("d.txt", {}, "read_bytes tables_of tables_of"),  # as scores, and as differences
        ("d.txt", {"mu": "1"}, ""),
        ("none.txt", {}, "read_bytes"),
        ("none.txt", {"mu": "1"}, ""),
        ("broken.txt", {}, "read_bytes tables_of"),
        ("broken.txt", {"mu": "1"}, ""),
        ("r.jsonl", {"columns": "u,v"}, "read_bytes tables_of"),
        ("r.jsonl", {"columns": "v,u"}, "tables_of"),
        ("r.jsonl", {"columns": "u,v", "mu": "1"}, ""),
    ):
        calls.clear()
        with suppress(ExactPermError):
            store(Claim(p="1", data=name, **fields))
        assert calls == new.split(), (name, fields)


def test_names_that_lead_out_are_refused(folder):
    inside = folder / "inside"
    (inside / "sub").mkdir(parents=True)
    names = ["../d.txt", "sub/../../d.txt", "/etc/hostname", "a\0b", "x" * 5000, "sub"]
    if hasattr(os, "symlink"):
        (inside / "link.txt").symlink_to(folder / "d.txt")
        names.append("link.txt")
    if hasattr(os, "mkfifo"):
        os.mkfifo(inside / "pipe")  # which is not waited for
        names.append("pipe")
    for name in names:
        with pytest.raises(ExactPermError):
            read_sample(Claim(p="1", data=name), partial(content, inside, inside))
    allowed = partial(content, folder / "elsewhere", folder)
    assert read_sample(Claim(p="1", data=str(folder / "d.txt")), allowed).n == 3


def test_groups_of_ratios_keep_their_labels():
    counts = {"a": [3, 2, 1], "b": [1, 0, 2], "c": [1, 2, 0], "d": [1, 2, 2], "g": ["x", "y", "x"]}
    grouped = sample(data=counts, groups="g", statistic="f1")
    u = [(3, 1), (2, 0), (1, 2)]
    v = [(1, 1), (2, 2), (0, 2)]
    expected = permutation_test(u, v, statistic=f1_difference, groups=["x", "y", "x"]).pvalue
    found = grouped.facts("f1", "", Allowance()).value("exact", "two-sided")
    assert (grouped.n, *found) == (2, expected, expected)


def test_differences_of_doubles():
    found = sample(data=[["0.3", 0], ["0.2", "0.1"]])
    assert found.in_doubles == (Fraction(0.3 - 0.2), Fraction(-0.1))
    assert found.may_lose_ties
    far = sample(data=[["1e400", "2"], ["0", "1"]])
    assert (far.in_doubles, far.may_lose_ties) == (None, False)


counts = st.tuples(*[st.integers(0, 3)] * 4)


@given(
    st.lists(counts, min_size=2, max_size=6),
    st.sampled_from(["f1", "precision", "recall", "ratio"]),
)
def test_brackets_of_ratios_hold_the_exact_values(rows, statistic):
    """Under all tails and boundaries."""
    rows = [tuple(max(1, x) for x in row) if statistic == "ratio" else row for row in rows]
    one = sample(data=[*map(list, zip(*rows))], statistic=statistic)
    known = one.facts(statistic, "", Allowance())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(facts, "SOON", 1e-9)
        patch.setattr(joint, "tails", refuse)
        found = facts.of_entries((one.u, one.v), one.rule, None, one.n, Allowance())
    for tail, boundary in product(AXES["tail"], AXES["boundary"]):
        low, high = found.value("exact", tail, boundary)
        assert low <= known.value("exact", tail, boundary)[0] <= high


@pytest.mark.slow
def test_long_tests_of_f1_have_brackets_first(monkeypatch):
    """A verdict needs the count only where the brackets leave it open."""
    rng = random.Random(4)
    data = [[rng.randrange(9) for _ in range(150)] for _ in range(4)]
    monkeypatch.setattr(facts, "SOON", 1e-9)
    claim = {"data": data, "statistic": "f1", "alternative": "two-sided", "boundary": ">="}
    claim["law"] = "exact"
    exact = permutation_test([*zip(*data[:2])], [*zip(*data[2:])], statistic=f1_difference).pvalue
    near = audit_claim({"p": f"p = {float(exact):.3f}", **claim})
    assert near.heap == "fine"
    low, high = facts.ends_of(near.exact)
    assert low <= exact <= high
    assert audit_claim({"p": f"p = {float(exact) * 1.4:.3f}", **claim}).heap == "wrong"
    settled = {"p": f"{exact.numerator}/{exact.denominator}", **claim}
    assert audit_claim(settled).heap == "fine"
    monkeypatch.setattr(joint, "tails", refuse)
    monkeypatch.setattr(brackets, "least_bracket", refuse)
    assert audit_claim({"p": "p = .5", **claim}).heap == "undecided"


def refuse(*_arguments, **_options):
    raise BudgetExceeded("too dear")
