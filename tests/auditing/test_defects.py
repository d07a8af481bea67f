"""Known defects against what the packages print: SciPy 1.17.1 was run for the numbers that name it."""

from fractions import Fraction

import pytest

from exactperm.auditing.allowance import Allowance
from exactperm.auditing.claims import Claim
from exactperm.auditing.conventions import Convention
from exactperm.auditing.defects import DEFECTS, FORMULAS, Known
from exactperm.auditing.samples import Counted
from exactperm.auditing.store import Store

F = Fraction
ZSPLIT, CENTRE = FORMULAS
NULL, VARIANCE, TRIMMED, UNDERFLOW, MANY = DEFECTS[:5]
LEFT_OUT, LEFT_OUT_OF_COUNT, ADDED = DEFECTS[5:]


def known(
    data=None, statistic="sum", zeros=None, tail="two-sided", *, law="exact", counts=None, **about
):
    claim = Claim(p="1", data=data, statistic=statistic, counts=counts, **about)
    sample = Store(None, None).sample(claim)
    stated = Convention(statistic=statistic, zeros=zeros, law=law, tail=tail, boundary=">=")
    return Known(
        stated=stated, sample=sample, facts=Counted().facts(sample, statistic, zeros, Allowance())
    )


ZEROS = [0, 0, 0, 1, 2, 3, 4, 5]
TIES = [0, 1, 1, -2, 3, 3, 4]
BOTH = [0, 0, 1, -2, 3, 5, -4, 6]
SCIPY_EXACT = [
    (ZEROS, "drop", (0.0625, 1.0, 0.03125)),
    (ZEROS, "pratt", (0.109375, 0.9609375, 0.0546875)),
    (ZEROS, "zsplit", (0.0390625, 0.98828125, 0.01953125)),
    (TIES, "drop", (0.15625, 0.953125, 0.078125)),
    (TIES, "pratt", (0.15625, 0.9453125, 0.078125)),
    (TIES, "zsplit", (0.15625, 0.9609375, 0.078125)),
    (BOTH, "pratt", (0.546875, 0.76953125, 0.2734375)),
    (BOTH, "zsplit", (0.4609375, 0.84375, 0.23046875)),
]


@pytest.mark.parametrize(("d", "zeros", "printed"), SCIPY_EXACT)
def test_the_table_of_untied_ranks_gives_what_scipy_prints(d, zeros, printed):
    for tail, p in zip(("two-sided", "less", "greater"), printed):
        assert NULL.value(known(d, "signed-rank", zeros, tail)) == F(p)
    assert NULL.value(known(d, "signed-rank", zeros, "min")) == F(printed[0]) / 2


def test_the_table_is_not_tried_for_other_laws_and_without_ranks():
    assert NULL.value(known(TIES, "signed-rank", "drop", law="normal")) is None
    assert NULL.value(known([0, 0], "signed-rank", "drop")) is None
    assert NULL.value(known([-1, -2, -3], "signed-rank", "drop", tail="greater")) == 1


def test_zeros_in_the_variance_of_zsplit_as_in_scipy():
    plain = ZSPLIT.value(known(ZEROS, "signed-rank", "zsplit", law="normal"))
    assert float(plain[0]) == pytest.approx(0.034790139526991, rel=1e-12)
    corrected = ZSPLIT.value(known(ZEROS, "signed-rank", "zsplit", law="normal-cc"))
    assert float(corrected[0]) == pytest.approx(0.04130722986886355, rel=1e-12)
    assert ZSPLIT.value(known(ZEROS, "signed-rank", "pratt")) is None
    assert ZSPLIT.value(known([1, 2], "signed-rank", "zsplit", law="normal")) is None
    assert ZSPLIT.value(known([0, 0], "signed-rank", "zsplit", law="normal")) is None
    assert ZSPLIT.value(known(ZEROS, "signed-rank", "zsplit")) is None


def test_the_variance_without_tie_term():
    """Four ties of size 1: z = (7.5 - 5) / sqrt(4 * 5 * 9 / 24)."""
    value = VARIANCE.value(known([1, 1, 1, -1], "signed-rank", "drop"))
    assert float(value[0]) == pytest.approx(0.36131042852617, rel=1e-9)
    assert VARIANCE.value(known([0, 1, 1], "signed-rank", "pratt")) is None
    assert VARIANCE.value(known([0, 0], "signed-rank", "drop")) is None


def test_the_correction_at_the_centre():
    """Statsmodels: chi-squared (|5 - 5| - 1)**2 / 10 = 0.1 with one degree of freedom."""
    value = CENTRE.value(known(counts="5,5", statistic="mcnemar", law="normal-cc"))
    assert float(value[0]) == pytest.approx(0.7518296340458492, rel=1e-12)
    assert CENTRE.value(known(counts="5,4", statistic="mcnemar", law="normal-cc")) is None
    assert CENTRE.value(known(counts="5,5", statistic="mcnemar")) is None


def test_zeros_that_packages_print():
    tiny = known([1] * 40)
    assert TRIMMED.value(tiny) == 0
    assert TRIMMED.value(known([1])) is None
    assert UNDERFLOW.value(known(counts="0,1075", statistic="mcnemar")) == 0
    assert UNDERFLOW.value(tiny) is None
    assert MANY.value(tiny) is None
    assert MANY.value(known([1] * 1024)) == 0


def test_the_observed_assignment_left_out():
    three = known([3, 1, 2])
    assert (LEFT_OUT.value(three), LEFT_OUT_OF_COUNT.value(three), ADDED.value(three)) == (
        F(1, 7),
        F(1, 8),
        F(3, 9),
    )
    assert LEFT_OUT.value(known([3, 1, 2], tail="greater")) == 0
    assert LEFT_OUT.value(known(counts="0,0", statistic="mcnemar")) is None
    assert "SciPy" in NULL.words
