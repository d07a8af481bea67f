"""Wrong programs in three languages: a right one, and one piece of its text that is replaced.

A row is (calls, old text, new text); the old text stands in the right program once. ``of_plain`` changes one operator,
number or function of plain.py, wherever there is one.
"""

import ast
from types import ModuleType

from tests.factory import plain

TAILS = "sign-flip,mcnemar"
RANKED = "wilcoxon,mann-whitney"
P = "`${beyond + tied}/${total}`"

JAVASCRIPT = [
    (TAILS, "if (side === 0) tied += times;", ""),
    (TAILS, "if (side === 0) tied += times;", "if (side === 0) tied = times;"),
    (TAILS, "if (side > 0) beyond += times;", "if (side > 0) beyond = times;"),
    (TAILS, "compare(away(x), away(observed))", "compare(x, observed)"),
    (TAILS, "compare(away(x), away(observed))", "compare(x, away(observed))"),
    (TAILS, "less: (x) => compare(observed, x)", "less: (x) => compare(x, observed)"),
    (TAILS, "greater: (x) => compare(x, observed)", "greater: (x) => compare(observed, x)"),
    (TAILS, P, "`${beyond + tied - 1n}/${total}`"),
    (TAILS, P, "`${beyond + tied + 1n}/${total + 1n}`"),
    (TAILS, P, "`${2n * beyond + tied}/${2n * total}`"),
    (TAILS, P, "Number(beyond + tied) / Number(total)"),
    (TAILS, P, "1 - Number(total - beyond - tied) / Number(total)"),
    (TAILS, P, "(Number((beyond + tied) * 10n ** 30n / total) / 1e30).toFixed(6)"),
    (TAILS, P, "(Number((beyond + tied) * 10n ** 300n / total) / 1e300).toPrecision(6)"),
    (TAILS, P, "`${BigInt.asIntN(64, beyond + tied)}/${total}`"),
    (TAILS, P, "`${total - beyond - tied}/${total}`"),
    (TAILS, P, "`${2n * (beyond + tied)}/${total}`"),
    (TAILS, P, "Math.max(Number((beyond + tied) * 10n ** 300n / total) / 1e300, 2 ** -52)"),
    (TAILS, P, "Math.fround(Number((beyond + tied) * 10n ** 300n / total) / 1e300)"),
    (TAILS, P, "beyond + tied > 2n ** 53n ? NaN : `${beyond + tied}/${total}`"),
    ("mid-p", "`${2n * beyond + tied}/${2n * total}`", "`${beyond + tied}/${total}`"),
    ("mid-p", "`${2n * beyond + tied}/${2n * total}`", "`${beyond}/${total}`"),
    (TAILS, 'reading === "decimal" ? decimal(text)', 'reading === "none" ? decimal(text)'),
    ("wilcoxon,null-distribution", "2 * below + equal + 1", "2 * below + 2"),
    ("wilcoxon,null-distribution", "2 * below + equal + 1", "2 * (below + equal)"),
    ("wilcoxon", 'method !== "wilcox" || sign(d)', "true"),
    ("wilcoxon", 'method !== "wilcox" || sign(d)', "sign(d)"),
    ("paired-permutation", "sums.get(labels[i]) || [0n, 1n], d", "[0n, 1n], d"),
    ("paired-permutation", "flipped(input.groups ? grouped(ds, input.groups) : ds", "flipped(ds"),
    ("weighted", "times(times(d, ws[i]), [m, n])", "times(d, [m, n])"),
    ("weighted", "times(times(d, ws[i]), [m, n])", "times(d, ws[i])"),
    ("weighted", 'tasks ? tasks[i] : ""', '""'),
    ("f1", "[2n * x, 2n * x + y]", "[x, x + y]"),
    ("f1,ratio", "d ? fraction(n, d) : [0n, 1n]", "d ? fraction(n, d) : [1n, 1n]"),
    ("runs", "advantage(first, rest)", "mean(first)"),
    ("runs", 'design === "items" ? swapped : shuffled', "shuffled"),
    ("runs", 'design === "items" ? swapped : shuffled', "swapped"),
    ("runs", "times([1n, BigInt(list.length)], sum(list))", "sum(list)"),
    ("interval", '"two-sided" ? 2n : 1n)', '"two-sided" ? 1n : 1n)'),
    ("interval", "means[k - 1]", "means[k]"),
    ("interval", "means[means.length - k]", "means[means.length - k - 1]"),
    ("interval", "[add(sum, x), pairs + 1n]", "[x, pairs + 1n]"),
    ("null-distribution", "? [1n, 0n] : [1n, -1n]", "? [1n, -1n] : [1n, -1n]"),
    (
        "adjust",
        "bonferroni: (j) => multiple(n, sorted[j])",
        "bonferroni: (j) => multiple(n - 1, sorted[j])",
    ),
    ("adjust", "largest(upTo(j).map((p, i) => multiple(n - i, p)))", "multiple(n - j, sorted[j])"),
    ("adjust", "from(j, (p, i) => multiple(n - i, p))", "multiple(n - j, sorted[j])"),
    (
        "adjust",
        "fdr_bh: (j) => from(j, (p, i) => multiple(n, p, i + 1))",
        "fdr_bh: (j) => multiple(n, sorted[j], j + 1)",
    ),
    ("adjust", "times(harmonic, from", "times([BigInt(n), 1n], from"),
    ("adjust", "sidak: (j) => none(sorted[j], n)", "sidak: (j) => multiple(n, sorted[j])"),
    ("adjust", "smallest([step(j), [1n, 1n]])", "step(j)"),
    ("adjust", "others.slice(others.length - size)", "others.slice(0, size)"),
    ("mcnemar", "Array(c).fill([-1n, 1n])", "Array(c).fill([1n, 1n])"),
    ("mcnemar", 'throw new Error("a negative number of items")', 'return "1"'),
    ("sign", "BigInt(sign(d))))", "BigInt(sign(d) || 1)))"),
    ("two-sample,mann-whitney", "n * x - m * all", "n * x"),
    ("mann-whitney", "ranks ? n + 1n : 1n", "1n"),
    ("mann-whitney", "2n * many(x, -1) + many(x, 0) + 1n", "2n * many(x, -1) + 2n"),
    ("two-sample,mann-whitney", 'strata ? strata[j][i] : ""', '""'),
    ("two-sample,mann-whitney", 'strata ? strata[j][i] : ""', 'strata ? +strata[j][i] : ""'),
    ("sum", "fraction(x[0] * w, x[1] * all)", "fraction(x[0], x[1] * BigInt(step.length))"),
    ("sum", "count(after, add(x, y), times * w)", "count(after, add(x, y), times)"),
    ("sum", 'throw new Error("no such sum")', "{}"),
]
"""Of examples/right.js, which answers all calls."""

