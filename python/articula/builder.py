# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Models built call by call, with the keys of model files."""
import json
from typing import Any

from .model import Model, read


class Builder:
    """A machine in the making. Every section of a model file is a method that takes the name of an item and its keys:

        b = Builder("Pendulum")
        b.body("rod", mass=2, com=[0, 0, -0.5], inertia=[0.01, 0.01, 0.01])
        b.joint("pin", type="revolute", to="rod", axis="y", **{"from": "ground"})
        b.initial("pin", angle=0.3)
        pendulum = b.compile()

    Numbers are in SI units; texts may be quantities with units or formulas, as in files. `from_` stands for the key `from`.
    Keys of the file itself, gravity, ground, include, names, assembly, are given to Builder(). Mistakes are told as in a model
    file, found at compile().
    """

    _SECTIONS = {"body": "bodies", "joint": "joints", "force": "forces", "drive": "drives", "coupling": "couplings",
                 "input": "inputs", "state": "states", "block": "blocks", "sensor": "sensors", "study": "studies",
                 "initial": "initial", "guess": "guess", "curve": "curves", "tyre": "tyres", "road": "roads", "latch": "latches"}

    def __init__(self, title: str = "", **keys: Any) -> None:
        self.description: "dict[str, Any]" = {"articula": 1, **({"title": title} if title else {}), **keys}

    def __getattr__(self, name: str) -> Any:
        section = self._SECTIONS.get(name)
        if section is None:
            raise AttributeError(f"a builder has no section {name!r}; there are {', '.join(self._SECTIONS)}")

        def add(item: str, **keys: Any) -> "Builder":
            self.description.setdefault(section, {})[item] = {key.rstrip("_"): value for key, value in keys.items()}
            return self
        return add

    def parameter(self, name: str, value: "float | str") -> "Builder":
        """A number that formulas may use by name."""
        self.description.setdefault("parameters", {})[name] = value
        return self

    def output(self, name: str, formula: str) -> "Builder":
        """A named result: a reference or a formula of references."""
        self.description.setdefault("outputs", {})[name] = formula
        return self

    def text(self) -> str:
        """The model file; JSON is YAML."""
        return json.dumps(self.description, indent=1, ensure_ascii=False)

    def compile(self) -> Model:
        """The machine; mistakes of the description are found here."""
        return read(self.text(), "builder")
