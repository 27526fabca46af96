# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""The builder: methods with all keys of the schema, machines equal to those of files, mistakes told by item and line of Python."""
import inspect
import json
import subprocess
import sys
import unittest
import warnings

import articula as art
import numpy as np
from articula import sections
from support import ROOT, TestCase, sample_models

SCHEMA, = (ROOT / "doc/reference").glob("*.schema.json")
FAMILIES = ("joint", "coupling", "latch", "force", "block", "sensor", "road", "tyre", "surface", "study")
SHAPES = ("solid", "visual", "path")
PLAIN = ("body", "drive", "input", "state")


def python_name(word):
    word = word.replace("-", "_")
    return word + "_" if word in ("from", "while", "class") else word


def keywords(function):
    return {name for name, part in inspect.signature(function).parameters.items() if part.kind == part.KEYWORD_ONLY}


class Methods(TestCase):
    def setUp(self):
        self.schema = json.loads(SCHEMA.read_text(encoding="utf-8"))

    def test_they_are_written_from_the_schema(self):
        made = subprocess.run([sys.executable, ROOT / "tools/write-builder.py", "--print"], check=True, capture_output=True,
                              encoding="utf-8").stdout
        self.assertEqual(made, (ROOT / "python/articula/sections.py").read_text(encoding="utf-8"),
                         "python/articula/sections.py is out of date: run tools/write-builder.py")

    def test_every_type_has_a_method_with_its_keys(self):
        forms, builder = self.schema["definitions"], art.Builder()
        for word in FAMILIES + SHAPES:
            for kind in forms[word]["properties"]["type"]["enum"]:
                method = getattr(getattr(builder, word), python_name(kind))
                keys = set(forms[f"{word}_{kind}"]["properties"]) - {"type"}
                self.assertEqual(keywords(method), {python_name(key) for key in keys}, (word, kind))
                self.assertTrue(all(python_name(key) in inspect.getdoc(method) for key in keys), (word, kind))
                needed = {part.name for part in inspect.signature(method).parameters.values()
                          if part.kind == part.KEYWORD_ONLY and part.default is part.empty}
                self.assertEqual(needed, {python_name(key) for key in forms[f"{word}_{kind}"]["required"]} - {"type"}, (word, kind))
        for word in PLAIN:
            self.assertEqual(keywords(getattr(builder, word)), {python_name(key) for key in forms[word]["properties"]}, word)
        self.assertEqual(keywords(builder.parameter), set(forms["parameter"]["properties"]) - {"value"})

    def test_units_and_defaults_are_in_the_docstrings(self):
        self.assertIn("[N/m]", inspect.getdoc(sections.Forces.spring_damper))
        self.assertIn("(default [0, 0, 0])", inspect.getdoc(sections.PlainSections.body))

    def test_every_section_has_a_place(self):
        b = art.Builder("x", gravity=[0, 0, 0], ground={}, include=[], names=[], assembly={}, study={}, live=[])
        b.parameter("k", 1).output("x", "k").curve("c", table=[[0, 0], [1, 1]]).initial("j", angle=1).guess("j", angle=1)
        for word in FAMILIES:
            getattr(b, word)("item", type="any")
        b.body("b").drive("d", coordinate="j").input("i").state("s", rate="1")
        self.assertEqual(set(self.schema["properties"]), set(b.description))


def rebuilt(description):
    """The machine of a file, call by call."""
    b = art.Builder(description.get("title", ""), **{key: description[key] for key in
                    ("gravity", "ground", "names", "assembly", "study", "live") if description.get(key) is not None})
    sections_of = {"joint": "joints", "coupling": "couplings", "latch": "latches", "surface": "surfaces", "force": "forces", "block": "blocks",
                   "sensor": "sensors", "road": "roads", "tyre": "tyres", "study": "studies", "body": "bodies",
                   "drive": "drives", "input": "inputs", "state": "states", "curve": "curves", "initial": "initial",
                   "guess": "guess"}
    for name, value in (description.get("parameters") or {}).items():
        more = dict(value) if isinstance(value, dict) else {"value": value}
        b.parameter(name, more.pop("value", None), **more)
    for word, section in sections_of.items():
        for name, keys in (description.get(section) or {}).items():
            keys = {python_name(key): value for key, value in (keys or {}).items()}
            kind = keys.pop("type", None)
            method = getattr(b, word)
            (getattr(method, python_name(kind)) if kind else method)(name, **keys)
    outputs = description.get("outputs") or {}
    if isinstance(outputs, list):
        b.description["outputs"] = outputs
        return b.compile()
    for name, formula in outputs.items():
        b.output(name, formula)
    return b.compile()


