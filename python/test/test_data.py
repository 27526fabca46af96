# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Data blocks: views by address, dynamics against each other and against closed forms, and misuse."""
import gc
import threading
import unittest

import articula as art
import numpy as np
from articula import _articula
from support import TestCase, model_path
from test_model import PENDULUM


class Views(TestCase):
    def test_views_share_the_memory_of_the_library(self):
        data = art.load(model_path("puma560")).data()
        for name in ("q", "v", "a"):
            array = getattr(data, name)
            view = data._core.view(name)
            self.assertEqual(np.asarray(view).ctypes.data, array.ctypes.data)
            self.assertEqual(memoryview(view).format, "d")
        self.assertEqual(np.from_dlpack(data._core.view("q")).ctypes.data, data.q.ctypes.data)
        data.q[1] = 0.25
        self.assertEqual(np.asarray(data._core.view("q"))[1], 0.25)
        self.assertEqual(data._core.view("q").__dlpack_device__(), (1, 0))

    def test_results_are_read_only(self):
        data = art.load(model_path("pendulum")).data()
        with self.assertRaises(ValueError):
            data.a[0] = 1
        with self.assertRaises(BufferError):
            data._core.view("a").__dlpack__()

    def test_views_outlive_their_data(self):
        q = art.load(model_path("puma560")).data().q
        tensor = np.from_dlpack(art.load(model_path("puma560")).data()._core.view("q"))
        start = tensor.copy()
        gc.collect()
        art.load(model_path("puma560")).data().q[:] = 7
        self.assert_same_bits(q, start)
        self.assert_same_bits(tensor, start)
        q[:] = 1.5
        self.assertEqual(q.sum(), 1.5 * len(q))


class Dynamics(TestCase):
    def test_pendulum_in_closed_form(self):
        data = art.read(PENDULUM).data()
        inertia = 0.01 + 2 * 0.5**2
        torque = -2 * 9.81 * 0.5 * np.sin(0.3)
        self.assertAlmostEqual(data.mass_matrix()[0, 0], inertia, 14)
        self.assertAlmostEqual(data.accelerate()[0], torque / inertia, 12)
        self.assertAlmostEqual(data.inverse_dynamics()[0], -torque, 12)
        data.v[0] = 2
        self.assertAlmostEqual(data.energy().kinetic, inertia * 2, 12)
        tip = data.frame("rod")
        self.assertAlmostEqual(tip.angular_velocity[1], 2, 14)
        np.testing.assert_allclose(data.jacobian("rod")[:3, 0], [0, 1, 0], atol=1e-15)

    def test_methods_agree(self):
        model = art.load(model_path("puma560"))
        data = model.data()
        rng = np.random.default_rng(1)
        data.q[:], data.v[:] = rng.normal(size=len(data.q)), rng.normal(size=len(data.v))
        a = rng.normal(size=len(data.v))
        tau = data.inverse_dynamics(a)
        np.testing.assert_allclose(data.forward_dynamics(tau), a, rtol=1e-9)
        np.testing.assert_allclose(data.mass_matrix() @ a + data.inverse_dynamics(), tau, rtol=1e-9, atol=1e-9)
        one = data.accelerate("order-n").copy()
        np.testing.assert_allclose(data.accelerate("mass-matrix"), one, rtol=1e-9)
        linear, _ = data.momentum()
        self.assertTrue(np.isfinite(linear).all())

    def test_loops_close(self):
        data = art.load(model_path("loops/four-bar")).data()
        closed = data.assemble()
        self.assertLess(closed["gap"], 1e-9)
        self.assertTrue(np.isfinite(data.accelerate()).all())

    def test_copy_and_reset(self):
        data = art.load(model_path("double-pendulum")).data()
        start = data.q.copy()
        data.q[0] = 1
        copy = data.copy()
        self.assert_same_bits(copy.accelerate(), data.accelerate())
        data.reset()
        self.assert_same_bits(data.q, start)
        self.assertEqual(copy.q[0], 1)

    def test_outputs_follow_the_arrays(self):
        model = art.read(PENDULUM)
        data = model.data()
        data.q[0] = 0.7
        self.assertEqual(data.outputs()["pin.angle"], 0.7)


