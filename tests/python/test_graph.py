"""Graphs: every accepted form is the same graph, and what is wrong is said."""

import copy
import gc
import pickle
import types

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import gcnh


def same(a, b):
    assert a.num_nodes == b.num_nodes
    assert np.array_equal(a.edge_index, b.edge_index)
    assert np.array_equal(a.labels, b.labels) and a.classes.tolist() == b.classes.tolist()
    assert (a.weights is None) == (b.weights is None)
    assert a.weights is None or np.array_equal(a.weights, b.weights)
    assert sp.issparse(a.x) == sp.issparse(b.x)
    assert np.array_equal(*(g.x.toarray() if sp.issparse(g.x) else g.x for g in (a, b)))
    return True


@st.composite
def graphs(draw):
    n = draw(st.integers(2, 9))
    pairs = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), unique=True, max_size=20))
    edges = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
    weights = draw(st.none() | st.just(np.linspace(0.5, 2.25, len(edges), dtype=np.float32)))
    x = np.array(draw(st.lists(st.lists(st.integers(-3, 3), min_size=2, max_size=2), min_size=n, max_size=n)), dtype=np.float32)
    y = draw(st.lists(st.sampled_from([-1, 0, 4, 7]), min_size=n, max_size=n))
    return edges, weights, x, y


@given(graphs())
def test_every_form_is_the_same_graph(drawn):
    edges, weights, x, y = drawn
    n = len(x)
    if weights is not None and np.all(weights == 1):
        weights = None
    g = gcnh.Graph(edges, x, y, weights=weights)
    forms = [
        gcnh.Graph(edges.tolist(), x.astype(np.float64), [None if v < 0 else v for v in y], weights=weights),
        gcnh.Graph((edges[:, 0], edges[:, 1]), x, np.where(np.array(y) < 0, np.nan, y), weights=weights),
        gcnh.Graph(sp.csr_matrix((np.ones(len(edges)) if weights is None else weights, (edges[:, 0], edges[:, 1])), (n, n)), x, y),
        gcnh.Graph(sp.coo_matrix((np.ones(len(edges)) if weights is None else weights, (edges[:, 0], edges[:, 1])), (n, n)),
                   sp.csc_matrix(x), pd.Series(y)),
        gcnh.Graph(types.SimpleNamespace(edge_index=edges.T, x=x, y=np.array(y), edge_weight=weights)),
        gcnh.Graph(types.SimpleNamespace(edges=lambda: (edges[:, 0], edges[:, 1]), ndata={"feat": x, "label": np.array(y)},
                                         edata={} if weights is None else {"weight": weights}, num_nodes=lambda: n)),
        gcnh.Graph(edges, pd.DataFrame(x, columns=["a", "b"]), y, weights=weights),
        pickle.loads(pickle.dumps(g)),
    ]
    if len(edges) > 2:
        forms.append(gcnh.Graph(edges.T, x, y, weights=weights))
    network = nx.DiGraph()
    for i in range(n):
        network.add_node(i, x=x[i].tolist(), label=None if y[i] < 0 else y[i])
    for k, (u, v) in enumerate(edges.tolist()):
        network.add_edge(u, v, **({} if weights is None else {"weight": float(weights[k])}))
    forms.append(gcnh.Graph(network))
    assert all(same(g, form) for form in forms)


def test_frames_are_read_as_the_program_reads_the_same_tables(frames, tmp_path):
    nodes, edges = frames
    nodes.to_csv(tmp_path / "n.csv", index=False)
    edges.to_csv(tmp_path / "e.csv", index=False)
    words = dict(id="user", label="segment", source="a", target="b")
    a = gcnh.Graph.from_pandas(nodes, edges, **words)
    b = gcnh.Graph.read(tmp_path / "n.csv", tmp_path / "e.csv", **words)
    assert same(a, b) and a.columns == b.columns and a.nodes.tolist() == b.nodes.tolist()
    assert {name: kind for name, (kind, _) in a.columns.items()} == {"age": "num", "city": "cat", "since": "date"}
    again = pickle.loads(pickle.dumps(a))
    assert same(a, again) and again.columns == a.columns


