"""A graph as people have it: a table with columns of every kind, missing values, label noise and a rare class, and edges with a direction, a
weight and a column nobody needs. Neighbours differ in class. The same table encoded by hand is written beside it.
"""
import csv
import datetime
import random

CLASSES = ["gold", "silver", "bronze", "rare"]
HEARS_FROM = {"gold": "silver", "silver": "bronze", "bronze": "gold", "rare": "gold"}
WORDS = ("market river engine garden music court sugar winter paper cloud bridge harbour mountain kitchen school doctor travel ocean "
         "stone forest").split()
COLUMNS = ["user", "segment", "age", "dorm", "city", "tags", "joined", "active", "about", "spend", "nickname"]


def node(rng, label, dorms):
    """One row; most columns tell a little of the class."""
    c = CLASSES.index(label)

    def pick(count):
        return (3 * c + int(abs(rng.gauss(0, 2)))) % count if rng.random() < 0.4 else rng.randrange(count)

    joined = datetime.date(2015, 1, 1) + datetime.timedelta(days=int(rng.gauss(900 + 100 * c, 400)))
    return {
        "segment": label if rng.random() > 0.05 else rng.choice(CLASSES[:3]),
        "age": "" if rng.random() < 0.08 else f"{rng.gauss(35 + 3 * c, 12):.1f}",
        "dorm": dorms[pick(40)],
        "city": "NA" if rng.random() < 0.05 else f"City {pick(12)}",
        "tags": ";".join(sorted({f"tag{pick(30)}" for _ in range(rng.randrange(0, 4))})),
        "joined": joined.isoformat(),
        "active": ("yes" if c % 2 else "no") if rng.random() < 0.3 else rng.choice(["yes", "no"]),
        "about": " ".join(WORDS[pick(20)] for _ in range(rng.randrange(5, 14))),
        "spend": f"{10 ** rng.gauss(2 + 0.1 * c, 0.5):.2f}",
        "nickname": f"nick{rng.randrange(10 ** 9)}",
    }


def make(count=1200, seed=1):
    """Rows of the nodes and of the edges."""
    rng = random.Random(seed)
    dorms = rng.sample(range(100, 400), 40)
    labels = ["rare" if rng.random() < 0.03 else rng.choice(CLASSES[:3]) for _ in range(count)]
    nodes = [{"user": f"u-{i:05}", **node(rng, label, dorms)} for i, label in enumerate(labels)]
    of_class = {k: [i for i, label in enumerate(labels) if label == k] for k in CLASSES}
    edges = []
    for i, label in enumerate(labels):
        for _ in range(3):
            j = rng.choice(of_class[HEARS_FROM[label]]) if rng.random() < 0.6 else rng.randrange(count)
            edges.append({"a": f"u-{i:05}", "b": f"u-{j:05}", "strength": f"{rng.uniform(0.1, 3):.2f}", "year": rng.randrange(2010, 2024)})
    return nodes, edges


def encoded_by_hand(nodes):
    """What a careful person makes of it: one column of numbers per value, numbers standardised, missing ones told."""
    def standard(values):
        known = [v for v in values if v is not None]
        mean = sum(known) / len(known)
        deviation = (sum((v - mean) ** 2 for v in known) / len(known)) ** 0.5
        return [0 if v is None else (v - mean) / deviation for v in values]

    columns = {
        "age": standard([float(n["age"]) if n["age"] else None for n in nodes]),
        "age unknown": [int(not n["age"]) for n in nodes],
        "spend": standard([float(n["spend"]) for n in nodes]),
        "joined": standard([datetime.date.fromisoformat(n["joined"]).toordinal() for n in nodes]),
        "active": [int(n["active"] == "yes") for n in nodes],
    }
    parts = {"dorm": lambda n: [n["dorm"]], "city": lambda n: [n["city"]], "tags": lambda n: n["tags"].split(";"),
             "about": lambda n: n["about"].split()}
    for name, values_of in parts.items():
        for value in sorted({v for n in nodes for v in values_of(n)}, key=str):
            columns[f"{name} is {value}"] = [int(value in values_of(n)) for n in nodes]
    return [{"user": n["user"], "segment": n["segment"], **{k: v[i] for k, v in columns.items()}} for i, n in enumerate(nodes)]


def write(path, rows, columns=None):
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, columns or list(rows[0]), extrasaction="ignore")
        out.writeheader()
        out.writerows(rows)
