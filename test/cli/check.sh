#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# check and info: what is in a model, and what is wrong with it.
source test/cli/support.bash

call 0 check $models/pendulum.yaml
says "Double pendulum" "2 bodies, 4 kg in all" "elbow                    revolute     upper -> lower"
says "none: the machine is a tree" "bend                     joint-spring    elbow.angle"
says "shoulder.rate [rad/s]" "energy.balance [J]" "lift                     inverse, from 0 to 1 s"
silent err

call 0 check $models/long.yaml
says "x y z qw qx qy qz" "10: 11 velocities, 1 driven; 13 position coordinates" "motor" "by a formula"

# a free joint is a chain of six with five bodies between; what is fixed to a body without mass gives it one
cat > "$work/chains.yaml" <<'END'
articula: 1
bodies:
  carrier: {}
  load: {mass: 3, com: [0, 0, 0.1], inertia: [0.1, 0.1, 0.1]}
  cross: {}
  arm: {mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02]}
joints:
  flight: {type: free, from: ground, to: carrier}
  weld: {type: fixed, from: carrier, to: load}
  first: {type: revolute, axis: x, from: load, to: cross}
  second: {type: universal, from: cross, to: arm}
  tether: {type: rod, from: ground, to: arm, length: 0.1}
initial: {flight: {position: [0.1, 0, 0]}}
END
call 0 check --verbose "$work/chains.yaml"
says "in joints of one degree of freedom: 9 bodies, 7 of them without mass, 1 rods, 9 joints, 0 of them cut"
call 0 check --json "$work/chains.yaml"
holds 'j["one_dof_joints"] == {"bodies": 9, "massless": 7, "rods": 1, "joints": 9, "cuts": 0, "driven": 0}'

# the vehicles of Hidalgo and Garcia de Jalon (2012), counted as they do
call 0 check --verbose "$ART_SOURCE_DIR/models/vehicles/van.yaml"
says "17: 43 velocities, 1 driven, 25 bound by closed loops" "25 rows, 25 of them independent"
says "in joints of one degree of freedom: 43 bodies, 17 of them without mass, 4 rods, 47 joints, 4 of them cut"
call 0 check --verbose "$ART_SOURCE_DIR/models/vehicles/truck.yaml"
says "40: 81 velocities, 1 driven, 40 bound by closed loops" "40 rows, 40 of them independent"
says "in joints of one degree of freedom: 81 bodies, 34 of them without mass, 0 rods, 89 joints, 8 of them cut"
call 0 check --verbose "$ART_SOURCE_DIR/models/vehicles/van-redundant.yaml"
says "28 rows, 25 of them independent" "row 3 (slide z) of joint 'gearbox_again' follows from 'gearbox'"
call 0 check --verbose "$ART_SOURCE_DIR/models/vehicles/truck-redundant.yaml"
says "51 rows, 40 of them independent" "row 5 (turn y) of joint 'eye1_right_again' follows from 'eye1_right'"

call 0 check --verbose $models/loop.yaml
says "1: 3 velocities, 2 bound by closed loops"
says "3 bodies, 0 of them without mass, 0 rods, 4 joints, 1 of them cut"
says "closed by joint 'c' (revolute, 5 rows): no joint of the loop is cheaper to cut, and branches are shortest this way"
says "around coupler, crank, ground, rocker" "5 rows, 2 of them independent"
says "row 5 (turn y) of joint 'c' "
# in fewer words without --verbose
call 0 check $models/loop.yaml
says "closed by joint 'c' (revolute)" "5 constraints, 3 of them redundant: some reactions are not unique (--verbose lists them); at the initial state open by"
says "independent" "dependent"
! grep -qE 'natural|one degree of freedom:|follows from|cheaper' "$work/out" || fail "$last: words for those who know the program"
call 0 check --json $models/loop.yaml
holds 'j["degrees_of_freedom"] == 1 and j["rows"] == 5 and j["rank"] == 2 and j["closes"] and j["blocks"] == [2]'
holds 'j["closures"][0]["joint"] == "c" and j["closures"][0]["around"] == ["coupler", "crank", "ground", "rocker"]'
holds 'len(j["independent"]) == 1 and len(j["dependent"]) == 2 and len(j["redundant"]) == 3'
holds 'all(r.endswith("; its reaction is not unique") for r in j["redundant"])'
sed 's/at: \[0.5, 0, 0\], to: ground/at: [1.5, 0, 0], to: ground/; s/^joints:/joints:\n  far: {type: rod, from: coupler, to: ground, length: 90}/' $models/loop.yaml > "$work/open.yaml"
call 2 check --verbose "$work/open.yaml"
says "not known, for the loops do not close" "they do not close yet, open by" "rods are always cut"
call 2 check --json "$work/open.yaml"
holds 'j["degrees_of_freedom"] is None and not j["closes"] and j["gap"] > 1'

