"""What ``fit`` is asked for: which nodes of which graph, with which labels, train and choose."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from . import _core
from ._forms import Nodes, column_names
from ._graph import Graph
from ._labels import as_array, as_labels, encode, texts

NONE = np.empty(0, dtype=np.int32)


class Task:
    """A graph with the labels that count, and the nodes to train on and to choose the epoch by."""

    def __init__(self, graph: Graph, labels: npt.NDArray[np.int32], classes: npt.NDArray[Any], train: npt.NDArray[np.int32]) -> None:
        self.graph = graph
        self.labels = labels
        self.classes = classes
        self.train = np.unique(train[labels[train] >= 0])
        self.val = NONE
        self.number = 0

    def choose_by(self, nodes: npt.NDArray[np.int32]) -> None:
        self.val = np.unique(nodes[self.labels[nodes] >= 0])

    def take_split(self) -> bool:
        """The graph's own split with these training nodes, if there is one: the program's number, and so its bits."""
        for number, (train, val, _) in enumerate(self.graph._numbered_splits()):
            if np.array_equal(train, self.train):
                self.choose_by(val)
                self.number = number
                return True
        return False

    def hold_out(self, share: float, seed: int) -> None:
        if len(self.train) < 2:
            raise ValueError(f"n_samples={len(self.train)}: two labelled nodes are the least, one to train on and one to choose the epoch by")
        masked = np.full(len(self.labels), -1, dtype=np.int32)
        masked[self.train] = self.labels[self.train]
        self.train, self.val = _core.hold_out(masked, len(self.classes), max(share, 1 / len(self.train)), seed)

    def core(self) -> _core.Graph:
        splits = [(NONE, NONE, NONE)] * self.number + [(self.train, self.val, NONE)]
        return self.graph._tables.replace(self.labels, texts(self.classes), splits)


def task_of_nodes(graph: Graph, X: Any, y: Any, eval_set: Any) -> Task:
    """X is a list of nodes; labels are the graph's, or y."""
    X = graph._listed(X)
    if sp.issparse(X) or (np.ndim(X) > 1 and np.shape(X)[1] != 1):
        raise ValueError(f"X: with a graph, X is a list of its nodes, not an array of shape {np.shape(X)}; features belong to the "
                         "graph, or to an estimator without one")
    train = graph.index(X)
    labels, classes = np.array(graph.labels), graph.classes
    if y is not None:
        own = as_labels(y)
        if len(own) != len(train):
            raise ValueError(f"y: {len(own)} labels for {len(train)} nodes")
        found = encode(own)[1]
        if not set(found.tolist()) <= set(classes.tolist()):  # the graph does not know them: its own labels mean nothing here
            labels, classes = np.full(graph.num_nodes, -1, dtype=np.int32), found
        labels[train] = class_numbers(own, classes)
        if len(twice := train[labels[train] != class_numbers(own, classes)]):
            raise ValueError(f"y: node {graph.nodes.tolist()[twice[0]]!r} has two labels")
    task = Task(graph, labels, classes, train)
    if eval_set is None:
        return task
    chosen, values = _chosen(graph, eval_set)
    if len(both := np.intersect1d(chosen, task.train)):
        raise ValueError(f"eval_set: node {graph.nodes.tolist()[both[0]]!r} is among the training nodes, too")
    if values is not None:
        task.labels[chosen] = _chosen_labels(values, len(chosen), task.classes)
    elif not np.array_equal(classes, graph.classes):
        raise ValueError("eval_set: give a pair of nodes and labels, since y has classes that the graph does not know")
    task.choose_by(chosen)
    if len(task.val) == 0:
        raise ValueError("eval_set: none of its nodes has a label")
    return task


def task_of_features(validate: Callable[..., Any], X: Any, y: Any, eval_set: Any, edges: Any, weights: Any) -> Task:
    """X holds features of all nodes, which ``validate`` looks at as scikit-learn does."""
    alone = edges is None
    if isinstance(X, Graph):
        raise ValueError("X: a Graph; estimators are made with it: GCNHClassifier(graph).fit(graph.labelled)")
    names = column_names(X)
    X = validate(X)
    if y is None:
        raise ValueError("fit requires y to be passed, but the target y is None")
    y = column_or_1d(y, warn=True) if alone else as_labels(y)
    if alone:
        check_classification_targets(y)
    labels, classes = encode(y, minus_one=not alone)
    if len(labels) != X.shape[0]:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{X.shape[0]}, {len(labels)}]")
    train = np.arange(X.shape[0], dtype=np.int32)
    val = NONE
    if eval_set is not None and alone:
        if not isinstance(eval_set, (tuple, list)) or len(eval_set) != 2:
            raise ValueError("eval_set: expected a pair of features and labels")
        more, values = eval_set
        more = validate(more, reset=False)
        val = np.arange(X.shape[0], X.shape[0] + more.shape[0], dtype=np.int32)
        X = sp.vstack([X, more]).tocsr() if sp.issparse(X) else np.vstack([X, more])
        labels = np.concatenate([labels, _chosen_labels(values, len(val), classes)])
    graph = Graph(edges, X, weights=weights, feature_names=names, name="data")
    if eval_set is not None and not alone:
        val, values = _chosen(graph, eval_set)
        if values is not None:
            labels[val] = _chosen_labels(values, len(val), classes)
        train = np.setdiff1d(train, val)
    task = Task(graph, labels, classes, train)
    task.choose_by(val)
    return task


def _chosen(graph: Graph, eval_set: Any) -> tuple[Nodes, Any]:
    """The nodes of an ``eval_set``, and their labels where it has some."""
    expected = "eval_set: expected nodes, or a pair of nodes and labels"
    pair = eval_set if isinstance(eval_set, tuple) else (eval_set, None)
    if len(pair) != 2:
        raise ValueError(f"{expected}; got a tuple of {len(pair)}")
    if isinstance(eval_set, list) and len(eval_set) == 1 and isinstance(eval_set[0], tuple) and np.ndim(eval_set[0][0]) == 1:
        raise ValueError(f"{expected}; got a list of them")
    try:
        return graph.index(pair[0]), pair[1]
    except ValueError as error:
        raise type(error)(f"{expected}; {error}") from None


def _chosen_labels(values: Any, count: int, classes: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    """Class numbers of the labels of an ``eval_set``."""
    out = class_numbers(values, classes)
    if len(out) != count:
        raise ValueError(f"eval_set: {len(out)} labels for {count} nodes")
    if len(strangers := as_array(values)[out == -2]):
        raise ValueError(f"eval_set: class {strangers.tolist()[0]!r} is not one of those trained on")
    return out


def class_numbers(values: Any, classes: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    """Class numbers of labels; -1 without one, and -2 for those that are no class of these."""
    return renumbered(*encode(values, minus_one=-1 not in classes.tolist()), classes)


def renumbered(numbers: npt.NDArray[np.int32], own: npt.NDArray[Any], classes: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    """Numbers of classes ``own`` as numbers of ``classes``; -1 stays, and -2 are those that are not among them."""
    position = {value: i for i, value in enumerate(classes.tolist())}
    table = np.array([position.get(value, -2) for value in own.tolist()] + [-1], dtype=np.int32)
    out: npt.NDArray[np.int32] = table[numbers]
    return out
