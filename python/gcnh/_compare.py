"""Several models on the same splits, and whether the graph helps."""

from __future__ import annotations

import html
import json
import os
import pathlib
import shutil
import tempfile
import weakref
from typing import Any, Iterable, Sequence, Union

import numpy as np

from . import _core
from ._estimator import GraphClassifier
from ._graph import Graph, as_graph
from ._messages import told_in_python
from ._model_files import load_model
from ._models import ESTIMATORS
from ._options import to_options
from ._progress import SplitBar
from ._tune import _journal, estimator

Path = Union[str, "os.PathLike[str]"]


class Comparison:
    """What a comparison found.

    Attributes
    ----------
    verdict : str
        Whether the graph helps, or which model is best, in one sentence with its evidence.
    caveats : list of str
        What else must be known.
    json : list
        As ``gcnh compare --json`` prints it.
    folder : pathlib.Path
        Where the runs are kept; a temporary one unless ``out`` was given.
    final : GraphClassifier or None
        The final model, where one was made: the estimator of the best model by validation, made of all labels.
    """

    def __init__(self, runs: Sequence[_core.Run], folder: Path, final: GraphClassifier | None = None) -> None:
        self.final = final
        sentences, text = _core.compare_runs(list(runs))
        self.verdict: str = sentences[0]
        self.caveats: list[str] = sentences[1:]
        self.json: list[dict[str, Any]] = json.loads(text)
        self.folder = pathlib.Path(folder)

    @property
    def frame(self) -> Any:
        """A row per model: every metric on test nodes, mean and population deviation over the splits."""
        import pandas as pd

        rows = []
        for run in self.json:
            row: dict[str, Any] = {"model": run["model"], "floor": run["floor"]}
            for metric in run["splits"][0]["test"]:
                values = [np.nan if s["test"][metric] is None else s["test"][metric] for s in run["splits"]]
                row[metric], row[metric + "_std"] = np.mean(values), np.std(values)
            rows.append({**row, "parameters": run["parameters"], "seconds": run["seconds"]})
        return pd.DataFrame(rows).set_index("model")

    def _folders(self) -> list[str]:
        return [str(self.folder / run["model"]) for run in self.json]

    def to_html(self, path: Path | None = None) -> str:
        """The report, one page that needs nothing else; written to ``path`` where one is given."""
        return report(self._folders(), path)

    def to_latex(self, table: str = "comparison") -> str:
        """A table of the report as LaTeX (booktabs), the models unless another of ``tables()`` is named."""
        tables = self.tables()
        if table not in tables:
            raise ValueError(f"unknown table {table!r}; tables: {' '.join(tables)}")
        return str(tables[table])

    def tables(self) -> dict[str, str]:
        """Every table of the report as LaTeX, by name."""
        return _core.report_tables(self._folders())

    def charts(self) -> dict[str, str]:
        """Every chart of the report as SVG, by name."""
        return _core.report_charts(self._folders())

    def __repr__(self) -> str:
        return "\n".join([self.frame.to_string(), "", self.verdict, *self.caveats])

    def _repr_html_(self) -> str:
        rest = "".join(f"<li>{html.escape(text)}</li>" for text in self.caveats)
        return f"<p><b>{html.escape(self.verdict)}</b></p><ul>{rest}</ul>{self.frame._repr_html_()}"


