# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Runs the code cells of a notebook in order, without Jupyter: notebook.py FILE.ipynb

The values of cells are shown as a notebook shows them. Every picture, plot and live view must be followed by a text that begins with
"**You see**"; a plot must not be blank, a view must be a page with its machine. Without matplotlib or the page of the viewer, what
needs them is not run."""
import ast
import importlib.util
import json
import os
import sys
import types
import unittest
import warnings
from pathlib import Path
from unittest import mock

from support import Cells, TestCase


class Notebook:
    """A notebook at work: `shown` has kind and number of the cell of all that it showed."""

    def __init__(self, path):
        content = json.loads(path.read_text(encoding="utf-8"))
        assert content["nbformat"] == 4 and all(not cell.get("outputs") for cell in content["cells"])
        self.cells = [(cell["cell_type"], "".join(cell["source"])) for cell in content["cells"]]
        self.jupyter = Cells()
        self.module = types.ModuleType("__main__")
        self.shown, self.asserted = [], 0

    def run(self):
        import matplotlib
        matplotlib.use("Agg")
        for number, (kind, source) in enumerate(self.cells):
            if kind == "code":
                self.jupyter.shell.execution_count = number
                self.run_cell(number, source)

    def run_cell(self, number, source):
        import matplotlib.pyplot as plt
        tree = ast.parse(source)
        self.asserted += sum(isinstance(node, ast.Assert) for node in ast.walk(tree))
        value = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        name = f"cell {number + 1}"
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Matplotlib is currently using agg")
            warnings.filterwarnings("ignore", "FigureCanvasAgg is non-interactive")
            exec(compile(tree, name, "exec"), self.module.__dict__)
            result = eval(compile(value, name, "eval"), self.module.__dict__) if value else None
        if result is not None:
            self.show(number, result)
        for figure in map(plt.figure, plt.get_fignums()):
            self.check_picture(figure)
            self.shown.append(("plot", number))
        plt.close("all")

    def show(self, number, result):
        """The value of a cell; figures are shown with all open ones."""
        page = (result._repr_html_() if hasattr(result, "_repr_html_") else None) or repr(result)
        assert page
        if "<iframe" in page:
            carried = '<script type="application/x-articula-scene"', '<script type="application/wasm"'
            assert any(mark in result.html for mark in carried), "the view has neither a run nor a machine"
            self.shown.append(("view", number))

    @staticmethod
    def check_picture(figure):
        """Something is drawn in every picture, and axes say what they show."""
        figure.canvas.draw()
        for axis in figure.axes:
            assert axis.has_data(), "a picture without data"
            assert axis.get_ylabel() or axis.get_xlabel() or axis.get_title() or axis.get_legend(), "a picture that says nothing"
        pixels = set(map(bytes, memoryview(figure.canvas.buffer_rgba()).tobytes().split(b"\xff\xff\xff\xff")))
        assert len(pixels) > 10, "a blank picture"

    def text_after(self, number):
        """The text below a cell; code that shows nothing may lie between."""
        for kind, source in self.cells[number + 1:]:
            if kind == "markdown":
                return source
        return ""


class Runs(TestCase):
    path: Path

    def test_cells_in_order(self):
        if importlib.util.find_spec("matplotlib") is None:
            self.skipTest("python3-matplotlib is not installed")
        from articula import FileError, viewer
        book = Notebook(self.path)
        here = os.getcwd()
        os.chdir(self.path.parent)
        self.addCleanup(os.chdir, here)
        show = viewer._show

        def show_if_there(write, height, fragment):
            try:
                return show(write, height, fragment)
            except FileError as error:
                print(f"{self.path.name}: no view, {error}")
                book.shown.append(("view", 0))
                return None
        with mock.patch.dict(sys.modules, {**book.jupyter.modules, "__main__": book.module}), mock.patch.object(viewer, "_show", show_if_there):
            book.run()
        kinds = [kind for kind, _ in book.shown]
        print(f"{self.path.name}: {kinds.count('plot')} plots, {kinds.count('view')} views, {book.asserted} assertions")
        self.assertTrue(kinds, "a notebook that shows nothing")
        self.assertGreater(book.asserted, 0)
        for kind, number in book.shown:
            if number:
                self.assertTrue(book.text_after(number).startswith("**You see**"), f"no text below the {kind} of cell {number + 1}")


if __name__ == "__main__":
    Runs.path = Path(sys.argv.pop()).resolve()
    unittest.main()
