#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# assemble, and runs of what it printed.
source test/cli/support.bash

model=$models/loop.yaml

{ cat $model; echo "initial: {a: {angle: 0.5, rate: 2}}"; } > "$work/rough.yaml"
call 0 assemble "$work/rough.yaml"
says "# 5 constraint rows, 2 of which count" "# 1 degree of freedom" "initial:" "angle: 0.5 rad" "rate: 2 rad/s"
says "of joint 'c' follows from 'a', 'b', 'd'; its reaction is not unique"

# the result can be pasted into the model, which then is closed from the start
{ cat $model; cat "$work/out"; } > "$work/closed.yaml"
call 0 assemble --json "$work/closed.yaml"
holds 'j["iterations"] == 0 and j["gap_before"] < 1e-12 and j["rate_gap_before"] < 1e-12 and j["moved"] == 0'
holds 'j["rows"] == 5 and j["rank"] == 2 and j["degrees_of_freedom"] == 1 and len(j["redundant"]) == 3'
holds '{c["name"]: c["value"] for c in j["coordinates"]}["a.angle"] == 0.5'
holds '{c["name"]: c["value"] for c in j["velocities"]}["a.rate"] == 2'

call 0 run "$work/rough.yaml" -o "$work/run" --until 1
says "loops closed to" "3 of 5 constraints redundant" "  assembly moved b.angle from 0 to "
holds 'j["assembly"]["moves"][0]["coordinate"] == "b.angle" and j["assembly"]["moves"][0]["from"] == 0 and j["assembly"]["moves"][0]["unit"] == "rad"' "$work/run/certificate.json"
call 0 run "$work/closed.yaml" -o "$work/run" --until 1
holds 'j["assembly"]["moves"] == []' "$work/run/certificate.json"

# crank at 60 degrees, rod and piston not given: of two positions the nearer
cat > "$work/piston.yaml" <<'END'
articula: 1
bodies:
  crank: {mass: 1, com: [0.05, 0, 0], inertia: [0.01, 0.02, 0.02], points: {tip: [0.1, 0, 0]}}
  rod: {mass: 2, com: [0.15, 0, 0], inertia: [0.01, 0.05, 0.05], points: {tip: [0.3, 0, 0]}}
  piston: {mass: 1, inertia: [0.01, 0.02, 0.02]}
joints:
  pin: {type: revolute, from: ground, to: crank}
  knee: {type: revolute, from: crank.tip, to: rod}
  way: {type: prismatic, axis: x, from: ground, to: piston}
  wrist: {type: revolute, from: rod.tip, to: piston}
initial: {pin: {angle: 60 deg}}
END
call 0 assemble --json "$work/piston.yaml"
holds 'abs({c["name"]: c["value"] for c in j["coordinates"]}["way.slide"] - 0.33722813232690137) < 1e-12'
holds '[m["coordinate"] for m in j["moves"]] == ["knee.angle", "way.slide"]'
call 0 run "$work/piston.yaml" -o "$work/run" --until 0.1
says "  assembly moved knee.angle from 0 to -1.34004 rad, way.slide from 0 to 0.337228 m"
holds 'j["constraints"]["rank"] == 2 and j["constraints"]["position_residual"] < 1e-10 and len(j["constraints"]["redundant"]) == 3' "$work/run/certificate.json"
holds 'j["constraints"]["velocity_residual"] < 1e-10 and j["constraints"]["acceleration_residual"] < 1e-9' "$work/run/certificate.json"

# assemblies that cannot be
{ cat $model; echo "initial: {a: {angle: 0.5, rate: 2}, b: {rate: 1}}"; } > "$work/bad.yaml"
call 2 assemble "$work/bad.yaml"
complains "the initial velocities contradict the loops: with a.rate = 2 rad/s as given, b.rate = 1 rad/s as given"
silent out
sed 's/^joints:/joints:\n  far: {type: rod, from: coupler, to: ground, length: 90}/' $model > "$work/far.yaml"
call 2 assemble "$work/far.yaml"
complains "loop closed by joint 'far' cannot be closed: it stays open by" "check the dimensions, or start nearer with guesses"
call 0 assemble $models/pendulum.yaml
says "# no closed loops: the machine is a tree" "# 2 degrees of freedom"

# what assembly moved is told at the end of a run in which latches have come and gone, whatever engages and releases
cat > "$work/carts.yaml" << 'YAML'
articula: 1
bodies:
  cart: {mass: 1 kg, com: [0, 0, 0], inertia: [1, 1, 1]}
  other: {mass: 1 kg, position: [5, 0, 0], com: [0, 0, 0], inertia: [1, 1, 1]}
joints:
  s: {type: prismatic, axis: x, from: ground, to: cart}
  p: {type: prismatic, axis: x, from: ground, to: other, at: [5, 0, 0]}
latches:
  hook: {type: latch, joint: revolute, axis: y, between: [cart, other], engaged: true, release: "= time - 0.5[s]"}
study: {type: run, until: 1 s}
YAML
moves='{m["coordinate"]: (m["from"], round(m["to"], 9)) for m in j["assembly"]["moves"]}'
for method in semirecursive recursive index3; do
  call 0 run "$work/carts.yaml" --method $method -o "$work/carts"
  says "assembly moved s.slide from 0 to 2.5 m, p.slide from 0 to -2.5 m"
  holds "$moves == {'s.slide': (0, 2.5), 'p.slide': (0, -2.5)}" "$work/carts/certificate.json"
done
call 0 check "$work/carts.yaml"
says "closing them moves coordinates by at most 2.5 m or rad" "    s.slide from 0 to 2.5 m" "    p.slide from 0 to -2.5 m"
# a loop that is assembled, and a lock that engages later
sed '/^study:/d' "$work/rough.yaml" > "$work/locked.yaml"
echo 'latches: {brake: {type: lock, coordinate: a, while: "= 0.01[s] - abs(time - 0.05[s])"}}' >> "$work/locked.yaml"
call 0 run "$work/locked.yaml" --until 0.1 -o "$work/locked"
says "assembly moved b.angle from 0 to " "latches engaged or released 2 times"
holds "[m['coordinate'] for m in j['assembly']['moves']][0] == 'b.angle'" "$work/locked/certificate.json"

finish
