"""Runs are read from every form, or refused with place and reason."""

from fractions import Fraction

import pytest

import brute
from complaint import check_refusals, complaint
from exactperm.errors import BudgetExceeded, ExactPermError, WrongType
from exactperm.swaps.runs import DESIGNS, check_design, exchange
from peers import peer

U, V = [[1, 0, 2], [3, 1, 1]], [[0, 0, 1], [2, 1, 0]]


def refused(u, v, design="within", kind=ExactPermError, **options):
    return complaint(kind, lambda: exchange(u, v, design, **options))


@pytest.mark.parametrize(
    ("design", "kind"),
    [(None, ExactPermError), ("unknown", ExactPermError), (["within"], WrongType)],
)
def test_a_design_is_needed(design, kind):
    told = complaint(kind, lambda: check_design(design))
    assert told.splitlines()[1:] == [f"  {name!r}: {words}" for name, words in DESIGNS.items()]


class TestForms:
    """All forms of the same runs give the same exchange."""

    @pytest.mark.parametrize("design", DESIGNS)
    def test_every_form(self, design):
        class Rows(list):
            """An array of rows that cannot be reshaped."""

            ndim = 2

        u = {"a": {7: 1, 8: 0, 9: 2}, "b": {9: 1, 7: 3, 8: 1}}
        v = [dict(zip("xyz", row)) for row in V]
        for first, second in (
            (tuple(map(tuple, U)), [[str(x) for x in row] for row in V]),
            (map(iter, U), (row for row in V)),
            (dict(zip("ab", U)), dict(zip("ba", V[::-1]))),
            (u, dict(zip("ab", v))),
            (list(u.values()), v),
            (Rows(U), Rows(V)),
        ):
            assert exchange(first, second, design) == exchange(U, V, design)

    @pytest.mark.parametrize("design", DESIGNS)
    def test_arrays_and_tables(self, design):
        numpy, pandas = peer("numpy"), peer("pandas")
        for first, second in (
            (numpy.array(U), numpy.array(V)),
            ([numpy.array(row) for row in U], numpy.array(V, dtype="float32")),
            (pandas.DataFrame(U), pandas.DataFrame(V, columns=list("xyz"))),
        ):
            assert exchange(first, second, design) == exchange(U, V, design)
        tenths = numpy.array([[0.1, 0.3]], dtype="float32")
        assert brute.observed(exchange(tenths, tenths + 0, "items").swaps) == (0,)
        assert brute.observed(exchange(tenths, [[0]], "items").swaps) == (Fraction(1, 5),)

    def test_weights_and_decimals(self):
        known = exchange(U, V, "items", weights=[1, 2])
        assert exchange(U, V, "items", weights=["1/2", 1]) == known
        rounded = exchange([["0.14", 1]], [[0]], "within", decimals=1)
        assert rounded == exchange([["0.1", 1]], [[0]], "within")
        assert refused(U, V, weights=[1]) == "weights has 1 entries for 2 pairs"

    def test_weights_are_joined_by_the_ids_of_items(self):
        u, v, weights = dict(zip("ab", U)), dict(zip("ba", V[::-1])), {"b": 3, "a": 1}
        for design in DESIGNS:
            known = exchange(U, V, design, weights=[1, 3])
            assert exchange(u, v, design, weights=weights) == known
            assert exchange(u, v, design, weights=[1, 3]) == known
        assert refused(u, v, weights={"a": 1}) == "u has the item 'b' and weights has not"
        told = refused(U, V, weights=weights, kind=WrongType)
        assert told.startswith("weights is a mapping {item: weight}: the runs")

    def test_one_run_each_has_no_design(self):
        assert exchange([[1], [2]], [[0], [1]], "within").about.design is None
        assert exchange([[1], [2]], [[0], [1]], "systems").about.design == "systems"
        assert exchange([[1], [2]], [[0], [1, 1]], "items").about.design == "items"


REFUSED = """
[[1], []], [[1], [2]] | u[1] is empty: the item has runs of one system only
[[1], [2]], [[], [2]] | v[0] is empty: the item has runs of one system only
[[1]], [[1], [2]] | u has 1 items and v has 2: both need the runs of the same items
[], [] | u and v are empty: a test needs at least one item
{}, {} | u and v are empty: a test needs at least one item
{"a": [1], "b": [2]}, {"a": [1]} | u has the item 'b' and v has not: its runs are of one system only
{"a": [1]}, {"a": [1], "c": [2]} | v has the item 'c' and u has not: its runs are of one system only
[[1]], [[1, 2, None]] | v[0][2] is None: the value is missing | WrongType
[[1, "x"]], [[1]] | u[0][1] is 'x': not a finite number
{"q": [1, "x"]}, {"q": [1]} | u['q'][1] is 'x': not a finite number
{"q": {"s": "x"}}, {"q": [1]} | u['q']['s'] is 'x': not a finite number
[{1: 0, "1": 1}], [[1]] | u[0] has the run '1' twice, as 1 too
{1: [0], "1": [1]}, {1: [0], "1": [1]} | u has the item '1' twice, as 1 too
{None: [0]}, {None: [1]} | u has the item None: the id is missing
[{None: 0}], [[1]] | u[0] has the run None: the id is missing
[1, 2], [3, 4] | u[0] is 1: it must have the runs of an item. One run each is permut | WrongType
{"a": [1]}, [[1]] | u and v must both be mappings {item: runs}, or | WrongType
3, [[1]] | u is 3: it must have the runs of each item | WrongType
[["1"]], "text" | v is 'text': it must have the runs of each item | WrongType
"""


class TestRefusals:
    def test_with_place_and_reason(self):
        check_refusals(lambda u, v: exchange(u, v, "within"), REFUSED)

    def test_arrays_of_other_dimensions(self):
        numpy = peer("numpy")
        assert "permutation_test" in refused(numpy.array([1, 2]), [[1], [2]], kind=WrongType)
        told = refused(numpy.ones((1, 2, 3)), [[1]])
        assert told == "u has 3 dimensions: it must have one entry per item"

    def test_options(self):
        assert refused(U, V, decimals=-1).startswith("decimals is -1")
        halves = [Fraction(1, 10**300 + i) for i in range(3000)]
        with pytest.raises(BudgetExceeded, match="no common denominator"):
            exchange([halves], [halves], "within")

    def test_whole_runs_must_be_on_every_item(self):
        told = refused([[1, 2], [3]], [[1], [2]], "systems")
        assert told.startswith(
            "u[1] has 1 runs and u[0] has 2: design='systems' exchanges whole runs, so each run must"
        )
        full, part = {"s": 1, "t": 2}, {"s": 1}
        for u, told in (
            ([full, part], "u[0] has the run 't' and u[1] has not: "),
            ([part, full], "u[1] has the run 't' and u[0] has not: "),
        ):
            why = "design='systems' exchanges whole runs, so each run must have every item"
            assert refused(u, [[1], [2]], "systems") == told + why
