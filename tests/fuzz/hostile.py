"""Every public function with one argument that no user should pass: a named error, or an answer that can be shown."""

import array
import datetime
import enum
import inspect
import json
import numbers
import pickle
import re
import traceback
from collections import Counter, deque
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random

import exactperm
from exactperm.certificates.certify import CERTIFIED
from exactperm.files.reading import FIELD
from exactperm.files.table import Ask

DARWIN = str(Path(__file__).parent.parent / "data" / "audit" / "darwin.csv")


class Missing:
    """As pandas.NA: compares to something without a truth value."""

    def __eq__(self, _other):
        return self

    __lt__ = __le__ = __gt__ = __ge__ = __add__ = __sub__ = __mul__ = __eq__

    def __hash__(self):
        return 7

    def __bool__(self):
        raise TypeError("boolean value of NA is ambiguous")


class Scalar:
    """As an array library's scalar, with any dtype and value."""

    ndim = 0

    def __init__(self, value, dtype):
        self.value, self.dtype = value, dtype

    def item(self):
        return self if self.value is ... else self.value


class Array:
    """As an array of any dimension: element-wise comparison, no truth value."""

    def __init__(self, values, dtype, ndim=1):
        self.values, self.dtype, self.ndim, self.shape = values, dtype, ndim, (len(values),)

    def tolist(self):
        return list(self.values)

    def __iter__(self):
        return iter(self.values)

    def __len__(self):
        return len(self.values)

    def __eq__(self, other):
        return Array([x == other for x in self.values], "bool")

    __hash__ = None

    def __bool__(self):
        raise ValueError("the truth value of an array is ambiguous")


class Unshown:
    """Raises where it is shown."""

    def __repr__(self):
        raise RuntimeError("no repr")


class Words(str):
    """A text whose repr is not that of a text."""

    __slots__ = ()

    def __repr__(self):
        return "x" * 10**5


@numbers.Rational.register
class Third:
    """A rational number that is no Fraction, without arithmetic; its denominator can be 0."""

    __hash__ = None

    def __init__(self, numerator, denominator):
        self.numerator, self.denominator = numerator, denominator


Colour = enum.IntEnum("Colour", "RED BLUE")
NAN = float("nan")

VALUES = (
    None,
    True,
    False,
    0,
    -1,
    1,
    2,
    3,
    10**30,
    -(10**400),
    10**5000,
    0.5,
    -0.0,
    5e-324,
    1e308,
    NAN,
    -NAN,
    float("inf"),
    float("-inf"),
    1j,
    complex(NAN, 0),
    Decimal("NaN"),
    Decimal("sNaN"),
    Decimal("-Infinity"),
    Decimal("1e999999"),
    Decimal("0.5"),
    Fraction(1, 3),
    Fraction(-7, 10**40),
    Third(1, 3),
    Third(1, 0),
    "",
    " ",
    "abc",
    "nan",
    "inf",
    "1/0",
    "1e999999999",
    "9" * 5000,
    "1_0",
    "\0",
    "0.5",
    "-1",
    "1e-3",
    "two-sided",
    "greater",
    "holm",
    "dp",
    "auto",
    b"0.5",
    bytearray(b"1"),
    memoryview(b"12"),
    Words("0.5"),
    Words("q"),
    [],
    (),
    {},
    set(),
    frozenset((0.5, 1)),
    [[1]],
    [[1, 2], [3]],
    [1, 2, 3],
    (1, 0, 2),
    {1: 2},
    {"a": [1]},
    {0.5: 1},
    [1, None, 2],
    [NAN, 1, 2],
    [1, [2], 3],
    ["a", "b", "c"],
    [(1, 2), (0, 1), (1, 1)],
    [{1, 2}, {1}, {2}],
    range(3),
    array.array("f", [0.1, 0.2, 0.3]),
    array.array("d", [0.1, 2, 3]),
    deque([1, 2, 3]),
    Counter("abc"),
    Colour.RED,
    object(),
    object,
    Ellipsis,
    NotImplemented,
    datetime.date(2020, 1, 1),
    Unshown(),
    [Unshown()] * 3,
    Missing(),
    [Missing(), 1, 2],
    Scalar(0.1, "float32"),
    Scalar(..., "float64"),
    Scalar(None, "object"),
    Scalar(1, "timedelta64"),
    Array([1, 2, 3], "int64"),
    Array([1, 2, 3], "complex128"),
    Array([[1], [2]], "int64", 2),
    Array([], "float16"),
    Array(["greater"], "str"),
    Array([NAN, 1, 2], "float64"),
    Array([1, 2], "datetime64[ns]"),
    len,
    max,
    abs,
    lambda *_: None,
    lambda *_: 0.5,
    lambda *_: NAN,
    lambda *_: Missing(),
    lambda *_: [],
    lambda *_: 1,
    exactperm.difference,
    exactperm.f1_difference,
    exactperm.Budget(seconds=5),
    exactperm.Budget,
    Random(1),
    Random,
)
ITERATORS = (
    lambda: iter([1, 2, 3]),
    lambda: (x for x in (1, None, 2)),
    lambda: iter(()),
    lambda: map(len, ["a", "b", ""]),
)