def compare(graph: Graph, models: str | Iterable[str] = ("gcnh", "gcn", "mlp"), *, budget: float | None = 120, out: Path | None = None,
            final: str | None = None, verbose: int = 0, **parameters: Any) -> Comparison:
    """Give every model the same search, train the winners on the same splits, and test the differences.

    Parameters
    ----------
    graph : Graph
    models : str or list of str
        Names as in the program. Floors (majority, logistic regression, label propagation) are always beside them.
    budget : float or None
        Seconds of search per model, meant for two cores. None: no search, every model with its own or the given options.
    out : path, optional
        Folder to keep the runs in, for ``gcnh report`` and ``gcnh predict``. One that holds runs is refused.
    final : str, optional
        What is made of the best model by validation and all labels (docs/decisions.md): refit, ensemble, auto (the better of the two) or
        none. None: auto where there is ``out``, none otherwise.
    verbose : int
        1 shows progress.
    **parameters
        Of the estimators; a model without one of them does without.
    """
    as_graph(graph)
    kind = final if final is not None else "none" if out is None else "auto"
    if kind not in _core.final_kinds():
        raise ValueError(f"final: unknown value {final!r}; allowed: {' '.join(_core.final_kinds())}")
    names = [models] if isinstance(models, str) else list(models)
    if not names:
        raise ValueError(f"models: none are given; models: {' '.join(ESTIMATORS)}")
    for name in names:
        if name not in ESTIMATORS:
            raise ValueError(f"unknown model {name!r}; models: {' '.join(ESTIMATORS)}")
        if names.count(name) > 1:
            raise ValueError(f"models: {name!r} is listed twice")
    known = {parameter for name in names for parameter in ESTIMATORS[name]().get_params(deep=False)}
    if strangers := [name for name in parameters if name not in known]:
        raise TypeError(f"no model of these has a parameter {strangers[0]!r}")
    names += [m["name"] for m in _core.model_types() if m["is_floor"] and m["name"] not in names]
    experiments = [_experiment(graph, name, parameters) for name in names]
    searches = [""] * len(names)
    if budget is not None:
        bar = SplitBar("search", verbose)
        try:
            found = _core.search_models(experiments, to_options(parameters), float(budget), _journal(out), bar)
        finally:
            bar.close()
        experiments, searches = [e for e, _ in found], [s for _, s in found]
    if out is not None:
        return _compared(graph, _run(experiments, searches, os.fspath(out)), os.fspath(out), kind)
    folder = tempfile.mkdtemp(prefix="gcnh-")
    try:
        result = _compared(graph, _run(experiments, searches, folder), folder, kind)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    weakref.finalize(result, shutil.rmtree, folder, ignore_errors=True)
    return result


def _run(experiments: Sequence[_core.Experiment], searches: Sequence[str], folder: str) -> list[_core.Run]:
    """All models, then the floors that nothing is trained for, which see the data of the one that is."""
    floors = {m["name"] for m in _core.model_types() if m["is_floor"]}
    with told_in_python():
        runs = [_core.run_all(e, os.path.join(folder, e.model), search, None) for e, search in zip(experiments, searches)]
        return runs + _core.run_floors(next(e for e in experiments if e.model in floors), folder)


def _compared(graph: Graph, runs: list[_core.Run], folder: str, kind: str) -> Comparison:
    final = None
    if kind != "none":
        best = runs[_core.reference_run(runs)]
        place = os.path.join(folder, best.model)
        _core.keep_final(best, place, kind)
        final = load_model(place, graph)
    for run in runs:
        run.drop_weights()
    return Comparison(runs, folder, final)


def _experiment(graph: Graph, model: str, parameters: dict[str, Any]) -> _core.Experiment:
    known = ESTIMATORS[model]().get_params(deep=False)
    clf = estimator(model, graph, **{name: value for name, value in parameters.items() if name in known})
    return _core.Experiment(graph._tables, {**clf._fields(clf._seed()), "splits": [], "read_test": True})


def report(runs: Path | Iterable[Path], path: Path | None = None, *, figures: Path | None = None, tables: Path | None = None) -> str:
    """One HTML page from folders of runs, which ``compare(out=...)`` or the program kept.

    Parameters
    ----------
    runs : path or list of paths
        A folder of runs stands for all of them.
    path : path, optional
        Where to write the page.
    figures, tables : path, optional
        Folders for every chart as SVG and PDF, every table as CSV, Markdown and LaTeX.

    Returns
    -------
    str
        The page.
    """
    folders = [os.fspath(runs)] if isinstance(runs, (str, os.PathLike)) else [os.fspath(run) for run in runs]
    page = _core.report_html(folders)
    if path is not None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)
    if figures is not None or tables is not None:
        _core.report_files(folders, "" if figures is None else os.fspath(figures), "" if tables is None else os.fspath(tables))
    return page
