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

call 0 check $models/loop.yaml
says "1: 3 velocities, 2 bound by closed loops"
says "closed by joint 'c' (revolute, 5 rows): no joint of the loop is cheaper to cut, and branches are shortest this way"
says "around coupler, crank, ground, rocker" "5 rows, 2 of them independent"
says "row 5 (turn y) of joint 'c' "
call 0 check --json $models/loop.yaml
holds 'j["degrees_of_freedom"] == 1 and j["rows"] == 5 and j["rank"] == 2 and j["closes"] and j["blocks"] == [2]'
holds 'j["closures"][0]["joint"] == "c" and j["closures"][0]["around"] == ["coupler", "crank", "ground", "rocker"]'
holds 'len(j["independent"]) == 1 and len(j["dependent"]) == 2 and len(j["redundant"]) == 3'
holds 'all(r.endswith("; its reaction is not unique") for r in j["redundant"])'
sed 's/at: \[0.5, 0, 0\], to: ground/at: [1.5, 0, 0], to: ground/; s/^joints:/joints:\n  far: {type: rod, from: coupler, to: ground, length: 90}/' $models/loop.yaml > "$work/open.yaml"
call 2 check "$work/open.yaml"
says "not known, for the loops do not close" "they do not close yet, open by" "rods are always cut"
call 2 check --json "$work/open.yaml"
holds 'j["degrees_of_freedom"] is None and not j["closes"] and j["gap"] > 1'

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

# a full standard output
"$ARTICULA" check $models/pendulum.yaml > /dev/full 2> "$work/err"
[ $? -eq 1 ] || fail "a full standard output goes unseen"

finish
