// @stdlib of JavaScript: stats-wilcoxon and stats-padjust, over JSON lines. Usage: node stdlib.js FOLDER
"use strict";

const readline = require("readline");
const { createRequire } = require("module");
const load = createRequire(require("path").resolve(process.argv[2] || ".") + "/"); // packages of that folder
const wilcoxon = load("@stdlib/stats-wilcoxon");
const padjust = load("@stdlib/stats-padjust");
const METHODS = { bonferroni: "bonferroni", holm: "holm", hommel: "hommel", fdr_bh: "bh", fdr_by: "by" };

function answer({ call, input, alternative }) {
  if (call === "adjust") {
    const method = METHODS[input.method];
    return method && padjust(input.pvalues.map(Number), method);
  }
  const u = input.u.map(Number);
  const v = input.v.map(Number);
  if (u.length < 2) return undefined; // refused, as documented
  if (new Set(u.map((x, i) => x - v[i])).size === 1 && u[0] === v[0]) return undefined;
  const options = { alternative, zeroMethod: input.zero_method, exact: true };
  return wilcoxon(u, v, options).pValue;
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.cmd === "stop") process.exit(0);
  let reply;
  if (message.cmd === "start") {
    reply = {
      version: 1,
      implementation: {
        name: "@stdlib",
        version: `${load("@stdlib/stats-wilcoxon/package.json").version}, ${load("@stdlib/stats-padjust/package.json").version}`,
        language: "JavaScript",
      },
      calls: ["wilcoxon", "adjust"],
      numbers: "binary64",
    };
  } else {
    try {
      const p = answer(message);
      reply = p === undefined ? { skipped: "not supported" } : { p: Array.isArray(p) ? p : Number.isNaN(p) ? "NaN" : p };
    } catch (error) {
      reply = { error: error.message };
    }
    reply = { id: message.id, ...reply };
  }
  console.log(JSON.stringify(reply));
});
