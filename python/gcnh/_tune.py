"""Options: chosen by validation, or taken from recipes."""

from __future__ import annotations

import html
import json
import os
from typing import Any, Mapping, Sequence

from . import _core
from ._estimator import GraphClassifier
from ._graph import Graph, as_graph
from ._models import ESTIMATORS
from ._options import option_text, to_parameters
from ._progress import SplitBar


def estimator(model: str, graph: Graph | None = None, **parameters: Any) -> GraphClassifier:
    """The estimator of a model by its name in the program, such as ``gcnh``."""
    if model not in ESTIMATORS:
        raise ValueError(f"unknown model {model!r}; models: {' '.join(ESTIMATORS)}")
    return ESTIMATORS[model](graph, **parameters)


def _values(model: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Values of the library, as text or JSON, as parameters of the estimator."""
    return to_parameters(options, ESTIMATORS[model]().get_params(deep=False))


def recipe(model: str, data: str, name: str = "paper") -> dict[str, Any]:
    """Parameters that were published for a model on a known graph: ``GCNHClassifier(g, view="paper", **recipe("gcnh", "texas"))``."""
    return _values(model, _core.recipe(name, model, data))


class Tuning:
    """What a search found.

    Attributes
    ----------
    best_params_ : dict
        Of the best cell, for ``set_params`` and estimators.
    best_score_ : float
        Its mean validation value of the metric over the splits.
    test_accuracies_ : list of float
        Of the best cell alone, by split.
    cells_ : list of dict
        All cells, best first: options, val_accuracy, val_loss, val_metric, splits.
    json : dict
        As ``gcnh tune --json`` prints it.
    """

    def __init__(self, model: str, answer: dict[str, Any]) -> None:
        self.model = model
        self.json = answer
        self.cells_: list[dict[str, Any]] = answer["cells"]
        self.best_params_ = _values(model, self.cells_[0]["options"])
        self.best_score_: float = self.cells_[0]["val_metric"]["mean"]
        self.test_accuracies_: list[float] = answer["best"]["test_accuracies"]

    @property
    def frame(self) -> Any:
        """The cells as a pandas frame, best first."""
        import pandas as pd

        return pd.DataFrame([{**_values(self.model, cell["options"]), "validation": cell["val_metric"]["mean"],
                              "std": cell["val_metric"]["std"], "splits": len(cell["splits"])} for cell in self.cells_])

    def __repr__(self) -> str:
        return f"Tuning({self.model!r}, {len(self.cells_)} cells, best {self.best_params_}, validation {self.best_score_:.4f})"

    def _repr_html_(self) -> str:
        return f"<p><b>{html.escape(self.model)}</b>: {html.escape(str(self.best_params_))}</p>{self.frame.head(10)._repr_html_()}"


def tune(graph: Graph, model: str = "gcnh", grid: str | Mapping[str, Sequence[Any]] = "default", *, method: str = "grid", trials: int = 0,
         keep: int = 2, out: str | os.PathLike[str] | None = None, verbose: int = 0, **parameters: Any) -> Tuning:
    """Choose options by their mean validation score over the splits of the graph, as ``gcnh tune`` does.

    Parameters
    ----------
    graph : Graph
    model : str
        Its name in the program.
    grid : str or dict
        Values to try, by option; or the name of a grid of the program: default, search, paper. The option ``epochs`` costs nothing: a
        cell is trained to the largest number and looked at after each.
    method : str
        grid (every cell), random (some of them) or halving (all cells on one split, the better ones on more).
    trials : int
        At most so many cells, drawn at random where there are more; 0: all.
    keep : int
        Halving: one cell in this many goes on.
    out : path, optional
        Folder of a journal, from which the same call continues after a kill.
    verbose : int
        1 shows progress.
    **parameters
        Of the estimator; the same in every cell.
    """
    settled = estimator(model, as_graph(graph), **parameters)
    options = settled._options()
    if not isinstance(grid, str) and (both := set(grid) & set(parameters)):
        raise ValueError(f"{sorted(both)[0]} is given and in the grid; give one")
    axes = grid.items() if not isinstance(grid, str) else [(a, v) for a, v in _core.grid_of(grid, model, graph.name) if a not in options]
    for name, values in axes:
        if isinstance(values, str) or not hasattr(values, "__iter__"):
            raise ValueError(f"grid: {name!r} has {values!r}; give a list of values")
    journal = _journal(out)
    bar = SplitBar(f"tune {model}", verbose)
    experiment = _core.Experiment(graph._tables, {**settled._fields(settled._seed()), "splits": [], "read_test": True})
    try:
        answer = _core.tune_model(experiment, [(name, [option_text(name, v) for v in values]) for name, values in axes],
                                  {"method": method, "trials": str(trials), "keep": str(keep)}, journal, bar)
    finally:
        bar.close()
    return Tuning(model, json.loads(answer))


def _journal(out: str | os.PathLike[str] | None) -> str:
    if out is None:
        return ""
    os.makedirs(out, exist_ok=True)
    return os.path.join(os.fspath(out), "journal.jsonl")


SPACE: dict[str, tuple[Any, ...]] = {
    "hidden": (16, 32, 64), "layers": (1, 2, 3), "dropout": (0.0, 0.25, 0.5, 0.75), "lr": (1e-3, 2e-2), "weight_decay": (1e-5, 5e-2)}


def optuna_objective(trial: Any, graph: Graph, model: str = "gcnh", *, split: int = 0, **parameters: Any) -> float:
    """A trial of Optuna: draws options, trains on a split, reports every epoch, and is pruned where Optuna says so.

    Parameters
    ----------
    trial : optuna.Trial
        Or whatever has ``suggest_categorical``, ``suggest_float``, ``report`` and ``should_prune``.
    graph : Graph
    model : str
    split : int
        Of the graph's splits.
    **parameters
        Of the estimator; options among them are not drawn.

    Returns
    -------
    float
        The best validation value of the metric; maximise it, or for log_loss, brier and ece minimise.

    Examples
    --------
    ``study.optimize(lambda trial: gcnh.optuna_objective(trial, g), n_trials=50)``
    """
    known = ESTIMATORS[model]().get_params(deep=False) if model in ESTIMATORS else {}
    for name, space in SPACE.items():
        if name in known and name not in parameters:
            wide = name in ("lr", "weight_decay")
            parameters[name] = trial.suggest_float(name, *space, log=True) if wide else trial.suggest_categorical(name, list(space))
    clf = estimator(model, as_graph(graph), **parameters)
    splits = graph.splits
    if not 0 <= split < len(splits):
        raise ValueError(f"split: {split} is outside 0..{len(splits) - 1}")

    def after_epoch(epoch: int, numbers: dict[str, Any]) -> None:
        trial.report(numbers["val_metric"], epoch)
        if trial.should_prune():
            import optuna

            raise optuna.TrialPruned()

    return float(clf.fit(splits[split].train, callbacks=after_epoch).best_validation_score_)