def test_ids_may_be_numbers_and_numbers_are_then_ids():
    g = gcnh.Graph([[10, 30], [30, 20]], np.eye(3), [0, 1, 0], ids=[10, 20, 30])
    assert g.edge_index.tolist() == [[0, 2], [2, 1]]
    assert g.index([30, 10]).tolist() == [2, 0] and g.nodes.tolist() == [10, 20, 30]
    with pytest.raises(gcnh.DataError, match="no node '0'"):
        g.index([0])


@pytest.mark.parametrize("ids", [np.arange(60)[::-1], np.arange(100, 160), [f"u_{i}" for i in range(60)], None])
def test_splits_hold_nodes_as_x_means_them(ids):
    x, y = np.random.default_rng(2).normal(size=(60, 3)), np.arange(60) % 2
    g, nameless = gcnh.Graph(None, x, y, ids=ids), gcnh.Graph(None, x, y)
    split, (train, test) = g.splits[3], g.cv()[3]
    assert g.index(split.train).tolist() == train.tolist() and split.test.tolist() == g.nodes[test].tolist()
    assert g.random_splits()[3].val.tolist() == split.val.tolist() and not split.val.flags.writeable
    clf = gcnh.MLPClassifier(g, epochs=5).fit(split.train)
    assert clf.score(split.test) == np.mean(clf.predict()[test] == y[test]) == clf.score(split.test, y[test])
    assert np.array_equal(clf.predict_log_proba(), gcnh.MLPClassifier(nameless, epochs=5).fit(nameless.splits[3].train).predict_log_proba())
    again = [g.with_splits(g.splits), gcnh.Graph(None, g.x, y, ids=g.ids, splits=g.splits), g.with_splits([[g.labels == 0] * 3] * 3 + [split])]
    for other in again:
        assert other.splits[3].val.tolist() == split.val.tolist() and other.cv()[3][0].tolist() == train.tolist()
    if ids is not None:
        with pytest.raises(IndexError):  # ids are no positions, not even where they are numbers
            g.y[split.test]


def test_splits_by_numbers_that_are_no_ids_are_said():
    for make in (lambda: gcnh.Graph(None, np.eye(3), ids=[10, 20, 30], splits=[([0], [1], [2])]),
                 lambda: gcnh.Graph(None, np.eye(3), ids=[10, 20, 30]).with_splits([([0], [1], [2])])):
        with pytest.raises(gcnh.DataError, match="splits: graph: no node '0'"):
            make()


@pytest.mark.parametrize("ids", [[2**70, 1], [2**63 + 1, 1], ["é中", "🙂"], ["a\0b", "b"], [1.5, 2.0], [10.0, 20.0]])
def test_ids_may_be_anything(ids):
    g = gcnh.Graph([ids], np.eye(2), ["a", "b"], ids=ids)
    assert g.index(ids[::-1]).tolist() == [1, 0] and g.nodes.tolist() == ids and g.edge_index.tolist() == [[0, 1]]
    assert pickle.loads(pickle.dumps(g)).index(g.nodes).tolist() == [0, 1]


def test_classes_may_be_large():
    g = gcnh.Graph(None, np.eye(2), [2**70, 1])
    assert g.classes.tolist() == [1, 2**70] and g.labels.tolist() == [1, 0]


def test_minus_one_is_a_class_or_no_label_but_never_both():
    nodes = pd.DataFrame({"id": [f"u_{i}" for i in range(40)], "label": [-1.0, 1.0] * 20, "a": np.arange(40) % 2 + np.arange(40) / 100})
    g = gcnh.Graph.from_pandas(nodes)
    assert g.classes.tolist() == [-1, 1] and g.y.tolist() == [-1, 1] * 20
    g = gcnh.Graph.from_pandas(nodes.assign(label=nodes.label.where(nodes.index >= 10)))
    assert g.y_labelled.tolist() == [-1, 1] * 15 and len(g.labelled) == 30
    with pytest.raises(ValueError, match="-1 is a class of this graph, and stands for nodes without a label"):
        g.y
    clf = gcnh.MLPClassifier(g, epochs=60).fit(g.nodes)
    assert clf.score(g.nodes) == clf.score(g.labelled, g.y_labelled) == np.mean(clf.predict(g.labelled) == g.y_labelled) > 0.9
    with pytest.raises(gcnh.DataError, match="a single class, 1; .*-1 is no class; it stands for nodes without a label"):
        gcnh.MLPClassifier(gcnh.Graph(None, np.eye(4), [-1, 1, -1, 1])).fit([0, 1, 2, 3])


