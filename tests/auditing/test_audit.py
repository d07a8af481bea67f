"""Audits end to end: every level, every reason, files and folders, sources judged together."""

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from html import escape

import pytest

from exactperm import Budget, permutation_test, wilcoxon_signed_rank_test
from exactperm.auditing import audit as auditing
from exactperm.auditing.audit import audit, audit_claim
from exactperm.auditing.claims import Claim
from exactperm.cli.demo import DARWIN_MAIZE, STUDENT_SLEEP
from exactperm.errors import ExactPermError, WrongType

MAIZE, SLEEP = list(DARWIN_MAIZE), list(STUDENT_SLEEP)
F = Fraction


def verdict(p, data=MAIZE, **fields):
    finding = audit_claim({"p": p, "data": data, "stated": "all", **fields})
    return finding.level, finding.reason


@pytest.mark.parametrize(
    ("p", "fields", "expected"),
    [
        # Fisher (1935): 863 of 32,768 one-sided, twice that two-sided.
        ("863/32768", {"alternative": "greater"}, ("consistent", "equal")),
        ("p = .026", {"alternative": "greater"}, ("consistent", "rounds")),
        ("p = .0527", {}, ("consistent", "rounds")),
        ("p = .0526", {}, ("consistent", "truncates")),
        ("p = .05", {}, ("consistent", "rounds")),
        ("0.052673339843750000", {}, ("consistent", "equal")),
        ("0.052673339843750007", {}, ("consistent", "same-double")),
        ("0.0526733398437600", {}, ("consistent", "float-noise")),
        ("p < .06", {}, ("consistent", "claim-true")),
        ("n.s.", {}, ("consistent", "claim-true")),
        ("p < .05", {}, ("decision-inconsistent", "claim-false")),
        ("p > .06", {}, ("inconsistent", "claim-false")),
        ("0.000", {}, ("decision-inconsistent", "claim-false")),
        ("p = .0267", {"alternative": "greater"}, ("inconsistent", "no-explanation")),
        ("p = .0267", {"alternative": "greater", "n": 14}, ("inconsistent", "n-differs")),
        ("p = .026", {"alternative": "greater", "n": 14}, ("inconsistent", "n-differs")),
        ("0.0521", {"law": "monte-carlo", "samples": 10_000}, ("consistent", "monte-carlo")),
        ("0.0671", {"law": "monte-carlo", "samples": 10_000}, ("inconsistent", "no-explanation")),
        ("0.0497", {"law": "t"}, ("consistent", "rounds")),
        ("0.04970", {}, ("decision-inconsistent", "exact-asked-approximate-returned")),
        ("0.02634", {}, ("decision-inconsistent", "explained-by")),  # one-sided
        ("1.25", {}, ("inconsistent", "impossible")),
        ("-0.2", {}, ("decision-inconsistent", "impossible")),
        (
            "0.2634",
            {"adjustment": "bonferroni", "tests": 5, "alternative": "doubled"},
            ("consistent", "rounds"),
        ),
        ("0.9737", {"alternative": "less", "boundary": ">"}, ("consistent", "rounds")),
        (
            "0.0263",
            {"alternative": "less", "orientation": "second-first"},
            ("consistent", "rounds"),
        ),
        ("stars", {}, ("unreadable", "unreadable")),
    ],
)
def test_verdicts_on_darwins_maize(p, fields, expected):
    assert verdict(p, **fields) == expected


def test_boundary_and_shift():
    strict = audit_claim(Claim(p="0.02548", data=MAIZE, alternative="greater", boundary=">"))
    assert (strict.level, strict.exact) == ("consistent", F(835, 32768))
    shifted = audit_claim(Claim(p="1/2", data=[1, 2], mu="1"))
    assert shifted.exact == permutation_test([1, 2], [1, 1]).pvalue


