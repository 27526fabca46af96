# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Parts that the tests share: the models of the repository, and the command to compare with."""
import csv
import os
import subprocess
import tempfile
import types
import unittest
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"
COMMAND = os.environ.get("ARTICULA", str(ROOT / "build/dev/articula"))


def model_path(name):
    return str(MODELS / f"{name}.yaml")


def sample_models():
    """All sample models, parts of others left out."""
    return sorted(path for path in MODELS.rglob("*.yaml") if "parts" not in path.parts)


def run_command(*words, check=True):
    return subprocess.run([COMMAND, *map(str, words)], check=check, capture_output=True, text=True)


def read_csv(path):
    """Names of the columns without units, and their numbers; what reads back to the same bits."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return [name.split(" [")[0] for name in rows[0]], np.array([[float(x) for x in row] for row in rows[1:]])


class Cells:
    """IPython with a kernel, as far as the package and matplotlib ask for it: `modules` for sys.modules; `shown` is what was
    displayed."""

    def __init__(self):
        self.shown = []
        self.shell = types.SimpleNamespace(kernel=object(), execution_count=1, events=types.SimpleNamespace(register=lambda *call: None))
        names = ("IPython", "IPython.display", "IPython.core", "IPython.core.pylabtools")
        self.modules = {name: types.ModuleType(name) for name in names}
        package, display, core, tools = self.modules.values()
        display.HTML, display.display = lambda text: text, self.display
        tools.backend2gui = {}
        package.display, package.core, core.pylabtools, package.get_ipython = display, core, tools, lambda: self.shell
        package.__path__ = core.__path__ = []
        package.version_info = (8, 5, 0)

    def display(self, thing, display_id=None, raw=False):
        self.shown.append(thing)
        return types.SimpleNamespace(update=self.shown.append)


class TestCase(unittest.TestCase):
    def folder(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return Path(folder.name)

    def assert_same_bits(self, a, b, what=""):
        a, b = np.asarray(a), np.asarray(b)
        self.assertEqual(a.shape, b.shape, what)
        is_same = (a == b) | (np.isnan(a) & np.isnan(b))
        self.assertTrue(is_same.all(), f"{what}: {np.count_nonzero(~is_same)} numbers differ")
