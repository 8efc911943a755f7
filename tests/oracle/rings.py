"""GPR-GNN and H2GCN in PyTorch, written from the equations on dense matrices, float64. See models.py for what is shared."""
import torch


def dropout(run, h, p):
    """Dropout with a rate of its own."""
    usual, run.p = run.p, p
    h = run.dropout(h)
    run.p = usual
    return h


def relu(run, x):
    """A row without features is 0 whatever the weights are: no kink."""
    run.kink(x[x != 0].abs())
    return torch.relu(x)


def gprgnn(case, p, rows, run):
    options = case["options"]
    z = run.dropout_features(case["x"], case["sparse"]) @ p["hidden.weight"] + p["hidden.bias"]
    z = run.dropout(relu(run, z)) @ p["output.weight"] + p["output.bias"]
    z = dropout(run, z, float(options["propagation_dropout"]))
    b = ((case["a"] + torch.eye(len(z))) > 0).to(z.dtype)  # b[u, v]: u -> v
    root = b.sum(0).pow(-0.5)
    spread = (root.view(-1, 1) * b * root.view(1, -1)).T
    power, out = z, 0
    for k in range(int(options["steps"]) + 1):
        out = out + p["gamma"][0, k] * power
        power = spread @ power
    return out[rows]


def h2gcn(case, p, rows, run):
    options, nodes = case["options"], len(case["a"])
    near = ((case["a"] + case["a"].T) > 0).to(case["x"].dtype) * (1 - torch.eye(nodes))
    far = ((near @ near) > 0).to(near.dtype) * (1 - near) * (1 - torch.eye(nodes))
    rings = []
    for ring in (near, far):
        degree = ring.sum(1)
        root = torch.where(degree > 0, degree.clamp(min=1).pow(-0.5), torch.zeros(nodes))
        rings.append(root.view(-1, 1) * ring * root.view(1, -1))
    r = case["x"] @ p["encoder.weight"]
    if options["relu"] == "true":
        r = relu(run, r)
    all_rounds = [r]
    for _ in range(int(options["rounds"])):
        r = torch.cat([ring @ r for ring in rings], 1)
        all_rounds.append(r)
    # The library drops out block by block of the hidden width.
    blocks = torch.cat(all_rounds, 1)[rows].split(int(options["hidden"]), 1)
    return torch.cat([run.dropout(block.contiguous()) for block in blocks], 1) @ p["classifier.weight"]


FORWARD = dict(gprgnn=gprgnn, h2gcn=h2gcn)


def gprgnn_shapes(case):
    features, classes, options = case["x"].shape[1], case["classes"], case["options"]
    hidden = int(options["hidden"])
    return {"hidden.weight": (features, hidden), "hidden.bias": (1, hidden), "output.weight": (hidden, classes),
            "output.bias": (1, classes), "gamma": (1, int(options["steps"]) + 1)}


def h2gcn_shapes(case):
    features, classes, options = case["x"].shape[1], case["classes"], case["options"]
    hidden = int(options["hidden"])
    return {"encoder.weight": (features, hidden), "classifier.weight": (hidden * (2 ** (int(options["rounds"]) + 1) - 1), classes)}


SHAPES = dict(gprgnn=gprgnn_shapes, h2gcn=h2gcn_shapes)


def gpr(steps, dropout="0", propagation_dropout="0"):
    return dict(steps=steps, dropout=dropout, propagation_dropout=propagation_dropout)


def h2(rounds, relu="true", dropout="0"):
    return dict(rounds=rounds, relu=relu, dropout=dropout, hidden="4")


def random_options(pick):
    return dict(steps=pick("1", "3", "10"), propagation_dropout=pick("0", "0.5"), rounds=pick("1", "2"), relu=pick("true", "false"))


GOLDEN = [
    dict(name="gprgnn_1", model="gprgnn", options=gpr("1"), loops=False),
    dict(name="gprgnn_directed_4", model="gprgnn", options=gpr("4"), directed=True, weight_decay=0.0005),
    dict(name="gprgnn_directed_simple_2", model="gprgnn", options=gpr("2"), directed=True, weights=False, values=True),
    dict(name="gprgnn_dense_3", model="gprgnn", options=gpr("3", propagation_dropout="0.5"), sparse=False),
    dict(name="gprgnn_dropout_batches_3", model="gprgnn", options=gpr("3", "0.5", "0.25"), directed=True, batch=3),
    dict(name="gprgnn_dropout_8", model="gprgnn", options=gpr("8", "0.3", "0.7"), lr=0.002),
    dict(name="h2gcn_1", model="h2gcn", options=h2("1")),
    dict(name="h2gcn_keras_2", model="h2gcn", options=h2("2"), adam="keras", weight_decay=0.001, values=True),
    dict(name="h2gcn_linear_directed", model="h2gcn", options=h2("2", relu="false"), directed=True),
    dict(name="h2gcn_keras_dropout_2", model="h2gcn", options=h2("2", dropout="0.5"), adam="keras", weight_decay=0.001),
    dict(name="h2gcn_dropout_batches_1", model="h2gcn", options=h2("1", dropout="0.3"), sparse=False, batch=3),
    dict(name="h2gcn_dropout_batches_3", model="h2gcn", options=h2("3", "false", "0.25"), adam="keras", batch=4),
]
