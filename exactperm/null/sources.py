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
from collections.abc import Iterable, Mapping
from itertools import repeat
from math import gcd

from .._types import TYPE_CHECKING, Any
from ..arithmetic.writing import exact_text
from ..swaps.canonical import Canonical, Steps, Swaps
from ..swaps.draws import Drawn, Draws, Pool, normal
from ..swaps.lattice import Lattice
from ..swaps.metrics import f1_difference, precision_difference, ratio_difference, recall_difference
from ..swaps.statistic import UNPAIRED, Randomness
from ..swaps.units import choices, one_by_one, steps_of
from .fields import Fields

if TYPE_CHECKING:
    from .joint_tails import JointTails

READY = {
    one.name: one
    for one in (f1_difference, precision_difference, recall_difference, ratio_difference)
}
"""Statistics of several components whose brackets can be computed again from a record, which holds
their names; others are only claimed."""

_MOST_OBSERVATIONS = 10**8


class _Plain(int):
    """The least integer of a field that is written as a number, not as text."""


Shape = Any
"""Of what is written: [shape] of all entries of a list, a tuple of the shapes of each entry, the least integer, or
None for an exact number."""


def _written(shape: Shape, value: Any) -> Any:
    if isinstance(shape, (list, tuple)):
        shapes = shape if isinstance(shape, tuple) else repeat(shape[0])
        return [_written(*both) for both in zip(shapes, value)]
    return value if isinstance(shape, _Plain) else exact_text(value)


def _read(fields: Fields, place: str, shape: Shape, value: Any) -> Any:
    """Return what was written, with tuples for lists; ``ExactPermError`` with the place of another shape."""
    if shape is None:
        return fields.number(place, value)
    if isinstance(shape, int):
        return fields.whole(place, value, shape)
    fits = isinstance(value, (list, tuple))
    fields.demand(place, fits, "it must be a list", value)
    if isinstance(shape, tuple):
        fields.demand(place, len(value) == len(shape), f"it must have {len(shape)} entries", value)
    shapes = shape if isinstance(shape, tuple) else repeat(shape[0])
    return tuple(
        [_read(fields, f"{place}[{i}]", *both) for i, both in enumerate(zip(shapes, value))]
    )


def _ascending(rows: Iterable[tuple[Any, int]]) -> dict[Any, int]:
    return dict(sorted(rows))


