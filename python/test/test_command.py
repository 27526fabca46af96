# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Verbs that the command does for Python: its own numbers, with the parameters of the model as they are."""
import json
import os
import signal
import subprocess
import sys
import threading
import time
import unittest
from pathlib import Path

import articula as art
import numpy as np
from support import MODELS, TestCase, model_path, run_command

FOUR_BAR = model_path("loops/four-bar")


def ask(*words):
    return json.loads(run_command(*words, "--json").stdout)


class Verbs(TestCase):
    def test_every_verb_of_the_command_has_a_place(self):
        verbs = {line.split()[0] for line in run_command("--help").stdout.splitlines() if line.startswith("  ") and line[2] != " "}
        verbs -= {"articula"}
        names = {"report": art.Run, "export": art.Run, "plot": art.Run, "view": art.Run, "bench": art, "import": art}
        other = {"view": "show", "import": "convert", "completion": None, "play": None}
        for verb in verbs:
            name = other.get(verb, verb)
            self.assertTrue(name is None or callable(getattr(names.get(verb, art.Model), name, None)), verb)

    def test_reports_are_those_of_the_command(self):
        model = art.load(FOUR_BAR)
        self.assertEqual(model.info(), ask("info", FOUR_BAR))
        self.assertEqual(model.schedule(units={"mul": 4, "add": 4, "div": 1, "sin": 1}),
                         ask("schedule", FOUR_BAR, "--units", "mul=4,add=4,div=1,sin=1"))
        self.assertEqual(model.split(tasks=2)["operations"], ask("split", FOUR_BAR, "--tasks", "2")["operations"])

    def test_bench(self):
        folder = self.folder()
        (folder / "short.yaml").write_text(Path(model_path("pendulum")).read_text(encoding="utf-8"))
        reference = "# problem: short\n# source: itself\n# norm: iftomm\n# limit: 1e-3\ntime,x,y\n0,-1,0\n0.5,-3.91049E-01,-9.20370E-01\n"
        (folder / "short.csv").write_text(reference)
        problem = art.bench(folder / "short.csv", tolerance=1e-9)["problems"][0]
        self.assertEqual((problem["name"], problem["tolerance"], problem["methods"][0]["within_limit"]), ("short", 1e-9, True))
        with self.assertRaisesRegex(art.InputError, "no problem"):
            art.bench("nothing")

    def test_names_of_files_are_no_options(self):
        folder = self.folder()
        text = Path(model_path("pendulum")).read_text(encoding="utf-8").replace("title: Simple", "title: größe")
        (folder / "--functions=laws.yaml").write_text(text, encoding="utf-8")
        script = "import articula as art; print(ascii(art.load('--functions=laws.yaml').info()['title']))"
        environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}  # reports are UTF-8 everywhere
        done = subprocess.run([sys.executable, "-c", script], cwd=folder, env=environment, capture_output=True, text=True)
        self.assertEqual((done.stdout.strip(), done.stderr), (ascii("größe pendulum, IFToMM benchmark A01"), ""))

    def test_parameters_and_texts_go_along(self):
        path = model_path("pendulum")
        model = art.load(path, parameters={"m": 2})
        self.assertEqual(model.info()["mass"], 2)
        model.parameters["m"] = 3
        self.assertEqual(model.info()["mass"], 3)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(art.read(file.read()).info()["hash"], ask("info", path)["hash"])

    def test_compare_refines_natural_coordinates(self):
        trials = {(t.method, t.algebra): t for t in art.load(FOUR_BAR).compare(until=0.1, limit=1e-6)}
        told = ask("compare", FOUR_BAR, "--until", "0.1", "--limit", "1e-6")["methods"]
        self.assertEqual(set(trials), {(line["method"], line.get("algebra")) for line in told})
        self.assertLess(trials["index3", None].difference, 1e-5)
        self.assertEqual(trials["recursive", None].difference, [t for t in told if t["method"] == "recursive"][0]["difference"])
        with self.assertRaisesRegex(KeyError, "recursive"):
            art.load(FOUR_BAR).compare(until=0.1, methods=["recursiv"])

    def test_generate_takes_all_options(self):
        model, folder = art.load(FOUR_BAR), self.folder()
        path = model.generate("c", "bar", folder=folder, forms=["accelerate", "energy"], freeze=["mass"], header=True)
        (folder / "other").mkdir()
        run_command("generate", FOUR_BAR, "--language=c", "--name=bar", "--forms=accelerate,energy", "--freeze=mass", "--header", "-o",
                    folder / "other/bar.c")
        self.assertEqual((folder / "bar.c").read_text(), (folder / "other/bar.c").read_text())
        self.assertEqual(path, str(folder / "bar.c"))
        simulator = model.generate("c", "whole", folder=folder, product="simulator")
        self.assertIn("int main", Path(simulator).read_text(encoding="utf-8"))

    def test_report_and_export(self):
        folder = self.folder()
        run = art.load(model_path("pendulum")).run(until=0.2, progress=False)
        run.export(glb=folder / "swing.glb")
        self.assertEqual((folder / "swing.glb").read_bytes()[:4], b"glTF")
        run.report(folder / "swing.html", "angle")
        self.assertIn("angle", (folder / "swing.html").read_text(encoding="utf-8"))
        with self.assertRaises(ValueError):
            run.report(folder / "two.html", against=[run])

    def test_machines_for_other_programs(self):
        if "--fmu" not in run_command("help", "export").stdout:
            self.skipTest("the command writes no units")
        path = self.folder() / "swing.fmu"
        art.load(model_path("pendulum"), parameters={"m": 2}).export(fmu=path, sources=True)
        self.assertEqual(path.read_bytes()[:2], b"PK")

    def test_other_formats(self):
        folder = self.folder()
        said = art.convert(MODELS / "import/swing.xml", folder / "swing.yaml")
        self.assertEqual(said["format"], "MJCF")
        self.assertGreater(len(art.load(folder / "swing.yaml").bodies), 0)

    def test_libraries_of_functions(self):
        folder = self.folder()
        (folder / "law.c").write_text("void law(const double *x, double *y) { y[0] = 6 - 3 * x[0]; }\n")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "law.so", folder / "law.c"], check=True)
        text = """articula: 1
gravity: [0, 0, 0]
bodies: {cart: {mass: 2 kg, inertia: [1, 1, 1]}}
joints: {rail: {type: prismatic, from: ground, to: cart, axis: x}}
forces: {motor: {type: joint-force, coordinate: rail, function: law}}
"""
        model = art.read(text)
        with self.assertRaises(art.InputError):
            model.run(until=1)
        model.attach_library(folder / "law.so")
        run = model.run(until=1, tolerance=1e-10)
        np.testing.assert_allclose(run["rail.slide"], 2 - 2 * np.cos(np.sqrt(1.5) * run.time), atol=1e-7)
        self.assertEqual({t.verdict for t in model.compare(until=0.1, methods=["order-n"])}, {"good"})
        sweep = model.sweep({"rail.slide": [0, 2]}, ["final:rail.slide"], until=1)
        self.assertAlmostEqual(sweep["final:rail.slide"][1], 2, 9)

    def test_errors_have_their_parts(self):
        with self.assertRaises(art.FileError) as caught:
            art.command("info", model_path("pendulm"))
        self.assertIn("pendulum.yaml", caught.exception.suggestion)
        with self.assertRaisesRegex(art.InputError, "--unts"):
            art.load(FOUR_BAR).schedule(unts="mul=1")
        path = self.folder() / "wrong.yaml"
        path.write_text("articula: 1\nbodies:\n  rod: {mass: 1}\njoints:\n  pin: {type: free, form: ground, to: rod}\n")
        with self.assertRaises(art.InputError) as caught:
            art.command("info", path)
        self.assertEqual((caught.exception.line, caught.exception.suggestion), (5, "from"))

    def test_the_command_itself(self):
        words = [sys.executable, "-m", "articula", "--version"]
        self.assertEqual(subprocess.run(words, check=True, capture_output=True, text=True).stdout, f"articula {art.__version__}\n")