# a bar between ball joints becomes a rod, unless something needs it as a body
cat > "$work/bar.yaml" <<'END'
articula: 1
bodies:
  crank: {mass: 1, com: [0.1, 0, 0.1], inertia: [0.01, 0.01, 0.01]}
  rocker: {mass: 2, com: [0.5, 0, 0.2], inertia: [0.02, 0.01, 0.01]}
  link: {mass: 0.5, com: [0.3, 0, 0.3], inertia: [0, = 0.5*0.36/12, = 0.5*0.36/12]}
joints:
  a: {type: revolute, axis: y, from: ground, to: crank, at: [0, 0, 0]}
  b: {type: revolute, axis: y, from: ground, to: rocker, at: [0.5, 0, 0]}
  p: {type: spherical, from: crank, to: link, at: [0, 0, 0.3]}
  q: {type: spherical, from: link, to: rocker, at: [0.6, 0, 0.3]}
END
call 0 check --verbose "$work/bar.yaml"
says "2 bodies and 1 rod with mass, 3.5 kg in all, centre of mass at (0.357143, 0, 0.185714) m" "link                     0.5 kg, a rod"
says "closed by joint 'link' (rod, 1 row): a thin bar between two ball joints needs no coordinates"
says "in place of body 'link' and joints 'p', 'q'"
call 0 check --json "$work/bar.yaml"
holds 'abs(j["centre_of_mass"][2] - 0.65/3.5) < 1e-15'
holds 'j["mass"] == 3.5 and j["closures"][0]["in_place_of"] == ["link", "p", "q"]'
holds 'j["rods"] == [{"name": "link", "mass": 0.5, "length": 0.6}]'
call 0 info "$work/bar.yaml"
says "loop closed by rod 'link' between crank and rocker  (0.5 kg)" "mass                 3.5 kg"
echo 'outputs: {height: link.z}' >> "$work/bar.yaml"
call 0 check --verbose "$work/bar.yaml"
says "a bar, but no rod: output 'height' names 'link.z'"
call 0 check --json "$work/bar.yaml"
holds 'j["bodies"][2]["no_rod"].startswith("output") and j["rods"] == []'

call 0 check --json $models/pendulum.yaml
holds 'j["mass"] == 4 and j["degrees_of_freedom"] == 2 and len(j["hash"]) == 16'
holds '[b["name"] for b in j["bodies"]] == ["upper", "lower"]'
holds 'j["joints"][1] == {"name": "elbow", "type": "revolute", "from": "upper", "to": "lower",
       "closes_loop": False, "positions": ["elbow.angle"], "velocities": ["elbow.rate"]}'
holds '[s["type"] for s in j["studies"]] == ["run", "run", "linear", "inverse"]'
silent err

call 0 info $models/long.yaml
says "mass                 27 kg" "degrees of freedom   10"
printf "ground\n  hull  (free 'float', 20 kg)\n    arm  (revolute 'hinge', 4 kg)\n      ball  (spherical 'hang', 2 kg)\n    rotor  (revolute 'spin', 1 kg)\n" > "$work/tree"
tail -n 5 "$work/out" | cmp -s - "$work/tree" || { fail "info: another tree"; cat "$work/out"; }
call 0 info --json $models/loop.yaml
holds 'j["loops"] == 1 and j["velocities"] == 3 and j["bodies"] == 3 and j["degrees_of_freedom"] == 1'

