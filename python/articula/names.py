# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Names of a model with their numbers, and what to say about names that it does not have."""
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os

    from numpy import ndarray

    Array = ndarray[Any, Any]
    PathName = str | bytes | os.PathLike[Any]


def find(names: "dict[str, Any]", name: str, what: str) -> Any:
    """What a name leads to; KeyError with a suggestion."""
    try:
        return names[name]
    except (KeyError, TypeError):
        import difflib
        near = difflib.get_close_matches(str(name), names, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise KeyError(f"there is no {what} {name!r}{hint}") from None


def match(names: "dict[str, int]", patterns: "Iterable[str]", what: str) -> "list[str]":
    """Names that patterns with * and ? mean, in the order of the patterns, each once."""
    import fnmatch
    found: "dict[str, None]" = {}
    for pattern in patterns:
        chosen = [pattern] if pattern in names else fnmatch.filter(names, pattern)
        if not chosen:
            find(names, pattern, what)
        found.update(dict.fromkeys(chosen))
    return list(found)
