"""Labels and ids as NumPy arrays, and as the texts that the library knows them by."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

EXACT = 2**53  # whole numbers below it are exact as floats


def as_array(values: Any) -> npt.NDArray[Any]:
    """One-dimensional, without dtype tricks: pandas' and torch's go through NumPy, words stay objects."""
    if hasattr(values, "detach"):  # a tensor
        values = values.detach().cpu().numpy()
    out = np.asarray(values)
    if out.dtype.kind == "f" and isinstance(values, (list, tuple)) and all(type(v) is int for v in values):
        out = np.array(values, dtype=object)  # whole numbers too large for NumPy's
    if out.dtype.kind in "US":
        out = out.astype(object)
    if out.ndim == 2 and out.shape[1] == 1:
        out = out[:, 0]
    if out.ndim == 0:
        raise ValueError(f"expected a list, got {values!r}")
    if out.ndim != 1:
        raise ValueError(f"expected a list of one dimension, got an array of shape {out.shape}")
    return out


def as_labels(y: Any) -> npt.NDArray[Any]:
    if np.ndim(y) == 2 and np.shape(y)[1] > 1:
        raise ValueError(f"y: expected a label per node, got an array of shape {np.shape(y)}; y.argmax(axis=1) makes labels of one-hot rows")
    return as_array(y)


def is_missing(values: npt.NDArray[Any], minus_one: bool = True) -> npt.NDArray[np.bool_]:
    """None and NaN, and -1 among numbers where that stands for no label."""
    missing: npt.NDArray[np.bool_]
    if values.dtype.kind == "f":
        missing = np.isnan(values)
    elif values.dtype == object:
        missing = np.array([_is_gone(v) for v in values], dtype=bool)
    else:
        missing = np.zeros(len(values), dtype=bool)
    if minus_one and values.dtype.kind in "if":
        missing = missing | (values == -1)
    return missing


def _is_gone(value: Any) -> bool:
    if isinstance(value, (float, np.floating)):
        return bool(np.isnan(value))
    return value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, str) and value == "")


def plain(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Whole numbers that a missing value has turned into floats become whole again; so do objects that are all of a kind."""
    if are_truths(values):
        return values.astype(bool)
    if values.dtype == object and len(values) and all(isinstance(v, (int, np.integer)) and not isinstance(v, bool) for v in values):
        return values.astype(np.int64) if all(-2**63 <= v < 2**63 for v in values) else values
    if values.dtype.kind == "f" and len(values) and np.all((values == np.floor(values)) & (np.abs(values) < EXACT)):
        return values.astype(np.int64)
    return values


def are_truths(values: npt.NDArray[Any]) -> bool:
    """Whether all are True or False, in whatever array."""
    return values.dtype == bool or (values.dtype == object and len(values) > 0 and all(isinstance(v, (bool, np.bool_)) for v in values))


def frozen(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same values in memory that nobody writes to."""
    if values.base is None and not values.flags.writeable:
        return values
    out = values.copy()
    out.flags.writeable = False
    return out


def are_numbers(ids: npt.NDArray[Any]) -> bool:
    """Whether nodes are called by numbers, so that a number is never a position."""
    return ids.dtype.kind in "iuf" or (ids.dtype == object and len(ids) > 0 and all(isinstance(v, int) for v in ids))


def encode(y: Any, minus_one: bool = True) -> tuple[npt.NDArray[np.int32], npt.NDArray[Any]]:
    """Class numbers, -1 for nodes without a label, and the classes in order: numbers by size, words by their bytes."""
    values = as_labels(y)
    missing = is_missing(values, minus_one)
    known = plain(values[~missing])
    if known.dtype.kind in "fc" and len(known):
        raise ValueError(f"y: {next((v for v in known.tolist() if plain(np.array([v])).dtype.kind != 'i'), known[0])!r} is no class; "
                         "labels are words or whole numbers")
    try:
        classes, numbers = np.unique(known, return_inverse=True) if len(known) else (known[:0], known[:0])
    except TypeError:
        raise ValueError("y: words and numbers among the labels, which have no common order; give words alone") from None
    labels = np.full(len(values), -1, dtype=np.int32)
    labels[~missing] = numbers
    return labels, classes


def texts(values: npt.NDArray[Any]) -> list[str]:
    return [str(v) for v in values.tolist()]


def from_texts(names: list[str]) -> npt.NDArray[Any]:
    """Names that are all whole numbers become numbers, as they were sorted."""
    try:
        numbers = [int(name) for name in names]
        if names and [str(n) for n in numbers] == names:
            return plain(np.array(numbers, dtype=object))
    except ValueError:
        pass
    return np.array(names, dtype=object)


def to_classes(names: list[str]) -> npt.NDArray[Any]:
    """Classes that are all whole numbers become numbers, and those that are True and False become bools."""
    if names and set(names) <= {"False", "True"}:
        return np.array([name == "True" for name in names])
    return from_texts(names)
