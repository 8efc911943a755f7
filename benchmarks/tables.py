"""Reading: a user's nodes.csv and edges.csv, beside pandas' C engine on the same files."""
import json
import pathlib
import resource
import subprocess
import tempfile

import numpy
from report import Times, number

PEER = pathlib.Path(__file__).resolve().parent / "peers" / "pandas_csv.py"


def write_tables(folder, num_nodes, num_edges):
    """Ids and labels as text, four columns of numbers and one of words; edges between random nodes."""
    draw = numpy.random.default_rng(1)
    towns = numpy.array(["Rome", "Oslo", "Lima", "Kyiv", "Bonn"])[draw.integers(5, size=num_nodes)]
    numbers = draw.normal(50, 20, (num_nodes, 4))
    with open(folder / "nodes.csv", "w") as out:
        out.write("id,label,a,b,c,d,town\n")
        out.writelines(f"u{i},class{i % 7},{x[0]:.4f},{x[1]:.4f},{x[2]:.4f},{x[3]:.4f},{town}\n"
                       for i, (x, town) in enumerate(zip(numbers, towns)))
    with open(folder / "edges.csv", "w") as out:
        out.write("source,target\n")
        out.writelines(f"u{a},u{b}\n" for a, b in draw.integers(num_nodes, size=(num_edges, 2)))


def cpu_seconds(work):
    """Of the processes that the work starts: both sides use one core, and a busy machine makes their wall time a matter of luck."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def tables(report, ours, quick):
    num_nodes, num_edges, repeats = (10**5, 5 * 10**5, 2) if quick else (10**6, 5 * 10**6, 3)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_tables(folder, num_nodes, num_edges)
        megabytes = sum((folder / f).stat().st_size for f in ("nodes.csv", "edges.csv")) / 1e6
        files = [folder / "nodes.csv", folder / "edges.csv"]
        mine, theirs = [], []
        for _ in range(repeats):
            mine.append(cpu_seconds(lambda: ours.run("inspect", "--quiet", "--nodes", files[0], "--edges", files[1])))
            answer = subprocess.run(["/usr/bin/python3", PEER, *files], capture_output=True, text=True, check=True).stdout
            theirs.append(json.loads(answer))
    mine, read, matched = Times(mine), Times(t["read"] for t in theirs), Times(t["matched"] for t in theirs)
    report.keep("tables", nodes=num_nodes, edges=num_edges, megabytes=megabytes, inspect_seconds=mine, pandas_read_seconds=read,
                pandas_matched_seconds=matched)
    report.table("tables", f"nodes.csv and edges.csv of {num_nodes:,} and {num_edges:,} rows, {megabytes:.0f} MB",
                 ["gcnh inspect s", "pandas read_csv s", "and ids to rows s", "pandas / gcnh", "with ids"],
                 [[mine, read, matched, f"{number(read.median / mine.median)}x", f"{number(matched.median / mine.median)}x"]],
                 "CPU seconds. gcnh inspect is the whole process: it reads, finds the kinds of columns, matches ids, and measures degrees and "
                 "homophily. Of pandas (C engine, ids as text) the import is not counted.")
