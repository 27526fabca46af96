#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Checks archives and descriptions of units against rules of FMI 2.0 and 3.0 that no schema can state.

  rules.py UNIT.fmu ...

Names, references and types that are unique; causality, variability, initial and start that go together; units and types that are
defined; the lists of ModelStructure, with dependencies on time, states and inputs alone; files that the descriptions name; what both kinds say they
can do; libraries in the folders of the standard, with every function of it and none that writes, ends the program or starts another.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
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
PLATFORMS = {
    "2.0": r"(win32|win64|linux32|linux64|darwin64|(aarch64|aarch32|x86|x86_64)-(linux|darwin|windows))",
    "3.0": r"(aarch32|aarch64|riscv32|riscv64|x86|x86_64|ppc32|ppc64)-(linux|darwin|windows|sys)[a-z0-9]*",
}
ENDINGS = (".so", ".dll", ".dylib")
UNWANTED = {"printf", "puts", "putchar", "fputs", "fprintf", "vprintf", "exit", "abort", "system", "fopen", "signal", "chdir"}
HEADERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/fmi")
NUMBER = r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?"


def check_archive(archive):
    names = archive.namelist()
    if len(set(names)) != len(names):
        yield "a file stands twice"
    for file in archive.infolist():
        name = file.filename
        if "\\" in name or name.startswith("/") or ".." in name or not name.isascii():
            yield f"the path {name}"
        if file.flag_bits & ~0x806:
            yield f"flags of {name}: it is encrypted, or its sizes stand behind it"
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


def check_terminals(archive, root):
    names = archive.namelist()
    for name in ("model.png", "terminalsAndIcons/icon.png"):
        if name in names and not archive.read(name).startswith(b"\x89PNG\r\n\x1a\n"):
            yield f"{name} is not a PNG"
    path = "terminalsAndIcons/terminalsAndIcons.xml"
    if path not in names:
        return
    terminals = ET.fromstring(archive.read(path))
    if (terminals.find("GraphicalRepresentation/Icon") is not None) != ("terminalsAndIcons/icon.png" in names):
        yield "an icon is named and not there, or there and not named"
    signals = {v.get("name") for v in root.find("ModelVariables") if v.get("causality") in ("input", "output")}
    members = [member.get("variableName") for member in terminals.iter("TerminalMemberVariable")]
    if not set(members) <= signals or len(set(members)) != len(members):
        yield "terminals have members that are not inputs or outputs, or some twice"
    for owner in [terminals.find("Terminals"), *terminals.iter("Terminal")]:
        own = [terminal.get("name") for terminal in owner.findall("Terminal")] if owner is not None else []
        if len(set(own)) != len(own):
            yield "two terminals have one name"


def kinds_of(root):
    return [kind for kind in map(root.find, ("ModelExchange", "CoSimulation", "ScheduledExecution")) if kind is not None]


def check_head(root):
    version = root.get("fmiVersion")
    if version not in PLATFORMS or not root.get("modelName") or not root.get("guid" if version == "2.0" else "instantiationToken"):
        yield "version, name or token"
    if version == "2.0" and not (root.get("numberOfEventIndicators") or "0").isdigit():
        yield "the number of event indicators"
    identifiers = [kind.get("modelIdentifier") for kind in kinds_of(root)]
    if not identifiers or not all(re.fullmatch(r"[A-Za-z_]\w{0,62}", name) for name in identifiers):
        yield f"the identifiers {identifiers}"
    for kind in kinds_of(root):
        own = {key.replace("FMUState", "FMUstate"): value for key, value in kind.attrib.items()}
        if own.get("canSerializeFMUstate") == "true" != own.get("canGetAndSetFMUstate"):
            yield f"{kind.tag} writes states that it cannot keep"
    experiment = root.find("DefaultExperiment")
    own = {key: float(value) for key, value in (experiment.attrib if experiment is not None else {}).items()}
    if own.get("stopTime", 1e300) <= own.get("startTime", 0) or own.get("stepSize", 1) <= 0 or not 0 < own.get("tolerance", 1e-6) < 1:
        yield "the default experiment"
    categories = [category.get("name") for category in root.iterfind("LogCategories/Category")]
    if len(set(categories)) != len(categories):
        yield "a category of messages stands twice"


# names by the structured naming convention: identifiers or quoted texts, with indices, joined by points; derivatives of these
PART = r"([A-Za-z_]\w*|'([^'\\]|\\.)+')(\[\d+(,\d+)*\])*"
STRUCTURED = rf"{PART}(\.{PART})*|der\({PART}(\.{PART})*\)"


def check_names(root):
    names = [v.get("name") for v in root.find("ModelVariables")]
    for name in names if root.get("variableNamingConvention") == "structured" else []:
        if not re.fullmatch(STRUCTURED, name, re.ASCII):
            yield f"the name {name} is not structured"
    displays = {unit.get("name"): {d.get("name") for d in unit.iterfind("DisplayUnit")} for unit in root.iter("Unit")}
    for v in root.find("ModelVariables").iter():
        if v.get("displayUnit") and v.get("displayUnit") not in displays.get(v.get("unit"), ()):
            yield f"the display unit of {v.get('name')} is not defined"