def _minus(a, b):
    return a - b


def _size(x):
    return abs(x)


def _gap(u, v):
    return sum(u) - sum(v)


CLAIM = {"p": "p = .5", "data": [1, 2]}
U, V = [3, 1, 2], [1, 0, 2]
SAMPLES = {"x": U}
RUNS = {"u": [[3, 1], [1]], "v": [[1], [0, 2]], "design": "within"}

KNOWN = {
    **{"u": U, "v": V, "d": U, "x": 1, "y": [0, 2], "scores": {"a": U, "b": V}, "gold": ["N", "V"]},
    **{"groups": [1, 2, 2], "decimals": 1, "budget": exactperm.Budget(seconds=5), "digits": 3},
    **{"steps": [{0: 1, 2: 3}, {0: 1, 1: 1}], "observed": 2, "pmfs": [{1: 1, -1: 1}], "n": 5},
    **{"g": _minus, "gs": (_minus, max), "h": _size, "t": _gap, "components": (_minus,)},
    **{"p_gain": "0.3", "p_loss": "0.1", "power": "0.5", "risk": "0.1", "b": 3, "c": 1, "q": "0.5"},
    **{"alpha": "0.05", "p": "0.1", "pvalues": [0.5, 0.1], "confidence": "0.9", "precision": "0.1"},
    **{"K": 9, "rng": 1, "bits": 9, "epsilon": 0.1, "k": 9, "max_samples": 9, "value": "0.5"},
    **{"claims": [CLAIM], "claim": CLAIM, "text": "p < .001", "paths": DARWIN, "data": b"1\n2\n"},
    "result": exactperm.sign_flip_test([1, 2]),
}
"""What each argument is where another one is attacked, by its name; of all others the default."""

OWN = {
    **dict.fromkeys(("permutation_test_runs", "fast_permutation_test_runs"), RUNS),
    **dict.fromkeys(("two_sample_test", "fast_two_sample_test", "mann_whitney_test"), SAMPLES),
    "exact_perm_test_m": {"h": max},
    "sequential_monte_carlo": {"alpha": 0.5},
    "bootstrap_interval": {"scores": U},
}
"""The same where a function needs another value."""

RESULTS = {
    "NullDistribution": exactperm.sign_flip_test([1, 2, 2]).null_distribution,
    "FloatResult": exactperm.fast_permutation_test([1, 2, 2], [0, 0, 5]),
    "AdjustedPValues": exactperm.adjust_pvalues(["0.1", "0.2"], "sidak"),
    "Influence": exactperm.influence([1, 2, 2], [0, 0, 5]),
    "ConfidenceInterval": exactperm.confidence_interval([1, 2, 2, 7], confidence="0.7"),
    "MonteCarloEstimate": exactperm.monte_carlo_estimate("0.1", 9, adjusted=False),
}
METHODS = """NullDistribution.pmf NullDistribution.cdf NullDistribution.sf NullDistribution.pvalue
NullDistribution.quantile NullDistribution.critical_value FloatResult.decimal_bracket FloatResult.recount
AdjustedPValues.reject Influence.greedy_removals ConfidenceInterval.decimal_ends
ConfidenceInterval.sentence MonteCarloEstimate.interval MonteCarloEstimate.mean_error_bounds"""


