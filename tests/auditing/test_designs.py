"""Audits of several runs on each item: all designs that a claim leaves open, and the tests they are confused with."""

import json
import random
from fractions import Fraction
from itertools import chain, combinations, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exactperm import audit_claim, decimal_string, permutation_test_runs
from exactperm.auditing import designs, readings
from exactperm.auditing.allowance import Allowance
from exactperm.auditing.case import Case
from exactperm.auditing.claims import Claim
from exactperm.auditing.conventions import BOUNDARIES, TAILS
from exactperm.auditing.designs import t_of, two_sample
from exactperm.auditing.samples import Counted
from exactperm.auditing.store import Store
from exactperm.budget import Budget
from exactperm.cli import main
from exactperm.counting import plan
from exactperm.errors import BudgetExceeded
from exactperm.record import replaced
from exactperm.swaps.units import choices

THREE = ("within", "items", "systems")
U = [[1, 1, 0, 1], [1, 0, 1, 1], [0, 1, 1, 1], [1, 1, 1, 1], [1, 0, 1, 0], [1, 1, 1, 0]]
V = [[0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1], [1, 0, 0, 1], [0, 0, 1, 0], [1, 0, 1, 0]]


def sample_of(u, v, **fields):
    return Store(None, None).sample(Claim(p="1", data=[u, v], **fields))


def verdict(p, u=U, v=V, **fields):
    return audit_claim({"p": p, "data": [u, v], **fields})


def mean(column):
    return Fraction(sum(column), len(column))


def dealt(u, v):
    """Yield all labelings of the runs of one item as the difference of their means."""
    runs = [*u, *v]
    for chosen in combinations(range(len(runs)), len(u)):
        first = [runs[i] for i in chosen]
        yield mean(first) - mean([x for i, x in enumerate(runs) if i not in chosen])


def statistics(u, v, design):
    """Return the statistic of every labeling, by the definition."""
    if design == "within":
        return [
            sum(parts) / len(u) for parts in product(*(list(dealt(a, b)) for a, b in zip(u, v)))
        ]
    if design == "systems":
        return list(dealt([mean(run) for run in zip(*u)], [mean(run) for run in zip(*v)]))
    if design == "pooled":
        return list(dealt(list(chain(*u)), list(chain(*v))))
    pairs = zip(chain(*u), chain(*v)) if design == "epochs" else zip(map(mean, u), map(mean, v))
    return [mean(parts) for parts in product(*((a - b, b - a) for a, b in pairs))]


def named(found):
    """Return what a finding says of other conventions that print the text."""
    return " ".join([*(fit.convention for fit in found.fits), *found.notes])


def share(design, u, v, tail, boundary):
    """Return the p-value by enumeration."""
    found = statistics(u, v, design)
    t = mean([mean(a) - mean(b) for a, b in zip(u, v)])
    if design == "pooled":
        t = mean(list(chain(*u))) - mean(list(chain(*v)))
    weak = {"less": [x <= t for x in found], "greater": [x >= t for x in found]}
    weak["two-sided"] = [abs(x) >= abs(t) for x in found]
    strict = {"less": [x < t for x in found], "greater": [x > t for x in found]}
    strict["two-sided"] = [abs(x) > abs(t) for x in found]
    if tail not in weak:
        least = min(share(design, u, v, side, boundary) for side in ("less", "greater"))
        return {"min": least, "doubled": min(Fraction(1), 2 * least), "2min": 2 * least}[tail]
    parts = {">=": mean(weak[tail]), ">": mean(strict[tail])}
    return {**parts, "mid": (parts[">="] + parts[">"]) / 2}[boundary]


WHOLE = st.integers(0, 3)
SHAPES = st.sampled_from(
    [(2, 2, 2), (3, 2, 2), (2, 2, 1), (3, 1, 2), (1, 3, 3), (2, 1, 1), (2, 3, 1)]
)


@st.composite
def runs(draw, scores=WHOLE, shapes=SHAPES):
    n, m, k = draw(shapes)
    sides = [
        [draw(st.lists(scores, min_size=size, max_size=size)) for _ in range(n)] for size in (m, k)
    ]
    return sides[0], sides[1]


@settings(max_examples=20, deadline=None)
@given(data=runs(), design=st.sampled_from([*THREE, "pooled", "epochs"]))
def test_every_tail_and_boundary_by_the_definition(data, design):
    u, v = data
    sample = sample_of(u, v)
    assume(design in sample.designs)
    facts = sample.under(design).count("sum", None)
    for tail, boundary in product(TAILS, BOUNDARIES):
        assert facts.value("exact", tail, boundary) == share(design, u, v, tail, boundary), (
            tail,
            boundary,
        )
    assert not hasattr(facts, "steps") or facts.value("normal", "two-sided") is None


