"""The paper's simulated workload: correct tokens of two taggers, the same on every Python."""

import math
import random


def paper_workload(n, *, seed=2022, factor=0.98):
    """Return the numbers of correct tokens of two simulated systems in the same n sentences, as (u, v).

    Lengths are ceil(Normal(12, 10)), drawn again while negative; the rates of the systems
    Normal(0.9543, 0.1116), the second with ``factor`` times that mean, drawn again outside [0, 1];
    a system gets floor(rate * length) tokens right. The same for the same seed on every Python:
    only ``random()`` of the generator is used.
    Source: the simulation of the paper's run-time experiment.

    >>> paper_workload(5)
    ([0, 22, 7, 8, 15], [0, 20, 8, 8, 17])
    """
    rng = random.Random(seed)
    u, v = [], []
    for _ in range(n):
        length = _redrawn(lambda: math.ceil(_normal(rng, 12, 10)), 0, math.inf)
        u.append(math.floor(length * _redrawn(lambda: _normal(rng, 0.9543, 0.1116), 0, 1)))
        v.append(math.floor(length * _redrawn(lambda: _normal(rng, 0.9543 * factor, 0.1116), 0, 1)))
    return u, v


def _normal(rng, mean, deviation):
    """Return a normal number from two uniform ones (Box and Muller)."""
    radius = math.sqrt(-2 * math.log(1 - rng.random()))
    return mean + deviation * radius * math.cos(2 * math.pi * rng.random())


def _redrawn(draw, low, high):
    while True:
        value = draw()
        if low <= value <= high:
            return value
