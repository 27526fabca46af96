# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Errors of the library as exceptions, with the place in the model file and what to do."""
import re
from typing import Any


class Error(Exception):
    """A message for a person, and its parts.

    message     the text without its place
    status      the name of the status, "ART_BAD_INPUT"
    file        the file that it is about, or None
    line        where, from 1, or None
    column      where, from 1, or None
    suggestion  the word that may have been meant, or None
    run         the run that ended early, with its rows so far, or None
    """

    message: str = ""
    status: str = ""
    file: "str | None" = None
    line: "int | None" = None
    column: "int | None" = None
    suggestion: "str | None" = None
    run: Any = None


class ModelWarning(UserWarning):
    """A model has what is probably not meant, such as an angle of more than a turn without a unit."""


class InputError(Error, ValueError):
    """The input is wrong: a model file, a name, a value."""


class FileError(Error):
    """A file could not be read or written."""


class UnsupportedError(Error):
    """Not supported by this method or this build."""


class SingularError(Error, ArithmeticError):
    """The equations are singular."""


class ConvergenceError(Error, ArithmeticError):
    """An iteration did not converge, or the step became too small."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C stopped a run between two rows: `run` has the rows so far, and run.resume() goes on."""

    run: Any = None


# in the order of artStatus
_STATUS = ("ART_OK", "ART_BAD_INPUT", "ART_NO_MEMORY", "ART_IO", "ART_UNSUPPORTED", "ART_SINGULAR",
           "ART_NO_CONVERGENCE", "ART_STEP_TOO_SMALL", "ART_STALLED", "ART_STOPPED")
_KIND = {"ART_BAD_INPUT": InputError, "ART_IO": FileError, "ART_UNSUPPORTED": UnsupportedError,
         "ART_SINGULAR": SingularError, "ART_NO_CONVERGENCE": ConvergenceError,
         "ART_STEP_TOO_SMALL": ConvergenceError}


def make_from(report: "dict[str, Any]") -> Error:
    """The exception of an error that the command reports."""
    place = ":".join(str(report[key]) for key in ("file", "line", "column") if key in report)
    return _make(report["status"], f"{place}: {report['message']}" if place else report["message"])


def make(status: int, text: str) -> Error:
    """The exception of a status and a text "file:line:column: message"."""
    return _make(_STATUS[status], text)


def _make(name: str, text: str) -> Error:
    error = _KIND.get(name, Error)(text)
    error.status, error.message = name, text
    place = re.match(r"(.*?):(\d+):(\d+): (.*)", text, re.S) or re.match(r"([^\s:]+\.\w+): (.*)", text, re.S)
    if place:
        error.file, error.message = place[1], place[place.lastindex or 0]
    if place and place.lastindex == 4:
        error.line, error.column = int(place[2]), int(place[3])
    error.suggestion = _meant(text)
    return error


def _meant(text: str) -> "str | None":
    meant = re.search(r"\(did you mean '(.*?)'\?\)", text)
    return meant[1] if meant else None


def make_located(name: str, file: str, line: int, message: str) -> Error:
    """The exception of a mistake in a line of Python."""
    error = _KIND.get(name, Error)(f"{file}:{line}: {message}")
    error.status, error.message, error.file, error.line, error.suggestion = name, message, file, line, _meant(message)
    return error
