"""Known graphs, read from their published files."""

from __future__ import annotations

import os

from . import _core
from ._graph import Graph


def load(name: str, data_dir: str | os.PathLike[str] | None = None) -> Graph:
    """A graph by name, with its published splits.

    Parameters
    ----------
    name : str
        One of ``names()``, ``synthetic`` (built in), or the path of a file or folder that the program reads.
    data_dir : path, optional
        Where the files of known graphs are. None: ``$GCNH_DATA``, ``$XDG_DATA_HOME/gcnh`` or ``~/.local/share/gcnh``.
    """
    return Graph._of(_core.Graph.load(os.fspath(name), "" if data_dir is None else os.fspath(data_dir)))


def names() -> list[str]:
    """Every name that ``load`` knows."""
    return ["synthetic", *_core.dataset_names()]
