"""Walks through a page of docs: its commands, run one after the other in a folder of made-up tables."""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Walk:
    """The program in its folder."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, *words, code=0):
        done = subprocess.run([self.program, *map(str, words)], capture_output=True, text=True, cwd=self.folder)
        assert done.returncode == code, f"{words}: exit {done.returncode}\n{done.stderr}"
        return done


def blocks_of(page):
    """The commands of a page, each with the lines that are shown below it."""
    return re.findall(r"^    \$ (.*)\n((?:    .+\n)*)", page, flags=re.M)


def walk_through(kind, steps):
    """Every step gets the walk, of the program that the first word names."""
    with tempfile.TemporaryDirectory() as folder:
        walk = kind(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(folder))
        for step in steps:
            step(walk)
            print(f"{step.__name__}: ok")
