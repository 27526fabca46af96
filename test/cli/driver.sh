#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Vehicles with the inputs of a driver (examples/driver): without inputs they move as those that drives steer, and each input does what it says.
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
include: [{file: $PWD/models/vehicles/parts/van.yaml}]
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
call 0 export examples/driver/car.yaml --fmu "$work/car.fmu" --sources
[ "$(python3 -m zipfile -e "$work/car.fmu" "$work/car" && grep -c 'causality="input"' "$work/car/modelDescription.xml")" -eq 3 ] || fail "the FMU of the car has not three inputs"
finish
