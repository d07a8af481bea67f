"""Runs are read from every form, or refused with place and reason."""

from fractions import Fraction

import pytest

from complaint import complaint
from exactperm.errors import BudgetExceeded, ExactPermError, WrongType
from exactperm.swaps.runs import DESIGNS, check_design, exchange
from peers import peer

U, V = [[1, 0, 2], [3, 1, 1]], [[0, 0, 1], [2, 1, 0]]


def refused(u, v, design="within", kind=ExactPermError, **options):
    return complaint(kind, lambda: exchange(u, v, design, **options))


class TestDesigns:
    def test_a_design_is_needed(self):
        for design, kind in (
            (None, ExactPermError),
            ("unknown", ExactPermError),
            (3, WrongType),
            (["within"], WrongType),
        ):
            told = complaint(kind, lambda design=design: check_design(design))
            assert told.splitlines()[1:] == [
                f"  {name!r}: {words}" for name, words in DESIGNS.items()
            ]


class TestForms:
    """All forms of the same runs give the same exchange."""

    def test_rows_of_any_kind(self):
        for design in DESIGNS:
            expected = exchange(U, V, design)
            assert (
                exchange(tuple(map(tuple, U)), [[str(x) for x in row] for row in V], design)
                == expected
            )
            assert exchange(map(iter, U), (row for row in V), design) == expected

    def test_mappings_are_joined_by_their_ids(self):
        for design in DESIGNS:
            u, v = dict(zip("ab", U)), dict(zip("ba", V[::-1]))
            assert exchange(u, v, design) == exchange(U, V, design)

    def test_runs_with_ids_are_joined_for_whole_systems(self):
        u = {"a": {7: 1, 8: 0, 9: 2}, "b": {9: 1, 7: 3, 8: 1}}
        v = [dict(zip("xyz", row)) for row in V]
        for design in DESIGNS:
            assert exchange(u, dict(zip("ab", v)), design) == exchange(U, V, design)
        assert exchange(list(u.values()), v, "systems") == exchange(U, V, "systems")

    def test_arrays_and_tables(self):
        numpy, pandas = peer("numpy"), peer("pandas")
        for design in DESIGNS:
            expected = exchange(U, V, design)
            assert exchange(numpy.array(U), numpy.array(V), design) == expected
            assert (
                exchange([numpy.array(row) for row in U], numpy.array(V, dtype="float32"), design)
                == expected
            )
            assert (
                exchange(pandas.DataFrame(U), pandas.DataFrame(V, columns=list("xyz")), design)
                == expected
            )
        tenths = numpy.array([[0.1, 0.3]], dtype="float32")
        assert exchange(tenths, tenths + 0, "items").swaps.statistic == 0
        assert exchange(tenths, [[0]], "items").swaps.statistic == Fraction(1, 5)

    def test_an_array_of_rows_that_cannot_be_reshaped(self):
        class Rows(list):
            ndim = 2

        assert exchange(Rows(U), Rows(V), "items") == exchange(U, V, "items")

    def test_weights_and_decimals(self):
        assert exchange(U, V, "items", weights=["1/2", 1]) == exchange(
            U, V, "items", weights=[1, 2]
        )
        assert exchange([["0.14", 1]], [[0]], "within", decimals=1) == exchange(
            [["0.1", 1]], [[0]], "within"
        )
        told = refused(U, V, weights=[1])
        assert told == "weights has 1 entries for 2 pairs"

    def test_weights_are_joined_by_the_ids_of_items(self):
        u, v, weights = dict(zip("ab", U)), dict(zip("ba", V[::-1])), {"b": 3, "a": 1}
        for design in DESIGNS:
            assert exchange(u, v, design, weights=weights) == exchange(U, V, design, weights=[1, 3])
            assert exchange(u, v, design, weights=[1, 3]) == exchange(U, V, design, weights=[1, 3])
        assert refused(u, v, weights={"a": 1}) == "u has the item 'b' and weights has not"
        assert (
            refused(u, v, weights={**weights, "c": 1}) == "weights has the item 'c' and u has not"
        )
        assert refused(U, V, weights=weights, kind=WrongType).startswith(
            "weights is a mapping {item: weight}: the runs"
        )

    def test_one_run_each_has_no_design(self):
        assert exchange([[1], [2]], [[0], [1]], "within").about.design is None
        assert exchange([[1], [2]], [[0], [1]], "systems").about.design == "systems"
        assert exchange([[1], [2]], [[0], [1, 1]], "items").about.design == "items"


