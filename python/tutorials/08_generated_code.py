# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Equations as code: a Python function for the mass matrix, written by the library and called here."""
import importlib.util
import tempfile
from pathlib import Path

import articula as art
import numpy as np

MODELS = Path(__file__).resolve().parents[2] / "models"

model = art.load(MODELS / "double-pendulum.yaml")
with tempfile.TemporaryDirectory() as folder:
    path = model.generate("c", "swing", folder=folder, header=True)
    print(f"{len(Path(path).read_text().splitlines())} lines of C for the accelerations")
    path = model.generate("python", "swing", folder=folder, forms=["mass"])
    spec = importlib.util.spec_from_file_location("swing", path)
    code = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(code)
    functions = [name for name in dir(code) if not name.startswith("_") and callable(getattr(code, name))]
    print(f"functions in Python: {', '.join(functions)}")

# runs by equations that are compiled for this machine
numeric, compiled = (model.run(until=1, interval=0.1, method=method, progress=False) for method in ("automatic", "generated"))
print(f"compiled equations differ by {np.abs(numeric.q - compiled.q).max():.1e} rad after 1 s")
assert np.abs(numeric.q - compiled.q).max() < 1e-5
