"""The verifier that stands alone: it confirms what the engines count, refutes forgeries, and cannot be made to hang."""

import ast
import hashlib
import json
import random
import shutil
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import pytest

from exactperm import (
    certify,
    f1_difference,
    permutation_test,
    permutation_test_runs,
    sign_flip_test,
    two_sample_test,
)
from exactperm.certificates import verifier, verify_scores
from exactperm.null.alternative import ALTERNATIVES
from peers import interpreter
from tests.factory import forgeries, hostile
from tests.sizes import code_size

SOURCE = Path(verifier.__file__)
SCORES = (
    b"item;u;v;topic\na;0.91;0.85;x\n\nb;0.80;0.825;x\nc;0.7;0.7;y\nd;1e-1;2/10;z\ne;0.5;-3.25;w\n"
)
COLUMNS = (["0.91", "0.80", "0.7", "0.1", "0.5"], ["0.85", "0.825", "0.7", "0.2", "-3.25"])


@pytest.fixture
def said(capsys):
    return lambda: capsys.readouterr().out


def certificate(alternative="greater", groups=True):
    labels = ["x", "x", "y", "z", "w"] if groups else None
    choice = {"columns": "u,v", **({"groups": "topic"} if groups else {})}
    result = permutation_test(*COLUMNS, groups=labels, alternative=alternative)
    return certify(result, SCORES, **choice)


def of_scores(record, scores, **rules):
    """The certificate with other scores, and rules of reading, in every entry."""
    sha256 = hashlib.sha256(scores).hexdigest()
    return {**record, "data": [{**each, "sha256": sha256, **rules} for each in record["data"]]}


class TestTheFiles:
    @pytest.mark.parametrize(("file", "most"), [("verifier.py", 1860), ("verify_scores.py", 2170)])
    def test_each_is_short_and_needs_the_standard_library(self, file, most):
        text = (SOURCE.parent / file).read_text(encoding="utf-8")
        nodes = ast.walk(ast.parse(text, feature_version=(3, 6)))
        imported = {e.name for node in nodes if isinstance(node, ast.Import) for e in node.names}
        assert imported <= {*getattr(sys, "stdlib_module_names", imported), "verifier"}
        assert code_size(text)[1] <= most

    @pytest.mark.slow
    @pytest.mark.parametrize("python", ["python3.6", "python3.7", "python3.8", "pypy3", "python3"])
    def test_copies_run_on_old_pythons(self, python, tmp_path):
        """The count needs one file, the scores both."""
        python = interpreter(python)
        (tmp_path / "record.json").write_text(json.dumps(certificate()), encoding="utf-8")
        (tmp_path / "scores.csv").write_bytes(SCORES)
        for words in (
            ["verifier.py", "record.json"],
            ["verify_scores.py", "record.json", "scores.csv"],
        ):
            shutil.copy(SOURCE.parent / words[0], tmp_path)
            done = subprocess.run(
                [python, *words], cwd=tmp_path, capture_output=True, text=True, check=False
            )
            assert (done.returncode, done.stderr) == (0, "")
            assert done.stdout.startswith("confirmed: the count")


def random_step(rng):
    """A step of up to four values."""
    values = [0, *sorted(rng.sample(range(1, 9), rng.randint(1, 3)))]
    return tuple((a, rng.randint(1, 4)) for a in values)


