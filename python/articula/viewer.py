# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""The viewer: a page that stands alone, with a run inside."""
import contextlib
import html
import os
import tempfile
import webbrowser
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from . import _articula
from .calls import find_page

if TYPE_CHECKING:
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
    find_page()
    with files_of(run) as folder:
        _articula.page(path, folder)


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
