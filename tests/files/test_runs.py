"""Several runs of each item: the same runs from every form of file; what is not said is asked for, what is wrong refused."""

import json
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.errors import ExactPermError
from exactperm.files import answer, runs, systems
from exactperm.files.reading import Reading
from exactperm.files.sources import tables_of
from exactperm.runs import permutation_test_runs

LONG = "item,system,seed,score\nq1,A,1,0\nq1,A,2,1\nq1,B,1,1\nq1,B,2,1\nq2,A,1,0.5\nq2,A,2,0\nq2,B,1,1\nq2,B,2,0.25\n"
A, B = (
    "item,seed,score\nq1,1,0\nq1,2,1\nq2,1,0.5\nq2,2,0\n",
    "item,seed,score\nq1,1,1\nq1,2,1\nq2,1,1\nq2,2,0.25\n",
)
WIDE = "item,A_s1,A_s2,B_s1,B_s2\nq1,0,1,1,1\nq2,0.5,0,1,0.25\n"
SIDE = "item,seed,A,B\nq1,1,0,1\nq1,2,1,1\nq2,1,0.5,1\nq2,2,0,0.25\n"
GOLD = "id,gold,score\nq1,x,1\n"
READ = [[["0", "1"], ["0.5", "0"]], [["1", "1"], ["1", "0.25"]]]


def read(*texts, most=2, **settings):
    """Return the runs of files, under the design "within" where none is said."""
    contents = [(f"{name}.csv", text.encode()) for name, text in zip("abcdef", texts)]
    if texts[0].startswith("{"):
        contents = [(name.replace("csv", "json"), data) for name, data in contents]
    tables, reading = tables_of(contents, Reading.of({"runs": "within", **settings}))
    return runs.chosen(tables, reading, most=most)


def refusal(*texts, **settings):
    """Return the error with which files are refused."""
    with pytest.raises(ExactPermError) as caught:
        read(*texts, **settings)
    return caught.value


def asked(*texts, statistic="difference", **settings):
    """Return the question that files ask, or the error."""
    contents = [(f"{name}.csv", text.encode()) for name, text in zip("abcdef", texts)]
    try:
        tables, reading = tables_of(contents, Reading.of(settings))
        return answer.question(tables, statistic, reading)
    except ExactPermError as error:
        return error


FORMS = [
    ([LONG], {"system": "system"}),
    ([LONG], {"system": "system", "id": "item", "run": "seed", "score": "score"}),
    ([LONG], {"system": "system", "columns": "A,B"}),
    ([A, B], {}),
    ([A, B], {"key": "score"}),
    ([A.replace("seed", "x"), B.replace("seed", "x")], {"run": "x", "id": "item"}),
    ([re.sub(r"(?m)^(q\d|item),\w+,", r"\1,", text) for text in (A, B)], {}),
    ([WIDE], {}),
    ([WIDE], {"columns": "A_s*,B_s*"}),
    ([WIDE], {"columns": "2-3,4-5"}),
    ([WIDE.partition("\n")[2]], {"columns": "2-3,4-5", "header": "no"}),
    ([WIDE.replace("_s", "")], {}),
    ([SIDE], {}),
    ([SIDE], {"columns": "A,B"}),
    (["item,s1,s2\nq1,0,1\nq2,0.5,0\n", "item,s1,s2\nq2,1,0.25\nq1,1,1\n"], {}),
    (["acc_seed0,acc_seed1\n0,1\n0.5,0\n", "acc_seed0,acc_seed1\n1,1\n1,0.25\n"], {}),
]


@pytest.mark.parametrize(("texts", "settings"), FORMS)
def test_all_forms_hold_the_same_runs(texts, settings):
    found = read(*texts, **settings)
    assert list(found.scores.values()) == READ
    assert (found.items, found.dropped) == (2, 0)
    assert found.told.startswith("2 of ")


