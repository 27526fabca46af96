# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
# %% [markdown]
# # A robot from URDF
# Read a robot of ROS, compute its torques, and let it draw a circle.
# %%
import tempfile
from pathlib import Path

import articula as art
import matplotlib.pyplot as plt
import numpy as np

ROBOT = """
<robot name="two-link arm">
  <link name="stand"><visual><origin xyz="0 0 0.25"/><geometry><box size="0.2 0.2 0.5"/></geometry></visual></link>
  <link name="upper">
    <inertial><origin xyz="0.2 0 0"/><mass value="3"/><inertia ixx="0.002" iyy="0.04" izz="0.04" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0.2 0 0"/><geometry><box size="0.4 0.06 0.06"/></geometry></visual>
  </link>
  <link name="lower">
    <inertial><origin xyz="0.15 0 0"/><mass value="2"/><inertia ixx="0.001" iyy="0.015" izz="0.015" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0.15 0 0"/><geometry><box size="0.3 0.05 0.05"/></geometry></visual>
  </link>
  <link name="tool"/>
  <joint name="shoulder" type="revolute">
    <parent link="stand"/> <child link="upper"/> <origin xyz="0 0 0.5"/> <axis xyz="0 -1 0"/>
    <limit lower="-2" upper="2" effort="60" velocity="3"/>
  </joint>
  <joint name="elbow" type="revolute">
    <parent link="upper"/> <child link="lower"/> <origin xyz="0.4 0 0"/> <axis xyz="0 -1 0"/>
    <limit lower="-2.5" upper="2.5" effort="30" velocity="3"/>
  </joint>
  <joint name="flange" type="fixed"><parent link="lower"/> <child link="tool"/> <origin xyz="0.3 0 0"/></joint>
</robot>
"""
path = Path(tempfile.mkdtemp()) / "robot.urdf"
path.write_text(ROBOT, encoding="utf-8")
robot = art.load(path)
robot
# %% [markdown]
# Every motor has become an input with the limits of its effort.
#
# ## A circle
# The tool shall draw a circle of 10 cm in 2 s. Angles of both joints follow from the law of cosines.
# %%
step, end = 1e-3, 2.0
time = np.arange(0, end, step)
turn = 2 * np.pi * (time / end - np.sin(2 * np.pi * time / end) / (2 * np.pi))  # begins and ends at rest
x, z = 0.4 + 0.1 * np.cos(turn), 0.1 * np.sin(turn)  # seen from the shoulder
elbow = -np.arccos((x**2 + z**2 - 0.4**2 - 0.3**2) / (2 * 0.4 * 0.3))
shoulder = np.arctan2(z, x) - np.arctan2(0.3 * np.sin(elbow), 0.4 + 0.3 * np.cos(elbow))
q = np.column_stack([shoulder, elbow])
v = np.gradient(q, step, axis=0)
a = np.gradient(v, step, axis=0)
data = robot.data()
data.set({"shoulder.angle": q[0, 0], "elbow.angle": q[0, 1]})
assert np.allclose(data.frame("tool").position, [x[0], 0, 0.5 + z[0]], atol=1e-12)
# %% [markdown]
# ## Computed torques
# $\tau = M(q)\,(\ddot q_d + k_d \dot e + k_p e) + h(q, \dot q)$ makes the errors $e$ of both joints decay alike: `inverse_dynamics` is this sum.
# %%
kp, kd = 400.0, 40.0
sim, log = robot.simulator(step=step), []
sim.q[:], sim.v[:] = q[0] + [0.02, -0.05], 0  # it starts a little beside the circle
for i in range(len(time)):
    data.q[:], data.v[:] = sim.q, sim.v
    torque = data.inverse_dynamics(a[i] + kd * (v[i] - sim.v) + kp * (q[i] - sim.q))
    sim.input["shoulder_effort"], sim.input["elbow_effort"] = torque
    sim.step()
    data.q[:], data.v[:] = sim.q, sim.v
    log.append([*torque, *data.frame("tool").position])
log = np.array(log)
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
left.plot(x, 0.5 + z, "k:", label="wanted")
left.plot(log[:, 2], log[:, 4], label="drawn")
left.set_aspect("equal")
left.set_xlabel("x [m]")
left.set_ylabel("z [m]")
left.legend()
right.plot(time, log[:, 0], label="shoulder")
right.plot(time, log[:, 1], label="elbow")
right.set_xlabel("time [s]")
right.set_ylabel("torque [N m]")
right.legend()
plt.show()
error = np.hypot(log[:, 2] - x, log[:, 4] - 0.5 - z)
print(f"error {1000 * error[0]:.1f} mm at the beginning, {1000 * error[-1]:.4f} mm at the end")
assert error[0] > 5e-3 and error[-1] < 1e-4
# %% [markdown]
# **You see** the tool find the circle within the first centimetres, and the torques of both motors: they carry the arm and move it.
# %%
sim
# %% [markdown]
# ## The robot itself
# %%
robot.show(sliders=["shoulder_effort", "elbow_effort"])
# %% [markdown]
# **You see** the arm fall, for nobody holds it. Its motors have sliders.
