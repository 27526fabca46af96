# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Machines that a program steps: one, or many at a time."""
from collections.abc import Iterator, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any

from . import _articula
from .names import find

if TYPE_CHECKING:
    from numpy import ndarray

    from .model import Model


class Inputs(MutableMapping):
    """The inputs of a machine by name. A value that is set is held during the steps that follow."""

    __slots__ = ("_core", "_number", "_u")

    def __init__(self, core: Any, number: "dict[str, int]", u: "ndarray") -> None:
        self._core, self._number, self._u = core, number, u

    def __getitem__(self, name: str) -> float:
        return float(self._u[find(self._number, name, "input")])

    def __setitem__(self, name: str, value: float) -> None:
        try:
            self._core.set_input(self._number[name], value)
        except KeyError:
            find(self._number, name, "input")

    def __delitem__(self, name: str) -> None:
        raise TypeError("inputs of a machine cannot be taken away")

    def __iter__(self) -> Iterator:
        return iter(self._number)

    def __len__(self) -> int:
        return len(self._number)


class Readings(Mapping):
    """Numbers of the machine at its present state by name: outputs, and sensors, signals and blocks, whether outputs show them or
    not. The name of a sensor with several components, "gyro", gives them all as an array."""

    __slots__ = ("_core", "_number", "_y")

    def __init__(self, core: Any, number: "dict[str, int]", y: "ndarray") -> None:
        self._core, self._number, self._y = core, number, y

    def __getitem__(self, name: str) -> "Any":
        self._core.outputs()
        number = self._number.get(name)
        if number is not None:
            return float(self._y[number])
        parts = [i for part, i in self._number.items() if part.rpartition(".")[0] == name]
        return self._y[parts] if parts else find(self._number, name, "output or sensor")

    def __iter__(self) -> Iterator:
        return iter(self._number)

    def __len__(self) -> int:
        return len(self._number)


def _study(options: "dict[str, Any]", step: float, inner: "float | str | None") -> "dict[str, Any]":
    """Options of the run behind the steps: a fixed step of its integrator is the step itself where nobody says."""
    if inner is not None:
        return {**options, "step": inner}
    return {**options, "step": step} if "integrator" in options else options


class Simulator:
    """A machine for control loops: set inputs, step, read, set them anew.

    q, v, s   state; what is written there counts from the next step on
    a, force  accelerations and joint forces at the state
    input     inputs by name, may be set
    sensor    outputs, sensors and signals by name, also as `output`; evaluated when they are asked for
    time      s
    """

    __slots__ = ("model", "dt", "q", "v", "a", "s", "force", "input", "output", "sensor", "step", "reset", "_core")

    def __init__(self, model: "Model", study: "str | None", options: "dict[str, Any]", step: float,
                 inner: "float | str | None" = None) -> None:
        import numpy as np
        self.model = model
        self.dt = float(step)
        core = self._core = _articula.Simulator(model, study, _study(options, self.dt, inner), self.dt)
        for name in ("q", "v", "a", "s", "force"):
            setattr(self, name, np.asarray(core.view(name)))
        self.input = Inputs(core, model._input_number, np.asarray(core.view("u")))
        self.output = self.sensor = Readings(core, model._reading_number, np.asarray(core.view("y")))
        self.step = core.step
        self.reset = core.reset

    @property
    def time(self) -> float:
        """s"""
        return self._core.time

    def save(self) -> bytes:
        """All that determines the motion from here on."""
        return self._core.save()

    def load(self, saved: bytes) -> None:
        """Back to what was saved: the same steps give the same bits."""
        self._core.load(saved)


class Batch:
    """Many machines of one model, stepped together over threads.

    q, v, s   states, a row for each machine; what is written there counts from the next step on
    y         outputs after the last step or reset, a row for each machine
    time      s, of each
    failed    1 where the last step ended early

    A machine comes to the same bits as in a simulator, by any number of threads.
    """

    __slots__ = ("model", "dt", "q", "v", "s", "y", "time", "failed", "_core")

    def __init__(self, model: "Model", n: int, study: "str | None", options: "dict[str, Any]", step: float,
                 inner: "float | str | None" = None, threads: int = 0) -> None:
        import numpy as np
        self.model = model
        self.dt = float(step)
        self._core = _articula.Batch(model, study, _study(options, self.dt, inner), self.dt, n, threads)
        for name in ("q", "v", "s", "y", "time", "failed"):
            setattr(self, name, np.asarray(self._core.view(name)))

    def __len__(self) -> int:
        return len(self.time)

    def step(self, u: "ndarray | None" = None, n: int = 1, mask: "ndarray | None" = None) -> None:
        """Set inputs u[machine, input] (None: they stay) and advance by n steps, all machines or the machines of the mask.
        A machine that fails stays at its last good state while others go on; then the error is raised, with its number,
        and `failed` says which. Ctrl-C stops all behind the same step."""
        import numpy as np
        if u is not None:
            u = np.ascontiguousarray(u, float)
            if u.shape != (len(self), len(self.model.inputs)):
                raise ValueError(f"u has the shape {u.shape}, expected {(len(self), len(self.model.inputs))}: "
                                 "a row for each machine, a column for each input")
        self._core.step(u, n, self._mask(mask))

    def reset(self, mask: "ndarray | None" = None) -> None:
        """Back to the beginning, all machines or the machines of the mask."""
        self._core.reset(self._mask(mask))

    def __getitem__(self, name: str) -> "ndarray":
        """An output of all machines."""
        return self.y[:, find(self.model._output_number, name, "output")]

    @staticmethod
    def _mask(mask: "ndarray | None") -> Any:
        import numpy as np
        return None if mask is None else np.ascontiguousarray(mask, float)


