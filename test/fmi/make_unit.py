#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Makes units of FMI for tests from the equations in this folder.

  make_unit.py NAME VERSION OUT.fmu [--sources] [--kind me|cs|both] [--break WAY]

NAME is dahlquist, ball or pi. With --sources the unit has sources in place of a binary. --break makes a unit that is wrong in some way: an
archive or a description that is damaged, or a binary with a mistake (MISTAKES).
"""
import argparse
import copy
import os
import platform
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
HEADERS = HERE.parent.parent / "src/fmi"

# states with units, inputs, parameters, outputs with what they depend on
UNITS = {
    "dahlquist": dict(states=[("x", "1", 1)], inputs=[], parameters=[("k", "1/s", 1)],
                      outputs=[("y", "1", ["x"])], rates=[["x"]], indicators=0),
    "ball": dict(states=[("h", "m", 1), ("v", "m/s", 0)], inputs=[],
                 parameters=[("g", "m/s2", 9.81), ("e", "1", 0.7)],
                 outputs=[("height", "m", ["h"])], rates=[["v"], []], indicators=1),
    "pi": dict(states=[("x", "", 0)], inputs=[("u", "", 0)],
               parameters=[("kp", "", 2), ("ki", "1/s", 5)],
               outputs=[("y", "", ["x", "u"])], rates=[["u"]], indicators=0),
}

# ways in which an archive is broken
BROKEN = ("version", "xml", "description", "path", "bomb", "size", "twice", "link", "architecture", "binary")

# mistakes of binaries: a text and what stands in its place; the first file that has it is changed
MISTAKES = {
    "order": ("IN(EVENTS)\n  c->v.state = CONTINUOUS;", "IN(ANY)\n  c->v.state = CONTINUOUS;"),
    "early": ("IN(STEPS)(void) no_set;", "IN(STEPS | INITIALISED)(void) no_set;"),
    "mute": ("  if (!c->is_mute && ", "  if (0 && "),
    "loud": ("  if (!c->is_mute && ", "  if ("),
    "late": ("if (t + h > v->end", "if (0 && t + h > v->end"),
    "kind": ("  if (!c->v.is_exchange) return", "  if (0) return"),
    "on": ("if (status >= fmi@Error) c->v.state = BROKEN;", ""),
    "never": ("if (!isfinite(time))", "if (0)"),
    "picky": ("IN(STEPS)(void) no_set;",
              'IN(STEPS)(void) no_set;\n  if (h > 3e-3) return complain(c, fmi@Discard, "the step is too long");'),
    "kept": ("memcpy(*state, &c->v, sizeof c->v);", "memcpy(*state, &c->v, sizeof c->v);\n  ((unitValues *) *state)->x[0] += 1e-9;"),
    "bytes": ("memcpy(*state, bytes, size)", "memcpy(*state, bytes, size / 2)"),
    "reset": ("  memset(v, 0, sizeof *v);", ""),
    "slope": ("-0.5, unknown)) / 1.0", "-0.5, unknown)) / 0.99999999"),
    "shared": ("const int n = (int) ceil(h / INNER_STEP - 1e-9);",
               "static int calls;\n  const int n = (int) ceil(h / INNER_STEP - 1e-9);\n  v->x[0] += 1e-12 * calls++;"),
    "nan": ("if (!isfinite(value[i])) return complain(c, fmi@Discard, \"a value is not a number\");", ""),
    "token": ("strcmp(token, TOKEN) != 0", "0"),
    "number": ("if (n != (size_t) EQUATION.states) return complain(c, FMI(Error), \"another number of states\");\n  memcpy(x,", "memcpy(x,"),
    "strdup": ("if (event_mode && (!EQUATION", "char *own = strdup(name);\n  if (!own || strcmp(own, name) != 0) return NULL;\n  free(own);\n"
               "  if (event_mode && (!EQUATION"),  # no mistake, but not of the language
    "undeclared": ("if (event_mode && (!EQUATION", "if (name_of_nothing(name)) return NULL;\n  if (event_mode && (!EQUATION"),
    "start": ("memcpy(v->p, EQUATION.parameter, sizeof v->p);", "memcpy(v->p, EQUATION.parameter, sizeof v->p);\n  v->p[0] *= 1.01;"),
}


def variables(unit):
    """name, unit, causality, variability, initial, start, derivative of, depends on"""
    rows = [("time", "s", "independent", "continuous", None, None, None)]
    rows += [(n, u, "local", "continuous", "exact", s, None) for n, u, s in unit["states"]]
    rows += [(f"der({n})", "", "local", "continuous", "calculated", None, n) for n, u, s in unit["states"]]
    rows += [(n, u, "input", "continuous", None, s, None) for n, u, s in unit["inputs"]]
    rows += [(n, u, "parameter", "tunable", "exact", s, None) for n, u, s in unit["parameters"]]
    rows += [(n, u, "output", "continuous", "calculated", None, None) for n, u, d in unit["outputs"]]
    return rows


def attributes(**pairs):
    return "".join(f' {key}="{value}"' for key, value in pairs.items() if value is not None)


def describe(name, version, kind, token, with_sources):
    unit = UNITS[name]
    rows = variables(unit)
    number = {row[0]: i for i, row in enumerate(rows)}
    first = 1 if version == 2 else 0
    key = "index" if version == 2 else "valueReference"
    state = "state" if version == 2 else "State"
    many = "" if version == 2 else "s"
    files = ""
    if version == 2 and with_sources:
        files = '<SourceFiles><File name="unit2.c"/></SourceFiles>'
    abilities = {f"canGetAndSetFMU{state}": "true", f"canSerializeFMU{state}": "true",
                 f"providesDirectionalDerivative{many}": "true"}
    if version == 3:
        abilities["providesAdjointDerivatives"] = "true"
    out = ['<?xml version="1.0" encoding="UTF-8"?>']
    root = dict(fmiVersion=f"{version}.0", modelName=name)
    root["guid" if version == 2 else "instantiationToken"] = token
    if version == 2:
        root["numberOfEventIndicators"] = unit["indicators"]
    out.append(f"<fmiModelDescription{attributes(**root)}>")
    if kind in ("me", "both"):
        out.append(f"<ModelExchange{attributes(modelIdentifier=name, **abilities)}>{files}</ModelExchange>")
    if kind in ("cs", "both"):
        out.append(f"<CoSimulation{attributes(modelIdentifier=name, canHandleVariableCommunicationStepSize='true', **abilities)}>"
                   f"{files}</CoSimulation>")
    units = sorted({row[1] for row in rows if row[1]})
    out.append("<UnitDefinitions>" + "".join(f'<Unit name="{u}"/>' for u in units) + "</UnitDefinitions>")
    out.append('<LogCategories><Category name="logStatusError"/></LogCategories>')
    out.append('<DefaultExperiment startTime="0" stopTime="2" stepSize="0.01"/>')
    out.append("<ModelVariables>")
    for i, (n, u, causality, variability, initial, start, of) in enumerate(rows):
        common = dict(name=n, valueReference=i, causality=causality, variability=variability, initial=initial)
        value = dict(unit=u or None, start=start, derivative=None if of is None else number[of] + first)
        if version == 2:
            out.append(f"<ScalarVariable{attributes(**common)}><Real{attributes(**value)}/></ScalarVariable>")
        else:
            out.append(f"<Float64{attributes(**common, **value)}/>")
    out.append("</ModelVariables>")

    def unknown(tag, n, depends):
        list_ = " ".join(str(number[d] + first) for d in sorted(depends, key=lambda d: number[d]))
        return f"<{tag}{attributes(**{key: number[n] + first}, dependencies=list_)}/>"

    outputs = [(n, d) for n, u, d in unit["outputs"]]
    rates = [(f"der({n})", d) for (n, u, s), d in zip(unit["states"], unit["rates"])]
    constants = [n for n, u, s in unit["parameters"]]
    initial = [(n, d + constants) for n, d in rates + outputs] if version == 3 else \
        sorted([(n, d + constants) for n, d in rates + outputs], key=lambda pair: number[pair[0]])
    out.append("<ModelStructure>")
    for group, tag3, list_ in (("Outputs", "Output", outputs), ("Derivatives", "ContinuousStateDerivative", rates),
                               ("InitialUnknowns", "InitialUnknown", initial)):
        body = "".join(unknown("Unknown" if version == 2 else tag3, n, d) for n, d in list_)
        out.append(f"<{group}>{body}</{group}>" if version == 2 else body)
    if version == 3 and unit["indicators"]:
        out.append('<EventIndicator valueReference="1"/>')
    out.append("</ModelStructure></fmiModelDescription>\n")
    return "\n".join(out)


def build_description(name, token):
    return (f'<?xml version="1.0" encoding="UTF-8"?>\n<fmiBuildDescription fmiVersion="3.0">'
            f'<BuildConfiguration modelIdentifier="{name}"><SourceFileSet language="C99">'
            f'<SourceFile name="unit3.c"/></SourceFileSet></BuildConfiguration></fmiBuildDescription>\n')


def copy_sources(folder, version, way):
    """the sources with a mistake"""
    change, found = MISTAKES.get(way), False
    for path in [HERE / f"unit{version}.c", HERE / "alike.h", HERE / "fixture.h", *(HERE / f"{name}.c" for name in UNITS)]:
        text = path.read_text()
        if change and not found:
            old, new = (part.replace("@", str(version)) for part in change)
            found = old in text
            text = text.replace(old, new)
        (Path(folder) / path.name).write_text(text)
    if change and not found:
        sys.exit(f"the mistake '{way}' cannot be made")


def compile_unit(name, version, token, way, out):
    with tempfile.TemporaryDirectory() as folder:
        copy_sources(folder, version, way)
        for header in ("Functions", "FunctionTypes", "PlatformTypes"):
            (Path(folder) / f"fmi{version}{header}.h").write_text(f'#include "{HEADERS}/fmi{version}.h"\n')
        subprocess.run([*os.environ.get("CC", "cc").split(), "-std=c99", "-Wall", "-Wextra", "-O1", "-shared",
                        "-fPIC", "-fvisibility=hidden", f"-I{folder}", f'-DEQUATIONS="{name}.c"',
                        f'-DTOKEN="{token}"', f"{folder}/unit{version}.c", "-o", out, "-lm"], check=True)


def platform_folder(version):
    machine = platform.machine()
    system = platform.system().lower()
    if version == 2 and machine == "x86_64":
        return f"{system}64"
    return f"{machine}-{system}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("name", choices=UNITS)
    parser.add_argument("version", type=int, choices=(2, 3))
    parser.add_argument("out")
    parser.add_argument("--sources", action="store_true")
    parser.add_argument("--kind", default="both", choices=("me", "cs", "both"))
    parser.add_argument("--break", dest="way", default="", help=argparse.SUPPRESS)
    call = parser.parse_args()
    token = f"{{{call.name}-{call.version}}}"
    text = describe(call.name, call.version, call.kind, token, call.sources)
    if call.way == "version":
        text = text.replace(f'fmiVersion="{call.version}.0"', 'fmiVersion="1.0"')
    if call.way == "foreign":
        text = text.replace(token, "{another}")
    if call.way == "text":
        text = text.replace("</ModelVariables>", '<String name="label" valueReference="99" causality="output"/></ModelVariables>')
    if call.way == "picky" and call.kind == "cs":
        text = text.replace(f'canGetAndSetFMU{"state" if call.version == 2 else "State"}="true"', "")
    if call.way == "events":
        text = text.replace('canHandleVariableCommunicationStepSize="true"',
                            'canHandleVariableCommunicationStepSize="true" hasEventMode="true" mightReturnEarlyFromDoStep="true"')
    if call.way == "scaled":
        text = text.replace('<UnitDefinitions>', '<UnitDefinitions><Unit name="milli"><BaseUnit m="1" factor="0.001" offset="5"/></Unit>'
                            '<Unit name="kilo"><BaseUnit kg="1" m="1" s="-2" factor="1000"/></Unit>')
        text = text.replace('</UnitDefinitions>', '</UnitDefinitions><TypeDefinitions><Float64Type name="difference" unit="milli" '
                            'relativeQuantity="true"/></TypeDefinitions>')
        text = text.replace('<Float64 name="u"', '<Float64 name="u" declaredType="difference"').replace('<Float64 name="y"', '<Float64 name="y" unit="kilo"')
    if call.way == "fixed":
        text = text.replace('canHandleVariableCommunicationStepSize="true"', 'fixedInternalStepSize="0.01"')
    if call.way == "xml":
        text = text.replace("</ModelVariables>", "")
    with zipfile.ZipFile(call.out, "w", zipfile.ZIP_DEFLATED) as archive:
        if call.way != "description":
            archive.writestr("modelDescription.xml", text)
        if call.way == "path":
            archive.writestr("../outside", "x")
        if call.way == "bomb":
            archive.writestr("resources/zeros", bytes(1 << 26))
            zeros = archive.getinfo("resources/zeros")
            for i in range(16):  # the same bytes under other names
                twin = copy.copy(zeros)
                twin.filename = twin.orig_filename = f"resources/zeros{i}"
                archive.filelist.append(twin)
        if call.way == "size":
            archive.writestr("resources/zeros", bytes(1 << 20))
            archive.getinfo("resources/zeros").file_size = 1 << 29
        if call.way == "twice":
            archive.writestr("resources/a", "x")
            archive.writestr("resources/a", "y")
        if call.way == "link":
            entry = zipfile.ZipInfo("resources/link")
            entry.external_attr = 0o120777 << 16
            archive.writestr(entry, "/etc/passwd")
        if call.sources:
            equations = f'#define EQUATIONS "{call.name}.c"\n#define TOKEN "{token}"\n'
            with tempfile.TemporaryDirectory() as build:
                copy_sources(build, call.version, call.way)
                unit = Path(build) / f"unit{call.version}.c"
                unit.write_text(equations + unit.read_text())
                for name in (unit.name, "fixture.h", "alike.h", f"{call.name}.c"):
                    archive.write(Path(build) / name, f"sources/{name}")
            if call.version == 3:
                archive.writestr("sources/buildDescription.xml", build_description(call.name, token))
        else:
            folder = "binaries/" + ("riscv-beos" if call.way == "architecture" else platform_folder(call.version))
            with tempfile.TemporaryDirectory() as build:
                library = f"{build}/{call.name}.so"
                if call.way in BROKEN:  # these never come so far
                    Path(library).write_text("no library")
                else:
                    compile_unit(call.name, call.version, token, call.way, library)
                archive.write(library, f"{folder}/{call.name}.so")
    return 0


if __name__ == "__main__":
    sys.exit(main())
