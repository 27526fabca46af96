# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Articula: describe a machine once, simulate it by any method.

    import articula as art
    car = art.load("models/vehicles/multilink-car.yaml", parameters={"wave": 2.5})
    run = car.run(until=10, method="generated")
    run.time, run["yaw_rate"], run.certificate["verdict"]

Arrays are views of the library's own memory. SI units, radians, right-handed frames, z up; quaternions are w x y z.
"""
from . import _articula
from .errors import (ConvergenceError, Error, FileError, InputError, Interrupted, SingularError,
                     UnsupportedError)
from .builder import Builder
from .data import Data
from .environment import VectorEnvironment
from .model import Model, load, read
from .run import Run
from .simulator import Batch, Simulator
from .studies import Linear, Sweep, Table, check

__version__ = _articula.version()

__all__ = ["Batch", "Builder", "ConvergenceError", "Data", "Error", "FileError", "InputError", "Interrupted", "Linear", "Model", "Run",
           "Simulator", "SingularError", "Sweep", "Table", "VectorEnvironment", "UnsupportedError", "check", "load", "read"]
