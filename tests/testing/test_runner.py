"""The runner: any program gets its verdicts, however badly it behaves, and the report says what is wrong."""

import json
import os
import shutil
import sys
import time
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest

from exactperm import ExactPermError
from exactperm.cli.main import main
from exactperm.testing import host, own, program, runner, vectors
from exactperm.testing.judge import Implementation, Verdict
from tests.testing import plain
from tests.testing.mistakes import MISTAKES, Question

ALL = vectors.load()

starts_programs = pytest.mark.skipif(sys.platform == "emscripten", reason="emscripten does not support processes")

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
    chosen = vectors.chosen(ALL.values(), [pattern])
    with program.Program(words, options.get("seconds", 10.0)) as other:
        return runner.run(ALL, chosen, other, **options)


@starts_programs
def test_a_program_that_misbehaves_gets_its_verdicts_and_the_run_goes_on(tmp_path):
    report = run(command(tmp_path, BAD), "M000[1-8]", seconds=1.0)
    two_sided = [outcome.verdict for outcome in report.outcomes if outcome.alternative == "two-sided"]
    assert [(verdict.kind, verdict.detail) for verdict in two_sided[:6]] == [
        ("error", "no answer in 1 seconds"),
        ("error", "it ended with status 1: 'out of memory'"),
        ("error", "it wrote 'Warning: NaNs produced', no JSON object"),
        ("error", "it answered 'M0003:two-sided' where M0004:two-sided was the question"),
        ("error", "it wrote '[1]', no JSON object"),
        ("error", "it closed its input or output"),
    ]
    assert two_sided[6].kind == "impossible"
    others = [outcome.verdict for outcome in report.outcomes if outcome.alternative != "two-sided"]
    assert [verdict.detail for verdict in others[:2]] == ["M0001:two-sided had no answer in time"] * 2
    assert {verdict.kind for verdict in others[2:]} <= {"exact", "wrong"}
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
    "stderr": ("error", "it ended with status 3: 'the last word'"),
    '{"id": "ID"}': ("error", "neither p nor log10"),
    '{"id": "ID", "p": null, "error": null}': ("error", "neither p nor log10"),
    '{"id": "ID", "p": true}': ("error", "no number"),
    '{"id": "ID", "p": [0.5]}': ("error", "no number"),
    '{"id": "ID", "p": {}}': ("error", "no number"),
    '{"id": "ID", "p": "1e999999999"}': ("error", "no number"),
    '{"id": "ID", "p": NaN}': ("impossible", "nan, exact"),
    '{"id": "ID", "p": -Infinity}': ("impossible", "inf, exact"),
    '{"id": "ID", "p": 1.5}': ("impossible", "1.50000, exact"),
    '{"id": "ID", "log10": "NaN"}': ("impossible", "its logarithm"),
    '{"id": "m0001:greater", "p": 1}': ("error", "where M0001:greater was the question"),
}
"""Of each behaviour: the verdict on the question, and words of its details."""


@starts_programs
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("kind", VERDICTS)
def test_a_hostile_program_gets_its_verdict_and_the_run_goes_on(tmp_path, monkeypatch, kind):
    """It misbehaves on one question; the next one is answered, by a new process where that is needed."""
    monkeypatch.setenv("HOSTILE", kind)
    report = run(command(tmp_path, HOSTILE), "M0001", seconds=2.0)
    before, there, after = [outcome.verdict for outcome in report.outcomes]
    assert there.kind == VERDICTS[kind][0]
    assert VERDICTS[kind][1] in there.detail
    assert (before.kind, after.words) == ("wrong", "not asked" if kind == "a child" else "wrong")


@starts_programs
@pytest.mark.parametrize(
    ("kind", "words"),
    [("twice", "it answered 'M0001:greater' where M0001:less"), ("closes stdin", "it closed its input or output")],
)
def test_an_answer_is_counted_before_the_fault_after_it(tmp_path, monkeypatch, kind, words):
    """The fault shows at the next question, and only there."""
    monkeypatch.setenv("HOSTILE", kind)
    verdicts = [outcome.verdict for outcome in run(command(tmp_path, HOSTILE), "M000[12]", seconds=2.0).outcomes]
    assert verdicts[1].kind == "wrong"
    assert words in verdicts[2].detail
    assert verdicts[3].kind == "wrong"


@starts_programs
def test_a_program_that_does_not_read_a_long_question_is_ended(tmp_path):
    """The question does not fit into the pipe."""
    code = "import time\nprint('{\"version\": 1}', flush=True)\ntime.sleep(60)\n"
    with program.Program(command(tmp_path, code)) as other:
        other._seconds = 0.3
        with pytest.raises(program.NoAnswer, match=r"no answer in 0\.3 seconds"):
            other.ask("M0001:less", {"input": "x" * 10**7})


