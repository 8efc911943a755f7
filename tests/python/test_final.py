"""Final models of the program in Python: scaled probabilities, sets, decisions; and weights of classes."""

import json
import pickle

import numpy as np
import pytest

import gcnh


@pytest.fixture(scope="module")
def folder(program, tmp_path_factory):
    """Runs with final models: an ensemble, a refit whose answers follow costs, and a comparison."""
    out = tmp_path_factory.mktemp("final")
    (out / "costs.csv").write_text("truth,0,1,2,3,4\n" + "".join(f"{k}," + ",".join("0" if j == k else str(1 + 9 * (k == 2)) for j in range(5)) + "\n"
                                                             for k in range(5)))
    common = ["--epochs", 12, "-q", "--json"]
    program("train", *common, "--splits", "0,1,2", "--final", "ensemble", "--out", out / "ensemble")
    program("train", *common, "--splits", "0,1,2", "--final", "refit", "--costs", out / "costs.csv", "--out", out / "refit")
    program("compare", "--models", "gcnh,mlp", "--no-tune", *common, "--splits", "0,1,2", "--out", out / "comparison")
    return out


@pytest.mark.parametrize("place", ["ensemble", "ensemble/final.safetensors", "refit", "comparison"])
def test_answers_probabilities_and_sets_are_the_programs(place, folder, program, graph):
    clf = gcnh.load_model(folder / place)
    for level in (None, 0.6):
        words = [] if level is None else ["--level", level]
        rows = [json.loads(line) for line in program("predict", "--model", folder / place, "--format", "jsonl", *words, "-q").splitlines()]
        assert [row["predicted"] for row in rows] == [str(c) for c in clf.predict(graph)]
        assert np.allclose([list(row["p"].values()) for row in rows], clf.predict_proba(graph), atol=6e-7, rtol=0)
        assert [row["set"] for row in rows] == [[str(c) for c in one] for one in clf.predict_set(graph, level)]
    again = pickle.loads(pickle.dumps(clf))
    assert again.predict_set(graph) == clf.predict_set(graph) and np.array_equal(again.predict(graph), clf.predict(graph))


@pytest.mark.parametrize("place", ["ensemble", "refit"])
def test_they_are_explained_and_looked_into(place, folder, program, graph, tmp_path):
    clf = gcnh.load_model(folder / place)
    told = program("explain", 5, "--model", folder / place, "--json", "-q")["nodes"][0]
    assert clf.explain(5, graph).json == told
    program("embed", "--model", folder / place, "--out", tmp_path / "p.npy", "-q")
    assert np.array_equal(clf.transform(graph), np.load(tmp_path / "p.npy"))


def test_so_is_the_one_that_compare_makes(folder, graph, tmp_path):
    res = gcnh.compare(graph.with_splits(graph.splits[:3]), ["gcnh", "mlp"], budget=None, epochs=12, out=tmp_path / "own")
    name = res.final._model
    theirs = folder / "comparison" / name / "final.safetensors"
    assert (tmp_path / "own" / name / "final.safetensors").read_bytes() == theirs.read_bytes()
    assert res.final.predict_set(graph.nodes[:9]) == gcnh.load_model(tmp_path / "own", graph).predict_set(range(9))
    assert next(run["final"] for run in res.json if "final" in run)["kind"] in ("refit", "ensemble")
    quick = gcnh.compare(graph, "mlp", budget=None, epochs=2)
    assert quick.final is None and gcnh.compare(graph, "mlp", budget=None, epochs=2, final="ensemble").final.model_.final == "ensemble"
    with pytest.raises(ValueError, match="final: unknown value 'best'; allowed: none auto refit ensemble"):
        gcnh.compare(graph, "mlp", final="best")


def test_a_file_written_again_is_the_same(folder, tmp_path):
    gcnh.load_model(folder / "ensemble").save(tmp_path / "again.safetensors")
    assert (tmp_path / "again.safetensors").read_bytes() == (folder / "ensemble" / "final.safetensors").read_bytes()


def test_what_has_no_sets_says_so(small, folder, graph, tmp_path):
    clf = gcnh.GCNHClassifier(small, epochs=2).fit(small.nodes[:40])
    with pytest.raises(ValueError, match="the model has no sets; a final model has"):
        clf.predict_set()
    with pytest.raises(ValueError, match="level: 90 is outside 0.01..0.999"):
        gcnh.load_model(folder / "ensemble").predict_set(graph, 90)
    with pytest.raises(OSError, match="is a folder without model.safetensors"):
        gcnh.load_model(tmp_path)


def test_weights_of_classes_are_the_programs(graph, program, tmp_path):
    for words, value in (("balanced", "balanced"), ("0=5,3=0.5", {0: 5, 3: 0.5})):
        program("train", "--class-weights", words, "--epochs", 8, "--splits", 0, "--out", tmp_path / words, "--json", "-q")
        clf = gcnh.GCNHClassifier(graph, epochs=8, class_weights=value).fit(graph.splits[0].train)
        clf.save(tmp_path / "own.safetensors")
        assert (tmp_path / "own.safetensors").read_bytes() == (tmp_path / words / "model.safetensors").read_bytes()


@pytest.mark.parametrize("value, words", [("heavy", "neither none, balanced nor"), ({"pink": 2}, "no class 'pink'"),
                                          ({"red": 0}, "weight from 1e-06"), ({"a,b": 2}, "no class 'a,b'")])
def test_wrong_weights_are_said(small, value, words):
    with pytest.raises(ValueError, match=words):
        gcnh.GCNHClassifier(small, epochs=2, class_weights=value).fit(small.nodes[:40])


def test_weights_are_searched_over(small):
    found = gcnh.tune(small, "mlp", {"class_weights": [None, "balanced", {"red": 3, "blue": 0.5}]}, epochs=5)
    values = [found.best_params_["class_weights"], *found.frame["class_weights"]]
    assert set(values) <= {"none", "balanced", "red=3,blue=0.5"} and len(found.cells_) == 3
    gcnh.MLPClassifier(small, **found.best_params_).fit(small.nodes[:40])
