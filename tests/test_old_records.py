"""Pickles and records that version 0.1.0 wrote are still read, and equal to what is made now.

``data/records_0_1_0.json`` holds, for each case, the pickle in protocols 2 and 4 (base64) and the record of ``to_dict``
where there is one, both written by version 0.1.0 on CPython 3.11.
"""

import base64
import importlib
import json
import operator
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import exactperm

WRITTEN = json.loads((Path(__file__).parent / "data" / "records_0_1_0.json").read_text(encoding="utf-8"))
U, V = ["0.9", "0.7", "0.8", "0.5", "0.4"], ["0.6", "0.5", "0.9", "0.5", "0.1"]


def gap(u, v):
    return sum(u) - sum(v)


SENTENCES_U, SENTENCES_V = [(3, 4), (1, 2), (2, 5), (0, 3)], [(2, 4), (2, 2), (1, 4), (1, 1)]
CASES = {
    "linear": lambda e: e.permutation_test(U, V, alternative="greater"),
    "groups": lambda e: e.permutation_test(U, V, groups=list("aabbc")),
    "flips": lambda e: e.sign_flip_test({1: 28, -1: 2}),
    "monotone": lambda e: e.permutation_test(SENTENCES_U, SENTENCES_V, statistic=e.f1_difference, method="recurrence"),
    "ratio": lambda e: e.permutation_test(SENTENCES_U, SENTENCES_V, statistic=e.ratio_difference, method="dp"),
    "precision": lambda e: e.permutation_test(SENTENCES_U, SENTENCES_V, statistic=e.precision_difference),
    "laid out": lambda e: e.permutation_test([3, 1, 2], [1, 0, 2], statistic=e.Statistic((operator.sub,), abs, "size")),
    "accuracy": lambda e: e.permutation_test([*"aab"], [*"abb"], statistic=e.accuracy([*"abb"])),
    "statistics": lambda e: [e.difference, e.mean_difference, e.recall_difference, e.accuracy([*"ab"])],
    "distribution": lambda e: e.sign_flip_test([3, 1, 2]).null_distribution,
    "fast": lambda e: e.fast_permutation_test(U, V, digits=17),
    "bracket": lambda e: e.is_significant(U, V, "0.05"),
    "decided by the count": lambda e: e.is_significant([1] * 5, [0] * 5, "1/16"),
    "influence": lambda e: e.influence(U, V, budget=e.Budget(seconds=60)),
    "leaderboard": lambda e: e.compare_all({"a": U, "b": V, "c": V[::-1]}),
    "adjusted": lambda e: e.adjust_pvalues(["0.01", "0.02", "1/3"], "holm-sidak"),
    "Monte Carlo": lambda e: e.monte_carlo_test([1, 2, 5], [0, 3, 2], gap, 20, rng=1, adjusted=True),
    "sequential": lambda e: e.sequential_monte_carlo([1, 2, 5], [0, 3, 2], gap, "0.05", rng=1),
    "estimate": lambda e: e.monte_carlo_estimate("0.05", 100, adjusted=True),
    "bootstrap": lambda e: e.bootstrap_interval([1, 2, 5, 7], 50, rng=1),
    "paired bootstrap": lambda e: e.paired_bootstrap([1, 2, 5, 7], [0, 3, 1, 1], 50, rng=1),
}


@pytest.mark.parametrize("protocol", ["2", "4"])
@pytest.mark.parametrize("case", CASES)
def test_pickles(case, protocol):
    assert pickle.loads(base64.b64decode(WRITTEN[case][protocol])) == CASES[case](exactperm)


@pytest.mark.parametrize("case", [case for case in CASES if "record" in WRITTEN[case]])
def test_records(case):
    fresh = CASES[case](exactperm)
    assert type(fresh).from_dict(WRITTEN[case]["record"]) == fresh


def test_what_follows_from_an_old_pickle():
    """The swaps, the distribution and the budget of a result that was read."""
    result = pickle.loads(base64.b64decode(WRITTEN["monotone"]["4"]))
    fresh = CASES["monotone"](exactperm)
    assert result.null_distribution == fresh.null_distribution
    assert (result.midp, result.min_attainable) == (fresh.midp, fresh.min_attainable)
    influence = pickle.loads(base64.b64decode(WRITTEN["influence"]["4"]))
    assert influence.pvalues == CASES["influence"](exactperm).pvalues


@pytest.mark.parametrize("old", exactperm._MOVED)
def test_the_old_modules(old):
    module = importlib.import_module(f"exactperm.{old}")
    homes = [importlib.import_module(f"exactperm.{home}") for home in exactperm._MOVED[old]]
    for home in homes:
        for name, value in vars(home).items():
            if getattr(value, "__module__", None) == home.__name__:
                assert getattr(module, name) is value
    for name in ("nowhere", "__path__"):
        with pytest.raises(AttributeError, match=f"^module 'exactperm.{old}' has no attribute '{name}'$"):
            getattr(module, name)


@pytest.mark.parametrize("package", ["swaps", "montecarlo"])
def test_the_old_modules_that_are_packages(package):
    module = importlib.import_module(f"exactperm.{package}")
    for name, home in module._MOVED.items():
        assert getattr(module, name) is getattr(importlib.import_module(f"exactperm.{package}.{home}"), name)
    with pytest.raises(AttributeError, match=f"^module 'exactperm.{package}' has no attribute 'nowhere'$"):
        _ = module.nowhere


def test_a_pickle_finds_the_package_by_itself():
    """In a process that has not imported it."""
    code = f"import base64, pickle; print(pickle.loads(base64.b64decode({WRITTEN['influence']['2']!r})))"
    root = Path(exactperm.__file__).parent.parent
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root).stdout
    assert shown.startswith("Influence(differences=")