class TestRefusals:
    @pytest.mark.parametrize(
        ("u", "v", "told"),
        [
            ([[1], []], [[1], [2]], "u[1] is empty: the item has runs of one system only"),
            ([[1], [2]], [[], [2]], "v[0] is empty: the item has runs of one system only"),
            ([[1]], [[1], [2]], "u has 1 items and v has 2: both need the runs of the same items"),
            ([], [], "u and v are empty: a test needs at least one item"),
            ({}, {}, "u and v are empty: a test needs at least one item"),
            (
                {"a": [1], "b": [2]},
                {"a": [1]},
                "u has the item 'b' and v has not: its runs are of one system only",
            ),
            (
                {"a": [1]},
                {"a": [1], "c": [2]},
                "v has the item 'c' and u has not: its runs are of one system only",
            ),
            ([[1, float("nan")]], [[1]], "u[0][1] is nan: the value is missing"),
            ([[1]], [[1, 2, None]], "v[0][2] is None: the value is missing"),
            (
                [[1, "x"]],
                [[1]],
                "u[0][1] is 'x': not a finite number such as '0.93', '3/7' or '1e-3'",
            ),
            (
                {"q": [1, "x"]},
                {"q": [1]},
                "u['q'][1] is 'x': not a finite number such as '0.93', '3/7' or '1e-3'",
            ),
            (
                {"q": {"s": "x"}},
                {"q": [1]},
                "u['q']['s'] is 'x': not a finite number such as '0.93', '3/7' or '1e-3'",
            ),
            ([{1: 0, "1": 1}], [[1]], "u[0] has the run '1' twice, as 1 too"),
            ({1: [0], "1": [1]}, {1: [0], "1": [1]}, "u has the item '1' twice, as 1 too"),
            ({None: [0]}, {None: [1]}, "u has the item None: the id is missing"),
            ([{None: 0}], [[1]], "u[0] has the run None: the id is missing"),
        ],
    )
    def test_with_place_and_reason(self, u, v, told):
        with pytest.raises(ExactPermError) as caught:
            exchange(u, v, "within")
        assert str(caught.value) == told

    def test_one_dimension_is_the_paired_test(self):
        told = refused([1, 2], [3, 4], kind=WrongType)
        assert (
            told == "u[0] is 1: it must have the runs of an item. One run each is permutation_test"
        )
        numpy = peer("numpy")
        assert "permutation_test" in refused(numpy.array([1, 2]), [[1], [2]], kind=WrongType)
        assert (
            refused(numpy.ones((1, 2, 3)), [[1]])
            == "u has 3 dimensions: it must have one entry per item"
        )

    def test_other_types(self):
        assert refused({"a": [1]}, [[1]], kind=WrongType).startswith(
            "u and v must both be mappings {item: runs}, or"
        )
        assert refused(3, [[1]], kind=WrongType) == "u is 3: it must have the runs of each item"
        assert refused([["1"]], "text", kind=WrongType).startswith(
            "v is 'text': it must have the runs of each item"
        )
        assert refused([[object()]], [[1]], kind=WrongType).startswith(
            "u[0][0] is <object object at"
        )

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
        why = "design='systems' exchanges whole runs, so each run must have every item"
        both = [[1], [2]]
        assert (
            refused([full, part], both, "systems")
            == f"u[0] has the run 't' and u[1] has not: {why}"
        )
        assert (
            refused([part, full], both, "systems")
            == f"u[1] has the run 't' and u[0] has not: {why}"
        )