SCORES = st.one_of(st.integers(0, 3), st.sampled_from(["0.1", "0.2", "0.3", "0.7"]))


@settings(max_examples=25, deadline=None)
@given(
    data=runs(SCORES, st.sampled_from([(4, 2, 2), (5, 3, 3), (4, 2, 1), (3, 1, 3), (12, 2, 2)])),
    design=st.sampled_from(THREE),
    tail=st.sampled_from(["two-sided", "greater", "less", "doubled"]),
    digits=st.integers(1, 6),
    said=st.sampled_from(["all", "design", "tail", "nothing"]),
)
def test_true_claims_of_every_design_are_never_accused(data, design, tail, digits, said):
    p = permutation_test_runs(*data, design=design, alternative=tail).pvalue
    fields = {"design": design, "alternative": tail, "stated": "all"} if said == "all" else {}
    fields = {"design": {"design": design}, "tail": {"alternative": tail}}.get(said, fields)
    found = verdict(f"p = {decimal_string(p, digits)}", *data, **fields)
    if said in ("all", "tail") or tail == "two-sided":
        assert found.level == "consistent", found.line()
    else:  # one side is not what a bare p stands for
        assert found.level in ("consistent", "undecided") or tail == "doubled", found.line()


def floats(u, v, design, rng, K):
    """Return the estimate of a script in floating point, which compares means of means as they come."""

    def average(xs):
        return sum(xs) / len(xs)

    def statistic(first, second):
        return average([average(a) - average(b) for a, b in zip(first, second)])

    t, b = abs(statistic(u, v)), 0
    for _ in range(K):
        first, second = [], []
        columns = rng.sample(range(len(u[0]) + len(v[0])), len(u[0]))
        for a, c in zip(u, v):
            runs = [*a, *c]
            if design == "within":
                columns = rng.sample(range(len(runs)), len(a))
            elif design == "items":
                columns = range(len(a)) if rng.random() < 0.5 else range(len(a), len(runs))
            first.append([runs[i] for i in columns])
            second.append([x for i, x in enumerate(runs) if i not in columns])
        b += abs(statistic(first, second)) >= t
    return Fraction(b + 1, K + 1)


@pytest.mark.parametrize("design", THREE)
def test_estimates_of_scripts_in_floating_point_are_never_accused(design):
    rng = random.Random(design)
    for _ in range(3):
        u, v = [[[rng.randint(0, 4) / 10 for _ in range(3)] for _ in range(5)] for _ in range(2)]
        p = floats(u, v, design, rng, 199)
        for fields in ({"samples": 199}, {"samples": 199, "design": design}):
            found = verdict(f"p = {float(p):.4f}", u, v, **fields)
            assert found.level == "consistent", (found.line(), u, v)


@pytest.mark.parametrize("design", THREE)
def test_wrong_claims_with_the_design_stated_are_refuted(design):
    p = permutation_test_runs(U, V, design=design).pvalue
    for factor in (Fraction(9, 10), Fraction(11, 10), 2):
        found = verdict(
            f"p = {decimal_string(p * factor, 3)}",
            design=design,
            law="exact",
            alternative="two-sided",
        )
        assert found.level.endswith("inconsistent"), found.line()
    assert verdict(f"p = {decimal_string(p, 3)}", design=design).level == "consistent"


@pytest.mark.parametrize(("true", "stated"), [(a, b) for a in THREE for b in THREE if a != b])
def test_another_design_than_the_stated_one_is_named(true, stated):
    p = permutation_test_runs(U, V, design=true).pvalue
    found = verdict(str(p), design=stated, stated="all")
    assert found.level.endswith("inconsistent")
    words = {
        "within": "runs exchanged within",
        "items": "blocks of runs swapped",
        "systems": "whole runs exchanged",
    }
    assert words[true] in named(found)
    assert words[stated] in found.stated


def test_an_accusation_survives_all_three_designs_and_says_so():
    found = verdict("p = .0555")
    assert (found.level, found.reason) == ("decision-inconsistent", "no-explanation")
    assert found.assumed[-1] == "design items"
    values = [
        decimal_string(permutation_test_runs(U, V, design=design).pvalue, 6)
        for design in ("within", "systems")
    ]
    assert [
        f"the exact p-value is {value}" in note for value, note in zip(values, found.notes[-2:])
    ] == [True, True]
    assert "6 items" in found.sentence


