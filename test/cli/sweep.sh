#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Sweeps: tables, any number of threads, failures, kills at random moments, refusals.
source test/cli/support.bash

model=$models/swing.yaml
grid=(--vary "L=0.5:2:6" --vary "k=1 N m/rad:5:3" --result max:pin.angle --result "rms:pin.*")

# a table with all combinations
call 0 sweep $model "${grid[@]}" -o "$work/one" --threads 1
says "A pendulum with a spring: 18 cases in" "on 1 thread" "$work/one/results.csv"
[ "$(wc -l < "$work/one/results.csv")" -eq 19 ] || fail "$last: not 18 cases"
head -1 "$work/one/results.csv" | has_line -F 'case,L [m],k [N m],status,max:pin.angle [rad],rms:pin.angle [rad],rms:pin.rate [rad/s],time [s],steps' ||
  fail "$last: wrong head"
grep -q '^18,2,5,0,' "$work/one/results.csv" || fail "$last: the last case is not the end of both ranges"
[ ! -e "$work/one/failures.csv" ] || fail "$last: failures without a failure"

# the same bytes for any number of threads
for threads in 2 3 8; do
  call 0 sweep $model "${grid[@]}" -o "$work/many" --threads $threads --quiet
  silent out
  cmp "$work/one/results.csv" "$work/many/results.csv" || fail "$last: not the table of one thread"
done
call 0 plot "$work/one" rms:pin.angle --against L
call 0 sweep $model "${grid[@]}" -o "$work/json" --json
holds 'j["status"] == "finished" and j["cases"] == j["done"] == 18 and j["failed"] == 0'

# samples, and the cases of a file, here of the table of results itself
call 0 sweep $model --vary L=0.5:2 --vary pin.rate=-1:1 --samples 12 --seed 5 -o "$work/latin"
cut -d, -f1-3 "$work/latin/results.csv" > "$work/cases.csv"
call 0 sweep $model --cases "$work/cases.csv" -o "$work/list"
cmp "$work/latin/results.csv" "$work/list/results.csv" || fail "$last: cases read back differ"
call 0 sweep $model --vary L=0.5:2 --vary pin.rate=-1:1 --samples 12 --seed 6 -o "$work/other"
cmp -s "$work/latin/results.csv" "$work/other/results.csv" && fail "$last: another seed makes the same samples"
printf 'L [mm],pin.angle [deg]\n500,90\n' > "$work/units.csv"
call 0 sweep $model --cases "$work/units.csv" -o "$work/units"
grep -q '^1,0.5,1.5707963267948966,0,' "$work/units/results.csv" || fail "$last: units of the head do not count"

# cases that fail leave the others alone
call 0 sweep $model --vary m=-1:3:5 -o "$work/some"
says "2 failed, see $work/some/failures.csv"
grep -q '^1,-1,[1-9][0-9]*,nan,nan,nan,0,0' "$work/some/results.csv" || fail "$last: no line for the failure"
grep -q '^5,3,0,' "$work/some/results.csv" || fail "$last: good cases are missing"
grep -q "^1,.*mass" "$work/some/failures.csv" || fail "$last: no reason"
call 1 sweep $model --vary m=-2:-1:3 -o "$work/none"

# every case has its verdict: 0 good, 1 doubtful, 2 failed; doubts have their reasons and are errors under --strict
[ "$(cut -d, -f19 "$work/one/results.csv" | sort -u | tr '\n' ' ')" = "0 verdict " ] || fail "$last: another verdict"
coarse=(--vary L=0.5:2:4 --integrator rk4 --step "0.2 s" -o "$work/coarse")
call 0 sweep $model "${coarse[@]}"
says "doubtful, see $work/coarse/doubts.csv"
grep -q '^1,0.5,0,.*,1$' "$work/coarse/results.csv" || fail "$last: no doubt about long steps"
grep -q '^1,"\?the energy balance is open by' "$work/coarse/doubts.csv" || fail "$last: no reason"
call 1 sweep $model "${coarse[@]}" --strict --json
holds 'j["doubtful"] > 0 and j["failed"] == 0 and j["doubts"] is not None'
call 0 sweep $model --vary L=0.5:2:4 --strict -o "$work/coarse"
[ ! -e "$work/coarse/doubts.csv" ] || fail "$last: doubts without a doubt"

