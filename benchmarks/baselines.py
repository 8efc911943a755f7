"""The training-time protocol for the baselines whose times the paper prints, with GCNH beside them."""
from programs import CORES
from report import verdict
from training_times import EPOCHS, OPTIONS, SPLITS

# The paper's figures on a T4 GPU, in seconds.
PAPER_T4 = {"ggcn": {"cora": 96, "citeseer": 100, "chameleon": 75, "squirrel": 332, "film": 628},
            "odsd": {"cora": 19.6, "citeseer": 20.2, "chameleon": 48.9, "squirrel": 275.9, "film": 44.2}}
MODELS = {"gcnh": OPTIONS,
          "ggcn": ("--scale", "rows", "--layers", 2, "--hidden", 16, "--dropout", 0.5),
          "odsd": ("--scale", "rows", "--layers", 1, "--hidden", 16, "--d", 3, "--dropout", 0.5)}


def baselines(report, ours, quick):
    epochs, splits = (10, 2) if quick else (EPOCHS, SPLITS)
    rows = []
    for data in PAPER_T4["ggcn"]:
        row = [data]
        for model, options in MODELS.items():
            r = ours.train(data, "--model", model, *options, "--epochs", epochs, "--patience", 0,
                           "--splits", ",".join(map(str, range(splits))), "--threads", CORES)
            seconds = r["seconds"] * (EPOCHS * SPLITS) / (epochs * splits)
            report.keep("baselines", data=data, model=model, seconds=seconds, parameters=r["parameters"], peak_rss_bytes=r["peak_rss_bytes"])
            row += [seconds, r["parameters"]]
            if t4 := PAPER_T4.get(model, {}).get(data):
                row += [t4, verdict(seconds, t4)]
        rows.append(row)
    report.table("baselines", f"training times of the baselines, {EPOCHS} epochs x {SPLITS} splits, full batch, {CORES} cores",
                 ["data", "gcnh s", "parameters", "ggcn s", "parameters", "paper's T4 s", "below it", "odsd s", "parameters",
                  "paper's T4 s", "below it"], rows,
                 "One run each: training, validation and test. GCNH and O(d)-SD (d = 3) with one layer of 16, GGCN with two, the least that "
                 "its residual has." + (" Extrapolated." if quick else ""))
