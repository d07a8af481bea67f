"""The command line: what it answers, what it refuses, and how it leaves."""

import hashlib
import io
import itertools
import json
import os
import random
import re
import runpy
import signal
import subprocess
import sys
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path

import pytest

import exactperm
from exactperm import fast, verifier
from exactperm.budget import Budget
from exactperm.cli import compare, demo, dist, values
from exactperm.cli import main as cli
from exactperm.cli import test as testing_command
from exactperm.cli.progress import Bar
from exactperm.files import answer
from exactperm.files.columns import LAYOUTS
from exactperm.null.distribution import NullDistribution
from exactperm.null.result import PermutationTestResult
from exactperm.permutation import permutation_test, sign_flip_test

ROOT = Path(exactperm.__file__).parent.parent
MAIZE = "\n".join(map(str, demo.DARWIN_MAIZE)) + "\n"
NO_NUMBER = "not a finite number such as '0.93', '3/7' or '1e-3'"
DRAWS = "the exact test draws no samples: --{} is of another method; say --method monte-carlo"
DROP = "; say --missing drop to leave such pairs out"
SCORES = "id,new,old,doc\na,0.930,0.91,x\nb,0.8,0.85,x\nc,0.7,0.5,y\nd,0.6,0.6,z\n"


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a file of the given text or bytes in a fresh working directory."""
    monkeypatch.chdir(tmp_path)

    def written(content, name="f.csv"):
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return written


@pytest.fixture
def clock(monkeypatch):
    """Whatever is measured takes 0.123456789 s."""
    monkeypatch.setattr("time.perf_counter", itertools.count(5, 0.123456789).__next__)


class NotedBar(Bar):
    """A bar on a silent stream that keeps what it was told."""

    def __init__(self, stream):
        super().__init__(None)
        self.stream = stream
        self.told = []

    def __call__(self, done, total):
        self.told.append((done, total))


EXECUTOR = Executor()


@pytest.fixture
def asked(monkeypatch):
    """What a command asks of the library: (name, entries, options), in order."""
    calls = []

    def noted(module, name):
        function = getattr(module, name)

        def call(*entries, **options):
            calls.append((name, entries, options))
            return function(*entries, **options)

        monkeypatch.setattr(module, name, call)

    noted(answer, "permutation_test")
    noted(fast, "fast_permutation_test")
    noted(sys.modules["exactperm.compare"], "compare_all")
    for command in (testing_command, dist, compare):
        monkeypatch.setattr(command, "Bar", NotedBar)
    monkeypatch.setattr(
        "exactperm.cli.workers.workers", lambda *wanted: {(2, None): nullcontext(EXECUTOR)}[wanted]
    )
    return calls


@pytest.fixture
def run(capsys):
    """Run a command in this process: (status, standard output, standard error)."""

    def ran(*words):
        status = cli.main(words)
        out, err = capsys.readouterr()
        return status, out, re.sub(r"^exactperm: (try|see): .*\n", "", err, flags=re.MULTILINE)

    return ran


def command(*words, **options):
    """Run the command as users do, in a process of its own."""
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.run(
        [sys.executable, "-m", "exactperm", *words],
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "COVERAGE_PROCESS_START": ""},
        **options,
    )


# ------------------------------------------------------------------------------------------ answers


def test_test_of_one_column(run, write, clock):
    status, out, err = run("test", write(MAIZE))
    assert (status, err) == (0, "")
    assert out == (
        "Exact paired-permutation test, two-sided\n"
        "  data         f.csv: column 1\n"
        "  header       none; --header yes makes line 1 one\n"
        "  mean         20.9333\n"
        "  p-value      0.05267333984, exactly 863/16384\n"
        "  assignments  1726 of 2^15 at least as extreme\n"
        "  log10 p      -1.278409144\n"
        "  statistic    314 (sum of the differences)\n"
        "  pairs        15, 0 tied\n"
        "  time         123.5 ms\n"
        "  in words     5.27% of all swaps give a difference of 314 or more (mean 20.9) in either direction.\n"
        "exactperm 0.2.0 | paired permutation, sign flips of 15 differences | sum of differences | "
        f"two-sided | p = 0.0527 (exact 863/16384) | sha256:{hashlib.sha256(MAIZE.encode()).hexdigest()[:8]}\n"
        "note: one column is taken as the differences A - B; to compare two systems, name both files\n"
    )


def test_the_line_of_one_column_is_audited_in_both_forms(run, write):
    name = write(MAIZE)
    line = run("test", name)[1].splitlines()[-2]
    for form in (line, line.replace("sign flips of 15 differences", "swaps of 15 pairs")):
        status, out, _err = run("audit", name, "--p", form)
        verdict, *_reason = out.splitlines()
        assert (status, verdict.split()[0], verdict.split()[-1]) == (0, "consistent", "[equal]")


def test_test_of_two_columns_with_all_options(run, write):
    status, out, _err = run(
        "test", write(SCORES), "--columns", "new,old", "--groups", "doc", "--alternative", "greater", "--decimals",
        "2", "--method", "enumeration", "--digits", "5", "--max-seconds", "9", "--max-memory", "100m", "--header",
        "yes", "--delimiter", "comma", "--statistic", "difference",
    )  # fmt: skip
    assert status == 0
    assert "greater" in out
    assert "statistic    0.17 (sum of the differences new - old)" in out
    assert "pairs        4 in 3 groups, 1 tied" in out
    assert "p-value      0.50000, exactly 1/2\n" in out


SAID = (
    *(
        "--alternative",
        "less",
        "--decimals",
        "2",
        "--groups",
        "doc",
        "--tasks",
        "doc",
        "--weights",
        "old",
    ),
    *("--max-seconds", "0.5", "--max-memory", "3M"),
)
NEW, OLD = ["0.930", "0.8", "0.7", "0.6"], ["0.91", "0.85", "0.5", "0.6"]
HANDED = {
    "alternative": "less",
    "decimals": 2,
    "groups": ["x", "x", "y", "z"],
    "weights": OLD,
    "tasks": ["x", "x", "y", "z"],
    "budget": Budget(seconds=0.5, bytes=3 * 2**20),
}
UNSAID = {
    "alternative": "two-sided",
    "budget": Budget(),
    **dict.fromkeys(("decimals", "groups", "weights", "tasks")),
}


@pytest.mark.parametrize("command", ["test", "dist"])
@pytest.mark.parametrize("words", [(SAID, HANDED), ((), UNSAID)])
def test_options_reach_the_exact_test(run, write, asked, command, words):
    said, handed = words
    method = ["--method", "enumeration", "--processes", "2"] if command == "test" and said else []
    assert run(command, write(SCORES), "--columns", "new,old", *said, *method)[0] == 0
    ((name, entries, options),) = asked
    assert options.pop("progress").stream is sys.stderr
    assert options.pop("executor") is (EXECUTOR if method else None)
    assert (name, entries) == ("permutation_test", (NEW, OLD))
    assert options == {
        **handed,
        "statistic": exactperm.difference,
        "method": method[1] if method else "auto",
    }


@pytest.mark.parametrize("words", [(SAID, HANDED), ((), UNSAID)])
def test_options_reach_the_float_path(run, write, asked, words):
    said, handed = words
    digits = ("--digits", "20") if said else ()
    assert (
        run("test", write(SCORES), "--columns", "new,old", "--method", "certified", *said, *digits)[
            0
        ]
        == 0
    )
    assert asked[0][2].pop("progress").stream is sys.stderr
    options = {**handed, "statistic": exactperm.difference, "digits": 20 if said else None}
    assert asked == [("fast_permutation_test", (NEW, OLD), options)]


@pytest.mark.parametrize("words", [((*SAID, "--adjust", "fdr_bh"), HANDED), ((), UNSAID)])
def test_options_reach_the_comparison(run, write, asked, words):
    said, handed = words
    name = write(SCORES.replace(",", "|"))
    assert run("compare", name, "--delimiter", "|", "--columns", "new,old", *said)[0] == 0
    ((name, entries, options),) = asked
    bar = options.pop("progress")
    assert (bar.stream is sys.stderr, bar.told) == (True, [(1, 1)])
    assert (name, entries) == ("compare_all", ({"new": NEW, "old": OLD},))
    assert options == {**handed, "adjust": "fdr_bh" if said else "holm", "executor": None}


def test_systems_may_have_numbers_as_names(run, write):
    name = write("2020,2021\n1,2\n3,3\n")
    assert run("compare", name, "--header", "yes")[1].splitlines()[3].split()[:3] == [
        "2020",
        "2021",
        "-1",
    ]
    out = run("compare", name, "--delimiter", "comma")[1]
    assert out.splitlines()[3].split()[:5] == ["column", "1", "column", "2", "-2"]
    assert out.splitlines()[1].startswith("header: none; --header yes makes line 1 one; cells: ")


def test_all_values_of_a_distribution_are_written_or_none(run, write):
    name = write("\n".join(f"{7**i % 1009}.{3**i % 997:03}" for i in range(12)))
    assert run("dist", name, "--max-seconds", "60")[0] == 0
    status, out, err = run("dist", name, "--max-seconds", "0.05")
    assert (status, out) == (2, "")
    assert "counting and writing 4064 values would take about 0.06" in err


def test_the_distribution_has_the_same_limits(run, write):
    """The 3,001 counts of 3,000 equal differences have up to 3,000 bits each: a megabyte. The test needs two."""
    name = write("1\n" * 3000)
    assert run("test", name, "--max-memory", "100K")[0] == 0
    status, out, err = run("dist", name, "--max-memory", "100K")
    assert (status, out) == (2, "")
    assert "; the budget is 600 s and 0.0977 MiB; allow more with --max-seconds" in err


def test_the_bar_is_told_of_the_work(run, write, asked):
    """Of the last step at last, in the test and in the distribution."""
    name = write("".join(f"{(-1) ** i * i}\n" for i in range(1, 30)))
    assert run("test", name, "--method", "dp")[0] == run("dist", name)[0] == 0
    for _name, _entries, options in asked:
        told = options["progress"].told
        assert told[-1][0] == told[-1][1] > 0


def test_scores_are_read_as_written(run, write):
    """With binary floats, .2 + .2 + .7 - ... lose the tie that makes every assignment as extreme: p = 0.875."""
    _status, out, _err = run("test", write(".2 .5\n.2 .4\n.7 .4\n.6 .4\n"))
    assert ", exactly 1\n" in out


def test_authors_four_columns(run, write):
    """F1 of 20 x ((1, 0) against (0, 1)): only no swap and all swaps are as extreme, 2/2^20."""
    _status, out, _err = run("test", write("1 0 0 1\n" * 20), "--statistic", "f1_difference")
    assert ", exactly 1/524288" in out
    assert "(difference of F1 A - B, from tp and fp + fn of each)" in out


@pytest.mark.parametrize(
    ("name", "statistic"),
    [("precision", "1"), ("recall", "1"), ("ratio", "-0.5"), ("f1", "1"), ("mean", "0.5")],
)
def test_ready_statistics(run, write, name, statistic):
    text = {"mean": "1 0\n1 1\n", "ratio": "1,2,3,3\n1,2,1,1\n"}.get(name, "3,0,0,1\n2,0,0,2\n")
    status, out, _err = run("test", write(text), "--statistic", f"{name}_difference")
    assert status == 0
    assert f"statistic    {statistic} (" in out


def test_statistics_have_the_names_of_the_library():
    """Two names for one statistic would send readers of the one documentation to errors in the other."""
    assert {name: getattr(exactperm, name) for name in LAYOUTS} == {
        name: layout.statistic or exactperm.accuracy for name, layout in LAYOUTS.items()
    }


def test_accuracy_of_labels(run, write):
    """Labels are text: numbers are not read as such, and a first row whose labels occur again is no header.

    The third row is right for u alone and the others are ties: no swap changes |T|, so p = 1.
    """
    status, out, _err = run("test", write("NN,NN,NN\n1,2,3\nVB,VB,NN\n"), "--statistic", "accuracy")
    assert status == 0
    assert "pairs        3, 2 tied" in out
    assert "statistic    0.3333333333 = 1/3 (difference of accuracies column 2 - column 3)" in out
    assert ", exactly 1\n" in out


@pytest.mark.parametrize("mark", ["\t", ",", " "])
def test_a_label_may_look_like_a_comment(run, write, mark):
    """# is a part of speech in the Penn Treebank: such a row must not vanish."""
    rows = [("#", "#", "$"), ("NN", "NN", "VB")]
    name = write("".join(f"{mark.join(row)}\n" for row in rows))
    _status, out, _err = run("test", name, "--statistic", "accuracy", "--alternative", "greater")
    assert "pairs        2, 0 tied" in out
    assert ", exactly 1/4\n" in out


