#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Checks archives and descriptions of units against rules of FMI 2.0 and 3.0 that no schema can state.

  rules.py UNIT.fmu ...

Names, references and types that are unique; causality, variability, initial and start that go together; units and types that are
defined; the lists of ModelStructure, with dependencies on time, states and inputs alone; files that the descriptions name.
"""
import re
import sys
import zipfile
import xml.etree.ElementTree as ET

# initial values by causality and variability; None: the attribute is absent
FOUND = ("calculated", "exact", "approx")
INITIAL = {
    ("parameter", "fixed"): ("exact",), ("parameter", "tunable"): ("exact",),
    ("input", "discrete"): (None, "exact"), ("input", "continuous"): (None, "exact"),
    ("output", "discrete"): FOUND, ("output", "continuous"): FOUND,
    ("local", "fixed"): ("calculated", "approx"), ("local", "tunable"): ("calculated", "approx"),
    ("local", "discrete"): FOUND, ("local", "continuous"): FOUND,
    ("independent", "continuous"): (None,),
}
NUMBER = r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?"


def check_archive(archive):
    names = archive.namelist()
    if len(set(names)) != len(names):
        yield "a file stands twice"
    for file in archive.infolist():
        name = file.filename
        if "\\" in name or name.startswith("/") or ".." in name or not name.isascii():
            yield f"the path {name}"
        if file.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or file.external_attr >> 16 & 0o444 != 0o444:
            yield f"how {name} is packed"


def check_files(archive, root):
    names = archive.namelist()
    listed = [file.get("name") for file in root.iter("File")]
    if "sources/buildDescription.xml" in names:
        build = ET.fromstring(archive.read("sources/buildDescription.xml"))
        listed += [file.get("name") for file in build.iter("SourceFile")]
    for name in listed:
        if f"sources/{name}" not in names:
            yield f"{name} is listed and not there"
    if any(name.startswith("sources/") for name in names) != bool(listed):
        yield "sources are there and not listed"


def read_variables(root):
    for place, element in enumerate(root.find("ModelVariables")):
        own = dict(element.attrib)
        if element.tag == "ScalarVariable":
            own.update(element[0].attrib)
            own["handle"] = str(place + 1)
        else:
            own["handle"] = own["valueReference"]
        yield own


def check_variable(v, units, types):
    kind = (v["causality"], v["variability"])
    if kind not in INITIAL or v.get("initial") not in INITIAL[kind]:
        yield f"{kind} with initial {v.get('initial')}"
    if (v.get("initial") in ("exact", "approx") or v["causality"] == "input") != ("start" in v):
        yield "its start value"
    if "unit" in v and v["unit"] not in units:
        yield f"the unit {v['unit']} is not defined"
    if "declaredType" in v and v["declaredType"] not in types:
        yield f"the type {v['declaredType']} is not defined"
    if not v["name"].strip() or re.search(r"[\r\n\t]", v["name"]) or v["name"] in types:
        yield "its name"
    limits = [float(v[key]) for key in ("min", "start", "max") if key in v]
    if limits != sorted(limits) or any(key in v and not re.fullmatch(NUMBER, v[key]) for key in ("min", "start", "max")):
        yield "its limits"


def check_structure(root, variables):
    is_3 = root.get("fmiVersion") == "3.0"
    structure = root.find("ModelStructure")
    by_handle = {v["handle"]: v for v in variables}

    def group(old, new):
        found = structure.findall(new) if is_3 else structure.findall(f"{old}/Unknown")
        return {u.get("valueReference" if is_3 else "index"): u.get("dependencies") for u in found}, len(found)

    outputs, noutput = group("Outputs", "Output")
    rates, nrate = group("Derivatives", "ContinuousStateDerivative")
    initial, _ = group("InitialUnknowns", "InitialUnknown")
    if set(outputs) != {v["handle"] for v in variables if v["causality"] == "output"} or len(outputs) != noutput:
        yield "the list of outputs"
    if set(rates) != {v["handle"] for v in variables if "derivative" in v} or len(rates) != nrate:
        yield "the list of derivatives"
    states = {by_handle[rate]["derivative"] for rate in rates}
    if any(by_handle[x]["variability"] != "continuous" for x in states) or len(states) != len(rates):
        yield "the states"
    known = states | {v["handle"] for v in variables if v["causality"] in ("input", "independent")}
    for handle, words in {**outputs, **rates}.items():
        order = [int(word) for word in words.split()] if words is not None else []
        if words is None or order != sorted(set(order)) or not set(words.split()) <= known:
            yield f"the dependencies of {by_handle[handle]['name']}: {words}"
    found = {v["handle"] for v in variables if v.get("initial") in ("calculated", "approx")}
    if set(initial) != found & (set(outputs) | set(rates) | states):
        yield "the list of initial unknowns"


def check_unit(path):
    with zipfile.ZipFile(path) as archive:
        yield from check_archive(archive)
        root = ET.fromstring(archive.read("modelDescription.xml"))
        yield from check_files(archive, root)
    units = [unit.get("name") for unit in root.iter("Unit")]
    types = [own.get("name") for own in root.iterfind("TypeDefinitions/*")]
    variables = list(read_variables(root))
    for key in ("name", "valueReference"):
        if len({v[key] for v in variables}) != len(variables):
            yield f"two variables have one {key}"
    if len(set(units + types)) != len(units + types):
        yield "a unit or a type stands twice"
    for v in variables:
        for complaint in check_variable(v, units, types):
            yield f"{v['name']}: {complaint}"
    yield from check_structure(root, variables)


complaints = [f"{path}: {complaint}" for path in sys.argv[1:] for complaint in check_unit(path)]
if complaints:
    print("\n".join(complaints[:20]))
sys.exit(1 if complaints else 0)