# killed at random moments, resumed, complete and the same
long=(--vary "L=0.5:2:30" --vary "k=1:5:10")
call 0 sweep $model "${long[@]}" -o "$work/whole"
lines() { wc -l 2> /dev/null < "$work/cut/journal" || echo 0; }
RANDOM=7
trials=3
[ -z "${ART_SOAK-}" ] || trials=40
for ((trial = 1; trial <= trials; trial++)); do
  rm -rf "$work/cut"
  for kill in 1 2 3 4; do
    args=("${long[@]}" -o "$work/cut" --threads $((1 + RANDOM % 8)))
    [ -e "$work/cut/journal" ] && args+=(--resume)
    last_line=$(($(lines) + RANDOM % 60))
    "$ARTICULA" sweep $model "${args[@]}" > "$work/out" 2> "$work/err" &
    pid=$!
    until [ "$(lines)" -gt $last_line ]; do
      kill -0 $pid 2> /dev/null || break
      sleep 0.005
    done
    kill -9 $pid 2> /dev/null
    wait $pid 2> /dev/null
    # the last line may be cut short by the machine itself
    [ -s "$work/cut/journal" ] && truncate -s -$((RANDOM % 40)) "$work/cut/journal"
  done
  args=("${long[@]}" -o "$work/cut")
  [ -e "$work/cut/journal" ] && args+=(--resume)
  call 0 sweep $model "${args[@]}"
  cmp "$work/whole/results.csv" "$work/cut/results.csv" || fail "$last: not the table without kills"
done

# over ranks of MPI, where there is one
if command -v mpirun > /dev/null; then
  for ranks in 2 4; do
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
      timeout 120 mpirun -n $ranks "$ARTICULA" sweep $model "${grid[@]}" -o "$work/ranks" > "$work/out" 2> "$work/err"
    last="mpirun -n $ranks articula sweep"
    grep -q "without MPI" "$work/err" && break
    says "18 cases in" "of each of $ranks ranks"
    cmp "$work/one/results.csv" "$work/ranks/results.csv" || fail "$last: not the table of one thread"
  done
fi

# all cases together by kernels: the results of runs, killed and resumed to the same bytes, refusals before anything is done
together=(--vary L=0.5:2:150 --vary k=1:2:2 --vary m=-1:1:2 --integrator rk4 --step "1 ms" --until 0.1 --interval "10 ms")
call 0 sweep $model "${together[@]}" -o "$work/apart"
call 0 sweep $model "${together[@]}" -o "$work/together" --device cpu --threads 2
says "300 together on the CPU, 2 threads; runs by themselves differ by" "their steps leave about " "300 by themselves: its beginning was not found" "300 failed"
/usr/bin/python3 - "$work/apart/results.csv" "$work/together/results.csv" << 'PYTHON' || fail "$last: not the results of runs"
import csv, sys
apart, together = (list(csv.DictReader(open(path))) for path in sys.argv[1:])
names = [n for n in apart[0] if n in ("case", "status", "steps", "verdict") or ":" in n or n.startswith("time")]
near = lambda a, b: a == b or abs(float(a) - float(b)) <= 1e-10 * max(1, abs(float(a)))
sys.exit(not (len(apart) == len(together) == 600 and all(near(a[n], b[n]) for a, b in zip(apart, together) for n in names)))
PYTHON
head -c $(($(wc -c < "$work/together/journal") / 2)) "$work/together/journal" > "$work/half"
cp "$work/together/results.csv" "$work/kept.csv"
cp "$work/half" "$work/together/journal"
call 0 sweep $model "${together[@]}" -o "$work/together" --device cpu --threads 3 --resume
cmp "$work/kept.csv" "$work/together/results.csv" || fail "$last: not the table without a kill"
call 2 sweep $model "${together[@]}" -o "$work/together" --resume; complains "this is the journal of another call"
call 1 sweep $model --vary L=0.5:2:2 --integrator rk4 --step "3 ms" --until 0.1 -o "$work/off" --device cpu
complains "rows have to fall on steps of rk4"
call 1 sweep $model --vary L=0.5:2:2 --integrator bdf --until 0.1 -o "$work/off" --device cpu
complains "devices know the integrators rk4 and dopri5"
CC=false call 1 sweep $model --vary L=0.5:2:2 --set m=1.5 --integrator dopri5 --until 0.3 -o "$work/off" --device cpu
complains "the compiler 'false' did not take the generated equations"
call 2 sweep $model --vary L=0.5:2:2 --device tpu; complains "tpu"
call 0 sweep $model --vary L=0.5:2:20 --integrator rk4 --step "1 ms" --until 0.1 --interval "10 ms" -o "$work/single" --device cpu --precision float
says "20 together on" "accelerations in float precision differ by "
grep -q "differ by [0-9.]*e-0[78] at the beginning" "$work/out" || fail "$last: not the rounding of single precision"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "step_error") c = i } NR > 1 && !($c > 0 && $c < 1e-3) { exit 1 }' "$work/single/results.csv" || fail "$last: no errors of steps"
call 0 sweep $model --vary L=0.5:2:3 --integrator rk4 --step "1 ms" --until 0.1 --interval "10 ms" -o "$work/once" --device cpu --once
grep -q "steps leave" "$work/out" && fail "$last: tells errors of steps"
[ "$(grep -c ",nan,0$" "$work/once/results.csv")" = 3 ] || fail "$last: errors of steps in the table"
call 2 sweep $model --vary L=0.5:2:2 --once; complains "--once is for cases on a device"
call 2 sweep $model --vary L=0.5:2:2 --precision mixed; complains "--precision is for cases on a device"

