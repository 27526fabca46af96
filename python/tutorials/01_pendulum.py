# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""A pendulum: describe it, ask for its equations, let it swing, and measure its period.

A physical pendulum of mass m, centre of mass at distance L from the pin and inertia J about the pin obeys
    J d2(phi)/dt2 + m g L sin(phi) = 0,
so that small swings take 2 pi sqrt(J / (m g L)).
"""
import math

import articula as art
import numpy as np

MODEL = """
articula: 1
title: Rod on a pin
parameters: {L: 0.5 m}
bodies:
  rod: {mass: 2 kg, com: [0, 0, = -L], inertia: [0.02, 0.02, 0.001]}
joints:
  pin: {type: revolute, from: ground, to: rod, axis: y}
initial:
  pin: {angle: 0.02 rad}
outputs: {angle: pin.angle, energy: energy.total}
"""

pendulum = art.read(MODEL)
print(pendulum)

# the equations at the initial state
data = pendulum.data()
J = data.mass_matrix()[0, 0]
print(f"inertia about the pin   {J:.4f} kg m^2")
print(f"acceleration            {data.accelerate()[0]:.4f} rad/s^2")

# ten seconds of motion
run = pendulum.run(until=10, interval=0.001, tolerance=1e-10)
angle, time = run["angle"], run.time
rising = np.flatnonzero((angle[:-1] < 0) & (angle[1:] >= 0))
zeros = time[rising] - angle[rising] * (time[rising + 1] - time[rising]) / (angle[rising + 1] - angle[rising])
period = np.diff(zeros).mean()
expected = 2 * math.pi * math.sqrt(J / (2 * 9.81 * 0.5))
print(f"period                  {period:.6f} s, of small swings {expected:.6f} s")
print(f"energy kept to          {np.ptp(run['energy']):.1e} J, verdict {run.certificate['verdict']}")

# a swing of amplitude a takes 1 + a^2/16 times as long
assert abs(period / (expected * (1 + 0.02**2 / 16)) - 1) < 1e-6
assert run.certificate["verdict"] == "good"
