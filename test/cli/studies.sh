#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# equil, linear and inverse.
source test/cli/support.bash

model=$models/pendulum.yaml

# the equilibrium can be pasted into the model, which then stands still
call 0 equil $model
says "# stable: the potential energy has a minimum there" "initial:" "  shoulder:" " deg"
{ grep -v '^initial:' $model; cat "$work/out"; } > "$work/rest.yaml"
call 0 equil --json "$work/rest.yaml"
holds 'j["moved"] < 1e-9 and j["residual"] < 1e-9 and j["stability"] == "stable"'
holds '[c["name"] for c in j["coordinates"]] == ["shoulder.angle", "elbow.angle"]'
holds 'abs(j["coordinates"][1]["value"]) > 0.1'
call 1 equil $models/long.yaml --nearest
complains "no equilibrium was found near the given state"
silent out
call 0 equil $models/long.yaml
says "# stability not known: the equilibrium is neutral, along 'hang.w"
cat > "$work/slope.yaml" <<'END'
articula: 1
bodies: {crate: {mass: 2}}
joints: {slope: {type: prismatic, axis: [0.8, 0, 0.6], from: ground, to: crate}}
END
call 1 equil "$work/slope.yaml"
complains "there is no equilibrium: the potential energy falls without end along joint 'slope', which is out of balance by 11.772 N"
silent out

# forces whose squares overflow have no equilibrium that could be found
for gravity in 1e160 1e308; do
  cat > "$work/heavy.yaml" <<END
articula: 1
gravity: [0, 0, -$gravity]
bodies: {bob: {mass: 1, com: [0.1, 0, -1], inertia: [1, 1, 1]}}
joints: {pin: {type: revolute, axis: y, from: ground, to: bob}}
END
  call 1 equil "$work/heavy.yaml"
  silent out
done

# upright: the nearest equilibrium is not stable; rates alone make no force at rest
cat > "$work/upright.yaml" <<'END'
articula: 1
bodies: {rod: {mass: 2, com: [0, 0, 0.5], inertia: [0.1, 0.1, 0.1]}}
joints: {pin: {type: revolute, axis: y, from: ground, to: rod}}
forces:
  coil: {type: joint-spring, coordinate: pin, stiffness: 1, damping: 0.2}
  drag: {type: joint-force, coordinate: pin, value: = -0.1*pin.rate}
initial: {pin: {angle: 0.01}}
END
call 0 equil "$work/upright.yaml" --nearest --json
holds 'j["stability"] == "unstable" and abs(j["coordinates"][0]["value"]) < 1e-9'
call 0 equil "$work/upright.yaml" --json
holds 'j["stability"] == "stable" and 2.5 < j["coordinates"][0]["value"] < 3.2 and j["has_potential"]'
sed 's/-0.1\*pin.rate/0.1*sin(pin.angle)/' "$work/upright.yaml" > "$work/unknown.yaml"
call 0 equil "$work/unknown.yaml"
says "# stability not known: force 'drag' has no potential"

