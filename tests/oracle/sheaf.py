"""O(d)-SD (sheaf diffusion with orthogonal or diagonal maps) in PyTorch, from the equations on one dense Laplacian, float64."""
import torch
import torch.nn.functional as F

OPTIONS = dict(d="3", lp="false", hp="false", edge_weights="true", sparse_learner="false", second_linear="false", input_dropout="0",
               sheaf_decay="same")


def case(name, options=None, **arguments):
    return dict(name="odsd_" + name, model="odsd", options={**OPTIONS, "hidden": "3", **(options or {})}, loops=True, **arguments)


GOLDEN = [
    case("1"),
    case("2", dict(layers="2", d="2"), directed=True),
    case("3", dict(layers="3", d="2", hidden="2"), nodes=10, values=True),
    case("lp", dict(lp="true", layers="2"), sparse=False),
    case("hp", dict(hp="true", d="1"), weights=False),
    case("lp_hp_dropout", dict(lp="true", hp="true", d="4", dropout="0.4", input_dropout="0.2", layers="2", hidden="2")),
    case("sparse_learner", dict(sparse_learner="true", layers="2", dropout="0.3", sheaf_decay="0.05")),
    case("second_linear", dict(second_linear="true", d="5", hidden="2", input_dropout="0.5"), batch=4, values=True),
    case("unweighted", dict(edge_weights="false", layers="2", sheaf_decay="0"), directed=True),
    case("diagonal", dict(maps="diagonal", layers="2"), directed=True),
    case("diagonal_lp_dropout", dict(maps="diagonal", lp="true", d="4", hidden="2", dropout="0.3", sheaf_decay="0.05", layers="2")),
    case("diagonal_1_sparse_learner", dict(maps="diagonal", d="1", hp="true", sparse_learner="true", second_linear="true"), values=True),
]


def random_options(pick):
    flags = {name: pick("true", "false") for name in ("lp", "hp", "edge_weights", "sparse_learner", "second_linear")}
    out = dict(OPTIONS, maps=pick("orthogonal", "orthogonal", "diagonal"), d=pick("1", "2", "3", "4", "5"),
               hidden=pick("1", "2", "3", "5", "8"), layers=pick("1", "2"), input_dropout=pick("0", "0.3"),
               sheaf_decay=pick("same", "0", "0.05"))
    out.update(flags)
    # With an even number of coordinates a shared learner turns both ends alike: gradients of 0, in float nothing but rounding.
    if out["maps"] == "orthogonal" and (int(out["d"]) + (out["lp"] == "true") + (out["hp"] == "true")) % 2 == 0:
        out["sparse_learner"] = "false"
    return out


def flag(case, name):
    return case["options"][name] == "true"


def diagonal(case):
    return case["options"].get("maps") == "diagonal"


def sizes(case):
    """Learned stalk dimension, all coordinates, channels, width."""
    d, channels = int(case["options"]["d"]), int(case["options"]["hidden"])
    coordinates = d + flag(case, "lp") + flag(case, "hp")
    return d, coordinates, channels, coordinates * channels


def shapes(case):
    features, classes = case["x"].shape[1], case["classes"]
    d, coordinates, channels, width = sizes(case)
    out = {"input.weight": (features, width), "input.bias": (1, width)}
    if flag(case, "second_linear"):
        out.update({"second.weight": (width, width), "second.bias": (1, width)})
    for l in range(int(case["options"]["layers"])):
        name = f"layers.{l}."
        numbers = d if diagonal(case) else d * (d - 1) // 2
        if numbers > 0:
            out[name + "maps"] = (2 * (channels if flag(case, "sparse_learner") else width), numbers)
        if flag(case, "edge_weights") and not diagonal(case):
            out[name + "weights"] = (2 * width, 1)
        out.update({name + "left": (coordinates, coordinates), name + "right": (channels, channels), name + "epsilon": (1, coordinates)})
    out.update({"classifier.weight": (width, classes), "classifier.bias": (1, classes)})
    return out


