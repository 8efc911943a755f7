"""Accounts and payments: one account in twenty-five is fraudulent, a fifth is not checked yet. Frauds pay into few collecting accounts, and their
columns tell a little of them.
"""
import random

COLUMNS = ["account", "verdict", "opened", "country", "turnover", "devices"]
COUNTRIES = ["Peru", "Chile", "Kenya", "Nauru", "Fiji"]


def make(count=1500, seed=3):
    """Rows of the accounts with their true verdicts, and of the payments."""
    rng = random.Random(seed)
    frauds = [rng.random() < 0.04 for _ in range(count)]
    collectors = rng.sample(range(count), 12)
    accounts, payments = [], []
    for i, fraud in enumerate(frauds):
        accounts.append({"account": f"acc-{i:05}", "verdict": "fraud" if fraud else "fine", "opened": f"20{rng.randrange(15, 25)}-0{rng.randrange(1, 10)}-11",
                         "country": COUNTRIES[min(4, int(abs(rng.gauss(2.5 if fraud else 1, 1.2))))],
                         "turnover": f"{10 ** rng.gauss(3.4 if fraud else 3, 0.4):.2f}", "devices": 1 + int(rng.expovariate(0.4 if fraud else 0.8))})
        for _ in range(4):
            j = rng.choice(collectors) if fraud and rng.random() < 0.6 else rng.randrange(count)
            payments.append({"from": f"acc-{i:05}", "to": f"acc-{j:05}"})
    return accounts, payments
