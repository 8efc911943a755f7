"""What all estimators have in common: from X to nodes of a graph, training, answers, files."""

from __future__ import annotations

import numbers
import os
import warnings
from typing import TYPE_CHECKING, Any, Callable, Iterable

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._answers import Answering, Answers
from ._core import DataError
from ._graph import Graph, as_graph
from ._labels import texts, to_classes
from ._options import thread_count, to_options
from ._progress import EpochBar
from ._task import Task, task_of_features, task_of_nodes

if TYPE_CHECKING:
    from typing_extensions import Self

Callback = Callable[[int, "dict[str, Any]"], Any]


# ``transform`` makes frames by itself: scikit-learn's wrapper would ask for X, and take the method ``index`` of lists for an index.
class GraphClassifier(Answering, ClassNamePrefixFeaturesOutMixin, ClassifierMixin, TransformerMixin, BaseEstimator,  # type: ignore[misc, call-arg]
                      auto_wrap_output_keys=None):
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

    history_: dict[str, npt.NDArray[np.float64]]
    n_features_in_: int
    n_iter_: int
    best_epoch_: int
    best_validation_score_: float
    engine_: str

    # Training

    def fit(self, X: Any, y: Any = None, eval_set: Any = None, callbacks: Callback | Iterable[Callback] | None = None, *,
            edges: Any = None, weights: Any = None) -> Self:
        """Train on some nodes.

        Parameters
        ----------
        X : array
            With a graph: the training nodes, as ids, numbers (where ids are no numbers), a mask, or a frame, of which the column of ids
            alone is read; a node that is there twice counts once. Without: features of all nodes, (nodes, features).
        y : array, optional
            Labels of X. None: those of the graph. With edges or a graph, -1 (unless it is a class of the graph), None and NaN stand for
            nodes without a label, which are not trained on.
        eval_set : array or pair, optional
            What the epoch is chosen by: nodes, or a pair of nodes (without a graph or edges, features) and their labels. None: the
            validation nodes of the graph's split that has these training nodes; where there is none, ``validation_fraction`` of X.
        callbacks : callable or list of them, optional
            Called after every epoch with its number, from 1, and a dict: ``train_loss``, ``val_loss``, ``val_accuracy``, ``val_metric``,
            and what the model tells of itself by its own name, such as ``beta``. One that returns True, NumPy's True or 1 ends the
            training; the best epoch is kept. So it is where one raises an exception, which ``fit`` then raises.
        edges : array or sparse matrix, optional
            Without a graph: edges between the rows of X, as in ``Graph``. Answers take them again: ``predict(X, edges=edges)``.
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

    def fit_transform(self, X: Any, y: Any = None, eval_set: Any = None, callbacks: Callback | Iterable[Callback] | None = None, *,
                      edges: Any = None, weights: Any = None) -> npt.NDArray[np.float32]:
        """Train, and return ``transform`` of X: what the last hidden layer makes of its nodes. Parameters as those of ``fit``."""
        return self.fit(X, y, eval_set, callbacks, edges=edges, weights=weights).transform(X, edges=edges, weights=weights)

    def _seed(self) -> int:
        if isinstance(self.random_state, (int, np.integer)):
            if not 0 <= self.random_state < 2**64:
                raise ValueError(f"random_state: {self.random_state} is outside 0..2^64-1")
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _options(self) -> dict[str, str]:
        """Options that differ from their defaults, as text."""
        defaults = type(self)().get_params(deep=False)
        return to_options({name: value for name, value in self.get_params(deep=False).items()
                           if not (type(value) is type(defaults[name]) and value == defaults[name])})

    def _fields(self, seed: int, split: int = 0) -> dict[str, Any]:
        return dict(model=self._model, view=self.view, direction=self.direction or "", scale=self.scale, engine=self.engine, seed=seed,
                    threads=thread_count(self.n_jobs), options=self._options(), splits=[split], read_test=False)

    def _task(self, X: Any, y: Any, eval_set: Any, edges: Any, weights: Any, seed: int) -> Task:
        if not isinstance(self.validation_fraction, numbers.Real) or not 0 < self.validation_fraction < 1:
            raise ValueError(f"validation_fraction: {self.validation_fraction!r} is no number between 0 and 1")
        if self.graph is None:
            task = task_of_features(self._validated, X, y, eval_set, edges, weights)
        else:
            if edges is not None or weights is not None:
                raise ValueError("edges: the graph has its own; they are for estimators without a graph")
            task = task_of_nodes(as_graph(self.graph), X, y, eval_set)
        if len(task.train) == 0:
            raise ValueError("none of the training nodes has a label")
        own = self.graph is not None and np.array_equal(task.classes, self.graph.classes)
        if len(task.val) == 0 and not (own and task.take_split()):
            task.hold_out(self.validation_fraction, seed)
        _require_classes(task)
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
        model.table = {**({} if self.graph is None else self.graph._columns), **self._remarks(task)}

    def _remarks(self, task: Task) -> dict[str, str]:
        """What a model file would not tell otherwise: that there were no edges, and that classes which look like numbers are words."""
        out = {"edges": "none"} if self.graph is None and task.graph.num_edges == 0 else {}
        if isinstance(task.classes[0], str) and not isinstance(to_classes(texts(task.classes))[0], str):
            out["classes"] = "words"
        return out

    @property
    def _n_features_out(self) -> int:
        """The width of ``transform``, whose columns scikit-learn names."""
        check_is_fitted(self, "model_")
        own = self._answers or Answers(self.model_, Graph(None, np.zeros((1, self.n_features_in_)), feature_names=self.model_.feature_names))
        return int(own.points(np.zeros(1, dtype=np.int32), "").shape[1])

    def _validated(self, X: Any, reset: bool = True) -> Any:
        try:
            return self._validate_data(X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=reset)
        except ValueError as error:
            if not any(words in str(error) for words in ("could not convert string to float", "Cannot cast object dtype")):
                raise
            raise ValueError(f"X: {error}; without a graph X holds features, which are numbers. To name nodes by their ids, give `graph`; "
                             "Graph.from_pandas takes columns of any kind, and for answers, nodes= and edges= take tables") from None

    # Files and manners

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file that ``gcnh predict`` and ``load_model`` read."""
        check_is_fitted(self, "model_")
        self.model_.save(os.fspath(path))

    def _more_tags(self) -> dict[str, Any]:
        return {"requires_y": self.graph is None, "preserves_dtype": []}

    def plot_history(self) -> Any:
        """Learning curves by matplotlib."""
        from . import plot

        return plot.history(self)


