#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# export --fmu writes an archive that others read: description, sources that compile alone, a library with the functions of
# the standard and no others; wrong names and machines that units cannot follow are refused.
. test/cli/support.bash

call 0 export models/pendulum.yaml --fmu "$work/p.fmu" --name swing
says "$work/p.fmu"
python3 - "$work" <<'EOF' || fail "the archive is not what it should be"
import re, sys, xml.etree.ElementTree as tree, zipfile
work = sys.argv[1]
with zipfile.ZipFile(work + "/p.fmu") as z:
    assert z.testzip() is None
    names = z.namelist()
    z.extractall(work + "/p")
assert names[:1] == ["modelDescription.xml"], names
assert {"sources/swing.c", "sources/swing.h", "sources/swing_unit.c", "sources/fmi2.h"} < set(names), names
assert len([n for n in names if re.fullmatch(r"binaries/[a-z0-9_-]+/swing\.so", n)]) >= 1, names
root = tree.parse(work + "/p/modelDescription.xml").getroot()
assert root.get("fmiVersion") == "2.0" and root.find("ModelExchange").get("modelIdentifier") == "swing"
variables = root.find("ModelVariables")
seen = [v.get("name") for v in variables]
assert len(seen) == len(set(seen)), "a name stands twice"
references = [v.get("valueReference") for v in variables]
assert len(references) == len(set(references)), "a reference stands twice"
for i, v in enumerate(variables):
    of = v[0].get("derivative")
    assert not of or v.get("name") == "der(" + variables[int(of) - 1].get("name") + ")", v.get("name")
assert {v.get("name") for v in variables if v.get("causality") == "output"} == {"x", "y", "angle", "energy"}
EOF
for cc in cc clang; do
  command -v "$cc" > /dev/null || continue
  (cd "$work/p/sources" && "$cc" -std=c99 -Wall -Wextra -Wpedantic -Werror -c swing.c swing_unit.c) || fail "sources do not compile with $cc"
