"""Records of results: written, read back, pickled; and damaged in one place, then refused or equal to the original."""

import copy
import json
import math
import pickle
from fractions import Fraction
from random import Random

import exactperm
from tests.fuzz import cases
from tests.fuzz.oracle import ALTERNATIVES

JUNK = [
    *json.loads(
        """[null, true, false, 0, -1, 1, 2, 3, 64, 1000000, 1000000000000, 1000000000000000000000000000000,
        -1000000000000000000000000000000, 0.5, 1.5, -0.0, 1e308, NaN, Infinity, "", " ", "x", "0", "1", "-1",
        "1/2", "1/0", "0/5", "0.5", "1e5", "1_0", "nan", "inf", "0x", "0x1", "-0x1", "0x1/0x2", "1/2/3", "+1",
        "\\u0663", "two-sided", "dp", [], [[]], [1, 2, 3], ["1", "2"], {}, {"a": 1}, [null], [["1", 1]],
        [["1", -1]], [["1", 1], ["1", 1]]]"""
    ),
    *("9" * 5000, "0x" + "f" * 5000),
]
"""What may stand in place of any part of a record: values of JSON."""
RATIOS = tuple(f"{name}_difference" for name in ("ratio", "precision", "recall", "f1"))
FREE = {("method",)}
"""Fields of which a record's other fields say nothing, and a new count says nothing either."""


def draw_records(rng):
    return {
        "rows": cases.pairs(rng, rng.randint(1, 6)),
        "kind": rng.choice(("test", "test", "ratio", "float")),
        "alternative": rng.choice(ALTERNATIVES),
        "changes": rng.choice((0, 1, 1, 1, 1, 2, 5)),
        "salt": rng.random(),
    }


def check_records(case, held):
    """A record that was written reads back as an equal value; a damaged one is refused, or still means the same."""
    rng, value = Random(case["salt"]), _made(case)
    data = json.loads(json.dumps(value.to_dict()))
    held.same("read back", type(value).from_dict(data), value)
    held.same("pickled", pickle.loads(pickle.dumps(value)), value)
    held.same("written again", json.loads(json.dumps(type(value).from_dict(data).to_dict())), data)
    places = [damage(rng, data) for _ in range(case["changes"])]
    try:
        again = type(value).from_dict(data)
    except exactperm.ExactPermError:
        held.refused += 1
        return
    held.true("repr", isinstance(repr(again), str))
    written = json.loads(json.dumps(again.to_dict()))
    data["version"] = written.get("version")  # any text: it is no claim
    held.true("every field", _agrees(data, written), f"{data} was accepted as {written}")
    if again != value and not set(places) <= FREE:
        held.true(
            "a damaged record",
            _recounted(again),
            f"{places} changed, yet accepted: {again!r} from {value!r}",
        )


def _agrees(data, written):
    """Whether JSON data say all that was written, in whatever spelling; more fields are allowed."""
    if isinstance(written, dict) and isinstance(data, dict):
        return all(name in data and _agrees(data[name], written[name]) for name in written)
    if isinstance(written, list):
        return (
            isinstance(data, list)
            and len(data) == len(written)
            and all(map(_agrees, data, written))
        )
    if isinstance(written, float):  # the last digit of a logarithm is that of the C library
        return isinstance(data, (int, float)) and math.isclose(data, written, rel_tol=1e-12)
    return (data == written and type(data) is float) or _number(data) == _number(written)


def _integer(text):
    return 1 << int(text[2:]) if text.startswith("2^") else int(text, 16 if "x" in text else 10)


def _number(value):
    try:
        numerator, _, denominator = str(value).partition("/")
        return Fraction(_integer(numerator), _integer(denominator or "1"))
    except (ValueError, ZeroDivisionError):
        return str(value).lstrip("+0") or "0"


def _recounted(result):
    """Whether counting again refuses a record that is sound in itself, or confirms it as another true result."""
    try:
        return not hasattr(result, "recount") or result.recount() is not None
    except exactperm.ExactPermError:
        return True


def _made(case):
    rng, rows, alternative = Random(case["salt"]), case["rows"], case["alternative"]
    u, v = zip(*rows)
    if case["kind"] == "float":
        return exactperm.fast_permutation_test(
            u, v, alternative=alternative, digits=rng.choice((3, 17, 40))
        )
    if case["kind"] == "ratio":
        u, v = ([(abs(Fraction(x)), rng.randint(1, 3)) for x in column] for column in (u, v))
        statistic = getattr(exactperm, rng.choice(RATIOS))
        return exactperm.permutation_test(u, v, statistic=statistic, alternative=alternative)
    return exactperm.permutation_test(u, v, alternative=alternative)


# ------------------------------------------------------------------------------------------ damage


def damage(rng, data):
    """Change one entry of JSON data somewhere; return its place, a path without numbers."""
    path = rng.choice(list(_paths(data)) or [("x",)])
    if path == ("x",):
        data["x"] = None
    holder = data
    for key in path[:-1]:
        holder = holder[key]
    key, kind = path[-1], rng.random()
    if kind < 0.1:
        del holder[key]
    elif kind < 0.2 and isinstance(holder, list):
        holder.insert(rng.randint(0, len(holder)), copy.deepcopy(holder[key]))
    elif kind < 0.3 and isinstance(holder, list):
        rng.shuffle(holder)
    elif kind < 0.35 and isinstance(holder, dict):
        holder[rng.choice(("x", key + "s", "", "pvalue", "swaps", "units"))] = copy.deepcopy(
            rng.choice(JUNK)
        )
    elif kind < 0.6:
        holder[key] = _nudged(rng, holder[key])
    else:
        holder[key] = copy.deepcopy(rng.choice(JUNK))
    return tuple(part for part in path if isinstance(part, str))


def _paths(data, path=()):
    entries = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    )
    for key, value in entries:
        yield (*path, key)
        yield from _paths(value, (*path, key))


def _nudged(rng, value):
    """A value that is nearly the same."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, (int, float)):
        return rng.choice(
            (value + 1, value - 1, -value, value * 2, value * 10**9, float(value), str(value))
        )
    if isinstance(value, str) and value:
        i = rng.randrange(len(value))
        return rng.choice(
            (
                value[:i] + rng.choice("0123456789/-x.") + value[i + 1 :],
                value[:i] + value[i + 1 :],
                value * 2,
            )
        )
    return [value]
