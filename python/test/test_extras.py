# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Callbacks in Python, the vector environment."""
import unittest

import articula as art
import numpy as np
from support import TestCase
from test_simulator import CART

LAW = CART.replace("inputs:\n  push: {unit: N, limits: [-10, 10]}\n", "").replace("value: = push", "function: law, parameters: [3]")
HOST = CART.replace("inputs:\n  push: {unit: N, limits: [-10, 10]}\n", "").replace(
    "motor: {type: joint-force, coordinate: rail, value: = push}", "motor: {type: callback}")
CLOCKED = CART.replace("limits: [-10, 10]", "limits: [-10, 10], every: 0.1 s")


class Callbacks(TestCase):
    def test_function_that_the_file_names(self):
        model = art.read(LAW)
        model.attach_function("law", lambda x: -x[3] * x[0] + 6)
        run = model.run(until=1, tolerance=1e-10)
        # 2 x'' = 6 - 3 x
        np.testing.assert_allclose(run["rail.slide"], 2 - 2 * np.cos(np.sqrt(1.5) * run.time), atol=1e-7)

    def test_force_of_the_host(self):
        model = art.read(HOST)
        model.attach_force("motor", lambda time, q, v: [4.0])
        sim = model.simulator(step=0.1)
        sim.step(10)
        self.assertAlmostEqual(sim.q[0], 1, 10)

    def test_input_with_a_clock(self):
        model = art.read(CLOCKED)
        times = []

        def push(time, q, v):
            times.append(time)
            return 4.0
        model.attach_input("push", push)
        run = model.run(until=1)
        self.assertAlmostEqual(run["rail.slide"][-1], 1, 8)
        self.assertGreaterEqual(len(times), 10)

    def test_exceptions_come_through(self):
        model = art.read(LAW)
        model.attach_function("law", lambda x: 1 / 0)
        with self.assertRaises(ZeroDivisionError):
            model.run(until=1)
        with self.assertRaises(ZeroDivisionError):
            model.data().accelerate()
        model.attach_function("law", lambda x: [1, 2])
        with self.assertRaisesRegex(ValueError, "returned 2 numbers"):
            model.data().accelerate()
        model.attach_function("law", lambda x: 1)
        model.data().accelerate()

    def test_misuse(self):
        model = art.read(LAW)
        with self.assertRaises(art.InputError):
            model.data().accelerate()
        with self.assertRaisesRegex(art.InputError, "lwa"):
            model.attach_function("lwa", abs)
        with self.assertRaises(TypeError):
            model.attach_function("law", 3)
        with self.assertRaises(art.InputError):
            model.attach_input("push", abs)

    def test_a_function_that_calls_its_own_data_is_refused(self):
        model = art.read(LAW)
        data = []
        model.attach_function("law", lambda x: data[0].energy().kinetic)
        data.append(model.data())
        with self.assertRaises(RuntimeError):
            data[0].accelerate()

    def test_copies_outlive_the_call(self):
        model, kept = art.read(LAW), []
        model.attach_function("law", lambda x: kept.append(x) or 1.0)
        model.data().accelerate()
        del model
        self.assertEqual(list(kept[0]), [0, 0, 0, 3])

    def test_batches_call_from_threads(self):
        model = art.read(LAW)
        model.attach_function("law", lambda x: 4)
        many = model.batch(8, step=0.1, threads=3)
        many.step(n=10)
        np.testing.assert_allclose(many.q[:, 0], 1, rtol=1e-10)


class Environments(TestCase):
    def test_shape_and_episodes(self):
        env = art.VectorEnvironment(art.read(CART), 4, lambda y, action: -y["rail.slide"]**2, step=0.05, horizon=10,
                                    observe=["rail.slide", "rail.rate"], is_over=lambda y: y["rail.slide"] > 0.2,
                                    scatter=lambda batch, mask, rng: batch.v.__setitem__((mask, 0), 0.1))
        seen, info = env.reset(seed=1)
        self.assertEqual((seen.shape, info), ((4, 2), {}))
        np.testing.assert_allclose(seen[:, 1], 0.1)
        self.assertEqual(env.single_action_space.shape, (1,))
        self.assertEqual(env.single_action_space.high[0], 10)
        force = np.array([[0.0], [0.0], [99.0], [99.0]])
        over, late = np.zeros(4, bool), np.zeros(4, bool)
        for _ in range(10):
            seen, reward, ended, cut, info = env.step(force)
            over |= ended
            late |= cut
        self.assertEqual(over.tolist(), [False, False, True, True])
        self.assertTrue(late[:2].all())
        np.testing.assert_allclose(seen[:2], [[0, 0.1]] * 2)
        self.assertIn("final_observation", info)
        self.assertEqual(reward.shape, (4,))


if __name__ == "__main__":
    unittest.main()
