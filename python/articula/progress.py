# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""A progress bar in terminals and notebooks: only when work lasts over a second."""
import sys
import time as clock
from typing import Any, Callable

_PATIENCE = 1.0  # s before the bar appears
_WIDTH = 30


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    kernel = shell.get_ipython() if shell else None
    return kernel is not None and hasattr(kernel, "kernel")


class Bar:
    """One line that is overwritten and taken away at the end. wanted None: on terminals and in notebooks; a function is
    called in its place."""

    def __init__(self, wanted: "bool | Callable[[float, float], Any] | None" = None) -> None:
        self._call = wanted if callable(wanted) else None
        self._is_wanted = (sys.stderr is not None and sys.stderr.isatty()) or _in_notebook() if wanted is None else wanted
        self._begun = clock.monotonic()
        self._width = 0

    def show(self, now: float, until: float) -> None:
        if self._call is not None:
            self._call(now, until)
            return
        elapsed = clock.monotonic() - self._begun
        if not self._is_wanted or elapsed < _PATIENCE or not until > 0:
            return
        share = min(max(now / until, 0.0), 1.0)
        left = f", {elapsed * (1 / share - 1):.0f} s left" if share > 0 else ""
        full = int(share * _WIDTH)
        line = f"{100 * share:3.0f} % [{'#' * full}{'.' * (_WIDTH - full)}] {now:.4g} of {until:.4g}{left}"
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = len(line)

    def end(self) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
        self._width = 0
