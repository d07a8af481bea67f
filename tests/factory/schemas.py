"""The JSON Schema (draft 7) of the vectors of each call: what an author of a reader can rely on.

Each is strict: no unknown field, no empty input, no input of another call, and as many records as
the file says.
"""

NUMBER = {
    "type": "string",
    "pattern": r"^([+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?|NaN|inf)$",
}
"""Numbers of inputs: NaN and inf occur where the result is "error"."""

PROBABILITY = {"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)?(e-[0-9]+)?$"}
NATURAL = {"type": "string", "pattern": "^(0|[1-9][0-9]*)$"}
FRACTION = {"type": "string", "pattern": "^(0|-?[1-9][0-9]*(/[1-9][0-9]*)?)$"}
DOUBLE = {"type": "string", "pattern": r"^0x[01]\.[0-9a-f]+p[+-][0-9]+$"}
LOG10 = {"type": "string", "pattern": r"^(0|-[0-9]+(\.[0-9]+)?|-Infinity)$"}
WORDS = {"type": "string", "minLength": 3}
ALTERNATIVES = ("two-sided", "greater", "less")


def several(item, least=1):
    """A list of items."""
    return {"type": "array", "items": item, "minItems": least}


def closed(required, **others):
    """An object with these fields and no others."""
    return {
        "type": "object",
        "required": list(required),
        "additionalProperties": False,
        "properties": {**required, **others},
    }


ROW = {"type": "array", "items": NATURAL, "minItems": 2, "maxItems": 2}
LABEL = {"type": "string", "minLength": 1}
COLUMNS = {"u": several(NUMBER), "v": several(NUMBER)}
STRATA = {**several(several(LABEL), 2), "maxItems": 2}
ROWS = closed({"u": several(ROW), "v": several(ROW)})
RUNS = several(NUMBER)
METHODS = ["bonferroni", "holm", "hochberg", "hommel", "fdr_bh", "fdr_by", "sidak", "holm-sidak"]

INPUTS = {
    "paired-permutation": closed(COLUMNS, groups=several(LABEL)),
    "sign-flip": closed({"d": several(NUMBER)}),
    "wilcoxon": closed({**COLUMNS, "zero_method": {"enum": ["wilcox", "pratt", "zsplit"]}}),
    "sign": closed(COLUMNS),
    "mcnemar": closed(
        {name: {"type": "string", "pattern": "^(0|-?[1-9][0-9]*)$"} for name in "bc"}
    ),
    "f1": ROWS,
    "ratio": ROWS,
    "runs": closed(
        {"design": {"enum": ["within", "items", "systems"]}, "u": several(RUNS), "v": several(RUNS)}
    ),
    "weighted": {
        **closed(COLUMNS, weights=several(NUMBER), tasks=several(LABEL)),
        "anyOf": [{"required": ["weights"]}, {"required": ["tasks"]}],
    },
    "mid-p": {
        "oneOf": [
            closed({"test": {"const": "sign-flip"}, "d": several(NUMBER)}),
            closed({"test": {"const": "mcnemar"}, "b": NATURAL, "c": NATURAL}),
        ]
    },
    "interval": closed(
        {"confidence": {"type": "string", "pattern": r"^0\.[0-9]+$"}, "d": several(NUMBER)},
        groups=several(LABEL),
    ),
    "null-distribution": closed(
        {"test": {"enum": ["sign-flip", "wilcoxon"]}, "d": several(NUMBER)}
    ),
    **dict.fromkeys(("two-sample", "mann-whitney"), closed(COLUMNS, strata=STRATA)),
    "sum": closed({"steps": several(several(several(NUMBER, 2))), "observed": NUMBER}),
    "adjust": closed({"method": {"enum": METHODS}, "pvalues": several(PROBABILITY)}),
}
"""The inputs of each call. Where the result is "error", a list may be empty."""