def test_signed_ranks_and_signs():
    # R 4
    assert verdict("0.009091", SLEEP, statistic="signed-rank", law="normal-cc") == (
        "consistent",
        "rounds",
    )
    assert verdict("0.009091", SLEEP, statistic="signed-rank") == (
        "inconsistent",
        "exact-asked-approximate-returned",
    )
    exact = wilcoxon_signed_rank_test(SLEEP, ["0"] * 10, zero_method="pratt").pvalue
    assert (
        audit_claim(
            {"p": "1/512", "data": SLEEP, "statistic": "signed-rank", "zeros": "pratt"}
        ).exact
        == exact
    )
    assert verdict("0.0039", SLEEP, statistic="sign") == ("consistent", "rounds")
    assert verdict("11/512", None, counts="9,1", statistic="mcnemar") == ("consistent", "equal")
    assert verdict("0.0", None, counts=(0, 1075), statistic="mcnemar") == (
        "consistent",
        "printed-zero",
    )


def test_a_doubled_tail_above_one_is_impossible_and_says_who_prints_it():
    finding = audit_claim({"p": "1.25", "data": [-1, -2, 3], "statistic": "signed-rank"})
    assert (finding.level, finding.reason) == ("inconsistent", "impossible")
    assert finding.fits[0].value == F(5, 4)
    assert "even above 1" in finding.fits[0].convention


def test_known_defects_are_named_last():
    """The observed assignment left out of a full enumeration: (1726 - 1) / 32767."""
    finding = audit_claim({"p": "0.0526444288461", "data": MAIZE, "rounded": "no"})
    assert (finding.level, finding.reason) == ("inconsistent", "explained-by")
    assert finding.fits[0].convention.startswith("the observed assignment is left out")


def test_other_statistics():
    u, v = [(3, 1), (2, 0), (1, 1)], [(1, 1), (2, 2), (0, 3)]
    columns = [
        [tp for tp, _ in u],
        [wrong for _, wrong in u],
        [tp for tp, _ in v],
        [wrong for _, wrong in v],
    ]
    finding = audit_claim({"p": "1/4", "data": columns, "statistic": "f1"})
    assert (finding.level, finding.exact) == ("consistent", F(1, 4))
    labels = {"gold": ["a", "b", "a"], "one": ["a", "b", "a"], "two": ["b", "b", "b"]}
    assert verdict("1/2", labels, statistic="accuracy") == ("consistent", "equal")
    assert verdict("1/2", labels, statistic="accuracy", columns="gold,two,one") == (
        "consistent",
        "equal",
    )


@pytest.mark.parametrize(
    ("data", "fields", "message"),
    [
        ([[1, 2], [3]], {}, "must be paired"),
        ([[1], [2], [3]], {}, "needs 1 or 2"),
        ([1, "x"], {}, "u[1] is 'x'"),
        ({"a": [1]}, {"columns": "a,b"}, "data has no column 'b'"),
        ([[1, 2], [0, 1]], {"statistic": "mcnemar"}, "0/1 scores"),
        ("missing.csv", {}, "cannot read 'missing.csv'"),
    ],
)
def test_data_that_cannot_be_read_are_a_finding(data, fields, message):
    finding = audit_claim({"p": "1", "data": data, **fields})
    assert finding.level == "unreadable"
    assert message in finding.notes[0]


def test_a_source_is_explained_by_one_convention_or_not_at_all():
    """Two one-sided texts of one source for two-sided claims: each alone might be chance, both together are not."""
    one = {"p": "0.026", "data": MAIZE, "source": "paper", "id": "a", "stated": "all"}
    two = {"p": "0.0020", "data": SLEEP, "source": "paper", "id": "b", "stated": "all"}
    alone = audit([one]).findings[0]
    assert (alone.reason, alone.chance > F(1, 100)) == ("no-explanation", True)
    assert any("but so would 1 in" in note for note in alone.notes)
    together = audit([one, two])
    assert {finding.reason for finding in together} == {"explained-by"}
    assert all(
        finding.fits[0].convention == "exact paired permutation test, one-sided (greater)"
        for finding in together
    )
    apart = audit([one, {**two, "p": "0.0031"}])
    assert {finding.reason for finding in apart} == {"no-explanation"}


def test_a_family_is_adjusted_together():
    claims = [
        {"p": "0.0078", "data": SLEEP, "source": "s", "adjustment": "holm", "id": "a"},
        {"p": "0.0527", "data": MAIZE, "source": "s", "adjustment": "holm", "id": "b"},
        {"p": "0.0527", "data": MAIZE, "adjustment": "holm", "id": "alone"},
    ]
    assert [finding.level for finding in audit(claims)] == ["consistent"] * 3


