"""Records of tests that exchange runs or draw steps: all from which anyone can count again, and what to count.

With ``region`` = [a, b] the count is common * #{X <= a or X >= b}, where null stands for a tail
that does not count. Where ``factor`` is 2 ("doubled") it is twice the smaller of common * #{X <= a}
and common * #{X >= b}, but at most the total. # counts each choice of terms of the steps with the
product of their weights. Of two samples the record holds the "pool" of all observations, and # counts the
choices of ``chosen`` of them.

Source: spec/15-runs.md, spec/16-two-samples-and-power.md.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

from .._types import Any
from ..arithmetic.writing import exact_text
from ..swaps.draws import Draw, Drawn, normal
from ..swaps.pool import Pool
from ..swaps.steps import Steps, is_unpaired
from ..swaps.units import Step, choices
from .alternative import Alternative
from .fields import Fields
from .step_tails import Sums, thresholds


def step_fields(swaps: Sums, alternative: Alternative) -> dict[str, Any]:
    """Return the fields of a record from which anyone can count again: the steps and what to count in them."""
    factor, region = thresholds(swaps, alternative)
    names: tuple[str, ...] = ("low", "unit", "observed")
    if isinstance(swaps, Pool):
        tally = Counter(swaps.values)
        source: dict[str, Any] = {
            "pool": [[exact_text(value), count] for value, count in tally.items()],
            "chosen": swaps.chosen,
        }
    elif isinstance(swaps, Drawn):
        draws = [
            [m, list(map(exact_text, values)), count] for (m, values), count in swaps.draws.items()
        ]
        source = {"draws": draws}
    else:
        steps = [
            [[[exact_text(value), exact_text(weight)] for value, weight in step], count]
            for step, count in swaps.types.items()
        ]
        source, names = {"steps": steps}, (*names, "common")
    places = {name: exact_text(getattr(swaps, name)) for name in names}
    return {
        "region": [None if end is None else exact_text(end) for end in region],
        "factor": factor,
        "swaps": {**source, "ties": swaps.ties, **places},
    }


def has_steps(record: Fields) -> bool:
    """Return whether a record holds steps, or the pool of two samples."""
    swaps = record["swaps"]
    return isinstance(swaps, Mapping) and ("steps" in swaps or "pool" in swaps)


def read_swaps_of_steps(record: Fields, n: int, n_units: int) -> Steps | Pool:
    """Return the steps of a record, or the pool of its n observations."""
    if "pool" in record["swaps"]:
        return read_pool(record, n)
    return read_steps(record, n_units)


def read_pool(record: Fields, n: int) -> Pool:
    """Return the pool of a record of n observations; ``ExactPermError`` for what is no canonical form.

    Source: spec/16-two-samples-and-power.md.
    """
    inner = Fields(record["swaps"], "a test result")
    values: list[int] = []
    for i, entry in enumerate(inner.listed("pool")):
        name = f"pool[{i}]"
        fits = isinstance(entry, (list, tuple)) and len(entry) == 2
        inner.demand(name, fits, "it must be [value, number]", entry)
        value = inner.whole(name, entry[0], values[-1] + 1 if values else 0)
        values += [value] * inner.whole(name, entry[1], 1, n)
    fits = len(values) == n > 0 == values[0] and math.gcd(*values) < 2
    inner.demand("pool", fits, "it must have n values from 0 on, without a common divisor")
    record.integer("n_units", 1, 1)
    pool = Pool(
        values=tuple(values),
        chosen=inner.integer("chosen", 1, n - 1),
        low=inner.exact("low"),
        unit=inner.exact("unit"),
        observed=inner.integer("observed"),
    )
    inner.demand("unit", pool.unit > 0, "it must be above 0")
    inner.demand("observed", pool.observed <= pool.span, "it must be at most the greatest sum")
    return pool


def read_draws(record: Fields, n_units: int) -> Drawn:
    """Return the draws of a record of so many items; ``ExactPermError`` for what is no canonical form."""
    inner = Fields(record["swaps"], "a test result")
    draws: dict[Draw, int] = {}
    for i, entry in enumerate(inner.listed("draws")):
        name = f"draws[{i}]"
        fits = isinstance(entry, (list, tuple)) and len(entry) == 3
        fits = fits and isinstance(entry[1], (list, tuple)) and len(entry[1]) > 1
        inner.demand(name, fits, "it must be [m, values, number]", entry)
        values = tuple([inner.whole(name, value, 0) for value in entry[1]])
        draw = inner.whole(name, entry[0], 1, len(values) // 2), values
        inner.demand(name, not draws or draw > max(draws), "draws must ascend", entry)
        draws[draw] = inner.whole(name, entry[2], 1)
    drawn = Drawn(
        draws=draws,
        ties=inner.integer("ties", most=n_units),
        low=inner.exact("low"),
        unit=inner.exact("unit"),
        observed=inner.integer("observed"),
        total=record.integer("total", 1),
    )
    fits = all(list(values) == sorted(values) for _, values in draws) and normal(draws) == (
        draws,
        1,
    )
    inner.demand("draws", fits, "values must ascend from 0 on, without a common divisor")
    inner.demand("draws", drawn.n_units == n_units, "it must have n_units - ties items")
    inner.demand("unit", drawn.unit > 0, "it must be above 0")
    inner.demand("observed", drawn.observed <= drawn.span, "it must be at most the greatest sum")
    inner.demand("low", drawn.middle == 0, "the mean of the statistic must be 0")
    return drawn


def read_steps(record: Fields, n_units: int) -> Steps:
    """Return the canonical steps of a record of so many items; ``ExactPermError`` for what is no canonical form."""
    inner = Fields(record["swaps"], "a test result")
    types = _types(inner)
    total = record.integer("total", 1)
    # The product of the sums of weights is no longer than the total, so that it may be computed.
    bits = sum(
        (sum(weight for _value, weight in step).bit_length() - 1) * count
        for step, count in types.items()
    )
    record.demand(
        "total", bits < total.bit_length(), "it must be the number of labelings of its steps"
    )
    swaps = Steps(
        types=types,
        ties=inner.integer("ties", most=n_units),
        low=inner.exact("low"),
        unit=inner.exact("unit"),
        observed=inner.integer("observed"),
        total=total,
        common=inner.integer("common", 1),
    )
    inner.demand("steps", swaps.n_units == n_units, "it must have n_units - ties items")
    shared = math.gcd(*(value for step in types for value, _weight in step))
    inner.demand("steps", shared < 2, "their values must have no common divisor")
    inner.demand("unit", swaps.unit > 0, "it must be above 0")
    inner.demand(
        "observed", swaps.observed <= swaps.span, "it must be at most the greatest sum of the steps"
    )
    inner.demand(
        "low",
        is_unpaired(record["design"]) or swaps.middle == 0,
        "the mean of the statistic must be 0",
    )
    inner.demand(
        "common",
        swaps.common * choices(types) == total,
        "it must be the total over that of the steps",
    )
    return swaps


def _types(inner: Fields) -> dict[Step, int]:
    """Return the steps of a record, each with its number of items; they ascend."""
    types: dict[Step, int] = {}
    last: Step = ()
    for i, entry in enumerate(inner.listed("steps")):
        name = f"steps[{i}]"
        fits = (
            isinstance(entry, (list, tuple))
            and len(entry) == 2
            and isinstance(entry[0], (list, tuple))
        )
        inner.demand(name, fits, "it must be [terms, number]", entry)
        step = _terms(inner, name, entry[0])
        inner.demand(name, step > last, "steps must ascend", entry)
        types[step] = inner.whole(name, entry[1], 1)
        last = step
    return types


def _terms(inner: Fields, name: str, terms: Any) -> Step:
    """Return the terms of one step of a record."""
    found: list[tuple[int, int]] = []
    for term in terms:
        inner.demand(
            name,
            isinstance(term, (list, tuple)) and len(term) == 2,
            "a term must be [value, weight]",
            term,
        )
        least = found[-1][0] + 1 if found else 0
        found.append((inner.whole(name, term[0], least), inner.whole(name, term[1], 1)))
    fits = (
        len(found) > 1 and found[0][0] == 0 and math.gcd(*(weight for _value, weight in found)) == 1
    )
    inner.demand(
        name,
        fits,
        "it must have two terms or more, from 0 on, whose weights have no common divisor",
        terms,
    )
    return tuple(found)
