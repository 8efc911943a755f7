"""GAT and GGCN in PyTorch, written from the equations on dense matrices, float64. Conventions as in models.py."""
import math

import torch
import torch.nn.functional as F

from trimmings import jump, linear, linear_shapes, norm_shapes, normalised, options_of, random_options as random_trimmings, with_residual


def edge_dropout(run, entries, values):
    """Dropout on (nodes, nodes, heads) values of the listed entries, drawn entry by entry, the heads of an entry together."""
    out = torch.zeros_like(values)
    out[entries] = values[entries] * run.factors(values[entries].numel()).view(values[entries].shape)
    return out


def gat(case, p, rows, run):
    options, n = case["options"], len(case["a"])
    mask = case["a"] + torch.eye(n) > 0
    entries = mask.nonzero(as_tuple=True)
    norm, residual, head = options_of(options)
    h, outputs, layers = case["x"], [], int(options["layers"])
    for l in range(layers):
        gives_logits = head == "none" and l + 1 == layers
        heads = 1 if gives_logits else int(options["heads"])
        x = run.dropout(h) if l > 0 else run.dropout_features(h, case["sparse"])
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
        z = torch.einsum("uvh,vhj->uhj", alpha, wh).reshape(n, -1)
        z = with_residual(residual, p, f"layers.{l}.residual", z, h, l == 0)
        if gives_logits:
            return F.elu(z)[rows]
        h = F.elu(normalised(norm, p, f"layers.{l}.norm", z, run))
        outputs.append(h)
    return linear(p, "classifier", run.dropout(jump(head, outputs, run)[rows]))


def ggcn_layer(p, name, s, P, run):
    off = s * (1 - torch.eye(len(s)))
    entries = off != 0
    ratio = torch.where(entries, s.diagonal().view(-1, 1) / torch.where(entries, s, torch.ones_like(s)) - 1, torch.zeros_like(s))
    a = p[name + ".degree"][0]
    tau = F.softplus(a[0] * ratio + a[1])
    norm = P.norm(dim=1)
    cosine = (P @ P.T) / (norm.view(-1, 1) * norm.view(1, -1)).clamp(min=1e-9)
    run.kink(cosine[entries].abs())
    run.kink(norm)  # near 0 a direction turns quickly
    t = cosine * off * tau
    k = torch.softmax(p[name + ".kappa"][0], 0)
    return F.softplus(p[name + ".scale"]) * (k[0] * t.clamp(min=0) @ P + k[1] * t.clamp(max=0) @ P + k[2] * P)


def ggcn(case, p, rows, run):
    options = case["options"]
    a = case["a"] + torch.eye(len(case["a"]))
    root = a.sum(1).pow(-0.5)
    s = root.view(-1, 1) * a * root.view(1, -1)
    layers = int(options["layers"])
    width = int(options["hidden"]) if layers > 1 else 0
    x = run.dropout_features(case["x"], case["sparse"])
    both = x @ p["layers.0.weight"] + p["layers.0.bias"]
    r, z = F.elu(both[:, :width]), ggcn_layer(p, "layers.0", s, both[:, width:], run)
    for i in range(1, layers):
        z = run.dropout(F.elu(z))
        r = r + (1 if i == 1 else math.log(float(options["decay"]) / (i + 1) ** 3 + 1)) * z
        z = ggcn_layer(p, f"layers.{i}", s, r @ p[f"layers.{i}.weight"] + p[f"layers.{i}.bias"], run)
    return z[rows]


FORWARD = dict(gat=gat, ggcn=ggcn)


def gat_shapes(case):
    features, classes, options = case["x"].shape[1], case["classes"], case["options"]
    norm, residual, head = options_of(options)
    out, inner, layers, wide = {}, features, int(options["layers"]), int(options["heads"]) * int(options["hidden"])
    for l in range(layers):
        is_hidden = head != "none" or l + 1 < layers
        width = wide if is_hidden else classes
        out[f"layers.{l}.weight"], out[f"layers.{l}.attention"] = (inner, width), (2, width)
        if residual == "linear":
            out.update(linear_shapes(f"layers.{l}.residual", inner, width))
        if is_hidden:
            out.update(norm_shapes(norm, f"layers.{l}.norm", width))
        inner = width
    return out if head == "none" else {**out, **linear_shapes("classifier", wide * (layers if head == "concat" else 1), classes)}


def ggcn_shapes(case):
    features, classes, options = case["x"].shape[1], case["classes"], case["options"]
    out, hidden, layers = {}, int(options["hidden"]), int(options["layers"])
    for l in range(layers):
        width = (classes if l + 1 == layers else hidden) + (hidden if l == 0 and layers > 1 else 0)
        out[f"layers.{l}.weight"], out[f"layers.{l}.bias"] = (features if l == 0 else hidden, width), (1, width)
        out.update({f"layers.{l}.degree": (1, 2), f"layers.{l}.kappa": (1, 3), f"layers.{l}.scale": (1, 1)})
    return out


SHAPES = dict(gat=gat_shapes, ggcn=ggcn_shapes)


def gat_options(**options):
    return {**dict(layers="2", hidden="3", heads="2", attention="softmax"), **options}


def ggcn_options(**options):
    return {**dict(layers="2", hidden="4", decay="1"), **options}


def random_options(model, pick):
    """What the slow comparison draws besides layers, hidden and dropout."""
    if model == "gat":
        return dict(heads=pick("1", "2", "8"), attention=pick("softmax", "exp"), **(random_trimmings(pick) if pick(True, False) else {}))
    return dict(decay=pick("0.7", "1.2"))


GOLDEN = [
    dict(name="gat_1", model="gat", options=gat_options(layers="1")),
    dict(name="gat_2", model="gat", options=gat_options(), values=True, weight_decay=0.0005),
    dict(name="gat_wide_directed", model="gat", options=gat_options(hidden="8", heads="8"), features=4, directed=True),
    dict(name="gat_dropout_directed", model="gat", options=gat_options(dropout="0.6", heads="3"), directed=True, weights=False),
    dict(name="gat_exp", model="gat", options=gat_options(attention="exp", hidden="4"), sparse=False),
    dict(name="gat_exp_dropout_directed", model="gat", options=gat_options(attention="exp", dropout="0.5"), directed=True),
    dict(name="gat_exp_dropout_batches_3", model="gat", batch=3, options=gat_options(attention="exp", dropout="0.3", layers="3")),
    dict(name="ggcn_1", model="ggcn", options=ggcn_options(layers="1")),
    dict(name="ggcn_2", model="ggcn", options=ggcn_options(), values=True, weight_decay=0.001),
    dict(name="ggcn_directed_3", model="ggcn", options=ggcn_options(layers="3", decay="0.9"), directed=True),
    dict(name="ggcn_dense", model="ggcn", options=ggcn_options(hidden="9"), features=5, sparse=False, weights=False),
    dict(name="ggcn_dropout_directed", model="ggcn", options=ggcn_options(dropout="0.5"), directed=True, weights=False),
    dict(name="ggcn_dropout_batches_4", model="ggcn", options=ggcn_options(dropout="0.3", layers="4", decay="1.2"), batch=3),
]
