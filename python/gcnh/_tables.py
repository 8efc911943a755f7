"""Data frames as the tables that the library reads."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._core import DataError
from ._labels import plain


def to_cells(what: str, frame: Any, *needed: str) -> list[tuple[str, list[str]]]:
    """A frame's columns as the texts that its CSV would hold; an index that is called what is needed is a column, too."""
    if not hasattr(frame, "columns"):
        raise ValueError(f"{what}: expected a data frame, got {type(frame).__name__}")
    if frame.index.name in needed and frame.index.name not in frame.columns:
        frame = frame.reset_index()
    if not frame.columns.is_unique:
        raise DataError(f"{what}: two columns {str(frame.columns[frame.columns.duplicated()][0])!r}; columns are known by name")
    out = []
    for name in frame.columns:
        column = frame[name]
        values = plain(np.asarray(column.dropna())) if column.dtype.kind == "f" else None
        if values is not None and values.dtype.kind == "i":  # whole numbers that NaN has made floats
            column = column.astype("Int64")
        missing = column.isna().to_numpy()
        if column.dtype.kind == "M":
            texts_ = column.astype(str).tolist()
        elif column.dtype.kind == "f":
            texts_ = [repr(v) for v in column.tolist()]
        else:
            texts_ = [_cell(v) for v in column.tolist()]
        out.append((str(name), ["" if gone else text for gone, text in zip(missing, texts_)]))
    return out


def _cell(value: Any) -> str:
    """Sets and arrays are written as lists are, the members of sets in order, whatever order they are kept in."""
    if isinstance(value, (set, frozenset)):
        value = sorted((member.item() if isinstance(member, np.generic) else member for member in value), key=str)
    return str(value.tolist() if isinstance(value, np.ndarray) else value)


def to_edge_cells(frame: Any, source: str, target: str) -> list[tuple[str, list[str]]]:
    if frame is None:
        return []
    cells = to_cells("edges", frame, source, target)
    names = [name for name, _ in cells]
    for role, name in (("source", source), ("target", target)):
        if name not in names:
            raise DataError(f"edges: no column {name!r}; columns: {' '.join(names)}; `{role}` names another")
    return cells if len(frame) else []  # no edges have no weights
