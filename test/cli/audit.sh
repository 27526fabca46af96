#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Figures that were once wrong, against hand calculation. All other figures are in figures.sh.
source test/cli/support.bash

# near A B [LIMIT]: in the expressions of `holds`
near='near = lambda a, b, limit=1e-12: abs(a - b) <= limit * max(1, abs(b))'
holds_near() { holds "(exec('$near', globals()) or ($1))" "${2:-$work/out}"; }

#---- check: the centre of mass of a tree, and of a study that starts later

cat > "$work/arm.yaml" <<'END'
articula: 1
bodies:
  upper: {mass: 2, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0]}
  lower: {mass: 1, com: [0, 0, -0.25], inertia: [0.1, 0.1, 0], points: {tip: [0, 0, -0.5]}}
joints:
  a: {type: revolute, axis: y, from: ground, to: upper}
  b: {type: revolute, axis: y, from: {frame: upper, position: [0, 0, -1]}, to: lower}
initial: {a: {angle: 0.7}, b: {angle: -0.3}}
END
call 0 check --json "$work/arm.yaml"
holds_near 'near(j["centre_of_mass"][0], -(2*0.5*math.sin(0.7) + math.sin(0.7) + 0.25*math.sin(0.4))/3) and near(j["centre_of_mass"][2], -(2*0.5*math.cos(0.7) + math.cos(0.7) + 0.25*math.cos(0.4))/3)'
call 0 check "$work/arm.yaml"
says "centre of mass at (-0.46193, 0, -0.58665) m"

cat > "$work/late.yaml" <<'END'
articula: 1
bodies: {rod: {mass: 2, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0]}}
joints: {pin: {type: revolute, axis: y, from: ground, to: rod}}
drives: {turn: {coordinate: pin, value: "= 0.1*time^2"}}
study: {type: run, from: 3 s, until: 4 s, interval: 0.5 s}
END
call 0 check --json "$work/late.yaml"
holds_near 'j["time"] == 3 and near(j["centre_of_mass"][0], -0.5*math.sin(0.9))'
call 0 check "$work/late.yaml"
says "centre of mass at (-0.391663, 0, -0.310805) m at 3 s"
call 0 assemble --json "$work/late.yaml"
holds_near 'j["time"] == 3 and near(j["coordinates"][0]["value"], 0.9) and near(j["velocities"][0]["value"], 0.6)'
call 0 assemble "$work/late.yaml"
says "assembled at 3 s" "driven: angle: 0.9"
call 0 equil --json "$work/late.yaml"
holds_near 'near(j["coordinates"][0]["value"], 0.9)'

#---- inverse: the instant of a force that is zero throughout is one of the study

cat > "$work/cart.yaml" <<'END'
articula: 1
bodies: {cart: {mass: 3}, top: {mass: 2}}
joints:
  rail: {type: prismatic, axis: x, from: ground, to: cart}
  across: {type: prismatic, axis: y, from: cart, to: top}
study: {type: inverse, from: 2 s, until: 3 s, interval: 0.25 s, motion: {rail: "= 0.5*time^3"}}
END
call 0 inverse --json "$work/cart.yaml" -o "$work/cart"
holds_near 'near(j["largest_forces"][0]["value"], 5*3*3) and near(j["largest_forces"][0]["time"], 3)'
holds_near 'j["largest_forces"][1]["value"] == 0 and 2 <= j["largest_forces"][1]["time"] <= 3'

#---- check: springs with dampers have a potential, and do work besides

cat > "$work/forces.yaml" <<'END'
articula: 1
bodies: {cart: {mass: 3}}
joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}
forces:
  spring: {type: joint-spring, coordinate: rail, stiffness: 10}
  shock: {type: joint-spring, coordinate: rail, stiffness: 10, damping: 2}
  damper: {type: joint-spring, coordinate: rail, damping: 2}
  stop: {type: joint-stop, coordinate: rail, lower: -1, upper: 1, stiffness: 1e4, damping: 0.1}
  friction: {type: joint-friction, coordinate: rail, coulomb: 1, transition: 1e-3}
  push: {type: force, point: cart, value: [1, 0, 0]}
  pull: {type: force, point: cart, value: [= time, 0, 0]}
