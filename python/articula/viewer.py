# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""The viewer: a page that stands alone, with a run inside."""
import html
import os
import tempfile
import webbrowser
from typing import TYPE_CHECKING, Any

from . import _articula

if TYPE_CHECKING:
    from .run import Run


def _find_page() -> None:
    """The page that lies in the package, unless somebody names another one."""
    page = os.path.join(os.path.dirname(__file__), "viewer.html")
    if os.path.exists(page):
        os.environ.setdefault("ARTICULA_VIEWER", page)


def write_page(run: "Run", path: str) -> None:
    """Where a run has no folder it is computed again, to the same bits, with a scene."""
    _find_page()
    if run._folder is not None:
        _articula.page(path, run._folder)
        return
    if run.model.revision != run._revision:
        raise RuntimeError("a parameter of the model has changed since this run: run it again, with output=FOLDER")
    study, options = run._call
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, os.path.splitext(os.path.basename(run.model.path))[0])
        run.model.run(study=study, output=name, **options)
        _articula.page(path, name)


class Picture:
    """One HTML output of a notebook."""

    def __init__(self, page: str, height: int) -> None:
        self._page, self._height = page, height

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self._page)}" style="width: 100%; height: {int(self._height)}px; border: 0">'
                "</iframe>")


def show(run: "Run", height: int) -> Any:
    from .progress import _in_notebook
    handle, path = tempfile.mkstemp(suffix=".html", prefix="articula-")
    os.close(handle)
    write_page(run, path)
    if not _in_notebook():
        webbrowser.open("file://" + path)
        return path
    with open(path, encoding="utf-8") as file:
        page = file.read()
    os.remove(path)
    return Picture(page, height)
