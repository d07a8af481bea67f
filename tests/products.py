"""Products by their definition, and comparisons that print nothing long."""

from exactperm.arithmetic.transform import Transform


def schoolbook(a, b):
    """The product of two polynomials by its definition."""
    product = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            product[i + j] += x * y
    return product


def same(x, y):
    """Equality without the decimal text of huge numbers in a failure."""
    return x == y


def transforms_made(monkeypatch):
    """A list that grows by the transform of each vector that is transformed from now on."""
    found, forward = [], Transform.forward
    monkeypatch.setattr(Transform, "forward", lambda *args: found.append(args[0]) or forward(*args))
    return found
