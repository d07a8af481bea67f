"""Campaigns over the vectors and the two verifiers: python -m tests.factory.campaign [part ...]

Parts are mistakes, programs, right, honest, forged, hostile; without one all are run, in about half an hour.
Results are written into campaign.md, beside this file.
"""

import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from exactperm import (
    certify,
    mann_whitney_test,
    permutation_test,
    permutation_test_runs,
    sum_test,
    two_sample_test,
)
from exactperm.certificates import verifier, verify_scores
from exactperm.null.alternative import ALTERNATIVES
from exactperm.testing import program, runner
from exactperm.testing.numbers import right_answer
from tests.factory import asking, forgeries, hostile, mutants, plain
from tests.factory.generate import FOLDER
from tests.factory.mistakes import MISTAKES
from tests.factory.recipes import LISTS

HERE = Path(__file__).parent
PAGE = HERE / "campaign.md"
HEAD = """# Campaigns

`python -m tests.factory.campaign` wrote these results.
"""
NAMES = {
    **{"strict": ">", "mid-p": "mid-p", "no-observed": "observed", "add-one": "adds one"},
    **{"half-p": "halves", "double-p": "doubles p", "complement": "1 - p"},
    **{
        "exchanged-tails": "exchanges",
        "no-abs": "upper tail as",
        "twice-greater": "doubles the upper",
    },
    **{"uncapped": "without capping", "single-precision": "single", "one-minus-cdf": "from 1"},
}
"""The mistakes that have a name, and a word of it."""


def mistakes():
    """The functions of mistakes.py, asked in this process."""
    survivors, wrong_names, named = [], [], 0
    for name, wrong in MISTAKES.items():
        found = asking.report(lambda q, wrong=wrong: wrong(q), wrong.calls, numbers="decimal")
        told = [words for each in found.named.values() for words in each]
        named += bool(told)
        survivors += [name] * (not found.faults)
        wrong_names += [f"{name}: {words}" for words in told if NAMES.get(name, "?") not in words]
    yield f"| functions of `mistakes.py` | {len(MISTAKES)} | {told_of(survivors)} | {named} | {told_of(wrong_names)} |"


def operators():
    """plain.py with one operator, number or function changed, until the first wrong answer."""
    text, survivors, many = Path(plain.__file__).read_text("utf-8"), [], 0
    small = [v for v in asking.ALL.values() if v.result != "error" and v.size <= 24]
    questions = sorted(small, key=lambda vector: vector.size)
    signal.signal(signal.SIGPROF, too_long)
    for words, module in mutants.of_plain(text):
        many += 1
        survivors += [words] * (not any(shown(module, vector) for vector in questions))
        print(many, len(survivors), words, flush=True)
    wrong = [words for words in survivors if words not in mutants.RIGHT_TOO]
    many -= len(survivors) - len(wrong)
    yield f"| one operator of `plain.py` | {many} | {told_of(wrong)} | | |"


def shown(module, vector):
    """Whether a program answers a question of a vector wrongly, fails, or takes more than 10 s."""
    signal.setitimer(signal.ITIMER_PROF, 10)
    given = vector.call, vector.input, asking.means(vector)
    try:
        null = None if vector.call in LISTS else module.null(*given)
        if null and null[0] is None:
            return False
        for side in vector.questions:
            if null:
                answer = module.tail(vector.call, *null[:2], side)
            else:
                answer = module.listed(*given, side)
            if asking.differs(answer, right_answer(vector.answer(side))):
                return True
    except Exception:
        return True
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return False


def too_long(*_signal):
    raise TimeoutError


def told_of(names):
    return f"{len(names)}: {', '.join(names)}" if names else "0"


def programs():
    """Texts of right programs with one piece replaced, as processes that speak the protocol."""
    for words, path, rows, command in (
        ("JavaScript", FOLDER / "examples" / "right.js", mutants.JAVASCRIPT, ["node", "{}"]),
        ("Python", HERE / "right.py", mutants.PYTHON, None),
        ("R", FOLDER / "examples" / "right.R", mutants.R, ["Rscript", "{}"]),
    ):
        survivors, names = [], []
        text = path.read_text("utf-8")
        for calls, old, new in rows:
            assert text.count(old) >= 1, old
            found = put(path, text.replace(old, new, 1), calls, command)
            told = [words for each in found.named.values() for words in each]
            names += [(new, each) for each in dict.fromkeys(told)]
            survivors += [f"`{new}` in {calls}"] * (not found.faults)
            print(words, calls, new, len(found.faults), told, flush=True)
        each = "; ".join(f"`{new}`: {told}" for new, told in dict.fromkeys(names))
        yield f"| {words} | {len(rows)} | {told_of(survivors)} | {len(names)} | {each} |"


