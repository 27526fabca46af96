# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Machines that a program steps: one, or many at a time."""
from collections.abc import Iterator, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any

from . import _articula
from .names import find
from .shown import Shown, listed, optional, table

if TYPE_CHECKING:
    from .model import Model
    from .names import Array


class Inputs(MutableMapping[str, float]):
    """The inputs of a machine by name. A value that is set is held during the steps that follow."""

    __slots__ = ("_core", "_number", "_u")

    def __init__(self, core: Any, number: "dict[str, int]", u: "Array") -> None:
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

    def __iter__(self) -> "Iterator[str]":
        return iter(self._number)

    def __len__(self) -> int:
        return len(self._number)

    def __repr__(self) -> str:
        return repr(dict(self))

    def _repr_html_(self) -> str:
        return table(("name", "value"), self.items())


class Readings(Mapping[str, Any]):
    """Numbers of the machine at its present state by name: outputs, and sensors, signals and blocks, whether outputs show them or
    not. The name of a sensor with several components, "gyro", gives them all as an array."""

    __slots__ = ("_core", "_number", "_y")

    def __init__(self, core: Any, number: "dict[str, int]", y: "Array") -> None:
        self._core, self._number, self._y = core, number, y

    def __getitem__(self, name: str) -> "Any":
        self._core.outputs()
        number = self._number.get(name)
        if number is not None:
            return float(self._y[number])
        parts = [i for part, i in self._number.items() if part.rpartition(".")[0] == name]
        return self._y[parts] if parts else find(self._number, name, "output or sensor")

    def __iter__(self) -> "Iterator[str]":
        return iter(self._number)

    def __len__(self) -> int:
        return len(self._number)

    def __repr__(self) -> str:
        return repr(dict(self))

    def _repr_html_(self) -> str:
        return table(("name", "value"), self.items())


def _study(options: "dict[str, Any]", step: float, inner: "float | str | None") -> "dict[str, Any]":
    """Options of the run that makes the steps: a fixed step of its integrator is the step itself where nobody says."""
    if inner is not None:
        return {**options, "step": inner}
    return {**options, "step": step} if "integrator" in options else options


class Simulator(Shown):
    """A machine for control loops: set inputs, step, read, set them anew.

    q, v, s   state; what is written there counts from the next step on
    a, force  accelerations and joint forces at the state
    input     inputs by name, may be set
    sensor    outputs, sensors and signals by name, also as `output`; evaluated when they are asked for
    time      s
    """

    __slots__ = ("model", "dt", "q", "v", "a", "s", "force", "input", "output", "sensor", "step", "reset", "_core", "_call")

    q: "Array"
    v: "Array"
    a: "Array"
    s: "Array"
    force: "Array"

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
        self._call = (study, options, step, inner)

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

    def __reduce__(self) -> "tuple[Any, ...]":
        return _restore, (self.model, self._call, self.save(), dict(self.input))

    def _title(self) -> str:
        return f"Simulator of {self.model.title or self.model.path!r}"

    def _facts(self) -> "list[tuple[str, Any]]":
        return [("time", f"{self.time:g} s"), ("step", f"{self.dt:g} s"), ("inputs", listed(list(self.input))), ("outputs", listed(self.model.outputs))]


def _restore(model: "Model", call: "tuple[Any, ...]", saved: bytes, inputs: "dict[str, float]") -> Simulator:
    """A simulator from its pickle."""
    sim = Simulator(model, *call)
    sim.load(saved)
    for name, value in inputs.items():
        sim.input[name] = value
    return sim


