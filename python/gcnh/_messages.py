"""What the library advises, in terms of Python. Its messages name fields of the program between backticks, some with values behind them."""

from __future__ import annotations

import contextlib
import re
from typing import Callable, Iterator, Match

_VALUE = r"('(?:[^']|'\\'')*'|[^\s;]+)"  # as a shell takes it


def _assigned(found: Match[str]) -> str:
    """A field with its list, which commas separate, as Python writes it; words for no value without the column that they are in."""
    field, value = found.groups()
    plain = value[1:-1].replace(r"'\''", "'") if value.startswith("'") else value
    members = (plain.partition("=")[2] if field == "missing" else plain).split(",")
    return f"`{field}={(members if len(members) > 1 else members[0])!r}`"


_RULES: list[tuple[str, str | Callable[[Match[str]], str]]] = [
    (rf"`(ignore|categorical|numeric|missing)` {_VALUE}(?= (?:if|or|to) )", _assigned),
    (rf"`missing_label` {_VALUE} if it is a class", "call the class otherwise if it is one"),
    (r"`missing_label` names such words, unless it is a class", "make it None, unless it is a class"),
    (r"`data` ([\w-]+)", r"`gcnh.datasets.load('\1')`"),
    (r"`num_splits`", "`Graph.random_splits`"),
    (r"change `ratio`", "give other splits (`Graph.with_splits`)"),
    (r"take another `out`, or add `force`(?: to replace it)?(?: \(`resume`[^)]*\))?", "take another `out`, or remove it"),
    (r"add `resume` to continue it or `force` to begin anew, or take another `out`", "take another `out`, or remove it"),
    (r"with weights; `weight` names their column", "with weights; give them, too: `weights`, or `weight` for a column of a table"),
    (r"leave `weight` out", "leave `weights`, or for a table `weight`, out; (matrix != 0) has none"),
]


def in_python(text: str) -> str:
    for pattern, python in _RULES:
        text = re.sub(pattern, python, text)
    return text


@contextlib.contextmanager
def told_in_python() -> Iterator[None]:
    """For errors."""
    try:
        yield
    except ValueError as error:
        if (text := in_python(str(error))) == str(error):
            raise
        raise type(error)(text) from None
