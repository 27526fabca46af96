#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Stiff machines: without an integrator by name, runs continue with bdf and say so; with dopri5 by name they say what they lose.
source test/cli/support.bash

model=$models/stiff.yaml out=$work/out-of-run

# close FILE TOLERANCE: rows are those of the closed form
close() {
  /usr/bin/python3 -IS - "$1" "$2" << 'PYTHON' || fail "$last: is not the closed form"
import csv, math, sys
rows = list(csv.reader(open(sys.argv[1])))
names = [name.split(" ")[0] for name in rows[0]]
worst, most = 0, float(sys.argv[2])
for row in rows[1:]:
    t, angle, speed = (float(row[names.index(name)]) for name in ("time", "angle", "speed"))
    grown = 1 - math.exp(-1e6 * t)
    worst = max(worst, abs(angle - 0.5 * (t - grown / 1e6)), abs(speed - 0.5 * grown))
sys.exit(0 if len(rows) > 50 and worst < most else print(len(rows), worst) or 1)
PYTHON
}

stiffness='j["steps"]["stiffness"]'
call 0 run $model -o "$out"
complains "stiff from t = 0.00" "s, continues with bdf"
says "dopri5, tolerance 1e-08, automatic:" "  stiff from t = 0.00" "s, continues with bdf" "verdict: good"
close "$out/results.csv" 1e-6
holds "j['steps']['integrator'] == 'dopri5, then bdf'" "$out/certificate.json"
holds "$stiffness['continued_with'] == 'bdf' and 0 < $stiffness['from'] < 0.01 and 'continues with bdf' in $stiffness['note']" "$out/certificate.json"
holds "j['steps']['accepted'] < 2000 and j['study']['integrator'] == 'automatic'" "$out/certificate.json"
call 0 report "$out" -o "$work/report.html"
grep -q "dopri5, then bdf" "$work/report.html" || fail "the report does not name the integrators"
grep -q "continues with bdf" "$work/report.html" || fail "the report says nothing about stiffness"
grep -q -- "--integrator" "$work/report.html" && fail "the report repeats the run with an integrator that nobody named"
call 0 run $model -o "$out" --quiet
silent out && silent err
call 0 run $model -o "$out" --json
silent err
holds "$stiffness['continued_with'] == 'bdf'"

# the same by name: dopri5 goes on
call 0 run $model -o "$out" --integrator dopri5 --until "100 ms"
complains "stability, not the tolerance, bounds the steps of dopri5; integrator bdf can take much longer ones"
says "  stiff from t = 0.00"
holds "$stiffness['continued_with'] == 'dopri5' and j['steps']['accepted'] > 20000" "$out/certificate.json"
call 0 run $model -o "$out" --integrator bdf
holds '"stiffness" not in j["steps"]' "$out/certificate.json"

# a run that was interrupted after the change goes on to the same rows
call 0 run $model -o "$work/whole" --until "1000 s" --interval "1 s"
"$ARTICULA" run $model -o "$work/cut" --until "1000 s" --interval "1 s" --quiet 2> "$work/err" &
pid=$!
while [ "$(stat -c %s "$work/cut/results.csv" 2> /dev/null || echo 0)" -eq 0 ] && kill -0 $pid 2> /dev/null; do :; done
kill -INT $pid 2> /dev/null
wait $pid || call 0 run $model -o "$work/cut" --until "1000 s" --interval "1 s" --resume
cmp -s "$work/whole/results.csv" "$work/cut/results.csv" || fail "an interrupted stiff run does not come to the rows of the whole"

# a friction of 1 N m in the joint of a fingertip of 1e-5 kg m^2, as humanoids of MuJoCo have it
cat > "$work/finger.xml" << 'XML'
<mujoco model="finger">
  <compiler angle="radian"/>
  <worldbody>
    <body name="hand" pos="0 0 1">
      <joint name="wrist" axis="1 0 0" damping="1" frictionloss="1"/>
      <inertial pos="0 0.1 0" mass="1" diaginertia="0.003 0.003 0.003"/>
      <body name="tip" pos="0 0.2 0">
        <joint name="finger" axis="1 0 0" frictionloss="1"/>
        <inertial pos="0 0.0046 -0.0025" mass="0.026" diaginertia="9e-6 8e-6 2e-6"/>
      </body>
    </body>
  </worldbody>
</mujoco>
XML
call 0 run "$work/finger.xml" --until 1 -o "$out"
says "continues with bdf" "verdict: good"
holds 'j["steps"]["accepted"] < 5000' "$out/certificate.json"

# and one from outside: 46,000 steps of dopri5
hand=../shared/benchmarks/robots/mjcf/shadow_hand/right_hand.xml
if [ -e $hand ]; then
  call 0 run $hand --until 3 -o "$out"
  says "continues with bdf"
  holds 'j["steps"]["accepted"] < 10000 and j["steps"]["stiffness"]["from"] < 0.5' "$out/certificate.json"
else
  echo "skipped: a hand of MuJoCo's menagerie, which is not beside the checkout"
fi

# models that are not stiff, or at little cost: nothing is said, and no bit changes
for name in pendulum gyro tackle loops/four-bar-friction plant/dc-motor plant/gear-motor plant/inverted-pendulum vehicles/iltis-rest; do
  call 0 run models/$name.yaml -o "$out" --quiet
  holds '"stiffness" not in j["steps"] and j["study"]["integrator"] == "automatic"' "$out/certificate.json"
  call 0 run models/$name.yaml -o "$work/named" --quiet --integrator dopri5
  cmp -s "$out/results.csv" "$work/named/results.csv" || fail "$name: the right to change over changes bits"
done
finish
