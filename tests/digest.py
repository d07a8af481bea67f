"""Results of commands in one SHA-256, the same on every interpreter and machine: ``python3 -m tests.digest [--show]``.

Needs nothing but the package. ``--show`` prints the results, so that two hosts can be compared line
by line. ``python3 tests/hosts.py digests`` does that for the interpreters that it finds.
"""

import hashlib
import io
import json
import os
import platform
import re
import sys
import tempfile
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

from exactperm.cli import main as cli
from exactperm.files import saving
from tests.cli import lines

AUDITED = Path(__file__).parent / "data" / "audit"
COMMANDS = """
test sleep.csv -c first,second --distribution -
test sleep.csv -c first,second --picture -
test sleep.csv -c first,second --interval --midp
test --counts 40,19
compare plain-12-1.csv --columns a,b,c --interval --picture -
audit claims.json -v
audit darwin.csv --json --p p<.05
audit --n 5 --p .03
verify --show F0001
guide power
test nothing.csv
""".strip().splitlines()
"""Beside those whose answers are kept."""


@contextmanager
def folder():
    """A folder with files, in which commands run."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as there:
        os.chdir(there)
        audited = {name: (AUDITED / name).read_text("utf-8") for name in os.listdir(AUDITED)}
        try:
            for name, content in {**lines.FILES, **audited}.items():
                Path(name).write_text(content, encoding="utf-8")
            yield
        finally:
            os.chdir(before)


def command(words):
    """Return exit status and output of a command, without its times and logarithms, whose last digit is the C library's."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        status = cli.main(words)
    text = f"{status}\n{out.getvalue()}"
    return re.sub(r"[\d.]+ m?s\b|\"log10_pvalue\": [^,]*|\"seconds\": [\d.e-]+", "", text)


def results():
    """Return what each command prints."""
    kept = (json.loads(line)[0] for line in lines.ANSWERS.read_text("utf-8").splitlines())
    asked = [*(line.split() for line in COMMANDS), *(["test", *words, "--json"] for words in kept)]
    with folder():
        found = {" ".join(words): command(words) for words in asked}
    return {**found, "bundle": hashlib.sha256(saving.packed(saving.package_files())).hexdigest()}


def line(found):
    """Return the digest of results and the interpreter, in one line."""
    digest = hashlib.sha256(repr(sorted(found.items())).encode()).hexdigest()
    where = f" on {sys.platform}" if sys.platform != "linux" else ""
    return f"{digest}  {platform.python_implementation()} {platform.python_version()}{where}"


def main(words):
    """Print the digest and the interpreter, and before it the results with --show."""
    found = results()
    for name, value in found.items() if "--show" in words else ():
        print(f"{name}: {hashlib.sha256(value.encode()).hexdigest()[:8]} {value!r}"[:1000])
    print(line(found))


if __name__ == "__main__":
    main(sys.argv[1:])
