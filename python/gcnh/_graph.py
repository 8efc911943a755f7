"""Graphs with features, labels and splits."""

from __future__ import annotations

import html
import json
from typing import Any, Iterable, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from . import _core
from ._core import DataError
from ._forms import Nodes, count_nodes, to_cells, to_edges, to_features, to_numpy, to_numpy_or_none, to_split
from ._labels import as_array, encode, from_texts, plain, texts


class Split(NamedTuple):
    """Node numbers to train on, to choose by, and to test."""

    train: Nodes
    val: Nodes
    test: Nodes


class Graph:
    """Nodes with features and labels, and the edges between them. Never changed once made.

    Parameters
    ----------
    edges : sparse matrix, array, pair of arrays, graph object or None
        A SciPy matrix (nodes, nodes), whose entry (i, j) is an edge from i to j; an array of shape (edges, 2) or, for more than two
        edges, (2, edges), with node numbers or, where there are ids, ids; a pair of such columns. NetworkX graphs and objects of PyG
        and DGL bring the rest with them (see ``from_networkx``, ``from_pyg``, ``from_dgl``). None: no edges.
    x : array or sparse matrix of shape (nodes, features)
        Features. Whatever form they come in, they are kept sparse where fewer than half of the numbers are other than 0, dense otherwise.
        None: there are none, and nothing can be trained.
    y : array of length nodes, optional
        Labels, words or numbers; -1, None or NaN for nodes without one.
    weights : array of length edges, optional
        Weights above 0. Of a matrix, its values, unless all of them are 1.
    ids : array of length nodes, optional
        What nodes are called. Without ids they go by their numbers, from 0.
    feature_names : list of str, optional
    splits : list of (train, val, test), optional
        Node numbers. None: ten random ones are drawn where they are asked for, as the program draws them.
    name : str
        What the graph is called in results.

    Notes
    -----
    Edges are kept as they were given. Estimators see them in both directions, without repeats and loops, unless their parameters
    ``direction`` and ``view`` say otherwise.

    Examples
    --------
    >>> import numpy as np, gcnh
    >>> g = gcnh.Graph([[0, 1], [1, 2]], x=np.eye(3), y=["a", "b", None])
    >>> g.num_nodes, g.num_edges, list(g.classes)
    (3, 2, ['a', 'b'])
    """

    __slots__ = ("_tables", "_ids", "_classes", "_columns", "_find", "_splits", "__weakref__")
    _tables: _core.Graph
    _ids: npt.NDArray[Any] | None
    _classes: npt.NDArray[Any]
    _columns: dict[str, str]
    _find: dict[str, int] | None
    _splits: list[Split] | None

    def __init__(self, edges: Any = None, x: Any = None, y: Any = None, *, weights: Any = None, ids: Any = None,
                 feature_names: Iterable[str] | None = None, splits: Iterable[Any] | None = None, name: str = "graph") -> None:
        make = _maker(edges)
        if make is not None:
            if any(part is not None for part in (x, y, weights, ids, feature_names, splits)):
                raise ValueError("this object brings its features, labels and weights; give nothing else beside it but a name")
            other = make(edges, name=name)
            return self._take(other._tables, other._ids, other._classes)
        named = None if ids is None else plain(as_array(ids))
        features = to_features(x)
        if feature_names is None and hasattr(x, "columns"):
            feature_names = [str(c) for c in x.columns]
        num_nodes = count_nodes(edges, features, y, named)
        if features is None:
            features = (num_nodes, 0, np.zeros(num_nodes + 1, np.int64), np.empty(0, np.int32), None)
        ends, own_weights = to_edges(edges, weights, num_nodes, named)
        labels, classes = encode(y) if y is not None else (np.full(num_nodes, -1, np.int32), np.empty(0, object))
        if len(labels) != num_nodes:
            raise ValueError(f"y: {len(labels)} labels for {num_nodes} nodes")
        if named is not None and len(named) != num_nodes:
            raise ValueError(f"ids: {len(named)} for {num_nodes} nodes")
        if named is not None and len(np.unique(texts(named))) < num_nodes:
            raise DataError("ids: some appear twice; ids are unique")
        core = _core.Graph.from_arrays(
            name, ends, own_weights, features, labels, texts(classes), [] if named is None else texts(named),
            [] if feature_names is None else list(feature_names), [to_split(s) for s in splits or []])
        self._take(core, named, classes)

    # How a graph is made

    def _take(self, core: _core.Graph, ids: npt.NDArray[Any] | None = None, classes: npt.NDArray[Any] | None = None,
              columns: dict[str, str] | None = None) -> None:
        put = super().__setattr__
        put("_tables", core)
        put("_ids", from_texts(core.ids) if ids is None and core.ids else ids)
        put("_classes", from_texts(core.classes) if classes is None else classes)
        put("_columns", columns or {})
        put("_find", None)
        put("_splits", None)

    @classmethod
    def _of(cls, core: _core.Graph, ids: npt.NDArray[Any] | None = None, classes: npt.NDArray[Any] | None = None,
            columns: dict[str, str] | None = None) -> Graph:
        out = cls.__new__(cls)
        out._take(core, ids, classes, columns)
        return out

    @classmethod
    def from_pandas(cls, nodes: Any, edges: Any = None, *, id: str = "id", label: str | None = "label", source: str = "source",
                    target: str = "target", weight: str | None = None, splits: Iterable[str] = (), features: str | None = None,
                    categorical: Iterable[str] = (), numeric: Iterable[str] = (), ignore: Iterable[str] = (),
                    missing: Iterable[str] = (), name: str = "nodes") -> Graph:
        """A graph from two data frames, with the columns and kinds that the program would find in the same tables.

        Parameters
        ----------
        nodes : DataFrame
            A row per node: its id, its label (empty where unknown), and features of any kind: numbers, words, sets, dates, text.
        edges : DataFrame, optional
            A row per edge: the ids of two nodes.
        id, label : str
            Columns of ``nodes``. Label None: there is none.
        source, target, weight : str
            Columns of ``edges``.
        splits : list of str
            Columns of ``nodes`` with train, val, test or nothing.
        features : str, optional
            Kinds of columns, as in ``num:age cat:city text:about rest``; see docs/tables.md.
        categorical, numeric, ignore : list of str
            Columns whose kind is known.
        missing : list of str
            Words that stand for no value.
        name : str
            What the graph is called in results.
        """
        fields: dict[str, Any] = dict(id=id, label=label or "", source=source, target=target, weight=weight or "", split=list(splits),
                                      features=features or "", categorical=list(categorical), numeric=list(numeric),
                                      ignore=list(ignore), missing=list(missing))
        core = _core.Graph.from_tables(name, to_cells(nodes), [] if edges is None else to_cells(edges), fields, None)
        ids = plain(as_array(nodes[id]))
        return cls._of(core, ids if ids.dtype.kind in "iu" else None, None,
                       dict(id=id, label=label or "", source=source, target=target, weight=weight or ""))

    @classmethod
    def from_networkx(cls, graph: Any, *, label: str = "label", x: str = "x", weight: str | None = "weight", name: str = "graph") -> Graph:
        """From a NetworkX graph; ids are its nodes. Attributes: ``label`` and ``x`` (a list of numbers) of nodes, ``weight`` of edges."""
        nodes = list(graph.nodes)
        number = {node: i for i, node in enumerate(nodes)}
        attributes = [graph.nodes[node] for node in nodes]
        found = [(number[u], number[v], 1.0 if weight is None else data.get(weight, 1.0)) for u, v, data in graph.edges(data=True)]
        ends = np.array([edge[:2] for edge in found], dtype=np.int32).reshape(-1, 2)
        weights = np.array([edge[2] for edge in found], dtype=np.float32)
        features = np.array([a[x] for a in attributes]) if nodes and x in attributes[0] else np.empty((len(nodes), 0))
        labels, classes = encode(np.array([a.get(label) for a in attributes], dtype=object))
        ids = None
        if nodes != list(range(len(nodes))):
            ids = np.empty(len(nodes), dtype=object)
            ids[:] = nodes
            ids = plain(ids)
        core = _core.Graph.from_arrays(name, ends, None if np.all(weights == 1) else weights, to_features(features), labels, texts(classes),
                                       [] if ids is None else texts(ids), [], [])
        return cls._of(core, ids, classes)

    @classmethod
    def from_pyg(cls, data: Any, *, name: str = "graph") -> Graph:
        """From an object with ``edge_index`` (2, edges), and ``x``, ``y``, ``edge_weight``, ``train_mask`` ... where it has them."""
        number_of = to_numpy(data.edge_index)
        x = getattr(data, "x", None)
        y = getattr(data, "y", None)
        if x is None and y is None and getattr(data, "num_nodes", None):
            y = np.full(int(data.num_nodes), -1)
        return cls((number_of[0], number_of[1]), None if x is None else to_numpy(x), None if y is None else to_numpy(y).reshape(-1),
                   weights=to_numpy_or_none(getattr(data, "edge_weight", None)), splits=_mask_splits(data), name=name)

    @classmethod
    def from_dgl(cls, graph: Any, *, x: str = "feat", y: str = "label", weight: str = "weight", name: str = "graph") -> Graph:
        """From an object with ``edges()``, ``ndata`` and ``edata``, whose keys ``x``, ``y`` and ``weight`` are."""
        source, target = graph.edges()
        features = to_numpy_or_none(graph.ndata.get(x))
        labels = to_numpy_or_none(graph.ndata.get(y))
        if features is None and labels is None:
            labels = np.full(int(graph.num_nodes()), -1)
        return cls((to_numpy(source), to_numpy(target)), features, labels, weights=to_numpy_or_none(graph.edata.get(weight)), name=name)

    @classmethod
    def read(cls, nodes: str, edges: str, *, id: str = "id", label: str | None = "label", source: str = "source",
             target: str = "target", weight: str | None = None, labels: str | None = None) -> Graph:
        """From files, each of any kind that the program reads (docs/formats.md): tables, lists of edges, matrices."""
        core = _core.Graph.from_files(dict(nodes=str(nodes), edges=str(edges), id=id, label=label or "", source=source, target=target,
                                           weight=weight or "", labels=labels or ""))
        return cls._of(core, columns=dict(id=id, label=label or "", source=source, target=target, weight=weight or ""))

    def with_splits(self, splits: Iterable[Any]) -> Graph:
        """The same graph with these splits: (train, val, test) of nodes, ids or numbers."""
        triples = [to_split([self.index(part) for part in split]) for split in splits]
        return Graph._of(self._tables.replace(None, None, triples), self._ids, self._classes, self._columns)

    # What it is

    @property
    def name(self) -> str:
        """What it is called in results."""
        return self._tables.name

    @property
    def num_nodes(self) -> int:
        """How many nodes it has."""
        return self._tables.num_nodes

    @property
    def num_edges(self) -> int:
        """How many edges were given; repeats, loops and both directions count."""
        return len(self._tables.edges)

    @property
    def nodes(self) -> npt.NDArray[Any]:
        """All nodes: their ids, or their numbers where they have none. What scikit-learn's tools take for X."""
        return np.arange(self.num_nodes) if self._ids is None else self._ids

    @property
    def ids(self) -> npt.NDArray[Any] | None:
        """What nodes are called, or None."""
        return self._ids

    @property
    def classes(self) -> npt.NDArray[Any]:
        """The classes, in the order of their columns in ``predict_proba``."""
        return self._classes

    @property
    def labels(self) -> npt.NDArray[np.int32]:
        """Class numbers; -1 for nodes without a label. Shared memory, read-only."""
        return self._tables.labels

    @property
    def y(self) -> npt.NDArray[Any]:
        """Labels; for nodes without one -1 among numbers, the empty word among words, which scikit-learn's tools can sort."""
        labels = self.labels
        if len(self._classes) and self._classes.dtype.kind in "iu":
            return np.where(labels < 0, -1, self._classes[labels])
        out = np.full(len(labels), "", dtype=object)
        out[labels >= 0] = self._classes[labels[labels >= 0]]
        return out

    @property
    def labelled(self) -> npt.NDArray[Any]:
        """The nodes that have a label."""
        return self.nodes[self.labels >= 0]

    @property
    def x(self) -> Any:
        """Features, an array or a SciPy matrix. Shared memory, read-only."""
        x = self._tables.x
        if not isinstance(x, tuple):
            return x
        rows, cols, offsets, indices, values = x
        out = sp.csr_matrix((rows, cols), dtype=np.float32)
        out.indptr, out.indices = offsets, indices
        out.data = np.ones(len(indices), dtype=np.float32) if values is None else values
        return out

    @property
    def feature_names(self) -> list[str]:
        """Names of the features; empty where they have none."""
        return self._tables.feature_names

    @property
    def columns(self) -> dict[str, tuple[str, str]]:
        """Of a table: its columns, each with its kind and how that was found."""
        return self._tables.column_kinds()

    @property
    def edge_index(self) -> npt.NDArray[np.int32]:
        """Edges as they were given, (edges, 2). Shared memory, read-only."""
        return self._tables.edges

    @property
    def weights(self) -> npt.NDArray[np.float32] | None:
        """Weights of the edges, or None where all are 1. Shared memory, read-only."""
        return self._tables.weights

    @property
    def notes(self) -> list[str]:
        """What the reader wants to be known."""
        return self._tables.notes

    @property
    def splits(self) -> list[Split]:
        """Its own splits, or those that the program would draw: ten of 48, 32 and 20 percent."""
        if self._splits is not None:
            return list(self._splits)
        own = self._tables.splits
        found = [Split(*s) for s in own] if own else self.random_splits()
        object.__setattr__(self, "_splits", found)
        return list(found)

    def random_splits(self, n: int = 10, train: float = 0.48, val: float = 0.32) -> list[Split]:
        """Stratified splits of the labelled nodes; the same for every model, seed and machine."""
        drawn = self._tables.drawn_splits(train, val, n) if len(self._classes) else []
        for split in drawn:
            for nodes in split:
                nodes.setflags(write=False)
        return [Split(*split) for split in drawn]

    def cv(self, by: str = "test") -> list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]]:
        """The splits for ``cv=`` of scikit-learn's tools: training nodes with test nodes, or with those that ``by="val"`` chooses by."""
        if by not in ("test", "val"):
            raise ValueError(f"by: {by!r} is neither 'test' nor 'val'")
        return [(s.train, getattr(s, by)) for s in self.splits]

    def index(self, nodes: Any) -> Nodes:
        """Numbers of nodes, which are given by ids or, where those are no numbers, by their numbers, or as a mask."""
        values = as_array(nodes)
        if values.dtype == bool:
            if len(values) != self.num_nodes:
                raise ValueError(f"a mask of {len(values)} for {self.num_nodes} nodes")
            return np.flatnonzero(values).astype(np.int32)
        ids = self._ids
        if len(values) == 0:
            return np.empty(0, np.int32)
        if ids is not None and (ids.dtype.kind in "iu" or values.dtype.kind not in "iu"):
            find = self._find or {str(v): i for i, v in enumerate(ids.tolist())}
            object.__setattr__(self, "_find", find)
            try:
                return np.fromiter((find[str(v)] for v in values.tolist()), np.int32, len(values))
            except KeyError as error:
                raise DataError(f"{self.name}: no node {error.args[0]!r}") from None
        values = plain(values)
        if values.dtype.kind not in "iu":
            raise DataError(f"{self.name}: nodes go by their numbers, 0 to {self.num_nodes - 1}; got {values[0]!r}")
        if values.min() < 0 or values.max() >= self.num_nodes:
            bad = values[(values < 0) | (values >= self.num_nodes)][0]
            raise DataError(f"{self.name}: node {bad} outside 0..{self.num_nodes - 1}")
        return values.astype(np.int32)

    # What can be told of it

    def inspect(self) -> dict[str, Any]:
        """What ``gcnh inspect`` tells: sizes, degrees, homophily, where the edges of each class lead."""
        out: dict[str, Any] = json.loads(self._tables.inspect())
        return out

    def homophily(self) -> dict[str, float]:
        """How much edges join nodes of one class: five measures, NaN where one is not defined."""
        found = self.inspect()
        measures = {**found["homophily"], "label_informativeness": found["label_informativeness"]}
        return {name: float("nan") if value is None else value for name, value in measures.items()}

    def check(self) -> Any:
        """What the data doctor finds (docs/check.md), a row per rule: severity, rule, found, why, fix. A frame where pandas is there."""
        rows = self._tables.check()
        try:
            import pandas as pd
        except ImportError:
            return rows
        return pd.DataFrame(rows, columns=["severity", "rule", "found", "why", "fix"])

    def to_scipy(self) -> sp.csr_matrix:
        """The edges as a matrix (nodes, nodes); repeats are added up."""
        ends = self.edge_index
        values = np.ones(len(ends), np.float32) if self.weights is None else self.weights
        return sp.csr_matrix((values, (ends[:, 0], ends[:, 1])), shape=(self.num_nodes, self.num_nodes))

    def to_networkx(self) -> Any:
        """A directed multigraph of NetworkX with ``x``, ``label`` and ``weight``; nodes are ids."""
        import networkx as nx

        out = nx.MultiDiGraph(name=self.name)
        x, y, names = self.x, self.y, self.nodes.tolist()
        dense = x.toarray() if sp.issparse(x) else x
        for i, node in enumerate(names):
            label = None if self.labels[i] < 0 else (y[i].item() if hasattr(y[i], "item") else y[i])
            out.add_node(node, x=dense[i].tolist(), label=label)
        weights = self.weights
        for k, (u, v) in enumerate(self.edge_index.tolist()):
            out.add_edge(names[u], names[v], **({} if weights is None else {"weight": float(weights[k])}))
        return out

    def to_pyg(self) -> Any:
        """A ``torch_geometric.data.Data`` with masks of all splits; needs PyTorch Geometric."""
        import torch
        from torch_geometric.data import Data

        x = self.x
        out = Data(x=torch.from_numpy(np.array(x.toarray() if sp.issparse(x) else x)),
                   edge_index=torch.from_numpy(np.ascontiguousarray(self.edge_index.T).astype(np.int64)),
                   y=torch.from_numpy(self.labels.astype(np.int64)))
        if self.weights is not None:
            out.edge_weight = torch.from_numpy(np.array(self.weights))
        if self._tables.splits:
            for name in Split._fields:
                mask = np.zeros((self.num_nodes, len(self.splits)), dtype=bool)
                for k, split in enumerate(self.splits):
                    mask[getattr(split, name), k] = True
                out[f"{name}_mask"] = torch.from_numpy(mask)
        return out

    # Manners

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a Graph is never changed; make another one (Graph.with_splits, Graph(...)) instead of setting {name!r}")

    def __copy__(self) -> Graph:
        return self

    def __deepcopy__(self, memo: Any) -> Graph:
        return self

    def __reduce__(self) -> Any:
        return (_unpickle, (self._tables, self._ids, self._classes, self._columns))

    def __len__(self) -> int:
        return self.num_nodes

    def __repr__(self) -> str:
        return (f"Graph({self.name!r}, {self.num_nodes} nodes, {self.num_edges} edges, {self._width()} features, "
                f"{len(self._classes)} classes)")

    def _width(self) -> int:
        x = self._tables.x
        return int(x[1] if isinstance(x, tuple) else x.shape[1])

    def _repr_html_(self) -> str:
        """A data card."""
        found = self.inspect()
        rows = [("nodes", f"{self.num_nodes:,}"), ("edges", f"{found['edges']:,} undirected, repeats merged"),
                ("features", f"{self._width():,}"),
                ("classes", ", ".join(f"{c} ({int(np.sum(self.labels == k))})" for k, c in enumerate(self._classes[:20]))),
                ("unlabelled", f"{int(np.sum(self.labels < 0)):,}"), ("splits", str(len(self._tables.splits)) + " of its own")]
        rows += [(f"{name.replace('_', '-')} homophily", "–" if value is None else f"{value:.4f}")
                 for name, value in found["homophily"].items()]
        cells = "".join(f"<tr><th style='text-align:left'>{html.escape(a)}</th><td style='text-align:left'>{html.escape(b)}</td></tr>"
                        for a, b in rows)
        return f"<table><caption><b>{html.escape(self.name)}</b></caption>{cells}</table>"


def _maker(graph: Any) -> Any:
    """How a graph of another library becomes one of ours; None for what is no such graph."""
    if hasattr(graph, "ndata"):
        return Graph.from_dgl
    if hasattr(graph, "edge_index"):
        return Graph.from_pyg
    return Graph.from_networkx if hasattr(graph, "adj") and hasattr(graph, "nodes") else None


def _unpickle(core: _core.Graph, ids: Any, classes: Any, columns: dict[str, str]) -> Graph:
    return Graph._of(core, ids, classes, columns)


def _mask_splits(data: Any) -> list[Any]:
    if getattr(data, "train_mask", None) is None:
        return []
    masks = [to_numpy(getattr(data, f"{name}_mask")).astype(bool) for name in Split._fields]
    masks = [m[:, None] if m.ndim == 1 else m for m in masks]
    return [tuple(np.flatnonzero(m[:, k]) for m in masks) for k in range(masks[0].shape[1])]
