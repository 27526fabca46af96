# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""A sweep: pendulums of sixteen lengths, a run each over threads, and a plot of one."""
from pathlib import Path

import articula as art
import numpy as np

MODELS = Path(__file__).resolve().parents[2] / "models"

pendulum = art.load(MODELS / "pendulum.yaml")
lengths = np.linspace(0.5, 2, 16)
sweep = pendulum.sweep({"L": lengths}, ["rms:x", "max:y", "min:y"], until=3, progress=False)
print(f"{len(sweep)} cases, {sweep.verdict.count('good')} good")
assert sweep.is_finished and set(sweep.verdict) == {"good"}

# released from the horizontal, the bob falls by its length and comes back to where it was
np.testing.assert_allclose(sweep["min:y"], -lengths, rtol=0.02)

try:
    import matplotlib
    matplotlib.use("Agg")
    run = pendulum.run(until=3, progress=False)
    run.plot("x", "y").savefig("/dev/null", format="png")
except ImportError:
    print("matplotlib is not there: no plot")
