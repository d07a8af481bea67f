"""What people see: the line, the letter, JSON and the page, from findings of every kind."""

import json
import re
from fractions import Fraction

import pytest

from exactperm.auditing.claim import Claim
from exactperm.auditing.finding import HEAPS, REASONS, Finding, Match, StatisticCheck
from exactperm.auditing.report import AuditReport
from exactperm.record import replaced
from tests.display.shown import well_formed

F = Fraction
EXACT, ONE_SIDED = F(863, 16384), F(863, 32768)
DATA = [[3, 1, 2], [1, 2, 0]]


def finding(p, heap, reason, **about):
    claim = Claim(id="a", p=p, data=DATA)
    known = {
        "exact": EXACT,
        "given": EXACT,
        "n": 15,
        "taken": "exact test",
        "significant": (None, None),
    }
    return Finding(
        id="a", claim=claim, printed=claim.printed, heap=heap, reason=reason, **{**known, **about}
    )


T = Match(words="paired t-test", value=F(497, 10**4), by="R t.test")
TAIL = Match(words="exact test, greater", value=ONE_SIDED, told="it is the one-sided p-value")
ASKED = Match(
    words="w", value=ONE_SIDED, only_if="the test was one-sided", question="Was the test one-sided?"
)
CUT = Match(words="w", value=EXACT, only_if="it was cut", question="Was it cut?")
WRONG = {"significant": (True, False)}

# finding, and its line
LINES = [
    (
        finding("p = .053", "fine", "prints", fit=Match(words="exact test", value=EXACT)),
        "fine  a  printed p = .053, exact p = .0527",
    ),
    (
        finding("p = 0.0497", "fine", "prints", fit=T, **WRONG),
        "fine  a  printed p = 0.0497, exact p = 0.0527: paired t-test (0.0497), as printed by R t.test; "
        "the exact test decides otherwise at 0.05",
    ),
    (
        finding("p < .1", "fine", "prints", fit=T, understated="**"),
        "fine  a  printed p < .1, exact p = .0527: consistent, understated (the legend allows **)",
    ),
    (
        finding("p = .026", "wrong", "explained", nearest=TAIL, share=F(1, 18), **WRONG),
        "WRONG at .05  a  printed p = .026, exact p = .0527: it is the one-sided p-value (.0263)",
    ),
    (
        finding("p < .05", "wrong", "unexplained", **WRONG),
        "WRONG at .05  a  printed p < .05, exact p = .0527",
    ),
    (finding("p = .31", "wrong", "unexplained"), "wrong  a  printed p = .31, exact p = .0527"),
    (
        finding("p = .31", "wrong", "unexplained", given=T.value, taken="t-test"),
        "wrong  a  printed p = .31, exact p = .0527: t-test gives .0497",
    ),
    (
        finding("1.25", "wrong", "impossible"),
        "wrong  a  printed 1.25, exact p = 0.0527: no p-value is above 1 or below 0",
    ),
    (
        finding("p = .026", "question", "condition", conditions=(ASKED, CUT)),
        "question  a  printed p = .026, exact p = .0527: true only if the test was one-sided, or if it was cut",
    ),
    (
        finding(
            "p = .026", "undecided", "budget", exact=(F(1, 40), F(1, 30)), given=None, dropped=2
        ),
        "undecided  a  printed p = .026, exact p = .0250 to .0333: the work allowed ends before all tests are tried; "
        "2 pairs left out",
    ),
    (
        finding("p = .026", "undecided", "budget", exact=None),
        "undecided  a  printed p = .026: the work allowed ends before all tests are tried",
    ),
    (
        finding(
            "p = .0526733",
            "fine",
            "prints",
            fit=Match(words="exact test", value=EXACT),
            statistic=StatisticCheck(text="V = 3", of_data=False, of_statistic=False),
        ),
        "fine  a  printed p = .0526733, exact p = .0526733: statistic disagrees with the data; p disagrees with the printed statistic",
    ),
    (
        Finding(id="a", heap="unreadable", reason="unreadable", notes=("no data",)),
        "unreadable  a  no data",
    ),
]


@pytest.mark.parametrize(("found", "line"), LINES)
def test_the_line(found, line):
    assert found.line() == line
    told = str(found)
    assert told.startswith(line) and all(one in told for one in found.letter())
    assert found.verdict in found._repr_html_()
    record = json.loads(json.dumps(found.to_dict()))
    assert record["heap"] in HEAPS and record["reason"] in REASONS
    assert record["letter"] == [*found.letter()]


def test_n_that_is_stated_otherwise_is_on_the_line():
    claim = Claim(id="a", p="p = .053", n=13, data=DATA)
    found = replaced(finding("p = .053", "wrong", "data"), claim=claim)
    assert found.line().endswith("n is stated as 13, the data have 15")
    found = replaced(found, nearest=replaced(TAIL, told="pair 3 is missing"))
    assert found.line().endswith("n is stated as 13, the data have 15, pair 3 is missing")
    assert "With as many decimals" not in " ".join(found.letter())


