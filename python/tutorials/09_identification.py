# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Identification: length and damping of a pendulum from a noisy record, by least squares."""
import articula as art
import numpy as np

MODEL = """
articula: 1
parameters: {L: 0.5 m, c: 0.05 N m s}
bodies: {rod: {mass: 2 kg, com: [0, 0, = -L], inertia: [0.02, 0.02, 0.001]}}
joints: {pin: {type: revolute, from: ground, to: rod, axis: y}}
forces: {drag: {type: joint-spring, coordinate: pin, damping: = c}}
initial: {pin: {angle: 1 rad}}
outputs: {angle: pin.angle}
"""
pendulum = art.read(MODEL)


def angles(L, c):
    pendulum.parameters["L"], pendulum.parameters["c"] = L, c
    return pendulum.run(until=4, interval=0.02, progress=False)["angle"].copy()


truth = 0.62, 0.11
record = angles(*truth) + 0.005 * np.random.default_rng(1).normal(size=201)

try:
    from scipy.optimize import least_squares
    found = least_squares(lambda p: angles(*p) - record, [0.6, 0.05], diff_step=1e-4).x
except ImportError:
    # Gauss and Newton by hand
    found = np.array([0.6, 0.05])
    for _ in range(8):
        base = angles(*found)
        J = np.column_stack([(angles(*(found + h)) - base) / 1e-5 for h in 1e-5 * np.eye(2)])
        found = found + np.linalg.lstsq(J, record - base, rcond=None)[0]
print(f"found L = {found[0]:.4f} m, c = {found[1]:.4f} N m s; they were {truth}")
assert abs(found[0] - truth[0]) < 2e-3 and abs(found[1] - truth[1]) < 5e-3
