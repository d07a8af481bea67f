"""The runner: any program gets its verdicts, however badly it behaves, and the report says what is wrong."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import closing, suppress
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from queue import Empty, Queue
from types import SimpleNamespace

import pytest

from exactperm import ExactPermError
from exactperm.files import saving
from exactperm.testing import host, program, report, runner, vectors
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


def command(tmp_path, code):
    path = tmp_path / "adapter.py"
    path.write_text(code, encoding="utf-8")
    return [sys.executable, str(path)]


# ------------------------------------------------------------------------------------ misbehaviour

PLAIN = r"""
import json, os, sys, time

def answer(p=0.5, **more):
    return json.dumps({"id": name, "p": p, **more}) + "\n"

def say(text):
    sys.stdout.buffer.write(text if isinstance(text, bytes) else text.encode())
    sys.stdout.buffer.flush()

def end(words):
    os.write(2, words)
    os._exit(3)

def sleep():
    open("asleep", "w").close()
    time.sleep(60)

say('\ufeff{"version": 1, "implementation": {"name": "bad", "version": 2}}\r\n')
sys.stdin.readline()
for line in sys.stdin:
    name = json.loads(line).get("id", "")
    vector, _, side = name.partition(":")
    told = answer()
    exec(DO.get(vector, "") if side == "greater" else "")
    say(told.replace("\n", "\r\n"))
"""
"""A program that answers 0.5, after it has done what its text says for questions of one side."""

MISBEHAVIOUR = r"""
say(b"x" * 3 * 10**6)                             | it wrote 'xxx
say(b"nonsense\n" * 10**4)                        | it wrote 'nonsense', no JSON object
say(b'{"id": "\xff"}\n')                          | no JSON object
say("[" * 100000 + "\n")                          | it wrote '[[[
say("[1]\n")                                      | it wrote '[1]', no JSON object
say(answer()[:-2] + "5" * 2 * 10**6 + "}\n")      | no JSON object
say(answer().replace("0.5", "5" * 9999))          | no JSON object
end(b"warning " * 99999 + b"\nthe last word\n")   | it ended with status 3 and wrote
sys.exit("out of memory")                         | status 1 and wrote 'out of memory'
os.fork() and os._exit(0); sleep()                | no answer in 2 seconds: does it flush
os.close(1); time.sleep(60)                       | it closed its input or output
say('{"p": 1}\n')                                 | has another id than
say(answer().replace("S", "s"))                   | has another id than
told = answer(None, error=None)                   | error | neither p nor log10
told = answer(float("nan"))                       | impossible | nan, exact
say(answer())                                     | next | has another id than
os.close(0); say(answer()); time.sleep(60)        | next | it closed its input or output
"""
"""What a program does before it answers, or its answer, and words of the verdict, which is "no answer" where nothing else is said;
"next": on the question after it."""


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
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.usefixtures("in_time")
def test_a_program_that_misbehaves_gets_its_verdicts_and_the_run_goes_on(tmp_path):
    """On one question of three; the others are answered, by a new process where that is needed."""
    rows = [
        (did, *(kind or ["no answer"]), words)
        for did, *kind, words in (line.split(" | ") for line in MISBEHAVIOUR.strip().splitlines())
    ]
    names = [name for name in ALL if name[0] == "S"][: len(rows)]
    code = f"DO = {dict(zip(names, (did.strip() for did, *_ in rows)))!r}\n{PLAIN}"
    found = runner.verify(command(tmp_path, code), only=names, seconds=2.0)
    outcomes = {outcome.id: outcome for outcome in found.outcomes}
    for name, (did, kind, words) in zip(names, rows):
        wrong = outcomes.pop(f"{name}:{'less' if kind == 'next' else 'greater'}")
        told = wrong.kind, words in wrong.detail
        assert told == (kind.replace("next", "no answer"), True), (did, wrong.detail)
    lost = ("no answer", "error", "impossible")
    assert not [outcome for outcome in outcomes.values() if outcome.kind in lost]
    assert found.by == Implementation(name="bad", version="2")


@starts_programs
def test_a_program_that_does_not_read_is_ended(tmp_path):
    """The question does not fit into the pipe; or the pipe is closed, and the reason is the end of the program."""
    start = "import sys, time\nprint('{\"version\": 1}', flush=True)\n"
    for code, seconds, words in (
        ("time.sleep(60)", 0.3, r"no answer in 0\.3 seconds"),
        ("sys.stdin.readline(); sys.stdin.close()", 9, "it ended with status 0"),
    ):
        with closing(program.Program(command(tmp_path, start + code))) as other:
            other.seconds = seconds
            if seconds == 9:
                other._process.wait()
            with pytest.raises(program.NoAnswer, match=words):
                other.ask("M0001:less", {"input": "x" * 10**7})


@starts_programs
@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc")
@pytest.mark.usefixtures("in_time")
def test_children_of_a_program_are_ended(tmp_path):
    """A child holds the output open; it dies with the program's group."""
    child = "os.fork() and os._exit(0); open('child', 'w').write(str(os.getpid())); sleep()"
    code = f"DO = {{'M0001': {child!r}}}\n{PLAIN}"
    runner.verify(command(tmp_path, code), only=["M0001"], seconds=2.0)
    stat = Path("/proc", (tmp_path / "child").read_text(), "stat")
    for _wait in range(100):
        # a zombie of a container without init
        if not stat.exists() or "Z" in stat.read_text().split():
            return
        time.sleep(0.05)
    raise AssertionError("the child lives")


