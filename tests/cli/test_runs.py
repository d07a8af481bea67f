"""Several runs of each system on the command line: every form of file gives the number of the library's function."""

import json
from fractions import Fraction

import pytest

from exactperm import fast_permutation_test_runs, permutation_test_runs, verifier
from exactperm.cli import main
from exactperm.swaps.runs import DESIGNS

A, B = [[0, 1, 1], [0, 1, 0], [1, 0, 0]], [[1, 1, 1], [1, 0, 1], [1, 1, 1]]


def side(runs):
    """Return the file of one system, a row for each run."""
    rows = [f"q{i},{j},{score}" for i, scores in enumerate(runs) for j, score in enumerate(scores)]
    return "\n".join(["item,seed,acc", *rows]) + "\n"


def long(**systems):
    """Return the long table of systems."""
    rows = [
        f"{name},{row}" for name, runs in systems.items() for row in side(runs).splitlines()[1:]
    ]
    return "\n".join(["system,item,seed,acc", *rows]) + "\n"


FILES = {
    "a.csv": side(A),
    "b.csv": side(B),
    "long.csv": long(a=A, b=B),
    "three.csv": long(a=A, b=B, c=A[::-1]),
    "wide.csv": "a_s1,a_s2,a_s3,b_s1,b_s2,b_s3\n"
    + "".join(",".join(map(str, x + y)) + "\n" for x, y in zip(A, B)),
}
SIDE = "item,seed,a,b\n" + "".join(
    f"q{i},{j},{x},{y}\n" for i, pair in enumerate(zip(A, B)) for j, (x, y) in enumerate(zip(*pair))
)
FORMS = [
    "a.csv b.csv",
    "long.csv --system system",
    "wide.csv",
    "wide.csv --columns a_s*,b_s*",
    "wide.csv --columns 1-3,4-6",
]


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Write the files, run a command, and return its status and what it printed."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")

    def run(words):
        return main.main(words.split()), *capsys.readouterr()

    return run


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_number_of_the_library(run, form, design):
    result = permutation_test_runs(A, B, design=design, alternative="less")
    status, out, _err = run(f"test {form} --runs {design} --alternative less --json --midp")
    record = json.loads(out)
    assert (status, Fraction(record["pvalue"]), record["design"]) == (0, result.pvalue, design)
    assert Fraction(record["midp"]) == result.midp
    assert record["runs"].startswith("3 of ")
    swapped = run(
        f"test {form} --runs {design} --alternative greater --json --orientation second-first"
    )[1]
    assert Fraction(json.loads(swapped)["pvalue"]) == result.pvalue


def test_a_record_of_runs_is_counted_again(run, tmp_path):
    (tmp_path / "r.json").write_text(run("test wide.csv --runs within --json")[1])
    assert run("recount r.json")[:2] == (0, "r.json: confirmed\n")


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("form", [*FORMS, "side.csv"])
def test_certificates_of_runs_are_checked_against_the_files(run, tmp_path, form, design):
    """One file for each system, or two blocks of columns; of other forms the count alone is certified."""
    (tmp_path / "side.csv").write_text(SIDE)
    status, _out, err = run(f"test {form} --runs {design} --certificate c.json")
    files = [word for word in form.split() if word.endswith(".csv")]
    alone = form in ("side.csv", "long.csv --system system") or (
        design == "systems" and form == "a.csv b.csv"
    )
    read = [] if alone else files
    assert (status, err.splitlines()[-1].split()[7:]) == (0, ["c.json", *read]), err
    assert run("recount c.json --independent")[0] == 0
    assert verifier.main(["c.json", *read]) == 0


def test_the_result_says_what_was_exchanged(run):
    out = run("test wide.csv --runs within")[1]
    assert "\n  runs         3 of a, 3 of b on each item: a (s1, s2, s3), b (s1, s2, s3)\n" in out
    assert "\n  means        a 0.444444, b 0.888889\n" in out
    assert "% of all exchanges of runs within items give a mean difference of" in out
    assert " | paired permutation, runs exchanged within 3 items | difference of means | " in out
    assert " of all exchanges of whole runs " in run("test wide.csv --runs systems")[1]
    assert " of all swaps of the items' runs " in run("test wide.csv --runs items")[1]


@pytest.mark.parametrize(
    "form", ["a.csv b.csv", "long.csv --system system", "wide.csv", "long.csv"]
)
def test_a_design_is_asked_for_in_a_line_each(run, form):
    status, out, err = run(f"test {form}")
    assert (status, out) == (2, "")
    _said, *lines = err.splitlines()
    for (name, words), line, tried in zip(DESIGNS.items(), lines[::2], lines[1::2]):
        assert line == f"exactperm:   {name}: {words}"
        assert tried.startswith("exactperm: try: exactperm test ")
        assert f"--runs {name}" in tried
        assert run(tried.partition("try: exactperm ")[2])[0] == 0
    assert len(lines) == 2 * len(DESIGNS)


