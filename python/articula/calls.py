# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""The command, which is next to the package: verbs that report or write files are done by it, in a process of its own."""
import os
from typing import TYPE_CHECKING, Any

from .errors import Error, Interrupted, UnsupportedError, make_from
from .shown import Report

if TYPE_CHECKING:
    import subprocess

    from .names import PathName

# options whose values are words by commas; lists of others are given one by one
_BY_COMMAS = {"forms", "freeze", "sensitive", "passes", "actuators", "weights", "independent", "cut", "merge", "units", "latency",
              "inputs", "outputs"}


def find_command() -> str:
    """Its path: $ARTICULA, the one of the package, or the one that is installed."""
    import shutil
    own = os.path.join(os.path.dirname(__file__), "command")
    path = os.environ.get("ARTICULA") or (own if os.access(own, os.X_OK) else shutil.which("articula"))
    if not path:
        raise UnsupportedError("the command `articula` is neither in the package nor installed; set ARTICULA to its path")
    return path


def find_page() -> None:
    """The page of the viewer that lies in the package, unless somebody names another one."""
    page = os.path.join(os.path.dirname(__file__), "viewer.html")
    if os.path.exists(page):
        os.environ.setdefault("ARTICULA_VIEWER", page)


def _word(value: Any) -> str:
    """A number so that it reads back to the same bits."""
    if isinstance(value, (str, bytes, os.PathLike)):
        return os.fsdecode(value)
    return str(value) if isinstance(value, int) else repr(float(value))


def _operand(path: "PathName") -> str:
    """A file as the command takes it: one that is called --functions=laws.so is not an option."""
    text = os.fsdecode(path)
    return "./" + text if text.startswith("-") else text


def _words(name: str, value: Any) -> "list[str]":
    """An option of the command."""
    option = "--" + name.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [option]
    if isinstance(value, dict):
        values = [f"{key}={_word(number)}" for key, number in value.items()]
    elif isinstance(value, (str, bytes, os.PathLike)) or not hasattr(value, "__iter__"):
        values = [_word(value)]
    else:
        values = [_word(item) for item in value]
    if name in _BY_COMMAS:
        values = [",".join(values)] if values else []
    return [f"{option}={word}" for word in values]


def _wait(child: "subprocess.Popen[str]") -> "tuple[str, str, bool]":
    """The text of both streams of the command. Ctrl-C lets it end as it does in a terminal, with all that it has done so far."""
    import signal
    is_stopped = False
    while True:
        try:
            return (*child.communicate(), is_stopped)
        except KeyboardInterrupt:
            child.send_signal(signal.SIGKILL if is_stopped else signal.SIGINT)
            is_stopped = True


def command(verb: str, *operands: "PathName", **options: Any) -> Report:
    """`articula VERB OPERAND ... --option=value`: what it reports as JSON.

    Options have the names of the command with _ in the place of -: command("schedule", "car.yaml", units="mul=4,add=4").
    True is a flag, a dict gives NAME=VALUE, a list gives an option several times. Errors are exceptions.
    """
    import json
    import subprocess
    words = [find_command(), verb, *map(_operand, operands), "--json"]
    for name, value in options.items():
        words += _words(name, value)
    find_page()
    # in a group of its own: Ctrl-C comes through us, once
    child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, encoding="utf-8",
                             errors="replace", process_group=0)
    out, err, is_stopped = _wait(child)
    try:
        report = Report(json.loads(out) if out.strip() else {})
    except ValueError:
        report = Report({"text": out})
    if is_stopped:
        stop = Interrupted()
        stop.run = report
        raise stop
    if child.returncode and isinstance(report.get("error"), dict):
        raise make_from(report["error"])
    if child.returncode and not report:
        raise Error(err.strip() or f"the command ended with status {child.returncode}")
    return report


def main() -> None:
    """The command itself: `python -m articula VERB ...`."""
    import sys
    path = find_command()
    find_page()
    os.execv(path, [path, *sys.argv[1:]])
