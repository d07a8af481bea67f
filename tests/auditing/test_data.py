"""Data of claims: columns, files, missing values, orientation and shift."""

import os
import random
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
from exactperm.auditing.data import contents
from exactperm.auditing.data import sample_of as read_sample
from exactperm.auditing.facts import Allowance
from exactperm.errors import BudgetExceeded, ExactPermError
from exactperm.files import question, sources
from exactperm.null import joint_tails, monotone


def sample(**fields):
    return read_sample(Claim(p="1", **fields))


def test_the_shift_is_one_of_the_stated_difference():
    """H0 is: the difference in the stated orientation is mu."""
    assert sample(data=[[5, 7], [1, 2]], mu="1").differences == (3, 4)
    assert sample(data=[[5, 7], [1, 2]], mu="1", orientation="second-first").differences == (-5, -6)
    assert sample(data=[[5, 7], [1, 2]], mu="-3", orientation="second-first").differences == (
        -1,
        -2,
    )


def test_missing_values_are_refused_with_their_place_or_dropped_and_counted():
    data = [["1", None, "3", float("nan")], ["0", "1", "NA", "2"]]
    with pytest.raises(ExactPermError, match=r"line 2.*a value is missing"):
        sample(data=data)
    dropped = sample(data=data, missing="drop")
    assert (dropped.differences, dropped.notes) == (
        (1,),
        ("3 of 4 pairs left out: a value is missing",),
    )
    assert dropped.dropped == 3
    assert sample(data=[[1], [0]], missing="drop").notes == ()
    with pytest.raises(ExactPermError, match="no item is left"):
        sample(data=[[None], [0]], missing="drop")
    with pytest.raises(ExactPermError, match="paired"):
        sample(data=[[1, 2], [0]], missing="drop")


def test_other_statistics_are_paired_and_turned():
    columns = [[3, 2], [1, 0], [1, 2], [1, 2]]
    first = sample(data=columns, statistic="f1")
    turned = sample(data=columns, statistic="f1", orientation="second-first")
    assert (first.u, first.v) == (turned.v, turned.u)
    with pytest.raises(ExactPermError, match="paired"):
        sample(data=[["a", "b"], ["a", "b"], ["a"]], statistic="accuracy")


def test_counts_are_never_written_out():
    many = sample(counts=(10**7, 1), statistic="mcnemar", orientation="second-first")
    assert (many.signs, many.n, many.n_nonzero) == ((1, 10**7), 10**7 + 1, 10**7 + 1)
    with pytest.raises(ExactPermError, match="counts is"):
        sample(counts=(10**15, 1), statistic="mcnemar")


@pytest.mark.parametrize(
    "data", [[], [[]], [[1], 2], {}, {"a": 3}, [[[1]], [2, [3]]], {"u": "abc"}, [None], [{}]]
)
def test_odd_data_are_unreadable_without_a_traceback(data):
    assert audit_claim({"p": "1", "data": data}).heap == "unreadable"


@pytest.mark.parametrize("data", [5, 1.5, True, b"x", {1, 2}])
def test_data_of_a_wrong_type(data):
    finding = audit_claim({"p": "1", "data": data})
    assert "it must be a path, a list of columns" in finding.notes[0]


def test_columns_belong_to_names():
    with pytest.raises(ExactPermError, match="only a file or a mapping has names"):
        sample(data=[[1], [2]], columns="u,v")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "d.txt").write_text("1\n-2\n3\n", encoding="utf-8")
    return tmp_path


def test_a_file_is_read_once_for_all_its_claims(folder, monkeypatch):
    store = partial(read_sample, read=contents(folder, folder), known={})
    read = []
    read_bytes = sources.read_bytes
    monkeypatch.setattr(
        sources,
        "read_bytes",
        lambda path, name, most: read.append(name) or read_bytes(path, name, most),
    )
    parsed = []
    parse = sources.delimited
    monkeypatch.setattr(
        sources,
        "delimited",
        lambda *words, **options: parsed.append(words) or parse(*words, **options),
    )
    first = store(Claim(p="1", data="d.txt"))
    second = store(Claim(p="1", data="d.txt", mu="1"))
    assert first.differences == (1, -2, 3)
    assert second.differences == (0, -3, 2)
    assert read == ["'d.txt'"]
    assert len(parsed) == 2  # as scores, and as differences
    assert first.sha256 == second.sha256
    # errors are not worked out again either
    for name in ("none.txt", "none.txt", "e.txt", "e.txt"):
        (folder / "e.txt").write_text("1,x\n2\n", encoding="utf-8")
        with pytest.raises(ExactPermError):
            store(Claim(p="1", data=name, mu=len(read)))
    assert read == ["'d.txt'", "'none.txt'", "'e.txt'"]


