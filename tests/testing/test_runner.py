"""The runner: any program gets its verdicts, however badly it behaves, and the report says what is wrong."""

import io
import json
import os
import re
import shutil
import string
import subprocess
import sys
import time
from contextlib import closing, suppress
from fractions import Fraction
from pathlib import Path
from queue import Empty, Queue
from types import SimpleNamespace

import pytest

from exactperm import ExactPermError
from exactperm.cli.main import main
from exactperm.files import saving
from exactperm.testing import host, own, program, report, runner, vectors
from exactperm.testing.judge import Implementation, judged
from exactperm.testing.report import Outcome, Report
from tests.factory import asking, generate, plain
from tests.factory.mistakes import MISTAKES
from tests.factory.recipes import LISTS, NOTES
from tests.loops import each

ALL = vectors.load()

starts_programs = pytest.mark.skipif(
    sys.platform == "emscripten", reason="emscripten does not support processes"
)

BAD = """
import json, os, sys, time
questions = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "start":
        print(json.dumps({"version": 1, "implementation": {"name": "bad", "version": 2}}), flush=True)
        continue
    if message["cmd"] == "stop":
        break
    call, name = message["call"], message["id"]
    if name == "M0001:two-sided":
        open("asleep", "w").close()
        time.sleep(30)
    if name == "M0002:two-sided":
        sys.exit("out of memory")
    if name == "M0003:two-sided":
        print("Warning: NaNs produced", flush=True)
        continue
    if name == "M0004:two-sided":
        name = "M0003:two-sided"
    if name == "M0005:two-sided":
        print("[1]", flush=True)
        continue
    if name == "M0006:two-sided":
        os.close(1)
        time.sleep(30)
    p = float("nan") if name == "M0007:two-sided" else 0.5
    print(json.dumps({"id": name, "p": p}), flush=True)
"""


def command(tmp_path, code):
    path = tmp_path / "adapter.py"
    path.write_text(code)
    return [sys.executable, str(path)]


def run(words, pattern="M*", **options):
    return runner.verify(words, only=[pattern], **options)


@pytest.fixture
def in_time(tmp_path, monkeypatch):
    """The limit of seconds has passed as soon as a program says that it sleeps, and long after it on a busy machine."""
    asleep = tmp_path / "asleep"

    class Lines(Queue):
        def get(self, *, timeout):
            for _wait in range(6000):
                with suppress(Empty):
                    return super().get(timeout=0.01)
                if asleep.exists():
                    asleep.unlink()
                    break
            raise Empty

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(program, "Queue", Lines)


@pytest.mark.slow
@starts_programs
@pytest.mark.usefixtures("in_time")
def test_a_program_that_misbehaves_gets_its_verdicts_and_the_run_goes_on(tmp_path):
    report = run(command(tmp_path, BAD), "M000[1-8]", seconds=1.0)
    two_sided = [outcome for outcome in report.outcomes if outcome.alternative == "two-sided"]
    assert {outcome.kind for outcome in two_sided[:6]} == {"no answer"}
    words = [
        "no answer in 1",
        "status 1 and wrote 'out of memory'",
        "NaNs produced', no JSON object",
    ]
    words += ["another id than M0004:two-sided", "it wrote '[1]', no JSON", "closed its input"]
    assert all(word in outcome.detail for word, outcome in zip(words, two_sided))
    assert two_sided[6].kind == "impossible"
    others = {outcome.kind for outcome in report.outcomes if outcome.alternative != "two-sided"}
    assert others <= {"exact", "wrong"}
    assert report.by == Implementation(name="bad", version="2")


