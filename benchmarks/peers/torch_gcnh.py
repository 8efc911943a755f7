#!/usr/bin/python3
"""GCNH with one layer in PyTorch, in the forms that people write it. Run by benchmarks/run.py.

    dense   as the paper's code: dense features, dense n x n adjacency (max: lists of edges), the whole graph for every batch
    coo     sparse features and adjacency in COO, torch.sparse.mm
    csr     the same in CSR
    tuned   CSR with both transposes stored and both encoders in one product; max by segments of sorted edges

An epoch is one full-batch step and one validation pass. The program answers on stdout, one JSON object per line: first how far its
losses are from those given, then, for every number read from stdin, the seconds of that many epochs.
"""
import argparse
import json
import resource
import struct
import sys
import time
import warnings

sys.dont_write_bytecode = True

import numpy as np  # noqa: E402
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402

import graphs  # noqa: E402

warnings.filterwarnings("ignore", message="Sparse CSR|scatter_reduce")
ENCODERS = ("self", "neighbours")


def read_safetensors(path):
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = file.read()
    header.pop("__metadata__", None)
    return {name: torch.tensor(np.frombuffer(data[slice(*entry["data_offsets"])], np.float32).reshape(entry["shape"]))
            for name, entry in header.items()}


def initial(features, hidden, classes):
    """Parameters as PyTorch starts a Linear, under the names of our model files."""
    shapes = {"classifier": (hidden, classes), **{f"layers.0.{part}": (features, hidden) for part in ENCODERS}}
    out = {"layers.0.theta": torch.zeros(1, 1)}
    for name, (rows, columns) in shapes.items():
        bound = rows**-0.5
        out[name + ".weight"] = torch.empty(rows, columns).uniform_(-bound, bound)
        out[name + ".bias"] = torch.empty(1, columns).uniform_(-bound, bound)
    return out


class StoredTranspose(torch.autograd.Function):
    """y = A x, dx = A' dy with A' made beforehand."""

    @staticmethod
    def forward(context, a, transposed, x):
        context.transposed = transposed
        return a @ x

    @staticmethod
    def backward(context, dy):
        return None, None, context.transposed @ dy


class LargestOfSegments(torch.autograd.Function):
    """y[u] = the largest of x[v] over the edges (u, v), at least 0. Equals share the gradient; PyTorch 1.13's own segment_reduce
    leaves negative gradients undivided."""

    @staticmethod
    def forward(context, x, edges, lengths):
        y = torch.segment_reduce(x[edges[1]], "max", lengths=lengths, initial=0)
        context.edges, context.lengths = edges, lengths
        context.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(context, dy):
        x, y = context.saved_tensors
        target, source = context.edges
        won = (x[source] == y[target]).float()
        winners = torch.segment_reduce(won, "sum", lengths=context.lengths, initial=0)
        return torch.zeros_like(x).index_add_(0, source, won * (dy / winners.clamp(min=1))[target]), None, None


def to_coo(m):
    m = m.tocoo()
    return torch.sparse_coo_tensor(np.stack([m.row, m.col]), m.data, m.shape).coalesce()


def to_csr(m):
    m = m.tocsr()
    return torch.sparse_csr_tensor(torch.tensor(m.indptr), torch.tensor(m.indices), torch.tensor(m.data), size=m.shape)


def product(form, m):
    """x -> m x, or with a numpy matrix the dense product whatever the form."""
    if isinstance(m, np.ndarray) or form == "dense":
        dense = torch.tensor(m if isinstance(m, np.ndarray) else m.toarray())
        return lambda x: dense @ x
    if form == "coo":
        a = to_coo(m)
        return lambda x: torch.sparse.mm(a, x)
    a = to_csr(m)
    if form == "csr":
        return lambda x: a @ x
    transposed = to_csr(m.T)
    return lambda x: StoredTranspose.apply(a, transposed, x)


