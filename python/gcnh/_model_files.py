"""Models as files and as pickles."""

from __future__ import annotations

import copyreg
import errno
import os
import tempfile
from typing import Any

import numpy as np

from . import _core
from ._answers import Answers
from ._estimator import GraphClassifier
from ._graph import Graph, as_graph
from ._labels import to_classes
from ._options import to_parameters


def load_model(path: str | os.PathLike[str], graph: Graph | None = None) -> GraphClassifier:
    """Read a model file, of this package or of the program.

    Parameters
    ----------
    path : str or path
        ``model.safetensors`` or ``final.safetensors``; or the folder of a run or comparison: its final model, if it has one.
    graph : Graph, optional
        The graph whose nodes are asked for, so that X is a list of its nodes. None: X holds features, or a Graph or tables are given.

    Returns
    -------
    GraphClassifier
        The estimator of the model's type, fitted. Classes come back as they were trained on; those of the program as numbers where all are
        whole numbers, and as bools where they are True and False.

    Notes
    -----
    A file holds what answers take, not what training took. Of the parameters it keeps the options of the network (``hidden``,
    ``layers``, ``dropout`` ...), ``direction``, and ``scale`` as what it came to (standard, rows or none, for auto). Those of training
    are defaults again: ``epochs``, ``batch``, ``lr``, ``weight_decay``, ``adam``, ``patience``, ``select``, ``metric``,
    ``class_weights``, ``view``, ``engine``, ``validation_fraction``, ``random_state``, ``n_jobs``, ``verbose``; for tables, whose columns
    are scaled one by one, ``scale`` is auto again unless it was rows. So set them before you train a ``clone`` of a loaded model; pickles
    keep all of them.
    """
    from ._models import ESTIMATORS

    if not os.path.exists(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(path))
    model = _core.Model.load(os.fspath(path))
    kind = ESTIMATORS[model.model]
    out = kind()
    by_column = model.has_columns and model.scale == "none"
    out.set_params(**to_parameters(model.options, out.get_params(deep=False)), scale="auto" if by_column else model.scale)
    out.model_ = model
    out.classes_ = np.array(model.classes, dtype=object) if model.table.get("classes") == "words" else to_classes(model.classes)
    out.n_features_in_ = model.num_features
    if model.feature_names and not model.has_columns:
        out.feature_names_in_ = np.array(model.feature_names, dtype=object)
    if model.view["direction"] != "both":
        out.set_params(direction=model.view["direction"])
    out.graph = None if graph is None else as_graph(graph)
    out._answers = None if graph is None else Answers(model, graph)
    return out


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
