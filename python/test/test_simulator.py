# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Simulators and batches: the bits of a run, inputs, states that are written, snapshots, threads and misuse."""
import ctypes
import os
import subprocess
import tempfile
import threading
import unittest

import articula as art
import numpy as np
from support import ROOT, TestCase, model_path

CART = """articula: 1
gravity: [0, 0, 0]
bodies:
  cart: {mass: 2 kg, inertia: [1, 1, 1]}
joints:
  rail: {type: prismatic, from: ground, to: cart, axis: x}
inputs:
  push: {unit: N, limits: [-10, 10]}
forces:
  motor: {type: joint-force, coordinate: rail, value: = push}
sensors:
  gyro: {type: gyro, frame: cart}
"""
CAR = "vehicles/multilink-car"


class Simulators(TestCase):
    def test_constant_force_in_closed_form(self):
        sim = art.read(CART).simulator(step=0.01)
        sim.input["push"] = 4
        self.assertEqual(sim.input["push"], 4)
        sim.step(100)
        self.assertEqual(sim.time, 1)
        self.assertAlmostEqual(sim.q[0], 1, 12)
        self.assertAlmostEqual(sim.v[0], 2, 12)
        self.assertAlmostEqual(sim.sensor["rail.rate"], 2, 12)
        self.assert_same_bits(sim.sensor["gyro"], [0, 0, 0])
        sim.input["push"] = -4
        sim.step(100)
        self.assertAlmostEqual(sim.output["rail.slide"], 2, 12)
        self.assertAlmostEqual(sim.v[0], 0, 12)

    def test_state_that_is_written_counts(self):
        sim = art.read(CART).simulator(step=0.01, integrator="rk4")
        sim.step(10)
        sim.v[0] = 3
        self.assertEqual(sim.sensor["rail.rate"], 3)
        sim.step(100)
        self.assertAlmostEqual(sim.q[0], 3, 12)
        self.assertAlmostEqual(sim.time, 1.1, 12)
        sim.reset()
        self.assertEqual((sim.time, sim.q[0], sim.v[0]), (0, 0, 0))

    def test_reading_changes_nothing(self):
        model = art.load(model_path(CAR))
        one, other = (model.simulator(step=1e-3) for _ in range(2))
        one.step(20)
        for _ in range(20):
            other.step()
            other.sensor["yaw_rate"]
        self.assert_same_bits(one.q, other.q)
        self.assert_same_bits(one.v, other.v)

    def test_snapshots_go_on_to_the_same_bits(self):
        sim = art.load(model_path(CAR)).simulator(step=1e-3)
        sim.step(10)
        saved = sim.save()
        sim.step(10)
        q = sim.q.copy()
        sim.step(5)
        sim.load(saved)
        sim.step(10)
        self.assert_same_bits(sim.q, q)
        sim.reset()
        sim.step(20)
        self.assert_same_bits(sim.q, q)
        with self.assertRaises(art.InputError):
            sim.load(b"nothing of the kind")

    def test_parameter_during_steps(self):
        model = art.load(model_path("pendulum"))
        sim = model.simulator(step=1e-2)
        sim.step(5)
        model.parameters["L"] = 0.5
        sim.step(5)
        self.assertTrue(np.isfinite(sim.q).all())

    def test_misuse(self):
        model = art.read(CART)
        sim = model.simulator(step=0.01)
        for call, kind in ((lambda: sim.step(-1), ValueError), (lambda: sim.step("x"), TypeError), (lambda: sim.step(1, 2), ValueError),
                           (lambda: sim.input.__setitem__("pull", 1), KeyError), (lambda: sim.sensor["gyr"], KeyError),
                           (lambda: sim.input.__setitem__("push", 11), art.InputError),
                           (lambda: sim.input.__setitem__("push", "much"), TypeError),
                           (lambda: model.simulator(step=0), ValueError), (lambda: model.simulator(step="x"), ValueError),
                           (lambda: sim._core.set_input(7, 1.0), IndexError), (lambda: sim.load(3), TypeError)):
            with self.assertRaises(kind):
                call()
        sim.step(0)
        self.assertEqual(sim.time, 0)

    def test_threads_on_one_simulator(self):
        sim = art.load(model_path(CAR)).simulator(step=1e-3)
        thread = threading.Thread(target=sim.step, args=(500,))
        thread.start()
        refused = 0
        while thread.is_alive():
            try:
                sim.step(0)
            except RuntimeError as error:
                self.assertIn("another thread", str(error))
                refused += 1
        thread.join()
        self.assertGreater(refused, 0)


    def test_sensors_that_outputs_do_not_show(self):
        listed = CART + "outputs: {x: rail.slide}\n"
        clocked = listed.replace("frame: cart}", "frame: cart, every: 0.1 s}")
        for text in (listed, clocked):
            text = text.replace("unit: N,", "unit: N m,").replace("type: prismatic", "type: revolute")
            text = text.replace("axis: x", "axis: z").replace("rail.slide", "rail.angle")
            model = art.read(text)
            self.assertEqual(model.outputs, ["x"])
            sim = model.simulator(step=0.1)
            sim.input["push"] = 2
            sim.step(10)
            np.testing.assert_allclose(sim.sensor["gyro"], [0, 0, 2], atol=1e-9)
            self.assertEqual(sim.sensor["gyro.z"], sim.sensor["gyro"][2])
            self.assertEqual(sim.sensor["x"], sim.q[0])
            self.assertEqual(list(sim.sensor), ["gyro.x", "gyro.y", "gyro.z", "x"])


