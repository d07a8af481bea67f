"""The built-in data and the demonstration: every number shown was published or is the same on every Python."""

import itertools
from types import SimpleNamespace

from exactperm.cli import demo, main
from tests import workload


def test_paper_workload_is_the_same_everywhere():
    u, v = workload.paper_workload(1000)
    assert (sum(u), sum(v)) == (12314, 12182)
    assert (u[:8], v[:8]) == ([0, 22, 7, 8, 15, 4, 12, 16], [0, 20, 8, 8, 17, 4, 12, 15])


SHOWN = """\
Exact paired-permutation tests: which share of the 2^N swaps is at least as extreme as the data?

1. Darwin's 15 pairs of maize plants
  one-sided    p = 0.02634, exactly 863/32768: 863 of 2^15 swaps
  published    835 of 32,768 have a larger sum, 28 the same (R. A. Fisher, 1935)
  two-sided    p = 0.05267, exactly 863/16384: 1,726 of 2^15 swaps

2. Student's sleep data of 10 patients; decimals are read as written
  two-sided    p = 0.003906, exactly 1/256: 4 of 2^10 swaps

3. Two simulated systems on 10,000 sentences, 119,769 against 119,495 words right
  two-sided    p = 1.169e-06, counted in 1.00 s

4. Below 1e-8, where programs that drop small probabilities answer 0
data                    exact two-sided p                float code that drops cells < 1e-8
37 x (+1) and 3 x (-1)  1.94650e-08, exactly 10701/2^39  1.254e-08 or 0.0
200 x (+1)              1.24460e-60, exactly 1/2^199     0.0"""


def test_demonstration(monkeypatch, capsys):
    """All but the times is the same everywhere."""
    monkeypatch.setattr(demo, "time", SimpleNamespace(perf_counter=itertools.count(5).__next__))
    assert main.main(["demo"]) == 0
    assert capsys.readouterr().out == f"{SHOWN}\n"