def _pool_of(rows: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    tally = _ascending(rows)
    return tuple(one_by_one(tally)) if 0 < sum(tally.values()) <= _MOST_OBSERVATIONS else (1,)


def _rows_of_draws(draws: Draws) -> list[tuple[int, tuple[int, ...], int]]:
    return [(m, values, count) for (m, values), count in draws.items()]


def _draws_of(rows: Iterable[tuple[int, tuple[int, ...], int]]) -> Draws:
    return {(m, values): count for m, values, count in sorted(rows)}


def _are_steps(swaps: Steps) -> bool:
    return gcd(*[value for step in swaps.tally for value, _ in step]) < 2 and all(
        len(step) > 1
        and not step[0][0]
        and step == tuple(sorted(dict(step).items()))
        and gcd(*[weight for _, weight in step]) == 1
        for step in swaps.tally
    )


def _are_draws(swaps: Drawn) -> bool:
    ascend = all(list(values) == sorted(values) for _, values in swaps.draws)
    return ascend and normal(swaps.draws) == (swaps.draws, 1)


def _is_pool(swaps: Pool) -> bool:
    return not swaps.values[0] and gcd(*swaps.values) < 2 and 0 < swaps.chosen < swaps.n


def _are_effects(swaps: Lattice) -> bool:
    rank, width = swaps.rank, len(f1_difference.components)
    points = [swaps.observed, *swaps.tally]
    return (
        rank <= 2
        and {len(vector) for vector in (swaps.low, *swaps.basis)} == {width}
        and {len(point) for point in points} == {rank}
        and min(swaps.tally, default=(1,)) > (0,) * rank
    )


_TALLY = "tally", lambda tally: tally.items(), _ascending
_ONE, _ANY = _Plain(1), [-(10**4000)]
_PLACES = {"ties": _Plain(0), "low": None, "unit": None, "observed": 0}
_FORMS: dict[str, tuple[Any, ...]] = {
    "effects": (
        Lattice,
        _TALLY,
        {
            "effects": [(_ANY, _ONE)],
            **{"ties": _Plain(0), "low": _ANY, "basis": [_ANY], "scale": 1, "observed": _ANY},
        },
        _are_effects,
        (None, "items"),
    ),
    "pool": (
        Pool,
        ("values", lambda values: Counter(values).items(), _pool_of),
        {"pool": [(0, _ONE)], "chosen": _ONE, **_PLACES},
        _is_pool,
        ("samples",),
    ),
    "steps": (
        Steps,
        ("tally", lambda units: steps_of(units).items(), _ascending),
        {"steps": [([(0, 1)], _ONE)], **_PLACES, "common": 1},
        _are_steps,
        ("within", "systems", "samples", "steps"),
    ),
    "draws": (
        Drawn,
        ("draws", _rows_of_draws, _draws_of),
        {"draws": [(_ONE, [0], _ONE)], **_PLACES},
        _are_draws,
        ("within", "systems"),
    ),
    "tally": (
        Swaps,
        _TALLY,
        {"tally": [(1, _ONE)], **_PLACES},
        lambda swaps: gcd(*swaps.tally) < 2,
        (None, "items"),
    ),
}
"""Forms of swaps by the field of their units: class; attribute of the units, the rows of these and the way back;
shapes of all fields; when it is canonical; designs."""
_BRACKETS_ONLY = ("effects", "draws")


def source_fields(swaps: Canonical | JointTails) -> dict[str, Any]:
    """Return the fields of a record from which anyone can count again: what was swapped."""
    held: Canonical | Lattice = swaps if isinstance(swaps, Canonical) else swaps.swaps
    kind = next(kind for kind, form in _FORMS.items() if type(held) is form[0])
    _make, (where, rows, _back), shapes, *_ = _FORMS[kind]
    values = {name: getattr(held, name) for name in shapes.keys() - {kind}}
    values[kind] = rows(getattr(held, where))
    return {"swaps": {name: _written(shape, values[name]) for name, shape in shapes.items()}}


def _kind(swaps: Any) -> str:
    return next((kind for kind in _FORMS if kind in swaps), "tally")


def read_source(record: Fields, n: int, n_units: int, *, certified: bool) -> Canonical | JointTails:
    """Return the swaps of a record of so many pairs and units; ``ExactPermError`` for what is no canonical form.

    ``certified`` says that they may be draws, or those of several components.
    """
    inner = Fields(record["swaps"], "a test result")
    kind = _kind(record["swaps"])
    kind = "tally" if kind in _BRACKETS_ONLY and not certified else kind
    if kind == "effects":
        name = record["statistic_name"]
        rule = "its tails cannot be computed again"
        record.demand("statistic_name", name in list(READY), rule)
    make, (where, _rows, back), shapes, canonical, _designs = _FORMS[kind]
    values = {name: _read(inner, name, shape, inner[name]) for name, shape in shapes.items()}
    values[where] = back(values.pop(kind))
    if kind == "pool":
        del values["ties"]  # follows from the values
    if kind == "draws":
        values["total"] = record.integer("total", 1)
    swaps = make(**values)
    inner.demand(kind, swaps.n_units == n_units, "it must have n_units - ties units")
    rule = "it must be in canonical form, ascending from 0 without a common divisor"
    inner.demand(kind, canonical(swaps), rule)
    if isinstance(swaps, Lattice):
        from .joint_tails import JointTails

        return JointTails(swaps=swaps, rule=READY[record["statistic_name"]])
    _check_sum(record, inner, swaps, kind)
    inner.demand(kind, not isinstance(swaps, Pool) or swaps.n == n, "it must have n values")
    return swaps  # type: ignore[no-any-return]


def _check_sum(record: Fields, inner: Fields, swaps: Canonical, kind: str) -> None:
    """Raise ``ExactPermError`` where the places of a sum, or its total, are not those of its units."""
    inner.demand("unit", swaps.unit > 0, "it must be above 0")
    rule = f"it must be at most the sum of the {kind}"
    inner.demand("observed", swaps.observed <= swaps.span, rule)
    if isinstance(swaps, Steps):
        total = record.integer("total", 1)
        # The product of the sums of weights is no longer than the total, so that it may be computed.
        bits = sum(
            (sum([weight for _, weight in step]).bit_length() - 1) * count
            for step, count in swaps.tally.items()
        )
        rule = "it must be the number of labelings of its steps"
        record.demand("total", bits < total.bit_length(), rule)
        fits = swaps.common * choices(swaps.tally) == total
        inner.demand("common", fits, "it must be the total over that of the steps")
    if isinstance(swaps, (Steps, Drawn)) and record["design"] not in list(UNPAIRED):
        inner.demand("low", swaps.middle == 0, "the mean of the statistic must be 0")


def read_design(record: Fields, data: Mapping[str, Any], n: int, n_units: int) -> Randomness | None:
    """Return the design of a record, None for a paired test."""
    design: Randomness | None = data.get("design")
    units = {"within": n, "items": n, "steps": n, "systems": 1}
    fits = design in _FORMS[_kind(record["swaps"])][-1]
    if not fits or n_units != units.get(design or "", n_units):
        record.demand("design", False, "its swaps are of another design")
    return design
