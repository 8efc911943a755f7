"""The program's bits: the same graph, options and split give the same model file."""

import os

import numpy as np
import pytest

import gcnh
from gcnh import ESTIMATORS


@pytest.mark.parametrize("model", sorted(ESTIMATORS))
def test_every_model_is_the_programs_to_the_byte(model, graph, program, tmp_path):
    program("train", "--model", model, "--epochs", 8, "--splits", 2, "--out", tmp_path / "run", "--json", "-q")
    clf = gcnh.estimator(model, graph, epochs=8).fit(graph.splits[2].train)
    clf.save(tmp_path / "own.safetensors")
    assert (tmp_path / "own.safetensors").read_bytes() == (tmp_path / "run" / "model.safetensors").read_bytes()


def test_so_are_cross_validation_and_answers(graph, program, tmp_path):
    from sklearn.model_selection import cross_val_score

    told = program("train", "--epochs", 20, "--out", tmp_path / "run", "--json", "-q")
    scores = cross_val_score(gcnh.GCNHClassifier(graph, epochs=20), graph.nodes, graph.y, cv=graph.cv())
    assert scores.tolist() == [split["test_accuracy"] for split in told["splits"]]
    rows = program("predict", "--model", tmp_path / "run", "-q").splitlines()[1:]
    clf = gcnh.load_model(tmp_path / "run" / "model.safetensors")
    assert [row.split(",")[1] for row in rows] == [str(c) for c in clf.predict(graph)]
    assert np.allclose([[float(p) for p in row.split(",")[2:]] for row in rows], clf.predict_proba(graph), atol=1e-6)


def test_own_tables_give_the_programs_model(frames, program, tmp_path):
    nodes, edges = frames
    nodes.to_csv(tmp_path / "nodes.csv", index=False)
    edges.to_csv(tmp_path / "edges.csv", index=False)
    words = ["--nodes", tmp_path / "nodes.csv", "--edges", tmp_path / "edges.csv", "--id", "user", "--label", "segment", "--src", "a",
             "--dst", "b"]
    program("train", *words, "--epochs", 20, "--splits", 3, "--out", tmp_path / "run", "--json", "-q")
    g = gcnh.Graph.from_pandas(nodes, edges, id="user", label="segment", source="a", target="b")
    clf = gcnh.GCNHClassifier(g, epochs=20).fit(g.splits[3].train)
    theirs = gcnh.load_model(tmp_path / "run" / "model.safetensors")
    for name, matrix in theirs.model_.parameters.items():
        assert np.array_equal(matrix, clf.model_.parameters[name]), name
    clf.save(tmp_path / "own.safetensors")
    again = gcnh.load_model(tmp_path / "own.safetensors").predict(nodes=nodes, edges=edges)
    assert again.tolist() == clf.predict().tolist()
    rows = program("predict", "--model", tmp_path / "own.safetensors", *words, "-q").splitlines()[1:]
    assert [row.split(",")[1] for row in rows] == again.tolist()


def test_weights_directions_and_splits_are_the_programs(frames, program, tmp_path):
    nodes, edges = frames[0].copy(), frames[1].copy()
    edges["w"] = np.linspace(0.5, 3, len(edges)).round(3)
    nodes["part"] = ["train", "val", "test"] * 50
    nodes.to_csv(tmp_path / "nodes.csv", index=False)
    edges.to_csv(tmp_path / "edges.csv", index=False)
    told = program("train", "--nodes", tmp_path / "nodes.csv", "--edges", tmp_path / "edges.csv", "--id", "user", "--label", "segment",
                   "--src", "a", "--dst", "b", "--weight", "w", "--directed", "--split-column", "part", "--model", "gcn", "--epochs", 20,
                   "--json", "-q")
    g = gcnh.Graph.from_pandas(nodes, edges, id="user", label="segment", source="a", target="b", weight="w", splits=["part"])
    clf = gcnh.GCNClassifier(g, direction="in", epochs=20).fit(g.splits[0].train)
    outcome = told["splits"][0]
    assert len(g.splits) == 1 and clf.best_epoch_ == outcome["best_epoch"]
    assert clf.score(g.splits[0].test) == outcome["test_accuracy"]
    assert clf.history_["val_loss"][clf.best_epoch_ - 1] == outcome["val_loss"]


@pytest.mark.skipif("GCNH_DATA" not in os.environ, reason="GCNH_DATA names no folder")
def test_a_cell_of_the_paper(program):
    g = gcnh.datasets.load("texas")
    told = program("train", "--data", "texas", "--view", "paper", "--recipe", "paper", "--splits", "0,7", "--json", "-q")
    clf = gcnh.GCNHClassifier(g, view="paper", **gcnh.recipe("gcnh", "texas"))
    for split, outcome in zip((g.splits[0], g.splits[7]), told["splits"]):
        clf.fit(split.train)
        assert clf.score(split.test) == outcome["test_accuracy"] and clf.best_epoch_ == outcome["best_epoch"]


@pytest.mark.skipif("GCNH_DATA" not in os.environ, reason="GCNH_DATA names no folder")
def test_published_relations_survive_a_pickle():
    import pickle

    g = gcnh.datasets.load("texas")
    a = gcnh.GeomGCNClassifier(g, epochs=5).fit(g.splits[0].train)
    b = gcnh.GeomGCNClassifier(pickle.loads(pickle.dumps(g)), epochs=5).fit(g.splits[0].train)
    assert np.array_equal(a.predict_log_proba(), b.predict_log_proba())
