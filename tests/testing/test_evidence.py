"""Names of mistakes by evidence: each mistake has its own name or none, never a wrong one."""

import math
from fractions import Fraction
from itertools import product

import pytest

from exactperm.testing import evidence, runner
from exactperm.testing.judge import Implementation, Verdict
from exactperm.testing.outcomes import Outcome, Report
from tests.testing import evidence_cases as cases
from tests.testing.mistakes import (
    MISTAKES,
    RATIOS,
    exact_in_floats,
    float_differences,
    floats_sum,
    towards,
)
from tests.testing.recipes import CALLS

SMALL = ["S00[0-6]*", "W0*", "A0*", "C0*", "N0*"]
"""Records that are quickly answered."""

ALIKE = {"ratio-of-ratios": "share-of-sum", "share-of-sum": "ratio-of-ratios"}
"""Mistakes whose answers the records do not tell apart."""


ACCEPTED = {"nan-for-zeros": 2}
"""Of calls where the records accept what a mistake answers, so that it is none: the sign test and
Wilcoxon's."""


@pytest.mark.whole
def test_the_table_of_names_is_that_of_the_repository():
    assert cases.TABLE.read_text(encoding="utf-8") == "\n".join(cases.rows()) + "\n"


def test_no_mistake_of_the_table_has_a_wrong_name():
    lines = cases.TABLE.read_text(encoding="utf-8").splitlines()
    listed = {line.split(" | ")[0].strip("| "): line for line in lines if line.startswith("| ")}
    assert set(MISTAKES) | set(cases.OTHERS) <= set(listed)
    for name in MISTAKES:
        names = [
            cell.partition(": ")[2].strip()
            for cell in listed[name].strip("|").split("|")[1:]
            if ":" in cell
        ]
        assert len(names) == len(MISTAKES[name].calls) - ACCEPTED.get(name, 0), name
        for told in names:
            own = told == "its own" or (name in ALIKE and ALIKE[name] in told and "its own" in told)
            assert own or (told == "unknown" and MISTAKES[name].random), (name, told)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "strict",
            "mid-p",
            "half-p",
            "minimum-ranks",
            "wilcox-for-pratt",
            "signs-only",
            "by-short",
        ),
        *("p-at-level-kept", "never-open", "walsh-averages", "zeros-left-out", "groups-for-pairs"),
        *("float-cells", "every-assignment", "gaps-filled", "truncated-ranks"),
    ],
)
def test_mistakes_are_named(name):
    wrong = MISTAKES[name]
    patterns = [pattern for pattern in SMALL if CALLS[pattern[0]] in wrong.calls]
    report = cases.report(wrong, patterns)
    assert report.findings
    for finding in report.findings:
        assert [mistake.name for mistake in finding.named] == [name]
        assert finding.words == wrong.__doc__.strip()


def names(function, *patterns, **options):
    (finding,) = cases.report(function, patterns, **options).findings
    return finding


def test_float_sums_are_named_in_any_order_of_additions():
    found = names(cases.float_cells, "S00[0-6]*")
    assert [mistake.name for mistake in found.named] == ["float-sums"]


def test_a_mistake_from_some_size_on():
    found = names(cases.normal_above(30), "W0*")
    assert [mistake.name for mistake in found.named] == ["normal-approximation"]
    assert found.least == 36
    assert found.words.endswith(" From 36 swap units on.")


def test_two_mistakes_together():
    found = names(cases.strict_and_nan, "S00[0-6]*")
    assert {mistake.name for mistake in found.named} == {"strict", "nan-for-zeros"}
    assert " And: " in found.words


def test_a_mistake_of_a_program_that_adds_floats():
    """It counts > in place of >=, and loses ties of floats besides."""

    def strict_floats(q):
        if exact_in_floats(q):
            return MISTAKES["strict"](q)
        sums = [floats_sum(ds, float) for ds in product(*((d, -d) for d in float_differences(q)))]
        return Fraction(sum(towards(q, x) > towards(q, sums[0]) for x in sums), len(sums))

    found = names(strict_floats, "S00[0-3]*")
    assert [mistake.name for mistake in found.named] == ["strict"]
    assert "Apart from" in found.words


def test_too_few_answers_name_nothing():
    found = names(MISTAKES["no-abs"], "S0001")
    assert (found.named, found.wrong, found.words) == ((), 1, "")


def test_mistakes_that_answers_do_not_tell_apart_are_all_named():
    found = names(MISTAKES["share-of-sum"], "R0*")
    assert {mistake.name for mistake in found.named} == {"share-of-sum", "ratio-of-ratios"}
    assert "which the answers do not tell apart" in found.words


@pytest.mark.parametrize(
    "name", ["p (1 + 3e-7)", "p squared", "rounded to 5 decimals", "0.5 whatever the data"]
)
def test_unknown_mistakes_are_not_named(name):
    for pattern in ("S00[0-5]*", "W00[0-4]*"):
        assert names(cases.OTHERS[name], pattern).named == ()


def test_a_reading_of_numbers_hides_no_mistake():
    """A program of doubles that counts > is named by its answers to the records in doubles."""
    found = names(MISTAKES["strict"], "S00[0-3]*", read="binary64", numbers="binary64")
    assert [mistake.name for mistake in found.named] == ["strict"]


def test_answers_without_numbers_are_no_evidence():
    vector = cases.ALL["S0001"]
    fault = Outcome(vector=vector, alternative="less", verdict=Verdict(kind="error", words="error"))
    report = Report(by=Implementation(), outcomes=(fault,))
    assert runner.explained(report, cases.ALL).findings == ()
    for p, value in (
        (None, None),
        ("x", None),
        ([1, "y"], None),
        (0.5, Fraction(1, 2)),
        ([1], [1]),
    ):
        assert evidence.value_of({"p": p}) == value
    assert math.isnan(evidence.value_of({"p": "NaN"}))


def test_lists_of_other_lengths_are_no_answer_of_a_mistake():
    assert not evidence._same([Fraction(1)], [1, 1], [Fraction(1), Fraction(1)])
    assert evidence._same([Fraction(1), Fraction(0)], [1, 0], [Fraction(2)])
    assert not evidence._same([Fraction(1), Fraction(1)], [1, 0], [Fraction(2)])
    assert not evidence._same(Fraction(1), [1], [Fraction(1)])
    assert not evidence._same(math.nan, 0.5, Fraction(1, 4))
    assert evidence._same(math.nan, "NaN", Fraction(1, 4))


def test_calls_of_mistakes():
    assert MISTAKES["not-halved"].calls == ["f1"]
    assert MISTAKES["numerators-only"].calls == RATIOS.split()


def test_an_entry_of_a_list_may_be_right():
    truth, close = Fraction(1, 3), Fraction(1, 3) * (1 + Fraction(1, 10**15))
    assert evidence._same([close, Fraction(1, 2)], [float(truth), 0.5], [truth, Fraction(1, 4)])
    assert not evidence._same(
        [Fraction(1, 2), Fraction(1, 2)], [float(truth), 0.5], [truth, Fraction(1, 4)]
    )
