"""MLP, logistic regression and GCN in PyTorch, and the training of all models, written from the equations on dense matrices, float64.

Independent of the C++ code except for parameter names (weights are in x out) and the order of dropout draws: the k-th dropout of
a pass takes its factors from fork k of the pass's stream, over the stored entries of a sparse matrix, over all elements otherwise.
"""
import torch
import torch.nn.functional as F

import gcnh
import geomgcn
import edges
import rings
import sheaf
from gcnh import SLOPE
from trimmings import is_running, jump, linear, linear_shapes, norm_shapes, normalised, options_of, with_residual

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)


class Pass:
    """One forward pass: its dropouts, the identity without a stream (evaluation), and how near it comes to a kink."""

    def __init__(self, p, rng):
        self.p, self.rng, self.count, self.nearest_kink = p, rng, 0, float("inf")

    def factors(self, count):
        if self.rng is None or self.p == 0:
            return torch.ones(count)
        self.count += 1
        return torch.tensor(self.rng.fork(self.count - 1).dropout_factors(self.p, count))

    def dropout(self, h):
        return h * self.factors(h.numel()).view(h.shape)

    def dropout_features(self, x, sparse):
        if not sparse:
            return self.dropout(x)
        stored = x.nonzero(as_tuple=True)  # row by row, columns ascending
        dropped = torch.zeros_like(x)
        dropped[stored] = x[stored] * self.factors(len(stored[0]))
        return dropped

    def kink(self, distances):
        if distances.numel():
            self.nearest_kink = min(self.nearest_kink, distances.detach().min().item())

    def leaky_relu(self, x, slope):
        self.kink(x.abs())
        return F.leaky_relu(x, slope)

    def largest(self, rows):
        """Column-wise maximum. Two that are equal up to rounding come from nodes that are alike: either may win."""
        if len(rows) > 1:
            top = rows.topk(2, 0)[0]
            gap = (top[0] - top[1]) / torch.where(top[0] > 0, 1.0, SLOPE)  # as it was before the activation
            self.kink(gap[gap > 1e-13])
        return rows.max(0)[0]


def mlp(case, p, rows, run):
    h = linear(p, "layers.0", run.dropout_features(case["x"], case["sparse"]))[rows]
    for l in range(1, int(case["options"]["layers"])):
        h = linear(p, f"layers.{l}", run.dropout(F.elu(h)))
    return h


def logreg(case, p, rows, run):
    return linear(p, "classifier", run.dropout_features(case["x"], case["sparse"]))[rows]


def logreg_shapes(case):
    return {"classifier.weight": (case["x"].shape[1], case["classes"]), "classifier.bias": (1, case["classes"])}


def gcn(case, p, rows, run):
    a = case["a"] + torch.eye(len(case["a"]))
    root = a.sum(1).pow(-0.5)
    s = root.view(-1, 1) * a * root.view(1, -1)
    norm, residual, head = options_of(case["options"])
    h, outputs, layers = case["x"], [], int(case["options"]["layers"])
    for l in range(layers):
        name = f"layers.{l}"
        z = s @ (h @ p[name + ".weight"]) + p[name + ".bias"]
        z = with_residual(residual, p, name + ".residual", z, h, l == 0)
        if head == "none" and l + 1 == layers:
            return z[rows]
        h = run.dropout(run.leaky_relu(normalised(norm, p, name + ".norm", z, run), 0))
        outputs.append(h)
    return linear(p, "classifier", jump(head, outputs, run)[rows])


def gcn_shapes(case):
    options, out = case["options"], {}
    norm, residual, head = options_of(options)
    width, hidden, layers = case["x"].shape[1], int(options["hidden"]), int(options["layers"])
    for l in range(layers):
        is_hidden = head != "none" or l + 1 < layers
        columns = hidden if is_hidden else case["classes"]
        out.update(linear_shapes(f"layers.{l}", width, columns))
        if residual == "linear":
            out.update(linear_shapes(f"layers.{l}.residual", width, columns))
        if is_hidden:
            out.update(norm_shapes(norm, f"layers.{l}.norm", columns))
        width = columns
    return out if head == "none" else {**out, **linear_shapes("classifier", hidden * (layers if head == "concat" else 1), case["classes"])}


