# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""The state of a machine and its dynamics, M(q) a + h(q, v) = tau."""
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _articula
from .names import find
from .shown import Shown, heading, optional, table

if TYPE_CHECKING:
    from .names import Array

    from .model import Model


class Energy(NamedTuple):
    """J and W; power is that of all forces without potential and of drives."""
    kinetic: float
    potential: float
    power: float


class Frame(NamedTuple):
    """A frame of a body, in ground: position, quaternion w x y z, velocity, angular velocity."""
    position: "Array"
    rotation: "Array"
    velocity: "Array"
    angular_velocity: "Array"


class Data(Shown):
    """A state of a machine: time, positions q, velocities v, and what follows from them.

    The arrays q, v, s may be written, of closed loops the independent coordinates, from which the others follow. A dependent or
    driven coordinate that was written and does not fit is an InputError; set() moves any coordinate and closes the loops.
    Of the arrays a, force, s_rate and u show what was computed last or set. All are views of the
    library's memory. Questions may be asked in any order: each brings the data up to date with what the arrays hold.

    q       positions; orientations of ball and free joints are unit quaternions
    v       velocities; v of a ball joint is the angular velocity in its own axes, so len(q) may exceed len(v)
    a       accelerations, by accelerate()
    force   applied joint forces; in driven coordinates what elements and drive give together
    s       states of blocks and of force elements, s_rate their rates
    u       inputs; set them by set_input()
    found   what the study said that made this state
    """

    __slots__ = ("model", "q", "v", "a", "force", "s", "s_rate", "u", "found", "_core")

    q: "Array"
    v: "Array"
    a: "Array"
    force: "Array"
    s: "Array"
    s_rate: "Array"
    u: "Array"

    def __init__(self, model: "Model") -> None:
        import numpy as np
        self.model = model
        self.found: "dict[str, Any]" = {}
        self._core = _articula.Data(model)
        for name in ("q", "v", "a", "force", "s", "s_rate", "u"):
            setattr(self, name, np.asarray(self._core.view(name)))

    @property
    def time(self) -> float:
        """s"""
        return self._core.time

    @time.setter
    def time(self, value: float) -> None:
        self._core.time = value

    def reset(self) -> None:
        """Back to the initial state at time 0."""
        self._core.reset()

    def copy(self) -> "Data":
        """Data that gives the same results to the last bit."""
        copy = Data(self.model)
        copy._core.copy_from(self._core)
        return copy

    def set_input(self, name: str, value: float) -> None:
        """Set an input; it is held from now on. Values outside of its limits are refused."""
        self._core.set_input(find(self.model._input_number, name, "input"), value)

    def update(self) -> None:
        """Bring everything that depends on time, q and v up to date, driven coordinates among it."""
        self._core.update()

    def assemble(self) -> "dict[str, Any]":
        """Close the loops: g(q) = 0 and dg/dq v = 0, at the nearest positions; what came of it."""
        return self._core.assemble()

    def set(self, values: "Mapping[str, float | str]") -> "dict[str, tuple[float, float]]":
        """Set coordinates, velocities and states by name, and close the loops with these held:

            moved = data.set({"pivot.angle": 0.5, "pivot.rate": "20 deg/s"})

        Numbers are in SI units, texts may have units. Of all positions of the other coordinates that close the loops the nearest
        one is taken. Returns what moved besides, {"rocker.angle": (from, to)}. Where the loops cannot be closed, InputError or
        another error says which stays open, and the data is as before."""
        model = self.model
        number: "dict[str, tuple[Array, int]]" = {name: (self.q, i) for i, name in enumerate(model.positions)}
        number.update({name: (self.v, i) for i, name in enumerate(model.velocities)})
        state = {name: i for i, name in enumerate(model.states)}
        given = {}
        for name, value in values.items():
            find({**dict.fromkeys(number), **state}, name, "coordinate, velocity or state")
            given[name] = _articula.quantity(value, model.units[name]) if isinstance(value, str) else float(value)
        before = {name: float(array[i]) for name, (array, i) in number.items()}
        self._core.set({name: value for name, value in given.items() if name in number})
        for name in given.keys() & state.keys():
            self.s[state[name]] = given[name]
        after = {name: float(array[i]) for name, (array, i) in number.items()}
        return {name: (before[name], after[name]) for name in number
                if name not in given and abs(after[name] - before[name]) > 1e-9 * max(1.0, abs(before[name]))}

    def accelerate(self, method: str = "automatic") -> "Array":
        """Accelerations a of the whole machine under all forces and drives, by any method:
        M a + h + J^T lambda = f,  J a = gamma."""
        self._core.accelerate(method)
        return self.a

    def outputs(self, method: str = "automatic") -> "dict[str, float]":
        """All outputs of the model at this state."""
        import numpy as np
        values = np.empty(len(self.model.outputs))
        self._core.outputs(values, method)
        return dict(zip(self.model.outputs, values.tolist()))

    def mass_matrix(self, out: "Array | None" = None) -> "Array":
        """M(q) of the bare tree, nv x nv: the kinetic energy is v^T M v / 2."""
        import numpy as np
        n = len(self.v)
        out = np.empty((n, n)) if out is None else out
        self._core.mass_matrix(out)
        return out

    def inverse_dynamics(self, a: "Array | None" = None, out: "Array | None" = None) -> "Array":
        """Joint forces of the bare tree that make the accelerations a under gravity: tau = M a + h. Without a: h."""
        import numpy as np
        out = np.empty(len(self.v)) if out is None else out
        self._core.inverse_dynamics(None if a is None else np.ascontiguousarray(a, float), out)
        return out

    def forward_dynamics(self, tau: "Array", out: "Array | None" = None) -> "Array":
        """Accelerations of the bare tree that joint forces make under gravity: a = M^-1 (tau - h)."""
        import numpy as np
        out = np.empty(len(self.v)) if out is None else out
        self._core.forward_dynamics(np.ascontiguousarray(tau, float), out)
        return out

    def position_rates(self) -> "Array":
        """dq/dt that belongs to v."""
        import numpy as np
        out = np.empty(len(self.q))
        self._core.position_rates(out)
        return out

    def energy(self) -> Energy:
        """Kinetic and potential energy, and the power of all that has no potential."""
        return Energy(*self._core.energy())

    def momentum(self) -> "tuple[Array, Array]":
        """Linear momentum, and angular momentum about the origin of ground."""
        import numpy as np
        linear, angular = self._core.momentum()
        return np.array(linear), np.array(angular)

    def frame(self, name: str) -> Frame:
        """Where a frame is and how it moves: "body.frame", "body" or "ground"."""
        import numpy as np
        return Frame(*map(np.array, self._core.frame(name)))

    def jacobian(self, name: str) -> "Array":
        """6 x nv: (angular velocity, velocity of the origin) of a frame is J v."""
        import numpy as np
        out = np.empty((6, len(self.v)))
        self._core.jacobian(name, out)
        return out

    def _coordinates(self) -> "list[tuple[str, str, float, str]]":
        """Name, kind, value and unit of all that makes the state."""
        model = self.model
        parts = (("position", model.positions, self.q), ("velocity", model.velocities, self.v), ("state", model.states, self.s),
                 ("input", model.inputs, self.u))
        return [(name, kind, value, model.units[name]) for kind, names, values in parts
                for name, value in zip(names, values.tolist())]

    def to_pandas(self) -> Any:
        """A pandas.DataFrame of the state: a row for each position, velocity, state and input, with kind, value and unit."""
        pd = optional("pandas", "to_pandas()", "pandas")
        return pd.DataFrame(self._coordinates(), columns=["name", "kind", "value", "unit"]).set_index("name")

    def __reduce__(self) -> "tuple[Any, ...]":
        state = (self.time, *(array.copy() for array in (self.q, self.v, self.s, self.u)))
        return _restore, (self.model, state, self.found)

    def _title(self) -> str:
        return f"Data of {self.model.title or self.model.path!r}"

    def _facts(self) -> "list[tuple[str, Any]]":
        return [("time", self.time), ("positions", len(self.q)), ("velocities", len(self.v)), ("states", len(self.s))]

    def _repr_html_(self) -> str:
        return heading(f"{self._title()}, t = {self.time:g} s") + table(("name", "kind", "value", "unit"), self._coordinates())


def _restore(model: "Model", state: "tuple[Any, ...]", found: "dict[str, Any]") -> Data:
    """Data from its pickle."""
    data = Data(model)
    data.time, data.q[:], data.v[:], data.s[:], u = state
    for name, value in zip(model.inputs, u.tolist()):
        data.set_input(name, value)
    data.found = found
    return data