# wrong input
call 2 check $models/bad.yaml
complains "$models/bad.yaml:6:52: joint 'pin' names the body 'chasis', which is not defined (did you mean 'chassis'?)"
[ "$(wc -l < "$work/err")" -eq 1 ] || fail "an error takes more than a line"
silent out
call 2 check --json $models/bad.yaml
holds 'j["error"]["file"].endswith("bad.yaml") and (j["error"]["line"], j["error"]["column"]) == (6, 52)'
silent err
call 2 run $models/bad.yaml -o "$work/none"
[ ! -e "$work/none" ] || fail "a model that is refused leaves a directory"
call 2 check "$work/nosuch.yaml"
complains "nosuch.yaml: cannot open: No such file or directory"
call 2 check "$work"
complains "this is a directory"

# solids: what they come to, and a mesh that is inside out
cat > "$work/solids.yaml" <<'END'
articula: 1
bodies:
  plate:
    solid:
      - {type: box, size: [0.4, 0.2, 0.01], density: 7850}
      - {type: cylinder, radius: 0.05, length: 0.01, position: [0.1, 0, 0], hole: true}
  cube: {mass: 3 kg, solid: {type: mesh, file: cube.obj}}
joints:
  a: {type: revolute, axis: y, from: ground, to: plate}
  b: {type: revolute, axis: y, from: plate, to: cube}
END
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n' > "$work/cube.obj"
call 0 check "$work/solids.yaml"
says "  plate                    5.66346 kg"
says "    of 2 solids, com (-0.0108862, 0, 0) m"
says "    inertia 0.0205952 0.0765586 0.0970594 0 0 0 kg m^2"
says "    1 mesh inside out, turned"
call 0 check --json "$work/solids.yaml"
says '"solids": 2'
says '"turned": 1'
sed -i 's/^f 2 4 3$//' "$work/cube.obj"
call 2 check "$work/solids.yaml"
complains "is not closed: 3 of its 6 edges belong to one triangle alone"

# a full standard output
"$ARTICULA" check $models/pendulum.yaml > /dev/full 2> "$work/err"
[ $? -eq 1 ] || fail "a full standard output goes unseen"

# an item of a list has a place, too
cat > "$work/visual.yaml" <<'END'
articula: 1
bodies:
  bob: {mass: 1, com: [0, 0, -1], visual: [{size: [1, 1, 1]}]}
joints: {pin: {type: revolute, axis: y, from: ground, to: bob}}
END
call 2 check "$work/visual.yaml"
complains "visual.yaml:3:44: a visual needs 'type', one of box, cylinder, sphere, capsule, mesh"

# a rod that is shorter than rounding of the places of its ends
cat > "$work/rod.yaml" <<'END'
articula: 1
bodies:
  a: {mass: 1, com: [0.5, 0, 0], inertia: [1, 1, 1], points: {e: [1, 0, 0]}}
  b: {mass: 1, com: [0.5, 0, 1], inertia: [1, 1, 1], points: {e: [1, 0, 1]}}
joints:
  p1: {type: revolute, axis: y, from: ground, at: [0, 0, 0], to: a}
  p2: {type: revolute, axis: y, from: ground, at: [0, 0, 1], to: b}
  r: {type: rod, from: a.e, to: b.e, length: 1e-200}
END
call 2 check "$work/rod.yaml"
complains "rod.yaml:8:46: 'length' is 1e-200 m, and the square of so short a length is zero in double precision; give 0 or at least 1e-150 m"
sed -i 's/1e-200/1e-20/' "$work/rod.yaml"
call 2 check "$work/rod.yaml"
complains "rod.yaml:8:3: rod 'r' is 1e-20 m long: rounding of the places of its ends hides its direction"

# lengths whose squares are zero: one refusal by all verbs
cat > "$work/tiny.yaml" <<'END'
articula: 1
parameters: {L: 1e-200 m}
bodies: {bob: {mass: 1, com: [0, 0, = -L], inertia: {about: com, tensor: ["= 1[kg]*L^2", "= 1[kg]*L^2", 0]}}}
joints: {pin: {type: revolute, axis: y, from: ground, to: bob}}
END
for verb in check assemble run linear equil; do
  call 2 $verb "$work/tiny.yaml"
  complains "tiny.yaml:3:30: 'com' is 1e-200 m, and the square of so short a length is zero in double precision"
done

finish