def test_truths_stay_truths():
    truth = np.arange(40) % 2 == 0
    nodes = pd.DataFrame({"id": [f"u_{i}" for i in range(40)], "label": truth, "a": truth + np.arange(40) / 100})
    for g in (gcnh.Graph.from_pandas(nodes), gcnh.Graph(None, nodes[["a"]], truth), gcnh.Graph(None, nodes[["a"]], truth.astype(object))):
        assert g.classes.dtype == bool == g.y.dtype and g.y.tolist() == truth.tolist()
        clf = gcnh.MLPClassifier(g, epochs=60).fit(g.nodes)
        assert clf.predict().dtype == bool and clf.score(g.nodes, truth) == clf.score(g.nodes) > 0.9
    g = gcnh.Graph.from_pandas(nodes.assign(label=nodes.label.astype(object).where(nodes.index >= 10)))
    assert g.y[:12].tolist() == [-1] * 10 + [1, 0] and g.y_labelled.tolist() == truth[10:].tolist()
    clf = gcnh.MLPClassifier(g, epochs=5).fit(g.nodes, g.y)
    assert clf.classes_.dtype == bool and clf.score(g.nodes, g.y) == clf.score(g.nodes)


def test_frames_may_have_the_ids_in_their_index(frames):
    nodes, edges = frames
    words = dict(id="user", label="segment", source="a", target="b")
    assert same(gcnh.Graph.from_pandas(nodes.set_index("user"), edges, **words), gcnh.Graph.from_pandas(nodes, edges, **words))


@pytest.mark.parametrize("kind", [tuple, set, frozenset, np.array, lambda cell: {np.str_(member) for member in cell}])
def test_sets_in_cells_are_their_members(kind):
    sets = [sorted({"red", "green", "blue", "it's", "grey"} - drop) for drop in ({"red"}, {"green", "grey"}, {"blue"}, {"it's", "red"})] * 5 + [[]]
    words = dict(label=None, features="multi:tags(,)")
    nodes = pd.DataFrame({"id": range(len(sets)), "tags": sets})
    expected = gcnh.Graph.from_pandas(nodes, **words)
    found = gcnh.Graph.from_pandas(nodes.assign(tags=[kind(cell) for cell in sets]), **words)
    assert sorted(expected.feature_names) == ["tags=blue", "tags=green", "tags=grey", "tags=it's", "tags=red"]
    assert found.feature_names == expected.feature_names and same(found, expected)
    assert gcnh.Graph.from_pandas(nodes.assign(tags=[kind(cell) for cell in sets]), label=None).columns["tags"][0] == "multi"


def test_a_lone_column_needs_no_list(frames):
    nodes, edges = frames
    words = dict(id="user", label="segment", source="a", target="b")
    for role, name in (("ignore", "city"), ("categorical", "since"), ("numeric", "age"), ("missing", "Rome")):
        lone, listed = (gcnh.Graph.from_pandas(nodes, edges, **words, **{role: value}) for value in (name, [name]))
        assert lone.columns == listed.columns and lone.feature_names == listed.feature_names and same(lone, listed)


def test_rows_of_the_frame_name_nodes(frames):
    nodes, edges = frames
    g = gcnh.Graph.from_pandas(nodes, edges, id="user", label="segment", source="a", target="b")
    assert g.index(nodes[5:8]).tolist() == [5, 6, 7] == g.index(nodes.set_index("user")[5:8]).tolist()
    clf = gcnh.MLPClassifier(g, epochs=3).fit(nodes[:100])
    assert np.array_equal(clf.predict(nodes[100:]), clf.predict(g.nodes[100:]))


def test_words_and_numbers_both_name_nodes(small):
    assert small.index(["u_5", "u_0"]).tolist() == [5, 0] == small.index([5, 0]).tolist()
    mask = np.arange(60) < 2
    for form in (mask, mask.astype(object), pd.Series(mask), pd.array(mask, dtype="boolean")):
        assert small.index(form).tolist() == [0, 1]