def weight_decay(case, name):
    """Map learners have their own."""
    own = case["options"]["sheaf_decay"]
    return case["weight_decay"] if own == "same" or not name.endswith("maps") else float(own)


def orthogonal(numbers, d):
    """The product of the reflections along the columns of a unit triangular matrix."""
    columns = torch.eye(d)
    lower = torch.tril_indices(d, d, -1)
    columns = columns.index_put((lower[0], lower[1]), numbers)
    q = torch.eye(d)
    for j in range(d):
        u = columns[:, j] / columns[:, j].norm()
        q = q @ (torch.eye(d) - 2 * torch.outer(u, u))
    return q


def laplacian(case, p, name, y, graph):
    """The whole operator, (nodes coordinates)^2."""
    d, coordinates, channels, _ = sizes(case)
    n = len(graph)
    f = {}
    for u, v in graph.nonzero().tolist():
        ends = torch.cat([y[u], y[v]])
        seen = ends.view(coordinates, 2 * channels).sum(0) if flag(case, "sparse_learner") else ends
        if diagonal(case):
            f[u, v] = torch.diag(torch.tanh(seen @ p[name + "maps"]))
        else:
            q = orthogonal(torch.tanh(seen @ p[name + "maps"]), d) if d > 1 else -torch.eye(1)
            back = torch.cat([y[v], y[u]])
            f[u, v] = q * torch.sigmoid(ends @ p[name + "weights"]) * torch.sigmoid(back @ p[name + "weights"]) if flag(
                case, "edge_weights") else q
    # F'F is a number times the identity for turned stalks and diagonal for scaled ones
    degree = [sum((torch.diag(f[e].T @ f[e]) for e in f if e[0] == u), torch.zeros(d)) for u in range(n)]
    plain = graph.sum(1)
    signs = [1.0] * flag(case, "lp") + [-1.0] * flag(case, "hp")
    rows = []
    for u in range(n):
        row = []
        for v in range(n):
            block = torch.zeros(coordinates, coordinates)
            if u == v:
                block[:d, :d] = torch.diag(degree[u] / (degree[u] + 1))
                for k in range(d, coordinates):
                    block[k, k] = plain[u] / (plain[u] + 1)
            elif graph[u, v]:
                block[:d, :d] = -f[u, v].T @ f[v, u] / torch.sqrt(torch.outer(degree[u] + 1, degree[v] + 1))
                for k, sign in enumerate(signs):
                    block[d + k, d + k] = sign / torch.sqrt((plain[u] + 1) * (plain[v] + 1))
            row.append(block)
        rows.append(torch.cat(row, 1))
    return torch.cat(rows)


def odsd(case, p, rows, run):
    options = case["options"]
    _, coordinates, channels, width = sizes(case)
    graph = ((case["a"] + case["a"].T) > 0).double()
    graph.fill_diagonal_(0)
    n = len(graph)
    run.p = float(options["input_dropout"])
    x = run.dropout_features(case["x"], case["sparse"])
    run.p = float(options["dropout"])
    x = run.dropout(F.elu(x @ p["input.weight"] + p["input.bias"]))
    if flag(case, "second_linear"):
        x = x @ p["second.weight"] + p["second.bias"]
    for l in range(int(options["layers"])):
        name = f"layers.{l}."
        operator = laplacian(case, p, name, x if l == 0 else run.dropout(x), graph)
        moved = torch.einsum("ij,njc,ce->nie", p[name + "left"], run.dropout(x).view(n, coordinates, channels), p[name + "right"])
        z = (operator @ moved.reshape(n * coordinates, channels)).view(n, coordinates, channels)
        scale = 1 + torch.tanh(p[name + "epsilon"]).view(1, coordinates, 1)
        x = (scale * x.view(n, coordinates, channels) - F.elu(z)).view(n, width)
    return (x @ p["classifier.weight"] + p["classifier.bias"])[rows]
