# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""The sample that the package was designed by, line by line."""
import os
import unittest
from unittest import mock

import articula as art
import numpy as np
from support import MODELS, ROOT, TestCase

# the same car with a rack that a controller pushes to where it wants it, and a gyro
STEERED = """articula: 1
title: Five-bar multi-link car, steered by a program
include: [{file: parts/multilink.yaml}, {file: parts/multilink-tyres.yaml}]
inputs: {steer: {unit: m, limits: [-0.03, 0.03]}}
forces:
  drive: {type: joint-force, coordinates: {fl/spin: 0.5, fr/spin: 0.5}, value: "= 1500[N m s/m]*(speed - float.vx)"}
  servo: {type: joint-force, coordinate: rack_slide, value: "= 4e5[N/m]*(steer - rack_slide.slide) - 4e3[N s/m]*rack_slide.rate"}
sensors: {gyro: {type: gyro, frame: chassis}}
"""


class Sample(TestCase):
    def setUp(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(ROOT)

    def test_runs(self):
        car = art.load("models/vehicles/multilink-car.yaml", parameters={"wave": 2.5})
        run = car.run(until=10, method="generated")
        self.assertEqual((len(run.time), len(run["yaw_rate"]), run.certificate["verdict"]), (501, 501, "good"))
        self.assertEqual(run.to_pandas().shape, (501, len(car.outputs)))
        figure = run.plot("yaw_rate", "load_*")
        self.assertEqual(sum(len(axis.lines) for axis in figure.axes), 5)
        with mock.patch("webbrowser.open") as opened:
            try:
                path = run.show()
            except art.FileError as error:
                self.assertIn("viewer", str(error))
            else:
                opened.assert_called_once()
                os.remove(path)

    def test_control_loop_and_batch(self):
        car = art.read(STEERED, str(MODELS / "vehicles/steered.yaml"))
        self.assertEqual(car.info()["bodies"], car.counts["bodies"])
        sim = car.simulator(step=1e-3)
        sim.input["steer"] = 0.02
        sim.step(10)
        self.assertEqual((sim.q.shape, sim.v.shape, sim.sensor["gyro"].shape), ((car.counts["nq"],), (car.counts["nv"],), (3,)))
        sim.step(990)
        self.assertGreater(abs(sim.sensor["gyro"][2]), 0.1)
        self.assertAlmostEqual(sim.sensor["gyro"][2], sim.v[car.velocities.index("float.wz")], 9)

        many = car.batch(16, method="generated", threads=0)
        noise, u = 1e-4 * np.random.default_rng(1).normal(size=16), np.full((16, 1), 0.01)
        many.q[:, 3] += noise
        many.step(u, 10)
        np.testing.assert_allclose(many.time, 0.01, rtol=1e-12)

    def test_studies(self):
        car = art.load("models/vehicles/multilink-car.yaml", parameters={"wave": 2.5})
        A, B, C, D = car.linear(at_equilibrium=True, speed=20)
        self.assertEqual((A.shape[0], C.shape[1], D.shape), (B.shape[0], A.shape[0], (C.shape[0], B.shape[1])))
        self.assertEqual(car.check()["counts"]["bodies"], car.counts["bodies"])
        self.assertTrue(os.path.exists(car.generate("c", name="car", folder=self.folder())))
        self.assertEqual(car.sweep({"rack": [0.004, 0.006]}, ["max:yaw_rate"], until=0.1).verdict, ["good", "good"])
        self.assertEqual(car.compare(until=0.02, limit=1)[0].verdict, "good")


if __name__ == "__main__":
    unittest.main()
