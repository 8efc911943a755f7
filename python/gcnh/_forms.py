"""From what people have in Python to what the library takes: features, edges, weights, splits."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from ._core import DataError
from ._labels import as_array, plain, texts

Nodes = npt.NDArray[np.int32]
MOST = 2**31 - 1  # nodes that the library can number


def to_numpy(values: Any) -> npt.NDArray[Any]:
    return np.asarray(values.detach().cpu() if hasattr(values, "detach") else values)


def to_numpy_or_none(values: Any) -> npt.NDArray[Any] | None:
    return None if values is None else to_numpy(values)


def _are_node_numbers(values: npt.NDArray[Any]) -> bool:
    return values.dtype.kind in "iu" and bool(np.all((values >= -MOST) & (values < MOST)))


def _first_odd(values: npt.NDArray[Any]) -> Any:
    """The first of some values that are not all node numbers."""
    return next(v for v in values.tolist() if not _are_node_numbers(plain(np.array([v], dtype=values.dtype))))


def to_features(x: Any) -> Any:
    """As the library takes them: a dense array of float32, or the parts of a sparse matrix."""
    if x is None:
        return None
    if sp.issparse(x):
        csr = x.tocsr()
        _real("x", csr)
        if not csr.has_canonical_format or np.any(csr.data == 0):
            csr = csr.copy()
            csr.sum_duplicates()
            csr.eliminate_zeros()
        with np.errstate(over="ignore"):
            values = csr.data.astype(np.float32, copy=False)
        _finite(values)
        return (csr.shape[0], csr.shape[1], csr.indptr.astype(np.int64), csr.indices.astype(np.int32, copy=False),
                None if np.all(values == 1) else values)
    dense = to_numpy(x)
    if dense.ndim == 1:
        dense = dense[:, None]
    if dense.ndim != 2:
        raise ValueError(f"x: expected (nodes, features), got an array of shape {dense.shape}")
    _real("x", dense)
    try:
        with np.errstate(over="ignore"):
            dense = np.ascontiguousarray(dense, dtype=np.float32)
    except (TypeError, ValueError):
        raise ValueError(f"x: features are numbers, got {dense.dtype}; Graph.from_pandas takes columns of any kind") from None
    _finite(dense)
    return dense


def _finite(values: npt.NDArray[np.float32]) -> None:
    if not np.all(np.isfinite(values)):
        raise DataError("x: NaN, infinity or a number beyond 3.4e38; features are finite (Graph.from_pandas fills what is missing)")


def _real(what: str, values: Any) -> None:
    if values.dtype.kind == "c":
        raise ValueError(f"{what}: complex numbers; give real ones")


def count_nodes(edges: Any, features: Any, y: Any, ids: npt.NDArray[Any] | None) -> int:
    if features is not None:
        return int(features[0] if isinstance(features, tuple) else features.shape[0])
    if ids is not None:
        return len(ids)
    if y is not None:
        return len(as_array(y))
    if sp.issparse(edges):
        return int(edges.shape[0])
    ends = plain(np.concatenate(_ends(edges)))
    if len(ends) and not _are_node_numbers(ends):
        raise ValueError(f"edges: {_first_odd(ends)!r} is no node number; give ids to name nodes otherwise")
    return int(ends.max()) + 1 if len(ends) else 0


def _ends(edges: Any) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Sources and targets, whatever the form of the list."""
    if edges is None:
        return np.empty(0, np.int32), np.empty(0, np.int32)
    if isinstance(edges, tuple) and len(edges) == 2 and np.ndim(to_numpy(edges[0])) == 1:
        source, target = (as_array(to_numpy(part)) for part in edges)
    else:
        table = to_numpy(edges)
        if table.dtype.kind in "US":
            table = table.astype(object)
        elif table.dtype.kind == "f" and isinstance(edges, list) and all(type(end) is int for edge in edges for end in edge):
            table = np.array(edges, dtype=object)  # whole numbers too large for NumPy's
        if table.size == 0:
            table = table.reshape(0, 2)
        if table.ndim == 2 and table.shape[0] == 2 and table.shape[1] != 2:
            table = table.T
        if table.ndim != 2 or table.shape[1] != 2:
            hint = "; scipy.sparse.csr_matrix(edges) makes a matrix of edges" if table.ndim == 2 and table.shape[0] == table.shape[1] else ""
            raise ValueError(f"edges: expected an array of shape (edges, 2) or (2, edges), got {table.shape}{hint}")
        source, target = table[:, 0], table[:, 1]
    if len(source) != len(target):
        raise ValueError(f"edges: {len(source)} sources and {len(target)} targets")
    return source, target


