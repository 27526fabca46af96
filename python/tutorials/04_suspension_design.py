# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""A suspension: wheels through their travel, and the damper that keeps a quarter of a car quiet on a wavy road."""
from pathlib import Path

import articula as art
import numpy as np

MODELS = Path(__file__).resolve().parents[2] / "models"

# toe and camber of double wishbones
rig = art.load(MODELS / "vehicles/double-wishbone-rig.yaml").kinematics()
camber = next(name for name in rig.names if name.endswith(".camber"))
print(f"{camber} goes from {np.degrees(rig[camber][0]):+.2f} to {np.degrees(rig[camber][-1]):+.2f} degrees")
assert np.ptp(rig[camber]) > 0

QUARTER = """
articula: 1
parameters: {k: 20 N/mm, c: 1000 N s/m}
bodies: {car: {mass: 300, inertia: [1, 1, 1]}}
joints: {ride: {type: prismatic, axis: z, from: ground, to: car}}
inputs: {road: {unit: m}, slope: {unit: m/s}}
forces: {strut: {type: joint-force, coordinate: ride, value: "= 2943 [N] + k*(road - ride.slide) + c*(slope - ride.rate)"}}
"""
w = 2 * np.pi * 1.3
for c in (500.0, 1500.0, 4000.0):
    car = art.read(QUARTER)
    car.parameters["c"] = c
    A, B, C, D = car.linear()
    H = np.linalg.solve(1j * w * np.eye(2) - A, B @ [1, 1j * w])[0]
    k, m = 20e3, 300.0
    expected = (k + 1j * w * c) / (k - m * w**2 + 1j * w * c)
    print(f"c = {c:6.0f} N s/m: the car moves {abs(H):.3f} times as much as the road at 1.3 Hz")
    assert abs(H - expected) < 1e-6 * abs(expected)
