"""The table of the interpreters: what tests/hosts.py says of a host that passes, fails, lacks something or breaks."""

import pytest

import hosts


@pytest.mark.parametrize(
    ("printed", "cells", "seconds"),
    [
        (
            "..\n8122 passed, 232 skipped in 308.01s (0:05:08)\nleaked semaphores\n",
            ("8,122", "0", "232"),
            308.01,
        ),
        (
            "== 2 failed, 7 passed, 1 skipped, 3 errors in 2.50s ==\nFAIL coverage of 99%",
            ("7", "5", "1"),
            2.5,
        ),
        ("1 passed in 0.1s\n1 failed, 3 skipped in 0.2s", ("1", "1", "3"), 0.1 + 0.2),
        ("Fatal error in test, killed in the middle", ("0", "ENDED EARLY", "0"), 0),
        ("no tests ran in 0.01s", ("0", "ENDED EARLY", "0"), 0),
    ],
)
def test_what_pytest_counts(printed, cells, seconds):
    assert hosts.outcome(printed) == (cells, seconds)


def test_no_host_hides_another(monkeypatch, capsys, tmp_path):
    """One is missing, one breaks, one fails and one passes; the status says that not all is well."""

    def raising(error):
        def command():
            raise error

        return command

    answers = {
        "bad": (1, "E\n1 failed in 1.00s", 1.0),
        "good": (0, "SKIPPED [2] a.py:1: no R\n9 passed in 1s", 120.0),
    }
    monkeypatch.setattr(hosts, "HOSTS", tmp_path)
    monkeypatch.setattr(hosts, "site", lambda: None)
    monkeypatch.setattr(
        hosts, "digest", lambda name, _command: ((name, "same digits", "1 s"), True)
    )
    monkeypatch.setattr(hosts, "on", lambda command, *_words, log: answers[log.stem])
    monkeypatch.setattr(
        hosts,
        "ALL",
        {
            "away": raising(hosts.Missing("not root")),
            "broken": raising(OSError("no disk")),
            "bad": list,
            "good": list,
        },
    )
    assert hosts.main(["suites"]) is True
    printed = capsys.readouterr().out
    assert "  skipped 2: no R\n" in printed
    assert printed.endswith(
        """
| interpreter | results | tests passed | failed | skipped | time |
| --- | --- | --- | --- | --- | --- |
| away | skipped: not root | - | - | - | - |
| broken | FAILED: no disk | - | - | - | - |
| bad | same digits | 0 | 1 | 0 | 1 s |
| good | same digits | 9 | 0 | 0 | 2.0 min |
"""
    )
    monkeypatch.setattr(hosts, "ALL", {"away": raising(hosts.Missing("not root")), "good": list})
    assert hosts.main(["suites"]) is False
