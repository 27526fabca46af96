# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
# %% [markdown]
# # Springs and modes
# Two carts between springs: their natural frequencies, mode shapes and beats, against the closed form.
#
# Equal masses $m$, springs $k$ to the walls and $c$ between the carts: the carts move together at $\omega_1 = \sqrt{k/m}$ and against
# each other at $\omega_2 = \sqrt{(k + 2c)/m}$.
# %%
import articula as art
import matplotlib.pyplot as plt
import numpy as np

b = art.Builder("Two carts")
b.parameter("k", "400 N/m", limits=[100, 1000]).parameter("c", "40 N/m", limits=[0, 400]).parameter("d", 0, unit="N s/m", limits=[0, 10])
for name, x in (("left", -0.5), ("right", 0.5)):
    b.body(name, mass="1 kg", position=[x, 0, 0], visual=b.visual.box(size=[0.3, 0.2, 0.2]))
    b.joint.prismatic(f"{name}_rail", from_="ground", to=name, at=[x, 0, 0], axis="x")
    b.force.joint_spring(f"{name}_spring", coordinate=f"{name}_rail", stiffness="= k", damping="= d")
b.force.spring_damper("between", between=["left", "right"], stiffness="= c", free_length="1 m")
b.initial("left_rail", slide="0.1 m")
b.output("left", "left_rail.slide").output("right", "right_rail.slide").output("energy", "energy.total")
carts = b.compile()
carts
# %% [markdown]
# ## Modes
# `linear` gives matrices, eigenvalues and modes; `modes` has a row for each eigenvalue, with the displacements of all coordinates.
# %%
linear = carts.linear(at_equilibrium=True)
w = 2 * np.pi * np.sort(linear.frequency)[::2]
expected = np.sqrt([400, 400 + 2 * 40])
print(f"found {w} rad/s, expected {expected} rad/s")
assert np.abs(w / expected - 1).max() < 1e-6
linear
# %%
figure, axes = plt.subplots(1, 2, figsize=(8, 3), sharey=True)
for axis, i in zip(axes, np.argsort(linear.frequency)[::2]):
    shape = linear.modes[i].real
    axis.bar(["left", "right"], shape)
    axis.axhline(0, color="black", linewidth=0.5)
    axis.set_title(f"{linear.frequency[i]:.2f} Hz")
axes[0].set_ylabel("displacement")
plt.show()
shapes = linear.modes[np.argsort(linear.frequency)[::2]].real
assert np.allclose(np.abs(shapes), 1, atol=1e-6) and shapes[0].prod() > 0 > shapes[1].prod()
# %% [markdown]
# **You see** the slow mode, in which the carts move together, and the quick one, in which they move against each other.
#
# ## Beats
# One cart starts alone. Both modes begin equally strong, and their difference in frequency hands the motion over.
# %%
run = carts.run(until=10, interval=0.005, tolerance=1e-10)
run.plot("left", "right")
# %% [markdown]
# **You see** the motion wander from the left cart to the right one and back, every 3.3 s.
# %%
w1, w2 = expected
left = 0.05 * (np.cos(w1 * run.time) + np.cos(w2 * run.time))
print(f"beat {2 * np.pi / (w2 - w1):.2f} s, difference to the closed form {np.abs(run['left'] - left).max():.1e} m")
assert np.abs(run["left"] - left).max() < 1e-6
run.to_pandas().describe().loc[["min", "max"]]
# %% [markdown]
# ## Damping
# %%
for d in (0.5, 2.0, 8.0):
    carts.parameters["d"] = d
    damped = carts.run(until=10, interval=0.01, progress=False)
    plt.plot(damped.time, damped["energy"], label=f"d = {d:g} N s/m")
plt.xlabel("time [s]")
plt.ylabel("energy [J]")
plt.legend()
plt.show()
assert damped["energy"][-1] < 1e-6 * damped["energy"][0]
# %% [markdown]
# **You see** the energy fall exponentially, the faster the stronger the dampers.
# %%
carts.show(sliders=["k", "c", "d"])
# %% [markdown]
# **You see** the two carts. Without the spring between them (`c` = 0) only one moves.
