#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Makes an FMU of version 3.0 with arrays for tests, as sources: make_arrays.py OUT.fmu me|cs [LOCALS]

LOCALS: so many more local variables, for tests of the time that reading takes; no sources then.
"""
import sys
import zipfile
from pathlib import Path

out, kind, many = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 0
tag = {"me": "ModelExchange", "cs": "CoSimulation"}[kind]
local = "".join(f'<Float64 name="body[{i}].r" valueReference="{i + 10}" declaredType="length"/>\n' for i in range(many))
depends = " ".join(str(i + 10) for i in range(many))
dimension = '<Dimension valueReference="6"/>'
description = f"""<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="arrays" instantiationToken="{{arrays}}">
<{tag} modelIdentifier="arrays" canHandleVariableCommunicationStepSize="true"/>
<UnitDefinitions><Unit name="m"><BaseUnit m="1"/></Unit></UnitDefinitions>
<TypeDefinitions><Float64Type name="length" unit="m"/></TypeDefinitions>
<DefaultExperiment startTime="0" stopTime="2" stepSize="0.01"/>
<ModelVariables>
<Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
<Float64 name="A" valueReference="1" causality="parameter" variability="tunable" start="0 1 -1 0">{dimension}<Dimension start="2"/></Float64>
<Float64 name="u" valueReference="2" causality="input" start="0">{dimension}</Float64>
<Float64 name="x" valueReference="3" start="1 0" initial="exact">{dimension}</Float64>
<Float64 name="der(x)" valueReference="4" derivative="3">{dimension}</Float64>
<Float64 name="y" valueReference="5" causality="output">{dimension}</Float64>
<UInt64 name="n" valueReference="6" causality="structuralParameter" variability="fixed" start="2"/>
{local}</ModelVariables>
<ModelStructure><Output valueReference="5" dependencies="3 {depends}"/>
<ContinuousStateDerivative valueReference="4"/></ModelStructure>
</fmiModelDescription>
"""
build = """<?xml version="1.0" encoding="UTF-8"?>
<fmiBuildDescription fmiVersion="3.0"><BuildConfiguration modelIdentifier="arrays">
<SourceFileSet language="C99"><SourceFile name="arrays3.c"/></SourceFileSet></BuildConfiguration></fmiBuildDescription>
"""
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("modelDescription.xml", description)
    if not many:
        archive.write(Path(__file__).resolve().parent / "arrays3.c", "sources/arrays3.c")
        archive.writestr("sources/buildDescription.xml", build)