class TestConfirmed:
    @pytest.mark.slow
    def test_a_thousand_random_tests(self, verify, sampled):
        """Of pairs, runs, samples and steps, some with their scores."""
        honest = forgeries.certificates(random.Random(1))
        for _ in range(sampled(1000)):
            assert verify(*next(honest)) == 0

    def test_what_is_said(self, verify, said):
        for alternative, groups in product(ALTERNATIVES, (False, True)):
            assert verify(certificate(alternative, groups), SCORES) == 0
            facts = said().splitlines()
            assert facts[0] == "confirmed: the count, of these scores"
            assert f"  alternative: {alternative}" in facts
            assert f"without {2 - groups} columns and the header 'item;u;v;topic'" in facts[-6]
            rules = {"columns": ["2", "3"], "header": "1", "ids": None, "delimiter": ";"}
            rules["groups"] = "4" if groups else None
            assert {*facts[-5:]} == {f"    {name} {rule!r}" for name, rule in rules.items()}

    def test_what_proves_nothing_is_named(self, verify, said):
        """Without scores the count alone is confirmed, and unknown fields never."""
        assert verify({**certificate(), "statement": "A is better", "design": "x"}) == 0
        facts = said().splitlines()
        assert facts[0] == "confirmed: the count only"
        assert facts[-2:] == [
            "  without scores nothing proves the units, the statistic, the pairs, the design",
            "  other fields prove nothing",
        ]

    @pytest.mark.slow
    def test_both_ways_agree(self, monkeypatch):
        """On pairs and on units of several runs, of small sums and of large ones, whichever way is taken."""
        rng, ways, fast = random.Random(2), Counter(), verifier.table

        def table(units):
            ways["table"] += 1
            return fast(units)

        monkeypatch.setattr(verifier, "table", table)
        for _ in range(300):
            scale = rng.choice([1, 10**6])
            units = [random_step(rng) for _ in range(rng.randint(0, 8))]
            units = [tuple((scale * a, g) for a, g in step) for step in units]
            right = sorted(forgeries.enumerated(units).items())
            assert verifier.sums(units) == fast(units) == right if scale == 1 else True
            assert verifier.sums(units) == right
            ways["all"] += 2 if scale == 1 else 1
        assert 50 < ways["table"] < ways["all"] - 50

    def test_samples(self):
        rng = random.Random(7)
        for _ in range(50):
            values = [rng.randint(-3, 9) for _ in range(rng.randint(2, 7))]
            m = rng.randint(1, len(values) - 1)
            step, common, least = verify_scores.chosen(values, m)
            sums = Counter(map(sum, combinations(values, m)))
            assert {least + a: common * g for a, g in step} == sums