def test_json_is_read_once_for_each_choice_of_keys(folder, monkeypatch):
    (folder / "r.jsonl").write_text(
        '{"id": 1, "u": 1, "v": 0}\n{"id": 2, "u": 0, "v": 3}\n', encoding="utf-8"
    )
    store, read = partial(read_sample, read=contents(folder, folder), known={}), []
    sheets = question.tables_of
    monkeypatch.setattr(
        question,
        "tables_of",
        lambda *words, **options: read.append(words) or sheets(*words, **options),
    )
    for columns, differences in (
        ("u,v", (1, -3)),
        ("v,u", (-1, 3)),
        ("u", (1, 0)),
        ("u,v", (1, -3)),
    ):
        assert store(Claim(p="1", data="r.jsonl", columns=columns)).differences == differences
    assert len(read) == 4  # one column as scores, and as differences
    assert store(Claim(p="1", data="r.jsonl", columns="u,v", mu="1")).differences == (0, -4)
    assert len(read) == 4


def test_one_file_for_each_system(folder):
    store = partial(read_sample, read=contents(folder, folder), known={})
    (folder / "a.jsonl").write_text(
        '{"id": "x", "m": {"acc": 1}}\n{"id": "y", "m": {"acc": 0.5}}\n', encoding="utf-8"
    )
    (folder / "b.jsonl").write_text(
        '{"id": "y", "m": {"acc": 1}}\n{"id": "x", "m": {"acc": 0}}\n', encoding="utf-8"
    )
    joined = store(Claim(p="1", data="a.jsonl", second="b.jsonl", columns="m.acc", join="id"))
    assert joined.differences == (1, Fraction(-1, 2))
    assert len(joined.sha256) == 2 * 64 + 1
    (folder / "e.txt").write_text("1\nNA\n1\n", encoding="utf-8")
    dropped = store(Claim(p="1", data="d.txt", second="e.txt", missing="drop"))
    assert (dropped.differences, dropped.dropped) == ((0, 2), 1)
    assert "d.txt, e.txt, missing: 1 of 3 items left out" in dropped.notes
    with pytest.raises(ExactPermError, match=r"e.txt, line 2.*a value is missing"):
        store(Claim(p="1", data="d.txt", second="e.txt"))


@pytest.mark.parametrize(
    ("text", "fields", "differences"),
    [
        ("u;v\n0,5;0,25\n", {"decimal": "comma"}, (Fraction(1, 4),)),
        ("1,5\n2,5\n", {"decimal": "comma"}, (Fraction(3, 2), Fraction(5, 2))),
        ("1|5\n2|5\n", {"delimiter": "|", "header": "no", "columns": "1,2"}, (-4, -3)),
        ("1\n2\n", {"header": "yes"}, (2,)),
        ("# 1\n2\n", {"comments": "yes"}, (2,)),
    ],
)
def test_files_are_read_as_the_claim_says(folder, text, fields, differences):
    (folder / "f.csv").write_text(text, encoding="utf-8")
    assert (
        read_sample(Claim(p="1", data="f.csv", **fields), contents(folder, folder)).differences
        == differences
    )


def test_comments_may_be_data(folder):
    (folder / "f.csv").write_text("g,u,v\n#,#,a\nb,b,a\n", encoding="utf-8")
    for comments, n in (("yes", 1), ("no", 2)):
        claim = Claim(p="1", data="f.csv", statistic="accuracy", columns="g,u,v", comments=comments)
        assert read_sample(claim, contents(folder, folder)).n == n


