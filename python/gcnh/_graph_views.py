"""What a graph holds, as it is read: views of its memory, its splits, and nodes by their names."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from . import _core
from ._core import DataError
from ._forms import Nodes
from ._labels import are_numbers, are_truths, as_array, plain
from ._messages import in_python


class Split(NamedTuple):
    """Nodes to train on, to choose by, and to test, as X means them: elements of ``Graph.nodes``."""

    train: npt.NDArray[Any]
    val: npt.NDArray[Any]
    test: npt.NDArray[Any]


Numbers = tuple[Nodes, Nodes, Nodes]  # a split by the positions of its nodes


class Views:
    """The parts of a Graph."""

    __slots__ = ()
    _tables: _core.Graph
    _ids: npt.NDArray[Any] | None
    _classes: npt.NDArray[Any]
    _columns: dict[str, str]
    _find: dict[str, int] | None
    _splits: list[Numbers] | None

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
        """All nodes: their ids, or their numbers where they have none. What scikit-learn's tools take for X; those that score or encode
        labels by themselves are given ``labelled`` and ``y_labelled``."""
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
        """Labels; for nodes without one -1 among numbers, the empty word among words, which scikit-learn's tools can sort. ``score``
        of estimators leaves such nodes out; scorers of scikit-learn (``scoring="accuracy"``) count them as wrong: see ``y_labelled``.
        An error where -1 is a class and some nodes have no label."""
        labels = self.labels
        if len(self._classes) and self._classes.dtype.kind in "iub":
            if np.all(labels >= 0):
                return self.y_labelled
            if -1 in self._classes:
                raise ValueError("y: -1 is a class of this graph, and stands for nodes without a label as well; call the class otherwise, "
                                 "or take labelled and y_labelled")
            return np.where(labels < 0, -1, self._classes[labels])
        out = np.full(len(labels), "", dtype=object)
        out[labels >= 0] = self._classes[labels[labels >= 0]]
        return out

    @property
    def labelled(self) -> npt.NDArray[Any]:
        """The nodes that have a label: X for the tools of scikit-learn that know no nodes without. Scorers (``scoring="accuracy"``) count
        those as wrong; ``VotingClassifier``, ``StackingClassifier``, ``CalibratedClassifierCV`` and ``cross_val_predict`` of probabilities
        encode labels and take no label for one more class. ``y_labelled`` are their labels."""
        return self.nodes[self.labels >= 0]

    @property
    def y_labelled(self) -> npt.NDArray[Any]:
        """Labels of ``labelled``, as in ``cross_val_score(clf, g.labelled, g.y_labelled, scoring="f1_macro")``."""
        out: npt.NDArray[Any] = self._classes[self.labels[self.labels >= 0]]
        return out

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
        return [in_python(note) for note in self._tables.notes]

    @property
    def splits(self) -> list[Split]:
        """Its own splits, or those that the program would draw: ten of 48, 32 and 20 percent. They hold nodes as ``nodes`` has them, which
        are X of every estimator; ``index`` gives their positions in ``y``, ``labels`` and ``x``. Ids come as objects, which no array
        takes for positions."""
        return [self._as_nodes(split) for split in self._numbered_splits()]

    def random_splits(self, n: int = 10, train: float = 0.48, val: float = 0.32) -> list[Split]:
        """Stratified splits of the labelled nodes, as ``splits`` has them; the same for every model, seed and machine."""
        return [self._as_nodes(split) for split in self._drawn_splits(n, train, val)]

    def cv(self, by: str = "test") -> list[tuple[Nodes, Nodes]]:
        """The splits for ``cv=`` of scikit-learn's tools, as positions in ``nodes`` and ``y``: training nodes with test nodes, or with those
        that ``by="val"`` chooses by."""
        if by not in ("test", "val"):
            raise ValueError(f"by: {by!r} is neither 'test' nor 'val'")
        return [(train, test if by == "test" else val) for train, val, test in self._numbered_splits()]

    def _numbered_splits(self) -> list[Numbers]:
        found = self._splits
        if found is None:
            found = self._tables.splits or self._drawn_splits()
            object.__setattr__(self, "_splits", found)
        return found

    def _drawn_splits(self, n: int = 10, train: float = 0.48, val: float = 0.32) -> list[Numbers]:
        drawn: list[Numbers] = self._tables.drawn_splits(train, val, n) if len(self._classes) else []
        for split in drawn:
            for numbers in split:
                numbers.setflags(write=False)
        return drawn

    def _as_nodes(self, split: Numbers) -> Split:
        if self._ids is None:
            return Split(*split)
        ids = self._ids.astype(object, copy=False)
        out = Split(*(ids[numbers] for numbers in split))
        for nodes in out:
            nodes.setflags(write=False)
        return out

    def index(self, nodes: Any) -> Nodes:
        """Numbers of nodes, which are given by ids or, where those are no numbers, by their numbers, as a mask, or as a frame with the
        graph's column of ids."""
        values = as_array(self._listed(nodes))
        if are_truths(values):
            if len(values) != self.num_nodes:
                raise ValueError(f"a mask of {len(values)} for {self.num_nodes} nodes")
            return np.flatnonzero(values.astype(bool)).astype(np.int32)
        ids = self._ids
        if len(values) == 0:
            return np.empty(0, np.int32)
        if ids is not None and (are_numbers(ids) or values.dtype.kind not in "iu"):
            if ids.dtype.kind in "iu":
                values = plain(values)
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

    def _listed(self, nodes: Any) -> Any:
        """The ids of a frame; and ids that are tuples, as those of NetworkX's grids, as one column."""
        if isinstance(nodes, Split):
            raise ValueError("a Split has three lists of nodes; give one of them, such as split.train")
        if isinstance(nodes, Views):
            raise ValueError("a Graph is no list of nodes; give some of them, such as graph.labelled or graph.splits[0].train")
        column = self._columns.get("id")
        if column is not None and hasattr(nodes, "columns"):
            return nodes[column] if column in nodes.columns else nodes.index if nodes.index.name == column else nodes
        if isinstance(nodes, list) and self._ids is not None and any(isinstance(node, tuple) for node in nodes):
            out = np.empty(len(nodes), dtype=object)
            out[:] = nodes
            return out
        return nodes

    def _is_node(self, node: Any) -> bool:
        """Whether this is one node rather than a list of them."""
        return np.ndim(node) == 0 or (isinstance(node, tuple) and self._ids is not None and node in self._ids.tolist())

    def _node(self, text: str) -> Any:
        """The node that the library knows by this text."""
        if self._ids is None:
            return int(text)
        found = self._ids[self.index([text])[0]]
        return found.item() if isinstance(found, np.generic) else found
