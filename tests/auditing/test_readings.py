"""What a claim leaves open is never held against its author; what it states is."""

from fractions import Fraction

import pytest

from exactperm import Budget, BudgetExceeded
from exactperm.auditing import conventions, estimates, samples, store
from exactperm.auditing.audit import audit, audit_claim
from exactperm.auditing.claims import OPEN, Claim
from exactperm.cli.demo import DARWIN_MAIZE, STUDENT_SLEEP
from exactperm.errors import ExactPermError
from exactperm.record import replaced

MAIZE, SLEEP = list(DARWIN_MAIZE), list(STUDENT_SLEEP)
ACCURACIES = [
    ["93.1", "90.4", "85.2", "88.8", "91.0", "79.5", "84.4", "90.9", "87.7", "82.3"],
    ["92.4", "90.1", "84.5", "89.1", "90.3", "78.3", "84.7", "90.2", "86.5", "81.6"],
]
ZEROS = [0, 0, 0, 1, 2, 3, 4, 5]
MARKS = [[1] * 9 + [0] * 3, [0] * 8 + [1] + [1] * 2 + [0]]
RANKS = {"statistic": "signed-rank"}


def judged(p, data=MAIZE, **fields):
    finding = audit_claim({"p": p, "data": data, **fields})
    return finding.level, finding.reason


@pytest.mark.parametrize(
    ("p", "data", "fields", "expected"),
    [
        # 0/1 scores: McNemar's test is as usual as the permutation test.
        ("p = .1138", MARKS, {}, ("consistent", "usual-convention")),
        ("p = .48", [[1, 0, 1], [0, 1, 1]], {}, ("consistent", "package")),
        # R 4.2.2 prints these by default: mcnemar.test, mcnemar.test(correct = FALSE), wilcox.test,
        # t.test.
        (
            "p = .0101",
            None,
            {"counts": "25,9", "statistic": "mcnemar"},
            ("consistent", "usual-convention"),
        ),
        (
            "p = .00607",
            None,
            {"counts": "25,9", "statistic": "mcnemar"},
            ("consistent", "usual-convention"),
        ),
        ("p = 0.009091", SLEEP, RANKS, ("consistent", "usual-convention")),
        ("p = 0.0497", MAIZE, {}, ("consistent", "usual-convention")),
        # R prints 0.01368 for the normal law, NumPy 10/1024 for the sum: both lose ties of
        # decimals.
        ("p = .01368", ACCURACIES, {**RANKS, "law": "normal-cc"}, ("consistent", "float-ties")),
        (
            "p = .0098",
            ACCURACIES,
            {"law": "exact", "alternative": "two-sided"},
            ("consistent", "float-ties"),
        ),
        # An enumeration of 2**10 assignments prints multiples of 1/1024 only: 11/1024 = .01074,
        # 12/1024 = .01172.
        (
            "p = .0112",
            ACCURACIES,
            {"law": "exact", "alternative": "two-sided", "rounded": "no", "boundary": ">="},
            ("inconsistent", "no-explanation"),
        ),
        # The mid-p value of McNemar's test is usual, that of a sum is not; one side is never taken
        # for two.
        (
            "p = .00599",
            None,
            {"counts": "25,9", "statistic": "mcnemar"},
            ("consistent", "usual-convention"),
        ),
        ("p = .0263", MAIZE, {}, ("undecided", "open-convention")),
        ("p = .0263", MAIZE, {"alternative": "one-tailed"}, ("consistent", "rounds")),
        ("p = .9745", MAIZE, {"alternative": "one-sided"}, ("consistent", "usual-convention")),
        ("p = .0518", MAIZE, {"law": "exact"}, ("undecided", "open-convention")),
        # Wilcoxon's test, or an estimate
        ("p = .041", MAIZE, {}, ("undecided", "open-convention")),
        ("p = .31", MAIZE, {}, ("inconsistent", "no-explanation")),
        ("p = .0134", MAIZE, {"law": "exact"}, ("decision-inconsistent", "no-explanation")),
        # The order of the columns is the auditor's, unless it is stated.
        (
            "p = .0045",
            None,
            {"counts": "9,25", "statistic": "mcnemar", "alternative": "greater"},
            ("undecided", "other-order"),
        ),
        (
            "p = .0045",
            None,
            {
                "counts": "9,25",
                "statistic": "mcnemar",
                "alternative": "greater",
                "orientation": "first-second",
            },
            ("decision-inconsistent", "explained-by"),
        ),
        (
            "p = .50",
            ACCURACIES,
            {**RANKS, "law": "normal", "alternative": "less"},
            ("inconsistent", "no-explanation"),
        ),
        # statsmodels 0.15.0 takes 1 off a difference of 0; SciPy 1.17.1 has the zeros in the
        # variance of zsplit.
        (
            "p = .7518",
            None,
            {"counts": "5,5", "statistic": "mcnemar", "law": "normal-cc"},
            ("consistent", "package"),
        ),
        (
            "p = .03479",
            ZEROS,
            {**RANKS, "zeros": "zsplit", "law": "normal"},
            ("consistent", "package"),
        ),
        (
            "p = .0367",
            SLEEP,
            {"statistic": "sign", "law": "asymptotic"},
            ("inconsistent", "no-explanation"),
        ),
        ("p = .0076", SLEEP, {**RANKS, "law": "asymptotic"}, ("consistent", "rounds")),
    ],
)
def test_verdicts(p, data, fields, expected):
    assert judged(p, data, **fields) == expected


