#!/usr/bin/python3
"""Every key that the program writes or prints is in docs/formats.md, and every file of a run folder, too.

    tests/docs_formats.py build/test/gcnh

Keys are looked for as `code`, in the section of what has them.
"""
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
NAMES_OF_THE_USER = {"options", "chosen"}  # objects whose keys are those of the model or the user


def section(title):
    return re.split(rf"^#+ {title}$", PAGE, flags=re.M)[1].split("\n#")[0]


def keys(value):
    if isinstance(value, list):
        return set().union(*map(keys, value)) if value else set()
    if not isinstance(value, dict):
        return set()
    inner = [keys(v) for k, v in value.items() if k not in NAMES_OF_THE_USER]
    return set(value).union(*inner) if inner else set(value)


def metadata(path):
    data = path.read_bytes()
    header = json.loads(data[8:8 + struct.unpack("<Q", data[:8])[0]])
    tensors = {name.split(".")[0] + ".*" for name in header if name.startswith(("best.", "param.", "adam."))}
    return set(header["__metadata__"]) | tensors | {name for name in header if name.startswith(("scaling.", "known.", "decision."))}


def sections(path):
    """Names of the sections, and the keys of `about`."""
    data = path.read_bytes()
    count, = struct.unpack_from("<I", data, 20)
    entries = [struct.unpack_from("<32s8sQQQ", data, 64 + 64 * i) for i in range(count)]
    found = {name.rstrip(b"\0").decode(): (offset, size) for name, _, offset, size, _ in entries}
    offset, size = found["about"]
    return set(found) | keys(json.loads(data[offset:offset + size]))


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    missing = []

    def check(found, *titles):
        text = "".join(map(section, titles))
        missing.extend(f"{titles[0]}: `{key}`" for key in sorted(found) if f"`{key}`" not in text)

    with tempfile.TemporaryDirectory(prefix="gcnh_formats_") as name:
        folder = pathlib.Path(name)

        def run(*words):
            done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
            assert done.returncode == 0, f"{words}: {done.stderr}"
            return done.stdout

        def printed(*words):
            return keys(json.loads(run(*words, "--json", "--quiet")))

        quick = ["--epochs", "3", "--splits", "0,1"]
        check(printed("train", *quick, "--out", "run"), "train")
        check(printed("train", *quick, "--model", "geomgcn", "--hidden", "4"), "train")
        check(printed("train", *quick, "--metric", "mcc", "--out", "mcc"), "train")
        check(keys(json.loads((folder / "mcc/curves.jsonl").read_text().splitlines()[0])), "Run folder")
        check(printed("compare", *quick, "--models", "gcnh,mlp", "--out", "both"), "compare", "train")
        check({p.name for p in (folder / "both/mlp").iterdir() if p.is_file()}, "Run folder")
        check({p.name for p in (folder / "both").iterdir() if p.is_file()}, "Run folder")
        check(keys(json.loads((folder / "both/mlp/search.json").read_text())), "Run folder")
        check(printed("tune", "--axis", "epochs=2,3", "--trials", "1", "--metric", "mcc", "--splits", "0", "--out", "tune"), "tune")
        check(printed("eval", "--model", "run"), "eval")
        check(printed("explain", "7", "--model", "run"), "explain")
        check(printed("update", "--model", "run"), "update")
        check(keys(json.loads((folder / "run/errors.json").read_text())), "Run folder")
        check(printed("inspect"), "inspect")
        check(keys(json.loads(run("check", "--json"))), "check")
        check(printed("models", "--data", "synthetic"), "models")
        check(keys(json.loads(run("bench", "scale", "--largest", "10000", "--epochs", "3", "--json"))), "bench")
        check(printed("scale-sim", "--parts-list", "2", "--steps", "1"), "scale-sim")
        check(printed("shard", "--parts", "2", "--out", "parts"), "shard")
        check({p.name for p in (folder / "parts").iterdir()} - {"part-00001.gcnh"}, "Parts of a graph")
        for name in ("graph", "part-00000"):
            check(sections(folder / f"parts/{name}.gcnh"), "Parts of a graph")
        check({p.name for p in (folder / "run").iterdir() if p.is_file()}, "Run folder")
        check(keys(json.loads((folder / "run/result.json").read_text())), "Run folder", "train")
        check(keys(json.loads((folder / "run/data.json").read_text())), "Run folder", "train", "inspect")
        check(keys(json.loads((folder / "run/curves.jsonl").read_text().splitlines()[0])), "Run folder")
        check(metadata(folder / "run/model.safetensors"), "Model file")
        check(printed("train", *quick, "--final", "ensemble", "--out", "final"), "train")
        check(keys(json.loads((folder / "final/final.json").read_text())), "Run folder", "train")
        check(metadata(folder / "final/final.safetensors"), "Model file")
        check(keys(json.loads(run("predict", "--model", "final", "--format", "jsonl", "--only", "3"))) - {"0", "1", "2", "3", "4"}, "Other commands")
        check(printed("eval", "--model", "final"), "eval")
        check(metadata(folder / "run/splits/split-0.safetensors"), "Checkpoint")
        for line in (folder / "tune/journal.jsonl").read_text().splitlines():
            check(keys(json.loads(line)) - {"beta"}, "Journal")
        check({p.name.replace("gcnh.", "MODEL.") for p in (folder / "tune").iterdir()}, "Journal")
    sys.exit("docs/formats.md does not name\n" + "\n".join(dict.fromkeys(missing)) if missing else 0)


if __name__ == "__main__":
    main()