class Batch(Shown):
    """Many machines of one model, stepped together over threads.

    q, v, s   states, a row for each machine; what is written there counts from the next step on
    y         outputs after the last step or reset, a row for each machine
    time      s, of each
    failed    1 where the last step ended early

    A machine comes to the same bits as in a simulator, by any number of threads.
    """

    __slots__ = ("model", "dt", "q", "v", "s", "y", "time", "failed", "_core")

    q: "Array"
    v: "Array"
    s: "Array"
    y: "Array"
    time: "Array"
    failed: "Array"

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

    def step(self, u: "Array | None" = None, n: int = 1, mask: "Array | None" = None) -> None:
        """Set inputs u[machine, input] (None: they stay) and advance by n steps, all machines or the machines of the mask.
        A machine that fails stays at its last good state while others go on; then the error is raised, with its number,
        and `failed` says which. Ctrl-C stops all after the same step."""
        import numpy as np
        if u is not None:
            u = np.ascontiguousarray(u, float)
            if u.shape != (len(self), len(self.model.inputs)):
                raise ValueError(f"u has the shape {u.shape}, expected {(len(self), len(self.model.inputs))}: "
                                 "a row for each machine, a column for each input")
        self._core.step(u, n, self._mask(mask))

    def reset(self, mask: "Array | None" = None) -> None:
        """Back to the beginning, all machines or the machines of the mask."""
        self._core.reset(self._mask(mask))

    def __getitem__(self, name: str) -> "Array":
        """An output of all machines."""
        column: "Array" = self.y[:, find(self.model._output_number, name, "output")]
        return column

    def to_pandas(self) -> Any:
        """A pandas.DataFrame of the outputs, a row for each machine, with its time and whether it failed."""
        pd = optional("pandas", "to_pandas()", "pandas")
        frame = pd.DataFrame(self.y, columns=self.model.outputs, index=pd.RangeIndex(len(self), name="machine"))
        return frame.assign(time=self.time, failed=self.failed.astype(bool))

    def to_xarray(self) -> Any:
        """An xarray.Dataset over the machines: a variable for each output, and q and v."""
        xr = optional("xarray", "to_xarray()", "xarray")
        model = self.model
        variables: "dict[str, Any]" = {name: ("machine", self.y[:, i].copy(), {"units": model.units[name]}) for i, name in enumerate(model.outputs)}
        variables.update(q=(("machine", "position"), self.q.copy()), v=(("machine", "velocity"), self.v.copy()),
                         time=("machine", self.time.copy(), {"units": "s"}), failed=("machine", self.failed.astype(bool)))
        return xr.Dataset(variables, {"position": model.positions, "velocity": model.velocities}, {"title": model.title})

    def _title(self) -> str:
        return f"Batch of {self.model.title or self.model.path!r}"

    def _facts(self) -> "list[tuple[str, Any]]":
        return [("machines", len(self)), ("time", f"{self.time.min():g} s" if len(self) else "none"), ("step", f"{self.dt:g} s"),
                ("failed", int(self.failed.sum())), ("inputs", listed(self.model.inputs)), ("outputs", listed(self.model.outputs))]

    @staticmethod
    def _mask(mask: "Array | None") -> Any:
        import numpy as np
        return None if mask is None else np.ascontiguousarray(mask, float)


_CUDA = 2  # of DLPack's devices
_FIRST_STREAM = 1  # of CUDA, as DLPack counts them: the one that kernels run in


class Instances(Shown):
    """Many instances of a machine, by kernels of its generated equations on the CPU or on a GPU.

    many["velocities"] reads a vector of all, many["velocities"] = v sets it: a row for each number, a column for each instance.
    Vectors are time, positions, velocities, states, inputs, forces, parameters; outputs, accelerations, failures and failed_at are
    read alone. A machine with loops is closed from its `free` coordinates.

    device      "cpu" or "gpu", where they are
    reason      why they are on the CPU though a GPU was asked for, or None
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

    def __getitem__(self, vector: str) -> "Array":
        """A vector of all instances, as a copy; one row of parameters where these are shared."""
        import numpy as np
        out = np.empty(self._shape(vector))
        self._core.get(vector, out)
        return out

    def view(self, vector: str) -> Any:
        """A vector of all instances where it lies, by DLPack, nothing copied: torch.from_dlpack(many.view("velocities")), or
        numpy.asarray on the CPU. Steps change it; outputs and accelerations belong to the call. Call `touch` after
        what is written there."""
        return self._core.view(vector)

    def touch(self, vector: str) -> None:
        """A vector has been written where it lies: what follows from it is found as after many[vector] = numbers, but numbers are
        not looked at. An instance that cannot go on with them stops alone."""
        self._core.put(vector)

    def __setitem__(self, vector: str, numbers: Any) -> None:
        """Set a vector of all instances. With time, positions, velocities or states a new motion begins. Arrays in memory of a GPU,
        by DLPack, are copied there."""
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

    def set_parameter(self, name: str, values: "Array | float") -> None:
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

    def _title(self) -> str:
        return f"Instances of {self.model.title or self.model.path!r}"

    def _facts(self) -> "list[tuple[str, Any]]":
        return [("instances", self.n), ("device", self.device_name), *([("reason", self.reason)] if self.reason else []),
                ("free", listed(self.free)), ("parameters", listed(self.parameters))]
