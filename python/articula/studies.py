# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""What one asks of a machine beside its motion, by the names of the command's verbs."""
import itertools
import os
from typing import TYPE_CHECKING, Any, Iterable, NamedTuple, Sequence

from . import _articula
from .errors import Error, make
from .names import match
from .progress import Bar

if TYPE_CHECKING:
    from numpy import ndarray

    from .data import Data
    from .run import Run


class Table:
    """Columns with names and units: table["frequency"]; `values` has all of them, by rows."""

    def __init__(self, names: "list[str]", units: "list[str]", values: Any) -> None:
        import numpy as np
        self.names, self.units = names, dict(zip(names, units))
        self.values = np.asarray(values)

    def __getitem__(self, name: str) -> "ndarray":
        from .names import find
        return self.values[:, find({name: i for i, name in enumerate(self.names)}, name, "column")]

    def __len__(self) -> int:
        return len(self.values)

    def to_pandas(self) -> Any:
        import pandas as pd
        return pd.DataFrame(self.values, columns=self.names, copy=False)


class Linear:
    """dx/dt = A x + B u,  y = C x + D u  about a state, with x = (dq, dv, states) of the free coordinates;
    M d2q/dt2 + damping_matrix dq/dt + K dq = 0. Unpacks as  A, B, C, D = model.linear().

    eigenvalues   of A, sorted by modulus
    frequency     |lambda| / 2 pi in Hz; 0 for real ones
    damping       -Re lambda / |lambda|
    modes         rows: displacements of all_coordinates, largest component 1
    share         rows: share of each coordinate in the kinetic energy of the mode
    data          the data block that holds the state
    """

    def __init__(self, found: "dict[str, Any]", data: "Data") -> None:
        import numpy as np
        array = {name: np.asarray(value) for name, value in found.items() if "coordinates" not in name}
        self.coordinates: "list[str]" = found["coordinates"]
        self.all_coordinates: "list[str]" = found["all_coordinates"]
        self.A, self.B, self.C, self.D = array["A"], array["B"], array["Cy"], array["Dy"]
        self.M, self.damping_matrix, self.K = array["M"], array["C"], array["K"]
        self.eigenvalues = array["real"] + 1j * array["imaginary"]
        self.frequency, self.damping = array["frequency"], array["damping"]
        self.modes = array["mode_real"] + 1j * array["mode_imaginary"]
        self.share = array["share"]
        self.data = data

    def __iter__(self) -> Any:
        return iter((self.A, self.B, self.C, self.D))


class Trial(NamedTuple):
    """A method at work: its run (or the error that ended it), and how far its coordinates are from those of the first
    method, m or rad."""
    method: str
    run: "Run | None"
    error: "Error | None"
    difference: float
    wall_time: float


class Sweep:
    """A run for each case. parameters[case, name], results[case, wanted], by name as sweep["max:yaw_rate"] and
    sweep["speed"]; verdict of each case: "good", "doubtful", "failed", or "" where it was not done; text says why."""

    def __init__(self, names: "list[str]", parameters: "ndarray", wanted: "list[str]", found: tuple) -> None:
        import numpy as np
        values, verdict, self.text, self.is_finished = found
        self.names, self.wanted = names, wanted
        self.parameters, self.results = parameters, np.asarray(values)
        words = ("good", "doubtful", "failed")
        self.verdict = [words[int(v)] if v == v else "" for v in np.asarray(verdict)]

    def __len__(self) -> int:
        return len(self.parameters)

    def __getitem__(self, name: str) -> "ndarray":
        if name in self.names:
            return self.parameters[:, self.names.index(name)]
        from .names import find
        return self.results[:, find({word: i for i, word in enumerate(self.wanted)}, name, "result")]

    def to_pandas(self) -> Any:
        import pandas as pd
        frame = pd.DataFrame(self.parameters, columns=self.names)
        return frame.assign(**{name: self[name] for name in self.wanted}, verdict=self.verdict)


