#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The first ten minutes: what people try, mistype and forget, and what the machine around them may lack. Every message
# says where, what was found and what to do; nothing crashes.
source test/cli/support.bash

model=$work/rod.yaml
cat > "$model" << 'YAML'
articula: 1
parameters: {m: 2 kg, L: 1 m}
bodies:
  rod: {mass: = m, com: [0, 0, = -L/2], inertia: [= m*L^2/12, = m*L^2/12, 0]}
joints:
  pin: {type: revolute, axis: y, from: ground, to: rod}
initial: {pin: {angle: 30 deg}}
study: {type: run, until: 1 s, tolerance: 1e-9}
YAML
result=$work/result
call 0 run "$model" -o "$result" -q

# with SED ...: the model after sed, as $work/bad.yaml
with() { sed "$@" "$model" > "$work/bad.yaml"; }

#---- the call

call 2 simulate "$model"
complains "unknown verb 'simulate' (did you mean 'run'?)"
call 2 validate "$model"
complains "(did you mean 'check'?)"
call 2 "$model"
complains "is not a verb; a verb comes first: 'articula run $model' simulates a model"
call 2 run
complains "a model file is missing: articula run FILE"
call 2 run "$model" --untl 3
complains "has no option '--untl' (did you mean '--until'?)"
call 2 run "$model" --until ten
complains "--until: 'ten', column 1: found 'ten', expected a finite number"
call 2 run "$model" --until "3 m"
complains "found a length in m, expected a time in s"
call 2 run "$model" --method magic
complains "--method 'magic' is not known; there is automatic"
call 2 view "$result" --port 80x --no-browser
complains "--port: '80x', column 3: unknown unit 'x'"

#---- the file

call 2 run "$work/nothing.yaml"
complains "$work/nothing.yaml: cannot open: No such file or directory"
call 2 run "$work"
complains "$work: this is a directory, expected a file; name one of those in it"
call 2 run "${model%.yaml}"
complains "(did you mean '$model'?)"
call 2 run "$result/scene.arts"
complains "is this a binary file?"
call 2 check "$result/results.csv"
complains "results.csv:1:"
printf 'Dear colleague,\n\nhere is the model.\n' > "$work/letter.yaml"
call 2 check "$work/letter.yaml"
complains "letter.yaml:"
with 's/^  rod/\trod/'
call 2 check "$work/bad.yaml"
complains "bad.yaml:4:1: a tab is used for indentation; YAML wants spaces"
with 's/mass:/mas:/'
call 2 check "$work/bad.yaml"
complains "bad.yaml:4:9: 'mas' is not a key of a body (did you mean 'mass'?)"
with 's/to: rod/to: rood/'
call 2 check "$work/bad.yaml"
complains "names the body 'rood', which is not defined (did you mean 'rod'?)"
with 's/2 kg/2,5 kg/'
call 2 check "$work/bad.yaml"
complains "bad.yaml:2:"

# units that are missing are SI; wrong ones have a place, and long names a hint
with 's/2 kg/2/'
call 0 check "$work/bad.yaml"
says "2 kg in all"
with 's/2 kg/2 m/'
call 2 check "$work/bad.yaml"
complains "the formula gives a length in m, expected a mass in kg"
for pair in degrees:deg sec:s meters:m inch:in kgs:kg radians:rad Nms:N; do
  with "s/2 kg/2 ${pair%:*}/"
  call 2 check "$work/bad.yaml"
  complains "bad.yaml:2:19: unknown unit '${pair%:*}' (did you mean '${pair#*:}"
done

#---- several mistakes at once

with -e 's/mass:/mas:/' -e 's/to: rod/to: rood/' -e 's/30 deg/30 kg/' -e 's/1e-9/1e-9, dt: 1/'
call 2 check "$work/bad.yaml"
complains "bad.yaml:4:9: 'mas' is not a key of a body (did you mean 'mass'?)" \
  "bad.yaml:6:52: joint 'pin' names the body 'rood'" "bad.yaml:7:27: found a mass in kg, expected a plain number" \
  "bad.yaml:8:49: 'dt' is not a key of a run study (did you mean 'step'?)"
[ "$(wc -l < "$work/err")" = 4 ] || fail "$last: four mistakes are $(wc -l < "$work/err") lines"
call 2 run "$work/bad.yaml" -o "$work/none"
[ "$(wc -l < "$work/err")" = 4 ] || fail "$last: four mistakes are $(wc -l < "$work/err") lines"
call 2 check "$work/bad.yaml" --json
holds "len(j['errors']) == 4 and j['error'] == j['errors'][0] and j['errors'][1]['line'] == 6 and j['more'] == 0"
{ printf 'articula: 1\nbodies:\n'; for k in $(seq 70); do echo "  b$k: {nonsense: 1}"; done; } > "$work/many.yaml"
call 2 check "$work/many.yaml"
complains "and at least 50 more"
[ "$(wc -l < "$work/err")" = 51 ] || fail "$last: not 50 mistakes and a line"