def put(path, text, calls, command, *words):
    """The report on a program of that text."""
    with tempfile.TemporaryDirectory() as folder:
        name = Path(folder) / f"wrong{path.suffix}"
        name.write_text(text, "utf-8")
        serve = f"import sys; sys.path[:0] = [{folder!r}, {str(HERE.parents[1])!r}]; "
        serve += "from exactperm.testing.host import main; main('wrong', 'answer')"
        line = [part.format(name) for part in command] if command else [sys.executable, "-c", serve]
        return runner.verify([*line, *words], calls=calls.split(","), seconds=60)


def right():
    """Right programs in every form of numbers: none has a fault, none a name."""
    javascript = (FOLDER / "examples" / "right.js").read_text("utf-8")
    undeclared = javascript.replace("numbers: reading, calls", "calls")
    assert undeclared != javascript
    calls = "sign-flip,wilcoxon,sign,mcnemar,f1,ratio,weighted,two-sample,mann-whitney,sum,runs,mid-p,interval,adjust"
    rows = [
        (
            f"JavaScript, {reading}, {word}",
            put(FOLDER / "right.js", text, calls, ["node", "{}"], reading),
        )
        for reading in ("decimal", "binary64")
        for word, text in (("declared", javascript), ("not declared", undeclared))
    ]
    python = (HERE / "right.py").read_text("utf-8")
    plain = "sign-flip,wilcoxon,sign,mcnemar,interval,null-distribution"
    for word, old, new in (
        ("decimals", mutants.WRITTEN, mutants.WRITTEN),
        ("Fractions", mutants.WRITTEN, "Fraction(count, 2 ** len(units))"),
        ("nearest doubles", mutants.WRITTEN, "count / 2 ** len(units)"),
        ("Fractions, not declared", '    "numbers": "decimal",\n', ""),
    ):
        rows.append(
            (f"Python, {word}", put(HERE / "right.py", python.replace(old, new), plain, None))
        )
    some = "sign,mcnemar,interval,null-distribution"
    text = (FOLDER / "examples" / "right.R").read_text("utf-8")
    rows.append(("R, doubles", put(FOLDER / "right.R", text, some, ["Rscript", "{}"])))
    rows.append(("this package", runner.verify(program.own(), seconds=60)))
    for words, found in rows:
        answers = sum(each.answered for each in found.coverage.values())
        yield f"| {words} | {answers} | {len(found.faults)} | {len(found.named)} |"


def status(record, *scores):
    """The exit status of a check, in this process."""
    text = json.dumps(record)
    try:
        verify_scores.check(json.loads(text, parse_int=str, parse_float=str), list(scores))
    except verifier.Ended as verdict:
        return verdict.args[0]
    except Exception:  # as the program does
        return 2
    return 0


def certificates(rng):
    """Endless honest certificates: (kind, certificate, scores)."""
    while True:
        side = rng.choice(ALTERNATIVES)
        yield "record of pairs", forgeries.small_test(rng).to_dict(), []
        u, v = ([rng.randint(-30, 30) for _ in range(12)] for _ in "uv")
        labels = [rng.choice("abcde") for _ in u] if rng.random() < 0.5 else None
        rows = "".join(f"{a / 4},{b / 4},{c}\n" for a, b, c in zip(u, v, labels or "x" * 12))
        scores = f"u,v,g\n{rows}".encode()
        values = ([x / 4 for x in column] for column in (u, v))
        result = permutation_test(*values, groups=labels, alternative=side)
        choice = {"columns": "u,v", "groups": "g"} if labels else {"columns": "u,v"}
        yield "pairs with scores", certify(result, scores, **choice), [scores]
        a, b, design, even = forgeries.random_runs(rng)
        result = permutation_test_runs(a, b, design=design, alternative=side)
        if result.design is not None and even:
            m, n = len(a[0]), len(b[0])
            table = forgeries.columns_of_runs(a, b).encode()
            names = [*map(str, range(2, m + n + 2))]
            blocks = f"{'+'.join(names[:m])},{'+'.join(names[m:])}"
            yield f"runs, {design}", certify(result, table, columns=blocks), [table]
        else:
            yield "record of runs", result.to_dict(), []
        x, y = ([rng.randint(0, 9) for _ in range(rng.randint(1, 9))] for _ in "xy")
        test = rng.choice([two_sample_test, mann_whitney_test])
        yield "two samples", test(x, y, alternative=side).to_dict(), []
        steps = [dict(zip(rng.sample(range(9), 3), (1, 2, 3))) for _ in range(rng.randint(1, 6))]
        t = sum(rng.choice([*step]) for step in steps)
        yield "sum of steps", sum_test(steps, t, alternative=side).to_dict(), []


def honest(many=3000):
    """Certificates of this package, of which none may be refused."""
    rng, counts, refused = random.Random(1), Counter(), 0
    for _, (kind, record, scores) in zip(range(many), certificates(rng)):
        counts[kind] += 1
        refused += status(record, *scores) != 0
    kinds = ", ".join(f"{kind} {n}" for kind, n in sorted(counts.items()))
    yield f"{many} honest certificates, {refused} not confirmed: {kinds}.\n"