SPEAKS = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "start":
        print(json.dumps({"version": 1, **DECLARED}), flush=True)
    elif message["cmd"] == "run":
        one = message["id"].startswith("M0012")
        told = {"p": 1} if one else {"skipped": "too large"}
        print(json.dumps({"id": message["id"], **told}), flush=True)
"""
"""A program that answers the questions of one vector."""


@starts_programs
def test_a_program_that_never_answers_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "PATIENCE", 1)
    silent = SPEAKS.replace("**DECLARED", "").replace('== "run"', '== "never"')
    found = runner.verify(command(tmp_path, silent), only=["M000[12]"], seconds=0.2)
    details = [outcome.detail for outcome in found.outcomes]
    assert details[0].startswith("no answer in 0.2 seconds: does it flush")
    assert details[-1] == "not asked, after too many questions without an answer"
    assert (found.kinds, found.flags, found.named) == ({"no answer": 6}, [], {})


SAYS = "input(); print('%s', flush=True); input()"
STARTS = [
    ("import no_such_module_at_all", "No module named"),
    ("raise SystemExit(3)", "status 3 and wrote '' to standard error; a program reads one JSON"),
    ("def f(:\n", "does not start as it should: .*SyntaxError: invalid syntax"),
    ("input()\nprint('loading', flush=True)", "it wrote 'loading', no JSON object: other words"),
    (SAYS % '{"version": 2}', 'has no "version": 1'),
    (SAYS % '{"version": [1]}', 'has no "version": 1'),
    (SAYS % '{"id": null, "p": 0.5}', 'its answer .* has no "version": 1'),
    (SAYS % '{"error": "unknown command"}', 'has no "version": 1'),
    ("import time\ntime.sleep(60)", r"no answer in 0\.3 seconds: does it flush its output after"),
    ("import os\nos.kill(os.getpid(), 9)", "it ended with status -9"),
    (None, "no-such-program does not start as it should: No such file"),
]


@starts_programs
@pytest.mark.parametrize(("code", "message"), STARTS)
def test_a_program_that_does_not_start_is_an_error(tmp_path, monkeypatch, code, message):
    if "-9" in message and not hasattr(os, "killpg"):
        pytest.skip("needs signals")
    if "sleep" in (code or ""):
        monkeypatch.setattr(program, "START", 0.3)
    words = command(tmp_path, code) if code else ["no-such-program"]
    with pytest.raises(ExactPermError, match=message):
        program.Program(words, seconds=0.1)


def test_lines_that_nobody_reads_are_lost():
    lines = program.Queue()
    program._feed(io.BytesIO(b"x\n" * (2 * program.MOST_UNREAD)), lines)
    assert [lines.get() for _line in range(lines.qsize())] == [b"x\n"] * program.MOST_UNREAD + [b""]


def test_what_a_program_writes(monkeypatch):
    """A program that has started, in this process."""
    other = object.__new__(program.Program)
    monkeypatch.setattr(other, "close", lambda: None)

    def wait(timeout):
        raise subprocess.TimeoutExpired("", timeout)

    other._process = SimpleNamespace(stdin=io.BytesIO(), wait=wait)
    other._lines, other.seconds = program.Queue(), 0.01
    for line, told in (
        (b'\xef\xbb\xbf{"id": "M"}\r\n', None),
        (b"", r"no answer in 0\.01 seconds"),
        (b'{"id": "N"}\n', "another id than M, its question"),
        (b"END", "it closed its input or output"),
        (b"[1]\n", r"it wrote '\[1\]', no JSON object"),
        (b'{"id": "\xff"}\n', "no JSON object"),
    ):
        if line:
            other._lines.put(line.replace(b"END", b""))
        if told is None:
            assert other.ask("M", {}) == {"id": "M"}
        else:
            with pytest.raises(program.NoAnswer, match=told):
                other.ask("M", {})


# ---------------------------------------------------------------------------------------- functions


def test_functions_are_served():
    question = {"call": "mcnemar", "input": {"b": "9", "c": "1"}, "alternative": "two-sided"}

    def reply(given):
        def answer(*_question):
            if isinstance(given, Exception):
                raise given
            return given

        return host.reply(answer, question)

    class Number:
        def __float__(self):
            return 0.25

    assert host.reply(host.answer, question) == {"p": "11/512"}
    for given, told in (
        (None, {"skipped": "not supported"}),
        ({"log10": -400}, {"log10": -400}),
        (0.5, {"p": 0.5}),
        ([1, 0.5], {"p": ["1", 0.5]}),
        (10**700, {"p": f"{10**700:#x}"}),
        (Fraction(1, 2**3000), {"p": f"0x1/{2**3000:#x}"}),
        (True, {"p": True}),
        (Number(), {"p": 0.25}),
        (NotImplementedError("too slow"), {"skipped": "too slow"}),
        (ZeroDivisionError("by zero"), {"error": "ZeroDivisionError: by zero"}),
    ):
        assert reply(given) == told
    for given in ([object()], {"p": {1, 2}}):
        assert reply(given)["error"].startswith("TypeError")


def test_the_server_speaks_the_protocol(monkeypatch):
    streams = [io.StringIO(), io.StringIO()]
    opened = iter(streams)
    fake = SimpleNamespace(
        fdopen=lambda *_a, **_k: next(opened), dup=lambda _fd: 0, dup2=lambda _a, _b: None
    )
    monkeypatch.setattr(host, "os", fake)
    asked = {"call": "mcnemar", "input": {"b": "1", "c": "0"}, "alternative": "less"}
    messages = [{"cmd": "start"}, {"cmd": "run", "id": "M", **asked}, {"cmd": "stop"}, {}]
    for lines in (map(json.dumps, messages), ()):
        monkeypatch.setattr(sys, "stdin", lines)
        host.main("exactperm.testing.host", "answer")
    first, second = map(json.loads, streams[0].getvalue().splitlines())
    assert (first["numbers"], second) == ("decimal", {"id": "M", "p": "1"})


def test_the_commands_of_functions():
    assert "'exactperm.testing.host', 'answer'" in program.own()[2]
    with pytest.raises(ExactPermError, match="write module:function"):
        program.python("module")


def verdicts(function, vector, by=None):
    """The kinds of verdict on a function's answers to a vector, as those of a process."""
    about = {"call": vector.call, "input": vector.input}
    replies = {
        side: host.reply(function, {**about, "alternative": side}) for side in vector.questions
    }
    other = ALL.get(vector.other)
    return {judged(vector, side, each, other=other, by=by).kind for side, each in replies.items()}