WRITTEN = 'f"{count}/2^{len(units)}"'
PYTHON = [
    (TAILS, "lambda x: x >= observed", "lambda x: x > observed"),
    (TAILS, "abs(x) >= abs(observed)", "x >= abs(observed)"),
    (TAILS, "abs(x) >= abs(observed)", "abs(x) > abs(observed)"),
    (TAILS, '"less": lambda x: x <= observed', '"less": lambda x: x >= observed'),
    ("paired-permutation,sign-flip", "prec=2000", "prec=12"),
    ("paired-permutation,sign-flip", "EXACT.scaleb(d, -least)", "EXACT.scaleb(d, 3)"),
    ("paired-permutation,sign-flip", "EXACT.create_decimal(text)", "Decimal(float(text))"),
    ("paired-permutation", 'units = groups(units, given["groups"])', "pass"),
    ("sign-flip,mcnemar", WRITTEN, "count / 2.0 ** len(units)"),
    (TAILS, WRITTEN, "1 - (2 ** len(units) - count) / 2 ** len(units)"),
    (TAILS, WRITTEN, 'f"{count}/2^{len(set(units))}"'),
    (TAILS, WRITTEN, 'f"{count - 1}/2^{len(units)}"'),
    (TAILS, WRITTEN, "Fraction(count + 1, 2 ** len(units) + 1)"),
    (TAILS, WRITTEN, "max(Fraction(count, 2 ** len(units)), Fraction(1, 2**52))"),
    (TAILS, WRITTEN, "round(count / 2 ** len(units), 4)"),
    (TAILS, WRITTEN, "count"),
    ("wilcoxon,null-distribution", "sizes.count(abs(d)) + 1", "2"),
    ("wilcoxon", 'if d or method != "wilcox"', "if d"),
    ("sign-flip,wilcoxon", "after[x - d] += count", "after[x - d] = count"),
    ("interval", "int(alpha * len(subsets)", "round(alpha * len(subsets)"),
    ("interval", "means[k - 1], means[-k]", "means[k], means[-k - 1]"),
    (
        "interval",
        "units[label] = total + Fraction(d), pairs + 1",
        "units[label] = total + Fraction(d), 1",
    ),
]
"""Of tests/factory/right.py."""