def forged(many=5000):
    """Certificates with one lie, from which all other fields follow."""
    rng, counts, believed = random.Random(2), Counter(), 0
    while sum(counts.values()) < many:
        kind = rng.choice(["pairs with scores", "pairs", "runs", "fields of any kind"])
        if kind == "runs":
            u, v, design, _even = forgeries.random_runs(rng)
            side = rng.choice(ALTERNATIVES)
            true = permutation_test_runs(u, v, design=design, alternative=side).to_dict()
            if "steps" not in true["swaps"]:
                continue
            forged, scores = forgeries.forged_runs({**true, "version": "0"}, rng), []
            lie = not forgeries.possible_runs(forged)
        elif kind == "fields of any kind":
            _, true, scores = next(certificates(rng))
            forged, lie = forgeries.one_field(true, rng), True
        else:
            d = [
                rng.choice([-7, -4, -3, -2, -1, 0, 0, 1, 2, 3, 5]) for _ in range(rng.randint(1, 8))
            ]
            side = rng.choice(["less", "greater", "two-sided"])
            forged, scores = forgeries.forged_fact(d, side, rng), []
            lie = not forgeries.possible(forged)
            if kind == "pairs with scores":
                scores = ["".join(f"{x}\n" for x in d).encode()]
                true = certify(permutation_test(d, [0] * len(d), alternative=side), scores[0])
                same = all(
                    forged[n] == true[n] for n in ("count", "total", "statistic", "n", "swaps")
                )
                forged, lie = {**forged, "data": true["data"]}, not same
        counts[kind] += lie
        believed += lie and status(forged, *scores) == 0
    kinds = ", ".join(f"{kind} {n}" for kind, n in sorted(counts.items()))
    yield f"{sum(counts.values())} forgeries, {believed} confirmed: {kinds}.\n"


RUN = """import resource, sys
sys.path.insert(0, sys.argv[1])
import verify_scores
status = verify_scores.main(sys.argv[2:])
used = resource.getrusage(resource.RUSAGE_SELF)
print(status, used.ru_maxrss // 1024, round(used.ru_utime + used.ru_stime, 1))
"""


def limits():
    """Certificates of up to 1 MB, with scores of up to 1 MB, that try each limit, in a process each."""
    yield "| certificate | KB | scores, KB | verdict | MB | CPU seconds |"
    yield "|---|---|---|---|---|---|"
    worst = [0, 0.0]
    for name, (record, *scores) in hostile.certificates():
        with tempfile.TemporaryDirectory() as folder:
            contents = [json.dumps(record).encode(), *scores]
            names = [str(Path(folder) / f"{i}") for i in range(len(contents))]
            for path, content in zip(names, contents):
                Path(path).write_bytes(content)
            assert max(map(len, contents)) <= 2**20, name
            words = [sys.executable, "-c", RUN, str(Path(verifier.__file__).parent), *names]
            done = subprocess.run(words, capture_output=True, text=True, check=True)
        said = done.stdout.splitlines()
        _status, memory, seconds = said[-1].split()
        worst = [max(worst[0], int(memory)), max(worst[1], float(seconds))]
        size, more = len(contents[0]) // 1024, sum(map(len, scores)) // 1024
        yield f"| {name} | {size} | {more} | {said[0][:70]} | {memory} | {seconds} |"
        print(name, said[0][:90], memory, seconds, flush=True)
    yield f"\nAt most {worst[0]} MB and {worst[1]} s of CPU time.\n"


PARTS = {
    "mistakes": (
        mistakes,
        "| wrong programs | number | no answer is wrong | named | wrong names |\n|---|---|---|---|---|",
    ),
    "operators": (
        operators,
        "| wrong programs | number | no answer is wrong | | |\n|---|---|---|---|---|",
    ),
    "programs": (
        programs,
        "| wrong programs | number | no answer is wrong | named | replaced by: name |\n|---|---|---|---|---|",
    ),
    "right": (right, "| right program | answers | faults | names |\n|---|---|---|---|"),
    "honest": (honest, ""),
    "forged": (forged, ""),
    "hostile": (limits, ""),
}


def main(parts):
    """Run parts, and put the results of each in place of the last ones."""
    for name in parts or PARTS:
        campaign, head = PARTS[name]
        begun = time.process_time()
        lines = [*campaign()]
        print(name, round(time.process_time() - begun), *lines, sep="\n", flush=True)
        old = PAGE.read_text("utf-8") if PAGE.exists() else ""
        sections = dict(part.split("\n", 1) for part in old.split("\n## ")[1:])
        sections[name] = "\n" + "\n".join(filter(None, [head, *lines])) + "\n"
        told = "".join(f"\n## {part}\n{sections[part]}" for part in PARTS if part in sections)
        PAGE.write_text(f"{HEAD}{told}", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
