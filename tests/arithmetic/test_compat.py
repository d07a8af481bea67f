"""What differs between Python versions."""

import pickle
import random
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from exactperm.arithmetic.compat import bit_count, dyadic


@given(st.integers())
def test_bit_count(n):
    assert bit_count(n) == bin(n).count("1")


@given(st.integers(1, 2**200), st.integers(0, 220))
def test_dyadic(numerator, power):
    made, wanted = dyadic(numerator, power), Fraction(numerator, 2**power)
    assert (made.numerator, made.denominator) == (wanted.numerator, wanted.denominator)
    assert hash(made) == hash(wanted)
    assert made + 1 == wanted + 1
    assert pickle.loads(pickle.dumps(made)) == wanted


def test_a_large_one():
    rng = random.Random(1)
    numerator = rng.getrandbits(5000) << 17
    assert (dyadic(numerator, 6000) == Fraction(numerator, 2**6000)) is True
