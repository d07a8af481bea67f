"""Write the test vectors of the package from their recipes: python -m tests.testing.generate"""

import json
import math
from decimal import Context, Decimal
from fractions import Fraction
from html import escape
from itertools import product
from pathlib import Path

from exactperm import (
    ExactPermError,
    adjust_pvalues,
    confidence_interval,
    decimal_string,
    f1_difference,
    mcnemar_test,
    permutation_test,
    permutation_test_runs,
    ratio_difference,
    sign_flip_test,
    sign_test,
    wilcoxon_signed_rank_test,
)
from exactperm import testing as kit
from exactperm.testing import vectors
from exactperm.testing.judge import FAULTS, RIGHT
from exactperm.testing.numbers import Truth, number, right_answer
from exactperm.testing.outcomes import LOST
from exactperm.testing.vectors import LISTS, load
from tests.adapters.programs import FINDINGS, VERDICTS
from tests.testing import plain, schemas
from tests.testing.mistakes import MISTAKES, Question
from tests.testing.recipes import ACCEPTABLE, CALLS, LINKS, NOTES, SEEN, VECTORS

FOLDER = Path(kit.__file__).parent / "vectors"
VERSION = "2.2.0"
"""Of the set: the first number changes with the format, the second with records, the third with
words."""

LICENSE = Path(__file__).parents[2] / "LICENSE"
SOURCE = "exactperm, exactperm/testing/vectors"
WRONG_FILE = vectors.WRONG
ALTERNATIVES = ("two-sided", "greater", "less")
STATISTICS = {"f1": f1_difference, "ratio": ratio_difference}


def column(text):
    """The entries of a column: "2*1 0" is 1 1 0, and "2,1" a pair."""
    entries = []
    for word in text.split():
        times, star, entry = word.rpartition("*")
        entries += [entry.split(",") if "," in entry else entry] * (int(times) if star else 1)
    return entries


def given(call, text):
    """The input of a record."""
    columns = [column(part) for part in text.split("/")]
    if call == "sign-flip":
        return {"d": columns[0]}
    if call == "mcnemar":
        return dict(zip("bc", columns[0]))
    if call == "adjust":
        return {"method": columns[0][0], "pvalues": columns[1]}
    if call == "interval":
        data = {"confidence": columns[0][0], "d": columns[1]}
        return {**data, "groups": columns[2]} if len(columns) > 2 else data
    if call == "null-distribution":
        return {"test": columns[0][0], "d": columns[1]}
    if call == "mid-p":
        return {"test": columns[0][0], **given(columns[0][0], text.partition("/")[2])}
    if call == "runs":
        u, v = (
            [runs if isinstance(runs, list) else [runs] for runs in rows] for rows in columns[1:]
        )
        return {"design": columns[0][0], "u": u, "v": v}
    data = {"u": columns[0], "v": columns[1]}
    if call == "wilcoxon":
        return {**data, "zero_method": columns[2][0] if len(columns) > 2 else "wilcox"}
    return {**data, "groups": columns[2]} if len(columns) > 2 else data


def result(call, data, reading, alternative, **options):
    """The answer of the package."""
    if call in LISTS:
        return listed(call, data, reading, alternative)
    options["alternative"] = alternative
    if call == "mid-p":
        return result(data["test"], data, reading, **options)
    if call == "mcnemar":
        return mcnemar_test(int(data["b"]), int(data["c"]), **options)
    if call in STATISTICS:
        return permutation_test(data["u"], data["v"], statistic=STATISTICS[call], **options)
    if call == "runs":
        return permutation_test_runs(*plain.runs(data, reading), design=data["design"], **options)
    if reading == "decimal":
        if call == "sign-flip":
            return sign_flip_test(data["d"], **options)
        if call == "sign":
            return sign_test(data["u"], data["v"], **options)
        if call == "wilcoxon":
            return wilcoxon_signed_rank_test(
                data["u"], data["v"], zero_method=data["zero_method"], **options
            )
        return permutation_test(data["u"], data["v"], groups=data.get("groups"), **options)
    d = plain.differences(call, data, reading)
    if call in ("sign", "wilcoxon"):
        zeros = [0] * len(d)
        if call == "sign":
            return sign_test(d, zeros, **options)
        return wilcoxon_signed_rank_test(d, zeros, zero_method=data["zero_method"], **options)
    return sign_flip_test(d, groups=data.get("groups"), **options)