def symbols_of(path, option):
    done = subprocess.run(["nm", "-D", option, path], capture_output=True, text=True, check=True)
    return {line.split()[-1].split("@")[0] for line in done.stdout.splitlines() if line.strip()}


def check_library(archive, name, version):
    major = version[0]
    with open(f"{HEADERS}/fmi{major}.h", encoding="utf-8") as header:
        text = header.read()
    wanted = set(re.findall(rf"\bF\([^,()]+, (fmi{major}\w+),", text))
    wanted |= {f"fmi3{way}{kind}" for kind in re.findall(r"  FMI3_VALUES\(F, (\w+)\)", text) for way in ("Get", "Set")}
    with tempfile.TemporaryDirectory() as folder:
        path = archive.extract(name, folder)
        missing, foreign = wanted - symbols_of(path, "--defined-only"), symbols_of(path, "--undefined-only") & UNWANTED
    if len(wanted) < 40 or missing:
        yield f"{name} lacks {sorted(missing)[:5]}"
    if foreign:
        yield f"{name} calls {sorted(foreign)}"


def check_binaries(archive, root):
    version = root.get("fmiVersion")
    wanted = {kind.get("modelIdentifier") for kind in kinds_of(root)}
    for name in archive.namelist():
        parts = name.split("/")
        if parts[0] != "binaries" or name.endswith("/"):
            continue
        stem, ending = os.path.splitext(parts[-1])
        if len(parts) != 3 or not re.fullmatch(PLATFORMS[version], parts[1]) or ending not in ENDINGS or stem not in wanted:
            yield f"the library {name}"
        elif ending == ".so" and shutil.which("nm") and os.uname().machine in ("x86_64", "aarch64"):
            if parts[1] in ("linux64" if version == "2.0" and os.uname().machine == "x86_64" else "", f"{os.uname().machine}-linux"):
                yield from check_library(archive, name, version)
    if "modelDescription.xml" not in archive.namelist() or not any(name.startswith(("binaries/", "sources/")) for name in archive.namelist()):
        yield "there is neither a library nor a source"


def read_variables(root):
    for place, element in enumerate(root.find("ModelVariables")):
        own = dict(element.attrib)
        if element.tag == "ScalarVariable":
            own.update(element[0].attrib)
            own["handle"] = str(place + 1)
        else:
            own["handle"] = own["valueReference"]
        yield own


def check_variable(v, units, types, states, is_3):
    kind = (v["causality"], v["variability"])
    if v.get("reinit") == "true" and v["handle"] not in states:
        yield "it is not a state, and events change it"
    if v["causality"] == "input" and "initial" in v and not is_3:
        yield "an input with an initial value"
    if "derivative" in v and kind[1] != "continuous":
        yield "a derivative that is not continuous"
    if "intermediateUpdate" in v and v["causality"] in ("parameter", "structuralParameter"):
        yield "a parameter in intermediate updates"
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
    if not is_3 and list(map(int, initial)) != sorted(map(int, initial)):
        yield "the order of initial unknowns"
    if is_3:
        indicators, _ = group("", "EventIndicator")
        if any(by_handle[x]["variability"] != "continuous" or by_handle[x]["causality"] not in ("local", "output") for x in indicators):
            yield "the event indicators"
    found = {v["handle"] for v in variables if v.get("initial") in ("calculated", "approx")}
    if set(initial) != found & (set(outputs) | set(rates) | states):
        yield "the list of initial unknowns"


def check_unit(path):
    with zipfile.ZipFile(path) as archive:
        yield from check_archive(archive)
        root = ET.fromstring(archive.read("modelDescription.xml"))
        yield from check_files(archive, root)
        yield from check_terminals(archive, root)
        yield from check_head(root)
        yield from check_names(root)
        yield from check_binaries(archive, root)
    units = [unit.get("name") for unit in root.iter("Unit")]
    types = [own.get("name") for own in root.iterfind("TypeDefinitions/*")]
    variables = list(read_variables(root))
    for key in ("name", "valueReference"):
        if len({v[key] for v in variables}) != len(variables):
            yield f"two variables have one {key}"
    if len(set(units + types)) != len(units + types):
        yield "a unit or a type stands twice"
    if sum(v["causality"] == "independent" for v in variables) != 1 and root.get("fmiVersion") == "3.0":
        yield "there is not one independent variable"
    states = {v["derivative"] for v in variables if "derivative" in v}
    for v in variables:
        for complaint in check_variable(v, units, types, states, root.get("fmiVersion") == "3.0"):
            yield f"{v['name']}: {complaint}"
    yield from check_structure(root, variables)


complaints = [f"{path}: {complaint}" for path in sys.argv[1:] for complaint in check_unit(path)]
if complaints:
    print("\n".join(complaints[:20]))
sys.exit(1 if complaints else 0)
