#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Studies of vehicles: an axle on a rig, and the response to the road.
source test/cli/support.bash

iltis=models/experiments/iltis-front.yaml
call 0 kinematics $iltis -o "$work/rig"
says "Iltis front suspension, wheels through their travel" "carrier.hub" "toe [deg]" "+60.0 mm" \
  "all 9 columns are in $work/rig/kinematics.csv"
head -n 1 "$work/rig/kinematics.csv" | has_line '^travel \[m\],carrier.hub.toe \[rad\],carrier.hub.camber \[rad\]' ||
  fail "kinematics.csv has another head"
grep -q '>carrier.hub.camber<' "$work/rig/kinematics.svg" || fail "kinematics.svg has no legend"
call 0 kinematics $iltis -o "$work/rig" --json
holds 'len(j["columns"]) == 9 and len(j["rows"]) == 17 and j["rows"][8][0] == 0'
call 2 kinematics models/double-pendulum.yaml
complains "there is no study of type kinematics; add one"
call 2 kinematics $iltis --study fixed
complains "study 'fixed' is of type run, not kinematics; try 'articula run'"

call 0 response models/vehicles/cart.yaml --at-equilibrium -o "$work/ride"
says "response to the road from 0.1 Hz to 50 Hz" "base.z" "2.0829 at 1.29 Hz"
head -n 1 "$work/ride/response.csv" | has_line '^frequency \[Hz\],base.x.magnitude \[1\],base.x.phase \[rad\]' ||
  fail "response.csv has another head"
call 0 response models/vehicles/cart.yaml --speed "36 km/h" -o "$work/ride" --json
holds 'len(j["rows"]) == 200 and j["columns"][0]["unit"] == "Hz"'
call 2 response models/double-pendulum.yaml
complains "the machine has no tyres"

finish
