# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Runs: results by name, certificates, files, errors that carry the run, Ctrl-C without loss."""
import gc
import hashlib
import json
import os
import signal
import threading
import unittest

import articula as art
import numpy as np
from support import ROOT, TestCase, model_path, read_csv, run_command

CAR = "vehicles/multilink-car"


class Results(TestCase):
    def test_columns_are_views_of_one_table(self):
        run = art.load(model_path("double-pendulum")).run(until=1)
        name = run.names[0]
        self.assertTrue(np.shares_memory(run[name], run.table))
        self.assertEqual(run.table.ctypes.data + 8, run[name].ctypes.data)
        self.assertEqual(run.time[-1], 1)
        self.assertEqual(len(run), len(run.time))
        self.assertEqual(list(run.select(name)), [name])
        self.assertTrue(run.is_finished)
        with self.assertRaisesRegex(KeyError, "did you mean"):
            run[name + "x"]

    def test_certificate(self):
        run = art.load(model_path("loops/four-bar")).run(until=0.5)
        self.assertEqual(run.certificate["status"], "finished")
        self.assertEqual(run.certificate["verdict"], "good")
        self.assertEqual(run.certificate["rows"], len(run))
        self.assertIn("good", repr(run))

    def test_stiff_motions_continue_with_bdf(self):
        model = art.load(ROOT / "test/cli/models/stiff.yaml")
        run = model.run()
        stiffness = run.certificate["steps"]["stiffness"]
        self.assertEqual(stiffness["continued_with"], "bdf")
        self.assertIn("continues with bdf", stiffness["note"])
        self.assertLess(abs(run["angle"][-1] - 0.5 * (1 - 1e-6)), 1e-6)
        named = model.run(until=0.1, integrator="dopri5")
        self.assertEqual(named.certificate["steps"]["stiffness"]["continued_with"], "dopri5")

    def test_pandas(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not there")
        run = art.load(model_path("pendulum")).run(until=1)
        frame = run.to_pandas()
        self.assertEqual(list(frame.columns), run.names)
        self.assert_same_bits(frame.to_numpy(), run.table[:, 1:])
        self.assertEqual(frame.index.name, "time")

    def test_folder_as_of_the_command(self):
        folder = self.folder() / "results"
        run = art.load(model_path("pendulum")).run(until=1, output=folder)
        _, table = read_csv(folder / "results.csv")
        self.assert_same_bits(run.table, table)
        certificate = json.loads((folder / "certificate.json").read_text())
        self.assertEqual(certificate["status"], "finished")
        self.assertEqual(certificate["results_sha256"], hashlib.sha256((folder / "results.csv").read_bytes()).hexdigest())
        self.assertEqual((folder / "scene.arts").read_bytes()[:8], b"ARTSCENE")

    def test_paths_that_are_not_utf8(self):
        folder = os.fsencode(self.folder())
        path = folder + b"/pendulum\xff.yaml"
        with open(path, "wb") as file, open(model_path("pendulum"), "rb") as source:
            file.write(source.read())
        want = art.load(model_path("pendulum")).run(until=0.5)
        for name in (path, os.fsdecode(path)):
            for output in (folder + b"/results\xfe", os.fsdecode(folder + b"/results\xfd")):
                run = art.load(name).run(until=0.5, output=output)
                self.assertTrue(np.array_equal(run.table, want.table))
                with open(os.path.join(os.fsencode(output), b"certificate.json"), encoding="utf-8") as file:
                    self.assertEqual(json.load(file)["rows"], len(run))
        self.assertEqual(art.check(path), [])
        sweep = art.load(path).sweep({"m": [1.0, 2.0]}, ["final:angle"], until=0.1)
        self.assertEqual(len(sweep.results), 2)
        with self.assertRaisesRegex(art.FileError, "none.*: cannot open"):
            art.load(folder + b"/none\xff.yaml")
        with self.assertRaisesRegex(ValueError, "null byte"):
            art.load(path).run(until=0.1, output="a\0b")

    def test_wrong_options(self):
        model = art.load(model_path("pendulum"))
        for options in ({"until": -1}, {"method": "fast"}, {"integrator": "rk5"}, {"intergrator": "rk4"}, {"until": "1 kg"},
                        {"tolerance": 0}, {"integrator": "rk4", "step": 0}, {"study": "nothing"},
                        {"interval": 1e-12, "until": 1e3}, {"until": float("nan")}, {"method": "index3", "integrator": "rk4"}):
            with self.subTest(options=options), self.assertRaises(art.InputError):
                model.run(**options)
        for options in ({"until": object()}, {"method": 3}, {"study": 3}, {"output": 3}):
            with self.subTest(options=options), self.assertRaises(TypeError):
                model.run(**options)


class Stopping(TestCase):
    def test_ctrl_c_loses_nothing(self):
        model = art.load(model_path(CAR))
        whole = model.run(until=3)
        timer = threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        try:
            with self.assertRaises(KeyboardInterrupt) as caught:
                model.run(until=3)
        finally:
            timer.join()
        run = caught.exception.run
        self.assertIsInstance(caught.exception, art.Interrupted)
        self.assertFalse(run.is_finished)
        self.assertEqual(run.certificate["status"], "interrupted")
        self.assertLess(len(run), len(whole))
        part = run.table
        kept = part.copy()
        run.resume()
        self.assertTrue(run.is_finished)
        self.assert_same_bits(run.table, whole.table)
        self.assert_same_bits(part, kept)

    def stopped(self, model, *, output=None, **options):
        """A run that was stopped at its first look at the clock."""
        looks = []

        def stop(now, until):
            looks.append(now)
            if len(looks) == 1:
                raise KeyboardInterrupt
        with self.assertRaises(art.Interrupted) as caught:
            model.run(output=output, progress=stop, **options)
        return caught.exception.run

    def test_runs_with_samplers_stop_and_go_on(self):
        model = art.load(model_path("plant/inverted-pendulum"))
        whole = model.run(until=100)
        run = self.stopped(model, until=100)
        self.assertLess(len(run), len(whole))
        self.assert_same_bits(run.resume().table, whole.table)
        self.assert_same_bits(run.q, whole.q)

    def test_a_finished_run_releases_its_folder(self):
        model, folder = art.load(model_path("double-pendulum")), self.folder()
        first = model.run(until=0.1, output=folder)
        self.assertFalse((folder / "lock").exists())
        second = model.run(until=0.1, output=folder)  # while the first one is alive
        self.assert_same_bits(first.table, second.table)
        run_command("run", model_path("double-pendulum"), "--until", 0.1, "-o", folder, "--quiet")

    def test_another_process_goes_on(self):
        for name, options in (("plant/inverted-pendulum", {"until": 100}), (CAR, {"until": 3}), (CAR, {"until": 4, "method": "generated"})):
            model, folder = art.load(model_path(name)), self.folder()
            whole = model.run(**options)
            rows = len(self.stopped(model, output=folder, **options))
            gc.collect()
            rest = art.load(model_path(name)).run(output=folder, resume=True, **options)
            self.assert_same_bits(rest.table, whole.table)
            self.assertTrue(np.isnan(rest.q[:rows]).all())
            self.assert_same_bits(rest.q[rows:], whole.q[rows:])
            self.assert_same_bits(read_csv(folder / "results.csv")[1], whole.table)
            self.assertFalse((folder / "checkpoint").exists())

    def test_the_command_goes_on_with_runs_of_python(self):
        model, folder = art.load(model_path(CAR)), self.folder()
        self.stopped(model, output=folder, until=3)
        gc.collect()
        run_command("run", model_path(CAR), "--until", 3, "-o", folder, "--resume", "--quiet")
        self.assert_same_bits(read_csv(folder / "results.csv")[1], model.run(until=3).table)

    def test_nothing_to_go_on_with(self):
        model, folder = art.load(model_path("pendulum")), self.folder()
        with self.assertRaisesRegex(art.InputError, "no interrupted run"):
            model.run(output=folder, resume=True)
        with self.assertRaisesRegex(ValueError, "output=FOLDER"):
            model.run(resume=True)
        self.stopped(art.load(model_path(CAR)), output=folder, until=3)
        gc.collect()
        with self.assertRaises(art.InputError):
            model.run(output=folder, resume=True)

    def test_errors_carry_the_run(self):
        model = art.load(model_path(CAR))
        with self.assertRaises(ZeroDivisionError):
            self.stop_by_progress(model)

    @staticmethod
    def stop_by_progress(model):
        from unittest import mock
        with mock.patch("articula.progress.Bar.show", lambda self, now, until: 1 / 0):
            model.run(until=5)

    def test_parameters_wait_for_threads(self):
        model = art.load(model_path(CAR))
        thread = threading.Thread(target=model.run, kwargs={"until": 3})
        thread.start()
        refused = 0
        while thread.is_alive():
            try:
                model.parameters["wave"] = 2.5
            except RuntimeError:
                refused += 1
        thread.join()
        self.assertGreater(refused, 0)


if __name__ == "__main__":
    unittest.main()