HOSTILE = r"""
import json, os, sys, time

def answer(name, p=0.5):
    return json.dumps({"id": name, "p": p})

def say(text):
    sys.stdout.buffer.write(text if isinstance(text, bytes) else text.encode())
    sys.stdout.buffer.flush()

say('\ufeff{"version": 1}\r\n')
sys.stdin.readline()
for line in sys.stdin:
    name = json.loads(line).get("id", "")
    kind = os.environ["HOSTILE"] if name.endswith(":greater") else "plain"
    if kind == "long line":
        for _ in range(50):
            say(b"x" * 10**6)
    elif kind == "many lines":
        say(b"nonsense\n" * 10**6)
    elif kind == "twice":
        say((answer(name) + "\n") * 2)
    elif kind == "a child":
        if not os.fork():
            open("asleep", "w").close()
            time.sleep(60)
        os._exit(0)
    elif kind == "closes stdin":
        os.close(0)
        say(answer(name) + "\n")
        time.sleep(60)
    elif kind == "not UTF-8":
        say(b'{"id": "\xff"}\n')
    elif kind == "nested":
        say("[" * 100000 + "\n")
    elif kind == "ten megabytes":
        say('{"id": "' + name + '", "p": 0.' + "5" * 10**7 + "}\n")
    elif kind == "many digits":
        say('{"id": "' + name + '", "p": ' + "5" * 9999 + "}\n")
    elif kind == "stderr":
        for _ in range(300):
            os.write(2, b"warning " * 9999 + b"\n")
        os.write(2, b"the last word\n")
        os._exit(3)
    elif kind.startswith("{"):
        say(kind.replace("ID", name) + "\n")
    else:
        say(answer(name) + "\r\n")
"""

VERDICTS = {
    "plain": ("wrong", "0.500000, exact 11/1024"),
    "long line": ("error", "it wrote 'xxx"),
    "many lines": ("error", "it wrote 'nonsense', no JSON object"),
    "a child": ("error", "no answer in 2 seconds"),
    "not UTF-8": ("error", "no JSON object"),
    "nested": ("error", "it wrote '[[["),
    "ten megabytes": ("error", "no JSON object"),
    "many digits": ("error", "no JSON object"),
    "stderr": ("error", "it ended with status 3: 'the last word'"),
    '{"id": "ID"}': ("error", "neither p nor log10"),
    '{"id": "ID", "p": null, "error": null}': ("error", "neither p nor log10"),
    '{"id": "ID", "p": NaN}': ("impossible", "nan, exact"),
    '{"p": 1}': ("error", "has no id, which is M0001:greater"),
    '{"id": "m0001:greater", "p": 1}': ("error", "where M0001:greater was the question"),
}
"""Of each behaviour: the verdict on the question, and words of its details."""


@pytest.mark.slow
@starts_programs
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("kind", VERDICTS)
@pytest.mark.usefixtures("in_time")
def test_a_hostile_program_gets_its_verdict_and_the_run_goes_on(tmp_path, monkeypatch, kind):
    """It misbehaves on one question; the next one is answered, by a new process where that is needed."""
    monkeypatch.setenv("HOSTILE", kind)
    report = run(command(tmp_path, HOSTILE), "M0001", seconds=2.0)
    before, there, after = report.outcomes
    assert there.kind in (VERDICTS[kind][0], "no answer")
    assert VERDICTS[kind][1] in there.detail
    assert (before.kind, after.kind) == ("wrong", "wrong")


@starts_programs
@pytest.mark.usefixtures("in_time")
@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("twice", "has another id than M0001:less"),
        ("closes stdin", "it closed its input or output"),
    ],
)
def test_an_answer_is_counted_before_the_fault_after_it(tmp_path, monkeypatch, kind, words):
    """The fault shows at the next question, and only there."""
    monkeypatch.setenv("HOSTILE", kind)
    verdicts = run(command(tmp_path, HOSTILE), "M000[12]", seconds=2.0).outcomes
    assert verdicts[1].kind == "wrong"
    assert words in verdicts[2].detail
    assert verdicts[3].kind == "wrong"


