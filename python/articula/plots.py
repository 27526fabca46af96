# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Plots of results by matplotlib: outputs of one unit share a picture."""
import sys
from typing import TYPE_CHECKING, Any

from .progress import in_notebook
from .shown import optional

if TYPE_CHECKING:
    from .run import Run


def _shown_once(base: "type[Any]") -> "type[Any]":
    """A figure that a cell shows once: as its last value, or with the open figures at its end, not by both."""

    class Figure(base):  # type: ignore[misc]
        """A figure of matplotlib."""

        _shown_in: "int | None" = None

        def _ipython_display_(self) -> None:
            from IPython.display import display
            cell = sys.modules["IPython"].get_ipython().execution_count
            if cell != self._shown_in:
                import io
                data = io.BytesIO()
                self.savefig(data, format="png", bbox_inches="tight")
                display({"image/png": data.getvalue(), "text/plain": repr(self)}, raw=True)
            self._shown_in = cell

    return Figure


def plot(run: "Run", patterns: "tuple[str, ...]", against: "str | None") -> Any:
    """A figure with a picture for each unit."""
    plt = optional("matplotlib.pyplot", "plot()", "matplotlib")
    chosen = run.select(*patterns)
    units = list(dict.fromkeys(run.units.get(name, "") for name in chosen))
    kind = {"FigureClass": _shown_once(plt.Figure)} if in_notebook() else {}
    figure, axes = plt.subplots(len(units), 1, sharex=True, squeeze=False, figsize=(8, 1 + 2.2 * len(units)), **kind)
    across = run.time if against is None else run[against]
    for unit, axis in zip(units, axes[:, 0]):
        for name in (name for name in chosen if run.units.get(name, "") == unit):
            axis.plot(across, chosen[name], label=name)
        axis.set_ylabel(f"[{unit}]" if unit else "")
        axis.grid(True, alpha=0.3)
        axis.legend(loc="best", fontsize="small")
    label = ("time", "s") if against is None else (against, run.units.get(against, ""))
    axes[-1, 0].set_xlabel(f"{label[0]} [{label[1]}]")
    figure.suptitle(run.model.title)
    figure.tight_layout()
    return figure
