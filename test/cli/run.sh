#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# run: rows, certificate, options, and what can go wrong.
source test/cli/support.bash

out=$work/results
last_row() { tail -n 1 "$out/results.csv"; }

call 0 run $models/pendulum.yaml -o "$out"
says "Double pendulum: 2 s in" "dopri5, tolerance 1e-08, automatic:" "$out/results.csv: 201 rows"
silent err
[ "$(head -n 1 "$out/results.csv")" = "time [s],shoulder.angle [rad],elbow.angle [rad],shoulder.rate [rad/s],elbow.rate [rad/s],bend.force [N m],energy.kinetic [J],energy.potential [J],energy.total [J],energy.balance [J]" ] ||
  fail "another head: $(head -n 1 "$out/results.csv")"
[ "$(wc -l < "$out/results.csv")" -eq 202 ] || fail "another number of rows"
[ "$(sed -n 2p "$out/results.csv" | cut -d, -f1-5)" = "0,1.0471975511965976,0,0,2" ] || fail "another first row"
[ "$(last_row | cut -d, -f1)" = 2 ] || fail "the last row is not at the end"
[ ! -e "$out/checkpoint" ] || fail "a finished run leaves a checkpoint"
holds 'j["status"] == "finished" and j["rows"] == 201 and j["time"] == 2' "$out/certificate.json"
holds 'j["energy"]["relative_error"] < 1e-6 and j["energy"]["scale"] > 5' "$out/certificate.json"
holds 'j["steps"]["accepted"] > 50 and j["constraints"]["rank"] == 0' "$out/certificate.json"
holds 'j["study"]["name"] == "swing" and j["model"]["degrees_of_freedom"] == 2' "$out/certificate.json"

# the same bits every time, and with both methods nearly so
cp "$out/results.csv" "$work/first.csv"
call 0 run $models/pendulum.yaml -o "$out" --quiet
silent out
cmp -s "$out/results.csv" "$work/first.csv" || fail "two equal runs differ"
call 0 run $models/pendulum.yaml -o "$out" --method mass-matrix --json
holds 'j["study"]["method"] == "mass-matrix" and j["results"] != ""'
silent err
/usr/bin/python3 - "$out/results.csv" "$work/first.csv" << 'PYTHON' || fail "the methods disagree"
import csv, sys
a, b = (list(csv.reader(open(f)))[1:] for f in sys.argv[1:])
sys.exit(max(abs(float(x) - float(y)) for r, s in zip(a, b) for x, y in zip(r, s)) > 1e-6)
PYTHON

# options
call 0 run $models/pendulum.yaml -o "$out" --integrator rk4 --step "2 ms" --from 0.5 --until "1500 ms" --interval=0.25
[ "$(cut -d, -f1 "$out/results.csv" | tail -n +2 | tr '\n' ' ')" = "0.5 0.75 1 1.25 1.5 " ] || fail "other instants"
holds 'j["steps"]["accepted"] == 500 and j["study"]["step"] == 0.002' "$out/certificate.json"
call 0 run $models/pendulum.yaml -o "$out" --study fine --json
holds 'j["study"]["integrator"] == "rk4" and j["steps"]["evaluations"] >= 4000'
for integrator in bdf adams; do
  call 0 run $models/pendulum.yaml -o "$out" --integrator $integrator --tolerance 1e-6 --json
  holds "j['study']['integrator'] == '$integrator' and j['study']['tolerance'] == 1e-6"
done
call 0 run "$models/odd names.yaml" -o "$out"
[ "$(head -n 1 "$out/results.csv")" = 'time [s],"max(rail.slide, 0) [m]",rail.slide [m]' ] || fail "quotes are wrong"

