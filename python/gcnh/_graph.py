"""Graphs with features, labels and splits."""

from __future__ import annotations

from typing import Any, Iterable

import numpy as np
import numpy.typing as npt

from . import _core
from ._forms import attribute_rows, count_nodes, require_ids, to_edges, to_features, to_numpy, to_numpy_or_none, to_weights
from ._graph_looks import Looks
from ._graph_views import Numbers, Split
from ._labels import as_array, encode, from_texts, frozen, plain, texts, to_classes
from ._messages import told_in_python
from ._tables import to_cells, to_edge_cells


class Graph(Looks):
    """Nodes with features and labels, and the edges between them. Never changed once made.

    Parameters
    ----------
    edges : sparse matrix, array, pair of arrays, graph object or None
        A SciPy matrix (nodes, nodes), whose entry (i, j) is an edge from i to j; an array of shape (edges, 2) or, for more than two
        edges, (2, edges), with node numbers or, where there are ids, ids; a pair of such columns. NetworkX graphs and objects of PyG
        and DGL bring the rest with them (see ``from_networkx``, ``from_pyg``, ``from_dgl``). None: no edges.
    x : array or sparse matrix of shape (nodes, features)
        Features. Whatever form they come in, they are kept sparse where fewer than half of the numbers are other than 0, dense otherwise.
        The parameter ``scale`` of estimators scales them, by all nodes; ``from_pandas`` makes columns that are scaled by the training
        nodes alone. None: there are none, and nothing can be trained.
    y : array of length nodes, optional
        Labels, words or numbers; -1, None or NaN for nodes without one. So -1 is no class: labels of -1 and 1 are given other names.
    weights : array of length edges, optional
        Weights above 0. Of a matrix, its values, unless all of them are 1.
    ids : array of length nodes, optional
        What nodes are called. Without ids they go by their numbers, from 0.
    feature_names : list of str, optional
    splits : list of (train, val, test), optional
        Of nodes as ``nodes`` has them, or masks. None: ten random ones are drawn where they are asked for, as the program draws them.
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

    def __init__(self, edges: Any = None, x: Any = None, y: Any = None, *, weights: Any = None, ids: Any = None,
                 feature_names: Iterable[str] | None = None, splits: Iterable[Any] | None = None, name: str = "graph") -> None:
        if hasattr(edges, "__next__"):
            edges = list(edges)
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
        if named is not None:
            require_ids(named, num_nodes)
        if features is None:
            features = (num_nodes, 0, np.zeros(num_nodes + 1, np.int64), np.empty(0, np.int32), None)
        ends, own_weights = to_edges(edges, weights, num_nodes, named)
        labels, classes = encode(y) if y is not None else (np.full(num_nodes, -1, np.int32), np.empty(0, object))
        if len(labels) != num_nodes:
            raise ValueError(f"y: {len(labels)} labels for {num_nodes} nodes")
        core = _core.Graph.from_arrays(
            str(name), ends, own_weights, features, labels, texts(classes), [] if named is None else texts(named),
            [] if feature_names is None else list(map(str, feature_names)), [])
        self._take(core, named, classes)
        if own_splits := [] if splits is None else list(splits):
            self._take(self.with_splits(own_splits)._tables, named, classes)

    # How a graph is made

    def _take(self, core: _core.Graph, ids: npt.NDArray[Any] | None = None, classes: npt.NDArray[Any] | None = None,
              columns: dict[str, str] | None = None) -> None:
        put = super().__setattr__
        put("_tables", core)
        if ids is None and core.ids:
            ids = from_texts(core.ids)
        put("_ids", None if ids is None else frozen(ids))
        put("_classes", frozen(to_classes(core.classes) if classes is None else classes))
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
                    missing: Iterable[str] = (), skip_unknown_ids: bool = False, name: str = "nodes") -> Graph:
        """A graph from two data frames, with the columns and kinds that the program would find in the same tables.

        Parameters
        ----------
        nodes : DataFrame
            A row per node: its id, its label (empty where unknown), and features of any kind: numbers, words, sets, dates, text. A set
            is a word with marks between its members (``"a;b"``), or a list, tuple, set or array; commas within members of these
            separate, too. Cells of the words NA, N/A, n/a, <NA>, NaN, nan, NULL, null and None are empty, as those of None and NaN are.
        edges : DataFrame, optional
            A row per edge: the ids of two nodes.
        id, label : str
            Columns of ``nodes``. Label None: there is none.
        source, target, weight : str
            Columns of ``edges``.
        splits : str or list of str
            Columns of ``nodes`` with train, val, test or nothing.
        features : str, optional
            Kinds of columns, as in ``num:age cat:city text:about rest``; see docs/tables.md.
        categorical, numeric, ignore : str or list of str
            Columns whose kind is known.
        missing : str or list of str
            Words of features that stand for no value. One with an exclamation mark is a value after all: ``"!NA"``. A class of such a
            name is given another before: ``nodes.replace({"label": {"NA": "Namibia"}})``.
        skip_unknown_ids : bool
            Leave out edges that name an id which the nodes lack; otherwise they are an error.
        name : str
            What the graph is called in results.

        Notes
        -----
        Labels that are all whole numbers are numbers, and those that are True and False are bools; others are words. Numbers are scaled
        and words are counted by the training nodes alone, unlike ``x`` of ``Graph``, which ``scale`` of estimators takes as a whole.
        """
        fields: dict[str, Any] = dict(id=id, label=label or "", source=source, target=target, weight=weight or "", split=_names(splits),
                                      features=features or "", categorical=_names(categorical), numeric=_names(numeric),
                                      ignore=_names(ignore), missing=_names(missing), skip_unknown_ids=skip_unknown_ids)
        cells = to_cells("nodes", nodes, id)
        with told_in_python():
            core = _core.Graph.from_tables(name, cells, to_edge_cells(edges, source, target), fields, None)
        ids = plain(as_array(nodes[id] if id in nodes.columns else nodes.index))
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
        weights = to_weights([edge[2] for edge in found], len(found))
        labels, classes = encode(np.array([a.get(label) for a in attributes], dtype=object))
        ids = None
        if nodes != list(range(len(nodes))):
            ids = np.empty(len(nodes), dtype=object)
            ids[:] = nodes
            ids = plain(ids)
            require_ids(ids, len(nodes))
        core = _core.Graph.from_arrays(name, ends, None if np.all(weights == 1) else weights, to_features(attribute_rows(x, nodes, attributes)),
                                       labels, texts(classes), [] if ids is None else texts(ids), [], [])
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
             target: str = "target", weight: str | None = None, labels: str | None = None, skip_unknown_ids: bool = False) -> Graph:
        """From files, each of any kind that the program reads (docs/formats.md): tables, lists of edges, matrices.

        ``skip_unknown_ids`` leaves out edges that name an id which the nodes lack; otherwise they are an error.
        """
        core = _core.Graph.from_files(dict(nodes=str(nodes), edges=str(edges), id=id, label=label or "", source=source, target=target,
                                           weight=weight or "", labels=labels or "", skip_unknown_ids=skip_unknown_ids))
        return cls._of(core, columns=dict(id=id, label=label or "", source=source, target=target, weight=weight or ""))

    def with_splits(self, splits: Iterable[Any]) -> Graph:
        """The same graph with these splits: (train, val, test), each of nodes as ``nodes`` and ``splits`` have them, or a mask."""
        return Graph._of(self._tables.replace(None, None, [self._numbered(split) for split in splits]), self._ids, self._classes, self._columns)

    def _numbered(self, split: Any) -> Numbers:
        parts = list(split) if hasattr(split, "__iter__") else [split]
        if len(parts) != 3:
            raise ValueError(f"splits: each has three parts, (train, val, test); got {len(parts)}")
        try:
            train, val, test = (np.sort(self.index(part)) for part in parts)
        except ValueError as error:
            raise type(error)(f"splits: {error}") from None
        return train, val, test

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


def as_graph(graph: Any) -> Graph:
    """What is asked for as ``graph``, if it is one."""
    if not isinstance(graph, Graph):
        raise ValueError(f"graph: expected a Graph, got {type(graph).__name__}; gcnh.Graph(...) and gcnh.datasets.load(...) make one")
    return graph


def _names(names: Iterable[str]) -> list[str]:
    """A lone name is a list of one."""
    return [names] if isinstance(names, str) else list(names)


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
    train = to_numpy(data.train_mask).astype(bool)
    masks = [to_numpy(getattr(data, f"{name}_mask", np.zeros_like(train))).astype(bool) for name in Split._fields]
    masks = [m[:, None] if m.ndim == 1 else m for m in masks]
    return [tuple(np.flatnonzero(m[:, k]) for m in masks) for k in range(masks[0].shape[1])]