@starts_programs
def test_a_program_that_does_not_read_a_long_question_is_ended(tmp_path):
    """The question does not fit into the pipe."""
    code = "import time\nprint('{\"version\": 1}', flush=True)\ntime.sleep(60)\n"
    with closing(program.Program(command(tmp_path, code))) as other:
        other.seconds = 0.3
        with pytest.raises(program.NoAnswer, match=r"no answer in 0\.3 seconds"):
            other.ask("M0001:less", {"input": "x" * 10**7})


@starts_programs
@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc")
@pytest.mark.usefixtures("in_time")
def test_children_of_a_program_are_ended(tmp_path, monkeypatch):
    """A child holds the output open; it dies with the program's group."""
    written = "with open('child', 'w') as file: file.write(str(os.getpid()))"
    code = HOSTILE.replace(
        "        if not os.fork():\n", f"        if not os.fork():\n            {written}\n"
    )
    monkeypatch.setenv("HOSTILE", "a child")
    run(command(tmp_path, code), "M0001", seconds=2.0)
    child = int((tmp_path / "child").read_text())
    for _wait in range(100):
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        # a zombie of a container without init
        if "Z" in Path(f"/proc/{child}/stat").read_text().split():
            return
        time.sleep(0.05)
    raise AssertionError("the child lives")


@starts_programs
def test_a_program_that_never_answers_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "PATIENCE", 1)
    silent = BAD.partition("    call, name")[0]
    report = run(command(tmp_path, silent), "M000[12]", seconds=0.2)
    details = [outcome.detail for outcome in report.outcomes]
    assert details[0].startswith("no answer in 0.2 seconds: does it flush")
    assert details[-1] == "not asked, after too many questions without an answer"
    assert report.kinds == {"no answer": 6}
    assert (report.flags, report.named) == ([], {})


ANSWERS = "input(); print('ANSWER', flush=True); input()"


@starts_programs
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs signals")
def test_a_program_that_is_killed_says_by_which_signal(tmp_path):
    with pytest.raises(ExactPermError, match="it ended with status -9"):
        program.Program(command(tmp_path, "import os\nos.kill(os.getpid(), 9)"))


@starts_programs
def test_a_program_without_a_first_answer(tmp_path, monkeypatch):
    monkeypatch.setattr(program, "START", 0.3)
    with pytest.raises(
        ExactPermError, match=r"no answer in 0\.3 seconds: does it flush its output after each line"
    ):
        program.Program(command(tmp_path, "import time\ntime.sleep(60)"), seconds=0.1)


@starts_programs
@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import no_such_module_at_all", "No module named"),
        (
            "input(); print('{\"version\": 2}', flush=True); input()",
            'has no "version": 1',
        ),
        (
            "raise SystemExit(3)",
            "it ended with status 3 and wrote '' to standard error; "
            "a program reads one JSON object per line .*PROTOCOL.md",
        ),
        (
            "def f(:\n",
            "does not start as it should: .*SyntaxError: invalid syntax",
        ),
        (
            "input()\nprint('loading data', flush=True)",
            "it wrote 'loading data', no JSON object: other words belong",
        ),
        (ANSWERS.replace("ANSWER", '{"id": null, "p": 0.5}'), 'its answer .* has no "version": 1'),
        (
            ANSWERS.replace("ANSWER", '{"version": [1]}'),
            'has no "version": 1',
        ),
        (
            ANSWERS.replace("ANSWER", '{"error": "unknown command"}'),
            'has no "version": 1',
        ),
    ],
)
def test_a_program_that_does_not_start_is_an_error(tmp_path, code, message):
    with pytest.raises(ExactPermError, match=message):
        program.Program(command(tmp_path, code))


@starts_programs
def test_a_program_that_is_missing_is_an_error():
    with pytest.raises(
        ExactPermError, match="no-such-program does not start as it should: No such file"
    ):
        program.Program(["no-such-program"])