class Kernels(TestCase):
    def test_instances_move_as_simulators(self):
        many = art.load(model_path("vehicles/single-track")).instances(3, threads=2)
        self.assertEqual((many.device, many.reason, len(many)), ("cpu", None, 3))
        front, speed = [1.1, 1.2, 1.3], np.array([11.0, 12.0, 13.0])
        many.set_parameter("front", front)
        v = many["velocities"]
        v[0] = speed
        many["velocities"] = v
        many.step(1e-3, 100)
        for i in range(3):
            model = art.load(model_path("vehicles/single-track"), {"front": front[i], "ride.x_rate": speed[i]})
            sim = model.simulator(step=1e-3, integrator="rk4")
            sim.step(100)
            np.testing.assert_allclose(many["velocities"][:, i], sim.v, rtol=1e-11, atol=1e-11)
            np.testing.assert_allclose(many["outputs"][:, i], [sim.sensor[name] for name in model.outputs], rtol=1e-9, atol=1e-9)
            self.assertIsNone(many.failure(i))
        np.testing.assert_allclose(many["time"], 0.1, rtol=1e-12)
        many.advance(0.2)
        np.testing.assert_allclose(many["time"], 0.2, rtol=1e-12)

    def test_mistakes_are_told(self):
        model = art.load(model_path("loops/four-bar"))
        many = model.instances(2, share=True)
        self.assertEqual(many.free, ["bearing.rate"])
        self.assertEqual(many["parameters"].shape, (len(many.parameters),))
        many.set_parameter("crank", 0.21)
        q = many["positions"]
        q[2, 1] = -2.03
        many["positions"] = q
        many.step(1e-4, 3)
        self.assertEqual(list(many["failures"] != 0), [False, True])
        self.assertRegex(many.failure(1), "instance 1 stopped at 0 s: the loop")
        with self.assertRaisesRegex(ValueError, "expected \\(3, 2\\)"):
            many["positions"] = [0.0, 0.0]
        with self.assertRaisesRegex(art.Error, "instance 0: 'pivot.angle' is set to nan"):
            many["positions"] = q * np.nan
        with self.assertRaisesRegex(KeyError, "there is no parameter 'nobody'"):
            many.set_parameter("nobody", 1)
        with self.assertRaisesRegex(ValueError, "no 'nothing'"):
            many["nothing"]
        with self.assertRaisesRegex(ValueError, "'cpu' or 'gpu', not 'tpu'"):
            model.instances(2, device="tpu")
        with self.assertRaisesRegex(ValueError, "a precision is 'double', 'float' or 'mixed', not 'half'"):
            model.instances(2, precision="half")
        some = model.instances(2, own=["coupler"])
        some.set_parameter("coupler", [0.6, 0.61])
        some.set_parameter("crank", 0.21)
        self.assertNotEqual(*some["accelerations"][0])
        with self.assertRaisesRegex(art.Error, "instance 1: 'crank' is set to 0.22, but to 0.2 in instance 0; name it among"):
            some.set_parameter("crank", [0.2, 0.22])
        with self.assertRaisesRegex(art.Error, "cannot have a 'nobody' of their own"):
            model.instances(2, own=["nobody"])
        with self.assertRaisesRegex(TypeError, "names are strings"):
            model.instances(2, own=[1])
        self.assertEqual(model.instances(2).rounding(), 0)
        self.assertTrue(0 < model.instances(2, precision="float").rounding() < 1e-4)
        with self.assertRaises(art.Error):
            model.instances(0)
        for call in (many.failure, many._core.is_free):
            self.assertRaises(IndexError, call, 7)


