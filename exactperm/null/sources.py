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
from itertools import chain
from math import gcd

from .._types import TYPE_CHECKING, Any, Union
from ..arithmetic.quoting import short_text
from ..record import replaced
from ..swaps.canonical import Swaps
from ..swaps.lattice import Lattice
from ..swaps.metrics import f1_difference, precision_difference, ratio_difference, recall_difference
from ..swaps.units import choices, draws_of, one_by_one
from .fields import NUMBER, POSITIVE, Fields, Shape, written

if TYPE_CHECKING:
    from ..swaps.statistic import Randomness
    from .brackets import Enclosable
    from .joint import JointTails

READY = {
    one.name: one
    for one in (f1_difference, precision_difference, recall_difference, ratio_difference)
}
"""Statistics of several components whose brackets can be computed again from a record, which holds
their names; others are only claimed."""

_MOST_OBSERVATIONS = 10**8
_ANY = -(10**4000)
_VECTOR = [_ANY]
_PLACES: Mapping[str, Shape] = {"ties": NUMBER, "low": None, "unit": None, "observed": 0}
_LATTICE = {"ties": NUMBER, "low": _VECTOR, "basis": [_VECTOR], "scale": 1, "observed": _VECTOR}
_Designs = tuple[Union["Randomness", None], ...]
_FORMS: Mapping[str, tuple[Shape, Mapping[str, Shape], _Designs]] = {
    "effects": ([(_VECTOR, POSITIVE)], _LATTICE, (None, "items")),
    "pool": ([(0, POSITIVE)], {"chosen": POSITIVE, **_PLACES}, ("samples",)),
    "steps": (
        [([(0, 1)], POSITIVE)],
        {**_PLACES, "common": 1},
        ("within", "systems", "samples", "steps"),
    ),
    "draws": ([(POSITIVE, [0], POSITIVE)], _PLACES, ("within", "systems", "samples")),
    "tally": ([(1, POSITIVE)], _PLACES, (None, "items")),
}
"""Forms of swaps by the field of their units: the shapes of these and of the other fields, and the designs."""
_BRACKETS_ONLY = ("effects", "draws")


def source_fields(source: Enclosable, random: Randomness | None) -> dict[str, Any]:
    """Return the fields of a record from which anyone can count again: what was swapped."""
    held: Any = source if isinstance(source, Swaps) else source.swaps
    rows: Iterable[object] = held.tally.items()
    chosen = None
    if isinstance(held, Lattice):
        kind = "effects"
    elif held.tied is None:
        kind = "tally"
    elif draws_of(held.tally) is None:
        kind = "steps"
    elif random == "samples" and len(held.tally) == held.n_units == 1:
        kind = "pool"
        ((chosen, values),) = held.tally
        rows = Counter(values).items()
    else:
        kind = "draws"
        rows = [(m, values, count) for (m, values), count in held.tally.items()]
    shape, others, _designs = _FORMS[kind]
    fields = {
        name: written(one, chosen if name == "chosen" else getattr(held, name))
        for name, one in others.items()
    }
    return {"swaps": {kind: written(shape, rows), **fields}}


def read_source(
    record: Fields, n: int, n_units: int, *, certified: bool
) -> tuple[Enclosable, Randomness | None]:
    """Return the swaps and the design of a record; ``ExactPermError`` for what is no canonical form.

    ``certified`` says that they may be draws, or those of several components.
    """
    inner = Fields(record["swaps"], "a test result")
    allowed = [kind for kind in _FORMS if certified or kind not in _BRACKETS_ONLY]
    kind = next((kind for kind in allowed if inner.get(kind) is not None), "tally")
    shape, others, designs = _FORMS[kind]
    rows = sorted(inner.read(kind, shape))
    known = {name: inner.read(name, one) for name, one in others.items()}
    design: Randomness | None = record.get("design")
    units_of = {"within": n, "items": n, "steps": n, "systems": 1}
    fits = design in designs and n_units == units_of.get(design or "", n_units)
    inner.demand(kind, fits, f"it is of another design than {short_text(design)}")
    number = sum([row[-1] for row in rows])
    if kind == "pool":
        fits = number == n <= _MOST_OBSERVATIONS
        inner.demand(kind, fits and known["chosen"] < n, "it must have n values, not all chosen")
        number = 1
    rule = "it must have n_units - ties units"
    inner.demand(kind, number + known["ties"] == n_units, rule)
    if kind == "effects":
        return _joint(record, inner, Lattice(tally=dict(rows), **known)), design
    units = _units(kind, rows, known.pop("chosen", 0))
    rule = "it must be in canonical form, ascending from 0 without a common divisor"
    inner.demand(kind, _is_canonical(units), rule)
    known["tied"] = None if kind == "tally" else known.pop("common", 1)
    swaps = Swaps(tally=units, **known)
    inner.demand("unit", swaps.unit > 0, "it must be above 0")
    rule = f"it must be at most the sum of the {kind}"
    inner.demand("observed", swaps.observed <= swaps.span, rule)
    return (_with_ties(record, swaps) if kind in ("steps", "draws") else swaps), design


def _units(kind: str, rows: list[Any], chosen: int) -> Any:
    """Return the units that rows of a record hold, ascending; ``chosen`` of the values of a pool."""
    if kind == "pool":
        return {(chosen, tuple(one_by_one(dict(rows)))): 1}
    if kind == "draws":
        return {(m, tuple(sorted(values))): count for m, values, count in rows}
    if kind == "steps":
        return {tuple(sorted(dict(step).items())): count for step, count in rows}
    return dict(rows)


def _values(unit: Any) -> tuple[int, ...]:
    """Return the values of a unit; those of a draw only where it leaves some out."""
    if isinstance(unit, int):
        return 0, unit
    if not isinstance(unit[0], int):
        return tuple([value for value, _weight in unit])
    m, values = unit
    return values if m < len(values) else ()


def _is_canonical(units: Any) -> bool:
    """Return whether the values of all units ascend from 0, without a common divisor."""
    every = [_values(unit) if unit else () for unit in units]
    rise = [(0,) == values[:1] < values[-1:] for values in every]
    return all(rise) and gcd(*chain.from_iterable(every)) < 2


def _with_ties(record: Fields, swaps: Swaps) -> Swaps:
    """Return steps or draws with the assignments of their ties, which the total tells."""
    total = record.read("total", 1)
    # The product of the choices is no longer than the total, so that it may be computed.
    each = [(choices({unit: 1}).bit_length() - 1) * n for unit, n in swaps.tally.items()]
    fits = sum(each) < total.bit_length() and total % choices(swaps.tally) == 0
    record.demand("total", fits, "it must be a number of labelings of its swaps")
    return replaced(swaps, tied=total // choices(swaps.tally))


def _joint(record: Fields, inner: Fields, swaps: Lattice) -> JointTails:
    """Return the swaps of several components, whose statistic is one of the ready ones."""
    from .joint import JointTails

    width = len(f1_difference.components)
    fits = (
        swaps.rank <= 2
        and {len(vector) for vector in (swaps.low, *swaps.basis)} == {width}
        and {len(point) for point in (swaps.observed, *swaps.tally)} == {swaps.rank}
        and min(swaps.tally, default=(1,)) > (0,) * swaps.rank
    )
    inner.demand("effects", fits, "it must have one or two coordinates, ascending from 0")
    name = record["statistic_name"]
    record.demand("statistic_name", name in list(READY), "its tails cannot be computed again")
    return JointTails(swaps=swaps, rule=READY[name])