END
call 0 check --json "$work/forces.yaml"
holds '[(f["has_potential"], f["does_work"]) for f in j["forces"]] == [(True, False), (True, True), (False, True), (True, True), (False, True), (True, False), (False, True)]'

#---- joint.force: elements, drives and couplings together, by every method

cat > "$work/gear.yaml" <<'END'
articula: 1
gravity: [0, 0, 0]
bodies:
  a: {mass: 1, inertia: [1, 1, 0.2]}
  b: {mass: 1, position: [1, 0, 0], inertia: [1, 1, 0.5]}
joints:
  p: {type: revolute, axis: z, from: ground, to: a}
  q: {type: revolute, axis: z, from: ground, to: b, at: [1, 0, 0]}
couplings: {mesh: {type: linear, terms: {p: 1, q: 2}}}
forces: {motor: {type: joint-force, coordinate: p, value: 3 N m}, brake: {type: joint-spring, coordinate: q, damping: 0.4}}
initial: {p: {rate: 1}, q: {rate: -0.5}}
outputs: [p.force, q.force, p.accel, q.accel, mesh.force, p.tz, q.tz, q.rate]
study: {type: run, until: 1 ms, interval: 1 ms}
END
# 0.2 p'' = 3 + l,  0.5 q'' = -0.4 q' + 2 l,  p'' = -2 q''
for method in semirecursive recursive augmented generated index1 index3 multi-index; do
  call 0 run "$work/gear.yaml" --method $method -o "$work/gear" --quiet
  /usr/bin/python3 - "$work/gear/results.csv" << 'PYTHON' || fail "$method: joint.force"
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))[1:]
for row in rows:
    pf, qf, pa, qa, mesh, pt, qt, rate = map(float, row[1:])
    q2 = (-0.4*rate - 6)/(0.5 + 0.8)
    want = [0.2*-2*q2, 0.5*q2, -2*q2, q2, -0.4*q2 - 3]
    for got, wanted in zip([pf, qf, pa, qa, mesh, pt, qt], want + want[:2]):
        if not abs(got - wanted) <= 2e-6*abs(wanted): sys.exit(f"{row}: {got} instead of {wanted}")
PYTHON
done

#---- linear: neither rounding nor decay is an oscillation

cat > "$work/sliders.yaml" <<'END'
articula: 1
bodies: {loose: {mass: 3}, slow: {mass: 2}, heavy: {mass: 1}, quick: {mass: 1}, flyer: {mass: 2, inertia: [1, 2, 3]}}
joints:
  j1: {type: prismatic, axis: x, from: ground, to: loose}
  j2: {type: prismatic, axis: x, from: ground, to: slow, at: [0, 1, 0]}
  j3: {type: prismatic, axis: x, from: ground, to: heavy, at: [0, 2, 0]}
  j4: {type: prismatic, axis: x, from: ground, to: quick, at: [0, 3, 0]}
  flight: {type: free, from: ground, to: flyer}
forces:
  oil: {type: joint-spring, coordinate: j2, damping: 1e-3}
  strong: {type: joint-spring, coordinate: j3, stiffness: 4, damping: 5}
  light: {type: joint-spring, coordinate: j4, stiffness: 100, damping: 4}
END
call 0 linear --json "$work/sliders.yaml"
# decay at -1/2000 (an oil film), -1 and -4 (overdamped); 100 and 4 give a pair
holds_near 'len(j["modes"]) == 20 and sum(m["real"] == 0 == m["imaginary"] for m in j["modes"]) == 15'
holds_near 'all(near(m["real"], want, 1e-9) and m["imaginary"] == 0 == m["frequency"] and m["damping"] == 1 for m, want in zip(j["modes"][15:18], [-5e-4, -1, -4]))'
holds_near 'all(near(m["frequency"], 10/2/math.pi) and near(m["damping"], 0.2) for m in j["modes"][18:])'
call 0 linear "$work/sliders.yaml"
says "   16              -            -       -0.0005" "   19        1.59155          0.2            -2 +-9.79796"

# two bodies on a plane that hold each other: two displacements that nothing holds, twice zero each
cat > "$work/pair.yaml" <<'END'
articula: 1
gravity: [0, 0, 0]
bodies:
  a: {mass: 2, inertia: [1, 2, 3], points: {p: [0.1, 0.2, 0.3]}}
  b: {mass: 3, position: [1, 0.5, 0.2], inertia: [2, 1.5, 1], points: {p: [-0.3, 0.1, 0.1]}}