@pytest.mark.parametrize("words", [("--columns", "gold,u,v"), ("--header", "yes")])
def test_accuracy_of_labels_below_a_header(run, write, words):
    name = write("gold\tu\tv\n" + "a\ta\tb\n" * 5)
    status, out, _err = run(
        "test", name, "--statistic", "accuracy", "--alternative", "greater", *words
    )
    assert status == 0
    assert "statistic    1 (difference of accuracies u - v)" in out
    assert ", exactly 1/32\n" in out


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        ("a,a,b\na,,b\n", (), "f.csv, line 2, column 2: the label is missing"),
        ("# a comment\na,a,b\n", (), "f.csv, line 2: 3 cells, but line 1 has 1"),
        ("a,b\n", (), "needs 3 columns (right class labels, then those of A, B), not 2"),
        ("a,a,b\n", ("--decimals", "1"), "it applies to scores, not to labels"),
    ],
)
def test_accuracy_refuses(run, write, text, words, message):
    status, out, err = run("test", write(text), "--statistic", "accuracy", *words)
    assert (status, out) == (2, "")
    assert message in err


def test_mean_and_sum_have_one_p_value(run, write):
    name = write(SCORES)
    answers = [
        run("test", name, "--columns", "2,3", "--statistic", s)[1]
        for s in ("difference", "mean_difference")
    ]
    assert len({line for text in answers for line in text.splitlines() if "exactly" in line}) == 1


def test_json_reads_back(run, write, clock):
    status, out, _err = run("test", write(SCORES), "--columns", "new,old", "--json")
    data = json.loads(out)
    expected = permutation_test(["0.930", "0.8", "0.7", "0.6"], ["0.91", "0.85", "0.5", "0.6"])
    assert status == 0
    result = PermutationTestResult.from_dict(data)
    assert (result.count, result.statistic, result.n_units) == (
        expected.count,
        expected.statistic,
        4,
    )
    assert (data["files"][0]["name"], data["columns"], data["files"][0]["header_line"]) == (
        "f.csv",
        ["new", "old"],
        1,
    )
    assert "seconds" not in data
    assert json.loads(run("test", "f.csv", "--columns", "new,old", "--json", "--timing")[1]) == {
        **data,
        "seconds": 0.123457,
    }


@pytest.mark.parametrize("words", [(), ("--method", "certified")])
def test_text_says_which_line_was_no_data(run, write, words):
    name = write("# x\nu,v\n1,2\n# y\n#z\n\n2,4\n")
    assert run("test", name, *words)[1].splitlines()[1:5] == [
        "  data         f.csv: u, v",
        "  header       line 2; --header no if it is data",
        "  comments     lines 1, 4-5 left out; --comments no makes them data",
        "  blank        line 6 left out",
    ]
    data = json.loads(run("test", name, "--json", *words)[1])
    assert [data["files"][0][f"{kind}_lines"] for kind in ("comment", "blank")] == [[1, 4, 5], [6]]
    assert (
        "  header       none; --header yes makes line 1 one\n"
        in run("test", write("1 2\n"), *words)[1]
    )


@pytest.mark.parametrize(
    ("words", "decimal"),
    [
        ((), "0.052673339843750000"),
        (("--digits", "3"), "0.0527"),
        (("--digits", "20"), "0.052673339843750000000"),
    ],
)
def test_json_has_the_digits_asked_for(run, write, words, decimal):
    """863/16384 = 0.05267333984375."""
    data = json.loads(run("test", write(MAIZE), "--json", *words)[1])
    assert (data["pvalue_decimal"], data["pvalue"]) == (decimal, "863/16384")


def test_json_of_thousands_of_digits(run, write):
    status, out, _err = run("test", write("1\n" * 20_000), "--json")
    assert status == 0
    assert PermutationTestResult.from_dict(json.loads(out)) == sign_flip_test({1: 20_000})


def test_float_path(run, write, clock):
    name = write(MAIZE)
    _status, out, _err = run("test", name, "--method", "certified", "--alternative", "greater")
    assert "p-value      0.026336669921875000\n" in out
    assert "as a float   0.026336669921875, correctly rounded\n" in out
    assert "statistic    314 (sum of the differences)\n" in out
    assert "time         123.5 ms\n" in out
    data = json.loads(run("test", name, "--method", "certified", "--json", "--digits", "20")[1])
    assert (data["pvalue"], data["method"], data["columns"]) == (
        863 / 16384,
        "certified",
        ["column 1"],
    )
    assert data["decimal_bracket"] == ["5.2673339843750000000e-02"] * 2
    status, _out, err = run("test", name, "--method", "certified", "--digits", "60")
    assert status == 2
    assert "error: digits is 60: it must " in err
    assert "between 1 and 50" in err
    status, _out, err = run("test", name, "--method", "certified", "--statistic", "sign")
    assert (status, err) == (
        2,
        "exactperm: error: --method certified does not know the statistic sign\n",
    )


def test_certified_f1(run, write):
    counts = write("\n".join(f"{i % 3} {i % 2} {i % 2} {i % 4}" for i in range(40)) + "\n")
    exact = json.loads(run("test", counts, "--statistic", "f1", "--json")[1])
    words = ("--statistic", "f1", "--method", "certified", "--digits", "6")
    data = json.loads(run("test", counts, *words, "--json")[1])
    assert (data["claim"], data["statistic_name"]) == ("enclosed", "difference of F1")
    assert data["lower"] <= float(Fraction(exact["pvalue"])) <= data["upper"]
    assert run("recount", write(json.dumps(data)))[0] == 0
    # Where the count is refused, a bracket answers.
    rng = random.Random(1)
    large = write(
        "\n".join(" ".join(str(rng.randint(0, 9)) for _ in range(4)) for _ in range(700)) + "\n"
    )
    status, out, _err = run("test", large, "--statistic", "f1", "--json", "--max-seconds", "0.4")
    data = json.loads(out)
    assert (status, data["claim"], data["exact"]) == (0, "enclosed", False)
    assert "would take about" in data["refused"]


# ---------------------------------------------------------------------------------------- estimates


def test_an_estimate_says_what_it_is(run, write, clock):
    status, out, err = run("test", write(MAIZE), "--method", "monte-carlo", "--samples", "999")
    assert (status, err) == (0, "")
    assert out.splitlines()[0] == (
        "Monte Carlo ESTIMATE of a p-value, not exact: paired-permutation test, two-sided"
    )
    assert "999 random swaps from seed 1, " in out
    assert "time         123.5 ms" in out
    assert "| p =" not in out


