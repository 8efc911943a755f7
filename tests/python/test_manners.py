"""Signals, callbacks, threads, memory."""

import gc
import os
import resource
import signal
import threading
import time

import numpy as np
import pytest

import gcnh


def interrupt_after(seconds):
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def test_an_interrupt_ends_a_fit_and_keeps_the_best_epoch(graph):
    clf = gcnh.GCNHClassifier(graph, epochs=10**8)
    begun = []
    timer = None

    def once(epoch, numbers):
        nonlocal timer
        if epoch == 20:
            begun.append(time.monotonic())
            timer = interrupt_after(0.05)

    with pytest.raises(KeyboardInterrupt):
        clf.fit(graph.splits[0].train, callbacks=once)
    assert time.monotonic() - begun[0] < 10  # one second on a machine with nothing else to do; the bound is for those with
    assert clf.n_iter_ >= 20 and clf.predict(graph.nodes[:3]).shape == (3,)
    best = max(clf.history_["val_accuracy"])
    assert clf.best_validation_score_ == best
    timer.join()


def test_a_fit_without_callbacks_is_interrupted_too(graph):
    timer = interrupt_after(0.3)
    with pytest.raises(KeyboardInterrupt):
        gcnh.GCNHClassifier(graph, epochs=10**8).fit(graph.splits[0].train)
    timer.join()


def test_studies_are_interrupted_too(graph):
    timer = interrupt_after(0.3)
    with pytest.raises(KeyboardInterrupt):
        gcnh.tune(graph, "gcnh", {"hidden": [16, 32, 64]}, epochs=10**5)
    timer.join()


def test_so_are_explanations_of_many_nodes(graph):
    clf = gcnh.GCNHClassifier(graph, epochs=2).fit(graph.splits[0].train)
    timer = interrupt_after(0.3)
    with pytest.raises(KeyboardInterrupt):
        clf.explain(np.tile(graph.nodes, 1000))
    timer.join()


def test_callbacks_run_in_the_callers_thread_and_may_end_it(graph):
    seen = []

    def watch(epoch, numbers):
        seen.append((epoch, threading.get_ident(), sorted(numbers)))
        return epoch == 7

    clf = gcnh.GCNHClassifier(graph, epochs=100).fit(graph.splits[0].train, callbacks=[watch])
    assert [s[0] for s in seen] == list(range(1, 8)) and {s[1] for s in seen} == {threading.get_ident()}
    assert seen[0][2] == ["beta", "train_loss", "val_accuracy", "val_loss", "val_metric"]
    assert clf.n_iter_ == 7 and clf.best_epoch_ <= 7


def test_what_a_callback_raises_comes_out(graph):
    def fail(epoch, numbers):
        raise RuntimeError("enough")

    clf = gcnh.GCNHClassifier(graph, epochs=100)
    with pytest.raises(RuntimeError, match="enough"):
        clf.fit(graph.splits[0].train, callbacks=fail)
    assert clf.n_iter_ == 1 and clf.predict(graph.nodes[:3]).shape == (3,)  # the best epoch so far is kept


@pytest.mark.parametrize("answer, epochs", [(True, 1), (np.True_, 1), (1, 1), (False, 4), (None, 4), (17, 4), ("yes", 4), ([1], 4)])
def test_what_a_callback_may_answer(graph, answer, epochs):
    assert gcnh.MLPClassifier(graph, epochs=4).fit(graph.splits[0].train, callbacks=lambda *_: answer).n_iter_ == epochs


def test_watching_changes_no_bits(graph):
    a = gcnh.GCNHClassifier(graph, epochs=20).fit(graph.splits[0].train)
    b = gcnh.GCNHClassifier(graph, epochs=20, n_jobs=1, verbose=1).fit(graph.splits[0].train, callbacks=lambda *_: None)
    assert np.array_equal(a.predict_log_proba(), b.predict_log_proba())


def test_ten_threads_fit_at_once_to_the_same_bits(graph):
    answers = [None] * 10

    def fit(i):
        answers[i] = gcnh.GCNHClassifier(graph, epochs=20).fit(graph.splits[0].train).predict_log_proba()

    threads = [threading.Thread(target=fit, args=(i,)) for i in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone = gcnh.GCNHClassifier(graph, epochs=20).fit(graph.splits[0].train).predict_log_proba()
    assert all(np.array_equal(answer, alone) for answer in answers)


def test_python_goes_on_while_a_fit_runs(graph):
    counted = 0
    done = threading.Event()

    def fit():
        gcnh.GCNHClassifier(graph, epochs=300).fit(graph.splits[0].train)
        done.set()

    thread = threading.Thread(target=fit)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.0005)
    thread.join()
    assert counted > 3


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


@pytest.mark.parametrize("fits", [150, pytest.param(1000, marks=pytest.mark.slow)])  # each with ten predictions
def test_memory_stays_where_it_was(small, fits):
    clf = gcnh.GCNHClassifier(small, epochs=2)
    x = np.array(small.x)
    features = gcnh.MLPClassifier(epochs=2).fit(x, np.arange(60) % 3)

    def round_(count):
        for _ in range(count):
            clf.fit(small.nodes[:40], callbacks=lambda *_: None)
            for _ in range(9):
                clf.predict([1, 2])
            features.predict(x)
        gc.collect()
        return resident()

    before = round_(fits // 3)
    assert round_(fits) - before < 6e6
