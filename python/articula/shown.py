# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""How objects are shown: one line in terminals, a table in notebooks."""
import html
from collections.abc import Iterable, Sequence
from typing import Any

_MOST_ROWS = 12
_MOST_WORDS = 8


def number(value: Any) -> str:
    """A number in short; other things as they are."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def listed(words: "Sequence[str]") -> str:
    """Words by commas, the first of many."""
    more = len(words) - _MOST_WORDS
    return ", ".join(words[:_MOST_WORDS]) + (f" and {more} more" if more > 0 else "")


def heading(text: str) -> str:
    """HTML of a line above a table."""
    return f"<b>{html.escape(text)}</b>"


def table(header: "Sequence[str]", rows: "Iterable[Sequence[Any]]") -> str:
    """HTML of a table, the first rows of many."""
    lines = [[number(cell) for cell in row] for row in rows]
    more = len(lines) - _MOST_ROWS
    head = "".join(f"<th>{html.escape(word)}</th>" for word in header)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in lines[:_MOST_ROWS])
    rest = f'<tr><td colspan="{len(header)}">and {more} more</td></tr>' if more > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}{rest}</tbody></table>"


class Shown:
    """Objects with a line for terminals, from `_title` and `_facts`, and a table of the same facts for notebooks."""

    __slots__ = ()

    def _title(self) -> str:
        return type(self).__name__

    def _facts(self) -> "list[tuple[str, Any]]":
        """Names and values of what there is to say."""
        raise NotImplementedError

    def __repr__(self) -> str:
        facts = ", ".join(f"{name} {number(value)}" for name, value in self._facts())
        return f"<articula.{self._title()}: {facts}>"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(number(value))}</td></tr>" for name, value in self._facts())
        return f"{heading(self._title())}<table>{rows}</table>"


class Report(dict[str, Any]):
    """What the command reports, a dict; in notebooks a table."""

    def _repr_html_(self) -> str:
        return table(("", ""), [(key, value if isinstance(value, (int, float, str)) else _short(value)) for key, value in self.items()])


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 120 else text[:117] + "..."


class Certificate(Report):
    """How far a run can be trusted: a dict as certificate.json; `verdict` is good, doubtful or failed, `reasons` say why."""

    def __repr__(self) -> str:
        reasons = "".join(f"; {reason}" for reason in self.get("reasons", []))
        return f"<articula.Certificate: {self['verdict']}, {self['status']} at {self['time']:g} s{reasons}>"


def optional(module: str, method: str, package: str) -> Any:
    """A package that users may not have: ImportError says what to install."""
    import importlib
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"{method} needs {package}: install it by `apt install python3-{package}` or `pip install {package}`",
                          name=error.name) from None