def largest(form, m):
    """x -> the largest neighbour in every column, at least 0."""
    m = m.tocoo()
    nodes, edges = m.shape[0], torch.tensor(np.stack([m.row, m.col])).long()
    target, source = edges
    if form == "tuned":
        lengths = torch.bincount(target, minlength=nodes)
        return lambda x: LargestOfSegments.apply(x, edges, lengths)
    column = target[:, None]
    return lambda x: torch.zeros(nodes, x.shape[1]).scatter_reduce(0, column.expand(-1, x.shape[1]), x[source], "amax")


class Training:
    def __init__(self, graph, form, aggregation, parameters, lr=5e-3, weight_decay=5e-3):
        self.times_features = product(form, graph.features)
        self.aggregate = (product if aggregation == "sum" else largest)(form, graph.adjacency)
        self.labels = torch.tensor(graph.labels).long()
        self.train, self.val = torch.tensor(graph.train), torch.tensor(graph.val)
        self.joined = form == "tuned"
        if self.joined:
            for part in ("weight", "bias"):
                parameters["joined." + part] = torch.cat([parameters.pop(f"layers.0.{e}.{part}") for e in ENCODERS], 1)
        self.p = {name: value.clone().requires_grad_() for name, value in parameters.items()}
        self.adam = torch.optim.Adam(self.p.values(), lr=lr, weight_decay=weight_decay)

    def encode(self, name):
        return F.leaky_relu(self.times_features(self.p[name + ".weight"]) + self.p[name + ".bias"], 0.01)

    def loss(self, rows):
        if self.joined:
            z, m = self.encode("joined").chunk(2, 1)
            m = m.contiguous()
        else:
            z, m = (self.encode("layers.0." + e) for e in ENCODERS)
        beta = torch.sigmoid(self.p["layers.0.theta"])
        h = beta * z + (1 - beta) * self.aggregate(m)
        logits = h[rows] @ self.p["classifier.weight"] + self.p["classifier.bias"]
        return F.nll_loss(F.log_softmax(logits, 1), self.labels[rows])

    def epoch(self):
        self.adam.zero_grad()
        loss = self.loss(self.train)
        loss.backward()
        self.adam.step()
        with torch.no_grad():
            return loss.item(), self.loss(self.val).item()


def furthest(training, curve):
    """Largest relative distance of the losses from those of our program, over the epochs it recorded."""
    out = 0.0
    for line in open(curve):
        theirs = json.loads(line)
        for mine, key in zip(training.epoch(), ("train_loss", "val_loss")):
            out = max(out, abs(mine - theirs[key]) / abs(theirs[key]))
    return out


def main():
    args = argparse.ArgumentParser()
    args.add_argument("form", choices=["dense", "coo", "csr", "tuned"])
    args.add_argument("--data", default="cora", help="a graph of the paper, or NODES,EDGES,FEATURES,CLASSES of a generated one")
    args.add_argument("--root", help="folder of the datasets")
    args.add_argument("--aggregation", choices=["sum", "max"], default="sum")
    args.add_argument("--hidden", type=int, default=16)
    args.add_argument("--threads", type=int, default=1)
    args.add_argument("--weights", help="checkpoint of our program to start from")
    args.add_argument("--curve", help="losses of our program from there, to compare with")
    args = args.parse_args()
    torch.set_num_threads(args.threads)
    graph = graphs.power_law(*map(int, args.data.split(","))) if "," in args.data else graphs.load(args.root, args.data)
    if args.weights:
        stored = read_safetensors(args.weights)
        parameters = {name[len("best."):]: value for name, value in stored.items() if name.startswith("best.")}
    else:
        parameters = initial(graph.features.shape[1], args.hidden, int(graph.labels.max()) + 1)
    training = Training(graph, args.form, args.aggregation, parameters)
    distance = furthest(training, args.curve) if args.curve else None
    print(json.dumps({"distance": distance}), flush=True)
    for line in sys.stdin:
        start = time.perf_counter()
        for _ in range(int(line)):
            training.epoch()
        seconds = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        print(json.dumps({"seconds": seconds, "peak_rss_bytes": peak}), flush=True)


if __name__ == "__main__":
    main()
