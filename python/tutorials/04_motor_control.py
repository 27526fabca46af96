# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
# %% [markdown]
# # A motor and its control loop
# A motor turns a flywheel to a given speed: once with a controller in the model, once with one in Python.
# %%
import articula as art
import matplotlib.pyplot as plt
import numpy as np


def build(title):
    """A flywheel on a motor of a torque constant of 0.1 N m/A and a gear of 10."""
    b = art.Builder(title)
    b.body("wheel", mass="5 kg", solid=b.solid.cylinder(radius="0.15 m", length="0.03 m", axis="x"))
    b.joint.revolute("shaft", from_="ground", to="wheel", axis="x")
    b.force.joint_friction("bearing", coordinate="shaft", coulomb="0.05 N m", transition="0.01 rad/s", viscous="0.01 N m s/rad")
    b.force.motor("motor", coordinate="shaft", voltage="= u", constant="0.1 N m/A", resistance="1 Ohm", gear=10)
    b.output("speed", "shaft.rate").output("voltage", "u").output("torque", "motor.torque")
    return b


help(art.Builder().force.motor)
# %% [markdown]
# ## The controller in the model
# A PI block with limits: the voltage stays between -12 V and 12 V, and the integral does not wind up.
# %%
b = build("Flywheel with a controller")
b.parameter("goal", "6 rad/s", limits=[0, 10]).parameter("kp", 2, limits=[0, 10]).parameter("ki", 20, limits=[0, 60])
b.block.pid("u", input="= if(time < 0.2, 0, goal) - shaft.rate", kp="= kp", ki="= ki", limits=[-12, 12])
drive = b.compile()
run = drive.run(until=1.5, interval=0.002)
run.plot("speed", "voltage")
# %% [markdown]
# **You see** the wheel reach 6 rad/s soon after the step at 0.2 s. The voltage jumps close to its limit, then falls to what friction and the
# voltage of the turning motor take.
# %%
settled = run["voltage"][-1]
# at rest: gear constant (u - gear constant speed) / resistance = friction
expected = 1.0 * 6 + (0.05 + 0.01 * 6) / 1.0
print(f"voltage {settled:.4f} V, expected {expected:.4f} V; verdict {run.certificate['verdict']}")
assert abs(run["speed"][-1] - 6) < 1e-3 and abs(settled - expected) < 5e-3
# %% [markdown]
# ## The gains
# %%
for kp, ki in ((2, 5), (2, 20), (2, 60)):
    drive.parameters["kp"], drive.parameters["ki"] = kp, ki
    trial = drive.run(until=1.5, interval=0.002, progress=False)
    plt.plot(trial.time, trial["speed"], label=f"ki = {ki}")
plt.axhline(6, color="black", linewidth=0.5)
plt.xlabel("time [s]")
plt.ylabel("speed [rad/s]")
plt.legend()
plt.show()
assert trial["speed"].max() > 6.2
# %% [markdown]
# **You see** that a small ki lets the wheel creep to its speed, and that a large one overshoots.
#
# ## The controller in Python
# A simulator is a machine for programs: set its inputs, step, read its sensors. Here the voltage is set every 10 ms.
# %%
b = build("Flywheel with an input")
b.input("u", unit="V", limits=[-12, 12])
sim = b.compile().simulator(step=0.01)
goal, integral, log = 6.0, 0.0, []
for _ in range(150):
    error = goal - sim.sensor["speed"]
    integral += 20 * error * 0.01
    wanted = 2 * error + integral
    u = min(max(wanted, -12.0), 12.0)
    integral += u - wanted  # keep the integral from winding up
    sim.input["u"] = u
    sim.step()
    log.append((sim.time, sim.sensor["speed"], u))
time, speed, voltage = np.array(log).T
plt.step(time, voltage, where="pre", label="voltage [V]")
plt.plot(time, speed, label="speed [rad/s]")
plt.xlabel("time [s]")
plt.legend()
plt.show()
assert abs(speed[-1] - 6) < 1e-2 and abs(voltage[-1] - expected) < 5e-2
sim
# %% [markdown]
# **You see** the same motion with a voltage in steps: it stays for 10 ms each time.
# %%
drive.show(sliders=["goal", "kp", "ki"])
# %% [markdown]
# **You see** the flywheel turn at the speed of the slider `goal`.
