"""GCNH and what it is carried on to in PyTorch, written from the equations on dense matrices, float64. Conventions as in models.py."""
import torch
import torch.nn.functional as F

SLOPE = 0.01  # of LeakyReLU
DEFAULTS = dict(aggregation="sum", max_floor="false", encoders="separate", beta="learned", own="true", hops="1", adjacency_rows="false",
                messages="relu", norm="none", mixing="weights", jump="last")


def linear(p, name, h):
    return h @ p[name + ".weight"] + p[name + ".bias"]


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


def unit_rows(run, x):
    length = x.norm(dim=1)
    run.kink(length[length > 0] / 1000)  # a direction turns the more quickly, the shorter the row is
    return F.normalize(x, dim=1, eps=1e-300)


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
        for encoder, features, a, hops in channels(options, case, l):
            m = linear(p, f"layers.{l}.{encoder}", h if features is None else features)
            if options["messages"] == "relu":
                m = activate(run, m)
            for _ in range(hops):
                m = aggregate(options, a, m, run)
            if options["messages"] == "linear":
                m = activate(run, m)
            parts.append(unit_rows(run, m) if options["norm"] == "l2" else m)
        h = mixed(options, p, f"layers.{l}.theta", parts)
        h = run.dropout(h[rows] if l + 1 == layers else h)
        outputs.append(h if l + 1 == layers else h[rows])
    if options["jump"] == "concat":
        h = torch.cat(outputs, 1)
    elif options["jump"] == "max":
        h = torch.stack(outputs)
        if layers > 1:
            top = h.topk(2, 0)[0]
            gap = top[0] - top[1]
            run.kink(gap[gap > 1e-13])
        h = h.max(0)[0]
    return linear(p, "classifier", h)


def shapes(case):
    options, out = {**DEFAULTS, **case["options"]}, {}
    width, hidden, classified = case["x"].shape[1], int(options["hidden"]), 0

    def add(name, rows, cols):
        out[name + ".weight"], out[name + ".bias"] = (rows, cols), (1, cols)

    for l in range(int(options["layers"])):
        all_channels = channels(options, case, l)
        for encoder, features, _, _ in all_channels:
            if f"layers.{l}.{encoder}.weight" not in out:
                add(f"layers.{l}.{encoder}", width if features is None else len(features), hidden)
        concatenated = options["mixing"] == "concat"
        if len(all_channels) > 1 and not concatenated and options["beta"] in ("learned", "pointwise"):
            out[f"layers.{l}.theta"] = (1 if len(all_channels) == 2 else len(all_channels), hidden if options["beta"] == "pointwise" else 1)
        width = len(all_channels) * hidden if concatenated else hidden
        classified = classified + width if options["jump"] == "concat" else width
    add("classifier", classified, case["classes"])
    return out


def random_options(pick):
    """What the slow comparison draws besides layers, hidden and dropout."""
    out = dict(aggregation=pick("sum", "mean", "max", "symmetric"), max_floor=pick("true", "false"), encoders=pick("separate", "shared"),
               beta=pick("learned", "learned", "pointwise", "0.5", "1"))
    if pick(True, False):
        out.update(own=pick("true", "false"), hops=pick("1", "2", "3"), messages=pick("relu", "linear"), norm=pick("none", "l2"),
                   mixing=pick("weights", "concat"), jump=pick("last", "concat", "max"), beta=pick("learned", "pointwise"))
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
]