def answered(vector):
    """The package answers a vector, as a process would."""
    kinds = {"refused"} if vector.result == "error" else {"exact"}
    if vector.reading == "binary64":
        kinds.add("other reading")
        if vector.call in LISTS:  # values hardly move between the readings
            kinds |= {"correctly rounded", "within tolerance"}
    assert verdicts(host.answer, vector) <= kinds


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


def doubled_tails(call, given, alternative):
    """Conventions of HypothesisTests.jl: zeros left out, the smaller tail doubled and capped, no test without data."""
    flips = [d for d in plain.units(call, given, "binary64") if d]
    if given.get("zero_method", "wilcox") != "wilcox":
        return None
    if not flips:
        raise ValueError("no data")
    counts, t = plain.flipped(flips), sum(flips)
    tails = {
        side: Fraction(plain.extreme(counts, t, side), 2 ** len(flips))
        for side in ("greater", "less")
    }
    return tails.get(alternative, min(1, 2 * min(tails.values())))


@pytest.mark.slow
@pytest.mark.parametrize(
    "vector", vectors.picked(["W00*", "G00*", "M000*", "M001[0-4]"]), ids=lambda v: v.id
)
def test_other_conventions_are_no_faults(vector):
    found = verdicts(doubled_tails, vector, Implementation(numbers="binary64"))
    fine = {"exact", "correctly rounded", "ulp", "other reading", "acceptable", "skipped"}
    assert found <= fine


