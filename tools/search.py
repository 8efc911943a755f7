#!/usr/bin/env python3
"""Finds the values that no paper prints, by mean validation accuracy; the test nodes are not looked at.

    tools/search.py PROGRAM MODEL DATA [SPLITS [CELLS]]    for example: tools/search.py build/release/gcnh h2gcn texas 0-9

Every cell of the model's grid (or as many drawn at random as CELLS says, always the same ones) is trained with the rest of its
recipe in the paper view on the given splits. One line per cell goes to docs/results/search.jsonl, so an interrupted search continues
where it stopped. The ranking is printed; the winner is written into the recipe by hand. GCNH_DATA names the data folder.
"""
import itertools
import json
import pathlib
import random
import subprocess
import sys

RECORDS = pathlib.Path(__file__).resolve().parent.parent / "docs" / "results" / "search.jsonl"
GRIDS = {
    # The 16 settings of the authors' experiments; weight_decay = 2 lambda.
    "h2gcn": dict(rounds=[1, 2], relu=["true", "false"], dropout=[0, 0.5], weight_decay=[2e-5, 1e-3]),
    "gprgnn": dict(steps=[2, 4, 8, 16, 32, 64]),
    # The ranges of the authors' search.
    "odsd": dict(d=[2, 3, 4], lp=["false", "true"], hp=["false", "true"], layers=[2, 3, 4, 5], hidden=[8, 16, 32],
                 dropout=[0, 0.2, 0.4, 0.6, 0.7], input_dropout=[0, 0.2, 0.5, 0.7], weight_decay=[1e-4, 3e-4, 1e-3],
                 sheaf_decay=[3e-5, 1e-4, 1e-3]),
}


def cells(model, count):
    grid = GRIDS[model]
    every = [dict(zip(grid, values)) for values in itertools.product(*grid.values())]
    return every if count is None or count >= len(every) else random.Random(1).sample(every, count)


def main(program, model, data, splits="0-9", count=None):
    done = {}
    if RECORDS.exists():
        for line in RECORDS.read_text().splitlines():
            r = json.loads(line)
            done[r["model"], r["data"], r["splits"], json.dumps(r["cell"])] = r
    found = []
    for cell in cells(model, None if count is None else int(count)):
        key = model, data, splits, json.dumps(cell)
        if key not in done:
            first, last = (int(s) for s in splits.split("-"))
            command = [program, "train", "--model", model, "--data", data, "--view", "paper", "--recipe", "paper", "--json", "--quiet",
                       "--splits", ",".join(map(str, range(first, last + 1)))]
            for name, value in cell.items():
                command += ["--" + name.replace("_", "-"), str(value)]
            r = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            done[key] = dict(model=model, data=data, splits=splits, cell=cell, val_accuracy=r["val_accuracy"], seconds=r["seconds"],
                             val_accuracies=[s["val_accuracy"] for s in r["splits"]])
            with RECORDS.open("a") as out:
                out.write(json.dumps(done[key]) + "\n")
        found.append(done[key])
        print(f"{100 * done[key]['val_accuracy']['mean']:.2f} {cell}", flush=True)
    best = max(found, key=lambda r: r["val_accuracy"]["mean"])
    print(f"best of {len(found)}: {100 * best['val_accuracy']['mean']:.2f} {best['cell']}")


if __name__ == "__main__":
    main(*sys.argv[1:])
