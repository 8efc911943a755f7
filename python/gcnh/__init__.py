"""Node classification on graphs in which neighbours often differ in class, as scikit-learn estimators.

    >>> import gcnh
    >>> g = gcnh.datasets.load("synthetic")
    >>> clf = gcnh.GCNHClassifier(g, epochs=20).fit(g.splits[0].train)
    >>> clf.predict(g.splits[0].test).shape
    (298,)

``Graph`` holds nodes, features, labels and edges; there is one estimator per model (``GCNHClassifier``, ``GCNClassifier``,
``MLPClassifier``, ...); ``compare`` tells whether the graph helps, ``tune`` chooses options, ``report`` writes a page.
"""

from . import _core, datasets, plot
from ._compare import Comparison, compare, report
from ._core import DataError
from ._estimator import GraphClassifier
from ._explain import Explanation
from ._graph import Graph
from ._graph_views import Split
from ._model_files import load_model
from ._models import *  # noqa: F403
from ._models import ESTIMATORS
from ._models import __all__ as _estimators
from ._tune import Tuning, estimator, optuna_objective, recipe, tune

__version__: str = _core.version
__all__ = ["Comparison", "DataError", "Explanation", "Graph", "GraphClassifier", "Split", "Tuning", "compare", "datasets", "estimator", "load_model",
           "optuna_objective", "plot", "recipe", "report", "tune", *_estimators]