class TestRefuted:
    @pytest.mark.slow
    def test_a_thousand_random_forgeries(self, verify, sampled):
        rng = random.Random(4)
        honest = forgeries.certificates(rng)
        for _ in range(sampled(1000)):
            any_kind, *scores = next(honest)
            assert verify(forgeries.one_field(any_kind, rng), *scores) != 0
            true = forgeries.small_test(rng)
            record = true.to_dict()
            assert verify(forgeries.one_field(record, rng)) in (1, 2)
            if true.n > 11:
                continue
            other = {"less": "greater", "greater": "less"}.get(record["alternative"], "less")
            same = true.null_distribution.pvalue(true.statistic, other) == true.pvalue
            assert verify({**record, "alternative": other}) == (not same), record

    def test_a_thousand_mutations(self, tmp_path, sampled):
        """Some bytes of a certificate or of its scores are replaced: what is confirmed still proves the same."""
        rng, text = random.Random(7), json.dumps(certificate()).encode()
        names, statuses = [str(tmp_path / "c.json"), str(tmp_path / "scores.csv")], set()
        for _ in range(sampled(1000)):
            contents = [bytearray(text), bytearray(SCORES)]
            content = rng.choice(contents)
            for _ in range(rng.randint(1, 3)):
                content[rng.randrange(len(content))] = rng.choice(b'0123456789-/.,;:"[]{}x \n\xff')
            for name, each in zip(names, contents):
                Path(name).write_bytes(each)
            status = verify_scores.main([*names])
            statuses.add(status)
            if status == 0:
                assert proven(json.loads(contents[0])) == proven(json.loads(text))
                assert contents[1] == SCORES
        assert statuses >= {0, 1, 2}

    def test_a_decimal_rounds_the_p_value(self, verify):
        """Half to even: 3/4 is 0.8 to one place. And p = 1/2 is no 5e-05, whatever the number of its places."""
        record = sign_flip_test([3], alternative="greater").to_dict()
        for zeros, power in product(
            (3999, 4000), ("", "e-05", "e-99", "e-4000", "e-999999", "e-01")
        ):
            long = {**record, "pvalue_decimal": "5." + "0" * zeros + power}
            assert verify(long) == (power != "e-01")
        record = sign_flip_test([3, 1, -2]).to_dict()
        hidden = {name: record[name] for name in ("count", "total", "n")}
        assert verify({**record, "count": "1", "swaps": {**record["swaps"], **hidden}}) == 1
        for status, texts in (
            (0, "0.750 0.75 0.8 7.5e-01"),
            (1, "0.7 0.74 7.5e-02 0.000 7.5e-999999"),
            (2, "075 0750 8e-01 0 0. 1e+5 NaN 0.7_5"),
        ):
            for text in texts.split():
                assert verify({**record, "pvalue_decimal": text}) == status, text
        for text in ("5/8", "1/4/100000", "3/4/", "3/4/1", "/3/4", "-3/-4", "3/0", "0.75"):
            assert verify({**record, "pvalue": text}) in (1, 2)
        assert verify({**record, "pvalue": "6/8"}) == 0

    @pytest.mark.parametrize(
        ("first", "second", "status"),
        [
            (b"5\n\n7\n9\n", b"4\n6\n\n8\n", 1),
            (b"5\n\n7\n9\n", b"4\n6\n8\n", 1),
            (b"5\n\n7\n9\n", b"4\n\n6\n8\n", 0),
            (b"\n5\n7\n9\n\n", b"4\n6\n8\n", 0),
        ],
    )
    def test_blank_lines_keep_the_pairs_of_two_files(self, first, second, status, verify):
        record = certify(permutation_test([5, 7, 9], [4, 6, 8]), [b"5\n7\n9\n", b"4\n6\n8\n"])
        for rules, content in zip(record["data"], (first, second)):
            rules["sha256"] = hashlib.sha256(content).hexdigest()
        assert verify(record, first, second) == verify(record, second, first) == status

    @pytest.mark.parametrize(
        ("scores", "rules"),
        [
            (b"5,\n3,\n-4,\n2,b\n", {"groups": 2}),
            (b"5, \n3,a\n-4,c\n2,b\n", {"groups": 2}),
            (b"5,a\n3,\n-4,c\n2,b\n", {"ids": 2}),
            (b"5,a\n3,b\n-4,a\n2,d\n", {"ids": 2}),
            (b"5\n3,9\n-4\n2\n", {}),
            (b"5,1\n3,1,9,9\n-4,1\n2,1\n", {"columns": [1, 2]}),
        ],
    )
    def test_no_pair_is_doubtful(self, scores, rules, verify, said):
        """Labels and ids that are missing, ids that are repeated, lines of other lengths."""
        assert verify(*hostile.scored(scores, (5, 3, -4, 2), **rules)) == 2
        assert said().startswith("unreadable: line ")

    def test_scores_of_another_file(self, verify, said):
        for old, new in ((b"0.91", b"0.92"), (b"0.7;y", b"0.70;y"), (b"e;", b"f;")):
            assert verify(certificate(), SCORES.replace(old, new)) == 1
            assert "not the certified scores: another SHA-256" in said()
        other = SCORES.replace(b"0.91", b"0.92")
        assert verify(of_scores(certificate(), other), other) == 1
        assert "the scores have other units" in said()

    @pytest.mark.parametrize("rules", [{"groups": None}, {"columns": [3, 2]}, {"columns": [2]}])
    def test_other_rules_of_reading(self, rules, verify, said):
        assert verify(of_scores(certificate(), SCORES, **rules), SCORES) == 1
        assert "the scores have other units" in said()

    @pytest.mark.parametrize("header", [None, 2, 3, 9])
    def test_only_the_line_before_the_pairs_is_a_header(self, header, verify, said):
        """A forger cannot choose a pair to leave out, but the first; the verdict has its text."""
        assert verify(of_scores(certificate(), SCORES, header=header), SCORES) == 2
        assert said() == "unreadable: no number: 'u'\n"
        for line, scores, status in ((2, b"-1\n3\n2\n", 1), (1, b"3\n-1\n2\n", 0)):
            assert verify(*hostile.scored(scores, (-1, 2), header=line)) == status
        assert "and the header '3'; read by\n" in said()

    @pytest.mark.parametrize("x", [1006, 2999, 11006, 500])
    def test_no_data_have_an_observed_sum_that_no_units_add_up_to(self, x, verify, said):
        """Of 12 units of 1000 and one of 1; all fields agree with each other. Of many units, too."""
        assert verify(forgeries.consistent({1: 1, 1000: 12}, x, "greater")) == 1
        assert "no units add up to the observed sum" in said()
        assert verify(forgeries.consistent({1: 1, 1000: 12}, x - x % 1000 + 1, "greater")) == 0
        assert verify(hostile.tally({3: 300, 6: 200, 10**4: 1})) == 1
        assert "no units add up to the observed sum" in said()

    @pytest.mark.slow
    def test_a_thousand_consistent_forgeries(self, verify, sampled):
        """One fact is changed, and all that depends on it follows: nothing false is confirmed of a file."""
        rng, lies = random.Random(8), 0
        for _ in range(sampled(1000)):
            d = [
                rng.choice([-7, -4, -3, -1, 0, 0, 1, 2, 3, 5, 6]) for _ in range(rng.randint(1, 8))
            ]
            scores = "".join(f"{x}\n" for x in d).encode()
            alternative = rng.choice(["less", "greater", "two-sided"])
            true = certify(sign_flip_test(d, alternative=alternative), scores)
            forged = forgeries.forged_fact(d, alternative, rng)
            status = verify({**forged, "data": true["data"]}, scores)
            remarks = ("version", "method", "pvalue_decimal")
            same = all(forged[name] == true[name] for name in forged if name not in remarks)
            assert (status == 0) == same, (d, forged)
            assert verify(forged) == int(not forgeries.possible(forged)), forged
            lies += not same
        assert lies > sampled(800)


