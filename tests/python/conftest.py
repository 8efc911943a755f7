"""What the tests of the Python package share. GCNH_PROGRAM names the program, whose bits are the measure."""

import json
import os
import pathlib
import subprocess
import sys

import hypothesis
import numpy as np
import pytest

import gcnh

sys.dont_write_bytecode = True
hypothesis.settings.register_profile("same", derandomize=True, deadline=None, max_examples=40, database=None,
                                      suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("same")
ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program():
    path = os.environ.get("GCNH_PROGRAM")
    if not path:
        pytest.skip("GCNH_PROGRAM names no program")

    def run(*words):
        done = subprocess.run([path, *map(str, words)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if "--json" in words else done.stdout

    return run


@pytest.fixture(scope="session")
def graph():
    """The program's built-in graph."""
    return gcnh.datasets.load("synthetic")


@pytest.fixture(scope="session")
def small():
    """Sixty nodes of three classes, a few of them unlabelled, with words for ids."""
    rng = np.random.default_rng(1)
    y = np.arange(60) % 3
    x = rng.normal(size=(60, 5)).astype(np.float32)
    x[:, 0] += y
    edges = rng.integers(0, 60, size=(150, 2))
    words = np.array(["red", "green", "blue"], dtype=object)[y]
    words[[3, 11]] = None
    names = [f"u_{i}" for i in range(60)]
    return gcnh.Graph([[names[a], names[b]] for a, b in edges], x, words, ids=names, name="small")


@pytest.fixture(scope="session")
def frames():
    """A made-up graph as people have it: users with a segment, columns of several kinds, and who follows whom."""
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(7)
    segment = rng.choice(["student", "worker", "retired"], 150)
    age = np.select([segment == "student", segment == "worker"], [22, 43], 70) + rng.normal(0, 6, 150)
    nodes = pd.DataFrame({"user": [f"u_{i}" for i in range(150)], "segment": segment, "age": age.round(1),
                          "city": rng.choice(["Rome", "Oslo", "Lima"], 150), "since": pd.date_range("2020-01-01", periods=150)})
    nodes.loc[::17, "segment"] = None
    nodes.loc[::11, "age"] = np.nan
    edges = pd.DataFrame({"a": rng.choice(nodes.user, 400), "b": rng.choice(nodes.user, 400)})
    return nodes, edges
