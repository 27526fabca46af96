# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""A run and its results."""
import os
from typing import TYPE_CHECKING, Any, Callable, Sequence

from . import _articula
from .calls import command
from .errors import Error, Interrupted
from .names import find, match
from .progress import Bar
from .shown import Certificate, Shown, optional

if TYPE_CHECKING:
    from .model import Model
    from .names import Array, PathName


class Run(Shown):
    """Rows of a motion: `time`, and the outputs of the model by name, run["yaw_rate"].

    `table` has a row for each instant: time, then all outputs in the order of `names`; `q` and `v` are positions and
    velocities of the rows. All arrays are views of the same memory.
    `certificate` says how far the run can be trusted, as certificate.json of the command does.
    """

    table: "Array"
    q: "Array"
    v: "Array"
    _is_over: bool

    def __init__(self, model: "Model", study: "str | None", options: "dict[str, Any]",
                 output: "PathName | None" = None, progress: "bool | Callable[[float, float], Any] | None" = None,
                 is_resumed: bool = False) -> None:
        self.model = model
        self._bar = Bar(progress)
        folder = None if output is None else os.fsdecode(output)
        if is_resumed and folder is None:
            raise ValueError("a run is resumed in a folder: give output=FOLDER, too")
        self._core: "_articula.Run | None" = _articula.Run(model, study, options, os.fsencode(model.path),
                                   None if folder is None else os.fsencode(folder), self._bar.show, is_resumed)
        self._certificate: "Certificate | None" = None
        self._call = (study, options)
        self._folder = folder
        self._revision = model.revision
        self.resume()

    def resume(self) -> "Run":
        """Go on to the end, after Ctrl-C; nothing is computed twice."""
        import numpy as np
        if self._core is None:
            if self.is_finished:
                return self
            raise RuntimeError("a run from a pickle cannot go on: run the model again, or resume it in its folder")
        try:
            self._core.advance()
        except KeyboardInterrupt as stop:
            raise self._with_run(Interrupted(*stop.args)) from None
        except Error as error:
            raise self._with_run(error)
        finally:
            self._bar.end()
            self._certificate = None
            self._take(np.asarray(self._core.table()))
        return self

    def _take(self, rows: "Array") -> None:
        outputs, positions = 1 + len(self.names), len(self.model.positions)
        self.table, self.q, self.v = (rows[:, :outputs], rows[:, outputs:outputs + positions],
                                      rows[:, outputs + positions:])

    def _with_run(self, error: Any) -> Any:
        error.run = self
        return error

    @property
    def is_finished(self) -> bool:
        return self._is_over if self._core is None else self._core.is_over

    @property
    def names(self) -> "list[str]":
        """Names of the outputs."""
        return self.model.outputs

    @property
    def units(self) -> "dict[str, str]":
        return self.model.units

    @property
    def time(self) -> "Array":
        """s, of the rows"""
        return self.table[:, 0]

    def __getitem__(self, name: str) -> "Array":
        if name == "time" and "time" not in self.model._output_number:
            return self.time
        return self.table[:, 1 + find(self.model._output_number, name, "output")]

    def __contains__(self, name: str) -> bool:
        return name in self.model._output_number

    def __len__(self) -> int:
        return len(self.table)

    @property
    def certificate(self) -> Certificate:
        """The model, the method and the accuracy of the run: "verdict" is good, doubtful or failed, with "reasons"."""
        if self._certificate is None:
            assert self._core is not None
            import json
            self._certificate = Certificate(json.loads(self._core.certificate()))
        return self._certificate

    def select(self, *patterns: str) -> "dict[str, Array]":
        """Outputs by name or pattern: select("yaw_rate", "load_*")."""
        return {name: self[name] for name in match(self.model._output_number, patterns or ("*",), "output")}

    def to_dict(self) -> "dict[str, Array]":
        """Time and all outputs by name."""
        return {"time": self.time, **self.select()}

    def to_pandas(self) -> Any:
        """A pandas.DataFrame of all outputs over time, without a copy; its units are in attrs["units"]."""
        pd = optional("pandas", "to_pandas()", "pandas")
        frame = pd.DataFrame(self.table[:, 1:], index=pd.Index(self.time, name="time"), columns=self.names, copy=False)
        frame.attrs["units"] = {name: self.units[name] for name in self.names}
        return frame

    def to_xarray(self) -> Any:
        """An xarray.Dataset over time: a variable for each output, with its unit, and q and v over the names of positions and
        velocities. Method, verdict and hash of the model are in attrs."""
        xr = optional("xarray", "to_xarray()", "xarray")
        model, certificate = self.model, self.certificate
        variables: "dict[str, Any]" = {name: ("time", values, {"units": self.units[name]}) for name, values in self.select().items() if name != "time"}
        variables["q"] = (("time", "position"), self.q)
        variables["v"] = (("time", "velocity"), self.v)
        return xr.Dataset(variables, {"time": ("time", self.time, {"units": "s"}), "position": model.positions, "velocity": model.velocities},
                          {"title": model.title, "model": f"{model.hash:016x}", "method": certificate["study"]["method"],
                           "verdict": certificate["verdict"]})

    def plot(self, *patterns: str, against: "str | None" = None) -> Any:
        """Outputs over time, or over another output, by matplotlib: plot("yaw_rate", "load_*"). A picture for each unit;
        the figure is returned."""
        from .plots import plot
        return plot(self, patterns, against)

    def page(self, path: "PathName") -> None:
        """A page with the viewer and this run inside, which stands alone."""
        from .viewer import write_page
        write_page(self, os.fsdecode(path))

    def report(self, path: "PathName", *channels: str, against: "Sequence[Run | PathName]" = ()) -> None:
        """A page to read and print: what came of the run, pictures, plots of the channels (all without any), the
        certificate. Others, runs with a folder or folders, are laid over it."""
        from .viewer import files_of
        others = [other._folder if isinstance(other, Run) else os.fsdecode(other) for other in against]
        if None in others:
            raise ValueError("runs to compare with need a folder: run them with output=FOLDER")
        with files_of(self) as folder:
            command("report", folder, *channels, output=os.path.abspath(os.fsdecode(path)), with_=others)

    def export(self, *, glb: "PathName") -> None:
        """The machine in motion as a file for other programs: glTF 2.0."""
        from .viewer import files_of
        with files_of(self) as folder:
            command("export", folder, glb=os.path.abspath(os.fsdecode(glb)))

    def show(self, height: int = 600) -> Any:
        """The viewer: in a notebook as one HTML output, else a page in the browser."""
        from .viewer import show
        return show(self, height)

    def __getstate__(self) -> "dict[str, Any]":
        """Pickles hold the rows, the certificate and the model; what goes on with a run is left out."""
        import numpy as np
        rows = np.hstack([self.table, self.q, self.v])
        return {"model": self.model, "rows": rows, "_certificate": self.certificate, "_is_over": self.is_finished, "_call": self._call,
                "_folder": self._folder}

    def __setstate__(self, state: "dict[str, Any]") -> None:
        self._core = None
        rows = state.pop("rows")
        self.__dict__.update(state)
        self._revision = self.model.revision
        self._take(rows)

    def __repr__(self) -> str:
        c = self.certificate
        return f"<articula.Run {c['study']['method']}: {len(self)} rows to {c['time']:g} s, {c['status']}, {c['verdict']}>"

    def _title(self) -> str:
        return f"Run of {self.model.title or self.model.path!r}"

    def _facts(self) -> "list[tuple[str, Any]]":
        c = self.certificate
        study = c["study"]
        extremes = ", ".join(f"{name} {values.min():.4g} to {values.max():.4g} {self.units[name]}".strip()
                             for name, values in list(self.select().items())[:6] if len(values))
        return [("verdict", "; ".join([c["verdict"], *c["reasons"]])), ("rows", len(self)), ("time", f"{c['time']:g} s, {c['status']}"),
                ("method", f"{study['method']}, {study['integrator']}"), ("outputs", extremes),
                *([("energy", f"error {c['energy']['error']:.1e} J")] if "energy" in c else []), *([("files", self._folder)] if self._folder else [])]