@pytest.mark.parametrize("p", ["p = .0101", "p = .00607", "p = .00599"])
def test_what_is_stated_closes_the_claim(p):
    claim = {"p": p, "counts": "25,9", "statistic": "mcnemar"}
    assert audit_claim({**claim, "law": "exact", "boundary": ">="}).level == "inconsistent"
    assert audit_claim({**claim, "stated": "all"}).level == "inconsistent"
    (finding,) = audit([claim], strict=True)
    assert finding.level == "inconsistent"
    assert finding.assumed == ()


def test_a_finding_says_what_was_assumed():
    finding = audit_claim({"p": ".0497", "data": MAIZE, "statistic": "sum"})
    assert finding.assumed == ("law exact", "alternative two-sided")
    assert finding.line().endswith(
        ": paired t-test, two-sided (decides otherwise) [usual-convention]"
    )
    assert (
        "Not stated in the document, and assumed here: the law (exact), the alternative (two-sided)."
        in [*finding.details()]
    )
    assert finding.to_dict()["assumed"] == [*finding.assumed]


def test_an_open_law_is_no_decision_error():
    """The t-test of these data decides as printed; only the exact test does not."""
    raw = {"data": MAIZE, "alternative": "two-sided", "rounded": "no"}
    open_ = audit_claim({"p": "p = .0011", **raw})
    assert (open_.level, open_.decision) == ("inconsistent", (True, None))
    closed = audit_claim({"p": "p = .0011", "law": "exact", **raw})
    assert (closed.level, closed.decision) == ("decision-inconsistent", (True, False))


def test_the_fields_of_a_claim_that_are_stated():
    claim = Claim(p="1", data=[1], law="exact")
    assert (claim.stated, claim.leaves_open("law"), claim.leaves_open("zeros")) == (
        ("law",),
        False,
        True,
    )
    assert replaced(claim, id="x").stated == ("law",)
    assert Claim(p="1", data=[1], stated="all").stated == OPEN
    with pytest.raises(ExactPermError, match="stated is 'law'"):
        Claim(p="1", data=[1], stated="law")


@pytest.mark.parametrize(
    ("fields", "taken"),
    [
        (
            {"statistic": "Wilcoxon", "alternative": "Two-sided"},
            ("signed-rank", "exact", "two-sided"),
        ),
        ({"statistic": "t-test", "alternative": "two-tailed"}, ("sum", "t", "two-sided")),
        ({"statistic": "T-Test", "alternative": "one-tailed"}, ("sum", "t", "min")),
        ({"law": "Exact"}, ("sum", "exact", "two-sided")),
        ({"law": "permutation", "alternative": "larger"}, ("sum", "exact", "greater")),
        ({"samples": 1000}, ("sum", "monte-carlo", "two-sided")),
        (
            {"statistic": "signed rank", "law": "asymptotic"},
            ("signed-rank", "asymptotic", "two-sided"),
        ),
    ],
)
def test_words_that_people_use(fields, taken):
    claim = Claim(p="1", data=[1], **fields)
    assert (claim.statistic, claim.law, claim.alternative) == taken


