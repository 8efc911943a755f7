#!/usr/bin/python3
"""Metrics by scikit-learn, compared to 1e-12 by tests/train/metrics_test.cpp.

    /usr/bin/python3 tests/oracle/metrics.py                           writes tests/data/metrics.json
    /usr/bin/python3 tests/oracle/metrics.py --live build/tests/unit   100 fresh cases, read through GCNH_METRICS
    /usr/bin/python3 tests/oracle/metrics.py --seed $RANDOM --live build/tests/unit

Needs Debian's python3-sklearn (1.2). The file is kept in the repository, so building and testing need it not; run this only when a
case or a metric is added. Log-probabilities are float32, so the C++ side reads the very numbers that scikit-learn was given.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy as np
from scipy.special import logsumexp
from sklearn import metrics

warnings.filterwarnings("ignore")  # of classes that are never predicted
BINS = 15  # of the calibration error


def log_probabilities(r, nodes, classes, sharpness, decimals=None, never=None):
    """Random answers; rounded ones have ties, between nodes and between classes. One class may never be the answer."""
    logits = r.normal(size=(nodes, classes)) * sharpness
    if decimals is not None:
        logits = np.round(logits, decimals)
    if never is not None:
        logits[:, never] -= 9
    return (logits - logsumexp(logits, axis=1, keepdims=True)).astype(np.float32)


def score_of(logp, k):
    """What ranks nodes: of two classes the log-odds, which tell apart what rounds to a probability of 1; else the probability."""
    logp = logp.astype(np.float64)
    return logp[:, k] - logp[:, 1 - k] if logp.shape[1] == 2 else np.exp(logp[:, k])


def against_rest(area, y, logp):
    """Of two classes the rarer; else the mean over the classes that some nodes have and others have not."""
    classes = [int(2 * (y == 1).sum() <= len(y))] if logp.shape[1] == 2 else range(logp.shape[1])
    values = [area(y == k, score_of(logp, k)) for k in classes if 0 < (y == k).sum() < len(y)]
    return np.mean(values) if values else None


def brier(y, p):
    if p.shape[1] == 2:
        return metrics.brier_score_loss(y == 1, np.minimum(p[:, 1], 1))
    return ((p - np.eye(p.shape[1])[y]) ** 2).sum(axis=1).mean()


def calibration_error(y, p):
    sure, right = p.max(axis=1), p.argmax(axis=1) == y
    bins = np.clip(np.ceil(sure * BINS).astype(int) - 1, 0, BINS - 1)
    return sum(np.mean(bins == b) * abs(right[bins == b].mean() - sure[bins == b].mean()) for b in set(bins))


def class_measures(y, p, logp):
    names = list(range(p.shape[1]))
    answers = p.argmax(axis=1)
    precision, recall, f1, support = metrics.precision_recall_fscore_support(y, answers, labels=names, zero_division=0)
    return [dict(support=int(support[k]), predicted=int((answers == k).sum()), precision=precision[k], recall=recall[k], f1=f1[k],
                 roc_auc=metrics.roc_auc_score(y == k, score_of(logp, k)) if 0 < support[k] < len(y) else None) for k in names]


def case(name, logp, y):
    p = np.exp(logp.astype(np.float64))
    answers = p.argmax(axis=1)
    present = len(set(y)) == p.shape[1] and p.shape[1] > 2
    roc_auc = against_rest(metrics.roc_auc_score, y, logp)
    if present:  # scikit-learn averages for itself
        assert abs(metrics.roc_auc_score(y, p, multi_class="ovr") - roc_auc) < 1e-12
    expected = dict(accuracy=metrics.accuracy_score(y, answers), balanced_accuracy=metrics.balanced_accuracy_score(y, answers),
                    macro_f1=metrics.f1_score(y, answers, average="macro", zero_division=0), mcc=metrics.matthews_corrcoef(y, answers),
                    roc_auc=roc_auc, pr_auc=against_rest(metrics.average_precision_score, y, logp),
                    log_loss=metrics.log_loss(y, p, labels=list(range(p.shape[1]))), brier=brier(y, p), ece=calibration_error(y, p))
    return dict(name=name, logp=logp.astype(np.float64).tolist(), labels=y.tolist(), expected=expected, classes=class_measures(y, p, logp))


def fixed_cases():
    r = np.random.RandomState(20261117)
    three = r.randint(3, size=30)
    sure = log_probabilities(r, 20, 3, 60)  # probabilities of 0 and 1, right and wrong
    return [
        case("two classes", log_probabilities(r, 40, 2, 2), r.randint(2, size=40)),
        case("two classes, ties", log_probabilities(r, 40, 2, 1, 0), r.randint(2, size=40)),
        case("two classes, one of them rare", log_probabilities(r, 40, 2, 1), np.array([1] * 3 + [0] * 37)),
        case("two classes, all the same answer", np.log(np.full((10, 2), 0.5)).astype(np.float32), r.randint(2, size=10)),
        case("one of two classes alone", log_probabilities(r, 12, 2, 1), np.zeros(12, dtype=int)),
        case("one of three classes alone", log_probabilities(r, 12, 3, 1), np.full(12, 2)),
        case("four classes", log_probabilities(r, 60, 4, 1), r.randint(4, size=60)),
        case("four classes, ties", log_probabilities(r, 60, 4, 1, 0), r.randint(4, size=60)),
        case("a class without nodes", log_probabilities(r, 30, 4, 1), three),
        case("a class that is never predicted", log_probabilities(r, 30, 3, 1, never=2), three),
        case("sure answers", sure, r.randint(3, size=20)),
        case("right answers", np.log(np.eye(3)[three] * 0.7 + 0.1).astype(np.float32), three),
        case("a single node", log_probabilities(r, 1, 3, 1), np.array([1])),
        case("two classes, one of them usual", log_probabilities(r, 40, 2, 1), np.array([0] * 3 + [1] * 37)),
        case("two classes, sure answers", log_probabilities(r, 40, 2, 20), r.randint(2, size=40)),
    ]


def random_cases(seed, count):
    r = np.random.RandomState(seed)
    out = []
    for number in range(count):
        nodes, classes = r.randint(1, 200), r.randint(2, 9)
        decimals = [None, 0, 1][r.randint(3)]
        out.append(case(f"live {number}", log_probabilities(r, nodes, classes, 10 ** r.uniform(-1, 2), decimals), r.randint(r.randint(1, classes + 1), size=nodes)))
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--live", type=pathlib.Path, metavar="UNIT")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if not arguments.live:
        path = pathlib.Path(__file__).resolve().parent.parent / "data/metrics.json"
        path.write_text("[\n" + ",\n".join(json.dumps(c) for c in fixed_cases()) + "\n]\n")
        return
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(random_cases(arguments.seed, arguments.cases), file)
        file.flush()
        sys.exit(subprocess.run([arguments.live.resolve(), "--gtest_filter=Metrics.EqualScikitLearn", "--gtest_brief=1"],
                                env={**os.environ, "GCNH_METRICS": file.name}).returncode)


if __name__ == "__main__":
    main()
