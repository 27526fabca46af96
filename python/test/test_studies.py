# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Studies beside runs: the numbers of the command, closed forms, sweeps, generated text, pages."""
import unittest
from pathlib import Path

import articula as art
import numpy as np
from support import MODELS, TestCase, model_path, read_csv, run_command
from test_simulator import CART

PENDULUM = """articula: 1
bodies:
  rod: {mass: 2 kg, com: [0, 0, -0.5], inertia: [0.01, 0.01, 0.01]}
joints:
  pin: {type: revolute, from: ground, to: rod, axis: y}
initial: {pin: {angle: 0.3 rad}}
"""


class Studies(TestCase):
    def test_a_file_does_not_start_a_compiler(self):
        model = art.read(PENDULUM + "studies:\n  a: {type: run, until: 1 ms, backend: generated}\n  b: {type: linear, method: generated}\n")
        for call in (lambda **options: model.run(**options), lambda **options: model.linear(**options)):
            with self.assertRaisesRegex(art.Error, "a file cannot start a compiler"):
                call()
            call(method="automatic")
            call(method="generated")

    def test_equilibrium(self):
        data = art.read(PENDULUM).equil()
        self.assertAlmostEqual(data.q[0], 0, 8)
        self.assertEqual(data.found["stability"], "stable")
        self.assertLess(abs(data.accelerate()[0]), 1e-6)

    def test_linear_in_closed_form(self):
        model = art.read(PENDULUM)
        linear = model.linear(at_equilibrium=True)
        rate = np.sqrt(2 * 9.81 * 0.5 / (0.01 + 2 * 0.25))
        np.testing.assert_allclose(np.abs(linear.eigenvalues), rate, rtol=1e-6)
        np.testing.assert_allclose(linear.frequency, rate / (2 * np.pi), rtol=1e-6)
        A, B, C, D = linear
        self.assertEqual((A.shape, B.shape), ((2, 2), (2, 0)))
        self.assertEqual((C.shape[0], D.shape), (len(model.outputs), (len(model.outputs), 0)))

    def test_linear_with_inputs(self):
        A, B, _, _ = art.read(CART).linear()
        np.testing.assert_allclose(A, [[0, 1], [0, 0]], atol=1e-9)
        np.testing.assert_allclose(B, [[0], [0.5]], atol=1e-9)

    def test_linear_as_the_command_writes_it(self):
        path, folder = MODELS / "vehicles/iltis.yaml", self.folder()
        run_command("linear", path, "--at-equilibrium", "-o", folder)
        A, _, C, _ = art.load(path).linear(at_equilibrium=True)
        self.assert_same_bits(A, read_csv(folder / "A.csv")[1])
        self.assert_same_bits(C, read_csv(folder / "Cy.csv")[1])

    def test_tables_as_the_command_writes_them(self):
        path, folder = MODELS / "vehicles/double-wishbone-rig.yaml", self.folder()
        run_command("kinematics", path, "-o", folder)
        table = art.load(path).kinematics()
        names, values = read_csv(folder / "kinematics.csv")
        self.assertEqual(names, table.names)
        self.assert_same_bits(values, table.values)
        with self.assertRaisesRegex(art.InputError, "found no wheels"):
            art.read(PENDULUM).kinematics()

    def test_inverse_of_rest(self):
        model = art.read(PENDULUM)
        tau = model.inverse([0, 1])
        np.testing.assert_allclose(tau, 2 * 9.81 * 0.5 * np.sin(0.3), rtol=1e-12)

    def test_inverse_of_a_motion(self):
        """J a + m g L sin(angle) along a given motion, of the first study and of one by name."""
        studies = "studies: {slow: {type: inverse, motion: {pin: = 0.2*time^2}}, wave: {type: inverse, motion: {pin: = sin(3*time)}}}\n"
        model = art.read(PENDULUM + studies)
        time = np.linspace(0, 2, 9)
        J = model.data().mass_matrix()[0, 0]
        for study, angle, acceleration in ((None, 0.2 * time**2, 0.4), ("wave", np.sin(3 * time), -9 * np.sin(3 * time))):
            expected = J * acceleration + 2 * 9.81 * 0.5 * np.sin(angle)
            np.testing.assert_allclose(model.inverse(time, study=study)[:, 0], expected, rtol=1e-11, atol=1e-11)

    def test_compare(self):
        trials = art.load(model_path("loops/four-bar")).compare(until=0.2, methods=["semirecursive", "augmented", "recursive"])
        self.assertEqual([trial.error for trial in trials], [None] * 5)
        self.assertEqual(trials[0].difference, 0)
        self.assertTrue(all(trial.difference < 1e-4 for trial in trials))
        self.assertIn("generated", art.read(PENDULUM).methods())

    def test_check(self):
        model = art.load(model_path("loops/four-bar"))
        report = model.check()
        self.assertEqual(report["degrees_of_freedom"], 1)
        self.assertEqual(len(report["cuts"]), 1)
        self.assertEqual(art.check(model.path), [])
        path = self.folder() / "wrong.yaml"
        path.write_text(PENDULUM.replace("axis", "axs").replace("mass", "mas"))
        self.assertEqual([error.line for error in art.check(path)], [3, 5])