ROUNDED = {"p64": DOUBLE, "log10": LOG10}
TAIL = closed(
    {"count": NATURAL, "bits": {"type": "integer", "minimum": 0}, **ROUNDED, "atom": NATURAL}
)
TAIL_OF_TOTAL = closed({"count": NATURAL, "total": NATURAL, **ROUNDED, "atom": NATURAL})
END = {"type": "string", "pattern": "^(0|-?[1-9][0-9]*(/[1-9][0-9]*)?|-?Infinity)$"}
ENDS = {"type": "array", "items": END, "minItems": 2, "maxItems": 2}
COUNTED_VALUE = {"type": "array", "items": [FRACTION, NATURAL], "minItems": 2, "maxItems": 2}
FRACTIONAL = closed({"p": FRACTION, **ROUNDED})
TOTALS = ("runs", "two-sample", "mann-whitney", "sum")
"""Calls whose assignments are no power of 2."""

EXPECTED = {
    "adjust": closed({"adjusted": several(FRACTIONAL)}),
    "interval": closed(dict.fromkeys(ALTERNATIVES, ENDS)),
    "null-distribution": closed({"rows": several(COUNTED_VALUE)}),
    "mid-p": closed(dict.fromkeys(ALTERNATIVES, FRACTIONAL)),
    **dict.fromkeys(TOTALS, closed(dict.fromkeys(ALTERNATIVES, TAIL_OF_TOTAL))),
}
"""What is expected, by call; elsewhere a p-value for each alternative."""

CONVENTION = closed(
    {"convention": WORDS},
    **dict.fromkeys(ALTERNATIVES, FRACTION),
    error={"const": True},
    nan={"const": True},
)
SEEN = closed(
    {
        "peer": WORDS,
        "version": {"type": "string", "minLength": 1},
        "answer": {"type": "string", "minLength": 1},
    }
)


def emptied(schema):
    """The same input with lists that may be empty."""
    if "oneOf" in schema:
        return {"oneOf": [emptied(each) for each in schema["oneOf"]]}
    relaxed = {
        name: {**each, "minItems": 0} if "minItems" in each else each
        for name, each in schema["properties"].items()
    }
    return {**schema, "properties": relaxed}


def tests(call, letter):
    """The schema of a record: valid, with all answers, or an error without any."""
    name = {"type": "string", "pattern": f"^{letter}[0-9]{{4}}$"}
    flags = several(LABEL)
    more = {
        "other": name,
        "links": several({"type": "string", "pattern": "^https://"}),
        "acceptable": several(CONVENTION),
        "seen": several(SEEN),
    }
    common = {"id": name, "comment": WORDS, "flags": flags}
    reading = {"enum": ["decimal", "binary64", "any"]}
    tail = closed(dict.fromkeys(ALTERNATIVES, TAIL))
    valid = {"input": INPUTS[call], "reading": reading, "result": {"enum": ["valid", "acceptable"]}}
    invalid = {
        "input": emptied(INPUTS[call]),
        "reading": {"const": "any"},
        "result": {"const": "error"},
    }
    return {
        "oneOf": [
            closed(
                {**common, **valid, "expect": EXPECTED.get(call, tail)},
                **more,
            ),
            closed(
                {**common, **invalid, "expect": closed({})},
                acceptable=more["acceptable"],
                seen=more["seen"],
            ),
        ]
    }


def schema(call, letter, data):
    """The schema of the file of a call, of this version of the set."""
    note = closed(
        {"bugType": WORDS, "description": WORDS, "effect": WORDS}, links=several({"type": "string"})
    )
    count = data["numberOfTests"]
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": f"Test vectors of {call}, version {data['version']} of the set",
        **closed(
            {
                "schema": {"const": "v1"},
                "version": {"const": data["version"]},
                "license": {"const": "MIT"},
                "source": WORDS,
                "call": {"const": call},
                "numberOfTests": {"const": count},
                "notes": {"type": "object", "additionalProperties": note},
                "tests": {**several(tests(call, letter), count), "maxItems": count},
            }
        ),
    }
