#!/usr/bin/python3
"""Ranks as processes, under mpirun: every command ends with the files of one process, bit for bit in everything but times; a rank that is
killed ends the job within ten seconds, and the same command goes on from there.

    tests/mpi.py build/test/gcnh [KILLS]

The paper is made with GCNH_DATA alone.
"""
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
MPIRUN = subprocess.run(["bash", "-c", f"source {ROOT}/tools/setup.sh; printf '%s\\n' \"${{mpirun[@]}}\""],
                        capture_output=True, text=True, check=True).stdout.split()
TIMES = {"seconds", "peak_rss_bytes", "date"}
SMALL = ["--epochs", "20", "--hidden", "8", "--threads", "1", "--quiet"]
COMMANDS = {
    "train": ["train", *SMALL, "--final", "--out", "out"],
    "tune": ["tune", "--models", "gcnh,mlp", "--trials", "4", "--axis", "epochs=5,20", "--axis", "hidden=8", "--splits", "0,1,2", "--threads",
             "1", "--final", "--quiet", "--out", "out"],
    "halving": ["tune", "--method", "halving", "--axis", "epochs=20", "--axis", "hidden=4,8", "--threads", "1", "--quiet", "--out", "out"],
    "compare": ["compare", "--models", "gcnh,mlp", "--budget", "2", "--splits", "0,1,2,3,4", *SMALL, "--out", "out"],
    "bare": ["compare", "--models", "gcnh,mlp", "--no-tune", *SMALL, "--json"],
}
if os.environ.get("GCNH_DATA"):
    COMMANDS["paper"] = ["paper", "main", "beta", "decisions", "--models", "gcnh,mlp", "--data", "texas,cornell", "--quick", "--threads", "1",
                         "--quiet", "--out", "out"]
KILLED = ["tune", "--axis", "epochs=400", "--axis", "hidden=16", "--trials", "6", "--splits", "0,1,2", "--threads", "1", "--quiet", "--out", "out"]
LONG = [w.replace("epochs=400", "epochs=10000") for w in KILLED]  # mpirun takes three seconds to hand on Ctrl-C
STOPPED = ["train", "--epochs", "20000", "--hidden", "16", "--splits", "0,1,2", "--threads", "1", "--checkpoint-seconds", "0.2", "--quiet",
           "--out", "out"]
# One training on all ranks: what is over parts of the graph has the bits of one process with these parts.
IN_PARTS = ["train", "--splits", "0,1", "--epochs", "4", "--hidden", "6", "--threads", "1", "--quiet", "--json"]
PARTS_CASES = [["--model", "gcnh", "--aggregation", a, "--layers", str(layers), *batch, "--parts", parts]
               for a, parts in (("sum", "4"), ("mean", "7"), ("max", "5")) for layers in (1, 2, 3) for batch in ([], ["--batch", "100"])]
PARTS_CASES += [["--model", m, "--layers", "2", "--parts", "6"] for m in ("gcn", "mlp", "gat")] + [["--parts", "3"]]
PARTS_STOPPED = ["train", "--parts", "5", "--layers", "2", "--epochs", "1500", "--hidden", "8", "--splits", "0,1", "--threads", "1",
                 "--checkpoint-seconds", "0.1", "--quiet", "--out", "out"]
WILD = ["train", "--model", "mlp", "--lr", "1e30", "--threads", "1", "--splits", "3,1,2", "--quiet"]  # every split fails: the first says so
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED " + what, flush=True)


def command(program, ranks, words):
    return ([] if ranks == 1 else [*MPIRUN, "-n", str(ranks)]) + [str(program), *words]


def run(program, ranks, words, folder):
    folder.mkdir(exist_ok=True)
    return subprocess.run(command(program, ranks, words), cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def timeless(value):
    if isinstance(value, dict):
        return {k: timeless(v) for k, v in value.items() if k not in TIMES}
    return [timeless(v) for v in value] if isinstance(value, list) else value


def checkpoint(data):
    """Tensors as they are, what stands beside them without its times."""
    size = 8 + struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:size])
    notes = header.pop("__metadata__")
    order = sorted(header)
    shapes = [(name, header[name]["shape"]) for name in order]
    begin_end = [header[name]["data_offsets"] for name in order]
    split = timeless(json.loads(notes.pop("gcnh.split")))
    return notes, split, shapes, [data[size + b:size + e] for b, e in begin_end]


def content(path):
    """What must not depend on ranks. Pages and tables of times are looked at without their decimal numbers."""
    data = path.read_bytes()
    if path.parent.name == "splits":
        return checkpoint(data)
    if path.name == "journal.jsonl":
        return sorted(json.dumps(timeless(json.loads(line))) for line in data.splitlines())
    if path.suffix == ".json":
        return timeless(json.loads(data))
    return data


def without_seconds(text):
    return re.sub(r"\d+\.\d+ s\b", "S s", text)


def printed(text):
    """Of a table of models, the column of seconds is left out; the rest stays."""
    return [re.sub(r"^(\w+ +\S+ ± \S+ +\S+ ± \S+ +\d+) +\d+\.\d", r"\1", line) for line in without_seconds(text).splitlines()]


