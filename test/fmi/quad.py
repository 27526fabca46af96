#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Compares directional derivatives of units of version 3 with derivatives of their own sources in quadruple precision.

  quad.py [--step 1e-5] UNIT.fmu ...

The sources are compiled twice, with `double` as it is and as a type of 113 bits. There loops are closed to 1e-25, and differences of order six by
steps of 1e-5, and of half of that, have some 20 digits; corners that are nearer ask for shorter steps. States are those after three steps of Euler of 1 ms. Said are the largest gaps,
relative to 1 + the size of the derivative: of the unit, of the same tangents in quadruple precision, and of both differences. It fails where
tangents are off by more than 1e-15, or the unit by more than 1e-9 and 1e-15 of the largest derivative of that rate or output.
"""
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
import zipfile

FUNCTIONS = "sin cos tan asin acos atan atan2 sinh cosh tanh exp log log1p expm1 sqrt cbrt hypot pow fabs fmin fmax floor ceil fmod fma round copysign"

WRAP = "#define _GNU_SOURCE\n#include <math.h>\n#include <stdarg.h>\n#include <stddef.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#define double _Float128\n" + \
    "".join(f"#define {name} {name}f128\n" for name in FUNCTIONS.split())

DRIVER = r"""
#include <stdio.h>
#include <stdlib.h>
#include "fmi3.h"
typedef fmi3Float64 number;
static const unsigned unknown[] = {%(unknown)s 0}, known[] = {%(known)s 0};
static const DOUBLE first[] = {%(first)s 0};
enum { NX = %(nx)d, NUNKNOWN = %(nunknown)d, NKNOWN = %(nknown)d, NINPUT = NKNOWN - NX };
static fmi3Instance unit;
static number x[NX + 1], rate[NX + 1];
#define DO(call) do { if ((call) > fmi3Warning) { fprintf(stderr, "%%s fails\n", #call); exit(1); } } while (0)

static void say(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message)
{
  (void) environment, (void) status, (void) category;
  fprintf(stderr, "%%s\n", message);
}

static number value_at(int k, int i, number to)
{
  number y;
  if (k < NX) {
    const number old = x[k];
    x[k] = to;
    DO(P(SetContinuousStates)(unit, x, NX));
    x[k] = old;
  } else {
    DO(P(SetFloat64)(unit, &known[k], 1, &to, 1));
  }
  DO(P(GetFloat64)(unit, &unknown[i], 1, &y, 1));
  return y;
}

// differences of all unknowns by one known
static void difference(int k, number h, number *out)
{
  static const number factor[] = {45, -9, 1};
  const number at = k < NX ? x[k] : (number) first[k - NX];
  for (int i = 0; i < NUNKNOWN; i++) out[i] = 0;
  for (int j = 1; j <= 3; j++) {
    for (int side = -1; side <= 1; side += 2) {
      for (int i = 0; i < NUNKNOWN; i++) out[i] += side*factor[j - 1]*value_at(k, i, at + side*j*h)/(60*h);
    }
  }
  value_at(k, 0, at);
}

