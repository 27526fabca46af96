# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""A machine from nothing but the package, for the tests of its packages: the period of a pendulum of a metre."""
import articula as art
import numpy as np

b = art.Builder("Pendulum").body("rod", mass=1, com=[0, 0, -1]).joint.revolute("pin", from_="ground", to="rod", axis="y")
run = b.initial("pin", angle="1 deg").output("angle", "pin.angle").compile().run(until=2, interval=1e-3, tolerance=1e-9)
period = 4 * run.time[np.argmax(run["angle"] < 0)]
assert abs(period - 2 * np.pi / np.sqrt(9.81)) < 5e-3
print(f"period {period:.3f} s, {run.certificate['verdict']}")
