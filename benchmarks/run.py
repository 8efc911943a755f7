#!/usr/bin/python3
"""What ./bench runs: our program and the PyTorch peers, on the same data, in alternation. See ./bench for its use."""
import argparse
import json
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True

from baselines import baselines  # noqa: E402
from python_package import python  # noqa: E402
from programs import CORES, Ours, Peer  # noqa: E402
from report import Report, Times, verdict, version  # noqa: E402
from scaling import scale  # noqa: E402
from tables import tables  # noqa: E402
from training_times import FLOOR, SPLITS, times  # noqa: E402

HELD_TO_TARGET = ("spmm/chameleon-like/16", "spmm/chameleon-like/32")  # sparse products in the second-level cache
BLAS = "/etc/alternatives/libblas.so.3-x86_64-linux-gnu"


def accuracy_row(report, ours, quick):
    rows, total = [], 0
    for data in FLOOR:
        r = ours.train(data, "--recipe", "paper", *(["--splits", "0,1"] if quick else []))
        seconds = r["wall"] * (SPLITS / 2 if quick else 1)
        total += seconds
        rows.append([data, r["engine"], seconds, f"{100 * r['test_accuracy']['mean']:.2f} ± {100 * r['test_accuracy']['std']:.2f}"])
        report.keep("accuracy-row", data=data, seconds=seconds, engine=r["engine"], test_accuracy=r["test_accuracy"])
    rows.append(["all", "", total, f"{verdict(total, 90)} (<= 90 s)"])
    report.table("accuracy-row", f"the GCNH row of the main table, published configurations, {CORES} cores",
                 ["data", "engine", "seconds", "test accuracy"], rows,
                 "Whole processes, loading included." + (" Two splits of ten, times five." if quick else ""))


def kernels(report, ours, quick):
    command = [ours.kernels, "--benchmark_format=json", f"--benchmark_min_time={0.02 if quick else 0.2}",
               f"--benchmark_repetitions={2 if quick else 7}", "--benchmark_enable_random_interleaving=true"]
    answer = json.loads(subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout)
    runs = {}
    for run in sorted(answer["benchmarks"], key=lambda r: r["family_index"]):
        if run["run_type"] == "iteration":
            runs.setdefault(run["run_name"], []).append(run)
    rows = []
    for name, repeated in runs.items():
        rate, share = Times(r["rate"] / 1e9 for r in repeated), Times(100 * r["of_ceiling"] for r in repeated)
        target = f"{verdict(rate.median, 10, at_least=True)} (>= 10)" if name in HELD_TO_TARGET else ""
        rows.append([name, rate, repeated[0]["label"], f"{share.median:.0f} %", target])
        report.keep("kernels", kernel=name, unit=repeated[0]["label"], giga_per_second=rate, percent_of_ceiling=share)
    context = answer["context"]
    report.table("kernels", f"kernels on one core, {context['simd']}", ["kernel/shape/width", "G/s", "of", "of ceiling", "target"], rows,
                 "Ceiling: bytes read, at the speed of a streaming sum over the same working set, measured in the same run "
                 f"(L2 {float(context['l2_gb_per_second']):.0f} GB/s, DRAM {float(context['dram_gb_per_second']):.0f} GB/s).")


def load(report, ours, quick):
    runs = [ours.train("squirrel", "--epochs", 1, "--splits", 0) for _ in range(3 if quick else 9)]
    seconds = Times(r["wall"] - r["seconds"] for r in runs)
    report.keep("load", data="squirrel", seconds=seconds)
    report.table("load", "Squirrel from text to the first step", ["seconds", "target"],
                 [[seconds, f"{verdict(seconds.median, 0.15)} (<= 0.15 s)"]], "Wall time of the process less its training.")


def memory(report, ours, quick):
    peak = ours.train("squirrel", "--recipe", "paper", "--splits", "0,1", "--threads", 2, "--epochs", 5)["peak_rss_bytes"] / 1e6
    rows = [["ours, two splits at once", peak, f"{verdict(peak, 100)} (<= 100 MB)"]]
    for form in ("tuned", "dense"):
        peer = Peer(form, "--data", "squirrel", "--root", ours.data, "--hidden", 32)
        rows.append([f"PyTorch {form}, one split", peer.epochs(3)["peak_rss_bytes"] / 1e6, ""])
        peer.close()
    for name, megabytes, _ in rows:
        report.keep("memory", who=name, megabytes=megabytes)
    report.table("memory", "peak resident memory, Squirrel, published configuration", ["who", "MB", "target"], rows)


SECTIONS = {"times": times, "baselines": baselines, "accuracy-row": accuracy_row, "kernels": kernels, "scale": scale, "load": load,
            "tables": tables, "memory": memory, "python": python}
WITHOUT_DATA = ("kernels", "scale", "tables")


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    args = argparse.ArgumentParser(prog="./bench")
    args.add_argument("sections", nargs="*", metavar="SECTION", help=f"{' '.join(SECTIONS)} all (default: all)")
    args.add_argument("--quick", action="store_true", help="fewer epochs and repeats, labelled as such")
    args.add_argument("--build", type=pathlib.Path, default=root / "build" / "release", help="folder of the programs")
    args.add_argument("--out", type=pathlib.Path, default=root / "build" / "bench", help="folder for results.json and results.md")
    args = args.parse_args()
    wanted = list(SECTIONS) if not args.sections or "all" in args.sections else args.sections
    if unknown := [s for s in wanted if s not in SECTIONS]:
        raise SystemExit(f"./bench: unknown section '{unknown[0]}'; sections: {' '.join(SECTIONS)} all")
    data = pathlib.Path(os.environ.get("GCNH_DATA") or pathlib.Path.home() / ".local/share/gcnh").resolve()
    ours = Ours(args.build, data)
    report = Report(args.out, args.quick, {
        "gcnh": version(ours.program, "--version").removeprefix("gcnh "), "compiler": version("c++", "--version"),
        "torch": version("/usr/bin/python3", "-c", "import torch; print(torch.__version__)"), "its BLAS": os.path.realpath(BLAS)})
    for section in wanted:
        if section in WITHOUT_DATA or (data / "geom-gcn").is_dir():
            SECTIONS[section](report, ours, args.quick)
        else:
            report.say(f"{section}: left out, no datasets in {data} (set GCNH_DATA).")


if __name__ == "__main__":
    main()