@pytest.mark.parametrize(
    ("words", "tried"),
    [
        ("test wide.csv --runs within --groups a_s1", "try: exactperm test wide.csv --runs within"),
        ("test wide.csv --runs within --statistic f1", "see: exactperm guide runs"),
        ("test wide.csv --runs hierarchical", "see: exactperm guide runs"),
        ("interval wide.csv --runs within", "see: exactperm guide runs"),
        ("test nofile.csv --runs within", "see: exactperm guide files"),
    ],
)
def test_no_design_is_guessed_and_the_guide_says_more(run, words, tried):
    assert run(words)[2].splitlines()[-1] == f"exactperm: {tried}"


def test_compare(run):
    status, out, _err = run("compare three.csv --system system --runs within")
    assert status == 0
    assert out.startswith(
        "three.csv: 3 exact permutation tests of several runs (within), two-sided; "
    )
    assert [line.split()[:2] for line in out.splitlines()[3:]] == [
        ["a", "b"],
        ["a", "c"],
        ["b", "c"],
    ]
    table = json.loads(run("compare three.csv --system system --runs within --json")[1])
    assert (
        Fraction(table["rows"][0]["pvalue"]) == permutation_test_runs(A, B, design="within").pvalue
    )
    assert table["design"] == "within"
    picture = run("compare three.csv --system system --runs items --svg -")[1]
    assert "difference of means -0.4444444444, adjusted p" in picture
    assert run("test three.csv --system system --runs within")[2].endswith(
        "try: exactperm compare three.csv --system system --runs within\n"
    )


def test_distribution(run):
    lines = run("dist wide.csv --runs within")[1].splitlines()[1:]
    assert (
        sum(int(line.split(",")[1]) for line in lines)
        == permutation_test_runs(A, B, design="within").total
    )


def test_estimates_from_random_labelings(run):
    record = json.loads(
        run("test wide.csv --runs within --method monte-carlo --samples 999 --json")[1]
    )
    low, high = map(Fraction, record["interval"])
    assert low <= permutation_test_runs(A, B, design="within").pvalue <= high
    out = run("test wide.csv --runs within --method monte-carlo --samples 999 --decimals 1")[1]
    assert "\n  items        3\n  design       within\n" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "interval wide.csv --runs within",
            "--runs is of a test, there is no interval of several runs: write the mean",
        ),
        (
            "compare wide.csv --runs within --intervals",
            "--runs is of a test, there is no interval of several runs",
        ),
        (
            "test wide.csv --runs within --statistic f1",
            "by means of scores, not by the statistic f1; write a row for",
        ),
        (
            "test wide.csv --runs within --statistic sign",
            "not by the statistic sign; write the mean of its runs",
        ),
        ("test wide.csv --runs within --mu 1", "mu and runs exclude each other"),
        (
            "test wide.csv --runs pooled",
            "invalid choice: 'pooled' (choose from within, items, systems)",
        ),
        (
            "test a.csv wide.csv --runs within",
            "wide.csv: names of the runs of a system differ in the",
        ),
    ],
)
def test_refused_by_name_with_what_to_do(run, words, message):
    status, out, err = run(words)
    assert (status, out, message in err) == (2, "", True), err


REAL = "item,a_s1,a_s2,b_s1,b_s2\n" + "".join(
    f"q{i}," + ",".join(f"{pow(7 * i + k, 11, 10**15 + 37)}e-15" for k in range(4)) + "\n"
    for i in range(1, 81)
)


@pytest.mark.parametrize("words", ["", " --method certified --digits 3"])
def test_real_scores_are_enclosed(run, tmp_path, words):
    """Eighty items of four different scores have too many sums: two bounds, as of the library."""
    (tmp_path / "real.csv").write_text(REAL)
    status, out, _err = run(f"test real.csv --runs items --json{words}")
    record = json.loads(out)
    assert (status, record["claim"], record["design"]) == (0, "enclosed", "items")
    rows = [line.split(",")[1:] for line in REAL.splitlines()[1:]]
    digits = {"digits": 3} if words else {}
    result = fast_permutation_test_runs(
        [x[:2] for x in rows], [x[2:] for x in rows], design="items", **digits
    )
    assert record["bracket"] == result.to_dict()["bracket"]
    shown = run(f"test real.csv --runs items{words}")[1]
    assert " of all swaps of the items' runs give a mean difference of " in shown
    assert "blocks of runs swapped within 80 items" in shown


def test_certified_leaderboard(run):
    out = run("compare three.csv --system system --runs within --method certified")[1]
    assert out.startswith(
        "three.csv: 3 certified permutation tests of several runs (within), two-sided; "
    )


@pytest.mark.parametrize("command", ["test", "compare"])
@pytest.mark.parametrize("word", ["hierarchical", "Both", "crossed"])
def test_runs_and_items_that_are_both_random_are_refused_with_reason(run, command, word):
    status, out, err = run(f"{command} wide.csv --runs {word}")
    assert (status, out) == (2, "")
    assert (
        f"argument --runs: design is '{word}': a null hypothesis under which runs and items are both random"
        in err
    )
    assert "no exact permutation test" in err
    assert "systems and items, and report both" in err
    assert "choose from" not in err


def test_a_misspelt_design_is_mended(run):
    assert "try: exactperm test wide.csv --runs within" in run("test wide.csv --runs withn")[2]
