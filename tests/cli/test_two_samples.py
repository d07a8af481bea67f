"""Two unpaired samples on the command line: three forms of files, one answer, which is that of the library."""

import json
from functools import partial
from pathlib import Path

import pytest

from exactperm import mann_whitney_test, two_sample_test

X, Y = [12, 15, 11, 18], [9, 10, 12, 8, 7]
SITES = list("ABAB"), list("ABABB")
FILES = {
    "wide.csv": "drug,placebo\n12,9\n15,10\n11,12\n18,8\n,7\n",
    "drug": "12\n15\n11\n18\n",
    "placebo": "9\n10\n12\n8\n7\n",
    "long.csv": """arm,site,y
drug,A,12
drug,B,15
drug,A,11
drug,B,18
placebo,A,9
placebo,B,10
placebo,A,12
placebo,B,8
placebo,B,7
""",
    "empty.csv": "a,b\n,1\n,2\n",
}
WIDE = ("wide.csv", "-c", "drug,placebo")
LONG = ("long.csv", "--system", "arm", "--score", "y")


@pytest.fixture
def tested(run):
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")
    return partial(run, "test", "--unpaired")


@pytest.mark.parametrize(
    "words", [WIDE, ("drug", "placebo"), LONG], ids=["columns", "files", "long"]
)
@pytest.mark.parametrize("statistic", ["difference", "wilcoxon"])
def test_three_forms_have_the_answer_of_the_library(run, tested, words, statistic):
    test = mann_whitney_test if statistic == "wilcoxon" else two_sample_test
    expected = test(X, Y)
    status, out, err = tested(*words, "-s", statistic, "--json")
    record = json.loads(out)
    assert (status, err, record["pvalue"]) == (0, "", str(expected.pvalue))
    assert record["samples"] == "4 of drug, 5 of placebo, unpaired"
    assert record["ahead"]["system"] == "drug"
    assert (record["first"]["cells"], record["last"]["cells"]) == ({"drug": "12"}, {"placebo": "7"})
    Path("record.json").write_text(out, encoding="utf-8")
    assert run("recount", "record.json")[0] == 0


def test_the_text_says_what_was_compared(tested):
    out = tested(*WIDE, "--names", "new,old")[1]
    assert out.startswith("new is ahead of old by 4.8 on average")
    assert "samples      4 of new, 5 of old, unpaired" in out
    assert "no interval: two samples have none here\n" in out
    sentence, last = out.splitlines()[-2:]
    assert "two-sample permutation test, two-sided, p = .0317)" in sentence
    assert "exactperm recount" in last
    assert "as far from its mean as 18.5, or farther" in tested(*WIDE, "-s", "wilcoxon")[1]


def test_strata_order_and_missing_values(tested):
    expected = two_sample_test(X, Y, strata=SITES, alternative="greater")
    asked = (*LONG, "--strata", "site", "-a", "greater", "--json")
    assert json.loads(tested(*asked)[1])["pvalue"] == str(expected.pvalue)
    said = tested(*asked[:-1])[1]
    assert "exact two-sample permutation test within strata of site, greater, p = " in said
    assert "swapped together" not in said
    Path("wide.csv").write_text(FILES["wide.csv"].replace("11", "NA"), encoding="utf-8")
    assert "a value is missing" in tested(*WIDE)[2]
    kept = json.loads(tested(*WIDE, "--missing", "drop", "--json")[1])
    assert kept["pvalue"] == str(two_sample_test([12, 15, 18], Y).pvalue)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("empty.csv", "-c", "a,b"), "a has no values"),
        ((*WIDE, "--interval"), "--unpaired and --interval exclude each other"),
        (
            (*WIDE, "-s", "wilcoxon", "--method", "certified"),
            "of two samples has no certified bracket",
        ),
        ((*WIDE, "-s", "sign"), "--unpaired is not for --statistic sign"),
        ((*WIDE, "--max-seconds", "1e-9"), "too much work"),
    ],
)
def test_what_two_samples_do_not_have(tested, words, told):
    status, out, err = tested(*words)
    assert (status, out) == (2, "")
    assert told in err


def test_bounds_and_certificates_are_counted_again(run, tested):
    """A certificate is of the count alone."""
    out = tested(*WIDE, "--method", "certified", "-o", "r.json")[1]
    assert "certified)" in out.splitlines()[1]
    assert run("recount", "r.json") == (0, "r.json: confirmed: the same bracket, bit for bit\n", "")
    text = Path("r.json").read_text(encoding="utf-8").replace("{", '{"more": 1,', 1)
    Path("r.json").write_text(text, encoding="utf-8")
    assert run("recount", "r.json")[1].endswith("since no test writes them: more\n")
    told = tested(*WIDE, "--certificate", "c.json")[2]
    assert "check it with: exactperm recount c.json\n" in told
    assert run("recount", "c.json", "--independent")[0] == 0


def test_strata_are_those_of_two_samples(run, tested):
    assert "--strata needs --unpaired" in run("test", *WIDE, "--strata", "drug")[2]
