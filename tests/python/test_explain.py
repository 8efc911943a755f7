"""Reasons and points: the numbers of gcnh explain and gcnh embed, under the names of Python."""

import pickle

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

import gcnh
from gcnh import ESTIMATORS

COLUMNS = dict(id="user", label="segment", source="a", target="b")


@pytest.fixture(scope="module")
def tables(frames, tmp_path_factory):
    """The words that name the frames, as files, to the program."""
    folder = tmp_path_factory.mktemp("tables")
    for name, frame in zip(("nodes", "edges"), frames):
        frame.to_csv(folder / f"{name}.csv", index=False)
    return ["--nodes", folder / "nodes.csv", "--edges", folder / "edges.csv", "--id", "user", "--label", "segment", "--src", "a", "--dst", "b"]


@pytest.mark.parametrize("model", sorted(ESTIMATORS))
def test_explanations_and_points_are_the_programs(model, graph, program, tmp_path):
    clf = gcnh.estimator(model, graph, epochs=8).fit(graph.splits[0].train)
    clf.save(tmp_path / "m.safetensors")
    told = program("explain", 3, 70, "--model", tmp_path / "m.safetensors", "--top", 4, "--json", "-q")["nodes"]
    found = clf.explain([3, 70], top=4)
    assert [e.json for e in found] == told and [e.node for e in found] == [3, 70]
    loaded = gcnh.load_model(tmp_path / "m.safetensors")
    assert loaded.explain(70, graph, top=4).json == told[1]
    for layer in (None, "logits"):
        words = [] if layer is None else ["--layer", layer]
        program("embed", "--model", tmp_path / "m.safetensors", *words, "--out", tmp_path / "p.npy", "--force", "-q")
        points = np.load(tmp_path / "p.npy")
        assert np.array_equal(clf.transform(layer=layer), points) and np.array_equal(loaded.transform(graph, layer), points)
        assert np.array_equal(clf.transform([7, 3], layer), points[[7, 3]])


def test_own_tables_have_their_names(frames, tables, program, tmp_path):
    nodes, edges = frames
    g = gcnh.Graph.from_pandas(nodes, edges, **COLUMNS)
    clf = gcnh.GCNHClassifier(g, epochs=20).fit(g.labelled[:100])
    clf.save(tmp_path / "m.safetensors")
    told = program("explain", "u_9", "--against", "retired", "--model", tmp_path / "m.safetensors", *tables, "--json", "-q")["nodes"][0]
    e = clf.explain("u_9", against="retired")
    again = gcnh.load_model(tmp_path / "m.safetensors").explain("u_9", nodes=nodes, edges=edges, against="retired")
    assert e.json == told == again.json and e.node == "u_9" == again.sources[0].node
    assert e.predicted == clf.predict(["u_9"])[0] and e.rival == "retired" and e.label == g.y[g.index(["u_9"])][0]
    p = dict(zip(clf.classes_, clf.predict_proba(["u_9"])[0]))
    assert np.allclose(e.probabilities, [p[c] for c in e.classes])
    assert {f.name for f in e.sources[0].features} & {"age", "city=Oslo", "city=Rome", "city=Lima"}
    assert set(e.change.edges) <= set(g.nodes)


def test_the_parts_of_gcnh_are_the_logits(small):
    e = gcnh.GCNHClassifier(small, epochs=20, layers=2).fit(small.nodes[:40]).explain("u_7", top=0)
    frame = e.to_frame()
    assert e.exact and np.allclose(frame[list(e.classes)].sum(), e.logits, atol=1e-5)
    assert np.allclose(frame["lead"].sum(), e.logits[0] - e.logits[1], atol=1e-5)
    features = e.to_frame("features")
    own = features[features.node == "u_7"][list(e.classes)].sum()
    assert np.allclose(own, e.sources[0].parts, atol=1e-5)
    with pytest.raises(ValueError, match="by: 'edges'"):
        e.to_frame("edges")


def test_without_the_edges_the_answer_is_another(small):
    clf = gcnh.GCNHClassifier(small, epochs=60).fit(small.nodes[:40])
    e = next(e for e in clf.explain(small.nodes) if e.change.edges)
    ends = small.nodes[small.edge_index]
    cut = [(a, b) for a, b in ends if not ((a == e.node and b in e.change.edges) or (b == e.node and a in e.change.edges))]
    changed = gcnh.Graph(np.array(cut, dtype=object), small.x, small.y, ids=small.ids, name="small")
    assert clf.predict(changed)[small.index([e.node])][0] == e.change.predicted != e.predicted


def test_it_reads_well(small):
    e = gcnh.GCNHClassifier(small, epochs=20).fit(small.nodes[:40]).explain("u_7")
    text = repr(e)
    assert text.startswith("u_7: ") and "the node itself" in text and "\n  logit" in text and "remainder" not in text
    assert "<svg" in e._repr_html_() and repr(pickle.loads(pickle.dumps(e))) == text
    mlp = gcnh.MLPClassifier(small, epochs=5).fit(small.nodes[:40]).explain("u_3")
    assert mlp.change is None and mlp.label is None and "remainder" in repr(mlp)


def test_features_with_and_without_edges(small):
    x, y = np.array(small.x), np.arange(60) % 3
    alone = gcnh.MLPClassifier(epochs=5).fit(x, y)
    assert alone.explain(4, x).node == 4 and alone.transform(x).shape == (60, alone.hidden)
    joined = gcnh.GCNHClassifier(epochs=5, layers=2).fit(x, y, edges=small.edge_index)
    assert joined.explain(4, x, edges=small.edge_index).predicted == joined.predict(x, edges=small.edge_index)[4]
    assert joined.transform(x, 1, edges=small.edge_index).shape[0] == 60
    with pytest.raises(ValueError, match="this model has no graph"):
        alone.explain(4)


def test_it_is_a_step_of_a_pipeline(small):
    x, y = np.array(small.x), np.arange(60) % 3
    pipe = make_pipeline(gcnh.MLPClassifier(epochs=20, hidden=8), LogisticRegression())
    assert pipe.fit(x, y).predict(x).shape == (60,) and pipe[:-1].transform(x).shape == (60, 8)
    nodes = small.labelled
    pipe = make_pipeline(gcnh.GCNHClassifier(small, epochs=20), LogisticRegression())
    assert cross_val_score(pipe, nodes, small.y[small.index(nodes)], cv=3).shape == (3,)
    clf = gcnh.GCNHClassifier(small, epochs=20)
    assert np.array_equal(clf.fit_transform(nodes), clf.transform(nodes))
    clf = gcnh.GCNHClassifier(epochs=20)
    assert np.array_equal(clf.fit_transform(x, y, edges=small.edge_index), clf.transform(x, edges=small.edge_index))


def test_wrong_questions(small):
    clf = gcnh.GCNHClassifier(small, epochs=2).fit(small.nodes[:40])
    for words, ask in [("no node 'u_99'", lambda: clf.explain("u_99")), ("against: 'pink' is no class", lambda: clf.explain("u_1", against="pink")),
                       ("layer: '7'", lambda: clf.transform(layer=7)), ("top: -1", lambda: clf.explain("u_1", top=-1)),
                       ("X or nodes, not both", lambda: clf.predict(small.nodes, nodes=small.x))]:
        with pytest.raises(ValueError, match=words):
            ask()
    with pytest.raises(TypeError, match="unexpected argument 'laeyr'"):
        clf.transform(small.nodes, laeyr=1)
