"""Tables on the terminal as they come, and all of it in results.json and results.md."""
import datetime
import json
import os
import platform
import re
import statistics
import subprocess
import time


class Times:
    """Repeated measurements: the median counts, the spread is shown."""

    def __init__(self, values):
        self.values = list(values)
        self.median = statistics.median(self.values)

    def __truediv__(self, divisor):
        return Times(v / divisor for v in self.values)

    def __mul__(self, factor):
        return Times(v * factor for v in self.values)

    def __str__(self):
        if len(self.values) == 1:
            return number(self.median)
        return f"{number(self.median)} ({number(min(self.values))}..{number(max(self.values))})"


def number(value):
    """Three digits that matter."""
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"


def verdict(value, target, at_least=False):
    """"met", or how far away."""
    short = target / value if at_least else value / target
    return "met" if short <= 1 else f"missed by {number(short)}x"


def machine():
    cpu = dict(re.findall(r"^(.*\S)\s*: (.*)$", open("/proc/cpuinfo").read(), re.M))
    caches = []
    base = "/sys/devices/system/cpu/cpu0/cache"
    for entry in sorted(os.listdir(base)) if os.path.isdir(base) else []:
        if not entry.startswith("index"):
            continue
        level, kind, size = (open(f"{base}/{entry}/{part}").read().strip() for part in ("level", "type", "size"))
        if kind != "Instruction":
            caches.append(f"L{level} {size}")
    memory = int(re.search(r"MemTotal:\s+(\d+)", open("/proc/meminfo").read())[1]) / 2**20
    return {"cpu": f"{cpu.get('model name')} (family {cpu.get('cpu family')}, model {cpu.get('model')})",
            "cores": os.cpu_count(), "caches": ", ".join(caches), "memory": f"{memory:.0f} GB", "kernel": platform.release()}


def version(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")[0]


def busy_cores(seconds=2):
    """How many cores others keep busy, on average over a moment."""
    def idle():
        fields = [int(f) for f in open("/proc/stat").readline().split()[1:]]
        return fields[3] + fields[4], sum(fields[:8])

    before = idle()
    time.sleep(seconds)
    after = idle()
    return os.cpu_count() * (1 - (after[0] - before[0]) / max(1, after[1] - before[1]))


class Report:
    def __init__(self, out, quick, versions):
        self.out, self.text = out, ""
        self.data = {"date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"), "quick": quick,
                     "machine": machine(), "versions": versions, "busy_cores_at_start": busy_cores(), "sections": {}}
        m = self.data["machine"]
        self.say(f"{m['cpu']}, {m['cores']} cores, {m['caches']}, {m['memory']}; {self.data['date']}; "
                 + "; ".join(f"{name} {v}" for name, v in versions.items()))
        if self.data["busy_cores_at_start"] > 0.1:
            self.say(f"NOT IDLE: {self.data['busy_cores_at_start']:.1f} cores are busy. PyTorch's waiting threads suffer more from company than "
                     "one model per core does, so the ratios flatter us.")
        if quick:
            self.say("QUICK RUN: fewer epochs and repeats than the protocol; not for quoting.")

    def say(self, text):
        print(text + "\n", flush=True)
        self.text += text + "\n\n"
        self.save()

    def table(self, section, title, columns, rows, note=""):
        """Rows of cells in the order of the columns; Times, numbers or words."""
        cells = [[str(c) if isinstance(c, (str, int, Times)) else number(c) for c in row] for row in rows]
        widths = [max(map(len, column)) for column in zip(columns, *cells)]
        print(f"== {section}: {title}")
        for row in [columns, *cells]:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
        print(note + "\n" if note else "", flush=True)
        self.text += f"### {title}\n\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}\n"
        self.text += "".join(f"| {' | '.join(row)} |\n" for row in cells) + (f"\n{note}\n\n" if note else "\n")
        self.save()

    def keep(self, section, **values):
        """Raw figures for results.json."""
        self.data["sections"].setdefault(section, []).append(values)

    def save(self):
        self.out.mkdir(parents=True, exist_ok=True)
        (self.out / "results.json").write_text(json.dumps(self.data, indent=1, default=vars) + "\n")
        (self.out / "results.md").write_text("# ./bench\n\n" + self.text)
