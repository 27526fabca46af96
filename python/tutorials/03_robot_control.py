# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""A robot that holds its arm: computed torques, tau = M(q) (kp (q_d - q) - kd v) + h(q, v), from the bare tree."""
import articula as art
import numpy as np

ARM = """
articula: 1
title: Arm with two motors
bodies:
  upper: {mass: 3, com: [0, 0, -0.2], inertia: [0.04, 0.04, 0.002], points: {elbow: [0, 0, -0.4]}}
  lower: {mass: 2, com: [0, 0, -0.15], inertia: [0.02, 0.02, 0.001]}
joints:
  shoulder: {type: revolute, axis: y, from: ground, to: upper}
  elbow: {type: revolute, axis: y, from: upper.elbow, to: lower}
inputs:
  tau1: {unit: N m, limits: [-60, 60]}
  tau2: {unit: N m, limits: [-30, 30]}
forces:
  motor1: {type: joint-force, coordinate: shoulder, value: = tau1}
  motor2: {type: joint-force, coordinate: elbow, value: = tau2}
"""
arm = art.read(ARM)
sim = arm.simulator(step=1e-3)
model = arm.data()  # what the controller knows
goal, kp, kd = np.array([0.8, -1.1]), 100.0, 20.0

for _ in range(1500):
    model.q[:], model.v[:] = sim.q, sim.v
    tau = model.inverse_dynamics(kp * (goal - sim.q) - kd * sim.v)
    sim.input["tau1"], sim.input["tau2"] = tau
    sim.step()
print(f"after {sim.time:.1f} s the arm is at {sim.q}, expected {goal}")

# both poles at -10 1/s: e(t) = e0 (1 + 10 t) exp(-10 t)
left = goal * (1 + 10 * sim.time) * np.exp(-10 * sim.time)
assert np.abs(goal - sim.q).max() < 2 * np.abs(left).max() + 1e-4
