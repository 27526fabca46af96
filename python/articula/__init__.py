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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .builder import Builder
    from .calls import command
    from .data import Data
    from .environment import VectorEnvironment
    from .errors import (ConvergenceError, Error, FileError, InputError, Interrupted, ModelWarning, SingularError,
                         UnsupportedError)
    from .model import Model, load, read
    from .run import Run
    from .simulator import Batch, Instances, Simulator
    from .studies import Linear, Sweep, Table, Trial, bench, check, convert

__version__ = _articula.version()

__all__ = ["Batch", "Builder", "ConvergenceError", "Data", "Error", "FileError", "InputError", "Instances", "Interrupted", "Linear", "Model", "ModelWarning", "Run",
           "Simulator", "SingularError", "Sweep", "Table", "Trial", "UnsupportedError", "VectorEnvironment", "bench", "check", "command",
           "convert", "load", "read"]

# where each of these lies: modules are imported when something of theirs is asked for
_HOME = {name: home for home, names in {
    "builder": ("Builder",), "calls": ("command",), "data": ("Data",), "environment": ("VectorEnvironment",),
    "errors": ("ConvergenceError", "Error", "FileError", "InputError", "Instances", "Interrupted", "ModelWarning", "SingularError", "UnsupportedError"),
    "model": ("Model", "load", "read"), "run": ("Run",), "simulator": ("Batch", "Instances", "Simulator"),
    "studies": ("Linear", "Sweep", "Table", "Trial", "bench", "check", "convert")}.items() for name in names}


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'articula' has no attribute {name!r}")
    value = getattr(__import__(f"{__name__}.{home}", fromlist=[name]), name)
    globals()[name] = value
    return value


def __dir__() -> "list[str]":
    return sorted({*globals(), *__all__})