def proven(record):
    """Return what a confirmed certificate proves: its exact numbers, in one spelling."""
    numbers = [int(str(record[name]), 0) for name in ("count", "n", "n_units", "n_nonzero")]
    swaps = {int(d, 0): c for d, c in record["swaps"]["tally"]}
    exact = [Fraction(record[name]) for name in ("pvalue", "statistic")]
    return numbers, record["alternative"], exact, swaps


class TestRuns:
    @pytest.mark.slow
    def test_the_scores_of_every_form(self, verify):
        """A row for each run in two files; a column for each run in one file."""
        rng, forms = random.Random(11), Counter()
        for _ in range(150):
            u, v, design, even = forgeries.random_runs(rng)
            side = rng.choice(ALTERNATIVES)
            result = permutation_test_runs(u, v, design=design, alternative=side)
            assert verify(result.to_dict()) == 0
            certified = []
            if result.design not in (None, "systems"):
                files = [forgeries.rows_of_runs(side).encode() for side in (u, v)]
                certified.append((files, certify(result, files, columns="2", id="item")))
            if result.design is not None and even:
                file, m, n = forgeries.columns_of_runs(u, v).encode(), len(u[0]), len(v[0])
                runs = list(map(str, range(2, m + n + 2)))
                blocks = f"{'+'.join(runs[:m])},{'+'.join(runs[m:])}"
                certified.append(([file], certify(result, file, columns=blocks)))
            for files, record in certified:
                assert verify(record, *files) == 0, record
                forms[design, len(files)] += 1
                if design == "systems":
                    for data in record["data"]:
                        data["columns"] = data["columns"][::-1]
                assert verify({**record, "n": len(u) + 1}, *files) == 1
        assert len(forms) == 5

    U, V = [[1, 1], [0, 1]], [[0], [0]]
    FILE = forgeries.columns_of_runs(U, V).encode()

    def certified(self, design):
        """The certificate of few runs, whose columns are 2, 3 and 4."""
        result = permutation_test_runs(self.U, self.V, design=design)
        return certify(result, self.FILE, columns="2+3,4")

    def test_scores_prove_statistic_and_design(self, verify, said):
        for design in ("within", "items", "systems"):
            record = self.certified(design)
            assert verify(record, self.FILE) == 0
            assert verify({**record, "statistic_name": "F1 difference"}, self.FILE) == 1
            assert said().endswith("REFUTED: another name of the statistic\n")
        for other in ("items", "systems", None):
            assert verify({**self.certified("within"), "design": other}, self.FILE) in (1, 2)
        assert verify({**certificate(), "statistic_name": "signed ranks"}, SCORES) == 1

    def test_rules_of_runs(self, verify, said):
        """Every entry of data is a system, and groups and runs exclude each other."""
        record = self.certified("within")
        first, second = record["data"]
        grouped = [{**rules, "groups": 1} for rules in record["data"]]
        three = [first, {**second, "columns": [2]}, second]
        for data in (three, [first], [second], grouped):
            assert verify({**record, "data": data}, self.FILE) == 2
            assert "unknown rules of reading" in said()

    @pytest.mark.slow
    def test_a_thousand_consistent_forgeries(self, verify, sampled):
        """Weights, values, units, factors, totals, p-values: nothing false is confirmed, without files or with them."""
        rng, lies = random.Random(12), Counter()
        while sum(lies.values()) < sampled(1500):
            u, v, design, _even = forgeries.random_runs(rng)
            side = rng.choice(ALTERNATIVES)
            result = permutation_test_runs(u, v, design=design, alternative=side)
            files = [forgeries.rows_of_runs(side).encode() for side in (u, v)]
            choice = {"columns": "2", "id": "item"} if design != "systems" else None
            true = {
                **(certify(result, files, **choice) if choice else certify(result)),
                "version": "0",
            }
            if "steps" not in true["swaps"]:
                continue
            assert forgeries.possible(true)
            forged = forgeries.forged_runs(true, rng)
            right = forgeries.possible(forged)
            assert (verify(forged) == 0) == right, forged
            lies[right] += 1
            if choice:
                # another spelling of p proves the same; so does another side with its count
                told = ("log10_pvalue", "pvalue", "pvalue_decimal", "count", "alternative")
                same = right and all(
                    forged[name] == true[name] for name in true if name not in told
                )
                assert (verify(forged, *files) == 0) == same, forged
        assert lies[False] > sampled(375)


