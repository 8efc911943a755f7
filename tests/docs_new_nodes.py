#!/usr/bin/python3
"""Walks through docs/new-nodes.md on a table that grows from week to week, and compares what the commands print.

    tests/docs_new_nodes.py build/test/gcnh [--write]

With --write the blocks of the page are replaced by what the program prints.
"""
import csv
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import messy

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/new-nodes.md"
NODES, EDGES = messy.make(count=1300, seed=3)
WEEKS = {1: 1000, 2: 1200, 3: 1300}  # rows of the table


def write_week(folder, week):
    """People follow those who came before them; labels come a week late; the newcomers of the third week are from a city that was not there before."""
    rows = [dict(n) for n in NODES[:WEEKS[week]]]
    for i, row in enumerate(rows):
        if week > 1 and i >= WEEKS[week - 1]:
            row["segment"] = ""
        if i >= WEEKS[2]:
            row["city"] = "Atlantis"
    known = {r["user"] for r in rows}
    messy.write(folder / "users.csv", rows)
    messy.write(folder / "follows.csv", [e for e in EDGES if e["b"] < e["a"] and e["a"] in known])


def blocks(page):
    """(week, command, what is shown below it), in the order of the page; headings say which week it is."""
    week = 1
    for match in re.finditer(r"^## .*week (\d)|^    \$ (.*)\n((?:    .*\n|\n(?=    (?!\$)))*)", page, flags=re.M):
        if match[1]:
            week = int(match[1])
        else:
            yield week, match[2], match[3]


def indented(text):
    return "".join("    " + line + "\n" if line else "\n" for line in text.splitlines())


def main():
    program, writes = pathlib.Path(sys.argv[1]).resolve(), "--write" in sys.argv
    page = PAGE.read_text(encoding="utf-8")
    found = list(blocks(page))
    assert [w for w, _, _ in found] == sorted(w for w, _, _ in found) and {w for w, _, _ in found} == {1, 2, 3}
    with tempfile.TemporaryDirectory() as name:
        folder, now, codes = pathlib.Path(name), 0, []
        for week, command, shown in found:
            if week != now:
                write_week(folder, week)
                now = week
            words = [str(program) if w == "gcnh" else w for w in shlex.split(command)]
            done = subprocess.run(words, capture_output=True, text=True, cwd=folder)
            assert done.returncode in (0, 1), f"{command}: exit {done.returncode}\n{done.stderr}"
            codes.append((words[1], done.returncode))
            printed = indented(done.stdout)
            if shown.rstrip().endswith("..."):
                printed = "".join(printed.splitlines(True)[:len(shown.splitlines()) - 1]) + "    ...\n"
            if writes:
                page = page.replace(f"    $ {command}\n{shown}", f"    $ {command}\n{printed}")
            elif shown:
                assert shown.rstrip() == printed.rstrip(), f"{command}: the page shows\n{shown}\nthe program prints\n{printed}"
        answers = list(csv.DictReader((folder / "answers.csv").open(encoding="utf-8")))
        assert len(answers) == WEEKS[2] and sum(a["status"] == "new" for a in answers) == 200, len(answers)
        updates = [code for command, code in codes if command == "update"]
        assert updates == [0, 1], codes
        assert json.loads((folder / "runs/week/errors.json").read_text())["errors"], "surely wrong answers, with reasons"
    if writes:
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