def test_it_is_never_changed_and_copies_are_itself(small):
    assert copy.deepcopy(small) is small is copy.copy(small)
    with pytest.raises(AttributeError, match="never changed"):
        small.name = "other"
    arrays = [small.edge_index, small.labels, small.x, small.nodes, small.ids, small.classes]
    for array in [*arrays, small.splits[0].train, pickle.loads(pickle.dumps(small)).nodes]:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        np.random.default_rng(1).shuffle(small.nodes)


def test_what_it_is_made_of_may_change():
    ids, y = np.array(["a", "b"], dtype=object), np.array(["x", "y"], dtype=object)
    g = gcnh.Graph(None, np.eye(2), y, ids=ids)
    ids[0] = y[0] = "other"
    assert g.nodes.tolist() == ["a", "b"] and g.y.tolist() == ["x", "y"]


def test_arrays_are_shared(small):
    for name in ("x", "labels", "edge_index"):
        assert np.shares_memory(getattr(small, name), getattr(small, name))
    g = gcnh.Graph([[0, 1]], sp.eye(3, format="csr") * 2, weights=[0.5])
    assert np.shares_memory(g.x.data, g.x.data) and np.shares_memory(g.weights, g.weights)
    values = g.x.data
    del g
    gc.collect()
    assert values.tolist() == [2, 2, 2]  # the memory lives as long as an array of it


def test_conversions_come_back(small):
    matrix = small.to_scipy()
    assert matrix.sum() == small.num_edges
    again = gcnh.Graph(small.to_networkx(), name="small")
    assert sorted(map(tuple, again.edge_index.tolist())) == sorted(map(tuple, small.edge_index.tolist()))
    assert np.array_equal(again.x, small.x) and again.nodes.tolist() == small.nodes.tolist()
    assert np.array_equal(again.labels, small.labels)


def test_pyg_and_back(small, monkeypatch):
    pytest.importorskip("torch")
    import sys

    class Data(types.SimpleNamespace):
        __setitem__ = types.SimpleNamespace.__setattr__

    monkeypatch.setitem(sys.modules, "torch_geometric", types.ModuleType("torch_geometric"))
    monkeypatch.setitem(sys.modules, "torch_geometric.data", types.SimpleNamespace(Data=Data))
    split = small.with_splits([(range(10), range(12, 20), range(20, 30))])
    again = gcnh.Graph(split.to_pyg())
    assert np.array_equal(again.edge_index, small.edge_index) and np.array_equal(again.x, small.x)
    assert np.array_equal(again.labels, small.labels) and again.splits[0].test.tolist() == list(range(20, 30))


def test_a_published_graph_keeps_its_splits(graph):
    assert [len(part) for part in graph.splits[0]] == [715, 477, 298] and len(graph.splits) == 10
    drawn = graph.with_splits([(range(10), range(10, 20), range(20, 30))])
    assert len(drawn.splits) == 1 and drawn.splits[0].val.tolist() == list(range(10, 20))


def test_the_card_and_the_doctor(graph, program):
    told = program("inspect", "--json")
    assert graph.inspect() == told
    assert graph.homophily()["edge"] == told["homophily"]["edge"]
    card = graph._repr_html_()
    assert "1,490" in card and "homophily" in card
    assert set(graph.check().columns) == {"severity", "rule", "found", "why", "fix"}


def test_nodes_may_be_tuples_and_edges_an_iterator():
    grid = nx.grid_2d_graph(3, 3)
    for i, node in enumerate(grid.nodes):
        grid.nodes[node].update(x=[i % 3, 1.0], label="ab"[i % 2])
    g = gcnh.Graph(grid)
    clf = gcnh.GCNHClassifier(g, epochs=3).fit(list(grid.nodes))
    assert clf.predict([(0, 1), (2, 2)]).tolist() == clf.predict([1, 8]).tolist()
    assert clf.explain((0, 1)).node == (0, 1) and [e.node for e in clf.explain([(0, 1), (2, 2)])] == [(0, 1), (2, 2)]
    assert gcnh.Graph(zip([0, 1], [1, 2]), np.eye(3)).edge_index.tolist() == [[0, 1], [1, 2]]


