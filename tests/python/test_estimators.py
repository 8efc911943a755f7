"""Estimators as scikit-learn knows them."""

import pickle
import warnings

import joblib
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import gcnh
from gcnh import ESTIMATORS

MODELS = sorted(ESTIMATORS)


# Geom-GCN is bound to the graph it was trained on, so it has no answers for other rows of features.
@pytest.mark.parametrize("model", [model for model in MODELS if model != "geomgcn"])
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_finds_nothing_to_complain_about(model):
    check_estimator(ESTIMATORS[model]())


@pytest.mark.parametrize("model", MODELS)
def test_every_model_learns_clones_and_travels(model, small, tmp_path):
    train, test = np.arange(0, 40), np.arange(40, 60)
    clf = gcnh.estimator(model, small, epochs=60).fit(small.nodes[train])
    assert clone(clf).get_params() == clf.get_params() and clone(clf).graph is small
    proba = clf.predict_proba(small.nodes[test])
    assert proba.shape == (20, 3) and np.allclose(proba.sum(axis=1), 1) and list(clf.classes_) == ["blue", "green", "red"]
    assert np.array_equal(clf.predict(test), clf.classes_[proba.argmax(axis=1)])
    assert clf.n_iter_ == 60 == len(clf.history_["val_loss"]) and 1 <= clf.best_epoch_ <= 60 and clf.n_features_in_ == 5
    for copy in (pickle.loads(pickle.dumps(clf)), _through_joblib(clf, tmp_path)):
        assert np.array_equal(copy.predict_log_proba(), clf.predict_log_proba())
    clf.save(tmp_path / "m.safetensors")
    loaded = gcnh.load_model(tmp_path / "m.safetensors")
    assert type(loaded) is type(clf) and np.array_equal(loaded.predict_log_proba(small), clf.predict_log_proba())


def _through_joblib(clf, folder):
    joblib.dump(clf, folder / "clf.joblib")
    return joblib.load(folder / "clf.joblib")


def test_readings_are_attributes(small):
    clf = gcnh.GCNHClassifier(small, layers=2, epochs=5).fit(small.nodes[:40])
    assert clf.beta_.shape == (2,) and clf.history_["beta"].shape == (5, 2)


def test_some_nodes_are_answered_as_all_are(graph):
    for model in MODELS:
        if model == "geomgcn":
            continue
        clf = gcnh.estimator(model, graph, epochs=2).fit(graph.splits[0].train)
        some = graph.splits[0].test[:7]
        alone = clf.model_.answer_all(graph._tables, 0)["logp"][some]
        assert np.array_equal(clf.predict_log_proba(some), alone)


def test_y_may_be_of_other_classes_than_the_graphs(small):
    nodes = np.arange(40)
    clf = gcnh.MLPClassifier(small, epochs=5).fit(nodes, nodes % 2)
    assert clf.classes_.tolist() == [0, 1] and set(clf.predict(nodes)) <= {0, 1}
    clf.fit(nodes, nodes % 2, eval_set=(np.arange(40, 60), np.arange(40, 60) % 2))
    with pytest.raises(ValueError, match="pair of nodes and labels"):
        clf.fit(nodes, nodes % 2, eval_set=np.arange(40, 60))


def test_unlabelled_nodes_are_neither_trained_on_nor_scored(small):
    clf = gcnh.MLPClassifier(small, epochs=5).fit(small.nodes)
    assert 0 <= clf.score(small.nodes) <= 1
    assert clf.score(small.nodes, small.y) == clf.score(small.labelled)
    with pytest.raises(ValueError, match="none of the training nodes has a label"):
        clf.fit([3, 11])
    assert cross_val_score(clf, small.nodes, small.y, cv=3).shape == (3,)


def test_scorers_of_scikit_learn_are_given_labelled_nodes(small):
    clf = gcnh.MLPClassifier(small, epochs=20)
    assert small.y_labelled.tolist() == [label for label in small.y if label] and len(small.labelled) == len(small.y_labelled) == 58
    own, theirs = (cross_val_score(clf, small.labelled, small.y_labelled, cv=3, scoring=by) for by in (None, "accuracy"))
    assert np.array_equal(own, theirs)
    clf.fit(small.nodes)
    everywhere = get_scorer("accuracy")(clf, small.nodes, small.y)
    assert everywhere == pytest.approx(clf.score(small.nodes) * 58 / 60)