@pytest.mark.parametrize(
    ("p", "law", "words"),
    [
        (share("pooled", U[:2], V[:2], "two-sided", ">="), "exact", "all runs pooled, unpaired"),
        (share("epochs", U[:2], V[:2], "two-sided", ">="), "exact", "run by run as pairs"),
        ("", "t", "all runs pooled, unpaired"),
    ],
)
def test_tests_that_take_runs_for_items_are_named(p, law, words):
    u, v = U[:2], V[:2]
    if law == "t":
        facts = sample_of(u, v).under("pooled").count("sum", None)
        low, high = facts.value("t", "two-sided")
        p = decimal_string((low + high) / 2, 6)
    text = str(p) if law == "exact" else f"p = {p}"
    found = verdict(text, u, v)
    assert (found.level, found.reason) == ("undecided", "open-convention")
    assert words in found.fits[0].convention
    accused = verdict(text, u, v, design="within", stated="all")
    assert accused.level.endswith("inconsistent")
    assert words in named(accused)


def test_t_tests_of_two_samples():
    """Values of SciPy 1.17.1: ttest_ind([1, 2, 3], [4, 5, 7]) and the same with equal_var=False."""
    first, second = [1, 2, 3], [4, 5, 7]
    student, welch = [t_of(first, second, equal=equal) for equal in (True, False)]
    low, high = two_sample(student, "two-sided")
    assert float(low) == pytest.approx(0.03410942316740962, rel=1e-12)
    assert high - low < Fraction(1, 10**15)
    low, high = two_sample(welch, "two-sided")
    assert low < Fraction("0.041914517471454034") < high
    assert welch[2:] == (3, 4)
    assert two_sample(student, "greater")[0] > Fraction(98, 100)
    assert t_of([1, 1], [1, 1], equal=True) is None
    assert t_of([1], [2], equal=True) is None
    assert t_of([1], [2, 3], equal=False) is None
    assert two_sample(t_of([1, 1], [2, 2], equal=True), "two-sided") == (0, 0)
    assert two_sample(t_of([1, 1], [2, 2], equal=False), "less") == (0, 0)


def test_the_t_test_of_whole_runs():
    facts = sample_of(U, V).under("systems").count("sum", None)
    low, high = facts.value("t", "two-sided")
    p = decimal_string((low + high) / 2, 4)
    assert verdict(f"p = {p}", design="systems", law="t").level == "consistent"
    assert (
        verdict(f"p = {p}").fits[0].convention
        == "t-test of two samples, two-sided, whole runs exchanged over items"
    )
    low, high = two_sample(facts.welch, "two-sided")
    found = verdict(
        f"p = {decimal_string((low + high) / 2, 4)}",
        design="systems",
        law="t",
        alternative="two-sided",
    )
    assert found.level != "inconsistent"


REAL = [
    [[random.Random(f"{s}{i}{j}").gauss(s / 4, 1) for j in range(2)] for i in range(60)]
    for s in (0, 1)
]


class Coarse:
    """Stands for a bracket of so many digits."""

    def __init__(self, types, k, digits, *, budget, progress):
        if budget.seconds < 0.01:
            raise BudgetExceeded("a bracket")
        progress(1, 1)
        self.p = Fraction(plan.count_at_most(types, k)[0], choices(types))
        self.width = min(self.p, 1 - self.p) / 10**digits

    def ends(self):
        return self.p - self.width / 3, self.p + self.width / 2


def test_long_tests_are_enclosed_and_narrowed(monkeypatch):
    exact = permutation_test_runs(U, V, design="within").pvalue
    sample = sample_of(U, V).under("within")
    monkeypatch.setattr(designs, "_seconds_of", lambda _swaps, _allowance: 700.0)
    monkeypatch.setattr(designs, "step_bracket", Coarse)
    known = sample.count("sum", None)
    low, high = known.value("exact", "two-sided")
    assert low < exact < high
    assert 3 < known.digits < 5
    finer = sample.narrowed(known, "sum", None, 8, Allowance())
    low, high = finer.value("exact", "two-sided")
    assert low < exact < high
    assert 7 < finer.digits < 9
    assert sample.narrowed(finer, "sum", None, 1, Allowance()).digits > 9
    poor = Allowance(Budget(seconds=1e-6))
    refused = sample.count("sum", None, poor)
    assert refused.value("exact", "two-sided") is None
    assert refused.refusal
    assert (refused.digits, refused.total) == (0, 70**6)
    assert sample.narrowed(refused, "sum", None, 8, poor) is refused
    assert sample.narrowed(known, "sum", None, 8, poor) is known
    assert (
        verdict(f"p = {decimal_string(exact, 4)}", design="within", stated="all").level
        == "consistent"
    )
    accused = verdict(
        f"p = {decimal_string(exact * Fraction(11, 10), 4)}", design="within", stated="all"
    )
    assert accused.level == "inconsistent"
    monkeypatch.undo()
    assert sample.narrowed(known, "sum", None, 8, Allowance()).value("exact", "two-sided") == exact