def test_work_beyond_the_budget_is_undecided():
    data = [(7**i % 10**16 + 1) * (-1) ** i for i in range(25, 225)]
    finding = audit_claim({"p": ".05", "data": data}, budget=Budget(seconds=1e-6))
    assert (finding.level, finding.reason) == ("undecided", "bracket")


def test_arguments():
    with pytest.raises(WrongType, match="must be a Claim or a dict"):
        audit_claim("p = .05")
    with pytest.raises(WrongType, match="must be a path, or an iterable"):
        audit(3)
    with pytest.raises(ExactPermError, match="alpha is 2"):
        audit([], alpha=2)
    assert audit([]).text() == "0 claims: no claims"


def test_alpha_of_the_claim_overrules_that_of_the_audit():
    assert (
        audit_claim({"p": "n.s.", "data": MAIZE, "stated": "all"}, alpha="0.1").level
        == "decision-inconsistent"
    )
    assert (
        audit_claim({"p": "n.s.", "data": MAIZE, "alpha": "0.01"}, alpha="0.1").level
        == "consistent"
    )


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "maize.txt").write_text("\n".join(map(str, MAIZE)), encoding="utf-8")
    (tmp_path / "sleep.csv").write_text(
        "u,v\n" + "\n".join(f"{x},0" for x in SLEEP), encoding="utf-8"
    )
    return tmp_path


def test_claims_files_of_all_kinds_give_the_same_findings(folder):
    rows = [
        {"id": "a", "p": ".0527", "data": "data/maize.txt"},
        {"id": "b", "p": ".004", "data": "sleep.csv", "columns": "u,v"},
    ]
    (folder / "c.json").write_text(json.dumps(rows), encoding="utf-8")
    (folder / "c.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (folder / "c.csv").write_text(
        'id,p,data,columns\na,.0527,data/maize.txt,\nb,.004,sleep.csv,"u,v"\n', encoding="utf-8"
    )
    (folder / "c.tsv").write_text(
        "id\tp\tdata\tcolumns\na\t.0527\tdata/maize.txt\t\nb\t.004\tsleep.csv\tu,v\n",
        encoding="utf-8",
    )
    for name in ("c.json", "c.jsonl", "c.csv", "c.tsv"):
        report = audit(folder / name)
        assert [(finding.id, finding.level) for finding in report] == [
            ("a", "consistent"),
            ("b", "consistent"),
        ], name
        assert all(len(finding.sha256) == 64 for finding in report)
    assert "c.tsv, line 3" in report.findings[1].place


@pytest.mark.parametrize(("name", "mark"), [("c.csv", ","), ("c.tsv", "\t")])
def test_a_ragged_row_is_one_unreadable_claim(folder, name, mark):
    rows = [
        ["id", "p", "data"],
        ["a", ".0527", "data/maize.txt"],
        ["b", "p < .05"],
        ["c", ".0527", "data/maize.txt", "two-sided", "x"],
        ["d", ".0527", "data/maize.txt", ""],
        ["e", ".0526", "data/maize.txt"],
    ]
    (folder / name).write_text("\n".join(map(mark.join, rows)), encoding="utf-8")
    report = audit(folder / name)
    levels = ["consistent", "unreadable", "unreadable", "consistent", "consistent"]
    assert [finding.level for finding in report] == levels
    assert [finding.id for finding in report] == ["a", "2", "3", "d", "e"]
    short, long = [report.findings[i].notes[0] for i in (1, 2)]
    assert short.endswith(f"{name}, line 3: 2 cells, but line 1 has 3: 'b | p < .05'")
    assert "line 4: 5 cells, but line 1 has 3: 'c | .0527 | data/maize.txt | two-sided | x'" in long