# ------------------------------------------------------------------------------------------ reports


def test_the_report_is_written_for_people_and_as_json():
    found = asking.report(MISTAKES["uncapped"], ["S00[0-4]*"])
    text = report.text(found)
    lines = text.splitlines()
    assert lines[0].startswith("program: ")
    shares = re.findall(r"^flag \w+: (\d+) of (\d+) wrong: ", text, re.MULTILINE)
    ratios = [int(many) / int(of) for many, of in shares]
    assert ratios == sorted(ratios, reverse=True) != []
    assert "    the smallest: S0003:two-sided {'d': ['0']}: p: 2.00000, exact 1.00000" in text
    assert "S0015:two-sided impossible: p: 1.50000, exact 1.00000" in lines
    named = "the wrong answers to sign-flip are those of a program that doubles the smaller tail"
    assert named in text
    assert "is right" not in text
    assert re.search(r"\d+ of \d+ answers are wrong$", text)
    data = json.loads(json.dumps(report.json_dict(found)))
    kinds = [outcome["verdict"] for outcome in data["outcomes"]]
    assert (data["status"], data["verdicts"]["impossible"]) == (1, kinds.count("impossible"))
    assert data["flags"]["Centre"]
    assert data["named"] == {"sign-flip": ["doubles the smaller tail without capping"]}
    assert data["coverage"]["sign-flip"]["enough"]


def test_the_report_says_what_is_left():
    def found(*outcomes):
        every = [Outcome("S0019:less", ALL["S0019"], "less", *each) for each in outcomes]
        return Report(by=Implementation(), outcomes=tuple(every), named={})

    text = report.text(found(("exact", "", True)))
    assert "known failures that did not fail: S0019:less" in text
    assert report.text(found()).endswith("nothing was answered, so nothing is verified")
    many = found(*[("wrong",)] * (report.MOST_SHOWN + 2))
    assert "and 2 more; the report as JSON has all\n" in report.text(many)
    linked = report.text(asking.report(MISTAKES["one-minus-cdf"], ["W0066"]))
    assert linked.count("https://github.com/scipy/scipy/issues/26026") == 1


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


def test_the_end_says_the_range_that_was_asked():
    """Of a right program that skips what has more than so many pairs."""
    for most, said in (
        (36, "nothing above 36 pairs and nothing below p = 1.5e-11 was asked"),
        (10**6, ""),
    ):
        outcomes = []
        for vector in vectors.picked(["wilcoxon"]):
            kind = "refused" if vector.result == "error" else "exact"
            kind = kind if vector.size <= most else "skipped"
            for side in vector.questions:
                about = vector.question_id(side), vector, side, kind, "too large"
                outcomes.append(Outcome(*about))
        text = report.text(Report(by=Implementation(), outcomes=tuple(outcomes), named={}))
        assert f"answers is right; {said}" in text if said else "nothing above" not in text
        rest = re.search(r"; \d+ of \d+ questions \(\d+%\) are not verified$", text)
        assert bool(rest) is bool(said)