# interrupted politely
rm -rf "$work/cut"
"$ARTICULA" sweep $model --vary L=0.5:2:100000 -o "$work/cut" > "$work/out" 2> "$work/err" &
pid=$!
until [ "$(wc -l < "$work/cut/journal" 2> /dev/null || echo 0)" -gt 2 ]; do kill -0 $pid || break; done 2> /dev/null
kill -INT $pid
wait $pid
[ $? -eq 1 ] || fail "sweep: interrupted, exit status is not 1"
complains "interrupted after" "of 100000 cases" "--resume"

# refusals
call 2 sweep $model "${grid[@]}" -o "$work/cut" --resume
complains "$work/cut/journal:" "this is the journal of another call"
call 2 sweep $model --vary L=0.5:2:100000 --option tolerance=1e-8 -o "$work/cut" --resume
complains "$work/cut/journal:" "this is the journal of another call"
call 2 sweep $model "${grid[@]}" -o "$work/nowhere" --resume
complains "there is no interrupted sweep to resume here"
call 2 sweep $model
complains "nothing is varied"
# a parameter without a unit in the file takes what fits where the file uses it, as --set does; inputs without one take none
cat > "$work/bare.yaml" << 'YAML'
articula: 1
parameters: {L: 1}
inputs: {u: {default: 1}}
bodies: {rod: {mass: 1, com: [= L, 0, 0], inertia: [1, 1, 1]}}
joints: {pin: {type: revolute, axis: y, from: ground, to: rod}}
outputs: {angle: pin.angle}
study: {type: run, until: 0.1}
YAML
call 2 sweep "$work/bare.yaml" --vary L=1kg:2kg:3; complains "bare.yaml:4:33: the formula gives a mass in kg, expected a length in m (by --vary L=1kg:2kg:3)"
call 2 sweep "$work/bare.yaml" --vary L=1m:2kg:3; complains "bare.yaml:4:33: the formula gives a mass in kg"
call 2 sweep "$work/bare.yaml" --vary u=1kg:2:3; complains "found a mass in kg, expected a plain number"
printf 'L [kg]\n1\n' > "$work/bare.csv"
call 2 sweep "$work/bare.yaml" --cases "$work/bare.csv"; complains "bare.yaml:4:33: the formula gives a mass in kg, expected a length in m (by --cases"
call 0 sweep "$work/bare.yaml" --vary L=500mm:2m:2 -o "$work/bare"
call 2 run "$work/bare.yaml" --set L=3 --set L=4; complains "'L' is set twice, to 3 and to 4; give one value"

call 2 sweep $model --vary LL=1:2:3
complains "there is no parameter, input, coordinate or velocity 'LL'"
call 2 sweep $model --vary pin.agnle=1:2:3
complains "did you mean 'pin.angle'?"
call 2 sweep $model --vary L=1:2
complains "without a count, --samples is needed"
call 2 sweep $model --vary L=1:2:0
complains "expected a whole number of values"
call 2 sweep $model --vary L=1:2:3 --samples 4
complains "expected NAME=from:to, for --samples says how many"
call 2 sweep $model --vary L=1:2:10000000 --vary k=1:2:10000000
complains "1e+14 cases, expected at most"
call 2 sweep $model --vary "L=1 kg:2:3"
complains "found a mass in kg, expected a length in m"
call 2 sweep $model --vary L
complains "--vary L: expected NAME=from:to:count"
call 2 sweep $model --vary L=1:2:3 --vary L=1:2:3
complains "'L' is varied twice"
call 2 sweep $model --vary L=1:2 --samples 2.5
complains "--samples is 2.5, expected a whole number"
call 2 sweep $model --vary L=1:2 --samples 2 --sampling sobol
complains "--sampling 'sobol' is not known; there is random, latin"
call 2 sweep $model --vary L=1:2:3 --seed 3
complains "--seed goes with --samples"
call 2 sweep $model --vary L=1:2:3 --threads 0
complains "--threads is 0, expected a whole number from 1"
call 2 sweep $model --vary L=1:2:3 --result pin.angle
complains "expected FUNCTION:OUTPUT"
call 2 sweep $model --vary L=1:2:3 --result max:pin.agnle
complains "did you mean 'pin.angle'?"
call 2 sweep $model --cases "$work/cases.csv" --vary L=1:2:3
complains "leave out --vary"
printf 'L [kg]\n1\n' > "$work/bad.csv"
call 2 sweep $model --cases "$work/bad.csv"
complains "column 'L' is a mass in kg, expected a length in m"
printf 'L\n1\nx\n' > "$work/bad.csv"
call 2 sweep $model --cases "$work/bad.csv"
complains "expected a number"

finish
