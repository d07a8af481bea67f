// node --test: a function of yours against mcnemar.json, without the runner; nothing of exactperm is needed.
const { test } = require("node:test"), assert = require("node:assert"), path = require("node:path");
const { mcnemar } = require(path.resolve(process.env.MINE || "./mine.js")); // (b, c, alternative) => p
for (const { id, input, expect, result } of require("../mcnemar.json").tests)
  for (const [side, { log10 }] of result === "valid" ? Object.entries(expect) : [])
    if (log10 > -323.5) // else there is no such double
      test(`${id} ${side}`, () => {
        const p = mcnemar(Number(input.b), Number(input.c), side), exact = 10 ** Number(log10);
        assert.ok(Math.abs(p - exact) <= 1e-9 * exact, `${p}, exact ${exact}`);
      });