def files(folder):
    return {str(p.relative_to(folder)): content(p) for p in sorted(folder.rglob("*")) if p.is_file() and p.name not in ("report.html", "paper.html")}


def compare_files(name, expected, found):
    check(expected.keys() == found.keys(), f"{name}: other files: {sorted(expected.keys() ^ found.keys())}")
    for file in expected.keys() & found.keys():
        check(expected[file] == found[file], f"{name}: {file} differs")


def same_as_one_process(program, base):
    for name, words in COMMANDS.items():
        alone = run(program, 1, words, base / f"{name}-1")
        check(alone.returncode == 0, f"{name}: exit {alone.returncode}: {alone.stderr}")
        for ranks in (2, 3, 4):
            start = time.monotonic()
            spread = run(program, ranks, words, base / f"{name}-{ranks}")
            check(spread.returncode == 0, f"{name} on {ranks} ranks: exit {spread.returncode}: {spread.stderr}")
            if "--json" in words:
                check(timeless(json.loads(alone.stdout)) == timeless(json.loads(spread.stdout)), f"{name} on {ranks} ranks prints other JSON")
            else:
                check(printed(alone.stdout) == printed(spread.stdout), f"{name} on {ranks} ranks prints:\n{spread.stdout}\nalone:\n{alone.stdout}")
            check(spread.stderr == alone.stderr, f"{name} on {ranks} ranks complains: {spread.stderr}")
            compare_files(f"{name} on {ranks} ranks", files(base / f"{name}-1"), files(base / f"{name}-{ranks}"))
            print(f"{time.monotonic() - start:6.1f} s  {name} on {ranks} ranks", flush=True)


def ranks_of(mpirun):
    """Processes by rank."""
    out = {}
    for pid in subprocess.run(["ps", "-o", "pid=", "--ppid", str(mpirun)], capture_output=True, text=True).stdout.split():
        try:
            environment = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        except OSError:
            continue
        for entry in environment:
            if entry.startswith(b"OMPI_COMM_WORLD_RANK="):
                out[int(entry.split(b"=")[1])] = int(pid)
    return out


