"""Immutable records."""

import pickle
from fractions import Fraction

from complaint import refused
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

    class Same(Point):
        pass

    assert Inner._fields == ("x", "y", "_note", "name", "z")
    assert repr(Inner(x=1, name="n")) == "Inner(x=1, y=0, name='n', z=3)"
    assert Point._fields == Same._fields == ("x", "y", "_note")
    assert (Result._fields, repr(Result()), Result()) == ((), "Result()", Result())


def test_repr_never_raises_nor_hangs():
    loop = [1]
    loop.append(Point(x=loop))
    assert "Point(x=[1, Point(x=[...]" in repr(Point(x=loop))
    assert repr(object.__new__(Point)) == "Point()"
    many = dict.fromkeys(range(10**6), 1)
    assert repr(Point(x=many)) == "Point(x=<dict of 1000000 entries, the first is 0>, y=0)"
    assert repr(Point(x=10**5000)) == "Point(x=100000...000000 (5001 digits), y=0)"


def test_missing_and_unknown_arguments():
    calls = {
        "Point() needs the argument 'x'": Point,
        "Named() needs the argument 'name'": lambda: Named(x=1),
        "Point() has no argument 'z'": lambda: Point(x=1, z=2),
    }
    refused(TypeError, calls)


def test_immutable():
    point = Point(x=1)
    calls = {
        "Point is immutable: cannot set 'x'": lambda: setattr(point, "x", 2),
        "Point is immutable: cannot delete 'x'": lambda: delattr(point, "x"),
    }
    refused(AttributeError, calls)
    assert point.x == 1


def test_equality_and_hash_go_by_class_and_shown_fields():
    class Same(Point):
        pass

    equal = Point(x=1, _note="a"), Point(x=1, _note="b")
    other = [Point(x=2), Point(x=1, y=2), Named(x=1, name="n"), Same(x=1)]
    assert len({*equal, *other}) == 5
    assert len({hash(each) for each in (*equal, *other)}) == 5
    assert Point(x=1) != 1


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