# drives: a rate that jumps is an impact, a value that jumps is refused, before the run or on the way
drive() { sed "s/value: .*}/value: \"= $1\"}/" models/crane.yaml > "$work/crane.yaml"; }
call 0 run models/crane.yaml -o "$out" --until "3 s"
says "1 impact by drives"
[ "$(awk -F, '$1 == 2 { print $3 }' "$out/results.csv")" = 1.5 ] || fail "a row at an impact does not show the side before it"
drive "3[m]*step(time - stop)"
call 2 run "$work/crane.yaml" -o "$work/refused"
complains "crane.yaml:32:3: drive 'travel' moves 'rail.slide' from 0 to 3 m at once, by 3 m at t = 2 s"
[ ! -e "$work/refused" ] || fail "a run that is refused leaves files"
call 2 check "$work/crane.yaml"
complains "crane.yaml:32:3: drive 'travel' moves 'rail.slide' from 0 to 3 m at once"
drive "0.1[m]*step(sin(1000*pi*time\/6[s]) - 0.5)"
call 1 run "$work/crane.yaml" -o "$work/refused" --integrator rk4 --step "0.1 ms"
complains "crane.yaml:32:3: drive 'travel' moves 'rail.slide' from 0 to 0.1 m at once, by 0.1 m at t = 0.001 s"
drive "1[m\/s]*hypot(time - stop, 0)"
call 2 run "$work/crane.yaml" -o "$work/refused"
complains "the rate from -1 to 1, in a function that has no switching instant there" "write it with abs"

# natural coordinates: their own rules, steps and residuals
for method in index1 index3 multi-index conserving; do
  call 0 run $models/pendulum.yaml -o "$out" --method $method --json
  holds "j['study']['method'] == '$method' and j['study']['integrator'] == 'own' and j['rows'] == 201"
  holds 'j["energy"]["relative_error"] < 1e-2 and j["constraints"]["position_residual"] < 1e-8'
done
head -n 1 "$out/results.csv" | cut -d, -f1-5 > "$work/natural"
head -n 1 "$work/first.csv" | cut -d, -f1-5 | cmp -s - "$work/natural" || fail "natural coordinates have other outputs"
call 0 run $models/pendulum.yaml -o "$out" --method index3 --step "4 ms" --algebra sparse
says "index3 (sparse), steps of up to 0.004 s: 500 steps, 0 rejected," "constraints kept to"
call 2 run $models/pendulum.yaml -o "$out" --method index3 --integrator rk4
complains "method index3 brings its own rule of integration and takes no integrator; leave --integrator out"
call 2 run $models/pendulum.yaml -o "$out" --method conserving --profile
complains "--profile reports the stages of methods in relative coordinates; conserving is not one of them"
call 2 run $models/pendulum.yaml -o "$out" --method index1 --algebra plain
complains "--algebra plain belongs to method semirecursive; index1 has dense and sparse"

# without -o the model's name gives the place; quiet is quiet
articula=$(realpath "$ARTICULA") here=$PWD
(cd "$work" && "$articula" run -q "$here/$models/pendulum.yaml" && "$articula" run -q "$here/$models/pendulum.yaml" --study fine) > "$work/out" 2>&1 ||
  fail "a run without -o failed"
silent out
[ -s "$work/results/pendulum/results.csv" ] && [ -s "$work/results/pendulum-fine/certificate.json" ] ||
  fail "results are not in results/NAME"

# calls that are refused leave the results alone
cp "$out/results.csv" "$work/before.csv"
call 2 run $models/pendulum.yaml -o "$out" --study modes
complains "study 'modes' is of type linear, not run; try 'articula linear'"
call 2 run $models/pendulum.yaml -o "$out" --study swng
complains "there is no study 'swng' (did you mean 'swing'?)"
call 2 run $models/pendulum.yaml -o "$out" --integrator rk4
complains "rk4 takes fixed steps"
call 2 run $models/pendulum.yaml -o "$out" --from 3 --until 2
complains "ends at 2 s, before it starts at 3 s"
call 2 run $models/pendulum.yaml -o "$out" --tolerance 0
complains "--tolerance is 0, expected something above zero"
call 2 run $models/pendulum.yaml -o "$out" --interval 1e-300
complains "makes more than 1e+09 rows"
call 2 run $models/pendulum.yaml -o "$out" --interval 0 --until 1e300
complains "the study lasts 1e+300 s, expected at most 1e+15 s"
call 2 run $models/loop.yaml -o "$out" --method order-n
complains "method order-n is for machines without closed loops"
cmp -s "$out/results.csv" "$work/before.csv" || fail "a refused call changed the results"