def test_the_record_of_an_estimate_repeats(run, write):
    words = (
        "test",
        write(MAIZE),
        "--method",
        "monte-carlo",
        "--samples",
        "99",
        "--seed",
        "0",
        "--json",
    )
    record = json.loads(run(*words)[1])
    assert record == json.loads(run(*words)[1])
    assert (record["seed"], record["samples"], record["exact"]) == (0, 99, False)
    low, estimate, high = map(
        Fraction, (record["interval"][0], record["estimate"], record["interval"][1])
    )
    assert low < estimate < high
    assert json.loads(run(*words, "--timing")[1]).keys() == record.keys() | {"seconds"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--samples", "9"),
            "the exact test draws no samples: --samples is of another method; say --method monte-carlo",
        ),
        (("--seed", "9"), DRAWS.format("seed")),
        (("--seed", "0"), DRAWS.format("seed")),
        (
            ("--decimals", "0", "--statistic", "mcnemar"),
            "--decimals does not know the statistic mcnemar",
        ),
        (
            ("--method", "monte-carlo", "--midp"),
            "--midp and --method monte-carlo exclude each other: it needs the exact count",
        ),
        (
            ("--method", "monte-carlo", "--statistic", "sign"),
            "the statistic sign has an exact count of any size; say --method auto",
        ),
    ],
)
def test_what_an_estimate_is_not(run, write, words, message):
    assert run("test", write("1\n2\n"), *words) == (2, "", f"exactperm: error: {message}\n")


@pytest.mark.parametrize("short", ["mean", "f1", "precision", "recall", "ratio"])
def test_short_names_of_statistics(run, write, short):
    name = write("1 0\n2 0\n" if short == "mean" else "1 2 1 1\n3 1 2 1\n")
    short, long = (
        run("test", name, "--statistic", word, "--json")[1]
        for word in (short, f"{short}_difference")
    )
    assert short == long != ""


def test_distribution(run, write):
    status, out, _err = run("dist", write("1\n2\n"))
    assert status == 0
    assert out.splitlines() == [
        "value,count,probability,value_decimal,probability_decimal",
        "-3,1,1/4,-3.0000000000000000,0.25000000000000000",
        "-1,1,1/4,-1.0000000000000000,0.25000000000000000",
        "1,1,1/4,1.0000000000000000,0.25000000000000000",
        "3,1,1/4,3.0000000000000000,0.25000000000000000",
    ]


def test_distribution_as_json(run, write):
    _status, out, _err = run("dist", write(MAIZE), "--json", "--alternative", "less")
    data = json.loads(out)
    expected = sign_flip_test(demo.DARWIN_MAIZE, alternative="less")
    assert NullDistribution.from_dict(data) == expected.null_distribution
    assert PermutationTestResult.from_dict(data["test"]).pvalue == expected.pvalue
    assert (data["test"]["files"][0]["name"], data["test"]["alternative"]) == ("f.csv", "less")


def test_picture(run, write, tmp_path):
    name = write(MAIZE)
    status, out, _err = run("dist", name, "--svg", "null.svg")
    drawing = (tmp_path / "null.svg").read_text(encoding="utf-8")
    assert (status, out[:6]) == (0, "value,")
    assert "two-sided p = 0.0526733 = 863/16384" in drawing
    assert ">Null distribution, 15 pairs of f.csv: column 1<" in drawing
    assert ">sum of the differences<" in drawing
    assert run("dist", name, "--svg", "-")[1] == drawing
    assert "one-sided (less) p = " in run("dist", name, "--svg", "-", "--alternative", "less")[1]


def test_picture_of_names_outside_ascii(run, write, tmp_path):
    assert run("dist", write("1\n", "ü.csv"), "--svg", "ü.svg")[0] == 0
    assert (
        ">Null distribution, 1 pairs of ü.csv: column 1<"
        in (tmp_path / "ü.svg").read_bytes().decode()
    )


def test_demo_shows_each_line_at_once(monkeypatch):
    class Shown(io.StringIO):
        seen = -1

        def flush(self):
            self.seen = self.getvalue().count("\n")

    def lines(pairs):
        for i in range(3):
            assert stream.seen == (i or -1)
            yield f"line {i} of {pairs}"

    stream = Shown()
    monkeypatch.setattr("sys.stdout", stream)
    monkeypatch.setattr(demo, "lines", lines)
    assert cli.main(["demo", "--pairs", "200"]) == 0
    assert stream.getvalue() == "line 0 of 200\nline 1 of 200\nline 2 of 200\n"
    assert stream.seen == 3


def test_no_command_shows_the_help(run):
    assert run() == run("--help")


INPUT_UNSAID = {
    **dict.fromkeys(
        ("columns", "key", "id", "system", "score", "runs", "run", "names", "filter", "groups")
    ),
    **dict.fromkeys(("weights", "tasks")),
    "decimals": None,
    **dict.fromkeys(("delimiter", "decimal", "header", "comments"), "auto"),
    "files": ["f"],
    "missing": "refuse",
    "max_input": 2**28,
}
LIMITS_UNSAID = {
    "alternative": "two-sided",
    "max_seconds": Budget.seconds,
    "max_memory": Budget.bytes,
}
FILE_UNSAID = {**INPUT_UNSAID, **LIMITS_UNSAID, "statistic": "difference", "json": False}
COMPARE_UNSAID = {
    "adjust": "holm",
    "method": "auto",
    "alpha": Fraction(1, 20),
    "processes": 1,
    "dask": None,
    "svg": None,
    "forest": None,
    **dict.fromkeys(("json", "csv", "intervals", "force"), False),
}


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (["demo"], {"pairs": 10_000}),
        (
            ["test", "f"],
            {
                **FILE_UNSAID,
                **dict.fromkeys(
                    (
                        "zeros",
                        "mu",
                        "counts",
                        "digits",
                        "certificate",
                        "canonical",
                        "samples",
                        "seed",
                    )
                ),
                "timing": False,
                "processes": 1,
                "dask": None,
                "orientation": "first-second",
                "midp": False,
                "method": "auto",
                "force": False,
            },
        ),
        (
            ["dist", "f"],
            {
                **FILE_UNSAID,
                **dict.fromkeys(("zeros", "mu", "svg")),
                "orientation": "first-second",
                "force": False,
            },
        ),
        (["compare", "f"], {**INPUT_UNSAID, **LIMITS_UNSAID, **COMPARE_UNSAID}),
    ],
)
def test_options_that_are_not_said(words, options):
    assert {**vars(cli._arguments(words)), "_run": None} == {**options, "_run": None}


def test_version(run):
    assert run("--version") == (0, f"exactperm {exactperm.__version__}\n", "")


