# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
# %% [markdown]
# # A pendulum
# Build a machine call by call, ask for its equations, let it swing, and measure its period.
#
# A physical pendulum of mass $m$, with its centre of mass at distance $L$ from the pin and inertia $J$ about the pin, obeys
# $J \ddot\varphi + m g L \sin\varphi = 0$. Small swings take $2\pi\sqrt{J / (m g L)}$.
# %%
import math

import articula as art
import matplotlib.pyplot as plt
import numpy as np

b = art.Builder("Rod on a pin")
b.parameter("L", "0.5 m", limits=["0.2 m", "1 m"], help="from the pin to the centre of mass")
b.body("rod", mass="2 kg", com=[0, 0, "= -L"], inertia=[0.02, 0.02, 0.001])
b.joint.revolute("pin", from_="ground", to="rod", axis="y")
b.initial("pin", angle="0.02 rad")
b.output("angle", "pin.angle").output("energy", "energy.total")
pendulum = b.compile()
pendulum
# %% [markdown]
# Every method has its keys, units and defaults in `help(b.body)`. A mistake names the item, the key and the line that wrote it:
# %%
wrong = art.Builder("A mistake")
wrong.body("rod", mass="2 m")
try:
    wrong.compile()
except art.InputError as error:
    print(error)
    assert "body 'rod': mass: found a length" in error.message
# %% [markdown]
# ## The equations at a state
# `Data` is a state. It answers for masses, forces and accelerations, in any order.
# %%
data = pendulum.data()
J = data.mass_matrix()[0, 0]
print(f"inertia about the pin {J:.4f} kg m^2, acceleration {data.accelerate()[0]:.4f} rad/s^2")
assert abs(J - (0.02 + 2 * 0.5**2)) < 1e-12
data
# %% [markdown]
# ## Ten seconds of motion
# %%
run = pendulum.run(until=10, interval=0.001, tolerance=1e-10)
run.plot("angle")
# %% [markdown]
# **You see** almost seven swings of constant height: nothing takes energy away.
# %%
angle, time = run["angle"], run.time
rising = np.flatnonzero((angle[:-1] < 0) & (angle[1:] >= 0))
zeros = time[rising] - angle[rising] * (time[rising + 1] - time[rising]) / (angle[rising + 1] - angle[rising])
period = np.diff(zeros).mean()
expected = 2 * math.pi * math.sqrt(J / (2 * 9.81 * 0.5))
print(f"period {period:.6f} s, of small swings {expected:.6f} s, energy kept to {np.ptp(run['energy']):.1e} J")
assert abs(period / (expected * (1 + 0.02**2 / 16)) - 1) < 1e-6  # a swing of amplitude a takes 1 + a^2/16 times as long
assert run.certificate["verdict"] == "good"
run.certificate
# %% [markdown]
# ## Large swings
# The period grows with the amplitude $a$: $T = 2\pi / (\omega_0\, \mathrm{agm}(1, \cos\frac a2))$ by the arithmetic-geometric mean.
# %%
def measured(a):
    """The period of a swing that starts at the angle a: four times the way to the bottom."""
    sim = pendulum.simulator(step=1e-3, integrator="rk4")
    sim.q[0] = a
    while sim.q[0] > 0:
        before = sim.time, sim.q[0]
        sim.step()
    return 4 * (before[0] + 1e-3 * before[1] / (before[1] - sim.q[0]))


def exact(a):
    x, y = 1.0, math.cos(a / 2)
    for _ in range(6):
        x, y = (x + y) / 2, math.sqrt(x * y)
    return expected / x


amplitudes = np.radians([10, 45, 90, 120, 150, 170])
periods = np.array([measured(a) for a in amplitudes])
curve = np.radians(np.linspace(1, 175, 100))
plt.plot(np.degrees(curve), [exact(a) for a in curve], label="elliptic integral")
plt.plot(np.degrees(amplitudes), periods, "o", label="measured")
plt.xlabel("amplitude [deg]")
plt.ylabel("period [s]")
plt.legend()
plt.show()
assert np.abs(periods / [exact(a) for a in amplitudes] - 1).max() < 1e-5
# %% [markdown]
# **You see** the period grow from 1.45 s without end towards 180 degrees, where the rod stands upright. The points lie on the curve.
#
# ## The machine itself
# A live machine runs on the page, without Python. Drag it with shift, or move the slider of its length.
# %%
pendulum.show(sliders=["L"])
# %% [markdown]
# **You see** the rod swing. A shorter one swings faster.
