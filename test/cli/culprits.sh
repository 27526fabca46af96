#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Failures name their culprit and end with the exit status of the documents, by every verb.
source test/cli/support.bash

# a formula that has no value any more is told with its place, not the inertia that it would have moved
write_formula() {
  cat > "$work/formula.yaml" << YAML
articula: 1
bodies:
  rod: {mass: 2, com: [0, 0, -0.5], inertia: [0.2, 0.2, 0.01]}
joints:
  pin: {type: revolute, axis: y, from: ground, to: rod}
forces:
  push: $1
study: {type: run, until: 1 s}
YAML
}
for force in '{type: joint-force, coordinate: pin, value: "= 1[N m]*log(0.3 - time/1[s])"}' \
  '{type: force, point: rod, value: ["= 1[N]*log(0.3 - time/1[s])", 0, 0]}'; do
  write_formula "$force"
  for way in "--integrator dopri5" "--integrator rk4 --step 1ms" "--integrator bdf" "--method mass-matrix" \
    "--method generated" "--method index1 --step 1ms" "--method index3 --step 1ms" "--method conserving --step 1ms"; do
    call 1 run "$work/formula.yaml" $way -o "$work/formula"
    # compiled equations leave out a force that passes through the pin: the next row finds that it has no value
    case "$way $force" in
    *generated*point*) complains "formula.yaml:7:3: force 'push' has no value at t = " ;;
    *) complains "formula.yaml:7:3: force 'push' has no value at t = 0.3" ;;
    esac
  done
done

# so is a state whose rate makes steps too short for numbers, or has no slope; one that hardly moves is at rest
write_state() {
  write_formula '{type: joint-force, coordinate: pin, value: 0}'
  echo "blocks: {x: $1}" >> "$work/formula.yaml"
}
write_state '{type: integrator, input: 1e200}'
call 1 run "$work/formula.yaml" -o "$work/formula"
complains "formula.yaml:9:10: dopri5 needs a step of" "(x changes by 1e+200 per s)"
write_state '{type: lag, input: = pin.angle, time: 1e-320}'
call 1 equil "$work/formula.yaml"
complains "formula.yaml:9:10: state 'x' has no rate at t = 0 s: its formula gives"
write_state '{type: integrator, input: = pin.angle, gain: 1e-320}'
call 0 equil "$work/formula.yaml"
says "#   x: 0"

# so is the joint that forces too large for numbers leave out of balance
write_formula '{type: hydraulic-cylinder, between: [ground, rod], shortest: 0.2, stroke: 1, area_a: 1e200, area_b: 1e200, dead_a: 1e-3, dead_b: 1e-3, flow: 1e-3, drop: 1e5, opening: 0, supply: 1e7, pressure_a: 1e6, leakage: 1e-12}'
sed -i 's/revolute, axis: y/prismatic, axis: z/; s/^study/initial: {pin: {slide: 0.5}}\nstudy/' "$work/formula.yaml"
call 1 equil "$work/formula.yaml"
complains "formula.yaml:5:3: no equilibrium was found near the given state: the singular values" "joint 'pin' is worst"

# and the side of a cylinder that has no volume left
write_formula '{type: hydraulic-cylinder, between: [ground, rod], shortest: 0.9, stroke: 1, area_a: 1e-3, area_b: 1e-3, dead_a: 1e-5, dead_b: 1e-3, flow: 1e-3, drop: 1e5, opening: 0, supply: 1e7}'
sed -i 's/revolute, axis: y/prismatic, axis: z/; s/^study/initial: {pin: {slide: 0.5}}\nstudy/' "$work/formula.yaml"
call 2 run "$work/formula.yaml" -o "$work/formula"
complains "formula.yaml:7:3: the pressure of side a of 'push', whose volume must stay positive, has no rate at t = 0 s"

# units of states count in their rates, angles too
write_formula '{type: joint-force, coordinate: pin, value: 0}'
echo 'states: {i: {unit: A, initial: 0, rate: = 3*pin.angle}}' >> "$work/formula.yaml"
call 2 check "$work/formula.yaml"
complains "formula.yaml:9:43: the formula gives a plain number, expected a quantity in A/s; multiply it by 1[A/s]"
sed -i 's/= 3\*pin.angle/"= if(pin.angle > 0, 2, 3)"/' "$work/formula.yaml"
call 0 check "$work/formula.yaml"

# a force whose modes change without end is told by its name
write_formula '{type: joint-force, coordinate: pin, value: "= if(pin.rate > 0, -9, 9)*1[N m]"}'
sed -i 's/^study/gravity: [0, 0, 0]\ninitial: {pin: {rate: 1}}\nstudy/' "$work/formula.yaml"
call 1 run "$work/formula.yaml" -o "$work/formula"
complains "that of 'push': no mode holds there; a smoother force law may help: friction that is to stick is an element of friction in its joint, or a lock, and not made by sign"

