#!/usr/bin/python3
"""Walks through docs/tables.md on a generated table (tests/messy.py), and holds what the page promises.

    tests/docs_tables.py build/test/gcnh
"""
import csv
import json
import random
import re
import shlex

import messy
from walk import ROOT, Walk, blocks_of, walk_through

NAMES = ["--id", "user", "--label", "segment", "--src", "a", "--dst", "b"]
KINDS = {"age": "num", "dorm": "cat ?", "city": "cat", "tags": "multi", "joined": "date", "active": "bool", "about": "text", "spend": "num",
         "nickname": "ignore ?"}


class Users(Walk):
    def __init__(self, program, folder):
        super().__init__(program, folder)
        nodes, edges = messy.make()
        messy.write(folder / "users.csv", nodes)
        messy.write(folder / "follows.csv", edges)
        messy.write(folder / "by-hand.csv", messy.encoded_by_hand(nodes))
        messy.write(folder / "plays.csv", [{"user": n["user"], "game": g} for n in nodes[:300] for g in ("chess", "go")[: 1 + len(n["city"]) % 2]])
        self.write_new_rows(nodes)
        self.nodes = nodes

    def write_new_rows(self, nodes):
        """The first fifty nodes with columns in another order, values that training cannot have seen, and a column more."""
        rows = [dict(n) for n in nodes[:50]]
        rows[0]["city"], rows[1]["tags"], rows[2]["spend"] = "Atlantis", "tag1;unheard-of", ""
        columns = [c for c in messy.COLUMNS if c != "segment"] + ["weather"]
        random.Random(4).shuffle(columns)
        messy.write(self.folder / "new.csv", [{**r, "weather": "fine"} for r in rows], columns)
        messy.write(self.folder / "new-follows.csv", [{"a": rows[i]["user"], "b": rows[i - 1]["user"]} for i in range(50)])

    def train(self, *words, nodes="users.csv", splits="0,1"):
        return self.run("train", "--nodes", nodes, "--edges", "follows.csv", *NAMES, "--epochs", "20", "--splits", splits, *words)


def kinds_told(text):
    out = {}
    for line in text.splitlines():
        match = re.match(r"  (\S+) +(num|cat|multi|text|date|bool|ignore)( \?)? +\d+  ", line)
        if match:
            out[match[1]] = match[2] + (match[3] or "")
    return out


def commands(walk):
    """Every command of the page, in its order."""
    page = (ROOT / "docs/tables.md").read_text(encoding="utf-8")
    blocks = blocks_of(page)
    assert len(blocks) == 6, [b[0] for b in blocks]
    for command, shown in blocks:
        words = shlex.split(command)
        if words[0] == "head":
            first = (walk.folder / words[2]).read_text(encoding="utf-8").splitlines()[0]
            assert shown.strip() == first, (shown, first)
        else:
            done = walk.run(*words[1:], *(["--epochs", "3", "--num-splits", "2"] if words[1] != "predict" else []),
                            *(["--no-tune"] if words[1] == "compare" else []))
            if words[1] == "compare":
                told = "".join("    " + line + "\n" for line in done.stderr.splitlines() if not line.startswith("note: "))
                assert told in page, told


def kinds_are_found(walk):
    assert kinds_told(walk.train().stderr) == KINDS, walk.train().stderr


def found_or_declared_gives_the_same_bits(walk):
    found = json.loads(walk.train("--json", "-q").stdout)
    spec = "num:age,spend cat:dorm,city multi:tags date:joined bool:active text:about"
    declared = json.loads(walk.train("--json", "-q", "--features", spec).stdout)
    for run in (found, declared):
        run.pop("seconds"), run.pop("peak_rss_bytes"), [s.pop("seconds") for s in run["splits"]]
    assert found == declared


def as_good_as_by_hand(walk):
    def accuracies(nodes):
        out = walk.run("compare", "--nodes", nodes, "--edges", "follows.csv", *NAMES, "--no-tune", "--json", "-q").stdout
        return {m["model"]: 100 * m["test_accuracy"]["mean"] for m in json.loads(out) if not m["floor"]}
    ours, by_hand = accuracies("users.csv"), accuracies("by-hand.csv")
    for model, accuracy in ours.items():
        assert accuracy > by_hand[model] - 1, (model, accuracy, by_hand[model])


def predictions(walk):
    walk.train("--out", "runs/p", "-q")
    flags = ["--model", "runs/p/model.safetensors", "--edges", "new-follows.csv", *NAMES]
    done = walk.run("predict", "--nodes", "new.csv", *flags)
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert len(rows) == 50 and all(r["predicted"] in messy.CLASSES for r in rows)
    for note in ("columns that the model does not use: nickname weather", "city (1, for example 'Atlantis')",
                 "tags (1, for example 'unheard-of')", "column spend: 1 missing value, none in training; taken for the mean"):
        assert note in " ".join(done.stderr.split()), (note, done.stderr)
    # the order of columns makes no difference, a new value counts as none
    with open(walk.folder / "new.csv", encoding="utf-8") as file:
        new = list(csv.DictReader(file))
    new[0]["city"] = "El Dorado"
    messy.write(walk.folder / "sorted.csv", new, sorted(new[0]))
    assert walk.run("predict", "--nodes", "sorted.csv", *flags).stdout == done.stdout
    messy.write(walk.folder / "less.csv", new, [c for c in new[0] if c not in ("city", "age")])
    refused = walk.run("predict", "--nodes", "less.csv", *flags, code=65).stderr
    assert "missing: age city" in refused, refused


def fitted_on_training_nodes_alone(walk):
    """Values of nodes that do not train change nothing in the model file's schema."""
    def schema():
        walk.train("--split-column", "set", "--out", "runs/s", "--force", "-q", nodes="sets.csv", splits="0")
        data = (walk.folder / "runs/s/model.safetensors").read_bytes()
        header = json.loads(data[8:8 + int.from_bytes(data[:8], "little")])
        return json.loads(header["__metadata__"]["gcnh.schema"])
    rows = [{**n, "set": ("train", "train", "val", "test")[i % 4]} for i, n in enumerate(walk.nodes)]
    messy.write(walk.folder / "sets.csv", rows)
    before = schema()
    for i, row in enumerate(rows):
        if row["set"] != "train":
            row.update(age="99", city="Elsewhere", tags="tag1;new", about=f"entirely other words, number {i}", spend="1e6")
    messy.write(walk.folder / "sets.csv", rows)
    assert schema() == before
    assert [c["name"] for c in before["columns"]] == [c for c, kind in KINDS.items() if not kind.startswith("ignore")]


if __name__ == "__main__":
    walk_through(Users, (commands, kinds_are_found, found_or_declared_gives_the_same_bits, as_good_as_by_hand, predictions, fitted_on_training_nodes_alone))