COVERED = r"""
[{}, {}, 1, ["12 of 15 questions skipped: 'too large' (12); fewer answers than required"]]
[{}, {"share": 0.2}, 0, ["12 of 15 questions skipped: 'too large' (12)\n"]]
[{"calls": ["mcnemar"]}, {"share": 0.2}, 0, ["every one of 3 answers is right; 12 of 15 questions (80%)"]]
[{"calls": ["sign"]}, {}, 1, ["nothing was answered, so nothing is verified"]]
[{"calls": ["sign"]}, {"calls": ["mcnemar"]}, 1, ["mcnemar: no question was answered; 15 of 15"]]
[{"alternatives": ["less"]}, {"share": 0.2}, 0, ["mcnemar: the only answer is right; nothing above 0"]]
[{"alternatives": ["less"]}, {"share": 0.2}, 0, ["not among its calls' (10)"]]
[{"alternatives": ["less"]}, {"share": 0.2}, 0, ["the only answer is right; 14 of 15 questions (93%)"]]
[{"calls": ["mc-nemar"]}, {}, null, ["no call 'mc-nemar': choose from adjust, f1, "]]
[{}, {"calls": ["t"]}, null, ["there is no call 't'"]]
[{}, {"share": 1.5}, null, ["share is 1.5: it must lie between 0 and 1"]]
"""
"""What a program declares, what is asked, the status (null where that is refused), and what is said."""


@starts_programs
@pytest.mark.parametrize(
    ("declared", "options", "status", "said"), [*map(json.loads, COVERED.strip().splitlines())]
)
def test_coverage_is_part_of_the_verdict(tmp_path, declared, options, status, said):
    words = command(tmp_path, SPEAKS.replace("DECLARED", repr(declared)))
    try:
        found = runner.verify(words, only=["M001[0-4]"], **options)
        text = report.text(found)
    except ExactPermError as error:
        found, text = SimpleNamespace(status=None), str(error)
    assert found.status == status
    assert [words for words in said if words not in text] == []


# -------------------------------------------------------------------------------------- the command


@pytest.mark.slow
@starts_programs
def test_the_command_takes_programs_functions_and_known_failures(run, write):
    assert "exactperm 0" in run("verify", "--self", "--run", "M*")[1]
    answer = "def answer(call, given, alternative):\n    print('noise')\n    return 0.5\n"
    write(answer, "mine.py")
    words = ["verify", "--python", "mine:answer", "--run", "M0005", "--calls", "mcnemar"]
    status, out, _err = run(*words, "--json", "--tolerance", "0")
    kinds = [outcome["verdict"] for outcome in json.loads(out)["outcomes"]]
    assert (status, kinds) == (1, ["wrong", "exact", "wrong"])
    write("M0005:two-sided\nM0005:[gl]*  # both tails\n\n", "known")
    status, out, _err = run(*words, "--xfail", "known")
    assert (status, "known failures that did not fail: M0005:greater" in out) == (0, True)


def test_verify_hands_its_options_on(run, write, monkeypatch):
    asked = []
    found = SimpleNamespace(status=1, told="text")
    monkeypatch.setattr(
        runner, "verify", lambda *words, **said: asked.append((*words, said)) or found
    )
    monkeypatch.setattr(report, "text", lambda each: each.told)
    monkeypatch.setattr(report, "json_dict", vars)
    write("F0001  # known\n\n  S00*  \n", "known.txt")
    assert run("verify", "--self") == (1, "text\n", "")
    options = "--run A,B --calls x,y --xfail known.txt --timeout 2 --json"
    status, out, _err = run("verify", *options.split(), "--", "node", "a.js")
    assert (status, json.loads(out)["told"]) == (1, "text")
    run("verify", "--python", "module:function")
    commands = program.own(), ["node", "a.js"], program.python("module:function")
    assert tuple(words for words, _said in asked) == commands
    plain, said = asked[0][1], asked[1][1]
    assert (plain["only"], plain["calls"], plain["known"]) == ((), None, ())
    assert (said["only"], said["calls"], said["seconds"]) == (["A", "B"], ["x", "y"], 2)
    assert said["known"] == ["F0001", "S00*"]