def test_pooled_real_scores_are_not_counted():
    pooled = sample_of(*REAL).under("pooled")
    facts = pooled.count("sum", None)
    assert facts.value("exact", "two-sided") is None
    assert facts.value("t", "two-sided")[0] > 0


def test_what_the_budget_leaves_open_is_no_accusation():
    many = [
        [[random.Random(f"{s}{i}{j}").gauss(0, 1) for j in range(12)] for i in range(3)]
        for s in (0, 1)
    ]
    found = audit_claim(
        {"p": "p = .5123", "data": many, "design": "within"}, budget=Budget(seconds=0.01)
    )
    assert found.level == "undecided", found.line()
    found = audit_claim(
        {"p": "p = .5123", "data": many, "design": "within", "n": 3}, budget=Budget(seconds=0.01)
    )
    assert found.level == "undecided"


def test_an_accusation_names_the_designs_whose_p_value_the_budget_buys():
    claim = {"p": "p = .9", "data": REAL, "law": "t", "alternative": "two-sided"}
    found = audit_claim(claim, budget=Budget(seconds=0.001))
    assert found.level == "inconsistent"
    told = [note for note in found.notes if note.startswith("with ")]
    assert told == ["with whole runs exchanged over items the exact p-value is 0.333333"]


def test_a_design_that_takes_too_long_to_read_is_left_open():
    many = [
        [[random.Random(f"{s}{i}{j}").gauss(0, 1) for j in range(30)] for i in range(2)]
        for s in (0, 1)
    ]
    claim = {"p": "p = .5123", "data": many, "alternative": "two-sided", "law": "exact"}
    found = audit_claim(claim, budget=Budget(seconds=0.001))
    assert found.level == "undecided"
    assert "the budget leaves open whether the text is that of another reading" in found.notes[-1]
    assert "runs exchanged within items" in found.notes[-1]


@settings(max_examples=25, deadline=None)
@given(
    data=runs(st.integers(0, 20), st.sampled_from([(3, 2, 2), (2, 2, 1), (1, 3, 2)])),
    design=st.sampled_from(["within", "systems", "pooled"]),
    seed=st.integers(0, 10**6),
)
def test_bounds_hold_for_all_runs_that_round_to_the_given_ones(data, design, seed):
    rng = random.Random(seed)
    table = [[[round(x, -1) for x in runs] for runs in side] for side in data]
    behind = [[[x + rng.randint(-5, 5) for x in runs] for runs in side] for side in table]
    box = sample_of(*table).under(design).box("sum", Fraction(10))
    for tail, boundary in product(("less", "greater", "min", "doubled", "2min"), BOUNDARIES):
        low, high = box.value("exact", tail, boundary)
        assert low <= share(design, *behind, tail, boundary) <= high, (tail, boundary)
    if len(data[0][0]) == len(data[1][0]):
        low, high = box.value("exact", "two-sided", ">=")
        assert low <= share(design, *behind, "two-sided", ">=") <= high


def test_facts_and_boxes_say_whether_something_was_refused():
    sample = sample_of([[10, 20], [30, 50]], [[0, 10], [20, 20]]).under("within")
    assert not sample.count("sum", None).refused
    box = sample.box("sum", Fraction(10))
    assert box.refused  # nobody has asked for a corner yet
    assert box.value("exact", "less", ">=")
    assert not box.refused


