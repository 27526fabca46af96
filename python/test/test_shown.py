# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""How objects are shown in terminals and notebooks, pickled, and given to pandas and xarray; progress."""
import copy
import importlib
import io
import pickle
import sys
import unittest
from html.parser import HTMLParser
from unittest import mock

import articula as art
import numpy as np
from articula import progress
from support import MODELS, Cells, TestCase, model_path
from test_extras import LAW
from test_simulator import CART


class Balanced(HTMLParser):
    """Refuses HTML whose elements do not close in turn."""

    def __init__(self, text):
        super().__init__()
        self.open = []
        self.cells = []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.cells.append(data)


def law(x):
    """A function that a pickle finds again by its name."""
    return -x[3] * x[0]


def objects():
    """One object of every kind, with a word that it must show."""
    cart, loops, pendulum = art.read(CART), art.load(model_path("loops/four-bar")), art.load(model_path("pendulum"))
    run = loops.run(until=0.05)
    sim = cart.simulator(step=0.01)
    return {"rocker": loops, "L": pendulum.parameters, "crank": loops.data(), "good": run, "finished": run.certificate, "push": sim, "rail.slide": sim.sensor,
            "machines": cart.batch(3), "final:y": pendulum.sweep({"L": [0.5, 1.0]}, ["final:y"], until=0.1), "recursive": loops.compare(until=0.02),
            "frequency": pendulum.linear(), "camber": art.load(model_path("vehicles/double-wishbone-rig")).kinematics(),
            "horizon": art.VectorEnvironment(cart, 2, lambda y, a: y["rail.slide"]), "bodies": art.load(model_path("pendulum")).info(),
            "instances": cart.instances(2)}


class Shown(TestCase):
    def test_every_object_has_a_line_and_a_table(self):
        for word, thing in objects().items():
            with self.subTest(kind=type(thing).__name__):
                line, page = repr(thing), thing._repr_html_()
                self.assertNotIn(" object at 0x", line)
                self.assertNotIn("\n", line)
                self.assertLess(len(line), 2000)
                self.assertIn("<table", page)
                self.assertIn(word, " ".join(Balanced(page).cells) + line)

    def test_texts_of_models_are_escaped(self):
        model = art.read(CART.replace("articula: 1", "articula: 1\ntitle: <script>alert(1)</script>", 1))
        for thing in (model, model.data(), model.simulator(step=0.1), model.batch(1), model.run(until=0.1)):
            self.assertNotIn("<script", thing._repr_html_())

    def test_inputs(self):
        sim = art.read(CART).simulator(step=0.1)
        sim.input["push"] = 2
        self.assertEqual(repr(sim.input), "{'push': 2.0}")
        self.assertIn("<td>push</td><td>2</td>", sim.input._repr_html_())


