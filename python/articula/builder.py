# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Models built call by call, with the keys of model files."""
import json
import re
from typing import TYPE_CHECKING, Any

from .errors import InputError, make_located
from .model import Model
from .parts import Place, caller, given
from .sections import (Blocks, Couplings, Forces, Joints, Latches, Paths, PlainSections, Roads, Sensors, Solids, StudiesOfModel,
                       Surfaces, Tyres, Visuals)

if TYPE_CHECKING:
    from .sections import Number, Numbers, Part, Rows

# how items of these families are called: a spring-damper, but a revolute joint
_CALLED_BY_TYPE = ("force", "latch")


def _plain(value: Any) -> Any:
    """Arrays and numbers of NumPy, and other collections, as JSON knows them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "__iter__"):
        return list(value)
    raise TypeError(f"{value!r} is neither a number, a text, a list nor a mapping")


class Builder(PlainSections):
    """A machine in the making. Every section of a model file has a method, with a method of its own for each type of item:

        b = Builder("Pendulum")
        b.body("rod", mass=2, com=[0, 0, -0.5], inertia=[0.01, 0.01, 0.01])
        b.joint.revolute("pin", from_="ground", to="rod", axis="y")
        b.force.joint_spring("grease", coordinate="pin", damping="0.1 N m s/rad")
        b.initial("pin", angle=0.3)
        pendulum = b.compile()

    Numbers are in SI units; texts may be quantities with units or formulas, as in files. `from_`, `while_` and `class_` are the
    keys `from`, `while` and `class`. Every method returns the builder. Errors name the item and the line of Python that wrote it.

    gravity   [m/s^2] in ground ([0, 0, -9.81])
    ground    points, frames and visual of ground
    include   other files that become part of the model, {"file": path, "prefix": ...}
    names     names that the including file says the meaning of
    assembly  how loops are closed at the start
    study     what to compute, where there is one study
    live      parameters and inputs that have sliders in live pages: names, or {"name": name, "title": ..., "group": ..., "range": ...}
    """

    solid = Solids()
    visual = Visuals()
    path = Paths()

    def __init__(self, title: str = "", *, gravity: "Numbers | None" = None, ground: "Part | None" = None,
                 include: "list[Part] | None" = None, names: "list[str] | None" = None, assembly: "Part | None" = None,
                 study: "Part | None" = None, live: "list[str | Part] | None" = None) -> None:
        keys = given({"title": title or None, "gravity": gravity, "ground": ground, "include": include, "names": names,
                      "assembly": assembly, "study": study, "live": live})
        self.description: "dict[str, Any]" = {"articula": 1, **keys}
        self._begun = caller()
        self._place: "dict[tuple[str, str], Place]" = {}
        self._word: "dict[str, str]" = {}
        self.joint, self.coupling, self.latch = Joints(self), Couplings(self), Latches(self)
        self.force, self.block, self.sensor = Forces(self), Blocks(self), Sensors(self)
        self.road, self.tyre, self.study = Roads(self), Tyres(self), StudiesOfModel(self)
        self.surface = Surfaces(self)

    def _store(self, section: str, word: str, name: str, keys: Any) -> "Builder":
        """Add an item. The same item again changes nothing, so that a cell of a notebook may be run twice."""
        items = self.description.setdefault(section, {})
        if name in items and items[name] != keys:
            place = caller()
            message = f"{word} '{name}': already defined at {self._place[section, name]}"
            raise make_located("ART_BAD_INPUT", place.file, place.line, message)
        items[name] = json.loads(json.dumps(keys, default=_plain))
        self._place[section, name] = caller()
        self._word[section] = word
        return self

    def parameter(self, name: str, value: "Number | None" = None, /, *, unit: "str | None" = None,
                  limits: "Numbers | None" = None, help: "str | None" = None) -> "Builder":
        """A number that formulas may use by name.

        unit    of its value, in SI
        limits  least and largest value that it may have
        help    what it is, in words
        """
        more = given({"unit": unit, "limits": limits, "help": help})
        return self._store("parameters", "parameter", name, {"value": value, **more} if more else value)

    def output(self, name: str, formula: str) -> "Builder":
        """A named result: a reference or a formula of references."""
        return self._store("outputs", "output", name, formula)

    def curve(self, name: str, *, table: "Rows | Part | None" = None, piecewise: "Rows | Part | None" = None) -> "Builder":
        """A curve for formulas to call: smooth through [x, y] pairs (`table`), or straight between them (`piecewise`); a mapping
        with x, y and values is a surface."""
        return self._store("curves", "curve", name, given({"table": table, "piecewise": piecewise}))

    def initial(self, joint: str, /, **coordinates: "Number | Numbers | Part") -> "Builder":
        """Initial values of coordinates and velocities of a joint: b.initial("pin", angle=0.3, rate="20 deg/s")."""
        return self._merge("initial", joint, coordinates)

    def guess(self, joint: str, /, **coordinates: "Number | Numbers | Part") -> "Builder":
        """Initial values as first guesses, which may move when loops are closed."""
        return self._merge("guess", joint, coordinates)

    def _merge(self, section: str, joint: str, coordinates: "dict[str, Any]") -> "Builder":
        before = self.description.get(section, {}).get(joint, {})
        if any(before.get(key, value) != value for key, value in coordinates.items()):
            return self._store(section, f"{section} values of joint", joint, coordinates)
        self.description.setdefault(section, {}).pop(joint, None)
        return self._store(section, f"{section} values of joint", joint, {**before, **coordinates})

    def text(self) -> str:
        """The model file, with a line for every key; JSON is YAML."""
        return "\n".join(line for line, *_ in self._lines()) + "\n"

    def _lines(self) -> "list[tuple[str, str, str, str]]":
        """Lines of the text with the section, the item and the key in each."""
        lines = [("{", "", "", "")]
        sections = list(self.description)
        for section, items in self.description.items():
            comma = "," if section != sections[-1] else ""
            name = json.dumps(section)
            if (section, next(iter(items), None) if isinstance(items, dict) else None) not in self._place:
                lines.append((f" {name}: {json.dumps(items, ensure_ascii=False, default=_plain)}{comma}", section, "", ""))
                continue
            lines.append((f" {name}: {{", section, "", ""))
            for item, keys in items.items():
                lines += self._item_lines(section, item, keys, "," if item != list(items)[-1] else "")
            lines.append((f" }}{comma}", section, "", ""))
        return [*lines, ("}", "", "", "")]

    @staticmethod
    def _item_lines(section: str, item: str, keys: Any, comma: str) -> "list[tuple[str, str, str, str]]":
        name = json.dumps(item, ensure_ascii=False)
        if not isinstance(keys, dict) or not keys:
            return [(f"  {name}: {json.dumps(keys, ensure_ascii=False)}{comma}", section, item, "")]
        lines = [(f"  {name}: {{", section, item, "")]
        for key, value in keys.items():
            end = "," if key != list(keys)[-1] else ""
            lines.append((f"   {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}{end}", section, item, key))
        return [*lines, (f"  }}{comma}", section, item, "")]

    def _called(self, section: str, item: str) -> str:
        """An item in words: spring-damper 'shock', revolute joint 'pin'."""
        word = self._word[section]
        keys = self.description[section][item]
        kind = keys.get("type") if isinstance(keys, dict) else None
        if kind and word in _CALLED_BY_TYPE:
            word = kind
        return f"{word} '{item}'"

    def _locate(self, text: str) -> "tuple[Place, str] | None":
        """The line of Python behind "builder:LINE:COLUMN: message", and the message with the names of item and key. What the
        message says already is not said twice."""
        found = re.match(r"builder:(\d+):(\d+): (.*)", text, re.S)
        if not found:
            return None
        _, section, item, key = self._lines()[int(found[1]) - 1]
        message = found[3]
        if (section, item) not in self._place:
            return self._begun, f"{section}: {message}" if section and f"'{section}'" not in message else message
        called = self._called(section, item)
        if f"{called.split()[-2]} '{item}'" not in message:
            place = f"{called}: {key}" if key and f"'{key}'" not in message else called
            message = f"{place}: {message}"
        return self._place[section, item], message

    def _warning(self, text: str) -> str:
        located = self._locate(text)
        return f"{located[0]}: {located[1]}" if located else text

    def compile(self) -> Model:
        """The machine. Mistakes of the description are found here; their errors have the `file` and `line` of the call that wrote
        the item."""
        try:
            return Model("builder", self.text(), None, self._warning)
        except InputError as error:
            located = self._locate(str(error))
            if located is None:
                raise
            place, message = located
            raise make_located(error.status, place.file, place.line, message) from None

    def __repr__(self) -> str:
        counts = [f"{len(self.description[section])} {section}" for section in dict.fromkeys(s for s, _ in self._place)]
        return f"<articula.Builder {self.description.get('title', '')!r}: {', '.join(counts) or 'empty'}>"
