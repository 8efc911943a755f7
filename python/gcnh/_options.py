"""Parameters of estimators as the options that the library reads, and back."""

from __future__ import annotations

import os
from typing import Any, Mapping

import numpy as np

# Parameters that are no options of the model or the trainer.
SETUP = ("graph", "view", "direction", "scale", "engine", "validation_fraction", "random_state", "n_jobs", "verbose")


def thread_count(n_jobs: Any) -> int:
    """Threads for the library, 0 for all cores; negative numbers leave cores free, as everywhere in scikit-learn."""
    if n_jobs is None or n_jobs == -1:
        return 0
    if not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0:
        raise ValueError(f"n_jobs: {n_jobs!r} is no number of threads; None or -1: all cores")
    return int(n_jobs) if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + int(n_jobs))


def to_options(parameters: Mapping[str, Any]) -> dict[str, str]:
    """The options among parameters, as text."""
    return {name: option_text(name, value) for name, value in parameters.items() if name not in SETUP}


def option_text(name: str, value: Any) -> str:
    """A value as the library reads it."""
    if name == "class_weights" and (value is None or isinstance(value, Mapping)):
        return ",".join(f"{_class_text(one)}={_number(weight)}" for one, weight in value.items()) if value else "none"
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    return _number(value)


def _number(value: Any) -> str:
    return repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)


def _class_text(name: Any) -> str:
    text = str(int(name) if isinstance(name, (float, np.floating)) and float(name).is_integer() else name)
    return '"' + text.replace('"', '""') + '"' if "," in text or text.startswith('"') else text


def to_parameters(options: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Options of the library, as text or JSON, as parameters of an estimator with these defaults; those that it lacks are left out."""
    return {name: _like(defaults[name], option_text(name, value)) for name, value in options.items() if name in defaults}


def _like(default: Any, text: str) -> Any:
    """A text of the library as a value of a parameter."""
    if isinstance(default, bool):
        return text == "true"
    for kind in (int, float):
        try:
            value = kind(text)
        except ValueError:
            continue
        return float(value) if isinstance(default, float) else value
    return text