# ----------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("content", "words", "message"),
    [
        ("", (), "f.csv is empty: it has no rows of data"),
        ("u\n", (), "f.csv: line 1 is a header, and no data follow"),
        (
            "1,2\n3\n",
            (),
            "f.csv, line 2: 1 cell, but line 1 has 2: '3'; cells are separated by comma here",
        ),
        ("1,2\n3,\n", (), f"f.csv, line 2, column 2: the cell is empty{DROP}"),
        (
            "u,v\r\n1,2\r\n3,nan\r\n",
            (),
            f"f.csv, line 3, column 2 (v): 'nan' marks a missing score{DROP}",
        ),
        (
            "1,2,3\n",
            (),
            "f.csv: the test needs 1 or 2 columns (scores of A, B), not 3; line 1 has 3 cells: '1', '2', '3'; say "
            "exactperm compare for all pairs of 3 systems, or choose two columns",
        ),
        (
            "1,2\n",
            ("--statistic", "f1_difference"),
            "f.csv: the test needs 4 or 6 columns (tp, fp, fn of A, of B; or tp and incorrect (fp + fn) of A, of B), "
            "not 2; line 1 has 2 cells: '1', '2'",
        ),
        (
            "1 0 0 1\n1 0 -1 0\n",
            ("--statistic", "f1_difference"),
            "f.csv, line 2, column 3: '-1' is negative, but these are counts",
        ),
        (
            "1,2\n",
            ("--columns", "3"),
            "f.csv has no column 3: line 1 has 2 cells: '1', '2'",
        ),
        (
            "u,v\n1,2\n",
            ("--columns", "w"),
            "f.csv: no column is named 'w': line 1 has 2 cells: 'u', 'v'",
        ),
        (
            "u,v\n1,2\n",
            ("--groups", "w"),
            "f.csv: no column is named 'w': line 1 has 2 cells: 'u', 'v'",
        ),
        (
            "1,2\n",
            ("--delimiter", "xy"),
            "the delimiter is 'xy': it must be one character or one of comma, semicolon, tab, space",
        ),
        (b"1\n\0\n", (), "f.csv, line 2: not text (a zero byte); UTF-16 needs its byte-order mark"),
    ],
)
def test_refusals(run, write, content, words, message):
    assert run("test", write(content), *words) == (2, "", f"exactperm: error: {message}\n")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("0.1 1e-4000\n0.3 0.4\n0.4 0.3\n", ("--max-memory", "1", "--method", "exact")),
        ("1\n-2\n3\n-4\n5\n-6\n7\n", ("--max-seconds", "1e-9")),
        ("1\n" * 99, ("--max-memory", "1", "--method", "exact")),
    ],
)
def test_refusals_of_the_budget_name_the_options(run, write, content, words):
    status, out, err = run("test", write(content), *words)
    assert (status, out) == (2, "")
    assert re.fullmatch(
        r"exactperm: error: too much work: [^\n]+ would take [^\n]+; the budget is "
        r"[^\n]*[BTMGKi0-9a-z]; say --method certified for digits that are certain, or "
        r"allow more with --max-seconds and --max-memory; rounding with --decimals is cheaper but asks another "
        r"question, with another p-value\n",
        err,
    )
    assert "budget=" not in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("dist",), "the following arguments are required: FILE"),
        (
            ("test", "f", "--decimals", "two"),
            "argument --decimals: 'two' is not a whole number from 0 to 4000",
        ),
        (
            ("test", "f", "--decimals", "1_0"),
            "argument --decimals: '1_0' is not a whole number from 0 to 4000",
        ),
        (
            ("test", "f", "--max-input", "1e9"),
            "argument --max-input: '1e9' is not a size such as 500M or 2G",
        ),
        (
            ("test", "f", "--digits", "0"),
            "argument --digits: '0' is not a whole number from 1 to 100000",
        ),
        (
            ("test", "f", "--digits", "100001"),
            "argument --digits: '100001' is not a whole number from 1 to 100000",
        ),
        (
            ("test", "f", "--digits", "9" * 50),
            f"argument --digits: '{'9' * 50}' is not a whole number from 1 to 100000",
        ),
        (
            ("test", "f", "--max-seconds", "0"),
            "argument --max-seconds: '0' is not a number of seconds above 0",
        ),
        (
            ("test", "f", "--max-seconds", "nan"),
            "argument --max-seconds: 'nan' is not a number of seconds above 0",
        ),
        (
            ("test", "f", "--max-seconds", "soon"),
            "argument --max-seconds: 'soon' is not a number of seconds above 0",
        ),
        (
            ("test", "f", "--max-memory", ""),
            "argument --max-memory: '' is not a size such as 500M or 2G",
        ),
        (
            ("test", "f", "--max-memory", "0G"),
            "argument --max-memory: '0G' is not a size such as 500M or 2G",
        ),
        (
            ("test", "f", "--max-memory", "3Q"),
            "argument --max-memory: '3Q' is not a size such as 500M or 2G",
        ),
        (
            ("test", "f", "--max-memory", "1" * 20),
            f"argument --max-memory: '{'1' * 20}' is not a size such as 500M or 2G",
        ),
        (
            ("demo", "--pairs", "-5"),
            "argument --pairs: '-5' is not a whole number from 1 to 10000000",
        ),
        (
            ("demo", "--pairs", "x"),
            "argument --pairs: 'x' is not a whole number from 1 to 10000000",
        ),
        (
            ("demo", "--pairs", "0000000001"),
            "argument --pairs: '0000000001' is not a whole number from 1 to 10000000",
        ),
        (
            ("compare", "f", "--processes", "0"),
            "argument --processes: '0' is not a whole number from 1 to 1024",
        ),
        (("compare", "f", "--alpha", "x"), f"argument --alpha: alpha is 'x': {NO_NUMBER}"),
        (
            ("compare", "f", "--alpha", "7"),
            "argument --alpha: alpha is '7': it must lie between 0 and 1",
        ),
        (
            ("compare", "f", "--alpha", "0", "--json"),
            "argument --alpha: alpha is '0': it must be above 0",
        ),
        (("compare", "f", "--json", "--csv"), "argument --csv: not allowed with argument --json"),
    ],
)
def test_wrong_words(run, words, message):
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert err.endswith(f"\nexactperm {words[0]}: error: {message}\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nonsense",), "invalid choice: 'nonsense'"),
        (
            ("test", "f", "--alternative", "bigger"),
            "argument --alternative: invalid choice: 'bigger'",
        ),
        (("test", "f", "--method", "magic"), "argument --method: invalid choice: 'magic'"),
        (
            ("test", "f", "--statistic", "bleu"),
            "argument --statistic: invalid choice: 'bleu' (choose from difference, ",
        ),
        (
            ("test", "f", "--runs", "pooled"),
            "argument --runs: invalid choice: 'pooled' (choose from within, items, ",
        ),
        (("test", "f", "--header", "perhaps"), "argument --header: invalid choice: 'perhaps'"),
        (("compare", "f", "--adjust", "x"), "argument --adjust: invalid choice: 'x'"),
        (("test", "f", "--colums", "1"), "unrecognized arguments: --colums"),
        (("test", "f", "--col", "1"), "unrecognized arguments: --col"),
        (("--vers",), "unrecognized arguments: --vers"),
    ],
)
def test_words_that_do_not_exist(run, words, message):
    """Nor is the beginning of a word taken for it: what it means could change with the next option."""
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert f"error: {message}" in err or f"error: argument COMMAND: {message}" in err


@pytest.mark.parametrize(
    ("word", "size"),
    [
        ("1", 1),
        ("2k", 2048),
        ("500M", 500 * 2**20),
        ("2G", 2**31),
        ("1T", 2**40),
        ("9" * 19, 10**19 - 1),
    ],
)
def test_sizes(word, size):
    assert values.size(word) == size


def test_whole_numbers():
    assert [values.digits(word) for word in ("1", "100000", "000000001")] == [1, 100_000, 1]
    assert (values.pairs("10000000"), values.processes("1024"), values.seconds("0.5")) == (
        10_000_000,
        1024,
        0.5,
    )


def test_files_that_cannot_be_read_or_written(run, write, tmp_path):
    assert (
        run("test", "missing.csv")[2]
        == "exactperm: error: cannot read missing.csv: No such file or directory\n"
    )
    assert "exactperm: error: cannot read" in run("test", str(tmp_path))[2]
    assert "exactperm: error: cannot read a\\x00b: embedded null" in run("test", "a\0b")[2]
    name = write("1\n2\n")
    message = "exactperm: error: cannot write no/x.svg: there is no folder no\n"
    assert run("dist", name, "--svg", "no/x.svg") == (2, "", message)
    assert re.search(
        r"error: cannot write a\\x00b: .*embedded null", run("dist", name, "--svg", "a\0b")[2]
    )


@pytest.mark.skipif(
    os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() == 0, reason="needs a common user"
)
def test_file_without_permission(run, write, tmp_path):
    (tmp_path / write("1\n")).chmod(0)
    assert "cannot read f.csv: Permission denied" in run("test", "f.csv")[2]


# ------------------------------------------------------------------------------------ ways to leave


class Full(io.StringIO):
    """Standard output on a full disk, or into a pipe that nobody reads any more."""

    def __init__(self, error, descriptor=None):
        super().__init__()
        self.error = error
        self.descriptor = descriptor

    def write(self, _text):
        raise self.error

    def fileno(self):
        return self.descriptor


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            OSError(28, "No space left on device"),
            "cannot write to standard output: No space left on device",
        ),
        (OSError("odd"), "cannot write to standard output: odd"),
        (OSError(5, "Input/output error", "scores.csv"), "scores.csv: Input/output error"),
    ],
)
def test_full_disk(capsys, write, monkeypatch, error, said):
    monkeypatch.setattr("sys.stdout", Full(error))
    assert cli.main(["test", write("1\n")]) == 2
    assert capsys.readouterr().err == f"exactperm: error: {said}\n"


class FullAtFlush(io.StringIO):
    """Standard output with a buffer, on a full disk."""

    def flush(self):
        raise OSError(28, "No space left on device")


def test_disk_that_is_full_at_the_end(capsys, write, monkeypatch):
    """What is still in the buffer is written before the status is known."""
    monkeypatch.setattr("sys.stdout", FullAtFlush())
    assert cli.main(["test", write("1\n")]) == 2
    assert capsys.readouterr().err.endswith(": No space left on device\n")


def test_full_disk_under_the_messages(monkeypatch):
    monkeypatch.setattr("sys.stderr", Full(OSError(28, "No space left on device")))
    assert cli.main(["test", "missing.csv"]) == 2


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("words", [("test", "missing.csv"), ("test", "--wrong")])
def test_process_with_nowhere_to_complain(words):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "exactperm", *words],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=full, check=False, timeout=60,
        )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, b"")


def test_closed_pipe(write, tmp_path, monkeypatch):
    with open(tmp_path / "out", "w") as file:
        monkeypatch.setattr("sys.stdout", Full(BrokenPipeError(), file.fileno()))
        assert cli.main(["dist", write("1\n")]) == 0
        monkeypatch.undo()
        os.write(file.fileno(), b"swallowed")
    assert (tmp_path / "out").read_bytes() == b""


def test_interrupt(run, monkeypatch):
    def interrupted(*_words, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("exactperm.files.sources.read_tables", interrupted)
    assert run("test", "f") == (130, "", "exactperm: interrupted\n")


@pytest.mark.parametrize("stream", [io.StringIO(), None])
def test_script_and_module(capsys, monkeypatch, stream):
    """The entry point leaves with the status; streams without ``reconfigure`` are left as they are."""
    monkeypatch.setattr("sys.argv", ["exactperm", "--version"])
    if stream is not None:
        monkeypatch.setattr("sys.stdout", stream)
    with pytest.raises(SystemExit) as stop:
        runpy.run_module("exactperm", run_name="__main__")
    assert stop.value.code == 0
    assert (stream.getvalue() if stream else capsys.readouterr().out).startswith("exactperm ")


@pytest.mark.parametrize(
    ("name", "status", "out", "err"),
    [
        ("ü.csv", 0, b"\n  data         \\xfc.csv: column 1\n", b""),
        (
            "missing ü",
            2,
            b"",
            b"exactperm: error: cannot read missing \\xfc: No such file or directory\n"
            b"exactperm: see: exactperm guide files\n",
        ),
    ],
)
def test_script_shows_what_the_terminal_cannot(write, name, status, out, err):
    write("1\n", "ü.csv")
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="ascii", newline="\n") for _ in range(2)]
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as stop:
        patch.setattr("sys.stdout", streams[0])
        patch.setattr("sys.stderr", streams[1])
        patch.setattr("sys.argv", ["exactperm", "test", name])
        cli.script()
    said = [stream.detach().getvalue() for stream in streams]
    assert (stop.value.code, said[1]) == (status, err)
    assert out in said[0]