class Pickles(TestCase):
    def again(self, thing):
        return pickle.loads(pickle.dumps(thing))

    def test_models(self):
        path = model_path("vehicles/multilink-car")
        one = art.load(path, {"wave": 2.5})
        one.parameters["wave"] = 1.5
        for model in (one, art.read(CART), art.load(MODELS / "import/arm.urdf"), art.load(MODELS / "import/linkage.sdf")):
            other = self.again(model)
            self.assertEqual((other.hash, other.title, other.outputs, other.path), (model.hash, model.title, model.outputs, model.path))
            self.assertEqual(dict(other.parameters), dict(model.parameters))
        self.assertEqual(copy.deepcopy(one).hash, one.hash)

    def test_models_of_files_that_have_changed(self):
        path = self.folder() / "cart.yaml"
        path.write_text(CART)
        kept = pickle.dumps(art.load(path))
        path.write_text(CART.replace("mass: 2", "mass: 3"))
        self.assertEqual(pickle.loads(kept).hash, art.read(CART).hash)
        path.unlink()
        self.assertEqual(pickle.loads(kept).hash, art.read(CART).hash)
        part = path.with_name("part.yaml")
        part.write_text(CART)
        path.write_text("articula: 1\ninclude: [{file: part.yaml}]\n")
        kept = pickle.dumps(art.load(path))
        part.write_text(CART.replace("[1, 1, 1]", "[1, 2, 2]"))
        with self.assertRaisesRegex(art.FileError, "has changed since"):
            pickle.loads(kept)

    def test_attached_functions_go_along(self):
        model = art.read(LAW)
        model.attach_function("law", law)
        data = self.again(model).data()
        data.q[0] = 0.5
        self.assertEqual(data.accelerate()[0], -0.75)

    def test_data(self):
        for model in (art.read(CART), art.load(model_path("loops/four-bar"))):
            data = model.data()
            data.set({model.positions[-1]: data.q[-1] + 0.05, model.velocities[-1]: 0.3})
            data.time = 2.0
            if model.inputs:
                data.set_input("push", 3.0)
            data.accelerate()
            other = self.again(data)
            np.testing.assert_allclose(other.accelerate(), data.a, rtol=1e-12, atol=1e-12)
            np.testing.assert_allclose(other.q, data.q, rtol=1e-14)
            self.assertEqual((other.time, other.u.tolist()), (2.0, data.u.tolist()))

    def test_runs(self):
        run = art.load(model_path("loops/four-bar")).run(until=0.1)
        other = self.again(run)
        for name in ("table", "q", "v"):
            self.assert_same_bits(getattr(run, name), getattr(other, name), name)
        self.assertEqual((other.certificate, other.is_finished, repr(other)), (run.certificate, True, repr(run)))
        self.assert_same_bits(other[run.names[0]], run[run.names[0]])
        self.assertIs(other.resume(), other)

    def test_simulators_go_on_to_the_same_bits(self):
        sim = art.read(CART).simulator(step=0.01)
        sim.input["push"] = 2.0
        sim.step(7)
        other = self.again(sim)
        sim.step(5)
        other.step(5)
        self.assert_same_bits(sim.q, other.q)
        self.assertEqual((other.time, other.input["push"]), (sim.time, 2.0))

    def test_results_and_errors(self):
        pendulum = art.load(model_path("pendulum"))
        sweep = pendulum.sweep({"L": [0.5, 1.0]}, ["final:y"], until=0.1)
        self.assert_same_bits(self.again(sweep)["final:y"], sweep["final:y"])
        linear = pendulum.linear()
        self.assert_same_bits(self.again(linear).A, linear.A)
        with self.assertRaises(art.InputError) as caught:
            art.read("articula: 1\nbodies: {rod: {mas: 1}}")
        self.assertEqual((self.again(caught.exception).line, self.again(caught.exception).suggestion), (2, "mass"))
        with self.assertRaises(TypeError):
            pickle.dumps(pendulum.batch(2))


