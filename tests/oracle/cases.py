"""Random graphs, features and training settings, as the JSON that tests/support/golden.h reads."""
import json

import numpy as np
import torch

import geomgcn
import models
import philox

STEPS = 50
DEFAULTS = dict(layers="1", hidden="5", dropout="0")
GCNH = dict(aggregation="sum", max_floor="false", encoders="separate", beta="learned")


def random_adjacency(r, nodes, directed, weights, loops):
    a = np.zeros((nodes, nodes))
    open_nodes = [0] + [u for u in range(1, nodes) if r.rand() > 0.15]  # the others stay isolated
    for _ in range(2 * nodes):
        u, v = (0 if r.rand() < 0.15 else r.choice(open_nodes) for _ in range(2))  # node 0 is a hub
        if u == v and not loops:
            continue
        a[u, v] += 1
        if not directed and u != v:
            a[v, u] += 1
    return a if weights else np.minimum(a, 1)


def random_features(r, nodes, columns, sparse, values):
    x = (r.rand(nodes, columns) < 0.35) * 1.0
    x[r.rand(nodes) < 0.15] = 0  # rows without features
    if values:
        x *= np.round(r.uniform(0.1, 2, x.shape), 3)
    if not sparse:
        x += np.round(r.uniform(-0.5, 0.5, x.shape), 3)
    return x


def csr(m):
    rows, cols = np.nonzero(m)
    offsets = np.concatenate([[0], np.cumsum((m != 0).sum(1))])
    return dict(rows=m.shape[0], cols=m.shape[1], offsets=offsets.tolist(), indices=cols.tolist(), values=m[rows, cols].tolist())


def random_parameter(r, name, shape):
    """Wider than the library starts, so that activations and shares matter, yet keeping logits within reach of float."""
    bound = 1.5 / np.sqrt(shape[0]) if name.endswith("weight") else 0.7
    low = 0.5 if name.endswith("variance") else -bound
    return np.round(r.uniform(low, bound + (low > 0), shape), 6).tolist()


def random_batches(r, train, size):
    """Shuffled epochs of batches, the last of an epoch smaller, until there is one per step."""
    if size is None:
        return [train]
    out = []
    while len(out) < STEPS:
        order = [train[i] for i in r.permutation(len(train))]
        out += [order[i : i + size] for i in range(0, len(order), size)]
    return out[:STEPS]


def make(name, seed, model, options=None, nodes=12, features=8, classes=3, directed=False, weights=True, loops=True, sparse=True,
         values=False, batch=None, lr=0.01, weight_decay=0.005, adam="torch", apart=False):
    """One case: what goes in and what PyTorch makes of it."""
    r = np.random.RandomState(seed)
    a = random_adjacency(r, nodes, directed, weights, loops)
    x = random_features(r, nodes, features, sparse, values)
    labels = r.randint(classes, size=nodes)
    options = {**DEFAULTS, **(GCNH if model == "gcnh" else {}), **(options or {})}
    case = dict(model=model, options=options, classes=classes, lr=lr, weight_decay=weight_decay, adam=adam, a=torch.tensor(a),
                x=torch.tensor(x), sparse=sparse, labels=torch.tensor(labels), apart=apart)
    relations = geomgcn.random_relations(r, nodes) if model in geomgcn.FORWARD else []
    case["relations"] = [torch.tensor(m) for m in relations]
    parameters = {n: random_parameter(r, n, shape) for n, shape in models.shapes(case).items()}
    train = sorted(int(u) for u in r.permutation(nodes)[: max(2, int(0.7 * nodes))])
    batches = random_batches(r, train, batch)
    result = models.train(case, parameters, batches, philox.Rng(seed), STEPS)
    return dict(name=name, model=model, options=options, classes=classes, lr=lr, weight_decay=weight_decay, seed=seed,
                graph=csr(a), features=csr(x) if sparse else x.tolist(), labels=labels.tolist(), parameters=parameters,
                batches=batches, **({"relations": [csr(m) for m in relations]} if relations else {}), **result,
                **(dict(adam=adam) if adam != "torch" else {}), **(dict(apart=True) if apart else {}))


def write(folder, case):
    path = folder / (case["name"] + ".json")
    with open(path, "w") as file:
        json.dump(case, file, separators=(",", ":"))
        file.write("\n")
    return path