class Sweeps(TestCase):
    def test_table_of_the_command(self):
        path, folder = model_path("pendulum"), self.folder()
        run_command("sweep", path, "--vary", "L=0.5:2:4", "--result", "max:angle", "--result", "rms:x", "--until", "1", "-o", folder)
        names, table = read_csv(folder / "results.csv")
        sweep = art.load(path).sweep({"L": np.linspace(0.5, 2, 4)}, ["max:angle", "rms:x"], until=1)
        self.assertTrue(sweep.is_finished)
        self.assertEqual(sweep.verdict, ["good"] * 4)
        for name in ("L", "max:angle", "rms:x"):
            column = [i for i, word in enumerate(names) if word == name][0]
            self.assert_same_bits(sweep[name], table[:, column])

    def test_failures_are_rows(self):
        sweep = art.load(model_path("pendulum")).sweep({"m": [1, -1]}, ["final:x"], until=0.1, threads=2)
        self.assertEqual(sweep.verdict, ["good", "failed"])
        self.assertIn("mass", sweep.text[1])
        self.assertTrue(np.isnan(sweep["final:x"][1]))

    def test_samples_and_misuse(self):
        model = art.load(model_path("pendulum"))
        sweep = model.sweep({"L": [1, 2], "m": [1, 3]}, ["final:angle"], samples=6, until=0.1)
        self.assertEqual(sweep.parameters.shape, (6, 2))
        self.assertEqual(sorted((6 * (sweep["L"] - 1)).astype(int)), list(range(6)))
        for call in (lambda: model.sweep({"L": [1]}, ["most:x"]), lambda: model.sweep({"L": [1]}, cases=np.zeros((2, 2))),
                     lambda: model.sweep({"L": [1]}, ["max:nothing"])):
            with self.assertRaises((ValueError, KeyError)):
                call()


class Files(TestCase):
    def test_generated_text(self):
        model, folder = art.load(model_path("double-pendulum")), self.folder()
        path = model.generate("c", "swing", folder=folder, header=True)
        self.assertIn("swing.h", Path(path).read_text(encoding="utf-8"))
        self.assertTrue((folder / "swing.h").exists())
        python = model.generate("python", "swing", folder=folder, forms=["mass"])
        compile(Path(python).read_text(encoding="utf-8"), python, "exec")
        for options in ({"language": "cobol"}, {"forms": ["speed"]}):
            with self.assertRaises(ValueError):
                model.generate(folder=folder, **options)

    def test_page(self):
        run = art.load(model_path("pendulum")).run(until=0.5)
        path = self.folder() / "run.html"
        try:
            run.page(path)
        except art.FileError as error:
            self.skipTest(str(error))
        self.assertIn("application/x-articula-scene", path.read_text(encoding="utf-8"))

    def test_plot(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("matplotlib is not there")
        matplotlib.use("Agg")
        run = art.load(model_path("pendulum")).run(until=0.5)
        figure = run.plot("x", "angle")
        self.assertEqual(len(figure.axes), 2)
        self.assert_same_bits(figure.axes[0].lines[0].get_ydata(), run["x"])

    def test_positions_of_rows(self):
        run = art.load(model_path("pendulum")).run(until=0.5)
        self.assert_same_bits(run.q[:, 0], run["angle"])
        self.assertEqual(run.q.ctypes.data, run.table.ctypes.data + 8 * run.table.shape[1])


if __name__ == "__main__":
    unittest.main()