def test_rounded_runs():
    u, v = [[[x + 0.1 * (i % 3) for x in runs] for i, runs in enumerate(side)] for side in (U, V)]
    printed = [[[round(x, 0) for x in runs] for runs in side] for side in (u, v)]
    p = permutation_test_runs(u, v, design="within").pvalue
    assert (
        verdict(f"p = {decimal_string(p, 3)}", *printed, design="within", rounded="1").level
        == "consistent"
    )
    unequal = [runs[:2] for runs in V]
    found = verdict("p = .9", U, unequal, design="within", rounded="1", alternative="two-sided")
    assert found.level == "undecided"
    assert "budget leaves open" in found.notes[-1]
    found = verdict("p = .9", U, V, design="systems", rounded="1", law="t", alternative="two-sided")
    assert found.level == "undecided"
    assert sample_of(U, V, decimals=1).under("within").box("sum", Fraction(1)) is None
    assert (
        sample_of(U, V).under("within").box("sum", Fraction(1)).value("normal", "less", ">=")
        is None
    )


def test_rounded_runs_beyond_the_budget_have_no_bounds():
    sample = sample_of(*REAL, decimals=3).under("within")
    box = replaced(sample, half=(1,)).box("sum", Fraction(1, 1000), Allowance(Budget(seconds=2e-3)))
    with pytest.raises(BudgetExceeded, match="a certified bracket for 60 items"):
        box.value("exact", "less", ">=")


def test_what_a_sample_of_runs_is():
    sample = sample_of(U, V)
    assert (sample.n, sample.units, sample.designs) == (
        6,
        "items",
        ("items", "within", "systems", "pooled", "epochs"),
    )
    assert sample.sizes == (6, 6, 24, 24, 48)
    assert sample.under("within") is sample.under("within")
    assert sample.under("items") is sample
    assert (sample.unit, sample_of(U, V, decimals=2).unit) == (1, None)
    assert not sample.may_lose_ties and sample_of([[1, 0, 0]], [[1, 1, 1]]).may_lose_ties
    ragged = sample_of([[1, 0], [1]], [[0], [1]])
    assert ragged.designs == ("items", "within", "pooled")
    one = sample_of([[1], [2]], [[0], [5]])
    assert one.under("within") is one
    shifted = sample_of(U, V, mu="0.5", orientation="second-first")
    assert shifted.runs[0][0] == tuple(x - Fraction(1, 2) for x in V[0])
    for n in (6, 24, 48):
        assert verdict("p < .05", n=n).level == "consistent"
    assert verdict("p < .05", n=7).reason == "n-differs"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"design": "hierarchical"},
            "runs and items are both random has no exact permutation test",
        ),
        ({"design": "pooled"}, "it must say what is exchangeable"),
        ({"design": "within", "statistic": "signed-rank"}, "single runs have no ranks"),
        ({"design": "items", "statistic": "accuracy"}, "runs are compared by means of scores"),
        ({"statistic": "mcnemar"}, "data has several runs of each item"),
        ({"design": "systems", "data": [[[1, 0], [1]], [[0], [1]]]}, "whole runs"),
        (
            {"design": "items", "data": {"a": U, "b": V, "g": [1]}, "groups": "g"},
            "the runs of an item belong together",
        ),
        ({"data": [[[1, 0], []], [[0], [1]]]}, "the item has runs of one system only"),
        ({"data": [[[1, 0], ["x"]], [[0], [1]]]}, "u[1][0]"),
    ],
)
def test_what_cannot_be_read_is_named(fields, message):
    found = audit_claim({"p": "p = .5", "data": [U, V], **fields})
    assert (found.level, message in found.notes[-1]) == ("unreadable", True), found.notes


def test_ranks_of_item_means_and_of_all_runs():
    found = verdict("p = .0312", statistic="signed-rank", law="exact")
    assert (
        found.stated
        == "exact Wilcoxon signed-rank test (zeros dropped), two-sided, blocks of runs swapped within items"
    )
    p = sample_of(U, V).under("epochs").count("signed-rank", "drop").value("exact", "two-sided")
    found = verdict(
        f"p = {decimal_string(p, 4)}", statistic="signed-rank", law="exact", zeros="drop"
    )
    assert "run by run as pairs" in found.fits[0].convention


# ---------------------------------------------------------------------------------- files and lines