def test_data_outside_the_folder_are_refused(folder):
    (folder / "claims").mkdir()
    path = folder / "claims" / "c.json"
    path.write_text(
        json.dumps(
            [{"p": "1", "data": "../sleep.csv"}, {"p": "1", "data": str(folder / "sleep.csv")}]
        )
    )
    findings = audit(path).findings
    assert all("as the root" in finding.notes[0] for finding in findings)
    assert [finding.level for finding in audit(path, root=folder, strict=True)] == [
        "decision-inconsistent",
        "decision-inconsistent",
    ]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("c.csv", "id,p,dta\na,1,x\n", "line 1, column 3: 'dta' looks like a misspelt 'data'"),
        ("c.json", "[", "not JSON"),
        ("c.csv", "", "is empty"),
    ],
)
def test_claims_files_that_cannot_be_read(folder, name, text, message):
    (folder / name).write_text(text, encoding="utf-8")
    with pytest.raises(ExactPermError, match=message):
        audit(folder / name)
    with pytest.raises(ExactPermError, match="cannot read"):
        audit(folder / "missing.json")


def test_executors_and_progress_do_not_change_the_findings():
    claims = [{"p": ".0527", "data": MAIZE, "id": str(i)} for i in range(3)] + [
        {"p": ".004", "data": SLEEP}
    ]
    seen = []
    with ThreadPoolExecutor(2) as pool:
        parallel = audit(
            claims, executor=pool, progress=lambda done, total: seen.append((done, total))
        )
    assert [f.to_dict() for f in parallel] == [f.to_dict() for f in audit(claims)]
    # The same data are counted once; then each claim has its verdict, and the search for an
    # explanation.
    assert seen == [(done, 12) for done in range(1, 11)]


def test_the_report():
    report = audit(
        [
            {"p": ".0527", "data": MAIZE, "id": "<b>"},
            {"p": "p < .05", "data": MAIZE, "stated": "all", "id": "x"},
            {"id": "y"},
        ]
    )
    lines = report.text(verbose=True).splitlines()
    assert lines[0].startswith("decision-inconsistent")
    assert lines[-1] == "3 claims: 1 decision-inconsistent, 1 unreadable, 1 consistent"
    assert report.counts["consistent"] == 1
    record = json.loads(json.dumps(report.to_dict()))
    assert record["findings"][0]["exact"] == "863/16384"
    assert record["schema"] == 1
    assert len(report) == len(list(report)) == 3
    page = report.html()
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert "<script" not in page
    assert page.count("<svg") == 2


@pytest.mark.parametrize("claims", [[], "claims.csv"])
def test_the_root_is_a_path(claims):
    with pytest.raises(WrongType, match=r"root is 1\.5: it must be a path"):
        audit(claims, root=1.5)


def test_an_id_that_is_used_twice_is_noted():
    rows = [{"p": ".0527", "data": MAIZE, "id": name} for name in ("a", "2", "a", "4")] + [
        "no claim"
    ]
    notes = [finding.notes for finding in audit(rows)]
    assert notes[:4] == [(), (), ("claims[2]: the id 'a' is also that of claims[0]",), ()]


def test_paths_that_no_file_has():
    with pytest.raises(ExactPermError, match="cannot read a"):
        audit("a\0b")
    finding = audit_claim({"p": "p = .5", "data": "a\0b"})
    assert finding.level == "unreadable"


def test_what_is_read_of_a_file_is_limited(tmp_path):
    """/dev/zero as data would fill the memory."""
    (tmp_path / "claims.csv").write_text("p,data\n.5,1")
    with pytest.raises(ExactPermError, match="has more than 9 bytes"):
        audit(tmp_path / "claims.csv", max_input=9)
    (tmp_path / "data.csv").write_text("1\n2\n3\n4\n5\n")
    [finding] = audit([{"p": "p = .5", "data": str(tmp_path / "data.csv")}], max_input=9)
    assert finding.level == "unreadable"


def test_a_law_without_a_value_is_no_count_beyond_the_budget(monkeypatch):
    """What fails while it is judged is a finding as well."""

    def fails(*_arguments):
        raise ExactPermError("no such value")

    monkeypatch.setattr(auditing, "judge", fails)
    (finding,) = audit([{"p": "1", "data": MAIZE}])
    assert (finding.level, finding.notes) == ("unreadable", ("no such value",))


def test_the_page_draws_the_sides_of_inequalities():
    page = audit(
        [
            {"p": "p > .04", "data": MAIZE},
            {"p": "p < .06", "data": MAIZE},
            {"p": "n.s.", "data": MAIZE},
        ]
    ).html()
    assert page.count("<svg") == 2


