# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Progress of runs and sweeps: a bar in terminals and notebooks, where work lasts over a second, else lines where asked for."""
import html
import sys
import time as clock
from typing import Any, Callable

_PATIENCE = 1.0  # s before anything appears
_WIDTH = 30
_TENTHS = 10  # lines of a stream that is not a terminal


def in_notebook() -> bool:
    """Is this code in a cell of a notebook?"""
    shell = sys.modules.get("IPython")
    kernel = shell.get_ipython() if shell else None
    return kernel is not None and hasattr(kernel, "kernel")


class _Line:
    """A line of a terminal that is overwritten, and taken away at the end."""

    _width = 0

    def show(self, share: float, text: str) -> None:
        full = int(share * _WIDTH)
        line = f"{100 * share:3.0f} % [{'#' * full}{'.' * (_WIDTH - full)}] {text}"
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = len(line)

    def end(self) -> None:
        sys.stderr.write("\r" + " " * self._width + "\r")
        sys.stderr.flush()


class _Lines:
    """A file or a pipe: a line for every tenth."""

    _told = 0

    def show(self, share: float, text: str) -> None:
        tenth = int(share * _TENTHS)
        if tenth > self._told:
            sys.stderr.write(f"{100 * share:.0f} %, {text}\n")
            sys.stderr.flush()
        self._told = max(tenth, self._told)

    def end(self) -> None:
        """The lines stay."""


class _Output:
    """An output of a cell that is written anew, and emptied at the end."""

    def __init__(self) -> None:
        from IPython.display import HTML, display
        self._html = HTML
        self._handle = display(HTML(""), display_id=True)

    def show(self, share: float, text: str) -> None:
        self._handle.update(self._html(f'<progress max="1" value="{share:.4f}"></progress> {100 * share:.0f} %, {html.escape(text)}'))

    def end(self) -> None:
        self._handle.update(self._html(""))


class Bar:
    """The progress of one computation. wanted None: on terminals and in notebooks; True: also as lines of other streams; a function
    is called in its place."""

    def __init__(self, wanted: "bool | Callable[[float, float], Any] | None" = None) -> None:
        self._call = wanted if callable(wanted) else None
        is_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._is_wanted = is_terminal or in_notebook() if wanted is None else bool(wanted) and sys.stderr is not None
        self._kind: "type[_Output | _Line | _Lines]" = _Output if in_notebook() else _Line if is_terminal else _Lines
        self._place: "_Output | _Line | _Lines | None" = None
        self._begun = clock.monotonic()

    def show(self, now: float, until: float) -> None:
        """So far `now` of `until`."""
        if self._call is not None:
            self._call(now, until)
            return
        elapsed = clock.monotonic() - self._begun
        if not self._is_wanted or elapsed < _PATIENCE or not until > 0:
            return
        if self._place is None:
            self._place = self._kind()
        share = min(max(now / until, 0.0), 1.0)
        left = f", {elapsed * (1 / share - 1):.0f} s left" if share > 0 else ""
        self._place.show(share, f"{now:.4g} of {until:.4g}{left}")

    def end(self) -> None:
        """Take the bar away."""
        if self._place is not None:
            self._place.end()
        self._place = None
