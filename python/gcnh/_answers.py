"""What fitted estimators answer: classes, probabilities, sets, points, reasons."""

from __future__ import annotations

import functools
import json
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils._set_output import _wrap_data_with_container
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._explain import Explanation
from ._forms import Nodes
from ._graph import Graph
from ._labels import as_array, encode
from ._messages import told_in_python
from ._tables import to_cells, to_edge_cells
from ._task import class_numbers, renumbered

TABLE = {"id": "id", "label": "label", "source": "source", "target": "target", "weight": ""}  # columns of tables, unless named


class Answers:
    """What a model says of all nodes of a graph, computed when it is first asked for."""

    def __init__(self, model: _core.Model, graph: Graph) -> None:
        self._model = model
        self.graph = graph
        self._all: dict[str, Any] | None = None

    def of(self, nodes: Nodes) -> npt.NDArray[np.float32]:
        """Log-probabilities."""
        return _answered(self._kept()["logp"][nodes])

    def predicted(self, nodes: Nodes) -> Nodes:
        """Class numbers."""
        self.of(nodes)
        out: Nodes = self._kept()["predicted"][nodes]
        return out

    def sets(self, nodes: Nodes, level: float) -> list[list[int]]:
        """Class numbers, the most probable first."""
        self.of(nodes)
        sets = self._answer(level)["sets"]
        return [sets[node] for node in nodes.tolist()]

    def points(self, nodes: Nodes, layer: str) -> npt.NDArray[np.float32]:
        with told_in_python():
            return _answered(self._model.embed_all(self.graph._tables, layer)[nodes])

    def _kept(self) -> dict[str, Any]:
        if self._all is None:
            self._all = self._answer(0)
        return self._all

    def _answer(self, level: float) -> dict[str, Any]:
        with told_in_python():
            return self._model.answer_all(self.graph._tables, level)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_all": None}


