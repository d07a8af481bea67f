"""Aggregates on database files: the same p-values as in Python, and reasons in place of hidden errors."""

import random
import sqlite3
from fractions import Fraction

import pytest

from complaint import refused
from exactperm import (
    Budget,
    ExactPermError,
    WrongType,
    fast_permutation_test,
    fast_sign_flip_test,
    permutation_test,
    sign_flip_test,
)
from exactperm.arithmetic.writing import exact_text
from exactperm.sql import register

ALL = "perm_pvalue(u, v), perm_pvalue_float(u, v), perm_error(u, v)"


@pytest.fixture
def database(tmp_path):
    """A function from rows (name, u, v) to a connection with the table scores in a file."""
    connections = []

    def filled(rows, types=("", "")):
        connection = sqlite3.connect(tmp_path / "scores.db")
        connections.append(connection)
        connection.execute("CREATE TABLE scores (name TEXT, u {}, v {})".format(*types))
        connection.executemany("INSERT INTO scores VALUES (?, ?, ?)", rows)
        connection.commit()
        register(connection)
        return connection

    yield filled
    for connection in connections:
        connection.close()


@pytest.mark.slow
def test_one_thousand_groups(database):
    """Integers, decimals as REAL and as TEXT, in one table; each group as the tests of Python answer."""
    rng = random.Random(5)
    forms = (int, lambda x: x / 10, lambda x: f"{x}/7")
    groups = {
        f"task {i}": [
            tuple(form(rng.randrange(20)) for _ in "uv") for _ in range(rng.randrange(1, 12))
        ]
        for i, form in enumerate(forms[i % 3] for i in range(1000))
    }
    connection = database([(name, u, v) for name, pairs in groups.items() for u, v in pairs])
    seen = set()
    for name, *found in connection.execute(
        f"SELECT name, {ALL}, sign_flip_pvalue(u), sign_flip_pvalue_float(u), sign_flip_error(u) "
        "FROM scores GROUP BY name"
    ):
        u, v = map(list, zip(*groups[name]))
        two, one = permutation_test(u, v).pvalue, sign_flip_test(u).pvalue
        assert found == [exact_text(two), float(two), None, exact_text(one), float(one), None]
        seen.add(name)
    assert seen == set(groups)


def test_a_real_means_its_shortest_decimal(database):
    """Catches 0.3 - 0.2 < 0.1: the ties of the decimals are ties, in a column that SQLite makes REAL as well."""
    rows = [("a", 0.3, 0.2), ("a", 0.1, 0), ("a", 0.2, 0.3)]
    # and beyond 64 bits as text
    large = [("a", str(10**30 + 1), str(10**30)), ("a", 2**63 - 1, 2**63 - 2), ("a", 5, 4)]
    for told, data, kind in (("1", rows, "REAL"), ("1/4", large, ""), (None, [], "")):
        connection = database(data, (kind, kind))
        assert connection.execute("SELECT perm_pvalue(u, v) FROM scores").fetchone() == (told,)
        connection.execute("DROP TABLE scores").connection.commit()


@pytest.mark.slow
def test_scores_with_many_decimals_have_a_certified_value(database):
    rng = random.Random(1)
    u = [rng.gauss(0.2, 1) for _ in range(200)]
    connection = database([("a", x, 0) for x in u])
    exactly, nearest, reason = connection.execute(f"SELECT {ALL} FROM scores").fetchone()
    assert (exactly, nearest) == (None, fast_permutation_test(u, [0] * 200).pvalue)
    assert "would take" in reason
    assert connection.execute("SELECT sign_flip_pvalue_float(u) FROM scores").fetchone() == (
        fast_sign_flip_test(u).pvalue,
    )
    register(connection, budget=Budget(seconds=1e-6))
    exactly, _, reason = connection.execute(f"SELECT {ALL} FROM scores").fetchone()
    assert exactly is None and "would take" in reason


def test_a_group_that_cannot_be_tested_says_why(database):
    missing = "v[1] is None: the value is missing"
    rows = [
        *(("u[0] is b'1'", b"1", 1), ("u[0] is 'n/a'", "n/a", 1), ("u[0] is inf", 1e999, 1)),
        *(("good", 3, 1), (missing, 2, 1), (missing, 2, None)),
    ]
    connection = database(rows)
    groups = connection.execute(f"SELECT name, {ALL} FROM scores GROUP BY name").fetchall()
    assert {name for name, *_rest in groups} == {name for name, *_pair in rows}
    for told, exactly, nearest, reason in groups:
        if told == "good":
            assert (exactly, nearest, reason) == ("1", 1.0, None)
        else:
            assert (exactly, nearest, reason.startswith(told)) == (None, None, True)
    found = connection.execute(
        "SELECT sign_flip_pvalue(v), sign_flip_error(v) FROM scores WHERE name = ?", [missing]
    )
    assert found.fetchone() == (None, missing.replace("v", "d", 1))


def test_options_of_the_registration(database):
    refused(WrongType, {"connection is 'x'": lambda: register("x")})
    refused(ExactPermError, {"alternative": lambda: register(None, alternative="bigger")})
    u = [3, 1, 4, -2, 5]
    connection = database([("a", x, 0) for x in u])
    for alternative in ("two-sided", "greater", "less"):
        register(connection, alternative=alternative)
        (found,) = connection.execute("SELECT perm_pvalue(u, v) FROM scores").fetchone()
        assert Fraction(found) == permutation_test(u, [0] * 5, alternative=alternative).pvalue