# a run that fails keeps its rows
call 1 run $models/stuck.yaml -o "$out"
complains "t = 0.99999" "stopped at time" "the 10 rows so far are in $out/results.csv"
[ "$(last_row | cut -d, -f1)" = 0.90000000000000002 ] || fail "the rows before a failure are lost"
holds 'j["status"] == "failed" and j["rows"] == 10 and j["error"]["status"] == "ART_STEP_TOO_SMALL"' "$out/certificate.json"
call 1 run $models/stuck.yaml -o "$out" --json
holds 'j["status"] == "failed" and "0.99999" in j["error"]["message"]'
silent err

# the certificate ends in a verdict; doubt is an error under --strict, and nobody overlooks it in a quiet run
call 0 run $models/pendulum.yaml -o "$out" --strict
says "  verdict: good"
holds 'j["verdict"] == "good" and j["reasons"] == [] and j["odd_rows"] == 0' "$out/certificate.json"
call 0 run $models/pendulum.yaml -o "$out" --integrator rk4 --step "50 ms"
says "  verdict: doubtful" "    the energy balance is open by"
silent err
call 0 run $models/pendulum.yaml -o "$out" --integrator rk4 --step "50 ms" --quiet
complains "verdict: doubtful: the energy balance is open by"
call 1 run $models/pendulum.yaml -o "$out" --integrator rk4 --step "50 ms" --strict --json
holds 'j["status"] == "finished" and j["verdict"] == "doubtful" and len(j["reasons"]) == 2'
silent err
call 1 run $models/odd.yaml -o "$out"
says "  verdict: failed" "    a number is not finite in" "rows, at first '"
complains "verdict: failed: a number is not finite in"
nans=$(grep -ci nan "$out/results.csv")
holds "j['odd_rows'] == $nans > 3 and j['verdict'] == 'failed'" "$out/certificate.json"
call 1 run $models/stuck.yaml -o "$out" --json
holds 'j["verdict"] == "failed" and "ended early, at " in j["reasons"][0]'

# rounding rules the steps: this ends with a message, at once
for integrator in bdf adams dopri5; do
  call 1 run $models/polar.yaml -o "$out" --integrator $integrator
  complains "$integrator crawls at t = " "change the rate of slide.rate by more than a tolerance of 1e-10"
done
call 0 run $models/polar.yaml -o "$out" --tolerance 1e-9 --strict

# loops: how far they were open before they were closed
call 0 run models/loops/four-bar.yaml -o "$out" --until 0.2 --method recursive
says "before they were closed, at the ends of steps, they were open by"
holds 'j["constraints"]["position_violation"] > 10 * j["constraints"]["position_residual"] > 0' "$out/certificate.json"

# places that cannot be written
echo text > "$work/file"
call 1 run $models/pendulum.yaml -o "$work/file"
complains "$work/file: cannot make the directory: Not a directory"
call 1 run $models/pendulum.yaml -o /proc/nowhere
complains "/proc/nowhere: cannot make the directory"
if [ "$(id -u)" -ne 0 ]; then
  mkdir "$work/locked" && chmod a-w "$work/locked"
  call 1 run $models/pendulum.yaml -o "$work/locked"
  complains "$work/locked/results.csv: cannot write: Permission denied"