R = [
    ("sign,mcnemar", "less = pbinom(k[1], sum(k)", "less = pbinom(k[1] - 1, sum(k)"),
    ("sign,mcnemar", "min(0, log(2) + min(tails))", "log(2) + min(tails)"),
    ("sign,mcnemar", "min(0, log(2) + min(tails))", "min(tails)"),
    ("sign,mcnemar", "min(0, log(2) + min(tails))", 'min(0, log(2) + tails[["greater"]])'),
    ("sign", "sum(d > 0)", "sum(d >= 0)"),
    ("sign,mcnemar", "sprintf('\"p\": %.17g', exp(logp))", "sprintf('\"p\": %.4g', exp(logp))"),
    (
        "sign,mcnemar",
        "sprintf('\"p\": %.17g', exp(logp))",
        "sprintf('\"p\": %.17g', 1 - (1 - exp(logp)))",
    ),
    ("interval", "else means[k],", "else means[k + 1],"),
    ("interval", "(subsets %*% rowsum(d, labels))", "(subsets %*% rowsum(abs(d), labels))"),
    ("null-distribution", "2 * rank(abs(d))", '2 * rank(abs(d), ties.method = "first")'),
    ("mcnemar", "if (min(k) < 0) return", "if (FALSE) return"),
]
"""Of examples/right.R, in doubles."""


OPERATORS = [
    *(
        (ast.Gt, ast.GtE),
        (ast.GtE, ast.Gt),
        (ast.Lt, ast.LtE),
        (ast.LtE, ast.Lt),
        (ast.Eq, ast.NotEq),
    ),
    *((ast.Add, ast.Sub), (ast.Sub, ast.Add), (ast.Mult, ast.Add), (ast.Div, ast.Mult)),
    *((ast.And, ast.Or), (ast.Or, ast.And)),
]
FUNCTIONS = {
    "abs": "int",
    "min": "max",
    "max": "min",
    "sorted": "list",
    "sum": "max",
    "sign": "int",
}


def changed(node):
    """Change one operator, number or function in place; return it as text before and after, or None."""
    before = ast.unparse(node) if isinstance(node, ast.expr) else ""
    after = dict(OPERATORS)
    if isinstance(node, ast.Compare) and type(node.ops[0]) in after:
        node.ops[0] = after[type(node.ops[0])]()
    elif isinstance(node, (ast.BinOp, ast.BoolOp)) and type(node.op) in after:
        node.op = after[type(node.op)]()
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        node.value += 1
    elif isinstance(node, ast.Name) and node.id in FUNCTIONS:
        node.id = FUNCTIONS[node.id]
    else:
        return None
    return f"{before} -> {ast.unparse(node)}"


RIGHT_TOO = {
    "return [d * w / sums[task] / len(sums) for d, w, task in zip(pairs, weights, tasks)]: "
    "d * w / sums[task] / len(sums) -> d * w / sums[task] * len(sums)",
    'numerator, denominator = (2 * x, 2 * x + y) if call == "f1" else (x, y): 2 -> 3',
    "sums = {(0, 0): 1}: 1 -> 2",
    "counts[statistic([pool[i] for i in chosen], rest)] += 1: 1 -> 2",
    "counts, observed = {Fraction(0): 1}, Fraction(0): 1 -> 2",
    "share *= weight(len(a), len(b)) if weight else 1: 1 -> 2",
    "return (*sampled(call, given, reading), 1): 1 -> 2",
    "return min(len(ps) * p / k for k, p in enumerate(sorted(ps), 1)): sorted -> list",
}
"""Changes that multiply all values or all counts by one number, or sort what is sorted: the program stays right."""

SAVING = {"flipped", "flipped_steps", "in_steps", "added", "chosen", "drawn", "subset_means"}
"""Functions of plain.py that are written for speed: many changes of them only cost time."""


def nodes(text):
    """The tree of a program, and all nodes of its functions that define a test, in one order."""
    tree = ast.parse(text)
    functions = [
        each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name not in SAVING
    ]
    return tree, [node for each in functions for part in each.body for node in ast.walk(part)]


def of_plain(text):
    """Yield (change, module) for each place in the functions of plain.py."""
    for place in range(len(nodes(text)[1])):
        tree, every = nodes(text)
        words = changed(every[place])
        if words:
            module = ModuleType("plain")
            exec(compile(tree, plain.__file__, "exec"), module.__dict__)
            line = text.splitlines()[every[place].lineno - 1]
            yield f"{line.strip()}: {words}", module
