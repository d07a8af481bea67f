"""The result of a certified test of several components, such as F1: a bracket of its p-value, and its record."""

from __future__ import annotations

from functools import cached_property

from ..arithmetic.enclosure import Enclosure
from ..arithmetic.quoting import short_text
from ..arithmetic.writing import exact_text
from ..errors import ExactPermError
from ..swaps.lattice import Lattice
from ..swaps.metrics import f1_difference, precision_difference, ratio_difference, recall_difference
from .fields import Fields
from .float_result import FloatResult, TailPair
from .joint_tails import JointTails, joint_tails

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..budget import Budget, Progress
    from .alternative import Alternative

READY = {one.name: one for one in (f1_difference, precision_difference, recall_difference, ratio_difference)}
"""Statistics whose brackets can be computed again from a record, which holds their names."""


class JointFloatResult(FloatResult):
    """A certified bracket of the exact p-value of a statistic of several components; see :class:`FloatResult`."""

    _swaps: JointTails  # type: ignore[assignment]

    @cached_property
    def _tails(self) -> TailPair:
        factor, weak = self._swaps.least(self.alternative, self.digits, self._budget)
        _, strict = self._swaps.least(self.alternative, self.digits, self._budget, strict=True)
        scale = max(-weak.exponent, -strict.exponent)
        return TailPair(
            weak=weak.fixed(scale),
            strict=strict.fixed(scale),
            scale=scale,
            at_centre=False,
            alternative=self.alternative,
            factor=factor,
        )

    def _again(self) -> FloatResult:
        return joint_bracketed(self._swaps, self.n, self.alternative, self.digits, self._budget)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form, as of every certified result; "swaps" holds the tally of joint effects.

        A statistic of one's own is not in the package, so that its record has no proof, but a claim.
        """
        record = super().to_dict()
        return record if self._name in READY else {**record, "claim": "claimed"}

    def _source(self) -> dict[str, Any]:
        swaps = self._swaps.swaps
        return {
            "swaps": {
                "effects": [[list(map(exact_text, delta)), count] for delta, count in swaps.tally.items()],
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
        raise ExactPermError(f"statistic_name of the record is {short_text(name)}: its tails cannot be computed again")
    rule = READY[name]
    inner = Fields(record["swaps"], "a test result")

    def vector(field: str, value: Any, length: int, least: int | None = None) -> tuple[int, ...]:
        fits = isinstance(value, (list, tuple)) and len(value) == length
        inner.demand(field, fits, f"it must be {length} integers", value)
        found = tuple(inner.whole(field, x, -(10**4000)) for x in value)
        inner.demand(field, least is None or min(found, default=0) >= least, "it must not be negative", value)
        return found

    width = len(rule.components)
    basis = tuple(vector(f"basis[{i}]", one, width) for i, one in enumerate(inner.listed("basis")))
    inner.demand("basis", len(basis) <= 2, "it must have two vectors at most")
    tally: dict[tuple[int, ...], int] = {}
    last = (0,) * len(basis)
    for i, entry in enumerate(inner.listed("effects")):
        place = f"effects[{i}]"
        inner.demand(place, isinstance(entry, (list, tuple)) and len(entry) == 2, "it must be [effect, number]", entry)
        delta = vector(place, entry[0], len(basis))
        inner.demand(place, delta > last, "effects must ascend from 0", entry)
        tally[delta] = inner.whole(place, entry[1], 1)
        last = delta
    ties = inner.integer("ties", most=n_units)
    inner.demand("effects", sum(tally.values()) + ties == n_units, "they must have n_units - ties units")
    swaps = Lattice(
        tally=tally,
        ties=ties,
        low=vector("low", inner["low"], width),
        basis=basis,
        scale=inner.integer("scale", 1),
        observed=vector("observed", inner["observed"], len(basis)),
    )
    return joint_tails(swaps, rule, record["alternative"])


def joint_bracketed(
    tails: JointTails,
    n: int,
    alternative: Alternative,
    digits: int | None,
    budget: Budget,
    *,
    progress: Progress | None = None,
) -> JointFloatResult:
    """Compute the bracket of the p-value of ``n`` pairs from the tails of their statistic."""
    factor, least = tails.least(alternative, digits, budget, progress=progress)
    lower, upper, exponent = least
    both = factor * lower, factor * upper
    scale = max(0, -exponent)
    low, high = Enclosure(*both, exponent).fixed(scale)
    return JointFloatResult(
        bracket=Enclosure(min(low, 1 << scale), min(high, 1 << scale), -scale),
        digits=digits,
        statistic=tails.statistic,
        alternative=alternative,
        n=n,
        _swaps=tails,
        _budget=budget,
        _name=str(tails.rule.name),
    )
