# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
# %% [markdown]
# # A four-bar linkage
# Bodies in a closed loop: find its freedom, close it at other positions, and compute one motion by several methods.
# %%
from pathlib import Path

import articula as art
import matplotlib.pyplot as plt
import numpy as np

MODELS = next(folder / "models" for folder in [Path.cwd(), *Path.cwd().parents] if (folder / "models/pendulum.yaml").exists())
linkage = art.load(MODELS / "loops/four-bar.yaml")
linkage
# %% [markdown]
# Three velocities, and a loop that leaves one of them free. The program cuts the loop at a joint and closes it by equations;
# in the plane three of these five are redundant.
# %%
report = linkage.check()
print(f"cut at {report['cuts']}: {report['degrees_of_freedom']} degree of freedom of {report['counts']['nv']} velocities")
assert report["degrees_of_freedom"] == 1
report
# %% [markdown]
# ## The linkage at other positions
# `set` moves a coordinate and closes the loop around it. It returns what moved besides.
# %%
data = linkage.data()
moved = data.set({"pivot.angle": "20 deg"})
print({name: f"{np.degrees(change[1]):.1f} deg" for name, change in moved.items() if name.endswith("angle")})
# %%
angles = np.radians(np.linspace(-60, 60, 61))
data, rocker, path = linkage.data(), [], []
for angle in angles[30:]:
    data.set({"pivot.angle": angle})
    outputs = data.outputs()
    rocker.append(outputs["rocker"])
    path.append((outputs["x"], outputs["y"]))
rocker, path = np.array(rocker), np.array(path)
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5))
left.plot(np.degrees(angles[30:]), np.degrees(rocker))
left.set_xlabel("crank [deg]")
left.set_ylabel("rocker [deg]")
right.plot(*path.T)
right.set_aspect("equal")
right.set_xlabel("x [m]")
right.set_ylabel("y [m]")
right.set_title("a point of the coupler")
plt.show()
# the point keeps its distance to the pin of the crank, whatever the angle
pin = 0.2 * np.column_stack([-np.sin(angles[30:]), np.cos(angles[30:])])
assert np.abs(np.linalg.norm(path - pin, axis=1) - np.hypot(0.3, 0.2)).max() < 1e-9
# %% [markdown]
# **You see** how the crank leads the rocker (left), and the path of a point above the middle of the coupler (right).
#
# ## The motion
# %%
run = linkage.run(until=2)
run.plot("angle", "rocker", "pivot_force")
# %% [markdown]
# **You see** crank and rocker swing between the dead centres of the linkage, and the force in the pivot of the crank.
# %%
print(run)
assert run.certificate["verdict"] == "good"
assert np.ptp(run["energy"]) < 1e-7 * np.abs(run["energy"]).max()
# %% [markdown]
# ## One motion by several methods
# `compare` runs the methods that suit the machine, and shows how far they are from the first.
# %%
trials = linkage.compare(until=0.5, methods=["semirecursive", "recursive", "augmented"])
assert all(trial.difference < 1e-4 for trial in trials)
trials
# %% [markdown]
# ## The machine itself
# %%
linkage.show(sliders=["crank", "coupler"])
# %% [markdown]
# **You see** the linkage swing. Other lengths of crank and coupler close the loop at once; some cannot, and the page says so.