@starts_programs
@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc")
def test_children_of_a_program_are_ended(tmp_path, monkeypatch):
    """A child holds the output open; it dies with the program's group."""
    written = "with open('child', 'w') as file: file.write(str(os.getpid()))"
    code = HOSTILE.replace("            time.sleep(60)", f"            {written}\n            time.sleep(60)", 1)
    monkeypatch.setenv("HOSTILE", "a child")
    monkeypatch.chdir(tmp_path)
    run(command(tmp_path, code), "M0001", seconds=2.0)
    child = int((tmp_path / "child").read_text())
    for _wait in range(100):
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        if "Z" in Path(f"/proc/{child}/stat").read_text().split():  # a zombie of a container without init
            return
        time.sleep(0.05)
    raise AssertionError("the child lives")


@starts_programs
def test_a_program_that_never_answers_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "PATIENCE", 1)
    silent = BAD.partition("    call, name")[0]
    report = run(command(tmp_path, silent), "M000[12]", seconds=0.2)
    details = [outcome.verdict.detail for outcome in report.outcomes]
    assert details[0] == "no answer in 0.2 seconds"
    assert details[1] == "M0001:two-sided had no answer in time"
    assert details[-1] == "too many questions had no answer"
    assert runner.kinds(report) == {"no answer": 1, "not asked": 5}
    assert not list(runner.flag_counts(report))
    assert runner.likely_mistakes(report) == []


@starts_programs
@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import no_such_module_at_all", "No module named"),
        ("input(); print('{\"version\": 2}', flush=True); input()", "it speaks version 2 of the protocol"),
        ("raise SystemExit(0)", "it ended with status 0$"),
    ],
)
def test_a_program_that_does_not_start_is_an_error(tmp_path, code, message):
    with pytest.raises(ExactPermError, match=message):
        program.Program(command(tmp_path, code))


@starts_programs
def test_a_program_that_is_missing_is_an_error():
    with pytest.raises(ExactPermError, match=r"no-such-program does not start: No such file"):
        program.Program(["no-such-program"])


@starts_programs
def test_a_program_that_does_not_read_on_is_noticed(tmp_path):
    """The pipe is closed: the reason is the end of the program."""
    code = "import sys\nsys.stdin.readline()\nprint('{\"version\": 1}', flush=True)\nsys.stdin.close()\n"
    with program.Program(command(tmp_path, code)) as other:
        other._process.wait()
        with pytest.raises(program.NoAnswer, match="it ended with status 0"):
            other.ask("M0001:less", {})


def test_functions_are_served():
    assert host.about(own)["implementation"]["name"] == "exactperm"
    question = {"call": "mcnemar", "input": {"b": "9", "c": "1"}, "alternative": "two-sided"}
    assert host.reply(own.answer, question) == {"p": "11/512"}
    for given, reply in (
        (None, {"skipped": "not supported"}),
        ({"log10": -400}, {"log10": -400}),
        (0.5, {"p": 0.5}),
        ([1, 0.5], {"p": [1, 0.5]}),
    ):
        assert host.reply(lambda *_question, given=given: given, question) == reply

    class Number:
        def __float__(self):
            return 0.25

    assert host.reply(lambda *_question: Number(), question) == {"p": 0.25}

    def slow(*_question):
        raise NotImplementedError("too slow")

    assert host.reply(slow, question) == {"skipped": "too slow"}
    assert host.reply(lambda *_question: 1 / 0, question) == {"error": "ZeroDivisionError: division by zero"}
    assert host._plain(host.Fraction(1, 2**3000)).startswith("0x1/0x1000")


def test_the_server_speaks_the_protocol(monkeypatch, tmp_path):
    streams = [(tmp_path / name).open("w+", encoding="utf-8") for name in ("one", "two")]
    files = iter(streams)
    fake = SimpleNamespace(fdopen=lambda *_a, **_k: next(files), dup=lambda _fd: 0, dup2=lambda _a, _b: None)
    monkeypatch.setattr(host, "os", fake)
    question = {"cmd": "run", "id": "M", "call": "mcnemar", "input": {"b": "1", "c": "0"}, "alternative": "less"}
    messages = [{"cmd": "start"}, question, {"cmd": "stop"}, {"cmd": "start"}]
    monkeypatch.setattr(sys, "stdin", [json.dumps(message) for message in messages])
    host.main("exactperm.testing.own", "answer")
    first, second = map(json.loads, (tmp_path / "one").read_text(encoding="utf-8").splitlines())
    assert (first["numbers"], second) == ("decimal", {"id": "M", "p": "1"})
    monkeypatch.setattr(sys, "stdin", [])
    host.main("exactperm.testing.own", "answer")
    for stream in streams:
        stream.close()