joints:
  fa: {type: planar, axis: y, from: ground, to: a, at: [0, 0, 0]}
  fb: {type: planar, axis: y, from: ground, to: b, at: [1, 0.5, 0.2]}
forces: {hold: {type: bushing, from: a.p, to: b.p, stiffness: [100, 100, 100, 10, 10, 10]}}
END
call 0 linear --json "$work/pair.yaml"
holds 'all(m["real"] == 0 == m["imaginary"] == m["frequency"] == m["damping"] for m in j["modes"][:4]) and all(m["frequency"] > 0.3 for m in j["modes"][4:])'

#---- run --profile: the evaluations of the line above, and those at rows

call 0 run "$work/arm.yaml" --until 1 --interval 0.1 --profile --json -o "$work/arm"
holds 'j["profile"]["stepping"] == j["steps"]["evaluations"] and j["profile"]["evaluations"] == j["steps"]["evaluations"] + 12'

#---- sweep: what failed has no residual

cat > "$work/sweep.yaml" <<'END'
articula: 1
parameters: {m: 1}
bodies: {rod: {mass: = m, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0]}}
joints: {pin: {type: revolute, axis: y, from: ground, to: rod}}
outputs: [pin.angle]
study: {type: run, until: 0.1 s, interval: 0.05 s}
END
call 0 sweep "$work/sweep.yaml" --vary m=1:-1:2 -o "$work/sweep" --threads 1
/usr/bin/python3 - "$work/sweep/results.csv" << 'PYTHON' || fail "sweep: a case that failed"
import csv, math, sys
good, bad = csv.DictReader(open(sys.argv[1]))
names = ["energy_error [J]", "energy_scale [J]", "position_residual", "velocity_residual", "acceleration_residual"]
sys.exit(0 if all(math.isfinite(float(good[n])) and math.isnan(float(bad[n])) for n in names) else 1)
PYTHON

#---- scene: its shapes give its size

cat > "$work/box.yaml" <<'END'
articula: 1
bodies: {box: {mass: 1, visual: [{type: box, size: [3, 4, 12], position: [1, 0, 0]}]}}
joints: {rail: {type: prismatic, axis: x, from: ground, to: box}}
initial: {rail: {slide: 10}}
study: {type: run, until: 1 ms, interval: 1 ms}
END
call 0 run "$work/box.yaml" -o "$work/box" --quiet
/usr/bin/python3 - "$work/box/scene.arts" << 'PYTHON' || fail "scene: its size"
import json, re, sys
text = open(sys.argv[1], "rb").read()
size = float(re.search(rb'"size": *([0-9.e+-]+)', text.split(b'"centre"')[0].split(b'"bodies"')[0]).group(1))
centre = json.loads(re.search(rb'"centre": *(\[[^]]*\])', text).group(1))
# the rail begins at the origin: from 0 to 12.5 along x, 4 and 12 across
sys.exit(0 if abs(size - (12.5**2 + 4**2 + 12**2)**0.5) < 1e-4 and abs(centre[0] - 6.25) < 1e-5 else f"{size} {centre}")
PYTHON

#---- outputs: the time is one column

sed 's/^outputs.*/outputs: [time]/' "$work/sweep.yaml" > "$work/time.yaml"
call 0 run "$work/time.yaml" -o "$work/time" --quiet
[ "$(head -n 1 "$work/time/results.csv")" = "time [s]" ] || fail "outputs: [time]: $(head -n 1 "$work/time/results.csv")"
sed 's/^outputs.*/outputs: [pin.angle, time, = 2*time]/' "$work/sweep.yaml" > "$work/time.yaml"
call 0 run "$work/time.yaml" -o "$work/time" --quiet
[ "$(head -n 1 "$work/time/results.csv")" = "time [s],pin.angle [rad],2*time [s]" ] || fail "outputs: $(head -n 1 "$work/time/results.csv")"
sed 's/^outputs.*/outputs: {time: pin.angle}/' "$work/sweep.yaml" > "$work/time.yaml"
call 2 run "$work/time.yaml" -o "$work/time" --quiet
complains "would be a second column of that name"

finish