def test_scores_of_other_graphs_and_tables(small, frames, tmp_path):
    clf = gcnh.MLPClassifier(small, epochs=5).fit(small.nodes)
    assert clf.score(small) == clf.score(small.labelled) == clf.score()
    with pytest.raises(ValueError, match="none of these nodes has a label"):
        clf.score([3, 11])
    nodes, edges = frames
    g = gcnh.Graph.from_pandas(nodes, edges, id="user", label="segment", source="a", target="b")
    gcnh.MLPClassifier(g, epochs=5).fit(g.nodes).save(tmp_path / "m.safetensors")
    loaded = gcnh.load_model(tmp_path / "m.safetensors")
    assert loaded.score(nodes=nodes, edges=edges) == loaded.score(g) == np.mean(loaded.predict(g)[g.labels >= 0] == g.y[g.labels >= 0])
    gcnh.MLPClassifier(small, epochs=2, n_jobs=-2).fit(small.nodes)


@pytest.mark.parametrize("scale, of_arrays, of_tables", [("auto", "standard", "auto"), ("rows", "rows", "rows")])
def test_a_file_keeps_the_parameters_that_it_says_it_keeps(small, frames, tmp_path, scale, of_arrays, of_tables):
    nodes, edges = frames
    table = gcnh.Graph.from_pandas(nodes[["user", "segment", "city"]], edges, id="user", label="segment", source="a", target="b")
    for g, expected in ((small, of_arrays), (table, of_tables)):
        clf = gcnh.GCNHClassifier(g, hidden=8, layers=2, direction="in", scale=scale, epochs=3, random_state=5).fit(g.nodes)
        clf.save(tmp_path / "m.safetensors")
        loaded = gcnh.load_model(tmp_path / "m.safetensors", g)
        own, kept = clf.get_params(), {name: loaded.get_params()[name] for name in ("graph", "hidden", "layers", "direction", "scale")}
        assert kept == {"graph": g, "hidden": 8, "layers": 2, "direction": "in", "scale": expected}
        lost = set(own) - set(kept) - set(clf.model_.options)
        defaults = gcnh.GCNHClassifier().get_params()
        assert all(loaded.get_params()[name] == defaults[name] and f"``{name}``" in gcnh.load_model.__doc__ for name in lost)
        again = clone(loaded).set_params(epochs=3, random_state=5).fit(g.nodes)
        assert np.array_equal(again.predict_log_proba(), clf.predict_log_proba())


@pytest.mark.filterwarnings("ignore:edges")
def test_without_edges_no_weights_are_needed(frames, small):
    nodes, edges = frames
    edges = edges.assign(w=np.arange(len(edges)) % 3 + 1)
    g = gcnh.Graph.from_pandas(nodes, edges, id="user", label="segment", source="a", target="b", weight="w")
    clf = gcnh.GCNHClassifier(g, epochs=3).fit(g.nodes)
    answers = [clf.predict_log_proba(nodes=nodes.head(3), edges=none) for none in (None, edges.head(0), edges[["a", "b"]].head(0))]
    assert answers[0].shape == (3, 3) and np.array_equal(answers[0], answers[1]) and np.array_equal(answers[0], answers[2])
    with pytest.raises(gcnh.DataError, match="no column 'w'"):
        clf.predict(nodes=nodes, edges=edges[["a", "b"]])
    clf = gcnh.GCNHClassifier(epochs=3).fit(small.x, small.labels, edges=small.edge_index, weights=np.arange(150) % 3 + 1)
    with pytest.raises(gcnh.DataError, match="trained on edges with weights; give them, too: `weights`, or `weight` for a column"):
        clf.predict(small.x, edges=small.edge_index)
    plain = gcnh.GCNHClassifier(epochs=3).fit(small.x, small.labels, edges=small.edge_index)
    matrix = small.to_scipy() * 2
    for ask in (plain.predict, plain.transform, lambda x, **more: plain.explain(1, x, **more)):
        with pytest.raises(gcnh.DataError, match=r"trained on edges without weights; leave `weights`, .* \(matrix != 0\) has none"):
            ask(small.x, edges=matrix)
    assert np.array_equal(plain.predict(small.x, edges=matrix != 0), plain.predict(small.x, edges=small.edge_index))
    assert clf.predict(small.x[:4]).shape == (4,)