@starts_programs
def test_a_program_that_does_not_read_on_is_noticed(tmp_path):
    """The pipe is closed: the reason is the end of the program."""
    code = "import sys\nsys.stdin.readline()\nprint('{\"version\": 1}', flush=True)\nsys.stdin.close()\n"
    with closing(program.Program(command(tmp_path, code))) as other:
        other._process.wait()
        with pytest.raises(program.NoAnswer, match="it ended with status 0"):
            other.ask("M0001:less", {})


def test_functions_are_served():
    question = {"call": "mcnemar", "input": {"b": "9", "c": "1"}, "alternative": "two-sided"}
    assert host.reply(own.answer, question) == {"p": "11/512"}
    for given, reply in (
        (None, {"skipped": "not supported"}),
        ({"log10": -400}, {"log10": -400}),
        (0.5, {"p": 0.5}),
        ([1, 0.5], {"p": ["1", 0.5]}),
        (10**700, {"p": f"{10**700:#x}"}),
        (True, {"p": True}),
    ):
        assert host.reply(lambda *_question, given=given: given, question) == reply

    class Number:
        def __float__(self):
            return 0.25

    assert host.reply(lambda *_question: Number(), question) == {"p": 0.25}

    def slow(*_question):
        raise NotImplementedError("too slow")

    assert host.reply(slow, question) == {"skipped": "too slow"}
    assert host.reply(lambda *_question: 1 / 0, question) == {
        "error": "ZeroDivisionError: division by zero"
    }
    assert host._plain(host.Fraction(1, 2**3000)).startswith("0x1/0x1000")
    assert host.reply(lambda *_question: [object()], question)["error"].startswith("TypeError")
    assert host.reply(lambda *_question: {"p": {1, 2}}, question)["error"].startswith("TypeError")


def test_the_server_speaks_the_protocol(monkeypatch, tmp_path):
    streams = [(tmp_path / name).open("w+", encoding="utf-8") for name in ("one", "two")]
    files = iter(streams)
    fake = SimpleNamespace(
        fdopen=lambda *_a, **_k: next(files), dup=lambda _fd: 0, dup2=lambda _a, _b: None
    )
    monkeypatch.setattr(host, "os", fake)
    question = {
        "cmd": "run",
        "id": "M",
        "call": "mcnemar",
        "input": {"b": "1", "c": "0"},
        "alternative": "less",
    }
    messages = [{"cmd": "start"}, question, {"cmd": "stop"}, {"cmd": "start"}]
    monkeypatch.setattr(sys, "stdin", [json.dumps(message) for message in messages])
    host.main("exactperm.testing.own", "answer")
    first, second = map(json.loads, (tmp_path / "one").read_text(encoding="utf-8").splitlines())
    assert (first["numbers"], second) == ("decimal", {"id": "M", "p": "1"})
    monkeypatch.setattr(sys, "stdin", [])
    host.main("exactperm.testing.own", "answer")
    for stream in streams:
        stream.close()


def test_the_package_answers_small_vectors_of_each_call():
    small = sorted(ALL.values(), key=lambda vector: vector.size)
    for call in {vector.call for vector in small}:
        for vector in [one for one in small if one.call == call][:9]:
            answered(vector)


@pytest.mark.slow
@each("vector", ALL.values())
def test_the_package_answers_every_vector(vector):
    """In this process; the command ``exactperm verify --self`` runs it in another one."""
    answered(vector)


def answered(vector):
    """The package answers a vector, as a process would."""
    for alternative in vector.questions:
        reply = host.reply(
            own.answer, {"call": vector.call, "input": vector.input, "alternative": alternative}
        )
        verdict = judged(
            vector, alternative, reply, other=ALL.get(vector.other), by=Implementation()
        )
        kinds = {"other reading", "exact"} if vector.reading == "binary64" else {"exact"}
        if vector.call in LISTS and vector.reading == "binary64":
            kinds |= {
                "correctly rounded",
                "within tolerance",
            }  # values hardly move between the readings
        assert verdict.kind in ({"refused"} if vector.result == "error" else kinds)