def _answered(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    if np.isnan(rows).any():
        raise ValueError("some of these nodes have no label, and the model's view takes such nodes out of the graph")
    return rows


class Answering:
    """The half of an estimator that answers. X, ``nodes``, ``edges``, ``weights`` and columns mean the same everywhere."""

    model_: _core.Model
    classes_: npt.NDArray[Any]
    _answers: Answers | None

    def predict(self, X: Any = None, *, nodes: Any = None, edges: Any = None, weights: Any = None, **columns: str) -> npt.NDArray[Any]:
        """The classes: the most probable ones, or those that a final model decides for by its costs or weights.

        Parameters
        ----------
        X : array or Graph, optional
            With a graph: its nodes, as ids, numbers (where ids are no numbers), a mask, or a frame, of which the column of ids alone is
            read: new features are given as ``nodes``. None: all of them. Without: features, as in ``fit``. Another Graph: all of its
            nodes. A node that is there twice is answered twice.
        nodes, edges : DataFrame, optional
            Tables as in ``Graph.from_pandas``; columns are found by name, whatever their order.
        edges, weights : array or sparse matrix, optional
            Between the rows of X. Models that see the graph warn where there are none; ``edges=[]`` says that there are none.
        **columns : str
            Names of the columns ``id``, ``source``, ``target`` and ``weight`` of the tables, where they are not those of training.

        Returns
        -------
        array
            A class for each node.
        """
        answers, rows = self._asked(X, nodes, edges, weights, columns)
        out: npt.NDArray[Any] = self.classes_[answers.predicted(rows)]
        return out

    def predict_log_proba(self, X: Any = None, *, nodes: Any = None, edges: Any = None, weights: Any = None,
                          **columns: str) -> npt.NDArray[np.float32]:
        """Log-probabilities, (nodes, classes), as the library computes them; parameters as those of ``predict``."""
        answers, rows = self._asked(X, nodes, edges, weights, columns)
        return answers.of(rows)

    def predict_proba(self, X: Any = None, *, nodes: Any = None, edges: Any = None, weights: Any = None,
                      **columns: str) -> npt.NDArray[np.float64]:
        """Probabilities, (nodes, classes), of final models scaled by their temperature; parameters as those of ``predict``."""
        logp = self.predict_log_proba(X, nodes=nodes, edges=edges, weights=weights, **columns).astype(np.float64)
        p = np.exp(logp)
        out: npt.NDArray[np.float64] = p / p.sum(axis=1, keepdims=True)
        return out

    def predict_set(self, X: Any = None, level: float | None = None, *, nodes: Any = None, edges: Any = None, weights: Any = None,
                    **columns: str) -> list[tuple[Any, ...]]:
        """The classes that are possible at a level, for final models (docs/decisions.md).

        Parameters
        ----------
        X, nodes, edges, weights, **columns
            As in ``predict``.
        level : float, optional
            From 0.01 to 0.999: the set of a node holds its class with at least this probability, if the node is drawn as those of
            training were. None: the level that the model was made with.

        Returns
        -------
        list of tuples
            The classes of each node, the most probable first; a tuple may be empty.
        """
        check_is_fitted(self, "model_")
        if self.model_.level is None:
            raise ValueError("predict_set: the model has no sets; a final model has: gcnh.compare(graph, models, out=FOLDER).final")
        if level is not None and not 0.01 <= level <= 0.999:
            raise ValueError(f"level: {level} is outside 0.01..0.999")
        answers, rows = self._asked(X, nodes, edges, weights, columns)
        classes = self.classes_.tolist()
        return [tuple(classes[k] for k in one) for one in answers.sets(rows, level or 0)]

    def transform(self, X: Any = None, layer: int | str | None = None, *, nodes: Any = None, edges: Any = None, weights: Any = None,
                  **columns: str) -> npt.NDArray[np.float32]:
        """Nodes as points: what a layer of the network makes of them.

        Parameters
        ----------
        X, nodes, edges, weights, **columns
            As in ``predict``.
        layer : int or 'logits', optional
            A hidden layer, from 1 on, or the scores before the softmax. None: the last hidden layer, or the logits where there is none.

        Returns
        -------
        array of shape (nodes, width of the layer)
            Of an ensemble, the hidden layers of its networks side by side. A frame where ``set_output`` asks for one and ``layer`` is None.
        """
        answers, rows = self._asked(X, nodes, edges, weights, columns)
        out = answers.points(rows, "" if layer is None else str(layer))
        if layer is None:
            out = _wrap_data_with_container("transform", out, X if hasattr(X, "iloc") else None, self)
        return out

    def explain(self, node: Any, X: Any = None, *, against: Any = None, top: int = 10, change: bool = True, nodes: Any = None,
                edges: Any = None, weights: Any = None, **columns: str) -> Any:
        """Why a node gets its class, and which edges it hangs on.

        Parameters
        ----------
        node : id or number, or a list of them
            Of the graph; of X or the tables, where those are given.
        X : array or Graph, optional
            As in ``predict``: features for estimators without a graph, or another Graph.
        against : class, optional
            What the answer, which it may not be, is compared with. None: the next likely class.
        top : int
            Nodes, and features of each, to be listed; 0: all.
        change : bool
            Look for the fewest edges whose removal changes the answer.
        nodes, edges, weights, **columns
            As in ``predict``.

        Returns
        -------
        Explanation
            Or a list of them, where ``node`` is a list.
        """
        check_is_fitted(self, "model_")
        known = self.classes_.tolist()
        if against is not None and against not in known:
            raise ValueError(f"against: {against!r} is no class of the model; classes: {' '.join(map(str, known))}")
        if top < 0:
            raise ValueError(f"top: {top} is below 0")
        graph = self._asked(X, nodes, edges, weights, columns)[0].graph
        one = graph._is_node(node)
        numbers = graph.index([node] if one else node).tolist()
        with told_in_python():
            told, pictures = self.model_.explain_nodes(graph._tables, numbers, -1 if against is None else known.index(against), top, change)
        out = [Explanation(account, svg, graph._node, self.classes_) for account, svg in zip(json.loads(told)["nodes"], pictures)]
        return out[0] if one else out

    def score(self, X: Any = None, y: Any = None, sample_weight: Any = None, *, nodes: Any = None, edges: Any = None, weights: Any = None,
              **columns: str) -> float:
        """Accuracy on the nodes that have a label; y None: labels of the graph or table. The others as in ``predict``. An error where no
        label is a class of the model."""
        answers, rows = self._asked(X, nodes, edges, weights, columns)
        own = answers.graph
        labels = renumbered(own.labels[rows], own.classes, self.classes_) if y is None else class_numbers(y, self.classes_)
        if len(labels) != len(rows):
            raise ValueError(f"y: {len(labels)} labels for {len(rows)} nodes")
        known = labels != -1
        if not known.any():
            raise ValueError("none of these nodes has a label")
        if np.all(labels[known] == -2):
            found = (own.classes if y is None else encode(y, minus_one=False)[1]).tolist()
            raise ValueError(f"y: no label is a class of the model, such as {found[0]!r}; classes: {' '.join(map(repr, self.classes_.tolist()))}")
        right = answers.predicted(rows) == labels
        if sample_weight is None:
            return float(np.mean(right[known]))
        counts = as_array(sample_weight)
        if len(counts) != len(rows):
            raise ValueError(f"sample_weight: {len(counts)} weights for {len(rows)} nodes")
        return float(np.average(right[known], weights=counts[known]))

    def _asked(self, X: Any, nodes: Any, edges: Any, weights: Any, columns: dict[str, str]) -> tuple[Answers, Nodes]:
        """Which nodes of which graph."""
        check_is_fitted(self, "model_")
        if strangers := [name for name in columns if nodes is None or name not in TABLE]:
            raise TypeError(f"unexpected argument {strangers[0]!r}; names of columns are for nodes=, and there are: {' '.join(TABLE)}")
        if nodes is not None and X is not None:
            raise ValueError("X: give X or nodes, not both")
        if self._answers is not None and not isinstance(X, Graph) and nodes is None and edges is None:
            own = self._answers.graph
            return self._answers, np.arange(own.num_nodes, dtype=np.int32) if X is None else own.index(X)
        if isinstance(X, Graph):
            graph = X
        elif nodes is not None:
            graph = self._table(nodes, edges, weights, columns)
        elif X is None:
            raise ValueError("X: give features, or nodes and edges; this model has no graph")
        else:
            if self._answers is None or np.ndim(X) > 1:
                X = self._validated(X, reset=False)
            graph = Graph(edges, X, weights=weights, feature_names=self.model_.feature_names, name="data")
        if edges is None and graph is not X and self.model_.table.get("edges") != "none" and _sees_graph(self.model_.model):
            warnings.warn("edges: none are given, and the model answers by them, too; give those between these nodes, or edges=[] where there "
                          "are none", stacklevel=3)
        return Answers(self.model_, graph), np.arange(graph.num_nodes, dtype=np.int32)

    def _table(self, nodes: Any, edges: Any, weights: Any, columns: dict[str, str]) -> Graph:
        """Frames, read by the kinds of training; columns are called what they were there unless told."""
        if not hasattr(nodes, "columns"):
            return Graph(edges, nodes, weights=weights, name="data")
        if weights is not None:
            raise ValueError("weights: those of a table are a column, which weight= names")
        kept = {name: column for name, column in self.model_.table.items() if name in TABLE}
        fields: dict[str, Any] = {**TABLE, **kept, **columns, "label_required": False}
        with told_in_python():
            core = _core.Graph.from_tables("nodes", to_cells("nodes", nodes, fields["id"]),
                                           to_edge_cells(edges, fields["source"], fields["target"]), fields, self.model_)
        return Graph._of(core)

    def _validated(self, X: Any, reset: bool = True) -> Any:
        raise NotImplementedError


@functools.cache
def _sees_graph(model: str) -> bool:
    return any(m["name"] == model and m["sees_graph"] for m in _core.model_types())