def test_answers_without_the_edges_of_training_are_said(small, frames, tmp_path):
    x, y, edges = np.array(small.x), np.arange(60) % 3, small.edge_index
    joined, alone, blind = gcnh.GCNHClassifier(epochs=3), gcnh.GCNHClassifier(epochs=3), gcnh.MLPClassifier(epochs=3)
    for clf, given in ((joined, edges), (alone, None), (blind, edges)):
        clf.fit(x, y, edges=given).save(tmp_path / "m.safetensors")
        for one in (clf, gcnh.load_model(tmp_path / "m.safetensors")):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                bare = one.predict_log_proba(x, edges=[])
                one.score(x, y, edges=edges)
                if clf is not joined:
                    assert np.array_equal(one.predict_log_proba(x), bare)
                    continue
            with pytest.warns(UserWarning, match=r"edges: none are given, .* edges=\[\] where there are none"):
                assert np.array_equal(one.predict_log_proba(x), bare)
    nodes, edges = frames
    g = gcnh.Graph.from_pandas(nodes, edges, id="user", label="segment", source="a", target="b")
    with pytest.warns(UserWarning, match="edges: none are given"):
        gcnh.GCNHClassifier(g, epochs=3).fit(g.nodes).predict(nodes=nodes)


def test_a_file_keeps_names_of_features(tmp_path, small):
    frame = pd.DataFrame(np.array(small.x), columns=list("abcde"))
    clf = gcnh.MLPClassifier(epochs=3).fit(frame, np.arange(60) % 3)
    clf.save(tmp_path / "m.safetensors")
    loaded = gcnh.load_model(tmp_path / "m.safetensors")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.array_equal(loaded.predict_log_proba(frame), clf.predict_log_proba(frame))
    for one in (clf, loaded):
        assert one.feature_names_in_.tolist() == list("abcde")
        with pytest.raises(ValueError, match="feature names should match"):
            one.predict(frame[list("bacde")])
    by_name = gcnh.Graph(None, frame[list("bacde")])
    assert np.array_equal(loaded.predict_log_proba(by_name), clf.predict_log_proba(frame))


@pytest.mark.parametrize("y", [np.arange(60) % 3 == 0, (np.arange(60) % 12).astype(str), np.array(["True", "False"] * 30), np.arange(60) % 3,
                               np.array([2**70, 1] * 30, dtype=object)], ids=["bools", "digits", "words", "numbers", "large"])
def test_classes_come_back_from_files_as_they_were(y, small, tmp_path):
    g = gcnh.Graph(None, small.x, y)
    clf = gcnh.MLPClassifier(g, epochs=30).fit(g.nodes)
    clf.save(tmp_path / "m.safetensors")
    loaded = gcnh.load_model(tmp_path / "m.safetensors")
    assert loaded.classes_.tolist() == clf.classes_.tolist() and [type(c) for c in loaded.classes_] == [type(c) for c in clf.classes_]
    assert loaded.score(g, y) == loaded.score(g) == clf.score() > 0


def test_labels_of_which_none_is_a_class_are_not_scored(small):
    clf = gcnh.MLPClassifier(small, epochs=2).fit(small.nodes)
    with pytest.raises(ValueError, match="y: no label is a class of the model, such as 0; classes: 'blue' 'green' 'red'"):
        clf.score(small.nodes, np.arange(60) % 3)
    assert 0 <= clf.score(small.nodes, ["red", "pink"] * 30) <= 0.5


@pytest.mark.parametrize("model", MODELS)
def test_points_have_names(model, small):
    clf = gcnh.estimator(model, small, epochs=2).fit(small.nodes)
    points = clf.transform()
    names = [f"{type(clf).__name__.lower()}{i}" for i in range(points.shape[1])]
    assert clf.get_feature_names_out().tolist() == names
    clf.set_output(transform="pandas")
    for frame in (clf.transform(small.nodes), clf.transform(small.nodes.tolist()), clf.transform(small), clf.transform(),
                  clf.fit_transform(small.nodes), clf.fit_transform(small.nodes.tolist())):
        assert list(frame.columns) == names and np.array_equal(frame, points)
    assert clf.transform(layer="logits").shape == (60, 3)


def test_points_of_features_have_names(small, tmp_path):
    clf = gcnh.MLPClassifier(epochs=2, hidden=8).fit(np.array(small.x), np.arange(60) % 3)
    clf.save(tmp_path / "m.safetensors")
    for one in (clf, gcnh.load_model(tmp_path / "m.safetensors")):
        assert one.get_feature_names_out().tolist() == [f"mlpclassifier{i}" for i in range(8)]
    pipe = make_pipeline(StandardScaler(), gcnh.MLPClassifier(epochs=2, hidden=8)).set_output(transform="pandas")
    assert list(pipe.fit(small.x, np.arange(60) % 3).transform(small.x).columns) == one.get_feature_names_out().tolist()


def test_one_class_to_train_on_is_said(small):
    with pytest.warns(UserWarning, match="all training nodes are of class 'red'"):
        gcnh.MLPClassifier(small, epochs=2).fit(small.labelled[small.y_labelled == "red"])


