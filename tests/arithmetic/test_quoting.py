"""Short texts of values for messages."""

from fractions import Fraction

import pytest

from exactperm.arithmetic.quoting import printable, short_integer, short_text

HUGE = 7**30000  # 25,353 digits: beyond every interpreter's digits limit


def test_short_text_never_fails():
    class Broken:
        def __repr__(self):
            raise RuntimeError("no")

    assert short_text(Broken()) == "<Broken whose repr raises RuntimeError>"
    assert short_text(True) == "True"
    assert short_text("x" * 58) == repr("x" * 58)
    assert short_text("x" * 59) == f"'{'x' * 39}...{'x' * 11}' (61 characters)"
    assert short_text("x" * 59, 61) == repr("x" * 59)
    assert short_text(10**59) == short_text(Fraction(10**59, 3))[9:-4] == str(10**59)
    assert short_text(Fraction(HUGE)) == "Fraction(873374...000001 (25353 digits), 1)"
    assert short_text([HUGE]).startswith("<list whose repr raises")


def test_long_integers_keep_six_digits_at_either_end():
    tens = [10**power + off for power in (39, 40, 59, 60, 300) for off in (0, 1)]
    for n in (*tens, 10**300 - 1, 123456 * 10**300, 123456 * 10**300 - 1, 7**400):
        digits = len(str(n))
        cut = f"{str(n)[:6]}...{str(n)[-6:]} ({digits} digits)"
        for most, text in ((40, short_integer(n)), (59, short_text(n, 59)), (60, short_text(n))):
            assert text == (cut if digits > most else str(n))
        assert short_integer(-n) == f"-{short_integer(n)}"
    assert short_integer(1 << 10**8) == "368466...109376 (30103000 digits)"


@pytest.mark.slow
def test_long_containers_show_their_first_entry():
    assert short_text(dict.fromkeys(range(10**6), 1)) == "<dict of 1000000 entries, the first is 0>"
    assert short_text((HUGE,) * 1000).startswith("<tuple of 1000 entries, the first is 873374...")
    assert short_text([7] * 100).endswith("(300 characters)")


def test_one_line():
    class Lines:
        def __repr__(self):
            return "[1\n 2\x1b[31m]"

    assert short_text(Lines()) == "[1  2 [31m]"


def test_values_that_lie():
    class Odd(int):
        def __repr__(self):
            raise AssertionError

    class Classless:
        @property
        def __class__(self):
            raise RuntimeError

    assert short_text(Odd(5)) == "5"
    assert short_text(Classless()) == "<Classless whose repr raises RuntimeError>"


def test_long_lists_and_control_characters():
    assert short_text([7] * 101) == "<list of 101 entries, the first is 7>"
    assert printable("plain") == "plain"
    assert printable("a\x1b[31m\n") == "a\\x1b[31m\\n"