@pytest.mark.parametrize("vector", ALL.values(), ids=lambda vector: vector.id)
def test_the_package_answers_every_vector(vector):
    """In this process; the command ``exactperm verify --self`` runs it in another one."""
    for alternative in vector.questions:
        reply = host.reply(own.answer, {"call": vector.call, "input": vector.input, "alternative": alternative})
        verdict = runner.judged(vector, alternative, reply, other=ALL.get(vector.other), by=Implementation())
        kinds = {"other reading", "exact"} if vector.reading == "binary64" else {"exact"}
        assert verdict.kind in ({"refused"} if vector.result == "error" else kinds)


def doubled_tails(call, given, alternative):
    """Conventions of HypothesisTests.jl: zeros left out, the smaller tail doubled and capped, no test without data."""
    flips = [d for d in plain.units(call, given, "binary64") if d]
    if given.get("zero_method", "wilcox") != "wilcox":
        return None
    if not flips:
        raise ValueError("no data")
    counts, t = plain.flipped(flips), sum(flips)
    greater, less = (Fraction(plain.extreme(counts, t, side), 2 ** len(flips)) for side in ("greater", "less"))
    return {"greater": greater, "less": less, "two-sided": min(1, 2 * min(greater, less))}[alternative]


@pytest.mark.parametrize(
    "vector", vectors.chosen(ALL.values(), ["W00*", "G00*", "M000*", "M001[0-4]"]), ids=lambda v: v.id
)
def test_other_conventions_are_no_faults(vector):
    by = Implementation(numbers="binary64")
    for alternative in vector.questions:
        question = {"call": vector.call, "input": vector.input, "alternative": alternative}
        verdict = runner.judged(
            vector, alternative, host.reply(doubled_tails, question), other=ALL.get(vector.other), by=by
        )
        assert verdict.kind in ("exact", "correctly rounded", "ulp", "other reading", "acceptable", "skipped")


ASKED = dict.fromkeys(("call", "input", "alternative"))


def asked(name, *patterns):
    """The report on a wrong implementation, in this process."""
    outcomes = []
    for vector in vectors.chosen(ALL.values(), patterns):
        for alternative in vector.questions if vector.result != "error" else ():
            reading = "binary64" if vector.reading == "binary64" else "decimal"
            question = Question(vector.call, vector.input, reading, alternative)
            reply = host.reply(lambda *_args, question=question: MISTAKES[name](question), ASKED)
            by = Implementation(numbers=reading)
            verdict = runner.judged(vector, alternative, reply, other=ALL.get(vector.other), by=by)
            outcomes.append(runner.Outcome(vector=vector, alternative=alternative, verdict=verdict))
    return runner.Report(by=Implementation(name=name), outcomes=tuple(outcomes))


OTHER_WORDS = {
    "strict": "counts > in place of >=",
    "strict-lower": "counts > in place of >=",
    "no-abs": "is the upper tail only",
    "twice-greater": "doubles the smaller tail without capping at 1",
    "uncapped": "doubles the smaller tail without capping at 1",
    "far-tail-atom": "leaves the atom of the far tail out",
    "no-observed": "leaves the observed assignment out of the count",
    "no-observed-at-all": "leaves the observed assignment out of count and total",
    "add-one": "adds one to count and total",
    "rounded-p": "ounds p to 4 decimals",
    "underflow": "is no number",
    "normal-approximation": "an approximation",
    "no-tie-correction": "an approximation",
    "monte-carlo": "a random sample",
    "unpaired": "other permutations",
    "nan-for-zeros": "is no number",
}
"""Mistakes that show in the numbers, and the words for these."""


SMALL = [
    "P00*",
    "P0[26]*",
    "P033*",
    "S00[01]*",
    "S0019",
    "W000[1-7]",
    "W001*",
    "W002*",
    "W003*",
    "G*",
    "F000[124567]",
    "R*",
    "A*",
]
LARGE = ["P004*", "P006*", "P029[13459]", "P0300", "P031[1-4]", "S004[245]", "M*"]


@pytest.mark.parametrize("name", MISTAKES)
def test_the_report_names_the_likely_mistake(name):
    """Each of the wrong implementations is recognized from its answers to the vectors that reveal it and others."""
    report = asked(name, *(LARGE if name in ("drops-cells", "underflow", "int64-counts", "rounded-p") else SMALL))
    words = OTHER_WORDS.get(name, MISTAKES[name].__doc__)
    assert any(words in line for line in runner.likely_mistakes(report))
    assert report.status == 1