#---- positions

# bodies without a position on joints in ground: only where something uses the origin of such a body
cat > "$work/two.yaml" << 'YAML'
articula: 1
bodies:
  upper: {mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}
  lower: {mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}
joints:
  shoulder: {type: revolute, axis: y, from: ground, to: upper, at: [0, 0, 0]}
  elbow: {type: revolute, axis: y, from: upper, to: lower, at: [1, 0, 0]}
YAML
no_warning() { ! grep -qE 'warning|origin of ground' "$work/out" "$work/err" || fail "$last: a warning without a reason: $(cat "$work/out" "$work/err")"; }
call 0 check "$work/two.yaml"
no_warning
call 0 run "$work/two.yaml" -o "$work/two"
no_warning
# every use of an origin: forces, ropes, latches, sensors, outputs, rods
uses() {
  { cat "$work/two.yaml"; cat; } > "$work/uses.yaml"
  call 0 check "$work/uses.yaml"
  says "$1" "the origin of body 'lower', which is the origin of ground: 'lower' has no 'position' and its joint 'elbow' has an 'at'"
  call 0 run "$work/uses.yaml" -o "$work/two"
  says "warning: $work/uses.yaml:$2: $1"
  holds 'len(j["warnings"]) == '"$3"' and "origin of ground" in j["warnings"][0]' "$work/two/certificate.json"
  call 0 equil "$work/uses.yaml" --json
  complains "warning: $work/uses.yaml:$2: $1"
  sed 's/lower: {/lower: {position: [0, 0, 0], /' "$work/uses.yaml" > "$work/stated.yaml"
  call 0 check "$work/stated.yaml"
  no_warning
}
uses "force 'spring'" 9:3 1 << 'YAML'
forces:
  spring: {type: spring-damper, between: [ground, lower], stiffness: 100, free_length: 0.2}
initial: {elbow: {angle: 0.5}}
YAML
says "at the start"
uses "rope 'tether'" 9:3 1 << 'YAML'
latches:
  tether: {type: rope, between: [upper, lower], length: 20}
YAML
uses "quantity 'lower.x'" 8:14 1 << 'YAML'
outputs: {x: lower.x, angle: elbow.angle, turn: lower.wy}
YAML
# not where a point is named, and not for bodies whose joint is at the origin
cat "$work/two.yaml" - > "$work/uses.yaml" << 'YAML'
forces:
  spring: {type: spring-damper, between: [upper, lower.end], stiffness: 100, free_length: 0.2}
YAML
sed -i 's/lower: {/lower: {points: {end: [2, 0, 0]}, /' "$work/uses.yaml"
call 0 check "$work/uses.yaml"
no_warning
# the spring says how long it is at the start, and how strong
says "at the start 2 m long, free length 0.2 m, pulls with 180 N"

#---- angles

cat > "$work/angles.yaml" << 'YAML'
articula: 1
bodies:
  upper: {mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1], frames: {tip: {position: [1, 0, 0], orientation: {rpy: [0, 90, 0]}}}}
  lower: {mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}
joints:
  shoulder: {type: revolute, axis: y, from: ground, to: upper}
  elbow: {type: revolute, axis: y, from: upper.tip, to: lower}
forces:
  stop: {type: joint-stop, coordinate: elbow, lower: -170, upper: 2, stiffness: 1000}
  spring: {type: joint-spring, coordinate: shoulder, stiffness: 5, rest: 30 deg}
initial: {shoulder: {angle: 30}, elbow: {angle: 0.5}}
YAML
call 0 check "$work/angles.yaml"
says "angles.yaml:11:29: 'angle' is an angle of 30 rad, which is 1718.87 degrees, for a number without a unit is in radians; write '30 deg' or '30 rad'"
says "angles.yaml:9:54: 'lower' is an angle of -170 rad" "angles.yaml:3:" "'rpy' is an angle of 90 rad, which is 5156.62 degrees"
[ "$(grep -c 'is an angle of' "$work/out")" = 3 ] || fail "$last: not three warnings"
says "at the start at 30 rad, at rest at 0.523599 rad, force -147.382 N m"
sed 's/\[0, 90, 0\]/[0, 90 deg, 0]/; s/-170/-2/; s/angle: 30}/angle: 6.2832}/' "$work/angles.yaml" > "$work/radians.yaml"
call 0 check "$work/radians.yaml"
no_warning

#---- outputs that nobody chose

cat > "$work/wheel.yaml" << 'YAML'
articula: 1
tyres: {t: {type: radial, radius: 0.3, stiffness: 2e5, load: 200}}
bodies: {w: {mass: 20, inertia: [1, 1, 1]}}
joints: {fly: {type: free, from: ground, to: w}}
forces:
  rubber: {type: tyre, wheel: w, tyre: t}
  tether: {type: spring-damper, between: [ground, w], stiffness: 10}