fi
mkdir "$work/full" && ln -s /dev/full "$work/full/results.csv"
call 1 run $models/pendulum.yaml -o "$work/full"
complains "$work/full/results.csv: cannot write: No space left on device"
call 1 run $models/pendulum.yaml -o "$work/full" --json
holds 'j["error"]["status"] == "ART_IO"'
holds 'j["status"] == "failed"' "$work/full/certificate.json"
mkdir -p "$work/taken/certificate.json.part"
call 1 run $models/pendulum.yaml -o "$work/taken"
complains "$work/taken/certificate.json.part: this is a directory, expected a file to write to"

# stages and algebras of closed loops
loops=models/loops/four-bar.yaml
call 0 run $loops -o "$out" --until 0.2 --profile
says "  1  positions, loops closed" "  9  accelerations, multipliers" "      total"
call 0 run $loops -o "$out" --until 0.2 --profile --algebra dense --json
holds 'len(j["profile"]["stages"]) == 9 and j["profile"]["evaluations"] >= j["steps"]["evaluations"]'
holds 'abs(sum(s["share"] for s in j["profile"]["stages"]) - 1) < 1e-9 and j["study"]["algebra"] == "dense"'
call 0 run $loops -o "$out" --until 0.2 --algebra sparse
says "automatic (sparse):"
for way in lu umfpack spqr; do
  call 0 run $loops -o "$out" --until 0.2 --option redundant=$way --json
  holds "j['study']['redundant'] == '$way' and j['constraints']['position_residual'] < 1e-13"
done
call 2 run $loops -o "$out" --option redundant=qr
complains "--option redundant=qr: 'redundant' is 'qr', expected one of drop, lu, umfpack, spqr"
call 2 run $loops -o "$out" --method recursive --option redundant=lu
complains "'redundant' belongs to method semirecursive; the study goes by method recursive, which does not use it"

# the back end by a key of its own, or by a word of method
for way in "--method generated" "--option backend=generated"; do
  call 0 run $loops -o "$out" --until 0.2 $way --json
  holds 'j["study"]["method"] == "generated" and j["steps"]["generated_evaluations"] > 0'
done
call 2 run $loops -o "$out" --method generated --option redundant=lu
complains "'redundant' belongs to method semirecursive; the study goes by method generated, which does not use it"
call 2 run $loops -o "$out" --method recursive --option backend=generated
complains "backend generated belongs to method automatic; the study goes by method recursive, which is evaluated in numbers"

call 0 run $models/pendulum.yaml -o "$out" --profile
says "  4  dependent velocities                        -          -       -" "  9  accelerations, articulated bodies"
for method in order-n mass-matrix; do
  call 0 run $models/pendulum.yaml -o "$out" --profile --method $method --json
  holds 'len(j["profile"]["stages"]) == 9 and j["profile"]["stages"][3]["calls"] == 0'
  holds 'j["profile"]["stages"][8]["calls"] == j["profile"]["evaluations"] > 0'
done
for method in semirecursive recursive augmented; do
  call 0 run $loops -o "$out" --until 0.2 --profile --method $method --json
  holds 'j["profile"]["stages"][7]["calls"] >= j["profile"]["evaluations"] >= j["steps"]["evaluations"]'
done
call 2 run $models/pendulum.yaml -o "$out" --algebra dense
complains "this machine has none and goes by order-n; leave the option out"
call 2 run $loops -o "$out" --algebra dense --method recursive
complains "this run goes by recursive; choose that one, or leave the option out"
call 2 run $loops -o "$out" --algebra spars
complains "did you mean 'sparse'?"

