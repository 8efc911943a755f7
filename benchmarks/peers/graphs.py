"""The paper's graphs as its code takes them, read from the published files; and a power-law graph of any size.

Cleaning (undirected by the larger of A and A', repeats and loops kept, raw 0/1 features, unlabelled nodes out, film's rows in file
order and its columns shifted by one) is what `gcnh --view paper` does; the losses of both show that the graphs are the same.
"""
import pathlib
import pickle
from types import SimpleNamespace

import numpy as np
import scipy.sparse as sp

PLANETOID = ("cora", "citeseer")


def undirected(counts):
    return counts.maximum(counts.T).tocsr().astype(np.float32)


def read_geom_gcn(root, name):
    with open(root / "geom-gcn" / name / "out1_node_feature_label.txt") as file:
        lines = [line.rstrip("\n").split("\t") for line in file][1:]
    labels = np.array([int(label) for _, _, label in lines])
    cells = [np.array(text.split(","), dtype=np.int64) for _, text, _ in lines]
    if name == "film":  # lists of indices; the paper's code stores index i in column i - 1
        columns, num_features = [np.unique((c - 1) % 931) for c in cells], 931
    else:  # a digit per feature
        columns, num_features = [np.flatnonzero(c) for c in cells], len(cells[0])
    rows = np.repeat(np.arange(len(lines)), [len(c) for c in columns])
    columns = np.concatenate(columns)
    features = sp.csr_matrix((np.ones(len(rows), np.float32), (rows, columns)), (len(lines), num_features))
    with open(root / "geom-gcn" / name / "out1_graph_edges.txt") as file:
        edges = np.array([line.split() for line in file if line[0].isdigit()], dtype=np.int64)
    counts = sp.csr_matrix((np.ones(len(edges)), edges.T), (len(lines), len(lines)))
    return undirected(counts), features, labels, np.arange(len(lines))


def read_planetoid(root, name):
    def part(kind):
        with open(root / "planetoid" / f"ind.{name}.{kind}", "rb") as file:
            return pickle.load(file, encoding="latin1")

    order = np.loadtxt(root / "planetoid" / f"ind.{name}.test.index", dtype=np.int64)
    graph, first = part("graph"), order.min()
    features = sp.lil_matrix((len(graph), part("x").shape[1]), dtype=np.float32)
    onehot = np.zeros((len(graph), part("y").shape[1]))
    features[:first], onehot[:first] = part("allx"), part("ally")
    features[order], onehot[order] = part("tx"), part("ty")
    pairs = np.array(sorted({(u, v) for u, neighbours in graph.items() for v in neighbours}))
    counts = sp.csr_matrix((np.ones(len(pairs)), pairs.T), (len(graph), len(graph)))
    kept = np.flatnonzero(onehot.sum(1))
    return undirected(counts)[kept][:, kept], features.tocsr()[kept], onehot.argmax(1)[kept], kept


def load(root, name, split=0):
    root = pathlib.Path(root)
    adjacency, features, labels, kept = (read_planetoid if name in PLANETOID else read_geom_gcn)(root, name)
    masks = np.load(root / "geom-gcn" / "splits" / f"{name}_split_0.6_0.2_{split}.npz")
    train, val = (np.flatnonzero(masks[f"{part}_mask"][kept]) for part in ("train", "val"))
    return SimpleNamespace(adjacency=adjacency, features=features, labels=labels, train=train, val=val)


def power_law(nodes, edges, features, classes, train=0.48, val=0.32, seed=1):
    """A graph of this size like those of `gcnh bench scale`, not the same one: the weight of rank r falls with r^-1/2."""
    r = np.random.default_rng(seed)
    order = r.permutation(nodes)
    ends = order[(nodes * r.random((2, edges)) ** 2).astype(np.int64)]
    ends = ends[:, ends[0] != ends[1]]
    adjacency = undirected(sp.csr_matrix((np.ones(ends.shape[1]), ends), (nodes, nodes)))
    adjacency.data[:] = 1
    parts = np.split(r.permutation(nodes), [int(train * nodes), int((train + val) * nodes)])
    return SimpleNamespace(adjacency=adjacency, features=r.standard_normal((nodes, features), dtype=np.float32),
                           labels=r.integers(classes, size=nodes), train=np.sort(parts[0]), val=np.sort(parts[1]))
