# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
# %% [markdown]
# # Generated code and FMUs
# The equations of a machine as source, and the machine as an FMU for other programs.
# %%
import importlib.util
import tempfile
from pathlib import Path

import articula as art
import matplotlib.pyplot as plt
import numpy as np

b = art.Builder("Double pendulum")
b.body("upper", mass="1 kg", com=[0, 0, -0.5], inertia=[0.08, 0.08, 0.001], points={"end": [0, 0, -1]})
b.body("lower", mass="1 kg", com=[0, 0, -0.5], inertia=[0.08, 0.08, 0.001])
b.joint.revolute("first", from_="ground", to="upper", axis="y").joint.revolute("second", from_="upper.end", to="lower", axis="y")
b.initial("first", angle="2 rad").initial("second", angle="0.5 rad")
b.output("first", "first.angle").output("second", "second.angle")
b.study.run("swing", until="3 s", interval="10 ms", tolerance=1e-10)
model = b.compile()
folder = Path(tempfile.mkdtemp())
model
# %% [markdown]
# ## Source
# `generate` writes functions in C, Fortran, MATLAB, Java or Python: here the accelerations in C, and the mass matrix in Python.
# %%
source = Path(model.generate("c", "swing", folder=folder, header=True)).read_text()
print("\n".join(source.splitlines()[:40]))
# %%
path = model.generate("python", "swing", folder=folder, forms=["mass"])
specification = importlib.util.spec_from_file_location("swing", path)
swing = importlib.util.module_from_spec(specification)
specification.loader.exec_module(swing)
print([name for name in dir(swing) if not name.startswith("_")])
# %% [markdown]
# ## Compiled equations
# A run may use equations that are compiled for its machine.
# %%
numeric, compiled = (model.run(method=method, progress=False) for method in ("automatic", "generated"))
figure, (above, below) = plt.subplots(2, 1, sharex=True, figsize=(8, 5))
above.plot(numeric.time, numeric["first"], label="first")
above.plot(numeric.time, numeric["second"], label="second")
above.set_ylabel("angle [rad]")
above.legend()
below.semilogy(numeric.time[1:], np.abs(numeric.q - compiled.q).max(axis=1)[1:] + 1e-18)
below.set_ylabel("difference [rad]")
below.set_xlabel("time [s]")
plt.show()
assert np.abs(numeric.q - compiled.q).max() < 1e-6
# %% [markdown]
# **You see** the motion (above), and how little the compiled equations differ from the library's (below): round-off that grows, for the
# motion is chaotic.
#
# ## An FMU
# %%
report = model.export(fmu=folder / "swing.fmu")
print(f"{(folder / 'swing.fmu').stat().st_size / 1000:.0f} kB")
report
# %% [markdown]
# Any program that reads the FMI standard can run it. This one can, too, as if it came from somebody else:
# %%
import csv

art.command("run", folder / "swing.fmu", until="3 s", step="10 ms", output=folder / "results")
with open(folder / "results/results.csv", encoding="utf-8", newline="") as file:
    names, *rows = csv.reader(file)
table = np.array(rows, float)
first = next(i for i, name in enumerate(names) if name.split(" [")[0] == "first")
plt.plot(numeric.time, numeric["first"], label="run of the model")
plt.plot(table[::10, 0], table[::10, first], "o", label="run of the FMU")
plt.xlabel("time [s]")
plt.ylabel("first angle [rad]")
plt.legend()
plt.show()
difference = np.abs(table[:, first] - np.interp(table[:, 0], numeric.time, numeric["first"])).max()
print(f"they differ by {difference:.1e} rad")
assert difference < 1e-4
# %% [markdown]
# **You see** the FMU do what the model does.
# %%
compiled.show()
# %% [markdown]
# **You see** the double pendulum in the viewer.
