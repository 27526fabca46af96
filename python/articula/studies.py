# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Studies of a machine besides its motion, by the names of the command's verbs."""
import contextlib
import os
import re
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, NamedTuple, Sequence

from . import _articula
from .calls import command
from .errors import Error, Interrupted, make, make_from
from .names import find, match
from .progress import Bar
from .shown import Report, Shown, listed, number, optional, table

if TYPE_CHECKING:
    from .data import Data
    from .names import Array, PathName


class Table:
    """Columns with names and units: table["frequency"]; `values` has all of them, by rows."""

    def __init__(self, names: "list[str]", units: "list[str]", values: Any) -> None:
        import numpy as np
        self.names, self.units = names, dict(zip(names, units))
        self.values = np.asarray(values)

    def __getitem__(self, name: str) -> "Array":
        column: "Array" = self.values[:, find({name: i for i, name in enumerate(self.names)}, name, "column")]
        return column

    def __len__(self) -> int:
        return len(self.values)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame of the columns, without a copy; their units are in attrs["units"]."""
        pd = optional("pandas", "to_pandas()", "pandas")
        frame = pd.DataFrame(self.values, columns=self.names, copy=False)
        frame.attrs["units"] = self.units
        return frame

    def to_xarray(self) -> Any:
        """An xarray.Dataset of the columns over the first one."""
        xr = optional("xarray", "to_xarray()", "xarray")
        first, *others = [(name, (self.names[0], self[name], {"units": self.units[name]})) for name in self.names]
        return xr.Dataset(dict(others), dict([first]))

    def __repr__(self) -> str:
        return f"<articula.Table: {len(self)} rows of {listed(self.names)}>"

    def _repr_html_(self) -> str:
        return table([f"{name} [{self.units[name]}]" if self.units[name] else name for name in self.names], self.values.tolist())


class Linear(Shown):
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

    def __iter__(self) -> "Iterator[Array]":
        return iter((self.A, self.B, self.C, self.D))

    def _modes(self) -> "list[tuple[float, float, float, float, str]]":
        """Real and imaginary part, frequency, damping, and the coordinate that has most of the energy, of one of each pair."""
        chosen = [i for i, value in enumerate(self.eigenvalues) if value.imag >= 0]
        return [(float(self.eigenvalues[i].real), float(self.eigenvalues[i].imag), float(self.frequency[i]), float(self.damping[i]),
                 self.all_coordinates[int(self.share[i].argmax())] if self.share.size else "") for i in chosen]

    def frequency_response(self, frequency: "Any") -> "Array":
        """H[f, output, input] = C (j w - A)^-1 B + D with w = 2 pi f, for frequencies f in Hz."""
        import numpy as np
        w = 2j * np.pi * np.asarray(frequency, float).reshape(-1, 1, 1)
        response: "Array" = self.C @ np.linalg.solve(w * np.eye(len(self.A)) - self.A, np.broadcast_to(self.B, (len(w), *self.B.shape))) + self.D
        return response

    def to_pandas(self) -> Any:
        """A pandas.DataFrame of the modes, a row for each pair of eigenvalues."""
        pd = optional("pandas", "to_pandas()", "pandas")
        return pd.DataFrame(self._modes(), columns=["real", "imaginary", "frequency", "damping", "coordinate"])

    def to_xarray(self) -> Any:
        """An xarray.Dataset with A, B, C, D, eigenvalues and modes; inputs and outputs by name."""
        xr = optional("xarray", "to_xarray()", "xarray")
        model = self.data.model
        variables: "dict[str, Any]" = {"A": (("rate", "state"), self.A), "B": (("rate", "input"), self.B), "C": (("output", "state"), self.C),
                     "D": (("output", "input"), self.D), "eigenvalues": ("mode", self.eigenvalues),
                     "frequency": ("mode", self.frequency, {"units": "Hz"}), "damping": ("mode", self.damping),
                     "modes": (("mode", "coordinate"), self.modes), "share": (("mode", "coordinate"), self.share)}
        return xr.Dataset(variables, {"input": model.inputs, "output": model.outputs, "coordinate": self.all_coordinates})

    def _facts(self) -> "list[tuple[str, Any]]":
        return [("states", len(self.A)), ("inputs", self.B.shape[1]), ("outputs", len(self.C)),
                ("frequencies", listed([f"{frequency:.4g} Hz" for _, imaginary, frequency, *_ in self._modes() if imaginary > 0]) or "none")]

    def _repr_html_(self) -> str:
        return table(("real [1/s]", "imaginary [1/s]", "frequency [Hz]", "damping", "mostly"), self._modes())


class Trial(NamedTuple):
    """A method at work, as a line of `articula compare`.

    difference    how far coordinates are from the first line at the worst instant, m or rad
    within_limit  is that within the limit? Steps of natural coordinates were refined to get there
    verdict       good, doubtful or failed
    error         why it ended early, or None
    figures       all that the command says of it: steps, evaluations, residuals, energy_error ...
    """
    method: str
    algebra: "str | None"
    difference: float
    within_limit: bool
    wall_time: float
    verdict: str
    error: "Error | None"
    figures: "dict[str, Any]"


def _trial(line: "dict[str, Any]") -> Trial:
    difference = line.get("difference")
    return Trial(line["method"], line.get("algebra"), float("nan") if difference is None else difference, line["within_limit"],
                 line["wall_time"], line["verdict"], make_from(line["error"]) if line.get("error") else None, line)


class Comparison(list[Trial]):
    """Lines of compare(), a list of Trial; in notebooks a table."""

    def __repr__(self) -> str:
        return f"<articula.Comparison: {listed([f'{trial.method} {trial.difference:.1e}' for trial in self])}>"

    def _repr_html_(self) -> str:
        return table(("method", "algebra", "difference", "time [s]", "verdict"),
                     [(t.method, t.algebra or "", t.difference, t.wall_time, str(t.error) if t.error else t.verdict) for t in self])


class Sweep(Shown):
    """A run for each case. parameters[case, name], results[case, wanted], by name as sweep["max:yaw_rate"] and
    sweep["speed"]; verdict of each case: "good", "doubtful", "failed", or "" where it was not done; text says why."""

    def __init__(self, names: "list[str]", parameters: "Array", wanted: "list[str]", found: "tuple[Any, ...]") -> None:
        import numpy as np
        values, verdict, self.text, self.is_finished = found
        self.names, self.wanted = names, wanted
        self.parameters, self.results = parameters, np.asarray(values)
        words = ("good", "doubtful", "failed")
        self.verdict = [words[int(v)] if v == v else "" for v in np.asarray(verdict)]

    def __len__(self) -> int:
        return len(self.parameters)

    def __getitem__(self, name: str) -> "Array":
        column: "Array"
        if name in self.names:
            column = self.parameters[:, self.names.index(name)]
        else:
            column = self.results[:, find({word: i for i, word in enumerate(self.wanted)}, name, "result")]
        return column

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with a row for each case: parameters, results, verdict."""
        pd = optional("pandas", "to_pandas()", "pandas")
        frame = pd.DataFrame(self.parameters, columns=self.names)
        return frame.assign(**{name: self[name] for name in self.wanted}, verdict=self.verdict)

    def _grid(self) -> "list[Array] | None":
        """Values of each parameter, where the cases are all their combinations, the last parameter running fastest."""
        import itertools

        import numpy as np
        axes = [np.unique(column) if len(column) else column for column in self.parameters.T]
        axes = [axis if column[0] <= column[-1] else axis[::-1] for axis, column in zip(axes, self.parameters.T)]
        full = np.array(list(itertools.product(*axes)), float) if np.prod([len(axis) for axis in axes]) == len(self) else None
        return axes if full is not None and np.array_equal(full, self.parameters) else None

    def to_xarray(self) -> Any:
        """An xarray.Dataset of results and verdicts: over the parameters where all combinations were run, else over the cases."""
        import numpy as np
        xr = optional("xarray", "to_xarray()", "xarray")
        axes = self._grid() if len(self) else None
        if axes is None:
            columns = {name: self[name] for name in (*self.names, *self.wanted)}
            return xr.Dataset({name: ("case", column) for name, column in {**columns, "verdict": np.array(self.verdict)}.items()})
        shape = tuple(len(axis) for axis in axes)
        variables: "dict[str, Any]" = {name: (self.names, self[name].reshape(shape)) for name in self.wanted}
        variables["verdict"] = (self.names, np.array(self.verdict).reshape(shape))
        return xr.Dataset(variables, dict(zip(self.names, axes)))

    def _facts(self) -> "list[tuple[str, Any]]":
        verdicts = [f"{self.verdict.count(word)} {word or 'not done'}" for word in dict.fromkeys(self.verdict)]
        return [("cases", len(self)), ("parameters", listed(self.names)), ("results", listed(self.wanted)), ("verdicts", ", ".join(verdicts))]

    def _repr_html_(self) -> str:
        rows = [[*(number(x) for x in (*case, *values)), verdict]
                for case, values, verdict in zip(self.parameters.tolist(), self.results.tolist(), self.verdict)]
        return table([*self.names, *self.wanted, "verdict"], rows)


