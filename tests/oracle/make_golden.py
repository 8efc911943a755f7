#!/usr/bin/python3
"""Writes the golden files: small cases computed by an independent PyTorch implementation, compared by tests/models/golden_tests.h.

    /usr/bin/python3 tests/oracle/make_golden.py            writes tests/data/golden/*.json and tests/data/random.json

Needs Debian's python3-torch (1.13) and python3-numpy. The files are kept in the repository, so building and testing need neither;
run this only when a case is added. What is there already should come out the same up to the last digits.
"""
import json
import pathlib
import sys

sys.dont_write_bytecode = True

import cases  # noqa: E402
import gcnh  # noqa: E402
import geomgcn  # noqa: E402
import edges  # noqa: E402
import philox  # noqa: E402
import rings  # noqa: E402
import sheaf  # noqa: E402
import trimmings  # noqa: E402

GOLDEN = [
    # GCNH: aggregations and depths
    dict(name="gcnh_sum_1", model="gcnh"),
    dict(name="gcnh_sum_2", model="gcnh", options=dict(layers="2")),
    dict(name="gcnh_sum_3", model="gcnh", options=dict(layers="3", hidden="4"), lr=0.005),
    dict(name="gcnh_sum_directed", model="gcnh", options=dict(layers="2"), directed=True),
    dict(name="gcnh_sum_dense", model="gcnh", options=dict(layers="2"), sparse=False, weights=False),
    dict(name="gcnh_mean_1", model="gcnh", options=dict(aggregation="mean"), values=True),
    dict(name="gcnh_mean_3", model="gcnh", options=dict(aggregation="mean", layers="3", hidden="4")),
    dict(name="gcnh_max_1", model="gcnh", options=dict(aggregation="max")),
    dict(name="gcnh_max_2", model="gcnh", options=dict(aggregation="max", layers="2"), directed=True),
    dict(name="gcnh_max_floor_1", model="gcnh", options=dict(aggregation="max", max_floor="true")),
    dict(name="gcnh_max_floor_3", model="gcnh", options=dict(aggregation="max", max_floor="true", layers="3", hidden="4")),
    # encoders and beta
    dict(name="gcnh_shared_1", model="gcnh", options=dict(encoders="shared")),
    dict(name="gcnh_shared_max_2", model="gcnh", options=dict(encoders="shared", aggregation="max", layers="2")),
    dict(name="gcnh_beta_fixed", model="gcnh", options=dict(beta="0.3", layers="2")),
    dict(name="gcnh_beta_zero", model="gcnh", options=dict(beta="0")),
    dict(name="gcnh_beta_pointwise", model="gcnh", options=dict(beta="pointwise", layers="2")),
    # dropout and batches
    dict(name="gcnh_dropout_1", model="gcnh", options=dict(dropout="0.25")),
    dict(name="gcnh_batches", model="gcnh", options=dict(layers="2"), batch=3),
    dict(name="gcnh_dropout_batches_2", model="gcnh", options=dict(dropout="0.5", layers="2"), batch=3),
    dict(name="gcnh_dropout_batches_3", model="gcnh", batch=5, lr=0.005,
         options=dict(dropout="0.75", layers="3", hidden="4", aggregation="mean", encoders="shared", beta="pointwise")),
    # widths that the fused step takes
    dict(name="gcnh_wide_sum_batches", model="gcnh", options=dict(hidden="16", dropout="0.3"), features=5, batch=3),
    dict(name="gcnh_wide_sum_2", model="gcnh", options=dict(hidden="16", layers="2", dropout="0.5"), features=5, lr=0.002),
    dict(name="gcnh_wide_max_floor", model="gcnh", features=5, batch=4, directed=True,
         options=dict(hidden="16", aggregation="max", max_floor="true", dropout="0.25")),
    dict(name="gcnh_wide_max_2", model="gcnh", features=5, lr=0.002,
         options=dict(hidden="16", layers="2", aggregation="max", beta="pointwise", encoders="shared")),
    dict(name="gcnh_wide_mean_dense", model="gcnh", options=dict(hidden="16", aggregation="mean", beta="0.6"), features=5, sparse=False),
    # MLP
    dict(name="mlp_1", model="mlp", weight_decay=0.0001),
    dict(name="mlp_2", model="mlp", options=dict(layers="2"), weight_decay=0.0001),
    dict(name="mlp_dropout_sparse", model="mlp", options=dict(layers="2", dropout="0.5"), values=True),
    dict(name="mlp_dropout_dense", model="mlp", options=dict(layers="2", dropout="0.6"), sparse=False),
    dict(name="mlp_dropout_batches_3", model="mlp", options=dict(layers="3", dropout="0.3"), batch=3),
    # GCN
    dict(name="gcn_1", model="gcn"),
    dict(name="gcn_2", model="gcn", options=dict(layers="2"), values=True, weight_decay=0.0005),
    dict(name="gcn_directed_2", model="gcn", options=dict(layers="2"), directed=True, weight_decay=0.00005),
    dict(name="gcn_dropout_directed", model="gcn", options=dict(layers="2", dropout="0.5"), directed=True, weights=False),
    dict(name="gcn_dropout_batches_3", model="gcn", options=dict(layers="3", dropout="0.3"), batch=3, sparse=False),
]

FLOORS = [
    dict(name="logreg", model="logreg", weight_decay=0.0005),
    dict(name="logreg_values", model="logreg", values=True, batch=4),
    dict(name="logreg_dropout_sparse", model="logreg", options=dict(dropout="0.4"), values=True),
    dict(name="logreg_dropout_dense", model="logreg", options=dict(dropout="0.25"), sparse=False),
]

# Seeds count from here; families are apart, so that a new case does not change the others.
FAMILIES = {1000: GOLDEN, 2000: edges.GOLDEN, 3000: sheaf.GOLDEN, 4000: rings.GOLDEN, 5000: geomgcn.GOLDEN, 6000: FLOORS, 7000: gcnh.GOLDEN,
            8000: trimmings.GOLDEN}


def main():
    data = pathlib.Path(__file__).resolve().parent.parent / "data"
    (data / "golden").mkdir(parents=True, exist_ok=True)
    (data / "random.json").write_text(json.dumps(philox.pinned(), indent=1) + "\n")
    paths = []
    for first_seed, family in FAMILIES.items():
        for number, arguments in enumerate(family):
            paths.append(cases.write(data / "golden", cases.make(seed=first_seed + number, **arguments)))
    print(f"{len(paths)} cases, {sum(path.stat().st_size for path in paths)} bytes")


if __name__ == "__main__":
    main()
