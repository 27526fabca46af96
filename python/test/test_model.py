# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Models: names, parameters, and mistakes with their places."""
import unittest

import articula as art
from support import TestCase, model_path

PENDULUM = """articula: 1
parameters: {length: 0.5 m}
bodies:
  rod: {mass: 2 kg, com: [0, 0, = -length], inertia: [0.01, 0.01, 0.01]}
joints:
  pin: {type: revolute, from: ground, to: rod, axis: y}
initial: {pin: {angle: 0.3 rad}}
"""


class Models(TestCase):
    def test_a_path_with_a_null_character_is_refused(self):
        with self.assertRaisesRegex(ValueError, "null byte"):
            art.load(str(model_path("pendulum")) + "\0.x")

    def test_a_text_with_a_null_character_is_not_cut_off(self):
        model = art.load(model_path("pendulum"))
        calls = [lambda: model.run(method="recursive\0x"), lambda: model.run(until="1 s\0x"), lambda: model.run(study="a\0b"),
                 lambda: model.run(**{"until\0x": 1}), lambda: model.linear(study="a\0b"),
                 lambda: art.load(model_path("pendulum"), parameters={"m\0x": 2}),
                 lambda: model.attach_library("laws.so\0x"), lambda: model.sweep({"m\0x": [1.0]}, ["final:angle"])]
        for call in calls:
            with self.assertRaisesRegex(ValueError, "null (byte|character)"):
                call()

    def test_names_and_sizes(self):
        model = art.load(model_path("double-pendulum"))
        self.assertEqual(len(model.positions), model.counts["nq"])
        self.assertEqual(len(model.velocities), model.counts["nv"])
        self.assertEqual(len(model.outputs), model.counts["outputs"])
        self.assertEqual(len(model.bodies), model.counts["bodies"])
        self.assertEqual(len(model.joints), model.counts["joints"])
        self.assertEqual(model.units[model.positions[0]], "rad")

    def test_warnings(self):
        text = PENDULUM.replace("0.3 rad", "30")
        with self.assertWarnsRegex(art.ModelWarning, "'angle' is an angle of 30 rad, which is 1718.87 degrees") as caught:
            model = art.read(text)
        self.assertEqual(caught.filename, __file__)
        self.assertEqual(len(model.warnings), 1)
        self.assertTrue(model.warnings[0].startswith("model.yaml:7:24: "), model.warnings[0])
        model.parameters["length"] = 0.7
        self.assertEqual(len(model._warnings()), 1)
        self.assertEqual(art.read(PENDULUM).warnings, [])

    def test_text_with_parameters(self):
        model = art.read(PENDULUM)
        self.assertEqual(model.parameters["length"], 0.5)
        model.parameters["length"] = "600 mm"
        self.assertEqual(model.parameters["length"], 0.6)
        self.assertEqual(model.revision, 1)
        with self.assertRaises(art.InputError):
            model.parameters["length"] = "1 kg"
        with self.assertRaises(art.InputError) as caught:
            model.parameters["lenght"] = 1
        self.assertEqual(caught.exception.suggestion, "length")

    def test_parameter_as_if_loaded_with_it(self):
        path = model_path("vehicles/multilink-car")
        one, other = art.load(path, {"wave": 2.5}), art.load(path)
        self.assertNotEqual(one.hash, other.hash)
        other.parameters["wave"] = 2.5
        self.assertEqual(one.hash, other.hash)

    def test_mistake_with_place_and_suggestion(self):
        path = self.folder() / "wrong.yaml"
        path.write_text(PENDULUM.replace("axis: y", "axs: y"))
        with self.assertRaises(art.InputError) as caught:
            art.load(path)
        error = caught.exception
        self.assertEqual((error.file, error.line, error.column), (str(path), 6, 48))
        self.assertEqual(error.suggestion, "axis")
        self.assertEqual(error.status, "ART_BAD_INPUT")
        self.assertNotIn(str(path), error.message)
        self.assertIsInstance(error, ValueError)

    def test_file_that_is_not_there(self):
        with self.assertRaises(art.FileError) as caught:
            art.load("nowhere/pendulum.yaml")
        self.assertEqual(caught.exception.file, "nowhere/pendulum.yaml")

    def test_wrong_calls(self):
        for call in (lambda: art.load(1), lambda: art.read(1), lambda: art.read(PENDULUM, 7),
                     lambda: art.load(model_path("pendulum"), {"x": object()})):
            with self.assertRaises(TypeError):
                call()
        with self.assertRaises(art.InputError):
            art.load(model_path("pendulum"), {"nothing": 1})


if __name__ == "__main__":
    unittest.main()
