#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Machines with closed loops that cannot be: each is refused by name, whatever the method.
source test/cli/support.bash

methods="semirecursive recursive augmented"
out="$work/result"

# refused FILE TEXT ...: by every method, before a file is written
refused() {
  local file=$1 method
  shift
  for method in $methods; do
    call 2 run "$file" -o "$out" --method "$method" --until 0.1
    complains "$@"
    silent out
  done
  [ ! -e "$out" ] || fail "$last: has left $out behind"
  call 2 run "$file" -o "$out" --until 0.1 --json
  holds "j['error']['file'] == '$file' and j['error']['line'] > 0"
}

# a method for trees
call 2 run $models/loop.yaml --method order-n -o "$out"
complains "method order-n is for machines without closed loops" "use semirecursive"

# an assembly that is impossible: which loop, how far it is open
sed 's/^joints:/joints:\n  far: {type: rod, from: coupler, to: ground, length: 90}/' $models/loop.yaml > "$work/open.yaml"
refused "$work/open.yaml" "open.yaml:9:3: loop closed by joint 'far' cannot be closed: it stays open by"
call 2 check "$work/open.yaml"
says "they do not close yet, open by" "loop closed by joint 'far' cannot be closed"
call 2 compare "$work/open.yaml" --until 0.1
complains "loop closed by joint 'far' cannot be closed"

# a loop of three bars does not move
sed '/^  coupler:/d; /^  c:/d; s/to: coupler/to: rocker/' $models/loop.yaml > "$work/rigid.yaml"
refused "$work/rigid.yaml" "nothing can move: the loop closed by joint 'b' leaves none of the 2 velocities free" \
  "a machine that moves needs more joints, or a drive"

# two drives for one degree of freedom
{
  cat $models/loop.yaml
  echo 'drives: {first: {coordinate: a, value: "= 1[rad/s]*time"}, second: {coordinate: d, value: "= 2[rad/s]*time"}}'
} > "$work/driven.yaml"
refused "$work/driven.yaml" "the drives 'first', 'second' prescribe more than the loop closed by joint" "remove one of them"

# independent coordinates by hand: too many, too few, no such; in the file and per call
{
  cat $models/loop.yaml
  echo 'study: {type: run, until: 0.1, independent: [a, d]}'
} > "$work/hand.yaml"
refused "$work/hand.yaml" "hand.yaml" "the constraints leave 1 coordinates free, and the choice of independent ones does not fit" \
  "these follow from the others, leave them out: '"
call 0 run "$work/hand.yaml" -o "$out" --option independent=a --json
holds "j['study']['independent'] == 'a' and j['constraints']['rank'] == 2"
call 0 run $models/loop.yaml -o "$out" --option partition=pivoting --until 0.1 --json
holds "j['study']['partition'] == 'pivoting'"
call 2 run $models/loop.yaml -o "$out" --option partition=pivot
complains "--option partition=pivot: 'partition' is 'pivot', expected one of symbolic, pivoting"
call 2 run $models/loop.yaml -o "$out" --option independent=q
complains "'q' is not a joint coordinate"
call 2 run $models/loop.yaml -o "$out" --option independent=a --option partition=pivoting
complains "the independent coordinates are given by hand and by partition: pivoting; leave out one of them"
call 2 run $models/loop.yaml -o "$out" --method index3 --option independent=a
complains "'independent' belongs to methods semirecursive, recursive, augmented and generated; the study goes by method index3"
rm -rf "$out"

# a massless branch that nothing holds
sed 's/^joints:/  feeler: {mass: 0}\njoints:\n  e: {type: revolute, axis: y, from: coupler, at: [0.2, 0, 0.2], to: feeler}/' \
  $models/loop.yaml > "$work/light.yaml"
refused "$work/light.yaml" "joint 'e' moves nothing that has mass: body 'feeler' and all it carries are massless"

# massless bars in a loop that leaves them free
refused $models/five-bar.yaml "no acceleration can be found for" \
  "nor what the loops move with it has inertia that resists; give them mass, or drive the joint"

# where the loop holds them they are as good as any, but not in a tree without its loops
sed 's/coupler: {mass: 2 kg.*/coupler: {mass: 0}/; s/rocker: {mass: 1 kg.*/rocker: {mass: 0}/' $models/loop.yaml > "$work/held.yaml"
echo 'initial: {a: {rate: 3}}' >> "$work/held.yaml"
for method in semirecursive augmented; do
  call 0 run "$work/held.yaml" -o "$out" --method $method --until 1 --tolerance 1e-11 --json
  holds 'j["energy"]["error"] < 1e-8'
done
call 2 run "$work/held.yaml" -o "$out" --method recursive
complains "method recursive cuts the loops and lets the tree move, where joint" "choose method semirecursive or augmented"

