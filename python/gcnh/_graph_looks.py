"""What can be told of a graph, and its forms in other libraries."""

from __future__ import annotations

import html
import json
from typing import Any

import numpy as np
import scipy.sparse as sp

from ._graph_views import Split, Views
from ._messages import in_python


class Looks(Views):
    """A Graph to look at."""

    __slots__ = ()

    def inspect(self) -> dict[str, Any]:
        """What ``gcnh inspect`` tells: sizes, degrees, homophily, where the edges of each class lead."""
        out: dict[str, Any] = json.loads(self._tables.inspect())
        return out

    def homophily(self) -> dict[str, float]:
        """How much edges join nodes of one class: five measures, NaN where one is not defined."""
        found = self.inspect()
        measures = {**found["homophily"], "label_informativeness": found["label_informativeness"]}
        return {name: float("nan") if value is None else value for name, value in measures.items()}

    def check(self) -> Any:
        """What the data doctor finds (docs/check.md), a row per rule: severity, rule, found, why, fix. A frame where pandas is there."""
        rows = [{name: in_python(text) for name, text in row.items()} for row in self._tables.check()]
        try:
            import pandas as pd
        except ImportError:
            return rows
        return pd.DataFrame(rows, columns=["severity", "rule", "found", "why", "fix"])

    def to_scipy(self) -> sp.csr_matrix:
        """The edges as a matrix (nodes, nodes); repeats are added up."""
        ends = self.edge_index
        values = np.ones(len(ends), np.float32) if self.weights is None else self.weights
        return sp.csr_matrix((values, (ends[:, 0], ends[:, 1])), shape=(self.num_nodes, self.num_nodes))

    def to_networkx(self) -> Any:
        """A directed multigraph of NetworkX with ``x``, ``label`` and ``weight``; nodes are ids."""
        import networkx as nx

        out = nx.MultiDiGraph(name=self.name)
        x, classes, names = self.x, self._classes.tolist(), self.nodes.tolist()
        dense = x.toarray() if sp.issparse(x) else x
        for i, node in enumerate(names):
            out.add_node(node, x=dense[i].tolist(), label=None if self.labels[i] < 0 else classes[self.labels[i]])
        weights = self.weights
        for k, (u, v) in enumerate(self.edge_index.tolist()):
            out.add_edge(names[u], names[v], **({} if weights is None else {"weight": float(weights[k])}))
        return out

    def to_pyg(self) -> Any:
        """A ``torch_geometric.data.Data`` with masks of all splits; needs PyTorch Geometric."""
        import torch
        from torch_geometric.data import Data

        x = self.x
        out = Data(x=torch.from_numpy(np.array(x.toarray() if sp.issparse(x) else x)),
                   edge_index=torch.from_numpy(np.ascontiguousarray(self.edge_index.T).astype(np.int64)),
                   y=torch.from_numpy(self.labels.astype(np.int64)))
        if self.weights is not None:
            out.edge_weight = torch.from_numpy(np.array(self.weights))
        if self._tables.splits:
            splits = self._numbered_splits()
            for part, name in enumerate(Split._fields):
                mask = np.zeros((self.num_nodes, len(splits)), dtype=bool)
                for k, split in enumerate(splits):
                    mask[split[part], k] = True
                out[f"{name}_mask"] = torch.from_numpy(mask)
        return out

    def __repr__(self) -> str:
        return (f"Graph({self.name!r}, {self.num_nodes} nodes, {self.num_edges} edges, {self._width()} features, "
                f"{len(self._classes)} classes)")

    def _width(self) -> int:
        x = self._tables.x
        return int(x[1] if isinstance(x, tuple) else x.shape[1])

    def _repr_html_(self) -> str:
        """A data card."""
        found = self.inspect()
        rows = [("nodes", f"{self.num_nodes:,}"), ("edges", f"{found['edges']:,} undirected, repeats merged"),
                ("features", f"{self._width():,}"),
                ("classes", ", ".join(f"{c} ({int(np.sum(self.labels == k))})" for k, c in enumerate(self._classes[:20]))),
                ("unlabelled", f"{int(np.sum(self.labels < 0)):,}"), ("splits", str(len(self._tables.splits)) + " of its own")]
        rows += [(f"{name.replace('_', '-')} homophily", "–" if value is None else f"{value:.4f}")
                 for name, value in found["homophily"].items()]
        cells = "".join(f"<tr><th style='text-align:left'>{html.escape(a)}</th><td style='text-align:left'>{html.escape(b)}</td></tr>"
                        for a, b in rows)
        return f"<table><caption><b>{html.escape(self.name)}</b></caption>{cells}</table>"
