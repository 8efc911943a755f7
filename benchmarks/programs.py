"""The two sides of the comparison: our program, and PyTorch peers that stay alive so that repeats can alternate."""
import json
import os
import pathlib
import subprocess
import time

CORES = os.cpu_count()
PEER = pathlib.Path(__file__).resolve().parent / "peers" / "torch_gcnh.py"


class Ours:
    def __init__(self, build, data):
        self.program, self.kernels, self.data = build / "gcnh", build / "gcnh_kernels", data

    def run(self, *args):
        """The program's JSON; `wall` is the whole process, in seconds."""
        environment = {**os.environ, **({"GCNH_DATA": str(self.data)} if self.data else {})}
        start = time.perf_counter()
        done = subprocess.run([self.program, *map(str, args), "--json"], env=environment, capture_output=True, text=True)
        wall = time.perf_counter() - start
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, done.args))}\n{done.stderr}")
        answer = json.loads(done.stdout)
        return answer if isinstance(answer, list) else {**answer, "wall": wall}

    def train(self, data, *args):
        return self.run("train", "--quiet", "--data", data, "--view", "paper", *args)


class Peer:
    def __init__(self, form, *args, threads=CORES):
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads)}
        command = ["/usr/bin/python3", PEER, form, "--threads", threads, *args]
        self.form, self.seconds = form, []
        self.process = subprocess.Popen(list(map(str, command)), env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        self.hello = self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"the {self.form} peer failed: {' '.join(self.process.args)}")
        return json.loads(line)

    def epochs(self, count):
        self.process.stdin.write(f"{count}\n")
        self.process.stdin.flush()
        return self.answer()

    def measure(self, count):
        """Seconds per epoch, after two epochs to warm up; kept."""
        self.epochs(2)
        self.seconds.append(self.epochs(count)["seconds"] / count)

    def close(self):
        self.process.stdin.close()
        self.process.wait()
