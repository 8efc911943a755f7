"""GAT in PyTorch, written from the equations on dense matrices, float64. Conventions as in models.py."""
import math

import torch
import torch.nn.functional as F


def edge_dropout(run, entries, values):
    """Dropout on (nodes, nodes, heads) values of the listed entries, drawn entry by entry, the heads of an entry together."""
    out = torch.zeros_like(values)
    out[entries] = values[entries] * run.factors(values[entries].numel()).view(values[entries].shape)
    return out


def gat(case, p, rows, run):
    options, n = case["options"], len(case["a"])
    mask = case["a"] + torch.eye(n) > 0
    entries = mask.nonzero(as_tuple=True)
    layers = int(options["layers"])
    h = None
    for l in range(layers):
        heads = 1 if l + 1 == layers else int(options["heads"])
        x = run.dropout(h) if l > 0 else run.dropout_features(case["x"], case["sparse"])
        wh = (x @ p[f"layers.{l}.weight"]).view(n, heads, -1)
        a = p[f"layers.{l}.attention"].view(2, heads, -1)
        scores = (wh * a[0]).sum(2).unsqueeze(1) + (wh * a[1]).sum(2).unsqueeze(0)  # (n, n, heads)
        distance = scores[entries].abs()
        run.kink(distance[distance > 1e-13])  # nodes without features score 0 whatever the weights
        scores = F.leaky_relu(scores, 0.2)
        if options["attention"] == "softmax":
            alpha = torch.softmax(scores.masked_fill(~mask.unsqueeze(2), -math.inf), 1)
            alpha = edge_dropout(run, entries, alpha)
        else:
            k = edge_dropout(run, entries, torch.exp(-scores))
            alpha = k / k.sum(1, keepdim=True).clamp(min=1e-9)
        h = F.elu(torch.einsum("uvh,vhj->uhj", alpha, wh).reshape(n, -1))
    return h[rows]


FORWARD = dict(gat=gat)


def gat_shapes(features, classes, options):
    out, inner, layers = {}, features, int(options["layers"])
    for l in range(layers):
        width = classes if l + 1 == layers else int(options["heads"]) * int(options["hidden"])
        out[f"layers.{l}.weight"], out[f"layers.{l}.attention"] = (inner, width), (2, width)
        inner = width
    return out


SHAPES = dict(gat=gat_shapes)


def gat_options(**options):
    return {**dict(layers="2", hidden="3", heads="2", attention="softmax"), **options}


GOLDEN = [
    dict(name="gat_1", model="gat", options=gat_options(layers="1")),
    dict(name="gat_2", model="gat", options=gat_options(), values=True, weight_decay=0.0005),
    dict(name="gat_wide_directed", model="gat", options=gat_options(hidden="8", heads="8"), features=4, directed=True),
    dict(name="gat_dropout_directed", model="gat", options=gat_options(dropout="0.6", heads="3"), directed=True, weights=False),
    dict(name="gat_exp", model="gat", options=gat_options(attention="exp", hidden="4"), sparse=False),
    dict(name="gat_exp_dropout_directed", model="gat", options=gat_options(attention="exp", dropout="0.5"), directed=True),
    dict(name="gat_exp_dropout_batches_3", model="gat", batch=3, options=gat_options(attention="exp", dropout="0.3", layers="3")),
]
