# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Runs: results by name, certificates, files, errors that carry the run, Ctrl-C without loss."""
import json
import os
import signal
import threading
import unittest

import articula as art
import numpy as np
from support import TestCase, model_path, read_csv

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
        self.assertEqual((folder / "scene.arts").read_bytes()[:8], b"ARTSCENE")

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
        whole = model.run(until=2)
        timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        try:
            with self.assertRaises(KeyboardInterrupt) as caught:
                model.run(until=2)
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