class Tensor(ctypes.Structure):
    """The struct DLTensor of DLPack."""
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32), ("number", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]


def tensor_of(capsule):
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    return Tensor.from_address(pointer(capsule, b"dltensor"))


class OnDevice:
    """An array in memory of a GPU, as other libraries have them."""

    def __init__(self, view, **changes):
        self.view, self.changes, self.stream = view, changes, None

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, stream):
        self.stream = stream
        capsule = self.view.__dlpack__()
        for name, value in self.changes.items():
            setattr(tensor_of(capsule), name, value)
        return capsule


class Views(TestCase):
    """Vectors of instances where they lie."""

    @classmethod
    def setUpClass(cls):
        cls.model = art.load(model_path("vehicles/single-track"))

    def test_on_the_processor(self):
        many = self.model.instances(5)
        v = np.asarray(many.view("velocities"))
        self.assertEqual((v.shape, v.flags.writeable), ((many._core.width("velocities"), 5), True))
        self.assertEqual(many.view("velocities").__dlpack_device__(), (1, 0))
        self.assertEqual(np.from_dlpack(many.view("velocities")).ctypes.data, v.ctypes.data)
        want = self.model.instances(5)
        numbers = want["velocities"]
        numbers[0] = v[0] = np.linspace(10, 12, 5)
        many.touch("velocities")
        want["velocities"] = numbers
        many.step(1e-3, 10)
        want.step(1e-3, 10)
        self.assert_same_bits(v, want["velocities"], "velocities")
        y = np.from_dlpack(many.view("outputs"))
        self.assert_same_bits(y, want["outputs"], "outputs")
        self.assertEqual(np.from_dlpack(many.view("time")).shape, (5,))
        del many
        self.assert_same_bits(v, want["velocities"], "views hold their instances")
        for call, text in ((lambda: want.view("failures"), "cannot be seen where they lie"), (lambda: want.touch("outputs"), "read alone")):
            with self.assertRaisesRegex(art.Error, text):
                call()
        with self.assertRaisesRegex(ValueError, "another device than the instances"):
            want["velocities"] = OnDevice(want.view("velocities"))

    def test_on_a_graphics_processor(self):
        try:
            ctypes.CDLL("libcuda.so.1")
            self.skipTest("a device may be there")
        except OSError:
            pass
        with tempfile.TemporaryDirectory() as folder:
            plant = os.path.join(ROOT, "test/support/plant")
            driver = os.path.join(folder, "libcuda.so.1")
            subprocess.run(["cc", "-std=gnu11", "-O1", "-shared", "-fPIC", f"-I{ROOT}/src", f"-I{ROOT}/include", "-Wl,-soname,libcuda.so.1",
                            "-o", driver, os.path.join(plant, "driver_of_none.c"), "-ldl"], check=True)
            ctypes.CDLL(driver)
            os.environ["NVCC"] = os.path.join(plant, "nvcc_of_none")
            many, want = self.model.instances(6, device="gpu"), self.model.instances(6)
        self.assertEqual(many.device, "gpu")
        self.assertEqual(many.view("velocities").__dlpack_device__(), (2, 0))
        capsule = many.view("velocities").__dlpack__(stream=1)
        tensor = tensor_of(capsule)
        width = many._core.width("velocities")
        self.assertEqual((tensor.device, tensor.number, tensor.ndim, tensor.code, tensor.bits, tensor.lanes, tensor.offset),
                         (2, 0, 2, 2, 64, 1, 0))
        self.assertEqual((tensor.shape[:2], tensor.strides[:2]), ([width, 6], [6, 1]))
        time = tensor_of(many.view("time").__dlpack__())
        self.assertEqual((time.ndim, time.shape[0], time.strides[0]), (1, 6, 1))
        with self.assertRaisesRegex((BufferError, TypeError, ValueError), ""):
            memoryview(many.view("velocities"))

        # the memory of this driver is that of the process
        v = np.ctypeslib.as_array(ctypes.cast(tensor.data, ctypes.POINTER(ctypes.c_double)), (width, 6))
        want.step(1e-3, 10)
        many.step(1e-3, 10)
        self.assert_same_bits(v, want["velocities"], "velocities")

        # numbers of another array on the device
        other = self.model.instances(6, device="gpu")
        numbers = other["velocities"]
        numbers[0] += np.arange(6)
        other["velocities"] = want["velocities"] = numbers
        given = OnDevice(other.view("velocities"))
        many["velocities"] = given
        self.assertEqual(given.stream, 1)
        many.step(1e-3, 10)
        want.step(1e-3, 10)
        self.assert_same_bits(v, want["velocities"], "velocities")
        shape, steps = (ctypes.c_int64 * 2)(6, width), (ctypes.c_int64 * 2)(1, width)
        for changes, kind, text in (({"number": 1}, ValueError, "another device"), ({"bits": 32}, TypeError, "float64"),
                                    ({"shape": shape}, ValueError, "another shape"), ({"strides": steps}, ValueError, "contiguous")):
            with self.assertRaisesRegex(kind, text):
                many["velocities"] = OnDevice(other.view("velocities"), **changes)