def test_a_result_says_how_runs_were_read():
    assert read(WIDE).told == "2 of A, 2 of B on each item: A (s1, s2), B (s1, s2)"
    assert (
        read(LONG, system="system").told
        == "2 of A, 2 of B on each item: rows of each item, by seed"
    )
    assert read(A, B + "q2,3,1\n").told.startswith(
        "2 of a.csv: score, 2 to 3 of b.csv: score on each item: rows"
    )
    many = (
        "item,"
        + ",".join(f"A_s{i},B_s{i}" for i in range(8))
        + "\n"
        + "q,"
        + ",".join("0123456789012345")
        + "\n"
    )
    assert "A (s0, s1, s2, s3, s4, s5, ... 8 in all)" in read(many).told
    source = asked(WIDE, runs="within").source
    assert ("runs", read(WIDE).told) in source.rows()
    assert source.to_dict()["runs"] == read(WIDE).told
    assert dict(asked(SIDE, runs="within").source.rows())["runs"].endswith("by seed")


SCORES = st.integers(0, 3).map(str)
RUNS = st.lists(st.tuples(*[st.lists(SCORES, min_size=2, max_size=3)] * 2), min_size=2, max_size=4)


@given(RUNS, st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(items, random):
    rows = [
        (f"q{i}", system, f"r{j}", score)
        for i, pair in enumerate(items)
        for system, scores in zip("AB", pair)
        for j, score in enumerate(scores)
    ]
    random.shuffle(rows)
    first = next(system for _i, system, _j, _s in rows)
    text = "item,system,run,score\n" + "".join(",".join(row) + "\n" for row in rows)
    found = read(text, system="system", run="run")
    assert found.names[0] == first
    wanted = sorted([sorted(one) for one in pair] for pair in items)
    assert (
        sorted([sorted(a), sorted(b)] for a, b in zip(found.scores["A"], found.scores["B"]))
        == wanted
    )
    files = [
        "item,run,score\n" + "".join(f"{i},{j},{s}\n" for i, system, j, s in rows if system == one)
        for one in "AB"
    ]
    assert sorted(map(sorted, zip(*read(*files).scores.values()))) == sorted(
        map(sorted, zip(*found.scores.values()))
    )
    counted = permutation_test_runs(found.scores["A"], found.scores["B"], design="within")
    assert counted.pvalue == permutation_test_runs(*zip(*items), design="within").pvalue


def test_one_run_each_is_a_design_only_where_runs_have_ids():
    assert refusal("item,A,B\nq1,1,0\nq2,1,1\n").code == "runs-columns"
    found = asked("item,x,A,B\nq1,1,1,0\nq2,1,1,1\n", runs="within", run="x")
    assert (found.u, found.v, found.design) == ([["1"], ["1"]], [["0"], ["1"]], "within")


def test_columns_that_number_rows_are_no_scores():
    rows = [f"{n},{line}" for n, line in enumerate(LONG.splitlines())]
    for name in ("", "Unnamed: 0", "index"):
        text = "\n".join([rows[0].replace("0,", f"{name},", 1), *rows[1:]]) + "\n"
        assert list(read(text, system="system").scores.values()) == READ


def test_a_long_table_needs_its_columns_under_a_design_too():
    error = refusal(LONG, runs="systems")
    assert error.code == "long-table"
    assert error.cure.settings == {"system": "system", "id": "item", "run": "seed"}
    assert refusal(LONG.replace("score", "correct")).cure.settings["system"] == "system"


def test_runs_are_the_items_where_there_are_no_others():
    found = asked("model,seed,acc\nA,1,0.5\nA,2,0.6\nB,1,0.7\nB,2,0.6\n", system="model")
    assert (found.u, found.v, found.design) == (["0.5", "0.6"], ["0.7", "0.6"], "")


# -------------------------------------------------------------------------------- no design is said


@pytest.mark.parametrize(
    ("texts", "settings"),
    [
        ([A, B], {}),
        ([A, B], {"id": "item", "key": "score"}),
        ([WIDE], {}),
        ([WIDE.replace("_s", "")], {}),
        ([SIDE], {}),
        ([SIDE], {"columns": "A,B"}),
        ([LONG], {"system": "system"}),
        ([LONG], {"system": "system", "score": "score", "id": "item"}),
    ],
)
def test_several_runs_need_a_design(texts, settings):
    found = asked(*texts, **settings)
    assert (found.code, found.cure.choose, found.cure.settings) == ("runs", "runs", {})
    cured = asked(*texts, **{**settings, "runs": "items"})
    assert [sorted(map(sorted, cured.u)), sorted(map(sorted, cured.v))] == [
        sorted(map(sorted, system)) for system in READ
    ]


def test_a_long_table_of_runs_asks_for_all_at_once():
    found = asked(LONG)
    assert found.cure.settings == {"system": "system", "id": "item", "run": "seed"}
    assert found.cure.choose == "runs"
    assert asked(LONG, runs="items", **found.cure.settings).u == READ[0]
    named = LONG.replace("seed", "run").replace(",1,", ",r1,").replace(",2,", ",r2,")
    assert asked(named).cure.settings["run"] == "run"


def test_ids_that_repeat_may_be_runs():
    plain = [text.replace("seed", "x") for text in (A, B)]
    found = asked(*plain, id="item", key="score")
    assert (found.code, found.cure.choose) == ("id-repeated", "runs")
    once = asked(plain[0] + "q3,1,1\nq4,1,1\nq5,1,1\n", plain[1], id="item", key="score")
    assert (once.code, once.cure) == ("id-repeated", None)


def test_systems_of_a_leaderboard_are_no_runs():
    for header in ("id,gpt3,gpt4,llama3,llama4", "id,large,large-v2,small"):
        rows = "".join(
            f"q{i}," + ",".join(str((i * k) % 3) for k in range(1, header.count(",") + 1)) + "\n"
            for i in range(5)
        )
        tables, reading = tables_of([("f.csv", f"{header}\n{rows}".encode())], Reading(id="id"))
        assert len(systems.scores_of(tables, reading)[0]) == header.count(",")
    with pytest.raises(ExactPermError) as caught:
        systems.scores_of(*tables_of([("f.csv", WIDE.encode())], Reading(id="item")))
    assert caught.value.code == "runs"
    chosen, _groups, _source = systems.scores_of(
        *tables_of([("f.csv", WIDE.encode())], Reading(columns="A_s1,A_s2,B_s1"))
    )
    assert list(chosen) == ["A_s1", "A_s2", "B_s1"]


def test_groups_are_another_way():
    found = asked(SIDE, columns="A,B", groups="item")
    assert found.groups == ["q1", "q1", "q2", "q2"]
    assert asked(SIDE, columns="A,B", groups="item", runs="within").code == "runs-options"


# ------------------------------------------------------------------------------------------ refused


@pytest.mark.parametrize(
    ("texts", "settings", "code", "place"),
    [
        (
            [LONG + "q2,A,2,1\n"],
            {"system": "system"},
            "run-repeated",
            "a.csv, line 10, column 3 (seed), id 'q2'",
        ),
        (
            [LONG + "q3,A,2,1\n"],
            {"system": "system"},
            "one-system-runs",
            "a.csv, line 10, column 4 (score), id 'q3'",
        ),
        (
            [A, B + "q7,1,1\n"],
            {},
            "one-system-runs",
            "b.csv, line 6, column 3 (score), id 'q7': the item has runs of",
        ),
        (
            [A, B + ",1,1\n"],
            {"id": "item"},
            "id-missing",
            "b.csv, line 6, column 1 (item): the id is missing",
        ),
        (
            [A, B + "q1,,1\n"],
            {},
            "run-missing",
            "b.csv, line 6, column 2 (seed): the run is missing",
        ),
        (
            [A, B + "q1,3,NA\n"],
            {},
            "missing-cell",
            "b.csv, line 6, column 3 (score), id 'q1': 'NA' marks a missing",
        ),
        (
            [A, B + "q1,3,x\n"],
            {"key": "score"},
            "no-score",
            "b.csv, line 6, column 3 (score), id 'q1': 'x' is no score",
        ),
        (
            [A, B + "q1,3,1\n"],
            {"runs": "systems"},
            "run-missing",
            "b.csv, line 4, column 3 (score), id 'q2': the run '3'",
        ),
        (
            [LONG + "q3,,2,1\n"],
            {"system": "system"},
            "systems",
            "a.csv, line 10, column 4 (score), id 'q3': the system",
        ),
        (
            [LONG],
            {"system": "system", "columns": "A,C"},
            "systems",
            "a.csv: no row is of the system 'C'",
        ),
        (
            [LONG.replace(",B,", ",A,")],
            {"system": "system"},
            "systems",
            "a.csv: runs of two systems are compared, not",
        ),
        ([A], {}, "systems", "a.csv: runs of two systems are compared, not of 1: 'score'"),
        (
            [A, B, A.replace("0.5", "1")],
            {},
            "systems",
            "a.csv, b.csv, c.csv: runs of two systems are compared, not of 3",
        ),
        ([WIDE.replace("item", "x")], {"id": "none"}, "column", "a.csv: no column is named 'none'"),
        ([WIDE], {"columns": "A*,C*"}, "column", "a.csv: no column is named 'C*'"),
        (
            ["s1,s2\n1,0\n", "s1,s3\n1,1\n"],
            {},
            "other-runs",
            "run 2 is 's2' of a.csv and 's3' of b.csv",
        ),
        (
            ["s1,s2\n1,0\n", "s1\n1\n"],
            {},
            "other-runs",
            "run 2 is 's2' of a.csv and missing of b.csv: s1",
        ),
        (
            [GOLD, GOLD.replace("x", "y")],
            {"key": "score"},
            "other-items",
            "b.csv, line 2, column 2 (gold), id 'q1': it is 'y'",
        ),
        (
            [GOLD, GOLD + "q1,z,2\n"],
            {"key": "score"},
            "other-items",
            "b.csv, line 3, column 2 (gold), id 'q1': it is 'z'",
        ),
        (
            ["a,seed\n1,1\n0,1\n1,2\n"],
            {},
            "runs-columns",
            "a.csv: which column names the items of the runs?",
        ),
        (
            ["id,doc,seed,A,B\nq,d,1,1,0\nq,d,2,0,0\n"],
            {},
            "runs-columns",
            "which column names the items, of 'id', 'doc'?",
        ),
        (
            ["id,epoch,seed,A,B\nq,1,1,1,0\nq,2,2,0,0\nq,2,1,0,0\n"],
            {},
            "runs-columns",
            "which column names the runs",
        ),
        (
            ["id,acc,f1\nq,1,1\nq,0,1\n", "id,acc,f1\nq,1,1\nq,0,1\n"],
            {},
            "columns",
            "names of the runs of a system differ",
        ),
        (
            ["id,text,A,B\nq,a b,1,1\nq,b c,0,1\n"],
            {},
            "columns",
            "which columns hold the scores of the runs?",
        ),
        (["id,seed\nq,1\nq,2\n"], {}, "columns", "which columns hold the scores of the runs?"),
        (
            ["item,score\nq1,1\nq1,0\n"] * 2,
            {"runs": "systems"},
            "runs-columns",
            "no column says which run a row is of",
        ),
        (
            ["item,A_s1,A_s2,B_s1,B_s2,C_s1,C_s2\nq,1,1,1,0,0,0\n"],
            {},
            "systems",
            "of 3: 'A', 'B', 'C'",
        ),
    ],
)
def test_wrong_runs_are_refused_with_their_place(texts, settings, code, place):
    error = refusal(*texts, **settings)
    assert (error.code, place in str(error)) == (code, True), str(error)
    assert error.cure is not None or code in {
        "id-missing",
        "run-missing",
        "column",
        "no-score",
        "systems",
        "columns",
        "other-items",
    }


def test_other_runs_may_be_compared_where_ids_join_the_files():
    texts = ["acc_s1,acc_s2\n1,0\n1,1\n", "acc_s1,acc_s3\n0,0\n1,0\n"]
    with_ids = [
        "\n".join(f"{i},{line}" for i, line in zip(("id", "a", "b"), text.split("\n")))
        for text in texts
    ]
    assert refusal(*texts).code == "other-runs"
    assert read(*with_ids).items == 2
    assert refusal(texts[0], texts[0] + "1,1\n").code == "other-rows"


SEEDS = {
    "a-s1.txt": "0\n0.5\n",
    "a-s2.txt": "1\n0\n",
    "b-s1.txt": "1\n1\n",
    "b-s2.txt": "1\n0.25\n",
}


def test_a_file_for_each_run():
    def question(files, **settings):
        contents = [(f"runs/{name}", text.encode()) for name, text in files.items()]
        try:
            tables, reading = tables_of(contents, Reading.of(settings))
            return answer.question(tables, "difference", reading)
        except ExactPermError as error:
            return error

    found = question(SEEDS)
    assert (found.code, found.cure.choose) == ("runs", "runs")
    assert "files are runs by their names, a (s1, s2), b (s1, s2)" in str(found)
    found = question(SEEDS, runs="systems")
    assert (found.u, found.v, found.source.names) == (*READ, ("a", "b"))
    ids = {
        name: "\n".join(f"{i},{x}" for i, x in zip(("id", "p", "q"), ["x", *text.split()]))
        for name, text in SEEDS.items()
    }
    ids["b-s3.txt"] = "id,x\nq,4\np,3\n"
    assert question(ids, runs="within").v == [["1", "1", "3"], ["1", "0.25", "4"]]
    assert question({**SEEDS, "b-s3.txt": "1\n2\n"}, runs="within").code == "other-runs"
    assert question({**SEEDS, "b-s2.txt": "1\n\n0\n"}, runs="within").code == "blank-line"


def test_items_with_a_missing_score_are_left_out():
    found = read(A, B + "q1,3,NA\n", missing="drop")
    assert (found.items, found.dropped, list(found.scores.values())) == (
        2,
        1,
        [[["0.5", "0"]], [["1", "0.25"]]],
    )
    assert refusal(A.replace("0.5", "NA"), B + "q1,3,NA\n", missing="drop").code == "empty"


@pytest.mark.parametrize("statistic", ["f1_difference", "accuracy", "sign", "wilcoxon"])
def test_other_statistics_have_no_runs(statistic):
    found = asked(WIDE, statistic=statistic, runs="within")
    assert found.code == "runs-statistic"
    assert found.cure.words


def test_a_shift_of_runs_is_refused():
    tables, reading = tables_of([("f.csv", WIDE.encode())], Reading(runs="within"))
    with pytest.raises(ExactPermError) as caught:
        answer.question(tables, "difference", reading, mu=1)
    assert caught.value.code == "runs-options"


def test_items_with_weights():
    texts = [text.replace("score\n", "score,w\n") for text in (A, B)]
    texts = [
        "".join(
            f"{line},{2 if line[1] == '1' else 1}\n" if line[0] == "q" else f"{line}\n"
            for line in text.split()
        )
        for text in texts
    ]
    found = asked(*texts, runs="within", weights="w")
    assert (found.weights, found.u) == (["2", "1"], READ[0])
    assert [level for _name, level in found.levels] == [Fraction(5, 12), Fraction(7, 8)]
    assert asked(*texts, runs="within", weights="w", tasks="w").code == "runs-options"
    wrong = asked(texts[0], texts[1].replace("q1,2,1,2", "q1,2,1,3"), runs="within", weights="w")
    assert (wrong.code, "b.csv, line 3, column 4 (w), id 'q1'" in str(wrong)) == ("weights", True)
    assert (
        asked(*[text.replace(",2\n", ",0\n") for text in texts], runs="within", weights="w").code
        == "weights"
    )


def test_swapped_systems():
    tables, reading = tables_of([("f.csv", WIDE.encode())], Reading(runs="within"))
    found = answer.question(tables, "difference", reading, swapped=True)
    assert (found.u, found.v) == (READ[1], READ[0])
    assert found.words.endswith("B - A")
    assert found.levels == answer.question(tables, "difference", reading).levels


# -------------------------------------------------------------------------------------------- tools


def inspect(*scores):
    """Return a log of Inspect with these scores of the epochs of each item."""
    samples = [
        {
            "id": f"q{i}",
            "epoch": j,
            "input": f"i{i}",
            "target": "t",
            "scores": {"acc": {"value": value}},
        }
        for i, values in enumerate(scores)
        for j, value in enumerate(values, 1)
    ]
    return json.dumps(
        {"version": 2, "status": "success", "eval": {"task": "t"}, "samples": samples}
    )


def test_epochs():
    a, b = inspect("CI", "CC"), inspect("IIC", "I")
    found = read(a, b)
    assert list(found.scores.values()) == [[["1", "0"], ["1", "1"]], [["0", "0", "1"], ["0"]]]
    assert (found.reading.id, found.reading.run) == ("id", "epoch")
    assert found.told.endswith("rows of each id, by epoch")
    one = read(inspect("C", "I"), b)
    assert next(iter(one.scores.values())) == [["1"], ["0"]]
    assert refusal(a, b, runs="systems").code == "run-missing"
    assert refusal(a, b.replace("i1", "other")).code == "other-items"


def harness(*scores, repeats=True):
    """Return samples of lm-evaluation-harness with these scores of each repeat."""
    rows = []
    for i, values in enumerate(scores):
        row = {
            "doc_id": i,
            "doc": {"q": i},
            "target": "t",
            "filter": "none",
            "metrics": ["em"],
            "doc_hash": str(i),
        }
        row["em"] = sum(values) / len(values)
        rows.append({**row, "scores_per_repeat": {"em": values, "note": "x"}} if repeats else row)
    return "\n".join(map(json.dumps, rows))


def test_a_metric_of_all_repeats_is_one_score_of_an_item():
    """pass@k and votes are one number for each item, beside the scores of each repeat: no design is needed."""

    def scored(*passes):
        lines = harness(*[[1, 0]] * len(passes)).splitlines()
        records = [
            {**json.loads(line), "metrics": ["em", "pass@2"], "pass@2": x}
            for line, x in zip(lines, passes)
        ]
        return "".join(f"{json.dumps(record)}\n" for record in records)

    files = [("a.jsonl", scored(1, 0, 1).encode()), ("b.jsonl", scored(0, 0, 1).encode())]
    tables, reading = tables_of(files, Reading(key="pass@2"))
    found = answer.question(tables, "difference", reading)
    assert ([*map(int, found.u)], [*map(int, found.v)], found.design) == ([1, 0, 1], [0, 0, 1], "")
    with pytest.raises(ExactPermError) as caught:
        tables_of(files, Reading(key="em"))
    assert caught.value.code == "runs"
    with pytest.raises(ExactPermError) as caught:
        runs.chosen(*tables_of(files, Reading(key="pass@2", runs="within")), most=2)
    assert caught.value.code == "runs-columns"


def test_repeats():
    a, b = harness([1, 0], [1, 1]), harness([0, 0, 1], [0])
    found = read(a, b)
    assert list(found.scores.values()) == [[["1", "0"], ["1", "1"]], [["0", "0", "1"], ["0"]]]
    assert found.reading.run == "repeat"
    assert list(read(a, harness([1], [0], repeats=False)).scores.values())[1] == [["1.0"], ["0.0"]]
    contents = [(name, text.encode()) for name, text in (("a.jsonl", a), ("b.jsonl", b))]
    for pair in (contents, [("c.jsonl", harness([1], [0], repeats=False).encode()), contents[0]]):
        with pytest.raises(ExactPermError) as caught:
            tables_of(pair, Reading())
        assert (caught.value.code, caught.value.cure.choose) == ("runs", "runs")