def test_a_letter_has_one_explanation_and_lists_nothing_else():
    assumed = {
        "assumed": ("two-sided", "exact"),
        "notes": ("a note",),
        "sha256": "ab",
        "place": "c.csv, line 2",
    }
    found = finding(
        "p = .026", "wrong", "explained", nearest=TAIL, share=F(1, 18), **WRONG, **assumed
    )
    assert [*found.letter()] == [
        "The document prints 'p = .026'. The exact p-value of these 15 pairs is .0527 (exact test).",
        "No test that the claim leaves open gives this number, but there is a near explanation. With as many decimals it would be .053.",
        "It is the one-sided p-value: exact test, greater, .0263.",
        "At the level .05 it is significant as printed, and not significant by the exact test.",
        "We take it for the exact test; the document does not state: two-sided, exact. If another test was meant, please say which.",
    ]
    assert [*found.rows()][5:] == [
        ("exact", "0.0526733 = 863/16384"),
        ("by chance", "0.056 of all wrong numbers lie as near to some test"),
        *(("note", "a note"), ("data", "SHA-256 ab"), ("claim", "c.csv, line 2")),
    ]
    found = finding(
        "p = .026", "question", "condition", conditions=(ASKED, CUT), given=T.value, taken="t-test"
    )
    assert [*found.letter()] == [
        "The document prints 'p = .026'. The t-test of these 15 pairs gives .0497, the exact test .0527.",
        "It is true only if the test was one-sided: .0263. Was the test one-sided?",
        "Or if it was cut: .0527. Was it cut?",
    ]
    found = replaced(found, exact=None, heap="undecided", reason="budget", conditions=())
    assert [*found.letter()][:2] == [
        "The document prints 'p = .026'. No p-value of these 15 pairs is known.",
        "The work allowed does not decide whether that is right.",
    ]
    found = replaced(
        found,
        exact=(F(1, 4), F(1, 2)),
        statistic=StatisticCheck(text="V = 3", of_data=True, data="V = 3"),
    )
    assert ("exact", "between 0.250000 and 0.500000") in found.rows()
    assert [*found.letter()][2] == "The printed statistic 'V = 3' agrees with the data (V = 3)."
    for about in ({"given": (F(1, 4), F(1, 2))}, {"exact": None, "given": None}):
        told = " ".join(finding("p = .05", "wrong", "unexplained", **about).letter())
        assert "With as many decimals" not in told


def report(number=14):
    found = [replaced(LINES[i % len(LINES)][0], id=f"<{i}>") for i in range(number)]
    return AuditReport(findings=tuple(found), alpha=F(1, 20), name="c<.csv")


def test_a_report_has_decision_errors_first_and_counts_last():
    lines = report().text().splitlines()
    heaps = [line.partition("  ")[0] for line in lines[:-1]]
    assert heaps == [
        *["WRONG at .05"] * 2,
        *["wrong"] * 3,
        "question",
        *["undecided"] * 2,
        "unreadable",
        *["fine"] * 5,
    ]
    assert lines[-1] == (
        "14 claims: 5 wrong (2 of a decision at 0.05), 1 to ask the author about, "
        "2 not decided by the work allowed, 1 not read, 5 fine"
    )
    verbose = report().text(verbose=True, commands=["exactperm audit x"])
    assert (
        "  to repeat    exactperm audit x" in verbose and "  letter       The document" in verbose
    )
    assert str(AuditReport(findings=(), alpha=F(1, 20), name="c")) == "0 claims"
    assert sum(report().counts.values()) == len(report()) == len([*report()]) == 14
    record = json.loads(json.dumps(report().to_dict()))
    assert (record["schema"], record["alpha"], len(record["findings"])) == (2, "1/20", 14)
    assert record["findings"][3]["significant"] == {"as_printed": True, "by_data": False}
    well_formed(report(), ["Audit of c&lt;.csv"])
    well_formed(finding("p = .053", "fine", "prints"), ["863/16384"])


def test_the_page_is_one_line_a_claim_and_unfolds():
    page = report().html(["exactperm audit x"])
    assert page.count("<details>") == page.count("<summary>") == 14 and "<script" not in page
    assert "c&lt;.csv" in page and "&lt;3&gt; printed p = .026" in page and "<3>" not in page
    assert "<b>to repeat</b> exactperm audit x" in page
    shown = re.sub(
        r"(?s)</summary>.*?</details>|<style>.*?</style>|<svg.*?</svg>|<[^>]*>", "", page
    )
    assert len(shown) < 2400  # one screen


def test_the_picture_shows_gaps():
    near = re.findall(r'cx="([\d.]+)"|x1="([\d.]+)" y1="8"', report(4).html())
    assert near
    for p in ("p = .053", "n.s.", "0.000", "p < .001", "p in [.01, .02]", "1.25"):
        one = AuditReport(findings=(finding(p, "fine", "prints"),), alpha=F(1, 20), name="c")
        assert one.html().count("<circle") == 1, p
    two = finding("p = .05", "fine", "prints", exact=(F(1, 10**400), F(1, 2)))
    assert AuditReport(findings=(two,), alpha=F(1, 20), name="c").html().count("<circle") == 2
