#!/usr/bin/python3
"""Compares the cards of docs/models.md with the program's options and the committed results; --write puts them right.

    tests/docs_models.py build/test/gcnh [--write]

Of every card (## NAME) the lines that begin with `    --` are the model's options as `gcnh models NAME` prints them, and the table of views is made
from docs/results/tables.
"""
import csv
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/models.md"


def options_by_model(program):
    """The lines of `gcnh models NAME`, indented as a block of code."""
    def lines(*words):
        env = {**os.environ, "COLUMNS": "1000"}
        return subprocess.run([program, "models", *words], capture_output=True, text=True, check=True, env=env).stdout.splitlines()

    names = [line.split()[0] for line in lines() if line.startswith("  ") and line[2] != " "]
    return {name: ["  " + line for line in lines(name) if line.startswith("  --")] for name in names}


def results_of(model):
    """A table of two rows: mean accuracies in the paper's view and in the clean one; nothing for a model that was not measured."""
    lines = []
    for view in ("paper", "clean"):
        with open(ROOT / f"docs/results/tables/main-{view}.csv", encoding="utf-8") as file:
            rows = {row[0]: row[1:] for row in csv.reader(file)}
        if model not in rows:
            return []
        if not lines:
            lines = ["| " + " | ".join(["view", *rows["model"]]) + " |", "|---" * (len(rows["model"]) + 1) + "|"]
        lines.append("| " + " | ".join([view, *(cell.split(" ")[0] for cell in rows[model])]) + " |")
    return lines


def with_block(card, pattern, lines):
    """The card with the lines that match, which stand together, replaced; a function, so that nothing in them is an escape."""
    text, count = re.subn(rf"(?:^(?:{pattern}).*\n)+", lambda _: "\n".join(lines) + "\n", card, count=1, flags=re.M)
    assert count == 1, f"docs/models.md: no lines {pattern} in the card {card.split()[0]}"
    return text


def main():
    head, *cards = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.M)
    options = options_by_model(sys.argv[1])
    names = [card.split("\n")[0] for card in cards]
    assert names == list(options), f"docs/models.md has cards for {names}, the program has {list(options)}"
    made = head
    for name, card in zip(names, cards):
        card = with_block(card, r"    --|OPTIONS$", options[name])
        results = results_of(name)
        assert results or not re.search(r"^(\||RESULTS$)", card, re.M), f"docs/models.md: results of {name}, which was not measured"
        made += "## " + (with_block(card, r"\||RESULTS$", results) if results else card)
    if made == PAGE.read_text(encoding="utf-8"):
        return
    if "--write" not in sys.argv:
        old = PAGE.read_text(encoding="utf-8").splitlines()
        changed = [line for line in made.splitlines() if line not in old]
        sys.exit("docs/models.md is not what the program and docs/results say; tests/docs_models.py PROGRAM --write puts in:\n"
                 + "\n".join(changed))
    PAGE.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