def listed(call, data, reading, alternative):
    """The list that the package answers."""
    if call == "adjust":
        return adjust_pvalues(data["pvalues"], data["method"]).adjusted
    d = plain.differences(call, data, reading)
    if call == "interval":
        options = {
            "confidence": data["confidence"],
            "alternative": alternative,
            "groups": data.get("groups"),
        }
        found = confidence_interval(d, **options)
        return [
            -math.inf if found.lower is None else found.lower[0],
            math.inf if found.upper is None else found.upper[1],
        ]
    tested = (
        sign_flip_test(d)
        if data["test"] == "sign-flip"
        else wilcoxon_signed_rank_test(d, [0] * len(d))
    )
    return tested.null_distribution.items()


def log10(p):
    """The decimal logarithm to 17 digits, the same on every machine."""
    if not p:
        return "-Infinity"
    cancelled = (
        len(str(p.denominator // (p.denominator - p.numerator))) if p != 1 else 0
    )  # digits that p = 0.99... costs
    exact = Context(prec=60 + cancelled, Emin=-9999, Emax=9999)
    value = exact.log10(exact.divide(Decimal(p.numerator), Decimal(p.denominator)))
    return f"{Context(prec=17).plus(value).normalize():f}" if p != 1 else "0"


def written(p):
    """The two roundings of a p-value."""
    return {"p64": float(p).hex(), "log10": log10(p)}


def expected(call, data, reading):
    """All answers of a record."""
    if call == "adjust":
        return {
            "adjusted": [{"p": str(p), **written(p)} for p in result(call, data, reading, None)]
        }
    if call == "null-distribution":
        return {"rows": [[*map(exact_end, row)] for row in result(call, data, reading, None)]}
    answers = {}
    for alternative in ALTERNATIVES:
        found = result(call, data, reading, alternative)
        if call == "interval":
            answers[alternative] = [*map(exact_end, found)]
            continue
        if call == "mid-p":
            answers[alternative] = {"p": str(found.midp), **written(found.midp)}
            continue
        atom = found.point_probability * found.total
        total = {"bits": found.n_units} if call != "runs" else {"total": str(found.total)}
        count = {"count": str(found.count), **total}
        answers[alternative] = {**count, **written(found.pvalue), "atom": str(atom)}
    return answers


def exact_end(x):
    """A number of a list, as text: an integer, a fraction, or an infinite end."""
    return {math.inf: "Infinity", -math.inf: "-Infinity"}.get(x) or str(x)


def differs(answer, truth):
    """Whether an answer is none, or is more than 1e-9 off, or a list with such an entry."""
    if isinstance(truth, list):
        return (
            not isinstance(answer, list)
            or len(answer) != len(truth)
            or any(map(differs, answer, truth))
        )
    if isinstance(answer, tuple):
        return any(differs(end, truth) for end in answer)
    if not (math.isfinite(answer) and math.isfinite(truth)):
        return bool(answer != truth)
    return abs(Fraction(answer) - truth) > abs(truth) * Fraction(1, 10**9)


def truths(call, expect):
    """The right answers to the questions of a record."""
    return [right_answer(answer) for answer in expect.values()]


def wrong_answers(call, data, reading, expect):
    """{mistake: its answers to the questions of a record, or None}, without those that are right everywhere."""
    found = {}
    for name, wrong in MISTAKES.items():
        if call not in wrong.calls:
            continue
        answers = []
        for alternative, truth in zip(ALTERNATIVES, truths(call, expect)):
            answers.append(answer := wrong(shared(call, data, reading, alternative)))
            if answer is None:
                break
            if not differs(answer, truth):
                answers[-1] = truth
        if answers[-1] is None:
            found[name] = None
        elif answers != truths(call, expect):
            found[name] = answers
    return found


WRONG = {}
"""{record: {mistake: its answers}}, gathered while the records are made."""


def shortened(call, answers, expect):
    """The answers of a mistake as JSON, None where they are right; or None where it is not simulated."""
    if answers is None:
        return None
    return [None if x == y else brief(x, y) for x, y in zip(answers, truths(call, expect))]


def brief(answer, truth):
    """A number with as many digits as tell it from the truth, or more, or a list of them; NaN as text."""
    if isinstance(answer, list):
        alike = isinstance(truth, list) and len(truth) == len(answer)
        return [*map(brief, answer, truth if alike else [None] * len(answer))]
    if isinstance(answer, tuple):
        ends = [brief(end, None) for end in answer[:2]]
        if len(answer) > 2:
            return {
                **dict(zip(("from", "to"), ends)),
                "step": f"1/2^{answer[2].denominator.bit_length() - 1}",
            }
        told = (
            end if number(end) == exact else str(Fraction(exact))
            for end, exact in zip(ends, answer)
        )
        return dict(zip(("from", "to"), told))
    if isinstance(answer, float) and not math.isfinite(answer):
        return "NaN" if math.isnan(answer) else str(answer)
    exact = Fraction(answer)
    truth = truth if isinstance(truth, Fraction) else None
    close = truth is None or abs(exact - truth) * 10**5 < abs(exact)
    told = Context(prec=30 if close else 10, Emin=-9999, Emax=9999).divide(
        exact.numerator, exact.denominator
    )
    if (
        10**-300 < abs(told) < 10**15
        and Fraction(float(told)) == Fraction(told)
        and len(repr(float(told))) < 16
    ):
        return float(told)
    return str(told.normalize()) if told else 0


def shared(call, data, reading, alternative, known={}):  # noqa: B006 (the last question, whose parts are reused)
    """A question with the null distribution of the one before, where only the alternative
    changed."""
    key = json.dumps([call, data, reading])
    if key not in known:
        known.clear()
        known[key] = Question(call, data, reading, alternative)
        if call not in LISTS:
            _ = known[key].flips, known[key].null[0] and known[key].total
    return known[key].other(alternative)


def records(every=1):
    """(call, record) of all recipes, or of every so manieth."""
    for line in VECTORS.strip().splitlines()[::every]:
        head, text, comment = (part.strip() for part in line.split("|"))
        ids, flags = head.split()
        call = CALLS[ids[0]]
        yield from (
            (call, record)
            for record in from_recipe(call, ids.split("+"), flags.split(","), text, comment)
        )


def from_recipe(call, ids, flags, text, comment):
    """The record of a recipe, or its two readings."""
    data = given(call, text)
    if "Invalid" in flags:
        yield record(
            ids[0], comment, flags, data, {"reading": "any", "result": "error", "expect": {}}
        )
        return
    readings = {reading: expected(call, data, reading) for reading in ("decimal", "binary64")}
    if call == "adjust":
        del readings["binary64"]
    elif readings["decimal"] == readings["binary64"]:
        readings = {"any": readings["decimal"]}
    if len(readings) != len(ids):
        raise ExactPermError(f"{ids}: it has {len(readings)} readings")
    for name, (reading, expect) in zip(ids, readings.items()):
        means = "binary64" if reading == "binary64" else "decimal"
        more = {
            "reading": reading,
            "result": "acceptable" if name in ACCEPTABLE else "valid",
            "expect": expect,
        }
        other = {"other": ids[name == ids[0]]} if len(ids) > 1 else {}
        wrong = wrong_answers(call, data, means, expect)
        WRONG[name] = {
            mistake: shortened(call, answers, expect) for mistake, answers in wrong.items()
        }
        yield record(
            name, comment, flags, data, {**more, **other, "kills": [*filter(wrong.get, wrong)]}
        )


def record(name, comment, flags, data, more):
    """A record as it is written."""
    written = {"id": name, "comment": comment, "flags": flags, "input": data, **more}
    if name in ACCEPTABLE:
        written["acceptable"] = ACCEPTABLE[name]
    if name in LINKS:
        written["links"] = LINKS[name]
    if name in SEEN:
        written["seen"] = [dict(zip(("peer", "version", "answer"), row)) for row in SEEN[name]]
    return written


def files():
    """{file name: text} of all vectors."""
    calls = {call: [] for call in CALLS.values()}
    for call, vector in records():
        calls[call].append(vector)
    return {**rendered(calls), WRONG_FILE: wrong_text(calls), "LICENSE": LICENSE.read_text("utf-8")}


def rendered(calls):
    """{file name: text} of the records of each call, their schemas, and the page that shows all."""
    texts = {f"{call}.json": text(call, vectors) for call, vectors in calls.items()}
    letters = {call: letter for letter, call in CALLS.items()}
    for call in calls:
        schema = schemas.schema(call, letters[call], json.loads(texts[f"{call}.json"]))
        texts[f"schemas/{call}.schema.json"] = json.dumps(schema, indent=1) + "\n"
    return {**texts, "index.html": html_page(calls)}


STYLE = (
    "body{font:16px/1.5 sans-serif;max-width:70em;margin:auto;padding:1em}table{border-collapse:collapse;width:100%}"
    "td,th{border-top:1px solid #8888;padding:.3em;text-align:left;vertical-align:top;overflow-wrap:anywhere}"
    "th,td:first-child{overflow-wrap:normal}"
    "code{font-size:.9em}@media(prefers-color-scheme:dark){body{background:#111;color:#eee}a{color:#8cf}}"
)


def html_page(calls):
    """All records as one page that is read without a network: input, p-values, what each is about, what it reveals."""
    body = [f"<h1>Test vectors for exact paired tests, version {VERSION}</h1>"]
    contents = ", ".join(
        f'<a href="#{call}">{call}</a> ({len(tests)})' for call, tests in calls.items()
    )
    body.append(
        f"<p>{contents}. README.md explains the fields, PROTOCOL.md the conversation with the runner.</p>"
    )
    for call, tests in calls.items():
        head = "<tr><th>id<th>input<th>p<th>about<th>mistakes that show"
        body.append(f'<h2 id="{call}">{call}</h2>\n<table>\n{head}')
        body += [html_row(record) for record in tests]
        body.append("</table>")
    title = '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Test vectors</title>'
    return "\n".join([title, f"<style>{STYLE}</style>", *body, "</html>"]) + "\n"


def html_row(record):
    """A record as a row of the page."""
    given = json.dumps(record["input"])
    shown = given if len(given) < 400 else f"{given[:300]} ... ({len(given)} characters)"
    values = [f"{name} {exact(each)}" for name, each in answer_pairs(record)] or ["an error"]
    links = [f'<a href="{link}">report</a>' for link in record.get("links", ())]
    about = ", ".join([escape(record["comment"]), *record["flags"], record["reading"], *links])
    cells = [
        record["id"],
        f"<code>{escape(shown)}</code>",
        "<br>".join(values),
        about,
        str(len(record.get("kills", ()))),
    ]
    return f'<tr id="{record["id"]}"><td>' + "<td>".join(cells)


def answer_pairs(record):
    """(name, expected answer) of a record."""
    answers = record["expect"]
    return [*enumerate(answers["adjusted"], 1)] if "adjusted" in answers else [*answers.items()]


def exact(answer):
    """An expected answer as a fraction, or in short; a list with its entries."""
    if isinstance(answer, list):
        return f"[{', '.join(map(exact, answer[:12]))}{', ...' * (len(answer) > 12)}]"
    if isinstance(answer, str):
        return answer if len(answer) < 20 else decimal_string(Fraction(answer), 6)
    p = Truth.of(answer).p
    return str(p) if p.denominator < 10**9 else decimal_string(p, 6)


def wrong_text(calls):
    """The file of the answers of mistakes, with a line for each mistake of a call."""
    lines = []
    for call, tests in calls.items():
        entries = []
        for name, wrong in MISTAKES.items():
            if call not in wrong.calls or wrong.random:
                continue
            told = {vector["id"]: WRONG.get(vector["id"], {}).get(name, ()) for vector in tests}
            entry = {
                "words": wrong.__doc__.strip(),
                "may": wrong.may,
                "unknown": [record for record, answers in told.items() if answers is None],
                "answers": {record: answers for record, answers in told.items() if answers},
            }
            entries.append(f"{json.dumps(name)}: {json.dumps(entry, separators=(',', ':'))}")
        lines.append(f"{json.dumps(call)}: {{\n" + ",\n".join(entries) + "\n}")
    return "{\n" + head() + '"mistakes": {\n' + ",\n".join(lines) + "\n}\n}\n"


def head():
    """The first lines of each file."""
    about = {"schema": "v1", "version": VERSION, "license": "MIT", "source": SOURCE}
    return "".join(f"{json.dumps(name)}: {json.dumps(value)},\n" for name, value in about.items())


def text(call, vectors):
    """One file, with a line for each record."""
    flags = dict.fromkeys(flag for vector in vectors for flag in vector["flags"])
    names = [
        name for name in MISTAKES if any(name in vector.get("kills", ()) for vector in vectors)
    ]
    about = {
        "call": call,
        "numberOfTests": len(vectors),
        "notes": {
            flag: dict(zip(("bugType", "description", "effect"), NOTES[flag])) for flag in flags
        },
        "mistakes": {name: MISTAKES[name].__doc__.strip() for name in names},
    }
    lines = [f"{json.dumps(name)}: {json.dumps(value, indent=1)}" for name, value in about.items()]
    tests = ",\n".join(json.dumps(vector, separators=(",", ":")) for vector in vectors)
    return "{\n" + head() + ",\n".join([*lines, f'"tests": [\n{tests}\n]']) + "\n}\n"


def page():
    """The description of the vectors, with the tables of what they reveal as the last part."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    vectors = load().values()
    rows = ["| mistake | what it does | records | such as |", "|---|---|---|---|"]
    for name, wrong in MISTAKES.items():
        ids = [vector.id for vector in vectors if name in (vector.kills or ())]
        rows.append(
            f"| {name} | {wrong.__doc__.strip()} | {len(ids)} | {', '.join(ids[:: -(-len(ids) // 4)])} |"
        )
    rows += [
        "",
        "## Published programs that answered otherwise",
        "",
        "| record | program, version | answer | exact |",
    ]
    rows.append("|---|---|---|---|")
    for vector in vectors:
        for peer in vector.seen or ():
            exact = ", ".join(answers(vector))
            rows.append(
                f"| {vector.id} | {peer['peer']} {peer['version']} | {peer['answer']} | {exact} |"
            )
    rows += ["", *runs()]
    head, heading, rest = text.partition(TABLES)[0].partition("## One record, field by field\n\n")
    example = f"{heading}{worked('S0051')}\n- `id`:{rest.partition('- `id`:')[2]}"
    return f"{head}{example}{TABLES}{chr(10).join(rows)}\n"


def worked(name):
    """A record of few differences and how its p-values are counted by hand."""
    vector = load()[name]
    d = list(map(int, vector.input["d"]))
    sums = sorted(
        (sum(s * x for s, x in zip(signs, d)) for signs in product((1, -1), repeat=len(d))),
        reverse=True,
    )
    t, total = sum(d), len(sums)
    up, down = sum(x >= t for x in sums), sum(x <= t for x in sums)
    away, tied = sum(abs(x) >= abs(t) for x in sums), sum(abs(x) == abs(t) for x in sums)
    counts = [int(vector.expect[alternative]["count"]) for alternative in ALTERNATIVES]
    assert counts == [away, up, down]
    assert int(vector.expect["two-sided"]["atom"]) == tied
    fields = {
        "id": vector.id,
        "comment": vector.comment,
        "flags": vector.flags,
        "input": vector.input,
    }
    lines = (
        json.dumps({**fields, "reading": vector.reading, "result": vector.result})[:-1]
        + ',\n "expect": {'
    )
    answers = ",".join(
        f"\n  {json.dumps(side)}: {json.dumps(answer)}" for side, answer in vector.expect.items()
    )
    text = f"""```json
{lines}{answers}}},
 "kills": ["strict", "strict-lower", "..."]}}
```

The differences {", ".join(map(str, d))} have the sum {t}. Changing signs gives 2^{len(d)} = {total} equally likely
sums: {", ".join(map(str, sums))}.

- "greater": {up} of them are at least {t}, so p = {up}/{total}; {sums.count(t)} equals the observed sum (the atom).
- "less": {down} of them are at most {t}, so p = {down}/{total}.
- "two-sided": {away} of them are at least {t} away from 0, so p = {away}/{total}; {tied} of these are exactly {t} away.
"""
    return text


def runs():
    """The table of the recorded runs of all vectors."""
    yield "## Runs of all vectors\n"
    yield "`python -m tests.adapters.programs` in a clone repeats them; each fault was checked by hand.\n"
    yield "| program, version | answers | right | other reading | acceptable | faults | which |"
    yield "|---|---|---|---|---|---|---|"
    for name, record in json.loads(VERDICTS.read_text(encoding="utf-8")).items():
        count = {**dict.fromkeys((*RIGHT, *FAULTS, *LOST), 0), **record["verdicts"]}
        faults = sum(map(count.pop, (*FAULTS, *LOST)))
        _skipped, reading, acceptable = (
            count.pop(kind) for kind in ("skipped", "other reading", "acceptable")
        )
        right = sum(count.values())
        total = right + reading + acceptable + faults
        head = f"| {record['name']} {record['version']} | {total} | {right} | {reading} | {acceptable} | {faults} |"
        yield f"{head} {FINDINGS[name]} |"


def answers(vector):
    """The exact answers of a record, in short."""
    if vector.call == "adjust":
        return [answer["p"] for answer in vector.expect["adjusted"]]
    return [f"{name} {exact(answer)}" for name, answer in vector.expect.items()]


TABLES = "## Wrong implementations that the records reveal\n\n"


if __name__ == "__main__":
    for name, content in files().items():
        (FOLDER / name).write_text(content, encoding="utf-8", newline="\n")
    (FOLDER / "README.md").write_text(page(), encoding="utf-8", newline="\n")