initial: {fly: {z: 0.3}}
YAML
call 0 check "$work/wheel.yaml"
says "rubber.slip_angle [rad]" "rubber.fz [N]" "tether.force [N]" "fly.vx [m/s]" "energy.balance [J]"
with 's/until: 1 s, tolerance: 1e-9/until: 300 s, integrator: rk4, step: 1 ms/'
call 0 run "$work/bad.yaml" -o "$work/long"
says "rows leave out steps, for there are no more than 200000 without an interval"

#---- results

call 2 plot "$result" pin.angel
complains "there is no channel 'pin.angel' (did you mean 'pin.angle'?); 'articula plot $result' lists all"
call 2 plot "$work/nowhere" pin.angle
complains "results are what 'articula run MODEL -o DIR' writes"
call 2 plot "$model" pin.angle
complains "is a model, expected a result"
call 2 plot "$result/scene.arts" x
complains "is not a table"
call 2 plot "$result" pin.angle -o "$work/x.pdf"
complains "expected a name that ends with .svg or .png"
call 0 run models/double-pendulum.yaml --until 0.1 -o "$work/other" -q
call 2 plot "$result" pin.angle --with "$work/other"
complains "is this the result of another model?"
call 0 report "$result" --with "$work/other" -o "$work/page.html"
grep -q "Of another model than the first" "$work/page.html" || fail "the report compares two models and does not say so"
call 2 report "$model"
complains "is a model, expected a result; 'articula run $model' writes one"
for verb in view report; do
  call 2 "$verb" "$result/results.csv"
  complains "is a file of a result, expected its directory"
  mkdir -p "$work/empty"
  call 2 "$verb" "$work/empty"
  complains "there is no scene.arts in this directory"
done
call 0 view "$model" --html "$work/model.html"
grep -q "application/x-articula-scene" "$work/model.html" || fail "the page of a model has no scene"

#---- the machine around

# no compiler, no place for compiled equations, no browser, a port in use
export XDG_CACHE_HOME=$work/cache
CC=/nowhere/cc call 1 run "$model" --method generated -o "$work/g"
complains "generated equations need a C compiler, and '/nowhere/cc' could not be started"
if command -v cc > /dev/null; then
  call 0 run "$model" --method generated --profile -o "$work/g"
  says "Generated equations run as a whole and have no stages"
fi
unset XDG_CACHE_HOME
/usr/bin/python3 - > "$work/port" << 'PYTHON' &
import socket, sys, time
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen()
print(s.getsockname()[1], flush=True)
time.sleep(20)
PYTHON
holder=$!
for _ in $(seq 100); do [ -s "$work/port" ] && break; sleep 0.1; done
call 1 view "$result" --port "$(cat "$work/port")" --no-browser
complains "another program may use it, try another --port or none"
kill "$holder"

# directories that cannot be written, disks that are full
call 1 run "$model" -o "$model"
complains "cannot make the directory: Not a directory"
call 1 report "$result" -o "$work"
complains "$work: cannot write: Is a directory"
call 1 plot "$result" pin.angle -o "$work/no/such/x.svg"
complains "cannot write: No such file or directory"
"$ARTICULA" check "$model" > /dev/full 2> "$work/err"
[ $? -eq 1 ] || fail "a full disk behind standard output goes unnoticed"
complains "standard output: cannot write"

# streams that are closed: the results are whole
"$ARTICULA" run "$model" -o "$work/closed" >&- 2>&-
[ $? -eq 1 ] || fail "closed streams go unnoticed"
for file in results.csv scene.arts; do
  cmp -s "$work/closed/$file" "$result/$file" || fail "$file of a run with closed streams differs"
done
"$ARTICULA" generate models/puma560.yaml --count 2> "$work/err" | head -n 1 > /dev/null
silent err

# terminals: narrow, without UTF-8, without colours
COLUMNS=20 call 0 plot "$result" pin.angle
awk 'length > 66' "$work/out" | has_line . && fail "a plot of 20 columns is too wide" # bytes: up to three a character
LC_ALL=C call 0 plot "$result" pin.angle
LC_ALL=C grep -q '[^ -~]' "$work/out" && fail "a plot without UTF-8 has other characters than ASCII"
says "*"
LC_ALL=C.UTF-8 call 0 plot "$result" pin.angle
says "┤"
if command -v script > /dev/null; then
  for colour in "NO_COLOR=1" "TERM=dumb"; do
    script -qec "env $colour $ARTICULA plot $result pin.angle" /dev/null < /dev/null | has_line $'\033' &&
      fail "colours although $colour"
  done
fi

# Ctrl-C in the middle: what there is stays and can be gone on with
"$ARTICULA" run "$model" --until 1e7 --interval 1 -o "$work/long" > /dev/null 2> "$work/err" &
running=$!
for _ in $(seq 100); do [ -s "$work/long/results.csv" ] && break; sleep 0.1; done
sleep 0.3
kill -INT "$running"
wait "$running"
[ $? -eq 1 ] || fail "an interrupted run does not end with status 1"
last="run, interrupted"
complains "interrupted at time" "to go on: articula run"

finish