class Written(TestCase):
    """Coordinates that are written and follow from others."""

    def four_bar(self):
        data = art.load(model_path("loops/four-bar")).data()
        data.accelerate()
        names = data.model.positions
        return data, names

    def test_every_dependent_coordinate_is_refused_or_moves_the_others(self):
        data, names = self.four_bar()
        start = data.q.copy()
        refused = 0
        for i, name in enumerate(names):
            data.q[:] = start
            data.accelerate()
            data.q[i] += 0.05
            try:
                data.accelerate()
                self.assertEqual(data.q[i], start[i] + 0.05)
            except art.InputError as error:
                refused += 1
                self.assertIn(f"'{name}', was written as", str(error))
                self.assertEqual(data.q[i], start[i] + 0.05)  # as it was written
        self.assertEqual(refused, 2)

    def test_velocities_too(self):
        data, names = self.four_bar()
        refused = 0
        for i in range(len(data.v)):
            data.reset()
            data.accelerate()
            data.v[i] += 0.5
            try:
                data.outputs()
            except art.InputError:
                refused += 1
        self.assertEqual(refused, 2)

    def test_a_whole_closed_state_is_taken(self):
        data, _ = self.four_bar()
        moved = data.copy()
        moved.set({moved.model.positions[0]: float(moved.q[0]) + 0.1})
        data.q[:], data.v[:] = moved.q, moved.v
        self.assert_same_bits(data.accelerate(), moved.accelerate())

    def test_questions_between_do_not_hide_it(self):
        data, names = self.four_bar()
        for i in range(len(names)):
            data.reset()
            data.accelerate()
            data.q[i] += 0.05
            data.update()
            data.mass_matrix()
            copy = data.copy()
            try:
                copy.energy()
                independent = i
            except art.InputError:
                with self.assertRaises(art.InputError):
                    data.energy()
        data.q[independent] += 0.01
        data.assemble()
        data.accelerate()

    def test_assembly_takes_what_was_written_as_a_guess(self):
        data, _ = self.four_bar()
        data.q[:] += 0.05
        self.assertLess(data.assemble()["gap"], 1e-9)
        data.accelerate()

    def test_driven_coordinates(self):
        data = art.read("""
articula: 1
bodies:
  rod: {mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.01]}
joints:
  pin: {type: revolute, axis: y, from: ground, to: rod}
drives:
  motor: {coordinate: pin, value: "= 2[rad/s]*time"}
""").data()
        data.time = 0.25
        data.update()
        self.assertEqual(data.q[0], 0.5)
        data.q[0] = 3
        for ask in (data.update, data.accelerate, data.mass_matrix, lambda: data.frame("rod"), data.momentum):
            with self.assertRaisesRegex(art.InputError, "'pin.angle', was written as 3"):
                ask()
        with self.assertRaisesRegex(art.InputError, "a drive moves 'pin.angle'"):
            data.set({"pin.angle": 1})

    def test_set_closes_loops_and_says_what_moved(self):
        data, names = self.four_bar()
        for name in names:
            i = names.index(name)
            goal = float(data.q[i]) + 0.02
            before = data.q.copy()
            moved = data.set({name: goal})
            self.assertEqual(data.q[i], goal)
            self.assertNotIn(name, moved)
            self.assertEqual(len([n for n in moved if n in names]), 2)
            for other, (start, end) in moved.items():
                if other in names:
                    self.assertEqual((start, end), (before[names.index(other)], data.q[names.index(other)]))
            q = data.q.copy()
            data.accelerate()
            np.testing.assert_allclose(data.q, q, atol=1e-9)

    def test_set_takes_units_velocities_and_states(self):
        data, names = self.four_bar()
        name, rate = names[0], data.model.velocities[0]
        data.set({name: "30 deg", rate: "90 deg/s"})
        self.assertAlmostEqual(data.q[0], np.pi / 6, 14)
        self.assertAlmostEqual(data.v[0], np.pi / 2, 14)
        data.accelerate()
        self.assertAlmostEqual(data.v[0], np.pi / 2, 12)

    def test_set_refuses_and_leaves_all_as_it_was(self):
        data, names = self.four_bar()
        q = data.q.copy()
        with self.assertRaisesRegex(KeyError, "did you mean"):
            data.set({names[0] + "s": 1})
        with self.assertRaises(art.Error):
            data.set({name: 0.7 * i for i, name in enumerate(names)})
        with self.assertRaises(art.Error):
            data.set({names[0]: float("nan")})
        self.assert_same_bits(data.q, q)


class Misuse(TestCase):
    def test_wrong_arrays(self):
        data = art.load(model_path("puma560")).data()
        n = len(data.v)
        frozen = np.zeros(n)
        frozen.flags.writeable = False
        for out, kind in ((np.zeros(n + 1), ValueError), (np.zeros(n, np.float32), TypeError),
                          (np.zeros(2 * n)[::2], TypeError), (frozen, TypeError), ("x", TypeError), (None, TypeError)):
            with self.assertRaises(kind):
                data._core.inverse_dynamics(None, out)
        with self.assertRaises(ValueError):
            data.forward_dynamics(np.zeros(n + 1))
        with self.assertRaises(TypeError):
            data._core.forward_dynamics(None, np.zeros(n))

    def test_wrong_names(self):
        data = art.load(model_path("pendulum")).data()
        with self.assertRaisesRegex(KeyError, "no frame"):
            data.frame("nobody")
        with self.assertRaisesRegex(KeyError, "no input"):
            data.set_input("steer", 1)
        with self.assertRaisesRegex(art.InputError, "no method"):
            data.accelerate("quickly")
        with self.assertRaises(TypeError):
            data.time = "late"
        with self.assertRaises(TypeError):
            _articula.Data(1)
        with self.assertRaises(TypeError):
            _articula.View()

    def test_data_of_other_models(self):
        one, other = (art.load(model_path("pendulum")).data() for _ in range(2))
        with self.assertRaises(ValueError):
            one._core.copy_from(other._core)

    def test_numbers_that_are_none(self):
        data = art.load(model_path("double-pendulum")).data()
        data.q[:] = np.nan
        try:
            self.assertFalse(np.isfinite(data.accelerate()).all())
        except art.Error:
            pass

    def test_threads_have_their_own_data(self):
        model = art.load(model_path("puma560"))
        results = []

        def work(seed):
            data = model.data()
            data.q[:] = seed
            for _ in range(200):
                data.accelerate()
            results.append((seed, data.a.copy()))

        threads = [threading.Thread(target=work, args=(seed,)) for seed in (0.1, 0.2, 0.1, 0.2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(results), 4)
        for seed, a in results:
            data = model.data()
            data.q[:] = seed
            self.assert_same_bits(data.accelerate(), a)


if __name__ == "__main__":
    unittest.main()
