#!/usr/bin/python3
"""The slow comparison: random cases, computed by PyTorch and then by the C++ test programs.

    /usr/bin/python3 tests/oracle/live.py build/tests/unit_double build/tests/unit        100 cases, always the same ones
    /usr/bin/python3 tests/oracle/live.py --seed $RANDOM --cases 500 build/tests/unit_double

Needs Debian's python3-torch (1.13) and python3-numpy. The cases are written to a temporary folder, which the programs read through
the environment variable GCNH_GOLDEN; --keep leaves it in place.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import numpy as np  # noqa: E402

import cases  # noqa: E402
import edges  # noqa: E402
import gcnh  # noqa: E402
import rings  # noqa: E402
import sheaf  # noqa: E402
import trimmings  # noqa: E402


def random_arguments(r):
    def pick(*choices):
        return choices[r.randint(len(choices))]

    model = pick("gcnh", "gcnh", "gcnh", "mlp", "logreg", "gcn", "geomgcn", "odsd", "odsd", *edges.FORWARD, *rings.FORWARD)
    options = dict(layers=str(r.randint(1, 4)), hidden=str(pick(r.randint(1, 40), 16, 32)), dropout=pick("0", "0", "0.25", "0.6"))
    if model == "gcnh":
        options.update(gcnh.random_options(pick))
    if model == "gcn" and pick(True, False):
        options.update(trimmings.random_options(pick))
    if model in rings.FORWARD:
        options.update(rings.random_options(pick))
    if model in edges.FORWARD:
        options.update(edges.random_options(model, pick))
    if model == "odsd":
        options.update(sheaf.random_options(pick))
    # Unnormalised sums over hubs grow with every layer; a lower rate keeps 50 steps from exploding.
    return dict(model=model, options=options, nodes=r.randint(3, 12 if model == "odsd" else 60), features=r.randint(1, 70),
                classes=r.randint(2, 8), directed=bool(r.randint(2)), weights=bool(r.randint(2)), loops=bool(r.randint(2)),
                sparse=bool(r.randint(4)), values=bool(r.randint(2)), batch=pick(None, 1, 4, 16), lr=pick(0.001, 0.005), weight_decay=pick(0.0005, 0.005),
                adam=pick("torch", "keras"), apart=model == "gcnh" and options.get("beta") not in ("0.5", "1") and pick(False, True))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", type=pathlib.Path, help="unit and unit_double, or one of them")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1794845892)
    parser.add_argument("--keep", action="store_true", help="keep the folder with the cases")
    arguments = parser.parse_args()

    folder = pathlib.Path(tempfile.mkdtemp(prefix="gcnh_live_"))
    print(f"seed {arguments.seed}, {arguments.cases} cases in {folder}", flush=True)
    r = np.random.RandomState(arguments.seed % 2**32)
    for number in range(arguments.cases):
        cases.write(folder, cases.make(f"live_{number}", int(r.randint(2**31)), **random_arguments(r)))
    failed = False
    for program in arguments.programs:
        failed |= subprocess.run([program.resolve(), "--gtest_filter=Golden*", "--gtest_brief=1"],
                                 env={**os.environ, "GCNH_GOLDEN": str(folder)}).returncode != 0
    if arguments.keep:
        print("kept", folder)
    else:
        shutil.rmtree(folder)
    sys.exit(failed)


if __name__ == "__main__":
    main()
