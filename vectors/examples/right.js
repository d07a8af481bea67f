// Every call of the test vectors, exactly, with BigInt. Usage: node right.js decimal, or node right.js binary64
"use strict";
const reading = process.argv[2] || "decimal";

// A number is a pair [n, d] of BigInt: n / d with d > 0.
const fraction = (n, d = 1n) => (d < 0n ? [-n, -d] : [n, d]);
const add = ([a, b], [c, d]) => [a * d + c * b, b * d];
const minus = (x, y) => add(x, [-y[0], y[1]]);
const times = ([a, b], [c, d]) => [a * c, b * d];
const compare = ([a, b], [c, d]) => (a * d < c * b ? -1 : a * d > c * b ? 1 : 0);
const gcd = (a, b) => (b ? gcd(b, a % b) : a < 0n ? -a : a);

function decimal(text) {
  const match = /^([+-]?)([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?$/.exec(text);
  if (!match || !(match[2] + match[3])) throw new Error(`${text} is no number`);
  const power = Number(match[4] || 0) - match[3].length;
  const digits = BigInt(match[2] + match[3]) * (match[1] === "-" ? -1n : 1n);
  return power < 0 ? [digits, 10n ** BigInt(-power)] : [digits * 10n ** BigInt(power), 1n];
}

function double(x) {
  if (!Number.isFinite(x)) throw new Error(`${x} is no number`);
  let power = 0;
  for (; !Number.isInteger(x); power++) x *= 2; // exact: a power of two
  return [BigInt(x), 2n ** BigInt(power)];
}

const number = (text) => (decimal(text), reading === "decimal" ? decimal(text) : double(Number(text)));
const difference = (u, v) =>
  (number(u), number(v), reading === "decimal" ? minus(number(u), number(v)) : double(Number(u) - Number(v)));

function pairs(input) {
  if (input.d) return input.d.map(number);
  return input.u.map((u, i) => difference(u, input.v[i]));
}

const sign = (d) => compare(d, [0n, 1n]);

function ranked(ds, method) {
  const size = ([n, d]) => fraction(n < 0n ? -n : n, d);
  const ranks = ds.filter((d) => method !== "wilcox" || sign(d)).map(size);
  return ds.map((d) => {
    if (!sign(d)) return fraction(0n);
    const below = ranks.filter((x) => compare(x, size(d)) < 0).length;
    const equal = ranks.filter((x) => compare(x, size(d)) === 0).length;
    return fraction(BigInt(sign(d) * (2 * below + equal + 1)), 2n); // the mean rank of ties
  });
}

function grouped(ds, labels) {
  const sums = new Map();
  ds.forEach((d, i) => sums.set(labels[i], add(sums.get(labels[i]) || [0n, 1n], d)));
  return [...sums.values()];
}

// What each pair adds to the mean over tasks of the weighted means over their pairs.
function weighted(ds, { weights, tasks }) {
  const ws = ds.map((_d, i) => (weights ? decimal(weights[i]) : [1n, 1n]));
  if (ws.some(([n]) => n <= 0n)) throw new Error("a weight that is not above 0");
  const sums = new Map();
  const task = (i) => (tasks ? tasks[i] : "");
  ws.forEach((w, i) => sums.set(task(i), add(sums.get(task(i)) || [0n, 1n], w)));
  return ds.map((d, i) => {
    const [n, m] = times(sums.get(task(i)), [BigInt(sums.size), 1n]);
    return times(times(d, ws[i]), [m, n]);
  });
}

// p of the observed value among {key: [value, number of assignments]}, as count / total
// A mid-p value counts values as extreme as the observed one by half.
function tail(values, observed, total, alternative, mid = false) {
  const away = ([n, d]) => fraction(n < 0n ? -n : n, d);
  const towards = {
    greater: (x) => compare(x, observed),
    less: (x) => compare(observed, x),
    "two-sided": (x) => compare(away(x), away(observed)),
  }[alternative];
  let [beyond, tied] = [0n, 0n];
  for (const [value, times] of values) {
    const side = towards(value);
    if (side > 0) beyond += times;
    if (side === 0) tied += times;
  }
  return mid ? `${2n * beyond + tied}/${2n * total}` : `${beyond + tied}/${total}`;
}

// The sums of a choice of signs (or of 0 or 1) for each of the steps, and in how many ways: {sum: count}.
function summed(steps, signs) {
  let sums = new Map([[0n, 1n]]);
  for (const step of steps) {
    const after = new Map();
    for (const [x, count] of sums)
      for (const sign of signs) after.set(x + sign * step, (after.get(x + sign * step) || 0n) + count);
    sums = after;
  }
  return sums;
}

function inSteps(ds) {
  if (!ds.length) throw new Error("no data");
  const scale = ds.reduce((lcm, [, d]) => (lcm / gcd(lcm, d)) * d, 1n);
  return [ds.map(([n, d]) => n * (scale / d)), scale];
}

function flipped(ds, alternative, mid) {
  const [steps] = inSteps(ds);
  const sums = summed(steps, [1n, -1n]);
  const observed = steps.reduce((x, y) => x + y, 0n);
  return tail([...sums].map(([x, count]) => [[x, 1n], count]), [observed, 1n], 2n ** BigInt(ds.length), alternative, mid);
}

// Rows [value, count]: of the sum of d, or of the sum of the ranks of positive d.
function distribution({ test, d }) {
  const flips = test === "wilcoxon" ? ranked(d.map(number), "wilcox").map(([n, m]) => [n < 0n ? -n : n, m]) : d.map(number);
  const [steps, scale] = inSteps(flips);
  const rows = [...summed(steps, test === "wilcoxon" ? [1n, 0n] : [1n, -1n])];
  return rows.sort(([x], [y]) => (x < y ? -1 : 1)).map(([x, count]) => [`${x}/${scale}`, `${count}`]);
}

// The k-th means of subsets from both ends, by all subsets.
function interval({ d, confidence, groups }, alternative) {
  const units = new Map();
  d.map(number).forEach((x, i) => {
    const label = groups ? groups[i] : i;
    const [sum, pairs] = units.get(label) || [[0n, 1n], 0n];
    units.set(label, [add(sum, x), pairs + 1n]);
  });
  if (!units.size) throw new Error("no data");
  let subsets = [[[0n, 1n], 0n]];
  for (const [x, pairs] of units.values()) subsets = subsets.concat(subsets.map(([sum, n]) => [add(sum, x), n + pairs]));
  const means = subsets.slice(1).map(([sum, n]) => times([1n, n], sum)).sort(compare);
  const [top, bottom] = minus([1n, 1n], decimal(confidence));
  const k = Number((top * 2n ** BigInt(units.size)) / (bottom * (alternative === "two-sided" ? 2n : 1n)));
  const low = alternative !== "less" && k ? means[k - 1].join("/") : "-Infinity";
  return [low, alternative !== "greater" && k ? means[means.length - k].join("/") : "Infinity"];
}

function ratios(call, { u, v }, alternative) {
  const rows = (column) => column.map((row) => row.map((x) => BigInt(x)));
  const [a, b] = [rows(u), rows(v)];
  const total = (column, j) => column.reduce((sum, row) => sum + row[j], 0n);
  const all = [0, 1].map((j) => total(a, j) + total(b, j));
  const score = (x, y) => {
    const [n, d] = call === "f1" ? [2n * x, 2n * x + y] : [x, y];
    if (n && !d) throw new Error("a ratio without a denominator");
    return d ? fraction(n, d) : [0n, 1n];
  };
  const statistic = (x, y) => minus(score(x, y), score(all[0] - x, all[1] - y));
  let sums = new Map([["0,0", [0n, 0n, 1n]]]);
  a.forEach((row, i) => {
    const after = new Map();
    for (const [x, y, count] of sums.values())
      for (const [p, q] of [row, b[i]]) {
        const key = `${x + p},${y + q}`;
        after.set(key, [x + p, y + q, (after.get(key) || [0n, 0n, 0n])[2] + count]);
      }
    sums = after;
  });
  const values = [...sums.values()].map(([x, y, count]) => [statistic(x, y), count]);
  return tail(values, statistic(total(a, 0), total(a, 1)), 2n ** BigInt(u.length), alternative);
}

// Distributions of several runs are maps {key: [value, number of labelings]}.
function count(values, value, times) {
  const divisor = gcd(...value) || 1n;
  const reduced = value.map((x) => x / divisor);
  const key = reduced.join("/");
  values.set(key, [reduced, ((values.get(key) || [])[1] || 0n) + times]);
}

const sum = (list) => list.reduce(add, [0n, 1n]);
const mean = (list) => times([1n, BigInt(list.length)], sum(list));
const advantage = (a, b) => minus(mean(a), mean(b));

function shuffled(a, b) {
  const [pool, values] = [[...a, ...b], new Map()];
  const choose = (from, first, rest) => {
    if (from === pool.length) count(values, advantage(first, rest), 1n);
    else {
      if (first.length < a.length) choose(from + 1, [...first, pool[from]], rest);
      if (rest.length < b.length) choose(from + 1, first, [...rest, pool[from]]);
    }
  };
  choose(0, [], []);
  return values;
}

function swapped(a, b) {
  const values = new Map();
  for (const value of [advantage(a, b), advantage(b, a)]) count(values, value, 1n);
  return values;
}

function runs({ design, u, v }, alternative) {
  let items = u.map((runs, i) => [runs, v[i]].map((list) => list.map(number)));
  if (design === "systems") {
    for (const j of [0, 1]) if (items.some((item) => item[j].length !== items[0][j].length)) throw new Error("a missing run");
    items = [[0, 1].map((j) => items[0][j].map((_, run) => mean(items.map((item) => item[j][run]))))];
  }
  let sums = new Map([["0", [[0n, 1n], 1n]]]);
  for (const [a, b] of items) {
    const after = new Map();
    for (const [y, choices] of (design === "items" ? swapped : shuffled)(a, b).values())
      for (const [x, times] of sums.values()) count(after, add(x, y), times * choices);
    sums = after;
  }
  const total = [...sums.values()].reduce((all, [, times]) => all + times, 0n);
  return tail([...sums.values()], sum(items.map(([a, b]) => advantage(a, b))), total, alternative);
}

// The sum over strata of m n / (m + n) times the difference of means, of ranks with the weight 1 / (m + n + 1): that is
// the sum of the m values of the first sample, less m / (m + n) times the sum of all.
function samples({ u, v, strata }, alternative, ranks) {
  if (!u.length || !v.length) throw new Error("an empty sample");
  const parts = new Map();
  [u, v].forEach((column, j) =>
    column.forEach((x, i) => {
      const label = strata ? strata[j][i] : "";
      if (!parts.has(label)) parts.set(label, [[], []]);
      parts.get(label)[j].push(number(x));
    }),
  );
  let [sums, observed, total] = [new Map([["0", [[0n, 1n], 1n]]]), [0n, 1n], 1n];
  for (const [a, b] of parts.values()) {
    let pool = [...a, ...b];
    const many = (x, side) => BigInt(pool.filter((y) => compare(y, x) === side).length);
    if (ranks) pool = pool.map((x) => fraction(2n * many(x, -1) + many(x, 0) + 1n, 2n));
    const [steps, scale] = inSteps(pool);
    const rows = [new Map([[0n, 1n]]), ...a.map(() => new Map())]; // sums of the first few values, by how many
    for (const step of steps)
      for (let m = a.length; m > 0; m--)
        for (const [x, times] of rows[m - 1]) rows[m].set(x + step, (rows[m].get(x + step) || 0n) + times);
    const all = steps.reduce((x, y) => x + y, 0n);
    const [m, n] = [BigInt(a.length), BigInt(pool.length)];
    const part = (x) => fraction(n * x - m * all, n * scale * (ranks ? n + 1n : 1n));
    const after = new Map();
    for (const [x, choices] of rows[a.length])
      for (const [y, times] of sums.values()) count(after, add(part(x), y), times * choices);
    total *= [...rows[a.length].values()].reduce((x, y) => x + y, 0n);
    observed = add(observed, part(steps.slice(0, a.length).reduce((x, y) => x + y, 0n)));
    sums = after;
  }
  return tail([...sums.values()], observed, total, alternative);
}

// A sum of independent steps, above its mean.
function ofSteps({ steps, observed }, alternative) {
  let [sums, mean, total] = [new Map([["0", [[0n, 1n], 1n]]]), [0n, 1n], 1n];
  for (const step of steps.map((each) => each.map(([x, w]) => [decimal(x), BigInt(w)]))) {
    if (step.some(([, w]) => w < 0n)) throw new Error("a negative weight");
    const all = step.reduce((x, [, w]) => x + w, 0n);
    for (const [x, w] of step) mean = add(mean, fraction(x[0] * w, x[1] * all));
    const after = new Map();
    for (const [x, times] of sums.values()) for (const [y, w] of step) count(after, add(x, y), times * w);
    [sums, total] = [after, total * all];
  }
  const t = decimal(observed);
  if (![...sums.values()].some(([x, times]) => times && !compare(x, t))) throw new Error("no such sum");
  const values = [...sums.values()].map(([x, times]) => [minus(x, mean), times]);
  return tail(values, minus(t, mean), total, alternative);
}

function adjusted({ method, pvalues }) {
  const ps = pvalues.map(decimal);
  if (ps.some((p) => sign(p) < 0 || compare(p, [1n, 1n]) > 0)) throw new Error("no probability");
  const n = ps.length;
  const order = ps.map((_, i) => i).sort((i, j) => compare(ps[i], ps[j]));
  const sorted = order.map((i) => ps[i]);
  const smallest = (list) => list.reduce((x, y) => (compare(x, y) <= 0 ? x : y));
  const largest = (list) => list.reduce((x, y) => (compare(x, y) >= 0 ? x : y));
  const multiple = (k, p, d = 1) => times([BigInt(k), BigInt(d)], p);
  const none = (p, k) => minus([1n, 1n], [(p[1] - p[0]) ** BigInt(k), p[1] ** BigInt(k)]); // 1 - (1 - p)^k
  const upTo = (j) => sorted.slice(0, j + 1);
  const from = (j, value) => smallest(sorted.slice(j).map((p, i) => value(p, i + j)));
  const harmonic = sorted.reduce((sum, _, i) => add(sum, [1n, BigInt(i + 1)]), [0n, 1n]);
  const simes = (list) => smallest(list.map((p, k) => multiple(list.length, p, k + 1)));
  const closed = (j) => {
    const others = sorted.filter((_, i) => i !== j);
    const sets = sorted.map((_, size) => [...others.slice(others.length - size), sorted[j]].sort(compare));
    return largest(sets.map(simes));
  };
  const step = {
    bonferroni: (j) => multiple(n, sorted[j]),
    holm: (j) => largest(upTo(j).map((p, i) => multiple(n - i, p))),
    hochberg: (j) => from(j, (p, i) => multiple(n - i, p)),
    hommel: closed,
    fdr_bh: (j) => from(j, (p, i) => multiple(n, p, i + 1)),
    fdr_by: (j) => times(harmonic, from(j, (p, i) => multiple(n, p, i + 1))),
    sidak: (j) => none(sorted[j], n),
    "holm-sidak": (j) => largest(upTo(j).map((p, i) => none(p, n - i))),
  }[method];
  const answers = [];
  order.forEach((i, j) => (answers[i] = smallest([step(j), [1n, 1n]])));
  return answers.map(([a, b]) => `${a / gcd(a, b)}/${b / gcd(a, b)}`);
}

function answer(call, input, alternative, mid = false) {
  if (call === "mid-p") return answer(input.test, input, alternative, true);
  if (call === "adjust") return adjusted(input);
  if (call === "two-sample" || call === "mann-whitney") return samples(input, alternative, call === "mann-whitney");
  if (call === "sum") return ofSteps(input, alternative);
  if (call === "interval") return interval(input, alternative);
  if (call === "null-distribution") return distribution(input);
  if (call === "f1" || call === "ratio") return ratios(call, input, alternative);
  if (call === "mcnemar") {
    const [b, c] = [Number(input.b), Number(input.c)];
    if (b < 0 || c < 0) throw new Error("a negative number of items");
    return b + c ? flipped([...Array(b).fill([1n, 1n]), ...Array(c).fill([-1n, 1n])], alternative, mid) : "1";
  }
  if (input.u && input.u.length !== input.v.length) throw new Error("columns of different lengths");
  if (call === "runs") return runs(input, alternative);
  const ds = pairs(input);
  if (call === "weighted") return flipped(weighted(ds, input), alternative);
  if (call === "wilcoxon") return flipped(ranked(ds, input.zero_method), alternative);
  if (call === "sign") return flipped(ds.map((d) => fraction(BigInt(sign(d)))), alternative);
  return flipped(input.groups ? grouped(ds, input.groups) : ds, alternative, mid);
}

const calls = ["paired-permutation", "sign-flip", "wilcoxon", "sign", "mcnemar", "f1", "ratio", "weighted"];
calls.push("two-sample", "mann-whitney", "sum", "runs", "mid-p", "interval", "null-distribution", "adjust");

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { cmd, id, call, input, alternative } = JSON.parse(line);
    if (cmd === "stop") process.exit(0);
    let reply = { version: 1, implementation: { name: "right", version: "1.0", language: "JavaScript" }, numbers: reading, calls };
    if (cmd === "run") {
      try {
        reply = { id, p: answer(call, input, alternative) };
      } catch (error) {
        reply = { id, error: error.message };
      }
    }
    console.log(JSON.stringify(reply));
  });