_CUDA = 2  # of DLPack's devices
_FIRST_STREAM = 1  # of CUDA, as DLPack counts them: the one that kernels run in


class Instances:
    """Many instances of a machine, by kernels of its generated equations on the processor or on a graphics processor.

    many["velocities"] reads a vector of all, many["velocities"] = v sets it: a row for each number, a column for each instance.
    Vectors are time, positions, velocities, states, inputs, forces, parameters; outputs, accelerations, failures and failed_at are
    read alone. A machine with loops is closed from its `free` coordinates.

    device      "cpu" or "gpu", where they are
    reason      why they are on the processor though a graphics processor was asked for, or None
    parameters  names of parameters, in the order of their rows
    free        names of velocities that no loop and no drive leads
    """

    __slots__ = ("model", "n", "device", "device_name", "reason", "parameters", "free", "_core", "_shares")

    def __init__(self, model: "Model", n: int, study: "str | None", options: "dict[str, Any]", device: str = "cpu",
                 fallback: bool = False, threads: int = 0, share: bool = False, own: "list[str] | None" = None,
                 precision: str = "double", corners: bool = False) -> None:
        names = None if own is None else list(own)
        core = self._core = _articula.Instances(model, study, options, n, device, fallback, threads, share, names, precision, corners)
        self.model = model
        self.n = n
        self.device, self.device_name, self.reason = core.info()
        self.parameters = core.parameters()
        self.free = [name for k, name in enumerate(model.velocities) if core.is_free(k)]
        self._shares = share

    def __len__(self) -> int:
        return self.n

    def _shape(self, vector: str) -> "tuple[int, ...]":
        width = self._core.width(vector)
        if vector == "parameters" and self._shares:
            return (width,)
        return (self.n,) if vector in ("time", "failures", "failed_at") else (width, self.n)

    def __getitem__(self, vector: str) -> "ndarray":
        """A vector of all instances, as a copy; one row of parameters where these are shared."""
        import numpy as np
        out = np.empty(self._shape(vector))
        self._core.get(vector, out)
        return out

    def view(self, vector: str) -> Any:
        """A vector of all instances where it lies, by DLPack, nothing copied: torch.from_dlpack(many.view("velocities")), or
        numpy.asarray on the processor. Steps change it; outputs and accelerations belong to the call. Call `touch` behind
        what is written there."""
        return self._core.view(vector)

    def touch(self, vector: str) -> None:
        """A vector has been written where it lies: what follows from it is found as behind many[vector] = numbers, but numbers are
        not looked at. An instance that cannot go on with them stops alone."""
        self._core.put(vector)

    def __setitem__(self, vector: str, numbers: Any) -> None:
        """Set a vector of all instances. With time, positions, velocities or states a new motion begins. Arrays in memory of a graphics
        processor, by DLPack, are copied there."""
        import numpy as np
        on_device = getattr(numbers, "__dlpack_device__", None)
        if on_device is not None and on_device()[0] == _CUDA:
            self._core.put(vector, numbers.__dlpack__(stream=_FIRST_STREAM))
            return
        shape = self._shape(vector)
        numbers = np.ascontiguousarray(numbers, float)
        if numbers.shape != shape:
            raise ValueError(f"{vector} has the shape {numbers.shape}, expected {shape}")
        self._core.set(vector, numbers)

    def set_parameter(self, name: str, values: "ndarray | float") -> None:
        """A parameter of all instances: one value, or one for each."""
        if name not in self.parameters:
            raise KeyError(f"there is no parameter '{name}' that instances can change; they have {', '.join(self.parameters)}")
        rows = self["parameters"]
        rows[self.parameters.index(name)] = values
        self["parameters"] = rows

    def step(self, step: float, n: int = 1) -> None:
        """Advance by n steps of the classical method of Runge and Kutta. An instance that fails stops alone."""
        self._core.step(step, n)

    def advance(self, end: float, step: float = 1e-3, tolerance: float = 1e-6) -> None:
        """Advance to a time by the method of Dormand and Prince, each in steps of its own; `step` is the first to try."""
        self._core.advance(end, step, tolerance)

    def rounding(self) -> float:
        """How far accelerations of the first instances, 32 at most, are now from those in double precision, relative to the largest of
        the instance, or to 1 where that is smaller."""
        return self._core.rounding()

    def failure(self, instance: int) -> "str | None":
        """Why an instance has stopped, and when; None: it goes on."""
        return self._core.failure(instance)
