# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Plots of results by matplotlib: outputs of one unit share a picture."""
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .run import Run


def plot(run: "Run", patterns: "tuple[str, ...]", against: "str | None") -> Any:
    import matplotlib.pyplot as plt
    chosen = run.select(*patterns)
    units = list(dict.fromkeys(run.units.get(name, "") for name in chosen))
    figure, axes = plt.subplots(len(units), 1, sharex=True, squeeze=False, figsize=(8, 1 + 2.2 * len(units)))
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
