"""Why a model gives a node its class: what other nodes and features add to the score of every class."""

from __future__ import annotations

import html
from typing import Any, Callable, Iterator, NamedTuple

import numpy as np
import numpy.typing as npt

from ._labels import texts

Parts = npt.NDArray[np.float64]
WIDTH = 27  # of names in the text


class FeaturePart(NamedTuple):
    """What a feature of a node adds: its value as the model sees it, and the cell of the table where there is one."""

    name: str
    value: float
    cell: str | None
    parts: Parts


class NodePart(NamedTuple):
    """What a node adds, in all (``parts``), whatever its features (``constant``), and by feature, the largest first."""

    node: Any
    label: Any
    hops: int
    parts: Parts
    constant: Parts
    features: list[FeaturePart]
    other_features: int
    other_parts: Parts


class Change(NamedTuple):
    """The fewest edges, by the nodes at their ends, without which the answer would be another; none found: an empty list."""

    edges: list[Any]
    predicted: Any
    exact: bool


class Explanation:
    """Why a node gets its class. Every array has a number per class, in the order of ``classes``.

    For GCNH ``bias``, the parts of all ``sources`` and ``other_parts`` add up to ``logits``. For other models the parts are gradient
    times input, and ``remainder`` is what they leave open.

    Attributes
    ----------
    node, label : object
        The node, and its class in the data, None where that is not known.
    predicted, rival : object
        The answer, and the class it is compared with.
    classes : array
        The answer, the rival, then the others from the likeliest on.
    probabilities, logits, bias, remainder : array
        As ``predict_proba`` has them; the scores before the softmax; what belongs to no node; what is left open.
    sources : list of NodePart
        Nodes with a say: the node itself, then the others by how far they put the answer ahead of the rival, or behind.
    others, other_parts : int, array
        How many nodes are not listed, and what they add.
    exact : bool
        Whether the remainder is rounding alone.
    change : Change or None
        The fewest edges whose removal changes the answer, tried on the model; None where they were not looked for.
    svg : str
        A picture.
    json : dict
        As ``gcnh explain --json`` prints it.
    """

    def __init__(self, told: dict[str, Any], svg: str, node_of: Callable[[str], Any], classes: npt.NDArray[Any]) -> None:
        named = dict(zip(texts(classes), classes.tolist()))

        def class_of(text: str | None) -> Any:
            return None if text is None else named[text]

        self.json = told
        self.svg = svg
        self.node = node_of(told["id"])
        self.label = class_of(told["label"])
        self.predicted, self.rival = class_of(told["predicted"]), class_of(told["rival"])
        self.exact: bool = told["exact"]
        self.classes = np.array([class_of(name) for name in told["classes"]], dtype=classes.dtype)
        self.probabilities, self.logits, self.bias, self.remainder = (
            np.array(told[name]) for name in ("probabilities", "logits", "bias", "remainder"))
        self.sources = [_source(s, node_of, class_of) for s in told["sources"]]
        self.others: int = told["others"]["count"]
        self.other_parts: Parts = np.array(told["others"]["parts"])
        found = told.get("change")
        self.change = None if found is None else Change([node_of(e) for e in found["edges"]], class_of(found["predicted"]), found["exact"])

    def to_frame(self, by: str = "nodes") -> Any:
        """The parts as a pandas frame, with a column per class and the lead of the answer over the rival.

        Parameters
        ----------
        by : str
            nodes: a row per node with a say, then the others, the bias and the remainder; together they are the logits. features: the
            rows of every listed node: its features, its other features, and what it adds whatever they are (constant).
        """
        import pandas as pd

        if by not in ("nodes", "features"):
            raise ValueError(f"by: {by!r} is neither 'nodes' nor 'features'")
        rows = list(self._node_rows() if by == "nodes" else self._feature_rows())
        return pd.DataFrame([[*row.values(), *parts, parts[0] - parts[1]] for row, parts in rows], columns=[*rows[0][0], *self.classes, "lead"])

    def _node_rows(self) -> Iterator[tuple[dict[str, Any], Parts]]:
        for s in self.sources:
            yield {"part": "node", "node": s.node, "label": s.label, "hops": s.hops}, s.parts
        for part, numbers in (("others", self.other_parts), ("bias", self.bias), ("remainder", self.remainder)):
            yield {"part": part, "node": None, "label": None, "hops": None}, numbers

    def _feature_rows(self) -> Iterator[tuple[dict[str, Any], Parts]]:
        for s in self.sources:
            for f in s.features:
                yield {"part": "feature", "node": s.node, "feature": f.name, "value": f.value, "cell": f.cell}, f.parts
            for part, numbers in (("other features", s.other_parts), ("constant", s.constant)):
                yield {"part": part, "node": s.node, "feature": None, "value": None, "cell": None}, numbers

    def _head(self) -> str:
        truth = "" if self.label is None else "; which is right" if self.label == self.predicted else f"; in truth {self.label}"
        p = 100 * self.probabilities
        return f"{self.node}: {self.predicted}, {p[0]:.1f} %; compared with {self.rival}, {p[1]:.1f} %{truth}"

    def _foot(self) -> str:
        if self.change is None:
            return ""
        if not self.change.edges:
            return "no removal of edges was found that changes the answer"
        names = ", ".join(map(str, self.change.edges))
        return f"without the edge{'s' * (len(self.change.edges) > 1)} to {names} the answer would be {self.change.predicted}"

    def __repr__(self) -> str:
        lines = [self._head(), "", _line("part", str(self.predicted), str(self.rival), "lead")]
        for s in self.sources:
            lines.append(_numbers("the node itself" if s.hops == 0 else str(s.node) + ("" if s.label is None else f" ({s.label})"), s.parts))
        rest = [(f"{self.others} others", self.other_parts)] if self.others else []
        for name, parts in [*rest, ("bias", self.bias), *([] if self.exact else [("remainder", self.remainder)]), ("logit", self.logits)]:
            lines.append(_numbers(name, parts))
        return "\n".join([*lines, "", self._foot()]).rstrip()

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(self._head())}</p>{self.svg}<p>{html.escape(self._foot())}</p>"


def _source(told: dict[str, Any], node_of: Callable[[str], Any], class_of: Callable[[str | None], Any]) -> NodePart:
    features = [FeaturePart(f["name"], f["value"], f.get("cell"), np.array(f["parts"])) for f in told["features"]]
    rest = told["other_features"]
    return NodePart(node_of(told["id"]), class_of(told["label"]), told["hops"], np.array(told["parts"]), np.array(told["constant"]),
                    features, rest["count"], np.array(rest["parts"]))


def _line(name: str, *cells: str) -> str:
    return f"  {name[:WIDTH]:<{WIDTH}}" + "".join(f" {cell[:10]:>10}" for cell in cells)


def _numbers(name: str, parts: Parts) -> str:
    return _line(name, *(f"{x:+.3f}" for x in (parts[0], parts[1], parts[0] - parts[1])))
