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
says "loops closed to" "2 of 5 rows count"
holds 'j["constraints"]["rank"] == 2 and j["constraints"]["position_residual"] < 1e-10 and len(j["constraints"]["redundant"]) == 3' "$work/run/certificate.json"
holds 'j["constraints"]["velocity_residual"] < 1e-10 and j["constraints"]["acceleration_residual"] < 1e-9' "$work/run/certificate.json"

# what cannot be
{ cat $model; echo "initial: {a: {angle: 0.5, rate: 2}, b: {rate: 1}}"; } > "$work/bad.yaml"
call 2 assemble "$work/bad.yaml"
complains "the initial velocities contradict the loops: with a.rate = 2 rad/s as given, b.rate = 1 rad/s as given"
silent out
sed 's/^joints:/joints:\n  far: {type: rod, from: coupler, to: ground, length: 90}/' $model > "$work/far.yaml"
call 2 assemble "$work/far.yaml"
complains "loop closed by joint 'far' cannot be closed: it stays open by" "check the dimensions, or start nearer with guesses"
call 0 assemble $models/pendulum.yaml
says "# no closed loops: the machine is a tree" "# 2 degrees of freedom"

finish