# in real time: the same rows, at their time of the clock
call 0 run $models/pendulum.yaml -o "$out" --until 0.2 --interval "10 ms" --json
cp "$out/results.csv" "$work/usual.csv"
call 0 run $models/pendulum.yaml -o "$out" --until 0.2 --interval "10 ms" --realtime
says "real time: 20 frames"
cmp -s "$out/results.csv" "$work/usual.csv" || fail "$last: other rows than without --realtime"
holds 'j["realtime"]["frames"] == 20 and j["realtime"]["worst_frame"] >= j["realtime"]["mean_frame"] > 0' "$out/certificate.json"
# frames are known beforehand: without an interval 1 ms, or a thousandth of the time
call 0 run $models/pendulum.yaml -o "$out" --until 0.2 --interval 0 --realtime
holds 'j["realtime"]["frames"] == 1000 and j["study"]["interval"] == 0.0002' "$out/certificate.json"
call 2 run $models/pendulum.yaml -o "$out" --realtime --resume
complains "cannot be resumed"

# a penalty that drowns the masses is named, not the masses
call 2 run models/vehicles/iltis-bump.yaml --method index1 --until 0.01 --option penalty=1e16 -o "$work/stiff"
complains "which is lost compared with the penalty of 1e+16 kg; give a smaller 'penalty', or none: 3.87e+07 kg is usual here"

call 1 run models/loops/four-bar.yaml --method index1 --until 1 --option penalty=1e16 -o "$work/stiff"
complains "no convergence in" "; the penalty is 1e+16 kg, and 1.1e+07 kg is usual here"

# whole steps: as many as the time has, none divided, no event located, though the law of the damper and the stop switch
cat > "$work/whole.yaml" <<'END'
articula: 1
gravity: [0, 0, 0]
bodies: {block: {mass: 2 kg}}
joints: {slide: {type: prismatic, axis: x, from: ground, to: block}}
forces:
  spring: {type: joint-spring, coordinate: slide, stiffness: 200}
  damper: {type: joint-spring, coordinate: slide, damper: {segments: {borders: [-0.5, 0.5], coefficients: [[-9, 2], [0, 20], [9, 2]]}}}
initial: {slide: {slide: 0.1, rate: 3}}
outputs: {x: slide.slide, v: slide.rate}
study: {type: run, until: 1 s, interval: 50 ms, method: conserving, step: 50 ms, whole_steps: true}
END
call 0 run "$work/whole.yaml" --json -o "$work/whole"
holds 'j["steps"]["accepted"] == 20 and j["steps"]["rejected"] == 0'
call 0 run "$work/whole.yaml" --json -o "$work/divided" --option whole_steps=false
holds 'j["steps"]["accepted"] > 20'
# equation 7 of Dopico and others, with damping at the middle, or as the mean of both ends
rule() { # FOLDER MEAN
  /usr/bin/python3 - "$1/results.csv" "$2" <<'PYTHON' || fail "$1: rows do not follow the rule"
import csv, sys
rows = [(float(r["x [m]"]), float(r["v [m/s]"])) for r in csv.DictReader(open(sys.argv[1]))]
law = lambda v: -9 + 2*v if v < -0.5 else 9 + 2*v if v > 0.5 else 20*v
assert len(rows) == 21
for (x0, v0), (x1, v1) in zip(rows, rows[1:]):
    resisting = (law(v0) + law(v1))/2 if sys.argv[2] == "ends" else law((v0 + v1)/2)
    assert abs(x1 - x0 - 0.05*(v0 + v1)/2) < 1e-12
    assert abs(2*(v1 - v0)/0.05 + 200*(x0 + x1)/2 + resisting) < 1e-9, (x0, v0)
PYTHON
}
rule "$work/whole" middle
call 0 run "$work/whole.yaml" -o "$work/ends" --option forces_at_ends=true --quiet
rule "$work/ends" ends
call 1 run "$work/whole.yaml" -o "$work/few" --option iterations=1
complains "no convergence in 1 iterations with steps down to 0.05 s"
call 2 run models/latch.yaml --method index3 --option whole_steps=true -o "$work/latch"
complains "whole_steps locates no events, which latches and ropes of this machine need; leave it out"
call 2 run models/pendulum.yaml --option whole_steps=true -o "$work/tree"
complains "'whole_steps' belongs to methods"

finish
