"""Geom-GCN in PyTorch, written from its equations on dense float64 matrices; relations are given as 0/1 matrices [receiver][sender]."""
import numpy as np
import torch


def random_relations(r, nodes):
    """Pairs in at most one of eight relations, mostly one-way, a hub, isolated nodes, one relation empty; no loops."""
    out = [np.zeros((nodes, nodes)) for _ in range(8)]
    open_nodes = [0] + [u for u in range(1, nodes) if r.rand() > 0.15]
    for _ in range(4 * nodes):
        u, v = (0 if r.rand() < 0.15 else r.choice(open_nodes) for _ in range(2))
        if u != v and not any(m[u, v] for m in out):
            out[r.randint(7)][u, v] = 1
    return out


def geomgcn(case, p, rows, run):
    nodes = len(case["x"])
    relations = case["relations"] + [torch.eye(nodes)]
    norm = sum(relations).sum(1).pow(-0.5).view(-1, 1)
    layers, h = int(case["options"]["layers"]), None
    for l in range(layers):
        h = run.dropout_features(case["x"], case["sparse"]) if l == 0 else run.dropout(h)
        weights = p[f"layers.{l}.weight"].chunk(len(relations), 1)
        parts = [norm * (m @ (norm * (h @ w))) for m, w in zip(relations, weights)]
        h = run.leaky_relu(torch.cat(parts, 1), 0) if l + 1 < layers else torch.stack(parts).mean(0)
    return h[rows]


def geomgcn_shapes(case):
    layers, hidden, parts = int(case["options"]["layers"]), int(case["options"]["hidden"]), len(case["relations"]) + 1
    return {f"layers.{l}.weight": (case["x"].shape[1] if l == 0 else parts * hidden,
                                   parts * (case["classes"] if l + 1 == layers else hidden)) for l in range(layers)}


FORWARD = dict(geomgcn=geomgcn)
SHAPES = dict(geomgcn=geomgcn_shapes)
GOLDEN = [
    dict(name="geomgcn_1", model="geomgcn", features=5),
    dict(name="geomgcn_2", model="geomgcn", features=5, nodes=10, options=dict(layers="2", hidden="2"), values=True, weight_decay=0.0005),
    dict(name="geomgcn_dropout_sparse", model="geomgcn", features=5, nodes=10, options=dict(layers="2", hidden="2", dropout="0.5")),
    dict(name="geomgcn_dropout_dense", model="geomgcn", features=5, nodes=10, options=dict(layers="2", hidden="2", dropout="0.3"),
         sparse=False, directed=True),
    dict(name="geomgcn_dropout_batches_3", model="geomgcn", features=4, nodes=9, classes=2, batch=3,
         options=dict(layers="3", hidden="1", dropout="0.3")),
]