# ------------------------------------------------------------------------------------- as a process


def test_process_reads_standard_input():
    done = command("test", "-", input="\ufeffu;v\r\n0,5;0,25\r\n0,75;1\r\n".encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"data         standard input: u, v" in done.stdout


def test_process_reports_mistakes_in_one_line():
    done = command("test", "-", input=b"1\nx\n")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.replace(b"\r", b"") == (
        b"exactperm: error: standard input, line 2, column 1: 'x' is no score: "
        b"not a finite number such as '0.93', '3/7' or '1e-3'\nexactperm: see: exactperm guide files\n"
    )


def test_process_shows_the_demo():
    done = command("demo", "--pairs", "100")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"863/32768" in done.stdout


def test_process_writes_names_that_the_terminal_cannot_show(write):
    done = command("test", write("ü,v\n1,2\n"), cwd=os.getcwd(), input=b"")
    assert done.returncode == 0
    env = {"PYTHONIOENCODING": "ascii", "PATH": os.environ.get("PATH", "")}
    done = subprocess.run(
        [sys.executable, "-m", "exactperm", "test", str(Path("f.csv").resolve())],
        capture_output=True, check=False, timeout=60, cwd=ROOT, env={**os.environ, **env},
    )  # fmt: skip
    assert done.returncode == 0
    assert b"\\xfc - v" in done.stdout


def test_process_into_a_pipe_that_closes(write):
    """More output than a pipe holds; the reader takes one line and leaves."""
    name = write("1\n" * 2000)
    with subprocess.Popen(
        [sys.executable, "-m", "exactperm", "dist", str(Path(name).resolve())],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT,
    ) as process:  # fmt: skip
        assert process.stdout.readline().startswith(b"value,")
        process.stdout.close()
        assert re.fullmatch(
            rb"exactperm: data: .*\s+exactperm: header: none; .*\s+exactperm: note: .*\s+",
            process.stderr.read(),
        )
    assert process.returncode == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.skipif(
    sys.implementation.name == "pypy", reason="PyPy restarts the read that the signal interrupts"
)
def test_process_is_interrupted(tmp_path):
    """The named pipe opens when the command has begun to read it: the signal comes in the middle of the work."""
    fifo = tmp_path / "scores"
    os.mkfifo(fifo)
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"from exactperm.cli.main import main; sys.exit(main(['test', {str(fifo)!r}]))"
    )
    with (
        subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, cwd=ROOT) as process,
        open(fifo, "w"),
    ):
        process.send_signal(signal.SIGINT)
        err = process.stderr.read()
    assert (process.returncode, err) == (130, b"exactperm: interrupted\n")


NOT_FOR_A_TEST = """display.frame compare multiplicity fast montecarlo certified files.saving files.records
cli.demo cli.workers
null.distribution null.joint null.monotone swaps.lattice swaps.metrics counting.plane"""


def test_only_what_a_command_uses_is_loaded(write):
    path = str(Path(write("1\n-2\n3\n5\n")).resolve())
    code = f"import sys; from exactperm.cli import main; main.main(['test', {path!r}]); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.splitlines()[-1].split())
    assert not loaded & {f"exactperm.{name}" for name in NOT_FOR_A_TEST.split()}
    assert not loaded & {"json", "contextlib", "shutil", "signal", "concurrent.futures"}


# ------------------------------------------------------------------------------------------ recount


@pytest.fixture
def record(run, write):
    """Write the record of a test with some fields changed, and count it again."""

    def counted(words=("--digits", "5"), scores="1\n-2\n3\n4\n0\n", limits=(), **changes):
        data = json.loads(run("test", write(scores), "--json", *words)[1])
        return run("recount", write(json.dumps({**data, **changes}), "r.json"), *limits)

    return counted


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--digits", "30"),
        ("--alternative", "less"),
        ("--alternative", "doubled"),
        ("--method", "dp"),
    ],
)
def test_a_record_is_confirmed(record, words):
    assert record(words) == (0, "r.json: confirmed\n", "")
    assert record(words, "9\n" * 20_000) == (0, "r.json: confirmed\n", "")


@pytest.mark.parametrize(
    "changes",
    [
        {"count": "10"},
        {"pvalue": "7/8"},
        {"pvalue_decimal": "0.37501"},
        {"pvalue_decimal": "soon"},
        {"log10_pvalue": 0.5},
        {"statistic": "7"},
        {"alternative": "less"},
        {"n": 3},
        {"n_units": 6},
        {"n_nonzero": 5},
    ],
)
def test_a_field_that_differs_is_named(record, changes):
    status, out, err = record(**changes)
    assert (status, err) == (1, "")
    assert out.startswith("r.json: ")
    assert out != "r.json: confirmed\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "r.json is not JSON: "),
        (
            "[1]",
            "r.json is not the record of a test; say exactperm test whose output as JSON is a record",
        ),
        ('{"method": "dp"}', "r.json is not the record of a test"),
        ('{"method": "dp", "claim": "claimed"}', "r.json holds no proof, only a claim"),
        (
            '{"method": "monte-carlo", "alternative": "less"}',
            "r.json is an estimate from random swaps; repeat its test",
        ),
        (
            '{"method": "dp", "method": "ntt"}',
            "r.json is not JSON: the key 'method' is repeated in one object",
        ),
        ("[" * 100_000, "r.json is not JSON: more than 100 lists and objects are nested"),
        ("", "r.json is not JSON: "),
    ],
)
def test_what_is_no_record(run, write, text, message):
    status, out, err = run("recount", write(text, "r.json"))
    assert (status, out) == (2, "")
    assert err.startswith(f"exactperm: error: {message}")


@pytest.mark.parametrize("pvalue", [None, 5, "x", "1/0"])
def test_records_without_a_p_value(record, pvalue):
    status, out, _err = record(pvalue=pvalue)
    assert (status, out[:8], "pvalue" in out) == (1, "r.json: ", True)


def test_records_of_the_certified_path(record, run, write):
    """The bracket is computed again, from the swaps."""
    words = ("--method", "certified")
    assert record(words) == (0, "r.json: confirmed: the same bracket, bit for bit\n", "")
    assert record(words, swaps=None)[:2] == (
        1,
        "r.json: the record is None: that of a test result is a mapping\n",
    )
    assert record(words, pvalue=0.9)[:2] == (
        1,
        "r.json: pvalue of the record is 0.9: its other fields give 0.375\n",
    )
    assert record(words, bracket=["1", "x", 0])[0] == 1


def test_recount_within_limits(record, run, write):
    scores = "".join(f"{(-1) ** i * i * i}\n" for i in range(1, 40))
    status, out, err = record(scores=scores, limits=("--max-seconds", "1e-9"))
    assert (status, out) == (2, "")
    assert err.startswith(
        "exactperm: error: too much work for the limits: counting 39 pairs with 39 distinct differences"
    )
    assert err.endswith("; allow more with --max-seconds and --max-memory\n")
    assert "has more than 9 bytes" in run("recount", "r.json", "--max-input", "9")[2]


def test_certificates(run, write):
    write("u;v\n0,5;0,25\n1;2\n0,75;0,5\n", "scores.csv")
    assert run("test", "scores.csv", "--certificate", "out.json")[0] == 0
    assert verifier.main(["out.json", "scores.csv"]) == 0
    status, out, err = run("recount", "out.json", "--independent")
    assert (status, err) == (0, "")
    assert "out.json: confirmed\nverifier.py: confirmed: p = " in out
    assert run("test", "scores.csv", "--certificate", "out.json")[0] == 2  # it exists
    assert (
        run("test", "scores.csv", "--certificate", "out.json", "--force", "--missing", "drop")[0]
        == 0
    )
    assert verifier.main(["out.json"]) == 0
    alone = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert "data" not in alone, (
        "missing cells were dropped: the certificate is of the count alone, and says so"
    )
    assert alone["note"] == "not of the file: --missing leaves out lines"
    forged = Path("out.json").read_text(encoding="utf-8").replace('"factor": 2', '"factor": 1')
    Path("out.json").write_text(forged, encoding="utf-8")
    assert run("recount", "out.json", "--independent")[0] == 1


def test_an_interval(run, write):
    status, out, err = run("interval", write("1\n2\n6\n"), "--confidence", "0.75", "--json")
    assert (status, err) == (0, "")
    assert json.loads(out)["lower"] == ["1", "1"]
    assert json.loads(out)["upper"] == ["6", "6"]
    assert (
        run(
            "interval", write("1\n2\n6\n"), "--confidence", "0.75", "--statistic", "mean", "--json"
        )[1]
        == out
    )


INTERVAL = """\
80% confidence interval of a mean difference, two-sided
  data         f.csv: a, b
  header       line 1; --header no if it is data
  groups       doc: pairs of one group are swapped together
  rounded      2 values altered by decimals 1
  means        a 1.25, b 0.95
  estimate     0.3 (mean of the differences a - b)
  interval     0.100 to 0.500, rounded outward; both ends exact
  lower end    0.1
  upper end    0.5
  coverage     at least 87.50% of such intervals hold the true difference, if errors are symmetric
  pairs        6 in 4 groups
  time         TIME
  in words     At the level 0.2 the test rejects that the difference is any number outside, and none inside.
Mean difference 0.300, exact 80% interval [0.100, 0.500] (paired permutation test inverted, 6 pairs in 4 groups, \
scores rounded to 1 decimal)
"""