def doubled_tails(call, given, alternative):
    """Conventions of HypothesisTests.jl: zeros left out, the smaller tail doubled and capped, no test without data."""
    flips = [d for d in plain.units(call, given, "binary64") if d]
    if given.get("zero_method", "wilcox") != "wilcox":
        return None
    if not flips:
        raise ValueError("no data")
    counts, t = plain.flipped(flips), sum(flips)
    greater, less = (
        Fraction(plain.extreme(counts, t, side), 2 ** len(flips)) for side in ("greater", "less")
    )
    return {"greater": greater, "less": less, "two-sided": min(1, 2 * min(greater, less))}[
        alternative
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "vector",
    vectors.picked(["W00*", "G00*", "M000*", "M001[0-4]"]),
    ids=lambda v: v.id,
)
def test_other_conventions_are_no_faults(vector):
    by = Implementation(numbers="binary64")
    for alternative in vector.questions:
        question = {"call": vector.call, "input": vector.input, "alternative": alternative}
        verdict = judged(
            vector,
            alternative,
            host.reply(doubled_tails, question),
            other=ALL.get(vector.other),
            by=by,
        )
        assert verdict.kind in (
            "exact",
            "correctly rounded",
            "ulp",
            "other reading",
            "acceptable",
            "skipped",
        )


def test_the_report_is_written_for_people_and_as_json():
    found = asking.report(MISTAKES["uncapped"], ["S00[0-4]*"])
    text = report.text(found)
    lines = text.splitlines()
    assert lines[0].startswith("program: ")
    shares = [
        line.split(" of ") for line in lines if re.match(r"flag \w+: \d+ of \d+ wrong: ", line)
    ]
    ratios = [int(many.split()[2]) / int(rest.split()[0]) for many, rest, *_ in shares]
    assert ratios == sorted(ratios, reverse=True) != []
    assert "    the smallest: S0003:two-sided {'d': ['0']}: p: 2.00000, exact 1.00000" in text
    assert "S0015:two-sided impossible: p: 1.50000, exact 1.00000\n" in text
    assert (
        "the wrong answers to sign-flip are those of a program that doubles the smaller tail"
        in text
    )
    assert "is right" not in text
    assert re.search(r"\d+ of \d+ answers are wrong$", text)
    data = json.loads(json.dumps(report.json_dict(found)))
    assert data["status"] == 1
    assert data["verdicts"]["impossible"] == sum(
        o["verdict"] == "impossible" for o in data["outcomes"]
    )
    assert data["flags"]["Centre"]
    assert data["named"] == {"sign-flip": ["doubles the smaller tail without capping"]}
    assert data["coverage"]["sign-flip"]["enough"]


def test_the_smallest_wrong_answer_has_its_links():
    text = report.text(asking.report(MISTAKES["one-minus-cdf"], ["W006[4-9]"]))
    assert text.count("https://github.com/scipy/scipy/issues/26026") == 1


def test_long_reports_are_cut():
    text = report.text(asking.report(MISTAKES["no-observed"], ["P00*"]))
    assert "more; the report as JSON has all" in text