class TestDoubts:
    """An accusation with a doubt about the data is undecided, and the doubt is on the line."""

    @pytest.fixture
    def averages(self, tmp_path):
        rows = [
            "Dataset,Ours,Baseline",
            "adult,93.1,92.2",
            "breast,92.0,91",
            "cmc,52.1,50.0",
            "iris,95.0,94.0",
        ]
        path = tmp_path / "average.csv"
        path.write_text(
            "\n".join([*rows, "letter,88,87.5", "Average,84.04,82.94", ""]), encoding="utf-8"
        )
        return str(path)

    def test_a_row_of_totals(self, averages):
        finding = audit_claim(
            {"p": "p = .0625", "data": averages, "columns": "Ours,Baseline", "stated": "all"}
        )
        assert (finding.level, finding.reason) == ("unreadable", "unreadable")
        assert "the last row is the sum or the mean" in finding.notes[0]

    def test_an_adjustment_by_an_unknown_number_of_tests(self):
        finding = audit_claim(
            {"p": "p = .158", "data": MAIZE, "adjustment": "bonferroni", "stated": "all"}
        )
        assert (finding.level, finding.reason) == ("undecided", "doubt")
        assert "the number of tests of the adjustment bonferroni is not stated" in finding.line()

    def test_another_n_is_a_finding_whatever_the_p_value(self):
        for p in ("p = .053", "p = .03"):
            finding = audit_claim({"p": p, "data": MAIZE, "n": 30, "stated": "all"})
            assert (finding.level, finding.reason) == ("inconsistent", "n-differs")
            assert "n stated as 30, the data have 15" in finding.line()


class TestEstimates:
    """With K the verdict shows b, its tail, and the formula; one side explains a number, and accuses the side."""

    def test_the_evidence(self):
        finding = audit_claim({"p": "0.0521", "data": MAIZE, "samples": 10_000})
        assert finding.fits[0].convention == "b/K with b = 521 of K = 10000, two-sided"
        assert finding.fits[0].reading.startswith("monte-carlo, tail 0.8")

    def test_one_side(self):
        claim = {"p": "p = .027", "data": MAIZE, "law": "monte-carlo", "samples": 1000}
        assert judged(**claim) == ("undecided", "open-convention")
        stated = audit_claim({**claim, "alternative": "two-sided"})
        assert (stated.level, stated.reason) == ("decision-inconsistent", "explained-by")
        assert "one tail" in stated.line()

    @pytest.mark.parametrize(
        ("p", "samples", "level"),
        [("p = 0", 1000, "inconsistent"), ("p = 0", None, "inconsistent"), ("1", 99, "consistent")],
    )
    def test_a_number_without_decimals(self, p, samples, level):
        """Nobody prints p without decimals: 0 is below .05 at most, and no assignment of K is as extreme."""
        data = [1, -1] if p == "1" else [1, 2, -3, 4, 5, -6, 7]
        law = {"law": "monte-carlo", "samples": samples} if samples else {}
        assert audit_claim({"p": p, "data": data, "stated": "all", **law}).level.endswith(level)
        assert (
            audit_claim({"p": "p = 1", "data": [1, 2, -3, 4, 5, -6, 7], "stated": "all"}).level
            == "inconsistent"
        )

    def test_an_estimate_is_not_read_as_cut_off(self):
        claim = {"data": [3, 1, 2], "samples": 10**6, "estimate": "b/K", "alternative": "two-sided"}
        assert audit_claim({"p": "0.25", **claim}).level == "consistent"
        assert audit_claim({"p": "0.24", **claim}).level == "inconsistent"

    def test_ties_that_are_lost(self):
        """Between the exact ">" and ">=" every estimate is likely."""
        claim = {
            "data": ACCURACIES,
            "law": "monte-carlo",
            "samples": 10**6,
            "alternative": "two-sided",
        }
        assert audit_claim({"p": "0.00977", **claim}).level == "consistent"
        assert audit_claim({"p": "0.0117", **claim}).level == "consistent"
        assert audit_claim({"p": "0.02", **claim}).level == "inconsistent"


