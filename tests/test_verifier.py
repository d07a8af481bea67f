"""The verifier that stands alone: it confirms what the engines count, refutes forgeries, and cannot be made to hang."""

import ast
import hashlib
import json
import math
import random
import shutil
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest

import exactperm
from exactperm import (
    certify,
    f1_difference,
    permutation_test,
    permutation_test_runs,
    sign_flip_test,
)
from exactperm.certificates import verifier, verify_scores
from exactperm.counting import plan
from exactperm.null.alternative import ALTERNATIVES
from tests.factory import forgeries, hostile

SOURCE = Path(verifier.__file__)
SCORES = b"# runs of May\nitem;u;v;topic\na;0,91;0,85;x\n\nb;0,80;0,825;x\nc;0,7;0,7;y\nd;1e-1;2/10;z\ne;0,5;-3,25;w\n"
COLUMNS = (["0.91", "0.80", "0.7", "0.1", "0.5"], ["0.85", "0.825", "0.7", "0.2", "-3.25"])
CHOICE = {"columns": "u,v", "groups": "topic"}


def run(record, scores=None, *, folder=None):
    """Verify a record and its scores; return the exit status and what is said."""
    names = []
    for name, content in (("record.json", json.dumps(record).encode()), ("scores.csv", scores)):
        if content is not None:
            (folder / name).write_bytes(content)
            names.append(str(folder / name))
    return verify_scores.main(names)


@pytest.fixture
def verify(tmp_path):
    return lambda record, scores=None: run(record, scores, folder=tmp_path)


@pytest.fixture
def said(capsys):
    def text():
        return capsys.readouterr().out

    return text


def certificate(alternative="greater", groups=True):
    labels = ["x", "x", "y", "z", "w"] if groups else None
    choice = CHOICE if groups else {"columns": "u,v"}
    result = permutation_test(*COLUMNS, groups=labels, alternative=alternative)
    return certify(result, SCORES, **choice)


def interpreter(name):
    """Return an interpreter of this name that starts, from the path or from pyenv's versions; skip without one."""
    installed = Path.home().glob(f".pyenv/versions/*/bin/{name}")
    for path in filter(None, [shutil.which(name), *map(str, sorted(installed))]):
        if subprocess.run([path, "-c", ""], check=False, capture_output=True).returncode == 0:
            return path
    return pytest.skip(f"{name} is not installed")


