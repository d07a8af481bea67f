"""The built-in data and the demonstration: every number shown was published or is the same on every Python."""

from fractions import Fraction

import pytest

from exactperm import demo
from exactperm.permutation import sign_flip_test


def test_fisher():
    """The Design of Experiments, section 21: 863 of 32,768, of which 835 are larger and 28 equal.

    Counting only the larger ones (a strict inequality) would give 835.
    """
    result = sign_flip_test(demo.DARWIN_MAIZE, alternative="greater")
    assert (result.count, result.total, result.point_probability) == (863, 32768, Fraction(28, 32768))


def test_student():
    """Only all signs plus or all minus are as extreme as nine positive differences and a zero: 4 of 1,024."""
    result = sign_flip_test(demo.STUDENT_SLEEP)
    assert (result.count, result.total) == (4, 1024)


def test_paper_workload_is_the_same_everywhere():
    u, v = demo.paper_workload(1000)
    assert (sum(u), sum(v)) == (12314, 12182)
    assert (u[:8], v[:8]) == ([0, 22, 7, 8, 15, 4, 12, 16], [0, 20, 8, 8, 17, 4, 12, 15])


def test_paper_workload_has_the_stated_shape():
    """N = 10,000 gives D near 11,900 and 12 magnitudes; correct tokens are between 0 and the length."""
    u, v = demo.paper_workload(10_000)
    magnitudes = {abs(a - b) for a, b in zip(u, v)} - {0}
    assert 11_000 < sum(abs(a - b) for a, b in zip(u, v)) < 13_000
    assert 10 <= len(magnitudes) <= 16
    assert min(u) >= 0 and min(v) >= 0
    assert all(isinstance(x, int) for x in u + v)


def test_factor_separates_the_systems():
    u, v = demo.paper_workload(2000, seed=7, factor=0.9)
    assert sum(v) < 0.95 * sum(u)


@pytest.fixture(scope="module")
def shown():
    return "\n".join(demo.lines(500))


@pytest.mark.parametrize(
    "words",
    [
        "835 have a larger sum, 28 the same",
        "one-sided p = 863/32768 = 0.02633666992",
        "two-sided p = 1726/32768 = 0.05267333984",
        "two-sided p = 4/1024 = 0.003906250000",
        "correct tokens in 500 sentences",
        "10701/2^39 = 1.94650e-08",
        "1/2^199 = 1.24460e-60",
    ],
)
def test_demonstration(shown, words):
    assert words in shown


def test_demonstration_is_compact(shown):
    assert max(map(len, shown.splitlines())) <= 110
    assert len(shown.splitlines()) <= 25