def test_a_stated_statistic_is_not_another():
    assert judged("p = .041", MAIZE, statistic="sum", law="exact")[0].endswith("inconsistent")


def test_counts_that_no_budget_allows_leave_a_claim_undecided():
    data = [(7**i % 10**16 + 1) * (-1) ** i for i in range(25, 125)]
    finding = audit_claim({"p": ".05", "data": data}, budget=Budget(seconds=1e-6))
    assert finding.level in ("undecided", "consistent")


def test_groups_and_other_rules_have_no_binary_ranks():
    data = {"d": ["0.3", "0.1", "0.2", "-0.1", "0.4"], "g": [1, 1, 2, 3, 4]}
    finding = audit_claim({"p": "p = .99", "data": data, "groups": "g", "stated": "all"})
    assert finding.level == "inconsistent"
    columns = [[3, 2, 1, 2], [1, 0, 2, 1], [1, 2, 0, 2], [1, 2, 1, 1]]
    ties = audit_claim({"p": "p = .37", "data": columns, "statistic": "f1", "stated": "all"})
    assert (ties.level, ties.reason, ties.exact) == ("consistent", "float-ties", Fraction(1, 2))
    counts = audit_claim(
        {"p": "p = .01", "data": columns, "statistic": "f1", "rounded": "0.1", "stated": "all"}
    )
    assert counts.level == "decision-inconsistent"
    far = audit_claim(
        {
            "p": "p = .01",
            "data": [["1e999", 0], [0, 1]],
            "statistic": "signed-rank",
            "stated": "all",
        }
    )
    assert far.level.endswith("inconsistent")


WIDE = [
    [f"{(7 * i * i) % 101}.{i % 10}" for i in range(60)],
    [f"{46 + i % 3}.{i % 7}" for i in range(60)],
]


@pytest.mark.usefixtures("no_counts")
class TestRefusedCounts:
    """Brackets serve where the budget allows no count; where they are refused too, nothing is held against anybody."""

    @pytest.mark.parametrize("statistic", ["sum", "signed-rank", "sign"])
    def test_brackets(self, statistic):
        for fields in (
            {},
            {"rounded": "0.1"},
            {"law": "exact", "alternative": "two-sided", "boundary": ">="},
        ):
            finding = audit_claim(
                {"p": "p = .9999", "data": WIDE, "statistic": statistic, **fields}
            )
            assert finding.level in ("inconsistent", "undecided", "consistent")

    def test_no_brackets(self, monkeypatch):
        monkeypatch.setattr(conventions, "tail_bracket", samples.sign_flip_test)
        open_ = audit_claim({"p": "p = .9999", "data": WIDE})
        assert (open_.level, open_.exact) == ("undecided", None)
        for law in ("normal", "t"):
            finding = audit_claim(
                {"p": "p = .2", "data": WIDE, "law": law, "rounded": "0.1", "stated": "all"}
            )
            assert finding.level.endswith("inconsistent")
        estimate = audit_claim({"p": "p = .9", "data": WIDE, "samples": 100})
        assert estimate.level == "undecided"
        sums = store.Store(None, None).sample(Claim(p="1", data=WIDE)).box("sum", Fraction(1, 10))
        assert sums.value("exact", "two-sided", ">=") is None

    def test_nothing_is_known(self, monkeypatch):
        monkeypatch.setattr(samples, "bounded", samples.sign_flip_test)
        found = audit_claim(
            {"p": "p = .9999", "data": WIDE, "statistic": "signed-rank", "law": "normal"}
        )
        assert found.level == "undecided"


