"""Comparisons, searches, reports and charts."""

import subprocess
import sys
import types
import xml.etree.ElementTree as xml

import matplotlib
import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import gcnh
from gcnh import plot

matplotlib.use("Agg")


@pytest.fixture(scope="module")
def comparison(graph):
    return gcnh.compare(graph, ["gcnh", "mlp"], budget=None, epochs=10)


def test_it_is_the_programs_comparison(comparison, program):
    told = program("compare", "--models", "gcnh,mlp", "--no-tune", "--epochs", 10, "--json", "-q")
    assert [run["model"] for run in comparison.json] == [run["model"] for run in told]
    for own, theirs in zip(comparison.json, told):
        assert own["options"] == theirs["options"]
        assert [s["test"] for s in own["splits"]] == [s["test"] for s in theirs["splits"]]
        assert own.get("comparison") == theirs.get("comparison")
    assert comparison.verdict == next(run["verdict"] for run in told if "verdict" in run)[0]


def test_what_it_shows(comparison, tmp_path):
    frame = comparison.frame
    assert list(frame.index) == ["gcnh", "mlp", "logreg", "majority", "labelprop"]
    assert frame.loc["gcnh", "accuracy"] == pytest.approx(np.mean([s["test_accuracy"] for s in comparison.json[0]["splits"]]))
    assert comparison.verdict in comparison._repr_html_() or "&" in comparison._repr_html_()
    assert "<html" in comparison.to_html(tmp_path / "r.html") and (tmp_path / "r.html").stat().st_size > 10000
    assert r"\toprule" in comparison.to_latex() and "gcnh" in comparison.to_latex()
    for svg in comparison.charts().values():
        assert xml.fromstring(svg).tag.endswith("svg")
    assert plot.scores(comparison).get_xlabel() == "test accuracy"
    with pytest.raises(ValueError, match="metric: unknown value 'acc'; allowed: accuracy "):
        plot.scores(comparison, "acc")


def test_runs_are_kept_where_asked(graph, tmp_path):
    gcnh.compare(graph, ["mlp"], budget=None, epochs=5, out=tmp_path / "runs")
    page = gcnh.report(tmp_path / "runs", tmp_path / "r.html", figures=tmp_path / "fig", tables=tmp_path / "tab")
    assert "mlp" in page and list((tmp_path / "fig").glob("*.svg")) and list((tmp_path / "tab").glob("*.tex"))
    assert gcnh.load_model(tmp_path / "runs" / "mlp" / "model.safetensors").predict(graph).shape == (1490,)
    with pytest.raises(ValueError, match="holds a finished run; take another `out`, or remove it$"):
        gcnh.compare(graph, ["mlp"], budget=None, epochs=5, out=tmp_path / "runs")


def test_a_search_comes_first(small):
    found = gcnh.compare(small, ["mlp"], budget=0.3, layers=1)
    searches = [run["search"] for run in found.json if "search" in run]
    assert [run["model"] for run in found.json if "search" in run] == ["mlp", "logreg"]
    assert all(len(search["cells"]) > 1 for search in searches) and found.json[0]["options"]["layers"] == 1


def test_a_comparison_leaves_nothing_behind(graph):
    code = ("import gcnh; c = gcnh.compare(gcnh.datasets.load('synthetic'), ['mlp'], budget=None, epochs=2); print(c.folder)")
    folder = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    import os

    assert folder and not os.path.exists(folder)


def test_tuning(graph, tmp_path):
    found = gcnh.tune(graph, "mlp", {"hidden": [8, 16], "epochs": [5, 10]}, out=tmp_path, dropout=0.25)
    assert set(found.best_params_) >= {"hidden", "epochs"} and len(found.cells_) == 4 and len(found.frame) == 4
    again = gcnh.tune(graph, "mlp", {"hidden": [8, 16], "epochs": [5, 10]}, out=tmp_path, dropout=0.25)  # from the journal
    assert again.json == found.json
    gcnh.MLPClassifier(graph, dropout=0.25, **found.best_params_).fit(graph.splits[0].train)
    with pytest.raises(ValueError, match="method"):
        gcnh.tune(graph, "mlp", {"hidden": [8]}, method="guess")
    with pytest.raises(ValueError, match="no option 'widht'"):
        gcnh.tune(graph, "mlp", {"widht": [8]})


def test_optuna(graph):
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.RandomSampler(seed=1),
                                pruner=optuna.pruners.ThresholdPruner(lower=0.9, n_warmup_steps=5))
    study.optimize(lambda trial: gcnh.optuna_objective(trial, graph, epochs=10), n_trials=3)
    assert all(trial.state == optuna.trial.TrialState.PRUNED for trial in study.trials)
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.RandomSampler(seed=1))
    study.optimize(lambda trial: gcnh.optuna_objective(trial, graph, epochs=10), n_trials=2)
    own = gcnh.GCNHClassifier(graph, epochs=10, **study.best_params).fit(graph.splits[0].train)
    assert own.best_validation_score_ == study.best_value


def test_charts(small):
    clf = gcnh.GCNHClassifier(small, epochs=5).fit(small.nodes[:40])
    assert xml.fromstring(plot.history_svg(clf)).tag.endswith("svg")
    assert plot.history(clf).get_xlabel() == "epoch"
    assert plot.compatibility(small).get_ylabel() == "class"


def test_curves_need_a_training(small, tmp_path):
    clf = gcnh.GCNHClassifier(small, epochs=2)
    with pytest.raises(NotFittedError, match="no learning curves"):
        clf.plot_history()
    clf.fit(small.nodes).save(tmp_path / "m.safetensors")
    with pytest.raises(NotFittedError, match="no learning curves.* model files have none"):
        plot.history_svg(gcnh.load_model(tmp_path / "m.safetensors"))


def test_wrong_studies_are_said(small):
    for words, study in [("graph: expected a Graph, got ndarray", lambda: gcnh.compare(np.eye(3), ["mlp"])),
                         ("graph: expected a Graph, got str", lambda: gcnh.tune("squirrel")),
                         ("no runs to report on", lambda: gcnh.report([])),
                         ("models: none", lambda: gcnh.compare(small, [])),
                         ("grid: 'hidden' has 8; give a list", lambda: gcnh.tune(small, "mlp", {"hidden": 8})),
                         ("grid: 'adam' has 'torch'; give a list", lambda: gcnh.tune(small, "mlp", {"adam": "torch"}))]:
        with pytest.raises(ValueError, match=words):
            study()
    with pytest.raises(ValueError, match="split: 10 is outside 0..9"):
        gcnh.optuna_objective(types.SimpleNamespace(), small, split=10, **{name: 1 for name in ("hidden", "layers", "dropout", "lr", "weight_decay")})
    with pytest.raises(TypeError, match="no model of these has a parameter 'epocs'"):
        gcnh.compare(small, ["mlp"], budget=None, epocs=2)


def test_one_model_needs_no_list(small):
    assert [run["model"] for run in gcnh.compare(small, "mlp", budget=None, epochs=2).json][0] == "mlp"
