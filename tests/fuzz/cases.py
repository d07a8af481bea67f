"""Random cases: exact numbers in shapes that break things, and the ways in which users spell them."""

from collections import deque
from decimal import Decimal
from fractions import Fraction


def _tenths(rng):
    return Fraction(rng.randint(-9, 9), 10)


def _near(rng):
    return rng.choice((-1, 1)) * (10 ** rng.choice((3, 12, 17)) + rng.randint(-1, 1))


def _huge(rng):
    return rng.randint(-1, 1) * 10 ** rng.randint(0, 60) + rng.randint(-5, 5)


def _mixed(rng):
    return Fraction(rng.randint(-20, 20), rng.randint(1, 12))


def _doubles(rng):
    return Fraction(
        repr(
            rng.choice(
                (rng.random(), rng.uniform(-100, 100), rng.random() * 1e-9, 1e17 * rng.random())
            )
        )
    )


SHAPES = {
    "small": lambda rng: rng.randint(0, 4),
    "zeros": lambda rng: 0 if rng.random() < 0.8 else rng.randint(-2, 2),
    "binary": lambda rng: rng.randint(0, 1),
    "tenths": _tenths,
    "near": _near,
    "huge": _huge,
    "mixed": _mixed,
    "powers": lambda rng: rng.choice((-1, 1)) * 2 ** rng.randint(0, 12),
    "doubles": _doubles,
}


def differences(rng, n):
    """n differences of one shape, at times all alike, balanced about 0, or one giant among ones."""
    draw = SHAPES[rng.choice(list(SHAPES))]
    values = [draw(rng) for _ in range(n)]
    whole = rng.random()
    if whole < 0.08:
        values = [values[0]] * n
    elif whole < 0.16:
        values = (values[: n // 2] + [-x for x in values[: n // 2]] + [0])[:n]
    elif whole < 0.2:
        values = [1] * (n - 1) + [rng.choice((-1, 1)) * 10 ** rng.randint(1, 30)]
    return values


def pairs(rng, n):
    """n pairs (u, v) whose differences have a shape; v is small, so that differences tie but scores need not."""
    base = SHAPES[rng.choice(("small", "tenths", "binary", "mixed"))]
    rows = [(d + b, b) for d, b in ((d, base(rng)) for d in differences(rng, n))]
    if rng.random() < 0.1:  # scores that tie with each other, too
        palette = [base(rng) for _ in range(2)]
        rows = [(rng.choice(palette), rng.choice(palette)) for _ in rows]
    return rows


def labels(rng, n):
    """None, or labels of n pairs of mixed kinds."""
    if rng.random() < 0.7:
        return None
    few = rng.randint(1, n)
    kinds = (
        lambda i: i,
        lambda i: f"doc {i}",
        lambda i: (i, "x"),
        lambda i: i / 2,
        lambda i: Fraction(i, 3),
    )
    kind = rng.choice(kinds)
    return [kind(rng.randrange(few)) for _ in range(n)]


# ----------------------------------------------------------------------------------------- spelling


def places(x):
    """The decimal places of a fraction that has a finite decimal, else None."""
    rest = Fraction(x).denominator
    twos = (rest & -rest).bit_length() - 1
    rest >>= twos
    fives = 0
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 else None


def decimal_text(x):
    """A fraction with a finite decimal, written out."""
    k = places(x)
    text = f"{abs(int(x * 10**k)):0{k + 1}}"
    return "-" * (x < 0) + text[: len(text) - k] + "." * (k > 0) + text[len(text) - k :]


def _dressed(rng, text):
    """The same number with zeros, signs, blanks or an exponent that change nothing."""
    kind = rng.randrange(7)
    if kind == 0:
        return f" {text} "
    if kind == 1 and text[0] != "-":
        return "+" + text
    if kind == 2:
        return text + ("0" if "." in text else ".0")
    if kind == 3:
        return text + rng.choice(("e0", "E+0", "e-0", "e00"))
    if kind == 4 and text.startswith("0."):
        return text[1:]
    if kind == 5:
        return text.replace("-", "-00", 1) if text[0] == "-" else "00" + text
    return text


def spelled(rng, x):
    """x as one of the values that mean it exactly."""
    x = Fraction(x)
    ways = [x, f"{x.numerator}/{x.denominator}", f" {x.numerator * 3} / {x.denominator * 3} "]
    if places(x) is not None:
        text = decimal_text(x)
        ways += [_dressed(rng, text)] * 3 + [Decimal(text)]
        if len(text.strip("-0.")) <= 17 and abs(x) < 10**300:
            number = float(text)
            if Fraction(repr(number)) == x:
                ways += [number] * 3
    if x.denominator == 1:
        ways += [int(x)] * 3
        if x in (0, 1):
            ways.append(bool(x))
    return rng.choice(ways)


def written(rng, column):
    """A column of exact numbers as a user passes it: one kind of value or several, in one of many containers."""
    alike = rng.random() < 0.5
    values = list(column) if alike else [spelled(rng, x) for x in column]
    if alike and all(isinstance(x, Fraction) for x in values) and rng.random() < 0.5:
        values = [decimal_text(x) if places(x) is not None else x for x in values]
    return rng.choice(
        (list, tuple, deque, iter, lambda entries: dict(enumerate(entries)).values())
    )(values)