def test_the_report_is_written_for_people_and_as_json():
    report = asked("uncapped", "S*")
    text = runner.text(report)
    assert text.startswith("uncapped: ")
    assert "faults of" in text
    assert "doubles the tail at the centre without capping" in text
    assert (
        "S0015:two-sided impossible: 1.50000, exact 1 = 1.00000, 1.50000 times the exact value; perhaps it doubles"
        in text
    )
    data = json.loads(json.dumps(runner.json_dict(report)))
    assert data["status"] == 1
    assert data["verdicts"]["impossible"] == sum(o["verdict"] == "impossible" for o in data["outcomes"])
    assert data["flags"]["Centre"]["faults"] > 0


def test_long_reports_are_cut():
    text = runner.text(asked("no-observed", "P00*"))
    assert "more; --json has all" in text


def test_readings_are_reported_by_flag():
    verdict = Verdict(kind="other reading", words="other reading")
    outcome = runner.Outcome(vector=ALL["S0019"], alternative="less", verdict=verdict)
    report = runner.Report(by=Implementation(language="R"), outcomes=(outcome,))
    assert "unnamed (R): 1 questions" in runner.text(report)
    assert "DecimalTie  1 in the other reading of 1: loses ties of decimals" in runner.text(report)
    assert report.status == 0


# ---------------------------------------------------------------------------------------------- the command


@starts_programs
def test_the_command_verifies_the_package(capsys):
    assert main(["verify", "--self", "--run", "M*"]) == 0
    assert "exactperm 0" in capsys.readouterr().out


@starts_programs
def test_the_command_takes_programs_functions_and_known_failures(capsys, tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text("def answer(call, given, alternative):\n    print('noise')\n    return 0.5\n")
    monkeypatch.chdir(tmp_path)
    assert main(["verify", "--python", "mine:answer", "--run", "M0005", "--json", "--tolerance", "exact"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert [outcome["verdict"] for outcome in data["outcomes"]] == ["wrong", "exact", "wrong"]
    (tmp_path / "known").write_text("M0005:two-sided\nM0005:[gl]*  # both tails\n\n")
    assert main(["verify", "--python", "mine:answer", "--run", "M0005", "--xfail", "known"]) == 0
    assert "known failures that did not fail: M0005:greater" in capsys.readouterr().out
    words = command(tmp_path, 'import sys\nprint(\'{"version": 1, "calls": ["f1"]}\', flush=True)\nsys.stdin.read()')
    assert main(["verify", "--run", "M0001", "--", *words]) == 1
    assert "nothing was answered" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "say what to verify by one of"),
        (["--self", "--python", "a:b"], "say what to verify by one of"),
        (["--python", "module"], "write module:function"),
        (["--self", "--run", "X*"], "no vector has an id, a call or a flag like X*"),
        (["--self", "--tolerance", "near"], "is no tolerance"),
        (["--self", "--vectors", "no-such-folder"], "cannot read no-such-folder"),
        (["--self", "--xfail", "no-such-file"], "no-such-file"),
    ],
)
def test_mistakes_of_the_user(capsys, words, message):
    assert main(["verify", *words]) == 2
    assert message in capsys.readouterr().err


def test_vectors_are_listed_shown_and_packed(capsys, tmp_path):
    assert main(["vectors", "--run", "R000[12]"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "R0001  ratio               any       Ratio  errors over tokens",
        "R0002  ratio               any       Ratio,Trivial  ",
    ]
    assert main(["vectors", "--show", "S0051"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["input"] == {"d": ["3", "1", "-2"]}
    assert shown["kills"]["strict"] == "Counts T > t in place of T >= t."
    assert main(["vectors", "--show", "S9999"]) == 2
    assert "there is no vector S9999" in capsys.readouterr().err
    path = tmp_path / "vectors.zip"
    assert main(["vectors", "--zip", str(path)]) == 0
    assert path.read_bytes() == vectors.packed()
    assert main(["vectors", "--zip", str(path)]) == 2
    assert main(["vectors", "--zip", str(path), "--force"]) == 0


EXAMPLES = {
    "python": (["verify", "--python", "mine:answer"], "likely: Adds floats and compares the sums with == or >=."),
    "js": (["verify", "--", "node", "mine.js"], "mine 1.0 (JavaScript): "),
    "r": (["verify", "--", "Rscript", "mine.R"], "mine (R): "),
}
"""Of the programs that the page prints: the command printed below, and words of the report."""

PAGE = Path(program.__file__).with_name("vectors") / "README.md"


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
