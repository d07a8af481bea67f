"""Outputs of evaluation tools: recognised by their keys, joined by their ids, refused where runs saw other items.

The small files here have the keys of the tools' published schemas: the samples that
lm-evaluation-harness logs (``lm_eval/evaluator.py``), HELM's ``PerInstanceStats`` and ``Stat``,
Inspect's ``EvalLog`` and ``Score``, and the reports of SWE-bench
(``swebench/harness/reporting.py``, schema version 2; results of the public submissions).
"""

import json

import pytest

from exactperm.errors import ExactPermError
from exactperm.files import evaluations, sources
from exactperm.files.columns import LAYOUTS, ask
from exactperm.files.reading import Reading


def harness(doc, acc, answer_filter="none", **more):
    """One line of ``samples_*.jsonl``."""
    return {
        "doc_id": doc,
        "doc": {"question": f"q{doc}"},
        "target": "4",
        "arguments": [["prompt", "until"]],
        "resps": [["4"]],
        "filtered_resps": ["4"],
        "filter": answer_filter,
        "metrics": ["acc"],
        "doc_hash": f"hash of {doc}",
        "prompt_hash": "p",
        "target_hash": f"target of {doc}",
        "acc": acc,
        **more,
    }


def helm(instance, value, trial=0, perturbation=None, metric="exact_match"):
    """One entry of ``per_instance_stats.json``."""
    entry = {
        "instance_id": instance,
        "train_trial_index": trial,
        "stats": [_stat("num_references", 4), _stat(metric, value)],
    }
    return entry if perturbation is None else {**entry, "perturbation": {"name": perturbation}}


def _stat(name, mean):
    return {"name": {"name": name, "split": "test"}, "count": 1, "sum": mean, "mean": mean}


def inspect(*samples, epochs=1):
    """A log as ``inspect log dump`` prints it."""
    return {
        "version": 2,
        "status": "success",
        "eval": {"task": "arc", "config": {"epochs": epochs}},
        "samples": samples,
    }


def sample(item, value, epoch=1, target="B"):
    return {
        "id": item,
        "epoch": epoch,
        "input": f"question {item}",
        "target": target,
        "scores": {"choice": {"value": value, "answer": "B"}} if value is not ... else None,
    }


def report(resolved, others, total):
    """The final report of a SWE-bench run."""
    return {
        "total_instances": total,
        "submitted_instances": len(resolved) + len(others),
        "completed_ids": sorted([*resolved, *others]),
        "incomplete_ids": [],
        "resolved_ids": resolved,
        "unresolved_ids": others,
        "schema_version": 2,
    }


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """Write runs as files and return their question: names, u, v, groups and how they were read."""
    monkeypatch.chdir(tmp_path)

    def asked(*runs, lines=False, **chosen):
        names = []
        for letter, run in zip("ab", runs):
            names.append(f"{letter}.json")
            text = "\n".join(map(json.dumps, run)) if lines else json.dumps(run)
            (tmp_path / names[-1]).write_text(text)
        sheets, choice = sources.read_tables(names, Reading(**chosen))
        return ask(sheets, LAYOUTS["difference"], choice)

    return asked


def test_harness(asked):
    a, b = (
        [harness(i, x) for i, x in enumerate((1.0, 0.0, 1.0))],
        [harness(i, x) for i, x in ((2, 0.0), (0, 0.5), (1, 1.0))],
    )
    found = asked(a, b, lines=True)
    assert (found.u, found.v) == (["1.0", "0.0", "1.0"], ["0.5", "1.0", "0.0"])
    assert found.source.names == ("a.json: acc", "b.json: acc")
    assert found.source.id == "doc_id"
    assert asked(a, b, lines=True, id="doc_id").u == found.u
    assert found.source.rows()[1] == ("format", "lm-evaluation-harness samples")
    assert found.source.files[0].to_dict()["format"] == "lm-evaluation-harness samples"


def test_harness_without_the_list_of_metrics(asked):
    """Older versions do not name the metrics: what is no known key and no list may be one."""
    old = [
        {key: value for key, value in harness(i, 1.0, f1=[1, 0]).items() if key != "metrics"}
        for i in range(2)
    ]
    assert asked(old, old, lines=True).u == ["1.0", "1.0"]


