"""Records of certified brackets of several components, such as F1: the joint effects, and their tails again.

Source: spec/ratio-inversion.md.
"""

from __future__ import annotations

from .._types import Any
from ..arithmetic.quoting import short_text
from ..arithmetic.writing import exact_text
from ..errors import ExactPermError
from ..swaps.lattice import Lattice
from ..swaps.metrics import f1_difference, precision_difference, ratio_difference, recall_difference
from .fields import Fields
from .joint_tails import JointTails

READY = {
    one.name: one
    for one in (f1_difference, precision_difference, recall_difference, ratio_difference)
}
"""Statistics whose brackets can be computed again from a record, which holds their names; others
are only claimed."""


def effects_fields(tails: JointTails) -> dict[str, Any]:
    """Return the fields of a record from which a bracket is computed again: the tally of joint effects."""
    swaps = tails.swaps
    return {
        "swaps": {
            "effects": [
                [list(map(exact_text, delta)), count] for delta, count in swaps.tally.items()
            ],
            "ties": swaps.ties,
            "low": list(map(exact_text, swaps.low)),
            "basis": [list(map(exact_text, vector)) for vector in swaps.basis],
            "scale": exact_text(swaps.scale),
            "observed": list(map(exact_text, swaps.observed)),
        }
    }


def read_tails(record: Fields, n_units: int) -> JointTails:
    """Return the tails of a ready statistic in a record of so many units, checked for what counting needs."""
    name = record["statistic_name"]
    if name not in READY:
        raise ExactPermError(
            f"statistic_name of the record is {short_text(name)}: its tails cannot be computed again"
        )
    rule = READY[name]
    inner = Fields(record["swaps"], "a test result")

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
    for i, entry in enumerate(inner.listed("effects")):
        place = f"effects[{i}]"
        inner.demand(
            place,
            isinstance(entry, (list, tuple)) and len(entry) == 2,
            "it must be [effect, number]",
            entry,
        )
        delta = vector(place, entry[0], len(basis))
        inner.demand(place, delta > last, "effects must ascend from 0", entry)
        tally[delta] = inner.whole(place, entry[1], 1)
        last = delta
    ties = inner.integer("ties", most=n_units)
    inner.demand(
        "effects", sum(tally.values()) + ties == n_units, "they must have n_units - ties units"
    )
    swaps = Lattice(
        tally=tally,
        ties=ties,
        low=vector("low", inner["low"], width),
        basis=basis,
        scale=inner.integer("scale", 1),
        observed=vector("observed", inner["observed"], len(basis)),
    )
    return JointTails(swaps=swaps, rule=rule)