def test_an_interval_in_words(run, write):
    rows = ("a,b,doc", "1.21,1,x", "1.5,1,x", "1.3,0.9,y", "0.9,0.8,z", "1.2,1.1,z", "1.4,0.86,t")
    words = ("--columns", "a,b", "--groups", "doc", "--decimals", "1", "--confidence", "0.8")
    status, out, err = run("interval", write("".join(f"{row}\n" for row in rows)), *words)
    assert (status, err) == (0, "")
    assert re.sub(r"[\d.]+ m?s$", "TIME", out, flags=re.MULTILINE) == INTERVAL


def test_an_interval_without_ends(run, write):
    out = run("interval", write("1\n2\n6\n"))[1]
    assert "interval     -infinity to infinity" in out
    assert "lower end    infinite" in out
    assert "\nMean difference 3.00, exact 95% interval [-infinity, infinity] (" in out
    out = run("interval", write("1\n2\n6\n"), "--confidence", "0.75", "--alternative", "less")[1]
    assert "\nMean difference 3.00, exact 75% upper limit 4.00 (" in out


@pytest.mark.parametrize("name", ["f1", "sign", "accuracy"])
def test_only_differences_of_means_have_an_interval(run, write, name):
    status, out, err = run(
        "interval", write("1\n"), "--statistic", name, "--confidence", "0.9", "--precision=.1"
    )
    assert (status, out) == (2, "")
    assert err == (
        f"exactperm: error: an interval is of a difference of means, the shift; {name} has none; "
        f"say exactperm test --statistic {name}\n"
    )


# --------------------------------------------------------------------------------------------- harm


@pytest.mark.parametrize("words", [(), ("--force",)])
def test_a_picture_never_overwrites_the_input(run, write, words, tmp_path):
    name = write(MAIZE)
    message = "exactperm: error: cannot write f.csv: it is the input\n"
    assert run("dist", name, "--svg", name, *words) == (2, "", message)
    assert (tmp_path / name).read_text() == MAIZE


def test_a_picture_overwrites_by_force_only(run, write, tmp_path):
    name = write(MAIZE)
    write("mine", "x.svg")
    message = "exactperm: error: cannot write x.svg: it exists; say --force to overwrite it\n"
    assert run("dist", name, "--svg", "x.svg") == (2, "", message)
    assert (tmp_path / "x.svg").read_text() == "mine"
    assert run("dist", name, "--svg", "x.svg", "--force")[0] == 0
    assert (tmp_path / "x.svg").read_text().startswith("<svg")


EVIL = "\x1b]0;evil\x07\x9b31m"


@pytest.mark.parametrize(
    "words",
    [
        ("test", "f\x1b.csv"),
        ("test", "f\x1b.csv", "--method", "certified"),
        ("test", "f\x1b.csv", "--json"),
        ("test", "f\x1b.csv", "--columns", EVIL),
        ("test", "f\x1b.csv", "--columns", "x\x1b"),
        ("test", "f\x1b.csv", "--statistic", "accuracy"),
        ("test", "f\x1b.csv", "another\x1b"),
        ("test", "missing\x1b"),
        ("dist", "f\x1b.csv", "--svg", "-"),
        ("dist", "f\x1b.csv", "--json"),
        ("compare", "f\x1b.csv"),
        ("compare", "f\x1b.csv", "--csv"),
        ("compare", "f\x1b.csv", "--json"),
        ("recount", "f\x1b.csv"),
        ("bad\x1b",),
    ],
)
def test_control_characters_never_reach_the_terminal(run, write, words):
    write(f"{EVIL},v\n1,3\n2,5\n", "f\x1b.csv")
    _status, out, err = run(*words)
    assert out + err
    assert all(c == "\n" or c.isprintable() for c in out + err)


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs an endless file")
@pytest.mark.parametrize("command", ["test", "dist", "compare", "recount"])
def test_endless_files_are_left(run, command):
    message = "/dev/zero has more than 3145728 bytes; allow more with --max-input"
    assert run(command, "/dev/zero", "--max-input", "3M") == (
        2,
        "",
        f"exactperm: error: {message}\n",
    )


# ------------------------------------------------------------------------------------------ compare

BOARD = "item,a,b,c\n1,3,1,3\n2,5,2,4\n3,4,2,5\n4,7,3,6\n5,6,1,6\n6,2,1,2\n"


def test_compare_as_text(run, write):
    status, out, err = run("compare", write(BOARD), "--columns", "a,b,c", "--alpha", "0.1")
    lines = out.splitlines()
    assert (status, err) == (0, "")
    assert lines[0] == "f.csv: 3 exact paired-permutation tests, two-sided; * adjusted p <= 0.1"
    assert lines[1] == "header: line 1; --header no if it is data"
    assert lines[2].split() == [
        "first",
        "second",
        "sum",
        "of",
        "differences",
        "p",
        "adjusted",
        "(holm)",
    ]
    assert lines[3].split() == ["a", "b", "17", "0.03125", "0.09375", "*"]
    assert lines[4].split() == ["a", "c", "1", "1.000", "1.000"]


def test_compare_as_csv_and_json(run, write):
    name = write(BOARD)
    status, out, _err = run(
        "compare", name, "--columns", "2,3,4", "--adjust", "bonferroni", "--csv"
    )
    assert status == 0
    assert out.splitlines()[:2] == [
        "first,second,statistic,pvalue,pvalue_decimal,adjusted,adjusted_decimal,significant",
        "a,b,17,1/32,0.031250000000000000,3/32,0.093750000000000000,False",
    ]
    status, out, _err = run("compare", name, "--columns", "2,3,4", "--json")
    data = json.loads(out)
    assert (status, data["files"][0]["name"], data["adjust"], len(data["rows"])) == (
        0,
        "f.csv",
        "holm",
        3,
    )
    assert (data["alpha"], [row["significant"] for row in data["rows"]]) == (
        "1/20",
        [False, False, False],
    )


def test_compare_draws_the_decisions(run, write, tmp_path):
    name = write(BOARD)
    words = ("compare", name, "--columns", "a,b,c", "--alpha", "0.1")
    status, out, _err = run(*words, "--svg", "board.svg")
    assert (status, out) == run(*words)[:2]
    drawing = (tmp_path / "board.svg").read_text(encoding="utf-8")
    assert "two-sided, adjusted by holm, level 0.1; row against column" in drawing
    assert run(*words, "--svg", "-")[1] == drawing
    assert (
        run(*words, "--svg", name, "--force")[2]
        == f"exactperm: error: cannot write {name}: it is the input\n"
    )


def test_compare_hands_the_tests_to_an_executor(run, write, monkeypatch, asked):
    monkeypatch.setattr(
        "concurrent.futures.ProcessPoolExecutor",
        lambda workers, **_options: ThreadPoolExecutor(workers),
    )
    name = write(BOARD)
    alone = run("compare", name, "--columns", "a,b,c")
    assert run("compare", name, "--columns", "a,b,c", "--processes", "2") == alone
    assert [type(options["executor"]) for _name, _entries, options in asked] == [
        type(None),
        ThreadPoolExecutor,
    ]


def test_compare_in_processes(write):
    name = write(BOARD)
    alone = command("compare", name, "--columns", "a,b,c")
    many = command("compare", name, "--columns", "a,b,c", "--processes", "2")
    assert (many.returncode, many.stdout) == (0, alone.stdout)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--columns", "a"),
            "the test needs 2 to 4 columns (one per system), not 1; line 1 has 4 cells: 'item', 'a', 'b', 'c'; "
            "say --columns a,b,c",
        ),
        (("--columns", "a,b,a"), "the column 'a' is chosen twice; say --columns a,b,c"),
    ],
)
def test_compare_refuses(run, write, words, message):
    assert run("compare", write(BOARD), *words) == (2, "", f"exactperm: error: f.csv: {message}\n")


def test_compare_refuses_one_column(run, write):
    message = "the test needs 2 columns (one per system), not 1; line 1 has 1 cell: '1'"
    assert run("compare", write("1\n2\n")) == (2, "", f"exactperm: error: f.csv: {message}\n")


# --------------------------------------------------------------------------- data as people have it

NEW_ITEMS = '{"doc_id": 1, "m": {"acc": true}}\n{"doc_id": 2, "m": {"acc": 0.25}}\n{"doc_id": 3, "m": {"acc": null}}\n'
OLD_ITEMS = '[{"doc_id": 3, "m": {"acc": 1}},\n {"doc_id": 2, "m": {"acc": 0.125}}, {"doc_id": 1, "m": {"acc": false}}]'
JOIN = ("--id", "doc_id", "--key", "m.acc")


def test_one_file_per_system(run, write):
    status, out, err = run("test", write("u\n3\n5\n1\n", "a.txt"), write("1\n2\n1\n", "b.txt"))
    assert (status, err) == (0, "")
    assert out.splitlines()[1:5] == [
        "  data         a.txt: u, b.txt",
        "  header       a.txt: line 1; --header no if it is data",
        "  header       b.txt: none; --header yes makes line 1 one",
        "  joined by    position; ids join files in any order",
    ]
    assert "pairs        3, 1 tied\n" in out
    assert "statistic    5 (sum of the differences a.txt: u - b.txt)" in out