def test_a_metric_is_chosen(asked):
    runs = [[harness(0, 1.0, metrics=["acc", "acc_norm"], acc_norm=x)] for x in (0.0, 1.0)]
    with pytest.raises(ExactPermError) as caught:
        asked(*runs)
    assert str(caught.value) == "a.json: which metric is compared? It has 'acc', 'acc_norm'"
    assert caught.value.cure.settings == {"key": "acc"}
    assert asked(*runs, key="acc_norm").v == ["1.0"]
    assert asked(*runs, columns="acc_norm").v == ["1.0"]
    with pytest.raises(ExactPermError, match="no record has the key 'em'"):
        asked(*runs, key="em")
    with pytest.raises(ExactPermError, match=r"which metric is compared. It has none"):
        asked([harness(0, 1.0, metrics=[])], [harness(0, 1.0)])


def test_a_filter_is_chosen(asked):
    both = [
        harness(i, x, kind)
        for i in range(2)
        for kind, x in (("strict-match", 0), ("flexible-extract", 1))
    ]
    with pytest.raises(ExactPermError) as caught:
        asked(both, both)
    assert (
        str(caught.value)
        == "a.json: which answers are compared? It has 'strict-match', 'flexible-extract'"
    )
    assert asked(both, both, filter="flexible-extract").u == ["1", "1"]
    with pytest.raises(ExactPermError, match=r"which answers are compared. It has 'none'"):
        asked([harness(0, 1)], [harness(0, 1)], filter="flexible")
    with pytest.raises(ExactPermError, match=r"which answers are compared. It has no filters"):
        asked(report(["x"], [], 1), report(["x"], [], 1), filter="none")


@pytest.mark.parametrize("key", ["doc_hash", "target_hash"])
def test_runs_that_saw_different_items(asked, key):
    a, b = [harness(0, 1), harness(1, 0)], [harness(1, 1), harness(0, 0, **{key: "another"})]
    with pytest.raises(ExactPermError) as caught:
        asked(a, b, lines=True)
    assert str(caught.value) == (
        f"b.json, line 2: doc_id '0' has another {key} than in a.json, line 1: the runs saw different items"
    )
    for record in (*a, *b):
        del record[key]
    assert asked(a, b, lines=True).u == ["1", "0"]


def test_ids_must_be_the_same(asked):
    with pytest.raises(
        ExactPermError, match=r"must have the same ids, but b\.json lacks '1'; a\.json lacks '7'"
    ):
        asked([harness(0, 1), harness(1, 0)], [harness(0, 1), harness(7, 0)])


def test_helm(asked):
    a, b = [helm("id3", 1.0), helm("id4", 0.0)], [helm("id4", 1.0), helm("id3", 1.0)]
    with pytest.raises(
        ExactPermError, match=r"which metric is compared. It has 'num_references', 'exact_match'"
    ):
        asked(a, b)
    found = asked(a, b, key="exact_match")
    assert (found.u, found.v, found.source.id) == (["1.0", "0.0"], ["1.0", "1.0"], "item")
    twice = [helm("id3", 1.0, metric="num_references")]
    with pytest.raises(ExactPermError, match="'num_references' seems to name the items"):
        asked(twice, twice)


def test_helm_runs_of_one_instance(asked):
    """Trials and perturbations of an instance are not exchangeable one by one: they are swapped together."""
    a = [
        helm("id3", 1.0),
        helm("id3", 0.0, trial=1),
        helm("id3", 0.0, perturbation="typos"),
        helm("id4", 1.0),
    ]
    with pytest.raises(ExactPermError) as caught:
        asked(a, a, key="exact_match")
    assert str(caught.value).startswith(
        "a.json: 4 results of 2 items: several runs of each item need a design"
    )
    assert (caught.value.code, caught.value.cure.choose) == ("runs", "runs")
    assert asked(a, a[::-1], key="exact_match", groups="instance_id").groups == [
        "id3",
        "id3",
        "id3",
        "id4",
    ]


@pytest.mark.parametrize("stats", [None, [1], [{"name": "exact_match"}]])
def test_helm_without_statistics(asked, stats):
    broken = [helm("id3", 1.0), {**helm("id4", 1.0), "stats": stats}]
    with pytest.raises(
        ExactPermError, match=r"a\.json, line 1: no list of statistics of a HELM instance"
    ):
        asked(broken, broken, key="exact_match")


def test_inspect(asked):
    a = inspect(
        sample(1, "C"),
        sample(2, "I"),
        sample(3, "P"),
        sample(4, "N"),
        sample("5", True),
        sample(6, 0.25),
    )
    found = asked(a, a)
    assert found.u == ["1", "0", "0.5", "0", "1", "0.25"]
    assert found.source.names == ("a.json: choice", "b.json: choice")
    assert found.source.rows()[1] == ("format", "Inspect log (C is 1, P is 0.5, I and N are 0)")