def test_a_line_of_exactperm_is_checked_against_its_data(folder):
    """The line of ``exactperm test`` states its test; other data are found by their hash."""
    digest = hashlib.sha256((folder / "data" / "maize.txt").read_bytes()).hexdigest()[:8]
    test = "paired permutation, swaps of 15 pairs | sum of differences | two-sided"
    line = f"exactperm 0.2.0 | {test} | {{}} | sha256:{digest}"
    right, wrong = (
        line.format("p = 0.0527 (exact 863/16384)"),
        line.format("p = 0.0425 (exact 697/16384)"),
    )
    bounds, beside = line.format("p in [0.0526, 0.0527]"), line.format("p in [0.0527, 0.0528]")
    rows = [f'"{p}",data/maize.txt' for p in (right, wrong, bounds, beside)]
    rows = ["p,data", *rows[:2], f'"{right}",sleep.csv', *rows[2:]]
    (folder / "c.csv").write_text("\n".join(rows), encoding="utf-8")
    report = audit(folder / "c.csv")
    assert [(finding.level, finding.reason) for finding in report] == [
        ("consistent", "equal"),
        ("decision-inconsistent", "no-explanation"),
        ("decision-inconsistent", "data-differ"),
        ("consistent", "claim-true"),
        ("inconsistent", "claim-false"),
    ]
    assert (
        f"the line states the SHA-256 {digest} of its data; these data have"
        in report.findings[2].notes[-1]
    )
    memory = audit_claim({"p": right, "data": MAIZE})
    assert (memory.level, memory.notes[0]) == (
        "consistent",
        f"the line states the SHA-256 {digest} of its data; these data come from no file",
    )


def test_two_files_in_the_other_order_are_recognised(folder):
    contents = {"a.txt": b"3\n1\n2\n", "b.txt": b"1\n2\n5\n"}
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    digests = "+".join(hashlib.sha256(content).hexdigest()[:8] for content in contents.values())
    test = (
        "paired permutation, swaps of 3 pairs | sum of differences | less | p = 0.375 (exact 3/8)"
    )
    claim = {"p": f"exactperm 0.2.0 | {test} | sha256:{digests}"}
    names = [str(folder / name) for name in contents]
    right = audit_claim({**claim, "data": names[0], "second": names[1]})
    other = audit_claim({**claim, "data": names[1], "second": names[0]})
    assert (right.level, right.reason) == ("consistent", "equal")
    assert other.reason == "order-differs"
    assert "name the two files in the order of the line: the first system first" in other.notes


def test_the_sentence_of_the_guide_is_read():
    for text in (
        "(exact paired permutation test, two-sided, p = 0.053)",
        "an exact paired-permutation test, Two-sided, p=.053.",
    ):
        assert verdict(text) == ("consistent", "rounds")
    assert verdict("(exact paired permutation test, greater, p = 0.026)") == (
        "consistent",
        "rounds",
    )
    finding = audit_claim(
        {
            "p": "(exact paired permutation test, less, p = 1)",
            "data": MAIZE,
            "alternative": "greater",
        }
    )
    assert "alternative is 'greater', but the printed text states 'less'" in finding.notes[0]
    interval = "Mean difference 0.167, exact 95% interval [0.037, 0.295] (paired permutation test inverted, 60 pairs)"
    assert audit_claim({"p": interval, "data": MAIZE}).level == "unreadable"


def test_a_row_names_the_convention_that_decides():
    explained = audit_claim({"p": "0.02634", "data": MAIZE, "stated": "all"}).line()
    assert explained.endswith(
        "  exact p = 0.05267  another convention than the stated one prints this text: exact paired permutation test, "
        "one-sided (greater) (decides otherwise) [explained-by]"
    )
    stated = audit_claim({"p": "0.0497", "data": MAIZE, "law": "t"}).line()
    assert "; stated: paired t-test, two-sided (decides otherwise) [" in stated
    assert "stated" not in audit_claim({"p": ".053", "data": MAIZE}).line()


def test_a_line_of_a_test_is_no_file_of_claims(folder):
    test = "paired permutation, swaps of 15 pairs | sum of differences | two-sided"
    line = f"exactperm 0.2.0 | {test} | p = 0.500 (exact 1/2)"
    (folder / "line.txt").write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(
        ExactPermError, match="line 2 is the line that reports a test, without its scores"
    ):
        audit(folder / "line.txt")