def test_features_with_edges_and_features_alone(small):
    x, y = np.array(small.x), small.y
    edges = small.edge_index
    a = gcnh.GCNHClassifier(epochs=20).fit(x, y, eval_set=np.arange(40, 60), edges=edges)
    b = gcnh.GCNHClassifier(small, epochs=20).fit(np.arange(40), eval_set=np.arange(40, 60))
    assert np.array_equal(a.predict_log_proba(x, edges=edges), b.predict_log_proba())
    matrix = sp.csr_matrix((np.ones(len(edges)), edges.T), (60, 60)) > 0
    assert np.array_equal(a.predict_log_proba(x, edges=matrix), b.predict_log_proba())
    alone = make_pipeline(StandardScaler(), gcnh.GCNHClassifier(epochs=20)).fit(x, np.arange(60) % 3)
    assert alone.predict(x).shape == (60,)
    held = gcnh.MLPClassifier(epochs=20).fit(x[:40], np.arange(40) % 3, eval_set=(x[40:], np.arange(40, 60) % 3))
    assert held.predict(x[40:]).shape == (20,)


def test_scikit_learns_tools_slice_nodes(graph):
    clf = gcnh.MLPClassifier(graph, epochs=5)
    assert cross_val_score(clf, graph.nodes, graph.y, cv=3).shape == (3,)
    pipe = make_pipeline(FunctionTransformer(), clf)
    assert cross_val_score(pipe, graph.nodes, graph.y, cv=graph.cv()[:2]).shape == (2,)
    found = GridSearchCV(clf, {"hidden": [8, 16]}, cv=2, n_jobs=2).fit(graph.nodes, graph.y)
    assert found.best_params_["hidden"] in (8, 16) and found.predict(graph.nodes[:3]).shape == (3,)


def test_grid_search_is_tune_on_the_same_splits(graph):
    grid = {"hidden": [16, 32], "dropout": [0.0, 0.5]}
    searched = GridSearchCV(gcnh.GCNHClassifier(graph, epochs=15), grid, cv=graph.cv("val"), refit=False).fit(graph.nodes, graph.y)
    tuned = gcnh.tune(graph, "gcnh", grid, epochs=15)
    assert searched.best_params_ == {k: tuned.best_params_[k] for k in grid}
    assert searched.best_score_ == pytest.approx(tuned.best_score_, abs=1e-15)
    by_cell = {tuple(sorted(c["options"].items())): c["splits"] for c in tuned.cells_}
    for i, params in enumerate(searched.cv_results_["params"]):
        own = by_cell[tuple(sorted((k, v) for k, v in params.items()))]
        assert own == [searched.cv_results_[f"split{k}_test_score"][i] for k in range(10)]


@pytest.mark.parametrize("change, words", [
    ({"hidden": 0}, "hidden: 0 is"), ({"hidden": "many"}, "hidden: 'many' is not a whole number"), ({"lr": 0.0}, "lr: 0 is not above 0"),
    ({"aggregation": "summ"}, "did you mean 'sum'"), ({"view": "dirty"}, "view"), ({"scale": "big"}, "scale"),
    ({"direction": "up"}, "direction"), ({"validation_fraction": 1.0}, "validation_fraction"), ({"random_state": -1}, "random_state"),
    ({"metric": "acc"}, "metric"), ({"engine": "magic"}, "engine"), ({"n_jobs": 0}, "n_jobs: 0"), ({"n_jobs": "all"}, "n_jobs: 'all'"),
    ({"random_state": 2**70}, "random_state"), ({"validation_fraction": "half"}, "validation_fraction"),
])
def test_wrong_parameters_are_said_when_fitting(small, change, words):
    with pytest.raises(ValueError, match=words):
        gcnh.GCNHClassifier(small, epochs=2, **{k: v for k, v in change.items()}).fit(small.nodes[:40])


@pytest.mark.parametrize("form", [list, np.array, lambda ids: np.array(ids, dtype=object)[:, None]])
def test_ids_without_a_graph_are_said(small, tmp_path, form):
    ids = form(small.nodes.tolist())
    with pytest.raises(ValueError, match="'u_0'.* give `graph`; .*nodes= and edges="):
        gcnh.GCNHClassifier().fit(ids, small.labels)
    gcnh.MLPClassifier(small, epochs=2).fit(small.nodes).save(tmp_path / "m.safetensors")
    with pytest.raises(ValueError, match="'u_0'.* give `graph`; .*nodes= and edges="):
        gcnh.load_model(tmp_path / "m.safetensors").predict(ids)


