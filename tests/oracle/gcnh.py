"""GCNH and what it is carried on to in PyTorch, written from the equations on dense matrices, float64. Conventions as in models.py."""
import torch
import torch.nn.functional as F

from trimmings import jump, linear, linear_shapes, norm_shapes, normalised, with_residual

SLOPE = 0.01  # of LeakyReLU
DEFAULTS = dict(aggregation="sum", max_floor="false", encoders="separate", beta="learned", own="true", hops="1", adjacency_rows="false",
                messages="relu", norm="none", mixing="weights", jump="last", residual="none", encoder_decay="same")


def directions(case):
    """Name of the channel and whom a node receives from."""
    return [("out", case["a"]), ("in", case["a"].T)] if case.get("apart") else [("neighbours", case["a"])]


def channels(options, case, l):
    """Of a layer: name of its encoder, matrix that is encoded in place of the layer's input, matrix along which messages travel, hops."""
    out = [("self", None, None, 0)] if options["own"] == "true" else []
    for name, a in directions(case):
        out += [(name if k == 1 else f"{name}.{k}", None, a, k) for k in range(1, int(options["hops"]) + 1)]
    if options["encoders"] == "shared":
        out = [(out[0][0], *rest) for _, *rest in out]
    if l == 0 and options["adjacency_rows"] == "true":
        out += [("rows." + name, a, None, 0) for name, a in directions(case)]
    return out


def own_names(options, case, l):
    """Of the channels, whether they share an encoder or not."""
    return [name for name, *_ in channels({**options, "encoders": "separate"}, case, l)]


def aggregate(options, a, m, run):
    if options["aggregation"] == "sum":
        return a @ m
    if options["aggregation"] == "mean":
        return (a / (a.sum(1, keepdim=True) + 1e-6)) @ m
    if options["aggregation"] == "symmetric":
        return torch.where(a > 0, a / (a.sum(1).view(-1, 1) * a.sum(0).view(1, -1)).sqrt(), a) @ m
    rows = []
    for u in range(len(a)):
        neighbours = m[a[u] != 0]
        if options["max_floor"] == "true":
            neighbours = torch.cat([torch.zeros(1, m.shape[1]), neighbours])
        rows.append(run.largest(neighbours) if len(neighbours) else torch.zeros(m.shape[1]))
    return torch.stack(rows)


def activate(run, x):
    run.kink(x[x != 0].abs())  # of a node without neighbours there is nothing, exactly
    return F.leaky_relu(x, SLOPE)


def mixed(options, p, name, parts):
    if options["mixing"] == "concat":
        return torch.cat(parts, 1)
    if len(parts) == 1:
        return parts[0]
    if name not in p:
        return float(options["beta"]) * parts[0] + (1 - float(options["beta"])) * parts[1]
    theta = p[name]
    w = torch.cat([torch.sigmoid(theta), 1 - torch.sigmoid(theta)]) if len(parts) == 2 else torch.softmax(theta, 0)
    return sum(w[c] * part for c, part in enumerate(parts))


def gcnh(case, p, rows, run):
    options, h = {**DEFAULTS, **case["options"]}, case["x"]
    layers, outputs = int(options["layers"]), []
    for l in range(layers):
        parts = []
        norm_names = own_names(options, case, l)
        for c, (encoder, features, a, hops) in enumerate(channels(options, case, l)):
            m = linear(p, f"layers.{l}.{encoder}", h if features is None else features)
            if options["messages"] == "relu":
                m = activate(run, m)
            for _ in range(hops):
                m = aggregate(options, a, m, run)
            if options["messages"] == "linear":
                m = activate(run, m)
            parts.append(normalised(options["norm"], p, f"layers.{l}.{norm_names[c]}.norm", m, run))
        before, h = h, mixed(options, p, f"layers.{l}.theta", parts)
        h = run.dropout(h[rows] if l + 1 == layers else h)
        h = with_residual(options["residual"], p, f"layers.{l}.residual", h, before, l == 0, rows if l + 1 == layers else None)
        outputs.append(h if l + 1 == layers else h[rows])
    return linear(p, "classifier", jump(options["jump"], outputs, run))


def shapes(case):
    options, out = {**DEFAULTS, **case["options"]}, {}
    width, hidden, classified = case["x"].shape[1], int(options["hidden"]), 0

    for l in range(int(options["layers"])):
        all_channels = channels(options, case, l)
        for encoder, features, _, _ in all_channels:
            out.update(linear_shapes(f"layers.{l}.{encoder}", width if features is None else len(features), hidden))
        for name in own_names(options, case, l):
            out.update(norm_shapes(options["norm"], f"layers.{l}.{name}.norm", hidden))
        concatenated = options["mixing"] == "concat"
        if len(all_channels) > 1 and not concatenated and options["beta"] in ("learned", "pointwise"):
            out[f"layers.{l}.theta"] = (1 if len(all_channels) == 2 else len(all_channels), hidden if options["beta"] == "pointwise" else 1)
        before, width = width, len(all_channels) * hidden if concatenated else hidden
        if options["residual"] == "linear":
            out.update(linear_shapes(f"layers.{l}.residual", before, width))
        classified = classified + width if options["jump"] == "concat" else width
    return {**out, **linear_shapes("classifier", classified, case["classes"])}


