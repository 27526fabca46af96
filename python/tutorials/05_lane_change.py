# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""A car through the double lane change of ISO 3888-2, and its results as a table."""
from pathlib import Path

import articula as art
import numpy as np

MODELS = Path(__file__).resolve().parents[2] / "models"

car = art.load(MODELS / "vehicles/single-track.yaml")
run = car.run(progress=False)
print(run)
print(f"largest yaw rate {np.degrees(np.abs(run['yaw_rate']).max()):.1f} degrees/s, largest offset {np.abs(run['y']).max():.2f} m")
print(f"the driver is off the path by {np.abs(run['error']).max():.3f} m at most")
assert run.certificate["verdict"] == "good"
assert 1 < np.abs(run["y"]).max() < 6
