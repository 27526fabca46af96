# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
# %% [markdown]
# # A car corner, and a car in a lane change
# The wheels of an axle through their travel, then a car through the double lane change of ISO 3888-2.
# %%
from pathlib import Path

import articula as art
import matplotlib.pyplot as plt
import numpy as np

MODELS = next(folder / "models" for folder in [Path.cwd(), *Path.cwd().parents] if (folder / "models/pendulum.yaml").exists())
axle = art.load(MODELS / "vehicles/double-wishbone-rig.yaml")
axle
# %% [markdown]
# ## Toe and camber
# %%
rig = axle.kinematics()
camber = next(name for name in rig.names if name.endswith(".camber"))
toe = camber.replace("camber", "toe")
travel = rig.names[0]
figure, axes = plt.subplots(1, 2, figsize=(9, 3.5), sharey=True)
for axis, name in zip(axes, (camber, toe)):
    axis.plot(np.degrees(rig[name]), 1000 * rig[travel])
    axis.set_xlabel(f"{name.rpartition('.')[2]} [deg]")
    axis.grid(True, alpha=0.3)
axes[0].set_ylabel("travel [mm]")
plt.show()
assert np.ptp(rig[camber]) > np.radians(0.5)
# %% [markdown]
# **You see** how the wheel tilts and steers while it goes up and down, as engineers draw it: travel upwards.
# %%
rig
# %% [markdown]
# ## A lane change
# %%
car = art.load(MODELS / "vehicles/single-track.yaml")
run = car.run(progress=False)
run
# %%
figure, axes = plt.subplots(2, 1, figsize=(9, 5))
axes[0].plot(run["x"], run["y"])
axes[0].set_xlabel("x [m]")
axes[0].set_ylabel("y [m]")
axes[1].plot(run.time, np.degrees(run["yaw_rate"]))
axes[1].set_xlabel("time [s]")
axes[1].set_ylabel("yaw rate [deg/s]")
plt.show()
assert run.certificate["verdict"] == "good"
assert 1 < np.abs(run["y"]).max() < 6
# %% [markdown]
# **You see** the car move to the lane at the side and back, and the yaw rate that this takes.
# %%
run.show()
# %% [markdown]
# **You see** the run in the viewer: play it, select bodies, plot any output.