def _together(callbacks: Callback | Iterable[Callback] | None, bar: EpochBar | None) -> Callback | None:
    each: list[Any] = [] if callbacks is None else [callbacks] if callable(callbacks) or not hasattr(callbacks, "__iter__") else list(callbacks)
    if not all(callable(one) for one in each):
        raise TypeError(f"callbacks: expected a function or a list of functions, got {callbacks!r}")
    if bar is not None:
        each.append(bar)
    if not each:
        return None
    return lambda epoch, numbers: any([_is_yes(one(epoch, numbers)) for one in each])


def _is_yes(answer: Any) -> bool:
    """True, NumPy's True or 1; what a function returns by the way, such as the letters that it wrote, is none."""
    return isinstance(answer, (int, np.bool_)) and answer == 1


def _require_classes(task: Task) -> None:
    """Something to tell apart."""
    if len(task.classes) == 1:
        may_be_dropped = np.any(task.labels < 0) and not isinstance(task.classes[0], str)
        raise DataError(f"{task.graph.name}: a single class, {task.classes.tolist()[0]!r}; there is nothing to tell apart"
                        + " (-1 is no class; it stands for nodes without a label)" * bool(may_be_dropped))
    found = np.unique(task.labels[task.train])
    if len(found) == 1:
        warnings.warn(f"all training nodes are of class {task.classes.tolist()[found[0]]!r}; the model learns no other", stacklevel=4)
