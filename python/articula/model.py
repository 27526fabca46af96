# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Machines: read from a file or a text, with their names, parameters and studies."""
import os
from collections.abc import Iterator, MutableMapping
from typing import TYPE_CHECKING, Any, Callable

from . import _articula
from .data import Data
from .names import find
from .run import Run
from .shown import Shown, listed, number, table
from .simulator import Batch, Instances, Simulator
from .studies import Studies

if TYPE_CHECKING:
    from .names import PathName


class Parameters(MutableMapping[str, float]):
    """The parameters of a model by name, in SI units. Setting one changes the model as if it had been loaded with that
    value: data and simulators notice at their next step. Values may have units: "600 mm"."""

    def __init__(self, model: "Model") -> None:
        self._model = model

    def _table(self) -> "dict[str, tuple[str, float, bool]]":
        return {name: (unit, value, is_formula) for name, unit, value, is_formula in self._model._parameters()}

    def __getitem__(self, name: str) -> float:
        value: float = find(self._table(), name, "parameter")[1]
        return value

    def __setitem__(self, name: str, value: "float | str") -> None:
        known = self._table()
        si = _in_si(value, known[name][0] if name in known else "")
        self._model._set_parameter(name, si)
        self._model._settings[name] = si

    def __delitem__(self, name: str) -> None:
        raise TypeError("parameters of a model cannot be taken away")

    def __iter__(self) -> "Iterator[str]":
        return iter(self._table())

    def __len__(self) -> int:
        return len(self._table())

    def __repr__(self) -> str:
        return repr({name: value for name, (_, value, _) in self._table().items()})

    def _repr_html_(self) -> str:
        return table(("parameter", "value", "unit"), [(name, value, unit) for name, (unit, value, _) in self._table().items()])


def _in_si(value: "float | str", unit: str = "") -> float:
    return _articula.quantity(value, unit) if isinstance(value, str) else float(value)


