"""Immutable records."""

import pickle
from fractions import Fraction

import pytest

from exactperm.record import Record, Result, lazy


class Point(Record):
    x: object
    y: object = 0
    _note: object = None


class Named(Point):
    name: str


def leaves(value):
    """All that is in a container, however deep."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    return (
        [leaf for entry in value for leaf in leaves(entry)]
        if isinstance(value, (list, tuple))
        else [value]
    )


def test_fields_are_the_annotations_in_order_with_those_of_the_base_first():
    class Inner(Named):
        z: int = 3
        x: object

    assert Inner._fields == ("x", "y", "_note", "name", "z")
    assert repr(Inner(x=1, name="n")) == "Inner(x=1, y=0, name='n', z=3)"
    assert Named._fields == ("x", "y", "_note", "name")
    assert Point._fields == ("x", "y", "_note")


def test_without_fields():
    class Empty(Record):
        pass

    assert repr(Empty()) == "Empty()"
    assert Empty() == Empty()


def test_a_class_without_annotations_has_the_fields_of_its_base():
    class Same(Point):
        pass

    assert Same._fields == Point._fields
    assert Result._fields == ()
    assert Same(x=1) != Point(x=1)
    assert hash(Same(x=1)) != hash(Point(x=1))


def test_defaults_and_repr():
    assert repr(Point(x=1)) == "Point(x=1, y=0)"
    assert repr(Named(x=1, y=2, name="n")) == "Named(x=1, y=2, name='n')"


def test_repr_never_raises_nor_hangs():
    loop = [1]
    loop.append(Point(x=loop))
    assert "Point(x=[1, Point(x=[...]" in repr(Point(x=loop))
    assert repr(object.__new__(Point)) == "Point()"
    assert (
        repr(Point(x=dict.fromkeys(range(10**6), 1)))
        == "Point(x=<dict of 1000000 entries, the first is 0>, y=0)"
    )
    assert repr(Point(x=10**5000)) == "Point(x=100000...000000 (5001 digits), y=0)"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (Point, "Point() needs the argument 'x'"),
        (lambda: Named(x=1), "Named() needs the argument 'name'"),
        (lambda: Point(x=1, z=2), "Point() has no argument 'z'"),
    ],
)
def test_missing_and_unknown_arguments(make, message):
    with pytest.raises(TypeError) as caught:
        make()
    assert str(caught.value) == message


def test_immutable():
    point = Point(x=1)
    with pytest.raises(AttributeError) as caught:
        point.x = 2
    assert str(caught.value) == "Point is immutable: cannot set 'x'"
    with pytest.raises(AttributeError) as caught:
        del point.x
    assert str(caught.value) == "Point is immutable: cannot delete 'x'"
    assert point.x == 1


def test_equality_and_hash_go_by_the_shown_fields():
    assert Point(x=1, _note="a") == Point(x=1, _note="b")
    assert hash(Point(x=1, _note="a")) == hash(Point(x=1, _note="b"))
    assert Point(x=1) != Point(x=2)
    assert Point(x=1) != Named(x=1, name="n")
    assert Point(x=1) != 1
    assert (
        len({hash(one) for one in (Point(x=1), Point(x=2), Point(x=1, y=2), Named(x=1, name="n"))})
        == 4
    )


def test_pickle_of_numbers_beyond_the_digits_limit():
    large = Fraction(7**9000, 2**9000)
    point = Named(
        x=large, y=[7**9000, (large, {large: [large], "k": None})], name="n", _note="kept"
    )
    assert not any(isinstance(leaf, Fraction) for leaf in leaves(point.__reduce__()))
    copy = pickle.loads(pickle.dumps(point))
    assert (copy == point) is True
    assert copy._note == "kept"
    numbers, (inner, table) = copy.y[0], copy.y[1]
    assert [type(one) for one in (copy.x, copy.y, numbers, inner, table)] == [
        Fraction,
        list,
        int,
        Fraction,
        dict,
    ]


def test_a_lazy_value_is_made_once_and_has_a_description():
    """Also of the class, where documentation looks for it; equality and pickles do not see it."""
    made = []

    class Square(Point):
        @lazy
        def area(self):
            """Area."""
            made.append(self.x)
            return self.x**2

    square = Square(x=3)
    assert (square.area, square.area, made) == (9, 9, [3])
    assert square == Square(x=3)
    assert Square.area.__doc__ == "Area."


def test_numbers_are_rows_as_people_read_them():
    class Found(Result):
        count: int
        share: Fraction
        exact: bool
        name: str

    rows = Found(count=3, share=Fraction(1, 4), exact=True, name="n").rows()
    assert rows == (("count", "3"), ("share", "0.25"), ("exact", "True"), ("name", "n"))
    assert Found(count=3, share=1, exact=True, name="n").heading == "Found"