class Batches(TestCase):
    def test_generated_machines_share_their_code(self):
        for name in ("vehicles/iltis", "double-pendulum"):
            model = art.load(model_path(name))
            many, sim = model.batch(9, method="generated", threads=2), model.simulator(step=1e-3, method="generated")
            many.v[:, 0] += 0.01 * np.arange(9)
            many.step(n=20)
            for i in (0, 4, 8):
                sim.reset()
                sim.v[0] += 0.01 * i
                sim.step(20)
                self.assert_same_bits(many.q[i], sim.q, name)
            many.reset()
            sim.reset()
            many.step(n=3)
            sim.step(3)
            self.assert_same_bits(many.q[7], sim.q, name)

    def test_machines_move_as_alone(self):
        model = art.read(CART)
        many = model.batch(7, step=0.01)
        u = np.linspace(-3, 3, 7)[:, None]
        many.q[:, 0] += np.arange(7)
        many.step(u, 50)
        for i in range(7):
            sim = model.simulator(step=0.01)
            sim.q[0] += i
            sim.input["push"] = u[i, 0]
            sim.step(50)
            self.assert_same_bits(many.q[i], sim.q)
            self.assert_same_bits(many.v[i], sim.v)
            self.assertEqual(many["rail.slide"][i], sim.sensor["rail.slide"])
        self.assert_same_bits(many.time, np.full(7, sim.time))

    def test_threads_change_no_bit(self):
        model = art.load(model_path("vehicles/iltis"))
        states = []
        for threads in (1, 2, 5):
            many = model.batch(6, threads=threads)
            many.v[:, 0] += 0.1 * np.arange(6)
            many.step(n=5)
            states.append(np.hstack([many.q, many.v]))
        self.assert_same_bits(states[0], states[1])
        self.assert_same_bits(states[0], states[2])

    def test_masks_and_resets(self):
        many = art.read(CART).batch(4, step=0.01)
        many.step(np.ones((4, 1)), 10)
        many.step(None, 10, mask=[1, 0, 1, 0])
        np.testing.assert_allclose(many.time, [0.2, 0.1, 0.2, 0.1], rtol=1e-14)
        many.reset(mask=many.time > 0.15)
        np.testing.assert_allclose(many.time, [0, 0.1, 0, 0.1], rtol=1e-14)
        many.reset()
        self.assert_same_bits(many.time, np.zeros(4))
        self.assert_same_bits(many.q, np.zeros((4, 1)))

    def test_one_failure_stops_no_other(self):
        many = art.load(model_path("double-pendulum")).batch(3)
        many.q[1] = np.nan
        with self.assertRaisesRegex(art.Error, "machine 1"):
            many.step(n=40)
        self.assert_same_bits(many.failed, [0, 1, 0])
        self.assertAlmostEqual(many.time[2], 0.04, 12)
        many.reset()
        many.step(n=3)
        self.assert_same_bits(many.failed, [0, 0, 0])

    def test_views_by_address(self):
        many = art.read(CART).batch(3)
        self.assertEqual(many.q.shape, (3, 1))
        self.assertEqual(np.from_dlpack(many._core.view("q")).ctypes.data, many.q.ctypes.data)
        with self.assertRaises(ValueError):
            many.y[0, 0] = 1

    def test_misuse(self):
        model = art.read(CART)
        many = model.batch(3)
        for call, kind in ((lambda: many.step(np.zeros((2, 1))), ValueError), (lambda: many.step(n=-1), ValueError),
                           (lambda: many.step("x"), ValueError), (lambda: many.step(mask=[1, 2]), ValueError),
                           (lambda: many.step(np.full((3, 1), 99.0)), art.InputError), (lambda: model.batch(0), ValueError),
                           (lambda: model.batch(2, threads=-1), ValueError), (lambda: many["nothing"], KeyError)):
            with self.assertRaises(kind):
                call()


if __name__ == "__main__":
    unittest.main()