def test_options_stand_anywhere(run, write):
    names = write("s\n3\n5\n", "a.txt"), write("s\n1\n2\n", "b.txt")
    lines = [
        [line for line in run("test", *words)[1].splitlines() if "  time  " not in line]
        for words in (
            (*names, "--key", "s"),
            ("--key", "s", *names),
            (names[0], "--key", "s", names[1]),
        )
    ]
    assert lines[0] == lines[1] == lines[2] != []


def test_columns_with_a_blank_between(run, write):
    name = write("u,v\n1,2\n")
    message = (
        "cannot read v: no such file; names of columns are separated by commas, as in --columns A,B, "
        "and those with blanks need quotes"
    )
    assert run("test", name, "--columns", "u", "v") == (2, "", f"exactperm: error: {message}\n")
    assert run("test", name, "--columns", "u,v")[0] == 0


def test_records_of_two_systems(run, write):
    names = write(NEW_ITEMS, "new.jsonl"), write(OLD_ITEMS, "old.json")
    assert run("test", *names, *JOIN) == (
        2,
        "",
        f"exactperm: error: new.jsonl, line 3, key 'm.acc', id '3': the value is missing or null{DROP}\n",
    )
    status, out, _err = run("test", *names, *JOIN, "--missing", "drop")
    assert status == 0
    assert "missing      1 of 3 pairs left out of all columns (missing drop)\n" in out
    assert "statistic    1.125 (sum of the differences new.jsonl: m.acc - old.json: m.acc)\n" in out
    assert "pairs        2, 0 tied\n" in out


def test_records_say_how_they_were_read(run, write):
    """Files by their hashes, what was left out and what rounding changed: 0.25 and 0.125 are 0.2 and 0.1."""
    names = write(NEW_ITEMS, "new.jsonl"), write(OLD_ITEMS, "old.json")
    words = (*names, *JOIN, "--missing", "drop", "--decimals", "1", "--json")
    hashes = [hashlib.sha256(text.encode()).hexdigest() for text in (NEW_ITEMS, OLD_ITEMS)]
    for data in (
        json.loads(run("test", *words)[1]),
        json.loads(run("test", *words, "--method", "certified")[1]),
        json.loads(run("dist", *words)[1])["test"],
        json.loads(run("compare", *words)[1]),
    ):
        assert [file["sha256"] for file in data["files"]] == hashes
        assert [
            data[name]
            for name in ("id", "missing", "dropped_pairs", "decimals", "rounded", "version")
        ] == [
            "doc_id",
            "drop",
            1,
            1,
            2,
            exactperm.__version__,
        ]


@pytest.mark.parametrize(
    "words",
    [("dist",), ("dist", "--svg", "-"), ("compare", "--csv")],
    ids=["distribution", "picture", "comparisons"],
)
def test_what_csv_cannot_say_is_on_standard_error(run, write, words):
    name = write("# c\nu,v\n1,2\nNA,3\n\n4,2.5\n")
    status, out, err = run(*words, name, "--missing", "drop", "--decimals", "0")
    assert (status, "header" in out) == (0, False)
    assert err.splitlines() == [
        "exactperm: data: f.csv: u, v",
        "exactperm: header: line 2; --header no if it is data",
        "exactperm: comments: line 1 left out; --comments no makes them data",
        "exactperm: blank: line 5 left out",
        "exactperm: missing: 1 of 3 pairs left out of all columns (missing drop)",
        "exactperm: rounded: 1 values altered by decimals 0",
    ]


def test_systems_of_many_files_are_compared(run, write):
    names = [write(f"id;s\nx;{i}\ny;{i * i}\n", f"run{i}.csv") for i in range(1, 4)]
    status, out, _err = run("compare", *names, "--id", "id", "--key", "s")
    assert status == 0
    assert [line.split("  ")[:2] for line in out.splitlines()[3:]] == [
        ["run1.csv: s", "run2.csv: s"],
        ["run1.csv: s", "run3.csv: s"],
        ["run2.csv: s", "run3.csv: s"],
    ]
    assert "joined by: id, all ids in every file" in out
    assert "run1.csv is named twice" in run("compare", names[0], names[0], "--id", "id")[2]


def test_a_table_of_runs_and_items(run, write):
    """An id column that is text is no system; the rows that lack a score are left out for all systems."""
    name = write("item,a,b,c\nq1,3,1,3\nq2,5,2,\nq3,4,2,5\nq4,7,3,6\n")
    assert "f.csv, line 3, column 4 (c): the cell is empty" in run("compare", name)[2]
    status, out, _err = run("compare", name, "--id", "item", "--missing", "drop")
    assert status == 0
    assert "missing: 1 of 4 pairs left out of all columns (missing drop)" in out
    other = write(Path(name).read_text(encoding="utf-8").replace("q2,5,2,\n", "q2,9,9,NA\n"))
    assert run("compare", other, "--id", "item", "--missing", "drop") == (0, out, "")


def test_a_picture_overwrites_none_of_the_inputs(run, write):
    names = write("1\n2\n", "a.txt"), write("3\n5\n", "b.txt")
    message = "exactperm: error: cannot write b.txt: it is the input\n"
    assert run("dist", *names, "--svg", "b.txt", "--force") == (2, "", message)


@pytest.mark.parametrize("stream", [None, "closed"])
def test_csv_needs_no_standard_error(write, monkeypatch, capsys, stream):
    class Closed:
        def isatty(self):
            return False

        def write(self, _text):
            raise OSError

        flush = write

    monkeypatch.setattr("sys.stderr", stream and Closed())
    assert cli.main(["dist", write("1\n")]) == 0
    assert capsys.readouterr().out.splitlines()[0].startswith("value,")


def test_a_million_columns(run, write):
    name = write(",".join(["1"] * 10**6) + "\n")
    status, out, err = run("test", name, "--delimiter", "comma")
    assert (status, out) == (2, "")
    assert len(err) < 300
    assert run("test", name, "--delimiter", "comma", "--columns", "1,1000000")[0] == 0


def real_scores(systems=2):
    """A file of 80 pairs of 16-digit scores, which no exact engine counts."""
    rng = random.Random(5)
    rows = [",".join(str(rng.gauss(0, 1)) for _ in range(systems)) for _ in range(80)]
    return "\n".join([",".join("abcdef"[:systems]), *rows])


class TestRealScores:
    def test_auto_answers_with_a_bracket_and_says_so(self, run, write):
        name = write(real_scores())
        status, out, _err = run("test", name)
        lines = out.splitlines()
        assert status == 0
        assert (
            lines[0]
            == "Paired-permutation test, two-sided: the exact p-value is between two certain bounds"
        )
        assert lines[-3].startswith("  exact count  80 pairs")
        assert lines[-2].startswith("  in words     81.8% of all swaps give a difference of ")
        assert " | two-sided | p in [8.1" in lines[-1]
        record = json.loads(run("test", name, "--json")[1])
        assert (record["exact"], record["refused"][:9]) == (False, "80 pairs ")
        assert record["width"] <= 1e-4

    def test_exact_insists_and_other_statistics_have_brackets_too(self, run, write):
        name = write(real_scores())
        assert run("test", name, "--method", "exact")[0] == 2
        assert run("test", name, "--statistic", "mean_difference")[0] == 0
        assert run("test", write("1\n2\n"), "--method", "exact")[0] == 0
        certified = json.loads(run("test", name, "--method", "certified", "--json")[1])
        assert "exact" not in certified

    def test_what_both_refuse_is_the_refusal_of_the_count(self, run, write):
        status, _out, err = run("test", write(real_scores()), "--max-seconds", "1e-9")
        assert status == 2
        assert "too much work: 80 pairs" in err

    def test_a_leaderboard_of_brackets(self, run, write):
        name = write(real_scores(3))
        assert run("compare", name, "--method", "exact")[0] == 2
        assert "3 certified paired-permutation tests" in run("compare", name)[1]
        status, out, _err = run("compare", name, "--method", "certified")
        assert status == 0
        assert "3 certified paired-permutation tests" in out
        assert "; ? undecided\n" in out
        assert run("compare", name, "--method", "certified", "--csv")[1].startswith(
            "first,second,statistic,pvalue_lower,"
        )


CLASSICAL = "u,v\n1,0\n1,0\n1,0\n0,1\n1,1\n"


@pytest.mark.parametrize(
    ("words", "result"),
    [
        (["--statistic", "signed-rank"], exactperm.wilcoxon_signed_rank_test([1, 1, 1, -1, 0])),
        (
            ["--statistic", "signed-rank", "--zeros", "pratt", "--alternative", "greater"],
            exactperm.wilcoxon_signed_rank_test(
                [1, 1, 1, -1, 0], zero_method="pratt", alternative="greater"
            ),
        ),
        (["--statistic", "sign"], exactperm.sign_test([1, 1, 1, -1, 0])),
        (["--statistic", "mcnemar"], exactperm.mcnemar_test(3, 1)),
    ],
)
def test_classical_statistics(run, write, words, result):
    status, out, _err = run("test", write(CLASSICAL), *words, "--json")
    record = json.loads(out)
    assert (status, record["pvalue"]) == (0, str(result.pvalue))
    assert Fraction(record["statistic"]) == result.statistic
    Path("r.json").write_text(out, encoding="utf-8")
    assert run("recount", "r.json")[0] == 0
    assert f"{words[1]} of the differences u - v" in run("test", "f.csv", *words)[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--statistic", "mcnemar"], "needs scores 0 and 1"),
        (["--statistic", "sign", "--method", "dp"], "--method dp does not know the statistic sign"),
        (
            ["--statistic", "sign", "--method", "certified"],
            "--method certified does not know the statistic sign",
        ),
        (
            ["--statistic", "sign", "--groups", "g", "--columns", "u,v"],
            "--groups does not know the statistic sign",
        ),
        (
            ["--statistic", "sign", "--columns", "u,v", "--certificate", "c.json"],
            "--certificate does not know",
        ),
    ],
)
def test_what_classical_statistics_refuse(run, write, words, message):
    columns = [] if "--columns" in words else ["--columns", "u,v"]
    status, _out, err = run("test", write("u,v,g\n1,2,a\n3,1,b\n0,0,b\n"), *columns, *words)
    assert status == 2
    assert message in err