_WORDS = [note[2] for note in NOTES.values()] + [
    wrong.__doc__.strip(" .") for wrong in MISTAKES.values()
]
ACCUSING = re.compile(
    "|".join(map(re.escape, [*_WORDS, "mistake", "fault", "fewer", "wrong", "loses"]))
)
"""Words that no right program may read: effects of flags, descriptions of mistakes, and others like them."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("numbers", "read"), [("decimal", "decimal"), ("binary64", "binary64"), (None, "binary64")]
)
def test_right_programs_read_no_accusing_word(numbers, read):
    """Whatever they declare and however they read numbers."""
    found = asking.report(asking.right, ["S00[0-3]*", "P0[02]*"], numbers=numbers, read=read)
    text = report.text(found)
    assert not ACCUSING.search(text), text
    assert "other reading" in text
    assert text.endswith(f"\nevery one of {len(found.outcomes)} answers is right")
    assert found.status == 0


def skipping(most):
    """The report on a right program that skips what has more than so many pairs."""
    outcomes = []
    for vector in vectors.picked(["wilcoxon"]):
        for side in vector.questions:
            kind = (
                "skipped"
                if vector.size > most
                else "refused"
                if vector.result == "error"
                else "exact"
            )
            outcomes.append(Outcome(vector.question_id(side), vector, side, kind, "too large"))
    return Report(by=Implementation(), outcomes=tuple(outcomes), named={})


def test_the_end_says_the_range_that_was_asked():
    text = report.text(skipping(36))
    assert (
        "answers is right; nothing above 36 pairs and nothing below p = 1.5e-11 was asked" in text
    )
    assert re.search(r"; \d+ of \d+ questions \(\d+%\) are not verified$", text)
    assert "nothing above" not in report.text(skipping(10**6))


# ----------------------------------------------------------------------------------------- coverage

PARTLY = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "stop":
        break
    if message["cmd"] == "start":
        print(json.dumps({"version": 1, **DECLARED}), flush=True)
    else:
        one = message["id"].startswith("M0012")
        told = {"p": 1} if one else {"skipped": "too large"}
        print(json.dumps({"id": message["id"], **told}), flush=True)
"""


@starts_programs
@pytest.mark.parametrize(
    ("declared", "options", "status", "line"),
    [
        ({}, {}, 1, "12 of 15 questions skipped: 'too large' (12); fewer answers than required"),
        ({}, {"share": 0.2}, 0, "12 of 15 questions skipped: 'too large' (12)\n"),
        (
            {"calls": ["mcnemar"]},
            {"share": 0.2},
            0,
            "every one of 3 answers is right; 12 of 15 questions (80%) are not",
        ),
        ({"calls": ["sign"]}, {}, 1, "nothing was answered, so nothing is verified"),
        (
            {"calls": ["sign"]},
            {"calls": ["mcnemar"]},
            1,
            "mcnemar: no question was answered; 15 of 15 questions",
        ),
        (
            {"alternatives": ["less"]},
            {"share": 0.2},
            0,
            "mcnemar: the only answer is right; nothing above 0 pairs",
        ),
        ({"alternatives": ["less"]}, {"share": 0.2}, 0, "not among its calls' (10)"),
        (
            {"alternatives": ["less"]},
            {"share": 0.2},
            0,
            "the only answer is right; 14 of 15 questions (93%) are not verified",
        ),
    ],
)
def test_coverage_is_part_of_the_verdict(tmp_path, declared, options, status, line):
    code = PARTLY.replace("DECLARED", repr(declared))
    found = run(command(tmp_path, code), "M001[0-4]", **options)
    assert found.status == status
    assert line in report.text(found)


@starts_programs
@pytest.mark.parametrize(
    ("declared", "options", "message"),
    [
        (
            {"calls": ["mc-nemar"]},
            {},
            "there is no call 'mc-nemar': choose from adjust, f1, ",
        ),
        ({}, {"calls": ("t",)}, "there is no call 't'"),
        ({}, {"share": 1.5}, r"share is 1\.5: it must lie between 0 and 1"),
    ],
)
def test_calls_and_shares_that_do_not_exist(tmp_path, declared, options, message):
    with pytest.raises(ExactPermError, match=message):
        run(command(tmp_path, PARTLY.replace("DECLARED", repr(declared))), "M0012", **options)


# -------------------------------------------------------------------------------------- the command


@pytest.mark.slow
@starts_programs
def test_the_command_verifies_the_package(capsys):
    assert main(["verify", "--self", "--run", "M*"]) == 0
    assert "exactperm 0" in capsys.readouterr().out


