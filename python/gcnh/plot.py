"""Charts: as SVG by ourselves, and thin functions for matplotlib, which is imported when one is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _core

if TYPE_CHECKING:
    from ._compare import Comparison
    from ._estimator import GraphClassifier
    from ._graph import Graph


def history_svg(clf: GraphClassifier) -> str:
    """Learning curves as SVG, drawn as reports draw them."""
    _require_curves(clf)
    epochs = [float(epoch) for epoch in range(1, clf.n_iter_ + 1)]
    curves = [(name.replace("_", " "), epochs, clf.history_[name].tolist()) for name in ("train_loss", "val_loss", "val_accuracy")]
    return _core.line_chart("history", f"{type(clf).__name__}: learning curves", "epoch", "loss and accuracy", curves)


def history(clf: GraphClassifier, ax: Any = None) -> Any:
    """Losses and validation accuracy by epoch; the epoch that was kept is marked. Returns the axes."""
    _require_curves(clf)
    ax = _axes(ax)
    epochs = np.arange(1, clf.n_iter_ + 1)
    for name in ("train_loss", "val_loss", "val_accuracy"):
        ax.plot(epochs, clf.history_[name], label=name.replace("_", " "))
    ax.axvline(clf.best_epoch_, color="grey", linestyle=":", label="kept")
    ax.set_xlabel("epoch")
    ax.legend()
    return ax


def compatibility(graph: Graph, ax: Any = None) -> Any:
    """Where the edges of each class lead, as a heat map. Returns the axes."""
    ax = _axes(ax)
    names = [str(c) for c in graph.classes]
    table = np.array(graph.inspect()["compatibility"], dtype=float)
    ax.imshow(table, vmin=0, vmax=1, cmap="Blues")
    ax.set_xticks(range(len(names)), names, rotation=90)
    ax.set_yticks(range(len(names)), names)
    ax.set_xlabel("class of the neighbour")
    ax.set_ylabel("class")
    return ax


def scores(comparison: Comparison, metric: str = "accuracy", ax: Any = None) -> Any:
    """A metric of every model with its deviation. Returns the axes."""
    frame = comparison.frame.iloc[::-1]
    known = [name.removesuffix("_std") for name in frame.columns if name.endswith("_std")]
    if metric not in known:
        raise ValueError(f"metric: unknown value {metric!r}; allowed: {' '.join(known)}")
    ax = _axes(ax)
    ax.errorbar(frame[metric], range(len(frame)), xerr=frame[metric + "_std"], fmt="o")
    ax.set_yticks(range(len(frame)), frame.index)
    ax.set_xlabel("test " + metric.replace("_", " "))
    return ax


def _require_curves(clf: GraphClassifier) -> None:
    check_is_fitted(clf, "history_", msg="this %(name)s has no learning curves: call fit; those of model files have none")


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots()[1]