def test_a_two_by_two_table_is_no_file_of_scores(folder):
    (folder / "t.csv").write_text("approved,not\n794,150\n86,570\n", encoding="utf-8")
    (folder / "s.csv").write_text("u,v\n1,0\n1,1\n0,1\n", encoding="utf-8")
    store = partial(read_sample, read=contents(folder, folder))
    claim = {"p": "1", "statistic": "mcnemar"}
    with pytest.raises(ExactPermError):
        store(Claim(data="t.csv", columns="approved,not", **claim))
    assert store(Claim(data="s.csv", **claim)).differences == (1, 0, -1)


@pytest.mark.parametrize(
    "name", ["../d.txt", "sub/../../d.txt", "/etc/hostname", "a\0b", "x" * 5000, "sub"]
)
def test_names_that_are_refused(folder, name):
    (folder / "sub").mkdir()
    with pytest.raises(ExactPermError, match=r"as the root|null byte|cannot read"):
        read_sample(Claim(p="1", data=name), contents(folder, folder))


def test_absolute_paths_inside_an_allowed_root(folder):
    found = read_sample(
        Claim(p="1", data=str(folder / "d.txt")), contents(folder / "elsewhere", folder)
    )
    assert found.n == 3


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links here")
def test_links_do_not_lead_out(folder):
    inside = folder / "inside"
    inside.mkdir()
    (inside / "link.txt").symlink_to(folder / "d.txt")
    with pytest.raises(ExactPermError, match="outside of"):
        read_sample(Claim(p="1", data="link.txt"), contents(inside, inside))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_pipes_are_not_waited_for(folder):
    os.mkfifo(folder / "pipe")
    with pytest.raises(ExactPermError, match="it is not a regular file"):
        read_sample(Claim(p="1", data="pipe"), contents(folder, folder))


def test_groups_are_swapped_together(folder):
    """The differences are those of the groups; of ratios the labels are kept."""
    table = {"g": ["x", "y", "x"], "u": [3, 1, 2], "v": [1, 2, 0]}
    found = sample(data=table, groups="g", mu="1/2", orientation="second-first")
    assert (found.n, found.differences, found.labels) == (2, (-5, Fraction(1, 2)), ("x", "y", "x"))
    (folder / "g.csv").write_text("g,u,v\nx,3,1\ny,1,2\nx,2,0\n", encoding="utf-8")
    read = read_sample(
        Claim(p="1", data="g.csv", columns="u,v", groups="g", mu="1/2", orientation="second-first"),
        contents(folder, folder),
    )
    assert (read.differences, read.labels) == (found.differences, found.labels)
    with pytest.raises(ExactPermError, match="paired"):
        sample(data={"u": [1, 2], "v": [1, 2], "g": ["x"]}, groups="g")
    with pytest.raises(ExactPermError, match="data has 2 columns; which hold tp"):
        sample(data={"u": [1, 2], "g": ["x", "y"]}, groups="g", statistic="f1")
    counts = {"a": [3, 2, 1], "b": [1, 0, 2], "c": [1, 2, 0], "d": [1, 2, 2], "g": ["x", "y", "x"]}
    grouped = sample(data=counts, groups="g", statistic="f1")
    u, v = [(3, 1), (2, 0), (1, 2)], [(1, 1), (2, 2), (0, 2)]
    expected = permutation_test(u, v, statistic=f1_difference, groups=["x", "y", "x"]).pvalue
    assert (grouped.n, grouped.facts("f1", None, Allowance()).value("exact", "two-sided")) == (
        2,
        expected,
    )


def test_scores_are_rounded_where_the_claim_says_so():
    assert sample(data=[["0.35", "1"], ["0.25", "0.04"]], decimals=1).differences == (
        Fraction(1, 5),
        1,
    )


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
    known = one.facts(statistic, None, Allowance())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(facts, "SOON", 1e-9)
        patch.setattr(monotone, "tails", refuse)
        found = facts.of_entries((one.u, one.v), one.rule, None, one.n, Allowance())
    for tail, boundary in product(AXES["tail"], AXES["boundary"]):
        low, high = facts.ends_of(found.value("exact", tail, boundary))
        assert low <= known.value("exact", tail, boundary) <= high


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
    monkeypatch.setattr(monotone, "tails", refuse)
    monkeypatch.setattr(joint_tails, "JointTails", refuse)
    assert audit_claim({"p": "p = .5", **claim}).heap == "undecided"


def refuse(*_arguments, **_options):
    raise BudgetExceeded("too dear")