_DIGESTS = ("final", "min", "max", "mean", "rms")
FORMS = ("inverse", "mass", "forward-ldl", "forward-n", "kinematics", "energy", "reactions", "regressor", "constraints",
         "accelerate", "augmented", "linear", "outputs", "power", "machine-inverse", "implicit")
_ENDINGS = {"c": ".c", "fortran": ".f90", "matlab": ".m", "java": ".java", "python": ".py"}


class Studies:
    """The verbs of the command as methods of a model."""

    path: str

    def methods(self) -> "list[str]":
        """Methods that suit this machine, in the order in which compare() tries them."""
        return _articula.methods(self)

    def equil(self, *, study: "str | None" = None, data: "Data | None" = None, **options: Any) -> "Data":
        """Static equilibrium M(q) 0 + h(q, 0) = f, the stable one below the initial state, or steady motion with speed=20;
        nearest=True takes the nearest one. Returns data there; data.found says what came of it."""
        data = self.data() if data is None else data  # type: ignore[attr-defined]
        data.found = _articula.equil(data._core, study, options)
        return data

    def linear(self, *, study: "str | None" = None, data: "Data | None" = None, **options: Any) -> Linear:
        """A, B, C, D = model.linear(at_equilibrium=True, speed=20): linearised about the initial state, an equilibrium, or
        the state in `data`."""
        data = self.data() if data is None else data  # type: ignore[attr-defined]
        return Linear(_articula.linear(data._core, study, options), data)

    def response(self, *, study: "str | None" = None, **options: Any) -> "tuple[Table, Table]":
        """Response of the outputs to the road, H(jw) = C (jw - A)^-1 (B0 + jw B1) + D0 + jw D1: magnitudes and phases over
        frequency, and the peaks (number of the output, frequency, magnitude)."""
        table, peaks = _articula.response(self.data()._core, study, options)  # type: ignore[attr-defined]
        return Table(*table), Table(*peaks)

    def kinematics(self, *, study: "str | None" = None, **options: Any) -> Table:
        """Wheels of an axle through their travel: toe, camber, scrub, load, rate ..."""
        return Table(*_articula.kinematics(self.data()._core, study, options))  # type: ignore[attr-defined]

    def inverse(self, times: "Iterable[float]", *, study: "str | None" = None, **options: Any) -> "ndarray":
        """Joint forces tau[time, velocity] that the motion of an inverse study takes, beside all forces of the model."""
        import numpy as np
        data = self.data()  # type: ignore[attr-defined]
        times = np.asarray(list(times), float)
        tau = np.empty((len(times), len(data.v)))
        for row, t in zip(tau, times):
            _articula.inverse(data._core, study, options, t, row)
        return tau

    def assemble(self) -> "Data":
        """Data with closed loops; data.found says what came of it."""
        data = self.data()  # type: ignore[attr-defined]
        data.found = data.assemble()
        return data

    def compare(self, *, methods: "Sequence[str] | None" = None, study: "str | None" = None, **options: Any) -> "list[Trial]":
        """Every method that suits the machine, side by side at the same instants."""
        import numpy as np
        trials: "list[Trial]" = []
        first = None
        for method in self.methods() if methods is None else methods:
            try:
                run = self.run(study=study, **{**options, "method": method})  # type: ignore[attr-defined]
                if first is None:
                    first = run
                    steps = np.diff(run.time)
                    is_even = len(steps) > 0 and np.allclose(steps, steps[0])
                    if "interval" not in options and not is_even:
                        options = {**options, "interval": (run.time[-1] - run.time[0]) / 100}
                        first = run = self.run(study=study, **{**options, "method": method})  # type: ignore[attr-defined]
                    options = {"interval": run.time[1] - run.time[0], **options} if len(steps) else options
                n = min(len(first), len(run))
                difference = float(np.abs(run.q[:n] - first.q[:n]).max(initial=0))
                trials.append(Trial(method, run, None, difference, run.certificate["wall_clock"]["total"]))
            except Error as error:
                trials.append(Trial(method, None, error, float("nan"), float("nan")))
        return trials

    def sweep(self, vary: "dict[str, Sequence[float]]", results: "Sequence[str]" = ("final:*",), *, cases: "ndarray | None" = None,
              samples: int = 0, seed: int = 1, threads: int = 0, study: "str | None" = None, progress: "bool | None" = None,
              **options: Any) -> Sweep:
        """A run for each of many cases, which read the model file anew.

        vary      values of each parameter; all combinations are run, the last parameter running fastest
        samples   so many random cases instead, between the least and the largest value of each: a Latin hypercube
        cases     or a row of values for each case, in the order of `vary`, whose values are of no account then
        results   "FUNCTION:OUTPUT" with final, min, max, mean or rms; outputs may have wildcards
        threads   0: all processors; results depend neither on their number nor on other cases

        Ctrl-C leaves the cases that were done: is_finished is False.
        """
        import numpy as np
        names = list(vary)
        if cases is None and samples:
            rng = np.random.default_rng(seed)
            columns = [(rng.permutation(samples) + rng.random(samples)) / samples for _ in names]
            cases = np.column_stack([np.min(vary[n]) + np.ptp(vary[n]) * c for n, c in zip(names, columns)])
        elif cases is None:
            cases = np.array(list(itertools.product(*vary.values())), float)
        cases = np.ascontiguousarray(cases, float)
        if cases.ndim != 2 or cases.shape[1] != len(names):
            raise ValueError(f"cases have the shape {cases.shape}, expected a column for each of {names}")
        wanted: "list[str]" = []
        for word in results:
            digest, _, pattern = word.partition(":")
            if digest not in _DIGESTS:
                raise ValueError(f"there is no function {digest!r}; results are FUNCTION:OUTPUT with {', '.join(_DIGESTS)}")
            wanted += [f"{digest}:{name}" for name in match(self._output_number, (pattern,), "output")]  # type: ignore[attr-defined]
        pairs = [(_DIGESTS.index(word.partition(":")[0]), self._output_number[word.partition(":")[2]])  # type: ignore[attr-defined]
                 for word in wanted]
        bar = Bar(progress)
        try:
            found = _articula.sweep(self, self.path, study, options, names, cases, pairs, threads, bar.show)
        finally:
            bar.end()
        return Sweep(names, cases, wanted, found)

    def generate(self, language: str = "c", name: str = "machine", *, folder: "str | os.PathLike" = ".",
                 forms: "Sequence[str]" = (), header: bool = False) -> str:
        """Write the equations of motion as source text: `name` with the ending of the language. Without forms, the
        cheapest equations that give accelerations. Returns the path; with header=True a C header stands beside it."""
        bits = 0
        for form in forms:
            if form not in FORMS:
                raise ValueError(f"there is no form {form!r}; forms are {', '.join(FORMS)}")
            bits |= 1 << FORMS.index(form)
        stem = os.path.join(os.fspath(folder), name)
        path = stem + _ENDINGS.get(language, "")
        _articula.generate(self.data()._core, language, bits, path, stem + ".h" if header else None)  # type: ignore[attr-defined]
        return path

    def check(self) -> "dict[str, Any]":
        """How the machine is understood: sizes, joints with those that close loops, degrees of freedom, redundant rows."""
        found = self.assemble().found
        joints = self._joints()  # type: ignore[attr-defined]
        return {"title": self.title, "counts": self.counts, "methods": self.methods(),  # type: ignore[attr-defined]
                "joints": {name: kind for name, kind, _ in joints}, "cuts": [name for name, _, cut in joints if cut], **found}


def check(path: "str | os.PathLike") -> "list[Error]":
    """All mistakes of a model file, with their places; none of a good one."""
    return [make(status, text) for status, text in _articula.mistakes(os.fspath(path))]
