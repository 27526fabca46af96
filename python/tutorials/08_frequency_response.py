# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
# %% [markdown]
# # Linearisation and frequency response
# A car body on a wavy road, against its closed form; then the modes of a whole vehicle.
# %%
from pathlib import Path

import articula as art
import matplotlib.pyplot as plt
import numpy as np

MODELS = next(folder / "models" for folder in [Path.cwd(), *Path.cwd().parents] if (folder / "models/pendulum.yaml").exists())
m, k = 300.0, 20e3
b = art.Builder("Car body on its springs")
b.parameter("d", "1500 N s/m", limits=[100, 6000])
b.body("car", mass=m)
b.joint.prismatic("ride", from_="ground", to="car", axis="z")
b.input("road", unit="m", limits=[-0.1, 0.1]).input("slope", unit="m/s")
b.force.joint_force("strut", coordinate="ride", value=f"= {m * 9.81}[N] + {k}[N/m]*(road - ride.slide) + d*(slope - ride.rate)")
b.output("height", "ride.slide")
car = b.compile()
linear = car.linear()
A, B, C, D = linear
print(A, B, sep="\n")
assert np.allclose(A, [[0, 1], [-k / m, -1500 / m]])
linear
# %% [markdown]
# ## Frequency response
# The road acts by its height $r$ and its rate $\mathrm{i}\omega r$, so the car answers with
# $H = (k + \mathrm{i}\omega d) / (k - m\omega^2 + \mathrm{i}\omega d)$.
# %%
frequency = np.geomspace(0.2, 20, 200)
w = 2j * np.pi * frequency
figure, (gain, phase) = plt.subplots(2, 1, sharex=True, figsize=(8, 6))
for d in (500.0, 1500.0, 4000.0):
    car.parameters["d"] = d
    response = car.linear().frequency_response(frequency)[:, 0, :]
    H = response[:, 0] + w * response[:, 1]
    exact = (k + w * d) / (k + m * w**2 + w * d)
    assert np.abs(H / exact - 1).max() < 1e-6
    gain.loglog(frequency, np.abs(H), label=f"d = {d:.0f} N s/m")
    phase.semilogx(frequency, np.degrees(np.unwrap(np.angle(H))))
gain.axvline(np.sqrt(2 * k / m) / (2 * np.pi), color="black", linewidth=0.5)
gain.set_ylabel("car / road")
gain.legend()
phase.set_ylabel("phase [deg]")
phase.set_xlabel("frequency [Hz]")
plt.show()
# %% [markdown]
# **You see** the resonance at 1.3 Hz, which a strong damper keeps low. Above the line, at $\sqrt 2$ times the resonance, the same damper makes
# the car rougher: all curves cross there.
#
# ## The modes of a vehicle
# %%
iltis = art.load(MODELS / "vehicles/iltis.yaml")
modes = iltis.linear(at_equilibrium=True)
own = np.sort(np.abs(np.linalg.eigvals(modes.A)))
np.testing.assert_allclose(np.sort(np.abs(modes.eigenvalues)), own, rtol=1e-4, atol=1e-2)
modes
# %%
plt.scatter(modes.eigenvalues.real, modes.eigenvalues.imag / (2 * np.pi), c=modes.damping, cmap="viridis")
plt.colorbar(label="damping")
plt.xlim(-60, 5)
plt.ylim(-20, 20)
plt.xlabel("real part [1/s]")
plt.ylabel("imaginary part / 2π [Hz]")
plt.grid(alpha=0.3)
plt.show()
# %% [markdown]
# **You see** the eigenvalues in pairs: the body near 1 to 2 Hz, the wheels near 12 Hz. All that oscillates lies left of the axis.
# %%
swinging = modes.eigenvalues[np.abs(modes.eigenvalues.imag) > 1]
assert len(swinging) > 8 and (swinging.real < 0).all()
# %%
iltis.run(until=3, progress=False).show()
# %% [markdown]
# **You see** the vehicle and all its parts.