class Tables(TestCase):
    def module(self, name):
        try:
            return importlib.import_module(name)
        except ImportError:
            self.skipTest(f"python3-{name} is not installed")

    def test_pandas(self):
        self.module("pandas")
        cart = art.read(CART)
        batch = cart.batch(3, step=0.1)
        batch.q[:, 0] = [0, 1, 2]
        batch.step()
        frame = batch.to_pandas()
        np.testing.assert_allclose(frame["rail.slide"], [0, 1, 2])
        self.assertFalse(frame["failed"].any())
        data = cart.data()
        data.set_input("push", 3)
        frame = data.to_pandas()
        self.assertEqual((frame.loc["push", "kind"], frame.loc["push", "value"], frame.loc["rail.slide", "unit"]), ("input", 3, "m"))
        modes = art.load(model_path("double-pendulum")).linear(at_equilibrium=True).to_pandas()
        self.assertEqual(len(modes), 2)
        self.assertTrue((modes["frequency"] > 0).all())

    def test_xarray_of_runs_and_batches(self):
        self.module("xarray")
        run = art.load(model_path("double-pendulum")).run(until=0.2)
        found = run.to_xarray()
        name = run.names[0]
        self.assert_same_bits(found[name].values, run[name])
        self.assertEqual(found[name].attrs["units"], run.units[name])
        self.assert_same_bits(found["q"].sel(position="elbow.angle").values, run.q[:, 1])
        self.assertEqual((found.attrs["verdict"], found[name].dims), ("good", ("time",)))
        batch = art.read(CART).batch(4).to_xarray()
        self.assertEqual(dict(batch.sizes), {"machine": 4, "position": 1, "velocity": 1})

    def test_xarray_of_sweeps(self):
        self.module("xarray")
        pendulum = art.load(model_path("pendulum"))
        number = len(pendulum.parameters) > 1
        self.assertTrue(number)
        other = next(name for name in pendulum.parameters if name != "L")
        value = pendulum.parameters[other]
        sweep = pendulum.sweep({"L": [1.0, 0.5, 0.25], other: [value, 1.1 * value]}, ["min:y"], until=0.1)
        found = sweep.to_xarray()
        self.assertEqual(found["min:y"].dims, ("L", other))
        self.assertEqual(float(found["min:y"].sel({"L": 0.5})[1]), sweep["min:y"][3])
        scattered = pendulum.sweep({"L": [0.5, 1.0]}, ["min:y"], samples=3, until=0.1).to_xarray()
        self.assertEqual(scattered["min:y"].dims, ("L",))
        cases = pendulum.sweep({"L": [], other: []}, ["min:y"], cases=[[0.5, value], [1.0, 1.1 * value]], until=0.1).to_xarray()
        self.assertEqual(cases["L"].dims, ("case",))

    def test_xarray_of_linear_systems(self):
        self.module("xarray")
        linear = art.read(CART).linear()
        found = linear.to_xarray()
        self.assert_same_bits(found["B"].sel(input="push").values, linear.B[:, 0])

    def test_packages_that_are_absent(self):
        run = art.load(model_path("pendulum")).run(until=0.1)
        for package, call in (("pandas", run.to_pandas), ("xarray", run.to_xarray), ("matplotlib", run.plot)):
            absent = {name: None for name in [*sys.modules, package, "matplotlib.pyplot"] if name.partition(".")[0] == package}
            with mock.patch.dict(sys.modules, absent), self.assertRaisesRegex(ImportError, f"needs {package}: install it by"):
                call()

    def test_frequency_response(self):
        linear = art.read(CART).linear()
        # 2 kg that are pushed: x = F / (m s^2)
        H = linear.frequency_response([0.5, 2.0])[:, art.read(CART).outputs.index("rail.slide"), 0]
        np.testing.assert_allclose(H, -1 / (2 * (2 * np.pi * np.array([0.5, 2.0])) ** 2), rtol=1e-9)


class Progress(TestCase):
    def told(self, stream, wanted=None, modules=None):
        with mock.patch.object(progress, "_PATIENCE", 0), mock.patch.object(sys, "stderr", stream), mock.patch.dict(sys.modules, modules or {}):
            bar = progress.Bar(wanted)
            for k in range(101):
                bar.show(k / 50, 2.0)
            bar.end()

    def test_terminals_have_a_bar_that_goes_away(self):
        stream = io.StringIO()
        stream.isatty = lambda: True
        self.told(stream)
        lines = stream.getvalue().split("\r")
        self.assertIn(" 50 % [###############...............] 1 of 2", lines[51])
        self.assertEqual(lines[-2].strip() + lines[-1], "")

    def test_other_streams_have_lines_where_asked_for(self):
        stream = io.StringIO()
        self.told(stream)
        self.assertEqual(stream.getvalue(), "")
        self.told(stream, True)
        self.assertEqual([line.partition(" %")[0] for line in stream.getvalue().splitlines()], [str(10 * k) for k in range(1, 11)])

    def test_notebooks_have_an_output_that_is_emptied(self):
        cells = Cells()
        self.told(io.StringIO(), None, cells.modules)
        self.assertIn('<progress max="1" value="0.5000"></progress> 50 %, 1 of 2', cells.shown[51])
        self.assertEqual((cells.shown[0], cells.shown[-1]), ("", ""))
        shown = len(cells.shown)
        with mock.patch.dict(sys.modules, cells.modules):
            art.load(model_path("pendulum")).run(until=0.1, progress=False)
        self.assertEqual(len(cells.shown), shown)

    def test_a_plot_is_shown_once_in_a_cell(self):
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            self.skipTest("python3-matplotlib is not installed")
        run, cells = art.load(model_path("pendulum")).run(until=0.1), Cells()
        with mock.patch.dict(sys.modules, cells.modules):
            figure = run.plot("x")
            figure._ipython_display_()  # as the value of the cell
            figure._ipython_display_()  # with all open figures at its end
            self.assertEqual(len(cells.shown), 1)
            self.assertTrue(cells.shown[0]["image/png"].startswith(b"\x89PNG"))
            cells.shell.execution_count = 2
            figure._ipython_display_()
            self.assertEqual(len(cells.shown), 2)
        plt.close(figure)


if __name__ == "__main__":
    unittest.main()