done
others=$(nm -D --defined-only "$work"/p/binaries/*/swing.so | awk '{print $3}' | grep -vE '^(fmi2[A-Z]|swing_)' || true)
[ -z "$others" ] || fail "the library shows $others"

# both versions of both kinds lead to the same motion
call 0 export models/loops/four-bar.yaml --fmu "$work/2.fmu" --sources
call 0 run "$work/2.fmu" --until 0.2 -o "$work/run2"
for kind in me cs; do
  call 0 export models/loops/four-bar.yaml --fmu "$work/3.fmu" --version 3 --kind $kind --sources
  call 0 run "$work/3.fmu" --until 0.2 -o "$work/run3"
  python3 - "$work" <<'EOF' || fail "version 3, $kind, leads elsewhere"
import sys
rows = [open(f"{sys.argv[1]}/run{k}/results.csv").readlines()[-1].split(",") for k in (2, 3)]
assert len(rows[0]) == 8 and all(abs(float(a) - float(b)) < 1e-6 * (1 + abs(float(a))) for a, b in zip(*rows)), rows
EOF
done

# libraries for other computers, where their compilers are; 'file' of the bytes: ELF of a processor, or PE
for version in 2 3; do
  for row in 'x86_64-linux-gnu linux64 x86_64-linux so 7f454c46 3e00' 'aarch64-linux-gnu aarch64-linux aarch64-linux so 7f454c46 b700' \
    'x86_64-w64-mingw32 win64 x86_64-windows dll 4d5a ""'; do
    read -r target old new ending magic processor <<< "$row"
    command -v "$target-gcc" > /dev/null || continue
    [ "${target%-gnu}" != "$(uname -m)-linux" ] || continue # this computer
    call 0 export models/pendulum.yaml --fmu "$work/c.fmu" --name swing --version $version --binary --targets $target
    folder=$([ $version = 2 ] && echo "$old" || echo "$new")
    python3 - "$work/c.fmu" "binaries/$folder/swing.$ending" "$magic" "${processor//\"/}" <<'EOF' || fail "no library for $target in version $version"
import sys, zipfile
archive, name, magic, processor = sys.argv[1:]
with zipfile.ZipFile(archive) as z:
    assert len([n for n in z.namelist() if n.startswith("binaries/")]) == 2, z.namelist()
    bytes_ = z.read(name)
assert bytes_.startswith(bytes.fromhex(magic)) and bytes_[18:18 + len(processor) // 2] == bytes.fromhex(processor), bytes_[:20]
assert b"fmi" in bytes_ and b"DoStep" in bytes_
EOF
  done
done
# without --targets: for x86 under Linux and Windows, where the compilers are there; `own` for this computer alone
call 0 export models/pendulum.yaml --fmu "$work/c.fmu" --name swing --binary
wanted=$(python3 -c 'import platform; print("linux64" if platform.machine() == "x86_64" else platform.machine() + "-linux")')
command -v x86_64-linux-gnu-gcc > /dev/null && wanted="$wanted linux64"
command -v x86_64-w64-mingw32-gcc > /dev/null && wanted="$wanted win64"
python3 - "$work/c.fmu" $wanted <<'EOF' || fail "libraries that nobody has asked for: want $wanted"
import sys, zipfile
assert {n.split("/")[1] for n in zipfile.ZipFile(sys.argv[1]).namelist() if n.startswith("binaries/")} == set(sys.argv[2:])
EOF
call 0 export models/pendulum.yaml --fmu "$work/c.fmu" --name swing --binary --targets own
[ "$(python3 -m zipfile -l "$work/c.fmu" | grep -c binaries/)" -eq 1 ] || fail "--targets own has other libraries"
for targets in beos 'x86_64-linux-gnu,x86_64-linux-gnu' "$(uname -m)-linux-gnu"; do
  call 2 export models/pendulum.yaml --fmu "$work/x.fmu" --targets $targets
  complains "--targets names"
done
call 1 export models/pendulum.yaml --fmu "$work/x.fmu" --targets i686-nobody-linux
complains "'i686-nobody-linux-gcc' could not be started"
call 2 export models/pendulum.yaml --fmu "$work/x.fmu" --sources --targets x86_64-linux-gnu
complains "--targets asks for libraries"

# without a compiler there are sources alone, unless a library is asked for
mkdir "$work/nothing"
PATH=$work/nothing call 0 export models/pendulum.yaml --fmu "$work/sources.fmu"
complains "no C compiler on the path"
python3 -m zipfile -l "$work/sources.fmu" | has_line sources/ || fail "an FMU without sources"
python3 -m zipfile -l "$work/sources.fmu" | has_line binaries/ && fail "a library without a compiler"
PATH=$work/nothing call 1 export models/pendulum.yaml --fmu "$work/sources.fmu" --binary
complains "need a C compiler"

# an archive of SSP: one component, whose connectors are those of the system; its FMU runs
call 0 export models/plant/dc-motor.yaml --fmu "$work/motor.ssp" --name motor --sources
python3 - "$work" <<'EOF' || fail "the archive of SSP is not what it should be"
import sys, zipfile, xml.etree.ElementTree as ET
with zipfile.ZipFile(sys.argv[1] + "/motor.ssp") as z:
    assert z.namelist() == ["SystemStructure.ssd", "resources/motor.fmu"], z.namelist()
    root = ET.fromstring(z.read("SystemStructure.ssd"))
    z.extractall(sys.argv[1] + "/ssp")
ssd, ssc = "{http://ssp-standard.org/SSP1/SystemStructureDescription}", "{http://ssp-standard.org/SSP1/SystemStructureCommon}"
with zipfile.ZipFile(sys.argv[1] + "/ssp/resources/motor.fmu") as z:
    fmu = ET.fromstring(z.read("modelDescription.xml"))
want = {(v.get("name"), v.get("causality")) for v in fmu.find("ModelVariables") if v.get("causality") in ("input", "output")}
component = root.find(f"{ssd}System/{ssd}Elements/{ssd}Component")
assert component.get("source") == "resources/motor.fmu" and len(want) > 2
units = {u.get("name") for u in root.iter(ssc + "Unit")}
for owner in (component, root.find(ssd + "System")):
    connectors = owner.find(ssd + "Connectors")
    assert {(c.get("name"), c.get("kind")) for c in connectors} == want
    assert all(real.get("unit") is None or real.get("unit") in units for real in connectors.iter(ssc + "Real"))
assert len(root.findall(f"{ssd}System/{ssd}Connections/{ssd}Connection")) == len(want)
assert float(root.find(ssd + "DefaultExperiment").get("stopTime")) > 0
EOF
call 0 run "$work/ssp/resources/motor.fmu" --until 0.1 -o "$work/run" --quiet

# the arm of the van follows from a ball joint that loops lead in part: the output is continuous and depends on that quaternion
call 0 export models/vehicles/van.yaml --fmu "$work/v.fmu" --name van --sources --forms accelerate --version 3 --quiet
python3 - "$work/v.fmu" <<'EOF' || fail "dependencies of the van"
import sys, zipfile, xml.etree.ElementTree as ET
root = ET.fromstring(zipfile.ZipFile(sys.argv[1]).read("modelDescription.xml"))
named = {v.get("valueReference"): v for v in root.find("ModelVariables")}
arm, = [o for o in root.findall("ModelStructure/Output") if named[o.get("valueReference")].get("name") == "arm_left"]
assert named[arm.get("valueReference")].get("variability") == "continuous"
assert [named[k].get("name") for k in arm.get("dependencies").split()] == ["left.upper_ball.q" + axis for axis in "wxyz"]
EOF

# a picture of the machine in both versions; in version 3 inputs and outputs by the parts of the machine
for version in 2 3; do
  call 0 export models/plant/dc-motor.yaml --fmu "$work/t.fmu" --name motor --sources --version $version
  call 0 export models/pendulum.yaml --fmu "$work/p$version.fmu" --sources --version $version
  python3 test/fmi/rules.py "$work/t.fmu" "$work/p$version.fmu" || fail "rules of version $version"
done
python3 - "$work" <<'EOF' || fail "terminals or pictures are not what they should be"
import sys, zipfile, zlib, struct, xml.etree.ElementTree as ET
work = sys.argv[1]
with zipfile.ZipFile(work + "/t.fmu") as z:
    variables = ET.fromstring(z.read("modelDescription.xml")).find("ModelVariables")
    root = ET.fromstring(z.read("terminalsAndIcons/terminalsAndIcons.xml"))
terminals = {t.get("name"): [m.get("variableName") for m in t] for t in root.iter("Terminal")}
want = {v.get("name") for v in variables if v.get("causality") in ("input", "output")}
assert {name for own in terminals.values() for name in own} == want, (terminals, want)
assert len(terminals) > 1 and any(v.get("causality") == "input" and v.get("name") in terminals["bus"] for v in variables), terminals
for archive, icon in (("p2", "model.png"), ("p3", "terminalsAndIcons/icon.png")):
    with zipfile.ZipFile(f"{work}/{archive}.fmu") as z:
        png, page = z.read(icon), z.read("documentation/index.html").decode()
    assert f'src="../{icon}"' in page
    width, height = struct.unpack(">II", png[16:24])
    length, = struct.unpack(">I", png[33:37])
    rows = zlib.decompress(png[41:41 + length])
    assert len(rows) == height*(1 + 3*width) and 50 < width < 1000 and len(set(rows)) > 5
EOF

# the same model gives the same archive
call 0 export models/pendulum.yaml --fmu "$work/q.fmu" --name swing --sources
call 0 export models/pendulum.yaml --fmu "$work/r.fmu" --name swing --sources
cmp "$work/q.fmu" "$work/r.fmu" || fail "two archives of one model differ"

# tangents go with machines of at most 1.25 MB of source with them, or where they are asked for; other FMUs have differences
if [ -z "${ART_SANITIZED:-}" ]; then
  for n in 13 14; do
    tools/make-chain.sh $n > "$work/chain.yaml"
    call 0 export "$work/chain.yaml" --fmu "$work/short$n.fmu" --name chain --sources
  done
  call 0 export "$work/chain.yaml" --fmu "$work/asked14.fmu" --name chain --sources --forms accelerate,linear
  python3 - "$work" <<'EOF' || fail "tangents go with the wrong FMUs"
import sys, zipfile
def look(name):
    with zipfile.ZipFile(f"{sys.argv[1]}/{name}.fmu") as z:
        assert b'providesDirectionalDerivative="true"' in z.read("modelDescription.xml"), name
        return len(z.read("sources/chain.c")), b"chain_tangent(" in z.read("sources/chain.h")
most = 1250000
assert look("short13")[1] and 0.8*most < look("short13")[0] <= most, look("short13")
assert look("asked14")[1] and most < look("asked14")[0] < 1.2*most, look("asked14")
assert not look("short14")[1] and look("short14")[0] < 0.2*most, look("short14")
EOF
fi

call 2 export models/pendulum.yaml --fmu "$work/x.fmu" --outputs nothing
complains "--outputs names 'nothing', which is not an output of the model"
call 2 export models/pendulum.yaml --fmu "$work/x.fmu" --binary --sources
complains "--binary leaves sources out"
call 2 export models/pendulum.yaml --fmu "$work/x.fmu" --glb "$work/x.glb"
complains "export writes one file"
cat > "$work/ropes.yaml" << 'END'
articula: 1
bodies: {ball: {mass: 1, inertia: [0.1, 0.1, 0.1]}}
joints: {free: {type: free, from: ground, to: ball}}
latches:
  a: {type: rope, between: [ground, ball], length: 1}
  b: {type: rope, between: [ground, ball], length: 2}
  c: {type: lock, coordinate: free.x, engage: "= time - 1[s]"}
  d: {type: lock, coordinate: free.y, engage: "= time - 2[s]"}
study: {type: run, until: 1}
END
call 1 export "$work/ropes.yaml" --fmu "$work/x.fmu"
complains "ropes.yaml:5" "4 locks, latches and ropes have 16 sets of equations" "which rope 'a' is not"
[ ! -e "$work/x.fmu" ] || fail "a refused unit leaves a file"
# a road that an input raises under a wheel: the machine and its FMU move alike
call 0 run models/vehicles/quarter-car.yaml --input height=0.05 -o "$work/car"
call 0 export models/vehicles/quarter-car.yaml --fmu "$work/car.fmu"
call 0 run "$work/car.fmu" --allow-native "$work/car.fmu" --input height=0.05 --until 2 -o "$work/posts"
for folder in car posts; do tail -n 1 "$work/$folder/results.csv"; done |
  awk -F, '{ for (i = 2; i <= 5; i++) x[NR, i] = $i }
    END { for (i = 2; i <= 5; i++) if ((x[1, i] - x[2, i])^2 > 1e-8*(x[1, i]^2 + 1e-6)) exit 1; if (x[1, 5] != 0.05) exit 1 }' ||
  fail "an FMU on a raised road moves otherwise: $(tail -n 1 "$work/car/results.csv" "$work/posts/results.csv")"

# a stop that a fast body touches within internal steps of an FMU for co-simulation
cat > "$work/stop.yaml" << 'END'
articula: 1
gravity: [0, 0, 0]
bodies: {b: {mass: 1}}
joints: {x: {type: prismatic, axis: x, from: ground, to: b}}
forces:
  s: {type: joint-spring, coordinate: x, stiffness: 1e4}
  stop: {type: joint-stop, coordinate: x, upper: 0.99999, stiffness: 1e8}
initial: {x: {slide: 0, rate: 100}}
outputs: [x.slide, x.rate]
study: {type: run, until: 0.5, interval: 0.1, tolerance: 1e-9}
END
call 0 run "$work/stop.yaml" -o "$work/felt"
for version in 2 3; do
  call 0 export "$work/stop.yaml" --fmu "$work/stop.fmu" --version $version
  for step in 0.1 0.5; do
    call 0 run "$work/stop.fmu" --allow-native "$work/stop.fmu" --until 0.5 --step $step -o "$work/steps"
    # without the stop it is at sin(50) = -0.26237, with it at -0.25825
    for folder in felt steps; do tail -n 1 "$work/$folder/results.csv"; done |
      awk -F, '{ x[NR] = $2 } END { if ((x[1] - x[2])^2 > 1e-12 || x[1] < -0.259) exit 1 }' ||
      fail "an FMU in steps of $step s passes a stop: $(tail -n 1 "$work/felt/results.csv" "$work/steps/results.csv")"
  done
done

finish
