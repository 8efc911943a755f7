#!/usr/bin/python3
"""Runs every command that README.md, CONTRIBUTING.md and docs/ name, in its quickest form, so that none of them rots.

    tests/docs_commands.py build/test/gcnh

A command is a line of a code block that starts with `$` or with `gcnh` and one of its subcommands, or inline code that starts with `gcnh` or `./run`.
Inline code that is a command's name alone, such as `gcnh data convert`, stands for its help. In the line, `...` stands for the columns of the tables, NAME, D
and FILE for a graph and a journal, V and FOLDER for parts and where they go. Commands on known graphs need GCNH_DATA and are counted as skipped without it. The scripts ./test and ./bench are
not run from here: .ci/run calls them.
"""
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLES = ["--nodes", "users.csv", "--edges", "follows.csv"]
COLUMNS = ["--id", "user", "--label", "segment", "--src", "a", "--dst", "b"]
STAND_FOR = {"u_9912": "u7", "NAME": "texas", "D": "texas", "V": "4", "FOLDER": "parts", "RUNS...": "runs/seg", "FILE": str(ROOT / "docs/results/journal.jsonl")}
QUICK = {  # options that are added, or take the place of those given
    "train": {"--epochs": "3", "--splits": "0"},
    "compare": {"--epochs": "3", "--splits": "0,1", "--budget": "1"},
    "tune": {"--axis": "epochs=3", "--splits": "0", "--trials": "2"},
    "paper": {"--quick": None},
    "journal": {"--again": "3", "--within": "1"},
    "scale-sim": {"--parts-list": "2", "--steps": "1"},
    "bench": {"--largest": "10000", "--epochs": "3"},
}
STUDIES = ("defaults", "views", "beyond")  # chapters of many graphs, of which one shows that they run
SCRIPTS = ("./test", "./bench")
WALKED = ("decisions.md", "new-nodes.md", "tables.md")  # docs_*.py go through them, on tables of their own
MADE_BEFORE = ("texas", "cornell", "film")  # runs/NAME, of which README reports


def cut_description(line):
    """What follows a gap of three spaces explains the command, unless it is one of its options."""
    return re.split(r" {3,}(?!\.\.\.|-)", line)[0]


def commands_of(text, subcommands):
    text = re.sub(r"\\\n\s*", "", text)
    subcommand = "|".join(subcommands)
    for line in text.splitlines():
        block = re.match(rf"    (?:\$ (.*)|(gcnh (?:{subcommand})\b.*))", line)
        if block:
            yield cut_description(block[1] or block[2])
        elif not line.startswith("    "):
            for found in re.findall(rf"`(gcnh (?:{subcommand})\b[^`]*|\./run\b[^`]*|\./test[^`]*|\./bench[^`]*)`", line):
                is_name = re.fullmatch(r"gcnh( [a-z-]+| data [a-z]+| bench [a-z]+)", found)
                yield found + " --help" if is_name else found


def quick_form(command, program):
    """The words to run, or nothing for a script that .ci/run calls."""
    words = [w for w in shlex.split(re.split(r" > | \\?\| ", command)[0]) if not re.match(r"[A-Z_]+=", w)]
    if words[-1] == "--help":
        return [str(program), *words[1:]]
    if words[:2] == ["gcnh", "models"]:
        words = ["gcnh" if w == "NAME" else w for w in words]
    if words[:2] == ["./run", "python"]:
        return None  # the package has tests of its own, a wheel in a venv among them
    if words[0] in SCRIPTS:
        assert words[0] in (ROOT / ".ci/run").read_text(), f".ci/run does not call {words[0]}"
        return None
    if words == ["./run"]:
        words = ["./run", "compare", "--models", "gcnh,gcn,mlp", "--budget", "10", "--out", "runs/first", "--force"]
    if words == ["./run", "mpi"]:
        return None  # the name of what starts commands
    if words[:2] == ["./run", "mpi"]:
        words[1:3] = []  # one process does the same; tests/mpi.py starts ranks
    words = [STAND_FOR.get(w, str(ROOT / w) if w.startswith("docs/") else w) for w in words]
    if "--nodes" in words or "..." in words:
        missing = [] if "users.csv" in words else TABLES
        words = [w for w in words if w not in ("...", "--nodes")] if missing else [w for w in words if w != "..."]
        words += missing + ([] if "--id" in words else COLUMNS)
    if words[1] == "paper" and words[2] in STUDIES and "--data" not in words:
        words += ["--data", "texas"]
    quick = {} if words[1:3] == ["bench", "explain"] else QUICK.get(words[1], {})
    for option, value in quick.items():
        if option in words and value is not None:
            words[words.index(option) + 1] = value
        elif option not in words and not (words[1] == "journal" and len(words) == 3):
            words += [option] + ([value] if value is not None else [])
    return [str(program), *words[1:]]


def write_tables(folder):
    draw = random.Random(1)
    segments = [draw.choice(["loyal", "new", "lost"]) for _ in range(120)]
    with open(folder / "users.csv", "w") as nodes, open(folder / "follows.csv", "w") as edges:
        nodes.write("user,segment,age,visits\n")
        for user, segment in enumerate(segments):
            nodes.write(f"u{user},{segment if user % 10 else ''},{draw.randint(18, 80)},{len(segment) + draw.random():.3f}\n")
        edges.write("a,b\n")
        for _ in range(400):
            edges.write(f"u{draw.randrange(120)},u{draw.randrange(120)}\n")


def needs_data(words):
    if words[-1] == "--help":
        return False
    return words[1] in ("paper", "journal") or {"--data", "geomgcn", "runs/texas"} & set(words) or words[1:3] == ["data", "show"]


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    usage = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    subcommands = re.findall(r"^  ([a-z-]+)\s", usage.split("Commands:")[1].split("\n\n")[0], re.M)
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    pages = [page for page in pages if page.name not in WALKED]
    named = dict.fromkeys(c for page in pages for c in commands_of(page.read_text(), subcommands))
    ran = skipped = failed = 0
    with tempfile.TemporaryDirectory(prefix="gcnh_docs_") as folder:
        write_tables(pathlib.Path(folder))
        for name in MADE_BEFORE if os.environ.get("GCNH_DATA") else ():
            subprocess.run([program, "train", "--data", name, "--epochs", "3", "--splits", "0", "--quiet", "--out", f"runs/{name}"],
                           cwd=folder, capture_output=True, check=True)
        for command in named:
            words = quick_form(command, program)
            if words is None:
                continue
            if needs_data(words) and not os.environ.get("GCNH_DATA"):
                print(f"skipped, GCNH_DATA is not set: {command}")
                skipped += 1
                continue
            start = time.monotonic()
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
            ran += 1
            print(f"{time.monotonic() - start:6.1f} s  {command}", flush=True)
            if done.returncode != 0:
                failed += 1
                print(f"exit {done.returncode}: {' '.join(words[1:])}\n{done.stderr}", flush=True)
    print(f"{ran} commands, {failed} failed, {skipped} skipped")
    sys.exit(failed > 0 or ran == 0)


if __name__ == "__main__":
    main()