def random_step(rng):
    """A step of up to four values, whose weights have no common divisor."""
    values = [0, *sorted(rng.sample(range(1, 9), rng.randint(1, 3)))]
    weights = [rng.randint(1, 4) for _ in values]
    return tuple((a, g // math.gcd(*weights)) for a, g in zip(values, weights))


class TestTheFiles:
    @pytest.mark.parametrize(
        ("file", "most"),
        [
            ("verifier.py", 238),  # pools, for who publishes a test of two samples
            ("verify_scores.py", 146),
        ],
    )
    def test_each_is_short_and_needs_the_standard_library(self, file, most):
        text = (SOURCE.parent / file).read_text(encoding="utf-8")
        tree = ast.parse(text, feature_version=(3, 6))
        imported = {"verifier"} | {
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.Import)
            for alias in node.names
        }
        assert imported <= {*getattr(sys, "stdlib_module_names", imported), "verifier"}
        documented = [
            node.body[0]
            for node in ast.walk(tree)
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
            and isinstance(node.body[0], ast.Expr)
        ]
        words = {i for doc in documented for i in range(doc.lineno, doc.end_lineno + 1)}
        lines = enumerate(text.splitlines(), 1)
        code = [line for i, line in lines if line.strip() and i not in words and line[0] != "#"]
        assert len(code) <= most
        assert max(map(len, code)) <= 100

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


class TestConfirmed:
    @pytest.mark.slow
    def test_a_thousand_random_tests(self, verify, sampled):
        rng = random.Random(1)
        for _ in range(sampled(1000)):
            assert verify(forgeries.small_test(rng).to_dict()) == 0

    @pytest.mark.parametrize("alternative", ALTERNATIVES)
    @pytest.mark.parametrize("groups", [False, True])
    def test_scores(self, alternative, groups, verify, said):
        assert verify(certificate(alternative, groups), SCORES) == 0
        facts = said().split("\n  ")
        assert facts[0] == "confirmed: the count, of these scores"
        assert {f"alternative: {alternative}", "counted by halves"} <= {*facts}
        assert facts[facts.index(f"scores: 5 pairs in {4 if groups else 5} units") + 1 :] == [
            f"first file: {hashlib.sha256(SCORES).hexdigest()[:8]}",
            f"  columns ['2', '3'], {3 if groups else 2} of 4 columns used",
            "  header '2', which is 'item;u;v;topic'",
            *("  ids None", f"  groups {chr(39) + '4' + chr(39) if groups else None}"),
            *("  decimals None", "  delimiter ';'", "  decimal ','"),
            "  comments True, 1 lines left out\n",
        ]

    def test_what_proves_nothing_is_named(self, verify, said):
        """Without scores the count alone is confirmed, and unknown fields never."""
        record = {**certificate(), "statement": "A is better", "note": "x"}
        assert verify(record) == 0
        facts = said().splitlines()
        assert facts[0] == "confirmed: the count only"
        assert facts[-2:] == [
            "  not checked without scores: the units, the statistic, the pairs",
            "  proves nothing: 'method, note, statement, version'",
        ]

    @pytest.mark.parametrize(
        ("d", "way"),
        [
            ({1: 1600, -1: 1500, 3: 200, -3: 180}, "recurrence"),
            ({(-1) ** x * (x**5 + 10**20): 1 for x in range(24)}, "halves"),
            ({0: 7}, "halves"),
        ],
    )
    def test_each_way(self, d, way, verify, said):
        for alternative in ALTERNATIVES:
            record = sign_flip_test(d, alternative=alternative).to_dict()
            assert verify(record) == 0
            assert way in said()

    def test_steps_and_pools_by_both_ways(self, tmp_path, said):
        types = ((((0, 2), (1, 1), (4, 3)), 2), (((0, 1), (3, 1)), 2))
        for k in range(15):
            assert verifier.by_recurrence(types, k) == verifier.by_halves(types, k)
        for x, y in (([1, 2, 4], [0, 1]), ([1, 1], [1])):
            record = exactperm.two_sample_test(x, y).to_dict()
            path = tmp_path / "record.json"
            path.write_text(json.dumps(record), encoding="utf-8")
            assert verifier.main([str(path)]) == 0
            assert said().startswith("confirmed: the count only")

    @pytest.mark.slow
    def test_both_ways_agree(self):
        """On pairs and on units of several runs, some of whose first weights are above 1."""
        rng = random.Random(2)
        for _ in range(300):
            types = verifier.added(
                (random_step(rng), rng.randint(1, 3)) for _ in range(rng.randint(0, 4))
            )
            k, sums = rng.randint(0, 30), Counter({0: 1})
            for step in [step for step, units in types for _ in range(units)]:
                old, sums = sums, Counter()
                for x, number in old.items():
                    sums.update({x + a: number * g for a, g in step})
            cut = [(tuple(term for term in step if term[0] <= k), units) for step, units in types]
            first = math.prod(step[0][1] ** units for step, units in cut if len(step) == 1)
            cut = [(step, units) for step, units in cut if len(step) > 1]
            counts = sum(number for x, number in sums.items() if x <= k), sums[k]
            for way in (verifier.by_halves, verifier.by_recurrence):
                assert tuple(first * number for number in way(cut, k)) == counts
            assert verifier.at_most(tuple(types), k)[:2] == counts


class TestRefuted:
    @pytest.mark.slow
    def test_a_thousand_random_forgeries(self, verify, sampled):
        rng = random.Random(4)
        for _ in range(sampled(1000)):
            record = forgeries.small_test(rng).to_dict()
            forged = forgeries.forgery(record, rng)
            centre = 2 * int(record["threshold"], 0) == sum(
                int(d, 0) * c for d, c in record["swaps"]["tally"]
            )
            lie = forged != record and not (
                centre and forged["factor"] == 1
            )  # "less" and "greater" agree in the centre
            assert verify(forged) == 1 or not lie, forged

    @pytest.mark.slow
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

    @pytest.mark.parametrize("zeros", [3999, 4000])
    @pytest.mark.parametrize("power", ["", "e-05", "e-99", "e-4000", "e-999999"])
    def test_a_long_decimal_has_its_own_power(self, zeros, power, verify):
        """p = 1/2 is no 5e-05, whatever the number of its places."""
        record = sign_flip_test([3], alternative="greater").to_dict()
        assert (record["pvalue"], verify(record)) == ("1/2", 0)
        assert verify({**record, "pvalue_decimal": "5." + "0" * zeros + power}) == 1
        assert verify({**record, "pvalue_decimal": "5." + "0" * zeros + "e-01"}) == 0

    def test_six_digits_whatever_the_decimal_has(self, verify, said):
        record = sign_flip_test({1: 12, -1: 6}, alternative="greater").to_dict()
        assert record["pvalue"] == "7795/65536"
        assert verify({**record, "pvalue_decimal": "1.2e-01"}) == 0
        assert "\n  p = 1.2e-01, about 1.18942e-1\n" in said()

    @pytest.mark.parametrize(
        ("first", "second", "status"),
        [
            (b"5\n\n7\n9\n", b"4\n6\n\n8\n", 1),
            (b"5\n\n7\n9\n", b"4\n6\n8\n", 1),
            (b"5\n\n7\n9\n", b"4\n\n6\n8\n", 0),
            (b"\n5\n7\n#\n9\n\n", b"4\n6\n8\n", 0),
        ],
    )
    def test_blank_lines_keep_the_pairs_of_two_files(self, first, second, status, tmp_path):
        record, names = (
            certify(permutation_test([5, 7, 9], [4, 6, 8]), [b"5\n7\n9\n", b"4\n6\n8\n"]),
            ["c.json", "a", "b"],
        )
        for rules, content in zip(record["data"], (first, second)):
            rules["sha256"] = hashlib.sha256(content).hexdigest()
        for name, content in zip(names, (json.dumps(record).encode(), first, second)):
            (tmp_path / name).write_bytes(content)
        assert verify_scores.main([str(tmp_path / name) for name in names]) == status

    @pytest.mark.parametrize(
        ("scores", "rules"),
        [
            (b"5,\n3,\n-4,\n2,b\n", {"groups": 2}),
            (b"5, \n3,a\n-4,c\n2,b\n", {"groups": 2}),
            (b"5,a\n3,\n-4,c\n2,b\n", {"ids": 2}),
            (b"5\n3,9\n-4\n2\n", {}),
            (b"5,1\n3,1,9,9\n-4,1\n2,1\n", {"columns": [1, 2]}),
            (b"5\n3\n-4\n2\n", {"comments": 0}),
            (b"5\n3\n-4\n2\n", {"comments": "False"}),
            (b"5\n3\n-4\n2\n", {"comments": None}),
        ],
    )
    def test_no_pair_is_doubtful(self, scores, rules, verify, said):
        """Labels and ids that are missing, lines of other lengths, comments that are neither left out nor read."""
        record = certify(sign_flip_test([5, 3, -4, 2]), b"5\n3\n-4\n2\n")
        rules = {**record["data"][0], "sha256": hashlib.sha256(scores).hexdigest(), **rules}
        assert verify({**record, "data": [rules]}, scores) == 2
        assert said().startswith(("unreadable: line ", "unreadable: unknown rules"))

    def test_the_verdict_names_both_files_in_their_order(self, tmp_path, said):
        for first, second in ((b"5\n7\n", b"4\n8\n"), (b"4\n8\n", b"5\n7\n")):
            record = certify(
                permutation_test(first.decode().split(), second.decode().split()), [first, second]
            )
            for name, content in (
                ("c.json", json.dumps(record).encode()),
                ("a", first),
                ("b", second),
            ):
                (tmp_path / name).write_bytes(content)
            for order in "ab", "ba":
                assert (
                    verify_scores.main([str(tmp_path / name) for name in ("c.json", *order)]) == 0
                )
                text = said()
                names = {"first": first, "second": second}
                for place, raw in names.items():
                    assert f"  {place} file: {hashlib.sha256(raw).hexdigest()[:8]}\n" in text

    def test_a_field_is_stated_once(self, verify):
        """True fields among the swaps do not cover false ones of the record."""
        record = sign_flip_test([3, 1, 2, 4]).to_dict()
        hidden = {name: record[name] for name in ("count", "threshold", "factor")}
        assert verify({**record, "count": "1", "swaps": {**record["swaps"], **hidden}}) == 1

    @pytest.mark.parametrize(
        "pvalue", ["1/8/100000", "1/8/", "1/8/1", "/1/8", "1/16", "-1/-8", "1/0"]
    )
    def test_a_fraction_has_two_parts(self, verify, pvalue):
        record = sign_flip_test([3, 1, 2, 4]).to_dict()
        assert (record["pvalue"], verify(record)) == ("1/8", 0)
        assert verify({**record, "pvalue": pvalue}) in (1, 2)

    @pytest.mark.parametrize("places", [False, True, "", 0.0])
    def test_decimals_are_a_number_or_null(self, verify, places):
        record = certificate()
        assert verify({**record, "data": [{**record["data"][0], "decimals": places}]}, SCORES) == 2

    def test_scores_of_another_file(self, verify, said):
        for old, new in ((b"0,91", b"0,92"), (b"0,7;y", b"0,70;y"), (b"e;", b"f;")):
            changed = SCORES.replace(old, new)
            record = certificate()
            assert verify(record, changed) == 1
            assert "not the certified scores: another SHA-256" in said()
        record["data"][0]["sha256"] = hashlib.sha256(SCORES.replace(b"0,91", b"0,92")).hexdigest()
        assert verify(record, SCORES.replace(b"0,91", b"0,92")) == 1
        assert "the scores have other units" in said()

    @pytest.mark.parametrize(
        "rules", [{"decimals": 1}, {"groups": None}, {"columns": [3, 2]}, {"columns": [2]}]
    )
    def test_other_rules_of_reading(self, rules, verify, said):
        record = certificate()
        record["data"][0].update(rules)
        assert verify(record, SCORES) == 1
        assert "the scores have other units" in said()

    @pytest.mark.parametrize("header", [None, 1, 3, 4, 9])
    def test_only_the_line_before_the_pairs_is_a_header(self, header, verify, said):
        """A forger cannot choose a pair to leave out, but the first; the verdict has its text."""
        record = certificate()
        record["data"][0]["header"] = header
        assert verify(record, SCORES) == 2
        assert said() == "unreadable: line 2: no number: 'u'\n"
        record = certify(sign_flip_test([-1, 2]), b"-1\n2\n")
        for line, scores, status in ((2, b"-1\n3\n2\n", 1), (1, b"3\n-1\n2\n", 0)):
            record["data"][0].update(sha256=hashlib.sha256(scores).hexdigest(), header=line)
            assert verify(record, scores) == status
        assert "\n    header '1', which is '3'\n" in said()

    def test_comments_are_left_out_together(self, verify, said):
        """A forger cannot choose which of the lines with # are pairs."""
        scores = b"#a,3\n#b,-1\n#c,2\n"
        for comments, status in ((False, 1), (True, 1)):
            record = certify(sign_flip_test([3, 2]), b"3\n2\n")
            rules = {
                "sha256": hashlib.sha256(scores).hexdigest(),
                "columns": [2],
                "comments": comments,
            }
            assert verify({**record, "data": [{**record["data"][0], **rules}]}, scores) == status
            assert "the scores have other units" in said()

    @pytest.mark.parametrize(
        ("low", "name", "status"),
        [("-6", "difference", 0), ("0", "difference", 1), ("0", "signed ranks", 0)],
    )
    def test_the_least_sum_of_differences_is_minus_the_greatest(
        self, low, name, status, verify, said
    ):
        record = sign_flip_test([3, 1, -2]).to_dict()
        statistic = str(int(low) + 2 * int(record["swaps"]["observed"]))
        record.update(
            statistic=statistic, statistic_name=name, swaps={**record["swaps"], "low": low}
        )
        assert verify(record) == status
        assert ("not checked without scores" in said()) == (status == 0)

    @pytest.mark.parametrize("x", [1006, 2999, 11006, 500])
    def test_no_data_have_an_observed_sum_that_no_units_add_up_to(self, x, verify, said):
        """Of 12 units of 1000 and one of 1; all fields agree with each other."""
        record = forgeries.consistent({1: 1, 1000: 12}, x, "greater")
        assert verify(record) == 1
        assert "no units add up to the observed sum" in said()
        assert verify(forgeries.consistent({1: 1, 1000: 12}, x - x % 1000 + 1, "greater")) == 0

    def test_an_observed_sum_is_found_missing_by_the_recurrence(self, verify, said):
        """Many units: by the recurrence."""
        record = sign_flip_test(
            {3: 1600, -3: 1500, 6: 200, -6: 180, 10**4: 1}, alternative="less"
        ).to_dict()
        assert verify(record) == 0
        assert "counted by recurrence" in said()
        x = int(record["swaps"]["observed"]) + 1
        statistic = Fraction(record["statistic"]) + Fraction(record["swaps"]["unit"])
        forged = {
            **record,
            "threshold": str(x),
            "statistic": str(statistic),
            "swaps": {**record["swaps"], "observed": str(x)},
        }
        assert verify(forged) == 1
        assert "no units add up to the observed sum, by recurrence" in said()

    def test_the_verdict_says_what_the_rules_leave_out(self, verify, said):
        scores = b"id,a,b\n#1,3,1\n2,5,1\n#3,4,4\n4,1,2\n"
        record = certify(sign_flip_test([5, 1]), scores, columns="2", comments="yes")
        assert verify(record, scores) == 0
        text = said()
        assert "1 of 3 columns used\n" in text
        assert "header '1', which is 'id,a,b'\n" in text
        assert "comments True, 2 lines left out\n" in text

    @pytest.mark.parametrize("title", [b"", b"a,b\n"])
    def test_a_decimal_comma_needs_another_delimiter(self, title, verify, said):
        """12,12 is no 12.12 where nothing else separates columns."""
        scores = title + b"12,12\n13,15\n11,10\n"
        record = certify(
            sign_flip_test(["12.12", "13.15", "11.10"]),
            b"x;d\n1;12,12\n2;13,15\n3;11,10\n",
            columns="2",
        )
        rules = {
            "sha256": hashlib.sha256(scores).hexdigest(),
            "columns": [1],
            "header": 1 if title else None,
        }
        assert verify({**record, "data": [{**record["data"][0], **rules}]}, scores) == 2
        assert "one cell a line: is a comma decimal?" in said()

    def test_scores_prove_a_difference_and_no_other_name(self, verify, said):
        record = certificate()
        assert verify({**record, "statistic_name": "signed ranks"}, SCORES) == 1
        assert verify({**record, "statistic_name": "signed ranks"}) == 1
        assert "another name" in said()

    @pytest.mark.slow
    def test_a_thousand_consistent_forgeries(self, verify, sampled):
        """One fact is changed, and all that depends on it follows: nothing false is confirmed of a file."""
        rng, lies = random.Random(8), 0
        for _ in range(sampled(1000)):
            d = [
                rng.choice([-7, -4, -3, -2, -1, 0, 0, 1, 2, 3, 5, 6])
                for _ in range(rng.randint(1, 8))
            ]
            scores = "".join(f"{x}\n" for x in d).encode()
            alternative = rng.choice(["less", "greater", "two-sided"])
            true = certify(sign_flip_test(d, alternative=alternative), scores)
            forged = forgeries.forged_fact(d, alternative, rng)
            status = verify({**forged, "data": true["data"]}, scores)
            same = all(
                forged[name] == true[name]
                for name in forged
                if name not in ("version", "method", "pvalue_decimal")
            )
            assert (status == 0) == same, (d, forged)
            assert verify(forged) == int(not forgeries.possible(forged)), forged
            lies += not same
        assert lies > sampled(800)

    @pytest.mark.parametrize(
        ("decimal", "status"),
        [
            ("0.750", 0),
            ("0.75", 0),
            ("0.8", 0),
            ("0.7", 1),
            ("0.74", 1),
            ("075", 2),
            ("0750", 2),
            ("8e-01", 2),
            ("7.5e-01", 0),
            ("7.5e-02", 1),
            ("0", 2),
            ("0.", 2),
            ("0.000", 1),
            ("7.5e-999999", 1),
        ],
    )
    def test_a_decimal_rounds_the_p_value(self, decimal, status, verify):
        """Half to even: 3/4 is 0.8 to one place."""
        record = sign_flip_test([3, 1, -2]).to_dict()
        assert record["pvalue"] == "3/4"
        assert verify({**record, "pvalue_decimal": decimal}) == status
        assert verify({**record, "pvalue": "5/8"}) == 1


def proven(record):
    """Return what a confirmed certificate proves: its exact numbers, in one spelling."""
    names = ("count", "threshold", "factor", "n", "n_units", "n_nonzero")
    swaps = {int(d, 0): c for d, c in record["swaps"]["tally"]}
    numbers = [int(str(record[name]), 0) for name in names]
    return (
        numbers,
        record["alternative"],
        Fraction(record["pvalue"]),
        Fraction(record["statistic"]),
        swaps,
    )


class TestRuns:
    @pytest.mark.slow
    def test_the_scores_of_every_form(self, tmp_path):
        """A row for each run in two files; a column for each run in one file."""
        rng, forms = random.Random(11), Counter()
        for _ in range(150):
            u, v, design, even = forgeries.random_runs(rng)
            result = permutation_test_runs(
                u, v, design=design, alternative=rng.choice(ALTERNATIVES)
            )
            record = result.to_dict()
            assert run(record, folder=tmp_path) == 0, record
            if result.design is None:
                continue
            certified = []
            if design != "systems":
                files = [forgeries.rows_of_runs(side).encode() for side in (u, v)]
                certified.append((files, certify(result, files, columns="2", id="item")))
            if even:
                file, m, n = forgeries.columns_of_runs(u, v).encode(), len(u[0]), len(v[0])
                runs = list(map(str, range(2, m + n + 2)))
                blocks = f"{'+'.join(runs[:m])},{'+'.join(runs[m:])}"
                certified.append(([file], certify(result, file, columns=blocks)))
            for files, certificate in certified:
                names = [str(tmp_path / name) for name in ("c.json", "a.csv", "b.csv")][
                    : 1 + len(files)
                ]
                for name, content in zip(names, (json.dumps(certificate).encode(), *files)):
                    Path(name).write_bytes(content)
                assert verify_scores.main(names) == 0, certificate
                forms[design, len(files)] += 1
                for data in certificate["data"]:
                    data["columns"] = (
                        data["columns"][::-1] if design == "systems" else data["columns"]
                    )
                Path(names[0]).write_text(
                    json.dumps({**certificate, "n": len(u) + 1}), encoding="utf-8"
                )
                assert verify_scores.main(names) == 1
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
            record["statistic_name"] = "F1 difference"
            assert verify(record, self.FILE) == verify(record) == 1
            assert said().endswith("REFUTED: another name\n")
        for other in ("items", "systems", None):
            assert verify({**self.certified("within"), "design": other}, self.FILE) in (1, 2)

    def test_the_design_is_named(self, verify, said):
        record = permutation_test_runs(self.U, self.V, design="within").to_dict()
        assert verify(record) == 0
        assert "\n  exchanged: within\n" in said()
        for design, status in (("all", 2), ("", 2), ("systems", 0), (None, 0)):
            assert verify({**record, "design": design}) == status

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
    def test_a_thousand_consistent_forgeries(self, tmp_path, sampled):
        """Weights, values, units, common factors, regions, totals, p-values: nothing false is confirmed."""
        rng, lies = random.Random(12), Counter()
        while sum(lies.values()) < sampled(1000):
            u, v, design, _even = forgeries.random_runs(rng)
            true = permutation_test_runs(
                u, v, design=design, alternative=rng.choice(ALTERNATIVES)
            ).to_dict()
            if "steps" not in true["swaps"]:
                continue
            true["version"] = "0"
            forged = forgeries.forged_runs(true, rng)
            right = forgeries.possible_runs(forged)
            assert (run(forged, folder=tmp_path) == 0) == right, forged
            lies[right] += 1
            assert forgeries.possible_runs(true)
        assert lies[False] > sampled(400)

    @pytest.mark.slow
    def test_a_thousand_forgeries_of_files(self, tmp_path, sampled):
        rng, lies = random.Random(13), 0
        while lies < sampled(1000):
            u, v, design, _even = forgeries.random_runs(rng)
            if design == "systems":
                continue
            result = permutation_test_runs(
                u, v, design=design, alternative=rng.choice(ALTERNATIVES)
            )
            if "steps" not in result.to_dict()["swaps"]:
                continue
            files = [forgeries.rows_of_runs(side).encode() for side in (u, v)]
            true = certify(result, files, columns="2", id="item")
            forged = forgeries.forged_runs(true, rng)
            lies += 1
            names = [str(tmp_path / name) for name in ("c.json", "a.csv", "b.csv")]
            for name, content in zip(names, (json.dumps(forged).encode(), *files)):
                Path(name).write_bytes(content)
            remarks = ("log10_pvalue", "pvalue")
            same = all(forged[name] == true[name] for name in true if name not in remarks)
            same = same and Fraction(forged["pvalue"]) == Fraction(true["pvalue"])
            if forged["alternative"] != true["alternative"]:
                same = forgeries.possible_runs(forged) and forged["swaps"] == true["swaps"]
            assert (verify_scores.main(names) == 0) == same, forged


UNREADABLE = r"""
{"format": 1}
{"count": "1_0"}
{"count": true}
{"count": null}
{"count": 1.5}
{"statistic": "1/0"}
{"alternative": "larger"}
{"alternative": []}
{"pvalue_decimal": "NaN"}
{"swaps": 7}
{"n": "08"}
{"n": "-0"}
{"pvalue_decimal": "1e+5"}
{"pvalue_decimal": "0E+900"}
{"pvalue_decimal": " 0.25"}
{"pvalue_decimal": "0.\u0665"}
"""
RULES = r"""
{"columns": [0]}
{"columns": []}
{"columns": [1]}
{"columns": [9]}
{"groups": 0}
{"groups": -1}
{"decimals": 1000000000}
{"decimals": -1}
{"ids": 0}
{"ids": "x"}
{"header": "-1"}
{"decimal": "1"}
{"delimiter": ""}
{"delimiter": "comma"}
{"header": "12"}
{"header": []}
{"header": false}
{"columns": {"2": 3}}
{"delimiter": "-"}
{"delimiter": "0"}
{"delimiter": ["\t"]}
{"decimal": "-"}
{"columns": [2, 3, 4]}
{"columns": [null]}
"""
FORMS = r"""
{"count": "-3"}
{"count": "0"}
{"count": "2\n"}
{"n": 0}
{"n_units": 0}
{"n_units": 1000000000000000000000000000000}
{"factor": -2}
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
{"swaps": {"tally": ["11", "21", "31"]}}
{"swaps": {"tally": [["1", 1], ["1", 1], ["3", 1]]}}
{"swaps": {"tally": [["3", 1], ["2", 1], ["1", 1]]}}
{"swaps": {"tally": [["1", 1], ["2", 1], ["3", 0]]}}
{"swaps": {"tally": [[true, 1], ["2", 1], ["3", 1]]}}
"""


def changes(table):
    """A change of a record in each line."""
    return map(json.loads, table.strip().splitlines())


class TestHostile:
    def test_fields_and_rules(self, verify, said):
        true = certificate()
        (rules,) = true["data"]
        records = [{**true, **change} for change in changes(UNREADABLE)]
        records += [{**true, "data": [{**rules, **change}]} for change in changes(RULES)]
        for record in records:
            assert verify(record, SCORES) == 2, record
            assert said().startswith("unreadable: ")

    @pytest.mark.parametrize(
        "text",
        [
            b"",
            b"{",
            b"[" * 10**5,
            b"\xff",
            b'{"format": 2, "format": 2}',
            b'{"format": 2' + b"0" * 10**6 + b"}",
            b'{"format": NaN}',
            b"[1]",
            b"null",
        ],
    )
    def test_texts(self, text, tmp_path, said):
        (tmp_path / "record.json").write_bytes(text)
        assert verify_scores.main([str(tmp_path / "record.json")]) == 2
        assert said().startswith("unreadable: ")

    @pytest.mark.parametrize(
        "cell",
        [
            b"1e9999",
            b"nan",
            b"1_0",
            b"0x10",
            "\u0661".encode(),
            b"9" * 601,
            b"1/0",
            b"",
            b'"1',
            b"1,0",
        ],
    )
    def test_cells(self, cell, verify, said):
        scores = b"1\n" + cell + b",\n"
        record = certify(sign_flip_test([1, 2]), b"1\n2\n")
        record["data"][0]["sha256"] = hashlib.sha256(scores).hexdigest()
        assert verify(record, scores) in (1, 2)
        assert not said().startswith("confirmed")

    def test_long_cells_take_no_time(self, verify, said):
        """A million digits are not matched: their length is looked at first. Backtracking would take days."""
        scores = b"1 " + b"9" * 10**6 + b"\n"
        record = certify(sign_flip_test([1, 2]), b"1\n2\n")
        rules = {
            **record["data"][0],
            "sha256": hashlib.sha256(scores).hexdigest(),
            "delimiter": " ",
            "columns": [2],
        }
        assert verify({**record, "data": [rules]}, scores) == 2
        assert said() == "unreadable: line 1: no number: '" + "9" * 39 + "\n"

    def test_fractions_of_long_numbers_take_no_time(self):
        """Numbers without a point are matched in one way: two adjacent repetitions took the square of their length."""
        assert r"[0-9]+\.?[0-9]*" not in verify_scores.NUMBER.pattern
        for text in ("9" * 598 + "/1", "1.", ".5e-3", "+1.5E+10", "3/07"):
            assert verify_scores.NUMBER.fullmatch(text)
        for text in (".", "1/0", "1e100", "1.5/2", "", "9" * 599 + "/1"):
            assert not verify_scores.NUMBER.fullmatch(text)

    @pytest.mark.slow
    def test_integers_of_one_hash_take_no_time(self, verify):
        """All multiples of 2**61 - 1 have the hash 0: a dictionary of them takes quadratic time."""
        tally = [[str(i * (2**61 - 1)), 1] for i in range(1, 30_000)]
        record = sign_flip_test([1, 2]).to_dict()
        assert verify({**record, "swaps": {**record["swaps"], "tally": tally}}) == 1
        scores = "".join(f"{i * (2**61 - 1)}\n" for i in range(1, 30_000)).encode()
        true = certify(sign_flip_test([1, 2]), b"1\n2\n")
        true["data"][0]["sha256"] = hashlib.sha256(scores).hexdigest()
        assert verify(true, scores) == 1

    def test_forms(self, verify):
        record = sign_flip_test([3, 1, -2]).to_dict()
        assert verify(record) == 0
        for change in changes(FORMS):
            forged = {**record, **change, "swaps": {**record["swaps"], **change.get("swaps", {})}}
            assert verify(forged) > 0, change

    def test_the_total_is_a_value(self, verify):
        record = sign_flip_test([3, 1, -2]).to_dict()
        assert [verify({**record, "total": total}) for total in ("2^3", "8", "0x8", "0b1000")] == [
            0,
            0,
            0,
            2,
        ]

    def test_words(self, tmp_path, said):
        path = str(tmp_path / "record.json")
        Path(path).write_text(json.dumps(certificate()), encoding="utf-8")
        for words in ([], [path] * 4, [path, "--ful"], [str(tmp_path)], [path, "nowhere"]):
            assert verify_scores.main(words) == 2
            assert said().startswith("unreadable: ")


class TestTooLarge:
    def test_work_is_limited_by_its_bits(self, monkeypatch):
        """Random tallies with few or many units, short or long differences: counted rightly, or not at all."""
        monkeypatch.setattr(verifier, "MOST_KEPT", 2**21)
        monkeypatch.setattr(verifier, "MOST_MOVED", 2**24)
        rng, refused = random.Random(6), 0
        for _ in range(300):
            bits, units = rng.choice([3, 10, 20, 300, 4000]), 10 ** rng.uniform(0, 2.5)
            distinct = rng.randint(1, min(40, int(units)))
            tally = {rng.getrandbits(bits) | 1: int(units) // distinct for _ in range(distinct)}
            types = tuple((((0, 1), (d, 1)), c) for d, c in sorted(tally.items()))
            k = rng.randint(0, verifier.span(types))
            try:
                found = verifier.at_most(types, k)[0]
            except verifier.Verdict as verdict:
                refused += verdict.args[0] == 3
            else:
                assert found == plan.count_at_most(dict(sorted(tally.items())), k)[0]
        assert 60 < refused < 240
        with pytest.raises(verifier.Verdict, match="too many sums"):
            verifier.at_most(((((0, 1), (1, 1)), 8000),), 4000)

    def test_choices_of_a_pool(self):
        rng = random.Random(7)
        for _ in range(50):
            values = [rng.randint(-3, 9) for _ in range(rng.randint(2, 7))]
            m = rng.randint(1, len(values) - 1)
            sums = Counter(map(sum, combinations(values, m)))
            assert verifier.drawn(values, m)[0] == sorted(sums.items())

    @pytest.mark.slow
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
        few = permutation_test_runs([[1, 2]], [[3]], design="systems")
        table = "id,a,b,c\n1,1,2,3\n"
        record = certify(few, table.encode(), columns="2+3,4")
        names = range(2, len(runs) + 2)
        scores = ",".join(["id", *(f"r{i}" for i in names)]) + "\n1," + ",".join(runs) + "\n"
        half = len(runs) // 2
        for rules, columns in zip(record["data"], (names[:half], names[half:])):
            rules["sha256"] = hashlib.sha256(scores.encode()).hexdigest()
            rules["columns"] = [*columns]
        assert verify(record, scores.encode()) == 3
        assert said() == "not checked: too many choices of runs or samples\n"

    def test_statistics_without_a_tally(self, verify, said):
        record = permutation_test([(3, 1)], [(1, 2)], statistic=f1_difference).to_dict()
        assert verify(record) == 3
        assert said() == "not checked: no count is claimed: 'claimed'\n"

    @pytest.mark.slow
    def test_weights_of_many_sizes_are_refused_before_their_means_are_added(self, verify, said):
        """Fractions of many denominators have long sums: ten thousand of them would take hours."""
        record = permutation_test_runs([[1, 1]], [[0]], design="within").to_dict()
        record["swaps"]["steps"] = [
            [[["0", "1"], [str(a), str(a * a)]], 1] for a in range(1, 10_000)
        ]
        record.update(n=9999, n_units=9999, n_nonzero=9999)
        assert verify(record) == 3
        assert "over 2^20 bits of the number of choices" in said()

    @pytest.mark.slow
    def test_counts(self, verify, said):
        assert verify(hostile.tally({10**4 + i * i: 1 for i in range(500)})) == 3
        assert "not checked: too many sums" in said()

    def test_integers(self, verify):
        assert verify({**certificate(), "n": "9" * 5000}) == 2
        assert verify({**certificate(), "n": "0x" + "9" * 5000}) == 2
        assert verify({**certificate(), "pvalue_decimal": "0.25" + "0" * 4000}) == 2

    @pytest.mark.parametrize(("cells", "status"), [(2**19 - 1, 0), (2**19 + 1, 3)])
    def test_long_lines(self, cells, status, verify, said):
        scores = b"1" + b",x" * cells + b"\n2" + b",x" * cells + b"\n"
        record = certify(sign_flip_test([1, 2]), b"1\n2\n")
        record["data"][0]["sha256"] = hashlib.sha256(scores).hexdigest()
        assert verify(record, scores) == status
        assert ("line 1 has over 2^20 characters" in said()) == (status == 3)

    def test_units(self, verify, said):
        record, many = sign_flip_test([3, 1, -2]).to_dict(), 2**20 + 1
        record.update(n=many, n_units=many, swaps={**record["swaps"], "ties": many - 3})
        assert verify(record) == 3
        assert "over 2^20 units" in said()

    def test_bytes(self, tmp_path, said, monkeypatch):
        monkeypatch.setattr(verifier, "MOST_BYTES", 9)
        (tmp_path / "record.json").write_bytes(b" " * 10)
        assert verify_scores.main([str(tmp_path / "record.json")]) == 3

    def test_denominators(self, verify):
        scores = "".join(f"1/{10**200 + i}\n" for i in range(40)).encode()
        record = certify(sign_flip_test([1, 2]), b"1\n2\n")
        record["data"][0]["sha256"] = hashlib.sha256(scores).hexdigest()
        assert verify(record, scores) == 3