# two bars in line that cannot move: at the start most rows of the loop follow from others
cat > "$work/line.yaml" << 'END'
articula: 1
bodies:
  a: {mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}
  b: {mass: 1, com: [1.5, 0, 0], inertia: [0.01, 0.1, 0.1]}
joints:
  p: {type: revolute, axis: y, from: ground, to: a, at: [0, 0, 0]}
  r: {type: revolute, axis: y, from: a, to: b, at: [1, 0, 0]}
  s: {type: revolute, axis: y, from: ground, to: b, at: [2, 0, 0]}
study: {type: run, until: 2 s}
END
call 2 run "$work/line.yaml" -o "$out"
complains "singular position of the loop of joints 'p', 's' and 'r'" "the loop is locked"

# four bars of a parallelogram in line: rates choose how it goes on
cat > "$work/fork.yaml" << 'END'
articula: 1
bodies:
  a: {mass: 1, position: [0, 0, 0], com: [0.5, 0, 0], inertia: [0.01, 0.08, 0.08]}
  e: {mass: 2, position: [-0.5, 0, 0], com: [0.4, 0, 0], inertia: [0.01, 0.1, 0.1]}
  f: {mass: 0.5, position: [0.5, 0, 0], com: [0.25, 0, 0], inertia: [0.005, 0.01, 0.01]}
joints:
  qa: {type: revolute, axis: y, from: ground, to: a, at: [0, 0, 0]}
  qe: {type: revolute, axis: y, from: ground, to: e, at: [-0.5, 0, 0]}
  ef: {type: revolute, axis: y, from: e, to: f, at: [0.5, 0, 0]}
  fa: {type: revolute, axis: y, from: f, to: a, at: [1, 0, 0]}
study: {type: run, until: 3 s}
END
call 0 check "$work/fork.yaml"
says "singular position of the loop of joints 'qa', 'qe', 'ef' and 'fa'" "are zero: they choose none"
call 0 check --json "$work/fork.yaml"
holds 'j["singular_start"]["rates_choose"] is False'
call 2 run "$work/fork.yaml" -o "$out"
complains "its ways to go on are qa.rate = 1, qe.rate = 1, ef.rate = -1; or qa.rate = 1, qe.rate = 0.333333, ef.rate = 1"
echo 'initial: {qa: {rate: 2}, qe: {rate: 2}}' >> "$work/fork.yaml"
call 2 generate "$work/fork.yaml" -o "$out"
complains "singular position of the loop of joints 'qa', 'qe', 'ef' and 'fa', where generated equations would miss rows"
call 0 check --verbose "$work/fork.yaml"
says "its initial rates choose one of them" "5 rows, 2 of them independent"
call 0 run "$work/fork.yaml" -o "$out" --json
holds 'j["constraints"]["singular_passages"] > 0 and j["constraints"]["passage_gap"] == 0'

# a parallelogram whose coupler is too long by what eight digits leave
sed 's/^initial.*//; s/until: 3 s/until: 1 s/' "$work/fork.yaml" > "$work/rounded.yaml"
sed -i 's/position: \[0.5, 0, 0\]/position: [0.3, 0, 0.6]/; s/at: \[0.5, 0, 0\]/at: [0.3, 0, 0.6]/
        s/at: \[1, 0, 0\]/at: [0.80000003, 0, 0.6]/' "$work/rounded.yaml"
call 0 check "$work/rounded.yaml"
says "the lengths between joints 'qa', 'qe', 'ef' and 'fa' miss a singular position by" "as rounded numbers do"
call 0 check --json "$work/rounded.yaml"
holds 'len(j["rounded"]) == 1 and 1e-10 < j["rounded"][0]["gap"] < 1e-7'
sed 's/0.80000003/0.8/' "$work/rounded.yaml" > "$work/exact.yaml"
call 0 check --json "$work/exact.yaml"
holds 'j["rounded"] == []'

# simulators have no bridges over singular positions: they go over them as well as a run does, or stop by name
call 0 generate $models/doubled-crank.yaml --product simulator -o "$work/simulator"
$quick_cc -std=c11 "$work"/simulator/*_simulator.c -lm -o "$work/simulate" || fail "no simulator"
call 0 run $models/doubled-crank.yaml --tolerance 1e-11 -o "$out"
for tolerance in 1e-7 1e-8 1e-9 1e-11; do
  if "$work/simulate" --tolerance $tolerance > "$work/simulator.csv" 2> "$work/err"; then
    python3 - "$work/simulator.csv" "$out/results.csv" $tolerance << 'PYTHON' || fail "simulator and run differ"
import csv, sys
last = [[float(x) for x in list(csv.reader(open(f)))[-1]] for f in sys.argv[1:3]]
sys.exit(not all(abs(x - y) < 4e5 * float(sys.argv[3]) + 1e-6 for x, y in zip(*last)))
PYTHON
  else
    complains "the loop of joints 'qa', 'qe', 'ef' and 'fa' has come to a singular position"
  fi
done

finish