def to_edges(edges: Any, weights: Any, num_nodes: int, ids: npt.NDArray[Any] | None) -> tuple[Nodes, npt.NDArray[np.float32] | None]:
    if sp.issparse(edges):
        return _matrix_edges(edges, weights, num_nodes)
    source, target = _ends(edges)
    out = np.empty((len(source), 2), dtype=np.int32)
    if ids is not None and len(source):
        find = {str(v): i for i, v in enumerate(ids.tolist())}
        if ids.dtype.kind in "iu":
            source, target = plain(source), plain(target)
        for column, ends in enumerate((source, target)):
            unmet = [v for v in ends.tolist() if str(v) not in find]
            if unmet:
                raise DataError(f"edges: {len(unmet)} name no node, such as {unmet[0]!r}; edges name ids where there are ids")
            out[:, column] = [find[str(v)] for v in ends.tolist()]
    else:
        for column, ends in enumerate((source, target)):
            numbers = plain(ends)
            if len(numbers) and not _are_node_numbers(numbers):
                raise ValueError(f"edges: {_first_odd(ends)!r} is no node number, 0 to {num_nodes - 1}; give ids to name nodes otherwise")
            if len(numbers) and (numbers.min() < 0 or numbers.max() >= num_nodes):
                raise DataError(f"edges: node {numbers.max() if numbers.max() >= num_nodes else numbers.min()} outside 0..{num_nodes - 1}")
            out[:, column] = numbers
    if weights is None:
        return out, None
    return out, to_weights(weights, len(out))


def to_weights(weights: Any, num_edges: int) -> npt.NDArray[np.float32]:
    given = as_array(weights)
    _real("weights", given)
    try:
        values = given.astype(np.float32)
    except (TypeError, ValueError):
        raise ValueError(f"weights: {_first_word(given)!r} is no number") from None
    if len(values) != num_edges:
        raise ValueError(f"weights: {len(values)} for {num_edges} edges")
    return values


def _first_word(values: npt.NDArray[Any]) -> Any:
    return next((v for v in values.tolist() if not isinstance(v, (int, float))), values[0])


def require_ids(ids: npt.NDArray[Any], num_nodes: int) -> None:
    if len(ids) != num_nodes:
        raise ValueError(f"ids: {len(ids)} for {num_nodes} nodes")
    seen: set[str] = set()
    for name in texts(ids):
        if name in seen:
            raise DataError(f"ids: {name!r} appears twice; ids are unique")
        seen.add(name)


def column_names(x: Any) -> list[str] | None:
    """Those of a frame, if all of them are words, as scikit-learn takes them."""
    names = list(getattr(x, "columns", []))
    return names if names and all(isinstance(name, str) for name in names) else None


def attribute_rows(name: str, nodes: list[Any], attributes: list[Any]) -> npt.NDArray[Any]:
    """An attribute of nodes as rows of features; none where no node has it."""
    lacking = [node for node, own in zip(nodes, attributes) if name not in own]
    if len(lacking) == len(nodes):
        return np.empty((len(nodes), 0))
    if lacking:
        raise DataError(f"x: {len(lacking)} nodes have no attribute {name!r}, such as {lacking[0]!r}")
    rows = [own[name] for own in attributes]
    if len({np.shape(row) for row in rows}) > 1:
        raise DataError(f"x: attributes {name!r} of nodes differ in length")
    return np.array(rows)


def _matrix_edges(matrix: Any, weights: Any, num_nodes: int) -> tuple[Nodes, npt.NDArray[np.float32] | None]:
    if weights is not None:
        raise ValueError("weights: a matrix has them as its values")
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"edges: a matrix of edges is square, this one is {matrix.shape[0]} x {matrix.shape[1]}")
    if matrix.shape[0] != num_nodes:
        raise ValueError(f"edges: a matrix of {matrix.shape[0]} nodes for {num_nodes}")
    csr = matrix.tocsr()
    _real("edges", csr)
    out = np.empty((csr.nnz, 2), dtype=np.int32)
    out[:, 0] = np.repeat(np.arange(num_nodes, dtype=np.int32), np.diff(csr.indptr))
    out[:, 1] = csr.indices
    values = csr.data
    if np.any(values == 0):
        kept = values != 0
        out, values = out[kept], values[kept]
    return out, None if values.dtype == bool or np.all(values == 1) else values.astype(np.float32)