class Machines(TestCase):
    def test_same_machine_as_from_a_file(self):
        b = art.Builder("Cart", gravity=[0, 0, 0])
        b.body("cart", mass="2 kg", inertia=np.ones(3))
        b.joint.prismatic("rail", from_="ground", to="cart", axis="x")
        b.parameter("k", "8 N/m").force.joint_spring("spring", coordinate="rail", stiffness="= k")
        b.initial("rail", slide=np.float64(0.5)).output("x", "rail.slide")
        run = b.compile().run(until=1, tolerance=1e-10)
        np.testing.assert_allclose(run["x"], 0.5 * np.cos(2 * run.time), atol=1e-7)

    def test_sample_models_call_by_call(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("python3-yaml is not installed")
        count = 0
        for path in sample_models():
            text = path.read_text(encoding="utf-8")
            if "include:" in text or "file:" in text or "profile:" in text:
                continue  # these name files, relative to the model
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.assertEqual(rebuilt(yaml.safe_load(text)).hash, art.load(path).hash, path)
            count += 1
        self.assertGreater(count, 50)

    def test_shapes(self):
        b = art.Builder()
        b.body("rod", mass=2, solid=b.solid.cylinder(radius=0.02, length=1, axis="x"), visual=[b.visual.box(size=[1, 2, 3])])
        b.joint.revolute("pin", from_="ground", to="rod", axis="y")
        J = b.compile().data().mass_matrix()
        self.assertAlmostEqual(J[0, 0], 2 * (3 * 0.02**2 + 1) / 12)
        self.assertEqual(b.path.circle(radius=3), {"type": "circle", "radius": 3})


class Mistakes(TestCase):
    """The line of Python, the item and the key are told, not the line of a hidden text."""

    def pendulum(self, **keys):
        b = art.Builder("Pendulum", gravity=keys.get("gravity", [0, 0, -9.81]))
        b._store("bodies", "body", "rod", {"mass": 2, "com": [0, 0, -0.5], "inertia": [0.01] * 3, **keys.get("body", {})})
        b.joint("pin", **{"type": "revolute", "from_": "ground", "to": "rod", "axis": "y", **keys.get("joint", {})})
        b.force("shock", **{"type": "spring-damper", "between": ["ground", "rod"], "stiffness": 1, **keys.get("force", {})})
        b.initial("pin", **keys.get("initial", {"angle": 0.3}))
        return b.output("a", keys.get("output", "pin.angle"))

    def test_item_key_and_line(self):
        first = inspect.getsourcelines(Mistakes.pendulum)[1]
        for keys, line, message in (
                ({"gravity": [1]}, 1, "gravity: found a list of 1 item"),
                ({"body": {"mas": 1}}, 2, "body 'rod': 'mas' is not a key of a body (did you mean 'mass'?)"),
                ({"body": {"mass": "2 m"}}, 2, "body 'rod': mass: found a length in m, expected a mass in kg"),
                ({"body": {"inertia": [1, 1, 5]}}, 2, "the inertia of body 'rod' has"),
                ({"joint": {"axis": "w"}}, 3, "joint 'pin': axis: found 'w'"),
                ({"joint": {"type": "revolut"}}, 3, "joint 'pin': type: 'revolut' is not a type of joint"),
                ({"joint": {"to": "rid"}}, 3, "joint 'pin' names the body 'rid'"),
                ({"force": {"stiffness": "3 kg"}}, 4, "spring-damper 'shock': stiffness: found a mass in kg"),
                ({"force": {"stiffness": "= k"}}, 4, "spring-damper 'shock': stiffness: unknown name 'k'"),
                ({"force": {"stiffness": float("nan")}}, 4, "spring-damper 'shock': stiffness: found 'NaN'"),
                ({"initial": {"angl": 1}}, 5, "revolute joint 'pin' has no coordinate 'angl'"),
                ({"output": "pin.angl"}, 6, "output 'a': revolute joint 'pin' has no 'angl'")):
            with self.assertRaises(art.InputError) as caught:
                self.pendulum(**keys).compile()
            error = caught.exception
            self.assertTrue(error.message.startswith(message), error.message)
            self.assertEqual((error.file.rpartition("/")[2], error.line, error.column), ("test_builder.py", first + line, None))
            self.assertEqual(str(error), f"{error.file}:{error.line}: {error.message}")
        self.pendulum().compile()

    def test_suggestions(self):
        with self.assertRaises(art.InputError) as caught:
            self.pendulum(body={"mas": 1}).compile()
        self.assertEqual(caught.exception.suggestion, "mass")

    def test_warnings_name_the_line_of_python(self):
        with self.assertWarnsRegex(art.ModelWarning, r"test_builder\.py:\d+: initial values of joint 'pin': 'angle' is an angle of 30") as caught:
            model = self.pendulum(initial={"angle": 30}).compile()
        self.assertEqual(caught.filename, __file__)
        self.assertNotIn("builder:", model.warnings[0])

    def test_wrong_keys_of_methods_are_wrong_calls(self):
        b = art.Builder()
        with self.assertRaisesRegex(TypeError, "'ax'"):
            b.joint.revolute("pin", from_="ground", to="rod", ax="y")
        with self.assertRaisesRegex(TypeError, "'to'"):
            b.joint.revolute("pin", from_="ground")
        with self.assertRaises(AttributeError):
            b.wheel("x")
        with self.assertRaisesRegex(TypeError, "neither a number, a text, a list nor a mapping"):
            b.body("rod", mass=object())

    def test_an_item_is_defined_once(self):
        b = art.Builder()
        for _ in range(2):  # a cell of a notebook that runs twice
            b.body("rod", mass=2).initial("pin", angle=0.1).initial("pin", rate=0.2)
        with self.assertRaisesRegex(art.InputError, r"body 'rod': already defined at .*test_builder\.py:\d+"):
            b.body("rod", mass=3)
        with self.assertRaisesRegex(art.InputError, "initial values of joint 'pin': already defined"):
            b.initial("pin", angle=0.3)
        self.assertEqual(b.description["initial"]["pin"], {"angle": 0.1, "rate": 0.2})


if __name__ == "__main__":
    unittest.main()