# so is a drive, here one whose acceleration is infinite at the start
cat > "$work/drive.yaml" << 'YAML'
articula: 1
bodies:
  rod: {mass: 2, com: [0, 0, -0.5], inertia: [0.2, 0.2, 0.01]}
joints:
  pin: {type: revolute, axis: y, from: ground, to: rod}
drives:
  motor: {coordinate: pin, value: "= abs(time/1[s])^1.5"}
study: {type: run, until: 1 s}
YAML
call 2 run "$work/drive.yaml" -o "$work/formula"
complains "drive.yaml:7:3: drive 'motor' moves 'pin.angle' with a velocity or an acceleration that grows without bound"
call 1 linear "$work/drive.yaml" -o "$work/formula"
complains "drive.yaml:7:3: drive 'motor' gives 'pin.angle' no finite acceleration at t = 0 s"

# a name that stands for more than one number is told with what there is under it
for name in "spring:; force 'spring' has force; name one of them after a dot" "pin:; joint 'pin' has angle rate accel force fx fy fz tx ty tz; name" \
  "rod:; body or point 'rod' has x y z, vx" "energy:; there is energy.kinetic energy.potential"; do
  printf 'articula: 1\nbodies: {rod: {mass: 2, com: [0, 0, -0.5], inertia: [0.2, 0.2, 0.01]}}\njoints: {pin: {type: revolute, axis: y, from: ground, to: rod}}\nforces: {spring: {type: joint-spring, coordinate: pin, stiffness: 3}}\noutputs: [%s]\n' "${name%%:*}" > "$work/names.yaml"
  call 2 check "$work/names.yaml"
  complains "names.yaml:5:11: unknown name '${name%%:*}'${name#*:}"
done

# loops that cannot be closed are wrong input for every verb
cat > "$work/open.yaml" << 'YAML'
articula: 1
parameters: {l: 5 m}
ground: {points: {p: [= l, 0, 0]}}
bodies:
  a: {mass: 1, inertia: [0.1, 0.1, 0.1], points: {e: [1, 0, 0]}}
  b: {mass: 1, inertia: [0.1, 0.1, 0.1], points: {e: [1, 0, 0], hub: [0.5, 0, 0]}}
joints:
  j1: {type: revolute, axis: y, from: ground, to: a}
  j2: {type: revolute, axis: y, from: a.e, to: b}
  j3: {type: revolute, axis: y, from: b.e, to: ground.p}
tyres: {t: {type: linear, radius: 0.3, stiffness: 2e5, load: 3000, slip: 6e4, cornering: 5e4, friction: 0.9}}
forces: {contact: {type: tyre, wheel: b, tyre: t}}
studies:
  go: {type: run, until: 1 s}
  back: {type: inverse, until: 1 s, motion: {j1: "= 0.1*time/1[s]"}}
  travel: {type: kinematics, wheels: [b.hub], bump: 10 mm, rebound: 10 mm, radius: 0.3 m}
  shake: {type: response, at_equilibrium: true}
YAML
for verb in check assemble run equil linear inverse kinematics response compare generate split schedule; do
  call 2 $verb "$work/open.yaml"
  cat "$work/out" >> "$work/err" # check says it among all else
  complains "open.yaml:9:3: loop closed by joint 'j2' cannot be closed: it stays open by 3 m; check the dimensions"
done

# a sweep in which all cases fail says so, quiet or not
call 1 sweep "$work/open.yaml" --vary l=5:6:2 -q -o "$work/swept"
complains "all 2 cases failed, see $work/swept/failures.csv"
silent out

# an equilibrium out of balance by any force is none
cat > "$work/huge.yaml" << 'YAML'
articula: 1
bodies:
  cart: {mass: 1}
joints:
  rail: {type: prismatic, axis: x, from: ground, to: cart}
forces:
  rope: {type: joint-force, coordinate: rail, value: "= 5e154[N]"}
YAML
call 1 equil "$work/huge.yaml"
complains "out of balance by 5e+154 N"

# numbers that are not finite are not written in any language
cat > "$work/large.yaml" << 'YAML'
articula: 1
bodies:
  rod: {mass: 1e300, com: [0, 0, 1e10], inertia: [0.2, 0.2, 0.01]}
joints:
  pin: {type: revolute, axis: y, from: ground, to: rod}
YAML
for language in c fortran java python matlab; do
  call 2 generate "$work/large.yaml" --language $language -o "$work/large.$language"
  complains "too large together"
  [ -z "$(find "$work" -path "*large.$language*" -type f)" ] || fail "$last: a file is left"
done

finish
