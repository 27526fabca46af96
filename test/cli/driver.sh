#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Vehicles with the inputs of driver and road (examples/driver): without inputs they move as those that drives steer, each input does what it
# says, and a vehicle that is raised with the road under all its wheels moves as before.
source test/cli/support.bash

# at VEHICLE COLUMN [OPTION ...]: the number in a column after 1 s
at() {
  call 0 run "examples/driver/$1.yaml" --until 1 -o "$work/run" --quiet "${@:3}"
  python3 -c '
import csv, sys
head, *rows = csv.reader(open(sys.argv[1]))
print(rows[-1][[name.split(" [")[0] for name in head].index(sys.argv[2])])' "$work/run/results.csv" "$2"
}

# holds_true EXPRESSION TEXT
holds_true() { python3 -c "import sys; sys.exit(0 if ($1) else 1)" || fail "$2: $1"; }

cat > "$work/van.yaml" << YAML
articula: 1
include: [{file: $PWD/models/vehicles/parts/van.yaml}, {file: $PWD/models/vehicles/parts/van-tyres.yaml}]
roads: {street: {type: plane}}
drives: {straight: {coordinate: steering, value: 0}}
study: {type: run, until: 1 s, interval: 10 ms, integrator: rk4, step: 1 ms}
YAML
call 0 run "$work/van.yaml" -o "$work/run" --quiet
straight=$(tail -1 "$work/run/results.csv" | cut -d, -f2)
holds_true "abs($(at van x) - $straight) < 1e-4" "the van without inputs goes elsewhere than with a drive"
for vehicle in van car; do
  speed=$([ $vehicle = van ] && echo speed || echo vx)
  turn=$([ $vehicle = van ] && echo 0.5 || echo -0.005)
  still=$(at $vehicle $speed)
  holds_true "$(at $vehicle $speed --input throttle=800) > $still + 0.4" "the throttle of the $vehicle"
  holds_true "$(at $vehicle $speed --input brake=3000) < $still - 0.8" "the brake of the $vehicle"
  holds_true "$(at $vehicle yaw_rate --input steer=$turn) > 0.05" "the steering of the $vehicle"
  holds_true "abs($(at $vehicle yaw_rate)) < 1e-2" "the $vehicle goes straight"
done

# truck and Iltis
still=$(at truck speed --until 0.3)
holds_true "$(at truck speed --until 0.3 --input throttle=3000) > $still + 0.02" "the throttle of the truck"
holds_true "$(at truck speed --until 0.3 --input brake=30000) < $still - 0.1" "the brake of the truck"
holds_true "$(at truck yaw_rate --until 0.3 --input steer=0.03) > 0.02 and abs($(at truck yaw_rate --until 0.3)) < 1e-2" "the steering of the truck"
holds_true "$(at iltis yaw_rate --until 0.3 --input steer=-0.005) > 0.05 and abs($(at iltis yaw_rate --until 0.3)) < 1e-2" "the steering of the Iltis"

# roads: a vehicle that is raised with the road under all wheels moves as before; the road under one wheel alone loads that wheel
while read -r vehicle speed load start wheels; do
  all=()
  for wheel in $wheels; do all+=(--input "road$wheel=0.02"); done
  low=$(at $vehicle $speed --until 0.2)
  holds_true "abs($(at $vehicle $speed --until 0.2 "${all[@]}" --set $start) - $low) < 1e-9" "the $vehicle on a road that lies higher"
  low=$(at $vehicle $load --until 0.2)
  holds_true "abs($(at $vehicle $load --until 0.2 "${all[@]}" --set $start) - $low) < 1e-4" "a wheel of the $vehicle on a road that lies higher"
  low=$(at $vehicle $load --until 0.01)
  holds_true "$(at $vehicle $load --until 0.01 "${all[@]:0:2}") > $low + 500" "the road of the $vehicle"
  [ $vehicle = iltis ] || holds_true "$(at $vehicle $load --until 0.01 --input "road${wheels%% *}_rate=0.2") > $low + 1" "the rate of the road of the $vehicle"
done << 'ROWS'
van speed load_front_left drive.z=0.02 _front_left _front_right _rear_left _rear_right
car vx load_fl float.z=0.02 _fl _fr _rl _rr
iltis vx load_fl float.z=0.01291541332 _fl _fr _rl _rr
truck speed load1_left drive.z=0.02 1_left 1_right 2_left 2_right 3_left 3_right 4_left 4_right 5_left 5_right
ROWS
call 0 export examples/driver/car.yaml --fmu "$work/car.fmu" --sources
[ "$(python3 -m zipfile -e "$work/car.fmu" "$work/car" && grep -c 'causality="input"' "$work/car/modelDescription.xml")" -eq 11 ] || fail "the FMU of the car has not eleven inputs"
finish
