"""Swaps in records: all from which anyone can count again.

With the observed x and the alternative the count is common * #{X at least as extreme as x}, where #
counts each choice of terms of the "steps" with the product of their weights. Pairs have a "tally" of
their differences, where common is 2**ties. Of two samples the record holds the "pool" of all
observations, and # counts the choices of ``chosen`` of them; of several components the "effects" on
their sums.

Source: spec/15-runs.md#own-steps, spec/16-two-samples-and-power.md#own-two-samples, spec/ratio-inversion.md#ratio-results.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping

from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import short_text
from ..arithmetic.writing import exact_text
from ..errors import ExactPermError
from ..swaps.canonical import Canonical, Steps, Swaps
from ..swaps.draws import Draw, Drawn, Pool, normal
from ..swaps.lattice import Lattice
from ..swaps.metrics import f1_difference, precision_difference, ratio_difference, recall_difference
from ..swaps.statistic import UNPAIRED
from ..swaps.units import Step, choices, steps_of
from .fields import Fields

if TYPE_CHECKING:
    from .joint_tails import JointTails

READY = {
    one.name: one
    for one in (f1_difference, precision_difference, recall_difference, ratio_difference)
}
"""Statistics of several components whose brackets can be computed again from a record, which holds
their names; others are only claimed."""


def source_fields(swaps: Canonical | JointTails) -> dict[str, Any]:
    """Return the fields of a record from which anyone can count again: what was swapped."""
    if isinstance(swaps, Swaps):
        tally = [[exact_text(d), count] for d, count in swaps.tally.items()]
        return {"swaps": {"tally": tally, "ties": swaps.ties, **_places(swaps)}}
    if isinstance(swaps, Canonical):
        return {"swaps": _steps_fields(swaps)}
    joint = swaps.swaps
    effects = [[list(map(exact_text, delta)), count] for delta, count in joint.tally.items()]
    return {
        "swaps": {
            "effects": effects,
            "ties": joint.ties,
            "low": list(map(exact_text, joint.low)),
            "basis": [list(map(exact_text, vector)) for vector in joint.basis],
            "scale": exact_text(joint.scale),
            "observed": list(map(exact_text, joint.observed)),
        }
    }


def _steps_fields(swaps: Canonical) -> dict[str, Any]:
    if isinstance(swaps, Pool):
        pool = [[exact_text(value), count] for value, count in Counter(swaps.values).items()]
        return {"pool": pool, "chosen": swaps.chosen, "ties": swaps.ties, **_places(swaps)}
    if isinstance(swaps, Drawn):
        draws = [
            [m, list(map(exact_text, values)), count] for (m, values), count in swaps.draws.items()
        ]
        return {"draws": draws, "ties": swaps.ties, **_places(swaps)}
    steps = [
        [[[exact_text(value), exact_text(weight)] for value, weight in step], count]
        for step, count in steps_of(swaps.tally).items()
    ]
    common = {"common": exact_text(swaps.common)}
    return {"steps": steps, "ties": swaps.ties, **_places(swaps), **common}


def _places(swaps: Canonical) -> dict[str, str]:
    return {name: exact_text(getattr(swaps, name)) for name in ("low", "unit", "observed")}


def read_source(record: Fields, n: int, n_units: int, *, certified: bool) -> Canonical | JointTails:
    """Return the swaps of a record of so many pairs and units; ``ExactPermError`` for what is no canonical form.

    ``certified`` says that they may be draws, or those of several components.
    """
    swaps = record["swaps"]
    inner = Fields(swaps, "a test result")
    if certified and "effects" in swaps:
        return _read_effects(record, inner, n_units)
    read: Canonical
    if "pool" in swaps:
        record.integer("n_units", 1, 1)
        read = _read_pool(inner, n)
    elif "steps" in swaps:
        read = _read_steps(record, inner, n_units)
    elif certified and "draws" in swaps:
        read = _read_draws(record, inner, n_units)
    else:
        read = _read_tally(inner, n_units)
    kind = next(iter(swaps))
    inner.demand(
        "observed", read.observed <= read.span, f"it must be at most the sum of the {kind}"
    )
    return read


def read_design(record: Fields, data: Mapping[str, Any], n: int, n_units: int) -> Any:
    """Return the design of a record, None for a paired test."""
    design, swaps = data.get("design"), record["swaps"]
    fits = design is None
    if "pool" in swaps:
        fits = design == "samples"
    elif "steps" in swaps or "draws" in swaps:
        fits = n == n_units if design == "within" else n_units == 1 and design == "systems"
        fits |= "steps" in swaps and (design == "samples" or (design == "steps" and n == n_units))
    elif design is not None:
        fits = design == "items" and n == n_units
    if not fits:
        record.demand("design", fits, "its swaps are of another design")
    return design


def _entries(inner: Fields, name: str, rule: str) -> Iterator[tuple[str, Any, int]]:
    """Yield the entries [key, number] of a list, each with its place."""
    for i, entry in enumerate(inner.listed(name)):
        place = f"{name}[{i}]"
        fits = isinstance(entry, (list, tuple)) and len(entry) == 2
        inner.demand(place, fits, f"it must be {rule}", entry)
        yield place, entry[0], inner.whole(place, entry[1], 1)


def _places_of(inner: Fields) -> dict[str, Any]:
    exact = {name: inner.exact(name) for name in ("low", "unit")}
    inner.demand("unit", exact["unit"] > 0, "it must be above 0")
    return {**exact, "observed": inner.integer("observed")}


def _read_tally(inner: Fields, n_units: int) -> Swaps:
    tally: dict[int, int] = {}
    last = 0
    for place, d, count in _entries(inner, "tally", "[difference, number]"):
        last = inner.whole(place, d, last + 1)
        tally[last] = count
    ties = inner.integer("ties", most=n_units)
    fits = sum(tally.values()) + ties == n_units
    inner.demand("tally", fits, "it must have n_units - ties units")
    inner.demand("tally", math.gcd(*tally) < 2, "its differences must have no common divisor")
    return Swaps(tally=tally, ties=ties, **_places_of(inner))


def _read_pool(inner: Fields, n: int) -> Pool:
    values: list[int] = []
    for place, value, count in _entries(inner, "pool", "[value, number]"):
        inner.demand(place, count <= n, "it must have n values", count)
        values += [inner.whole(place, value, values[-1] + 1 if values else 0)] * count
    fits = len(values) == n > 0 == values[0] and math.gcd(*values) < 2
    inner.demand("pool", fits, "it must have n values from 0 on, without a common divisor")
    chosen = inner.integer("chosen", 1, n - 1)
    return Pool(values=tuple(values), chosen=chosen, **_places_of(inner))


def _read_draws(record: Fields, inner: Fields, n_units: int) -> Drawn:
    draws: dict[Draw, int] = {}
    for i, entry in enumerate(inner.listed("draws")):
        place = f"draws[{i}]"
        fits = isinstance(entry, (list, tuple)) and len(entry) == 3
        fits = fits and isinstance(entry[1], (list, tuple)) and len(entry[1]) > 1
        inner.demand(place, fits, "it must be [m, values, number]", entry)
        values = tuple([inner.whole(place, value, 0) for value in entry[1]])
        draw = inner.whole(place, entry[0], 1, len(values) // 2), values
        inner.demand(place, not draws or draw > max(draws), "draws must ascend", entry)
        draws[draw] = inner.whole(place, entry[2], 1)
    ties, total = inner.integer("ties", most=n_units), record.integer("total", 1)
    drawn = Drawn(draws=draws, ties=ties, total=total, **_places_of(inner))
    ascend = all(list(values) == sorted(values) for _, values in draws)
    fits = ascend and normal(draws) == (draws, 1)
    inner.demand("draws", fits, "values must ascend from 0 on, without a common divisor")
    inner.demand("draws", drawn.n_units == n_units, "it must have n_units - ties items")
    inner.demand("low", drawn.middle == 0, "the mean of the statistic must be 0")
    return drawn


def _read_steps(record: Fields, inner: Fields, n_units: int) -> Steps:
    tally: dict[Step, int] = {}
    last: Step = ()
    for place, terms, count in _entries(inner, "steps", "[terms, number]"):
        step = _read_terms(inner, place, terms)
        inner.demand(place, step > last, "steps must ascend", terms)
        tally[step] = count
        last = step
    total = record.integer("total", 1)
    # The product of the sums of weights is no longer than the total, so that it may be computed.
    bits = sum(
        (sum(weight for _value, weight in step).bit_length() - 1) * count
        for step, count in tally.items()
    )
    fits = bits < total.bit_length()
    record.demand("total", fits, "it must be the number of labelings of its steps")
    ties, common = inner.integer("ties", most=n_units), inner.integer("common", 1)
    swaps = Steps(tally=tally, ties=ties, common=common, **_places_of(inner))
    inner.demand("steps", swaps.n_units == n_units, "it must have n_units - ties items")
    shared = math.gcd(*(value for step in tally for value, _weight in step))
    inner.demand("steps", shared < 2, "their values must have no common divisor")
    centred = record["design"] in list(UNPAIRED) or swaps.middle == 0
    inner.demand("low", centred, "the mean of the statistic must be 0")
    fits = common * choices(tally) == total
    inner.demand("common", fits, "it must be the total over that of the steps")
    return swaps


def _read_terms(inner: Fields, place: str, terms: Any) -> Step:
    """Return the terms of one step of a record."""
    held = Fields({place: terms}, "a step")
    found: list[tuple[int, int]] = []
    for name, value, weight in _entries(held, place, "a list of terms [value, weight]"):
        found.append((held.whole(name, value, found[-1][0] + 1 if found else 0), weight))
    weights = [weight for _value, weight in found]
    fits = len(found) > 1 and found[0][0] == 0 and math.gcd(*weights) == 1
    rule = "it must have two terms or more, from 0 on, whose weights have no common divisor"
    inner.demand(place, fits, rule, terms)
    return tuple(found)


def _read_effects(record: Fields, inner: Fields, n_units: int) -> JointTails:
    """Return the tails of a ready statistic, checked for what counting needs."""
    from .joint_tails import JointTails

    name = record["statistic_name"]
    if name not in READY:
        raise ExactPermError(
            f"statistic_name of the record is {short_text(name)}: its tails cannot be computed again"
        )
    rule = READY[name]

    def vector(field: str, value: Any, length: int, least: int | None = None) -> tuple[int, ...]:
        fits = isinstance(value, (list, tuple)) and len(value) == length
        inner.demand(field, fits, f"it must be {length} integers", value)
        found = tuple(inner.whole(field, x, -(10**4000)) for x in value)
        inner.demand(
            field, least is None or min(found, default=0) >= least, "it must not be negative", value
        )
        return found

    width = len(rule.components)
    basis = tuple(vector(f"basis[{i}]", one, width) for i, one in enumerate(inner.listed("basis")))
    inner.demand("basis", len(basis) <= 2, "it must have two vectors at most")
    tally: dict[tuple[int, ...], int] = {}
    last = (0,) * len(basis)
    for place, effect, count in _entries(inner, "effects", "[effect, number]"):
        delta = vector(place, effect, len(basis))
        inner.demand(place, delta > last, "effects must ascend from 0", effect)
        tally[delta] = count
        last = delta
    ties = inner.integer("ties", most=n_units)
    fits = sum(tally.values()) + ties == n_units
    inner.demand("effects", fits, "they must have n_units - ties units")
    swaps = Lattice(
        tally=tally,
        ties=ties,
        low=vector("low", inner["low"], width),
        basis=basis,
        scale=inner.integer("scale", 1),
        observed=vector("observed", inner["observed"], len(basis)),
    )
    return JointTails(swaps=swaps, rule=rule)