@pytest.mark.slow
@starts_programs
def test_the_command_takes_programs_functions_and_known_failures(capsys, tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(
        "def answer(call, given, alternative):\n    print('noise')\n    return 0.5\n"
    )
    monkeypatch.chdir(tmp_path)
    words = ["verify", "--python", "mine:answer", "--run", "M0005", "--calls", "mcnemar"]
    assert main([*words, "--json", "--tolerance", "0"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert [outcome["verdict"] for outcome in data["outcomes"]] == ["wrong", "exact", "wrong"]
    (tmp_path / "known").write_text("M0005:two-sided\nM0005:[gl]*  # both tails\n\n")
    assert main([*words, "--xfail", "known"]) == 0
    assert "known failures that did not fail: M0005:greater" in capsys.readouterr().out
    words = command(
        tmp_path,
        'import sys\nprint(\'{"version": 1, "calls": ["f1"]}\', flush=True)\nsys.stdin.read()',
    )
    assert main(["verify", "--run", "M0001", "--", *words]) == 1
    assert "nothing was answered" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "say what to verify by one of"),
        (["--self", "--python", "a:b"], "say what to verify by one of"),
        (["--python", "module"], "write module:function"),
        (["--self", "--run", "X*"], "no vector has an id, a call or a flag like X*"),
        (["--self", "--tolerance", "2"], "tolerance is 2.0: it must lie between 0 and 1"),
        (["--self", "--vectors", "no-such-folder"], "no-such-folder has no test vectors"),
        (["--self", "--xfail", "no-such-file"], "no-such-file"),
    ],
)
def test_mistakes_of_the_user(capsys, words, message):
    assert main(["verify", *words]) == 2
    assert message in capsys.readouterr().err


EXAMPLES = {
    "python": (
        ["verify", "--python", "mine:answer", "--calls", "sign-flip"],
        "flag DecimalTie: ",
    ),
    "js": (["verify", "--", "node", "mine.js"], "mine 1.0 (JavaScript): "),
    "r": (["verify", "--", "Rscript", "mine.R"], "mine (R): "),
}
"""Of the programs that the page prints: the command printed below, and words of the report."""

FACTORY = Path(asking.__file__).parent
PAGE = generate.FOLDER / "README.md"


@pytest.mark.slow
@starts_programs
@pytest.mark.parametrize("language", EXAMPLES)
def test_the_programs_of_the_page_run(language, capsys, tmp_path, monkeypatch):
    """The example in Python has the fault that the page tells of; those in other languages have none."""
    page = PAGE.read_text(encoding="utf-8")
    words, told = EXAMPLES[language]
    code, _, after = page.partition(f"```{language}\n")[2].partition("```")
    assert after.strip().startswith(f"exactperm {' '.join(words)}")
    if language != "python" and not shutil.which(words[2]):
        pytest.skip(f"{words[2]} is not installed")
    ending = {"python": "py", "js": "js", "r": "R"}[language]
    (tmp_path / f"mine.{ending}").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(words) == (language == "python")
    assert told in capsys.readouterr().out


SOME = "sign,mcnemar,interval,null-distribution"
RIGHT = {
    "decimals in JavaScript": ["--", "node", "right.js", "decimal"],
    "doubles in JavaScript": ["--", "node", "right.js", "binary64"],
    "decimals in Python": [
        "--python",
        "right:answer",
        "--calls",
        f"paired-permutation,sign-flip,wilcoxon,{SOME}",
    ],
    "doubles in R": ["--calls", SOME, "--", "Rscript", "right.R"],
}
"""Right programs, written from the page of the vectors: the words with which they are verified."""


@pytest.fixture
def some(sampled):
    """The words that choose the vectors of a campaign; with --whole all, whose numbers end in any digit."""
    return ["--run", f"*[{string.digits[: sampled(10)]}]"]


@pytest.mark.slow
@starts_programs
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_program_reads_no_accusing_word(name, capsys, monkeypatch, some):
    words = RIGHT[name]
    if "--" in words and not shutil.which(words[words.index("--") + 1]):
        pytest.skip(f"{words[words.index('--') + 1]} is not installed")
    monkeypatch.chdir(FACTORY if "--python" in words else PAGE.parent / "examples")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert main(["verify", "--timeout", "60", *some, *words]) == 0
    told = capsys.readouterr().out
    assert "answers is right" in told.splitlines()[-1]
    assert not ACCUSING.search(told), told


