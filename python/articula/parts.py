# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""What the methods of a builder have in common: they store items, and remember which line of Python wrote which."""
import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .builder import Builder


class Place(NamedTuple):
    """A line of the user's program."""
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def caller() -> Place:
    """The line that called the package: of a file, or of a cell of a notebook, "In[3]"."""
    frame = sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__", "")).partition(".")[0] == "articula":
        frame = frame.f_back
    file = frame.f_code.co_filename
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    name_cell = getattr(getattr(shell, "compile", None), "format_code_name", None)
    cell = name_cell(file) if name_cell else None
    near = os.path.relpath(file)
    return Place(cell[1] if cell else file if near.startswith("..") else near, frame.f_lineno)


def given(keys: "dict[str, Any]") -> "dict[str, Any]":
    """The keys of a model file from arguments: without those that are None and without the `_` of Python's keywords."""
    return {key.rstrip("_"): value for key, value in keys.items() if key not in ("self", "name") and value is not None}


class Section:
    """A section of a model file whose items have types."""

    _section: str
    _word: str

    def __init__(self, builder: "Builder") -> None:
        self._builder = builder

    def __call__(self, name: str, /, *, type: str, **keys: Any) -> "Builder":
        """An item by its type and keys as in a model file; the methods have the same keys with help."""
        return self._builder._store(self._section, self._word, name, {"type": type, **given(keys)})

    def _add(self, kind: str, name: str, keys: "dict[str, Any]") -> "Builder":
        return self._builder._store(self._section, self._word, name, {"type": kind, **given(keys)})

    def __repr__(self) -> str:
        types = [word for word in vars(type(self)) if not word.startswith("_")]
        return f"<section {self._section} of a builder: {', '.join(types)}>"


class Shapes:
    """Values of a key that have types."""

    def _make(self, kind: str, keys: "dict[str, Any]") -> "dict[str, Any]":
        return {"type": kind, **given(keys)}


class Items:
    """A builder as its generated methods see it."""

    def _store(self, section: str, word: str, name: str, keys: "dict[str, Any]") -> "Builder":
        raise NotImplementedError

    def _add(self, section: str, word: str, name: str, keys: "dict[str, Any]") -> "Builder":
        return self._store(section, word, name, given(keys))
