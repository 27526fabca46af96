# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Runs from Python give the numbers of the command, to the last bit, for every sample model."""
import unittest

import articula as art
from support import MODELS, ROOT, TestCase, read_csv, run_command, sample_models

SPAN = 0.1  # s of each motion


class Bits(TestCase):
    def test_every_model_moves_as_by_the_command(self):
        for path in sample_models():
            with self.subTest(model=str(path.relative_to(ROOT))):
                self.compare(path)

    def test_every_method_and_integrator(self):
        loops, tree = MODELS / "loops/four-bar.yaml", MODELS / "double-pendulum.yaml"
        for method in ("semirecursive", "recursive", "augmented", "generated", "index1", "index3", "multi-index",
                       "conserving"):
            self.compare(loops, method=method)
        for method in ("order-n", "mass-matrix", "generated"):
            self.compare(tree, method=method)
        for integrator in ("rk4", "dopri5", "bdf", "adams", "automatic"):
            self.compare(tree, integrator=integrator, step=1e-3)

    def test_starts_and_parameters(self):
        self.compare(MODELS / "vehicles/iltis.yaml", at_equilibrium=True)
        self.compare(MODELS / "vehicles/multilink-car.yaml", parameters={"wave": 2.5}, tolerance=1e-5)

    def compare(self, path, parameters=None, **options):
        folder = self.folder()
        model = art.load(path, parameters)
        run = model.run(until=SPAN, progress=False, **options)
        words = [f"--{key.replace('_', '-')}" if value is True else f"--{key}={value}" for key, value in options.items()]
        words += [f"--set={name}={value}" for name, value in (parameters or {}).items()]
        run_command("run", path, "--until", SPAN, "-o", folder, "--quiet", *words)
        names, table = read_csv(folder / "results.csv")
        self.assertEqual(names, ["time", *run.names])
        self.assert_same_bits(run.table, table, path.name)


if __name__ == "__main__":
    unittest.main()
