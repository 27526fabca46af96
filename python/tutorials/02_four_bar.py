# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""A four-bar linkage: a closed loop, its degrees of freedom, and the same motion by several methods."""
from pathlib import Path

import articula as art

MODELS = Path(__file__).resolve().parents[2] / "models"

linkage = art.load(MODELS / "loops/four-bar.yaml")
report = linkage.check()
print(f"{linkage}: cut at {report['cuts']}, {report['degrees_of_freedom']} degree of freedom of {report['counts']['nv']} velocities")

# the loop is closed first: g(q) = 0
data = linkage.assemble()
print(f"loop open by {data.found['gap_before']:.1e} before, {data.found['gap']:.1e} after")

# every method answers the same question
for trial in linkage.compare(until=0.5, methods=["semirecursive", "recursive", "augmented"]):
    print(f"{trial.method:16} {trial.algebra or '':8} differs by {trial.difference:.1e}, {trial.verdict}")
    assert trial.difference < 1e-4
assert report["degrees_of_freedom"] == 1
