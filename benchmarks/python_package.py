"""The Python package beside the program: what `fit` costs, and a graph from a large matrix."""
import os
import subprocess
import sys
import time

from report import Times, verdict

EDGES = 10_000_000


def child(ours, what, *args):
    """Runs a function of this file in a process of its own, with the package that was built; its numbers."""
    environment = {**os.environ, "PYTHONPATH": str(ours.program.parent / "python"), "GCNH_DATA": str(ours.data)}
    command = ["/usr/bin/python3", "-B", __file__, what, *map(str, args)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return float(done.stdout)


# Both in seconds of the processor, which others on the machine do not change; neither uses more than one core.
def fit(epochs):
    import gcnh

    g = gcnh.datasets.load("squirrel")
    clf = gcnh.GCNHClassifier(g, view="paper", **{**gcnh.recipe("gcnh", "squirrel"), "epochs": int(epochs)})
    start = time.process_time()
    clf.fit(g.splits[0].train)
    return time.process_time() - start


def matrix(edges):
    import gcnh
    import numpy as np
    import scipy.sparse as sp

    nodes, rng = int(edges) // 20, np.random.default_rng(1)
    ends = rng.integers(0, nodes, (2, int(edges)))
    a = sp.csr_matrix((np.ones(int(edges), np.float32), ends), shape=(nodes, nodes))
    x, y = np.ones((nodes, 8), np.float32), rng.integers(0, 5, nodes)
    start = time.process_time()
    gcnh.Graph(a, x, y)
    return time.process_time() - start


def program_fit(ours, epochs):
    before = os.times()
    ours.train("squirrel", "--recipe", "paper", "--splits", 0, "--epochs", epochs)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def python(report, ours, quick):
    repeats, epochs = (2, 100) if quick else (5, 500)
    program, package = zip(*((program_fit(ours, epochs), child(ours, "fit", epochs)) for _ in range(repeats)))
    graphs = Times(child(ours, "matrix", EDGES) for _ in range(repeats))
    program, package = Times(program), Times(package)
    ratio = package.median / program.median
    rows = [["gcnh train, whole process, CPU s", program, ""],
            ["fit, CPU s", package, f"{ratio:.2f} of the program's, {verdict(ratio, 1.05)} (<= 1.05)"],
            ["Graph from a SciPy matrix of 10 million entries, CPU s", graphs, f"{verdict(graphs.median, 1)} (<= 1 s)"]]
    report.keep("python", program_cpu_seconds=program, fit_cpu_seconds=package, graph_cpu_seconds=graphs)
    report.table("python", f"the Python package; GCNH on Squirrel, one split, {epochs} epochs", ["what", "seconds", "target"], rows)


if __name__ == "__main__":
    print({"fit": fit, "matrix": matrix}[sys.argv[1]](sys.argv[2]))