def test_stars_are_judged_by_their_legend():
    legend = "* p < .05, ** p < .01, *** p < .001"
    found = [
        audit_claim({"p": p, "data": SLEEP, "stars": legend, "stated": "all"})
        for p in ("*", "**", "***")
    ]
    assert [(one.level, one.reason) for one in found] == [
        ("consistent", "claim-true"),
        ("consistent", "claim-true"),
        ("inconsistent", "claim-false"),
    ]
    assert found[0].notes == (
        "by the legend, * stands for p < .05",
        "the p-value earns ** by the legend",
    )
    assert found[1].notes == ("by the legend, ** stands for p < .01",)


@pytest.mark.parametrize(
    ("p", "data", "law", "verdict", "note"),
    [
        (
            ".0039**",
            SLEEP,
            "exact",
            ("consistent", "rounds"),
            "by the legend, ** stands for p < .01",
        ),
        (".0039*", SLEEP, "exact", ("consistent", "rounds"), "the p-value earns ** by the legend"),
        (
            ".0039***",
            SLEEP,
            "exact",
            ("inconsistent", "claim-false"),
            "the p-value does not earn *** by the legend",
        ),
        (
            ".0053 *",
            MAIZE,
            "exact",
            ("inconsistent", "no-explanation"),
            "by the legend, * stands for p < .05",
        ),
        (
            ".0527*",
            MAIZE,
            "exact",
            ("inconsistent", "claim-false"),
            "the p-value does not earn * by the legend",
        ),
        (
            ".0497 **",
            MAIZE,
            "t",
            ("inconsistent", "claim-false"),
            "the p-value does not earn ** by the legend",
        ),
        (
            ".04*",
            MAIZE,
            "monte-carlo",
            ("consistent", "monte-carlo"),
            "decides otherwise at alpha = 0.05",
        ),
    ],
)
def test_stars_and_their_number_must_both_be_true(p, data, law, verdict, note):
    legend = "* p < .05, ** p < .01, *** p < .001"
    samples = {"samples": 100} if law == "monte-carlo" else {}
    about = {"data": data, "stars": legend, "law": law, "rounded": "no", **samples}
    found = audit_claim({"p": p, **about})
    assert (found.level.replace("decision-", ""), found.reason) == verdict
    assert found.notes[-1].endswith(note)


@pytest.mark.parametrize(
    ("fields", "heading"),
    [
        (
            {"p": "p = .0527"},
            "'p = .0527' is consistent with the data: the p-value rounds to the printed number",
        ),
        (
            {"p": "p < .05", "id": "maize"},
            "maize: 'p < .05' is inconsistent with the data, and so is its decision: what is claimed of the p-value is "
            "false",
        ),
        ({"p": "maybe"}, "'maybe' has no verdict: the claim or its data cannot be read"),
        ({"p": 3}, "the claim has no verdict: the claim or its data cannot be read"),
    ],
)
def test_a_single_claim_is_headed_by_its_verdict_and_has_no_place(fields, heading):
    finding = audit_claim({**fields, "data": MAIZE, "stated": "all"})
    assert finding.heading == heading
    assert f"<caption>{escape(heading)}</caption>" in finding._repr_html_()
    assert finding.place == ""
    assert not any("claims[" in line for line in (*finding.notes, *finding.details()))


def test_several_claims_have_their_places():
    found = audit([{"p": "maybe", "data": MAIZE}, {"p": "p = .0527", "data": MAIZE}]).findings
    assert [(finding.id, finding.place) for finding in found] == [
        ("1", "claims[0]"),
        ("2", "claims[1]"),
    ]
    assert found[0].notes[0].startswith("claims[0]: ")
    assert (
        "<h2>&#x27;p = .0527&#x27; is consistent"
        in audit([Claim(p="p = .0527", data=MAIZE)]).html()
    )


def test_what_people_see():
    """A finding prints as its heading and details, a report as its lines."""
    (finding,) = report = audit([{"p": "p = .0527", "data": MAIZE}])
    first, *rest = str(finding).splitlines()
    assert first == finding.heading
    assert [line.strip() for line in rest] == [*finding.details()]
    assert str(report) == report.text()