UNREADABLE = r"""
{"format": 1}
{"count": "1_0"}
{"count": true}
{"count": null}
{"count": 1.5}
{"statistic": "1/0"}
{"alternative": "larger"}
{"alternative": []}
{"swaps": 7}
{"n": "08"}
{"n": "-0"}
{"pvalue_decimal": "0E+900"}
{"pvalue_decimal": " 0.25"}
{"pvalue_decimal": "0.\u0665"}
"""
RULES = r"""
{"columns": [0]}
{"columns": []}
{"columns": [1]}
{"columns": [9]}
{"columns": {"2": 3}}
{"columns": [2, 3, 4]}
{"columns": [null]}
{"groups": -1}
{"ids": "x"}
{"ids": 9}
{"header": "-1"}
{"header": "12"}
{"header": [1]}
{"header": true}
{"delimiter": ""}
{"delimiter": "comma"}
{"delimiter": "-"}
{"delimiter": "0"}
{"delimiter": " "}
{"delimiter": ["\t"]}
"""
FORMS = r"""
{"count": "-3"}
{"count": "0"}
{"count": "2\n"}
{"n": 0}
{"n_units": 0}
{"n_units": 1000000000000000000000000000000}
{"total": 9}
{"total": "2^4"}
{"total": "3^2"}
{"pvalue": "0.75"}
{"log10_pvalue": NaN}
{"format": true}
{"swaps": {"unit": "0"}}
{"swaps": {"unit": "-2"}}
{"swaps": {"ties": -1}}
{"swaps": {"observed": "99"}}
{"swaps": {"tally": ["11", "21", "31", "41"]}}
{"swaps": {"tally": [["1", 1], ["1", 1], ["3", 1]]}}
{"swaps": {"tally": [["3", 1], ["2", 1], ["1", 1]]}}
{"swaps": {"tally": [["1", 1], ["2", 1], ["3", 0]]}}
{"swaps": {"tally": [["1", 1], ["2", 3], ["3", -1]]}}
{"swaps": {"tally": [["-1", 1], ["2", 1], ["3", 1]]}}
{"swaps": {"tally": [[true, 1], ["2", 1], ["3", 1]]}}
"""


def changes(table):
    """A change of a record in each line."""
    return map(json.loads, table.strip().splitlines())


class TestHostile:
    def test_fields_and_rules(self, verify, said):
        true = certificate()
        records = [{**true, **change} for change in changes(UNREADABLE)]
        records += [of_scores(true, SCORES, **change) for change in changes(RULES)]
        for record in records:
            assert verify(record, SCORES) == 2, record
            assert said().startswith("unreadable: ")
        record = sign_flip_test([3, 1, -2]).to_dict()
        assert [verify({**record, "total": text}) for text in ("2^3", "8", "0x8")] == [0, 0, 0]
        for change in changes(FORMS):
            forged = {**record, **change, "swaps": {**record["swaps"], **change.get("swaps", {})}}
            assert verify(forged) > 0, change

    def test_texts_and_words(self, tmp_path, said):
        path = tmp_path / "record.json"
        format_2 = b'{"format": 2'
        for text in (
            *(b"", b"{", b"[" * 10**5, b"\xff", b'{"format": NaN}', b"[1]", b"null"),
            *(format_2 + b', "format": 2}', format_2 + b"0" * 10**6 + b"}"),
        ):
            path.write_bytes(text)
            assert verify_scores.main([str(path)]) == 2
            assert said().startswith("unreadable: ")
        path.write_text(json.dumps(certificate()), encoding="utf-8")
        for words in ([], [path] * 4, [path, "--ful"], [tmp_path], [path, "nowhere"]):
            assert verify_scores.main([*map(str, words)]) == 2
            assert said().startswith("unreadable: ")

    def test_cells(self, verify, said):
        cells = "1e9999", "nan", "1_0", "0x10", "\u0661", "9" * 601, "1/0", "", '"1', "1,0", "1.5/2"
        for cell in (*cells, ".", "1e100", "9" * 10**6):
            scores = f"1\n{cell},\n".encode()
            assert verify(*hostile.scored(scores)) in (1, 2), cell
            assert not said().startswith("confirmed")
        scores = "".join(
            f"{x}\n" for x in ("9" * 598 + "/1", "1.", ".5e-3", "+1.5E+10", "3/07", "TRUE")
        )
        assert verify(*hostile.scored(scores.encode())) == 1


