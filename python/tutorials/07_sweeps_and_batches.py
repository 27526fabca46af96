# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
# %% [markdown]
# # Sweeps, batches and a fit
# Many runs of one machine: over a grid of parameters, from scattered initial states, and until a model fits a record.
# %%
import articula as art
import matplotlib.pyplot as plt
import numpy as np

b = art.Builder("Quarter of a car on a kerb", gravity=[0, 0, 0])
b.parameter("k", "20 N/mm", help="spring").parameter("d", "1500 N s/m", help="damper")
b.body("wheel", mass="40 kg", position=[0, 0, 0.3],
       visual=b.visual.cylinder(radius=0.3, length=0.2, orientation={"axis": "x", "angle": "90 deg"}))
b.body("car", mass="300 kg", position=[0, 0, 0.9], visual=b.visual.box(size=[0.8, 0.5, 0.3]))
b.joint.prismatic("tyre", from_="ground", to="wheel", axis="z", at=[0, 0, 0.3])
b.joint.prismatic("strut", from_="wheel", to="car", axis="z", at=[0, 0, 0.9])
b.force.joint_force("road", coordinate="tyre", value="= 200[N/mm]*(smooth(time, 0, 0, 20[ms], 30[mm]) - tyre.slide)")
b.force.joint_spring("spring", coordinate="strut", stiffness="= k", damping="= d")
b.output("travel", "strut.slide").output("comfort", "car.az").output("height", "= tyre.slide + strut.slide")
corner = b.compile()
run = corner.run(until=1.5, interval=0.002)
run.plot("height", "travel", "comfort")
# %% [markdown]
# **You see** the car climb a kerb of 3 cm: its height, the travel of the strut, and the acceleration that passengers feel.
#
# ## A sweep
# All combinations of springs and dampers, side by side over all cores. Results are extremes, means or final values of outputs.
# %%
sweep = corner.sweep({"k": np.linspace(10e3, 40e3, 9), "d": np.linspace(500, 5000, 10)}, ["rms:comfort", "max:travel", "min:travel"], until=1.5,
                     progress=False)
assert sweep.is_finished and set(sweep.verdict) == {"good"}
sweep
# %%
grid = sweep["rms:comfort"].reshape(9, 10)
plt.contourf(sweep["d"].reshape(9, 10), sweep["k"].reshape(9, 10) / 1000, grid, 20)
plt.colorbar(label="acceleration, rms [m/s²]")
best = np.argmin(sweep["rms:comfort"])
plt.plot(sweep["d"][best], sweep["k"][best] / 1000, "w*", markersize=12)
plt.xlabel("damper [N s/m]")
plt.ylabel("spring [N/mm]")
plt.show()
print(f"least acceleration with k = {sweep['k'][best] / 1000:.1f} N/mm, d = {sweep['d'][best]:.0f} N s/m")
assert sweep["k"][best] == 10e3 and grid[-1].argmin() > 0
# %% [markdown]
# **You see** that soft springs and weak dampers are comfortable (star). A hard spring needs a damper that is neither weak nor strong.
#
# `sweep.to_pandas()` is a table of these results, `sweep.to_xarray()` an array over `k` and `d`.
#
# ## A batch
# Machines that are stepped together. Two hundred double pendulums start from nearly the same state.
# %%
d = art.Builder("Double pendulum")
d.body("upper", mass=1, com=[0, 0, -0.5], inertia=[0.08, 0.08, 0.001], points={"end": [0, 0, -1]})
d.body("lower", mass=1, com=[0, 0, -0.5], inertia=[0.08, 0.08, 0.001])
d.joint.revolute("first", from_="ground", to="upper", axis="y").joint.revolute("second", from_="upper.end", to="lower", axis="y")
d.output("first", "first.angle").output("second", "second.angle")
many = d.compile().batch(200, step=0.01)
many.q[:] = [2.5, 0.5] + 1e-3 * np.random.default_rng(1).normal(size=many.q.shape)
angles = []
for _ in range(60):
    many.step(n=10)
    angles.append(many["first"].copy())
angles = np.array(angles)
plt.plot(0.1 * np.arange(1, 61), angles[:, ::4], color="tab:blue", alpha=0.3)
plt.xlabel("time [s]")
plt.ylabel("first angle [rad]")
plt.show()
spread = angles.std(axis=1)
print(f"spread {spread[0]:.4f} rad after 0.1 s, {spread[-1]:.2f} rad after 6 s")
assert not many.failed.any() and spread[0] < 5e-3 and spread[-1] > 100 * spread[0]
many
# %% [markdown]
# **You see** one thick line that frays: the motion is chaotic, and a milliradian decides after some seconds.
#
# ## A fit
# Length and damping of a pendulum from a noisy record, by the method of Gauss and Newton.
# %%
p = art.Builder("Pendulum with friction")
p.parameter("L", "0.5 m").parameter("c", "0.05 N m s")
p.body("rod", mass=2, com=[0, 0, "= -L"], inertia=[0.02, 0.02, 0.001]).joint.revolute("pin", from_="ground", to="rod", axis="y")
p.force.joint_spring("friction", coordinate="pin", damping="= c")
p.initial("pin", angle="1 rad").output("angle", "pin.angle")
pendulum = p.compile()


def swing(L, c):
    pendulum.parameters["L"], pendulum.parameters["c"] = L, c
    return pendulum.run(until=4, interval=0.02, progress=False)["angle"].copy()


truth = 0.62, 0.11
record = swing(*truth) + 0.02 * np.random.default_rng(1).normal(size=201)
found = np.array([0.6, 0.05])
for _ in range(8):
    base = swing(*found)
    J = np.column_stack([(swing(*(found + h)) - base) / 1e-5 for h in 1e-5 * np.eye(2)])
    found = found + np.linalg.lstsq(J, record - base, rcond=None)[0]
time = 0.02 * np.arange(201)
plt.plot(time, record, ".", markersize=3, label="record")
plt.plot(time, swing(*found), label=f"L = {found[0]:.3f} m, c = {found[1]:.3f} N m s")
plt.xlabel("time [s]")
plt.ylabel("angle [rad]")
plt.legend()
plt.show()
print(f"found L = {found[0]:.4f} m, c = {found[1]:.4f} N m s; they were {truth}")
assert abs(found[0] - truth[0]) < 5e-3 and abs(found[1] - truth[1]) < 1e-2
# %% [markdown]
# **You see** the fitted motion go through the middle of the noise.
# %%
corner.show(sliders=["k", "d"])
# %% [markdown]
# **You see** the quarter of a car. Choose spring and damper, then begin again: it climbs the kerb anew.