# every study that begins at an equilibrium begins at that of equil, and takes the nearest one when told to
angle_of() { /usr/bin/python3 -c 'import csv, sys; print(list(csv.DictReader(open(sys.argv[1])))[0][sys.argv[2]])' "$@"; }
call 0 equil "$work/upright.yaml" --json
rest=$(/usr/bin/python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["coordinates"][0]["value"])' "$work/out")
at_rest() { /usr/bin/python3 -c 'import sys; sys.exit(not abs(float(sys.argv[1]) - float(sys.argv[2])) < 1e-6)' "$1" "$2" || fail "$last: begins at $1, want $2"; }
stiffness='2*9.81*0.5*math.cos(math.pi - '$rest') + 1'
call 0 linear "$work/upright.yaml" --at-equilibrium --json
holds "all(m['real'] < 0 for m in j['modes']) and abs(j['K'][0][0] - ($stiffness)) < 1e-6"
call 0 linear "$work/upright.yaml" --nearest --json
holds 'max(m["real"] for m in j["modes"]) > 3 and abs(j["K"][0][0] - (1 - 9.81)) < 1e-6 and j["at_equilibrium"]'
call 2 linear "$work/upright.yaml" --nearest --speed 3
complains "--nearest chooses among equilibria at rest"
{ cat "$work/upright.yaml"; echo 'outputs: [pin.angle]'; } > "$work/both.yaml"
call 0 run "$work/both.yaml" --until 0.1 --at-equilibrium -o "$work/both"
at_rest "$(angle_of "$work/both/results.csv" 'pin.angle [rad]')" "$rest"
call 0 run "$work/both.yaml" --until 0.1 --at-equilibrium --nearest -o "$work/both"
at_rest "$(angle_of "$work/both/results.csv" 'pin.angle [rad]')" 0
{ cat "$work/both.yaml"; echo 'parameters: {unused: 1}'; } > "$work/vary.yaml"
call 0 sweep "$work/vary.yaml" --vary unused=1:2:2 --until 0.1 --at-equilibrium --result final:pin.angle -o "$work/swept"
at_rest "$(angle_of "$work/swept/results.csv" 'final:pin.angle [rad]')" "$rest"
for way in "true, nearest: true|0" "true|$rest"; do
  { cat "$work/both.yaml"; echo "study: {type: run, until: 0.1 s, at_equilibrium: ${way%|*}}"; } > "$work/file.yaml"
  call 0 run "$work/file.yaml" -o "$work/file"
  at_rest "$(angle_of "$work/file/results.csv" 'pin.angle [rad]')" "${way#*|}"
  call 0 generate "$work/file.yaml" --product simulator -o "$work/file"
  $quick_cc -std=c11 "$work"/file/*_simulator.c -lm -o "$work/file/simulate" && "$work/file/simulate" > "$work/file/simulator.csv" || fail "no simulator"
  at_rest "$(angle_of "$work/file/simulator.csv" 'pin.angle [rad]')" "${way#*|}"
done
sed -i 's/type: run, until: 0.1 s/type: equil/; s/, at_equilibrium: true/, nearest: true/' "$work/file.yaml"
call 0 equil "$work/file.yaml" --json
holds 'j["stability"] == "unstable"'

call 0 linear $model -o "$work/modes"
says "linearised about the equilibrium: 2 free coordinates" "shoulder.angle" "$work/modes"
[ "$(grep -c '+-' "$work/out")" -eq 2 ] || fail "two modes are not two lines"
for file in M C K A eigenvalues modes; do
  [ -s "$work/modes/$file.csv" ] || fail "$file.csv is missing"
done
[ "$(head -n 1 "$work/modes/A.csv")" = "shoulder.angle,elbow.angle,d/dt shoulder.angle,d/dt elbow.angle" ] ||
  fail "another head of A.csv"
[ "$(wc -l < "$work/modes/eigenvalues.csv")" -eq 5 ] || fail "another number of eigenvalues"
call 0 linear $model --json
holds 'len(j["modes"]) == 4 and len(j["A"]) == 4 and len(j["M"][0]) == 2'
holds 'all(abs(sum(m["share"]) - 1) < 1e-9 and m["real"] < 0 for m in j["modes"])'
call 0 linear $models/long.yaml
says "this is not an equilibrium" "float.rx"
call 1 linear $model -o /proc/nowhere
complains "/proc/nowhere: cannot make the directory"

# a quantity without slope is told at its place, also of outputs that the file does not name
{ cat $models/pendulum.yaml | sed '/^outputs/d'; echo 'blocks: {bad: {type: formula, value: = sqrt(-2 - sin(time))}}'; } > "$work/bad.yaml"
call 1 linear "$work/bad.yaml"
complains "bad.yaml:$(wc -l < "$work/bad.yaml"):10: output 'bad' is nan at the state that is linearised: it has no slopes"

# many states at rest: a bar of 400 cells between 300 K and 400 K, and one that keeps its heat
for ends in "300 400" "t1 t400"; do
  set -- $ends
  { echo 'articula: 1'; echo 'bodies: {rod: {mass: 1, com: [0, 0, -1]}}'
    echo 'joints: {pin: {type: revolute, axis: y, from: ground, to: rod}}'; echo 'states:'
    for i in $(seq 400); do
      left=t$((i - 1)) right=t$((i + 1))
      [ $i = 1 ] && left=$1
      [ $i = 400 ] && right=$2
      echo "  t$i: {initial: $((300 + i % 2)), rate: = $left - 2*t$i + $right}"
    done; } > "$work/bar.yaml"
  call 0 equil "$work/bar.yaml" --json
  if [ $1 = 300 ]; then
    holds 'len(j["states"]) == 400 and all(abs(s["value"] - 300 - 100/401*(i + 1)) < 1e-6 for i, s in enumerate(j["states"]))'
  else
    holds 'len(j["states"]) == 400 and all(abs(s["value"] - 300.5) < 1e-6 for s in j["states"])'
  fi
done

# closed loops: one coordinate is free, the modes show all
call 0 linear $models/loop.yaml --json
holds 'len(j["coordinates"]) == 1 and len(j["mode_coordinates"]) == 3 and len(j["modes"]) == 2'
holds 'abs(sum(j["modes"][0]["share"]) - 1) < 1e-12 and len(j["modes"][0]["shape_real"]) == 3'
# loops that the initial values leave open are closed first: the acceleration agrees with a run's first row
call 0 linear models/experiments/iltis-front.yaml --json
holds 'abs(j["largest_acceleration"] - 388.12069220040) < 1e-6'
call 0 equil $models/loop.yaml --nearest --json
holds 'j["stability"] == "unstable" and j["residual"] < 1e-9'
call 0 equil $models/loop.yaml --json
holds 'j["stability"] == "stable" and j["residual"] < 1e-9'

call 0 inverse $model -o "$work/lift"
says "forces along the motion 'lift'" "$work/lift/results.csv: 11 rows"
head -n 1 "$work/lift/results.csv" | has_line ',tau.shoulder.angle \[N m\],tau.elbow.angle \[N m\]$' ||
  fail "the forces have other names"
call 0 inverse $model -o "$work/lift" --until 0.5 --interval "50 ms" --json
holds 'j["rows"] == 11 and len(j["largest_forces"]) == 2'
[ "$(tail -n 1 "$work/lift/results.csv" | cut -d, -f1)" = 0.5 ] || fail "inverse ends at another time"

# the machine of the guide: three arms, six motors
call 0 inverse models/loops/planar-robot-by-hand.yaml -o "$work/arms"
# without an interval the rows follow what the columns do: 60 turns to and fro, of which every hundredth sees a standstill
cat > "$work/quick.yaml" <<'END'
articula: 1
bodies: {rod: {mass: 1, inertia: [0.1, 0.1, 0.1]}}
joints: {pin: {type: revolute, axis: z, from: ground, to: rod}}
outputs: [pin.angle]
study: {type: inverse, until: 1 s, motion: {pin: "= 0.01*sin(200*pi*time)"}}
END
call 0 inverse "$work/quick.yaml" -o "$work/quick" --json
holds 'abs(j["largest_forces"][0]["value"] - 0.1*0.01*(200*math.pi)**2) < 0.02*0.1*0.01*(200*math.pi)**2 and 800 < j["rows"] < 5000'
sed 's/200\*pi\*time/time/' "$work/quick.yaml" > "$work/slow.yaml"
call 0 inverse "$work/slow.yaml" -o "$work/quick" --json
holds 'j["rows"] == 101'
call 0 inverse "$work/quick.yaml" --interval 0.01 -o "$work/quick" --json
holds 'j["rows"] == 101'

call 2 inverse $models/long.yaml -o "$work/none"
complains "there is no study of type inverse"
[ ! -e "$work/none" ] || fail "a refused study leaves a directory"

finish