SIDES = {
    name: "item,seed,acc\n"
    + "".join(f"q{i},{j},{x}\n" for i, runs in enumerate(side) for j, x in enumerate(runs))
    for name, side in (("a", U), ("b", V))
}
LONG = "system,item,seed,acc\n" + "".join(
    f"{name},{row}\n" for name, text in SIDES.items() for row in text.splitlines()[1:]
)
WIDE = ",".join(["item", *(f"{name}_s{j}" for name in "ab" for j in range(4))]) + "\n"
WIDE += "".join(f"q{i},{','.join(map(str, [*a, *b]))}\n" for i, (a, b) in enumerate(zip(U, V)))
BLOCKS = ",".join("+".join(f"{name}_s{j}" for j in range(4)) for name in "ab")
FORMS = (
    "a.csv b.csv --columns acc --id item --run seed",
    f"wide.csv --columns {BLOCKS}",
    "wide.csv --columns 2+3+4+5,6+7+8+9 --header yes",
    "long.csv --system system --score acc --run seed --id item",
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {"a": SIDES["a"], "b": SIDES["b"], "long": LONG, "wide": WIDE}.items():
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    return tmp_path


def run(words, capsys):
    status = main.main(words)
    return status, *capsys.readouterr()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("design", THREE)
def test_every_form_of_file_and_the_line_of_a_test(form, design, folder, capsys):
    line = run(["test", *form.split(), "--runs", design], capsys)[1].splitlines()[-1]
    status, out, err = run(["audit", *form.split(), "--p", line, "--json"], capsys)
    (found,) = json.loads(out)["findings"]
    assert (status, found["level"], found["reason"], err) == (0, "consistent", "equal", "")
    assert found["claim"]["design"] == design
    assert "--runs=" + design in found["command"]
    p = decimal_string(permutation_test_runs(U, V, design=design).pvalue, 3)
    assert run(["audit", *form.split(), "--p", f"p = {p}"], capsys)[0] == 0
    other = next(one for one in THREE if one != design)
    refused = run(["audit", *form.split(), "--p", line, "--runs", other], capsys)[2]
    assert f"design is '{other}', but the printed text states '{design}'" in refused


def test_runs_without_ids_are_no_whole_runs(folder, capsys):
    for name, text in SIDES.items():
        rows = [",".join(line.split(",")[::2]) for line in text.splitlines()]
        (folder / f"{name}.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    p = decimal_string(permutation_test_runs(U, V, design="within").pvalue, 4)
    words = ["audit", "a.csv", "b.csv", "--columns", "acc", "--id", "item", "--p", f"p = {p}"]
    assert run([*words, "--runs", "within"], capsys)[0] == 0
    status, _out, err = run([*words, "--runs", "systems"], capsys)
    assert (status, "which names the runs?" in err) == (2, True)


def test_runs_that_are_not_on_all_items_are_no_whole_runs(folder):
    store = Store(folder, folder)
    claim = Claim(p="1", data="a.csv", second="b.csv", columns="acc", join="item", run="seed")
    assert "systems" in store.sample(claim).designs
    for name, text in SIDES.items():
        (folder / f"{name}.csv").write_text(text.rpartition("q5")[0], encoding="utf-8")
    sample = Store(folder, folder).sample(claim)
    assert sample.designs == ("items", "within", "pooled", "epochs")
    assert [len(runs) for runs in sample.runs[0]] == [4, 4, 4, 4, 4, 3]


def test_claims_files_have_a_design(folder, capsys):
    p = decimal_string(permutation_test_runs(U, V, design="systems").pvalue, 4)
    rows = [
        f'one,p = {p},wide.csv,"{BLOCKS}",systems,',
        f'two,p = {p},wide.csv,"{BLOCKS}",items,all',
        f'three,p = .5,wide.csv,"{BLOCKS}",both,',
    ]
    (folder / "claims.csv").write_text(
        "\n".join(["id,p,data,columns,design,stated", *rows]) + "\n", encoding="utf-8"
    )
    out = "\n" + run(["audit", "claims.csv"], capsys)[1]
    assert [out.count(f"\n{word}  ") for word in ("consistent", "inconsistent", "unreadable")] == [
        1,
        1,
        1,
    ]
    rows = [f'one,p = {p},wide.csv,"{BLOCKS}",systems']
    (folder / "claims.csv").write_text(
        "\n".join(["id,p,data,columns,runs", *rows]) + "\n", encoding="utf-8"
    )
    status, out, _err = run(["audit", "claims.csv", "--json"], capsys)
    assert (status, json.loads(out)["findings"][0]["claim"]["design"]) == (0, "systems")


def test_formulas_of_packages_see_the_data_of_their_design():
    """A formula of n counts the pairs that its design exchanges: runs as pairs, not items."""
    claim = Claim(p=".5", data=[U, V], statistic="signed-rank", law="normal")
    case = Case(claim, sample_of(U, V), Fraction(1, 20), Counted())
    other = replaced(case.stated, design="epochs")
    assert (
        readings._by_formula(lambda known: known.sample.n, other)(case) == 24 != case.known.sample.n
    )
