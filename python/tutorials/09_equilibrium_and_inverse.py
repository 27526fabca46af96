# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
# %% [markdown]
# # Equilibrium and inverse dynamics
# Where does a machine rest, and which forces does a motion take? A hanging chain and an arm.
# %%
import articula as art
import matplotlib.pyplot as plt
import numpy as np

N, SPAN, LENGTH = 12, 2.0, 3.0
l = LENGTH / N
b = art.Builder("Hanging chain", ground={"points": {"right": [SPAN, 0, 0]}})
for i in range(1, N + 1):
    b.body(f"link{i}", mass=0.1, com=[l / 2, 0, 0], inertia=[0, 0.1 * l**2 / 12, 0.1 * l**2 / 12], points={"end": [l, 0, 0]})
    b.joint.revolute(f"joint{i}", from_="ground" if i == 1 else f"link{i - 1}.end", to=f"link{i}", axis="y")
    b.output(f"x{i}", f"link{i}.end.x").output(f"z{i}", f"link{i}.end.z")
b.joint.revolute("last", from_=f"link{N}.end", to="ground.right", axis="y", loop="cut")
slope = np.arccos(SPAN / LENGTH)  # it begins as a V
b.guess("joint1", angle=slope).guess(f"joint{N // 2 + 1}", angle=-2 * slope)
chain = b.compile()
print(chain.check())
chain
# %% [markdown]
# ## Where it hangs
# `equil` finds the stable equilibrium below the initial state. Between two links the forces say that $\tan\theta$ grows evenly along the chain.
# %%
def shape(data):
    y = data.outputs()
    return np.array([(0, 0)] + [(y[f"x{i}"], y[f"z{i}"]) for i in range(1, N + 1)]).T


begin, rest = chain.assemble(), chain.equil()
plt.plot(*shape(begin), "k:", label="as it begins")
plt.plot(*shape(rest), "o-", label="at rest")
x = np.linspace(0, SPAN, 100)
c = 1.0
for _ in range(50):  # 2 c sinh(span / 2c) = length, by Newton's method
    f = 2 * c * np.sinh(SPAN / (2 * c)) - LENGTH
    c -= f / (2 * np.sinh(SPAN / (2 * c)) - SPAN / c * np.cosh(SPAN / (2 * c)))
plt.plot(x, c * (np.cosh((x - SPAN / 2) / c) - np.cosh(SPAN / (2 * c))), label="catenary")
plt.axis("equal")
plt.xlabel("x [m]")
plt.ylabel("z [m]")
plt.legend()
plt.show()
steps = np.diff(shape(rest), axis=1)
growth = np.diff(steps[1] / steps[0])
print(f"tan grows by {growth.mean():.6f} from link to link, evenly to {np.ptp(growth):.1e}")
assert np.ptp(growth) < 1e-6
# %% [markdown]
# **You see** the V of the beginning, the chain at rest, and the catenary, the limit of many links.
#
# ## The forces of a motion
# An arm follows a given motion: `inverse` finds the torques of its joints.
# %%
a = art.Builder("Arm")
a.body("upper", mass=3, com=[0, 0, -0.2], inertia=[0.04, 0.04, 0.002], points={"elbow": [0, 0, -0.4]})
a.body("lower", mass=2, com=[0, 0, -0.15], inertia=[0.02, 0.02, 0.001])
a.joint.revolute("shoulder", from_="ground", to="upper", axis="y").joint.revolute("elbow", from_="upper.elbow", to="lower", axis="y")
a.study.inverse("wave", until=4, interval=0.01, motion={"shoulder": "= 1 - cos(2*time)", "elbow": "= 0.5*sin(3*time)"})
a.study.run("swing", until=4, interval=0.02)
arm = a.compile()
time = np.linspace(0, 4, 4001)
torque = arm.inverse(time, study="wave")
plt.plot(time, torque[:, 0], label="shoulder")
plt.plot(time, torque[:, 1], label="elbow")
plt.xlabel("time [s]")
plt.ylabel("torque [N m]")
plt.legend()
plt.show()
# %% [markdown]
# **You see** the torques of both joints. That of the shoulder is largest where it holds the arm level.
#
# The work of the torques must be what the arm has gained in energy, at every instant:
# %%
data, energy, power = arm.data(), [], []
for t, tau in zip(time, torque):
    data.q[:] = 1 - np.cos(2 * t), 0.5 * np.sin(3 * t)
    data.v[:] = 2 * np.sin(2 * t), 1.5 * np.cos(3 * t)
    energy.append(data.energy().kinetic + data.energy().potential)
    power.append(tau @ data.v)
energy, power = np.array(energy), np.array(power)
work = np.concatenate([[0], np.cumsum((power[1:] + power[:-1]) / 2 * np.diff(time))])
print(f"work and energy differ by {np.abs(work - (energy - energy[0])).max():.1e} J")
plt.plot(time, energy - energy[0], label="energy gained")
plt.plot(time[::100], work[::100], "o", label="work of the torques")
plt.xlabel("time [s]")
plt.ylabel("[J]")
plt.legend()
plt.show()
assert np.abs(work - (energy - energy[0])).max() < 1e-4
# %% [markdown]
# **You see** the dots on the line: not a joule is missing.
# %%
chain.run(until=2, progress=False).show()
# %% [markdown]
# **You see** the chain fall from its V and swing.
