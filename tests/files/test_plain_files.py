"""A thousand plain files of names that no code has: the bare command is right or asks, and what it lists leads on."""

import contextlib
import json
import random

import pytest

from exactperm.errors import ExactPermError
from exactperm.files.question import question
from exactperm.files.reading import FIELD, Reading, joined_words, split_words
from exactperm.files.table import Ask

WORDS = """\
probe specimen vers Satz leaf plot ticket jar shard patient cue Frage kasus nid stanza
volga rhine indus oder tagus amur ebro mosel loire x y neckar saale ufa
pH girth Alter ply tint dose depth rings mass tempo angle spin wet Note gauge
alder birch cedar elm fir hazel larch maple oak pine rowan spruce teak yew
"""
ITEMS, SYSTEMS, BESIDE, MADE = map(str.split, WORDS.splitlines())
FORMS = ("commas", "tabs", "records", "long", "two files")


def cells(rng, n, kind):
    if kind == "texts":
        return [f"{rng.choice(MADE)} {i}" for i in range(n)]
    if kind == "groups":
        return [rng.choice(MADE[:4]) for _ in range(n)]
    if kind == "numbered":
        return [str(i) for i in rng.sample(range(100, 999), n)]
    return [str(rng.randint(1, 5)) for _ in range(n)]


def scores(rng, n):
    if rng.random() < 0.3:
        return [str(rng.randint(0, 1)) for _ in range(n)]
    return [f"{rng.random():.3f}" for _ in range(n)]


def made(seed):
    """A plain file, or two: contents, the right settings, the right columns and the names that matter."""
    rng = random.Random(seed)
    form, n = FORMS[seed % 5], rng.randint(8, 30)
    item, first, second, system = (
        rng.choice(ITEMS),
        *rng.sample(SYSTEMS, 2),
        rng.choice(ITEMS) + "s",
    )
    ids = cells(rng, n, rng.choice(["texts", "numbered"]))
    u, v = scores(rng, n), scores(rng, n)
    extra = {
        name: cells(rng, n, rng.choice(["texts", "groups", "ratings", "numbered"]))
        for name in rng.sample(BESIDE, rng.randint(0, 3))
    }
    if form == "long":
        names = [item, system, *extra, "wert"]
        rows = [
            (i, s, *(extra[e][k] for e in extra), x)
            for k, i in enumerate(ids)
            for s, x in ((first, u[k]), (second, v[k]))
        ]
        right = {
            "system": system,
            "score": "wert",
            "id": item,
            "columns": joined_words([first, second]),
        }
    elif form == "two files":
        names = [item, *extra, "wert"]
        rows = [(i, *(extra[e][k] for e in extra), u[k]) for k, i in enumerate(ids)]
        others = [(i, *(extra[e][k] for e in extra), v[k]) for k, i in enumerate(ids)]
        rng.shuffle(others)
        right = {"columns": "wert", "id": item}
        text = [written(names, some, ",") for some in (rows, others)]
        return [("a.csv", text[0]), ("b.csv", text[1])], right, [u, v], [*names]
    else:
        parts = [(item, ids), *extra.items(), (first, u), (second, v)]
        order = rng.sample(parts[1:], len(parts) - 1)
        names = [item, *(name for name, _cells in order)]
        rows = list(zip(ids, *(some for _name, some in order)))
        right = {"columns": joined_words([first, second])}
    if form == "records":
        text = "".join(json.dumps(dict(zip(names, row))) + "\n" for row in rows).encode()
        return [("f.jsonl", text)], right, [u, v], names
    return [("f.csv", written(names, rows, "\t" if form == "tabs" else ","))], right, [u, v], names


def written(names, rows, mark):
    return "".join(mark.join(row) + "\n" for row in (names, *rows)).encode()


def read(files, settings):
    asked = question(files, "difference", Reading.of(settings))
    return [asked.u, asked.v]


@pytest.mark.slow
@pytest.mark.parametrize("part", range(5))
def test_the_bare_command_is_right_or_asks_and_what_it_lists_leads_on(part):
    answered = 0
    for seed in range(part, 1000, 5):
        files, right, columns, names = made(seed)
        assert read(files, right) == columns, (seed, files)
        try:
            assert sorted(read(files, {})) == sorted(columns), (seed, files)
            answered += 1
            continue
        except ExactPermError as error:
            asked = error
        assert isinstance(asked, Ask) and asked.argument in FIELD, (seed, files)
        if asked.listing is not None:
            listed = {facts.name: facts.word for facts in asked.listing.columns}
            assert [*listed] == names
            # the user knows the names and finds the words that choose them
            said = {
                name: joined_words([listed.get(word, word) for word in split_words(value, name)])
                for name, value in right.items()
            }
            assert read(files, said) == columns, (seed, files)
        for answer in asked.answers:
            for name, value in answer.settings.items():
                if FIELD[name].kind in ("column", "columns"):
                    assert {*split_words(value, name)} <= {*names}
                else:
                    assert value in (*FIELD[name].choices, "yes", "space")
        if asked.cure is not None and asked.cure.settings:  # it is never another question
            flags = {name: True for name in asked.cure.settings if FIELD[name].kind == "flag"}
            with contextlib.suppress(Ask):
                ready = read(files, {**asked.cure.settings, **flags})
                assert sorted(ready) == sorted(columns), (seed, files)
    assert answered or part in (3, 4)
