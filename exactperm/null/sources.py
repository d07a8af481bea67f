"""Swaps in records: all from which anyone can count again.

With the observed x and the alternative the count is common * #{X at least as extreme as x}, where #
counts each choice of terms of the "steps" with the product of their weights. Pairs have a "tally" of
their differences, where common is 2**ties. Of two samples the record holds the "pool" of all
observations, and # counts the choices of ``chosen`` of them; of several components the "effects" on
their sums.

Source: spec/15-runs.md#own-steps, spec/16-two-samples-and-power.md#own-two-samples, spec/ratio-inversion.md#ratio-results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import gcd

from .._types import TYPE_CHECKING, Any
from ..record import Record, replaced
from ..swaps.canonical import Swaps
from ..swaps.draws import normal
from ..swaps.lattice import Lattice
from ..swaps.metrics import f1_difference, precision_difference, ratio_difference, recall_difference
from ..swaps.statistic import UNPAIRED, Randomness
from ..swaps.units import choices, draws_of, one_by_one
from .fields import Fields, Plain, Shape, written

if TYPE_CHECKING:
    from .brackets import Enclosable

READY = {
    one.name: one
    for one in (f1_difference, precision_difference, recall_difference, ratio_difference)
}
"""Statistics of several components whose brackets can be computed again from a record, which holds
their names; others are only claimed."""

_MOST_OBSERVATIONS = 10**8


class _Form(Record):
    """How a record holds units: the shape of their ``rows``, those of ``others``, and the ``designs``."""

    rows: Shape
    others: Mapping[str, Shape]
    designs: tuple[Randomness | None, ...]


_ONE, _ANY = Plain(1), [-(10**4000)]
_PLACES: Mapping[str, Shape] = {"ties": Plain(0), "low": None, "unit": None, "observed": 0}
_FORMS = {
    "effects": _Form(
        rows=[(_ANY, _ONE)],
        others={"ties": Plain(0), "low": _ANY, "basis": [_ANY], "scale": 1, "observed": _ANY},
        designs=(None, "items"),
    ),
    "pool": _Form(rows=[(0, _ONE)], others={"chosen": _ONE, **_PLACES}, designs=("samples",)),
    "steps": _Form(
        rows=[([(0, 1)], _ONE)],
        others={**_PLACES, "common": 1},
        designs=("within", "systems", "samples", "steps"),
    ),
    "draws": _Form(rows=[(_ONE, [0], _ONE)], others=_PLACES, designs=("within", "systems")),
    "tally": _Form(rows=[(1, _ONE)], others=_PLACES, designs=(None, "items")),
}
"""Forms of swaps by the field of their units."""
_BRACKETS_ONLY = ("effects", "draws")


def source_fields(source: Enclosable, random: Randomness | None) -> dict[str, Any]:
    """Return the fields of a record from which anyone can count again: what was swapped."""
    held: Any = source if isinstance(source, Swaps) else source.swaps
    rows, chosen = held.tally.items(), None
    if isinstance(held, Lattice):
        kind = "effects"
    elif held.tied is None:
        kind = "tally"
    elif draws_of(held.tally) is None:
        kind = "steps"
    elif random == "samples":
        ((chosen, values),) = held.tally
        kind, rows = "pool", Counter(values).items()
    else:
        kind, rows = "draws", [(m, values, count) for (m, values), count in rows]
    form = _FORMS[kind]
    fields = {
        name: written(shape, chosen if name == "chosen" else getattr(held, name))
        for name, shape in form.others.items()
    }
    return {"swaps": {kind: written(form.rows, rows), **fields}}


def _kind(swaps: Any) -> str:
    return next((kind for kind in _FORMS if kind in swaps), "tally")


def read_source(record: Fields, n: int, n_units: int, *, certified: bool) -> Enclosable:
    """Return the swaps of a record of so many pairs and units; ``ExactPermError`` for what is no canonical form.

    ``certified`` says that they may be draws, or those of several components.
    """
    inner = Fields(record["swaps"], "a test result")
    kind = _kind(record["swaps"])
    kind = "tally" if kind in _BRACKETS_ONLY and not certified else kind
    form = _FORMS[kind]
    rows = sorted(inner.shaped(kind, form.rows))
    others = {name: inner.shaped(name, shape) for name, shape in form.others.items()}
    common = others.pop("common", 1)
    units = _units(kind, rows, others.pop("chosen", 0))
    swaps: Any = Lattice(tally=units, **others) if kind == "effects" else None
    if swaps is None:
        swaps = Swaps(tally=units, tied=None if kind == "tally" else common, **others)
    inner.demand(kind, swaps.n_units == n_units, "it must have n_units - ties units")
    rule = "it must be in canonical form, ascending from 0 without a common divisor"
    inner.demand(kind, _is_canonical(kind, swaps), rule)
    if kind == "effects":
        from .joint_tails import JointTails

        name = record["statistic_name"]
        record.demand("statistic_name", name in list(READY), "its tails cannot be computed again")
        return JointTails(swaps=swaps, rule=READY[name])
    if kind == "pool":
        ((_, values),) = units
        inner.demand(kind, len(values) == n, "it must have n values")
    return _checked_sum(record, inner, swaps, kind)


def _units(kind: str, rows: list[Any], chosen: int) -> Any:
    """Return the units that rows of a record hold."""
    if kind == "draws":
        return {(m, values): count for m, values, count in rows}
    if kind == "pool":
        fits = 0 < sum([count for _, count in rows]) <= _MOST_OBSERVATIONS
        return {(chosen, tuple(one_by_one(dict(rows))) if fits else (1,)): 1}
    return dict(rows)


def _is_canonical(kind: str, swaps: Any) -> bool:
    """Return whether the units are in their canonical form, which is unique."""
    units = swaps.tally
    if kind == "tally":
        return gcd(*units) < 2
    if kind == "pool":
        ((m, values),) = units
        return not values[0] and gcd(*values) == 1 and m < len(values)
    if kind == "draws":
        ascend = all(list(values) == sorted(values) for _, values in units)
        return ascend and normal(units) == (units, 1)
    if kind == "steps":
        return gcd(*[value for step in units for value, _ in step]) < 2 and all(
            len(step) > 1
            and not step[0][0]
            and step == tuple(sorted(dict(step).items()))
            and gcd(*[weight for _, weight in step]) == 1
            for step in units
        )
    width = len(f1_difference.components)
    return (
        swaps.rank <= 2
        and {len(vector) for vector in (swaps.low, *swaps.basis)} == {width}
        and {len(point) for point in (swaps.observed, *units)} == {swaps.rank}
        and min(units, default=(1,)) > (0,) * swaps.rank
    )


def _checked_sum(record: Fields, inner: Fields, swaps: Swaps, kind: str) -> Swaps:
    """Return a sum with the assignments of its ties; ``ExactPermError`` where its places, or its total, do not fit."""
    inner.demand("unit", swaps.unit > 0, "it must be above 0")
    rule = f"it must be at most the sum of the {kind}"
    inner.demand("observed", swaps.observed <= swaps.span, rule)
    if kind not in ("steps", "draws"):
        return swaps
    total = record.integer("total", 1)
    # The product of the choices of the units is no longer than the total, so that it may be computed.
    units = swaps.tally
    each = [(choices({unit: 1}).bit_length() - 1) * n for unit, n in units.items()]
    rule = "it must be the number of labelings of its steps"
    record.demand("total", sum(each) < total.bit_length(), rule)
    tied, rest = divmod(total, choices(units))
    fits = not rest and (kind == "draws" or tied == swaps.tied)
    record.demand("total", fits, rule)
    if record["design"] not in list(UNPAIRED):
        inner.demand("low", swaps.middle == 0, "the mean of the statistic must be 0")
    return replaced(swaps, tied=tied)


def read_design(record: Fields, n: int, n_units: int) -> Randomness | None:
    """Return the design of a record, None for a paired test."""
    design: Randomness | None = record.get("design")
    units = {"within": n, "items": n, "steps": n, "systems": 1}
    fits = design in _FORMS[_kind(record["swaps"])].designs
    if not fits or n_units != units.get(design or "", n_units):
        record.demand("design", False, "its swaps are of another design")
    return design