@pytest.mark.slow
@starts_programs
def test_the_jobs_of_the_example_run(tmp_path, some):
    """Each command of the jobs, with the package as one file; that of Julia needs an adapter of its own."""
    folder = PAGE.parent / "examples"
    for path in [*folder.glob("right.*"), FACTORY / "right.py"]:
        shutil.copy(path, tmp_path / f"adapter{path.suffix}")
    (tmp_path / "exactperm.pyz").write_bytes(saving.bundle(vectors=True))
    commands = re.findall(
        r"- run: python3 (exactperm\.pyz verify .*)",
        (folder / "ci.yml").read_text(encoding="utf-8"),
    )
    assert len(commands) == 4
    for words in [command.split() for command in commands]:
        if "--python" in words or (
            "julia" not in words and shutil.which(words[words.index("--") + 1])
        ):
            words[2:2] = some
            done = subprocess.run(
                [sys.executable, *words], cwd=tmp_path, capture_output=True, text=True, check=False
            )
            assert (done.returncode, done.stderr) == (0, ""), words
            assert "answers is right" in done.stdout.splitlines()[-1]


def test_lines_that_nobody_reads_are_lost():
    lines = program.Queue()
    program._feed(io.BytesIO(b"x\n" * (2 * program.MOST_UNREAD)), lines)
    assert [lines.get() for _line in range(lines.qsize())] == [b"x\n"] * program.MOST_UNREAD + [b""]


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        (b'\xef\xbb\xbf{"id": "M"}\r\n', {"id": "M"}),
        (b"[1]\n", "it wrote '[1]', no JSON object"),
        (b"Warning\n", "it wrote 'Warning', no JSON object"),
        (b'{"id": "\xff"}\n', "no JSON object"),
    ],
)
def test_what_a_program_writes(monkeypatch, line, reply):
    """A program that has started, in this process."""
    other = object.__new__(program.Program)
    monkeypatch.setattr(other, "close", lambda: None)
    other._process, other._lines = SimpleNamespace(stdin=io.BytesIO()), program.Queue()
    other._lines.put(line)
    if isinstance(reply, dict):
        assert other._exchange({}, 5.0) == reply
        with pytest.raises(program.NoAnswer, match=r"no answer in 0\.01 seconds"):
            other._exchange({}, 0.01)
    else:
        with pytest.raises(program.NoAnswer, match=re.escape(reply)):
            other._exchange({}, 5.0)


def test_an_answer_without_a_name_is_none(monkeypatch):
    other = object.__new__(program.Program)
    other._process, other.seconds = SimpleNamespace(), 1.0
    monkeypatch.setattr(other, "_exchange", lambda _message, _seconds: {"p": 1})
    monkeypatch.setattr(other, "close", lambda: None)
    with pytest.raises(program.NoAnswer, match="another id than M0001:less"):
        other.ask("M0001:less", {})


def test_the_report_says_what_is_left():
    def outcome(kind, **more):
        return Outcome("S0019:less", ALL["S0019"], "less", kind, **more)

    def found(*outcomes):
        return Report(by=Implementation(), outcomes=outcomes, named={})

    text = report.text(found(outcome("exact", expected=True)))
    assert "known failures that did not fail: S0019:less" in text
    assert report.text(found()).endswith("nothing was answered, so nothing is verified")
    many = found(*[outcome("wrong")] * (report.MOST_SHOWN + 2))
    assert "and 2 more; the report as JSON has all\n" in report.text(many)
    assert report.json_dict(many)["verdicts"] == {"wrong": report.MOST_SHOWN + 2}


def test_the_commands_of_functions():
    assert "'exactperm.testing.own', 'answer'" in program.own()[2]
    with pytest.raises(ExactPermError, match="write module:function"):
        program.python("module")