class Model(Shown, Studies, _articula.Model):
    """A machine, compiled: constant but for its parameters, and shared by any number of threads.

    positions, velocities, outputs, inputs, states   names, in the order of the arrays
    units                                            the unit of each of these names
    bodies, joints, forces                           names
    parameters                                       a mapping that may be written
    warnings                                         what is probably not meant; each is a ModelWarning, too
    """

    path: str
    positions: "list[str]"
    velocities: "list[str]"
    outputs: "list[str]"
    states: "list[str]"
    inputs: "list[str]"
    units: "dict[str, str]"
    warnings: "list[str]"

    def __new__(cls, path: str, text: "str | None" = None, parameters: "dict[str, Any] | None" = None,
                locate: "Callable[[str], str] | None" = None) -> "Model":
        given = dict(parameters or {})
        model: Model = super().__new__(cls, path, text, {str(name): _in_si(value) for name, value in given.items()})
        model._check_units(given)
        return model

    def __init__(self, path: str, text: "str | None" = None, parameters: "dict[str, Any] | None" = None,
                 locate: "Callable[[str], str] | None" = None) -> None:
        self.path = path
        self._text = text
        self._settings = {str(name): _in_si(value) for name, value in dict(parameters or {}).items()}
        self._libraries: "list[str]" = []
        self._attached: "list[tuple[str, str, Callable[..., Any]]]" = []
        self.units = {}
        for what in ("positions", "velocities", "outputs", "states"):
            pairs = getattr(self, "_" + what)()
            self.units.update(pairs)
            setattr(self, what, [name for name, _ in pairs])
        self.inputs = [part[0] for part in self._inputs()]
        self.units.update({part[0]: part[1] for part in self._inputs()})
        self._output_number = {name: i for i, name in enumerate(self.outputs)}
        self._reading_number = {name: len(self.outputs) + i for i, (name, _) in enumerate(self._readings())}
        self._reading_number.update(self._output_number)
        self.units = {**dict(self._readings()), **self.units}
        self._input_number = {name: i for i, name in enumerate(self.inputs)}
        self.warnings = [locate(text) if locate else text for text in self._warnings()]
        if self.warnings:
            import warnings

            from .errors import ModelWarning
            for text in self.warnings:
                # the line of the user: load() or read(), and this
                warnings.warn(text, ModelWarning, stacklevel=3)

    def _check_units(self, given: "dict[str, Any]") -> None:
        units = {name: unit for name, unit, _, _ in self._parameters()}
        for name, value in given.items():
            _in_si(value, units.get(name, ""))

    @property
    def bodies(self) -> "list[str]":
        return [part[0] for part in self._bodies()]

    @property
    def joints(self) -> "list[str]":
        return [part[0] for part in self._joints()]

    @property
    def forces(self) -> "list[str]":
        return [part[0] for part in self._forces()]

    @property
    def parameters(self) -> Parameters:
        return Parameters(self)

    def attach_function(self, name: str, function: "Callable[[memoryview], Any]") -> None:
        """Code of a function that the model file names (`function: NAME` of forces and couplings): from the inputs x, which the
        parameters follow, to a number or a sequence of results. A constraint needs NAME and NAME_bias."""
        self._remember("function", name, function)

    def attach_force(self, name: str, function: "Callable[[float, memoryview, memoryview], Any]") -> None:
        """The law of a force `type: callback`: from time, q and v to the joint forces, one for each velocity."""
        self._remember("force", name, function)

    def attach_input(self, name: str, function: "Callable[[float, memoryview, memoryview], float]") -> None:
        """The value of an input that has `every`, from time, q and v just before its instants; it is held from there on."""
        self._remember("input", name, function)

    def _remember(self, kind: str, name: str, function: "Callable[..., Any]") -> None:
        self._attach(kind, name, function)
        self._attached = [part for part in self._attached if part[:2] != (kind, name)] + [(kind, name, function)]

    def attach_library(self, path: "PathName") -> None:
        """Functions that the model file names, from a shared object: `--functions` of the command. It is loaded and called."""
        self._attach_library(os.path.abspath(os.fsdecode(path)))
        self._libraries.append(os.path.abspath(os.fsdecode(path)))

    def data(self) -> Data:
        """The machine at its initial state."""
        return Data(self)

    def run(self, *, study: "str | None" = None, output: "PathName | None" = None, resume: bool = False,
            progress: "bool | Callable[[float, float], Any] | None" = None, **options: Any) -> Run:
        """Motion in time, as `articula run` computes it, to the last bit.

        study     name of the run in the model file; without it the first one
        output    folder for results.csv, scene.arts and certificate.json
        resume    go on with the run that was interrupted in this folder, by Python or by the command; its rows are read
                  back, and q and v of these are not known (nan)
        progress  a bar on a terminal or in a notebook; without it one appears when a run takes over a second; or a
                  function of (time, until), called some twenty times a second, which may raise to stop the run
        options   keys of a run, in the place of the file's: until=10, method="generated", integrator="rk4",
                  step="1 ms", tolerance=1e-6, interval=0.01, at_equilibrium=True, speed=20 ...

        Numbers are in SI units, texts may have units. Ctrl-C raises Interrupted, which has the rows so far and can
        resume; other errors carry the run, too.
        """
        return Run(self, study, options, output, progress, resume)

    def simulator(self, step: float, *, study: "str | None" = None, inner: "float | str | None" = None,
                  **options: Any) -> Simulator:
        """The machine for a control loop: sim.input["steer"] = 0.02; sim.step(10); sim.q, sim.sensor["gyro"].

        step     s, of one sim.step(); every step ends exactly there
        inner    fixed or first step of the integrator, where it is not `step`
        options  keys of a run: method="generated", integrator="rk4", tolerance=1e-6, at_equilibrium=True ...
        """
        return Simulator(self, study, options, step, inner)

    def batch(self, n: int, step: float = 1e-3, *, study: "str | None" = None, inner: "float | str | None" = None,
              threads: int = 0, **options: Any) -> Batch:
        """n machines that are stepped together: many.q[:, 3] += noise; many.step(u, 10). threads 0: all cores."""
        return Batch(self, n, study, options, step, inner, threads)

    def instances(self, n: int, *, device: str = "cpu", fallback: bool = False, threads: int = 0, share: bool = False,
                  own: "list[str] | None" = None, precision: str = "double", corners: bool = False, study: "str | None" = None, **options: Any) -> Instances:
        """n instances by kernels on a device, "cpu" or "gpu": many["velocities"] = v; many.step(1e-3, 100); many["outputs"].

        fallback  on the CPU where a GPU cannot be used; many.reason says why
        share     all share the parameters, which takes less memory
        own       names of the parameters that instances have of their own, which takes less time on a GPU; None: all
        precision of the equations of motion: "double", "float", "mixed" with loops in double; many.rounding() says what it costs
        corners   steps end where laws, stops and formulas have corners, as runs do; else they go across
        """
        return Instances(self, n, study, options, device, fallback, threads, share, own, precision, corners)

    def __reduce__(self) -> "tuple[Any, ...]":
        """Pickles hold the text of the file and what was set and attached since; files that it includes stay where they are."""
        text = self._text
        if text is None and self.path.endswith((".yaml", ".yml", ".json")):
            with open(self.path, encoding="utf-8") as file:
                text = file.read()
        return _restore, (self.path, text, self._text is None, self._settings, self.hash, self._libraries, self._attached)

    def _title(self) -> str:
        return f"Model {self.title or self.path!r}"

    def __repr__(self) -> str:
        n = self.counts
        return (f"<articula.Model {self.title or self.path!r}: {n['bodies']} bodies, {n['joints']} joints, "
                f"{n['nv']} velocities, {n['loops']} loops>")

    def _facts(self) -> "list[tuple[str, Any]]":
        joints = [f"{name} ({kind}{', closes a loop' if is_cut else ''})" for name, kind, is_cut in self._joints()]
        parameters = [f"{name} = {number(value)} {unit}".strip() for name, unit, value, _ in self._parameters()]
        facts = [("file", self.path), ("bodies", listed(self.bodies)), ("joints", listed(joints)),
                 ("forces", listed(self.forces)), ("coordinates", listed(self.positions)), ("inputs", listed(self.inputs)),
                 ("parameters", listed(parameters)), ("outputs", listed(self.outputs)), ("warnings", listed(self.warnings))]
        return [(name, text) for name, text in facts if text]

    def page(self, path: "PathName", *, step: "float | str | None" = None) -> None:
        """The live machine as a page that stands alone: it moves, and its parameters and inputs have sliders. Needs clang with the C
        library for WebAssembly."""
        self._command("export", {"live": os.path.abspath(os.fsdecode(path)), "step": step})

    def show(self, *, sliders: "list[str] | None" = None, height: int = 480, step: "float | str | None" = None) -> Any:
        """The live machine: in a notebook as one HTML output, else a page in the browser.

        sliders  parameters and inputs that have sliders next to the scene; without it the whole viewer is shown
        step     s, of the integration on the page
        """
        from .viewer import show_machine
        return show_machine(self, sliders, height, step)


def _restore(path: str, text: "str | None", is_file: bool, settings: "dict[str, float]", hash: int, libraries: "list[str]",
             attached: "list[tuple[str, str, Callable[..., Any]]]") -> Model:
    """A model from its pickle: from its file while that is as it was, else from the text."""
    import warnings

    from .errors import FileError
    if is_file and os.path.exists(path):
        with open(path, encoding="utf-8", errors="replace") as file:
            is_same = text is None or file.read() == text
    else:
        is_same = False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = Model(path, None if is_file and (is_same or text is None) else text, settings)
    if model.hash != hash:
        raise FileError(f"the pickle of {path!r} does not give the same model: it or a file that it includes has changed since")
    for library in libraries:
        model.attach_library(library)
    for kind, name, function in attached:
        model._remember(kind, name, function)
    return model


def load(path: "PathName", parameters: "dict[str, Any] | None" = None) -> Model:
    """Read a model file. Parameters take the place of the file's own, in SI units or as texts with units; names with a
    dot are initial values ("pin.angle")."""
    return Model(os.fsdecode(path), None, parameters)


def read(text: str, name: str = "model.yaml") -> Model:
    """Read a model from a text; `name` stands for the file in messages and anchors relative includes."""
    return Model(name, text)
