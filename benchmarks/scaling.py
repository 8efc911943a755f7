"""Generated graphs: the size ladder, and graphs shaped like ogbn-arxiv and ogbn-products."""
from programs import CORES, Peer
from report import Times, number, verdict
from training_times import SPARSE, against


def ladder(report, ours, quick):
    rows, before = [], {}
    for r in ours.run("bench", "scale", "--largest", 10**6 if quick else 10**7, "--epochs", 5 if quick else 20):
        growth = f"{r['epoch_ms'] / before[r['shape']]:.1f}x" if r["shape"] in before else ""
        before[r["shape"]] = r["epoch_ms"]
        rows.append([r["shape"], r["nodes"], r["edges"], f"{r['words']}/{r['features']}" if r["words"] else r["features"],
                     r["make_seconds"] + r["build_seconds"], r["epoch_ms"], growth, r["ns_per_edge"], r["peak_rss_bytes"] / 1e6,
                     r["engine"]])
        report.keep("scale", **r)
    report.table("scale", f"size ladder: GCNH 1x16, full batch, {CORES} threads",
                 ["features", "nodes", "edges", "per node", "generate s", "ms/epoch", "growth", "ns/edge/epoch", "peak MB", "engine"],
                 rows,
                 "Growth: against a tenth of the edges; linear is 10x. Small graphs run on one thread.")


def arxiv(report, ours, quick):
    repeats, epochs = (2, 4) if quick else (5, 20)
    peers = [Peer(form, "--data", "169343,1166243,128,40") for form in SPARSE]
    one, every = [], []
    for _ in range(repeats):
        for threads, found in ((1, one), (CORES, every)):
            found.append(ours.run("bench", "scale", "--shape", "arxiv", "--epochs", epochs, "--threads", threads)[0]["epoch_ms"] / 1e3)
        for peer in peers:
            peer.measure(max(2, epochs // 4))
    for peer in peers:
        peer.close()
    one, every, torch = Times(one), Times(every), {p.form: Times(p.seconds) for p in peers}
    speedup = one.median / every.median
    report.keep("scale", shape="arxiv", one_core_seconds_per_epoch=one, all_cores_seconds_per_epoch=every, peers_seconds_per_epoch=torch)
    report.table("scale", "arxiv-shaped: 169,343 nodes, 1,166,243 edges, 128 dense features, 40 classes; GCNH 1x16, full batch",
                 ["1 core ms/epoch", f"{CORES} cores ms/epoch", "speed-up", "target", "sparse torch ms/epoch", "ratio", "target"],
                 [[one * 1e3, every * 1e3, f"{number(speedup)}x", f"{verdict(speedup, 1.7, at_least=True)} (>= 1.7x)",
                   *against(every, torch, 4)]],
                 f"Medians of {repeats} alternating repeats. PyTorch trains on a graph of the same size and degree law drawn by numpy, "
                 "not on the same edges, so no losses are compared here.")


def products(report, ours, quick):
    r = ours.run("bench", "scale", "--shape", "products", "--epochs", 4 if quick else 12)[0]
    report.keep("scale", **r)
    seconds, peak = r["epoch_ms"] / 1e3, r["peak_rss_bytes"] / 1e9
    report.table("scale", "products-shaped: 2,449,029 nodes, 61,859,140 edges, 100 dense features, 8 % train, 2 % validation; GCNH 1x16, "
                 "exact full batch",
                 ["generate s", "build s", "first epoch s", f"s/epoch, {CORES} cores", "target", "peak GB", "target", "engine"],
                 [[r["make_seconds"], r["build_seconds"], r["first_epoch_ms"] / 1e3, seconds, f"{verdict(seconds, 0.8)} (<= 0.8 s)", peak,
                   f"{verdict(peak, 4)} (<= 4 GB)", r["engine"]]],
                 "Time per epoch: median after the first, which also finds the rows that training needs. Peak memory: of the process, "
                 "generation included.")


def scale(report, ours, quick):
    ladder(report, ours, quick)
    arxiv(report, ours, quick)
    products(report, ours, quick)