int main(int argc, char **argv)
{
  fmi3Boolean a, b, c, d, e;
  number t;
  unit = P(InstantiateModelExchange)("quad", "%(token)s", NULL, 0, 1, NULL, say);
  if (!unit) return 1;
  DO(P(EnterInitializationMode)(unit, 0, 0, %(from)s, 0, 0));
  DO(P(ExitInitializationMode)(unit));
  for (a = 1; a;) DO(P(UpdateDiscreteStates)(unit, &a, &b, &c, &d, &e, &t));
  DO(P(EnterContinuousTimeMode)(unit));
  for (int k = 0; k < NINPUT; k++) {
    const number to = (number) first[k];
    DO(P(SetFloat64)(unit, &known[NX + k], 1, &to, 1));
  }
  DO(P(GetContinuousStates)(unit, x, NX));
  for (int k = 0; k < 3; k++) {
    DO(P(GetContinuousStateDerivatives)(unit, rate, NX));
    for (int i = 0; i < NX; i++) x[i] += (number) 1e-3*rate[i];
    DO(P(SetContinuousStates)(unit, x, NX));
  }
  FILE *file = fopen(argv[1], argc > 2 ? "w" : "r");
  for (int i = 0; i < NX; i++) {
    if (argc > 2) {
      fprintf(file, "%%a\n", (DOUBLE) x[i]);
    } else {
      DOUBLE own;
      if (fscanf(file, "%%la", &own) != 1) return 1;
      x[i] = own;
    }
  }
  fclose(file);
  DO(P(SetContinuousStates)(unit, x, NX));
  for (int k = 0; k < NKNOWN; k++) {
    static number one[NUNKNOWN + 1], two[NUNKNOWN + 1], own;
    const number seed = 1, h = (number) %(step)s;
    if (argc < 3) difference(k, h, one), difference(k, h/2, two);
    for (int i = 0; i < NUNKNOWN; i++) {
      DO(P(GetDirectionalDerivative)(unit, &unknown[i], 1, &known[k], 1, &seed, 1, &own, 1));
      printf("%%d %%d %%.17g %%.17g %%.17g\n", i, k, (DOUBLE) own, (DOUBLE) one[i], (DOUBLE) two[i]);
    }
  }
  return 0;
}
"""


def inner_value(v):
    least, largest = float(v.get("min", "-inf")), float(v.get("max", "inf"))
    if least > -1e300 and largest < 1e300:
        return 0.75 * least + 0.25 * largest
    return least + 0.5 if least > -1e300 else largest - 0.5 if largest < 1e300 else 0.5


def facts(root):
    variables = list(root.find("ModelVariables"))
    by_reference = {v.get("valueReference"): v for v in variables}
    structure = root.find("ModelStructure")
    rates = [u.get("valueReference") for u in structure.findall("ContinuousStateDerivative")]
    outputs = [u.get("valueReference") for u in structure.findall("Output")]
    states = [by_reference[r].get("derivative") for r in rates]
    inputs = [v for v in variables if v.get("causality") == "input"]
    unknown, known = rates + outputs, states + [v.get("valueReference") for v in inputs]
    experiment = root.find("DefaultExperiment")
    text = {
        "unknown": "".join(r + "," for r in unknown), "known": "".join(r + "," for r in known),
        "first": "".join(f"{inner_value(v)!r}," for v in inputs), "nx": len(states), "step": STEP, "nunknown": len(unknown),
        "nknown": len(known), "token": root.get("instantiationToken"), "from": experiment.get("startTime", "0") if experiment is not None else "0",
    }
    return text, [by_reference[r].get("name") for r in unknown], [by_reference[r].get("name") for r in known]


def build(folder, name, program, is_quad):
    flags = ["-include", "wrap.h", "-DDOUBLE=__typeof__(0.0)"] if is_quad else ["-DDOUBLE=double"]
    sources = [f"sources/{name}_unit.c", f"sources/{name}.c", "driver.c"]
    call = ["gcc", "-O1", "-w", "-Werror=implicit-function-declaration", "-std=gnu11", "-ffp-contract=off", f"-DP(f)={name}_fmi3##f", f"-DFMI3_FUNCTION_PREFIX={name}_", "-Isources", *flags, *sources, "-o", program, "-lm"]
    subprocess.run(call, cwd=folder, check=True)


def compare(path):
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
        root = ET.parse(f"{folder}/modelDescription.xml").getroot()
        kind = root.find("ModelExchange")
        if kind.get("providesDirectionalDerivatives") != "true":
            print(f"{path}: no derivatives")
            return False
        name = kind.get("modelIdentifier")
        text, unknown, known = facts(root)
        for own, content in (("wrap.h", WRAP), ("driver.c", DRIVER % text)):
            with open(f"{folder}/{own}", "w") as out:
                out.write(content)
        build(folder, name, "plain", False)
        machine = f"{folder}/sources/{name}.c"
        with open(machine) as source:
            body = source.read()
        body = re.sub(r"\(iteration > 0 \? [^:]*: [^)]*\)", "1e-50", body)
        # sines by polynomials have the digits of double
        body = re.sub(r"(_sincos\(int n, const double \*restrict x,\s*double \*restrict s, double \*restrict c\)\n)\{\n.*?\n\}\n",
                      r"\1{\n  for (int i = 0; i < n; i++) s[i] = sin(x[i]), c[i] = cos(x[i]);\n}\n", body, flags=re.S)
        with open(machine, "w") as source:
            source.write(body)
        build(folder, name, "quad", True)
        run = lambda *call: subprocess.run(call, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout
        plain = [line.split() for line in run("./plain", "states", "write").splitlines()]
        quad = [line.split() for line in run("./quad", "states").splitlines()]
    largest = {}
    for row in plain:
        largest[row[0]] = max(largest.get(row[0], 0), abs(float(row[2])))
    worst, fails = [(0, "", "", 0)] * 3, False
    for a, b in zip(plain, quad):
        own, tangent, wide, narrow = float(a[2]), *map(float, b[2:])
        size = 1 + abs(narrow)
        for k, (one, two) in enumerate(((own, narrow), (tangent, narrow), (wide, narrow))):
            worst[k] = max(worst[k], (abs(one - two) / size, unknown[int(a[0])], known[int(a[1])], narrow))
        fails |= abs(own - narrow) > 1e-9 * size + 1e-15 * largest[a[0]] or abs(tangent - narrow) > 1e-15 * size
    for words, (gap, of, by, value) in zip(("the unit", "its tangents in quadruple precision", "half the step"), worst):
        print(f"{path}: {words}: off by {gap:.1e} ('{of}' with '{by}', {value:.3g})")
    return fails


UNITS = sys.argv[1:]
STEP = "1e-5"
if UNITS[0] == "--step":
    STEP, UNITS = UNITS[1], UNITS[2:]
sys.exit(max([compare(unit) for unit in UNITS]))
