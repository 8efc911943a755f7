#!/usr/bin/python3
"""Walks through docs/decisions.md on a generated table (tests/accounts.py), and holds what the page promises.

    tests/docs_decisions.py build/test/gcnh
"""
import csv
import json
import random
import shlex

import accounts
import messy
from walk import ROOT, Walk, blocks_of, walk_through

COSTS = "truth,fine,fraud\nfine,0,1\nfraud,25,0\n"
QUICK = {"compare": ["--no-tune", "--models", "mlp,gcnh", "--epochs", "60", "--num-splits", "5"],
         "train": ["--epochs", "60", "--num-splits", "5"], "predict": [], "eval": []}


class Accounts(Walk):
    def __init__(self, program, folder):
        super().__init__(program, folder)
        rows, payments = accounts.make()
        rng = random.Random(8)
        self.open = [r["account"] for r in rows if rng.random() < 0.2]
        is_open = set(self.open)
        messy.write(folder / "accounts.csv", [{**r, "verdict": "" if r["account"] in is_open else r["verdict"]} for r in rows], accounts.COLUMNS)
        messy.write(folder / "checked.csv", [{**r, "verdict": r["verdict"] if r["account"] in is_open else ""} for r in rows], accounts.COLUMNS)
        messy.write(folder / "payments.csv", payments)
        (folder / "costs.csv").write_text(COSTS)
        (folder / "open.txt").write_text("\n".join(self.open) + "\n")
        self.truth = {r["account"]: r["verdict"] for r in rows}


def commands(walk):
    """Every command of the page, in its order, but for the last, which is a study of its own."""
    page = (ROOT / "docs/decisions.md").read_text(encoding="utf-8")
    blocks = blocks_of(page)
    assert len(blocks) == 11, [b[0] for b in blocks]
    out = {}
    for command, shown in blocks:
        words = shlex.split(command)
        if words[0] in ("head", "cat"):
            text = (walk.folder / words[-1]).read_text(encoding="utf-8")
            expected = text.splitlines()[0] if words[0] == "head" else text
            assert [line.strip() for line in shown.splitlines()] == expected.split("\n")[: len(shown.splitlines())], (shown, expected)
        elif words[1] != "paper":
            out[words[1] + " " + words[words.index("--out") + 1] if "--out" in words else command] = walk.run(*words[1:], *QUICK[words[1]])
    return out


def the_final_model_is_kept_and_told(walk):
    finals = list(walk.folder.glob("runs/fraud/*/final.json"))
    assert len(finals) == 1, finals
    final = json.loads(finals[0].read_text())
    assert final["kind"] == final["candidates"][0]["kind"] and len(final["candidates"]) == 2, final
    assert final["decision"]["aim"] == "cost" and final["decision"]["after"] < final["decision"]["before"], final["decision"]
    assert 0.84 < final["decision"]["coverage"] < 0.96, final["decision"]


def decisions_cost_less(walk):
    """On accounts whose verdict no network has seen: than the most probable class, and than checking nobody or everybody."""
    with open(walk.folder / "decisions.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [r["id"] for r in rows] == walk.open
    cost = {("fine", "fraud"): 1, ("fraud", "fine"): 25}

    def total(answer):
        return sum(cost.get((walk.truth[r["id"]], answer(r)), 0) for r in rows)

    decided = total(lambda r: r["predicted"])
    likely = total(lambda r: "fraud" if float(r["p_fraud"]) > 0.5 else "fine")
    assert decided < likely and decided < total(lambda r: "fraud") and decided < total(lambda r: "fine"), (decided, likely)
    covered = sum(walk.truth[r["id"]] in r["set"].split(";") for r in rows) / len(rows)
    assert covered > 0.84, covered
    assert {r["status"] for r in rows} <= {"known", "known;isolated"}, {r["status"] for r in rows}


def eval_measures_what_came_back(walk):
    done = walk.run("eval", "--model", "runs/fraud", "--nodes", "checked.csv", "--edges", "payments.csv", "--id", "account", "--label", "verdict",
                    "--src", "from", "--dst", "to", "--json", "-q")
    found = json.loads(done.stdout)
    assert found["nodes"] == len(walk.open) and found["trained"] == 0, (found["nodes"], found["trained"])
    assert found["decision"]["after"] < found["decision"]["before"], found["decision"]


def weights_raise_recall(walk):
    def recall(run):
        return json.loads((walk.folder / run / "result.json").read_text())["classes"][1]["recall"]["mean"]
    words = ["--nodes", "accounts.csv", "--edges", "payments.csv", "--id", "account", "--label", "verdict", "--src", "from", "--dst", "to", "--metric", "pr_auc"]
    walk.run("train", *words, *QUICK["train"], "--out", "runs/plain", "-q")
    assert recall("runs/weighted") > recall("runs/plain") + 0.1, (recall("runs/weighted"), recall("runs/plain"))


def no_test_nodes(walk):
    result = json.loads((walk.folder / "runs/all/result.json").read_text())
    assert result["test_accuracy"]["mean"] is None and "test" not in result and result["val_accuracy"]["mean"] > 0.5
    assert (walk.folder / "runs/all/final.safetensors").exists()


if __name__ == "__main__":
    walk_through(Accounts, (commands, the_final_model_is_kept_and_told, decisions_cost_less, eval_measures_what_came_back, weights_raise_recall, no_test_nodes))