def test_masks_that_are_not_there_are_empty():
    g = gcnh.Graph(types.SimpleNamespace(edge_index=np.array([[0, 1], [1, 2]]), x=np.eye(3), train_mask=np.array([True, False, False])))
    assert [len(part) for part in g.splits[0]] == [1, 0, 0]


def network(first, second, **edge):
    out = nx.Graph()
    out.add_node(0, **first)
    out.add_node(1, **second)
    out.add_edge(0, 1, **edge)
    return out


def test_advice_is_in_terms_of_python(frames):
    nodes, edges = frames
    words = dict(id="user", label="segment", source="a", target="b")
    odd = nodes.assign(**{"the user's age": nodes.age.astype(object).where(nodes.index != 3, "old")})
    advice = """`missing='old'` if it means missing; `categorical="the user's age"` or `ignore="the user's age"` if"""
    with pytest.raises(gcnh.DataError, match=advice):
        gcnh.Graph.from_pandas(odd, edges, **words)
    assert gcnh.Graph.from_pandas(odd, edges, **words, missing="old").columns["the user's age"][0] == "num"
    codes = nodes.assign(one=np.arange(150) % 61, two=np.arange(150) % 67)
    fixes = " ".join(gcnh.Graph.from_pandas(codes, edges, **words).check().fix)
    assert "`categorical=['one', 'two']` if these are codes" in fixes and "`Graph.random_splits`" in fixes
    away = gcnh.Graph.from_pandas(nodes.assign(city=nodes.city.replace("Oslo", "NA")), edges, **words)
    assert any("`missing='!NA'` if it is a value" in note for note in away.notes) and "city=NA" not in away.feature_names
    kept = gcnh.Graph.from_pandas(nodes.assign(city=nodes.city.replace("Oslo", "NA")), edges, **words, missing="!NA")
    assert "city=NA" in kept.feature_names


