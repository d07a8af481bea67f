"""Code tokens and lines, without blanks, comments and docstrings."""

import ast
import io
import tokenize
from itertools import chain
from pathlib import Path

import exactperm

PACKAGE = Path(exactperm.__file__).parent
LONGEST = {ast.Module: 350, ast.ClassDef: 200, ast.FunctionDef: 50}
"""Most lines of code of a module, of a class and of a function."""

NO_CODE = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENDMARKER, tokenize.ENCODING),
}


def code_of(text):
    """(tree, line of each token) of code: no blanks, comments and docstrings."""
    tree, documentation, lines = ast.parse(text), set(), []
    for node in ast.walk(tree):
        if isinstance(node, tuple(LONGEST)) and ast.get_docstring(node, clean=False) is not None:
            documentation |= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NO_CODE and token.start[0] not in documentation:
            lines.append(range(token.start[0], token.end[0] + 1))
    return tree, lines


def code_size(text):
    """(lines, tokens) of code."""
    _tree, lines = code_of(text)
    return len({*chain(*lines)}), len(lines)