def test_save_hands_its_options_on(run, monkeypatch):
    def noted(*words, **options):
        return repr((words, options)).encode()

    monkeypatch.setattr(saving, "bundle", noted)
    monkeypatch.setattr(vectors, "packed", noted)
    every = {"vectors": True, "compiled": True}
    for words, content in (
        ("program b.pyz --compiled --with-vectors", noted(**every)),
        ("vectors w.zip --vectors mine", noted("mine")),
    ):
        status, out, _err = run("save", *words.split())
        name = words.split()[1]
        assert (status, Path(name).read_bytes()) == (0, content)
        digest = sha256(content).hexdigest()
        assert out == f"{name}: {len(content)} bytes, SHA-256 {digest}\n"


def test_vectors_are_listed(run):
    some = run("verify", "--list", "--run", "M0001,F0001")[1].splitlines()
    assert sum(int(line.split()[0]) for line in some) == 2
    assert json.loads(run("verify", "--show", "M0001")[1])["id"] == "M0001"


def test_mistakes_of_the_user(run):
    for words, message in (
        ("", "say what to verify by one of"),
        ("--self --python a:b", "say what to verify by one of"),
        ("--python module", "write module:function"),
        ("--self --run X*", "no vector has an id, a call or a flag like X*"),
        ("--self --tolerance 2", "tolerance is 2.0: it must lie between 0 and 1"),
        ("--self --vectors no-such-folder", "no-such-folder has no test vectors"),
        ("--self --xfail no-such-file", "no-such-file"),
    ):
        status, _out, err = run("verify", *words.split())
        assert (status, message in err) == (2, True), words


FACTORY = Path(asking.__file__).parent
PAGE = generate.FOLDER / "README.md"
EXAMPLES = {
    "python": ("py", "verify --python mine:answer --calls sign-flip", "flag DecimalTie: "),
    "js": ("js", "verify -- node mine.js", "mine 1.0 (JavaScript): "),
    "r": ("R", "verify -- Rscript mine.R", "mine (R): "),
}
"""Of the programs that the page prints: the ending, the command printed below, and words of the report."""


def installed(words):
    """Skip where the language of a program, behind "--", is missing."""
    if "--" in words and not shutil.which(words[words.index("--") + 1]):
        pytest.skip(f"{words[words.index('--') + 1]} is not installed")


@pytest.mark.slow
@starts_programs
@pytest.mark.parametrize("language", EXAMPLES)
def test_the_programs_of_the_page_run(language, run, write):
    """The example in Python has the fault that the page tells of; those in other languages have none."""
    page = PAGE.read_text(encoding="utf-8")
    ending, words, told = EXAMPLES[language]
    code, _, after = page.partition(f"```{language}\n")[2].partition("```")
    assert after.strip().startswith(f"exactperm {words}")
    installed(words.split())
    write(code, f"mine.{ending}")
    status, out, _err = run(*words.split())
    assert (status, told in out) == (language == "python", True)


def jobs():
    """Yield the words of each command of the example of jobs, but that of Julia, which needs an adapter of its own."""
    text = (PAGE.parent / "examples" / "ci.yml").read_text(encoding="utf-8")
    commands = re.findall(r"- run: python3 exactperm\.pyz verify (.*)", text)
    assert len(commands) == 4
    yield from (words.split() for words in commands if "julia" not in words)


SOME = ["--calls", "sign,mcnemar,interval,null-distribution"]
RIGHT = {
    "decimals in JavaScript": ["--", "node", "adapter.js", "decimal"],
    "decimals in Python": ["--python", "adapter:answer", *SOME],
    **{f"job {i}": words for i, words in enumerate(jobs())},
}
"""Right programs, written from the page of the vectors: the words with which they are verified, or jobs have them."""


@pytest.mark.slow
@starts_programs
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_program_reads_no_accusing_word(name, run, tmp_path, monkeypatch, sampled):
    """Of a sample of vectors; with --whole of all, whose numbers end in any digit."""
    words = RIGHT[name]
    installed(words)
    for path in [*(PAGE.parent / "examples").glob("right.*"), FACTORY / "right.py"]:
        shutil.copy(path, tmp_path / f"adapter{path.suffix}")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    digits = "3012456789"[: sampled(10)]
    status, told, err = run("verify", "--timeout", "60", "--run", f"*[{digits}]", *words)
    assert (status, err) == (0, "")
    assert "answers is right" in told.splitlines()[-1]
    assert not ACCUSING.search(told), told
