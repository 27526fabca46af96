#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Write python/articula/sections.py, the methods of the Python builder, from the JSON Schema of model files.

The schema is made from the field lists of the library (test/unit/test_schema.c). Without arguments the module is
rewritten; with --print it is printed, for the test that compares.
"""
import json
import keyword
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCHEMA = ROOT / "doc/reference/articula-model.schema.json"
MODULE = ROOT / "python/articula/sections.py"
WIDTH = 120

HEAD = '''\
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Written by tools/write-builder.py from doc/reference/articula-model.schema.json; do not edit.
"""The sections of a model file as methods of a builder, one for each type of item, with all keys.

Numbers are in SI units; texts may have units or be formulas: 0.5, "25 N/mm", "= m*L^2/12". A key that is a keyword of Python has a `_` after it: `from_`, `while_`, `class_`.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Union

from .parts import Items, Section, Shapes

if TYPE_CHECKING:
    from numpy import ndarray

    from .builder import Builder

Number = Union[float, str]
Numbers = Union[Sequence[Number], "ndarray[Any, Any]"]
Rows = Union[Sequence[Sequence[Number]], "ndarray[Any, Any]"]
Axis = Union[str, Numbers]
Orientation = Union[Numbers, Mapping[str, Any]]
Part = Mapping[str, Any]
'''

# Python types of the schema's definitions
TYPES = {"number": "Number", "formula": "Number", "limit": "Number", "text": "str", "flag": "bool", "reference": "str",
         "coordinate": "str", "vector": "Numbers", "numbers": "Numbers", "bounds": "Numbers", "tensor": "Numbers",
         "six": "Numbers", "formulas": "Sequence[Number]", "some_numbers": "Number | Numbers",
         "some_formulas": "Number | Sequence[Number]", "axis": "Axis", "axes": "Sequence[Axis]", "orientation": "Orientation",
         "rows": "Rows", "outline": "Rows", "corners": "Rows", "six_by_six": "Numbers | Rows", "names": "Sequence[str]", "between": "Sequence[str]", "surface_pair": "Sequence[str]",
         "through": "Sequence[str]", "coordinates": "Sequence[str]", "actuators": "Sequence[str]", "law": "Part",
         "six_laws": "Mapping[str, Part]", "stops": "Part", "end": "str | Part", "inertia": "Numbers | Part",
         "points": "Mapping[str, Numbers]", "frames": "Mapping[str, Part]", "terms": "Mapping[str, Number]",
         "motion": "Mapping[str, Number]", "given_parameters": "Mapping[str, Number]", "given_names": "Mapping[str, str]",
         "track_list": "Sequence[Part]", "visuals": "Part | Sequence[Part]", "solids": "Part | Sequence[Part]",
         "path_or_curve": "str | Part"}

# families by their word in the schema: the class, and the section of the model file that has their items by name
FAMILIES = {"joint": ("Joints", "joints"), "coupling": ("Couplings", "couplings"), "latch": ("Latches", "latches"), "surface": ("Surfaces", "surfaces"),
            "force": ("Forces", "forces"), "block": ("Blocks", "blocks"), "sensor": ("Sensors", "sensors"),
            "road": ("Roads", "roads"), "tyre": ("Tyres", "tyres"), "study": ("StudiesOfModel", "studies")}
SHAPES = {"solid": "Solids", "visual": "Visuals", "path": "Paths"}
PLAIN = {"body": "bodies", "drive": "drives", "input": "inputs", "state": "states"}
PLAIN_HELP = {"body": "A rigid body.", "drive": "A prescribed motion of a coordinate: `value` or `table`.",
              "input": "A number that the program sets as time goes on.",
              "state": "A first-order state of the machine besides its coordinates."}


def python_name(word: str) -> str:
    """A key or type as Python may call it."""
    name = word.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def annotation(schema: dict) -> str:
    """The Python type of a key."""
    if "enum" in schema:
        words = sorted({str(word) for word in schema["enum"] if not isinstance(word, bool)}, key=[str(w) for w in schema["enum"]].index)
        literal = f"Literal[{', '.join(json.dumps(word) for word in words)}]"
        return literal + " | bool" if any(isinstance(word, bool) for word in schema["enum"]) else literal
    return TYPES[schema["allOf"][0]["$ref"].rpartition("/")[2]]


def wrapped(text: str, first: str, rest: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False)


def packed(words: list[str], first: str, end: str) -> list[str]:
    """Arguments in lines, none of them broken."""
    lines, line = [], first
    for i, word in enumerate(words):
        piece = word + (", " if i + 1 < len(words) else end)
        if len(line) + len(piece.rstrip()) > WIDTH:
            lines.append(line.rstrip())
            line = " " * len(first)
        line += piece
    return lines + [line]


def key_lines(keys: dict, required: set, indent: str) -> list[str]:
    """The list of keys of a docstring: name, unit, meaning, default."""
    width = max(map(len, map(python_name, keys)), default=0)
    lines = []
    for key, schema in keys.items():
        help_text = schema["description"].replace(": see below", "").replace(", see below", "").replace("\\", "\\\\")
        unit = f"[{schema['unit']}] " if "unit" in schema else ""
        default = "" if key in required or "fallback" not in schema else f" (default {schema['fallback']})"
        lines += wrapped(unit + help_text + default, f"{indent}{python_name(key).ljust(width)}  ", indent + " " * (width + 2))
    return lines


def rules(schema: dict) -> list[str]:
    """Sentences about keys that exclude each other."""
    sentences = []
    parts = schema.get("allOf", [])
    for i, part in enumerate(parts):
        if "not" not in part:
            continue
        pair = [f"`{python_name(key)}`" for key in part["not"]["required"]]
        is_needed = i + 1 < len(parts) and "anyOf" in parts[i + 1]
        sentences.append(f"Give {pair[0]} or {pair[1]}." if is_needed else f"Not both {pair[0]} and {pair[1]}.")
    return sentences


def method(name: str, schema: dict, help_text: str, call: str, is_item: bool, result: str) -> list[str]:
    """A method with the keys of a form as its keyword arguments."""
    keys = {key: value for key, value in schema["properties"].items() if key != "type"}
    required = {key for key in schema.get("required", []) if key != "type"}
    assert not {"self", "name"} & set(keys), name
    arguments = [f"{python_name(key)}: {annotation(keys[key])}" for key in sorted(keys, key=lambda key: key not in required)
                 if key in required]
    arguments += [f"{python_name(key)}: {annotation(keys[key])} | None = None" for key in keys if key not in required]
    head = "self, name: str, /" if is_item else "self, /"
    first = f"    def {name}("
    lines = packed([head] + (["*"] + arguments if arguments else []), first, f") -> {result}:")
    doc = " ".join([help_text] + rules(schema))
    lines += wrapped('"""' + doc[0].upper() + doc[1:], " " * 8, " " * 8)
    if keys:
        lines += [""] + key_lines(keys, required, " " * 8) + [" " * 8 + '"""']
    else:
        lines[-1] += '"""'
    return lines + [f"        return {call}", ""]


def family(word: str, schema: dict, definitions: dict, head: str) -> list[str]:
    """A class with a method for each type of a family."""
    lines = [head]
    is_item = word in FAMILIES
    for kind in schema["properties"]["type"]["enum"]:
        form = definitions[f"{word}_{kind}"]
        help_text = form["description"].rstrip(".") + "."
        call = f'self._add("{kind}", name, locals())' if is_item else f'self._make("{kind}", locals())'
        lines += method(python_name(kind), form, help_text, call, is_item, "Builder" if is_item else "dict[str, Any]")
    return lines


def module(schema: dict) -> str:
    definitions = schema["definitions"]
    sections = {key: value["description"] for key, value in schema["properties"].items()}
    lines = [HEAD]
    for word, (name, section) in FAMILIES.items():
        help_text = sections[section][0].upper() + sections[section][1:]
        lines += family(word, definitions[word], definitions,
                        f'\nclass {name}(Section):\n    """{help_text}: b.{word}.TYPE(name, ...)."""\n\n'
                        f"    _section, _word = {json.dumps(section)}, {json.dumps(word)}\n")
    for word, name in SHAPES.items():
        lines += family(word, definitions[word], definitions,
                        f'\nclass {name}(Shapes):\n    """Values of the key `{word}`: b.{word}.TYPE(...) is a dict of its keys."""\n')
    lines += ['\nclass PlainSections(Items):\n    """Sections whose items have no type."""\n']
    for word, section in PLAIN.items():
        lines += method(word, definitions[word], PLAIN_HELP[word], f'self._add("{section}", "{word}", name, locals())', True, "Builder")
    return "\n".join(lines).rstrip("\n") + "\n"


def main() -> None:
    text = module(json.loads(SCHEMA.read_text(encoding="utf-8")))
    if "--print" in sys.argv[1:]:
        sys.stdout.write(text)
    else:
        MODULE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