@pytest.mark.parametrize("make, error, words", [
    (lambda: gcnh.Graph([[0, 5]], np.eye(3)), gcnh.DataError, "node 5 outside 0..2"),
    (lambda: gcnh.Graph([[0, -1]], np.eye(3)), gcnh.DataError, "node -1 outside"),
    (lambda: gcnh.Graph([[0.5, 1]], np.eye(3)), ValueError, "0.5 is no node number"),
    (lambda: gcnh.Graph([[2**70, 1]], np.eye(3)), ValueError, f"{2**70} is no node number"),
    (lambda: gcnh.Graph([["a", "b"]], np.eye(3)), ValueError, "'a' is no node number, 0 to 2; give ids"),
    (lambda: gcnh.Graph([["a", "b"]]), ValueError, "'a' is no node number; give ids"),
    (lambda: gcnh.Graph([[0, 2**40]]), ValueError, f"{2**40} is no node number"),
    (lambda: gcnh.Graph([[0, 1]], np.eye(3), splits=[([0], [1], [2**32])]), ValueError, f"splits: graph: node {2**32} outside 0..2"),
    (lambda: gcnh.Graph(np.eye(3), np.eye(3)), ValueError, "scipy.sparse"),
    (lambda: gcnh.Graph([[0, 1]], np.eye(3) * 1j), ValueError, "complex"),
    (lambda: gcnh.Graph(sp.eye(3) * 1j, np.eye(3)), ValueError, "complex"),
    (lambda: gcnh.Graph([[0, 1]], np.eye(3) * 1e300), gcnh.DataError, "3.4e38"),
    (lambda: gcnh.Graph([[0, 1]], np.eye(3), weights=["heavy"]), ValueError, "weights: "),
    (lambda: gcnh.Graph([[0, 1]], np.eye(3), [0.5, 1.25, 2]), ValueError, "y: 0.5 is no class"),
    (lambda: gcnh.Graph([[0, 1]], np.eye(3), [np.inf, 1, 2]), ValueError, "y: inf is no class"),
    (lambda: gcnh.Graph([[0, 1]], np.eye(3), np.array([1, "a", 2], dtype=object)), ValueError, "y: words and numbers"),
    (lambda: gcnh.Graph([[0, 1]], np.eye(3), 7), ValueError, "expected a list, got 7"),
    (lambda: gcnh.Graph([[0, 1]], np.eye(3), splits=[([0], [1])]), ValueError, r"splits: .*\(train, val, test\)"),
    (lambda: gcnh.Graph([[0, 1]], np.eye(3), splits=[([0.5], [1], [2])]), ValueError, "splits: graph: .*got 0.5"),
    (lambda: gcnh.Graph.from_pandas([[1, 2]]), ValueError, "nodes: expected a data frame, got list"),
    (lambda: gcnh.Graph.from_pandas(pd.DataFrame([[1, 2, 3]], columns=["id", "f", "f"])), gcnh.DataError, "nodes: two columns 'f'"),
    (lambda: gcnh.Graph.from_pandas(pd.DataFrame({"id": [1, 2], "label": ["a", "b"]}), pd.DataFrame({"a": [1], "b": [2]})), gcnh.DataError,
     "edges: no column 'source'; columns: a b; `source` names another"),
    (lambda: gcnh.Graph(np.zeros((3, 3, 3)), np.eye(3)), ValueError, "shape"),
    (lambda: gcnh.Graph(sp.eye(4), np.eye(3)), ValueError, "4 nodes for 3"),
    (lambda: gcnh.Graph(sp.csr_matrix(np.ones((2, 3))), np.eye(3)), ValueError, "square"),
    (lambda: gcnh.Graph(sp.csr_matrix(-np.eye(3)), np.eye(3)), gcnh.DataError, "weight -1"),
    (lambda: gcnh.Graph([[0, 1]], np.eye(3), weights=[0.0]), gcnh.DataError, "weight 0"),
    (lambda: gcnh.Graph([[0, 1]], np.eye(3), weights=[1, 2]), ValueError, "2 for 1 edges"),
    (lambda: gcnh.Graph([[0, 1]], np.eye(3), [0, 1]), ValueError, "2 labels for 3 nodes"),
    (lambda: gcnh.Graph([[0, 1]], np.array([[np.nan]] * 3)), gcnh.DataError, "NaN"),
    (lambda: gcnh.Graph([[0, 1]], np.array([["a"]] * 3)), ValueError, "from_pandas"),
    (lambda: gcnh.Graph([["a", "x"]], np.eye(2), ids=["a", "b"]), gcnh.DataError, "'x'"),
    (lambda: gcnh.Graph([["a", "a"]], np.eye(2), ids=["a", "a"]), gcnh.DataError, "ids: 'a' appears twice"),
    (lambda: gcnh.Graph([["a", "b"]], np.eye(3), ids=["a"]), ValueError, "ids: 1 for 3 nodes"),
    (lambda: gcnh.Graph(None, np.eye(3), np.eye(3)), ValueError, "y: expected a label per node, got an array of shape .*argmax"),
    (lambda: gcnh.Graph(None, np.eye(3), splits=[3]), ValueError, r"splits: .*\(train, val, test\)"),
    (lambda: gcnh.Graph.from_pandas(pd.DataFrame({"id": [1, 1], "label": ["a", "b"]})), gcnh.DataError, "appears again"),
    (lambda: gcnh.Graph.from_pandas(pd.DataFrame({"user": [1, 2]}), id="usr"), gcnh.DataError, "did you mean 'user'"),
    (lambda: gcnh.Graph(nx.path_graph(3), np.eye(3)), ValueError, "brings its features"),
    (lambda: gcnh.Graph(network({"x": [1]}, {})), gcnh.DataError, "x: 1 nodes have no attribute 'x', such as 1"),
    (lambda: gcnh.Graph(network({"x": [1]}, {"x": [1, 2]})), gcnh.DataError, "differ in length"),
    (lambda: gcnh.Graph(network({}, {}, weight="heavy")), ValueError, "weights: 'heavy' is no number"),
    (lambda: gcnh.Graph(nx.Graph([(1, "1")])), gcnh.DataError, "twice"),
    (lambda: gcnh.Graph.read("no.csv", "such.csv"), OSError, "no.csv"),
    (lambda: gcnh.datasets.load("corra"), ValueError, "did you mean"),
])
def test_what_is_wrong_is_said(make, error, words):
    with pytest.raises(error, match=words) as found:
        make()
    assert type(found.value) in (error, FileNotFoundError) or issubclass(type(found.value), error)
    assert issubclass(gcnh.DataError, ValueError)
