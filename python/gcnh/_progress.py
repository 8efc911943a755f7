"""Progress on stderr, by tqdm where it is installed."""

from __future__ import annotations

import sys
import time
from typing import Any


class EpochBar:
    """A callback that shows how far a training is."""

    def __init__(self, title: str, total: int) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._bar: Any = None
        else:
            self._bar = tqdm(total=total, desc=title, unit="epoch", leave=False)
        self._title, self._total, self._shown = title, total, time.monotonic()

    def __call__(self, epoch: int, numbers: dict[str, Any]) -> None:
        if self._bar is not None:
            self._bar.update(epoch - self._bar.n)
            self._bar.set_postfix(val=f"{numbers['val_metric']:.4f}", refresh=False)
        elif time.monotonic() - self._shown >= 1:
            self._shown = time.monotonic()
            print(f"{self._title} epoch {epoch} of {self._total}, val {numbers['val_metric']:.4f}", file=sys.stderr)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


class SplitBar:
    """The same for many trainings: called with how many are done, and of how many."""

    def __init__(self, title: str, verbose: int) -> None:
        self._title, self._verbose, self._bar = title, verbose, None

    def __call__(self, done: int, total: int) -> None:
        if not self._verbose:
            return
        if self._bar is None:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                print(f"{self._title} {done} of {total} splits", file=sys.stderr)
                return
            self._bar = tqdm(total=total, desc=self._title, unit="split", leave=False)
        self._bar.total = total  # type: ignore[attr-defined]
        self._bar.update(done - self._bar.n)  # type: ignore[attr-defined]

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