SHIFTED = "u,v\n3,1\n2,0\n1,5\n4,4\n"
TABLE = "new right,new wrong\n80,9\n1,10\n"


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        (
            SHIFTED,
            ["--mu", "1/2"],
            (exactperm.sign_flip_test(["3/2", "3/2", "-9/2", "-1/2"]), "u - v, less 0.5 each"),
        ),
        (
            SHIFTED,
            ["--mu=-1/2", "--orientation", "second-first", "--alternative", "less"],
            (
                exactperm.sign_flip_test(["-3/2", "-3/2", "9/2", "1/2"], alternative="less"),
                "sum of the differences v - u, less -0.5 each",
            ),
        ),
        (
            SHIFTED,
            ["--statistic", "signed-rank", "--mu", "2", "--alternative", "greater"],
            (
                exactperm.wilcoxon_signed_rank_test([2, 2, -4, 0], mu=2, alternative="greater"),
                "signed-rank of the differences u - v, less 2 each",
            ),
        ),
        (
            SHIFTED,
            ["--statistic", "sign", "--mu", "2"],
            (
                exactperm.sign_test([2, 2, -4, 0], mu=2),
                "sign of the differences u - v, less 2 each",
            ),
        ),
        (
            "1\n2\n-4\n",
            ["--orientation", "second-first", "--alternative", "greater"],
            (
                exactperm.sign_flip_test([-1, -2, 4], alternative="greater"),
                "sum of the differences, second - first",
            ),
        ),
        (
            CLASSICAL,
            ["--statistic", "mcnemar", "--orientation", "second-first", "--alternative", "less"],
            (exactperm.mcnemar_test(1, 3, alternative="less"), "mcnemar of the differences v - u"),
        ),
        (
            TABLE,
            ["--statistic", "mcnemar"],
            (exactperm.mcnemar_test(9, 1), "b - c of the 2 x 2 table, b = 9, c = 1"),
        ),
        (
            TABLE,
            ["--statistic", "mcnemar", "--orientation", "second-first", "--alternative", "greater"],
            (
                exactperm.mcnemar_test(1, 9, alternative="greater"),
                "c - b of the 2 x 2 table, b = 9, c = 1",
            ),
        ),
        (
            None,
            ["--statistic", "mcnemar", "--counts", "9,1"],
            (exactperm.mcnemar_test(9, 1), "b = 9, c = 1"),
        ),
        (
            None,
            ["--statistic", "mcnemar", "--counts", "9, 1", "--orientation", "second-first"],
            (exactperm.mcnemar_test(1, 9), "-8 (c - b)"),
        ),
    ],
)
def test_orientation_shift_counts_and_mid_p(run, write, text, words, expected):
    result, shown = expected
    files = [] if text is None else [write(text)]
    write("", "r.json")
    status, out, _err = run("test", *files, *words, "--midp", "--json")
    record = json.loads(out)
    assert (status, Fraction(record["pvalue"]), Fraction(record["midp"])) == (
        0,
        result.pvalue,
        result.midp,
    )
    assert Fraction(record["statistic"]) == result.statistic
    assert record.get("orientation", "first-second") == (
        "second-first" if "second-first" in words else "first-second"
    )
    assert record.get("counts", [9, 1]) == [9, 1]
    assert ("counts" in record) == (text in (None, TABLE))
    assert ("mu" in record) == any(word.startswith("--mu") for word in words)
    Path("r.json").write_text(out, encoding="utf-8")
    assert run("recount", "r.json")[:2] == (0, "r.json: confirmed\n")
    Path("r.json").write_text(json.dumps({**record, "midp": "1/3"}), encoding="utf-8")
    status, out, _err = run("recount", "r.json")
    assert status == 1
    assert "midp is '1/3', but counting again gives" in out
    text_out = run("test", *files, *words)[1]
    assert shown in text_out
    assert "mid-p" not in text_out
    assert f", exactly {result.midp}\n" in run("test", *files, *words, "--midp")[1]
    assert "midp" not in json.loads(run("test", *files, *words, "--json")[1])


def test_the_certificate_of_a_shifted_test_holds_its_differences(run, write):
    assert run("test", write(SHIFTED), "--mu", "1/2", "--certificate", "c.json")[0] == 0
    assert run("test", "f.csv", "--orientation", "second-first", "--certificate", "d.json")[0] == 0
    for name in ("c.json", "d.json"):
        assert run("recount", name, "--independent")[0] == 0


@pytest.mark.parametrize(
    "words", [(), ("--method", "certified", "--digits", "3"), ("--statistic", "signed-rank")]
)
def test_certified_mid_p_values_and_records(run, write, words):
    # Real numbers, and the same by their ranks: the record is computed again to the same bits, its
    # mid-p with it.
    name = write(real_scores(2))
    words = (
        (*words, "--method", "certified", "--zeros", "pratt") if "signed-rank" in words else words
    )
    status, out, _err = run("test", name, "--midp", "--json", *words)
    record = json.loads(out)
    write(out, "r.json")
    assert status == 0
    assert run("recount", "r.json") == (0, "r.json: confirmed: the same bracket, bit for bit\n", "")
    lower, upper = (Fraction(end) * Fraction(2) ** record["midp"][2] for end in record["midp"][:2])
    assert lower <= upper <= Fraction(record["decimal_bracket"][1])
    write(json.dumps({**record, "midp": [1, 2, -3]}), "r.json")
    assert "midp is [1, 2, -3], but counting again gives" in run("recount", "r.json")[1]
    write(json.dumps({**record, "bracket": [1, 2, -3]}), "r.json")
    assert run("recount", "r.json")[0] == 1
    text_out = run("test", name, "--midp", *words)[1]
    assert "\n  mid-p value  " in text_out
    assert run("recount", "r.json", "--independent")[0] != 0
    write(json.dumps(record), "r.json")
    assert (
        "not checked: no proof of a count: the p-value is 'enclosed'"
        in run("recount", "r.json", "--independent")[1]
    )


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        (None, [], "name a file of scores, or --counts B,C"),
        (None, ["--counts", "9,1"], "--counts does not know the statistic difference"),
        (None, ["--statistic", "mcnemar", "--counts", "9"], "'9' is not two counts such as 9,1"),
        (None, ["--statistic", "mcnemar", "--counts", "9,-1"], "'-1' is not a whole number"),
        (
            TABLE,
            ["--statistic", "mcnemar", "--counts", "9,1"],
            "--counts and the file f.csv exclude each other",
        ),
        (
            None,
            ["--statistic", "mcnemar", "--counts", "9,1", "--columns", "1"],
            "--counts and --columns exclude",
        ),
        (
            None,
            ["--statistic", "mcnemar", "--counts", "9,1", "--key", "a"],
            "--counts and --key exclude",
        ),
        (
            None,
            ["--statistic", "mcnemar", "--counts", "9,1", "--id", "a"],
            "--counts and --id exclude",
        ),
        (
            None,
            ["--statistic", "mcnemar", "--counts", "9,1", "--groups", "g"],
            "--groups does not know",
        ),
        (
            None,
            ["--statistic", "mcnemar", "--counts", "9,1", "--missing", "drop"],
            "--counts and --missing exclude",
        ),
        (
            SHIFTED,
            ["--statistic", "mcnemar", "--mu", "1"],
            "--mu does not know the statistic mcnemar",
        ),
        (
            SHIFTED,
            ["--statistic", "mean_difference", "--mu", "1"],
            "--mu does not know the statistic mean_difference",
        ),
        (SHIFTED, ["--mu", "x"], "argument --mu: mu is 'x'"),
        (SHIFTED, ["--mu", "1", "--decimals", "1"], "--mu and --decimals exclude each other"),
        (
            CLASSICAL,
            ["--statistic", "mcnemar", "--decimals", "1"],
            "--decimals does not know the statistic mcnemar",
        ),
        (
            SHIFTED,
            ["--statistic", "sign", "--zeros", "pratt"],
            "--zeros does not know the statistic sign",
        ),
        (
            SHIFTED,
            ["--statistic", "signed-rank", "--method", "certified", "--certificate", "c"],
            "--certificate does not",
        ),
        (
            SHIFTED,
            ["--statistic", "sign", "--method", "certified"],
            "--method certified does not know the statistic",
        ),
        ("80,-9\n1,10\n", ["--statistic", "mcnemar"], "[0][1] is '-9': it must not be negative"),
        (
            "80,9.5\n1,10\n",
            ["--statistic", "mcnemar"],
            "[0][1] is '9.5': it must be a whole number of items",
        ),
        ("u,v\n80,9\n1,10\n3,4\n", ["--statistic", "mcnemar"], "f.csv is neither"),
        ("1\n0\n", ["--statistic", "mcnemar"], "f.csv is neither"),
        ("u,v\n1,0\n0,1\n", ["--statistic", "mcnemar"], "may be a 2 x 2 table or two pairs"),
    ],
)
def test_what_cannot_be_combined(run, write, text, words, message):
    files = [] if text is None else [write(text)]
    status, _out, err = run("test", *files, *words)
    assert status == 2
    assert message in err
