"""What layers of GCNH, GCN and GAT can wear, in PyTorch: norms, what they read added to what they give, what of all layers is classified."""
import torch
import torch.nn.functional as F


def linear(p, name, h):
    return h @ p[name + ".weight"] + p[name + ".bias"]


def linear_shapes(name, rows, cols):
    return {name + ".weight": (rows, cols), name + ".bias": (1, cols)}


def unit_rows(run, x):
    length = x.norm(dim=1)
    run.kink(length[length > 0] / 1000)  # a direction turns the more quickly, the shorter the row is
    return F.normalize(x, dim=1, eps=1e-300)


def normalised(kind, p, name, x, run):
    """Of batch, a training pass moves the running moments."""
    if kind in ("none", "l2"):
        return unit_rows(run, x) if kind == "l2" else x
    deviation = x.std(1 if kind == "layer" else 0, unbiased=False)
    run.kink(deviation[deviation > 1e-13] / 1000)  # as with short rows
    scale, shift = p[name + ".weight"], p[name + ".bias"]
    if kind == "layer":
        return F.layer_norm(x, x.shape[1:], scale[0], shift[0])
    mean, variance = p[name + ".mean"].data[0], p[name + ".variance"].data[0]  # changed in place
    return F.batch_norm(x, mean, variance, scale[0], shift[0], training=run.rng is not None)


def norm_shapes(kind, name, width):
    parts = dict(layer=["weight", "bias"], batch=["weight", "bias", "mean", "variance"]).get(kind, [])
    return {f"{name}.{part}": (1, width) for part in parts}


def is_running(name):
    """What forward passes move and nothing trains."""
    return name.endswith((".mean", ".variance"))


def with_residual(kind, p, name, y, h, first, rows=None):
    """y plus what its layer reads, of the rows that y is of."""
    if kind == "linear":
        h = linear(p, name, h)
    elif kind != "add" or first or h.shape[1] != y.shape[1]:
        return y
    return y + (h if rows is None else h[rows])


def jump(kind, outputs, run):
    if kind == "concat":
        return torch.cat(outputs, 1)
    if kind != "max":
        return outputs[-1]
    stacked = torch.stack(outputs)
    if len(outputs) > 1:
        top = stacked.topk(2, 0)[0]
        gap = top[0] - top[1]
        run.kink(gap[gap > 1e-13])
    return stacked.max(0)[0]


def options_of(options):
    """norm, residual and jump of GCN and GAT."""
    return options.get("norm", "none"), options.get("residual", "none"), options.get("jump", "none")


def random_options(pick):
    return dict(norm=pick("none", "l2", "layer", "batch"), residual=pick("none", "add", "linear"), jump=pick("none", "last", "concat", "max"))


GOLDEN = [
    dict(name="gcn_layer_residual_3", model="gcn", options=dict(layers="3", norm="layer", residual="add", dropout="0.3"), directed=True),
    dict(name="gcn_batch_linear_last", model="gcn", options=dict(layers="2", norm="batch", residual="linear", jump="last", dropout="0.25"), batch=4),
    dict(name="gcn_l2_concat", model="gcn", options=dict(layers="2", norm="l2", jump="concat"), values=True),
    dict(name="gcn_residual_max", model="gcn", options=dict(layers="3", residual="linear", jump="max"), directed=True, weights=False),
    dict(name="gat_batch_residual", model="gat", directed=True,
         options=dict(layers="3", hidden="3", heads="2", attention="softmax", norm="batch", residual="add")),
    dict(name="gat_layer_linear_concat", model="gat", batch=4,
         options=dict(layers="2", hidden="2", heads="2", attention="softmax", norm="layer", residual="linear", jump="concat", dropout="0.3")),
    dict(name="gat_exp_max", model="gat", options=dict(layers="2", hidden="4", heads="1", attention="exp", jump="max", residual="linear")),
]
