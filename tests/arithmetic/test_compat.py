"""What differs between Python versions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.arithmetic.compat import bit_count

pytestmark = pytest.mark.slow


@given(st.integers())
def test_bit_count(n):
    assert bit_count(n) == bin(n).count("1")
