"""What a call rests on: ``python3 spec/calls.py`` makes ``spec/calls.md``, from calls to statements.

Each call runs under a profiler. A statement is listed where a function that it links runs. Of the
statements that link public functions only, those of the called function are listed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if not __package__:  # run as a script: import from the project, not from this folder
    sys.path[0] = str(ROOT)

from spec import check  # noqa: E402

CALLS = (
    "permutation_test([3, 1, 2, 5], [1, 0, 2, 4])",
    "permutation_test([i % 7 for i in range(400)], [i * i % 8 for i in range(400)])",
    "permutation_test([2.0**0.5 * i % 1 for i in range(30)], [3.0**0.5 * i % 1 for i in range(30)])",
    "permutation_test([(3, 1), (0, 2)], [(1, 0), (2, 2)], statistic=f1_difference)",
    "permutation_test([1, 2, 3], [0, 2, 5], weights=[1, 2, 1])",
    "sign_flip_test({1: 700, -1: 300})",
    "fast_permutation_test([2.0**0.5 * i % 1 for i in range(99)], [3.0**0.5 * i % 1 for i in range(99)])",
    "permutation_test_runs([[1, 1, 0], [1, 1, 1]], [[0, 0, 0], [0, 1, 0]], design='within')",
    "two_sample_test([12, 15, 11, 18], [9, 10, 12, 8, 7])",
    "mann_whitney_test([12, 15, 11, 18], [9, 10, 12, 8, 7])",
    "sum_test([{0: '0.9', 1: '0.1'}, {0: '0.5', 1: '0.5'}], 2)",
    "confidence_interval([1, 2, 6], confidence='0.75')",
    "adjust_pvalues(['0.01', '0.02', '0.03'], 'hommel')",
    "power(10, '0.9', '0.1')",
)
TEXT = """# From a call to the statements that it rests on

Made by `python3 spec/check.py --write`, which runs each call and lists the statements whose functions ran: its proof is theirs.
"""


def reached(call: str) -> set[tuple[str, str, int]]:
    """Run a call of the package and return what ran: (file, name of the function, its first line)."""
    found: set[tuple[str, str, int]] = set()
    root = str(ROOT) + "/"

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(root):
            found.add((code.co_filename[len(root) :], code.co_name, code.co_firstlineno))

    compiled, known = compile(call, "call", "eval"), names()
    for profile in (None, note):  # the first time modules are loaded
        sys.setprofile(profile)
        try:
            eval(compiled, known)  # noqa: S307
        finally:
            sys.setprofile(None)
    return found


def names() -> dict[str, Any]:
    """Return the public names of the package, which are loaded when they are asked for."""
    import exactperm

    return {name: getattr(exactperm, name) for name in exactperm.__all__}


def page() -> str:
    """Make the page."""
    defined, blocks = check.definitions(ROOT), list(check.statements(ROOT))
    known = {*check.public_names(ROOT)}
    by_name: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for full, definition in defined.items():
        by_name.setdefault((definition.file, full.rpartition(".")[2]), []).append(
            (definition.line, full)
        )
    parts = [TEXT]
    for call in CALLS:
        ran = set()
        for file, name, line in reached(call):
            places = by_name.get((file, name), [])
            ran |= {min(places, key=lambda place: abs(place[0] - line))[1]} if places else set()
        called = {each for each in known if each.endswith(f".{call.partition('(')[0]}")}
        rests = [
            block
            for block in blocks
            for parts_of in [set(block.code) - known or called & set(block.code)]
            if any(f"{each}.".startswith(f"{part}.") for each in ran for part in parts_of)
        ]
        links = [f"[{block.title}]({block.page}#{block.anchors[0]})" for block in rests]
        parts.append(f"## `{call}`\n\n" + ";\n".join(links) + ".\n")
    return "\n".join(parts)


if __name__ == "__main__":
    print(page())