def called(name):
    """Return a public function, or a method of a result, and its arguments in a call that works."""
    holder, _, method = name.partition(".")
    function = getattr(RESULTS[holder], method) if method else getattr(exactperm, name)
    parameters = inspect.signature(function).parameters
    known = {**KNOWN, **OWN.get(name, {})}
    given = {each: known.get(each, about.default) for each, about in parameters.items()}
    if given.pop("settings", None) is not None:  # of reading, by name
        given.update(dict.fromkeys(FIELD if "paths" in given else CERTIFIED))
    if "paths" in given:
        return (lambda paths, **settings: function(paths, **settings)), given  # noqa: PLW0108
    return function, given


def public_functions():
    """The public functions, and the two classes that users call; all other classes are errors and results."""
    public = {name: getattr(exactperm, name, None) for name in exactperm.__all__}  # of wings here
    return [*filter(lambda name: inspect.isfunction(public[name]), public), "Budget", "Statistic"]


CALLS = {name: called(name) for name in (*public_functions(), *METHODS.split())}

ALIASES = {
    "accuracies": "(accuracies|accuracy)",
    "paths": "(paths|cannot read)",
    "g": "(g|components)",
    "gs": "(g|gs|components)",
    "t": "(t|u|v)",
    "claims": "(claims|cannot read)",
    "text": "(text|printed p-value)",
    "h": "(h|combine)",
}
FUNCTIONS = {
    *["g", "h", "gs", "t", "statistic", "read", "progress", "executor", "combine", "components"]
}
"""Arguments that are, or hold, functions of the user: what these raise is the user's affair."""
COLUMNS = {
    *["u", "v", "d", "groups", "weights", "tasks", "scores", "pvalues", "min_attainable", "gold"]
}


def draw_hostile(rng):
    name = rng.choice(list(CALLS))
    argument = rng.choice(list(CALLS[name][1]))
    entry = argument in COLUMNS and rng.random() < 0.4
    kind = "entry" if entry else "iterator" if rng.random() < 0.06 else "value"
    return {
        "function": name,
        "argument": argument,
        "kind": kind,
        "value": rng.randrange(len(VALUES)),
        "salt": rng.random(),
    }


def check_hostile(case, held):
    """Nothing but named errors; what is accepted has a repr, pickles and is written as JSON."""
    name, argument = case["function"], case["argument"]
    try:
        function, good = CALLS[name]
        result = function(**{**good, argument: _value(case, good[argument])})
    except exactperm.ExactPermError as error:
        held.refused += 1
        held.true("argument named", _names(argument, error), f"{argument}: {error}")
        return
    except Exception as error:
        frames = {frame.name for frame in traceback.extract_tb(error.__traceback__)}
        if argument not in FUNCTIONS and not frames & {"_minus", "_gap", "_size"}:
            raise
        held.refused += 1
        return
    held.true("repr", isinstance(repr(result), str))
    if hasattr(result, "to_dict"):
        json.dumps(result.to_dict())
        held.true("JSON", True)
    if name == "permutation_test" and argument not in FUNCTIONS:
        held.same("pickled", pickle.loads(pickle.dumps(result)), result)


def _names(argument, error):
    """Whether a message names the argument: itself, or what a function of the user made of it, or how long it is."""
    if isinstance(error, (exactperm.BudgetExceeded, Ask)):  # it has the file, or the argument
        return True
    words = rf"\b{ALIASES.get(argument, argument)}\b|\bt returned|labels for \d+ pairs|decimals is 1|rules of reading"
    return re.search(words, str(error)) is not None


def _value(case, good):
    rng, value = Random(case["salt"]), VALUES[case["value"]]
    if case["kind"] == "iterator":
        return rng.choice(ITERATORS)()
    if case["kind"] == "value":
        return value
    if isinstance(good, dict):
        return {**good, rng.choice(("a", "c", 7, None)): value}
    column = list(good or [1, 2, 2])
    column[rng.randrange(len(column))] = value
    return rng.choice((list, tuple, iter))(column)