def test_inspect_scores_that_are_missing(asked):
    a, b = inspect(sample(1, "C"), sample(2, float("nan"))), inspect(sample(1, "C"), sample(2, ...))
    with pytest.raises(ExactPermError, match=r"id '2': 'NaN' marks a missing score"):
        asked(a, b)
    assert asked(a, b, missing="drop").u == ["1"]


def test_inspect_scores_of_several_values(asked):
    a = inspect(sample(1, {"precision": 0.5, "recall": 1}))
    with pytest.raises(
        ExactPermError,
        match=r"which metric is compared. It has 'choice\.precision', 'choice\.recall'",
    ):
        asked(a, a)
    assert asked(a, a, key="choice.recall").u == ["1"]
    plain = {**a, "samples": [{**a["samples"][0], "scores": {"choice": 1}}]}
    assert asked(plain, plain).u == ["1"]


def test_inspect_epochs(asked):
    a = inspect(*[sample(i, "C", epoch) for i in (1, 2) for epoch in (1, 2)])
    with pytest.raises(ExactPermError, match="4 results of 2 items"):
        asked(a, a)
    assert asked(a, a, groups="id").groups == ["1", "1", "2", "2"]


def test_inspect_runs_that_saw_different_items(asked):
    with pytest.raises(
        ExactPermError,
        match=r"b\.json, line 1: item '2' has another target than in a\.json, line 1",
    ):
        asked(
            inspect(sample(1, "C"), sample(2, "C")),
            inspect(sample(1, "C"), sample(2, "C", target="D")),
        )


@pytest.mark.parametrize("samples", [None, [], [1]])
def test_inspect_header_alone(asked, samples):
    header = {**inspect(), "samples": samples}
    with pytest.raises(
        ExactPermError, match=r"a\.json has no samples: write the whole log with inspect log dump"
    ):
        asked(header, header)
    del header["samples"]
    with pytest.raises(ExactPermError, match=r"a\.json has no samples"):
        asked(header, header)


def test_swe_bench_reports(asked):
    found = asked(report(["d-1", "d-2"], ["d-3"], 3), report(["d-2"], ["d-1", "d-3"], 3))
    assert (found.u, found.v) == (["1", "1", "0"], ["0", "1", "0"])
    with pytest.raises(ExactPermError) as caught:
        asked(report(["d-1"], [], 300), report(["d-1"], [], 500))
    assert (
        str(caught.value)
        == "a.json is about 300 instances and b.json about 500: they are not of one dataset"
    )


def test_swe_bench_results_name_only_what_is_resolved(asked):
    """Instances that no file lists are ties; one that a file does not list is not resolved in it."""
    a, b = (
        {"no_generation": ["d-9"], "no_logs": [], "resolved": resolved}
        for resolved in (["d-1", "d-2"], ["d-2", "d-3"])
    )
    found = asked(a, b)
    assert (found.u, found.v) == (["1", "1", "0", "0"], ["0", "1", "1", "0"])


def test_files_of_one_kind(asked):
    with pytest.raises(ExactPermError) as caught:
        asked([harness(0, 1)], [{"id": 0, "acc": 1}])
    assert str(caught.value) == (
        "files of one kind are compared, but a.json holds lm-evaluation-harness samples, b.json holds other records"
    )
    with pytest.raises(
        ExactPermError, match=r"other records, b\.json holds HELM statistics per instance"
    ):
        asked([{"id": 0, "acc": 1}], [helm("id3", 1)])


@pytest.mark.parametrize(
    "record",
    [{"doc_id": 1, "acc": 0.5}, {"instance_id": 1, "stats": 2}, {"eval": {}}, {"resolved": 1}],
)
def test_other_records_stay_as_they_are(asked, record):
    assert evaluations.recognised([(1, record)], "f") is None
    assert evaluations.recognised([(1, {"eval": {}}), (2, {"resolved": []})], "f") is None
    key = list(record)[-1]
    if not isinstance(record[key], dict):
        assert (
            asked([record], [record], key=key).source.rows()[1][1]
            == "JSON records; delimiter comma reads a table"
        )


def test_a_packed_log_of_inspect(tmp_path):
    path = tmp_path / "run.eval"
    path.write_bytes(b"PK\3\4")
    with pytest.raises(
        ExactPermError,
        match=r"is a packed log of Inspect: inspect log dump .*run\.eval > log\.json unpacks it",
    ):
        sources.read_tables([str(path)], Reading())


def test_one_run_has_no_pair(asked):
    with pytest.raises(ExactPermError) as caught:
        asked([harness(0, 1), harness(1, 0)], lines=True)
    assert str(caught.value) == "a.json holds the scores of one run"
    assert asked([harness(0, 1, f1=0.5)], lines=True, columns="acc,f1").v == ["0.5"]
