"""Data of claims: columns, files, missing values, orientation and shift."""

import os
from fractions import Fraction

import pytest

from exactperm import sign_flip_test
from exactperm.auditing.audit import audit_claim
from exactperm.auditing.claims import Claim
from exactperm.auditing.samples import Store
from exactperm.errors import ExactPermError
from exactperm.files import tables


def sample(**fields):
    return Store(None, None).sample(Claim(p="1", **fields))


def test_the_shift_is_one_of_the_stated_difference():
    """H0 is: the difference in the stated orientation is mu."""
    assert sample(data=[[5, 7], [1, 2]], mu="1").differences == (3, 4)
    assert sample(data=[[5, 7], [1, 2]], mu="1", orientation="second-first").differences == (-5, -6)
    assert sample(data=[[5, 7], [1, 2]], mu="-3", orientation="second-first").differences == (-1, -2)


def test_missing_values_are_refused_with_their_place_or_dropped_and_counted():
    data = [["1", None, "3", float("nan")], ["0", "1", "NA", "2"]]
    with pytest.raises(ExactPermError, match=r"u\[1\]"):
        sample(data=data)
    dropped = sample(data=data, missing="drop")
    assert (dropped.differences, dropped.notes) == ((1,), ("3 pairs with a missing value are dropped",))
    assert sample(data=[[1], [0]], missing="drop").notes == ()
    with pytest.raises(ExactPermError, match="empty"):
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
    many = sample(counts=(10**15, 1), statistic="mcnemar", orientation="second-first")
    assert (many.signs, many.n, many.n_nonzero) == ((1, 10**15), 10**15 + 1, 10**15 + 1)


@pytest.mark.parametrize("data", [[], [[]], [[1], 2], {}, {"a": 3}, [[[1]], [[2]]], {"u": "abc"}, [None], [{}]])
def test_odd_data_are_unreadable_without_a_traceback(data):
    assert audit_claim({"p": "1", "data": data}).level == "unreadable"


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
    store = Store(folder, folder, strict=True)
    read = []
    read_bytes = tables.read_bytes
    monkeypatch.setattr(tables, "read_bytes", lambda path, name: read.append(name) or read_bytes(path, name))
    first = store.sample(Claim(p="1", data="d.txt"))
    second = store.sample(Claim(p="1", data="d.txt", mu="1"))
    assert first.differences == (1, -2, 3)
    assert second.differences == (0, -3, 2)
    assert read == ["'d.txt'"]
    assert first.sha256 == second.sha256


@pytest.mark.parametrize("name", ["../d.txt", "sub/../d.txt", "/etc/hostname", "a\0b", "x" * 5000, "sub"])
def test_names_that_are_refused(folder, name):
    (folder / "sub").mkdir()
    with pytest.raises(ExactPermError, match=r"--root|null byte|cannot read"):
        Store(folder, folder, strict=True).sample(Claim(p="1", data=name))


def test_absolute_paths_inside_an_allowed_root(folder):
    found = Store(folder / "elsewhere", folder).sample(Claim(p="1", data=str(folder / "d.txt")))
    assert found.n == 3


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links here")
def test_links_do_not_lead_out(folder):
    inside = folder / "inside"
    inside.mkdir()
    (inside / "link.txt").symlink_to(folder / "d.txt")
    with pytest.raises(ExactPermError, match="outside of"):
        Store(inside, inside, strict=True).sample(Claim(p="1", data="link.txt"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_pipes_are_not_waited_for(folder):
    os.mkfifo(folder / "pipe")
    with pytest.raises(ExactPermError, match="it is no file"):
        Store(folder, folder).sample(Claim(p="1", data="pipe"))


def test_binary_differences():
    found = sample(data=[["0.3", 0], ["0.2", "0.1"]])
    assert found.binary_differences == (Fraction(0.3 - 0.2), Fraction(-0.1))
    assert sign_flip_test(found.differences).pvalue == 1
