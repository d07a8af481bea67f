"""What the general mutation run could not kill is argued, the arguments fit the code, and the score is what it says."""

import re
from pathlib import Path

import pytest

from spec.definitions import definitions
from spec.mutation import record
from spec.mutation.record import Explanation

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    ("explanation", "problem"),
    [
        (Explanation("exactperm.swaps.effects.gone", "same", "so", []), "is explained, but does not exist"),
        (
            Explanation("exactperm.cli.progress.Bar.__call__", "same", "so", [("x = 7", "x = 8")]),
            "the line does not stand there",
        ),
        (Explanation("exactperm.cli.progress.Bar.__call__", "lucky", "so", []), "of the kind 'lucky'"),
        (Explanation("exactperm.cli.progress.Bar.__call__", "same", "", []), "says ''"),
    ],
)
def test_arguments_that_do_not(explanation, problem):
    (found,) = record.problems(definitions(ROOT, "exactperm"), [explanation])
    assert problem in found


def test_each_change_is_argued_once():
    changes = [(each.function, *change) for each in record.explanations() for change in each.changes]
    assert len(changes) == len(set(changes))


@pytest.mark.parametrize(
    ("verdict", "kind", "column"),
    [
        ("killed", "same", "killed"),
        ("timeout", None, "timeout"),
        ("survived", "tuning", "tuning"),
        ("survived", None, "left over"),
        ("untested", None, "left over"),
        (None, None, "not run"),
    ],
)
def test_what_becomes_of_a_mutant(verdict, kind, column):
    assert record.outcome(verdict, kind) == column


def test_the_table_counts(tmp_path):
    outcomes = [("b", "killed"), ("a", "killed"), ("a", "left over"), ("a", "same"), ("a", "not run")]
    page = tmp_path / "README.md"
    page.write_text(f"before\n{record._BEGIN}\nold\n{record._END}\nafter\n", encoding="utf-8")
    record.write(record.table(outcomes, "made with"), page)
    text = page.read_text(encoding="utf-8")
    assert "| `a` | 4 | 1 | 0 | 1 | 0 | 2 | 50.0% |" in text
    assert "| all | 5 | 2 | 0 | 1 | 0 | 2 | 60.0% |" in text
    assert text.startswith("before\n") and text.endswith("after\n") and "old" not in text


def test_the_recorded_score():
    """At least 95 of 100 mutants are killed or argued, of every module that there is, and the columns add up."""
    page = (ROOT / "spec" / "mutation" / "README.md").read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if re.match(r"\| (`|all)", line)
    ]
    assert rows[-1][0] == "all"
    for _, made, *parts, score in rows:
        killed, timeout, same, tuning, left = map(int, parts)
        assert killed + timeout + same + tuning + left == int(made)
        assert score == f"{100 * (int(made) - left) / int(made):.1f}%"
    assert [sum(int(row[i]) for row in rows[:-1]) for i in range(1, 7)] == [int(cell) for cell in rows[-1][1:7]]
    assert float(rows[-1][-1].rstrip("%")) >= 95
