"""What a cure chooses from the columns of files that a test cannot use as they are."""

import pytest

from exactperm.errors import ExactPermError
from exactperm.files import suggestions
from exactperm.files.reading import Reading
from exactperm.files.selection import select
from tests.files import tabled


def cure(*texts, allowed=(1, 2), kind="scores", **settings):
    names = "abcdef" if len(texts) > 1 else ["f.csv"]
    tables = [tabled.table(text, name, kind, **settings) for text, name in zip(texts, names)]
    with pytest.raises(ExactPermError) as caught:
        select(tables, allowed, "scores", Reading(**settings), kind=kind)
    return caught.value.cure


LABELS = "id,gold,tag\n" + "".join(f"q{i},{'XY'[i % 2]},{'XXY'[i % 3]}\n" for i in range(9))
TRIPLE = "gold,a,b\n" + "".join(f"{'XY'[i % 2]},{'XXY'[i % 3]},{'YX'[i % 2]}\n" for i in range(9))
WIDE = (
    "\n".join(
        ",".join(str((i * i * j + i + j * j) % 11) for j in range(1, 17)) for i in range(1, 20)
    )
    + "\n"
)


def test_one_file():
    assert cure(TRIPLE).settings == {"statistic": "accuracy", "columns": "gold,a,b"}
    assert cure('id,"a, b",c,d\nq,1,2,3\nr,2,3,4\n', columns="c,d,c", allowed=(3,)).settings == {
        "columns": "2,c,d"
    }
    quoted = "id,A,B,C\n" + "".join(f'q{i},"{i},5","{i},25",{i}\n' for i in range(5))
    assert cure(quoted).settings == {"columns": "A,B,C"} or "decimal" in cure(quoted).settings
    percent = "id,a,b,c\n" + "".join(f"q{i},{i}%,{i + 1}%,{7 * i % 5}%\n" for i in range(9))
    assert "remove the % sign" in cure(percent).words
    rows = [f"{'xy'[i % 2]},{row}\n" for i, row in enumerate(WIDE.splitlines())]
    found = cure("".join(rows))
    assert (found.settings, found.command) == ({"columns": "2-17"}, "compare")


def test_several_files():
    assert cure(LABELS, LABELS).settings == {
        "statistic": "accuracy",
        "id": "id",
        "columns": "gold,tag",
    }
    assert cure(
        "tag\nX\nY\nX\nY\n", "tag\nX\nX\nY\nY\n", allowed=(3,), kind="labels"
    ).words.startswith("name the file")
    texts = "id,text\nq1,ab c\nq2,ab c\nq3,d\n", "nr,words\nx1,e f\nx2,g\nx3,e f\n"
    assert cure(*texts) is None
    three = ["id,A,B\nq1,1,2\nq2,3,4\n"] * 3
    assert cure(*three).command == "compare"
    plain = "A,B\n1,2\n3,4\n"
    assert cure(plain, plain.replace("A", "C")).settings == {"key": "B"}


def test_labels_of_three_files_are_those_of_two_systems_and_the_right_ones():
    tags = "id,tag,text\n" + "".join(f"q{i},{'XY'[i % 2]},a {i}\n" for i in range(9))
    assert cure(tags, tags, tags).settings == {"statistic": "accuracy", "id": "id", "key": "tag"}
    assert cure(tags, tags) is None


def test_names_of_columns_are_quoted_where_they_need_it():
    assert [suggestions.quoted(name) for name in ("a b", "a,b", 'a"b', " a", "a\nb")] == [
        "a b",
        '"a,b"',
        '"a""b"',
        '" a"',
        '"a\nb"',
    ]


def test_counts_are_columns_of_two_files():
    counts = "id,tp,fp,fn\nq1,1,2,3\nq2,3,4,5\n"
    assert (
        cure(counts, counts, counts, allowed=(4,)).words
        == "name two files, for the statistic f1 of counts"
    )


def test_columns_that_others_give_are_not_suggested():
    rows = [(3, 1), (2, 5), (1, 4), (6, 2), (0, 7)]
    text = "id,A,B,avg\n" + "".join(f"q{a},{a},{b},{(a + b) / 2}\n" for a, b in rows)
    assert cure(text).settings == {"columns": "A,B"}
    assert cure(text.replace("avg", "C").replace(".5", ".25")).command == "compare"
