"""Campaigns over the vectors and the two verifiers: python -m tests.factory.campaign [part ...]

Parts are operators, programs, right, hostile; without one all are run, in some twenty minutes.
Results are written into campaign.md, beside this file.
"""

import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from exactperm.certificates import verifier
from exactperm.testing import program, runner
from exactperm.testing.numbers import right_answer
from tests.factory import asking, hostile, mutants, plain
from tests.factory.generate import FOLDER
from tests.factory.recipes import LISTS

HERE = Path(__file__).parent
PAGE = HERE / "campaign.md"
HEAD = """# Campaigns

`python -m tests.factory.campaign` wrote these results.
"""


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
    "operators": (
        operators,
        "| wrong programs | number | no answer is wrong | | |\n|---|---|---|---|---|",
    ),
    "programs": (
        programs,
        "| wrong programs | number | no answer is wrong | named | replaced by: name |\n|---|---|---|---|---|",
    ),
    "right": (right, "| right program | answers | faults | names |\n|---|---|---|---|"),
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
