"""What all estimators have in common: from X to nodes of a graph, training, answers, files."""

from __future__ import annotations

import copyreg
import os
import tempfile
from typing import TYPE_CHECKING, Any, Callable, Iterable

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._forms import to_cells
from ._graph import Graph
from ._labels import as_array, from_texts
from ._progress import EpochBar
from ._task import Task, class_numbers, task_of_features, task_of_nodes

if TYPE_CHECKING:
    from typing_extensions import Self

Callback = Callable[[int, "dict[str, Any]"], Any]

# Parameters that are no options of the model or the trainer.
SETUP = ("graph", "view", "direction", "scale", "engine", "validation_fraction", "random_state", "n_jobs", "verbose")


def option_text(value: Any) -> str:
    """A value as the library reads it."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)


class Answers:
    """Log-probabilities of all nodes of a graph, computed when they are first asked for."""

    def __init__(self, model: _core.Model, graph: Graph) -> None:
        self._model = model
        self.graph = graph
        self._logp: npt.NDArray[np.float32] | None = None

    def of(self, nodes: npt.NDArray[np.int32]) -> npt.NDArray[np.float32]:
        if self._logp is None:
            self._logp = self._model.predict_all(self.graph._tables)[0]
        out: npt.NDArray[np.float32] = self._logp[nodes]
        if np.isnan(out).any():
            raise ValueError("some of these nodes have no label, and the model's view takes such nodes out of the graph")
        return out

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_logp": None}


class GraphClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """What the estimators of all models have in common. Use one of them, such as ``GCNHClassifier``."""

    _model: str
    graph: Graph | None
    view: str
    direction: str | None
    scale: str
    engine: str
    validation_fraction: float
    random_state: Any
    n_jobs: int | None
    verbose: int

    classes_: npt.NDArray[Any]
    history_: dict[str, npt.NDArray[np.float64]]
    n_features_in_: int
    n_iter_: int
    best_epoch_: int
    best_validation_score_: float
    engine_: str
    model_: _core.Model

    # Training

    def fit(self, X: Any, y: Any = None, eval_set: Any = None, callbacks: Callback | Iterable[Callback] | None = None, *,
            edges: Any = None, weights: Any = None) -> Self:
        """Train on some nodes.

        Parameters
        ----------
        X : array
            With a graph: the training nodes, as ids, numbers or a mask. Without: features of all nodes, (nodes, features).
        y : array, optional
            Labels of X. None: those of the graph. With edges or a graph, -1, None and NaN stand for nodes without a label, which are
            not trained on.
        eval_set : array or pair, optional
            What the epoch is chosen by: nodes, or a pair of nodes (without a graph or edges, features) and their labels. None: the
            validation nodes of the graph's split that has these training nodes; where there is none, ``validation_fraction`` of X.
        callbacks : callable or list of them, optional
            Called after every epoch with its number, from 1, and a dict: train_loss, val_loss, val_accuracy, val_metric, readings. One
            that returns True ends the training; the best epoch is kept.
        edges : array or sparse matrix, optional
            Without a graph: edges between the rows of X, as in ``Graph``.
        weights : array, optional
            Their weights.

        Returns
        -------
        self

        Notes
        -----
        Ctrl-C ends the training within a second; the estimator is then fitted with the best epoch so far, and KeyboardInterrupt is
        raised.
        """
        seed = self._seed()
        task = self._task(X, y, eval_set, edges, weights, seed)
        experiment = _core.Experiment(task.core(), self._fields(seed, task.number))
        bar = EpochBar(self._model, int(experiment.options["epochs"])) if self.verbose else None
        try:
            model, error = experiment.train_split(_together(callbacks, bar))
        finally:
            if bar:
                bar.close()
        if model is not None:
            self._keep(model, task)
        if error is not None:
            raise error
        return self

    def _seed(self) -> int:
        if isinstance(self.random_state, (int, np.integer)):
            if self.random_state < 0:
                raise ValueError(f"random_state: {self.random_state} is below 0")
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _options(self) -> dict[str, str]:
        """Options that differ from their defaults, as text."""
        defaults = type(self)().get_params(deep=False)
        return {name: option_text(value) for name, value in self.get_params(deep=False).items()
                if name not in SETUP and not (type(value) is type(defaults[name]) and value == defaults[name])}

    def _fields(self, seed: int, split: int = 0) -> dict[str, Any]:
        return dict(model=self._model, view=self.view, direction=self.direction or "", scale=self.scale, engine=self.engine, seed=seed,
                    threads=0 if self.n_jobs in (None, -1) else self.n_jobs, options=self._options(), splits=[split], read_test=False)

    def _task(self, X: Any, y: Any, eval_set: Any, edges: Any, weights: Any, seed: int) -> Task:
        if not 0 < self.validation_fraction < 1:
            raise ValueError(f"validation_fraction: {self.validation_fraction} is outside 0..1 (both excluded)")
        if self.graph is None:
            task = task_of_features(self._validated, X, y, eval_set, edges, weights)
        else:
            if edges is not None or weights is not None:
                raise ValueError("edges: the graph has its own; they are for estimators without a graph")
            task = task_of_nodes(self.graph, X, y, eval_set)
        if len(task.train) == 0:
            raise ValueError("none of the training nodes has a label")
        own = self.graph is not None and np.array_equal(task.classes, self.graph.classes)
        if len(task.val) == 0 and not (own and task.take_split()):
            task.hold_out(self.validation_fraction, seed)
        return task

    def _keep(self, model: _core.Model, task: Task) -> None:
        self.model_ = model
        self.classes_ = task.classes
        self.history_ = model.history
        self.n_iter_ = model.epochs
        self.best_epoch_ = model.best_epoch
        self.best_validation_score_ = model.best_score
        self.engine_ = model.engine
        self.n_features_in_ = model.num_features
        if self.graph is not None and model.feature_names:
            self.feature_names_in_ = np.array(model.feature_names, dtype=object)
        for name, values in model.readings.items():
            setattr(self, name + "_", values)
        self._answers = None if self.graph is None else Answers(model, self.graph)
        model.table = {} if self.graph is None else self.graph._columns

    # Answers

    def predict_log_proba(self, X: Any = None, *, nodes: Any = None, edges: Any = None, weights: Any = None,
                          **columns: str) -> npt.NDArray[np.float32]:
        """Log-probabilities, (nodes, classes), as the library computes them; parameters as those of ``predict``."""
        check_is_fitted(self, "model_")
        if isinstance(X, Graph) or nodes is not None:
            graph = X if isinstance(X, Graph) else self._table(nodes, edges, columns)
            return Answers(self.model_, graph).of(np.arange(graph.num_nodes, dtype=np.int32))
        if self._answers is not None and edges is None:
            graph = self._answers.graph
            return self._answers.of(graph.index(graph.nodes if X is None else X))
        if X is None:
            raise ValueError("X: give features, or nodes and edges; this model has no graph")
        if self._answers is None or np.ndim(X) > 1:
            X = self._validated(X, reset=False)
        graph = Graph(edges, X, weights=weights, name="data")
        return Answers(self.model_, graph).of(np.arange(graph.num_nodes, dtype=np.int32))

    def _validated(self, X: Any, reset: bool = True) -> Any:
        return self._validate_data(X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=reset)

    def _table(self, nodes: Any, edges: Any, columns: dict[str, str]) -> Graph:
        """Frames, read by the kinds of training; columns are called what they were there unless told."""
        names = {"id": "id", "label": "label", "source": "source", "target": "target", "weight": "", **self.model_.table, **columns}
        if not hasattr(nodes, "columns"):
            return Graph(edges, nodes, name="data")
        fields: dict[str, Any] = dict(names, label_required=False)
        core = _core.Graph.from_tables("nodes", to_cells(nodes), [] if edges is None else to_cells(edges), fields, self.model_)
        return Graph._of(core)

    def predict_proba(self, X: Any = None, *, nodes: Any = None, edges: Any = None, weights: Any = None,
                      **columns: str) -> npt.NDArray[np.float64]:
        """Probabilities, (nodes, classes); parameters as those of ``predict``."""
        logp = self.predict_log_proba(X, nodes=nodes, edges=edges, weights=weights, **columns).astype(np.float64)
        p = np.exp(logp)
        out: npt.NDArray[np.float64] = p / p.sum(axis=1, keepdims=True)
        return out

    def predict(self, X: Any = None, *, nodes: Any = None, edges: Any = None, weights: Any = None, **columns: str) -> npt.NDArray[Any]:
        """The most probable classes.

        Parameters
        ----------
        X : array or Graph, optional
            With a graph: its nodes, as ids, numbers or a mask; None: all of them. Without: features, as in ``fit``. Another Graph: all
            of its nodes.
        nodes, edges : DataFrame, optional
            Tables as in ``Graph.from_pandas``; columns are found by name, whatever their order.
        edges, weights : array or sparse matrix, optional
            Between the rows of X.
        **columns : str
            Names of the columns ``id``, ``source``, ``target`` and ``weight`` of the tables, where they are not those of training.

        Returns
        -------
        array
            A class for each node.
        """
        logp = self.predict_log_proba(X, nodes=nodes, edges=edges, weights=weights, **columns)
        out: npt.NDArray[Any] = self.classes_[np.argmax(logp, axis=1)]
        return out

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Accuracy on the nodes that have a label; y None: labels of the graph."""
        check_is_fitted(self, "model_")
        if self._answers is None:
            return float(super().score(X, y, sample_weight))
        graph = self._answers.graph
        truth = graph.y[graph.index(X)] if y is None else as_array(y)
        labels = class_numbers(truth, self.classes_, strict=False)
        known = labels != -1
        right = np.argmax(self.predict_log_proba(X), axis=1) == labels
        return float(np.average(right[known], weights=None if sample_weight is None else np.asarray(sample_weight)[known]))

    # Files and manners

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file that ``gcnh predict`` and ``load_model`` read."""
        check_is_fitted(self, "model_")
        self.model_.save(os.fspath(path))

    def _more_tags(self) -> dict[str, Any]:
        return {"requires_y": self.graph is None}

    def plot_history(self) -> Any:
        """Learning curves by matplotlib."""
        from . import plot

        return plot.history(self)


def load_model(path: str | os.PathLike[str]) -> GraphClassifier:
    """Read a model file, of this package or of the program.

    Parameters
    ----------
    path : str or path
        ``model.safetensors``.

    Returns
    -------
    GraphClassifier
        The estimator of the model's type, fitted. Classes that are whole numbers come back as numbers.
    """
    from ._models import ESTIMATORS

    model = _core.Model.load(os.fspath(path))
    kind = ESTIMATORS[model.model]
    out = kind()
    defaults = out.get_params(deep=False)
    out.set_params(**{name: _like(defaults[name], text) for name, text in model.options.items()}, scale=model.scale)
    out.model_ = model
    out.classes_ = from_texts(model.classes)
    out.n_features_in_ = model.num_features
    if model.feature_names and not model.has_columns:
        out.feature_names_in_ = np.array(model.feature_names, dtype=object)
    if model.view["direction"] != "both":
        out.set_params(direction=model.view["direction"])
    out._answers = None
    return out


def _like(default: Any, text: str) -> Any:
    """A text of the library as a value of a parameter."""
    if isinstance(default, bool):
        return text == "true"
    for kind in (int, float):
        try:
            value = kind(text)
        except ValueError:
            continue
        return float(value) if isinstance(default, float) else value
    return text


def _together(callbacks: Callback | Iterable[Callback] | None, bar: EpochBar | None) -> Callback | None:
    each: list[Callback] = [] if callbacks is None else [callbacks] if callable(callbacks) else list(callbacks)
    if bar is not None:
        each.append(bar)
    if not each:
        return None
    return lambda epoch, numbers: any([one(epoch, numbers) is True for one in each])


def _model_bytes(model: _core.Model) -> tuple[Any, tuple[bytes]]:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.safetensors")
        model.save(path)
        with open(path, "rb") as file:
            return _model_from_bytes, (file.read(),)


def _model_from_bytes(data: bytes) -> _core.Model:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.safetensors")
        with open(path, "wb") as file:
            file.write(data)
        return _core.Model.load(path)


copyreg.pickle(_core.Model, _model_bytes)