def weight_decay(case, name):
    own = case["options"].get("encoder_decay", "same")
    is_encoder = name.startswith("layers.") and not any(part in name for part in (".norm.", ".residual.", ".theta"))
    return float(own) if is_encoder and own != "same" else case["weight_decay"]


def random_options(pick):
    """What the slow comparison draws besides layers, hidden and dropout."""
    out = dict(aggregation=pick("sum", "mean", "max", "symmetric"), max_floor=pick("true", "false"), encoders=pick("separate", "shared"),
               beta=pick("learned", "learned", "pointwise", "0.5", "1"))
    if pick(True, False):
        out.update(own=pick("true", "false"), hops=pick("1", "2", "3"), messages=pick("relu", "linear"), norm=pick("none", "l2", "layer", "batch"),
                   residual=pick("none", "add", "linear"), encoder_decay=pick("same", "0.02"), mixing=pick("weights", "concat"), jump=pick("last", "concat", "max"), beta=pick("learned", "pointwise"))
        if out["jump"] != "max" or out["mixing"] != "concat":
            out.update(adjacency_rows=pick("true", "false"))
    return out


GOLDEN = [
    dict(name="gcnh_symmetric_2", model="gcnh", options=dict(aggregation="symmetric", layers="2"), directed=True),
    dict(name="gcnh_linear_2", model="gcnh", options=dict(messages="linear", layers="2"), directed=True),
    dict(name="gcnh_linear_max", model="gcnh", options=dict(messages="linear", aggregation="max"), weights=False),
    dict(name="gcnh_apart", model="gcnh", options=dict(layers="2", dropout="0.3"), directed=True, apart=True, batch=3),
    dict(name="gcnh_apart_pointwise", model="gcnh", options=dict(beta="pointwise", aggregation="mean"), directed=True, apart=True),
    dict(name="gcnh_apart_undirected", model="gcnh", options=dict(messages="linear"), apart=True),
    dict(name="gcnh_hops_3", model="gcnh", options=dict(hops="3", aggregation="symmetric")),
    dict(name="gcnh_hops_2_linear_apart", model="gcnh", options=dict(hops="2", messages="linear", aggregation="mean"), directed=True,
         apart=True, values=True),
    dict(name="gcnh_neighbours_alone", model="gcnh", options=dict(own="false", layers="2"), directed=True),
    dict(name="gcnh_hops_shared", model="gcnh", options=dict(encoders="shared", hops="2", own="false", layers="2"), directed=True),
    dict(name="gcnh_rows_concat", model="gcnh", directed=True,
         options=dict(own="false", messages="linear", adjacency_rows="true", mixing="concat", hidden="4")),
    dict(name="gcnh_rows_apart_2", model="gcnh", options=dict(adjacency_rows="true", layers="2", dropout="0.4"), directed=True, apart=True),
    dict(name="gcnh_l2_concat_3", model="gcnh", options=dict(norm="l2", mixing="concat", layers="3", hidden="4"), sparse=False, lr=0.005),
    dict(name="gcnh_jump_concat", model="gcnh", batch=4, options=dict(jump="concat", layers="3", dropout="0.25"), directed=True, lr=0.005),
    dict(name="gcnh_jump_max", model="gcnh", options=dict(jump="max", layers="2", messages="linear", norm="l2"), directed=True, apart=True),
    dict(name="gcnh_layer_residual_3", model="gcnh", options=dict(norm="layer", layers="3", residual="add", dropout="0.25"), directed=True),
    dict(name="gcnh_layer_linear_rows", model="gcnh", weights=False,
         options=dict(norm="layer", messages="linear", adjacency_rows="true", encoder_decay="0.1")),
    dict(name="gcnh_batch_residual_2", model="gcnh", directed=True, apart=True, batch=4,
         options=dict(norm="batch", layers="2", residual="linear", dropout="0.3")),
    dict(name="gcnh_batch_concat_shared", model="gcnh", options=dict(norm="batch", mixing="concat", encoders="shared", hops="2", layers="2")),
    dict(name="gcnh_residual_concat", model="gcnh", batch=3, lr=0.005,
         options=dict(residual="add", mixing="concat", own="false", hops="2", layers="3", jump="concat", aggregation="symmetric")),
    dict(name="gcnh_wide_encoder_decay", model="gcnh", options=dict(hidden="16", encoder_decay="0.05", dropout="0.3"), features=5, batch=3),
]
