"""What people see: the line, the letter, JSON and the page, from findings of every kind."""

import json
import re
from fractions import Fraction

from exactperm.auditing.claim import Claim
from exactperm.auditing.finding import HEAPS, REASONS, Finding, Match, StatisticCheck
from exactperm.auditing.report import AuditReport
from exactperm.record import replaced
from tests.display.shown import well_formed

F = Fraction
EXACT = F(863, 16384)
ONE_SIDED = F(863, 32768)


def finding(p, heap, reason, **about):
    claim = Claim(id="a", p=p, data=[[3, 1, 2], [1, 2, 0]], n=about.pop("stated_n", None))
    known = {"exact": EXACT, "given": EXACT, "n": 15, "taken": "exact test", "claim": claim}
    about = {**known, "printed": claim.printed, **about}
    return Finding(id="a", heap=heap, reason=reason, **about)


T = Match(words="paired t-test", value=F(497, 10**4), by="R t.test")
TAIL = Match(words="exact test, greater", value=ONE_SIDED, told="it is the one-sided p-value")
ASKED = Match(
    words="w", value=ONE_SIDED, only_if="the test was one-sided", question="Was the test one-sided?"
)
CUT = Match(words="w", value=EXACT, only_if="it was cut", question="Was it cut?")
PLAIN = Match(words="exact test", value=EXACT)
BOTH = StatisticCheck(text="V = 3", of_data=False, of_statistic=False)
BRACKET = F(1, 40), F(1, 30)

KNOWN = {
    **{"fit": PLAIN, "t-test": T, "nearest": TAIL, "statistic": BOTH, "exact": BRACKET},
    **{"conditions": (ASKED, CUT), "share": F(1, 18), "significant": (True, False)},
    **{"none": None, "understated": "**", "dropped": 2, "given": F(497, 10**4), "stated_n": 13},
}
# printed | verdict | reason | names of what is known | the line after the exact p-value
LINES = """
p = .053 | fine | prints | fit | .0527
p = 0.0497 | fine | prints | fit=t-test significant | 0.0527: paired t-test (0.0497), as printed by R t.test; \
the exact test decides otherwise at 0.05
p < .1 | fine | prints | fit understated | .0527: consistent, understated (the legend allows **)
p = .026 | WRONG at .05 | explained | nearest share significant | .0527: it is the one-sided p-value (.0263)
p < .05 | WRONG at .05 | explained | nearest significant | .0527
p = .31 | wrong | unexplained | | .0527
p = .31 | wrong | unexplained | given | .0527: exact test gives .0497
1.25 | wrong | impossible | | 0.0527: no p-value is above 1 or below 0
p = .026 | question | condition | conditions | .0527: true only if the test was one-sided, or if it was cut
p = .026 | undecided | budget | exact given=none dropped | .0250 to .0333: \
the work allowed ends before all tests are tried; 2 pairs left out
p = .026 | undecided | budget | exact=none | : the work allowed ends before all tests are tried
p = .0526733 | fine | prints | fit statistic | .0526733: statistic disagrees with the data; \
p disagrees with the printed statistic
p = .053 | wrong | data | stated_n | .0527: n is stated as 13, the data have 15
p = .053 | wrong | data | stated_n nearest | .0527: n is stated as 13, the data have 15, it is the one-sided p-value
"""


def rows():
    """Each finding of the table, and its line."""
    for row in LINES.replace("\\\n", "").strip().splitlines():
        p, verdict, reason, names, rest = [part.strip() for part in row.split("|")]
        about = {name.partition("=")[0]: KNOWN[name.rpartition("=")[2]] for name in names.split()}
        exact = "" if rest.startswith(":") else ", exact p = "
        found = finding(p, verdict.split()[0].lower(), reason, **about)
        yield found, f"{verdict}  a  printed {p}{exact}{rest}"


UNREAD = Finding(id="a", heap="unreadable", reason="unreadable", notes=("no data",))


def test_the_line():
    for found, line in rows():
        assert found.line() == line
        assert str(found).startswith(line) and found.verdict in found._repr_html_()
        assert all(text in str(found) for _label, text in found.rows())
        record = json.loads(json.dumps(found.to_dict()))
        assert record["heap"] in HEAPS and record["reason"] in REASONS
        assert record["letter"] == [*found.letter()]
    assert replaced(found, dropped=1).line().endswith("; 1 pair left out")
    assert (UNREAD.line(), [*UNREAD.letter()]) == ("unreadable  a  no data", ["no data"])


