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


class Third(numbers.Rational):
    """A rational number that is no Fraction; its denominator can be 0."""

    def __init__(self, numerator, denominator):
        self._parts = numerator, denominator

    numerator = property(lambda self: self._parts[0])
    denominator = property(lambda self: self._parts[1])

    def _no(self, *_):
        return NotImplemented

    __abs__ = __add__ = __ceil__ = __eq__ = __floor__ = __floordiv__ = __le__ = __lt__ = __mod__ = (
        __mul__
    ) = __neg__ = _no
    __pos__ = __pow__ = __radd__ = __rfloordiv__ = __rmod__ = __rmul__ = __round__ = __rpow__ = (
        __rtruediv__
    ) = _no
    __truediv__ = __trunc__ = _no
    __hash__ = None


Colour = enum.IntEnum("Colour", "RED BLUE")
NAN = float("nan")

VALUES = (
    *(
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
    ),
    *(
        float("inf"),
        float("-inf"),
        1j,
        complex(NAN, 0),
        Decimal("NaN"),
        Decimal("sNaN"),
        Decimal("-Infinity"),
    ),
    *(
        Decimal("1e999999"),
        Decimal("0.5"),
        Fraction(1, 3),
        Fraction(-7, 10**40),
        Third(1, 3),
        Third(1, 0),
    ),
    *(
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
    ),
    *(
        "greater",
        "holm",
        "dp",
        "auto",
        b"0.5",
        bytearray(b"1"),
        memoryview(b"12"),
        Words("0.5"),
        Words("q"),
    ),
    *(
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
    ),
    *(
        [1, None, 2],
        [NAN, 1, 2],
        [1, [2], 3],
        ["a", "b", "c"],
        [(1, 2), (0, 1), (1, 1)],
        [{1, 2}, {1}, {2}],
        range(3),
    ),
    *(
        array.array("f", [0.1, 0.2, 0.3]),
        array.array("d", [0.1, 2, 3]),
        deque([1, 2, 3]),
        Counter("abc"),
        Colour.RED,
    ),
    *(
        object(),
        object,
        Ellipsis,
        NotImplemented,
        datetime.date(2020, 1, 1),
        Unshown(),
        [Unshown()] * 3,
        Missing(),
    ),
    *(
        [Missing(), 1, 2],
        Scalar(0.1, "float32"),
        Scalar(..., "float64"),
        Scalar(None, "object"),
        Scalar(1, "timedelta64"),
    ),
    *(
        Array([1, 2, 3], "int64"),
        Array([1, 2, 3], "complex128"),
        Array([[1], [2]], "int64", 2),
        Array([], "float16"),
    ),
    *(
        Array(["greater"], "str"),
        Array([NAN, 1, 2], "float64"),
        Array([1, 2], "datetime64[ns]"),
        len,
        max,
        abs,
    ),
    *(
        lambda *_: None,
        lambda *_: 0.5,
        lambda *_: NAN,
        lambda *_: Missing(),
        lambda *_: [],
        lambda *_: 1,
    ),
    *(
        exactperm.difference,
        exactperm.f1_difference,
        exactperm.Budget(seconds=5),
        exactperm.Budget,
        Random(1),
        Random,
    ),
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
COMMON = {"alternative": "two-sided", "decimals": 1, "budget": exactperm.Budget(seconds=5)}
TEST = {**COMMON, "method": "auto", "groups": [1, 2, 2], "progress": None, "executor": None}
SAMPLED = {"rng": 1, "groups": None, "allow_floats": False, "progress": None}

WEIGHED = {"weights": None, "tasks": None}
RUNS = {
    "u": [[3, 1], [1]],
    "v": [[1], [0, 2]],
    "design": "within",
    "weights": None,
    "progress": None,
    **COMMON,
}

STEPS = {"steps": [{0: 1, 2: 3}, {0: 1, 1: 1}], "observed": 2, "progress": None}
SHORT = {"alternative": "two-sided", "budget": COMMON["budget"]}
SAMPLES = {"x": U, "y": [0, 2], "strata": None, "weights": None, "progress": None, **COMMON}
SHARES = {"p_gain": "0.3", "p_loss": "0.1", "alpha": "0.05", **SHORT}

CALLS = {
    "sum_test": {**STEPS, "method": "auto", **SHORT},
    "fast_sum_test": {**STEPS, "digits": 3, **SHORT},
    "two_sample_test": SAMPLES,
    "fast_two_sample_test": {**SAMPLES, "digits": 3},
    "mann_whitney_test": SAMPLES,
    "power": {"n": 5, **SHARES},
    "items_needed": {"power": "0.5", **SHARES},
    "permutation_test": {"u": U, "v": V, "statistic": exactperm.difference, **WEIGHED, **TEST},
    "permutation_test_runs": {**RUNS, "method": "auto"},
    "fast_permutation_test_runs": {**RUNS, "digits": 3},
    "sign_flip_test": {"d": U, **TEST},
    "exact_perm_test": {"u": U, "v": V, "g": _minus, "h": _size, "budget": None},
    "exact_perm_test_m": {"u": U, "v": V, "gs": (_minus, max), "h": max, "budget": None},
    "fast_permutation_test": {
        "u": U,
        "v": V,
        "statistic": exactperm.difference,
        "groups": None,
        "digits": 17,
        "progress": None,
        **WEIGHED,
        **COMMON,
    },
    "fast_sign_flip_test": {"d": U, "groups": None, "digits": 3, "progress": None, **COMMON},
    "is_significant": {"u": U, "v": V, "alpha": "0.05", "groups": None, "strict": False, **COMMON},
    "sign_test": {"u": U, "v": V, "mu": 0, **COMMON},
    "mcnemar_test": {"b": 3, "c": 1, "alternative": "less", "budget": None},
    "fast_wilcoxon_signed_rank_test": {
        "u": U,
        "v": V,
        "zero_method": "pratt",
        "mu": 0,
        "digits": 3,
        "progress": None,
        **COMMON,
    },
    "wilcoxon_signed_rank_test": {"u": U, "v": V, "zero_method": "pratt", "mu": 0, **COMMON},
    "influence": {"u": U, "v": V, **COMMON},
    "confidence_interval": {
        "u": U,
        "v": V,
        "confidence": "0.9",
        "groups": None,
        "precision": "0.1",
        "progress": None,
        **COMMON,
    },
    "simultaneous_intervals": {
        "scores": {"a": U, "b": V},
        "confidence": "0.9",
        "adjust": "sidak",
        "groups": [1, 2, 2],
        "precision": "0.1",
        "executor": None,
        "progress": None,
        **COMMON,
    },
    "certify": {
        "result": exactperm.sign_flip_test([1, 2]),
        "data": b"1\n2\n",
        "columns": None,
        "id": None,
        "groups": None,
        "delimiter": None,
        "header": None,
    },
    "read_scores": {"paths": DARWIN, **dict.fromkeys(FIELD)},
    "compare_all": {
        "scores": {"a": U, "b": V},
        "adjust": "holm",
        "statistic": exactperm.difference,
        "design": None,
        **WEIGHED,
        **TEST,
    },
    "convolve_dp": {"pmfs": [{1: 1, -1: 1}]},
    "convolve_ntt": {"pmfs": [{1: 1, -1: 1}]},
    "adjust_pvalues": {
        "pvalues": [0.5, 0.1],
        "method": "holm",
        "min_attainable": None,
        "n": 3,
        "budget": None,
    },
    "monte_carlo": {
        "u": U,
        "v": V,
        "g": _minus,
        "h": _size,
        "K": 9,
        "rng": 1,
        "adjusted": False,
        "budget": None,
    },
    "monte_carlo_test": {
        "u": U,
        "v": V,
        "t": _gap,
        "alternative": "greater",
        "design": None,
        "K": 9,
        "adjusted": True,
        "executor": None,
        "budget": None,
        **SAMPLED,
    },
    "sequential_monte_carlo": {
        "u": U,
        "v": V,
        "t": _gap,
        "alternative": "greater",
        "alpha": 0.5,
        "epsilon": 0.1,
        "k": 9,
        "max_samples": 9,
        **SAMPLED,
    },
    "bootstrap_interval": {
        "scores": U,
        "K": 9,
        "rng": 1,
        "confidence": "0.9",
        "statistic": None,
        "budget": None,
    },
    "paired_bootstrap": {"u": U, "v": V, "K": 9, "rng": 1, "budget": None},
    "monte_carlo_estimate": {"p": "0.1", "K": 9, "adjusted": False},
    "monte_carlo_risk": {"p": "0.1", "alpha": "0.05", "K": 9, "adjusted": False, "strict": False},
    "monte_carlo_risk_bounds": {
        "p": "0.1",
        "alpha": "0.05",
        "K": 9,
        "adjusted": False,
        "strict": False,
        "bits": 9,
        "budget": None,
    },
    "samples_needed": {
        "p": "0.1",
        "alpha": "0.5",
        "risk": "0.1",
        "adjusted": False,
        "strict": False,
    },
    "attainable": {
        "n": 5,
        "accuracies": None,
        "test": "difference",
        "alternative": "two-sided",
        "boundary": ">=",
        "samples": None,
        "estimate": None,
        "runs": None,
        "design": None,
        "total": None,
    },
    "audit": {
        "claims": [CLAIM],
        "alpha": "0.05",
        "budget": None,
        "strict": False,
        "max_input": 2**28,
        "root": None,
        "executor": None,
        "progress": None,
    },
    "audit_claim": {"claim": CLAIM, "alpha": "0.05", "budget": None},
    "read_pvalue": {"text": "p < .001", "digits": None},
    "decimal_string": {"value": "0.5", "digits": 9},
    "Budget": {"seconds": 1.0, "bytes": 2**20},
    "accuracy": {"gold": ["N", "V"]},
    "Statistic": {
        "components": (_minus,),
        "combine": abs,
        "name": "x",
        "read": None,
        "monotone": None,
        "antisymmetric": False,
    },
}
RESULTS = {
    "NullDistribution": exactperm.sign_flip_test([1, 2, 2]).null_distribution,
    "FloatResult": exactperm.fast_permutation_test([1, 2, 2], [0, 0, 5]),
    "AdjustedPValues": exactperm.adjust_pvalues(["0.1", "0.2"], "sidak"),
    "Influence": exactperm.influence([1, 2, 2], [0, 0, 5]),
    "ConfidenceInterval": exactperm.confidence_interval([1, 2, 2, 7], confidence="0.7"),
    "MonteCarloEstimate": exactperm.monte_carlo_estimate("0.1", 9, adjusted=False),
}
METHODS = {
    "NullDistribution.pmf": {"x": 1},
    "NullDistribution.cdf": {"x": 1},
    "NullDistribution.sf": {"x": 1},
    "NullDistribution.pvalue": {"x": 1, "alternative": "less"},
    "NullDistribution.quantile": {"q": "0.5"},
    "NullDistribution.critical_value": {"alpha": "0.5", "alternative": "less"},
    "FloatResult.decimal_bracket": {"digits": 3},
    "FloatResult.recount": {"budget": None},
    "AdjustedPValues.reject": {"alpha": "0.05", "strict": False},
    "Influence.greedy_removals": {"alpha": "0.05", "strict": False},
    "ConfidenceInterval.decimal_ends": {"places": 2},
    "ConfidenceInterval.sentence": {"decimals": 2},
    "MonteCarloEstimate.interval": {"coverage": "0.9"},
    "MonteCarloEstimate.mean_error_bounds": {"bits": 9},
}
CALLS.update(METHODS)

ALIASES = {
    "accuracies": "(accuracies|accuracy)",
    "columns": "(columns|rules of reading)",
    "paths": "(paths|cannot read)",
    "delimiter": "(delimiter|rules of reading)",
    "g": "(g|components)",
    "gs": "(g|gs|components)",
    "t": "(t|u|v)",
    "claims": "(claims|cannot read)",
    "text": "(text|printed p-value)",
    "h": "(h|combine)",
}
FUNCTIONS = {
    "g",
    "h",
    "gs",
    "t",
    "statistic",
    "read",
    "progress",
    "executor",
    "combine",
    "components",
}
"""Arguments that are, or hold, functions of the user: what these raise is the user's affair."""
COLUMNS = {
    "u",
    "v",
    "d",
    "groups",
    "weights",
    "tasks",
    "scores",
    "pvalues",
    "min_attainable",
    "gold",
}


def draw_hostile(rng):
    name = rng.choice(list(CALLS))
    argument = rng.choice(list(CALLS[name]))
    kind = (
        "entry"
        if argument in COLUMNS and rng.random() < 0.4
        else "iterator"
        if rng.random() < 0.06
        else "value"
    )
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
        result = _callable(name)(**{**CALLS[name], argument: _value(case)})
    except exactperm.ExactPermError as error:
        held.refused += 1
        held.true("argument named", _names(argument, error), f"{argument}: {error}")
        return
    except Exception as error:
        frames = {frame.name for frame in traceback.extract_tb(error.__traceback__)}
        if argument not in FUNCTIONS and not frames & {
            _minus.__name__,
            _gap.__name__,
            _size.__name__,
        }:
            raise
        held.refused += 1
        return
    held.true("repr", isinstance(repr(result), str))
    if hasattr(result, "to_dict"):
        json.dumps(result.to_dict())
        held.true("JSON", True)
    if name == "permutation_test" and argument not in FUNCTIONS:
        held.same("pickled", pickle.loads(pickle.dumps(result)), result)


def _callable(name):
    holder, _, method = name.partition(".")
    if name == "read_scores":
        return lambda paths, **settings: exactperm.read_scores(paths, **settings)  # noqa: PLW0108
    return getattr(RESULTS[holder], method) if method else getattr(exactperm, name)


def _names(argument, error):
    """Whether a message names the argument: itself, or what a function of the user made of it, or how long it is."""
    words = (
        rf"\b{ALIASES.get(argument, argument)}\b|\bt returned|labels for \d+ pairs|decimals is 1"
    )
    fielded = isinstance(
        error, (exactperm.BudgetExceeded, Ask)
    )  # the file, or the argument, is a field
    return fielded or re.search(words, str(error)) is not None


def _value(case):
    rng, value = Random(case["salt"]), VALUES[case["value"]]
    if case["kind"] == "iterator":
        return rng.choice(ITERATORS)()
    if case["kind"] == "value":
        return value
    good = CALLS[case["function"]][case["argument"]]
    if isinstance(good, dict):
        return {**good, rng.choice(("a", "c", 7, None)): value}
    column = list(good or [1, 2, 2])
    column[rng.randrange(len(column))] = value
    return rng.choice((list, tuple, iter))(column)


def public_functions():
    """The public functions, and the two classes that users call; all other classes are errors and results."""
    names = filter(
        lambda name: hasattr(exactperm, name), exactperm.__all__
    )  # of wings that are here
    public = {name: getattr(exactperm, name) for name in names}
    called = {name: value for name, value in public.items() if inspect.isfunction(value)}
    return {*called, "Budget", "Statistic"}