class TestTooLarge:
    @pytest.fixture(autouse=True)
    def limits(self, monkeypatch):
        """Less work than people may ask for."""
        monkeypatch.setattr(verifier, "MOST_KEPT", 2**19)
        monkeypatch.setattr(verifier, "MOST_MOVED", 2**25)

    def test_work_is_limited_by_its_bits(self):
        """Random steps, few or many, short or long: counted rightly, or not at all."""
        rng, refused = random.Random(6), 0
        for _ in range(200):
            units = [random_step(rng) for _ in range(int(10 ** rng.uniform(0, 2)))]
            scales = [rng.choice([1, 1, 10**9, 10**4000])] * 2 + [3]
            units = [tuple((a * scales[i % 3], g) for a, g in step) for i, step in enumerate(units)]
            try:
                found = verifier.sums(units)
            except verifier.Ended as verdict:
                refused += verdict.args[0] == 3
            else:
                assert found == sorted(forgeries.enumerated(units).items())
        assert 40 < refused < 160

    @pytest.mark.parametrize(
        "runs",
        [
            [f"{2 ** (1900 + i)}" for i in range(19)],
            [f"0.{2**i}" for i in range(30)],
            [f"{i}" for i in range(10_000)],
        ],
    )
    def test_choices_of_runs_are_limited_by_their_bits(self, runs, verify, said):
        """A certificate of a few KB made them take 5 GB."""
        record, scores = hostile.run_scores([runs])
        assert verify(record, scores) == 3
        assert said() == "not checked: too many sums\n"

    def test_counts(self, verify, tmp_path, said):
        weights = 2**13000
        for record, words in (
            (hostile.tally({10**4 + i * i: 1 for i in range(500)}), "too many sums"),
            (hostile.steps([(((0, 1), (1, weights + i)), 1) for i in range(60)]), "too many sums"),
            (hostile.pool([i * i for i in range(990)], 495), "too many sums"),
            (hostile.pool([i % 9 for i in range(1200)], 600), "no pool of less than 1000 values"),
            (
                permutation_test([(3, 1)], [(1, 2)], statistic=f1_difference).to_dict(),
                "no count is",
            ),
        ):
            assert verify(record) == 3
            assert said().startswith("not checked: " + words)
        path = tmp_path / "record.json"
        path.write_text(json.dumps(two_sample_test([1], [2]).to_dict()), encoding="utf-8")
        assert verifier.verdict(lambda: verifier.check(verifier.loaded(str(path)))) == 3
        assert "two samples are checked by verify_scores.py" in said()

    def test_bytes_scores_and_denominators(self, verify, monkeypatch, said):
        record, many = sign_flip_test([3, 1, -2]).to_dict(), 2**20 + 1
        for change, status in (
            ({"n": "9" * 5000}, 2),
            ({"n": "0x" + "9" * 5000}, 2),
            ({"pvalue_decimal": "0.75" + "0" * 4000}, 2),
            ({"n": many, "n_units": many, "swaps": {**record["swaps"], "ties": many - 3}}, 3),
        ):
            assert verify({**record, **change}) == status
        for cells, status in ((2**19 - 1, 0), (2**19 + 1, 3)):
            scores = b"1" + b",x" * cells + b"\n2" + b",x" * cells + b"\n"
            assert verify(*hostile.scored(scores)) == status
            assert ("line 1 has over 2^20 characters" in said()) == (status == 3)
        scores = "".join(f"1/{10**200 + i}\n" for i in range(40)).encode()
        assert verify(*hostile.scored(scores)) == 3
        assert "too long a common denominator" in said()
        few = hostile.scored(b"1\n2\n")
        monkeypatch.setattr(verify_scores, "MOST_SCORES", 1)
        assert verify(*few) == 3
        assert "over 1 scores" in said()
        monkeypatch.setattr(verifier, "MOST_BYTES", 9)
        assert verify(sign_flip_test([1]).to_dict()) == 3
        assert "has over 9 bytes" in said()