_DIGESTS = ("final", "min", "max", "mean", "rms")
_ENDINGS = {"c": ".c", "fortran": ".f90", "matlab": ".m", "java": ".java", "python": ".py"}


def _read_columns(path: str) -> "tuple[list[str], list[list[str]]]":
    """Names without units and rows of a table that the command has written; none where there is no file."""
    if not os.path.exists(path):
        return [], []
    import csv
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return [name.split(" [")[0] for name in rows[0]], rows[1:]


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

    def inverse(self, times: "Iterable[float]", *, study: "str | None" = None, **options: Any) -> "Array":
        """Joint forces tau[time, velocity] that the motion of an inverse study takes, in addition to all forces of the model."""
        import numpy as np
        data = self.data()  # type: ignore[attr-defined]
        times = np.asarray(list(times), float)
        tau = np.empty((len(times), len(data.v)))
        for row, t in zip(tau, times):
            _articula.inverse(data._core, study, options, t, row)
        return tau

    def assemble(self) -> "Data":
        """Data with closed loops; data.found says what came of it."""
        data: "Data" = self.data()  # type: ignore[attr-defined]
        data.found = data.assemble()
        return data

    @contextlib.contextmanager
    def _files(self) -> "Iterator[tuple[str, dict[str, Any]]]":
        """The model as the command takes it: its file, and options for parameters and libraries. A text gets a file for now,
        in the folder that its includes are in where it has any."""
        options = {"set": self._settings, "functions": self._libraries}  # type: ignore[attr-defined]
        text = self._text  # type: ignore[attr-defined]
        if text is None:
            yield self.path, options
            return
        import tempfile
        folder = os.path.dirname(os.path.abspath(self.path)) if re.search(r'\bfile"?\s*:', text) else None
        with tempfile.NamedTemporaryFile("w", suffix=".yaml", dir=folder, encoding="utf-8") as file:
            file.write(text)
            file.flush()
            yield file.name, options

    def _command(self, verb: str, options: "dict[str, Any]") -> Report:
        with self._files() as (path, own):
            return command(verb, path, **{**own, **options})

    def info(self) -> Report:
        """The model in short, as `articula info --json` says it."""
        return self._command("info", {})

    def schedule(self, **options: Any) -> Report:
        """Operations of the generated equations on many units: schedule(units="mul=4,add=4", output="schedule.svg")."""
        return self._command("schedule", options)

    def split(self, **options: Any) -> Report:
        """Equations dealt out to tasks side by side: split(tasks=4, output="split.json")."""
        return self._command("split", options)

    def export(self, **options: Any) -> Report:
        """The machine as a file for other programs, by the options of the command: export(fmu="car.fmu")."""
        return self._command("export", options)

    def compare(self, *, methods: "Sequence[str] | None" = None, study: "str | None" = None, **options: Any) -> Comparison:
        """Every method that suits the machine, side by side at the same instants: compare(until=1, limit=1e-3). Steps of natural
        coordinates are refined until they differ by no more than the limit. `methods` chooses among the lines."""
        report = self._command("compare", {"study": study, **options})
        trials = [_trial(line) for line in report["methods"]]
        known = {trial.method: 0 for trial in trials}
        for method in methods or ():
            find(known, method, "method that suits this machine,")
        return Comparison(trial for trial in trials if methods is None or trial.method in methods)

    def sweep(self, vary: "dict[str, Sequence[float]]", results: "Sequence[str]" = ("final:*",), *, cases: "Array | None" = None,
              samples: int = 0, seed: int = 1, threads: int = 0, study: "str | None" = None,
              output: "PathName | None" = None, resume: bool = False,
              progress: "bool | Callable[[float, float], Any] | None" = None, **options: Any) -> Sweep:
        """A run for each of many cases, which read the model file anew, with its parameters as they are now.

        vary      values of each parameter; all combinations are run, the last parameter running fastest
        samples   so many random cases instead, between the least and the largest value of each: a Latin hypercube
        cases     or a row of values for each case, in the order of `vary`, whose values are of no account then
        results   "FUNCTION:OUTPUT" with final, min, max, mean or rms; outputs may have wildcards
        threads   0: all cores; results depend neither on their number nor on other cases
        output    folder for the table and a journal, as the command leaves them; resume=True runs the cases that are left
        progress  a bar, or a function of (cases done, cases) that may raise to stop the sweep

        Ctrl-C leaves the cases that were done: is_finished is False.
        """
        import itertools

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
        wanted = self._wanted(results)
        if output is not None:
            found = self._sweep_files(names, cases, wanted, os.fsdecode(output),
                                      {"study": study, "threads": threads or None, "resume": resume, **options})
            return Sweep(names, cases, wanted, found)
        if resume:
            raise ValueError("a sweep is resumed in a folder: give output=FOLDER, too")
        number = self._output_number  # type: ignore[attr-defined]
        pairs = [(_DIGESTS.index(digest), number[name]) for digest, _, name in (word.partition(":") for word in wanted)]
        bar = Bar(progress)
        try:
            with self._files() as (path, own):
                fixed = {name: value for name, value in own["set"].items() if name not in names}
                found = _articula.sweep(self, os.fsencode(path), study, options, names, cases, pairs, threads, bar.show, fixed,
                                        [os.fsencode(library) for library in own["functions"]])
        finally:
            bar.end()
        return Sweep(names, cases, wanted, found)

    def _wanted(self, results: "Sequence[str]") -> "list[str]":
        wanted: "list[str]" = []
        for word in results:
            digest, _, pattern = word.partition(":")
            if digest not in _DIGESTS:
                raise ValueError(f"there is no function {digest!r}; results are FUNCTION:OUTPUT with {', '.join(_DIGESTS)}")
            wanted += [f"{digest}:{name}" for name in match(self._output_number, (pattern,), "output")]  # type: ignore[attr-defined]
        return wanted

    def _sweep_files(self, names: "list[str]", cases: "Array", wanted: "list[str]", folder: str,
                     options: "dict[str, Any]") -> "tuple[Any, ...]":
        """By the command, which keeps a journal; its table is read back."""
        import csv
        import tempfile

        import numpy as np
        with tempfile.NamedTemporaryFile("w", suffix=".csv", encoding="utf-8", newline="") as table:
            writer = csv.writer(table)
            writer.writerow(names)
            writer.writerows([repr(value) for value in row] for row in cases.tolist())
            table.flush()
            is_finished = True
            try:
                fixed = {name: value for name, value in self._settings.items() if name not in names}  # type: ignore[attr-defined]
                self._command("sweep", {"cases": table.name, "result": wanted, "output": folder, "set": fixed, **options})
            except Interrupted:
                is_finished = False
        values, verdict = np.full((len(cases), len(wanted)), np.nan), np.full(len(cases), np.nan)
        text: "list[str | None]" = [None] * len(cases)
        columns, rows = _read_columns(os.path.join(folder, "results.csv"))
        for row in rows:
            case = int(row[0]) - 1
            values[case] = [float(row[columns.index(word)]) for word in wanted]
            verdict[case] = float(row[columns.index("verdict")])
        for file in ("failures.csv", "doubts.csv"):
            for number, message, *_ in _read_columns(os.path.join(folder, file))[1]:
                text[int(number) - 1] = message
        return values, verdict, text, is_finished

    def generate(self, language: str = "c", name: str = "machine", *, folder: "PathName" = ".",
                 forms: "Sequence[str]" = (), **options: Any) -> str:
        """Write the equations of motion as source text: `name` with the ending of the language, whose path is returned. Without
        forms, the cheapest equations that give accelerations. Options are the options of the command: header=True,
        product="simulator", freeze=["mass"], minimal=True, parallel="threads", tasks=4, lanes="auto", readable=True ..."""
        if language not in _ENDINGS:
            raise ValueError(f"there is no language {language!r}; {', '.join(_ENDINGS)} are")
        path = os.path.join(os.fsdecode(folder), name + _ENDINGS[language])
        report = self._command("generate", {"language": language, "name": name, "output": path, "forms": list(forms) or None, **options})
        return str(report["written"][0]) if report.get("written") else path

    def check(self) -> Report:
        """How the machine is understood: sizes, joints with those that close loops, degrees of freedom, redundant rows."""
        found = self.assemble().found
        joints = self._joints()  # type: ignore[attr-defined]
        return Report({"title": self.title, "counts": self.counts, "methods": self.methods(),  # type: ignore[attr-defined]
                "joints": {name: kind for name, kind, _ in joints}, "cuts": [name for name, _, cut in joints if cut], **found})


def bench(name: "PathName | None" = None, **options: Any) -> Report:
    """Published problems of models/benchmarks, or the one that is named, by every method against their references."""
    return command("bench", *([] if name is None else [name]), **options)


def convert(path: "PathName", output: "PathName", **options: Any) -> Report:
    """A model of another program (URDF, MJCF, SDF, Robotran) as a model file: `articula import`, whose name Python keeps for
    itself. Says what was left out. load() reads such files directly."""
    return command("import", path, output=output, **options)


def check(path: "PathName") -> "list[Error]":
    """All mistakes of a model file, with their places; none of a good one."""
    return [make(status, text) for status, text in _articula.mistakes(os.fsdecode(path))]
