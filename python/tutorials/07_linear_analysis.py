# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Linear analysis: eigenvalues and modes of a car at its equilibrium."""
from pathlib import Path

import articula as art
import numpy as np

MODELS = Path(__file__).resolve().parents[2] / "models"

car = art.load(MODELS / "vehicles/iltis.yaml")
linear = car.linear(at_equilibrium=True)
A, B, C, D = linear
print(f"{len(A)} states; oscillations below 20 Hz:")
for i in np.flatnonzero((linear.frequency > 0) & (linear.frequency < 20) & (linear.eigenvalues.imag > 0)):
    largest = linear.all_coordinates[int(np.argmax(linear.share[i]))]
    print(f"  {linear.frequency[i]:6.3f} Hz, damping {linear.damping[i]:5.3f}, mostly {largest}")

# they are the eigenvalues of A
own = np.sort(np.abs(np.linalg.eigvals(A)))
np.testing.assert_allclose(np.sort(np.abs(linear.eigenvalues)), own, rtol=1e-4, atol=1e-2)