FORWARD = dict(gcnh=gcnh.gcnh, mlp=mlp, logreg=logreg, gcn=gcn, odsd=sheaf.odsd, **edges.FORWARD, **rings.FORWARD, **geomgcn.FORWARD)
SHAPES = dict(gcnh=gcnh.shapes, gcn=gcn_shapes, logreg=logreg_shapes, odsd=sheaf.shapes, **edges.SHAPES, **rings.SHAPES, **geomgcn.SHAPES)
WEIGHT_DECAY = dict(gcnh=gcnh.weight_decay, odsd=sheaf.weight_decay)  # of a parameter, where not all have the same


def shapes(case):
    """Name and shape of every parameter."""
    if case["model"] in SHAPES:
        return SHAPES[case["model"]](case)
    options, out = case["options"], {}
    features, hidden, layers, classes = case["x"].shape[1], int(options["hidden"]), int(options["layers"]), case["classes"]

    def add(name, rows, cols):
        out[name + ".weight"], out[name + ".bias"] = (rows, cols), (1, cols)

    for l in range(layers):
        inner = features if l == 0 else hidden
        add(f"layers.{l}", inner, classes if l + 1 == layers else hidden)
    return out


class KerasAdam(torch.optim.Optimizer):
    """Adam as Keras has it: epsilon stands beside the root before its correction."""

    def __init__(self, params, lr, weight_decay):
        super().__init__(params, dict(lr=lr, weight_decay=weight_decay))
        self.steps = 0

    @torch.no_grad()
    def step(self):
        self.steps += 1
        for group in self.param_groups:
            rate = group["lr"] * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
            for p in group["params"]:
                state, g = self.state[p], p.grad + group["weight_decay"] * p
                state["m"] = 0.9 * state.get("m", 0) + (1 - 0.9) * g
                state["v"] = 0.999 * state.get("v", 0) + (1 - 0.999) * g * g
                p -= rate * state["m"] / (state["v"].sqrt() + 1e-7)


ADAM = dict(torch=torch.optim.Adam, keras=KerasAdam)
NEAR = 1e-5  # a kink this near may fall to the other side in float


def summed(losses, p):
    """Per parameter the largest entry of the sum over rows of the gradients' sizes: what rounding is relative to where the rows' own
    gradients cancel."""
    p = {name: value for name, value in p.items() if value.requires_grad}
    sums = {name: torch.zeros_like(value) for name, value in p.items()}
    for loss in losses:
        gradients = torch.autograd.grad(loss, list(p.values()), retain_graph=True, allow_unused=True)
        for name, gradient in zip(p, gradients):
            if gradient is not None:
                sums[name] += gradient.abs()
    return {name: value.max().item() for name, value in sums.items()}


def train(case, parameters, batches, rng, steps):
    """Logits before training, gradients of step 1 and the size of what they sum, losses of all steps, the parameters after them, and
    how many steps come before the first that is near a kink: from there on float and double may part."""
    forward, p_drop = FORWARD[case["model"]], float(case["options"]["dropout"])
    p = {name: torch.tensor(value).requires_grad_(not is_running(name)) for name, value in parameters.items()}
    out = dict(logits=forward(case, p, list(range(len(case["a"]))), Pass(p_drop, None)).tolist(), losses=[], smooth_steps=steps)
    decay = WEIGHT_DECAY.get(case["model"], lambda case, name: case["weight_decay"])
    groups = [dict(params=[value], weight_decay=decay(case, name)) for name, value in p.items() if value.requires_grad]
    adam = ADAM[case["adam"]](groups, lr=case["lr"], weight_decay=0)
    for step in range(steps):
        rows = batches[step % len(batches)]
        run = Pass(p_drop, rng.fork(step))
        losses = F.nll_loss(F.log_softmax(forward(case, p, rows, run), 1), case["labels"][rows], reduction="none")
        loss = losses.mean()
        if step == 0:
            out["summed"] = summed(losses / len(rows), p)
        adam.zero_grad()
        loss.backward()
        out["losses"].append(loss.item())
        if run.nearest_kink < NEAR:
            out["smooth_steps"] = min(out["smooth_steps"], step)
        if step == 0:
            out["gradients"] = {name: (value.grad if value.requires_grad else 0 * value).tolist() for name, value in p.items()}
        adam.step()
    out["final"] = {name: value.tolist() for name, value in p.items()}
    return out
