# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""The viewer: pages that stand alone, with a run or a live machine inside."""
import contextlib
import html
import os
import tempfile
import webbrowser
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Callable

from . import _articula
from .calls import find_page
from .progress import in_notebook

if TYPE_CHECKING:
    from .model import Model
    from .run import Run


@contextlib.contextmanager
def files_of(run: "Run") -> "Iterator[str]":
    """The folder of a run. One that has none is computed again, to the same bits, with a scene."""
    if run._folder is not None:
        yield run._folder
        return
    if run.model.revision != run._revision:
        raise RuntimeError("a parameter of the model has changed since this run: run it again, with output=FOLDER")
    study, options = run._call
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, os.path.splitext(os.path.basename(run.model.path))[0])
        run.model.run(study=study, output=name, **options)
        yield name


def write_page(run: "Run", path: str) -> None:
    """The page of a run."""
    find_page()
    with files_of(run) as folder:
        _articula.page(path, folder)


class View:
    """One HTML output of a notebook: a page that stands alone. `html` is the page."""

    def __init__(self, page: str, height: int, fragment: str) -> None:
        # a page within an output has no address of its own to carry the fragment
        start = f"<script>location.hash = {fragment!r}</script>" if fragment else ""
        self.html = page.replace("<head>", "<head>" + start, 1)
        self._height = int(height)

    def __repr__(self) -> str:
        return f"<articula.View: a page of {len(self.html) / 1e6:.1f} MB>"

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.html)}" style="width: 100%; height: {self._height}px; border: 0">'
                "</iframe>")


def _show(write: "Callable[[str], Any]", height: int, fragment: str) -> "View | str":
    """Write a page and show it: in a notebook as its output, else in the browser; its path is returned then."""
    handle, path = tempfile.mkstemp(suffix=".html", prefix="articula-")
    os.close(handle)
    write(path)
    if not in_notebook():
        webbrowser.open(f"file://{path}#{fragment}" if fragment else "file://" + path)
        return path
    with open(path, encoding="utf-8") as file:
        page = file.read()
    os.remove(path)
    return View(page, height, fragment)


def show(run: "Run", height: int) -> "View | str":
    """A run in the viewer."""
    return _show(lambda path: write_page(run, path), height, "")


def show_machine(model: "Model", sliders: "list[str] | None", height: int, step: "float | str | None") -> "View | str":
    """A live machine; with sliders the scene and these alone."""
    from urllib.parse import urlencode
    fragment = "" if sliders is None else urlencode([("embed", "1"), *(("slider", name) for name in sliders)])
    return _show(lambda path: model.page(path, step=step), height, fragment)