def test_a_letter_has_one_explanation_and_lists_nothing_else():
    assumed = {"assumed": ("two-sided", "exact"), "notes": ("a note",), "sha256": "ab"}
    about = {
        "nearest": TAIL,
        "share": F(1, 18),
        "place": "c.csv, line 2",
        "significant": (True, False),
        **assumed,
    }
    found = finding("p = .026", "wrong", "explained", **about)
    said = [
        "The document prints 'p = .026'. The exact p-value of these 15 pairs is .0527 (exact test).",
        "That cannot be right: it is the one-sided p-value (.0263).",
        "At the level .05 it is significant as printed, and not significant by the exact test.",
        "We take it for the exact test; the document does not state: two-sided, exact. If another test was meant, please say which.",
    ]
    evidence = [
        ("exact", "0.0526733 = 863/16384"),
        ("by chance", "0.056 of all wrong numbers lie as near to some test"),
        *(("note", "a note"), ("data", "SHA-256 ab"), ("claim", "c.csv, line 2")),
    ]
    assert [*found.rows()] == [("letter", said[0]), *(("", text) for text in said[1:]), *evidence]
    told = {"conditions": (ASKED, CUT), "given": T.value, "taken": "t-test"}
    found = finding("p = .026", "question", "condition", **told)
    assert [*found.letter()] == [
        "The document prints 'p = .026'. The t-test of these 15 pairs gives .0497, the exact test .0527.",
        "That may be right.",
        "Was the test one-sided? Then it is right: .0263.",
        "Was it cut? Then it is right: .0527.",
    ]
    check = StatisticCheck(text="V = 3", of_data=True, data="V = 3")
    about = {"given": None, "taken": "t-test", "statistic": check}
    found = finding("p < .05", "undecided", "budget", exact=None, **about)
    assert [*found.letter()] == [
        "The document prints 'p < .05'. No p-value of these 15 pairs is known.",
        "Whether that is right is open: the work allowed ends before all tests are tried.",
        "The printed statistic 'V = 3' agrees with the data (V = 3).",
    ]
    assert ("exact", "0.0250000 to 0.0333333") in replaced(found, exact=BRACKET).rows()
    for reason, nearest, told in (
        ("unexplained", None, "no test that the claim leaves open gives this number"),
        ("explained", TAIL, "it is the one-sided p-value (.0263)"),
    ):
        found = finding("p < .05", "wrong", reason, nearest=nearest)
        assert [*found.letter()][1] == f"That cannot be right: {told}."


def report(number=14):
    kinds = [found for found, _line in rows()][:-2]
    kinds.append(UNREAD)
    kinds[0] = replaced(kinds[0], command="exactperm audit x")
    found = [replaced(kinds[i % len(kinds)], id=f"<{i}>") for i in range(number)]
    return AuditReport(findings=tuple(found), alpha=F(1, 20), name="c<.csv")


def test_a_report_has_decision_errors_first_and_counts_last():
    lines = report().text().splitlines()
    heaps = [line.partition("  ")[0] for line in lines[:-1]]
    order = "WRONG at .05,WRONG at .05,wrong,wrong,wrong,question,undecided,undecided,unreadable"
    assert heaps == [*order.split(","), *["fine"] * 5]
    assert lines[-1] == (
        "14 claims: 5 wrong (2 of a decision at 0.05), 1 to ask the author about, "
        "2 not decided by the work allowed, 1 not read, 5 fine"
    )
    verbose = report().text(verbose=True)
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
    page = report().html()
    assert page.count("<details>") == page.count("<summary>") == 14 and "<script" not in page
    assert "c&lt;.csv" in page and "&lt;3&gt; printed p = .026" in page and "<3>" not in page
    assert "<b>to repeat</b> exactperm audit x" in page
    shown = re.sub(
        r"(?s)</summary>.*?</details>|<style>.*?</style>|<svg.*?</svg>|<[^>]*>", "", page
    )
    assert len(shown) < 2400  # one screen


def test_the_picture_shows_gaps():
    """The bar and the dots have as much room to either side as between them."""
    for p in ("p = .053", "n.s.", "0.000", "p < .001", "p in [.01, .02]", "1.25", "1/3"):
        for exact in (EXACT, (F(1, 10**400), F(1, 2)), F(1, 3)):
            one = finding(p, "fine", "prints", exact=exact)
            page = AuditReport(findings=(one,), alpha=F(1, 20), name="c").html()
            dots = [float(x) for x in re.findall(r'cx="([\d.]+)"', page)]
            (left,) = [float(x) for x in re.findall(r'said" x1="([\d.]+)"', page)]
            assert len(dots) == (2 if isinstance(exact, tuple) else 1)
            assert 45 <= min(left, *dots, 999) <= max(left, *dots) <= 85.1
    assert re.findall(r'cx="([\d.]+)"', report(4).html())
