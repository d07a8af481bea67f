"""The checks of reading: one example each, and the page that lists them. To renew it: python tests/files/test_checks.py."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.errors import ExactPermError
from exactperm.files import answer, checks, systems
from exactperm.files.reading import Reading
from exactperm.files.sources import tables_of
from exactperm.record import replaced
from tests.files import tabled

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "spec" / "14-checks.md"
LINES = (ROOT / "tests" / "data" / "checks.jsonl").read_text(encoding="utf-8").splitlines()
EXAMPLES = {case["code"]: case for case in map(json.loads, LINES)}
HEAD = """# 14 Checks of reading

What may be misread in a file of scores, before any p-value is counted. A check refuses where the number would silently
be the answer to another question, and warns where it would be right, but perhaps not what was meant. `exactperm help
CODE` shows one of them. The page is made from the table of checks and one example each.
"""


def asked(case):
    """Return the code, the text and the cure of the check that an example meets."""
    contents = [(name.strip(), text.encode()) for name, text in case["files"].items()]
    layout = answer.layout_of(case["statistic"])
    try:
        tables, reading = tables_of(contents, Reading.of(case["reading"]), kind=layout.kind)
        if case.get("several"):
            source = systems.scores_of(tables, reading)[2]
        else:
            source = answer.question(tables, case["statistic"], reading).source
    except ExactPermError as error:
        return error.code, checks.Note(code=error.code, text=str(error), cure=error.cure).line
    return next(
        ((note.code, note.line) for note in source.warnings if note.code == case["code"]), ("", "")
    )


def page():
    """Return the page that lists all checks."""
    blocks = [HEAD]
    for check in checks.CHECKS:
        case = EXAMPLES[check.code]
        settings = ", ".join(f"{name} {value}" for name, value in case["reading"].items())
        files = "\n".join(f"{name.strip()}:\n{text}" for name, text in case["files"].items())
        how = f"; read with {settings}" if settings else ""
        blocks.append(
            f'## <a id="{check.code}"></a>{check.code} ({"refuses" if check.refuses else "warns"})\n\n'
            "Looks for {}. Else {}.\n\n".format(*check.said)
            + f"Example, for the statistic {case['statistic']}{how}:\n\n"
            f"```text\n{files}```\n\nIt says: {asked(case)[1]}\n"
        )
    return "\n".join(blocks)


def test_the_page_is_current():
    assert PAGE.read_text(encoding="utf-8") == page()


@pytest.mark.parametrize("code", checks.CHECK)
def test_every_check_meets_its_example(code):
    check, case = checks.CHECK[code], EXAMPLES[code]
    found, text = asked(case)
    assert (found, bool(text)) == (code, True)
    assert "--" not in text
    assert check.refuses or code in {
        "same-bytes",
        "repeated-items",
        "one-column",
        "different-scales",
        "no-label-right",
    }


def test_a_column_that_was_chosen_is_only_warned_of():
    for code in ("gold-column", "counts-not-scores", "not-scores", "numbered-items"):
        case = EXAMPLES[code]
        header = case["files"]["scores.csv"].partition("\n")[0]
        assert checks.CHECK[code].unless_named
        tables, reading = tables_of(
            [("f", case["files"]["scores.csv"].encode())], Reading(columns=header)
        )
        assert code in [
            note.code for note in answer.question(tables, "difference", reading).source.warnings
        ]


# --------------------------------------------------------------------------------------- properties

SCORES = st.lists(
    st.tuples(st.decimals("0", "1", places=2), st.decimals("0", "1", places=2)),
    min_size=6,
    max_size=20,
    unique=True,
)


def result(files, statistic="difference", **reading):
    """Return the entries that are compared, None where the files are refused."""
    kind = answer.layout_of(statistic).kind
    try:
        tables, found = tables_of(
            [(n, t.encode()) for n, t in files.items()], Reading.of(reading), kind=kind
        )
        question = answer.question(tables, statistic, found)
    except ExactPermError as error:
        assert error.code, error
        return None
    return sorted(zip(map(str, question.u), map(str, question.v)))


def written(header, rows):
    """Return a table with commas."""
    return "\n".join(",".join(map(str, row)) for row in [header, *rows]) + "\n"


@given(
    SCORES,
    st.sampled_from(["id", "item", "segment", "question", "doc_id", "source"]),
    st.randoms(),
    st.booleans(),
)
def test_another_order_of_one_file_never_changes_the_number(pairs, name, random, joined):
    """The rows of the second file are shuffled: the answer is the same, or there is none."""
    first = [(f"q{i}", a) for i, (a, _b) in enumerate(pairs)]
    second = [(f"q{i}", b) for i, (_a, b) in enumerate(pairs)]
    reading = {"key": "acc", **({"id": name} if joined else {})}
    straight = result(
        {"a.csv": written((name, "acc"), first), "b.csv": written((name, "acc"), second)}, **reading
    )
    random.shuffle(second)
    moved = result(
        {"a.csv": written((name, "acc"), first), "b.csv": written((name, "acc"), second)}, **reading
    )
    assert straight is None or moved in (None, straight)
    assert not joined or moved == straight


@given(
    SCORES,
    st.sampled_from(["mean", "Average", "TOTAL", "macro-avg", "overall", "", "avg."]),
    st.booleans(),
)
def test_a_row_of_means_never_changes_the_number(pairs, name, first):
    rows = [(f"q{i}", *pair) for i, pair in enumerate(pairs)]
    alone = result({"f.csv": written(("id", "A", "B"), rows)})
    means = [f"{sum(column) / len(column):.6f}" for column in zip(*pairs)]
    rows.insert(0 if first else len(rows), (name, *means))
    with_means = result({"f.csv": written(("id", "A", "B"), rows)}, columns="A,B")
    assert with_means in (None, alone)
    assert not name or with_means is None


NAMES = st.tuples(
    st.sampled_from(["a", "base", "sysA", "old"]), st.sampled_from(["b", "new", "sysB", "ours"])
)


@given(
    NAMES,
    st.sampled_from(
        [
            "{role}_{name}",
            "{name}_{role}",
            "{role}.{name}",
            "{name} {role}",
            "{role}({name})",
            "{name}-{role}",
        ]
    ),
    st.sampled_from([str, str.upper, str.title]),
    st.permutations(range(4)),
)
def test_names_of_counts_never_swap_their_roles(names, form, case, order):
    """Columns of tp and fp in any order and spelling: read as their names say, or refused."""
    header = [case(form.format(role=role, name=name)) for name in names for role in ("tp", "fp")]
    right = [(3, 1, 2, 3), (2, 2, 1, 4), (5, 0, 4, 1)]
    wanted = result({"f.csv": written(header, right)}, "precision_difference", header="yes")
    turned = result(
        {"f.csv": written(header, right)}, "precision_difference", columns="3,4,1,2", header="yes"
    )
    moved = [[row[i] for i in order] for row in right]
    found = result(
        {"f.csv": written([header[i] for i in order], moved)}, "precision_difference", header="yes"
    )
    assert wanted is not None
    assert found in (None, wanted, turned)
    assert result({"f.csv": written(header, right)}, "f1_difference", header="yes") is None


def test_two_files_hold_scores_of_one_metric():
    def code(second, **settings):
        contents = [("a.csv", b"id,acc,f1\n1,.5,.4\n2,.6,.3\n"), ("b.csv", second)]
        tables, reading = tables_of(contents, Reading.of(settings))
        try:
            return [
                note.code for note in answer.question(tables, "difference", reading).source.warnings
            ]
        except ExactPermError as error:
            return error.code

    swapped, other = b"id,f1,acc\n1,.5,.4\n2,.6,.3\n", b"id,new,f1\n1,.5,.4\n2,.6,.3\n"
    assert (code(swapped, columns="2"), code(swapped, columns="acc"), code(other, columns="2")) == (
        ["metrics"],
        [],
        [],
    )
    contents = [("a.csv", b"id,acc\n1,.5\n2,.6\n"), ("b.csv", b"id,f1\n1,.5\n2,.6\n")]
    with pytest.raises(ExactPermError) as caught:
        answer.question(*[tables_of(contents, Reading(id="id"))[0], "difference", Reading(id="id")])
    assert (
        caught.value.code,
        str(caught.value).startswith("a.csv, b.csv: the columns 'acc', 'f1'"),
    ) == (
        "metrics",
        True,
    )


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("A;B\n1.234;9\n2.100;8\n950;7\n", True),
        ("A;B\n-1.234;9\n1.000.000;8\n-950;7\n", True),
        ("A;B\n1.234;9\n2.100;8\n95;7\n", False),
        ("A;B\n1.234;9\n2.1;8\n950;7\n", False),
        ("A;B\n1.234;9\n0.100;8\n950;7\n", False),
        ("A;B\n1.234;9\n950;8\n900;7\n", False),
    ],
)
def test_points_that_may_separate_thousands(text, refused):
    def found(**settings):
        tables, reading = tables_of([("f.csv", text.encode())], Reading.of(settings))
        return answer.question(tables, "difference", reading)

    if refused:
        with pytest.raises(ExactPermError) as caught:
            found()
        assert (caught.value.code, caught.value.cure.settings) == (
            "thousands",
            {"decimal": "point"},
        )
    else:
        assert found().u[0] == "1.234"
    if "1.000.000" not in text:
        assert found(decimal="point").u[0].endswith("1.234")


@pytest.mark.parametrize(
    ("cell", "others", "summary"),
    [
        ("2", ["1", "2", "3"], True),
        ("6", ["1", "2", "3", "NA"], True),
        ("3", ["1", "2", "3"], False),
        ("1", ["1", "1"], False),
        ("x", ["1", "2"], False),
        ("2", ["NA", ""], False),
        ("1e308", ["1.5e308", "1.6e308"], False),
        ("1", ["1e400", "-1e400"], False),
        ("1e400", ["1e400", "1"], False),
    ],
)
def test_means_and_sums_of_other_rows(cell, others, summary):
    assert checks._is_summary(cell, others) is summary


def test_a_file_that_is_named_twice_is_no_copy():
    parts = [
        SimpleNamespace(table=replaced(tabled.table("1\n2\n", name), sha256="1a")) for name in "fg"
    ]
    same, copy = SimpleNamespace(parts=parts[:1] * 2), SimpleNamespace(parts=parts)
    assert [text for text, _cure in checks._file_twice(same)] == ["f is named twice"]
    assert [*checks._same_bytes(same), *checks._file_twice(copy)] == []
    assert [text for text, _cure in checks._same_bytes(copy)] == ["f and g hold the same bytes"]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
