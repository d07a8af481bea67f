"""Immutable records."""

import pickle
from fractions import Fraction

import pytest

from exactperm.record import Record


class Point(Record):
    x: object
    y: object = 0
    _note: object = None


class Named(Point):
    name: str


def test_fields_are_the_annotations_in_order_with_those_of_the_base_first():
    assert Named._fields == ("x", "y", "_note", "name")
    assert Point._fields == ("x", "y", "_note")


def test_defaults_and_repr():
    assert repr(Point(x=1)) == "Point(x=1, y=0)"
    assert repr(Named(x=1, y=2, name="n")) == "Named(x=1, y=2, name='n')"


def test_repr_never_raises():
    assert repr(Point(x=10**5000)) == "Point(x=100000...000000 (5001 digits), y=0)"


def test_missing_and_unknown_arguments():
    with pytest.raises(TypeError, match="needs the argument 'x'"):
        Point()
    with pytest.raises(TypeError, match="no argument 'z'"):
        Point(x=1, z=2)


def test_immutable():
    point = Point(x=1)
    with pytest.raises(AttributeError, match="cannot set 'x'"):
        point.x = 2
    with pytest.raises(AttributeError, match="cannot delete 'x'"):
        del point.x
    assert point.x == 1


def test_equality_and_hash_go_by_the_shown_fields():
    assert Point(x=1, _note="a") == Point(x=1, _note="b")
    assert hash(Point(x=1, _note="a")) == hash(Point(x=1, _note="b"))
    assert Point(x=1) != Point(x=2)
    assert Point(x=1) != Named(x=1, name="n")
    assert Point(x=1) != 1


def test_pickle_of_numbers_beyond_the_digits_limit():
    large = Fraction(7**9000, 2**9000)
    point = Named(x=large, y=[7**9000, (large, {large: large})], name="n", _note="kept")
    copy = pickle.loads(pickle.dumps(point))
    assert (copy == point) is True
    assert copy._note == "kept"