def test_wrong_use_is_said(small):
    with pytest.raises(NotFittedError):
        gcnh.GCNHClassifier(small).predict([0])
    with pytest.raises(TypeError):
        gcnh.GCNHClassifier(small, widht=3)
    with pytest.raises(ValueError, match="X is a list of its nodes"):
        gcnh.GCNHClassifier(small).fit(np.array(small.x), small.y)
    with pytest.raises(gcnh.DataError, match="no node 'u_99'"):
        gcnh.GCNHClassifier(small).fit(["u_99"])
    with pytest.raises(ValueError, match="labels for 2 nodes"):
        gcnh.GCNHClassifier(small).fit([0, 1], [0])
    with pytest.raises(ValueError, match="n_samples=1"):
        gcnh.GCNHClassifier(small).fit([0])
    with pytest.raises(ValueError, match="takes every edge both ways"):
        gcnh.H2GCNClassifier(small, direction="in").fit(small.nodes[:40])
    with pytest.raises(gcnh.DataError, match="a single class"):
        gcnh.GCNHClassifier().fit(np.eye(4), [1, 1, 1, 1])
    with pytest.raises(gcnh.DataError, match="not finite"):
        gcnh.MLPClassifier(small, lr=1e30, epochs=50).fit(small.nodes[:40])
    with pytest.raises(ValueError, match="graph: expected a Graph, got ndarray"):
        gcnh.GCNHClassifier(small.edge_index).fit([0, 1])
    with pytest.raises(ValueError, match="expected a list, got 3"):
        gcnh.MLPClassifier(small, epochs=2).fit(small.nodes).predict(3)
    with pytest.raises(ValueError, match="y: node 'u_1' has two labels"):
        gcnh.MLPClassifier(small).fit([1, 1, 2], ["red", "blue", "red"])
    with pytest.raises(ValueError, match="eval_set: node 'u_1' is among the training nodes"):
        gcnh.MLPClassifier(small).fit([0, 1, 2], eval_set=[1])
    for given, words in [((small.nodes[40:], small.y[40:], small.y[40:]), "a tuple of 3"), ([(small.nodes[40:], small.y[40:])], "a list of them"),
                         (np.array(small.x), "shape"), (["u_99"], "no node 'u_99'")]:
        with pytest.raises(ValueError, match=f"eval_set: expected nodes, or a pair of nodes and labels; .*{words}"):
            gcnh.MLPClassifier(small).fit(small.nodes[:40], eval_set=given)
    with pytest.raises(ValueError, match="eval_set: 1 labels for 20 nodes"):
        gcnh.MLPClassifier(small).fit(small.nodes[:40], eval_set=(small.nodes[40:], ["red"]))
    with pytest.raises(ValueError, match="eval_set: class 'pink' is not one of those trained on"):
        gcnh.MLPClassifier(small).fit(small.nodes[:40], eval_set=(small.nodes[40:], ["pink"] * 20))
    with pytest.raises(ValueError, match="a Graph is no list of nodes; give some of them"):
        gcnh.MLPClassifier(small).fit(small)
    with pytest.raises(ValueError, match=r"a Graph; estimators are made with it: GCNHClassifier\(graph\)"):
        gcnh.MLPClassifier().fit(small)
    with pytest.raises(ValueError, match="a Split has three lists of nodes; give one of them, such as split.train"):
        gcnh.MLPClassifier(small).fit(small.splits[0])
    with pytest.raises(ValueError, match="y: expected a label per node, .*argmax"):
        gcnh.MLPClassifier(small).fit(small.nodes, np.eye(3)[np.arange(60) % 3])
    mixed = pd.DataFrame({"a": pd.array([1, 2], dtype="Int64"), "b": ["u", "v"], "c": [[1], [2]]})
    with pytest.raises(ValueError, match="X: .*Graph.from_pandas takes columns of any kind"):
        gcnh.MLPClassifier().fit(mixed, [0, 1])
    with pytest.raises(ValueError, match="eval_set: expected a pair of features and labels"):
        gcnh.MLPClassifier().fit(np.eye(4), [0, 1, 0, 1], eval_set=np.eye(4))
    with pytest.raises(TypeError, match="callbacks: expected a function or a list of functions"):
        gcnh.MLPClassifier(small).fit(small.nodes, callbacks=3)
    with pytest.raises(FileNotFoundError, match="nowhere.safetensors"):
        gcnh.load_model("nowhere.safetensors")
    clf = gcnh.MLPClassifier(small, epochs=2).fit(small.nodes)
    with pytest.raises(ValueError, match="sample_weight: 2 weights for 60 nodes"):
        clf.score(small.nodes, sample_weight=[1, 2])
    with pytest.raises(ValueError, match="unknown model"):
        gcnh.estimator("gcnn")