def test_an_estimate_of_unknown_size(monkeypatch):
    """Estimates are supposed where a permutation test is named, which is no t-test."""
    raw = {"data": MAIZE, "alternative": "two-sided", "rounded": "no"}
    for told in ({"statistic": "permutation test"}, {"p": "p (permutation) = .054"}):
        finding = audit_claim({"p": "p = .054", **raw, **told})
        assert (finding.level, finding.reason) == ("undecided", "open-convention")
        assert "of K = 10000" in finding.line()
    assert audit_claim({"p": "p = .055", **raw}).level == "inconsistent"
    assert audit_claim({"p": "p (permutation) = .0497", **raw}).level != "consistent"

    def refuses(*_arguments):
        raise BudgetExceeded("too many samples")

    monkeypatch.setattr(estimates, "plausible", refuses)
    assert audit_claim({"p": "p (permutation) = .054", **raw}).level == "inconsistent"


def test_rounding_to_whole_numbers_and_tens_is_open_unless_the_scores_are_said_to_be_raw():
    table = {"p": "p = .04", "statistic": "t-test", "alternative": "two-tailed"}
    tens = [[70, 80, 90, 70, 60, 80, 90, 110], [60, 90, 70, 70, 50, 70, 90, 100]]
    for data, p, unit in ((tens, "p = .06", "10"), (MAIZE, "p = .052", "1")):
        finding = audit_claim({**table, "p": p, "data": data})
        assert (finding.reason, f"rounded to {unit}" in finding.line()) == ("rounded", True)
        raw = audit_claim({**table, "p": p, "data": data, "rounded": "no"})
        assert raw.level.endswith("inconsistent")
    answers = [[1, 2, 3, 5, 4, 4, 5, 2], [2, 1, 1, 4, 4, 2, 3, 1]]
    assert audit_claim({**table, "data": answers}).level.endswith("inconsistent")


def test_the_other_tail_opens_no_claim_that_p_is_above_a_number():
    finding = audit_claim({"p": "n.s.", "data": MAIZE, "statistic": "Wilcoxon", "rounded": "no"})
    assert finding.level == "decision-inconsistent"


def test_a_family_keeps_the_members_that_doubles_do_not_change():
    """Doubles break ties of the first data alone: p is 5/16, not 1/4; Holm makes 5/8 of it, for both."""
    tenths = ["1.9", "3.6", "1.7", "4.6", "3.1", "2.1"], ["0.7", "1.4", "4.2", "2.1", "0.3", "0.2"]
    whole = [1, 2, 3, 4, 5, 9, 9], [0, 12, 4, 11, 9, 5, 7]
    about = {"statistic": "signed-rank", "source": "one", "adjustment": "holm", "stated": "all"}
    for text, level in (("5/8", "consistent"), ("1/2", "consistent"), ("9/16", "inconsistent")):
        claims = [{**about, "p": text, "data": [*data]} for data in (tenths, whole)]
        assert [one.level for one in audit(claims)] == [level] * 2


def test_scores_beyond_the_range_of_doubles():
    data = [["1e999", "0.1"], ["0.2", "0.3"]]
    finding = audit_claim(
        {"p": "p = .01", "data": data, "statistic": "signed-rank", "stated": "all"}
    )
    assert finding.level.endswith("inconsistent")


def test_scores_that_are_no_integers_are_replaced_by_ranks():
    """R exactRankTests 0.8.35: perm.test(c(1.5, 2.5, -0.3, 4.1, 2.2, 0.7, -1.2, 3.3))."""
    data = ["1.5", "2.5", "-0.3", "4.1", "2.2", "0.7", "-1.2", "3.3"]
    about = {"data": data, "statistic": "permutation", "rounded": "no"}
    for tail, p in (("two-sided", "0.171875"), ("greater", "0.0859375"), ("less", "0.953125")):
        finding = audit_claim({"p": p, "alternative": tail, **about})
        assert (finding.level, finding.reason) == ("undecided", "package")
        assert "exactRankTests 0.8.35" in finding.line()
    whole = {**about, "data": [15, 25, -3, 41, 22, 7, -12, 33], "alternative": "two-sided"}
    assert audit_claim({"p": "0.171875", **whole}).level == "inconsistent"