def lines_in(journal):
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def is_gone(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().split(")")[-1].split()[0] == "Z"
    except OSError:
        return True


def killed_jobs(program, base, kills):
    """Kills random ranks at random numbers of finished trainings; each search goes on with another number of ranks."""
    expected = base / "kill-whole"
    start = time.monotonic()
    check(run(program, 1, KILLED, expected).returncode == 0, "the search that is to be killed fails by itself")
    print(f"{time.monotonic() - start:6.1f} s  alone", flush=True)
    whole = files(expected)
    lines = lines_in(expected / "out/journal.jsonl")
    draw = random.Random(1)
    for number in range(kills):
        ranks = draw.randint(2, 4)
        folder = base / f"kill-{number}"
        folder.mkdir()
        victim, moment = draw.randrange(ranks), draw.randrange(lines * 3 // 4)  # the last quarter leaves no time to look
        with open(folder / "stderr", "w+") as errors:
            job = subprocess.Popen(command(program, ranks, KILLED), cwd=folder, stdout=subprocess.DEVNULL, stderr=errors)
            processes, journal = {}, folder / "out/journal.jsonl"
            while job.poll() is None and len(processes) < ranks:
                time.sleep(0.01)
                processes = ranks_of(job.pid)
            while job.poll() is None and lines_in(journal) < moment:
                time.sleep(0.001)
            before = lines_in(journal)
            check(job.poll() is None and victim in processes, f"job {number} ended before it could be killed")
            if victim in processes:
                with contextlib.suppress(ProcessLookupError):  # then the exit code tells
                    os.kill(processes[victim], signal.SIGKILL)
            start = time.monotonic()
            code = wait(job)
            took = time.monotonic() - start
            errors.seek(0)
            said = errors.read()
        what = f"job {number}, rank {victim} of {ranks} killed at {before} lines"
        check(code != 0 and took <= 10, f"{what}: exit {code} after {took:.1f} s")
        check(len(re.findall(rf"rank {victim}\b.*signal 9", said)) == 1, f"{what}: says {said!r}")
        while not all(map(is_gone, processes.values())) and time.monotonic() - start < 10:
            time.sleep(0.1)  # they were killed a moment before mpirun ended
        check(all(map(is_gone, processes.values())), f"{what}: a rank lives on")
        check(lines_in(folder / "out/journal.jsonl") >= before, f"{what}: lines are lost")
        (folder / "stderr").unlink()
        again = run(program, ranks % 4 + 1, KILLED, folder)
        check(again.returncode == 0, f"{what}: the same command again: exit {again.returncode}: {again.stderr}")
        compare_files(what, whole, files(folder))
        print(f"{took:6.1f} s  {what}", flush=True)
        shutil.rmtree(folder)


def wait(job):
    try:
        return job.wait(timeout=60)
    except subprocess.TimeoutExpired:
        job.kill()
        return 0


def interrupted_search(program, base):
    """Ctrl-C as a terminal gives it, to mpirun."""
    check(run(program, 1, LONG, base / "long-whole").returncode == 0, "the long search fails")
    folder = base / "long"
    folder.mkdir()
    job = subprocess.Popen(command(program, 3, LONG), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while job.poll() is None and lines_in(folder / "out/journal.jsonl") == 0:
        time.sleep(0.01)
    start = time.monotonic()
    job.send_signal(signal.SIGINT)
    said = job.communicate(timeout=60)[1]
    took = time.monotonic() - start
    check(job.returncode != 0 and took <= 10, f"Ctrl-C: exit {job.returncode} after {took:.1f} s")
    check(said.count("gcnh: interrupted; the same command again continues from out/journal.jsonl") == 1, f"Ctrl-C: says {said!r}")
    again = run(program, 2, LONG, folder)
    check(again.returncode == 0, f"after Ctrl-C: exit {again.returncode}: {again.stderr}")
    compare_files("after Ctrl-C", files(base / "long-whole"), files(folder))
    print(f"{took:6.1f} s  Ctrl-C", flush=True)


def in_parts(program, base):
    """More ranks than parts, too; and the error of a training as one process has it."""
    start = time.monotonic()
    for words in PARTS_CASES:
        alone = run(program, 1, [*IN_PARTS, *words], base)
        check(alone.returncode == 0, f"{words}: exit {alone.returncode}: {alone.stderr}")
        for ranks in (2, 3, 4):
            spread = run(program, ranks, [*IN_PARTS, *words], base)
            check(spread.returncode == 0, f"{words} on {ranks} ranks: exit {spread.returncode}: {spread.stderr}")
            check(timeless(json.loads(alone.stdout)) == timeless(json.loads(spread.stdout)), f"{words} on {ranks} ranks: other JSON")
    wild = [*WILD, "--parts", "4"]
    alone, spread = run(program, 1, wild, base), run(program, 3, wild, base)
    check(spread.returncode == alone.returncode and spread.stderr.startswith(alone.stderr), f"{wild}: {alone} {spread}")
    print(f"{time.monotonic() - start:6.1f} s  in parts", flush=True)


def stopped_run(program, base, name, words):
    """A run folder: checkpoints of ranks, continued by another number of them."""
    check(run(program, 1, words, base / f"{name}-whole").returncode == 0, "train fails")
    for ranks, then in ((3, 2), (2, 1), (1, 3)):
        folder = base / f"{name}-{ranks}"
        folder.mkdir()
        job = subprocess.Popen(command(program, ranks, words), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while job.poll() is None and not list(folder.glob("out/splits/*.safetensors")):
            time.sleep(0.01)
        os.kill(job.pid if ranks == 1 else ranks_of(job.pid)[0], signal.SIGTERM)
        said = job.communicate(timeout=60)[1]
        check(job.returncode == 130 and "the same command with --resume continues in out" in said,
              f"{name} on {ranks} ranks, interrupted: exit {job.returncode}, {said!r}")
        again = run(program, then, [*words, "--resume"], folder)
        check(again.returncode == 0, f"{name} resumed on {then} ranks: {again.stderr}")
        expected, found = files(base / f"{name}-whole"), files(folder)
        for side in (expected, found):
            side["out/result.json"].pop("command")
        compare_files(f"{name} on {ranks}, then {then} ranks", expected, found)


def refused(program, base):
    words = ["tune", "--trials", "1", "--axis", "epochs=2", "--quiet", "--out", "refused"]
    other = base / "gcnh-other"
    other.write_bytes(program.read_bytes() + b"\0")
    other.chmod(0o755)
    for second, said in (([program, *words, "--seed", "2"], "rank 1 on .* was started as 'gcnh tune .*--seed 2'"),
                         ([other, *words], "rank 1 on .* runs another build of gcnh")):
        done = subprocess.run([*MPIRUN, "-n", "1", program, *words, ":", "-n", "1", *second], cwd=base, capture_output=True, text=True)
        check(done.returncode == 2 and done.stdout == "" and re.match(f"gcnh: {said}", done.stderr), f"refusal: {done}")
    for wrong, ending in (["train", "--model", "gcnhh"], "did you mean 'gcnh'?"), (WILD, "lower lr or scale the features"):
        alone, spread = run(program, 1, wrong, base), run(program, 3, wrong, base)
        own = spread.stderr.split("-----")[0]  # mpirun adds a few lines on the exit code
        check((spread.returncode, own, spread.stdout) == (alone.returncode, alone.stderr, ""), f"{wrong}: {alone} {spread}")
        check(alone.stderr.endswith(ending + "\n"), f"{wrong}: {alone}")


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 12
    with tempfile.TemporaryDirectory(prefix="gcnh_mpi_") as name:
        base = pathlib.Path(name)
        refused(program, base)
        same_as_one_process(program, base)
        in_parts(program, base)
        stopped_run(program, base, "run", STOPPED)
        stopped_run(program, base, "parts", PARTS_STOPPED)
        interrupted_search(program, base)
        killed_jobs(program, base, kills)
    print(f"{len(failures)} failed" + ("" if "paper" in COMMANDS else "; the paper was left out, GCNH_DATA is not set"))
    sys.exit(len(failures) > 0)


if __name__ == "__main__":
    main()