class Journals(TestCase):
    def test_table_as_without_a_folder(self):
        model, folder = art.load(model_path("pendulum"), parameters={"m": 3}), self.folder()
        plain = model.sweep({"L": [0.5, 1, 2], "m": [2, -1]}, ["max:angle", "final:energy"], until=0.2)
        kept = model.sweep({"L": [0.5, 1, 2], "m": [2, -1]}, ["max:angle", "final:energy"], until=0.2, output=folder)
        self.assert_same_bits(plain.results, kept.results)
        self.assertEqual(plain.verdict, kept.verdict)
        self.assertIn("mass", kept.text[1])
        again = model.sweep({"L": [0.5, 1, 2], "m": [2, -1]}, ["max:angle", "final:energy"], until=0.2, output=folder, resume=True)
        self.assert_same_bits(again.results, kept.results)

    def test_parameters_that_were_changed_count(self):
        model = art.load(model_path("pendulum"))
        model.parameters["m"] = 3
        sweep = model.sweep({"L": [1.0]}, ["final:energy"], until=0.2)
        self.assertEqual(sweep["final:energy"][0], model.run(until=0.2)["energy"][-1])

    def test_ctrl_c_leaves_a_journal(self):
        model, folder = art.load(model_path("pendulum")), self.folder()

        def stop():
            end = time.monotonic() + 30
            while not (folder / "journal").exists() and time.monotonic() < end:
                time.sleep(0.02)
            time.sleep(0.1)
            os.kill(os.getpid(), signal.SIGINT)
        lengths = np.linspace(1, 2, 20000)  # far from done when the signal comes
        thread = threading.Thread(target=stop, daemon=True)
        thread.start()
        sweep = model.sweep({"L": lengths}, ["final:*"], until=30, threads=1, output=folder)
        thread.join()
        self.assertFalse(sweep.is_finished)
        self.assertIn("", sweep.verdict)
        self.assertTrue((folder / "journal").exists())
        done = [i for i, word in enumerate(sweep.verdict) if word]
        if done:
            self.assert_same_bits(sweep.results[done], model.sweep({"L": lengths[done]}, ["final:*"], until=30).results)


if __name__ == "__main__":
    unittest.main()
